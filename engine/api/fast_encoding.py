"""The numbers of actions and observations of fast positions, for the adapters of learning programs."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
import numpy.typing as npt

from ...dsl.backend_c.ffi import array_address
from ...dsl.backend_c.lockstep import NO_ARRAYS, LockstepTables, pack_tables
from ...dsl.backend_c.single_match import MatchRunner, NotOfferedError
from ...dsl.ir.value_types import UnsupportedConstructError
from .encoding import ActionNumbers, GameEncodings
from .errors import ApiError, engine_sentence
from .fast_position import FastPosition
from .native_tables import NativeTableBuilder
from .returns import payoffs


class FastEncoder:
    """The numbers of the actions and observations of positions, as `GameEncodings` defines them."""

    def __init__(self, tables: GameEncodings) -> None:
        self.tables = tables
        self._numbers: dict[int, ActionNumbers] = {}               # by block
        self._runner: MatchRunner | None = None                    # the last runner, for which the tables of C are
        self._native: LockstepTables | None = None
        self._packed, self._address = array("q"), 0
        self._make_mask = np.zeros(len(tables.actions), np.int8).copy    # cheaper than a call of NumPy
        self._make_columns = np.zeros(len(tables.observer), np.int32).copy

    def __deepcopy__(self, memo: dict[int, Any]) -> FastEncoder:
        """Returns the same object, since it only keeps what it has computed."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return FastEncoder, (self.tables,)

    def list_actions(self, position: FastPosition) -> list[int]:
        """Returns the numbers of the legal actions, in the order of the options."""
        block = position.block
        return [*map(self._find_numbers(block).__getitem__, position.codes)] if block else []

    def find_code(self, position: FastPosition, action: int) -> int | None:
        """Returns the code of an option that has this action number, or None. The option may not be legal."""
        if not position.block:
            return None
        numbers = self._find_numbers(position.block)
        code = numbers.codes.get(action)
        return next((code for code in position.codes if numbers[code] == action), None) if code is None else code

    def play_action(self, position: FastPosition, action: int | None) -> None:
        """Plays the option with an action number. Raises ApiError if it is not legal, and RuleError."""
        single = position.single
        if single is not None and action is not None and (tables := self.find_tables(position)) \
                and single.step_action(tables, int(action)) is not None:
            return
        code = None if action is None else self.find_code(position, int(action))
        try:
            if code is None:
                raise NotOfferedError
            position.step(code)
        except NotOfferedError:
            raise ApiError(engine_sentence(self.tables.lang, "api.action", number=str(action))) from None

    def observe(self, position: FastPosition, seat: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int8]]:
        """Returns the observation of a seat, and the action mask, which is empty while another seat decides."""
        columns, mask = self.make_arrays()
        single = position.single
        if single is not None and (tables := self.find_tables(position)):
            single.encode(tables, seat, columns, mask)
            return columns, mask
        columns[:] = self.tables.observer.encode_position(position.position, seat)
        if position.seat == seat:
            mask[self.list_actions(position)] = 1
        return columns, mask

    def make_arrays(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int8]]:
        """Returns new arrays for an observation and an action mask. The mask is empty."""
        return self._make_columns(), self._make_mask()

    def payoffs(self, position: FastPosition) -> list[float]:
        """Returns the payoff of each seat at the end of the game (see returns.py)."""
        single = position.single
        if single is not None and (tables := self.find_tables(position)):
            found = single.payoffs(tables)
            if not isinstance(found, int):
                return found
        return payoffs(position.position)

    def _find_numbers(self, block: int) -> ActionNumbers:
        """Returns the action numbers of the decision at a block."""
        found = self._numbers.get(block)
        if found is None:
            actions = self.tables.actions
            kind = actions.game.module.waits[block].decision
            assert kind is not None
            found = self._numbers[block] = ActionNumbers(actions, kind)
        return found

    def find_tables(self, position: FastPosition) -> int:
        """Returns the address of the tables with which C encodes a position. It is 0 if C cannot encode a value of the game."""
        runner = position.runner
        if runner is not None and runner is not self._runner:
            self._runner, self._address = runner, 0
            try:
                self._native = NativeTableBuilder(runner.library, self.tables.actions, self.tables.observer).build()
                self._packed = pack_tables(self._native, NO_ARRAYS)
                self._address = array_address(self._packed)
            except (UnsupportedConstructError, ValueError):
                pass
        return self._address
