"""The narrator: sentences about the questions, moves, decisions and events of a match, in one language.

The game's messages contain these sentences. Their fields are the visible names, the chosen values, and `who`,
the player:

    ask.<decision>              the question                    "Where does {who} put a mark?"
    ask.<decision>.when.<state>     another question while a state is true or more than 0: an open state of the game or of the player
    ask.<decision>.when.<part>      the same for a part of a visible thing: `tower_shut`
    option.<decision>           a move                          "{cell}"
    option.<decision>.<entry>   a move of this menu entry
    decline.<decision>          to decline, or to stop choosing
    option.<decision>.when.<part>   another text for an option while a part of a chosen thing is true or not empty
    decline.<decision>.when.<state>     another text for declining while an open state is true or more than 0
    did.<decision>              the decision, for the others    "{who} marks {cell}."
    did.<decision>.others       the same if the moves were secret: it can only name what is public after the step
    did.<decision>.<entry>.others
    event.<name>                the sentence of an event (`tell`)
    event.<name>.others         the same for the players who do not hear its hidden values (`tell … to`)
    event.chance.<Type>         the result of a random draw; without this message it is not reported, since it may be secret

A text can also name a part of the thing in a field. With a field `{tower}`:

    {tower_price}       the printed attribute `price` of the tower
    {tower_height}      its state or def `height`; in questions and moves only
    {tower_number}      its number: from the rules (`numbered:` in the data), otherwise counted among pieces of the same kind

A key such as `build[tower].spot` also matches `build.spot`. The engine's own texts are used if the game has
none."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any

from ...dsl.diagnostics.diagnostic import Diagnostic, SourceSpan
from ...dsl.diagnostics.sanitize import sanitize
from ...dsl.model.model import PLACE_KINDS, Enumeration
from ...dsl.types.board_parts import PART_SIGNS
from ...dsl.types.types import INT, BagOf, Bool, Int, ListOf, MemberOf, OptionalOf, PileOf, SetOf, Type
from ..i18n import CountedNoun, DeferredMessage, Localizer, Noun, ProperName, TextValue
from ..i18n.placeholders import PlaceholderValues, clause_values
from ..i18n.readers import option_clause_key
from ..i18n.template import CONDITION_SUFFIX, capitalize_first, is_field_of_slot
from ..match.table import HistoryEntry
from ..position.call_stack import PieceNumbers
from ..position.inspect import find_printed_value, look_up_value
from ..position.observation import visible_names
from ..position.options import Option
from ..position.position import Decision, Game, GameEvent, Position, RuleError

FieldValues = dict[str, tuple[Type, Any]]
MAX_STEP_CHARS = 200_000                         # of the sentences about the events of one step


class Narrator:
    """The narrator of one game in one language. `names` are the players' names by seat, "" for a seat without a
    name."""

    def __init__(self, game: Game, words: Localizer, names: list[str] | None = None) -> None:
        self.game, self.words = game, words
        self.names = [sanitize(name, keep="") for name in names or []]    # one line each, without control characters
        self.moments: tuple[Position | PieceNumbers, ...] = ()          # where piece numbers are read
        self.counted: dict[str, bool] = {}                         # type → whether any piece has a number at these moments

    def with_numbers_at(self, *moments: Position | PieceNumbers | None) -> Narrator:
        """Returns a copy that uses the piece numbers of these moments. The first moment at which a piece has a number
        counts.

        Past events need the numbers of that time: a piece may have lost its number or got another one since."""
        known = tuple(moment for moment in moments if moment is not None)
        if not self.game.piece_number_readers or not known:
            return self
        _ = self.condition_keys                                    # so that all copies have it
        found = copy(self)
        found.moments, found.counted = known, {}
        return found

    def piece_number(self, domain: str, n: int) -> int | None:
        """Returns the number that the rules give a piece.

        Returns 0 if the piece has no number but others of its type do. Returns None if the rules number none of them."""
        enum = self.game.model.enum_of(domain)
        if enum is None or enum.name not in self.game.piece_number_readers:
            return None
        if number := self.number_at_moments(enum.name, n):
            return number
        if enum.name not in self.counted:
            self.counted[enum.name] = any(self.number_at_moments(enum.name, k) for k in range(len(enum)))
        return 0 if self.counted[enum.name] else None

    def number_at_moments(self, domain: str, n: int) -> int:
        """Returns the number of a piece at the first moment at which it has one, otherwise 0."""
        found = (moment.piece_number(domain, n) if isinstance(moment, Position) else moment.get((domain, n), 0) for moment in self.moments)
        return next(filter(None, found), 0)

    # ------------------------------------------------------------ values

    def seat_value(self, seat: int) -> TextValue:
        """Returns a player as a text value: the player's name, otherwise the game's name for the seat, otherwise the
        seat number."""
        if seat < len(self.names) and self.names[seat]:
            return ProperName(self.names[seat])
        member = self.game.model.enums["Player"].members[seat]
        if self.words.has(f"Player.{member}.name"):
            return Noun(f"Player.{member}")
        return ProperName(self.words.text("seat.name", seat=seat + 1), seat=True)

    def player_name(self, seat: int) -> str:
        """Returns a player's name as it appears outside a sentence, with a capital."""
        who = self.seat_value(seat)
        return capitalize_first(who.text if isinstance(who, ProperName) else self.words.value(who))

    def team_name(self, seat: int) -> str:
        """Returns the names of the players in a seat's team as they appear outside a sentence."""
        return self.words.list([ProperName(self.player_name(partner)) for partner in self.game.partners[seat]])

    def value(self, type_: Type, raw: Any) -> TextValue:
        """Converts a raw value of the rules into a value for a sentence."""
        codec = self.game.codec(type_)
        if isinstance(type_, OptionalOf):
            return self.value(type_.of, raw) if codec.size(raw) else None
        if isinstance(type_, MemberOf):
            return self.member_value(type_.name, raw)
        if isinstance(type_, Bool):
            return bool(raw)
        if isinstance(type_, Int):
            return int(raw)
        if isinstance(type_, BagOf):
            kinds = [n for n, many in enumerate(raw) if many]
            enum = self.game.model.enum_of(type_.of.name)
            if enum is not None and enum.kind in PLACE_KINDS:
                return [f"{self.place_label(enum, n)} ({raw[n]})" for n in kinds]
            return [CountedNoun(raw[n], Noun(self.noun_key(type_.of.name, n))) for n in kinds]
        if isinstance(type_, SetOf | ListOf | PileOf):
            parts = codec.parts(raw)
            if isinstance(type_.of, MemberOf) and len(set(parts)) < len(parts) and self.is_enum(type_.of.name):    # count duplicates
                return [self.value(type_.of, part) if many == 1 else CountedNoun(many, Noun(self.noun_key(type_.of.name, part)))
                        for part, many in Counter(parts).items()]
            return [self.value(type_.of, part) for part in parts]
        return str(raw)

    def is_enum(self, domain: str) -> bool:
        """Whether a type is an enum of the game, not players, places or pieces."""
        enum = self.game.model.enum_of(domain)
        return enum is not None and enum.kind == "enum"

    def member_value(self, domain: str, n: int) -> TextValue:
        """Returns a member of an enum, a place of a board, a piece or a player as a text value."""
        enum = self.game.model.enum_of(domain)
        assert enum is not None
        if enum.kind == "player":
            return self.seat_value(n)
        if enum.kind in PLACE_KINDS:
            return ProperName(self.place_label(enum, n))
        alike = bool(enum.kinds) and enum.copies_by_kind[enum.kinds[n]] > 1
        number = self.piece_number(domain, n)
        return Noun(self.noun_key(domain, n), number or (enum.copy_number(n) if alike and number is None else None))

    def place_label(self, enum: Enumeration, n: int) -> str:
        """Returns the label of a place of a board."""
        if enum.kind == "open" and enum.board is not None:
            return enum.board.open_cell_label(n)
        return self.words.part_label(enum.members[n]) if enum.kind in PART_SIGNS else enum.members[n]

    def caption(self, name: str, *sections: str) -> str:
        """Returns the caption of a value: its text in the first of these sections that has one, otherwise its readable
        name."""
        key = next((key for section in sections if self.words.has(key := f"{section}.{name}")), None)
        return self.words.text(key) if key is not None else self.words.humanize_identifier(name)

    def noun_key(self, domain: str, n: int) -> str:
        """Returns the lexicon key of a member, such as `Room.tower`."""
        enum = self.game.model.enum_of(domain)
        assert enum is not None
        return f"{enum.name}.{enum.kind_or_name(n)}"

    # ------------------------------------------------------------ sentences

    def find_key(self, keys: Iterable[str]) -> str | None:
        """Returns the first of these keys that has a text. Each key is tried with and without the case in brackets."""
        for key in keys:
            head, bracket, rest = key.partition("[")
            for form in (key, head + rest.partition("]")[2] if bracket else key):
                if self.words.has(form):
                    return form
        return None

    def sentence_for_seat(self, key: str, seat: int, slots: FieldValues, position: Position | None = None) -> str:
        """Returns the sentence `key` with `seat` as the player `who`. Parts of things are read in `position`, as the
        seat sees it."""
        return self.sentence(key, {**slots, "who": (MemberOf("Player"), seat)}, position, seat)

    def sentence(self, key: str, slots: FieldValues, position: Position | None = None, viewer: int | None = None, **more: TextValue) -> str:
        """Returns the sentence `key` with these field values. `more` are fields that are text values already."""
        return self.words.value(self.statement(key, slots, position, viewer, **more))

    def statement(
        self, key: str, slots: FieldValues, position: Position | None = None, viewer: int | None = None, **more: TextValue
    ) -> DeferredMessage:
        """Returns what `sentence` would say, as data."""
        here = self.with_numbers_at(position)
        args = {name: here.value(kind, raw) for name, (kind, raw) in slots.items()} | more
        key = self.words.key_for_number(key, args.get("n"))
        for name in self.words.names(key) - args.keys():
            found = here.find_part(name, slots, viewer, position)
            if found is not None:
                args[name] = here.value(*found)
            elif name in self.clause_values:
                args[name] = self.clause_values[name]
        return self.words.statement(key, **args)

    def find_part(self, name: str, slots: FieldValues, seat: int | None, position: Position | None) -> tuple[Type, Any] | None:
        """Resolves a field such as `tower_price`: type and raw value of the part `price` of the thing in the field
        `tower`.

        Returns None if there is no such part, or if `seat` may not see it."""
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
        """Returns the question of the pending decision."""
        slots = visible_names(decision)
        key = (
            self.find_key([*self.conditional_keys("ask", decision.key, decision.seat, decision.position, slots), f"ask.{decision.key}"])
            or "ask.generic"
        )
        return self.sentence_for_seat(key, decision.seat, slots, decision.position)

    def option_text(self, decision: Decision, option: Option) -> str:
        """Returns the text of a move of the pending decision."""
        return self.choice_text(decision.key, decision.seat, option, visible_names(decision), decision.kind.several, decision.position)

    def choice_text(
        self, key: str, seat: int, option: Option, context: FieldValues, several: bool = False, position: Position | None = None
    ) -> str:
        """Returns the text of a move of the decision `key`, or of its decline. Falls back to a list of the chosen
        values."""
        known = self.choice_statement(key, seat, option, context, several, position)
        if known is not None:
            return self.words.value(known)
        here = self.with_numbers_at(position)
        said = self.words.list([here.value(kind, raw) for _, kind, raw in option.values]) if option.values else ""
        entry = self.words.humanize_identifier(option.entry) if option.entry else ""
        return ": ".join(part for part in (entry, said) if part)

    def choice_statement(
        self, key: str, seat: int, option: Option, context: FieldValues, several: bool = False, position: Position | None = None
    ) -> DeferredMessage | None:
        """Returns what a move of the decision `key` is called, as data. Returns None if the game has no text for it."""
        who: FieldValues = {"who": (MemberOf("Player"), seat)}
        if option.declines:
            return self.statement(self.find_decline_key(key, seat, several, position), {**context, **who}, position, seat)
        chosen = {name: (kind, raw) for name, kind, raw in option.values}
        keys = [f"option.{key}.{option.entry}"] if option.entry else []
        keys.append(f"option.{key}")
        if position is not None:
            keys = [text for base in keys for text in (*self.conditional_option_keys(base, chosen, seat, position), base)]
        known = self.find_key(keys)
        return self.statement(known, {**context, **chosen, **who}, position, seat) if known is not None else None

    def decline_key(self, decision: Decision) -> str:
        """Returns the key of the text for declining this decision."""
        return self.find_decline_key(decision.key, decision.seat, decision.kind.several, decision.position)

    def find_decline_key(self, key: str, seat: int, several: bool, position: Position | None) -> str:
        """Returns the key of the text for declining a decision, by the decision's key.

        With a position, a text for a condition that is true there (`.when.`) has priority."""
        keys = [*self.conditional_keys("decline", key, seat, position), f"decline.{key}"] if position is not None else [f"decline.{key}"]
        return self.find_key(keys) or ("option.done" if several else "option.decline")

    def conditional_option_keys(self, base: str, chosen: FieldValues, seat: int, position: Position) -> list[str]:
        """Returns the keys of the texts of an option whose condition (`.when.`), a part of a chosen thing, is true now."""
        bare = re.sub(r"\[\w+\]", "", base)
        return [text for form in dict.fromkeys((base, bare)) for text, name in self.condition_keys.get(form, ())
                if self.is_truthy_part(name, chosen, seat, position)]

    def conditional_keys(self, word: str, key: str, seat: int, position: Position, slots: FieldValues | None = None) -> list[str]:
        """Returns the keys of the texts of a decision whose condition (`.when.`) is true now.

        `word` is `ask` or `decline`. A condition is a state, or a part of a thing in `slots`."""
        bare = re.sub(r"\[\w+\]", "", key)
        return [text for form in dict.fromkeys((key, bare)) for text, name in self.condition_keys.get(f"{word}.{form}", ())
                if self.is_open_state_true(name, seat, position) or self.is_truthy_part(name, slots or {}, seat, position)]

    def is_truthy_part(self, name: str, slots: FieldValues, seat: int | None, position: Position) -> bool:
        """Whether a part of a thing in these fields is true, not 0, or not empty."""
        part = self.find_part(name, slots, seat, position)
        if part is None:
            return False
        kind, raw = part
        return bool(raw) if isinstance(kind, Bool | Int) else not isinstance(kind, MemberOf) and bool(self.game.codec(kind).size(raw))

    def is_open_state_true(self, name: str, seat: int, position: Position) -> bool:
        """Whether an open state of the game, or of this player, is true or not 0."""
        cell = self.game.cells.get(name)
        if cell is None or cell.state.seen != "open" or len(cell.enums) > 1 or any(enum.kind != "player" for enum in cell.enums):
            return False
        return bool(position.raw_at(cell, [seat] * len(cell.enums)))

    @cached_property
    def condition_keys(self) -> dict[str, list[tuple[str, str]]]:
        """For each base key, the keys of its conditional texts, each with the name of its condition."""
        found: dict[str, list[tuple[str, str]]] = {}
        for key in self.words.english:
            base, when, name = key.rpartition(CONDITION_SUFFIX)
            if when:
                found.setdefault(base, []).append((key, name))
        return found

    def decision_text(self, step: HistoryEntry, viewer: int | None = None) -> str | None:
        """Returns the sentence about a decision for `viewer` (None: for everybody), with the piece numbers of that time.

        Returns None if the viewer may not know of it."""
        return self.with_numbers_at(step.before).render_decision(step, viewer)

    def render_decision(self, step: HistoryEntry, viewer: int | None) -> str | None:
        """Returns the sentence about a decision, with this narrator's piece numbers."""
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
        """Returns the key of the game's sentence about a decision, for a viewer who may know all of it. None if the game
        has none."""
        if step.option.declines:
            return self.find_key([f"did.{step.key}.decline"])
        return self.find_key([*[f"did.{step.key}.{step.option.entry}"] * bool(step.option.entry), f"did.{step.key}"])

    def secret_decision_text(self, step: HistoryEntry) -> str | None:
        """Returns the sentence about a secret decision for the other seats.

        It contains no value that is still hidden. Returns None if nothing can be said."""
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
        generic = self.choice_text(f".{step.key}" if hidden else step.key, step.seat, option, context)     # no text has this key
        return self.words.text("did.generic", who=self.seat_value(step.seat), option=generic)

    def names_hidden_field(self, key: str, step: HistoryEntry) -> bool:
        """Whether a text names something of a decision, or a part of it, that is still hidden from the other seats."""
        known = {*step.context, *chosen_fields(step.option)} - step.closed
        found = self.find_key([key])
        named = self.words.names(found) - known if found is not None else ()
        return any(is_field_of_slot(name, slot) for name in named for slot in step.closed)

    @property
    def active_pack_lines(self) -> list[str]:
        """The sentence that lists the active house-rule packs, in a list that is empty without packs."""
        overlay = self.game.ruleset.source.overlay
        names = [ProperName(pack.name) for pack in overlay.packs] if overlay is not None else []
        return [self.words.text("play.house", n=len(names), names=names)] if names else []

    def event_text(self, event: GameEvent, viewer: int | None = None) -> str | None:
        """Returns the sentence about an event for `viewer` (None: for everybody).

        Returns None for a secret event, and for a random draw that the game has no text for."""
        said = self.event_statement(event.heard_by(viewer))
        return None if said is None else self.words.value(said)

    def event_text_key(self, event: GameEvent) -> str | None:
        """Returns the key of the game's sentence about an event, as somebody hears it. None if the game has none."""
        return self.find_key([f"event.{event.key}.others" if event.is_partial else f"event.{event.key}"])

    def event_statement(self, event: GameEvent) -> DeferredMessage | None:
        """Returns the sentence about an event, as somebody hears it (`heard_by`), as data."""
        if event.secret:
            return None
        slots, then = {name: (kind, raw) for name, kind, raw in event.slots}, self.with_numbers_at(event.numbers)
        if event.key == "chance":
            kind = event.slots[0][1]
            chance = self.find_key([f"event.chance.{kind.name if isinstance(kind, MemberOf) else 'int'}"])
            return then.statement(chance, slots) if chance else None
        key = self.event_text_key(event)
        if key is not None:
            return then.statement(key, slots)
        if event.is_partial and self.find_key([f"event.{event.key}"]) is not None:
            return None                                            # the game has a sentence for the listeners only
        return self.words.statement(
            "event.generic", name=self.words.humanize_identifier(event.key), values=[then.value(*slot) for slot in slots.values()]
        )

    def event_texts(self, events: Iterable[GameEvent], viewer: int | None = None) -> Iterator[tuple[GameEvent, str]]:
        """Yields the events that have a sentence for `viewer` (None: for everybody), as the viewer hears them, and
        their sentences.

        Raises RuleError if the events of one step have too much text. Bots and simulations never build these sentences,
        so no step of the rules can count them."""
        left = MAX_STEP_CHARS
        for told in (event.heard_by(viewer) for event in events):
            said = self.event_text(told, viewer)
            if not said:
                continue
            left -= len(said)
            if left < 0:
                kind = next((kind for kind in self.game.module.events if kind.key == told.key), None)
                place = SourceSpan(kind.path, kind.line) if kind is not None else SourceSpan(self.game.model.path)
                raise RuleError(Diagnostic("F016", place, {"limit": MAX_STEP_CHARS}))
            yield told, said

    def step_lines(self, step: HistoryEntry, viewer: int | None = None, silent_alone: bool = True) -> list[str]:
        """Returns the sentences about a decision and its events, line by line.

        `silent_alone`: a forced decline is left out."""
        own = None if step.auto and silent_alone and step.option.declines else self.decision_text(step, viewer)
        lines = [own, *(f"  {said}" for _, said in self.event_texts(step.events, viewer))]
        return [line for line in lines if line]

    def clause_text(self, clause: str) -> str | None:
        """Returns the sentence of a clause with its numbers, or None. It reports if house rules change or remove the
        clause."""
        said, overlay = self.written_clause_text(clause), self.game.ruleset.source.overlay
        if said is None or overlay is None or clause not in overlay.struck_clauses:
            return said
        pack, place = overlay.struck_clauses[clause]
        key = "house.clause" if clause in overlay.void else "house.clause.gone"
        return self.words.text(key, pack=pack, place=f"{place.path}:{place.line}", before=said)

    def written_clause_text(self, clause: str) -> str | None:
        """Returns the sentence of a clause as it is written, even if house rules change or remove the rule."""
        key = self.clause_key(clause)
        return self.words.text(key, **self.clause_values) if key in self.words.english else None

    def clause_key(self, clause: str) -> str:
        """Returns the key of a clause's sentence under the chosen options. The sentence of a pack counts for all
        options."""
        key, overlay = f"clause.{clause}", self.game.ruleset.source.overlay
        if overlay is not None and key in overlay.texts.source:
            return key
        chosen = (option_clause_key(clause, option, value) for option, value in self.game.model.settings.items())
        return next((said for said in chosen if said in self.words.english), key)

    def clauses_of_family(self, family: str) -> list[str]:
        """Returns the clauses of a family that have a sentence: DS-EXE-01 and DS-EXE-02 of DS-EXE."""
        clauses = (key.removeprefix("clause.") for key in self.words.english if key.startswith("clause."))
        return [clause for clause in clauses if clause.startswith(family + "-")]

    @cached_property
    def has_clauses(self) -> bool:
        """Whether the game has sentences for its clauses."""
        return any(key.startswith("clause.") for key in self.words.english)

    @cached_property
    def clause_values(self) -> PlaceholderValues:
        """The placeholders that sentences of clauses may use in this game."""
        return clause_values(self.game.model)


def chosen_fields(option: Option) -> FieldValues:
    """Returns the chosen values of a move as field values."""
    return {name: (kind, raw) for name, kind, raw in option.values}
