"""Entries of a position written as plain data in scenario tests: read as YAML is (dsl/storage/state_literals.py), put and compared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...dsl.model.codec import DecodeProblem
from ...dsl.storage.layout import StateStorage
from ...dsl.storage.state_literals import StateLiteral, StateLiteralReader
from ...dsl.types.types import Type
from .position import Game, Position

MESSAGE_KEYS = {"value": "test.wrong_value", "member": "test.unknown_member", "state": "test.unknown_state", "index": "test.needs_index"}

LiteralPath = tuple[str | int, ...]         # where something is written: keys, and numbers in lists


class StateLiteralError(Exception):
    """Written data that means nothing in this game; `path` leads to it, `key` is the message that says why."""

    def __init__(self, complaint: DecodeProblem) -> None:
        self.key, self.path, self.args_ = MESSAGE_KEYS[complaint.kind], complaint.path, complaint.args
        super().__init__(self.key)
        self.of_key = complaint.of_key                             # whether the key at the end of the path is wrong, not its value


def reject_literal(complaint: DecodeProblem) -> None:
    """Stop at the first thing that cannot be read."""
    raise StateLiteralError(complaint)


class ScenarioStateReader:
    """Reads written data by the declarations of a game. Everything raises Misread."""

    def __init__(self, game: Game) -> None:
        self.codecs = game.codecs
        self.reader = StateLiteralReader(game.cells, game.codecs, reject_literal)

    def entries(self, given: dict[str, Any]) -> list[StateLiteral]:
        """`{state: {index...: value}}` as entries."""
        return self.reader.read_literals(given)

    def cell(self, name: Any, path: LiteralPath) -> StateStorage:
        """A state by its name."""
        found = self.reader.find_storage(name, path)
        assert found is not None                                   # else it was refused
        return found

    def member(self, name: Any, domain: str, path: LiteralPath) -> int:
        """A member, cell or corner by its name, as its number."""
        return self.codecs.member_codec(domain).read_name(name, path, reject_literal)

    def value(self, written: Any, wanted: Type, path: LiteralPath) -> Any:
        """A value as the position stores it."""
        return self.codecs.codec_for(wanted).read(written, path, reject_literal)


def apply_entries(position: Position, clear: Iterable[str], given: dict[str, Any]) -> None:
    """Empty these states of a position, and put what is given: `{state: {index...: value}}`. Raises Misread."""
    reader = ScenarioStateReader(position.game)
    for name in clear:
        reader.cell(name, (name,)).clear(position.s)
    for entry in reader.entries(given):
        entry.write_to(position.s)
    position.invalidate_memos()


def clear_state(position: Position, cell: StateStorage) -> None:
    """Empty a state: everything as it is before anything is put there."""
    cell.clear(position.s)


def invalidate_memos(position: Position) -> None:
    """Drop what was remembered about states, after entries were put from outside."""
    position.invalidate_memos()
