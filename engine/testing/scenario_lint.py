"""Checks the names in scenarios without playing them: names that mean nothing in the game are reported."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ...dsl.analysis.decision_points import find_decision_points, find_event_points, iter_procedures_by_member, routine_key
from ...dsl.core.nodes import LocalVar
from ...dsl.diagnostics.diagnostic import DiagnosticList, SourceSpan, did_you_mean
from ...dsl.diagnostics.safe_read import read_text
from ...dsl.game.adhoc_expressions import ExpressionCompiler
from ...dsl.game.ruleset import resolve_settings
from ...dsl.game.variants import Variant, VariantChecker, variant_key
from ...dsl.model.codec import DecodeProblem
from ...dsl.packs.data_paths import value_names, value_path
from ...dsl.packs.source import GameSource, format_player_range
from ...dsl.storage.state_literals import StateLiteralReader
from ...dsl.types.types import BagOf, MemberOf, OptionalOf, SetOf, Type
from ..position.options import parse_spelling
from .answer_patterns import DECLINE
from .scenario import EXPECT_KEYS, FILE_ROOT, LOOK_KEYS, STEP_KEYS, Scenario, parse_argument, procedure_calls

CALL_PATTERN = re.compile(r"\s*([a-z_]\w*)(\[\w+\])?\s*\(([^()]*)\)\s*")
# diagnostic codes for invalid data
COMPLAINT_CODES = {"value": "G014", "member": "G015", "index": "G024"}


def check_scenarios(scenarios: Iterable[Scenario], checking: VariantChecker, findings: DiagnosticList) -> None:
    """Checks each scenario against the variant of the game that it needs."""
    made: dict[Any, ScenarioNames] = {}
    rules: dict[int, tuple[Variant, RuleNames]] = {}               # by identity of the analyses that variants share
    before = words_without_packs(checking.source)
    for scenario in scenarios:
        own = DiagnosticList()
        data = scenario.data
        settings = resolve_settings(checking.source, data.get("options") or {}, own)
        players = data.get("players") or checking.source.player_range[0]
        low, high = checking.source.player_range
        for found in own.items:
            findings.add_diagnostic(replace(found, place=scenario.key_place("options", found.args["name"])))
        for name in data.get("house") or {}:
            if value_path(checking.source, str(name)) is None:
                findings.add_with_suggestion(
                    "H002", scenario.key_place("house", name), did_you_mean(str(name), value_names(checking.source)), name=name
                )
        if not low <= players <= high:
            findings.add("G020", scenario.place("players"), found=players, players=format_player_range(checking.source))
            players = low                                          # the names below are checked all the same
        if own.errors:
            continue                                               # reported when it is played
        key = variant_key(players, settings)
        if key not in made:
            variant = checking.check_variant(players, settings)
            if variant is None:
                continue
            shared = id(variant.facts.effects)
            if shared not in rules:
                rules[shared] = variant, RuleNames(variant)
            made[key] = ScenarioNames(variant, rules[shared][1])
        ScenarioLinter(scenario, made[key], findings, before).check_scenario()


def words_without_packs(source: GameSource) -> frozenset[str]:
    """Returns the words in the files of a game without packs.

    Scenarios may still use words that a pack removed, to check that something is not offered."""
    if source.overlay is None:
        return frozenset()
    files = [path for path in source.folder.rglob("*") if path.suffix in (".rules", ".yaml") and path.parent.name != "tests"]
    return frozenset(word for path in files for word in re.findall(r"\w+", read_text(path, errors="replace")))


class RuleNames:
    """The names that scenarios may use from the rules: procedures, events, decisions, and the parts of answers."""

    def __init__(self, variant: Variant) -> None:
        program = variant.program
        self.procedures = [routine_key(program, routine, member) for routine, member in iter_procedures_by_member(program)]
        self.events: dict[str, set[str]] = {"chance": {"found"}}
        for event in find_event_points(program, variant.facts.secrecy):
            self.events.setdefault(event.key, set()).update(event.slots)
        self.decisions: set[str] = set()
        self.slots: dict[str, set[Type]] = {}                      # names with their types
        self.entries = {DECLINE}                                   # of menus
        for decision in find_decision_points(program, variant.facts):
            self.decisions.add(decision.key)
            self.entries |= set(decision.entries)
            for name, kind in decision.names.items():
                self.slots.setdefault(name, set()).add(kind)


class ScenarioNames:
    """The names that scenarios may use in one variant of a game."""

    def __init__(self, variant: Variant, rules: RuleNames) -> None:
        program = variant.program
        self.rules = rules
        self.states = list(program.states)
        self.laws = [routine.name.removeprefix("always.") for routine in program.always]
        self.players = list(variant.model.enums["Player"].members)
        deciders = [enum for enum in variant.model.enums.values() if enum.kind == "player" or enum.decides]
        self.deciders = [member for enum in deciders for member in enum.members] + [str(n) for n in range(variant.model.players)]
        self.members = [member for enum in variant.model.enums.values() for member in enum.members]
        self.constants = [*variant.model.numbers, *variant.model.options]
        self.questions = ExpressionCompiler(variant)
        runnable = [family for family in program.families.values() if family.kind == "proc"]
        self.params: dict[str, Sequence[LocalVar]] = {family.name: family.params for family in runnable}
        self.cells = {state.name: cell for state, cell in variant.layout.cells.items()}
        self.codecs = variant.layout.codecs


class ScenarioLinter:
    """Checks one scenario."""

    def __init__(self, scenario: Scenario, names: ScenarioNames, findings: DiagnosticList, before: frozenset[str] = frozenset()) -> None:
        self.scenario, self.names, self.findings, self.before = scenario, names, findings, before

    def check_name(self, place: SourceSpan, name: Any, known: Iterable[str]) -> None:
        """Reports a name that is not among the known ones, with a suggestion."""
        if str(name) in (known := list(known)):
            return
        self.findings.add_with_suggestion("Y018", place, did_you_mean(str(name), known), name=str(name))

    def check_scenario(self) -> None:
        """Checks all parts of the scenario."""
        data, names = self.scenario.data, self.names
        for where, given in self.scenario.layers:
            for n, name in enumerate(given.get("clear") or []):
                self.check_name(self.scenario.place(FILE_ROOT, *where, "clear", n), name, names.states)
            for name in given:
                if name != "clear":
                    self.check_name(self.scenario.key_place(FILE_ROOT, *where, name), name, [*names.states, "clear"])
            self.check_entries({name: value for name, value in given.items() if name != "clear"}, (FILE_ROOT, *where))
        for run, path in procedure_calls(data):
            self.check_run(run, path)
        for n, thing in enumerate(data.get("chance") or []):
            if not isinstance(thing, int):
                self.check_name(self.scenario.place("chance", n), thing.rpartition(".")[2], names.members)
        for n, item in enumerate(data.get("play") or []):
            self.check_item(item, ("play", n))
        self.check_expect(data.get("expect") or {}, ("expect",))

    def report_complaint(self, complaint: DecodeProblem, path: tuple[Any, ...]) -> None:
        """Reports data that cannot be read."""
        if complaint.kind in COMPLAINT_CODES:
            place = self.scenario.key_place(*path, *complaint.path) if complaint.of_key else self.scenario.place(*path, *complaint.path)
            self.findings.add(COMPLAINT_CODES[complaint.kind], place, hint=complaint.hint, **complaint.args)

    def check_entries(self, written: dict[str, Any], path: tuple[Any, ...]) -> None:
        """Checks the values of states. Skipped if the scenario sets house rules, which may change the allowed values."""
        if not self.scenario.data.get("house"):
            StateLiteralReader(self.names.cells, self.names.codecs, lambda complaint: self.report_complaint(complaint, path)).read_literals(
                {name: value for name, value in written.items() if name in self.names.cells})

    def check_run(self, text: Any, path: tuple[Any, ...]) -> None:
        """Checks a procedure call: its form, its name and its arguments."""
        found = CALL_PATTERN.fullmatch(str(text))
        place = self.scenario.place(*path)
        if not found:
            name = str(text).partition("(")[0].strip()
            params = self.names.params.get(name)
            if params:
                self.findings.add("R218", place, hint="written_so", name=name, wanted=len(params), found=0, meant=format_call(name, params))
            elif params is not None:                               # only the parentheses are missing
                self.findings.add("Y018", place, hint="written_so", name=name, meant=format_call(name, params))
            else:
                self.check_name(place, name, self.names.rules.procedures)
            return
        self.check_name(place, found[1] + (found[2] or ""), self.names.rules.procedures)
        params = self.names.params.get(found[1], ())
        given = [word.strip() for word in found[3].split(",") if word.strip()]
        if found[1] in self.names.params and len(given) != len(params):
            self.findings.add("R218", place, hint="written_so", name=found[1], wanted=len(params), found=len(given),
                              meant=format_call(found[1], params))
            return
        for word, param in zip(given, params):
            self.check_value(parse_argument(word), [param.type], place)

    def check_answer(self, text: str, path: tuple[Any, ...], removed: frozenset[str] = frozenset()) -> None:
        """Reports words that cannot answer any decision of the game. `removed` are words that packs removed."""
        words, place, names = text.split(), self.scenario.place(*path), self.names
        for n, word in enumerate(words):
            name, equals, value = word.partition("=")
            if name in removed and (not equals or name not in names.rules.slots or value in removed):
                continue
            if not equals:
                if n == 0:
                    self.check_name(place, word, names.rules.entries)
                continue
            if name not in names.rules.slots:
                self.check_name(place, name, names.rules.slots)
                continue
            self.check_value(value, names.rules.slots[name], place)

    def check_value(self, written: Any, kinds: Iterable[Type], place: SourceSpan) -> None:
        """Checks that a name is a value of one of these types."""
        refused: list[DecodeProblem] = []
        for kind in kinds:
            told: list[DecodeProblem] = []
            if isinstance(kind.of if isinstance(kind, OptionalOf) else kind, MemberOf):
                self.names.codecs.codec_for(kind).read(written, (), told.append)
            elif isinstance(kind, SetOf | BagOf):
                self.names.codecs.codec_for(kind).read(parse_spelling(kind, str(written)), (), told.append)
            if not told:
                return
            refused += told
        self.findings.add(COMPLAINT_CODES[refused[0].kind], place, hint="did_you_mean" if refused[0].args.get("meant") else None,
                          **refused[0].args)

    def check_item(self, item: Any, path: tuple[Any, ...]) -> None:
        """Checks an entry of `play`."""
        if isinstance(item, dict):
            for word, wanted in item.items():
                if word == "expect":
                    self.check_expect(wanted or {}, (*path, word))
                elif word == "run":
                    self.check_run(wanted, (*path, word))
                elif word == "asks":
                    self.check_name(self.scenario.place(*path, word), wanted, self.names.rules.decisions)
                elif word in LOOK_KEYS:
                    several = isinstance(wanted, list)
                    for n, look in enumerate(wanted if several else [wanted]):
                        gone = self.before if word == "not_offered" else frozenset()
                        self.check_answer(str(look), (*path, word, n) if several else (*path, word), gone)
                else:
                    self.check_name(self.scenario.key_place(*path, word), word, [*LOOK_KEYS, *STEP_KEYS, *self.names.deciders])
                    self.check_answer(str(wanted), (*path, word))
            return
        who, colon, spelling = str(item).rpartition(":")
        if colon:
            self.check_name(self.scenario.place(*path), who.strip(), self.names.deciders)
        self.check_answer(spelling, path)

    def check_expect(self, wanted: dict[str, Any], path: tuple[Any, ...]) -> None:
        """Checks the names in `expect`."""
        names, scenario = self.names, self.scenario
        self.check_entries({key: value for key, value in wanted.items() if key in names.states and key not in EXPECT_KEYS}, path)
        self.check_entries(wanted.get("states") or {}, (*path, "states"))
        for key in wanted:
            if key in names.states or key in EXPECT_KEYS:
                continue
            text, place = str(key), scenario.key_place(*path, key)
            if text.isidentifier():
                self.check_name(place, text, [*names.states, *EXPECT_KEYS, *names.questions.list_names(), *names.constants])
            elif not scenario.data.get("house"):
                kind, faults = names.questions.check_type(text)
                for found in faults:
                    self.findings.add(found.code, place, hint=found.hint, **found.args)
                if kind is not None:
                    names.codecs.codec_for(kind).read(wanted[key], (key,), lambda complaint: self.report_complaint(complaint, path))
        if "asks" in wanted:
            self.check_name(scenario.place(*path, "asks"), wanted["asks"], names.rules.decisions)
        for n, group in enumerate(wanted.get("standing") or []):
            for name in group if isinstance(group, list) else [group]:
                self.check_name(scenario.place(*path, "standing", n), name, names.players)
        for name in wanted.get("states") or {}:
            self.check_name(scenario.key_place(*path, "states", name), name, names.states)
        laws = wanted.get("law") or []
        for n, name in enumerate(laws if isinstance(laws, list) else []):
            self.check_name(scenario.place(*path, "law", n), name, names.laws)
        for word, n, event in [(key, n, event) for key in ("events", "not_told") for n, event in enumerate(wanted.get(key) or [])]:
            place = scenario.place(*path, word, n)
            name = event if isinstance(event, str) else next(iter(event), "")
            self.check_name(place, name, names.rules.events)
            for slot in (event[name] or {}) if name in names.rules.events and isinstance(event, dict) else ():
                self.check_name(scenario.key_place(*path, word, n, name, slot), slot, names.rules.events[name])


def format_call(name: str, params: Sequence[LocalVar]) -> str:
    """Returns a procedure in the form in which `run` calls it."""
    return f"{name}({', '.join(param.name for param in params)})"
