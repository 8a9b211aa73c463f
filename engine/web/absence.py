"""A person who keeps the others waiting. After a while, the others may let a bot decide."""

from __future__ import annotations

import time
from dataclasses import dataclass

from ..i18n import ProperName
from .live_match import LiveMatch
from .storage import Storage, TableRecord
from .table_page import TablePage

ABSENT_SECONDS = 600.0                      # before other people may let a bot decide
STAND_IN = "bot:medium"


@dataclass(frozen=True)
class AbsenceView:
    """A person who keeps the others waiting. `agreed` of `needed` people want a bot to decide."""

    who: ProperName
    agreed: int
    needed: int
    own: bool                                                      # whether the viewer has agreed


def is_long_wait(record: TableRecord) -> bool:
    """Whether the last decision was a long time ago."""
    return record.decided > 0 and time.time() - record.decided >= ABSENT_SECONDS


def view_absence(storage: Storage, live: LiveMatch, page: TablePage) -> AbsenceView | None:
    """Returns who keeps the viewer waiting, or None if nobody does, or not for long."""
    decision, record = live.match.position.decision, live.record
    if decision is None or page.seat is None or decision.seat == page.seat or record.is_bot(decision.seat) or not is_long_wait(record):
        return None
    agreed, needed = storage.read_consents(record.id, decision.seat, live.sequence), record.people_besides(decision.seat)
    who = ProperName(live.narrator(page.words.lang).player_name(decision.seat))
    return AbsenceView(who, len(agreed & needed), len(needed), page.seat in agreed)
