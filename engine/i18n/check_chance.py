"""What chance gives and nobody hears of: a die that is thrown in the open and told by no event, kept by no state, said by no text."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from ...dsl.core.nodes import Choose, Do, Draw, Load, Local, Move, Node, Read, Store, Swap, Tell
from ...dsl.core.walk import walk
from ...dsl.diagnostics.diagnostic import Findings
from ...dsl.types.types import Of, Type

if TYPE_CHECKING:
    from ...dsl.game.variants import Variant


def check_chance(variant: Variant, english: Collection[str], findings: Findings) -> None:
    """Choices by chance whose outcome no player can see."""
    for routine in variant.program.routines:
        nodes = [node for part in routine.parts for node in walk(part)]
        seen = {local for node in nodes for local in shown_by(node)}
        for node in nodes:
            if isinstance(node, Choose) and node.chance:
                for local in [gen.locals[0] for way in node.ways for gen in way.gens if gen.locals]:
                    if local not in seen and key_of(local.type) not in english:
                        findings.add("W216", node.at.place, name=local.name)


def key_of(found: Type) -> str:
    """The text that says what chance gave."""
    return f"event.chance.{found.name if isinstance(found, Of) else 'int'}"


def shown_by(node: Node) -> Iterator[Local]:
    """The locals whose values a statement tells, lays open in a state, or hands on to a procedure."""
    match node:
        case Tell(slots=slots):
            for _, value in slots:
                yield from read_in(value)
        case Store(op=op, target=target, value=value):
            yield from read_in(target)
            if op == "=" and isinstance(value, Read):
                yield value.local
        case Load() | Move() | Draw() | Swap() | Do():             # a place in a state, which the table shows
            yield from read_in(node)


def read_in(node: Node) -> Iterator[Local]:
    for part in walk(node):
        if isinstance(part, Read):
            yield part.local
