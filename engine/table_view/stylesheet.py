"""The style sheet of SVG tables, for dark and for light pages.

Colours of text are darkened on light pages and brightened on dark ones until they can be read. The grounds of
cells are fitted to the text on them."""

from __future__ import annotations

from .colours import blend, contrast, ensure_contrast
from .theme import Theme

DARK_PAPER = {"paper": "#16191d", "panel": "#22272d", "bare": "#2c333b",
        "ink": "#f0f0f0", "quiet": "#9aa3ad", "plain": "#d5d9de", "edge": "#16191d"}
LIGHT_PAPER = {"paper": "#e9ebee", "panel": "#ffffff", "bare": "#dfe3e8",
         "ink": "#1a1d21", "quiet": "#5d656e", "plain": "#b4bac2", "edge": "#a9b1ba"}
BLACK, WHITE = "#000000", "#ffffff"                               # one of them has 4.5:1 on any colour


def build_stylesheet(look: Theme) -> str:
    """Returns the style sheet of a game's tables. The reader's system selects dark or light, and print uses light."""
    colours = sorted({found for kind, members in look.colours.items() for member in members if (found := look.colour(f"{kind}.{member}"))})
    return f"{paper_rules(DARK_PAPER, colours)}\n@media (prefers-color-scheme: light), print {{\n{paper_rules(LIGHT_PAPER, colours)}\n}}"


def paper_rules(paper: dict[str, str], colours: list[str]) -> str:
    """Returns the CSS rules for a dark or a light page."""
    out = [f".table text{{fill:{paper['ink']};white-space:pre}}", f".table .q{{fill:{paper['quiet']}}}", ".table .b{font-weight:bold}",
           f".table .paper{{fill:{paper['paper']}}}", f".table .panel{{fill:{paper['panel']}}}", f".table .bare{{fill:{paper['bare']}}}",
           f".table .plain{{fill:{paper['plain']}}}", f".table .edge{{stroke:{paper['edge']};stroke-width:2}}",
           f".table .on{{fill:{BLACK};font-weight:bold}}", f".table .over{{fill:{WHITE};font-weight:bold}}"]
    end = WHITE if paper is DARK_PAPER else "#000000"
    for colour in colours:
        name = colour[1:]
        out += [f".table .c{name}{{fill:{ensure_contrast(colour, paper['panel'], end)}}}", f".table .f{name}{{fill:{colour}}}",
                f".table .g{name}{{fill:{ground_colour(paper, colour)}}}"]
    return "\n".join(out)


def ground_colour(paper: dict[str, str], colour: str) -> str:
    """Returns a colour as the ground of a cell, with enough contrast for text."""
    far, part = ("#000000", 0.5) if paper is DARK_PAPER else (WHITE, 0.55)
    return ensure_contrast(blend(colour, far, part), paper["ink"], far)


def text_class(colour: str | None) -> str:
    """Returns the CSS class of text on a colour: white if that has more contrast, else black."""
    return "over" if colour is not None and contrast(colour, WHITE) > contrast(colour, BLACK) else "on"
