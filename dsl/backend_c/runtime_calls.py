"""Translates runtime calls and method calls to C (support.h, open.h, trails.h). A mixin of CExpressionWriter, which
translates the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir import nodes as m
from ..ir.infer import InferencePass, Scope
from ..ir.value_types import (
    MASK,
    WORD,
    Kind,
    ListKind,
    MapKind,
    MembersKind,
    RangeKind,
    SetKind,
    TupleKind,
    UnsupportedConstructError,
    WordKind,
    describe_kind,
    storage_kind,
)
from .protocols import CProgramApi
from .types import c_type_name, convert_expression, kind_tag

CELL_SET, NUMBER_LIST, PAIR_LIST = SetKind(WORD), ListKind(WORD), ListKind(ListKind(WORD))
# Functions of these headers with the same name and arguments as in Python: the kinds of their arguments.
# None: the table of neighbours.
DIRECT_CALLS: dict[str, tuple[Kind | None, ...]] = {
    "charge": (WORD,),
    "tiers": (PAIR_LIST,),
    "tiers_open": (PAIR_LIST,),
    "spread": (MASK, MASK, None),
    "regions": (MASK, None),
    "rim": (MASK, None),
    "subsets": (MASK,),
    "subsets_of": (MASK, WORD),
    "amounts": (NUMBER_LIST, WORD, WORD),
    "rank_bag": (NUMBER_LIST,),
    "unrank_bag": (WORD, WORD),
    "packed": (MASK,),
    "unpacked": (WORD,),
    "within": (WORD, WORD, MASK, None),
    "coast": (MASK, None, MASK, MASK),
    "near_open": (WORD, NUMBER_LIST),
    "region_open": (WORD, CELL_SET, NUMBER_LIST),
    "regions_open": (CELL_SET, NUMBER_LIST),
    "rim_open": (CELL_SET, NUMBER_LIST),
    "within_open": (WORD, WORD, CELL_SET, NUMBER_LIST),
    "coast_open": (CELL_SET, NUMBER_LIST, WORD),
    "distance_open": (WORD, WORD, WORD),
    "span_open": (WORD, WORD, WORD),
    "disc_open": (WORD, WORD, WORD),
    "longest_trail": (PAIR_LIST, MASK, MASK, WORD),
}


def render_nested_size(kind: Kind | None, name: str) -> str:
    """Returns the C expression for the number of things in nested lists and sets, at all levels."""
    match kind:
        case ListKind(of=inside) | SetKind(of=inside) if isinstance(inside, ListKind | SetKind):
            one = f"{name}{name[0]}"
            return (f"({{ i64 w{name} = {name}.n; for (i64 n{name} = 0; n{name} < {name}.n; n{name}++) {{ {c_type_name(inside)} {one} = "
                    f"{name}.v[n{name}]; w{name} += {render_nested_size(inside, one)}; }} w{name}; }})")
        case ListKind() | SetKind():
            return f"{name}.n"
    raise UnsupportedConstructError(f"the size of {describe_kind(kind)}")


class RuntimeCallWriter:
    """Has a method `call_NAME` for each runtime function that is not in DIRECT_CALLS."""

    if TYPE_CHECKING:
        module: CProgramApi
        found: InferencePass

        def kind_of(self, node: m.IrExpr, scope: Scope) -> Kind | None: ...
        def render(self, node: m.IrExpr, scope: Scope) -> str: ...
        def render_as(self, node: m.IrExpr, wanted: Kind | None, scope: Scope) -> str: ...
        def render_word(self, node: m.IrExpr, scope: Scope) -> str: ...
        def slot_reference(self, at: m.IrExpr, scope: Scope, field: str = "s") -> str: ...
        def render_offset(self, node: m.IrExpr, scope: Scope) -> str: ...
        def slot_target(self, at: m.IrExpr, scope: Scope, field: str = "s") -> str: ...
        def render_index(self, things: m.IrExpr, index: m.IrExpr, scope: Scope) -> str: ...
        def statement_expression(self, steps: list[str], result: str) -> str: ...
        def range_bounds(self, node: m.IrExpr, scope: Scope) -> tuple[str, str]: ...

    def call_fault(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        return "lg_leave(X, LG_FAULT)"

    def call_bits(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        return self.render_as(args[0], MASK, scope)

    def call_len(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        if isinstance(self.kind_of(args[0], scope), MembersKind):
            return f"lg_count({self.render(args[0], scope)})"
        return f"({self.render_as(args[0], storage_kind(self.kind_of(args[0], scope)), scope)}).n"

    def call_tuple(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        return self.render_as(args[0], self.kind_of(node, scope), scope) if args else "(t_qw){0}"

    def call_list(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        kind = self.kind_of(node, scope)
        text = self.call_tuple(node, args, scope)
        return (
            text
            if not args or not isinstance(kind, ListKind) or isinstance(args[0], m.MethodCall)
            else f"lg_copy_{kind_tag(kind)}(X, {text})"
        )

    def call_charge_items(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        raise UnsupportedConstructError("what costs steps outside of a loop")

    def call_check_length(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        return f"lg_check_length(X, {self.call_len(node, args, scope)}, LG_LONGEST)"

    def call_check_total_size(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        kind = storage_kind(self.kind_of(args[0], scope))
        text = self.render_as(args[0], kind, scope)
        limit, unit = (self.render_word(arg, scope) for arg in args[1:3])
        return f"({{ {c_type_name(kind)} q = {text}; lg_check_length(X, {render_nested_size(kind, 'q')} * {unit}, {limit}); }})"

    def call_sum(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        match args[0]:
            case m.LoadSlots(low=low, high=high) if self.found.locate_slot(low)[0].kind == WORD:                 # without a copy
                first, count = self.slot_reference(low, scope), self.render_offset(m.BinaryOp(high, "-", low), scope)
                return (f"({{ __typeof__(&{first}) w = &{first}; i64 to = 0; "
                        f"for (i64 n = 0; n < {count}; n++) to = lg_add(X, to, w[n]); to; }})")
        return f"lg_sum(X, {self.render_numbers(args[0], scope)})"

    def render_numbers(self, node: m.IrExpr, scope: Scope) -> str:
        return self.render_as(node, NUMBER_LIST, scope)

    def call_min(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        return self.render_extreme(args, "lg_least", "<", scope)

    def call_max(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        return self.render_extreme(args, "lg_most", ">", scope)

    def render_extreme(self, args: list[m.IrExpr], name: str, sign: str, scope: Scope) -> str:
        if len(args) == 1:
            kind = self.kind_of(args[0], scope)
            wanted = kind if isinstance(kind, ListKind) and isinstance(kind.of, ListKind | TupleKind) else ListKind(WORD)
            return f"{name}_{kind_tag(wanted)}(X, {self.render_as(args[0], wanted, scope)})"
        steps = [f"i64 n = {self.render_word(args[0], scope)};"]
        steps += [f"{{ i64 k = {self.render_word(arg, scope)}; if (k {sign} n) n = k; }}" for arg in args[1:]]
        return self.statement_expression(steps, "n")

    def call_only(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        return f"lg_only({self.render_as(args[0], MASK, scope)})"

    def call_sorted(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        if node.named:
            kind = self.kind_of(args[0], scope)
            match kind:
                case ListKind(of=None):
                    return "(t_qw){0}"
                case ListKind(of=ListKind(of=WordKind())) | ListKind(of=TupleKind(parts=(WordKind(), *_))):
                    return f"{self.module.types.sort_function(kind)}(X, {self.render(args[0], scope)})"
            raise UnsupportedConstructError(f"{describe_kind(kind)} sorted by what stands first")
        if isinstance(self.kind_of(args[0], scope), SetKind):           # it is already sorted
            return self.render(args[0], scope)
        return f"lg_ranked_qw(X, {self.render_numbers(args[0], scope)})"

    call_in_order = call_sort_values = call_sorted

    def call_frozenset(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        if not args:
            return "(t_qw){0}"
        given = self.kind_of(args[0], scope)
        match given:
            case SetKind():
                return self.render(args[0], scope)
            case MapKind():
                return self.render_cells(args[0], scope)
        kind = self.kind_of(node, scope)
        assert isinstance(kind, SetKind)
        if kind.of is None:
            return "(t_qw){0}"
        self.module.types.declare_type(kind)
        return f"lg_group_{kind_tag(kind)}(X, {self.render_as(args[0], ListKind(kind.of), scope)})"

    call_set = call_frozenset

    def render_cells(self, node: m.IrExpr, scope: Scope) -> str:
        """Returns the cells where a map has a value."""
        kind = self.kind_of(node, scope)
        self.module.types.declare_type(kind)
        return f"lg_cells_{kind_tag(kind)}(X, {self.render(node, scope)})"

    def call_held(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        return self.render_cells(args[0], scope)

    def call_put(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        kind = self.kind_of(node, scope)
        assert isinstance(kind, MapKind)
        self.module.types.declare_type(kind)
        before, cell, *values = args
        given = ", ".join(self.render_as(value, kind.of, scope) for value in values)
        row = c_type_name(kind)
        return (f"({{ {row} b = {self.render_as(before, kind, scope)}; if (LG_SELDOM(b.n > LG_LONG)) lg_charge(X, b.n >> 2); "
                f"lg_laid_{kind_tag(kind)}(X, b, {self.render_word(cell, scope)}, {given}); }})")

    def call_iter(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        return self.render(args[0], scope)

    def call_next(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        kind = self.kind_of(args[0], scope)
        if isinstance(kind, SetKind) and kind.of is not None:
            return f"({{ {c_type_name(kind)} q = {self.render(args[0], scope)}; q.v[lg_at(X, 0, q.n)]; }})"
        return self.render_index(args[0], m.IntConst(0), scope)

    def render_direct_call(self, name: str, args: list[m.IrExpr], scope: Scope) -> str:
        """Returns the call of a function in DIRECT_CALLS."""
        texts = [
            self.neighbour_masks(arg) if kind is None else self.render_as(arg, kind, scope) for arg, kind in zip(args, DIRECT_CALLS[name])
        ]
        return f"lg_{name}(X, {', '.join(texts)})"

    def call_shuffled(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        return f"lg_shuffled(X, LG_CHANCE, {self.render_numbers(args[0], scope)})"

    def call_without(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        kind = self.kind_of(node, scope)
        return f"lg_without_{kind_tag(kind)}(X, {self.render_as(args[0], kind, scope)}, {self.render_as(args[1], kind, scope)})"

    def call_chance(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        options = args[0]
        match self.kind_of(options, scope):
            case MembersKind():
                return f"({{ lg_mask o = {self.render(options, scope)}; lg_nth(X, o, lg_drawn(LG_CHANCE, lg_count(o))); }})"
            case RangeKind():
                low, end = self.range_bounds(options, scope)
                return f"({{ i64 l = {low}, n = lg_sub(X, {end}, l); if (n <= 0) lg_leave(X, LG_ODD); l + lg_drawn(LG_CHANCE, n); }})"
        return f"({{ t_qw o = {self.render_numbers(options, scope)}; o.v[lg_at(X, lg_drawn(LG_CHANCE, o.n), o.n)]; }})"

    def call_draw_bag(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        return f"lg_draw(X, LG_CHANCE, &{self.slot_target(args[0], scope)}, {self.render_word(args[1], scope)})"

    def neighbour_masks(self, node: m.IrExpr) -> str:
        """Returns the neighbours of each cell, from a constant."""
        if not isinstance(node, m.ConstantRef):
            raise UnsupportedConstructError("cells beside cells that are no constant")
        return self.module.mask_array(node.name)

    def call_flooded(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        return self.render_direct_call("spread", args, scope)                   # in C a full flood fill is fast enough without a cache

    def call_recall_ways(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        return f"lg_recall_ways({self.render_recent_ways(args[0])}, {self.render_word(args[1], scope)})"

    def call_note_way(self, node: m.CallExpr, args: list[m.IrExpr], scope: Scope) -> str:
        log, width = self.render_numbers(args[1], scope), self.render_word(args[2], scope)
        return f"lg_note_way({self.render_recent_ways(args[0])}, {log}, {width})"

    def render_recent_ways(self, node: m.IrExpr) -> str:
        """Returns the address of a cache of ways in the context."""
        assert isinstance(node, m.ConstantRef)
        return f"&g->w{node.name}"

    def render_method(self, node: m.MethodCall, scope: Scope) -> str:
        if node.name == "fromkeys":
            kind = self.kind_of(node, scope)
            return f"lg_unique_{kind_tag(kind)}(X, {self.render_as(node.args[0], kind, scope)})"
        kind = self.kind_of(node.thing, scope)
        match node.name:
            case "get":
                wanted = self.kind_of(node, scope)
                if not isinstance(kind, MapKind) or kind.of is None:   # the map is always empty
                    return self.render_as(node.args[1], wanted, scope)
                cell = self.render_word(node.args[0], scope)
                self.module.types.declare_type(kind)
                found = f"lg_get_{kind_tag(kind)}({self.render(node.thing, scope)}, {cell}, {self.render_as(node.args[1], kind.of, scope)})"
                return convert_expression(found, kind.of, wanted)
            case "union":
                found = self.render_as(node.thing, CELL_SET, scope)
                for arg in node.args:
                    found = self.render_union(found, arg.things if isinstance(arg, m.StarredExpr) else m.TupleDisplay((arg,)), scope)
                return found
            case "bit_count":
                return f"lg_count({self.render_as(node.thing, MASK, scope)})"
            case "bit_length":
                match node.thing:
                    case m.BinaryOp(left=left, sign="&", right=m.UnaryOp(sign="-", value=value)) if left == value:
                        return f"({{ lg_mask m = {self.render_as(left, MASK, scope)}; lg_any(m) ? lg_first(m) + 1 : 0; }})"
                return f"lg_length({self.render_as(node.thing, MASK, scope)})"
            case "index":
                wanted = storage_kind(kind)
                assert isinstance(wanted, ListKind)
                items, item = self.render_as(node.thing, wanted, scope), self.render_as(node.args[0], wanted.of, scope)
                return f"lg_index_{kind_tag(wanted)}(X, {items}, {item})"
            case "copy":
                return f"lg_copy_{kind_tag(storage_kind(kind))}(X, {self.render_as(node.thing, storage_kind(kind), scope)})"
        raise UnsupportedConstructError(f"the method {node.name}")

    def render_union(self, first: str, things: m.IrExpr, scope: Scope) -> str:
        """Returns the union of a set of cells with all cells in some maps or sets."""
        kind = self.kind_of(things, scope)
        match kind:
            case ListKind(of=MapKind() as inside):
                self.module.types.declare_type(inside)
                each = f"lg_cells_{kind_tag(inside)}(X, q.v[n])"
            case ListKind(of=SetKind(of=WordKind())):
                each = "q.v[n]"
            case _:
                raise UnsupportedConstructError(f"the union of {describe_kind(kind)}")
        return (f"({{ t_qw u = {first}; {c_type_name(kind)} q = {self.render(things, scope)}; "
                f"for (i64 n = 0; n < q.n; n++) u = lg_joined_qw(X, u, {each}, 1, 1, 1); u; }})")
