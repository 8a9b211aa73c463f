"""Determinization: drawing again everything in a position that a seat may not see.

It shuffles all hidden things of one kind among the places where they may be. These places are states and the
locals of suspended procedures. If an invariant says what can be in a place, it gets only such things.

It also replaces the random generator, so lookahead cannot see future draws."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from ...dsl.ir.metadata import NO_SEAT, LiveVariable
from ...dsl.storage.control_slots import RANDOM
from ...dsl.storage.layout import StateStorage
from ...dsl.types.types import BagOf, Bool, Int, MemberOf, OptionalOf, SetOf, Type, element_domain
from .position import Position
from .visibility import can_see_local, iter_hidden_entries

MAX_RESAMPLES = 20                           # attempts to draw a position in which all invariants hold
UNBOUNDED_SAMPLE_MAX = 9                          # span drawn from for a hidden number without an upper bound


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
        things = sorted(thing for _, _, held in found for thing in held)
        known = {id(place): known_contents(position, place[0], place[1], inner) for place in found if place[0].known}
        choice = {key: sum(thing in fitting for thing in things) for key, fitting in known.items()}
        found.sort(key=lambda place: (not isinstance(place[0].state.type, SetOf), choice.get(id(place), len(things))))
        old = [thing for _, _, held in found for thing in held]
        pools = group_by_back(position, inner, things)
        for pool in pools.values():
            rng.shuffle(pool)
        new: list[int] = []
        for place in found:
            cell, index, held = place
            distinct = isinstance(cell.state.type, SetOf)
            dealt = deal_same_backs(pools, group_by_back(position, inner, held), held, distinct, known.get(id(place)))
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


def known_contents(position: Position, cell: StateStorage, index: list[int], kind: str) -> set[int]:
    """Returns the things that can be in this entry, as the invariants say."""
    enum = position.game.model.enum_of(kind)
    assert enum is not None
    fitting = set(range(len(enum)))
    for other, axes, attribute in cell.known:
        found = set(other.codec.parts(position.raw_at(other, [index[axis] for axis in axes])))
        fitting &= found if attribute is None else {thing for thing in fitting if enum.values[attribute][thing] in found}
    return fitting


def deal_same_backs(
    pools: dict[Any, list[int]], groups: dict[Any, list[int]], pieces: list[int], distinct: bool, known: set[int] | None
) -> list[int]:
    """Deals a new thing with the same back for each thing held, and keeps the order. If possible, each is `known` to fit."""
    if known is not None:
        dealt = {back: deal_known(pools[back], len(group), distinct, known) for back, group in groups.items()}
    else:
        dealt = {back: deal_from_pool(pools[back], len(group), distinct) for back, group in groups.items()}
    back_of = {thing: back for back, group in groups.items() for thing in group}
    return [dealt[back_of[thing]].pop(0) for thing in pieces]


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


def deal_known(pool: list[int], count: int, distinct: bool, known: set[int]) -> list[int]:
    """Takes the last things of the pool that are known to fit, or the last ones if too few do.

    If `distinct`, no thing is taken twice unless all others are gone."""
    dealt: list[int] = []
    for _ in range(count):
        new = [n for n, thing in enumerate(pool) if not distinct or thing not in dealt]
        fitting = [n for n in new if pool[n] in known]
        dealt.append(pool.pop((fitting or new or [-1])[-1]))
    return dealt


def random_value(position: Position, type_: Type, value: Any, rng: random.Random) -> Any:
    """Returns a random value of this type for a hidden one. Whether a slot is filled is public and stays the same."""
    if isinstance(type_, OptionalOf):
        return random_value(position, type_.of, value, rng) if position.game.codec(type_).size(value) else value
    if isinstance(type_, Bool):
        return rng.getrandbits(1)
    if isinstance(type_, MemberOf):
        enum = position.game.model.enum_of(type_.name)
        assert enum is not None
        return value if enum.kind == "open" else int(rng.random() * len(enum))
    if isinstance(type_, Int):
        low = type_.low or 0
        high = low + UNBOUNDED_SAMPLE_MAX if type_.high is None else type_.high
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

    Draws from the place where the thing was chosen, or from the whole pool if that place is empty or not known. Nobody
    knows how many things are in a bag."""
    for variable in hidden:
        is_single = variable.type in (MemberOf(kind), OptionalOf(MemberOf(kind))) and position.s[variable.slot] != -1
        if pool and (is_single or variable.type == BagOf(MemberOf(kind))):
            there = [thing for slot, _, name, _ in variable.seers for thing in contents_at(position, name, slot, kind)] or pool
            if is_single:
                position.s[variable.slot] = there[int(rng.random() * len(there))]
                continue
            rest, many = list(there), int(rng.random() * (len(there) + 1))
            taken = [rest.pop(int(rng.random() * len(rest))) for _ in range(many)]
            position.s[variable.slot] = position.game.codec(variable.type).pack(taken)


def contents_at(position: Position, name: str, slot: int, kind: str) -> list[int]:
    """Returns the things of a kind in the state entry that `slot` selects (see LiveVariable.seers)."""
    cell = position.game.cells[name]
    index = [position.s[slot] if slot >= 0 else ~slot] if cell.state.axes else []
    if element_domain(cell.state.type) != kind or len(index) != len(cell.state.axes) or slot == ~NO_SEAT and index:
        return []
    return cell.codec.parts(position.raw_at(cell, index))
