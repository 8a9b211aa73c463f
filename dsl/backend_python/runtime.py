"""Runtime functions that compiled rules call: random draws, sets as masks, regions of cells, and faults.

A position is one flat list `s`. Its first entries are control slots (storage/control_slots.py), and
storage/layout.py assigns the others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from hashlib import blake2b
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

from ..ir.limits import CHARGED_LIST_LENGTH, MAX_LIST_LENGTH, MAX_STEPS_PER_DECISION, MAX_SUBSETS
from ..model.canonical import sort_values  # noqa: F401
from ..storage.control_slots import EVENTS, RANDOM, SCRIPT

if TYPE_CHECKING:
    from ..ir.nodes import FaultCode

MASK64 = (1 << 64) - 1


class RuleFault(Exception):
    """A run-time error in a rule. `code` is the code of a diagnostic (codes.yaml), `args` its arguments."""

    def __init__(self, code: FaultCode, **args: Any) -> None:
        super().__init__(code)
        self.code, self.params = code, args


def fault(code: FaultCode, **args: Any) -> Any:
    raise RuleFault(code, **args)


LEFT = [MAX_STEPS_PER_DECISION]                       # steps left until the next decision; callers of rules refill it


def charge(steps: int) -> None:
    """Charges steps to the budget before the work is done."""
    LEFT[0] -= steps
    if LEFT[0] < 0:
        raise RuleFault("F009", limit=MAX_STEPS_PER_DECISION)


def charge_items(things: Any, steps: int) -> Any:
    """Returns the iterable of a loop after charging `steps` for each item."""
    LEFT[0] -= len(things) * steps
    if LEFT[0] < 0:
        raise RuleFault("F009", limit=MAX_STEPS_PER_DECISION)
    return things


def check_length(things: Collection[Any]) -> None:
    """Checks the length of a written list or set, and charges steps in proportion to it."""
    if len(things) > MAX_LIST_LENGTH:
        raise RuleFault("F009", limit=MAX_LIST_LENGTH)
    charge(len(things) >> 2)


def check_total_size(things: Collection[Any], limit: int, unit: int, depth: int) -> None:
    """Checks the total size of lists and sets nested `depth` levels deep, and charges steps. The innermost items
    take `unit` numbers each."""
    total = count_items(things, depth) * unit
    if total > limit:
        raise RuleFault("F013", limit=limit)
    charge(total >> 2)


def count_items(things: Collection[Any], depth: int) -> int:
    """Returns the number of things in nested lists and sets, at all levels."""
    if depth == 1:
        return len(things)
    return len(things) + sum(map(len, things) if depth == 2 else [count_items(one, depth - 1) for one in things])


def span(low: int, high: int) -> range:
    """Returns the numbers from `low` to `high`, both included."""
    if high - low >= MAX_LIST_LENGTH:
        raise RuleFault("F009", limit=MAX_LIST_LENGTH)
    return range(low, high + 1)


# ---------------------------------------------------------------- chance


# The generator of a position is one integer. There are two kinds.
# - Up to 64 bits: the state of splitmix64 (Steele et al. 2014), for games that start from a short seed.
# - More bits: a secret key of 128 bits above a counter of 64 bits. A draw is BLAKE2b (RFC 7693) of the counter with
#   this key, so draws do not reveal the key.


def random64(s: list[Any]) -> int:
    """Returns the next 64 random bits."""
    z: int
    if s[RANDOM] > MASK64:
        return keyed64(s)
    s[RANDOM] = z = (s[RANDOM] + 0x9E3779B97F4A7C15) & MASK64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
    return z ^ (z >> 31)


def keyed64(s: list[Any]) -> int:
    """Returns the next 64 random bits of a generator with a key."""
    state = s[RANDOM]
    s[RANDOM] = state + 1
    drawn = blake2b((state & MASK64).to_bytes(8, "little"), digest_size=8, key=(state >> 64).to_bytes(16, "little"))
    return int.from_bytes(drawn.digest(), "little")


def below(s: list[Any], n: int) -> int:
    """Returns a random number in 0..n-1 for n > 0.

    With a key, the distribution is exactly uniform (Lemire 2019). Without a key, the bias of multiply-and-shift
    is below 2**-50 for any number of things on a table."""
    if s[RANDOM] > MASK64:
        while (product := keyed64(s) * n) & MASK64 < (MASK64 + 1) % (n or 1):
            pass
        return product >> 64
    return random64(s) * n >> 64


def chance(s: list[Any], options: Any, kind: int) -> int:
    """Returns one of `options`, at random or as scripted by a scenario. `kind` identifies the draw in the event
    log (see `CompiledMetadata.chances`)."""
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
    """Takes one random thing out of the bag whose `size` counts start at slot `base`. Returns -1 if the bag is
    empty."""
    counts = s[base : base + size]
    total = sum(counts)
    if not total:
        return -1
    found: int
    if s[SCRIPT]:
        found = s[SCRIPT].pop(0)
        if not 0 <= found < size or not counts[found]:
            raise RuleFault("F006", found=found)
    elif type(counts[0]) is not int:                               # the contents are masked on this copy, so the drawn thing is masked too
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
    """Returns `things` in random order (Fisher-Yates)."""
    out = list(things)
    for n in range(len(out) - 1, 0, -1):
        k = below(s, n + 1)
        out[n], out[k] = out[k], out[n]
    return tuple(out)


# ---------------------------------------------------------------- sets as masks

_BITS: dict[int, tuple[int, ...]] = {0: ()}
_NARROW = 1 << 64  # wider masks rarely repeat, so they are not cached
_CHUNK = 10
_LOW = (1 << _CHUNK) - 1
_CHUNKS: dict[int, list[tuple[int, ...]]] = {}  # for each 10-bit chunk of a mask: members by value. Threads may fill it together
BITS = _BITS.get  # compiled code tries this cache first: `BITS(mask) or bits(mask)`


def bits(mask: int) -> tuple[int, ...]:
    """Returns the members of a set in ascending order. Results for narrow masks are cached, because games ask for
    the same few repeatedly."""
    found = _BITS.get(mask)
    if found is None:
        found = ()
        rest, n = mask, 0
        while rest:
            if n not in _CHUNKS:
                _CHUNKS[n] = [tuple(n * _CHUNK + bit for bit in range(_CHUNK) if value >> bit & 1) for value in range(1 << _CHUNK)]
            found += _CHUNKS[n][rest & _LOW]
            rest >>= _CHUNK
            n += 1
        if mask < _NARROW:
            if len(_BITS) > 200_000:
                _BITS.clear()
            _BITS[mask] = found
    return found


def only(mask: int) -> int:
    """Returns the single member of a set, or -1 if it has none or several."""
    return mask.bit_length() - 1 if mask and not mask & (mask - 1) else -1


def without(things: tuple[Any, ...], removed: tuple[Any, ...]) -> tuple[Any, ...]:
    """Returns the list difference: each item of `removed` removes one occurrence."""
    out = list(things)
    for thing in removed:
        if thing in out:
            out.remove(thing)
    return tuple(out)


def first_key(pair: tuple[Any, ...]) -> Any:
    return pair[0]


def tiers(pairs: list[Any]) -> tuple[Any, ...]:
    """Returns the sets of tied members, best first, as masks. `pairs` are (negated value, member)."""
    groups: dict[Any, int] = {}
    for value, member in pairs:
        groups[value] = groups.get(value, 0) | 1 << member
    return tuple(groups[value] for value in sorted(groups))


def tiers_open(pairs: list[Any]) -> tuple[Any, ...]:
    """Returns the sets of tied things, best first, as frozensets. `pairs` are (negated value, thing)."""
    groups: dict[Any, set[Any]] = {}
    for value, member in pairs:
        groups.setdefault(value, set()).add(member)
    return tuple(frozenset(groups[value]) for value in sorted(groups))


def packed(things: int) -> int:
    """Returns the move code of a set. In Python both are the same number. The C backend converts between them."""
    return things


def unpacked(code: int) -> int:
    """Returns the set for a move code."""
    return code


def subsets_of(things: int, size: int) -> tuple[int, ...]:
    """Returns all subsets with `size` members, in the order of their members. Raises RuleFault (F012) if there are
    too many."""
    count = things.bit_count()
    many = comb(count, size) if 0 <= size <= count else 0
    if many > MAX_SUBSETS:
        raise RuleFault("F012", count=count, limit=MAX_SUBSETS)
    charge(many)
    return tuple(map(sum, combinations([1 << thing for thing in bits(things)], size))) if many else ()


def subsets(things: int) -> tuple[int, ...]:
    """Returns all subsets of a set, small ones first. Raises RuleFault (F012) if there are too many."""
    count = things.bit_count()
    if 1 << count > MAX_SUBSETS:
        raise RuleFault("F012", count=count, limit=MAX_SUBSETS)
    return tuple(part for size in range(count + 1) for part in subsets_of(things, size))


# ---------------------------------------------------------------- bags as counts by kind


def amounts(counts: tuple[int, ...], low: int, high: int) -> tuple[tuple[int, ...], ...]:
    """Returns all bags of `low` to `high` things from a bag, small ones first. Bags of one size begin with those that
    have most of the first kinds. Raises RuleFault (F012) if there are too many."""
    found: list[tuple[int, ...]] = []
    supply = [sum(counts[kind:]) for kind in range(len(counts) + 1)]              # of a kind and all kinds after it
    for size in range(max(low, 0), min(high, supply[0]) + 1):
        found += list_bags(counts, supply, size, MAX_SUBSETS - len(found))
    charge(len(found) * len(counts))
    return tuple(found)


def list_bags(counts: tuple[int, ...], supply: list[int], size: int, limit: int) -> list[tuple[int, ...]]:
    """Returns all bags of `size` things. Raises RuleFault (F012) if there are more than `limit`."""
    bags: list[tuple[int, ...]] = [()]
    for kind, count in enumerate(counts):
        longer: list[tuple[int, ...]] = []
        for bag in bags:
            rest = size - sum(bag)
            longer += [(*bag, many) for many in range(min(count, rest), max(0, rest - supply[kind + 1]) - 1, -1)]
            if len(longer) > limit:                                # each of them can be completed
                raise RuleFault("F012", count=supply[0], limit=MAX_SUBSETS)
        bags = longer
    return bags


def rank_bag(counts: Sequence[int]) -> int:
    """Returns the number of a bag in the order of `amounts`: among all bags of these kinds, small ones first.

    This is the combinatorial number system. The number does not depend on the largest size."""
    found = total = 0
    for kinds, count in enumerate(reversed(counts), 1):
        total += count
        found += comb(total + kinds - 1, kinds)
    return found


def unrank_bag(number: int, kinds: int) -> tuple[int, ...]:
    """Returns the bag with this number, as `rank_bag` counts."""
    counts: list[int] = []
    before = -1
    for left in range(kinds, 0, -1):
        total = 0
        while comb(total + left, left) <= number:
            total += 1
        number -= comb(total + left - 1, left)
        if before >= 0:
            counts.append(before - total)
        before = total
    return (*counts, before)


# ---------------------------------------------------------------- regions of bounded boards (masks; `near` as masks by cell)


def spread(start: int, cells: int, neighbours: tuple[Any, ...]) -> int:
    """Returns the cells of `cells` that are reachable from `start` through `cells` (flood fill)."""
    found = todo = start & cells
    while todo:
        low = todo & -todo
        todo ^= low
        new = neighbours[low.bit_length() - 1] & cells & ~found
        found |= new
        todo |= new
    return found


def flooded(start: int, cells: int, neighbours: tuple[Any, ...], recent: list[tuple[int, int, int]]) -> int:
    """Returns the same as `spread`, continuing from a cached result if cells were only added since.

    Growing regions are extended by the new cells instead of being searched again. `recent` holds the last
    results as (start, cells, found). It never affects the result."""
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
    while new:                                                     # new cells next to the old result are reachable too
        low = new & -new
        new ^= low
        if neighbours[low.bit_length() - 1] & found:
            todo |= low
    found |= spread(todo, cells & ~found, neighbours)
    recent[place] = recent[0]
    recent[0] = start, cells, found
    return found


def regions(cells: int, neighbours: tuple[Any, ...]) -> tuple[Any, ...]:
    """Returns the connected components of `cells`, ordered by their first cell."""
    out = []
    while cells:
        part = spread(cells & -cells, cells, neighbours)
        out.append(part)
        cells &= ~part
    return tuple(out)


def rim(cells: int, neighbours: tuple[Any, ...]) -> int:
    """Returns the neighbours of `cells` outside of `cells`."""
    out = 0
    for cell in bits(cells):
        out |= neighbours[cell]
    return out & ~cells


def within(start: int, steps: int, cells: int, neighbours: tuple[Any, ...]) -> int:
    """Returns the cells other than `start` that are reachable from it in at most `steps` steps through `cells`."""
    found = todo = 1 << start
    for _ in range(steps):
        new = 0
        for cell in bits(todo):
            new |= neighbours[cell]
        todo = new & cells & ~found
        if not todo:
            break
        found |= todo
    return found & ~(1 << start)


def coast(cells: int, neighbours: tuple[Any, ...], edge: int, every: int) -> int:
    """Returns the neighbours of `cells` that are connected to the outside without crossing `cells`. `edge` are the
    border cells of the board."""
    outside = spread(edge & ~cells, every & ~cells, neighbours)
    return rim(cells, neighbours) & outside


def put(found: dict[Any, Any], key: int, value: Any, default: Any) -> dict[Any, Any]:
    """Returns a copy of a sparse state with one entry changed. Entries equal to the default are not stored."""
    if len(found) > CHARGED_LIST_LENGTH:
        charge(len(found) >> 2)
    out = found.copy()
    if value == default:
        out.pop(key, None)
    else:
        out[key] = value
    return out
