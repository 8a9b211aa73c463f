"""Renders a table as plain text without boxes and colours, for pipes and screen readers.

Boards with at most one thing on each cell are drawn with codes. Other boards are listed cell by cell."""

from __future__ import annotations

from rich.cells import cell_len

from ...dsl.types.boards import format_column_letters
from ..i18n.text_layout import COLUMN_GAP, pad_cells, table_row_lines, total_width, truncate_cells, wrap_cells
from ..narration.narrator import Narrator
from ..position.position import Position
from .build_panels import build_panels
from .view_model import BoardPanel, GridPanel, Legend, Line, ListPanel, Panel, join_words
from .visible_values import EMPTY_MARK

INDENT = "    "                                                              # of the later lines of a paragraph
DEFAULT_COLUMNS = 80
MAX_COLUMN_WIDTH = 30                                                        # characters in one column of a table


def render_table(position: Position, narrator: Narrator, seat: int | None, width: int = DEFAULT_COLUMNS) -> list[str]:
    """Returns the table as `seat` sees it, as lines of plain text. None is the view of a spectator."""
    return render_plain(build_panels(position, narrator, seat), width)


def render_plain(panels: list[Panel], width: int) -> list[str]:
    """Returns the lines of all panels, one below the other."""
    out: list[str] = []
    for panel in panels:
        lines = (board_lines(panel, width) if isinstance(panel, BoardPanel) else grid_lines(panel, width) if isinstance(panel, GridPanel)
                 else list_lines(panel, width))
        out += [*([""] if out else []), *([panel.title] if panel.title else []), *lines]
    return out


# ---------------------------------------------------------------- boards


def board_lines(panel: BoardPanel, width: int) -> list[str]:
    """Returns the lines of a board."""
    if panel.surface == "pits" and panel.has_rim_labels and all(not span.text for spot in panel.spots for span in spot.pieces):
        stores = [f"{owner.words}: {join_words(line)}" for owner, line in reversed(panel.stores)]
        return [*square_lines(panel, width), *(line for text in stores for line in wrap_cells(text, width, INDENT))]
    if panel.is_simple and (panel.shape != "graph" or panel.has_square_labels):
        drawn = hex_lines(panel) if panel.shape == "hex" else square_lines(panel, width)
        if all(cell_len(line) <= width for line in drawn):
            return [*drawn, *legend_lines(panel.legend, width)]
    out = []
    bare: dict[str, list[str]] = {}                                # ground → cells without pieces
    for spot in panel.spots:
        if spot.ground is None and not spot.contents and not spot.marks:
            continue
        if spot.ground is not None and not spot.contents and not spot.marks:
            bare.setdefault(spot.ground.words, []).append(spot.label)
            continue
        told = [
            f"{caption}: {join_words(line)}" if join_words(line) != caption else caption for caption, line in [*spot.contents, *spot.marks]
        ]
        out += wrap_cells(f"{spot.label}: " + "; ".join(([spot.ground.words] if spot.ground else []) + told), width, INDENT)
    for ground, labels in bare.items():
        out += wrap_cells(f"{ground}: " + ("; " if any("," in label for label in labels) else ", ").join(labels), width, INDENT)
    for caption, parts in panel.parts:
        by_thing: dict[str, list[str]] = {}
        for label, span in parts:
            by_thing.setdefault(span.words, []).append(label)
        told = [f"{thing} {', '.join(labels)}" if thing != caption else ", ".join(labels) for thing, labels in by_thing.items()]
        out += wrap_cells(f"{caption}: " + "; ".join(told), width, INDENT)
    return out or [EMPTY_MARK]


