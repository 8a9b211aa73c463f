"""What a seat may know of a position, and what it may imagine about the rest.

A view holds every visible value and only the number of things in a hidden place. Imagining (`sample`) deals what the seat cannot
see anew: all unseen things of one kind are shuffled among the places where they may lie, in states and in the middle of effects
alike, and the generator is replaced, so that thinking ahead foresees nothing.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Container, Iterator
from typing import Any

from ...dsl.ir.metadata import NOBODY, Variable
from ...dsl.model.canonical import plain
from ...dsl.storage.control_slots import RANDOM
from ...dsl.storage.layout import Cell
from ...dsl.types.types import BagOf, Bool, Int, ListOf, Maybe, Of, PileOf, SetOf, Type
from .position import Decision, Position, Told

HIDDEN = "?"
ALL = -1                             # a seat that sees what anybody sees
TRIES = 20                           # deals anew until the laws of the game hold
UNKNOWN = 9                          # a number of which nothing is known is imagined below this


def sees(position: Position, cell: Cell, index: list[int], seat: int | None) -> bool:
    """Whether `seat` (None: somebody who only watches; ALL: all players together) may look at this entry of a state."""
    state = cell.state
    if state.seen == "open":
        return True
    if not isinstance(state.seen, int) or seat is None:
        return False
    if seat == ALL:
        return True
    at = index[state.seen]
    return seat == (at if state.keeper is None else position.value(state.keeper, at))


def seers(position: Position, cell: Cell, seat: int) -> Container[int]:
    """Of the members of the axis that says who may look into a state: those by which this seat may."""
    by, keeper = cell.state.seen, cell.state.keeper
    if keeper is None:
        return (seat,)
    assert isinstance(by, int)
    return [n for n in range(len(cell.enums[by])) if position.value(keeper, n) == seat]


def knows(position: Position, variable: Variable, seat: int | None) -> bool:
    """Whether `seat` may look at a local of an effect that the game waits in the middle of."""
    if not variable.secret:
        return True
    return seat is not None and all(seat == seer(position, slot, keeper) for slot, keeper, _ in variable.seers)


def seer(position: Position, slot: int, keeper: str | None) -> int:
    """The seat that `seers` of a variable name."""
    if slot < 0:
        return ~slot
    seat: int = position.s[slot]
    return seat if keeper is None else int(position.value(keeper, seat))


def in_sight(decision: Decision) -> dict[str, tuple[Type, Any]]:
    """The names in sight at a decision, with type and value: what its message may speak of to the one who decides."""
    position = decision.position
    return {v.name: (v.type, position.s[v.slot]) for v in decision.kind.scope
            if not v.name.startswith(".") and knows(position, v, decision.seat)}


def spots(position: Position) -> Iterator[tuple[Cell, list[int], Any]]:
    """Every entry of every state: its cell, its member numbers, its raw value. Over an open board: what holds something."""
    for cell in position.game.cells.values():
        yield from spots_of(position, cell)


def spots_of(position: Position, cell: Cell) -> Iterator[tuple[Cell, list[int], Any]]:
    """The entries of one state."""
    for index, value in cell.spots(position.s):
        yield cell, index, value


def view(position: Position, seat: int | None) -> dict[str, Any]:
    """All that `seat` may know, as plain data: equal for two positions that differ only in what the seat may not see."""
    states: list[Any] = []
    for cell in position.game.cells.values():
        if cell.state.seen == "open":
            states += cell.plain(position.s)
            continue
        for _, index, value in spots_of(position, cell):
            many = outside(position, cell, value)
            shown = plain(value) if sees(position, cell, index, seat) else (HIDDEN, many)
            if cell.open_axis is None:
                states.append(shown)
            elif shown != (HIDDEN, None):                          # where a number lies on an open board would be told by its place
                states.append((*index, shown))
    decision = position.decision
    asked = None
    if decision is not None:
        mine = decision.seat == seat or not decision.kind.secret
        asked = (decision.seat, decision.key, tuple(decision.codes) if mine else HIDDEN)
    frames = tuple((v.name, plain(position.s[v.slot]) if knows(position, v, seat) else HIDDEN) for v in position.alive())
    return {"states": tuple(states), "round": position.rounds, "asked": asked, "frames": frames}


def outside(position: Position, cell: Cell, value: Any) -> Any:
    """What everybody knows of a place that they may not look into: how many things lie there, or their backs where they have some; None
    for a place whose being empty would already tell."""
    kind = holds(cell.state.type)
    enum = position.game.model.enum_of(kind) if kind is not None else None
    if enum is None or enum.back is None:
        return cell.codec.size(value)
    backs = [plain(enum.values[enum.back][thing]) for thing in cell.codec.parts(value)]
    return tuple(backs if isinstance(cell.state.type, ListOf | PileOf) else sorted(backs, key=repr))


def unseen(position: Position, seat: int | None) -> dict[str, Counter[int]]:
    """By kind of thing, what lies where `seat` may not look."""
    out: dict[str, Counter[int]] = {}
    for cell, _, value in closed(position, seat):
        inner = holds(cell.state.type)
        if inner is not None:
            out.setdefault(inner, Counter()).update(cell.codec.parts(value))
    return out


def closed(position: Position, seat: int | None) -> Iterator[tuple[Cell, list[int], Any]]:
    """Every entry that `seat` may not look at."""
    for cell in position.game.cells.values():
        by = cell.state.seen
        if by == "open" or isinstance(by, int) and seat == ALL:
            continue
        if not isinstance(by, int) or seat is None:
            yield from spots_of(position, cell)
            continue
        mine = seers(position, cell, seat)
        for index, value in cell.spots(position.s):
            if index[by] not in mine:
                yield cell, index, value


def holds(found: Type) -> str | None:
    """The enumeration whose members a container holds, or None."""
    if isinstance(found, BagOf | SetOf | ListOf | PileOf | Maybe) and isinstance(found.of, Of):
        return found.of.name
    return None


def sample(position: Position, seat: int, rng: random.Random) -> Position:
    """A position that `seat` cannot tell from this one, drawn at random: bots think ahead in these. What the game's laws forbid is not
    imagined, as far as a few tries help. Two positions that the seat cannot tell apart give the same with the same generator. Raises
    ValueError where the pending decision is another seat's and depends on what this seat may not see."""
    for _ in range(TRIES):
        result = dealt_anew(position, seat, rng)
        if not result.broken_laws():
            break
    return result


