"""Scenario tests: `tests/*.yaml` next to the rules of a game. They need no programming (schema:
dsl/schemas/scenario.json).

    scenarios:
      - name: three in a row win
        play: ["anna: cell=a1", "piero: cell=b1", ...]
        expect: {over: true, standing: [anna, piero]}

This module reads scenarios. scenario_rulesets.py builds the game variants that they need, and scenario_runner.py plays
them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList, SourceSpan, did_you_mean
from ...dsl.packs.overlay import PackOverlay
from ...dsl.yaml.located_yaml import MAX_TRUSTED_VALUES, LocatedYaml, read_yaml
from ...dsl.yaml.schema import find_violations
from ..library.find import GameLocation, format_path

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


def parse_argument(word: str) -> Any:
    """Returns an argument of `run` as data: a number, a boolean or a word."""
    return word == "true" if word in ("true", "false") else int(word) if re.fullmatch(r"-?[0-9]{1,20}", word) else word
