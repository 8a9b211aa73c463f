"""Checks the built-in bots through the API: moves as at the table, hints as data and text, and no use of hidden information."""

from __future__ import annotations

import json
import random
import time

import pytest
from ludoglot.api import BOTS, ApiError, Match, Option, load, resume
from ludoglot.engine.bots import greedy
from ludoglot.engine.commands import main as entry

pytestmark = pytest.mark.usefixtures("shared_rules")


def play_with_bot(match: Match, bot: str) -> Match:
    while not match.over:
        match.play(match.bot(bot))
    return match


def test_bots_have_the_names_of_the_command_line():
    assert set(BOTS) == set(greedy.BOTS) == {"random", "greedy", "easy", "medium", "hard"}


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_chooses_a_legal_option_and_does_not_play_it(bot: str):
    match = load("tic-tac-toe").start(seed=1)
    before = match.digest()
    option = match.bot(bot)
    assert isinstance(option, Option) and option in match.options and match.digest() == before


def test_the_same_seed_gives_the_same_choice():
    match = load("hex").start(seed=1)
    assert match.bot("random", seed=4) == match.bot("random", seed=4)
    assert len({match.bot("random", seed=seed).spelling for seed in range(20)}) > 5


@pytest.mark.long_cases("liars-dice-greedy")
@pytest.mark.parametrize(("name", "bot"), [("tic-tac-toe", "easy"), ("liars-dice", "greedy"), ("kalah", "random")])
def test_a_match_of_bots_equals_one_at_the_table(name: str, bot: str, tmp_path, capsys):
    path = tmp_path / "match.ludoglot"
    assert entry.main(["play", name, "--seats", f"bot:{bot},bot:{bot}", "--seed", "7", "--save", str(path)]) == 0
    assert play_with_bot(load(name, players=2).start(seed=7), bot).digest() == resume(path).digest()


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_knows_no_more_than_its_seat(bot: str):
    match = load("hearts").start(seed=7)
    for _ in range(3):
        match.play(match.bot("random"))
    seat = match.seat
    assert seat is not None
    twin = match.sample(seat, seed=5)
    assert twin.digest() != match.digest()
    match, twin = (one.sample(seat, seed) for one, seed in ((match, 3), (twin, 3)))
    assert match.bot(bot, seed=2) == twin.bot(bot, seed=2)


def test_a_bot_stops_when_its_time_is_up(monkeypatch):
    monkeypatch.setenv("LUDOGLOT_C", "off")
    match = load("hex").start(seed=1)
    since = time.monotonic()
    assert match.bot("hard", seconds=0.2) in match.options
    assert match.hint(seconds=0.2).option in match.options
    assert time.monotonic() - since < 5


@pytest.mark.parametrize(("lang", "said"), [
    ("en", "no bot called “greddy”"), ("it", "nessun bot"), ("es", "ningún bot"), ("hu", "Nincs „greddy” nevű bot")])
def test_an_unknown_bot_gets_a_suggestion(lang: str, said: str):
    with pytest.raises(ApiError, match=f"(?s){said}.*greedy"):
        load("tic-tac-toe", lang=lang).start(1).bot("greddy")


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_a_time_limit_must_be_more_than_zero(seconds: float):
    with pytest.raises(ApiError, match="more than 0"):
        load("tic-tac-toe").start(1).bot("easy", seconds=seconds)


def test_bots_and_hints_are_rejected_after_the_end():
    match = play_with_bot(load("tic-tac-toe").start(seed=1), "random")
    for ask in (lambda: match.bot("greedy"), match.hint):
        with pytest.raises(ApiError, match="over"):
            ask()


# ---------------------------------------------------------------- your own bot, called by a program


class LastOptionBot:
    def choose(self, view):
        assert view.viewer == view["seat"] and [option.spelling for option in view.options] == view["options"]
        return view.options[-1]


def test_your_own_bot_gets_the_view_of_its_seat():
    match = load("hearts").start(seed=3)
    while match.rounds < 2 and not match.over:
        match.play(match.bot(LastOptionBot()))
    assert match.rounds == 2 or match.over


def test_the_view_of_a_bot_gives_no_access_to_hidden_values():
    match, seen = load("hearts").start(seed=3), []

    class Spy:
        def choose(self, view):
            seen.append(view)
            return view.options[0].spelling

    assert match.bot(Spy()) == match.options[0]
    view = seen[0]
    assert view == match.view(0) and json.loads(json.dumps(view)) == view
    assert view.sample(4).view(0) == view and view.sample(4).digest() != view.sample(5).digest()
    assert all(hidden.digest() != match.digest() for hidden in vars(view).values() if isinstance(hidden, Match))


def test_an_illegal_choice_of_your_own_bot_is_reported():
    class Wrong:
        def choose(self, view):
            return "cell=z9"

    with pytest.raises(ApiError, match="Wrong.*cell=z9"):
        load("tic-tac-toe").start(1).bot(Wrong())
    with pytest.raises(ApiError, match="method “choose”"):
        load("tic-tac-toe").start(1).bot(object())


def test_an_error_in_your_own_bot_is_not_wrapped():
    class Broken:
        def choose(self, view):
            return view["nowhere"]

    with pytest.raises(KeyError, match="nowhere"):
        load("tic-tac-toe").start(1).bot(Broken())


# ---------------------------------------------------------------- hints


def test_a_hint_has_the_reasons_that_the_table_shows():
    match = load("tic-tac-toe").start(seed=1)
    for spelling in ("cell=a1", "cell=a2", "cell=b1", "cell=b2"):
        match.play(spelling)
    hint = match.hint()
    assert hint.option.spelling == "cell=c1" and hint.ratings[0].option == hint.option and hint.ratings[0].wins_now
    assert "A strong bot would choose “c1”. With it, you win the game." in hint.text == str(hint)
    assert {one.option.spelling for one in hint.ratings} == {option.spelling for option in match.options}
    assert "vincere" in match.hint(lang="it").text


def test_the_ratings_of_a_hint_are_numbers():
    match = load("tic-tac-toe").start(seed=1)
    match.play("cell=a1")
    hint = match.hint()
    assert hint.option.spelling == "cell=b2"
    best = hint.ratings[0]
    assert best.playouts > 0 and 0 <= best.win_share <= 1 and not best.wins_now
    assert match.hint() == hint


def test_a_hint_for_a_single_option_says_so():
    match = load("tic-tac-toe").start(seed=2)
    while len(match.options) > 1:
        match.play(match.bot("random"))
    if not match.over:
        assert match.hint().text == "There is only one option." and match.hint().option == match.options[0]


@pytest.mark.parametrize("lang", ["en", "it", "es", "hu"])
def test_a_hint_does_not_depend_on_hidden_values(lang: str):
    match = load("hearts").start(seed=7)
    match.play(match.options[0])
    seat = match.seat
    assert seat is not None
    one, two = match.sample(seat, 1), match.sample(seat, 2).sample(seat, 1)
    assert one.digest() == two.digest() and one.hint(lang=lang, seed=1) == two.hint(lang=lang, seed=1)


def test_an_estimate_is_a_number_for_each_seat():
    match = load("kalah").start(seed=1)
    assert [match.estimate(seat) for seat in range(2)] == [0, 0]
    match.play("house=a3" if "house=a3" in map(str, match.options) else random.Random(1).choice(match.options))
    assert isinstance(match.estimate(0), int)
    with pytest.raises(ApiError, match="no seat 2"):
        match.estimate(2)
