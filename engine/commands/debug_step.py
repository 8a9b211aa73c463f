"""`ludoglot debug step GAME [FILE:SCENARIO]`: an interactive debugger for rules.

It steps through a game decision by decision and line by line, forwards and backwards."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...dsl.core.nodes import LocalVar
from ...dsl.core.walk import walk
from ...dsl.diagnostics.diagnostic import LENIENT_CUTOFF, DiagnosticList, did_you_mean
from ...dsl.diagnostics.safe_read import read_text
from ...dsl.game.adhoc_expressions import ExpressionCompiler
from ...dsl.types.types import MemberOf, Type
from ..cli.console import CommandError, LocalizedConsole, render_findings
from ..i18n.user_input import parse_int as typed_number
from ..narration.narrator import Narrator
from ..position.answer_index import WHOLE
from ..position.options import Option
from ..position.position import Game, GameEvent, Position, RuleError
from ..position.rule_trace import LineRecorder, TracedLine

if TYPE_CHECKING:
    from ...dsl.packs import PackBundle
    from ..library.loaded_game import LoadedGame
    from ..testing.scenario_runner import ScenarioRunner

PROMPT = "step> "
COMMANDS = ("option", "ask", "look", "decisions", "lines", "stops", "random", "end")
MAX_VALUE_CHARS = 100                             # longer values are cut
MAX_RANDOM_DECISIONS = 100_000                         # upper limit of one `*` command


@dataclass
class DebugMoment:
    """The position before a decision (or before the set-up), and the rule lines that ran from there to the next
    one.

    `events` has the sentence of each event on the way, or None. The first `shown` of them have been printed."""

    position: Position
    lines: list[TracedLine] = field(default_factory=list)
    events: list[str | None] = field(default_factory=list)
    shown: int = 0


class Debugger:
    """The debugger for one game.

    `at` is the index of the current moment; 0 is the one before the set-up. `line` is the index of the current
    rule line after that moment, or -1 at the decision itself."""

    def __init__(self, console: LocalizedConsole, game: Game, narrator: Narrator, first: Position, begin: Callable[[], Iterable[GameEvent]],
                 runner: ScenarioRunner | None = None) -> None:
        self.console, self.game, self.narrator = console, game, narrator
        self.runner = runner                                       # runs the scenario, with its scripted chance results
        self.moments = [DebugMoment(first.copy())]
        self.at, self.line = 0, -1
        played = runner.scenario.data.get("play") or [] if runner is not None else []
        self.chosen = [str(item).rpartition(":")[2].strip() for item in played if not isinstance(item, dict)]
        self.stops: set[tuple[str, int]] = set()
        self.questions = ExpressionCompiler(game.ruleset)
        self.random = random.Random(0)
        self.sources: dict[str, list[str]] = {}
        self.has_faulted = False                                   # whether a rule has failed
        self.run_rules(first, begin)

    # ------------------------------------------------------------ the prompt

    def run(self) -> int:
        """Reads and runs commands until the input ends; returns the exit code."""
        self.print_current()
        while True:
            try:
                typed = input(PROMPT).strip()
            except EOFError:
                break
            if typed in ("q", self.console.text("command.quit")):
                break
            if typed:
                self.run_command(typed)
        return 1 if self.has_faulted else 0

    def run_command(self, typed: str) -> None:
        """Runs one typed command; text that is not a command selects an option."""
        match typed:
            case "?":
                for name in COMMANDS:
                    self.console.print_message(f"step.help.{name}")
            case ">>":
                self.next_decision()
            case "<<":
                self.previous_decision() if self.at > 1 or self.line >= 0 else self.console.print_message("step.no_earlier")
            case ">":
                self.next_line()
            case "<":
                self.previous_line()
            case _ if typed[0] == "=":
                self.print_expression(typed[1:].strip().lstrip("="))
            case _ if typed[0] == "!":
                self.toggle_breakpoint(typed[1:].strip())
            case _ if typed[0] == "*":
                self.play_randomly(typed[1:].strip())
            case _ if typed[0] == ".":
                self.print_states(typed[1:].strip())
            case _:
                self.choose_option(typed)

    # ------------------------------------------------------------ current place

    @property
    def moment(self) -> DebugMoment:
        return self.moments[self.at]

    @property
    def position(self) -> Position:
        """The current position: at a decision, or as it was just before the current line ran."""
        if self.line < 0:
            return self.moment.position
        position = Position(self.game, self.moment.lines[self.line].s.copy())
        position.invalidate_memos()
        return position

    def print_current(self) -> None:
        """Prints the current decision or the current line."""
        if self.line >= 0:
            line = self.moment.lines[self.line]
            self.print_events(self.moment, line.event_count)
            self.console.print_line(f"{line.path}:{line.number}  {self.source_line(line.path, line.number)}")
            for name, found, raw in self.visible_locals(line):
                self.console.print_line(f"    {name} = {self.format_value(found, raw)}")
            return
        decision = self.moment.position.decision
        if decision is None:
            self.console.print_message("step.over")
            return
        who = self.game.spell(MemberOf("Player"), decision.seat)
        self.console.print_message("step.decision", number=self.at, key=decision.key, who=who)
        self.console.print_line(self.narrator.question_text(decision))
        for number, option in enumerate(decision.options, 1):
            self.console.print_line(f"{number:>4}  {option.spelling}  ({self.narrator.option_text(decision, option)})")

    def print_events(self, moment: DebugMoment, count: int | None = None) -> None:
        """Prints those of the first `count` events after a moment that have not been printed yet. None: all events."""
        end = len(moment.events) if count is None else count
        for said in moment.events[moment.shown : end]:
            if said:
                self.console.print_line(f"  {said}")
        moment.shown = max(moment.shown, end)

    def source_line(self, path: str, number: int) -> str:
        """Returns a line of the rules, stripped."""
        if path not in self.sources:
            files = self.game.module.files.shown
            place = next((Path(name) for name, shown in files.items() if shown == path), Path(path))
            try:
                self.sources[path] = read_text(place).split("\n")
            except (OSError, ValueError):
                self.sources[path] = []
        lines = self.sources[path]
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""

    def visible_locals(self, line: TracedLine) -> list[tuple[str, Type, Any]]:
        """Returns the named locals that earlier lines have bound, with type and raw value."""
        bound = self.binding_lines
        return [(local.name, local.type, raw) for local, raw in line.known
                if not local.name.startswith(".") and bound.get(local, 0) < line.number]

    @cached_property
    def binding_lines(self) -> dict[LocalVar, int]:
        """The line that binds each local. A parameter is bound before the first line."""
        found: dict[LocalVar, int] = {}
        for routine in self.game.ruleset.program.routines:
            found |= dict.fromkeys((*routine.params, *([routine.case] if routine.case is not None else [])), 0)
            for node in walk(routine):                             # parents before children: the binder comes first
                for part in fields(node):
                    value = getattr(node, part.name)
                    for one in value if isinstance(value, tuple) else (value,):
                        if isinstance(one, LocalVar):
                            found.setdefault(one, node.at.line)
        return found

    def format_value(self, found: Type, raw: Any) -> str:
        """Returns a value as text, shortened; `…` if it cannot be formatted."""
        try:
            said = self.game.spell(found, raw)
        except (TypeError, IndexError, ValueError, AttributeError):   # the local has no value yet
            said = "…"
        return said if len(said) <= MAX_VALUE_CHARS else said[:MAX_VALUE_CHARS] + "…"

    # ------------------------------------------------------------ navigation

    def previous_decision(self) -> None:
        """Goes from a line to its decision, or from a decision to the one before."""
        self.at, self.line = self.at - (self.line < 0), -1
        self.print_current()

    def next_decision(self) -> None:
        """Goes to the next decision: one already visited, or the one that the scenario leads to."""
        if self.at + 1 < len(self.moments):
            self.print_events(self.moment)
            self.at, self.line = self.at + 1, -1
            self.print_current()
            return
        decision = self.moment.position.decision
        if decision is None or not self.chosen:
            self.console.print_message("step.over" if decision is None else "step.no_later")
            return
        wanted = self.chosen[0]
        option = decision.find(wanted)
        if option is None and len(decision) == 1:                  # scenarios leave out forced decisions
            option = decision.options[0]
        elif option is not None:
            del self.chosen[0]
        if option is None:
            self.console.print_message("step.not_played", option=wanted)
            return
        self.play_option(option)

    def choose_option(self, typed: str) -> None:
        """Takes the option that was typed, by number or spelling."""
        decision = self.moment.position.decision
        number = typed_number(typed)
        found = decision.answers.look_up(typed if number is None else str(number), WHOLE).values if decision is not None else []
        if not found:
            self.console.print_message("step.unknown", typed=typed)
            return
        self.play_option(found[0])

    def play_option(self, option: Option, quietly: bool = False) -> bool:
        """Plays an option at the current decision and discards the later moments.

        Returns True if a breakpoint stopped it."""
        del self.moments[self.at + 1 :]
        self.moment.lines = []
        position = self.moment.position.copy()
        decision = position.decision
        assert decision is not None
        script = self.runner.script if self.runner is not None else None
        return self.run_rules(position, lambda: position.play(decision.seat, option, script), quietly)

    def run_rules(self, position: Position, work: Callable[[], Iterable[GameEvent]], quietly: bool = False) -> bool:
        """Runs rules with line recording, then goes to the next decision.

        Returns True if play stopped at a line, because of a breakpoint or a fault."""
        with_lines = LineRecorder(position)
        try:
            with with_lines:
                told = work()
        except RuleError as error:
            self.has_faulted = True
            self.moment.lines = with_lines.lines
            self.console.print_line(render_findings(self.console, [error.diagnostic]))
            self.line = len(with_lines.lines) - 1
            self.print_current()
            return True
        self.moment.lines = with_lines.lines
        self.moment.events, self.moment.shown = [self.narrator.event_text(one, next(iter(one.listeners or ()), None)) for one in told], 0
        self.moments.append(DebugMoment(position.copy()))
        stopped = next((n for n, line in enumerate(with_lines.lines) if (line.path, line.number) in self.stops), None)
        if stopped is not None:
            self.line = stopped
            line = with_lines.lines[stopped]
            self.console.print_message("step.stopped", place=f"{line.path}:{line.number}")
            self.print_current()
            return True
        self.print_events(self.moment)
        self.at, self.line = self.at + 1, -1
        if not quietly and len(self.moments) > 2:
            self.print_current()
        return False

    def play_randomly(self, typed: str) -> None:
        """Takes a number of decisions at random."""
        many = typed_number(typed)
        for _ in range(1 if many is None else min(many, MAX_RANDOM_DECISIONS)):
            decision = self.moment.position.decision
            if decision is None:
                break
            if self.play_option(self.random.choice(decision.options), quietly=True):
                return
        self.print_current()

    def next_line(self) -> None:
        if self.line + 1 < len(self.moment.lines):
            self.line += 1
            self.print_current()
        elif self.line >= 0 and self.at + 1 < len(self.moments):
            self.next_decision()
        else:
            self.console.print_message("step.no_line")

    def previous_line(self) -> None:
        if self.line > 0 or self.line == 0 and self.at > 0:
            self.line -= 1
            self.print_current()
        elif self.line < 0 and self.at > 0 and self.moments[self.at - 1].lines:
            self.at -= 1
            self.line = len(self.moment.lines) - 1
            self.print_current()
        else:
            self.console.print_message("step.no_line")

    # ------------------------------------------------------------ inspection

    def print_expression(self, text: str) -> None:
        """Prints the current value of an expression, or of a local at the current line."""
        if self.line >= 0:
            for name, found, raw in self.visible_locals(self.moment.lines[self.line]):
                if name == text:
                    self.console.print_line(self.format_value(found, raw))
                    return
        question, findings = self.questions.compile_text(text)
        if question is None:
            from ...dsl.diagnostics.render import message_text
            for one in findings.errors:
                self.console.print_line(message_text(one, self.console.words.diagnostic_text))
            return
        position = self.position
        try:
            value = question.value(position.s)
        except Exception as error:                                 # a fault in the rules: the expression has no value here
            fault = self.game.diagnose_fault(error, error.__traceback__, position.s)
            self.console.print_line(render_findings(self.console, [fault]))
            return
        self.console.print_line(self.format_value(question.type, value))

    def print_states(self, name: str) -> None:
        """Prints one state, or all state entries that differ from their initial values."""
        cells = self.game.cells
        if name and name not in cells:
            self.console.print_line(self.console.words.message("step.no_state", name=name, meant=did_you_mean(name, cells, LENIENT_CUTOFF)))
            return
        position = self.position
        for one in [name] if name else list(cells):
            cell = cells[one]
            usual = {tuple(index): raw for index, raw in cell.iter_values(self.game.module.initial)}
            for index, raw in cell.iter_values(position.s):
                if name or raw != usual.get(tuple(index)):
                    members = ", ".join(self.game.codecs.member_codec(enum.name).write(n) for enum, n in zip(cell.enums, index))
                    self.console.print_line(f"{one}{f'[{members}]' if members else ''} = {self.format_value(cell.state.type, raw)}")

    def toggle_breakpoint(self, typed: str) -> None:
        """Sets a breakpoint at a line of the rules, or removes it."""
        file, _, line = typed.rpartition(":")
        known = [shown for shown in sorted({path for path, _ in self.game.module.lines}) if file and f"/{shown}".endswith(f"/{file}")]
        number = typed_number(line)
        if number is None or not known or (known[0], number) not in self.game.module.lines:
            self.console.print_message("step.no_line_there", place=typed)
            return
        at = known[0], number
        self.stops ^= {at}
        self.console.print_message("step.break_set" if at in self.stops else "step.break_gone", place=f"{known[0]}:{number}")


def run_debugger(console: LocalizedConsole, loaded: LoadedGame, place: str | None, seed: int, packs: list[Path | PackBundle]) -> int:
    """Starts the debugger with a new game or with one of its scenarios; returns the exit code."""
    game = loaded.game
    words = loaded.localizer(console.lang)
    if place is None:
        position = game.new_position(seed)
        return Debugger(console, game, Narrator(game, words), position, position.run_to_decision).run()
    from ..cli.loading import print_findings
    from ..testing.scenario_rulesets import ScenarioRulesets
    from ..testing.scenario_runner import ScenarioRunner
    from .test import failure_lines
    scenario = find_scenario(loaded, place)
    found, findings = ScenarioRulesets(loaded.found, packs).get_game(scenario)
    if found is None:
        print_findings(console, findings.in_source_order())
        return 1
    trial, runner = ScenarioRunner(scenario, found), ScenarioRunner(scenario, found)
    begun = trial.run_guarded(trial.set_up)
    if not begun.has_passed:
        for line in failure_lines(console, begun):
            console.print_line(line)
        return 1

    def run_set_up() -> Iterable[GameEvent]:
        runner.set_up()
        return ()
    return Debugger(console, found, Narrator(found, words), runner.position, run_set_up, runner).run()


def is_path_of_file(path: str, file: str) -> bool:
    """Whether `file` means this path: by its full path, or by its name with or without suffix."""
    found = Path(path)
    return file in (path, found.name, found.stem) or found.resolve() == Path(file).resolve()


def find_scenario(loaded: LoadedGame, place: str) -> Any:
    """Returns the scenario that `FILE:NAME` means, of the game or of its packs.

    The file is given by name or path, the scenario by a part of its name or by a clause. Raises CommandError."""
    from ..testing.scenario import list_scenario_files, read_pack_scenarios, read_scenarios
    file, _, name = place.partition(":")
    if re.fullmatch(r"[A-Za-z]", file) and name[:1] in "\\/":      # a Windows drive letter
        drive, (file, _, name) = file, name.partition(":")
        file = f"{drive}:{file}"
    files = [path for path in list_scenario_files(loaded.found) if file in (path.stem, path.name)] or [Path(file)]
    of_packs = [
        scenario for scenario in read_pack_scenarios(loaded.game.ruleset.source.overlay) if is_path_of_file(scenario.document.path, file)
    ]
    for scenario in of_packs or read_scenarios(files[0], DiagnosticList()):
        if scenario.matches(name):
            return scenario
    raise CommandError("step.no_scenario", file=file, name=name)
