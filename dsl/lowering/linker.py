"""Where everything lies: the addresses of frames, remembered values and kept sets become numbers, and what a write makes of what is
remembered is written out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..core.program import Program
from ..ir import nodes as m
from .incremental_sets import Upkeep


@dataclass
class Placing:
    """How one module is placed. `forget`: the addresses of values that a write to a state makes void, by its name; `frame`: whose an
    entry of a frame is, and where it lies; the others, where memos and kept sets begin."""

    program: Program
    upkeep: Upkeep
    forget: dict[str, list[int]]
    frame: Callable[[int], tuple[int, int]]
    memos: int
    kept: int

    def body(self, body: m.Body) -> m.Body:
        """The steps of a block with all addresses in numbers and all notes written out."""
        found: m.Body = []
        for node in body:
            found += self.step(node)
        return found

    def step(self, node: m.Stmt) -> m.Body:
        match node:
            case m.Forget(state=name):
                return self.written(name, self.upkeep.forget(self.program.states[name]), node.origin)
            case m.Writing(state=name):
                return self.written(name, self.upkeep.before_write(self.program.states[name], node), node.origin, False)
            case m.Written(state=name):
                return self.written(name, self.upkeep.after_write(self.program.states[name], node), node.origin)
            case m.Recall(name=None, at=m.Kept(number=number)) if number in self.upkeep.lasting:
                return []
            case m.Recall(at=m.Kept(number=number), sure=False) if number in self.upkeep.lasting:
                return self.step(m.Recall(node.name, node.at, node.function, True, origin=node.origin))
            case m.Break() | m.Continue() | m.Raise():
                return [node]
            case m.If(test=test, body=body, other=other):
                return [m.If(m.mapped(test, self.address), self.body(body), self.body(other), origin=node.origin)]
            case m.For(names=names, things=things, body=body, other=other):
                return [m.For(names, m.mapped(things, self.address), self.body(body), self.body(other), origin=node.origin)]
            case m.While(test=test, body=body):
                return [m.While(m.mapped(test, self.address), self.body(body), origin=node.origin)]
        return [m.renewed(node, self.address)]

    def written(self, state: str, more: m.Body, origin: m.Origin | None, done: bool = True) -> m.Body:
        """What a write to a state makes void, when it is `done`, and the steps that mend what can be mended."""
        slots = self.forget.get(state, []) if done else []
        void: m.Body = [m.Put(tuple(m.Num(slot) for slot in slots), m.Nil())] if slots else []
        found = self.body([*void, *more])
        for node in m.steps(found):
            node.origin = origin
        return found

    def address(self, node: m.Expr) -> m.Expr | None:
        match node:
            case m.Frame(slot=slot):
                number, at = self.frame(slot)
                return m.Num(at, number)
            case m.Memo(number=number):
                return m.Num(number + self.memos)
            case m.Kept(number=number):
                return m.Num(number + self.kept)
        return None
