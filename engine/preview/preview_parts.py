"""The parts of a preview: events, changes of tracked values, the next decision, and the texts printed on things.

Each part comes with its section of the course, and with whether it concerns the deciding
player. preview_texts.py lists the text keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...dsl.model.model import Enumeration
from ...dsl.types.types import Bool, Int, MemberOf, OptionalOf, Type
from ..i18n.placeholders import text_placeholders
from ..narration.headings import part_names
from ..narration.narrator import FieldValues, Narrator
from ..narration.ownership import OwnershipIndex
from ..position.call_stack import CallContext
from ..position.observation import visible_names
from ..position.options import iter_things
from ..position.position import Decision, Game, GameEvent, Position
from ..table_view.theme import theme_of
from .lookahead import CoursePart, Lookahead, LookaheadResult, is_known
from .next_decision import next_decision_texts
from .option_preview import PreviewLine
from .tracked_values import TrackedValues, ValueChange, ValueKey


def describe_change(game: Game, change: ValueChange, more: bool = False) -> tuple[str, FieldValues, dict[str, str | int]]:
    """Returns how a changed value is described: the suffix of its text key, and the values and words that the text
    may use.

    The suffix is `less`, `none`, `not` or "" for the plain text, or `more` if the game has such a text."""
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
    """Returns the seats that are first in the standing, or none if that depends on masked values. A masked value
    that could only break a tie is not read if there is no tie."""
    left = list(range(position.game.players))
    for value in position.game.module.standing:
        try:
            values = [int(value(position.s, seat)) for seat in left]
        except Exception:                                          # any error from a placeholder
            return []
        left = [seat for seat, found in zip(left, values) if found == max(values)]
        if len(left) == 1:
            break
    return left


class PreviewTexts:
    """The texts about the outcomes of one decision's options, for the deciding player."""

    def __init__(self, decision: Decision, teller: Narrator, auto: bool = True, alone: int | None = None) -> None:
        self.decision, self.teller = decision, teller.with_numbers_at(decision.position)
        self.foresight = Lookahead(decision, auto, alone)
        self.around = part_names(CallContext(0, self.foresight.part), teller)
        self.owners = OwnershipIndex(teller.game)
        self.names: dict[CoursePart, str] = {}                           # of later sections of the course
        self.mine: set[PreviewLine] = set()                               # lines about the deciding player
        self.nexts: set[str] = set()                               # texts about the next decision
        self.outcomes: set[str] = set()                            # texts about how the match ends
        self.amounts: dict[str, tuple[int, int]] = {}              # by text: index of the value, and the amount gained
        self.told_of: dict[str, ValueChange] = {}                       # by text: the change that it reports
        self.counted: dict[str, tuple[object, int]] = {}           # by text of an event: what it counts, and the number
        self.numbered = bool(teller.game.piece_number_readers)                 # whether the names of things depend on the position
        self.heard: dict[object, tuple[bool, str]] = {}            # cache for events
        self.worded: dict[object, str | None] = {}                 # cache for changes
        names = theme_of(teller.game).watch
        self.declared = names is not None
        asked = [one.name for one in names or [] if one.applies_to(decision.key)]
        self.worth = TrackedValues(asked, self.foresight.start, decision.seat)     # what can be computed on this copy is known

    def preview_lines(
        self, ahead: LookaheadResult, only: set[ValueKey] | None = None, seen: set[ValueKey] | None = None
    ) -> list[PreviewLine]:
        """All that is said of what comes of an option, in its order; of values `only` those of these places are looked at, and what has
        changed is noted in `seen`."""
        return list(dict.fromkeys((under, said) for under, _, said in self.lines_with_ownership(ahead, only, seen)))

    def says_nothing(self, said: Iterable[PreviewLine]) -> bool:
        """Whether these lines are only about the next decision."""
        return all(one in self.nexts for _, one in said)

    def lines_with_ownership(
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
        lines.sort(key=lambda line: (places[line[0]], not line[1]))    # own lines first within each section
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
        """Whether the last line belongs to the later section of the course in which the lookahead was stopped."""
        return not ahead.sure and bool(said) and said[-1][0] == self.part_name(ahead.part) != ""

    def list_stages(self, ahead: LookaheadResult) -> list[tuple[str, Position]]:
        """Returns the sections of the course that an option leads through, each with its name and the position at its
        end. The name is "" for the section of the decision."""
        out: list[tuple[str, Position]] = []
        for part, after in (*ahead.marks, (ahead.part, ahead.after)):
            name = self.part_name(part) or (out[-1][0] if out else "")
            if out and out[-1][0] == name:
                out.pop()
            out.append((name, after))
        return out

    def part_name(self, part: CoursePart) -> str:
        """Returns the name of a later section of the course. It is "" for the section of the decision,
        and for sections that contain it or lie in it."""
        if part not in self.names:
            under = part_names(CallContext(0, part), self.teller)
            self.names[part] = "" if all(one == other for one, other in zip(self.around, under)) else under[-1]
        return self.names[part]

    def event_texts(self, events: Iterable[GameEvent]) -> list[tuple[bool, str]]:
        """Returns the texts of events, each with whether it concerns the deciding player. Events
        that differ only in the number {n} are added up."""
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
        """Returns whether an event concerns the deciding player, and its text. The result is cached,
        because many continuations lead to the same events."""
        same = key, tuple((name, raw) for name, (_, raw) in slots.items()), self.numbered and id(told)
        if same not in self.heard:
            own = any(self.owners.owner_of(kind, raw, self.decision.position) == self.decision.seat for kind, raw in slots.values())
            self.heard[same] = own, self.teller.with_numbers_at(told.numbers).sentence(key, slots) if key.startswith("short.") else key
        return self.heard[same]

    def is_own(self, change: ValueChange) -> bool:
        """Whether a change concerns the deciding player or something that belongs to them."""
        slots: list[tuple[Type, object]] = [(MemberOf(domain), n) for domain, n in change.about]
        slots += [(change.type, change.old), (change.type, change.new)]
        return any(self.owners.owner_of(kind, raw, self.decision.position) == self.decision.seat for kind, raw in slots)

    def is_reported_by_events(self, change: ValueChange, events: Iterable[GameEvent]) -> bool:
        """Whether events already report this loss: the same thing, and the same amount in total."""
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
        """Returns the text for a changed value, or None if it has no text. The result is cached."""
        same = change.place, change.old, change.new, later, self.numbered and id(change.then)
        if same not in self.worded:
            self.worded[same] = self.make_change_text(change, later)
        return self.worded[same]

    def make_change_text(self, change: ValueChange, later: bool) -> str | None:
        """Returns the text for a changed value without the cache, and records what the text stands for."""
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
            return None                                            # later losses are uncertain: the thing may be gone
        text = teller.with_numbers_at(self.decision.position, change.then).sentence(key, slots, None, self.decision.seat, **more)
        self.told_of[text] = change
        if isinstance(found, Int) and self.is_own(change) and teller.words.fields_used(key, ("change",)):
            self.amounts[text] = change.place[0], change.new - change.old
        return text

    def find_question(self, ahead: LookaheadResult) -> str | None:
        """Returns the question that follows, if the deciding player knows it and every value that it names."""
        decision = ahead.decision
        if decision is None or decision.kind.secret and decision.seat != self.decision.seat:
            return None
        if not all(is_known(raw) for _, raw in visible_names(decision).values()):
            return None
        try:
            return self.teller.question_text(decision)
        except Exception:                                          # the question depends on a masked value
            return None

    def iter_ending_texts(self, ahead: LookaheadResult) -> Iterable[str]:
        """Yields the text that the match ends, with the winner unless that depends on masked values."""
        words, first = self.teller.words, find_first_seats(ahead.after)
        who = [self.teller.seat_value(seat) for seat in first]
        if not who:
            yield words.text("play.over")
        elif len(who) == 1:
            yield words.text("foresee.winner", who=who[0])
        else:
            yield words.text("result.drawn") if len(who) == self.teller.game.players else words.text("result.shared", who=who)

    def thing_texts(self, code: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Returns the texts of the things that an option chooses, and the attribute texts of things without an own text.
        An attribute text is used only if it is the only one of its thing."""
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
        """Returns the text of a thing, or None."""
        key = f"{enum.name}.{(member := enum.kind_or_name(n))}.text"
        return (
            self.teller.words.text(key, **text_placeholders(self.teller.game.model, enum.name, member))
            if self.teller.words.has(key)
            else None
        )

    def iter_attribute_texts(self, enum: Enumeration, n: int) -> Iterator[str]:
        """Yields the texts of a thing's attributes, such as the text of the action that a place belongs to."""
        for attribute, kind in enum.attributes.items():
            other = self.teller.game.model.enum_of(kind.name) if isinstance(kind, MemberOf) else None
            if (
                other is not None
                and other.kind in ("enum", "pieces")
                and (text := self.thing_text(other, enum.values[attribute][n])) is not None
            ):
                yield text
