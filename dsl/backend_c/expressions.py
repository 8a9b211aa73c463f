"""Expressions of the machine as C."""

from __future__ import annotations

from collections.abc import Callable

from ..ir import nodes as m
from ..ir.infer import Pass, Scope, absent
from ..ir.value_types import (
    EMPTY,
    MASK,
    MAYBE,
    WORD,
    Group,
    Kind,
    Map,
    Mask,
    Maybe,
    Members,
    Nothing,
    Numbers,
    Perhaps,
    Row,
    Seq,
    Unknown,
    Word,
    join,
    shown,
    solid,
)
from .protocols import Module
from .runtime_calls import GIVEN, Calls
from .types import converted, mask, named, number, tag

JOINED = {"|": "1, 1, 1", "&": "0, 1, 0", "-": "1, 0, 0"}          # what stays of two sets: what is in the first, in both, in the second
CHECKED = {"+": "lg_add", "-": "lg_sub", "*": "lg_mul", "//": "lg_div", "%": "lg_mod"}


class Expressions(Calls):
    """Writes the expressions of one function."""

    def __init__(self, module: Module, found: Pass) -> None:
        self.module, self.found = module, found
        self.kinds = found.k
        self.written: set[str] = set()                             # the fields of the position that the function writes itself

    # ------------------------------------------------------------ the ways in

    def kind(self, node: m.Expr, scope: Scope) -> Kind | None:
        return self.found.of(node, scope)

    def to(self, node: m.Expr, wanted: Kind | None, scope: Scope) -> str:
        """An expression as a value of some kind."""
        kind = self.kind(node, scope)
        match node, wanted:
            case m.Num(value=value), Mask() if value >= 0:
                return mask(value, self.module.mask_words)
            case m.Num(), Mask():
                raise Unknown("a negative number as a set")
            case m.Table(name=name), Seq() if isinstance(kind, Seq) and tag(kind) != tag(wanted):
                return self.module.table(name, wanted)
            case m.Choice(test=test, value=value, other=other), _ if wanted is not None:
                return f"({self.truth(test, scope)} ? {self.to(value, wanted, scope)} : {self.to(other, wanted, scope)})"
            case m.Call(function=("tuple" | "list"), args=(m.Listed() as listed,)), _:
                return self.to(listed, wanted, scope)
        if isinstance(kind, Numbers) and isinstance(wanted, Seq):
            low, end = self.ends(node, scope)
            return f"lg_numbers(X, {low}, {end})"
        self.module.types.need(wanted)
        return converted(self.of(node, scope), kind, wanted)

    def truth(self, node: m.Expr, scope: Scope) -> str:
        """Whether an expression holds, or has anything in it."""
        if isinstance(node, m.Logic) and not is_members(node):
            return f"({(' && ' if node.word == 'and' else ' || ').join(self.truth(part, scope) for part in node.parts)})"
        text = self.of(node, scope)
        match self.kind(node, scope):
            case None:
                return converted(text, None, WORD)
            case Word():
                return text
            case Mask() | Members():
                return f"lg_any({text})"
            case Seq() | Group() | Map():
                return f"(({text}).n != 0)"
            case Perhaps(of=Mask()):
                return f"({{ {named(self.kind(node, scope))} u = {text}; u.h && lg_any(u.v); }})"
            case Perhaps(of=Seq() | Group()):
                return f"({{ {named(self.kind(node, scope))} u = {text}; u.h && u.v.n; }})"
        raise Unknown(f"the truth of {shown(self.kind(node, scope))}")

    def word(self, node: m.Expr, scope: Scope) -> str:
        return self.to(node, WORD, scope)

    # ------------------------------------------------------------ places

    def place(self, at: m.Expr, scope: Scope, field: str = "s") -> str:
        """A word of the position (`h`: whether it holds anything)."""
        space, rest = self.found.space(at)
        name = self.module.field(space)
        return f"g->p.{field}{name}[{'0' if space.count == 1 else f'lg_word(X, {self.offset(rest, scope)}, {space.count})'}]"

    def target(self, at: m.Expr, scope: Scope, field: str = "s") -> str:
        """The same, to be written."""
        self.written.add(field + self.module.field(self.found.space(at)[0]))
        return self.place(at, scope, field)

    def offset(self, node: m.Expr, scope: Scope) -> str:
        """A number that is known to be small."""
        match node:
            case m.Num(value=0):
                return "0"
            case m.Op(left=m.Num(value=0), sign="+", right=right):
                return self.offset(right, scope)
            case m.Op(left=left, sign=("+" | "-" | "*") as sign, right=right):
                return f"({self.offset(left, scope)} {sign} {self.offset(right, scope)})"
        return self.word(node, scope)

    # ------------------------------------------------------------ expressions

    def of(self, node: m.Expr, scope: Scope) -> str:
        """An expression as it is."""
        match node:
            case m.Num(value=value):
                return number(value) if value < 1 << 63 else mask(value, self.module.mask_words)
            case m.Flag(value=flag):
                return str(int(flag))
            case m.Nil():
                return "LG_NOTHING"
            case m.Var(name=name):
                return f"v_{scope.get(name, name)}"
            case m.Table(name=name):
                return self.module.table(name)
            case m.Get(at=at):
                if absent(at):
                    return "LG_NOTHING"
                return f"(i64){self.place(at, scope)}" if self.module.narrow(self.found.space(at)[0]) else self.place(at, scope)
            case m.Words(low=low, high=high):
                count = self.offset(m.Op(high, "-", low), scope)
                words = Seq(self.found.space(low)[0].kind)
                name = self.module.types.need(words)
                first = self.place(low, scope)
                return (f"({{ {name} q = lg_new_{tag(words)}(X, {count}); __typeof__(&{first}) w = &{first}; "
                        "for (i64 n = 0; n < q.n; n++) q.v[n] = w[n]; q; })")
            case m.Op():
                return self.op(node, scope)
            case m.Un(sign="not", value=value):
                return f"!({self.truth(value, scope)})"
            case m.Un(sign="-", value=value) if self.kind(value, scope) == WORD:
                return f"lg_sub(X, 0, {self.of(value, scope)})"
            case m.Logic(parts=(m.Call(args=(inside,)), *_)) if is_members(node):
                return self.to(inside, MASK, scope)
            case m.Logic():
                return self.logic(node, scope)
            case m.Between(low=low, value=value, high=high, first=one, second=two):
                return (f"({{ i64 l = {self.word(low, scope)}, n = {self.word(value, scope)}; l {one} n && n {two} "
                        f"{self.word(high, scope)}; }})")
            case m.Choice():
                kind = self.kind(node, scope)
                return self.to(node, WORD if kind is None else kind, scope)
            case m.At(things=things, index=index):
                return self.at(things, index, scope)
            case m.Part():
                return self.part(node, scope)
            case m.Tup(items=items) | m.Lst(items=items):
                return self.display(node, items, scope)
            case m.Call():
                return self.call(node, scope)
            case m.Method():
                return self.method(node, scope)
            case m.Listed():
                return self.listed(node, scope)
            case m.Bounded(things=things):
                return self.of(things, scope)
        raise Unknown(f"{type(node).__name__} {getattr(node, 'sign', '')}".strip())

    def logic(self, node: m.Logic, scope: Scope) -> str:
        """The first part that settles it, as a value."""
        *first, last = node.parts
        parts = []
        for part in first:
            kind = self.kind(part, scope)
            if kind == MAYBE and node.word == "or":                # nothing is as good as 0 here
                parts.append(f"({{ i64 n = {self.of(part, scope)}; n == LG_NOTHING ? 0 : n; }})")
            elif kind in (WORD, None):
                parts.append(self.word(part, scope))
            else:
                raise Unknown(f"{node.word} of {shown(kind)}")
        found = self.word(last, scope)
        for text in reversed(parts):
            found = f"({{ i64 n = {text}; n ? {found if node.word == 'and' else 'n'} : {'n' if node.word == 'and' else found}; }})"
        return found

    def op(self, node: m.Op, scope: Scope) -> str:
        left, right = self.kind(node.left, scope), self.kind(node.right, scope)
        sign = node.sign
        if sign in ("is", "is not"):
            return self.nothing(node, scope)
        if sign in ("in", "not in"):
            return self.inside(node, right, scope)
        if sign in ("==", "!=", "<", "<=", ">", ">="):
            return self.compared(node, left, right, scope)
        if isinstance(left, Group) and isinstance(right, Group) and sign in JOINED:
            kind = join(left, right)
            return f"lg_joined_{tag(kind)}(X, {self.to(node.left, kind, scope)}, {self.to(node.right, kind, scope)}, {JOINED[sign]})"
        if sign in CHECKED and isinstance(join(left, right), Word | Maybe | None):
            return f"{CHECKED[sign]}(X, {self.word(node.left, scope)}, {self.word(node.right, scope)})"
        if sign == "+":
            kind = join(solid(left), solid(right))
            return f"lg_both_{tag(kind)}(X, {self.to(node.left, kind, scope)}, {self.to(node.right, kind, scope)})"
        if sign == "<<" and node.left == m.Num(1):
            return f"lg_bit(X, {self.word(node.right, scope)})"
        if sign == "<<":
            return f"lg_left(X, {self.to(node.left, MASK, scope)}, {self.word(node.right, scope)})"
        if sign == ">>":
            shift = "lg_shift_word" if left == WORD else "lg_shift"
            return f"{shift}(X, {self.of(node.left, scope)}, {self.word(node.right, scope)})"
        if sign in ("&", "|", "^"):
            return self.bits(node.left, sign, node.right, scope)
        raise Unknown(f"{shown(left)} {sign} {shown(right)}")

    def bits(self, left: m.Expr, sign: str, right: m.Expr, scope: Scope) -> str:
        """Two sets joined. What a set lacks is only ever taken together with another."""
        wanted = join(self.kind(left, scope), self.kind(right, scope)) or WORD
        texts = []
        if wanted == MASK and sign == "&" and right == m.Un("-", left):
            return f"({{ lg_mask m = {self.to(left, MASK, scope)}; lg_lowest(m); }})"
        for node in (left, right):
            match node:
                case m.Un(sign="~", value=value) if sign == "&":
                    texts.append(f"~{self.to(value, wanted, scope)}")
                case _:
                    texts.append(self.to(node, wanted, scope))
        found = f"({texts[0]} {sign} {texts[1]})"
        return f"lg_word_of({found})" if wanted == MASK and self.kind(m.Op(left, sign, right), scope) == WORD else found

    def compared(self, node: m.Op, left: Kind | None, right: Kind | None, scope: Scope) -> str:
        kind = join(left, right)
        order = node.sign not in ("==", "!=")
        if order and kind == MASK and not (left == right or m.Num(0) in (node.left, node.right)):
            raise Unknown("a set compared with a number")
        if isinstance(kind, Mask):
            both = f"({self.to(node.left, kind, scope)}, {self.to(node.right, kind, scope)})"
            return f"(lg_order_m{both} {node.sign} 0)" if order else f"{'!' if node.sign == '!=' else ''}lg_same_m{both}"
        if isinstance(kind, Word) or kind == Maybe() and not order:
            return f"({self.to(node.left, kind, scope)} {node.sign} {self.to(node.right, kind, scope)})"
        if isinstance(kind, Maybe | None):
            return f"({self.word(node.left, scope)} {node.sign} {self.word(node.right, scope)})"
        if order or not isinstance(kind, Seq | Row | Group | Map | Perhaps):
            raise Unknown(f"{shown(left)} {node.sign} {shown(right)}")
        same = f"lg_same_{tag(kind)}({self.to(node.left, kind, scope)}, {self.to(node.right, kind, scope)})"
        return same if node.sign == "==" else f"!{same}"

    def nothing(self, node: m.Op, scope: Scope) -> str:
        """Whether something is there."""
        if node.right != m.Nil():
            raise Unknown(f"{node.sign} something")
        left = node.left
        sign = "" if node.sign == "is not" else "!"
        if isinstance(left, m.Also) and isinstance(left.value, m.Get):
            kind = self.found.space(left.value.at)[0].kind
            value = converted(self.of(left.value, scope), kind, self.found.f.variables[left.name])
            return f"({{ v_{left.name} = {value}; {self.nothing(m.Op(left.value, node.sign, m.Nil()), scope)}; }})"
        if isinstance(left, m.Get) and (space := self.found.space(left.at)[0]).lapses:
            return str(int(not sign)) if self.module.lasts(space) else f"{sign}{self.place(left.at, scope, 'h')}"
        match self.kind(left, scope):
            case Maybe():
                return f"({self.of(left, scope)} {'!=' if not sign else '=='} LG_NOTHING)"
            case Nothing():
                return str(int(bool(sign)))
            case Word() | Mask() | Seq() | Members() | Group() | Row():
                return str(int(not sign))
            case Perhaps():
                return f"{sign}({self.of(left, scope)}).h"
        raise Unknown(f"whether {shown(self.kind(left, scope))} is there")

    def inside(self, node: m.Op, right: Kind | None, scope: Scope) -> str:
        sign = "!" if node.sign == "not in" else ""
        match right:
            case Members():
                return f"{sign}({{ i64 n = {self.word(node.left, scope)}; lg_has(X, {self.of(node.right, scope)}, n); }})"
            case Numbers():
                low, end = self.ends(node.right, scope)
                return f"{sign}({{ i64 n = {self.word(node.left, scope)}, l = {low}; l <= n && n < {end}; }})"
            case Seq(of=None) | Group(of=None):
                return "0" if not sign else "1"
            case Group(of=inside):
                self.module.types.need(right)
                return f"{sign}(lg_lies_{tag(right)}({self.of(node.right, scope)}, {self.to(node.left, inside, scope)}) >= 0)"
            case Seq(of=inside):
                return f"{sign}(lg_find_{tag(right)}({self.of(node.right, scope)}, {self.to(node.left, inside, scope)}) >= 0)"
        raise Unknown(f"in {shown(right)}")

    def at(self, things: m.Expr, index: m.Expr, scope: Scope) -> str:
        kind = self.kind(things, scope)
        match kind, things:
            case _, m.Table(name=name) if isinstance(kind, Seq) and self.module.machine.values[name]:
                array, count = self.module.array(name)
                return f"{array}[lg_at(X, {self.word(index, scope)}, {count})]"
            case Row(), _:
                assert isinstance(index, m.Num)
                return f"({self.of(things, scope)}).f{index.value}"
            case Members(), _:
                return f"lg_nth(X, {self.of(things, scope)}, {self.word(index, scope)})"
            case Perhaps(of=inside), _ if isinstance(inside, Seq):
                return f"({{ {named(inside)} q = {self.to(things, inside, scope)}; q.v[lg_at(X, {self.word(index, scope)}, q.n)]; }})"
            case Seq(), _:
                return f"({{ {named(kind)} q = {self.of(things, scope)}; q.v[lg_at(X, {self.word(index, scope)}, q.n)]; }})"
        raise Unknown(f"an entry of {shown(kind)}")

    def part(self, node: m.Part, scope: Scope) -> str:
        kind = solid(self.kind(node.things, scope))
        things = self.to(node.things, kind, scope)
        if node.backwards:
            return f"lg_back_{tag(kind)}(X, {things})"
        low = "0" if node.low is None else self.word(node.low, scope)
        high = "INT64_MAX" if node.high is None else self.word(node.high, scope)
        return f"lg_part_{tag(kind)}(X, {things}, {low}, {high})"

    def display(self, node: m.Expr, items: tuple[m.Expr, ...], scope: Scope) -> str:
        kind = self.kind(node, scope)
        if kind == EMPTY or not items:
            return "(t_qw){0}"
        name = self.module.types.need(kind)
        if isinstance(kind, Row):
            return f"({name}){{ {', '.join(self.to(item, part, scope) for item, part in zip(items, kind.parts))} }}"
        assert isinstance(kind, Seq)
        own = tag(kind)
        steps = [f"{name} q = lg_new_{own}(X, {len(items)}); q.n = 0;"]
        for item in items:
            if isinstance(item, m.Star):
                steps.append(f"q = lg_both_{own}(X, q, {self.to(item.things, kind, scope)});")
            else:
                steps.append(f"lg_push_{own}(X, &q, {self.to(item, kind.of, scope)});")
        return self.aside(steps, "q")

    def aside(self, steps: list[str], result: str) -> str:
        """Steps inside of an expression."""
        return f"({{ {' '.join(steps)} {result}; }})"

    # ------------------------------------------------------------ calls

    def call(self, node: m.Call, scope: Scope) -> str:
        args = [arg for arg in node.args if arg != m.Var("s")]
        match node.function:
            case m.Function(name=name):
                return self.called(f"f_{name}", name, args, scope)
            case m.At(things=m.Function(name=name), index=index):
                rows = self.module.machine.tables[name]
                return self.called(f"k_{name}[lg_at(X, {self.word(index, scope)}, {len(rows)})]", rows[0], args, scope)
            case str(name) if name in GIVEN:
                return self.given(name, args, scope)
            case str(name):
                write: Callable[[m.Call, list[m.Expr], Scope], str] | None = getattr(self, f"call_{name}", None)
                if write is None:
                    raise Unknown(f"the runtime's {name}")
                return write(node, args, scope)
        raise Unknown("a call of what an expression gives")

    def called(self, text: str, name: str, args: list[m.Expr], scope: Scope) -> str:
        function = self.kinds.functions[name]
        given = [self.to(arg, function.variables[param], scope) for arg, param in zip(args, function.code.params[1:])]
        return f"{text}({', '.join(['g', *given])})"

    # ------------------------------------------------------------ loops

    def ends(self, node: m.Expr, scope: Scope) -> tuple[str, str]:
        """Where a range of numbers begins, and the number after its last."""
        match node:
            case m.Call(function="range", args=(end,)):
                return "0", self.word(end, scope)
            case m.Call(function="range", args=(low, end)):
                return self.word(low, scope), self.word(end, scope)
            case m.Call(function="span", args=(low, high)):
                return self.word(low, scope), f"lg_span(X, {self.word(low, scope)}, {self.word(high, scope)})"
            case m.Bounded(things=things):
                return self.ends(things, scope)
            case m.Call(function=("walked" | "list" | "tuple"), args=(things, *_)):
                return self.ends(things, scope)
        raise Unknown("a range that is not written where it is used")

    def loop(self, names: list[str], things: m.Expr, scope: Scope, live: bool = False) -> tuple[list[str], str]:
        """The head of a loop that gives values to variables, and its end. `live`: what it goes over may grow meanwhile."""
        cost = ""
        start = None
        while True:
            match things:
                case m.Call(function="walked", args=(inner, m.Num(value=each))):
                    things, cost = inner, f" lg_walked(X, n, {each});"
                case m.Bounded(things=inner):
                    things = inner
                case m.Call(function="enumerate", args=(inner, first)):
                    things, start = inner, self.word(first, scope)
                case _:
                    break
        kind = self.kind(things, scope)
        k = self.module.fresh()
        variables = [f"v_{name}" for name in names]
        counted = [] if start is None else [f"{variables.pop(0)} = j{k}{'' if start == '0' else f' + {start}'};"]
        match kind:
            case Numbers():
                low, end = self.ends(things, scope)
                head = [f"{{ i64 l{k} = {low}, n = lg_sub(X, {end}, l{k}); if (n < 0) n = 0;{cost}",
                        f"for (i64 j{k} = 0, e{k} = n; j{k} < e{k}; j{k}++) {{"]
                value = f"l{k} + j{k}"
            case Members():
                head = [f"{{ lg_mask m{k} = {self.of(things, scope)};" + (f" {{ i64 n = lg_count(m{k});{cost} }}" if cost else "")]
                head.append(f"for (i64 j{k} = 0; lg_any(m{k}); m{k} = lg_rest(m{k}), j{k}++) {{ (void)j{k};")
                value = f"lg_first(m{k})"
            case Seq(of=None) | Group(of=None):
                head, value = [f"{{ for (i64 j{k} = 0; 0; ) {{"], "0"
                variables = []
            case Seq() | Group():
                own = f"(*q{k})" if live else f"q{k}"
                given = f"&{self.of(things, scope)}" if live else self.of(things, scope)
                head = [f"{{ {named(kind)} {'*' if live else ''}q{k} = {given};" + (f" {{ i64 n = {own}.n;{cost} }}" if cost else "")]
                head.append(f"for (i64 j{k} = 0; j{k} < {own}.n; j{k}++) {{")
                value = f"{own}.v[j{k}]"
            case _:
                raise Unknown(f"a loop over {shown(kind)}")
        head += counted
        inside = WORD if isinstance(kind, Members | Numbers) else kind.of
        head += self.unpacked(variables, names[len(names) - len(variables):], value, inside)
        return head, "} }"

    def unpacked(self, variables: list[str], names: list[str], value: str, kind: Kind | None) -> list[str]:
        """Variables get a value, or the entries of one."""
        wanted = [self.found.f.variables[name] for name in names]
        if len(variables) == 1:
            return [f"{variables[0]} = {converted(value, kind, wanted[0])};"]
        if not variables:
            return []
        k = self.module.fresh()
        match kind:
            case Row(parts=parts):
                gets = [converted(f"u{k}.f{n}", part, want) for n, (part, want) in enumerate(zip(parts, wanted))]
            case Seq(of=inside):
                gets = [converted(f"u{k}.v[lg_at(X, {n}, u{k}.n)]", inside, want) for n, want in enumerate(wanted)]
            case _:
                raise Unknown(f"{len(names)} names for {shown(kind)}")
        return [f"{{ {named(kind)} u{k} = {value};", *(f"{one} = {got};" for one, got in zip(variables, gets)), "}"]

    def listed(self, node: m.Listed, scope: Scope) -> str:
        kind = self.kind(node, scope)
        if kind == EMPTY:
            return "(t_qw){0}"
        name = self.module.types.need(kind)
        assert isinstance(kind, Seq)
        inner = dict(scope)
        k = self.module.fresh()
        steps, ends = [f"{name} a{k} = {{0}};"], []
        for names, things in ((node.names, node.things), *([node.inner] if node.inner is not None else [])):
            local = {one: self.kinds.local(node, one) for one in names}
            head, end = self.loop([local[one] for one in names], things, inner)
            inner |= local
            steps += head
            ends.append(end)
        tests = "".join(f"if ({self.truth(test, inner)}) " for test in node.tests)
        steps.append(f"{tests}lg_push_{tag(kind)}(X, &a{k}, {self.to(node.value, kind.of, inner)});")
        return self.aside([*steps, *ends], f"a{k}")


def is_members(node: m.Logic) -> bool:
    """Whether this asks for the members of a set, where they are remembered first."""
    return isinstance(node.parts[0], m.Call) and node.parts[0].function == "BITS"
