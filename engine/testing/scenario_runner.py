"""Plays scenarios: sets up what is given, runs procedures, plays the answers, and checks what must hold."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from ...dsl.backend_python.runtime import RuleFault
from ...dsl.diagnostics.diagnostic import TYPO_CUTOFF, DiagnosticList, did_you_mean
from ...dsl.game.adhoc_expressions import ExpressionCompiler
from ...dsl.model.codec import DataPath, format_inline
from ...dsl.storage.control_slots import PC
from ...dsl.storage.state_literals import StateLiteral, StateLiteralError
from ...dsl.types.types import MemberOf, Type
from ..position.observation import visible_names
from ..position.options import Option
from ..position.position import Decision, Game, GameEvent, Position, RuleError
from .answer_patterns import AnswerPatternError, parse_answer
from .coverage import RuleCoverage
from .scenario import (
    EXPECT_KEYS,
    FILE_ROOT,
    LOOK_KEYS,
    Scenario,
    ScenarioFailure,
    ScenarioResult,
    ScenarioRulesets,
    parse_argument,
    procedure_calls,
)

# messages for invalid data, by kind of problem
PROBLEM_KEYS = {"value": "test.wrong_value", "member": "test.unknown_member", "state": "test.unknown_state", "index": "test.needs_index"}
_CALL_PATTERN = re.compile(r"\s*(?P<name>[a-z_][a-z0-9_]*)(?:\[(?P<case>[a-z_][a-z0-9_]*)\])?\s*\((?P<args>[^()]*)\)\s*")


def parse_call(text: str) -> tuple[str, str, list[str]] | None:
    """Parses `build[tower](anna, e4)` into name, case ("" for none) and arguments. None if the form is wrong."""
    found = _CALL_PATTERN.fullmatch(text)
    if found is None:
        return None
    return found["name"], found["case"] or "", [word.strip() for word in found["args"].split(",") if word.strip()]


class _ScenarioStopError(Exception):
    """Raised to end the scenario. Its last failure has the reason."""


class ScenarioRunner:
    """Plays one scenario."""

    def __init__(self, scenario: Scenario, game: Game, questions: ExpressionCompiler | None = None) -> None:
        self.scenario, self.game, self.reader = scenario, game, game.literal_reader
        self.questions = questions or ExpressionCompiler(game.ruleset)
        self.result = ScenarioResult(scenario)
        self.position: Position = game.new_position(scenario.data.get("seed", 1))
        self.events: list[GameEvent] = []
        self.script: list[int] = []
        self.forced: list[tuple[Decision, Option]] = []            # taken automatically since the last written answer
        self.waiting: list[tuple[str, DataPath]] = []                 # procedures to run when the current one is done
        self.broken: frozenset[str] = frozenset()                  # invariants that do not hold at the start
        self.at: DataPath = ()                                        # the path of the part that is being played
        self.heard = 0                                             # number of events at the last `expect`

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
        except _ScenarioStopError:
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

    def add_failure(self, key: str, path: DataPath, /, **args: Any) -> None:
        """Adds a failure to the result."""
        self.result.failures.append(ScenarioFailure(self.scenario.place(*path), key, args))

    def stop_error(self, key: str, path: DataPath, /, **args: Any) -> _ScenarioStopError:
        """Adds a failure, and returns the exception that ends the scenario."""
        self.add_failure(key, path, **args)
        return _ScenarioStopError()

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

    def entry_name(self, entry: StateLiteral) -> str:
        """Returns the name of an entry in the scenario, such as coins.anna."""
        words = list(entry.path)
        return ".".join(str(word) for word in words[words.index(entry.cell.state.name):])

    def run_next(self) -> None:
        """Runs the next procedure in the queue."""
        text, path = self.waiting.pop(0)
        key, values = self.parse_routine(text, path)
        self.events += self.run_rules(path, lambda: self.game.run_procedure(self.position, key, values, self.script))

    def read_entries(self, prefix: DataPath, written: dict[str, Any]) -> list[StateLiteral]:
        """Returns the entries of states, with their paths in the scenario."""
        try:
            found = self.reader.read_literals(written)
        except StateLiteralError as error:
            raise StateLiteralError(replace(error.problem, path=(*prefix, *error.problem.path))) from None
        return [replace(entry, path=(*prefix, *entry.path)) for entry in found]

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
            raise _ScenarioStopError from error
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

    def check_look(self, word: str, wanted: Any, path: DataPath) -> None:
        """Checks which decision waits, or whether options are offered."""
        decision = self.position.decision
        if word == "asks":
            self.check_asks(wanted, path)
            return
        for n, thing in enumerate(wanted if isinstance(wanted, list) else [wanted]):
            spelling = " ".join(str(thing).split())
            where = (*path, n) if isinstance(wanted, list) else path
            if decision is None:
                raise self.stop_error("test.nothing_asked", where, option=spelling)
            try:
                meant = parse_answer(decision, spelling, self.game)
            except AnswerPatternError as error:
                self.add_failure(error.key, where, **error.params)
                continue
            fitting = [option for option in decision.options if meant.matches(option)]
            if word == "offered" and not fitting:
                self.add_failure(
                    "test.not_offered", where, option=spelling, offered=join_some([option.spelling for option in decision.options])
                )
            if word == "not_offered" and fitting:
                self.add_failure("test.offered", where, option=spelling)

    def check_asks(self, wanted: Any, path: DataPath) -> None:
        """Checks that the decision with this key is waiting."""
        found = self.position.decision.key if self.position.decision else "-"
        if found != wanted:
            known = [kind.key for kind in self.game.module.decisions]
            meant = did_you_mean(str(wanted), known) if wanted not in known else None
            self.add_failure("test.asks", path, expected=str(wanted), found=found, meant=meant or "")

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

    # ------------------------------------------------------------ expect

    def check_expect(self, wanted: dict[str, Any], at: DataPath) -> None:
        """Checks everything that must hold. `at` is its path in the scenario."""
        position, self.at = self.position, at
        decision = position.decision
        if "over" in wanted and position.over != wanted["over"]:
            key = "test.not_over" if decision else "test.is_over"
            self.add_failure(key, (*at, "over"), asked=decision.key if decision else "")
        if "asks" in wanted:
            self.check_asks(wanted["asks"], (*at, "asks"))
        named = {key: value for key, value in wanted.items() if key not in EXPECT_KEYS}
        self.check_entries(self.read_entries(at, {key: value for key, value in named.items() if key in self.game.cells}))
        for key, value in named.items():
            if key not in self.game.cells:
                self.check_expression(str(key), value, (*at, key))
        self.check_entries(self.read_entries((*at, "states"), wanted.get("states") or {}))
        if "events" in wanted:
            self.check_events(wanted["events"] or [], at)
        self.check_not_emitted(wanted.get("not_told") or [], (*at, "not_told"))
        if "standing" in wanted:
            self.check_standing(wanted["standing"] or [], at)

    def check_expression(self, text: str, wanted: Any, path: DataPath) -> None:
        """Checks the value of an expression of the rules."""
        place = self.scenario.key_place(*path)
        words = [*self.game.cells, *self.questions.list_names(), *EXPECT_KEYS]
        if text.isidentifier() and text not in words and text not in self.game.model.numbers and text not in self.game.model.options:
            self.result.failures.append(
                ScenarioFailure(place, "test.unknown_state", {"name": text, "meant": did_you_mean(text, words)})
            )
            return
        question, findings = self.questions.compile_text(text)
        if question is None:
            told = DiagnosticList()
            told.items = [replace(found, place=place) for found in findings.items]
            self.result.failures.append(ScenarioFailure(place, "test.expression", {"text": text}, told))
            return
        codec = self.game.codec(question.type)
        expected = codec.write(self.reader.read_value(wanted, question.type, path))
        try:
            found = codec.write(question.value(self.position.s))
        except RuleFault as error:
            told = DiagnosticList()
            told.add(error.code, place, **error.params)
            self.result.failures.append(ScenarioFailure(place, "test.rule_fault", {}, told))
            return
        if found != expected:
            self.add_failure("test.value", path, what=text, expected=format_inline(expected), found=format_inline(found))

    def check_entries(self, entries: list[StateLiteral]) -> None:
        """Checks the values of states."""
        for entry in entries:
            found = entry.read_from(self.position.s)
            if found != entry.raw:
                expected = self.format_value(entry, entry.raw)
                self.add_failure(
                    "test.value", entry.path, what=self.entry_name(entry), expected=expected, found=self.format_value(entry, found)
                )

    def format_value(self, entry: StateLiteral, raw: Any) -> str:
        """Returns a raw value of an entry in the form that scenarios use."""
        return format_inline(self.position.to_names(entry.type, raw))

    def check_events(self, wanted: list[Any], where: DataPath) -> None:
        """Checks that these events were emitted in this order since the last `expect`."""
        told = self.recent_events()
        if not wanted:
            if loud := [key for key, _ in told if key != "chance"]:
                self.add_failure("test.told", (*where, "events"), found=join_some(loud))
            return
        at = 0
        for n, item in enumerate(wanted):
            event = self.parse_event(item, (*where, "events", n))
            if event is None:
                return
            key, slots = event
            match = next((i for i in range(at, len(told)) if told[i][0] == key and slots.items() <= told[i][1].items()), None)
            if match is None:
                near = [format_inline({k: v}) for k, v in told if k == key]
                found = join_some(near) if near else join_some(sorted({k for k, _ in told}))
                self.add_failure("test.not_told", (*where, "events", n), expected=format_inline({key: slots}), found=found)
                return
            at = match + 1

    def check_not_emitted(self, unwanted: list[Any], where: DataPath) -> None:
        """Checks that none of these events was emitted since the last `expect`."""
        told = self.recent_events()
        for n, item in enumerate(unwanted):
            key, slots = self.parse_event(item, (*where, n)) or ("", {})
            for found in [format_inline({k: v}) for k, v in told if k == key and slots.items() <= v.items()][:1]:
                self.add_failure("test.told_after_all", (*where, n), found=found)

    def recent_events(self) -> list[tuple[str, dict[str, Any]]]:
        """Returns the events since the last `expect`, with their values in the form that scenarios use."""
        return [(t.key, {name: self.position.to_names(kind, value) for name, kind, value in t.slots}) for t in self.events[self.heard:]]

    def parse_event(self, item: Any, where: DataPath) -> tuple[str, dict[str, Any]] | None:
        """Returns the key and the values of an event in a scenario. None, with a failure, if the game has no such event."""
        known = {event.key: [name for name, _ in event.slots] for event in self.game.module.events} | {"chance": ["found"]}
        key, slots = (item, {}) if isinstance(item, str) else next(iter(item.items()))
        slots = {name: None if value == "none" else value for name, value in (slots or {}).items()}
        for word, words in [(key, list(known)), *((name, known.get(key, [])) for name in slots)]:
            if word not in words:
                self.add_failure("test.unknown_event", where, name=str(word), meant=did_you_mean(str(word), words))
                return None
        return key, slots

    def check_standing(self, wanted: list[Any], where: DataPath) -> None:
        """Checks the standing: groups of seats, best first."""
        self.at = (*where, "standing")
        names = self.game.model.enums["Player"].members
        ranks: dict[int, list[str]] = {}
        for rank in self.position.standing():
            ranks.setdefault(rank.rank, []).append(names[rank.seat])
        found = list(ranks.values())
        groups = [sorted(map(str, group)) if isinstance(group, list) else [str(group)] for group in wanted]
        if [sorted(group) for group in found] != groups:
            spelt = format_inline([group if len(group) > 1 else group[0] for group in found])
            self.add_failure("test.standing", (*where, "standing"), expected=format_inline(wanted), found=spelt)


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


def join_some(words: list[str], limit: int = 8) -> str:
    """Joins the first `limit` words for a message."""
    return ", ".join(words[:limit]) + (", …" if len(words) > limit else "") if words else "-"


__all__ = ["ScenarioRunner", "run_scenario"]
