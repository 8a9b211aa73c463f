"""Why something cannot be chosen: a second form of the module, made when somebody asks, in which each way to choose has a function
that tries one candidate against each part of the rule and says which part does not hold.

Blocks, frames and states lie where they lie in the ordinary form, so that its functions can be put to any position of it; what is
remembered behind them does not, and is worked out anew. The ordinary form knows nothing of this and is no slower for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..analysis.information_flow import labels
from ..analysis.results import Facts
from ..analysis.visibility_rules import key
from ..core import nodes as core
from ..core.nodes import Local
from ..core.program import Routine
from ..core.walk import locals_of
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import Code
from ..ir.explain_metadata import REST, SOURCE, Test, Way
from ..ir.metadata import Slot
from .condition_probe import Inside
from .module import ModuleWriter
from .procedures import RoutineWriter


class ReasonWriter(ModuleWriter):
    """Writes the explaining form."""

    def __init__(self, facts: Facts) -> None:
        super().__init__(facts)
        self.ways: dict[int, list[Way]] = {}                       # by the id of the decision

    @property
    def writer_class(self) -> type[RoutineWriter]:
        return ReasonRoutine


class ReasonRoutine(RoutineWriter):
    """A procedure whose choices can be asked why."""

    def __init__(self, writer: ModuleWriter, routine: Routine, member: int | None) -> None:
        super().__init__(writer, routine, member)
        self.choices = ReasonChoices(self)


class ReasonChoices(Inside):
    """Choices that also write, for each way to answer, the function that tries a candidate."""

    def __init__(self, routine: RoutineWriter) -> None:
        super().__init__(routine)
        self.ways: list[Way] = []
        self.chance = False
        self.who: Any = None                                       # who decides, as secrets name it

    # ------------------------------------------------------------ where the ordinary form collects options

    def one(self, node: core.Choose, *args: Any, **kwargs: Any) -> None:
        self.chance = node.chance
        self.about(node)
        super().one(node, *args, **kwargs)
        self.chance = False

    def chosen_set(self, node: core.Choose) -> None:
        self.about(node)
        super().chosen_set(node)

    def menu_once(self, node: core.Choose, *args: Any) -> None:
        self.about(node)
        self.ways = [self.way(way.name, way.gens, way.where, (), (), way.cites or self.cites) for way in node.ways]
        super().menu_once(node, *args)

    def options(
        self, gens: Sequence[core.Gen], conditions: Sequence[core.Expr], slots: list[Slot], rest: Sequence[core.Gen],
        rest_conditions: Sequence[core.Expr], offset: int = 0, into: str = "o",
    ) -> None:
        if self.r.asks and not self.chance:
            self.ways = [self.way(None, gens, conditions, rest, rest_conditions, self.cites)]
        super().options(gens, conditions, slots, rest, rest_conditions, offset, into)

    def chance_block(self, node: core.Choose, body: core.Block) -> None:
        self.chance = True
        super().chance_block(node, body)
        self.chance = False

    def decision(self, node: core.Choose, *args: Any, **kwargs: Any) -> Any:
        found = super().decision(node, *args, **kwargs)
        for way, choice in zip(self.ways, found.choices):
            way.slots = choice.slots
        self.w.ways[id(found)] = self.ways                         # type: ignore[attr-defined]
        return found

    def about(self, node: core.Choose) -> None:
        self.who = key(node.by.who, self.w.program) if isinstance(node.by, core.Seat) else None
        self.cites = node.cites or self.r.routine.cites

    # ------------------------------------------------------------ one way to answer

    def way(self, entry: str | None, gens: Sequence[core.Gen], conditions: Sequence[core.Expr], rest: Sequence[core.Gen],
            rest_conditions: Sequence[core.Expr], cites: tuple[str, ...]) -> Way:
        """Write the function of one way to answer. It tries in the order in which options are collected; only what depends on closed
        things comes after what everybody sees, so that the open reason is told where there is one."""
        x, r = self.x, self.r
        kept, env = r.keep(), dict(x.env)
        names = [f"w{n}" for n in range(len(gens))]
        code = Code(self.w.fresh.function("w", self.r.routine.name), ("s", "seen", *names))
        code.origin = x.code.origin
        self.w.functions.append(code)
        x.code, r.here = code, set()
        tests: list[Test] = []
        waiting = sorted(conditions, key=self.closed)
        later = [local for gen in [*gens, *rest] for local in gen.locals]
        self.ready(tests, waiting, later, 0, cites)
        for n, (gen, value) in enumerate(zip(gens, names), 1):
            x.env[gen.local] = m.Var(value)
            self.drawn_from(tests, gen, m.Var(value), n, cites)
            later = [local for local in later if local not in gen.locals]
            self.ready(tests, waiting, later, n, cites)
        if rest:
            self.completed(tests, rest, waiting + list(rest_conditions), len(gens), cites)
        else:
            x.emit(m.Return(m.Nil()))
        x.env = env
        r.back_to(kept)
        return Way(entry, tests, [], code.name)

    def ready(self, tests: list[Test], waiting: list[core.Expr], later: list[Local], bound: int, cites: tuple[str, ...]) -> None:
        """Try the conditions whose names are all known by now."""
        for condition in list(waiting):
            if self.names_in(condition, later):
                continue
            waiting.remove(condition)
            if self.x.constant_of(condition):
                continue
            self.try_condition(tests, condition, (len(tests),), self.r.routine.path, cites, bound)

    def names_in(self, node: core.Expr, names: Iterable[Local]) -> bool:
        return not locals_of(node).isdisjoint(names)

    def closed(self, node: core.Expr) -> bool:
        """Whether the value of `node` tells of what the one who decides may not see by that alone."""
        found = labels(self.w.facts).label(node)
        return any(secret.owner is None or secret.owner != self.who for secret in found)

    def drawn_from(self, tests: list[Test], gen: core.Gen, value: m.Expr, bound: int, cites: tuple[str, ...]) -> None:
        """Try whether a value is in the set that its name is chosen from."""
        x, source = self.x, gen.source
        path = (len(tests),)
        things: m.Expr = m.Nil()
        if gen.number is not None:
            things = x.temp(b.call("list", x.walk_of(source)), "l")
            inside = b.op(value, "in", things)
        elif isinstance(source, core.Whole):
            return
        else:
            inside = self.holds(source, value)
        test = Test(SOURCE, source, self.r.routine.path, cites, bound, self.closed(source), name=gen.local.name)
        tests.append(test)
        with x.code.inside(m.If(b.no(inside))):
            self.look(test, path)
            self.parts_of_set(test, source, value, path, 0)
            x.emit(m.Return(b.literal(path)))
        if gen.number is not None:
            x.env[gen.number] = x.temp(b.op(b.ask(things, "index", value), "+", 1), "i")

    def completed(self, tests: list[Test], rest: Sequence[core.Gen], waiting: list[core.Expr], bound: int, cites: tuple[str, ...]) -> None:
        """Try whether something can be chosen afterwards; the test that nothing got past is the one that fails."""
        x = self.x
        first, file = len(tests), self.r.routine.path
        later = [local for gen in rest for local in gen.locals]
        levels: list[str] = []
        saved = dict(x.env)
        x.set("d", 0)

        def note(node: core.Expr, **more: Any) -> None:
            tests.append(Test(REST, node, file, cites, bound, self.closed(node), **more))

        def passed() -> None:
            x.emit(m.If(b.op("d", "<", len(tests) - first), [m.Set(("d",), m.Num(len(tests) - first))]))

        def ready() -> None:
            for condition in list(waiting):
                if self.names_in(condition, later) or x.constant_of(condition):
                    continue
                waiting.remove(condition)
                note(condition)
                x.conditions([condition], later, levels)
                passed()

        for gen in rest:
            note(gen.source, name=gen.local.name)
            x.open_gen(gen, levels)
            later = [local for local in later if local not in gen.locals]
            passed()
            ready()
        x.emit(m.Return(m.Nil()))
        x.close_gens(levels)
        x.env = saved
        if levels:                                                 # else everything can be chosen afterwards
            x.emit(m.Return(m.Tup((b.op(first, "+", "d"),))))
