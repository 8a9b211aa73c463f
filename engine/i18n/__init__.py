"""Localization: texts in several languages.

    languages.py        the available languages, and which one the user wants
    arguments.py        values for fields of a sentence: Noun, ProperName, CountedNoun, DeferredMessage, numbers, lists
    template.py         sentences with fields: {field}~marker
    grammar/            articles, cases, contractions, plurals: one module for each language
    readers.py          reads catalogues, lexicons and messages
    localizer.py        Localizer: key + values → sentence
    placeholders.py     numbers and names of a game's data that its texts may use
    message_sources.py  every English text of a domain with its place; extractors.py gives the same to Babel
    catalogue.py        extracts texts and updates the .po files
    new_language.py     writes the package of a new language
    check_*.py, lint.py check texts: missing, outdated, wrong or badly written ones
    user_input.py       parses what users type
    text_layout.py      wraps paragraphs and arranges columns by cells of the terminal"""

from __future__ import annotations

from .arguments import CountedNoun, DeferredMessage, Noun, ProperName, TextValue
from .languages import LANGUAGES, PSEUDO_LANGUAGE, parse_language_code, pick_language
from .localizer import Localizer, engine_localizer, game_localizer

__all__ = [
    "LANGUAGES",
    "PSEUDO_LANGUAGE",
    "CountedNoun",
    "Noun",
    "ProperName",
    "DeferredMessage",
    "TextValue",
    "Localizer",
    "engine_localizer",
    "game_localizer",
    "parse_language_code",
    "pick_language",
]