def dealt_anew(position: Position, seat: int, rng: random.Random) -> Position:
    """The same without a look at the laws."""
    decision = position.decision
    if decision is not None and decision.seat != seat and decision.kind.secret:
        raise ValueError("the options of this decision are not for this seat")
    shown = decision.kind.shows if decision is not None and decision.seat == seat else ()
    result = position.copy()
    places: dict[str, list[tuple[Cell, list[int], list[int]]]] = {}
    for cell, index, value in closed(position, seat):
        inner = holds(cell.state.type)
        if cell.state.name in shown:
            continue
        if inner is not None:
            places.setdefault(inner, []).append((cell, index, cell.codec.parts(value)))
        else:
            result.put(cell, index, thrown(position, cell.state.type, value, rng))
    hidden = [variable for variable in position.alive() if not knows(position, variable, seat)]
    for inner, found in places.items():
        found.sort(key=lambda place: not isinstance(place[0].state.type, SetOf))
        old = [thing for _, _, held in found for thing in held]
        pools = by_back(position, inner, sorted(old))
        for pool in pools.values():
            rng.shuffle(pool)
        new: list[int] = []
        for cell, index, held in found:
            dealt = deal_alike(pools, by_back(position, inner, held), held, isinstance(cell.state.type, SetOf))
            result.put(cell, index, cell.codec.pack(dealt))
            new += dealt
        if len(set(old)) == len(old):                              # things with identity: what effects hold moves with them
            rename(result, hidden, inner, dict(zip(old, new)))
        else:
            imagine(result, hidden, inner, new, rng)
    for variable in hidden:
        if holds(Maybe(variable.type)) is None and holds(variable.type) is None:
            result.s[variable.slot] = thrown(position, variable.type, result.s[variable.slot], rng)
    result.s[RANDOM] = rng.getrandbits(64)
    result.forget()
    return result


def by_back(position: Position, kind: str, found: list[int]) -> dict[Any, list[int]]:
    """These things by what everybody sees of them, their back."""
    enum = position.game.model.enum_of(kind)
    assert enum is not None
    groups: dict[Any, list[int]] = {}
    for thing in found:
        groups.setdefault(enum.values[enum.back][thing] if enum.back is not None else None, []).append(thing)
    return groups


def deal_alike(pools: dict[Any, list[int]], groups: dict[Any, list[int]], held: list[int], distinct: bool) -> list[int]:
    """For each thing held one from the pool with the same back, in the places of the old ones."""
    dealt = {back: deal(pools[back], len(group), distinct) for back, group in groups.items()}
    back_of = {thing: back for back, group in groups.items() for thing in group}
    return [dealt[back_of[thing]].pop(0) for thing in held]


