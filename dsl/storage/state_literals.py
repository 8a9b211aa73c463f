"""Entries of a position written as plain data: `{coins: {anna: {vault: 3}}, ended: true}`; `start` in YAML and scenarios put them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..diagnostics.diagnostic import did_you_mean
from ..model.codec import COUNT, Codecs, Complain, Complaint, Path
from ..types.types import BagOf, Type
from .layout import Cell, Values


@dataclass(frozen=True)
class Entry:
    """One value of one state: where it lies (`index` are member numbers, `kind` one kind of a bag) and what it is to be."""

    cell: Cell
    index: tuple[int, ...]
    kind: int | None
    raw: Any
    path: Path                       # where it was written, from the name of the state on

    @property
    def type(self) -> Type:
        return self.cell.state.type if self.kind is None else COUNT

    def get(self, s: Values) -> Any:
        """The raw value that a position holds there."""
        found = self.cell.get(s, self.index)
        return found if self.kind is None else found[self.kind]

    def put(self, s: Values) -> None:
        """Write the value into a position (not into what it remembers of the states)."""
        if self.kind is None:
            self.cell.put(s, self.index, self.raw)
        else:
            s[self.cell.base + self.cell.offset(self.index) + self.kind] = self.raw


class EntryReader:
    """Reads entries by the declarations of a game. Paths begin with the name of the state."""

    def __init__(self, cells: Mapping[str, Cell], codecs: Codecs, complain: Complain) -> None:
        self.cells, self.codecs, self.complain = cells, codecs, complain

    def entries(self, given: Mapping[Any, Any]) -> list[Entry]:
        """`{state: {index...: value}}` as entries; what cannot be read is left out."""
        out: list[Entry] = []
        for name, written in given.items():
            cell = self.cell(name, (name,))
            if cell is not None:
                self.walk(cell, written, (), (name,), out)
        return out

    def cell(self, name: Any, path: Path) -> Cell | None:
        """A state by its name."""
        found = self.cells.get(str(name))
        if found is None:
            self.complain(Complaint("state", path, {"name": str(name), "meant": did_you_mean(str(name), self.cells) or ""}, True))
        return found

    def walk(self, cell: Cell, written: Any, index: tuple[int, ...], path: Path, out: list[Entry]) -> None:
        axes, found = cell.state.axes, cell.state.type
        if len(index) < len(axes):
            domain = axes[len(index)][1]
            if not isinstance(written, dict):
                self.lacks(cell, domain, path)
                return
            for key, value in written.items():
                inner = (*path, key)
                self.walk(cell, value, (*index, self.codecs.member(domain).key(key, inner, self.complain)), inner, out)
        elif isinstance(found, BagOf) and isinstance(written, dict) and written:
            for key, value in written.items():
                inner = (*path, key)
                kind = self.codecs.member(found.of.name).key(key, inner, self.complain)
                out.append(Entry(cell, index, kind, self.codecs.of(COUNT).read(value, inner, self.complain), inner))
        elif isinstance(found, BagOf) and not isinstance(written, dict | list):
            self.lacks(cell, found.of.name, path)
        else:
            out.append(Entry(cell, index, None, cell.codec.read(written, path, self.complain), path))

    def lacks(self, cell: Cell, domain: str, path: Path) -> None:
        """Say that a key is wanted where a value stands."""
        wanted = len(cell.state.axes) + isinstance(cell.state.type, BagOf)
        self.complain(Complaint("index", path, {"name": cell.state.name, "domain": domain, "wanted": wanted, "found": len(path) - 1}))
