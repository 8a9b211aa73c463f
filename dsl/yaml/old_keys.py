"""Renames the keys of a YAML document that had another name in earlier versions of Ludoglot.

A property of a schema gives its earlier name as `x-formerly`, here for a key `watch` that was called `worth`:

    "watch": {"title": "Watched values", "x-formerly": "worth", ...}

Everything after this step sees only the new keys, with the spans of the old ones. So files, packs and saves that were
written with the old keys keep working. `check` reports each old key (W502)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..diagnostics.diagnostic import DiagnosticList
from .located_yaml import LocatedYaml, Path_

OLD_KEY = "x-formerly"


def rename_old_keys(document: LocatedYaml, schema: dict[str, Any], findings: DiagnosticList) -> None:
    """Renames the old keys in a document, and warns about each. `schema` is self-contained."""
    renamed = dict(_find_old_keys(schema, schema, document.data, ()))
    for path in sorted(renamed, key=len, reverse=True):            # inner keys first, because paths contain the old keys
        findings.add("W502", document.key_place(*path), name=path[-1], meant=renamed[path])
        node = document.data
        for part in path[:-1]:
            node = node[part]
        entries = [(renamed[path] if key == path[-1] else key, value) for key, value in node.items()]
        node.clear()
        node.update(entries)
    if renamed:
        for spans in (document.keys, document.values):
            moved = {tuple(renamed.get(path[: n + 1], part) for n, part in enumerate(path)): span for path, span in spans.items()}
            spans.clear()
            spans.update(moved)


def _find_old_keys(whole: dict[str, Any], schema: Any, value: Any, path: Path_) -> Iterator[tuple[Path_, str]]:
    """Yields the path of each old key in `value` with the new key. An old key next to its new key stays unknown."""
    while isinstance(schema, dict) and "$ref" in schema:
        target: Any = whole
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        schema = target
    if not isinstance(schema, dict):
        return
    if isinstance(value, list):
        for n, entry in enumerate(value):
            yield from _find_old_keys(whole, schema.get("items"), entry, (*path, n))
    if not isinstance(value, dict):
        return
    properties = schema.get("properties", {})
    formerly: dict[Any, str] = {given[OLD_KEY]: new for new, given in properties.items() if OLD_KEY in given and new not in value}
    for key, entry in value.items():
        new = formerly.get(key, str(key))
        if key in formerly:
            yield (*path, key), new
        yield from _find_old_keys(whole, properties.get(new, schema.get("additionalProperties")), entry, (*path, key))
    for part in schema.get("allOf", ()):
        if all(key in value for key in part.get("if", {}).get("required", ())):
            yield from _find_old_keys(whole, part.get("then", part), value, path)
