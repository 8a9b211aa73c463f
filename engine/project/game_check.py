"""One check of a game, and how its passes run. `passes.py` lists the passes.

Two drivers use it. `check.py` runs every pass once. `incremental_check.py` skips a pass whose inputs are the same as in
the last check, and repeats its result."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from ...dsl.analysis.decision_points import find_decision_points, find_event_points
from ...dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList
from ...dsl.diagnostics.safe_read import read_bytes
from ...dsl.game.variants import Variant, VariantChecker, list_variants
from ...dsl.packs import PackBundle, apply_packs
from ...dsl.packs.overlay import PackOverlay
from ...dsl.packs.source import GameSource, read_game, report_unreadable_files
from ...dsl.yaml.located_yaml import LocatedYaml
from ..i18n.check_texts import FieldTypes
from ..i18n.message_sources import TextDomain
from ..i18n.readers import Text
from ..library.find import RULES_FOLDER, GameLocation
from ..testing.scenario import Scenario

NON_DATA_FILES = ("messages.yaml", "clauses.yaml", "table.yaml", "notation.yaml")         # YAML files without data of the game


@dataclass(frozen=True)
class Pass:
    """One check of a game.

        name    its name, different from all others
        inputs  returns all that the result depends on, or None if comparing costs more than checking again
        run     adds diagnostics to a list, and returns the value for `gives`
        gives   attribute of GameCheck that holds the value for later passes
        slow    whether the check is left out while somebody edits the game"""

    name: str
    inputs: Callable[[GameCheck], Any] | None
    run: Callable[[GameCheck, DiagnosticList], Any]
    gives: str = ""
    slow: bool = False


class PassMemo:
    """The last result of each pass, with the inputs that it was computed from."""

    def __init__(self) -> None:
        self.results: dict[str, tuple[Any, Any]] = {}

    def compute_once(self, name: str, inputs: Any, make: Callable[[], Any]) -> Any:
        """Returns the last result under this name if the inputs are the same. Otherwise calls `make`."""
        if name not in self.results or self.results[name][0] != inputs:
            self.results[name] = (inputs, make())
        return self.results[name][1]


@dataclass
class GameCheck:
    """One check of a game: what passes read, and what they have found.

        found      the game
        checking   checks the variants. None if the data cannot be read
        findings   the diagnostics so far
        scenarios  the game's own scenarios
        tests      errors in scenario files. They do not hide other diagnostics
        root       the original folder if `found` is a copy
        quick      leaves out slow passes
        tolerant   runs later stages although earlier ones found errors
        memo       the results of the last check. Without it, every pass runs
        files      content of the game's files, by relative name. Only inputs use it
        outline    a key of everything in the rules but the bodies of procedures. Only inputs use it"""

    found: GameLocation
    checking: VariantChecker | None
    findings: DiagnosticList
    scenarios: Sequence[Scenario] = ()
    tests: DiagnosticList = field(default_factory=DiagnosticList)
    root: Path | None = None
    quick: bool = False
    tolerant: bool = False
    memo: PassMemo | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)
    outline: Hashable = None

    variants: list[Variant] = field(default_factory=list)          # those without errors
    distinct: list[Variant] = field(default_factory=list)          # one of each group with the same analyses

    # values that passes give
    panels: LocatedYaml | None = None
    drawn: set[str] = field(default_factory=set)
    domain: TextDomain = field(init=False)
    clause_fields: FieldTypes = field(default_factory=dict)
    fields: FieldTypes = field(default_factory=dict)
    parts: set[str] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)
    used: dict[str, set[str]] = field(default_factory=dict)

    @property
    def source(self) -> GameSource:
        """The game's data, with packs applied."""
        assert self.checking is not None
        return self.checking.source

    @property
    def overlay(self) -> PackOverlay | None:
        """The packs of the game, or None."""
        return self.source.overlay

    @property
    def first(self) -> Variant:
        """The first variant without errors. In many regards it stands for all."""
        return self.variants[0]

    @cached_property
    def shipped(self) -> bool:
        """Whether the game is part of Ludoglot. A game in development may lack languages."""
        return (self.root or self.found.folder).resolve().is_relative_to(RULES_FOLDER)

    @property
    def pack_texts(self) -> Mapping[str, Text]:
        """The English texts of packs."""
        return self.overlay.texts.source if self.overlay is not None else {}

    @cached_property
    def texts(self) -> list[Text]:
        """All English texts of the game, also those that a pack replaces."""
        return [*self.domain.english.values(), *self.pack_texts.values()]

    @property
    def has_play_texts(self) -> bool:
        """Whether a game has texts for its decisions or events. Only then is a missing text likely a mistake."""
        return any(message.key.startswith(("ask.", "option.", "event.")) for message in self.domain.messages)

    def steps(self, stages: Sequence[Sequence[Pass]]) -> Iterator[None]:
        """Runs the whole check, step by step."""
        yield from self.check_variants()
        yield from self.run_passes(stages)
        self.finish()

    def check_variants(self) -> Iterator[None]:
        """Checks the rules of each variant, one in each step."""
        if self.checking is None:
            return
        for players, settings in list_variants(self.source):
            variant = self.checking.check_variant(players, settings)
            if variant is not None:
                self.variants.append(variant)
                if all(variant.facts.effects is not other.facts.effects for other in self.distinct):
                    self.distinct.append(variant)
            yield
        for doubt in self.checking.always or []:
            self.checking.forward_diagnostic(doubt)

    def run_passes(self, stages: Sequence[Sequence[Pass]]) -> Iterator[None]:
        """Runs the passes, one in each step.

        A stage runs only if the rules and all earlier stages have no errors, unless the check is tolerant. The first stage
        always runs."""
        if self.checking is None:
            return
        for number, stage in enumerate(stages):
            if number > 0 and (not self.variants or self.findings.errors and not self.tolerant):
                return
            for one in stage:
                if not (one.slow and self.quick):
                    self.run_pass(one)
                    yield

    def run_pass(self, one: Pass) -> None:
        """Runs a pass, unless the memo has its result, and stores its value."""
        make = partial(self.compute_pass, one)
        if self.memo is None or one.inputs is None:
            value, items = make()
        else:
            value, items = self.memo.compute_once(one.name, one.inputs(self), make)
        if one.gives:
            setattr(self, one.gives, value)
        for item in items:
            self.findings.add_diagnostic(item)

    def compute_pass(self, one: Pass) -> tuple[Any, list[Diagnostic]]:
        """Returns the value and the diagnostics of a pass."""
        own = DiagnosticList()
        value = one.run(self, own)
        return value, own.items

    def finish(self) -> None:
        """Completes the diagnostics: errors in scenario files, used names, and files that cannot be read."""
        self.findings.items = [one for one in self.findings.items if not is_name_used(one, self.used) and not self.is_unused_by_packs(one)]
        for item in self.tests.items:
            self.findings.add_diagnostic(item)
        report_unreadable_files(self.found.folder, self.found.shown, self.findings)

    def is_unused_by_packs(self, one: Diagnostic) -> bool:
        """Whether a finding says that something of the game itself is unused. With packs that is no mistake."""
        overlay = self.overlay if self.checking is not None else None
        return overlay is not None and one.code in ("W101", "W102", "W103") and overlay.find_pack_of_file(one.place.path) is None

    # ------------------------------------------------------------ inputs

    @cached_property
    def data(self) -> Any:
        """The files that contain the game's data."""
        return select_data_files(self.files)

    @property
    def text_files(self) -> Any:
        """The files that contain the game's texts, except those in its data."""
        return self.files.get("messages.yaml"), self.files.get("clauses.yaml")

    @cached_property
    def scenario_files(self) -> Any:
        """The scenario files. Diagnostics contain line numbers, so every character counts."""
        return [(name, raw) for name, raw in self.files.items() if name.startswith("tests/")]

    @cached_property
    def public_names(self) -> Any:
        """The defs that texts may use."""
        return [sorted(variant.public_defs) for variant in self.distinct]

    @cached_property
    def decision_names(self) -> Any:
        """The keys of events and decisions."""
        return [([event.key for event in find_event_points(variant.program, variant.facts.secrecy)],
                 [(decision.key, *decision.entries) for decision in find_decision_points(variant.program, variant.facts)])
                for variant in self.distinct]


