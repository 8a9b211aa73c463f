"""IR verifier: checks the invariants of every IR module, whatever the rules say. For tests and for authors of
passes.

- Every variable is set on all paths before it is used.
- Functions, tables and constants exist.
- The linker has replaced all placeholders by addresses.
- Constant addresses lie within the position.
- A break or continue is inside a loop.
- No statement is unreachable."""

from __future__ import annotations

from collections.abc import Iterator

from . import nodes as m
from .builder import FunctionBuilder
from .infer import InferencePass, KindInference
from .program import IrModule
from .traversal import child_expressions, iter_statements
from .value_types import EMPTY_LIST, WORD, UnsupportedConstructError

# the position, and the builtin that removes duplicates
PREDEFINED_NAMES = {"s", "dict"}


def verify(machine: IrModule) -> list[str]:
    """Returns one line for each violation. The list is empty if the module is sound."""
    names = {code.name for code in (*machine.functions, *machine.blocks)} | machine.tables.keys()
    found = [f"{table} has no function {name}" for table, rows in machine.tables.items() for name in rows if name not in names]
    for code in (*machine.functions, *machine.blocks):
        found += [f"{code.name}: {line}" for line in _FunctionVerifier(machine, names, code).check()]
    return found


class _FunctionVerifier:
    """Verifies one function."""

    def __init__(self, machine: IrModule, names: set[str], code: FunctionBuilder) -> None:
        self.machine, self.names, self.code = machine, names, code
        self.size = len(machine.initial)
        self.wrong: list[str] = []
        self.left: list[list[set[str]]] = []                       # for each enclosing loop: the variables set at each break

    def check(self) -> list[str]:
        self.check_block(self.code.body, {*self.code.params, *PREDEFINED_NAMES})
        return self.wrong

    def check_block(self, body: m.Body, known: set[str]) -> set[str] | None:
        """Returns the variables that are set after a block, or None if its end is unreachable."""
        now: set[str] | None = known
        for node in body:
            if now is None:
                self.wrong.append(f"nothing gets to {type(node).__name__}")
                return None
            now = self.check_statement(node, now)
        return now

    def check_statement(self, node: m.IrStmt, known: set[str]) -> set[str] | None:
        if not isinstance(node, m.ForStmt | m.WhileStmt | m.IfStmt):
            for part in child_expressions(node):
                self.check_expression(part, known)
        match node:
            case m.AssignStmt(names=names):
                return known | set(names)
            case m.AugAssign(target=m.Var(name=name)):
                self.check_expression(m.Var(name), known)
            case m.LoadMemo(name=name):
                return known | {name} if name is not None else known
            case m.IfStmt(test=test, body=body, other=other):
                self.check_expression(test, known)
                known = known | set(iter_assigned_names(test))
                ends = [end for end in (self.check_block(body, known), self.check_block(other, known)) if end is not None]
                return set.intersection(*ends) if ends else None
            case m.ForStmt(names=names, things=things, body=body, other=other):
                self.check_expression(things, known)
                self.left.append([])
                self.check_block(body, known | set(names))
                behind = self.check_block(other, known)
                ends = [*self.left.pop(), *([behind] if behind is not None else [])]
                return set.intersection(*ends) if ends else None
            case m.WhileStmt(test=test, body=body):
                self.check_expression(test, known)
                self.left.append([])
                self.check_block(body, known)
                ends = self.left.pop() + ([] if test == m.BoolConst(True) else [known])
                return set.intersection(*ends) if ends else None
            case m.BreakStmt():
                if not self.left:
                    self.wrong.append("a break outside a loop")
                else:
                    self.left[-1].append(known)
                return None
            case m.ContinueStmt():
                if not self.left:
                    self.wrong.append("a continue outside a loop")
                return None
            case m.ReturnStmt():
                return None
            case m.InvalidateMemos() | m.BeforeWrite() | m.AfterWrite():
                self.wrong.append(f"{type(node).__name__} was not written out")
        return known

    def check_expression(self, node: m.IrExpr, known: set[str]) -> None:
        match node:
            case m.Var(name=name) if name not in known:
                self.wrong.append(f"{name} is not set on every way")
            case m.FunctionRef(name=name) if name not in self.names and name != "first_key":
                self.wrong.append(f"there is no function {name}")
            case m.ConstantRef(name=name) if name not in self.machine.values and name != "FIRST":
                self.wrong.append(f"there is no constant {name}")
            case m.FrameAddr() | m.MemoAddr() | m.IncrementalSetAddr():
                self.wrong.append(f"{type(node).__name__} has no place")
            case m.LoadSlot(at=m.IntConst(value=at)) if not 0 <= at < self.size:
                self.wrong.append(f"the position has no word {at}")
            case m.ListComp(names=names, things=things, inner=inner):
                self.check_expression(things, known)
                known = known | set(names)
                if inner is not None:
                    self.check_expression(inner[1], known)
                    known = known | set(inner[0])
                for part in (node.value, *node.tests):
                    self.check_expression(part, known)
                return
            case m.BoolOp(parts=parts) | m.TupleDisplay(items=parts) | m.ListDisplay(items=parts):
                for part in parts:
                    self.check_expression(part, known)
                    known = known | set(iter_assigned_names(part))
                return
        for part in child_expressions(node):
            self.check_expression(part, known)


def verify_kinds(kinds: KindInference) -> list[str]:
    """Returns one line for each violation in inferred kinds.

    Each used variable must have a kind, unless its value is never written. A further pass must change nothing.
    The C backend would treat a value of unknown kind as a number."""
    found = []
    kinds.changed = False
    for name, function in kinds.functions.items():
        seen = InferencePass(kinds, function)
        try:
            seen.infer_block(function.code.body)
            for step in iter_statements(function.code.body):
                if isinstance(step, m.AssignStmt | m.ForStmt) and not is_never_filled(
                    seen, step.value if isinstance(step, m.AssignStmt) else step.things
                ):
                    found += [f"{name}: {one} has no kind" for one in step.names if function.variables.get(one, WORD) is None]
        except UnsupportedConstructError as unknown:
            found.append(f"{name}: {unknown}")
    return [*found, "the kinds are not settled"] if kinds.changed else found


def is_never_filled(seen: InferencePass, node: m.IrExpr) -> bool:
    """Whether a value is never written: a frame entry without writes, or an empty list."""
    match node:
        case m.LoadSlot(at=at):
            space, _ = seen.locate_slot(at)
            return space.kind in (None, EMPTY_LIST)
        case m.Var(name=name):
            return seen.f.variables.get(name) in (None, EMPTY_LIST)     # an error is reported for that variable itself
        case m.IndexExpr(things=things) | m.BoundedIter(things=things) | m.CallExpr(args=(things, *_)):
            return is_never_filled(seen, things)
    return seen.infer_expression(node, {}) == EMPTY_LIST


def iter_assigned_names(node: m.IrExpr) -> Iterator[str]:
    """Yields the variables that an expression assigns."""
    if isinstance(node, m.AssignExpr):
        yield node.name
    for part in child_expressions(node):
        yield from iter_assigned_names(part)
