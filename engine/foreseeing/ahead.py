"""An option played on a copy, as far as no hidden thing, no die and no other person has a say.

On the copy everything that the seat may not see, and the generator, is covered: a `Cover` stands in its place. It can be laid on
something, counted up and put down elsewhere, for that needs no knowledge; any rule that must know what is under it stops right there. So
whatever is told is true of every position that the seat cannot tell from this one.

Where a rule has been stopped in the middle, what has changed up to there may still be undone by the same rule. Then only those
changes count that have also come to stay in a few imagined worlds, which are the same whatever is really hidden.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any, NoReturn

from ...dsl.storage.control import ANSWER, EVENTS, OPTIONS, RANDOM, SCRIPT
from ...dsl.storage.layout import Cell
from ...dsl.values.types import ListOf, PileOf, SetOf
from ..position.position import Decision, Position, Told
from ..position.view import knows, sample, sees

WORLDS = 2                           # imagined worlds in which what was stopped is played to its end
FAR = 60                             # decisions with one option that are taken one after another
LUCK = 7                             # any number: what is imagined is to be the same each time


class Covered(Exception):
    """A rule had to know what its player cannot."""


class Cover:
    """Stands for what the seat may not see."""

    __slots__ = ()

    def same(self, *_: object) -> Cover:
        return self

    def stop(self, *_: object) -> NoReturn:
        raise Covered

    def bit_count(self) -> int:
        raise Covered

    __add__ = __radd__ = __sub__ = __rsub__ = __getitem__ = same
    __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = __len__ = __iter__ = stop
    __contains__ = __int__ = __index__ = __and__ = __rand__ = __or__ = __ror__ = __lshift__ = __rlshift__ = stop
    __rshift__ = __rrshift__ = __mul__ = __rmul__ = __neg__ = __invert__ = __mod__ = __floordiv__ = stop


COVER = Cover()


class Sized(Cover):
    """Stands for a set of which everybody knows how many things are in it."""

    __slots__ = ("many",)

    def __init__(self, many: int) -> None:
        self.many = many

    def bit_count(self) -> int:
        return self.many


@dataclass
class Ahead:
    """What comes of an option: what is told on the way, and the position where it stops. `sure` when that is a decision or the end of the
    game; else a rule had to know what is covered, and `worlds` are positions in which it was played to its end."""

    told: list[Told]
    after: Position
    sure: bool
    worlds: list[Position] = field(default_factory=list)

    @property
    def decision(self) -> Decision | None:
        """The decision that waits then, where this is known."""
        return self.after.decision if self.sure else None

    @property
    def over(self) -> bool:
        return self.sure and self.after.over


class Foresight:
    """What the one who must decide can foresee of each option. `auto`: a decision with one option is taken by itself."""

    def __init__(self, decision: Decision, auto: bool = True) -> None:
        self.decision, self.seat, self.auto = decision, decision.seat, auto
        self.start = covered(decision.position, decision.seat)
        self.work = 0                                              # the steps of the game that were played so far
        self._worlds: list[Position] | None = None

    def of(self, code: int) -> Ahead:
        """What comes of an option."""
        after = self.start.copy()
        s = after.s
        s[EVENTS] = []
        taken, sure = 0, True
        try:
            after.step(code)
            taken = 1
            while taken < FAR and self.by_itself(after):
                after.step(after.s[OPTIONS][0])
                taken += 1
        except Exception:                                          # Covered, what Python makes of a cover, or a rule that is at fault
            sure = False
        told = [event for number, values in s[EVENTS] if open_to_all(event := after.told(number, values))]
        s[EVENTS] = None
        self.work += taken + 1
        return Ahead(told, after, sure, [] if sure else self.played_on(code, taken + 1))

    def known(self, code: int) -> bool:
        """Whether all that comes of an option up to the next decision is known beforehand."""
        return self.of(code).sure

    def by_itself(self, position: Position) -> bool:
        """Whether the decision that waits is none: it has one option, and that is no secret."""
        decision = position.decision
        return self.auto and decision is not None and len(decision) == 1 and not decision.kind.secret

    def played_on(self, code: int, taken: int) -> list[Position]:
        """So many decisions on in imagined worlds."""
        if self._worlds is None:
            self._worlds = [sample(self.decision.position, self.seat, random.Random(LUCK + n)) for n in range(WORLDS)]
        found = []
        for world in self._worlds:
            after = world.copy()
            self.work += taken
            try:
                codes = after.step(code)
                for _ in range(taken - 1):
                    if len(codes) != 1:
                        break
                    codes = after.step(codes[0])
            except Exception:                                      # a rule fails in what is imagined: nothing is known from it
                continue
            found.append(after)
        return found


def covered(position: Position, seat: int) -> Position:
    """A copy in which everything is covered that the seat may not see."""
    copy = position.copy()
    for cell in position.game.cells.values():
        if cell.state.seen != "open":
            for at in closed_entries(position, cell, seat):
                copy.s[at] = backs(cell, copy.s[at])
    for variable in position.alive():
        if not knows(position, variable, seat):
            copy.s[variable.slot] = COVER
    copy.s[RANDOM] = COVER
    copy.s[SCRIPT] = None
    copy.s[ANSWER] = 0
    copy.forget()
    return copy


def backs(cell: Cell, raw: Any) -> Cover | tuple[Cover, ...]:
    """What stands for an entry that is covered: of a set, a list or a pile everybody knows how many things it holds (see `view`)."""
    if cell.width == 1 and isinstance(cell.state.type, ListOf | PileOf):
        return (COVER,) * len(raw)
    return Sized(raw.bit_count()) if cell.width == 1 and isinstance(cell.state.type, SetOf) else COVER


def closed_entries(position: Position, cell: Cell, seat: int) -> Iterator[int]:
    """The entries of the position that belong to places of a state that the seat may not see; an entry with several places in it is
    closed as a whole."""
    seen = cell.state.seen
    whole = not isinstance(seen, int) or len(cell.sizes) < len(cell.enums)
    for n, index in enumerate(product(*map(range, cell.sizes))):
        if whole or not sees(position, cell, list(index), seat):
            yield from range(cell.base + n * cell.width, cell.base + (n + 1) * cell.width)


def open_to_all(told: Told) -> bool:
    """Whether all that an event says is known."""
    return not told.secret and told.key != "chance" and all(known(value) for _, _, value in told.slots)


def known(value: Any) -> bool:
    """Whether nothing in a raw value is covered."""
    return not isinstance(value, Cover) and not (isinstance(value, tuple | list) and any(isinstance(part, Cover) for part in value))
