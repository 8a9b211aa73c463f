"""A table as plain text: no boxes, no colour; for pipes and for screen readers. Boards with little on them are drawn with letters, others
are told cell by cell."""

from __future__ import annotations

import textwrap

from ...dsl.boards import letters
from .model import Chart, Entries, Grid, Legend, Line, Panel, joined
from .values import EMPTY

WIDEST = 30                                                        # columns of a column of a table


def plain_lines(panels: list[Panel], width: int) -> list[str]:
    """All panels, one below the other."""
    out: list[str] = []
    for panel in panels:
        lines = (chart(panel, width) if isinstance(panel, Chart) else grid(panel, width) if isinstance(panel, Grid)
                 else entries(panel, width))
        out += [*([""] if out else []), *([panel.title] if panel.title else []), *lines]
    return out


def cut(text: str, width: int) -> str:
    """`text` in at most `width` columns; a + at the end says that more was there."""
    return text if len(text) <= width else text[: max(0, width - 1)] + "+"


def wrapped(text: str, width: int, indent: str = "    ") -> list[str]:
    """A paragraph whose later lines are set in."""
    return textwrap.wrap(text, width, subsequent_indent=indent, break_on_hyphens=False) or [""]


# ---------------------------------------------------------------- boards


def chart(panel: Chart, width: int) -> list[str]:
    """A board."""
    if panel.simple:
        drawn = square(panel, width) if panel.shape == "square" else hexes(panel)
        if all(len(line) <= width for line in drawn):
            return [*drawn, *legend_lines(panel.legend, width)]
    out = []
    for spot in panel.spots:
        if spot.ground is None and not spot.here and not spot.marks:
            continue
        told = [f"{caption}: {joined(line)}" if joined(line) != caption else caption for caption, line in [*spot.here, *spot.marks]]
        out += wrapped(f"{spot.label}: " + "; ".join(([spot.ground.words] if spot.ground else []) + told), width)
    for caption, corners in panel.corners:
        by_thing: dict[str, list[str]] = {}
        for label, span in corners:
            by_thing.setdefault(span.words, []).append(label)
        out += wrapped(f"{caption}: " + "; ".join(f"{thing} {', '.join(labels)}" for thing, labels in by_thing.items()), width)
    return out or [EMPTY]


