"""Read state values that scenarios write as YAML data, and put them into a position.

The parsing is in dsl/storage/state_literals.py. This module adds error messages of the engine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...dsl.model.codec import DecodeProblem
from ...dsl.storage.layout import StateStorage
from ...dsl.storage.state_literals import StateLiteral, StateLiteralReader
from ...dsl.types.types import Type
from ..errors import MessageError
from .position import Game, Position

MESSAGE_KEYS = {"value": "test.wrong_value", "member": "test.unknown_member", "state": "test.unknown_state", "index": "test.needs_index"}

LiteralPath = tuple[str | int, ...]         # path to a value: keys of mappings and indexes of lists


class StateLiteralError(MessageError):
    """A state literal that is not valid in this game. `path` locates it in the data."""

    def __init__(self, complaint: DecodeProblem) -> None:
        super().__init__(MESSAGE_KEYS[complaint.kind], **complaint.args)
        self.path = complaint.path
        self.of_key = complaint.of_key                             # True: the last key of the path is wrong, not its value


def reject_literal(complaint: DecodeProblem) -> None:
    """Raises the first problem as a StateLiteralError."""
    raise StateLiteralError(complaint)


class ScenarioStateReader:
    """Reads state literals by the declarations of a game. Every method raises StateLiteralError."""

    def __init__(self, game: Game) -> None:
        self.codecs = game.codecs
        self.reader = StateLiteralReader(game.cells, game.codecs, reject_literal)

    def entries(self, given: dict[str, Any]) -> list[StateLiteral]:
        """Reads `{state: {index...: value}}` and returns the entries."""
        return self.reader.read_literals(given)

    def cell(self, name: Any, path: LiteralPath) -> StateStorage:
        """Returns the storage of a state, by its name."""
        found = self.reader.find_storage(name, path)
        assert found is not None                                   # otherwise `reject_literal` has raised
        return found

    def member(self, name: Any, domain: str, path: LiteralPath) -> int:
        """Returns the number of a member, cell or corner, by its name."""
        return self.codecs.member_codec(domain).read_name(name, path, reject_literal)

    def value(self, written: Any, wanted: Type, path: LiteralPath) -> Any:
        """Returns a value in the form in which the position stores it."""
        return self.codecs.codec_for(wanted).read(written, path, reject_literal)


def apply_entries(position: Position, clear: Iterable[str], given: dict[str, Any]) -> None:
    """Clears some states of a position and then writes `{state: {index...: value}}`. Raises StateLiteralError."""
    reader = ScenarioStateReader(position.game)
    for name in clear:
        reader.cell(name, (name,)).clear(position.s)
    for entry in reader.entries(given):
        entry.write_to(position.s)
    position.invalidate_memos()


def clear_state(position: Position, cell: StateStorage) -> None:
    """Clears all entries of a state, to their values before anything is placed there."""
    cell.clear(position.s)


def invalidate_memos(position: Position) -> None:
    """Clears the memos of a position after entries were written from outside."""
    position.invalidate_memos()
