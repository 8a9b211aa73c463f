"""Many matches of a game with NumPy arrays and one seed each: `ludoglot.api.vector` returns a `Vector`."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..position.position import Position
from .bots import make_library
from .encoding import GameEncodings
from .errors import ApiError, engine_sentence, raise_api_errors
from .loading import Game
from .lockstep_matches import LockstepMatches

RESULT_ARRAYS = ("decided", "done", "truncated", "rewards")        # that do not follow from a position
MAX_SEED = 10**18                                                  # leaves room for the seeds of later matches
SEED_BITS = 40                                                     # of the first seed if the program gives none


class Vector:
    """Matches of a game that are stepped together. Get one from `ludoglot.api.vector`.

    The arrays have one row per match. Each step writes to the same arrays, so copy the rows that you keep. You cannot
    write to them.

    Attributes:
        game: The game.
        tables: The meaning of numbers, as for PettingZoo.
        count: The number of matches.
        seats: The seat that decides in each match.
        observations: The observation of this seat, without hidden state.
        masks: 1 for each legal action of this seat, else 0.
        rewards: The payoff of each seat. All are 0 unless the last step ended the match.
        done: Whether the last step ended a match. Its row then belongs to the next match already.
        truncated: Whether the match was cut off because it was too long.
        decided: The number of decisions in each match so far.
        seeds: The seed of each match. `game.start(seed)` starts the same match."""

    def __init__(self, game: Game, count: int, seed: int | Sequence[int] | None, limit: int, threads: int) -> None:
        if count < 1 or threads < 1 or limit < 1:
            raise ApiError(engine_sentence(game.lang, "api.vector_count"))
        self.game, self.count, self.tables, self._threads = game, count, GameEncodings(game), threads
        try:
            self._matches = matches = LockstepMatches(self.tables, make_library(game.loaded), count, limit, threads=threads)
        except (MemoryError, ValueError):                          # NumPy raises ValueError for a size that no machine has
            raise ApiError(engine_sentence(game.lang, "api.vector_memory", count=count)) from None
        self._seeds = np.zeros(count, np.int64)
        self.masks = make_read_only(matches.masks)
        self.seats, self.observations = map(make_read_only, (matches.seats, matches.observations))
        self.rewards, self.decided, self.seeds = map(make_read_only, (matches.rewards, matches.decided, self._seeds))
        self.done, self.truncated = map(make_read_only, (matches.done, matches.truncated))
        self.reset(secrets.randbits(SEED_BITS) if seed is None else seed)

    def __repr__(self) -> str:
        return f"<Vector of {self.game.id}: {self.count} match{'es' * (self.count != 1)}{' in C' * self.native}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Returns how copies and pickles store the matches: as their positions and seeds."""
        matches = self._matches
        results = {name: getattr(matches, name).copy() for name in RESULT_ARRAYS}
        positions = [matches.position(n).to_data() for n in range(self.count)]
        return restore_vector, (self.game, matches.limit, self._threads, self._seeds.tolist(), positions, results)

    @property
    def native(self) -> bool:
        """Whether the matches run in C."""
        return self._matches.native is not None

    def reset(self, seed: int | Sequence[int] | None = None) -> None:
        """Starts all matches again.

        Arguments:
            seed: The seed of the first match, or one seed per match (default: the next seeds).

        Raises:
            ApiError: The seeds do not fit, or a rule fails."""
        self._seeds[:] = self.seeds + self.count if seed is None else self._check_seeds(seed)
        self._matches.set_generators(self._seeds)
        with raise_api_errors(self.game.lang):
            self._matches.start_all()
        self._matches.set_generators(self._seeds, later=self.count)

    def step(self, actions: npt.ArrayLike) -> None:
        """Plays one action in each match. A match that ends starts again at once, with the next seed.

        Arguments:
            actions: The number of a legal action for each match.

        Raises:
            ApiError: An action is not legal. Then nothing has changed. Or a rule fails. Then call `reset`."""
        chosen, matches = np.asarray(actions), self._matches
        if chosen.shape != (self.count,) or chosen.dtype.kind not in "iu":
            raise ApiError(engine_sentence(self.game.lang, "api.vector_actions", count=self.count))
        matches.chosen[:] = chosen
        wrong = matches.find_illegal()
        if wrong is not None:
            raise ApiError(engine_sentence(self.game.lang, "api.vector_action", number=str(chosen[wrong]), match=wrong))
        with raise_api_errors(self.game.lang):
            matches.step()
        if matches.done.any():
            self._seeds[matches.done] += self.count
            matches.set_generators(self._seeds, later=self.count, all_rows=False)

    def sample(self, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """Returns a random legal action for each match.

        Arguments:
            rng: The random generator, such as `numpy.random.default_rng(1)`."""
        return self._matches.sample_actions(rng.random(self.count))

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
        return self._matches.observe(viewers)

    def position(self, match: int) -> Position:
        """Returns a copy of the engine's own position of a match. It contains everything, including hidden values.

        Arguments:
            match: The number of the match, from 0."""
        return self._matches.position(match)

    def _check_seeds(self, seed: int | Sequence[int]) -> npt.NDArray[Any]:
        """Returns one seed per match. Raises ApiError."""
        is_first = isinstance(seed, int) and abs(seed) < MAX_SEED
        found = np.arange(self.count) + seed if is_first else np.asarray(seed)
        if found.shape != (self.count,) or found.dtype.kind not in "iu" or not ((found > -MAX_SEED) & (found < MAX_SEED)).all():
            raise ApiError(engine_sentence(self.game.lang, "api.vector_seeds", count=self.count))
        return found


def restore_vector(game: Game, limit: int, threads: int, seeds: list[int], positions: list[dict[str, Any]],
                   results: dict[str, npt.NDArray[Any]]) -> Vector:
    """Returns the matches of a copy or a pickle."""
    found = Vector(game, len(seeds), seeds, limit, threads)
    for n, position in enumerate(positions):
        found._matches.continue_from(n, Position.from_data(game.loaded.game, position))
    for name, values in results.items():
        getattr(found._matches, name)[:] = values
    return found


def make_read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Returns a view of an array that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view
