"""What somebody means who asks about something that may not be offered: `d4`, `b2 b3`, an entry of a menu, a quantity, a whole option.

A thing is known by what the rules call it and by its name in the language, in any case and without accents. Words that mean nothing
beside words that do are passed over, so that a whole sentence may be typed.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field

from ...dsl.ir.metadata import Slot
from ...dsl.types.boards import OPEN_SPAN, open_code
from ...dsl.types.types import Of, SetOf
from ..i18n.user_input import folded
from ..i18n.user_input import number as typed_number
from ..narration.narrator import Teller
from ..position.options import DECLINE, Option
from ..table_view.visible_values import Sight
from .refusal_finder import Asked, Fixed

CELL = re.compile(r"(-?\d+),(-?\d+)")
DECLINING = ("decline", "pass", "stop", "done", "nothing")
BETWEEN = re.compile(r"[-–—:+]|(?<=\d)x(?=\w)")  # what players write between two places: d4-d5, d4xe5; and a plus in sets
MISTYPED = 0.8                       # how alike a word and a name must be for the one to stand for the other
SHORTEST = 3                         # letters of a beginning that stands for a whole name
LOOKED_AT = 30                       # words that were passed over that may be names mistyped
Naming = tuple[int, frozenset[int]]   # the number of a name of the option, and values of it


@dataclass
class Wish:
    """What was asked about: in way `number` to answer, values for some of its names, in the order in which they were said; and the words
    that were passed over."""

    number: int
    fixed: Fixed
    over: list[str] = field(default_factory=list)


class Wishes:
    """Reads what is typed about one decision, in one language."""

    def __init__(self, teller: Teller, asked: Asked) -> None:
        self.teller, self.asked = teller.at(asked.decision.position), asked
        self.decision = asked.decision
        self.sight = Sight(self.decision.position, teller, self.decision.seat)
        self._names: dict[str, dict[str, frozenset[int]]] = {}

    # ------------------------------------------------------------ names

    def names(self, domain: str) -> dict[str, frozenset[int]]:
        """What the members of a kind are called, on the table too: folded name → members."""
        if domain not in self._names:
            enum = self.teller.game.model.enum_of(domain)
            found: dict[str, set[int]] = {}
            for n, member in enumerate(enum.members if enum is not None else []):
                said = [member, member.replace("_", " "), f"{domain}.{member}", self.teller.words.value(self.teller.member(domain, n)),
                        self.sight.label(domain, n)]
                if enum is not None and enum.kinds:
                    said += [enum.kinds[n], enum.kinds[n].replace("_", " "), self.teller.words.noun(self.teller.noun_key(domain, n))]
                for name in said:
                    found.setdefault(folded(name), set()).add(n)
            self._names[domain] = {name: frozenset(members) for name, members in found.items() if name}
        return self._names[domain]

    def values(self, slot: Slot, phrase: str) -> frozenset[int]:
        """What a phrase may mean for one name of the option."""
        if isinstance(slot.type, SetOf):
            return frozenset(1 << n for n in self.names(slot.domain or "").get(phrase, ()))
        if not isinstance(slot.type, Of):
            found = typed_number(phrase, signed=True)
            return frozenset([found]) if found is not None and slot.low <= found < slot.low + slot.radix else frozenset()
        enum = self.teller.game.model.enum_of(slot.type.name)
        if enum is not None and enum.kind == "open":
            cell = CELL.fullmatch(phrase)
            half = OPEN_SPAN // 2
            across, down = (typed_number(n, signed=True) for n in cell.groups()) if cell is not None else (None, None)
            if across is None or down is None or not (-half < across < half - 1 and -half < down < half - 1):
                return frozenset()
            return frozenset([open_code(across, down)])
        return self.names(slot.type.name).get(phrase, frozenset())

    def longest(self, slot: Slot) -> int:
        """How many words what is meant for this name may have."""
        return max(map(len, map(str.split, self.names(slot.domain))), default=1) if slot.domain else 1

    def known(self) -> list[str]:
        """Everything that may be typed about this decision: for a suggestion."""
        found = [option_name for way in self.asked.ways if (option_name := way.entry)]
        for choice in self.asked.kind.choices:
            for slot in choice.slots:
                if slot.domain:
                    found += self.names(slot.domain)
        return [*found, *(folded(self.teller.option(self.decision, option)) for option in self.decision.options[:200])]

    def mistyped(self, wish: Wish) -> tuple[str, str]:
        """Of the words that were passed over, one that is no word of a sentence but a name mistyped, and that name; else nothing."""
        known = self.known()
        for word in wish.over[:LOOKED_AT]:
            meant = difflib.get_close_matches(word, known, 1, MISTYPED)
            if meant:
                return word, meant[0]
        return "", ""

    # ------------------------------------------------------------ reading

    def option(self, what: str, numbers: Mapping[str, str] | None = None) -> Option | None:
        """The option that is offered and called exactly so: its text, its spelling, or its number where no quantity is asked. `numbers`:
        what to type for each option, by spelling; without them they are numbered in their order."""
        wanted = folded(what)
        for option in self.decision.options:
            if wanted in (folded(option.spelling), folded(self.teller.option(self.decision, option))):
                return option
        if numbers is not None:
            return next((option for option in self.decision.options if numbers.get(option.spelling) == wanted), None)
        amounts = any(slot.domain is None for choice in self.asked.kind.choices for slot in choice.slots)
        place = typed_number(wanted)
        return self.decision.options[place - 1] if place and not amounts and place <= len(self.decision.options) else None

    def declines(self, what: str) -> bool:
        """Whether it means to choose nothing, in the words of the language or in English."""
        words = self.teller.words
        said = [*DECLINING, words.text("why.pass"), *(words.text(key) for key in ("option.decline", "option.done"))]
        said.append(self.teller.option(self.decision, self.decision.option(DECLINE)))
        return folded(what) in map(folded, said)

    def read(self, what: str) -> list[Wish]:
        """All that it can mean at this decision, the fullest first; nothing when no word of it is known here."""
        words = (word.strip(".;:?!¿¡,\"'“”«»()") for word in folded(what).replace("=", " ").split())
        tokens = [token for word in words for token in self.apart(word) if token]
        found = [wish for n in range(len(self.asked.ways)) for wish in self.in_way(n, tokens)]
        if not found:
            found = self.by_beginning(" ".join(tokens))
        most = max((self.weight(wish) for wish in found), default=0)
        return [wish for wish in found if self.weight(wish) == most]

    def apart(self, word: str) -> list[str]:
        """A word as it is, or the names in it where it is none itself, but several with a line between them: d4-d5."""
        parts = BETWEEN.split(word)
        slots = [slot for choice in self.asked.kind.choices for slot in choice.slots if slot.domain]
        def known(name: str) -> bool:
            return any(self.values(slot, name) for slot in slots)
        return parts if len(parts) > 1 and not known(word) and all(map(known, parts)) else [word]

    def weight(self, wish: Wish) -> int:
        return 2 * len(wish.fixed) + (self.asked.ways[wish.number].entry is not None and not wish.fixed)

    def in_way(self, number: int, tokens: list[str]) -> Iterator[Wish]:
        """What the words can mean in one way to answer."""
        way, slots = self.asked.ways[number], self.asked.choice(number).slots
        rest = tokens
        entered = way.entry is None
        for said in () if way.entry is None else self.entry_words(number):
            at = index_of(said.split(), tokens)
            if said and at >= 0:
                rest, entered = tokens[:at] + tokens[at + len(said.split()) :], True
                break
        names = [folded(slot.name) for slot in slots]
        longest = max((self.longest(slot) for slot in slots), default=1)
        found: list[list[Naming]] = []
        only: int | None = None
        over: list[str] = []
        at = 0
        while at < len(rest):
            for end in range(min(len(rest), at + longest), at, -1):
                phrase = " ".join(rest[at:end])
                meant = [(n, values) for n, slot in enumerate(slots) if only in (None, n) and (values := self.values(slot, phrase))]
                if meant:
                    found.append(meant)
                    at, only = end, None
                    break
            else:
                if rest[at] in names:
                    only = names.index(rest[at])
                else:
                    over.append(rest[at])
                at += 1
        if found or entered and way.entry is not None:
            sets = {n for n, slot in enumerate(slots) if isinstance(slot.type, SetOf)}
            yield from (Wish(number, self.with_larger(number, fixed, sets), over) for fixed in spread(found, {}, sets))

    def with_larger(self, number: int, fixed: Fixed, sets: Set[int]) -> Fixed:
        """With the sets that were named thing by thing, those that are offered and hold more: not all need to be named."""
        out = dict(fixed)
        for n in sets & fixed.keys():
            offered = (option.values[n][2] for option in self.decision.options
                       if not option.declines and self.decision.choice(option.code) is self.asked.choice(number))
            out[n] = fixed[n] | {raw for raw in offered if any(raw & named == named for named in fixed[n])}
        return out

    def entry_words(self, number: int) -> list[str]:
        """What an entry of a menu is called: as the rules do, and its text where it has one without names in it."""
        entry = self.asked.ways[number].entry or ""
        said = [entry, entry.replace("_", " ")]
        choice = self.asked.choice(number)
        if not choice.slots:
            said.append(self.teller.option(self.decision, self.decision.option(choice.offset)).rstrip("."))
        return sorted({folded(text) for text in said}, key=len, reverse=True)

    def by_beginning(self, wanted: str) -> list[Wish]:
        """A name of which only the beginning was typed, when that is enough to know it."""
        if len(wanted) < SHORTEST:
            return []
        found: list[Wish] = []
        for number, way in enumerate(self.asked.ways):
            if way.entry is not None and any(text.startswith(wanted) for text in self.entry_words(number)):
                found.append(Wish(number, {}))
            for n, slot in enumerate(self.asked.choice(number).slots):
                names = self.names(slot.domain) if isinstance(slot.type, Of) and slot.domain else {}
                values = frozenset().union(*(members for name, members in names.items() if name.startswith(wanted)))
                if values:
                    found.append(Wish(number, {n: values}))
        meant = {(wish.number, *(members for members in wish.fixed.values())) for wish in found}
        same = {tuple(sorted(wish.fixed.items(), key=str)) for wish in found}
        return found if len(meant) == 1 or len(same) == 1 and all(len(v) == 1 for wish in found for v in wish.fixed.values()) else []


def index_of(part: list[str], whole: list[str]) -> int:
    """Where `part` begins in `whole`, or -1."""
    return next((n for n in range(len(whole) - len(part) + 1) if whole[n : n + len(part)] == part), -1)


def spread(found: list[list[Naming]], fixed: Fixed, sets: Set[int]) -> Iterator[Fixed]:
    """Every way to give each phrase a name of its own; a phrase for which no name is left is passed over. The names in `sets` take as many
    as there are: what these mean goes together."""
    if not found:
        yield fixed
        return
    first, *rest = found
    free = [(n, values) for n, values in first if n not in fixed or n in sets]
    for n, values in free:
        together = frozenset(one | other for one in fixed[n] for other in values) if n in fixed else values
        yield from spread(rest, {**fixed, n: together}, sets)
    if not free:
        yield from spread(rest, fixed, sets)
