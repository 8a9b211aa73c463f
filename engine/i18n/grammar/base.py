"""What every language's grammar can do; each language is one module beside this one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

ARTICLES = ("the", "an")
COMMON_MARKERS = frozenset({"the", "an", "pl", "cap", "and", "or", "voc"})


@dataclass(frozen=True)
class Thing:
    """A noun as a sentence meets it: its name in this language, its stored forms, and the noun of its type (guest, card)."""

    key: str
    name: str
    forms: Mapping[str, str] = field(default_factory=dict)
    kind: Thing | None = None

    @property
    def title(self) -> bool:
        """Whether this is the title of a spell or a deed: sentences then say "the spell Moonlight" and inflect "spell" alone."""
        return not self.forms and self.kind is not None and self.kind.forms.get("members") == "title"


class Grammar:
    """English is written here and in en.py; other languages override. Markers that a value has no use for are ignored."""

    lang = "en"
    base = "sg"                                                    # the form without markers, in the lexicon
    cases: frozenset[str] = frozenset()                            # cases or prepositions, as markers
    stored: frozenset[str] = frozenset({"sg", "pl"})               # words a lexicon entry may have, besides markers
    genders: tuple[str, ...] = ("m", "f")                          # what `g` may be in a lexicon
    capital_nouns = False                                          # nouns have a capital wherever they stand, as in German
    ordinals = False                                               # a point after a digit makes an ordinal number

    @property
    def markers(self) -> frozenset[str]:
        """Every marker that a sentence of this language may use (`n.<noun>` apart)."""
        return COMMON_MARKERS | self.cases

    # ------------------------------------------------------------ what a subclass gives

    def lacks(self, thing: Thing, markers: Collection[str], counted: bool = False) -> str | None:
        """The word that the lexicon would need for this use of `thing` and does not have; None when all is there."""
        return None

    def inflect(self, thing: Thing, markers: Collection[str]) -> str:
        """`thing` with its article, case or preposition, when nothing lacks."""
        raise NotImplementedError

    def neutral(self, thing: Thing, markers: Collection[str]) -> str:
        """A wording that avoids the forms that `thing` lacks."""
        return thing.name

    def counted(self, number: str, n: int, thing: Thing, markers: Collection[str]) -> str:
        """`2 tokens`, with article or case."""
        raise NotImplementedError

    def noun_with_number(self, thing: Thing, number: int, markers: Sequence[str]) -> str:
        """One of several alike, told by its number: `the card 3`."""
        return f"{self.noun(thing, markers)} {number}"

    def numeral(self, number: str, n: int, markers: Collection[str]) -> str:
        """A bare number with article or case."""
        return number

    def proper(self, text: str, markers: Collection[str]) -> str:
        """A person's name or a label with a case or preposition; never with an article."""
        return text

    def seat(self, text: str, markers: Collection[str]) -> str:
        """What a seat is called that has no name but its number."""
        return self.proper(text, markers)

    def joint(self, last: str, style: str) -> str | None:
        """The word between the last two of a list where the usual one sounds wrong before `last`; None: the usual one."""
        return None

    def literal(self, text: str) -> str:
        """A stretch of a sentence as written by a translator, before the fields are put in."""
        return text

    def finish(self, text: str) -> str:
        """The whole sentence, after the fields are put in."""
        return text

    # ------------------------------------------------------------ shared

    def noun(self, thing: Thing, markers: Sequence[str]) -> str:
        """`thing` as the markers ask; a whole form stored in the lexicon under the markers' own name goes before any rule."""
        wanted = self._shaping(markers)
        if not wanted:
            return thing.forms.get(self.base, thing.name)
        whole = thing.forms.get(self.form_name(wanted))
        if whole is not None:
            return whole
        return self.neutral(thing, wanted) if self.lacks(thing, wanted) else self.inflect(thing, wanted)

    def find_missing_form(self, thing: Thing, markers: Sequence[str], counted: bool = False) -> str | None:
        """The form that the lexicon should have so that `thing` can be said with `markers`, or None."""
        wanted = self._shaping(markers)
        if not counted and (not wanted or self.form_name(wanted) in thing.forms):
            return None
        return self.lacks(thing, wanted, counted)

    def _shaping(self, markers: Sequence[str]) -> list[str]:
        return [m for m in markers if m in self.cases or m in (*ARTICLES, "pl")]

    def form_name(self, markers: Collection[str]) -> str:
        """How the lexicon writes a set of markers: plural, then case or preposition, then article: `pl.acc`, `di.the`."""
        order = ("pl", *sorted(self.cases), *ARTICLES)
        return ".".join(m for m in order if m in markers)

    def is_known_form(self, name: str) -> bool:
        """Whether `name` may stand in a lexicon entry of this language."""
        return name in self.stored or name in ("article", "members", "none") or all(m in self.markers for m in name.split("."))

    def case(self, markers: Collection[str]) -> str | None:
        """The one case or preposition among `markers`."""
        return next((m for m in markers if m in self.cases), None)


def leading_group(n: int) -> tuple[int, int]:
    """The first group of three digits of a number and how many groups follow it: 15 200 → (15, 1). It is what is said first."""
    n, groups = abs(n), 0
    while n >= 1000:
        n, groups = n // 1000, groups + 1
    return n, groups
