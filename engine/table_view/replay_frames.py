"""The tables of a whole game as pictures, each part kept once: from one step to the next most of a table stays as it was.

    film = Film(teller, seat)
    film.add(position)              at the start and after each decision
    film.finish()                  then `parts`, `panels` and `steps` say all
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..narration.narrator import Narrator
from ..position.position import Position
from .build_panels import build_panels
from .svg_renderer import PanelSize, PanelSvg, draw_panel, panel_sizes
from .theme import theme_of
from .view_model import Panel

# of a panel, of the board in it: both fit on a small screen
PANEL_WIDTH, BOARD_HEIGHT = 800, 560


class ReplayFrames:
    """A table at every step, as `seat` sees it (None: as one who only watches). Boards keep their place, tables their columns."""

    def __init__(self, teller: Narrator, seat: int | None) -> None:
        self.teller, self.seat = teller, seat
        self.look = theme_of(teller.game)
        self.tables: list[list[Panel]] = []
        self.last: dict[str, Panel] = {}
        self.parts: list[str] = []                                 # SVG, each once
        self.panels: list[tuple[str, float, tuple[int, ...]]] = []  # title, height, numbers of parts; each once
        self.steps: list[list[int]] = []                           # numbers of panels
        self.frames: dict[str, PanelSize] = {}
        self.wides: dict[str, float] = {}                          # the widest that the panels of a title become

    def add(self, position: Position) -> None:
        """One more step."""
        table = []
        for panel in build_panels(position, self.teller, self.seat):
            before = self.last.get(panel.title)
            if before != panel:
                self.last[panel.title] = before = panel
            table.append(before)
        self.tables.append(table)

    def finish(self, report: Callable[[], object] = lambda: None) -> None:
        """Draw all; `report` is called after each step."""
        self.frames = panel_sizes(self.tables)
        numbers: dict[str, int] = {}
        known: dict[tuple[str, float, tuple[int, ...]], int] = {}
        drawn: dict[int, int] = {}
        for table in self.tables:
            for panel in table:
                if id(panel) not in drawn:
                    found = draw_panel(panel, self.look, PANEL_WIDTH, BOARD_HEIGHT, self.frames.get(panel.title))
                    self.wides[found.title] = max(found.width, self.wides.get(found.title, 0))
                    content = found.title, found.height, tuple(numbers.setdefault(part, len(numbers)) for part in found.parts)
                    drawn[id(panel)] = known.setdefault(content, len(known))
            self.steps.append([drawn[id(panel)] for panel in table])
            report()
        self.parts, self.panels = list(numbers), list(known)

    def panels_at(self, step: int) -> list[PanelSvg]:
        """The panels of a step."""
        out = []
        for title, height, parts in (self.panels[n] for n in self.steps[step]):
            out.append(PanelSvg(title, self.wides[title], height, tuple(self.parts[k] for k in parts)))
        return out

    def to_data(self) -> dict[str, Any]:
        """All as plain data. A panel is [number of its title, height, number of the panel it resembles or -1, how many parts it has from
        that one's beginning, how many from its end, the parts between]."""
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
    """How far two rows begin alike."""
    return next((n for n, (a, b) in enumerate(zip(one, two)) if a != b), min(len(one), len(two)))
