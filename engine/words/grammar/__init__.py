"""One grammar for each language: articles, cases, contractions, counted nouns, the last word of a list."""

from __future__ import annotations

from .base import Grammar, Thing
from .en import English
from .es import Spanish
from .hu import Hungarian
from .it import Italian

GRAMMARS: dict[str, Grammar] = {"it": Italian(), "es": Spanish(), "hu": Hungarian(), "en": English(), "xx": English()}

__all__ = ["GRAMMARS", "Grammar", "Thing"]
