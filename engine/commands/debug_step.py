"""`ludoglot debug step GAME [FILE:SCENARIO]`: a game at a prompt, decision by decision and line by line, forwards and backwards."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...dsl.diagnostics.diagnostic import Findings
from ...dsl.diagnostics.safe_read import read_text
from ...dsl.game.adhoc_expressions import Questions
from ...dsl.types.types import Of, Type
from ..cli.console import Refusal, Voice
from ..i18n.user_input import near
from ..i18n.user_input import number as typed_number
from ..narration.narrator import Teller
from ..position.line_recorder import Line, Recording
from ..position.options import Option
from ..position.position import Game, Position, RuleError, Told

if TYPE_CHECKING:
    from ...dsl.packs import Bundle
    from ..library.loaded_game import Loaded
    from ..testing.scenario_runner import Runner

PROMPT = "step> "
COMMANDS = ("option", "ask", "look", "decisions", "lines", "stops", "random", "end")
WIDE = 100                             # characters of a value
MANY = 100_000                         # decisions that may be taken at random in one go


@dataclass
class Moment:
    """The position before a decision (or before anything has happened), and the lines that ran from there to the next."""

    position: Position
    lines: list[Line] = field(default_factory=list)


class Stepper:
    """One game being looked at. `at`: which decision, from 0 (nothing has happened yet); `line`: which of the lines behind it."""

    def __init__(self, voice: Voice, game: Game, teller: Teller, first: Position, begin: Callable[[], Iterable[Told]],
                 runner: Runner | None = None) -> None:
        self.voice, self.game, self.teller = voice, game, teller
        self.runner = runner                                       # of a scenario, with what chance gives in it
        self.moments = [Moment(first.copy())]
        self.at, self.line = 0, -1
        played = runner.scenario.data.get("play") or [] if runner is not None else []
        self.chosen = [str(item).rpartition(":")[2].strip() for item in played if not isinstance(item, dict)]
        self.stops: set[tuple[str, int]] = set()
        self.questions = Questions(game.ruleset)
        self.random = random.Random(0)
        self.sources: dict[str, list[str]] = {}
        self.has_faulted = False                                   # a rule failed on the way
        self.move(first, begin)

    # ------------------------------------------------------------ the prompt

    def run(self) -> int:
        """Read and answer until there is no more; the exit code of the command."""
        self.show()
        while True:
            try:
                typed = input(PROMPT).strip()
            except EOFError:
                break
            if typed in ("q", self.voice.text("command.quit")):
                break
            if typed:
                self.answer(typed)
        return 1 if self.has_faulted else 0

    def answer(self, typed: str) -> None:
        """One line that was typed."""
        match typed:
            case "?":
                for name in COMMANDS:
                    self.voice.say(f"step.help.{name}")
            case ">>":
                self.onward()
            case "<<":
                self.back() if self.at > 1 or self.line >= 0 else self.voice.say("step.no_earlier")
            case ">":
                self.next_line()
            case "<":
                self.line_before()
            case _ if typed[0] == "=":
                self.work_out(typed[1:].strip().lstrip("="))
            case _ if typed[0] == "!":
                self.stop_at(typed[1:].strip())
            case _ if typed[0] == "*":
                self.at_random(typed[1:].strip())
            case _ if typed[0] == ".":
                self.look(typed[1:].strip())
            case _:
                self.choose(typed)

    # ------------------------------------------------------------ where we are

    @property
    def moment(self) -> Moment:
        return self.moments[self.at]

    @property
    def position(self) -> Position:
        """The position that is looked at: at a decision, or when a line was about to run."""
        if self.line < 0:
            return self.moment.position
        position = Position(self.game, self.moment.lines[self.line].s.copy())
        position.forget()
        return position

    def show(self) -> None:
        """The decision, or the line."""
        if self.line >= 0:
            line = self.moment.lines[self.line]
            self.voice.out(f"{line.path}:{line.number}  {self.source(line.path, line.number)}")
            for name, found, raw in self.known(line):
                self.voice.out(f"    {name} = {self.spelt(found, raw)}")
            return
        decision = self.moment.position.decision
        if decision is None:
            self.voice.say("step.over")
            return
        who = self.game.spell(Of("Player"), decision.seat)
        self.voice.say("step.decision", number=self.at, key=decision.key, who=who)
        self.voice.out(self.teller.ask(decision))
        for number, option in enumerate(decision.options, 1):
            self.voice.out(f"{number:>4}  {option.spelling}  ({self.teller.option(decision, option)})")

    def source(self, path: str, number: int) -> str:
        """A line of the rules."""
        if path not in self.sources:
            files = self.game.module.files.shown
            place = next((Path(name) for name, shown in files.items() if shown == path), Path(path))
            try:
                self.sources[path] = read_text(place).split("\n")
            except (OSError, ValueError):
                self.sources[path] = []
        lines = self.sources[path]
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""

    def known(self, line: Line) -> list[tuple[str, Type, Any]]:
        """The names in sight at a line."""
        return [(local.name, local.type, raw) for local, raw in line.known if not local.name.startswith(".")]

    def spelt(self, found: Type, raw: Any) -> str:
        try:
            said = self.game.spell(found, raw)
        except (TypeError, IndexError, ValueError, AttributeError):   # a name that has no value of its own yet
            said = "…"
        return said if len(said) <= WIDE else said[:WIDE] + "…"

    # ------------------------------------------------------------ going

    def back(self) -> None:
        """From a line to its decision, from a decision to the one before."""
        self.at, self.line = self.at - (self.line < 0), -1
        self.show()

    def onward(self) -> None:
        """To the next decision: one that has been seen, or the one that the scenario leads to."""
        if self.at + 1 < len(self.moments):
            self.at, self.line = self.at + 1, -1
            self.show()
            return
        decision = self.moment.position.decision
        if decision is None or not self.chosen:
            self.voice.say("step.no_later")
            return
        wanted = self.chosen[0]
        option = decision.find(wanted)
        if option is None and len(decision) == 1:                  # what can only go one way is not written in scenarios
            option = decision.options[0]
        elif option is not None:
            del self.chosen[0]
        if option is None:
            self.voice.say("step.not_played", option=wanted)
            return
        self.take(option)

    def choose(self, typed: str) -> None:
        """Take the option that was typed."""
        decision = self.moment.position.decision
        option = None
        if decision is not None:
            number = typed_number(typed)
            if number is not None and 0 < number <= len(decision):
                option = decision.options[number - 1]
            option = option or decision.find(typed)
        if option is None:
            self.voice.say("step.unknown", typed=typed)
            return
        self.take(option)

    def take(self, option: Option, quietly: bool = False) -> bool:
        """Play on from the decision that is looked at; what came after it before is forgotten. True where play stops at a line."""
        del self.moments[self.at + 1 :]
        self.moment.lines = []
        position = self.moment.position.copy()
        decision = position.decision
        assert decision is not None
        script = self.runner.script if self.runner is not None else None
        return self.move(position, lambda: position.play(decision.seat, option, script), quietly)

    def move(self, position: Position, work: Callable[[], Iterable[Told]], quietly: bool = False) -> bool:
        """Let rules run, and go to where they wait next."""
        with_lines = Recording(position)
        try:
            with with_lines:
                told = work()
        except RuleError as error:
            from ..cli.rendering import rendered
            self.has_faulted = True
            self.moment.lines = with_lines.lines
            self.voice.out(rendered(self.voice, [error.diagnostic]))
            self.line = len(with_lines.lines) - 1
            self.show()
            return True
        self.moment.lines = with_lines.lines
        for one in told:
            said = self.teller.told(one)
            if said:
                self.voice.out(f"  {said}")
        self.moments.append(Moment(position.copy()))
        stopped = next((n for n, line in enumerate(with_lines.lines) if (line.path, line.number) in self.stops), None)
        if stopped is not None:
            self.line = stopped
            line = with_lines.lines[stopped]
            self.voice.say("step.stopped", place=f"{line.path}:{line.number}")
            self.show()
            return True
        self.at, self.line = self.at + 1, -1
        if not quietly and len(self.moments) > 2:
            self.show()
        return False

    def at_random(self, typed: str) -> None:
        """Some decisions by chance."""
        many = typed_number(typed)
        for _ in range(1 if many is None else min(many, MANY)):
            decision = self.moment.position.decision
            if decision is None:
                break
            if self.take(self.random.choice(decision.options), quietly=True):
                return
        self.show()

    def next_line(self) -> None:
        if self.line + 1 < len(self.moment.lines):
            self.line += 1
            self.show()
        elif self.line >= 0 and self.at + 1 < len(self.moments):
            self.onward()
        else:
            self.voice.say("step.no_line")

    def line_before(self) -> None:
        if self.line > 0 or self.line == 0 and self.at > 0:
            self.line -= 1
            self.show()
        elif self.line < 0 and self.at > 0 and self.moments[self.at - 1].lines:
            self.at -= 1
            self.line = len(self.moment.lines) - 1
            self.show()
        else:
            self.voice.say("step.no_line")

    # ------------------------------------------------------------ asking

    def work_out(self, text: str) -> None:
        """The value of an expression, now; a name of the line that is looked at by itself too."""
        if self.line >= 0:
            for name, found, raw in self.known(self.moment.lines[self.line]):
                if name == text:
                    self.voice.out(self.spelt(found, raw))
                    return
        question, findings = self.questions.ask(text)
        if question is None:
            from ...dsl.diagnostics.render import message
            from ..cli.rendering import words_for
            for one in findings.errors:
                self.voice.out(message(one, lambda key, /, **args: words_for(self.voice, key, args)))
            return
        position = self.position
        try:
            value = question.value(position.s)
        except Exception as error:                                 # a fault of the rules: there is no value now
            fault = self.game.fault(error, error.__traceback__, position.s)
            from ..cli.rendering import rendered
            self.voice.out(rendered(self.voice, [fault]))
            return
        self.voice.out(self.spelt(question.type, value))

    def look(self, name: str) -> None:
        """The position, or one state of it: what is not as it was before anything happened."""
        cells = self.game.cells
        if name and name not in cells:
            self.voice.out(self.voice.message("step.no_state", name=name, meant=near(name, cells)))
            return
        position = self.position
        for one in [name] if name else list(cells):
            cell = cells[one]
            usual = {tuple(index): raw for index, raw in cell.spots(self.game.module.initial)}
            for index, raw in cell.spots(position.s):
                if name or raw != usual.get(tuple(index)):
                    members = ", ".join(self.game.codecs.member(enum.name).write(n) for enum, n in zip(cell.enums, index))
                    self.voice.out(f"{one}{f'[{members}]' if members else ''} = {self.spelt(cell.state.type, raw)}")

    def stop_at(self, typed: str) -> None:
        """Set a stop at a line of the rules, or take it away."""
        file, _, line = typed.rpartition(":")
        known = [shown for shown in sorted({path for path, _ in self.game.module.lines}) if file and f"/{shown}".endswith(f"/{file}")]
        number = typed_number(line)
        if number is None or not known or (known[0], number) not in self.game.module.lines:
            self.voice.say("step.no_line_there", place=typed)
            return
        at = known[0], number
        self.stops ^= {at}
        self.voice.say("step.break_set" if at in self.stops else "step.break_gone", place=f"{known[0]}:{number}")


def step(voice: Voice, loaded: Loaded, place: str | None, seed: int, packs: list[Path | Bundle]) -> int:
    """Begin a game, or a scenario of it, and look at it."""
    game = loaded.game
    words = loaded.words(voice.lang)
    if place is None:
        position = game.new(seed)
        return Stepper(voice, game, Teller(game, words), position, position.go).run()
    from ..cli.loading import show_findings
    from ..testing.scenario import Rules
    from ..testing.scenario_runner import Runner
    from .test import report
    scenario = scenario_at(loaded, place)
    found, findings = Rules(loaded.found, packs).of(scenario)
    if found is None:
        show_findings(voice, findings.sorted())
        return 1
    trial, runner = Runner(scenario, found), Runner(scenario, found)
    begun = trial.as_far_as_it_goes(trial.set_up)
    if not begun.passed:
        for line in report(voice, begun):
            voice.out(line)
        return 1

    def begin() -> Iterable[Told]:
        runner.set_up()
        return ()
    return Stepper(voice, found, Teller(found, words), runner.position, begin, runner).run()


def lies_in(path: str, file: str) -> bool:
    """Whether a path is that of a file, which may be called by its name alone, with or without its ending."""
    found = Path(path)
    return file in (path, found.name, found.stem) or found.resolve() == Path(file).resolve()


def scenario_at(loaded: Loaded, place: str) -> Any:
    """The scenario that FILE:NAME means, of the game or of its packs: the file by its name or its path, the scenario by a part of its name
    or by a clause. Raises Refusal."""
    from ..testing.scenario import read_scenarios, scenarios_of_packs, test_files
    file, _, name = place.partition(":")
    if re.fullmatch(r"[A-Za-z]", file) and name[:1] in "\\/":      # a drive
        drive, (file, _, name) = file, name.partition(":")
        file = f"{drive}:{file}"
    files = [path for path in test_files(loaded.found) if file in (path.stem, path.name)] or [Path(file)]
    of_packs = [scenario for scenario in scenarios_of_packs(loaded.game.ruleset.source.laid) if lies_in(scenario.document.path, file)]
    for scenario in of_packs or read_scenarios(files[0], Findings()):
        if scenario.matches(name):
            return scenario
    raise Refusal("step.no_scenario", file=file, name=name)
