"""A match step by step, as its viewer saw it. When the match is over, everybody sees everything.

    /table/ID/1/replay?at=12              the table after 12 decisions, and what the last of them did
    /table/ID/1/replay?at=12&look=e4      the same, with a description of a thing as it was then"""

from __future__ import annotations

from dataclasses import dataclass

from ..explain.standing_text import standing_lines
from ..i18n import Localizer
from ..position.visibility import ALL_SEATS_VIEWER
from ..table_view.build_panels import build_panels
from ..table_view.panel_diff import mark_changes
from ..table_view.status_line import build_status_line
from ..table_view.theme import theme_of
from .early_answers import view_seat
from .live_match import LiveMatch
from .panel_views import PanelView, Span, ThingTargets, view_line, view_panels
from .table_page import INDENT, LogLine, find_readable_things, list_opening_lines, look_lines

MAX_STEP_DIGITS = 6


@dataclass
class ReplayPage:
    """The page of one step. `at` of `count` decisions have been taken. `is_open` means that it shows hidden things."""

    words: Localizer
    title: str
    at: int
    count: int
    status: list[tuple[Span, ...]]
    panels: list[PanelView]
    lines: list[LogLine]
    standing: list[str]
    is_open: bool
    answer: list[LogLine]

    @property
    def address(self) -> str:
        """The beginning of the queries of links that stay at this step."""
        return f"at={self.at}&"


def read_step(typed: str) -> int | None:
    """Returns the step in an address, or None for the default."""
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) <= MAX_STEP_DIGITS else None


def build_replay_page(live: LiveMatch, seat: int | None, lang: str, wanted: int | None, look: str | None = None) -> ReplayPage:
    """Returns the page of a step for a seat, or for a spectator (None). `look` is the name of a thing on the table.

    The default is the first step of a match that is over, or else the last one."""
    live = view_seat(live, seat)
    match, narrator = live.match, live.narrator(lang)
    count, theme = len(match.steps), theme_of(live.loaded.game)
    at = min(count, wanted if wanted is not None else 0 if match.over else count)
    positions = [*(step.before for step in match.steps[max(0, at - 1) : at + 1]), match.position]
    before, position = (positions[0], positions[1]) if at else (None, positions[0])
    assert position is not None                                    # the match keeps what undo needs
    viewer = ALL_SEATS_VIEWER if match.over else seat
    panels = build_panels(position, narrator, viewer)
    if before is not None:
        mark_changes(build_panels(before, narrator, viewer), panels)
    return ReplayPage(narrator.words, narrator.words.text("game.name"), at, count,
                      [view_line(part, theme) for part in build_status_line(position, narrator, viewer)],
                      view_panels(panels, theme, ThingTargets(readable=find_readable_things(narrator))),
                      list_step_lines(live, seat, lang, at),
                      standing_lines(match, live.loaded, lang) if match.over and at == count else [],
                      match.over and live.loaded.game.has_hidden_information,
                      [] if look is None else look_lines(position, narrator, viewer, panels, look)[1])


def list_step_lines(live: LiveMatch, seat: int | None, lang: str, at: int) -> list[LogLine]:
    """Returns what the decision before a step did. Before the first decision, this is the set-up."""
    match, narrator = live.match, live.narrator(lang)
    if not at:
        return list_opening_lines(live, narrator, seat)
    step = match.steps[at - 1]
    lines = narrator.step_lines(step, step.seat if match.over else seat)
    return [LogLine(line.strip(), depth=int(line.startswith(INDENT))) for line in lines]
