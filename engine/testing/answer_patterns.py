"""Parses the answers that scenarios write, and matches them against the options of a decision.

`corner=e2.ne` matches the option `corner=d2.e`, since both name the same corner. If a decision asks for
`card`, `cord=rose` is an error: otherwise a test that it is not offered would always pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...dsl.diagnostics.diagnostic import did_you_mean
from ...dsl.ir.metadata import DecisionBranch
from ...dsl.model.codec import DecodeProblem
from ...dsl.types.types import INT, Int, OptionalOf, Type
from ..errors import MessageError
from ..position.options import Option, parse_spelling

if TYPE_CHECKING:
    from ..position.position import Decision, Game

DECLINE = "decline"


class AnswerPatternError(MessageError):
    """Raised if a text can never answer the decision."""


@dataclass(frozen=True)
class AnswerPattern:
    """A parsed answer: a menu entry with values by name, or no choice at all (if it declines)."""

    choice: DecisionBranch | None
    values: dict[str, Any]

    @property
    def is_complete(self) -> bool:
        """Whether the pattern names every value, so that it matches only one option."""
        return self.choice is None or len(self.values) == len(self.choice.slots)

    def matches(self, option: Option) -> bool:
        """Whether an option matches the pattern."""
        if self.choice is None or option.declines:
            return self.choice is None and option.declines
        return option.entry == self.choice.name and all(self.values.get(name, value) == value for name, _, value in option.values)


def parse_answer(decision: Decision, text: str, game: Game) -> AnswerPattern:
    """Parses an answer: `card=rose n=2`, `buy card=rose`, `decline`. Raises AnswerPatternError."""
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
    """Returns the menu entry of the answer, and removes its name from `words`."""
    ways = {choice.name: choice for choice in decision.kind.choices}
    if None in ways:
        return ways[None]
    word = words[0] if words and "=" not in words[0] else ""
    if word not in ways:
        meant = did_you_mean(word, [name for name in ways if name]) if word else None
        raise pattern_error(decision, text, game, " ".join([meant, *words[1:]]) if meant else "")
    del words[0]
    return ways[word]


def parse_value(type_: Type, written: str, game: Game) -> Any:
    """Returns the raw value of one word. A number may be outside the range of the type."""
    inner = type_.of if isinstance(type_, OptionalOf) else type_
    data: Any = parse_spelling(type_, written)
    if isinstance(inner, Int) and written.lstrip("-").isdigit():
        data, type_ = int(written), INT if inner is type_ else OptionalOf(INT)
    elif written in ("true", "false"):
        data = written == "true"

    def reject(complaint: DecodeProblem) -> None:
        raise AnswerPatternError("test.unknown_member" if complaint.kind == "member" else "test.wrong_value", **complaint.args)

    return game.codec(type_).read(data, (), reject)


def pattern_error(decision: Decision, text: str, game: Game, suggestion: str = "") -> AnswerPatternError:
    """Returns the error for an answer that does not fit the decision. `suggestion` is a suggestion."""
    return AnswerPatternError("test.no_answer", option=text, key=decision.key, forms=answer_forms(decision, game), meant=suggestion)


def answer_forms(decision: Decision, game: Game) -> str:
    """Returns the possible forms of an answer, for messages: `buy flower=(Flower) n=(1..3), decline`."""
    out = []
    for choice in decision.kind.choices:
        words = [choice.name] if choice.name else []
        out.append(" ".join([*words, *(f"{slot.name}=({slot.type})" for slot in choice.slots)]))
    return ", ".join(out + ([DECLINE] if decision.kind.optional else []))


__all__ = ["AnswerPatternError", "AnswerPattern", "parse_answer"]
