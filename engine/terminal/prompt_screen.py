"""The scrolling screen at a question: as much of the table as fits, with the options below it.

Required panels come first. If they do not fit, previews, texts and the list of options become shorter. If the
numbers of all options are on the panels, the list is left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from ..cli.console import MAX_SCREEN_COLUMNS, LocalizedConsole
from ..i18n.text_layout import wrap_cells
from ..library.loaded_game import LoadedGame
from ..match.table import MatchTable
from ..table_view.option_markers import are_all_options_on_boards, mark_members, mark_subjects, mark_targets, panels_with_numbers
from ..table_view.panel_priority import select_panels
from ..table_view.plain_renderer import render_plain
from ..table_view.view_model import BoardPanel, ListPanel, Panel
from .audience import ScreenAudience
from .option_layout import OptionLayout, OptionLines
from .preview_lines import compute_previews
from .question import DecisionPrompt
from .tutorial import tutorial_lines

RESERVED_LINES = 4                             # lines left free below table and question
PROMPT_LINES = 4                             # an empty line, the input line, the toolbar, and the line of the prompt
MIN_OPTION_LINES = 8                            # lines for options, even on a low screen
MAX_CONTINUATION_LINES = 8                             # lines for uncertain previews that would displace a panel
MIN_TRANSCRIPT_LINES = 2                            # transcript lines after the first that a map leaves visible
MIN_MAP_LINES = 9                              # a smaller part of a map is not useful
UNLIMITED_LINES = 10_000                     # if the output is not a terminal


class PromptScreen(ScreenAudience):
    """The screen of the people at one table, with the question and its options below the table."""

    def __init__(self, console: LocalizedConsole, table: MatchTable, loaded: LoadedGame, plain: bool = False) -> None:
        super().__init__(console, table, loaded, plain)
        self.lacking: list[str] = []                               # the hint about panels that do not fit
        self.drawn: dict[str, object] = {}                         # snapshot of each panel when it was last drawn

    def show_prompt(self, question: DecisionPrompt, table: list[Panel] | None = None) -> None:
        """Prints the question with its options, below as much of the table as fits.

        The tutorial is directly above the question. If required panels would not fit then, it is above the table."""
        top, text = self.status_lines(), wrap_cells(question.text, self.width)
        taught = self.tutorial_block(question)
        high = self.console.screen[1] - self.kept - len(top) + 1
        compute_previews(self, question)
        if table is not None:
            self.drawn |= {panel.key: self.panel_snapshot(panel) for panel in table}
            self.mark_panels(table, question)
        lines, shown = self.lay_out_question(question, table, high - len(taught), len(text))
        if table is not None and taught and any(without := self.missing_panel_flags(question, table, lines)):
            other = self.lay_out_question(question, table, high, len(text))
            if self.missing_panel_flags(question, table, other[0]) < without:
                self.print_rows(taught[:-1])                       # an empty line follows
                (lines, shown), taught = other, []
        if table is not None:
            self.print_block(lines)
        self.print_rows([*top, *taught, *map(self.format_bold, text), *shown.lines])
        if shown.left:
            self.print_message("prompt.more", n=shown.left, all=self.narrator.words.text("command.options"))

    def lay_out_question(self, question: DecisionPrompt, table: list[Panel] | None, high: int, asked: int) -> tuple[list[str], OptionLines]:
        """Returns the lines of the table and of the options for a screen of `high` lines, with a question of `asked` lines."""
        room = max(MIN_OPTION_LINES, high - asked - RESERVED_LINES)
        offer, most = OptionLayout(self, question), room if self.console.terminal else UNLIMITED_LINES
        rows, left, _ = offer.lay_out(max(MIN_OPTION_LINES, room // 2), most)
        if table is None:
            return [], OptionLines(rows, left)
        from ..table_view.rich_panels import RenderCache
        self.render_cache = RenderCache()                          # the panels stay the same until the layout is found
        try:
            return self.lay_out_table(question, table, offer, OptionLines(rows, left), high - asked)
        finally:
            self.render_cache = None

    def lay_out_table(
        self, question: DecisionPrompt, table: list[Panel], offer: OptionLayout, options: OptionLines, room: int
    ) -> tuple[list[str], OptionLines]:
        """Returns the lines of the table and of the options for `room` lines: all required panels if a shorter layout of the options
        makes room for them."""
        most = max(MIN_OPTION_LINES, room - RESERVED_LINES) if self.console.terminal else UNLIMITED_LINES
        lines, short = self.table_above_prompt(question, table, len(options.lines), room - RESERVED_LINES)
        lacking = self.lacking
        if short is None and (without := self.missing_panel_flags(question, table, lines)):
            placed = list(self.options_on_panels(question, table, room - RESERVED_LINES))
            unsure = (offer.lay_out(1, most, least) for least in (MAX_CONTINUATION_LINES, 1, 0) if offer.unsure)
            tried: set[int] = set()                                # numbers of lines that show no more panels
            for less in chain(placed, unsure, offer.iter_denser()):    # previews give way to required panels
                if len(less.lines) in tried:
                    continue
                other = self.table_above_prompt(question, table, len(less.lines), room - RESERVED_LINES)
                drawn = [line for line in other[0] if line not in self.lacking]
                unseen = less in placed and find_missing_panels(panels_with_numbers(table), drawn)
                tried |= set() if unseen else {len(less.lines)}
                if not unseen and (fewer := self.missing_panel_flags(question, table, other[0])) < without:
                    lines, short, without, lacking = other[0], other[1] or less, fewer, self.lacking
                if not without:
                    break
            self.lacking = lacking
            alone = self.numbered_list_alone(question, table, room)
            if alone[0] and find_missing_panels(panels_with_numbers(table), [line for line in lines if line not in self.lacking]):
                return alone
        return lines, short or options

    def numbered_list_alone(self, question: DecisionPrompt, table: list[Panel], room: int) -> tuple[list[str], OptionLines]:
        """Returns the list of places that shows the number of each option, without its legend, and the lines below it.

        On a low screen, news and other panels give way to it. Empty if it does not fit even so."""
        bare = self.on_board_hint(question)
        panels: list[Panel] = [replace(panel, legend={}, whole={}) for panel in panels_with_numbers(table) if isinstance(panel, ListPanel)]
        if self.plain or len(panels) != 1 or not self.has_all_options_on(question, table):
            return [], OptionLines(bare)
        for lines in (self.on_board_lines(question, 1), bare):
            if board := self.render_panels(panels, max(1, room + self.kept - len(lines) - PROMPT_LINES)):
                return board, OptionLines(lines, 0, False)
        return [], OptionLines(bare)

    def missing_panel_flags(self, question: DecisionPrompt, table: list[Panel], lines: list[str]) -> list[bool]:
        """Returns for each required panel, the most important first, whether it is missing from these lines.

        Returns an empty list if none is missing."""
        first, _ = select_panels(table, question.decision)
        hidden = find_missing_panels(first, [line for line in lines if line not in self.lacking])
        return [panel in hidden for panel in first] if hidden and not self.plain else []

    def missing_panel_hint(self, panels: list[Panel]) -> list[str]:
        """Returns a hint how to see panels that do not fit."""
        words = self.narrator.words
        titles = list(dict.fromkeys(panel.title for panel in panels))
        return wrap_cells(words.text("board.unseen", titles=titles, example=f"{words.text('command.board')} {titles[0]}"), self.width)

    def mark_panels(self, panels: list[Panel], question: DecisionPrompt) -> None:
        """Marks the options' numbers and the subject of the question on the panels."""
        mark_targets(panels, self.table.game.model, question.targets)
        if not self.plain:
            mark_members(panels, question.targets)
            mark_subjects(panels, question.decision, self.narrator.words.text("table.asked"))

    def tutorial_block(self, question: DecisionPrompt) -> list[str]:
        """Returns the tutorial text for a new kind of question, followed by an empty line, if the tutorial is on."""
        lines = tutorial_lines(self, question) if self.teaching else []
        return [*lines, ""] if lines else []

    def table_above_prompt(
        self, question: DecisionPrompt, table: list[Panel], rows: int, room: int
    ) -> tuple[list[str], OptionLines | None]:
        """Returns the table above a question that has `rows` lines of options.

        If the options would displace a board with their numbers, the second result is a shorter layout to use
        instead."""
        if self.plain:
            return self.render_panels(table, max(1, room - rows)), None
        first, others = select_panels(table, question.decision)
        lines = self.render_panels([*first, *others], max(1, room - rows), len(first))
        unseen: list[str] = []                                     # the hint about required panels that do not fit
        if hidden := find_missing_panels(first, lines):
            unseen = self.missing_panel_hint(hidden)
            lines = self.render_panels([*first, *others], max(1, room - rows - len(unseen)), len(first))
            # may displace others
            unseen = self.missing_panel_hint(hidden) if (hidden := find_missing_panels(first, lines)) else []
            lines += unseen if lines and len(lines) + len(unseen) <= room - rows else []
        self.lacking = unseen
        bare, each = self.on_board_hint(question), self.has_all_options_on(question, table)
        short = self.on_board_lines(question, min(MIN_OPTION_LINES, room // 3))
        if rows > max(MIN_OPTION_LINES, len(short)) and each and isinstance(first[0], BoardPanel):
            board = self.render_panels(first[:1], room - len(short))
            if len(board) > len(self.render_panels(first[:1], max(1, room - rows))):
                return board, OptionLines(short)
        maps: list[Panel] = [panel for panel in first if isinstance(panel, BoardPanel) and not panel.is_simple
                             and any(spot.target or spot.aimed for spot in panel.spots)]
        told = min(MIN_TRANSCRIPT_LINES, max(0, self.fresh - 1))                  # keep a short transcript visible
        if not maps and not lines and self.console.terminal:         # a part of the map is better than none
            ground: list[Panel] = [panel for panel in first if isinstance(panel, BoardPanel) and not panel.is_simple]
            board = self.render_panels(ground[:1], max(1, room - rows - told), cut=True) if ground else []
            return (board if len(board) >= MIN_MAP_LINES else unseen), None
        maps = maps[:1]
        if not self.console.terminal or not maps or self.render_panels(maps, max(1, room - rows)):
            return lines, None
        few = max(2, min(MIN_OPTION_LINES, room - MIN_MAP_LINES - 1, room // 3)) + 1    # one line is for the number of omitted options
        some = OptionLayout(self, question).lay_out(few, few)
        if each and (some.left * 2 > len(question.choices) or len(some.lines) > len(short)):
            some = OptionLines(short)                                     # the map is more useful
        for form in [some, *([OptionLines(bare)] if each and not lines else [])]:
            board = self.render_panels(maps, max(1, room - told - len(form.lines) - bool(form.left)), cut=True)
            if len(board) >= MIN_MAP_LINES:
                return board, form
        return lines or unseen, None

    def on_board_hint(self, question: DecisionPrompt, width: int = 0) -> list[str]:
        """Returns the lines in place of a list of options whose numbers are on the table."""
        words = self.narrator.words
        bare = wrap_cells(words.text("prompt.on_board", all=words.text("command.options")), width or self.width)
        return bare + OptionLayout(self, question, width).on_demand_hint()

    def on_board_lines(self, question: DecisionPrompt, most: int, width: int = 0) -> list[str]:
        """Returns the hint in place of a list of options, and their previews, in about `most` lines.

        If there is no room for any preview, one sentence says how to see both."""
        offer, bare = OptionLayout(self, question, width), self.on_board_hint(question, width)
        previews = offer.preview_groups(max(1, most - len(bare))).lines
        if not previews or previews != offer.changes_hint():
            return bare + previews
        return wrap_cells(self.narrator.words.text("prompt.on_board.changes", all=offer.all), offer.width) + offer.on_demand_hint()

    def has_all_options_on(self, question: DecisionPrompt, table: list[Panel]) -> bool:
        """Whether the table shows the number of each option."""
        return len(question.targets) == len(question.choices) and are_all_options_on_boards(table, question.targets)

    def options_on_panels(self, question: DecisionPrompt, table: list[Panel], room: int) -> Iterator[OptionLines]:
        """Yields ever fewer lines with previews in place of the list, if the table shows the number of each option."""
        for most in (room // 3, MIN_OPTION_LINES, MIN_OPTION_LINES // 2, 1) if self.has_all_options_on(question, table) else ():
            yield OptionLines(self.on_board_lines(question, most), 0, False)

    def boards_to_redraw(self, question: DecisionPrompt) -> list[Panel] | None:
        """Returns the panels to draw again for a question, or None.

        Candidates are the required panels, or else the first panel. Boards with places to choose are drawn, panels that
        have changed since they were last drawn, and hands, unless the options name everything in them."""
        if self.plain:
            return None
        first, others = select_panels(self.build_tables()[1], question.decision)
        panels = first or others[:1]
        stale = [panel.key for panel in panels if self.drawn.get(panel.key) != self.panel_snapshot(panel)]
        mark_targets(panels, self.table.game.model, question.targets)
        mark_members(panels, question.targets)
        found: list[Panel] = [panel for panel in panels if panel.key in stale or panel.key.startswith("hand ")
                              or isinstance(panel, BoardPanel) and any(spot.target or spot.aimed for spot in panel.spots)]
        return found or None

    def panel_snapshot(self, panel: Panel) -> object:
        """Returns the content of a panel together with the screen size, to detect changes."""
        return self.console.screen, panel.content if isinstance(panel, BoardPanel) else render_plain([panel], MAX_SCREEN_COLUMNS)


def find_missing_panels(panels: list[Panel], lines: list[str]) -> list[Panel]:
    """Returns the panels with a title that is not in these lines."""
    return [panel for panel in panels if panel.title and not any(panel.title in line for line in lines)]
