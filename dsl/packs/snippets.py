"""Rules out of a pack, parsed: whole declarations, or single lines as they stand in a body. Every part of them knows the pack's file and
its line there, also when it comes to stand in a declaration of the game."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import Any

from lark import Token
from lark.tree import Meta

from ..diagnostics.diagnostic import Findings, Place
from ..syntax import tree
from ..syntax.parse import parse
from .anchors import CONDITION, ENTRY, STATEMENT
from .manifest import Chunk

AROUND = {STATEMENT: ["proc x():"], ENTRY: ["proc x():", "    choose:"], CONDITION: ["def x() where:"]}


class Placed(Token):
    """A token that knows its file."""

    file: str


def declarations(chunk: Chunk, findings: Findings) -> list[tree.Node]:
    """The declarations in a text of a pack."""
    return _read(chunk.text, chunk, 0, 0, findings)


def lines(chunk: Chunk, kind: str, findings: Findings, head: bool = False) -> list[Any]:
    """Steps of a kind; `head`: the one line that begins a block."""
    around = AROUND[kind]
    indent = 4 * len(around)
    text = chunk.text.rstrip()
    if head and (at := body_in(text)) is not None:
        before = text[:at].rpartition("\n")[2]
        line, column = chunk.line + text.count("\n", 0, at), chunk.column + len(before) + 1
        findings.add("H020", Place(chunk.file, line, column, column + len(text[at:].partition("\n")[0])))
        return []
    if head:
        text += " stop" if not text.split("#")[0].rstrip().split(" ")[0].startswith("choose") or " in " in text else "\n    x: stop"
    inside = "\n".join(" " * indent + line if line.strip() else "" for line in text.split("\n"))
    found = _read("\n".join([*around, inside]) + "\n", chunk, len(around), indent, findings)
    if not found:
        return []
    node: Any = found[0]
    if kind == CONDITION:
        return [part for part in node.parts if isinstance(part, tree.Condition)]
    if kind == ENTRY:
        return list(node.body.items[0].entries)
    return list(node.body.items)


def body_in(text: str) -> int | None:
    """Where something stands behind the colon that opens a block; None where nothing does."""
    text = re.sub(r"#.*", lambda found: " " * len(found[0]), text)
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char == ":" and depth == 0:
            behind = re.search(r"\S", text[at + 1:])
            return None if behind is None else at + 1 + behind.start()
    return None


def _read(text: str, chunk: Chunk, above: int, indent: int, findings: Findings) -> list[tree.Node]:
    own = Findings()
    found = parse(text, chunk.file, own)
    move = _Move(chunk.file, chunk.line - 1 - above, chunk.column - indent)
    for finding in own.items:
        findings.put(replace(finding, place=move.place(finding.place)))
    return [] if own.errors else [move.node(node) for node in found]


class _Move:
    """From places in a text to places in the file in which it stands."""

    def __init__(self, file: str, down: int, right: int) -> None:
        self.file, self.down, self.right = file, down, right
        self.metas: dict[int, Meta] = {}

    def place(self, place: Place) -> Place:
        end = place.end + self.right if place.end else 0
        return Place(self.file, max(1, place.line + self.down), max(1, place.column + self.right), end)

    def meta(self, meta: Meta) -> Meta:
        if id(meta) not in self.metas:
            for name, by in (("line", self.down), ("end_line", self.down), ("column", self.right), ("end_column", self.right)):
                if getattr(meta, name, None) is not None:
                    setattr(meta, name, max(1, getattr(meta, name) + by))
            meta.file = self.file                                  # type: ignore[attr-defined]
            self.metas[id(meta)] = meta
        return meta

    def token(self, token: Token) -> Token:
        line, end_line = (None if at is None else max(1, at + self.down) for at in (token.line, token.end_line))
        column, end_column = (None if at is None else max(1, at + self.right) for at in (token.column, token.end_column))
        moved = Placed(token.type, str(token), token.start_pos, line, column, end_line, end_column, token.end_pos)
        moved.file = self.file
        return moved

    def node(self, node: Any) -> Any:
        """A tree moved, in place: it was made for this alone."""
        if isinstance(node, Token):
            return self.token(node)
        if isinstance(node, list):
            return [self.node(one) for one in node]
        if is_dataclass(node) and hasattr(node, "meta"):
            self.meta(node.meta)
            for one in fields(node):
                if one.name != "meta":
                    setattr(node, one.name, self.node(getattr(node, one.name)))
        return node
