"""One way to lay out a rule file: four spaces for a block, one around operators and after commas, cites of a stretch in one column.

What a rule says and where its comments stand never changes: the text is read again afterwards, and a file that would say
something else, or that cannot be read at all, comes back as it was.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from ..diagnostics.diagnostic import DiagnosticList
from ..diagnostics.source_lines import split_lines
from .parse import RuleIndenter, keywords, parse

INDENT = 4
MAX_CITE_COLUMN = 110                         # no column of cites lies further right
TOKEN = re.compile(r"#[^\n]*|@\w[\w-]*|\w+|\.\.|//|[=!<>+-]=|\S")
OPENING, CLOSING = "([{", ")]}"
OPERATORS = {"+", "-", "*", "//", "%", "&", "==", "!=", "<", "<=", ">", ">=", "=", "+=", "-=", "..", ",", ":", *OPENING}
OPERANDS = ("TRUE", "FALSE", "NONE", "EVERYTHING")


@dataclass
class LineLayout:
    """A line: its code without cites at the end, these cites, its comment, and where they stood."""

    level: int = 0                   # of indentation, in spaces
    code: str = ""
    cites: str = ""
    comment: str = ""
    cite_column: int = 0             # in the source; 0: one space, no column
    gap: int = 0
    comment_column: int = 0

    @property
    def width(self) -> int:
        return self.level + len(self.code)


@dataclass
class IndentStack:
    """The indentation of the blocks that are open, as written, outermost first; and of the statement whose lines go on."""

    written: list[int] = field(default_factory=lambda: [0])
    depth: int = 0                   # of brackets
    first: int = 0                   # the written indentation of the statement's first line
    level: int = 0                   # the one it gets

    def enter_statement(self, indent: int) -> int:
        while self.written[-1] > indent:
            self.written.pop()
        if indent > self.written[-1]:
            self.written.append(indent)
        self.first, self.level = indent, INDENT * (len(self.written) - 1)
        return self.level

    def continuation_indent(self, indent: int, closes: bool) -> int:
        """A further line of a statement keeps its distance from the first."""
        return self.level + max(indent - self.first, 0 if closes else INDENT)

    def comment_indent(self, indent: int, following: int) -> int:
        """A comment belongs to the statement below it, or, when it stands further in, to the block that ends there."""
        if following > self.written[-1]:
            return INDENT * len(self.written)                      # it stands first in a block
        return INDENT * max(n for n, written in enumerate(self.written) if written <= max(indent, following))


@cache
def operator_words(language: str) -> frozenset[str]:
    """The reserved words after which a minus is a sign and a bracket opens a group."""
    table = keywords(language)["words"]
    return frozenset(word for name, spelling in table.items() if name not in OPERANDS for word in spelling.split())


def format_text(source: str, path: str = "", language: str = "en") -> str:
    """The text in its one layout; unchanged when it cannot be read."""
    before = _parse_shapes(source, path, language)
    if before is None:
        return source
    laid = "\n".join(_format_lines(split_lines(source), language))
    laid = laid.strip("\n") + "\n" if laid.strip() else ""
    return laid if _parse_shapes(laid, path, language) == before else source


def _parse_shapes(text: str, path: str, language: str) -> list[Any] | None:
    findings = DiagnosticList()
    declarations = parse(text, path, findings, language)
    return None if findings.errors else [tree_shape(node) for node in declarations]


def tree_shape(node: Any) -> Any:
    """A tree without its places: what two texts must share to say the same."""
    if isinstance(node, list | tuple):
        return [tree_shape(part) for part in node]
    if hasattr(node, "meta"):
        return (type(node).__name__, *(tree_shape(value) for key, value in sorted(vars(node).items()) if key != "meta"))
    return None if node is None else " ".join(str(node).split())   # `or stop` is written with any spaces


# ---------------------------------------------------------------- lines


def _format_lines(lines: list[str], language: str) -> list[str]:
    rows: list[LineLayout | None] = []                                    # None: an empty line
    blocks = IndentStack()
    for n, line in enumerate(lines):
        if not line.strip():
            if rows and rows[-1] is not None:
                rows.append(None)
            continue
        rows.append(_format_line(line, blocks, language, _next_code_indent(lines, n)))
    out: list[str] = []
    stretch: list[LineLayout] = []
    for row in [*rows, None]:
        if row is not None:
            stretch.append(row)
            continue
        _align_cites(stretch)
        out += [_render_line(one) for one in stretch] + [""]
        stretch = []
    return out


def _indent_width(line: str) -> int:
    """As the parser counts it: a tab is four."""
    white = line[: len(line) - len(line.lstrip())]
    return len(white) + white.count("\t") * (RuleIndenter.tab_len - 1)


def _next_code_indent(lines: list[str], n: int) -> int:
    """The indentation of the next line with code."""
    return next((_indent_width(line) for line in lines[n + 1:] if line.strip() and line.lstrip()[0] != "#"), 0)


def _format_line(line: str, blocks: IndentStack, language: str, following: int) -> LineLayout:
    tokens = [(m[0], m.start()) for m in TOKEN.finditer(line)]
    row, indent = LineLayout(), _indent_width(line)
    if blocks.depth:
        row.level = blocks.continuation_indent(indent, tokens[0][0] in CLOSING)
    elif tokens[0][0][0] == "#":
        row.level = blocks.comment_indent(indent, following)
    else:
        row.level = blocks.enter_statement(indent)
    if tokens[-1][0][0] == "#":
        row.comment, row.comment_column = tokens[-1][0].rstrip(), tokens[-1][1]
        tokens.pop()
    last = len(tokens)
    while last > 1 and tokens[last - 1][0][0] == "@" and not blocks.depth:
        last -= 1
    if last < len(tokens):
        row.cites = " ".join(text for text, _ in tokens[last:])
        row.gap = tokens[last][1] - len(line[: tokens[last][1]].rstrip())
        row.cite_column = tokens[last][1] if row.gap > 1 else 0
    row.code = _join_tokens([text for text, _ in tokens[:last]], blocks, language)
    return row


def _join_tokens(tokens: list[str], blocks: IndentStack, language: str) -> str:
    """Tokens with the spaces that belong between them."""
    out, before, sign, words = "", "", False, operator_words(language)
    for token in tokens:
        if out and _needs_space(before, token, sign, blocks.depth, language):
            out += " "
        sign = token == "-" and (not before or before in OPERATORS or before in words)
        blocks.depth += (token in OPENING) - (token in CLOSING)
        out, before = out + token, token
    return out


def _needs_space(before: str, token: str, sign: bool, depth: int, language: str) -> bool:
    """Whether a space stands between two tokens; `sign`: the first is the minus of a negative number."""
    words = operator_words(language)
    if token in (*CLOSING, ",", ":", "?", ".", "..") or before in (*OPENING, ".") or sign:
        return False
    if before == "..":
        return token == "=" or token in words or token in _range_suffixes(language)
    if "=" in (before, token) and depth:                           # points=3 in what is told
        return False
    if token in "([":
        return before in words or before in OPERATORS or not (before[-1].isalnum() or before[-1] in "_)]}")
    return True


@cache
def _range_suffixes(language: str) -> frozenset[str]:
    """Words that may follow an open range: `0.. saturating`."""
    soft = keywords(language)["soft"]
    return frozenset(soft[name] for name in ("SATURATING", "_SEEN", "HIDDEN"))


# ---------------------------------------------------------------- columns


def _align_cites(stretch: list[LineLayout]) -> None:
    """Give the cites of lines without an empty one between them the column that most of them have; longer lines keep three spaces."""
    cited = [row for row in stretch if row.cite_column]
    votes = Counter(row.cite_column for row in cited if row.gap != 3)
    if votes:
        column = max(votes, key=lambda c: (votes[c], c))
        longest = max(row.width for row in cited if row.cite_column == column and row.gap != 3)
        if longest + 2 > column:
            column = longest + 3
        column = min(column, MAX_CITE_COLUMN)
        for row in cited:
            row.cite_column = column
    for row in cited:
        if not votes or row.width + 2 > row.cite_column:
            row.cite_column = row.width + 3


def _render_line(row: LineLayout) -> str:
    text = " " * row.level + row.code
    if row.cites:
        text += " " * max(1, row.cite_column - len(text)) + row.cites
    if row.comment:
        if not row.code:
            return text + row.comment
        text += " " * max(2, row.comment_column - len(text)) + row.comment
    return text


__all__ = ["format_text", "tree_shape"]
