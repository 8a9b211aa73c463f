"""Incremental parsing for editors: an unchanged declaration is not parsed again, even if it moved to another line."""

from __future__ import annotations

from copy import copy
from dataclasses import is_dataclass
from typing import Any

from lark import Token
from lark.tree import Meta

from ..diagnostics.diagnostic import Diagnostic, DiagnosticList
from ..diagnostics.safe_read import MAX_SOURCE_BYTES
from ..diagnostics.source_lines import normalize_source
from . import tree
from .format import tree_shape
from .lark_parser import iter_declarations
from .parse import MAX_LINE_CHARS, parse

HEAD_FIELDS = ("word", "name", "case", "params", "by")                    # the parts of a procedure that other declarations can see


class IncrementalParser:
    """Parses one rule file repeatedly and caches the result for each declaration."""

    def __init__(self) -> None:
        self.read: dict[str, tuple[list[tree.Node], list[Diagnostic]]] = {}     # by text with leading empty lines
        self.same: dict[str, tuple[int, list[tree.Node]]] = {}     # by text alone, if valid: line offset, nodes
        self.texts: list[str] = []                                 # declarations of the last parse, in order
        self.nodes: list[list[tree.Node]] = []

    def parse(self, source: str, path: str, findings: DiagnosticList) -> list[tree.Node]:
        """Parses a rule file, like `parse` in parse.py."""
        text = normalize_source(source)
        pieces = list(iter_declarations(text))
        if len(text) > MAX_SOURCE_BYTES or any(len(line) > MAX_LINE_CHARS for line in text.split("\n")):
            pieces = []
            parse(text, path, findings)
        elif pieces:
            first = pieces[0]
            start = len(first) - len(first.lstrip("\n"))
            before = "\n".join(text.split("\n")[:start])
            if before.strip():                                     # text before the first declaration is an error
                parse(before + "\n", path, findings)
        elif text.strip():
            parse(text, path, findings)
        self.read = {piece: self.read.get(piece) or self.parse_piece(piece, path) for piece in pieces}
        self.texts = [piece.lstrip("\n") for piece in pieces]
        self.nodes = [self.read[piece][0] for piece in pieces]
        self.same = {text: (len(piece) - len(text), nodes) for text, piece, nodes in zip(self.texts, pieces, self.nodes)
                     if not self.read[piece][1]}
        for piece in pieces:
            for found in self.read[piece][1]:
                findings.add_diagnostic(found)
        return [node for nodes in self.nodes for node in nodes]

    def parse_piece(self, piece: str, path: str) -> tuple[list[tree.Node], list[Diagnostic]]:
        """Parses one declaration, preceded by empty lines that give its line number."""
        text = piece.lstrip("\n")
        known = self.same.get(text)
        if known is not None:
            by = len(piece) - len(text) - known[0]
            return [shift_lines(node, by) for node in known[1]], []
        own = DiagnosticList()
        return parse(piece, path, own), own.items

    def outline(self) -> list[Any]:
        """Returns the parts that other declarations can depend on: the heads of procedures, and everything else in full."""
        return [[procedure_head(node) for node in nodes] if all(isinstance(node, tree.Proc) for node in nodes) else text
                for text, nodes in zip(self.texts, self.nodes)]


def procedure_head(node: tree.Node) -> Any:
    """Returns the comparable head of a procedure, without its body and its clauses."""
    return [tree_shape(getattr(node, name)) for name in HEAD_FIELDS]


def shift_lines(thing: Any, by: int) -> Any:
    """Returns a copy of a tree that is shifted down by some lines."""
    if isinstance(thing, Token):
        line = None if thing.line is None else thing.line + by
        end = None if thing.end_line is None else thing.end_line + by
        return Token(thing.type, str(thing), thing.start_pos, line, thing.column, end, thing.end_column, thing.end_pos)
    if isinstance(thing, list):
        return [shift_lines(part, by) for part in thing]
    if isinstance(thing, Meta):
        meta = copy(thing)
        for name in ("line", "end_line"):
            if getattr(meta, name, None) is not None:
                setattr(meta, name, getattr(meta, name) + by)
        return meta
    if is_dataclass(thing) and not isinstance(thing, type):
        found: Any = copy(thing)
        for name, value in vars(thing).items():
            setattr(found, name, shift_lines(value, by))
        return found
    return thing
