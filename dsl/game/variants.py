"""A game checked for its variants, before anything is compiled. Files are read and parsed once, whatever the number of players and the
options; variants whose data look alike to the checker (`Model.shape`) are checked once; those whose names mean the same (`Model.names`)
share what is found out from the core, which is then the same but for the ranges of numbers. What depends on the data itself, the first
values of states, is looked at for each."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ..analysis import analyse
from ..analysis.information_flow import find_open_defs
from ..analysis.results import AnalysisResults
from ..check.checker import check_rules
from ..check.scope import CheckedProgram
from ..core.lower import lower_program, lower_states
from ..core.program import Program, Routine
from ..diagnostics.diagnostic import Diagnostic, DiagnosticList, SourceSpan, did_you_mean
from ..model.model import GameModel
from ..packs.source import GameSource
from ..reading.build_model import make_model, problem_reporter
from ..storage.initial_state import write_initial_values
from ..storage.layout import Layout, build_layout
from ..syntax import tree
from ..syntax.parse import parse_file
from ..types.types import Int, MemberOf


@dataclass
class Variant:
    """A checked game for one number of players and one setting of its options: its core with what the analyses found out, and where its
    states lie, with their first values. A compiled one is a Ruleset."""

    source: GameSource
    facts: AnalysisResults
    layout: Layout
    settings: dict[str, Any]
    exact: bool = field(default=True, kw_only=True)                # False: the ranges of numbers in its procedures are another variant's

    @property
    def program(self) -> Program:
        return self.facts.program

    @property
    def model(self) -> GameModel:
        return self.facts.program.model

    @cached_property
    def public_defs(self) -> Mapping[str, tuple[Routine, Callable[..., Any] | None]]:
        """The defs that words and tables may ask, with what answers; nothing does before it is compiled."""
        return {routine.name: (routine, None) for routine in find_open_defs(self.facts)}


ALL_VARIANT_CODES = ("W104", "W105", "W106")      # what one number of players or one option may well bring about: told where all of them do


def parse_rule_files(source: GameSource, model: GameModel, findings: DiagnosticList) -> list[tuple[str, list[tree.Node]]]:
    """The rule files as messages write them, each with its declarations; those with packs laid over them where there are packs."""
    if source.files is not None:
        return source.files
    names = [(name, f"{source.shown}/{name}") for name in model.rule_files]
    return [(shown, parse_file(source.folder / name, findings, shown)) for name, shown in names]


def doubt_key(found: Diagnostic) -> tuple[str, SourceSpan]:
    """What a doubt is known by: the ends of ranges may be others in another variant."""
    return found.code, found.place


class VariantChecker:
    """Checks variants of one game. What is found goes to `findings`, once. `exact`: so that each can be compiled; else what one is good for
    may be known from another."""

    def __init__(self, source: GameSource, findings: DiagnosticList, exact: bool = False) -> None:
        self.source, self.findings, self.exact = source, findings, exact
        self.files: list[tuple[str, list[tree.Node]]] | None = None
        # by the shape of the data, with whether it is exact; None: errors
        self.known: dict[Hashable, tuple[AnalysisResults, bool] | None] = {}
        self.first: dict[Hashable, AnalysisResults] = {}                     # by what names mean
        self.always: list[Diagnostic] | None = None                # of DOUBTS: what was found for every shape so far

    def check_variant(self, players: int, settings: dict[str, Any]) -> Variant | None:
        """The checked game for so many players and these settings; None when there are errors."""
        # what another variant has too is no news, but a mistake all the same
        own = DiagnosticList()
        model = self.build_model(players, settings, own)
        if self.report(own) or model is None or not self.parse_rules(model):
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
        return None if self.report(own) else Variant(self.source, facts, layout, settings, exact=exact)

    def build_model(self, players: int, settings: dict[str, Any], own: DiagnosticList) -> GameModel | None:
        """The data of a variant."""
        return make_model(self.source, players, settings, own)

    def check_rules(self, model: GameModel, own: DiagnosticList) -> CheckedProgram:
        """The rules with every name resolved and every expression typed."""
        assert self.files is not None
        return check_rules(model, self.files, own)

    def report(self, own: DiagnosticList) -> bool:
        """Hand on what was found; True when there are errors in it."""
        laid = self.source.laid
        for found in own.items:
            self.findings.add_diagnostic(found if laid is None else laid.annotate_diagnostic(found, self.source.keys, self.source.places))
        return bool(own.errors)

    def parse_rules(self, model: GameModel) -> bool:
        """Parse the rule files, the first time; False when one of them cannot be."""
        if self.files is None:
            own = DiagnosticList()
            files = parse_rule_files(self.source, model, own)
            self.files = [] if self.report(own) else files
        return bool(self.files)

    def check_and_analyse(self, model: GameModel) -> tuple[AnalysisResults, bool] | None:
        """Names and types; the core and the analyses, where those of no other variant will do."""
        own = DiagnosticList()
        declared = self.check_rules(model, own)
        doubts = [found for found in own.items if found.code in ALL_VARIANT_CODES]
        own.items = [found for found in own.items if found.code not in ALL_VARIANT_CODES]
        self.always = doubts if self.always is None else [found for found in self.always if doubt_key(found) in map(doubt_key, doubts)]
        if self.report(own):
            return None
        names = model.names_key()
        alike = None if self.exact else self.first.get(names)
        if alike is not None:
            return replace(alike, program=replace(alike.program, model=model, states=lower_states(declared))), False
        facts = analyse(lower_program(declared), own)
        if facts is not None:
            self.check_piece_numbers(facts, own)
        self.report(own)
        if facts is None:
            return None
        self.first[names] = facts
        return facts, True

    def check_piece_numbers(self, facts: AnalysisResults, own: DiagnosticList) -> None:
        """Whether what numbers pieces is a number of one of them, and everybody may know it: it is told to all."""
        states = {state.name: [domain for _, domain in state.axes] for state in facts.program.states.values()
                  if state.seen == "open" and isinstance(state.type, Int)}
        defs = {routine.name: [param.type.name if isinstance(param.type, MemberOf) else "" for param in routine.params]
                for routine in find_open_defs(facts) if isinstance(routine.type, Int)}
        for enum in facts.program.model.enums.values():
            if enum.numbered is not None and [enum.name] not in (states.get(enum.numbered), defs.get(enum.numbered)):
                fitting = [name for name, about in {**defs, **states}.items() if about == [enum.name]]
                own.add_with_suggestion("R121", self.source.place("pieces", enum.name, "numbered"), did_you_mean(enum.numbered, fitting),
                         name=enum.numbered, domain=enum.name)
