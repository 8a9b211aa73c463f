"""What happened, from one decision to another: line by line under headings by round and part of the course, what says no more than a later
line left out; and the same in a few lines, those that concern the one who hears it before others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...dsl.types.types import Int, Of
from ..i18n.template import is_about
from ..match.table import Step, Table
from ..position.call_context import Midst, midst
from ..position.position import Position, Told
from ..position.visibility import received
from .headings import headings
from .narrator import Slots, Teller, chosen_of
from .ownership import PLAYER, Owners

THEIRS = 2                           # how near to the listener is what is theirs
LONG = 3                             # decisions for each player in a round, from which on rounds have headings
DID, EVENT, BECAME = "did.", "event.", "became."                   # what begins the keys of the lines
UNDER = " \u00b7 "                   # between the parts of a heading


@dataclass(frozen=True)
class Item:
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


class Story:
    """The story of a game for one listener. `viewer`: the seat that hears it, None for all."""

    def __init__(self, table: Table, teller: Teller, viewer: int | None) -> None:
        self.table, self.teller, self.viewer = table, teller, viewer
        self.owners = Owners(table.game)
        long = Counter(step.before.rounds for step in table.steps if step.before is not None)
        self.numbered = any(many >= LONG * table.game.players for many in long.values())

    def items(self, start: int = 0) -> list[Item]:
        """The lines from a step on."""
        out: list[Item] = []
        steps = self.table.steps
        for n in range(start, len(steps)):
            step = steps[n]
            said = None if step.auto and step.option.declines or self.said_later(n) else self.teller.did(step, self.viewer)
            if said:
                own = step.seat == self.viewer
                heard, said_of = self.heard_of(step), self.words_of(step)
                chosen = {name: slot for name, slot in heard.items() if name in chosen_of(step.option)}
                idle = step.option.declines or any(type(raw) is int and not raw and isinstance(kind, Int)
                                                   for kind, raw in chosen.values())
                mine = 2 * (step.auto and not idle) if own else self.about_viewer(
                    {name: slot for name, slot in heard.items() if name in chosen or name in said_of}, step.before)
                item = self.item(said, asked_in(step), mine=mine, idle=idle)
                weight = self.weight(self.chosen_key(step), heard)
                out.append(replace(item, own=own and not step.auto, empty=idle and step.auto, weight=weight))
            for told in step.told:
                if line := self.teller.told(told):
                    slots = slots_of(told)
                    nobody = not any(self.owners.owner(kind, raw, step.before) is not None for kind, raw in slots.values())
                    item = self.item(line, told.midst, True, self.about_viewer(slots, step.before), nobody)
                    out.append(replace(item, weight=self.weight(EVENT + told.key, slots)))
            out += self.received(n)
            out += self.became(n)
        return out

    def received(self, n: int) -> Iterator[Item]:
        """What the listener got into a place that they see and not everybody: things that they could not see before."""
        step, after = self.table.steps[n], self.then(n + 1)
        if self.viewer is None or step.before is None or after is None:
            return
        for cell, things in received(step.before, after, self.viewer):
            slots: Slots = {"things": (cell.state.type, cell.codec.pack(things))}
            where = step.told[-1].midst if step.told else asked_in(step)
            yield self.item(self.teller.at(after).sentence("story.received", slots), where, True, THEIRS)

    def then(self, n: int) -> Position | None:
        """The position before a step; after the last one that of now."""
        steps = self.table.steps
        return steps[n].before if n < len(steps) else self.table.position

    def became(self, n: int) -> Sequence[Item]:
        """What else is told of what came of a step: here nothing (see `engine/preview/transcript_changes.py`)."""
        return ()

    def chosen_key(self, step: Step) -> str:
        """The key of what was decided, with the entry of its menu."""
        return f"{DID}{step.key}.{step.option.entry}" if step.option.entry else DID + step.key

    def weight(self, key: str, slots: Slots) -> int:
        """What the game says of the weight of such a line: here nothing (see `engine/preview/transcript_changes.py`)."""
        return 0

    def words_of(self, step: Step) -> frozenset[str]:
        """What the game's sentence of a decision names."""
        key = self.teller.did_key(step)
        return self.teller.words.spoken_of(key, {**step.context, **chosen_of(step.option)}) if key is not None else frozenset()

    def heard_of(self, step: Step) -> Slots:
        """What this listener may hear of a decision, of what it was about and of what was chosen: which lines there are, and in what order,
        must not tell more than their words."""
        chosen = chosen_of(step.option)
        if step.seat == self.viewer:
            return {**step.context, **chosen}
        context = {name: slot for name, slot in step.context.items() if name not in step.closed}
        return {**context, **{name: slot for name, slot in chosen.items() if not step.secret or name not in step.closed}}

    def item(self, text: str, where: Midst, came: bool = False, mine: int = 0, idle: bool = False) -> Item:
        parts = headings(where, self.teller)
        under = self.under(where)
        return Item(text, under, parts[-1] if parts else "", came, mine, idle, round=self.round(under) if where.round else "")

    def left(self, start: int) -> tuple[str, ...]:
        """The headings of what was told last before a step."""
        if not start:
            return ()
        step = self.table.steps[start - 1]
        return self.under(next((told.midst for told in reversed(step.told) if self.teller.told(told)), asked_in(step)))

    def round(self, under: tuple[str, ...]) -> str:
        """The round among headings, where rounds have one."""
        return under[0] if self.numbered and under else ""

    def under(self, where: Midst) -> tuple[str, ...]:
        """The headings of something: the round, where rounds are long, and the parts of the course."""
        number = (self.teller.words.text("play.round", number=where.round),) if self.numbered and where.round else ()
        return number + headings(where, self.teller)

    # ------------------------------------------------------------ what need not be told

    def said_later(self, n: int) -> bool:
        """Whether a later answer of the same choice tells all that this one does (where from, when it is told next where from and to), or
        what came of it tells of just the same things."""
        steps, step = self.table.steps, self.table.steps[n]
        named = self.named(step)
        if not named or step.option.declines:
            return False
        done = {**self.heard_of(step), "who": (Of("Player"), step.seat)}
        things = self.things(done, self.teller.did_key(step), step)
        events = [(slots_of(told), self.teller.find([f"event.{told.key}"])) for told in step.told if not told.secret]
        if things and any(things == self.things(slots, key, step) for slots, key in events):
            return True
        for former, later in zip(steps[n:], steps[n + 1 :]):
            ends = (later.seat, chain(later)) != (step.seat, chain(step)) or later.key == step.key or later.option.declines
            if ends or any(self.teller.told(told) for told in former.told):
                return False
            if named.items() <= self.named(later).items():
                return True
        return False

    def named(self, step: Step) -> dict[str, object]:
        """What the sentence of a decision names, as this listener hears it; nothing where that is not all of it."""
        key = self.teller.did_key(step)
        if key is None or step.secret and self.viewer != step.seat:
            return {}
        slots = self.heard_of(step)
        seen, names = self.teller.words.spoken_of(key, slots), self.teller.words.names(key)
        others = {name: name for name in names if not any(is_about(name, slot) for slot in seen)}
        return {**{name: slots[name][1] for name in seen}, **others}

    def things(self, slots: Slots, key: str | None, step: Step) -> set[tuple[str, object]]:
        """The things and places that a sentence names, and numbers by their names; of players those who decide are left out."""
        names = self.teller.words.spoken_of(key, slots) if key is not None else ()
        named = {(kind.name if isinstance(kind, Of) else name, raw) for name, (kind, raw) in slots.items() if name in names}
        return {(name, raw) for name, raw in named if (self.owners.kind(name), raw) != (PLAYER, step.seat)}

    # ------------------------------------------------------------ whom it concerns

    def about_viewer(self, slots: Slots, position: Position | None) -> int:
        """How near these things are to the listener: 2 for themselves and what is theirs, 1 for a place where they have something."""
        return 0 if self.viewer is None else self.owners.nearness(slots, self.viewer, position)


