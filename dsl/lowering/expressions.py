"""Expressions to the machine. `Exprs.of(node)` may write steps before it gives the machine's expression that holds the value.

Values: a number, a member and a bool are ints (none is -1, or None where the thing is not a member), a set is a mask (a
frozenset over an open board or of numbers), a list or pile a tuple, a bag a tuple of counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..analysis.cost import INLINED
from ..core import nodes as core
from ..core.nodes import Local
from ..core.program import Routine, State
from ..core.walk import walk, weight
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import Code, add
from ..ir.program import Latest
from ..storage.control_slots import EVENTS
from ..types.types import BagOf, Empty, Int, ListOf, Maybe, Of, SetOf, Type
from .builtins import compile_builtin
from .comprehensions import Walks
from .protocols import Writer
from .static_tables import outer

INLINE_NODES = 14


class Exprs(Walks):
    """Compiles expressions into `self.code`, the function being written."""

    def __init__(self, writer: Writer) -> None:
        self.w = writer
        self.model = writer.program.model
        self.layout = writer.layout
        self.code: Code
        self.env: dict[Local, m.Expr] = {}  # parameters of inlined defs, with what they are worth
        self.aliases: dict[Local, Local] = {}                     # parameters that stand for other locals
        self.inline_all = False  # open up defs with folds too
        self.bound: Any = None  # how a local is read: set by the routine being compiled

    # ------------------------------------------------------------ helpers

    def emit(self, node: m.Stmt) -> None:
        self.code.emit(node)

    def set(self, name: str, value: b.Value) -> None:
        """Give a variable of the function a value."""
        self.code.emit(m.Set((name,), b.value(value)))

    def temp(self, value: m.Expr, hint: str = "t") -> m.Expr:
        """A variable that holds `value` (itself when it is one or a number already)."""
        if b.is_simple(value):
            return value
        name = self.w.fresh.temp(hint)
        self.set(name, value)
        return m.Var(name)

    def const(self, value: Any) -> m.Expr:
        """A constant of the module for a tuple, mask or table; a number is itself."""
        if isinstance(value, int) and not isinstance(value, bool):
            return m.Num(value)
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
                return known.value if isinstance(known, m.Num) else None
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

    def of(self, node: core.Expr) -> m.Expr:
        """What `node` is worth, as the machine says it."""
        known = self.constant_of(node)
        if known is not None:
            return self.const(self.coerce_const(known, node.type))
        compiled: Callable[[core.Expr], m.Expr] = getattr(self, "_" + type(node).__name__.lower())
        return compiled(node)

    def coerce_const(self, value: Any, found: Type) -> Any:
        return frozenset(value) if isinstance(found, SetOf) and isinstance(found.of, Int) and isinstance(value, tuple) else value

    def is_none(self, value: m.Expr, inner: Type) -> m.Expr:
        return b.op(value, "<", 0) if self.layout.none(inner) == -1 else b.op(value, "is", m.Nil())

    # ------------------------------------------------------------ atoms

    def _nothing(self, node: core.Nothing) -> m.Expr:
        match node.type:
            case Maybe(of=inner):
                return b.literal(self.layout.none(inner))
            case Empty():
                return b.literal({"none": self.layout.none(node.type), "{}": 0, "[]": ()}[node.literal])
        return self.const(self.layout.default(node.type))

    def _whole(self, node: core.Whole) -> m.Expr:
        return self.const((1 << len(self.model.enums[node.domain])) - 1)

    def _read(self, node: core.Read) -> m.Expr:
        return self.local(node.local)

    def local(self, local: Local) -> m.Expr:
        if local in self.env:
            return self.env[local]
        return m.Var(self.bound(local))

    def _display(self, node: core.Display) -> m.Expr:
        found = node.type
        values = [self.of(part) for part in node.parts]
        if isinstance(found, ListOf):
            return m.Tup(tuple(values))
        assert isinstance(found, SetOf)
        if not self.layout.masked(found.of):
            return b.call("frozenset", m.Tup(tuple(values)))
        if all(isinstance(v, m.Num) for v in values):
            return m.Num(sum({1 << v.value for v in values if isinstance(v, m.Num)}))
        masks = [m.Num(1 << v.value) if isinstance(v, m.Num) else b.bit(v) for v in values]
        mask = masks[0]
        for more in masks[1:]:
            mask = b.op(mask, "|", more)
        return mask

    # ------------------------------------------------------------ operators

    def branch(self, node: core.Expr) -> tuple[m.Expr, m.Body]:
        """Compile `node` aside: its expression and the steps it needs first."""
        with self.code.aside() as written:
            value = self.of(node)
        return value, written

    def branch_walk(self, source: core.Expr) -> tuple[m.Expr, m.Body]:
        """As branch, for what a loop walks over."""
        with self.code.aside() as written:
            value = self.walk_of(source)
        return value, written

    def either(self, test: m.Expr, one: m.Expr, first: m.Body, two: m.Expr, second: m.Body) -> m.Expr:
        """A variable that holds `one` after the steps `first` where the test holds, else `two` after `second`."""
        name = self.w.fresh.temp()
        self.emit(m.If(test, [*first, m.Set((name,), one)], [*second, m.Set((name,), two)]))
        return m.Var(name)

    def _cond(self, node: core.Cond) -> m.Expr:
        known = self.constant_of(node.test)
        if known is not None:
            return self.of(node.value if known else node.other)
        test = self.of(node.test)
        one, first = self.branch(node.value)
        two, second = self.branch(node.other)
        if not first and not second:
            return m.Choice(test, one, two)
        return self.either(test, one, first, two, second)

    def _orelse(self, node: core.OrElse) -> m.Expr:
        value = node.value
        assert isinstance(value.type, Maybe)
        inner = test_type = value.type.of
        if isinstance(value, core.Attribute) and isinstance(value.thing.type, Maybe):
            base = self.temp(self.of(value.thing))
            enum, attribute = self.model.enums[value.domain], value.name
            table = self.const(self.table_of(enum, attribute))
            found, test, test_type = b.entry(table, base), base, value.thing.type.of
            if isinstance(enum.attributes[attribute], Maybe):
                found = self.temp(m.Choice(b.op(base, ">=", 0), b.entry(table, base), b.literal(self.layout.none(inner))))
                test, test_type = found, inner
        else:
            found = test = self.temp(self.of(value))
        two, second = self.branch(node.other)
        missing = self.is_none(test, test_type)
        if not second:
            return m.Choice(missing, two, found)
        return self.either(missing, two, second, found, [])

    def _prim(self, node: core.Prim) -> m.Expr:
        op, args = node.op, node.args
        match op:
            case "not":
                return b.no(self.of(args[0]))
            case "neg":
                return m.Un("-", self.of(args[0]))
            case "and" | "or":
                return self.logic(args[0], args[1], op)
            case "in":
                return self.contains(*args)
            case "not in":
                return b.no(self.contains(*args))
            case "..":
                return b.call("tuple", b.call("span", self.of(args[0]), self.of(args[1])))
            case "==" | "!=" | "<" | "<=" | ">" | ">=":
                one = self.of(args[0])
                return b.op(one, op, self.of(args[1]))
            case "+" | "-" | "*" | "//" | "%" | "&":
                return self.arithmetic(node)
        return compile_builtin(self, op, args)

    def arithmetic(self, node: core.Prim) -> m.Expr:
        """What can be done with numbers, sets and lists."""
        op, found = node.op, node.type
        one, two = map(self.of, node.args)
        if isinstance(found, SetOf):
            if not self.layout.masked(found.of):
                return b.op(one, "|" if op == "+" else op, two)
            return b.less(one, two) if op == "-" else b.op(one, "|" if op == "+" else "&", two)
        if isinstance(found, ListOf):
            return b.op(one, "+", two) if op == "+" else b.call("without", one, two)
        if op in ("//", "%"):
            if not isinstance(two, m.Num) or not two.value:
                two = m.Logic("or", (self.temp(two), b.fault("F001")))
        return b.op(one, op, two)

    def logic(self, left: core.Expr, right: core.Expr, word: str) -> m.Expr:
        known = self.constant_of(left)
        if known is not None:
            return self.of(right) if bool(known) == (word == "and") else m.Num(int(known))
        one = self.of(left)
        two, second = self.branch(right)
        if not second:
            return m.Logic(word, (one, two))
        name = self.w.fresh.temp("b")
        self.set(name, one)
        test = m.Var(name) if word == "and" else b.no(name)
        self.emit(m.If(test, [*second, m.Set((name,), two)]))
        return m.Var(name)

    def contains(self, value: core.Expr, group: core.Expr) -> m.Expr:
        found = group.type
        if isinstance(found, SetOf) and isinstance(found.of, Of) and not self.layout.is_open(found.of):
            item = self.of(value)
            optional = isinstance(value.type, Maybe)
            if isinstance(group, core.Whole):
                return b.op(item, ">=", 0) if optional else m.Flag(True)
            if optional:
                item = self.temp(item)
                return m.Logic("and", (b.op(item, ">=", 0), b.has(self.of(group), item)))
            return b.has(self.of(group), item)
        if isinstance(found, Empty):
            return m.Flag(False)
        if isinstance(value.type, Maybe):                          # none is in nothing
            item = self.temp(self.of(value))
            return m.Logic("and", (b.no(self.is_none(item, value.type.of)), self.contains_one(item, group)))
        return self.contains_one(self.of(value), group)

    def contains_one(self, item: m.Expr, group: core.Expr) -> m.Expr:
        """Whether `item`, which is not none, is in `group`."""
        found = group.type
        if isinstance(found, Maybe):
            return b.op(item, "==", self.of(group))
        if isinstance(found, BagOf):
            return b.op(self.index_bag(group, item), ">", 0)
        if isinstance(group, core.Prim) and group.op == "..":
            low, high = map(self.of, group.args)
            return m.Between(low, item, high)
        return b.op(item, "in", self.of(group))

    # ------------------------------------------------------------ dot, bracket

    def table_of(self, enum: Any, attribute: str) -> tuple[Any, ...]:
        values = tuple(enum.values[attribute])
        if isinstance(enum.attributes[attribute], SetOf) and isinstance(enum.attributes[attribute].of, Int):
            values = tuple(frozenset(v) for v in values)
        return values

    def _attribute(self, node: core.Attribute) -> m.Expr:
        base = self.of(node.thing)
        table = self.const(self.table_of(self.model.enums[node.domain], node.name))
        if isinstance(node.thing.type, Maybe):
            base = self.temp(base)
            none = self.layout.none(node.type.of if isinstance(node.type, Maybe) else node.type)
            return m.Choice(b.op(base, ">=", 0), b.entry(table, base), b.literal(none))
        return b.entry(table, base)

    def _lookup(self, node: core.Lookup) -> m.Expr:
        return self.read_table(self.model.tables[node.table], node.index)

    def _countof(self, node: core.CountOf) -> m.Expr:
        return self.index_bag(node.bag, self.of(node.kind))

    def _item(self, node: core.Item) -> m.Expr:
        found = node.things.type
        assert isinstance(found, ListOf)
        things = self.temp(self.of(node.things), "l")
        index = self.temp(self.of(node.index), "i")
        inner = found.of
        if isinstance(inner, Int):
            default: m.Expr = m.Num(0)
        elif isinstance(inner, ListOf):
            default = b.literal(self.layout.default(inner))
        elif isinstance(inner, SetOf):
            default = self.const(self.layout.default(inner))
        else:
            default = b.literal(self.layout.none(inner))
        there = m.Between(m.Num(0), index, b.call("len", things), "<")
        return m.Choice(there, b.entry(things, b.op(index, "-", 1)), default)

    def read_table(self, table: Any, index: core.Expr) -> m.Expr:
        known = self.constant_of(index)
        values = tuple(table.values)
        past = values[-1] if table.beyond == "last" else 0
        if known is not None:
            n = known - table.first
            return m.Num(values[n] if 0 <= n < len(values) else past if n >= 0 else values[0] if table.beyond == "last" else 0)
        i = self.temp(self.of(index), "i")
        name = self.const(values)
        under = values[0] if table.beyond == "last" else 0
        shifted = i if table.first == 0 else b.op(i, "-", table.first)
        low = index.type.low if isinstance(index.type, Int) else None
        there, end = b.entry(name, shifted), len(values) + table.first
        if low is not None and low >= table.first:
            return b.choice(b.op(i, "<", end), there, past)
        inside = m.Between(m.Num(table.first), i, m.Num(end), "<=", "<")
        return b.choice(inside, there, b.choice(b.op(i, "<", table.first), under, past))

    def index_bag(self, bag: core.Expr, index: m.Expr) -> m.Expr:
        place = self.bag_base(bag)
        if place is not None:
            return b.get(add(place, index))
        return b.entry(self.of(bag), index)

    def bag_base(self, node: core.Expr) -> m.Expr | None:
        """Where the counts of a bag that is a state begin, or None when it is a value."""
        return self.address(self.w.program.states[node.state], node.index) if isinstance(node, core.Load) else None

    # ------------------------------------------------------------ states

    def address(self, state: State, indices: Sequence[core.Expr]) -> m.Expr:
        """The address of an entry of a state (for a packed or open last axis: of the whole)."""
        cell = self.layout.cells[state]
        terms: list[m.Expr] = []
        fixed = cell.base
        used = [n for n in range(len(state.axes)) if n != cell.open_axis][: len(cell.sizes)]
        stride = cell.width
        for n, size in reversed(list(zip(used, cell.sizes))):
            value = self.of(indices[n])
            if isinstance(value, m.Num):
                fixed += value.value * stride
            else:
                terms.insert(0, value if stride == 1 else b.op(value, "*", stride))
            stride *= size
        found: m.Expr = m.Num(fixed)
        for term in terms:
            found = b.op(found, "+", term)
        return found

    def _load(self, node: core.Load) -> m.Expr:
        state, indices = self.w.program.states[node.state], node.index
        cell = self.layout.cells[state]
        place = self.address(state, indices)
        if cell.form == "mask":
            return b.has(b.get(place), self.of(indices[-1]))
        if cell.form == "sparse":
            assert cell.open_axis is not None
            return b.ask(b.get(place), "get", self.of(indices[cell.open_axis]), b.literal(cell.default))
        if cell.form == "bag":
            base = self.temp(place, "k")
            return b.call("tuple", m.Words(base, add(base, m.Num(cell.width))))
        return b.get(place)

    def _occupied(self, node: core.Occupied) -> m.Expr:
        state = self.w.program.states[node.state]
        cell = self.layout.cells[state]
        if cell.count == 1:
            return b.call("held", b.get(cell.base), self.const(Latest(state.name)))
        if node.index:
            assert cell.open_axis is not None
            where = self.address(state, [*node.index[: cell.open_axis], node, *node.index[cell.open_axis :]])
            return b.call("frozenset", b.get(where))
        every = m.Words(m.Num(cell.base), m.Num(cell.base + cell.count))
        return b.ask(b.call("frozenset"), "union", m.Star(every))

    # ------------------------------------------------------------ calls

    def _ask(self, node: core.Ask) -> m.Expr:
        """The value of a def: inlined when it is small, remembered when it has no parameters, else a function call."""
        family, case = self.w.program.families[node.family], node.case
        values = [self.of(argument) for argument in node.args]
        known = self.constant_of(case) if case is not None else None
        if case is None or known is not None:
            routine = family.entry(known)
            if routine is None:
                return m.Num(0)
            if self.inlinable(routine) or self.keepable(routine):
                return self.inline(routine, values, known)
            found = self.w.once(self, routine, values, known)
            if found is not None:
                return found
            if not routine.params and not routine.case and self.w.effects.of[routine].reads:
                return self.w.remembered(self, routine)
            return self.w.def_call(routine, values, known)
        assert case is not None
        table = self.w.def_dispatch(family)
        return b.call(b.entry(table, self.of(case)), b.POSITION, *values)

    def _after(self, node: core.After) -> m.Expr:
        """A function of its own: the procedure runs on a copy of the position, where nobody hears of it, and the value is that there."""
        given = {local: self.local(local) for local in outer(node)}
        known = {local: value for local, value in given.items() if isinstance(value, m.Num)}
        asked = [local for local in given if local not in known]
        key = (node, *known.items())
        if key not in self.w.tried:
            names = [self.w.fresh.temp("v") for _ in asked]
            name = self.w.tried[key] = self.w.fresh.function("a", node.call.family)
            code = Code(name, ("s", *names))
            code.origin = (node.at.path, node.at.line, node.at.column)
            x = self.w.expressions(code)
            x.env.update({**known, **dict(zip(asked, map(m.Var, names)))})
            code.emit(m.Set(("s",), b.ask(b.POSITION, "copy")))
            code.emit(b.put(EVENTS, m.Nil()))
            code.emit(m.Do(x.called(node.call)))
            code.emit(m.Return(x.of(node.value)))
            self.w.functions.append(code)
        return b.call(m.Function(self.w.tried[key]), b.POSITION, *(given[local] for local in asked))

    def called(self, node: core.Do) -> m.Expr:
        """A call of a procedure that never asks."""
        family, case = self.w.program.families[node.family], node.case
        arguments = [self.of(argument) for argument in node.args]
        known = self.constant_of(case) if case is not None else None
        if case is not None and known is None:
            return b.call(b.entry(self.w.proc_dispatch(family), self.of(case)), b.POSITION, *arguments)
        return b.call(m.Function(self.w.need(family.entry(known), known)), b.POSITION, *arguments)

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

    def inline(self, routine: Routine, values: list[m.Expr], member: int | None) -> m.Expr:
        saved = dict(self.env)
        for param, value in zip(routine.params, values):
            self.env[param] = self.temp(value)
        if routine.case is not None and member is not None:
            self.env[routine.case] = m.Num(member)
        assert routine.value is not None
        result = self.of(routine.value)
        self.env = saved
        return result
