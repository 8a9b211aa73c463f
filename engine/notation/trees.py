"""A whole game as a tree of nodes, as SGF has it: `(;FF[4]PB[Ada];B[ee];W[cg])`. Each node has properties, a name and values in brackets;
who moved is the name of the property that the move is in. Of a tree that branches, the first branch is what was played.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence

TOKEN = re.compile(r"[();]|[A-Za-z]+|\[(?:[^\]\\]|\\.)*\]", re.DOTALL)
WIDE = 79                            # characters of a line

Property = tuple[str, str]           # its name, and one of its values


def is_tree(text: str) -> bool:
    """Whether a text holds a tree of nodes."""
    return re.match(r"\ufeff?\s*\(\s*;", text) is not None


def tree(tags: Mapping[str, str], moves: Sequence[Property]) -> str:
    """A game: what its root says, and its moves."""
    root = "".join(f"{name}[{guarded(value)}]" for name, value in tags.items())
    nodes = [f";{name}[{guarded(value)}]" for name, value in moves]
    lines = textwrap.wrap(" ".join(nodes), WIDE, break_long_words=False, break_on_hyphens=False)
    return "\n".join([f"(;{root}", *lines]) + ")\n"


def guarded(value: str) -> str:
    """A value as it stands in brackets."""
    return " ".join(value.split()).replace("\\", "\\\\").replace("]", "\\]")


def nodes(text: str) -> tuple[list[list[Property]], bool]:
    """The nodes of the first game in a text, along its first branches; and whether another game follows."""
    found: list[list[Property]] = []
    depth, ended, name = 0, False, ""
    for token in TOKEN.findall(text):
        if token == "(":
            if ended and depth == 0:
                return found, True
            depth += 1
        elif token == ")":
            depth, ended = depth - 1, True                         # behind the end of the first branch only others stand
        elif not ended and token == ";":
            found.append([])
        elif not ended and token.startswith("["):
            if found and name:
                found[-1].append((name, re.sub(r"\\(.)", r"\1", token[1:-1], flags=re.DOTALL)))
        elif not ended:
            name = "".join(letter for letter in token if letter.isupper())       # old files write Black for B
    return found, False


def named(node: Iterable[Property], names: Iterable[str]) -> list[Property]:
    """The properties of a node that have one of these names."""
    wanted = set(names)
    return [one for one in node if one[0] in wanted]
