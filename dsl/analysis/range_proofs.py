"""Range proofs: which writes may leave the range of a numeric state, judged by types.

A write that always fits is proved. For every other write, the analysis computes bounds of the written
amount. Two versions of a game are compared by these bounds. A write with no more than the old amounts is as
safe as before, and a larger one is not."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ..core.nodes import (
    Attribute,
    CallDef,
    CallProc,
    Const,
    Expr,
    MemberConstant,
    NamedConstant,
    Node,
    OccupiedCells,
    OptionValue,
    RepeatLoop,
    RuleSpan,
    StateRef,
    Store,
    TableLookup,
)
from ..core.program import Program, Routine, State
from ..core.walk import children, walk
from ..diagnostics.diagnostic import SourceSpan
from ..types.types import Int, Type

ZERO_RANGE = Int(0, 0)


@dataclass(frozen=True)
class RangeWrite:
    """An unproved write: the amount that a statement assigns, adds or subtracts (`op`) in one run of the enclosing
    loops."""

    state: State
    op: str
    at: RuleSpan
    amount: Int
    data: frozenset[str]                                           # data values it is computed from, in pack notation

    @property
    def spot(self) -> tuple[str, int, int]:
        """The location of the statement, as a key."""
        return self.at.path, self.at.line, self.at.column

    @property
    def state_range(self) -> Int:
        """The range of the state."""
        assert isinstance(self.state.type, Int)
        return self.state.type

    @property
    def range_shares(self) -> tuple[float, float]:
        """The largest change towards the lower and the upper end, as fractions of the width of the range. It is 0
        towards an open end."""
        down = math.inf if self.amount.low is None else max(0, -self.amount.low)
        up = math.inf if self.amount.high is None else max(0, self.amount.high)
        if self.op == "-=":
            down, up = up, down
        low, high = self.state_range.low, self.state_range.high
        room = high - low if low is not None and high is not None else 1
        return 0 if low is None else down / max(1, room), 0 if high is None else up / max(1, room)

    def is_as_safe_as(self, other: RangeWrite) -> bool:
        """Whether this write stays in range whenever the other does. Its amount may grow in proportion to the range."""
        return all(mine <= its for mine, its in zip(self.range_shares, other.range_shares))


@dataclass(frozen=True)
class UnprovenRange:
    """A write that may have become larger. `before` is the old amount at this statement, or the union of all old
    amounts for this state and operator."""

    now: RangeWrite
    before: Int


def find_range_writes(program: Program) -> list[RangeWrite]:
    """Returns all writes that are not proved to stay in range, in source order."""
    return [
        amount
        for routine in program.routines
        for part in routine.parts
        for amount in _iter_range_writes(part, program, Int(1, 1), frozenset())
    ]


def _iter_range_writes(node: Node, program: Program, times: Int, data: frozenset[str]) -> Iterator[RangeWrite]:
    """Yields the unproved writes in a node. `times` is the number of repetitions."""
    if isinstance(node, Store) and isinstance(node.target, StateRef):
        found = _range_write(node, program.states[node.target.state], program, times, data)
        if found is not None:
            yield found
        return
    if isinstance(node, RepeatLoop) and isinstance(node.count.type, Int):
        times, data = _multiply_range(times, node.count.type), data | data_names(node.count, program)
    for child in children(node):
        yield from _iter_range_writes(child, program, times, data)


def _range_write(node: Store, state: State, program: Program, times: Int, data: frozenset[str]) -> RangeWrite | None:
    kind, value = state.type, _value_type(node.value, program)
    if not isinstance(kind, Int) or not isinstance(value, Int) or state.saturating:
        return None
    given = value if node.op == "=" else _multiply_range(value, times)
    if node.op == "=" and given.is_within(kind) or node.op != "=" and given.is_within(ZERO_RANGE):
        return None
    return RangeWrite(state, node.op, node.at, given, data | data_names(node.value, program))


def _value_type(node: Expr, program: Program) -> Type:
    """Returns the type of a value. An attribute of a known member has exactly one value."""
    match node:
        case Attribute(type=Int(), thing=Const(value=member), domain=domain, name=name):
            value = program.model.enums[domain].values[name][member]
            return Int(value, value)
    return node.type


def _multiply_range(one: Int, other: Int) -> Int:
    """Returns the range of a product. The second factor is never negative."""
    def multiply_bound(value: int | None, factor: int | None) -> int | None:
        return 0 if value == 0 or factor == 0 else None if value is None or factor is None else value * factor
    low = multiply_bound(one.low, other.high if one.low is None or one.low < 0 else other.low)
    return Int(low, multiply_bound(one.high, other.high if one.high is None or one.high > 0 else other.low))


def find_unproven_ranges(before: Iterable[RangeWrite], now: Iterable[RangeWrite]) -> list[UnprovenRange]:
    """Returns the writes that may take up more of their range than before.

    A write is compared with the old write at the same location. If there is none, it is compared with all old
    writes to the state with the same operator. States and operators without old writes are not reported."""
    at: dict[tuple[str, int, int], RangeWrite] = {}
    most: dict[tuple[str, str], RangeWrite] = {}
    for amount in before:
        at[amount.spot] = amount
        key = amount.state.name, amount.op
        most[key] = replace(amount, amount=_union_range(most[key].amount, amount.amount)) if key in most else amount
    out = []
    for amount in now:
        known = at.get(amount.spot, most.get((amount.state.name, amount.op)))
        if known is not None and not amount.is_as_safe_as(known):
            out.append(UnprovenRange(amount, known.amount))
    return out


def _union_range(one: Int, other: Int) -> Int:
    """Returns the smallest range that contains both."""
    return Int(None if one.low is None or other.low is None else min(one.low, other.low),
               None if one.high is None or other.high is None else max(one.high, other.high))


def iter_data_names(program: Program, places: Iterable[SourceSpan]) -> Iterator[frozenset[str]]:
    """Yields the data values related to these locations: first those named on the lines, then those named in the
    whole routines."""
    inner = [(place, routine) for place in places for routine in program.routines
             if routine.path == place.path and routine.at.line <= place.line <= routine.at.end_line]
    for place, routine in inner:
        yield frozenset().union(*(data_names(node, program) for node in walk(routine.parts) if node.at.line == place.line))
    for _, routine in inner:
        yield data_names(routine, program)


def iter_declarations(program: Program, places: Iterable[SourceSpan]) -> Iterator[SourceSpan]:
    """Yields the declarations of the states, defs and procedures that the rules at these locations name, innermost
    location first."""
    for place in places:
        for routine in program.routines:
            for node in walk(routine.parts) if routine.path == place.path else ():
                if node.at.line == place.line:
                    if isinstance(node, StateRef | OccupiedCells):
                        yield program.states[node.state].at.place
                    elif isinstance(node, CallDef | CallProc):
                        yield from (one.at.place for one in program.families[node.family].routines)


def data_names(part: Node | Routine, program: Program) -> frozenset[str]:
    """Returns the data values that rules name, in the notation of packs: `purse`, `bonus`, `Cake.price`,
    `Cake.pie.crumbs`."""
    found = set()
    for node in walk(part.parts if isinstance(part, Routine) else part):
        match node:
            case NamedConstant(name=name) | OptionValue(name=name) | TableLookup(table=name):
                found.add(name)
            case Attribute(domain=domain, name=name):
                found.add(f"{domain}.{name}")
            case MemberConstant(domain=domain, member=member, name=name):
                found.add(f"{domain}.{program.model.enums[domain].kind_or_name(member)}.{name}")
    return frozenset(found)
