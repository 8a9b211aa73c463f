"""What a rule asks of something that is to be chosen, part by part: the data of the explaining form, see reasons.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..core.nodes import Expr, GeneratorBinding
from ..types.types import Type
from .metadata import OptionField

CONDITION, SOURCE, REST, HOLDS = "condition", "source", "rest", "holds"


@dataclass(frozen=True)
class ExplainOperand:
    """A part of a test whose value now says more: an expression in it, or a name that it goes over."""

    node: Expr | GeneratorBinding
    type: Type
    name: str = ""


@dataclass
class ConditionTest:
    """One part of the rule that a candidate must meet. `condition`: `node` must hold; `source`: what is chosen must be in `node`;
    `rest`: some later choice must meet `node`, or lie in it; `holds`: it does hold, and must not for what is around it. `bound` names of
    the option are known where it is tried. What it is made of in turn stands in `parts`; `closed`, for the outermost: it depends on what
    the one who decides may not see by that alone."""

    kind: str
    node: Expr
    path: str
    cites: tuple[str, ...]
    bound: int
    closed: bool = False
    parts: list[ConditionTest] = field(default_factory=list)
    name: str = ""                   # of a source: which name of the option is chosen from it
    negated: bool = False            # of a source: it must not be in it
    sides: list[ExplainOperand] = field(default_factory=list)
    # by the value of its first side: the entry of a def that decides
    cases: dict[int, ConditionTest] = field(default_factory=dict)


@dataclass
class AnswerPath:
    """One way to answer: the only one, or a menu entry. `function(s, seen, *values)` gives the path to the first test that fails, or
    None; to the list `seen` it adds (path, values of the test's sides) for the tests on that path that have any."""

    entry: str | None
    tests: list[ConditionTest]
    slots: list[OptionField]
    written: str                     # the name of the function in the module
    function: Callable[..., tuple[int, ...] | None] = lambda *_: None
