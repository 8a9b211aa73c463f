"""The table of points after a round: what each player gained in it from each source, and the totals."""

from __future__ import annotations

from collections import Counter

from ..match.table import MatchTable
from ..narration.narrator import Narrator
from ..position.points import has_points, points_by_seat
from ..position.ranking import team_ranks
from ..table_view.view_model import GridPanel, StyledText
from .score_breakdown import CLOSED, list_gains
from .standing_text import source_caption


def round_points(table: MatchTable, narrator: Narrator, start: int) -> GridPanel | None:
    """Returns the points of the last round that has ended since step `start`, the best player first.

    None if no round has ended, if nobody gained points in it, or if the game counts no points."""
    steps, ended = table.steps, table.position.rounds - 1
    rounds = [step.before.rounds if step.before is not None else 0 for step in steps]
    if not has_points(table.game) or ended < 1 or start >= len(steps) or rounds[start] > ended or ended not in rounds:
        return None
    first = rounds.index(ended)
    after = next((step.before for step, number in zip(steps, rounds) if number > ended), table.position)
    before = steps[first].before
    assert before is not None and after is not None
    then, now = points_by_seat(before), points_by_seat(after)
    if then == now:
        return None
    words = narrator.words
    seats = [rank.seat for rank in team_ranks(after.standing())]
    gained = {seat: now[seat] - then[seat] for seat in seats}
    sources = gains_by_source(table, narrator, ended, gained)
    rows = [[[StyledText(source_caption(source, narrator))],
             *([StyledText(words.format_number(points[seat]))] if points[seat] else [] for seat in seats)]
            for source, points in sources.items()]
    rows += [[[StyledText(words.text(caption))], *([StyledText(words.format_number(points[seat]))] for seat in seats)]
             for caption, points in (("breakdown.round", gained), ("breakdown.total", now))]
    return GridPanel(words.text("play.round", number=ended), ["", *(narrator.team_name(seat) for seat in seats)], rows)


def gains_by_source(table: MatchTable, narrator: Narrator, number: int, gained: dict[int, int]) -> dict[str, Counter[int]]:
    """Returns the points that the seats of `gained` got from each source in a round, in the order of the rules.

    Empty if all points have one source, or if some of them have no source that a player may know."""
    found: dict[str, Counter[int]] = {}
    for gain in list_gains(table, narrator.words.has, list(gained)):
        if gain.round == number and gain.points:
            found.setdefault(gain.source, Counter())[gain.seat] += gain.points
    is_complete = all(sum(points[seat] for points in found.values()) == gained[seat] for seat in gained)
    return found if len(found) > 1 and is_complete and CLOSED not in found else {}
