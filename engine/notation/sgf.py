"""Writes and parses a whole game as a tree of nodes in SGF: `(;FF[4]PB[Ada];B[ee];W[cg])`.

Each node has properties, a name with values in brackets. The name of the property identifies the player of a
move. If the tree branches, the first branch is the game that was played. A text may hold many trees. As in
the standard, text before the first tree is ignored."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence

from .movetext import MAX_GAME_CHARS, MAX_GAME_MOVES, UnfinishedTextError
from .value_spelling import NotationError

TOKEN = re.compile(r"\s+|[();]|[A-Za-z]+|\[(?:[^\]\\]|\\.)*\]", re.DOTALL)
NODE_TEXT = r";\s*+(?:[a-z]*+[A-Z][A-Za-z]*+\s*+(?:\[(?:[^\]\\]++|\\.)*+\]\s*+)++)*+"     # a valid node with its properties
NODE = re.compile(NODE_TEXT, re.DOTALL)
VARIATIONS = re.compile(rf"(?:{NODE_TEXT})*+(?:\(\s*+(?:{NODE_TEXT})++\)\s*+)*+", re.DOTALL)      # nodes, then variations without branches
NODE_PART = re.compile(r"([A-Za-z]+)|\[((?:[^\]\\]|\\.)*+)\]", re.DOTALL)
MAX_BRANCH_TOKENS = 50_000                # parentheses of nested variations
TREE_START = re.compile(r"\(\s*;")
STRAY_NODE = re.compile(r"[(;]\s*[A-Z]{1,2}\[")                      # before the first tree, or without any
NODE_INSIDE = re.compile(r";\s*[A-Z]{1,2}\[")                        # in a value: the closing bracket is probably missing
LINE_WIDTH = 79                            # characters

SgfProperty = tuple[str, str]           # name and one value
SgfNode = list[SgfProperty]


def write_tree(tags: Mapping[str, str], placed: Mapping[str, Sequence[str]], moves: Sequence[SgfProperty]) -> str:
    """Returns a game as text: the properties of the root, those of pieces that are placed before the first turn, and the moves."""
    root = "".join(f"{name}[{escape_value(value)}]" for name, value in tags.items())
    root += "".join(name + "".join(f"[{escape_value(value)}]" for value in values) for name, values in placed.items())
    nodes = [f";{name}[{escape_value(value)}]" for name, value in moves]
    lines = textwrap.wrap(" ".join(nodes), LINE_WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([f"(;{root}", *lines]) + ")\n"


def escape_value(value: str) -> str:
    """Escapes a text for the value of a property."""
    return " ".join(value.split()).replace("\\", "\\\\").replace("]", "\\]")


def parse_nodes(text: str, number: int = 1, whole: bool = True) -> tuple[list[SgfNode], bool, list[int]]:
    """Returns the nodes of one game along its first branches, whether more games
    follow, and the lines with suspicious values.

    A value is suspicious if it may have swallowed the node after it. `whole` means that no more text follows.
    Raises NotationError and UnfinishedTextError."""
    first = TREE_START.search(text)
    stray = STRAY_NODE.search(text, 0, first.start() if first is not None else len(text))
    if stray is not None:
        at = stray.start()
        raise NotationError("notation.no_root", line=text.count("\n", 0, at) + 1, text=text[at : at + 40].partition("\n")[0])
    if first is None:
        raise NotationError("notation.empty") if whole or len(text) > MAX_GAME_CHARS else UnfinishedTextError()
    walk, count = SgfParser(text, first.start(), whole), 0
    while walk.at < len(text):
        found = walk.parse_tree()
        count += 1
        if count == number:
            return found, walk.at < len(text), walk.doubtful
    if not whole:
        raise UnfinishedTextError
    raise NotationError("notation.no_such_game", n=count, number=number)


class SgfParser:
    """Parses the trees of a text from left to right."""

    def __init__(self, text: str, at: int, whole: bool) -> None:
        self.text, self.at, self.whole = text, at, whole
        self.line, self.counted = 1, 0
        self.doubtful: list[int] = []

    def parse_tree(self) -> list[SgfNode]:
        """Returns the nodes of the tree that begins here, along its first branches."""
        found: list[SgfNode] = []
        began, self.doubtful = self.at, []
        opened: list[int] = []                                     # the lines of the open parentheses
        ended = closed = named = False                             # `ended`: the first branch has ended; `closed`: a branch was just closed
        tokens = 0
        while not closed or opened:
            if self.at - began > MAX_GAME_CHARS:
                raise NotationError("notation.too_long", most=MAX_GAME_CHARS)
            if len(found) > MAX_GAME_MOVES:
                raise NotationError("notation.too_long", most=MAX_GAME_MOVES)
            if tokens > MAX_BRANCH_TOKENS:
                raise NotationError("notation.too_many_variations")
            node = NODE.match(self.text, self.at) if not closed and not named else None
            if node is not None and not ended:
                found.append(self.read_properties(node[0]))
                self.at = node.end()
                continue
            skipped = VARIATIONS.match(self.text, self.at) if ended and not named else None
            if skipped is not None and skipped[0] and (node is not None or skipped[0][0] == "("):
                self.at, closed = skipped.end(), skipped[0].rstrip().endswith(")")
                continue
            tokens += 1
            token = self.read_token(opened)
            if token[0] == "(":
                opened.append(self.line_number(self.at))
                closed = named = False
                if not self.text.startswith(";", self.skip_whitespace(self.at + 1)):
                    raise self.make_error(self.at)
            elif token[0] == ")":
                if named:
                    raise self.make_error(self.at)
                opened.pop()
                ended = closed = True                              # everything after the first branch is a variation
            elif not token.isspace():                              # part of an invalid node
                if closed or named or not any(map(str.isupper, token)):
                    raise self.make_error(self.at)
                named = True
            self.at += len(token)
        self.at = self.skip_whitespace(self.at)
        if self.at == len(self.text) and not self.whole:
            raise UnfinishedTextError
        if self.at < len(self.text) and not TREE_START.match(self.text, self.at):
            raise self.make_error(self.at)
        return found

    def read_properties(self, node: str) -> SgfNode:
        """Returns the properties of the node that begins here, and records the lines of suspicious values."""
        found: SgfNode = []
        name = ""
        for part in NODE_PART.finditer(node):
            if part[1]:
                name = "".join(letter for letter in part[1] if letter.isupper())       # old files write Black for B
                continue
            found.append((name, re.sub(r"\\(.)", r"\1", part[2], flags=re.DOTALL)))
            if NODE_INSIDE.search(part[2]):
                self.doubtful.append(self.line_number(self.at + part.start()))
        return found

    def read_token(self, opened: list[int]) -> str:
        """Returns the token at the current position. Raises NotationError and UnfinishedTextError."""
        found = TOKEN.match(self.text, self.at)
        if found is not None:
            return found[0]
        if not self.whole and len(self.text) - self.at <= MAX_GAME_CHARS:
            raise UnfinishedTextError
        if self.at == len(self.text):
            raise NotationError("notation.open_variation", line=opened[-1])
        raise self.make_error(self.at, "notation.open_comment" if self.text[self.at] == "[" else "notation.stray")

    def skip_whitespace(self, at: int) -> int:
        """Returns the next position that is not whitespace."""
        while at < len(self.text) and self.text[at].isspace():
            at += 1
        return at

    def line_number(self, at: int) -> int:
        """Returns the line number of a position. Positions must be given in ascending order."""
        self.line += self.text.count("\n", self.counted, at)
        self.counted = at
        return self.line

    def make_error(self, at: int, key: str = "notation.stray") -> NotationError:
        """Returns the error for a position."""
        return NotationError(key, line=self.line_number(at), text=self.text[at : at + 40].partition("\n")[0])
