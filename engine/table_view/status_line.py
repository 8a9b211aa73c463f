"""The status line above a table: round, phase, points of each player, and the values that `status:` in table.yaml lists.

A value is printed with the text `line.<value>`. Its fields are {n} (a number, the number of things, or 1 for true)
and {held} (what is there). A value without such a text is printed after its caption.

A value that is empty, zero, or false is printed with `line.<value>.none`, or not at all."""

from __future__ import annotations

from ...dsl.game.table_config import TableValue, lookup_table_values
from ...dsl.types.types import Bool, Int
from ..narration.headings import headings
from ..narration.narrator import Narrator
from ..position.call_stack import current_context
from ..position.points import has_points, points_of_ranks
from ..position.position import Position
from ..position.ranking import team_ranks
from .view_model import Line, StyledText
from .visible_values import HiddenValue, SeatView, VisibleValue


def build_status_line(position: Position, narrator: Narrator, seat: int | None) -> list[Line]:
    """Returns the parts of the status line."""
    sight = SeatView(position, narrator, seat)
    words = narrator.words
    parts = [[StyledText(words.text("play.round", number=position.rounds), "strong")]] if position.rounds else []
    parts += [[StyledText(name, "strong")] for name in headings(current_context(position.game.module, position.s), narrator)]
    if has_points(position.game):
        points = points_of_ranks(position.game, team_ranks(position.standing()))
        style = sight.member("Player", 0).style.partition(".")[0]
        members = position.game.model.enums[style].members
        parts += [
            [StyledText(words.text("top.points", who=narrator.team_name(n), score=points[n]), f"{style}.{members[n]}")]
            for n in sorted(points)
        ]
    for name in sight.theme.status:
        parts += [
            [StyledText(said)] for value in lookup_table_values(position.game.ruleset, name)[:1] if (said := value_text(sight, value))
        ]
    return parts


def value_text(sight: SeatView, value: TableValue) -> str:
    """Returns a value in a few words, or "" if it is empty and there is no text for that."""
    words, found = sight.words, sight.read(value)
    n = found.many if isinstance(found, HiddenValue) else int(found.raw) if isinstance(found.type, Int | Bool) else len(sight.things(found))
    line = sight.line(found)
    key = f"line.{value.name}"
    if not line or isinstance(found, VisibleValue) and isinstance(found.type, Int | Bool) and not found.raw:
        return words.text(f"{key}.none") if words.has(f"{key}.none") else ""
    held = words.list([span.words for span in line])
    if words.has(key):
        return sight.narrator.sentence(key, {}, None, sight.seat, n=n, held=held)
    caption = sight.caption(value.name)
    return caption if isinstance(found, VisibleValue) and isinstance(found.type, Bool) else f"{caption} {held}"
