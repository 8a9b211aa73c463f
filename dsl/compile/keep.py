"""Sets that are kept up to date instead of being built again.

`set(cell in Cell where state[cell] == none and rests(cell))` is a mask. When the condition reads states only at places that follow
from the cell itself (the cell, a neighbour, a corner), a write to `state[i]` can only change the bits of a few cells, known
beforehand. So the mask lies in the position as a remembered value: the first reader computes it, each write mends it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..check.scope import Local, State
from ..syntax import tree
from ..types import Of
from .emit import Code

if TYPE_CHECKING:
    from .exprs import Exprs
    from .module import ModuleWriter

Relation = list[tuple[int, ...]]  # for each member of the domain, the members that are looked at
INLINE_LINES = 14
MAX_TOUCHED = 24  # cells that one write may concern on average; above, build anew


@dataclass
class Kept:
    """One mask: its number, the states it reads with the cells each write concerns, and how single bits are worked out."""

    number: int
    size: int
    touched: dict[State, Relation]
    update: dict[State, str] = field(default_factory=dict)  # name of the function (s, mask, index) -> mask
    build: str = ""
    vacated: dict[State, str] = field(default_factory=dict)  # states where a thing put down clears the cell's own bit, and who
    # looks at the other cells then


class Upkeep:
    """All kept sets of a module."""

    def __init__(self, writer: ModuleWriter) -> None:
        self.w = writer
        self.sets: list[Kept] = []
        self.known: dict[str, Kept | None] = {}
        self.lasting: set[int] = set()                            # sets that nothing ever makes forget, see module.assemble
        self.inline: dict[str, list[tuple[int, str]]] = {}  # short updaters: written where they are needed

    def mask(self, x: Exprs, binder: Any, conditions: list[tree.Expr]) -> str | None:
        """A Python variable with the mask of the members of `binder`'s domain that meet `conditions`; None when it cannot be kept."""
        if not isinstance(binder.source, tree.Domain) or not conditions or isinstance(binder, tree.BinderNumbered):
            return None
        kept = self.find(binder, conditions)
        if kept is None:
            return None
        name = self.w.fresh.temp("m")
        x.emit(f"{name} = s[@kept {kept.number}@]")
        x.emit(f"if {name} is None: {name} = s[@kept {kept.number}@] = {kept.build}(s)")
        return name

    def possible(self, binder: Any, conditions: list[tree.Expr]) -> bool:
        """Whether this set can be kept."""
        return isinstance(binder.source, tree.Domain) and bool(conditions) and self.find(binder, conditions) is not None

    def find(self, binder: Any, conditions: list[tree.Expr]) -> Kept | None:
        enum = binder.source.ref.target
        touched: dict[State, Relation] = {}
        own: Relation = [(n,) for n in range(len(enum))]
        for condition in conditions:
            if not self.footprint(condition, {binder.local: own}, touched):
                return None
        if not touched or any(sum(map(len, r)) > MAX_TOUCHED * max(1, len(r)) for r in touched.values()):
            return None
        key = self.key(binder, conditions)
        if key not in self.known:
            self.known[key] = self.make(binder, conditions, len(enum), touched)
        return self.known[key]

    def key(self, binder: Any, conditions: list[tree.Expr]) -> str:
        """The conditions as Python over a cell called `c`: the same set is kept once, wherever it is asked for."""
        code = Code("probe")
        x = self.w.expressions(code)
        x.env[binder.local] = "c"
        count = self.w.fresh.count
        texts = [x.of(condition) for condition in conditions]
        lines = [line.text for line in code.lines]
        self.w.fresh.count = count
        return f"{binder.source.ref.target.name}: {lines} {texts}"

    # ------------------------------------------------------------ what a condition looks at

    def footprint(self, node: Any, names: dict[Local, Relation], touched: dict[State, Relation]) -> bool:
        """Collect what `node` reads; False when it depends on something that does not follow from the cell."""
        if isinstance(node, tree.Fold):
            inner = dict(names)
            for binder in node.binders:
                relation = self.relation(binder.source, inner)
                if relation is None or isinstance(binder, tree.BinderNumbered):
                    return False
                inner[binder.local] = relation
            parts = [p for p in (node.where, node.value) if p is not None]
            return str(node.word) in ("any", "all", "count") and all(self.footprint(p, inner, touched) for p in parts)
        if isinstance(node, tree.At):
            return self.at(node, names, touched)
        if isinstance(node, tree.Apply):
            return self.apply(node, names, touched)
        if isinstance(node, tree.Name):
            if node.ref is None or node.ref.kind in ("number", "member", "option"):
                return True
            return node.ref.kind == "local" and (node.ref.target in names or node.ref.target.constant is not None)
        if isinstance(node, tree.Printed):
            return node.ref is not None and (node.ref.kind == "number" or self.footprint(node.value, names, touched))
        if isinstance(node, tree.Number | tree.Truth | tree.Nothing | tree.Domain):
            return True
        if isinstance(node, tree.Binary):
            return self.footprint(node.left, names, touched) and self.footprint(node.right, names, touched)
        if isinstance(node, tree.Unary):
            return self.footprint(node.value, names, touched)
        return False

    def at(self, node: tree.At, names: dict[Local, Relation], touched: dict[State, Relation]) -> bool:
        base, *indices = node.parts
        if (
            not isinstance(base, tree.Name)
            or base.ref is None
            or base.ref.kind != "state"
            or len(indices) != 1
            or len(base.ref.target.axes) != 1
        ):
            return False
        state: State = base.ref.target
        if self.w.layout.cells[state].form != "plain":
            return False
        relation = self.relation(indices[0], names)
        if relation is None:
            return False
        size = len(self.w.program.model.enums[state.axes[0][1]])
        inverse = touched.setdefault(state, [() for _ in range(size)])
        for cell, seen in enumerate(relation):
            for index in seen:
                if cell not in inverse[index]:
                    inverse[index] = (*inverse[index], cell)
        return True

    def apply(self, node: tree.Apply, names: dict[Local, Relation], touched: dict[State, Relation]) -> bool:
        if node.ref.kind == "builtin":
            return node.ref.target in ("row", "column", "position", "distance") and all(
                self.footprint(a, names, touched) for a in node.parts[1:]
            )
        family = node.ref.target
        routine = family.default
        if family.domain or routine is None or routine.value is None:
            return False
        inner: dict[Local, Relation] = {}
        for param, argument in zip(routine.params, node.parts[1:]):
            relation = self.relation(argument, names)
            if relation is None:
                return False
            inner[param] = relation
        return self.footprint(routine.value, inner, touched)

    def relation(self, node: Any, names: dict[Local, Relation]) -> Relation | None:
        """What members an expression may stand for, by the cell it starts from."""
        if isinstance(node, tree.Name) and node.ref is not None and node.ref.kind == "local":
            return names.get(node.ref.target)
        if not isinstance(node, tree.Apply) or node.ref is None or node.ref.kind != "builtin":
            return None
        name, arguments = node.ref.target, node.parts[1:]
        start = self.relation(arguments[0], names) if arguments else None
        if start is None or not isinstance(arguments[0].type, Of):
            return None
        board = self.w.program.model.enums[arguments[0].type.name].board
        if board is None or board.open:
            return None
        if name in ("near", "corners", "touching"):
            table = getattr(board, name)
            return [tuple({n for cell in seen for n in table[cell]}) for seen in start]
        if name == "step" and isinstance(arguments[1], tree.Name) and arguments[1].ref.kind == "member":
            direction = arguments[1].ref.target[1]
            return [tuple(board.step[cell][direction] for cell in seen if board.step[cell][direction] >= 0) for seen in start]
        return None

    # ------------------------------------------------------------ code

    def make(self, binder: Any, conditions: list[tree.Expr], size: int, touched: dict[State, Relation]) -> Kept:
        kept = Kept(len(self.sets), size, touched)
        self.sets.append(kept)
        kept.build = f"kb{kept.number}"
        build = Code(kept.build)
        build.emit("m = 0")
        build.emit(f"for c in range({size}):")
        with build.indented():
            self.test(build, binder, conditions, "m |= 1 << c", None)
        build.emit("return m")
        self.w.functions.append(build)
        for n, (state, relation) in enumerate(touched.items()):
            name = kept.update[state] = f"ku{kept.number}_{n}"
            self.updater(name, binder, conditions, tuple(relation))
            if not any(self.asks_vacant(c, state, binder.local) for c in conditions):
                continue
            others = tuple(tuple(c for c in cells if c != index) for index, cells in enumerate(relation))
            kept.vacated[state] = "" if not any(others) else f"kv{kept.number}_{n}"
            if any(others):
                rest = [c for c in conditions if not self.made_true(c, state, binder, others)]
                self.updater(kept.vacated[state], binder, rest, others)
        return kept

    def made_true(self, node: tree.Expr, state: State, binder: Any, others: tuple) -> bool:
        """Whether putting a thing down at i makes `node` true for every cell that this concerns: `all(b in step(cell, d): state[b] !=
        none)`, when the one place that it looks at is i."""
        names: dict[Local, Relation] = {binder.local: [(n,) for n in range(len(binder.source.ref.target))]}
        while isinstance(node, tree.Apply) and node.ref.kind == "family" and node.ref.target.default is not None:
            routine = node.ref.target.default
            found = [r for r in (self.relation(a, names) for a in node.parts[1:]) if r is not None]
            if routine.value is None or len(found) < len(routine.params):
                return False
            names = dict(zip(routine.params, found))
            node = routine.value
        if not isinstance(node, tree.Fold) or str(node.word) != "all" or node.where is not None or len(node.binders) != 1:
            return False
        relation, test = self.relation(node.binders.items[0].source, names), node.value
        if relation is None or any(len(seen) > 1 for seen in relation) or not isinstance(test, tree.Binary) or str(test.op) != "!=":
            return False
        if (
            not isinstance(test.right, tree.Nothing)
            or not isinstance(test.left, tree.At)
            or test.left.ref is None
            or test.left.ref.target is not state
        ):
            return False
        index = test.left.parts[1]
        if not isinstance(index, tree.Name) or index.ref.target is not node.binders.items[0].local:
            return False
        return all(relation[cell] == (i,) for i, cells in enumerate(others) for cell in cells)

    def updater(self, name: str, binder: Any, conditions: list[tree.Expr], cells: tuple) -> None:
        """A function (s, mask, index) -> mask that looks at the cells that a write at this index concerns."""
        code = Code(name, "s, m, i")
        code.emit(f"for c in {self.w.constant(cells)}[i]:")
        with code.indented():
            self.test(code, binder, conditions, "m |= 1 << c", "m &= ~(1 << c)")
        if len(code.lines) <= INLINE_LINES:
            self.inline[name] = [(line.depth - 1, line.text) for line in code.lines]
        code.emit("return m")
        self.w.functions.append(code)

    def test(self, code: Code, binder: Any, conditions: list[tree.Expr], yes: str, no: str | None) -> None:
        x = self.w.expressions(code)
        x.inline_all = True
        x.env[binder.local] = "c"
        depth = code.depth
        value = "True"
        for n, condition in enumerate(conditions):
            if n:
                code.emit(f"b = {value}")
                code.emit("if b:")
                code.depth += 1
            value = x.of(condition)
            if n:
                code.emit(f"b = {value}")
                value = "b"
        code.depth = depth
        code.emit(f"if {value}: {yes}")
        if no:
            code.emit(f"else: {no}")

    def asks_vacant(self, node: tree.Expr, state: State, cell: Local) -> bool:
        """`state[cell] == none`"""
        return (
            isinstance(node, tree.Binary)
            and str(node.op) == "=="
            and isinstance(node.right, tree.Nothing)
            and isinstance(node.left, tree.At)
            and node.left.ref is not None
            and node.left.ref.target is state
            and isinstance(node.left.parts[1], tree.Name)
            and node.left.parts[1].ref.target is cell
        )

    def after_write(self, state: State, index: str, put_down: bool) -> list[tuple[int, str]]:
        """(depth, line) pairs that mend every kept set after `state[index]` was written; `put_down`: something other than none."""
        lines: list[tuple[int, str]] = []
        for kept in self.sets:
            if state not in kept.touched:
                continue
            updater, mask = kept.update[state], "m"
            if put_down and state in kept.vacated:  # the cell's own bit is surely gone
                updater, mask = kept.vacated[state], f"m & ~(1 << {index})"
            entry = f"s[@kept {kept.number}@]"
            if not updater or updater not in self.inline:
                new = f"{updater}(s, {mask}, {index})" if updater else mask
                if kept.number in self.lasting:
                    lines += [(0, f"m = {entry}"), (0, f"{entry} = {new}")]
                else:
                    lines.append((0, f"if (m := {entry}) is not None: {entry} = {new}"))
                continue
            lines.append((0, f"m = {entry}"))
            deep = 0
            if kept.number not in self.lasting:                    # else the set is always there, and nobody need ask
                lines.append((0, "if m is not None:"))
                deep = 1
            if mask != "m":
                lines.append((deep, f"m = {mask}"))
            first, *rest = self.inline[updater]
            lines.append((deep, first[1].replace("[i]:", f"[{index}]:")))
            lines += [(deep + depth, text) for depth, text in rest]
            lines.append((deep, f"{entry} = m"))
        return lines

    def forget(self, state: State) -> list[tuple[int, str]]:
        return [(0, f"s[@kept {kept.number}@] = None") for kept in self.sets if state in kept.touched]
