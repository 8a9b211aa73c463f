"""What a scenario says of the answers to a decision, read against that decision: whose values they are, and which options they mean.

`corner=e2.ne` is the option that is spelt `corner=d2.e`; `cord=rose` can be no answer where `card` is chosen, and a test that it is not
offered would hold for ever.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...dsl.diagnostics.diagnostic import did_you_mean
from ...dsl.ir.metadata import Choice
from ...dsl.model.codec import Complaint
from ...dsl.types.types import INT, Int, Maybe, SetOf, Type
from ..position.options import Option, members_written
from ..position.position import Decision, Game

DECLINE = "decline"


class NoAnswer(Exception):
    """What cannot answer the decision at all: `key` is the message that says why."""

    def __init__(self, key: str, /, **args: Any) -> None:
        super().__init__(key)
        self.key, self.args_ = key, args


@dataclass(frozen=True)
class Wanted:
    """What is meant: an entry of a menu with values by name, or (`declines`) that nothing is chosen."""

    choice: Choice | None
    values: dict[str, Any]

    @property
    def whole(self) -> bool:
        """Whether it names every value, and so one option alone."""
        return self.choice is None or len(self.values) == len(self.choice.slots)

    def means(self, option: Option) -> bool:
        if self.choice is None or option.declines:
            return self.choice is None and option.declines
        return option.entry == self.choice.name and all(self.values.get(name, value) == value for name, _, value in option.values)


def read(decision: Decision, text: str, game: Game) -> Wanted:
    """The answer that a text means: `card=rose n=2`, `buy card=rose`, `decline`. Raises NoAnswer."""
    if text == DECLINE:
        return Wanted(None, {})
    words = text.split()
    choice = entry_of(decision, words, text, game)
    values: dict[str, Any] = {}
    slots = {slot.name: slot.type for slot in choice.slots}
    for word in words:
        name, equals, rest = word.partition("=")
        if not equals or name not in slots or name in values:
            meant = did_you_mean(name, [slot for slot in slots if slot not in values]) if equals else None
            raise no_answer(decision, text, game, text.replace(f"{name}=", f"{meant}=", 1) if meant else "")
        values[name] = value_of(slots[name], rest, game)
    return Wanted(choice, values)


def entry_of(decision: Decision, words: list[str], text: str, game: Game) -> Choice:
    """The way to answer that is meant; the word of a menu's entry is taken away from `words`."""
    ways = {choice.name: choice for choice in decision.kind.choices}
    if None in ways:
        return ways[None]
    word = words[0] if words and "=" not in words[0] else ""
    if word not in ways:
        meant = did_you_mean(word, [name for name in ways if name]) if word else None
        raise no_answer(decision, text, game, " ".join([meant, *words[1:]]) if meant else "")
    del words[0]
    return ways[word]


def value_of(found: Type, written: str, game: Game) -> Any:
    """The raw value of one word; a number may be one that is never offered."""
    inner = found.of if isinstance(found, Maybe) else found
    data: Any = written
    if isinstance(found, SetOf):
        data = members_written(written)
    if isinstance(inner, Int) and written.lstrip("-").isdigit():
        data, found = int(written), INT if inner is found else Maybe(INT)
    elif written in ("true", "false"):
        data = written == "true"

    def refuse(complaint: Complaint) -> None:
        raise NoAnswer("test.unknown_member" if complaint.kind == "member" else "test.wrong_value", **complaint.args)

    return game.codec(found).read(data, (), refuse)


def no_answer(decision: Decision, text: str, game: Game, meant: str = "") -> NoAnswer:
    return NoAnswer("test.no_answer", option=text, key=decision.key, forms=forms(decision, game), meant=meant)


def forms(decision: Decision, game: Game) -> str:
    """How a decision is answered: `buy flower=Flower n=1..3`, `decline`."""
    out = []
    for choice in decision.kind.choices:
        words = [choice.name] if choice.name else []
        out.append(" ".join([*words, *(f"{slot.name}=({slot.type})" for slot in choice.slots)]))
    return ", ".join(out + ([DECLINE] if decision.kind.optional else []))


__all__ = ["NoAnswer", "Wanted", "read"]
