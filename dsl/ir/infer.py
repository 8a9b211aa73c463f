"""A kind for every variable, function and word of a machine, found by going through its functions until nothing new is found.

Only functions that are reached from what is asked for are looked at. A construct without a kind raises Unknown with its name.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..storage.control_slots import EVENTS, OPTIONS, SCRIPT
from . import nodes as m
from .builder import Code
from .program import Machine, Once
from .slot_ranges import Space, Spaces, leading
from .value_types import (
    EMPTY,
    JUMP,
    MASK,
    MEMBERS,
    NOTHING,
    NUMBERS,
    WORD,
    Group,
    Jump,
    Kind,
    Map,
    Mask,
    Maybe,
    Members,
    Numbers,
    Perhaps,
    Row,
    Seq,
    Unknown,
    Word,
    join,
    joined,
    of_value,
    shown,
    solid,
    together,
)

Scope = dict[str, str]                                             # names of a comprehension: what they are called in the function
TESTS = {"==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not"}


def absent(at: m.Expr) -> bool:
    """A word that holds nothing when nobody watches: events and script."""
    return at in (m.Num(EVENTS), m.Num(SCRIPT))


def never(test: m.Expr) -> bool:
    """Whether a test fails whenever nobody watches."""
    match test:
        case m.Op(left=m.Get(at=at), sign="is not", right=m.Nil()) | m.Get(at=at):
            return absent(at)
        case m.Logic(word="and", parts=parts):
            return any(map(never, parts))
    return False


@dataclass
class Function:
    """What is known of one function."""

    code: Code
    variables: dict[str, Kind | None] = field(default_factory=dict)
    result: Kind | None = None


class Kinds:
    """The kinds of a machine, as far as `roots`, with the kinds of their arguments, reach."""

    def __init__(self, machine: Machine, roots: dict[str, tuple[Kind, ...]]) -> None:
        self.machine = machine
        self.spaces = Spaces(machine)
        self.codes = {code.name: code for code in (*machine.functions, *machine.blocks)}
        self.functions: dict[str, Function] = {}
        self.once: dict[str, Kind | None] = {}                     # of the entries of constants that are filled in on the way
        self.constants: dict[str, Kind | None] = {}
        self.lists: dict[int, int] = {}                            # comprehensions, numbered
        self.changed = False
        for name, params in roots.items():
            for param, kind in zip(self.reach(name).code.params[1:], params):
                self.functions[name].variables[param] = kind
        for space in self.spaces.all:
            if space.start not in (EVENTS, SCRIPT) and not space.lapses:
                for value in machine.initial[space.start : space.end]:
                    space.kind = self.into(space.kind, of_value(value), space.name)
        self.spaces.at(m.Num(OPTIONS)).kind = MEMBERS
        for name in machine.tables["B"]:
            if name in self.functions:
                self.functions[name].result = JUMP
        self.settle()

    def settle(self) -> None:
        """Look again until nothing is new."""
        while True:
            self.changed = False
            for function in list(self.functions.values()):
                Pass(self, function).block(function.code.body)
            if not self.changed:
                return

    def reach(self, name: str) -> Function:
        found = self.functions.get(name)
        if found is None:
            code = self.codes[name]
            found = self.functions[name] = Function(code, {param: WORD if param == "r" else None for param in code.params[1:]})
            self.changed = True
        return found

    def into(self, known: Kind | None, kind: Kind | None, where: str) -> Kind | None:
        """What is known of a place, with one more kind that goes into it."""
        try:
            found = join(known, kind)
        except Unknown as clash:
            raise Unknown(f"{clash}: {where}") from None
        if found != known:
            self.changed = True
        return found

    def local(self, node: m.Listed, name: str) -> str:
        """What a name of a comprehension is called in its function, which knows it only inside."""
        return f"{name}_{self.lists.setdefault(id(node), len(self.lists))}"

    def constant(self, name: str) -> Kind | None:
        if name not in self.constants:
            self.constants[name] = of_value(self.machine.values[name])
        return self.constants[name]


class Pass:
    """Goes once through a function."""

    def __init__(self, kinds: Kinds, function: Function) -> None:
        self.k, self.f = kinds, function
        self.machine = kinds.machine

    def space(self, at: m.Expr) -> tuple[Space, m.Expr]:
        """The space of an address, and how far into it."""
        first = leading(at)
        if not isinstance(first, m.Var):
            return self.k.spaces.of(at)
        given = [step.value for step in m.steps(self.f.code.body) if isinstance(step, m.Set) and step.names == (first.name,)]
        return self.k.spaces.of(at, given)

    # ------------------------------------------------------------ statements

    def block(self, body: m.Body) -> None:
        for node in body:
            self.step(node)

    def give(self, name: str, kind: Kind | None) -> None:
        self.f.variables[name] = self.k.into(self.f.variables.get(name), kind, f"{name} in {self.f.code.name}")

    def unpack(self, names: tuple[str, ...], kind: Kind | None, rename: m.Listed | None = None) -> None:
        """Names get a value, or the entries of one."""
        kinds: list[Kind | None]
        match kind:
            case _ if len(names) == 1:
                kinds = [kind]
            case None:
                return
            case Row(parts=parts) if len(parts) == len(names):
                kinds = list(parts)
            case Seq(of=inside):
                kinds = [inside] * len(names)
            case _:
                raise Unknown(f"{len(names)} names for {shown(kind)}")
        for name, one in zip(names, kinds):
            self.give(name if rename is None else self.k.local(rename, name), one)

    def store(self, at: m.Expr, kind: Kind | None) -> None:
        if absent(at):
            return
        space, rest = self.space(at)
        self.of(rest, {})
        if space.lapses and kind == NOTHING:
            return
        space.kind = self.k.into(space.kind, kind, space.name)

    def step(self, node: m.Stmt) -> None:
        match node:
            case m.Set(names=("s",)):                              # a copy of the position: what follows leaves the true one as it is
                pass
            case m.Set(names=names, value=value):
                self.unpack(names, self.of(value, {}))
            case m.Put(at=ats, value=value):
                kind = self.of(value, {})
                for at in ats:
                    self.store(at, kind)
            case m.PutWords(value=m.Part(things=m.Table(name="FIRST"))):             # what they hold in the beginning is known
                pass
            case m.PutWords(low=low, value=value):
                self.store(low, inside_of(self.of(value, {})))
            case m.Change(target=m.Var(name=name), sign=sign, value=value):
                self.give(name, self.op(m.Op(m.Var(name), sign[:-1], value), {}))
            case m.Change(target=m.Get(at=at), sign=sign, value=value):
                self.store(at, self.op(m.Op(m.Get(at), sign[:-1], value), {}))
            case m.Recall():
                self.recall(node)
            case m.If(test=test, body=body, other=other):
                if not never(test):
                    self.of(test, {})
                    self.block(body)
                self.block(other)
            case m.For(names=names, things=things, body=body, other=other):
                self.unpack(names, inside_of(self.of(things, {})))
                self.block(body)
                self.block(other)
            case m.While(test=test, body=body):
                self.of(test, {})
                self.block(body)
            case m.Return(value=value):
                self.returned(value)
            case m.Do(call=m.Method(thing=m.Var(name=name), name=("append" | "add") as way, args=(item,))):
                self.give(name, (Seq if way == "append" else Group)(solid(self.of(item, {}))))
            case m.Do(call=call):
                self.of(call, {})
            case m.Raise(name=name):
                raise Unknown(f"raise {name}")
            case m.Break() | m.Continue():
                pass
            case _:
                raise Unknown(type(node).__name__)

    def recall(self, node: m.Recall) -> None:
        match node.at:
            case m.At(things=m.Table(name=name), index=index) if isinstance(self.machine.values.get(name), Once):
                self.of(index, {})
                kind = self.k.once[name] = self.k.into(self.k.once.get(name), solid(self.of(node.made, {})), name)
            case m.At():
                raise Unknown("something remembered in a constant")
            case at:
                space, _ = self.space(at)
                kind = space.kind if node.sure else self.of(node.made, {})
                space.kind = kind = self.k.into(space.kind, kind, space.name)
        if node.name is not None:
            self.give(node.name, kind)

    def returned(self, value: m.Expr | None) -> None:
        kind = NOTHING if value is None else self.of(value, {})
        if isinstance(self.f.result, Jump):
            return
        self.f.result = self.k.into(self.f.result, kind, f"what {self.f.code.name} gives")

    # ------------------------------------------------------------ expressions

    def of(self, node: m.Expr, scope: Scope) -> Kind | None:
        """The kind of an expression; None where it is not known yet, or where it never comes to an end (a fault)."""
        match node:
            case m.Num(value=value):
                return of_value(value)
            case m.Flag():
                return WORD
            case m.Nil():
                return NOTHING
            case m.Var(name=name):
                return self.f.variables.get(scope.get(name, name))
            case m.Table(name=name):
                return self.k.constant(name)
            case m.Get(at=at):
                space, rest = self.space(at)
                self.of(rest, scope)
                return NOTHING if absent(at) else space.kind
            case m.Words(low=low):
                return list_of(self.space(low)[0].kind)
            case m.Op():
                return self.op(node, scope)
            case m.Un(sign=sign, value=value):
                kind = self.of(value, scope)
                return WORD if sign == "not" else kind
            case m.Logic(parts=(m.Call(function="BITS", args=(mask,)), m.Call(function="bits"))):
                self.of(mask, scope)
                return MEMBERS
            case m.Logic(parts=parts):
                for part in parts:
                    self.of(part, scope)
                return WORD
            case m.Between(low=low, value=value, high=high):
                for part in (low, value, high):
                    self.of(part, scope)
                return WORD
            case m.Choice(test=test, value=value, other=other):
                self.of(test, scope)
                return join(self.of(value, scope), self.of(other, scope))
            case m.At(things=things, index=index):
                return self.entry(self.of(things, scope), index, scope)
            case m.Part(things=things):
                for part in m.expressions(node)[1:]:
                    self.of(part, scope)
                return solid(self.of(things, scope))
            case m.Tup(items=items) | m.Lst(items=items):
                return self.display(items, scope, isinstance(node, m.Lst))
            case m.Call():
                return self.call(node, scope)
            case m.Method():
                return self.method(node, scope)
            case m.Listed():
                return self.listed(node, scope)
            case m.Bounded(things=things):
                return self.of(things, scope)
            case m.Also(name=name, value=value):
                kind = self.of(value, scope)
                self.give(name, kind)
                return kind
        raise Unknown(type(node).__name__)

    def op(self, node: m.Op, scope: Scope) -> Kind | None:
        left, right, sign = self.of(node.left, scope), self.of(node.right, scope), node.sign
        if sign in TESTS:
            return WORD
        if sign == "<<":
            return MASK
        if sign == ">>":
            return left
        if left is None or right is None:
            return left or right if sign in "|^&" else None
        if NOTHING in (left, right):                               # found out later, or never
            return WORD
        match sign, left, right:
            case "+", (Seq() | Members()), (Seq() | Members()):
                return join(solid(left), solid(right))
            case "+" | "-" | "*" | "//" | "%", (Word() | Maybe()), (Word() | Maybe()):
                return WORD
            case "&" | "|" | "-", Group(), Group():
                return join(left, right)
            case "&" | "|" | "^", (Word() | Mask()), (Word() | Mask()):
                if sign == "&" and any(isinstance(one, m.Num) and 0 <= one.value < 1 << 62 for one in (node.left, node.right)):
                    return WORD
                return join(left, right)
            case "-", Mask(), _:
                return MASK
        raise Unknown(f"{shown(left)} {sign} {shown(right)}")

    def entry(self, kind: Kind | None, index: m.Expr, scope: Scope) -> Kind | None:
        self.of(index, scope)
        match kind, index:
            case Row(parts=parts), m.Num(value=n):
                return parts[n]
            case (None | Seq() | Members()), _:
                return inside_of(kind)
            case Perhaps(of=inside), _:
                return self.entry(inside, index, scope)
        raise Unknown(f"an entry of {shown(kind)}")

    def display(self, items: tuple[m.Expr, ...], scope: Scope, built: bool) -> Kind | None:
        if not built and not any(isinstance(item, m.Star) for item in items):
            return together([self.of(item, scope) for item in items])
        return joined([EMPTY, *(solid(self.of(item.things, scope)) if isinstance(item, m.Star) else list_of(self.of(item, scope))
                                for item in items)])

    def call(self, node: m.Call, scope: Scope) -> Kind | None:
        kinds = [self.of(arg, scope) for arg in node.args if arg != m.Var("s") and not isinstance(arg, m.Text | m.Function)]
        match node.function:
            case m.Function(name=name):
                return self.called(self.k.reach(name), kinds)
            case m.At(things=m.Function(name=name), index=index):
                self.of(index, scope)
                if name == "B":
                    return JUMP
                rows = [self.k.reach(row) for row in self.machine.tables[name]]
                kinds = [joined([solid(kind), *(row.variables[row.code.params[n + 1]] for row in rows)]) for n, kind in enumerate(kinds)]
                result = joined([self.called(row, kinds) for row in rows])
                for row in rows:
                    if result is not None and row.result != JUMP:
                        row.result = self.k.into(row.result, result, f"what {name} gives")
                return result
            case str(name):
                return self.runtime(name, node, kinds)
        raise Unknown("a call of what an expression gives")

    def called(self, function: Function, kinds: list[Kind | None]) -> Kind | None:
        for param, kind in zip(function.code.params[1:], kinds):
            function.variables[param] = self.k.into(function.variables[param], solid(kind), f"{param} in {function.code.name}")
        return function.result

    def runtime(self, name: str, node: m.Call, kinds: list[Kind | None]) -> Kind | None:
        first = kinds[0] if kinds else None
        if node.named and name != "fault" and not ranked(node):
            raise Unknown(f"{name} with {node.named[0][0]}")
        match name:
            case "fault":
                return None
            case "bits":
                return MEMBERS
            case "range" | "span":
                return NUMBERS
            case "walked" | "iter":
                return first
            case "tuple" | "list":
                return Seq(WORD) if isinstance(first, Numbers) else first if kinds else EMPTY
            case "enumerate":
                inside = inside_of(first)
                return None if inside is None else Seq(together([WORD, inside]))
            case "ordered" | "in_order" if first is None:
                return None
            case "sorted" | "ordered" | "in_order" if isinstance(first, Group):
                return list_of(first.of) if first.of is not None else EMPTY
            case "sorted" | "shuffled" | "without":
                return solid(first)
            case "frozenset" | "set":
                return Group(WORD if isinstance(first, Map) else inside_of(first) if kinds else None)
            case "held" | "near_open" | "region_open" | "rim_open" | "within_open" | "coast_open" | "disc_open":
                return Group(WORD)
            case "put":
                return None if first is None else join(first, Map(kinds[2]))
            case "next":
                return inside_of(first)
            case "packed":
                return WORD
            case "unpacked" | "spread" | "flooded" | "rim" | "within" | "coast":
                return MASK
            case "tiers" | "regions" | "subsets" | "subsets_of":
                return Seq(MASK)
            case "tiers_open" | "regions_open":
                return Seq(Group(WORD))
            case "min" | "max" if len(kinds) == 1 and isinstance(first, Seq) and isinstance(first.of, Seq | Row):
                return first.of
            case "charge" | "sized" | "weighed":
                return NOTHING
            case "len" | "int" | "sum" | "min" | "max" | "only" | "chance" | "draw_bag" | "distance_open" | "span_open":
                if any(kind is not None and not fits_number(kind) for kind in kinds) and name in ("sum", "min", "max"):
                    raise Unknown(f"{name} of {shown(first)}")
                return WORD
        raise Unknown(f"the runtime's {name}")

    def method(self, node: m.Method, scope: Scope) -> Kind | None:
        for arg in node.args:
            self.of(arg.things if isinstance(arg, m.Star) else arg, scope)
        if node.name == "fromkeys":
            return solid(self.of(node.args[0], scope))
        kind = self.of(node.thing, scope)
        match node.name:
            case "bit_count" | "bit_length" | "index":
                return WORD
            case "copy" if isinstance(kind, Seq | Members | None):
                return solid(kind)
            case "get" if isinstance(kind, Map | None):
                return None if kind is None else join(kind.of, self.of(node.args[1], scope))
            case "union":
                return join(kind, Group(WORD))
        raise Unknown(f"the method {node.name}")

    def listed(self, node: m.Listed, scope: Scope) -> Kind | None:
        inner = dict(scope)
        for names, things in ((node.names, node.things), node.inner or ((), None)):
            if things is not None:
                over = self.of(things, inner)
                if over == EMPTY:                                  # nothing is ever in it
                    return EMPTY
                kind = inside_of(over)
                inner |= {name: self.k.local(node, name) for name in names}
                self.unpack(names, kind, node)
        for test in node.tests:
            self.of(test, inner)
        return list_of(self.of(node.value, inner))


def list_of(kind: Kind | None) -> Kind | None:
    return None if kind is None else Seq(solid(kind))


def inside_of(kind: Kind | None) -> Kind | None:
    """What a loop over this goes through."""
    match kind:
        case Members() | Numbers():
            return WORD
        case Seq(of=inside) | Group(of=inside):
            return inside
        case None:
            return None
        case Row(parts=parts):
            return joined(parts)
    raise Unknown(f"a loop over {shown(kind)}")


def fits_number(kind: Kind) -> bool:
    """Whether this is a number, or a list of such."""
    return isinstance(kind, Word | Members | Numbers) or kind in (EMPTY, Seq(WORD))


def ranked(node: m.Call) -> bool:
    """Whether this sorts by what stands first in each entry."""
    return node.function == "sorted" and node.named == (("key", m.Function("first_key")),)
