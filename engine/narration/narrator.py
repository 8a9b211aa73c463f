"""A game told in a language: what is asked, what an option means, what somebody did, what happened.

A game says these things in its messages (fields: the names in sight and what was chosen, and `who`, the player):

    ask.<decision>              the question                    "Where does {who} put a mark?"
    ask.<decision>.when.<state>     the same while this open state, or that of the one who decides, is true or more than 0; also
    ask.<decision>.when.<part>      while a part of something in sight is: `tower_shut`
    option.<decision>           an option                       "{cell}"
    option.<decision>.<entry>   an option of this menu entry
    decline.<decision>          to decline, or to stop
    decline.<decision>.when.<state>     the same while this open state, or that of the one who decides, is true or more than 0
    did.<decision>              told to the others              "{who} marks {cell}."
    did.<decision>.others       the same where the options were secret: it can only name what is open once the step is done
    did.<decision>.<entry>.others
    event.<name>                what a `tell` says
    event.chance.<Type>         what chance gave; not told without a message, for it may be nobody's business

Of a thing that stands in a field, a text may also name what is printed on it, and in questions and options what the position and the
rules say of it now: with `{tower}`, `{tower_price}` is its attribute, `{tower_height}` the state or the def `height` of it, and
`{guest_number}` the number by which people call it: that of the rules (`numbered:` in the data), else which of several alike pieces it is.

A key such as `build[tower].spot` is also found as `build.spot`. What a game does not say is said by the engine's own words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any

from ...dsl.diagnostics.sanitize import sanitize
from ...dsl.model.model import Enumeration
from ...dsl.types.types import INT, BagOf, Bool, Int, ListOf, MemberOf, OptionalOf, PileOf, SetOf, Type
from ..i18n import CountedNoun, Localizer, Noun, ProperName, TextValue
from ..i18n.placeholders import PlaceholderValues, clause_values
from ..i18n.readers import option_clause_key
from ..i18n.template import is_field_of_slot
from ..match.table import HistoryEntry
from ..position.call_context import PieceNumbers
from ..position.inspect import find_printed_value, look_up_value
from ..position.options import Option
from ..position.position import Decision, Game, GameEvent, Position
from ..position.visibility import visible_names

FieldValues = dict[str, tuple[Type, Any]]
CONDITION_SUFFIX = ".when."                      # behind a key: a text for when a state holds


class Narrator:
    """Tells one game in one language. `names` are those of the players, by seat; "" where none was given."""

    def __init__(self, game: Game, words: Localizer, names: list[str] | None = None) -> None:
        self.game, self.words = game, words
        self.names = [sanitize(name, keep="") for name in names or []]    # each is one word on one line, wherever it stands
        self.moments: tuple[Position | PieceNumbers, ...] = ()          # when things have the numbers by which they are called
        self.counted: dict[str, bool] = {}                         # by type, whether any thing has one then

    def with_numbers_at(self, *moments: Position | PieceNumbers | None) -> Narrator:
        """The same, calling things by the numbers that they have at these moments, of the first at which one has any. What happened is
        told with the numbers of then: a number may have gone, and the thing may have another one since."""
        known = tuple(moment for moment in moments if moment is not None)
        if not self.game.piece_number_readers or not known:
            return self
        found = copy(self)
        found.moments, found.counted = known, {}
        return found

    def piece_number(self, domain: str, n: int) -> int | None:
        """The number of the rules by which a thing is called; 0 where it has none and others have; None where the rules number none."""
        enum = self.game.model.enum_of(domain)
        if enum is None or enum.name not in self.game.piece_number_readers:
            return None
        if number := self.number_at_moments(enum.name, n):
            return number
        if enum.name not in self.counted:
            self.counted[enum.name] = any(self.number_at_moments(enum.name, k) for k in range(len(enum)))
        return 0 if self.counted[enum.name] else None

    def number_at_moments(self, domain: str, n: int) -> int:
        """The number that the rules give a thing at the first of the moments at which they give one; else 0."""
        found = (moment.piece_number(domain, n) if isinstance(moment, Position) else moment.get((domain, n), 0) for moment in self.moments)
        return next(filter(None, found), 0)

    # ------------------------------------------------------------ values

    def seat_value(self, seat: int) -> TextValue:
        """A player: by the given name, else as the game calls the seat, else by number."""
        if seat < len(self.names) and self.names[seat]:
            return ProperName(self.names[seat])
        member = self.game.model.enums["Player"].members[seat]
        if self.words.has(f"Player.{member}.name"):
            return Noun(f"Player.{member}")
        return ProperName(self.words.text("seat.name", seat=seat + 1), seat=True)

    def player_name(self, seat: int) -> str:
        """A player's name, standing alone."""
        from ..i18n.template import capitalize_first
        who = self.seat_value(seat)
        return capitalize_first(who.text if isinstance(who, ProperName) else self.words.value(who))

    def value(self, found: Type, raw: Any) -> TextValue:
        """A value of the rules as sentences take it."""
        codec = self.game.codec(found)
        if isinstance(found, OptionalOf):
            return self.value(found.of, raw) if codec.size(raw) else None
        if isinstance(found, MemberOf):
            return self.member_value(found.name, raw)
        if isinstance(found, Bool):
            return bool(raw)
        if isinstance(found, Int):
            return int(raw)
        if isinstance(found, BagOf):
            kinds = [n for n, many in enumerate(raw) if many]
            enum = self.game.model.enum_of(found.of.name)
            if enum is not None and enum.kind in ("cells", "corners"):
                return [f"{self.place_label(enum, n)} ({raw[n]})" for n in kinds]
            return [CountedNoun(raw[n], Noun(self.noun_key(found.of.name, n))) for n in kinds]
        if isinstance(found, SetOf | ListOf | PileOf):
            parts = codec.parts(raw)
            if isinstance(found.of, MemberOf) and len(set(parts)) < len(parts) and self.is_enum(found.of.name):    # alike are counted
                return [self.value(found.of, part) if many == 1 else CountedNoun(many, Noun(self.noun_key(found.of.name, part)))
                        for part, many in Counter(parts).items()]
            return [self.value(found.of, part) for part in parts]
        return str(raw)

    def is_enum(self, domain: str) -> bool:
        """Whether these are members of an enumeration of the game: no players, places or pieces."""
        enum = self.game.model.enum_of(domain)
        return enum is not None and enum.kind == "enum"

    def member_value(self, domain: str, n: int) -> TextValue:
        """A member of an enumeration, a cell, a corner, a piece, a player."""
        enum = self.game.model.enum_of(domain)
        assert enum is not None
        if enum.kind == "player":
            return self.seat_value(n)
        if enum.kind == "open":
            return ProperName(self.game.spell(MemberOf(domain), n))
        if enum.kind in ("cells", "corners"):
            return ProperName(self.place_label(enum, n))
        alike = bool(enum.kinds) and enum.copies_by_kind[enum.kinds[n]] > 1
        number = self.piece_number(domain, n)
        return Noun(self.noun_key(domain, n), number or (enum.copy_number(n) if alike and number is None else None))

    def place_label(self, enum: Enumeration, n: int) -> str:
        """The label of a cell or a corner."""
        return self.words.corner_label(enum.members[n]) if enum.kind == "corners" else enum.members[n]

    def caption(self, name: str, *sections: str) -> str:
        """What the game calls one of its values: its text in the first of these sections that has one, else its name."""
        key = next((key for section in sections if self.words.has(key := f"{section}.{name}")), None)
        return self.words.text(key) if key is not None else self.words.humanize_identifier(name)

    def noun_key(self, domain: str, n: int) -> str:
        enum = self.game.model.enum_of(domain)
        assert enum is not None
        return f"{enum.name}.{enum.kind_or_name(n)}"

    # ------------------------------------------------------------ sentences

    def find_key(self, keys: Iterable[str]) -> str | None:
        """The first of these keys that has a text, each with and without the case in brackets."""
        for key in keys:
            head, bracket, rest = key.partition("[")
            for form in (key, head + rest.partition("]")[2] if bracket else key):
                if self.words.has(form):
                    return form
        return None

    def sentence_for_seat(self, key: str, seat: int, slots: FieldValues, position: Position | None = None) -> str:
        """The sentence `key` about `slots`, and about what its fields name of the things in them, in `position` as `seat` sees it."""
        return self.sentence(key, {**slots, "who": (MemberOf("Player"), seat)}, position, seat)

    def sentence(self, key: str, slots: FieldValues, position: Position | None = None, viewer: int | None = None, **more: TextValue) -> str:
        """The sentence `key` about `slots`; `more` are fields that are words already."""
        here = self.with_numbers_at(position)
        args = {name: here.value(kind, raw) for name, (kind, raw) in slots.items()} | more
        key = self.words.key_for_number(key, args.get("n"))
        for name in self.words.names(key) - args.keys():
            found = here.find_part(name, slots, viewer, position)
            if found is not None:
                args[name] = here.value(*found)
            elif name in self.clause_values:
                args[name] = self.clause_values[name]
        return self.words.text(key, **args)

    def find_part(self, name: str, slots: FieldValues, seat: int | None, position: Position | None) -> tuple[Type, Any] | None:
        """What `tower_price` means: the part `price` of the thing in the slot `tower`; None where that is nothing."""
        for slot, (kind, raw) in sorted(slots.items(), key=lambda pair: -len(pair[0])):
            found = kind.of if isinstance(kind, OptionalOf) else kind
            if name.startswith(slot + "_") and isinstance(found, MemberOf) and (found is kind or self.game.codec(kind).size(raw)):
                rest = name[len(slot) + 1 :]
                if rest == "number" and (number := self.with_numbers_at(position).piece_number(found.name, raw)):
                    return INT, number
                told = (
                    look_up_value(position, rest, found.name, raw, seat)
                    if position
                    else find_printed_value(self.game, rest, found.name, raw)
                )
                if told is not None:
                    return told
        return None

    def question_text(self, decision: Decision) -> str:
        """The question that waits."""
        slots = visible_names(decision)
        key = (
            self.find_key([*self.conditional_keys("ask", decision.key, decision.seat, decision.position, slots), f"ask.{decision.key}"])
            or "ask.generic"
        )
        return self.sentence_for_seat(key, decision.seat, slots, decision.position)

    def option_text(self, decision: Decision, option: Option) -> str:
        """An option of the decision that waits."""
        return self.choice_text(decision.key, decision.seat, option, visible_names(decision), decision.kind.several, decision.position)

    def choice_text(
        self, key: str, seat: int, option: Option, context: FieldValues, several: bool = False, position: Position | None = None
    ) -> str:
        if option.declines:
            return self.sentence_for_seat(self.find_decline_key(key, seat, several, position), seat, context, position)
        chosen = {name: (kind, raw) for name, kind, raw in option.values}
        keys = [f"option.{key}.{option.entry}"] if option.entry else []
        known = self.find_key([*keys, f"option.{key}"])
        if known is not None:
            return self.sentence_for_seat(known, seat, {**context, **chosen}, position)
        here = self.with_numbers_at(position)
        said = self.words.list([here.value(kind, raw) for kind, raw in chosen.values()]) if chosen else ""
        entry = self.words.humanize_identifier(option.entry) if option.entry else ""
        return ": ".join(part for part in (entry, said) if part)

    def decline_key(self, decision: Decision) -> str:
        """The key of the text that says what it means to decline this."""
        return self.find_decline_key(decision.key, decision.seat, decision.kind.several, decision.position)

    def find_decline_key(self, key: str, seat: int, several: bool, position: Position | None) -> str:
        """The same by what is asked; where it is another one for what is true now, in a position."""
        keys = [*self.conditional_keys("decline", key, seat, position), f"decline.{key}"] if position is not None else [f"decline.{key}"]
        return self.find_key(keys) or ("option.done" if several else "option.decline")

    def conditional_keys(self, word: str, key: str, seat: int, position: Position, slots: FieldValues | None = None) -> list[str]:
        """The texts for asking or declining a decision that are for what is true now; of what is in sight, also for a part of it."""
        bare = re.sub(r"\[\w+\]", "", key)
        return [text for form in dict.fromkeys((key, bare)) for text, name in self.condition_keys.get(f"{word}.{form}", ())
                if self.is_open_state_true(name, seat, position) or self.is_truthy_part(name, slots or {}, seat, position)]

    def is_truthy_part(self, name: str, slots: FieldValues, seat: int | None, position: Position) -> bool:
        """Whether a part of something in these slots is true, more than 0 or not nothing."""
        part = self.find_part(name, slots, seat, position)
        if part is None:
            return False
        kind, raw = part
        return bool(raw) if isinstance(kind, Bool | Int) else isinstance(kind, OptionalOf) and bool(self.game.codec(kind).size(raw))

    def is_open_state_true(self, name: str, seat: int, position: Position) -> bool:
        """Whether an open state of the game, or of this player, is true, or more than 0."""
        cell = self.game.cells.get(name)
        if cell is None or cell.state.seen != "open" or len(cell.enums) > 1 or any(enum.kind != "player" for enum in cell.enums):
            return False
        return bool(position.raw_at(cell, [seat] * len(cell.enums)))

    @cached_property
    def condition_keys(self) -> dict[str, list[tuple[str, str]]]:
        """By the text that is said else, the texts that are for when a state holds, each with the state."""
        found: dict[str, list[tuple[str, str]]] = {}
        for key in self.words.english:
            base, when, name = key.rpartition(CONDITION_SUFFIX)
            if when:
                found.setdefault(base, []).append((key, name))
        return found

    def decision_text(self, step: HistoryEntry, viewer: int | None = None) -> str | None:
        """What somebody decided, told to `viewer` (None: to all), of things as they were called then; None where it is not for them to
        know."""
        return self.with_numbers_at(step.before).render_decision(step, viewer)

    def render_decision(self, step: HistoryEntry, viewer: int | None) -> str | None:
        """The same, calling things as this teller does."""
        if step.secret and viewer != step.seat:
            return self.secret_decision_text(step)
        context = step.context if viewer == step.seat else {name: slot for name, slot in step.context.items() if name not in step.closed}
        found = self.decision_text_key(step)
        if found is not None and self.names_hidden_field(found, step) and viewer != step.seat:
            return self.secret_decision_text(step)
        if found is not None:
            return self.sentence_for_seat(found, step.seat, {**context, **chosen_fields(step.option)})
        said = self.choice_text(step.key, step.seat, step.option, context)
        return self.words.text("did.generic", who=self.seat_value(step.seat), option=said)

    def decision_text_key(self, step: HistoryEntry) -> str | None:
        """The key of what a game says of a decision, to whoever may know all of it; None where it says nothing of its own."""
        if step.option.declines:
            return self.find_key([f"did.{step.key}.decline"])
        return self.find_key([*[f"did.{step.key}.{step.option.entry}"] * bool(step.option.entry), f"did.{step.key}"])

    def secret_decision_text(self, step: HistoryEntry) -> str | None:
        """What the others hear of a decision whose options were not for them: no value that is still closed; None when nothing is left."""
        chosen = {name: slot for name, slot in chosen_fields(step.option).items() if name not in step.closed}
        context = {name: slot for name, slot in step.context.items() if name not in step.closed}
        hidden = len(chosen) < len(step.option.values)
        keys = [f"did.{step.key}.decline"] if step.option.declines else [f"did.{step.key}.others"]
        keys = [f"did.{step.key}.{step.option.entry}.others", *keys] if step.option.entry else keys
        if not hidden and not step.option.declines:
            keys += [f"did.{step.key}.{step.option.entry}"] * bool(step.option.entry) + [f"did.{step.key}"]
        found = self.find_key([key for key in keys if not self.names_hidden_field(key, step)])
        if found is not None:
            return self.sentence_for_seat(found, step.seat, {**context, **chosen})
        if hidden and not chosen and not step.option.entry:
            return None
        option = replace(step.option, values=tuple(value for value in step.option.values if value[0] in chosen))
        generic = self.choice_text(f".{step.key}" if hidden else step.key, step.seat, option, context)     # no text of the option's own
        return self.words.text("did.generic", who=self.seat_value(step.seat), option=generic)

    def names_hidden_field(self, key: str, step: HistoryEntry) -> bool:
        """Whether a text names something of a decision, or a part of it, that is still closed to the others."""
        known = {*step.context, *chosen_fields(step.option)} - step.closed
        found = self.find_key([key])
        named = self.words.names(found) - known if found is not None else ()
        return any(is_field_of_slot(name, slot) for name in named for slot in step.closed)

    @property
    def active_pack_lines(self) -> list[str]:
        """Which house rules are; nothing where none are."""
        laid = self.game.ruleset.source.laid
        names = [ProperName(pack.name) for pack in laid.packs] if laid is not None else []
        return [self.words.text("play.house", n=len(names), names=names)] if names else []

    def event_text(self, told: GameEvent) -> str | None:
        """An event; None for what chance gave when the game has no words for it."""
        if told.secret:
            return None
        slots, then = {name: (kind, raw) for name, kind, raw in told.slots}, self.with_numbers_at(told.numbers)
        if told.key == "chance":
            kind = told.slots[0][1]
            chance = self.find_key([f"event.chance.{kind.name if isinstance(kind, MemberOf) else 'int'}"])
            return then.sentence(chance, slots) if chance else None
        key = self.find_key([f"event.{told.key}"])
        if key is not None:
            return then.sentence(key, slots)
        return self.words.text(
            "event.generic", name=self.words.humanize_identifier(told.key), values=[then.value(*slot) for slot in slots.values()]
        )

    def step_lines(self, step: HistoryEntry, viewer: int | None = None, silent_alone: bool = True) -> list[str]:
        """A decision and all that came of it, line by line."""
        own = None if step.auto and silent_alone and step.option.declines else self.decision_text(step, viewer)
        lines = [own, *(f"  {said}" for told in step.told if (said := self.event_text(told)))]
        return [line for line in lines if line]

    def clause_text(self, clause: str) -> str | None:
        """The sentence of a clause with its numbers, or None. If house rules change the clause or leave it out, it says so."""
        key, laid = self.clause_key(clause), self.game.ruleset.source.laid
        if laid is not None and clause in laid.void:
            pack, place = laid.void[clause]
            return self.words.text("house.clause", pack=pack, place=f"{place.path}:{place.line}")
        said = self.words.text(key, **self.clause_values) if key in self.words.english else None
        if said is not None and laid is not None and clause in laid.left_out and clause not in laid.clauses:
            pack, place = laid.left_out[clause]
            return self.words.text("house.clause.gone", pack=pack, place=f"{place.path}:{place.line}", before=said)
        return said

    def clause_key(self, clause: str) -> str:
        """The key of what a clause says under the options chosen. What house rules say anew, they say whatever was chosen."""
        key, laid = f"clause.{clause}", self.game.ruleset.source.laid
        if laid is not None and key in laid.texts.source:
            return key
        chosen = (option_clause_key(clause, option, value) for option, value in self.game.model.settings.items())
        return next((said for said in chosen if said in self.words.english), key)

    def clauses_of_family(self, family: str) -> list[str]:
        """The clauses of a family that have a sentence: DS-EXE-01, DS-EXE-02 of DS-EXE."""
        clauses = (key.removeprefix("clause.") for key in self.words.english if key.startswith("clause."))
        return [clause for clause in clauses if clause.startswith(family + "-")]

    @cached_property
    def has_clauses(self) -> bool:
        """Whether the game has sentences for its clauses."""
        return any(key.startswith("clause.") for key in self.words.english)

    @cached_property
    def clause_values(self) -> PlaceholderValues:
        """What the sentences of clauses may name in this game."""
        return clause_values(self.game.model)


def chosen_fields(option: Option) -> FieldValues:
    return {name: (kind, raw) for name, kind, raw in option.values}
