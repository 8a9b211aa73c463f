"""Incremental check of a game while somebody edits it: what has not changed is not computed again.

The diagnostics are the same as those of `check`, except for Python's limits on the size of rules."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from ...dsl.analysis.results import AnalysisResults
from ...dsl.check.checker import check_procedures, check_rules
from ...dsl.check.scope import CheckedProgram
from ...dsl.core.lower import lower_states
from ...dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList
from ...dsl.game.variants import VariantChecker, list_variants, variant_key
from ...dsl.model.build_model import make_model
from ...dsl.model.model import GameModel
from ...dsl.packs.overlay import ALL_VARIANT_CODES
from ...dsl.packs.source import GameSource, read_game
from ...dsl.syntax import tree
from ...dsl.syntax.incremental_parse import IncrementalParser
from ...dsl.syntax.parse import read_rule_files
from ..library.find import GameLocation
from ..testing.scenario import Scenario, list_scenario_files, read_scenarios
from .game_check import GameCheck, PassMemo, is_name_used, read_files, select_data_files
from .passes import PASSES

ParsedFiles = list[tuple[str, list[tree.Node]]]
DEFERRED_CODES = ("W101", "W103")                # unused names: texts and the table may still use them


@dataclass
class GameCheckState:
    """The current knowledge about a game: its data, and its rules as far as they can be parsed."""

    source: GameSource | None = None
    files: ParsedFiles = field(default_factory=list)

    @cached_property
    def rule_declarations(self) -> CheckedProgram | None:
        """The checked declarations, for the minimum number of players and the default options."""
        model = make_model(self.source, None, {}, DiagnosticList()) if self.source is not None else None
        return check_rules(model, self.files, DiagnosticList()) if model is not None else None


@dataclass(frozen=True)
class GameCheckProgress:
    """The diagnostics so far. `whole`: the check is complete."""

    findings: list[Diagnostic]
    whole: bool


class IncrementalChecker:
    """Checks one game incrementally. `root` is its original folder if `found` is a copy."""

    def __init__(self, location: GameLocation, root: Path | None = None) -> None:
        self.found, self.root = location, root
        self.memo = PassMemo()
        self.pieces: dict[str, IncrementalParser] = {}
        self.clean: set[int] = set()                               # shapes without diagnostics, for the rules of `outline`
        self.outline: Hashable = None
        self.current_outline: Hashable = None                      # a key of everything in the rules but the bodies of procedures
        self.bodies: dict[str, list[str]] = {}                     # by file, the declarations when these shapes were clean
        self.rest: list[Diagnostic] = []                           # last complete check: diagnostics beyond names and types
        self.used: dict[str, set[str]] = {}                        # names that texts and the table use, by code
        self.known = GameCheckState()

    def check(self) -> list[Diagnostic]:
        """Runs the complete check and returns all diagnostics."""
        return [step for step in self.steps() if step is not None][-1].findings

    def steps(self) -> Iterator[GameCheckProgress | None]:
        """Runs the check in steps, so that a caller can do other work in between.

        Yields the progress where there are new diagnostics, otherwise None."""
        files = read_files(self.found.folder)
        data = select_data_files(files)
        source, wrong = self.memo.compute_once("source", data, self.read_source)
        findings = DiagnosticList(wrong)
        self.known = GameCheckState(source)
        if source is not None:
            yield self.check_names(source, findings)
            if not findings.errors:
                self.sparing.check_variant(*list_variants(source)[0])
        early = list(findings.items)
        yield GameCheckProgress(self.partial_result(findings), False)
        tests = DiagnosticList()
        scenarios: list[Scenario] = []
        for path in list_scenario_files(self.found):
            read, told = self.memo.compute_once(
                f"scenarios {path.name}", files.get(f"tests/{path.name}"), partial(self.read_scenario_file, path)
            )
            scenarios += read
            tests.items += told
            yield None
        check = GameCheck(self.found, self.sparing if source is not None else None, findings, scenarios, tests, self.root, quick=True,
                          memo=self.memo, files=files, outline=self.current_outline)
        if source is not None:
            self.sparing.models = self.memo.compute_once("models", data, lambda: self.build_models(source))
            yield None
        yield from check.check_variants()
        if source is not None and not findings.errors:
            self.sparing.commit_clean()
        yield from check.run_passes(PASSES)
        check.finish()
        if source is not None:
            self.used = check.used or self.used
            self.rest = [one for one in findings.items if one not in early and one.code not in DEFERRED_CODES]
        yield GameCheckProgress(findings.in_source_order(), True)

    def partial_result(self, findings: DiagnosticList) -> list[Diagnostic]:
        """Returns the diagnostics before the check is complete. For the rest, those of the last check are repeated."""
        used = self.used
        early = [one for one in findings.items if one.code not in DEFERRED_CODES or used and not is_name_used(one, used)]
        return DiagnosticList([*early, *([] if findings.errors else self.rest)]).in_source_order()

    # ------------------------------------------------------------ reading

    def read_source(self) -> tuple[GameSource | None, list[Diagnostic]]:
        """Reads the game's data. Returns it with its diagnostics."""
        own = DiagnosticList()
        return read_game(self.found.folder, own, self.found.shown), own.items

    def read_scenario_file(self, path: Path) -> tuple[list[Scenario], list[Diagnostic]]:
        """Reads one scenario file. Returns the scenarios with their diagnostics."""
        own = DiagnosticList()
        return read_scenarios(path, own), own.items

    def build_models(self, source: GameSource) -> dict[Hashable, tuple[GameModel | None, list[Diagnostic]]]:
        """Returns the data model of each variant, with its diagnostics."""
        out: dict[Hashable, tuple[GameModel | None, list[Diagnostic]]] = {}
        for players, settings in list_variants(source):
            own = DiagnosticList()
            out[variant_key(players, settings)] = make_model(source, players, settings, own), own.items
        return out

    def parse_rules(self, source: GameSource, findings: DiagnosticList) -> ParsedFiles:
        """Parses the rule files. Unchanged declarations are not parsed again."""
        files = read_rule_files(self.found.folder, source.data["rules"], self.found.shown, findings)
        return [(shown, self.pieces.setdefault(name, IncrementalParser()).parse(text, shown, findings)) for name, shown, text in files]

    # ------------------------------------------------------------ names and types

    def check_names(self, source: GameSource, findings: DiagnosticList) -> GameCheckProgress:
        """Checks names and types for the first variant. Most mistakes show up here."""
        own = DiagnosticList()
        files = self.known.files = self.parse_rules(source, own)
        findings.items += own.items
        self.current_outline = None if own.errors else repr([(name, pieces.outline()) for name, pieces in self.pieces.items()])
        self.sparing = IncrementalVariantChecker(replace(source, files=files), findings, self, not own.errors)
        seen = DiagnosticList(findings.items)
        if not own.errors:
            model = self.sparing.build_model(*list_variants(source)[0], seen)
            if model is not None:
                before = len(seen.items)
                self.known.rule_declarations = self.sparing.first_of = check_rules(model, files, seen)
                self.sparing.first_found = seen.items[before:]
                seen.items = [one for one in seen.items if one.code not in ALL_VARIANT_CODES]
        return GameCheckProgress(self.partial_result(seen), False)

    def find_changed_procedures(self) -> set[int] | None:
        """Returns the ids of the declarations whose bodies have changed since shapes were last found clean.

        Returns None if anything else has changed."""
        if self.outline is None or self.current_outline != self.outline:
            return None
        found: set[int] = set()
        for name, pieces in self.pieces.items():
            for was, text, nodes in zip(self.bodies[name], pieces.texts, pieces.nodes):
                if was != text:
                    found |= {id(node) for node in nodes}
        return found


