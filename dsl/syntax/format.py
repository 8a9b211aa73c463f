"""The formatter of rule files.

It indents blocks by four spaces, puts one space around operators and after commas, and aligns citations in one column
per group of lines. Meaning and comments never change: the formatted text is parsed again. If the trees differ, or if
the file cannot be parsed, it is returned unchanged."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from ..diagnostics.diagnostic import DiagnosticList
from ..diagnostics.source_lines import count_indent, split_lines
from .lark_parser import RuleIndenter, keywords
from .parse import parse

INDENT = 4
MAX_CITE_COLUMN = 110                         # the rightmost column for citations
TOKEN = re.compile(r"#[^\n]*|@\w[\w-]*|\w+|\.\.|//|[=!<>+-]=|\S")
OPENING, CLOSING = "([{", ")]}"
OPERATORS = {"+", "-", "*", "//", "%", "&", "==", "!=", "<", "<=", ">", ">=", "=", "+=", "-=", "..", ",", ":", *OPENING}
OPERANDS = ("TRUE", "FALSE", "NONE", "EVERYTHING")
FINAL_WORDS = ("OR_STOP", "AS_REACHED", "AT_ONCE", "BY_CHANCE")          # nothing that begins with a bracket or a minus follows these


@dataclass
class LineLayout:
    """One line: code without trailing citations, the citations, the comment, and their original columns."""

    level: int = 0                   # indentation in spaces
    code: str = ""
    cites: str = ""
    comment: str = ""
    cite_column: int = 0             # in the source; 0 if only one space precedes them
    gap: int = 0
    comment_column: int = 0

    @property
    def width(self) -> int:
        """The width of the indented code."""
        return self.level + len(self.code)


@dataclass
class IndentStack:
    """The indentation of the open blocks as written, outermost first, and of the current statement."""

    written: list[int] = field(default_factory=lambda: [0])
    depth: int = 0                   # nesting of brackets
    first: int = 0                   # original indentation of the statement's first line
    level: int = 0                   # new indentation of that line

    def enter_statement(self, indent: int) -> int:
        """Updates the open blocks for a new statement and returns its new indentation."""
        while self.written[-1] > indent:
            self.written.pop()
        if indent > self.written[-1]:
            self.written.append(indent)
        self.first, self.level = indent, INDENT * (len(self.written) - 1)
        return self.level

    def continuation_indent(self, indent: int, closes: bool) -> int:
        """Returns the indentation of a continuation line. It keeps its distance from the first line."""
        return self.level + max(indent - self.first, 0 if closes else INDENT)

    def comment_indent(self, indent: int, following: int) -> int:
        """Returns the indentation of a comment line.

        A comment belongs to the statement below it. If it is indented deeper, it belongs to the block that ends there."""
        if following > self.written[-1]:
            return INDENT * len(self.written)                      # the comment is first in a block
        return INDENT * max(n for n, written in enumerate(self.written) if written <= max(indent, following))


@cache
def operator_words(language: str) -> frozenset[str]:
    """Returns the reserved words after which a minus is a sign and a bracket opens a group."""
    table = keywords(language)["words"]
    return frozenset(word for name, spelling in table.items() if name not in OPERANDS + FINAL_WORDS for word in spelling.split())


def format_text(source: str, path: str = "", language: str = "en") -> str:
    """Returns the formatted text, or the text unchanged if it cannot be parsed."""
    before = _parse_shapes(source, path, language)
    if before is None:
        return source
    overlay = "\n".join(_format_lines(split_lines(source), language))
    overlay = overlay.strip("\n") + "\n" if overlay.strip() else ""
    return overlay if _parse_shapes(overlay, path, language) == before else source


def _parse_shapes(text: str, path: str, language: str) -> list[Any] | None:
    """Returns the shapes of the declarations of a text, or None if it has errors."""
    findings = DiagnosticList()
    declarations = parse(text, path, findings, language)
    return None if findings.errors else [tree_shape(node) for node in declarations]


def tree_shape(node: Any) -> Any:
    """Returns a tree without its positions. Texts with equal shapes mean the same."""
    if isinstance(node, list | tuple):
        return [tree_shape(part) for part in node]
    if hasattr(node, "meta"):
        return (type(node).__name__, *(tree_shape(value) for key, value in sorted(vars(node).items()) if key != "meta"))
    return None if node is None else " ".join(str(node).split())   # `or stop` allows any spaces


# ---------------------------------------------------------------- lines


def _format_lines(lines: list[str], language: str) -> list[str]:
    """Returns the formatted lines of a file."""
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
    """Returns the indentation of a line as the parser counts it: a tab is four columns."""
    white = line[: count_indent(line)]
    return len(white) + white.count("\t") * (RuleIndenter.tab_len - 1)


def _next_code_indent(lines: list[str], n: int) -> int:
    """Returns the indentation of the next line with code after line `n`."""
    return next((_indent_width(line) for line in lines[n + 1:] if line.strip() and line.lstrip()[0] != "#"), 0)


def _format_line(line: str, blocks: IndentStack, language: str, following: int) -> LineLayout:
    """Splits a line into code, citations and comment, and computes its indentation."""
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
    """Joins tokens with the right spaces between them. Updates the bracket depth in `blocks`."""
    out, before, sign, words = "", "", False, operator_words(language)
    for token in tokens:
        if out and _needs_space(before, token, sign, blocks.depth, language):
            out += " "
        sign = token == "-" and (not before or before in OPERATORS or before in words)
        blocks.depth += (token in OPENING) - (token in CLOSING)
        out, before = out + token, token
    return out


def _needs_space(before: str, token: str, sign: bool, depth: int, language: str) -> bool:
    """Whether a space belongs between two tokens. `sign` means that the first is the minus of a negative number."""
    words = operator_words(language)
    if token in (*CLOSING, ",", ":", "?", ".", "..") or before in (*OPENING, ".") or sign:
        return False
    if before == "..":
        return token == "=" or token in words or token in _range_suffixes(language)
    if "=" in (before, token) and depth:                           # points=3 in an event
        return False
    if token in "([":
        return before in words or before in OPERATORS or not (before[-1].isalnum() or before[-1] in "_)]}")
    return True


@cache
def _range_suffixes(language: str) -> frozenset[str]:
    """Returns the words that may follow an open range: `0.. saturating`."""
    soft = keywords(language)["soft"]
    return frozenset(soft[name] for name in ("SATURATING", "_SEEN", "HIDDEN"))


# ---------------------------------------------------------------- columns


def _align_cites(stretch: list[LineLayout]) -> None:
    """Aligns the citations of consecutive lines to their most common column. Longer lines get three spaces."""
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
    """Returns a line as text."""
    text = " " * row.level + row.code
    if row.cites:
        text += " " * max(1, row.cite_column - len(text)) + row.cites
    if row.comment:
        if not row.code:
            return text + row.comment
        text += " " * max(2, row.comment_column - len(text)) + row.comment
    return text


__all__ = ["format_text", "tree_shape"]
