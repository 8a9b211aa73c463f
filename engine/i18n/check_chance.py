"""Find random draws whose result no player learns: no event reports it, no state keeps it, and no text names it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from ...dsl.core.nodes import CallProc, ChooseStmt, DrawStmt, EmitEvent, LocalRef, LocalVar, MoveStmt, Node, StateRef, Store, Swap
from ...dsl.core.walk import walk
from ...dsl.diagnostics.diagnostic import DiagnosticList
from ...dsl.types.types import MemberOf, Type

if TYPE_CHECKING:
    from ...dsl.game.variants import Variant


def check_chance(variant: Variant, english: Collection[str], findings: DiagnosticList) -> None:
    """Reports random choices whose outcome no player can see (W216)."""
    for routine in variant.program.routines:
        nodes = [node for part in routine.parts for node in walk(part)]
        seen = {local for node in nodes for local in iter_revealed_locals(node)}
        for node in nodes:
            if isinstance(node, ChooseStmt) and node.is_chance:
                for local in [gen.locals[0] for way in node.ways for gen in way.gens if gen.locals]:
                    if local not in seen and chance_text_key(local.type) not in english:
                        findings.add("W216", node.at.place, name=local.name)


def chance_text_key(found: Type) -> str:
    """Returns the key of the text that reports a random draw of this type."""
    return f"event.chance.{found.name if isinstance(found, MemberOf) else 'int'}"


def iter_revealed_locals(node: Node) -> Iterator[LocalVar]:
    """Yields the locals whose values a node reports in an event, stores in a state, or passes to a procedure."""
    match node:
        case EmitEvent(slots=slots):
            for _, value in slots:
                yield from iter_read_locals(value)
        case Store(op=op, target=target, value=value):
            yield from iter_read_locals(target)
            if op == "=" and isinstance(value, LocalRef):
                yield value.local
        case StateRef() | MoveStmt() | DrawStmt() | Swap() | CallProc():             # state entries, which the table shows
            yield from iter_read_locals(node)


def iter_read_locals(node: Node) -> Iterator[LocalVar]:
    """Yields the locals that a node reads."""
    for part in walk(node):
        if isinstance(part, LocalRef):
            yield part.local
