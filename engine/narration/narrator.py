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

from ...dsl.diagnostics.sanitize import visible
from ...dsl.model.model import Enumeration
from ...dsl.types.types import INT, BagOf, Bool, Int, ListOf, Maybe, Of, PileOf, SetOf, Type
from ..i18n import Counted, Noun, Proper, Value, Words
from ..i18n.placeholders import Known, clause_values
from ..i18n.readers import choice_key
from ..i18n.template import is_about
from ..match.table import Step
from ..position.call_context import Numbers
from ..position.inspect import look, printed
from ..position.options import Option
from ..position.position import Decision, Game, Position, Told
from ..position.visibility import in_sight

Slots = dict[str, tuple[Type, Any]]
WHEN = ".when."                      # behind a key: a text for when a state holds


class Teller:
    """Tells one game in one language. `names` are those of the players, by seat; "" where none was given."""

    def __init__(self, game: Game, words: Words, names: list[str] | None = None) -> None:
        self.game, self.words = game, words
        self.names = [visible(name, keep="") for name in names or []]    # each is one word on one line, wherever it stands
        self.moments: tuple[Position | Numbers, ...] = ()          # when things have the numbers by which they are called
        self.counted: dict[str, bool] = {}                         # by type, whether any thing has one then

    def at(self, *moments: Position | Numbers | None) -> Teller:
        """The same, calling things by the numbers that they have at these moments, of the first at which one has any. What happened is
        told with the numbers of then: a number may have gone, and the thing may have another one since."""
        known = tuple(moment for moment in moments if moment is not None)
        if not self.game.numbered or not known:
            return self
        found = copy(self)
        found.moments, found.counted = known, {}
        return found

    def number(self, domain: str, n: int) -> int | None:
        """The number of the rules by which a thing is called; 0 where it has none and others have; None where the rules number none."""
        enum = self.game.model.enum_of(domain)
        if enum is None or enum.name not in self.game.numbered:
            return None
        if number := self.given(enum.name, n):
            return number
        if enum.name not in self.counted:
            self.counted[enum.name] = any(self.given(enum.name, k) for k in range(len(enum)))
        return 0 if self.counted[enum.name] else None

    def given(self, domain: str, n: int) -> int:
        """The number that the rules give a thing at the first of the moments at which they give one; else 0."""
        found = (moment.number(domain, n) if isinstance(moment, Position) else moment.get((domain, n), 0) for moment in self.moments)
        return next(filter(None, found), 0)

    # ------------------------------------------------------------ values

    def who(self, seat: int) -> Value:
        """A player: by the given name, else as the game calls the seat, else by number."""
        if seat < len(self.names) and self.names[seat]:
            return Proper(self.names[seat])
        member = self.game.model.enums["Player"].members[seat]
        if self.words.has(f"Player.{member}.name"):
            return Noun(f"Player.{member}")
        return Proper(self.words.text("seat.name", seat=seat + 1), seat=True)

    def name(self, seat: int) -> str:
        """A player's name, standing alone."""
        from ..i18n.template import capital
        who = self.who(seat)
        return capital(who.text if isinstance(who, Proper) else self.words.value(who))

    def value(self, found: Type, raw: Any) -> Value:
        """A value of the rules as sentences take it."""
        codec = self.game.codec(found)
        if isinstance(found, Maybe):
            return self.value(found.of, raw) if codec.size(raw) else None
        if isinstance(found, Of):
            return self.member(found.name, raw)
        if isinstance(found, Bool):
            return bool(raw)
        if isinstance(found, Int):
            return int(raw)
        if isinstance(found, BagOf):
            kinds = [n for n, many in enumerate(raw) if many]
            enum = self.game.model.enum_of(found.of.name)
            if enum is not None and enum.kind in ("cells", "corners"):
                return [f"{self.label(enum, n)} ({raw[n]})" for n in kinds]
            return [Counted(raw[n], Noun(self.noun_key(found.of.name, n))) for n in kinds]
        if isinstance(found, SetOf | ListOf | PileOf):
            parts = codec.parts(raw)
            if isinstance(found.of, Of) and len(set(parts)) < len(parts) and self.is_enum(found.of.name):    # alike are counted
                return [self.value(found.of, part) if many == 1 else Counted(many, Noun(self.noun_key(found.of.name, part)))
                        for part, many in Counter(parts).items()]
            return [self.value(found.of, part) for part in parts]
        return str(raw)

    def is_enum(self, domain: str) -> bool:
        """Whether these are members of an enumeration of the game: no players, places or pieces."""
        enum = self.game.model.enum_of(domain)
        return enum is not None and enum.kind == "enum"

    def member(self, domain: str, n: int) -> Value:
        """A member of an enumeration, a cell, a corner, a piece, a player."""
        enum = self.game.model.enum_of(domain)
        assert enum is not None
        if enum.kind == "player":
            return self.who(n)
        if enum.kind == "open":
            return Proper(self.game.spell(Of(domain), n))
        if enum.kind in ("cells", "corners"):
            return Proper(self.label(enum, n))
        alike = bool(enum.kinds) and enum.alike[enum.kinds[n]] > 1
        number = self.number(domain, n)
        return Noun(self.noun_key(domain, n), number or (enum.number(n) if alike and number is None else None))

    def label(self, enum: Enumeration, n: int) -> str:
        """The label of a cell or a corner."""
        return self.words.corner(enum.members[n]) if enum.kind == "corners" else enum.members[n]

    def caption(self, name: str, *sections: str) -> str:
        """What the game calls one of its values: its text in the first of these sections that has one, else its name."""
        key = next((key for section in sections if self.words.has(key := f"{section}.{name}")), None)
        return self.words.text(key) if key is not None else self.words.unnamed(name)

    def noun_key(self, domain: str, n: int) -> str:
        enum = self.game.model.enum_of(domain)
        assert enum is not None
        return f"{enum.name}.{enum.called(n)}"

    # ------------------------------------------------------------ sentences

    def find(self, keys: Iterable[str]) -> str | None:
        """The first of these keys that has a text, each with and without the case in brackets."""
        for key in keys:
            head, bracket, rest = key.partition("[")
            for form in (key, head + rest.partition("]")[2] if bracket else key):
                if self.words.has(form):
                    return form
        return None

    def say(self, key: str, seat: int, slots: Slots, position: Position | None = None) -> str:
        """The sentence `key` about `slots`, and about what its fields name of the things in them, in `position` as `seat` sees it."""
        return self.sentence(key, {**slots, "who": (Of("Player"), seat)}, position, seat)

    def sentence(self, key: str, slots: Slots, position: Position | None = None, viewer: int | None = None, **more: Value) -> str:
        """The sentence `key` about `slots`; `more` are fields that are words already."""
        here = self.at(position)
        args = {name: here.value(kind, raw) for name, (kind, raw) in slots.items()} | more
        key = self.words.form(key, args.get("n"))
        for name in self.words.names(key) - args.keys():
            found = here.part(name, slots, viewer, position)
            if found is not None:
                args[name] = here.value(*found)
            elif name in self.clause_values:
                args[name] = self.clause_values[name]
        return self.words.text(key, **args)

    def part(self, name: str, slots: Slots, seat: int | None, position: Position | None) -> tuple[Type, Any] | None:
        """What `tower_price` means: the part `price` of the thing in the slot `tower`; None where that is nothing."""
        for slot, (kind, raw) in sorted(slots.items(), key=lambda pair: -len(pair[0])):
            found = kind.of if isinstance(kind, Maybe) else kind
            if name.startswith(slot + "_") and isinstance(found, Of) and (found is kind or self.game.codec(kind).size(raw)):
                rest = name[len(slot) + 1 :]
                if rest == "number" and (number := self.at(position).number(found.name, raw)):
                    return INT, number
                told = look(position, rest, found.name, raw, seat) if position else printed(self.game, rest, found.name, raw)
                if told is not None:
                    return told
        return None

    def ask(self, decision: Decision) -> str:
        """The question that waits."""
        slots = in_sight(decision)
        key = self.find([*self.whens("ask", decision.key, decision.seat, decision.position, slots), f"ask.{decision.key}"]) or "ask.generic"
        return self.say(key, decision.seat, slots, decision.position)

    def option(self, decision: Decision, option: Option) -> str:
        """An option of the decision that waits."""
        return self.choice(decision.key, decision.seat, option, in_sight(decision), decision.kind.several, decision.position)

    def choice(self, key: str, seat: int, option: Option, context: Slots, several: bool = False, position: Position | None = None) -> str:
        if option.declines:
            return self.say(self.declined_by(key, seat, several, position), seat, context, position)
        chosen = {name: (kind, raw) for name, kind, raw in option.values}
        keys = [f"option.{key}.{option.entry}"] if option.entry else []
        known = self.find([*keys, f"option.{key}"])
        if known is not None:
            return self.say(known, seat, {**context, **chosen}, position)
        here = self.at(position)
        said = self.words.list([here.value(kind, raw) for kind, raw in chosen.values()]) if chosen else ""
        entry = self.words.unnamed(option.entry) if option.entry else ""
        return ": ".join(part for part in (entry, said) if part)

    def declining(self, decision: Decision) -> str:
        """The key of the text that says what it means to decline this."""
        return self.declined_by(decision.key, decision.seat, decision.kind.several, decision.position)

    def declined_by(self, key: str, seat: int, several: bool, position: Position | None) -> str:
        """The same by what is asked; where it is another one for what is true now, in a position."""
        keys = [*self.whens("decline", key, seat, position), f"decline.{key}"] if position is not None else [f"decline.{key}"]
        return self.find(keys) or ("option.done" if several else "option.decline")

    def whens(self, word: str, key: str, seat: int, position: Position, slots: Slots | None = None) -> list[str]:
        """The texts for asking or declining a decision that are for what is true now; of what is in sight, also for a part of it."""
        bare = re.sub(r"\[\w+\]", "", key)
        return [text for form in dict.fromkeys((key, bare)) for text, name in self.conditions.get(f"{word}.{form}", ())
                if self.holds(name, seat, position) or self.is_so(name, slots or {}, seat, position)]

    def is_so(self, name: str, slots: Slots, seat: int | None, position: Position) -> bool:
        """Whether a part of something in these slots is true, more than 0 or not nothing."""
        part = self.part(name, slots, seat, position)
        if part is None:
            return False
        kind, raw = part
        return bool(raw) if isinstance(kind, Bool | Int) else isinstance(kind, Maybe) and bool(self.game.codec(kind).size(raw))

    def holds(self, name: str, seat: int, position: Position) -> bool:
        """Whether an open state of the game, or of this player, is true, or more than 0."""
        cell = self.game.cells.get(name)
        if cell is None or cell.state.seen != "open" or len(cell.enums) > 1 or any(enum.kind != "player" for enum in cell.enums):
            return False
        return bool(position.at(cell, [seat] * len(cell.enums)))

    @cached_property
    def conditions(self) -> dict[str, list[tuple[str, str]]]:
        """By the text that is said else, the texts that are for when a state holds, each with the state."""
        found: dict[str, list[tuple[str, str]]] = {}
        for key in self.words.english:
            base, when, name = key.rpartition(WHEN)
            if when:
                found.setdefault(base, []).append((key, name))
        return found

    def did(self, step: Step, viewer: int | None = None) -> str | None:
        """What somebody decided, told to `viewer` (None: to all), of things as they were called then; None where it is not for them to
        know."""
        return self.at(step.before).did_then(step, viewer)

    def did_then(self, step: Step, viewer: int | None) -> str | None:
        """The same, calling things as this teller does."""
        if step.secret and viewer != step.seat:
            return self.did_secretly(step)
        context = step.context if viewer == step.seat else {name: slot for name, slot in step.context.items() if name not in step.closed}
        found = self.did_key(step)
        if found is not None and self.names_closed(found, step) and viewer != step.seat:
            return self.did_secretly(step)
        if found is not None:
            return self.say(found, step.seat, {**context, **chosen_of(step.option)})
        said = self.choice(step.key, step.seat, step.option, context)
        return self.words.text("did.generic", who=self.who(step.seat), option=said)

    def did_key(self, step: Step) -> str | None:
        """The key of what a game says of a decision, to whoever may know all of it; None where it says nothing of its own."""
        if step.option.declines:
            return self.find([f"did.{step.key}.decline"])
        return self.find([*[f"did.{step.key}.{step.option.entry}"] * bool(step.option.entry), f"did.{step.key}"])

    def did_secretly(self, step: Step) -> str | None:
        """What the others hear of a decision whose options were not for them: no value that is still closed; None when nothing is left."""
        chosen = {name: slot for name, slot in chosen_of(step.option).items() if name not in step.closed}
        context = {name: slot for name, slot in step.context.items() if name not in step.closed}
        hidden = len(chosen) < len(step.option.values)
        keys = [f"did.{step.key}.decline"] if step.option.declines else [f"did.{step.key}.others"]
        keys = [f"did.{step.key}.{step.option.entry}.others", *keys] if step.option.entry else keys
        if not hidden and not step.option.declines:
            keys += [f"did.{step.key}.{step.option.entry}"] * bool(step.option.entry) + [f"did.{step.key}"]
        found = self.find([key for key in keys if not self.names_closed(key, step)])
        if found is not None:
            return self.say(found, step.seat, {**context, **chosen})
        if hidden and not chosen and not step.option.entry:
            return None
        option = replace(step.option, values=tuple(value for value in step.option.values if value[0] in chosen))
        generic = self.choice(f".{step.key}" if hidden else step.key, step.seat, option, context)     # no text of the option's own
        return self.words.text("did.generic", who=self.who(step.seat), option=generic)

    def names_closed(self, key: str, step: Step) -> bool:
        """Whether a text names something of a decision, or a part of it, that is still closed to the others."""
        known = {*step.context, *chosen_of(step.option)} - step.closed
        found = self.find([key])
        named = self.words.names(found) - known if found is not None else ()
        return any(is_about(name, slot) for name in named for slot in step.closed)

    @property
    def in_force(self) -> list[str]:
        """Which house rules are; nothing where none are."""
        laid = self.game.ruleset.source.laid
        names = [Proper(pack.name) for pack in laid.packs] if laid is not None else []
        return [self.words.text("play.house", n=len(names), names=names)] if names else []

    def told(self, told: Told) -> str | None:
        """An event; None for what chance gave when the game has no words for it."""
        if told.secret:
            return None
        slots, then = {name: (kind, raw) for name, kind, raw in told.slots}, self.at(told.numbers)
        if told.key == "chance":
            kind = told.slots[0][1]
            chance = self.find([f"event.chance.{kind.name if isinstance(kind, Of) else 'int'}"])
            return then.sentence(chance, slots) if chance else None
        key = self.find([f"event.{told.key}"])
        if key is not None:
            return then.sentence(key, slots)
        return self.words.text("event.generic", name=self.words.unnamed(told.key), values=[then.value(*slot) for slot in slots.values()])

    def story(self, step: Step, viewer: int | None = None, silent_alone: bool = True) -> list[str]:
        """A decision and all that came of it, line by line."""
        own = None if step.auto and silent_alone and step.option.declines else self.did(step, viewer)
        lines = [own, *(f"  {said}" for told in step.told if (said := self.told(told)))]
        return [line for line in lines if line]

    def clause(self, clause: str) -> str | None:
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
        chosen = (choice_key(clause, option, value) for option, value in self.game.model.settings.items())
        return next((said for said in chosen if said in self.words.english), key)

    def clauses_in(self, family: str) -> list[str]:
        """The clauses of a family that have a sentence: DS-EXE-01, DS-EXE-02 of DS-EXE."""
        clauses = (key.removeprefix("clause.") for key in self.words.english if key.startswith("clause."))
        return [clause for clause in clauses if clause.startswith(family + "-")]

    @cached_property
    def has_clauses(self) -> bool:
        """Whether the game has sentences for its clauses."""
        return any(key.startswith("clause.") for key in self.words.english)

    @cached_property
    def clause_values(self) -> Known:
        """What the sentences of clauses may name in this game."""
        return clause_values(self.game.model)


def chosen_of(option: Option) -> Slots:
    return {name: (kind, raw) for name, kind, raw in option.values}
