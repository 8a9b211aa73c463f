"""Walking over sets: binders as nested loops, conditions as early as their names allow, and every fold.

A part of `Exprs`, which compiles the expressions that stand inside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ..boards import OPEN_SPAN
from ..check.scope import Local
from ..syntax import tree
from ..types import BagOf, Bool, Int, Maybe, Of, SetOf, Type
from .pieces import add, binder_locals, not_token
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

        def of(self, node: tree.Expr) -> str: ...
        def emit(self, text: str) -> None: ...
        def temp(self, value: str, hint: str = "t") -> str: ...
        def const(self, value: Any) -> str: ...
        def local(self, local: Local) -> str: ...
        def constant_of(self, node: tree.Expr) -> Any: ...
        def is_none(self, value: str, inner: Any) -> str: ...
        def bag_base(self, node: tree.Expr) -> str | None: ...
        def _listliteral(self, node: Any) -> str: ...

    # ------------------------------------------------------------ binders

    def conjuncts(self, node: tree.Expr | None) -> list[tree.Expr]:
        if node is None:
            return []
        if isinstance(node, tree.Binary) and node.op.type == "AND":
            return self.conjuncts(node.left) + self.conjuncts(node.right)
        return [node]

    def open_binders(self, binders: list, where: tree.Expr | None | list) -> list[str]:
        """Write the heads of nested loops over `binders` with each condition as early as its names allow; the caller writes the
        body and calls close_binders with what this returns (the levels: for or if)."""
        levels: list[str] = []
        waiting = list(where) if isinstance(where, list) else self.conjuncts(where)
        bound_later = [local for b in binders for local in binder_locals(b)]
        self.conditions(waiting, bound_later, levels)
        for binder in binders:
            self.open_binder(binder, levels)
            for local in binder_locals(binder):
                bound_later.remove(local)
            self.conditions(waiting, bound_later, levels)
        return levels

    def conditions(self, waiting: list, later: list, levels: list[str]) -> None:
        from ..check.stmts import walk

        for condition in list(waiting):
            named = [n.ref.target for n in walk(condition) if isinstance(n, tree.Name) and n.ref is not None and n.ref.kind == "local"]
            used = {self.aliases.get(local, local) for local in named}
            if used & set(later):
                continue
            waiting.remove(condition)
            known = self.constant_of(condition)
            if known:
                continue
            self.emit(f"if {self.of(condition)}:")
            self.code.depth += 1
            levels.append("if")

    def open_binder(self, binder: Any, levels: list[str]) -> None:
        variable = self.w.fresh.local(binder.local)
        source, found = binder.source, binder.source.type
        self.env[binder.local] = variable
        if isinstance(found, Maybe):
            self.emit(f"{variable} = {self.of(source)}")
            self.emit(f"if not ({self.is_none(variable, found.of)}):")
            levels.append("if")
            self.code.depth += 1
            return
        if isinstance(binder, tree.BinderNumbered):
            number = self.w.fresh.local(binder.number_local)
            self.env[binder.number_local] = number
            self.emit(f"for {number}, {variable} in enumerate({self.walk_of(source)}, 1):")
            levels.append("for")
            self.code.depth += 1
            return
        base = self.bag_base(source) if isinstance(found, BagOf) else None
        if base is not None:
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

    def narrowed(self, source: tree.Expr) -> tuple[str, str] | None:
        """`near(x) & cells` as a walk over the few, each looked up in the mask of the many."""
        if not (isinstance(source, tree.Binary) and str(source.op) == "&") or not isinstance(source.type, SetOf):
            return None
        if not self.layout.masked(source.type.of):
            return None
        for few, many in ((source.left, source.right), (source.right, source.left)):
            things = self.table_walk(few)
            if things is not None:
                return things, self.of(many)
        return None

    def table_walk(self, node: tree.Expr) -> str | None:
        """A ready tuple for near(x), corners(x), touching(x) of a bounded board."""
        if (
            isinstance(node, tree.Apply)
            and node.ref is not None
            and node.ref.kind == "builtin"
            and node.ref.target in ("near", "corners", "touching")
        ):
            found = node.parts[1].type
            if isinstance(found, Of) and not self.layout.is_open(found):
                board = self.model.enums[found.name].board
                table = self.const(tuple(getattr(board, node.ref.target)))
                return f"{table}[{self.of(node.parts[1])}]"
        return None

    def open_near(self, node: tree.Expr) -> str | None:
        """near(x) of an endless board as a tuple in its order, without a set in between."""
        if isinstance(node, tree.Apply) and node.ref is not None and node.ref.kind == "builtin" and node.ref.target == "near":
            found = node.parts[1].type
            assert isinstance(found, Of)
            cell = self.temp(self.of(node.parts[1]), "n")
            steps = sorted(dq * OPEN_SPAN + dr for dq, dr in self.model.enums[found.name].board.sides)
            return "(" + ", ".join(f"{cell} {'+' if step > 0 else '-'} {abs(step)}" for step in steps) + ")"
        return None

    def walk_of(self, source: tree.Expr) -> str:
        """A Python iterable over the members of a set, list, pile, bag or span, in their order."""
        found = source.type
        if isinstance(source, tree.Domain):
            return f"range({len(source.ref.target)})"
        if isinstance(source, tree.Span):
            high = source.high.type
            if isinstance(high, Int) and high.high is not None and high.high <= LONGEST:
                return f"range({self.of(source.low)}, {self.of(source.high)} + 1)"
            return f"span({self.of(source.low)}, {self.of(source.high)})"
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
            if isinstance(source, tree.SetLiteral) and known is None and len(source.parts) == 1:
                return self._listliteral(source)
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

    def close_binders(self, levels: list[str], done: str | None = None) -> None:
        """Close what open_binders opened; with `done`, a found answer leaves every loop."""
        for n, level in enumerate(reversed(levels)):
            self.code.depth -= 1
            if level == "for":
                if done is not None and "for" in levels[: len(levels) - 1 - n]:
                    self.emit(f"if {done}: break")

    # ------------------------------------------------------------ folds

    def _fold(self, node: tree.Fold) -> str:
        return getattr(self, "fold_" + str(node.word))(node)

    def scoped(self) -> dict[Local, str]:
        return dict(self.env)

    def exists(self, binders: list, conditions: Any, wanted: bool = True) -> str:
        """A Python bool: whether some combination meets all conditions."""
        saved = self.scoped()
        name = self.w.fresh.temp("b")
        self.emit(f"{name} = {not wanted}")
        levels = self.open_binders(binders, conditions)
        self.emit(f"{name} = {wanted}")
        if "for" in levels:
            self.emit("break")
        self.close_binders(levels, name if wanted else f"not {name}")
        self.env = saved
        return name

    def fold_any(self, node: tree.Fold) -> str:
        conditions = self.conjuncts(node.where) + self.conjuncts(node.value)
        return self.exists(node.binders.items, conditions)

    def fold_all(self, node: tree.Fold) -> str:
        conditions = self.conjuncts(node.where)
        if node.value is not None:
            negated = tree.Unary(node.value.meta, not_token(), node.value)
            negated.type = node.value.type
            conditions = [*conditions, negated]
        return self.exists(node.binders.items, conditions, wanted=False)

    def accumulate(self, node: tree.Fold, start: str, step: Any) -> str:
        saved = self.scoped()
        name = self.w.fresh.temp("n")
        self.emit(f"{name} = {start}")
        levels = self.open_binders(node.binders.items, node.where)
        value = self.of(node.value) if node.value is not None else self.local(node.binders.items[-1].local)
        for line in step(name, value):
            self.emit(line)
        self.close_binders(levels)
        self.env = saved
        return name

    def fold_count(self, node: tree.Fold) -> str:
        return self.accumulate(node, "0", lambda n, v: [f"{n} += 1"])

    def fold_sum(self, node: tree.Fold) -> str:
        return self.accumulate(node, "0", lambda n, v: [f"{n} += {v}"])

    def fold_highest(self, node: tree.Fold) -> str:
        name = self.accumulate(node, "None", lambda n, v: [f"x = {v}", f"if {n} is None or x > {n}: {n} = x"])
        return f"({name} or 0)"

    def fold_lowest(self, node: tree.Fold) -> str:
        name = self.accumulate(node, "None", lambda n, v: [f"x = {v}", f"if {n} is None or x < {n}: {n} = x"])
        return f"({name} or 0)"

    def fold_set(self, node: tree.Fold) -> str:
        inner = node.type.of
        if node.value is None and len(node.binders) == 1:
            kept = self.w.upkeep.mask(cast("Exprs", self), node.binders.items[0], self.conjuncts(node.where))
            if kept is not None:
                return kept
        if self.layout.is_open(inner):
            name = self.accumulate(node, "set()", lambda n, v: [f"{n}.add({v})"])
            return f"frozenset({name})"
        return self.accumulate(node, "0", lambda n, v: [f"{n} |= 1 << {v}"])

    def fold_list(self, node: tree.Fold) -> str:
        return f"tuple({self.accumulate(node, '[]', lambda n, v: [f'{n}.append({v})'])})"

    def best_pairs(self, node: tree.Fold) -> str:
        """A list of (minus value, member)."""
        saved = self.scoped()
        name = self.w.fresh.temp("l")
        self.emit(f"{name} = []")
        levels = self.open_binders(node.binders.items, node.where)
        assert node.value is not None
        value = self.of(node.value)
        self.emit(f"{name}.append((-({value}), {self.local(node.binders.items[-1].local)}))")
        self.close_binders(levels)
        self.env = saved
        return name

    def fold_best(self, node: tree.Fold) -> str:
        inner = node.type.of
        if not self.layout.masked(inner):
            pairs = self.best_pairs(node)
            return f"(frozenset() if not {pairs} else frozenset(x for v, x in {pairs} if v == min({pairs})[0]))"
        saved = self.scoped()
        best, group = self.w.fresh.temp("n"), self.w.fresh.temp("m")
        self.emit(f"{best} = None; {group} = 0")
        levels = self.open_binders(node.binders.items, node.where)
        assert node.value is not None
        self.emit(f"x = {self.of(node.value)}")
        member = self.local(node.binders.items[-1].local)
        self.emit(f"if {best} is None or x > {best}: {best} = x; {group} = 1 << {member}")
        self.emit(f"elif x == {best}: {group} |= 1 << {member}")
        self.close_binders(levels)
        self.env = saved
        return group

    def fold_ranked(self, node: tree.Fold) -> str:
        return f"tuple([x for _, x in sorted({self.best_pairs(node)}, key=first_key)])"

    def fold_tiers(self, node: tree.Fold) -> str:
        inner = node.type.of.of
        return f"{'tiers' if self.layout.masked(inner) else 'tiers_open'}({self.best_pairs(node)})"

    def fold_first(self, node: tree.Fold) -> str:
        inner = node.type.of if isinstance(node.type, Maybe) else node.type
        saved = self.scoped()
        name, done = self.w.fresh.temp("x"), self.w.fresh.temp("b")
        several = len(node.binders.items) > 1
        self.emit(f"{name} = {self.layout.none(inner)!r}")
        if several:
            self.emit(f"{done} = False")
        levels = self.open_binders(node.binders.items, node.where)
        value = self.of(node.value) if node.value is not None else self.local(node.binders.items[-1].local)
        self.emit(f"{name} = {value}")
        if several:
            self.emit(f"{done} = True")
        if "for" in levels:
            self.emit("break")
        self.close_binders(levels, done if several else None)
        self.env = saved
        return name

    def fold_the(self, node: tree.Fold) -> str:
        name = self.fold_first(node)
        inner = node.type
        self.emit(f"if {self.is_none(name, inner)}: fault('F002')")
        return name
