"""Inflects German nouns: der, die, das and ein in four cases. The lexicons contain genders, plurals and irregular forms."""

from __future__ import annotations

from collections.abc import Collection

from ludoglot.api.grammar import Grammar, Thing

CASES = ("acc", "dat", "gen")
# By gender and number, in the order nominative, accusative, dative, genitive.
DEFINITE = {"m": ("der", "den", "dem", "des"), "f": ("die", "die", "der", "der"), "n": ("das", "das", "dem", "des"),
            "pl": ("die", "die", "den", "der")}
INDEFINITE = {"m": ("ein", "einen", "einem", "eines"), "f": ("eine", "eine", "einer", "einer"), "n": ("ein", "ein", "einem", "eines")}
HISSING = ("s", "ß", "x", "z")


class German(Grammar):
    """The grammar of German nouns.

    Forms in a lexicon: `sg` (default: the name), `pl`, `g` (m, f or n), and `article: none` for nouns without an article. Add `acc`, `dat`,
    `gen` and `pl.dat` if the rules below do not give them, for example for weak nouns:
    {sg: Bauer, pl: Bauern, g: m, acc: Bauern, dat: Bauern, gen: Bauern}.
    """

    cases = frozenset(CASES)
    stored = frozenset({"sg", "pl", "g"})
    genders = ("m", "f", "n")
    ordinals = True
    capital_nouns = True

    def lacks(self, thing: Thing, markers: Collection[str], counted: bool = False) -> str | None:
        if thing.title and thing.kind:
            return self.lacks(thing.kind, markers)
        if ("pl" in markers or counted) and "pl" not in thing.forms:
            return "pl"
        needs_gender = ("the" in markers or "an" in markers) and "pl" not in markers and thing.forms.get("article") != "none"
        return "g" if needs_gender and "g" not in thing.forms else None

    def inflect(self, thing: Thing, markers: Collection[str]) -> str:
        if thing.title and thing.kind:
            return f"{self.inflect(thing.kind, markers)} {thing.name}"
        if thing.forms.get("article") == "none":
            return self.proper(thing.forms.get("sg", thing.name), markers)
        return f"{self._article(thing, markers)}{self._word(thing, markers)}"

    def neutral(self, thing: Thing, markers: Collection[str]) -> str:
        kind = thing.kind
        if kind and "pl" not in markers and ("the" in markers or "an" in markers) and not self.lacks(kind, markers):
            return f"{self.inflect(kind, markers)} {thing.name}"     # der Karte Sturm
        return self.proper(thing.name, markers)

    def counted(self, number: str, n: int, thing: Thing, markers: Collection[str]) -> str:
        wanted = [marker for marker in markers if marker in self.cases or marker == "the"] + (["pl"] if n != 1 else [])
        word = self._word(thing, wanted) if n == 1 or "pl" in thing.forms else thing.name
        return f"{self._article(thing, wanted)}{number} {word}"

    def proper(self, text: str, markers: Collection[str]) -> str:
        if "gen" not in markers or not text:
            return text
        return f"{text}’" if text.lower().endswith(HISSING) else f"{text}s"

    def _article(self, thing: Thing, markers: Collection[str]) -> str:
        """Returns the article and a space, or nothing."""
        case = self.case(markers)
        column = 1 + CASES.index(case) if case else 0
        gender = "pl" if "pl" in markers else thing.forms.get("g", "n")
        if "the" in markers:
            return DEFINITE[gender][column] + " "
        return INDEFINITE[gender][column] + " " if "an" in markers and gender != "pl" else ""

    def _word(self, thing: Thing, markers: Collection[str]) -> str:
        many, case = "pl" in markers, self.case(markers)
        word = thing.forms["pl"] if many else thing.forms.get("sg", thing.name)
        stored = thing.forms.get(self.form_name([marker for marker in ("pl", case) if marker in markers])) if case else None
        if stored is not None:
            return stored
        if many and case == "dat" and word.endswith(("e", "el", "er")):
            return word + "n"
        if not many and case == "gen" and thing.forms.get("g") in ("m", "n"):
            return word + ("es" if word.endswith(HISSING) else "s")
        return word
