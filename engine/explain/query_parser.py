"""What somebody means who asks about something that may not be offered: `d4`, `b2 b3`, an entry of a menu, a quantity, a whole option.

A thing is known by what the rules call it and by its name in the language, in any case and without accents. Words that mean nothing
beside words that do are passed over, so that a whole sentence may be typed.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field

from ...dsl.ir.metadata import OptionField
from ...dsl.types.boards import OPEN_SPAN, encode_open_cell
from ...dsl.types.types import MemberOf, SetOf
from ..i18n.user_input import normalize
from ..i18n.user_input import parse_int as typed_number
from ..narration.narrator import Narrator
from ..position.options import DECLINE, Option
from ..table_view.visible_values import SeatView
from .refusal_finder import FixedValues, RefusalFinder

OPEN_CELL = re.compile(r"(-?\d+),(-?\d+)")
DECLINE_WORDS = ("decline", "pass", "stop", "done", "nothing")
PLACE_SEPARATOR = re.compile(r"[-–—:+]|(?<=\d)x(?=\w)")  # what players write between two places: d4-d5, d4xe5; and a plus in sets
MIN_TYPO_SIMILARITY = 0.8                       # how alike a word and a name must be for the one to stand for the other
MIN_PREFIX_LENGTH = 3                         # letters of a beginning that stands for a whole name
MAX_TYPO_WORDS = 30                       # words that were passed over that may be names mistyped
SlotCandidate = tuple[int, frozenset[int]]   # the number of a name of the option, and values of it


@dataclass
class Query:
    """What was asked about: in way `number` to answer, values for some of its names, in the order in which they were said; and the words
    that were passed over."""

    number: int
    fixed: FixedValues
    over: list[str] = field(default_factory=list)


class QueryParser:
    """Reads what is typed about one decision, in one language."""

    def __init__(self, teller: Narrator, asked: RefusalFinder) -> None:
        self.teller, self.asked = teller.with_numbers_at(asked.decision.position), asked
        self.decision = asked.decision
        self.sight = SeatView(self.decision.position, teller, self.decision.seat)
        self._names: dict[str, dict[str, frozenset[int]]] = {}

    # ------------------------------------------------------------ names

    def member_names(self, domain: str) -> dict[str, frozenset[int]]:
        """What the members of a kind are called, on the table too: folded name → members."""
        if domain not in self._names:
            enum = self.teller.game.model.enum_of(domain)
            found: dict[str, set[int]] = {}
            for n, member in enumerate(enum.members if enum is not None else []):
                said = [
                    member,
                    member.replace("_", " "),
                    f"{domain}.{member}",
                    self.teller.words.value(self.teller.member_value(domain, n)),
                    self.sight.label(domain, n),
                ]
                if enum is not None and enum.kinds:
                    said += [enum.kinds[n], enum.kinds[n].replace("_", " "), self.teller.words.noun(self.teller.noun_key(domain, n))]
                for name in said:
                    found.setdefault(normalize(name), set()).add(n)
            self._names[domain] = {name: frozenset(members) for name, members in found.items() if name}
        return self._names[domain]

    def match_phrase(self, slot: OptionField, phrase: str) -> frozenset[int]:
        """What a phrase may mean for one name of the option."""
        if isinstance(slot.type, SetOf):
            return frozenset(1 << n for n in self.member_names(slot.domain or "").get(phrase, ()))
        if not isinstance(slot.type, MemberOf):
            found = typed_number(phrase, signed=True)
            return frozenset([found]) if found is not None and slot.low <= found < slot.low + slot.radix else frozenset()
        enum = self.teller.game.model.enum_of(slot.type.name)
        if enum is not None and enum.kind == "open":
            cell = OPEN_CELL.fullmatch(phrase)
            half = OPEN_SPAN // 2
            across, down = (typed_number(n, signed=True) for n in cell.groups()) if cell is not None else (None, None)
            if across is None or down is None or not (-half < across < half - 1 and -half < down < half - 1):
                return frozenset()
            return frozenset([encode_open_cell(across, down)])
        return self.member_names(slot.type.name).get(phrase, frozenset())

    def max_phrase_words(self, slot: OptionField) -> int:
        """How many words what is meant for this name may have."""
        return max(map(len, map(str.split, self.member_names(slot.domain))), default=1) if slot.domain else 1

    def list_known_phrases(self) -> list[str]:
        """Everything that may be typed about this decision: for a suggestion."""
        found = [option_name for way in self.asked.ways if (option_name := way.entry)]
        for choice in self.asked.kind.choices:
            for slot in choice.slots:
                if slot.domain:
                    found += self.member_names(slot.domain)
        return [*found, *(normalize(self.teller.option_text(self.decision, option)) for option in self.decision.options[:200])]

    def find_typo(self, wish: Query) -> tuple[str, str]:
        """Of the words that were passed over, one that is no word of a sentence but a name mistyped, and that name; else nothing."""
        known = self.list_known_phrases()
        for word in wish.over[:MAX_TYPO_WORDS]:
            meant = difflib.get_close_matches(word, known, 1, MIN_TYPO_SIMILARITY)
            if meant:
                return word, meant[0]
        return "", ""

    # ------------------------------------------------------------ reading

    def find_option(self, what: str, numbers: Mapping[str, str] | None = None) -> Option | None:
        """The option that is offered and called exactly so: its text, its spelling, or its number where no quantity is asked. `numbers`:
        what to type for each option, by spelling; without them they are numbered in their order."""
        wanted = normalize(what)
        for option in self.decision.options:
            if wanted in (normalize(option.spelling), normalize(self.teller.option_text(self.decision, option))):
                return option
        if numbers is not None:
            return next((option for option in self.decision.options if numbers.get(option.spelling) == wanted), None)
        amounts = any(slot.domain is None for choice in self.asked.kind.choices for slot in choice.slots)
        place = typed_number(wanted)
        return self.decision.options[place - 1] if place and not amounts and place <= len(self.decision.options) else None

    def is_decline(self, what: str) -> bool:
        """Whether it means to choose nothing, in the words of the language or in English."""
        words = self.teller.words
        said = [*DECLINE_WORDS, words.text("why.pass"), *(words.text(key) for key in ("option.decline", "option.done"))]
        said.append(self.teller.option_text(self.decision, self.decision.option(DECLINE)))
        return normalize(what) in map(normalize, said)

    def parse(self, what: str) -> list[Query]:
        """All that it can mean at this decision, the fullest first; nothing when no word of it is known here."""
        words = (word.strip(".;:?!¿¡,\"'“”«»()") for word in normalize(what).replace("=", " ").split())
        tokens = [token for word in words for token in self.split_places(word) if token]
        found = [wish for n in range(len(self.asked.ways)) for wish in self.parse_alternative(n, tokens)]
        if not found:
            found = self.match_prefix(" ".join(tokens))
        most = max((self.match_weight(wish) for wish in found), default=0)
        return [wish for wish in found if self.match_weight(wish) == most]

    def split_places(self, word: str) -> list[str]:
        """A word as it is, or the names in it where it is none itself, but several with a line between them: d4-d5."""
        parts = PLACE_SEPARATOR.split(word)
        slots = [slot for choice in self.asked.kind.choices for slot in choice.slots if slot.domain]
        def is_known_name(name: str) -> bool:
            return any(self.match_phrase(slot, name) for slot in slots)
        return parts if len(parts) > 1 and not is_known_name(word) and all(map(is_known_name, parts)) else [word]

    def match_weight(self, wish: Query) -> int:
        return 2 * len(wish.fixed) + (self.asked.ways[wish.number].entry is not None and not wish.fixed)

    def parse_alternative(self, number: int, tokens: list[str]) -> Iterator[Query]:
        """What the words can mean in one way to answer."""
        way, slots = self.asked.ways[number], self.asked.choice(number).slots
        rest = tokens
        entered = way.entry is None
        for said in () if way.entry is None else self.entry_phrases(number):
            at = find_sublist(said.split(), tokens)
            if said and at >= 0:
                rest, entered = tokens[:at] + tokens[at + len(said.split()) :], True
                break
        names = [normalize(slot.name) for slot in slots]
        longest = max((self.max_phrase_words(slot) for slot in slots), default=1)
        found: list[list[SlotCandidate]] = []
        only: int | None = None
        over: list[str] = []
        at = 0
        while at < len(rest):
            for end in range(min(len(rest), at + longest), at, -1):
                phrase = " ".join(rest[at:end])
                meant = [(n, values) for n, slot in enumerate(slots) if only in (None, n) and (values := self.match_phrase(slot, phrase))]
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
            yield from (Query(number, self.add_larger_sets(number, fixed, sets), over) for fixed in assign_phrases(found, {}, sets))

    def add_larger_sets(self, number: int, fixed: FixedValues, sets: Set[int]) -> FixedValues:
        """With the sets that were named thing by thing, those that are offered and hold more: not all need to be named."""
        out = dict(fixed)
        for n in sets & fixed.keys():
            offered = (option.values[n][2] for option in self.decision.options
                       if not option.declines and self.decision.choice(option.code) is self.asked.choice(number))
            out[n] = fixed[n] | {raw for raw in offered if any(raw & named == named for named in fixed[n])}
        return out

    def entry_phrases(self, number: int) -> list[str]:
        """What an entry of a menu is called: as the rules do, and its text where it has one without names in it."""
        entry = self.asked.ways[number].entry or ""
        said = [entry, entry.replace("_", " ")]
        choice = self.asked.choice(number)
        if not choice.slots:
            said.append(self.teller.option_text(self.decision, self.decision.option(choice.offset)).rstrip("."))
        return sorted({normalize(text) for text in said}, key=len, reverse=True)

    def match_prefix(self, wanted: str) -> list[Query]:
        """A name of which only the beginning was typed, when that is enough to know it."""
        if len(wanted) < MIN_PREFIX_LENGTH:
            return []
        found: list[Query] = []
        for number, way in enumerate(self.asked.ways):
            if way.entry is not None and any(text.startswith(wanted) for text in self.entry_phrases(number)):
                found.append(Query(number, {}))
            for n, slot in enumerate(self.asked.choice(number).slots):
                names = self.member_names(slot.domain) if isinstance(slot.type, MemberOf) and slot.domain else {}
                values = frozenset().union(*(members for name, members in names.items() if name.startswith(wanted)))
                if values:
                    found.append(Query(number, {n: values}))
        meant = {(wish.number, *(members for members in wish.fixed.values())) for wish in found}
        same = {tuple(sorted(wish.fixed.items(), key=str)) for wish in found}
        return found if len(meant) == 1 or len(same) == 1 and all(len(v) == 1 for wish in found for v in wish.fixed.values()) else []


def find_sublist(part: list[str], whole: list[str]) -> int:
    """Where `part` begins in `whole`, or -1."""
    return next((n for n in range(len(whole) - len(part) + 1) if whole[n : n + len(part)] == part), -1)


def assign_phrases(found: list[list[SlotCandidate]], fixed: FixedValues, sets: Set[int]) -> Iterator[FixedValues]:
    """Every way to give each phrase a name of its own; a phrase for which no name is left is passed over. The names in `sets` take as many
    as there are: what these mean goes together."""
    if not found:
        yield fixed
        return
    first, *rest = found
    free = [(n, values) for n, values in first if n not in fixed or n in sets]
    for n, values in free:
        together = frozenset(one | other for one in fixed[n] for other in values) if n in fixed else values
        yield from assign_phrases(rest, {**fixed, n: together}, sets)
    if not free:
        yield from assign_phrases(rest, fixed, sets)
