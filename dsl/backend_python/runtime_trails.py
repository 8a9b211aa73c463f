"""The search for the longest trail, which compiled rules call for the fold `longest`, and the ways that a search for
any way found last. trails.h is the same in C."""

from __future__ import annotations

from ..ir.limits import MAX_WAY_NUMBERS, STEPS_PER_VISIT, WAYS_FROM_PLACE
from .runtime import bits, charge

# a step: the place before it, the thing that it uses, the place after it, and its cost
Step = tuple[int, int, int, int]


def longest_trail(steps: list[Step], starts: int, through: int, visits_once: int) -> int:
    """Returns the highest cost of a trail: a sequence of steps, each from the place where the one before it ends, that
    uses no thing twice.

    A trail begins in `starts`. Only its first and its last place may lie outside of `through`. With `visits_once`, the
    things are places, and the place where the trail begins is used too."""
    best = 0
    exits: dict[int, list[Step]] = {}
    for step in steps:
        exits.setdefault(step[0], []).append(step)
    for start in bits(starts):
        if start in exits:
            best = _extend_trail(start, exits, through, visits_once, best)
    return best


def _extend_trail(start: int, exits: dict[int, list[Step]], through: int, visits_once: int, best: int) -> int:
    """Returns the highest cost of a trail that begins at `start`, or `best` if that is higher.

    This is a depth-first search with an upper bound: the cost of all things that are not used yet. If each thing joins
    the same two places in all steps, the bound is lower. At a place with an odd number of unused things, one of them
    stays unused, unless the trail ends there. Outside of `through`, each thing counts as an end of its own."""
    worth: dict[int, int] = {}                                     # the highest cost of each thing in reach
    ends: dict[int, int] = {}                                      # the places that each thing joins
    is_graph = True
    reached, todo = 1 << start, [start]
    while todo:
        charge(STEPS_PER_VISIT)
        for here, thing, there, cost in exits.get(todo.pop(), ()):
            worth[thing] = max(cost, worth.get(thing, 0))
            joined = 1 << here | 1 << there
            is_graph &= ends.setdefault(thing, joined) == joined
            if not reached >> there & 1:
                reached |= 1 << there
                if through >> there & 1:
                    todo.append(there)
    least = min(worth.values()) if is_graph else 0
    total, left, taken, odd, loose = 0, sum(worth.values()), 1 << start if visits_once else 0, 0, 0
    for joined in ends.values():
        odd ^= joined & through
        loose += (joined & ~through).bit_count()
    stack = []
    options = iter(exits[start])
    while True:
        for _here, thing, there, cost in options:
            if taken >> thing & 1:
                continue
            reach = total + cost
            best = max(best, reach)
            if not through >> there & 1 or there not in exits:
                continue
            rest = left - worth[thing]
            odd_rest, loose_rest = odd ^ ends[thing] & through, loose - (ends[thing] & ~through).bit_count()
            unused = ((odd_rest & ~(1 << there)).bit_count() + loose_rest) // 2
            if reach + rest - unused * least > best:
                charge(STEPS_PER_VISIT)
                stack.append((options, total, left, taken, odd, loose))
                options, total, left, taken, odd, loose = iter(exits[there]), reach, rest, taken | 1 << thing, odd_rest, loose_rest
                break
        else:
            if not stack:
                return best
            options, total, left, taken, odd, loose = stack.pop()


def recall_ways(recent: list[tuple[int, ...]], start: int) -> tuple[int, ...]:
    """Returns the steps of the last ways that began at `start`, the newest way first. They may be impossible by now."""
    return next((steps for steps in recent if steps and steps[1] == start), ())


def note_way(recent: list[tuple[int, ...]], log: list[int], width: int) -> None:
    """Keeps the way that ends with the last step in `log`.

    A step in `log` is `width` numbers: the number of the step before it (-1 for a start), the place before it, and the
    rest. In `recent`, the first number is how far the end of its way is."""
    way: list[int] = []
    at = len(log) - width
    while log[at] >= 0:
        way[:0] = (len(way) + width, *log[at + 1:at + width])
        at = log[at] * width
    if len(way) > MAX_WAY_NUMBERS:
        return
    place = next((n for n, steps in enumerate(recent) if steps and steps[1] == way[1]), len(recent) - 1)
    older = recent[place] if recent[place][1:2] == (way[1],) else ()
    steps, end = (*way, *older), len(way)
    for _ in range(WAYS_FROM_PLACE - 1):
        if end < len(steps) and end + steps[end] <= MAX_WAY_NUMBERS:
            end += steps[end]
    recent.insert(0, steps[:end])
    del recent[place + 1]
