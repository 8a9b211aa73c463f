"""Visibility and determinization: which parts of a position a seat may know, and drawing the other parts again.

An observation (`observe`) contains every visible value. Of a hidden place it contains only the number of
things. A determinization (`determinize_position`) shuffles all hidden things of one kind among the places
where they may be. These places are states and the locals of suspended procedures. It also replaces the random
generator, so lookahead cannot see future draws."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Container, Iterator
from typing import Any

from ...dsl.ir.metadata import NO_SEAT, LiveVariable
from ...dsl.model.canonical import canonical_value
from ...dsl.storage.control_slots import RANDOM
from ...dsl.storage.layout import StateStorage
from ...dsl.types.types import BagOf, Bool, Int, ListOf, MemberOf, OptionalOf, PileOf, SetOf, Type
from .position import Decision, GameEvent, Position

HIDDEN_MARK = "?"
ALL_SEATS = -1                             # pseudo-seat that sees whatever any seat sees
MAX_RESAMPLES = 20                           # attempts to draw a position in which all invariants hold
UNBOUNDED_SAMPLE_MAX = 9                          # span drawn from for a hidden number without an upper bound


def can_see(position: Position, cell: StateStorage, index: list[int], seat: int | None) -> bool:
    """Whether `seat` may see this entry of a state. `seat` is None for a spectator and ALL_SEATS for all players
    together."""
    state = cell.state
    if state.seen == "open":
        return True
    if not isinstance(state.seen, int) or seat is None:
        return False
    if seat == ALL_SEATS:
        return True
    at = index[state.seen]
    return seat == (at if state.keeper is None else position.raw_value(state.keeper, at))


def visible_members(position: Position, cell: StateStorage, seat: int) -> Container[int]:
    """Returns the members by which `seat` may see a state, of the axis that decides about visibility."""
    by, keeper = cell.state.seen, cell.state.keeper
    if keeper is None:
        return (seat,)
    assert isinstance(by, int)
    return [n for n in range(len(cell.enums[by])) if position.raw_value(keeper, n) == seat]


def can_see_local(position: Position, variable: LiveVariable, seat: int | None) -> bool:
    """Whether `seat` may see a local of a suspended procedure."""
    if not variable.secret:
        return True
    return seat is not None and all(seat == seat_allowed_to_see(position, slot, keeper) for slot, keeper, _ in variable.seers)


def seat_allowed_to_see(position: Position, slot: int, keeper: str | None) -> int:
    """Returns the seat that one entry of `LiveVariable.seers` names."""
    if slot < 0:
        return ~slot
    seat: int = position.s[slot]
    return seat if keeper is None else int(position.raw_value(keeper, seat))


def visible_names(decision: Decision) -> dict[str, tuple[Type, Any]]:
    """Returns the names with type and value that the deciding seat sees. The text of the question may use them."""
    position = decision.position
    return {v.name: (v.type, position.s[v.slot]) for v in decision.kind.scope
            if not v.name.startswith(".") and can_see_local(position, v, decision.seat)}


def iter_entries(position: Position) -> Iterator[tuple[StateStorage, list[int], Any]]:
    """Yields every entry of every state: storage, member numbers, raw value. On an open board, only entries that
    hold something."""
    for cell in position.game.cells.values():
        yield from iter_state_entries(position, cell)


def iter_state_entries(position: Position, cell: StateStorage) -> Iterator[tuple[StateStorage, list[int], Any]]:
    """Yields the entries of one state."""
    for index, value in cell.iter_values(position.s):
        yield cell, index, value


def observe(position: Position, seat: int | None) -> dict[str, Any]:
    """Returns everything that `seat` may know, as plain data.

    Two positions that differ only in what the seat may not see give equal observations."""
    states: list[Any] = []
    for cell in position.game.cells.values():
        if cell.state.seen == "open":
            states += cell.list_canonical_entries(position.s)
            continue
        for _, index, value in iter_state_entries(position, cell):
            many = public_size(position, cell, value)
            shown = canonical_value(value) if can_see(position, cell, index, seat) else (HIDDEN_MARK, many)
            if cell.open_axis is None:
                states.append(shown)
            elif shown != (HIDDEN_MARK, None):                          # on an open board the index alone would reveal the value
                states.append((*index, shown))
    decision = position.decision
    asked = None
    if decision is not None:
        mine = decision.seat == seat or not decision.kind.secret
        asked = (decision.seat, decision.key, tuple(decision.codes) if mine else HIDDEN_MARK)
    frames = tuple(
        (v.name, canonical_value(position.s[v.slot]) if can_see_local(position, v, seat) else HIDDEN_MARK)
        for v in position.live_variables()
    )
    return {"states": tuple(states), "round": position.rounds, "asked": asked, "frames": frames}


def public_size(position: Position, cell: StateStorage, value: Any) -> Any:
    """Returns what everybody knows of a hidden place: the number of things, or their backs if they have backs.

    Returns None if even the number would reveal something."""
    kind = element_domain(cell.state.type)
    enum = position.game.model.enum_of(kind) if kind is not None else None
    if enum is None or enum.back is None:
        return cell.codec.size(value)
    backs = [canonical_value(enum.values[enum.back][thing]) for thing in cell.codec.parts(value)]
    return tuple(backs if isinstance(cell.state.type, ListOf | PileOf) else sorted(backs, key=repr))


def count_hidden(position: Position, seat: int | None) -> dict[str, Counter[int]]:
    """Counts the things that `seat` may not see, by kind of thing."""
    out: dict[str, Counter[int]] = {}
    for cell, _, value in iter_hidden_entries(position, seat):
        inner = element_domain(cell.state.type)
        if inner is not None:
            out.setdefault(inner, Counter()).update(cell.codec.parts(value))
    return out


def iter_hidden_entries(position: Position, seat: int | None) -> Iterator[tuple[StateStorage, list[int], Any]]:
    """Yields every entry that `seat` may not see."""
    for cell in position.game.cells.values():
        by = cell.state.seen
        if by == "open" or isinstance(by, int) and seat == ALL_SEATS:
            continue
        if not isinstance(by, int) or seat is None:
            yield from iter_state_entries(position, cell)
            continue
        mine = visible_members(position, cell, seat)
        for index, value in cell.iter_values(position.s):
            if index[by] not in mine:
                yield cell, index, value


def element_domain(found: Type) -> str | None:
    """Returns the enum whose members a container holds, or None."""
    if isinstance(found, BagOf | SetOf | ListOf | PileOf | OptionalOf) and isinstance(found.of, MemberOf):
        return found.of.name
    return None


def determinize_position(position: Position, seat: int, rng: random.Random) -> Position:
    """Returns a determinization: a random position that `seat` cannot distinguish from this one. Bots search in
    these.

    Draws again if an invariant does not hold, at most MAX_RESAMPLES times. Positions that the seat cannot
    distinguish give the same result with the same generator. Raises ValueError if another seat decides and its
    moves depend on what `seat` may not see."""
    for _ in range(MAX_RESAMPLES):
        result = resample_hidden(position, seat, rng)
        if not result.broken_invariants():
            break
    return result


def resample_hidden(position: Position, seat: int, rng: random.Random) -> Position:
    """Returns one determinization without checking the invariants."""
    decision = position.decision
    if decision is not None and decision.seat != seat and decision.kind.secret:
        raise ValueError("the options of this decision are not for this seat")
    shown = decision.kind.shows if decision is not None and decision.seat == seat else ()
    result = position.copy()
    places: dict[str, list[tuple[StateStorage, list[int], list[int]]]] = {}
    for cell, index, value in iter_hidden_entries(position, seat):
        inner = element_domain(cell.state.type)
        if cell.state.name in shown:
            continue
        if inner is not None:
            places.setdefault(inner, []).append((cell, index, cell.codec.parts(value)))
        else:
            result.set_raw(cell, index, random_value(position, cell.state.type, value, rng))
    hidden = [variable for variable in position.live_variables() if not can_see_local(position, variable, seat)]
    for inner, found in places.items():
        found.sort(key=lambda place: not isinstance(place[0].state.type, SetOf))
        old = [thing for _, _, held in found for thing in held]
        pools = group_by_back(position, inner, sorted(old))
        for pool in pools.values():
            rng.shuffle(pool)
        new: list[int] = []
        for cell, index, held in found:
            dealt = deal_same_backs(pools, group_by_back(position, inner, held), held, isinstance(cell.state.type, SetOf))
            result.set_raw(cell, index, cell.codec.pack(dealt))
            new += dealt
        if len(set(old)) == len(old):                              # all things are distinct, so locals follow the exchange
            remap_locals(result, hidden, inner, dict(zip(old, new)))
        else:
            resample_locals(result, hidden, inner, new, rng)
    for variable in hidden:
        if element_domain(OptionalOf(variable.type)) is None and element_domain(variable.type) is None:
            result.s[variable.slot] = random_value(position, variable.type, result.s[variable.slot], rng)
    result.s[RANDOM] = rng.getrandbits(64)
    result.invalidate_memos()
    return result


def group_by_back(position: Position, kind: str, found: list[int]) -> dict[Any, list[int]]:
    """Groups things by their back, which everybody sees."""
    enum = position.game.model.enum_of(kind)
    assert enum is not None
    groups: dict[Any, list[int]] = {}
    for thing in found:
        groups.setdefault(enum.values[enum.back][thing] if enum.back is not None else None, []).append(thing)
    return groups


def deal_same_backs(pools: dict[Any, list[int]], groups: dict[Any, list[int]], held: list[int], distinct: bool) -> list[int]:
    """Deals a new thing with the same back for each thing held, and keeps the order."""
    dealt = {back: deal_from_pool(pools[back], len(group), distinct) for back, group in groups.items()}
    back_of = {thing: back for back, group in groups.items() for thing in group}
    return [dealt[back_of[thing]].pop(0) for thing in held]


def deal_from_pool(pool: list[int], count: int, distinct: bool) -> list[int]:
    """Takes `count` things from the end of the pool.

    If `distinct`, no thing is taken twice. The most frequent things go first, so that the rest still fit."""
    if not distinct:
        return [pool.pop() for _ in range(count)]
    often = Counter(pool)
    order = list(dict.fromkeys(reversed(pool))) if len(often) == len(pool) else [thing for thing, _ in often.most_common()]
    for thing in order[:count]:
        pool.remove(thing)
    return order[:count]


def random_value(position: Position, found: Type, value: Any, rng: random.Random) -> Any:
    """Returns a random value of this type for a hidden one. Whether a slot is filled is public and stays the same."""
    if isinstance(found, OptionalOf):
        return random_value(position, found.of, value, rng) if position.game.codec(found).size(value) else value
    if isinstance(found, Bool):
        return rng.getrandbits(1)
    if isinstance(found, MemberOf):
        enum = position.game.model.enum_of(found.name)
        assert enum is not None
        return value if enum.kind == "open" else int(rng.random() * len(enum))
    if isinstance(found, Int):
        low = found.low or 0
        high = low + UNBOUNDED_SAMPLE_MAX if found.high is None else found.high
        return low + int(rng.random() * (high - low + 1))
    return value


def remap_locals(position: Position, hidden: list[LiveVariable], kind: str, names: dict[int, int]) -> None:
    """Replaces things in the locals of suspended procedures, by the mapping `names`."""
    for variable in hidden:
        value, found = position.s[variable.slot], variable.type
        if found == MemberOf(kind):
            position.s[variable.slot] = names.get(value, value)
        elif element_domain(found) == kind:
            codec = position.game.codec(found)
            position.s[variable.slot] = codec.pack(names.get(n, n) for n in codec.parts(value))


def resample_locals(position: Position, hidden: list[LiveVariable], kind: str, pool: list[int], rng: random.Random) -> None:
    """Puts random hidden things into locals, if some of these things are identical.

    Draws from the place where the thing was chosen, or from the whole pool if that place is empty or not known."""
    for variable in hidden:
        if pool and variable.type in (MemberOf(kind), OptionalOf(MemberOf(kind))) and position.s[variable.slot] != -1:
            there = [thing for slot, _, name in variable.seers for thing in contents_at(position, name, slot, kind)] or pool
            position.s[variable.slot] = there[int(rng.random() * len(there))]


def contents_at(position: Position, name: str, slot: int, kind: str) -> list[int]:
    """Returns the things of a kind in the state entry that `slot` selects (see LiveVariable.seers)."""
    cell = position.game.cells[name]
    index = [position.s[slot] if slot >= 0 else ~slot] if cell.state.axes else []
    if element_domain(cell.state.type) != kind or len(index) != len(cell.state.axes) or slot == ~NO_SEAT and index:
        return []
    return cell.codec.parts(position.raw_at(cell, index))


def why_irrevocable(before: Position, after: Position, told: list[GameEvent], seats: Collection[int] | None = None) -> str | None:
    """Returns the reason why a step cannot be undone, or None if no seat learned anything.

    `chance`: something was drawn, rolled or shuffled. `revealed`: one of these seats (None: any seat) now sees
    something that was hidden."""
    if before.s[RANDOM] != after.s[RANDOM] or any(event.key == "chance" and event.slots for event in told):
        return "chance"
    people = range(before.game.players) if seats is None else seats
    if any(event.key == "chance" and any(seat != event.known for seat in people) for event in told):
        return "revealed"                                          # a number, or something derived from a hidden value
    if states_shown_to_chooser(after) - states_shown_to_chooser(before):
        return "revealed"
    for seat in people:
        was, now = count_hidden(before, seat), count_hidden(after, seat)
        if any(was[kind] - now.get(kind, Counter()) for kind in was):
            return "revealed"
    return None


def iter_received(before: Position, after: Position, seat: int) -> Iterator[tuple[StateStorage, list[int]]]:
    """Yields the things that came in from elsewhere, for each state that this seat sees and not everybody does."""
    own = [cell for cell in after.game.cells.values() if isinstance(cell.state.seen, int) and element_domain(cell.state.type) is not None]
    came = {cell.state.name: count_visible_elements(after, cell, seat) - count_visible_elements(before, cell, seat) for cell in own}
    left = [
        (element_domain(cell.state.type), count_visible_elements(before, cell, seat) - count_visible_elements(after, cell, seat))
        for cell in own
    ]
    for cell in own:
        moved = sum((things for kind, things in left if kind == element_domain(cell.state.type)), Counter[int]())
        if found := sorted((came[cell.state.name] - moved).elements()):
            yield cell, found


def count_visible_elements(position: Position, cell: StateStorage, seat: int) -> Counter[int]:
    """Counts the things in the entries of a state that `seat` may see."""
    return Counter(thing for index, value in cell.iter_values(position.s) if can_see(position, cell, index, seat)
                   for thing in cell.codec.parts(value))


def states_shown_to_chooser(position: Position) -> set[tuple[int, str]]:
    """Returns the hidden states that the deciding seat is choosing from: pairs of seat and state name."""
    decision = position.decision
    return set() if decision is None else {(decision.seat, name) for name in decision.kind.shows}
