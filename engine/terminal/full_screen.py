"""The full-screen mode: a session whose screen is the application of `full_screen_app.py`.

The content is the same as on the scrolling screen. The mode ends with the game, with Ctrl-C, if the terminal
closes, or if it gets too small. In the last case the game continues on the scrolling screen."""

from __future__ import annotations

from copy import copy
from functools import partial

from ...dsl.diagnostics.sanitize import sanitize
from ..cli.console import LocalizedConsole
from ..cli.input_values import decode_line
from ..i18n import Localizer
from ..i18n.text_layout import wrap_cells
from ..library.loaded_game import LoadedGame
from ..match.table import MatchTable
from ..position.position import Decision
from ..table_view.panel_priority import select_panels
from ..table_view.panel_summary import add_summaries
from ..table_view.rich_panels import TerminalRenderer
from ..table_view.rich_renderer import render_segments, without_mats
from ..table_view.theme import matches_question, theme_of
from ..table_view.view_model import BoardPanel, Panel
from .clicks import split_clickable_parts
from .completion import CompletionSource, no_completions
from .cursor_details import describe_cell
from .full_screen_app import FullScreen, has_room
from .option_layout import OptionLayout
from .pane_layout import MIN_SCREEN_SIZE, Lines, PaneLayout, ScreenContent, bold_lines
from .preview_lines import compute_previews
from .question import DecisionPrompt, PromptOption
from .session import Session
from .terminal import Terminal

MAX_NUMBERED_LINES = 14                       # lines of a question whose options are on the table


class FullScreenConsole(LocalizedConsole):
    """A console that writes into the transcript pane while the full screen is active."""

    def __init__(self, console: LocalizedConsole, panes: PaneLayout) -> None:
        super().__init__(console.lang)
        self.panes = panes
        self.full: FullScreen | None = None
        self.left_for_room = False                                 # whether scrolling lasts only until the terminal is large enough

    def print_line(self, text: str = "") -> None:
        if self.full is None:
            super().print_line(text)
            return
        self.panes.append_line(text)
        self.full.request_redraw()

    def print_stderr(self, text: str) -> None:
        if self.full is None:
            super().print_stderr(text)
        else:
            self.print_line(text)

    @property
    def width(self) -> int:
        return super().width if self.full is None else self.panes.story_width(super().screen[0])

    @property
    def screen(self) -> tuple[int, int]:
        return super().screen if self.full is None else (self.width, super().screen[1])


class FullScreenTerminal(Terminal):
    """A terminal whose input line is below the panes."""

    def __init__(self, console: FullScreenConsole) -> None:
        super().__init__(console)
        self.full_voice = console

    def read(self, prompt: str, fits: CompletionSource = no_completions, bar: str = "", person: int = -1) -> str | None:
        full = self.full_voice.full
        if full is None and bar and self.full_voice.left_for_room and has_room(*self.console.screen):
            return ""                                              # the terminal has grown: show the question again
        if full is None:
            return super().read(prompt, fits, bar, person)
        try:
            typed = full.read_line(prompt, fits, bar, person)
        except KeyboardInterrupt:
            return None
        self.full_voice.panes.note_input()
        return None if typed is None else decode_line(typed)

    def show_status(self, text: str) -> None:
        full = self.full_voice.full
        if full is None:
            super().show_status(text)
        elif text:
            full.show_busy(sanitize(text))

    def clear_screen(self) -> None:
        self.full_voice.panes.clear_panes()                               # also what the full screen would show later
        if self.full_voice.full is None:
            super().clear_screen()