def square(panel: Chart, width: int) -> list[str]:
    """Rows from the top, with numbers at the left and letters below."""
    texts = {spot.at: (spot.pieces[0].short or spot.pieces[0].words) if spot.pieces else EMPTY for spot in panel.spots}
    columns, rows = sorted({x for x, _ in texts}), sorted({y for _, y in texts}, reverse=True)
    wide = max(1, min(max(map(len, texts.values())), (width - 5) // len(columns) - 1))
    margin = len(str(rows[0] + 1))
    out = []
    for y in rows:
        line = " ".join(cut(texts.get((x, y), ""), wide).center(wide) for x in columns)
        out.append(f"{y + 1:>{margin}}  {line}".rstrip())
    out.append(" " * (margin + 2) + " ".join(letters(x).center(wide) for x in columns).rstrip())
    return out


def places(panel: Chart) -> dict[tuple[int, int], tuple[int, int]]:
    """Where the hexagons of a board lie: columns and lines in halves of a hexagon, from the left upper corner on."""
    found = {spot.at: (spot.at[0], 2 * spot.at[1] + spot.at[0]) if panel.flat else (2 * spot.at[0] + spot.at[1], spot.at[1])
             for spot in panel.spots}
    left, top = min(x for x, _ in found.values()), min(y for _, y in found.values())
    return {at: (x - left, y - top) for at, (x, y) in found.items()}


def hexes(panel: Chart) -> list[str]:
    """Each hexagon is a word, its label or what lies there in brackets, set off by half against its neighbours."""
    where = places(panel)
    texts = {spot.at: f"[{spot.pieces[0].short or spot.pieces[0].words}]" if spot.pieces else spot.label for spot in panel.spots}
    wide = max(map(len, texts.values())) + 1
    step = wide if panel.flat else -(-wide // 2)
    rows: dict[int, str] = {}
    for spot in sorted(panel.spots, key=lambda spot: where[spot.at]):
        x, y = where[spot.at]
        rows[y] = rows.get(y, "").ljust(x * step) + texts[spot.at]
    return [rows.get(y, "") for y in range(max(rows) + 1)]


def legend_lines(legend: Legend, width: int) -> list[str]:
    """What the letters mean."""
    return [line for heading, meanings in legend.items()
            for line in wrapped(f"{heading}: " + ", ".join(f"{code} {span.text}" for code, span in meanings.items()), width)]


# ---------------------------------------------------------------- tables and lists


def grid(panel: Grid, width: int) -> list[str]:
    """A table; columns that do not fit go below, long entries go on in the next line."""
    rows = [[joined(cell) for cell in row] for row in panel.rows]
    first = [panel.heads[0], *(row[0] for row in rows)]
    first += [span.words for band in panel.bands.values() for span in band]
    margin = min(max(map(len, first)), width // 2)
    blocks: list[list[int]] = [[]]
    room = width - margin
    wides = []
    for k in range(1, len(panel.heads)):
        wide = max(min(max((len(row[k]) for row in rows), default=0), WIDEST), min(len(panel.heads[k]), WIDEST))
        wides.append(max(1, min(wide, width - margin - 2)))
        if blocks[-1] and room < wides[-1] + 2:
            blocks.append([])
            room = width - margin
        blocks[-1].append(k)
        room -= wides[-1] + 2
    out: list[str] = []
    for block in blocks:
        out += [""] if out else []
        out += laid([panel.heads[0], *(panel.heads[k] for k in block)], margin, [wides[k - 1] for k in block])
        numeric = [all(row[k].lstrip("-").isdigit() or not row[k] for row in rows) for k in block]
        for n, row in enumerate(rows):
            out += [span.words for span in panel.bands.get(n, [])]
            texts = [("" if panel.bands and not row[k] else row[k] or EMPTY) for k in block]
            out += laid([row[0], *texts], margin, [wides[k - 1] for k in block], numeric)
        out += [span.words for span in panel.bands.get(len(rows), [])]
    return out


def laid(texts: list[str], margin: int, wides: list[int], numeric: list[bool] | None = None) -> list[str]:
    """One row of a table, of as many lines as its longest entry needs."""
    columns = [[texts[0]], *(wrapped(text, wide, "") for text, wide in zip(texts[1:], wides))]
    out = []
    for n in range(max(map(len, columns))):
        line = (columns[0][n] if n < len(columns[0]) else "").ljust(margin)
        for k, (column, wide) in enumerate(zip(columns[1:], wides)):
            text = column[n] if n < len(column) else ""
            line += "  " + (text.rjust(wide) if numeric and (numeric[k] or text == EMPTY) else text.ljust(wide))
        out.append(line.rstrip())
    return out


def entries(panel: Entries, width: int) -> list[str]:
    """Things one after the other."""
    if panel.flow == "steps":
        return wrapped("; ".join(f"{joined(e.head)}: {joined(e.body[0])}" for e in panel.entries), width)
    if panel.flow == "texts":
        told = [joined(e.head) + (f": {joined(e.body[0])}" if e.body else "") for e in panel.entries]
        return [line for text in told for line in wrapped(text, width)]
    if panel.flow == "lists":
        out = []
        for e in panel.entries:
            spots = "; ".join(part(line) for line in e.body)
            out += wrapped(f"{e.head[0].text}{f' ({joined(e.head[1:])})' if e.head[1:] else ''}: {spots}", width)
        return out
    if any(e.body for e in panel.entries):
        return [line for e in panel.entries for line in wrapped(f"{joined(e.head)}: {several(e.body[0]) or EMPTY}", width)]
    return wrapped(joined(span for e in panel.entries for span in e.head), width)


def several(line: Line) -> str:
    """Parts of a line, set off from each other even where they have commas."""
    return joined(line, "; " if any(": " in span.text for span in line) else ", ")


def part(line: Line) -> str:
    """One place of a group: its number, what tells it apart, who stands there."""
    at = next(n for n, span in enumerate(line) if span.text == ":")
    label, told, here = line[0].words, joined(line[1:at]), joined(line[at + 1 :])
    return f"{label}{f' ({told})' if told else ''} {here}"
