"""Scenario tests: `tests/*.yaml` beside a game's rules, written by people who do not program (schema: dsl/schemas/scenario.json).

    scenarios:
      - name: three in a row win
        play: ["anna: cell=a1", "piero: cell=b1", ...]
        expect: {over: true, standing: [anna, piero]}

This module reads them and gets the rules they ask for; scenario_run.py plays them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from ...dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList, SourceSpan, did_you_mean
from ...dsl.game.adhoc_expressions import ExpressionCompiler
from ...dsl.game.ruleset import build_variant, resolve_settings
from ...dsl.game.variants import VariantChecker
from ...dsl.packs import PackBundle, apply_packs
from ...dsl.packs.data_paths import value_names, value_path
from ...dsl.packs.overlay import PackOverlay
from ...dsl.packs.source import read_game
from ...dsl.yaml.located_yaml import MAX_TRUSTED_VALUES, LocatedYaml, read_yaml
from ...dsl.yaml.schema import find_violations
from ..library.find import GameLocation, format_path
from ..position.position import Game

LOOK_KEYS = ("asks", "offered", "not_offered")                         # what a `play` entry may look at, beside taking an option
STEP_KEYS = ("run", "expect")                                          # what else it may do
EXPECT_KEYS = ("events", "not_told", "over", "standing", "asks", "law", "states")    # of `expect`; anything else there is a state


FILE_ROOT: Any = object()                                                 # at the head of a path that begins at the top of the file


def procedure_calls(data: Mapping[str, Any]) -> list[tuple[str, tuple[Any, ...]]]:
    """The procedures that a scenario runs before anything is played, each with its path. A list in brackets is split by YAML at each comma;
    what stands within one pair of parentheses is put together again."""
    runs = data.get("run") or []
    if isinstance(runs, str):
        return [(runs, ("run",))]
    out: list[tuple[str, tuple[Any, ...]]] = []
    for n, part in enumerate(map(str, runs)):
        if out and out[-1][0].count("(") > out[-1][0].count(")"):
            out[-1] = f"{out[-1][0]}, {part}", out[-1][1]
        else:
            out.append((part, ("run", n)))
    return out


@dataclass(frozen=True)
class Scenario:
    """One test as written."""

    name: str
    clauses: tuple[str, ...]
    data: dict[str, Any]
    document: LocatedYaml
    number: int
    layers: tuple[tuple[tuple[Any, ...], dict[str, Any]], ...] = ()      # what is given, the outermost first: where it stands, and what

    def full_path(self, path: tuple[Any, ...]) -> tuple[Any, ...]:
        """The path of a part of it in its file; one that begins with TOP is of the file already."""
        return path[1:] if path[:1] == (FILE_ROOT,) else ("scenarios", self.number, *path)

    def place(self, *path: Any) -> SourceSpan:
        """Where a part of it stands."""
        return self.document.place(*self.full_path(path))

    def key_place(self, *path: Any) -> SourceSpan:
        return self.document.key_place(*self.full_path(path))

    def matches(self, text: str | None) -> bool:
        """Whether `-k TEXT` means this one: part of its name, or a clause."""
        return text is None or text.lower() in self.name.lower() or text.upper() in self.clauses


@dataclass
class ScenarioFailure:
    """What went otherwise than a scenario says: a message key of the engine's catalogue with its arguments, and where it is written."""

    place: SourceSpan
    key: str
    args: dict[str, Any] = field(default_factory=dict)
    findings: DiagnosticList | None = None                               # when rules are at fault: what they did, where


@dataclass
class ScenarioResult:
    """One scenario played."""

    scenario: Scenario
    failures: list[ScenarioFailure] = field(default_factory=list)
    broken: tuple[str, ...] = ()                                   # laws that did not hold where it began

    @property
    def has_passed(self) -> bool:
        return not self.failures

    @property
    def rule_faults(self) -> list[Diagnostic]:
        """The faults of the rules that ended it."""
        told = [failure.findings for failure in self.failures if failure.key == "test.rule_fault"]
        return [found for findings in told if findings is not None for found in findings.items]


def list_scenario_files(game: GameLocation) -> list[Path]:
    """The scenario files of a game."""
    return sorted((game.folder / "tests").glob("*.yaml"))


def read_scenarios(path: Path, findings: DiagnosticList) -> list[Scenario]:
    """The scenarios of a file that are well written; what is wrong with the others goes to `findings`."""
    document = read_yaml(path, findings, format_path(path), MAX_TRUSTED_VALUES)
    if document is None:
        return []
    wrong = find_violations(document, "scenario", findings)
    if any(where[:1] != ("scenarios",) or len(where) < 2 for where in wrong):
        return []
    broken = {where[1] for where in wrong}
    made = [resolve_scenario(document, n, raw, findings) for n, raw in enumerate(document.data["scenarios"]) if n not in broken]
    return [scenario for scenario in made if scenario is not None]


