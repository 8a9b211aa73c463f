"""Parses the rule snippets of a pack: whole declarations, or single lines of a body.

Each node keeps the file and line of the pack, even after it is inserted into a declaration of the game."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import Any, assert_never

from lark import Token
from lark.tree import Meta

from ..diagnostics.diagnostic import DiagnosticList, SourceSpan
from ..syntax import tree
from ..syntax.line_repair import find_inline_body
from ..syntax.parse import parse
from .anchors import StepKind
from .manifest import RuleSnippet
from .repair import PackRepair

WRAPPER_LINES: dict[StepKind, list[str]] = {
    "statement": ["proc x():"], "entry": ["proc x():", "    choose:"], "condition": ["def x() where:"]
}


class LocatedToken(Token):
    """A token that knows its file."""

    file: str


def parse_declarations(chunk: RuleSnippet, findings: DiagnosticList, repair: PackRepair | None = None) -> list[tree.Node]:
    """Parses the declarations of a snippet. If one has an error, returns the others with a repair, and none without."""
    return _parse_snippet(chunk.text, chunk, 0, 0, findings, repair)


def parse_steps(
    chunk: RuleSnippet,
    kind: StepKind,
    findings: DiagnosticList,
    head: bool = False,
    repair: PackRepair | None = None,
    in_phase: bool = False,
) -> list[Any]:
    """Parses the steps of a snippet. With `head`, the snippet is only the first line of a block.

    The lines are parsed inside a dummy declaration of the right kind."""
    around = [re.sub("^proc", "phase", line) if in_phase else line for line in WRAPPER_LINES[kind]]
    indent = 4 * len(around)
    text = chunk.text.rstrip()
    if head and (at := find_inline_body(text)) is not None:
        before = text[:at].rpartition("\n")[2]
        line, column = chunk.line + text.count("\n", 0, at), chunk.column + len(before) + 1
        findings.add("H020", SourceSpan(chunk.file, line, column, column + len(text[at:].partition("\n")[0])))
        return []
    if head:
        text = re.sub(r"#.*", "", text).rstrip()
        if not text.endswith(":"):
            line, column = chunk.line + text.count("\n"), chunk.column + len(text.rpartition("\n")[2]) + 1
            findings.add("H021", SourceSpan(chunk.file, line, column, column + 1))
            return []
        text += " stop" if not text.split(" ")[0].startswith("choose") or " in " in text else "\n    x: stop"
    inside = "\n".join(" " * indent + line if line.strip() else "" for line in text.split("\n"))
    found = _parse_snippet("\n".join([*around, inside]) + "\n", chunk, len(around), indent, findings, repair)
    if not found:
        return []
    node: Any = found[0]
    match kind:
        case "statement":
            return list(node.body.items)
        case "entry":
            return list(node.body.items[0].entries)
        case "condition":
            return [part for part in node.parts if isinstance(part, tree.Condition)]
        case _:
            assert_never(kind)


def _parse_snippet(
    text: str, chunk: RuleSnippet, lines_before: int, indent: int, findings: DiagnosticList, repair: PackRepair | None = None
) -> list[tree.Node]:
    """Parses text made from a snippet and shifts all positions back to the pack file.

    `lines_before` and `indent` count the lines and columns added around the snippet."""
    own = DiagnosticList()
    if repair is not None:
        text = repair.repair_snippet(text, chunk, lines_before, indent)
    found = parse(text, chunk.file, own)
    move = _SpanShifter(chunk.file, chunk.line - 1 - lines_before, chunk.column - indent)
    for finding in own.items:
        findings.add_diagnostic(replace(finding, place=move.shift_span(finding.place)))
    return [] if own.errors and repair is None else [move.shift_node(node) for node in found]


class _SpanShifter:
    """Maps positions in parsed text to positions in the file that contains it."""

    def __init__(self, file: str, down: int, right: int) -> None:
        self.file, self.down, self.right = file, down, right
        self.metas: dict[int, Meta] = {}

    def shift_span(self, place: SourceSpan) -> SourceSpan:
        end = place.end + self.right if place.end else 0
        return SourceSpan(self.file, max(1, place.line + self.down), max(1, place.column + self.right), end)

    def shift_meta(self, meta: Meta) -> Meta:
        if id(meta) not in self.metas:
            for name, by in (("line", self.down), ("end_line", self.down), ("column", self.right), ("end_column", self.right)):
                if getattr(meta, name, None) is not None:
                    setattr(meta, name, max(1, getattr(meta, name) + by))
            meta.file = self.file                                  # type: ignore[attr-defined]
            self.metas[id(meta)] = meta
        return meta

    def shift_token(self, token: Token) -> Token:
        line, end_line = (None if at is None else max(1, at + self.down) for at in (token.line, token.end_line))
        column, end_column = (None if at is None else max(1, at + self.right) for at in (token.column, token.end_column))
        moved = LocatedToken(token.type, str(token), token.start_pos, line, column, end_line, end_column, token.end_pos)
        moved.file = self.file
        return moved

    def shift_node(self, node: Any) -> Any:
        """Shifts a tree in place. The tree was parsed for this purpose only."""
        if isinstance(node, Token):
            return self.shift_token(node)
        if isinstance(node, list):
            return [self.shift_node(one) for one in node]
        if is_dataclass(node) and hasattr(node, "meta"):
            self.shift_meta(node.meta)
            for one in fields(node):
                if one.name != "meta":
                    setattr(node, one.name, self.shift_node(getattr(node, one.name)))
        return node
