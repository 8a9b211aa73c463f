"""Why something that was typed as an answer cannot be chosen now."""

from __future__ import annotations

from ..library.loaded_game import Loaded
from ..match.table import Table
from ..narration.narrator import Teller

MOST = 5                             # lines, without `why`; a sentence that has begun is finished


def refusal(table: Table, loaded: Loaded, teller: Teller, typed: str, width: int) -> list[str]:
    """What stands in the way of something that the game knows and does not offer; nothing for what is no such thing."""
    from ..explain.answer import DECIDER, INDENT, Answerer, reply
    from ..explain.refusal_finder import OFFERED
    found = reply(table, teller, typed, DECIDER)
    decision = table.position.decision
    if found.answer is None or found.kind == OFFERED:
        return []
    lines = Answerer(table, loaded, teller, width, brief=True, viewer=decision.seat if decision is not None else None,
                     spoken=teller.has_clauses).lines(found)
    ends = (n for n, line in enumerate(lines) if n >= MOST and not line.startswith(2 * INDENT))
    return lines[:next(ends, None)]
