"""Checks the API that other programs rely on: a whole match, the views of its seats, its texts, and its save."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from ludoglot.api import ApiError, Match, load, resume
from ludoglot.engine.commands import main as entry

pytestmark = pytest.mark.usefixtures("shared_rules")
GAMES = ("hearts", "liars-dice", "brisca", "scopa", "reversi", "chess", "kalah", "connect-four", "hex", "tic-tac-toe")
HIDDEN = ("hearts", "liars-dice", "brisca", "scopa")


def play_random_moves(name: str, count: int, seed: int = 1) -> Match:
    """Returns a match after this number of random decisions."""
    match, rng = load(name).start(seed), random.Random(seed)
    while not match.over and count:
        match.play(rng.choice(match.options))
        count -= 1
    return match


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_a_match_is_consistent_and_its_copy_independent(name: str):
    match = play_random_moves(name, 30)
    assert match.over == (match.seat is None) == (match.decision is None) == (not match.options) == (match.question() == "")
    if not match.over:
        one = match.options[0]
        again = match.copy()
        match.play(one.spelling)
        assert again.digest() != match.digest()
        again.play(one)
        assert again.digest() == match.digest()


def test_an_illegal_move_changes_nothing():
    match = load("tic-tac-toe", lang="hu").start(1)
    match.play("cell=b2")
    before = match.digest()
    with pytest.raises(ApiError, match="cell=b2.*most nem választható"):
        match.play("cell=b2")
    assert match.digest() == before and len(match.log()) == 1
    while not match.over:
        match.play(match.options[0])
    with pytest.raises(ApiError, match="vége"):
        match.play("cell=b2")


@pytest.mark.long
def test_the_seed_determines_the_match():
    game = load("hearts")
    assert game.start(3).digest() == game.start(3).digest() != game.start(4).digest()
    assert game.start().digest() != game.start().digest()


@pytest.mark.long
def test_a_match_without_a_seed_gets_a_secret_one(tmp_path: Path):
    game = load("hearts")
    match = game.start()
    match.save(tmp_path / "one.ludoglot")
    seed = json.loads((tmp_path / "one.ludoglot").read_text(encoding="utf-8").splitlines()[0])["seed"]
    assert len(seed) == 32 and game.start(seed).digest() == match.digest() == resume(tmp_path / "one.ludoglot").digest()
    for seat in range(4):
        assert seed not in f"{match.view(seat)} {match.log(seat=seat)} {match.table(seat=seat)}"
    assert match.seat is not None and match.sample(match.seat, 5).digest() != match.digest()


@pytest.mark.parametrize("seed", ["", "11", "nobody knows", "F" * 32])
def test_an_invalid_seed_is_rejected(seed: str):
    with pytest.raises(ApiError, match="32 cifre"):
        load("hearts", lang="it").start(seed)


@pytest.mark.long_cases("hearts", "scopa")
@pytest.mark.parametrize("name", HIDDEN)
def test_a_view_does_not_depend_on_sampled_values(name: str):
    match = play_random_moves(name, 5)
    others = 0
    for seat in range(len(match.seats())):
        try:
            dreamt = match.sample(seat, seed=seat)
        except ApiError:
            assert match.view(seat)["options"] is None
            continue
        assert dreamt.view(seat) == match.view(seat)
        others += dreamt.digest() != match.digest()
        assert dreamt.log() == []
        with pytest.raises(ApiError, match="nobody has played it"):
            dreamt.save("never.ludoglot")
    assert others and not Path("never.ludoglot").exists()


@pytest.mark.long_cases("scopa", "chess")
@pytest.mark.parametrize("name", GAMES)
def test_a_view_is_plain_data(name: str):
    match = play_random_moves(name, 9)
    for seat in (None, 0):
        assert json.loads(json.dumps(match.view(seat))) == match.view(seat)


def test_a_view_shows_your_hand_and_counts_the_others():
    match = load("hearts").start(7)
    hands = match.view(2)["states"]["hand"]
    assert len(hands["player_3"]) == 13 and hands["player_1"] == {"hidden": 13}
    assert match.view(None)["states"]["hand"]["player_3"] == {"hidden": 13}
    assert match.view(0)["options"] == [option.spelling for option in match.options] and match.view(1)["options"] is None


@pytest.mark.long
def test_a_log_depends_on_its_seat():
    match = play_random_moves("hearts", 3)
    assert match.log("en", seat=0)[1] != match.log("en", seat=1)[1]
    assert len({tuple(match.log(lang, 0)) for lang in ("en", "it", "es", "hu")}) == 4


@pytest.mark.long
def test_a_save_resumes_in_the_api_and_on_the_command_line(tmp_path, capsys):
    match, path = play_random_moves("hearts", 20), tmp_path / "match.ludoglot"
    match.save(path)
    again = resume(path)
    assert again.digest() == match.digest() and again.log("it") == match.log("it")
    assert entry.main(["replay", str(path), "--lang", "en"]) == 0
    assert len(capsys.readouterr().out.splitlines()) >= 20


def test_a_damaged_save_is_rejected_with_a_sentence(tmp_path):
    path = tmp_path / "match.ludoglot"
    with pytest.raises(ApiError, match="non esiste"):
        resume(path, lang="it")
    path.write_text("nothing of ours")
    with pytest.raises(ApiError):
        resume(path)


@pytest.mark.parametrize(("arguments", "said"), [
    ({"name": "kala"}, "kalah"),
    ({"name": "kalah", "players": 3}, "2 players, not for 3"),
    ({"name": "kalah", "options": {"colour": "red"}}, "no option “colour”"),
    ({"name": "kalah", "house": ["/nowhere/at-all.yaml"]}, "no file /nowhere/at-all.yaml"),
    ({"name": "kalah", "lang": "la"}, "There is no language"),
])
def test_loading_errors_name_the_reason(arguments: dict, said: str):
    with pytest.raises(ApiError, match=said):
        load(**arguments)


@pytest.mark.long
def test_your_own_game_is_loaded_unless_it_has_errors(tmp_path):
    folder = tmp_path / "mine"
    assert entry.main(["new", str(folder)]) == 0
    game = load(folder)
    assert game.start(1).options
    rules = next(folder.glob("*.rules"))
    rules.write_text(rules.read_text(encoding="utf-8") + "\ndef broken: nowhere\n", encoding="utf-8")
    with pytest.raises(ApiError, match="nowhere"):
        load(folder)


def test_why_names_the_rule():
    match = load("tic-tac-toe").start(1)
    match.play("cell=b2")
    assert "tic-tac-toe.rules" in match.why("b2", "en")
    assert match.why("b2", "en") != match.why("b2", "es")


def test_an_unknown_seat_is_rejected():
    match = load("tic-tac-toe").start(1)
    with pytest.raises(ApiError, match="no seat 2"):
        match.view(2)
