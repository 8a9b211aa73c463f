"""What is wrong with scenarios as they are written, told without playing them: words that name nothing in this game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ...dsl.analysis.decision_points import asked, procedures, routine_key, said
from ...dsl.core.nodes import Local
from ...dsl.diagnostics.diagnostic import Findings, Place, did_you_mean
from ...dsl.diagnostics.safe_read import read_text
from ...dsl.game.adhoc_expressions import Questions
from ...dsl.game.ruleset import settings_of
from ...dsl.game.variants import Checking, Variant
from ...dsl.model.codec import Complaint
from ...dsl.packs.data_paths import value_names, value_path
from ...dsl.packs.source import Source
from ...dsl.storage.state_literals import EntryReader
from ...dsl.types.types import Maybe, Of, SetOf, Type
from ..position.options import members_written
from .answer_patterns import DECLINE
from .scenario import LOOKS, STEPS, TOP, WORDS, Scenario, argument, runs_of

CALL = re.compile(r"\s*([a-z_]\w*)(\[\w+\])?\s*\(([^()]*)\)\s*")
CODES = {"value": "G014", "member": "G015", "index": "G024"}        # of data that cannot be read; unknown states are told by their names


def check_scenarios(scenarios: Iterable[Scenario], checking: Checking, findings: Findings) -> None:
    """Every scenario against the game that it is played in."""
    made: dict[Any, Names] = {}
    before = words_before(checking.source)
    for scenario in scenarios:
        own = Findings()
        data = scenario.data
        settings = settings_of(checking.source, data.get("options") or {}, own)
        players = data.get("players") or checking.source.player_range[0]
        low, high = checking.source.player_range
        for found in own.items:
            findings.put(replace(found, place=scenario.key_place("options", found.args["name"])))
        for name in data.get("house") or {}:
            if value_path(checking.source, str(name)) is None:
                findings.slip("H002", scenario.key_place("house", name), did_you_mean(str(name), value_names(checking.source)), name=name)
        if own.errors or not low <= players <= high:
            continue                                               # told when it is played
        key = players, tuple(sorted((name, str(value)) for name, value in settings.items()))
        if key not in made:
            variant = checking.variant(players, settings)
            if variant is None:
                continue
            made[key] = Names(variant)
        Reading(scenario, made[key], findings, before).all()


def words_before(source: Source) -> frozenset[str]:
    """The words in the files of a game that packs lie over: what the packs took away may still be looked for, and not be offered."""
    if source.laid is None:
        return frozenset()
    files = [path for path in source.folder.rglob("*") if path.suffix in (".rules", ".yaml") and path.parent.name != "tests"]
    return frozenset(word for path in files for word in re.findall(r"\w+", read_text(path, errors="replace")))


class Names:
    """What scenarios may call in one variant of a game."""

    def __init__(self, variant: Variant) -> None:
        program = variant.program
        self.states = list(program.states)
        self.procedures = [routine_key(program, routine, member) for routine, member in procedures(program)]
        self.events: dict[str, set[str]] = {"chance": {"found"}}
        for event in said(program):
            self.events.setdefault(event.key, set()).update(event.slots)
        self.decisions = {decision.key for decision in asked(program, variant.facts)}
        self.laws = [routine.name.removeprefix("always.") for routine in program.always]
        self.players = list(variant.model.enums["Player"].members)
        deciders = [enum for enum in variant.model.enums.values() if enum.kind == "player" or enum.decides]
        self.deciders = [member for enum in deciders for member in enum.members] + [str(n) for n in range(variant.model.players)]
        self.members = [member for enum in variant.model.enums.values() for member in enum.members]
        self.constants = [*variant.model.numbers, *variant.model.options]
        self.questions = Questions(variant)
        runnable = [family for family in program.families.values() if family.kind == "proc"]
        self.params: dict[str, Sequence[Local]] = {family.name: family.params for family in runnable}
        self.cells = {state.name: cell for state, cell in variant.layout.cells.items()}
        self.codecs = variant.layout.codecs
        self.slots: dict[str, set[Type]] = {}                      # what answers are made of, and the words before them
        self.entries = {DECLINE}
        for decision in asked(program, variant.facts):
            self.entries |= set(decision.entries)
            for name, kind in decision.names.items():
                self.slots.setdefault(name, set()).add(kind)


class Reading:
    """One scenario."""

    def __init__(self, scenario: Scenario, names: Names, findings: Findings, before: frozenset[str] = frozenset()) -> None:
        self.scenario, self.names, self.findings, self.before = scenario, names, findings, before

    def tell(self, place: Place, name: Any, known: Iterable[str]) -> None:
        if str(name) in (known := list(known)):
            return
        self.findings.slip("Y018", place, did_you_mean(str(name), known), name=str(name))

    def all(self) -> None:
        data, names = self.scenario.data, self.names
        for where, given in self.scenario.layers:
            for n, name in enumerate(given.get("clear") or []):
                self.tell(self.scenario.place(TOP, *where, "clear", n), name, names.states)
            for name in given:
                if name != "clear":
                    self.tell(self.scenario.key_place(TOP, *where, name), name, [*names.states, "clear"])
            self.entries({name: value for name, value in given.items() if name != "clear"}, (TOP, *where))
        for run, path in runs_of(data):
            self.run(run, path)
        for n, thing in enumerate(data.get("chance") or []):
            if not isinstance(thing, int):
                self.tell(self.scenario.place("chance", n), thing.rpartition(".")[2], names.members)
        for n, item in enumerate(data.get("play") or []):
            self.item(item, ("play", n))
        self.expect(data.get("expect") or {}, ("expect",))

    def wrong(self, complaint: Complaint, path: tuple[Any, ...]) -> None:
        """Tell of data that cannot be read."""
        if complaint.kind in CODES:
            place = self.scenario.key_place(*path, *complaint.path) if complaint.of_key else self.scenario.place(*path, *complaint.path)
            self.findings.add(CODES[complaint.kind], place, hint=complaint.hint, **complaint.args)

    def entries(self, written: dict[str, Any], path: tuple[Any, ...]) -> None:
        """The values of states, where the scenario has no values of its own that change what fits."""
        if not self.scenario.data.get("house"):
            EntryReader(self.names.cells, self.names.codecs, lambda complaint: self.wrong(complaint, path)).entries(
                {name: value for name, value in written.items() if name in self.names.cells})

    def run(self, text: Any, path: tuple[Any, ...]) -> None:
        found = CALL.fullmatch(str(text))
        place = self.scenario.place(*path)
        if not found:
            name = str(text).partition("(")[0].strip()
            params = self.names.params.get(name)
            if params is not None:
                self.findings.add("R218", place, hint="written_so", name=name, wanted=len(params), found=0, meant=called(name, params))
            else:
                self.tell(place, name, self.names.procedures)
            return
        self.tell(place, found[1] + (found[2] or ""), self.names.procedures)
        params = self.names.params.get(found[1], ())
        given = [word.strip() for word in found[3].split(",") if word.strip()]
        if found[1] in self.names.params and len(given) != len(params):
            self.findings.add("R218", place, hint="written_so", name=found[1], wanted=len(params), found=len(given),
                              meant=called(found[1], params))
            return
        for word, param in zip(given, params):
            self.value(argument(word), [param.type], place)

    def answer(self, text: str, path: tuple[Any, ...], gone: frozenset[str] = frozenset()) -> None:
        """Words that no decision of this game could be answered with; `gone` are words that it had before."""
        words, place, names = text.split(), self.scenario.place(*path), self.names
        for n, word in enumerate(words):
            name, equals, value = word.partition("=")
            if name in gone and (not equals or name not in names.slots or value in gone):
                continue
            if not equals:
                if n == 0:
                    self.tell(place, word, names.entries)
                continue
            if name not in names.slots:
                self.tell(place, name, names.slots)
                continue
            self.value(value, names.slots[name], place)

    def value(self, written: Any, kinds: Iterable[Type], place: Place) -> None:
        """A name of a thing that must be one of these types."""
        refused: list[Complaint] = []
        for kind in kinds:
            told: list[Complaint] = []
            if isinstance(kind.of if isinstance(kind, Maybe) else kind, Of):
                self.names.codecs.of(kind).read(written, (), told.append)
            elif isinstance(kind, SetOf):
                self.names.codecs.of(kind).read(members_written(str(written)), (), told.append)
            if not told:
                return
            refused += told
        self.findings.add(CODES[refused[0].kind], place, hint="did_you_mean" if refused[0].args.get("meant") else None,
                          **refused[0].args)

    def item(self, item: Any, path: tuple[Any, ...]) -> None:
        if isinstance(item, dict):
            for word, wanted in item.items():
                if word == "expect":
                    self.expect(wanted or {}, (*path, word))
                elif word == "run":
                    self.run(wanted, (*path, word))
                elif word == "asks":
                    self.tell(self.scenario.place(*path, word), wanted, self.names.decisions)
                elif word in LOOKS:
                    several = isinstance(wanted, list)
                    for n, look in enumerate(wanted if several else [wanted]):
                        gone = self.before if word == "not_offered" else frozenset()
                        self.answer(str(look), (*path, word, n) if several else (*path, word), gone)
                else:
                    self.tell(self.scenario.key_place(*path, word), word, [*LOOKS, *STEPS, *self.names.deciders])
                    self.answer(str(wanted), (*path, word))
            return
        who, colon, spelling = str(item).rpartition(":")
        if colon:
            self.tell(self.scenario.place(*path), who.strip(), self.names.deciders)
        self.answer(spelling, path)

    def expect(self, wanted: dict[str, Any], path: tuple[Any, ...]) -> None:
        names, scenario = self.names, self.scenario
        self.entries({key: value for key, value in wanted.items() if key in names.states and key not in WORDS}, path)
        self.entries(wanted.get("states") or {}, (*path, "states"))
        for key in wanted:
            if key in names.states or key in WORDS:
                continue
            text, place = str(key), scenario.key_place(*path, key)
            if text.isidentifier():
                self.tell(place, text, [*names.states, *WORDS, *names.questions.names(), *names.constants])
            elif not scenario.data.get("house"):
                kind, faults = names.questions.typed(text)
                for found in faults:
                    self.findings.add(found.code, place, hint=found.hint, **found.args)
                if kind is not None:
                    names.codecs.of(kind).read(wanted[key], (key,), lambda complaint: self.wrong(complaint, path))
        if "asks" in wanted:
            self.tell(scenario.place(*path, "asks"), wanted["asks"], names.decisions)
        for n, group in enumerate(wanted.get("standing") or []):
            for name in group if isinstance(group, list) else [group]:
                self.tell(scenario.place(*path, "standing", n), name, names.players)
        for name in wanted.get("states") or {}:
            self.tell(scenario.key_place(*path, "states", name), name, names.states)
        laws = wanted.get("law") or []
        for n, name in enumerate(laws if isinstance(laws, list) else []):
            self.tell(scenario.place(*path, "law", n), name, names.laws)
        for word, n, event in [(key, n, event) for key in ("events", "not_told") for n, event in enumerate(wanted.get(key) or [])]:
            place = scenario.place(*path, word, n)
            name = event if isinstance(event, str) else next(iter(event), "")
            self.tell(place, name, names.events)
            for slot in (event[name] or {}) if name in names.events and isinstance(event, dict) else ():
                self.tell(scenario.key_place(*path, word, n, name, slot), slot, names.events[name])


def called(name: str, params: Sequence[Local]) -> str:
    """A procedure as `run` calls it."""
    return f"`{name}({', '.join(param.name for param in params)})`"
