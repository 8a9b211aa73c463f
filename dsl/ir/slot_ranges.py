"""What lies where in a position: its words by the thing that they belong to, so that the words of one thing can have one kind."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from ..storage.control_slots import CONTROL
from . import nodes as m
from .program import Machine
from .value_types import Kind, Unknown


@dataclass
class Space:
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


class Spaces:
    """All spaces of a machine: the control words, states, what is remembered, and of frames what was asked for."""

    def __init__(self, machine: Machine) -> None:
        found = [Space(n, 1, f"control {n}") for n in range(CONTROL)]
        found += [Space(cell.base, cell.count, state.name) for state, cell in machine.layout.cells.items() if cell.count]
        for memo in sorted(machine.memos, key=lambda memo: memo.slot):
            if memo.name or memo.build or found[-1].end != memo.slot or not found[-1].lapses:
                found.append(Space(memo.slot, 1, memo.name or memo.build, True))
            else:
                found[-1].count += 1                               # the holders of one state lie side by side
        self.fixed = sorted(found, key=lambda space: space.start)
        self.starts = [space.start for space in self.fixed]
        self.frames: dict[tuple[int, int], Space] = {}

    @property
    def all(self) -> list[Space]:
        return self.fixed + [self.frames[key] for key in sorted(self.frames)]

    def at(self, number: m.Num) -> Space:
        """The space that a number of an address lies in."""
        if number.frame is not None:
            key = number.frame, number.value
            if key not in self.frames:
                self.frames[key] = Space(number.value, 1, f"frame {number.frame}", frame=number.frame)
            return self.frames[key]
        space = self.fixed[bisect_right(self.starts, number.value) - 1]
        if number.value >= space.end:
            raise Unknown(f"the word {number.value}")
        return space

    def of(self, at: m.Expr, given: Iterable[m.Expr] = ()) -> tuple[Space, m.Expr]:
        """The space of an address, and how far into it. `given`: what the variable may be that the address begins with."""
        first = leading(at)
        if isinstance(first, m.Num):
            space = self.at(first)
            rest = m.Num(first.value - space.start)
            return space, m.mapped(at, lambda part: rest if part is first else None)
        found = [one for one in map(leading, given) if isinstance(one, m.Num)]
        spaces = {self.at(one).start: self.at(one) for one in found}
        if len(spaces) != 1 or len(found) != len(list(given)):
            raise Unknown("an address that begins with no number")
        (space,) = spaces.values()
        return space, m.Op(at, "-", m.Num(space.start))


def leading(at: m.Expr) -> m.Expr:
    """What a sum begins with."""
    while isinstance(at, m.Op) and at.sign == "+":
        at = at.left
    return at
