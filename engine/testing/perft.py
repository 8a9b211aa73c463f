"""Perft: counts the lines of play up to a depth, and the positions that they reach.

Two implementations of the same rules give the same counts, so published numbers reveal missing or extra moves
at once. A line that ends the game is counted at the depth where it ends, and not below."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...dsl.storage.control_slots import OPTIONS, PC, RANDOM, SCRIPT, SEAT
from ..errors import MessageError
from ..position.position import Game, Position, RuleError


class UnscriptedChanceError(MessageError):
    """Raised if the rules use more random values than the script provides: then lines cannot be counted."""


@dataclass(frozen=True)
class PerftCount:
    """The counts at one depth. `positions` is None unless it was requested."""

    depth: int
    lines: int
    positions: int | None = None


def count_perft(position: Position, depth: int, turns: bool = False, positions: bool = False,
           script: list[int] | None = None) -> Iterator[PerftCount]:
    """Yields the counts of each depth up to `depth`, in decisions, or in turns if `turns` is set.

    A turn is all consecutive decisions of one seat. `script` has the random values that each line of play uses.
    With `positions`, lines that reach the same position are merged. Raises UnscriptedChanceError and RuleError."""
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
    """Yields the positions after one decision, each with the random values that are left."""
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
            raise UnscriptedChanceError("count.chance", key=position.decision.key)
        yield after, rest


def iter_turn_children(position: Position, script: list[int]) -> Iterator[tuple[Position, list[int]]]:
    """Yields the positions after the turn of the seat that decides now."""
    for after, rest in iter_children(position, script):
        if after.s[PC] and after.s[SEAT] == position.s[SEAT]:
            yield from iter_turn_children(after, rest)
        else:
            yield after, rest


def parse_chance(game: Game, word: str) -> int | None:
    """Returns a random value written as in scenarios: a number, or a member that this game draws.

    None if there is no such value."""
    if word.lstrip("-").isdecimal():
        return int(word)
    of, _, member = word.rpartition(".")
    drawn = [game.model.enums[name] for name, _ in game.module.chances if name and of in ("", name)]
    return next((enum.index[member] for enum in drawn if member in enum.index), None)
