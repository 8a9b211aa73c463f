"""What becomes of a game's own scenarios under packs of house rules. One that names what a pack removed is left out. One that fails, and
passes without the packs, goes otherwise because of them: games are the same each time they are played, so it must have run a line that a
pack put there, or come by one that a pack took away, or seen what a pack changed in the data. Which of these it was is told with its place;
where it was none, the failure is a mistake like any other. So is a fault in a line of a pack."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...dsl.diagnostics.diagnostic import SourceSpan
from ...dsl.packs.overlay import PackChange, PackOverlay
from .coverage import RuleCoverage
from .scenario import Scenario, ScenarioResult, ScenarioRulesets
from .scenario_runner import run_scenario

PASSED, FAILED, DROPPED, CHANGED = "passed", "failed", "dropped", "changed"
DATA_CHANGE_KINDS = ("set", "add", "remove")
NAME_PATTERN = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class PackVerdict:
    """What a scenario of the game is under packs, and because of what: the name of what was removed or changed, and where."""

    state: str
    name: str = ""
    place: SourceSpan | None = None


def classify_result(result: ScenarioResult, rules: ScenarioRulesets, bare: ScenarioRulesets) -> PackVerdict:
    """What to think of a result; `bare`: the same game without packs."""
    laid = rules.overlay
    if result.has_passed:
        return PackVerdict(PASSED)
    if laid is None or any(document is result.scenario.document for document in laid.collect_scenarios()):
        return PackVerdict(FAILED)
    named = set(iter_names(result.scenario.data))
    for name in sorted(named & laid.removed.keys()):
        return PackVerdict(DROPPED, *laid.removed[name])
    if any(laid.find_pack_of_file(place.path) is not None for fault in result.rule_faults for place in (fault.place, *fault.calls)):
        return PackVerdict(FAILED)
    before = RuleCoverage()
    if not run_scenario(result.scenario, bare, before).has_passed:
        return PackVerdict(FAILED)
    after = RuleCoverage()
    run_scenario(result.scenario, rules, after)
    found = find_cause(laid, result.scenario, named, before, after)
    return PackVerdict(FAILED) if found is None else PackVerdict(CHANGED, *found)


def find_cause(
    laid: PackOverlay, scenario: Scenario, named: set[str], before: RuleCoverage, after: RuleCoverage
) -> tuple[str, SourceSpan] | None:
    """The change of a pack that a scenario ran into: what it is called, and where it stands."""
    files = {pack.bundle.display_path(name): pack.name for pack in laid.packs for name in pack.bundle.files}
    for path, line in sorted(after.lines):
        if path in files:
            return files[path], SourceSpan(path, line)
    for change in laid.changes:
        if before.lines & set(change.lines):
            return change.name, change.place
    for change in laid.changes:
        if named & set(NAME_PATTERN.findall(change.name)) and change.kind != "text":
            return change.name, change.place
    unsure = [change for change in laid.changes if change.kind in DATA_CHANGE_KINDS or is_unmeasurable(change, after, files)]
    return (unsure[0].name, unsure[0].place) if unsure else None


def is_unmeasurable(change: PackChange, after: RuleCoverage, files: dict[str, str]) -> bool:
    """Whether a change stands in a def, which may be worked out where it is used: of its lines nothing can be said."""
    return change.kind not in ("text", *DATA_CHANGE_KINDS) and any(
        path in files and files[path] == change.pack and (path, line) in after.of_defs - after.compiled for path, line in after.written)


def iter_names(data: Any) -> Iterator[str]:
    """Every name that a scenario writes."""
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
