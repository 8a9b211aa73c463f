"""Sets that are kept up to date instead of being built again.

`set(cell in Cell where state[cell] == none and rests(cell))` is a mask. When the condition reads states only at places that follow
from the cell itself (the cell, a neighbour, a corner), a write to `state[i]` can only change the bits of a few cells, known
beforehand. So the mask lies in the position as a remembered value: the first reader computes it, each write mends it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..check.builtins import BUILTINS
from ..core import nodes as core
from ..core.nodes import Local
from ..core.program import State
from ..ir import builder as b
from ..ir import nodes as m
from ..ir.builder import Code
from ..types.types import Of
from .incremental_flood import Growing
from .protocols import Asked, Expressions, Writer
from .value_index import Holders

Relation = list[tuple[int, ...]]  # for each member of the domain, the members that are looked at
INLINE_LINES = 14
FOLLOWED = ("row", "column", "position", "distance", "span", "ray", "between")              # built-ins that read no state
MAX_TOUCHED = 24  # cells that one write may concern on average; above, build anew


@dataclass
class Kept:
    """One mask: its number, the states it reads with the cells each write concerns, and how single bits are worked out."""

    number: int
    size: int
    touched: dict[State, Relation]
    update: dict[State, str] = field(default_factory=dict)  # name of the function (s, mask, index) -> mask
    build: str = ""
    # where only who holds what is looked at: tables of the members that stay as they are and of those that are looked at, by the index, and
    # what is asked of these
    moved: dict[State, tuple[m.Expr, m.Expr, list[Asked]]] = field(default_factory=dict)
    vacated: dict[State, str] = field(default_factory=dict)  # states where a thing put down clears the cell's own bit, and who
    # looks at the other cells then


class Upkeep:
    """All kept sets of a module."""

    def __init__(self, writer: Writer) -> None:
        self.w = writer
        self.sets: list[Kept] = []
        self.builds: list[str] = []                               # for each word of what is kept, who works it out ("": with one before)
        self.holders = Holders(writer, self.builds)
        self.growing = Growing(writer, self.builds, self.holders)
        self.listed: dict[State, str] = {}                         # uncut: the variable of the game with a list of those who hold nothing
        self.known: dict[object, Kept | None] = {}
        self.why: core.Span | None = None                         # what the last set that was looked at depends on
        self.followed: dict[tuple[object, ...], bool] = {}         # while one set is looked at: the defs that were followed, with what
        self.lasting: set[int] = set()                            # sets that nothing ever makes forget, see module.assemble
        self.inline: dict[str, tuple[m.Expr, m.Body]] = {}        # short updaters, written where they are needed: their cells, what is done

    def mask(self, x: Expressions, gen: core.Gen, conditions: Sequence[core.Expr]) -> m.Expr | None:
        """A variable with the mask of the members of `gen`'s domain that meet `conditions`; None when it cannot be kept."""
        if not isinstance(gen.source, core.Whole) or not conditions or gen.number is not None:
            return None
        kept = self.find(gen, conditions)
        if kept is None:
            if self.why is not None:
                place = f"{self.why.line}:{self.why.column}"
                self.w.tell(gen.at, f"worked out each time: what stands at {place} does not follow from {gen.local.name}")
            return None
        self.w.tell(gen.at, f"kept, and mended when something is written to {', '.join(state.name for state in kept.touched)}")
        name = self.w.fresh.temp("m")
        x.emit(m.Recall(name, m.Kept(kept.number), m.Function(kept.build)))
        return m.Var(name)

    def possible(self, gen: core.Gen, conditions: Sequence[core.Expr]) -> bool:
        """Whether this set can be kept."""
        return isinstance(gen.source, core.Whole) and bool(conditions) and self.find(gen, conditions) is not None

    def find(self, gen: core.Gen, conditions: Sequence[core.Expr]) -> Kept | None:
        assert isinstance(gen.source, core.Whole)
        self.why = None
        if self.holders.instead(gen, conditions):
            return None
        size = len(self.w.program.model.enums[gen.source.domain])
        touched: dict[State, Relation] = {}
        own: Relation = [(n,) for n in range(size)]
        self.followed = {}
        for condition in conditions:
            if not self.footprint(condition, {gen.local: own}, touched):
                self.why = condition.at
                return None
        if not touched or any(sum(map(len, r)) > MAX_TOUCHED * max(1, len(r)) for r in touched.values()):
            return None
        key = self.key(gen, gen.source.domain, conditions)
        if key not in self.known:
            self.known[key] = self.make(gen, conditions, size, touched)
        return self.known[key]

    def key(self, gen: core.Gen, domain: str, conditions: Sequence[core.Expr]) -> object:
        """The conditions as the machine sees them over a cell called `c`: the same set is kept once, wherever it is asked for."""
        code = Code("probe")
        x = self.w.expressions(code)
        x.env[gen.local] = m.Var("c")
        count = self.w.fresh.count
        found = [x.of(condition) for condition in conditions]
        self.w.fresh.count = count
        return domain, repr(without_origins(code.body)), tuple(found)

    # ------------------------------------------------------------ what a condition looks at

    def footprint(self, node: core.Expr, names: dict[Local, Relation], touched: dict[State, Relation]) -> bool:
        """Collect what `node` reads; False when it depends on something that does not follow from the cell."""
        match node:
            case core.Fold(kind="any" | "all" | "count", gens=gens, where=where, value=value):
                inner = dict(names)
                for gen in gens:
                    relation = self.relation(gen.source, inner)
                    if relation is None or gen.number is not None:
                        return False
                    inner[gen.local] = relation
                return all(self.footprint(part, inner, touched) for part in (*where, *([value] if value is not None else [])))
            case core.Load():
                return self.entry(node, names, touched)
            case core.Ask(bare=False):
                return self.asked(node, names, touched)
            case core.Read(local=local):
                return local in names
            case core.Attribute(thing=thing):
                return self.footprint(thing, names, touched)
            case core.Const() | core.Number() | core.OwnNumber() | core.Setting() | core.Nothing() | core.Whole():
                return True
            case core.Prim(op="in" | "not in" | ".."):
                return False
            case core.Prim(op=op, args=args) if op in FOLLOWED or op not in BUILTINS:
                return all(self.footprint(part, names, touched) for part in args)
        return False

    def entry(self, node: core.Load, names: dict[Local, Relation], touched: dict[State, Relation]) -> bool:
        state = self.w.program.states[node.state]
        if len(node.index) != 1 or self.w.layout.cells[state].form != "plain":
            return False
        relation = self.relation(node.index[0], names)
        if relation is None:
            return False
        size = len(self.w.program.model.enums[state.axes[0][1]])
        inverse = touched.setdefault(state, [() for _ in range(size)])
        for cell, seen in enumerate(relation):
            for index in seen:
                if cell not in inverse[index]:
                    inverse[index] = (*inverse[index], cell)
        return True

    def asked(self, node: core.Ask, names: dict[Local, Relation], touched: dict[State, Relation]) -> bool:
        family = self.w.program.families[node.family]
        routine = family.default
        if family.domain or routine is None or routine.value is None:
            return False
        inner: dict[Local, Relation] = {}
        for param, argument in zip(routine.params, node.args):
            relation = self.relation(argument, names)
            if relation is None:
                return False
            inner[param] = relation
        case = (routine, *(tuple(relation) for relation in inner.values()))      # a def that many ask with the same is followed once
        if case not in self.followed:
            self.followed[case] = self.footprint(routine.value, inner, touched)
        return self.followed[case]

    def relation(self, node: core.Expr, names: dict[Local, Relation]) -> Relation | None:
        """What members an expression may stand for, by the cell it starts from."""
        if isinstance(node, core.Read):
            return names.get(node.local)
        if not isinstance(node, core.Prim) or node.op not in BUILTINS:
            return None
        start = self.relation(node.args[0], names)
        found = node.args[0].type
        if start is None or not isinstance(found, Of):
            return None
        board = self.w.program.model.enums[found.name].board
        if board is None or board.open:
            return None
        if node.op in ("near", "corners", "touching"):
            table = getattr(board, node.op)
            return [tuple({n for cell in seen for n in table[cell]}) for seen in start]
        if node.op == "step" and isinstance(node.args[1], core.Const):
            direction = node.args[1].value
            return [tuple(board.step[cell][direction] for cell in seen if board.step[cell][direction] >= 0) for seen in start]
        return None

    # ------------------------------------------------------------ code

    def make(self, gen: core.Gen, conditions: Sequence[core.Expr], size: int, touched: dict[State, Relation]) -> Kept:
        kept = Kept(len(self.builds), size, touched)
        self.sets.append(kept)
        kept.build = self.w.fresh.function("k", gen.local.name)
        self.builds.append(kept.build)
        build = Code(kept.build)
        build.emit(m.Set(("m",), m.Num(0)))
        one = b.bit("c")
        with build.inside(m.For(("c",), b.call("range", size))):
            self.test(build, gen, conditions, m.Change(m.Var("m"), "|=", one), None)
        build.emit(m.Return(m.Var("m")))
        self.w.functions.append(build)
        for state, relation in touched.items():
            name = kept.update[state] = self.w.fresh.function("k", f"{gen.local.name}_{state.name}")
            self.updater(name, gen, conditions, tuple(relation))
            if not any(self.asks_vacant(c, state, gen.local) for c in conditions):
                continue
            others = tuple(tuple(c for c in cells if c != index) for index, cells in enumerate(relation))
            kept.vacated[state] = "" if not any(others) else self.w.fresh.function("k", f"{gen.local.name}_{state.name}_gone")
            if any(others):
                rest = [c for c in conditions if not self.made_true(c, state, gen, others)]
                self.updater(kept.vacated[state], gen, rest, others)
                asked = [self.holders.asked(gen, c) for c in rest]
                known = [one for one in asked if one is not None and one.held and isinstance(one.value, core.Nothing | core.Const)]
                if self.w.uncut and len(known) == len(asked) and all(self.holders.of(one.state) is not None for one in known):
                    looked = tuple(b.mask(cells) for cells in others)
                    stay = tuple((1 << size) - 1 & ~(mask | 1 << index) for index, mask in enumerate(looked))
                    kept.moved[state] = self.w.constant(stay), self.w.constant(looked), known
        return kept

    def made_true(self, node: core.Expr, state: State, gen: core.Gen, others: tuple[Any, ...]) -> bool:
        """Whether putting a thing down at i makes `node` true for every cell that this concerns: `all(b in step(cell, d): state[b] !=
        none)`, when the one place that it looks at is i."""
        names: dict[Local, Relation] = {gen.local: [(n,) for n in range(len(others))]}
        while isinstance(node, core.Ask) and not node.bare and self.w.program.families[node.family].default is not None:
            routine = self.w.program.families[node.family].default
            assert routine is not None
            found = [r for r in (self.relation(a, names) for a in node.args) if r is not None]
            if routine.value is None or len(found) < len(routine.params):
                return False
            names = dict(zip(routine.params, found))
            node = routine.value
        match node:
            case core.Fold(kind="all", where=(), gens=(inner,), value=core.Prim(
                    op="!=", args=(core.Load(state=name, index=(core.Read(local=looked), )), core.Nothing()))):
                relation = self.relation(inner.source, names)
                if relation is None or any(len(seen) > 1 for seen in relation) or name != state.name or looked is not inner.local:
                    return False
                return all(relation[cell] == (i,) for i, cells in enumerate(others) for cell in cells)
        return False

    def updater(self, name: str, gen: core.Gen, conditions: Sequence[core.Expr], cells: tuple[Any, ...]) -> None:
        """A function (s, mask, index) -> mask that looks at the cells that a write at this index concerns."""
        code = Code(name, ("s", "m", "i"))
        one = b.bit("c")
        table = self.w.constant(cells)
        loop = m.For(("c",), b.entry(table, "i"))
        with code.inside(loop):
            self.test(code, gen, conditions, m.Change(m.Var("m"), "|=", one), m.Change(m.Var("m"), "&=", m.Un("~", one)))
        if lines([loop]) - 2 <= INLINE_LINES:
            self.inline[name] = table, loop.body
        code.emit(m.Return(m.Var("m")))
        self.w.functions.append(code)

    def test(self, code: Code, gen: core.Gen, conditions: Sequence[core.Expr], yes: m.Stmt, no: m.Stmt | None) -> None:
        x = self.w.expressions(code)
        x.inline_all = True
        x.env[gen.local] = m.Var("c")
        depth = code.depth
        value: m.Expr = m.Flag(True)
        for n, condition in enumerate(conditions):
            if n:
                x.set("b", value)
                code.enter(m.If(m.Var("b")))
            value = x.of(condition)
            if n:
                x.set("b", value)
                value = m.Var("b")
        code.depth = depth
        code.emit(m.If(value, [yes], [no] if no is not None else []))

    def asks_vacant(self, node: core.Expr, state: State, cell: Local) -> bool:
        """`state[cell] == none`"""
        match node:
            case core.Prim(op="==", args=(core.Load(state=name, index=(core.Read(local=local),)), core.Nothing())):
                return name == state.name and local is cell
        return False

    def before_write(self, state: State, writing: m.Writing) -> m.Body:
        return self.holders.before_write(state, writing)

    def unforgotten(self, forgotten: set[str]) -> set[int]:
        """The numbers of what stays once it is there; `forgotten` are the states that are sometimes written as a whole."""
        sets = {kept.number for kept in self.sets if forgotten.isdisjoint(state.name for state in kept.touched)}
        masks = {kept.first for state in self.holders.states if state.name not in forgotten for kept in self.holders.all_of(state)}
        return sets | masks | self.growing.unforgotten(forgotten)

    def after_write(self, state: State, written: m.Written) -> m.Body:
        """The steps that mend every kept set after an entry of a state was written."""
        found: m.Body = self.holders.after_write(state, written, self.lasting)
        found += self.growing.after_write(state, written, self.lasting)
        if state in self.listed:
            found += self.relisted(m.Var(self.listed[state]), written)
        mask, index, put_down = m.Var("m"), written.index, written.put_down
        for kept in self.sets:
            if state not in kept.touched:
                continue
            updater, now = kept.update[state], mask
            left: m.Expr = now
            if put_down and state in kept.vacated:                 # the cell's own bit is surely gone
                updater, left = kept.vacated[state], b.less(mask, b.bit(index))
            at = m.Kept(kept.number)
            if put_down and state in kept.moved and kept.number in self.lasting and self.all_lasting(kept.moved[state][2]):
                found.append(b.put(at, self.looked_up(b.get(at), index, *kept.moved[state])))
                continue
            sure = kept.number in self.lasting                     # the set is always there, and nobody need ask
            if not updater or updater not in self.inline:
                new = b.call(m.Function(updater), b.POSITION, left, index) if updater else left
                if sure:
                    found += [m.Set(("m",), b.get(at)), b.put(at, new)]
                else:
                    there = b.op(m.Also("m", b.get(at)), "is not", m.Nil())
                    found.append(m.If(there, [b.put(at, new)]))
                continue
            mended: m.Body = [] if left is now else [m.Set(("m",), left)]
            table, body = self.inline[updater]
            mended.append(m.For(("c",), m.At(table, index), body))
            mended.append(b.put(at, mask))
            found.append(m.Set(("m",), b.get(at)))
            found += mended if sure else [m.If(b.op("m", "is not", m.Nil()), mended)]
        return found

    def all_lasting(self, asked: list[Asked]) -> bool:
        """Whether the masks of all that is asked are always there."""
        kept = [self.holders.of(one.state) for one in asked]
        return all(one is not None and one.first in self.lasting for one in kept)

    def looked_up(self, mask: m.Expr, index: m.Expr, stay: m.Expr, looked: m.Expr, asked: list[Asked]) -> m.Expr:
        """A mask whose own bit goes, in which those that a write concerns are looked at all at once."""
        again: m.Expr = b.entry(looked, index)
        for one in asked:
            kept = self.holders.of(one.state)
            assert kept is not None
            again = b.op(again, "&", self.holders.word(kept, m.Num(one.value.value if isinstance(one.value, core.Const) else -1)))
        return b.op(b.op(mask, "&", b.entry(stay, index)), "|", again)

    def relisted(self, things: m.Expr, written: m.Written) -> m.Body:
        """The steps that take a member out of the list of those who hold nothing, or put it where it belongs."""
        was, value = written.was or m.Var("was"), written.value or b.get(written.address)
        out = b.ask(things, "pop", written.place) if written.place is not None else b.call("taken_out", things, written.index)
        put_in = b.call("put_in", things, written.index)
        nothing = m.Num(-1)
        if was == nothing and isinstance(value, m.Num):
            return [] if value == nothing else [m.Do(out)]
        return [m.If(b.op(was, "<", 0), [m.If(b.op(value, ">=", 0), [m.Do(out)])], [m.If(b.op(value, "<", 0), [m.Do(put_in)])])]

    def forget(self, state: State) -> m.Body:
        return [b.put(m.Kept(kept.number), m.Nil()) for kept in self.sets if state in kept.touched] \
            + self.holders.forget(state) + self.growing.forget(state)


def lines(body: m.Body) -> int:
    """How long steps are, written one to a line."""
    found = 0
    for node in body:
        first, *rest = m.bodies(node) or [[]]
        found += 1 + lines(first) + sum(1 + lines(other) for other in rest if other)
    return found


def without_origins(body: m.Body) -> m.Body:
    """Steps as they are, whatever rule line they come from."""
    found = [m.renewed(node, lambda part: None) for node in body]
    for node in m.steps(found):
        node.origin = None
    return found
