"""Checks what a scenario expects: values, events, the pending decision, and the standing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...dsl.backend_python.runtime import RuleFault
from ...dsl.diagnostics.diagnostic import DiagnosticList, did_you_mean
from ...dsl.game.adhoc_expressions import ExpressionCompiler
from ...dsl.model.codec import DataPath, format_inline
from ...dsl.storage.state_literals import StateLiteral, StateLiteralError
from ..position.options import Option
from ..position.position import Decision, Game, GameEvent, Position
from .answer_patterns import AnswerPatternError, parse_answer
from .scenario import (
    EXPECT_KEYS,
    Scenario,
    ScenarioFailure,
    ScenarioResult,
)

# messages for invalid data, by kind of problem
PROBLEM_KEYS = {"value": "test.wrong_value", "member": "test.unknown_member", "state": "test.unknown_state", "index": "test.needs_index"}


class ScenarioStopError(Exception):
    """Raised to end the scenario. Its last failure has the reason."""


class ScenarioChecks:
    """The state of a scenario that is being played, and the checks of its expectations."""

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

    def add_failure(self, key: str, path: DataPath, /, **args: Any) -> None:
        """Adds a failure to the result."""
        self.result.failures.append(ScenarioFailure(self.scenario.place(*path), key, args))

    def stop_error(self, key: str, path: DataPath, /, **args: Any) -> ScenarioStopError:
        """Adds a failure, and returns the exception that ends the scenario."""
        self.add_failure(key, path, **args)
        return ScenarioStopError()

    def entry_name(self, entry: StateLiteral) -> str:
        """Returns the name of an entry in the scenario, such as coins.anna."""
        words = list(entry.path)
        return ".".join(str(word) for word in words[words.index(entry.cell.state.name):])

    def read_entries(self, prefix: DataPath, written: dict[str, Any]) -> list[StateLiteral]:
        """Returns the entries of states, with their paths in the scenario."""
        try:
            found = self.reader.read_literals(written)
        except StateLiteralError as error:
            raise StateLiteralError(replace(error.problem, path=(*prefix, *error.problem.path))) from None
        return [replace(entry, path=(*prefix, *entry.path)) for entry in found]

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


def join_some(words: list[str], limit: int = 8) -> str:
    """Joins the first `limit` words for a message."""
    return ", ".join(words[:limit]) + (", …" if len(words) > limit else "") if words else "-"