def resolve_scenario(document: LocatedYaml, number: int, raw: dict[str, Any], findings: DiagnosticList) -> Scenario | None:
    """A scenario upon its background and its position; None with a finding where a position is called that there is not."""
    grounds: list[tuple[tuple[Any, ...], dict[str, Any]]] = [(("scenarios", number), raw)]
    positions = document.data.get("positions") or {}
    while "position" in grounds[-1][1]:
        where, ground = grounds[-1]
        name = str(ground["position"])
        here = ("positions", name)
        if name not in positions or any(here == at for at, _ in grounds):
            findings.add_with_suggestion("Y016", document.place(*where, "position"), did_you_mean(name, positions), name=name)
            return None
        grounds.append((here, positions[name] or {}))
    if "background" in document.data:
        grounds.append((("background",), document.data["background"] or {}))
    grounds.reverse()
    data: dict[str, Any] = {}
    for _, ground in grounds:
        for key, value in ground.items():
            data[key] = {**(data.get(key) or {}), **(value or {})} if key in ("options", "house") else value
    layers = tuple(((*where, "given"), ground["given"]) for where, ground in grounds if ground.get("given"))
    return Scenario(raw["name"], tuple(raw.get("clauses") or ()), data, document, number, layers)


def read_pack_scenarios(laid: PackOverlay | None) -> list[Scenario]:
    """The scenarios that packs bring along."""
    made = [resolve_scenario(document, n, raw, DiagnosticList())
            for document in (laid.collect_scenarios() if laid is not None else []) for n, raw in enumerate(document.data["scenarios"])]
    return [scenario for scenario in made if scenario is not None]


VariantKey = tuple[int | None, tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]       # players, options, house rules


def parse_argument(word: str) -> Any:
    """An argument of `run` as data: a number, a truth, a word."""
    return word == "true" if word in ("true", "false") else int(word) if re.fullmatch(r"-?[0-9]{1,20}", word) else word


class ScenarioRulesets:
    """The compiled variants of one game that its scenarios ask for: read once, each made once."""

    def __init__(self, game: GameLocation, houses: Sequence[Path | PackBundle] | None = None) -> None:
        self.game, self.houses = game, list(houses or [])
        self.made: dict[VariantKey, tuple[Game | None, DiagnosticList]] = {}
        self.read = DiagnosticList()                                     # what was found when the game was read
        self.asked: dict[Game, ExpressionCompiler] = {}

    @cached_property
    def checking(self) -> VariantChecker | None:
        """The game with its packs, and what was found of its variants so far; None with `read` when it cannot be read."""
        source = read_game(self.game.folder, self.read, self.game.shown)
        if source is None:
            return None
        apply_packs(source, self.houses, self.read)
        return VariantChecker(source, DiagnosticList(), exact=True)

    @property
    def overlay(self) -> PackOverlay | None:
        """What packs laid over it."""
        return self.checking.source.laid if self.checking is not None else None

    def questions_for(self, game: Game) -> ExpressionCompiler:
        """What may be asked of a game, with what has been asked before."""
        return self.asked.setdefault(game, ExpressionCompiler(game.ruleset))

    @staticmethod
    def variant_key(scenario: Scenario) -> VariantKey:
        """The variant that a scenario asks for."""
        data = scenario.data
        house = tuple(sorted((str(k), repr(v)) for k, v in (data.get("house") or {}).items()))
        return data.get("players"), tuple(sorted((k, str(v)) for k, v in (data.get("options") or {}).items())), house

    def game_for(self, scenario: Scenario) -> tuple[Game | None, DiagnosticList]:
        """The game as the scenario wants it (None with findings when it cannot be)."""
        key = self.variant_key(scenario)
        if key not in self.made or key[2] and self.made[key][1].items:         # findings about house rules stand in the scenario
            findings = DiagnosticList()
            self.made[key] = (self.build_game(scenario, findings), findings)
        return self.made[key]

    def build_game(self, scenario: Scenario, findings: DiagnosticList) -> Game | None:
        checking, house = self.checking, scenario.data.get("house") or {}
        findings.items += self.read.items
        if checking is None:
            return None
        source = checking.source
        if house:
            source = replace(source, data=deepcopy(source.data), places=dict(source.places))
            checking = VariantChecker(source, findings, exact=True)
        for key, value in house.items():
            target = value_path(source, str(key))
            if target is None:
                findings.add_with_suggestion(
                    "H002", scenario.key_place("house", key), did_you_mean(str(key), value_names(source)), name=key
                )
                continue
            node = source.data
            for part in target[:-1]:
                node = node.setdefault(part, {})
            node[target[-1]] = value
            source.places[target] = scenario.place("house", key)
        chosen = resolve_settings(source, scenario.data.get("options") or {}, findings)
        low, high = source.player_range
        players = scenario.data.get("players") or low
        if not low <= players <= high:
            findings.add("G020", scenario.place("players"), found=players, low=low, high=high)
        if findings.errors:
            return None
        ruleset = build_variant(checking, players, chosen)
        if ruleset is None and checking.findings is not findings:
            findings.items += checking.findings.items
        return Game(ruleset) if ruleset else None
