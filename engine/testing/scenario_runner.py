"""Plays scenarios: sets up what is given, runs procedures, plays the answers, and checks what must hold."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from ...dsl.backend_python.runtime import RuleFault
from ...dsl.diagnostics.diagnostic import TYPO_CUTOFF, DiagnosticList, did_you_mean
from ...dsl.model.codec import DataPath
from ...dsl.storage.control_slots import PC
from ...dsl.storage.state_literals import StateLiteral, StateLiteralError
from ...dsl.types.types import MemberOf, Type
from ..position.observation import visible_names
from ..position.options import Option
from ..position.position import Decision, Game, GameEvent, Position, RuleError
from .answer_patterns import AnswerPatternError, parse_answer
from .coverage import RuleCoverage
from .scenario import FILE_ROOT, LOOK_KEYS, Scenario, ScenarioFailure, ScenarioResult, parse_argument, procedure_calls
from .scenario_checks import PROBLEM_KEYS, ScenarioChecks, ScenarioStopError, join_some
from .scenario_rulesets import ScenarioRulesets

_CALL_PATTERN = re.compile(r"\s*(?P<name>[a-z_][a-z0-9_]*)(?:\[(?P<case>[a-z_][a-z0-9_]*)\])?\s*\((?P<args>[^()]*)\)\s*")


def parse_call(text: str) -> tuple[str, str, list[str]] | None:
    """Parses `build[tower](anna, e4)` into name, case ("" for none) and arguments. None if the form is wrong."""
    found = _CALL_PATTERN.fullmatch(text)
    if found is None:
        return None
    return found["name"], found["case"] or "", [word.strip() for word in found["args"].split(",") if word.strip()]


class ScenarioRunner(ScenarioChecks):
    """Plays one scenario."""

    def play(self) -> ScenarioResult:
        """Plays the scenario and checks its expectations."""
        return self.run_guarded(self.play_and_check)

    def play_without_final_check(self) -> ScenarioResult:
        """Plays the scenario without the final `expect`, for callers that continue from there with the rest of `script`."""
        return self.run_guarded(self.play_items)

    def run_guarded(self, work: Callable[[], object]) -> ScenarioResult:
        """Runs `work`. If it cannot continue, the failures of the result have the reason."""
        try:
            work()
        except StateLiteralError as error:
            problem = error.problem
            place = self.scenario.key_place if problem.of_key else self.scenario.place
            self.result.failures.append(ScenarioFailure(place(*problem.path), PROBLEM_KEYS[problem.kind], problem.args))
        except (RuleFault, RuleError) as error:                    # in computed values such as options or the standing
            self.result.failures.append(make_fault_failure(self.scenario, self.at, self.game, self.position, error))
        except ScenarioStopError:
            pass
        return self.result

    def play_and_check(self) -> None:
        """Plays all steps, and checks the final `expect` and that all random values were used."""
        data = self.scenario.data
        self.play_items()
        self.at = ("play",)
        self.take_forced_options(self.at)
        if self.script:
            left = ", ".join(str(thing) for thing in data["chance"][-len(self.script):])
            self.add_failure("test.chance_left", ("chance",), left=left)
        self.check_expect(data.get("expect") or {}, ("expect",))
        self.result.broken = tuple(sorted(self.broken))

    def play_items(self) -> None:
        for item, path in self.set_up():
            self.play_item(item, path)

    def set_up(self) -> list[tuple[Any, DataPath]]:
        """Prepares the random values, the given states and the first procedure.

        Returns the `play` items with their paths."""
        data = self.scenario.data
        self.script = [self.chance_number(thing, n) for n, thing in enumerate(data.get("chance") or [])]
        items: list[tuple[Any, DataPath]] = [(item, ("play", n)) for n, item in enumerate(data.get("play") or [])]
        self.begin(data, items)
        return items

    # ------------------------------------------------------------ set-up

    def begin(self, data: dict[str, Any], items: list[tuple[Any, DataPath]]) -> None:
        """Sets the given states, and runs the first procedure, or the game up to its first decision."""
        self.waiting = [*procedure_calls(data)]
        if not self.waiting and items and isinstance(items[0][0], dict) and list(items[0][0]) == ["run"]:
            self.waiting = [(str(items[0][0]["run"]), (*items[0][1], "run"))]
            del items[0]
        if self.waiting:
            self.run_rules(self.waiting[0][1], self.position.run_to_decision)
        placed: dict[Any, StateLiteral] = {}
        for where, given in self.scenario.layers:
            for n, name in enumerate(given.get("clear") or []):
                if (cell := self.reader.find_storage(name, (FILE_ROOT, *where, "clear", n))) is not None:
                    cell.clear(self.position.s)
            for entry in self.read_entries((FILE_ROOT, *where), {key: value for key, value in given.items() if key != "clear"}):
                entry.write_to(self.position.s)
                placed[entry.cell, entry.index, entry.kind] = entry
        self.position.invalidate_memos()
        if self.waiting:
            self.broken = frozenset(self.position.broken_invariants())
            self.check_named_invariants(self.waiting[0][1])
            self.run_next()
            return
        self.run_rules(("play",), lambda: self.position.run_to_decision(self.script))
        for entry in placed.values():
            if entry.read_from(self.position.s) != entry.raw and not self.is_superseded(entry, placed):
                raise self.stop_error("test.set_up_over_it", entry.path, name=self.entry_name(entry))
        self.broken = frozenset(self.position.broken_invariants())
        self.check_named_invariants(("play",))

    def is_superseded(self, entry: StateLiteral, placed: dict[Any, StateLiteral]) -> bool:
        """Whether a later entry overrides this one: a whole bag and the count of one kind in it were both given."""
        same = [other for other in placed.values() if (other.cell, other.index) == (entry.cell, entry.index)]
        return any((other.kind is None) != (entry.kind is None) for other in same)

    def run_next(self) -> None:
        """Runs the next procedure in the queue."""
        text, path = self.waiting.pop(0)
        key, values = self.parse_routine(text, path)
        self.events += self.run_rules(path, lambda: self.game.run_procedure(self.position, key, values, self.script))

    def parse_routine(self, text: str, path: DataPath) -> tuple[str, list[int]]:
        """Parses `build[tower](anna, e4)` into a procedure key and raw arguments."""
        found = parse_call(text)
        if found is None:
            raise self.stop_error("test.run_form", path, found=text)
        name, case, words = found
        key = name + (f"[{case}]" if case else "")
        family = self.game.ruleset.program.families.get(name)
        if family is None or not self.game.has_procedure(key):
            known = [*self.game.module.entries, *self.game.module.plain]
            raise self.stop_error("test.unknown_procedure", path, name=key, meant=did_you_mean(key, known))
        if len(words) != len(family.params):
            wanted = ", ".join(param.name for param in family.params)
            raise self.stop_error("test.wrong_arguments", path, name=key, wanted=wanted)
        return key, [self.read_argument(word, param.type, path) for word, param in zip(words, family.params)]

    def read_argument(self, word: str, wanted: Type, path: DataPath) -> Any:
        return self.reader.read_value(parse_argument(word), wanted, path)

    def chance_number(self, thing: Any, n: int) -> int:
        """Returns a random value as a number: a rolled number, or a member of an enum that the game draws from."""
        if isinstance(thing, int):
            return thing
        word, _, rest = str(thing).rpartition(".")
        drawn = [name for name, _ in self.game.module.chances if name and word in ("", name)]
        for name in drawn:
            try:
                return self.reader.read_member(rest, name, ("chance", n))
            except StateLiteralError:
                continue
        known = [member for name in drawn for member in self.game.model.enums[name].members]
        raise self.stop_error("test.unknown_chance", ("chance", n), name=str(thing), meant=did_you_mean(rest, known))

    # ------------------------------------------------------------ invariants

    def check_named_invariants(self, path: DataPath) -> None:
        """Checks that each invariant named by the scenario exists and holds at the start."""
        known = [name for name, _, _ in self.game.module.always]
        ends = [("expect",)] if "expect" in self.scenario.data else []
        items = enumerate(self.scenario.data.get("play") or [])
        steps = [("play", n, "expect") for n, item in items if isinstance(item, dict) and "expect" in item]
        for end in [*ends, *steps]:
            found: Any = self.scenario.data
            for part in end:
                found = found[part]
            wanted = (found or {}).get("law") or []
            for n, name in enumerate(known if wanted == "all" else wanted):
                where = (*end, "law") if wanted == "all" else (*end, "law", n)
                if name not in known:
                    raise self.stop_error("test.unknown_law", where, name=str(name), meant=did_you_mean(str(name), known))
                if name in self.broken:
                    raise self.stop_error("test.law", where, name=name)

    # ------------------------------------------------------------ play

    def run_rules(self, path: DataPath, work: Callable[[], list[GameEvent]]) -> list[GameEvent]:
        """Runs rules and returns their events.

        A fault ends the scenario. So does an invariant that held at the start and does not hold any more."""
        begun = self.position.s[PC] != self.game.module.start
        try:
            told = work()
        except RuleError as error:
            self.result.failures.append(make_fault_failure(self.scenario, path, self.game, self.position, error))
            raise ScenarioStopError from error
        for name in sorted(set(self.position.broken_invariants()) - self.broken) if begun else []:
            raise self.stop_error("test.law", path, name=name)
        return told

    def take_forced_options(self, path: DataPath) -> None:
        """Takes forced decisions, and starts queued procedures when the current one is done."""
        while True:
            decision = self.position.decision
            if decision is not None and len(decision) == 1:
                self.take_only_option(decision, path)
            elif decision is None and self.waiting:
                self.run_next()
            else:
                return

    def take_only_option(self, decision: Decision, path: DataPath) -> None:
        """Takes the only option of a decision."""
        option = decision.options[0]
        before = self.position.copy().decision
        assert before is not None
        self.forced.append((before, option))
        self.events += self.run_rules(path, partial(self.position.play, decision.seat, option, self.script))

    def play_item(self, item: Any, path: DataPath) -> None:
        """Plays one entry of `play`: an answer, a check of the decision, an `expect`, or a procedure to run."""
        self.at = path
        self.take_forced_options(path)
        if isinstance(item, dict):
            for word, wanted in item.items():
                if word in LOOK_KEYS:
                    self.check_look(str(word), wanted, (*path, word))
                elif word == "expect":
                    self.check_expect(wanted or {}, (*path, word))
                    self.heard = len(self.events)
                elif word == "run":
                    if self.position.decision is not None:
                        raise self.stop_error("test.still_asked", (*path, word), key=self.position.decision.key)
                    self.waiting.append((str(wanted), (*path, word)))
                    self.take_forced_options(path)
                else:
                    self.play_answer(str(word), str(wanted), path)
            return
        who, colon, spelling = str(item).rpartition(":")
        self.play_answer(who.strip() if colon else None, spelling.strip(), path)

    def play_answer(self, player: str | None, spelling: str, path: DataPath) -> None:
        """Plays a written answer of `player`, unless it only states a forced decision that was already taken."""
        decision = self.position.decision
        spelling = " ".join(spelling.split())
        if decision is None or not self.is_answer_to(decision, None, player, spelling):
            for n, (before, taken) in enumerate(self.forced):
                if self.is_answer_to(before, taken, player, spelling):     # a forced decision may also be written in the scenario
                    del self.forced[n]
                    return
        if decision is None:
            raise self.stop_error("test.nothing_asked", path, option=spelling)
        if player is not None:
            self.check_decider(player, decision, path)
        option = self.find_option(decision, spelling, path)
        self.forced.clear()
        self.play_option(decision, option, path)

    def play_option(self, decision: Decision, option: Option, path: DataPath) -> None:
        """Plays a move and records its events."""
        self.events += self.run_rules(path, lambda: self.position.play(decision.seat, option, self.script))

    def is_answer_to(self, decision: Decision, chosen: Option | None, player: str | None, spelling: str) -> bool:
        """Whether a written answer of `player` means this option of a decision.

        With `chosen` None, any offered option may match."""
        if player is not None and not self.is_decider(player, decision):
            return False
        try:
            meant = parse_answer(decision, spelling, self.game)
        except AnswerPatternError:
            return False
        return meant.is_complete and any(meant.matches(option) for option in (decision.options if chosen is None else [chosen]))

    def find_option(self, decision: Decision, spelling: str, path: DataPath) -> Option:
        """Returns the option that a written answer means."""
        near = ""
        try:
            meant = parse_answer(decision, spelling, self.game)
            found = [option for option in decision.options if meant.matches(option)] if meant.is_complete else []
            if found:
                return found[0]
        except AnswerPatternError as error:
            near = error.params["meant"] if error.key == "test.no_answer" else ""
        offered = join_some([option.spelling for option in decision.options])
        near = decision.answers.suggest(spelling, TYPO_CUTOFF) or near
        raise self.stop_error("test.not_offered", path, option=spelling, offered=offered, meant=near)

    def is_decider(self, player: str, decision: Decision) -> bool:
        """Whether `player` decides: a seat, a player, or a member that a player decides for."""
        model = self.game.model
        if player in (str(decision.seat), model.enums["Player"].members[decision.seat]):
            return True
        for enum in model.enums.values():
            if enum.decides is None or player not in enum.index:
                continue
            member = enum.index[player]
            about = [value for kind, value in visible_names(decision).values() if kind == MemberOf(enum.name)]
            if decision.position.raw_value(enum.decides, member) == decision.seat and (not about or member in about):
                return True
        return False

    def check_decider(self, player: str, decision: Decision, path: DataPath) -> None:
        """Stops the scenario if `player` does not decide."""
        if self.is_decider(player, decision):
            return
        model = self.game.model
        seat_name = model.enums["Player"].members[decision.seat]
        deciders = [enum for enum in model.enums.values() if enum.kind == "player" or enum.decides]
        known = [member for enum in deciders for member in enum.members] + [str(n) for n in range(model.players)]
        if player not in known:
            raise self.stop_error("test.unknown_word", path, name=player, meant=did_you_mean(player, [*known, *LOOK_KEYS]))
        raise self.stop_error(
            "test.decider", path, expected=self.describe_decider(player), found=self.describe_decider(seat_name, decision), key=decision.key
        )

    def describe_decider(self, name: str, decision: Decision | None = None) -> str:
        """Returns a name together with its player or members: `swan (anna)`, `anna (swan, goose)`."""
        model = self.game.model
        players = model.enums["Player"]
        if name.isdigit() and int(name) < model.players:
            name = players.members[int(name)]
        behind: list[str] = []
        for enum in model.enums.values():
            cell = self.game.cells.get(enum.decides or "")
            if cell is None or len(cell.enums) != 1:
                continue
            for member, word in enumerate(enum.members):
                seat = self.position.raw_at(cell, [member])
                if word == name and 0 <= seat < model.players:
                    behind.append(players.members[seat])
                elif name in players.index and seat == players.index[name] and decision is not None:
                    behind.append(word)
        return f"{name} ({join_some(behind, 3)})" if behind and (decision is not None or name not in players.index) else name


def run_scenario(scenario: Scenario, rules: ScenarioRulesets, coverage: RuleCoverage | None = None) -> ScenarioResult:
    """Plays one scenario with the rules that it needs. `coverage` records which of their lines run."""
    game, findings = rules.get_game(scenario)
    if game is None:
        return ScenarioResult(scenario, [ScenarioFailure(scenario.place(), "test.no_rules", {}, findings)])
    try:
        runner = ScenarioRunner(scenario, game, rules.questions_for(game))
    except RuleFault as error:                                     # in the initial values of states
        return ScenarioResult(scenario, [make_fault_failure(scenario, (), game, None, error)])
    if coverage is None:
        return runner.play()
    coverage.watch(game)
    with coverage:
        return runner.play()


def make_fault_failure(
    scenario: Scenario, path: DataPath, game: Game, position: Position | None, error: RuleFault | RuleError
) -> ScenarioFailure:
    """Returns the failure for a fault of the rules, with the line of the rule."""
    findings = DiagnosticList()
    if isinstance(error, RuleError):
        findings.add_diagnostic(error.diagnostic)
    elif position is not None:
        findings.add_diagnostic(game.diagnose_fault(error, error.__traceback__, position.s))
    else:
        findings.add(error.code, scenario.place(*path), **error.params)
    return ScenarioFailure(scenario.place(*path), "test.rule_fault", {}, findings)


__all__ = ["ScenarioRunner", "run_scenario"]
