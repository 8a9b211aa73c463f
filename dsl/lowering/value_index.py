"""Who holds what, kept up to date: for a state with one axis, `owner[Cell]: Player?`, the cells of each player as a mask and those of none.

A write to an entry moves one bit from the mask of what it held to the mask of what it holds now. So `set(cell in Cell where owner[cell] ==
player)` is read and not built, a count of such cells counts bits, and a loop with such a condition visits only the cells that meet it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from ..core import nodes as core
from ..core.nodes import Local
from ..core.program import State
from ..core.walk import conjuncts, locals_of, walk
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import Code
from ..types.types import Maybe, Of, SetOf
from .protocols import Asked, Expressions, Narrowed, Sorted, Writer
from .static_tables import only_data, outer, reads, size, worked_out

FEWEST = 16        # members of the axis: fewer are looked at one by one
FEW = 8            # the same, uncut: nothing is copied
MOST = 12          # values that are told apart


class Holders:
    """The states of a module whose members are kept by what they hold."""

    def __init__(self, writer: Writer, builds: list[str]) -> None:
        self.w, self.builds = writer, builds
        self.states: dict[State, Sorted] = {}
        self.wider: dict[State, dict[int, Sorted]] = {}            # the same, with room between the members: by how many bits
        self.sought = set(self.seek())                             # asked for what they hold, not only whether they hold anything

    def seek(self) -> Iterator[State]:
        """The states that some walk over all members, or over those of a set that has a name, asks for what is held."""
        for routine in self.w.program.routines:
            for node in walk(*routine.parts):
                if not isinstance(node, core.Fold | core.Each | core.Way):
                    continue
                last = conjuncts(node.value) if isinstance(node, core.Fold) and node.kind in ("any", "all") else []
                for n, gen in enumerate(node.gens):
                    named = isinstance(gen.source, core.Read) and isinstance(node, core.Fold) and len(node.gens) == 1 and self.masked(gen)
                    looked = isinstance(gen.source, core.Whole) or named
                    asked = [self.asked(gen, condition) for condition in (*node.where, *last)] if looked else []
                    yield from (found.state for found in asked if found is not None and not isinstance(found.value, core.Nothing))
                    match node.gens[n + 1:]:
                        case [core.Gen(source=core.Load(state=name, index=(core.Read(local=local),))), *_] if local is gen.local:
                            yield self.w.program.states[name]

    def instead(self, gen: core.Gen, conditions: Sequence[core.Expr]) -> bool:
        """Whether these masks answer all conditions, so that no set of its own need be kept."""
        asked = [self.asked(gen, condition) for condition in conditions]
        return all(found is not None and self.of(found.state) is not None for found in asked)

    # ------------------------------------------------------------ asking

    def narrowed(self, x: Expressions, gen: core.Gen, conditions: Sequence[core.Expr], later: Collection[Local] = (),
                 whole: bool = False) -> Narrowed | None:
        """The members of `gen`'s domain (or `whole`: of its set) that hold what some of `conditions` ask for; None where none of them does
        so, or (`whole`) not all of them do. `later` are names that have no value yet."""
        found = self.wanted(x, gen, conditions, later, whole)
        if not found or whole and len(found) < len(conditions):
            return None
        self.say(gen.at, "read from", [one.state for one, _ in found])
        mask = None if isinstance(gen.source, core.Whole) else x.of(gen.source)
        held = {one.state for one, _ in found if one.held and not isinstance(one.value.type, Maybe)}
        for one, kept in found:
            if not one.held and one.state in held and isinstance(one.value, core.Nothing):
                continue                                           # who holds something does not hold nothing
            mask = self.among(x, mask if mask is not None or one.held else x.of(gen.source), one, kept)
        met = tuple(one.condition for one, _ in found)
        assert mask is not None
        return Narrowed(mask, met, tuple(c for c in conditions if c not in met))

    def wanted(self, x: Expressions, gen: core.Gen, conditions: Sequence[core.Expr],
               later: Collection[Local] = (), sets: bool = False) -> list[tuple[Asked, Sorted]]:
        """The conditions that kept masks answer, each with the masks. `sets`: of the members of a set, too."""
        if not (isinstance(gen.source, core.Whole) or sets and self.masked(gen)) or gen.number is not None:
            return []
        asked = [one for condition in conditions if (one := self.asked(gen, condition)) is not None]
        now = [one for one in asked if not reads(x, one.value) & {*later, gen.local}]
        return [(one, kept) for one in now if (kept := self.of(one.state)) is not None]

    def masked(self, gen: core.Gen) -> bool:
        """Whether it goes over a set that is a mask."""
        return isinstance(gen.source.type, SetOf) and self.w.layout.masked(gen.source.type.of)

    def among(self, x: Expressions, mask: m.Expr | None, one: Asked, kept: Sorted) -> m.Expr:
        """Those in `mask` (None: any) that meet a condition."""
        value = x.of(one.value)
        x.emit(m.Recall(None, m.Kept(kept.first), m.Function(kept.build)))
        these = self.word(kept, value)
        if mask is None:
            assert one.held
            return these
        return b.op(mask, "&", these) if one.held else b.less(mask, these)

    def say(self, at: core.Span, what: str, states: Sequence[State]) -> None:
        self.w.tell(at, f"{what} the masks of who holds what in {', '.join(sorted({state.name for state in states}))}")

    def things(self, x: Expressions, gens: Sequence[core.Gen], conditions: Sequence[core.Expr],
               later: Collection[Local], sets: bool = False) -> Narrowed | None:
        """`cell in Cell, thing in held[cell] where thing.owner == player`: the cells that hold a thing of which the data say so; None where
        the first two of `gens` are not like that. `later` are names that have no value yet, those of `gens` aside. `sets`: of the cells of
        a set, too."""
        if len(gens) < 2 or gens[0].number is not None or gens[1].number is not None:
            return None
        among = None if isinstance(gens[0].source, core.Whole) else gens[0].source
        if among is not None and not (sets and self.masked(gens[0])):
            return None
        cell, thing = gens[0].local, gens[1].local
        match gens[1].source:
            case core.Load(state=name, index=(core.Read(local=local),)) if local is cell:
                state = self.w.program.states[name]
            case _:
                return None
        if not isinstance(state.type, Maybe):
            return None
        met = [c for c in conditions if self.of_data(c, thing) and not reads(x, c) & {*later, cell}]
        known = [one for one in outer(*met) if one is not thing]
        kept = self.of(state) if size(self.w, known) is not None else None
        if kept is None or among is not None and not met:
            return None
        self.say(gens[0].at, "read from", [state])
        x.emit(m.Recall(None, m.Kept(kept.first), m.Function(kept.build)))
        left = tuple(c for c in conditions if c not in met)
        if not met:
            return Narrowed(b.less(x.of(gens[0].source), b.get(m.Kept(kept.first))), (), left)
        values = worked_out(x, thing.name, known, lambda inner: self.values_of(inner, kept, thing, met))
        mask, value = self.w.fresh.temp("m"), self.w.fresh.temp("v")
        x.set(mask, 0)
        x.emit(m.For((value,), m.Bounded(values, kept.values), [m.Change(m.Var(mask), "|=", self.word(kept, m.Var(value)))]))
        held = m.Var(mask) if among is None else b.op(x.of(among), "&", mask)
        return Narrowed(held, tuple(met), left)

    def of_data(self, condition: core.Expr, thing: Local) -> bool:
        """Whether a condition speaks of the thing, and only of what data say."""
        return thing in locals_of(condition) and only_data(self.w, condition)

    def values_of(self, x: Expressions, kept: Sorted, thing: Local, met: Sequence[core.Expr]) -> m.Expr:
        """The numbers of the things that meet conditions."""
        x.env[thing] = m.Var("v")
        x.set("l", m.Lst())
        depth = x.code.depth
        x.code.enter(m.For(("v",), b.call("range", kept.values)))
        for condition in met:
            x.code.enter(m.If(x.of(condition)))
        x.emit(m.Do(b.ask("l", "append", "v")))
        x.code.depth = depth
        return b.call("tuple", "l")

    def divided(self, x: Expressions, node: core.Fold) -> m.Expr | None:
        """`set(d in Direction, cell in step(start, d) where held[cell] != player: cell)`: the cells that data give, from a table, and of
        those the ones in a mask."""
        last = node.gens[-1].local
        value = node.value if node.value is not None else core.Read(node.at, last.type, last)
        if not isinstance(value, core.Read) or any(gen.number is not None for gen in node.gens):
            return None
        taken = next((gen for gen in node.gens if gen.local is value.local), None)
        bound = {gen.local for gen in node.gens}
        met = [(one, kept) for c in node.where if taken is not None and (one := self.asked(taken, c)) is not None
               and not bound & locals_of(one.value) and (kept := self.of(one.state)) is not None]
        rest = [c for c in node.where if c not in [one.condition for one, _ in met]]
        data = [*rest, *(gen.source for gen in node.gens)]
        names = [local for local in outer(*data) if local not in bound]
        if not met or not only_data(self.w, *data) or size(self.w, names) is None:
            return None
        self.say(node.at, "from a table and", [one.state for one, _ in met])
        cells = core.Fold(node.at, node.type, node.kind, node.gens, tuple(rest), node.value)
        mask = worked_out(x, value.local.name, names, lambda inner: inner.of(cells))
        for one, kept in met:
            mask = self.among(x, mask, one, kept)
        return mask

    def along(self, x: Expressions, node: core.Fold) -> m.Expr | None:
        """`first(c in ray(cell, d) where held[c] != none)`: of the cells on the ray, which are a mask here, those that hold what is asked;
        the nearest is the lowest of them where the ray leads upwards, else the highest. None where it is not like that."""
        match node.gens, node.value:
            case [core.Gen(source=core.Prim(op="ray", args=(start, way)), number=None, local=cell) as gen], None:
                pass
            case _:
                return None
        board = self.w.program.model.enums[cell.type.name].board if isinstance(cell.type, Of) else None
        if board is None or board.open or not node.where:
            return None
        rays = [ray for row in board.rays for ray in row]
        upwards = tuple(int(ray == tuple(sorted(ray))) for ray in rays)
        if not all(up or ray == tuple(sorted(ray, reverse=True)) for ray, up in zip(rays, upwards)):
            return None
        asked = [self.asked(gen, condition) for condition in node.where]
        met = [(one, kept) for one in asked
               if one is not None and cell not in reads(x, one.value) and (kept := self.of(one.state)) is not None]
        if len(met) < len(node.where):
            return None
        self.say(node.at, "read from", [one.state for one, _ in met])
        at = x.temp(b.op(b.op(x.of(start), "*", len(board.directions)), "+", x.of(way)), "i")
        mask = b.entry(x.const(tuple(map(b.mask, rays))), at)
        for one, kept in met:
            mask = self.among(x, mask, one, kept)
        held = x.temp(mask, "m")
        return m.Choice(b.entry(x.const(upwards), at), b.lowest(held), b.highest(held))

    def asked(self, gen: core.Gen, condition: core.Expr) -> Asked | None:
        """What a condition asks of the cell that `gen` binds; None where it asks something else."""
        match condition:
            case core.Prim(op="not", args=(inside,)):
                found = self.asked(gen, inside)
                return replace(found, condition=condition, held=not found.held) if found is not None else None
            case core.Prim(op="==" | "!=" as op, args=(core.Load(state=name, index=(core.Read(local=local),)), wanted)):
                pass
            case core.Prim(op="==" | "!=" as op, args=(wanted, core.Load(state=name, index=(core.Read(local=local),)))):
                pass
            case _:
                return None
        state = self.w.program.states[name]
        if local is not gen.local or isinstance(wanted.type, Maybe) and not isinstance(state.type, Maybe):
            return None
        return Asked(condition, state, local, wanted, op == "==")

    def of(self, state: State, width: int = 1) -> Sorted | None:
        """The masks of a state; None where it is not kept so. `width`: how far apart the members are to be."""
        if width > 1:
            plain, found = self.of(state), self.wider.setdefault(state, {})
            if plain is not None and width not in found:
                found[width] = self.made(state, plain.values, width)
            return found.get(width)
        if state in self.states or state not in self.sought:
            return self.states.get(state)
        inner = state.type.of if isinstance(state.type, Maybe) else state.type
        if self.w.layout.cells[state].form != "plain" or len(state.axes) != 1 or not isinstance(inner, Of):
            return None
        values = self.w.program.model.enum_of(inner.name)
        domain = self.w.program.model.enums[state.axes[0][1]]
        least = FEW if self.w.uncut else FEWEST
        if values is None or values.kind == "open" or domain.kind == "open" or len(values) > MOST or len(domain) < least:
            return None
        kept = self.states[state] = self.made(state, len(values), 1)
        return kept

    def made(self, state: State, values: int, width: int) -> Sorted:
        """New masks of a state, and the function that works them out."""
        kept = Sorted(len(self.builds), values, self.w.fresh.function("k", f"{state.name}_holders"), width)
        self.builds += [kept.build, *[""] * values]
        size = len(self.w.program.model.enums[state.axes[0][1]])
        code = Code(kept.build)
        code.emit(m.Put(tuple(m.Kept(kept.first + n) for n in range(kept.values + 1)), m.Num(0)))
        with code.inside(m.For(("c",), b.call("range", size))):
            held = b.get(b.op(self.w.layout.cells[state].base, "+", "c"))
            code.emit(m.Change(self.word(kept, held), "|=", bit_of(m.Var("c"), width)))
        code.emit(m.Return(b.get(m.Kept(kept.first))))
        self.w.functions.append(code)
        return kept

    def word(self, kept: Sorted, value: m.Expr) -> m.Get:
        """The mask of the members that hold a value."""
        if isinstance(value, m.Num):
            return b.get(m.Kept(kept.first + 1 + value.value))
        return b.get(b.op(m.Kept(kept.first + 1), "+", value))

    # ------------------------------------------------------------ writing

    def before_write(self, state: State, writing: m.Writing) -> m.Body:
        return [m.Set(("was",), b.get(writing.address))] if state in self.states and writing.was is None else []

    def after_write(self, state: State, written: m.Written, lasting: Collection[int]) -> m.Body:
        """One bit goes from one mask to another; where both are the same it goes twice, and stays. `lasting`: what is always there."""
        was, value = written.was or m.Var("was"), written.value or b.get(written.address)
        if self.w.uncut and all(kept.first in lasting for kept in self.all_of(state)):
            return self.moved_uncut(state, written.index, was, value)
        found: m.Body = []
        for kept in self.all_of(state):
            moved: m.Body = [m.Set(("m",), bit_of(written.index, kept.width))]
            moved += [m.Change(self.word(kept, one), "^=", m.Var("m")) for one in (was, value)]
            found += moved if kept.first in lasting else [m.If(b.op(b.get(m.Kept(kept.first)), "is not", m.Nil()), moved)]
        return found

    def moved_uncut(self, state: State, index: m.Expr, *values: m.Expr) -> m.Body:
        """The same in a simulation: a bit is found in a table more quickly than made, and few values are told apart, so that its masks
        are words by their numbers."""
        kept, size = self.all_of(state), len(self.w.program.model.enums[state.axes[0][1]])
        bits = {one: "m" if one.width == 1 else f"{'m' * one.width}m" for one in kept}
        found: m.Body = []
        for one, bit in bits.items():
            table = self.w.constant(tuple(1 << n * one.width for n in range(size)))
            found.append(m.Set((bit,), bit_of(index, one.width) if isinstance(index, m.Num) else b.entry(table, index)))

        def move(value: m.Expr) -> m.Body:
            return [m.Change(self.word(one, value), "^=", m.Var(bit)) for one, bit in bits.items()]

        for value in values if kept else ():
            many = kept[0].values
            if many > 2 or isinstance(value, m.Num):
                found += move(value)
                continue
            steps = move(m.Num(many - 1))
            for number in range(many - 2, -2, -1):
                steps = [m.If(b.op(value, "==", number), move(m.Num(number)), steps)]
            found += steps
        return found

    def as_empty(self, mask: m.Expr) -> m.Expr:
        """A kept mask that is empty when this one is: one with room between the members where there is one, so that fewer are mended."""
        match mask:
            case m.Get(at=m.Kept(number=number)):
                for state, wider in self.wider.items():
                    plain = self.states[state]
                    if wider and plain.first <= number <= plain.first + plain.values:
                        return b.get(m.Kept(next(iter(wider.values())).first + number - plain.first))
        return mask

    def forget(self, state: State) -> m.Body:
        return [b.put(m.Kept(kept.first), m.Nil()) for kept in self.all_of(state)]

    def all_of(self, state: State) -> list[Sorted]:
        """All masks of a state, the plain ones last."""
        return [*self.wider.get(state, {}).values(), *([self.states[state]] if state in self.states else [])]


def bit_of(member: m.Expr, width: int) -> m.Expr:
    """The mask with one member, where each is so many bits from the next."""
    return b.bit(member if width == 1 else b.op(member, "*", width))
