"""Entries of a position written as plain data: `{coins: {anna: {vault: 3}}, ended: true}`; `start` in YAML and scenarios put them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..diagnostics.diagnostic import did_you_mean
from ..model.codec import COUNT_TYPE, CodecTable, DataPath, DecodeProblem, OnDecodeProblem
from ..types.types import BagOf, Type
from .layout import PositionSlots, StateStorage


@dataclass(frozen=True)
class StateLiteral:
    """One value of one state: where it lies (`index` are member numbers, `kind` one kind of a bag) and what it is to be."""

    cell: StateStorage
    index: tuple[int, ...]
    kind: int | None
    raw: Any
    path: DataPath                       # where it was written, from the name of the state on

    @property
    def type(self) -> Type:
        return self.cell.state.type if self.kind is None else COUNT_TYPE

    def read_from(self, s: PositionSlots) -> Any:
        """The raw value that a position holds there."""
        found = self.cell.get(s, self.index)
        return found if self.kind is None else found[self.kind]

    def write_to(self, s: PositionSlots) -> None:
        """Write the value into a position (not into what it remembers of the states)."""
        if self.kind is None:
            self.cell.store(s, self.index, self.raw)
        else:
            s[self.cell.base + self.cell.offset(self.index) + self.kind] = self.raw


class StateLiteralReader:
    """Reads entries by the declarations of a game. Paths begin with the name of the state."""

    def __init__(self, cells: Mapping[str, StateStorage], codecs: CodecTable, complain: OnDecodeProblem) -> None:
        self.cells, self.codecs, self.complain = cells, codecs, complain

    def read_literals(self, given: Mapping[Any, Any]) -> list[StateLiteral]:
        """`{state: {index...: value}}` as entries; what cannot be read is left out."""
        out: list[StateLiteral] = []
        for name, written in given.items():
            cell = self.find_storage(name, (name,))
            if cell is not None:
                self.collect_literals(cell, written, (), (name,), out)
        return out

    def find_storage(self, name: Any, path: DataPath) -> StateStorage | None:
        """A state by its name."""
        found = self.cells.get(str(name))
        if found is None:
            self.complain(DecodeProblem("state", path, {"name": str(name), "meant": did_you_mean(str(name), self.cells) or ""}, True))
        return found

    def collect_literals(self, cell: StateStorage, written: Any, index: tuple[int, ...], path: DataPath, out: list[StateLiteral]) -> None:
        axes, found = cell.state.axes, cell.state.type
        if len(index) < len(axes):
            domain = axes[len(index)][1]
            if not isinstance(written, dict):
                self.report_missing_key(cell, domain, path)
                return
            for key, value in written.items():
                inner = (*path, key)
                self.collect_literals(
                    cell, value, (*index, self.codecs.member_codec(domain).read_key(key, inner, self.complain)), inner, out
                )
        elif isinstance(found, BagOf) and isinstance(written, dict) and written:
            for key, value in written.items():
                inner = (*path, key)
                kind = self.codecs.member_codec(found.of.name).read_key(key, inner, self.complain)
                out.append(StateLiteral(cell, index, kind, self.codecs.codec_for(COUNT_TYPE).read(value, inner, self.complain), inner))
        elif isinstance(found, BagOf) and not isinstance(written, dict | list):
            self.report_missing_key(cell, found.of.name, path)
        else:
            out.append(StateLiteral(cell, index, None, cell.codec.read(written, path, self.complain), path))

    def report_missing_key(self, cell: StateStorage, domain: str, path: DataPath) -> None:
        """Say that a key is wanted where a value stands."""
        wanted = len(cell.state.axes) + isinstance(cell.state.type, BagOf)
        self.complain(DecodeProblem("index", path, {"name": cell.state.name, "domain": domain, "wanted": wanted, "found": len(path) - 1}))
