"""What a scenario says of the answers to a decision, read against that decision: whose values they are, and which options they mean.

`corner=e2.ne` is the option that is spelt `corner=d2.e`; `cord=rose` can be no answer where `card` is chosen, and a test that it is not
offered would hold for ever.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...dsl.diagnostics.diagnostic import did_you_mean
from ...dsl.ir.metadata import DecisionBranch
from ...dsl.model.codec import DecodeProblem
from ...dsl.types.types import INT, Int, OptionalOf, SetOf, Type
from ..position.options import Option, parse_set_spelling
from ..position.position import Decision, Game

DECLINE = "decline"


class AnswerPatternError(Exception):
    """What cannot answer the decision at all: `key` is the message that says why."""

    def __init__(self, key: str, /, **args: Any) -> None:
        super().__init__(key)
        self.key, self.args_ = key, args


@dataclass(frozen=True)
class AnswerPattern:
    """What is meant: an entry of a menu with values by name, or (`declines`) that nothing is chosen."""

    choice: DecisionBranch | None
    values: dict[str, Any]

    @property
    def is_complete(self) -> bool:
        """Whether it names every value, and so one option alone."""
        return self.choice is None or len(self.values) == len(self.choice.slots)

    def matches(self, option: Option) -> bool:
        if self.choice is None or option.declines:
            return self.choice is None and option.declines
        return option.entry == self.choice.name and all(self.values.get(name, value) == value for name, _, value in option.values)


def parse_answer(decision: Decision, text: str, game: Game) -> AnswerPattern:
    """The answer that a text means: `card=rose n=2`, `buy card=rose`, `decline`. Raises NoAnswer."""
    if text == DECLINE:
        return AnswerPattern(None, {})
    words = text.split()
    choice = parse_entry(decision, words, text, game)
    values: dict[str, Any] = {}
    slots = {slot.name: slot.type for slot in choice.slots}
    for word in words:
        name, equals, rest = word.partition("=")
        if not equals or name not in slots or name in values:
            meant = did_you_mean(name, [slot for slot in slots if slot not in values]) if equals else None
            raise pattern_error(decision, text, game, text.replace(f"{name}=", f"{meant}=", 1) if meant else "")
        values[name] = parse_value(slots[name], rest, game)
    return AnswerPattern(choice, values)


def parse_entry(decision: Decision, words: list[str], text: str, game: Game) -> DecisionBranch:
    """The way to answer that is meant; the word of a menu's entry is taken away from `words`."""
    ways = {choice.name: choice for choice in decision.kind.choices}
    if None in ways:
        return ways[None]
    word = words[0] if words and "=" not in words[0] else ""
    if word not in ways:
        meant = did_you_mean(word, [name for name in ways if name]) if word else None
        raise pattern_error(decision, text, game, " ".join([meant, *words[1:]]) if meant else "")
    del words[0]
    return ways[word]


def parse_value(found: Type, written: str, game: Game) -> Any:
    """The raw value of one word; a number may be one that is never offered."""
    inner = found.of if isinstance(found, OptionalOf) else found
    data: Any = written
    if isinstance(found, SetOf):
        data = parse_set_spelling(written)
    if isinstance(inner, Int) and written.lstrip("-").isdigit():
        data, found = int(written), INT if inner is found else OptionalOf(INT)
    elif written in ("true", "false"):
        data = written == "true"

    def reject(complaint: DecodeProblem) -> None:
        raise AnswerPatternError("test.unknown_member" if complaint.kind == "member" else "test.wrong_value", **complaint.args)

    return game.codec(found).read(data, (), reject)


def pattern_error(decision: Decision, text: str, game: Game, meant: str = "") -> AnswerPatternError:
    return AnswerPatternError("test.no_answer", option=text, key=decision.key, forms=answer_forms(decision, game), meant=meant)


def answer_forms(decision: Decision, game: Game) -> str:
    """How a decision is answered: `buy flower=Flower n=1..3`, `decline`."""
    out = []
    for choice in decision.kind.choices:
        words = [choice.name] if choice.name else []
        out.append(" ".join([*words, *(f"{slot.name}=({slot.type})" for slot in choice.slots)]))
    return ", ".join(out + ([DECLINE] if decision.kind.optional else []))


__all__ = ["AnswerPatternError", "AnswerPattern", "parse_answer"]
