"""Scenario tests: `tests/*.yaml` next to the rules of a game. They need no programming (schema:
dsl/schemas/scenario.json).

    scenarios:
      - name: three in a row win
        play: ["anna: cell=a1", "piero: cell=b1", ...]
        expect: {over: true, standing: [anna, piero]}

This module reads scenarios and builds the game variants that they need. scenario_runner.py plays them."""

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
from ...dsl.packs.source import format_player_range, read_game
from ...dsl.yaml.located_yaml import MAX_TRUSTED_VALUES, LocatedYaml, read_yaml
from ...dsl.yaml.schema import find_violations
from ..library.find import GameLocation, format_path
from ..position.position import Game

LOOK_KEYS = ("asks", "offered", "not_offered")                         # keys of a `play` entry that check the decision
STEP_KEYS = ("run", "expect")                                          # its other keys
EXPECT_KEYS = ("events", "not_told", "over", "standing", "asks", "law", "states")    # keys of `expect`; any other key is a state


FILE_ROOT: Any = object()                                                 # the first part of a path from the top of the file


def procedure_calls(data: Mapping[str, Any]) -> list[tuple[str, tuple[Any, ...]]]:
    """Returns the procedures that a scenario runs before play, each with its path.

    YAML splits a list in brackets at every comma. This function joins the parts within one pair of parentheses
    again."""
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
    """One scenario, with its background and position merged in."""

    name: str
    clauses: tuple[str, ...]
    data: dict[str, Any]
    document: LocatedYaml
    number: int
    layers: tuple[tuple[tuple[Any, ...], dict[str, Any]], ...] = ()      # paths and values of `given`, outermost first

    def full_path(self, path: tuple[Any, ...]) -> tuple[Any, ...]:
        """Returns the path in the file of a part of the scenario. A path that starts with FILE_ROOT already is one."""
        return path[1:] if path[:1] == (FILE_ROOT,) else ("scenarios", self.number, *path)

    def place(self, *path: Any) -> SourceSpan:
        """Returns the place of a part of the scenario in its file."""
        return self.document.place(*self.full_path(path))

    def key_place(self, *path: Any) -> SourceSpan:
        """Returns the place of the key of a part of the scenario."""
        return self.document.key_place(*self.full_path(path))

    def matches(self, text: str | None) -> bool:
        """Whether `-k TEXT` selects this scenario, by a part of its name or by a clause."""
        return text is None or text.lower() in self.name.lower() or text.upper() in self.clauses


@dataclass
class ScenarioFailure:
    """A difference from what a scenario expects: a message key with arguments, and the place in the scenario."""

    place: SourceSpan
    key: str
    args: dict[str, Any] = field(default_factory=dict)
    findings: DiagnosticList | None = None                               # for a fault of the rules: its diagnostics


@dataclass
class ScenarioResult:
    """The result of one scenario."""

    scenario: Scenario
    failures: list[ScenarioFailure] = field(default_factory=list)
    broken: tuple[str, ...] = ()                                   # invariants that did not hold at the start

    @property
    def has_passed(self) -> bool:
        return not self.failures

    @property
    def rule_faults(self) -> list[Diagnostic]:
        """The faults of the rules that ended the scenario."""
        told = [failure.findings for failure in self.failures if failure.key == "test.rule_fault"]
        return [found for findings in told if findings is not None for found in findings.items]


def list_scenario_files(game: GameLocation) -> list[Path]:
    """Returns the scenario files of a game."""
    return sorted((game.folder / "tests").glob("*.yaml"))


def read_scenarios(path: Path, findings: DiagnosticList) -> list[Scenario]:
    """Returns the valid scenarios of a file. Problems of the others are added to `findings`."""
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
    """Returns a scenario with its background and its positions merged in.

    Returns None, with a diagnostic, if it refers to an unknown position."""
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


def read_pack_scenarios(overlay: PackOverlay | None, findings: DiagnosticList | None = None) -> list[Scenario]:
    """Returns the valid scenarios that packs contain. Problems of the others are added to `findings`."""
    made = [
        resolve_scenario(document, n, raw, findings if findings is not None else DiagnosticList())
        for document in (overlay.collect_scenarios() if overlay is not None else [])
        for n, raw in enumerate(document.data["scenarios"])
    ]
    return [scenario for scenario in made if scenario is not None]


VariantKey = tuple[int | None, tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]       # players, options, house rules


def parse_argument(word: str) -> Any:
    """Returns an argument of `run` as data: a number, a boolean or a word."""
    return word == "true" if word in ("true", "false") else int(word) if re.fullmatch(r"-?[0-9]{1,20}", word) else word


class ScenarioRulesets:
    """The variants of one game that its scenarios need. The game is read once, and each variant is built once."""

    def __init__(self, game: GameLocation, pack_sources: Sequence[Path | PackBundle] | None = None) -> None:
        self.game, self.pack_sources = game, list(pack_sources or [])
        self.made: dict[VariantKey, tuple[Game | None, DiagnosticList]] = {}
        self.read = DiagnosticList()                                     # diagnostics of the game itself
        self.asked: dict[Game, ExpressionCompiler] = {}

    @cached_property
    def checking(self) -> VariantChecker | None:
        """The game with its packs and the check results so far. None, with diagnostics in `read`, if it cannot be read."""
        source = read_game(self.game.folder, self.read, self.game.shown)
        if source is None:
            return None
        apply_packs(source, self.pack_sources, self.read)
        return VariantChecker(source, DiagnosticList(), exact=True)

    @property
    def overlay(self) -> PackOverlay | None:
        """The overlay of the packs over the game."""
        return self.checking.source.overlay if self.checking is not None else None

    def questions_for(self, game: Game) -> ExpressionCompiler:
        """Returns the evaluator of expressions for a game, with its cache."""
        return self.asked.setdefault(game, ExpressionCompiler(game.ruleset))

    @staticmethod
    def variant_key(scenario: Scenario) -> VariantKey:
        """Returns the variant that a scenario needs: players, options, house rules."""
        data = scenario.data
        house = tuple(sorted((str(k), repr(v)) for k, v in (data.get("house") or {}).items()))
        return data.get("players"), tuple(sorted((k, str(v)) for k, v in (data.get("options") or {}).items())), house

    def get_game(self, scenario: Scenario) -> tuple[Game | None, DiagnosticList]:
        """Returns the game as the scenario needs it, or None with diagnostics if it cannot be built."""
        key = self.variant_key(scenario)
        if key not in self.made or key[2] and self.made[key][1].items:         # their places are in the scenario
            findings = DiagnosticList()
            self.made[key] = (self.build_game(scenario, findings), findings)
        return self.made[key]

    def build_game(self, scenario: Scenario, findings: DiagnosticList) -> Game | None:
        """Builds the variant of the game for a scenario, with its house rules and options."""
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
            findings.add("G020", scenario.place("players"), found=players, players=format_player_range(source))
        if findings.errors:
            return None
        ruleset = build_variant(checking, players, chosen)
        if ruleset is None and checking.findings is not findings:
            findings.items += checking.findings.items
        return Game(ruleset) if ruleset else None
