"""Looking again only at what a write can have changed.

`rounds ... until any(row in rows where all(cell in row: state[cell] == who))` was false before the go. If the go wrote one entry,
`state[i] = v`, the condition can only have become true for the rows that hold `i`, and only for `who == v`. The same holds for
`any(cell in Cell where state[cell] == who and ...)`: only for `cell == i`. What does not fit these shapes is looked at in full.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..check.effects import written_by
from ..check.scope import Local
from ..check.stmts import walk
from ..syntax import tree
from ..types import ListOf, Maybe

if TYPE_CHECKING:
    from .routines import RoutineWriter


@dataclass
class Disjunct:
    """`any(binders where conditions)`, flattened: nested folds and small defs opened up. `names` says what a parameter stands for."""

    binders: list[Any]
    conditions: list[tree.Expr]
    names: dict[Local, tree.Expr]


class Facts:
    """What the body of one go wrote, for the `until` that follows it."""

    def __init__(self, routine: RoutineWriter, node: tree.Rounds) -> None:
        self.r, self.x = routine, routine.x
        self.node = node
        self.written: dict[Any, list[tuple[str, str | None]]] = {}  # state -> (index, value or None for none) in Python
        self.top = set(map(id, node.body.items))
        self.sites: dict[Any, int] = {}
        self.code: Any = None
        for part in walk(node.body):
            for state in written_by(part, routine.w.program):
                self.sites[state] = self.sites.get(state, 0) + 1

    def note(self, node: tree.Assign) -> None:
        """An assignment was compiled: remember it when it is a plain `state[local] = local` at the top of the body."""
        target = node.target
        if (
            id(node) not in self.top
            or not isinstance(target, tree.At)
            or target.ref is None
            or target.ref.kind != "state"
            or str(node.op) != "="
        ):
            return
        state = target.ref.target
        indices = target.parts[1:]
        if len(indices) != 1 or not isinstance(indices[0], tree.Name) or indices[0].ref.kind != "local" or indices[0].ref.target.mutable:
            return
        value: str | None = None
        if isinstance(node.value, tree.Name) and node.value.ref.kind in ("local", "member"):
            if isinstance(node.value.type, Maybe):
                return
            value = self.x.of(node.value)
        elif not isinstance(node.value, tree.Nothing):
            return
        self.written.setdefault(state, []).append((self.x.of(indices[0]), value))
        self.code = self.x.code

    def known(self, state: Any) -> list[tuple[str, str | None]] | None:
        """All that the body wrote of a state, when all of it is known."""
        found = self.written.get(state, [])
        if self.code is not self.x.code:                           # written before a later decision: its names are gone
            return None
        return found if len(found) == self.sites.get(state, 0) else None

    def false_at_first(self, routine: Any) -> bool:
        """Whether `until` cannot hold before the first go of the game: it asks for things in states that are still empty."""
        parts = self.disjuncts(self.node.until, {}) if self.node.until is not None else None
        if parts is None:
            return False
        before = set()
        for statement in routine.body:
            if statement is self.node:
                break
            for part in walk(statement):
                before.update(written_by(part, self.r.w.program))
        for part in parts:
            shapes = [self.equals(c.value if isinstance(c, tree.Fold) and str(c.word) == "all" else c, part.names) for c in part.conditions]
            states = [shape[0] for shape in shapes if shape is not None]
            empty = [
                s
                for s in states
                if isinstance(s.type, Maybe) and s not in before and s.node.init is None and s.name not in self.x.model.start
            ]
            if not empty:
                return False
            rows = [c for c, shape in zip(part.conditions, shapes) if shape is not None and isinstance(c, tree.Fold)]
            if rows and not all(isinstance(c.binders.items[0].source, tree.Name) for c in rows):
                return False
        return True

    # ------------------------------------------------------------ the condition

    def until(self) -> str:
        """A Python condition, after the lines it needs, that is true when `until` holds now and did not hold before the go."""
        node = self.node.until
        assert node is not None
        parts = self.disjuncts(node, {})
        name = self.r.w.fresh.temp("b")
        if parts is None:
            return self.x.of(node)
        plans = [self.plan(part) for part in parts]
        if all(plan is None for plan in plans):
            return self.x.of(node)
        self.x.emit(f"{name} = False")
        for n, (part, plan) in enumerate(zip(parts, plans)):
            if n:
                self.x.emit(f"if not {name}:")
                self.x.code.depth += 1
            if plan is None:
                self.whole(part, name)
            else:
                plan(name)
            if n:
                self.x.code.depth -= 1
        return name

    def whole(self, part: Disjunct, name: str) -> None:
        saved = dict(self.x.env)
        self.bind(part.names)
        self.x.emit(f"{name} = {self.x.exists(part.binders, list(part.conditions))}")
        self.x.env, self.x.aliases = saved, {}

    def bind(self, names: dict[Local, tree.Expr]) -> None:
        """Parameters that stand for other names are read through them."""
        for local in names:
            root = self.root(local, names)
            self.x.aliases[local] = root
            self.x.env[local] = self.x.w.fresh.local(root)

    def root(self, local: Local, names: dict[Local, tree.Expr]) -> Local:
        while local in names:
            found = names[local]
            if not isinstance(found, tree.Name) or found.ref.kind != "local":
                return local
            local = found.ref.target
        return local

    def disjuncts(self, node: tree.Expr, names: dict[Local, tree.Expr]) -> list[Disjunct] | None:
        """The alternatives of a condition, or None when it has another shape."""
        if isinstance(node, tree.Binary) and node.op.type == "OR":
            one, two = self.disjuncts(node.left, names), self.disjuncts(node.right, names)
            return None if one is None or two is None else one + two
        if isinstance(node, tree.Apply) and node.ref.kind == "family" and isinstance(node.parts[0], tree.Name):
            routine = node.ref.target.default
            if routine is None or routine.value is None or node.ref.target.domain:
                return None
            arguments = node.parts[1:]
            if not all(isinstance(a, tree.Name) and a.ref.kind == "local" for a in arguments):
                return None
            return self.disjuncts(routine.value, names | dict(zip(routine.params, arguments)))
        if isinstance(node, tree.Fold) and str(node.word) == "any":
            conditions = self.x.conjuncts(node.where) + self.x.conjuncts(node.value)
            inner = [c for c in conditions if self.opens(c)]
            binders = list(node.binders.items)
            if len(inner) != 1:
                return [Disjunct(binders, conditions, names)]
            rest = [c for c in conditions if c is not inner[0]]
            parts = self.disjuncts(inner[0], names)
            if parts is None:
                return [Disjunct(binders, conditions, names)]
            return [Disjunct(binders + part.binders, rest + part.conditions, part.names) for part in parts]
        if isinstance(node, tree.Unary | tree.Binary | tree.Apply | tree.Fold):
            return [Disjunct([], [node], names)]
        return None

    def opens(self, node: tree.Expr) -> bool:
        """Whether a condition is itself a choice of alternatives."""
        if isinstance(node, tree.Fold):
            return str(node.word) == "any"
        if isinstance(node, tree.Binary):
            return node.op.type == "OR"
        if isinstance(node, tree.Apply) and node.ref is not None and node.ref.kind == "family":
            routine = node.ref.target.default
            return routine is not None and routine.value is not None and self.opens(routine.value)
        return False

    # ------------------------------------------------------------ plans

    def plan(self, part: Disjunct) -> Any:
        """How to look at one alternative again with little work, or None."""
        for condition in part.conditions:
            if isinstance(condition, tree.Fold) and str(condition.word) == "all":
                found = self.rows(part, condition)
                if found is not None:
                    return found
            found = self.cell(part, condition)
            if found is not None:
                return found
        return None

    def equals(self, node: Any, names: dict[Local, tree.Expr]) -> tuple[Any, Local, Local] | None:
        """`state[cell] == who` over locals: (state, cell, who)."""
        if not isinstance(node, tree.Binary) or str(node.op) != "==":
            return None
        place, who = node.left, node.right
        if not isinstance(place, tree.At) or place.ref is None or place.ref.kind != "state" or len(place.parts) != 2:
            return None
        index = place.parts[1]
        if not all(isinstance(part, tree.Name) and part.ref.kind == "local" for part in (index, who)) or isinstance(who.type, Maybe):
            return None
        return place.ref.target, self.root(index.ref.target, names), self.root(who.ref.target, names)

    def rows(self, part: Disjunct, condition: tree.Fold) -> Any:
        """any(who in Players, row in lines(n) where all(cell in row: state[cell] == who))"""
        if len(part.conditions) != 1 or condition.where is not None or len(condition.binders) != 1 or len(part.binders) != 2:
            return None
        shape = self.equals(condition.value, part.names)
        cell = condition.binders.items[0]
        who_binder = next((b for b in part.binders if isinstance(b.source, tree.Domain)), None)
        row_binder = next((b for b in part.binders if b is not who_binder), None)
        if shape is None or who_binder is None or row_binder is None:
            return None
        state, index, who = shape
        source = row_binder.source
        if not (
            isinstance(source, tree.Apply)
            and source.ref.kind == "builtin"
            and source.ref.target == "lines"
            and isinstance(source.type, ListOf)
        ):
            return None
        if (
            index is not cell.local
            or who is not who_binder.local
            or not isinstance(cell.source, tree.Name)
            or cell.source.ref.target is not row_binder.local
        ):
            return None
        written = self.known(state)
        if not written or len([w for w in written if w[1] is not None]) != 1:
            return None
        at, value = next(w for w in written if w[1] is not None)
        board = next(b for b in self.x.model.boards.values() if not b.open)
        length = source.parts[1].type.low
        runs = board.lines(length)
        through = tuple(grouped([tuple(c for c in run if c != n) for run in runs if n in run]) for n in range(len(board.cells)))
        base = self.r.w.layout.cells[state].base

        def write(name: str) -> None:
            x = self.x
            variables = [f"c{n}" for n in range(length - 2)]
            others = f"{', '.join(variables)}{',' if length == 3 else ''}"
            tests = " and ".join(f"s[{base} + {v}] == {value}" for v in variables)
            x.emit(f"for c, rows in {x.const(through)}[{at}]:")
            with x.code.indented():
                x.emit(f"if s[{base} + c] == {value}:")
                with x.code.indented():
                    if length == 2:
                        x.emit(f"{name} = True")
                        x.emit("break")
                        return
                    x.emit(f"for {others} in rows:")
                    with x.code.indented():
                        x.emit(f"if {tests}:")
                        with x.code.indented():
                            x.emit(f"{name} = True")
                            x.emit("break")

        return write

    def cell(self, part: Disjunct, condition: tree.Expr) -> Any:
        """any(who in Players, cell in Cells where state[cell] == who and ...)"""
        shape = self.equals(condition, part.names)
        if shape is None:
            return None
        state, index, who = shape
        if {b.local for b in part.binders} != {index, who} or not all(isinstance(b.source, tree.Domain) for b in part.binders):
            return None
        rest = [c for c in part.conditions if c is not condition]
        if any(n.ref is not None and n.ref.kind in ("state", "family") for c in rest for n in walk(c) if isinstance(n, tree.Expr)):
            return None
        written = self.known(state)
        if not written or len([w for w in written if w[1] is not None]) != 1:
            return None
        at, value = next(w for w in written if w[1] is not None)

        def write(name: str) -> None:
            saved = dict(self.x.env)
            self.x.env[index], self.x.env[who] = at, str(value)
            for local in part.names:
                root = self.root(local, part.names)
                if root in (index, who):
                    self.x.env[local] = self.x.env[root]
            tests = [self.x.of(c) for c in rest]
            self.x.emit(f"{name} = {' and '.join(tests) or 'True'}")
            self.x.env = saved

        return write


def grouped(rows: list[tuple[int, ...]]) -> tuple:
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
