"""The steps of a declaration: iterating over them, their clauses and texts, and editing some of them.

A step is a statement with its block, an entry of a menu, or a condition of a `where:`. A pack addresses it in one of
two ways:

    MKT-BUY-02          a clause that only this step cites
    MKT-BUY-02 in buy   the same, limited to one declaration
    turn: close()       its declaration and its text, of which the beginning is enough"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from lark import Token

from ..syntax import tree
from ..syntax.format import TOKEN

StepKind = Literal["statement", "entry", "condition"]


@dataclass(frozen=True)
class RuleStep:
    """A step in a declaration of the game."""

    node: tree.Node
    kind: StepKind
    declaration: str                                               # key of its declaration: turn, buy[pie]
    file: str
    clauses: frozenset[str]
    words: str                                                     # text without spaces, comments and clauses
    shown: str                                                     # its first line, for messages

    @property
    def line(self) -> int:
        return int(self.node.meta.line)


@dataclass
class StepEdit:
    """The edit of one step: nodes to insert before and after it, and an optional replacement (empty to delete it)."""

    before: list[tree.Node] = field(default_factory=list)
    after: list[tree.Node] = field(default_factory=list)
    instead: list[tree.Node] | None = None


def declaration_key(node: Any) -> tuple[str, str]:
    """Returns the kind and name of a declaration. Procedures, phases and defs share the kind "rule"."""
    if isinstance(node, tree.State):
        return "state", str(node.name)
    if isinstance(node, tree.Goal):
        return str(node.parts[0]), ""
    if isinstance(node, tree.Always):
        return "always", str(node.name)
    name, case = (node.parts[0], node.parts[1]) if isinstance(node, tree.DefWhere) else (node.name, node.case)
    return "rule", str(name) + (f"[{case.domain or case.name}]" if case.name else "")


def format_declaration_key(node: Any) -> str:
    """Formats a declaration as `remove` names it: proc sell, def points, state sold, standing."""
    kind, name = declaration_key(node)
    word = kind if kind != "rule" else "def" if isinstance(node, tree.DefValue | tree.DefWhere) else str(node.word)
    return f"{word} {name}".strip()


def member_of_case(node: tree.Node) -> str | None:
    """Returns the member that a declaration is for, such as `pie` in `proc buy[pie]`, or None."""
    if not isinstance(node, tree.DefValue | tree.DefWhere | tree.Proc):
        return None
    case = node.parts[1] if isinstance(node, tree.DefWhere) else node.case
    return str(case.name) if case.name and not case.domain else None


def copy_case(node: Any, member: str) -> Any:
    """Returns a copy of a declaration for one member that is for another member: `proc buy[cake]` for `proc buy[pie]`."""
    copied = deepcopy(node)                                        # what passes find is stored by the identity of nodes
    case = copied.parts[1] if isinstance(copied, tree.DefWhere) else copied.case
    case.name = Token.new_borrow_pos("NAME", member, case.name)
    return copied


def iter_steps(node: tree.Node, file: str, lines: list[str]) -> Iterator[RuleStep]:
    """Yields the steps of a declaration, outer ones first."""
    key = declaration_key(node)[1]
    if isinstance(node, tree.Proc):
        family = tree.find_cited_family(node.cites)
    elif isinstance(node, tree.DefWhere):
        family = tree.find_cited_family(next((part for part in node.parts if isinstance(part, tree.Cites)), None))
    else:
        return
    for part, kind in _iter_step_nodes(node):
        clauses = set()
        for cite in _own_cites(part):
            text = str(cite)[1:]
            clauses.add(f"{family}-{text}" if text.isdigit() else text)
        shown = re.split(r"#|@", lines[part.meta.line - 1])[0].strip() if part.meta.line <= len(lines) else ""
        yield RuleStep(part, kind, key, file, frozenset(clauses), normalize_rule_text("\n".join(_source_lines(part, lines))), shown)


def normalize_rule_text(text: str) -> str:
    """Returns rule text without spaces, comments, clauses and a final colon, for comparisons."""
    tokens = [found[0] for found in TOKEN.finditer(text) if found[0][0] not in "#@"]
    return "".join(tokens).rstrip(":")


def _source_lines(node: tree.Node, lines: list[str]) -> list[str]:
    """Returns the source lines of a node, cut to its span."""
    meta = node.meta
    rows = lines[meta.line - 1 : meta.end_line]
    if rows and meta.end_line == meta.line:
        return [rows[0][meta.column - 1 : meta.end_column - 1]]
    return [rows[0][meta.column - 1 :], *rows[1:-1], rows[-1][: meta.end_column - 1]] if rows else []


def _iter_step_nodes(node: Any) -> Iterator[tuple[Any, StepKind]]:
    """Yields each step below a node with its kind."""
    if isinstance(node, tree.Suite):
        for item in node.items:
            yield item, "statement"
            yield from _iter_step_nodes(item)
    elif isinstance(node, tree.Menu):
        for part in node.parts:
            if isinstance(part, tree.Entry):
                yield part, "entry"
            yield from _iter_step_nodes(part)
    elif isinstance(node, tree.DefWhere):
        yield from ((part, "condition") for part in node.parts if isinstance(part, tree.Condition))
    elif isinstance(node, tree.Node) and not isinstance(node, tree.Expr):
        for one in fields(node):
            value = getattr(node, one.name)
            for inner in value if isinstance(value, list) else [value]:
                yield from _iter_step_nodes(inner)


def _own_cites(node: Any) -> list[Token]:
    """Returns the clauses that a step cites itself, including those of its `elif` and `otherwise`."""
    if isinstance(node, tree.If_ | tree.Menu):
        found = [cite for part in node.parts if isinstance(part, tree.Cites) for cite in part]
        return found + [cite for part in node.parts if isinstance(part, tree.Elif_ | tree.Otherwise) for cite in part.cites]
    if isinstance(node, tree.Tell):
        return [cite for part in node.parts if isinstance(part, tree.Cites) for cite in part]
    found = list(getattr(node, "cites", None) or ())
    otherwise = getattr(node, "otherwise", None)
    return found + (list(otherwise.cites) if otherwise is not None else [])


def collect_cited_clauses(node: Any) -> set[str]:
    """Returns every clause that a declaration cites, with its full name."""
    head = node.head_cites if isinstance(node, tree.DefValue) else getattr(node, "cites", None)
    if isinstance(node, tree.DefWhere):
        head = next((part for part in node.parts if isinstance(part, tree.Cites)), None)
    family = tree.find_cited_family(head)
    return {f"{family}-{text}" if text.isdigit() else text for text in (str(token)[1:] for token in _iter_cite_tokens(node)) if text}


def _iter_cite_tokens(node: Any) -> Iterator[Token]:
    """Yields every citation token of a tree, as written."""
    if isinstance(node, Token):
        if node.type == "CITE":
            yield node
    elif isinstance(node, list):
        for one in node:
            yield from _iter_cite_tokens(one)
    elif isinstance(node, tree.Cites):
        yield from node
    elif hasattr(node, "meta"):
        for one in fields(node):
            if one.name != "meta":
                yield from _iter_cite_tokens(getattr(node, one.name))


# ---------------------------------------------------------------- edits


def apply_edits(node: Any, edits: dict[int, StepEdit]) -> Any:
    """Returns a tree with edits applied to some of its steps. Unchanged subtrees are the same objects.

    `edits` maps `id(node)` of a step to its edit."""
    if isinstance(node, tree.Suite):
        return replace(node, items=_edit_items(node.items, edits))
    if isinstance(node, tree.Menu | tree.DefWhere):
        return replace(node, parts=_edit_items(node.parts, edits))
    if not isinstance(node, tree.Node) or isinstance(node, tree.Expr):
        return node
    new: dict[str, Any] = {}
    for one in fields(node):
        value = getattr(node, one.name)
        made = [apply_edits(inner, edits) for inner in value] if isinstance(value, list) else apply_edits(value, edits)
        if made is not value and not (isinstance(value, list) and all(a is b for a, b in zip(made, value))):
            new[one.name] = made
    return replace(node, **new) if new else node


def _edit_items(items: list[Any], edits: dict[int, StepEdit]) -> list[Any]:
    """Returns a list of steps with the edits applied."""
    out: list[Any] = []
    for item in items:
        edit = edits.get(id(item))
        if edit is None:
            out.append(apply_edits(item, edits))
            continue
        out += edit.before
        out += [apply_edits(one, edits) for one in ([replace(item)] if edit.instead is None else edit.instead)]
        out += edit.after
    return out


def extend_body(node: Any, first: list[tree.Node], last: list[tree.Node]) -> Any:
    """Returns a declaration with nodes added at the beginning and at the end of its body."""
    if isinstance(node, tree.Proc):
        return replace(node, body=replace(node.body, items=[*first, *node.body.items, *last]))
    at = next(n for n, part in enumerate(node.parts) if isinstance(part, tree.Condition))
    return replace(node, parts=[*node.parts[:at], *first, *node.parts[at:], *last])


def has_block(step: Any) -> bool:
    """Whether a step is a line with a block below it, so that its first line can be replaced."""
    return isinstance(step, tree.Menu | tree.If_) or getattr(step, "body", None) is not None


def attach_block(head: Any, old: Any) -> Any | None:
    """Returns the step `head` with the block of `old`, or None if one has no block or the kinds of block differ."""
    if isinstance(head, tree.Menu) or isinstance(old, tree.Menu):
        if type(head) is not type(old):
            return None
        return replace(head, parts=[*head.parts[:5], *old.parts[5:]])
    if isinstance(head, tree.If_):
        if isinstance(old, tree.If_):
            return replace(head, parts=[*head.parts[:2], *old.parts[2:]])
        body = getattr(old, "body", None)
        rest: list[Any] = [None] * (len(head.parts) - 3)
        return replace(head, parts=[*head.parts[:2], body, *rest]) if body is not None else None
    body = old.parts[2] if isinstance(old, tree.If_) else getattr(old, "body", None)
    if body is None or not hasattr(head, "body") or isinstance(old, tree.If_) and any(part is not None for part in old.parts[3:]):
        return None
    more = {"otherwise": old.otherwise} if hasattr(head, "otherwise") and hasattr(old, "otherwise") else {}
    return replace(head, body=body, **more)
