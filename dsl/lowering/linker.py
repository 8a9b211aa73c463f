"""The linker: replaces symbolic addresses by slot numbers, and writes by the code that follows from them.

While functions are compiled, the addresses of frames, memoized values and incremental sets are symbolic. A
write to a state is followed by a note. The linker replaces each note by steps that invalidate or update
memoized values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..core.program import Program
from ..ir import nodes as m
from ..ir.traversal import iter_statements, map_expression, map_statement
from .incremental_sets import IncrementalSetTable


@dataclass
class Linker:
    """Links one module.

    * `forget`: for each state by name, the slots of the memoized values that a write invalidates.
    * `frame`: maps a virtual frame slot to the number of its frame and its real slot.
    * `memos`, `kept`: the first slots of memoized defs and of incremental sets."""

    program: Program
    upkeep: IncrementalSetTable
    forget: dict[str, list[int]]
    frame: Callable[[int], tuple[int, int]]
    memos: int
    kept: int

    def link_body(self, body: m.Body) -> m.Body:
        """Returns the steps of a block with slot numbers for all addresses and steps for all notes."""
        found: m.Body = []
        for node in body:
            found += self.link_step(node)
        return found

    def link_step(self, node: m.IrStmt) -> m.Body:
        """Links one step. Notes may become several steps or none."""
        match node:
            case m.InvalidateMemos(state=name):
                return self.link_write(name, self.upkeep.build_invalidation(self.program.states[name]), node.origin)
            case m.BeforeWrite(state=name):
                return self.link_write(name, self.upkeep.build_before_write(self.program.states[name], node), node.origin, False)
            case m.AfterWrite(state=name):
                return self.link_write(name, self.upkeep.build_write_updates(self.program.states[name], node), node.origin)
            case m.BreakStmt() | m.ContinueStmt():
                return [node]
            case m.IfStmt(test=test, body=body, other=other):
                return [
                    m.IfStmt(map_expression(test, self.resolve_address), self.link_body(body), self.link_body(other), origin=node.origin)
                ]
            case m.ForStmt(names=names, things=things, body=body, other=other):
                return [
                    m.ForStmt(
                        names,
                        map_expression(things, self.resolve_address),
                        self.link_body(body),
                        self.link_body(other),
                        origin=node.origin,
                    )
                ]
            case m.WhileStmt(test=test, body=body):
                return [m.WhileStmt(map_expression(test, self.resolve_address), self.link_body(body), origin=node.origin)]
        return [map_statement(node, self.resolve_address)]

    def link_write(self, state: str, more: m.Body, origin: m.Origin | None, done: bool = True) -> m.Body:
        """Returns the steps for a write to a state: invalidation (only if the write is `done`), then the updates in
        `more`."""
        slots = self.forget.get(state, []) if done else []
        void: m.Body = [m.StoreSlot(tuple(m.IntConst(slot) for slot in slots), m.NoneConst())] if slots else []
        found = self.link_body([*void, *more])
        for node in iter_statements(found):
            node.origin = origin
        return found

    def resolve_address(self, node: m.IrExpr) -> m.IrExpr | None:
        """Returns the slot number of a symbolic address, or None for any other expression."""
        match node:
            case m.FrameAddr(slot=slot):
                number, at = self.frame(slot)
                return m.IntConst(at, number)
            case m.MemoAddr(number=number):
                return m.IntConst(number + self.memos)
            case m.IncrementalSetAddr(number=number):
                return m.IntConst(number + self.kept)
        return None
