"""A game in lines: what happened, the question, its options; an answer or one of a few words. See `help` at the prompt."""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path

import click

from ..options import Decision, Option
from ..position import RuleError
from ..table import CannotUndo, Step, Table
from ..telling import Teller
from ..words.languages import LANGUAGES, known_language
from .loading import Loaded, show_fault
from .voice import Voice

COMMANDS = ("help", "board", "cards", "log", "undo", "save", "lang", "quit")
LOG = 20                             # lines that `log` shows
SOON = 22                            # a table of so few lines is shown unasked
SCREEN = 80
ROOM = 6                             # lines of a terminal left to the question


def folded(text: str) -> str:
    """A text as typed answers are compared: no capitals, no accents, single spaces."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return " ".join(bare.split())


class Session:
    """People at one screen, each in their own language."""

    def __init__(self, voice: Voice, table: Table, loaded: Loaded, max_rounds: int | None, plain: bool = False) -> None:
        self.plain = plain or not voice.terminal
        self.voice, self.table, self.loaded, self.max_rounds = voice, table, loaded, max_rounds
        self.tellers: dict[str, Teller] = {}
        self.seat = -1                                             # who sits before the screen
        self.told = 0                                              # steps already told
        self.private = any(isinstance(cell.state.seen, int) for cell in table.game.cells.values())

    @property
    def lang(self) -> str:
        return (self.table.setup.langs[self.seat] if self.seat >= 0 else "") or self.voice.lang

    @property
    def teller(self) -> Teller:
        lang = self.lang
        if lang not in self.tellers:
            self.tellers[lang] = Teller(self.table.game, self.loaded.words(lang), self.table.setup.names)
        return self.tellers[lang]

    def say(self, key: str, /, **args: object) -> None:
        self.voice.out(self.teller.words.text(key, **args))        # type: ignore[arg-type]

    # ------------------------------------------------------------ the course of the game

    def run(self) -> int:
        """Play until the game is over or somebody leaves; returns the exit code."""
        for said in map(self.teller.told, self.table.opening):
            if said:
                self.voice.out(said)
        while True:
            for _ in self.table.settle(self.max_rounds):
                pass
            if self.table.stopped(self.max_rounds):
                break
            decision = self.table.position.decision
            assert decision is not None
            self.turn_to(decision.seat)
            if not self.ask(decision):
                return 0
        self.catch_up()
        self.end()
        return 0

    def turn_to(self, seat: int) -> None:
        """Let somebody come before the screen, and tell them what happened."""
        changed = seat != self.seat and self.seat >= 0
        self.seat = seat
        if changed and self.private and len(self.table.humans) > 1 and sys.stdin.isatty():
            self.say("play.pass", who=self.teller.who(seat))
            self.line()
            click.clear()
        self.catch_up()
        decision = self.table.position.decision
        own = [step.seat for step in self.table.steps if not step.auto][-1:] == [seat]
        if decision is not None and not own:
            self.show(self.drawing(unasked=True))

    def catch_up(self) -> None:
        """Tell the steps that nobody has been told yet."""
        viewer = self.seat if self.seat >= 0 else None
        for step in self.table.steps[self.told:]:
            for said in self.news(step, viewer):
                self.voice.out(said)
        self.told = len(self.table.steps)

    def news(self, step: Step, viewer: int | None) -> list[str]:
        """A step for the one before the screen: of their own choice only what came of it."""
        lines = self.teller.story(step, viewer)
        own = step.seat == viewer and not step.auto
        return [line for line in lines if line.startswith(" ")] if own and len(self.table.humans) == 1 else lines

    def end(self) -> None:
        from .standing import breakdown_lines, standing_lines
        self.show(self.drawing(unasked=True))
        for said in [*standing_lines(self.table, self.loaded, self.lang, self.max_rounds),
                     *breakdown_lines(self.table, self.loaded, self.teller, self.voice.width)]:
            self.voice.out(said)

    # ------------------------------------------------------------ one decision

    def ask(self, decision: Decision) -> bool:
        """Put the question until it is answered or the position has changed; False when the person leaves."""
        options = [(token, option, self.teller.option(decision, option)) for token, option in tokens(decision)]
        self.question(decision, options)
        while True:
            typed = self.line(self.teller.words.text("ask.prompt") + "> ")
            if typed is None:
                return self.leave()
            word, _, rest = typed.strip().partition(" ")
            found = self.command(word) if word else "again"
            if found is None:
                option = self.pick(typed, options)
                if option is None:
                    continue
                return self.take(option)
            if found == "quit":
                return self.leave()
            if found == "why":
                self.why(decision)
            elif found == "again":
                self.question(decision, options)
            elif getattr(self, f"do_{found}")(rest.strip()):
                return True

    def question(self, decision: Decision, options: list[tuple[str, Option, str]]) -> None:
        self.voice.out()
        self.voice.out(self.teller.ask(decision))
        for line in in_columns([f"{token:>3}  {text}" for token, _, text in options], self.voice.width):
            self.voice.out(line)

    def take(self, option: Option) -> bool:
        try:
            self.table.play(option)
        except RuleError as error:
            show_fault(self.voice, error.diagnostic)
        return True

    def pick(self, typed: str, options: list[tuple[str, Option, str]]) -> Option | None:
        """The option that was meant: by its number, its text or spelling, or the beginning of one of them."""
        wanted = folded(typed)
        for token, option, _ in options:
            if wanted == token:
                return option
        whole = [option for _, option, text in options if wanted in forms(option, text)]
        if whole and len({text for _, option, text in options if option in whole}) == 1:
            return whole[0]
        if wanted.isdigit() and not any(folded(text).startswith(wanted) for _, _, text in options):
            self.say("prompt.number", number=int(wanted), last=len(options))
            return None
        near = [(option, text) for _, option, text in options if any(form.startswith(wanted) for form in forms(option, text))]
        if near and len({text for _, text in near}) == 1:          # several things of one kind: any of them is meant
            return near[0][0]
        if near:
            self.say("prompt.ambiguous", typed=typed.strip(), options=[text for _, text in near[:6]])
        else:
            self.say("prompt.unknown", typed=typed.strip(), help=self.teller.words.text("command.help"))
        return None

    def command(self, word: str) -> str | None:
        """The command that a word stands for, in the language of the moment or in English."""
        if word == "?":
            return "why"
        for name in COMMANDS:
            if folded(word) in (name, folded(self.teller.words.text(f"command.{name}"))):
                return name
        return None

    def line(self, prompt: str = "") -> str | None:
        """What is typed, None at the end of input."""
        try:
            return input(prompt)
        except (EOFError, KeyboardInterrupt):
            self.voice.out()
            return None

    def leave(self) -> bool:
        """The person goes; everything is on the disk already."""
        if self.table.save is not None:
            from ..saves import last_save
            last = last_save()
            here = last is not None and last.resolve() == self.table.save.path.resolve()
            self.say("quit.saved", command="ludoglot play --resume" + ("" if here else f" {self.table.save.path}"))
        else:
            self.say("quit.unsaved")
        return False

    # ------------------------------------------------------------ words at the prompt: True when the question must be put anew

    def why(self, decision: Decision) -> None:
        """What is asked, and by which clauses of the rulebook."""
        self.voice.out(self.teller.ask(decision))
        for clause in decision.kind.cites:
            sentence = self.teller.clause(clause)
            self.voice.out(f"  [{clause}] {sentence}" if sentence else f"  [{clause}]")
        self.say("why.rule", place=f"{decision.kind.path}:{decision.kind.line}")

    def do_help(self, rest: str) -> bool:
        words = self.teller.words
        rows = [("1, 2, ...", words.text("help.pick")), ("?", words.text("help.why"))]
        rows += [(words.text(f"command.{name}"), words.text(f"help.{name}")) for name in COMMANDS]
        wide = max(len(row[0]) for row in rows)
        self.say("help.title")
        for word, meaning in rows:
            self.voice.out(f"  {word.ljust(wide)}  {meaning}")
        return False

    def do_board(self, rest: str) -> bool:
        self.show(self.drawing(rest))
        return False

    def do_cards(self, rest: str) -> bool:
        """The texts of what lies open on the table or in the person's hand."""
        from .describe import texts_in_sight
        found = texts_in_sight(self.table.position, self.teller, self.seat)
        for line in found:
            self.voice.out(line)
        if not found:
            self.say("cards.none")
        return False

    def do_log(self, rest: str) -> bool:
        lines = [said for step in self.table.steps for said in self.teller.story(step, self.seat)]
        for said in lines[-LOG:] or [self.teller.words.text("log.empty")]:
            self.voice.out(said)
        return False

    def do_undo(self, rest: str) -> bool:
        words = self.teller.words
        try:
            step = self.table.undo(self.seat)
        except CannotUndo as error:
            nothing = error.key == "undo.nothing"
            self.voice.out(words.text(error.key) if nothing else words.text("undo.revealed", reason=words.text(error.key)))
            return False
        self.told = min(self.told, len(self.table.steps))
        self.say("undo.done", option=self.teller.choice(step.key, step.seat, step.option, step.context))
        return True

    def do_save(self, rest: str) -> bool:
        save = self.table.save
        if save is None:
            self.say("quit.unsaved")
            return False
        if rest:
            try:
                save.copy_to(Path(rest).expanduser())
            except OSError as error:
                self.say("file.unwritable", file=rest, reason=error.strerror or "")
                return False
        self.say("save.done", file=rest or str(save.path))
        return False

    def do_lang(self, rest: str) -> bool:
        lang = known_language(rest) if rest else None
        if lang not in LANGUAGES:
            self.say("usage.language", name=rest, languages=", ".join(LANGUAGES))
            return False
        self.table.setup.langs[self.seat] = lang
        return True

    # ------------------------------------------------------------ the table

    def drawing(self, only: str = "", unasked: bool = False) -> list[str]:
        """The table for the one before the screen: the panels whose title begins with `only`; unasked, what fits on the screen."""
        from ..drawing.build import build
        from ..drawing.look import look_of
        from ..drawing.plain import plain_lines
        panels = build(self.table.position, self.teller, self.seat if self.seat >= 0 else None)
        panels = [panel for panel in panels if folded(panel.title).startswith(folded(only))] or panels
        if self.plain:
            lines = plain_lines(panels, min(SCREEN, self.voice.width))
            return [] if unasked and len(lines) > SOON else lines
        from ..drawing.screen import screen_lines
        columns, high = self.voice.screen
        most = max(SOON, high - ROOM) if unasked else 0
        return screen_lines(panels, look_of(self.table.game), columns, self.voice.colours, self.voice.utf, most)

    def show(self, lines: list[str]) -> None:
        if lines:
            self.voice.out()
        for line in lines:
            self.voice.out(line)


