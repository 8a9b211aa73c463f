"""Checks the new lines of a step patch whose step was not found: their syntax, and the names of what they call or index."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

from lark import Token

from ..diagnostics.diagnostic import DiagnosticList, SourceSpan, did_you_mean
from ..syntax import tree
from ..types.operations import BUILTIN_NAMES
from .anchors import StepKind
from .manifest import Pack, RuleSnippet
from .snippets import parse_steps

WORD = re.compile(r"[^\W\d]\w*")
STEP_KINDS: tuple[StepKind, ...] = ("statement", "entry", "condition")


def parse_unplaced_steps(chunk: RuleSnippet, is_head: bool, findings: DiagnosticList) -> list[Any]:
    """Returns the steps of a snippet, of the first kind that fits. If none fits, reports the errors as those of statements."""
    attempts: list[DiagnosticList] = []
    for kind in STEP_KINDS:
        attempts.append(DiagnosticList())
        nodes = parse_steps(chunk, kind, attempts[-1], is_head)
        if not attempts[-1].errors:
            return nodes
    for one in attempts[0].items:
        findings.add_diagnostic(one)
    return []


def report_unknown_bases(chunk: RuleSnippet, nodes: list[Any], known: set[str], declared: Iterable[str], findings: DiagnosticList) -> None:
    """Reports the names that steps call or index although nothing has this name. Their other names may be local ones."""
    bases = list(_iter_bases(nodes))
    local = {str(token) for token in _iter_tokens(nodes) if not any(token is base for base in bases)}
    for base in bases:
        if str(base) not in known | local | set(BUILTIN_NAMES):
            findings.add_with_suggestion("R101", SourceSpan.of_node(chunk.file, base), did_you_mean(base, declared), name=str(base))


def collect_pack_words(packs: Iterable[Pack], chunk: RuleSnippet) -> set[str]:
    """Returns the words of packs, except those of one snippet. Declarations with an error count, so that their names are known."""
    return {word for pack in packs for text in (*(one.text for one in pack.list_snippets() if one != chunk),
                                                *map(str, iter_scalars(pack.data.get("add")))) for word in WORD.findall(text)}


def iter_scalars(data: Any) -> Iterator[Any]:
    """Yields the keys and values in nested data."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield key
            yield from iter_scalars(value)
    elif isinstance(data, list):
        for value in data:
            yield from iter_scalars(value)
    else:
        yield data


def _iter_bases(node: Any) -> Iterator[Token]:
    """Yields the names before brackets and parentheses."""
    for part in _iter_nodes(node):
        if isinstance(part, tree.At | tree.Apply) and isinstance(part.parts[0], tree.Name):
            yield part.parts[0].name


def _iter_tokens(node: Any) -> Iterator[Token]:
    """Yields the tokens of a tree."""
    return (part for part in _iter_nodes(node) if isinstance(part, Token))


def _iter_nodes(node: Any) -> Iterator[Any]:
    """Yields a node and all nodes and tokens below it."""
    if isinstance(node, list):
        for one in node:
            yield from _iter_nodes(one)
    else:
        yield node
        if hasattr(node, "meta"):
            for one in fields(node):
                if one.name != "meta":
                    yield from _iter_nodes(getattr(node, one.name))
