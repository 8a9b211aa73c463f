"""Expressions to Python. `Exprs.of(node)` may write lines before it gives the Python expression that holds the value.

Values: a number, a member and a bool are ints (none is -1, or None where the thing is not a member), a set is a mask (a
frozenset over an open board or of numbers), a list or pile a tuple, a bag a tuple of counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..analysis.cost import INLINED
from ..core import nodes as core
from ..core.nodes import Local
from ..core.program import Routine, State
from ..core.walk import walk, weight
from ..types import BagOf, Empty, Int, ListOf, Maybe, Of, SetOf, Type
from .emit import Code
from .endless import Held
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

    def constant_of(self, node: core.Expr) -> Any:
        """The value of an expression known now, or None: numbers, members, options, printed values of a known member."""
        match node:
            case core.Const(value=value):
                return value
            case core.Number(name=name):
                return self.model.numbers[name]
            case core.OwnNumber(domain=domain, member=member, name=name):
                enum = self.model.enums[domain]
                return enum.own[enum.members[member], name]
            case core.Setting(name=name):
                return self.option(self.model.options[name])
            case core.Read(local=local):
                known = self.env.get(local)
                return int(known) if known is not None and is_number(known) else None
            case core.Attribute(thing=thing, domain=domain, name=name):
                inner = self.constant_of(thing)
                return self.model.enums[domain].values[name][inner] if isinstance(inner, int) and inner >= 0 else None
            case core.Prim(op="neg", args=(inside,)):
                value = self.constant_of(inside)
                return -value if isinstance(value, int) else None
            case core.Prim(op="==" | "!=" | "+" | "-" | "*" as op, args=(left, right)):
                one, two = self.constant_of(left), self.constant_of(right)
                if isinstance(one, int) and isinstance(two, int) and not isinstance(left.type, SetOf):       # a set is a mask, not a number
                    return {"==": int(one == two), "!=": int(one != two), "+": one + two, "-": one - two, "*": one * two}[op]
        return None

    def option(self, option: Any) -> int:
        value = self.model.settings[option.name]
        if isinstance(value, bool):
            return int(value)
        if all(isinstance(v, int) for v in option.values):
            return int(value)
        return [str(v) for v in option.values].index(str(value))

    def of(self, node: core.Expr) -> str:
        """The Python expression for `node`."""
        known = self.constant_of(node)
        if known is not None:
            return self.const(self.coerce_const(known, node.type))
        return getattr(self, "_" + type(node).__name__.lower())(node)

    def coerce_const(self, value: Any, found: Type) -> Any:
        return frozenset(value) if isinstance(found, SetOf) and isinstance(found.of, Int) and isinstance(value, tuple) else value

    def is_none(self, value: str, inner: Type) -> str:
        return f"{value} < 0" if self.layout.none(inner) == -1 else f"{value} is None"

    # ------------------------------------------------------------ atoms

    def _nothing(self, node: core.Nothing) -> str:
        match node.type:
            case Maybe(of=inner):
                return repr(self.layout.none(inner))
            case Empty():
                return {"none": repr(self.layout.none(node.type)), "{}": "0", "[]": "()"}[node.literal]
        return self.const(self.layout.default(node.type))

    def _whole(self, node: core.Whole) -> str:
        return self.const((1 << len(self.model.enums[node.domain])) - 1)

    def _read(self, node: core.Read) -> str:
        return self.local(node.local)

    def local(self, local: Local) -> str:
        if local in self.env:
            return self.env[local]
        return self.bound(local)

    def _display(self, node: core.Display) -> str:
        found = node.type
        values = [self.of(part) for part in node.parts]
        if isinstance(found, ListOf):
            return f"({', '.join(values)},)"
        assert isinstance(found, SetOf)
        if not self.layout.masked(found.of):
            return f"frozenset(({', '.join(values)},))"
        if all(is_number(v) for v in values):
            return str(sum({1 << int(v) for v in values}))
        return "(" + " | ".join(str(1 << int(v)) if is_number(v) else f"1 << {v}" for v in values) + ")"

    # ------------------------------------------------------------ operators

    def branch(self, node: core.Expr) -> tuple[str, list]:
        """Compile `node` aside: its expression and the lines it needs first."""
        lines, self.code.lines = self.code.lines, []
        value = self.of(node)
        written, self.code.lines = self.code.lines, lines
        return value, written

    def branch_walk(self, source: core.Expr) -> tuple[str, list]:
        """As branch, for what a loop walks over."""
        lines, self.code.lines = self.code.lines, []
        value = self.walk_of(source)
        written, self.code.lines = self.code.lines, lines
        return value, written

    def replay(self, lines: list, deeper: int = 0) -> None:
        for line in lines:
            line.depth += deeper
            self.code.lines.append(line)

    def _cond(self, node: core.Cond) -> str:
        known = self.constant_of(node.test)
        if known is not None:
            return self.of(node.value if known else node.other)
        test = self.of(node.test)
        one, first = self.branch(node.value)
        two, second = self.branch(node.other)
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

    def _orelse(self, node: core.OrElse) -> str:
        value = node.value
        assert isinstance(value.type, Maybe)
        inner = test_type = value.type.of
        if isinstance(value, core.Attribute) and isinstance(value.thing.type, Maybe):
            base = self.temp(self.of(value.thing))
            enum, attribute = self.model.enums[value.domain], value.name
            table = self.const(self.table_of(enum, attribute))
            found, test, test_type = f"{table}[{base}]", base, value.thing.type.of
            if isinstance(enum.attributes[attribute], Maybe):
                found = self.temp(f"({table}[{base}] if {base} >= 0 else {self.layout.none(inner)!r})")
                test, test_type = found, inner
        else:
            found = test = self.temp(self.of(value))
        two, second = self.branch(node.other)
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

    def _prim(self, node: core.Prim) -> str:
        op, args = node.op, node.args
        match op:
            case "not":
                return f"(not {self.of(args[0])})"
            case "neg":
                return f"(-{self.of(args[0])})"
            case "and" | "or":
                return self.logic(args[0], args[1], op)
            case "in":
                return self.contains(*args)
            case "not in":
                return f"(not {self.contains(*args)})"
            case "..":
                return f"tuple(span({self.of(args[0])}, {self.of(args[1])}))"
            case "==" | "!=" | "<" | "<=" | ">" | ">=":
                one = self.of(args[0])
                return f"({one} {op} {self.of(args[1])})"
            case "+" | "-" | "*" | "//" | "%" | "&":
                return self.arithmetic(node)
        from .builtins import compile_builtin

        return compile_builtin(self, op, args)

    def arithmetic(self, node: core.Prim) -> str:
        """What can be done with numbers, sets and lists."""
        op, found = node.op, node.type
        one, two = map(self.of, node.args)
        if isinstance(found, SetOf):
            if not self.layout.masked(found.of):
                return f"({one} {'|' if op == '+' else op} {two})"
            return f"({one} {({'+': '|', '-': '& ~', '&': '&'})[op]} {two})"
        if isinstance(found, ListOf):
            return f"({one} + {two})" if op == "+" else f"without({one}, {two})"
        if op in ("//", "%"):
            if not (is_number(two) and two != "0"):
                two = f"({self.temp(two)} or fault('F001'))"
        return f"({one} {op} {two})"

    def logic(self, left: core.Expr, right: core.Expr, word: str) -> str:
        known = self.constant_of(left)
        if known is not None:
            return self.of(right) if bool(known) == (word == "and") else str(int(known))
        one = self.of(left)
        two, second = self.branch(right)
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

    def contains(self, value: core.Expr, group: core.Expr) -> str:
        found = group.type
        if isinstance(found, SetOf) and isinstance(found.of, Of) and not self.layout.is_open(found.of):
            item = self.of(value)
            optional = isinstance(value.type, Maybe)
            if isinstance(group, core.Whole):
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

    def contains_one(self, item: str, group: core.Expr) -> str:
        """Whether `item`, which is not none, is in `group`."""
        found = group.type
        if isinstance(found, Maybe):
            return f"({item} == {self.of(group)})"
        if isinstance(found, BagOf):
            return f"({self.index_bag(group, item)} > 0)"
        if isinstance(group, core.Prim) and group.op == "..":
            low, high = map(self.of, group.args)
            return f"({low} <= {item} <= {high})"
        return f"({item} in {self.of(group)})"

    # ------------------------------------------------------------ dot, bracket

    def table_of(self, enum: Any, attribute: str) -> tuple:
        values = tuple(enum.values[attribute])
        if isinstance(enum.attributes[attribute], SetOf) and isinstance(enum.attributes[attribute].of, Int):
            values = tuple(frozenset(v) for v in values)
        return values

    def _attribute(self, node: core.Attribute) -> str:
        base = self.of(node.thing)
        table = self.const(self.table_of(self.model.enums[node.domain], node.name))
        if isinstance(node.thing.type, Maybe):
            base = self.temp(base)
            none = self.layout.none(node.type.of if isinstance(node.type, Maybe) else node.type)
            return f"({table}[{base}] if {base} >= 0 else {none!r})"
        return f"{table}[{base}]"

    def _lookup(self, node: core.Lookup) -> str:
        return self.read_table(self.model.tables[node.table], node.index)

    def _countof(self, node: core.CountOf) -> str:
        return self.index_bag(node.bag, self.of(node.kind))

    def _item(self, node: core.Item) -> str:
        found = node.things.type
        assert isinstance(found, ListOf)
        things = self.temp(self.of(node.things), "l")
        index = self.temp(self.of(node.index), "i")
        inner = found.of
        if isinstance(inner, Int):
            default = "0"
        elif isinstance(inner, ListOf):
            default = repr(self.layout.default(inner))
        elif isinstance(inner, SetOf):
            default = self.const(self.layout.default(inner))
        else:
            default = repr(self.layout.none(inner))
        return f"({things}[{index} - 1] if 0 < {index} <= len({things}) else {default})"

    def read_table(self, table: Any, index: core.Expr) -> str:
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

    def index_bag(self, bag: core.Expr, index: str) -> str:
        place = self.bag_base(bag)
        if place is not None:
            return f"s[{add(place, index)}]"
        return f"{self.of(bag)}[{index}]"

    def bag_base(self, node: core.Expr) -> str | None:
        """Where the counts of a bag that is a state begin, or None when it is a value."""
        return self.address(self.w.program.states[node.state], node.index) if isinstance(node, core.Load) else None

    # ------------------------------------------------------------ states

    def address(self, state: State, indices: Sequence[core.Expr]) -> str:
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

    def _load(self, node: core.Load) -> str:
        state, indices = self.w.program.states[node.state], node.index
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

    def _occupied(self, node: core.Occupied) -> str:
        state = self.w.program.states[node.state]
        cell = self.layout.cells[state]
        if cell.count == 1:
            return f"held(s[{cell.base}], {self.const(Held(state.name))})"
        if node.index:
            assert cell.open_axis is not None
            return f"frozenset(s[{self.address(state, [*node.index[: cell.open_axis], node, *node.index[cell.open_axis :]])}])"
        return f"frozenset().union(*s[{cell.base}:{cell.base + cell.count}])"

    # ------------------------------------------------------------ calls

    def _ask(self, node: core.Ask) -> str:
        """The value of a def: inlined when it is small, remembered when it has no parameters, else a function call."""
        family, case = self.w.program.families[node.family], node.case
        values = [self.of(argument) for argument in node.args]
        known = self.constant_of(case) if case is not None else None
        if case is None or known is not None:
            routine = family.entry(known)
            if routine is None:
                return "0"
            if self.inlinable(routine) or self.keepable(routine):
                return self.inline(routine, values, known)
            if not routine.params and not routine.case and self.w.effects.of[routine].reads:
                return self.w.remembered(self, routine)
            return self.w.def_call(routine, values, known)
        assert case is not None
        return f"{self.w.def_dispatch(family)}[{self.of(case)}]({', '.join(['s', *values])})"

    def inlinable(self, routine: Routine) -> bool:
        if routine.value is None or self.w.facts.sizes[routine] > INLINED:
            return False
        if self.inline_all:
            return weight(routine.value) <= 4 * INLINE_NODES
        return weight(routine.value) <= INLINE_NODES and not any(isinstance(part, core.Fold) for part in walk(routine.value))

    def keepable(self, routine: Routine) -> bool:
        """Whether a def is a set that is kept up to date: then it is read where it is used, without a call."""
        value = routine.value
        return (
            isinstance(value, core.Fold)
            and value.kind == "set"
            and value.value is None
            and len(value.gens) == 1
            and not routine.params
            and not routine.case
            and self.w.upkeep.possible(value.gens[0], value.where)
        )

    def inline(self, routine: Routine, values: list[str], member: int | None) -> str:
        saved = dict(self.env)
        for param, value in zip(routine.params, values):
            self.env[param] = self.temp(value)
        if routine.case is not None and member is not None:
            self.env[routine.case] = str(member)
        assert routine.value is not None
        result = self.of(routine.value)
        self.env = saved
        return result
