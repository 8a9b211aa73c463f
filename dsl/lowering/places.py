"""Writes to the position: assignments, moves, draws, swaps. Every number is checked against its range."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, Literal

from ..core import nodes as core
from ..core.nodes import LocalVar
from ..core.program import State
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import add_offset
from ..ir.limits import CHARGED_LIST_LENGTH, MAX_LIST_LENGTH, MAX_NUMBERS_IN_VALUE
from ..types.operations import ComparisonOperator
from ..types.types import BagOf, Int, ListOf, MemberOf, OptionalOf, PileOf, SetOf, Type, element_type
from .protocols import ExpressionApi

MAX_ABSOLUTE_NUMBER = 10**12                        # for numbers without a range of their own

LocalStore = Callable[[LocalVar, m.IrExpr], None]                            # assigns a value to a local


class WritablePlace:
    """A target of an assignment. Its indices are evaluated once, so that reading and writing use the same entry."""

    def __init__(self, x: ExpressionApi, node: core.Target, store: LocalStore) -> None:
        self.x, self.node, self.type, self.store = x, node, node.type, store
        self.local: LocalVar | None = None
        self.state: State | None = None
        self.mask_bit: m.IrExpr | None = None
        self.key: m.IrExpr | None = None
        self.default: Any = 0
        if isinstance(node, core.LocalRef):
            self.local = node.local
            return
        bag = node.bag if isinstance(node, core.CountOf) else node
        assert isinstance(bag, core.StateRef)
        indices, bag_index = bag.index, node.kind if isinstance(node, core.CountOf) else None
        self.state = x.w.program.states[bag.state]
        cell = x.layout.cells[self.state]
        place = x.address(self.state, indices)
        if bag_index is not None:
            place = add_offset(place, x.lower(bag_index))
        self.index: m.IrExpr | None = None  # of a state with one axis, for incremental sets
        if cell.form == "plain" and len(self.state.axes) == 1 and bag_index is None:
            self.index = x.temp(x.lower(indices[0]), "i")
            place = add_offset(m.IntConst(cell.base), self.index)
        self.at = place if isinstance(place, m.IntConst) or self.index is not None else x.temp(place, "k")
        self.width = cell.width
        if cell.form == "mask":
            self.mask_bit = x.temp(x.lower(indices[-1]), "i")
        if cell.form == "sparse":
            assert cell.open_axis is not None
            self.key = x.temp(x.lower(indices[cell.open_axis]), "i")
            self.default = cell.default

    @property
    def value_count(self) -> int:
        """The number of values of this kind that the position has room for."""
        return 1 if self.state is None else max(1, prod(len(enum) for enum in self.x.layout.cells[self.state].enums))

    @property
    def number_range(self) -> Int | None:
        """The range that a number must stay in, or None."""
        found = self.state.type if self.state is not None else self.type
        if isinstance(found, BagOf):
            return Int(0, None)
        return found if isinstance(found, Int) and self.state is not None else None

    def read(self) -> m.IrExpr:
        """Returns the current value."""
        if self.local is not None:
            return self.x.read_local(self.local)
        if self.mask_bit is not None:
            return b.bit_test(b.load_slot(self.at), self.mask_bit)
        if self.key is not None:
            return b.call_method(b.load_slot(self.at), "get", self.key, b.literal_expr(self.default))
        return b.load_slot(self.at)

    def write(self, value: m.IrExpr, known: Type | None = None) -> None:
        """Emits a write of `value`. `known` is its type, so that checks which cannot fail are left out."""
        x = self.x
        if is_open_ended(x, self.type):
            value = x.temp(value, "l")
            limit, (unit, depth) = max(CHARGED_LIST_LENGTH, MAX_NUMBERS_IN_VALUE // self.value_count), measure_nesting(x, self.type)
            weighing: m.IrStmt = m.ExprStmt(b.call("check_total_size", value, limit, unit, depth))
            if depth == 1:
                body = [m.ExprStmt(b.call("check_length", value))] + [weighing] * (limit < MAX_LIST_LENGTH * unit)
                weighing = m.IfStmt(b.binary_op(b.call("len", value), ">", CHARGED_LIST_LENGTH), body)
            x.emit(weighing)
        if self.local is not None:
            if isinstance(self.type, Int):
                value = self.emit_range_check(value, Int(), known)
            self.store(self.local, value)
            return
        assert self.state is not None
        if self.mask_bit is not None:
            word, bit = b.load_slot(self.at), b.bit_mask(self.mask_bit)
            if value in (m.IntConst(0), m.IntConst(1)):
                x.emit(m.AugAssign(word, "|=", bit) if value == m.IntConst(1) else m.AugAssign(word, "&=", m.UnaryOp("~", bit)))
            else:
                x.emit(b.store_slot(self.at, b.binary_op(b.mask_without(word, bit), "|", b.binary_op(value, "<<", self.mask_bit))))
        else:
            limits = self.number_range
            if limits is not None:
                value = self.emit_range_check(value, limits, known)
            if self.key is not None:
                x.emit(b.store_slot(self.at, b.call("put", b.load_slot(self.at), self.key, value, b.literal_expr(self.default))))
            else:
                if self.index is not None:
                    x.emit(m.BeforeWrite(self.state.name, self.at))
                x.emit(b.store_slot(self.at, value))
                if self.index is not None:
                    x.w.emit_entry_write(x, self.state, self.index, isinstance(known, MemberOf), self.at)
                    return
        self.emit_invalidation()

    def emit_invalidation(self) -> None:
        """Emits the note that the state was written."""
        if self.state is not None:
            self.x.w.emit_invalidation(self.x, self.state)

    def emit_range_check(self, value: m.IrExpr, limits: Int, known: Type | None) -> m.IrExpr:
        """Returns `value` after the checks that it is in its range.

        A number without a range must not exceed MAX_ABSOLUTE_NUMBER, since numbers that grow without end hang the
        program. A saturating state takes the nearest allowed value instead of a fault."""
        limits = Int(
            -MAX_ABSOLUTE_NUMBER if limits.low is None else limits.low, MAX_ABSOLUTE_NUMBER if limits.high is None else limits.high
        )
        assert limits.low is not None and limits.high is not None
        low_sure = isinstance(known, Int) and known.low is not None and known.low >= limits.low
        high_sure = isinstance(known, Int) and known.high is not None and known.high <= limits.high
        if low_sure and high_sure:
            return value
        value = self.x.temp(value, "n")
        saturating = self.state is not None and self.state.saturating
        if isinstance(value, m.IntConst):
            if saturating:
                return m.IntConst(max(limits.low, min(value.value, limits.high)))
            return value if _is_inside(value.value, limits) else self.x.temp(b.fault_call("F003"))
        tests: list[tuple[ComparisonOperator, int]] = [] if low_sure else [("<", limits.low)]
        tests += [] if high_sure else [(">", limits.high)]
        assert isinstance(value, m.Var)
        for sign, limit in tests:
            wrong: m.IrStmt = m.AssignStmt((value.name,), m.IntConst(limit)) if saturating else m.ExprStmt(b.fault_call("F003"))
            self.x.emit(m.IfStmt(b.binary_op(value, sign, limit), [wrong]))
        return value

    # ------------------------------------------------------------ containers

    def take_thing(self, thing: m.IrExpr) -> None:
        """Emits the removal of one thing (a variable). It is a fault (F004) if the thing is not there."""
        x, found = self.x, self.type
        gone: m.IrStmt = m.ExprStmt(b.fault_call("F004"))
        if isinstance(found, OptionalOf):
            x.emit(m.IfStmt(b.binary_op(self.read(), "!=", thing), [gone]))
            self.write(b.literal_expr(x.layout.none(found.of)))
        elif isinstance(found, BagOf):
            count = b.load_slot(add_offset(self.at, thing))
            x.emit(m.IfStmt(b.logical_not(count), [gone]))
            x.emit(m.AugAssign(count, "-=", m.IntConst(1)))
            self.emit_invalidation()
        elif isinstance(found, SetOf) and _is_mask_element(x, found.of):
            x.emit(m.IfStmt(b.logical_not(b.bit_test(self.read(), thing)), [gone]))
            self.write(b.mask_without(self.read(), b.bit_mask(thing)))
        else:
            x.emit(m.IfStmt(b.binary_op(thing, "not in", self.read()), [gone]))
            listed = isinstance(found, ListOf | PileOf)
            self.write(
                b.call("without", self.read(), m.TupleDisplay((thing,))) if listed else b.binary_op(self.read(), "-", m.SingletonSet(thing))
            )

    def give_thing(self, thing: m.IrExpr) -> None:
        """Emits the insertion of one thing (a variable). It is a fault (F005) if a single place is occupied."""
        x, found = self.x, self.type
        if isinstance(found, OptionalOf):
            free = x.is_none(self.read(), found.of)
            x.emit(m.IfStmt(b.logical_not(free), [m.ExprStmt(b.fault_call("F005"))]))
            self.write(thing, found.of)
        elif isinstance(found, BagOf):
            x.emit(m.AugAssign(b.load_slot(add_offset(self.at, thing)), "+=", m.IntConst(1)))
            self.emit_invalidation()
        elif isinstance(found, SetOf) and _is_mask_element(x, found.of):
            self.write(b.binary_op(self.read(), "|", b.bit_mask(thing)))
        elif isinstance(found, SetOf):
            self.write(b.binary_op(self.read(), "|", m.SingletonSet(thing)))
        else:
            self.write(b.binary_op(self.read(), "+", m.TupleDisplay((thing,))))

    @property
    def bag_counts(self) -> m.LoadSlots:
        """The counts of a whole bag."""
        return m.LoadSlots(self.at, add_offset(self.at, m.IntConst(self.width)))

    def clear(self) -> None:
        """Emits a reset to the default value."""
        if isinstance(self.type, BagOf):
            counts = self.bag_counts
            self.x.emit(m.StoreSlots(counts.low, counts.high, self.x.const((0,) * self.width)))
            self.emit_invalidation()
        else:
            self.write(b.literal_expr(self.x.layout.default(self.type)))


def is_open_ended(x: ExpressionApi, type_: Type) -> bool:
    """Whether the size of a value of this type is limited only by the rules."""
    return isinstance(type_, ListOf | PileOf) or isinstance(type_, SetOf) and not _is_mask_element(x, type_.of)


def measure_nesting(x: ExpressionApi, type_: Type) -> tuple[int, int]:
    """Returns the size of the innermost things of nested lists and sets, and the nesting depth.

    The size is in numbers of 64 bits. It is greater than 1 only for wide bitmasks."""
    depth = 0
    while is_open_ended(x, type_):
        assert isinstance(type_, ListOf | PileOf | SetOf)
        type_, depth = type_.of, depth + 1
    enum = x.layout.model.enum_of(type_.of.name) if isinstance(type_, SetOf) and isinstance(type_.of, MemberOf) else None
    return 1 + (len(enum) // 64 if enum is not None else 0), depth


def _is_mask_element(x: ExpressionApi, type_: Type) -> bool:
    """Whether a set of values of this type is a bitmask. Otherwise it is a frozenset."""
    return x.layout.is_mask_element(type_)


def _is_inside(value: int, limits: Int) -> bool:
    return (limits.low is None or value >= limits.low) and (limits.high is None or value <= limits.high)


class WriteLowering:
    """Compiles the statements that only write the position."""

    def __init__(self, x: ExpressionApi, store: LocalStore) -> None:
        self.x, self.store = x, store

    def open_place(self, node: core.Target) -> WritablePlace:
        return WritablePlace(self.x, node, self.store)

    def assign(self, node: core.Store) -> None:
        """Compiles `=`, `+=` and `-=`."""
        x, op = self.x, node.op
        if op == "=":
            value = x.lower(node.value)
            self.open_place(node.target).write(value, node.value.type)
            return
        place = self.open_place(node.target)
        value = x.lower(node.value)
        found = node.target.type
        if isinstance(found, Int):
            sign: Literal["+", "-"] = "+" if op == "+=" else "-"
            place.write(b.binary_op(place.read(), sign, value), _find_sum_range(found, node.value.type, sign))
        elif isinstance(found, SetOf) and _is_mask_element(x, found.of):
            place.write(b.binary_op(place.read(), "|", value) if op == "+=" else b.mask_without(place.read(), value))
        elif isinstance(found, SetOf):
            place.write(b.binary_op(place.read(), "|" if op == "+=" else "-", value))
        else:
            place.write(b.binary_op(place.read(), "+", value) if op == "+=" else b.call("without", place.read(), value))

    def swap(self, node: core.Swap) -> None:
        one, two = self.open_place(node.one), self.open_place(node.other)
        kept = self.x.w.fresh.temp_name()
        self.x.assign(kept, one.read())
        one.write(two.read(), two.type)
        two.write(m.Var(kept), one.type)

    def shuffle(self, node: core.Shuffle) -> None:
        place = self.open_place(node.target)
        place.write(b.call("shuffled", b.POSITION, place.read()))

    def move(self, node: core.MoveStmt) -> None:
        """Compiles `move`, of a number or of things."""
        if isinstance(node.source.type, Int):
            self.move_number(node)
        else:
            self.move_things(node)

    def move_number(self, node: core.MoveStmt) -> None:
        """Compiles a move of an amount between two numbers. Moving more than there is, or less than 0, is a fault
        (F007)."""
        x = self.x
        source, target = self.open_place(node.source), self.open_place(node.target)
        have = x.temp(source.read(), "n")
        missing: m.IrStmt = m.ExprStmt(b.fault_call("F007"))
        if node.amount.value is None:
            n = have
            if not (isinstance(source.type, Int) and source.type.low is not None and source.type.low >= 0):
                x.emit(m.IfStmt(b.binary_op(n, "<", 0), [missing]))
        else:
            n = x.temp(x.lower(node.amount.value), "n")
            if node.amount.most:
                n = x.temp(m.IfExpr(b.binary_op(n, "<", have), n, have), "n")
                x.emit(m.IfStmt(b.binary_op(n, "<", 0), [missing]))
            else:
                x.emit(m.IfStmt(b.logical_not(m.RangeTest(m.IntConst(0), n, have)), [missing]))
        source.write(b.binary_op(have, "-", n), Int(0, None))
        target.write(b.binary_op(target.read(), "+", n), Int(0, None))

    def move_things(self, node: core.MoveStmt) -> None:
        """Compiles a move of one thing, of a set of things, or of everything."""
        x = self.x
        source, target = self.open_place(node.source), self.open_place(node.target)
        value = node.amount.value
        if value is not None:
            if isinstance(value.type, SetOf):
                one = x.w.fresh.temp_name("e")
                things = x.lower(value)
                with x.code.inside_block(m.ForStmt((one,), x.lower_set_iterable(things, value.type.of))):
                    source.take_thing(m.Var(one))
                    target.give_thing(m.Var(one))
                return
            thing = x.temp(x.lower(value), "e")
            source.take_thing(thing)
            target.give_thing(thing)
            return
        self.move_everything(source, target)

    def move_everything(self, source: WritablePlace, target: WritablePlace) -> None:
        """Compiles a move of all things from one place to another."""
        x = self.x
        if isinstance(source.type, BagOf) and isinstance(target.type, BagOf):
            n, kept = x.w.fresh.temp_name("i"), x.w.fresh.temp_name("g")     # remove first, add afterwards: both may be the same place
            x.assign(kept, source.bag_counts)
            source.clear()
            more = m.AugAssign(b.load_slot(add_offset(target.at, m.Var(n))), "+=", b.index_entry(kept, n))
            x.emit(m.ForStmt((n,), b.call("range", source.width), [more]))
            target.emit_invalidation()
            return
        one = x.w.fresh.temp_name("e")
        thing = m.Var(one)
        if isinstance(source.type, OptionalOf):
            x.assign(one, source.read())
            with x.code.inside_block(m.IfStmt(b.logical_not(x.is_none(thing, source.type.of)))):
                source.write(b.literal_expr(x.layout.none(source.type.of)))
                target.give_thing(thing)
            return
        if isinstance(source.type, BagOf):
            walk: m.IrExpr = m.ListComp(m.Var("k"), ("k", "n"), b.call("enumerate", source.bag_counts), (), (("_",), b.call("range", "n")))
        else:
            walk = source.read()
            if isinstance(source.type, SetOf):
                walk = x.lower_set_iterable(walk, source.type.of)
        things = x.temp(walk, "l")
        source.clear()
        with x.code.inside_block(m.ForStmt((one,), things)):
            target.give_thing(thing)

    def draw(self, node: core.DrawStmt) -> None:
        """Compiles `draw`: a random thing from a bag or a set, or the top of a pile.

        If there are too few, `draw up to` takes what there is. Otherwise it is a fault (F008)."""
        x = self.x
        source, target = self.open_place(node.source), self.open_place(node.target)
        assert node.amount.value is not None
        n = x.lower(node.amount.value)
        short: m.IrStmt = m.BreakStmt() if node.amount.most else m.ExprStmt(b.fault_call("F008"))
        one = x.w.fresh.temp_name("e")
        thing = m.Var(one)
        inner = element_type(source.type)
        assert inner is not None
        closed = all(place.state is not None and place.state.seen != "open" for place in (source, target))
        kind = x.w.register_chance_kind(inner, closed)
        with x.code.inside_block(m.ForStmt(("_",), b.call("range", n))):
            if isinstance(source.type, BagOf):
                x.assign(one, b.call("draw_bag", b.POSITION, source.at, source.width, kind))
                x.emit(m.IfStmt(b.binary_op(thing, "<", 0), [short]))
                source.emit_invalidation()
            elif isinstance(source.type, PileOf):
                x.emit(m.IfStmt(b.logical_not(source.read()), [short]))
                x.assign(one, b.index_entry(source.read(), -1))
                source.write(m.SliceExpr(source.read(), None, m.IntConst(-1)))
            else:
                walk = x.lower_set_iterable(source.read(), inner)
                x.emit(m.IfStmt(b.logical_not(source.read()), [short]))
                x.assign(one, b.call("chance", b.POSITION, walk, kind))
                source.take_thing(thing)
            target.give_thing(thing)


def _find_sum_range(place: Type, value: Type, op: Literal["+", "-"]) -> Int:
    """Returns the known range of `place op value` before the range check: the bound that this operation cannot
    cross."""
    if isinstance(place, Int) and isinstance(value, Int):
        if op == "+" and value.low is not None and value.low >= 0:
            return Int(place.low, None)
        if op == "-" and value.low is not None and value.low >= 0:
            return Int(None, place.high)
    return Int()
