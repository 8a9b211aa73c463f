"""Parses questions about moves that may not be legal: `d4`, `b2 b3`, a menu entry, a quantity, the text of a
whole option.

A thing is recognized by its identifier in the rules and by its name in the language, without regard to case
and accents. Unknown words next to known ones are ignored, so a player may type a whole sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

from ...dsl.ir.metadata import OptionField
from ...dsl.types.boards import OPEN_SPAN, encode_open_cell
from ...dsl.types.types import BagOf, MemberOf, SetOf
from ..i18n import CountedNoun, Noun
from ..i18n.user_input import normalize
from ..i18n.user_input import parse_int as typed_number
from ..narration.narrator import Narrator
from ..position.answer_index import AnswerIndex, IndexEntry, MatchKind, index_names
from ..position.options import DECLINE, Option
from ..table_view.board_parts import find_part
from ..table_view.visible_values import SeatView
from .refusal_finder import FixedValues, RefusalFinder

OPEN_CELL = re.compile(r"(-?\d+),(-?\d+)")
DECLINE_WORDS = ("decline", "pass", "stop", "done", "nothing")
PLACE_SEPARATOR = re.compile(r"[-–—:+]|(?<=\d)x(?=\w)")  # d4-d5, d4xe5, and a plus between members of a set
MIN_TYPO_SIMILARITY = 0.8                       # strict: a word that was not understood need not be a typo
MIN_PREFIX_LENGTH = 3                         # letters
MAX_TYPO_WORDS = 30                       # unmatched words that are checked for typing mistakes
SlotCandidate = tuple[int, frozenset[Any]]   # index of a field, and the raw values meant


@dataclass
class Query:
    """One reading of a question: the answer path `number`, the values for some of its fields in the
    order typed, and the unmatched words (`over`)."""

    number: int
    fixed: FixedValues
    over: list[str] = field(default_factory=list)


class QueryParser:
    """Parses questions about one decision in one language."""

    def __init__(self, narrator: Narrator, finder: RefusalFinder) -> None:
        self.narrator, self.asked = narrator.with_numbers_at(finder.decision.position), finder
        self.decision = finder.decision
        self.sight = SeatView(self.decision.position, narrator, self.decision.seat)
        self._members: dict[str, AnswerIndex[int]] = {}

    # ------------------------------------------------------------ names

    def index_members(self, domain: str) -> AnswerIndex[int]:
        """Returns the members of a type by name, including the labels that the table shows."""
        if domain not in self._members:
            enum = self.narrator.game.model.enum_of(domain)
            entries = []
            for n, member in enumerate(enum.members if enum is not None else []):
                said = [
                    member,
                    member.replace("_", " "),
                    f"{domain}.{member}",
                    self.narrator.words.value(self.narrator.member_value(domain, n)),
                    self.sight.label(domain, n),
                ]
                if enum is not None and enum.kinds:
                    said += [enum.kinds[n], enum.kinds[n].replace("_", " "), self.narrator.words.noun(self.narrator.noun_key(domain, n))]
                entries.append(IndexEntry(n, said))
            self._members[domain] = AnswerIndex(entries, normalize)
        return self._members[domain]

    def list_shown_names(self, domain: str) -> list[str]:
        """Returns the names and labels of the members of a type, and those identifiers whose words are in them.

        Players see no other identifiers."""
        enum, words = self.narrator.game.model.enum_of(domain), self.narrator.words
        found: list[str] = []
        for n, member in enumerate(enum.members if enum is not None else ()):
            labels = (words.value(self.narrator.member_value(domain, n)), self.sight.label(domain, n))
            shown = [normalize(said) for said in labels if said]
            bare = normalize(member.replace("_", " "))
            found += shown + ([bare] if set(bare.split()) <= {word for said in shown for word in said.split()} else [])
        return found

    def match_phrase(self, slot: OptionField, phrase: str) -> frozenset[Any]:
        """Returns the raw values that a phrase may mean for one field of the option."""
        if isinstance(slot.type, SetOf):
            return frozenset(1 << n for n in self.index_members(slot.domain or "").find_exact(phrase))
        if isinstance(slot.type, BagOf):
            return self.match_counted_thing(slot, phrase)
        if not isinstance(slot.type, MemberOf):
            found = typed_number(phrase, signed=True)
            return frozenset([found]) if found is not None and slot.low <= found < slot.low + slot.radix else frozenset()
        enum = self.narrator.game.model.enum_of(slot.type.name)
        if enum is not None and enum.kind == "open":
            if enum.board is not None and (labelled := enum.board.parse_open_cell_label(phrase)) is not None:
                return frozenset([labelled])
            cell = OPEN_CELL.fullmatch(phrase)
            half = OPEN_SPAN // 2
            across, down = (typed_number(n, signed=True) for n in cell.groups()) if cell is not None else (None, None)
            if across is None or down is None or not (-half < across < half - 1 and -half < down < half - 1):
                return frozenset()
            return frozenset([encode_open_cell(across, down)])
        return frozenset(self.find_members(slot.type.name, phrase))

    def match_counted_thing(self, slot: OptionField, phrase: str) -> frozenset[Any]:
        """Returns the bags that a phrase such as `ore`, `2 ore`, `ore 2`, or the same in words may mean."""
        first, _, last = phrase.partition(" ")
        domain = slot.domain or ""
        counted = next(((many, name) for one, name in ((first, last), (last, first)) if (many := typed_number(one)) is not None), None)
        many, name = counted or (1, phrase)
        members = set(self.index_members(domain).find_exact(name))
        for n in range(slot.kinds) if counted else ():
            noun = CountedNoun(many, Noun(self.narrator.noun_key(domain, n)))
            members |= {n} if normalize(self.narrator.words.value(noun)) == phrase else set()
        return frozenset(tuple(many * (n == member) for n in range(slot.kinds)) for member in members if many <= (slot.most or 0))

    def find_members(self, domain: str, phrase: str) -> list[int]:
        """Returns the members of a type with this name. A corner or an edge has several names."""
        model = self.narrator.game.model
        enum, part = model.enum_of(domain), find_part(model, self.narrator.words, phrase)
        if part is not None and enum is not None and part[0] == enum.name:
            return [part[1]]
        return self.index_members(domain).find_exact(phrase)

    def max_phrase_words(self, slot: OptionField) -> int:
        """Returns the maximum number of words in a phrase for this field."""
        longest = max(map(len, map(str.split, self.index_members(slot.domain).names)), default=1) if slot.domain else 1
        return longest + isinstance(slot.type, BagOf)                  # with a number

    def list_known_phrases(self) -> list[str]:
        """Returns all phrases that can be typed about this decision, as candidates for a suggestion."""
        found = [option_name for way in self.asked.ways if (option_name := way.entry)]
        for choice in self.asked.kind.choices:
            for slot in choice.slots:
                if slot.domain:
                    found += self.list_shown_names(slot.domain)
        return [*found, *(normalize(self.narrator.option_text(self.decision, option)) for option in self.decision.options[:200])]

    def find_typo(self, query: Query) -> tuple[str, str]:
        """Returns an unmatched word that looks like a mistyped name, and that name. Returns two empty strings if there
        is none."""
        known = index_names(self.list_known_phrases(), normalize)
        return next(
            ((word, meant) for word in query.over[:MAX_TYPO_WORDS] if (meant := known.suggest(word, MIN_TYPO_SIMILARITY))), ("", "")
        )

    # ------------------------------------------------------------ reading

    def find_option(self, query: str, numbers: Mapping[str, str] | None = None) -> Option | None:
        """Returns the offered option with exactly this text, spelling or number.

        `numbers` maps the spelling of each option to its number on the screen. Without it, options are numbered in
        their order, unless the decision asks for a quantity."""
        if numbers is None:
            query = query if (place := typed_number(normalize(query))) is None else str(place)
            amounts = any(slot.domain is None for choice in self.asked.kind.choices for slot in choice.slots)
            numbers = {} if amounts else {option.spelling: str(n) for n, option in enumerate(self.decision.options, 1)}
        options = AnswerIndex(
            (IndexEntry(option, (option.spelling, self.narrator.option_text(self.decision, option)), token=numbers.get(option.spelling, ""))
             for option in self.decision.options), normalize)
        return next(iter(options.look_up(query, (MatchKind.NAME, MatchKind.TOKEN)).values), None)

    def is_decline(self, query: str) -> bool:
        """Whether the text means to decline, in the current language or in English."""
        words = self.narrator.words
        said = [*DECLINE_WORDS, words.text("why.pass"), *(words.text(key) for key in ("option.decline", "option.done"))]
        said.append(self.narrator.option_text(self.decision, self.decision.option(DECLINE)))
        return bool(index_names(said, normalize).find_exact(query))

    def parse(self, query: str) -> list[Query]:
        """Returns the readings of the question that match the most of it. The list is empty if no word is known."""
        words = (word.strip(".;:?!¿¡,\"'“”«»()") for word in normalize(query).replace("=", " ").split())
        tokens = [token for word in words for token in self.split_places(word) if token]
        found = [wish for n in range(len(self.asked.ways)) for wish in self.parse_alternative(n, tokens)]
        if not found:
            found = self.find_prefix_queries(" ".join(tokens))
        most = max((self.match_weight(wish) for wish in found), default=0)
        return [wish for wish in found if self.match_weight(wish) == most]

    def split_places(self, word: str) -> list[str]:
        """Splits a word such as `d4-d5` into the names in it if the word itself is not a name. Otherwise returns it
        unchanged."""
        parts = PLACE_SEPARATOR.split(word)
        slots = [slot for choice in self.asked.kind.choices for slot in choice.slots if slot.domain]
        def is_known_name(name: str) -> bool:
            return any(self.match_phrase(slot, name) for slot in slots)
        return parts if len(parts) > 1 and not is_known_name(word) and all(map(is_known_name, parts)) else [word]

    def match_weight(self, query: Query) -> int:
        """Returns a score for how much of the question a reading matches."""
        return 2 * len(query.fixed) + (self.asked.ways[query.number].entry is not None and not query.fixed)

    def parse_alternative(self, number: int, tokens: list[str]) -> Iterator[Query]:
        """Yields the readings of the words for one answer path."""
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
            sets = {n for n, slot in enumerate(slots) if isinstance(slot.type, SetOf | BagOf)}
            yield from (Query(number, self.add_larger_sets(number, fixed, sets), over) for fixed in assign_phrases(found, {}, sets))

    def add_larger_sets(self, number: int, fixed: FixedValues, sets: Set[int]) -> FixedValues:
        """Adds to the sets and bags in `fixed` all offered ones that contain them, because a player need not name every member."""
        out = dict(fixed)
        for n in sets & fixed.keys():
            offered = (option.values[n][2] for option in self.decision.options
                       if not option.declines and self.decision.choice(option.code) is self.asked.choice(number))
            out[n] = fixed[n] | {raw for raw in offered if any(join_things(raw, named) == raw for named in fixed[n])}
        return out

    def entry_phrases(self, number: int) -> list[str]:
        """Returns the phrases for a menu entry: its identifier, and its text if the text contains no chosen values.
        Longest first."""
        entry = self.asked.ways[number].entry or ""
        said = [entry, entry.replace("_", " ")]
        choice = self.asked.choice(number)
        if not choice.slots:
            said.append(self.narrator.option_text(self.decision, self.decision.option(choice.offset)).rstrip("."))
        return sorted({normalize(text) for text in said}, key=len, reverse=True)

    def find_prefix_queries(self, wanted: str) -> list[Query]:
        """Returns the readings of a text that is only the beginning of a name, if they are unambiguous."""
        if len(wanted) < MIN_PREFIX_LENGTH:
            return []
        found: list[Query] = []
        for number, way in enumerate(self.asked.ways):
            if way.entry is not None and any(text.startswith(wanted) for text in self.entry_phrases(number)):
                found.append(Query(number, {}))
            for n, slot in enumerate(self.asked.choice(number).slots):
                if isinstance(slot.type, MemberOf) and (values := frozenset(self.index_members(slot.type.name).find_beginning(wanted))):
                    found.append(Query(number, {n: values}))
        meant = {(wish.number, *(members for members in wish.fixed.values())) for wish in found}
        same = {tuple(sorted(wish.fixed.items(), key=str)) for wish in found}
        return found if len(meant) == 1 or len(same) == 1 and all(len(v) == 1 for wish in found for v in wish.fixed.values()) else []


def find_sublist(part: list[str], whole: list[str]) -> int:
    """Returns the index at which `part` begins in `whole`, or -1."""
    return next((n for n in range(len(whole) - len(part) + 1) if whole[n : n + len(part)] == part), -1)


def assign_phrases(candidates: list[list[SlotCandidate]], fixed: FixedValues, sets: Set[int]) -> Iterator[FixedValues]:
    """Yields every assignment of the phrases to fields, at most one phrase for each field.

    A phrase for which no field is free is ignored. Fields in `sets` take several phrases, whose values are
    joined."""
    if not candidates:
        yield fixed
        return
    first, *rest = candidates
    free = [(n, values) for n, values in first if n not in fixed or n in sets]
    for n, values in free:
        together = frozenset(join_things(one, other) for one in fixed[n] for other in values) if n in fixed else values
        yield from assign_phrases(rest, {**fixed, n: together}, sets)
    if not free:
        yield from assign_phrases(rest, fixed, sets)


def join_things(one: Any, other: Any) -> Any:
    """Returns the smallest set, or the smallest bag, that contains both. Sets are bitmasks, and bags are counts."""
    return tuple(map(max, one, other)) if isinstance(one, tuple) else one | other
