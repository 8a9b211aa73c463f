"""A machine as Python: functions over positions, and what the engine knows about them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..analysis.results import AnalysisResults
from ..core.program import Routine, State
from ..ir.limits import MAX_STEPS_PER_DECISION
from ..ir.program import BitTable, CompiledMetadata, IrModule, LastResultCache, LazyTable, RecentFloods
from ..lowering.module import ModuleLowering
from ..storage.control_slots import ANSWER, FIRST_STATE_SLOT, OPTIONS, PC, RANDOM
from ..storage.layout import Layout
from . import runtime, runtime_unbounded
from .assembler import ModuleAssembler, SourceLineMap


@dataclass(frozen=True)
class StandingTerm:
    """A term of the standing: `factor` times what `value(s, seat)` gives. `defs`: through which defs it was reached, the outermost
    first. `state`: what it is an entry of, and then `entry(s, seat)` says which, or the only state that it is worked out from."""

    factor: int
    defs: tuple[Routine, ...]
    state: State | None
    place: tuple[str, int]
    value: Callable[[list[Any], int], int]
    entry: Callable[[list[Any], int], int] | None = None


@dataclass(kw_only=True)
class PythonModule(CompiledMetadata):
    """A compiled game: Python functions over positions, and what the engine knows about them."""

    machine: IrModule
    tree: Callable[[], ast.Module]                                 # as it is compiled, with the lines of the rules
    written: Callable[[], set[tuple[str, int]]]                    # what `lines` gives
    files: SourceLineMap                                                   # the rule files, and which line of them a line number means
    namespace: dict[str, Any]
    blocks: list[Callable[..., Any]]
    standing: list[Callable[..., Any]]
    estimate: Callable[..., Any] | None
    always: list[tuple[str, Callable[..., Any], Any]]
    plain: dict[str, Callable[..., Any]]                           # procedures that never ask, by key
    shown: dict[str, tuple[Routine, Callable[..., Any]]]           # defs that words and tables may ask
    terms: list[StandingTerm]                                              # of the standing's first value; none where no points are counted

    @cached_property
    def lines(self) -> set[tuple[str, int]]:
        """The lines of the rules that have code of their own."""
        return self.written()

    @property
    def plain_game(self) -> Callable[..., Any]:
        return self.plain["game"]

    def reset_lazy_tables(self) -> None:
        """Forget what only data decide and was worked out already: for whoever watches which rules run."""
        for name, value in self.machine.values.items():
            if isinstance(value, LazyTable):
                self.namespace[name][:] = python_constant(value)

    def build_initial_sets(self) -> None:
        """Work out the kept sets of the initial position once, so that no game has to begin with it."""
        for memo in self.memos:
            if memo.build:
                self.initial[memo.slot] = self.namespace[memo.build](self.initial)


def load_module(machine: IrModule, files: dict[str, str] | None = None) -> PythonModule:
    """Make a machine run. `files` says where the rule files lie, by how messages write them."""
    writing = ModuleAssembler(files or {}, machine.tables)
    for code in (*machine.functions, *machine.blocks):
        writing.add_function(code)
    namespace: dict[str, Any] = {name: value for room in (runtime, runtime_unbounded)
                                 for name, value in vars(room).items() if name[0] != "_"}
    namespace |= {name: python_constant(value) for name, value in machine.values.items()}
    namespace["FIRST"] = machine.initial                           # filled in later: what states hold before anything happens
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
    """A function for those who ask from outside the rules: all steps lie before it each time."""
    left = runtime.LEFT

    def call_with_budget(*args: Any) -> Any:
        left[0] = MAX_STEPS_PER_DECISION
        return function(*args)
    return call_with_budget


def budget_refilling_rng(source: Callable[[], float]) -> Callable[[], float]:
    """A random source for a simulated game: with each decision all steps lie before the rules again."""
    left = runtime.LEFT

    def pick() -> float:
        left[0] = MAX_STEPS_PER_DECISION
        return source()
    return pick


def python_constant(value: Any) -> Any:
    """A constant of the machine as Python has it."""
    match value:
        case LastResultCache(state=state):
            return runtime_unbounded.OccupiedCellsMemo(state)
        case LazyTable(size=size):
            return [None] * size
        case RecentFloods(size=size):
            return [(0, 0, 0)] * size
        case BitTable(start=start, width=width):
            return runtime.wide_table(start, width)
    return value


def compile_module(facts: AnalysisResults, layout: Layout | None = None, files: dict[str, str] | None = None) -> PythonModule:
    """Compile a checked program; `layout` has the first values of its states in it, `files` says where the rule files lie."""
    return load_module(ModuleLowering(facts, layout).lower_module(), files)


@dataclass
class GameSimulation:
    """The uncut form of a game: plays whole random games, and never stops in between. `counts`: it counts steps more than once in a game,
    so that all of them must lie ahead again with each decision."""

    play: Callable[[list[Any]], None]
    initial: list[Any]
    counts: bool = False

    def run(self, seed: int, source: Callable[[], float], rounds: int = 1_000_000) -> tuple[list[Any], int, bool]:
        """One random game: choices by `source` (as random.random), chance by the generator seeded with `seed`. Returns the final
        position list, the number of decisions made (those with a single option too), and whether the game ended by its rules."""
        s = self.initial.copy()
        s[RANDOM] = seed
        s[PC], s[ANSWER], s[OPTIONS] = rounds, 0, budget_refilling_rng(source) if self.counts else source
        runtime.LEFT[0] = MAX_STEPS_PER_DECISION
        ended = True
        try:
            self.play(s)
        except runtime.Halt:
            ended = False
        s[OPTIONS] = ()
        return s, s[ANSWER], ended


def compile_simulation(facts: AnalysisResults, states: list[Any]) -> GameSimulation:
    """Compile a checked program without cuts; `states` are the first values of the states (behind the control words)."""
    module = load_module(ModuleLowering(facts, uncut=True).lower_module())
    module.initial[FIRST_STATE_SLOT : FIRST_STATE_SLOT + len(states)] = states
    module.build_initial_sets()
    return GameSimulation(run_setup(module), module.initial, module.counts)


def run_setup(module: PythonModule) -> Callable[[list[Any]], None]:
    """Do once what comes before anything is decided, in the initial position; what plays a game from there. Where that is a fault, each
    game has it."""
    if not module.machine.before:
        return module.plain_game
    before, first = module.namespace[module.machine.before], module.initial.copy()
    runtime.LEFT[0] = MAX_STEPS_PER_DECISION
    try:
        before(first)
    except runtime.RuleFault:
        def play(s: list[Any]) -> None:
            before(s)
            module.plain_game(s)
        return play
    module.initial[:] = first
    return module.plain_game
