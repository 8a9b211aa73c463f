"""Matches in lockstep, with one row of NumPy arrays for each: the basis of `ludoglot.api.vector`.

If the game runs in C, C steps the matches and encodes their actions and observations (dsl/backend_c/lockstep.h). A match
that C cannot continue goes on in Python until its end, with the same results."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from ...dsl.backend_c.ffi import NativeError, NativeLibrary
from ...dsl.backend_c.lockstep import LockstepArrays, NativeLockstep
from ...dsl.backend_c.marshal import GENERATOR_BIT_OFFSETS, WORD_MASK, NotMarshallableError
from ...dsl.ir.value_types import UnsupportedConstructError
from ...dsl.storage.control_slots import EVENTS, RANDOM, SCRIPT
from ..position.position import Position
from ..position.seeds import generator_from_seed
from .encoding import GameEncodings
from .fast_position import step_in_python
from .native_tables import NativeTableBuilder
from .returns import payoffs


class LockstepMatches:
    """Matches of a game that are stepped together.

    `generators` are the random generators that the next match of each row begins with. A match that ends or reaches the
    `limit` starts again in the same step. Methods that play raise RuleError."""

    def __init__(self, tables: GameEncodings, library: NativeLibrary | None, count: int, limit: int, threads: int = 1) -> None:
        self.tables, self.count, self.limit = tables, count, limit
        self.game = tables.game.loaded.game
        self.positions: dict[int, Position] = {}                   # the matches that run in Python
        self.skipped = np.zeros(count, np.uint8)                   # 1 for these matches
        self.chosen, self.status = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self.generators = np.zeros((count, len(GENERATOR_BIT_OFFSETS)), np.uint64)
        self.masks = np.zeros((count, len(tables.actions)), np.int8)
        self.observations = np.zeros((count, len(tables.observer)), np.int32)
        self.seats, self.rewards = np.zeros(count, np.int32), np.zeros((count, self.game.players), np.float64)
        self.done, self.truncated = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
        self.decided = np.zeros(count, np.int64)
        self.native = self._make_native(library, threads)

    def set_generators(self, seeds: npt.NDArray[np.int64], later: int = 0, all_rows: bool = True) -> None:
        """Sets the random generators with which the next matches begin, of all rows or of those whose match has just ended.

        There is one seed per match, and `later` is added to each."""
        if self.native is not None:
            self.native.seed(seeds.ctypes.data, later, all_rows)
            return
        for n in range(self.count) if all_rows else np.flatnonzero(self.done).tolist():
            state = generator_from_seed(int(seeds[n]) + later)
            self.generators[n] = [state >> at & WORD_MASK for at in GENERATOR_BIT_OFFSETS]

    def start_all(self) -> None:
        """Starts all matches."""
        for array in (self.masks, self.rewards, self.done, self.truncated, self.decided, self.skipped):
            array[:] = 0
        self.positions.clear()
        if self.native is None:
            for n in range(self.count):
                self._start_in_python(n)
        elif self.native.step(0, self.count, fresh=True):
            self._retry_failures(fresh=True)

    def find_illegal(self) -> int | None:
        """Returns the first match whose action in `chosen` is not legal, or None. A match that is over takes any action."""
        if self.native is not None:
            return self.native.find_illegal()
        return next((n for n, number in enumerate(self.chosen.tolist()) if self.seats[n] >= 0
                     and not (0 <= number < self.masks.shape[1] and self.masks[n, number])), None)

    def sample_actions(self, numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
        """Returns a legal action for each match, selected by a number from 0 to 1. It is 0 if the match is over."""
        out = np.zeros(self.count, np.int64)
        if self.native is not None:
            self.native.sample_actions(numbers.ctypes.data, out.ctypes.data)
            return out
        for n, mask in enumerate(self.masks):
            legal = mask.nonzero()[0]
            out[n] = legal[int(numbers[n] * len(legal))] if len(legal) else 0
        return out

    def step(self) -> None:
        """Plays the actions in `chosen`, which are legal."""
        python = list(self.positions)
        if self.native is not None and self.native.step(0, self.count):
            self._retry_failures(fresh=False)
        for n in python:
            self._step_in_python(n)

    def observe(self, viewers: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        """Returns what a seat of each match may see."""
        out = np.zeros_like(self.observations)
        if self.native is not None:
            self.native.observe(viewers.ctypes.data, out.ctypes.data)
        for n, position in self.positions.items():
            out[n] = self.tables.observer.encode_position(position, int(viewers[n]))
        return out

    def position(self, n: int) -> Position:
        """Returns a copy of the position of a match."""
        if n in self.positions:
            return self.positions[n].copy()
        assert self.native is not None
        s = list(self.game.module.initial)
        self.native.save(n, s)
        s[EVENTS] = s[SCRIPT] = None
        return Position(self.game, s)

    def continue_from(self, n: int, position: Position) -> None:
        """Continues a match from a position, in C if possible."""
        self._play_in_python(n, position)
        if self.native is not None and self.native.load(n, position.s):
            del self.positions[n]
            self.skipped[n] = 0

    # ------------------------------------------------------------ helpers

    def _make_native(self, library: NativeLibrary | None, threads: int) -> NativeLockstep | None:
        """Returns the matches in C. None if there is no library, or C does not support the values of the game."""
        if library is None:
            return None
        rows = (self.generators, self.chosen, self.skipped, self.masks, self.done, self.truncated, self.observations, self.seats,
                self.rewards, self.decided, self.status)
        try:
            built = NativeTableBuilder(library, self.tables.actions, self.tables.observer).build()
            return NativeLockstep(library, self.game.new_position().s, built, LockstepArrays(*(row.ctypes.data for row in rows)),
                                  self.count, self.limit, threads)
        except (UnsupportedConstructError, NativeError, NotMarshallableError, AttributeError, ValueError):
            return None

    def _retry_failures(self, fresh: bool) -> None:
        """Steps the matches that failed in C again, with more memory or in Python."""
        assert self.native is not None
        while (failed := np.flatnonzero(self.status).tolist()) and self.native.grow(set(self.status.tolist()), self._list_alive(fresh)):
            for n in failed:
                self.native.step(n, n + 1, fresh)
        for n in failed:
            self.status[n] = 0
            if fresh:
                self._start_in_python(n)
            else:
                self.positions[n], self.skipped[n] = self.position(n), 1
                self._step_in_python(n)

    def _list_alive(self, fresh: bool) -> Iterable[int]:
        """Returns the matches that have a position in C."""
        return [n for n in range(self.count) if not self.skipped[n] and not (fresh and self.status[n])]

    def _play_in_python(self, n: int, position: Position) -> None:
        """Continues a match in Python."""
        self.positions[n], self.skipped[n] = position, 1
        self._update_row(n)

    def _start_in_python(self, n: int) -> None:
        """Starts a match in Python."""
        position = self.game.new_position()
        position.s[RANDOM] = sum(int(word) << at for word, at in zip(self.generators[n], GENERATOR_BIT_OFFSETS))
        position.run_to_decision()
        self._play_in_python(n, position)

    def _step_in_python(self, n: int) -> None:
        """Steps a match in Python. If a match starts after it, that one runs in C if possible."""
        position = self.positions[n]
        if not position.over:
            step_in_python(position, self.tables.actions.legal_actions(position)[int(self.chosen[n])])
            self.decided[n] += 1
        over, cut = position.over, not position.over and bool(self.decided[n] >= self.limit)
        rewards = payoffs(position) if over else [0.0] * self.game.players
        if over or cut:
            self._start_next(n)
        else:
            self._update_row(n)
        self.done[n], self.truncated[n], self.rewards[n] = over or cut, cut, rewards

    def _start_next(self, n: int) -> None:
        """Starts the next match in the row of one that has ended."""
        del self.positions[n]
        self.masks[n] = self.skipped[n] = self.decided[n] = 0
        if self.native is not None and not self.native.step(n, n + 1, fresh=True):
            return
        self.status[n] = 0
        self._start_in_python(n)

    def _update_row(self, n: int) -> None:
        """Writes the arrays of a match that runs in Python."""
        position = self.positions[n]
        decision = position.decision
        self.masks[n] = 0
        self.masks[n, list(self.tables.actions.legal_actions(position))] = 1
        self.seats[n] = -1 if decision is None else decision.seat
        self.observations[n] = self.tables.observer.encode_position(position, 0 if decision is None else decision.seat)
