"""The scenarios of a game, played with house-rule packs.

A scenario that names something a pack removed is dropped. A scenario that fails with packs but passes without
them may differ because of a pack. Play is deterministic, so one of these must then be true:

* It ran a line that a pack added.
* It reached a line that a pack removed.
* It read data that a pack changed.

The result names the change and its place. If no change is found, the failure is a mistake like any other. A
fault in a line of a pack is also a failure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...dsl.diagnostics.diagnostic import SourceSpan
from ...dsl.packs.overlay import PackChange, PackOverlay
from .coverage import RuleCoverage
from .scenario import Scenario, ScenarioResult
from .scenario_rulesets import ScenarioRulesets
from .scenario_runner import run_scenario

PASSED, FAILED, DROPPED, CHANGED = "passed", "failed", "dropped", "changed"
DATA_CHANGE_KINDS = ("set", "add", "remove")
NAME_PATTERN = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class PackVerdict:
    """The state of a scenario with packs, and the cause: name and place of what was removed or changed."""

    state: str
    name: str = ""
    place: SourceSpan | None = None


def classify_result(result: ScenarioResult, rules: ScenarioRulesets, bare: ScenarioRulesets) -> PackVerdict:
    """Returns how to interpret a result. `bare` is the same game without packs."""
    overlay = rules.overlay
    if result.has_passed:
        return PackVerdict(PASSED)
    if overlay is None or any(document is result.scenario.document for document in overlay.collect_scenarios()):
        return PackVerdict(FAILED)
    named = set(iter_names(result.scenario.data))
    for name in sorted(named & overlay.removed.keys()):
        return PackVerdict(DROPPED, *overlay.removed[name])
    if any(overlay.find_pack_of_file(place.path) is not None for fault in result.rule_faults for place in (fault.place, *fault.calls)):
        return PackVerdict(FAILED)
    before = RuleCoverage()
    if not run_scenario(result.scenario, bare, before).has_passed:
        return PackVerdict(FAILED)
    after = RuleCoverage()
    run_scenario(result.scenario, rules, after)
    found = find_cause(overlay, result.scenario, named, before, after)
    return PackVerdict(FAILED) if found is None else PackVerdict(CHANGED, *found)


def find_cause(
    overlay: PackOverlay, scenario: Scenario, named: set[str], before: RuleCoverage, after: RuleCoverage
) -> tuple[str, SourceSpan] | None:
    """Returns the name and place of the pack change that the scenario ran into, or None."""
    files = {pack.bundle.display_path(name): pack.name for pack in overlay.packs for name in pack.bundle.files}
    for path, line in sorted(after.lines):
        if path in files:
            return files[path], SourceSpan(path, line)
    for change in overlay.changes:
        if before.lines & set(change.lines):
            return change.name, change.place
    for change in overlay.changes:
        if named & set(NAME_PATTERN.findall(change.name)) and change.kind != "text":
            return change.name, change.place
    unsure = [change for change in overlay.changes if change.kind in DATA_CHANGE_KINDS or is_unmeasurable(change, after, files)]
    return (unsure[0].name, unsure[0].place) if unsure else None


def is_unmeasurable(change: PackChange, after: RuleCoverage, files: dict[str, str]) -> bool:
    """Whether a change is in a def without separate code, so that its lines cannot be measured."""
    return change.kind not in ("text", *DATA_CHANGE_KINDS) and any(
        path in files and files[path] == change.pack and (path, line) in after.of_defs - after.compiled for path, line in after.written)


def iter_names(data: Any) -> Iterator[str]:
    """Yields every name in the data of a scenario."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key not in ("name", "clauses"):
                yield from iter_names(key)
                yield from iter_names(value)
    elif isinstance(data, list):
        for value in data:
            yield from iter_names(value)
    elif isinstance(data, str):
        yield from NAME_PATTERN.findall(data)
