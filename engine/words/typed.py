"""What people type, compared with what they may mean by it."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable


def folded(text: str) -> str:
    """A text as typed answers are compared: no capitals, no accents, single spaces."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return " ".join(bare.split())


def near(word: str, known: Iterable[str]) -> str:
    """The known word that was most likely meant, or nothing."""
    found = difflib.get_close_matches(word, list(known), 1, 0.6)
    return found[0] if found else ""
