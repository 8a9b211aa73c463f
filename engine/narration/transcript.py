"""The transcript of a match: lines under headings by round and section, and a short summary for one viewer.

A line that a later line repeats completely is left out. The summary prefers lines that concern the viewer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...dsl.types.types import Int, MemberOf, element_domain
from ..i18n import CountedNoun
from ..i18n.template import is_field_of_slot
from ..match.table import HistoryEntry, MatchTable
from ..position.call_stack import CallContext, current_context
from ..position.observation import iter_received
from ..position.position import GameEvent, Position
from .headings import headings
from .narrator import FieldValues, Narrator, chosen_fields
from .ownership import PLAYER_DOMAIN, OwnershipIndex

OWN_RELEVANCE = 2                           # relevance of the viewer's own things
LONG_ROUND_DECISIONS_PER_PLAYER = 3                             # from this length on, rounds get headings
MAX_KEPT_STEPS = 50                         # whose lines a transcript keeps
DECISION_PREFIX, EVENT_PREFIX, CHANGE_PREFIX = "did.", "event.", "became."                   # prefixes of line keys
HEADING_SEPARATOR = " \u00b7 "


@dataclass(frozen=True)
class TranscriptLine:
    """A line of the transcript.

        under     headings of the line, outermost first
        part      innermost heading
        came      a consequence of a decision, not the decision itself
        mine      relevance to the viewer: 2 something of theirs, 1 a place where they have something; 0 for their own choices
        idle      of little weight: somebody did nothing, or the consequence concerns no player
        own       the viewer decided this
        empty     nothing was done, and nobody had a choice
        weight    importance according to the game: 1 great, -1 slight"""

    text: str
    under: tuple[str, ...]
    part: str = ""
    came: bool = False
    mine: int = 0
    idle: bool = False
    own: bool = False
    empty: bool = False
    weight: int = 0
    round: str = ""                                                # first heading, if it is a round


class Transcript:
    """The transcript of a match for one viewer: a seat, or None for everybody."""

    def __init__(self, table: MatchTable, narrator: Narrator, viewer: int | None) -> None:
        self.table, self.narrator, self.viewer = table, narrator, viewer
        self.owners = OwnershipIndex(table.game)
        self.numbered = has_long_rounds(table)
        self.settled: dict[int, tuple[HistoryEntry, list[TranscriptLine]]] = {}        # lines of earlier turns, by step
        self.current: dict[int, list[TranscriptLine]] = {}         # lines of the present turn, by step, until the next step
        self.moment: tuple[Position | None, HistoryEntry | None, int] = None, None, -1       # when `current` was computed

    def build_lines(self, start: int = 0) -> list[TranscriptLine]:
        """Returns the lines from step `start` on.

        If you keep a transcript, it computes the lines of earlier turns once. It keeps those of the latest steps."""
        steps, numbered = self.table.steps, has_long_rounds(self.table)
        if numbered != self.numbered:
            self.numbered, self.settled = numbered, {}
        first_kept, last_turn = len(steps) - MAX_KEPT_STEPS, find_last_turn(steps)
        self.settled = {n: found for n, found in self.settled.items() if first_kept <= n < last_turn and found[0] is steps[n]}
        position, last = self.table.position, steps[-1] if steps else None
        if self.moment[0] is not position or self.moment[1] is not last or self.moment[2] != len(steps):
            self.moment, self.current = (position, last, len(steps)), {}
        out: list[TranscriptLine] = []
        for n in range(start, len(steps)):
            known = self.settled[n][1] if n in self.settled else self.current.get(n)
            found = self.current[n] = self.lines_of_step(n) if known is None else known
            if first_kept <= n < last_turn:
                self.settled[n] = steps[n], found
            out += found
        return out

    def lines_of_step(self, n: int) -> list[TranscriptLine]:
        """Returns the lines of one step."""
        step, out = self.table.steps[n], list[TranscriptLine]()
        said = None if step.auto and step.option.declines or self.is_repeated_later(n) else self.narrator.decision_text(step, self.viewer)
        if said:
            own = step.seat == self.viewer
            heard, said_of = self.fields_known_to_viewer(step), self.fields_in_sentence(step)
            chosen = {name: slot for name, slot in heard.items() if name in chosen_fields(step.option)}
            idle = step.option.declines or any(type(raw) is int and not raw and isinstance(kind, Int) for kind, raw in chosen.values())
            mine = 2 * (step.auto and not idle) if own else self.relevance_to_viewer(
                {name: slot for name, slot in heard.items() if name in chosen or name in said_of}, step.before)
            item = self.make_line(said, decision_context(step), relevance=mine, unchanged=idle)
            weight = self.weight(self.decision_line_key(step), heard)
            out.append(replace(item, own=own and not step.auto, empty=idle and step.auto, weight=weight))
        events = [*self.narrator.event_texts(step.events, self.viewer)]
        arrival = self.find_arrival_event(step, [event for event, _ in events])
        for k, (told, line) in enumerate(events):
            slots = event_fields(told)
            nobody = not any(self.owners.owner_of(kind, raw, step.before) is not None for kind, raw in slots.values())
            item = self.make_line(line, told.midst, True, self.relevance_to_viewer(slots, step.before), nobody)
            out.append(replace(item, weight=self.weight(EVENT_PREFIX + told.key, slots)))
            if k == arrival:
                out += self.iter_private_arrival_lines(n, told.midst)
        if arrival is None:
            out += self.iter_private_arrival_lines(n, step.events[-1].midst if step.events else decision_context(step))
        out += self.changes_after(n)
        return out

    def find_arrival_event(self, step: HistoryEntry, told: Sequence[GameEvent]) -> int | None:
        """Returns the index of the last event that names the viewer, if the step goes on into another section. Otherwise None.

        Things that the viewer received are listed after it, not under the heading of a section that brought nothing."""
        named = [k for k, event in enumerate(told) if any(
            isinstance(kind, MemberOf) and self.owners.canonical_domain(kind.name) == PLAYER_DOMAIN and raw == self.viewer
            for _, kind, raw in event.slots)]
        return named[-1] if named and told[named[-1]].midst.calls != step.events[-1].midst.calls else None

    def iter_private_arrival_lines(self, n: int, where: CallContext) -> Iterator[TranscriptLine]:
        """Yields a line for things that came into a place which the viewer sees and not everybody does."""
        step, after = self.table.steps[n], self.position_before(n + 1)
        if self.viewer is None or step.before is None or after is None:
            return
        narrator = self.narrator.with_numbers_at(after)
        told = (event for event in step.events if self.viewer in (event.listeners or ()))
        named = [(kind, raw) for event in told for name, kind, raw in event.slots if name in event.closed]
        for cell, things, is_first in iter_received(step.before, after, self.viewer):
            if all((MemberOf(element_domain(cell.state.type) or ""), thing) in named for thing in things):
                continue                                           # an event for the viewer has named them
            said = narrator.value(cell.state.type, cell.codec.pack(things))
            if isinstance(said, list):                             # a single thing needs no number
                said = [one.noun if isinstance(one, CountedNoun) and one.n == 1 else one for one in said]
            key, place = f"story.received{'' if is_first else '.elsewhere'}", narrator.caption(cell.state.name, "state")
            yield self.make_line(narrator.sentence(key, {}, place=place, things=said), where, True, OWN_RELEVANCE)

    def position_before(self, n: int) -> Position | None:
        """Returns the position before step `n`, or the current position after the last step."""
        steps = self.table.steps
        return steps[n].before if n < len(steps) else self.table.position

    def changes_after(self, n: int) -> Sequence[TranscriptLine]:
        """Returns lines about further consequences of a step. Empty here: see engine/preview/transcript_changes.py."""
        return ()

    def decision_line_key(self, step: HistoryEntry) -> str:
        """Returns the key of a decision, with its menu entry, as `weight` looks it up."""
        return f"{DECISION_PREFIX}{step.key}.{step.option.entry}" if step.option.entry else DECISION_PREFIX + step.key

    def weight(self, key: str, slots: FieldValues) -> int:
        """Returns the importance that the game gives a line. 0 here: see engine/preview/transcript_changes.py."""
        return 0

    def fields_in_sentence(self, step: HistoryEntry) -> frozenset[str]:
        """Returns the fields that the game's sentence about a decision uses."""
        key = self.narrator.decision_text_key(step)
        return self.narrator.words.fields_used(key, {**step.context, **chosen_fields(step.option)}) if key is not None else frozenset()

    def fields_known_to_viewer(self, step: HistoryEntry) -> FieldValues:
        """Returns the values of a decision that the viewer may know: its context and its chosen values.

        The set and order of lines must not reveal more than their sentences."""
        chosen = chosen_fields(step.option)
        if step.seat == self.viewer:
            return {**step.context, **chosen}
        context = {name: slot for name, slot in step.context.items() if name not in step.closed}
        return {**context, **{name: slot for name, slot in chosen.items() if not step.secret or name not in step.closed}}

    def make_line(self, text: str, where: CallContext, came: bool = False, relevance: int = 0, unchanged: bool = False) -> TranscriptLine:
        """Builds a line with the headings of its call context."""
        parts = headings(where, self.narrator)
        under = self.line_headings(where)
        return TranscriptLine(
            text, under, parts[-1] if parts else "", came, relevance, unchanged, round=self.round_heading(under) if where.round else ""
        )

    def headings_before(self, start: int) -> tuple[str, ...]:
        """Returns the headings of the last line before step `start`."""
        if not start:
            return ()
        step = self.table.steps[start - 1]
        return self.line_headings(
            next((told.midst for told in reversed(step.events) if self.narrator.event_text(told, self.viewer)), decision_context(step))
        )

    def round_heading(self, under: tuple[str, ...]) -> str:
        """Returns the round among these headings, or "" if rounds have no heading."""
        return under[0] if self.numbered and under else ""

    def line_headings(self, where: CallContext) -> tuple[str, ...]:
        """Returns the headings of a line: the round if rounds are long, and the active sections."""
        number = (self.narrator.words.text("play.round", number=where.round),) if self.numbered and where.round else ()
        return number + headings(where, self.narrator)

    # ------------------------------------------------------------ redundant lines

    def is_repeated_later(self, n: int) -> bool:
        """Whether the line of this decision is redundant.

        A later decision of the same procedure may name everything that this one names, for example from where and to
        where. Or an event of this step is about exactly the same things."""
        steps, step = self.table.steps, self.table.steps[n]
        named = self.sentence_content(step)
        if not named or step.option.declines:
            return False
        done = {**self.fields_known_to_viewer(step), "who": (MemberOf("Player"), step.seat)}
        things = self.things_in_sentence(done, self.narrator.decision_text_key(step), step)
        heard = [told.heard_by(self.viewer) for told in step.events if not told.secret]
        events = [(event_fields(told), self.narrator.event_text_key(told)) for told in heard]
        if things and any(things == self.things_in_sentence(slots, key, step) for slots, key in events):
            return True
        for former, later in zip(steps[n:], steps[n + 1 :]):
            ends = (later.seat, procedure_of(later)) != (step.seat, procedure_of(step)) or later.key == step.key or later.option.declines
            if ends or any(self.narrator.event_text(told, self.viewer) for told in former.events):
                return False
            if named.items() <= self.sentence_content(later).items():
                return True
        return False

    def sentence_content(self, step: HistoryEntry) -> dict[str, object]:
        """Returns what the sentence about a decision names, as the viewer knows it. Empty if the viewer does not know
        all of it."""
        key = self.narrator.decision_text_key(step)
        if key is None or step.secret and self.viewer != step.seat:
            return {}
        slots = self.fields_known_to_viewer(step)
        seen, names = self.narrator.words.fields_used(key, slots), self.narrator.words.names(key)
        others = {name: name for name in names if not any(is_field_of_slot(name, slot) for slot in seen)}
        return {**{name: slots[name][1] for name in seen}, **others}

    def things_in_sentence(self, slots: FieldValues, key: str | None, step: HistoryEntry) -> set[tuple[str, object]]:
        """Returns the things and places that a sentence names, and numbers by the name of their field. The deciding
        player is left out."""
        names = self.narrator.words.fields_used(key, slots) if key is not None else ()
        named = {(kind.name if isinstance(kind, MemberOf) else name, raw) for name, (kind, raw) in slots.items() if name in names}
        return {(name, raw) for name, raw in named if (self.owners.canonical_domain(name), raw) != (PLAYER_DOMAIN, step.seat)}

    # ------------------------------------------------------------ relevance

    def relevance_to_viewer(self, slots: FieldValues, position: Position | None) -> int:
        """Returns the relevance of things to the viewer: 2 for the viewer or something of theirs, 1 for a place where
        they have something."""
        return 0 if self.viewer is None else self.owners.relevance_to(slots, self.viewer, position)


