"""The colours of a picture as a style sheet, on dark paper and on light: bright words are darkened on light paper until they can be read,
dark ones brightened on dark paper, the grounds of cells fitted to the writing on them."""

from __future__ import annotations

from functools import lru_cache

from .look import Look

DARK = {"paper": "#16191d", "panel": "#22272d", "bare": "#2c333b",
        "ink": "#f0f0f0", "quiet": "#9aa3ad", "plain": "#d5d9de", "edge": "#16191d"}
LIGHT = {"paper": "#e9ebee", "panel": "#ffffff", "bare": "#dfe3e8",
         "ink": "#1a1d21", "quiet": "#5d656e", "plain": "#b4bac2", "edge": "#a9b1ba"}
ENOUGH = 4.5                                                       # contrast that small writing needs
BLACK, WHITE = "#101010", "#ffffff"


def sheet(look: Look) -> str:
    """The style sheet of a game's pictures. What looks dark and light is decided by the reader's machine; paper is light."""
    colours = sorted({found for kind, members in look.colours.items() for member in members if (found := look.colour(f"{kind}.{member}"))})
    return f"{rules(DARK, colours)}\n@media (prefers-color-scheme: light), print {{\n{rules(LIGHT, colours)}\n}}"


def rules(paper: dict[str, str], colours: list[str]) -> str:
    """The rules for one paper."""
    out = [f".table text{{fill:{paper['ink']};white-space:pre}}", f".table .q{{fill:{paper['quiet']}}}", ".table .b{font-weight:bold}",
           f".table .paper{{fill:{paper['paper']}}}", f".table .panel{{fill:{paper['panel']}}}", f".table .bare{{fill:{paper['bare']}}}",
           f".table .plain{{fill:{paper['plain']}}}", f".table .edge{{stroke:{paper['edge']};stroke-width:2}}",
           f".table .on{{fill:{BLACK};font-weight:bold}}", f".table .over{{fill:{WHITE};font-weight:bold}}"]
    end, far, part = (WHITE, "#000000", 0.5) if paper is DARK else ("#000000", WHITE, 0.55)
    for colour in colours:
        name = colour[1:]
        out += [f".table .c{name}{{fill:{fitted(colour, paper['panel'], end)}}}", f".table .f{name}{{fill:{colour}}}",
                f".table .g{name}{{fill:{fitted(mixed(colour, far, part), paper['ink'], far)}}}"]
    return "\n".join(out)


def on(colour: str | None) -> str:
    """The class of writing on a colour: dark, or white where that is read better."""
    return "over" if colour is not None and contrast(colour, WHITE) > contrast(colour, BLACK) else "on"


def fitted(colour: str, other: str, end: str) -> str:
    """`colour`, moved towards `end` until it stands out from `other`."""
    steps = (mixed(colour, end, 1 - n / 20) for n in range(20))
    return next((step for step in steps if contrast(step, other) >= ENOUGH), end)


def mixed(one: str, two: str, part: float) -> str:
    """So much of one colour, the rest of another."""
    return "#" + "".join(f"{round(int(one[n : n + 2], 16) * part + int(two[n : n + 2], 16) * (1 - part)):02x}" for n in (1, 3, 5))


@lru_cache(1000)
def contrast(one: str, two: str) -> float:
    """How much two colours stand out from each other, from 1 to 21 (WCAG 2)."""
    low, high = sorted((brightness(one), brightness(two)))
    return (high + 0.05) / (low + 0.05)


def brightness(colour: str) -> float:
    """The relative luminance of #rrggbb."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
