"""Keeps the panels that a viewer has seen, so that the next page can mark what has changed without building them again."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..narration.narrator import Narrator
from ..table_view.view_model import GridPanel, Panel

MAX_VIEWERS = 8                             # of one match: viewers and languages
COMPRESSION_LEVEL = 1                       # the fastest


@dataclass
class EarlierPanels:
    """The latest panels of each viewer of a match, by the number of steps before them. They need little memory."""

    found: dict[tuple[int | None, Narrator], dict[int, bytes]] = field(default_factory=dict)

    def keep(self, seat: int | None, narrator: Narrator, steps: int, panels: Sequence[Panel], base: int) -> None:
        """Keeps panels without marks, and those of `base` steps. Forgets the other panels of this viewer."""
        known = self.found.pop((seat, narrator), {})
        if len(self.found) >= MAX_VIEWERS:
            self.found.clear()
        plain = [replace(panel, left_out=None) if isinstance(panel, GridPanel) else panel for panel in panels]
        packed = known.get(steps) or zlib.compress(pickle.dumps(plain, pickle.HIGHEST_PROTOCOL), COMPRESSION_LEVEL)
        self.found[seat, narrator] = {n: data for n, data in known.items() if n == base} | {steps: packed}

    def read(self, seat: int | None, narrator: Narrator, steps: int) -> list[Panel] | None:
        """Returns the panels that a viewer has seen after so many steps, or None if they were not kept."""
        packed = self.found.get((seat, narrator), {}).get(steps)
        found: list[Panel] | None = pickle.loads(zlib.decompress(packed)) if packed is not None else None
        return found
