"""The line that docs/architecture.md follows from rule to Python says what the passes really give."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from compiled import shared
from ludoglot.dsl.core.show import show_routine

PAGE = Path(__file__).parent.parent.parent / "docs" / "architecture.md"


def block(kind: str) -> list[str]:
    found = re.search(rf"```{kind}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    assert found is not None
    return [line.strip() for line in found[1].splitlines()]


def without_numbers(lines: list[str]) -> list[str]:
    """Counters and places go with every change of the rules; what is between them does not."""
    return [re.sub(r"\d+", "0", line.strip()) for line in lines]


def test_the_rule_that_is_followed_stands_in_the_rules(rules):
    text = (rules / "dominant-species" / "actions.rules").read_text(encoding="utf-8")
    assert all(line in text for line in block("rule"))


def test_the_core_of_it():
    ruleset = shared("dominant-species").ruleset
    lines = [line.strip() for line in show_routine(ruleset.program, ruleset.program.families["glaciate"].routines[0]).splitlines()]
    assert all(line in lines for line in block("core"))


def test_the_python_of_it():
    module = shared("dominant-species").module
    written = without_numbers(ast.unparse(module.tree).splitlines())
    wanted = without_numbers(block("python"))
    assert any(written[n : n + len(wanted)] == wanted for n in range(len(written)))
