"""How much rules give to states whose numbers have a range, at most, as far as their types tell: what a state is given that surely fits is
proved; of the rest it is known between which ends it lies. Two versions of a game are compared by that: what gives no more than it did is
as safe as before, what may give more is not."""

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
    """What a statement puts into a state, adds or takes away (`op`) in one go of its procedure's loops, where it is not proved to fit."""

    state: State
    op: str
    at: RuleSpan
    given: Int
    data: frozenset[str]                                           # what of the data it is made of, by the names that packs set

    @property
    def spot(self) -> tuple[str, int, int]:
        return self.at.path, self.at.line, self.at.column

    @property
    def state_range(self) -> Int:
        """The range of its state."""
        assert isinstance(self.state.type, Int)
        return self.state.type

    @property
    def range_shares(self) -> tuple[float, float]:
        """How far it may go towards the lower and the upper end of the range, as a part of its room; towards no end, nothing."""
        down = math.inf if self.given.low is None else max(0, -self.given.low)
        up = math.inf if self.given.high is None else max(0, self.given.high)
        if self.op == "-=":
            down, up = up, down
        low, high = self.state_range.low, self.state_range.high
        room = high - low if low is not None and high is not None else 1
        return 0 if low is None else down / max(1, room), 0 if high is None else up / max(1, room)

    def is_as_safe_as(self, other: RangeWrite) -> bool:
        """Whether it fits into its range as often as the other does: no more of it, or as much more as there is more room."""
        return all(mine <= its for mine, its in zip(self.range_shares, other.range_shares))


@dataclass(frozen=True)
class UnprovenRange:
    """An amount that may be more than it was: `before` is what it was, or the most that the game gave this state in this way."""

    now: RangeWrite
    before: Int


def find_range_writes(program: Program) -> list[RangeWrite]:
    """All that is not proved to fit, in the order of the rules."""
    return [
        amount
        for routine in program.routines
        for part in routine.parts
        for amount in _iter_range_writes(part, program, Int(1, 1), frozenset())
    ]


def _iter_range_writes(node: Node, program: Program, times: Int, data: frozenset[str]) -> Iterator[RangeWrite]:
    """Those of a statement and of the blocks in it, which runs so many times in a row."""
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
    """The type of a value; of what is printed on a thing that is named, the value itself."""
    match node:
        case Attribute(type=Int(), thing=Const(value=member), domain=domain, name=name):
            value = program.model.enums[domain].values[name][member]
            return Int(value, value)
    return node.type


def _multiply_range(one: Int, other: Int) -> Int:
    """A number so many times; the other is never below 0."""
    def multiply_bound(value: int | None, factor: int | None) -> int | None:
        return 0 if value == 0 or factor == 0 else None if value is None or factor is None else value * factor
    low = multiply_bound(one.low, other.high if one.low is None or one.low < 0 else other.low)
    return Int(low, multiply_bound(one.high, other.high if one.high is None or one.high > 0 else other.low))


def find_unproven_ranges(before: Iterable[RangeWrite], now: Iterable[RangeWrite]) -> list[UnprovenRange]:
    """What may be more of its range than it was: at the same place; or, where there was nothing, than anything that the state was given in
    this way. Of states and ways that the game did not have nothing is said."""
    at: dict[tuple[str, int, int], RangeWrite] = {}
    most: dict[tuple[str, str], RangeWrite] = {}
    for amount in before:
        at[amount.spot] = amount
        key = amount.state.name, amount.op
        most[key] = replace(amount, given=_union_range(most[key].given, amount.given)) if key in most else amount
    out = []
    for amount in now:
        known = at.get(amount.spot, most.get((amount.state.name, amount.op)))
        if known is not None and not amount.is_as_safe_as(known):
            out.append(UnprovenRange(amount, known.given))
    return out


def _union_range(one: Int, other: Int) -> Int:
    """The smallest range that holds both."""
    return Int(None if one.low is None or other.low is None else min(one.low, other.low),
               None if one.high is None or other.high is None else max(one.high, other.high))


def iter_data_names(program: Program, places: Iterable[SourceSpan]) -> Iterator[frozenset[str]]:
    """What of the data may have to do with what happens at these places, the innermost first: what their lines name, then their whole
    routines."""
    inner = [(place, routine) for place in places for routine in program.routines
             if routine.path == place.path and routine.at.line <= place.line <= routine.at.end_line]
    for place, routine in inner:
        yield frozenset().union(*(data_names(node, program) for node in walk(routine.parts) if node.at.line == place.line))
    for _, routine in inner:
        yield data_names(routine, program)


def iter_declarations(program: Program, places: Iterable[SourceSpan]) -> Iterator[SourceSpan]:
    """Where the states, defs and procedures are declared that the rules at these places name, the innermost place first."""
    for place in places:
        for routine in program.routines:
            for node in walk(routine.parts) if routine.path == place.path else ():
                if node.at.line == place.line:
                    if isinstance(node, StateRef | OccupiedCells):
                        yield program.states[node.state].at.place
                    elif isinstance(node, CallDef | CallProc):
                        yield from (one.at.place for one in program.families[node.family].routines)


def data_names(part: Node | Routine, program: Program) -> frozenset[str]:
    """The values of the data that rules name, as packs call them: `purse`, `bonus`, `Cake.price`, `Cake.pie.crumbs`."""
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
