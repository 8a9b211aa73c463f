"""What a seat may know of a position, and what it may imagine about the rest.

A view holds every visible value and only the number of things in a hidden place. Imagining (`sample`) deals what the seat cannot
see anew: all unseen things of one kind are shuffled among the places where they may lie, in states and in the middle of effects
alike, and the generator is replaced, so that thinking ahead foresees nothing.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ..dsl.compile.layout import Cell
from ..dsl.compile.runtime import RANDOM
from ..dsl.types import BagOf, ListOf, Maybe, Of, PileOf, SetOf, Type
from .position import Position, Told, _plain

HIDDEN = "?"


def sees(cell: Cell, index: list[int], seat: int | None) -> bool:
    """Whether `seat` (None: somebody who only watches) may look at this entry of a state."""
    seen = cell.state.seen
    if seen == "open":
        return True
    return isinstance(seen, int) and seat is not None and index[seen] == seat


def entries(position: Position) -> Iterator[tuple[Cell, list[int], int]]:
    """Every entry of every state: its cell, its member numbers (without a packed or open last axis), its place in the list."""
    for cell in position.game.cells.values():
        total = cell.count // cell.width
        for n in range(total):
            index: list[int] = []
            rest = n
            for size in reversed(cell.sizes):
                rest, digit = divmod(rest, size)
                index.insert(0, digit)
            yield cell, index, cell.base + n * cell.width


def view(position: Position, seat: int | None) -> dict[str, Any]:
    """All that `seat` may know, as plain data: equal for two positions that differ only in what the seat may not see."""
    states: list[Any] = []
    for cell, index, at in entries(position):
        value = tuple(position.s[at : at + cell.width]) if cell.form == "bag" else position.s[at]
        states.append(_plain(value) if sees(cell, index, seat) else (HIDDEN, count(cell.state.type, value)))
    decision = position.decision
    asked = None
    if decision is not None:
        mine = decision.seat == seat or not decision.kind.secret
        asked = (decision.seat, decision.key, tuple(decision.codes) if mine else HIDDEN)
    frames = tuple(
        (v.name, _plain(position.s[v.slot]) if not v.secret or (decision and decision.seat == seat) else HIDDEN) for v in position.alive()
    )
    return {"states": tuple(states), "round": position.rounds, "asked": asked, "frames": frames}


def count(found: Type, value: Any) -> Any:
    """How many things lie in a hidden place; None for a place whose being empty would already tell."""
    if isinstance(found, BagOf):
        return sum(value)
    if isinstance(found, SetOf):
        return value.bit_count() if isinstance(value, int) else len(value)
    if isinstance(found, ListOf | PileOf):
        return len(value)
    if isinstance(found, Maybe):
        return int(value is not None and value != -1)
    return None


def things(found: Type, value: Any) -> list[int]:
    """The things in a place, with repeats, in their order."""
    if isinstance(found, BagOf):
        return [n for n, many in enumerate(value) for _ in range(many)]
    if isinstance(found, SetOf):
        return [n for n in range(value.bit_length()) if value >> n & 1] if isinstance(value, int) else sorted(value)
    if isinstance(found, ListOf | PileOf):
        return list(value)
    return [] if value is None or value == -1 else [value]


def unseen(position: Position, seat: int | None) -> dict[str, Counter]:
    """By kind of thing, what lies where `seat` may not look."""
    out: dict[str, Counter] = {}
    for cell, index, at in entries(position):
        inner = holds(cell.state.type)
        if inner is not None and not sees(cell, index, seat):
            value = tuple(position.s[at : at + cell.width]) if cell.form == "bag" else position.s[at]
            out.setdefault(inner, Counter()).update(things(cell.state.type, value))
    return out


def holds(found: Type) -> str | None:
    """The enumeration whose members a container holds, or None."""
    if isinstance(found, BagOf | SetOf | ListOf | PileOf | Maybe) and isinstance(found.of, Of):
        return found.of.name
    return None


def sample(position: Position, seat: int, rng: random.Random) -> Position:
    """A position that `seat` cannot tell from this one, drawn at random: bots think ahead in these. Raises ValueError where the
    pending decision is another seat's and depends on what this seat may not see."""
    decision = position.decision
    if decision is not None and decision.seat != seat and decision.kind.secret:
        raise ValueError("the options of this decision are not for this seat")
    result = position.copy()
    s = result.s
    places: dict[str, list[tuple[Cell, int, list[int]]]] = {}
    for cell, index, at in entries(position):
        inner = holds(cell.state.type)
        if inner is not None and not sees(cell, index, seat):
            value = tuple(s[at : at + cell.width]) if cell.form == "bag" else s[at]
            places.setdefault(inner, []).append((cell, at, things(cell.state.type, value)))
    for inner, found in places.items():
        old = [thing for _, _, held in found for thing in held]
        new = old.copy()
        rng.shuffle(new)
        start = 0
        for cell, at, held in found:
            put_things(s, cell, at, new[start : start + len(held)])
            start += len(held)
        if len(set(old)) == len(old):  # things with identity: what effects hold moves with them
            rename(result, inner, dict(zip(old, new)))
    s[RANDOM] = rng.getrandbits(64)
    result.forget()
    return result


def put_things(s: list, cell: Cell, at: int, held: list[int]) -> None:
    """Fill a place with these things."""
    found = cell.state.type
    if isinstance(found, BagOf):
        counts = [0] * cell.width
        for thing in held:
            counts[thing] += 1
        s[at : at + cell.width] = counts
    elif isinstance(found, SetOf):
        s[at] = frozenset(held) if isinstance(s[at], frozenset) else sum(1 << thing for thing in held)
    elif isinstance(found, Maybe):
        s[at] = held[0] if held else s[at]
    else:
        s[at] = tuple(held)


def rename(position: Position, kind: str, names: dict[int, int]) -> None:
    """Exchange things in the locals of effects that the game waits in the middle of."""
    for variable in position.alive():
        if not variable.secret:
            continue
        value, found = position.s[variable.slot], variable.type
        if found == Of(kind) or found == Maybe(Of(kind)):
            position.s[variable.slot] = names.get(value, value)
        elif holds(found) == kind and isinstance(value, int):
            position.s[variable.slot] = sum(1 << names.get(n, n) for n in things(found, value))
        elif holds(found) == kind:
            position.s[variable.slot] = tuple(names.get(n, n) for n in value)


def learned(before: Position, after: Position, told: list[Told]) -> str | None:
    """Why a step cannot be taken back: `chance` when a die fell or something was drawn at random, `revealed` when a seat now sees a
    thing that it could not see; None when nobody learned anything."""
    if any(event.key == "chance" for event in told):
        return "chance"
    for seat in range(before.game.players):
        was, now = unseen(before, seat), unseen(after, seat)
        if any(was[kind] - now.get(kind, Counter()) for kind in was):
            return "revealed"
    return None
