"""A game with people at one screen, each in their own language: who comes before it, what they are told, what they are asked.

A person hears everything that has happened since their own last decision. In a game where some things are for one person's eyes only
(hands), people hand the screen over: it is wiped, what has scrolled off it too, before the next one is asked to come.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ..fields import fields
from ..options import Decision
from ..position import RuleError
from ..table import Step, Table
from ..telling import Teller
from .commands import COMMANDS, words_of
from .layout import in_columns, paragraph
from .loading import Loaded, show_fault
from .prompt import Choice, Question, answers, command_typed, listed
from .terminal import Fit, Fits, Terminal
from .voice import Voice

if TYPE_CHECKING:
    from ..drawing.model import Panel

SOON = 22                            # a plain table of so few lines is shown unasked
SCREEN = 80                          # columns of a plain table
ROOM = 4                             # lines of a terminal left free under table and question
LEAST = 8                            # lines of options that are shown however low the screen is
LONG = 3                             # decisions for each player in a round, from which on rounds are announced
BAR = ("help", "board", "cards", "log", "undo", "quit")             # the words shown under the line that is typed
MUCH = 4                             # decisions of others after which it is told what has changed on the table
CHANGES = 6                          # lines of what has changed, unasked


class Session:
    """People at one screen. `seat` is the one before it, -1 before anybody has come."""

    def __init__(self, voice: Voice, table: Table, loaded: Loaded, max_rounds: int | None, plain: bool = False) -> None:
        self.voice, self.table, self.loaded, self.max_rounds = voice, table, loaded, max_rounds
        self.terminal = Terminal(voice, plain)
        self.plain = self.terminal.plain
        self.tellers: dict[str, Teller] = {}
        self.seat = -1
        self.heard: dict[int | str, int] = {}                      # by listener, the steps already told
        self.looked = False                                        # whether the table has been shown at all
        self.spoken: str | None = None                             # a language for what is for everybody
        self.rest: list[str] = []                                  # answers of the typed line that are still to be used
        self.lines: dict[int, list[int]] = {}                      # by seat, how many decisions each of its typed lines has made
        several = len(table.humans) > 1
        self.private = several and any(isinstance(cell.state.seen, int) for cell in table.game.cells.values())

    # ------------------------------------------------------------ words

    def lang_of(self, seat: int) -> str:
        return (self.table.setup.langs[seat] if seat >= 0 else "") or self.voice.lang

    def teller_of(self, lang: str) -> Teller:
        if lang not in self.tellers:
            self.tellers[lang] = Teller(self.table.game, self.loaded.words(lang), self.table.setup.names)
        return self.tellers[lang]

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

    def say(self, key: str, /, **args: object) -> None:
        self.tell([self.teller.words.text(key, **args)])           # type: ignore[arg-type]

    def tell(self, lines: list[str]) -> None:
        """Lines; on a screen in paragraphs."""
        for line in lines:
            for part in paragraph(line, self.width, "  ") if self.voice.terminal else [line]:
                self.voice.out(part)

    def strong(self, text: str) -> str:
        return click.style(text, bold=True) if self.voice.colour and not self.plain else text

    # ------------------------------------------------------------ the course of the game

    def run(self) -> int:
        """Play until the game is over or somebody leaves; returns the exit code."""
        try:
            if not self.private or not self.terminal.shared:
                self.welcome()
            while True:
                for _ in self.table.settle(self.max_rounds):
                    if self.together:
                        self.catch_up()
                if self.table.stopped(self.max_rounds):
                    break
                decision = self.table.position.decision
                assert decision is not None
                if not self.turn_to(decision.seat) or not self.ask(decision):
                    return self.leave()
        except KeyboardInterrupt:
            self.voice.out()
            return self.leave()
        self.end()
        return 0

    def welcome(self) -> None:
        """Who plays, and how to get help; in a new game what it is about, and what the set-up told."""
        words = self.teller.words
        who = words.list([self.teller.name(seat) for seat in range(self.table.game.players)])
        self.say("play.welcome", game=words.text("game.name"), who=who, help=words.text("command.help"))
        if self.table.steps:
            return
        if words.has("game.text"):
            self.tell([words.text("game.text", **fields(self.table.game.model))])
        self.tell([said for told in self.table.opening if (said := self.teller.told(told))])

    def turn_to(self, seat: int) -> bool:
        """Let somebody come before the screen, and tell them what happened; False when they do not come."""
        came = seat != self.seat
        if came and self.rest:
            self.drop()
        former, self.seat = self.seat, seat
        if came and self.private and self.terminal.shared:
            if not self.hand_over(former):
                return False
            if former < 0:
                self.welcome()
        self.catch_up()
        return True

    def hand_over(self, former: int) -> bool:
        """A screen that is for everybody, until the one whose turn it is has come; False when they do not."""
        self.terminal.wipe()
        done = [step for step in self.table.steps if step.seat == former and not step.auto]
        if done:
            self.tell([*self.teller.story(done[-1], None), ""])
        self.say("play.pass", who=self.teller.who(self.seat))
        while typed := self.terminal.read(""):
            if self.command(typed)[0] == "quit":
                return False
        if typed is None:
            return False
        self.terminal.wipe()
        return True

    def listener(self, seat: int | None) -> int | str:
        return seat if self.private and seat is not None else self.lang

    def catch_up(self) -> None:
        """Tell the one before the screen what they have not been told yet."""
        listener, steps = self.listener(self.viewer), self.table.steps
        if listener in self.heard:
            self.retell(self.heard[listener])
        else:
            self.retell(min((self.since(seat) for seat in self.table.humans if self.listener(seat) == listener), default=0), anew=True)
        self.heard[listener] = len(steps)

    def retell(self, start: int, anew: bool = False) -> None:
        """The story from a step on, and the round that is to begin. Whoever heard it up to there has heard of the round that began there,
        unless it is told `anew`."""
        for n in range(start, len(self.table.steps) + 1):
            heading = self.heading(n) if n > start or anew else ""
            if heading:
                self.tell(["", self.strong(heading)])
            self.tell(self.teller.story(self.table.steps[n], self.viewer) if n < len(self.table.steps) else [])

    def since(self, seat: int) -> int:
        """The first step after the seat's own last decision."""
        own = [n for n, step in enumerate(self.table.steps) if step.seat == seat and not step.auto]
        return own[-1] + 1 if own else 0

    def heading(self, n: int) -> str:
        """What announces a new round before a step, also before one that is still to come, where rounds are long."""
        steps = self.table.steps
        number = rounds(steps[n]) if n < len(steps) else self.table.position.rounds
        begins = n > 0 and rounds(steps[n - 1]) != number and self.long(n - 1) and not (n == len(steps) and self.table.over)
        return self.teller.words.text("play.round", number=number) if begins else ""

    def long(self, n: int) -> bool:
        """Whether the round that ended with this step was a long one."""
        steps = self.table.steps
        former = next((k for k in range(n - 1, -1, -1) if rounds(steps[k]) != rounds(steps[n])), -1)
        return n - former >= LONG * self.table.game.players

    def end(self) -> None:
        """The table as it stands at last, and who has won, in each language that is spoken here."""
        from .standing import breakdown_lines, standing_lines
        if self.private and self.terminal.shared:
            self.terminal.wipe()
        start = min(self.heard.values(), default=0)
        if len(self.table.humans) > 1:
            self.seat = -1                                         # what follows is for everybody
        spoken = list(dict.fromkeys(self.lang_of(seat) for seat in self.table.humans))
        for lang in spoken:
            self.spoken = lang
            if self.private or not self.together:
                self.retell(start)
            else:
                self.catch_up()
            self.show(self.drawing(self.tables()[1], most=self.voice.screen[1] - ROOM))
            self.tell(["", *standing_lines(self.table, self.loaded, self.lang, self.max_rounds)])
            self.rows(breakdown_lines(self.table, self.loaded, self.teller, self.width))

    def speak(self, lang: str) -> None:
        """Another language for the one before the screen."""
        self.table.speak(self.seat, lang)
        self.heard.setdefault(self.listener(self.seat), len(self.table.steps))

    # ------------------------------------------------------------ one decision

    def ask(self, decision: Decision) -> bool:
        """Put the question until it is answered or the position has changed; False when the person leaves."""
        question = Question(decision, self.teller)
        if self.rest:
            typed = self.rest.pop(0)
            meant = question.meant(typed)
            if len(meant) == 1 and not self.interrupted() and not self.surprised():
                return self.take(meant[0], 1)
            self.rest.insert(0, typed)
            self.drop()
        if self.interrupted() or not self.looked:                  # whoever has only come sees the table first
            before, now = self.tables()
            self.put(question, now, self.news_lines(before, now) if self.much() else [])
        else:
            self.put(question)
        self.looked = True
        while True:
            line = self.terminal.read(self.teller.words.text("ask.prompt") + "> ", self.fits(question), self.bar(), self.seat)
            if line is None:
                return False
            typed = line.strip()
            if not typed:
                self.put(question)
                continue
            command, behind = self.command(typed)
            if command:
                outcome = COMMANDS[command](self, question, behind)
                if outcome is not None:
                    return outcome
                continue
            first, *self.rest = answers(typed, question)
            choice = self.pick(first, question)
            if choice is not None:
                return self.take(choice, 0)
            self.rest = []

    def command(self, typed: str) -> tuple[str, str]:
        """The word that a line begins with, and what stands behind it; "" where it is none."""
        return command_typed(typed, COMMANDS, words_of(self.teller.words)) or ("", "")

    def pick(self, typed: str, question: Question) -> Choice | None:
        """The option that an answer means; where several do, they are shown."""
        meant = question.meant(typed)
        if len(meant) == 1:
            return meant[0]
        if meant:
            self.say("prompt.which", typed=typed, n=len(meant))
            self.options(meant)
        elif question.number_missing(typed):
            self.say("prompt.number", number=int(typed), last=len(question.choices))
        else:
            self.say("prompt.unknown", typed=typed, help=self.teller.words.text("command.help"))
        return None

    def take(self, choice: Choice, more: int) -> bool:
        """Play an option; `more` when it is one more of the same typed line."""
        lines = self.lines.setdefault(self.seat, [])
        if more and lines:
            lines[-1] += 1
        else:
            lines.append(1)
        try:
            self.table.play(choice.option)
        except RuleError as error:
            show_fault(self.voice, error.diagnostic)
            self.rest = []
        if not self.private:                                       # else with what follows: the screen may be wiped at once
            self.catch_up()
        return True

    def drop(self) -> None:
        """The answers left of a line are not used."""
        self.say("prompt.rest", rest=self.teller.words.list(list(self.rest)))
        self.rest = []

    def interrupted(self) -> bool:
        """Whether somebody else has decided since the last decision of the one before the screen, or they have only come."""
        start = self.since(self.seat)
        return start == 0 or self.turned(start) or any(not step.auto and step.seat != self.seat for step in self.table.steps[start:])

    def turned(self, start: int) -> bool:
        """Whether a new, long round has begun since the step before `start`."""
        return start > 0 and rounds(self.table.steps[start - 1]) != self.table.position.rounds and bool(self.long(start - 1))

    def much(self) -> bool:
        """Whether so much has happened that a look at what changed says more than the story."""
        start = self.since(self.seat)
        return len(self.table.steps) - start >= MUCH or self.turned(start)

    def surprised(self) -> bool:
        """Whether chance had a say since they decided."""
        steps = self.table.steps[max(0, self.since(self.seat) - 1):]
        return any(told.key == "chance" and not told.secret for step in steps for told in step.told)

    def put(self, question: Question, table: list[Panel] | None = None, news: Sequence[str] = ()) -> None:
        """The question with its options; below a table as far as it fits, and the news of it."""
        text = paragraph(question.text, self.width)
        rows = self.columns(listed(question.choices))
        high = self.voice.screen[1]
        room = max(LEAST, high - len(text) - ROOM)
        left = 0
        if self.voice.terminal and len(rows) > room:
            shown = max(1, len(question.choices) * room // len(rows) - 1)
            left = len(question.choices) - shown
            rows = self.columns(listed(question.choices[:shown]))
        if table is not None:
            self.show(self.drawing(table, most=high - len(rows) - len(text) - len(news) - ROOM))
            self.tell(list(news))
        self.voice.out()
        self.rows([*map(self.strong, text), *rows])
        if left:
            self.say("prompt.more", n=left, all=self.teller.words.text("command.options"))

    def options(self, choices: list[Choice]) -> None:
        self.rows(self.columns([choice.shown for choice in choices]))

    def columns(self, texts: list[str]) -> list[str]:
        """Options side by side; one to a line where lines are read aloud."""
        return in_columns(texts, 0 if self.plain and self.voice.terminal else self.width)

    def rows(self, rows: list[str]) -> None:
        for row in rows:
            self.voice.out(row)

    def fits(self, question: Question) -> Fits:
        """What a line that is being typed may become: options, and words."""
        words = words_of(self.teller.words)

        def fitting(typed: str) -> list[Fit]:
            part = typed[max(typed.rfind(","), typed.rfind(";")) + 1 :].lstrip()
            found = [Fit(len(part), choice.text, choice.shown.strip()) for choice in question.fitting(part)]
            if part == typed.lstrip():
                found += [Fit(len(part), words[name], words[name]) for name in COMMANDS if part and words[name].startswith(part.casefold())]
            return found
        return fitting

    def bar(self) -> str:
        """The words that may be typed, in one line."""
        words = words_of(self.teller.words)
        return (" · " if self.voice.utf else " | ").join(["?", *(words[name] for name in BAR)])

    def leave(self) -> int:
        """The person goes; everything is on the disk already. Returns the exit code."""
        if self.private and self.terminal.shared:
            self.terminal.wipe()
        if self.table.save is not None:
            from ..saves import last_save
            last = last_save()
            here = last is not None and last.resolve() == self.table.save.path.resolve()
            self.say("quit.saved", command="ludoglot play --resume" + ("" if here else f" {self.table.save.path}"))
        else:
            self.say("quit.unsaved")
        return 0

    # ------------------------------------------------------------ the table

    def tables(self) -> tuple[list[Panel] | None, list[Panel]]:
        """The table for the one before the screen as they left it, where somebody else has decided since, else None; and as it is now,
        marked where it has changed."""
        from ..drawing.build import build
        from ..drawing.changes import mark
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

    def news_lines(self, before: list[Panel] | None, now: list[Panel], most: int = CHANGES) -> list[str]:
        """What looks otherwise on the table than it did."""
        from ..drawing.changes import change_lines, changes
        lines = change_lines(changes(before, now), self.teller.words, self.width, most) if before is not None else []
        return [self.strong(self.teller.words.text("news.changes")), *lines] if lines else []

    def drawing(self, panels: list[Panel], most: int = 0) -> list[str]:
        """These panels of a table; with `most`, unasked, those that fit into so many lines."""
        from ..drawing.look import look_of
        from ..drawing.plain import plain_lines
        if self.plain:
            lines = plain_lines(panels, min(SCREEN, self.width))
            return [] if most and len(lines) > SOON else lines
        from ..drawing.screen import screen_lines
        return screen_lines(panels, look_of(self.table.game), self.voice.screen[0], self.voice.colours, self.voice.utf, most)

    def show(self, lines: list[str]) -> None:
        """Lines set off from what is above."""
        self.rows(["", *lines] if lines else [])


def rounds(step: Step) -> int:
    """The round in which a decision was taken."""
    return step.before.rounds if step.before is not None else 0
