"""A game with people at one screen, each in their own language: who comes before it, what they are told, what they are asked.

In a game where some things are for one person's eyes only (hands), people hand the screen over: it is wiped, what has scrolled off it
too, before the next one is asked to come.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from ..bots.greedy import BOTS
from ..cli.console import WIDEST, Voice
from ..cli.notation_io import Typed
from ..cli.rendering import rendered
from ..explain.score_breakdown import scored
from ..i18n.placeholders import fields
from ..i18n.user_input import folded, number
from ..library.loaded_game import Loaded
from ..match.table import Table
from ..position.position import Decision, RuleError
from ..project.describe import has_texts
from ..table_view.option_markers import aim, on_boards, point_out, touching
from ..table_view.panel_priority import needed
from ..table_view.plain_renderer import plain_lines
from ..table_view.view_model import Chart
from .audience import Listeners, rounds
from .completion import Fit, Fits
from .offered import refusal
from .option_layout import Laid, Offer
from .preview_lines import comes_back, foresee
from .question import DECLINES, Question, ShownOption, answers, command_typed, known_by, numbers_at, places_in
from .table_commands import ASIDES, LOOKING_BACK, words_of
from .text_columns import paragraph
from .tutorial import lesson, note_taught

if TYPE_CHECKING:
    from ..table_view.view_model import Panel

ROOM = 4                             # lines of a terminal left free under table and question
LEAST = 8                            # lines of options that are shown however low the screen is
SOME = 8                             # lines of what options may lead to, where all of it would push out a panel
STORY = 2                            # lines of what has just happened, besides the first, that a map leaves in sight
RUN_TOGETHER = re.compile(r"\d+(,\d+){2,}")     # numbers with commas that no place has
MAP = 9                              # lines of a map below which it tells too little
ENDLESS = 10_000                     # lines where nothing scrolls away
BAR = ("help", "board", "cards", "log", "undo", "quit")             # the words shown under the line that is typed


class Session(Listeners):
    """The course of a game: whose turn it is comes before the screen and is asked, until the game is over or somebody leaves."""

    def __init__(self, voice: Voice, table: Table, loaded: Loaded, max_rounds: int | None, plain: bool = False) -> None:
        super().__init__(voice, table, loaded, plain)
        self.max_rounds = max_rounds
        self.question: Question | None = None                      # the last that was put
        self.looked = False                                        # whether the table has been shown at all
        self.lacking: list[str] = []                               # the word of panels for which there is no room
        self.drawn: dict[str, object] = {}                         # what each board held when it was last drawn
        self.rest: list[str] = []                                  # answers of the typed line that are still to be used,
        self.typed_at: Question | None = None                      # and the question at which it was typed
        self.gone: dict[str, str] = {}                             # by number, what was not offered there and had been before
        self.repeated = 0                                          # how often the same was answered by one line
        self.typed_last = ""                                       # and the answer of it that was used last
        self.noted = Typed(table.game)
        self.settled: dict[int, str] = {}                          # the rest of a move that was typed as a whole, by number of the step
        for n, step in enumerate(table.steps):                     # a game goes on with the same numbers, and what was explained
            asked = step.before.decision if step.before is not None and not step.auto and table.is_human(step.seat) else None
            if asked is not None:
                note_taught(self, asked)
                self.note_numbers(asked, numbers_at(asked, self.numbers_of(asked, n), self.teller), n)

    def numbers_of(self, decision: Decision, n: int) -> dict[str, str]:
        """What was to be typed for each option when the same was asked last before the step `n`, in the same round where rounds are long;
        or there, where it was asked before what came of it was taken back."""
        asked = self.numbers.get((decision.seat, decision.key), {})
        last = max((step for step in asked if step <= n), default=n)
        steps = self.table.steps
        if last >= len(steps) or rounds(steps[last]) == decision.position.rounds:
            return asked.get(last, {})
        end = max(k for k in range(last, len(steps)) if rounds(steps[k]) == rounds(steps[last]))
        placed = any(places_in(option, decision) for option in decision.options)   # other lists begin anew with a round
        return asked[last] if placed and not self.long(end) else {}

    def note_numbers(self, decision: Decision, numbers: Mapping[str, str], n: int) -> None:
        """These numbers belong to the decision that is the step `n`. What was offered before has its number till another gets it."""
        asked = self.numbers.setdefault((decision.seat, decision.key), {})
        gone = {spelling: token for spelling, token in self.numbers_of(decision, n).items() if token not in numbers.values()}
        self.numbers[decision.seat, decision.key] = {step: known for step, known in asked.items() if step < n} | {n: gone | dict(numbers)}

    # ------------------------------------------------------------ the course of the game

    def run(self) -> int:
        """Play until the game is over or somebody leaves; returns the exit code."""
        if not self.private or not self.terminal.shared:
            self.welcome()
        while self.played():
            self.end()
            if not self.table.over or not self.terminal.shared or self.question is None or not self.look_back(self.question):
                return 0
        return self.leave()

    def played(self) -> bool:
        """Play until the game is over; False when somebody leaves before."""
        try:
            while True:
                self.think()
                for _ in self.table.settle(self.max_rounds):
                    self.think()
                self.terminal.busy("")
                if self.table.stopped(self.max_rounds):
                    return True
                decision = self.table.position.decision
                assert decision is not None
                if not self.turn_to(decision.seat) or not self.ask(decision):
                    return False
        except KeyboardInterrupt:
            self.voice.out()
            return False

    def welcome(self) -> None:
        """Who plays, and how to get help; in a new game what it is about, and what the set-up told."""
        words = self.teller.words
        who = words.list([self.teller.name(seat) for seat in range(self.table.game.players)])
        self.say("play.welcome", game=words.text("game.name"), who=who, help=words.text("command.help"))
        self.tell(self.teller.in_force)
        for kind in BOTS:
            seats = [seat for seat, sits in enumerate(self.table.setup.seats) if sits == f"bot:{kind}"]
            if seats:
                self.say(f"seats.{kind}", who=[self.teller.who(seat) for seat in seats])
        if self.table.steps:
            return
        if words.has("game.text"):
            self.tell([words.text("game.text", **fields(self.table.game.model))])
        self.tell([said for told in self.table.opening if (said := self.teller.told(told))])

    def think(self) -> None:
        """Say whose bot decides next, as long as it does."""
        decision = self.table.position.decision
        if decision is not None and not self.table.is_human(decision.seat) and not self.table.stopped(self.max_rounds):
            self.terminal.busy(self.teller.words.text("play.thinking", who=self.teller.who(decision.seat)))

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
            self.say("play.pass", who=self.teller.who(self.seat))  # nothing else is done before somebody has come
        if typed is None:
            return False
        self.terminal.wipe()
        return True

    def end(self) -> None:
        """The table as it stands at last, and who has won, in each language that is spoken here."""
        from ..explain.standing_text import breakdown_lines, standing_lines
        if self.private and self.terminal.shared:
            self.terminal.wipe()
        start = min(self.heard.values(), default=0)
        if len(self.table.humans) > 1:
            self.seat = -1                                         # what follows is for everybody
        spoken = list(dict.fromkeys(self.lang_of(seat) for seat in self.table.humans))
        for lang in spoken:
            self.spoken = lang
            self.retell(start if self.private else self.heard.get(self.lang, start))
            self.show(self.drawing(self.tables()[1], most=self.voice.screen[1] - ROOM))
            self.tell(["", *standing_lines(self.table, self.loaded, self.lang, self.max_rounds)])
            self.rows(breakdown_lines(self.table, self.loaded, self.teller, self.width))

    def look_back(self, question: Question) -> bool:
        """The game is over, and those at the table may still look at it and ask, until somebody leaves, or takes the last choice back: then
        it goes on (True). `question` was the last one."""
        words = words_of(self.teller.words)
        score = self.teller.words.text("why.score").partition(",")[0]
        known = [*map(words.get, ("board", "log", "look", "undo")), *([f"{words['why']} {score}"] if scored(self.table.game) else [])]
        self.say("end.stay", words=known)
        while typed := (self.terminal.read(self.teller.words.text("ask.prompt") + "> ") or "").strip():
            command, behind = self.command(typed)
            if command not in LOOKING_BACK:
                self.say("end.stay", words=known)
                continue
            outcome = ASIDES[command](self, question, behind)
            if outcome is not None:
                return outcome
        return False

    def leave(self) -> int:
        """The person goes; everything is on the disk already. Returns the exit code."""
        if self.private and self.terminal.shared:
            self.terminal.wipe()
        if self.table.save is not None:
            from ..match.save_index import last_save
            last = last_save()
            here = last is not None and last.resolve() == self.table.save.path.resolve()
            self.say("quit.saved", command="ludoglot play --resume" + ("" if here else f" {self.table.save.path}"))
        else:
            self.say("quit.unsaved")
        return 0

    # ------------------------------------------------------------ one decision

    def ask(self, decision: Decision) -> bool:
        """Put the question until it is answered or the position has changed; False when the person leaves."""
        before = self.numbers_of(decision, len(self.table.steps))
        self.question = question = Question(decision, self.teller, before)
        self.note_numbers(decision, question.numbers, len(self.table.steps))
        free = {token: known for known, token in before.items() if token not in question.numbers.values()}
        gone = {token: known for token, known in free.items() if known not in question.numbers and not known.startswith(DECLINES)}
        wanted = self.settled.get(len(self.table.steps))
        choice = next((one for one in question.choices if one.option.spelling == wanted), None)
        if choice is not None:
            return self.take(choice, 1)
        if self.rest:
            typed, *left = self.rest
            numbered = self.numbered(typed, question)
            meant = question.meant(typed) if numbered is None else numbered
            otherwise = self.interrupted() or self.surprised()
            if len(meant) == 1 and not otherwise and (numbered or not self.doubtful(typed, meant[0], question)):
                self.rest, self.typed_last = left, typed
                self.repeated += question.same_as(self.typed_at) if self.typed_at is not None else 0
                return self.take(meant[0], 1)
            self.drop(otherwise)
        if self.interrupted() or not self.looked:                  # whoever has only come sees the table first
            self.put(question, self.tables()[1])
        else:
            self.put(question, self.boards(question))
        self.looked = True
        while True:
            line = self.terminal.read(self.teller.words.text("ask.prompt") + "> ", self.fits(question), self.bar(), self.seat)
            if line is None:
                return False
            typed = line.strip()
            if not typed:                                          # also where the terminal has got another size
                self.put(question, self.boards(question))
                continue
            command, behind = self.command(typed)
            named = question.named(typed) if command and typed[0] not in "/?" else []
            if named and not behind and not question.whole(typed):     # it may mean the word as well
                self.say("prompt.word", typed=typed, word=f"/{typed}")
                self.options(named)
                continue
            if command and not named:
                outcome = ASIDES[command](self, question, behind)
                if outcome is not None:
                    return outcome
                continue
            first, *self.rest = answers(typed, question)
            self.typed_at, self.typed_last, self.gone, self.repeated = question, first, free, 0
            if first in gone and not question.meant(first):
                self.refuse(first, question, gone[first])
            elif (choice := self.pick(first, question)) is not None:
                return self.take(choice, 0)
            self.rest = []

    def numbered(self, typed: str, question: Question) -> list[ShownOption] | None:
        """What a number further on in a line means where the same is asked again: what stood beside it when the line was typed. None
        where that says nothing."""
        asked = self.typed_at
        if asked is not None and typed == self.typed_last and not question.same_as(asked) and not question.counts:
            text = next((one.text for one in asked.choices if one.token == folded(typed)), None)
            again = [one for one in question.choices if one.text == text]             # once more the same, whatever the question is
            return again or ([] if self.repeated else None)        # too often typed: it answers nothing else
        if asked is None or not question.same_as(asked) or question.counts or number(folded(typed)) is None:
            return None
        wanted = next((one.option.spelling for one in asked.choices if one.token == folded(typed)), self.gone.get(folded(typed)))
        return [one for one in question.choices if wanted in (one.option.spelling, known_by(one.option, question.declining))]

    def command(self, typed: str) -> tuple[str, str]:
        """The word that a line begins with, and what stands behind it; "" where it is none."""
        return command_typed(typed, ASIDES, words_of(self.teller.words)) or ("", "")

    def pick(self, typed: str, question: Question) -> ShownOption | None:
        """The option that an answer means; where several do, they are shown."""
        meant = question.at(touching(self.table.game.model, self.teller.words.corner_meant(folded(typed))))
        if not meant:
            meant = question.meant(typed)
            if len(meant) == 1 and self.doubtful(typed, meant[0], question):
                self.say("prompt.sure", typed=typed, option=meant[0].text, token=meant[0].token)
                return None
            if len(meant) == 1:
                return meant[0]
        first, *rest = self.noted.meant(self.table.position, typed) or [""]
        noted = next((one for one in question.choices if first and one.option.spelling == first), None)
        if noted is not None:
            self.settled = dict(enumerate(rest, start=len(self.table.steps) + 1))
            return noted
        if meant:
            self.say("prompt.which", typed=typed, n=len(meant))
            self.options(meant)
        else:
            self.refuse(typed, question)
        return None

    def refuse(self, typed: str, question: Question, meant: str = "") -> None:
        """Say why something that was typed is none of the options; `meant` is the option that had this number before."""
        if RUN_TOGETHER.fullmatch(typed):
            self.say("prompt.blanks", typed=typed.replace(",", ", "))
        elif meant and (lines := refusal(self.table, self.loaded, self.teller, meant, self.width)):
            self.rows(lines)
        elif question.number_missing(typed):
            known = {int(one.token) for one in question.choices if one.token}
            gone = known != set(range(1, len(known) + 1))
            self.say("prompt.number.gone" if gone else "prompt.number", number=number(folded(typed)) or 0, last=max(known, default=0))
            if found := question.said_in(folded(typed)):
                self.say("prompt.number.words", typed=typed, n=len(found))
                self.options(found)
        elif lines := refusal(self.table, self.loaded, self.teller, typed, self.width):
            self.rows(lines)
        else:
            self.say("prompt.unknown", typed=typed, help=self.teller.words.text("command.help"))

    def doubtful(self, typed: str, one: ShownOption, question: Question) -> bool:
        """Whether what was typed, which means one option, may have been meant otherwise, and cannot be taken back: it stands in the middle
        of the text."""
        return question.loosely(typed) and not comes_back(self, question, one)

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
            self.voice.warn(rendered(Voice(self.lang), [error.diagnostic]))
            self.rest = []
        return True

    def drop(self, otherwise: bool = True) -> None:
        """The answers left of a line are not used: something else has happened, or the first of them is no answer to what is asked now."""
        rest, typed = self.teller.words.list(list(self.rest)), self.rest[0]
        asked = self.typed_at
        same = asked is not None and self.question is not None and self.question.same_as(asked)
        meant = next((one.text for one in asked.choices if one.token == folded(typed)), "") if asked is not None and same else ""
        if meant and not otherwise:
            self.say("prompt.rest.gone", rest=rest, typed=typed, option=meant)
        else:
            self.say("prompt.rest" if otherwise else "prompt.rest.unfit", rest=rest, typed=typed)
        self.rest = []

    def surprised(self) -> bool:
        """Whether chance had a say since they decided."""
        steps = self.table.steps[max(0, self.since(self.seat) - 1):]
        return any(told.key == "chance" and not told.secret for step in steps for told in step.told)

    def put(self, question: Question, table: list[Panel] | None = None) -> None:
        """The question with its options; below a table as far as it fits."""
        top, text = self.line_on_top(), paragraph(question.text, self.width)
        taught = self.lesson(question)
        high = self.voice.screen[1] - self.kept - len(top) - len(taught) + 1
        room = max(LEAST, high - len(text) - ROOM)
        foresee(self, question)
        offer, most = Offer(self, question), room if self.voice.terminal else ENDLESS
        rows, left, _ = offer.laid(max(LEAST, room // 2), most)
        if table is not None:
            self.drawn |= {panel.key: self.looks(panel) for panel in table}
            self.write_into(table, question)
            lines, short = self.above(question, table, len(rows), high - len(text) - ROOM)
            if short is None and (without := self.without(question, table, lines)):
                unsure = (offer.laid(1, most, least) for least in (SOME, 1, 0) if offer.unsure)
                for less in chain(unsure, offer.tighter()):        # what options would change gives way to a panel that is needed
                    other = self.above(question, table, len(less.lines), high - len(text) - ROOM)
                    if self.without(question, table, other[0]) < without:
                        lines, short = other[0], other[1] or less
                        break
            rows, left, _ = short or Laid(rows, left)
            self.show(lines)
        self.rows([*top, *taught, *map(self.strong, text), *rows])
        if left:
            self.say("prompt.more", n=left, all=self.teller.words.text("command.options"))

    def without(self, question: Question, table: list[Panel], lines: list[str]) -> list[bool]:
        """Of each panel that a question needs, the most needed first, whether it is not in these lines; nothing where all are."""
        first, _ = needed(table, question.decision)
        hidden = missing(first, [line for line in lines if line not in self.lacking])
        return [panel in hidden for panel in first] if hidden and not self.plain else []

    def unseen(self, panels: list[Panel]) -> list[str]:
        """A word how to see panels for which there is no room."""
        words = self.teller.words
        titles = list(dict.fromkeys(panel.title for panel in panels))
        return paragraph(words.text("board.unseen", titles=titles, example=f"{words.text('command.board')} {titles[0]}"), self.width)

    def write_into(self, panels: list[Panel], question: Question) -> None:
        """Let the boards show the numbers of a question's options and what it is about."""
        aim(panels, self.table.game.model, question.targets)
        if not self.plain:
            point_out(panels, question.decision, self.teller.words.text("table.asked"))

    def lesson(self, question: Question) -> list[str]:
        """What a new kind of question is about, for who is taught the game."""
        lines = lesson(self, question) if self.teaching else []
        return [*lines, ""] if lines else []

    def above(self, question: Question, table: list[Panel], rows: int, room: int) -> tuple[list[str], Laid | None]:
        """The table over a question with so many rows of options; and, where these would push out a board that has the numbers of options,
        what stands in their place."""
        if self.plain:
            return self.drawing(table, max(1, room - rows)), None
        first, others = needed(table, question.decision)
        lines = self.drawing([*first, *others], max(1, room - rows), len(first))
        unseen: list[str] = []                                     # a word of those that are needed and have no room
        if hidden := missing(first, lines):
            unseen = self.unseen(hidden)
            lines = self.drawing([*first, *others], max(1, room - rows - len(unseen)), len(first))
            unseen = self.unseen(hidden) if (hidden := missing(first, lines)) else []        # in less room others may stand there
            lines += unseen if lines and len(lines) + len(unseen) <= room - rows else []
        self.lacking = unseen
        bare = paragraph(self.teller.words.text("prompt.on_board", all=self.teller.words.text("command.options")), self.width)
        bare += Offer(self, question).of_one()
        each = len(question.targets) == len(question.choices) and on_boards(table, question.targets)
        short = bare + Offer(self, question).in_groups(max(1, min(LEAST, room // 3) - len(bare))).lines
        if rows > max(LEAST, len(short)) and each:
            board = self.drawing(first[:1], room - len(short))
            if len(board) > len(self.drawing(first[:1], max(1, room - rows))):
                return board, Laid(short)
        maps: list[Panel] = [panel for panel in first if isinstance(panel, Chart) and not panel.simple
                             and any(spot.target or spot.aimed for spot in panel.spots)]
        told = min(STORY, max(0, self.fresh - 1))                  # a map that is cut anyway leaves a short story in sight
        if not maps and not lines and self.voice.terminal:         # part of a map tells more than none
            ground: list[Panel] = [panel for panel in first if isinstance(panel, Chart) and not panel.simple]
            board = self.drawing(ground[:1], max(1, room - rows - told), cut=True) if ground else []
            return (board if len(board) >= MAP else unseen), None
        maps = maps[:1]
        if not self.voice.terminal or not maps or self.drawing(maps, max(1, room - rows)):
            return lines, None
        few = max(2, min(LEAST, room - MAP - 1, room // 3)) + 1    # one line says what is left out
        some = Offer(self, question).laid(few, few)
        if each and (some.left * 2 > len(question.choices) or len(some.lines) > len(short)):
            some = Laid(short)                                     # the map tells more than a few of its places in words
        for form in [some, *([Laid(bare)] if each and not lines else [])]:
            board = self.drawing(maps, max(1, room - told - len(form.lines) - bool(form.left)), cut=True)
            if len(board) >= MAP:
                return board, form
        return lines or unseen, None

    def boards(self, question: Question) -> list[Panel] | None:
        """Of what a question needs, or else of the first panel: the boards with places that it asks for, and what looks otherwise than when
        it was last drawn."""
        if self.plain:
            return None
        first, others = needed(self.tables()[1], question.decision)
        panels = first or others[:1]
        stale = [panel.key for panel in panels if self.drawn.get(panel.key) != self.looks(panel)]
        aim(panels, self.table.game.model, question.targets)
        found: list[Panel] = [panel for panel in panels if panel.key in stale
                              or isinstance(panel, Chart) and any(spot.target or spot.aimed for spot in panel.spots)]
        return found or None

    def looks(self, panel: Panel) -> object:
        """What a panel holds, and for which screen it is drawn."""
        return self.voice.screen, panel.content if isinstance(panel, Chart) else plain_lines([panel], WIDEST)

    def fits(self, question: Question) -> Fits:
        """What a line that is being typed may become: options, and words."""
        words = words_of(self.teller.words)

        def fitting(typed: str) -> list[Fit]:
            part = typed[max(typed.rfind(","), typed.rfind(";")) + 1 :].lstrip()
            found = [Fit(len(part), choice.text, choice.shown.strip()) for choice in question.fitting(part)]
            if part == typed.lstrip():
                stroke, begun = "/" * part.startswith("/"), part.removeprefix("/").casefold()
                found += [Fit(len(part), stroke + words[name], stroke + words[name])
                          for name in ASIDES if part and words[name].startswith(begun)]
            return found
        return fitting

    @cached_property
    def carded(self) -> bool:
        """Whether anything in the game has a text of its own, as cards have; the same in each language."""
        return has_texts(self.teller)

    def bar(self) -> str:
        """The words that may be typed, in one line."""
        words = words_of(self.teller.words)
        shown = [name if name != "cards" or self.carded else "rules" for name in BAR]
        return (" · " if self.voice.utf else " | ").join(["?", *(words[name] for name in shown)])


def missing(panels: list[Panel], lines: list[str]) -> list[Panel]:
    """The panels with a title that is not in these lines."""
    return [panel for panel in panels if panel.title and not any(panel.title in line for line in lines)]
