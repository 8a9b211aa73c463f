"""Trees of rule files and the parser itself, kept from one run to the next (cache.py): reading a file that has been read before needs
no grammar at all."""

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

from . import tree
from .cache import code_of, fetch, keep, key_of

KIND, TABLES = "trees", "parsers"
HOOKS = ("postlex", "propagate_positions")                         # what a parser is given, and is no part of its tables


def _token(kind: str, value: str, *places: int | None) -> Token:
    """A token with all its places."""
    return Token(kind, value, *places)


def _meta(values: dict[str, Any]) -> Meta:
    empty: Callable[[], Meta] = Meta                               # Lark says no types of it
    found = empty()
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


def parser(grammar: str, postlex: Indenter, positions: Callable[[Any], bool]) -> Lark | None:
    """The parser of a grammar that was worked out before: plain tables, in which nothing can be run."""
    found = fetch(TABLES, key_of(lark.__version__, code_of("dsl/syntax"), grammar), ())
    try:
        data, memo = found
        data["options"] |= dict.fromkeys(HOOKS)
        rebuilt: Callable[..., Lark] = Lark._load_from_dict
        return rebuilt(data, memo, postlex=postlex, propagate_positions=positions)
    except Exception:                                              # nothing was kept, or another Lark wrote it
        return None


def note_parser(grammar: str, made: Lark) -> None:
    """Keep the tables of a parser."""
    data, memo = made.memo_serialize([TerminalDef, Rule])
    data["options"] = {name: value for name, value in data["options"].items() if name not in HOOKS}
    keep(TABLES, key_of(lark.__version__, code_of("dsl/syntax"), grammar), (data, memo))


def _key(source: str, language: str) -> str:
    return key_of(code_of("dsl/syntax"), language, source)
