"""Checks the limits of stored values, events and texts: a fault names the line, quickly and with little memory, in Python as in C."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from ludoglot.engine.i18n import game_localizer
from ludoglot.engine.i18n.localizer import MAX_SENTENCE_CHARS, engine_localizer
from ludoglot.engine.match.setup import MatchSetup
from ludoglot.engine.match.table import MatchTable
from ludoglot.engine.narration.narrator import MAX_STEP_CHARS, Narrator
from ludoglot.engine.narration.transcript import Transcript
from ludoglot.engine.position.position import Game, RuleError

from .growing_values import END, GROWING_RULES, make_growing_game


def play_to_fault(game: Game) -> RuleError:
    """Plays the first move of each decision. Returns the fault that ends the game."""
    with pytest.raises(RuleError) as found:
        position = game.start(1)
        for _ in range(40):
            position.play(position.s[1], 0)
    return found.value


@pytest.mark.parametrize("name", GROWING_RULES)
def test_unbounded_growth_is_a_fault_at_its_line(tmp_path: Path, name: str):
    rules = GROWING_RULES[name] + END
    game = make_growing_game(tmp_path, rules)
    tracemalloc.start()
    try:
        fault = play_to_fault(game).diagnostic
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()
    line = next(n for n, text in enumerate(rules.splitlines(), start=1) if text.strip().startswith(("l +=", "l[c1] +=")))
    assert fault.code in ("F009", "F013") and fault.place.line == line


RULES_WITH_MANY_EVENTS = """phase game:
    repeat 3000:
        choose k in 0..1 by ann
        repeat 1000: tell boo(k)
standing player: 0
"""


@pytest.mark.long
def test_the_events_of_a_decision_are_limited(tmp_path: Path):
    rules = "phase game:\n    choose k in 0..1 by ann\n    repeat 20000: tell boo(k)\nstanding player: 0\n"
    fault = play_to_fault(make_growing_game(tmp_path, rules)).diagnostic
    assert (fault.code, fault.place.line, fault.args["limit"]) == ("F014", 3, 10_000)


@pytest.mark.long
def test_the_events_of_a_game_are_limited(tmp_path: Path):
    table = MatchTable(make_growing_game(tmp_path, RULES_WITH_MANY_EVENTS), MatchSetup("growing", 2, 1, seats=["human", "human"]))
    with pytest.raises(RuleError) as found:
        for _ in range(201):
            table.play("k=0")
    fault = found.value.diagnostic
    assert (fault.code, fault.place.line, fault.args["limit"], len(table.steps)) == ("F014", 4, 200_000, 200)
    table.undo(0)
    table.play("k=1")                                              # events that were undone do not count
    assert len(table.steps) == 200


def test_the_text_of_a_decision_is_limited(tmp_path: Path):
    rules = "phase game:\n    repeat 3:\n        choose k in 0..1 by ann\n        repeat 30:\n            tell boo(k)\nstanding player: 0\n"
    game = make_growing_game(tmp_path, rules)
    for count, fault in ((5_000, None), (10_000, ("F016", 5, MAX_STEP_CHARS))):
        (tmp_path / "messages.yaml").write_text(f'event.boo: "{"A" * count}"\n', encoding="utf-8")
        table = MatchTable(game, MatchSetup("growing", 2, 1, seats=["human", "human"]))
        table.play("k=0")
        narrator = Narrator(game, game_localizer("en", "growing", tmp_path, {}), None)
        if fault is None:
            assert len(narrator.step_lines(table.steps[-1])) == len(Transcript(table, narrator, 0).build_lines()) == 31
            continue
        with pytest.raises(RuleError) as found:
            narrator.step_lines(table.steps[-1])
        assert (found.value.diagnostic.code, found.value.diagnostic.place.line, found.value.diagnostic.args["limit"]) == fault
        with pytest.raises(RuleError):
            Transcript(table, narrator, 0).build_lines()


def test_the_length_of_a_sentence_is_limited():
    words = engine_localizer("en")
    name = "A" * 100_000
    said = words.render("{a}" * 10_000, a=name)
    assert len(said) <= 2 * len(name) and said.endswith("…")
    assert words.list([name] * 50_000).count("…") == 1
    assert len(words.render("{a}, {b}", a=["Ann", "Bob"] * 20_000, b="x")) < 2 * MAX_SENTENCE_CHARS + 10
