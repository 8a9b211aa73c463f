"""Looking into the parts of a rule: the defs and sets that a condition is made of, down to the part that does not hold.

Written into the explaining form (reasons.py) behind each test, so that it only runs where the test fails.
"""

from __future__ import annotations

from ..core import nodes as core
from ..core.nodes import Local
from ..core.program import Routine
from ..core.walk import conjuncts, negated, walk
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.explain_metadata import CONDITION, HOLDS, SOURCE, Side, Test
from ..types.types import BagOf, Bool, Int, Maybe, Of, SetOf
from .choices import Choices

DEEP = 3                             # defs within defs that are looked into


class Inside(Choices):
    """Choices that can look into a condition. A place among tests is a path: the number of a test, of a part of it, and so on."""

    def closed(self, node: core.Expr) -> bool:
        """Whether the value of `node` tells what the one who decides may not see."""
        raise NotImplementedError

    def try_condition(self, tests: list[Test], node: core.Expr, path: tuple[int, ...], file: str, cites: tuple[str, ...], bound: int,
                      deep: int = 0) -> None:
        x = self.x
        test = Test(CONDITION, node, file, cites, bound, not deep and self.closed(node))
        tests.append(test)
        with x.code.inside(m.If(b.no(x.of(node)))):
            self.look(test, path)
            self.parts_of(test, path, deep)
            x.emit(m.Return(b.literal(path)))

    def look(self, test: Test, path: tuple[int, ...]) -> None:
        """Note what the sides of a comparison, or the ends of a span, are now, where that does not stand there already; what is in a set;
        of `all(x in s: ...)` and `not any(x in s where ...)`, the first x for which it goes wrong."""
        x, node = self.x, test.node
        match node:
            case core.Prim(op="==" | "!=" | "<" | "<=" | ">" | ">=" | "..", args=sides):
                pass
            case core.Fold(kind="all"):
                self.witness(test, node, [*node.where, negated(node.value)] if node.value is not None else [], path, CONDITION)
                return
            case core.Prim(op="not", args=(core.Fold(kind="any") as fold,)):
                self.witness(test, fold, [*fold.where, *conjuncts(fold.value)], path, HOLDS)
                return
            case core.Prim(op="in" | "not in", args=(_, group)) if isinstance(group.type, SetOf):
                self.note_set(test, group, path)
                return
            case _ if test.kind == SOURCE and isinstance(node.type, SetOf):
                self.note_set(test, node, path)
                return
            case _:
                return
        told = [side for side in sides if x.constant_of(side) is None and not isinstance(side, core.Nothing)
                and isinstance(side.type, Int | Of | Bool | Maybe)]
        if told:
            test.sides = [Side(side, side.type) for side in told]
            self.saw(path, m.Tup(tuple(x.of(side) for side in told)))

    def note_set(self, test: Test, group: core.Expr, path: tuple[int, ...]) -> None:
        """Note what is in a set that something is not in."""
        test.sides = [Side(group, group.type)]
        self.saw(path, m.Tup((self.x.of(group),)))

    def witness(self, test: Test, fold: core.Fold, conditions: list[core.Expr], path: tuple[int, ...], kind: str) -> None:
        """Note the first things that meet all `conditions`, and which entry of a def decides for each of them."""
        x, saved = self.x, dict(self.x.env)
        found = self.w.fresh.temp("w")
        x.set(found, m.Nil())
        levels = x.open_gens(fold.gens, conditions)
        x.set(found, m.Tup(tuple(x.local(gen.local) for gen in fold.gens)))
        if "for" in levels:
            x.emit(m.Break())
        there = b.op(found, "is not", m.Nil())
        x.close_gens(levels, there)
        x.env = saved
        with x.code.inside(m.If(there)):
            self.saw(path, m.Var(found))
        test.sides = [Side(gen, gen.local.type, gen.local.name) for gen in fold.gens]
        for name in used_cases(fold, fold.gens[0].local):
            use = self.w.program.families[name]
            for member in range(len(self.w.program.model.enums[use.domain or ""])):
                routine = use.entry(member)
                if routine is not None and routine.value is not None:
                    cites = routine.value_cites or routine.cites
                    test.cases[member] = Test(kind, routine.value, routine.path, cites, test.bound)

    def saw(self, path: tuple[int, ...], values: m.Expr) -> None:
        """Note what the sides of the test at this path are."""
        self.x.emit(m.Do(b.ask("seen", "append", m.Tup((b.literal(path), values)))))

    def holds(self, source: core.Expr, value: m.Expr) -> m.Expr:
        """A condition: the value is one of those that a name chosen from `source` goes over."""
        x = self.x
        if isinstance(source.type, Maybe):
            return b.op(value, "==", x.of(source))
        base = x.bag_base(source) if isinstance(source.type, BagOf) else None
        if base is not None:
            return b.get(b.op(base, "+", value))
        return b.op(value, "in", x.walk_of(source))

    def parts_of(self, test: Test, path: tuple[int, ...], deep: int) -> None:
        """Try the parts of a condition that does not hold: those of a def that it asks, or of a set that something must be in."""
        node = test.node
        if isinstance(node, core.Prim) and node.op in ("in", "not in"):
            item, group = node.args
            if node.op == "in" and isinstance(group.type, SetOf):
                saved = dict(self.x.env)
                value = self.x.temp(self.x.of(item))
                self.parts_of_set(test, group, value, path, deep)
                self.x.env = saved
            return
        found = self.opened(node)
        if found is None or deep >= DEEP:
            return
        routine, env = found
        saved, self.x.env = self.x.env, env
        rows: list[tuple[core.Expr | None, tuple[str, ...]]] = [(c.test, c.cites) for c in routine.conditions]
        for expr, cited in rows or [(routine.value, routine.value_cites)]:
            cites = cited or routine.cites or test.cites
            for part in conjuncts(expr):
                if not self.x.constant_of(part):
                    self.try_condition(test.parts, part, (*path, len(test.parts)), routine.path, cites, test.bound, deep + 1)
        self.x.env = saved

    def opened(self, node: core.Node) -> tuple[Routine, dict[Local, m.Expr]] | None:
        """The def that an expression is a use of, and the names in it."""
        x = self.x
        if not isinstance(node, core.Ask):
            return None
        known = x.constant_of(node.case) if node.case is not None else None
        if node.case is not None and known is None:
            return None
        routine = self.w.program.families[node.family].entry(known)
        if routine is None:
            return None
        values = [x.temp(x.of(argument)) for argument in node.args]
        env = dict(x.env) | dict(zip(routine.params, values))
        if routine.case is not None and known is not None:
            env[routine.case] = m.Num(known)
        return routine, env

    def parts_of_set(self, test: Test, source: core.Expr, value: m.Expr, path: tuple[int, ...], deep: int, file: str = "") -> None:
        """Try what keeps a value out of a set: the parts of `a & b` and `a - b`, the conditions of `set(x in s where ...)`."""
        x = self.x
        file = file or test.path
        if isinstance(source, core.Prim) and isinstance(source.type, SetOf) and source.op in ("&", "-"):
            left, right = source.args
            self.try_set(test, left, value, path, file, test.cites, deep)
            self.try_set(test, right, value, path, file, test.cites, deep, negated=source.op == "-")
            return
        if isinstance(source, core.Prim) and isinstance(source.type, SetOf) and source.op == "+":
            for side in source.args:
                self.try_side(test, side, value, path, deep)
            return
        if isinstance(source, core.Fold) and source.kind in ("set", "list"):
            gen = source.gens[0]
            if source.value is not None or len(source.gens) > 1 or gen.number is not None:
                self.try_shape(test, source, value, path, file)
                return
            saved = dict(x.env)
            x.env[gen.local] = value
            if not isinstance(gen.source, core.Whole):
                self.try_set(test, gen.source, value, path, file, test.cites, deep)
            for part in source.where:
                if not x.constant_of(part):
                    self.try_condition(test.parts, part, (*path, len(test.parts)), file, test.cites, test.bound, deep + 1)
            x.env = saved
            return
        found = self.opened(source) if deep < DEEP else None
        if found is not None and found[0].value is not None:
            routine, env = found
            cites = routine.value_cites or routine.cites or test.cites
            saved, x.env = x.env, env
            before, test.cites = test.cites, cites
            assert routine.value is not None
            self.parts_of_set(test, routine.value, value, path, deep + 1, routine.path)
            test.cites, x.env = before, saved

    def try_side(self, test: Test, source: core.Expr, value: m.Expr, path: tuple[int, ...], deep: int) -> None:
        """Of `a + b`, the side that a value would be in but for a condition."""
        part = Test(SOURCE, source, test.path, test.cites, test.bound, name=test.name)
        place = (*path, len(test.parts))
        test.parts.append(part)
        saved, file, deeper = dict(self.x.env), test.path, source
        found = self.opened(source) if deep < DEEP else None
        if found is not None and found[0].value is not None:
            deeper, file = found[0].value, found[0].path
            self.x.env = found[1]
            part.cites = found[0].value_cites or part.cites
        if isinstance(deeper, core.Fold) and deeper.kind in ("set", "list"):
            self.try_shape(part, deeper, value, place, file)
        self.x.env = saved

    def try_shape(self, test: Test, fold: core.Fold, value: m.Expr, path: tuple[int, ...], file: str) -> None:
        """Of `set(x in s, y in t(x) where ...: v)`: where the value could come out of it, the condition that it gets no further than."""
        x = self.x
        saved = dict(x.env)
        levels: list[str] = []
        reached = self.w.fresh.temp("d")
        x.set(reached, 0)
        for gen in fold.gens:
            x.open_gen(gen, levels)
        last = x.of(fold.value) if fold.value is not None else x.local(fold.gens[-1].local)
        x.code.enter(m.If(b.op(last, "==", value)))
        levels.append("if")
        waiting = [part for part in fold.where if not x.constant_of(part)]
        first = len(test.parts)
        for n, part in enumerate(waiting, 1):
            x.emit(m.If(b.op(reached, "<", n), [m.Set((reached,), m.Num(n))]))
            test.parts.append(Test(CONDITION, part, file, test.cites, test.bound))
            x.code.enter(m.If(x.of(part)))
            levels.append("if")
        x.close_gens(levels)
        x.env = saved
        if waiting:
            last_test = m.Tup((*(m.Num(n) for n in path), b.op(first - 1, "+", reached)))
            x.emit(m.If(m.Var(reached), [m.Return(last_test)]))

    def try_set(self, test: Test, source: core.Expr, value: m.Expr, path: tuple[int, ...], file: str, cites: tuple[str, ...], deep: int,
                negated: bool = False) -> None:
        x = self.x
        if isinstance(source, core.Whole) and not negated:
            return
        part = Test(SOURCE, source, file, cites, test.bound, name=test.name, negated=negated)
        place = (*path, len(test.parts))
        test.parts.append(part)
        inside = self.holds(source, value)
        with x.code.inside(m.If(inside if negated else b.no(inside))):
            if not negated:
                self.look(part, place)
                self.parts_of_set(part, source, value, place, deep + 1)
            x.emit(m.Return(b.literal(place)))


def used_cases(node: core.Node, local: Local) -> list[str]:
    """The families of defs that `node` asks for the entry of `local`: `fits[thing](...)`."""
    cases = {part: part.case for part in walk(node) if isinstance(part, core.Ask)}
    return [part.family for part, case in cases.items() if isinstance(case, core.Read) and case.local is local]
