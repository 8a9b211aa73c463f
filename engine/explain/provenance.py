"""The origin of a condition in a rule: its source text, the values that house rules
set, and the game options that it depends on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ...dsl.core.nodes import Attribute, CallDef, Const, Expr, LocalRef, MemberConstant, NamedConstant, Node, OptionValue, TableLookup
from ...dsl.core.program import Program, Routine
from ...dsl.core.walk import walk
from ...dsl.diagnostics.diagnostic import SourceSpan
from ...dsl.diagnostics.render import read_lines, sanitize_argument
from ...dsl.ir.metadata import ConditionTest
from ..position.options import Option
from ..position.position import Game


@dataclass(frozen=True)
class PackValue:
    """A value that house rules set: its name in the data, and the place of the new value."""

    name: str
    place: SourceSpan


def source_text(game: Game, path: str, node: Node) -> str:
    """Returns the source text of a node on one line, or "" if the file can no longer be read."""
    source, at = game.ruleset.source, node.at
    inside = path.removeprefix(f"{source.shown}/")
    lines = read_lines(str(source.folder / inside if inside != path else Path(path)))
    if lines is None or not 0 < at.line <= at.end_line <= len(lines):
        return ""
    rows = [line.split(" #")[0] for line in lines[at.line - 1 : at.end_line - 1]] + [lines[at.end_line - 1][: at.end_column - 1]]
    rows[0] = rows[0][at.column - 1 :]
    return sanitize_argument(" ".join(" ".join(rows).split()))


def iter_nodes_with_defs(node: Node, program: Program, seen: set[Routine] | None = None) -> Iterator[Node]:
    """Yields every node of an expression and of the defs that it calls, directly or indirectly."""
    seen = set() if seen is None else seen
    for part in walk(node):
        yield part
        for routine in program.families[part.family].routines if isinstance(part, CallDef) else []:
            if routine not in seen:
                seen.add(routine)
                for inner in routine.parts:
                    yield from iter_nodes_with_defs(inner, program, seen)


def find_pack_values(game: Game, tests: list[ConditionTest], option: Option | None) -> list[PackValue]:
    """Returns the values set by house rules that the innermost of these tests refers to."""
    known = {path[1:]: place for path, place in game.ruleset.source.places.items() if path[:1] == ("house",)}
    found: dict[PackValue, None] = {}
    for test in tests[-1:] if known else []:
        for node in iter_nodes_with_defs(test.node, game.ruleset.program):
            for path in iter_data_paths(game, node, option):
                found |= {PackValue(".".join(map(str, key[1:])).replace(".members.", "."), place): None
                          for key, place in known.items() if key[: len(path)] == path or path_matches(path, key)}
    return list(found)


def path_matches(path: tuple[str | None, ...], key: tuple[str | int, ...]) -> bool:
    """Whether a changed value is the given attribute of any member. None in `path` matches every member."""
    return len(path) == len(key) and all(one in (other, None) for one, other in zip(path, key))


def iter_data_paths(game: Game, node: Node, option: Option | None) -> Iterator[tuple[str | None, ...]]:
    """Yields the data paths of the values that a node refers to. None in a path stands for any member."""
    match node:
        case NamedConstant(name=name):
            yield ("numbers", name)
        case TableLookup(table=name):
            yield ("tables", name)
        case MemberConstant(domain=domain, member=member, name=name):
            yield ("enums", domain, "members", game.model.enums[domain].members[member], name)
        case Attribute(thing=thing, domain=domain, name=name):
            yield ("enums", domain, "members", find_member_name(game, thing, domain, option), name)


def find_member_name(game: Game, thing: Expr, domain: str, option: Option | None) -> str | None:
    """Returns the name of the member that an expression stands for, if it is a constant or a field of the option."""
    value = None
    if isinstance(thing, Const):
        value = thing.value
    elif isinstance(thing, LocalRef) and option is not None:
        value = {name: raw for name, _, raw in option.values}.get(thing.local.name)
    members = game.model.enums[domain].members
    return members[value] if value is not None and 0 <= value < len(members) else None


def find_options_asked(game: Game, tests: list[ConditionTest]) -> list[str]:
    """Returns the names of the game options that the innermost of these tests reads."""
    named = [
        node.name for test in tests[-1:] for node in iter_nodes_with_defs(test.node, game.ruleset.program) if isinstance(node, OptionValue)
    ]
    return list(dict.fromkeys(named))
