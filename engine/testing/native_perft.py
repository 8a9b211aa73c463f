"""Perft in C: counts lines of play on all processors, where the rules are compiled."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import AbstractContextManager
from threading import local

from ...dsl.backend_c.ffi import COUNT_ENTRY_WORDS, NativeContext, NativeError
from ...dsl.backend_c.marshal import NotMarshallableError
from ...dsl.storage.control_slots import PC
from ..bots.native import NativeGame
from ..position.position import Game, Position
from .perft import PerftCount, count_perft, iter_children, iter_turn_children

MIN_NATIVE_LINES = 1_000         # Python counts fewer lines than this itself
MIN_COMPILED_LINES = 20_000      # a compilation takes longer than Python needs for fewer lines than this
KNOWN_POSITIONS = 1 << 18        # entries of a thread's table of counted positions
MIN_TASKS_PER_THREAD = 32        # so that all threads end at about the same time
# Given the number of tasks, it yields a function that reports finished ones.
TrackTasks = Callable[[int], AbstractContextManager[Callable[[int], None]]]


class NativeRules:
    """The rules compiled to C, as soon as a count is large enough for them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.native: NativeGame | None = None

    def get_native(self, expected_lines: int) -> NativeGame | None:
        """Returns the compiled rules if a count of so many lines takes less time with them.

        It waits for the compiler only if Python would need even longer."""
        if expected_lines < MIN_NATIVE_LINES:
            return None
        if self.native is None:
            self.native = NativeGame(self.game, make=False)
        self.native.wait()
        if self.native.found is None and expected_lines >= MIN_COMPILED_LINES and not self.native.made_now:
            self.native = NativeGame(self.game)
            self.native.wait()
        return self.native if self.native.found is not None else None

    @property
    def is_hindered(self) -> bool:
        """Whether a long count had to run in Python."""
        return self.native is not None and self.native.made_now and self.native.found is None


def count_perft_fast(position: Position, depth: int, turns: bool, rules: NativeRules, track_tasks: TrackTasks) -> Iterator[PerftCount]:
    """Yields the same counts as `count_perft` without a script and without positions.

    Python counts the first depths. C takes over from the first depth that would take Python long. In C, a last decision is
    not carried out if the game has no chance, so an error there is found at the next depth."""
    in_python = count_perft(position, depth, turns)
    before, lines = 1, 1
    for n in range(1, depth + 1):
        native = rules.get_native(lines * lines // before)
        before = lines
        if native is not None:
            lines = NativePerft(position, native, turns).count(n, track_tasks)
            yield PerftCount(n, lines)
        else:
            found = next(in_python)
            lines = found.lines
            yield found
        if not lines:
            return


class NativePerft:
    """Counts the lines from one position in C. The first decisions are made in Python, and each result is a task of a thread."""

    def __init__(self, position: Position, native: NativeGame, turns: bool) -> None:
        assert native.found is not None
        self.position, self.turns, self.library = position, turns, native.found.library
        self.threads = os.cpu_count() or 1
        self.stop = array("q", [0])
        self.contexts = local()

    def count(self, depth: int, track_tasks: TrackTasks) -> int:
        """Returns the number of lines of a depth. Raises RuleError and UnscriptedChanceError."""
        tasks, left = [self.position], depth
        expand = iter_turn_children if self.turns else iter_children
        while left > 1 and 0 < len(tasks) < MIN_TASKS_PER_THREAD * self.threads:
            tasks = [after for before in tasks for after, _ in expand(before, [])]
            left -= 1
        tasks = [position for position in tasks if position.s[PC]]
        with ThreadPoolExecutor(self.threads) as pool, track_tasks(len(tasks)) as report_done:
            try:
                counting = [pool.submit(self.count_task, position, left) for position in tasks]
                lines = 0
                for task in as_completed(counting):
                    lines += task.result()
                    report_done(1)
            except BaseException:
                self.stop[0] = 1
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return lines

    def count_task(self, position: Position, depth: int) -> int:
        """Returns the number of lines from a position. Python counts them if C cannot."""
        if not hasattr(self.contexts, "own"):
            self.contexts.own = NativeContext(self.library)
            self.contexts.table = array("q", bytes(8 * COUNT_ENTRY_WORDS * KNOWN_POSITIONS))
        try:
            self.contexts.own.load(position.s)
            return int(self.contexts.own.count_lines(depth, self.turns, self.stop, self.contexts.table))
        except (NativeError, NotMarshallableError):
            return 0 if self.stop[0] else [*count_perft(position, depth, self.turns)][-1].lines
