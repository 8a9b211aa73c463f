"""Checks the example in docs/architecture.md, which follows one rule down to Python, against the output of each pass."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ludoglot.dsl.core.printer import format_routine
from ludoglot.dsl.tools.dump import STAGES
from shared_games import shared

PAGE = Path(__file__).parent.parent.parent / "docs" / "architecture.md"


def read_block(kind: str) -> list[str]:
    found = re.search(rf"```{kind}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    assert found is not None
    return [line.strip() for line in found[1].splitlines()]


def without_numbers(lines: list[str]) -> list[str]:
    """Removes counters and positions, which change with every edit of the rules."""
    return [re.sub(r"\d+", "0", line.strip()) for line in lines]


def test_the_example_rule_is_a_shipped_rule(rules):
    text = (rules / "dominant-species" / "actions.rules").read_text(encoding="utf-8")
    assert all(line in text for line in read_block("rule"))


@pytest.mark.long
def test_the_core_of_the_example():
    ruleset = shared("dominant-species").ruleset
    lines = [line.strip() for line in format_routine(ruleset.program, ruleset.program.families["glaciate"].routines[0]).splitlines()]
    assert all(line in lines for line in read_block("core"))


def print_stage(name: str) -> list[str]:
    """Returns the output of `ludoglot debug` for the rule."""
    ruleset = shared("dominant-species").ruleset
    rule = read_block("rule")[0]
    (shown,) = {routine.path for routine in ruleset.program.routines if routine.path.endswith("actions.rules")}
    lines = Path(shown).read_text(encoding="utf-8").splitlines()
    return STAGES[name](ruleset, (shown, next(n for n, line in enumerate(lines, 1) if rule in line))).splitlines()


@pytest.mark.long
def test_the_tokens_of_the_example():
    assert all(any(found.endswith(line) for found in print_stage("tokens")) for line in read_block("tokens"))


@pytest.mark.long
def test_the_tree_of_the_example():
    found = [re.sub(r"  [\d:]+$", "", line).strip() for line in print_stage("tree")]
    assert all(line in found for line in read_block("tree"))


@pytest.mark.long
@pytest.mark.parametrize("name", ["machine", "python"])
def test_the_ir_and_python_of_the_example(name):
    written, wanted = without_numbers(print_stage(name)), without_numbers(read_block(name))
    assert any(written[n : n + len(wanted)] == wanted for n in range(len(written)))
