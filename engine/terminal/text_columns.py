"""Text layout for a screen: paragraphs, and short texts in columns."""

from __future__ import annotations

import textwrap

MAX_COLUMNS = 6                             # columns of a list
MAX_SLOT_COLUMNS = 12                          # narrow columns, of which a long text takes several
MAX_SINGLE_COLUMN_TEXTS = 6                              # up to this many texts are listed in one column


def wrap_paragraph(text: str, width: int, indent: str = "") -> list[str]:
    """Wraps a sentence. All lines keep its leading blanks; lines after the first also get `indent`."""
    lead = text[: len(text) - len(text.lstrip())]
    return textwrap.wrap(text.strip(), width, initial_indent=lead, subsequent_indent=lead + indent, break_on_hyphens=False) or [""]


def arrange_columns(texts: list[str], width: int) -> list[str]:
    """Arranges short texts in columns, down and then across, and wraps long ones.

    A width of 0 means one per line."""
    if not width:
        return texts
    wide = max(map(len, texts), default=0) + 2
    across = max(1, min(width // wide, MAX_COLUMNS)) if len(texts) > MAX_SINGLE_COLUMN_TEXTS else 1
    if across == 1:
        return [line for text in texts for line in wrap_paragraph(text, width, "     ")]
    rows = -(-len(texts) // across)
    return ["".join(text.ljust(wide) for text in texts[n::rows]).rstrip() for n in range(rows)]


def arrange_slots(texts: list[str], width: int) -> list[str]:
    """Arranges short texts across and then down, in the column width that gives the fewest lines.

    A text that is longer than a column takes several."""
    found = [[text] for text in texts]
    for across in range(2, MAX_SLOT_COLUMNS + 1):
        wide = width // across
        lines: list[list[str]] = []
        free = 0
        for text in texts:
            slots = -(-(len(text) + 2) // wide) if len(text) > wide - 2 else 1
            if slots > free:
                lines.append([])
                free = across
            lines[-1].append(text.ljust(slots * wide))
            free -= slots
        if len(lines) < len(found):
            found = lines
    return [part for line in found for part in wrap_paragraph("".join(line).rstrip(), width, "     ")]
