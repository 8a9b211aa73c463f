"""The uncut form: the same tree compiled without cuts, for simulation. A choice is made on the spot, at random, so procedures are
plain functions, loops plain loops, and locals plain variables. It plays the same games as the blocks, only without stopping.

While it runs, s[PC] holds the greatest number of rounds, s[ANSWER] counts decisions, s[OPTIONS] is the random source.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import nodes as core
from ..core.nodes import Local
from ..core.program import Routine
from ..core.walk import walk
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import Code, add
from ..ir.limits import LISTED, WIDE
from ..ir.metadata import Slot
from ..storage.control_slots import ANSWER, OPTIONS, PC, ROUND
from .choices import Choices
from .loops import Loops
from .pair_candidates import Pairs
from .procedures import RoutineWriter
from .protocols import Asked, Writer

UNROLLED = 200       # parts of a loop's body, times those that it goes over: larger ones are left as loops


class UncutWriter(RoutineWriter):
    """Compiles any procedure as one that never asks."""

    listens = False                                                # a simulated game is only played

    def __init__(self, writer: Writer, routine: Routine, member: int | None) -> None:
        super().__init__(writer, routine, member)
        self.asks = False
        self.chosen: list[Asked] = []                              # conditions that what was chosen meets
        self.drawn: dict[Local, m.Expr] = {}                       # and at which place of a list of options it stood
        self.choices, self.loops = UncutChoices(self), UncutLoops(self)

    def compile(self) -> None:
        """As a function; of the game, what comes before anything is decided or drawn is one by itself: it is always the same."""
        first = self.settled()
        if not first:
            super().compile()
            return
        body = self.routine.body
        self.w.before = self.w.fresh.function("p", "before")
        for name, part in ((self.w.before, body[:first]), (self.name, body[first:])):
            self.x.code = Code(name)
            self.w.functions.append(self.x.code)
            self.origin(self.routine)
            self.suite(part)
            if not self.x.code.closed:
                self.leave()

    def settled(self) -> int:
        """With how many steps of the game nothing is decided, drawn or given a name."""
        routine = self.routine
        if routine is not self.w.program.families["game"].routines[0] or routine.resets or routine.params:
            return 0
        for n, step in enumerate(routine.body):
            effect = self.w.effect_of([step])
            parts = list(walk(step))
            bound = any(isinstance(part, core.Let | core.Choose | core.Rounds | core.Halt) for part in parts)
            named = any(isinstance(part, core.Store) and isinstance(part.target, core.Read) for part in parts)
            open_ = any(one.asks or one.draws for one in (effect, *(self.w.effects.of[called] for called in effect.calls)))
            if bound or named or open_:
                return n
        return len(routine.body)

    def suite(self, block: core.Block) -> None:
        around, self.chosen = self.chosen, []                      # what a loop around knows need not hold in its next go
        super().suite(block)
        self.chosen = around

    def statement(self, node: core.Stmt) -> None:
        """A step, and what is known of the entries that it writes: what they hold now, and of what was just chosen for what it holds,
        what they held."""
        here = self.x.code.open[-1]
        before = len(here)
        super().statement(node)
        if isinstance(node, core.Store):
            self.noted(node, here[before:])
        gone = {state for inside in walk(node) for state in self.w.written_by(inside)}
        self.chosen = [one for one in self.chosen if one.state.name not in gone]
        if isinstance(node, core.Choose) and not node.menu and node.how is None and node.ways[0].body is None and not node.may:
            way = node.ways[0]
            asked = [self.w.upkeep.holders.asked(gen, condition) for gen in way.gens for condition in way.where]
            self.chosen += [one for one in asked if one is not None and one.held and lasts(one.value) and not one.local.mutable]

    def noted(self, node: core.Store, steps: m.Body) -> None:
        """Tell the steps of a write what is known of it."""
        was = place = None
        match node.target:
            case core.Load(state=name, index=(core.Read(local=index),)):
                was = next((one.value for one in self.chosen if one.state.name == name and one.local is index), None)
                place = self.drawn.get(index) if was is not None else None
        value = next((step.value for step in steps if isinstance(step, m.Put) and b.is_simple(step.value)), None)
        for step in steps:
            if isinstance(step, m.Writing | m.Written) and was is not None:
                step.was = self.x.of(was)
            if isinstance(step, m.Written):
                step.value, step.place = value, place

    def call_asks(self, node: core.Do, known: int | None) -> bool:
        return False


def lasts(value: core.Expr) -> bool:
    """Whether an expression is worth the same a few steps later."""
    return isinstance(value, core.Nothing | core.Const) or isinstance(value, core.Read) and not value.local.mutable


class UncutLoops(Loops):
    """Loops that end where enough rounds were played; short ones over a few known members are written once for each of them."""

    def pass_straight(self, node: core.Rounds) -> None:
        gen = node.gen
        assert gen is not None
        many = len(self.x.model.enums[gen.source.domain]) if isinstance(gen.source, core.Whole) else 0
        parts = sum(1 for _ in walk(*node.body))
        if node.where or gen.number is not None or not 0 < many * parts <= UNROLLED:
            super().pass_straight(node)
            return
        saved = dict(self.x.env)
        for member in range(many):
            self.x.env[gen.local] = m.Num(member)
            self.go_straight(node)
            self.x.env = dict(saved)

    def next_round(self, outermost: bool) -> None:
        if outermost:
            self.x.emit(m.If(b.op(b.get(ROUND), ">=", b.get(PC)), [m.Raise("Halt")]))
            self.x.emit(m.Change(b.get(ROUND), "+=", m.Num(1)))


class UncutChoices(Choices):
    """Choices that are made where they stand."""

    def __init__(self, routine: UncutWriter) -> None:
        super().__init__(routine)
        self.r: UncutWriter = routine

    def pick(self, size: int | None = None, noted: Local | None = None) -> None:
        """An answer to the options in `o`, of which there is at least one; with a `size` they stand there as the mask of a set of so many
        members at most. `noted`: the name of which the place in the list is to be known."""
        self.x.code.loads["pick"] = m.Num(OPTIONS)
        drawn = b.op(b.call(m.Var("pick")), "*", b.call("len", "o") if size is None else b.ask("o", "bit_count"))
        at = b.call("int", drawn)
        if noted is not None:
            at = self.r.drawn[noted] = self.x.temp(at, "k")
        if size is None:
            self.x.set("a", b.entry("o", at))
        else:
            self.x.set("k", at)
            body = self.member(0, size, m.Var("o"), m.Var("k"))
            self.x.code.mark(body)
            self.x.code.write(body)
        self.x.emit(m.Change(b.get(ANSWER), "+=", m.Num(1)))

    def member(self, low: int, high: int, among: m.Expr, place: m.Expr, part: str = "y") -> m.Body:
        """Steps that put into `a` the member at a place of a mask, which has the members from `low` to before `high` from its first bit on:
        halved until a table knows the rest."""
        if high - low <= WIDE:
            found = b.entry(b.entry(self.w.wide(0, WIDE), among), place)
            return [m.Set(("a",), add(found, m.Num(low)) if low else found)]
        width = (high - low + 2 * WIDE - 1) // (2 * WIDE) * WIDE
        middle = low + width
        fewer = self.member(low, middle, m.Var(part), place, f"{part}y")
        if high - middle <= WIDE:
            more = self.member(middle, high, b.op(among, ">>", width), b.op(place, "-", "c"))
        else:
            more = [m.Set(("k",), b.op(place, "-", "c")), m.Set(("o",), b.op(among, ">>", width)),
                    *self.member(middle, high, m.Var("o"), m.Var("k"), part)]
        return [m.Set((part,), b.op(among, "&", (1 << width) - 1)), m.Set(("c",), b.ask(part, "bit_count")),
                m.If(b.op(place, "<", "c"), fewer, more)]

    def ask_groups(self, node: core.Choose, optional: bool, taken: Any) -> None:
        """Choose group after group; `taken` writes what follows, only reached when something was chosen. None: what follows is the rest
        of the procedure, which ends where nothing was chosen."""
        x = self.x
        groups, chance = node.ways[0].groups, node.chance
        conditions = self.split(node)
        depth = x.code.depth
        for n, group in enumerate(groups):
            rest = [gen for later in groups[n + 1 :] for gen in later] if not chance else []
            rest_conditions = [c for later in conditions[n + 1 :] for c in later] if not chance else []
            locals_ = [gen.local for gen in group]
            slots = self.thrown(group) if chance else [self.slot(gen) for gen in group]
            plain = not chance and not (n == 0 and optional) and not rest
            listed = self.listed(node, group, conditions[n]) if plain else None
            held = self.wide(group, conditions[n], slots) if plain and listed is None else None
            pairs = Pairs(x).offered(group, conditions[n]) if plain and len(group) == 2 else None
            if listed is not None:
                x.set("o", listed)
            elif pairs is not None:
                x.set("o", pairs.mask)
            elif held is not None:
                x.set("o", held[0])
            else:
                self.options(group, conditions[n], slots, rest, rest_conditions)
            if taken is None:
                if n == 0 and node.stop:
                    x.emit(m.If(b.no("o"), [m.Return()]))
            elif n == 0 or chance:
                x.code.enter(m.If(m.Var("o")))
            if n == 0 and optional:
                x.set("o", m.Lst((m.Star(m.Var("o")), m.Num(-1))))
            if chance:
                x.set("a", b.call("chance", b.POSITION, "o", 0))
            elif listed is not None:
                self.pick(None, locals_[0])
            else:
                self.pick(pairs.size if pairs is not None else held[1] if held is not None else None)
            if n == 0 and optional and taken is None:
                x.emit(m.If(b.op("a", "<", 0), [m.Return()]))
            elif n == 0 and optional:
                x.code.enter(m.If(b.op("a", ">=", 0)))
            if pairs is not None:
                for local, things in zip(locals_, (pairs.first, pairs.second)):
                    x.set(self.w.fresh.local(local), b.entry(things, "a"))
                    x.env.pop(local, None)
                    self.r.declare(local)
            else:
                self.decode(slots, locals_, m.Var("a"))
        if taken is not None:
            taken()
        x.code.depth = depth

    def wide(self, group: Sequence[core.Gen], conditions: Sequence[core.Expr], slots: list[Slot]) -> tuple[m.Expr, int] | None:
        """Options that are kept as a mask too wide for a table of its members, and how many bits wide: the one that is drawn is counted
        off, the others are never listed. None where they are not so kept."""
        gen = group[0]
        if len(group) > 1 or slots[0].low or not isinstance(gen.source, core.Whole):
            return None
        if len(self.x.model.enums[gen.source.domain]) <= WIDE:
            return None
        return self.held(gen, conditions)

    def listed(self, node: core.Choose, group: Sequence[core.Gen], conditions: Sequence[core.Expr]) -> m.Expr | None:
        """Options that are those who hold one value, as a list that is kept while the game goes on: out of a long one the chosen is taken
        more quickly than it is found in a mask. None where something else than the steps of the game itself writes what is held."""
        game = self.w.program.families["game"].routines[0]
        gen, holders = group[0], self.w.upkeep.holders
        asked = holders.asked(gen, conditions[0]) if len(group) == len(conditions) == 1 and gen.number is None else None
        if not isinstance(gen.source, core.Whole) or self.r.routine is not game or node.how is not None:
            return None
        if asked is None or not asked.held or not isinstance(asked.value, core.Nothing):
            return None
        name = asked.state.name
        others = any(name in self.w.effects.of[routine].writes for routine in self.w.program.routines if routine is not game)
        places = [inside for inside in walk(*game.body) if name in self.w.written_by(inside)]
        others = others or any(one in places for one in walk(*game.body[: self.r.settled()]))
        plain = all(isinstance(one, core.Store) and isinstance(one.target, core.Load) and one.op == "=" for one in places)
        if others or not plain or name in game.resets or len(self.x.model.enums[gen.source.domain]) <= LISTED:
            return None
        kept = holders.of(asked.state)
        if kept is None:
            return None
        known = self.w.upkeep.listed
        if asked.state not in known:
            known[asked.state] = self.w.fresh.temp("l")
            members = b.call("list", b.call("bits", b.get(m.Kept(kept.first))))
            self.r.x.code.body.insert(0, m.Set((known[asked.state],), members, origin=self.x.code.origin))
        return m.Var(known[asked.state])

    def flat(self, node: core.Choose) -> None:
        if node.how is not None and node.how.sets:
            self.chosen_set(node)
            return
        self.ask_groups(node, node.may, None)

    def block(self, node: core.Choose, body: core.Block) -> None:
        x, how = self.x, node.how
        if how is not None and how.sets:
            self.chosen_set(node)
            self.r.suite(body)
            return
        made = self.w.fresh.temp("b")

        def taken() -> None:
            x.set(made, True)
            self.r.suite(body)
            x.code.closed = False

        if how is not None:
            assert how.count is not None
            with x.code.inside(m.For(("_",), b.call("range", x.of(how.count)))):
                x.set(made, False)
                self.ask_groups(node, how.kind == "up to times", taken)
                x.emit(m.If(b.no(made), [m.Break()]))
            return
        x.set(made, False)
        self.ask_groups(node, node.may, taken)
        self.otherwise(node, made)

    def otherwise(self, node: core.Choose, made: str) -> None:
        """What happens where nothing was chosen."""
        if node.otherwise is not None:
            with self.x.code.inside(m.If(b.no(made))):
                self.r.suite(node.otherwise.body)
                self.x.code.closed = False

    def chosen_set(self, node: core.Choose) -> None:
        x = self.x
        gen, result, how = node.ways[0].gens[0], node.result, node.how
        assert result is not None and how is not None
        exact = how.kind == "exactly"
        variable = self.w.fresh.local(result)
        x.set(variable, 0)
        self.r.declare(result)
        self.options([gen], node.ways[0].where, [self.slot(gen)], [], [])
        things, left = self.w.fresh.temp("l"), self.w.fresh.temp("n")
        x.set(things, b.call("tuple", "o"))
        size = b.call("len", things)
        wanted = size if how.count is None else x.temp(x.of(how.count))
        x.set(left, b.call("min", wanted, size))
        with x.code.inside(m.While(b.op(left, ">", 0))):
            x.set("o", self.offered(things, left, exact))
            self.pick()
            if not exact:
                x.emit(m.If(b.op("a", "<", 0), [m.Break()]))
            x.emit(m.Change(m.Var(variable), "|=", b.bit("a")))
            x.set("o", self.without_answer(m.Var(things)))
            x.set(things, b.call("tuple", "o"))
            x.emit(m.Change(m.Var(left), "-=", m.Num(1)))

    def menu(self, node: core.Choose) -> None:
        x, how = self.x, node.how
        made = self.w.fresh.temp("b")
        if how is not None:
            assert how.count is not None
            x.code.enter(m.For(("_",), b.call("range", x.of(how.count))))
        x.set(made, False)
        x.set("o", m.Lst())
        named, offset = [], 0
        for way in node.ways:
            locals_ = [gen.local for gen in way.gens]
            slots = [self.slot(gen) for gen in way.gens]
            saved = dict(x.env)
            levels = x.open_gens(way.gens, way.where)
            x.emit(m.Do(b.ask("o", "append", self.code_of(slots, locals_, offset))))
            x.close_gens(levels)
            x.env = saved
            self.once(way.gens)
            size = 1
            for slot in slots:
                size *= slot.radix
            named.append((way, slots, locals_, offset, size))
            offset += size
        depth = x.code.depth
        x.code.enter(m.If(m.Var("o")))
        if node.may or how is not None and how.kind == "up to times":
            x.emit(m.Do(b.ask("o", "append", -1)))
        self.pick()
        for way, slots, locals_, start, size in named:
            taken = m.If(m.Between(m.Num(start), m.Var("a"), m.Num(start + size), "<=", "<"))
            x.code.enter(taken)
            x.set(made, True)
            x.emit(m.Change(m.Var("a"), "-=", m.Num(start)))
            self.decode(slots, locals_, m.Var("a"))
            self.r.suite(way.body or ())
            x.code.closed = False
            x.code.depth -= 1
            x.code.enter_other(taken)
        x.code.depth = depth
        if how is not None:
            x.emit(m.If(b.no(made), [m.Break()]))
            x.code.depth -= 1
        else:
            self.otherwise(node, made)
