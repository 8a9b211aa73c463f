"""What was chosen, in words: a thing by its name, an answer by the question and by what is common to all answers of its kind.

What changes from game to game in a question or an answer, its fields, is left open with an ellipsis; what stands in brackets around a field
says how things are at the time, and is left out. So no name is that of an example.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from ...dsl.analysis.decision_points import find_decision_points
from ...dsl.model.model import Enumeration
from ...dsl.types.types import domain_of
from ..i18n import Noun, ProperName, TextValue
from ..i18n.template import capitalize_first, parse_template
from ..narration.narrator import Narrator
from .playout import GameResult

ACTION_GROUP = "actions"                  # the group of answers; other groups are called as the enumeration of their things
ELLIPSIS = "…"
# stands where a number is counted, until it is left open: every language has one form for it
PLACEHOLDER_COUNT = 97
FIELD_ASIDE_PATTERN = re.compile(r"\s*\([^()]*\{[^()]*\)")                       # brackets with a field
ADDRESSEE_PATTERN = re.compile(r"^\{who\}(~[\w.]+)?\s*[:,]\s*")            # who is asked
OPEN_END_PATTERN = re.compile(rf"^[\s{ELLIPSIS}]*[:;,]\s*|\s*[:;,][\s{ELLIPSIS}]*$")   # nothing but an open field beside a colon
KEY_WORD_PATTERN = re.compile(r"[a-z]\w*")      # of the key of a question
NAMED_KINDS = "enum", "pieces"            # kinds of enumerations whose members have names of their own
PLACE_KINDS = "cells", "corners"


class ChoiceLabels:
    """The names of one game's things in one language. Things are called as in `playouts.things_of`. `games`: who had what in those is no
    matter of choice: whoever chooses somebody else's house chooses a player, and players are no things."""

    def __init__(self, teller: Narrator, games: Iterable[GameResult] = ()) -> None:
        self.teller, self.words, self.model = teller, teller.words, teller.game.model
        self.owned = {teller.game.cells[name].enums[0].name for name in {name for game in games for name in game.roles}}

    @cached_property
    def questions_by_domain(self) -> dict[str, list[str]]:
        """For each kind of thing the questions that choose one, as often as they choose one."""
        found: dict[str, list[str]] = {}
        for decision in find_decision_points(self.teller.game.ruleset.program, self.teller.game.ruleset.facts):
            for kind in decision.names.values():
                enum = self.model.enum_of(domain_of(kind) or "")
                if enum is not None:
                    found.setdefault(enum.name, []).append(decision.key)
        return found

    def group_of(self, thing: str) -> str | None:
        """To which group a thing belongs; None for what says nothing by itself: a place that several questions choose, the only kind of
        piece, what stands for a player."""
        domain, _, member = thing.partition(".")
        enum = self.model.enums.get(domain)
        if enum is None:
            return ACTION_GROUP
        if enum.kind in PLACE_KINDS:
            return ACTION_GROUP if len(self.questions_by_domain.get(enum.name, [])) == 1 else None
        return (
            enum.name
            if enum.kind in NAMED_KINDS and len(enum.first_index) > 1 and member in enum.first_index and enum.name not in self.owned
            else None
        )

    def is_reported(self, thing: str) -> bool:
        """Whether something is told of it."""
        return self.group_of(thing) is not None

    def group_heading(self, group: str) -> str:
        """What the things of a group are called."""
        if group == ACTION_GROUP:
            return self.words.text("report.group.actions")
        return capitalize_first(self.words.value(Noun(group)))

    def label_all(self, things: Iterable[str]) -> dict[str, str]:
        """A name for each of these things, no two alike."""
        out: dict[str, str] = {}
        left = list(dict.fromkeys(things))
        for naming in (self.short_label, self.long_label, self.label_with_case, self.label_with_full_key):
            said = {thing: naming(thing) for thing in left}
            times = Counter([*said.values(), *out.values()])
            out |= {thing: name for thing, name in said.items() if name and times[name] == 1}
            left = [thing for thing in left if thing not in out]
        return out | {thing: thing for thing in left}

    # ------------------------------------------------------------ one thing

    def short_label(self, thing: str) -> str:
        """By its own name; an answer that declines by its question too, for that is said in the same words of many."""
        enum, n = self.find_member(thing)
        if enum is not None:
            return self.long_label(thing) if enum.kind in PLACE_KINDS else member_label(self.teller, enum.name, n)
        key, entry = self.split_thing(thing)
        return self.answer_text(key, entry) if entry and entry != "decline" else self.long_label(thing)

    def long_label(self, thing: str) -> str:
        """With its question; a thing, with what it is."""
        enum, n = self.find_member(thing)
        if enum is not None and enum.kind not in PLACE_KINDS:
            return f"{member_label(self.teller, enum.name, n)} ({self.words.value(Noun(enum.name))})"
        if enum is not None:
            keys = self.questions_by_domain.get(enum.name, [])
            return " ".join([*([self.question_text(keys[0])] if keys else []), member_label(self.teller, enum.name, n)])
        key, entry = self.split_thing(thing)
        return f"{self.question_text(key)} {self.answer_text(key, entry)}".strip()

    def label_with_case(self, thing: str) -> str:
        """With the case that its question is of: the same is asked after several actions."""
        key = self.split_thing(thing)[0]
        case = re.search(r"\[(\w+)\]", key)
        of = next((member_label(self.teller, enum.name, enum.first_index[case[1]]) for enum in self.model.enums.values()
                   if enum.kind in NAMED_KINDS and case[1] in enum.first_index), "") if case is not None else ""
        return f"{self.long_label(thing)} ({of or self.words.humanize_identifier(key.partition('.')[0])})"

    def label_with_full_key(self, thing: str) -> str:
        """With all that its question is called in the rules."""
        key = self.split_thing(thing)[0]
        return f"{self.long_label(thing)} ({', '.join(map(self.words.humanize_identifier, KEY_WORD_PATTERN.findall(key)))})"

    def find_member(self, thing: str) -> tuple[Enumeration | None, int]:
        domain, _, member = thing.partition(".")
        enum = self.model.enums.get(domain)
        return (enum, enum.first_index[member]) if enum is not None and member in enum.first_index else (None, 0)

    def split_thing(self, thing: str) -> tuple[str, str]:
        """The key of the question, and the entry of the menu, `decline`, or nothing."""
        if thing in self.decision_keys:
            return thing, ""
        key, _, entry = thing.rpartition(".")
        return key, entry

    @cached_property
    def decision_keys(self) -> set[str]:
        return {decision.key for decision in find_decision_points(self.teller.game.ruleset.program, self.teller.game.ruleset.facts)}

    def question_text(self, key: str) -> str:
        """What is asked, whoever is asked and however things are."""
        found = self.teller.find_key([f"ask.{key}"])
        said = self.open_template(found) if found is not None else ""
        return said or capitalize_first(self.words.humanize_identifier(key.rpartition(".")[2])) + ":"

    def answer_text(self, key: str, entry: str) -> str:
        """What is answered, whatever it is answered with."""
        if not entry:
            return ""
        if entry == "decline":
            return self.open_template(self.teller.find_key([f"decline.{key}"]) or "option.decline")
        found = self.teller.find_key([f"option.{key}.{entry}"])
        said = self.open_template(found) if found is not None else ""
        return said or capitalize_first(self.words.humanize_identifier(entry))

    def open_template(self, key: str) -> str:
        """A text of the game with its fields left open."""
        template = ADDRESSEE_PATTERN.sub("", FIELD_ASIDE_PATTERN.sub("", self.words.template(key)))
        args: dict[str, TextValue] = {
            field.name: PLACEHOLDER_COUNT if field.noun else ProperName(ELLIPSIS) for field in parse_template(template).fields
        }
        known = {name: value for name, value in self.teller.clause_values.items() if name in args}
        said = self.words.render(template, **{**args, **known}).replace(str(PLACEHOLDER_COUNT), ELLIPSIS)
        said = OPEN_END_PATTERN.sub("", re.sub(rf"{ELLIPSIS}[.{ELLIPSIS}]+", ELLIPSIS, said))
        if not any(letter.isalpha() for letter in said):
            return ""
        return said if said.startswith(ELLIPSIS) else capitalize_first(said)


def member_label(teller: Narrator, domain: str, n: int) -> str:
    """A member of an enumeration, standing alone."""
    enum = teller.game.model.enums[domain]
    if enum.kind in PLACE_KINDS:
        return teller.place_label(enum, n)
    return capitalize_first(teller.words.value(Noun(teller.noun_key(domain, n))))