def deal(pool: list[int], count: int, distinct: bool) -> list[int]:
    """Take `count` things from the end of the pool; to a set no thing twice, and first what is there most often, so that all fit."""
    if not distinct:
        return [pool.pop() for _ in range(count)]
    often = Counter(pool)
    order = list(dict.fromkeys(reversed(pool))) if len(often) == len(pool) else [thing for thing, _ in often.most_common()]
    for thing in order[:count]:
        pool.remove(thing)
    return order[:count]


def thrown(position: Position, found: Type, value: Any, rng: random.Random) -> Any:
    """Any value of this type, for one that is not seen. Whether a slot is filled is seen, and stays."""
    if isinstance(found, Maybe):
        return thrown(position, found.of, value, rng) if position.game.codec(found).size(value) else value
    if isinstance(found, Bool):
        return rng.getrandbits(1)
    if isinstance(found, Of):
        enum = position.game.model.enum_of(found.name)
        assert enum is not None
        return value if enum.kind == "open" else int(rng.random() * len(enum))
    if isinstance(found, Int):
        low = found.low or 0
        high = low + UNKNOWN if found.high is None else found.high
        return low + int(rng.random() * (high - low + 1))
    return value


def rename(position: Position, hidden: list[Variable], kind: str, names: dict[int, int]) -> None:
    """Exchange things in the locals of effects that the game waits in the middle of."""
    for variable in hidden:
        value, found = position.s[variable.slot], variable.type
        if found == Of(kind):
            position.s[variable.slot] = names.get(value, value)
        elif holds(found) == kind:
            codec = position.game.codec(found)
            position.s[variable.slot] = codec.pack(names.get(n, n) for n in codec.parts(value))


def imagine(position: Position, hidden: list[Variable], kind: str, pool: list[int], rng: random.Random) -> None:
    """Put unseen things, of which some are alike, into the locals of effects that hold such a thing: one that now lies in the place
    where it was chosen, else any."""
    for variable in hidden:
        if pool and variable.type in (Of(kind), Maybe(Of(kind))) and position.s[variable.slot] != -1:
            there = [thing for slot, _, name in variable.seers for thing in lying(position, name, slot, kind)] or pool
            position.s[variable.slot] = there[int(rng.random() * len(there))]


def lying(position: Position, name: str, slot: int, kind: str) -> list[int]:
    """The things of a kind that lie in the entry of a state that `slot` (see Variable.seers) names."""
    cell = position.game.cells[name]
    index = [position.s[slot] if slot >= 0 else ~slot] if cell.state.axes else []
    if holds(cell.state.type) != kind or len(index) != len(cell.state.axes) or slot == ~NOBODY and index:
        return []
    return cell.codec.parts(position.at(cell, index))


def learned(before: Position, after: Position, told: list[Told], seats: Collection[int] | None = None) -> str | None:
    """Why a step cannot be taken back: `chance` when a die fell or something was drawn or shuffled, `revealed` when one of these seats
    (None: of all) now sees a thing that it could not see; None when none of them learned anything."""
    if before.s[RANDOM] != after.s[RANDOM] or any(event.key == "chance" and event.slots for event in told):
        return "chance"
    people = range(before.game.players) if seats is None else seats
    if any(event.key == "chance" and any(seat != event.known for seat in people) for event in told):
        return "revealed"                                          # a number, or what follows from something closed
    if offered(after) - offered(before):
        return "revealed"
    for seat in people:
        was, now = unseen(before, seat), unseen(after, seat)
        if any(was[kind] - now.get(kind, Counter()) for kind in was):
            return "revealed"
    return None


def received(before: Position, after: Position, seat: int) -> Iterator[tuple[Cell, list[int]]]:
    """By place that this seat sees and not everybody, the things that came into it from elsewhere."""
    own = [cell for cell in after.game.cells.values() if isinstance(cell.state.seen, int) and holds(cell.state.type) is not None]
    came = {cell.state.name: in_sight_of(after, cell, seat) - in_sight_of(before, cell, seat) for cell in own}
    left = [(holds(cell.state.type), in_sight_of(before, cell, seat) - in_sight_of(after, cell, seat)) for cell in own]
    for cell in own:
        moved = sum((things for kind, things in left if kind == holds(cell.state.type)), Counter[int]())
        if found := sorted((came[cell.state.name] - moved).elements()):
            yield cell, found


def in_sight_of(position: Position, cell: Cell, seat: int) -> Counter[int]:
    """The things that lie in those entries of a state that this seat sees."""
    return Counter(thing for index, value in cell.spots(position.s) if sees(position, cell, index, seat)
                   for thing in cell.codec.parts(value))


def offered(position: Position) -> set[tuple[int, str]]:
    """The hidden places that somebody is choosing from: the seat, and the state's name."""
    decision = position.decision
    return set() if decision is None else {(decision.seat, name) for name in decision.kind.shows}
