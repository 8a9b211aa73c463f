"""The changes that an outcome brings: events, changes of tracked values, the next decision, the end of the match; and the
texts printed on things.

Each change comes with its section of the course, and with whether it concerns the deciding
player. preview_texts.py lists the text keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ...dsl.model.model import PLACE_KINDS, Enumeration
from ...dsl.types.types import Bool, Int, MemberOf, OptionalOf, Type
from ..i18n import DeferredMessage
from ..narration.headings import list_section_names
from ..narration.member_texts import member_text
from ..narration.narrator import FieldValues, Narrator
from ..narration.ownership import OwnershipIndex
from ..narration.result_text import describe_result
from ..position.call_stack import CallContext
from ..position.observation import visible_names
from ..position.options import iter_things
from ..position.position import Decision, GameEvent, Position
from ..table_view.theme import theme_of
from .lookahead import CoursePart, Lookahead, LookaheadResult, is_known
from .next_decision import next_decision_statements
from .preview_change import PreviewChange
from .tracked_values import TrackedValues, ValueChange, ValueKey


def describe_change(narrator: Narrator, change: ValueChange, more: bool = False) -> tuple[str, FieldValues, dict[str, str | int]]:
    """Returns how a changed value is described: the suffix of its text key, and the values and words that the text
    may use.

    The suffix is `less`, `none`, `not` or "" for the plain text, or `more` if the game has such a text."""
    found = change.type
    slots: FieldValues = {name: (MemberOf(domain), n) for name, (domain, n) in zip(("it", "at"), change.about)}
    slots |= {"old": (found, change.old), "new": (found, change.new)}
    if isinstance(found, Int):
        by = change.new - change.old
        kind = "none" if not change.new else "less" if by < 0 else "more" if more and change.old > 0 else ""
        return kind, slots, {"change": narrator.words.format_signed_number(by), "by": abs(by), "n": abs(by)}
    if isinstance(found, Bool):
        return "" if change.new else "not", slots, {}
    if isinstance(found, OptionalOf):
        return "" if narrator.game.codec(found).size(change.new) else "none", slots, {}
    return "", slots, {}


def find_first_seats(position: Position) -> list[int] | None:
    """Returns the seats that are first in the standing, or None if nobody knows or if all play together for points.

    Masked values are unknown. One that could only break a tie is not read if there is no tie. A team that plays alone
    and loses is not first."""
    left = list(range(position.game.players))
    if len(position.game.teams) == 1 < len(left) and position.game.module.has_points:
        return None
    for value in position.game.module.standing:
        try:
            values = [int(value(position.s, seat)) for seat in left]
        except Exception:                                          # any error from a placeholder
            return None
        if len(position.game.teams) == 1 and not position.game.module.has_points:
            return left if values[0] > 0 else []
        left = [seat for seat, found in zip(left, values) if found == max(values)]
        if set(left) <= set(position.game.partners[left[0]]):
            break
    return left


class OutcomeChanges:
    """The changes that the outcomes of one decision's options bring, for the deciding player."""

    def __init__(self, decision: Decision, narrator: Narrator, auto: bool = True, seat: int | None = None) -> None:
        self.decision, self.narrator = decision, narrator.with_numbers_at(decision.position)
        self.foresight = Lookahead(decision, auto, seat)
        self.around = list_section_names(CallContext(0, self.foresight.part), narrator)
        self.owners = OwnershipIndex(narrator.game)
        self.names: dict[CoursePart, str] = {}                           # of later sections of the course
        self.heard: dict[object, PreviewChange] = {}               # caches: many continuations lead to the same changes
        self.made: dict[object, PreviewChange | None] = {}
        self.texts: dict[tuple[str, str], str | None] = {}
        self.numbered = bool(narrator.game.piece_number_readers)                 # whether the names of things depend on the position
        names = theme_of(narrator.game).watch
        self.declared = names is not None
        asked = [one.name for one in names or [] if one.applies_to(decision.key)]
        self.tracked = TrackedValues(asked, self.foresight.start, decision.seat)     # what can be computed on this copy is known

    def list_changes(
        self, outcome: LookaheadResult, keys: set[ValueKey] | None = None, seen: set[ValueKey] | None = None
    ) -> list[PreviewChange]:
        """Returns all changes of an outcome: by section of the course, in each the own ones first, then how the match ends
        or the next decision.

        `keys` restricts the tracked values to these keys. The keys of those that have changed are added to `seen`."""
        stages = self.list_stages(outcome)
        values: dict[str, list[ValueChange]] = {"": []}
        for (section, _), changed in zip(stages, self.tracked.list_changes(outcome, [stage for _, stage in stages[:-1]], keys)):
            values.setdefault(section, []).extend(changed)
        if seen is not None:
            seen.update(change.place for changed in values.values() for change in changed)
        events: dict[str, list[GameEvent]] = {section: [] for section in values}
        for event in outcome.events:
            events.setdefault(self.part_name(event.midst.calls), []).append(event)
        out: list[PreviewChange] = []
        for section, told in events.items():
            found = [*self.event_changes(told, section), *self.value_changes(values.get(section, ()), told, section)]
            out += sorted(found, key=lambda change: not change.own)
        return list(dict.fromkeys((*out, *(self.ending_changes(outcome) if outcome.over else self.next_changes(outcome)))))

    def is_last_change_cut_off(self, outcome: LookaheadResult, changes: Sequence[PreviewChange]) -> bool:
        """Whether the last change belongs to the later section of the course in which the lookahead was stopped."""
        return not outcome.sure and bool(changes) and changes[-1].cause == self.part_name(outcome.part) != ""

    def list_stages(self, outcome: LookaheadResult) -> list[tuple[str, Position]]:
        """Returns the sections of the course that an option leads through, each with its name and the position at its
        end. The name is "" for the section of the decision."""
        out: list[tuple[str, Position]] = []
        for part, after in (*outcome.marks, (outcome.part, outcome.after)):
            name = self.part_name(part) or (out[-1][0] if out else "")
            if out and out[-1][0] == name:
                out.pop()
            out.append((name, after))
        return out

    def part_name(self, part: CoursePart) -> str:
        """Returns the name of a later section of the course. It is "" for the section of the decision,
        and for sections that contain it or lie in it."""
        if part not in self.names:
            under = list_section_names(CallContext(0, part), self.narrator)
            self.names[part] = "" if all(one == other for one, other in zip(self.around, under)) else under[-1]
        return self.names[part]

    def event_changes(self, events: Iterable[GameEvent], section: str) -> Iterator[PreviewChange]:
        """Yields the changes that events report. Events that differ only in the number {n} are added up."""
        found: dict[DeferredMessage | tuple[str, object], tuple[GameEvent, int]] = {}
        for told in events:
            key = self.narrator.find_key([f"short.{told.key}"])
            if key is not None:
                spoken = self.narrator.words.fields_used(key, (name for name, _, _ in told.slots if name != "n"))
                what: DeferredMessage | tuple[str, object] = key, tuple((name, raw) for name, _, raw in told.slots if name in spoken)
                _, n = found.get(what, (told, 0))
                found[what] = told, n + next((raw for name, kind, raw in told.slots if name == "n" and isinstance(kind, Int)), 0)
            elif not self.declared and self.narrator.find_key([f"event.{told.key}"]) and (said := self.narrator.event_statement(told)):
                found.setdefault(said, (told, 0))
        for what, (told, n) in found.items():
            same = what, n, section, self.numbered and id(told)
            if same not in self.heard:
                self.heard[same] = self.make_event_change(what, told, n, section)
            yield self.heard[same]

    def make_event_change(self, what: DeferredMessage | tuple[str, object], event: GameEvent, n: int, section: str) -> PreviewChange:
        """Returns the change that an event reports, with the number `n`. `what` is its statement, or its key and what it
        counts."""
        slots: FieldValues = {name: (kind, raw) for name, kind, raw in event.slots}
        own = any(self.is_owned(kind, raw) for kind, raw in slots.values())
        if isinstance(what, DeferredMessage):
            return PreviewChange(what, cause=section, own=own)
        counted = isinstance(slots.get("n", (None,))[0], Int)
        slots |= {"n": (slots["n"][0], n)} if counted else {}
        says = self.narrator.with_numbers_at(event.numbers).statement(what[0], slots)
        return PreviewChange(says, cause=section, own=own, counts=(what, n) if counted else None)

    def is_owned(self, kind: Type, raw: object) -> bool:
        """Whether a value is the deciding player or something that belongs to them."""
        return self.owners.owner_of(kind, raw, self.decision.position) == self.decision.seat

    def is_own(self, change: ValueChange) -> bool:
        """Whether a change concerns the deciding player or something that belongs to them."""
        slots: list[tuple[Type, object]] = [(MemberOf(domain), n) for domain, n in change.about]
        slots += [(change.type, change.old), (change.type, change.new)]
        return any(self.is_owned(kind, raw) for kind, raw in slots)

    def value_changes(self, changed: Iterable[ValueChange], events: Sequence[GameEvent], section: str) -> Iterator[PreviewChange]:
        """Yields changes of tracked values that have a text and that these events do not report."""
        for change in changed:
            if not self.is_reported_by_events(change, events):
                found = self.value_change(change, bool(section))
                if found is not None:
                    yield replace(found, cause=section) if section else found

    def is_reported_by_events(self, change: ValueChange, events: Iterable[GameEvent]) -> bool:
        """Whether events already report this loss: the same thing, and the same amount in total."""
        if not isinstance(change.type, Int) or change.new >= change.old or not change.about:
            return False
        (domain, it), *_ = change.about
        said = 0
        for told in events:
            slots = {name: (kind, raw) for name, kind, raw in told.slots}
            about = any(isinstance(kind, MemberOf) and (kind.name, raw) == (domain, it) for kind, raw in slots.values())
            if about and "n" in slots and self.narrator.find_key([f"short.{told.key}"]) is not None:
                said += slots["n"][1]
        return bool(said == change.old - change.new)

    def value_change(self, value: ValueChange, later: bool = False) -> PreviewChange | None:
        """Returns the change of a tracked value, or None if it has no text. The result is cached."""
        same = value.place, value.old, value.new, later, self.numbered and id(value.then)
        if same not in self.made:
            self.made[same] = self.make_value_change(value, later)
        return self.made[same]

    def make_value_change(self, value: ValueChange, later: bool) -> PreviewChange | None:
        """Returns the change of a tracked value without the cache."""
        narrator, words, found, usual = self.narrator, self.narrator.words, value.type, f"worth.{value.name}"
        kind, slots, more = describe_change(narrator, value, not later and words.has(f"{usual}.more"))
        counts = self.is_amount_change(value)
        if counts and kind == "none" and value.new < value.old and not words.has(f"{usual}.none"):
            kind = "less"
        key = special if kind and words.has(special := f"{usual}.{kind}") else usual
        if not words.has(key) or key == usual and kind and not isinstance(found, Int):
            return None
        if later and key != usual and not counts and not isinstance(found, OptionalOf):
            return None                                            # later losses are uncertain: the thing may be gone
        says = narrator.with_numbers_at(self.decision.position, value.then).statement(key, slots, None, self.decision.seat, **more)
        own = self.is_own(value)
        return PreviewChange(says, value=value, own=own, gain=(value.place[0], value.new - value.old) if own and counts else None)

    def is_amount_change(self, change: ValueChange) -> bool:
        """Whether a change is a number whose text shows the amount. A text that only counts may describe a loss."""
        words, key = self.narrator.words, f"worth.{change.name}"
        return isinstance(change.type, Int) and words.has(key) and bool(words.fields_used(key, ("change", "by")))

    def next_changes(self, outcome: LookaheadResult) -> list[PreviewChange]:
        """Returns what is said about the next decision, and about those of other players who are asked the same in turn."""
        if outcome.decision is None:
            return []
        next_decision_changes = next_decision_statements(self.narrator, self.decision, outcome.decision)
        for others in self.foresight.iter_decisions_asked_in_turn(outcome) if next_decision_changes else ():
            first, *more = (next_decision_statements(self.narrator, self.decision, one) for one in others)
            next_decision_changes += [said for said in first if said not in next_decision_changes and all(said in other for other in more)]
        return [PreviewChange(said, kind="next") for said in next_decision_changes]

    def ending_changes(self, outcome: LookaheadResult) -> list[PreviewChange]:
        """Returns that the match ends, with the winner unless that depends on masked values."""
        first = find_first_seats(outcome.after)
        key, fields = ("play.over", {}) if first is None else describe_result(self.narrator, first, True, "foresee.winner")
        return [PreviewChange(self.narrator.words.statement(key, **fields), kind="end", own=True)]

    def find_question(self, outcome: LookaheadResult) -> str | None:
        """Returns the question that follows, if the deciding player knows it and every value that it names."""
        decision = outcome.decision
        if decision is None or decision.kind.secret and decision.seat != self.decision.seat:
            return None
        if not all(is_known(raw) for _, raw in visible_names(decision).values()):
            return None
        try:
            return self.narrator.question_text(decision)
        except Exception:                                          # the question depends on a masked value
            return None

    def thing_texts(self, code: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Returns the texts of the things that an option chooses, and the attribute texts of things without an own text.
        An attribute text is used only if it is the only one of its thing."""
        model, own, printed = self.narrator.game.model, [], []
        for domain, n in iter_things(self.narrator.game.codecs, self.decision.option(code).values):
            enum = model.enum_of(domain)
            if enum is None or enum.kind in ("player", *PLACE_KINDS):
                continue
            if (text := self.thing_text(enum, n)) is not None:
                own.append(text)
            elif len(found := list(self.iter_attribute_texts(enum, n))) == 1:
                printed += found
        return tuple(own), tuple(printed)

    def thing_text(self, enum: Enumeration, n: int) -> str | None:
        """Returns the text of a thing, or None."""
        key = enum.name, enum.kind_or_name(n)
        if key not in self.texts:
            self.texts[key] = member_text(self.narrator.game, self.narrator.words, *key)
        return self.texts[key]

    def iter_attribute_texts(self, enum: Enumeration, n: int) -> Iterator[str]:
        """Yields the texts of a thing's attributes, such as the text of the action that a place belongs to."""
        for attribute, kind in enum.attributes.items():
            other = self.narrator.game.model.enum_of(kind.name) if isinstance(kind, MemberOf) else None
            if (
                other is not None
                and other.kind in ("enum", "pieces")
                and (text := self.thing_text(other, enum.values[attribute][n])) is not None
            ):
                yield text
