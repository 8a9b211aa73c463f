"""Data of the explain form: what a rule demands of a candidate, condition by condition.

lowering/explain_form.py produces it, and `why` reads it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from ..core.nodes import Expr, GeneratorBinding
from ..types.types import Type
from .metadata import OptionField

TestKind = Literal["condition", "source", "rest", "holds"]


@dataclass(frozen=True)
class ExplainOperand:
    """An operand of a test whose current value helps to explain it: an expression, or a generator with its
    variable."""

    node: Expr | GeneratorBinding
    type: Type
    name: str = ""


@dataclass
class ConditionTest:
    """One condition of the rule that a candidate must satisfy.

    `kind` is one of these:

    - `condition`: `node` must hold
    - `source`: the chosen thing must be in `node`
    - `rest`: some later choice must satisfy `node`, or lie in it
    - `holds`: the condition does hold, but must not, because the enclosing condition negates it

    `bound` is the number of chosen names that are known when the test runs. `parts` are the tests that this
    test consists of. `closed` is set only on outermost tests: the test itself depends on something hidden from
    the deciding seat."""

    kind: TestKind
    node: Expr
    path: str
    cites: tuple[str, ...]
    bound: int
    closed: bool = False
    parts: list[ConditionTest] = field(default_factory=list)
    name: str = ""                   # of a source: the chosen name that it restricts
    negated: bool = False            # of a source: the thing must not be in it
    sides: list[ExplainOperand] = field(default_factory=list)
    # by the value of the first operand: the def entry that applies
    cases: dict[int, ConditionTest] = field(default_factory=dict)


@dataclass
class AnswerPath:
    """One way to answer a decision: a menu entry, or the only way (`entry` is None).

    `function(s, seen, *values)` returns the path to the first test that fails, or None if all hold. For each
    test on that path that has operands, it appends (path, operand values) to the list `seen`."""

    entry: str | None
    tests: list[ConditionTest]
    slots: list[OptionField]
    written: str                     # name of the function in the module
    function: Callable[..., tuple[int, ...] | None] = lambda *_: None
