"""The second opinion, second half: statements, run by walking the checked tree as a person would with a finger on the page.

`Walker.play()` is a generator: it yields each decision as an `Asked` and is sent the spelling of an option. Chance comes from
`random`, the state of the generator: splitmix64 as its authors describe it, a number below n by multiply-and-shift.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ludoglot.dsl.check.scope import Local, Program, Routine
from ludoglot.dsl.syntax import tree
from ludoglot.dsl.types import Int, PileOf, SetOf

from .spots import Frame, Spot
from .values import Fault, Values

Play = Generator["Asked", str, None]


@dataclass
class Asked:
    """A decision: who, its key, and the spellings of the options in order."""

    seat: int
    key: str
    options: list[str]


class Stopped(Exception):
    """`stop`: the procedure is over."""


class Walker(Values):
    """Runs procedures."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.random = 0
        self.told: list[tuple[str, dict[str, str]]] = []

    def play(self) -> Play:
        """The whole game."""
        yield from self.routine(self.program.families["game"].routines[0], None, [])

    def perform(self, name: str, case: int | None, values: list) -> None:
        """A procedure that never asks."""
        family = self.program.families[name]
        for asked in self.routine(family.entry(case), case, values):
            raise AssertionError(f"{name} asks {asked}")

    def routine(self, routine: Routine | None, case: int | None, values: list) -> Play:
        assert routine is not None
        for state in routine.resets:
            self.state[state.name] = {}
        frame = Frame(routine, case, self.parameters(routine, case, values))
        with suppress(Stopped):
            yield from self.suite(routine.body, frame)

    def suite(self, suite: Any, frame: Frame) -> Play:
        for statement in suite:
            yield from getattr(self, "do_" + type(statement).__name__.lower().rstrip("_"))(statement, frame) or ()

    # ------------------------------------------------------------ simple statements

    def do_let(self, node: Any, frame: Frame) -> None:
        frame.env[node.local] = self.of(node.value, frame.env)

    def do_assign(self, node: Any, frame: Frame) -> None:
        spot, value = Spot(self, node.target, frame), self.of(node.value, frame.env)
        if str(node.op) != "=":
            before, sign = spot.get(), str(node.op)[0]
            if isinstance(spot.type, Int):
                value = before + value if sign == "+" else before - value
            elif isinstance(spot.type, SetOf):
                value = before | frozenset(value) if sign == "+" else before - frozenset(value)
            elif sign == "+":
                value = before + tuple(value)
            else:
                left = list(before)
                for thing in value:
                    if thing in left:
                        left.remove(thing)
                value = tuple(left)
        spot.put(self.shaped(value, spot.type))

    def do_move(self, node: Any, frame: Frame) -> None:
        source, target = Spot(self, node.source, frame), Spot(self, node.target, frame)
        amount = node.amount
        if isinstance(source.type, Int):
            have = source.get()
            n = have if isinstance(amount, tree.Everything) else self.of(amount.value, frame.env)
            if isinstance(amount, tree.AtMost):
                n = min(n, have)
            if n < 0 or n > have:
                raise Fault("F007")
            source.put(have - n)
            target.put(target.get() + n)
            return
        if isinstance(amount, tree.Everything):
            things = source.things()
        else:
            value = self.of(amount.value, frame.env)
            things = sorted(value) if isinstance(value, frozenset) else [value]
        for thing in things:
            source.take(thing)
            target.give(thing)

    def do_draw(self, node: Any, frame: Frame) -> None:
        source, target = Spot(self, node.source, frame), Spot(self, node.target, frame)
        for _ in range(self.of(node.amount.value, frame.env)):
            things = source.things()
            if not things:
                if isinstance(node.amount, tree.AtMost):
                    return
                raise Fault("F008")
            if isinstance(source.type, PileOf):
                thing = things[-1]
                source.put(source.get()[:-1])
            else:
                thing = things[self.below(len(things))]
                source.take(thing)
            target.give(thing)

    def below(self, n: int) -> int:
        """A random number in 0..n-1."""
        mask = (1 << 64) - 1
        self.random = z = (self.random + 0x9E3779B97F4A7C15) & mask
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return (z ^ (z >> 31)) * n >> 64

    def do_shuffle(self, node: Any, frame: Frame) -> None:
        spot = Spot(self, node.target, frame)
        things = list(spot.get())
        for n in range(len(things) - 1, 0, -1):
            k = self.below(n + 1)
            things[n], things[k] = things[k], things[n]
        spot.put(tuple(things))

    def do_swap(self, node: Any, frame: Frame) -> None:
        one, other = Spot(self, node.one, frame), Spot(self, node.other, frame)
        first, second = one.get(), other.get()
        one.put(second)
        other.put(first)

    def do_tell(self, node: Any, frame: Frame) -> None:
        name, *tellings, _ = node.parts
        values = [self.of(telling.value, frame.env) for telling in tellings if telling is not None]
        self.told.append((str(name), {slot: self.spell(kind, value) for (slot, kind), value in zip(node.slots, values, strict=True)}))

    def do_stop(self, node: Any, frame: Frame) -> None:
        raise Stopped

    def do_call(self, node: Any, frame: Frame) -> Play:
        values = [self.of(a, frame.env) for a in node.arguments]
        case = None if node.case is None else self.of(node.case, frame.env)
        yield from self.routine(node.ref.target.entry(case), case, values)

    # ------------------------------------------------------------ blocks

    def do_if(self, node: Any, frame: Frame) -> Play:
        test, _, suite, *rest = node.parts
        if self.of(test, frame.env):
            yield from self.suite(suite, frame)
            return
        for part in rest:
            if isinstance(part, tree.Elif_) and self.of(part.test, frame.env) or isinstance(part, tree.Else_):
                yield from self.suite(part.body, frame)
                return

    def do_for(self, node: Any, frame: Frame) -> Play:
        binders = list(node.binders)
        if node.reached is None:
            for known in list(self.combinations(binders, node.where, frame.env)):
                frame.env.update({local: known[local] for local in locals_of(binders)})
                yield from self.suite(node.body, frame)
            return
        first, *inner = binders
        for known in list(self.combinations([first], None, frame.env)):
            frame.env.update({local: known[local] for local in locals_of([first])})
            yield from self.reached(inner, node.where, node.body, frame)

    def reached(self, binders: list, where: Any, body: Any, frame: Frame) -> Play:
        """`as reached`: the set of each further name is looked at when its turn comes, the condition at each combination."""
        if not binders:
            if where is None or self.of(where, frame.env):
                yield from self.suite(body, frame)
            return
        first, *inner = binders
        for known in list(self.combinations([first], None, frame.env)):
            frame.env.update({local: known[local] for local in locals_of([first])})
            yield from self.reached(inner, where, body, frame)

    def do_repeat(self, node: Any, frame: Frame) -> Play:
        for _ in range(self.of(node.count, frame.env)):
            if node.until is not None and self.of(node.until, frame.env):
                return
            yield from self.suite(node.body, frame)

    def do_rounds(self, node: Any, frame: Frame) -> Play:
        until = (lambda: self.of(node.until, frame.env)) if node.until is not None else (lambda: False)
        if node.binder is None:
            while not until():
                yield from self.suite(node.body, frame)
            return
        somebody = True
        while somebody:
            somebody = False
            if until():
                return
            for known in list(self.combinations([node.binder], None, frame.env)):
                frame.env.update({local: known[local] for local in locals_of([node.binder])})
                if node.where is not None and not self.of(node.where, frame.env):
                    continue
                if until():
                    return
                somebody = True
                yield from self.suite(node.body, frame)

    # ------------------------------------------------------------ choices

    def do_choose(self, node: Any, frame: Frame) -> Play:
        if isinstance(node.how, tree.UpTo | tree.Exactly | tree.Some):
            yield from self.pick_set(node, frame)
            return
        if not (yield from self.pick(node, frame, node.may is not None)):
            raise Stopped

    def do_chooseblock(self, node: Any, frame: Frame) -> Play:
        how = node.how
        if isinstance(how, tree.UpTo | tree.Exactly | tree.Some):
            yield from self.pick_set(node, frame)
            yield from self.suite(node.body, frame)
        elif how is not None:
            for _ in range(self.of(how.count, frame.env)):
                if not (yield from self.pick(node, frame, isinstance(how, tree.UpToTimes))):
                    return
                yield from self.suite(node.body, frame)
        elif (yield from self.pick(node, frame, node.may is not None)):
            yield from self.suite(node.body, frame)
        elif node.otherwise is not None:
            yield from self.suite(node.otherwise.body, frame)

    def key(self, node: Any, frame: Frame, name: str, both: bool) -> str:
        routine = frame.routine
        head = routine.key
        if routine.case_local is not None:
            head = f"{routine.name}[{self.spell(routine.case_local.type, frame.case)}]"
        label = [str(node.label)] if node.label is not None else []
        return ".".join([head, *label, *([name] if both or not label else [])])

    def seat(self, node: Any, frame: Frame) -> int:
        who = node.decider.who
        value = self.of(who, frame.env)
        if who.type.name != "Player":
            value = self.read(self.program.states[self.model.enum_of(who.type.name).decides], (value,))
        if value is None:
            raise Fault("F010")
        return value

    def pick(self, node: Any, frame: Frame, optional: bool) -> Generator[Asked, str, bool]:
        """One combination, group after group of names; False when there was nothing or it was declined."""
        groups = [list(group) for group in node.slots]
        binders = [binder for group in groups for binder in group]
        found = list(self.combinations(binders, node.where, frame.env))
        if not found:
            return False
        for n, group in enumerate(groups):
            names = locals_of(group)
            options: dict[str, list] = {}
            for known in found:
                options.setdefault(self.spelt(names, known), []).append(known)
            if isinstance(node.decider, tree.ByChance):
                found = list(options.values())[self.below(len(options))]
                continue
            may = ["decline"] if optional and n == 0 else []
            key = self.key(node, frame, names[0].name, len(groups) > 1)
            answer = yield Asked(self.seat(node, frame), key, [*options, *may])
            if answer == "decline":
                return False
            found = options[answer]
        frame.env.update({local: found[0][local] for local in locals_of(binders)})
        return True

    def spelt(self, names: list[Local], known: dict) -> str:
        return " ".join(f"{local.name}={self.spell(local.type, known[local])}" for local in names)

    def pick_set(self, node: Any, frame: Frame) -> Play:
        """A set, thing after thing in the order of the source, so that each set can be chosen in one way only."""
        (binder,) = [binder for group in node.slots for binder in group]
        local = binder.local
        things = [known[local] for known in self.combinations([binder], node.where, frame.env)]
        how = node.how
        left = len(things) if isinstance(how, tree.Some) else min(self.of(how.count, frame.env), len(things))
        chosen: list = []
        while left > 0 and things:
            offered = things[: len(things) - left + 1] if isinstance(how, tree.Exactly) else things
            options = {self.spelt([local], {local: thing}): thing for thing in offered}
            more = [] if isinstance(how, tree.Exactly) else ["decline"]
            frame.env[node.result] = frozenset(chosen)
            answer = yield Asked(self.seat(node, frame), self.key(node, frame, local.name, False), [*options, *more])
            if answer == "decline":
                break
            chosen.append(options[answer])
            things = things[things.index(options[answer]) + 1 :]
            left -= 1
        frame.env[node.result] = frozenset(chosen)

    def do_menu(self, node: Any, frame: Frame) -> Play:
        how = node.how
        times = 1 if how is None else self.of(how.count, frame.env)
        for _ in range(times):
            optional = node.may is not None if how is None else isinstance(how, tree.UpToTimes)
            options: dict[str, tuple[Any, dict]] = {}
            for entry in node.entries:
                binders = list(entry.binders or [])
                for known in self.combinations(binders, entry.where, frame.env):
                    spelling = f"{entry.name} {self.spelt(locals_of(binders), known)}".strip()
                    options.setdefault(spelling, (entry, known))
            answer = "decline"
            if options:
                name = "/".join(str(entry.name) for entry in node.entries)
                may = ["decline"] if optional else []
                answer = yield Asked(self.seat(node, frame), self.key(node, frame, name, False), [*options, *may])
            if answer == "decline":
                if how is None and node.otherwise is not None:
                    yield from self.suite(node.otherwise.body, frame)
                return
            entry, known = options[answer]
            frame.env.update(known)
            yield from self.suite(entry.body, frame)


def locals_of(binders: Any) -> list[Local]:
    """What binders bind, left to right: numbers and things."""
    out: list[Local] = []
    for binder in binders:
        if hasattr(binder, "number_local"):
            out.append(binder.number_local)
        out.append(binder.local)
    return out