def forms(option: Option, text: str) -> tuple[str, ...]:
    """What may be typed for an option, from its beginning on: its text, its spelling, its values."""
    values = " ".join(part.partition("=")[2] for part in option.spelling.split() if "=" in part)
    return tuple(folded(form) for form in (text, option.spelling, values) if form)


def tokens(decision: Decision) -> list[tuple[str, Option]]:
    """What to type for each option: its number from 1, or, where only a quantity is asked, the quantity itself."""
    from ...dsl.types import Int
    options = decision.options
    amounts = [option.values[0][2] for option in options if len(option.values) == 1 and isinstance(option.values[0][1], Int)]
    if amounts and len(amounts) == len([option for option in options if not option.declines]):
        free = 0 if 0 not in amounts else max(amounts) + 1
        return [(str(free if option.declines else option.values[0][2]), option) for option in options]
    return [(str(n), option) for n, option in enumerate(options, start=1)]


def in_columns(texts: list[str], width: int) -> list[str]:
    """Short texts side by side, down and then across; long ones one to a line."""
    wide = max(map(len, texts), default=0) + 2
    across = max(1, min(width // wide, 6)) if len(texts) > 6 else 1
    rows = -(-len(texts) // across)
    return ["".join(text.ljust(wide) for text in texts[n::rows]).rstrip() for n in range(rows)]
