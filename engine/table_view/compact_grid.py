"""Shorter variants of a table of things grouped by owner, for a screen without space for all of it.

Mats become a table first. Then:

  1. The things of each owner in a flowing line, as many in each line as fit.
  2. The same, packed like a paragraph.
  3. The seat's own things and as many other owners as fit, with a note that names who is left out.
  4. All things with one value each.
  5. As many things of the first owner as fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ..i18n.text_layout import COLUMN_GAP, cell_len
from .view_model import GridPanel, Line, ListItem, ListPanel, StyledText, join_words

# frame, heading, owner, one thing
MIN_GRID_LINES = 5


def compact_variants(panel: GridPanel, room: int) -> Iterator[GridPanel | ListPanel]:
    """Yields variants of a table that may fit into `room` lines, the longest first. Without owners, only a table in place of
    mats."""
    if panel.mats:
        panel = replace(panel, mats=False)
        yield panel
    if panel.left_out is None or not panel.bands or room < MIN_GRID_LINES:
        return
    starts = sorted(panel.bands)
    ends = [*starts[1:], len(panel.rows)]
    blocks = sorted(zip(starts, ends), key=lambda block: block[0] != panel.own)      # own first, then the others in order
    loose = paragraph_variant(panel, blocks)
    yield loose
    yield replace(loose, flow="packed")
    for many in range(len(blocks) - 1, 0, -1):
        yield from partial_variant(panel, blocks, many, blocks[many - 1][1] - blocks[many - 1][0], room)
    if len(panel.heads) > 2:
        yield first_column_variant(panel, blocks, panel.left_out)
    for few in range(blocks[0][1] - blocks[0][0] - 1, 0, -1):
        yield from partial_variant(panel, blocks, 1, few, room)


def leading_columns(panel: GridPanel, width: int, sign: Callable[[StyledText], str]) -> GridPanel:
    """Returns a table with as many of its first columns as fit into `width`, at least one, and with signs in place of words."""
    rows = [[row[0], *([with_sign(span, sign) for span in line] for line in row[1:])] for row in panel.rows]
    for many in range(len(panel.heads), 2, -1):
        found = replace(panel, heads=panel.heads[:many], rows=[row[:many] for row in rows], columns=panel.columns[:many - 1])
        wide = [max([longest_word(found.heads[k]), *(len(join_words(row[k])) for row in found.rows)]) for k in range(many)]
        if sum(wide) + COLUMN_GAP * (many - 1) <= width:
            return found
    return replace(panel, heads=panel.heads[:2], rows=[row[:2] for row in rows], columns=panel.columns[:1])


def longest_word(text: str) -> int:
    """Returns the width of the longest word, because headings may be wrapped."""
    return max((cell_len(word) for word in text.split()), default=0)


def with_sign(span: StyledText, sign: Callable[[StyledText], str]) -> StyledText:
    """Returns a thing with its sign and amount as its text, if it has a sign of one character."""
    if not span.shape:
        return span
    return replace(span, text=f"{sign(span)}{span.amount or ''}", amount=None, signed=False)


def first_column_variant(panel: GridPanel, blocks: list[tuple[int, int]], left_out: Callable[[str], str]) -> ListPanel:
    """Returns the things of all owners with the first column only, and a note that names the columns left out."""
    found = paragraph_variant(replace(panel, heads=panel.heads[:2], rows=[row[:2] for row in panel.rows]), blocks)
    note = left_out(", ".join(filter(None, panel.heads[2:])))
    return replace(found, entries=[*found.entries, ListItem([StyledText(note, "dim")], [])])


def paragraph_variant(panel: GridPanel, blocks: list[tuple[int, int]]) -> ListPanel:
    """Returns the things of each owner as a list. Values that are zero or empty are left out."""
    found = []
    for start, end in blocks:
        things: list[Line] = []
        for first, *others in panel.rows[start:end]:
            told = [replace(span, text=f"{head} {span.text}") if span.text.isdigit() else span
                    for head, line in zip(panel.heads[1:], others) for span in line if span.words not in ("", "0")]
            things.append([*first, *told])
        found.append(ListItem(panel.bands[start], things))
    return ListPanel(panel.title, found, "things", key=panel.key, questions=panel.questions)


def partial_variant(panel: GridPanel, blocks: list[tuple[int, int]], count: int, subset_size: int, room: int) -> Iterator[GridPanel]:
    """Yields the table of the first `count` owners, with only `subset_size` things of the last of them. Nothing if that does
    not fit."""
    rows: list[list[Line]] = []
    bands: dict[int, Line] = {}
    left: list[str] = []
    for n, (start, end) in enumerate(blocks):
        shown = 0 if n >= count else subset_size if n == count - 1 else end - start
        if shown:
            bands[len(rows)] = panel.bands[start]
            rows += panel.rows[start : start + shown]
        if shown < end - start:
            left.append(f"{join_words(panel.bands[start])} ({end - start - shown})")
    if len(rows) + len(bands) + MIN_GRID_LINES - 2 <= room and panel.left_out is not None:
        yield replace(panel, rows=rows, bands=bands, note=panel.left_out(", ".join(left)), own=-1)
