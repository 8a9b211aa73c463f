"""Entries of a position written as plain data: `{coins: {anna: {vault: 3}}, ended: true}`. Scenario tests put them and compare them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...dsl.boards import open_code
from ...dsl.compile.layout import Cell
from ...dsl.diagnostics import did_you_mean
from ...dsl.types import BagOf, Bool, Int, ListOf, Maybe, Of, PileOf, SetOf, Type
from .position import Game, Position, _offset

Where = tuple[str | int, ...]         # where something is written: keys, and numbers in lists


class Misread(Exception):
    """Written data that means nothing in this game; `path` leads to it, `key` is the message that says why."""

    def __init__(self, key: str, path: Where, /, **args: Any) -> None:
        super().__init__(key)
        self.key, self.path, self.args_ = key, path, args
        self.of_key = key == "test.unknown_state"                  # whether the key at the end of the path is wrong, not its value


@dataclass(frozen=True)
class Entry:
    """One value of one state: where it lies (`index` are member numbers, `kind` one kind of a bag) and what it is to be."""

    cell: Cell
    index: tuple[int, ...]
    kind: int | None
    raw: Any
    path: Where                       # where it was written, from the name of the state on

    @property
    def type(self) -> Type:
        return Int() if self.kind is not None else self.cell.state.type

    def get(self, position: Position) -> Any:
        """The raw value that the position holds there."""
        value = position.at(self.cell, list(self.index))
        return value if self.kind is None else value[self.kind]

    def put(self, position: Position) -> None:
        """Write the value into the position (not into what it remembers: see `forget`)."""
        cell, index = self.cell, list(self.index)
        if self.kind is None:
            position.put(cell, index, self.raw)
        else:
            position.s[cell.base + _offset(cell, index) + self.kind] = self.raw


class Reader:
    """Reads written data by the declarations of a game. Everything raises Misread."""

    def __init__(self, game: Game) -> None:
        self.game, self.model = game, game.model

    def entries(self, given: dict[str, Any]) -> list[Entry]:
        """`{state: {index...: value}}` as entries."""
        out: list[Entry] = []
        for name, written in given.items():
            self.walk(self.cell(name, (name,)), written, (), (name,), out)
        return out

    def cell(self, name: Any, path: Where) -> Cell:
        cells = self.game.cells
        if str(name) not in cells:
            raise Misread("test.unknown_state", path, name=str(name), meant=did_you_mean(str(name), cells) or "")
        return cells[str(name)]

    def walk(self, cell: Cell, written: Any, index: tuple[int, ...], path: Where, out: list[Entry]) -> None:
        axes, found = cell.state.axes, cell.state.type
        if len(index) < len(axes):
            domain = axes[len(index)][1]
            if not isinstance(written, dict):
                raise Misread("test.needs_index", path, name=str(path[0]), domain=domain)
            for key, value in written.items():
                self.walk(cell, value, (*index, self.member_key(key, domain, (*path, key))), (*path, key), out)
        elif isinstance(found, BagOf) and isinstance(written, dict) and written:
            for key, value in written.items():
                inner = (*path, key)
                out.append(Entry(cell, index, self.member_key(key, found.of.name, inner), self.value(value, Int(0), inner), inner))
        else:
            out.append(Entry(cell, index, None, self.value(written, found, path), path))

    def member_key(self, name: Any, domain: str, path: Where) -> int:
        """A member that stands as a key."""
        try:
            return self.member(name, domain, path)
        except Misread as error:
            error.of_key = True
            raise

    def member(self, name: Any, domain: str, path: Where) -> int:
        """A member, cell or corner by its name, as its number."""
        enum = self.model.enum_of(domain)
        assert enum is not None
        word = str(name)
        if word in enum.index:
            return enum.index[word]
        board = enum.board
        if board is not None:
            if enum.kind == "corners" and word in board.corner_names:
                return board.corner_names[word]
            if enum.kind in ("cells", "open") and word in board.named:
                return board.named[word]
            if enum.kind == "open":
                try:
                    q, r = (int(part) for part in word.split(","))
                    return open_code(q, r)
                except ValueError:
                    pass
        raise Misread("test.unknown_member", path, name=word, domain=domain, meant=did_you_mean(word, enum.members) or "")

    def value(self, written: Any, wanted: Type, path: Where) -> Any:
        """A value as the position stores it."""
        if isinstance(wanted, Maybe):
            if written in (None, "none"):
                return self.game.module.layout.none(wanted.of)
            return self.value(written, wanted.of, path)
        if isinstance(wanted, Of):
            return self.member(written, wanted.name, path)
        if isinstance(wanted, Bool) and isinstance(written, bool):
            return int(written)
        if isinstance(wanted, Int) and isinstance(written, int) and not isinstance(written, bool):
            if (wanted.low is None or written >= wanted.low) and (wanted.high is None or written <= wanted.high):
                return written
        if isinstance(wanted, BagOf) and isinstance(written, dict | list):
            counts = [0] * len(self.model.enums[wanted.of.name])
            pairs = written.items() if isinstance(written, dict) else [(thing, 1) for thing in written]
            for key, many in pairs:
                counts[self.member(key, wanted.of.name, (*path, key))] += self.value(many, Int(0), (*path, key))
            return tuple(counts)
        if isinstance(wanted, SetOf | ListOf | PileOf) and isinstance(written, list):
            things = [self.value(thing, wanted.of, (*path, n)) for n, thing in enumerate(written)]
            if not isinstance(wanted, SetOf):
                return tuple(things)
            is_mask = isinstance(wanted.of, Of) and not self.game.module.layout.is_open(wanted.of)
            return sum(1 << thing for thing in set(things)) if is_mask else frozenset(things)
        raise Misread("test.wrong_value", path, found=str(written), wanted=str(wanted))


def clear(position: Position, cell: Cell) -> None:
    """Empty a state: everything as it is before anything is put there."""
    count = cell.count
    kinds: dict[str, Any] = {"mask": 0, "sparse": {}, "bag": 0}
    position.s[cell.base : cell.base + count] = [kinds.get(cell.form, cell.default)] * count


def forget(position: Position) -> None:
    """Drop what was remembered about states, after entries were put from outside."""
    for memo in position.game.module.memos:
        position.s[memo.slot] = None
