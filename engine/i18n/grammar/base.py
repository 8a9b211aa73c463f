"""Base class of the grammars. Each language is one module in this package."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

ARTICLE_MARKERS = ("the", "an")
COMMON_MARKERS = frozenset({"the", "an", "pl", "cap", "and", "or", "voc"})


@dataclass(frozen=True)
class Thing:
    """A noun for use in a sentence: its name in this language, its stored forms, and the noun of its type (guest,
    card)."""

    key: str
    name: str
    forms: Mapping[str, str] = field(default_factory=dict)
    kind: Thing | None = None

    @property
    def title(self) -> bool:
        """Whether the noun is a title, such as the name of a spell.

        Sentences then say "the spell Moonlight" and inflect only "spell"."""
        return not self.forms and self.kind is not None and self.kind.forms.get("members") == "title"


class Grammar:
    """The grammar of a language. Subclasses override what differs from the defaults here. Markers without a meaning
    for a value are ignored."""

    lang = "en"
    base = "sg"                                                    # lexicon form for no markers
    cases: frozenset[str] = frozenset()                            # markers that are cases or prepositions
    stored: frozenset[str] = frozenset({"sg", "pl"})               # keys of a lexicon entry, in addition to markers
    genders: tuple[str, ...] = ("m", "f")                          # values of `g` in a lexicon
    capital_nouns = False                                          # nouns always have a capital, as in German
    ordinals = False                                               # a full stop after a digit marks an ordinal number

    @property
    def markers(self) -> frozenset[str]:
        """Every marker that a sentence of this language may use, except `n.<noun>`."""
        return COMMON_MARKERS | self.cases

    # ------------------------------------------------------------ overridden by subclasses

    def lacks(self, thing: Thing, markers: Collection[str], counted: bool = False) -> str | None:
        """Returns the form that the lexicon needs for this use of `thing` and does not have. None if nothing is missing."""
        return None

    def inflect(self, thing: Thing, markers: Collection[str]) -> str:
        """Returns `thing` with its article, case or preposition. Called only if no form is missing."""
        raise NotImplementedError

    def neutral(self, thing: Thing, markers: Collection[str]) -> str:
        """Returns a wording that avoids the missing forms of `thing`."""
        return thing.name

    def counted(self, number: str, n: int, thing: Thing, markers: Collection[str]) -> str:
        """Returns a number with its noun, such as `2 tokens`, with article or case."""
        raise NotImplementedError

    def noun_with_number(self, thing: Thing, number: int, markers: Sequence[str]) -> str:
        """Returns one of several identical pieces with its number: `the card 3`."""
        return f"{self.noun(thing, markers)} {number}"

    def numeral(self, number: str, n: int, markers: Collection[str]) -> str:
        """Returns a bare number with article or case."""
        return number

    def proper(self, text: str, markers: Collection[str]) -> str:
        """Returns a person's name or a label with a case or preposition, never with an article."""
        return text

    def seat(self, text: str, markers: Collection[str]) -> str:
        """Returns the name of a seat that is named by its number."""
        return self.proper(text, markers)

    def joint(self, last: str, style: str) -> str | None:
        """Returns the conjunction before the last item of a list, if the usual one sounds wrong before `last`. None: the
        usual one."""
        return None

    def literal(self, text: str) -> str:
        """Processes the literal text of a sentence, before the fields are filled."""
        return text

    def finish(self, text: str) -> str:
        """Processes the whole sentence, after the fields are filled."""
        return text

    # ------------------------------------------------------------ shared by all grammars

    def noun(self, thing: Thing, markers: Sequence[str]) -> str:
        """Returns `thing` in the form that the markers ask for. A form that the lexicon stores for these markers has
        priority over the rules."""
        wanted = self._shaping(markers)
        if not wanted:
            return thing.forms.get(self.base, thing.name)
        whole = thing.forms.get(self.form_name(wanted))
        if whole is not None:
            return whole
        return self.neutral(thing, wanted) if self.lacks(thing, wanted) else self.inflect(thing, wanted)

    def find_missing_form(self, thing: Thing, markers: Sequence[str], counted: bool = False) -> str | None:
        """Returns the form that the lexicon should contain to use `thing` with `markers`, or None."""
        wanted = self._shaping(markers)
        if not counted and (not wanted or self.form_name(wanted) in thing.forms):
            return None
        return self.lacks(thing, wanted, counted)

    def _shaping(self, markers: Sequence[str]) -> list[str]:
        """Returns the markers that change the form of a noun."""
        return [m for m in markers if m in self.cases or m in (*ARTICLE_MARKERS, "pl")]

    def form_name(self, markers: Collection[str]) -> str:
        """Returns the lexicon's name for a set of markers: plural, case or preposition, article. Examples: `pl.acc`,
        `di.the`."""
        order = ("pl", *sorted(self.cases), *ARTICLE_MARKERS)
        return ".".join(m for m in order if m in markers)

    def is_known_form(self, name: str) -> bool:
        """Whether `name` is a valid key in a lexicon entry of this language."""
        return name in self.stored or name in ("article", "members", "none") or all(m in self.markers for m in name.split("."))

    def case(self, markers: Collection[str]) -> str | None:
        """Returns the case or preposition among `markers`, or None."""
        return next((m for m in markers if m in self.cases), None)


def leading_group(n: int) -> tuple[int, int]:
    """Returns the first group of three digits of a number, and the number of groups after it: 15 200 → (15, 1).

    The first group is what a speaker says first."""
    n, groups = abs(n), 0
    while n >= 1000:
        n, groups = n // 1000, groups + 1
    return n, groups
