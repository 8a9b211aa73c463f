"""A YAML text that says something else now, as whoever wrote it would have changed it: what stays the same keeps its lines, its layout and
its comments; what is new is written beside it in the same manner."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Any

import yaml

from ..diagnostics.source_lines import unified
from .located_yaml import key_of, scalar

WIDEST = 140
Edit = tuple[int, int, str]                                        # from, to, what stands there now


def restated(text: str, data: Any) -> str:
    """The text, saying `data`."""
    text = unified(text)
    text += "" if not text or text.endswith("\n") else "\n"
    node = yaml.compose(text, yaml.SafeLoader)
    if node is None:
        return text + said_anew(data, 0)
    return Restated(text).applied(node, data, 0, len(text))


def said_anew(data: Any, indent: int) -> str:
    """Data that no text says yet: a line for each entry, in blocks where a line would be too long."""
    rows = []
    for key, value in data.items() if isinstance(data, dict) else ((None, one) for one in data):
        head = " " * indent + ("- " if key is None else f"{flow(key)}: ")
        line = head + flow(value)
        if len(line) > WIDEST and isinstance(value, dict) and value and key is not None:
            line = f"{head.rstrip()}\n{said_anew(value, indent + 2)}".rstrip("\n")
        rows.append(line + "\n")
    return "".join(rows)


def flow(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, str) and ("\n" in value or value in ("true", "false", "null")):
        return quoted(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{flow(key)}: {flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    if value is None:
        return "null"
    said = yaml.safe_dump([value], default_flow_style=True, width=10**6, allow_unicode=True)[1:].rstrip().removesuffix("]")
    return quoted(value) if said.startswith("'") else said


def quoted(text: str) -> str:
    return yaml.safe_dump(text, default_style='"', width=10**6, allow_unicode=True).removesuffix("\n")


class Restated:
    """One text, and how its parts come to say something else."""

    def __init__(self, text: str) -> None:
        self.text = text

    def applied(self, node: yaml.Node, data: Any, start: int, end: int) -> str:
        """The text from `start` to `end`, in which a node stands."""
        out, at = [], start
        for first, last, new in sorted(self.edits(node, data), key=lambda edit: edit[:2]):
            out += [self.text[at:first], new]
            at = last
        return "".join([*out, self.text[at:end]])

    def edits(self, node: yaml.Node, data: Any) -> list[Edit]:
        """What has to change in the text of a node."""
        if alike(value_of(node), data):
            return []
        parts, wanted = entries(node, data)
        if not parts or not wanted:
            as_before = isinstance(node, yaml.ScalarNode) and node.style == '"' and isinstance(data, str)
            return [(*self.span(node), quoted(data) if as_before else flow(data))]
        keys = [[key for key, _ in wanted], [key for key, _, _ in parts]]
        changes = SequenceMatcher(None, keys[1], keys[0], autojunk=False).get_opcodes()
        flows = isinstance(node, yaml.CollectionNode) and node.flow_style
        return self.in_flow(node, parts, wanted, changes) if flows else self.in_block(node, parts, wanted, changes)

    def in_flow(self, node: yaml.Node, parts: list[Any], wanted: list[Any], changes: list[Any]) -> list[Edit]:
        if all(change == "equal" for change, *_ in changes):
            return [edit for (_, _, inner), (_, value) in zip(parts, wanted) for edit in self.edits(inner, value)]
        pieces = []
        for change, low, high, new, last in changes:
            if change == "equal":
                pieces += [self.applied(inner, value, begin, self.span(inner)[1])
                           for (_, begin, inner), (_, value) in zip(parts[low:high], wanted[new:last])]
            else:
                pieces += [flow(value) if isinstance(node, yaml.SequenceNode) else f"{flow(key)}: {flow(value)}"
                           for key, value in wanted[new:last]]
        start, end = self.span(node)
        between = ", " if "\n" not in self.text[start:end] else ",\n" + " " * parts[0][2].start_mark.column
        return [(start, end, self.text[start] + between.join(pieces) + self.text[end - 1])]

    def in_block(self, node: yaml.Node, parts: list[Any], wanted: list[Any], changes: list[Any]) -> list[Edit]:
        starts = [self.text.rfind("\n", 0, begin) + 1 for _, begin, _ in parts]
        if changes[0][0] != "equal" and self.text[starts[0] : node.start_mark.index].strip():
            return [(*self.span(node), flow(data_of(node, wanted)))]               # it begins behind a dash, and would begin otherwise now
        indent = node.start_mark.column
        found: list[Edit] = []
        for change, low, high, new, last in changes:
            if change == "equal":
                found += [edit for (_, _, inner), (_, value) in zip(parts[low:high], wanted[new:last]) for edit in self.edits(inner, value)]
                continue
            at = starts[low] if low < len(parts) and change == "replace" else self.line_end(parts[low - 1][2]) if low else starts[0]
            more = said_anew(data_of(node, wanted[new:last]), indent) if new < last else ""
            ends = [self.line_end(inner) for _, _, inner in parts[low:high]]
            if change == "replace":
                found.append((at, ends[0], more))
                found += [(starts[n], end, "") for n, end in enumerate(ends[1:], low + 1)]
            elif change == "delete":
                found += [(starts[n], end, "") for n, end in enumerate(ends, low)]
            else:
                found.append((at, at, more))
        return found

    def line_end(self, node: yaml.Node) -> int:
        """Where the line ends on which a node ends."""
        end = self.text.find("\n", max(self.span(node)[1] - 1, 0))
        return len(self.text) if end < 0 else end + 1

    def span(self, node: yaml.Node) -> tuple[int, int]:
        """Where a node begins and ends; a block ends with its last entry, not with the comments behind it."""
        start, end = node.start_mark.index, node.end_mark.index
        if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
            last = node.value[-1]
            return start, self.span(last[1] if isinstance(last, tuple) else last)[1]
        if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
            return start, start + len(self.text[start:end].rstrip())
        return start, end


def entries(node: yaml.Node, data: Any) -> tuple[list[Any], list[Any]]:
    """The entries of a mapping or a list (key, where it begins, value), and those that it is to have; nothing where the kind is another.
    The entries of a list are known by what they say."""
    if isinstance(node, yaml.MappingNode) and isinstance(data, dict):
        return ([(key_of(key), key.start_mark.index, value) for key, value in node.value], list(data.items()))
    if isinstance(node, yaml.SequenceNode) and isinstance(data, list):
        old = [repr(value_of(inner)) for inner in node.value]
        if len(old) == len(data):
            return ([(n, inner.start_mark.index, inner) for n, inner in enumerate(node.value)], list(enumerate(data)))
        return ([(said, inner.start_mark.index, inner) for said, inner in zip(old, node.value)], [(repr(value), value) for value in data])
    return [], []


def data_of(node: yaml.Node, wanted: list[Any]) -> Any:
    """Entries as data of the kind of a node."""
    return dict(wanted) if isinstance(node, yaml.MappingNode) else [value for _, value in wanted]


def value_of(node: yaml.Node) -> Any:
    """What a node says."""
    if isinstance(node, yaml.MappingNode):
        return {key_of(key): value_of(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [value_of(inner) for inner in node.value]
    return scalar(node) if isinstance(node, yaml.ScalarNode) else None


def alike(one: Any, other: Any) -> bool:
    """Whether two values are the same, in the same order; 1 is not true."""
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    return type(one) is type(other) and one == other


def yaml_inline(value: Any) -> str:
    """Return a value as one line of YAML."""
    import yaml
    return yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=10_000, sort_keys=False).removesuffix("...\n").strip()
