"""Register promotion: keeps slots in local variables while a simulated game runs its rounds.

The outermost loop of a game reads the same few slots again and again: owners of things, incremental sets,
the decision counter. A slot is promoted if the loop addresses it by a constant and no called function
writes it. The variable is loaded before the loop. It is written back when the loop ends and before a call
that reads the slot. Incremental sets that are updated but never read are no longer updated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..storage.control_slots import EVENTS, RANDOM, SCRIPT
from . import nodes as m
from .builder import POSITION, load_slot, store_slot
from .optimizations import is_enabled
from .program import IrModule
from .slot_ranges import SlotMap, leading_term
from .traversal import child_blocks, child_expressions, iter_statements, map_expression, map_statement
from .value_types import UnsupportedConstructError

RANDOM_SLOTS = (RANDOM, EVENTS, SCRIPT)                                   # read and written by random draws
RANDOM_CALLS = {"chance", "shuffled", "below", "random64"}


@dataclass
class SlotAccess:
    """The slot ranges that statements read and write, identified by their first slot. `numbers` are the constant
    addresses. `others` are the ranges that are also accessed with computed addresses."""

    reads: set[int] = field(default_factory=set)
    writes: set[int] = field(default_factory=set)
    numbers: dict[int, int] = field(default_factory=dict)          # address → slot range
    put: set[int] = field(default_factory=set)                     # the written ones of `numbers`
    got: set[int] = field(default_factory=set)                     # those read for more than an update in place
    others: set[int] = field(default_factory=set)


def promote_slots_to_locals(machine: IrModule, name: str) -> None:
    """Rewrites the outermost loop of the function `name`, which runs the whole game. Leaves it unchanged if an
    address cannot be resolved."""
    if not is_enabled("register-promotion"):
        return
    looking = _AccessAnalysis(machine)
    code = next(code for code in machine.functions if code.name == name)
    try:
        code.body = _rewrite_body(looking, code.body)
    except UnsupportedConstructError:                                                # an address cannot be resolved
        return


def _rewrite_body(looking: _AccessAnalysis, body: m.Body, last: bool = True) -> m.Body:
    """Returns the rewritten body of the game. `last`: no statement follows it."""
    found: m.Body = []
    for n, node in enumerate(body):
        ends = last and all(isinstance(one, m.ReturnStmt) for one in body[n + 1 :])
        match node:
            case m.IfStmt(test=test, body=inner, other=other):
                found.append(m.IfStmt(test, _rewrite_body(looking, inner, ends), _rewrite_body(looking, other, ends), origin=node.origin))
            case m.WhileStmt():
                found += _LoopPromotion(looking, node, ends).rewrite_loop()
            case _:
                found.append(node)
    return found


class _AccessAnalysis:
    """Computes which slots the functions of an IR module read and write."""

    def __init__(self, machine: IrModule) -> None:
        self.machine, self.spaces = machine, SlotMap(machine)
        self.codes = {code.name: code for code in (*machine.functions, *machine.blocks)}
        self.known: dict[str, SlotAccess] = {}

    def function_access(self, name: str) -> SlotAccess:
        if name not in self.known:
            found = self.known[name] = SlotAccess()
            for one in self.machine.tables.get(name, ()):
                self.merge_access(found, self.function_access(one))
            if name in self.codes:
                self.scan_body(self.codes[name].body, found)
        return self.known[name]

    def merge_access(self, access: SlotAccess, called: SlotAccess) -> None:
        access.reads |= called.reads
        access.writes |= called.writes

    def scan_body(self, body: m.Body, access: SlotAccess) -> None:
        given = {step.names[0]: step.value for step in iter_statements(body) if isinstance(step, m.AssignStmt) and len(step.names) == 1}
        for node in iter_statements(body):
            match node:
                case m.StoreSlot(at=ats):
                    for at in ats:
                        self.scan_slot(at, access, given, True)
                case m.StoreSlots(low=low):
                    self.scan_slot(low, access, given, True, True)
                case m.AugAssign(target=m.LoadSlot(at=at)):
                    self.scan_slot(at, access, given, True)
                case m.LoadMemo(at=at, sure=True) if not isinstance(at, m.IndexExpr):
                    self.scan_slot(at, access, given, False)
                case m.LoadMemo(at=at) if not isinstance(at, m.IndexExpr):
                    self.scan_slot(at, access, given, True, True)
            if isinstance(node, m.LoadMemo) and not node.sure:
                self.scan_expression(node.compute_call, access, given)
            for value in [node.value] if isinstance(node, m.AugAssign) else child_expressions(node):
                self.scan_expression(value, access, given)

    def scan_slot(self, at: m.IrExpr, access: SlotAccess, assignments: dict[str, m.IrExpr], written: bool, wide: bool = False) -> None:
        """Records an access to an address. `wide`: the access may reach more than this one slot."""
        first = leading_term(at)
        space = self.spaces.locate(at, [assignments[first.name]] if isinstance(first, m.Var) and first.name in assignments else ())[0]
        access.reads.add(space.start)
        if written:
            access.writes.add(space.start)
        if isinstance(at, m.IntConst) and not wide:
            access.numbers[at.value] = space.start
            (access.put if written else access.got).add(at.value)
        else:
            access.others.add(space.start)

    def scan_expression(self, node: m.IrExpr, access: SlotAccess, assignments: dict[str, m.IrExpr], listed: bool = False) -> None:
        """Records the reads of an expression and the accesses of the functions it calls. `listed`: it is inside a
        comprehension, which has a scope of its own."""
        match node:
            case m.LoadSlot(at=at):
                self.scan_slot(at, access, assignments, False, listed)
            case m.LoadSlots(low=low):
                self.scan_slot(low, access, assignments, False, True)
            case m.CallExpr(function=m.FunctionRef(name=name)) | m.CallExpr(function=m.IndexExpr(things=m.FunctionRef(name=name))):
                self.merge_access(access, self.function_access(name))
            case m.CallExpr(function=str(name), args=args) if POSITION in args:
                if name not in RANDOM_CALLS and name != "draw_bag":
                    raise UnsupportedConstructError(f"what {name} does")
                access.reads |= {*RANDOM_SLOTS}
                access.writes |= {*RANDOM_SLOTS}
                access.others |= {*RANDOM_SLOTS}
                if name == "draw_bag":
                    self.scan_slot(args[1], access, assignments, True, True)
            case m.MethodCall(thing=m.Var(name="s")):
                access.reads |= {space.start for space in self.spaces.fixed}
        for part in child_expressions(node):
            self.scan_expression(part, access, assignments, listed or isinstance(node, m.ListComp))


class _LoopPromotion:
    """The outermost loop with slots promoted to variables."""

    def __init__(self, looking: _AccessAnalysis, loop: m.WhileStmt, last: bool) -> None:
        self.looking, self.loop = looking, loop
        touched = SlotAccess()
        looking.scan_body([loop], touched)
        called = SlotAccess()
        for node in iter_statements([loop]):
            for call in iter_calls(node):
                looking.merge_access(called, looking.function_access(call))
            if isinstance(node, m.WhileStmt) and any(iter_calls(node)):
                raise UnsupportedConstructError("what a test of a loop reads")
        shut = touched.others | called.writes
        self.words = {at: f"word{at}" for at, space in touched.numbers.items() if space not in shut and self.has_own_slots(space)}
        self.idle: set[int] = set()                                # incremental sets that are never read again
        if last:
            self.idle = {at for at in self.words if at not in touched.got and looking.spaces.range_at(m.IntConst(at)).lapses
                         and touched.numbers[at] not in called.reads}
            self.words = {at: name for at, name in self.words.items() if at not in self.idle}
        self.dirty = {at: touched.numbers[at] for at in sorted(self.words) if at in touched.put}

    def has_own_slots(self, start: int) -> bool:
        """Whether a range has its slots for itself. Frame entries share theirs."""
        return any(space.start == start for space in self.looking.spaces.fixed)

    def rewrite_loop(self) -> m.Body:
        head: m.Body = [m.AssignStmt((name,), load_slot(at), origin=self.loop.origin) for at, name in sorted(self.words.items())]
        body = self.rewrite_block([self.loop])
        remove_dead_table_reads(body)
        return [*head, *body, *self.write_back(self.loop, set(self.dirty.values()))]

    def write_back(self, node: m.IrStmt, spaces: set[int]) -> m.Body:
        """Returns statements that write the variables of these slot ranges back to the position."""
        return [store_slot(at, m.Var(self.words[at])) for at, space in self.dirty.items() if space in spaces]

    def rewrite_block(self, body: m.Body) -> m.Body:
        found: m.Body = []
        for node in body:
            match node:
                case m.AugAssign(target=m.LoadSlot(at=m.IntConst(value=at))) | m.StoreSlot(at=(m.IntConst(value=at),)) if at in self.idle:
                    continue
            read = {space for call in iter_calls(node) for space in self.looking.function_access(call).reads}
            if isinstance(node, m.ReturnStmt | m.RaiseStmt):
                read |= set(self.dirty.values())
            before = self.write_back(node, read)
            for one in before:
                one.origin = node.origin
            found += [*before, self.rewrite_statement(node)]
        return found

    def rewrite_statement(self, node: m.IrStmt) -> m.IrStmt:
        match node:
            case m.IfStmt(test=test, body=body, other=other):
                return m.IfStmt(self.rewrite_expression(test), self.rewrite_block(body), self.rewrite_block(other), origin=node.origin)
            case m.ForStmt(names=names, things=things, body=body, other=other):
                return m.ForStmt(
                    names, self.rewrite_expression(things), self.rewrite_block(body), self.rewrite_block(other), origin=node.origin
                )
            case m.WhileStmt(test=test, body=body):
                return m.WhileStmt(self.rewrite_expression(test), self.rewrite_block(body), origin=node.origin)
            case m.StoreSlot(at=(m.IntConst(value=at),), value=value) if at in self.words:
                return m.AssignStmt((self.words[at],), self.rewrite_expression(value), origin=node.origin)
            case m.AugAssign(target=m.LoadSlot(at=m.IntConst(value=at)), sign=sign, value=value) if at in self.words:
                return m.AugAssign(m.Var(self.words[at]), sign, self.rewrite_expression(value), origin=node.origin)
            case m.LoadMemo(name=str(name), at=m.IntConst(value=at), sure=True) if at in self.words:
                return m.AssignStmt((name,), m.Var(self.words[at]), origin=node.origin)
        return map_statement(node, self.replace_slot)

    def rewrite_expression(self, node: m.IrExpr) -> m.IrExpr:
        return map_expression(node, self.replace_slot)

    def replace_slot(self, node: m.IrExpr) -> m.IrExpr | None:
        match node:
            case m.LoadSlot(at=m.IntConst(value=at)) if at in self.words:
                return m.Var(self.words[at])
        return None


def remove_dead_table_reads(body: m.Body) -> None:
    """Removes reads of table entries whose result is not used any more."""
    read = {name for node in iter_statements(body) for value in child_expressions(node) for name in iter_variables(value)}

    def remove_from_block(block: m.Body) -> None:
        block[:] = [node for node in block if not (isinstance(node, m.AssignStmt) and isinstance(node.value, m.IndexExpr)
                                                   and isinstance(node.value.things, m.ConstantRef) and not read & {*node.names})]
        for node in block:
            for inner in child_blocks(node):
                remove_from_block(inner)

    remove_from_block(body)


def iter_variables(value: m.IrExpr) -> Iterator[str]:
    """Yields the variables in an expression."""
    if isinstance(value, m.Var):
        yield value.name
    for part in child_expressions(value):
        yield from iter_variables(part)


def iter_calls(node: m.IrStmt) -> Iterator[str]:
    """Yields the functions that a statement itself calls, without those of nested statements."""
    left = child_expressions(node)
    if isinstance(node, m.LoadMemo):
        left = [] if node.sure else list[m.IrExpr]([node.compute_call])
    while left:
        value = left.pop()
        match value:
            case m.CallExpr(function=m.FunctionRef(name=name)) | m.CallExpr(function=m.IndexExpr(things=m.FunctionRef(name=name))):
                yield name
        left += child_expressions(value)
