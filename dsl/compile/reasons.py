"""Why something cannot be chosen: a second form of the module, made when somebody asks, in which each way to choose has a function
that tries one candidate against each part of the rule and says which part does not hold.

Blocks, frames and states lie where they lie in the ordinary form, so that its functions can be put to any position of it; what is
remembered behind them does not, and is worked out anew. The ordinary form knows nothing of this and is no slower for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from ..check.parts import key
from ..check.scope import Program, Routine
from ..check.secret import Flow
from ..syntax import tree
from ..types import BagOf, Bool, Int, Maybe, Of, SetOf, Type
from .choices import Choices
from .emit import Code
from .info import Slot
from .module import Module, ModuleWriter
from .pieces import binder_locals, not_token
from .routines import RoutineWriter

DEEP = 3                             # defs within defs that are looked into
CONDITION, SOURCE, REST, HOLDS = "condition", "source", "rest", "holds"


@dataclass(frozen=True)
class Side:
    """A part of a test whose value now says more: an expression in it, or a name that it goes over."""

    node: Any
    type: Type
    name: str = ""


@dataclass
class Test:
    """One part of the rule that a candidate must meet. `condition`: `node` must hold; `source`: what is chosen must be in `node`;
    `rest`: some later choice must meet `node`, or lie in it; `holds`: it does hold, and must not for what is around it. `bound` names of the
    option are known where it is tried. What it is made of in turn stands in `parts`; `closed`, for the outermost: it depends on what the
    one who decides may not see by that alone."""

    kind: str
    node: Any
    path: str
    cites: tuple[str, ...]
    bound: int
    closed: bool = False
    parts: list[Test] = field(default_factory=list)
    name: str = ""                   # of a source: which name of the option is chosen from it
    negated: bool = False            # of a source: it must not be in it
    sides: list[Side] = field(default_factory=list)
    cases: dict[int, Test] = field(default_factory=dict)           # by the value of its first side: the entry of a def that decides


@dataclass
class Way:
    """One way to answer: the only one, or a menu entry. `function(s, seen, *values)` gives the path to the first test that fails, or
    None; to the list `seen` it adds (path, values of the test's sides) for the tests on that path that have any."""

    entry: str | None
    tests: list[Test]
    slots: list[Slot]
    written: str                     # the name of the function in the module
    function: Callable[..., tuple[int, ...] | None] = lambda *_: None


@dataclass
class Reasons:
    """The explaining form of a game: ways to answer by the place where the game waits."""

    module: Module
    ways: dict[int, list[Way]]


def write_reasons(program: Program) -> Reasons:
    """Compile a checked program so that it can be asked why."""
    writer = ReasonWriter(program)
    module = writer.write()
    ways = {}
    for place, wait in module.waits.items():
        found = writer.ways.get(id(wait.decision))
        if found is not None:
            ways[place] = found
            for way in found:
                way.function = module.namespace[way.written]
    return Reasons(module, ways)


class ReasonWriter(ModuleWriter):
    """Writes the explaining form."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.ways: dict[int, list[Way]] = {}                       # by the id of the decision

    @property
    def writer_class(self) -> type[RoutineWriter]:
        return ReasonRoutine


class ReasonRoutine(RoutineWriter):
    """A procedure whose choices can be asked why."""

    def __init__(self, writer: ModuleWriter, routine: Routine, member: int | None) -> None:
        super().__init__(writer, routine, member)
        self.choices = ReasonChoices(self)


class ReasonChoices(Choices):
    """Choices that also write, for each way to answer, the function that tries a candidate."""

    def __init__(self, routine: RoutineWriter) -> None:
        super().__init__(routine)
        self.ways: list[Way] = []
        self.chance = False
        self.who: Any = None                                       # who decides, as secrets name it

    # ------------------------------------------------------------ where the ordinary form collects options

    def one(self, node: Any, *args: Any, **kwargs: Any) -> None:
        self.chance = isinstance(node.decider, tree.ByChance)
        self.about(node)
        super().one(node, *args, **kwargs)
        self.chance = False

    def chosen_set(self, node: Any) -> None:
        self.about(node)
        super().chosen_set(node)

    def menu_once(self, node: Any, *args: Any) -> None:
        self.about(node)
        self.ways = []
        for entry in node.entries:
            cites = self.w.cites_of(entry.cites, self.r.routine) if len(entry.cites) else self.cites
            self.ways.append(self.way(str(entry.name), list(entry.binders or []), self.x.conjuncts(entry.where), [], [], cites))
        super().menu_once(node, *args)

    def options(
        self, binders: list, conditions: list, slots: list[Slot], rest: list, rest_conditions: list, offset: int = 0, into: str = "o"
    ) -> None:
        if self.r.asks and not self.chance:
            self.ways = [self.way(None, binders, conditions, rest, rest_conditions, self.cites)]
        super().options(binders, conditions, slots, rest, rest_conditions, offset, into)

    def chance_block(self, node: tree.ChooseBlock) -> None:
        self.chance = True
        super().chance_block(node)
        self.chance = False

    def decision(self, node: Any, *args: Any, **kwargs: Any) -> Any:
        found = super().decision(node, *args, **kwargs)
        for way, choice in zip(self.ways, found.choices):
            way.slots = choice.slots
        self.w.ways[id(found)] = self.ways                         # type: ignore[attr-defined]
        return found

    def about(self, node: Any) -> None:
        self.who = None if isinstance(node.decider, tree.ByChance) else key(node.decider.who)
        self.cites = self.w.cites_of(node.cites, self.r.routine)

    # ------------------------------------------------------------ one way to answer

    def way(self, entry: str | None, binders: list, conditions: list, rest: list, rest_conditions: list, cites: tuple[str, ...]) -> Way:
        """Write the function of one way to answer. It tries in the order in which options are collected; only what depends on closed
        things comes after what everybody sees, so that the open reason is told where there is one."""
        x, r = self.x, self.r
        kept, env = r.keep(), dict(x.env)
        names = [f"w{n}" for n in range(len(binders))]
        code = Code(f"why{len(self.w.functions)}", ", ".join(["s", "seen", *names]))
        code.origin = x.code.origin
        self.w.functions.append(code)
        x.code, r.here = code, set()
        tests: list[Test] = []
        waiting = sorted(conditions, key=self.closed)
        later = [local for b in [*binders, *rest] for local in binder_locals(b)]
        self.ready(tests, waiting, later, 0, cites)
        for n, (binder, value) in enumerate(zip(binders, names), 1):
            x.env[binder.local] = value
            self.drawn_from(tests, binder, value, n, cites)
            later = [local for local in later if local not in binder_locals(binder)]
            self.ready(tests, waiting, later, n, cites)
        if rest:
            self.completed(tests, rest, waiting + list(rest_conditions), len(binders), cites)
        x.emit("return None")
        x.env = env
        r.back_to(kept)
        return Way(entry, tests, [], code.name)

    def ready(self, tests: list[Test], waiting: list, later: list, bound: int, cites: tuple[str, ...]) -> None:
        """Try the conditions whose names are all known by now."""
        for condition in list(waiting):
            if self.names_in(condition, later):
                continue
            waiting.remove(condition)
            if self.x.constant_of(condition):
                continue
            self.try_condition(tests, condition, (len(tests),), self.r.routine.path, cites, bound)

    def names_in(self, node: Any, locals_: Iterable) -> bool:
        from ..check.stmts import walk
        wanted = set(locals_)
        return any(isinstance(n, tree.Name) and n.ref is not None and n.ref.kind == "local" and n.ref.target in wanted for n in walk(node))

    def closed(self, node: Any) -> bool:
        """Whether the value of `node` tells of what the one who decides may not see by that alone."""
        return any(secret.owner is None or secret.owner != self.who for secret in Flow(None, None).label(node))

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

    def drawn_from(self, tests: list[Test], binder: Any, value: str, bound: int, cites: tuple[str, ...]) -> None:
        """Try whether a value is in the set that its name is chosen from."""
        x, source = self.x, binder.source
        path = (len(tests),)
        if isinstance(binder, tree.BinderNumbered):
            things = x.temp(f"list({x.walk_of(source)})", "l")
            inside = f"{value} in {things}"
        elif isinstance(source, tree.Domain):
            return
        else:
            inside = self.holds(source, value)
        test = Test(SOURCE, source, self.r.routine.path, cites, bound, self.closed(source), name=binder.local.name)
        tests.append(test)
        x.emit(f"if not ({inside}):")
        with x.code.indented():
            self.look(test, path)
            self.parts_of_set(test, source, value, path, 0)
            x.emit(f"return {path!r}")
        if isinstance(binder, tree.BinderNumbered):
            x.env[binder.number_local] = x.temp(f"{things}.index({value}) + 1", "i")

    def holds(self, source: tree.Expr, value: str) -> str:
        """A Python condition: the value is one of those that a name chosen from `source` goes over."""
        x = self.x
        if isinstance(source.type, Maybe):
            return f"{value} == {x.of(source)}"
        base = x.bag_base(source) if isinstance(source.type, BagOf) else None
        if base is not None:
            return f"s[{base} + {value}]"
        return f"{value} in {x.walk_of(source)}"

    def completed(self, tests: list[Test], rest: list, waiting: list, bound: int, cites: tuple[str, ...]) -> None:
        """Try whether something can be chosen afterwards; the test that nothing got past is the one that fails."""
        x = self.x
        first, file = len(tests), self.r.routine.path
        later = [local for b in rest for local in binder_locals(b)]
        levels: list[str] = []
        saved = dict(x.env)
        x.emit("d = 0")

        def note(node: Any, **more: Any) -> None:
            tests.append(Test(REST, node, file, cites, bound, self.closed(node), **more))

        def passed() -> None:
            x.emit(f"if d < {len(tests) - first}: d = {len(tests) - first}")

        def ready() -> None:
            for condition in list(waiting):
                if self.names_in(condition, later) or x.constant_of(condition):
                    continue
                waiting.remove(condition)
                note(condition)
                x.conditions([condition], later, levels)
                passed()

        for binder in rest:
            note(binder.source, name=binder.local.name)
            x.open_binder(binder, levels)
            later = [local for local in later if local not in binder_locals(binder)]
            passed()
            ready()
        x.emit("return None")
        x.close_binders(levels)
        x.env = saved
        x.emit(f"return ({first} + d,)")

    # ------------------------------------------------------------ what a part is made of

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
    from ..check.stmts import walk
    found = []
    for part in walk(node):
        uses = isinstance(part, tree.Apply | tree.At) and part.ref is not None and part.ref.kind == "family" and part.ref.target.kind == "def"
        if uses and any(getattr(getattr(case, "ref", None), "target", None) is local for case in case_of(part)):
            found.append(part.ref.target)
    return found


def case_of(node: Any) -> list[Any]:
    target = node.parts[0] if isinstance(node, tree.Apply) else node
    return target.parts[1:] if isinstance(target, tree.At) else []
