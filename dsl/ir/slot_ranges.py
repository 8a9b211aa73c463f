"""What lies where in a position: its words by the thing that they belong to, so that the words of one thing can have one kind."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from ..storage.control_slots import FIRST_STATE_SLOT
from . import nodes as m
from .program import IrModule
from .value_types import Kind, UnsupportedConstructError


@dataclass
class SlotRange:
    """The words from `start` on that belong together. `lapses`: they may be forgotten, and then hold nothing. `frame`: the number of the
    frame of which it is an entry; frames that are not needed together share words."""

    start: int
    count: int
    name: str
    lapses: bool = False
    frame: int | None = None
    kind: Kind | None = None

    @property
    def end(self) -> int:
        return self.start + self.count


class SlotMap:
    """All spaces of a machine: the control words, states, what is remembered, and of frames what was asked for."""

    def __init__(self, machine: IrModule) -> None:
        found = [SlotRange(n, 1, f"control {n}") for n in range(FIRST_STATE_SLOT)]
        found += [SlotRange(cell.base, cell.count, state.name) for state, cell in machine.layout.cells.items() if cell.count]
        for memo in sorted(machine.memos, key=lambda memo: memo.slot):
            if memo.name or memo.build or found[-1].end != memo.slot or not found[-1].lapses:
                found.append(SlotRange(memo.slot, 1, memo.name or memo.build, True))
            else:
                found[-1].count += 1                               # the holders of one state lie side by side
        self.fixed = sorted(found, key=lambda space: space.start)
        self.starts = [space.start for space in self.fixed]
        self.frames: dict[tuple[int, int], SlotRange] = {}

    @property
    def ranges(self) -> list[SlotRange]:
        return self.fixed + [self.frames[key] for key in sorted(self.frames)]

    def range_at(self, number: m.IntConst) -> SlotRange:
        """The space that a number of an address lies in."""
        if number.frame is not None:
            key = number.frame, number.value
            if key not in self.frames:
                self.frames[key] = SlotRange(number.value, 1, f"frame {number.frame}", frame=number.frame)
            return self.frames[key]
        space = self.fixed[bisect_right(self.starts, number.value) - 1]
        if number.value >= space.end:
            raise UnsupportedConstructError(f"the word {number.value}")
        return space

    def locate(self, at: m.IrExpr, given: Iterable[m.IrExpr] = ()) -> tuple[SlotRange, m.IrExpr]:
        """The space of an address, and how far into it. `given`: what the variable may be that the address begins with."""
        first = leading_term(at)
        if isinstance(first, m.IntConst):
            space = self.range_at(first)
            rest = m.IntConst(first.value - space.start)
            return space, m.map_expression(at, lambda part: rest if part is first else None)
        found = [one for one in map(leading_term, given) if isinstance(one, m.IntConst)]
        spaces = {self.range_at(one).start: self.range_at(one) for one in found}
        if len(spaces) != 1 or len(found) != len(list(given)):
            raise UnsupportedConstructError("an address that begins with no number")
        (space,) = spaces.values()
        return space, m.BinaryOp(at, "-", m.IntConst(space.start))


def leading_term(at: m.IrExpr) -> m.IrExpr:
    """What a sum begins with."""
    while isinstance(at, m.BinaryOp) and at.sign == "+":
        at = at.left
    return at
