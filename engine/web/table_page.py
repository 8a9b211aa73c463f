"""Everything that one seat sees of a table, as data for the template.

The page depends only on what the seat may know. tests/web/test_leaks.py compares the pages of positions that a seat
cannot tell apart, byte for byte."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import starmap
from pathlib import Path

from ..explain.answer import AnswerWriter, answer_query, list_why_lines
from ..explain.standing_text import build_breakdown, standing_lines
from ..i18n import Localizer
from ..library.installed_packs import InstalledPack
from ..narration.narrator import Narrator
from ..narration.transcript import full_lines
from ..position.options import Option
from ..position.position import Decision, Position
from ..preview.option_preview import common_lines
from ..preview.preview_texts import OptionPreviews
from ..project.inspect_thing import ThingInspector, find_named_things
from ..table_view.build_panels import build_panels
from ..table_view.option_markers import mark_subjects, mark_targets, members_of_option, places_of_option
from ..table_view.option_order import sort_options
from ..table_view.panel_diff import mark_changes
from ..table_view.status_line import build_status_line
from ..table_view.theme import theme_of
from ..table_view.view_model import Panel
from .early_answers import find_block, find_undo_obstacle, list_awaited_seats, view_seat
from .live_match import LiveMatch
from .panel_views import GridView, PanelView, Span, ThingTargets, kind_id, member_id, view_grid, view_line, view_panels

LOG_STEPS = 40                              # decisions whose lines the page shows
MAX_NEWS_LINES = 12
WHY_COLUMNS = 10_000                        # the page wraps lines itself
MAX_QUERY_CHARS = 200
MAX_LOOK_THINGS, MAX_LOOK_OPTIONS = 6, 12
SHORT_CHARS, TINY_CHARS = 9, 4              # of an option, to set two or three of them side by side on a phone
LONG_CHARS = 90                             # of an option with its preview, which then unfolds on demand
MAX_OFF_BOARD = 2                           # options such as “pass”, next to those on the table
INDENT = "  "
CLAUSE = re.compile(r"\[([A-Z][A-Z0-9-]*)\] ")
IRREVOCABLE_REASONS = ("undo.why.chance", "undo.why.revealed")             # shown to the player who has just decided


@dataclass(frozen=True)
class PlayerView:
    """A player in the list of seats."""

    name: str
    kind: str                                                      # the kind of bot, or "" for a person
    decides: bool
    own: bool
    absent: bool                                                   # nobody has opened the invite link
    thing: str = ""                                                # as the rules name them
    stand_in: bool = False                                         # a bot decides for this person


@dataclass(frozen=True)
class OptionView:
    """An option as a button. `places` are the ids of the places and things that choose it, its destination first.

    `anchors` are those of them that no earlier option has. `things` are the ids of all other things that it names."""

    number: int
    spelling: str
    text: str
    preview: str = ""
    texts: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()

    @property
    def is_long(self) -> bool:
        """Whether the preview takes so much space that only its beginning is shown at first."""
        return bool(self.preview) and len(self.text) + len(self.preview) > LONG_CHARS


@dataclass(frozen=True)
class LogLine:
    """A line of the log. `depth` is 1 for a consequence."""

    text: str
    heading: bool = False
    depth: int = 0
    code: str = ""                                                 # of the clause that it quotes


@dataclass
class TablePage:
    """The page of a table for one viewer."""

    words: Localizer
    title: str
    sequence: int
    revision: int
    seat: int | None
    players: list[PlayerView]
    status: list[tuple[Span, ...]]
    panels: list[PanelView]
    log: list[LogLine]
    earlier: bool                                                  # whether the log has earlier lines
    choices: list[tuple[str, str]]                                 # options of the game and house rules, with their values and texts
    whole_log: bool = False                                        # whether the log has lines that it usually leaves out
    news: list[LogLine] = field(default_factory=list)              # since the last decision of the viewer
    own_turn: bool = False
    question: str = ""
    always: list[str] = field(default_factory=list)
    options: list[OptionView] = field(default_factory=list)
    chosen: list[str] = field(default_factory=list)                # by the viewer, while others choose at the same time
    waiting: str = ""
    over: bool = False
    standing: list[str] = field(default_factory=list)
    breakdown: GridView | None = None                              # the sources of the points
    can_undo: bool = False
    continued: bool = False                                        # the table began with a save
    undo_reason: str = ""                                          # why the decision that was just made cannot be undone
    has_stand_in: bool = False                                     # a bot decides for the viewer
    can_save: bool = False
    query: str = ""
    look: str = ""
    answer: list[LogLine] = field(default_factory=list)
    address: str = ""                                              # the beginning of the queries of its links

    @property
    def has_short_options(self) -> bool:
        """Whether all options are short, so that several fit side by side."""
        return all(len(option.text) <= SHORT_CHARS and not option.preview and not option.texts for option in self.options)

    @property
    def has_tiny_options(self) -> bool:
        """Whether all options are as short as the names of places, so that many fit side by side."""
        return self.has_short_options and all(len(option.text) <= TINY_CHARS for option in self.options)

    @property
    def has_board_options(self) -> bool:
        """Whether nearly all options are on boards or panels, where people choose them."""
        off = sum(not option.places for option in self.options)
        return off <= MAX_OFF_BOARD < len(self.options) - off


def build_table_page(live: LiveMatch, seat: int | None, lang: str, query: str | None = None, whole_log: bool = False,
                     look: str | None = None) -> TablePage:
    """Returns the page of a seat, or of a spectator (None). `query` is a question such as `d4`: why is it not offered?

    `look` is the name of a thing on the table."""
    live = view_seat(live, seat)
    match, narrator = live.match, live.narrator(lang)
    position, theme = match.position, theme_of(live.loaded.game)
    decision = position.decision
    asked = decision if decision is not None and decision.seat == seat and not live.record.is_bot(decision.seat) else None
    panels, (news_start, has_chosen) = build_panels(position, narrator, seat), find_news_start(live, seat)
    before = match.steps[news_start].before if 0 <= news_start < len(match.steps) else None
    live.earlier.keep(seat, narrator, len(match.steps), panels, news_start)
    if before is not None:
        mark_changes(live.earlier.read(seat, narrator, news_start) or build_panels(before, narrator, seat), panels)
    options = cached_options(live, asked, narrator) if asked is not None else ([], [])
    if asked is not None:
        mark_targets(panels, position.game.model, {place: member_id(*place) for option in asked.options
                                                   for place in places_of_option(option, asked)})
        mark_subjects(panels, asked, narrator.words.text("table.asked"))
    targets = ThingTargets(find_narrowing_things(options[0]), readable=find_readable_things(narrator))
    recent = max(0, len(match.steps) - LOG_STEPS)
    start = 0 if whole_log else recent
    page = TablePage(
        narrator.words, narrator.words.text("game.name"), live.sequence, live.record.revision, seat, view_players(live, narrator, seat),
        [view_line(part, theme) for part in build_status_line(position, narrator, seat)], view_panels(panels, theme, targets),
        log_lines(live, narrator, seat, start), start > 0, view_choices(live, narrator), start < recent,
        own_turn=asked is not None, over=match.over, continued=live.record.continued)
    if asked is not None:
        page.question = narrator.question_text(asked)
        page.options, page.always = add_things(options[0], targets.shown), options[1]
    elif decision is not None:
        key = "play.thinking" if live.record.is_bot(decision.seat) else "play.turn"
        page.waiting = narrator.words.text(key, who=narrator.seat_value(decision.seat))
    if find_block(live) is not None:
        add_awaited_players(page, live, narrator)
    if has_chosen:
        page.news = log_lines(live, narrator, seat, news_start)[-MAX_NEWS_LINES:]
    if match.over:
        page.standing = standing_lines(match, live.loaded, lang)
        found = build_breakdown(match, narrator)
        page.breakdown = view_grid(found, theme, targets) if found is not None else None
    page.has_stand_in = seat in live.record.stand_ins
    if seat is not None and not page.has_stand_in:
        obstacle = find_undo_obstacle(live, seat)
        page.can_undo = obstacle is None
        latest = next((step.seat for step in reversed(match.steps) if not step.auto), None)
        if latest == seat and obstacle in IRREVOCABLE_REASONS:
            page.undo_reason = narrator.words.text("undo.revealed", reason=narrator.words.text(obstacle))
    if look is not None:
        page.look, page.answer = look_lines(position, narrator, seat, panels, look, page.options)
    elif query is not None:
        page.query = query[:MAX_QUERY_CHARS]
        numbers = {option.spelling: str(option.number) for option in page.options}
        page.answer = answer_lines(live, narrator, page.query, seat, numbers)
    return page


def find_news_start(live: LiveMatch, seat: int | None) -> tuple[int, bool]:
    """Returns the number of the first step that is news for a viewer, or -1, and whether it follows their last decision.

    If nothing has happened since then, and for spectators, the news is the last decision of anybody."""
    steps = live.match.steps
    chosen = [n for n, step in enumerate(steps) if not step.auto]
    own = [n for n in chosen if steps[n].seat == seat]
    if own and own[-1] + 1 < len(steps):
        return own[-1] + 1, True
    return (chosen[-1] if chosen else len(steps) - 1), False


def add_awaited_players(page: TablePage, live: LiveMatch, narrator: Narrator) -> None:
    """Says that several players choose at the same time, or who still has to choose."""
    block = find_block(live)
    for step in live.match.steps[block.first if block is not None else 0 :]:
        if step.seat == page.seat and step.before is not None and (decision := step.before.decision) is not None:
            page.chosen.append(narrator.option_text(decision, step.option))
    if page.own_turn:
        page.always = [page.words.text("web.at_once"), *page.always]
    elif not page.over:
        awaited = list_awaited_seats(live)
        people = [seat for seat in awaited if not live.record.is_bot(seat)]      # bots answer after the last person
        page.waiting = page.words.text("web.awaited", names=", ".join(map(narrator.player_name, people or awaited)))


def view_players(live: LiveMatch, narrator: Narrator, seat: int | None) -> list[PlayerView]:
    """Returns the players in the order of their seats."""
    awaited = list_awaited_seats(live)
    return [PlayerView(narrator.player_name(record.seat), "" if record.is_human else record.kind.removeprefix("bot:"),
                       record.seat in awaited, record.seat == seat, record.is_human and not record.taken,
                       f"Player.{live.loaded.game.model.enums['Player'].members[record.seat]}", record.seat in live.record.stand_ins)
            for record in live.record.seats]


def view_choices(live: LiveMatch, narrator: Narrator) -> list[tuple[str, str]]:
    """Returns the options of the game with their values, and its house rules with their descriptions."""
    words, overlay = narrator.words, live.loaded.game.ruleset.source.overlay
    packs = [InstalledPack(pack.name, "", Path(), pack.data.get("text")) for pack in (overlay.packs if overlay is not None else ())]
    return [*((words.text_or(f"variant.{name}.name", name), words.option_value_text(name, value))
              for name, value in live.loaded.game.model.settings.items()),
            *((pack.name, pack.description_in(words.lang)) for pack in packs)]


# ---------------------------------------------------------------- the question


def cached_options(live: LiveMatch, decision: Decision, narrator: Narrator) -> tuple[list[OptionView], list[str]]:
    """Returns the options of a decision, and what happens whichever is chosen. Kept until the match goes on."""
    key = ("options", narrator.words.lang)
    if key not in live.pages:
        live.pages[key] = view_options(live, decision, narrator)
    found: tuple[list[OptionView], list[str]] = live.pages[key]
    return found


def view_options(live: LiveMatch, decision: Decision, narrator: Narrator) -> tuple[list[OptionView], list[str]]:
    """Returns the options with their previews, and what happens whichever is chosen."""
    words = narrator.words
    hints, always = OptionPreviews(decision, narrator, live.match.setup.auto, live.match.sole_human).preview_all()
    found: list[OptionView] = []
    told: set[str] = set()                                         # texts that an earlier option has
    for number, option in enumerate(sort_options(decision)[0], start=1):
        places = places_of_option(option, decision)
        hint = hints.get(option.code)
        texts = tuple(text for text in (*hint.texts, *hint.printed) if text not in told) if hint is not None else ()
        found.append(OptionView(number, option.spelling, narrator.option_text(decision, option),
                                hint.line if hint is not None and hint.changes else "", texts, tuple(starmap(member_id, places)),
                                list_thing_ids(option, decision, places)))
        told.update(texts)
    return found, common_lines(always, words)


def list_thing_ids(option: Option, decision: Decision, places: Collection[tuple[str, int]]) -> tuple[str, ...]:
    """Returns the ids of the things that an option names apart from places, the last one first."""
    enums, ids = decision.position.game.model.enums, list[str]()
    for name, n in reversed(members_of_option(option, decision)):
        if (name, n) not in places:
            ids += [member_id(name, n), kind_id(f"{name}.{enums[name].kind_or_name(n)}")]
    return tuple(dict.fromkeys(ids))


def find_narrowing_things(options: Sequence[OptionView]) -> set[str]:
    """Returns the ids of things that some options choose and others do not, or that the only option chooses."""
    counts = Counter(thing for option in options for thing in option.things)
    return {thing for thing, count in counts.items() if count < len(options) or count == 1}


def find_readable_things(narrator: Narrator) -> set[str]:
    """Returns the players, and the things that the rules name and that have no equal ones, as the rules name them."""
    enums = (enum for enum in narrator.game.model.enums.values() if enum.kind == "player" or f"{enum.name}.name" in narrator.words.english)
    counts = Counter(f"{enum.name}.{enum.kind_or_name(n)}" for enum in enums if enum.kind != "open" for n in range(len(enum.members)))
    return {thing for thing, count in counts.items() if count == 1}


def add_things(options: Sequence[OptionView], shown: Set[str]) -> list[OptionView]:
    """Returns the options with the places and the shown things that choose them."""
    found: list[OptionView] = []
    taken: set[str] = set()                                        # places that an earlier option has
    for option in options:
        places = (*option.places, *(thing for thing in option.things if thing in shown))
        found.append(replace(option, places=places, anchors=tuple(place for place in places if place not in taken)))
        taken.update(places)
    return found


# ---------------------------------------------------------------- the log and the answers


def log_lines(live: LiveMatch, narrator: Narrator, seat: int | None, start: int) -> list[LogLine]:
    """Returns the lines of the log from a step on, with the events of the set-up if that is the beginning."""
    items = live.transcript(narrator, seat).build_lines(start)
    return [*([] if start else list_opening_lines(live, narrator, seat)),
            *(LogLine(text.strip(), heading, int(text.startswith(INDENT))) for text, heading in full_lines(items))]


def list_opening_lines(live: LiveMatch, narrator: Narrator, seat: int | None) -> list[LogLine]:
    """Returns the lines about house rules and about the set-up, as a seat or a spectator (None) learns of it."""
    opening = [said for told in live.match.opening if (said := narrator.event_text(told, seat))]
    return [LogLine(text) for text in (*narrator.active_pack_lines, *opening)]


def answer_lines(live: LiveMatch, narrator: Narrator, query: str, seat: int | None, numbers: Mapping[str, str]) -> list[LogLine]:
    """Returns the answer to a question such as `d4`, as lines.

    The history of somebody's points can reveal hidden things, so it waits for the end of a game that has any."""
    if live.match.over or not live.loaded.game.has_hidden_information:
        lines = list_why_lines(live.match, live.loaded, narrator, query, WHY_COLUMNS, seat, as_sentences=True, numbers=numbers)
    else:
        writer = AnswerWriter(live.match, live.loaded, narrator, WHY_COLUMNS, viewer=seat, as_sentences=True)
        lines = writer.format_answer(answer_query(live.match, narrator, query, seat, numbers))
    return [view_answer_line(line) for line in lines]


