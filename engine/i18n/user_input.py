"""What people type: as a number, and compared with what they may mean by it. Nothing that can be typed raises an error here."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable

MAX_DIGITS = 18                          # of the longest number that somebody may mean


def parse_int(text: str, signed: bool = False) -> int | None:
    """A whole number as people type it, in the digits of any script; None for anything else, also for more digits than anybody means."""
    bare = text.strip()
    digits = bare.removeprefix("-") if signed else bare
    return int(bare) if len(digits) <= MAX_DIGITS and digits.isdecimal() else None


def normalize(text: str) -> str:
    """A text as typed answers are compared: no capitals, no accents, single spaces, straight apostrophes."""
    text = text.replace("’", "'")
    bare = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return " ".join(bare.split())


def closest_match(word: str, known: Iterable[str]) -> str:
    """The known word that was most likely meant, or nothing."""
    found = difflib.get_close_matches(word, list(known), 1, 0.6)
    return found[0] if found else ""
