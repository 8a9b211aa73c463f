"""Procedures. A procedure that never asks becomes a plain function. One that may ask is cut into blocks at its
decisions.

A block is a function of the position. It ends in one of three ways:

* It stops at a decision: it stores where to continue, who decides and the options, and returns the options.
* It continues in another block.
* It returns None to the driver, with the next block in `s[PC]`. Loops do this, so that the Python stack stays
  flat.

Locals that are alive at such a point are stored in the frame of the procedure. Procedures cannot be
recursive, so each has one frame at a fixed place. Everything about an effect that is not finished is
therefore plain data in the position."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import contextmanager
from typing import Any

from ..analysis.faults import may_fault
from ..analysis.information_flow import deciding_state
from ..analysis.results import EntryKey
from ..core import nodes as core
from ..core.nodes import LocalVar
from ..core.program import Routine
from ..core.walk import find_locals, walk
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import FunctionBuilder
from ..ir.metadata import NO_SEAT, LiveVariable, ResumePoint, Seer
from ..storage.control_slots import EVENTS, PC
from ..types.types import INT
from .choices import ChoiceLowering
from .expressions import ExpressionLowering
from .loops import LoopLowering, describe_form
from .places import WriteLowering
from .protocols import InsertPoint, ModuleApi


class ProcedureLowering:
    """Compiles one entry of a procedure. A default entry is compiled once for each member that it serves."""

    def __init__(self, writer: ModuleApi, routine: Routine, member: int | None) -> None:
        self.w, self.routine, self.member = writer, routine, member
        self.x = ExpressionLowering(writer)
        self.x.bound = self.load_variable
        self.places = WriteLowering(self.x, self.store_local)
        self.choices, self.loops = ChoiceLowering(self), LoopLowering(self)
        self.asks = writer.effects.of[routine].asks
        self.slots: dict[LocalVar, int] = {}
        self.described: dict[tuple[LocalVar, int, tuple[Any, ...]], LiveVariable] = {}       # shared by all resume points
        self.live: list[LocalVar] = []
        self.fresh_values: set[LocalVar] = set()  # set in this block, not yet stored in the frame
        self.in_block: set[LocalVar] = set()  # in a variable of this block
        self.used = 0
        self.forms: dict[int, str] = {}                            # the form of the values in each entry of the frame
        self.frame = self.rest = 0
        self.name = writer.routine_name(routine, member)

    # ------------------------------------------------------------ locals

    def load_variable(self, local: LocalVar) -> str:
        """Returns the variable of a local. If this block has not set it, it is loaded from the frame at the head of the
        block."""
        variable = self.w.fresh.local_name(local)
        if self.asks and local not in self.in_block:
            self.x.code.loads[variable] = m.FrameAddr(self.slots[local])
            self.in_block.add(local)
        return variable

    def is_param_available(self, local: LocalVar) -> bool:
        """Whether a parameter still has its value here. Other locals only have a value in their own part of the
        procedure."""
        return local in self.routine.params and (not self.asks or local in self.in_block or local in self.slots)

    def read_local(self, local: LocalVar) -> m.IrExpr:
        """Returns the variable of a local."""
        return m.Var(self.load_variable(local))

    def store_local(self, local: LocalVar, value: m.IrExpr) -> None:
        """Emits an assignment to a local: to its variable, and to its slot in the frame before the next decision."""
        if self.asks and local in self.slots and local not in self.in_block:
            self.read_local(local)  # load it first, so that it is also set if the branch is not taken
        variable = self.w.fresh.local_name(local)
        self.x.assign(variable, value)
        if not self.asks:
            return
        self.in_block.add(local)
        if local in self.slots and local not in self.fresh_values:
            self.x.emit(b.store_slot(m.FrameAddr(self.slots[local]), variable))
        else:
            self.track_live_local(local)

    def track_live_local(self, local: LocalVar) -> None:
        """Declares a local whose variable the code has just set."""
        if not self.asks:
            return
        if local not in self.slots:
            self.slots[local] = self.allocate_slot(describe_form(local.type))
        if local not in self.live:
            self.live.append(local)
        self.in_block.add(local)
        self.fresh_values.add(local)

    def allocate_slot(self, form: str) -> int:
        """Returns a free entry of the frame that was only used for values of this form before."""
        while self.forms.setdefault(self.used, form) != form:
            self.used += 1
        slot = self.rest + self.used
        self.used += 1
        self.w.extend_frame(slot)
        return slot

    def add_hidden_local(self, name: str, form: str = "number") -> LocalVar:
        """Adds a local of the compiler, such as a loop counter. The dot keeps its name apart from those of the rules."""
        local = LocalVar(f".{name}", INT)
        self.slots[local] = self.allocate_slot(form)
        self.live.append(local)
        return local

    @contextmanager
    def scope(self) -> Any:
        """Opens a scope. At its end, its locals and their frame entries are free again."""
        live, used, env = len(self.live), self.used, dict(self.x.env)
        yield
        for local in self.live[live:]:
            self.slots.pop(local, None)
            self.fresh_values.discard(local)
        del self.live[live:]
        self.used = used
        self.x.env = env

    def flush_locals(self) -> None:
        """Emits stores to the frame for locals that are only in variables."""
        for local in self.live:
            if local in self.fresh_values:
                self.x.emit(b.store_slot(m.FrameAddr(self.slots[local]), self.w.fresh.local_name(local)))
        self.fresh_values.clear()

    # ------------------------------------------------------------ blocks

    def new_block(self) -> FunctionBuilder:
        """Creates a block of this procedure."""
        return self.w.new_block(self.routine, self.member)

    def switch_to(self, code: FunctionBuilder) -> None:
        """Continues in another block, in which no local has a variable yet."""
        code.origin = self.x.code.origin
        self.x.code = code
        self.in_block = set()
        self.fresh_values.clear()

    def save_insert_point(self) -> InsertPoint:
        """Returns the insertion point, to restore it after a branch."""
        return self.x.code, self.x.code.depth, set(self.in_block), set(self.fresh_values), self.x.code.origin

    def restore_insert_point(self, point: InsertPoint) -> None:
        """Restores a saved insertion point."""
        self.x.code, self.x.code.depth, self.in_block, self.fresh_values = point[0], point[1], set(point[2]), set(point[3])
        self.x.code.closed, self.x.code.origin = False, point[4]

    def emit_jump(self, code: FunctionBuilder) -> None:
        """Emits a jump to a later block."""
        if self.x.code.closed:
            return
        self.flush_locals()
        self.x.emit(m.ReturnStmt(b.call(m.FunctionRef(code.name), b.POSITION)))
        self.x.code.closed = True

    def emit_loop_back(self, code: FunctionBuilder) -> None:
        """Emits a jump to the head of a loop, through the driver."""
        if self.x.code.closed:
            return
        self.flush_locals()
        self.x.emit(b.store_slot(PC, self.w.get_block_number(code)))
        self.x.emit(m.ReturnStmt(m.NoneConst()))
        self.x.code.closed = True

    def emit_exit(self) -> None:
        """Emits the end of the procedure."""
        if self.asks:
            back = b.index_entry(m.FunctionRef("B"), b.load_slot(m.FrameAddr(self.frame)))
            self.x.emit(m.ReturnStmt(b.call(back, b.POSITION)))
        else:
            self.x.emit(m.ReturnStmt())
        self.x.code.closed = True

    def record_resume_point(self, code: FunctionBuilder, decision: Any = None) -> None:
        """Records which locals are alive where `code` will continue."""
        variables = [self.describe_variable(local) for local in self.live if local in self.slots]
        self.w.waits[self.w.get_block_number(code)] = ResumePoint(self.routine.key, self.frame, variables, decision, self.x.code.origin)

    def describe_variable(self, local: LocalVar) -> LiveVariable:
        """Returns the metadata of a local in the frame: its type, its slot, and the seats that may see it. Equal metadata is one object."""
        secrets = self.w.facts.secrecy.secrets_of(local)
        seers = {self.describe_seer(secret.owner, secret.state, self.w.program.states[secret.state].inverted) for secret in secrets}
        slot, sorted_seers = self.slots[local], tuple(sorted(seers, key=str))
        key = local, slot, sorted_seers
        if key not in self.described:
            self.described[key] = LiveVariable(local.name, local.type, slot, bool(secrets), sorted_seers)
        return self.described[key]

    def describe_seer(self, owner: EntryKey, state: str, inverted: bool) -> Seer:
        """Returns which seats may see a value that was read from the entry of this owner."""
        match owner:
            case ("others", frozenset() as others) if len(others) == 1:        # that player sees the entries of all others
                return self.describe_seer(next(iter(others)), state, False)
            case ("local", LocalVar() as local) if local in self.slots and local in self.live:
                return self.slots[local], deciding_state(self.w.program, local), state, inverted
            case ("member", "Player", int(seat)):
                return ~seat, None, state, inverted
        return ~NO_SEAT, None, state, False                        # nobody sees it

    # ------------------------------------------------------------ the whole

    def compile(self) -> None:
        """Compiles the procedure: as a function, or from its first block on if it asks."""
        routine = self.routine
        params = routine.params
        if routine.case is not None and self.member is not None:
            self.x.env[routine.case] = m.IntConst(self.member)
        if self.asks:
            self.x.code = self.w.get_entry_block(routine, self.member)
        else:
            names = [self.w.fresh.local_name(p) for p in params]
            code = FunctionBuilder(self.name, ("s", *names))
            self.w.functions.append(code)
            self.x.code = code
        self.set_origin(routine)
        self.emit_resets()
        self.lower_block(routine.body)
        if not self.x.code.closed:
            self.emit_exit()

    def compile_asking(self, frame: int, params: list[int], rest: int) -> None:
        """Compiles a procedure that asks.

        The return address is at `frame`, the parameters are at `params`, and locals begin at `rest`."""
        self.frame, self.rest = frame, rest
        for param, slot in zip(self.routine.params, params):
            self.slots[param] = slot
            self.live.append(param)
        self.compile()

    def set_origin(self, node: core.Node) -> None:
        """Sets the rule line that the next steps come from."""
        self.x.code.origin = (node.at.path, node.at.line, node.at.column)

    def emit_resets(self) -> None:
        """Emits the reset of the states that begin with each run of this procedure."""
        for name in self.routine.resets:
            state = self.w.program.states[name]
            cell = self.w.layout.cells[state]
            values = tuple(self.w.layout.initial[cell.base : cell.base + cell.count])
            low, high = m.IntConst(cell.base), m.IntConst(cell.base + cell.count)
            own = state.start is not None or state.name in self.w.program.model.start        # has an initial value of its own
            if own or cell.form == "sparse":
                self.x.emit(m.StoreSlots(low, high, m.SliceExpr(m.ConstantRef("FIRST"), low, high)))
            elif cell.count == 1:
                self.x.emit(b.store_slot(low, b.literal_expr(values[0])))
            else:
                self.x.emit(m.StoreSlots(low, high, self.w.add_constant(values)))
            self.w.emit_invalidation(self.x, state)

    def lower_block(self, block: core.Block) -> None:
        """Compiles a block of statements in a scope of its own.

        Statements that only emit events run only if somebody listens."""
        around = self.x.code.origin
        with self.scope():
            for statement in block:
                if self.x.code.closed:
                    break
                self.set_origin(statement)
                unheard = self.is_event_only(statement)
                if statement in self.w.facts.secrecy.reveals:
                    whose = self.w.facts.secrecy.reveals[statement]
                    self.emit_event(
                        m.TupleDisplay(
                            (
                                m.IntConst(-1),
                                self.read_local(whose) if whose is not None and self.is_param_available(whose) else m.NoneConst(),
                            )
                        )
                    )
                if unheard:
                    with self.x.code.inside_block(m.IfStmt(has_listener())):
                        self.lower_statement(statement)
                else:
                    self.lower_statement(statement)
        self.x.code.origin = around                                # what follows belongs to the enclosing statement

    def lower_statement(self, node: core.Stmt) -> None:
        """Compiles one statement."""
        match node:
            case core.Let():
                self.x.assign(self.w.fresh.local_name(node.local), self.x.lower(node.value))
                self.track_live_local(node.local)
            case core.Store():
                self.places.assign(node)
                if self.loops.facts is not None:
                    self.loops.facts.record_store(node)
            case core.MoveStmt():
                self.places.move(node)
            case core.DrawStmt():
                self.places.draw(node)
            case core.Shuffle():
                self.places.shuffle(node)
            case core.Swap():
                self.places.swap(node)
            case core.StopProc():
                self.emit_exit()
            case core.EmitEvent():
                self.lower_tell(node)
            case core.CallProc():
                self.lower_call(node)
            case core.IfChain():
                self.lower_if(node)
            case core.ForEach():
                self.loops.lower_each(node)
            case core.RepeatLoop():
                self.loops.lower_repeat(node)
            case core.RoundsLoop():
                self.loops.lower_rounds(node)
            case core.ChooseStmt():
                self.choices.choose(node)

    def may_ask(self, *parts: core.Node | core.Block) -> bool:
        """Whether a decision can occur inside these statements."""
        if not self.asks:
            return False
        for part in walk(*parts):
            if isinstance(part, core.ChooseStmt) and not part.is_chance:
                return True
            if isinstance(part, core.CallProc) and any(self.w.effects.of[r].asks for r in self.w.find_callees(part)):
                return True
        return False

    # ------------------------------------------------------------ simple statements

    def lower_tell(self, node: core.EmitEvent) -> None:
        """Compiles `tell`: emits an event with its values, followed by the seats that hear all of them."""
        closed = self.w.facts.secrecy.closed_slots[node] if node.listeners is not None else None
        number = self.w.register_event(node.event, [(name, value.type) for name, value in node.slots], closed, self.routine.path, node)
        values = tuple(self.x.lower(value) for value in node.values)
        if self.is_event_only(node):                                  # already inside a test for a listener
            self.x.emit(
                m.ExprStmt(b.call_method(b.load_slot(EVENTS), "append", m.TupleDisplay((m.IntConst(number), m.TupleDisplay(values)))))
            )
            return
        kept = tuple(map(self.x.temp, values))
        self.emit_event(m.TupleDisplay((m.IntConst(number), m.TupleDisplay(kept))))

    def is_event_only(self, node: core.Stmt) -> bool:
        """Whether a statement only emits events and cannot fault, so that it can be skipped if nobody listens."""
        match node:
            case core.EmitEvent():
                return not self.may_fault(*node.values)
            case core.IfChain(arms=arms, other=other):
                blocks = (*(arm.body for arm in arms), other or ())
                return not self.may_fault(*(arm.test for arm in arms)) and all(self.is_event_only(step) for body in blocks for step in body)
            case core.ForEach(gens=gens, where=where, body=body):
                return not self.may_fault(*gens, *where) and all(map(self.is_event_only, body))
        return False

    def may_fault(self, *values: core.Node) -> bool:
        """Whether the evaluation of these trees may fault."""
        return may_fault(self.w.program, self.w.facts.faulty, *values)

    def emit_event(self, event: m.IrExpr) -> None:
        """Emits code that appends an event if somebody listens."""
        self.x.emit(m.IfStmt(has_listener(), [m.ExprStmt(b.call_method(b.load_slot(EVENTS), "append", event))]))

    def lower_call(self, node: core.CallProc) -> None:
        """Compiles a call of a procedure. If it may ask, the rest of this procedure becomes a new block."""
        family = self.w.program.families[node.family]
        case = node.case
        known = self.x.constant_of(case) if case is not None else None
        if not self.is_asking_call(node, known):
            self.x.emit(m.ExprStmt(self.x.lower_call(node)))
            return
        arguments = [self.x.lower(argument) for argument in node.args]
        after = self.new_block()
        self.flush_locals()
        if case is not None and known is None:
            enter = self.w.build_enter_dispatch(family)
            self.x.emit(
                m.ReturnStmt(b.call(b.index_entry(enter, self.x.lower(case)), b.POSITION, self.w.get_block_number(after), *arguments))
            )
        else:
            routine = family.entry(known)
            entry = self.w.require_entry(routine, known)
            kept = [self.x.temp(a) for a in arguments]
            self.x.emit(b.store_slot(m.FrameAddr(entry.frame), self.w.get_block_number(after)))
            for slot, value in zip(entry.params, kept):
                self.x.emit(b.store_slot(m.FrameAddr(slot), value))
            self.x.emit(m.ReturnStmt(b.call(m.FunctionRef(entry.block), b.POSITION)))
        self.record_resume_point(after)
        self.x.code.closed = True
        self.switch_to(after)

    def is_asking_call(self, node: core.CallProc, known: int | None) -> bool:
        """Whether a called procedure may ask. `known` is its member, if known at compile time."""
        return any(self.w.effects.of[r].asks for r in self.w.find_callees(node, known))

    # ------------------------------------------------------------ blocks of statements

    def lower_if(self, node: core.IfChain) -> None:
        """Compiles `if`, without the branches that are excluded at compile time."""
        every: list[tuple[core.Expr | None, core.Block]] = [(arm.test, arm.body) for arm in node.arms]
        if node.other is not None:
            every.append((None, node.other))
        live: list[tuple[core.Expr | None, core.Block]] = []
        for test, block in every:  # branches that a game option excludes are not compiled
            known = self.x.constant_of(test) if test is not None else 1
            if known == 0 and known is not None:
                continue
            live.append((None if known else test, block))
            if known:
                break
        if live and live[0][0] is None:
            self.lower_block(live[0][1])
            return
        if not live:
            return
        asking = any(self.may_ask(block) for _, block in live)
        if asking:
            self.flush_locals()
            after = self.new_block()
            self.lower_asking_branches(live, after)
            if not self.x.code.closed:
                self.emit_jump(after)
            self.switch_to(after)
            return
        self.lower_plain_branches(live)

    def lower_plain_branches(self, branches: list[Any]) -> None:
        """Compiles branches that do not ask as `if` and `else`."""
        (test, suite), *rest = branches
        if test is None:
            self.lower_block(suite)
            return
        arm = m.IfStmt(self.x.lower(test))
        with self.x.code.inside_block(arm):
            self.lower_block(suite)
        first_closed, self.x.code.closed = self.x.code.closed, False
        if rest:
            with self.x.code.else_block(arm):
                self.lower_plain_branches(rest)
            self.x.code.closed = self.x.code.closed and first_closed

    def lower_asking_branches(self, branches: list[Any], after: FunctionBuilder) -> None:
        """Compiles branches that may ask. Each of them ends with a jump to `after`."""
        (test, suite), *rest = branches
        if test is None:
            self.lower_block(suite)
            return
        found = self.x.lower(test)
        kept = self.save_insert_point()
        self.x.code.enter_block(m.IfStmt(found))
        self.lower_block(suite)
        self.emit_jump(after)
        self.restore_insert_point(kept)
        if rest:
            self.lower_asking_branches(rest, after)

    def has_names_of(self, node: core.Expr, gens: Sequence[core.GeneratorBinding]) -> bool:
        """Whether an expression reads a name that one of these generators binds."""
        return bool(find_locals(node) & {local for gen in gens for local in gen.locals})

    def open_loop(self) -> tuple[FunctionBuilder, FunctionBuilder]:
        """Opens a loop and continues in its head. Returns the head and the block after the loop."""
        head, after = self.new_block(), self.new_block()
        self.record_resume_point(head)
        self.emit_jump(head)
        self.switch_to(head)
        return head, after

    def open_counted_loop(self, count: m.IrExpr) -> tuple[m.FrameAddr, FunctionBuilder, FunctionBuilder]:
        """Opens a loop that runs while a counter in the frame is above zero.

        Returns the counter's address, the head, and the block after the loop."""
        slot = m.FrameAddr(self.slots[self.add_hidden_local("left")])
        self.x.emit(b.store_slot(slot, count))
        head, after = self.open_loop()
        self.emit_loop_exit(b.binary_op(b.load_slot(slot), "<=", 0), after)
        return slot, head, after

    def emit_loop_exit(self, test: m.IrExpr, after: FunctionBuilder) -> None:
        """Emits an exit from a loop to `after` if the test holds."""
        kept = self.save_insert_point()
        self.x.code.enter_block(m.IfStmt(test))
        self.emit_jump(after)
        self.restore_insert_point(kept)


def has_listener() -> m.IrExpr:
    """Returns a test whether events are collected."""
    return b.binary_op(b.load_slot(EVENTS), "is not", m.NoneConst())
