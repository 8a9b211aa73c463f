"""A machine as Python: functions over positions, and what the engine knows about them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..analysis.results import Facts
from ..core.program import Routine, State
from ..ir.limits import STEPS
from ..ir.program import Known, Latest, Machine, Once, Recent, Wide
from ..lowering.module import ModuleWriter
from ..storage.control_slots import ANSWER, CONTROL, OPTIONS, PC, RANDOM
from ..storage.layout import Layout
from . import runtime, runtime_unbounded
from .assembler import Files, Writing


@dataclass(frozen=True)
class Term:
    """A term of the standing: `factor` times what `value(s, seat)` gives. `defs`: through which defs it was reached, the outermost
    first. `state`: what it is an entry of, and then `entry(s, seat)` says which, or the only state that it is worked out from."""

    factor: int
    defs: tuple[Routine, ...]
    state: State | None
    place: tuple[str, int]
    value: Callable[[list[Any], int], int]
    entry: Callable[[list[Any], int], int] | None = None


@dataclass(kw_only=True)
class Module(Known):
    """A compiled game: Python functions over positions, and what the engine knows about them."""

    machine: Machine
    tree: Callable[[], ast.Module]                                 # as it is compiled, with the lines of the rules
    written: Callable[[], set[tuple[str, int]]]                    # what `lines` gives
    files: Files                                                   # the rule files, and which line of them a line number means
    namespace: dict[str, Any]
    blocks: list[Callable[..., Any]]
    standing: list[Callable[..., Any]]
    estimate: Callable[..., Any] | None
    always: list[tuple[str, Callable[..., Any], Any]]
    plain: dict[str, Callable[..., Any]]                           # procedures that never ask, by key
    shown: dict[str, tuple[Routine, Callable[..., Any]]]           # defs that words and tables may ask
    terms: list[Term]                                              # of the standing's first value; none where no points are counted

    @cached_property
    def lines(self) -> set[tuple[str, int]]:
        """The lines of the rules that have code of their own."""
        return self.written()

    @property
    def plain_game(self) -> Callable[..., Any]:
        return self.plain["game"]

    def begin_anew(self) -> None:
        """Forget what only data decide and was worked out already: for whoever watches which rules run."""
        for name, value in self.machine.values.items():
            if isinstance(value, Once):
                self.namespace[name][:] = constant(value)

    def prime(self) -> None:
        """Work out the kept sets of the initial position once, so that no game has to begin with it."""
        for memo in self.memos:
            if memo.build:
                self.initial[memo.slot] = self.namespace[memo.build](self.initial)


def made(machine: Machine, files: dict[str, str] | None = None) -> Module:
    """Make a machine run. `files` says where the rule files lie, by how messages write them."""
    writing = Writing(files or {}, machine.tables)
    for code in (*machine.functions, *machine.blocks):
        writing.function(code)
    namespace: dict[str, Any] = {name: value for room in (runtime, runtime_unbounded)
                                 for name, value in vars(room).items() if name[0] != "_"}
    namespace |= {name: constant(value) for name, value in machine.values.items()}
    namespace["FIRST"] = machine.initial                           # filled in later: what states hold before anything happens
    writing.run(namespace)
    estimates = machine.goals.get("estimate")
    outside = (lambda name: afresh(namespace[name])) if machine.counts else namespace.__getitem__
    return Module(
        **machine.known(),
        machine=machine,
        tree=writing.tree,
        written=writing.lines,
        files=writing.known,
        namespace=namespace,
        blocks=namespace["B"],
        standing=[outside(name) for name in machine.goals["standing"]],
        estimate=outside(estimates[0]) if estimates else None,
        always=[(routine.name.removeprefix("always."), outside(name), routine) for routine, name in machine.always],
        plain={key: outside(name) for key, name in machine.plain.items()},
        shown={key: (routine, outside(name)) for key, (routine, name) in machine.shown.items()},
        terms=[Term(one.factor, one.defs, one.state, one.place, outside(one.value), outside(one.entry) if one.entry is not None else None)
               for one in machine.terms],
    )


def afresh(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function for those who ask from outside the rules: all steps lie before it each time."""
    left = runtime.LEFT

    def refilled(*args: Any) -> Any:
        left[0] = STEPS
        return function(*args)
    return refilled


def picking(source: Callable[[], float]) -> Callable[[], float]:
    """A random source for a simulated game: with each decision all steps lie before the rules again."""
    left = runtime.LEFT

    def pick() -> float:
        left[0] = STEPS
        return source()
    return pick


def constant(value: Any) -> Any:
    """A constant of the machine as Python has it."""
    match value:
        case Latest(state=state):
            return runtime_unbounded.Held(state)
        case Once(size=size):
            return [None] * size
        case Recent(size=size):
            return [(0, 0, 0)] * size
        case Wide(start=start, width=width):
            return runtime.wide_table(start, width)
    return value


def write_module(facts: Facts, layout: Layout | None = None, files: dict[str, str] | None = None) -> Module:
    """Compile a checked program; `layout` has the first values of its states in it, `files` says where the rule files lie."""
    return made(ModuleWriter(facts, layout).write(), files)


@dataclass
class Simulation:
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
        s[PC], s[ANSWER], s[OPTIONS] = rounds, 0, picking(source) if self.counts else source
        runtime.LEFT[0] = STEPS
        ended = True
        try:
            self.play(s)
        except runtime.Halt:
            ended = False
        s[OPTIONS] = ()
        return s, s[ANSWER], ended


def write_simulation(facts: Facts, states: list[Any]) -> Simulation:
    """Compile a checked program without cuts; `states` are the first values of the states (behind the control words)."""
    module = made(ModuleWriter(facts, uncut=True).write())
    module.initial[CONTROL : CONTROL + len(states)] = states
    module.prime()
    return Simulation(begun(module), module.initial, module.counts)


def begun(module: Module) -> Callable[[list[Any]], None]:
    """Do once what comes before anything is decided, in the initial position; what plays a game from there. Where that is a fault, each
    game has it."""
    if not module.machine.before:
        return module.plain_game
    before, first = module.namespace[module.machine.before], module.initial.copy()
    runtime.LEFT[0] = STEPS
    try:
        before(first)
    except runtime.RuleFault:
        def play(s: list[Any]) -> None:
            before(s)
            module.plain_game(s)
        return play
    module.initial[:] = first
    return module.plain_game
