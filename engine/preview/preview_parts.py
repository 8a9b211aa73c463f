"""The parts of what is said of an option: what happens, what is otherwise than before, who decides next, what is printed on things; each
with the part of the course that it belongs to and whether it is one's own. What the texts are called: see `saying`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...dsl.model.model import Enumeration
from ...dsl.types.types import Bool, Int, MemberOf, OptionalOf, Type
from ..i18n.placeholders import text_placeholders
from ..narration.headings import part_names
from ..narration.narrator import FieldValues, Narrator
from ..narration.ownership import OwnershipIndex
from ..position.call_context import CallContext
from ..position.options import iter_things
from ..position.position import Decision, Game, GameEvent, Position
from ..position.visibility import visible_names
from ..table_view.theme import theme_of
from .lookahead import CoursePart, Lookahead, LookaheadResult, is_known
from .next_decision import next_decision_texts
from .option_preview import PreviewLine
from .tracked_values import TrackedValues, ValueChange, ValueKey


def describe_change(game: Game, change: ValueChange, more: bool = False) -> tuple[str, FieldValues, dict[str, str | int]]:
    """Of a value that is otherwise than before: which of its texts tells it (`less`, `none`, `not`, "" for the first; `more` only where
    there is one), and what that may name: values of the rules, and words."""
    found = change.type
    slots: FieldValues = {name: (MemberOf(domain), n) for name, (domain, n) in zip(("it", "at"), change.about)}
    slots |= {"old": (found, change.old), "new": (found, change.new)}
    if isinstance(found, Int):
        by = change.new - change.old
        kind = "none" if not change.new else "less" if by < 0 else "more" if more and change.old > 0 else ""
        return kind, slots, {"change": f"{by:+}", "by": abs(by), "n": abs(by)}
    if isinstance(found, Bool):
        return "" if change.new else "not", slots, {}
    if isinstance(found, OptionalOf):
        return "" if game.codec(found).size(change.new) else "none", slots, {}
    return "", slots, {}


def find_first_seats(position: Position) -> list[int]:
    """The seats that are first in the standing; none where that rests on what is covered: a tie may, and not what comes before it."""
    left = list(range(position.game.players))
    for value in position.game.module.standing:
        try:
            values = [int(value(position.s, seat)) for seat in left]
        except Exception:                                          # what Python makes of a cover
            return []
        left = [seat for seat, found in zip(left, values) if found == max(values)]
        if len(left) == 1:
            break
    return left


class PreviewTexts:
    """What comes of the options of one decision, in words, for the one who decides."""

    def __init__(self, decision: Decision, teller: Narrator, auto: bool = True, alone: int | None = None) -> None:
        self.decision, self.teller = decision, teller.with_numbers_at(decision.position)
        self.foresight = Lookahead(decision, auto, alone)
        self.around = part_names(CallContext(0, self.foresight.part), teller)
        self.owners = OwnershipIndex(teller.game)
        self.names: dict[CoursePart, str] = {}                           # of later parts of the course
        self.mine: set[PreviewLine] = set()                               # what was said of one's own
        self.nexts: set[str] = set()                               # what was said of who decides next
        self.outcomes: set[str] = set()                            # what was said of how the game ends
        self.amounts: dict[str, tuple[int, int]] = {}              # by text, of which value it tells how much more one has of it
        self.told_of: dict[str, ValueChange] = {}                       # by text, the value that it tells of
        self.counted: dict[str, tuple[object, int]] = {}           # by text of an event, what it counts, and how many of it
        self.numbered = bool(teller.game.piece_number_readers)                 # whether what a thing is called depends on the position
        self.heard: dict[object, tuple[bool, str]] = {}            # what was said of events
        self.worded: dict[object, str | None] = {}                 # and of values
        names = theme_of(teller.game).worth
        self.declared = names is not None
        asked = [one.name for one in names or [] if one.applies_to(decision.key)]
        self.worth = TrackedValues(asked, self.foresight.start, decision.seat)     # what is reckoned there is known in each copy

    def list_texts(self, ahead: LookaheadResult, only: set[ValueKey] | None = None, seen: set[ValueKey] | None = None) -> list[PreviewLine]:
        """All that is said of what comes of an option, in its order; of values `only` those of these places are looked at, and what has
        changed is noted in `seen`."""
        return list(dict.fromkeys((under, said) for under, _, said in self.list_lines(ahead, only, seen)))

    def says_nothing(self, said: Iterable[PreviewLine]) -> bool:
        """Whether this says nothing but who decides next."""
        return all(one in self.nexts for _, one in said)

    def list_lines(
        self, ahead: LookaheadResult, only: set[ValueKey] | None = None, seen: set[ValueKey] | None = None
    ) -> list[tuple[str, bool, str]]:
        """The same, each with whether it is of one's own."""
        stages = self.list_stages(ahead)
        changes = self.worth.list_changes(ahead, [stage for _, stage in stages[:-1]], only)
        if seen is not None:
            seen.update(change.place for found in changes for change in found)
        told: dict[str, list[GameEvent]] = {under: [] for under, _ in stages}
        for event in ahead.told:
            told.setdefault(self.part_name(event.midst.calls), []).append(event)
        found: list[tuple[str, list[tuple[bool, str]]]] = [("", self.event_texts(told.get("", [])))]
        for under, changed in zip((under for under, _ in stages), changes):
            found.append((under, self.event_texts(told[under])))
            found.append((under, [(self.is_own(change), said) for change in changed if not self.is_reported_by_events(change, told[under])
                                  and (said := self.change_text(change, bool(under))) is not None]))
        found += [(under, self.event_texts(events)) for under, events in told.items()]
        lines = [(under, own, said) for under, some in found for own, said in some]
        places = {under: n for n, under in reversed([*enumerate(under for under, _ in found)])}
        lines.sort(key=lambda line: (places[line[0]], not line[1]))    # what is one's own before what is others', part by part
        if ahead.over:
            ends = list(self.iter_ending_texts(ahead))
            lines += [("", True, said) for said in ends]
            self.outcomes |= {*ends}
        elif ahead.decision is not None:
            nexts = next_decision_texts(self.teller, self.decision, ahead.decision)
            for others in self.foresight.iter_decisions_in_turn(ahead) if nexts else ():
                first, *more = (next_decision_texts(self.teller, self.decision, one) for one in others)
                nexts += [said for said in first if said not in nexts and all(said in other for other in more)]
            lines += [("", False, said) for said in nexts]
            self.nexts |= {*nexts}
        self.mine |= {(under, said) for under, own, said in lines if own}
        return lines

    def is_cut_off(self, ahead: LookaheadResult, said: Sequence[PreviewLine]) -> bool:
        """Whether the last that is said of an option comes from a later part of the course in whose middle all knowledge ends."""
        return not ahead.sure and bool(said) and said[-1][0] == self.part_name(ahead.part) != ""

    def list_stages(self, ahead: LookaheadResult) -> list[tuple[str, Position]]:
        """The parts of the course that an option leads through, by name ("": that in which it is chosen, and what belongs to it), each with
        the position at its end."""
        out: list[tuple[str, Position]] = []
        for part, after in (*ahead.marks, (ahead.part, ahead.after)):
            name = self.part_name(part) or (out[-1][0] if out else "")
            if out and out[-1][0] == name:
                out.pop()
            out.append((name, after))
        return out

    def part_name(self, part: CoursePart) -> str:
        """The name of a later part of the course; "" of the one in which is decided, of what lies in it and of what it lies in."""
        if part not in self.names:
            under = part_names(CallContext(0, part), self.teller)
            self.names[part] = "" if all(one == other for one, other in zip(self.around, under)) else under[-1]
        return self.names[part]

    def event_texts(self, events: Iterable[GameEvent]) -> list[tuple[bool, str]]:
        """What events say, each with whether it is of one's own; of those that say the same of some number, how many it is in all."""
        found: dict[tuple[str, tuple[tuple[str, object], ...]], tuple[GameEvent, int]] = {}
        for told in events:
            key = self.teller.find_key([f"short.{told.key}"])
            if key is None:
                said = self.teller.event_text(told) if not self.declared and self.teller.find_key([f"event.{told.key}"]) else None
                if said:
                    found.setdefault((said, ()), (told, 0))
                continue
            spoken = self.teller.words.fields_used(key, (name for name, _, _ in told.slots if name != "n"))
            named = tuple((name, raw) for name, _, raw in told.slots if name in spoken)
            _, n = found.get((key, named), (told, 0))
            found[key, named] = told, n + next((raw for name, kind, raw in told.slots if name == "n" and isinstance(kind, Int)), 0)
        out: list[tuple[bool, str]] = []
        for (key, named), (told, n) in found.items():
            slots: FieldValues = {name: (kind, raw) for name, kind, raw in told.slots}
            if "n" in slots and isinstance(slots["n"][0], Int):
                slots["n"] = slots["n"][0], n
            own, text = self.event_text(key, slots, told)
            if isinstance(slots.get("n", (None,))[0], Int):
                self.counted[text] = (key, named), n
            out.append((own, text))
        return out

    def event_text(self, key: str, slots: FieldValues, told: GameEvent) -> tuple[bool, str]:
        """Whether an event is of one's own, and what it says; the same comes of many ways to go on."""
        same = key, tuple((name, raw) for name, (_, raw) in slots.items()), self.numbered and id(told)
        if same not in self.heard:
            own = any(self.owners.owner_of(kind, raw, self.decision.position) == self.decision.seat for kind, raw in slots.values())
            self.heard[same] = own, self.teller.with_numbers_at(told.numbers).sentence(key, slots) if key.startswith("short.") else key
        return self.heard[same]

    def is_own(self, change: ValueChange) -> bool:
        """Whether a change is about the one who decides, or about something of theirs."""
        slots: list[tuple[Type, object]] = [(MemberOf(domain), n) for domain, n in change.about]
        slots += [(change.type, change.old), (change.type, change.new)]
        return any(self.owners.owner_of(kind, raw, self.decision.position) == self.decision.seat for kind, raw in slots)

    def is_reported_by_events(self, change: ValueChange, events: Iterable[GameEvent]) -> bool:
        """Whether events say it: of the same thing, that there is so much less."""
        if not isinstance(change.type, Int) or change.new >= change.old or not change.about:
            return False
        (domain, it), *_ = change.about
        said = 0
        for told in events:
            slots = {name: (kind, raw) for name, kind, raw in told.slots}
            about = any(isinstance(kind, MemberOf) and (kind.name, raw) == (domain, it) for kind, raw in slots.values())
            if about and "n" in slots and self.teller.find_key([f"short.{told.key}"]) is not None:
                said += slots["n"][1]
        return bool(said == change.old - change.new)

    def change_text(self, change: ValueChange, later: bool = False) -> str | None:
        """A value that is otherwise than before."""
        same = change.place, change.old, change.new, later, self.numbered and id(change.then)
        if same not in self.worded:
            self.worded[same] = self.make_change_text(change, later)
        return self.worded[same]

    def make_change_text(self, change: ValueChange, later: bool) -> str | None:
        teller, found = self.teller, change.type
        usual = f"worth.{change.name}"
        kind, slots, more = describe_change(teller.game, change, not later and teller.words.has(f"{usual}.more"))
        key = special if kind and teller.words.has(special := f"worth.{change.name}.{kind}") else usual if teller.words.has(usual) else None
        if (
            key is None
            or key == usual
            and kind
            and not isinstance(found, Int)
            or later
            and key != usual
            and not isinstance(found, OptionalOf)
        ):
            return None                                            # of numbers later on: what was in danger may have gone
        text = teller.with_numbers_at(self.decision.position, change.then).sentence(key, slots, None, self.decision.seat, **more)
        self.told_of[text] = change
        if isinstance(found, Int) and self.is_own(change) and teller.words.fields_used(key, ("change",)):
            self.amounts[text] = change.place[0], change.new - change.old
        return text

    def find_question(self, ahead: LookaheadResult) -> str | None:
        """The question that comes then, where the one who decides knows it and all that it names."""
        decision = ahead.decision
        if decision is None or decision.kind.secret and decision.seat != self.decision.seat:
            return None
        if not all(is_known(raw) for _, raw in visible_names(decision).values()):
            return None
        try:
            return self.teller.question_text(decision)
        except Exception:                                          # it names what rests on something covered
            return None

    def iter_ending_texts(self, ahead: LookaheadResult) -> Iterable[str]:
        """That it ends, and who has won where that does not rest on what is covered."""
        words, first = self.teller.words, find_first_seats(ahead.after)
        who = [self.teller.seat_value(seat) for seat in first]
        if not who:
            yield words.text("play.over")
        elif len(who) == 1:
            yield words.text("foresee.winner", who=who[0])
        else:
            yield words.text("result.drawn") if len(who) == self.teller.game.players else words.text("result.shared", who=who)

    def thing_texts(self, code: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The texts of the things that an option chooses; and of those without one, the text of what is printed on them, where only one
        thing there has a text."""
        model, own, printed = self.teller.game.model, [], []
        for domain, n in iter_things(self.teller.game.codecs, self.decision.option(code).values):
            enum = model.enum_of(domain)
            if enum is None or enum.kind in ("player", "cells", "corners", "open"):
                continue
            if (text := self.thing_text(enum, n)) is not None:
                own.append(text)
            elif len(found := list(self.iter_attribute_texts(enum, n))) == 1:
                printed += found
        return tuple(own), tuple(printed)

    def thing_text(self, enum: Enumeration, n: int) -> str | None:
        """The text of a thing."""
        key = f"{enum.name}.{(member := enum.kind_or_name(n))}.text"
        return (
            self.teller.words.text(key, **text_placeholders(self.teller.game.model, enum.name, member))
            if self.teller.words.has(key)
            else None
        )

    def iter_attribute_texts(self, enum: Enumeration, n: int) -> Iterator[str]:
        """The texts of the things that are printed on a thing: of a place, the text of the action that it belongs to."""
        for attribute, kind in enum.attributes.items():
            other = self.teller.game.model.enum_of(kind.name) if isinstance(kind, MemberOf) else None
            if (
                other is not None
                and other.kind in ("enum", "pieces")
                and (text := self.thing_text(other, enum.values[attribute][n])) is not None
            ):
                yield text
