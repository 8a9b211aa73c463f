"""The Lark parser for rules with the keywords of one human language, and the split of a text into declarations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from lark import Lark, Token
from lark.indenter import DedentError, Indenter

from ..diagnostics.safe_read import read_text
from ..languages.registry import keyword_spellings

HERE = Path(__file__).parent
SOURCE_LANGUAGE = "en"                        # the language of `keywords.yaml`


class MixedIndentError(DedentError):
    """Two lines mix tabs and spaces so that only the width of a tab decides which block they belong to."""


class RuleIndenter(Indenter):
    """Turns indentation into block tokens. A line that matches no open block raises an error with its position."""

    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LSQB", "LBRACE"]
    CLOSE_PAREN_types = ["RPAR", "RSQB", "RBRACE"]
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 4
    margin = ""                                                    # indentation of the previous line, as written

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        self.margin = ""
        yield from super().process(stream)                         # type: ignore[no-untyped-call]

    def handle_NL(self, token: Token) -> Iterator[Token]:
        if self.paren_level == 0:
            above, self.margin = self.margin, token.rpartition("\n")[2]
            if not self.margin.startswith(above) and not above.startswith(self.margin):
                raise MixedIndentError(token.end_line, token.end_column)
        try:
            yield from super().handle_NL(token)
        except DedentError as error:                               # Lark's own error has no position
            raise DedentError(token.end_line, token.end_column) from error


@cache
def keywords(language: str = SOURCE_LANGUAGE) -> dict[str, Any]:
    """Returns the keywords of a language: `words` and `soft` map terminals to spellings, `folds` is a list.

    A keyword without a translation keeps its English spelling."""
    if language == SOURCE_LANGUAGE:
        found: dict[str, Any] = yaml.safe_load(read_text(HERE / "keywords.yaml"))
        return found
    english, own = keywords(SOURCE_LANGUAGE), keyword_spellings(language)
    return {**{table: {name: own["words"].get(word, word) for name, word in english[table].items()} for table in ("words", "soft")},
            "folds": [own["folds"].get(word, word) for word in english["folds"]]}


def _keyword_pattern(spelling: str) -> str:
    """Returns the pattern of a keyword. Spaces match any run of spaces and tabs."""
    return r"[ \t]+".join(map(re.escape, spelling.split()))


def build_terminals(language: str) -> str:
    """Returns the Lark definitions of the terminals that depend on the human language: keywords, NAME and FOLD."""
    table = keywords(language)
    words, soft = table["words"], table["soft"]
    reserved = "|".join(sorted({re.escape(word) for word in words.values() if " " not in word}))
    folds = "|".join(map(re.escape, table["folds"]))
    lines = [rf"NAME: /(?!(?:{reserved})(?!\w))[^\W\dA-Z]\w*/", rf"FOLD.3: /(?:{folds})(?=[ \t]*\()/"]
    for name, spelling in (words | soft).items():
        follows = r"(?=[ \t]+[^\W\dA-Z]\w*[ \t]*[\[(])" if name == "_AFTER" else ""
        lines.append(rf"{name}.{4 if ' ' in spelling else 2}: /{_keyword_pattern(spelling)}(?!\w){follows}/")
    return "\n".join(lines)


@cache
def build_parser(language: str = "en") -> Lark:
    """Returns the parser for the keywords of one human language. Its tables are cached on disk."""
    from . import parse_cache
    grammar = read_text(HERE / "grammar.lark") + "\n" + build_terminals(language)
    found = parse_cache.load_parser(grammar, RuleIndenter(), _has_place)
    if found is None:
        found = Lark(
            grammar, parser="lalr", lexer="contextual", postlex=RuleIndenter(), propagate_positions=_has_place, maybe_placeholders=True
        )
        parse_cache.store_parser(grammar, found)
    return found


def _has_place(node: Any) -> bool:
    """Whether a node counts for positions. Line ends and indentation do not: a statement ends with its last word."""
    return not isinstance(node, Token) or node.type not in ("_NL", "_INDENT", "_DEDENT")


def iter_declarations(source: str) -> Iterator[str]:
    """Yields each declaration of a source, preceded by empty lines that keep its line numbers.

    A line without indentation begins a declaration, unless it is a closing bracket or a comment."""
    for start, end in find_declarations(source):
        yield "\n" * source.count("\n", 0, start) + source[start:end].rstrip() + "\n"


def find_declarations(source: str) -> list[tuple[int, int]]:
    """Returns the start and end of each declaration with the text after it. Only comments precede the first one."""
    starts = [m.start() for m in re.finditer(r"(?m)^[^\s#)\]}]", source)]
    return list(zip(starts, [*starts[1:], len(source)]))
