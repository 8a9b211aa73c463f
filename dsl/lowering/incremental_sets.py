"""Incremental sets: sets that writes keep up to date, instead of being computed again for each use.

`set(cell in Cell where state[cell] == none and rests(cell))` is a bitmask. Suppose that the condition reads
states only at places that follow from the cell itself (the cell, a neighbour, a corner). Then a write to
`state[i]` can only change the bits of a few cells, known at compile time. So the mask is stored in the
position: the first reader computes it, and each write updates it.

In databases this is called incremental view maintenance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..core import nodes as core
from ..core.nodes import LocalVar
from ..core.program import State
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import FunctionBuilder
from ..ir.optimizations import is_enabled
from ..ir.traversal import child_blocks, iter_statements, map_statement
from ..types.operations import PRIMITIVE_FUNCTIONS, RELATION_FUNCTIONS
from ..types.types import MemberOf
from .protocols import ExpressionApi, ModuleApi
from .value_index import ValueIndex

Relation = list[tuple[int, ...]]  # for each member of the domain, the members that a condition reads
MAX_INLINE_LINES = 14
STATE_FREE_BUILTINS = ("row", "column", "position", "distance", "span", "ray", "between")
MAX_AVERAGE_TOUCHED_CELLS = 24  # with more affected cells per write, the set is computed for each use


@dataclass
class IncrementalSet:
    """One incremental set: its number, the states that it reads with the cells that each write affects, and its
    functions."""

    number: int
    size: int
    touched: dict[State, Relation]
    update: dict[State, str] = field(default_factory=dict)  # name of the function (s, mask, index) -> mask
    build: str = ""
    vacated: dict[State, str] = field(default_factory=dict)  # states where a new value clears the cell's own bit, with the function
    # that updates the other affected cells ("" if there are none)


class IncrementalSetTable:
    """All incremental sets of a module, with its value index."""

    def __init__(self, writer: ModuleApi) -> None:
        self.w = writer
        self.sets: list[IncrementalSet] = []
        self.builds: list[str] = []                               # for each slot, the function that computes it ("": see the slot before)
        self.holders = ValueIndex(writer, self.builds)
        self.known: dict[object, IncrementalSet | None] = {}
        self.why: core.RuleSpan | None = None                         # why the last set cannot be maintained
        self.followed: dict[tuple[object, ...], bool] = {}         # defs that were followed for the current set, with arguments
        # short updaters to inline: table of cells, loop body
        self.inline: dict[str, tuple[m.IrExpr, m.Body]] = {}

    def read_mask(self, x: ExpressionApi, gen: core.GeneratorBinding, conditions: Sequence[core.Expr]) -> m.IrExpr | None:
        """Returns a variable with the bitmask of the members of `gen`'s domain that meet `conditions`.

        None if the set cannot be maintained."""
        if not isinstance(gen.source, core.AllMembers) or not conditions or gen.number is not None:
            return None
        kept = self.find_or_build_set(gen, conditions)
        if kept is None:
            if self.why is not None:
                place = f"{self.why.line}:{self.why.column}"
                self.w.record_strategy(gen.at, f"worked out each time: what stands at {place} does not follow from {gen.local.name}")
            return None
        self.w.record_strategy(gen.at, f"kept, and mended when something is written to {', '.join(state.name for state in kept.touched)}")
        name = self.w.fresh.temp_name("m")
        x.emit(m.LoadMemo(name, m.IncrementalSetAddr(kept.number), m.FunctionRef(kept.build)))
        return m.Var(name)

    def is_maintainable(self, gen: core.GeneratorBinding, conditions: Sequence[core.Expr]) -> bool:
        """Whether a set can be maintained incrementally."""
        return isinstance(gen.source, core.AllMembers) and bool(conditions) and self.find_or_build_set(gen, conditions) is not None

    def find_or_build_set(self, gen: core.GeneratorBinding, conditions: Sequence[core.Expr]) -> IncrementalSet | None:
        """Returns the incremental set for these conditions, or None. `why` then says what prevents it."""
        assert isinstance(gen.source, core.AllMembers)
        self.why = None
        if self.holders.can_answer_all(gen, conditions) or not is_enabled("incremental-sets"):
            return None
        size = len(self.w.program.model.enums[gen.source.domain])
        touched: dict[State, Relation] = {}
        own: Relation = [(n,) for n in range(size)]
        self.followed = {}
        for condition in conditions:
            if not self.collect_footprint(condition, {gen.local: own}, touched):
                self.why = condition.at
                return None
        if not touched or any(sum(map(len, r)) > MAX_AVERAGE_TOUCHED_CELLS * max(1, len(r)) for r in touched.values()):
            return None
        key = self.build_set_key(gen, gen.source.domain, conditions)
        if key not in self.known:
            self.known[key] = self.build_set(gen, conditions, size, touched)
        return self.known[key]

    def build_set_key(self, gen: core.GeneratorBinding, domain: str, conditions: Sequence[core.Expr]) -> object:
        """Returns the IR of the conditions for a cell called `c`. Equal sets have equal keys and are stored once."""
        code = FunctionBuilder("probe")
        x = self.w.new_expression_lowering(code)
        x.env[gen.local] = m.Var("c")
        count = self.w.fresh.count
        found = [x.lower(condition) for condition in conditions]
        self.w.fresh.count = count
        return domain, repr(strip_origins(code.body)), tuple(found)

    # ------------------------------------------------------------ what a condition looks at

    def collect_footprint(self, node: core.Expr, names: dict[LocalVar, Relation], touched: dict[State, Relation]) -> bool:
        """Collects the entries of states that `node` reads in `touched`.

        Returns False if it reads something that does not follow from the cell."""
        match node:
            case core.Fold(kind="any" | "all" | "count", gens=gens, where=where, value=value):
                inner = dict(names)
                for gen in gens:
                    relation = self.find_relation(gen.source, inner)
                    if relation is None or gen.number is not None:
                        return False
                    inner[gen.local] = relation
                return all(self.collect_footprint(part, inner, touched) for part in (*where, *([value] if value is not None else [])))
            case core.StateRef():
                return self.collect_load_footprint(node, names, touched)
            case core.CallDef(bare=False):
                return self.collect_def_footprint(node, names, touched)
            case core.LocalRef(local=local):
                return local in names
            case core.Attribute(thing=thing):
                return self.collect_footprint(thing, names, touched)
            case core.Const() | core.NamedConstant() | core.MemberConstant() | core.OptionValue() | core.EmptyLiteral() | core.AllMembers():
                return True
            case core.PrimOp(op="in" | "not in" | ".."):
                return False
            case core.PrimOp(op=op, args=args) if op in STATE_FREE_BUILTINS or op not in PRIMITIVE_FUNCTIONS:
                return all(self.collect_footprint(part, names, touched) for part in args)
        return False

    def collect_load_footprint(self, node: core.StateRef, names: dict[LocalVar, Relation], touched: dict[State, Relation]) -> bool:
        """Collects one read of a state: adds each cell to the list of the index that it reads."""
        state = self.w.program.states[node.state]
        if len(node.index) != 1 or self.w.layout.cells[state].form != "plain":
            return False
        relation = self.find_relation(node.index[0], names)
        if relation is None:
            return False
        size = len(self.w.program.model.enums[state.axes[0][1]])
        inverse = touched.setdefault(state, [() for _ in range(size)])
        for cell, seen in enumerate(relation):
            for index in seen:
                if cell not in inverse[index]:
                    inverse[index] = (*inverse[index], cell)
        return True

    def collect_def_footprint(self, node: core.CallDef, names: dict[LocalVar, Relation], touched: dict[State, Relation]) -> bool:
        """Collects the reads of a def for these arguments."""
        family = self.w.program.families[node.family]
        routine = family.default
        if family.domain or routine is None or routine.value is None:
            return False
        inner: dict[LocalVar, Relation] = {}
        for param, argument in zip(routine.params, node.args):
            relation = self.find_relation(argument, names)
            if relation is None:
                return False
            inner[param] = relation
        case = (routine, *(tuple(relation) for relation in inner.values()))      # calls with equal arguments are followed once
        if case not in self.followed:
            self.followed[case] = self.collect_footprint(routine.value, inner, touched)
        return self.followed[case]

    def find_relation(self, node: core.Expr, names: dict[LocalVar, Relation]) -> Relation | None:
        """Returns the members that an expression may stand for, for each cell that it starts from. None if they are not
        known."""
        if isinstance(node, core.LocalRef):
            return names.get(node.local)
        if not isinstance(node, core.PrimOp) or node.op not in PRIMITIVE_FUNCTIONS:
            return None
        start = self.find_relation(node.args[0], names)
        found = node.args[0].type
        if start is None or not isinstance(found, MemberOf):
            return None
        enum = self.w.program.model.enums[found.name]
        board = enum.board
        if board is None or board.open:
            return None
        if node.op in RELATION_FUNCTIONS:
            table = board.relation(enum.kind, node.op)
            return [tuple({n for cell in seen for n in table[cell]}) for seen in start]
        if node.op == "step" and isinstance(node.args[1], core.Const):
            direction = node.args[1].value
            return [tuple(board.step[cell][direction] for cell in seen if board.step[cell][direction] >= 0) for seen in start]
        return None

    # ------------------------------------------------------------ code

    def build_set(
        self, gen: core.GeneratorBinding, conditions: Sequence[core.Expr], size: int, touched: dict[State, Relation]
    ) -> IncrementalSet:
        """Creates an incremental set and compiles the functions that compute and update it."""
        kept = IncrementalSet(len(self.builds), size, touched)
        self.sets.append(kept)
        kept.build = self.w.fresh.function_name("k", gen.local.name)
        self.builds.append(kept.build)
        build = FunctionBuilder(kept.build)
        build.emit(m.AssignStmt(("m",), m.IntConst(0)))
        one = b.bit_mask("c")
        with build.inside_block(m.ForStmt(("c",), b.call("range", size))):
            self.emit_member_test(build, gen, conditions, m.AugAssign(m.Var("m"), "|=", one), None)
        build.emit(m.ReturnStmt(m.Var("m")))
        self.w.functions.append(build)
        for state, relation in touched.items():
            name = kept.update[state] = self.w.fresh.function_name("k", f"{gen.local.name}_{state.name}")
            self.compile_updater(name, gen, conditions, tuple(relation))
            if not any(self.is_vacancy_test(c, state, gen.local) for c in conditions):
                continue
            others = tuple(tuple(c for c in cells if c != index) for index, cells in enumerate(relation))
            kept.vacated[state] = "" if not any(others) else self.w.fresh.function_name("k", f"{gen.local.name}_{state.name}_gone")
            if any(others):
                rest = [c for c in conditions if not self.is_made_true(c, state, gen, others)]
                self.compile_updater(kept.vacated[state], gen, rest, others)
        return kept

    def is_made_true(self, node: core.Expr, state: State, gen: core.GeneratorBinding, others: tuple[Any, ...]) -> bool:
        """Whether a new value at index i makes `node` true for every cell that this affects.

        Example: `all(b in step(cell, d): state[b] != none)`, if i is the only index that it reads."""
        names: dict[LocalVar, Relation] = {gen.local: [(n,) for n in range(len(others))]}
        while isinstance(node, core.CallDef) and not node.bare and self.w.program.families[node.family].default is not None:
            routine = self.w.program.families[node.family].default
            assert routine is not None
            found = [r for r in (self.find_relation(a, names) for a in node.args) if r is not None]
            if routine.value is None or len(found) < len(routine.params):
                return False
            names = dict(zip(routine.params, found))
            node = routine.value
        match node:
            case core.Fold(kind="all", where=(), gens=(inner,), value=core.PrimOp(
                    op="!=", args=(core.StateRef(state=name, index=(core.LocalRef(local=looked), )), core.EmptyLiteral()))):
                relation = self.find_relation(inner.source, names)
                if relation is None or any(len(seen) > 1 for seen in relation) or name != state.name or looked is not inner.local:
                    return False
                return all(relation[cell] == (i,) for i, cells in enumerate(others) for cell in cells)
        return False

    def compile_updater(self, name: str, gen: core.GeneratorBinding, conditions: Sequence[core.Expr], cells: tuple[Any, ...]) -> None:
        """Compiles a function (s, mask, index) -> mask that tests the cells that a write at this index affects."""
        code = FunctionBuilder(name, ("s", "m", "i"))
        one = b.bit_mask("c")
        table = self.w.add_constant(cells)
        loop = m.ForStmt(("c",), b.index_entry(table, "i"))
        with code.inside_block(loop):
            self.emit_member_test(
                code, gen, conditions, m.AugAssign(m.Var("m"), "|=", one), m.AugAssign(m.Var("m"), "&=", m.UnaryOp("~", one))
            )
        if count_lines([loop]) - 2 <= MAX_INLINE_LINES:
            self.inline[name] = table, loop.body
        code.emit(m.ReturnStmt(m.Var("m")))
        self.w.functions.append(code)

    def emit_member_test(
        self, code: FunctionBuilder, gen: core.GeneratorBinding, conditions: Sequence[core.Expr], yes: m.IrStmt, no: m.IrStmt | None
    ) -> None:
        """Emits `yes` if the cell `c` meets all conditions, else `no`."""
        x = self.w.new_expression_lowering(code)
        x.inline_all = True
        x.env[gen.local] = m.Var("c")
        depth = code.depth
        value: m.IrExpr = m.BoolConst(True)
        for n, condition in enumerate(conditions):
            if n:
                x.assign("b", value)
                code.enter_block(m.IfStmt(m.Var("b")))
            value = x.lower(condition)
            if n:
                x.assign("b", value)
                value = m.Var("b")
        code.depth = depth
        code.emit(m.IfStmt(value, [yes], [no] if no is not None else []))

    def is_vacancy_test(self, node: core.Expr, state: State, cell: LocalVar) -> bool:
        """Whether a condition is `state[cell] == none`."""
        match node:
            case core.PrimOp(op="==", args=(core.StateRef(state=name, index=(core.LocalRef(local=local),)), core.EmptyLiteral())):
                return name == state.name and local is cell
        return False

    def build_before_write(self, state: State, writing: m.BeforeWrite) -> m.Body:
        """Returns the steps before one entry of a state is written."""
        return self.holders.build_before_write(state, writing)

    def find_never_invalidated(self, forgotten: set[str]) -> set[int]:
        """Returns the numbers of sets and masks that are never invalidated once they are computed.

        `forgotten` are the states that are sometimes written as a whole."""
        sets = {kept.number for kept in self.sets if forgotten.isdisjoint(state.name for state in kept.touched)}
        return sets | {kept.first for state, kept in self.holders.states.items() if state.name not in forgotten}

    def build_write_updates(self, state: State, written: m.AfterWrite) -> m.Body:
        """Returns the steps that update masks and sets after one entry of a state was written."""
        found: m.Body = self.holders.build_write_updates(state, written)
        mask, index = m.Var("m"), written.index
        for kept in self.sets:
            if state not in kept.touched:
                continue
            updater, now = kept.update[state], mask
            left: m.IrExpr = now
            if written.put_down and state in kept.vacated:         # the cell's own bit is certainly cleared
                updater, left = kept.vacated[state], b.mask_without(mask, b.bit_mask(index))
            at = m.IncrementalSetAddr(kept.number)
            if not updater or updater not in self.inline:
                new = b.call(m.FunctionRef(updater), b.POSITION, left, index) if updater else left
                there = b.binary_op(m.AssignExpr("m", b.load_slot(at)), "is not", m.NoneConst())
                found.append(m.IfStmt(there, [b.store_slot(at, new)]))
                continue
            mended: m.Body = [] if left is now else [m.AssignStmt(("m",), left)]
            table, body = self.inline[updater]
            mended.append(m.ForStmt(("c",), m.IndexExpr(table, index), body))
            mended.append(b.store_slot(at, mask))
            found.append(m.AssignStmt(("m",), b.load_slot(at)))
            found.append(m.IfStmt(b.binary_op("m", "is not", m.NoneConst()), mended))
        return found

    def build_invalidation(self, state: State) -> m.Body:
        """Returns the steps that invalidate all sets and masks that depend on a state."""
        sets: m.Body = [b.store_slot(m.IncrementalSetAddr(kept.number), m.NoneConst()) for kept in self.sets if state in kept.touched]
        return sets + self.holders.build_invalidation(state)


def count_lines(body: m.Body) -> int:
    """Returns how many lines of source text the steps would take."""
    found = 0
    for node in body:
        first, *rest = child_blocks(node) or [[]]
        found += 1 + count_lines(first) + sum(1 + count_lines(other) for other in rest if other)
    return found


def strip_origins(body: m.Body) -> m.Body:
    """Returns a copy of steps without the rule lines that they come from."""
    found = [map_statement(node, lambda part: None) for node in body]
    for node in iter_statements(found):
        node.origin = None
    return found