def is_name_used(diagnostic: Diagnostic, used: Mapping[str, set[str]]) -> bool:
    """Whether a diagnostic says that a name is unused, but texts or the table use it."""
    return diagnostic.args.get("name") in used.get(diagnostic.code, ())


def select_data_files(files: Mapping[str, bytes]) -> tuple[tuple[str, bytes], ...]:
    """Returns the files that contain the game's data."""
    return tuple((name, raw) for name, raw in files.items()
                 if name.endswith(".yaml") and not name.startswith(("tests/", "locale/")) and name not in NON_DATA_FILES)


def read_content(path: Path) -> bytes | None:
    """Returns the content of a file, or None if it cannot be read."""
    try:
        return read_bytes(path)
    except (OSError, ValueError):
        return None


def read_files(folder: Path) -> dict[str, bytes]:
    """Returns the content of every readable file of a game, by relative name. The reader reports the others."""
    found = {path.relative_to(folder).as_posix(): read_content(path) for path in sorted(folder.rglob("*"))}
    return {name: raw for name, raw in found.items() if raw is not None}


def read_with_packs(location: GameLocation, pack_sources: Sequence[Path | PackBundle], findings: DiagnosticList) -> GameSource | None:
    """Returns a game's data with house rules applied, or None."""
    source = read_game(location.folder, findings, location.shown)
    return source if source is not None and apply_packs(source, pack_sources, findings) else None