def asked_in(step: Step) -> Midst:
    """Where the game waited for a decision."""
    return midst(step.before.game.module, step.before.s) if step.before is not None else Midst()


def slots_of(told: Told) -> Slots:
    return {name: (kind, raw) for name, kind, raw in told.slots}


def chain(step: Step) -> str:
    """The procedure whose choice a decision belongs to."""
    return step.key.partition(".")[0]


def whole(items: Sequence[Item], before: tuple[str, ...] = ()) -> list[tuple[str, bool]]:
    """All lines, each with whether it is a heading: what is new of one stands above the lines that it is for. `before`: the headings of
    what was told last."""
    out: list[tuple[str, bool]] = []
    for item in items:
        if item.under != before:
            same = next((n for n, (a, b) in enumerate(zip(item.under, before)) if a != b), min(len(item.under), len(before)))
            fresh = item.under[same:] or item.under[-1:]
            out += [(UNDER.join(fresh), True)] if fresh else []
            before = item.under
        out.append(("  " * item.came + item.text, False))
    return out


def weighty(item: Item) -> bool:
    """Whether a line concerns the listener's own things, or changes the course of the game."""
    return item.came and item.mine >= THEIRS or item.weight > 0 and not item.own


def short(items: Sequence[Item], most: int, before: str = "") -> tuple[list[str], int]:
    """The lines that matter most, and how many are left out, where any of these is worth a line. What concerns the listener matters more
    than what the game calls great, that more than the rest, and of the rest what happened last; nothing that was
    empty, and nothing that the listener chose, as long as there is anything else. What came of a decision brings that along, and leaves it
    out alone only where it befell the listener and there is no room for both. They stand in the order in which it happened, so that an
    effect stands below its cause, as in the whole story. Each line that belongs elsewhere than the one before begins with the innermost
    heading, and the first of a round with that too, unless it was told `before`."""
    told = [n for n, item in enumerate(items) if not item.own and not item.empty] or list(range(len(items)))
    great = [n for n in told if items[n].weight > 0 and items[n].mine < THEIRS]
    kept = great[-(most // 2):]                                    # however much is bad, and the other way round

    def rank(n: int) -> tuple[int, ...]:
        item = items[n]
        return n in kept, item.mine >= THEIRS, item.weight >= 0, item.mine, not item.idle, n
    best: list[int] = []
    for n in sorted(told, key=rank, reverse=True):
        cause = cause_of(items, n)
        new = [one for one in (n, cause) if one is not None and one in told and one not in best]
        if len(best) + len(new) > most and n in new and (items[n].mine >= THEIRS or n in kept):
            new = [n]
        if len(best) + len(new) <= most:
            best += new
    out: list[str] = []
    last, rounds = "", {before}
    for n in sorted(best):
        item = items[n]
        heading = UNDER.join(filter(None, (item.round if item.round not in rounds else "", item.part if item.part != last else "")))
        below = "  " if not heading and cause_of(items, n) in best else ""
        out.append(f"{heading}. {item.text}" if heading else below + item.text)
        last = item.part
        rounds.add(item.round)
    return out, len(items) - len(out) if len(told) > len(out) else 0


def cause_of(items: Sequence[Item], n: int) -> int | None:
    """The decision that a line came of, where it stands below the same headings; None of a decision."""
    if not items[n].came:
        return None
    m = next((m for m in range(n - 1, -1, -1) if not items[m].came), None)
    return m if m is not None and items[m].under == items[n].under else None
