"""What stands behind a part of a rule: its text as it is written, the values that house rules gave it, the options that it asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...dsl.check.stmts import walk
from ...dsl.compile.trial import Test
from ...dsl.diagnostics import Place
from ...dsl.render import clean, read_lines
from ...dsl.syntax import tree
from ..position.options import Option
from ..position.position import Game


@dataclass(frozen=True)
class Change:
    """A value that house rules set: what it is called in the data, and where the new value stands."""

    name: str
    place: Place


def written(game: Game, path: str, node: Any) -> str:
    """A part of a rule as its file has it, on one line; nothing when the file cannot be read any more."""
    source, meta = game.ruleset.source, node.meta
    inside = path.removeprefix(f"{source.shown}/")
    lines = read_lines(str(source.folder / inside if inside != path else Path(path)))
    if lines is None or not 0 < meta.line <= meta.end_line <= len(lines):
        return ""
    rows = [line.split(" #")[0] for line in lines[meta.line - 1 : meta.end_line - 1]] + [lines[meta.end_line - 1][: meta.end_column - 1]]
    rows[0] = rows[0][meta.column - 1 :]
    return clean(" ".join(" ".join(rows).split()))


def behind(node: Any, seen: set[int] | None = None) -> Iterator[Any]:
    """Every node of an expression, and of the defs that it uses."""
    seen = set() if seen is None else seen
    for part in walk(node):
        yield part
        ref = getattr(part, "ref", None)
        if ref is None or ref.kind != "family" or ref.target.kind != "def":
            continue
        for routine in ref.target.routines:
            if id(routine) not in seen:
                seen.add(id(routine))
                yield from behind([routine.value, [condition.test for condition in routine.conditions]], seen)


def changes(game: Game, tests: list[Test], option: Option | None) -> list[Change]:
    """The values set by house rules that these parts of a rule name."""
    known = {path[1:]: place for path, place in game.ruleset.source.places.items() if path[:1] == ("house",)}
    found: dict[Change, None] = {}
    for test in tests[-1:] if known else []:
        for node in behind(test.node):
            for path in values_named(game, node, option):
                found |= {Change(".".join(map(str, key[1:])).replace(".members.", "."), place): None
                          for key, place in known.items() if key[: len(path)] == path or fits(path, key)}
    return list(found)


def fits(path: tuple[str | None, ...], key: tuple[str | int, ...]) -> bool:
    """Whether a changed value is the attribute of any member."""
    return len(path) == len(key) and all(one in (other, None) for one, other in zip(path, key))


def values_named(game: Game, node: Any, option: Option | None) -> Iterator[tuple[str | None, ...]]:
    """Where the data holds what a node names; None stands for any member."""
    ref = getattr(node, "ref", None)
    if ref is None:
        return
    if isinstance(node, tree.Name) and ref.kind == "number":
        yield ("numbers", str(node.name))
    elif isinstance(node, tree.Name) and ref.kind == "table":
        yield ("tables", ref.target.name)
    elif isinstance(node, tree.Printed) and ref.kind in ("attribute", "number"):
        inner = getattr(node.value, "ref", None)
        enum, member = ref.target[0].name if ref.kind == "attribute" else None, None
        if inner is not None and inner.kind == "member":
            enum = inner.target[0]
            member = game.model.enums[enum].members[inner.target[1]]
        elif inner is not None and inner.kind == "local" and option is not None:
            value = {name: raw for name, _, raw in option.values}.get(inner.target.name)
            held = game.model.enum_of(enum) if enum is not None else None
            member = held.members[value] if held is not None and value is not None and 0 <= value < len(held) else None
        yield ("enums", enum, "members", member, str(node.name))


def options_asked(game: Game, tests: list[Test]) -> list[str]:
    """The options of the game that the last of these parts asks by name."""
    named = [str(node.name) for test in tests[-1:] for node in behind(test.node)
             if isinstance(node, tree.Name) and node.ref is not None and node.ref.kind == "option"]
    return list(dict.fromkeys(named))
