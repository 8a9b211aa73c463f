"""Text layout for terminals: paragraphs, tables and lists in columns.

Widths are terminal cells. A Chinese letter or an emoji has two cells, and a combining accent has none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from rich.text import Text

COLUMN_GAP = 2                                              # blanks between two columns
MAX_COLUMNS = 6                                             # columns of a list
MAX_SLOT_COLUMNS = 12                                       # narrow columns, of which a long text takes several
MAX_SINGLE_COLUMN_TEXTS = 6                                 # up to this many texts are listed in one column
LIST_INDENT = "     "                                       # of the later lines of a list entry
WORD = re.compile(r"[^ \t\n\v\f\r]+")                       # no-break spaces are part of a word
BLANK = re.compile(r"[\t\n\v\f\r]")
# Letters that may have another width than one cell. All Latin letters and usual punctuation marks have one.
UNUSUAL_WIDTH = re.compile("[^\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e]")


def cell_len(text: str) -> int:
    """Returns the number of terminal cells of a text. The library that knows all letters is imported only if needed."""
    if not UNUSUAL_WIDTH.search(text):
        return len(text)
    from rich.cells import cell_len as measure_cells
    return measure_cells(text)


def chop_cells(text: str, width: int) -> list[str]:
    """Splits a text into pieces of at most `width` cells."""
    from rich.cells import chop_cells as split_cells
    return split_cells(text, width)


# ---------------------------------------------------------------- paragraphs


def wrap_cells(text: str, width: int, indent: str = "", break_words: bool = True) -> list[str]:
    """Wraps a paragraph between words. All lines keep its leading blanks, and lines after the first also get `indent`.

    A word that is longer than a line is broken, unless `break_words` is off. An empty text is one empty line."""
    text = BLANK.sub(" ", text)
    if cell_len(text) <= width:
        return [text.rstrip(" ")]
    return [" " * indent_size + text[start:end] for indent_size, start, end in _iter_lines(text, width, len(indent), break_words)] or [""]


def wrap_styled(text: Text, width: int, indent: int = 0, break_words: bool = True) -> list[Text]:
    """Wraps a styled paragraph as `wrap_cells` does. `indent` is a number of blanks."""
    from rich.text import Text
    if text.cell_len <= width:
        return [text]
    return [Text(" " * indent_size).append_text(text[start:end])
            for indent_size, start, end in _iter_lines(text.plain, width, indent, break_words)] or [text]


def _iter_lines(text: str, width: int, indent: int, break_words: bool) -> Iterator[tuple[int, int, int]]:
    """Yields the indentation of each line, and where its part of the text starts and ends.

    Later lines are not indented by more than half of the width."""
    lead = len(text) - len(text.lstrip(" "))
    hang = lead + indent if lead + indent <= width // 2 else 0
    left, start, end, used = lead, -1, 0, 0
    for word in WORD.finditer(text):
        at, stop = word.span()
        while at < stop:
            size, gap = cell_len(text[at:stop]), at - end if start >= 0 else 0
            room = max(1, width - left)
            free = room - used - gap
            taken = stop if size <= free else at
            if break_words and size > room and free > 0:
                taken = at + len(chop_cells(text[at:stop], free)[0])
            if taken == at and start >= 0:                         # nothing fits into the rest of the line
                yield left, start, end
                left, start, used = hang, -1, 0
                continue
            if taken == at:                                        # nothing fits into a whole line
                taken = at + 1 if break_words else stop
            start = at if start < 0 else start
            used += gap + cell_len(text[at:taken])
            at = end = taken
    if start >= 0:
        yield left, start, end


def truncate_cells(text: str, width: int, mark: str = "+") -> str:
    """Returns `text` cut to `width` cells. If it was longer, it ends with `mark`."""
    if cell_len(text) <= width:
        return text
    return (chop_cells(text, width - 1)[0].rstrip() if width > 1 else "") + mark


# ---------------------------------------------------------------- tables


def pad_cells(text: str, width: int, align: Literal["left", "right", "center"] = "left") -> str:
    """Returns a text filled with blanks to this many cells."""
    free = max(0, width - cell_len(text))
    left = {"left": 0, "right": free, "center": free // 2 + (free & width & 1)}[align]      # as `str.center`
    return " " * left + text + " " * (free - left)


def fit_columns(most: Sequence[int], least: Sequence[int], width: int) -> list[int]:
    """Returns widths of columns that fit into a line with their gaps.

    The widest columns are narrowed from `most`, but none below `least`. If `least` is too wide, the result is too."""
    sizes = list(most)
    over = total_width(sizes) - width
    while over > 0:
        at = max(range(len(sizes)), key=lambda n: (sizes[n] > least[n], sizes[n]))
        if sizes[at] <= least[at]:
            break
        sizes[at] -= 1
        over -= 1
    return sizes


def total_width(sizes: Sequence[int]) -> int:
    """Returns the width of columns with the gaps between them."""
    return sum(sizes) + COLUMN_GAP * (len(sizes) - 1)


def table_row_lines(row: Sequence[str], sizes: Sequence[int], right: Sequence[bool] = ()) -> list[str]:
    """Returns the lines of a table row, as many as its tallest entry needs. `right`: the entries that are aligned right."""
    entries = [wrap_cells(text, max(1, size)) for text, size in zip(row, sizes)]
    aligned = [*right, *(False for _ in sizes)]
    return [(" " * COLUMN_GAP).join(pad_cells(entry[n] if n < len(entry) else "", size, "right" if aligned[k] else "left")
                                    for k, (entry, size) in enumerate(zip(entries, sizes))).rstrip()
            for n in range(max(map(len, entries)))]


def table_lines(rows: Sequence[Sequence[str]]) -> list[str]:
    """Returns rows as aligned columns, each as wide as its longest entry."""
    sizes = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return [line for row in rows for line in table_row_lines(row, sizes)]


# ---------------------------------------------------------------- lists


def arrange_columns(texts: list[str], width: int, single: bool = False) -> list[str]:
    """Arranges short texts in columns, down and then across, and wraps long ones. `single` allows one column only."""
    size = max(map(cell_len, texts), default=0)
    across = max(1, min(width // (size + COLUMN_GAP), MAX_COLUMNS)) if len(texts) > MAX_SINGLE_COLUMN_TEXTS and not single else 1
    if across == 1:
        return [line for text in texts for line in wrap_cells(text, width, LIST_INDENT)]
    rows = -(-len(texts) // across)
    return [line for n in range(rows) for line in table_row_lines(texts[n::rows], [size] * across)]


def arrange_slots(texts: list[str], width: int) -> list[str]:
    """Arranges short texts across and then down, in the column width that gives the fewest lines.

    A text that is longer than a column takes several."""
    found = [[text] for text in texts]
    for across in range(2, MAX_SLOT_COLUMNS + 1):
        wide = width // across
        lines: list[list[str]] = []
        free = 0
        for text in texts:
            slots = -(-(cell_len(text) + COLUMN_GAP) // wide)
            if slots > free:
                lines.append([])
                free = across
            lines[-1].append(pad_cells(text, slots * wide))
            free -= slots
        if len(lines) < len(found):
            found = lines
    return [part for line in found for part in wrap_cells("".join(line), width, LIST_INDENT)]
