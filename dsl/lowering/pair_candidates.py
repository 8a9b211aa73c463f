"""The options of a choice of two things, as a bitmask of pairs.

    choose origin in Cell, target in ahead(player, origin) where at[origin] == player

Static data (steps, directions, neighbours) decides which pairs are possible at all. The conditions on the
state then decide which of them are offered now.

A pair has the number `first * width + n`. Here n is the number of the offset from the first cell to the
second, and `width` is the number of offsets. The masks of occupied cells also have `width` bits for each
cell. One shift for each offset turns them into the mask of the pairs that begin or end at these cells.

No list of pairs is built: the bits are counted, and only the random pair is located."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..core import nodes as core
from ..core.nodes import LocalVar
from ..core.program import State
from ..core.walk import split_conjuncts
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.optimizations import is_enabled
from ..types.boards import Board
from ..types.types import MemberOf, OptionalOf, SetOf
from .protocols import CellEquality, ExpressionApi

MAX_PAIR_OFFSETS, MAX_PAIR_MASK_BITS = 8, 512                  # with more of them, the pairs are listed one by one
NEIGHBOUR_BUILTINS = ("near", "corners", "touching")
NONE_VALUE = -1


class NotEnumerableError(Exception):
    """Raised if the pairs do not follow from static data in a known way."""


@dataclass(frozen=True)
class PairOffer:
    """The pairs that are offered: their bitmask, its number of bits, and tables from the number of a pair to its two
    members."""

    mask: m.IrExpr
    size: int
    first: m.IrExpr
    second: m.IrExpr


@dataclass
class PairFilter:
    """Possible pairs with the conditions on their second member: (state, value, whether it must be equal)."""

    pairs: set[tuple[int, int]]
    asked: tuple[tuple[State, int, bool], ...] = ()


class PairCandidates:
    """Finds the pairs of one choice."""

    def __init__(self, x: ExpressionApi) -> None:
        self.x, self.model = x, x.model

    def find_offer(self, gens: Sequence[core.GeneratorBinding], conditions: Sequence[core.Expr]) -> PairOffer | None:
        """Returns the options of a choice over two names, or None if they cannot be found this way."""
        if not is_enabled("pair-candidates"):
            return None
        match gens:
            case [
                core.GeneratorBinding(source=core.AllMembers(domain=domain), number=None) as one,
                core.GeneratorBinding(number=None) as two,
            ]:
                pass
            case _:
                return None
        enum = self.model.enums[domain]
        found = two.source.type
        if enum.board is None or enum.board.open or not isinstance(found, SetOf) or found.of != MemberOf(domain):
            return None
        try:
            return self.build_offer(domain, one.local, two.source, self.resolve_first_conditions(one, conditions))
        except NotEnumerableError:
            return None

    def resolve_first_conditions(self, one: core.GeneratorBinding, conditions: Sequence[core.Expr]) -> list[tuple[State, int, bool]]:
        """Returns the conditions on the first member. Raises NotEnumerableError if one of them is no comparison of its
        entry."""
        asked = [self.x.w.upkeep.holders.match_equality(one, condition) for condition in conditions]
        if any(found is None for found in asked) or not asked:
            raise NotEnumerableError
        return [self.resolve_equality(found, {}) for found in asked if found is not None]

    def resolve_equality(self, equality: CellEquality, values: dict[LocalVar, int]) -> tuple[State, int, bool]:
        """Returns a comparison as (state, value, whether it must be equal). The value must be known at compile time."""
        if isinstance(equality.value, core.EmptyLiteral):
            return equality.state, NONE_VALUE, equality.held
        return equality.state, self.evaluate(equality.value, values), equality.held

    def build_offer(self, domain: str, first: LocalVar, source: core.Expr, equalities: list[tuple[State, int, bool]]) -> PairOffer:
        """Builds the bitmask of the pairs that are offered now."""
        size = len(self.model.enums[domain])
        parts: dict[tuple[tuple[State, int, bool], ...], set[tuple[int, int]]] = {}
        for cell in range(size):
            for part in self.iter_filters(source, {first: cell}, cell):
                parts.setdefault(part.asked, set()).update(part.pairs)
        ways = sorted({two - one for pairs in parts.values() for one, two in pairs})
        if not 0 < len(ways) <= MAX_PAIR_OFFSETS or size * len(ways) > MAX_PAIR_MASK_BITS or not all(asked for asked in parts):
            raise NotEnumerableError
        width = len(ways)
        number = {way: n for n, way in enumerate(ways)}
        offered: m.IrExpr | None = None
        for asked, pairs in parts.items():
            some = {two - one for one, two in pairs}
            every: m.IrExpr = self.x.const(b.mask_of(one * width + number[two - one] for one, two in pairs))
            for state, value, wanted in asked:
                ends: m.IrExpr | None = None
                cells = self.load_spaced_mask(state, value, width)
                for way in sorted(some):
                    back = way * width - number[way]
                    there = b.binary_op(cells, ">>", back) if back > 0 else b.binary_op(cells, "<<", -back) if back else cells
                    ends = there if ends is None else b.binary_op(ends, "|", there)
                assert ends is not None
                every = b.binary_op(every, "&", ends) if wanted else b.mask_without(every, ends)
            offered = every if offered is None else b.binary_op(offered, "|", every)
        begins: m.IrExpr | None = None
        for state, value, wanted in sorted(equalities, key=lambda one: not one[2]):
            cells = self.load_spaced_mask(state, value, width)
            if begins is None and not wanted:
                raise NotEnumerableError
            begins = cells if begins is None else b.binary_op(begins, "&", cells) if wanted else b.mask_without(begins, cells)
        assert begins is not None and offered is not None
        starts = begins if width == 1 else b.binary_op(begins, "*", (1 << width) - 1)
        count = size * width
        return PairOffer(b.binary_op(starts, "&", offered), count, self.x.const(tuple(n // width for n in range(count))),
                     self.x.const(tuple(n // width + ways[n % width] for n in range(count))))

    def load_spaced_mask(self, state: State, value: int, width: int) -> m.IrExpr:
        """Returns the mask of the cells with one value, with `width` bits for each cell."""
        kept = self.x.w.upkeep.holders.find_masks(state, width)
        if kept is None or not NONE_VALUE <= value < kept.values:
            raise NotEnumerableError
        self.x.emit(m.LoadMemo(None, m.IncrementalSetAddr(kept.first), m.FunctionRef(kept.build)))
        return self.x.w.upkeep.holders.load_mask(kept, m.IntConst(value))

    # ------------------------------------------------------------ what data allow

    def iter_filters(self, node: core.Expr, values: dict[LocalVar, int], first: int) -> Iterator[PairFilter]:
        """Yields the possible second members of a set for one first member, grouped by the conditions on them."""
        match node:
            case core.PrimOp(op="+", args=(left, right)) if isinstance(node.type, SetOf):
                yield from self.iter_filters(left, values, first)
                yield from self.iter_filters(right, values, first)
            case core.CallDef(bare=False, case=None, args=args):
                family = self.x.w.program.families[node.family]
                routine = family.default
                if routine is None or routine.value is None or family.domain:
                    raise NotEnumerableError
                yield from self.iter_filters(
                    routine.value, {param: self.evaluate(arg, values) for param, arg in zip(routine.params, args)}, first
                )
            case core.Fold(kind="set", gens=gens, where=where, value=value):
                taken = value if value is not None else core.LocalRef(node.at, gens[-1].local.type, gens[-1].local)
                if not isinstance(taken, core.LocalRef):
                    raise NotEnumerableError
                yield from self.iter_comprehension_filters(
                    gens, [part for one in where for part in split_conjuncts(one)], taken.local, values, (), first
                )
            case _:
                raise NotEnumerableError

    def iter_comprehension_filters(
        self,
        gens: Sequence[core.GeneratorBinding],
        where: Sequence[core.Expr],
        local: LocalVar,
        values: dict[LocalVar, int],
        equalities: tuple[tuple[State, int, bool], ...],
        first: int,
    ) -> Iterator[PairFilter]:
        """Yields the pairs of a comprehension, one generator after the other."""
        if not gens:
            if local in values and all(self.evaluate(condition, values) for condition in where):
                yield PairFilter({(first, values[local])}, equalities)
            return
        gen, *rest = gens
        if gen.number is not None:
            raise NotEnumerableError
        left, found = [], list(equalities)
        for condition in where:
            one = self.x.w.upkeep.holders.match_equality(gen, condition)
            if one is None:
                left.append(condition)
            elif gen.local is local:
                found.append(self.resolve_equality(one, values))
            else:
                raise NotEnumerableError
        for member in self.list_members(gen.source, values):
            yield from self.iter_comprehension_filters(rest, left, local, {**values, gen.local: member}, tuple(found), first)

    def list_members(self, node: core.Expr, values: dict[LocalVar, int]) -> list[int]:
        """Returns the members that a name takes."""
        if isinstance(node, core.AllMembers):
            return list(range(len(self.model.enums[node.domain])))
        value = self.evaluate(node, values)
        if isinstance(node.type, OptionalOf):
            return [value] if value >= 0 else []
        if isinstance(node.type, SetOf) and self.x.layout.is_mask_element(node.type.of):
            return [n for n in range(value.bit_length()) if value >> n & 1]
        raise NotEnumerableError

    def evaluate(self, node: core.Expr, values: dict[LocalVar, int]) -> int:
        """Returns the value of an expression over static data: a number, a member or a bitmask. None is -1."""
        match node:
            case core.LocalRef(local=local) if local in values:
                return values[local]
            case core.Attribute(thing=thing, domain=domain, name=name):
                inner = self.evaluate(thing, values)
                found = self.model.enums[domain].values[name][inner] if inner >= 0 else None
            case core.PrimOp(op="step", args=(cell, way)):
                one, direction = self.evaluate(cell, values), self.evaluate(way, values)
                found = self.get_board(cell).step[one][direction] if one >= 0 and direction >= 0 else None
            case core.PrimOp(op=op, args=(cell,)) if op in NEIGHBOUR_BUILTINS:
                found = b.mask_of(getattr(self.get_board(cell), op)[self.evaluate(cell, values)])
            case core.PrimOp(op="==" | "!=" as op, args=(left, right)):
                found = int((self.evaluate(left, values) == self.evaluate(right, values)) == (op == "=="))
            case core.PrimOp(op="not", args=(inside,)):
                found = int(not self.evaluate(inside, values))
            case _:
                found = self.x.constant_of(node)
        if not isinstance(found, int):
            raise NotEnumerableError
        return int(found)

    def get_board(self, cell: core.Expr) -> Board:
        """Returns the bounded board of a cell."""
        board = self.model.enums[cell.type.name].board if isinstance(cell.type, MemberOf) else None
        if board is None or board.open:
            raise NotEnumerableError
        return board