class FullScreenSession(Session):
    """The session of a match on the full screen."""

    def __init__(self, console: FullScreenConsole, table: MatchTable, loaded: LoadedGame, max_rounds: int | None) -> None:
        super().__init__(console, table, loaded, max_rounds)
        self.full_voice = console
        self.story_lang = ""                                       # language of the transcript on the screen
        self.terminal = FullScreenTerminal(console)

    def run(self) -> int:
        try:
            if has_room(*self.console.screen):
                self.open_screen()
            else:
                self.fall_back_to_scrolling()
            return super().run()
        finally:
            shown = self.full_voice.full is not None and self.table.over
            self.close_screen()
            if shown:                                              # what remains on the terminal
                super().show_result()

    def open_screen(self) -> None:
        """Switches to the full screen."""
        self.full_voice.left_for_room = False
        self.update_titles()
        full = FullScreen(self.full_voice.panes, self.full_voice)
        full.describe = self.describe_line
        full.open()
        self.full_voice.full = full

    @property
    def has_scrolling_panes(self) -> bool:
        return self.full_voice.full is not None

    def close_screen(self) -> None:
        """Restores the terminal; later output scrolls."""
        full, self.full_voice.full = self.full_voice.full, None
        if full is not None:
            full.close()

    def fall_back_to_scrolling(self) -> None:
        """Continues on the scrolling screen until the terminal is large enough."""
        self.full_voice.left_for_room = True
        self.close_screen()
        self.print_message("full.small", columns=MIN_SCREEN_SIZE[0], lines=MIN_SCREEN_SIZE[1])

    def restore_full_screen(self) -> None:
        """Returns to the full screen and repeats the transcript since the person's last decision."""
        self.open_screen()
        start = self.step_after_own_decision(self.seat)
        if start:
            self.print_transcript(start, repeat_headings=True)

    def update_titles(self) -> None:
        self.full_voice.panes.titles = pane_titles(self.narrator.words)

    def catch_up(self) -> None:
        """Prints the latest events. A transcript in another language is removed before."""
        changed, self.story_lang = self.story_lang not in ("", self.lang), self.lang
        if changed and self.full_voice.full is not None:
            self.full_voice.panes.clear_panes()
            start = self.step_after_own_decision(self.seat)
            if start and self.heard.get(self.listener_key(self.viewer), start) >= len(self.table.steps):
                self.print_transcript(start, repeat_headings=True)            # already read in the other language
        super().catch_up()

    def hand_over_screen(self, former: int) -> bool:
        self.update_titles()
        return super().hand_over_screen(former)

    def show_result(self) -> None:
        """Shows the result on the full screen if all people read the same language, or else line by line."""
        if not self.table.over or len({self.language_of_seat(seat) for seat in self.table.humans}) > 1:
            self.close_screen()
        super().show_result()

    def show_final_table(self) -> None:
        if self.full_voice.full is None:
            super().show_final_table()
            return
        from ..explain.standing_text import standing_lines
        winner = standing_lines(self.table, self.loaded, self.lang, self.max_rounds)[-1:]
        content = self.build_table_content(self.build_tables()[1], None)
        content.question = lambda columns, lines: bold_lines(line for text in winner for line in wrap_cells(text, columns))
        self.update_titles()
        self.full_voice.panes.set_question(content, last=True)

    def review_game(self, question: DecisionPrompt) -> bool:
        again = super().review_game(question)
        if again and self.full_voice.full is None and not self.full_voice.left_for_room:
            self.open_screen()
        return again

    def leave_game(self) -> int:
        self.close_screen()
        return super().leave_game()

    def boards_to_redraw(self, question: DecisionPrompt) -> list[Panel] | None:
        return super().boards_to_redraw(question) if self.full_voice.full is None else None

    def show_prompt(self, question: DecisionPrompt, table: list[Panel] | None = None) -> None:
        full = self.full_voice.full
        if full is not None and full.small:
            self.fall_back_to_scrolling()
            table = self.build_tables()[1]
        elif full is None and self.full_voice.left_for_room and has_room(*self.console.screen):
            self.restore_full_screen()
        self.update_titles()
        if self.full_voice.full is None:
            super().show_prompt(question, table)
            return
        taught = self.tutorial_block(question)
        self.print_paragraphs(taught)
        panels = table or self.build_tables()[1]
        self.mark_panels(panels, question)
        compute_previews(self, question)
        self.full_voice.panes.set_question(self.build_content(question, panels), last=bool(taught))

    def show_only(self, question: DecisionPrompt, choices: list[PromptOption]) -> bool:
        """Shows only these options below the table, until the question is shown again."""
        if self.full_voice.full is None:
            return False
        some = copy(question)
        some.choices, some.equal = choices, None                   # each of them has its own line
        self.full_voice.panes.replace_question(partial(self.render_prompt, some, more=self.narrator.words.text("full.narrowed")))
        return True

    def describe_line(self, line: str) -> list[str]:
        """Returns the details of what a click on a cell would type: an option, several, or a thing to look at.

        It runs in the drawing thread while the game waits for a line."""
        return describe_cell(self, self.question, line) if self.question is not None else []

    def build_content(self, question: DecisionPrompt, panels: list[Panel]) -> ScreenContent:
        """Returns the content of the screen at a question; each part can be drawn for any size."""
        content = self.build_table_content(panels, question.decision)
        content.question = partial(self.render_prompt, question)
        content.numbered = partial(self.render_numbered_prompt, question, panels)
        return content

    def build_table_content(self, panels: list[Panel], decision: Decision | None) -> ScreenContent:
        """Returns the content of a screen without its question. The panels that a decision needs come first."""
        theme, console = theme_of(self.table.game), self.console
        parts = self.build_status_parts()
        boards: list[Panel] = [panel for panel in panels if isinstance(panel, BoardPanel)]
        first, rest = select_panels(panels, decision) if decision is not None else ([], panels)
        others = [panel for panel in [*first, *rest] if panel not in boards]
        needed = [panel for panel in first if panel not in boards]
        brief = [panel for panel in rest if decision is not None and matches_question(decision.key, panel.summary)]

        def draw_panels(shown: list[Panel], columns: int, lines: int, tight: bool = False) -> Lines:
            return render_segments(shown, theme, columns, console.colours, console.utf, lines, tight) if shown else []

        def draw_other_panels(columns: int, lines: int) -> Lines:
            """Draws the panels without boards. If they need more than `lines`, mats become rows of a table, and summaries follow the
            panels that the question needs."""
            table = draw_panels(others, columns, 0)
            if not 0 < lines < len(table):
                return table
            rows = list(map(without_mats, others))
            if rows != others:
                return draw_panels(rows, columns, 0)
            head = draw_panels(needed, columns, 0) if brief and needed and not boards else []
            drawn = add_summaries(head, brief, [], theme, columns, console.colours, console.utf, lines)[0] if head else []
            return [*drawn, *draw_panels(rest, columns, 0)] if len(drawn) > len(head) else table

        def draw_tight_table(columns: int, lines: int) -> Lines:
            """Draws everything that the question needs, and summaries of other panels where there is room in `lines`."""
            table = draw_panels(first, columns, 0, tight=True) if needed and boards else []
            if not lines or not table:
                return table
            drawn, left = add_summaries(table, brief, boards, theme, columns, console.colours, console.utf, lines)
            words, titles = self.narrator.words, [panel.title for panel in left]
            content.unseen = words.text("full.unseen", board=words.text("command.board"), titles=titles) if left else ""
            return drawn

        def can_draw_all(columns: int) -> bool:
            screen = TerminalRenderer(theme, columns, console.colours, console.utf)
            return all(screen.boards.can_draw(board) for board in boards if isinstance(board, BoardPanel))

        content = ScreenContent(
            lambda columns, _: TerminalRenderer(theme, columns, console.colours, console.utf, pointed=True).status_line_segments(parts),
            partial(draw_panels, boards),
            draw_other_panels,
            lambda columns, lines: [],
            can_draw_all,
            partial(draw_panels, needed),
            draw_tight_table,
        )
        return content

    def render_numbered_prompt(self, question: DecisionPrompt, panels: list[Panel], columns: int, lines: int) -> Lines:
        """Returns the question without its list of options, if the panels show the number of each option; else nothing.

        The list follows below a rule if there are `lines`."""
        if not self.has_all_options_on(question, panels):
            return []
        offer, text = OptionLayout(self, question, columns), wrap_cells(question.text, columns)
        rows = self.on_board_lines(question, (lines or MAX_NUMBERED_LINES) - len(text), columns)
        if lines:
            line = ("─" if self.console.utf else "-") * columns
            rows += [*[""] * (lines - len(text) - len(rows)), line, *offer.full_lines()]
        return [*bold_lines(text), *(split_clickable_parts(row, question.choices) for row in rows)]

    def render_prompt(self, question: DecisionPrompt, columns: int, lines: int, more: str = "") -> Lines:
        """Returns the question and its options, with an optional sentence `more`. A click on an option chooses it.

        If the options need more than `lines`, a shorter form comes first. The full list follows below a rule and
        can
        be reached by scrolling."""
        text, offer = wrap_cells(question.text, columns), OptionLayout(self, question, columns)
        text += wrap_cells(more, columns) if more else []
        rows, room = offer.full_lines(), lines - len(text)
        if 0 < lines < len(text) + len(rows):
            short = offer.lay_out(room, room)
            if short.left:
                short = offer.lay_out(room - 1, room - 1)
                left = self.narrator.words.text("prompt.more", n=short.left, all=self.narrator.words.text("command.options"))
                short = short._replace(lines=[*short.lines, *wrap_cells(left, columns)][:room])
            line = ("─" if self.console.utf else "-") * columns
            rows = short.lines if short.whole else [*short.lines, *[""] * (room - len(short.lines)), line, *rows]
        return [*bold_lines(text), *(split_clickable_parts(row, question.choices) for row in rows)]


def pane_titles(words: Localizer) -> dict[str, str]:
    """Returns the titles of the panes and the hint about scrolling keys, in one language."""
    return {part: words.text(f"full.{part}") for part in ("boards", "panels", "table", "story", "details", "cursor", "keys", "return")} | {
        "tight": words.text("full.table")
    }


def create_full_screen_session(
    console: LocalizedConsole, table: MatchTable, loaded: LoadedGame, max_rounds: int | None
) -> FullScreenSession:
    """Returns a session on the full screen; it scrolls as long as the terminal is too small."""
    return FullScreenSession(FullScreenConsole(console, PaneLayout(console.utf, pane_titles(console.words))), table, loaded, max_rounds)
