"""The table of a game as plain lines and as a picture. How it is laid out and drawn stands in drawing/."""

from __future__ import annotations

from ..narration.narrator import Narrator
from ..position.position import Position
from .build_panels import build_panels
from .plain_renderer import render_plain
from .svg_renderer import render_svg

DEFAULT_COLUMNS = 80


def render_table(position: Position, teller: Narrator, seat: int | None, width: int = DEFAULT_COLUMNS) -> list[str]:
    """The whole table as `seat` sees it (None: as one who only watches), without boxes and colours."""
    return render_plain(build_panels(position, teller, seat), width)


__all__ = ["render_table", "render_svg"]
