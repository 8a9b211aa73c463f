"""The style sheet of a game: colours of pieces and members, on dark and on light pages."""

from __future__ import annotations

from ..table_view.colours import ensure_contrast
from ..table_view.html_page import BLACK, DARK_PAPER, LIGHT_PAPER, WHITE, build_stylesheet
from ..table_view.surface import CARD_PAPER, ink_on_surface
from ..table_view.theme import Theme


def build_page_stylesheet(theme: Theme) -> str:
    """Returns the rules for boards, and for texts and codes in the colour of a member."""
    colours = sorted(
        {found for kind, members in theme.colours.items() for member in members if (found := theme.colour(f"{kind}.{member}"))})
    dark, light = text_rules(DARK_PAPER, colours, WHITE), text_rules(LIGHT_PAPER, colours, BLACK)
    return f"{build_stylesheet(theme)}\n{dark}\n@media (prefers-color-scheme: light), print {{\n{light}\n}}\n"


def text_rules(paper: dict[str, str], colours: list[str], end: str) -> str:
    """Returns the rules of one kind of page."""
    out = []
    for colour in colours:
        shown = ensure_contrast(ensure_contrast(colour, paper["panel"], end), paper["paper"], end)
        out.append(f".line .c{colour[1:]}{{color:{shown}}}")
        out.append(f".card.k{colour[1:]}{{color:{ink_on_surface(colour, CARD_PAPER)}}}")
        out.append(f".code.f{colour[1:]}{{background:{colour}}}")
    return "\n".join(out)
