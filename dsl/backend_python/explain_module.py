"""The explaining form of a game as Python: see compile/reasons.py."""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.results import Facts
from ..ir.explain_metadata import Way
from ..lowering.explain_form import ReasonWriter
from .module import Module, made


@dataclass
class Reasons:
    """The explaining form of a game: ways to answer by the place where the game waits."""

    module: Module
    ways: dict[int, list[Way]]


def write_reasons(facts: Facts) -> Reasons:
    """Compile a checked program so that it can be asked why."""
    writer = ReasonWriter(facts)
    module = made(writer.write())
    ways = {}
    for place, wait in module.waits.items():
        found = writer.ways.get(id(wait.decision))
        if found is not None:
            ways[place] = found
            for way in found:
                way.function = module.namespace[way.written]
    return Reasons(module, ways)
