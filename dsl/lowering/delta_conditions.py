"""Delta evaluation of end conditions: `until` is tested only where the last write can have changed it.

`rounds ... until any(row in rows where all(cell in row: state[cell] == who))` was false before the turn. If
the turn wrote one entry, `state[i] = v`, only rows that contain `i` can have become true, and only for `who
== v`. Likewise, `any(cell in Cell where state[cell] == who and ...)` needs a test only for `cell == i`.
Conditions of any other form are evaluated in full.

The technique is known as semi-naive evaluation (Datalog) or incremental view maintenance (databases)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..analysis.cost import INLINE_LIMIT
from ..core import nodes as core
from ..core.nodes import LocalVar
from ..core.program import Routine
from ..core.walk import children, split_conjuncts, walk
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.optimizations import is_enabled
from ..types.types import Int, ListOf, MemberOf, OptionalOf
from .protocols import ProcedureApi, StateMaskSlots

Plan = Callable[[str], None]                                       # emits code that sets a variable


@dataclass
class Disjunct:
    """One alternative of a condition: `any(gens where conditions)`, with nested folds and small defs expanded.

    `names` maps the parameters of expanded defs to their arguments."""

    gens: list[core.GeneratorBinding]
    conditions: list[core.Expr]
    names: dict[LocalVar, core.Expr]


class RoundWrites:
    """The writes of one turn of a `rounds` loop, for the `until` that follows it."""

    def __init__(self, routine: ProcedureApi, node: core.RoundsLoop) -> None:
        self.r, self.x = routine, routine.x
        self.node = node
        self.written: dict[str, list[tuple[m.IrExpr, m.IrExpr | None]]] = {}     # state -> (index, value or None for none)
        self.top = set(node.body)
        self.sites: dict[str, int] = {}
        self.code: Any = None
        for inside in walk(node.body):
            for state in routine.w.find_written_states(inside):
                self.sites[state] = self.sites.get(state, 0) + 1

    def record_store(self, node: core.Store) -> None:
        """Records an assignment that was just compiled, if it is a plain `state[local] = local` at the top level of the
        body."""
        if node not in self.top or node.op != "=":
            return
        match node.target:
            case core.StateRef(state=state, index=(core.LocalRef(local=at) as index,)) if not at.mutable:
                pass
            case _:
                return
        value: m.IrExpr | None = None
        if isinstance(node.value, core.LocalRef) or isinstance(node.value, core.Const) and isinstance(node.value.type, MemberOf):
            if isinstance(node.value.type, OptionalOf):
                return
            value = self.x.lower(node.value)
        elif not isinstance(node.value, core.EmptyLiteral):
            return
        self.written.setdefault(state, []).append((self.x.lower(index), value))
        self.code = self.x.code

    def find_known_writes(self, state: str) -> list[tuple[m.IrExpr, m.IrExpr | None]] | None:
        """Returns all writes of the body to a state as (index, value) pairs. None if some of them are not known."""
        found = self.written.get(state, [])
        if self.code is not self.x.code:                           # written before another decision: the variables are no longer valid
            return None
        return found if len(found) == self.sites.get(state, 0) else None

    def is_false_at_start(self, routine: Routine) -> bool:
        """Whether `until` cannot hold before the first turn of the game, because it needs values in states that are
        still empty."""
        parts = self.find_disjuncts(self.node.until, {}) if self.node.until is not None else None
        if parts is None:
            return False
        before: set[str] = set()
        for statement in routine.body:
            if statement is self.node:
                break
            for inside in walk(statement):
                before.update(self.r.w.find_written_states(inside))
        for part in parts:
            shapes = [
                self.match_cell_equality(c.value if isinstance(c, core.Fold) and c.kind == "all" else c, part.names)
                for c in part.conditions
            ]
            states = [self.r.w.program.states[shape[0]] for shape in shapes if shape is not None]
            empty = [
                s
                for s in states
                if isinstance(s.type, OptionalOf) and s.name not in before and s.start is None and s.name not in self.x.model.start
            ]
            if not empty:
                return False
            rows = [c for c, shape in zip(part.conditions, shapes) if shape is not None and isinstance(c, core.Fold)]
            if rows and not all(isinstance(c.gens[0].source, core.LocalRef) for c in rows):
                return False
        return True

    # ------------------------------------------------------------ the condition

    def lower_until(self) -> m.IrExpr:
        """Emits steps and returns a condition: `until` holds now and did not hold before the turn."""
        node = self.node.until
        assert node is not None
        parts = self.find_disjuncts(node, {}) if is_enabled("delta-conditions") else None
        name = self.r.w.fresh.temp_name("b")
        plans = [self.plan_disjunct(part) for part in parts or ()]
        if parts is None or all(plan is None for plan in plans):
            self.r.w.record_strategy(node.at, "an end asked in full after each go")
            return self.x.lower(node)
        some = "" if None not in plans else f" in {len(plans) - plans.count(None)} of {len(plans)} ways"
        self.r.w.record_strategy(node.at, f"an end asked only for what the last go wrote{some}")
        self.x.assign(name, False)
        for n, (part, plan) in enumerate(zip(parts, plans)):
            if n:
                self.x.code.enter_block(m.IfStmt(b.logical_not(name)))
            if plan is None:
                self.emit_full_test(part, name)
            else:
                plan(name)
            if n:
                self.x.code.depth -= 1
        return m.Var(name)

    def emit_full_test(self, part: Disjunct, name: str) -> None:
        """Emits the full evaluation of one alternative into the variable `name`."""
        saved = dict(self.x.env)
        self.bind_parameters(part.names)
        self.x.assign(name, self.x.exists(part.gens, list(part.conditions)))
        self.x.env, self.x.aliases = saved, {}

    def bind_parameters(self, names: dict[LocalVar, core.Expr]) -> None:
        """Makes parameters of expanded defs read the variables of their arguments."""
        for local in names:
            root = self.resolve_parameter(local, names)
            self.x.aliases[local] = root
            known = self.x.env.get(root)
            self.x.env[local] = known if isinstance(known, m.IntConst) else m.Var(self.x.w.fresh.local_name(root))

    def resolve_parameter(self, local: LocalVar, names: dict[LocalVar, core.Expr]) -> LocalVar:
        """Returns the local that a parameter stands for."""
        while local in names:
            found = names[local]
            if not isinstance(found, core.LocalRef):
                return local
            local = found.local
        return local

    def find_disjuncts(self, node: core.Expr, names: dict[LocalVar, core.Expr]) -> list[Disjunct] | None:
        """Returns the alternatives of a condition, or None if it has another form."""
        match node:
            case core.PrimOp(op="or", args=(left, right)):
                one, two = self.find_disjuncts(left, names), self.find_disjuncts(right, names)
                return None if one is None or two is None else one + two
            case core.CallDef(case=None, bare=False, args=args):
                family = self.r.w.program.families[node.family]
                routine = family.default
                if routine is None or routine.value is None or family.domain or not all(isinstance(a, core.LocalRef) for a in args):
                    return None
                if self.r.w.facts.sizes[routine] > INLINE_LIMIT:
                    return [Disjunct([], [node], names)]
                return self.find_disjuncts(routine.value, names | dict(zip(routine.params, args)))
            case core.Fold(kind="any", gens=gens):
                conditions = [*node.where, *split_conjuncts(node.value)]
                inner = [c for c in conditions if self.has_alternatives(c)]
                if len(inner) != 1:
                    return [Disjunct(list(gens), conditions, names)]
                rest = [c for c in conditions if c is not inner[0]]
                parts = self.find_disjuncts(inner[0], names)
                if parts is None:
                    return [Disjunct(list(gens), conditions, names)]
                return [Disjunct([*gens, *part.gens], rest + part.conditions, part.names) for part in parts]
            case core.PrimOp(op="in" | "not in" | ".."):
                return None
            case core.PrimOp() | core.Fold() | core.OccupiedCells() | core.CallDef(bare=False):
                return [Disjunct([], [node], names)]
        return None

    def has_alternatives(self, node: core.Expr) -> bool:
        """Whether a condition has alternatives itself (`any`, `or`, or a def whose value has)."""
        match node:
            case core.Fold(kind=kind):
                return kind == "any"
            case core.PrimOp(op=op):
                return op == "or"
            case core.CallDef(family=name, bare=False):
                routine = self.r.w.program.families[name].default
                return routine is not None and routine.value is not None and self.has_alternatives(routine.value)
        return False

    # ------------------------------------------------------------ plans

    def plan_disjunct(self, part: Disjunct) -> Plan | None:
        """Returns a plan that evaluates one alternative only where the writes matter, or None."""
        for condition in part.conditions:
            if isinstance(condition, core.Fold) and condition.kind == "all":
                found = self.plan_rows(part, condition)
                if found is not None:
                    return found
            found = self.plan_cell(part, condition)
            if found is not None:
                return found
        return self.plan_holder(part)

    def match_cell_equality(self, node: core.Expr | None, names: dict[LocalVar, core.Expr]) -> tuple[str, LocalVar, LocalVar] | None:
        """Matches `state[cell] == who` over locals and returns (state, cell, who). Otherwise None."""
        match node:
            case core.PrimOp(
                op="==", args=(core.StateRef(state=state, index=(core.LocalRef(local=index),)), core.LocalRef(local=local) as who)
            ):
                return (
                    None
                    if isinstance(who.type, OptionalOf)
                    else (state, self.resolve_parameter(index, names), self.resolve_parameter(local, names))
                )
        return None

    def plan_rows(self, part: Disjunct, condition: core.Fold) -> Plan | None:
        """Plans `any(who in Players, row in lines(n) where all(cell in row: state[cell] == who))`.

        Only the rows through the written cell are tested, and only for its new value."""
        if len(part.conditions) != 1 or condition.where or len(condition.gens) != 1 or len(part.gens) != 2:
            return None
        shape = self.match_cell_equality(condition.value, part.names)
        cell = condition.gens[0]
        who_gen = next((gen for gen in part.gens if isinstance(gen.source, core.AllMembers)), None)
        row_gen = next((gen for gen in part.gens if gen is not who_gen), None)
        if shape is None or who_gen is None or row_gen is None:
            return None
        state, index, who = shape
        source = row_gen.source
        if not (isinstance(source, core.PrimOp) and source.op == "lines" and isinstance(source.type, ListOf)):
            return None
        if (
            index is not cell.local
            or who is not who_gen.local
            or not isinstance(cell.source, core.LocalRef)
            or cell.source.local is not row_gen.local
        ):
            return None
        written = self.find_known_writes(state)
        if not written or len([w for w in written if w[1] is not None]) != 1:
            return None
        at, held = next((at, value) for at, value in written if value is not None)
        board = next(board for board in self.x.model.boards.values() if not board.open)
        length = source.args[0].type.low if isinstance(source.args[0].type, Int) else None
        assert length is not None
        runs = board.lines(length)
        if not runs:
            return None
        through_of: list[list[tuple[int, ...]]] = [[] for _ in board.cells]
        for run in runs:
            for n in run:
                through_of[n].append(run)
        kept = self.r.w.upkeep.holders.find_masks(self.r.w.program.states[state])
        if kept is not None:
            masks = {run: b.mask_of(run) for run in runs}
            return self.plan_masked_rows(kept, tuple(tuple(masks[run] for run in of) for of in through_of), at, held)
        through = tuple(group_rows_by_cell([tuple(c for c in run if c != n) for run in of]) for n, of in enumerate(through_of))
        if length == 3:                                            # only one cell of each row is left: store a number, not a tuple
            through = tuple(tuple((cell, tuple(row[0] for row in rows)) for cell, rows in of) for of in through)
        base = self.r.w.layout.cells[self.r.w.program.states[state]].base

        def write(name: str) -> None:
            x = self.x
            others = tuple(f"c{n}" for n in range(length - 2))
            found: m.Body = [m.AssignStmt((name,), m.BoolConst(True)), m.BreakStmt()]
            same = [b.binary_op(b.load_slot(b.binary_op(base, "+", other)), "==", held) for other in others]
            inner: m.Body = found if length == 2 else [m.ForStmt(others or ("_",), m.Var("rows"), [m.IfStmt(b.conjunction(same), found)])]
            first = b.binary_op(b.load_slot(b.binary_op(base, "+", "c")), "==", held)
            x.emit(m.ForStmt(("c", "rows"), b.index_entry(x.const(through), at), [m.IfStmt(first, inner)]))

        return write

    def plan_masked_rows(self, slots: StateMaskSlots, chain: tuple[tuple[int, ...], ...], at: m.IrExpr, held_mask: m.IrExpr) -> Plan:
        """Plans the same with bitmasks: whether the cells of the new value contain one of the rows through the written
        cell."""
        def write(name: str) -> None:
            x = self.x
            x.emit(m.LoadMemo(None, m.IncrementalSetAddr(slots.first), m.FunctionRef(slots.build)))
            mask = m.Var(x.w.fresh.temp_name("m"))
            x.assign(mask.name, self.r.w.upkeep.holders.load_mask(slots, held_mask))
            inside = b.binary_op(b.binary_op("l", "&", mask), "==", "l")
            x.emit(
                m.ForStmt(
                    ("l",),
                    b.index_entry(x.const(chain), at),
                    [m.IfStmt(inside, [m.AssignStmt((name,), m.BoolConst(True)), m.BreakStmt()])],
                )
            )

        return write

    def plan_cell(self, part: Disjunct, condition: core.Expr) -> Plan | None:
        """Plans `any(who in Players, cell in Cells where state[cell] == who and ...)`.

        Only the written cell is tested, and the other conditions must not read the position."""
        shape = self.match_cell_equality(condition, part.names)
        if shape is None:
            return None
        state, index, who = shape
        if {gen.local for gen in part.gens} != {index, who} or not all(isinstance(gen.source, core.AllMembers) for gen in part.gens):
            return None
        rest = [c for c in part.conditions if c is not condition]
        if any(isinstance(node, core.StateRef | core.OccupiedCells | core.CallDef | core.AfterCall) for node in walk(rest)):
            return None
        written = self.find_known_writes(state)
        if not written or len([w for w in written if w[1] is not None]) != 1:
            return None
        at, held = next((at, value) for at, value in written if value is not None)

        def write(name: str) -> None:
            saved = dict(self.x.env)
            self.x.env[index], self.x.env[who] = at, held
            for local in part.names:
                root = self.resolve_parameter(local, part.names)
                if root in (index, who):
                    self.x.env[local] = self.x.env[root]
            tests = [self.x.lower(c) for c in rest]
            self.x.assign(name, b.conjunction(tests))
            self.x.env = saved

        return write

    def plan_holder(self, part: Disjunct) -> Plan | None:
        """Plans `any(who in Players, ... where ...)` that reads the written state only as `state[...] == who`.

        The entry was empty before, so the condition can only have become true for the value that it has now."""
        whos = [gen for gen in part.gens if isinstance(gen.source, core.AllMembers)]
        written = [state for state in self.sites if self.is_reading_state(part, state)]
        if not whos or len(written) != 1:
            return None
        who, state = whos[0].local, written[0]
        entries = self.find_known_writes(state)
        trees = [*part.conditions, *(gen.source for gen in part.gens if gen is not whos[0])]
        if not entries or len(entries) != 1 or entries[0][1] is None or not self.is_entry_empty_before(state):
            return None
        whose = {who, *(local for local in part.names if self.resolve_parameter(local, part.names) is who)}
        if not all(self.has_only_equality_reads(tree, state, whose) for tree in trees):
            return None
        held = entries[0][1]
        rest = Disjunct([gen for gen in part.gens if gen is not whos[0]], part.conditions, part.names)

        def write(name: str) -> None:
            saved = dict(self.x.env)
            self.x.env[who] = held
            if not isinstance(held, m.IntConst):
                variable = self.r.w.fresh.local_name(who)
                self.x.assign(variable, held)
                self.x.env[who] = m.Var(variable)
            self.emit_full_test(rest, name)
            self.x.env = saved

        return write

    def is_reading_state(self, part: Disjunct, state: str) -> bool:
        """Whether an alternative reads a state, directly or through the defs that it calls."""
        trees = [*part.conditions, *(gen.source for gen in part.gens)]
        return state in self.r.w.compute_effect(trees).reads

    def is_entry_empty_before(self, state: str) -> bool:
        """Whether the one entry that the body writes was empty before, because the choice offers only empty entries."""
        choices = [node for node in self.node.body if isinstance(node, core.ChooseStmt)]
        stores = [node for node in self.node.body if isinstance(node, core.Store) and isinstance(node.target, core.StateRef)]
        places = [node.target.index for node in stores if isinstance(node.target, core.StateRef) and node.target.state == state]
        if len(choices) != 1 or len(places) != 1 or len(choices[0].ways) != 1 or choices[0].how is not None:
            return False
        for condition in choices[0].ways[0].where:
            match condition:
                case core.PrimOp(op="==", args=(core.StateRef(state=name, index=(core.LocalRef(local=looked),)), core.EmptyLiteral())) if (
                    name == state
                ):
                    match places[0]:
                        case (core.LocalRef(local=put),) if put is looked:
                            return True
        return False

    def has_only_equality_reads(self, node: core.Node, state: str, whose: set[LocalVar]) -> bool:
        """Whether a tree reads a state only in the form `state[...] == who`."""
        match node:
            case core.PrimOp(op="==", args=(core.StateRef(state=name, index=index), core.LocalRef(local=local))) if (
                name == state and local in whose
            ):
                return all(self.has_only_equality_reads(part, state, whose) for part in index)
            case core.StateRef(state=name) | core.OccupiedCells(state=name) if name == state:
                return False
            case core.AfterCall():
                return False
            case core.CallDef(family=name, args=args):
                family = self.r.w.program.families[name]
                asked = {param for routine in family.routines for param, given in zip(routine.params, args)
                         if isinstance(given, core.LocalRef) and given.local in whose}
                bodies = [part for routine in family.routines for part in routine.parts]
                return all(self.has_only_equality_reads(part, state, asked) for part in bodies) and all(
                    self.has_only_equality_reads(part, state, whose) for part in args)
        return all(self.has_only_equality_reads(part, state, whose) for part in children(node))


def group_rows_by_cell(rows: list[tuple[int, ...]]) -> tuple[Any, ...]:
    """Groups rows by a cell that many of them share, so that one test of that cell decides about all of them.

    Returns (cell, rest of each row) pairs. The most frequent cell is chosen first."""
    groups = []
    while rows:
        counts: dict[int, int] = {}
        for row in rows:
            for cell in row:
                counts[cell] = counts.get(cell, 0) + 1
        best = max(counts, key=lambda cell: (counts[cell], -cell))
        groups.append((best, tuple(tuple(c for c in row if c != best) for row in rows if best in row)))
        rows = [row for row in rows if best not in row]
    return tuple(groups)
