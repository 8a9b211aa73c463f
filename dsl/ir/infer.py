"""Type inference for the IR: finds a kind for every variable, function and slot.

Passes over the functions repeat until nothing changes (a fixpoint). Only functions that are reachable from
the given roots are inspected. A construct without a kind raises UnsupportedConstructError with its name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from ..storage.control_slots import EVENTS, OPTIONS, SCRIPT
from . import nodes as m
from .builder import FunctionBuilder
from .program import IrModule, LazyTable
from .runtime_kinds import element_kind, infer_runtime_call, list_kind
from .slot_ranges import SlotMap, SlotRange, leading_term
from .traversal import child_expressions, iter_statements
from .value_types import (
    EMPTY_LIST,
    JUMP,
    MASK,
    MEMBERS,
    NONE,
    WORD,
    JumpKind,
    Kind,
    ListKind,
    MapKind,
    MaskKind,
    MembersKind,
    OptionalKind,
    OptionalWordKind,
    SetKind,
    TupleKind,
    UnsupportedConstructError,
    WordKind,
    describe_kind,
    join_all_kinds,
    join_kinds,
    kind_of_value,
    storage_kind,
    tuple_kind,
    unwrap_kind,
)

Scope = dict[str, str]                                             # comprehension names → function-wide variable names


def is_unwatched_slot(at: m.IrExpr) -> bool:
    """Whether this slot is empty whenever nobody observes the game: events and script."""
    return at in (m.IntConst(EVENTS), m.IntConst(SCRIPT))


def is_never_true(test: m.IrExpr) -> bool:
    """Whether a test always fails when nobody observes the game."""
    match test:
        case m.BinaryOp(left=m.LoadSlot(at=at), sign="is not", right=m.NoneConst()) | m.LoadSlot(at=at):
            return is_unwatched_slot(at)
        case m.BoolOp(word="and", parts=parts):
            return any(map(is_never_true, parts))
    return False


@dataclass
class FunctionKinds:
    """The inferred kinds of one function: of its variables and of its result."""

    code: FunctionBuilder
    variables: dict[str, Kind | None] = field(default_factory=dict)
    result: Kind | None = None


class KindInference:
    """The kinds of an IR module, for all functions reachable from `roots`. `roots` maps function names to the
    kinds of their arguments."""

    def __init__(self, machine: IrModule, roots: dict[str, tuple[Kind, ...]]) -> None:
        self.machine = machine
        self.spaces = SlotMap(machine)
        self.codes = {code.name: code for code in (*machine.functions, *machine.blocks)}
        self.functions: dict[str, FunctionKinds] = {}
        self.once: dict[str, Kind | None] = {}                     # kinds of the entries of lazy tables
        self.constants: dict[str, Kind | None] = {}
        self.lists: dict[int, int] = {}                            # numbers of comprehensions, by id
        self.changed = False
        for name, params in roots.items():
            for param, kind in zip(self.require_function(name).code.params[1:], params):
                self.functions[name].variables[param] = kind
        for space in self.spaces.ranges:
            if space.start not in (EVENTS, SCRIPT) and not space.lapses:
                for value in machine.initial[space.start : space.end]:
                    space.kind = self.widen_kind(space.kind, kind_of_value(value), space.name)
        self.spaces.range_at(m.IntConst(OPTIONS)).kind = MEMBERS
        for name in machine.tables["B"]:
            if name in self.functions:
                self.functions[name].result = JUMP
        self.run_to_fixpoint()

    def run_to_fixpoint(self) -> None:
        """Repeats passes over all functions until nothing changes."""
        while True:
            self.changed = False
            for function in list(self.functions.values()):
                InferencePass(self, function).infer_block(function.code.body)
            if not self.changed:
                return

    def require_function(self, name: str) -> FunctionKinds:
        """Returns the record of a function. Adds the function on its first use."""
        found = self.functions.get(name)
        if found is None:
            code = self.codes[name]
            found = self.functions[name] = FunctionKinds(code, {param: WORD if param == "r" else None for param in code.params[1:]})
            self.changed = True
        return found

    def widen_kind(self, known: Kind | None, kind: Kind | None, where: str) -> Kind | None:
        """Returns the join of a known kind with one more kind. `where` names the location for error messages."""
        try:
            found = join_kinds(known, kind)
        except UnsupportedConstructError as clash:
            raise UnsupportedConstructError(f"{clash}: {where}") from None
        if found != known:
            self.changed = True
        return found

    def comprehension_variable(self, node: m.ListComp, name: str) -> str:
        """Returns the function-wide variable name for a name that exists only inside a comprehension."""
        return f"{name}_{self.lists.setdefault(id(node), len(self.lists))}"

    def constant_kind(self, name: str) -> Kind | None:
        """Returns the kind of a constant."""
        if name not in self.constants:
            self.constants[name] = kind_of_value(self.machine.values[name])
        return self.constants[name]


class InferencePass:
    """One pass over a function."""

    def __init__(self, kinds: KindInference, function: FunctionKinds) -> None:
        self.k, self.f = kinds, function
        self.machine = kinds.machine

    def locate_slot(self, at: m.IrExpr) -> tuple[SlotRange, m.IrExpr]:
        """Returns the slot range of an address, and the offset into it."""
        first = leading_term(at)
        if not isinstance(first, m.Var):
            return self.k.spaces.locate(at)
        given = [
            step.value for step in iter_statements(self.f.code.body) if isinstance(step, m.AssignStmt) and step.names == (first.name,)
        ]
        return self.k.spaces.locate(at, given)

    # ------------------------------------------------------------ statements

    def infer_block(self, body: m.Body) -> None:
        for node in body:
            self.infer_statement(node)

    def assign_kind(self, name: str, kind: Kind | None) -> None:
        """Widens the kind of a variable by the kind of an assigned value."""
        self.f.variables[name] = self.k.widen_kind(self.f.variables.get(name), kind, f"{name} in {self.f.code.name}")

    def unpack_kinds(self, names: tuple[str, ...], kind: Kind | None, rename: m.ListComp | None = None) -> None:
        """Assigns the kind of a value, or the kinds of its entries, to names."""
        kinds: list[Kind | None]
        match kind:
            case _ if len(names) == 1:
                kinds = [kind]
            case None:
                return
            case TupleKind(parts=parts) if len(parts) == len(names):
                kinds = list(parts)
            case ListKind(of=inside):
                kinds = [inside] * len(names)
            case _:
                raise UnsupportedConstructError(f"{len(names)} names for {describe_kind(kind)}")
        for name, one in zip(names, kinds):
            self.assign_kind(name if rename is None else self.k.comprehension_variable(rename, name), one)

    def store_kind(self, at: m.IrExpr, kind: Kind | None) -> None:
        """Widens the kind of a slot range by the kind of a written value."""
        if is_unwatched_slot(at):
            return
        space, rest = self.locate_slot(at)
        self.infer_expression(rest, {})
        if space.lapses and kind == NONE:
            return
        space.kind = self.k.widen_kind(space.kind, kind, space.name)

    def infer_statement(self, node: m.IrStmt) -> None:
        match node:
            # works on a copy of the position from here on
            case m.AssignStmt(names=("s",)):
                pass
            case m.AssignStmt(names=names, value=value):
                self.unpack_kinds(names, self.infer_expression(value, {}))
            case m.StoreSlot(at=ats, value=value):
                kind = self.infer_expression(value, {})
                for at in ats:
                    self.store_kind(at, kind)
            case m.StoreSlots(value=m.SliceExpr(things=m.ConstantRef(name="FIRST"))):             # the kinds of initial values are known
                pass
            case m.StoreSlots(low=low, value=value):
                self.store_kind(low, element_kind(self.infer_expression(value, {})))
            case m.AugAssign(target=m.Var(name=name)):
                self.assign_kind(name, self.infer_op(node.computed_value, {}))
            case m.AugAssign(target=m.LoadSlot(at=at)):
                self.store_kind(at, self.infer_op(node.computed_value, {}))
            case m.LoadMemo():
                self.infer_memo(node)
            case m.IfStmt(test=test, body=body, other=other):
                if not is_never_true(test):
                    self.infer_expression(test, {})
                    self.infer_block(body)
                self.infer_block(other)
            case m.ForStmt(names=names, things=things, body=body, other=other):
                self.unpack_kinds(names, element_kind(self.infer_expression(things, {})))
                self.infer_block(body)
                self.infer_block(other)
            case m.WhileStmt(test=test, body=body):
                self.infer_expression(test, {})
                self.infer_block(body)
            case m.ReturnStmt(value=value):
                self.infer_return(value)
            case m.ExprStmt(call=m.MethodCall(thing=m.Var(name=name), name=("append" | "add") as way, args=(item,))):
                self.assign_kind(name, (ListKind if way == "append" else SetKind)(storage_kind(self.infer_expression(item, {}))))
            case m.ExprStmt(call=call):
                self.infer_expression(call, {})
            case m.BreakStmt() | m.ContinueStmt():
                pass
            case _:
                raise UnsupportedConstructError(type(node).__name__)

    def infer_memo(self, node: m.LoadMemo) -> None:
        match node.at:
            case m.IndexExpr(things=m.ConstantRef(name=name), index=index) if isinstance(self.machine.values.get(name), LazyTable):
                self.infer_expression(index, {})
                kind = self.k.once[name] = self.k.widen_kind(
                    self.k.once.get(name), storage_kind(self.infer_expression(node.compute_call, {})), name
                )
            case m.IndexExpr():
                raise UnsupportedConstructError("something remembered in a constant")
            case at:
                space, _ = self.locate_slot(at)
                space.kind = kind = self.k.widen_kind(space.kind, self.infer_expression(node.compute_call, {}), space.name)
        if node.name is not None:
            self.assign_kind(node.name, kind)

    def infer_return(self, value: m.IrExpr | None) -> None:
        kind = NONE if value is None else self.infer_expression(value, {})
        if isinstance(self.f.result, JumpKind):
            return
        self.f.result = self.k.widen_kind(self.f.result, kind, f"what {self.f.code.name} gives")

    # ------------------------------------------------------------ expressions

    def infer_expression(self, node: m.IrExpr, scope: Scope) -> Kind | None:
        """Returns the kind of an expression. None means that it is not known yet, or that evaluation never returns (a
        fault)."""
        match node:
            case m.IntConst(value=value):
                return kind_of_value(value)
            case m.BoolConst():
                return WORD
            case m.NoneConst():
                return NONE
            case m.Var(name=name):
                return self.f.variables.get(scope.get(name, name))
            case m.ConstantRef(name=name):
                return self.k.constant_kind(name)
            case m.LoadSlot(at=at):
                space, rest = self.locate_slot(at)
                self.infer_expression(rest, scope)
                return NONE if is_unwatched_slot(at) else space.kind
            case m.LoadSlots(low=low):
                return list_kind(self.locate_slot(low)[0].kind)
            case m.BinaryOp():
                return self.infer_op(node, scope)
            case m.UnaryOp(sign=sign, value=value):
                kind = self.infer_expression(value, scope)
                return WORD if sign == "not" else kind
            case m.BoolOp(parts=(m.CallExpr(function="BITS", args=(mask,)), m.CallExpr(function="bits"))):
                self.infer_expression(mask, scope)
                return MEMBERS
            case m.BoolOp(parts=parts):
                for part in parts:
                    self.infer_expression(part, scope)
                return WORD
            case m.RangeTest(low=low, value=value, high=high):
                for part in (low, value, high):
                    self.infer_expression(part, scope)
                return WORD
            case m.IfExpr(test=test, value=value, other=other):
                self.infer_expression(test, scope)
                return join_kinds(self.infer_expression(value, scope), self.infer_expression(other, scope))
            case m.IndexExpr(things=things, index=index):
                return self.infer_entry(self.infer_expression(things, scope), index, scope)
            case m.SliceExpr(things=things):
                for part in child_expressions(node)[1:]:
                    self.infer_expression(part, scope)
                return storage_kind(self.infer_expression(things, scope))
            case m.TupleDisplay(items=items) | m.ListDisplay(items=items):
                return self.infer_display(items, scope, isinstance(node, m.ListDisplay))
            case m.CallExpr():
                return self.infer_call(node, scope)
            case m.MethodCall():
                return self.infer_method(node, scope)
            case m.ListComp():
                return self.infer_comprehension(node, scope)
            case m.BoundedIter(things=things):
                return self.infer_expression(things, scope)
            case m.PresentValue(value=value):
                return unwrap_kind(self.infer_expression(value, scope))
            case m.AssignExpr(name=name, value=value):
                kind = self.infer_expression(value, scope)
                self.assign_kind(name, kind)
                return kind
        raise UnsupportedConstructError(type(node).__name__)

    def infer_op(self, node: m.BinaryOp, scope: Scope) -> Kind | None:
        left, right, sign = self.infer_expression(node.left, scope), self.infer_expression(node.right, scope), node.sign
        match sign:
            case "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in" | "is" | "is not":
                return WORD
            case "<<":
                return MASK
            case ">>":
                return left
            case "+" | "-" | "*" | "//" | "%":
                if left is None or right is None:
                    return None
            case "&" | "|" | "^":
                if left is None or right is None:
                    return left or right
            case _:
                assert_never(sign)
        if NONE in (left, right):                               # the kind becomes known in a later pass, or never
            return WORD
        match sign, left, right:
            case "+", (ListKind() | MembersKind()), (ListKind() | MembersKind()):
                return join_kinds(storage_kind(left), storage_kind(right))
            case "+" | "-" | "*" | "//" | "%", (WordKind() | OptionalWordKind()), (WordKind() | OptionalWordKind()):
                return WORD
            case "&" | "|" | "-", SetKind(), SetKind():
                return join_kinds(left, right)
            case "&" | "|" | "^", (WordKind() | MaskKind()), (WordKind() | MaskKind()):
                if sign == "&" and any(isinstance(one, m.IntConst) and 0 <= one.value < 1 << 62 for one in (node.left, node.right)):
                    return WORD
                return join_kinds(left, right)
            case "-", MaskKind(), _:
                return MASK
        raise UnsupportedConstructError(f"{describe_kind(left)} {sign} {describe_kind(right)}")

    def infer_entry(self, kind: Kind | None, index: m.IrExpr, scope: Scope) -> Kind | None:
        self.infer_expression(index, scope)
        match kind, index:
            case TupleKind(parts=parts), m.IntConst(value=n):
                return parts[n]
            case (None | ListKind() | MembersKind()), _:
                return element_kind(kind)
            case OptionalKind(of=inside), _:
                return self.infer_entry(inside, index, scope)
        raise UnsupportedConstructError(f"an entry of {describe_kind(kind)}")

    def infer_display(self, items: tuple[m.IrExpr, ...], scope: Scope, built: bool) -> Kind | None:
        if not built and not any(isinstance(item, m.StarredExpr) for item in items):
            return tuple_kind([self.infer_expression(item, scope) for item in items])
        return join_all_kinds(
            [
                EMPTY_LIST,
                *(
                    storage_kind(self.infer_expression(item.things, scope))
                    if isinstance(item, m.StarredExpr)
                    else list_kind(self.infer_expression(item, scope))
                    for item in items
                ),
            ]
        )

    def infer_call(self, node: m.CallExpr, scope: Scope) -> Kind | None:
        kinds = [
            self.infer_expression(arg, scope) for arg in node.args if arg != m.Var("s") and not isinstance(arg, m.TextConst | m.FunctionRef)
        ]
        match node.function:
            case m.FunctionRef(name=name):
                return self.infer_function_call(self.k.require_function(name), kinds)
            case m.IndexExpr(things=m.FunctionRef(name=name), index=index):
                self.infer_expression(index, scope)
                if name == "B":
                    return JUMP
                rows = [self.k.require_function(row) for row in self.machine.tables[name]]
                kinds = [
                    join_all_kinds([storage_kind(kind), *(row.variables[row.code.params[n + 1]] for row in rows)])
                    for n, kind in enumerate(kinds)
                ]
                result = join_all_kinds([self.infer_function_call(row, kinds) for row in rows])
                for row in rows:
                    if result is not None and row.result != JUMP:
                        row.result = self.k.widen_kind(row.result, result, f"what {name} gives")
                return result
            case str(name):
                return infer_runtime_call(name, node, kinds)
        raise UnsupportedConstructError("a call of what an expression gives")

    def infer_function_call(self, function: FunctionKinds, kinds: list[Kind | None]) -> Kind | None:
        for param, kind in zip(function.code.params[1:], kinds):
            function.variables[param] = self.k.widen_kind(function.variables[param], storage_kind(kind), f"{param} in {function.code.name}")
        return function.result

    def infer_method(self, node: m.MethodCall, scope: Scope) -> Kind | None:
        for arg in node.args:
            self.infer_expression(arg.things if isinstance(arg, m.StarredExpr) else arg, scope)
        if node.name == "fromkeys":
            return storage_kind(self.infer_expression(node.args[0], scope))
        kind = self.infer_expression(node.thing, scope)
        match node.name:
            case "bit_count" | "bit_length" | "index":
                return WORD
            case "copy" if isinstance(kind, ListKind | MembersKind | None):
                return storage_kind(kind)
            case "get" if isinstance(kind, MapKind | None):
                return None if kind is None else join_kinds(kind.of, self.infer_expression(node.args[1], scope))
            case "union":
                return join_kinds(kind, SetKind(WORD))
        raise UnsupportedConstructError(f"the method {node.name}")

    def infer_comprehension(self, node: m.ListComp, scope: Scope) -> Kind | None:
        inner = dict(scope)
        for names, things in ((node.names, node.things), node.inner or ((), None)):
            if things is not None:
                over = self.infer_expression(things, inner)
                if over == EMPTY_LIST:                                  # it is always empty
                    return EMPTY_LIST
                kind = element_kind(over)
                inner |= {name: self.k.comprehension_variable(node, name) for name in names}
                self.unpack_kinds(names, kind, node)
        for test in node.tests:
            self.infer_expression(test, inner)
        return list_kind(self.infer_expression(node.value, inner))
