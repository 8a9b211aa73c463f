"""Writing to the position: assignments, moves, draws, swaps, with the range of every number watched."""

from __future__ import annotations

from typing import Any

from ..core import nodes as core
from ..core.nodes import Local
from ..core.program import State
from ..types import BagOf, Int, ListOf, Maybe, Of, PileOf, SetOf, Type, element
from .exprs import Exprs
from .pieces import add, is_number
from .runtime import LONGEST

HUGE = 10**12                        # no number of a game is larger


class Place:
    """Something that can be changed, with its indices already worked out (once), so that reading and writing agree."""

    def __init__(self, x: Exprs, node: core.Target, store: Any) -> None:
        self.x, self.node, self.type, self.store = x, node, node.type, store
        self.local: Local | None = None
        self.state: State | None = None
        self.mask_bit: str | None = None
        self.key: str | None = None
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
        self.index: str | None = None  # of a state with one axis, for kept sets
        if cell.form == "plain" and len(self.state.axes) == 1 and bag_index is None:
            self.index = x.temp(x.of(indices[0]), "i")
            place = add(str(cell.base), self.index)
        self.at = place if is_number(place) or self.index is not None else x.temp(place, "k")
        self.whole_bag = cell.form == "bag" and bag_index is None
        self.width = cell.width
        if cell.form == "mask":
            self.mask_bit = x.temp(x.of(indices[-1]), "i")
        if cell.form == "sparse":
            assert cell.open_axis is not None
            self.key = x.temp(x.of(indices[cell.open_axis]), "i")
            self.default = cell.default

    @property
    def fixed(self) -> Int | None:
        """The range that a number must stay in."""
        found = self.state.type if self.state is not None else self.type
        if isinstance(found, BagOf):
            return Int(0, None)
        return found if isinstance(found, Int) and self.state is not None else None

    def read(self) -> str:
        if self.local is not None:
            return self.x.local(self.local)
        if self.mask_bit is not None:
            return f"(s[{self.at}] >> {self.mask_bit} & 1)"
        if self.key is not None:
            return f"s[{self.at}].get({self.key}, {self.default!r})"
        return f"s[{self.at}]"

    def write(self, value: str, known: Type | None = None) -> None:
        """Write `value`; `known` is its type, so that a check which cannot fail is not written."""
        x = self.x
        if isinstance(self.type, ListOf | PileOf):
            value = x.temp(value, "l")
            x.emit(f"if len({value}) > {LONGEST}: fault('F009', limit={LONGEST})")
        if self.local is not None:
            if isinstance(self.type, Int):
                value = self.watched(value, Int(), known)
            self.store(self.local, value)
            return
        assert self.state is not None
        if self.mask_bit is not None:
            bit = f"1 << {self.mask_bit}"
            if value in ("0", "1"):
                x.emit(f"s[{self.at}] |= {bit}" if value == "1" else f"s[{self.at}] &= ~({bit})")
            else:
                x.emit(f"s[{self.at}] = s[{self.at}] & ~({bit}) | ({value}) << {self.mask_bit}")
        else:
            limits = self.fixed
            if limits is not None:
                value = self.watched(value, limits, known)
            if self.key is not None:
                x.emit(f"s[{self.at}] = put(s[{self.at}], {self.key}, {value}, {self.default!r})")
            else:
                x.emit(f"s[{self.at}] = {value}")
                if self.index is not None:
                    x.w.written_at(x, self.state, self.index, isinstance(known, Of))
                    return
        self.changed()

    def changed(self) -> None:
        if self.state is not None:
            self.x.w.written(self.x, self.state)

    def watched(self, value: str, limits: Int, known: Type | None) -> str:
        """`value` where it may stand: in its range, and never beyond HUGE, since numbers that grow without end hang the machine."""
        limits = Int(-HUGE if limits.low is None else limits.low, HUGE if limits.high is None else limits.high)
        assert limits.low is not None and limits.high is not None
        low_sure = isinstance(known, Int) and known.low is not None and known.low >= limits.low
        high_sure = isinstance(known, Int) and known.high is not None and known.high <= limits.high
        if low_sure and high_sure:
            return value
        value = self.x.temp(value, "n")
        if is_number(value):
            return value if _inside(int(value), limits) else self.x.temp("fault('F003')")
        saturating = self.state is not None and self.state.saturating
        tests = ([] if low_sure else [("<", limits.low)]) + ([] if high_sure else [(">", limits.high)])
        for sign, limit in tests:
            self.x.emit(f"if {value} {sign} {limit}: " + (f"{value} = {limit}" if saturating else "fault('F003')"))
        return value

    # ------------------------------------------------------------ containers

    def take(self, thing: str) -> None:
        """Take one thing (a variable) out; it must be there."""
        x, found = self.x, self.type
        if isinstance(found, Maybe):
            x.emit(f"if {self.read()} != {thing}: fault('F004')")
            self.write(repr(x.layout.none(found.of)))
        elif isinstance(found, BagOf):
            at = add(self.at, thing)
            x.emit(f"if not s[{at}]: fault('F004')")
            x.emit(f"s[{at}] -= 1")
            self.changed()
        elif isinstance(found, SetOf) and _masked(x, found.of):
            x.emit(f"if not {self.read()} >> {thing} & 1: fault('F004')")
            self.write(f"{self.read()} & ~(1 << {thing})")
        else:
            x.emit(f"if {thing} not in {self.read()}: fault('F004')")
            self.write(f"without({self.read()}, ({thing},))" if isinstance(found, ListOf | PileOf) else f"{self.read()} - {{{thing}}}")

    def give(self, thing: str) -> None:
        """Put one thing (a variable) in; a slot must be free."""
        x, found = self.x, self.type
        if isinstance(found, Maybe):
            free = x.is_none(self.read(), found.of)
            x.emit(f"if not ({free}): fault('F005')")
            self.write(thing, found.of)
        elif isinstance(found, BagOf):
            x.emit(f"s[{add(self.at, thing)}] += 1")
            self.changed()
        elif isinstance(found, SetOf) and _masked(x, found.of):
            self.write(f"{self.read()} | 1 << {thing}")
        elif isinstance(found, SetOf):
            self.write(f"{self.read()} | {{{thing}}}")
        else:
            self.write(f"{self.read()} + ({thing},)")

    def clear(self) -> None:
        if isinstance(self.type, BagOf):
            self.x.emit(f"s[{self.at}:{add(self.at, str(self.width))}] = {self.x.const((0,) * self.width)}")
            self.changed()
        else:
            default = self.x.layout.default(self.type)
            self.write(repr(default) if not isinstance(default, frozenset) else "frozenset()")


