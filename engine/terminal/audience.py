"""Those before one screen: whose eyes it is for, what each of them has been told, and the table as they see it.

A person hears everything that has happened since their own last decision. Where all people may hear the same in one language they are
told as one, as it happens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...dsl.diagnostics.sanitize import SafeText, sanitize
from ..cli.console import LocalizedConsole
from ..i18n import TextValue
from ..library.loaded_game import LoadedGame
from ..match.table import HistoryEntry, MatchTable
from ..narration.narrator import Narrator
from ..narration.transcript import LONG_ROUND_DECISIONS_PER_PLAYER, full_lines, is_important, summarize
from ..preview.transcript_changes import TranscriptWithChanges
from .question import DecisionPrompt, PromptOption
from .terminal import Terminal
from .text_columns import arrange_columns, wrap_paragraph

if TYPE_CHECKING:
    from ..rulebook.book import Book
    from ..table_view.view_model import Panel

AUTO_SHOW_MAX_LINES = 22                            # a plain table of so few lines is shown unasked
PLAIN_WIDTH = 80                          # columns of a plain table
MAX_NEWS_LINES = 8                             # lines of what has happened, unasked
# of these where they are to stay in sight, at least; and which part of a screen
MIN_KEPT_LINES, KEPT_SCREEN_DIVISOR = 4, 6


class ScreenAudience:
    """People at one screen. `seat` is the one before it, -1 before anybody has come."""

    def __init__(self, voice: LocalizedConsole, table: MatchTable, loaded: LoadedGame, plain: bool = False) -> None:
        self.voice, self.table, self.loaded = voice, table, loaded
        self.terminal = Terminal(voice, plain)
        self.plain = self.terminal.plain
        self.tellers: dict[str, Narrator] = {}
        self.books: dict[str, Book] = {}                           # rulebooks that somebody has asked for, by language
        self.seat = -1
        self.heard: dict[int | str, int] = {}                      # by listener, the steps already told
        self.hinting = True                                        # whether options are told with what they would change
        self.teaching = False                                      # whether each new kind of question is explained
        self.taught: dict[int, set[str]] = {}                      # by seat, what has been explained
        self.spoken: str | None = None                             # a language for what is for everybody
        self.lines: dict[int, list[int]] = {}                      # by seat, how many decisions each of its typed lines has made
        # By seat and question, and by the step at which it was asked: what was to be typed then, and before for what was not offered then.
        self.numbers: dict[tuple[int, str], dict[int, dict[str, str]]] = {}
        self.newest: dict[int | str, int] = {}                     # by listener, the step from which they were told last
        self.fresh = 0                                             # lines of the story told just now
        self.kept = 0                                              # how many of them no table may push off the screen
        several = len(table.humans) > 1
        self.private = several and any(isinstance(cell.state.seen, int) for cell in table.game.cells.values())

    # ------------------------------------------------------------ words

    def language_of_seat(self, seat: int) -> str:
        return (self.table.setup.langs[seat] if seat >= 0 else "") or self.voice.lang

    def narrator_for(self, lang: str) -> Narrator:
        if lang not in self.tellers:
            self.tellers[lang] = Narrator(self.table.game, self.loaded.localizer(lang), self.table.setup.names)
        return self.tellers[lang]

    def get_rulebook(self) -> Book:
        """The rulebook for the one before the screen, of what is played here alone."""
        if self.lang not in self.books:
            from ..cli.loading import load_without_packs
            from ..rulebook.builder import BookOptions, make_book
            self.print_message("rules.writing")
            game = self.table.game
            plain = load_without_packs(self.voice, str(self.loaded.found.folder), self.loaded, game.ruleset.settings)
            self.books[self.lang] = make_book(self.loaded, self.lang, BookOptions(game.players, frozenset(game.ruleset.settings)), plain)
        return self.books[self.lang]

    @property
    def lang(self) -> str:
        return self.spoken or self.language_of_seat(self.viewer if self.viewer is not None else -1)

    @property
    def teller(self) -> Narrator:
        return self.narrator_for(self.lang)

    @property
    def viewer(self) -> int | None:
        """Whose eyes the screen is for: the one before it, the only person there is, or None for what all may see."""
        if self.seat >= 0:
            return self.seat
        return self.table.humans[0] if len(self.table.humans) == 1 else None

    @property
    def shares_narration(self) -> bool:
        """Whether all people hear the same, in one language, as it happens."""
        return not self.private and len({self.language_of_seat(seat) for seat in self.table.humans}) == 1

    @property
    def width(self) -> int:
        return self.voice.width

    def print_message(self, key: str, /, **args: TextValue) -> None:
        self.print_paragraphs([self.teller.words.text(key, **args)])

    def print_paragraphs(self, lines: list[str]) -> None:
        """Lines; on a screen in paragraphs."""
        for line in lines:
            for part in wrap_paragraph(line, self.width, "  ") if self.voice.terminal and not isinstance(line, SafeText) else [line]:
                self.voice.print_line(part)

    def format_bold(self, text: str) -> str:
        return SafeText(click.style(sanitize(text), bold=True)) if self.voice.colour and not self.plain else text

    def print_options(self, choices: list[PromptOption]) -> None:
        self.print_rows(self.option_columns([choice.list_entry for choice in choices]))

    def option_columns(self, texts: list[str]) -> list[str]:
        """Options side by side; one to a line where lines are read aloud."""
        return arrange_columns(texts, 0 if self.plain and self.voice.terminal else self.width)

    @property
    def has_scrolling_panes(self) -> bool:
        """Whether the screen has parts that are scrolled by keys."""
        return False

    def show_only(self, question: DecisionPrompt, choices: list[PromptOption]) -> bool:
        """Show only these options where a question stands on the screen; False where it does not stay there."""
        return False

    def print_rows(self, rows: list[str]) -> None:
        for row in rows:
            self.voice.print_line(row)

    def set_language(self, lang: str) -> None:
        """Another language for the one before the screen."""
        self.table.set_language(self.seat, lang)
        self.heard.setdefault(self.listener_key(self.seat), len(self.table.steps))

    # ------------------------------------------------------------ what was told

    def listener_key(self, seat: int | None) -> int | str:
        return seat if self.private and seat is not None else self.lang

    def catch_up(self) -> None:
        """Tell the one before the screen what they have not been told yet."""
        listener, steps = self.listener_key(self.viewer), self.table.steps
        known = listener in self.heard
        first = self.heard[listener] if known else min(
            (self.step_after_own_decision(seat) for seat in self.table.humans if self.listener_key(seat) == listener), default=0)
        self.kept = 0
        self.fresh = self.print_transcript(first, anew=not known, most=MAX_NEWS_LINES)
        if first < len(steps):
            self.newest[listener] = first
        self.heard[listener] = len(steps)

    def print_transcript(self, start: int, anew: bool = False, most: int = 0) -> int:
        """The story from a step on; with `most`, in at most so many lines. Whoever heard it up to there knows below which headings it was
        told, unless it is told `anew`. Where something in it weighs much, a screen has fewer lines of it, and they stay in sight (`kept`).
        Returns how many lines it has."""
        story = TranscriptWithChanges(self.table, self.teller, self.viewer)
        items = story.build_lines(start)
        if most and self.voice.terminal and any(is_important(item) for item in items):
            most = min(most, max(MIN_KEPT_LINES, self.voice.screen[1] // KEPT_SCREEN_DIVISOR))
            self.kept = most
        before = () if anew else story.headings_before(start)
        lines = full_lines(items, before)
        if not most or len(lines) <= most:
            self.print_paragraphs([self.format_bold(line) if heading else line for line, heading in lines])
            self.kept = min(self.kept, len(lines))
            return len(lines)
        told, left = summarize(items, most, story.round_heading(before))
        if left:                                                   # how many takes a line, too
            told, left = summarize(items, most - 1, story.round_heading(before))
        self.print_paragraphs(told)
        if left:
            self.print_message("news.more", n=left, news=self.teller.words.text("command.news"))
        return len(told) + bool(left)

    def step_after_own_decision(self, seat: int) -> int:
        """The first step after the seat's own last decision."""
        own = [n for n, step in enumerate(self.table.steps) if step.seat == seat and not step.auto]
        return own[-1] + 1 if own else 0

    def is_long_round(self, n: int) -> bool:
        """Whether the round that ended with this step was a long one."""
        steps = self.table.steps
        former = next((k for k in range(n - 1, -1, -1) if round_of_step(steps[k]) != round_of_step(steps[n])), -1)
        return n - former >= LONG_ROUND_DECISIONS_PER_PLAYER * self.table.game.players

    def was_interrupted(self) -> bool:
        """Whether somebody else has decided since the last decision of the one before the screen, or they have only come."""
        start = self.step_after_own_decision(self.seat)
        return (
            start == 0
            or self.has_long_round_ended(start)
            or any(not step.auto and step.seat != self.seat for step in self.table.steps[start:])
        )

    def has_long_round_ended(self, start: int) -> bool:
        """Whether a new, long round has begun since the step before `start`."""
        return start > 0 and round_of_step(self.table.steps[start - 1]) != self.table.position.rounds and self.is_long_round(start - 1)

    # ------------------------------------------------------------ the table

    def build_tables(self) -> tuple[list[Panel] | None, list[Panel]]:
        """The table for the one before the screen as they left it, where somebody else has decided since, else None; and as it is now,
        marked where it has changed."""
        from ..table_view.build_panels import build_panels
        from ..table_view.panel_diff import mark_changes
        now = build_panels(self.table.position, self.teller, self.viewer)
        start = self.step_after_own_decision(self.seat) if self.seat >= 0 else 0
        if 0 < start == len(self.table.steps):                     # only the rules themselves did something
            start -= 1
        left = self.table.steps[start].before if start and self.was_interrupted() else None
        if left is None:
            return None, now
        before = build_panels(left, self.teller, self.viewer)
        mark_changes(before, now)
        return before, now

    def table_change_lines(self, before: list[Panel] | None, now: list[Panel], most: int) -> list[str]:
        """What looks otherwise on the table than it did."""
        from ..table_view.panel_diff import find_changes, format_changes
        lines = format_changes(find_changes(before, now), self.teller.words, self.width, most) if before is not None else []
        return [self.format_bold(self.teller.words.text("news.changes")), *lines] if lines else []

    def status_lines(self) -> list[str]:
        """Where the game stands, in one line above a question; empty where lines are read aloud."""
        if self.plain:
            return [""]
        from ..table_view.rich_renderer import render_status_line
        from ..table_view.status_line import build_status_line
        from ..table_view.theme import theme_of
        parts = build_status_line(self.table.position, self.teller, self.viewer)
        return render_status_line(parts, theme_of(self.table.game), self.width, self.voice.colours, self.voice.utf) or [""]

    def render_panels(self, panels: list[Panel], most: int = 0, needed: int = 0, cut: bool = False) -> list[str]:
        """These panels of a table; with `most`, unasked, those that fit into so many lines; so many of the first are `needed`, and a map
        that is too high may be `cut` round its numbers."""
        from ..table_view.plain_renderer import render_plain
        from ..table_view.theme import theme_of
        if self.plain:
            lines = render_plain(panels, min(PLAIN_WIDTH, self.width))
            return [] if most and len(lines) > AUTO_SHOW_MAX_LINES else lines
        from ..table_view.rich_renderer import render_terminal
        voice = self.voice
        return render_terminal(panels, theme_of(self.table.game), voice.screen[0], voice.colours, voice.utf, most, needed, cut)

    def print_block(self, lines: list[str]) -> None:
        """Lines set off from what is above."""
        self.print_rows(["", *lines] if lines else [])


def round_of_step(step: HistoryEntry) -> int:
    """The round in which a decision was taken."""
    return step.before.rounds if step.before is not None else 0
