"""Looking into the parts of a rule: the defs and sets that a condition is made of, down to the part that does not hold.

Written into the explaining form (reasons.py) behind each test, so that it only runs where the test fails.
"""

from __future__ import annotations

from typing import Any

from ..check.scope import Routine
from ..check.stmts import walk
from ..syntax import tree
from ..types import BagOf, Bool, Int, Maybe, Of, SetOf
from .choices import Choices
from .pieces import not_token
from .trial import CONDITION, HOLDS, SOURCE, Side, Test

DEEP = 3                             # defs within defs that are looked into


class Inside(Choices):
    """Choices that can look into a condition. A place among tests is a path: the number of a test, of a part of it, and so on."""

    def closed(self, node: Any) -> bool:
        """Whether the value of `node` tells what the one who decides may not see."""
        raise NotImplementedError

    def try_condition(self, tests: list[Test], node: tree.Expr, path: tuple[int, ...], file: str, cites: tuple[str, ...], bound: int,
                      deep: int = 0) -> None:
        x = self.x
        test = Test(CONDITION, node, file, cites, bound, not deep and self.closed(node))
        tests.append(test)
        x.emit(f"if not {x.of(node)}:")
        with x.code.indented():
            self.look(test, path)
            self.parts_of(test, path, deep)
            x.emit(f"return {path!r}")

    def look(self, test: Test, path: tuple[int, ...]) -> None:
        """Note what the sides of a comparison, or the ends of a span, are now, where that does not stand there already; of `all(x in s:
        ...)` and `not any(x in s where ...)`, the first x for which it goes wrong."""
        x, node = self.x, test.node
        if isinstance(node, tree.Binary) and str(node.op) in ("==", "!=", "<", "<=", ">", ">="):
            sides = [node.left, node.right]
        elif isinstance(node, tree.Span):
            sides = [node.low, node.high]
        elif isinstance(node, tree.Fold) and str(node.word) == "all":
            self.witness(test, node, [*x.conjuncts(node.where), negated(node.value)] if node.value is not None else [], path, CONDITION)
            return
        elif isinstance(node, tree.Unary) and isinstance(node.value, tree.Fold) and str(node.value.word) == "any":
            self.witness(test, node.value, x.conjuncts(node.value.where) + x.conjuncts(node.value.value), path, HOLDS)
            return
        else:
            return
        told = [side for side in sides if x.constant_of(side) is None and not isinstance(side, tree.Nothing)
                and isinstance(side.type, Int | Of | Bool | Maybe)]
        if told:
            test.sides = [Side(side, side.type) for side in told]
            x.emit(f"seen.append(({path!r}, ({', '.join(x.of(side) for side in told)},)))")

    def witness(self, test: Test, fold: tree.Fold, conditions: list, path: tuple[int, ...], kind: str) -> None:
        """Note the first things that meet all `conditions`, and which entry of a def decides for each of them."""
        x, saved = self.x, dict(self.x.env)
        found = self.w.fresh.temp("w")
        x.emit(f"{found} = None")
        levels = x.open_binders(fold.binders.items, conditions)
        x.emit(f"{found} = ({', '.join(x.local(b.local) for b in fold.binders)},)")
        if "for" in levels:
            x.emit("break")
        x.close_binders(levels, f"{found} is not None")
        x.env = saved
        x.emit(f"if {found} is not None: seen.append(({path!r}, {found}))")
        test.sides = [Side(b, b.local.type, str(b.name)) for b in fold.binders]
        for use in used_cases(fold, fold.binders.items[0].local):
            for member in range(len(self.w.program.model.enums[use.domain])):
                routine = use.entry(member)
                if routine is not None and routine.value is not None and isinstance(routine.node, tree.DefValue):
                    cites = self.w.cites_of(routine.node.cites, routine)
                    test.cases[member] = Test(kind, routine.value, routine.path, cites, test.bound)

    def holds(self, source: tree.Expr, value: str) -> str:
        """A Python condition: the value is one of those that a name chosen from `source` goes over."""
        x = self.x
        if isinstance(source.type, Maybe):
            return f"{value} == {x.of(source)}"
        base = x.bag_base(source) if isinstance(source.type, BagOf) else None
        if base is not None:
            return f"s[{base} + {value}]"
        return f"{value} in {x.walk_of(source)}"

    def parts_of(self, test: Test, path: tuple[int, ...], deep: int) -> None:
        """Try the parts of a condition that does not hold: those of a def that it asks, or of a set that something must be in."""
        node = test.node
        if isinstance(node, tree.Member | tree.NotMember):
            if isinstance(node, tree.Member) and isinstance(node.group.type, SetOf):
                saved = dict(self.x.env)
                value = self.x.temp(self.x.of(node.value))
                self.parts_of_set(test, node.group, value, path, deep)
                self.x.env = saved
            return
        found = self.opened(node)
        if found is None or deep >= DEEP:
            return
        routine, env = found
        saved, self.x.env = self.x.env, env
        rows: list[tuple[Any, Any]] = [(c.test, c.cites) for c in routine.conditions] or [(routine.value, routine.node.cites)]
        for expr, cited in rows:
            cites = self.w.cites_of(cited, routine) if len(cited) else routine.cites or test.cites
            for part in self.x.conjuncts(expr):
                if not self.x.constant_of(part):
                    self.try_condition(test.parts, part, (*path, len(test.parts)), routine.path, cites, test.bound, deep + 1)
        self.x.env = saved

    def opened(self, node: Any) -> tuple[Routine, dict] | None:
        """The def that an expression is a use of, and the names in it."""
        x, ref = self.x, getattr(node, "ref", None)
        if ref is None or ref.kind != "family" or ref.target.kind != "def":
            return None
        target = node.parts[0] if isinstance(node, tree.Apply) else node
        case = target.parts[1] if isinstance(target, tree.At) else None
        known = x.constant_of(case) if case is not None else None
        if case is not None and known is None:
            return None
        routine: Routine | None = ref.target.entry(known)
        if routine is None:
            return None
        arguments = node.parts[1:] if isinstance(node, tree.Apply) else []
        values = [x.temp(x.as_type(argument, param.type)) for argument, param in zip(arguments, ref.target.params)]
        env = dict(x.env) | dict(zip(routine.params, values))
        if routine.case_local is not None and known is not None:
            env[routine.case_local] = str(known)
        return routine, env

    def parts_of_set(self, test: Test, source: tree.Expr, value: str, path: tuple[int, ...], deep: int, file: str = "") -> None:
        """Try what keeps a value out of a set: the parts of `a & b` and `a - b`, the conditions of `set(x in s where ...)`."""
        x = self.x
        file = file or test.path
        if isinstance(source, tree.Binary) and isinstance(source.type, SetOf) and str(source.op) in ("&", "-"):
            self.try_set(test, source.left, value, path, file, test.cites, deep)
            self.try_set(test, source.right, value, path, file, test.cites, deep, negated=str(source.op) == "-")
            return
        if isinstance(source, tree.Binary) and isinstance(source.type, SetOf) and str(source.op) == "+":
            for side in (source.left, source.right):
                self.try_side(test, side, value, path, deep)
            return
        if isinstance(source, tree.Fold) and str(source.word) in ("set", "list"):
            binder = source.binders.items[0]
            if source.value is not None or len(source.binders) > 1 or isinstance(binder, tree.BinderNumbered):
                self.try_shape(test, source, value, path, file)
                return
            saved = dict(x.env)
            x.env[binder.local] = value
            if not isinstance(binder.source, tree.Domain):
                self.try_set(test, binder.source, value, path, file, test.cites, deep)
            for part in x.conjuncts(source.where):
                if not x.constant_of(part):
                    self.try_condition(test.parts, part, (*path, len(test.parts)), file, test.cites, test.bound, deep + 1)
            x.env = saved
            return
        found = self.opened(source) if deep < DEEP else None
        if found is not None and found[0].value is not None:
            routine, env = found
            cites = self.w.cites_of(routine.node.cites, routine) if len(routine.node.cites) else routine.cites or test.cites
            saved, x.env = x.env, env
            before, test.cites = test.cites, cites
            self.parts_of_set(test, routine.value, value, path, deep + 1, routine.path)      # type: ignore[arg-type]
            test.cites, x.env = before, saved

    def try_side(self, test: Test, source: tree.Expr, value: str, path: tuple[int, ...], deep: int) -> None:
        """Of `a + b`, the side that a value would be in but for a condition."""
        part = Test(SOURCE, source, test.path, test.cites, test.bound, name=test.name)
        place = (*path, len(test.parts))
        test.parts.append(part)
        saved, file, deeper = dict(self.x.env), test.path, source
        found = self.opened(source) if deep < DEEP else None
        if found is not None and found[0].value is not None:
            deeper, file = found[0].value, found[0].path
            self.x.env = found[1]
            if len(found[0].node.cites):
                part.cites = self.w.cites_of(found[0].node.cites, found[0])
        if isinstance(deeper, tree.Fold) and str(deeper.word) in ("set", "list"):
            self.try_shape(part, deeper, value, place, file)
        self.x.env = saved

    def try_shape(self, test: Test, fold: tree.Fold, value: str, path: tuple[int, ...], file: str) -> None:
        """Of `set(x in s, y in t(x) where ...: v)`: where the value could come out of it, the condition that it gets no further than."""
        x = self.x
        saved, levels = dict(x.env), []                            # type: ignore[var-annotated]
        reached = self.w.fresh.temp("d")
        x.emit(f"{reached} = 0")
        for binder in fold.binders:
            x.open_binder(binder, levels)
        last = x.of(fold.value) if fold.value is not None else x.local(fold.binders.items[-1].local)
        x.emit(f"if {last} == {value}:")
        x.code.depth += 1
        levels.append("if")
        waiting = [part for part in x.conjuncts(fold.where) if not x.constant_of(part)]
        first = len(test.parts)
        for n, part in enumerate(waiting, 1):
            x.emit(f"if {reached} < {n}: {reached} = {n}")
            test.parts.append(Test(CONDITION, part, file, test.cites, test.bound))
            x.emit(f"if {x.of(part)}:")
            x.code.depth += 1
            levels.append("if")
        x.emit("pass")
        x.close_binders(levels)
        x.env = saved
        if waiting:
            x.emit(f"if {reached}: return ({', '.join(map(str, path))}, {first - 1} + {reached})")

    def try_set(self, test: Test, source: tree.Expr, value: str, path: tuple[int, ...], file: str, cites: tuple[str, ...], deep: int,
                negated: bool = False) -> None:
        x = self.x
        if isinstance(source, tree.Domain) and not negated:
            return
        part = Test(SOURCE, source, file, cites, test.bound, name=test.name, negated=negated)
        place = (*path, len(test.parts))
        test.parts.append(part)
        inside = self.holds(source, value)
        x.emit(f"if {inside}:" if negated else f"if not ({inside}):")
        with x.code.indented():
            if not negated:
                self.parts_of_set(part, source, value, place, deep + 1)
            x.emit(f"return {place!r}")


def negated(node: tree.Expr) -> tree.Expr:
    """`not node`"""
    found = tree.Unary(node.meta, not_token(), node)
    found.type = node.type
    return found


def used_cases(node: Any, local: Any) -> list[Any]:
    """The families of defs that `node` asks for the entry of `local`: `fits[thing](...)`."""
    found = []
    for part in walk(node):
        if not isinstance(part, tree.Apply | tree.At) or part.ref is None or part.ref.kind != "family" or part.ref.target.kind != "def":
            continue
        if any(getattr(getattr(case, "ref", None), "target", None) is local for case in case_of(part)):
            found.append(part.ref.target)
    return found


def case_of(node: Any) -> list[Any]:
    target = node.parts[0] if isinstance(node, tree.Apply) else node
    return target.parts[1:] if isinstance(target, tree.At) else []
