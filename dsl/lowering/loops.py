"""Loops: over sets and lists, so many times, in rounds. One in which nobody can be asked is a loop of the machine; one that may be cut
keeps in the frame what it goes over and how far it is, and its head is a block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import nodes as core
from ..core.nodes import Local
from ..core.walk import locals_of, walk
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import Code
from ..storage.control_slots import ROUND
from ..types.types import BOOL, Bool, Int, ListOf, Maybe, Of, Type
from .delta_conditions import Facts
from .protocols import Procedure


class Loops:
    """The loops of one procedure."""

    def __init__(self, routine: Procedure) -> None:
        self.r = routine
        self.x, self.w = routine.x, routine.w
        self.facts: Facts | None = None                            # of the rounds around, while their goes are written

    def each(self, node: core.Each) -> None:
        if self.r.may_ask(node.body):
            with self.r.scope():
                self.each_asking(node)
            return
        x = self.x
        if node.reached:
            self.reached_straight(node)
            return
        if self.disturbs(node):
            self.each_snapshot(node)
            return
        saved = dict(x.env)
        levels = x.open_gens(node.gens, node.where)
        self.loop_body(node.body)
        x.close_gens(levels)
        x.env = saved

    def reached_straight(self, node: core.Each) -> None:
        """`as reached` without decisions: the first set is fixed, the others and the condition are looked at when their turn comes."""
        x = self.x
        first, *inner = node.gens
        saved = dict(x.env)
        things, locals_ = self.snapshot([first], ())
        names = tuple(self.w.fresh.local(local) for local in locals_)
        x.code.enter(m.For(names, things))
        x.env |= {local: m.Var(name) for local, name in zip(locals_, names)}
        levels = ["for", *x.open_gens(inner, ())]
        if node.where:
            x.code.enter(m.If(x.of(joined(node.where))))
            levels.append("if")
        self.loop_body(node.body)
        x.close_gens(levels)
        x.env = saved

    def loop_body(self, body: core.Block) -> None:
        self.r.suite(body)
        self.x.code.closed = False

    def disturbs(self, node: core.Each) -> bool:
        """Whether the body may change what the loop walks over, so that the set must be fixed first."""
        parts = [*(gen.source for gen in node.gens), *node.where]
        read = self.w.effect_of(parts).reads
        changed = {part.target.local for part in walk(node.body) if isinstance(part, core.Store) and isinstance(part.target, core.Read)}
        return bool(read & self.w.effect_of(node.body).writes) or bool(locals_of(parts) & changed)

    def snapshot(self, gens: Sequence[core.Gen], where: Sequence[core.Expr]) -> tuple[m.Expr, list[Local]]:
        """A tuple of what the binders give now: members, or tuples of them when there are several names."""
        x = self.x
        locals_ = [local for gen in gens for local in gen.locals]
        if len(gens) == 1 and len(locals_) == 1 and not where:
            source = gens[0].source
            if isinstance(source.type, Maybe):
                value = x.temp(x.of(source))
                return m.Choice(x.is_none(value, source.type.of), m.Tup(), m.Tup((value,))), locals_
            walked = x.walk_of(source)
            return (walked if isinstance(source.type, ListOf) and not is_span(source) else b.call("tuple", walked)), locals_
        saved = dict(x.env)
        name = self.w.fresh.temp("l")
        x.set(name, m.Lst())
        levels = x.open_gens(gens, where)
        values = [x.local(local) for local in locals_]
        x.emit(m.Do(b.ask(name, "append", values[0] if len(values) == 1 else m.Tup(tuple(values)))))
        x.close_gens(levels)
        x.env = saved
        return b.call("tuple", name), locals_

    def each_snapshot(self, node: core.Each) -> None:
        x = self.x
        things, locals_ = self.snapshot(node.gens, node.where)
        names = tuple(self.w.fresh.local(local) for local in locals_)
        saved = dict(x.env)
        x.code.enter(m.For(names, things))
        for local, name in zip(locals_, names):
            x.env[local] = m.Var(name)
        self.loop_body(node.body)
        x.code.depth -= 1
        x.env = saved

    # ------------------------------------------------------------ with decisions inside

    def each_asking(self, node: core.Each) -> None:
        if node.reached:
            self.each_reached(node.gens, list(node.where), node.body)
            return
        things, locals_ = self.snapshot(node.gens, node.where)
        self.walk_list(things, locals_, lambda: self.r.suite(node.body))

    def walk_list(self, things: m.Expr, locals_: list[Local], body: Any, tests: Any = None) -> None:
        """A loop over a tuple kept in the frame; `tests` may write `continue` for elements to pass over."""
        x = self.x
        kept, index = self.r.hidden("things", list_of(locals_)), self.r.hidden("index")
        listed, at = m.Frame(self.r.slots[kept]), m.Frame(self.r.slots[index])
        x.emit(b.put(listed, things))
        x.emit(b.put(at, 0))
        head, after = self.r.head()
        x.set("l", b.get(listed))
        x.set("i", b.get(at))
        with self.r.scope():
            names = tuple(self.w.fresh.local(local) for local in locals_)
            x.code.enter(m.While(m.Flag(True)))
            self.r.leave_loop(b.op("i", ">=", b.call("len", "l")), after)
            x.emit(m.Set(names, b.entry("l", "i")))
            x.emit(m.Change(m.Var("i"), "+=", m.Num(1)))
            for local in locals_:
                self.r.declare(local)
            if tests is not None:
                tests()
            x.emit(m.Break())
            x.code.depth -= 1
            x.emit(b.put(at, "i"))
            body()
        self.r.again(head)
        self.r.switch(after)

    def each_reached(self, gens: Sequence[core.Gen], conditions: list[core.Expr], body: core.Block) -> None:
        """The first set is fixed, all else is looked at when its turn comes; an inner `T?` is looked at in the same stride."""
        x = self.x
        first, *inner = gens
        direct = []
        while inner and isinstance(inner[0].source.type, Maybe):
            direct.append(inner.pop(0))
        things, locals_ = self.snapshot([first], ())
        now, later = ([], conditions) if inner else (conditions, [])     # a condition is looked at for each combination

        def tests() -> None:
            waiting = list(now)
            for gen in [None, *direct]:
                if gen is not None:
                    variable = self.w.fresh.local(gen.local)
                    x.set(variable, x.of(gen.source))
                    assert isinstance(gen.source.type, Maybe)
                    x.emit(m.If(x.is_none(m.Var(variable), gen.source.type.of), [m.Continue()]))
                    self.r.declare(gen.local)
                rest = direct[direct.index(gen) + 1 :] if gen is not None else direct
                for condition in list(waiting):
                    if not self.r.uses(condition, rest):
                        waiting.remove(condition)
                        x.emit(m.If(b.no(x.of(condition)), [m.Continue()]))

        def go() -> None:
            if inner:
                self.each_reached(inner, later, body)
            else:
                self.r.suite(body)

        self.walk_list(things, locals_, go, tests)

    def repeat(self, node: core.Repeat) -> None:
        x = self.x
        if not self.r.may_ask(node.body):
            with x.code.inside(m.For(("_",), b.call("span", 1, x.of(node.count)))):
                if node.until is not None:
                    x.emit(m.If(x.of(node.until), [m.Break()]))
                self.r.suite(node.body)
                x.code.closed = False
            return
        with self.r.scope():
            slot, head, after = self.r.counted(x.of(node.count))
            if node.until is not None:
                self.r.leave_loop(x.of(node.until), after)
            x.emit(m.Change(b.get(slot), "-=", m.Num(1)))
            self.r.suite(node.body)
            self.r.again(head)
        self.r.switch(after)

    def rounds(self, node: core.Rounds) -> None:
        """Passes over a list (or simply again and again); it ends at `until`, or when a whole pass found nobody."""
        outermost = self.r.routine.name == "game" and node in self.r.routine.body
        if not self.r.may_ask(node.body):
            self.rounds_straight(node, outermost)
            return
        x = self.x
        with self.r.scope():
            if node.gen is None:
                head, after = self.r.head()
                assert node.until is not None
                self.r.leave_loop(x.of(node.until), after)
                self.next_round(outermost)
                self.r.suite(node.body)
                self.r.again(head)
            else:
                after = self.rounds_of(node, outermost)
        self.r.switch(after)

    def next_round(self, outermost: bool) -> None:
        """A largest unit of the game begins."""
        if outermost:
            self.x.emit(m.Change(b.get(ROUND), "+=", m.Num(1)))

    def rounds_straight(self, node: core.Rounds, outermost: bool) -> None:
        """Rounds as a plain Python loop: `until` is asked before the first go and after each."""
        x = self.x
        facts = Facts(self.r, node)
        asked = node.until is not None and x.constant_of(node.until) is None and not (outermost and facts.false_at_first(self.r.routine))
        first = b.no(x.of(node.until)) if asked and node.until is not None else m.Flag(True)
        with x.code.inside(m.If(first)), x.code.inside(m.While(m.Flag(True))):
            self.next_round(outermost)
            if node.gen is None:
                self.go_straight(node)
            else:
                self.pass_straight(node)

    def go_straight(self, node: core.Rounds) -> None:
        outer, facts = self.facts, Facts(self.r, node)               # rounds may stand in rounds
        self.facts = facts
        self.r.suite(node.body)
        self.facts = outer
        self.x.code.closed = False
        if node.until is not None:
            self.x.emit(m.If(facts.until(), [m.Break()]))

    def pass_straight(self, node: core.Rounds) -> None:
        x = self.x
        gen = node.gen
        assert gen is not None
        local = gen.local
        variable, ran = self.w.fresh.local(local), self.w.fresh.temp("b")
        surely = not node.where and isinstance(gen.source, core.Whole)
        x.set(ran, surely)
        loop = m.For((variable,), x.walk_of(gen.source), [], [m.If(m.Var(ran), [m.Continue()])])
        saved = dict(x.env)
        x.env[local] = m.Var(variable)
        with x.code.inside(loop):
            if node.where:
                x.emit(m.If(b.no(x.of(joined(node.where))), [m.Continue()]))
            if node.where or not isinstance(gen.source, core.Whole):
                x.set(ran, True)
            self.go_straight(node)
        x.env = saved
        x.emit(m.Break())

    def rounds_of(self, node: core.Rounds, outermost: bool) -> Code:
        x = self.x
        assert node.gen is not None
        local = node.gen.local
        things, index, ran = self.r.hidden("things", list_of([local])), self.r.hidden("index"), self.r.hidden("ran")
        head, after = self.r.block(), self.r.block()
        source = node.gen.source
        whole = tuple(range(len(x.model.enums[source.domain]))) if isinstance(source, core.Whole) else None
        fixed = whole is not None
        listed, at, went = (m.Frame(self.r.slots[hidden]) for hidden in (things, index, ran))
        x.emit(b.put(listed, self.w.constant(whole) if whole is not None else m.Tup()))
        x.emit(b.put(at, 1000000))
        x.emit(b.put(went, 1))
        facts = Facts(self.r, node)
        if node.until is not None and not (outermost and facts.false_at_first(self.r.routine)):
            self.r.leave_loop(x.of(node.until), after)
        self.r.waiting(head)
        self.r.goto(head)
        self.r.switch(head)
        x.set("l", b.get(listed))
        x.set("i", b.get(at))
        variable = self.w.fresh.local(local)
        with self.r.scope():
            x.code.enter(m.While(m.Flag(True)))
            x.code.enter(m.If(b.op("i", ">=", b.call("len", "l"))))
            self.r.leave_loop(b.no(b.get(went)), after)
            if not fixed:
                walked = x.walk_of(source)
                x.set("l", walked if isinstance(source.type, ListOf) else b.call("tuple", walked))
                x.emit(b.put(listed, "l"))
            x.set("i", 0)
            x.emit(b.put(went, 0))
            self.next_round(outermost)
            self.r.leave_loop(b.no("l"), after)
            x.code.depth -= 1
            x.set(variable, b.entry("l", "i"))
            x.emit(m.Change(m.Var("i"), "+=", m.Num(1)))
            self.r.declare(local)
            if node.where:
                x.emit(m.If(b.no(x.of(joined(node.where))), [m.Continue()]))
            x.emit(m.Break())
            x.code.depth -= 1
            x.emit(b.put(at, "i"))
            x.emit(b.put(went, 1))
            saved, self.facts = self.facts, facts
            self.r.suite(node.body)
            self.facts = saved
            if node.until is not None and not self.x.code.closed:  # asked after each go, where it is known what the go wrote
                self.r.leave_loop(facts.until(), after)
        if self.surely_waits(node.body):
            self.r.goto(head)
        else:
            self.r.again(head)
        return after

    def surely_waits(self, body: core.Block) -> bool:
        """Whether every go begins with a decision or leaves the procedure: then the next go may be called directly, since the Python
        stack is cut at each decision."""
        first = body[0]
        return isinstance(first, core.Choose) and not first.chance and first.stop and not first.may


def joined(conditions: Sequence[core.Expr]) -> core.Expr:
    """Conditions as one, as they were written."""
    first, *rest = conditions
    for condition in rest:
        first = core.Prim(first.at, BOOL, "and", (first, condition))
    return first


def is_span(node: core.Expr) -> bool:
    """Whether a list is a range of numbers, which nobody need build."""
    return isinstance(node, core.Prim) and node.op == ".."


def list_of(locals_: Sequence[Local]) -> str:
    """The form of a list that gives these locals their values, one after the other."""
    return f"list of {', '.join(form_of(local.type) for local in locals_)}"


def form_of(found: Type) -> str:
    """What values of a type are in a position: numbers, sets, lists."""
    match found:
        case Maybe(of=inside):
            return form_of(inside)
        case ListOf(of=inside):
            return f"list of {form_of(inside)}"
        case Int() | Bool() | Of():
            return "number"
    return type(found).__name__
