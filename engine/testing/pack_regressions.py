"""What becomes of a game's own scenarios under packs of house rules. One that names what a pack removed is left out. One that fails, and
passes without the packs, goes otherwise because of them: games are the same each time they are played, so it must have run a line that a
pack put there, or come by one that a pack took away, or seen what a pack changed in the data. Which of these it was is told with its place;
where it was none, the failure is a mistake like any other. So is a fault in a line of a pack."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...dsl.diagnostics.diagnostic import Place
from ...dsl.packs.overlay import Change, Laid
from .coverage import Coverage
from .scenario import Result, Rules, Scenario
from .scenario_runner import run_scenario

PASSED, FAILED, DROPPED, CHANGED = "passed", "failed", "dropped", "changed"
OF_DATA = ("set", "add", "remove")
NAME = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class Verdict:
    """What a scenario of the game is under packs, and because of what: the name of what was removed or changed, and where."""

    state: str
    name: str = ""
    place: Place | None = None


def verdict(result: Result, rules: Rules, bare: Rules) -> Verdict:
    """What to think of a result; `bare`: the same game without packs."""
    laid = rules.laid
    if result.passed:
        return Verdict(PASSED)
    if laid is None or any(document is result.scenario.document for document in laid.tests()):
        return Verdict(FAILED)
    named = set(names_in(result.scenario.data))
    for name in sorted(named & laid.removed.keys()):
        return Verdict(DROPPED, *laid.removed[name])
    if any(laid.file_of(place.path) is not None for fault in result.faults for place in (fault.place, *fault.calls)):
        return Verdict(FAILED)
    before = Coverage()
    if not run_scenario(result.scenario, bare, before).passed:
        return Verdict(FAILED)
    after = Coverage()
    run_scenario(result.scenario, rules, after)
    found = cause(laid, result.scenario, named, before, after)
    return Verdict(FAILED) if found is None else Verdict(CHANGED, *found)


def cause(laid: Laid, scenario: Scenario, named: set[str], before: Coverage, after: Coverage) -> tuple[str, Place] | None:
    """The change of a pack that a scenario ran into: what it is called, and where it stands."""
    files = {pack.bundle.place_of(name): pack.name for pack in laid.packs for name in pack.bundle.files}
    for path, line in sorted(after.lines):
        if path in files:
            return files[path], Place(path, line)
    for change in laid.changes:
        if before.lines & set(change.lines):
            return change.name, change.place
    for change in laid.changes:
        if named & set(NAME.findall(change.name)) and change.kind != "text":
            return change.name, change.place
    unsure = [change for change in laid.changes if change.kind in OF_DATA or unseen(change, after, files)]
    return (unsure[0].name, unsure[0].place) if unsure else None


def unseen(change: Change, after: Coverage, files: dict[str, str]) -> bool:
    """Whether a change stands in a def, which may be worked out where it is used: of its lines nothing can be said."""
    return change.kind not in ("text", *OF_DATA) and any(
        path in files and files[path] == change.pack and (path, line) in after.of_defs - after.compiled for path, line in after.written)


def names_in(data: Any) -> Iterator[str]:
    """Every name that a scenario writes."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key not in ("name", "clauses"):
                yield from names_in(key)
                yield from names_in(value)
    elif isinstance(data, list):
        for value in data:
            yield from names_in(value)
    elif isinstance(data, str):
        yield from NAME.findall(data)
