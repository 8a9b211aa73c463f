"""Many matches of a game in lockstep, with NumPy arrays: `ludoglot.api.vector` returns a `Vector`.

If the game runs in C, C steps the matches and encodes their actions and observations (dsl/backend_c/lockstep.h). A match
that C cannot continue goes on in Python until its end, with the same results."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...dsl.backend_c.ffi import NativeError
from ...dsl.backend_c.lockstep import LockstepArrays, NativeLockstep
from ...dsl.backend_c.marshal import NotMarshallableError
from ...dsl.ir.value_types import UnsupportedConstructError
from ...dsl.storage.control_slots import EVENTS, SCRIPT
from ..position.position import Position, RuleError
from ..position.seeds import generator_from_seed
from .bots import compile_game_now
from .encoding import GameEncodings
from .errors import ApiError, engine_sentence, raise_api_errors
from .loading import Game
from .native_tables import NativeTableBuilder
from .returns import payoffs

SEED_BITS = 40                                                     # of the first seed if the program gives none


class Vector:
    """Matches of a game that are stepped together. Get one from `ludoglot.api.vector`.

    The arrays have one row per match. Each step writes to the same arrays, so copy the rows that you keep. You cannot
    write to them.

    Attributes:
        game: The game.
        tables: The meaning of numbers, as for PettingZoo.
        count: The number of matches.
        native: Whether the matches run in C.
        seats: The seat that decides in each match.
        observations: What this seat may see.
        masks: 1 for each legal action of this seat, else 0.
        rewards: The payoff of each seat. All are 0 unless the last step ended the match.
        done: Whether the last step ended a match. Its row then belongs to the next match already.
        truncated: Whether the match was cut off because it was too long.
        decided: The number of decisions in each match so far.
        seeds: The seed of each match. `game.start(seed)` starts the same match."""

    def __init__(self, game: Game, count: int, seed: int | Sequence[int] | None, limit: int, threads: int) -> None:
        if count < 1 or threads < 1 or limit < 1:
            raise ApiError(engine_sentence(game.lang, "api.vector_count"))
        self.game, self.count, self.limit, self.tables = game, count, limit, GameEncodings(game)
        columns, actions, seats = len(self.tables.observer), len(self.tables.actions), game.players
        self._positions: dict[int, Position] = {}                  # the matches that run in Python
        self._skipped = np.zeros(count, np.uint8)                  # 1 for these matches
        self._chosen, self._status = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self._randoms = np.zeros(count, np.uint64)                 # the random generator of the next match
        self._arrays: dict[str, npt.NDArray[Any]] = {
            "observations": np.zeros((count, columns), np.int32), "masks": np.zeros((count, actions), np.int8),
            "seats": np.zeros(count, np.int32), "rewards": np.zeros((count, seats), np.float64), "done": np.zeros(count, np.bool_),
            "truncated": np.zeros(count, np.bool_), "decided": np.zeros(count, np.int64), "seeds": np.zeros(count, np.int64)}
        views = {name: array.view() for name, array in self._arrays.items()}
        for view in views.values():
            view.flags.writeable = False
        self.observations, self.masks, self.seats, self.rewards = (views[name] for name in ("observations", "masks", "seats", "rewards"))
        self.done, self.truncated, self.decided, self.seeds = (views[name] for name in ("done", "truncated", "decided", "seeds"))
        self._lockstep = self._make_lockstep(threads)
        self.reset(secrets.randbits(SEED_BITS) if seed is None else seed)

    def __repr__(self) -> str:
        return f"<Vector of {self.game.id}: {self.count} match{'es' * (self.count != 1)}{' in C' * self.native}>"

    @property
    def native(self) -> bool:
        """Whether the matches run in C."""
        return self._lockstep is not None

    def reset(self, seed: int | Sequence[int] | None = None) -> None:
        """Starts all matches again.

        Arguments:
            seed: The seed of the first match, or one seed per match (default: the next seeds).

        Raises:
            ApiError: The seeds do not fit, or a rule fails."""
        arrays = self._arrays
        first = self.seeds + self.count if seed is None else seed + np.arange(self.count) if isinstance(seed, int) else np.asarray(seed)
        if first.shape != (self.count,) or first.dtype.kind not in "iu":
            raise ApiError(engine_sentence(self.game.lang, "api.vector_seeds", count=self.count))
        arrays["seeds"][:] = first
        for name in ("masks", "rewards", "done", "truncated", "decided"):
            arrays[name][:] = 0
        self._positions.clear()
        self._skipped[:] = 0
        self._randoms[:] = [generator_from_seed(int(one)) for one in self.seeds]
        if self._lockstep is not None:
            self._lockstep.step(0, self.count, fresh=True)
            self._retry_failures(fresh=True)
        else:
            for n in range(self.count):
                self._start_in_python(n)
        self._prepare_seeds(range(self.count))

    def step(self, actions: npt.ArrayLike) -> None:
        """Plays one action in each match. A match that ends starts again at once, with the next seed.

        Arguments:
            actions: The number of a legal action for each match.

        Raises:
            ApiError: An action is not legal. Then nothing has changed. Or a rule fails. Then call `reset`."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.count,) or chosen.dtype.kind not in "iu":
            raise ApiError(engine_sentence(self.game.lang, "api.vector_actions", count=self.count))
        inside = (chosen >= 0) & (chosen < self.masks.shape[1])
        legal = inside & (self.masks[np.arange(self.count), np.where(inside, chosen, 0)] == 1) | (self.seats < 0)
        if not legal.all():
            n = int(np.argmin(legal))
            raise ApiError(engine_sentence(self.game.lang, "api.vector_action", number=str(chosen[n]), match=n))
        self._chosen[:] = chosen
        python = list(self._positions)
        if self._lockstep is not None:
            self._lockstep.step(0, self.count)
            self._retry_failures(fresh=False)
        for n in python:
            self._step_in_python(n)
        ended = np.flatnonzero(self.done)
        if len(ended):
            self._arrays["seeds"][ended] += self.count
            self._prepare_seeds(ended.tolist())

    def observe(self, seats: int | npt.ArrayLike) -> npt.NDArray[np.int32]:
        """Returns what a seat of each match may see, as `observations` has it for the seat that decides.

        Arguments:
            seats: One seat for all matches, or one seat per match.

        Raises:
            ApiError: There is no such seat."""
        viewers = np.ascontiguousarray(np.broadcast_to(np.asarray(seats, np.int64), self.count))
        wrong = (viewers < 0) | (viewers >= self.game.players)
        if wrong.any():
            raise ApiError(engine_sentence(self.game.lang, "usage.seat", given=int(viewers[np.argmax(wrong)]), last=self.game.players - 1))
        out = np.zeros_like(self.observations)
        if self._lockstep is not None:
            self._lockstep.observe(viewers.ctypes.data, out.ctypes.data)
        for n, position in self._positions.items():
            out[n] = self.tables.observer.encode_position(position, int(viewers[n]))
        return out

    def position(self, match: int) -> Position:
        """Returns a copy of the engine's own position of a match. It contains everything, including hidden values.

        Arguments:
            match: The number of the match, from 0."""
        if match in self._positions:
            return self._positions[match].copy()
        assert self._lockstep is not None
        inner = self.game.loaded.game
        s = list(inner.module.initial)
        self._lockstep.save(match, s)
        s[EVENTS] = s[SCRIPT] = None
        return Position(inner, s)

    # ------------------------------------------------------------ helpers

    def _make_lockstep(self, threads: int) -> NativeLockstep | None:
        """Returns the matches in C. None if C does not support the game, or there is no compiler."""
        found = compile_game_now(self.game.loaded).found
        if found is None:
            return None
        arrays, data = self._arrays, {name: array.ctypes.data for name, array in self._arrays.items()}
        assert all(array.flags.c_contiguous for array in arrays.values())
        places = LockstepArrays(
            self._randoms.ctypes.data, self._chosen.ctypes.data, self._skipped.ctypes.data, data["masks"], data["done"], data["truncated"],
            data["observations"], data["seats"], data["rewards"], data["decided"], self._status.ctypes.data)
        try:
            built = NativeTableBuilder(found.library, self.tables.actions, self.tables.observer).build()
            return NativeLockstep(found.library, self.game.loaded.game.new_position().s, built, places, self.count, self.limit, threads)
        except (UnsupportedConstructError, NativeError, NotMarshallableError, AttributeError, ValueError):
            return None

    def _prepare_seeds(self, matches: Sequence[int]) -> None:
        """Prepares the random generators of the matches that follow these."""
        for n in matches:
            self._randoms[n] = generator_from_seed(int(self.seeds[n]) + self.count)

    def _retry_failures(self, fresh: bool) -> None:
        """Steps the matches that failed in C again, with more memory or in Python."""
        assert self._lockstep is not None
        for n in np.flatnonzero(self._status).tolist():
            status = int(self._status[n])
            alive = [other for other in range(self.count) if not fresh or not self._status[other]]
            while status and self._lockstep.retry(n, status, alive, fresh):
                status = int(self._status[n])
            if status:
                self._status[n] = 0
                if fresh:
                    self._start_in_python(n)
                    continue
                self._positions[n] = self.position(n)
                self._skipped[n] = 1
                self._step_in_python(n)

    def _start_in_python(self, n: int, later: int = 0) -> None:
        """Starts a match in Python. `later` is added to its seed."""
        with raise_api_errors(self.game.lang):
            self._positions[n] = self.game.loaded.game.start(int(self.seeds[n]) + later)
        self._skipped[n] = 1
        self._update_row(n)

    def _step_in_python(self, n: int) -> None:
        """Steps a match in Python. After its end, the next match runs in C if possible."""
        position, arrays = self._positions[n], self._arrays
        with raise_api_errors(self.game.lang):
            if not position.over:
                code = self.tables.actions.legal_actions(position)[int(self._chosen[n])]
                try:
                    position.step(code)
                except Exception as error:
                    raise RuleError(position.game.diagnose_fault(error, error.__traceback__, position.s)) from error
                arrays["decided"][n] += 1
            over, cut = position.over, not position.over and self.decided[n] >= self.limit
            rewards = payoffs(position) if over else [0.0] * self.game.players
        if over or cut:
            self._start_next(n)
        else:
            self._update_row(n)
        arrays["done"][n], arrays["truncated"][n], arrays["rewards"][n] = over or cut, cut, rewards

    def _start_next(self, n: int) -> None:
        """Starts the next match in the row of one that has ended."""
        self._arrays["masks"][n] = 0
        del self._positions[n]
        self._skipped[n] = 0
        if self._lockstep is not None:
            self._lockstep.step(n, n + 1, fresh=True)
            if not self._status[n]:
                return
            self._status[n] = 0
        self._start_in_python(n, later=self.count)
        self._arrays["decided"][n] = 0

    def _update_row(self, n: int) -> None:
        """Writes the arrays of a match that runs in Python."""
        position, arrays = self._positions[n], self._arrays
        decision = position.decision
        arrays["masks"][n] = 0
        arrays["masks"][n, list(self.tables.actions.legal_actions(position))] = 1
        arrays["seats"][n] = -1 if decision is None else decision.seat
        arrays["observations"][n] = self.tables.observer.encode_position(position, 0 if decision is None else decision.seat)
