"""Parse what users type: numbers, and words to compare with known ones. No input raises an error here."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

MAX_DIGITS = 18                          # longer numbers are not parsed
NORMALIZED_TEXTS = 20_000                # kept, since the texts of options return with every question


def parse_int(text: str, signed: bool = False) -> int | None:
    """Parses an integer in the digits of any script. Returns None for anything else, and for more than MAX_DIGITS
    digits."""
    bare = text.strip().replace("−", "-")
    digits = bare.removeprefix("-") if signed else bare
    return int(bare) if len(digits) <= MAX_DIGITS and digits.isdecimal() else None


@lru_cache(NORMALIZED_TEXTS)
def normalize(text: str) -> str:
    """Normalizes a text for comparison: no capitals, no accents, single spaces, straight apostrophes,
    hyphens for minus signs."""
    text = text.replace("’", "'").replace("−", "-")
    bare = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return " ".join(bare.split())
