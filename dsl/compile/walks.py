"""Walking over sets: binders as nested loops, conditions as early as their names allow, and every fold.

A part of `Exprs`, which compiles the expressions that stand inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

from ..boards import OPEN_SPAN
from ..core import nodes as core
from ..core.nodes import Local
from ..core.walk import conjuncts, locals_of, negated
from ..types import BagOf, Bool, Int, ListOf, Maybe, Of, SetOf, Type
from .pieces import add
from .runtime import LONGEST

if TYPE_CHECKING:
    from ..storage.layout import Layout
    from .emit import Code
    from .exprs import Exprs
    from .module import ModuleWriter


class Walks:
    """Binders and folds."""

    if TYPE_CHECKING:
        w: ModuleWriter
        layout: Layout
        model: Any
        code: Code
        env: dict[Local, str]
        aliases: dict[Local, Local]

        def of(self, node: core.Expr) -> str: ...
        def emit(self, text: str) -> None: ...
        def temp(self, value: str, hint: str = "t") -> str: ...
        def const(self, value: Any) -> str: ...
        def local(self, local: Local) -> str: ...
        def constant_of(self, node: core.Expr) -> Any: ...
        def is_none(self, value: str, inner: Any) -> str: ...
        def bag_base(self, node: core.Expr) -> str | None: ...

    # ------------------------------------------------------------ binders

    def open_gens(self, gens: Sequence[core.Gen], where: Sequence[core.Expr]) -> list[str]:
        """Write the heads of nested loops over `gens` with each condition as early as its names allow; the caller writes the body and
        calls close_gens with what this returns (the levels: for or if)."""
        levels: list[str] = []
        waiting = list(where)
        bound_later = [local for gen in gens for local in gen.locals]
        self.conditions(waiting, bound_later, levels)
        for gen in gens:
            self.open_gen(gen, levels)
            for local in gen.locals:
                bound_later.remove(local)
            self.conditions(waiting, bound_later, levels)
        return levels

    def conditions(self, waiting: list[core.Expr], later: Iterable[Local], levels: list[str]) -> None:
        for condition in list(waiting):
            if {self.aliases.get(local, local) for local in locals_of(condition)} & set(later):
                continue
            waiting.remove(condition)
            known = self.constant_of(condition)
            if known:
                continue
            self.emit(f"if {self.of(condition)}:")
            self.code.depth += 1
            levels.append("if")

    def open_gen(self, gen: core.Gen, levels: list[str]) -> None:
        variable = self.w.fresh.local(gen.local)
        source, found = gen.source, gen.source.type
        self.env[gen.local] = variable
        if isinstance(found, Maybe):
            self.emit(f"{variable} = {self.of(source)}")
            self.emit(f"if not ({self.is_none(variable, found.of)}):")
            levels.append("if")
            self.code.depth += 1
            return
        if gen.number is not None:
            number = self.w.fresh.local(gen.number)
            self.env[gen.number] = number
            self.emit(f"for {number}, {variable} in enumerate({self.walk_of(source)}, 1):")
            levels.append("for")
            self.code.depth += 1
            return
        base = self.bag_base(source) if isinstance(found, BagOf) else None
        if base is not None:
            assert isinstance(found, BagOf)
            width = len(self.model.enums[found.of.name])
            start = self.temp(base, "k")
            self.emit(f"for {variable} in range({width}):")
            self.code.depth += 1
            self.emit(f"if s[{add(start, variable)}]:")
            self.code.depth += 1
            levels += ["for", "if"]
            return
        narrow = self.narrowed(source)
        if narrow is not None:
            things, mask = narrow
            mask = self.temp(mask, "m")
            self.emit(f"for {variable} in {things}:")
            self.code.depth += 1
            self.emit(f"if {mask} >> {variable} & 1:")
            self.code.depth += 1
            levels += ["for", "if"]
            return
        self.emit(f"for {variable} in {self.walk_of(source)}:")
        levels.append("for")
        self.code.depth += 1

    def narrowed(self, source: core.Expr) -> tuple[str, str] | None:
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

    def table_walk(self, node: core.Expr) -> str | None:
        """A ready tuple for near(x), corners(x), touching(x) of a bounded board."""
        if isinstance(node, core.Prim) and node.op in ("near", "corners", "touching"):
            found = node.args[0].type
            if isinstance(found, Of) and not self.layout.is_open(found):
                board = self.model.enums[found.name].board
                table = self.const(tuple(getattr(board, node.op)))
                return f"{table}[{self.of(node.args[0])}]"
        return None

    def open_near(self, node: core.Expr) -> str | None:
        """near(x) of an endless board as a tuple in its order, without a set in between."""
        if isinstance(node, core.Prim) and node.op == "near":
            found = node.args[0].type
            assert isinstance(found, Of)
            cell = self.temp(self.of(node.args[0]), "n")
            steps = sorted(dq * OPEN_SPAN + dr for dq, dr in self.model.enums[found.name].board.sides)
            return "(" + ", ".join(f"{cell} {'+' if step > 0 else '-'} {abs(step)}" for step in steps) + ")"
        return None

    def walk_of(self, source: core.Expr) -> str:
        """A Python iterable over the members of a set, list, pile, bag or span, in their order."""
        found = source.type
        if isinstance(source, core.Whole):
            return f"range({len(self.model.enums[source.domain])})"
        if isinstance(source, core.Prim) and source.op == "..":
            low, high = source.args
            if isinstance(high.type, Int) and high.type.high is not None and high.type.high <= LONGEST:
                return f"range({self.of(low)}, {self.of(high)} + 1)"
            return f"span({self.of(low)}, {self.of(high)})"
        known = self.constant_of(source)
        if isinstance(found, SetOf):
            if not self.layout.masked(found.of) and not self.layout.is_open(found.of):
                return self.walk_set(self.of(source), found.of)
            if self.layout.is_open(found.of):
                around = self.open_near(source)
                return around if around is not None else f"in_order({self.of(source)})"
            table = self.table_walk(source)
            if table is not None:
                return table
            if isinstance(source, core.Display) and known is None and len(source.parts) == 1:
                return f"({self.of(source.parts[0])},)"
            value = self.of(source)
            return f"bits({value})"
        if isinstance(found, BagOf):
            value = self.temp(self.of(source), "g")
            return f"[k for k in range(len({value})) if {value}[k]]"
        return self.of(source)

    def walk_set(self, value: str, of: Type) -> str:
        """A Python iterable over the members of a set that is at hand, in their order."""
        if self.layout.masked(of):
            return f"bits({value})"
        return f"sorted({value})" if isinstance(of, Int | Of | Bool) else f"ordered({value})"

    def close_gens(self, levels: list[str], done: str | None = None) -> None:
        """Close what open_gens opened; with `done`, a found answer leaves every loop."""
        for n, level in enumerate(reversed(levels)):
            self.code.depth -= 1
            if level == "for":
                if done is not None and "for" in levels[: len(levels) - 1 - n]:
                    self.emit(f"if {done}: break")

    # ------------------------------------------------------------ folds

    def _fold(self, node: core.Fold) -> str:
        return getattr(self, "fold_" + node.kind)(node)

    def scoped(self) -> dict[Local, str]:
        return dict(self.env)

    def exists(self, gens: Sequence[core.Gen], conditions: Sequence[core.Expr], wanted: bool = True) -> str:
        """A Python bool: whether some combination meets all conditions."""
        saved = self.scoped()
        name = self.w.fresh.temp("b")
        self.emit(f"{name} = {not wanted}")
        levels = self.open_gens(gens, conditions)
        self.emit(f"{name} = {wanted}")
        if "for" in levels:
            self.emit("break")
        self.close_gens(levels, name if wanted else f"not {name}")
        self.env = saved
        return name

    def fold_any(self, node: core.Fold) -> str:
        return self.exists(node.gens, [*node.where, *conjuncts(node.value)])

    def fold_all(self, node: core.Fold) -> str:
        return self.exists(node.gens, [*node.where, *([negated(node.value)] if node.value is not None else [])], wanted=False)

    def accumulate(self, node: core.Fold, start: str, step: Any) -> str:
        saved = self.scoped()
        name = self.w.fresh.temp("n")
        self.emit(f"{name} = {start}")
        levels = self.open_gens(node.gens, node.where)
        value = self.of(node.value) if node.value is not None else self.local(node.gens[-1].local)
        for line in step(name, value):
            self.emit(line)
        self.close_gens(levels)
        self.env = saved
        return name

    def fold_count(self, node: core.Fold) -> str:
        return self.accumulate(node, "0", lambda n, v: [f"{n} += 1"])

    def fold_sum(self, node: core.Fold) -> str:
        return self.accumulate(node, "0", lambda n, v: [f"{n} += {v}"])

    def fold_highest(self, node: core.Fold) -> str:
        name = self.accumulate(node, "None", lambda n, v: [f"x = {v}", f"if {n} is None or x > {n}: {n} = x"])
        return f"({name} or 0)"

    def fold_lowest(self, node: core.Fold) -> str:
        name = self.accumulate(node, "None", lambda n, v: [f"x = {v}", f"if {n} is None or x < {n}: {n} = x"])
        return f"({name} or 0)"

    def fold_set(self, node: core.Fold) -> str:
        assert isinstance(node.type, SetOf)
        inner = node.type.of
        if node.value is None and len(node.gens) == 1:
            kept = self.w.upkeep.mask(cast("Exprs", self), node.gens[0], node.where)
            if kept is not None:
                return kept
        if self.layout.is_open(inner):
            name = self.accumulate(node, "set()", lambda n, v: [f"{n}.add({v})"])
            return f"frozenset({name})"
        return self.accumulate(node, "0", lambda n, v: [f"{n} |= 1 << {v}"])

    def fold_list(self, node: core.Fold) -> str:
        return f"tuple({self.accumulate(node, '[]', lambda n, v: [f'{n}.append({v})'])})"

    def best_pairs(self, node: core.Fold) -> str:
        """A list of (minus value, member)."""
        saved = self.scoped()
        name = self.w.fresh.temp("l")
        self.emit(f"{name} = []")
        levels = self.open_gens(node.gens, node.where)
        assert node.value is not None
        value = self.of(node.value)
        self.emit(f"{name}.append((-({value}), {self.local(node.gens[-1].local)}))")
        self.close_gens(levels)
        self.env = saved
        return name

    def fold_best(self, node: core.Fold) -> str:
        assert isinstance(node.type, SetOf)
        inner = node.type.of
        if not self.layout.masked(inner):
            pairs = self.best_pairs(node)
            return f"(frozenset() if not {pairs} else frozenset(x for v, x in {pairs} if v == min({pairs})[0]))"
        saved = self.scoped()
        best, group = self.w.fresh.temp("n"), self.w.fresh.temp("m")
        self.emit(f"{best} = None; {group} = 0")
        levels = self.open_gens(node.gens, node.where)
        assert node.value is not None
        self.emit(f"x = {self.of(node.value)}")
        member = self.local(node.gens[-1].local)
        self.emit(f"if {best} is None or x > {best}: {best} = x; {group} = 1 << {member}")
        self.emit(f"elif x == {best}: {group} |= 1 << {member}")
        self.close_gens(levels)
        self.env = saved
        return group

    def fold_ranked(self, node: core.Fold) -> str:
        return f"tuple([x for _, x in sorted({self.best_pairs(node)}, key=first_key)])"

    def fold_tiers(self, node: core.Fold) -> str:
        assert isinstance(node.type, ListOf) and isinstance(node.type.of, SetOf)
        inner = node.type.of.of
        return f"{'tiers' if self.layout.masked(inner) else 'tiers_open'}({self.best_pairs(node)})"

    def fold_first(self, node: core.Fold) -> str:
        inner = node.type.of if isinstance(node.type, Maybe) else node.type
        saved = self.scoped()
        name, done = self.w.fresh.temp("x"), self.w.fresh.temp("b")
        several = len(node.gens) > 1
        self.emit(f"{name} = {self.layout.none(inner)!r}")
        if several:
            self.emit(f"{done} = False")
        levels = self.open_gens(node.gens, node.where)
        value = self.of(node.value) if node.value is not None else self.local(node.gens[-1].local)
        self.emit(f"{name} = {value}")
        if several:
            self.emit(f"{done} = True")
        if "for" in levels:
            self.emit("break")
        self.close_gens(levels, done if several else None)
        self.env = saved
        return name

    def fold_the(self, node: core.Fold) -> str:
        name = self.fold_first(node)
        inner = node.type
        self.emit(f"if {self.is_none(name, inner)}: fault('F002')")
        return name
