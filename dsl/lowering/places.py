"""Writing to the position: assignments, moves, draws, swaps, with the range of every number watched."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from ..core import nodes as core
from ..core.nodes import Local
from ..core.program import State
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import add
from ..ir.limits import HEAVIEST, LONG, LONGEST
from ..types.types import BagOf, Int, ListOf, Maybe, Of, PileOf, SetOf, Type, element
from .protocols import Expressions

HUGE = 10**12                        # no number of a game is larger

Store = Callable[[Local, m.Expr], None]                            # how a local gets a value


class Place:
    """Something that can be changed, with its indices already worked out (once), so that reading and writing agree."""

    def __init__(self, x: Expressions, node: core.Target, store: Store) -> None:
        self.x, self.node, self.type, self.store = x, node, node.type, store
        self.local: Local | None = None
        self.state: State | None = None
        self.mask_bit: m.Expr | None = None
        self.key: m.Expr | None = None
        self.default: Any = 0
        if isinstance(node, core.Read):
            self.local = node.local
            return
        bag = node.bag if isinstance(node, core.CountOf) else node
        assert isinstance(bag, core.Load)
        indices, bag_index = bag.index, node.kind if isinstance(node, core.CountOf) else None
        self.state = x.w.program.states[bag.state]
        cell = x.layout.cells[self.state]
        place = x.address(self.state, indices)
        if bag_index is not None:
            place = add(place, x.of(bag_index))
        self.index: m.Expr | None = None  # of a state with one axis, for kept sets
        if cell.form == "plain" and len(self.state.axes) == 1 and bag_index is None:
            self.index = x.temp(x.of(indices[0]), "i")
            place = add(m.Num(cell.base), self.index)
        self.at = place if isinstance(place, m.Num) or self.index is not None else x.temp(place, "k")
        self.width = cell.width
        if cell.form == "mask":
            self.mask_bit = x.temp(x.of(indices[-1]), "i")
        if cell.form == "sparse":
            assert cell.open_axis is not None
            self.key = x.temp(x.of(indices[cell.open_axis]), "i")
            self.default = cell.default

    @property
    def places(self) -> int:
        """How many values like this one the position has room for."""
        return 1 if self.state is None else max(1, prod(len(enum) for enum in self.x.layout.cells[self.state].enums))

    @property
    def fixed(self) -> Int | None:
        """The range that a number must stay in."""
        found = self.state.type if self.state is not None else self.type
        if isinstance(found, BagOf):
            return Int(0, None)
        return found if isinstance(found, Int) and self.state is not None else None

    def read(self) -> m.Expr:
        if self.local is not None:
            return self.x.local(self.local)
        if self.mask_bit is not None:
            return b.has(b.get(self.at), self.mask_bit)
        if self.key is not None:
            return b.ask(b.get(self.at), "get", self.key, b.literal(self.default))
        return b.get(self.at)

    def write(self, value: m.Expr, known: Type | None = None) -> None:
        """Write `value`; `known` is its type, so that a check which cannot fail is not written."""
        x = self.x
        if is_open_ended(x, self.type):
            value = x.temp(value, "l")
            limit, (unit, depth) = max(LONG, HEAVIEST // self.places), measure_of(x, self.type)
            weighing: m.Stmt = m.Do(b.call("weighed", value, limit, unit, depth))
            if depth == 1:
                body = [m.Do(b.call("sized", value))] + [weighing] * (limit < LONGEST * unit)
                weighing = m.If(b.op(b.call("len", value), ">", LONG), body)
            x.emit(weighing)
        if self.local is not None:
            if isinstance(self.type, Int):
                value = self.watched(value, Int(), known)
            self.store(self.local, value)
            return
        assert self.state is not None
        if self.mask_bit is not None:
            word, bit = b.get(self.at), b.bit(self.mask_bit)
            if value in (m.Num(0), m.Num(1)):
                x.emit(m.Change(word, "|=", bit) if value == m.Num(1) else m.Change(word, "&=", m.Un("~", bit)))
            else:
                x.emit(b.put(self.at, b.op(b.less(word, bit), "|", b.op(value, "<<", self.mask_bit))))
        else:
            limits = self.fixed
            if limits is not None:
                value = self.watched(value, limits, known)
            if self.key is not None:
                x.emit(b.put(self.at, b.call("put", b.get(self.at), self.key, value, b.literal(self.default))))
            else:
                if self.index is not None:
                    x.emit(m.Writing(self.state.name, self.at))
                x.emit(b.put(self.at, value))
                if self.index is not None:
                    x.w.written_at(x, self.state, self.index, isinstance(known, Of), self.at)
                    return
        self.changed()

    def changed(self) -> None:
        if self.state is not None:
            self.x.w.written(self.x, self.state)

    def watched(self, value: m.Expr, limits: Int, known: Type | None) -> m.Expr:
        """`value` where it may stand: in its range, and never beyond HUGE, since numbers that grow without end hang the machine."""
        limits = Int(-HUGE if limits.low is None else limits.low, HUGE if limits.high is None else limits.high)
        assert limits.low is not None and limits.high is not None
        low_sure = isinstance(known, Int) and known.low is not None and known.low >= limits.low
        high_sure = isinstance(known, Int) and known.high is not None and known.high <= limits.high
        if low_sure and high_sure:
            return value
        value = self.x.temp(value, "n")
        if isinstance(value, m.Num):
            return value if _inside(value.value, limits) else self.x.temp(b.fault("F003"))
        saturating = self.state is not None and self.state.saturating
        tests = ([] if low_sure else [("<", limits.low)]) + ([] if high_sure else [(">", limits.high)])
        assert isinstance(value, m.Var)
        for sign, limit in tests:
            wrong: m.Stmt = m.Set((value.name,), m.Num(limit)) if saturating else m.Do(b.fault("F003"))
            self.x.emit(m.If(b.op(value, sign, limit), [wrong]))
        return value

    # ------------------------------------------------------------ containers

    def take(self, thing: m.Expr) -> None:
        """Take one thing (a variable) out; it must be there."""
        x, found = self.x, self.type
        gone: m.Stmt = m.Do(b.fault("F004"))
        if isinstance(found, Maybe):
            x.emit(m.If(b.op(self.read(), "!=", thing), [gone]))
            self.write(b.literal(x.layout.none(found.of)))
        elif isinstance(found, BagOf):
            count = b.get(add(self.at, thing))
            x.emit(m.If(b.no(count), [gone]))
            x.emit(m.Change(count, "-=", m.Num(1)))
            self.changed()
        elif isinstance(found, SetOf) and _masked(x, found.of):
            x.emit(m.If(b.no(b.has(self.read(), thing)), [gone]))
            self.write(b.less(self.read(), b.bit(thing)))
        else:
            x.emit(m.If(b.op(thing, "not in", self.read()), [gone]))
            listed = isinstance(found, ListOf | PileOf)
            self.write(b.call("without", self.read(), m.Tup((thing,))) if listed else b.op(self.read(), "-", m.One(thing)))

    def give(self, thing: m.Expr) -> None:
        """Put one thing (a variable) in; a slot must be free."""
        x, found = self.x, self.type
        if isinstance(found, Maybe):
            free = x.is_none(self.read(), found.of)
            x.emit(m.If(b.no(free), [m.Do(b.fault("F005"))]))
            self.write(thing, found.of)
        elif isinstance(found, BagOf):
            x.emit(m.Change(b.get(add(self.at, thing)), "+=", m.Num(1)))
            self.changed()
        elif isinstance(found, SetOf) and _masked(x, found.of):
            self.write(b.op(self.read(), "|", b.bit(thing)))
        elif isinstance(found, SetOf):
            self.write(b.op(self.read(), "|", m.One(thing)))
        else:
            self.write(b.op(self.read(), "+", m.Tup((thing,))))

    @property
    def counts(self) -> m.Words:
        """The counts of a whole bag."""
        return m.Words(self.at, add(self.at, m.Num(self.width)))

    def clear(self) -> None:
        if isinstance(self.type, BagOf):
            counts = self.counts
            self.x.emit(m.PutWords(counts.low, counts.high, self.x.const((0,) * self.width)))
            self.changed()
        else:
            self.write(b.literal(self.x.layout.default(self.type)))


def is_open_ended(x: Expressions, found: Type) -> bool:
    """Whether only the rules say how many things are in a value of this type."""
    return isinstance(found, ListOf | PileOf) or isinstance(found, SetOf) and not _masked(x, found.of)


def measure_of(x: Expressions, found: Type) -> tuple[int, int]:
    """How many numbers of 64 bits the innermost things of lists and sets take (several where these are masks), and how many lists and sets
    are within each other."""
    depth = 0
    while is_open_ended(x, found):
        assert isinstance(found, ListOf | PileOf | SetOf)
        found, depth = found.of, depth + 1
    enum = x.layout.model.enum_of(found.of.name) if isinstance(found, SetOf) and isinstance(found.of, Of) else None
    return 1 + (len(enum) // 64 if enum is not None else 0), depth


def _masked(x: Expressions, found: Type) -> bool:
    """Whether a set of these is a mask (else a frozenset)."""
    return x.layout.masked(found)


def _inside(value: int, limits: Int) -> bool:
    return (limits.low is None or value >= limits.low) and (limits.high is None or value <= limits.high)


class Places:
    """The statements that only change the position."""

    def __init__(self, x: Expressions, store: Store) -> None:
        self.x, self.store = x, store

    def place(self, node: core.Target) -> Place:
        return Place(self.x, node, self.store)

    def assign(self, node: core.Store) -> None:
        x, op = self.x, node.op
        if op == "=":
            value = x.of(node.value)
            self.place(node.target).write(value, node.value.type)
            return
        place = self.place(node.target)
        value = x.of(node.value)
        found = node.target.type
        if isinstance(found, Int):
            known = _sum(found, node.value.type, op[0])
            place.write(b.op(place.read(), op[0], value), known)
        elif isinstance(found, SetOf) and _masked(x, found.of):
            place.write(b.op(place.read(), "|", value) if op == "+=" else b.less(place.read(), value))
        elif isinstance(found, SetOf):
            place.write(b.op(place.read(), "|" if op == "+=" else "-", value))
        else:
            place.write(b.op(place.read(), "+", value) if op == "+=" else b.call("without", place.read(), value))

    def swap(self, node: core.Swap) -> None:
        one, two = self.place(node.one), self.place(node.other)
        kept = self.x.w.fresh.temp()
        self.x.set(kept, one.read())
        one.write(two.read(), two.type)
        two.write(m.Var(kept), one.type)

    def shuffle(self, node: core.Shuffle) -> None:
        place = self.place(node.target)
        place.write(b.call("shuffled", b.POSITION, place.read()))

    def move(self, node: core.Move) -> None:
        if isinstance(node.source.type, Int):
            self.move_number(node)
        else:
            self.move_things(node)

    def move_number(self, node: core.Move) -> None:
        x = self.x
        source, target = self.place(node.source), self.place(node.target)
        have = x.temp(source.read(), "n")
        missing: m.Stmt = m.Do(b.fault("F007"))
        if node.amount.value is None:
            n = have
            if not (isinstance(source.type, Int) and source.type.low is not None and source.type.low >= 0):
                x.emit(m.If(b.op(n, "<", 0), [missing]))
        else:
            n = x.temp(x.of(node.amount.value), "n")
            if node.amount.most:
                n = x.temp(m.Choice(b.op(n, "<", have), n, have), "n")
                x.emit(m.If(b.op(n, "<", 0), [missing]))
            else:
                x.emit(m.If(b.no(m.Between(m.Num(0), n, have)), [missing]))
        source.write(b.op(have, "-", n), Int(0, None))
        target.write(b.op(target.read(), "+", n), Int(0, None))

    def move_things(self, node: core.Move) -> None:
        x = self.x
        source, target = self.place(node.source), self.place(node.target)
        value = node.amount.value
        if value is not None:
            if isinstance(value.type, SetOf):
                one = x.w.fresh.temp("e")
                things = x.of(value)
                with x.code.inside(m.For((one,), x.walk_set(things, value.type.of))):
                    source.take(m.Var(one))
                    target.give(m.Var(one))
                return
            thing = x.temp(x.of(value), "e")
            source.take(thing)
            target.give(thing)
            return
        self.everything(source, target)

    def everything(self, source: Place, target: Place) -> None:
        x = self.x
        if isinstance(source.type, BagOf) and isinstance(target.type, BagOf):
            n, kept = x.w.fresh.temp("i"), x.w.fresh.temp("g")     # out first, in afterwards: it may be the same place
            x.set(kept, source.counts)
            source.clear()
            more = m.Change(b.get(add(target.at, m.Var(n))), "+=", b.entry(kept, n))
            x.emit(m.For((n,), b.call("range", source.width), [more]))
            target.changed()
            return
        one = x.w.fresh.temp("e")
        thing = m.Var(one)
        if isinstance(source.type, Maybe):
            x.set(one, source.read())
            with x.code.inside(m.If(b.no(x.is_none(thing, source.type.of)))):
                source.write(b.literal(x.layout.none(source.type.of)))
                target.give(thing)
            return
        if isinstance(source.type, BagOf):
            walk: m.Expr = m.Listed(m.Var("k"), ("k", "n"), b.call("enumerate", source.counts), (), (("_",), b.call("range", "n")))
        else:
            walk = source.read()
            if isinstance(source.type, SetOf):
                walk = x.walk_set(walk, source.type.of)
        things = x.temp(walk, "l")
        source.clear()
        with x.code.inside(m.For((one,), things)):
            target.give(thing)

    def draw(self, node: core.Draw) -> None:
        """From a bag at random, from a pile the top, from a set at random; `draw up to` takes what there is."""
        x = self.x
        source, target = self.place(node.source), self.place(node.target)
        assert node.amount.value is not None
        n = x.of(node.amount.value)
        short: m.Stmt = m.Break() if node.amount.most else m.Do(b.fault("F008"))
        one = x.w.fresh.temp("e")
        thing = m.Var(one)
        inner = element(source.type)
        assert inner is not None
        closed = all(place.state is not None and place.state.seen != "open" for place in (source, target))
        kind = x.w.chance_kind(inner, closed)
        with x.code.inside(m.For(("_",), b.call("range", n))):
            if isinstance(source.type, BagOf):
                x.set(one, b.call("draw_bag", b.POSITION, source.at, source.width, kind))
                x.emit(m.If(b.op(thing, "<", 0), [short]))
                source.changed()
            elif isinstance(source.type, PileOf):
                x.emit(m.If(b.no(source.read()), [short]))
                x.set(one, b.entry(source.read(), -1))
                source.write(m.Part(source.read(), None, m.Num(-1)))
            else:
                walk = x.walk_set(source.read(), inner)
                x.emit(m.If(b.no(source.read()), [short]))
                x.set(one, b.call("chance", b.POSITION, walk, kind))
                source.take(thing)
            target.give(thing)


def _sum(place: Type, value: Type, op: str) -> Int:
    """What is known of `place op value` before the check: the side that cannot overflow."""
    if isinstance(place, Int) and isinstance(value, Int):
        if op == "+" and value.low is not None and value.low >= 0:
            return Int(place.low, None)
        if op == "-" and value.low is not None and value.low >= 0:
            return Int(None, place.high)
    return Int()
