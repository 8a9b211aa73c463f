"""Those before one screen: whose eyes it is for, what each of them has been told, and the table as they see it.

A person hears everything that has happened since their own last decision. Where all people may hear the same in one language they are
told as one, as it happens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...dsl.diagnostics.sanitize import Shown, visible
from ..cli.console import Voice
from ..i18n import Value
from ..library.loaded_game import Loaded
from ..match.table import Step, Table
from ..narration.narrator import Teller
from ..narration.transcript import LONG, short, weighty, whole
from ..preview.transcript_changes import Chronicle
from .question import Question, ShownOption
from .terminal import Terminal
from .text_columns import in_columns, paragraph

if TYPE_CHECKING:
    from ..rulebook.book import Book
    from ..table_view.view_model import Panel

SOON = 22                            # a plain table of so few lines is shown unasked
SCREEN = 80                          # columns of a plain table
NEWS = 8                             # lines of what has happened, unasked
FEW, PART = 4, 6                     # of these where they are to stay in sight, at least; and which part of a screen


class Listeners:
    """People at one screen. `seat` is the one before it, -1 before anybody has come."""

    def __init__(self, voice: Voice, table: Table, loaded: Loaded, plain: bool = False) -> None:
        self.voice, self.table, self.loaded = voice, table, loaded
        self.terminal = Terminal(voice, plain)
        self.plain = self.terminal.plain
        self.tellers: dict[str, Teller] = {}
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

    def lang_of(self, seat: int) -> str:
        return (self.table.setup.langs[seat] if seat >= 0 else "") or self.voice.lang

    def teller_of(self, lang: str) -> Teller:
        if lang not in self.tellers:
            self.tellers[lang] = Teller(self.table.game, self.loaded.words(lang), self.table.setup.names)
        return self.tellers[lang]

    def book(self) -> Book:
        """The rulebook for the one before the screen, of what is played here alone."""
        if self.lang not in self.books:
            from ..cli.loading import load_without_packs
            from ..rulebook.builder import Wanted, make_book
            self.say("rules.writing")
            game = self.table.game
            plain = load_without_packs(self.voice, str(self.loaded.found.folder), self.loaded, game.ruleset.settings)
            self.books[self.lang] = make_book(self.loaded, self.lang, Wanted(game.players, frozenset(game.ruleset.settings)), plain)
        return self.books[self.lang]

    @property
    def lang(self) -> str:
        return self.spoken or self.lang_of(self.viewer if self.viewer is not None else -1)

    @property
    def teller(self) -> Teller:
        return self.teller_of(self.lang)

    @property
    def viewer(self) -> int | None:
        """Whose eyes the screen is for: the one before it, the only person there is, or None for what all may see."""
        if self.seat >= 0:
            return self.seat
        return self.table.humans[0] if len(self.table.humans) == 1 else None

    @property
    def together(self) -> bool:
        """Whether all people hear the same, in one language, as it happens."""
        return not self.private and len({self.lang_of(seat) for seat in self.table.humans}) == 1

    @property
    def width(self) -> int:
        return self.voice.width

    def say(self, key: str, /, **args: Value) -> None:
        self.tell([self.teller.words.text(key, **args)])

    def tell(self, lines: list[str]) -> None:
        """Lines; on a screen in paragraphs."""
        for line in lines:
            for part in paragraph(line, self.width, "  ") if self.voice.terminal and not isinstance(line, Shown) else [line]:
                self.voice.out(part)

    def strong(self, text: str) -> str:
        return Shown(click.style(visible(text), bold=True)) if self.voice.colour and not self.plain else text

    def options(self, choices: list[ShownOption]) -> None:
        self.rows(self.columns([choice.shown for choice in choices]))

    def columns(self, texts: list[str]) -> list[str]:
        """Options side by side; one to a line where lines are read aloud."""
        return in_columns(texts, 0 if self.plain and self.voice.terminal else self.width)

    @property
    def scrolls(self) -> bool:
        """Whether the screen has parts that are scrolled by keys."""
        return False

    def narrow(self, question: Question, choices: list[ShownOption]) -> bool:
        """Show only these options where a question stands on the screen; False where it does not stay there."""
        return False

    def rows(self, rows: list[str]) -> None:
        for row in rows:
            self.voice.out(row)

    def speak(self, lang: str) -> None:
        """Another language for the one before the screen."""
        self.table.speak(self.seat, lang)
        self.heard.setdefault(self.listener(self.seat), len(self.table.steps))

    # ------------------------------------------------------------ what was told

    def listener(self, seat: int | None) -> int | str:
        return seat if self.private and seat is not None else self.lang

    def catch_up(self) -> None:
        """Tell the one before the screen what they have not been told yet."""
        listener, steps = self.listener(self.viewer), self.table.steps
        known = listener in self.heard
        first = self.heard[listener] if known else min(
            (self.since(seat) for seat in self.table.humans if self.listener(seat) == listener), default=0)
        self.kept = 0
        self.fresh = self.retell(first, anew=not known, most=NEWS)
        if first < len(steps):
            self.newest[listener] = first
        self.heard[listener] = len(steps)

    def retell(self, start: int, anew: bool = False, most: int = 0) -> int:
        """The story from a step on; with `most`, in at most so many lines. Whoever heard it up to there knows below which headings it was
        told, unless it is told `anew`. Where something in it weighs much, a screen has fewer lines of it, and they stay in sight (`kept`).
        Returns how many lines it has."""
        story = Chronicle(self.table, self.teller, self.viewer)
        items = story.items(start)
        if most and self.voice.terminal and any(weighty(item) for item in items):
            most = min(most, max(FEW, self.voice.screen[1] // PART))
            self.kept = most
        before = () if anew else story.left(start)
        lines = whole(items, before)
        if not most or len(lines) <= most:
            self.tell([self.strong(line) if heading else line for line, heading in lines])
            self.kept = min(self.kept, len(lines))
            return len(lines)
        told, left = short(items, most, story.round(before))
        if left:                                                   # how many takes a line, too
            told, left = short(items, most - 1, story.round(before))
        self.tell(told)
        if left:
            self.say("news.more", n=left, news=self.teller.words.text("command.news"))
        return len(told) + bool(left)

    def since(self, seat: int) -> int:
        """The first step after the seat's own last decision."""
        own = [n for n, step in enumerate(self.table.steps) if step.seat == seat and not step.auto]
        return own[-1] + 1 if own else 0

    def long(self, n: int) -> bool:
        """Whether the round that ended with this step was a long one."""
        steps = self.table.steps
        former = next((k for k in range(n - 1, -1, -1) if rounds(steps[k]) != rounds(steps[n])), -1)
        return n - former >= LONG * self.table.game.players

    def interrupted(self) -> bool:
        """Whether somebody else has decided since the last decision of the one before the screen, or they have only come."""
        start = self.since(self.seat)
        return start == 0 or self.turned(start) or any(not step.auto and step.seat != self.seat for step in self.table.steps[start:])

    def turned(self, start: int) -> bool:
        """Whether a new, long round has begun since the step before `start`."""
        return start > 0 and rounds(self.table.steps[start - 1]) != self.table.position.rounds and self.long(start - 1)

    # ------------------------------------------------------------ the table

    def tables(self) -> tuple[list[Panel] | None, list[Panel]]:
        """The table for the one before the screen as they left it, where somebody else has decided since, else None; and as it is now,
        marked where it has changed."""
        from ..table_view.build_panels import build
        from ..table_view.panel_diff import mark
        now = build(self.table.position, self.teller, self.viewer)
        start = self.since(self.seat) if self.seat >= 0 else 0
        if 0 < start == len(self.table.steps):                     # only the rules themselves did something
            start -= 1
        left = self.table.steps[start].before if start and self.interrupted() else None
        if left is None:
            return None, now
        before = build(left, self.teller, self.viewer)
        mark(before, now)
        return before, now

    def news_lines(self, before: list[Panel] | None, now: list[Panel], most: int) -> list[str]:
        """What looks otherwise on the table than it did."""
        from ..table_view.panel_diff import change_lines, changes
        lines = change_lines(changes(before, now), self.teller.words, self.width, most) if before is not None else []
        return [self.strong(self.teller.words.text("news.changes")), *lines] if lines else []

    def line_on_top(self) -> list[str]:
        """Where the game stands, in one line above a question; empty where lines are read aloud."""
        if self.plain:
            return [""]
        from ..table_view.rich_renderer import line_on_top
        from ..table_view.status_line import headline
        from ..table_view.theme import look_of
        parts = headline(self.table.position, self.teller, self.viewer)
        return line_on_top(parts, look_of(self.table.game), self.width, self.voice.colours, self.voice.utf) or [""]

    def drawing(self, panels: list[Panel], most: int = 0, needed: int = 0, cut: bool = False) -> list[str]:
        """These panels of a table; with `most`, unasked, those that fit into so many lines; so many of the first are `needed`, and a map
        that is too high may be `cut` round its numbers."""
        from ..table_view.plain_renderer import plain_lines
        from ..table_view.theme import look_of
        if self.plain:
            lines = plain_lines(panels, min(SCREEN, self.width))
            return [] if most and len(lines) > SOON else lines
        from ..table_view.rich_renderer import screen_lines
        voice = self.voice
        return screen_lines(panels, look_of(self.table.game), voice.screen[0], voice.colours, voice.utf, most, needed, cut)

    def show(self, lines: list[str]) -> None:
        """Lines set off from what is above."""
        self.rows(["", *lines] if lines else [])


def rounds(step: Step) -> int:
    """The round in which a decision was taken."""
    return step.before.rounds if step.before is not None else 0