def has_long_rounds(table: MatchTable) -> bool:
    """Whether some round has so many decisions that rounds get headings."""
    long = Counter(step.before.rounds for step in table.steps if step.before is not None)
    return any(many >= LONG_ROUND_DECISIONS_PER_PLAYER * table.game.players for many in long.values())


def find_last_turn(steps: Sequence[HistoryEntry]) -> int:
    """Returns the number of the first step of the last turn.

    Its lines may still change, because a later decision of the same procedure can repeat an earlier one."""
    first = len(steps) - 1
    while first > 0 and (steps[first - 1].seat, procedure_of(steps[first - 1])) == (steps[-1].seat, procedure_of(steps[-1])):
        first -= 1
    return max(0, first)


def decision_context(step: HistoryEntry) -> CallContext:
    """Returns the call context of a decision."""
    return current_context(step.before.game.module, step.before.s) if step.before is not None else CallContext()


def event_fields(event: GameEvent) -> FieldValues:
    """Returns the values of an event as field values."""
    return {name: (kind, raw) for name, kind, raw in event.slots}


def procedure_of(step: HistoryEntry) -> str:
    """Returns the procedure to which a decision belongs."""
    return step.key.partition(".")[0]


def full_lines(items: Sequence[TranscriptLine], before: tuple[str, ...] = ()) -> list[tuple[str, bool]]:
    """Returns all lines with their headings. The flag is True for a heading.

    A heading is printed only where it changes. `before`: the headings of the last line printed earlier."""
    out: list[tuple[str, bool]] = []
    for item in items:
        if item.under != before:
            same = next((n for n, (a, b) in enumerate(zip(item.under, before)) if a != b), min(len(item.under), len(before)))
            fresh = item.under[same:] or item.under[-1:]
            out += [(HEADING_SEPARATOR.join(fresh), True)] if fresh else []
            before = item.under
        out.append(("  " * item.came + item.text, False))
    return out


