"""Splits the texts of a rulebook at the terms that are explained elsewhere in it."""

from __future__ import annotations

import re
from collections.abc import Iterator


class TermLinker:
    """Finds the terms in a text. `terms` maps each term to the anchor of its chapter. A
    term with a capital letter matches only with it."""

    def __init__(self, terms: dict[str, str]) -> None:
        self.terms = terms
        alternatives = "|".join(map(re.escape, sorted(terms, key=len, reverse=True)))
        self.pattern = re.compile(rf"(?<![\w-])(?:{alternatives})(?![\w-])", re.IGNORECASE) if terms else None

    def split_text(self, text: str, chapter_anchor: str = "") -> Iterator[tuple[str, str]]:
        """Yields the pieces of a text with the anchors they link to ("" for none). Each anchor
        is linked once, and never from its own chapter."""
        used = {chapter_anchor, ""}
        at = 0
        for found in self.pattern.finditer(text) if self.pattern else ():
            anchor = self.terms.get(found.group()) or self.terms.get(found.group().lower(), "")
            first = not text[: found.start()].strip() or text[: found.start()].rstrip()[-1] in ".:!?;"
            if anchor in used or first and anchor.startswith(("phase-", "family-")):
                continue                                           # at the start of a sentence the capital is no evidence: “Turn the tile”
            used.add(anchor)
            yield text[at : found.start()], ""
            yield found.group(), anchor
            at = found.end()
        yield text[at:], ""
