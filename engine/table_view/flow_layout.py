"""Layout elements for rich that know their minimum width: tokens that are never broken, and tables that never
break a word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text

from ..i18n.text_layout import COLUMN_GAP, WORD, fit_columns, total_width, wrap_styled

MAX_UNBROKEN_PART_COLUMNS = 12                                                    # parts of an entry up to this length, such as "ruby 3"
NO_BREAK = "\N{NO-BREAK SPACE}"
MAX_UNBROKEN_COLUMNS = 10                                                         # entries up to this length are not broken


class FlowText:
    """Tokens side by side, as many as fit on each line.

    `head` is written before the first token, and later lines are indented. A token longer than a line continues
    with more indent."""

    def __init__(self, tokens: Sequence[Text], gap: str = "  ", head: Text | None = None) -> None:
        self.tokens, self.gap, self.head = list(tokens), gap, head or Text()
        self.set_in = min(self.head.cell_len, 4)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        longest = max((token.cell_len for token in self.tokens), default=0)
        whole = self.head.cell_len + sum(token.cell_len for token in self.tokens) + len(self.gap) * max(0, len(self.tokens) - 1)
        return Measurement(min(options.max_width, max(longest + self.set_in, self.head.cell_len)), min(options.max_width, whole))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.lines(options.max_width)

    def lines(self, width: int) -> Iterator[Text]:
        """Yields the lines for a terminal of this width."""
        line, empty, hang = self.head.copy(), True, self.set_in + 2
        used = line.cell_len
        for token in self.tokens:
            if not empty and used + len(self.gap) + token.cell_len > width:
                yield from wrap_styled(line, width, hang, break_words=False)
                line, empty, used, hang = Text(" " * self.set_in), True, self.set_in, 2
            used += token.cell_len + (0 if empty else len(self.gap))
            line = (line if empty else line.append(self.gap)).append_text(token)
            empty = False
        yield from wrap_styled(line, width, hang, break_words=False)


class LabelledFlows:
    """Rows of a heading and flows next to it. Each column is as wide as its widest line, and shrinks if space is
    short."""

    def __init__(self, rows: Sequence[tuple[Text, Sequence[FlowText]]]) -> None:
        self.rows = rows
        parts = [[MinMaxWidth(head.cell_len, head.cell_len), *(MinMaxWidth.measure_flow(flow) for flow in flows)] for head, flows in rows]
        self.most = [max(part.most for part in column) for column in zip(*parts)]
        self.least = [max(part.least for part in column) for column in zip(*parts)]

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(min(options.max_width, total_width(self.least)), min(options.max_width, total_width(self.most)))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        wides = fit_columns(self.most, self.least, options.max_width)
        for head, flows in self.rows:
            columns = [[head], *(list(flow.lines(wide)) for flow, wide in zip(flows, wides[1:]))]
            for n in range(max(map(len, columns))):
                line = Text(no_wrap=True)
                for k, (column, wide) in enumerate(zip(columns, wides)):
                    part = column[n] if n < len(column) else Text()
                    line.append_text(part)
                    if k < len(columns) - 1:
                        line.append(" " * (wide - part.cell_len + COLUMN_GAP))
                yield line


@dataclass(frozen=True)
class MinMaxWidth:
    """The minimum and the maximum width of an element, in columns."""

    least: int
    most: int

    @staticmethod
    def measure_flow(flow: FlowText) -> MinMaxWidth:
        """Returns the widths of a flow: its longest token, and all tokens on one line."""
        sizes = [token.cell_len for token in flow.tokens]
        return MinMaxWidth(max(sizes, default=0), sum(sizes) + len(flow.gap) * max(0, len(sizes) - 1))


class FixedLines:
    """Lines that have already been drawn."""

    def __init__(self, lines: Sequence[list[Segment]], width: int) -> None:
        self.lines, self.width = lines, width

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(self.width, self.width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in self.lines:
            yield from line
            yield Segment.line()


class WrappedTable:
    """A table that is split between columns if it is too wide, but never within a word. `bands`: lines across the
    table, above a row."""

    def __init__(self, heads: Sequence[str], rows: Sequence[Sequence[Text]], bands: dict[int, list[Text]]) -> None:
        self.heads = [Text(head, Style(dim=True)) for head in heads]
        self.rows, self.bands = rows, bands
        cells = [[self.heads[k], *(row[k] for row in rows)] for k in range(len(heads))]
        self.most = [max(cell.cell_len for cell in column) for column in cells]
        self.least = [max(_min_cell_width(cell, n > 0) for n, cell in enumerate(column)) for column in cells]
        self.most[0] = max([self.most[0], *(band.cell_len for lines in bands.values() for band in lines)])
        self.least[0] = self.most[0]
        self.right = [all(row[k].plain.lstrip("-−").isdigit() or not row[k].plain.strip(".") for row in rows) for k in range(len(heads))]

    @property
    def min_width(self) -> int:
        """The minimum width at which no word is broken."""
        return self.least[0] + COLUMN_GAP + max(self.least[1:], default=-COLUMN_GAP)

    def iter_stacked_lines(self, width: int) -> Iterator[Text]:
        """Yields the table as paragraphs, for widths where columns would break words.

        Each row is its first cell, followed by its other cells with their headings."""
        for n, row in enumerate(self.rows):
            for band in self.bands.get(n, []):
                yield from wrap_styled(band, width, break_words=False)
            yield from wrap_styled(row[0], width, COLUMN_GAP, break_words=False)
            for head, cell in zip(self.heads[1:], row[1:]):
                if cell.plain.strip():
                    said = Text(" " * COLUMN_GAP).append_text(head).append(": " if head.plain else "").append_text(cell)
                    yield from wrap_styled(said, width, COLUMN_GAP, break_words=False)
        for band in self.bands.get(len(self.rows), []):
            yield from wrap_styled(band, width, break_words=False)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        most = total_width(self.most)
        least = min(most, max(self.least[0] + COLUMN_GAP + max(self.least[1:], default=0), total_width(self.least)))
        return Measurement(min(options.max_width, least), min(options.max_width, most))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for n, block in enumerate(self.iter_column_blocks(options.max_width)):
            if n:
                yield Text()
            yield self.build_block(block, options.max_width, not n)

    def iter_column_blocks(self, width: int) -> Iterator[list[int]]:
        """Yields groups of columns that fit side by side. The groups are printed below each other, each with the first
        column."""
        block: list[int] = []
        for k in range(1, len(self.heads)):
            if block and total_width([self.least[j] for j in [0, *block, k]]) > width:
                yield block
                block = []
            block.append(k)
        yield block

    def build_block(self, block: list[int], width: int, first: bool) -> Table:
        """Returns a rich table of one group of columns."""
        shown = [0, *block]
        sizes = fit_columns([self.most[k] for k in shown], [self.least[k] for k in shown], width)
        found = Table(box=None, pad_edge=False, padding=(0, COLUMN_GAP, 0, 0), show_header=any(head.plain for head in self.heads))
        for k, size in zip(shown, sizes):
            found.add_column(self.heads[k], justify="right" if self.right[k] else "left", width=size, overflow="fold")
        for n, row in enumerate(self.rows):
            for band in self.bands.get(n, []):
                found.add_row(band)
            found.add_row(*(wrap_cell(row[k], size) for k, size in zip(shown, sizes)))
        for band in self.bands.get(len(self.rows), []):
            found.add_row(band)
        return found


def wrap_cell(text: Text, width: int) -> Text:
    """Returns a cell of a table with its line breaks. No-break spaces become blanks."""
    lines = wrap_styled(text.copy(), width, break_words=False)
    for line in lines:
        line.plain = line.plain.replace(NO_BREAK, " ")
    return lines[0] if len(lines) == 1 else Text("\n").join(lines)


def _min_cell_width(text: Text, whole: bool) -> int:
    """Returns the width of the longest word, or of the whole text if it is short and `whole` is set."""
    if whole and text.cell_len <= MAX_UNBROKEN_COLUMNS:
        return text.cell_len
    return max(map(cell_len, WORD.findall(text.plain)), default=0)
