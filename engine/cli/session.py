"""A game with people at one screen, each in their own language: who comes before it, what they are told, what they are asked.

In a game where some things are for one person's eyes only (hands), people hand the screen over: it is wiped, what has scrolled off it
too, before the next one is asked to come.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..drawing.shapes import Chart
from ..drawing.targets import aim, touching
from ..playing.table import Table
from ..position.position import Decision, RuleError
from ..shelf.loaded import Loaded
from ..words.fields import fields
from ..words.typed import folded, number
from .asides import ASIDES, words_of
from .columns import paragraph
from .fits import Fit, Fits
from .hinting import foresee, hinted_rows
from .listeners import Listeners
from .loading import show_fault
from .offered import refusal
from .prompt import Question, ShownOption, answers, command_typed, listed, tokens
from .voice import Voice

if TYPE_CHECKING:
    from ..drawing.shapes import Panel

ROOM = 4                             # lines of a terminal left free under table and question
LEAST = 8                            # lines of options that are shown however low the screen is
BAR = ("help", "board", "cards", "log", "undo", "quit")             # the words shown under the line that is typed
MUCH = 4                             # decisions of others after which it is told what has changed on the table


class Session(Listeners):
    """The course of a game: whose turn it is comes before the screen and is asked, until the game is over or somebody leaves."""

    def __init__(self, voice: Voice, table: Table, loaded: Loaded, max_rounds: int | None, plain: bool = False) -> None:
        super().__init__(voice, table, loaded, plain)
        self.max_rounds = max_rounds
        self.looked = False                                        # whether the table has been shown at all
        self.drawn: dict[str, object] = {}                         # what each board held when it was last drawn
        self.rest: list[str] = []                                  # answers of the typed line that are still to be used
        for step in table.steps:                                   # a game that goes on goes on with the same numbers
            asked = step.before.decision if step.before is not None and not step.auto and table.is_human(step.seat) else None
            if asked is not None:
                self.note_numbers(asked, [(option.spelling, token) for token, option in tokens(asked, self.numbers_of(asked))])

    def numbers_of(self, decision: Decision) -> dict[str, str]:
        """What was to be typed for each option when the same was asked last."""
        return self.numbers.get((decision.seat, decision.key), {})

    def note_numbers(self, decision: Decision, numbers: Iterable[tuple[str, str]]) -> None:
        self.numbers[decision.seat, decision.key] = dict(numbers)

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

    def end(self) -> None:
        """The table as it stands at last, and who has won, in each language that is spoken here."""
        from ..explaining.standing import breakdown_lines, standing_lines
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

    def leave(self) -> int:
        """The person goes; everything is on the disk already. Returns the exit code."""
        if self.private and self.terminal.shared:
            self.terminal.wipe()
        if self.table.save is not None:
            from ..playing.savelist import last_save
            last = last_save()
            here = last is not None and last.resolve() == self.table.save.path.resolve()
            self.say("quit.saved", command="ludoglot play --resume" + ("" if here else f" {self.table.save.path}"))
        else:
            self.say("quit.unsaved")
        return 0

    # ------------------------------------------------------------ one decision

    def ask(self, decision: Decision) -> bool:
        """Put the question until it is answered or the position has changed; False when the person leaves."""
        before = self.numbers_of(decision)
        self.question = question = Question(decision, self.teller, before)
        self.note_numbers(decision, question.numbers.items())
        gone = {token: spelling for spelling, token in before.items() if token not in question.numbers.values()}
        if self.rest:
            typed = self.rest.pop(0)
            meant = question.meant(typed)
            if len(meant) == 1 and not self.interrupted() and not self.surprised():
                return self.take(meant[0], 1)
            self.rest.insert(0, typed)
            self.drop()
        if self.interrupted() or not self.looked:                  # whoever has only come sees the table first
            was, now = self.tables()
            self.put(question, now, self.news_lines(was, now) if self.much() else [])
        else:
            self.put(question, self.boards(question))
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
                outcome = ASIDES[command](self, question, behind)
                if outcome is not None:
                    return outcome
                continue
            first, *self.rest = answers(typed, question)
            choice = self.pick(gone.get(first, first), question)
            if choice is not None:
                return self.take(choice, 0)
            self.rest = []

    def command(self, typed: str) -> tuple[str, str]:
        """The word that a line begins with, and what stands behind it; "" where it is none."""
        return command_typed(typed, ASIDES, words_of(self.teller.words)) or ("", "")

    def pick(self, typed: str, question: Question) -> ShownOption | None:
        """The option that an answer means; where several do, they are shown."""
        meant = question.at(touching(self.table.game.model, folded(typed)))
        if not meant:
            meant = question.meant(typed)
            if len(meant) == 1:
                return meant[0]
        if meant:
            self.say("prompt.which", typed=typed, n=len(meant))
            self.options(meant)
        elif question.number_missing(typed):
            self.say("prompt.number", number=number(folded(typed)) or 0,
                     last=max((int(one.token) for one in question.choices if one.token), default=0))
        elif lines := refusal(self.table, self.loaded, self.teller, typed, self.width):
            self.rows(lines)
        else:
            self.say("prompt.unknown", typed=typed, help=self.teller.words.text("command.help"))
        return None

    def take(self, choice: ShownOption, more: int) -> bool:
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
        high = self.voice.screen[1]
        room = max(LEAST, high - len(text) - ROOM)
        foresee(self, question)
        rows = hinted_rows(self, question, max(LEAST, room // 2)) or self.columns(listed(question.choices))
        left = 0
        if self.voice.terminal and len(rows) > room:
            shown = max(1, len(question.choices) * room // len(rows) - 1)
            left = len(question.choices) - shown
            rows = self.columns(listed(question.choices[:shown]))
        if table is not None:
            self.drawn |= {panel.key: panel.content for panel in table if isinstance(panel, Chart)}
            aim(table, self.table.game.model, question.targets)
            self.show(self.drawing(table, most=high - len(rows) - len(text) - len(news) - ROOM))
            self.tell(list(news))
        self.voice.out()
        self.rows([*map(self.strong, text), *rows])
        if left:
            self.say("prompt.more", n=left, all=self.teller.words.text("command.options"))

    def boards(self, question: Question) -> list[Panel] | None:
        """The boards with places that a question asks for, and those that look otherwise than when they were last drawn."""
        if self.plain:
            return None
        panels = [panel for panel in self.tables()[1] if isinstance(panel, Chart)]
        stale = [panel.key for panel in panels if self.drawn.get(panel.key) != panel.content]
        aim(panels, self.table.game.model, question.targets)
        found: list[Panel] = [panel for panel in panels
                              if panel.key in stale or any(spot.target or spot.aimed for spot in panel.spots)]
        return found or None

    def fits(self, question: Question) -> Fits:
        """What a line that is being typed may become: options, and words."""
        words = words_of(self.teller.words)

        def fitting(typed: str) -> list[Fit]:
            part = typed[max(typed.rfind(","), typed.rfind(";")) + 1 :].lstrip()
            found = [Fit(len(part), choice.text, choice.shown.strip()) for choice in question.fitting(part)]
            if part == typed.lstrip():
                found += [Fit(len(part), words[name], words[name]) for name in ASIDES if part and words[name].startswith(part.casefold())]
            return found
        return fitting

    def bar(self) -> str:
        """The words that may be typed, in one line."""
        words = words_of(self.teller.words)
        return (" · " if self.voice.utf else " | ").join(["?", *(words[name] for name in BAR)])
