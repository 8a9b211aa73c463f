"""The grammars of the languages: articles, cases, contractions, counted nouns, and the last conjunction of a
list.

Each language names its grammar class in its language.yaml (key `grammar`)."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from ....dsl.languages.registry import DEFAULT_GRAMMAR, find_language
from .base import Grammar, Thing


@cache
def grammar_of(code: str) -> Grammar:
    """Returns the grammar of a language. An unknown code, such as the pseudo-language, gets the English grammar."""
    found = find_language(code)
    module, _, name = (found.grammar if found is not None else DEFAULT_GRAMMAR).partition(":")
    made = getattr(import_module(module), name)()
    assert isinstance(made, Grammar), f"{module}:{name} is no grammar"
    return made


__all__ = ["Grammar", "Thing", "grammar_of"]
