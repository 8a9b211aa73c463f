"""The colours of a game on terminals with 256 or 16 colours. Each colour becomes one of theirs, and what is told apart stays apart.

The nearest colour of a small palette is often the same for two things. So colours of one kind are assigned one after another: each gets
the nearest one that still looks different from those before it, also to people who see fewer colours.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from .colours import (
    MIN_SIGN_CONTRAST,
    MIN_TEXT_CONTRAST,
    VISIONS,
    blend,
    colour_distance,
    contrast,
    ensure_contrast,
    readable_on_any_ground,
)
from .theme import Theme

Small = Literal["standard", "256"]
CUBE_LEVELS = (0, 95, 135, 175, 215, 255)                               # of red, green and blue in the cube of 256 colours
STANDARD_COLOURS = ("#000000", "#aa0000", "#00aa00", "#aa5500", "#0000aa", "#aa00aa", "#00aaaa", "#aaaaaa",
            "#555555", "#ff5555", "#55ff55", "#ffff55", "#5555ff", "#ff55ff", "#55ffff", "#ffffff")
CHROMATIC_NUMBERS = (*range(1, 7), *range(9, 15))                          # of sixteen, those that are neither black, grey nor white
GROUND_COLOUR_SHARE = 0.45                                                    # of a colour, where it is a ground
GROUND_KEY = "ground"
WHITE, BLACK = "#ffffff", "#000000"
MIN_DISTANCES = {"all": 10.0, "protanopia": 6.0, "deuteranopia": 6.0}     # how far apart two things must look


@lru_cache(2)
def terminal_colours(size: Small) -> dict[int, str]:
    """The colours of a terminal by number. Of 256 those that no theme of a terminal changes, greys once."""
    if size == "standard":
        return dict(enumerate(STANDARD_COLOURS))
    cube = [f"#{r:02x}{g:02x}{b:02x}" for r in CUBE_LEVELS for g in CUBE_LEVELS for b in CUBE_LEVELS]
    greys = [f"#{level:02x}{level:02x}{level:02x}" for level in range(8, 248, 10)]
    ends = (BLACK, WHITE)
    return {n: one for n, one in enumerate([*cube, *greys], start=16) if n >= 232 or one in ends or len({one[1:3], one[3:5], one[5:]}) > 1}


def distinctness(one: str, two: str) -> float:
    """How well two colours are told apart by everybody: 1 and more is well."""
    return min(colour_distance(one, two, vision) / MIN_DISTANCES[vision] for vision in VISIONS)


def assign_colours(colours: Sequence[str], candidates: dict[int, str]) -> dict[str, int]:
    """For each colour a number of these: the nearest one that looks different from those before it, else the one that does so most."""
    found: dict[str, int] = {}
    for colour in dict.fromkeys(colours):
        taken = [candidates[n] for n in found.values()]
        far = {n: min((distinctness(one, other) for other in taken), default=1.0) for n, one in candidates.items() if one not in taken}
        if not far:
            found[colour] = min(candidates, key=lambda n: colour_distance(candidates[n], colour))
            continue
        most = min(1.0, max(far.values()))
        found[colour] = min((n for n in far if far[n] >= most), key=lambda n: colour_distance(candidates[n], colour))
    return found


class TerminalPalette:
    """The colours of a game by numbers of a terminal, as `color(94)`."""

    def __init__(self, look: Theme, size: Small) -> None:
        self.look, self.colours = look, terminal_colours(size)
        self.made: dict[tuple[str, str | None], dict[str, int]] = {}

    def colours_of_type(self, kind: str) -> list[str]:
        """The colours of the members of a type, in the order of the table; for "" those of all types, which 256 colours keep apart."""
        kinds = [kind] if kind else self.look.colours
        return [colour for one in kinds for member in self.look.colours.get(one, {}) if (colour := self.look.colour(f"{one}.{member}"))]

    def ground_number(self, style: str) -> int:
        """The number of a thing's colour, where it is a ground to write on."""
        kind, colour = style.partition(".")[0], self.look.colour(style)
        if (kind, GROUND_KEY) not in self.made:
            dark = [blend(one, BLACK, GROUND_COLOUR_SHARE) for one in self.colours_of_type(kind)]
            readable = {n: one for n, one in self.colours.items() if contrast(self.ink_colour(n), one) >= MIN_TEXT_CONTRAST}
            numbers = assign_colours(dark, readable)
            self.made[kind, GROUND_KEY] = {one: numbers[blend(one, BLACK, GROUND_COLOUR_SHARE)] for one in self.colours_of_type(kind)}
        assert colour is not None
        return self.made[kind, GROUND_KEY][colour]

    def ink_colour(self, ground: int) -> str:
        """The colour of plain writing on a ground."""
        return max((WHITE, BLACK), key=lambda ink: contrast(ink, self.colours[ground]))

    def ink_number(self, ground: int) -> int:
        """The number of the colour of plain writing on a ground."""
        wanted = self.ink_colour(ground)
        return next(n for n, colour in self.colours.items() if colour == wanted)

    def text_number(self, style: str, ground: int | None = None) -> int:
        """The number of a thing's colour as writing, on a ground or on the terminal's own."""
        kind, colour = style.partition(".")[0] if len(self.colours) == len(STANDARD_COLOURS) else "", self.look.colour(style)
        under = None if ground is None else self.colours[ground]
        if (kind, under) not in self.made:
            end = BLACK if ground is not None and self.ink_colour(ground) == BLACK else WHITE
            wanted = {
                one: readable_on_any_ground(one) if under is None else ensure_contrast(one, under, end, MIN_SIGN_CONTRAST)
                for one in self.colours_of_type(kind)
            }
            behind = (BLACK, WHITE) if under is None else (under,)
            readable = {n: one for n, one in self.colours.items() if all(contrast(one, other) >= MIN_SIGN_CONTRAST for other in behind)}
            if under is None and len(self.colours) == len(STANDARD_COLOURS):
                readable = {n: self.colours[n] for n in CHROMATIC_NUMBERS}  # a theme sees to it that they can be read
            numbers = assign_colours(list(wanted.values()), readable or self.colours)
            self.made[kind, under] = {one: numbers[said] for one, said in wanted.items()}
        assert colour is not None
        return self.made[kind, under][colour]


def palette_for_theme(look: Theme, size: Small) -> TerminalPalette:
    """The palette of a look for a terminal; made once."""
    found = look.palettes.setdefault(size, TerminalPalette(look, size))
    assert isinstance(found, TerminalPalette)
    return found
