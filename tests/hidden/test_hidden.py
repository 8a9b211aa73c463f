"""Checks that no text, screen or hint reveals hidden information, in any game with hidden states."""

from __future__ import annotations

import pytest
from indistinguishable_positions import TESTS, LeakError, TwinComparison, has_hidden_states, list_games, list_hidden_games, load_game
from language.random_bags import DATA, RandomBagRules
from ludoglot.engine.bots import search_base
from ludoglot.engine.commands.main import main
from ludoglot.engine.match.save_file import MatchSetup
from ludoglot.engine.match.table import MatchTable
from ludoglot.engine.narration.narrator import Narrator, chosen_fields
from ludoglot.engine.narration.transcript import Transcript
from ludoglot.engine.position import determinize
from ludoglot.engine.preview import lookahead
from ludoglot.engine.table_view import replay_frames, visible_values
from ludoglot.engine.table_view.build_panels import build_panels
from shared_games import shared
from tmp_files import filled

pytestmark = pytest.mark.usefixtures("shared_rules")
GAMES = list_hidden_games()
HEAVY = ("dominant-species", "evolution", "trias")
SLOW_CASES = [("masquerade", 2), ("dominant-species", 2)]


@pytest.mark.long
def test_all_games_with_hidden_states_are_compared():
    assert {"parry", "masquerade", "food-chain", "dominant-species", "evolution"} <= {name for name, _ in GAMES}
    assert [folder.name for folder in list_games() if has_hidden_states(folder)] == list(dict.fromkeys(name for name, _ in GAMES))


@pytest.mark.long
@pytest.mark.parametrize("name, players", [
    pytest.param(*one, marks=pytest.mark.long) if one[0] in HEAVY and one[1] > 2 or one in SLOW_CASES else one for one in GAMES])
def test_a_seat_cannot_distinguish_hidden_values(name, players):
    small = name in ("parry", "masquerade")                         # fast enough for each commit
    watch = TwinComparison(load_game(name, players), bots=small)
    for seed in range(5 if small else 1):
        watch.play(seed, 25 if small else 6, ahead=3 if small else 1)
    assert watch.stumbled <= watch.compared // 50


@pytest.mark.long_cases("17", "60")
@pytest.mark.parametrize("seed", [12, 17, 60])
def test_no_seat_can_tell_which_bag_another_has_chosen(tmp_path, seed):
    watch = TwinComparison(shared(filled(tmp_path, {"game.yaml": DATA, "toy.rules": RandomBagRules(seed).text})))
    watch.play(1, 8)
    assert watch.compared > 30 and watch.stumbled == 0


@pytest.mark.long_cases("4")
@pytest.mark.parametrize("players", [pytest.param(2, marks=pytest.mark.long), 4])
def test_whole_games_reveal_no_hidden_values(players):
    watch = TwinComparison(load_game("masquerade", players), bots=False)
    for seed in range(60):
        watch.play(seed, 1, ahead=200)
    assert watch.compared > 100


@pytest.mark.long
@pytest.mark.parametrize("name", ["parry", "masquerade"])
def test_a_replay_for_a_seat_matches_the_game(capsys, tmp_path, name):
    game = load_game(name, 3)
    record = tmp_path / "game.save"
    table = MatchTable.new(game, MatchSetup(str(TESTS / "games" / name), 3, 5, seats=["bot:random"] * 3), record)
    table.keep = True
    steps = list(table.take_automatic())
    narrator = TwinComparison(game, bots=False).narrators[0]
    heard = set()
    for seat in range(3):
        assert main(["replay", str(record), "--view", str(seat), "--lang", "en"]) == 0
        lines = [line for line in capsys.readouterr().out.splitlines() if line]
        told = [line for step in steps for line in narrator.step_lines(step, seat)]
        assert [line for line in lines if line in set(told)] == told
        heard.add(tuple(line for line in lines if "You receive: " not in line))    # only the owner of a card learns which card it is
    assert main(["replay", str(record), "--lang", "en"]) == 0
    everybody = capsys.readouterr().out
    assert len(heard) == (3 if name == "masquerade" else 1)         # parry has no private moves
    assert all(everybody != "\n".join(lines) for lines in heard)


@pytest.mark.long
@pytest.mark.parametrize("name, players, turns", [
    ("parry", 3, 20), ("masquerade", 3, 8), ("trias", 2, 2),
    *(pytest.param(*one, marks=pytest.mark.long) for one in (("masquerade", 3, 20), ("evolution", 2, 2)))])
def test_the_page_of_a_seat_does_not_depend_on_hidden_values(name, players, turns):
    watch = TwinComparison(load_game(name, players), bots=False, pages=True)
    for seed in range(3):
        watch.play(seed, turns, ahead=3)
    assert watch.compared > 3 * turns


def introduce_leak(monkeypatch, what):
    """Breaks one of the parts that protect secrets."""
    if what == "the page":
        monkeypatch.setattr(
            replay_frames, "build_panels", lambda position, narrator, seat: build_panels(position, narrator, (seat + 1) % 3)
        )
    elif what == "what is told":
        monkeypatch.setattr(Narrator, "decision_text", lambda narrator, step, viewer=None: str(step.option))
    elif what == "the story":
        monkeypatch.setattr(Transcript, "fields_known_to_viewer", lambda story, step: {**step.context, **chosen_fields(step.option)})
        monkeypatch.setattr(Transcript, "relevance_to_viewer", lambda story, slots, position: sum(raw for _, raw in slots.values()))
    elif what == "the table":
        monkeypatch.setattr(visible_values, "can_see", lambda position, cell, index, seat: True)
    elif what == "what options would change":
        monkeypatch.setattr(lookahead, "mask_hidden", lambda position, seat, entries: position.copy())
    elif what == "the choice of the bot greedy":
        monkeypatch.setattr(search_base, "determinize_position", lambda position, seat, rng: position.copy())
    else:
        monkeypatch.setattr(determinize, "sorted", lambda found, key=None: list(found), raising=False)


@pytest.mark.long
@pytest.mark.parametrize("what", ["what is told", "the story", "the table", "what options would change", "the choice of the bot greedy",
                                  "what can be imagined", "the page"])
def test_a_leak_is_noticed(monkeypatch, what):
    watch = TwinComparison(load_game("masquerade", 3), pages=what == "the page")
    introduce_leak(monkeypatch, what)
    with pytest.raises(LeakError, match=f"^{what} of seat"):
        for seed in range(6):
            watch.play(seed, 25)


@pytest.mark.long
@pytest.mark.parametrize("name, players", GAMES)
def test_a_seat_cannot_distinguish_hidden_values_in_long_games(name, players, pytestconfig):
    small = name in ("parry", "masquerade")                         # in a big game, each comparison draws two whole tables
    watch = TwinComparison(load_game(name, players), bots=small)
    wanted = (500 if small else 120) * pytestconfig.getoption("samples")       # bench/information_leaks.py can compare more
    for seed in range(10, 600):
        watch.play(seed, 150 if small else 8, ahead=4 if small else 1)
        if watch.compared > wanted:
            break
    if watch.compared == 0:
        pytest.skip("nothing is asked in it before a test sets it up")
    assert watch.compared > wanted and watch.stumbled <= watch.compared // 50
