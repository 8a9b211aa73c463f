"""Lines laid out for a screen: paragraphs, and short texts side by side."""

from __future__ import annotations

import textwrap

MOST = 6                             # columns that a list may have
FEW = 6                              # so many texts stand one below the other


def paragraph(text: str, width: int, indent: str = "") -> list[str]:
    """A sentence in lines; what it begins with is kept before the first, and `indent` more before the others."""
    lead = text[: len(text) - len(text.lstrip())]
    return textwrap.wrap(text.strip(), width, initial_indent=lead, subsequent_indent=lead + indent, break_on_hyphens=False) or [""]


def in_columns(texts: list[str], width: int) -> list[str]:
    """Short texts side by side, down and then across; long ones one to a line, in paragraphs. With a width of 0 each is a line."""
    if not width:
        return texts
    wide = max(map(len, texts), default=0) + 2
    across = max(1, min(width // wide, MOST)) if len(texts) > FEW else 1
    if across == 1:
        return [line for text in texts for line in paragraph(text, width, "     ")]
    rows = -(-len(texts) // across)
    return ["".join(text.ljust(wide) for text in texts[n::rows]).rstrip() for n in range(rows)]
