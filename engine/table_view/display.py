"""The table of a position in one call, as plain text or as SVG."""

from __future__ import annotations

from ..narration.narrator import Narrator
from ..position.position import Position
from .build_panels import build_panels
from .plain_renderer import render_plain
from .svg_renderer import render_svg

DEFAULT_COLUMNS = 80


def render_table(position: Position, teller: Narrator, seat: int | None, width: int = DEFAULT_COLUMNS) -> list[str]:
    """Returns the table as `seat` sees it, as lines of plain text. None is the view of a spectator."""
    return render_plain(build_panels(position, teller, seat), width)


__all__ = ["render_table", "render_svg"]
