"""Procedures. One that never asks becomes a plain function; one that may ask is cut into blocks at its decisions.

A block is a function of the position. It ends by waiting (it stores where to go on, who decides and the options, and returns
the options), by going on in another block, or by returning None to the driver with the next block in s[PC] (at the end of a
loop, so that the Python stack stays flat). What is alive at a cut lies in the frame of the procedure; since nothing calls itself,
each procedure has one frame at a fixed place, and everything in the middle of an effect is plain data in the position.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import contextmanager
from typing import Any

from ..analysis.faults import may_fault
from ..analysis.information_flow import decides_for
from ..core import nodes as core
from ..core.nodes import Local
from ..core.program import Routine
from ..core.walk import locals_of, walk
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import Code
from ..ir.metadata import NOBODY, Variable, Wait
from ..storage.control_slots import EVENTS, PC
from ..types.types import INT
from .choices import Choices
from .expressions import Exprs
from .loops import Loops, form_of
from .places import Places
from .protocols import Place, Writer


class RoutineWriter:
    """Compiles one entry of a procedure (a default entry once for each member it serves)."""

    listens = True                                                 # whether anybody may hear what is told

    def __init__(self, writer: Writer, routine: Routine, member: int | None) -> None:
        self.w, self.routine, self.member = writer, routine, member
        self.x = Exprs(writer)
        self.x.bound = self.name_of
        self.places = Places(self.x, self.store)
        self.choices, self.loops = Choices(self), Loops(self)
        self.asks = writer.effects.of[routine].asks
        self.slots: dict[Local, int] = {}
        self.live: list[Local] = []
        self.fresh_values: set[Local] = set()  # set in this block, not yet stored in the frame
        self.here: set[Local] = set()  # in a Python variable of this block
        self.used = 0
        self.forms: dict[int, str] = {}                            # of the entries of the frame: what they are used for
        self.frame = self.rest = 0
        self.name = writer.routine_name(routine, member)

    # ------------------------------------------------------------ locals

    def name_of(self, local: Local) -> str:
        """The variable that holds a local here; read from the frame at the head of the block where nothing has set it."""
        variable = self.w.fresh.local(local)
        if self.asks and local not in self.here:
            self.x.code.loads[variable] = m.Frame(self.slots[local])
            self.here.add(local)
        return variable

    def known(self, local: Local) -> bool:
        """Whether a parameter still has its value here; what else has a value only holds it in its own part of the routine."""
        return local in self.routine.params and (not self.asks or local in self.here or local in self.slots)

    def read(self, local: Local) -> m.Expr:
        return m.Var(self.name_of(local))

    def store(self, local: Local, value: m.Expr) -> None:
        """Give a local a value: a variable, and before the next cut its place in the frame."""
        if self.asks and local in self.slots and local not in self.here:
            self.read(local)  # a store in a branch must not leave it unknown after the branch
        variable = self.w.fresh.local(local)
        self.x.set(variable, value)
        if not self.asks:
            return
        self.here.add(local)
        if local in self.slots and local not in self.fresh_values:
            self.x.emit(b.put(m.Frame(self.slots[local]), variable))
        else:
            self.declare(local)

    def declare(self, local: Local) -> None:
        """A local that the code just put in its Python variable."""
        if not self.asks:
            return
        if local not in self.slots:
            self.slots[local] = self.allocate(form_of(local.type))
        if local not in self.live:
            self.live.append(local)
        self.here.add(local)
        self.fresh_values.add(local)

    def allocate(self, form: str) -> int:
        """An entry of the frame that is free, and was only ever used for values of this form."""
        while self.forms.setdefault(self.used, form) != form:
            self.used += 1
        slot = self.rest + self.used
        self.used += 1
        self.w.frame_reaches(slot)
        return slot

    def hidden(self, name: str, form: str = "number") -> Local:
        """A local of the compiler's own: a loop's counter, a snapshot. The dot keeps its name apart from those of the rules."""
        local = Local(f".{name}", INT)
        self.slots[local] = self.allocate(form)
        self.live.append(local)
        return local

    @contextmanager
    def scope(self) -> Any:
        live, used, env = len(self.live), self.used, dict(self.x.env)
        yield
        for local in self.live[live:]:
            self.slots.pop(local, None)
            self.fresh_values.discard(local)
        del self.live[live:]
        self.used = used
        self.x.env = env

    def flush(self) -> None:
        """Store in the frame what only sits in Python variables."""
        for local in self.live:
            if local in self.fresh_values:
                self.x.emit(b.put(m.Frame(self.slots[local]), self.w.fresh.local(local)))
        self.fresh_values.clear()

    # ------------------------------------------------------------ blocks

    def block(self) -> Code:
        return self.w.new_block(self.routine, self.member)

    def switch(self, code: Code) -> None:
        """Go on writing in another block: nothing sits in Python variables there yet."""
        code.origin = self.x.code.origin
        self.x.code = code
        self.here = set()
        self.fresh_values.clear()

    def keep(self) -> Place:
        """Where writing stands, to come back to after a branch."""
        return self.x.code, self.x.code.depth, set(self.here), set(self.fresh_values), self.x.code.origin

    def back_to(self, kept: Place) -> None:
        self.x.code, self.x.code.depth, self.here, self.fresh_values = kept[0], kept[1], set(kept[2]), set(kept[3])
        self.x.code.closed, self.x.code.origin = False, kept[4]

    def goto(self, code: Code) -> None:
        """Go on in a later block."""
        if self.x.code.closed:
            return
        self.flush()
        self.x.emit(m.Return(b.call(m.Function(code.name), b.POSITION)))
        self.x.code.closed = True

    def again(self, code: Code) -> None:
        """Go back to the head of a loop, through the driver."""
        if self.x.code.closed:
            return
        self.flush()
        self.x.emit(b.put(PC, self.w.number(code)))
        self.x.emit(m.Return(m.Nil()))
        self.x.code.closed = True

    def leave(self) -> None:
        """The end of the procedure."""
        if self.asks:
            back = b.entry(m.Function("B"), b.get(m.Frame(self.frame)))
            self.x.emit(m.Return(b.call(back, b.POSITION)))
        else:
            self.x.emit(m.Return())
        self.x.code.closed = True

    def waiting(self, code: Code, decision: Any = None) -> None:
        """Note what is alive where `code` will go on."""
        variables = [self.variable(local) for local in self.live if local in self.slots]
        self.w.waits[self.w.number(code)] = Wait(self.routine.key, self.frame, variables, decision, self.x.code.origin)

    def variable(self, local: Local) -> Variable:
        """What the engine knows of a local in the frame, and who may look at it."""
        seers: set[tuple[int, str | None, str]] = set()
        secrets = self.w.facts.secrecy.of(local)
        for secret in secrets:
            match secret.owner:
                case ("local", Local() as owner) if owner in self.slots and owner in self.live:
                    keeper = decides_for(self.w.program, owner)
                    seers.add((self.slots[owner], keeper, secret.state))
                case ("member", "Player", int(seat)):
                    seers.add((~seat, None, secret.state))
                case _:
                    seers.add((~NOBODY, None, secret.state))
        return Variable(local.name, local.type, self.slots[local], bool(secrets), tuple(sorted(seers, key=str)))

    # ------------------------------------------------------------ the whole

    def compile(self) -> None:
        routine = self.routine
        params = routine.params
        if routine.case is not None and self.member is not None:
            self.x.env[routine.case] = m.Num(self.member)
        if self.asks:
            self.x.code = self.w.entry_block(routine, self.member)
        else:
            names = [self.w.fresh.local(p) for p in params]
            code = Code(self.name, ("s", *names))
            self.w.functions.append(code)
            self.x.code = code
        self.origin(routine)
        self.resets()
        self.suite(routine.body)
        if not self.x.code.closed:
            self.leave()

    def compile_asking(self, frame: int, params: list[int], rest: int) -> None:
        """As compile, with the return address at `frame`, the parameters at `params` and locals from `rest` on."""
        self.frame, self.rest = frame, rest
        for param, slot in zip(self.routine.params, params):
            self.slots[param] = slot
            self.live.append(param)
        self.compile()

    def origin(self, node: core.Node) -> None:
        self.x.code.origin = (node.at.path, node.at.line, node.at.column)

    def resets(self) -> None:
        for name in self.routine.resets:
            state = self.w.program.states[name]
            cell = self.w.layout.cells[state]
            values = tuple(self.w.layout.initial[cell.base : cell.base + cell.count])
            low, high = m.Num(cell.base), m.Num(cell.base + cell.count)
            own = state.start is not None or state.name in self.w.program.model.start        # a first value of its own
            if own or cell.form == "sparse":
                self.x.emit(m.PutWords(low, high, m.Part(m.Table("FIRST"), low, high)))
            elif cell.count == 1:
                self.x.emit(b.put(low, b.literal(values[0])))
            else:
                self.x.emit(m.PutWords(low, high, self.w.constant(values)))
            self.w.written(self.x, state)

    def suite(self, block: core.Block) -> None:
        around = self.x.code.origin
        with self.scope():
            for statement in block:
                if self.x.code.closed:
                    break
                self.origin(statement)
                unheard = self.is_telling(statement)
                if unheard and not self.listens:
                    continue
                if self.listens and statement in self.w.facts.secrecy.reveals:
                    whose = self.w.facts.secrecy.reveals[statement]
                    self.note(m.Tup((m.Num(-1), self.read(whose) if whose is not None and self.known(whose) else m.Nil())))
                if unheard:
                    with self.x.code.inside(m.If(heard())):
                        self.statement(statement)
                else:
                    self.statement(statement)
        self.x.code.origin = around                                # what follows belongs to the statement around, not to the last one in it

    def statement(self, node: core.Stmt) -> None:
        match node:
            case core.Let():
                self.x.set(self.w.fresh.local(node.local), self.x.of(node.value))
                self.declare(node.local)
            case core.Store():
                self.places.assign(node)
                if self.loops.facts is not None:
                    self.loops.facts.note(node)
            case core.Move():
                self.places.move(node)
            case core.Draw():
                self.places.draw(node)
            case core.Shuffle():
                self.places.shuffle(node)
            case core.Swap():
                self.places.swap(node)
            case core.Halt():
                self.leave()
            case core.Tell():
                self.tell(node)
            case core.Do():
                self.call(node)
            case core.If():
                self.branches(node)
            case core.Each():
                self.loops.each(node)
            case core.Repeat():
                self.loops.repeat(node)
            case core.Rounds():
                self.loops.rounds(node)
            case core.Choose():
                self.choices.choose(node)

    def may_ask(self, *parts: core.Node | core.Block) -> bool:
        """Whether a decision can come up inside these statements."""
        if not self.asks:
            return False
        for part in walk(*parts):
            if isinstance(part, core.Choose) and not part.chance:
                return True
            if isinstance(part, core.Do) and any(self.w.effects.of[r].asks for r in self.w.callees(part)):
                return True
        return False

    # ------------------------------------------------------------ simple statements

    def tell(self, node: core.Tell) -> None:
        slots = [(name, value.type) for name, value in node.slots]
        number = self.w.event(f"{self.routine.name}.{node.event}", node.event, slots, self.routine.path, node)
        values = tuple(self.x.of(value) for _, value in node.slots)
        if self.is_telling(node):                                  # it stands in a block that is left out where nobody listens
            self.x.emit(m.Do(b.ask(b.get(EVENTS), "append", m.Tup((m.Num(number), m.Tup(values))))))
            return
        kept = tuple(map(self.x.temp, values))
        if self.listens:
            self.note(m.Tup((m.Num(number), m.Tup(kept))))

    def is_telling(self, node: core.Stmt) -> bool:
        """Whether a statement only emits events and cannot fault, so that it is left out where nobody listens."""
        match node:
            case core.Tell(slots=slots):
                return not self.may_fault(*(value for _, value in slots))
            case core.If(arms=arms, other=other):
                blocks = (*(arm.body for arm in arms), other or ())
                return not self.may_fault(*(arm.test for arm in arms)) and all(self.is_telling(step) for body in blocks for step in body)
            case core.Each(gens=gens, where=where, body=body):
                return not self.may_fault(*gens, *where) and all(map(self.is_telling, body))
        return False

    def may_fault(self, *values: core.Node) -> bool:
        return may_fault(self.w.program, self.w.facts.faulty, *values)

    def note(self, event: m.Expr) -> None:
        """Tell something where somebody listens."""
        self.x.emit(m.If(heard(), [m.Do(b.ask(b.get(EVENTS), "append", event))]))

    def call(self, node: core.Do) -> None:
        family = self.w.program.families[node.family]
        case = node.case
        known = self.x.constant_of(case) if case is not None else None
        if not self.call_asks(node, known):
            self.x.emit(m.Do(self.x.called(node)))
            return
        arguments = [self.x.of(argument) for argument in node.args]
        after = self.block()
        self.flush()
        if case is not None and known is None:
            enter = self.w.enter_dispatch(family)
            self.x.emit(m.Return(b.call(b.entry(enter, self.x.of(case)), b.POSITION, self.w.number(after), *arguments)))
        else:
            routine = family.entry(known)
            entry = self.w.entry_of(routine, known)
            kept = [self.x.temp(a) for a in arguments]
            self.x.emit(b.put(m.Frame(entry.frame), self.w.number(after)))
            for slot, value in zip(entry.params, kept):
                self.x.emit(b.put(m.Frame(slot), value))
            self.x.emit(m.Return(b.call(m.Function(entry.block), b.POSITION)))
        self.waiting(after)
        self.x.code.closed = True
        self.switch(after)

    def call_asks(self, node: core.Do, known: int | None) -> bool:
        return any(self.w.effects.of[r].asks for r in self.w.callees(node, known))

    # ------------------------------------------------------------ blocks of statements

    def branches(self, node: core.If) -> None:
        every: list[tuple[core.Expr | None, core.Block]] = [(arm.test, arm.body) for arm in node.arms]
        if node.other is not None:
            every.append((None, node.other))
        live: list[tuple[core.Expr | None, core.Block]] = []
        for test, block in every:  # branches that an option rules out are not compiled at all
            known = self.x.constant_of(test) if test is not None else 1
            if known == 0 and known is not None:
                continue
            live.append((None if known else test, block))
            if known:
                break
        if live and live[0][0] is None:
            self.suite(live[0][1])
            return
        if not live:
            return
        asking = any(self.may_ask(block) for _, block in live)
        if asking:
            self.flush()
            after = self.block()
            self.branch_ask(live, after)
            if not self.x.code.closed:
                self.goto(after)
            self.switch(after)
            return
        self.branch(live)

    def branch(self, branches: list[Any]) -> None:
        """if / else over suites that do not ask."""
        (test, suite), *rest = branches
        if test is None:
            self.suite(suite)
            return
        arm = m.If(self.x.of(test))
        with self.x.code.inside(arm):
            self.suite(suite)
        first_closed, self.x.code.closed = self.x.code.closed, False
        if rest:
            with self.x.code.otherwise(arm):
                self.branch(rest)
            self.x.code.closed = self.x.code.closed and first_closed

    def branch_ask(self, branches: list[Any], after: Code) -> None:
        (test, suite), *rest = branches
        if test is None:
            self.suite(suite)
            return
        found = self.x.of(test)
        kept = self.keep()
        self.x.code.enter(m.If(found))
        self.suite(suite)
        self.goto(after)
        self.back_to(kept)
        if rest:
            self.branch_ask(rest, after)

    def uses(self, node: core.Expr, gens: Sequence[core.Gen]) -> bool:
        return bool(locals_of(node) & {local for gen in gens for local in gen.locals})

    def head(self) -> tuple[Code, Code]:
        """The head of a loop, in which writing goes on, and what follows the loop."""
        head, after = self.block(), self.block()
        self.waiting(head)
        self.goto(head)
        self.switch(head)
        return head, after

    def counted(self, count: m.Expr) -> tuple[m.Frame, Code, Code]:
        """The head of a loop that goes on while a counter in the frame is above zero: the counter's entry, the head, what follows."""
        slot = m.Frame(self.slots[self.hidden("left")])
        self.x.emit(b.put(slot, count))
        head, after = self.head()
        self.leave_loop(b.op(b.get(slot), "<=", 0), after)
        return slot, head, after

    def leave_loop(self, test: m.Expr, after: Code) -> None:
        kept = self.keep()
        self.x.code.enter(m.If(test))
        self.goto(after)
        self.back_to(kept)


def heard() -> m.Expr:
    """Whether somebody listens to what is told."""
    return b.op(b.get(EVENTS), "is not", m.Nil())
