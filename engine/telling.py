"""A game told in a language: what is asked, what an option means, what somebody did, what happened.

A game says these things in its messages (fields: the names in sight and what was chosen, and `who`, the player):

    ask.<decision>              the question                    "Where does {who} put a mark?"
    option.<decision>           an option                       "{cell}"
    option.<decision>.<entry>   an option of this menu entry
    decline.<decision>          to decline, or to stop
    did.<decision>              told to the others              "{who} marks {cell}."
    did.<decision>.others       the same where the decision is secret: only what all may know
    event.<name>                what a `tell` says
    event.chance.<Type>         what chance gave; not told without a message, for it may be nobody's business

A key such as `build[tower].spot` is also found as `build.spot`. What a game does not say is said by the engine's own words.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..dsl.boards import open_cell
from ..dsl.types import BagOf, Bool, Int, ListOf, Maybe, Of, PileOf, SetOf, Type
from .options import Decision, Option
from .position import Game, Told
from .table import Step
from .view import things
from .words import Counted, Noun, Proper, Value, Words

Slots = dict[str, tuple[Type, Any]]


class Teller:
    """Tells one game in one language. `names` are those of the players, by seat; "" where none was given."""

    def __init__(self, game: Game, words: Words, names: list[str] | None = None) -> None:
        self.game, self.words = game, words
        self.names = names or []

    # ------------------------------------------------------------ values

    def who(self, seat: int) -> Value:
        """A player: by the given name, else as the game calls the seat, else by number."""
        if seat < len(self.names) and self.names[seat]:
            return Proper(self.names[seat])
        member = self.game.model.enums["Player"].members[seat]
        if self.words.has(f"Player.{member}.name"):
            return Noun(f"Player.{member}")
        return Proper(self.words.text("seat.name", seat=seat + 1))

    def name(self, seat: int) -> str:
        """A player's name, standing alone."""
        from .words.template import capital
        return capital(self.words.value(self.who(seat)))

    def value(self, found: Type, raw: Any) -> Value:
        """A value of the rules as sentences take it."""
        if isinstance(found, Maybe):
            return None if raw is None or raw == -1 else self.value(found.of, raw)
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
                return [f"{enum.members[n]} ({raw[n]})" for n in kinds]
            return [Counted(raw[n], Noun(self.noun_key(found.of.name, n))) for n in kinds]
        if isinstance(found, SetOf | ListOf | PileOf):
            if isinstance(found.of, Of):
                return [self.member(found.of.name, n) for n in things(found, raw)]
            return [self.value(found.of, part) for part in (sorted(raw) if isinstance(raw, frozenset) else raw)]
        return str(raw)

    def member(self, domain: str, n: int) -> Value:
        """A member of an enumeration, a cell, a corner, a piece, a player."""
        enum = self.game.model.enum_of(domain)
        assert enum is not None
        if enum.kind == "player":
            return self.who(n)
        if enum.kind == "open":
            return Proper("{},{}".format(*open_cell(n)))
        if enum.kind in ("cells", "corners"):
            return Proper(enum.members[n])
        return Noun(self.noun_key(domain, n))

    def noun_key(self, domain: str, n: int) -> str:
        enum = self.game.model.enum_of(domain)
        assert enum is not None
        return f"{enum.name}.{enum.kinds[n] if enum.kinds else enum.members[n]}"

    # ------------------------------------------------------------ sentences

    def find(self, keys: Iterable[str]) -> str | None:
        """The first of these keys that has a text, each with and without the case in brackets."""
        for key in keys:
            head, bracket, rest = key.partition("[")
            for form in (key, head + rest.partition("]")[2] if bracket else key):
                if self.words.has(form):
                    return form
        return None

    def args(self, seat: int, *slots: Slots) -> dict[str, Value]:
        found: dict[str, Value] = {name: self.value(kind, raw) for group in slots for name, (kind, raw) in group.items()}
        found["who"] = self.who(seat)
        return found

    def ask(self, decision: Decision) -> str:
        """The question that waits."""
        key = self.find([f"ask.{decision.key}"]) or "ask.generic"
        return self.words.text(key, **self.args(decision.seat, decision.context()))

    def option(self, decision: Decision, option: Option) -> str:
        """An option of the decision that waits."""
        return self.choice(decision.key, decision.seat, option, decision.context(), decision.kind.several)

    def choice(self, key: str, seat: int, option: Option, context: Slots, several: bool = False) -> str:
        if option.declines:
            found = self.find([f"decline.{key}"]) or ("option.done" if several else "option.decline")
            return self.words.text(found, **self.args(seat, context))
        chosen = {name: (kind, raw) for name, kind, raw in option.values}
        keys = [f"option.{key}.{option.entry}"] if option.entry else []
        known = self.find([*keys, f"option.{key}"])
        if known is not None:
            return self.words.text(known, **self.args(seat, context, chosen))
        said = self.words.list([self.value(kind, raw) for kind, raw in chosen.values()]) if chosen else ""
        entry = option.entry.replace("_", " ") if option.entry else ""
        return ": ".join(part for part in (entry, said) if part)

    def did(self, step: Step, viewer: int | None = None) -> str | None:
        """What somebody decided, told to `viewer` (None: to all); None where it is not for them to know."""
        if step.secret and viewer != step.seat:
            found = self.find([f"did.{step.key}.others"])
            return self.words.text(found, **self.args(step.seat, step.context, chosen_of(step.option))) if found else None
        keys = [f"did.{step.key}.{step.option.entry}"] if step.option.entry else []
        if step.option.declines:
            keys = [f"did.{step.key}.decline"]
        found = self.find(keys if step.option.declines else [*keys, f"did.{step.key}"])
        if found is not None:
            return self.words.text(found, **self.args(step.seat, step.context, chosen_of(step.option)))
        said = self.choice(step.key, step.seat, step.option, step.context)
        return self.words.text("did.generic", who=self.who(step.seat), option=said)

    def told(self, told: Told) -> str | None:
        """An event; None for what chance gave when the game has no words for it."""
        slots = {name: self.value(kind, raw) for name, kind, raw in told.slots}
        if told.key == "chance":
            kind = told.slots[0][1]
            chance = self.find([f"event.chance.{kind.name if isinstance(kind, Of) else 'int'}"])
            return self.words.text(chance, **slots) if chance else None
        key = self.find([f"event.{told.key}"])
        if key is not None:
            return self.words.text(key, **slots)
        return self.words.text("event.generic", name=told.key.replace("_", " "), values=list(slots.values()))

    def story(self, step: Step, viewer: int | None = None, silent_alone: bool = True) -> list[str]:
        """A decision and all that came of it, line by line."""
        own = None if step.auto and silent_alone and step.option.declines else self.did(step, viewer)
        lines = [own, *(f"  {said}" for told in step.told if (said := self.told(told)))]
        return [line for line in lines if line]

    def clause(self, clause: str) -> str | None:
        """The sentence of a clause, or None."""
        return self.words.text(f"clause.{clause}") if self.words.has(f"clause.{clause}") else None


def chosen_of(option: Option) -> Slots:
    return {name: (kind, raw) for name, kind, raw in option.values}