class IncrementalVariantChecker(VariantChecker):
    """Checks variants and, for shapes that were clean before, only the procedures that have changed.

    `readable`: all rule files could be parsed."""

    def __init__(self, source: GameSource, findings: DiagnosticList, warm: IncrementalChecker, readable: bool) -> None:
        super().__init__(source, findings)
        self.warm, self.readable = warm, readable
        self.models: dict[Hashable, tuple[GameModel | None, list[Diagnostic]]] = {}
        self.changed = warm.find_changed_procedures() if readable else None
        self.found_clean: set[int] = set()
        self.first_found: list[Diagnostic] = []
        self.first_of: CheckedProgram | None = None                      # declarations of the first variant

    def check_rules(self, model: GameModel, findings: DiagnosticList) -> CheckedProgram:
        first, self.first_of = self.first_of, None
        if first is None:
            return super().check_rules(model, findings)
        findings.items += self.first_found
        return first

    def build_model(self, players: int, settings: dict[str, Any], findings: DiagnosticList) -> GameModel | None:
        known = self.models.get(variant_key(players, settings))
        if known is None:
            return super().build_model(players, settings, findings)
        findings.items += known[1]
        return known[0]

    def parse_rules(self, model: GameModel) -> bool:
        return self.readable and super().parse_rules(model)

    def check_and_analyse(self, model: GameModel) -> tuple[AnalysisResults, bool] | None:
        shape = hash(model.shape_key())
        alike = self.first.get(model.names_key())
        if self.changed is not None and shape in self.warm.clean and self.files is not None:
            own = DiagnosticList()
            declared = check_procedures(model, self.files, own, self.changed)
            if own.errors:
                self.always = []
                own.items = [one for one in own.items if one.code not in ALL_VARIANT_CODES]
                self.forward_diagnostics(own)
                return None
            if not own.items and alike is not None:
                self.always = []
                self.found_clean.add(shape)
                return replace(alike, program=replace(alike.program, model=model, states=lower_states(declared))), False
        before, doubts = len(self.findings.items), self.always
        self.always = None
        found = super().check_and_analyse(model)
        new: list[Diagnostic] = list(self.always or [])
        self.always = new if doubts is None else [one for one in doubts if one in new]
        if found is not None and not new and len(self.findings.items) == before:
            self.found_clean.add(shape)
        return found

    def commit_clean(self) -> None:
        """Stores which shapes are clean, for the next check."""
        warm = self.warm
        warm.clean, warm.outline = self.found_clean, warm.current_outline
        warm.bodies = {name: pieces.texts for name, pieces in warm.pieces.items()}
