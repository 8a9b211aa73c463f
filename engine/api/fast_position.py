"""Positions that programs step: in C if the game is compiled, and in Python otherwise, with the same results.

They record no events. `Match` and the adapters for PettingZoo and OpenSpiel play on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...dsl.backend_c.ffi import NativeError, NativeLibrary
from ...dsl.backend_c.marshal import NotMarshallableError
from ...dsl.backend_c.single_match import MatchRunner, NotOfferedError, SingleMatch
from ...dsl.storage.control_slots import EVENTS, FIRST_STATE_SLOT, OPTIONS, PC, ROUND, SCRIPT, SEAT
from ..position.position import Game, Position, RuleError
from ..position.seeds import Seed, generator_from_seed


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
        single: The position in C, or None.
        runner: The runner of the position in C, or None."""

    __slots__ = ("_decoded", "_python", "game", "runner", "single")

    def __init__(self, game: Game, runner: MatchRunner | None, single: SingleMatch | None, python: Position | None = None) -> None:
        self.game, self.runner, self.single, self._python = game, runner, single, python
        self._decoded: tuple[int, Position] | None = None          # the position in C as Python's, and its number of steps

    @classmethod
    def start(cls, game: Game, runner: MatchRunner | None, seed: Seed) -> FastPosition:
        """Returns the position at the first decision of a match. Raises RuleError."""
        single = None if runner is None else start_single(runner, seed)
        return cls(game, runner, single, game.start(seed) if single is None else None)

    @classmethod
    def load(cls, runner: MatchRunner | None, position: Position) -> FastPosition:
        """Returns a copy of a position of Python."""
        if runner is not None:
            try:
                return cls(position.game, runner, runner.load(position.s))
            except (NativeError, NotMarshallableError):
                pass
        return cls(position.game, None, None, position.copy())

    @property
    def native(self) -> bool:
        """Whether C steps the position."""
        return self.single is not None

    @property
    def block(self) -> int:
        """The number of the decision that waits, which says what it asks. It is 0 when the game is over."""
        return self.position.s[PC] if self.single is None else self.single.block

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return not self.block

    @property
    def seat(self) -> int:
        """The seat that decides. Meaningless when the game is over."""
        return self.position.s[SEAT] if self.single is None else self.single.seat

    @property
    def rounds(self) -> int:
        """The number of rounds that have begun."""
        return self.position.s[ROUND] if self.single is None else self.single.round

    @property
    def codes(self) -> Sequence[int]:
        """The codes of the legal options."""
        return self.position.s[OPTIONS] if self.single is None else self.single.codes()

    def step(self, code: int) -> None:
        """Plays an option. Raises NotOfferedError and RuleError, and then nothing has changed."""
        if self.step_in_c(code):
            return
        self.leave_c()                                             # Python goes on, or says what is wrong
        if code not in self.codes:
            raise NotOfferedError
        step_in_python(self.position, code)

    def step_in_c(self, code: int) -> bool:
        """Plays an option in C. Returns False if C cannot, and then nothing has changed. Raises NotOfferedError."""
        if self.single is None or self.runner is None:
            return False
        try:
            self.runner.step(self.single, code)
        except NativeError:
            return False
        return True

    def leave_c(self) -> None:
        """Continues in Python."""
        if self.single is not None:
            self._python, self.single = self.position.copy(), None

    def copy(self) -> FastPosition:
        """Returns an independent copy."""
        if self.single is not None and self.runner is not None:
            try:
                return FastPosition(self.game, self.runner, self.runner.copy(self.single))
            except NativeError:
                pass
        return FastPosition(self.game, None, None, self.position.copy())

    @property
    def position(self) -> Position:
        """The whole position, as the engine has it. Do not change it, and do not keep it beyond the next step."""
        if self.single is None or self.runner is None:
            assert self._python is not None
            return self._python
        steps = self.single.steps
        if self._decoded is None or self._decoded[0] != steps:
            s = list(self.game.module.initial)
            self.runner.write_position(self.single, s)
            s[EVENTS] = s[SCRIPT] = None
            self._decoded = steps, Position(self.game, s)
        return self._decoded[1]

    @property
    def pending(self) -> Position:
        """A position that has nothing but the decision that waits and the round, which is cheaper than `position`."""
        single = self.single
        if single is None or self._decoded is not None and self._decoded[0] == single.steps:
            return self.position
        s: list[Any] = [0] * FIRST_STATE_SLOT
        s[PC], s[SEAT], s[ROUND], s[OPTIONS] = single.block, single.seat, single.round, single.codes()
        return Position(self.game, s)


def start_single(runner: MatchRunner, seed: Seed) -> SingleMatch | None:
    """Returns a new match in C, at its first decision. Returns None if C cannot start it, and then Python says why."""
    found = runner.start_seeded(seed) if type(seed) is int else None
    if found is not None:
        return found
    try:
        return runner.start(generator_from_seed(seed))
    except NativeError:
        return None
