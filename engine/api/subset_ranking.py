"""Numbers subsets by size, and within a size by their highest members (the combinatorial number system).

The number of a set does not depend on the largest size allowed."""

from __future__ import annotations

from math import comb


def count_subsets(members: int, most: int) -> int:
    """Returns the number of subsets with at most `most` of `members` members."""
    return sum(comb(members, size) for size in range(min(members, most) + 1))


def rank_subset(members: int, things: int) -> int:
    """Returns the number of a subset. `things` is its bitmask."""
    size = things.bit_count()
    found, place, rest = count_subsets(members, size - 1), 0, things
    while rest:
        member = (rest & -rest).bit_length() - 1
        rest &= rest - 1
        place += 1
        found += comb(member, place)
    return found


def unrank_subset(members: int, number: int) -> int:
    """Returns the bitmask of the subset with this number."""
    size = 0
    while number >= comb(members, size):
        number -= comb(members, size)
        size += 1
    things = 0
    for place in range(size, 0, -1):
        member = next(n for n in range(members - 1, -1, -1) if comb(n, place) <= number)
        number -= comb(member, place)
        things |= 1 << member
    return things
