"""Checks the variants of a game, before anything is compiled.

Work is shared between variants:

* Files are read and parsed once.
* Variants that look alike to the checker (`GameModel.shape_key`) are checked once.
* Variants whose names resolve alike (`GameModel.names_key`) share the core and its analyses. Their cores differ only
  in ranges of numbers.

The first values of states depend on the data itself, so they are checked for each variant."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

from ..analysis import analyse
from ..analysis.results import AnalysisResults
from ..check.checker import check_rules
from ..check.scope import CheckedProgram
from ..core.lower import lower_program, lower_states
from ..core.program import Program, Routine
from ..diagnostics.diagnostic import Diagnostic, DiagnosticList, SourceSpan, did_you_mean
from ..model.build_model import make_model, problem_reporter
from ..model.model import Enumeration, GameModel
from ..model.option_players import option_player_range
from ..packs.overlay import ALL_VARIANT_CODES
from ..packs.source import GameSource
from ..storage.initial_state import write_initial_values
from ..storage.layout import Layout, build_layout
from ..syntax import tree
from ..syntax.parse import parse_cached, read_rule_files
from ..types.types import Int, MemberOf


@dataclass
class Variant:
    """A checked game for one number of players and one setting of its options.

    It holds the core with the results of the analyses, and the layout of states with their first values. A compiled variant
    is a Ruleset."""

    source: GameSource
    facts: AnalysisResults
    layout: Layout
    settings: dict[str, Any]
    table_values: dict[str, list[Any]] = field(default_factory=dict, kw_only=True, repr=False, compare=False)       # by name
    exact: bool = field(default=True, kw_only=True)                # False: number ranges in its procedures come from another variant

    @property
    def program(self) -> Program:
        return self.facts.program

    @property
    def model(self) -> GameModel:
        return self.facts.program.model

    @cached_property
    def public_defs(self) -> Mapping[str, tuple[Routine, Callable[..., Any] | None]]:
        """The defs that texts and tables may use, with their functions. These are None before compilation."""
        return {routine.name: (routine, None) for routine in self.facts.secrecy.open_defs}

    def list_declared_members(self, enum: Enumeration) -> list[str]:
        """Returns the members of a type. For players, these are all that the game has with any number of players."""
        if enum.kind != "player":
            return list(enum.members)
        declared = self.source.data["enums"].get(enum.name)
        if declared is None:
            return [f"player_{n}" for n in range(1, self.source.player_range[1] + 1)]
        return list(map(str, declared if isinstance(declared, list) else declared["members"]))


MAX_VARIANT_COMBINATIONS = 40                            # beyond this, options are varied one at a time
VariantChoice = tuple[int, dict[str, Any]]               # number of players and values of the options


def list_variants(source: GameSource) -> list[VariantChoice]:
    """Returns all variants of a game: pairs of number of players and options.

    If there are more than MAX_VARIANT_COMBINATIONS, options are varied one at a time instead of in all
    combinations. If the options allow no number of players, the list has one variant, whose check says so."""
    low, high = source.player_range
    options = source.data["options"]
    usual = {name: raw["default"] for name, raw in options.items()}

    def is_allowed(players: int, settings: dict[str, Any]) -> bool:
        """Whether these option values allow this number of players."""
        spans = [option_player_range(options[name], value) for name, value in settings.items()]
        return all(span is None or span[0] <= players <= span[1] for span in spans)

    if prod(len(raw["values"]) for raw in options.values()) * (high - low + 1) <= MAX_VARIANT_COMBINATIONS:
        every = [dict(zip(options, values)) for values in product(*(raw["values"] for raw in options.values()))]
    else:
        every = [usual] + [{**usual, name: value} for name, raw in options.items() for value in raw["values"] if value != raw["default"]]
    allowed = [(players, settings) for players in range(low, high + 1) for settings in every if is_allowed(players, settings)]
    return allowed or [(low, usual)]


def variant_key(players: int, settings: dict[str, Any]) -> Hashable:
    """Returns a hashable key of a variant."""
    return players, tuple(sorted((name, str(value)) for name, value in settings.items()))


def parse_rule_files(source: GameSource, model: GameModel, findings: DiagnosticList) -> list[tuple[str, list[tree.Node]]]:
    """Returns the declarations of each rule file by its path in messages, with packs applied if there are any."""
    if source.files is not None:
        return source.files
    files = read_rule_files(source.folder, model.rule_files, source.shown, findings)
    return [(shown, parse_cached(text, shown, findings)) for _, shown, text in files]


def doubt_key(diagnostic: Diagnostic) -> tuple[str, SourceSpan]:
    """Returns the key that identifies a warning. Its arguments may differ between variants."""
    return diagnostic.code, diagnostic.place


class VariantChecker:
    """Checks variants of one game and collects each diagnostic once.

    With `exact`, each variant can be compiled. Otherwise, the analyses of a similar variant may be reused."""

    def __init__(self, source: GameSource, findings: DiagnosticList, exact: bool = False) -> None:
        self.source, self.findings, self.exact = source, findings, exact
        self.files: list[tuple[str, list[tree.Node]]] | None = None
        # by shape key: facts, and whether exact; None: errors
        self.known: dict[Hashable, tuple[AnalysisResults, bool] | None] = {}
        self.first: dict[Hashable, AnalysisResults] = {}                     # by names key
        self.always: list[Diagnostic] | None = None                # ALL_VARIANT_CODES found for every shape so far
        self.checked: dict[Hashable, Variant | None] = {}          # by variant_key

    def check_variant(self, players: int, settings: dict[str, Any]) -> Variant | None:
        """Returns the checked game for a number of players and settings, or None if it has errors. Checks each variant once."""
        key = variant_key(players, settings)
        if key not in self.checked:
            self.checked[key] = self.check_new_variant(players, settings)
        return self.checked[key]

    def check_new_variant(self, players: int, settings: dict[str, Any]) -> Variant | None:
        """Checks a variant. Returns None if it has errors."""
        # duplicates of other variants still count as errors
        own = DiagnosticList()
        model = self.build_model(players, settings, own)
        if self.forward_diagnostics(own) or model is None or not self.parse_rules(model):
            return None
        shape = model.shape_key()
        if shape not in self.known:
            self.known[shape] = self.check_and_analyse(model)
        known = self.known[shape]
        if known is None:
            return None
        alike, exact = known
        facts = replace(alike, program=replace(alike.program, model=model))
        layout = build_layout(facts.program)
        write_initial_values(facts.program, layout, layout.initial, own, problem_reporter(self.source, own))
        return None if self.forward_diagnostics(own) else Variant(self.source, facts, layout, settings, exact=exact)

    def build_model(self, players: int, settings: dict[str, Any], findings: DiagnosticList) -> GameModel | None:
        """Builds the model of a variant."""
        return make_model(self.source, players, settings, findings)

    def check_rules(self, model: GameModel, findings: DiagnosticList) -> CheckedProgram:
        """Returns the rules with all names resolved and all expressions typed."""
        assert self.files is not None
        return check_rules(model, self.files, findings)

    def forward_diagnostics(self, findings: DiagnosticList) -> bool:
        """Passes diagnostics on. Returns whether they include errors."""
        for found in findings.items:
            self.forward_diagnostic(found)
        return bool(findings.errors)

    def forward_diagnostic(self, found: Diagnostic) -> None:
        """Passes a diagnostic on, with information about packs added."""
        overlay = self.source.overlay
        self.findings.add_diagnostic(found if overlay is None else overlay.annotate_diagnostic(found, self.source.keys, self.source.places))

    def parse_rules(self, model: GameModel) -> bool:
        """Parses the rule files on the first call. Returns False if that failed."""
        if self.files is None:
            own = DiagnosticList()
            files = parse_rule_files(self.source, model, own)
            self.files = [] if self.forward_diagnostics(own) else files
        return bool(self.files)

    def check_and_analyse(self, model: GameModel) -> tuple[AnalysisResults, bool] | None:
        """Checks names and types, then builds and analyses the core, unless that of another variant can be reused.

        Returns the results and whether they are exact, or None if there are errors."""
        own = DiagnosticList()
        declared = self.check_rules(model, own)
        doubts = [found for found in own.items if found.code in ALL_VARIANT_CODES]
        own.items = [found for found in own.items if found.code not in ALL_VARIANT_CODES]
        self.always = doubts if self.always is None else [found for found in self.always if doubt_key(found) in map(doubt_key, doubts)]
        if self.forward_diagnostics(own):
            return None
        names = model.names_key()
        alike = None if self.exact else self.first.get(names)
        if alike is not None:
            return replace(alike, program=replace(alike.program, model=model, states=lower_states(declared))), False
        facts = analyse(lower_program(declared), own)
        if facts is not None:
            self.check_piece_numbers(facts, own)
        self.forward_diagnostics(own)
        if facts is None:
            return None
        self.first[names] = facts
        return facts, True

    def check_piece_numbers(self, facts: AnalysisResults, findings: DiagnosticList) -> None:
        """Checks each `numbered`: it must name an open number state or def of one piece, because everybody sees it."""
        states = {state.name: [domain for _, domain in state.axes] for state in facts.program.states.values()
                  if state.seen == "open" and isinstance(state.type, Int)}
        defs = {routine.name: [param.type.name if isinstance(param.type, MemberOf) else "" for param in routine.params]
                for routine in facts.secrecy.open_defs if isinstance(routine.type, Int)}
        for enum in facts.program.model.enums.values():
            if enum.numbered is not None and [enum.name] not in (states.get(enum.numbered), defs.get(enum.numbered)):
                fitting = [name for name, about in {**defs, **states}.items() if about == [enum.name]]
                findings.add_with_suggestion(
                    "R121",
                    self.source.place("pieces", enum.name, "numbered"),
                    did_you_mean(enum.numbered, fitting),
                    name=enum.numbered,
                    domain=enum.name,
                )
