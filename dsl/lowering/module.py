"""Compiles a checked program to one IR module.

Defs and procedures that never ask become functions. Procedures that ask become blocks. `ModuleLowering` has
everything that belongs to the whole module: names, constants, tables, kinds of decisions, the queue of
functions to compile. At the end, `assemble` assigns slots, links all functions and returns the module."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..analysis.decision_points import iter_procedures_by_member, routine_key
from ..analysis.effects import direct_effects, find_written_states
from ..analysis.results import AnalysisResults, RoutineEffects
from ..core import nodes as core
from ..core.program import Family, Routine, State
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import FunctionBuilder, NameSupply
from ..ir.fuel import StepBudget
from ..ir.metadata import DecisionKind, EventKind, FunctionOwner, MemoSlot, ResumePoint
from ..ir.program import IrModule, ProcedureEntry, StandingTermCode
from ..ir.traversal import iter_statements
from ..storage.control_slots import EVENTS, OPTIONS, PC, SCRIPT, SEAT
from ..storage.layout import Layout, build_layout
from ..types.types import MemberOf, Type
from . import static_tables as once
from .expressions import ExpressionLowering
from .incremental_sets import IncrementalSetTable
from .linker import Linker
from .procedures import ProcedureLowering
from .protocols import ExpressionApi
from .score_terms import ScoreTerms, is_point_score

FIRST_VIRTUAL_SLOT, VIRTUAL_FRAME_SLOTS = 400_000_000, 10_000  # virtual frame slots, far above any real slot


class ModuleLowering:
    """Compiles one module to the block form."""

    def __init__(self, facts: AnalysisResults, layout: Layout | None = None) -> None:
        self.facts, self.program, self.effects = facts, facts.program, facts.effects
        self.layout = layout or build_layout(facts.program)
        self.fresh = NameSupply()
        self.functions: list[FunctionBuilder] = []
        self.blocks: list[FunctionBuilder] = []
        self.numbers: dict[str, int] = {}
        self.constants: dict[Any, str] = {}
        self.values: dict[str, Any] = {}
        self.waits: dict[int, ResumePoint] = {}
        self.decisions: list[DecisionKind] = []
        self.events: list[EventKind] = []
        self.chances: list[tuple[str, bool]] = [("", False)]
        self.entries: dict[tuple[Routine, int | None], ProcedureEntry] = {}
        self.names: dict[tuple[Routine, int | None], str] = {}
        self.compiled: set[tuple[Routine, int | None]] = set()
        self.queue: list[tuple[Routine, int | None]] = []
        self.tables: dict[str, list[str]] = {}
        self.memos: dict[Routine, MemoSlot] = {}
        self.total_defs: dict[Routine, bool] = {}                  # whether a def is never a fault
        self.plain: dict[str, str] = {}
        self.upkeep = IncrementalSetTable(self)
        self.sizes: dict[int, int] = {}  # of each frame, by its number
        self.block_of: dict[str, tuple[Routine, int | None]] = {}
        self.terms: list[StandingTermCode] = []
        self.tried: dict[tuple[object, ...], str] = {}             # function of each `after`, by its node and known values
        self.strategies: dict[m.Origin, str] = {}
        self.final = self.new_block(None)
        for at, value in ((PC, m.IntConst(0)), (SEAT, m.IntConst(-1)), (OPTIONS, m.TupleDisplay())):
            self.final.emit(b.store_slot(at, value))
        self.final.emit(m.ReturnStmt(m.TupleDisplay()))

    @property
    def procedure_class(self) -> type[ProcedureLowering]:
        """The class that compiles procedures in this form."""
        return ProcedureLowering

    def record_strategy(self, at: core.RuleSpan, name: str) -> None:
        """Records how the code at a place is evaluated (`ludoglot debug` shows it). The first note for a place wins."""
        self.strategies.setdefault((at.path, at.line, at.column), name)

    # ------------------------------------------------------------ naming and numbering

    def add_constant(self, value: Any) -> m.IrExpr:
        """Returns a reference to a constant of the module. Equal values share one constant."""
        key = (type(value).__name__, repr(value))
        if key not in self.constants:
            name = f"C{len(self.constants)}"
            self.constants[key] = name
            self.values[name] = value
        return m.ConstantRef(self.constants[key])

    def routine_name(self, routine: Routine, member: int | None) -> str:
        """Returns the name of the function for a routine, or for one member of its family."""
        key = (routine, self.find_specialization(routine, member))
        if key not in self.names:
            case = "" if routine.case is None and routine.member is None else f"_{self.member_name(routine, member)}"
            self.names[key] = self.fresh.function_name("d" if routine.kind == "def" else "p", routine.name + case)
        return self.names[key]

    def member_name(self, routine: Routine, member: int | None) -> str:
        """Returns the name of the member that an entry of a family is for."""
        domain = self.program.families[routine.name].domain
        number = routine.member if routine.member is not None else member
        return "" if domain is None or number is None else self.program.model.enums[domain].members[number]

    def find_specialization(self, routine: Routine, member: int | None) -> int | None:
        """Returns the member that a routine must be compiled for. Only default entries are compiled once for each
        member."""
        return member if routine.case is not None else None

    def get_routine_key(self, routine: Routine, member: int | None) -> str:
        return routine_key(self.program, routine, member)

    def new_block(self, routine: Routine | None, member: int | None = None) -> FunctionBuilder:
        """Creates an empty block and gives it a number."""
        code = FunctionBuilder(self.fresh.function_name("b", routine.name if routine is not None else "game"))
        if routine is not None:
            self.block_of[code.name] = (routine, self.find_specialization(routine, member))
        self.numbers[code.name] = len(self.blocks)
        self.blocks.append(code)
        return code

    def get_block_number(self, code: FunctionBuilder) -> int:
        return self.numbers[code.name]

    def extend_frame(self, slot: int) -> None:
        """Extends a frame to contain this slot.

        While functions are compiled, frame slots are virtual: FIRST_VIRTUAL_SLOT + frame * VIRTUAL_FRAME_SLOTS +
        index."""
        number, k = divmod(slot - FIRST_VIRTUAL_SLOT, VIRTUAL_FRAME_SLOTS)
        self.sizes[number] = max(self.sizes.get(number, 0), k + 1)

    def place_frames(self) -> dict[int, int]:
        """Returns the first slot of each frame.

        A frame begins after the frames of all its callers, so procedures that are never active together share slots."""
        numbers = {key: n for n, key in enumerate(self.entries)}
        callers: dict[int, list[int]] = {n: [] for n in numbers.values()}
        for key, n in numbers.items():
            for other, called in numbers.items():
                if other[0] in self.effects.of[key[0]].calls:
                    callers[called].append(n)
        bases: dict[int, int] = {}

        def place_frame(n: int) -> int:
            if n not in bases:
                bases[n] = max((place_frame(c) + self.sizes[c] for c in callers[n]), default=len(self.layout.initial))
            return bases[n]

        for n in numbers.values():
            place_frame(n)
        return bases

    def emit_invalidation(self, x: ExpressionApi, state: State) -> None:
        """Emits a note that a state was written, so that the linker invalidates the values that depend on it."""
        note = m.InvalidateMemos(state.name)
        if x.code.last != note:
            x.emit(note)

    def emit_entry_write(self, x: ExpressionApi, state: State, index: m.IrExpr, put_down: bool, address: m.IrExpr) -> None:
        """Emits a note that one entry of a state with one axis was written. Incremental sets are then updated, not
        invalidated."""
        x.emit(m.AfterWrite(state.name, index, put_down, address))

    def register_chance_kind(self, found: Type | None, secret: bool = False) -> int:
        """Returns the number of a kind of chance: what is drawn, and whether the result is secret."""
        kind = (found.name if isinstance(found, MemberOf) else "", secret)
        if kind not in self.chances:
            self.chances.append(kind)
        return self.chances.index(kind)

    def register_event(self, key: str, slots: list[Any], closed: frozenset[str] | None, path: str, node: core.Node) -> int:
        """Returns the number of a kind of event. Equal events share one number."""
        for n, event in enumerate(self.events):
            if (event.key, event.slots, event.closed) == (key, slots, closed):
                return n
        self.events.append(EventKind(key, slots, path, node.at.line, closed))
        return len(self.events) - 1

    # ------------------------------------------------------------ calls

    def find_callees(self, node: core.CallProc, known: int | None = None) -> list[Routine]:
        """Returns the routines that a call may run. `known` is the member, if it is known at compile time."""
        family = self.program.families[node.family]
        if node.case is None:
            return family.routines
        if known is None and isinstance(node.case, core.Const):
            known = node.case.value
        if known is not None:
            entry = family.entry(known)
            return [entry] if entry else []
        return family.routines

    def find_written_states(self, node: core.Node) -> list[str]:
        """Returns the states that this one statement writes, directly or through calls."""
        return find_written_states(node, self.program, self.effects)

    def compute_effect(self, *parts: Iterable[core.Node]) -> RoutineEffects:
        """Returns the effects of these trees, including those of the routines that they call."""
        found = direct_effects(self.program, *parts)
        for routine in found.tries:
            found.reads |= self.effects.of[routine].reads
        for routine in list(found.calls):
            found.reads |= self.effects.of[routine].reads
            found.writes |= self.effects.of[routine].writes
        return found

    def require_function(self, routine: Routine | None, member: int | None) -> str:
        """Returns the name of a plain function (a def, or a procedure that never asks) and queues it for compilation."""
        assert routine is not None
        key = (routine, self.find_specialization(routine, member))
        if key not in self.compiled:
            self.compiled.add(key)
            self.queue.append(key)
        return self.routine_name(*key)

    def require_entry(self, routine: Routine | None, member: int | None) -> ProcedureEntry:
        """Returns the entry of a procedure that asks: its first block, its frame and its parameters. Queues it for
        compilation."""
        assert routine is not None
        key = (routine, self.find_specialization(routine, member))
        if key not in self.entries:
            block = self.new_block(routine, member)
            frame = FIRST_VIRTUAL_SLOT + len(self.entries) * VIRTUAL_FRAME_SLOTS
            self.entries[key] = ProcedureEntry(block.name, frame, [frame + 1 + n for n in range(len(routine.params))])
            self.extend_frame(frame + len(routine.params))
            self.waiting_entries.append(key)
        return self.entries[key]

    waiting_entries: list[tuple[Routine, int | None]]

    def get_entry_block(self, routine: Routine, member: int | None) -> FunctionBuilder:
        """Returns the first block of a procedure that asks."""
        entry = self.entries[routine, self.find_specialization(routine, member)]
        return self.blocks[self.numbers[entry.block]]

    def build_dispatch(self, family: Family, kind: str, one: Callable[[Routine | None, int], str]) -> m.IrExpr:
        """Returns a tuple with one function for each member. Each family has one tuple of each kind."""
        name = f"{kind}_{len(self.tables)}"
        for known, rows in self.tables.items():
            if rows[0] == f"{kind} {family.name}":
                return m.FunctionRef(known)
        assert family.domain is not None
        self.tables[name] = [f"{kind} {family.name}"]
        for member in range(len(self.program.model.enums[family.domain])):
            self.tables[name].append(one(family.entry(member), member))
        return m.FunctionRef(name)

    def build_proc_dispatch(self, family: Family) -> m.IrExpr:
        return self.build_dispatch(family, "P", lambda routine, member: self.require_function(routine, member))

    def build_def_dispatch(self, family: Family) -> m.IrExpr:
        return self.build_dispatch(family, "D", lambda routine, member: self.require_function(routine, member))

    def build_enter_dispatch(self, family: Family) -> m.IrExpr:
        """Returns functions (s, return block, arguments) that enter each entry of a family, whether it asks or not."""

        def compile_enter_function(routine: Routine | None, member: int) -> str:
            assert routine is not None
            names = [f"p{n}" for n in range(len(routine.params))]
            code = FunctionBuilder(self.fresh.function_name("e", f"{family.name}_{self.member_name(routine, member)}"), ("s", "r", *names))
            self.functions.append(code)
            if self.effects.of[routine].asks:
                entry = self.require_entry(routine, member)
                code.emit(b.store_slot(m.FrameAddr(entry.frame), "r"))
                for slot, name in zip(entry.params, names):
                    code.emit(b.store_slot(m.FrameAddr(slot), name))
                code.emit(m.ReturnStmt(b.call(m.FunctionRef(entry.block), b.POSITION)))
            else:
                code.emit(m.ExprStmt(b.call(m.FunctionRef(self.require_function(routine, member)), b.POSITION, *names)))
                code.emit(m.ReturnStmt(b.call(b.index_entry(m.FunctionRef("B"), "r"), b.POSITION)))
            return code.name

        return self.build_dispatch(family, "E", compile_enter_function)

    # ------------------------------------------------------------ defs

    def lower_def_call(self, routine: Routine, values: list[m.IrExpr], member: int | None) -> m.IrExpr:
        """Returns a call of a def."""
        return b.call(m.FunctionRef(self.require_function(routine, member)), b.POSITION, *values)

    def lower_tabulated_def(self, x: ExpressionApi, routine: Routine, values: list[m.IrExpr], member: int | None) -> m.IrExpr | None:
        """Returns the value of a def that depends only on static data, from a table that is filled on demand.

        None if the def reads the position or draws, or if the table would be too large."""
        effect = self.effects.of[routine]
        if effect.reads or effect.draws or once.count_combinations(self, routine.params) is None:
            return None
        self.record_strategy(routine.at, "worked out once for all positions")
        return once.lower_table_entry(x, routine.params, values, self.require_function(routine, member))

    def lower_memoized_def(self, x: ExpressionApi, routine: Routine) -> m.IrExpr:
        """Returns the memoized value of a def without parameters. A write to a state that it reads invalidates the
        value."""
        memo = self.memos.get(routine)
        if memo is None:
            memo = self.memos[routine] = MemoSlot(routine.name, len(self.memos), tuple(sorted(self.effects.of[routine].reads)))
            self.record_strategy(routine.at, f"remembered until something is written to {', '.join(memo.reads)}")
            self.require_function(routine, None)
        value = self.fresh.temp_name("q")
        x.emit(m.LoadMemo(value, m.MemoAddr(memo.slot), m.FunctionRef(self.routine_name(routine, None))))
        return m.Var(value)

    def compile_def(self, routine: Routine, member: int | None) -> None:
        """Compiles a def as a function of the position and its parameters."""
        code = FunctionBuilder(self.routine_name(routine, member), ("s", *(self.fresh.local_name(p) for p in routine.params)))
        code.origin = (routine.path, routine.at.line, routine.at.column)
        self.functions.append(code)
        x = self.new_expression_lowering(code)
        if routine.case is not None and member is not None:
            x.env[routine.case] = m.IntConst(member)
        if routine.value is not None:
            code.emit(m.ReturnStmt(x.lower(routine.value)))
            return
        for condition in routine.conditions:
            code.origin = (condition.at.path, condition.at.line, condition.at.column)
            code.emit(m.IfStmt(b.logical_not(x.lower(condition.test)), [m.ReturnStmt(m.BoolConst(False))]))
        code.emit(m.ReturnStmt(m.BoolConst(True)))

    def new_expression_lowering(self, code: FunctionBuilder) -> ExpressionLowering:
        """Returns an expression compiler that emits into `code`."""
        x = ExpressionLowering(self)
        x.code = code
        x.bound = self.fresh.local_name
        return x

    # ------------------------------------------------------------ the whole

    def lower_module(self) -> IrModule:
        """Compiles the whole program and returns the module."""
        program = self.program
        self.waiting_entries = []
        game = program.families["game"].routines[0]
        begin = self.new_block(None)
        if self.effects.of[game].asks:
            entry = self.require_entry(game, None)
            begin.emit(b.store_slot(m.FrameAddr(entry.frame), 0))
            begin.emit(m.ReturnStmt(b.call(m.FunctionRef(entry.block), b.POSITION)))
        else:
            self.plain["game"] = self.require_function(game, None)
            begin.emit(m.ExprStmt(b.call(m.FunctionRef(self.plain["game"]), b.POSITION)))
            begin.emit(m.ReturnStmt(b.call(m.FunctionRef(self.final.name), b.POSITION)))
        goals: dict[str, list[str]] = {}
        for goal in program.goals.values():
            goals[goal.name] = [self.compile_value_function(goal, value) for value in goal.values]
        always = [(routine, self.compile_value_function(routine, routine.value)) for routine in program.always]
        self.require_all_procedures()
        self.compile_pending()
        written = len(self.functions)
        shown = {routine.name: (routine, self.require_function(routine, None)) for routine in self.facts.secrecy.open_defs}
        self.terms = ScoreTerms(self, program.goals["standing"]).compile_terms()
        self.compile_pending()
        for code in self.functions[written:]:
            code.asked = True                                      # not called by rules, so they do not count for coverage
        return self.assemble(self.get_block_number(begin), goals, always, shown)

    def require_all_procedures(self) -> None:
        """Queues every procedure, called or not, so that scenarios can run each of them alone."""
        for routine, member in iter_procedures_by_member(self.program):
            if self.effects.of[routine].asks:
                self.require_entry(routine, member)
            else:
                self.plain[self.get_routine_key(routine, member)] = self.require_function(routine, member)

    def compile_value_function(self, routine: Routine, value: core.Expr | None) -> str:
        """Compiles a function of the position (and a player) for a value of a goal, or for an invariant. Returns its
        name."""
        code = FunctionBuilder(self.fresh.function_name("g", routine.name), ("s", *map(self.fresh.local_name, routine.params)))
        self.functions.append(code)
        assert value is not None
        code.origin = (routine.path, value.at.line, value.at.column)
        x = self.new_expression_lowering(code)
        code.emit(m.ReturnStmt(x.lower(value)))
        return code.name

    def compile_pending(self) -> None:
        """Compiles queued functions and entries until none are left."""
        while self.queue or self.waiting_entries:
            if self.waiting_entries:
                routine, member = self.waiting_entries.pop()
                writer = self.procedure_class(self, routine, member)
                self.compile_entry(writer)
                continue
            routine, member = self.queue.pop()
            if routine.kind == "def":
                self.compile_def(routine, member)
            else:
                self.procedure_class(self, routine, member).compile()

    def compile_entry(self, writer: ProcedureLowering) -> None:
        """Compiles a procedure that asks. Its frame begins at the slot from `require_entry` and grows at its end."""
        entry = self.entries[writer.routine, self.find_specialization(writer.routine, writer.member)]
        writer.compile_asking(entry.frame, entry.params, entry.frame + 1 + len(entry.params))

    def assemble(self, start: int, goals: dict[str, list[str]], always: list[Any], shown: dict[str, tuple[Routine, str]]) -> IrModule:
        """Assigns slots to frames and memoized values, links all functions and returns the module."""
        bases = self.place_frames()

        def locate_slot(slot: int) -> tuple[int, int]:
            """Returns the number of the frame and the real slot of a virtual frame slot."""
            number, k = divmod(slot - FIRST_VIRTUAL_SLOT, VIRTUAL_FRAME_SLOTS)
            return number, bases[number] + k

        def resolve_slot(slot: int) -> int:
            return locate_slot(slot)[1]

        for wait in self.waits.values():
            wait.frame = locate_slot(wait.return_slot)[0]
            wait.return_slot = resolve_slot(wait.return_slot)
        for variable in {id(variable): variable for wait in self.waits.values() for variable in wait.live}.values():
            variable.slot = resolve_slot(variable.slot)
            variable.seers = tuple((resolve_slot(seer[0]) if seer[0] >= 0 else seer[0], *seer[1:]) for seer in variable.seers)
        for entry in self.entries.values():
            entry.frame, entry.params = resolve_slot(entry.frame), [resolve_slot(slot) for slot in entry.params]
            entry.number = self.numbers[entry.block]
        end = max((bases[n] + size for n, size in self.sizes.items()), default=len(self.layout.initial))
        initial = list(self.layout.initial) + [0] * (end - len(self.layout.initial))
        memo_base = len(initial)
        initial += [None] * len(self.memos)
        initial[EVENTS] = initial[SCRIPT] = None
        initial[OPTIONS] = ()
        forget: dict[str, list[int]] = {}
        for memo in self.memos.values():
            memo.slot += memo_base
            for name in memo.reads:
                forget.setdefault(name, []).append(memo.slot)
        every = [*self.functions, *self.blocks]
        tables = {**{name: rows[1:] for name, rows in self.tables.items()}, "B": [code.name for code in self.blocks]}
        forgotten = {node.state for code in every for node in iter_statements(code.body) if isinstance(node, m.InvalidateMemos)}
        stays = self.upkeep.find_never_invalidated(forgotten)
        budget = StepBudget({code.name: code for code in every}, tables, {self.upkeep.builds[number] for number in stays})
        budget.insert_charges()
        placing = Linker(self.program, self.upkeep, forget, locate_slot, memo_base, len(initial))
        kept_base = len(initial)
        initial += [None] * len(self.upkeep.builds)
        for code in every:
            code.body, code.loads = placing.link_body(code.build_full_body()), {}
        return IrModule(
            functions=self.functions,
            blocks=self.blocks,
            tables=tables,
            values=self.values,
            initial=initial,
            layout=self.layout,
            start=start,
            waits=self.waits,
            decisions=self.decisions,
            events=self.events,
            chances=self.chances,
            memos=[*self.memos.values(), *(MemoSlot("", kept_base + n, (), build) for n, build in enumerate(self.upkeep.builds))],
            goals=goals,
            always=always,
            entries={self.get_routine_key(*key): entry for key, entry in self.entries.items()},
            plain=self.plain,
            shown=shown,
            owners=self.build_owners(),
            names={
                name: local
                for local, name in self.fresh.names.items()
                if not self.facts.secrecy.secrets_of(local) and local.name[:1] != "."
            },
            counts=budget.counts,
            teams=self.program.teams,
            has_points=is_point_score(self.program.goals["standing"]),
            terms=self.terms,
            upkeep=self.strategies,
        )

    def build_owners(self) -> dict[str, FunctionOwner]:
        """Returns the procedure that each function or block belongs to, by name."""
        written = {**{name: key for key, name in self.names.items() if key[0].kind != "def"}, **self.block_of}
        return {name: FunctionOwner(routine, routine.member if member is None else member,
                            self.entries[routine, member].frame if (routine, member) in self.entries else None)
                for name, (routine, member) in written.items()}
