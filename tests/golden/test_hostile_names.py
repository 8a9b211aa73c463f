"""Checks that Python's reserved and special names are ordinary names in a game: it loads, plays to its end, and has no side effects."""

from __future__ import annotations

from pathlib import Path

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.game.ruleset import try_load_ruleset
from ludoglot.engine.position.position import Game

from golden import hostile
from golden.games import update_yaml, write_case

WORDS = ["class", "lambda", "import", "global", "nonlocal", "async", "await", "del", "pass", "is", "yield", "self", "exec", "eval", "print",
         "__import__", "__class__", "__builtins__", "__name__", "__doc__", "s", "o", "a", "n", "b0", "g0", "fault", "bits", "chance"]


def make_rules(word: str) -> str:
    return f"""
state {word}[Player]: 0..9
state x_{word}: set of Cell
def d_{word}({word}x: Player) = {word}[{word}x] + 1
proc p_{word}(player) by player:
    let q_{word} = d_{word}(player)
    choose {word}_y in Cell as {word}
    x_{word} += {{{word}_y}}
    {word}[player] = min(9, q_{word})
    tell {word}(player, {word}=q_{word})
phase game:
    for player in Player: p_{word}(player)
standing player: {word}[player]
"""


@pytest.mark.long_cases("yield", "self", "eval", "__import__", "__class__")
@pytest.mark.parametrize("word", WORDS)
def test_a_python_word_can_name_everything(word: str, tmp_path: Path):
    case = tmp_path / "case.only.rules"
    case.write_text(make_rules(word), encoding="utf-8")
    write_case(case, tmp_path / "toy")
    enums = {"Gem": ["ruby", f"{word}_"], "Kind": [f"k{word}", "plain"]}
    update_yaml(tmp_path / "toy" / "game.yaml", numbers={f"n_{word}": 1}, enums=enums)
    findings = DiagnosticList()
    ruleset = try_load_ruleset(tmp_path / "toy", findings)
    assert ruleset is not None, findings.errors
    position = Game(ruleset).start()
    while position.decision is not None:
        position.play(position.decision.seat, 0)
    assert position[word] == {"player_1": 1, "player_2": 1}


def test_python_words_can_be_members(tmp_path: Path):
    case = tmp_path / "case.yaml"
    case.write_bytes(hostile.KEYWORDS.encode())
    write_case(case, tmp_path / "toy")
    ruleset = try_load_ruleset(tmp_path / "toy", DiagnosticList())
    assert ruleset is not None
    position = Game(ruleset).start()
    assert position.decision is not None
