"""Positions that programs step: in C if the game is compiled, and in Python otherwise, with the same results.

They record no events. `Match` and the adapters for PettingZoo and OpenSpiel play on them."""

from __future__ import annotations

from typing import Any

from ...dsl.backend_c.ffi import NativeError, NativeLibrary
from ...dsl.backend_c.marshal import NotMarshallableError
from ...dsl.backend_c.single_match import MatchRunner, NotOfferedError, SingleMatch
from ...dsl.storage.control_slots import EVENTS, FIRST_STATE_SLOT, OPTIONS, PC, ROUND, SCRIPT, SEAT
from ..position.position import Game, Position, RuleError
from ..position.ranking import rank_seats
from ..position.seeds import Seed, generator_from_seed
from .returns import payoffs, payoffs_of_standing


def make_runner(game: Game, library: NativeLibrary | None) -> MatchRunner | None:
    """Returns the runner that steps positions of a game in C, or None if C cannot."""
    try:
        return None if library is None else MatchRunner(library, game.new_position().s)
    except (NativeError, NotMarshallableError, AttributeError):
        return None


def step_in_python(position: Position, code: int) -> None:
    """Plays an option that is legal, without recording events. Raises RuleError, and then nothing has changed."""
    before = position.s.copy()
    try:
        position.step(code)
    except Exception as error:
        fault = position.game.diagnose_fault(error, error.__traceback__, position.s)
        position.s[:] = before
        raise RuleError(fault) from error


class FastPosition:
    """A position that is stepped by the codes of options.

    Attributes:
        block: The number of the decision that waits, which says what it asks. It is 0 when the game is over.
        seat: The seat that decides. Meaningless when the game is over.
        rounds: The number of rounds that have begun.
        codes: The codes of the legal options.
        single: The position in C, or None."""

    __slots__ = ("_decoded", "_python", "block", "codes", "game", "rounds", "seat", "single")

    def __init__(self, game: Game, single: SingleMatch | None, python: Position | None) -> None:
        self.game, self.single, self._python = game, single, python
        self._decoded: Position | None = None                      # the position in C as Python's
        self._read_decision()

    @classmethod
    def start(cls, game: Game, runner: MatchRunner | None, seed: Seed) -> FastPosition:
        """Returns the position at the first decision of a match. Raises RuleError."""
        if runner is not None:
            try:
                return cls(game, runner.start(generator_from_seed(seed)), None)
            except NativeError:                                    # Python says why
                pass
        return cls(game, None, game.start(seed))

    @classmethod
    def load(cls, runner: MatchRunner | None, position: Position) -> FastPosition:
        """Returns a copy of a position of Python."""
        if runner is not None:
            try:
                return cls(position.game, runner.load(position.s), None)
            except (NativeError, NotMarshallableError):
                pass
        return cls(position.game, None, position.copy())

    @property
    def native(self) -> bool:
        """Whether C steps the position."""
        return self.single is not None

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return not self.block

    def step(self, code: int) -> None:
        """Plays an option. Raises NotOfferedError and RuleError, and then nothing has changed."""
        if self.step_in_c(code):
            return
        if self._python is None:                                   # Python goes on, or says what is wrong
            self._python, self.single = self.position.copy(), None
        if code not in self.codes:
            raise NotOfferedError
        step_in_python(self._python, code)
        self._read_decision()

    def step_in_c(self, code: int) -> bool:
        """Plays an option in C. Returns False if C cannot, and then nothing has changed. Raises NotOfferedError."""
        single = self.single
        if single is None:
            return False
        try:
            single.step(code)
        except NativeError:
            return False
        self._decoded = None
        self.block, self.seat, self.rounds, self.codes = single.read_decision()
        return True

    def copy(self) -> FastPosition:
        """Returns an independent copy."""
        if self.single is not None:
            try:
                return FastPosition(self.game, self.single.copy(), None)
            except NativeError:
                pass
        return FastPosition(self.game, None, self.position.copy())

    @property
    def position(self) -> Position:
        """The whole position, as the engine has it. Do not change it, and do not keep it beyond the next step."""
        if self.single is None:
            assert self._python is not None
            return self._python
        if self._decoded is None:
            s = list(self.game.module.initial)
            self.single.write_position(s)
            s[EVENTS] = s[SCRIPT] = None
            self._decoded = Position(self.game, s)
        return self._decoded

    @property
    def pending(self) -> Position:
        """A position that has nothing but the decision that waits and the round, which is cheaper than `position`."""
        if self.single is None or self._decoded is not None:
            return self.position
        s: list[Any] = [0] * FIRST_STATE_SLOT
        s[PC], s[SEAT], s[ROUND], s[OPTIONS] = self.block, self.seat, self.rounds, self.codes
        return Position(self.game, s)

    def payoffs(self) -> list[float]:
        """Returns the payoff of each seat at the end of the game (see returns.py)."""
        if self.single is not None:
            try:
                game = self.game
                return payoffs_of_standing(game, rank_seats(self.single.read_values(), game.teams, game.module.has_points))
            except NativeError:
                pass
        return payoffs(self.position)

    def _read_decision(self) -> None:
        """Reads the decision that waits."""
        if self.single is not None:
            self.block, self.seat, self.rounds, self.codes = self.single.read_decision()
            return
        assert self._python is not None
        s = self._python.s
        self.block, self.seat, self.rounds, self.codes = s[PC], s[SEAT], s[ROUND], s[OPTIONS]
