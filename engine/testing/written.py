"""What is wrong with scenarios as they are written, told without playing them: words that name nothing in this game."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ...dsl.analysis.decisions import asked, procedures, routine_key, said
from ...dsl.findings.diagnostics import Findings, Place, did_you_mean
from ...dsl.rulesets.questions import Questions
from ...dsl.rulesets.ruleset import settings_of
from ...dsl.rulesets.variants import Checking, Variant
from .scenario import LOOKS, STEPS, TOP, WORDS, Scenario

CALL = re.compile(r"\s*([a-z_]\w*(?:\[\w+\])?)\s*\(")


def check_scenarios(scenarios: Iterable[Scenario], checking: Checking, findings: Findings) -> None:
    """Every scenario against the game that it is played in."""
    made: dict[Any, Names] = {}
    for scenario in scenarios:
        own = Findings()
        data = scenario.data
        settings = settings_of(checking.source, data.get("options") or {}, own)
        players = data.get("players") or checking.source.player_range[0]
        low, high = checking.source.player_range
        if own.errors or not low <= players <= high:
            continue                                               # told when it is played
        key = players, tuple(sorted((name, str(value)) for name, value in settings.items()))
        if key not in made:
            variant = checking.variant(players, settings)
            if variant is None:
                continue
            made[key] = Names(variant)
        Reading(scenario, made[key], findings).all()


class Names:
    """What scenarios may call in one variant of a game."""

    def __init__(self, variant: Variant) -> None:
        program = variant.program
        self.states = list(program.states)
        self.procedures = [routine_key(program, routine, member) for routine, member in procedures(program)]
        self.events = {event.key for event in said(program)} | {"chance"}
        self.decisions = {decision.key for decision in asked(program, variant.facts.effects)}
        self.laws = [routine.name.removeprefix("always.") for routine in program.always]
        deciders = [enum for enum in variant.model.enums.values() if enum.kind == "player" or enum.decides]
        self.deciders = [member for enum in deciders for member in enum.members] + [str(n) for n in range(variant.model.players)]
        self.constants = [*variant.model.numbers, *variant.model.options]
        self.questions = Questions(variant)


class Reading:
    """One scenario."""

    def __init__(self, scenario: Scenario, names: Names, findings: Findings) -> None:
        self.scenario, self.names, self.findings = scenario, names, findings

    def tell(self, place: Place, name: Any, known: Iterable[str]) -> None:
        if str(name) in (known := list(known)):
            return
        meant = did_you_mean(str(name), known)
        self.findings.add("Y018", place, hint="did_you_mean" if meant else None, name=str(name), meant=meant or "")

    def all(self) -> None:
        data, names = self.scenario.data, self.names
        for where, given in self.scenario.layers:
            for n, name in enumerate(given.get("clear") or []):
                self.tell(self.scenario.place(TOP, *where, "clear", n), name, names.states)
            for name in given:
                if name != "clear":
                    self.tell(self.scenario.key_place(TOP, *where, name), name, [*names.states, "clear"])
        runs = data.get("run") or []
        for n, run in enumerate([runs] if isinstance(runs, str) else runs):
            self.run(run, ("run",) if isinstance(runs, str) else ("run", n))
        for n, item in enumerate(data.get("play") or []):
            self.item(item, ("play", n))
        self.expect(data.get("expect") or {}, ("expect",))

    def run(self, text: Any, path: tuple[Any, ...]) -> None:
        found = CALL.match(str(text))
        if found:
            self.tell(self.scenario.place(*path), found[1], self.names.procedures)

    def item(self, item: Any, path: tuple[Any, ...]) -> None:
        if isinstance(item, dict):
            for word, wanted in item.items():
                if word == "expect":
                    self.expect(wanted or {}, (*path, word))
                elif word == "run":
                    self.run(wanted, (*path, word))
                elif word == "asks":
                    self.tell(self.scenario.place(*path, word), wanted, self.names.decisions)
                else:
                    self.tell(self.scenario.key_place(*path, word), word, [*LOOKS, *STEPS, *self.names.deciders])
            return
        who, colon, _ = str(item).rpartition(":")
        if colon:
            self.tell(self.scenario.place(*path), who.strip(), self.names.deciders)

    def expect(self, wanted: dict[str, Any], path: tuple[Any, ...]) -> None:
        names, scenario = self.names, self.scenario
        for key in wanted:
            if key in names.states or key in WORDS:
                continue
            text, place = str(key), scenario.key_place(*path, key)
            if text.isidentifier():
                self.tell(place, text, [*names.states, *WORDS, *names.questions.names(), *names.constants])
            elif not scenario.data.get("house"):
                for found in names.questions.wrong(text):
                    self.findings.add(found.code, place, hint=found.hint, **found.args)
        if "asks" in wanted:
            self.tell(scenario.place(*path, "asks"), wanted["asks"], names.decisions)
        for name in wanted.get("states") or {}:
            self.tell(scenario.key_place(*path, "states", name), name, names.states)
        laws = wanted.get("law") or []
        for n, name in enumerate(laws if isinstance(laws, list) else []):
            self.tell(scenario.place(*path, "law", n), name, names.laws)
        for n, event in enumerate(wanted.get("events") or []):
            name = event if isinstance(event, str) else next(iter(event), "")
            self.tell(scenario.place(*path, "events", n), name, names.events)
