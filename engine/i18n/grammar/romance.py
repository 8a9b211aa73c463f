"""The common part of the Italian and Spanish grammars: gender and plural are stored, articles and contractions
follow rules."""

from __future__ import annotations

from collections.abc import Collection

from .base import Grammar, Thing


class RomanceGrammar(Grammar):
    """Lexicon forms: `sg` (default: the name), `pl`, `g` (m or f), `article: none` for nouns without an article."""

    stored = frozenset({"sg", "pl", "g"})

    # ------------------------------------------------------------ overridden by each language

    def definite(self, word: str, gender: str, plural: bool) -> str:
        """Returns the definite article before `word`. An apostrophe at its end means that no space follows."""
        raise NotImplementedError

    def indefinite(self, word: str, gender: str, plural: bool) -> str:
        """Returns the indefinite article before `word`."""
        raise NotImplementedError

    def contract(self, preposition: str, article: str) -> str:
        """Returns the contraction of preposition and article: `di` and `la` → `della`."""
        raise NotImplementedError

    def bare_preposition(self, preposition: str, word: str) -> str:
        """Returns the preposition before a word without an article."""
        return preposition

    # ------------------------------------------------------------ shared by both languages

    def lacks(self, thing: Thing, markers: Collection[str], counted: bool = False) -> str | None:
        if thing.title and thing.kind:
            return self.lacks(thing.kind, markers)
        if ("pl" in markers or counted) and "pl" not in thing.forms:
            return "pl"
        takes_article = ("the" in markers or "an" in markers) and thing.forms.get("article") != "none"
        return "g" if takes_article and "g" not in thing.forms else None

    def inflect(self, thing: Thing, markers: Collection[str]) -> str:
        if thing.title and thing.kind:
            return f"{self.inflect(thing.kind, markers)} {thing.name}"
        many = "pl" in markers
        word = thing.forms["pl"] if many else thing.forms.get("sg", thing.name)
        if thing.forms.get("article") == "none":
            markers = [m for m in markers if m not in ("the", "an")]
        return self._add_article(word, thing.forms.get("g", "m"), many, markers)

    def neutral(self, thing: Thing, markers: Collection[str]) -> str:
        kind = thing.kind
        if kind and "the" in markers and "pl" not in markers and not self.lacks(kind, markers):
            return f"{self.inflect(kind, markers)} {thing.name}"     # l'animale Hydra
        return self.proper(thing.name, markers)

    def counted(self, number: str, n: int, thing: Thing, markers: Collection[str]) -> str:
        one = thing.forms.get("sg", thing.name)
        phrase = f"{number} {one if n == 1 else thing.forms.get('pl', one)}"
        return self._add_article(phrase, thing.forms.get("g", "m"), n != 1, [m for m in markers if m != "an"])

    def numeral(self, number: str, n: int, markers: Collection[str]) -> str:
        return self._add_article(number, "m", False, [m for m in markers if m != "an"])

    def proper(self, text: str, markers: Collection[str]) -> str:
        return self._add_article(text, "m", False, [m for m in markers if m not in ("the", "an")])

    def _add_article(self, word: str, gender: str, plural: bool, markers: Collection[str]) -> str:
        preposition, article = self.case(markers), ""
        if "the" in markers:
            article = self.definite(word, gender, plural)
        elif "an" in markers:
            article = self.indefinite(word, gender, plural)
        if preposition:
            if "the" in markers:
                article = self.contract(preposition, article)
            else:
                article = f"{self.bare_preposition(preposition, article or word)} {article}".strip()
        return word if not article else article + word if article.endswith("'") else f"{article} {word}"
