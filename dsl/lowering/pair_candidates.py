"""The options of a choice of two things as a mask: which of the pairs that data allow are offered now.

`choose origin in Cell, target in ahead(player, origin) where at[origin] == player`: whatever a set like `ahead` takes from data (steps,
directions, neighbours) says which pairs there can be, and what it asks of who holds what then says which of them there are. Pairs are
numbered by their first cell and by the way from it to the second, so that the cells that hold something, laid out as far apart as there
are ways, become the pairs that begin or end there by one shift for each way. Nothing is listed: the pairs are counted, and the one that is
drawn is looked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..core import nodes as core
from ..core.nodes import Local
from ..core.program import State
from ..core.walk import conjuncts
from ..ir import builder as b
from ..ir import nodes as m
from ..types.boards import Board
from ..types.types import Maybe, Of, SetOf
from .protocols import Asked, Expressions

WAYS, BITS = 8, 512                  # from a cell to another, and of a mask of pairs, at most
NEIGHBOURS = ("near", "corners", "touching")
NOBODY = -1


class Open(Exception):
    """Not all of it follows from data in a way that is known here."""


@dataclass(frozen=True)
class Offer:
    """The pairs that are offered: their mask, how many bits it has, and by the number of a pair its two things."""

    mask: m.Expr
    size: int
    first: m.Expr
    second: m.Expr


@dataclass
class Part:
    """Pairs that are offered where their second thing holds, or does not hold, what is asked: (state, value, whether it must)."""

    pairs: set[tuple[int, int]]
    asked: tuple[tuple[State, int, bool], ...] = ()


class Pairs:
    """Finds the pairs of one choice."""

    def __init__(self, x: Expressions) -> None:
        self.x, self.model = x, x.model

    def offered(self, gens: Sequence[core.Gen], conditions: Sequence[core.Expr]) -> Offer | None:
        """The options of a choice over two names; None where they are not found like this."""
        match gens:
            case [core.Gen(source=core.Whole(domain=domain), number=None) as one, core.Gen(number=None) as two]:
                pass
            case _:
                return None
        enum = self.model.enums[domain]
        found = two.source.type
        if enum.board is None or enum.board.open or not isinstance(found, SetOf) or found.of != Of(domain):
            return None
        try:
            return self.offer(domain, one.local, two.source, self.held(one, conditions))
        except Open:
            return None

    def held(self, one: core.Gen, conditions: Sequence[core.Expr]) -> list[tuple[State, int, bool]]:
        """What is asked of the first thing."""
        asked = [self.x.w.upkeep.holders.asked(one, condition) for condition in conditions]
        if any(found is None for found in asked) or not asked:
            raise Open
        return [self.known(found, {}) for found in asked if found is not None]

    def known(self, asked: Asked, values: dict[Local, int]) -> tuple[State, int, bool]:
        """What is asked, with the value that is asked for, which must be known."""
        if isinstance(asked.value, core.Nothing):
            return asked.state, NOBODY, asked.held
        return asked.state, self.value(asked.value, values), asked.held

    def offer(self, domain: str, first: Local, source: core.Expr, held: list[tuple[State, int, bool]]) -> Offer:
        size = len(self.model.enums[domain])
        parts: dict[tuple[tuple[State, int, bool], ...], set[tuple[int, int]]] = {}
        for cell in range(size):
            for part in self.parts(source, {first: cell}, cell):
                parts.setdefault(part.asked, set()).update(part.pairs)
        ways = sorted({two - one for pairs in parts.values() for one, two in pairs})
        if not 0 < len(ways) <= WAYS or size * len(ways) > BITS or not all(asked for asked in parts):
            raise Open
        width = len(ways)
        number = {way: n for n, way in enumerate(ways)}
        offered: m.Expr | None = None
        for asked, pairs in parts.items():
            some = {two - one for one, two in pairs}
            every: m.Expr = self.x.const(b.mask(one * width + number[two - one] for one, two in pairs))
            for state, value, wanted in asked:
                ends: m.Expr | None = None
                cells = self.apart(state, value, width)
                for way in sorted(some):
                    back = way * width - number[way]
                    there = b.op(cells, ">>", back) if back > 0 else b.op(cells, "<<", -back) if back else cells
                    ends = there if ends is None else b.op(ends, "|", there)
                assert ends is not None
                every = b.op(every, "&", ends) if wanted else b.less(every, ends)
            offered = every if offered is None else b.op(offered, "|", every)
        begins: m.Expr | None = None
        for state, value, wanted in sorted(held, key=lambda one: not one[2]):
            cells = self.apart(state, value, width)
            if begins is None and not wanted:
                raise Open
            begins = cells if begins is None else b.op(begins, "&", cells) if wanted else b.less(begins, cells)
        assert begins is not None and offered is not None
        starts = begins if width == 1 else b.op(begins, "*", (1 << width) - 1)
        count = size * width
        return Offer(b.op(starts, "&", offered), count, self.x.const(tuple(n // width for n in range(count))),
                     self.x.const(tuple(n // width + ways[n % width] for n in range(count))))

    def apart(self, state: State, value: int, width: int) -> m.Expr:
        """The cells that hold a value, each so many bits from the next."""
        kept = self.x.w.upkeep.holders.of(state, width)
        if kept is None or not NOBODY <= value < kept.values:
            raise Open
        self.x.emit(m.Recall(None, m.Kept(kept.first), m.Function(kept.build)))
        return self.x.w.upkeep.holders.word(kept, m.Num(value))

    # ------------------------------------------------------------ what data allow

    def parts(self, node: core.Expr, values: dict[Local, int], first: int) -> Iterator[Part]:
        """The second things of a set, for one first thing, by what is asked of them."""
        match node:
            case core.Prim(op="+", args=(left, right)) if isinstance(node.type, SetOf):
                yield from self.parts(left, values, first)
                yield from self.parts(right, values, first)
            case core.Ask(bare=False, case=None, args=args):
                family = self.x.w.program.families[node.family]
                routine = family.default
                if routine is None or routine.value is None or family.domain:
                    raise Open
                yield from self.parts(routine.value, {param: self.value(arg, values) for param, arg in zip(routine.params, args)}, first)
            case core.Fold(kind="set", gens=gens, where=where, value=value):
                taken = value if value is not None else core.Read(node.at, gens[-1].local.type, gens[-1].local)
                if not isinstance(taken, core.Read):
                    raise Open
                yield from self.folded(gens, [part for one in where for part in conjuncts(one)], taken.local, values, (), first)
            case _:
                raise Open

    def folded(self, gens: Sequence[core.Gen], where: Sequence[core.Expr], taken: Local, values: dict[Local, int],
               asked: tuple[tuple[State, int, bool], ...], first: int) -> Iterator[Part]:
        if not gens:
            if taken in values and all(self.value(condition, values) for condition in where):
                yield Part({(first, values[taken])}, asked)
            return
        gen, *rest = gens
        if gen.number is not None:
            raise Open
        left, found = [], list(asked)
        for condition in where:
            one = self.x.w.upkeep.holders.asked(gen, condition)
            if one is None:
                left.append(condition)
            elif gen.local is taken:
                found.append(self.known(one, values))
            else:
                raise Open
        for member in self.members(gen.source, values):
            yield from self.folded(rest, left, taken, {**values, gen.local: member}, tuple(found), first)

    def members(self, node: core.Expr, values: dict[Local, int]) -> list[int]:
        """What a name goes over."""
        if isinstance(node, core.Whole):
            return list(range(len(self.model.enums[node.domain])))
        value = self.value(node, values)
        if isinstance(node.type, Maybe):
            return [value] if value >= 0 else []
        if isinstance(node.type, SetOf) and self.x.layout.masked(node.type.of):
            return [n for n in range(value.bit_length()) if value >> n & 1]
        raise Open

    def value(self, node: core.Expr, values: dict[Local, int]) -> int:
        """What data say: a number, a member, a mask; none is -1."""
        match node:
            case core.Read(local=local) if local in values:
                return values[local]
            case core.Attribute(thing=thing, domain=domain, name=name):
                inner = self.value(thing, values)
                found = self.model.enums[domain].values[name][inner] if inner >= 0 else None
            case core.Prim(op="step", args=(cell, way)):
                one, direction = self.value(cell, values), self.value(way, values)
                found = self.board(cell).step[one][direction] if one >= 0 and direction >= 0 else None
            case core.Prim(op=op, args=(cell,)) if op in NEIGHBOURS:
                found = b.mask(getattr(self.board(cell), op)[self.value(cell, values)])
            case core.Prim(op="==" | "!=" as op, args=(left, right)):
                found = int((self.value(left, values) == self.value(right, values)) == (op == "=="))
            case core.Prim(op="not", args=(inside,)):
                found = int(not self.value(inside, values))
            case _:
                found = self.x.constant_of(node)
        if not isinstance(found, int):
            raise Open
        return int(found)

    def board(self, cell: core.Expr) -> Board:
        board = self.model.enums[cell.type.name].board if isinstance(cell.type, Of) else None
        if board is None or board.open:
            raise Open
        return board
