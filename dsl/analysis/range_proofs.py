"""How much rules give to states whose numbers have a range, at most, as far as their types tell: what a state is given that surely fits is
proved; of the rest it is known between which ends it lies. Two versions of a game are compared by that: what gives no more than it did is
as safe as before, what may give more is not."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ..core.nodes import Ask, Attribute, Const, Do, Expr, Load, Lookup, Node, Number, Occupied, OwnNumber, Repeat, Setting, Span, Store
from ..core.program import Program, Routine, State
from ..core.walk import children, walk
from ..diagnostics.diagnostic import Place
from ..types.types import Int, Type

NOTHING = Int(0, 0)


@dataclass(frozen=True)
class Amount:
    """What a statement puts into a state, adds or takes away (`op`) in one go of its procedure's loops, where it is not proved to fit."""

    state: State
    op: str
    at: Span
    given: Int
    data: frozenset[str]                                           # what of the data it is made of, by the names that packs set

    @property
    def spot(self) -> tuple[str, int, int]:
        return self.at.path, self.at.line, self.at.column

    @property
    def kind(self) -> Int:
        """The range of its state."""
        assert isinstance(self.state.type, Int)
        return self.state.type

    @property
    def pushes(self) -> tuple[float, float]:
        """How far it may go towards the lower and the upper end of the range, as a part of its room; towards no end, nothing."""
        down = math.inf if self.given.low is None else max(0, -self.given.low)
        up = math.inf if self.given.high is None else max(0, self.given.high)
        if self.op == "-=":
            down, up = up, down
        low, high = self.kind.low, self.kind.high
        room = high - low if low is not None and high is not None else 1
        return 0 if low is None else down / max(1, room), 0 if high is None else up / max(1, room)

    def as_safe_as(self, other: Amount) -> bool:
        """Whether it fits into its range as often as the other does: no more of it, or as much more as there is more room."""
        return all(mine <= its for mine, its in zip(self.pushes, other.pushes))


@dataclass(frozen=True)
class Doubt:
    """An amount that may be more than it was: `before` is what it was, or the most that the game gave this state in this way."""

    now: Amount
    before: Int


def amounts(program: Program) -> list[Amount]:
    """All that is not proved to fit, in the order of the rules."""
    return [amount for routine in program.routines for part in routine.parts for amount in _below(part, program, Int(1, 1), frozenset())]


def _below(node: Node, program: Program, times: Int, data: frozenset[str]) -> Iterator[Amount]:
    """Those of a statement and of the blocks in it, which runs so many times in a row."""
    if isinstance(node, Store) and isinstance(node.target, Load):
        found = _amount(node, program.states[node.target.state], program, times, data)
        if found is not None:
            yield found
        return
    if isinstance(node, Repeat) and isinstance(node.count.type, Int):
        times, data = _times(times, node.count.type), data | data_of(node.count, program)
    for child in children(node):
        yield from _below(child, program, times, data)


def _amount(node: Store, state: State, program: Program, times: Int, data: frozenset[str]) -> Amount | None:
    kind, value = state.type, _known(node.value, program)
    if not isinstance(kind, Int) or not isinstance(value, Int) or state.saturating:
        return None
    given = value if node.op == "=" else _times(value, times)
    if node.op == "=" and given.within(kind) or node.op != "=" and given.within(NOTHING):
        return None
    return Amount(state, node.op, node.at, given, data | data_of(node.value, program))


def _known(node: Expr, program: Program) -> Type:
    """The type of a value; of what is printed on a thing that is named, the value itself."""
    match node:
        case Attribute(type=Int(), thing=Const(value=member), domain=domain, name=name):
            value = program.model.enums[domain].values[name][member]
            return Int(value, value)
    return node.type


def _times(one: Int, other: Int) -> Int:
    """A number so many times; the other is never below 0."""
    def end(value: int | None, factor: int | None) -> int | None:
        return 0 if value == 0 or factor == 0 else None if value is None or factor is None else value * factor
    low = end(one.low, other.high if one.low is None or one.low < 0 else other.low)
    return Int(low, end(one.high, other.high if one.high is None or one.high > 0 else other.low))


def doubts(before: Iterable[Amount], now: Iterable[Amount]) -> list[Doubt]:
    """What may be more of its range than it was: at the same place; or, where there was nothing, than anything that the state was given in
    this way. Of states and ways that the game did not have nothing is said."""
    at: dict[tuple[str, int, int], Amount] = {}
    most: dict[tuple[str, str], Amount] = {}
    for amount in before:
        at[amount.spot] = amount
        key = amount.state.name, amount.op
        most[key] = replace(amount, given=_both(most[key].given, amount.given)) if key in most else amount
    out = []
    for amount in now:
        known = at.get(amount.spot, most.get((amount.state.name, amount.op)))
        if known is not None and not amount.as_safe_as(known):
            out.append(Doubt(amount, known.given))
    return out


def _both(one: Int, other: Int) -> Int:
    """The smallest range that holds both."""
    return Int(None if one.low is None or other.low is None else min(one.low, other.low),
               None if one.high is None or other.high is None else max(one.high, other.high))


def data_behind(program: Program, places: Iterable[Place]) -> Iterator[frozenset[str]]:
    """What of the data may have to do with what happens at these places, the innermost first: what their lines name, then their whole
    routines."""
    inner = [(place, routine) for place in places for routine in program.routines
             if routine.path == place.path and routine.at.line <= place.line <= routine.at.end_line]
    for place, routine in inner:
        yield frozenset().union(*(data_of(node, program) for node in walk(routine.parts) if node.at.line == place.line))
    for _, routine in inner:
        yield data_of(routine, program)


def declared_behind(program: Program, places: Iterable[Place]) -> Iterator[Place]:
    """Where the states, defs and procedures are declared that the rules at these places name, the innermost place first."""
    for place in places:
        for routine in program.routines:
            for node in walk(routine.parts) if routine.path == place.path else ():
                if node.at.line == place.line:
                    if isinstance(node, Load | Occupied):
                        yield program.states[node.state].at.place
                    elif isinstance(node, Ask | Do):
                        yield from (one.at.place for one in program.families[node.family].routines)


def data_of(part: Node | Routine, program: Program) -> frozenset[str]:
    """The values of the data that rules name, as packs call them: `purse`, `bonus`, `Cake.price`, `Cake.pie.crumbs`."""
    found = set()
    for node in walk(part.parts if isinstance(part, Routine) else part):
        match node:
            case Number(name=name) | Setting(name=name) | Lookup(table=name):
                found.add(name)
            case Attribute(domain=domain, name=name):
                found.add(f"{domain}.{name}")
            case OwnNumber(domain=domain, member=member, name=name):
                found.add(f"{domain}.{program.model.enums[domain].called(member)}.{name}")
    return frozenset(found)
