"""What the standing is a sum of: its terms one by one, so that it can be told where a player's points come from.

The first value of `standing` is followed through defs that pass it on and taken apart at plus, minus and fixed factors. A term is the
entry of a state, whose changes can be watched while the game is played, or a value that is worked out when it is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..check.parts import called
from ..check.scope import Goal, Routine, State
from ..check.stmts import state_of, walk
from ..syntax import tree
from ..types import BagOf, Int
from .emit import Code
from .pieces import add

if TYPE_CHECKING:
    from .exprs import Exprs
    from .module import ModuleWriter


@dataclass(frozen=True)
class Term:
    """A term of the standing: `factor` times what `value(s, seat)` gives. `defs`: through which defs it was reached, the outermost
    first. `state`: what it is an entry of, and then `entry(s, seat)` says which, or the only state that it is worked out from."""

    factor: int
    defs: tuple[Routine, ...]
    state: State | None
    place: tuple[str, int]
    value: Callable[[list, int], int]
    entry: Callable[[list, int], int] | None = None


@dataclass(frozen=True)
class Found:
    """A term before it is compiled: its expression, and the calls of defs around it with their arguments."""

    node: tree.Expr
    factor: int = 1
    calls: tuple[tuple[Routine, list[tree.Expr]], ...] = ()
    defs: tuple[Routine, ...] = ()
    path: str = ""


def counts(goal: Goal) -> bool:
    """Whether the first value of the standing is a number of points, and not just whether it is won."""
    found = goal.values[0].type
    return isinstance(found, Int) and not (found.low == 0 and found.high == 1)


class Sums:
    """Takes the first value of a goal apart and compiles its terms into a module being written."""

    def __init__(self, writer: ModuleWriter, goal: Goal) -> None:
        self.w, self.goal = writer, goal

    def terms(self) -> list[tuple[Found, State | None, str, str | None]]:
        """Each term with its state and the names of the functions that give its value and its entry."""
        out = []
        for found in self.apart(Found(self.goal.values[0], path=self.goal.path)) if counts(self.goal) else []:
            state = self.entry_state(found.node)
            value = self.function(found, lambda x, node: x.as_type(node, Int()))
            entry = self.function(found, self.address) if state is not None else None
            out.append((found, state or only_state(found.node), value, entry))
        return out

    def apart(self, found: Found) -> list[Found]:
        """The terms of an expression; itself where it is no sum."""
        node = found.node
        if isinstance(node, tree.Unary) and node.op.type == "MINUS":
            return self.apart(replace(found, node=node.value, factor=-found.factor))
        if isinstance(node, tree.Binary) and str(node.op) in ("+", "-"):
            sign = 1 if str(node.op) == "+" else -1
            return [*self.apart(replace(found, node=node.left)), *self.apart(replace(found, node=node.right, factor=sign * found.factor))]
        if isinstance(node, tree.Binary) and str(node.op) == "*":
            x = self.w.expressions(Code("none"))
            for known, other in ((node.left, node.right), (node.right, node.left)):
                fixed = x.constant_of(known)
                if isinstance(fixed, int):
                    return self.apart(replace(found, node=other, factor=fixed * found.factor))
        routine, arguments = self.passes_on(node)
        if routine is None:
            return [found]
        inside = Found(routine.value, found.factor, (*found.calls, (routine, arguments)), (*found.defs, routine), routine.path)
        inner = self.apart(inside)
        if inner == [inside] and self.entry_state(inside.node) is None:    # nothing to take apart: the def itself is the term
            return [replace(found, defs=inside.defs)]
        return inner

    def passes_on(self, node: tree.Expr) -> tuple[Any, list[tree.Expr]]:
        """The def whose value `node` is, with its arguments."""
        ref = getattr(node, "ref", None)
        if not isinstance(node, tree.Name | tree.Apply) or ref is None or ref.kind != "family" or ref.target.domain is not None:
            return None, []
        routine = ref.target.routines[0]
        return (routine, called(node)[1]) if routine.value is not None else (None, [])

    def entry_state(self, node: tree.Expr) -> State | None:
        """The state of which `node` is one entry that holds a number."""
        state = state_of(node)
        if state is None or not isinstance(node.type, Int):
            return None
        form = self.w.layout.cells[state].form
        return state if form == "plain" and isinstance(state.type, Int) or form == "bag" else None

    def address(self, x: Exprs, node: Any) -> str:
        state = state_of(node)
        given = node.parts[1:] if isinstance(node, tree.At) else []
        if not isinstance(state.type, BagOf):
            return x.address(state, given)
        inner = node.parts[0].parts[1:] if state.axes else []
        return add(x.address(state, inner), x.of(given[0]))

    def function(self, found: Found, written: Callable[[Exprs, tree.Expr], str]) -> str:
        """Write a function of the position and a player; returns its name."""
        code = Code(f"part{len(self.w.functions)}", f"s, {self.w.fresh.local(self.goal.player)}")
        self.w.functions.append(code)
        x = self.w.expressions(code)
        for routine, arguments in found.calls:
            values = [x.temp(x.as_type(argument, param.type)) for argument, param in zip(arguments, routine.params)]
            x.env = {**x.env, **dict(zip(routine.params, values))}
        code.emit(f"return {written(x, found.node)}")
        return code.name


def only_state(node: tree.Expr) -> State | None:
    """The state that `node` is worked out from, where there is just one."""
    named = {part.ref.target for part in walk(node) if isinstance(part, tree.Name) and part.ref is not None and part.ref.kind == "state"}
    return named.pop() if len(named) == 1 else None
