"""Second half of the reference implementation: statements, run by a simple walk over the core.

`Walker.play()` is a generator. It yields each decision as an `Asked`, and you send it the spelling of a move. Chance comes from
`random`, the state of the generator: splitmix64 as its authors describe it, and multiply-and-shift for a number below n.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ludoglot.dsl.core.nodes import Block, GeneratorBinding, LocalVar
from ludoglot.dsl.core.program import Program, Routine
from ludoglot.dsl.types.types import BagOf, Int, PileOf, SetOf, Type

from .assignable_places import Frame, Spot
from .reference_expressions import Env, Fault, Values, without

Play = Generator["Asked", str, None]


@dataclass
class Asked:
    """A decision: its seat, its key, and the spellings of its moves in order."""

    seat: int
    key: str
    options: list[str]


class Stopped(Exception):
    """Ends a procedure after `stop`."""


class Walker(Values):
    """Runs procedures."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.random = 0

    def play(self) -> Play:
        """Plays the whole game."""
        yield from self.routine(self.program.families["game"].routines[0], None, [])

    def perform(self, name: str, case: int | None, values: list) -> None:
        """Runs a procedure without decisions."""
        family = self.program.families[name]
        for asked in self.routine(family.entry(case), case, values):
            raise AssertionError(f"{name} asks {asked}")

    def routine(self, routine: Routine | None, case: int | None, values: list) -> Play:
        assert routine is not None
        for state in routine.resets:
            self.state[state] = {}
        frame = Frame(routine, case, self.parameters(routine, case, values))
        with suppress(Stopped):
            yield from self.suite(routine.body, frame)

    def suite(self, suite: Block, frame: Frame) -> Play:
        for statement in suite:
            yield from getattr(self, "do_" + type(statement).__name__.lower())(statement, frame) or ()

    # ------------------------------------------------------------ simple statements

    def do_let(self, node: Any, frame: Frame) -> None:
        frame.env[node.local] = self.fitted(node.value, node.local.type, frame.env)

    def do_store(self, node: Any, frame: Frame) -> None:
        spot = Spot(self, node.target, frame)
        value = self.fitted(node.value, spot.type, frame.env)
        if node.op != "=":
            before, sign = spot.get(), node.op[0]
            if isinstance(spot.type, Int):
                value = before + value if sign == "+" else before - value
            elif isinstance(spot.type, SetOf):
                value = before | value if sign == "+" else before - value
            else:
                value = before + value if sign == "+" else without(before, value)
        spot.put(value)

    def do_movestmt(self, node: Any, frame: Frame) -> None:
        source, target = Spot(self, node.source, frame), Spot(self, node.target, frame)
        amount = node.amount
        if isinstance(source.type, Int):
            have = source.get()
            n = have if amount.value is None else self.of(amount.value, frame.env)
            if amount.most:
                n = min(n, have)
            if n < 0 or n > have:
                raise Fault("F007")
            source.put(have - n)
            target.put(target.get() + n)
            return
        if amount.value is None:
            things = source.things()
        else:
            value = self.of(amount.value, frame.env)
            things = sorted(value) if isinstance(value, frozenset) else [value]
        for thing in things:
            source.take(thing)
            target.give(thing)

    def do_drawstmt(self, node: Any, frame: Frame) -> None:
        source, target = Spot(self, node.source, frame), Spot(self, node.target, frame)
        for _ in range(self.of(node.amount.value, frame.env)):
            things = source.things()
            if not things:
                if node.amount.most:
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
        """Returns a random number in 0..n-1."""
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

    def do_emitevent(self, node: Any, frame: Frame) -> None:
        slots = {name: self.spell(value.type, self.of(value, frame.env)) for name, value in node.slots}
        self.told.append((node.event, slots))

    def do_stopproc(self, node: Any, frame: Frame) -> None:
        raise Stopped

    def do_callproc(self, node: Any, frame: Frame) -> Play:
        family = self.program.families[node.family]
        case = None if node.case is None else self.of(node.case, frame.env)
        yield from self.routine(family.entry(case), case, self.arguments(family, node.args, frame.env))

    # ------------------------------------------------------------ blocks

    def do_ifchain(self, node: Any, frame: Frame) -> Play:
        for arm in node.arms:
            if self.of(arm.test, frame.env):
                yield from self.suite(arm.body, frame)
                return
        yield from self.suite(node.other or (), frame)

    def do_foreach(self, node: Any, frame: Frame) -> Play:
        if node.reached:
            yield from self.reached(node.gens, node, frame)
            return
        for known in list(self.combinations(node.gens, node.where, frame.env)):
            frame.env.update({local: known[local] for local in locals_of(node.gens)})
            yield from self.suite(node.body, frame)

    def reached(self, gens: tuple[GeneratorBinding, ...], node: Any, frame: Frame) -> Play:
        """Runs `as reached`: evaluates the set of each further name when its turn comes, and the condition at each combination."""
        if not gens:
            if self.hold(node.where, frame.env):
                yield from self.suite(node.body, frame)
            return
        for known in list(self.combinations(gens[:1], (), frame.env)):
            frame.env.update({local: known[local] for local in locals_of(gens[:1])})
            yield from self.reached(gens[1:], node, frame)

    def do_repeatloop(self, node: Any, frame: Frame) -> Play:
        for _ in range(self.of(node.count, frame.env)):
            if node.until is not None and self.of(node.until, frame.env):
                return
            yield from self.suite(node.body, frame)

    def do_roundsloop(self, node: Any, frame: Frame) -> Play:
        until = (lambda: self.of(node.until, frame.env)) if node.until is not None else (lambda: False)
        if node.gen is None:
            while not until():
                yield from self.suite(node.body, frame)
            return
        somebody = True
        while somebody:
            somebody = False
            if until():
                return
            for known in list(self.combinations([node.gen], (), frame.env)):
                frame.env.update({local: known[local] for local in node.gen.locals})
                if not self.hold(node.where, frame.env):
                    continue
                if until():
                    return
                somebody = True
                yield from self.suite(node.body, frame)

    # ------------------------------------------------------------ choices

    def do_choosestmt(self, node: Any, frame: Frame) -> Play:
        how = node.how
        if node.is_menu:
            yield from self.menu(node, frame)
            return
        (way,) = node.ways
        follows = way.body or ()
        if how is not None and how.is_set:
            yield from self.pick_set(node, way, frame)
            yield from self.suite(follows, frame)
        elif how is not None:
            for _ in range(self.of(how.count, frame.env)):
                if not (yield from self.pick(node, way, frame, how.kind == "up to times")):
                    return
                yield from self.suite(follows, frame)
        elif (yield from self.pick(node, way, frame, node.may)):
            yield from self.suite(follows, frame)
        elif node.otherwise is not None:
            yield from self.suite(node.otherwise.body, frame)
        elif node.stop:
            raise Stopped
        else:
            assert way.body is not None, f"nothing to choose at {way.at}"

    def key(self, node: Any, frame: Frame, name: str, both: bool) -> str:
        routine = frame.routine
        head = routine.key
        if routine.case is not None:
            head = f"{routine.name}[{self.spell(routine.case.type, frame.case)}]"
        label = [node.label] if node.label is not None else []
        return ".".join([head, *label, *([name] if both or not label else [])])

    def seat(self, node: Any, frame: Frame) -> int:
        who = node.by.who
        value = self.of(who, frame.env)
        if who.type.name != "Player":
            value = self.read(self.program.states[self.model.enum_of(who.type.name).decides], (value,))
        if value is None:
            raise Fault("F010")
        return value

    def pick(self, node: Any, way: Any, frame: Frame, optional: bool) -> Generator[Asked, str, bool]:
        """Chooses one combination, group after group of names. Returns False if there was none or the seat declined."""
        found = list(self.combinations(way.gens, way.where, frame.env))
        if not found:
            return False
        for n, group in enumerate(way.groups):
            names = locals_of(group)
            options: dict[str, list] = {}
            for known in found:
                options.setdefault(self.spelt(names, known), []).append(known)
            if node.is_chance:
                found = list(options.values())[self.below(len(options))]
                continue
            may = ["decline"] if optional and n == 0 else []
            key = self.key(node, frame, names[0].name, len(way.groups) > 1)
            answer = yield Asked(self.seat(node, frame), key, [*options, *may])
            if answer == "decline":
                return False
            found = options[answer]
        frame.env.update({local: found[0][local] for local in locals_of(way.gens)})
        return True

    def spelt(self, names: list[LocalVar], known: dict) -> str:
        return " ".join(f"{local.name}={self.one_word(local.type, known[local])}" for local in names)

    def one_word(self, found: Type, value: Any) -> str:
        if isinstance(found, SetOf):
            return "+".join(self.spell(found.of, thing) for thing in sorted(value)) or "{}"
        if isinstance(found, BagOf):
            return "+".join(f"{self.spell(found.of, kind)}={many}" for kind, many in enumerate(value) if many) or "{}"
        return self.spell(found, value)

    def pick_set(self, node: Any, way: Any, frame: Frame) -> Play:
        """Chooses a set, member after member in any order.

        If all remaining members must be taken, they are taken in the order of the source.
        """
        (gen,) = way.gens
        local, how = gen.local, node.how
        things = {self.spelt([local], known): known[local] for known in self.combinations([gen], way.where, frame.env)}
        left = len(things) if how.kind == "some" else min(self.of(how.count, frame.env), len(things))
        chosen: set = set()
        while left > 0:
            offered = [*things, "decline"] if how.kind != "exactly" else [*things] if left < len(things) else [*things][:1]
            frame.env[node.result] = frozenset(chosen)
            answer = yield Asked(self.seat(node, frame), self.key(node, frame, local.name, False), offered)
            if answer == "decline":
                break
            chosen.add(things.pop(answer))
            left -= 1
        frame.env[node.result] = frozenset(chosen)

    def menu(self, node: Any, frame: Frame) -> Play:
        how = node.how
        times = 1 if how is None else self.of(how.count, frame.env)
        optional = node.may if how is None else how.kind == "up to times"
        for _ in range(times):
            options: dict[str, tuple[Any, Env]] = {}
            for way in node.ways:
                for known in self.combinations(way.gens, way.where, frame.env):
                    spelling = f"{way.name} {self.spelt(locals_of(way.gens), known)}".strip()
                    options.setdefault(spelling, (way, known))
            answer = "decline"
            if options:
                name = "/".join(way.name for way in node.ways)
                may = ["decline"] if optional else []
                answer = yield Asked(self.seat(node, frame), self.key(node, frame, name, False), [*options, *may])
            if answer == "decline":
                if how is None and node.otherwise is not None:
                    yield from self.suite(node.otherwise.body, frame)
                return
            way, known = options[answer]
            frame.env.update(known)
            yield from self.suite(way.body, frame)


def locals_of(gens: Iterable[GeneratorBinding]) -> list[LocalVar]:
    """Returns the names that generators bind, left to right: numbers and members."""
    return [local for gen in gens for local in gen.locals]
