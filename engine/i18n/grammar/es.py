"""The Spanish grammar.

Articles are el, la, los, las and un, una. The contractions are al and del. `el` precedes a stressed a (el
agua), and y and o change before their own sound."""

from __future__ import annotations

import re

from .base import leading_group
from .romance import RomanceGrammar

_SYLLABLE = re.compile(r"(?:[iuü]?[aeoáéó][iuyü]?(?![aeoáéíóú])|[iuü]?[aeoáéó]|[íú]|[iuü]+)", re.IGNORECASE)


def starts_with_stressed_a(word: str) -> bool:
    """Whether a word begins with a stressed `a`: el agua, el hacha, el águila, but la arena."""
    first = re.match(r"\w+", word.lower())
    text = first.group() if first else ""
    if not re.match(r"h?[aá]", text):
        return False
    accents = [n for n, letter in enumerate(text) if letter in "áéíóú"]
    if accents:
        return accents[0] == text.index("á") if "á" in text[:2] else False
    syllables = len(_SYLLABLE.findall(text))
    return syllables == (2 if text[-1] in "aeiouns" else 1)


class Spanish(RomanceGrammar):
    """The Spanish grammar. Lexicon forms: see the base class."""
    lang = "es"
    cases = frozenset({"de", "a"})

    def definite(self, word: str, gender: str, plural: bool) -> str:
        if plural:
            return "las" if gender == "f" else "los"
        return "la" if gender == "f" and not starts_with_stressed_a(word) else "el"

    def indefinite(self, word: str, gender: str, plural: bool) -> str:
        if plural:
            return "unas" if gender == "f" else "unos"
        return "una" if gender == "f" and not starts_with_stressed_a(word) else "un"

    def contract(self, preposition: str, article: str) -> str:
        if article == "el":
            return "del" if preposition == "de" else "al"
        return f"{preposition} {article}"

    def joint(self, last: str, style: str) -> str | None:
        if style == "and":
            return " e " if re.match(r"h?[ií](?![aeoáéó])", last, re.IGNORECASE) else None
        digits = re.match(r"\d+", last)
        if digits:
            group, _ = leading_group(int(digits.group()))
            return " u " if str(group)[0] == "8" or group == 11 else None
        return " u " if re.match(r"h?[oó]", last, re.IGNORECASE) else None
