"""Incremental check of a game while somebody edits it: what has not changed is not computed again.

The diagnostics are the same as those of `check`, except for Python's limits on the size of rules."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from ...dsl.analysis.decision_points import find_decision_points, find_event_points
from ...dsl.analysis.results import AnalysisResults
from ...dsl.check.checker import check_procedures, check_rules
from ...dsl.check.scope import CheckedProgram
from ...dsl.core.lower import lower_states
from ...dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList
from ...dsl.diagnostics.safe_read import read_bytes
from ...dsl.game.notation_config import check_notation, read_notation
from ...dsl.game.table_config import check_table_config, read_table_config
from ...dsl.game.variants import ALL_VARIANT_CODES, Variant, VariantChecker
from ...dsl.model.build_model import make_model
from ...dsl.model.model import GameModel
from ...dsl.packs.source import GameSource, read_game, report_unreadable_files
from ...dsl.syntax import tree
from ...dsl.syntax.incremental_parse import IncrementalParser
from ...dsl.syntax.parse import read_file
from ..i18n.check_chance import check_chance
from ..i18n.check_texts import check_domain as check_words
from ..i18n.check_unused_texts import check_unused_texts, iter_known_keys
from ..i18n.languages import LANGUAGES
from ..i18n.message_sources import game_domain
from ..i18n.readers import SHIPPED_LOCALE, catalogue_path, lexicon_path
from ..library.find import RULES_FOLDER, GameLocation
from ..testing.scenario import Scenario, list_scenario_files, read_scenarios
from ..testing.scenario_lint import check_scenarios
from ..testing.traceability import check_clauses
from . import check as game_check
from .check_unused import check_unused

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

    def __init__(self, found: GameLocation, root: Path | None = None) -> None:
        self.found = found
        self.shipped = (root or found.folder).resolve().is_relative_to(RULES_FOLDER)
        self.memo: dict[str, tuple[Any, Any]] = {}
        self.pieces: dict[str, IncrementalParser] = {}
        self.clean: set[int] = set()                               # shapes without diagnostics, for the rules of `outline`
        self.outline: Hashable = None
        self.bodies: dict[str, list[str]] = {}                     # by file, the declarations when these shapes were clean
        self.rest: list[Diagnostic] = []                           # last complete check: diagnostics beyond names and types
        self.used: set[str] | None = None                          # names that texts and the table use
        self.each: list[tuple[int, dict[str, Any]]] = []           # all variants: players and options
        self.known = GameCheckState()

    def compute_once(self, name: str, key: Any, make: Callable[[], Any]) -> Any:
        """Returns the last result of `make` under this name if the key is the same. Otherwise calls `make`."""
        if name not in self.memo or self.memo[name][0] != key:
            self.memo[name] = (key, make())
        return self.memo[name][1]

    def check(self) -> list[Diagnostic]:
        """Runs the complete check and returns all diagnostics."""
        return [step for step in self.steps() if step is not None][-1].findings

    def steps(self) -> Iterator[GameCheckProgress | None]:
        """Runs the check in steps, so that a caller can do other work in between.

        Yields the progress where there are new diagnostics, otherwise None."""
        texts = self.read_files()
        data = self.select_data_files(texts)
        source, wrong = self.compute_once("source", data, self.read_source)
        findings = DiagnosticList(wrong)
        self.known = GameCheckState(source)
        if source is not None:
            self.each = self.compute_once("variants", data, partial(game_check.list_variants, source))
            yield self.check_names(source, findings)
            if not findings.errors:
                self.sparing.check_variant(*self.each[0])
        early = list(findings.items)
        yield GameCheckProgress(self.partial_result(findings), False)
        tests = DiagnosticList()
        scenarios: list[Scenario] = []
        for path in list_scenario_files(self.found):
            read, told = self.compute_once(
                f"scenarios {path.name}", texts.get(f"tests/{path.name}"), partial(self.read_scenario_file, path)
            )
            scenarios += read
            tests.items += told
            yield None
        if source is not None:
            yield from self.check_rest(source, scenarios, findings, tests, texts, data)
            self.rest = [one for one in findings.items if one not in early and one.code not in DEFERRED_CODES]
        else:
            findings.items += tests.items
        report_unreadable_files(self.found.folder, self.found.shown, findings)
        yield GameCheckProgress(findings.in_source_order(), True)

    def partial_result(self, findings: DiagnosticList) -> list[Diagnostic]:
        """Returns the diagnostics before the check is complete. For the rest, those of the last check are repeated."""
        used = self.used
        early = [one for one in findings.items if one.code not in DEFERRED_CODES or used is not None and one.args.get("name") not in used]
        return DiagnosticList([*early, *([] if findings.errors else self.rest)]).in_source_order()

    # ------------------------------------------------------------ reading

    def read_files(self) -> dict[str, bytes]:
        """Returns the content of every readable file of the game, by relative name."""
        folder = self.found.folder
        found: dict[str, bytes] = {}
        for path in sorted(folder.rglob("*")):
            raw = read_content(path)
            if raw is not None:                                    # the reader reports unreadable files
                found[path.relative_to(folder).as_posix()] = raw
        return found

    def select_data_files(self, texts: dict[str, bytes]) -> tuple[Any, ...]:
        """Returns the files that contain the game's data."""
        return tuple((name, raw) for name, raw in texts.items()
                     if name.endswith(".yaml") and not name.startswith(("tests/", "locale/"))
                     and name not in ("messages.yaml", "clauses.yaml", "table.yaml", "notation.yaml"))

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
        for players, settings in self.each:
            own = DiagnosticList()
            out[variant_key(players, settings)] = make_model(source, players, settings, own), own.items
        return out

    def parse_rules(self, source: GameSource, findings: DiagnosticList) -> ParsedFiles:
        """Parses the rule files. Unchanged declarations are not parsed again."""
        files = []
        for name in source.data["rules"]:
            shown = f"{self.found.shown}/{name}"
            text = read_file(self.found.folder / name, findings, shown)
            if text is not None:
                files.append((shown, self.pieces.setdefault(name, IncrementalParser()).parse(text, shown, findings)))
        return files

    # ------------------------------------------------------------ names and types

    def check_names(self, source: GameSource, findings: DiagnosticList) -> GameCheckProgress:
        """Checks names and types for the first variant. Most mistakes show up here."""
        own = DiagnosticList()
        files = self.known.files = self.parse_rules(source, own)
        findings.items += own.items
        self.sparing = IncrementalVariantChecker(replace(source, files=files), findings, self, not own.errors)
        seen = DiagnosticList(findings.items)
        if not own.errors:
            model = self.sparing.build_model(*self.each[0], seen)
            if model is not None:
                before = len(seen.items)
                self.known.rule_declarations = self.sparing.first_of = check_rules(model, files, seen)
                self.sparing.first_found = seen.items[before:]
                seen.items = [one for one in seen.items if one.code not in ALL_VARIANT_CODES]
        return GameCheckProgress(self.partial_result(seen), False)

    def find_changed_procedures(self) -> set[int] | None:
        """Returns the ids of the declarations whose bodies have changed since shapes were last found clean.

        Returns None if anything else has changed."""
        if self.outline is None or self.current_outline() != self.outline:
            return None
        found: set[int] = set()
        for name, pieces in self.pieces.items():
            for was, text, nodes in zip(self.bodies[name], pieces.texts, pieces.nodes):
                if was != text:
                    found |= {id(node) for node in nodes}
        return found

    def current_outline(self) -> Hashable:
        """Returns a key for everything in the rules but the bodies of procedures."""
        return repr([(name, pieces.outline()) for name, pieces in self.pieces.items()])

    # ------------------------------------------------------------ the rest

    def check_rest(
        self,
        source: GameSource,
        scenarios: list[Scenario],
        findings: DiagnosticList,
        tests: DiagnosticList,
        texts: dict[str, bytes],
        data: Any,
    ) -> Iterator[None]:
        """Runs the rest of the check, after names and types, in steps."""
        rules = game_check.VariantSummary(checking=self.sparing)
        panels = read_table_config(self.found.folder, findings, self.found.shown)
        notation = read_notation(self.found.folder, findings, self.found.shown)
        self.sparing.models = self.compute_once("models", data, lambda: self.build_models(source))
        yield None
        effects: dict[int, Variant] = {}
        every: list[Variant] = []
        for players, settings in self.each:
            variant = self.sparing.check_variant(players, settings)
            if variant is None:
                yield None
                continue
            rules.first = rules.first or variant
            every.append(variant)
            if id(variant.facts.effects) not in effects:
                effects[id(variant.facts.effects)] = variant
                for key, known in game_check.collect_message_fields(variant).items():
                    rules.fields[key] = {**rules.fields.get(key, {}), **known}
                rules.drawn |= check_table_config(panels, variant, findings) if panels is not None else set()
                if notation is not None:
                    check_notation(notation, variant, findings)
            yield None
        for doubt in self.sparing.always or []:
            findings.add_diagnostic(doubt)
        if findings.errors:
            findings.items += tests.items
            return
        self.sparing.commit_clean()
        names = [([event.key for event in find_event_points(variant.program)],
                  [(decision.key, *decision.entries) for decision in find_decision_points(variant.program, variant.facts)])
                 for variant in effects.values()]
        tests.items += self.compute_once("written", (data, self.select_scenario_files(texts), self.outline, names),
                                 lambda: self.scenario_findings(scenarios))
        yield None
        if rules.first is not None:
            cited = rules.first.program.cited
            findings.items += self.compute_once("clauses", (texts.get("clauses.yaml"), dict(cited), self.select_scenario_files(texts)),
                                        partial(self.clause_findings, rules.first, scenarios))
            yield None
        open_now = [sorted(variant.public_defs) for variant in effects.values()]
        rules.parts = self.compute_once("parts", (data, self.outline, open_now), lambda: set().union(
            *(game_check.text_fields_of_model(variant.model) for variant in every), *map(game_check.queryable_names, effects.values())))
        yield None
        said_words = DiagnosticList()
        domain, wrong = self.compute_once("domain", (data, texts.get("messages.yaml"), texts.get("clauses.yaml")), self.read_domain)
        said_words.items += wrong
        yield None
        for lang in LANGUAGES:
            files = [read_content(path(domain.locale, lang, domain.name)) for path in (catalogue_path, lexicon_path)]
            made_of = files, [(m.key, m.english, m.place) for m in domain.messages], rules.fields, rules.parts
            said_words.items += self.compute_once(f"words {lang}", made_of, partial(self.text_findings, domain, lang, rules))
            yield None
        if rules.first is not None:
            table = panels.data if panels is not None else None
            rules.keys = self.compute_once("keys", (data, self.outline, open_now, repr(table)), lambda: set().union(
                *(iter_known_keys(variant, panels) for variant in every)))
            check_unused_texts(rules.keys, domain, said_words)
        if rules.first is not None and game_check.has_play_texts(domain):
            check_chance(rules.first, domain.english, said_words)
        self.used = game_check.drop_used_names(findings, domain.english.values(), rules.drawn)
        check_unused(source, domain.english.values(), findings)
        findings.items += [d for d in said_words.items if self.shipped or d.code != "W201"]
        findings.items += tests.items

    def select_scenario_files(self, texts: dict[str, bytes]) -> Any:
        """Returns the scenario files. Their content is part of a cache key, because diagnostics contain line numbers."""
        return [(name, raw) for name, raw in texts.items() if name.startswith("tests/")]

    def scenario_findings(self, scenarios: list[Scenario]) -> list[Diagnostic]:
        """Returns the diagnostics of the scenarios, without running them."""
        own = DiagnosticList()
        check_scenarios(scenarios, self.sparing, own)
        return own.items

    def clause_findings(self, variant: Variant, scenarios: list[Scenario]) -> list[Diagnostic]:
        """Returns the diagnostics of the clauses."""
        own = DiagnosticList()
        check_clauses(self.found, variant, scenarios, own)
        return own.items

    def read_domain(self) -> tuple[Any, list[Diagnostic]]:
        """Returns the game's text domain with its diagnostics."""
        own = DiagnosticList()
        domain = game_domain(self.found.folder, own)
        if self.shipped:
            domain = replace(domain, locale=SHIPPED_LOCALE, root=SHIPPED_LOCALE.parent)
        return domain, own.items

    def text_findings(self, domain: Any, lang: str, rules: game_check.VariantSummary) -> list[Diagnostic]:
        """Returns the diagnostics of the texts in one language."""
        own = DiagnosticList()
        check_words(domain, own, rules.fields, [lang], rules.parts if rules.first is not None else None)
        return own.items


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

    def check_rules(self, model: GameModel, own: DiagnosticList) -> CheckedProgram:
        first, self.first_of = self.first_of, None
        if first is None:
            return super().check_rules(model, own)
        own.items += self.first_found
        return first

    def build_model(self, players: int, settings: dict[str, Any], own: DiagnosticList) -> GameModel | None:
        known = self.models.get(variant_key(players, settings))
        if known is None:
            return super().build_model(players, settings, own)
        own.items += known[1]
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
                self.report(own)
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
        warm.clean, warm.outline = self.found_clean, warm.current_outline()
        warm.bodies = {name: pieces.texts for name, pieces in warm.pieces.items()}


def variant_key(players: int, settings: dict[str, Any]) -> Hashable:
    """Returns a hashable key of a variant."""
    return players, tuple(sorted((name, str(value)) for name, value in settings.items()))


def read_content(path: Path) -> bytes | None:
    """Returns the content of a file, or None if it cannot be read."""
    try:
        return read_bytes(path)
    except (OSError, ValueError):
        return None
