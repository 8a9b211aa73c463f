"""The table of a game as plain lines. How it is laid out and drawn stands in drawing/."""

from __future__ import annotations

from ..dsl.compile.layout import Cell
from .drawing.build import build
from .drawing.look import plain, short_codes
from .drawing.plain import cut, plain_lines
from .drawing.svg import table_svg
from .position import Position
from .telling import Teller

WIDTH = 80


def table(position: Position, teller: Teller, seat: int | None, width: int = WIDTH) -> list[str]:
    """The whole table as `seat` sees it (None: as one who only watches), without boxes and colours."""
    return plain_lines(build(position, teller, seat), width)


def label(cell: Cell, teller: Teller) -> str:
    """What a game calls one of its states."""
    key = f"state.{cell.state.name}"
    return teller.words.text(key) if teller.words.has(key) else cell.state.name.replace("_", " ")


__all__ = ["cut", "label", "plain", "short_codes", "table", "table_svg"]
