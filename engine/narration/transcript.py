"""What happened, from one decision to another: line by line under headings by round and part of the course, what says no more than a later
line left out; and the same in a few lines, those that concern the one who hears it before others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...dsl.types.types import Int, MemberOf
from ..i18n.template import is_field_of_slot
from ..match.table import HistoryEntry, MatchTable
from ..position.call_context import CallContext, current_context
from ..position.position import GameEvent, Position
from ..position.visibility import iter_received
from .headings import headings
from .narrator import FieldValues, Narrator, chosen_fields
from .ownership import PLAYER_DOMAIN, OwnershipIndex

OWN_RELEVANCE = 2                           # how near to the listener is what is theirs
LONG_ROUND_DECISIONS_PER_PLAYER = 3                             # decisions for each player in a round, from which on rounds have headings
DECISION_PREFIX, EVENT_PREFIX, CHANGE_PREFIX = "did.", "event.", "became."                   # what begins the keys of the lines
HEADING_SEPARATOR = " \u00b7 "                   # between the parts of a heading


@dataclass(frozen=True)
class TranscriptLine:
    """A line of the story: below which headings it belongs (the last of them is the innermost `part`), whether it tells what came of a
    decision, whether it concerns the one who hears it (`mine` 2: something of theirs, 1: a place where they have something; not what they
    chose themselves), whether it is of little weight: somebody did nothing, or what came is about no player (`idle`); whether they did it
    themselves (`own`), whether nothing was done and nobody had a choice (`empty`), and what the game says of its weight (1 great, -1
    slight)."""

    text: str
    under: tuple[str, ...]
    part: str = ""
    came: bool = False
    mine: int = 0
    idle: bool = False
    own: bool = False
    empty: bool = False
    weight: int = 0
    round: str = ""                                                # the first of the headings, where that is a round


class Transcript:
    """The story of a game for one listener. `viewer`: the seat that hears it, None for all."""

    def __init__(self, table: MatchTable, teller: Narrator, viewer: int | None) -> None:
        self.table, self.teller, self.viewer = table, teller, viewer
        self.owners = OwnershipIndex(table.game)
        long = Counter(step.before.rounds for step in table.steps if step.before is not None)
        self.numbered = any(many >= LONG_ROUND_DECISIONS_PER_PLAYER * table.game.players for many in long.values())

    def build_lines(self, start: int = 0) -> list[TranscriptLine]:
        """The lines from a step on."""
        out: list[TranscriptLine] = []
        steps = self.table.steps
        for n in range(start, len(steps)):
            step = steps[n]
            said = None if step.auto and step.option.declines or self.is_repeated_later(n) else self.teller.decision_text(step, self.viewer)
            if said:
                own = step.seat == self.viewer
                heard, said_of = self.fields_known_to_viewer(step), self.fields_in_sentence(step)
                chosen = {name: slot for name, slot in heard.items() if name in chosen_fields(step.option)}
                idle = step.option.declines or any(type(raw) is int and not raw and isinstance(kind, Int)
                                                   for kind, raw in chosen.values())
                mine = 2 * (step.auto and not idle) if own else self.relevance_to_viewer(
                    {name: slot for name, slot in heard.items() if name in chosen or name in said_of}, step.before)
                item = self.make_line(said, decision_context(step), mine=mine, idle=idle)
                weight = self.weight(self.decision_line_key(step), heard)
                out.append(replace(item, own=own and not step.auto, empty=idle and step.auto, weight=weight))
            for told in step.told:
                if line := self.teller.event_text(told):
                    slots = event_fields(told)
                    nobody = not any(self.owners.owner_of(kind, raw, step.before) is not None for kind, raw in slots.values())
                    item = self.make_line(line, told.midst, True, self.relevance_to_viewer(slots, step.before), nobody)
                    out.append(replace(item, weight=self.weight(EVENT_PREFIX + told.key, slots)))
            out += self.iter_received_lines(n)
            out += self.changes_after(n)
        return out

    def iter_received_lines(self, n: int) -> Iterator[TranscriptLine]:
        """What the listener got into a place that they see and not everybody: things that they could not see before."""
        step, after = self.table.steps[n], self.position_before(n + 1)
        if self.viewer is None or step.before is None or after is None:
            return
        for cell, things in iter_received(step.before, after, self.viewer):
            slots: FieldValues = {"things": (cell.state.type, cell.codec.pack(things))}
            where = step.told[-1].midst if step.told else decision_context(step)
            yield self.make_line(self.teller.with_numbers_at(after).sentence("story.received", slots), where, True, OWN_RELEVANCE)

    def position_before(self, n: int) -> Position | None:
        """The position before a step; after the last one that of now."""
        steps = self.table.steps
        return steps[n].before if n < len(steps) else self.table.position

    def changes_after(self, n: int) -> Sequence[TranscriptLine]:
        """What else is told of what came of a step: here nothing (see `engine/preview/transcript_changes.py`)."""
        return ()

    def decision_line_key(self, step: HistoryEntry) -> str:
        """The key of what was decided, with the entry of its menu."""
        return f"{DECISION_PREFIX}{step.key}.{step.option.entry}" if step.option.entry else DECISION_PREFIX + step.key

    def weight(self, key: str, slots: FieldValues) -> int:
        """What the game says of the weight of such a line: here nothing (see `engine/preview/transcript_changes.py`)."""
        return 0

    def fields_in_sentence(self, step: HistoryEntry) -> frozenset[str]:
        """What the game's sentence of a decision names."""
        key = self.teller.decision_text_key(step)
        return self.teller.words.fields_used(key, {**step.context, **chosen_fields(step.option)}) if key is not None else frozenset()

    def fields_known_to_viewer(self, step: HistoryEntry) -> FieldValues:
        """What this listener may hear of a decision, of what it was about and of what was chosen: which lines there are, and in what order,
        must not tell more than their words."""
        chosen = chosen_fields(step.option)
        if step.seat == self.viewer:
            return {**step.context, **chosen}
        context = {name: slot for name, slot in step.context.items() if name not in step.closed}
        return {**context, **{name: slot for name, slot in chosen.items() if not step.secret or name not in step.closed}}

    def make_line(self, text: str, where: CallContext, came: bool = False, mine: int = 0, idle: bool = False) -> TranscriptLine:
        parts = headings(where, self.teller)
        under = self.line_headings(where)
        return TranscriptLine(
            text, under, parts[-1] if parts else "", came, mine, idle, round=self.round_heading(under) if where.round else ""
        )

    def headings_before(self, start: int) -> tuple[str, ...]:
        """The headings of what was told last before a step."""
        if not start:
            return ()
        step = self.table.steps[start - 1]
        return self.line_headings(
            next((told.midst for told in reversed(step.told) if self.teller.event_text(told)), decision_context(step))
        )

    def round_heading(self, under: tuple[str, ...]) -> str:
        """The round among headings, where rounds have one."""
        return under[0] if self.numbered and under else ""

    def line_headings(self, where: CallContext) -> tuple[str, ...]:
        """The headings of something: the round, where rounds are long, and the parts of the course."""
        number = (self.teller.words.text("play.round", number=where.round),) if self.numbered and where.round else ()
        return number + headings(where, self.teller)

    # ------------------------------------------------------------ what need not be told

    def is_repeated_later(self, n: int) -> bool:
        """Whether a later answer of the same choice tells all that this one does (where from, when it is told next where from and to), or
        what came of it tells of just the same things."""
        steps, step = self.table.steps, self.table.steps[n]
        named = self.sentence_content(step)
        if not named or step.option.declines:
            return False
        done = {**self.fields_known_to_viewer(step), "who": (MemberOf("Player"), step.seat)}
        things = self.things_in_sentence(done, self.teller.decision_text_key(step), step)
        events = [(event_fields(told), self.teller.find_key([f"event.{told.key}"])) for told in step.told if not told.secret]
        if things and any(things == self.things_in_sentence(slots, key, step) for slots, key in events):
            return True
        for former, later in zip(steps[n:], steps[n + 1 :]):
            ends = (later.seat, procedure_of(later)) != (step.seat, procedure_of(step)) or later.key == step.key or later.option.declines
            if ends or any(self.teller.event_text(told) for told in former.told):
                return False
            if named.items() <= self.sentence_content(later).items():
                return True
        return False

    def sentence_content(self, step: HistoryEntry) -> dict[str, object]:
        """What the sentence of a decision names, as this listener hears it; nothing where that is not all of it."""
        key = self.teller.decision_text_key(step)
        if key is None or step.secret and self.viewer != step.seat:
            return {}
        slots = self.fields_known_to_viewer(step)
        seen, names = self.teller.words.fields_used(key, slots), self.teller.words.names(key)
        others = {name: name for name in names if not any(is_field_of_slot(name, slot) for slot in seen)}
        return {**{name: slots[name][1] for name in seen}, **others}

    def things_in_sentence(self, slots: FieldValues, key: str | None, step: HistoryEntry) -> set[tuple[str, object]]:
        """The things and places that a sentence names, and numbers by their names; of players those who decide are left out."""
        names = self.teller.words.fields_used(key, slots) if key is not None else ()
        named = {(kind.name if isinstance(kind, MemberOf) else name, raw) for name, (kind, raw) in slots.items() if name in names}
        return {(name, raw) for name, raw in named if (self.owners.canonical_domain(name), raw) != (PLAYER_DOMAIN, step.seat)}

    # ------------------------------------------------------------ whom it concerns

    def relevance_to_viewer(self, slots: FieldValues, position: Position | None) -> int:
        """How near these things are to the listener: 2 for themselves and what is theirs, 1 for a place where they have something."""
        return 0 if self.viewer is None else self.owners.relevance_to(slots, self.viewer, position)


