"""Words in four languages.

    languages.py   which there are, and which one is wanted
    values.py      what may stand in a field: Noun, Proper, Counted, numbers, lists
    template.py    sentences: {field}~marker
    grammar/       articles, cases, contractions, plurals: one module for each language
    files.py       catalogues, lexicons and messages as data (cache.py keeps what was read)
    words.py       Words: key + values → sentence
    sources.py     every English text of a domain, with its place; extractors.py gives the same to Babel
    catalogue.py   extract and update the .po files; check.py finds what is missing, stale or wrong in them
"""

from __future__ import annotations

from .arguments import CountedNoun, Noun, ProperName, TextValue
from .languages import LANGUAGES, PSEUDO_LANGUAGE, parse_language_code, pick_language
from .localizer import Localizer, engine_localizer, game_localizer

__all__ = [
    "LANGUAGES",
    "PSEUDO_LANGUAGE",
    "CountedNoun",
    "Noun",
    "ProperName",
    "TextValue",
    "Localizer",
    "engine_localizer",
    "game_localizer",
    "parse_language_code",
    "pick_language",
]
