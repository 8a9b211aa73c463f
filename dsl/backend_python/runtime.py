"""What compiled rules call while they run: the generator, drawing, sets as masks, regions of cells, and faults.

A position is one flat list `s`. Its first entries are control words (storage/control.py); the rest is laid out by storage/layout.py.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Collection
from functools import cache
from hashlib import blake2b
from itertools import combinations
from math import comb
from typing import Any

from ..ir.limits import CHARGED_LIST_LENGTH, MAX_LIST_LENGTH, MAX_STEPS_PER_DECISION, MAX_SUBSETS
from ..model.canonical import sort_values  # noqa: F401
from ..storage.control_slots import EVENTS, RANDOM, SCRIPT

MASK64 = (1 << 64) - 1


class RuleFault(Exception):
    """A rule did what it may not: `kind` is the key of a diagnostic (codes.yaml), `args` its arguments."""

    def __init__(self, kind: str, **args: Any) -> None:
        super().__init__(kind)
        self.kind, self.details = kind, args


class Halt(Exception):
    """A simulated game has reached its greatest number of rounds."""


def fault(kind: str, **args: Any) -> Any:
    raise RuleFault(kind, **args)


LEFT = [MAX_STEPS_PER_DECISION]                       # of the steps until the next decision; whoever lets rules run fills it up


def charge(steps: int) -> None:
    """Count what is about to be done."""
    LEFT[0] -= steps
    if LEFT[0] < 0:
        raise RuleFault("F009", limit=MAX_STEPS_PER_DECISION)


def walked(things: Any, steps: int) -> Any:
    """What a loop goes over, each costing so many steps."""
    LEFT[0] -= len(things) * steps
    if LEFT[0] < 0:
        raise RuleFault("F009", limit=MAX_STEPS_PER_DECISION)
    return things


def sized(things: Collection[Any]) -> None:
    """A list or set that was written: it must not grow without end, and long ones cost what it takes to write them."""
    if len(things) > MAX_LIST_LENGTH:
        raise RuleFault("F009", limit=MAX_LIST_LENGTH)
    charge(len(things) >> 2)


def weighed(things: Collection[Any], limit: int, unit: int, depth: int) -> None:
    """As `sized` for lists and sets that are `depth` within each other, by all in them. The innermost things take `unit` numbers."""
    total = weight(things, depth) * unit
    if total > limit:
        raise RuleFault("F013", limit=limit)
    charge(total >> 2)


def weight(things: Collection[Any], depth: int) -> int:
    """How many things are in lists and sets within each other, with these themselves."""
    if depth == 1:
        return len(things)
    return len(things) + sum(map(len, things) if depth == 2 else [weight(one, depth - 1) for one in things])


def span(low: int, high: int) -> range:
    """The numbers from `low` to `high`, both included."""
    if high - low >= MAX_LIST_LENGTH:
        raise RuleFault("F009", limit=MAX_LIST_LENGTH)
    return range(low, high + 1)


# ---------------------------------------------------------------- chance


# The generator of a position is one number, of one of two kinds. A number of 64 bits is the state of splitmix64 (Steele et al. 2014), for
# games that begin from a short seed. In a greater one a secret key of 128 bits stands above a counter of 64 bits. Then a draw is BLAKE2b
# (RFC 7693) of the counter with this key, and nobody learns the key from what was drawn.


def random64(s: list[Any]) -> int:
    """The next 64 random bits."""
    z: int
    if s[RANDOM] > MASK64:
        return keyed64(s)
    s[RANDOM] = z = (s[RANDOM] + 0x9E3779B97F4A7C15) & MASK64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
    return z ^ (z >> 31)


def keyed64(s: list[Any]) -> int:
    """The next 64 random bits of a generator with a key."""
    state = s[RANDOM]
    s[RANDOM] = state + 1
    drawn = blake2b((state & MASK64).to_bytes(8, "little"), digest_size=8, key=(state >> 64).to_bytes(16, "little"))
    return int.from_bytes(drawn.digest(), "little")


def below(s: list[Any], n: int) -> int:
    """A number in 0..n-1, n > 0. With a key each is exactly as likely (Lemire 2019). Without one the bias of multiply-and-shift is below
    2**-50 for any count of things on a table."""
    if s[RANDOM] > MASK64:
        while (product := keyed64(s) * n) & MASK64 < (MASK64 + 1) % (n or 1):
            pass
        return product >> 64
    return random64(s) * n >> 64


def chance(s: list[Any], options: Any, kind: int) -> int:
    """One of `options`, at random or as the script of a scenario says; `kind` tells the log what it is (see Module.chances)."""
    found: int
    if s[SCRIPT]:
        found = s[SCRIPT].pop(0)
        if found not in options:
            raise RuleFault("F006", found=found)
    else:
        found = options[below(s, len(options))]
    if s[EVENTS] is not None:
        s[EVENTS].append((-1, (kind, found)))
    return found


def draw_bag(s: list[Any], base: int, size: int, kind: int) -> int:
    """Take one thing at random out of the bag whose `size` counts start at `base`; -1 when it is empty."""
    counts = s[base : base + size]
    total = sum(counts)
    if not total:
        return -1
    found: int
    if s[SCRIPT]:
        found = s[SCRIPT].pop(0)
        if not 0 <= found < size or not counts[found]:
            raise RuleFault("F006", found=found)
    elif type(counts[0]) is not int:                               # on a copy where what lies in it is covered: so is what comes out of it
        found = counts[0].drawn()
    else:
        n = below(s, total)
        found = 0
        while n >= counts[found]:
            n -= counts[found]
            found += 1
    s[base + found] -= 1
    if s[EVENTS] is not None:
        s[EVENTS].append((-1, (kind, found)))
    return found


def shuffled(s: list[Any], things: tuple[Any, ...]) -> tuple[Any, ...]:
    """`things` in random order (Fisher-Yates)."""
    out = list(things)
    for n in range(len(out) - 1, 0, -1):
        k = below(s, n + 1)
        out[n], out[k] = out[k], out[n]
    return tuple(out)


# ---------------------------------------------------------------- sets as masks

_BITS: dict[int, tuple[int, ...]] = {0: ()}
_NARROW = 1 << 64  # wider masks are rarely seen twice: they are not remembered
_CHUNK = 10
_LOW = (1 << _CHUNK) - 1
_CHUNKS: list[list[tuple[int, ...]]] = []  # for each ten bits of a mask, the members by value
_MEMBERS = [tuple(bit for bit in range(_CHUNK) if value >> bit & 1) for value in range(1 << _CHUNK)]
_HALVES = 3 * _CHUNK
_HALF = (1 << _HALVES) - 1
BITS = _BITS.get  # compiled code looks here first: `BITS(mask) or bits(mask)`


def bits(mask: int) -> tuple[int, ...]:
    """The members of a set, ascending; small sets are remembered, since games ask for the same few again and again."""
    found = _BITS.get(mask)
    if found is None:
        found = ()
        rest, n = mask, 0
        while rest:
            if n == len(_CHUNKS):
                _CHUNKS.append([tuple(n * _CHUNK + bit for bit in range(_CHUNK) if value >> bit & 1) for value in range(1 << _CHUNK)])
            found += _CHUNKS[n][rest & _LOW]
            rest >>= _CHUNK
            n += 1
        if mask < _NARROW:
            if len(_BITS) > 200_000:
                _BITS.clear()
            _BITS[mask] = found
    return found


def nth(mask: int, place: int) -> int:
    """The member of a set at this place, counted from 0 in ascending order; the set has more members than that."""
    start = 0
    while True:
        part = mask >> start & _HALF
        many = part.bit_count()
        if place < many:
            break
        place -= many
        start += _HALVES
    if place >= (many := (part & _LOW).bit_count()):
        place -= many
        part >>= _CHUNK
        start += _CHUNK
        if place >= (many := (part & _LOW).bit_count()):
            place -= many
            part >>= _CHUNK
            start += _CHUNK
    return start + _MEMBERS[part & _LOW][place]


def taken_out(things: list[int], thing: int) -> None:
    """A member leaves a list in ascending order."""
    del things[bisect_left(things, thing)]


def put_in(things: list[int], thing: int) -> None:
    """A member comes to a list in ascending order."""
    insort(things, thing)


@cache
def wide_table(start: int, width: int) -> list[tuple[int, ...]]:
    """The members `start`.. of a set, by the value of `width` bits of its mask."""
    table: list[tuple[int, ...]] = [()]
    for bit in range(width):  # twice as long with each bit: the new half has it as its last member
        table += [members + (start + bit,) for members in table]
    return table


def only(mask: int) -> int:
    """The single member of a set, else none."""
    return mask.bit_length() - 1 if mask and not mask & (mask - 1) else -1


def without(things: tuple[Any, ...], gone: tuple[Any, ...]) -> tuple[Any, ...]:
    """List difference: each of `gone` taken out once."""
    out = list(things)
    for thing in gone:
        if thing in out:
            out.remove(thing)
    return tuple(out)


def first_key(pair: tuple[Any, ...]) -> Any:
    return pair[0]


def tiers(pairs: list[Any]) -> tuple[Any, ...]:
    """Sets of equals, best first, from (minus value, member) pairs: masks."""
    groups: dict[Any, int] = {}
    for value, member in pairs:
        groups[value] = groups.get(value, 0) | 1 << member
    return tuple(groups[value] for value in sorted(groups))


def tiers_open(pairs: list[Any]) -> tuple[Any, ...]:
    groups: dict[Any, set[Any]] = {}
    for value, member in pairs:
        groups.setdefault(value, set()).add(member)
    return tuple(frozenset(groups[value]) for value in sorted(groups))


def packed(things: int) -> int:
    """A set as the number of an option. Here the one is the other already; elsewhere they differ."""
    return things


def unpacked(code: int) -> int:
    """The set that is chosen with an option of this number."""
    return code


def subsets_of(things: int, size: int) -> tuple[int, ...]:
    """All sets of so many members of a set, in the order of their members. Raises RuleFault (F012) where they are too many."""
    count = things.bit_count()
    many = comb(count, size) if 0 <= size <= count else 0
    if many > MAX_SUBSETS:
        raise RuleFault("F012", count=count, limit=MAX_SUBSETS)
    charge(many)
    return tuple(map(sum, combinations([1 << thing for thing in bits(things)], size))) if many else ()


def subsets(things: int) -> tuple[int, ...]:
    """All sets that can be made of the members of a set, the small ones first. Raises RuleFault (F012) where they are too many."""
    count = things.bit_count()
    if 1 << count > MAX_SUBSETS:
        raise RuleFault("F012", count=count, limit=MAX_SUBSETS)
    return tuple(part for size in range(count + 1) for part in subsets_of(things, size))


# ---------------------------------------------------------------- regions of bounded boards (masks; `near` as masks by cell)


def spread(start: int, cells: int, near: tuple[Any, ...]) -> int:
    """All of `cells` that can be reached from `start` through `cells`."""
    found = todo = start & cells
    while todo:
        low = todo & -todo
        todo ^= low
        new = near[low.bit_length() - 1] & cells & ~found
        found |= new
        todo |= new
    return found


def flooded(start: int, cells: int, near: tuple[Any, ...], recent: list[tuple[int, int, int]]) -> int:
    """`spread`, which goes on from a recent result where there are only more cells since: regions that only grow are mended with each
    cell, not searched again. `recent` has the last results, (start, cells, found); what it holds changes no answer."""
    start &= cells
    place, known = 0, (0, 0, 0)
    for known in recent:
        if not (known[1] & ~cells or known[0] & ~start):
            break
        place += 1
    else:
        place, known = -1, (0, 0, 0)
    older, fewer, found = known
    if fewer == cells and older == start:
        return found
    todo = start & ~found
    new = cells & ~fewer
    while new:                                                     # a new cell beside what was reached before is reached, too
        low = new & -new
        new ^= low
        if near[low.bit_length() - 1] & found:
            todo |= low
    found |= spread(todo, cells & ~found, near)
    recent[place] = recent[0]
    recent[0] = start, cells, found
    return found


def regions(cells: int, near: tuple[Any, ...]) -> tuple[Any, ...]:
    """The connected parts of `cells`, in the order of their first cell."""
    out = []
    while cells:
        part = spread(cells & -cells, cells, near)
        out.append(part)
        cells &= ~part
    return tuple(out)


def rim(cells: int, near: tuple[Any, ...]) -> int:
    """The cells next to `cells` and not among them."""
    out = 0
    for cell in bits(cells):
        out |= near[cell]
    return out & ~cells


def within(start: int, steps: int, cells: int, near: tuple[Any, ...]) -> int:
    """The cells other than `start` that are reached from it in at most `steps` steps through `cells`."""
    found = todo = 1 << start
    for _ in range(steps):
        new = 0
        for cell in bits(todo):
            new |= near[cell]
        todo = new & cells & ~found
        if not todo:
            break
        found |= todo
    return found & ~(1 << start)


def coast(cells: int, near: tuple[Any, ...], edge: int, every: int) -> int:
    """Of the cells next to `cells`, those that the outside reaches without crossing `cells`; `edge` are the board's border cells."""
    outside = spread(edge & ~cells, every & ~cells, near)
    return rim(cells, near) & outside


def put(found: dict[Any, Any], key: int, value: Any, default: Any) -> dict[Any, Any]:
    """A sparse state with one entry changed; what equals the default is not kept."""
    if len(found) > CHARGED_LIST_LENGTH:
        charge(len(found) >> 2)
    out = found.copy()
    if value == default:
        out.pop(key, None)
    else:
        out[key] = value
    return out
