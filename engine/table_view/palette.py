"""The colours of a game on terminals with 256 or 16 colours. Each colour becomes one of theirs, and what is told apart stays apart.

The nearest colour of a small palette is often the same for two things. So colours of one kind are assigned one after another: each gets
the nearest one that still looks different from those before it, also to people who see fewer colours.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from .colours import ENOUGH, STRONG, VISIONS, anywhere, apart, contrast, fitted, mixed
from .theme import Look

Small = Literal["standard", "256"]
LEVELS = (0, 95, 135, 175, 215, 255)                               # of red, green and blue in the cube of 256 colours
STANDARD = ("#000000", "#aa0000", "#00aa00", "#aa5500", "#0000aa", "#aa00aa", "#00aaaa", "#aaaaaa",
            "#555555", "#ff5555", "#55ff55", "#ffff55", "#5555ff", "#ff55ff", "#55ffff", "#ffffff")
CHROMATIC = (*range(1, 7), *range(9, 15))                          # of sixteen, those that are neither black, grey nor white
DARKENED = 0.45                                                    # of a colour, where it is a ground
GROUND = "ground"
WHITE, BLACK = "#ffffff", "#000000"
NEEDED = {"all": 10.0, "protanopia": 6.0, "deuteranopia": 6.0}     # how far apart two things must look


@lru_cache(2)
def palette(size: Small) -> dict[int, str]:
    """The colours of a terminal by number. Of 256 those that no theme of a terminal changes, greys once."""
    if size == "standard":
        return dict(enumerate(STANDARD))
    cube = [f"#{r:02x}{g:02x}{b:02x}" for r in LEVELS for g in LEVELS for b in LEVELS]
    greys = [f"#{level:02x}{level:02x}{level:02x}" for level in range(8, 248, 10)]
    ends = (BLACK, WHITE)
    return {n: one for n, one in enumerate([*cube, *greys], start=16) if n >= 232 or one in ends or len({one[1:3], one[3:5], one[5:]}) > 1}


def difference(one: str, two: str) -> float:
    """How well two colours are told apart by everybody: 1 and more is well."""
    return min(apart(one, two, vision) / NEEDED[vision] for vision in VISIONS)


def assigned(colours: Sequence[str], candidates: dict[int, str]) -> dict[str, int]:
    """For each colour a number of these: the nearest one that looks different from those before it, else the one that does so most."""
    found: dict[str, int] = {}
    for colour in dict.fromkeys(colours):
        taken = [candidates[n] for n in found.values()]
        far = {n: min((difference(one, other) for other in taken), default=1.0) for n, one in candidates.items() if one not in taken}
        if not far:
            found[colour] = min(candidates, key=lambda n: apart(candidates[n], colour))
            continue
        most = min(1.0, max(far.values()))
        found[colour] = min((n for n in far if far[n] >= most), key=lambda n: apart(candidates[n], colour))
    return found


class Palette:
    """The colours of a game by numbers of a terminal, as `color(94)`."""

    def __init__(self, look: Look, size: Small) -> None:
        self.look, self.colours = look, palette(size)
        self.made: dict[tuple[str, str | None], dict[str, int]] = {}

    def of_kind(self, kind: str) -> list[str]:
        """The colours of the members of a type, in the order of the table; for "" those of all types, which 256 colours keep apart."""
        kinds = [kind] if kind else self.look.colours
        return [colour for one in kinds for member in self.look.colours.get(one, {}) if (colour := self.look.colour(f"{one}.{member}"))]

    def ground(self, style: str) -> int:
        """The number of a thing's colour, where it is a ground to write on."""
        kind, colour = style.partition(".")[0], self.look.colour(style)
        if (kind, GROUND) not in self.made:
            dark = [mixed(one, BLACK, DARKENED) for one in self.of_kind(kind)]
            readable = {n: one for n, one in self.colours.items() if contrast(self.ink_on(n), one) >= ENOUGH}
            numbers = assigned(dark, readable)
            self.made[kind, GROUND] = {one: numbers[mixed(one, BLACK, DARKENED)] for one in self.of_kind(kind)}
        assert colour is not None
        return self.made[kind, GROUND][colour]

    def ink_on(self, ground: int) -> str:
        """The colour of plain writing on a ground."""
        return max((WHITE, BLACK), key=lambda ink: contrast(ink, self.colours[ground]))

    def ink(self, ground: int) -> int:
        """The number of the colour of plain writing on a ground."""
        wanted = self.ink_on(ground)
        return next(n for n, colour in self.colours.items() if colour == wanted)

    def writing(self, style: str, ground: int | None = None) -> int:
        """The number of a thing's colour as writing, on a ground or on the terminal's own."""
        kind, colour = style.partition(".")[0] if len(self.colours) == len(STANDARD) else "", self.look.colour(style)
        under = None if ground is None else self.colours[ground]
        if (kind, under) not in self.made:
            end = BLACK if ground is not None and self.ink_on(ground) == BLACK else WHITE
            wanted = {one: anywhere(one) if under is None else fitted(one, under, end, STRONG) for one in self.of_kind(kind)}
            behind = (BLACK, WHITE) if under is None else (under,)
            readable = {n: one for n, one in self.colours.items() if all(contrast(one, other) >= STRONG for other in behind)}
            if under is None and len(self.colours) == len(STANDARD):
                readable = {n: self.colours[n] for n in CHROMATIC}  # a theme sees to it that they can be read
            numbers = assigned(list(wanted.values()), readable or self.colours)
            self.made[kind, under] = {one: numbers[said] for one, said in wanted.items()}
        assert colour is not None
        return self.made[kind, under][colour]


def palette_of(look: Look, size: Small) -> Palette:
    """The palette of a look for a terminal; made once."""
    found = look.palettes.setdefault(size, Palette(look, size))
    assert isinstance(found, Palette)
    return found
