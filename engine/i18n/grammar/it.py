"""The Italian grammar.

The articles are il, lo, la, l', i, gli, le and un, uno, una, un'. The prepositions di, a, da, in and su
contract with them."""

from __future__ import annotations

import re

from .base import leading_group
from .romance import RomanceGrammar

_VOWEL = re.compile(r"[aeiouàèéìòù]|h[aeiou]", re.IGNORECASE)
_GLIDE = re.compile(r"i[aeou]", re.IGNORECASE)                     # la iena, lo iato
_LO = re.compile(r"s[^aeiouàèéìòù\W]|z|gn|ps|pn|x|y", re.IGNORECASE)
_STEMS = {"di": "de", "a": "a", "da": "da", "in": "ne", "su": "su"}
_ENDS = {"il": "l", "lo": "llo", "la": "lla", "l'": "ll'", "i": "i", "gli": "gli", "le": "lle"}


def starts_with_elided_vowel(word: str) -> bool:
    """Whether `word` begins with a vowel that takes an apostrophe before it. Digits are read aloud: l'8, l'11."""
    digits = re.match(r"\d+", word)
    if digits:
        group, groups = leading_group(int(digits.group()))
        return str(group)[0] == "8" or (group == 11) or (group == 1 and groups == 0)
    return bool(_VOWEL.match(word)) and not _GLIDE.match(word)


class Italian(RomanceGrammar):
    """The Italian grammar. Lexicon forms: see the base class."""
    lang = "it"
    cases = frozenset(_STEMS)

    def definite(self, word: str, gender: str, plural: bool) -> str:
        if gender == "f":
            return "le" if plural else "l'" if starts_with_elided_vowel(word) else "la"
        strong = bool(_LO.match(word) or _GLIDE.match(word))
        if plural:                                                    # gli 8 only elides in the singular
            return "gli" if strong or starts_with_elided_vowel(word) else "i"
        return "l'" if starts_with_elided_vowel(word) else "lo" if strong else "il"

    def indefinite(self, word: str, gender: str, plural: bool) -> str:
        if plural:
            return self.contract("di", self.definite(word, gender, plural))
        if gender == "f":
            return "un'" if starts_with_elided_vowel(word) else "una"
        return "uno" if _LO.match(word) or _GLIDE.match(word) else "un"

    def contract(self, preposition: str, article: str) -> str:
        return _STEMS[preposition] + _ENDS[article]

    def bare_preposition(self, preposition: str, word: str) -> str:
        return "ad" if preposition == "a" and word[:1] and word[:1] in "aAàÀáÁâÂäÄ" else preposition

    def joint(self, last: str, style: str) -> str | None:
        return " ed " if style == "and" and last[:1] in "eEèéÈÉ" else None
