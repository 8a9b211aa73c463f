"""A table of things that stand under their owners, for a screen that has no room for all of them: the things of each owner one after the
other, as many to a line as fit whole or, still denser, as in a paragraph; else one's own first, of
the others as many owners as fit, and a line that says who is left out; else all things with one value each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from .view_model import GridPanel, Line, ListItem, ListPanel, StyledText, join_words

# lines of the smallest such table: frame, heading, owner, one thing
MIN_GRID_LINES = 5


def compact_variants(panel: GridPanel, room: int) -> Iterator[GridPanel | ListPanel]:
    """Forms of a table that may fit into so many lines, the longest first; none where it is not one of owners."""
    if panel.left_out is None or not panel.bands or room < MIN_GRID_LINES:
        return
    starts = sorted(panel.bands)
    ends = [*starts[1:], len(panel.rows)]
    blocks = sorted(zip(starts, ends), key=lambda block: block[0] != panel.own)      # the others in their order
    loose = paragraph_variant(panel, blocks)
    yield loose
    yield replace(loose, flow="packed")
    for many in range(len(blocks) - 1, 0, -1):
        yield from partial_variant(panel, blocks, many, blocks[many - 1][1] - blocks[many - 1][0], room)
    if len(panel.heads) > 2:
        yield first_column_variant(panel, blocks, panel.left_out)
    for few in range(blocks[0][1] - blocks[0][0] - 1, 0, -1):
        yield from partial_variant(panel, blocks, 1, few, room)


def first_column_variant(panel: GridPanel, blocks: list[tuple[int, int]], left_out: Callable[[str], str]) -> ListPanel:
    """The things of all owners with what stands first of each, and a line that says what is left out."""
    found = paragraph_variant(replace(panel, heads=panel.heads[:2], rows=[row[:2] for row in panel.rows]), blocks)
    note = left_out(", ".join(filter(None, panel.heads[2:])))
    return replace(found, entries=[*found.entries, ListItem([StyledText(note, "dim")], [])])


def paragraph_variant(panel: GridPanel, blocks: list[tuple[int, int]]) -> ListPanel:
    """The things of each owner one after the other, each with what is not nought or nothing of it."""
    found = []
    for start, end in blocks:
        things: list[Line] = []
        for first, *others in panel.rows[start:end]:
            told = [replace(span, text=f"{head} {span.text}") if span.text.isdigit() else span
                    for head, line in zip(panel.heads[1:], others) for span in line if span.words not in ("", "0")]
            things.append([*first, *told])
        found.append(ListItem(panel.bands[start], things))
    return ListPanel(panel.title, found, "things", key=panel.key, questions=panel.questions)


def partial_variant(panel: GridPanel, blocks: list[tuple[int, int]], many: int, few: int, room: int) -> Iterator[GridPanel]:
    """The things of the first owners, so many; of the last of these only a few. Nothing where there is no room for a line for each."""
    rows: list[list[Line]] = []
    bands: dict[int, Line] = {}
    left: list[str] = []
    for n, (start, end) in enumerate(blocks):
        shown = 0 if n >= many else few if n == many - 1 else end - start
        if shown:
            bands[len(rows)] = panel.bands[start]
            rows += panel.rows[start : start + shown]
        if shown < end - start:
            left.append(f"{join_words(panel.bands[start])} ({end - start - shown})")
    if len(rows) + len(bands) + MIN_GRID_LINES - 2 <= room and panel.left_out is not None:
        yield replace(panel, rows=rows, bands=bands, note=panel.left_out(", ".join(left)), own=-1)
