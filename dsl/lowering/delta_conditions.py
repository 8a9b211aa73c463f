"""Looking again only at what a write can have changed.

`rounds ... until any(row in rows where all(cell in row: state[cell] == who))` was false before the go. If the go wrote one entry,
`state[i] = v`, the condition can only have become true for the rows that hold `i`, and only for `who == v`. The same holds for
`any(cell in Cell where state[cell] == who and ...)`: only for `cell == i`. What does not fit these shapes is looked at in full.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..analysis.cost import INLINED
from ..core import nodes as core
from ..core.nodes import Local
from ..core.program import Routine
from ..core.walk import children, conjuncts, walk
from ..ir import builder as b
from ..ir import nodes as m
from ..types.types import Int, ListOf, Maybe, Of
from .protocols import Procedure, Sorted

WINDOW = 8           # cells in which rows are looked at together: each of the sets of these is in a table at most
Plan = Callable[[str], None]                                       # writes steps that set a variable


@dataclass
class Disjunct:
    """`any(gens where conditions)`, flattened: nested folds and small defs opened up. `names` says what a parameter stands for."""

    gens: list[core.Gen]
    conditions: list[core.Expr]
    names: dict[Local, core.Expr]


class Facts:
    """What the body of one go wrote, for the `until` that follows it."""

    def __init__(self, routine: Procedure, node: core.Rounds) -> None:
        self.r, self.x = routine, routine.x
        self.node = node
        self.written: dict[str, list[tuple[m.Expr, m.Expr | None]]] = {}     # state -> (index, value or None for none)
        self.top = set(node.body)
        self.sites: dict[str, int] = {}
        self.code: Any = None
        for inside in walk(node.body):
            for state in routine.w.written_by(inside):
                self.sites[state] = self.sites.get(state, 0) + 1

    def note(self, node: core.Store) -> None:
        """An assignment was compiled: remember it when it is a plain `state[local] = local` at the top of the body."""
        if node not in self.top or node.op != "=":
            return
        match node.target:
            case core.Load(state=state, index=(core.Read(local=at) as index,)) if not at.mutable:
                pass
            case _:
                return
        value: m.Expr | None = None
        if isinstance(node.value, core.Read) or isinstance(node.value, core.Const) and isinstance(node.value.type, Of):
            if isinstance(node.value.type, Maybe):
                return
            value = self.x.of(node.value)
        elif not isinstance(node.value, core.Nothing):
            return
        self.written.setdefault(state, []).append((self.x.of(index), value))
        self.code = self.x.code

    def known(self, state: str) -> list[tuple[m.Expr, m.Expr | None]] | None:
        """All that the body wrote of a state, when all of it is known."""
        found = self.written.get(state, [])
        if self.code is not self.x.code:                           # written before a later decision: its names are gone
            return None
        return found if len(found) == self.sites.get(state, 0) else None

    def false_at_first(self, routine: Routine) -> bool:
        """Whether `until` cannot hold before the first go of the game: it asks for things in states that are still empty."""
        parts = self.disjuncts(self.node.until, {}) if self.node.until is not None else None
        if parts is None:
            return False
        before: set[str] = set()
        for statement in routine.body:
            if statement is self.node:
                break
            for inside in walk(statement):
                before.update(self.r.w.written_by(inside))
        for part in parts:
            shapes = [self.equals(c.value if isinstance(c, core.Fold) and c.kind == "all" else c, part.names) for c in part.conditions]
            states = [self.r.w.program.states[shape[0]] for shape in shapes if shape is not None]
            empty = [
                s
                for s in states
                if isinstance(s.type, Maybe) and s.name not in before and s.start is None and s.name not in self.x.model.start
            ]
            if not empty:
                return False
            rows = [c for c, shape in zip(part.conditions, shapes) if shape is not None and isinstance(c, core.Fold)]
            if rows and not all(isinstance(c.gens[0].source, core.Read) for c in rows):
                return False
        return True

    # ------------------------------------------------------------ the condition

    def until(self) -> m.Expr:
        """A condition, after the steps it needs, that is true when `until` holds now and did not hold before the go."""
        node = self.node.until
        assert node is not None
        parts = self.disjuncts(node, {})
        name = self.r.w.fresh.temp("b")
        plans = [self.plan(part) for part in parts or ()]
        if parts is None or all(plan is None for plan in plans):
            self.r.w.tell(node.at, "an end asked in full after each go")
            return self.x.of(node)
        some = "" if None not in plans else f" in {len(plans) - plans.count(None)} of {len(plans)} ways"
        self.r.w.tell(node.at, f"an end asked only for what the last go wrote{some}")
        self.x.set(name, False)
        for n, (part, plan) in enumerate(zip(parts, plans)):
            if n:
                self.x.code.enter(m.If(b.no(name)))
            if plan is None:
                self.whole(part, name)
            else:
                plan(name)
            if n:
                self.x.code.depth -= 1
        return m.Var(name)

    def whole(self, part: Disjunct, name: str) -> None:
        saved = dict(self.x.env)
        self.bind(part.names)
        self.x.set(name, self.x.exists(part.gens, list(part.conditions)))
        self.x.env, self.x.aliases = saved, {}

    def bind(self, names: dict[Local, core.Expr]) -> None:
        """Parameters that stand for other names are read through them."""
        for local in names:
            root = self.root(local, names)
            self.x.aliases[local] = root
            known = self.x.env.get(root)
            self.x.env[local] = known if isinstance(known, m.Num) else m.Var(self.x.w.fresh.local(root))

    def root(self, local: Local, names: dict[Local, core.Expr]) -> Local:
        while local in names:
            found = names[local]
            if not isinstance(found, core.Read):
                return local
            local = found.local
        return local

    def disjuncts(self, node: core.Expr, names: dict[Local, core.Expr]) -> list[Disjunct] | None:
        """The alternatives of a condition, or None when it has another shape."""
        match node:
            case core.Prim(op="or", args=(left, right)):
                one, two = self.disjuncts(left, names), self.disjuncts(right, names)
                return None if one is None or two is None else one + two
            case core.Ask(case=None, bare=False, args=args):
                family = self.r.w.program.families[node.family]
                routine = family.default
                if routine is None or routine.value is None or family.domain or not all(isinstance(a, core.Read) for a in args):
                    return None
                if self.r.w.facts.sizes[routine] > INLINED:
                    return [Disjunct([], [node], names)]
                return self.disjuncts(routine.value, names | dict(zip(routine.params, args)))
            case core.Fold(kind="any", gens=gens):
                conditions = [*node.where, *conjuncts(node.value)]
                inner = [c for c in conditions if self.opens(c)]
                if len(inner) != 1:
                    return [Disjunct(list(gens), conditions, names)]
                rest = [c for c in conditions if c is not inner[0]]
                parts = self.disjuncts(inner[0], names)
                if parts is None:
                    return [Disjunct(list(gens), conditions, names)]
                return [Disjunct([*gens, *part.gens], rest + part.conditions, part.names) for part in parts]
            case core.Prim(op="in" | "not in" | ".."):
                return None
            case core.Prim() | core.Fold() | core.Occupied() | core.Ask(bare=False):
                return [Disjunct([], [node], names)]
        return None

    def opens(self, node: core.Expr) -> bool:
        """Whether a condition is itself a choice of alternatives."""
        match node:
            case core.Fold(kind=kind):
                return kind == "any"
            case core.Prim(op=op):
                return op == "or"
            case core.Ask(family=name, bare=False):
                routine = self.r.w.program.families[name].default
                return routine is not None and routine.value is not None and self.opens(routine.value)
        return False

    # ------------------------------------------------------------ plans

    def plan(self, part: Disjunct) -> Plan | None:
        """How to look at one alternative again with little work, or None."""
        for condition in part.conditions:
            if isinstance(condition, core.Fold) and condition.kind == "all":
                found = self.rows(part, condition)
                if found is not None:
                    return found
            found = self.cell(part, condition)
            if found is not None:
                return found
        return self.holder(part)

    def equals(self, node: core.Expr | None, names: dict[Local, core.Expr]) -> tuple[str, Local, Local] | None:
        """`state[cell] == who` over locals: (state, cell, who)."""
        match node:
            case core.Prim(op="==", args=(core.Load(state=state, index=(core.Read(local=index),)), core.Read(local=local) as who)):
                return None if isinstance(who.type, Maybe) else (state, self.root(index, names), self.root(local, names))
        return None

    def rows(self, part: Disjunct, condition: core.Fold) -> Plan | None:
        """any(who in Players, row in lines(n) where all(cell in row: state[cell] == who))"""
        if len(part.conditions) != 1 or condition.where or len(condition.gens) != 1 or len(part.gens) != 2:
            return None
        shape = self.equals(condition.value, part.names)
        cell = condition.gens[0]
        who_gen = next((gen for gen in part.gens if isinstance(gen.source, core.Whole)), None)
        row_gen = next((gen for gen in part.gens if gen is not who_gen), None)
        if shape is None or who_gen is None or row_gen is None:
            return None
        state, index, who = shape
        source = row_gen.source
        if not (isinstance(source, core.Prim) and source.op == "lines" and isinstance(source.type, ListOf)):
            return None
        if (
            index is not cell.local
            or who is not who_gen.local
            or not isinstance(cell.source, core.Read)
            or cell.source.local is not row_gen.local
        ):
            return None
        written = self.known(state)
        if not written or len([w for w in written if w[1] is not None]) != 1:
            return None
        at, held = next((at, value) for at, value in written if value is not None)
        board = next(board for board in self.x.model.boards.values() if not board.open)
        length = source.args[0].type.low if isinstance(source.args[0].type, Int) else None
        assert length is not None
        runs = board.lines(length)
        if not runs:
            return None
        through_of: list[list[tuple[int, ...]]] = [[] for _ in board.cells]
        for run in runs:
            for n in run:
                through_of[n].append(run)
        kept = self.r.w.upkeep.holders.of(self.r.w.program.states[state])
        if kept is not None:
            masks = {run: b.mask(run) for run in runs}
            return self.masked_rows(kept, tuple(tuple(masks[run] for run in of) for of in through_of), at, held)
        through = tuple(grouped([tuple(c for c in run if c != n) for run in of]) for n, of in enumerate(through_of))
        if length == 3:                                            # one cell is left of each row: a number, not a row of one
            through = tuple(tuple((cell, tuple(row[0] for row in rows)) for cell, rows in of) for of in through)
        base = self.r.w.layout.cells[self.r.w.program.states[state]].base

        def write(name: str) -> None:
            x = self.x
            others = tuple(f"c{n}" for n in range(length - 2))
            found: m.Body = [m.Set((name,), m.Flag(True)), m.Break()]
            same = [b.op(b.get(b.op(base, "+", other)), "==", held) for other in others]
            inner: m.Body = found if length == 2 else [m.For(others or ("_",), m.Var("rows"), [m.If(b.both(same), found)])]
            first = b.op(b.get(b.op(base, "+", "c")), "==", held)
            x.emit(m.For(("c", "rows"), b.entry(x.const(through), at), [m.If(first, inner)]))

        return write

    def masked_rows(self, kept: Sorted, through: tuple[tuple[int, ...], ...], at: m.Expr, held: m.Expr) -> Plan:
        """Whether one of the rows that hold the entry lies in what its new holder holds."""
        def write(name: str) -> None:
            x = self.x
            x.emit(m.Recall(None, m.Kept(kept.first), m.Function(kept.build)))
            mask = m.Var(x.w.fresh.temp("m"))
            x.set(mask.name, self.r.w.upkeep.holders.word(kept, held))
            inside = b.op(b.op("l", "&", mask), "==", "l")
            wide = windows(through) if x.w.uncut else through
            if sum(map(len, wide)) < sum(map(len, through)):       # fewer to look at, each in a table of what may lie in it
                test = m.If(b.op(b.op(mask, "&", "l"), "in", "t"), [m.Set((name,), m.Flag(True)), m.Break()])
                x.emit(m.For(("l", "t"), b.entry(x.const(wide), at), [test]))
                return
            if x.w.uncut:                                          # Python sees more quickly that nothing is left
                x.set(mask.name, b.op((1 << len(through)) - 1, "^", mask))
                inside = b.no(b.op("l", "&", mask))
            x.emit(m.For(("l",), b.entry(x.const(through), at), [m.If(inside, [m.Set((name,), m.Flag(True)), m.Break()])]))

        return write

    def cell(self, part: Disjunct, condition: core.Expr) -> Plan | None:
        """any(who in Players, cell in Cells where state[cell] == who and ...)"""
        shape = self.equals(condition, part.names)
        if shape is None:
            return None
        state, index, who = shape
        if {gen.local for gen in part.gens} != {index, who} or not all(isinstance(gen.source, core.Whole) for gen in part.gens):
            return None
        rest = [c for c in part.conditions if c is not condition]
        if any(isinstance(node, core.Load | core.Occupied | core.Ask | core.After) for node in walk(rest)):
            return None
        written = self.known(state)
        if not written or len([w for w in written if w[1] is not None]) != 1:
            return None
        at, held = next((at, value) for at, value in written if value is not None)

        def write(name: str) -> None:
            saved = dict(self.x.env)
            self.x.env[index], self.x.env[who] = at, held
            for local in part.names:
                root = self.root(local, part.names)
                if root in (index, who):
                    self.x.env[local] = self.x.env[root]
            tests = [self.x.of(c) for c in rest]
            self.x.set(name, b.both(tests))
            self.x.env = saved

        return write

    def holder(self, part: Disjunct) -> Plan | None:
        """any(who in Players, ... where ...), in which what was written is only looked at as `state[...] == who`: it can only have become
        true for who holds the entry now, where nobody held it before."""
        whos = [gen for gen in part.gens if isinstance(gen.source, core.Whole)]
        written = [state for state in self.sites if self.looks(part, state)]
        if not whos or len(written) != 1:
            return None
        who, state = whos[0].local, written[0]
        entries = self.known(state)
        trees = [*part.conditions, *(gen.source for gen in part.gens if gen is not whos[0])]
        if not entries or len(entries) != 1 or entries[0][1] is None or not self.was_empty(state):
            return None
        whose = {who, *(local for local in part.names if self.root(local, part.names) is who)}
        if not all(self.only_whose(tree, state, whose) for tree in trees):
            return None
        held = entries[0][1]
        rest = Disjunct([gen for gen in part.gens if gen is not whos[0]], part.conditions, part.names)

        def write(name: str) -> None:
            saved = dict(self.x.env)
            self.x.env[who] = held
            if not isinstance(held, m.Num):
                variable = self.r.w.fresh.local(who)
                self.x.set(variable, held)
                self.x.env[who] = m.Var(variable)
            self.whole(rest, name)
            self.x.env = saved

        return write

    def looks(self, part: Disjunct, state: str) -> bool:
        """Whether an alternative looks at a state, through the defs that it asks too."""
        trees = [*part.conditions, *(gen.source for gen in part.gens)]
        return state in self.r.w.effect_of(trees).reads

    def was_empty(self, state: str) -> bool:
        """Whether the one entry that the body writes held nothing before: it was chosen so."""
        choices = [node for node in self.node.body if isinstance(node, core.Choose)]
        stores = [node for node in self.node.body if isinstance(node, core.Store) and isinstance(node.target, core.Load)]
        places = [node.target.index for node in stores if isinstance(node.target, core.Load) and node.target.state == state]
        if len(choices) != 1 or len(places) != 1 or len(choices[0].ways) != 1 or choices[0].how is not None:
            return False
        for condition in choices[0].ways[0].where:
            match condition:
                case core.Prim(op="==", args=(core.Load(state=name, index=(core.Read(local=looked),)), core.Nothing())) if name == state:
                    match places[0]:
                        case (core.Read(local=put),) if put is looked:
                            return True
        return False

    def only_whose(self, node: core.Node, state: str, whose: set[Local]) -> bool:
        """Whether a tree looks at a state in no other way than `state[...] == who`."""
        match node:
            case core.Prim(op="==", args=(core.Load(state=name, index=index), core.Read(local=local))) if name == state and local in whose:
                return all(self.only_whose(part, state, whose) for part in index)
            case core.Load(state=name) | core.Occupied(state=name) if name == state:
                return False
            case core.After():
                return False
            case core.Ask(family=name, args=args):
                family = self.r.w.program.families[name]
                asked = {param for routine in family.routines for param, given in zip(routine.params, args)
                         if isinstance(given, core.Read) and given.local in whose}
                bodies = [part for routine in family.routines for part in routine.parts]
                return all(self.only_whose(part, state, asked) for part in bodies) and all(
                    self.only_whose(part, state, whose) for part in args)
        return all(self.only_whose(part, state, whose) for part in children(node))


def grouped(rows: list[tuple[int, ...]]) -> tuple[Any, ...]:
    """Rows by a cell that many of them share, so that one look at that cell decides about all of them: (cell, rest of rows) pairs."""
    groups = []
    while rows:
        counts: dict[int, int] = {}
        for row in rows:
            for cell in row:
                counts[cell] = counts.get(cell, 0) + 1
        best = max(counts, key=lambda cell: (counts[cell], -cell))
        groups.append((best, tuple(tuple(c for c in row if c != best) for row in rows if best in row)))
        rows = [row for row in rows if best not in row]
    return tuple(groups)


def windows(through: tuple[tuple[int, ...], ...]) -> tuple[tuple[Any, ...], ...]:
    """For each cell the rows that hold it, as masks, by the cells that several lie in: (these cells, all that may lie in them with a
    whole row among it) pairs."""
    found = []
    for rows in through:
        groups: list[list[int]] = []
        for row in rows:
            fits = (group for group in groups if (joined(group) & row).bit_count() > 1 and (joined(group) | row).bit_count() <= WINDOW)
            near = next(fits, None)
            if near is None:
                groups.append([row])
            else:
                near.append(row)
        found.append(tuple((joined(group), frozenset(held for held in parts_of(joined(group)) if any(held & row == row for row in group)))
                           for group in groups))
    return tuple(found)


def joined(rows: list[int]) -> int:
    """The cells of several rows."""
    found = 0
    for row in rows:
        found |= row
    return found


def parts_of(mask: int) -> Iterator[int]:
    """All sets of members of a set."""
    part = mask
    while part:
        yield part
        part = (part - 1) & mask
    yield 0
