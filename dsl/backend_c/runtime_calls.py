"""What the machine calls of the runtime, and what values are asked themselves, as C (support.h, open.h). A part of `Expressions`, which
writes the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir import nodes as m
from ..ir.infer import Pass, Scope
from ..ir.value_types import MASK, WORD, Group, Kind, Map, Members, Numbers, Row, Seq, Unknown, Word, shown, solid
from .protocols import Module
from .types import converted, named, tag

CELLS, LISTED, PAIRS = Group(WORD), Seq(WORD), Seq(Seq(WORD))
# Functions of support.h and open.h that are written as they stand: the kinds of their arguments; None: the cells beside each cell.
GIVEN: dict[str, tuple[Kind | None, ...]] = {
    "charge": (WORD,), "sum": (LISTED,), "tiers": (PAIRS,), "tiers_open": (PAIRS,),
    "spread": (MASK, MASK, None), "regions": (MASK, None), "rim": (MASK, None),
    "subsets": (MASK,), "subsets_of": (MASK, WORD), "packed": (MASK,), "unpacked": (WORD,),
    "within": (WORD, WORD, MASK, None), "coast": (MASK, None, MASK, MASK),
    "near_open": (WORD, LISTED), "region_open": (WORD, CELLS, LISTED), "regions_open": (CELLS, LISTED), "rim_open": (CELLS, LISTED),
    "within_open": (WORD, WORD, CELLS, LISTED), "coast_open": (CELLS, LISTED, WORD),
    "distance_open": (WORD, WORD, WORD), "span_open": (WORD, WORD, WORD), "disc_open": (WORD, WORD, WORD),
}


def weight(kind: Kind | None, name: str) -> str:
    """How many things are in lists and sets within each other, with these themselves."""
    match kind:
        case Seq(of=inside) | Group(of=inside) if isinstance(inside, Seq | Group):
            one = f"{name}{name[0]}"
            return (f"({{ i64 w{name} = {name}.n; for (i64 n{name} = 0; n{name} < {name}.n; n{name}++) {{ {named(inside)} {one} = "
                    f"{name}.v[n{name}]; w{name} += {weight(inside, one)}; }} w{name}; }})")
        case Seq() | Group():
            return f"{name}.n"
    raise Unknown(f"the size of {shown(kind)}")


class Calls:
    """A method for each function of the runtime that is not in GIVEN: its name with `call_` before it."""

    if TYPE_CHECKING:
        module: Module
        found: Pass

        def kind(self, node: m.Expr, scope: Scope) -> Kind | None: ...
        def of(self, node: m.Expr, scope: Scope) -> str: ...
        def to(self, node: m.Expr, wanted: Kind | None, scope: Scope) -> str: ...
        def word(self, node: m.Expr, scope: Scope) -> str: ...
        def place(self, at: m.Expr, scope: Scope, field: str = "s") -> str: ...
        def target(self, at: m.Expr, scope: Scope, field: str = "s") -> str: ...
        def at(self, things: m.Expr, index: m.Expr, scope: Scope) -> str: ...
        def aside(self, steps: list[str], result: str) -> str: ...
        def ends(self, node: m.Expr, scope: Scope) -> tuple[str, str]: ...

    def call_fault(self, node: m.Call, args: list[m.Expr], scope: Scope) -> str:
        return "lg_leave(X, LG_FAULT)"

    def call_bits(self, node: m.Call, args: list[m.Expr], scope: Scope) -> str:
        return self.to(args[0], MASK, scope)

    def call_len(self, node: m.Call, args: list[m.Expr], scope: Scope) -> str:
        if isinstance(self.kind(args[0], scope), Members):
            return f"lg_count({self.of(args[0], scope)})"
        return f"({self.to(args[0], solid(self.kind(args[0], scope)), scope)}).n"

    def call_int(self, node: m.Call, args: list[m.Expr], scope: Scope) -> str:
        return self.word(args[0], scope)

    def call_tuple(self, node: m.Call, args: list[m.Expr], scope: Scope) -> str:
        return self.to(args[0], self.kind(node, scope), scope) if args else "(t_qw){0}"

    def call_list(self, node: m.Call, args: list[m.Expr], scope: Scope) -> str:
        kind = self.kind(node, scope)
        text = self.call_tuple(node, args, scope)
        return text if not args or not isinstance(kind, Seq) or isinstance(args[0], m.Method) else f"lg_copy_{tag(kind)}(X, {text})"

    def call_walked(self, node: m.Call, args: list[m.Expr], scope: Scope) -> str:
        raise Unknown("what costs steps outside of a loop")

    def call_sized(self, node: m.Call, args: list[m.Expr], scope: Scope) -> str:
        return f"lg_sized(X, {self.call_len(node, args, scope)}, LG_LONGEST)"

    def call_weighed(self, node: m.Call, args: list[m.Expr], scope: Scope) -> str:
        kind = solid(self.kind(args[0], scope))
        text = self.to(args[0], kind, scope)
        limit, unit = (self.word(arg, scope) for arg in args[1:3])
        return f"({{ {named(kind)} q = {text}; lg_sized(X, {weight(kind, 'q')} * {unit}, {limit}); }})"

    def numbers_of(self, node: m.Expr, scope: Scope) -> str:
        return self.to(node, LISTED, scope)

    def call_min(self, node: m.Call, args: list[m.Expr], scope: Scope) -> str:
        return self.extreme(args, "lg_least", "<", scope)

    def call_max(self, node: m.Call, args: list[m.Expr], scope: Scope) -> str:
        return self.extreme(args, "lg_most", ">", scope)

    def extreme(self, args: list[m.Expr], name: str, sign: str, scope: Scope) -> str:
        if len(args) == 1:
            kind = self.kind(args[0], scope)
            wanted = kind if isinstance(kind, Seq) and isinstance(kind.of, Seq | Row) else Seq(WORD)
            return f"{name}_{tag(wanted)}(X, {self.to(args[0], wanted, scope)})"
        steps = [f"i64 n = {self.word(args[0], scope)};"]
        steps += [f"{{ i64 k = {self.word(arg, scope)}; if (k {sign} n) n = k; }}" for arg in args[1:]]
        return self.aside(steps, "n")

    def call_only(self, node: m.Call, args: list[m.Expr], scope: Scope) -> str:
        return f"lg_only({self.to(args[0], MASK, scope)})"

    def call_sorted(self, node: m.Call, args: list[m.Expr], scope: Scope) -> str:
        if node.named:
            kind = self.kind(args[0], scope)
            match kind:
                case Seq(of=None):
                    return "(t_qw){0}"
                case Seq(of=Seq(of=Word())) | Seq(of=Row(parts=(Word(), *_))):
                    return f"{self.module.types.sorter(kind)}(X, {self.of(args[0], scope)})"
            raise Unknown(f"{shown(kind)} sorted by what stands first")
        if isinstance(self.kind(args[0], scope), Group):           # it lies in order
            return self.of(args[0], scope)
        return f"lg_ranked_qw(X, {self.numbers_of(args[0], scope)})"

    call_in_order = call_ordered = call_sorted

    def call_frozenset(self, node: m.Call, args: list[m.Expr], scope: Scope) -> str:
        if not args:
            return "(t_qw){0}"
        given = self.kind(args[0], scope)
        match given:
            case Group():
                return self.of(args[0], scope)
            case Map():
                return self.cells_of(args[0], scope)
        kind = self.kind(node, scope)
        assert isinstance(kind, Group)
        if kind.of is None:
            return "(t_qw){0}"
        self.module.types.need(kind)
        return f"lg_group_{tag(kind)}(X, {self.to(args[0], Seq(kind.of), scope)})"

    call_set = call_frozenset

    def cells_of(self, node: m.Expr, scope: Scope) -> str:
        """The cells where something lies."""
        kind = self.kind(node, scope)
        self.module.types.need(kind)
        return f"lg_cells_{tag(kind)}(X, {self.of(node, scope)})"

    def call_held(self, node: m.Call, args: list[m.Expr], scope: Scope) -> str:
        return self.cells_of(args[0], scope)

    def call_put(self, node: m.Call, args: list[m.Expr], scope: Scope) -> str:
        kind = self.kind(node, scope)
        assert isinstance(kind, Map)
        self.module.types.need(kind)
        before, cell, *values = args
        given = ", ".join(self.to(value, kind.of, scope) for value in values)
        row = named(kind)
        return (f"({{ {row} b = {self.to(before, kind, scope)}; if (LG_SELDOM(b.n > LG_LONG)) lg_charge(X, b.n >> 2); "
                f"lg_laid_{tag(kind)}(X, b, {self.word(cell, scope)}, {given}); }})")

    def call_iter(self, node: m.Call, args: list[m.Expr], scope: Scope) -> str:
        return self.of(args[0], scope)

    def call_next(self, node: m.Call, args: list[m.Expr], scope: Scope) -> str:
        kind = self.kind(args[0], scope)
        if isinstance(kind, Group) and kind.of is not None:
            return f"({{ {named(kind)} q = {self.of(args[0], scope)}; q.v[lg_at(X, 0, q.n)]; }})"
        return self.at(args[0], m.Num(0), scope)

    def given(self, name: str, args: list[m.Expr], scope: Scope) -> str:
        """A call of a function in GIVEN."""
        texts = [self.near(arg) if kind is None else self.to(arg, kind, scope) for arg, kind in zip(args, GIVEN[name])]
        return f"lg_{name}(X, {', '.join(texts)})"

    def call_shuffled(self, node: m.Call, args: list[m.Expr], scope: Scope) -> str:
        return f"lg_shuffled(X, LG_CHANCE, {self.numbers_of(args[0], scope)})"

    def call_without(self, node: m.Call, args: list[m.Expr], scope: Scope) -> str:
        kind = self.kind(node, scope)
        return f"lg_without_{tag(kind)}(X, {self.to(args[0], kind, scope)}, {self.to(args[1], kind, scope)})"

    def call_chance(self, node: m.Call, args: list[m.Expr], scope: Scope) -> str:
        options = args[0]
        match self.kind(options, scope):
            case Members():
                return f"({{ lg_mask o = {self.of(options, scope)}; lg_nth(X, o, lg_drawn(LG_CHANCE, lg_count(o))); }})"
            case Numbers():
                low, end = self.ends(options, scope)
                return f"({{ i64 l = {low}, n = lg_sub(X, {end}, l); if (n <= 0) lg_leave(X, LG_ODD); l + lg_drawn(LG_CHANCE, n); }})"
        return f"({{ t_qw o = {self.numbers_of(options, scope)}; o.v[lg_at(X, lg_drawn(LG_CHANCE, o.n), o.n)]; }})"

    def call_draw_bag(self, node: m.Call, args: list[m.Expr], scope: Scope) -> str:
        return f"lg_draw(X, LG_CHANCE, &{self.target(args[0], scope)}, {self.word(args[1], scope)})"

    def near(self, node: m.Expr) -> str:
        """The cells beside each cell, from a constant."""
        if not isinstance(node, m.Table):
            raise Unknown("cells beside cells that are no constant")
        return self.module.masks(node.name)

    def call_flooded(self, node: m.Call, args: list[m.Expr], scope: Scope) -> str:
        return self.given("spread", args, scope)                   # which floods so quickly that it need not remember

    def method(self, node: m.Method, scope: Scope) -> str:
        if node.name == "fromkeys":
            kind = self.kind(node, scope)
            return f"lg_unique_{tag(kind)}(X, {self.to(node.args[0], kind, scope)})"
        kind = self.kind(node.thing, scope)
        match node.name:
            case "get":
                wanted = self.kind(node, scope)
                if not isinstance(kind, Map) or kind.of is None:   # nothing is ever put there
                    return self.to(node.args[1], wanted, scope)
                cell = self.word(node.args[0], scope)
                self.module.types.need(kind)
                found = f"lg_get_{tag(kind)}({self.of(node.thing, scope)}, {cell}, {self.to(node.args[1], kind.of, scope)})"
                return converted(found, kind.of, wanted)
            case "union":
                found = self.to(node.thing, CELLS, scope)
                for arg in node.args:
                    found = self.united(found, arg.things if isinstance(arg, m.Star) else m.Tup((arg,)), scope)
                return found
            case "bit_count":
                return f"lg_count({self.to(node.thing, MASK, scope)})"
            case "bit_length":
                match node.thing:
                    case m.Op(left=left, sign="&", right=m.Un(sign="-", value=value)) if left == value:
                        return f"({{ lg_mask m = {self.to(left, MASK, scope)}; lg_any(m) ? lg_first(m) + 1 : 0; }})"
                return f"lg_length({self.to(node.thing, MASK, scope)})"
            case "index":
                wanted = solid(kind)
                assert isinstance(wanted, Seq)
                return f"lg_index_{tag(wanted)}(X, {self.to(node.thing, wanted, scope)}, {self.to(node.args[0], wanted.of, scope)})"
            case "copy":
                return f"lg_copy_{tag(solid(kind))}(X, {self.to(node.thing, solid(kind), scope)})"
        raise Unknown(f"the method {node.name}")

    def united(self, first: str, things: m.Expr, scope: Scope) -> str:
        """A set of cells with all that lie in some maps or sets."""
        kind = self.kind(things, scope)
        match kind:
            case Seq(of=Map() as inside):
                self.module.types.need(inside)
                each = f"lg_cells_{tag(inside)}(X, q.v[n])"
            case Seq(of=Group(of=Word())):
                each = "q.v[n]"
            case _:
                raise Unknown(f"the union of {shown(kind)}")
        return (f"({{ t_qw u = {first}; {named(kind)} q = {self.of(things, scope)}; "
                f"for (i64 n = 0; n < q.n; n++) u = lg_joined_qw(X, u, {each}, 1, 1, 1); u; }})")
