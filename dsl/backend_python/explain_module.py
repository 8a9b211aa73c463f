"""The explain form of a game as Python functions, see lowering/explain_form.py."""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.results import AnalysisResults
from ..ir.explain_metadata import AnswerPath
from ..lowering.explain_form import ExplainModuleLowering
from .module import PythonModule, load_module


@dataclass
class ExplainModule:
    """The explain form of a game: the ways to answer, by the number of the block where the game waits."""

    module: PythonModule
    ways: dict[int, list[AnswerPath]]


def compile_explain_module(facts: AnalysisResults) -> ExplainModule:
    """Compiles a checked program to its explain form."""
    writer = ExplainModuleLowering(facts)
    module = load_module(writer.lower_module())
    ways = {}
    for place, wait in module.waits.items():
        found = writer.ways.get(id(wait.decision))
        if found is not None:
            ways[place] = found
            for way in found:
                way.function = module.namespace[way.written]
    return ExplainModule(module, ways)
