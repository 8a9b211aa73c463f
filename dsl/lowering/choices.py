"""Choices: the list of options as codes, the wait, and what the answer means.

An option is a number: the position of its values in the product of the domains of its names (for a menu, after the codes of
the entries before it); DECLINE is -1 and comes last. The order of options is the order of the sets, first name slowest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..analysis.decision_points import decision_key
from ..core import nodes as core
from ..core.nodes import Local
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import Code
from ..ir.metadata import REMAINING, Choice, Decision, Slot
from ..storage.control_slots import ANSWER, OPTIONS, PC, SEAT
from ..types.boards import OPEN_SPAN
from ..types.types import Int, ListOf, Maybe, Of, PileOf, SetOf, Type
from .protocols import Procedure


class Choices:
    def __init__(self, routine: Procedure) -> None:
        self.r = routine
        self.x, self.w = routine.x, routine.w

    # ------------------------------------------------------------ parts

    def slot(self, gen: core.Gen, told: frozenset[Local] = frozenset()) -> Slot:
        """How an option holds the value of a name; `told` are the names that are no secret when it has been done."""
        local = gen.local
        found: Type = local.type
        secret = bool(self.w.facts.secrecy.of(local)) and local not in told
        if isinstance(found, Int):
            low, high = found.low or 0, found.high or 0
            return Slot(local.name, found, max(1, high - low + 1), low, secret)
        if isinstance(found, SetOf):
            things = self.x.model.enum_of(found.of.name) if isinstance(found.of, Of) else None
            assert things is not None
            return Slot(local.name, found, 1 << len(things), 0, secret, most_in(gen.source))
        assert isinstance(found, Of)
        enum = self.x.model.enum_of(found.name)
        assert enum is not None
        return Slot(local.name, found, OPEN_SPAN * OPEN_SPAN if enum.kind == "open" else len(enum), 0, secret)

    def thrown(self, gens: Sequence[core.Gen]) -> list[Slot]:
        """The slots of a throw of chance: a single number is its own code, so that a script and the log speak of the number."""
        slots = [self.slot(gen) for gen in gens]
        if len(slots) == 1 and isinstance(slots[0].type, Int):
            return [Slot(slots[0].name, slots[0].type, slots[0].radix + slots[0].low, 0)]
        return slots

    def key(self, label: str | None, name: str, several: bool) -> str:
        return decision_key(self.w.key_of(self.r.routine, self.r.member), label, name, several)

    def decision(self, node: core.Choose, key: str, choices: list[Choice], optional: bool, several: bool = False) -> Decision:
        offset = 0
        for choice in choices:
            choice.offset = offset
            offset += choice.size
        audience = self.w.facts.secrecy.audiences[node]
        found = Decision(
            key, choices, optional, several, node.at.path, node.at.line, node.at.column, node.cites or self.r.routine.cites,
            self.r.routine.key, audience.secret, audience.shows,
        )
        self.w.decisions.append(found)
        return found

    def seat(self, node: core.Choose) -> m.Expr:
        """Who decides, as the number of a player."""
        assert isinstance(node.by, core.Seat)
        who = node.by.who
        found = who.type
        if isinstance(found, Of) and found.name != "Player":
            state = self.w.program.states[self.x.model.enums[found.name].decides or ""]
            seat = self.x.temp(b.get(self.x.address(state, [who])), "p")
            if isinstance(state.type, Maybe):
                self.x.emit(m.If(b.op(seat, "<", 0), [m.Do(b.fault("F010"))]))
            return seat
        return self.x.of(who)

    def code_of(self, slots: list[Slot], locals_: list[Local], offset: int = 0) -> m.Expr:
        """The code of the values that the names hold."""
        code: m.Expr | None = None
        for slot, local in zip(slots, locals_):
            value = self.x.local(local)
            if isinstance(slot.type, SetOf):
                value = b.call("packed", value)
            if slot.low:
                value = b.op(value, "-", slot.low)
            code = value if code is None else b.op(b.op(code, "*", slot.radix), "+", value)
        return b.op(code or m.Num(0), "+", offset) if offset else code or m.Num(0)

    def decode(self, slots: list[Slot], locals_: list[Local], answer: m.Expr) -> None:
        """Put the values of an answer into the names."""
        rest = answer
        for n in range(len(slots) - 1, -1, -1):
            slot, variable = slots[n], self.w.fresh.local(locals_[n])
            value = rest if n == 0 else b.op(rest, "%", slot.radix)
            if isinstance(slot.type, SetOf):
                value = b.call("unpacked", value)
            self.x.set(variable, b.op(value, "+", slot.low) if slot.low else value)
            if n:
                name = self.w.fresh.temp("a")
                self.x.set(name, b.op(rest, "//", slot.radix))
                rest = m.Var(name)
        for local in locals_:
            self.x.env.pop(local, None)
            self.r.declare(local)

    def once(self, gens: Sequence[core.Gen], into: str = "o") -> None:
        """A list may hold a thing twice; as an option it stands once."""
        if any(isinstance(gen.source.type, ListOf | PileOf) and not (isinstance(gen.source, core.Prim) and gen.source.op == "..")
               for gen in gens):
            self.x.set(into, b.call("list", b.ask("dict", "fromkeys", into)))

    def options(
        self, gens: Sequence[core.Gen], conditions: Sequence[core.Expr], slots: list[Slot], rest: Sequence[core.Gen],
        rest_conditions: Sequence[core.Expr], offset: int = 0, into: str = "o",
    ) -> None:
        """Write code that fills `into` with the codes of all combinations; with `rest`, only those that can be completed."""
        x = self.x
        locals_ = [gen.local for gen in gens]
        single = len(gens) == 1 and not rest and not offset and not slots[0].low and into == "o" and not isinstance(slots[0].type, SetOf)
        held = self.held(gens[0], conditions) if single else None
        if held is not None:
            x.set("o", self.w.members_of(*held))
            return
        if single and self.one_line(gens[0], conditions):
            self.once(gens)
            return
        saved = dict(x.env)
        if not offset:
            x.set(into, m.Lst())
        levels = x.open_gens(gens, conditions)
        if rest:
            found = x.exists(rest, list(rest_conditions))
            x.code.enter(m.If(found))
            levels.append("if")
        x.emit(m.Do(b.ask(into, "append", self.code_of(slots, locals_, offset))))
        x.close_gens(levels)
        x.env = saved
        self.once(gens, into)

    def held(self, gen: core.Gen, conditions: Sequence[core.Expr]) -> tuple[m.Expr, int] | None:
        """The options as a mask that the position keeps, and of how many members; None where it keeps none."""
        x = self.x
        if not isinstance(gen.source, core.Whole):
            return None
        mask = self.w.upkeep.mask(x, gen, conditions)
        if mask is None:
            found = self.w.upkeep.holders.narrowed(x, gen, conditions, whole=True)
            mask = x.temp(found.mask, "m") if found is not None else None
        if mask is None:
            return None
        return mask, len(x.model.enums[gen.source.domain])

    def one_line(self, gen: core.Gen, conditions: Sequence[core.Expr]) -> bool:
        """A list comprehension where nothing needs more than an expression."""
        x = self.x
        found = gen.source.type
        if isinstance(found, Maybe) or not isinstance(found, SetOf | ListOf) or x.narrowed(gen.source) is not None:
            return False
        if self.w.upkeep.holders.wanted(x, gen, conditions):
            return False
        variable = self.w.fresh.local(gen.local)
        saved = dict(x.env)
        source, lines = x.branch_walk(gen.source)
        x.env[gen.local] = m.Var(variable)
        tests = []
        for condition in conditions:
            value, more = x.branch(condition)
            if more:
                x.env = saved
                return False
            tests.append(value)
        x.env = saved
        x.code.write(lines)
        x.set("o", m.Listed(m.Var(variable), (variable,), source, (b.both(tests),) if tests else ()))
        return True

    def ask(self, node: core.Choose, decision: Decision, options: str = "o") -> Code:
        """Wait for an answer; writing goes on in the block that has it."""
        x = self.x
        after = self.r.block()
        seat = self.seat(node)
        self.r.flush()
        self.r.waiting(after, decision)
        decision.scope = list(self.w.waits[self.w.number(after)].live)
        decision.told = frozenset(local.name for local in self.told(node) if local in self.r.live)
        x.emit(b.put(PC, self.w.number(after)))
        x.emit(b.put(SEAT, seat))
        x.emit(b.put(OPTIONS, options))
        x.emit(m.Return(m.Var(options)))
        x.code.closed = True
        self.r.switch(after)
        return after

    def none_left(self, to: Any) -> None:
        """Where there is nothing to choose: `to` writes what happens."""
        self.aside(b.no("o"), to)

    def aside(self, test: m.Expr, to: Callable[[], None]) -> None:
        """Where the test holds, `to` writes what happens; writing then goes on where it was."""
        kept = self.r.keep()
        self.x.code.enter(m.If(test))
        to()
        self.r.back_to(kept)

    # ------------------------------------------------------------ one choice

    def told(self, node: core.Choose) -> frozenset[Local]:
        """The names that are no secret any more when a choice has been made."""
        return self.w.facts.secrecy.audiences[node].told

    def split(self, node: core.Choose) -> list[list[core.Expr]]:
        """The conditions of a choice, each with the first group by which all its names are known."""
        way = node.ways[0]
        found: list[list[core.Expr]] = [[] for _ in way.groups]
        for condition in way.where:
            at = len(way.groups) - 1
            while at > 0 and not self.r.uses(condition, way.groups[at]):
                at -= 1
            found[at].append(condition)
        return found

    def one(self, node: core.Choose, optional: bool, nothing: Any, declined: Any, several: bool = False) -> None:
        """Ask for one combination, group after group; afterwards the names hold it. `nothing` and `declined` write the two ways out."""
        x = self.x
        groups = node.ways[0].groups
        conditions = self.split(node)
        if node.chance:
            self.by_chance(groups, conditions, nothing)
            return
        for n, group in enumerate(groups):
            rest = [gen for later in groups[n + 1 :] for gen in later]
            rest_conditions = [c for later in conditions[n + 1 :] for c in later]
            locals_ = [gen.local for gen in group]
            slots = [self.slot(gen, self.told(node)) for gen in group]
            self.options(group, conditions[n], slots, rest, rest_conditions)
            if n == 0 and nothing is not None:
                self.none_left(nothing)
            if n == 0 and optional:
                x.set("o", m.Lst((m.Star(m.Var("o")), m.Num(-1))))
            key = self.key(node.label, group[0].local.name, len(groups) > 1)
            self.ask(node, self.decision(node, key, [Choice(None, slots)], optional and n == 0, several))
            x.set("a", b.get(ANSWER))
            if n == 0 and optional:
                self.aside(b.op("a", "<", 0), declined)
            self.decode(slots, locals_, m.Var("a"))

    def by_chance(self, groups: Sequence[Sequence[core.Gen]], conditions: list[list[core.Expr]], nothing: Any) -> None:
        x = self.x
        for group, tests in zip(groups, conditions):
            locals_ = [gen.local for gen in group]
            slots = self.thrown(group)
            self.options(group, tests, slots, [], [])
            if nothing is not None:
                self.none_left(nothing)
            x.set("a", b.call("chance", b.POSITION, "o", self.lot(locals_)))
            self.decode(slots, locals_, m.Var("a"))

    def choose(self, node: core.Choose) -> None:
        if node.menu:
            self.menu(node)
        elif node.ways[0].body is None:
            self.flat(node)
        else:
            self.block(node, node.ways[0].body)

    def flat(self, node: core.Choose) -> None:
        if node.how is not None and node.how.sets:
            self.chosen_set(node)
            return
        stop = self.r.leave if node.stop else None
        self.one(node, node.may, stop, self.r.leave)

    def lot(self, locals_: list[Local]) -> int:
        """The kind of a throw of chance, as the log knows it."""
        secret = any(self.w.facts.secrecy.of(local) for local in locals_)
        return self.w.chance_kind(locals_[0].type if len(locals_) == 1 else None, secret)

    def block(self, node: core.Choose, body: core.Block) -> None:
        how = node.how
        if how is not None and how.sets:
            with self.r.scope():
                self.chosen_set(node)
                self.r.suite(body)
            return
        if how is not None:
            self.times(how, lambda out: self.one(node, how.kind == "up to times", out, out, True), lambda: self.r.suite(body))
            return
        if node.chance and not self.r.may_ask(node):
            self.chance_block(node, body)
            return
        self.r.flush()
        other, after = self.r.block(), self.r.block()
        out = lambda: self.r.goto(other)  # noqa: E731
        with self.r.scope():
            self.one(node, node.may, out, out)
            self.r.suite(body)
        self.r.goto(after)
        self.r.switch(other)
        if node.otherwise is not None:
            self.r.suite(node.otherwise.body)
        self.r.goto(after)
        self.r.switch(after)

    def chance_block(self, node: core.Choose, body: core.Block) -> None:
        """A throw of the dice in a procedure that never asks: no cut is needed."""
        x = self.x
        gens = node.ways[0].gens
        slots = self.thrown(gens)
        self.options(gens, node.ways[0].where, slots, [], [])
        there = m.If(m.Var("o"))
        with self.r.scope(), x.code.inside(there):
            x.set("a", b.call("chance", b.POSITION, "o", self.lot([gen.local for gen in gens])))
            self.decode(slots, [gen.local for gen in gens], m.Var("a"))
            self.r.suite(body)
            x.code.closed = False
        if node.otherwise is not None:
            with x.code.otherwise(there):
                self.r.suite(node.otherwise.body)
                x.code.closed = False

    def times(self, how: core.How, choose: Any, body: Any) -> None:
        """Ask again and again, options new each time, until the count is reached, nothing is left, or the decider stops."""
        x = self.x
        assert how.count is not None
        with self.r.scope():
            slot, head, after = self.r.counted(x.of(how.count))
            out = lambda: self.r.goto(after)  # noqa: E731
            with self.r.scope():
                choose(out)
                x.emit(m.Change(b.get(slot), "-=", m.Num(1)))
                body()
            self.r.again(head)
        self.r.switch(after)

    # ------------------------------------------------------------ a set of things

    def chosen_set(self, node: core.Choose) -> None:
        """`exactly n x in S`: one element after another, in any order. The frame keeps what is left of S and what was taken, so two orders
        of the same elements lead to equal positions. Where all that is left must be taken, only its first element is offered."""
        x = self.x
        gen, result, how = node.ways[0].gens[0], node.result, node.how
        assert result is not None and how is not None
        exact = how.kind == "exactly"
        x.set(self.w.fresh.local(result), 0)
        self.r.declare(result)
        with self.r.scope():
            things, left = self.r.hidden(REMAINING, "list"), self.r.hidden("left")
            at, count = (m.Frame(self.r.slots[h]) for h in (things, left))
            slots = [self.slot(gen, self.told(node))]
            self.options([gen], node.ways[0].where, slots, [], [])
            x.set("o", b.call("tuple", "o"))
            x.emit(b.put(at, "o"))
            size = b.call("len", "o")
            wanted = size if how.count is None else x.temp(x.of(how.count))
            x.emit(b.put(count, m.Choice(b.op(wanted, "<", size), wanted, size)))
            head, after = self.r.head()
            for name, where in (("n", count), ("l", at)):
                x.set(name, b.get(where))
            self.r.leave_loop(b.op("n", "<=", 0), after)
            x.set("o", self.offered("l", "n", exact))
            key = self.key(node.label, gen.local.name, False)
            self.ask(node, self.decision(node, key, [Choice(None, slots)], not exact, True))
            x.set("a", b.get(ANSWER))
            if not exact:
                self.aside(b.op("a", "<", 0), lambda: self.r.goto(after))
            self.r.store(result, b.op(self.r.read(result), "|", b.bit("a")))
            x.set("o", self.without_answer(b.get(at)))
            x.emit(b.put(at, b.call("tuple", "o")))
            x.emit(m.Change(b.get(count), "-=", m.Num(1)))
            self.r.again(head)
        self.r.switch(after)

    def offered(self, things: str, left: str, exact: bool) -> m.Expr:
        """The options of a set that is being chosen: the elements not taken yet. `left`: how many may or must still be taken."""
        listed = m.Var(things)
        if not exact:
            return m.Lst((m.Star(listed), m.Num(-1)))
        every = b.call("list", listed)
        return m.Choice(b.op(left, "<", b.call("len", things)), every, b.call("list", m.Part(listed, None, m.Num(1))))

    def without_answer(self, things: m.Expr) -> m.Expr:
        """The elements that are left when the one in `a` has been taken."""
        one = self.w.fresh.temp("t")
        return m.Listed(m.Var(one), (one,), things, (b.op(one, "!=", "a"),))

    # ------------------------------------------------------------ menus

    def menu(self, node: core.Choose) -> None:
        how = node.how
        if how is not None:
            self.menu_times(node, how)
            return
        self.r.flush()
        other, after = self.r.block(), self.r.block()
        out = lambda: self.r.goto(other)  # noqa: E731
        self.menu_once(node, node.may, out, lambda: self.r.goto(after), False)
        self.r.switch(other)
        if node.otherwise is not None:
            self.r.suite(node.otherwise.body)
        self.r.goto(after)
        self.r.switch(after)

    def menu_times(self, node: core.Choose, how: core.How) -> None:
        x = self.x
        assert how.count is not None
        with self.r.scope():
            slot, head, after = self.r.counted(x.of(how.count))
            x.emit(m.Change(b.get(slot), "-=", m.Num(1)))
            self.menu_once(node, how.kind == "up to times", lambda: self.r.goto(after), lambda: self.r.again(head), True)
        self.r.switch(after)

    def menu_once(self, node: core.Choose, optional: bool, out: Any, done: Any, several: bool) -> None:
        x = self.x
        choices, named = [], []
        offset = 0
        x.set("o", m.Lst())
        for way in node.ways:
            locals_ = [gen.local for gen in way.gens]
            slots = [self.slot(gen, self.told(node)) for gen in way.gens]
            choice = Choice(way.name, slots)
            saved = dict(x.env)
            levels = x.open_gens(way.gens, way.where)
            x.emit(m.Do(b.ask("o", "append", self.code_of(slots, locals_, offset))))
            x.close_gens(levels)
            x.env = saved
            self.once(way.gens)
            choices.append(choice)
            named.append((way, slots, locals_, offset))
            offset += choice.size
        self.none_left(out)
        if optional:
            x.emit(m.Do(b.ask("o", "append", -1)))
        names = "/".join(way.name or "" for way in node.ways)
        decision = self.decision(node, self.key(node.label, names, False), choices, optional, several)
        self.ask(node, decision)
        x.set("a", b.get(ANSWER))
        if optional:
            self.aside(b.op("a", "<", 0), out)
        for n, (way, slots, locals_, start) in enumerate(named):
            last = n == len(named) - 1
            kept = self.r.keep()
            if not last:
                x.code.enter(m.If(b.op("a", "<", start + choices[n].size)))
            with self.r.scope():
                self.decode(slots, locals_, b.op("a", "-", start) if start else m.Var("a"))
                self.r.suite(way.body or ())
            done()
            if not last:
                self.r.back_to(kept)


def most_in(source: core.Expr) -> int | None:
    """How many things the sets of a list hold at most, where it is made by `subsets` of a known size."""
    match source:
        case core.Prim(op="subsets", args=(_, core.Expr(type=Int(high=high)))):
            return high
    return None
