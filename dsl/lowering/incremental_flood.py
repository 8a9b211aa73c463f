"""What is reached from somewhere through the cells that one holds, kept while more cells come to be held.

`any(begun in held(player) & player.one_end where size(region(begun, held(player)) & player.other_end) > 0)` floods a player's cells from a
side. A thing put down can only add to that: the cell itself, where it touches what is reached or is a start, and what hangs on it. So the
flood of each player lies in the position beside the masks of who holds what, and a write to a cell mends it. Only for play that goes on:
whoever steps back and forth pays for these words with each copy.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ..core import nodes as core
from ..core.nodes import Local
from ..core.program import State
from ..core.walk import locals_of
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import Code
from ..types.types import Of
from .builtins import masks
from .protocols import Expressions, Sorted, Writer
from .value_index import Holders


@dataclass(frozen=True)
class Grown:
    """The floods of one state, a word for each value, from the cells in the table `starts` (by the value); `build` works them all out and
    gives the first. Each has one bit more, behind those of the cells, and in `touches` (by the value) each cell has those next to it and,
    where it is a start, that bit: so it is asked at once whether it touches what is reached or is a start."""

    first: int
    held: Sorted
    touches: tuple[m.Expr, ...]
    starts: m.Expr
    near: m.Expr
    build: str
    cells: int


class Growing:
    """The floods that are kept in a module."""

    def __init__(self, writer: Writer, builds: list[str], holders: Holders) -> None:
        self.w, self.builds, self.holders = writer, builds, holders
        self.floods: dict[State, list[Grown]] = {}

    def reached(self, x: Expressions, starts: core.Expr, cells: core.Expr) -> m.Expr | None:
        """The cells of `cells`, which are those that one holds, that are reached from those among `starts`; None where that is not kept."""
        found = self.whose(cells) if self.w.uncut else None
        if found is None:
            return None
        state, who = found
        held = self.holders.of(state)
        match starts:
            case core.Prim(op="&", args=(left, right)):
                data = next((other for one, other in ((left, right), (right, left)) if self.same(self.whose(one), found)), None)
            case _:
                data = None
        if held is None or data is None or locals_of(data) != {who.local}:
            return None
        begins = self.of_each(x, data, who.local, held.values)
        if begins is None:
            return None
        flood = self.flood(x, state, held, begins)
        x.emit(m.Recall(None, m.Kept(flood.first), m.Function(flood.build)))
        return word(flood, x.of(who))

    def same(self, one: tuple[State, core.Read] | None, two: tuple[State, core.Read]) -> bool:
        """Whether two sets have in them what the same one holds in the same state."""
        return one is not None and one[0] is two[0] and one[1].local is two[1].local

    def whose(self, cells: core.Expr) -> tuple[State, core.Read] | None:
        """The state and the one of whom a set has all that he holds in it, be it through a def."""
        match cells:
            case core.Fold(kind="set", gens=(gen,), where=(condition,), value=None) if isinstance(gen.source, core.Whole):
                asked = self.holders.asked(gen, condition)
                if asked is not None and asked.held and isinstance(asked.value, core.Read) and isinstance(asked.value.type, Of):
                    return asked.state, asked.value
            case core.Ask(bare=False, case=None):
                family = self.w.program.families[cells.family]
                routine = family.default
                found = self.whose(routine.value) if routine is not None and routine.value is not None and not family.domain else None
                if found is not None and routine is not None:
                    given = dict(zip(routine.params, cells.args)).get(found[1].local)
                    return (found[0], given) if isinstance(given, core.Read) and isinstance(given.type, Of) else None
        return None

    def of_each(self, x: Expressions, data: core.Expr, who: Local, values: int) -> tuple[int, ...] | None:
        """What data say of each one, as far as it is known now."""
        saved = dict(x.env)
        found = []
        for value in range(values):
            x.env[who] = m.Num(value)
            found.append(x.constant_of(data))
        x.env = saved
        return tuple(found) if all(isinstance(one, int) for one in found) else None

    def flood(self, x: Expressions, state: State, held: Sorted, begins: tuple[int, ...]) -> Grown:
        """The floods from these cells, made where there are none yet."""
        starts = x.const(begins)
        for known in self.floods.setdefault(state, []):
            if known.starts == starts:
                return known
        board = self.w.program.model.enums[state.axes[0][1]].board
        assert board is not None
        touches = tuple(x.const(tuple(b.mask(near) | (mask >> cell & 1) << len(board.near) for cell, near in enumerate(board.near)))
                        for mask in begins)
        made = Grown(len(self.builds), held, touches, starts, masks(x, board.near), self.w.fresh.function("k", f"{state.name}_reached"),
                     len(board.near))
        self.floods[state].append(made)
        self.builds += [made.build, *[""] * (held.values - 1)]
        code = Code(made.build)
        code.emit(m.Recall(None, m.Kept(held.first), m.Function(held.build)))
        with code.inside(m.For(("v",), b.call("range", held.values))):
            code.emit(b.put(word(made, m.Var("v")).at, self.anew(made, m.Var("v"))))
        code.emit(m.Return(b.get(m.Kept(made.first))))
        self.w.functions.append(code)
        return made

    def anew(self, flood: Grown, value: m.Expr) -> m.Expr:
        found = b.call("spread", b.entry(flood.starts, value), self.holders.word(flood.held, value), flood.near)
        return b.op(found, "|", 1 << flood.cells)

    def after_write(self, state: State, written: m.Written, lasting: Collection[int]) -> m.Body:
        """The steps that mend the floods of a state after one entry was written; the masks of who holds what are mended already, and the
        bit of the entry is in `m`."""
        found: m.Body = []
        for flood in self.floods.get(state, []):
            steps = [*self.shrunk(flood, written), *self.won(flood, written)]
            sure = flood.first in lasting and flood.held.first in lasting
            there = b.op(b.get(m.Kept(flood.first)), "is not", m.Nil())
            found += steps if sure else [m.If(there, [m.Set(("m",), b.bit(written.index)), *steps])]
        return found

    def shrunk(self, flood: Grown, written: m.Written) -> m.Body:
        """Who held the entry may reach less now: that is worked out anew."""
        was = written.was or m.Var("was")
        return where_some(was, [b.put(word(flood, was).at, self.anew(flood, was))])

    def won(self, flood: Grown, written: m.Written) -> m.Body:
        """Who holds the entry now reaches it where it is a start or touches what is reached, and then what hangs on it, too."""
        value = written.value or b.get(written.address)
        reached = word(flood, value)
        around = b.entry(flood.touches[value.value] if isinstance(value, m.Num) else flood.near, written.index)
        there = b.op("n", "&", "f")
        if not isinstance(value, m.Num):
            there = m.Logic("or", (there, b.op(b.entry(flood.starts, value), "&", "m")))
        hanging = m.If(m.Var("n"), [m.Change(m.Var("f"), "|=", b.call("spread", "n", "y", flood.near))])
        steps: m.Body = [
            m.Set(("f",), reached), m.Set(("n",), around),
            m.If(there, [
                m.Change(m.Var("f"), "|=", m.Var("m")), m.Set(("y",), b.less(self.holders.word(flood.held, value), "f")),
                m.Change(m.Var("n"), "&=", m.Var("y")), hanging, b.put(reached.at, "f")])]
        return where_some(value, steps)

    def forget(self, state: State) -> m.Body:
        return [b.put(m.Kept(flood.first), m.Nil()) for flood in self.floods.get(state, [])]

    def unforgotten(self, forgotten: Collection[str]) -> set[int]:
        return {flood.first for state, floods in self.floods.items() if state.name not in forgotten for flood in floods}


def word(flood: Grown, value: m.Expr) -> m.Get:
    """Where the flood of one lies."""
    return b.get(m.Kept(flood.first + value.value) if isinstance(value, m.Num) else b.op(m.Kept(flood.first), "+", value))


def where_some(value: m.Expr, steps: m.Body) -> m.Body:
    """Steps that are done where a value is not none."""
    if isinstance(value, m.Num):
        return steps if value.value >= 0 else []
    return [m.If(b.op(value, ">=", 0), steps)]
