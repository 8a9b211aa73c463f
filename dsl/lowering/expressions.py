"""Expressions of the core as IR. `ExpressionLowering.lower(node)` may emit steps first and then returns the IR
expression for the value.

| type | value in the IR |
|---|---|
| number, member, bool | int |
| none | -1 for an optional member, None for any other optional type |
| set of members | bitmask |
| other set | frozenset (numbers, cells of an open board) |
| list, pile | tuple |
| bag | tuple of counts |"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import nodes as core
from ..core.nodes import LocalVar
from ..core.program import State
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import FunctionBuilder, add_offset
from ..ir.program import LastResultCache
from ..types.operations import ArithmeticOperator, LogicOperator
from ..types.types import WORD_TYPES, BagOf, EmptyType, Int, ListOf, MemberOf, OptionalOf, SetOf, Type
from .builtins import compile_builtin
from .calls import CallLowering
from .comprehensions import Comprehensions
from .protocols import ModuleApi
from .ways import lower_is_reachable


class ExpressionLowering(Comprehensions, CallLowering):
    """Compiles expressions into `self.code`, the function that is being compiled."""

    def __init__(self, writer: ModuleApi) -> None:
        self.w = writer
        self.model = writer.program.model
        self.layout = writer.layout
        self.code: FunctionBuilder
        self.env: dict[LocalVar, m.IrExpr] = {}  # values of names, such as parameters of inlined defs
        self.aliases: dict[LocalVar, LocalVar] = {}                     # parameters that stand for other locals
        self.inline_all = False  # also inline defs with folds
        self.bound: Any = None  # function that returns the variable of a local

    # ------------------------------------------------------------ helpers

    def emit(self, node: m.IrStmt) -> None:
        """Appends a step to the function that is being compiled."""
        self.code.emit(node)

    def assign(self, name: str, value: b.Value) -> None:
        """Emits an assignment to a variable of the function."""
        self.code.emit(m.AssignStmt((name,), b.to_expr(value)))

    def temp(self, value: m.IrExpr, hint: str = "t") -> m.IrExpr:
        """Returns a variable with the value. Variables and numbers are returned as they are."""
        if b.is_simple(value):
            return value
        name = self.w.fresh.temp_name(hint)
        self.assign(name, value)
        return m.Var(name)

    def const(self, value: Any) -> m.IrExpr:
        """Returns a constant of the module for a tuple, bitmask or table. A number is returned as it is."""
        if isinstance(value, int) and not isinstance(value, bool):
            return m.IntConst(value)
        return self.w.add_constant(value)

    def constant_of(self, node: core.Expr) -> Any:
        """Returns the value of an expression that is known at compile time, or None.

        These are numbers, members, options of the game, attributes of a known member, and some arithmetic on them."""
        match node:
            case core.Const(value=value):
                return value
            case core.NamedConstant(name=name):
                return self.model.numbers[name]
            case core.MemberConstant(domain=domain, member=member, name=name):
                enum = self.model.enums[domain]
                return enum.own[enum.members[member], name]
            case core.OptionValue(name=name):
                return self.get_option_value(self.model.options[name])
            case core.LocalRef(local=local):
                known = self.env.get(local)
                return known.value if isinstance(known, m.IntConst) else None
            case core.Attribute(thing=thing, domain=domain, name=name):
                inner = self.constant_of(thing)
                return self.model.enums[domain].values[name][inner] if isinstance(inner, int) and inner >= 0 else None
            case core.PrimOp(op="neg", args=(inside,)):
                value = self.constant_of(inside)
                return -value if isinstance(value, int) else None
            case core.PrimOp(op="position", args=(member,)):
                value = self.constant_of(member)
                return value + 1 if isinstance(value, int) else None
            case core.PrimOp(op="==" | "!=" | "+" | "-" | "*" as op, args=(left, right)):
                one, two = self.constant_of(left), self.constant_of(right)
                if isinstance(one, int) and isinstance(two, int) and not isinstance(left.type, SetOf):       # sets are bitmasks here
                    return {"==": int(one == two), "!=": int(one != two), "+": one + two, "-": one - two, "*": one * two}[op]
        return None

    def get_option_value(self, option: Any) -> int:
        """Returns the chosen value of a game option as a number: a bool, a number, or the position among its values."""
        value = self.model.settings[option.name]
        if isinstance(value, bool):
            return int(value)
        if all(isinstance(v, int) for v in option.values):
            return int(value)
        return [str(v) for v in option.values].index(str(value))

    def lower(self, node: core.Expr) -> m.IrExpr:
        """Returns the IR expression for the value of `node`. May emit steps first."""
        known = self.constant_of(node)
        if known is not None:
            return self.const(self.coerce_const(known, node.type))
        match node:
            case core.EmptyLiteral():
                return self.lower_empty_literal(node)
            case core.AllMembers():
                return self.lower_all_members(node)
            case core.LocalRef():
                return self.lower_local(node)
            case core.CollectionLiteral():
                return self.lower_collection(node)
            case core.CondExpr():
                return self.lower_conditional(node)
            case core.OrElse():
                return self.lower_or_else(node)
            case core.PrimOp():
                return self.lower_primitive(node)
            case core.Attribute():
                return self.lower_attribute(node)
            case core.TableLookup():
                return self.lower_table_lookup(node)
            case core.CountOf():
                return self.lower_count_of(node)
            case core.ElementAt():
                return self.lower_element_at(node)
            case core.StateRef():
                return self.lower_state(node)
            case core.OccupiedCells():
                return self.lower_occupied_cells(node)
            case core.CallDef():
                return self.lower_def_call(node)
            case core.AfterCall():
                return self.lower_after_call(node)
            case core.Fold():
                return self.lower_fold(node)
        raise TypeError(f"no lowering of {type(node).__name__}")

    def coerce_const(self, value: Any, type_: Type) -> Any:
        """Returns a constant in the form of its type: sets of numbers are frozensets."""
        return frozenset(value) if isinstance(type_, SetOf) and isinstance(type_.of, Int) and isinstance(value, tuple) else value

    def is_none(self, value: m.IrExpr, inner: Type) -> m.IrExpr:
        """Returns a test whether a value of type `inner?` is none."""
        return b.binary_op(value, "<", 0) if self.layout.none(inner) == -1 else b.binary_op(value, "is", m.NoneConst())

    # ------------------------------------------------------------ atoms

    def lower_empty_literal(self, node: core.EmptyLiteral) -> m.IrExpr:
        """Compiles `none`, `{}` or `[]` in the form of the expected type."""
        match node.type:
            case OptionalOf(of=inner):
                return b.literal_expr(self.layout.none(inner))
            case EmptyType():
                return b.literal_expr({"none": self.layout.none(node.type), "{}": 0, "[]": ()}[node.literal])
        return self.const(self.layout.default(node.type))

    def lower_all_members(self, node: core.AllMembers) -> m.IrExpr:
        """Compiles the set of all members of an enum."""
        return self.const((1 << len(self.model.enums[node.domain])) - 1)

    def lower_local(self, node: core.LocalRef) -> m.IrExpr:
        return self.read_local(node.local)

    def read_local(self, local: LocalVar) -> m.IrExpr:
        """Returns the value of a local: from the environment, or its variable."""
        if local in self.env:
            return self.env[local]
        return m.Var(self.bound(local))

    def lower_collection(self, node: core.CollectionLiteral) -> m.IrExpr:
        """Compiles a set or list literal."""
        found = node.type
        values = [self.lower(part) for part in node.parts]
        if isinstance(found, ListOf):
            return m.TupleDisplay(tuple(values))
        assert isinstance(found, SetOf)
        if not self.layout.is_mask_element(found.of):
            return b.call("frozenset", m.TupleDisplay(tuple(values)))
        if all(isinstance(v, m.IntConst) for v in values):
            return m.IntConst(sum({1 << v.value for v in values if isinstance(v, m.IntConst)}))
        masks = [m.IntConst(1 << v.value) if isinstance(v, m.IntConst) else b.bit_mask(v) for v in values]
        mask = masks[0]
        for more in masks[1:]:
            mask = b.binary_op(mask, "|", more)
        return mask

    # ------------------------------------------------------------ operators

    def lower_aside(self, node: core.Expr) -> tuple[m.IrExpr, m.Body]:
        """Compiles `node` without emitting anything. Returns its expression and the steps that it needs first."""
        with self.code.capture_block() as written:
            value = self.lower(node)
        return value, written

    def lower_iterable_aside(self, source: core.Expr) -> tuple[m.IrExpr, m.Body]:
        """Like `lower_aside`, for an iterable over the members of `source`."""
        with self.code.capture_block() as written:
            value = self.lower_iterable(source)
        return value, written

    def emit_either(self, test: m.IrExpr, one: m.IrExpr, first: m.Body, two: m.IrExpr, second: m.Body) -> m.IrExpr:
        """Returns a variable: `one` after the steps `first` if the test holds, else `two` after the steps `second`."""
        name = self.w.fresh.temp_name()
        self.emit(m.IfStmt(test, [*first, m.AssignStmt((name,), one)], [*second, m.AssignStmt((name,), two)]))
        return m.Var(name)

    def lower_conditional(self, node: core.CondExpr) -> m.IrExpr:
        """Compiles `value if test else other`. Steps of a side run only if its value is needed."""
        known = self.constant_of(node.test)
        if known is not None:
            return self.lower(node.value if known else node.other)
        test = self.lower(node.test)
        one, first = self.lower_aside(node.value)
        two, second = self.lower_aside(node.other)
        if not first and not second:
            return m.IfExpr(test, one, two)
        return self.emit_either(test, one, first, two, second)

    def lower_or_else(self, node: core.OrElse) -> m.IrExpr:
        """Compiles `value otherwise other`: `other` if `value` is none."""
        value = node.value
        assert isinstance(value.type, OptionalOf)
        inner = test_type = value.type.of
        if isinstance(value, core.Attribute) and isinstance(value.thing.type, OptionalOf):
            base = self.temp(self.lower(value.thing))
            enum, attribute = self.model.enums[value.domain], value.name
            table = self.const(self.build_attribute_table(enum, attribute))
            found, test, test_type = b.index_entry(table, base), base, value.thing.type.of
            if isinstance(enum.attributes[attribute], OptionalOf):
                found = self.temp(m.IfExpr(b.binary_op(base, ">=", 0), b.index_entry(table, base), b.literal_expr(self.layout.none(inner))))
                test, test_type = found, inner
        else:
            test = self.temp(self.lower(value))
            found = test if isinstance(inner, WORD_TYPES) else m.PresentValue(test)
        two, second = self.lower_aside(node.other)
        missing = self.is_none(test, test_type)
        if not second:
            return m.IfExpr(missing, two, found)
        return self.emit_either(missing, two, second, found, [])

    def lower_primitive(self, node: core.PrimOp) -> m.IrExpr:
        """Compiles an operator or a call of a built-in function."""
        op, args = node.op, node.args
        match op:
            case "not":
                return b.logical_not(self.lower(args[0]))
            case "neg":
                return m.UnaryOp("-", self.lower(args[0]))
            case "and" | "or":
                return self.lower_logic(args[0], args[1], op)
            case "in":
                return self.lower_contains(*args)
            case "not in":
                return b.logical_not(self.lower_contains(*args))
            case "..":
                return b.call("tuple", b.call("span", self.lower(args[0]), self.lower(args[1])))
            case "==" | "!=" if isinstance(args[1], core.EmptyLiteral) and (found := lower_is_reachable(self, args[0])) is not None:
                return found if op == "!=" else b.logical_not(found)
            case "==" | "!=" | "<" | "<=" | ">" | ">=":
                one = self.lower(args[0])
                return b.binary_op(one, op, self.lower(args[1]))
            case "+" | "-" | "*" | "//" | "%" | "&":
                return self.lower_arithmetic(node, op)
        return compile_builtin(self, op, args)

    def lower_arithmetic(self, node: core.PrimOp, op: ArithmeticOperator) -> m.IrExpr:
        """Compiles arithmetic on numbers and the corresponding operations on sets and lists."""
        found = node.type
        one, two = map(self.lower, node.args)
        if isinstance(found, SetOf):
            if not self.layout.is_mask_element(found.of):
                return b.binary_op(one, "|" if op == "+" else op, two)
            return b.mask_without(one, two) if op == "-" else b.binary_op(one, "|" if op == "+" else "&", two)
        if isinstance(found, ListOf):
            return b.binary_op(one, "+", two) if op == "+" else b.call("without", one, two)
        if op in ("//", "%"):
            if not isinstance(two, m.IntConst) or not two.value:
                two = m.BoolOp("or", (self.temp(two), b.fault_call("F001")))
        return b.binary_op(one, op, two)

    def lower_logic(self, left: core.Expr, right: core.Expr, word: LogicOperator) -> m.IrExpr:
        """Compiles `and` or `or`. Steps of the right side run only if its value is needed."""
        known = self.constant_of(left)
        if known is not None:
            return self.lower(right) if bool(known) == (word == "and") else m.IntConst(int(known))
        one = self.lower(left)
        two, second = self.lower_aside(right)
        if not second:
            return m.BoolOp(word, (one, two))
        name = self.w.fresh.temp_name("b")
        self.assign(name, one)
        test = m.Var(name) if word == "and" else b.logical_not(name)
        self.emit(m.IfStmt(test, [*second, m.AssignStmt((name,), two)]))
        return m.Var(name)

    def lower_contains(self, value: core.Expr, group: core.Expr) -> m.IrExpr:
        """Compiles `value in group`. None is in no container."""
        found = group.type
        if isinstance(found, SetOf) and isinstance(found.of, MemberOf) and not self.layout.is_open(found.of):
            item = self.lower(value)
            optional = isinstance(value.type, OptionalOf)
            if isinstance(group, core.AllMembers):
                return b.binary_op(item, ">=", 0) if optional else m.BoolConst(True)
            if optional:
                item = self.temp(item)
                return m.BoolOp("and", (b.binary_op(item, ">=", 0), b.bit_test(self.lower(group), item)))
            return b.bit_test(self.lower(group), item)
        if isinstance(found, EmptyType):
            return m.BoolConst(False)
        if isinstance(value.type, OptionalOf):                          # none is in no container
            item = self.temp(self.lower(value))
            return m.BoolOp("and", (b.logical_not(self.is_none(item, value.type.of)), self.lower_contains_value(item, group)))
        return self.lower_contains_value(self.lower(value), group)

    def lower_contains_value(self, item: m.IrExpr, group: core.Expr) -> m.IrExpr:
        """Returns a test whether `item`, which is not none, is in `group`."""
        found = group.type
        if isinstance(found, OptionalOf):
            return b.binary_op(item, "==", self.lower(group))
        if isinstance(found, BagOf):
            return b.binary_op(self.lower_bag_count(group, item), ">", 0)
        if isinstance(group, core.PrimOp) and group.op == "..":
            low, high = map(self.lower, group.args)
            return m.RangeTest(low, item, high)
        return b.binary_op(item, "in", self.lower(group))

    # ------------------------------------------------------------ dot, bracket

    def build_attribute_table(self, enum: Any, attribute: str) -> tuple[Any, ...]:
        """Returns the values of an attribute for all members of an enum."""
        values = tuple(enum.values[attribute])
        if isinstance(enum.attributes[attribute], SetOf) and isinstance(enum.attributes[attribute].of, Int):
            values = tuple(frozenset(v) for v in values)
        return values

    def lower_attribute(self, node: core.Attribute) -> m.IrExpr:
        """Compiles `thing.attribute` as a table lookup. The attribute of none is none."""
        base = self.lower(node.thing)
        table = self.const(self.build_attribute_table(self.model.enums[node.domain], node.name))
        if isinstance(node.thing.type, OptionalOf):
            base = self.temp(base)
            none = self.layout.none(node.type.of if isinstance(node.type, OptionalOf) else node.type)
            return m.IfExpr(b.binary_op(base, ">=", 0), b.index_entry(table, base), b.literal_expr(none))
        return b.index_entry(table, base)

    def lower_table_lookup(self, node: core.TableLookup) -> m.IrExpr:
        return self.lower_table_read(self.model.tables[node.table], node.index)

    def lower_count_of(self, node: core.CountOf) -> m.IrExpr:
        return self.lower_bag_count(node.bag, self.lower(node.kind))

    def lower_element_at(self, node: core.ElementAt) -> m.IrExpr:
        """Compiles `list[index]`, counted from 1. Outside the list, it is none or the default value of the type."""
        found = node.things.type
        assert isinstance(found, ListOf)
        things = self.temp(self.lower(node.things), "l")
        index = self.temp(self.lower(node.index), "i")
        inner = found.of
        if isinstance(inner, Int):
            default: m.IrExpr = m.IntConst(0)
        elif isinstance(inner, ListOf):
            default = b.literal_expr(self.layout.default(inner))
        elif isinstance(inner, SetOf):
            default = self.const(self.layout.default(inner))
        else:
            default = b.literal_expr(self.layout.none(inner))
        there = m.RangeTest(m.IntConst(0), index, b.call("len", things), "<")
        return m.IfExpr(there, b.index_entry(things, b.binary_op(index, "-", 1)), default)

    def lower_table_read(self, table: Any, index: core.Expr) -> m.IrExpr:
        """Compiles a lookup in a number table. Beyond its ends, the table has its first or last value, or 0."""
        known = self.constant_of(index)
        values = tuple(table.values)
        past = values[-1] if table.beyond == "last" else 0
        if known is not None:
            n = known - table.first
            return m.IntConst(values[n] if 0 <= n < len(values) else past if n >= 0 else values[0] if table.beyond == "last" else 0)
        i = self.temp(self.lower(index), "i")
        name = self.const(values)
        under = values[0] if table.beyond == "last" else 0
        shifted = i if table.first == 0 else b.binary_op(i, "-", table.first)
        low = index.type.low if isinstance(index.type, Int) else None
        there, end = b.index_entry(name, shifted), len(values) + table.first
        if low is not None and low >= table.first:
            return b.conditional(b.binary_op(i, "<", end), there, past)
        inside = m.RangeTest(m.IntConst(table.first), i, m.IntConst(end), "<=", "<")
        return b.conditional(inside, there, b.conditional(b.binary_op(i, "<", table.first), under, past))

    def lower_bag_count(self, bag: core.Expr, index: m.IrExpr) -> m.IrExpr:
        """Returns the count of one kind in a bag."""
        place = self.find_bag_address(bag)
        if place is not None:
            return b.load_slot(add_offset(place, index))
        return b.index_entry(self.lower(bag), index)

    def find_bag_address(self, node: core.Expr) -> m.IrExpr | None:
        """Returns the address of the counts of a bag that is a state. None if the bag is a value."""
        return self.address(self.w.program.states[node.state], node.index) if isinstance(node, core.StateRef) else None

    # ------------------------------------------------------------ states

    def address(self, state: State, indices: Sequence[core.Expr]) -> m.IrExpr:
        """Returns the address of an entry of a state.

        For a bitmask or dict over the last axis, the address of the whole mask or dict."""
        cell = self.layout.cells[state]
        terms: list[m.IrExpr] = []
        fixed = cell.base
        used = [n for n in range(len(state.axes)) if n != cell.open_axis][: len(cell.sizes)]
        stride = cell.width
        for n, size in reversed(list(zip(used, cell.sizes))):
            value = self.lower(indices[n])
            if isinstance(value, m.IntConst):
                fixed += value.value * stride
            else:
                terms.insert(0, value if stride == 1 else b.binary_op(value, "*", stride))
            stride *= size
        found: m.IrExpr = m.IntConst(fixed)
        for term in terms:
            found = b.binary_op(found, "+", term)
        return found

    def lower_state(self, node: core.StateRef) -> m.IrExpr:
        """Compiles a read of a state."""
        state, indices = self.w.program.states[node.state], node.index
        cell = self.layout.cells[state]
        place = self.address(state, indices)
        if cell.form == "mask":
            return b.bit_test(b.load_slot(place), self.lower(indices[-1]))
        if cell.form == "sparse":
            assert cell.open_axis is not None
            return b.call_method(b.load_slot(place), "get", self.lower(indices[cell.open_axis]), b.literal_expr(cell.default))
        if cell.form == "bag":
            base = self.temp(place, "k")
            return b.call("tuple", m.LoadSlots(base, add_offset(base, m.IntConst(cell.width))))
        return b.load_slot(place)

    def lower_occupied_cells(self, node: core.OccupiedCells) -> m.IrExpr:
        """Compiles `cells(state)`: the cells of an open board with a value other than the default."""
        state = self.w.program.states[node.state]
        cell = self.layout.cells[state]
        if cell.count == 1:
            return b.call("held", b.load_slot(cell.base), self.const(LastResultCache(state.name)))
        if node.index:
            assert cell.open_axis is not None
            where = self.address(state, [*node.index[: cell.open_axis], node, *node.index[cell.open_axis :]])
            return b.call("frozenset", b.load_slot(where))
        every = m.LoadSlots(m.IntConst(cell.base), m.IntConst(cell.base + cell.count))
        return b.call_method(b.call("frozenset"), "union", m.StarredExpr(every))
