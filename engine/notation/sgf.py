"""Writes and parses a whole game as a tree of nodes in SGF: `(;FF[4]PB[Ada];B[ee];W[cg])`.

Each node has properties, a name with values in brackets. The name of the property identifies the player of a
move. If the tree branches, the first branch is the game that was played. A text may hold many trees. As in
the standard, text before the first tree is ignored."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence

from .movetext import MAX_GAME_CHARS, UnfinishedTextError
from .value_spelling import NotationError

TOKEN = re.compile(r"\s+|[();]|[A-Za-z]+|\[(?:[^\]\\]|\\.)*\]", re.DOTALL)
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
        name = ""
        while not closed or opened:
            if self.at - began > MAX_GAME_CHARS:
                raise NotationError("notation.too_long", most=MAX_GAME_CHARS)
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
            elif not token.isspace():
                if closed or token[0] == "[" and not (named or name):
                    raise self.make_error(self.at)
                if token[0] == ";":
                    if named:
                        raise self.make_error(self.at)
                    name = ""
                    if not ended:
                        found.append([])
                elif token[0] == "[":
                    named = False
                    if not ended:
                        found[-1].append((name, re.sub(r"\\(.)", r"\1", token[1:-1], flags=re.DOTALL)))
                        if NODE_INSIDE.search(token):
                            self.doubtful.append(self.line_number(self.at))
                else:
                    if named:
                        raise self.make_error(self.at)
                    name, named = "".join(letter for letter in token if letter.isupper()), True       # old files write Black for B
                    if not name:
                        raise self.make_error(self.at)
            self.at += len(token)
        self.at = self.skip_whitespace(self.at)
        if self.at == len(self.text) and not self.whole:
            raise UnfinishedTextError
        if self.at < len(self.text) and not TREE_START.match(self.text, self.at):
            raise self.make_error(self.at)
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
