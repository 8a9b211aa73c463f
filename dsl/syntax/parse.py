"""Parses rule files with Lark, using the keywords of one human language.

Each top-level declaration is parsed separately. One run therefore reports a syntax error for each broken declaration,
and the others are still checked."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lark import Tree, UnexpectedInput
from lark.exceptions import VisitError
from lark.indenter import DedentError

from ..diagnostics.diagnostic import DiagnosticList, SourceSpan
from ..diagnostics.safe_read import FileTooLargeError, read_text
from ..diagnostics.source_lines import count_indent, normalize_source
from . import tree
from .lark_parser import MixedIndentError, RuleIndenter, build_parser, iter_declarations
from .rule_size import MAX_DECLARATION_LINES, MAX_GAME_LINES, is_declaration_too_long, report_excess_lines
from .syntax_errors import report_syntax_errors

MAX_LINE_CHARS = 4000
MAX_NESTING = 40                     # of brackets and blocks
MAX_RECENT_FILES = 60                          # files whose trees stay in memory
MAX_TREE_DEPTH = 120                       # enough for a sum of a hundred terms

_recent_trees: dict[tuple[str, str], list[tree.Node]] = {}              # trees are immutable and can be shared


def parse_file(path: str | Path, findings: DiagnosticList, display_path: str | None = None, language: str = "en") -> list[tree.Node]:
    """Returns the valid declarations of a rule file. Errors go to `findings`, with the path `display_path`."""
    display_path = display_path or str(path)
    source = read_file(path, findings, display_path)
    return [] if source is None else parse_cached(source, display_path, findings, language)


def parse_cached(source: str, path: str, findings: DiagnosticList, language: str = "en") -> list[tree.Node]:
    """Returns the valid declarations of a text, like `parse`, but parses the same text only once."""
    from . import parse_cache
    found = _recent_trees.get((source, language)) or parse_cache.load_trees(source, language)
    if found is None:
        before = len(findings.items)
        found = parse(source, path, findings, language)
        if len(findings.items) != before:
            return found
        parse_cache.store_trees(source, language, found)
    while len(_recent_trees) >= MAX_RECENT_FILES:
        _recent_trees.pop(next(iter(_recent_trees)), None)
    _recent_trees[source, language] = found
    return list(found)


def read_rule_files(folder: Path, names: Iterable[str], shown: str, findings: DiagnosticList) -> list[tuple[str, str, str]]:
    """Returns the rule files of a game: the name, the path in messages, and the text of each. The list is empty if they are too long."""
    files = [(name, f"{shown}/{name}", read_file(folder / name, findings, f"{shown}/{name}")) for name in names]
    found = [(name, path, text) for name, path, text in files if text is not None]
    return [] if report_excess_lines([(path, 0, text) for _, path, text in found], findings) > MAX_GAME_LINES else found


def read_file(path: str | Path, findings: DiagnosticList, display_path: str) -> str | None:
    """Returns the text of a rule file, or None, with a diagnostic, if it cannot be read."""
    try:
        return read_text(path)
    except FileTooLargeError as error:
        findings.add("R010", SourceSpan(display_path), limit=error.limit)
        return None
    except (OSError, ValueError) as error:                         # missing, not UTF-8, or an invalid file name
        findings.add_unreadable(display_path, error=error, code="R001")
        return None


def parse(source: str, path: str, findings: DiagnosticList, language: str = "en") -> list[tree.Node]:
    """Returns the valid declarations of a text. Errors go to `findings`, with the path `path`."""
    declarations: list[tree.Node] = []
    lark = build_parser(language)
    source = normalize_source(source)
    for number, line in enumerate(source.split("\n"), 1):
        if len(line) > MAX_LINE_CHARS:
            findings.add("R002", SourceSpan(path, number, 1, 2), limit=MAX_LINE_CHARS)
            return []
    first = re.search(r"(?m)^[^\S\n]*[^\s#].*", source)
    if first and first[0][0] in " \t)]}":
        indent = len(first[0]) - len(first[0].lstrip())
        findings.add("R009", SourceSpan(path, source.count("\n", 0, first.start()) + 1, indent + 1, len(first[0].rstrip()) + 1))
    lacks_block = False                                            # whether the last declaration ends where a block should begin
    for chunk in iter_declarations(source):
        is_block_expected, lacks_block = lacks_block, False
        if _is_too_deep(chunk):
            findings.add("R003", SourceSpan(path, _first_line_number(chunk), 1, 2), limit=MAX_NESTING)
            continue
        try:
            parsed = lark.parse(chunk)
            if _tree_depth(parsed) > MAX_TREE_DEPTH:
                findings.add("R003", SourceSpan(path, _first_line_number(chunk), 1, 2), limit=MAX_NESTING)
                continue
            if is_declaration_too_long(chunk):
                first_line = _first_line_number(chunk)
                findings.add(
                    "R022", SourceSpan(path, first_line, 1, len(chunk.split("\n")[first_line - 1]) + 1), limit=MAX_DECLARATION_LINES
                )
                continue
            declarations += tree.transformer.transform(parsed)
        except MixedIndentError as error:
            findings.add("R020", SourceSpan(path, error.args[0], 1, error.args[1]))
        except DedentError as error:
            at: tuple[int, int] = error.args                       # raised by RuleIndenter.handle_NL
            findings.add("R004", SourceSpan(path, at[0], at[1], at[1] + 1))
        except UnexpectedInput as error:
            own = DiagnosticList()
            report_syntax_errors(error, chunk, path, own, language)
            is_block = is_block_expected and is_unexpected_start(own, chunk)       # the block, but without indentation
            lacks_block = is_block or chunk.endswith(":\n")
            findings.items += [] if is_block else own.items
        except VisitError as error:
            raise error.orig_exc from error
    return declarations


def is_unexpected_start(findings: DiagnosticList, chunk: str) -> bool:
    """Whether all these findings say that no declaration begins where a chunk begins."""
    first = _first_line_number(chunk)
    return all(one.code == "R008" and (one.place.line, one.place.column) == (first, 1) for one in findings.items)


def _first_line_number(chunk: str) -> int:
    """Returns the line number of the first line that is not empty."""
    return len(chunk) - len(chunk.lstrip("\n")) + 1


def _is_too_deep(chunk: str) -> bool:
    """Whether brackets or blocks are nested too deeply. Comments do not count."""
    depth = deepest = 0
    indents = [0]
    for line in chunk.split("\n"):
        code = line.split("#", 1)[0].expandtabs(RuleIndenter.tab_len)
        for char in code:
            if char in "([{":
                depth += 1
                deepest = max(deepest, depth)
            elif char in ")]}":
                depth = max(0, depth - 1)
        indent = count_indent(code)
        if code.strip():
            while indents[-1] > indent:
                indents.pop()
            if indent > indents[-1] and depth == 0:
                indents.append(indent)
                deepest = max(deepest, len(indents))
    return deepest > MAX_NESTING


def _tree_depth(parsed: Any) -> int:
    """Returns the depth of a Lark tree, counted without recursion."""
    deepest, level = 0, [parsed]
    while level:
        deepest += 1
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
    return deepest
