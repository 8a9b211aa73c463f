"""Loops over sets and lists, counted loops, and rounds.

A loop without decisions becomes a loop of the IR. A loop that may stop at a decision keeps its list and its
position in the frame, and its head is a block."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from ..core import nodes as core
from ..core.nodes import LocalVar
from ..core.walk import find_locals, walk
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import FunctionBuilder
from ..ir.metadata import SimultaneousLoop
from ..storage.control_slots import ROUND
from ..types.types import BOOL, WORD_TYPES, Bool, Int, ListOf, MemberOf, OptionalOf, Type
from .delta_conditions import RoundWrites
from .protocols import ProcedureApi

LOOP_MEMBERS, LOOP_INDEX = "things", "index"                     # hidden locals of a loop: its list, and the turns that have begun


class LoopLowering:
    """Compiles the loops of one procedure."""

    def __init__(self, routine: ProcedureApi) -> None:
        self.r = routine
        self.x, self.w = routine.x, routine.w
        self.facts: RoundWrites | None = None                            # writes of the enclosing rounds, while their body is compiled

    def lower_each(self, node: core.ForEach) -> None:
        """Compiles a `for each` loop."""
        if self.r.may_ask(node.body):
            with self.r.scope():
                self.lower_asking_each(node)
            return
        x = self.x
        if node.reached:
            self.lower_straight_reached(node)
            return
        if self.is_source_changed(node):
            self.lower_snapshot_loop(node)
            return
        saved = dict(x.env)
        levels = x.open_gens(node.gens, node.where)
        self.lower_body(node.body)
        x.close_gens(levels)
        x.env = saved

    def lower_straight_reached(self, node: core.ForEach) -> None:
        """Compiles `as reached` without decisions: the first set is fixed at the start. The other sets and the condition
        are evaluated for each iteration."""
        x = self.x
        first, *inner = node.gens
        saved = dict(x.env)
        things, locals_ = self.lower_snapshot([first], ())
        names = tuple(self.w.fresh.local_name(local) for local in locals_)
        x.code.enter_block(m.ForStmt(names, things))
        x.env |= {local: m.Var(name) for local, name in zip(locals_, names)}
        levels = ["for", *x.open_gens(inner, ())]
        if node.where:
            x.code.enter_block(m.IfStmt(x.lower(join_conditions(node.where))))
            levels.append("if")
        self.lower_body(node.body)
        x.close_gens(levels)
        x.env = saved

    def lower_body(self, body: core.Block) -> None:
        self.r.lower_block(body)
        self.x.code.closed = False

    def is_source_changed(self, node: core.ForEach) -> bool:
        """Whether the body may change what the loop iterates over, so that the set must be fixed first."""
        parts = [*(gen.source for gen in node.gens), *node.where]
        read = self.w.compute_effect(parts).reads
        changed = {part.target.local for part in walk(node.body) if isinstance(part, core.Store) and isinstance(part.target, core.LocalRef)}
        return bool(read & self.w.compute_effect(node.body).writes) or bool(find_locals(parts) & changed)

    def lower_snapshot(self, gens: Sequence[core.GeneratorBinding], where: Sequence[core.Expr]) -> tuple[m.IrExpr, list[LocalVar]]:
        """Returns a tuple of the values that the generators have now. Several names give tuples of values."""
        x = self.x
        locals_ = [local for gen in gens for local in gen.locals]
        if len(gens) == 1 and len(locals_) == 1 and not where:
            source = gens[0].source
            if isinstance(source.type, OptionalOf):
                value = x.temp(x.lower(source))
                present = value if isinstance(source.type.of, WORD_TYPES) else m.PresentValue(value)
                return m.IfExpr(x.is_none(value, source.type.of), m.TupleDisplay(), m.TupleDisplay((present,))), locals_
            walked = x.lower_iterable(source)
            return (walked if isinstance(source.type, ListOf) and not is_span(source) else b.call("tuple", walked)), locals_
        saved = dict(x.env)
        name = self.w.fresh.temp_name("l")
        x.assign(name, m.ListDisplay())
        levels = x.open_gens(gens, where)
        values = [x.read_local(local) for local in locals_]
        x.emit(m.ExprStmt(b.call_method(name, "append", values[0] if len(values) == 1 else m.TupleDisplay(tuple(values)))))
        x.close_gens(levels)
        x.env = saved
        return b.call("tuple", name), locals_

    def lower_snapshot_loop(self, node: core.ForEach) -> None:
        """Compiles a loop without decisions over a fixed copy of its set."""
        x = self.x
        things, locals_ = self.lower_snapshot(node.gens, node.where)
        names = tuple(self.w.fresh.local_name(local) for local in locals_)
        saved = dict(x.env)
        x.code.enter_block(m.ForStmt(names, things))
        for local, name in zip(locals_, names):
            x.env[local] = m.Var(name)
        self.lower_body(node.body)
        x.code.depth -= 1
        x.env = saved

    # ------------------------------------------------------------ with decisions inside

    def lower_asking_each(self, node: core.ForEach) -> None:
        """Compiles a loop with decisions inside."""
        if node.reached:
            self.lower_asking_reached(node.gens, list(node.where), node.body)
            return
        things, locals_ = self.lower_snapshot(node.gens, node.where)
        self.lower_list_loop(things, locals_, lambda: self.r.lower_block(node.body), at_once=node.at_once)

    def lower_list_loop(self, things: m.IrExpr, locals_: list[LocalVar], body: Any, tests: Any = None, at_once: bool = False) -> None:
        """Compiles a loop over a tuple that is stored in the frame.

        `tests` may emit `continue` to skip elements. With `at_once`, the resume points in the body refer to the loop."""
        x = self.x
        kept, index = self.r.add_hidden_local(LOOP_MEMBERS, describe_list_form(locals_)), self.r.add_hidden_local(LOOP_INDEX)
        listed, at = m.FrameAddr(self.r.slots[kept]), m.FrameAddr(self.r.slots[index])
        x.emit(b.store_slot(listed, things))
        x.emit(b.store_slot(at, 0))
        head, after = self.r.open_loop()
        x.assign("l", b.load_slot(listed))
        x.assign("i", b.load_slot(at))
        with self.r.scope():
            names = tuple(self.w.fresh.local_name(local) for local in locals_)
            x.code.enter_block(m.WhileStmt(m.BoolConst(True)))
            self.r.emit_loop_exit(b.binary_op("i", ">=", b.call("len", "l")), after)
            x.emit(m.AssignStmt(names, b.index_entry("l", "i")))
            x.emit(m.AugAssign(m.Var("i"), "+=", m.IntConst(1)))
            for local in locals_:
                self.r.track_live_local(local)
            if tests is not None:
                tests()
            x.emit(m.BreakStmt())
            x.code.depth -= 1
            x.emit(b.store_slot(at, "i"))
            before = set(self.w.waits)
            body()
            if at_once:
                self.mark_simultaneous(self.w.get_block_number(head), set(self.w.waits) - before)
        self.r.emit_loop_back(head)
        self.r.switch_to(after)

    def mark_simultaneous(self, head: int, points: Collection[int]) -> None:
        """Records that the resume points with these numbers are in a loop `at once`, whose head is the block `head`."""
        held = {variable.name: variable for variable in self.w.waits[head].live}         # the innermost loop comes last
        for point in points:
            self.w.waits[point].simultaneous = SimultaneousLoop(head, held[f".{LOOP_MEMBERS}"], held[f".{LOOP_INDEX}"])

    def lower_asking_reached(self, gens: Sequence[core.GeneratorBinding], conditions: list[core.Expr], body: core.Block) -> None:
        """Compiles `as reached` with decisions: the first set is fixed at the start, everything else is evaluated for
        each iteration.

        An inner `T?` needs no loop of its own: it is evaluated together with the set before it."""
        x = self.x
        first, *inner = gens
        direct = []
        while inner and isinstance(inner[0].source.type, OptionalOf):
            direct.append(inner.pop(0))
        things, locals_ = self.lower_snapshot([first], ())
        now, later = ([], conditions) if inner else (conditions, [])     # tested for each combination

        def emit_tests() -> None:
            waiting = list(now)
            for gen in [None, *direct]:
                if gen is not None:
                    variable = self.w.fresh.local_name(gen.local)
                    x.assign(variable, x.lower(gen.source))
                    assert isinstance(gen.source.type, OptionalOf)
                    x.emit(m.IfStmt(x.is_none(m.Var(variable), gen.source.type.of), [m.ContinueStmt()]))
                    self.r.track_live_local(gen.local)
                rest = direct[direct.index(gen) + 1 :] if gen is not None else direct
                for condition in list(waiting):
                    if not self.r.has_names_of(condition, rest):
                        waiting.remove(condition)
                        x.emit(m.IfStmt(b.logical_not(x.lower(condition)), [m.ContinueStmt()]))

        def emit_body() -> None:
            if inner:
                self.lower_asking_reached(inner, later, body)
            else:
                self.r.lower_block(body)

        self.lower_list_loop(things, locals_, emit_body, emit_tests)

    def lower_repeat(self, node: core.RepeatLoop) -> None:
        """Compiles `repeat`: a counted loop that may end early with `until`."""
        x = self.x
        if not self.r.may_ask(node.body):
            with x.code.inside_block(m.ForStmt(("_",), b.call("span", 1, x.lower(node.count)))):
                if node.until is not None:
                    x.emit(m.IfStmt(x.lower(node.until), [m.BreakStmt()]))
                self.r.lower_block(node.body)
                x.code.closed = False
            return
        with self.r.scope():
            slot, head, after = self.r.open_counted_loop(x.lower(node.count))
            if node.until is not None:
                self.r.emit_loop_exit(x.lower(node.until), after)
            x.emit(m.AugAssign(b.load_slot(slot), "-=", m.IntConst(1)))
            self.r.lower_block(node.body)
            self.r.emit_loop_back(head)
        self.r.switch_to(after)

    def lower_rounds(self, node: core.RoundsLoop) -> None:
        """Compiles `rounds`: passes over a list, or plain repetition.

        The loop ends when `until` holds, or when a whole pass has no turn."""
        outermost = self.r.routine.name == "game" and node in self.r.routine.body
        if not self.r.may_ask(node.body):
            self.lower_straight_rounds(node, outermost)
            return
        x = self.x
        with self.r.scope():
            if node.gen is None:
                head, after = self.r.open_loop()
                assert node.until is not None
                self.r.emit_loop_exit(x.lower(node.until), after)
                self.emit_round_start(outermost)
                self.r.lower_block(node.body)
                self.r.emit_loop_back(head)
            else:
                after = self.lower_asking_rounds(node, outermost)
        self.r.switch_to(after)

    def emit_round_start(self, outermost: bool) -> None:
        """Counts a new round of the game."""
        if outermost:
            self.x.emit(m.AugAssign(b.load_slot(ROUND), "+=", m.IntConst(1)))

    def lower_straight_rounds(self, node: core.RoundsLoop, outermost: bool) -> None:
        """Compiles rounds without decisions as a plain loop. `until` is tested before the first turn and after each
        turn."""
        x = self.x
        facts = RoundWrites(self.r, node)
        asked = node.until is not None and x.constant_of(node.until) is None and not (outermost and facts.is_false_at_start(self.r.routine))
        first = b.logical_not(x.lower(node.until)) if asked and node.until is not None else m.BoolConst(True)
        with x.code.inside_block(m.IfStmt(first)), x.code.inside_block(m.WhileStmt(m.BoolConst(True))):
            self.emit_round_start(outermost)
            if node.gen is None:
                self.lower_straight_turn(node)
            else:
                self.lower_straight_pass(node)

    def lower_straight_turn(self, node: core.RoundsLoop) -> None:
        """Compiles the body of one turn and the test of `until` after it."""
        outer, facts = self.facts, RoundWrites(self.r, node)               # rounds may be nested
        self.facts = facts
        self.r.lower_block(node.body)
        self.facts = outer
        self.x.code.closed = False
        if node.until is not None:
            self.x.emit(m.IfStmt(facts.lower_until(), [m.BreakStmt()]))

    def lower_straight_pass(self, node: core.RoundsLoop) -> None:
        """Compiles one pass over the list of a `rounds` loop without decisions."""
        x = self.x
        gen = node.gen
        assert gen is not None
        local = gen.local
        variable, ran = self.w.fresh.local_name(local), self.w.fresh.temp_name("b")
        surely = not node.where and isinstance(gen.source, core.AllMembers)
        x.assign(ran, surely)
        loop = m.ForStmt((variable,), x.lower_iterable(gen.source), [], [m.IfStmt(m.Var(ran), [m.ContinueStmt()])])
        saved = dict(x.env)
        x.env[local] = m.Var(variable)
        with x.code.inside_block(loop):
            if node.where:
                x.emit(m.IfStmt(b.logical_not(x.lower(join_conditions(node.where))), [m.ContinueStmt()]))
            if node.where or not isinstance(gen.source, core.AllMembers):
                x.assign(ran, True)
            self.lower_straight_turn(node)
        x.env = saved
        x.emit(m.BreakStmt())

    def lower_asking_rounds(self, node: core.RoundsLoop, outermost: bool) -> FunctionBuilder:
        """Compiles passes over a list with decisions inside. Returns the block after the loop.

        The list, the index and whether the pass visited anybody are stored in the frame."""
        x = self.x
        assert node.gen is not None
        local = node.gen.local
        things, index, ran = (
            self.r.add_hidden_local("things", describe_list_form([local])),
            self.r.add_hidden_local("index"),
            self.r.add_hidden_local("ran"),
        )
        head, after = self.r.new_block(), self.r.new_block()
        source = node.gen.source
        whole = tuple(range(len(x.model.enums[source.domain]))) if isinstance(source, core.AllMembers) else None
        fixed = whole is not None
        listed, at, went = (m.FrameAddr(self.r.slots[hidden]) for hidden in (things, index, ran))
        x.emit(b.store_slot(listed, self.w.add_constant(whole) if whole is not None else m.TupleDisplay()))
        x.emit(b.store_slot(at, 1000000))
        x.emit(b.store_slot(went, 1))
        facts = RoundWrites(self.r, node)
        if node.until is not None and not (outermost and facts.is_false_at_start(self.r.routine)):
            self.r.emit_loop_exit(x.lower(node.until), after)
        self.r.record_resume_point(head)
        self.r.emit_jump(head)
        self.r.switch_to(head)
        x.assign("l", b.load_slot(listed))
        x.assign("i", b.load_slot(at))
        variable = self.w.fresh.local_name(local)
        with self.r.scope():
            x.code.enter_block(m.WhileStmt(m.BoolConst(True)))
            x.code.enter_block(m.IfStmt(b.binary_op("i", ">=", b.call("len", "l"))))
            self.r.emit_loop_exit(b.logical_not(b.load_slot(went)), after)
            if not fixed:
                walked = x.lower_iterable(source)
                x.assign("l", walked if isinstance(source.type, ListOf) else b.call("tuple", walked))
                x.emit(b.store_slot(listed, "l"))
            x.assign("i", 0)
            x.emit(b.store_slot(went, 0))
            self.emit_round_start(outermost)
            self.r.emit_loop_exit(b.logical_not("l"), after)
            x.code.depth -= 1
            x.assign(variable, b.index_entry("l", "i"))
            x.emit(m.AugAssign(m.Var("i"), "+=", m.IntConst(1)))
            self.r.track_live_local(local)
            if node.where:
                x.emit(m.IfStmt(b.logical_not(x.lower(join_conditions(node.where))), [m.ContinueStmt()]))
            x.emit(m.BreakStmt())
            x.code.depth -= 1
            x.emit(b.store_slot(at, "i"))
            x.emit(b.store_slot(went, 1))
            saved, self.facts = self.facts, facts
            self.r.lower_block(node.body)
            self.facts = saved
            if node.until is not None and not self.x.code.closed:  # tested after each turn, when its writes are known
                self.r.emit_loop_exit(facts.lower_until(), after)
        if self.is_always_waiting(node.body):
            self.r.emit_jump(head)
        else:
            self.r.emit_loop_back(head)
        return after

    def is_always_waiting(self, body: core.Block) -> bool:
        """Whether every turn begins with a decision or leaves the procedure.

        The next turn may then be called directly, because each decision unwinds the Python stack."""
        first = body[0]
        return isinstance(first, core.ChooseStmt) and not first.is_chance and first.stop and not first.may


def join_conditions(conditions: Sequence[core.Expr]) -> core.Expr:
    """Returns the conjunction of conditions, in the order of the text."""
    first, *rest = conditions
    for condition in rest:
        first = core.PrimOp(first.at, BOOL, "and", (first, condition))
    return first


def is_span(node: core.Expr) -> bool:
    """Whether a list is a range of numbers, which need not be built."""
    return isinstance(node, core.PrimOp) and node.op == ".."


def describe_list_form(locals_: Sequence[LocalVar]) -> str:
    """Returns the form of a list with the values of these locals, one after the other."""
    return f"list of {', '.join(describe_form(local.type) for local in locals_)}"


def describe_form(type_: Type) -> str:
    """Returns the form of the raw values of a type: "number", the name of a container class, or "list of" another
    form.

    Frame slots are only reused for values of the same form."""
    match type_:
        case OptionalOf(of=inside):
            return describe_form(inside)
        case ListOf(of=inside):
            return f"list of {describe_form(inside)}"
        case Int() | Bool() | MemberOf():
            return "number"
    return type(type_).__name__
