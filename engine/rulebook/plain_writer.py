"""Writes a rulebook as plain text for a screen, one chapter at a time: paragraphs,
aligned tables, and boards as text, within a width."""

from __future__ import annotations

from rich.cells import cell_len

from ..i18n.text_layout import fit_columns, table_row_lines, total_width, wrap_cells
from ..table_view.plain_renderer import render_plain
from .book import Book, BookBlock, BookClause, BookParagraph, BookTable, Chapter, DefinitionList, IndexEntries, InlineList, TableFigure

INDENT = "  "                                                        # indentation of items, doubled for their later lines


def chapter_lines(book: Book, chapter: Chapter, width: int) -> list[str]:
    """Returns a chapter with all its subchapters, separated by empty lines."""
    out = own_lines(book, chapter, width)
    for part in chapter.parts:
        out += ["", *chapter_lines(book, part, width)]
    return out


def own_lines(book: Book, chapter: Chapter, width: int) -> list[str]:
    """Returns a chapter without its subchapters: its heading and its blocks."""
    out = wrap_cells(f"{chapter.number}  {chapter.title}", width)
    for block in chapter.blocks:
        out += ["", *block_lines(block, book.chapter_numbers, width)]
    return out


def block_lines(block: BookBlock, numbers: dict[str, str], width: int) -> list[str]:
    """Returns the lines of a block."""
    match block:
        case BookParagraph():
            return wrap_cells(block.text, width)
        case BookClause():
            said = [f"{when}: {one}" for when, one in block.cases] or [block.text]
            shown = "".join(f" ({title})" for title, _ in block.examples)
            items = [f"{said[0]} [{block.id}]{shown}", *said[1:], *block.notes]
        case InlineList():
            items = block.items
        case BookTable():
            return table_lines(block, width)
        case DefinitionList():
            items = [f"{word} – {said}" for word, _, said in block.entries]
        case IndexEntries():
            items = [f"{word} – {', '.join(numbers[anchor] for anchor in anchors)}" for word, anchors in block.entries]
        case TableFigure():
            return [*wrap_cells(block.title, width), *render_plain(block.shapes, width)]
    return [line for item in items for line in wrap_cells(INDENT + item, width, INDENT)]


def table_lines(block: BookTable, width: int) -> list[str]:
    """Returns a table as aligned columns.

    If the table is too wide, its widest columns are wrapped. If that is not enough,
    each row is printed as a list of its entries."""
    columns = list(zip(block.heads, *block.rows, strict=True))
    most = [max(map(cell_len, column)) for column in columns]
    least = [max(cell_len(word) for entry in column for word in entry.split() or [""]) for column in columns]
    sizes = fit_columns(most, least, width)
    if total_width(sizes) > width:
        return [line for row in block.rows for line in vertical_row_lines(block.heads, row, width)]
    return [line for row in [block.heads, *block.rows] for line in table_row_lines(row, sizes)]


def vertical_row_lines(heads: list[str], row: list[str], width: int) -> list[str]:
    """Returns a row as a list: its first entry, then each other entry with its column head."""
    out = wrap_cells(row[0], width)
    for head, entry in zip(heads[1:], row[1:]):
        out += wrap_cells(f"{INDENT}{head}: {entry}", width, INDENT) if entry else []
    return out