def square_lines(panel: BoardPanel, width: int) -> list[str]:
    """Returns the rows of a square board from the top, with numbers at the left and letters below."""
    texts = {spot.at: (spot.pieces[0].short or spot.pieces[0].words) if spot.pieces else spot.owner_code or EMPTY_MARK
             for spot in panel.spots}
    columns, rows = sorted({x for x, _ in texts}), sorted({y for _, y in texts}, reverse=True)
    wide = max(1, min(max(map(cell_len, texts.values())), (width - 5) // len(columns) - 1))
    margin = len(str(rows[0] + 1))
    out = []
    for y in rows:
        line = " ".join(pad_cells(truncate_cells(texts.get((x, y), ""), wide), wide, "center") for x in columns)
        out.append(f"{y + 1:>{margin}}  {line}".rstrip())
    out.append(" " * (margin + 2) + " ".join(format_column_letters(x).center(wide) for x in columns).rstrip())
    return out


def hex_positions(panel: BoardPanel) -> dict[tuple[int, int], tuple[int, int]]:
    """Returns the position of each hexagon from the top left, as (column, line).

    On boards with flat tops, lines count in halves of a hexagon. On others, columns do."""
    found = {spot.at: (spot.at[0], 2 * spot.at[1] + spot.at[0]) if panel.flat else (2 * spot.at[0] + spot.at[1], spot.at[1])
             for spot in panel.spots}
    left, top = min(x for x, _ in found.values()), min(y for _, y in found.values())
    return {at: (x - left, y - top) for at, (x, y) in found.items()}


def rhombus_lines(panel: BoardPanel) -> list[str] | None:
    """Returns the lines of a rhombic board, whose rows are equally long and each shifted by half a cell. None for
    other boards.

    Letters are above it and numbers at the left."""
    columns, rows = (sorted({spot.at[axis] for spot in panel.spots}) for axis in (0, 1))
    labels = {(x, y): f"{format_column_letters(n)}{m + 1}" for m, y in enumerate(rows) for n, x in enumerate(columns)}
    if panel.flat or labels != {spot.at: spot.label for spot in panel.spots}:
        return None
    texts = {spot.at: (spot.pieces[0].short or spot.pieces[0].words) if spot.pieces else EMPTY_MARK for spot in panel.spots}
    step = max(map(cell_len, texts.values())) // 2 * 2 + 2
    margin = len(str(len(rows))) + 2
    out = [" " * margin + "".join(format_column_letters(n).ljust(step) for n in range(len(columns))).rstrip()]
    for m, y in enumerate(rows):
        out.append(str(m + 1).ljust(margin) + " " * (m * step // 2) + "".join(pad_cells(texts[x, y], step) for x in columns).rstrip())
    return out


def hex_lines(panel: BoardPanel) -> list[str]:
    """Returns the lines of a hexagonal board. Each cell is a word: its label, or its piece in brackets."""
    if (drawn := rhombus_lines(panel)) is not None:
        return drawn
    where = hex_positions(panel)
    texts = {spot.at: f"[{spot.pieces[0].short or spot.pieces[0].words}]" if spot.pieces else spot.label for spot in panel.spots}
    wide = max(map(cell_len, texts.values())) + 1
    step = wide if panel.flat else -(-wide // 2)
    rows: dict[int, str] = {}
    for spot in sorted(panel.spots, key=lambda spot: where[spot.at]):
        x, y = where[spot.at]
        rows[y] = pad_cells(rows.get(y, ""), x * step) + texts[spot.at]
    return [rows.get(y, "") for y in range(max(rows) + 1)]


def legend_lines(legend: Legend, width: int) -> list[str]:
    """Returns the legend: the meaning of each code."""
    return [line for heading, meanings in legend.items()
            for line in wrap_cells(f"{heading}: " + ", ".join(f"{code} {span.text}" for code, span in meanings.items()), width, INDENT)]


# ---------------------------------------------------------------- tables and lists


def grid_lines(panel: GridPanel, width: int) -> list[str]:
    """Returns the lines of a table. If it is too wide, each row becomes a paragraph."""
    rows = [[join_words(cell) for cell in row] for row in panel.rows]
    first = [panel.heads[0], *(row[0] for row in rows)]
    first += [span.words for band in panel.bands.values() for span in band]
    margin = min(max(map(cell_len, first)), width // 2)
    sizes = [margin]
    for k in range(1, len(panel.heads)):
        size = min(MAX_COLUMN_WIDTH, max(map(cell_len, [panel.heads[k], *(row[k] for row in rows)])))
        sizes.append(max(1, min(size, width - margin - COLUMN_GAP)))
    if total_width(sizes) > width or any(cell_len(row[k]) > sizes[k] for row in rows for k in range(1, len(row))):
        return row_paragraphs(panel, rows, width)
    out = table_row_lines(panel.heads, sizes)
    numeric = [False, *(all(row[k].lstrip("-−").isdigit() or not row[k] for row in rows) for k in range(1, len(panel.heads)))]
    for n, row in enumerate(rows):
        shown = [row[0], *("" if panel.bands and not text else text or EMPTY_MARK for text in row[1:])]
        out += [span.words for span in panel.bands.get(n, [])]
        out += table_row_lines(shown, sizes, [numeric[k] or k > 0 and text == EMPTY_MARK for k, text in enumerate(shown)])
    return out + [span.words for span in panel.bands.get(len(rows), [])]


def row_paragraphs(panel: GridPanel, rows: list[list[str]], width: int) -> list[str]:
    """Returns a table row by row as paragraphs. Empty entries and zeros are left out."""
    out: list[str] = []
    for n, row in enumerate(rows):
        out += [span.words for span in panel.bands.get(n, [])]
        parts = [f"{head}: {text}" if head else text for head, text in zip(panel.heads[1:], row[1:]) if text not in ("", "0")]
        indent = "  " if panel.bands else ""
        out += wrap_cells(f"{indent}{row[0]}{': ' if parts else ''}{'; '.join(parts)}", width, INDENT)
    return out + [span.words for span in panel.bands.get(len(rows), [])]


def list_lines(panel: ListPanel, width: int) -> list[str]:
    """Returns the lines of a list panel."""
    if panel.flow == "steps":
        return wrap_cells("; ".join(f"{join_words(e.head)}: {join_words(e.body[0])}" for e in panel.entries), width, INDENT)
    if panel.flow == "texts":
        told = [join_words(e.head) + (f": {join_words(e.body[0])}" if e.body else "") for e in panel.entries]
        return [line for text in told for line in wrap_cells(text, width, INDENT)]
    if panel.flow == "lists":
        out = []
        for e in panel.entries:
            free = [line for line in e.body if any(span.is_free for span in line)]
            alone = len(e.body) == 1 and free and place_text(free[0]) == free[0][0].words
            empty = [free[0][-1].words + ("" if alone else f" {', '.join(map(place_text, free))}")] if free else []
            spots = "; ".join([place_text(line) for line in e.body if line not in free] + empty)
            out += wrap_cells(f"{e.head[0].text}{f' ({join_words(e.head[1:])})' if e.head[1:] else ''}: {spots}", width, INDENT)
        return out
    if panel.flow == "stacks":
        return stack_lines(panel, width)
    if any(e.body for e in panel.entries):
        told = [f"{join_words(e.head)}: {join_parts(e.body[0]) or EMPTY_MARK}" for e in panel.entries]
        return [line for text in told for line in wrap_cells(text, width, INDENT)]
    return wrap_cells(join_words(span for e in panel.entries for span in e.head), width, INDENT)


def stack_lines(panel: ListPanel, width: int) -> list[str]:
    """Returns the places of each kind of things, with the number of things on each: `White: 6 (5), 8 (3)`."""
    places: dict[str, list[str]] = {}
    for entry in panel.entries:
        for span in entry.body[0] if entry.body else ():
            label = entry.head[0].words
            places.setdefault(span.text, []).append(f"{label} ({span.amount or 1})")
    return [line for thing, labels in sorted(places.items()) for line in wrap_cells(f"{thing}: {', '.join(labels)}", width, INDENT)]


def join_parts(line: Line) -> str:
    """Returns parts of a line joined by commas, or by semicolons if a part contains a list."""
    return join_words(line, "; " if any(": " in span.text for span in line) else ", ")


def place_text(line: Line) -> str:
    """Returns one place of a group: its label, its attributes in parentheses, and who occupies it."""
    at = next(n for n, span in enumerate(line) if span.text == ":")
    label, told, here = line[0].words, join_words(line[1:at]), join_words(span for span in line[at + 1 :] if not span.is_free)
    return f"{label}{f' ({told})' if told else ''} {here}".rstrip()
