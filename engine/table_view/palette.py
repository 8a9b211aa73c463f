"""The colours of a game on terminals with 256 or 16 colours.

The nearest colour of a small palette is often the same for two members. So the colours of one type are
assigned in order: each gets the nearest colour that still looks different from the earlier ones, also to
colour-blind people."""

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

ColourDepth = Literal["standard", "256"]
CUBE_LEVELS = (0, 95, 135, 175, 215, 255)                               # channel values of the 256-colour cube
STANDARD_COLOURS = ("#000000", "#aa0000", "#00aa00", "#aa5500", "#0000aa", "#aa00aa", "#00aaaa", "#aaaaaa",
            "#555555", "#ff5555", "#55ff55", "#ffff55", "#5555ff", "#ff55ff", "#55ffff", "#ffffff")
CHROMATIC_NUMBERS = (*range(1, 7), *range(9, 15))                          # of the 16, without black, grey, and white
GROUND_COLOUR_SHARE = 0.45                                                    # share of the colour in a background
GROUND_KEY = "ground"
WHITE, BLACK = "#ffffff", "#000000"
MIN_DISTANCES = {"all": 10.0, "protanopia": 6.0, "deuteranopia": 6.0}     # minimum distance of two colours, by vision


@lru_cache(2)
def terminal_colours(size: ColourDepth) -> dict[int, str]:
    """Returns the colours of a terminal by number.

    Of 256, only those that no terminal theme changes. Greys of the colour cube are left out, because the grey
    ramp has them."""
    if size == "standard":
        return dict(enumerate(STANDARD_COLOURS))
    cube = [f"#{r:02x}{g:02x}{b:02x}" for r in CUBE_LEVELS for g in CUBE_LEVELS for b in CUBE_LEVELS]
    greys = [f"#{level:02x}{level:02x}{level:02x}" for level in range(8, 248, 10)]
    ends = (BLACK, WHITE)
    return {n: one for n, one in enumerate([*cube, *greys], start=16) if n >= 232 or one in ends or len({one[1:3], one[3:5], one[5:]}) > 1}


def distinctness(one: str, two: str) -> float:
    """Returns how well everyone can distinguish two colours. 1 or more is well enough."""
    return min(colour_distance(one, two, vision) / MIN_DISTANCES[vision] for vision in VISIONS)


def assign_colours(colours: Sequence[str], candidates: dict[int, str]) -> dict[str, int]:
    """Returns a terminal colour for each colour: the nearest one that looks different from those already assigned.

    If none looks different enough, the most different one is used."""
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
    """The colours of a theme as numbers of terminal colours, such as `color(94)`."""

    def __init__(self, theme: Theme, size: ColourDepth) -> None:
        self.theme, self.colours = theme, terminal_colours(size)
        self.made: dict[tuple[str, str | None], dict[str, int]] = {}

    def colours_of_type(self, kind: str) -> list[str]:
        """Returns the colours of the members of a type, in the order of the table."""
        return [colour for _, colour in self.coloured_members(kind)]

    def coloured_members(self, kind: str) -> list[tuple[str, str]]:
        """Returns the members of a type that have colours, as (member, colour)."""
        return [(one, colour) for one in self.theme.colours.get(kind, {}) if (colour := self.theme.colour(f"{kind}.{one}"))]

    def wanted_ground(self, kind: str, member: str) -> str:
        """Returns the background colour of a member as declared, or a dark form of its colour."""
        style = f"{kind}.{member}"
        return self.theme.ground(style) or blend(self.theme.colour(style) or BLACK, BLACK, GROUND_COLOUR_SHARE)

    def ground_number(self, style: str) -> int:
        """Returns the number of a member's colour as a background for text."""
        kind, colour = style.partition(".")[0], self.theme.colour(style)
        if (kind, GROUND_KEY) not in self.made:
            wanted = {one: self.wanted_ground(kind, member) for member, one in self.coloured_members(kind)}
            readable = {n: one for n, one in self.colours.items() if contrast(self.ink_colour(n), one) >= MIN_TEXT_CONTRAST}
            numbers = assign_colours(list(wanted.values()), readable)
            self.made[kind, GROUND_KEY] = {one: numbers[ground] for one, ground in wanted.items()}
        assert colour is not None
        return self.made[kind, GROUND_KEY][colour]

    def ink_colour(self, ground: int) -> str:
        """Returns white or black, whichever is easier to read on a background."""
        return max((WHITE, BLACK), key=lambda ink: contrast(ink, self.colours[ground]))

    def ink_number(self, ground: int) -> int:
        """Returns the number of the colour of plain text on a background."""
        wanted = self.ink_colour(ground)
        return next(n for n, colour in self.colours.items() if colour == wanted)

    def text_number(self, style: str, ground: int | None = None) -> int:
        """Returns the number of a member's colour as text, on a background or on that of the terminal."""
        kind, colour = style.partition(".")[0], self.theme.colour(style)
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
                readable = {n: self.colours[n] for n in CHROMATIC_NUMBERS}  # terminal themes keep these readable
            numbers = assign_colours(list(wanted.values()), readable or self.colours)
            self.made[kind, under] = {one: numbers[said] for one, said in wanted.items()}
        assert colour is not None
        return self.made[kind, under][colour]


def palette_for_theme(theme: Theme, size: ColourDepth) -> TerminalPalette:
    """Returns the palette of a theme for a terminal. It is cached in the theme."""
    found = theme.palettes.setdefault(size, TerminalPalette(theme, size))
    assert isinstance(found, TerminalPalette)
    return found
