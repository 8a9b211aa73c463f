"""The tables of a whole game as SVG, with each part stored once, because most of a table stays the same between
two steps.

    film = ReplayFrames(narrator, seat)
    film.add(position)          at the start and after each decision
    film.finish()               fills `parts`, `panels`, and `steps`"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..narration.narrator import Narrator
from ..position.position import Position
from .build_panels import build_panels
from .svg_renderer import PanelSize, PanelSvg, draw_panel, panel_sizes
from .theme import theme_of
from .view_model import Panel

# of a panel and of its board, for a small screen
PANEL_WIDTH, BOARD_HEIGHT = 800, 560


class ReplayFrames:
    """The table at every step, as `seat` sees it (None: a spectator). Boards keep their layout and tables their
    column widths."""

    def __init__(self, narrator: Narrator, seat: int | None) -> None:
        self.narrator, self.seat = narrator, seat
        self.theme = theme_of(narrator.game)
        self.tables: list[list[Panel]] = []
        self.last: dict[str, Panel] = {}
        self.parts: list[str] = []                                 # unique SVG fragments
        self.panels: list[tuple[str, float, tuple[int, ...]]] = []  # unique (title, height, part indices)
        self.steps: list[list[int]] = []                           # panel indices of each step
        self.frames: dict[str, PanelSize] = {}
        self.wides: dict[str, float] = {}                          # title → maximum width

    def add(self, position: Position) -> None:
        """Adds the table of one more position."""
        table = []
        for panel in build_panels(position, self.narrator, self.seat):
            before = self.last.get(panel.title)
            if before != panel:
                self.last[panel.title] = before = panel
            table.append(before)
        self.tables.append(table)

    def finish(self, report: Callable[[], object] = lambda: None) -> None:
        """Draws all panels. Calls `report` after each step."""
        self.frames = panel_sizes(self.tables)
        numbers: dict[str, int] = {}
        known: dict[tuple[str, float, tuple[int, ...]], int] = {}
        drawn: dict[int, int] = {}
        for table in self.tables:
            for panel in table:
                if id(panel) not in drawn:
                    found = draw_panel(panel, self.theme, PANEL_WIDTH, BOARD_HEIGHT, self.frames.get(panel.title))
                    self.wides[found.title] = max(found.width, self.wides.get(found.title, 0))
                    content = found.title, found.height, tuple(numbers.setdefault(part, len(numbers)) for part in found.parts)
                    drawn[id(panel)] = known.setdefault(content, len(known))
            self.steps.append([drawn[id(panel)] for panel in table])
            report()
        self.parts, self.panels = list(numbers), list(known)

    def panels_at(self, step: int) -> list[PanelSvg]:
        """Returns the panels of a step."""
        out = []
        for title, height, parts in (self.panels[n] for n in self.steps[step]):
            out.append(PanelSvg(title, self.wides[title], height, tuple(self.parts[k] for k in parts)))
        return out

    def to_data(self) -> dict[str, Any]:
        """Returns everything as plain data for JSON. Each panel is a list of:

          - index of its title
          - height
          - index of a similar panel, or -1
          - number of parts shared with the beginning of that panel
          - number of parts shared with its end
          - the parts in between"""
        titles = list(self.wides)
        last: dict[str, int] = {}
        panels: list[list[Any]] = []
        for n, (title, height, parts) in enumerate(self.panels):
            base = last.get(title, -1)
            old = self.panels[base][2] if base >= 0 else ()
            front = common_prefix_length(old, parts)
            back = common_prefix_length(old[front:][::-1], parts[front:][::-1])
            panels.append([titles.index(title), round(height, 1), base, front, back, parts[front:len(parts) - back]])
            last[title] = n
        return {"titles": titles, "wides": [round(wide, 1) for wide in self.wides.values()], "parts": self.parts, "panels": panels,
                "steps": self.steps}


def common_prefix_length(one: tuple[int, ...], two: tuple[int, ...]) -> int:
    """Returns the length of the common prefix of two sequences."""
    return next((n for n, (a, b) in enumerate(zip(one, two)) if a != b), min(len(one), len(two)))
