"""Choices to Python: the list of options as codes, the wait, and what the answer means.

An option is a number: the position of its values in the product of the domains of its names (for a menu, after the codes of
the entries before it); DECLINE is -1 and comes last. The order of options is the order of the sets, first name slowest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..analysis.decisions import decision_key
from ..boards import OPEN_SPAN
from ..core import nodes as core
from ..core.nodes import Local
from ..types import Int, ListOf, Maybe, Of, PileOf, SetOf, Type
from .emit import Code
from .info import Choice, Decision, Slot
from .runtime import ANSWER, OPTIONS, PC, SEAT

if TYPE_CHECKING:
    from .routines import RoutineWriter


class Choices:
    def __init__(self, routine: RoutineWriter) -> None:
        self.r = routine
        self.x, self.w = routine.x, routine.w

    # ------------------------------------------------------------ parts

    def slot(self, local: Local, told: frozenset[Local] = frozenset()) -> Slot:
        """How an option holds the value of a name; `told` are the names that are no secret when it has been done."""
        found: Type = local.type
        secret = bool(self.w.facts.secrecy.of(local)) and local not in told
        if isinstance(found, Int):
            low, high = found.low or 0, found.high or 0
            return Slot(local.name, found, max(1, high - low + 1), low, secret)
        assert isinstance(found, Of)
        enum = self.x.model.enum_of(found.name)
        assert enum is not None
        return Slot(local.name, found, OPEN_SPAN * OPEN_SPAN if enum.kind == "open" else len(enum), 0, secret)

    def thrown(self, locals_: list[Local]) -> list[Slot]:
        """The slots of a throw of chance: a single number is its own code, so that a script and the log speak of the number."""
        slots = [self.slot(local) for local in locals_]
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

    def seat(self, node: core.Choose) -> str:
        """Who decides, as the number of a player."""
        assert isinstance(node.by, core.Seat)
        who = node.by.who
        found = who.type
        if isinstance(found, Of) and found.name != "Player":
            state = self.w.program.states[self.x.model.enums[found.name].decides or ""]
            seat = self.x.temp(f"s[{self.x.address(state, [who])}]", "p")
            if isinstance(state.type, Maybe):
                self.x.emit(f"if {seat} < 0: fault('F010')")
            return seat
        return self.x.of(who)

    def code_of(self, slots: list[Slot], locals_: list[Local], offset: int = 0) -> str:
        """The code of the values that the names hold."""
        text = ""
        for slot, local in zip(slots, locals_):
            value = self.x.local(local)
            if slot.low:
                value = f"({value} - {slot.low})"
            text = value if not text else f"({text}) * {slot.radix} + {value}"
        return f"{text or '0'} + {offset}" if offset else text or "0"

    def decode(self, slots: list[Slot], locals_: list[Local], answer: str) -> None:
        """Put the values of an answer into the names."""
        rest = answer
        for n in range(len(slots) - 1, -1, -1):
            slot, variable = slots[n], self.w.fresh.local(locals_[n])
            low = f" + {slot.low}" if slot.low else ""
            if n == 0:
                self.x.emit(f"{variable} = {rest}{low}")
            else:
                self.x.emit(f"{variable} = {rest} % {slot.radix}{low}")
                name = self.w.fresh.temp("a")
                self.x.emit(f"{name} = {rest} // {slot.radix}")
                rest = name
        for local in locals_:
            self.x.env.pop(local, None)
            self.r.declare(local)

    def once(self, gens: Sequence[core.Gen], into: str = "o") -> None:
        """A list may hold a thing twice; as an option it stands once."""
        if any(isinstance(gen.source.type, ListOf | PileOf) and not (isinstance(gen.source, core.Prim) and gen.source.op == "..")
               for gen in gens):
            self.x.emit(f"{into} = list(dict.fromkeys({into}))")

    def options(
        self, gens: Sequence[core.Gen], conditions: Sequence[core.Expr], slots: list[Slot], rest: Sequence[core.Gen],
        rest_conditions: Sequence[core.Expr], offset: int = 0, into: str = "o",
    ) -> None:
        """Write code that fills `into` with the codes of all combinations; with `rest`, only those that can be completed."""
        x = self.x
        locals_ = [gen.local for gen in gens]
        single = len(gens) == 1 and not rest and not offset and not slots[0].low and into == "o"
        mask = self.w.upkeep.mask(x, gens[0], conditions) if single else None
        if mask is not None:
            assert isinstance(gens[0].source, core.Whole)
            x.emit(f"o = {self.w.members_of(mask, len(x.model.enums[gens[0].source.domain]))}")
            return
        if single and self.one_line(gens[0], conditions):
            self.once(gens)
            return
        saved = dict(x.env)
        if not offset:
            x.emit(f"{into} = []")
        levels = x.open_gens(gens, conditions)
        if rest:
            found = x.exists(rest, list(rest_conditions))
            x.emit(f"if {found}:")
            x.code.depth += 1
            levels.append("if")
        x.emit(f"{into}.append({self.code_of(slots, locals_, offset)})")
        x.close_gens(levels)
        x.env = saved
        self.once(gens, into)

    def one_line(self, gen: core.Gen, conditions: Sequence[core.Expr]) -> bool:
        """A list comprehension where nothing needs more than an expression."""
        x = self.x
        found = gen.source.type
        if isinstance(found, Maybe) or not isinstance(found, SetOf | ListOf) or x.narrowed(gen.source) is not None:
            return False
        variable = self.w.fresh.local(gen.local)
        saved = dict(x.env)
        source, lines = x.branch_walk(gen.source)
        x.env[gen.local] = variable
        tests = []
        for condition in conditions:
            value, more = x.branch(condition)
            if more:
                x.env = saved
                return False
            tests.append(value)
        x.env = saved
        x.replay(lines)
        where = f" if {' and '.join(tests)}" if tests else ""
        x.emit(f"o = [{variable} for {variable} in {source}{where}]")
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
        x.emit(f"s[{PC}] = {self.w.number(after)}; s[{SEAT}] = {seat}; s[{OPTIONS}] = {options}")
        x.emit(f"return {options}")
        x.code.closed = True
        self.r.switch(after)
        return after

    def none_left(self, to: Any) -> None:
        """Where there is nothing to choose: `to` writes what happens."""
        self.x.emit("if not o:")
        kept = self.r.keep()
        self.x.code.depth += 1
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
            slots = [self.slot(local, self.told(node)) for local in locals_]
            self.options(group, conditions[n], slots, rest, rest_conditions)
            if n == 0 and nothing is not None:
                self.none_left(nothing)
            if n == 0 and optional:
                x.emit("o = [*o, -1]")
            key = self.key(node.label, group[0].local.name, len(groups) > 1)
            self.ask(node, self.decision(node, key, [Choice(None, slots)], optional and n == 0, several))
            x.emit(f"a = s[{ANSWER}]")
            if n == 0 and optional:
                x.emit("if a < 0:")
                kept = self.r.keep()
                x.code.depth += 1
                declined()
                self.r.back_to(kept)
            self.decode(slots, locals_, "a")

    def by_chance(self, groups: Sequence[Sequence[core.Gen]], conditions: list[list[core.Expr]], nothing: Any) -> None:
        x = self.x
        for group, tests in zip(groups, conditions):
            locals_ = [gen.local for gen in group]
            slots = self.thrown(locals_)
            self.options(group, tests, slots, [], [])
            if nothing is not None:
                self.none_left(nothing)
            x.emit(f"a = chance(s, o, {self.lot(locals_)})")
            self.decode(slots, locals_, "a")

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
        slots = self.thrown([gen.local for gen in gens])
        self.options(gens, node.ways[0].where, slots, [], [])
        x.emit("if o:")
        with self.r.scope(), x.code.indented():
            x.emit(f"a = chance(s, o, {self.lot([gen.local for gen in gens])})")
            self.decode(slots, [gen.local for gen in gens], "a")
            self.r.suite(body)
            x.code.closed = False
        if node.otherwise is not None:
            x.emit("else:")
            with x.code.indented():
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
                x.emit(f"s[{slot}] -= 1")
                body()
            self.r.again(head)
        self.r.switch(after)

    # ------------------------------------------------------------ a set of things

    def chosen_set(self, node: core.Choose) -> None:
        """`exactly n x in S`: element after element in the order of S, so that no set can be reached in two ways."""
        x = self.x
        gen, result, how = node.ways[0].gens[0], node.result, node.how
        assert result is not None and how is not None
        exact = how.kind == "exactly"
        x.emit(f"{self.w.fresh.local(result)} = 0")
        self.r.declare(result)
        with self.r.scope():
            things, start, left = self.r.hidden("things"), self.r.hidden("start"), self.r.hidden("left")
            at, begin, count = (self.r.slots[h] for h in (things, start, left))
            slots = [self.slot(gen.local, self.told(node))]
            self.options([gen], node.ways[0].where, slots, [], [])
            x.emit(f"s[{at}] = o = tuple(o)")
            x.emit(f"s[{begin}] = 0")
            wanted = "len(o)" if how.count is None else x.temp(x.of(how.count))
            x.emit(f"s[{count}] = {wanted} if {wanted} < len(o) else len(o)")
            head, after = self.r.block(), self.r.block()
            self.r.waiting(head)
            self.r.goto(head)
            self.r.switch(head)
            x.emit(f"n = s[{count}]; l = s[{at}]; i = s[{begin}]")
            self.r.leave_loop("n <= 0 or i >= len(l)", after)
            x.emit("o = list(l[i:len(l) - n + 1])" if exact else "o = [*l[i:], -1]")
            key = self.key(node.label, gen.local.name, False)
            self.ask(node, self.decision(node, key, [Choice(None, slots)], not exact, True))
            x.emit(f"a = s[{ANSWER}]")
            if not exact:
                x.emit("if a < 0:")
                kept = self.r.keep()
                x.code.depth += 1
                self.r.goto(after)
                self.r.back_to(kept)
            self.r.store(result, f"{self.r.read(result)} | 1 << a")
            x.emit(f"s[{begin}] = s[{at}].index(a) + 1")
            x.emit(f"s[{count}] -= 1")
            self.r.again(head)
        self.r.switch(after)

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
            x.emit(f"s[{slot}] -= 1")
            self.menu_once(node, how.kind == "up to times", lambda: self.r.goto(after), lambda: self.r.again(head), True)
        self.r.switch(after)

    def menu_once(self, node: core.Choose, optional: bool, out: Any, done: Any, several: bool) -> None:
        x = self.x
        choices, named = [], []
        offset = 0
        x.emit("o = []")
        for way in node.ways:
            locals_ = [gen.local for gen in way.gens]
            slots = [self.slot(local, self.told(node)) for local in locals_]
            choice = Choice(way.name, slots)
            saved = dict(x.env)
            levels = x.open_gens(way.gens, way.where)
            x.emit(f"o.append({self.code_of(slots, locals_, offset)})")
            x.close_gens(levels)
            x.env = saved
            self.once(way.gens)
            choices.append(choice)
            named.append((way, slots, locals_, offset))
            offset += choice.size
        self.none_left(out)
        if optional:
            x.emit("o.append(-1)")
        names = "/".join(way.name or "" for way in node.ways)
        decision = self.decision(node, self.key(node.label, names, False), choices, optional, several)
        self.ask(node, decision)
        x.emit(f"a = s[{ANSWER}]")
        if optional:
            x.emit("if a < 0:")
            kept = self.r.keep()
            x.code.depth += 1
            out()
            self.r.back_to(kept)
        for n, (way, slots, locals_, start) in enumerate(named):
            last = n == len(named) - 1
            kept = self.r.keep()
            if not last:
                x.emit(f"if a < {start + choices[n].size}:")
                x.code.depth += 1
            with self.r.scope():
                self.decode(slots, locals_, f"a - {start}" if len(slots) == 1 and start else f"(a - {start})" if start else "a")
                self.r.suite(way.body or ())
            done()
            if not last:
                self.r.back_to(kept)
