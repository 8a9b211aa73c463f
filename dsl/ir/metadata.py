"""Metadata of a compiled game: decisions, events, and the live variables at each point where the game waits.

Also what a rule demands of a candidate, condition by condition. lowering/explain_form.py produces it, and `why` reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ..core.nodes import Expr, GeneratorBinding
from ..core.program import Routine
from ..types.types import Type, domain_of

TestKind = Literal["condition", "source", "rest", "holds"]


@dataclass(frozen=True)
class OptionField:
    """One chosen name of a move. Its value is a digit of the move's code plus `low`. For a set or a bag, the digit is its
    number."""

    name: str
    type: Type
    radix: int
    low: int = 0
    secret: bool = False  # others never learn what was chosen, even after the move
    most: int | None = None  # of a set or bag: its largest size, if the rules limit it
    kinds: int = 0  # of a bag: the number of kinds

    @property
    def domain(self) -> str | None:
        """The type of the chosen things, one thing or a set of them. None for a number."""
        return domain_of(self.type)


@dataclass
class DecisionBranch:
    """One way to answer a decision: a menu entry, or the only way (`name` is None). Its codes start at `offset`."""

    name: str | None
    slots: list[OptionField]
    offset: int = 0

    @property
    def size(self) -> int:
        """The number of codes."""
        n = 1
        for slot in self.slots:
            n *= slot.radix
        return n


Seer = tuple[int, str | None, str, bool]


@dataclass
class LiveVariable:
    """A name in scope at a resume point, and the slot that holds its value.

    A secret name is visible only to the seats that all of `seers` allow. Each entry of `seers` starts with one
    of these:

    - the slot of a player
    - the slot of a member, and the state that says who decides for it
    - a fixed seat (`~seat`)

    Each entry also names the hidden state that the value came from, and says whether it allows all seats except
    that one."""

    name: str
    type: Type
    slot: int
    secret: bool = False
    seers: tuple[Seer, ...] = ()


NO_SEAT = 1 << 20  # larger than any seat
REMAINING = "remaining"  # internal local: candidates left while a set is chosen member by member


@dataclass
class DecisionKind:
    """A kind of decision: its key, its location in the rules, and the names that its message may use."""

    key: str
    choices: list[DecisionBranch]
    optional: bool  # may be declined (or, if `several`, stopped)
    several: bool  # asked repeatedly until done
    path: str
    line: int
    column: int
    cites: tuple[str, ...]
    routine: str
    secret: bool = False  # the moves depend on hidden information
    shows: tuple[str, ...] = ()  # hidden states that the moves reveal to the deciding seat
    revealed: frozenset[str] = frozenset()  # names in scope that are public after the decision
    scope: list[LiveVariable] = field(default_factory=list)

    @property
    def menu(self) -> bool:
        """Whether the decision offers named actions instead of things of one kind."""
        return any(choice.name is not None for choice in self.choices)

    @property
    def chosen_set(self) -> LiveVariable | None:
        """The set that is being chosen member by member. None for every other decision."""
        if not any(variable.name == f".{REMAINING}" for variable in self.scope):
            return None
        return [variable for variable in self.scope if not variable.name.startswith(".")][-1]


@dataclass(frozen=True)
class SimultaneousLoop:
    """A loop `at once`: the number of the block at its head, and the variables with its players and with the number of
    turns that have begun."""

    head: int
    things: LiveVariable
    index: LiveVariable


@dataclass
class ResumePoint:
    """A point where execution resumes: the live variables of the frame, and the pending decision. None as the
    decision: it is the return from a call. `simultaneous` is the loop `at once` around the point, if there is one."""

    routine: str
    return_slot: int
    live: list[LiveVariable]
    decision: DecisionKind | None = None
    origin: Any = None  # the waiting rule line: path, line, column
    frame: int = 0
    simultaneous: SimultaneousLoop | None = None


def iter_suspended(waits: Mapping[int, ResumePoint], s: Sequence[Any], number: int) -> Iterator[tuple[int, ResumePoint]]:
    """Yields the suspended frames of a position, from the resume point `number` outwards, each with its number.

    The return slot of a frame is read after the frame was yielded, so it may be restored meanwhile."""
    while number in waits:
        wait = waits[number]
        yield number, wait
        number = s[wait.return_slot]


@dataclass(frozen=True)
class FunctionOwner:
    """The procedure that a function was generated for. Includes the member of the procedure's entry, and the frame
    if the procedure can ask."""

    routine: Routine
    member: int | None = None
    frame: int | None = None


@dataclass
class EventKind:
    """A kind of event: the key of a `tell` and its named values.

    `closed` are the values that only some seats hear. These seats follow the values of the event. With None, everybody
    hears everything."""

    key: str
    slots: list[tuple[str, Type]]
    path: str = ""
    line: int = 0
    closed: frozenset[str] | None = None


@dataclass
class MemoSlot:
    """A memoized value: its slot, and the names of the states it depends on."""

    name: str
    slot: int
    reads: tuple[str, ...]
    build: str = ""                                                # of an incremental set: the function that builds it from scratch


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
