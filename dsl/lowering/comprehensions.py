"""Iteration over sets: binders become nested loops, and folds such as `any`, `count` or `set` become loops over
them.

Each condition is tested as early as its names are known. `Comprehensions` is a mixin of `ExpressionLowering`,
which compiles the expressions inside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, assert_never, cast

from ..analysis.cost import is_costly
from ..core import nodes as core
from ..core.nodes import LocalVar
from ..core.walk import find_locals, negate, split_conjuncts
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import FunctionBuilder, add_offset
from ..ir.limits import FLOOD_CACHE_SIZE, MAX_LIST_LENGTH
from ..ir.program import RecentFloods
from ..storage.layout import Layout
from ..types.boards import OPEN_SPAN
from ..types.operations import RELATION_FUNCTIONS
from ..types.types import WORD_TYPES, BagOf, Int, ListOf, MemberOf, OptionalOf, SetOf, Type
from .builtins import make_mask_table
from .member_filters import is_total
from .protocols import ExpressionApi, ModuleApi
from .static_tables import find_read_locals, is_data_only
from .ways import lower_longest, lower_shortest


class Comprehensions:
    """Compiles binders and folds. Mixin of `ExpressionLowering`."""

    if TYPE_CHECKING:
        w: ModuleApi
        layout: Layout
        model: Any
        code: FunctionBuilder
        env: dict[LocalVar, m.IrExpr]
        aliases: dict[LocalVar, LocalVar]

        def lower(self, node: core.Expr) -> m.IrExpr: ...
        def emit(self, node: m.IrStmt) -> None: ...
        def assign(self, name: str, value: b.Value) -> None: ...
        def temp(self, value: m.IrExpr, hint: str = "t") -> m.IrExpr: ...
        def const(self, value: Any) -> m.IrExpr: ...
        def read_local(self, local: LocalVar) -> m.IrExpr: ...
        def constant_of(self, node: core.Expr) -> Any: ...
        def is_none(self, value: m.IrExpr, inner: Any) -> m.IrExpr: ...
        def lower_aside(self, node: core.Expr) -> tuple[m.IrExpr, m.Body]: ...
        def find_bag_address(self, node: core.Expr) -> m.IrExpr | None: ...

    # ------------------------------------------------------------ binders

    def open_gens(self, gens: Sequence[core.GeneratorBinding], where: Sequence[core.Expr]) -> list[str]:
        """Emits the heads of nested loops over `gens` and tests each condition as early as its names are known.

        Returns the open levels (`for` or `if`). The caller emits the body and passes them to `close_gens`."""
        levels: list[str] = []
        waiting = list(where)
        bound_later = [local for gen in gens for local in gen.locals]
        self.open_conditions(waiting, bound_later, levels)
        for n, gen in enumerate(gens):
            self.open_gen(gen, levels, self.apply_value_index(gens[n:], waiting, bound_later))
            for local in gen.locals:
                bound_later.remove(local)
            self.open_conditions(waiting, bound_later, levels)
        return levels

    def open_conditions(self, waiting: list[core.Expr], later_locals: Iterable[LocalVar], levels: list[str]) -> None:
        """Emits a test for each condition whose names are known by now, and removes it from `waiting`.

        An expensive condition waits as long as a cheap one before it in the text cannot be tested yet. The cheap ones of
        these conditions come first, if none of them can be a fault."""
        cheap_before, ready = False, []
        for condition in waiting:
            if find_read_locals(cast(ExpressionApi, self), condition) & set(later_locals):
                cheap_before = cheap_before or not self.is_expensive(condition)
                continue
            if cheap_before and self.is_expensive(condition):
                continue
            ready.append(condition)
        for condition in self.order_by_cost(ready):
            waiting.remove(condition)
            known = self.constant_of(condition)
            if known:
                continue
            self.code.enter_block(m.IfStmt(self.lower(condition)))
            levels.append("if")

    def order_by_cost(self, conditions: Sequence[core.Expr]) -> list[core.Expr]:
        """Returns the conditions with the expensive ones last, or in their order if a test of one of them can be a fault."""
        x = cast(ExpressionApi, self)
        expensive = [condition for condition in conditions if self.is_expensive(condition)]
        if not expensive or not all(is_total(x, condition) for condition in conditions):
            return list(conditions)
        return [condition for condition in conditions if condition not in expensive] + expensive

    def is_expensive(self, condition: core.Expr) -> bool:
        """Whether each test of a condition iterates over many things. Conditions that depend only on static data do not
        count: they are computed once."""
        return is_costly(self.w.program, condition, self.w.facts.dear) and not is_data_only(self.w, condition)

    def apply_value_index(
        self, gens: Sequence[core.GeneratorBinding], waiting: list[core.Expr], later_locals: Iterable[LocalVar] = ()
    ) -> m.IrExpr | None:
        """Returns an up-to-date bitmask of the members of the first generator that meet some of the conditions.

        Removes these conditions from `waiting`. None if the value index answers none of them."""
        holders, x = self.w.upkeep.holders, cast(ExpressionApi, self)
        if self.max_neighbours(gens[0].source) is not None:
            return None                                            # a test of each of a few costs less than a mask
        own = {local for gen in gens[:2] for local in gen.locals}
        found = holders.find_masked_scan(x, gens[0], waiting, set(later_locals)) or holders.find_attribute_scan(
            x, gens, waiting, set(later_locals) - own
        )
        if found is None:
            return None
        for condition in found.met:
            waiting.remove(condition)
        return found.mask

    def open_gen(self, gen: core.GeneratorBinding, levels: list[str], held_mask: m.IrExpr | None = None) -> None:
        """Emits the head of the loop over one generator and appends its levels to `levels`.

        With `held_mask`, the loop visits only the members in this bitmask."""
        variable = self.w.fresh.local_name(gen.local)
        one = m.Var(variable)
        source, found = gen.source, gen.source.type
        self.env[gen.local] = one
        if held_mask is not None:
            assert isinstance(gen.local.type, MemberOf)
            size = len(self.model.enums[gen.local.type.name])
            self.code.enter_block(m.ForStmt((variable,), m.BoundedIter(b.iter_members(self.temp(held_mask, "m")), size)))
            levels.append("for")
            return
        if isinstance(found, OptionalOf):
            name = variable if isinstance(found.of, WORD_TYPES) else self.w.fresh.temp_name("o")
            self.assign(name, self.lower(source))
            self.code.enter_block(m.IfStmt(b.logical_not(self.is_none(m.Var(name), found.of))))
            if name != variable:
                self.assign(variable, m.PresentValue(m.Var(name)))
            levels.append("if")
            return
        if gen.number is not None:
            number = self.w.fresh.local_name(gen.number)
            self.env[gen.number] = m.Var(number)
            self.code.enter_block(m.ForStmt((number, variable), b.call("enumerate", self.lower_iterable(source), 1)))
            levels.append("for")
            return
        base = self.find_bag_address(source) if isinstance(found, BagOf) else None
        if base is not None:
            assert isinstance(found, BagOf)
            width = len(self.model.enums[found.of.name])
            start = self.temp(base, "k")
            self.code.enter_block(m.ForStmt((variable,), b.call("range", width)))
            self.code.enter_block(m.IfStmt(b.load_slot(add_offset(start, one))))
            levels += ["for", "if"]
            return
        things, most = self.lower_iterable(source), self.max_neighbours(source)
        self.code.enter_block(m.ForStmt((variable,), things if most is None else m.BoundedIter(things, most)))
        levels.append("for")

    def find_neighbour_table(self, node: core.Expr) -> m.IrExpr | None:
        """Returns a precomputed tuple for `near(x)`, `corners(x)` and the like on a bounded board. Otherwise None."""
        if isinstance(node, core.PrimOp) and node.op in RELATION_FUNCTIONS:
            found = node.args[0].type
            if isinstance(found, MemberOf) and not self.layout.is_open(found):
                enum = self.model.enums[found.name]
                assert enum.board is not None
                return b.index_entry(self.const(tuple(enum.board.relation(enum.kind, node.op))), self.lower(node.args[0]))
        return None

    def max_neighbours(self, node: core.Expr) -> int | None:
        """Returns the largest size of `near(x)`, `corners(x)` and the like on a bounded board, if `node` is one of these.
        Otherwise None."""
        if not isinstance(node, core.PrimOp) or node.op not in RELATION_FUNCTIONS:
            return None
        found = node.args[0].type
        if not isinstance(found, MemberOf) or self.layout.is_open(found):
            return None
        enum = self.model.enums[found.name]
        assert enum.board is not None
        return max(map(len, enum.board.relation(enum.kind, node.op)), default=0)

    def lower_open_neighbours(self, node: core.Expr) -> m.IrExpr | None:
        """Returns `near(x)` on an open board as a sorted tuple, without building a set. Otherwise None."""
        if isinstance(node, core.PrimOp) and node.op == "near":
            found = node.args[0].type
            assert isinstance(found, MemberOf)
            cell = self.temp(self.lower(node.args[0]), "n")
            steps = sorted(dq * OPEN_SPAN + dr for dq, dr in self.model.enums[found.name].board.neighbour_offsets)
            return m.TupleDisplay(tuple(b.binary_op(cell, "+" if step > 0 else "-", abs(step)) for step in steps))
        return None

    def lower_iterable(self, source: core.Expr) -> m.IrExpr:
        """Returns an iterable over the members of a set, list, pile, bag or span, in order."""
        found = source.type
        if isinstance(source, core.AllMembers):
            return b.call("range", len(self.model.enums[source.domain]))
        if isinstance(source, core.PrimOp) and source.op == "..":
            low, high = source.args
            if isinstance(high.type, Int) and high.type.high is not None and high.type.high <= MAX_LIST_LENGTH:
                numbers = b.call("range", self.lower(low), b.binary_op(self.lower(high), "+", 1))
                least = low.type.low if isinstance(low.type, Int) else None
                return numbers if least is None else m.BoundedIter(numbers, max(0, high.type.high - least + 1))
            return b.call("span", self.lower(low), self.lower(high))
        known = self.constant_of(source)
        if isinstance(found, SetOf):
            if not self.layout.is_mask_element(found.of) and not self.layout.is_open(found.of):
                return self.lower_set_iterable(self.lower(source), found.of)
            if self.layout.is_open(found.of):
                around = self.lower_open_neighbours(source)
                return around if around is not None else b.call("in_order", self.lower(source))
            table = self.find_neighbour_table(source)
            if table is not None:
                return table
            if isinstance(source, core.CollectionLiteral) and known is None and len(source.parts) == 1:
                return m.TupleDisplay((self.lower(source.parts[0]),))
            return b.call("bits", self.lower(source))
        if isinstance(found, BagOf):
            value = self.temp(self.lower(source), "g")
            return m.ListComp(m.Var("k"), ("k",), b.call("range", b.call("len", value)), (b.index_entry(value, "k"),))
        return self.lower(source)

    def lower_set_iterable(self, value: m.IrExpr, of: Type) -> m.IrExpr:
        """Returns an iterable over the members of a set value, in order."""
        if self.layout.is_mask_element(of):
            return b.call("bits", value)
        return b.call("sorted" if isinstance(of, WORD_TYPES) else "sort_values", value)

    def close_gens(self, levels: list[str], done: m.IrExpr | None = None) -> None:
        """Closes the levels that `open_gens` opened. If `done` is given, inner loops that set it also break the outer
        loops."""
        for n, level in enumerate(reversed(levels)):
            self.code.depth -= 1
            if level == "for":
                if done is not None and "for" in levels[: len(levels) - 1 - n]:
                    self.emit(m.IfStmt(done, [m.BreakStmt()]))

    # ------------------------------------------------------------ folds

    def lower_fold(self, node: core.Fold) -> m.IrExpr:
        """Compiles a fold by its kind."""
        match node.kind:
            case "any":
                return self.exists(node.gens, [*node.where, *split_conjuncts(node.value)])
            case "all":                                            # no combination violates the condition
                violated = [negate(node.value)] if node.value is not None else []
                return self.exists(node.gens, [*node.where, *violated], wanted=False)
            case "count":
                return self.lower_count(node)
            case "sum":
                return self.accumulate(node, m.IntConst(0), lambda n, v: [m.AugAssign(n, "+=", v)])
            case "highest":
                return self.lower_extreme(node, ">")
            case "lowest":
                return self.lower_extreme(node, "<")
            case "best":
                return self.lower_best(node)
            case "ranked":
                return self.lower_ranked(node)
            case "tiers":
                return self.lower_tiers(node)
            case "first":
                return self.lower_first(node)
            case "the":
                return self.lower_the(node)
            case "set":
                return self.lower_set(node)
            case "list":
                return self.lower_list(node)
            case "shortest":
                return lower_shortest(cast(ExpressionApi, self), node)
            case "longest":
                return lower_longest(cast(ExpressionApi, self), node)
            case _:
                assert_never(node.kind)

    def copy_env(self) -> dict[LocalVar, m.IrExpr]:
        """Returns a copy of the environment, to restore it after a loop."""
        return dict(self.env)

    def exists(self, gens: Sequence[core.GeneratorBinding], conditions: Sequence[core.Expr], wanted: bool = True) -> m.IrExpr:
        """Whether some combination meets all conditions, as an expression that is true or false. Negated unless
        `wanted`."""
        held = self.find_member_mask(gens, conditions) or self.find_flood_mask(gens, conditions)
        if held is not None:
            return b.binary_op(held, "!=" if wanted else "==", 0)
        saved = self.copy_env()
        name = self.w.fresh.temp_name("b")
        self.assign(name, not wanted)
        levels = self.open_gens(gens, conditions)
        self.assign(name, wanted)
        if "for" in levels:
            self.emit(m.BreakStmt())
        self.close_gens(levels, m.Var(name) if wanted else b.logical_not(name))
        self.env = saved
        return m.Var(name)

    def find_flood_mask(self, gens: Sequence[core.GeneratorBinding], conditions: Sequence[core.Expr]) -> m.IrExpr | None:
        """Returns the part of `goal` that a flood fill reaches, for conditions like
        `a in starts where size(region(a, cells) & goal) > 0`.

        One flood from all of `starts` replaces one flood for each of them. None if the condition has another form."""
        if len(gens) != 1 or len(conditions) != 1 or gens[0].number is not None:
            return None
        start = gens[0].source.type
        match conditions[0]:
            case core.PrimOp(op=">", args=(core.PrimOp(op="size", args=(core.PrimOp(op="&", args=(
                    core.PrimOp(op="region", args=(core.LocalRef(local=first), cells)), goal)),)), core.Const(value=0))):
                pass
            case _:
                return None
        if (
            first is not gens[0].local
            or first in find_locals(cells, goal)
            or not isinstance(start, SetOf)
            or not isinstance(start.of, MemberOf)
        ):
            return None
        board = self.model.enums[start.of.name].places
        if board is None or board.open:
            return None
        near = make_mask_table(cast(ExpressionApi, self), board.near)
        recent = self.w.add_constant(RecentFloods(start.of.name, FLOOD_CACHE_SIZE))
        return b.binary_op(b.call("flooded", self.lower(gens[0].source), self.lower(cells), near, recent), "&", self.lower(goal))

    def accumulate(self, node: core.Fold, start: m.IrExpr, step: Callable[[m.Var, m.IrExpr], list[m.IrStmt]]) -> m.IrExpr:
        """Returns a variable that begins with `start` and that `step(variable, value)` changes for each combination."""
        saved = self.copy_env()
        name = self.w.fresh.temp_name("n")
        self.assign(name, start)
        levels = self.open_gens(node.gens, node.where)
        for more in step(m.Var(name), self.lower_fold_value(node)):
            self.emit(more)
        self.close_gens(levels)
        self.env = saved
        return m.Var(name)

    def lower_fold_value(self, node: core.Fold) -> m.IrExpr:
        """Returns the value that a fold takes from each combination: its `value`, or the last name."""
        return self.lower(node.value) if node.value is not None else self.read_local(node.gens[-1].local)

    def lower_count(self, node: core.Fold) -> m.IrExpr:
        """`count(x in S where C)`: the number of combinations."""
        held = self.find_member_mask(node.gens, node.where)
        if held is not None:
            return b.call_method(held, "bit_count")
        return self.accumulate(node, m.IntConst(0), lambda n, v: [m.AugAssign(n, "+=", m.IntConst(1))])

    def find_member_mask(self, gens: Sequence[core.GeneratorBinding], where: Sequence[core.Expr]) -> m.IrExpr | None:
        """Returns an up-to-date bitmask of all members that an iteration visits, if the value index provides it.

        The iteration binds one name, or a cell and the thing on it. None if a condition is left over."""
        holders, x = self.w.upkeep.holders, cast(ExpressionApi, self)
        if len(gens) == 1:
            found = holders.find_masked_scan(x, gens[0], where, (), True)
        elif len(gens) == 2 and all(holders.is_attribute_condition(one, gens[1].local) for one in where):
            found = holders.find_attribute_scan(x, gens, where, (), True)
        else:
            return None
        return None if found is None or found.left else found.mask

    def find_result_mask(self, node: core.Fold) -> m.IrExpr | None:
        """Returns the bitmask of the values that a fold takes, if these are the members of its first generator."""
        if isinstance(node.value, core.LocalRef) and node.value.local is node.gens[0].local or node.value is None and len(node.gens) == 1:
            return self.find_member_mask(node.gens, node.where)
        return None

    def lower_extreme(self, node: core.Fold, sign: Literal["<", ">"]) -> m.IrExpr:
        """Returns the largest (`sign` is `>`) or smallest value of a fold, or 0 if there are no combinations."""
        def step(name: m.Var, value: m.IrExpr) -> list[m.IrStmt]:
            better = m.BoolOp("or", (b.binary_op(name, "is", m.NoneConst()), b.binary_op("x", sign, name)))
            return [m.AssignStmt(("x",), value), m.IfStmt(better, [m.AssignStmt((name.name,), m.Var("x"))])]

        return m.BoolOp("or", (self.accumulate(node, m.NoneConst(), step), m.IntConst(0)))

    def lower_set(self, node: core.Fold) -> m.IrExpr:
        """`set(x in S where C: e)`: the set of the values. Read from an incremental set or the value index if possible."""
        assert isinstance(node.type, SetOf)
        inner = node.type.of
        if node.value is None and len(node.gens) == 1:
            kept = self.w.upkeep.read_mask(cast(ExpressionApi, self), node.gens[0], node.where)
            if kept is not None:
                return kept
        held = self.find_result_mask(node)
        if held is None and self.layout.is_mask_element(inner):
            held = self.w.upkeep.holders.lower_masked_table(cast(ExpressionApi, self), node)
        if held is not None:
            return held
        if self.layout.is_open(inner):
            return b.call("frozenset", self.accumulate(node, b.call("set"), lambda n, v: [m.ExprStmt(b.call_method(n, "add", v))]))
        return self.accumulate(node, m.IntConst(0), lambda n, v: [m.AugAssign(n, "|=", b.bit_mask(v))])

    def lower_list(self, node: core.Fold) -> m.IrExpr:
        """`list(x in S where C: e)`: the list of the values."""
        return b.call("tuple", self.accumulate(node, m.ListDisplay(), lambda n, v: [m.ExprStmt(b.call_method(n, "append", v))]))

    def lower_ranked_pairs(self, node: core.Fold) -> m.IrExpr:
        """Returns a list of (negated value, member), which sorts the best member first."""
        saved = self.copy_env()
        name = self.w.fresh.temp_name("l")
        self.assign(name, m.ListDisplay())
        levels = self.open_gens(node.gens, node.where)
        assert node.value is not None
        value = self.lower(node.value)
        self.emit(m.ExprStmt(b.call_method(name, "append", m.TupleDisplay((m.UnaryOp("-", value), self.read_local(node.gens[-1].local))))))
        self.close_gens(levels)
        self.env = saved
        return m.Var(name)

    def lower_best(self, node: core.Fold) -> m.IrExpr:
        """`best(x in S: n)`: the set of members with the highest value."""
        assert isinstance(node.type, SetOf)
        inner = node.type.of
        if not self.layout.is_mask_element(inner):
            pairs = self.lower_ranked_pairs(node)
            least = b.index_entry(b.call("min", pairs), 0)
            best = m.ListComp(m.Var("x"), ("v", "x"), pairs, (b.binary_op("v", "==", least),), built=False)
            return m.IfExpr(b.logical_not(pairs), b.call("frozenset"), b.call("frozenset", best))
        saved = self.copy_env()
        most, group = self.w.fresh.temp_name("n"), self.w.fresh.temp_name("m")
        self.assign(most, m.NoneConst())
        self.assign(group, 0)
        levels = self.open_gens(node.gens, node.where)
        assert node.value is not None
        self.assign("x", self.lower(node.value))
        one = b.bit_mask(self.read_local(node.gens[-1].local))
        better = m.BoolOp("or", (b.binary_op(most, "is", m.NoneConst()), b.binary_op("x", ">", most)))
        equal = m.IfStmt(b.binary_op("x", "==", most), [m.AugAssign(m.Var(group), "|=", one)])
        self.emit(m.IfStmt(better, [m.AssignStmt((most,), m.Var("x")), m.AssignStmt((group,), one)], [equal]))
        self.close_gens(levels)
        self.env = saved
        return m.Var(group)

    def lower_ranked(self, node: core.Fold) -> m.IrExpr:
        """`ranked(x in S: n)`: the list of members, highest value first. Ties keep the order of S."""
        ordered = m.CallExpr("sorted", (self.lower_ranked_pairs(node),), (("key", m.FunctionRef("first_key")),))
        return b.call("tuple", m.ListComp(m.Var("x"), ("_", "x"), ordered))

    def lower_tiers(self, node: core.Fold) -> m.IrExpr:
        """`tiers(x in S: n)`: the list of sets of members with equal values, highest value first."""
        assert isinstance(node.type, ListOf) and isinstance(node.type.of, SetOf)
        inner = node.type.of.of
        return b.call("tiers" if self.layout.is_mask_element(inner) else "tiers_open", self.lower_ranked_pairs(node))

    def lower_first(self, node: core.Fold) -> m.IrExpr:
        """`first(x in S where C)`: the first combination that meets the conditions, or none."""
        inner = node.type.of if isinstance(node.type, OptionalOf) else node.type
        held = self.find_result_mask(node)
        if held is not None:
            held = self.temp(held, "m")                            # the lowest bit, or -1 for an empty mask
            return self.temp(b.lowest_bit(held), "x")
        nearest = self.w.upkeep.holders.lower_first_on_ray(cast(ExpressionApi, self), node)
        if nearest is not None:
            return self.temp(nearest, "x")
        saved = self.copy_env()
        name, done = self.w.fresh.temp_name("x"), self.w.fresh.temp_name("b")
        several = len(node.gens) > 1
        self.assign(name, b.literal_expr(self.layout.none(inner)))
        if several:
            self.assign(done, False)
        levels = self.open_gens(node.gens, node.where)
        self.assign(name, self.lower_fold_value(node))
        if several:
            self.assign(done, True)
        if "for" in levels:
            self.emit(m.BreakStmt())
        self.close_gens(levels, m.Var(done) if several else None)
        self.env = saved
        return m.Var(name)

    def lower_the(self, node: core.Fold) -> m.IrExpr:
        """`the(x in S where C)`: as `first`, but it is a fault (F002) if there is none."""
        name = self.lower_first(node)
        self.emit(m.IfStmt(self.is_none(name, node.type), [m.ExprStmt(b.fault_call("F002"))]))
        return name
