"""Renders a table for a terminal with rich: frames, colours, codes, and shapes, with panels side by side if
there is space.

Without UTF-8, frames and shapes are ASCII. With NO_COLOR, there are no colours, and the codes still
distinguish things."""

from __future__ import annotations

from dataclasses import replace

from rich.segment import Segment

from .panel_fitting import fit_panels
from .rich_panels import Colours, RenderCache, TerminalRenderer
from .theme import Theme
from .view_model import BoardPanel, GridPanel, Line, Panel

MIN_TIGHT_COLUMNS = 100                 # a table next to a board leaves it enough room


def render_terminal(panels: list[Panel], theme: Theme, width: int, colour: Colours = "truecolor", utf: bool = True, height: int = 0,
                 needed: int = 0, cut: bool = False, cache: RenderCache | None = None) -> list[str]:
    """Returns all panels as lines for a terminal of this width.

      - `height`: if set, returns only the panels that fit into that many lines, the first ones first. Boards may lose the
        edges of their cells if that helps.
      - `needed`: the number of panels at the front that must be shown, the most important first. If they do not all fit,
        mats become rows of a table, and tables lose columns to stand next to a board. If that is not enough, the others are
        dropped.
      - `cut`: a hexagonal board that is too high is cropped to the lines with the most option numbers.
      - `cache`: what earlier calls for the same panels have rendered."""
    cache = cache or RenderCache()
    if not height:
        return [line for block in TerminalRenderer(theme, width, colour, utf).iter_blocks(panels) for line in block]
    tries = [
        fit_panels(panels, TerminalRenderer(theme, width, colour, utf, room, cut=cut, cache=cache), height)
        for room in ([height, 1] if needed > 1 else [height])
    ]
    if needed > 1 and all(seen < needed for seen, _ in tries) and any(isinstance(panel, GridPanel) and panel.mats for panel in panels):
        rows = [cache.get_variant(panel, without_mats, "rows") for panel in panels]
        tries.append(fit_panels(rows, TerminalRenderer(theme, width, colour, utf, height, cut=cut, cache=cache), height))
    if needed > 1 and all(seen < needed for seen, _ in tries) and width >= MIN_TIGHT_COLUMNS:
        tight = TerminalRenderer(theme, width, colour, utf, 1, cut=cut, tight=True, cache=cache)
        seen, lines = fit_panels(sort_boards_first(panels[:needed]), tight, height)
        tries += [(seen, lines)] * (seen >= needed)
    seen, lines = max(tries, key=lambda one: min(needed, one[0]))  # the first one wins ties
    if seen < needed:                                              # drop everything that is not needed
        return max(
            (fit_panels(panels[:needed], TerminalRenderer(theme, width, colour, utf, room, cut=cut, cache=cache), height)[1]
             for room in (height, 1)),
            key=len,
        )
    return lines


def without_mats(panel: Panel) -> Panel:
    """Returns a table in rows instead of mats. Other panels stay as they are."""
    return replace(panel, mats=False) if isinstance(panel, GridPanel) else panel


def sort_boards_first(panels: list[Panel]) -> list[Panel]:
    """Returns the panels with boards before the others."""
    return sorted(panels, key=lambda panel: not isinstance(panel, BoardPanel))


def render_status_line(parts: list[Line], theme: Theme, width: int, colour: Colours = "truecolor", utf: bool = True) -> list[str]:
    """Returns the status line above a table (status_line.py), wrapped to this width."""
    screen = TerminalRenderer(theme, width, colour, utf)
    return screen.to_ansi_lines(screen.status_line_segments(parts))


def render_segments(
    panels: list[Panel], theme: Theme, width: int, colour: Colours, utf: bool, height: int = 0, tight: bool = False
) -> list[list[Segment]]:
    """Returns all panels as lines of rich segments. The meta data of styles say what a click does (see
    `StyleResolver`). With `tight`, boards come first, and tables lose columns to stand next to them."""
    panels = sort_boards_first(panels) if tight else panels
    screen = TerminalRenderer(theme, width, colour, utf, 1 if tight else height, pointed=True, tight=tight)
    return [line for block in screen.iter_shelves(panels) for line in block]
