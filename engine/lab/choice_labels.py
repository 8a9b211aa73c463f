"""Names for the things that were chosen, for reports.

A member such as a card has its own name. An answer is named by its question and by the part of its text that
all answers of its kind share. Fields that vary from game to game are replaced by an ellipsis. Brackets around
a field describe the situation, so they are left out. A label is therefore never that of one particular
example."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from ...dsl.analysis.decision_points import find_decision_points
from ...dsl.model.model import Enumeration
from ...dsl.types.board_parts import PART_SIGNS
from ...dsl.types.types import domain_of
from ..i18n import Noun, ProperName, TextValue
from ..i18n.template import capitalize_first, parse_template
from ..narration.narrator import Narrator
from .playout import GameResult

ACTION_GROUP = "actions"                  # the group of answers; every other group is named after an enum
ELLIPSIS = "…"
# later replaced by the ellipsis: every language has a form for it
PLACEHOLDER_COUNT = 97
FIELD_ASIDE_PATTERN = re.compile(r"\s*\([^()]*\{[^()]*\)")                       # brackets that contain a field
ADDRESSEE_PATTERN = re.compile(r"^\{who\}(~[\w.]+)?\s*[:,]\s*")            # the player who is asked, at the start of a question
OPEN_END_PATTERN = re.compile(rf"^[\s{ELLIPSIS}]*[:;,]\s*|\s*[:;,][\s{ELLIPSIS}]*$")   # punctuation next to an open field, at either end
KEY_WORD_PATTERN = re.compile(r"[a-z]\w*")      # the words in the key of a question
NAMED_KINDS = "enum", "pieces"            # kinds of enums whose members have names of their own
BOUNDED_PLACE_KINDS = "cells", *PART_SIGNS


class ChoiceLabels:
    """Labels for the things of one game in one language. The keys of things are those of `playout.chosen_things`.

    Enums that appear in `roles` of `games` get no group: to choose another player's house is to choose a player,
    and players are not reported."""

    def __init__(self, narrator: Narrator, games: Iterable[GameResult] = ()) -> None:
        self.narrator, self.words, self.model = narrator, narrator.words, narrator.game.model
        self.owned = {narrator.game.cells[name].enums[0].name for name in {name for game in games for name in game.roles}}

    @cached_property
    def questions_by_domain(self) -> dict[str, list[str]]:
        """The keys of the questions that offer members of each enum, one entry per use."""
        found: dict[str, list[str]] = {}
        for decision in find_decision_points(self.narrator.game.ruleset.program, self.narrator.game.ruleset.facts):
            for kind in decision.names.values():
                enum = self.model.enum_of(domain_of(kind) or "")
                if enum is not None:
                    found.setdefault(enum.name, []).append(decision.key)
        return found

    def group_of(self, thing: str) -> str | None:
        """Returns the group of a thing, or None if the thing means nothing by itself.

        That is a place that several questions offer, the only kind of piece, or a thing that stands for a player."""
        domain, _, member = thing.partition(".")
        enum = self.model.enums.get(domain)
        if enum is None:
            return ACTION_GROUP
        if enum.kind in BOUNDED_PLACE_KINDS:
            return ACTION_GROUP if len(self.questions_by_domain.get(enum.name, [])) == 1 else None
        return (
            enum.name
            if enum.kind in NAMED_KINDS and len(enum.first_index) > 1 and member in enum.first_index and enum.name not in self.owned
            else None
        )

    def is_reported(self, thing: str) -> bool:
        """Whether reports mention this thing."""
        return self.group_of(thing) is not None

    def group_heading(self, group: str) -> str:
        """Returns the heading of a group."""
        if group == ACTION_GROUP:
            return self.words.text("report.group.actions")
        return capitalize_first(self.words.value(Noun(group)))

    def label_all(self, things: Iterable[str]) -> dict[str, str]:
        """Returns a unique label for each of these things. Ambiguous labels are replaced by longer ones."""
        out: dict[str, str] = {}
        left = list(dict.fromkeys(things))
        for naming in (self.short_label, self.long_label, self.label_with_case, self.label_with_full_key):
            said = {thing: naming(thing) for thing in left}
            times = Counter([*said.values(), *out.values()])
            out |= {thing: name for thing, name in said.items() if name and times[name] == 1}
            left = [thing for thing in left if thing not in out]
        return out | {thing: thing for thing in left}

    # ------------------------------------------------------------ labels of one thing

    def short_label(self, thing: str) -> str:
        """Returns the name of a thing alone.

        An answer that declines also gets its question, since many questions use the same words for it."""
        enum, n = self.find_member(thing)
        if enum is not None:
            return self.long_label(thing) if enum.kind in BOUNDED_PLACE_KINDS else member_label(self.narrator, enum.name, n)
        key, entry = self.split_thing(thing)
        return self.answer_text(key, entry) if entry and entry != "decline" else self.long_label(thing)

    def long_label(self, thing: str) -> str:
        """Returns the label of a thing with its question, or with its kind if it is a member of an enum."""
        enum, n = self.find_member(thing)
        if enum is not None and enum.kind not in BOUNDED_PLACE_KINDS:
            return f"{member_label(self.narrator, enum.name, n)} ({self.words.value(Noun(enum.name))})"
        if enum is not None:
            keys = self.questions_by_domain.get(enum.name, [])
            return " ".join([*([self.question_text(keys[0])] if keys else []), member_label(self.narrator, enum.name, n)])
        key, entry = self.split_thing(thing)
        return f"{self.question_text(key)} {self.answer_text(key, entry)}".strip()

    def label_with_case(self, thing: str) -> str:
        """Returns the long label with the case of the procedure: several actions may ask the same question."""
        key = self.split_thing(thing)[0]
        case = re.search(r"\[(\w+)\]", key)
        of = next((member_label(self.narrator, enum.name, enum.first_index[case[1]]) for enum in self.model.enums.values()
                   if enum.kind in NAMED_KINDS and case[1] in enum.first_index), "") if case is not None else ""
        return f"{self.long_label(thing)} ({of or self.words.humanize_identifier(key.partition('.')[0])})"

    def label_with_full_key(self, thing: str) -> str:
        """Returns the long label with every word of the key that the question has in the rules."""
        key = self.split_thing(thing)[0]
        return f"{self.long_label(thing)} ({', '.join(map(self.words.humanize_identifier, KEY_WORD_PATTERN.findall(key)))})"

    def find_member(self, thing: str) -> tuple[Enumeration | None, int]:
        """Returns the enum and the index of a thing, or (None, 0) if it is not a member."""
        domain, _, member = thing.partition(".")
        enum = self.model.enums.get(domain)
        return (enum, enum.first_index[member]) if enum is not None and member in enum.first_index else (None, 0)

    def split_thing(self, thing: str) -> tuple[str, str]:
        """Returns the key of the question, and the menu entry, `decline` or ""."""
        if thing in self.decision_keys:
            return thing, ""
        key, _, entry = thing.rpartition(".")
        return key, entry

    @cached_property
    def decision_keys(self) -> set[str]:
        """The keys of all decisions of the game."""
        return {decision.key for decision in find_decision_points(self.narrator.game.ruleset.program, self.narrator.game.ruleset.facts)}

    def question_text(self, key: str) -> str:
        """Returns the text of a question, without the player and without the details of the situation."""
        found = self.narrator.find_key([f"ask.{key}"])
        said = self.open_template(found) if found is not None else ""
        return said or capitalize_first(self.words.humanize_identifier(key.rpartition(".")[2])) + ":"

    def answer_text(self, key: str, entry: str) -> str:
        """Returns the text of an answer, with its values left open."""
        if not entry:
            return ""
        if entry == "decline":
            return self.open_template(self.narrator.find_key([f"decline.{key}"]) or "option.decline")
        found = self.narrator.find_key([f"option.{key}.{entry}"])
        said = self.open_template(found) if found is not None else ""
        return said or capitalize_first(self.words.humanize_identifier(entry))

    def open_template(self, key: str) -> str:
        """Returns a text of the game with its fields replaced by an ellipsis."""
        template = ADDRESSEE_PATTERN.sub("", FIELD_ASIDE_PATTERN.sub("", self.words.template(key)))
        args: dict[str, TextValue] = {
            field.name: PLACEHOLDER_COUNT if field.noun else ProperName(ELLIPSIS) for field in parse_template(template).fields
        }
        known = {name: value for name, value in self.narrator.clause_values.items() if name in args}
        said = self.words.render(template, **{**args, **known}).replace(str(PLACEHOLDER_COUNT), ELLIPSIS)
        said = OPEN_END_PATTERN.sub("", re.sub(rf"{ELLIPSIS}[.{ELLIPSIS}]+", ELLIPSIS, said))
        if not any(letter.isalpha() for letter in said):
            return ""
        return said if said.startswith(ELLIPSIS) else capitalize_first(said)


def member_label(narrator: Narrator, domain: str, n: int) -> str:
    """Returns the name of a member of an enum, as it stands alone."""
    enum = narrator.game.model.enums[domain]
    if enum.kind in BOUNDED_PLACE_KINDS:
        return narrator.place_label(enum, n)
    return capitalize_first(narrator.words.value(Noun(narrator.noun_key(domain, n))))