def is_important(item: TranscriptLine) -> bool:
    """Whether a line concerns the viewer's own things or changes the course of the game."""
    return item.came and item.mine >= OWN_RELEVANCE or item.weight > 0 and not item.own


def summarize(items: Sequence[TranscriptLine], max_lines: int, before: str = "") -> tuple[list[str], int]:
    """Returns the most important lines, at most `max_lines`, and how many lines worth reading are left out.

    Up to half of the lines are reserved for the latest lines that the game calls great. The others are chosen in
    this order:

    1. consequences for the viewer,
    2. lines that the game does not call slight,
    3. lines about a place where the viewer has something,
    4. lines that are not idle,
    5. later lines.

    Empty lines and the viewer's own choices appear only if there is nothing else. A consequence brings its
    decision along. The decision is left out only if there is no room for both and the consequence concerns the
    viewer or is great. Lines stay in the order of the match. A line in a new section begins with the innermost
    heading. The first line of a round also names the round, unless it is `before`."""
    told = [n for n, item in enumerate(items) if not item.own and not item.empty] or list(range(len(items)))
    great = [n for n in told if items[n].weight > 0 and items[n].mine < OWN_RELEVANCE]
    kept = great[-(max_lines // 2):]                                    # half of the room, so that both kinds of news fit

    def rank(n: int) -> tuple[int, ...]:
        item = items[n]
        return n in kept, item.mine >= OWN_RELEVANCE, item.weight >= 0, item.mine, not item.idle, n
    best: list[int] = []
    for n in sorted(told, key=rank, reverse=True):
        cause = find_cause(items, n)
        new = [one for one in (n, cause) if one is not None and one in told and one not in best]
        if len(best) + len(new) > max_lines and n in new and (items[n].mine >= OWN_RELEVANCE or n in kept):
            new = [n]
        if len(best) + len(new) <= max_lines:
            best += new
    out: list[str] = []
    last, rounds = "", {before}
    for n in sorted(best):
        item = items[n]
        heading = HEADING_SEPARATOR.join(
            filter(None, (item.round if item.round not in rounds else "", item.part if item.part != last else ""))
        )
        below = "  " if not heading and find_cause(items, n) in best else ""
        out.append(f"{heading}. {item.text}" if heading else below + item.text)
        last = item.part
        rounds.add(item.round)
    return out, len(items) - len(out) if len(told) > len(out) else 0


def find_cause(items: Sequence[TranscriptLine], n: int) -> int | None:
    """Returns the index of the decision that caused a line, if it has the same headings. None for a decision."""
    if not items[n].came:
        return None
    m = next((m for m in range(n - 1, -1, -1) if not items[m].came), None)
    return m if m is not None and items[m].under == items[n].under else None
