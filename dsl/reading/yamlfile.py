"""YAML with the place of every value: the 1.2 core rules, no duplicate keys, no anchors, no deep nesting.

YAML 1.1, which PyYAML reads by default, takes `no`, `on`, `12:30` and `1_000` for something else; a card called `no` must stay a card.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from yaml.reader import ReaderError

from ..diagnostics import Findings, Place

MAX_BYTES = 2_000_000
MAX_DEPTH = 24
Path_ = tuple[Any, ...]


@dataclass
class Document:
    """Plain data and, for each path of keys and indices, where its key and its value stand."""

    data: Any
    path: str
    keys: dict[Path_, Place] = field(default_factory=dict)
    values: dict[Path_, Place] = field(default_factory=dict)

    def place(self, *path: Any) -> Place:
        """The place of a value, or of the nearest thing around it that has one."""
        for n in range(len(path), -1, -1):
            found = self.values.get(path[:n]) if n == len(path) else self.keys.get(path[:n]) or self.values.get(path[:n])
            if found:
                return found
        return Place(self.path)

    def key_place(self, *path: Any) -> Place:
        return self.keys.get(path) or self.place(*path)


class _Loader(yaml.SafeLoader):
    """SafeLoader's scanner; scalars are resolved by `_scalar` below."""


def read_yaml(path: Path, findings: Findings, shown: str | None = None) -> Document | None:
    """The document in `path`, or None with the reasons in `findings`."""
    shown = shown or str(path)
    try:
        if path.stat().st_size > MAX_BYTES:
            findings.add("Y002", Place(shown), limit=MAX_BYTES)
            return None
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError):                                  # not there, not UTF-8, or no name that a file can have
        findings.add("Y001", Place(shown), path=shown)
        return None
    return parse_yaml(text, shown, findings)


def parse_yaml(text: str, path: str, findings: Findings) -> Document | None:
    """As read_yaml, from text."""
    document = Document(None, path)
    before = len(findings.items)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    for other in "\x85\u2028\u2029":                               # line ends for YAML, for no editor: places must agree
        text = text.replace(other, " ")
    try:
        loader = _Loader(text)
        try:
            if _has_anchor(text, path, findings):
                return None
            node = loader.get_single_node()
        finally:
            loader.dispose()
        if node is None:
            document.data = {}
            return document
        document.data = _value(node, (), document, findings)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Place(path, mark.line + 1, mark.column + 1, mark.column + 2) if mark else Place(path)
        findings.add("Y003", place, problem=error.problem or "")
    except ReaderError as error:
        start = text.rfind("\n", 0, error.position) + 1
        place = Place(path, text.count("\n", 0, error.position) + 1, error.position - start + 1, error.position - start + 2)
        findings.add("Y003", place, problem=f"the character U+{ord(text[error.position]):04X} cannot stand in YAML")
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        findings.add("Y003", Place(path), problem=str(error).splitlines()[0] if str(error) else "")
    return document if len(findings.items) == before else None


def _has_anchor(text: str, path: str, findings: Findings) -> bool:
    depth = 0
    for event in yaml.parse(text, _Loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        mark = event.start_mark
        assert mark is not None
        if getattr(event, "anchor", None):
            findings.add("Y004", Place(path, mark.line + 1, mark.column + 1))
            return True
        if depth > MAX_DEPTH:
            findings.add("Y005", Place(path, mark.line + 1, mark.column + 1), limit=MAX_DEPTH)
            return True
    return False


def _place(node: yaml.Node, path: str) -> Place:
    start, stop = node.start_mark, node.end_mark
    end = stop.column + 1 if stop.line == start.line else start.column + 2
    return Place(path, start.line + 1, start.column + 1, end)


def _value(node: yaml.Node, at: Path_, document: Document, findings: Findings) -> Any:
    place = _place(node, document.path)
    document.values[at] = place
    if isinstance(node, yaml.MappingNode):
        result: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                findings.add("Y003", _place(key_node, document.path), problem="a key must be one word or number")
                continue
            key = _scalar(key_node)
            if isinstance(key, bool) or key is None:
                key = key_node.value                               # `true:` and `null:` as keys are words
            if key in result:
                findings.add("Y006", _place(key_node, document.path), name=key, also=(document.keys[*at, key],))
                continue
            document.keys[*at, key] = _place(key_node, document.path)
            result[key] = _value(value_node, (*at, key), document, findings)
        return result
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, (*at, n), document, findings) for n, item in enumerate(node.value)]
    return _scalar(node)


def _scalar(node: Any) -> Any:
    """A plain scalar by the YAML 1.2 core schema; a quoted one is always text."""
    text = node.value
    if node.style is not None:
        return text
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text in ("true", "True", "TRUE"):
        return True
    if text in ("false", "False", "FALSE"):
        return False
    if re.fullmatch(r"[-+]?[0-9]{1,18}", text):
        return int(text)
    return text
