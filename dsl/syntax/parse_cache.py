"""Caches syntax trees and parser tables on disk (cache.py). A file that was parsed before needs no grammar at all."""

from __future__ import annotations

from collections.abc import Callable
from inspect import isclass
from typing import Any

import lark
from lark import Lark, Token
from lark.grammar import Rule
from lark.indenter import Indenter
from lark.lexer import TerminalDef
from lark.tree import Meta

from ..cache import cache_get, cache_key, cache_put, package_hash
from . import tree

KIND, TABLES = "trees", "parsers"
UNCACHED_OPTIONS = ("postlex", "propagate_positions")                         # parser options that are passed in, not stored in its tables


def _make_token(kind: str, value: str, *places: int | None) -> Token:
    """Creates a token with all its positions."""
    return Token(kind, value, *places)


def _make_meta(values: dict[str, Any]) -> Meta:
    """Creates a `Meta` from its attributes."""
    empty: Callable[[], Meta] = Meta                               # untyped in Lark
    found = empty()
    found.__dict__.update(values)
    found.empty = not values
    return found


def _reduce_token(token: Token) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    return _make_token, (token.type, str(token), token.start_pos, token.line, token.column, token.end_line, token.end_column, token.end_pos)


def _reduce_meta(meta: Meta) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    return _make_meta, ({name: value for name, value in vars(meta).items() if name != "empty"},)


NODE_CLASSES = [thing for thing in vars(tree).values() if isclass(thing) and thing.__module__ == tree.__name__]
ALLOWED_CALLABLES: list[Callable[..., Any]] = [_make_token, _make_meta, *NODE_CLASSES]


def load_trees(source: str, language: str) -> list[tree.Node] | None:
    """Returns the cached declarations of a text that was parsed without errors, or None."""
    found = cache_get(KIND, _tree_key(source, language), ALLOWED_CALLABLES)
    return found if isinstance(found, list) else None


def store_trees(source: str, language: str, declarations: list[tree.Node]) -> None:
    """Caches the declarations of a text without errors."""
    cache_put(KIND, _tree_key(source, language), declarations, {Token: _reduce_token, Meta: _reduce_meta})


def load_parser(grammar: str, postlex: Indenter, positions: Callable[[Any], bool]) -> Lark | None:
    """Returns the parser of a grammar from its cached tables, or None. The tables are plain data."""
    found = cache_get(TABLES, cache_key(lark.__version__, package_hash("dsl/syntax", "dsl/cache"), grammar), ())
    try:
        data, memo = found
        data["options"] |= dict.fromkeys(UNCACHED_OPTIONS)
        rebuilt: Callable[..., Lark] = Lark._load_from_dict
        return rebuilt(data, memo, postlex=postlex, propagate_positions=positions)
    except Exception:                                              # not cached, or written by another version of Lark
        return None


def store_parser(grammar: str, parser: Lark) -> None:
    """Caches the tables of a parser."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    data["options"] = {name: value for name, value in data["options"].items() if name not in UNCACHED_OPTIONS}
    cache_put(TABLES, cache_key(lark.__version__, package_hash("dsl/syntax", "dsl/cache"), grammar), (data, memo))


def _tree_key(source: str, language: str) -> str:
    return cache_key(package_hash("dsl/syntax", "dsl/cache"), language, source)
