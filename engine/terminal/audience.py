"""The people at one screen: whose view it shows, what each of them has read, and the table as they see it.

Each person reads everything that has happened since their own last decision. If all may see the same and
read the same language, they share one transcript and read events as they happen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...dsl.diagnostics.sanitize import SafeText, sanitize
from ..cli.console import LocalizedConsole
from ..cli.notation_io import NotationInput
from ..i18n import TextValue
from ..i18n.text_layout import arrange_columns, wrap_cells
from ..library.loaded_game import LoadedGame
from ..match.table import HistoryEntry, MatchTable
from ..narration.narrator import Narrator
from ..narration.transcript import LONG_ROUND_DECISIONS_PER_PLAYER, full_lines, is_important, summarize
from ..preview.transcript_changes import TranscriptWithChanges
from ..rulebook.book import Book
from ..table_view.build_panels import build_panels
from ..table_view.panel_diff import find_changes, format_changes, mark_changes
from ..table_view.plain_renderer import render_plain
from ..table_view.theme import theme_of
from ..table_view.view_model import Line, Panel, StyledText
from .question import DecisionPrompt, PromptOption
from .terminal import Terminal

if TYPE_CHECKING:
    from ..table_view.rich_panels import RenderCache

AUTO_SHOW_MAX_LINES = 22                            # a plain table up to this height is shown without being requested
PLAIN_WIDTH = 80                          # columns of a plain-text table
MAX_NEWS_LINES = 8                             # transcript lines that are shown without being requested
QUESTION_LINES = 16                            # room for a question, if more news are shown than that
# limits of the news that no table may scroll off
MIN_KEPT_LINES, KEPT_SCREEN_DIVISOR = 4, 6


class ScreenAudience:
    """The people at one screen. `seat` is the seat of the person at the screen, or -1 before anybody has come."""

    def __init__(self, console: LocalizedConsole, table: MatchTable, loaded: LoadedGame, plain: bool = False) -> None:
        self.console, self.table, self.loaded = console, table, loaded
        self.terminal = Terminal(console, plain)
        self.plain = self.terminal.plain
        self.narrators: dict[str, Narrator] = {}
        self.books: dict[str, Book] = {}                           # rulebooks built so far, by language
        self.seat = -1
        self.heard: dict[int | str, int] = {}                      # by listener key, the number of steps already shown
        self.hinting = True                                        # whether options are shown with previews
        self.confirming = False                                    # whether what cannot be undone must be confirmed
        self.teaching = False                                      # whether the tutorial is on
        self.taught: dict[int, set[str]] = {}                      # by seat, the keys that the tutorial has explained
        self.spoken: str | None = None                             # overrides the language for output that is for everybody
        self.lines: dict[int, list[int]] = {}                      # by seat, decisions per typed line
        # By seat and question key, then by step: the token of each option, and former tokens of options not offered.
        self.numbers: dict[tuple[int, str], dict[int, dict[str, str]]] = {}
        self.newest: dict[int | str, int] = {}                     # by listener key, the first step of the latest news
        self.fresh = 0                                             # number of transcript lines just printed
        self.kept = 0                                              # how many of them must stay on the screen
        self.noted = NotationInput(table.game)
        self.render_cache: RenderCache | None = None               # while a screen is laid out: what it has rendered
        several = len(table.humans) > 1
        self.private = several and any(isinstance(cell.state.seen, int) for cell in table.game.cells.values())

    # ------------------------------------------------------------ language and output

    def language_of_seat(self, seat: int) -> str:
        return (self.table.setup.langs[seat] if seat >= 0 else "") or self.console.lang

    def narrator_for(self, lang: str) -> Narrator:
        if lang not in self.narrators:
            self.narrators[lang] = Narrator(self.table.game, self.loaded.localizer(lang), self.table.setup.names)
        return self.narrators[lang]

    def get_rulebook(self) -> Book:
        """Returns the rulebook in the current language, limited to the options and packs of this match."""
        if self.lang not in self.books:
            from ..cli.loading import load_without_packs
            from ..rulebook.builder import BookOptions, make_book
            self.print_message("rules.writing")
            game = self.table.game
            plain = load_without_packs(self.console, str(self.loaded.found.folder), self.loaded, game.ruleset.settings)
            self.books[self.lang] = make_book(self.loaded, self.lang, BookOptions(game.players, frozenset(game.ruleset.settings)), plain)
        return self.books[self.lang]

    @property
    def lang(self) -> str:
        return self.spoken or self.language_of_seat(self.viewer if self.viewer is not None else -1)

    @property
    def narrator(self) -> Narrator:
        return self.narrator_for(self.lang)

    @property
    def viewer(self) -> int | None:
        """The seat whose view the screen shows: the person at it, or the only person; None for the public view."""
        if self.seat >= 0:
            return self.seat
        return self.table.humans[0] if len(self.table.humans) == 1 else None

    @property
    def player_names(self) -> list[str]:
        return [self.narrator.player_name(seat) for seat in range(self.table.game.players)]

    @property
    def width(self) -> int:
        return self.console.width

    def print_message(self, key: str, /, **args: TextValue) -> None:
        self.print_paragraphs([self.narrator.words.text(key, **args)])

    def print_paragraphs(self, lines: list[str]) -> None:
        """Prints lines, wrapped into paragraphs on a terminal."""
        for line in lines:
            for part in wrap_cells(line, self.width, "  ") if self.console.terminal and not isinstance(line, SafeText) else [line]:
                self.console.print_line(part)

    def format_bold(self, text: str) -> str:
        return SafeText(click.style(sanitize(text), bold=True)) if self.console.colour and not self.plain else text

    def print_options(self, choices: list[PromptOption]) -> None:
        self.print_rows(self.option_columns([choice.list_entry for choice in choices]))

    def option_columns(self, texts: list[str]) -> list[str]:
        """Arranges options in columns, or one per line in plain mode on a terminal (for screen readers)."""
        return arrange_columns(texts, self.width, single=self.plain and self.console.terminal)

    @property
    def has_scrolling_panes(self) -> bool:
        """Whether the screen has panes that are scrolled by keys. Only the full screen has."""
        return False

    def show_only(self, question: DecisionPrompt, choices: list[PromptOption]) -> bool:
        """Reduces a question that stays on the screen to these options. Returns False if questions scroll away."""
        return False

    def print_rows(self, rows: list[str]) -> None:
        for row in rows:
            self.console.print_line(row)

    def set_language(self, lang: str) -> None:
        """Changes the language of the person at the screen."""
        self.table.set_language(self.seat, lang)
        self.heard.setdefault(self.listener_key(self.seat), len(self.table.steps))

    # ------------------------------------------------------------ transcript

    def listener_key(self, seat: int | None) -> int | str:
        """Returns the key under which read events are tracked: the seat in a game with private events, else the
        language."""
        return seat if self.private and seat is not None else self.lang

    def catch_up(self) -> None:
        """Prints what has happened since this person or language group last read the transcript."""
        listener, steps = self.listener_key(self.viewer), self.table.steps
        known = listener in self.heard
        first = self.heard[listener] if known else min(
            (self.step_after_own_decision(seat) for seat in self.table.humans if self.listener_key(seat) == listener), default=0)
        self.kept = 0
        self.fresh = self.print_transcript(first, repeat_headings=not known, max_lines=self.max_news_lines())
        if first < len(steps):
            self.newest[listener] = first
        self.heard[listener] = len(steps)
        self.print_round_points(first)

    def print_round_points(self, first: int) -> None:
        """Prints the points of a long round that has ended since step `first`."""
        from ..explain.round_points import round_points
        steps = self.table.steps
        last = max((n for n, step in enumerate(steps) if round_of_step(step) < self.table.position.rounds), default=-1)
        panel = round_points(self.table, self.narrator, first) if last >= max(first, 0) and self.is_long_round(last) else None
        if panel is not None:
            self.print_block(self.render_panels([panel]))

    def max_news_lines(self) -> int:
        """Returns how many transcript lines are shown without being requested: no limit (0) in a pane that scrolls.

        If the whole table leaves more lines of the screen free, there may be more."""
        if self.has_scrolling_panes:
            return 0
        free = self.console.screen[1] - len(self.render_panels(self.build_tables()[1])) - QUESTION_LINES if not self.plain else 0
        return max(MAX_NEWS_LINES, free)

    def print_transcript(self, start: int, repeat_headings: bool = False, max_lines: int = 0) -> int:
        """Prints the transcript from a step on and returns the number of lines.

        With `max_lines`, it prints a summary of at most that many lines. With `repeat_headings`, it repeats the headings that an
        earlier reader has already seen. If something important happened, a terminal gets fewer lines, and they stay
        in sight (`kept`)."""
        story = TranscriptWithChanges(self.table, self.narrator, self.viewer)
        items = story.build_lines(start)
        if 0 < max_lines <= MAX_NEWS_LINES and self.console.terminal and any(is_important(item) for item in items):
            max_lines = min(max_lines, max(MIN_KEPT_LINES, self.console.screen[1] // KEPT_SCREEN_DIVISOR))
            self.kept = max_lines
        before = () if repeat_headings else story.headings_before(start)
        lines = full_lines(items, before)
        if not max_lines or len(lines) <= max_lines:
            self.print_paragraphs([self.format_bold(line) if heading else line for line, heading in lines])
            self.kept = min(self.kept, len(lines))
            return len(lines)
        told, left = summarize(items, max_lines, story.round_heading(before))
        if left:                                                   # the line "n more" needs room as well
            told, left = summarize(items, max_lines - 1, story.round_heading(before))
        self.print_paragraphs(told)
        if left:
            self.print_message("news.more", n=left, news=self.narrator.words.text("command.news"))
        return len(told) + bool(left)

    def step_after_own_decision(self, seat: int) -> int:
        """Returns the index of the first step after the last decision that this seat made itself."""
        own = [n for n, step in enumerate(self.table.steps) if step.seat == seat and not step.auto]
        return own[-1] + 1 if own else 0

    def is_long_round(self, n: int) -> bool:
        """Whether the round that ended with step `n` was a long one."""
        steps = self.table.steps
        former = next((k for k in range(n - 1, -1, -1) if round_of_step(steps[k]) != round_of_step(steps[n])), -1)
        return n - former >= LONG_ROUND_DECISIONS_PER_PLAYER * self.table.game.players

    def was_interrupted(self) -> bool:
        """Whether the person needs an update.

        That is so if somebody else has decided since their last decision, if a long round has ended, or if they
        have
        just come."""
        start = self.step_after_own_decision(self.seat)
        return (
            start == 0
            or self.has_long_round_ended(start)
            or any(not step.auto and step.seat != self.seat for step in self.table.steps[start:])
        )

    def has_long_round_ended(self, start: int) -> bool:
        """Whether a long round has ended with the step before `start`."""
        return start > 0 and round_of_step(self.table.steps[start - 1]) != self.table.position.rounds and self.is_long_round(start - 1)

    # ------------------------------------------------------------ the table

    def build_tables(self) -> tuple[list[Panel] | None, list[Panel]]:
        """Returns the table as the person last saw it, and the table now with its changes marked.

        The first is None unless the person was interrupted."""
        now = build_panels(self.table.position, self.narrator, self.viewer)
        start = self.step_after_own_decision(self.seat) if self.seat >= 0 else 0
        if 0 < start == len(self.table.steps):                     # only forced steps happened since
            start -= 1
        left = self.table.steps[start].before if start and self.was_interrupted() else None
        if left is None:
            return None, now
        before = build_panels(left, self.narrator, self.viewer)
        mark_changes(before, now)
        return before, now

    def table_change_lines(self, before: list[Panel] | None, now: list[Panel], max_lines: int) -> list[str]:
        """Returns lines about what has changed on the table."""
        lines = format_changes(find_changes(before, now), self.narrator.words, self.width, max_lines) if before is not None else []
        return [self.format_bold(self.narrator.words.text("news.changes")), *lines] if lines else []

    def build_status_parts(self) -> list[Line]:
        """Returns the parts of the status line, with the last moves if the game has a notation for them."""
        from ..table_view.status_line import build_status_line
        latest = self.noted.list_latest_moves(self.table, self.narrator.words, self.player_names)
        return build_status_line(self.table.position, self.narrator, self.viewer) + [[StyledText(latest)]] * bool(latest)

    def status_lines(self) -> list[str]:
        """Returns the status line above a question; an empty line in plain mode."""
        if self.plain:
            return [""]
        from ..table_view.rich_renderer import render_status_line
        parts = self.build_status_parts()
        return render_status_line(parts, theme_of(self.table.game), self.width, self.console.colours, self.console.utf) or [""]

    def render_panels(self, panels: list[Panel], max_lines: int = 0, needed: int = 0, cut: bool = False) -> list[str]:
        """Returns the lines of these panels.

        With `max_lines`, only the panels that fit into that many lines are drawn. The first `needed` panels have
        priority.
        With `cut`, a map that is too high is cropped around its numbers."""
        if self.plain:
            lines = render_plain(panels, min(PLAIN_WIDTH, self.width))
            return [] if max_lines and len(lines) > AUTO_SHOW_MAX_LINES else lines
        from ..table_view.rich_renderer import render_terminal
        console = self.console
        return render_terminal(panels, theme_of(self.table.game), console.screen[0], console.colours, console.utf, max_lines, needed, cut,
                               self.render_cache)

    def print_block(self, lines: list[str]) -> None:
        """Prints lines after an empty line."""
        self.print_rows(["", *lines] if lines else [])


def round_of_step(step: HistoryEntry) -> int:
    """Returns the round in which a decision was made."""
    return step.before.rounds if step.before is not None else 0
