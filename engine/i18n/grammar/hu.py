"""Hungarian: stored forms for nouns, and case endings by rule for names, labels and numbers.

In a sentence, `a(z)` becomes a or az depending on the next word, even if a field provides it: `a(z) „{card}”
kártya`."""

from __future__ import annotations

import re
from collections.abc import Collection

from .base import Grammar, Thing
from .hu_phonology import ENDINGS, decline, ending, last_word_of_number, starts_with_vowel

_SMALL, _LARGE = "\ue0a0", "\ue0a1"                                 # placeholders for a(z) and A(z) until the next word is known
_AZ = re.compile(r"(?<!\w)([aA])\(z\)(?=\s|$)")


class Hungarian(Grammar):
    """Lexicon forms: `nom` (default: the name), one per case, `pl` and `pl.<case>`; `article` if a or az does not
    follow the spelling."""

    lang = "hu"
    base = "nom"
    cases = frozenset(ENDINGS)
    stored = frozenset({"nom", "pl"})
    ordinals = True

    def lacks(self, thing: Thing, markers: Collection[str], counted: bool = False) -> str | None:
        if thing.title and thing.kind:
            return self.lacks(thing.kind, markers)
        form = self._form(markers)
        return form if form and form not in thing.forms else None

    def inflect(self, thing: Thing, markers: Collection[str]) -> str:
        if thing.title and thing.kind:
            kind = self.inflect(thing.kind, [m for m in markers if m not in ("the", "an")])
            return self._article(f"{thing.name} {kind}", markers)
        form = self._form(markers)
        word = thing.forms[form] if form else thing.forms.get("nom", thing.name)
        return self._article(word, markers, thing.forms.get("article"))

    def neutral(self, thing: Thing, markers: Collection[str]) -> str:
        kind, case = thing.kind, self.case(markers)
        if "pl" not in markers and case and kind and case in kind.forms:
            return self._article(f"{thing.name} nevű {kind.forms[case]}", markers)   # a Hydra nevű állatot
        word = thing.forms.get("nom", thing.name)
        return self._article(decline(word, case) if case else word, markers)

    def counted(self, number: str, n: int, thing: Thing, markers: Collection[str]) -> str:
        case = self.case(markers)
        word = thing.forms.get("nom", thing.name)                    # Hungarian uses the singular after a number
        if case:
            word = thing.forms.get(case) or decline(word, case)
        return self._article(f"{number} {word}", markers)

    def noun_with_number(self, thing: Thing, number: int, markers: Collection[str]) -> str:
        return self.counted(f"{number}.", number, thing, [m for m in markers if m != "an"])

    def numeral(self, number: str, n: int, markers: Collection[str]) -> str:
        case = self.case(markers)
        return self._article(f"{number}-{ending(last_word_of_number(n), case, hyphen=True)}" if case else number, markers)

    def proper(self, text: str, markers: Collection[str]) -> str:
        case = self.case(markers)
        return decline(text, case) if case and text else text

    def seat(self, text: str, markers: Collection[str]) -> str:
        return self.proper(text, markers) if "voc" in markers else self._article(self.proper(text, markers), ["the"])

    def literal(self, text: str) -> str:
        return _AZ.sub(lambda found: _SMALL if found[1] == "a" else _LARGE, text)

    def finish(self, text: str) -> str:
        for mark, word in ((_SMALL, "a"), (_LARGE, "A")):
            while (at := text.find(mark)) >= 0:
                text = text[:at] + word + ("z" if starts_with_vowel(text[at + 1:]) else "") + text[at + 1:]
        return text

    def _form(self, markers: Collection[str]) -> str:
        return self.form_name([m for m in markers if m not in ("the", "an")])

    def _article(self, word: str, markers: Collection[str], stored: str | None = None) -> str:
        if "the" in markers and stored != "none":
            return f"{stored or ('az' if starts_with_vowel(word) else 'a')} {word}"
        return f"egy {word}" if "an" in markers and "pl" not in markers else word
