"""A game as a Python module: functions over positions, with the game's metadata."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..analysis.results import AnalysisResults
from ..core.program import Routine, State
from ..ir.limits import MAX_STEPS_PER_DECISION
from ..ir.metadata import AnswerPath
from ..ir.program import CompiledMetadata, IrModule, LastResultCache, LazyTable, RecentFloods, RecentWays
from ..lowering.module import ModuleLowering
from ..storage.layout import Layout
from . import runtime, runtime_trails, runtime_unbounded
from .assembler import ModuleAssembler, SourceLineMap


@dataclass(frozen=True)
class StandingTerm:
    """A term of the standing: `factor` times `value(s, seat)`.

    `defs` are the defs through which it was reached, outermost first. `state` is the state that the term reads.
    If the term is an entry of that state, `entry(s, seat)` returns its index. Without `entry`, it is the only
    state that the term is computed from."""

    factor: int
    defs: tuple[Routine, ...]
    state: State | None
    place: tuple[str, int]
    value: Callable[[list[Any], int], int]
    entry: Callable[[list[Any], int], int] | None = None


@dataclass(kw_only=True)
class PythonModule(CompiledMetadata):
    """A compiled game: Python functions over positions, with the game's metadata."""

    machine: IrModule
    tree: Callable[[], ast.Module]                                 # as compiled, with rule lines
    written: Callable[[], set[tuple[str, int]]]                    # computes `lines`
    files: SourceLineMap                                                   # line numbers of compiled code → rule lines
    namespace: dict[str, Any]
    blocks: list[Callable[..., Any]]
    standing: list[Callable[..., Any]]
    estimate: Callable[..., Any] | None
    always: list[tuple[str, Callable[..., Any], Any]]
    plain: dict[str, Callable[..., Any]]                           # procedures that never ask, by key
    shown: dict[str, tuple[Routine, Callable[..., Any]]]           # defs for texts and table layouts
    terms: list[StandingTerm]                                              # of the standing's first value; empty without points

    @cached_property
    def lines(self) -> set[tuple[str, int]]:
        """The rule lines that have generated code."""
        return self.written()

    def reset_lazy_tables(self) -> None:
        """Clears the lazy tables, so that their rules run again. Used by coverage."""
        for name, value in self.machine.values.items():
            if isinstance(value, LazyTable):
                self.namespace[name][:] = python_constant(value)

    def build_initial_sets(self) -> None:
        """Builds the incremental sets of the initial position once, so that games do not start with it. Each has a full step budget."""
        for memo in self.memos:
            if memo.build:
                self.initial[memo.slot] = with_full_budget(self.namespace[memo.build])(self.initial)


def load_module(machine: IrModule, files: dict[str, str] | None = None) -> PythonModule:
    """Returns an IR module as runnable Python. `files` maps names of rule files in messages to their paths."""
    writing = ModuleAssembler(files or {}, machine.tables)
    for code in (*machine.functions, *machine.blocks):
        writing.add_function(code)
    namespace: dict[str, Any] = {name: value for room in (runtime, runtime_unbounded, runtime_trails)
                                 for name, value in vars(room).items() if name[0] != "_"}
    namespace |= {name: python_constant(value) for name, value in machine.values.items()}
    namespace["FIRST"] = machine.initial                           # initial values; filled in later
    writing.install(namespace)
    estimates = machine.goals.get("estimate")
    outside = (lambda name: with_full_budget(namespace[name])) if machine.counts else namespace.__getitem__
    return PythonModule(
        **machine.metadata_dict(),
        machine=machine,
        tree=writing.build_ast,
        written=writing.rule_lines,
        files=writing.known,
        namespace=namespace,
        blocks=namespace["B"],
        standing=[outside(name) for name in machine.goals["standing"]],
        estimate=outside(estimates[0]) if estimates else None,
        always=[(routine.name.removeprefix("always."), outside(name), routine) for routine, name in machine.always],
        plain={key: outside(name) for key, name in machine.plain.items()},
        shown={key: (routine, outside(name)) for key, (routine, name) in machine.shown.items()},
        terms=[
            StandingTerm(
                one.factor, one.defs, one.state, one.place, outside(one.value), outside(one.entry) if one.entry is not None else None
            )
            for one in machine.terms
        ],
    )


def with_full_budget(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps a function for callers outside the rules: each call starts with a full step budget."""
    left = runtime.LEFT

    def call_with_budget(*args: Any) -> Any:
        left[0] = MAX_STEPS_PER_DECISION
        return function(*args)
    return call_with_budget


def python_constant(value: Any) -> Any:
    """Returns the Python value of an IR constant."""
    match value:
        case LastResultCache(state=state):
            return runtime_unbounded.OccupiedCellsMemo(state)
        case LazyTable(size=size):
            return [None] * size
        case RecentFloods(size=size):
            return [(0, 0, 0)] * size
        case RecentWays(size=size):
            return [()] * size
    return value


def compile_module(facts: AnalysisResults, layout: Layout | None = None, files: dict[str, str] | None = None) -> PythonModule:
    """Compiles a checked program. `layout` contains the initial values of its states. `files` maps names of rule
    files in messages to their paths."""
    return load_module(ModuleLowering(facts, layout).lower_module(), files)


@dataclass
class ExplainModule:
    """The explain form of a game: the ways to answer, by the number of the block where the game waits."""

    module: PythonModule
    ways: dict[int, list[AnswerPath]]


def compile_explain_module(facts: AnalysisResults) -> ExplainModule:
    """Compiles a checked program to its explain form (see lowering/explain_form.py)."""
    from ..lowering.explain_form import ExplainModuleLowering  # only `why` needs it
    writer = ExplainModuleLowering(facts)
    module = load_module(writer.lower_module())
    ways = {}
    for place, wait in module.waits.items():
        found = writer.ways.get(id(wait.decision))
        if found is not None:
            ways[place] = found
            for way in found:
                way.function = module.namespace[way.written]
    return ExplainModule(module, ways)
