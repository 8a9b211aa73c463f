"""Entries of a position written as plain data in scenario tests: read as YAML is (dsl/storage/state_literals.py), put and compared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...dsl.model.codec import Complaint
from ...dsl.storage.layout import Cell
from ...dsl.storage.state_literals import Entry, EntryReader
from ...dsl.types.types import Type
from .position import Game, Position

KEYS = {"value": "test.wrong_value", "member": "test.unknown_member", "state": "test.unknown_state", "index": "test.needs_index"}

Where = tuple[str | int, ...]         # where something is written: keys, and numbers in lists


class Misread(Exception):
    """Written data that means nothing in this game; `path` leads to it, `key` is the message that says why."""

    def __init__(self, complaint: Complaint) -> None:
        self.key, self.path, self.args_ = KEYS[complaint.kind], complaint.path, complaint.args
        super().__init__(self.key)
        self.of_key = complaint.of_key                             # whether the key at the end of the path is wrong, not its value


def refuse(complaint: Complaint) -> None:
    """Stop at the first thing that cannot be read."""
    raise Misread(complaint)


class Reader:
    """Reads written data by the declarations of a game. Everything raises Misread."""

    def __init__(self, game: Game) -> None:
        self.codecs = game.codecs
        self.reader = EntryReader(game.cells, game.codecs, refuse)

    def entries(self, given: dict[str, Any]) -> list[Entry]:
        """`{state: {index...: value}}` as entries."""
        return self.reader.entries(given)

    def cell(self, name: Any, path: Where) -> Cell:
        """A state by its name."""
        found = self.reader.cell(name, path)
        assert found is not None                                   # else it was refused
        return found

    def member(self, name: Any, domain: str, path: Where) -> int:
        """A member, cell or corner by its name, as its number."""
        return self.codecs.member(domain).number(name, path, refuse)

    def value(self, written: Any, wanted: Type, path: Where) -> Any:
        """A value as the position stores it."""
        return self.codecs.of(wanted).read(written, path, refuse)


def put_all(position: Position, clear: Iterable[str], given: dict[str, Any]) -> None:
    """Empty these states of a position, and put what is given: `{state: {index...: value}}`. Raises Misread."""
    reader = Reader(position.game)
    for name in clear:
        reader.cell(name, (name,)).clear(position.s)
    for entry in reader.entries(given):
        entry.put(position.s)
    position.forget()


def clear(position: Position, cell: Cell) -> None:
    """Empty a state: everything as it is before anything is put there."""
    cell.clear(position.s)


def forget(position: Position) -> None:
    """Drop what was remembered about states, after entries were put from outside."""
    position.forget()
