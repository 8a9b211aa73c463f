"""Trees of rule files and the parser itself, kept from one run to the next (cache.py): reading a file that has been read before needs
no grammar at all."""

from __future__ import annotations

from collections.abc import Callable
from inspect import isclass
from typing import Any

from lark import Token
from lark.tree import Meta

from ..cache import code_of, fetch, keep, key_of
from . import tree

KIND = "trees"


def _token(kind: str, value: str, *places: int | None) -> Token:
    """A token with all its places."""
    return Token(kind, value, *places)


def _meta(values: dict[str, Any]) -> Meta:
    found = Meta()
    found.__dict__.update(values)
    found.empty = not values
    return found


def _plain_token(token: Token) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    return _token, (token.type, str(token), token.start_pos, token.line, token.column, token.end_line, token.end_column, token.end_pos)


def _plain_meta(meta: Meta) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    return _meta, ({name: value for name, value in vars(meta).items() if name != "empty"},)


NODES = [thing for thing in vars(tree).values() if isclass(thing) and thing.__module__ == tree.__name__]
ALLOWED: list[Callable[..., Any]] = [_token, _meta, *NODES]


def known(source: str, language: str) -> list[tree.Node] | None:
    """The declarations of a text that was parsed before without a mistake."""
    found = fetch(KIND, _key(source, language), ALLOWED)
    return found if isinstance(found, list) else None


def note(source: str, language: str, declarations: list[tree.Node]) -> None:
    """Keep the declarations of a text in which there was no mistake."""
    keep(KIND, _key(source, language), declarations, {Token: _plain_token, Meta: _plain_meta})


def _key(source: str, language: str) -> str:
    return key_of(code_of("dsl/syntax"), language, source)
