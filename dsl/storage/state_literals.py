"""Entries of states as plain data: `{coins: {anna: {vault: 3}}, ended: true}`.

`start` in YAML and the positions of scenarios are written in this form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..diagnostics.diagnostic import did_you_mean
from ..model.codec import COUNT_TYPE, DataPath, DecodeProblem, OnDecodeProblem
from ..model.codec_table import CodecTable
from ..types.types import BagOf, Type
from .layout import PositionSlots, StateStorage


@dataclass(frozen=True)
class StateLiteral:
    """A value for one entry of a state. `index` contains member numbers. `kind` is a kind of a bag, or None for a
    whole value."""

    cell: StateStorage
    index: tuple[int, ...]
    kind: int | None
    raw: Any
    path: DataPath                       # path in the data, beginning with the name of the state

    @property
    def type(self) -> Type:
        """The type of the value: the type of the state, or that of a count if `kind` is given."""
        return self.cell.state.type if self.kind is None else COUNT_TYPE

    def read_from(self, s: PositionSlots) -> Any:
        """Returns the raw value that a position has at this entry."""
        found = self.cell.get(s, self.index)
        return found if self.kind is None else found[self.kind]

    def write_to(self, s: PositionSlots) -> None:
        """Writes the value into a position. Memoized values that depend on the state are not updated."""
        if self.kind is None:
            self.cell.store(s, self.index, self.raw)
        else:
            s[self.cell.base + self.cell.offset(self.index) + self.kind] = self.raw


class StateLiteralError(Exception):
    """A state literal that is not valid in this game."""

    def __init__(self, problem: DecodeProblem) -> None:
        super().__init__(f"{problem.kind}: {problem.path}")
        self.problem = problem


def raise_problem(problem: DecodeProblem) -> None:
    """Raises a problem as a StateLiteralError."""
    raise StateLiteralError(problem)


class StateLiteralReader:
    """Reads entries of states according to the declarations of a game. Paths in problems begin with the name of the
    state. Without `complain`, the first problem raises StateLiteralError."""

    def __init__(self, cells: Mapping[str, StateStorage], codecs: CodecTable, complain: OnDecodeProblem = raise_problem) -> None:
        self.cells, self.codecs, self.complain = cells, codecs, complain

    def read_literals(self, entries: Mapping[Any, Any]) -> list[StateLiteral]:
        """Reads `{state: {index...: value}}`. States that do not exist and values without their keys are reported and
        left out."""
        out: list[StateLiteral] = []
        for name, written in entries.items():
            cell = self.find_storage(name, (name,))
            if cell is not None:
                self.collect_literals(cell, written, (), (name,), out)
        return out

    def find_storage(self, name: Any, path: DataPath) -> StateStorage | None:
        """Returns the storage of a state by its name. Reports an unknown name, with a suggestion, and returns None."""
        found = self.cells.get(str(name))
        if found is None:
            self.complain(DecodeProblem("state", path, {"name": str(name), "meant": did_you_mean(str(name), self.cells)}, True))
        return found

    def read_member(self, name: Any, domain: str, path: DataPath) -> int:
        """Returns the number of a member or a place by its name."""
        return self.codecs.member_codec(domain).read_name(name, path, self.complain)

    def read_value(self, written: Any, wanted: Type, path: DataPath) -> Any:
        """Returns a value in the form in which the position stores it."""
        return self.codecs.codec_for(wanted).read(written, path, self.complain)

    def collect_literals(self, cell: StateStorage, written: Any, index: tuple[int, ...], path: DataPath, out: list[StateLiteral]) -> None:
        """Appends the literals inside `written` to `out`, one nested dict for each axis. `index` are the keys so far."""
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
        """Reports a value in a place where a key of `domain` is expected."""
        wanted = len(cell.state.axes) + isinstance(cell.state.type, BagOf)
        self.complain(DecodeProblem("index", path, {"name": cell.state.name, "domain": domain, "wanted": wanted, "found": len(path) - 1}))
