"""The memory map of a position: ranges of slots by the state, memo or frame entry that owns them. All slots of
one range have the same kind."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from ..storage.control_slots import FIRST_STATE_SLOT
from . import nodes as m
from .program import IrModule
from .traversal import map_expression
from .value_types import Kind, UnsupportedConstructError


@dataclass
class SlotRange:
    """A range of slots from `start` on that belong together. `lapses`: the value may be invalidated and is then
    absent. `frame`: the number of the frame, for a frame entry. Frames that are never active together share
    slots."""

    start: int
    count: int
    name: str
    lapses: bool = False
    frame: int | None = None
    kind: Kind | None = None

    @property
    def end(self) -> int:
        """The first slot after the range."""
        return self.start + self.count


class SlotMap:
    """All slot ranges of an IR module: control slots, states, memos, and the frame entries looked up so far."""

    def __init__(self, machine: IrModule) -> None:
        found = [SlotRange(n, 1, f"control {n}") for n in range(FIRST_STATE_SLOT)]
        found += [SlotRange(cell.base, cell.count, state.name) for state, cell in machine.layout.cells.items() if cell.count]
        for memo in sorted(machine.memos, key=lambda memo: memo.slot):
            if memo.name or memo.build or found[-1].end != memo.slot or not found[-1].lapses:
                found.append(SlotRange(memo.slot, 1, memo.name or memo.build, True))
            else:
                found[-1].count += 1                               # the value indexes of one state are adjacent
        self.fixed = sorted(found, key=lambda space: space.start)
        self.starts = [space.start for space in self.fixed]
        self.frames: dict[tuple[int, int], SlotRange] = {}

    @property
    def ranges(self) -> list[SlotRange]:
        """All ranges: first those with fixed addresses in ascending order, then the frame entries."""
        return self.fixed + [self.frames[key] for key in sorted(self.frames)]

    def range_at(self, number: m.IntConst) -> SlotRange:
        """Returns the range that contains a constant address."""
        if number.frame is not None:
            key = number.frame, number.value
            if key not in self.frames:
                self.frames[key] = SlotRange(number.value, 1, f"frame {number.frame}", frame=number.frame)
            return self.frames[key]
        space = self.fixed[bisect_right(self.starts, number.value) - 1]
        if number.value >= space.end:
            raise UnsupportedConstructError(f"the word {number.value}")
        return space

    def locate(self, at: m.IrExpr, start_values: Iterable[m.IrExpr] = ()) -> tuple[SlotRange, m.IrExpr]:
        """Returns the range of an address, and the offset into it. `start_values` lists the possible values of the variable
        that the address starts with."""
        first = leading_term(at)
        if isinstance(first, m.IntConst):
            space = self.range_at(first)
            rest = m.IntConst(first.value - space.start)
            return space, map_expression(at, lambda part: rest if part is first else None)
        found = [one for one in map(leading_term, start_values) if isinstance(one, m.IntConst)]
        spaces = {self.range_at(one).start: self.range_at(one) for one in found}
        if len(spaces) != 1 or len(found) != len(list(start_values)):
            raise UnsupportedConstructError("an address that begins with no number")
        (space,) = spaces.values()
        return space, m.BinaryOp(at, "-", m.IntConst(space.start))


def leading_term(at: m.IrExpr) -> m.IrExpr:
    """Returns the first term of a sum."""
    while isinstance(at, m.BinaryOp) and at.sign == "+":
        at = at.left
    return at
