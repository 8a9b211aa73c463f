"""Explains why a typed answer is not a legal option now."""

from __future__ import annotations

from ..library.loaded_game import LoadedGame
from ..match.table import MatchTable
from ..narration.narrator import Narrator

MAX_REFUSAL_LINES = 5                             # the last sentence is always completed


def refusal_lines(table: MatchTable, loaded: LoadedGame, narrator: Narrator, typed: str, width: int) -> list[str]:
    """Returns the reason why something that the game knows is not offered; empty if it is not such a thing."""
    from ..explain.answer import DECIDER, INDENT, AnswerWriter, answer_query
    found = answer_query(table, narrator, typed, DECIDER)
    decision = table.position.decision
    if found.answer is None or found.kind == "offered":
        return []
    lines = AnswerWriter(table, loaded, narrator, width, brief=True, viewer=decision.seat if decision is not None else None,
                     as_sentences=narrator.has_clauses).format_answer(found)
    ends = (n for n, line in enumerate(lines) if n >= MAX_REFUSAL_LINES and not line.startswith(2 * INDENT))
    return lines[:next(ends, None)]
