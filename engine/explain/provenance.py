"""What stands behind a part of a rule: its text as it is written, the values that house rules gave it, the options that it asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ...dsl.core.nodes import Attribute, CallDef, Const, Expr, LocalRef, MemberConstant, NamedConstant, Node, OptionValue, TableLookup
from ...dsl.core.program import Program, Routine
from ...dsl.core.walk import walk
from ...dsl.diagnostics.diagnostic import SourceSpan
from ...dsl.diagnostics.render import read_lines, sanitize_argument
from ...dsl.ir.explain_metadata import ConditionTest
from ..position.options import Option
from ..position.position import Game


@dataclass(frozen=True)
class PackValue:
    """A value that house rules set: what it is called in the data, and where the new value stands."""

    name: str
    place: SourceSpan


def source_text(game: Game, path: str, node: Node) -> str:
    """A part of a rule as its file has it, on one line; nothing when the file cannot be read any more."""
    source, at = game.ruleset.source, node.at
    inside = path.removeprefix(f"{source.shown}/")
    lines = read_lines(str(source.folder / inside if inside != path else Path(path)))
    if lines is None or not 0 < at.line <= at.end_line <= len(lines):
        return ""
    rows = [line.split(" #")[0] for line in lines[at.line - 1 : at.end_line - 1]] + [lines[at.end_line - 1][: at.end_column - 1]]
    rows[0] = rows[0][at.column - 1 :]
    return sanitize_argument(" ".join(" ".join(rows).split()))


def iter_nodes_with_defs(node: Node, program: Program, seen: set[Routine] | None = None) -> Iterator[Node]:
    """Every node of an expression, and of the defs that it uses."""
    seen = set() if seen is None else seen
    for part in walk(node):
        yield part
        for routine in program.families[part.family].routines if isinstance(part, CallDef) else []:
            if routine not in seen:
                seen.add(routine)
                for inner in routine.parts:
                    yield from iter_nodes_with_defs(inner, program, seen)


def find_pack_values(game: Game, tests: list[ConditionTest], option: Option | None) -> list[PackValue]:
    """The values set by house rules that these parts of a rule name."""
    known = {path[1:]: place for path, place in game.ruleset.source.places.items() if path[:1] == ("house",)}
    found: dict[PackValue, None] = {}
    for test in tests[-1:] if known else []:
        for node in iter_nodes_with_defs(test.node, game.ruleset.program):
            for path in iter_data_paths(game, node, option):
                found |= {PackValue(".".join(map(str, key[1:])).replace(".members.", "."), place): None
                          for key, place in known.items() if key[: len(path)] == path or path_matches(path, key)}
    return list(found)


def path_matches(path: tuple[str | None, ...], key: tuple[str | int, ...]) -> bool:
    """Whether a changed value is the attribute of any member."""
    return len(path) == len(key) and all(one in (other, None) for one, other in zip(path, key))


def iter_data_paths(game: Game, node: Node, option: Option | None) -> Iterator[tuple[str | None, ...]]:
    """Where the data holds what a node names; None stands for any member."""
    match node:
        case NamedConstant(name=name):
            yield ("numbers", name)
        case TableLookup(table=name):
            yield ("tables", name)
        case MemberConstant(domain=domain, member=member, name=name):
            yield ("enums", domain, "members", game.model.enums[domain].members[member], name)
        case Attribute(thing=thing, domain=domain, name=name):
            yield ("enums", domain, "members", find_member(game, thing, domain, option), name)


def find_member(game: Game, thing: Expr, domain: str, option: Option | None) -> str | None:
    """The member that an expression stands for, where it is known or is what an option has chosen."""
    value = None
    if isinstance(thing, Const):
        value = thing.value
    elif isinstance(thing, LocalRef) and option is not None:
        value = {name: raw for name, _, raw in option.values}.get(thing.local.name)
    members = game.model.enums[domain].members
    return members[value] if value is not None and 0 <= value < len(members) else None


def find_options_asked(game: Game, tests: list[ConditionTest]) -> list[str]:
    """The options of the game that the last of these parts asks by name."""
    named = [
        node.name for test in tests[-1:] for node in iter_nodes_with_defs(test.node, game.ruleset.program) if isinstance(node, OptionValue)
    ]
    return list(dict.fromkeys(named))
