"""Texts of a rulebook cut at the words that are explained elsewhere in it."""

from __future__ import annotations

import re
from collections.abc import Iterator


class TermLinker:
    """`terms`: words, each with the anchor where it is explained. One with a capital is meant only where it has its capital."""

    def __init__(self, terms: dict[str, str]) -> None:
        self.terms = terms
        alternatives = "|".join(map(re.escape, sorted(terms, key=len, reverse=True)))
        self.pattern = re.compile(rf"(?<![\w-])(?:{alternatives})(?![\w-])", re.IGNORECASE) if terms else None

    def split_text(self, text: str, here: str = "") -> Iterator[tuple[str, str]]:
        """The pieces of a text, each with the anchor that it leads to ("" for none): each word once, and never to where the text stands."""
        used = {here, ""}
        at = 0
        for found in self.pattern.finditer(text) if self.pattern else ():
            anchor = self.terms.get(found.group()) or self.terms.get(found.group().lower(), "")
            first = not text[: found.start()].strip() or text[: found.start()].rstrip()[-1] in ".:!?;"
            if anchor in used or first and anchor.startswith(("phase-", "family-")):
                continue                                           # a capital at the beginning says nothing: “Turn the tile”
            used.add(anchor)
            yield text[at : found.start()], ""
            yield found.group(), anchor
            at = found.end()
        yield text[at:], ""