def decision_context(step: HistoryEntry) -> CallContext:
    """Where the game waited for a decision."""
    return current_context(step.before.game.module, step.before.s) if step.before is not None else CallContext()


def event_fields(told: GameEvent) -> FieldValues:
    return {name: (kind, raw) for name, kind, raw in told.slots}


def procedure_of(step: HistoryEntry) -> str:
    """The procedure whose choice a decision belongs to."""
    return step.key.partition(".")[0]


def full_lines(items: Sequence[TranscriptLine], before: tuple[str, ...] = ()) -> list[tuple[str, bool]]:
    """All lines, each with whether it is a heading: what is new of one stands above the lines that it is for. `before`: the headings of
    what was told last."""
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
    """Whether a line concerns the listener's own things, or changes the course of the game."""
    return item.came and item.mine >= OWN_RELEVANCE or item.weight > 0 and not item.own


def summarize(items: Sequence[TranscriptLine], most: int, before: str = "") -> tuple[list[str], int]:
    """The lines that matter most, and how many are left out, where any of these is worth a line. What concerns the listener matters more
    than what the game calls great, that more than the rest, and of the rest what happened last; nothing that was
    empty, and nothing that the listener chose, as long as there is anything else. What came of a decision brings that along, and leaves it
    out alone only where it befell the listener and there is no room for both. They stand in the order in which it happened, so that an
    effect stands below its cause, as in the whole story. Each line that belongs elsewhere than the one before begins with the innermost
    heading, and the first of a round with that too, unless it was told `before`."""
    told = [n for n, item in enumerate(items) if not item.own and not item.empty] or list(range(len(items)))
    great = [n for n in told if items[n].weight > 0 and items[n].mine < OWN_RELEVANCE]
    kept = great[-(most // 2):]                                    # however much is bad, and the other way round

    def rank(n: int) -> tuple[int, ...]:
        item = items[n]
        return n in kept, item.mine >= OWN_RELEVANCE, item.weight >= 0, item.mine, not item.idle, n
    best: list[int] = []
    for n in sorted(told, key=rank, reverse=True):
        cause = find_cause(items, n)
        new = [one for one in (n, cause) if one is not None and one in told and one not in best]
        if len(best) + len(new) > most and n in new and (items[n].mine >= OWN_RELEVANCE or n in kept):
            new = [n]
        if len(best) + len(new) <= most:
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
    """The decision that a line came of, where it stands below the same headings; None of a decision."""
    if not items[n].came:
        return None
    m = next((m for m in range(n - 1, -1, -1) if not items[m].came), None)
    return m if m is not None and items[m].under == items[n].under else None
