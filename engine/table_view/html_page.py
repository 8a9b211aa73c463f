"""The frame of all web pages of Ludoglot, with escaped texts and tables, and the style sheet of SVG tables.

A content security policy allows no requests and no scripts except the page's own, whatever names players
have. Pages may be dark or light. Colours of text are darkened on light ones and brightened on dark ones until they
can be read, and the grounds of cells are fitted to the text on them."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from string import Template

from ...dsl.diagnostics.sanitize import sanitize
from .colours import blend, contrast, ensure_contrast
from .surface import CARD_PAPER, ink_on_surface
from .theme import Theme

PAGE_TEMPLATE = Template("""<!DOCTYPE html>
<html lang="$lang">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="$policy">
<title>$title</title>
<style>
$style
</style>
</head>
<body>
$body
</body>
</html>
""")
SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
DARK_PAPER = {"paper": "#16191d", "panel": "#22272d", "bare": "#2c333b",
        "ink": "#f0f0f0", "quiet": "#9aa3ad", "plain": "#d5d9de", "edge": "#16191d"}
LIGHT_PAPER = {"paper": "#e9ebee", "panel": "#ffffff", "bare": "#dfe3e8",
         "ink": "#1a1d21", "quiet": "#5d656e", "plain": "#b4bac2", "edge": "#a9b1ba"}
SURFACE_RULES = {                                                 # wood is the same on dark and on light pages
    "sql": "fill:#d9b88c", "sqd": "fill:#a87850", "sqc": "fill:#a9b665", "pit": "fill:#b98d5f;stroke:#7a5230;stroke-width:2",
    "card": f"fill:{CARD_PAPER};stroke:#111;stroke-width:0.8", "hit": "fill:none", "rule": "fill:none;stroke:#3c2a14;stroke-width:1.3",
    "ruled": "fill:#3c2a14", "seed": "fill:#f3e7cf;stroke:#3c2a14", "piece": "stroke:#111;stroke-width:1.6;paint-order:stroke"}
MAX_GREY_SPREAD = 24                                              # of the channels of a colour that counts as grey
BLACK, WHITE = "#000000", "#ffffff"                               # one of them has 4.5:1 on any colour
NON_XML_CHARACTERS = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render_html_page(lang: str, title: str, style: str, body: str, script: str = "") -> str:
    """Returns a whole page. `title` is escaped. `style`, `body`, and `script` are inserted as they are."""
    policy = SECURITY_POLICY
    if script:
        policy += f"; script-src 'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"
        body += f"\n<script>{script}</script>"
    return PAGE_TEMPLATE.substitute(lang=lang, policy=policy, title=escape_html(title), style=style.strip("\n"), body=body)


def escape_html(text: str) -> str:
    """Returns a text escaped for HTML, also within attributes."""
    return escape(sanitize_text(text))


def target_link(target: str, label: str) -> str:
    """Returns the opening tag of a link around a place that can be chosen. It leads to the element `target` of the page."""
    return f'<a class="target" href="#{escape_html(target)}" aria-label="{escape_html(label)}">'


def sanitize_text(text: str) -> str:
    """Returns a sanitized text. Characters that XML does not allow are replaced."""
    return NON_XML_CHARACTERS.sub("\ufffd", sanitize(text))


def escape_xml(text: str) -> str:
    """Returns a text escaped for XML."""
    return escape(sanitize_text(text), quote=False)


def html_table(heads: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "") -> str:
    """Returns an HTML table of texts. The first entry of each row is its heading. `kind`: the class of the table, if
    any."""
    top = "".join(f'<th scope="col">{escape_html(head)}</th>' for head in heads)
    body = "".join(f'<tr><th scope="row">{escape_html(row[0])}</th>{"".join(f"<td>{escape_html(entry)}</td>" for entry in row[1:])}</tr>'
                   for row in rows)
    opening = f'<table class="{kind}">' if kind else "<table>"
    return f"{opening}<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


# ---------------------------------------------------------------- style sheet


def build_stylesheet(theme: Theme) -> str:
    """Returns the style sheet of a game's tables. The reader's system selects dark or light, and print uses light."""
    colours = sorted(
        {found for kind, members in theme.colours.items() for member in members if (found := theme.colour(f"{kind}.{member}"))}
    )
    return f"{paper_rules(DARK_PAPER, colours)}\n@media (prefers-color-scheme: light), print {{\n{paper_rules(LIGHT_PAPER, colours)}\n}}"


def paper_rules(paper: dict[str, str], colours: list[str]) -> str:
    """Returns the CSS rules for a dark or a light page."""
    out = [f".table text{{fill:{paper['ink']};white-space:pre}}", f".table .q{{fill:{paper['quiet']}}}", ".table .b{font-weight:bold}",
           f".table .paper{{fill:{paper['paper']}}}", f".table .panel{{fill:{paper['panel']}}}", f".table .bare{{fill:{paper['bare']}}}",
           f".table .plain{{fill:{paper['plain']}}}", f".table .edge{{stroke:{paper['edge']};stroke-width:2}}",
           f".table .mat{{fill:none;stroke:{paper['quiet']}}}",
           f".table .on{{fill:{BLACK};font-weight:bold}}", f".table .over{{fill:{WHITE};font-weight:bold}}",
           *(f".table .{name}{{{rule}}}" for name, rule in SURFACE_RULES.items())]
    end = WHITE if paper is DARK_PAPER else "#000000"
    for colour in colours:
        name = colour[1:]
        out += [f".table .c{name}{{fill:{ensure_contrast(colour, paper['panel'], end)}}}", f".table .f{name}{{fill:{colour}}}",
                f".table .k{name}{{fill:{ink_on_surface(colour, CARD_PAPER)};font-weight:bold}}",
                f".table .g{name}{{fill:{ground_colour(paper, colour)}}}", f".table .p{name}{{fill:{piece_colour(colour)}}}"]
    return "\n".join(out)


def piece_colour(colour: str) -> str:
    """Returns a colour for a piece on wood. Dark greys become nearly black, because no background is near."""
    parts = [int(colour[n : n + 2], 16) for n in (1, 3, 5)]
    is_dark_grey = max(parts) - min(parts) < MAX_GREY_SPREAD and contrast(colour, WHITE) > contrast(colour, BLACK)
    return blend(colour, BLACK, 0.4) if is_dark_grey else colour


def ground_colour(paper: dict[str, str], colour: str) -> str:
    """Returns a colour as the ground of a cell, with enough contrast for text."""
    far, part = ("#000000", 0.5) if paper is DARK_PAPER else (WHITE, 0.55)
    return ensure_contrast(blend(colour, far, part), paper["ink"], far)


def text_class(colour: str | None) -> str:
    """Returns the CSS class of text on a colour: white if that has more contrast, else black."""
    return "over" if colour is not None and contrast(colour, WHITE) > contrast(colour, BLACK) else "on"