def look_lines(position: Position, narrator: Narrator, seat: int | None, panels: list[Panel], typed: str,
               options: Sequence[OptionView] = ()) -> tuple[str, list[LogLine]]:
    """Returns the name of a thing and what the viewer may know about it: its description, the options that involve it, and its clauses."""
    typed = typed[:MAX_QUERY_CHARS]
    inspector = ThingInspector(position, narrator, seat, panels, WHY_COLUMNS)
    things = find_named_things(inspector.about, typed) or inspector.about.find_things(typed)
    described = inspector.about.group_by_description(things)
    enums = inspector.about.model.enums
    if len({(name, enums[name].kind_or_name(n)) for name, n in described if name in enums}) == 1:
        described = dict([*described.items()][:1])                 # equal pieces
    if not 0 < len(described) <= MAX_LOOK_THINGS:
        key = "look.which_page" if things else "look.unknown"
        return typed, [LogLine(narrator.words.message(key, typed=typed))]
    decision, lines = position.decision, list[str]()
    for thing, meant in described.items():
        lines += inspector.thing_lines(thing)
        touching = [option for option in options if decision is not None and (found := decision.find(option.spelling)) is not None
                    and {thing, *meant} & {*members_of_option(found, decision)}]
        if touching:
            lines.append(INDENT + narrator.words.text("look.options", n=len(touching)))
            lines += [2 * INDENT + f"{option.number}  {option.text}" for option in touching[:MAX_LOOK_OPTIONS]]
        lines += inspector.clause_lines(thing)
    name = inspector.about.sight.member(*things[0]).text if typed.find(".") > 0 else typed
    return name, [view_answer_line(line) for line in lines]


def read_code(text: str) -> tuple[str, str]:
    """Returns the code of a clause that begins a line, or "", and the rest of the line."""
    found = CLAUSE.match(text)
    return (found[1], text[found.end() :]) if found is not None else ("", text)


def view_answer_line(line: str) -> LogLine:
    """Returns a line of an answer. The code of a clause follows its sentence."""
    code, text = read_code(line.strip())
    return LogLine(text, depth=(len(line) - len(line.lstrip())) // len(INDENT), code=code)
