"""Flood fills that are kept up to date while more cells become occupied.

    any(begun in held(player) & player.one_end where size(region(begun, held(player)) & player.other_end) > 0)

fills the cells of a player from one side of the board. A new stone can only add to the filled area: its own
cell, if it is a start or touches the area, and the cells connected to it. So each player's area is stored in
the position, next to the masks of the value index, and a write to a cell updates it.

This is used only in direct style. Other forms copy positions often, and each copy would pay for these slots."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ..core import nodes as core
from ..core.nodes import LocalVar
from ..core.program import State
from ..core.walk import find_locals
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import FunctionBuilder
from ..ir.optimizations import is_enabled
from ..types.types import MemberOf
from .builtins import make_mask_table
from .protocols import ExpressionApi, ModuleApi, StateMaskSlots
from .value_index import ValueIndex


@dataclass(frozen=True)
class IncrementalFlood:
    """The flood fills of one state, in one slot for each value.

    Each fill begins at the cells in the table `starts` (by value). The function `build` computes all of them and
    returns the first. `touches` (by value) contains the mask of the neighbours of each cell. Each fill has one
    extra bit above those of the cells, which is also set in the mask of each start cell. So one `&` tests whether
    a cell is a start or touches the filled area."""

    first: int
    held: StateMaskSlots
    touches: tuple[m.IrExpr, ...]
    starts: m.IrExpr
    near: m.IrExpr
    build: str
    cells: int


class FloodCache:
    """All incremental floods of a module."""

    def __init__(self, writer: ModuleApi, builds: list[str], holders: ValueIndex) -> None:
        self.w, self.builds, self.holders = writer, builds, holders
        self.floods: dict[State, list[IncrementalFlood]] = {}

    def find_reached_cells(self, x: ExpressionApi, starts: core.Expr, cells: core.Expr) -> m.IrExpr | None:
        """Returns the part of `cells` that can be reached from the cells in `starts`, from an incremental flood.

        `cells` must be the set of cells with one value, and `starts` its intersection with static data. Otherwise
        None."""
        found = self.match_holding(cells) if self.w.uncut and is_enabled("incremental-flood") else None
        if found is None:
            return None
        state, who = found
        held = self.holders.find_masks(state)
        match starts:
            case core.PrimOp(op="&", args=(left, right)):
                data = next(
                    (other for one, other in ((left, right), (right, left)) if self.is_same_holding(self.match_holding(one), found)), None
                )
            case _:
                data = None
        if held is None or data is None or find_locals(data) != {who.local}:
            return None
        begins = self.evaluate_for_each(x, data, who.local, held.values)
        if begins is None:
            return None
        flood = self.get_flood(x, state, held, begins)
        x.emit(m.LoadMemo(None, m.IncrementalSetAddr(flood.first), m.FunctionRef(flood.build)))
        return load_flood(flood, x.lower(who))

    def is_same_holding(self, one: tuple[State, core.LocalRef] | None, two: tuple[State, core.LocalRef]) -> bool:
        """Whether two sets are the cells with the same value in the same state."""
        return one is not None and one[0] is two[0] and one[1].local is two[1].local

    def match_holding(self, cells: core.Expr) -> tuple[State, core.LocalRef] | None:
        """Matches a set of all cells where a state has one value, directly or through a def. Returns the state and the
        value."""
        match cells:
            case core.Fold(kind="set", gens=(gen,), where=(condition,), value=None) if isinstance(gen.source, core.AllMembers):
                asked = self.holders.match_equality(gen, condition)
                if asked is not None and asked.held and isinstance(asked.value, core.LocalRef) and isinstance(asked.value.type, MemberOf):
                    return asked.state, asked.value
            case core.CallDef(bare=False, case=None):
                family = self.w.program.families[cells.family]
                routine = family.default
                found = (
                    self.match_holding(routine.value) if routine is not None and routine.value is not None and not family.domain else None
                )
                if found is not None and routine is not None:
                    given = dict(zip(routine.params, cells.args)).get(found[1].local)
                    return (found[0], given) if isinstance(given, core.LocalRef) and isinstance(given.type, MemberOf) else None
        return None

    def evaluate_for_each(self, x: ExpressionApi, data: core.Expr, seat: LocalVar, values: int) -> tuple[int, ...] | None:
        """Returns the value of `data` for each value of `seat`. None unless all of them are known at compile time."""
        saved = dict(x.env)
        found = []
        for value in range(values):
            x.env[seat] = m.IntConst(value)
            found.append(x.constant_of(data))
        x.env = saved
        return tuple(found) if all(isinstance(one, int) for one in found) else None

    def get_flood(self, x: ExpressionApi, state: State, slots: StateMaskSlots, begins: tuple[int, ...]) -> IncrementalFlood:
        """Returns the floods of a state from these start cells, and creates them when they are requested for the first
        time."""
        starts = x.const(begins)
        for known in self.floods.setdefault(state, []):
            if known.starts == starts:
                return known
        board = self.w.program.model.enums[state.axes[0][1]].board
        assert board is not None
        touches = tuple(x.const(tuple(b.mask_of(near) | (mask >> cell & 1) << len(board.near) for cell, near in enumerate(board.near)))
                        for mask in begins)
        made = IncrementalFlood(
            len(self.builds),
            slots,
            touches,
            starts,
            make_mask_table(x, board.near),
            self.w.fresh.function_name("k", f"{state.name}_reached"),
            len(board.near),
        )
        self.floods[state].append(made)
        self.builds += [made.build, *[""] * (slots.values - 1)]
        code = FunctionBuilder(made.build)
        code.emit(m.LoadMemo(None, m.IncrementalSetAddr(slots.first), m.FunctionRef(slots.build)))
        with code.inside_block(m.ForStmt(("v",), b.call("range", slots.values))):
            code.emit(b.store_slot(load_flood(made, m.Var("v")).at, self.build_full_flood(made, m.Var("v"))))
        code.emit(m.ReturnStmt(b.load_slot(m.IncrementalSetAddr(made.first))))
        self.w.functions.append(code)
        return made

    def build_full_flood(self, flood: IncrementalFlood, value: m.IrExpr) -> m.IrExpr:
        """Returns a complete flood fill for one value."""
        found = b.call("spread", b.index_entry(flood.starts, value), self.holders.load_mask(flood.held, value), flood.near)
        return b.binary_op(found, "|", 1 << flood.cells)

    def build_write_updates(self, state: State, written: m.AfterWrite, lasting: Collection[int]) -> m.Body:
        """Returns the steps that update the floods of a state after one entry was written.

        They run after the update of the value index. The bit of the entry is in `m`."""
        found: m.Body = []
        for flood in self.floods.get(state, []):
            steps = [*self.build_loss_update(flood, written), *self.build_gain_update(flood, written)]
            sure = flood.first in lasting and flood.held.first in lasting
            there = b.binary_op(b.load_slot(m.IncrementalSetAddr(flood.first)), "is not", m.NoneConst())
            found += steps if sure else [m.IfStmt(there, [m.AssignStmt(("m",), b.bit_mask(written.index)), *steps])]
        return found

    def build_loss_update(self, flood: IncrementalFlood, written: m.AfterWrite) -> m.Body:
        """Returns the update for the old value of an entry: its area may have shrunk, so it is filled again."""
        was = written.was or m.Var("was")
        return guard_not_none(was, [b.store_slot(load_flood(flood, was).at, self.build_full_flood(flood, was))])

    def build_gain_update(self, flood: IncrementalFlood, written: m.AfterWrite) -> m.Body:
        """Returns the update for the new value of an entry.

        If the cell is a start or touches the area, it joins the area, together with the cells that it connects."""
        value = written.value or b.load_slot(written.address)
        reached = load_flood(flood, value)
        around = b.index_entry(flood.touches[value.value] if isinstance(value, m.IntConst) else flood.near, written.index)
        there = b.binary_op("n", "&", "f")
        if not isinstance(value, m.IntConst):
            there = m.BoolOp("or", (there, b.binary_op(b.index_entry(flood.starts, value), "&", "m")))
        hanging = m.IfStmt(m.Var("n"), [m.AugAssign(m.Var("f"), "|=", b.call("spread", "n", "y", flood.near))])
        steps: m.Body = [
            m.AssignStmt(("f",), reached),
            m.AssignStmt(("n",), around),
            m.IfStmt(
                there,
                [
                    m.AugAssign(m.Var("f"), "|=", m.Var("m")),
                    m.AssignStmt(("y",), b.mask_without(self.holders.load_mask(flood.held, value), "f")),
                    m.AugAssign(m.Var("n"), "&=", m.Var("y")),
                    hanging,
                    b.store_slot(reached.at, "f"),
                ],
            ),
        ]
        return guard_not_none(value, steps)

    def build_invalidation(self, state: State) -> m.Body:
        """Returns the steps that invalidate the floods of a state."""
        return [b.store_slot(m.IncrementalSetAddr(flood.first), m.NoneConst()) for flood in self.floods.get(state, [])]

    def find_never_invalidated(self, forgotten: Collection[str]) -> set[int]:
        """Returns the numbers of the floods that are never invalidated. `forgotten` are the states that are."""
        return {flood.first for state, floods in self.floods.items() if state.name not in forgotten for flood in floods}


def load_flood(flood: IncrementalFlood, value: m.IrExpr) -> m.LoadSlot:
    """Returns the filled area for one value."""
    return b.load_slot(
        m.IncrementalSetAddr(flood.first + value.value)
        if isinstance(value, m.IntConst)
        else b.binary_op(m.IncrementalSetAddr(flood.first), "+", value)
    )


def guard_not_none(value: m.IrExpr, steps: m.Body) -> m.Body:
    """Returns steps that run only if a value is not none."""
    if isinstance(value, m.IntConst):
        return steps if value.value >= 0 else []
    return [m.IfStmt(b.binary_op(value, ">=", 0), steps)]
