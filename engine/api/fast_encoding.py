"""The numbers of actions and observations of fast positions, for the adapters of learning programs."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from ...dsl.backend_c.ffi import array_address
from ...dsl.backend_c.lockstep import NO_ARRAYS, LockstepTables, pack_tables
from ...dsl.backend_c.single_match import MatchRunner, NotOfferedError
from ...dsl.ir.value_types import UnsupportedConstructError
from .encoding import ActionNumbers, GameEncodings
from .errors import ApiError, engine_sentence
from .fast_position import FastPosition
from .native_tables import NativeTableBuilder


class FastEncoder:
    """The numbers of the actions and observations of positions, as `GameEncodings` defines them."""

    def __init__(self, tables: GameEncodings) -> None:
        self.tables = tables
        self._numbers: dict[int, ActionNumbers] = {}               # by block
        self._native: tuple[MatchRunner, LockstepTables | None, array[int]] | None = None
        self._blank = bytes(4 * len(tables.observer))

    def __deepcopy__(self, memo: dict[int, Any]) -> FastEncoder:
        """Returns the same object, since it only keeps what it has computed."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return FastEncoder, (self.tables,)

    def list_actions(self, position: FastPosition) -> list[int]:
        """Returns the numbers of the legal actions, in the order of the options."""
        return [*map(self._find_numbers(position.block).__getitem__, position.codes)] if position.block else []

    def find_code(self, position: FastPosition, action: int) -> int | None:
        """Returns the code of an option that has this action number, or None. The option may not be legal."""
        if not position.block:
            return None
        numbers = self._find_numbers(position.block)
        code = numbers.codes.get(action)
        return next((code for code in position.codes if numbers[code] == action), None) if code is None else code

    def play_action(self, position: FastPosition, action: int | None) -> None:
        """Plays the option with an action number. Raises ApiError if it is not legal, and RuleError."""
        code = None if action is None else self.find_code(position, int(action))
        try:
            if code is None:
                raise NotOfferedError
            position.step(code)
        except NotOfferedError:
            raise ApiError(engine_sentence(self.tables.lang, "api.action", number=str(action))) from None

    def observe(self, position: FastPosition, seat: int) -> Sequence[int]:
        """Returns the observation of a seat."""
        single = position.single
        if single is not None:
            if self._native is None or self._native[0] is not single.runner:
                self._native = self._build_tables(single.runner)
            _, tables, packed = self._native
            if tables is not None:
                out = array("i", self._blank)
                single.observe(array_address(packed), seat, array_address(out))
                return out
        return self.tables.observer.encode_position(position.position, seat)

    def _find_numbers(self, block: int) -> ActionNumbers:
        """Returns the action numbers of the decision at a block."""
        found = self._numbers.get(block)
        if found is None:
            actions = self.tables.actions
            kind = actions.game.module.waits[block].decision
            assert kind is not None
            found = self._numbers[block] = ActionNumbers(actions, kind)
        return found

    def _build_tables(self, runner: MatchRunner) -> tuple[MatchRunner, LockstepTables | None, array[int]]:
        """Returns the tables with which C encodes positions. They are None if C cannot encode a value of the game."""
        try:
            tables = NativeTableBuilder(runner.library, self.tables.actions, self.tables.observer).build()
        except (UnsupportedConstructError, ValueError):
            return runner, None, array("q")
        return runner, tables, pack_tables(tables, NO_ARRAYS)