def _masked(x: Exprs, found: Type) -> bool:
    """Whether a set of these is a mask (else a frozenset)."""
    return x.layout.masked(found)


def _inside(value: int, limits: Int) -> bool:
    return (limits.low is None or value >= limits.low) and (limits.high is None or value <= limits.high)


class Places:
    """The statements that only change the position."""

    def __init__(self, x: Exprs, store: Any) -> None:
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
            place.write(f"{place.read()} {op[0]} {value}", known)
        elif isinstance(found, SetOf) and _masked(x, found.of):
            place.write(f"{place.read()} {'|' if op == '+=' else '& ~'} {value}")
        elif isinstance(found, SetOf):
            place.write(f"{place.read()} {'|' if op == '+=' else '-'} {value}")
        else:
            place.write(f"{place.read()} + {value}" if op == "+=" else f"without({place.read()}, {value})")

    def swap(self, node: core.Swap) -> None:
        one, two = self.place(node.one), self.place(node.other)
        kept = self.x.w.fresh.temp()
        self.x.emit(f"{kept} = {one.read()}")
        one.write(two.read(), two.type)
        two.write(kept, one.type)

    def shuffle(self, node: core.Shuffle) -> None:
        place = self.place(node.target)
        place.write(f"shuffled(s, {place.read()})")

    def move(self, node: core.Move) -> None:
        if isinstance(node.source.type, Int):
            self.move_number(node)
        else:
            self.move_things(node)

    def move_number(self, node: core.Move) -> None:
        x = self.x
        source, target = self.place(node.source), self.place(node.target)
        have = x.temp(source.read(), "n")
        if node.amount.value is None:
            n = have
            if not (isinstance(source.type, Int) and source.type.low is not None and source.type.low >= 0):
                x.emit(f"if {n} < 0: fault('F007')")
        else:
            n = x.temp(x.of(node.amount.value), "n")
            if node.amount.most:
                n = x.temp(f"{n} if {n} < {have} else {have}", "n")
                x.emit(f"if {n} < 0: fault('F007')")
            else:
                x.emit(f"if not 0 <= {n} <= {have}: fault('F007')")
        source.write(f"{have} - {n}", Int(0, None))
        target.write(f"{target.read()} + {n}", Int(0, None))

    def move_things(self, node: core.Move) -> None:
        x = self.x
        source, target = self.place(node.source), self.place(node.target)
        value = node.amount.value
        if value is not None:
            if isinstance(value.type, SetOf):
                thing = x.w.fresh.temp("e")
                things = x.of(value)
                walk = x.walk_set(things, value.type.of)
                x.emit(f"for {thing} in {walk}:")
                with x.code.indented():
                    source.take(thing)
                    target.give(thing)
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
            x.emit(f"{kept} = s[{source.at}:{add(source.at, str(source.width))}]")
            source.clear()
            x.emit(f"for {n} in range({source.width}): s[{add(target.at, n)}] += {kept}[{n}]")
            target.changed()
            return
        thing = x.w.fresh.temp("e")
        if isinstance(source.type, Maybe):
            x.emit(f"{thing} = {source.read()}")
            x.emit(f"if not ({x.is_none(thing, source.type.of)}):")
            with x.code.indented():
                source.write(repr(x.layout.none(source.type.of)))
                target.give(thing)
            return
        if isinstance(source.type, BagOf):
            walk = f"[k for k, n in enumerate(s[{source.at}:{add(source.at, str(source.width))}]) for _ in range(n)]"
        else:
            walk = source.read()
            if isinstance(source.type, SetOf):
                walk = x.walk_set(walk, source.type.of)
        things = x.temp(walk, "l")
        source.clear()
        x.emit(f"for {thing} in {things}:")
        with x.code.indented():
            target.give(thing)

    def draw(self, node: core.Draw) -> None:
        """From a bag at random, from a pile the top, from a set at random; `draw up to` takes what there is."""
        x = self.x
        source, target = self.place(node.source), self.place(node.target)
        assert node.amount.value is not None
        n = x.of(node.amount.value)
        short = "break" if node.amount.most else "fault('F008')"
        thing = x.w.fresh.temp("e")
        inner = element(source.type)
        assert inner is not None
        closed = all(place.state is not None and place.state.seen != "open" for place in (source, target))
        kind = x.w.chance_kind(inner, closed)
        x.emit(f"for _ in range({n}):")
        with x.code.indented():
            if isinstance(source.type, BagOf):
                x.emit(f"{thing} = draw_bag(s, {source.at}, {source.width}, {kind})")
                x.emit(f"if {thing} < 0: {short}")
                source.changed()
            elif isinstance(source.type, PileOf):
                x.emit(f"if not {source.read()}: {short}")
                x.emit(f"{thing} = {source.read()}[-1]")
                source.write(f"{source.read()}[:-1]")
            else:
                walk = x.walk_set(source.read(), inner)
                x.emit(f"if not {source.read()}: {short}")
                x.emit(f"{thing} = chance(s, {walk}, {kind})")
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
