"""What the grammar of a language does to the nouns and numbers of a sentence: articles, cases, contractions, counted nouns, the last word
of a list. Each language names its own (`grammar` in its language.yaml)."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from ....dsl.languages.registry import DEFAULT_GRAMMAR, find_language
from .base import Grammar, Thing


@cache
def grammar_of(code: str) -> Grammar:
    """The grammar that a language names; English for what is none, such as the pseudo-language."""
    found = find_language(code)
    module, _, name = (found.grammar if found is not None else DEFAULT_GRAMMAR).partition(":")
    made = getattr(import_module(module), name)()
    assert isinstance(made, Grammar), f"{module}:{name} is no grammar"
    return made


__all__ = ["Grammar", "Thing", "grammar_of"]
