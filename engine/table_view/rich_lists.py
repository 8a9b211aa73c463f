"""Renders list panels and tables with rich."""

from __future__ import annotations

from dataclasses import replace

from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from .board_stacks import draw_dice, draw_stack_board
from .flow_layout import FixedLines, FlowText, LabelledFlows, WrappedTable
from .mats import MatShelves, caption_span, mat_groups, mat_lines
from .plain_renderer import list_lines
from .rich_lines import FRAME_COLUMNS, MIN_TEXT_COLUMNS, LineRenderer
from .view_model import TARGET_STYLE, GridPanel, Line, ListPanel
from .visible_values import EMPTY_MARK

MAX_COUNTER_COLUMNS = 34                # longer counters get a line of their own


class ListRenderer(LineRenderer):
    """Renders lists and tables for one terminal."""

    def render_grid(self, panel: GridPanel) -> RenderableType:
        """Renders a table."""
        blank = Text("" if panel.bands else EMPTY_MARK, Style(dim=True))
        rows = [[self.line_text(line, unbroken=True) if line else blank for line in row] for row in panel.rows]
        bands = {n: [Text(self.paint.words(span), self.paint.style(span, strong=True)) for span in band] for n, band in panel.bands.items()}
        if panel.mats:
            return self.render_mats(panel)
        columns = WrappedTable(panel.heads, rows, bands)
        if columns.min_width > self.width - FRAME_COLUMNS:
            return Group(
                *columns.iter_stacked_lines(self.width - FRAME_COLUMNS), *([Text(panel.note, Style(dim=True))] if panel.note else [])
            )
        return Group(columns, Text(panel.note, Style(dim=True))) if panel.note else columns

    def render_mats(self, panel: GridPanel) -> RenderableType:
        """Renders each row of a table as a box."""
        groups = [
            (self.line_text(band, strong=True) if band else None,
             [(self.line_text(panel.rows[n][0], strong=True), [self.mat_line(*line) for line in mat_lines(panel, n)]) for n in rows])
            for band, rows in mat_groups(panel)
        ]
        return MatShelves(groups, self.paint.utf)

    def mat_line(self, caption: str, line: Line) -> Text:
        """Returns a line of a mat."""
        return self.line_text([caption_span(caption)]).append(" ").append_text(self.line_text(line)) if caption else self.line_text(line)

    def render_list(self, panel: ListPanel) -> RenderableType:
        """Renders a list panel, according to its `flow`."""
        if panel.flow == "texts" and self.width < MIN_TEXT_COLUMNS:
            return Group(*(part for entry in panel.entries for part in (
                self.line_text(entry.head, strong=True), *(self.line_text(line) for line in entry.body[:1]))))
        if panel.flow == "texts":
            found = Table.grid(padding=(0, 2, 0, 0))
            found.add_column(width=min(24, max(len(self.line_words(entry.head)) for entry in panel.entries)))
            found.add_column()
            for entry in panel.entries:
                found.add_row(self.line_text(entry.head, strong=True), self.line_text(entry.body[0]) if entry.body else Text(""))
            return found
        if panel.flow == "lists":
            return self.render_groups(panel)
        if panel.flow == "stacks":
            return self.render_stacks(panel)
        if panel.flow == "dice":
            return self.render_dice(panel)
        if panel.flow in ("things", "packed"):
            gap = " · " if self.utf else " | "
            flows = ((list(self.iter_thing_parts(entry.body, gap)), " ") if panel.flow == "packed"
                     else ([self.thing_text(line) for line in entry.body], gap) for entry in panel.entries)
            return Group(
                *(
                    FlowText(tokens, between, self.heading_text(entry.head).append(": ")) if tokens else self.heading_text(entry.head)
                    for entry, (tokens, between) in zip(panel.entries, flows)
                )
            )
        if panel.flow == "steps":
            steps = [self.heading_text(entry.head).append(" ").append_text(self.line_text(entry.body[0], strong=True))
                     for entry in panel.entries]
            return FlowText(steps, f" {'›' if self.utf else '>'} ")
        if not any(entry.body for entry in panel.entries):
            heads = [entry.head[0] for entry in panel.entries]
            faces = all(map(self.paint.has_face, heads))
            if faces:
                cards = FlowText([Text(*self.paint.face(span, True)) for span in heads], " ")
                return Group(cards, *self.legend_flows(panel.legend))
            return FlowText([Text(f"[{self.paint.words(span)}]", self.paint.style(span)) for span in heads])
        texts = [self.heading_text(entry.head).append(": ").append_text(self.line_text(entry.body[0])) for entry in panel.entries]
        parts: list[RenderableType] = []
        short: list[Text] = []
        for text in texts:
            if text.cell_len <= MAX_COUNTER_COLUMNS:
                short.append(text)
                continue
            parts += [*([FlowText(short, "   ")] if short else []), text]
            short = []
        return Group(*parts, *([FlowText(short, "   ")] if short else []), *self.legend_flows(panel.legend))

    def render_stacks(self, panel: ListPanel) -> RenderableType:
        """Renders stacks as a drawing. If it does not fit, they are listed."""
        room = self.width - FRAME_COLUMNS
        canvas = draw_stack_board(panel, self.paint, room, self.high - 2 if self.high else 0)
        if canvas is None:
            return Group(*(Text(line) for line in list_lines(panel, room)))
        return FixedLines(canvas.lines(), canvas.width)

    def render_dice(self, panel: ListPanel) -> RenderableType:
        """Renders numbers as dice, below their captions if there are several values."""
        parts: list[RenderableType] = []
        if not any(entry.body for entry in panel.entries):         # a hand
            canvas = draw_dice([entry.head[0] for entry in panel.entries], self.paint)
            return FixedLines(canvas.lines(), canvas.width)
        for entry in panel.entries:
            canvas = draw_dice(entry.body[0], self.paint)
            parts += [self.heading_text(entry.head), FixedLines(canvas.lines(), canvas.width)]
        return Group(*parts)

    def render_groups(self, panel: ListPanel) -> RenderableType:
        """Renders groups of places: the heading, the places with their contents, and the contents of the group."""
        rows = []
        some = any(entry.head[1:] for entry in panel.entries)
        for entry in panel.entries:
            tokens = []
            for place in entry.body:
                at = next(k for k, span in enumerate(place) if span.text == ":")
                token = Text(self.paint.words(place[0]), self.paint.style(place[0]))
                for k, span in enumerate(place[1:at]):
                    token.append("/" if k else " ", Style(dim=True)).append(self.paint.sign(span) if span.short else f"({span.words})",
                                                                              self.paint.style(span))
                token.append(" ")
                for span in place[at + 1 :]:
                    token.append(self.paint.sign(span) + span.count_suffix, self.paint.style(span, strong=True))
                token.rstrip()
                if place[0].style == TARGET_STYLE and self.paint.pointed:
                    token.stylize(Style(meta={"answer": place[0].text[1:-1]}))
                tokens.append(token)
            lying = [Text(f"{self.paint.sign(span)}{span.amount or ''}", self.paint.style(span)) for span in entry.head[1:]]
            name = replace(entry.head[0], style="strong")
            rows.append(
                (Text(self.paint.words(name), self.paint.style(name)), [*([FlowText(lying, " ")] if some else []), FlowText(tokens)])
            )
        return Group(LabelledFlows(rows), *(() if self.side_columns else self.legend_flows(panel.legend)))
