"""The table of points after a round: what each player gained in it, and the totals."""

from __future__ import annotations

from ..match.table import MatchTable
from ..narration.narrator import Narrator
from ..position.points import has_points, points_by_seat
from ..position.ranking import team_ranks
from ..table_view.view_model import GridPanel, StyledText


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
    gained = [words.format_number(now[seat] - then[seat]) for seat in seats]
    rows = [[[StyledText(words.text("breakdown.round"))], *([StyledText(text)] for text in gained)],
            [[StyledText(words.text("breakdown.total"))], *([StyledText(words.format_number(now[seat]))] for seat in seats)]]
    return GridPanel(words.text("play.round", number=ended), ["", *(narrator.team_name(seat) for seat in seats)], rows)
