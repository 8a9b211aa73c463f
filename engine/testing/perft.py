"""How much may be played: how many lines of play there are to a depth, and to how many positions they lead.

Two programs that know the same rules count the same numbers, so numbers that others have published show at once that nothing is missing
and nothing is too much. A line that ends the game is counted at the depth where it ends, and not below.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...dsl.storage.control_slots import OPTIONS, PC, RANDOM, SCRIPT, SEAT
from ..position.position import Game, Position, RuleError


class UnscriptedChanceError(Exception):
    """Chance was asked for more than was written down for it: then the lines cannot be counted. `key` is the decision before it."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


@dataclass(frozen=True)
class PerftCount:
    """What there is at a depth; `positions` where they were asked for."""

    depth: int
    lines: int
    positions: int | None = None


def count_perft(position: Position, depth: int, turns: bool = False, positions: bool = False,
           script: list[int] | None = None) -> Iterator[PerftCount]:
    """The counts of each depth up to `depth`, in decisions, or in turns: all that one seat decides before another does. `script` is what
    chance gives along each line. With `positions`, lines that meet go on together. Raises Thrown and RuleError."""
    level: dict[Any, tuple[Position, list[int], int]] = {0: (position, script or [], 1)}
    for n in range(1, depth + 1):
        found: dict[Any, tuple[Position, list[int], int]] = {}
        lines = 0
        for before, left, times in level.values():
            for after, rest in (iter_turn_children if turns else iter_children)(before, left):
                lines += times
                if positions or n < depth:
                    key = (after.canonical(), tuple(rest)) if positions else len(found)
                    known = found.get(key)
                    found[key] = (after, rest, times + (known[2] if known else 0))
        yield PerftCount(n, lines, len(found) if positions else None)
        level = found


def iter_children(position: Position, script: list[int]) -> Iterator[tuple[Position, list[int]]]:
    """The positions one decision on, each with what chance has left to give."""
    for code in position.s[OPTIONS] if position.s[PC] else ():
        after, rest = position.copy(), script.copy()
        s = after.s
        s[SCRIPT] = rest or None
        try:
            after.step(code)
        except Exception as error:
            raise RuleError(after.game.diagnose_fault(error, error.__traceback__, s)) from error
        s[SCRIPT] = None
        if s[RANDOM] != position.s[RANDOM]:
            assert position.decision is not None
            raise UnscriptedChanceError(position.decision.key)
        yield after, rest


def iter_turn_children(position: Position, script: list[int]) -> Iterator[tuple[Position, list[int]]]:
    """The positions at the ends of the turn of who decides now."""
    for after, rest in iter_children(position, script):
        if after.s[PC] and after.s[SEAT] == position.s[SEAT]:
            yield from iter_turn_children(after, rest)
        else:
            yield after, rest


def parse_chance(game: Game, word: str) -> int | None:
    """What chance gives, as scenarios write it: a number thrown, or a member of something that this game draws. None: no such thing."""
    if word.lstrip("-").isdecimal():
        return int(word)
    of, _, member = word.rpartition(".")
    drawn = [game.model.enums[name] for name, _ in game.module.chances if name and of in ("", name)]
    return next((enum.index[member] for enum in drawn if member in enum.index), None)
