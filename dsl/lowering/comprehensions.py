"""Walking over sets: binders as nested loops, conditions as early as their names allow, and every fold.

A part of `Exprs`, which compiles the expressions that stand inside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

from ..analysis.cost import goes_over
from ..core import nodes as core
from ..core.nodes import Local
from ..core.walk import conjuncts, locals_of, negated
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import Code, add
from ..ir.limits import LONGEST, RECENT
from ..ir.program import Recent
from ..storage.layout import Layout
from ..types.boards import OPEN_SPAN
from ..types.types import BagOf, Bool, Int, ListOf, Maybe, Of, SetOf, Type
from .builtins import masks
from .protocols import Expressions, Writer
from .static_tables import only_data, reads

FEW = 4              # members that are asked one after the other without a loop


class Walks:
    """Binders and folds."""

    if TYPE_CHECKING:
        w: Writer
        layout: Layout
        model: Any
        code: Code
        env: dict[Local, m.Expr]
        aliases: dict[Local, Local]

        def of(self, node: core.Expr) -> m.Expr: ...
        def emit(self, node: m.Stmt) -> None: ...
        def set(self, name: str, value: b.Value) -> None: ...
        def temp(self, value: m.Expr, hint: str = "t") -> m.Expr: ...
        def const(self, value: Any) -> m.Expr: ...
        def local(self, local: Local) -> m.Expr: ...
        def constant_of(self, node: core.Expr) -> Any: ...
        def is_none(self, value: m.Expr, inner: Any) -> m.Expr: ...
        def branch(self, node: core.Expr) -> tuple[m.Expr, m.Body]: ...
        def bag_base(self, node: core.Expr) -> m.Expr | None: ...

    # ------------------------------------------------------------ binders

    def open_gens(self, gens: Sequence[core.Gen], where: Sequence[core.Expr]) -> list[str]:
        """Write the heads of nested loops over `gens` with each condition as early as its names allow; the caller writes the body and
        calls close_gens with what this returns (the levels: for or if)."""
        levels: list[str] = []
        waiting = list(where)
        bound_later = [local for gen in gens for local in gen.locals]
        self.conditions(waiting, bound_later, levels)
        for n, gen in enumerate(gens):
            self.open_gen(gen, levels, self.holding(gens[n:], waiting, bound_later))
            for local in gen.locals:
                bound_later.remove(local)
            self.conditions(waiting, bound_later, levels)
        return levels

    def conditions(self, waiting: list[core.Expr], later: Iterable[Local], levels: list[str]) -> None:
        """Ask each condition whose names are known by now; a dear one waits for the cheap ones before it in the text."""
        cheap_before = False
        for condition in list(waiting):
            if reads(cast(Expressions, self), condition) & set(later):
                cheap_before = cheap_before or not self.dear(condition)
                continue
            if cheap_before and self.dear(condition):
                continue
            waiting.remove(condition)
            known = self.constant_of(condition)
            if known:
                continue
            self.code.enter(m.If(self.of(condition)))
            levels.append("if")

    def dear(self, condition: core.Expr) -> bool:
        """Whether a condition goes over many things at every asking; what only data decide is worked out once."""
        return goes_over(self.w.program, condition, self.w.facts.dear) and not only_data(self.w, condition)

    def holding(self, gens: Sequence[core.Gen], waiting: list[core.Expr], later: Iterable[Local] = ()) -> m.Expr | None:
        """A kept mask of the members of the first of `gens` that hold what some conditions ask for; those wait no longer. None: there is
        none."""
        holders, x = self.w.upkeep.holders, cast(Expressions, self)
        own = {local for gen in gens[:2] for local in gen.locals}
        found = holders.narrowed(x, gens[0], waiting, set(later)) or holders.things(x, gens, waiting, set(later) - own)
        if found is None:
            return None
        for condition in found.met:
            waiting.remove(condition)
        return found.mask

    def open_gen(self, gen: core.Gen, levels: list[str], held: m.Expr | None = None) -> None:
        """The head of a loop over what `gen` binds; `held`: only over the members in this mask."""
        variable = self.w.fresh.local(gen.local)
        one = m.Var(variable)
        source, found = gen.source, gen.source.type
        self.env[gen.local] = one
        if held is not None:
            assert isinstance(source, core.Whole)
            size = len(self.model.enums[source.domain])
            self.code.enter(m.For((variable,), m.Bounded(self.w.members_of(self.temp(held, "m"), size), size)))
            levels.append("for")
            return
        if isinstance(found, Maybe):
            self.set(variable, self.of(source))
            self.code.enter(m.If(b.no(self.is_none(one, found.of))))
            levels.append("if")
            return
        if gen.number is not None:
            number = self.w.fresh.local(gen.number)
            self.env[gen.number] = m.Var(number)
            self.code.enter(m.For((number, variable), b.call("enumerate", self.walk_of(source), 1)))
            levels.append("for")
            return
        base = self.bag_base(source) if isinstance(found, BagOf) else None
        if base is not None:
            assert isinstance(found, BagOf)
            width = len(self.model.enums[found.of.name])
            start = self.temp(base, "k")
            self.code.enter(m.For((variable,), b.call("range", width)))
            self.code.enter(m.If(b.get(add(start, one))))
            levels += ["for", "if"]
            return
        narrow = self.narrowed(source)
        if narrow is not None:
            things, mask = narrow
            mask = self.temp(mask, "m")
            self.code.enter(m.For((variable,), things))
            self.code.enter(m.If(b.has(mask, one)))
            levels += ["for", "if"]
            return
        self.code.enter(m.For((variable,), self.walk_of(source)))
        levels.append("for")

    def narrowed(self, source: core.Expr) -> tuple[m.Expr, m.Expr] | None:
        """`near(x) & cells` as a walk over the few, each looked up in the mask of the many."""
        if not (isinstance(source, core.Prim) and source.op == "&") or not isinstance(source.type, SetOf):
            return None
        if not self.layout.masked(source.type.of):
            return None
        for few, many in (source.args, source.args[::-1]):
            things = self.table_walk(few)
            if things is not None:
                return things, self.of(many)
        return None

    def table_walk(self, node: core.Expr) -> m.Expr | None:
        """A ready tuple for near(x), corners(x), touching(x) of a bounded board."""
        if isinstance(node, core.Prim) and node.op in ("near", "corners", "touching"):
            found = node.args[0].type
            if isinstance(found, Of) and not self.layout.is_open(found):
                board = self.model.enums[found.name].board
                return b.entry(self.const(tuple(getattr(board, node.op))), self.of(node.args[0]))
        return None

    def open_near(self, node: core.Expr) -> m.Expr | None:
        """near(x) of an endless board as a tuple in its order, without a set in between."""
        if isinstance(node, core.Prim) and node.op == "near":
            found = node.args[0].type
            assert isinstance(found, Of)
            cell = self.temp(self.of(node.args[0]), "n")
            steps = sorted(dq * OPEN_SPAN + dr for dq, dr in self.model.enums[found.name].board.sides)
            return m.Tup(tuple(b.op(cell, "+" if step > 0 else "-", abs(step)) for step in steps))
        return None

    def walk_of(self, source: core.Expr) -> m.Expr:
        """What a loop goes over for the members of a set, list, pile, bag or span, in their order."""
        found = source.type
        if isinstance(source, core.Whole):
            return b.call("range", len(self.model.enums[source.domain]))
        if isinstance(source, core.Prim) and source.op == "..":
            low, high = source.args
            if isinstance(high.type, Int) and high.type.high is not None and high.type.high <= LONGEST:
                numbers = b.call("range", self.of(low), b.op(self.of(high), "+", 1))
                least = low.type.low if isinstance(low.type, Int) else None
                return numbers if least is None else m.Bounded(numbers, max(0, high.type.high - least + 1))
            return b.call("span", self.of(low), self.of(high))
        known = self.constant_of(source)
        if isinstance(found, SetOf):
            if not self.layout.masked(found.of) and not self.layout.is_open(found.of):
                return self.walk_set(self.of(source), found.of)
            if self.layout.is_open(found.of):
                around = self.open_near(source)
                return around if around is not None else b.call("in_order", self.of(source))
            table = self.table_walk(source)
            if table is not None:
                return table
            if isinstance(source, core.Display) and known is None and len(source.parts) == 1:
                return m.Tup((self.of(source.parts[0]),))
            return b.call("bits", self.of(source))
        if isinstance(found, BagOf):
            value = self.temp(self.of(source), "g")
            return m.Listed(m.Var("k"), ("k",), b.call("range", b.call("len", value)), (b.entry(value, "k"),))
        return self.of(source)

    def walk_set(self, value: m.Expr, of: Type) -> m.Expr:
        """What a loop goes over for the members of a set that is at hand, in their order."""
        if self.layout.masked(of):
            return b.call("bits", value)
        return b.call("sorted" if isinstance(of, Int | Of | Bool) else "ordered", value)

    def close_gens(self, levels: list[str], done: m.Expr | None = None) -> None:
        """Close what open_gens opened; with `done`, a found answer leaves every loop."""
        for n, level in enumerate(reversed(levels)):
            self.code.depth -= 1
            if level == "for":
                if done is not None and "for" in levels[: len(levels) - 1 - n]:
                    self.emit(m.If(done, [m.Break()]))

    # ------------------------------------------------------------ folds

    def _fold(self, node: core.Fold) -> m.Expr:
        compiled: Callable[[core.Fold], m.Expr] = getattr(self, "fold_" + node.kind)
        return compiled(node)

    def scoped(self) -> dict[Local, m.Expr]:
        return dict(self.env)

    def exists(self, gens: Sequence[core.Gen], conditions: Sequence[core.Expr], wanted: bool = True) -> m.Expr:
        """Whether some combination meets all conditions: True or False."""
        held = self.all_holding(gens, conditions) or self.flooded(gens, conditions)
        if held is not None:
            return b.op(self.w.upkeep.holders.as_empty(held), "!=" if wanted else "==", 0)
        few = self.of_few(gens, conditions)
        if few is not None:
            return few if wanted else b.no(few)
        saved = self.scoped()
        name = self.w.fresh.temp("b")
        self.set(name, not wanted)
        levels = self.open_gens(gens, conditions)
        self.set(name, wanted)
        if "for" in levels:
            self.emit(m.Break())
        self.close_gens(levels, m.Var(name) if wanted else b.no(name))
        self.env = saved
        return m.Var(name)

    def of_few(self, gens: Sequence[core.Gen], conditions: Sequence[core.Expr]) -> m.Expr | None:
        """Whether one of very few known members meets the conditions, asked of each in turn, where no steps are needed for it; uncut, where
        it is worth the room."""
        match gens:
            case [core.Gen(source=core.Whole(domain=domain), number=None, local=local)] if self.w.uncut:
                many = len(self.model.enums[domain])
            case _:
                return None
        if not 0 < many <= FEW:
            return None
        saved, found, steps = self.scoped(), [], []
        for member in range(many):
            self.env |= {name: m.Num(member) for name in (local, *(name for name, root in self.aliases.items() if root is local))}
            met = []
            for condition in conditions:
                value, more = self.branch(condition)
                met.append(value)
                steps += more
            found.append(b.both(met))
        self.env = saved
        if not all(isinstance(step, m.Recall) and step.name is None for step in steps):
            return None
        self.code.write(steps)
        return m.Logic("or", tuple(found)) if many > 1 else found[0]

    def flooded(self, gens: Sequence[core.Gen], conditions: Sequence[core.Expr]) -> m.Expr | None:
        """`a in starts where size(region(a, cells) & goal) > 0`: one flood from all of `starts`; the part of `goal` that it reaches."""
        if len(gens) != 1 or len(conditions) != 1 or gens[0].number is not None:
            return None
        start = gens[0].source.type
        match conditions[0]:
            case core.Prim(op=">", args=(core.Prim(op="size", args=(core.Prim(op="&", args=(
                    core.Prim(op="region", args=(core.Read(local=first), cells)), goal)),)), core.Const(value=0))):
                pass
            case _:
                return None
        if first is not gens[0].local or first in locals_of(cells, goal) or not isinstance(start, SetOf) or not isinstance(start.of, Of):
            return None
        board = self.model.enums[start.of.name].board
        if board is None or board.open:
            return None
        x = cast(Expressions, self)
        reached = self.w.upkeep.growing.reached(x, gens[0].source, cells)
        if reached is not None:
            return b.op(reached, "&", self.of(goal))
        near = masks(x, board.near)
        recent = self.w.constant(Recent(start.of.name, RECENT))
        return b.op(b.call("flooded", self.of(gens[0].source), self.of(cells), near, recent), "&", self.of(goal))

    def fold_any(self, node: core.Fold) -> m.Expr:
        return self.exists(node.gens, [*node.where, *conjuncts(node.value)])

    def fold_all(self, node: core.Fold) -> m.Expr:
        return self.exists(node.gens, [*node.where, *([negated(node.value)] if node.value is not None else [])], wanted=False)

    def accumulate(self, node: core.Fold, start: m.Expr, step: Callable[[m.Var, m.Expr], list[m.Stmt]]) -> m.Expr:
        """A variable that begins with `start` and is changed by `step(variable, value)` for each combination."""
        saved = self.scoped()
        name = self.w.fresh.temp("n")
        self.set(name, start)
        levels = self.open_gens(node.gens, node.where)
        for more in step(m.Var(name), self.bound_value(node)):
            self.emit(more)
        self.close_gens(levels)
        self.env = saved
        return m.Var(name)

    def bound_value(self, node: core.Fold) -> m.Expr:
        """What a fold takes from each combination: its value, or the last name."""
        return self.of(node.value) if node.value is not None else self.local(node.gens[-1].local)

    def fold_count(self, node: core.Fold) -> m.Expr:
        held = self.all_holding(node.gens, node.where)
        if held is not None:
            return b.ask(held, "bit_count")
        return self.accumulate(node, m.Num(0), lambda n, v: [m.Change(n, "+=", m.Num(1))])

    def all_holding(self, gens: Sequence[core.Gen], where: Sequence[core.Expr]) -> m.Expr | None:
        """The mask of all that a walk goes over, when it is kept: of one name, or of a cell and the thing on it."""
        holders, x = self.w.upkeep.holders, cast(Expressions, self)
        if len(gens) == 1:
            found = holders.narrowed(x, gens[0], where, (), True)
        elif len(gens) == 2 and all(holders.of_data(one, gens[1].local) for one in where):
            found = holders.things(x, gens, where, (), True)
        else:
            return None
        return None if found is None or found.left else found.mask

    def all_cells(self, node: core.Fold) -> m.Expr | None:
        """The mask of what a fold takes, when that is the cells themselves."""
        if isinstance(node.value, core.Read) and node.value.local is node.gens[0].local or node.value is None and len(node.gens) == 1:
            return self.all_holding(node.gens, node.where)
        return None

    def fold_sum(self, node: core.Fold) -> m.Expr:
        return self.accumulate(node, m.Num(0), lambda n, v: [m.Change(n, "+=", v)])

    def fold_highest(self, node: core.Fold) -> m.Expr:
        return self.extreme(node, ">")

    def fold_lowest(self, node: core.Fold) -> m.Expr:
        return self.extreme(node, "<")

    def extreme(self, node: core.Fold, sign: str) -> m.Expr:
        def step(name: m.Var, value: m.Expr) -> list[m.Stmt]:
            better = m.Logic("or", (b.op(name, "is", m.Nil()), b.op("x", sign, name)))
            return [m.Set(("x",), value), m.If(better, [m.Set((name.name,), m.Var("x"))])]

        return m.Logic("or", (self.accumulate(node, m.Nil(), step), m.Num(0)))

    def fold_set(self, node: core.Fold) -> m.Expr:
        assert isinstance(node.type, SetOf)
        inner = node.type.of
        if node.value is None and len(node.gens) == 1:
            kept = self.w.upkeep.mask(cast(Expressions, self), node.gens[0], node.where)
            if kept is not None:
                return kept
        held = self.all_cells(node)
        if held is None and self.layout.masked(inner):
            held = self.w.upkeep.holders.divided(cast(Expressions, self), node)
        if held is not None:
            return held
        if self.layout.is_open(inner):
            return b.call("frozenset", self.accumulate(node, b.call("set"), lambda n, v: [m.Do(b.ask(n, "add", v))]))
        return self.accumulate(node, m.Num(0), lambda n, v: [m.Change(n, "|=", b.bit(v))])

    def fold_list(self, node: core.Fold) -> m.Expr:
        return b.call("tuple", self.accumulate(node, m.Lst(), lambda n, v: [m.Do(b.ask(n, "append", v))]))

    def best_pairs(self, node: core.Fold) -> m.Expr:
        """A list of (minus value, member)."""
        saved = self.scoped()
        name = self.w.fresh.temp("l")
        self.set(name, m.Lst())
        levels = self.open_gens(node.gens, node.where)
        assert node.value is not None
        value = self.of(node.value)
        self.emit(m.Do(b.ask(name, "append", m.Tup((m.Un("-", value), self.local(node.gens[-1].local))))))
        self.close_gens(levels)
        self.env = saved
        return m.Var(name)

    def fold_best(self, node: core.Fold) -> m.Expr:
        assert isinstance(node.type, SetOf)
        inner = node.type.of
        if not self.layout.masked(inner):
            pairs = self.best_pairs(node)
            least = b.entry(b.call("min", pairs), 0)
            best = m.Listed(m.Var("x"), ("v", "x"), pairs, (b.op("v", "==", least),), built=False)
            return m.Choice(b.no(pairs), b.call("frozenset"), b.call("frozenset", best))
        saved = self.scoped()
        most, group = self.w.fresh.temp("n"), self.w.fresh.temp("m")
        self.set(most, m.Nil())
        self.set(group, 0)
        levels = self.open_gens(node.gens, node.where)
        assert node.value is not None
        self.set("x", self.of(node.value))
        one = b.bit(self.local(node.gens[-1].local))
        better = m.Logic("or", (b.op(most, "is", m.Nil()), b.op("x", ">", most)))
        equal = m.If(b.op("x", "==", most), [m.Change(m.Var(group), "|=", one)])
        self.emit(m.If(better, [m.Set((most,), m.Var("x")), m.Set((group,), one)], [equal]))
        self.close_gens(levels)
        self.env = saved
        return m.Var(group)

    def fold_ranked(self, node: core.Fold) -> m.Expr:
        ordered = m.Call("sorted", (self.best_pairs(node),), (("key", m.Function("first_key")),))
        return b.call("tuple", m.Listed(m.Var("x"), ("_", "x"), ordered))

    def fold_tiers(self, node: core.Fold) -> m.Expr:
        assert isinstance(node.type, ListOf) and isinstance(node.type.of, SetOf)
        inner = node.type.of.of
        return b.call("tiers" if self.layout.masked(inner) else "tiers_open", self.best_pairs(node))

    def fold_first(self, node: core.Fold) -> m.Expr:
        inner = node.type.of if isinstance(node.type, Maybe) else node.type
        held = self.all_cells(node)
        if held is not None:
            held = self.temp(held, "m")                            # the lowest bit; none of them: -1
            return self.temp(b.lowest(held), "x")
        nearest = self.w.upkeep.holders.along(cast(Expressions, self), node)
        if nearest is not None:
            return self.temp(nearest, "x")
        saved = self.scoped()
        name, done = self.w.fresh.temp("x"), self.w.fresh.temp("b")
        several = len(node.gens) > 1
        self.set(name, b.literal(self.layout.none(inner)))
        if several:
            self.set(done, False)
        levels = self.open_gens(node.gens, node.where)
        self.set(name, self.bound_value(node))
        if several:
            self.set(done, True)
        if "for" in levels:
            self.emit(m.Break())
        self.close_gens(levels, m.Var(done) if several else None)
        self.env = saved
        return m.Var(name)

    def fold_the(self, node: core.Fold) -> m.Expr:
        name = self.fold_first(node)
        self.emit(m.If(self.is_none(name, node.type), [m.Do(b.fault("F002"))]))
        return name
