"""Names of the people at a table, which all differ."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def number_name(name: str, others: Collection[str]) -> str:
    """Returns a name that nobody else has: `Anna`, or `Anna 2` for the second one."""
    taken, found, number = {other.casefold() for other in others}, name, 1
    while name and found.casefold() in taken:
        found, number = f"{name} {number + 1}", number + 1
    return found


def number_names(names: Sequence[str]) -> list[str]:
    """Returns names that all differ."""
    found: list[str] = []
    for name in names:
        found.append(number_name(name, found))
    return found
