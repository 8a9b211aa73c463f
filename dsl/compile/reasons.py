"""Why something cannot be chosen: a second form of the module, made when somebody asks, in which each way to choose has a function
that tries one candidate against each part of the rule and says which part does not hold.

Blocks, frames and states lie where they lie in the ordinary form, so that its functions can be put to any position of it; what is
remembered behind them does not, and is worked out anew. The ordinary form knows nothing of this and is no slower for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..check.parts import key
from ..check.scope import Program, Routine
from ..check.secret import Flow
from ..check.stmts import walk
from ..syntax import tree
from .emit import Code
from .info import Slot
from .inside import Inside
from .module import Module, ModuleWriter
from .pieces import binder_locals
from .routines import RoutineWriter
from .trial import REST, SOURCE, Test, Way


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


class ReasonChoices(Inside):
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
        wanted = set(locals_)
        return any(isinstance(n, tree.Name) and n.ref is not None and n.ref.kind == "local" and n.ref.target in wanted for n in walk(node))

    def closed(self, node: Any) -> bool:
        """Whether the value of `node` tells of what the one who decides may not see by that alone."""
        return any(secret.owner is None or secret.owner != self.who for secret in Flow(None, None).label(node))

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
