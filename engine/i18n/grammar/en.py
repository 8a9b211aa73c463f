"""The English grammar: a or an, plurals, the possessive."""

from __future__ import annotations

import re
from collections.abc import Collection

from .base import Grammar, Thing, leading_group

_VOWEL_SOUND = re.compile(r"(?!uni([^nm]|$)|use|usual|eu|ewe|one\b|once|ut[ie])[aeiou]|hour|heir|honou?r|honest", re.IGNORECASE)


class English(Grammar):
    """Lexicon forms: `sg` (default: the name), `pl` (default: by rule), `article: none` for nouns without an
    article."""

    cases = frozenset({"gen"})

    def inflect(self, thing: Thing, markers: Collection[str]) -> str:
        if thing.title and thing.kind:
            kind = self.inflect(thing.kind, [m for m in markers if m not in ("the", "an")])
            return self._article(f"{thing.name} {kind}", markers)
        word = self._plural(thing) if "pl" in markers else thing.forms.get("sg", thing.name)
        if "gen" in markers:
            word = possessive(word, "pl" in markers)
        return word if thing.forms.get("article") == "none" else self._article(word, markers)

    def counted(self, number: str, n: int, thing: Thing, markers: Collection[str]) -> str:
        word = thing.forms.get("sg", thing.name) if n == 1 else self._plural(thing)
        if "gen" in markers:
            word = possessive(word, n != 1)
        return f"the {number} {word}" if "the" in markers else f"{number} {word}"

    def numeral(self, number: str, n: int, markers: Collection[str]) -> str:
        return self._article(number, markers)

    def proper(self, text: str, markers: Collection[str]) -> str:
        return possessive(text, False) if "gen" in markers else text

    def _article(self, word: str, markers: Collection[str]) -> str:
        if "the" in markers:
            return f"the {word}"
        if "an" in markers and "pl" not in markers:
            return f"{indefinite_article(word)} {word}"
        return word

    def _plural(self, thing: Thing) -> str:
        return thing.forms.get("pl") or regular_plural(thing.forms.get("sg", thing.name))


def indefinite_article(word: str) -> str:
    """Returns `a` or `an` by the first sound of `word`. Digits are read aloud: an 8, an 11, a 10."""
    digits = re.match(r"\d+", word)
    if digits:
        group, groups = leading_group(int(digits.group()))
        return "an" if str(group)[0] == "8" or (group in (11, 18)) else "a"
    return "an" if _VOWEL_SOUND.match(word.lstrip("\"'“‘(")) else "a"


def regular_plural(word: str) -> str:
    """Returns the regular English plural. Irregular plurals belong in the lexicon."""
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ies"
    return word + ("es" if re.search(r"(s|x|z|ch|sh)$", word) else "s")


def possessive(word: str, plural: bool) -> str:
    """Returns the possessive form: `Anna’s`, `the barons’`."""
    return word + ("’" if plural and word.endswith("s") else "’s")
