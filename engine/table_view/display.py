"""The table of a game as plain lines and as a picture. How it is laid out and drawn stands in drawing/."""

from __future__ import annotations

from ..narration.narrator import Teller
from ..position.position import Position
from .build_panels import build
from .plain_renderer import plain_lines
from .svg_renderer import table_svg

WIDTH = 80


def table(position: Position, teller: Teller, seat: int | None, width: int = WIDTH) -> list[str]:
    """The whole table as `seat` sees it (None: as one who only watches), without boxes and colours."""
    return plain_lines(build(position, teller, seat), width)


__all__ = ["table", "table_svg"]
