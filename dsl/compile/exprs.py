"""Expressions to Python. `Exprs.of(node)` may write lines before it gives the Python expression that holds the value.

Values: a number, a member and a bool are ints (none is -1, or None where the thing is not a member), a set is a mask (a
frozenset over an open board or of numbers), a list or pile a tuple, a bag a tuple of counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..check.scope import Local, Routine, State
from ..syntax import tree
from ..types import CONTAINERS, BagOf, Empty, Int, ListOf, Maybe, Of, SetOf, Type
from .emit import Code
from .pieces import add, is_number, is_simple
from .walks import Walks

if TYPE_CHECKING:
    from .module import ModuleWriter

INLINE_NODES = 14


class Exprs(Walks):
    """Compiles expressions into `self.code`, the function being written."""

    def __init__(self, writer: ModuleWriter) -> None:
        self.w = writer
        self.model = writer.program.model
        self.layout = writer.layout
        self.code: Code
        self.env: dict[Local, str] = {}  # parameters of inlined defs: local -> Python expression
        self.aliases: dict[Local, Local] = {}                     # parameters that stand for other locals
        self.inline_all = False  # open up defs with folds too
        self.bound: Any = None  # how a local is read: set by the routine being compiled

    # ------------------------------------------------------------ helpers

    def emit(self, text: str) -> None:
        self.code.emit(text)

    def temp(self, value: str, hint: str = "t") -> str:
        """A Python variable that holds `value` (itself when it is a name or number already)."""
        if is_simple(value):
            return value
        name = self.w.fresh.temp(hint)
        self.emit(f"{name} = {value}")
        return name

    def const(self, value: Any) -> str:
        """A module constant for a tuple, mask or table."""
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        return self.w.constant(value)

    def constant_of(self, node: tree.Expr) -> Any:
        """The value of an expression known now, or None: numbers, members, options, printed values of a known member."""
        if isinstance(node, tree.Number):
            return int(node.digits)
        if isinstance(node, tree.Truth):
            return int(node.word.type == "TRUE")
        ref = getattr(node, "ref", None)
        if isinstance(node, tree.Name) and ref is not None:
            if ref.kind == "number":
                return ref.target
            if ref.kind == "member":
                return ref.target[1]
            if ref.kind == "local":
                if ref.target.constant is not None:
                    return ref.target.constant
                known = self.env.get(ref.target)
                return int(known) if known is not None and is_number(known) else None
            if ref.kind == "option":
                return self.option(ref.target)
        if isinstance(node, tree.Printed) and ref is not None:
            if ref.kind == "number":
                return ref.target
            inner = self.constant_of(node.value)
            if ref.kind == "attribute" and isinstance(inner, int) and inner >= 0:
                return ref.target[0].values[ref.target[1]][inner]
        if isinstance(node, tree.Unary) and node.op.type == "MINUS":
            value = self.constant_of(node.value)
            return -value if isinstance(value, int) else None
        if isinstance(node, tree.Binary) and str(node.op) in ("==", "!=", "+", "-", "*"):
            one, two = self.constant_of(node.left), self.constant_of(node.right)
            if isinstance(one, int) and isinstance(two, int) and not isinstance(node.left.type, SetOf):      # a set is a mask, not a number
                return {"==": int(one == two), "!=": int(one != two), "+": one + two, "-": one - two, "*": one * two}[str(node.op)]
        return None

    def option(self, option: Any) -> int:
        value = self.model.settings[option.name]
        if isinstance(value, bool):
            return int(value)
        if all(isinstance(v, int) for v in option.values):
            return int(value)
        return [str(v) for v in option.values].index(str(value))

    def of(self, node: tree.Expr) -> str:
        """The Python expression for `node`."""
        known = self.constant_of(node)
        if known is not None:
            return self.const(self.coerce_const(known, node.type))
        return getattr(self, "_" + type(node).__name__.lower().rstrip("_"))(node)

    def coerce_const(self, value: Any, found: Type) -> Any:
        return frozenset(value) if isinstance(found, SetOf) and isinstance(found.of, Int) and isinstance(value, tuple) else value

    def as_type(self, node: tree.Expr, wanted: Type) -> str:
        """`node` as a value of `wanted`: the empty literal and none take their shape from the place they stand in."""
        if isinstance(node.type, Empty):
            if isinstance(node, tree.Nothing) and not isinstance(wanted, CONTAINERS):
                return repr(self.layout.none(wanted.of if isinstance(wanted, Maybe) else wanted))
            return self.const(self.layout.default(wanted))
        return self.of(node)

    def is_none(self, value: str, inner: Type) -> str:
        return f"{value} < 0" if self.layout.none(inner) == -1 else f"{value} is None"

    # ------------------------------------------------------------ atoms

    def _nothing(self, node: tree.Nothing) -> str:
        inner = node.type.of if isinstance(node.type, Maybe) else node.type
        return repr(self.layout.none(inner))

    def _domain(self, node: tree.Domain) -> str:
        return self.const((1 << len(node.ref.target)) - 1)

    def _name(self, node: tree.Name) -> str:
        ref = node.ref
        if ref.kind == "local":
            return self.local(ref.target)
        if ref.kind == "state":
            return self.read_state(ref.target, [])
        if ref.kind == "family":
            return self.call(ref.target, None, [])
        raise AssertionError(ref)

    def local(self, local: Local) -> str:
        if local.constant is not None:
            return str(local.constant)
        if local in self.env:
            return self.env[local]
        return self.bound(local)

    def _setliteral(self, node: tree.SetLiteral) -> str:
        found = node.type
        if isinstance(found, Empty):
            return "0"
        values = [self.of(part) for part in node.parts]
        if not self.layout.masked(found.of):
            return f"frozenset(({', '.join(values)},))"
        if all(is_number(v) for v in values):
            return str(sum({1 << int(v) for v in values}))
        return "(" + " | ".join(str(1 << int(v)) if is_number(v) else f"1 << {v}" for v in values) + ")"

    def _listliteral(self, node: tree.ListLiteral) -> str:
        values = [self.of(part) for part in node.parts]
        return f"({', '.join(values)},)" if values else "()"

    # ------------------------------------------------------------ operators

    def branch(self, node: tree.Expr, wanted: Type | None = None) -> tuple[str, list]:
        """Compile `node` aside: its expression and the lines it needs first."""
        lines, self.code.lines = self.code.lines, []
        value = self.as_type(node, wanted) if wanted is not None else self.of(node)
        written, self.code.lines = self.code.lines, lines
        return value, written

    def branch_walk(self, source: tree.Expr) -> tuple[str, list]:
        """As branch, for what a loop walks over."""
        lines, self.code.lines = self.code.lines, []
        value = self.walk_of(source)
        written, self.code.lines = self.code.lines, lines
        return value, written

    def replay(self, lines: list, deeper: int = 0) -> None:
        for line in lines:
            line.depth += deeper
            self.code.lines.append(line)

    def _ifelse(self, node: tree.IfElse) -> str:
        known = self.constant_of(node.test)
        if known is not None:
            return self.as_type(node.value if known else node.other, node.type)
        test = self.of(node.test)
        one, first = self.branch(node.value, node.type)
        two, second = self.branch(node.other, node.type)
        if not first and not second:
            return f"({one} if {test} else {two})"
        name = self.w.fresh.temp()
        self.emit(f"if {test}:")
        self.replay(first, 1)
        self.code.depth += 1
        self.emit(f"{name} = {one}")
        self.code.depth -= 1
        self.emit("else:")
        self.replay(second, 1)
        self.code.depth += 1
        self.emit(f"{name} = {two}")
        self.code.depth -= 1
        return name

    def _fallback(self, node: tree.Fallback) -> str:
        value, inner = node.value, node.value.type.of
        test_type: Type = inner
        if isinstance(value, tree.Printed) and isinstance(value.value.type, Maybe):
            base = self.temp(self.of(value.value))
            enum, attribute = value.ref.target
            table = self.const(self.table_of(enum, attribute))
            found, test, test_type = f"{table}[{base}]", base, value.value.type.of
            if isinstance(enum.attributes[attribute], Maybe):
                found = self.temp(f"({table}[{base}] if {base} >= 0 else {self.layout.none(inner)!r})")
                test, test_type = found, inner
        else:
            found = test = self.temp(self.of(value))
        two, second = self.branch(node.other, inner)
        missing = self.is_none(test, test_type)
        if not second:
            return f"({two} if {missing} else {found})"
        name = self.w.fresh.temp()
        self.emit(f"if {missing}:")
        self.replay(second, 1)
        self.code.depth += 1
        self.emit(f"{name} = {two}")
        self.code.depth -= 1
        self.emit(f"else: {name} = {found}")
        return name

    def _unary(self, node: tree.Unary) -> str:
        value = self.of(node.value)
        return f"(not {value})" if node.op.type == "NOT" else f"(-{value})"

    def _binary(self, node: tree.Binary) -> str:
        op = str(node.op)
        if node.op.type in ("AND", "OR"):
            return self.logic(node, "and" if node.op.type == "AND" else "or")
        if op in ("==", "!="):
            one = self.as_type(node.left, node.right.type)
            two = self.as_type(node.right, node.left.type)
            return f"({one} {op} {two})"
        one = self.as_type(node.left, node.type)
        two = self.as_type(node.right, node.type)
        if op in ("<", "<=", ">", ">="):
            return f"({one} {op} {two})"
        if isinstance(node.type, SetOf):
            if not self.layout.masked(node.type.of):
                return f"({one} {'|' if op == '+' else op} {two})"
            return f"({one} {({'+': '|', '-': '& ~', '&': '&'})[op]} {two})"
        if isinstance(node.type, ListOf):
            return f"({one} + {two})" if op == "+" else f"without({one}, {two})"
        if op in ("//", "%"):
            if not (is_number(two) and two != "0"):
                two = f"({self.temp(two)} or fault('F001'))"
        return f"({one} {op} {two})"

    def logic(self, node: tree.Binary, word: str) -> str:
        known = self.constant_of(node.left)
        if known is not None:
            return self.of(node.right) if bool(known) == (word == "and") else str(int(known))
        one = self.of(node.left)
        two, second = self.branch(node.right)
        if not second:
            return f"({one} {word} {two})"
        name = self.w.fresh.temp("b")
        self.emit(f"{name} = {one}")
        self.emit(f"if {'' if word == 'and' else 'not '}{name}:")
        self.replay(second, 1)
        self.code.depth += 1
        self.emit(f"{name} = {two}")
        self.code.depth -= 1
        return name

    def contains(self, value: tree.Expr, group: tree.Expr) -> str:
        found = group.type
        if isinstance(found, SetOf) and isinstance(found.of, Of) and not self.layout.is_open(found.of):
            item = self.of(value)
            optional = isinstance(value.type, Maybe)
            if isinstance(group, tree.Domain):
                return f"({item} >= 0)" if optional else "True"
            if optional:
                item = self.temp(item)
                return f"({item} >= 0 and {self.of(group)} >> {item} & 1)"
            return f"({self.of(group)} >> {item} & 1)"
        if isinstance(found, Empty):
            return "False"
        if isinstance(value.type, Maybe):                          # none is in nothing
            item = self.temp(self.of(value))
            return f"(not ({self.is_none(item, value.type.of)}) and {self.contains_one(item, group)})"
        return self.contains_one(self.of(value), group)

    def contains_one(self, item: str, group: tree.Expr) -> str:
        """Whether `item`, which is not none, is in `group`."""
        found = group.type
        if isinstance(found, Maybe):
            return f"({item} == {self.of(group)})"
        if isinstance(found, BagOf):
            return f"({self.index_bag(group, item)} > 0)"
        if isinstance(group, tree.Span):
            return f"({self.of(group.low)} <= {item} <= {self.of(group.high)})"
        return f"({item} in {self.of(group)})"

    def _member(self, node: tree.Member) -> str:
        return self.contains(node.value, node.group)

    def _notmember(self, node: tree.NotMember) -> str:
        return f"(not {self.contains(node.value, node.group)})"

    def _span(self, node: tree.Span) -> str:
        return f"tuple(span({self.of(node.low)}, {self.of(node.high)}))"

    # ------------------------------------------------------------ dot, bracket

    def table_of(self, enum: Any, attribute: str) -> tuple:
        values = tuple(enum.values[attribute])
        if isinstance(enum.attributes[attribute], SetOf) and isinstance(enum.attributes[attribute].of, Int):
            values = tuple(frozenset(v) for v in values)
        return values

    def _printed(self, node: tree.Printed) -> str:
        enum, attribute = node.ref.target
        base = self.of(node.value)
        table = self.const(self.table_of(enum, attribute))
        if isinstance(node.value.type, Maybe):
            base = self.temp(base)
            return (
                f"({table}[{base}] if {base} >= 0 else {self.layout.none(node.type.of if isinstance(node.type, Maybe) else node.type)!r})"
            )
        return f"{table}[{base}]"

    def _at(self, node: tree.At) -> str:
        base, *indices = node.parts
        if isinstance(base, tree.Name) and base.ref is not None:
            if base.ref.kind == "state" and base.ref.target.axes:
                return self.read_state(base.ref.target, indices)
            if base.ref.kind == "table":
                return self.read_table(base.ref.target, indices[0])
            if base.ref.kind == "family" and base.ref.target.domain is not None:
                return self.call(base.ref.target, indices[0], [])
        found = base.type
        if isinstance(found, BagOf):
            return self.index_bag(base, self.of(indices[0]))
        things = self.temp(self.of(base), "l")
        index = self.temp(self.of(indices[0]), "i")
        inner = found.of
        default = (
            "0"
            if isinstance(inner, Int)
            else repr(self.layout.default(inner))
            if isinstance(inner, ListOf)
            else self.const(self.layout.default(inner))
            if isinstance(inner, SetOf)
            else repr(self.layout.none(inner))
        )
        return f"({things}[{index} - 1] if 0 < {index} <= len({things}) else {default})"

    def read_table(self, table: Any, index: tree.Expr) -> str:
        known = self.constant_of(index)
        values = tuple(table.values)
        past = values[-1] if table.beyond == "last" else 0
        if known is not None:
            n = known - table.first
            return str(values[n] if 0 <= n < len(values) else past if n >= 0 else values[0] if table.beyond == "last" else 0)
        i = self.temp(self.of(index), "i")
        name = self.const(values)
        under = values[0] if table.beyond == "last" else 0
        shifted = i if table.first == 0 else f"{i} - {table.first}"
        low = index.type.low if isinstance(index.type, Int) else None
        if low is not None and low >= table.first:
            return f"({name}[{shifted}] if {i} < {len(values) + table.first} else {past})"
        return f"({name}[{shifted}] if {table.first} <= {i} < {len(values) + table.first} else {under} if {i} < {table.first} else {past})"

    def index_bag(self, bag: tree.Expr, index: str) -> str:
        place = self.bag_base(bag)
        if place is not None:
            return f"s[{add(place, index)}]"
        return f"{self.of(bag)}[{index}]"

    def bag_base(self, node: tree.Expr) -> str | None:
        """Where the counts of a bag that is a state begin, or None when it is a value."""
        if isinstance(node, tree.Name) and node.ref is not None and node.ref.kind == "state":
            return self.address(node.ref.target, [])
        if (
            isinstance(node, tree.At)
            and isinstance(node.parts[0], tree.Name)
            and node.parts[0].ref is not None
            and node.parts[0].ref.kind == "state"
        ):
            return self.address(node.parts[0].ref.target, node.parts[1:])
        return None

    # ------------------------------------------------------------ states

    def address(self, state: State, indices: list[tree.Expr]) -> str:
        """The entry of a state: a number, or an expression of the indices (for a packed or open last axis: without it)."""
        cell = self.layout.cells[state]
        terms: list[str] = []
        fixed = cell.base
        used = [n for n in range(len(state.axes)) if n != cell.open_axis][: len(cell.sizes)]
        stride = cell.width
        for n, size in reversed(list(zip(used, cell.sizes))):
            value = self.of(indices[n])
            if is_number(value):
                fixed += int(value) * stride
            else:
                terms.insert(0, value if stride == 1 else f"{value} * {stride}")
            stride *= size
        return " + ".join([str(fixed), *terms]) if terms or not fixed else str(fixed)

    def read_state(self, state: State, indices: list[tree.Expr]) -> str:
        cell = self.layout.cells[state]
        place = self.address(state, indices)
        if cell.form == "mask":
            last = self.of(indices[-1])
            return f"(s[{place}] >> {last} & 1)"
        if cell.form == "sparse":
            assert cell.open_axis is not None
            key = self.of(indices[cell.open_axis])
            return f"s[{place}].get({key}, {cell.default!r})"
        if cell.form == "bag":
            base = self.temp(place, "k")
            return f"tuple(s[{base}:{add(base, str(cell.width))}])"
        return f"s[{place}]"

    # ------------------------------------------------------------ calls

    def _apply(self, node: tree.Apply) -> str:
        target, *arguments = node.parts
        if node.ref.kind == "builtin":
            from .builtins import compile_builtin

            return compile_builtin(self, node.ref.target, node, arguments)
        case = target.parts[1] if isinstance(target, tree.At) else None
        return self.call(node.ref.target, case, arguments)

    def call(self, family: Any, case: tree.Expr | None, arguments: list[tree.Expr]) -> str:
        """The value of a def: inlined when it is small, remembered when it has no parameters, else a function call."""
        values = [self.as_type(argument, param.type) for argument, param in zip(arguments, family.params)]
        known = self.constant_of(case) if case is not None else None
        if case is None or known is not None:
            routine = family.entry(known)
            if routine is None:
                return "0"
            if self.inlinable(routine) or self.keepable(routine):
                return self.inline(routine, values, known)
            if not routine.params and not routine.case_local and routine.reads:
                return self.w.remembered(self, routine)
            return self.w.def_call(routine, values, known)
        return f"{self.w.def_dispatch(family)}[{self.of(case)}]({', '.join(['s', *values])})"

    def inlinable(self, routine: Routine) -> bool:
        if routine.value is None:
            return False
        from ..check.stmts import walk

        nodes = list(walk(routine.value))
        if self.inline_all:
            return len(nodes) <= 4 * INLINE_NODES
        return len(nodes) <= INLINE_NODES and not any(isinstance(n, tree.Fold) for n in nodes)

    def keepable(self, routine: Routine) -> bool:
        """Whether a def is a set that is kept up to date: then it is read where it is used, without a call."""
        value = routine.value
        return (
            isinstance(value, tree.Fold)
            and str(value.word) == "set"
            and value.value is None
            and len(value.binders) == 1
            and not routine.params
            and not routine.case_local
            and self.w.upkeep.possible(value.binders.items[0], self.conjuncts(value.where))
        )

    def inline(self, routine: Routine, values: list[str], member: int | None) -> str:
        saved = dict(self.env)
        for param, value in zip(routine.params, values):
            self.env[param] = self.temp(value)
        if routine.case_local is not None and member is not None:
            self.env[routine.case_local] = str(member)
        assert routine.value is not None and routine.type is not None
        result = self.as_type(routine.value, routine.type)
        self.env = saved
        return result
