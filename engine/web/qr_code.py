"""QR codes of links, so that a phone opens a link that a screen shows."""

from __future__ import annotations

from io import StringIO

import segno
from markupsafe import Markup

PIXELS_PER_MODULE = 4


def draw_qr_svg(text: str) -> Markup:
    """Returns a QR code as SVG. It is black on white on any page, because some readers need that."""
    return Markup(segno.make(text, micro=False).svg_inline(scale=PIXELS_PER_MODULE, dark="#000000", light="#ffffff", svgclass=None,
                                                           lineclass=None))


def draw_qr_text(text: str) -> str:
    """Returns a QR code as lines of blocks for a dark terminal. Readers accept it on a light one too."""
    out = StringIO()
    segno.make(text, micro=False).terminal(out=out, compact=True)
    return out.getvalue().rstrip("\n")
