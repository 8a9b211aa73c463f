"""Edits YAML text so that it holds new data, as its author would.

Unchanged parts keep their lines, layout and comments. New parts follow the style of the parts around them."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Any

import yaml

from ..diagnostics.source_lines import normalize_newlines
from .located_yaml import parse_key, parse_scalar

MAX_LINE_WIDTH = 140
TextEdit = tuple[int, int, str]                                        # start, end, replacement


def edit_yaml(text: str, data: Any) -> str:
    """Returns the text edited to hold `data`."""
    text = normalize_newlines(text)
    text += "" if not text or text.endswith("\n") else "\n"
    node = yaml.compose(text, yaml.SafeLoader)
    if node is None:
        return text + dump_block(data, 0)
    return YamlEditor(text).apply_edits(node, data, 0, len(text))


def dump_block(data: Any, indent: int) -> str:
    """Returns new YAML for data: one line per entry, or a block if the line would be too long."""
    rows = []
    for key, value in data.items() if isinstance(data, dict) else ((None, one) for one in data):
        head = " " * indent + ("- " if key is None else f"{dump_flow(key)}: ")
        line = head + dump_flow(value)
        if len(line) > MAX_LINE_WIDTH and isinstance(value, dict) and value and key is not None:
            line = f"{head.rstrip()}\n{dump_block(value, indent + 2)}".rstrip("\n")
        rows.append(line + "\n")
    return "".join(rows)


def dump_flow(value: Any) -> str:
    """Returns a value on one line, in flow style."""
    if isinstance(value, str) and ("\n" in value or parse_scalar(yaml.ScalarNode("", value)) != value):
        return dump_quoted(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{dump_flow(key)}: {dump_flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(dump_flow, value)) + "]"
    if value is None:
        return "null"
    said = yaml.safe_dump([value], default_flow_style=True, width=10**6, allow_unicode=True)[1:].rstrip().removesuffix("]")
    return dump_quoted(value) if said.startswith("'") else said


def dump_quoted(text: str) -> str:
    """Returns a text in double quotes."""
    return yaml.safe_dump(text, default_style='"', width=10**6, allow_unicode=True).removesuffix("\n")


class YamlEditor:
    """Edits one text. Edits are tuples of start, end and replacement."""

    def __init__(self, text: str) -> None:
        self.text = text

    def apply_edits(self, node: yaml.Node, data: Any, start: int, end: int) -> str:
        """Returns the text from `start` to `end`, which contains a node, edited so that the node holds `data`."""
        out, at = [], start
        for first, last, new in sorted(self.find_edits(node, data), key=lambda edit: edit[:2]):
            out += [self.text[at:first], new]
            at = last
        return "".join([*out, self.text[at:end]])

    def find_edits(self, node: yaml.Node, data: Any) -> list[TextEdit]:
        """Returns the edits that make a node hold `data`."""
        if is_identical(node_value(node), data):
            return []
        parts, wanted = pair_entries(node, data)
        if not parts or not wanted:
            as_before = isinstance(node, yaml.ScalarNode) and node.style == '"' and isinstance(data, str)
            return [(*self.node_span(node), dump_quoted(data) if as_before else dump_flow(data))]
        keys = [[key for key, _ in wanted], [key for key, _, _ in parts]]
        changes = SequenceMatcher(None, keys[1], keys[0], autojunk=False).get_opcodes()
        flows = isinstance(node, yaml.CollectionNode) and node.flow_style
        return self.edit_flow(node, parts, wanted, changes) if flows else self.edit_block(node, parts, wanted, changes)

    def edit_flow(self, node: yaml.Node, parts: list[Any], wanted: list[Any], changes: list[Any]) -> list[TextEdit]:
        """Returns the edits of a node in flow style."""
        if all(change == "equal" for change, *_ in changes):
            return [edit for (_, _, inner), (_, value) in zip(parts, wanted) for edit in self.find_edits(inner, value)]
        pieces = []
        for change, low, high, new, last in changes:
            if change == "equal":
                pieces += [self.apply_edits(inner, value, begin, self.node_span(inner)[1])
                           for (_, begin, inner), (_, value) in zip(parts[low:high], wanted[new:last])]
            else:
                pieces += [dump_flow(value) if isinstance(node, yaml.SequenceNode) else f"{dump_flow(key)}: {dump_flow(value)}"
                           for key, value in wanted[new:last]]
        start, end = self.node_span(node)
        between = ", " if "\n" not in self.text[start:end] else ",\n" + " " * parts[0][2].start_mark.column
        return [(start, end, self.text[start] + between.join(pieces) + self.text[end - 1])]

    def edit_block(self, node: yaml.Node, parts: list[Any], wanted: list[Any], changes: list[Any]) -> list[TextEdit]:
        """Returns the edits of a node in block style."""
        starts = [self.text.rfind("\n", 0, begin) + 1 for _, begin, _ in parts]
        if changes[0][0] != "equal" and self.text[starts[0] : node.start_mark.index].strip():
            # begins after a dash: rewrite all
            return [(*self.node_span(node), dump_flow(build_data(node, wanted)))]
        indent = node.start_mark.column
        found: list[TextEdit] = []
        for change, low, high, new, last in changes:
            if change == "equal":
                found += [
                    edit for (_, _, inner), (_, value) in zip(parts[low:high], wanted[new:last]) for edit in self.find_edits(inner, value)
                ]
                continue
            at = starts[low] if low < len(parts) and change == "replace" else self.find_line_end(parts[low - 1][2]) if low else starts[0]
            more = dump_block(build_data(node, wanted[new:last]), indent) if new < last else ""
            ends = [self.find_line_end(inner) for _, _, inner in parts[low:high]]
            if change == "replace":
                found.append((at, ends[0], more))
                found += [(starts[n], end, "") for n, end in enumerate(ends[1:], low + 1)]
            elif change == "delete":
                found += [(starts[n], end, "") for n, end in enumerate(ends, low)]
            else:
                found.append((at, at, more))
        return found

    def find_line_end(self, node: yaml.Node) -> int:
        """Returns the offset after the line on which a node ends."""
        end = self.text.find("\n", max(self.node_span(node)[1] - 1, 0))
        return len(self.text) if end < 0 else end + 1

    def node_span(self, node: yaml.Node) -> tuple[int, int]:
        """Returns the start and end of a node. A block ends with its last entry, before any comments after it."""
        start, end = node.start_mark.index, node.end_mark.index
        if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
            last = node.value[-1]
            return start, self.node_span(last[1] if isinstance(last, tuple) else last)[1]
        if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
            return start, start + len(self.text[start:end].rstrip())
        return start, end


def pair_entries(node: yaml.Node, data: Any) -> tuple[list[Any], list[Any]]:
    """Returns the current entries of a node (key, offset, value node) and the wanted ones (key, value).

    Both are empty if the node and the data have different types. If a list changes its length, the contents of its entries
    serve as keys."""
    if isinstance(node, yaml.MappingNode) and isinstance(data, dict):
        return ([(parse_key(key), key.start_mark.index, value) for key, value in node.value], list(data.items()))
    if isinstance(node, yaml.SequenceNode) and isinstance(data, list):
        old = [repr(node_value(inner)) for inner in node.value]
        if len(old) == len(data):
            return ([(n, inner.start_mark.index, inner) for n, inner in enumerate(node.value)], list(enumerate(data)))
        return ([(said, inner.start_mark.index, inner) for said, inner in zip(old, node.value)], [(repr(value), value) for value in data])
    return [], []


def build_data(node: yaml.Node, wanted: list[Any]) -> Any:
    """Returns entries as a mapping or a list, like the node."""
    return dict(wanted) if isinstance(node, yaml.MappingNode) else [value for _, value in wanted]


def node_value(node: yaml.Node) -> Any:
    """Returns the data of a node."""
    if isinstance(node, yaml.MappingNode):
        return {parse_key(key): node_value(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [node_value(inner) for inner in node.value]
    return parse_scalar(node) if isinstance(node, yaml.ScalarNode) else None


def is_identical(one: Any, other: Any) -> bool:
    """Whether two values are equal, with the same types and order. 1 is not equal to true."""
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(is_identical(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_identical, one, other))
    return type(one) is type(other) and one == other


def dump_inline(value: Any) -> str:
    """Returns a value as one line of YAML."""
    if isinstance(value, str) and parse_scalar(yaml.ScalarNode("", value)) != value:
        return dump_quoted(value)
    return yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=10_000, sort_keys=False).removesuffix("...\n").strip()
