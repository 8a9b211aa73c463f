"""Functions of the machine as C functions. Each step is led in by the line of its rule."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import nodes as m
from ..ir.infer import Function, Pass, absent, never
from ..ir.program import Once
from ..ir.value_types import JUMP, MASK, MEMBERS, WORD, Group, Jump, Map, Nothing, Seq, Unknown
from ..types.types import Of
from .expressions import Expressions
from .loop_idioms import looked_for, put_into, rows
from .protocols import Module
from .types import named, tag


class Statements:
    """Writes one function."""

    def __init__(self, module: Module, found: Pass) -> None:
        self.module = module
        self.function: Function = found.f
        self.kinds = found.k
        self.x = Expressions(module, found)
        self.lines: list[str] = []
        self.apart = False                                         # it runs on a copy of the position
        self.filled = {grown[0] for node in m.steps(self.function.code.body) if (grown := self.members(node)) is not None}
        self.ends: list[str | None] = []                           # for each loop around, where a break goes when it has another block

    def head(self) -> str:
        """The function as others see it."""
        f = self.function
        params = [f"{self.module.types.need(f.variables[param])} v_{param}" for param in f.code.params[1:]]
        return f"static {self.result} f_{f.code.name}({', '.join(['lg_context *g', *params])})"

    @property
    def result(self) -> str:
        return self.module.types.need(self.function.result)

    def write(self) -> str:
        """The whole function."""
        f = self.function
        self.members_are(f.code.params)
        self.block(f.code.body)
        variables = [f"{self.module.types.need(kind)} v_{name} = {'0' if tag(kind) == 'w' else '{0}'}; (void)v_{name};"
                     for name, kind in f.variables.items() if name not in f.code.params]
        return "\n".join([f"LG_MAYBE {self.head()} {{", *variables, *self.lines, f"return ({self.result}){{0}};", "}"])

    def emit(self, *lines: str) -> None:
        self.lines += lines

    def block(self, body: m.Body) -> None:
        for node in body:
            if node.origin is not None:
                path = node.origin[0].replace("\\", "/").replace('"', "'")
                self.emit(f'#line {max(node.origin[1], 1)} "{path}"')
            self.step(node)

    def assign(self, names: tuple[str, ...], value: m.Expr) -> None:
        variables = self.function.variables
        if len(names) == 1:
            wanted = variables[names[0]]
            if value == m.Lst() and names[0] in self.filled:
                self.emit(f"v_{names[0]} = lg_roomy(X);")
                return
            if self.x.kind(value, {}) is None:                     # it never comes to an end
                self.emit(f"{self.x.of(value, {})};")
                return
            self.emit(f"v_{names[0]} = {self.x.to(value, None if isinstance(wanted, Nothing) else wanted, {})};")
            if is_somebody(value):
                self.members_are(names)
            return
        kind = self.x.kind(value, {})
        self.emit(*self.x.unpacked([f"v_{name}" for name in names], list(names), self.x.of(value, {}), kind))

    def members_are(self, names: Sequence[str]) -> None:
        """These variables have got their values; those that the rules call one of an enumeration are within it."""
        for name in names:
            local = self.module.machine.names.get(name)
            if local is None or not isinstance(local.type, Of) or self.function.variables[name] != WORD:
                continue
            enum = self.module.machine.layout.model.enum_of(local.type.name)
            if enum is not None and enum.kind != "open":
                self.emit(f"lg_member(X, v_{name}, {len(enum)});")

    def put(self, at: m.Expr, value: m.Expr) -> None:
        if absent(at):
            return
        space, _ = self.x.found.space(at)
        if space.lapses:
            self.emit(f"{self.x.target(at, {}, 'h')} = {int(value != m.Nil())};")
            if value == m.Nil():
                return
        self.emit(self.written(at, self.x.to(value, space.kind, {})))

    def written(self, at: m.Expr, value: str) -> str:
        """A value goes to its place, which may be narrow."""
        space, _ = self.x.found.space(at)
        small = self.module.narrow(space)
        return f"{self.x.target(at, {})} = {value if small is None else f'lg_small(X, {small}, {value})'};"

    def step(self, node: m.Stmt) -> None:
        x = self.x
        match node:
            case m.Set(names=("s",)):
                self.apart = True
                self.emit(f"LG_HOLD_{self.function.code.name}")
            case m.Set(names=names, value=value):
                self.assign(names, value)
            case m.Put(at=ats, value=value):
                for at in ats:
                    self.put(at, value)
            case m.PutWords(low=m.Num(value=low), high=m.Num(value=high), value=m.Part(things=m.Table(name="FIRST"))):
                kind = x.found.space(m.Num(low))[0].kind
                for n, first in enumerate(self.module.machine.initial[low:high], low):
                    nothing = isinstance(kind, Map) and not first
                    self.emit(self.written(m.Num(n), f"({named(kind)}){{0}}" if nothing else self.module.literal(first, kind)))
            case m.PutWords(low=low, high=high, value=value):
                count = x.offset(m.Op(high, "-", low), {})
                things, first = Seq(self.x.found.space(low)[0].kind), x.target(low, {})
                self.emit(f"{{ {named(things)} q = {x.to(value, things, {})}; if (q.n != {count}) lg_leave(X, LG_ODD);",
                          f"__typeof__(&{first}) w = &{first}; for (i64 n = 0; n < q.n; n++) w[n] = q.v[n]; }}")
            case m.Change(target=target, sign=sign, value=value):
                kind = self.function.variables[target.name] if isinstance(target, m.Var) else self.x.found.space(target.at)[0].kind
                changed = x.to(m.Op(target, sign[:-1], value), kind, {})
                self.emit(f"v_{target.name} = {changed};" if isinstance(target, m.Var) else self.written(target.at, changed))
            case m.Recall():
                self.recall(node)
            case m.If(test=test, body=body, other=other):
                self.when(test, body, other)
            case m.For():
                self.loop(node)
            case m.While(test=test, body=body):
                self.emit(f"while ({x.truth(test, {})}) {{")
                self.ends.append(None)
                self.block(body)
                self.ends.pop()
                self.emit("}")
            case m.Break():
                end = self.ends[-1]
                self.emit("break;" if end is None else f"goto {end};")
            case m.Continue():
                self.emit("continue;")
            case m.Return(value=value):
                self.returned(value)
            case m.Do(call=m.Method(thing=m.Var(name=name), name="append", args=(item,))):
                grown = self.function.variables[name]
                if not isinstance(grown, Seq):
                    raise Unknown("an entry more of something that is no list")
                self.emit(f"lg_push_{tag(grown)}(X, &v_{name}, {x.to(item, grown.of, {})});")
            case m.Do(call=m.Method(thing=m.Var(name=name), name="add", args=(item,))):
                made = self.function.variables[name]
                if not isinstance(made, Group):
                    raise Unknown("a thing more in something that is no set")
                x.module.types.need(made)
                self.emit(f"lg_add_{tag(made)}(X, &v_{name}, {x.to(item, made.of, {})});")
            case m.Do(call=call):
                self.emit(f"{x.of(call, {})};")
            case _:
                raise Unknown(type(node).__name__)

    def when(self, test: m.Expr, body: m.Body, other: m.Body) -> None:
        if never(test):
            self.block(other)
            return
        self.emit(f"if ({self.x.truth(test, {})}) {{")
        self.block(body)
        if other:
            self.emit("} else {")
            self.block(other)
        self.emit("}")

    def recall(self, node: m.Recall) -> None:
        x = self.x
        if isinstance(node.at, m.At):
            assert isinstance(node.at.things, m.Table)
            name = node.at.things.name
            once = self.module.machine.values[name]
            assert isinstance(once, Once) and node.name is not None
            kind = self.kinds.once[name]
            own = tag(kind)
            k = self.module.fresh()
            self.emit(f"{{ i64 n{k} = lg_at(X, {x.word(node.at.index, {})}, {once.size});",
                      f"if (LG_SELDOM(!g->h{name}[n{k}])) {{ g->o{name}[n{k}] = lg_keep_{own}(X, {x.to(node.made, kind, {})}); "
                      f"g->h{name}[n{k}] = 1; }}",
                      f"v_{node.name} = g->o{name}[n{k}]; }}")
            return
        space, _ = self.x.found.space(node.at)
        place, there = x.place(node.at, {}), x.place(node.at, {}, "h")
        if not node.sure and not self.module.lasts(space):
            self.emit(f"if (!{there}) {{ {x.target(node.at, {})} = {x.to(node.made, space.kind, {})}; {x.target(node.at, {}, 'h')} = 1; }}")
        if node.name is not None:
            self.emit(f"v_{node.name} = {place};")

    def members(self, node: m.Stmt) -> tuple[str, m.Expr, m.Expr] | None:
        """Of a loop that does nothing but put the members of a set at the end of a list, each as a number so much higher: the list, the
        number, the set."""
        match node:
            case m.For(names=(name,), things=things, other=[],
                       body=[m.Do(call=m.Method(thing=m.Var(name=grown), name="append", args=(item,)))]):
                pass
            case _:
                return None
        match item:
            case m.Op(left=base, sign="+", right=m.Var(name=member)) if member == name and plain(base, name):
                pass
            case m.Var(name=member) if member == name:
                base = m.Num(0)
            case _:
                return None
        while isinstance(things, m.Bounded):
            things = things.things
        if self.function.variables[grown] != Seq(WORD) or self.x.kind(things, {}) != MEMBERS:
            return None
        return grown, base, things

    def joined(self, node: m.For) -> bool:
        """A loop that does nothing but put the members of a set into another, at once; False: it is none."""
        found = put_into(node, self.function.code.body)
        if found is None:
            return False
        into, things, each = found
        if self.function.variables[into] != MASK or self.x.kind(things, {}) != MEMBERS:
            return False
        charge = f" lg_walked(X, lg_count(m), {each});" if each else ""
        self.emit(f"{{ lg_mask m = {self.x.of(things, {})};{charge} v_{into} = (v_{into} | m); }}")
        return True

    def within(self, node: m.For) -> bool:
        """A loop that looks for a constant set within another, without a branch for each; False: it is none."""
        found = looked_for(node, self.function.code.body) if self.module.mask_words == 1 else None
        if found is None or self.x.kind(found[1], {}) != MASK:
            return False
        first, whole, done = found
        sets = rows(node.things, self.module.machine.values, self.x.kind(node.things, {}))
        if sets is None:
            return False
        index, lists = sets
        width = len(lists[0])
        place = "" if index is None else f" + {width} * lg_at(X, {self.x.word(index, {})}, {len(lists)})"
        self.block(first)
        self.emit(f"if (lg_within_one({self.module.sets(lists)}{place}, {width}, {self.x.of(whole, {})})) {{")
        self.block(done)
        self.emit("}")
        return True

    def loop(self, node: m.For) -> None:
        found = self.members(node)
        if found is not None:
            grown, base, things = found
            self.emit(f"lg_push_members(X, &v_{grown}, {self.x.word(base, {})}, {self.x.of(things, {})});")
            return
        if self.joined(node) or self.within(node):
            return
        live = isinstance(node.things, m.Var) and grows(node.things.name, node.body)
        if live and any(isinstance(step, m.Set) and node.things.name in step.names for step in m.steps(node.body)):   # type: ignore[attr-defined]
            raise Unknown("a loop over a list that grows and is set anew meanwhile")
        head, end = self.x.loop(list(node.names), node.things, {}, live)
        out = f"out_{self.module.fresh()}" if node.other and leaves(node.body) else None
        self.emit(*head)
        if isinstance(self.x.kind(node.things, {}), Seq | Group):
            self.members_are(node.names)
        self.ends.append(out)
        self.block(node.body)
        self.ends.pop()
        self.emit(end)
        self.block(node.other)
        if out is not None:
            self.emit(f"{out}:;")

    def returned(self, value: m.Expr | None) -> None:
        result = self.function.result
        if isinstance(result, Jump):
            if value is not None and self.x.kind(value, {}) == JUMP:
                self.emit(f"return {self.x.of(value, {})};")
            else:                                                  # the options lie in their word already
                self.emit(f"return {int(value is not None and value != m.Nil())};")
            return
        if value is None or isinstance(result, Nothing):
            self.emit(f"return ({self.result}){{0}};")
            return
        text = self.x.to(value, result, {})
        self.emit(f"{{ {self.result} out = {text}; LG_LOOSE_{self.function.code.name} return out; }}" if self.apart else f"return {text};")


def is_somebody(value: m.Expr) -> bool:
    """Whether a value for a name is surely none of those that stand for nobody: an entry of a list, or what the frame held."""
    match value:
        case m.At(things=m.Var()):
            return True
        case m.Get(at=m.Num(frame=frame)):
            return frame is not None
    return False


def plain(node: m.Expr, name: str) -> bool:
    """Whether this is a sum or product of numbers and of variables other than one."""
    match node:
        case m.Num():
            return True
        case m.Var(name=other):
            return other != name
        case m.Op(left=left, sign="+" | "*", right=right):
            return plain(left, name) and plain(right, name)
    return False


def grows(name: str, body: m.Body) -> bool:
    """Whether a list gets entries in these steps."""
    return any(isinstance(step, m.Do) and isinstance(step.call, m.Method) and step.call.name == "append" and step.call.thing == m.Var(name)
               for step in m.steps(body))


def leaves(body: m.Body) -> bool:
    """Whether a break in these steps leaves the loop that they belong to."""
    return any(isinstance(step, m.Break) or not isinstance(step, m.For | m.While) and any(map(leaves, m.bodies(step)))
               or isinstance(step, m.For) and leaves(step.other) for step in body)
