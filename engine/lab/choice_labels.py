"""What was chosen, in words: a thing by its name, an answer by the question and by what is common to all answers of its kind.

What changes from game to game in a question or an answer, its fields, is left open with an ellipsis; what stands in brackets around a field
says how things are at the time, and is left out. So no name is that of an example.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from ...dsl.analysis.decision_points import asked
from ...dsl.model.model import Enumeration
from ...dsl.types.types import domain_of
from ..i18n import Noun, Proper, Value
from ..i18n.template import capital, parse
from ..narration.narrator import Teller
from .playout import Played

ACTIONS = "actions"                  # the group of answers; other groups are called as the enumeration of their things
OPEN = "…"
MANY = 97                            # stands where a number is counted, until it is left open: every language has one form for it
ASIDE = re.compile(r"\s*\([^()]*\{[^()]*\)")                       # brackets with a field
SPOKEN_TO = re.compile(r"^\{who\}(~[\w.]+)?\s*[:,]\s*")            # who is asked
ENDS = re.compile(rf"^[\s{OPEN}]*[:;,]\s*|\s*[:;,][\s{OPEN}]*$")   # nothing but an open field beside a colon
PARTS = re.compile(r"[a-z]\w*")      # of the key of a question
FILLED = "enum", "pieces"            # kinds of enumerations whose members have names of their own
PLACES = "cells", "corners"


class Names:
    """The names of one game's things in one language. Things are called as in `playouts.things_of`. `games`: who had what in those is no
    matter of choice: whoever chooses somebody else's house chooses a player, and players are no things."""

    def __init__(self, teller: Teller, games: Iterable[Played] = ()) -> None:
        self.teller, self.words, self.model = teller, teller.words, teller.game.model
        self.owned = {teller.game.cells[name].enums[0].name for name in {name for game in games for name in game.roles}}

    @cached_property
    def asking(self) -> dict[str, list[str]]:
        """For each kind of thing the questions that choose one, as often as they choose one."""
        found: dict[str, list[str]] = {}
        for decision in asked(self.teller.game.ruleset.program, self.teller.game.ruleset.facts):
            for kind in decision.names.values():
                enum = self.model.enum_of(domain_of(kind) or "")
                if enum is not None:
                    found.setdefault(enum.name, []).append(decision.key)
        return found

    def group(self, thing: str) -> str | None:
        """To which group a thing belongs; None for what says nothing by itself: a place that several questions choose, the only kind of
        piece, what stands for a player."""
        domain, _, member = thing.partition(".")
        enum = self.model.enums.get(domain)
        if enum is None:
            return ACTIONS
        if enum.kind in PLACES:
            return ACTIONS if len(self.asking.get(enum.name, [])) == 1 else None
        return enum.name if enum.kind in FILLED and len(enum.first) > 1 and member in enum.first and enum.name not in self.owned else None

    def told(self, thing: str) -> bool:
        """Whether something is told of it."""
        return self.group(thing) is not None

    def heading(self, group: str) -> str:
        """What the things of a group are called."""
        if group == ACTIONS:
            return self.words.text("report.group.actions")
        return capital(self.words.value(Noun(group)))

    def of(self, things: Iterable[str]) -> dict[str, str]:
        """A name for each of these things, no two alike."""
        out: dict[str, str] = {}
        left = list(dict.fromkeys(things))
        for naming in (self.short, self.long, self.exact, self.deep):
            said = {thing: naming(thing) for thing in left}
            times = Counter([*said.values(), *out.values()])
            out |= {thing: name for thing, name in said.items() if name and times[name] == 1}
            left = [thing for thing in left if thing not in out]
        return out | {thing: thing for thing in left}

    # ------------------------------------------------------------ one thing

    def short(self, thing: str) -> str:
        """By its own name; an answer that declines by its question too, for that is said in the same words of many."""
        enum, n = self.member(thing)
        if enum is not None:
            return self.long(thing) if enum.kind in PLACES else named(self.teller, enum.name, n)
        key, entry = self.parts(thing)
        return self.answer(key, entry) if entry and entry != "decline" else self.long(thing)

    def long(self, thing: str) -> str:
        """With its question; a thing, with what it is."""
        enum, n = self.member(thing)
        if enum is not None and enum.kind not in PLACES:
            return f"{named(self.teller, enum.name, n)} ({self.words.value(Noun(enum.name))})"
        if enum is not None:
            keys = self.asking.get(enum.name, [])
            return " ".join([*([self.question(keys[0])] if keys else []), named(self.teller, enum.name, n)])
        key, entry = self.parts(thing)
        return f"{self.question(key)} {self.answer(key, entry)}".strip()

    def exact(self, thing: str) -> str:
        """With the case that its question is of: the same is asked after several actions."""
        key = self.parts(thing)[0]
        case = re.search(r"\[(\w+)\]", key)
        of = next((named(self.teller, enum.name, enum.first[case[1]]) for enum in self.model.enums.values()
                   if enum.kind in FILLED and case[1] in enum.first), "") if case is not None else ""
        return f"{self.long(thing)} ({of or self.words.unnamed(key.partition('.')[0])})"

    def deep(self, thing: str) -> str:
        """With all that its question is called in the rules."""
        key = self.parts(thing)[0]
        return f"{self.long(thing)} ({', '.join(map(self.words.unnamed, PARTS.findall(key)))})"

    def member(self, thing: str) -> tuple[Enumeration | None, int]:
        domain, _, member = thing.partition(".")
        enum = self.model.enums.get(domain)
        return (enum, enum.first[member]) if enum is not None and member in enum.first else (None, 0)

    def parts(self, thing: str) -> tuple[str, str]:
        """The key of the question, and the entry of the menu, `decline`, or nothing."""
        if thing in self.keys:
            return thing, ""
        key, _, entry = thing.rpartition(".")
        return key, entry

    @cached_property
    def keys(self) -> set[str]:
        return {decision.key for decision in asked(self.teller.game.ruleset.program, self.teller.game.ruleset.facts)}

    def question(self, key: str) -> str:
        """What is asked, whoever is asked and however things are."""
        found = self.teller.find([f"ask.{key}"])
        said = self.open(found) if found is not None else ""
        return said or capital(self.words.unnamed(key.rpartition(".")[2])) + ":"

    def answer(self, key: str, entry: str) -> str:
        """What is answered, whatever it is answered with."""
        if not entry:
            return ""
        if entry == "decline":
            return self.open(self.teller.find([f"decline.{key}"]) or "option.decline")
        found = self.teller.find([f"option.{key}.{entry}"])
        said = self.open(found) if found is not None else ""
        return said or capital(self.words.unnamed(entry))

    def open(self, key: str) -> str:
        """A text of the game with its fields left open."""
        template = SPOKEN_TO.sub("", ASIDE.sub("", self.words.template(key)))
        args: dict[str, Value] = {field.name: MANY if field.noun else Proper(OPEN) for field in parse(template).fields}
        known = {name: value for name, value in self.teller.clause_values.items() if name in args}
        said = self.words.render(template, **{**args, **known}).replace(str(MANY), OPEN)
        said = ENDS.sub("", re.sub(rf"{OPEN}[.{OPEN}]+", OPEN, said))
        if not any(letter.isalpha() for letter in said):
            return ""
        return said if said.startswith(OPEN) else capital(said)


def named(teller: Teller, domain: str, n: int) -> str:
    """A member of an enumeration, standing alone."""
    enum = teller.game.model.enums[domain]
    if enum.kind in PLACES:
        return teller.label(enum, n)
    return capital(teller.words.value(Noun(teller.noun_key(domain, n))))
