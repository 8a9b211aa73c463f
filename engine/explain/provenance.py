"""What stands behind a part of a rule: its text as it is written, the values that house rules gave it, the options that it asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ...dsl.core.nodes import Ask, Attribute, Const, Expr, Lookup, Node, Number, OwnNumber, Read, Setting
from ...dsl.core.program import Program, Routine
from ...dsl.core.walk import walk
from ...dsl.diagnostics.diagnostic import Place
from ...dsl.diagnostics.render import clean, read_lines
from ...dsl.ir.explain_metadata import Test
from ..position.options import Option
from ..position.position import Game


@dataclass(frozen=True)
class HouseValue:
    """A value that house rules set: what it is called in the data, and where the new value stands."""

    name: str
    place: Place


def written(game: Game, path: str, node: Node) -> str:
    """A part of a rule as its file has it, on one line; nothing when the file cannot be read any more."""
    source, at = game.ruleset.source, node.at
    inside = path.removeprefix(f"{source.shown}/")
    lines = read_lines(str(source.folder / inside if inside != path else Path(path)))
    if lines is None or not 0 < at.line <= at.end_line <= len(lines):
        return ""
    rows = [line.split(" #")[0] for line in lines[at.line - 1 : at.end_line - 1]] + [lines[at.end_line - 1][: at.end_column - 1]]
    rows[0] = rows[0][at.column - 1 :]
    return clean(" ".join(" ".join(rows).split()))


def behind(node: Node, program: Program, seen: set[Routine] | None = None) -> Iterator[Node]:
    """Every node of an expression, and of the defs that it uses."""
    seen = set() if seen is None else seen
    for part in walk(node):
        yield part
        for routine in program.families[part.family].routines if isinstance(part, Ask) else []:
            if routine not in seen:
                seen.add(routine)
                for inner in routine.parts:
                    yield from behind(inner, program, seen)


def changes(game: Game, tests: list[Test], option: Option | None) -> list[HouseValue]:
    """The values set by house rules that these parts of a rule name."""
    known = {path[1:]: place for path, place in game.ruleset.source.places.items() if path[:1] == ("house",)}
    found: dict[HouseValue, None] = {}
    for test in tests[-1:] if known else []:
        for node in behind(test.node, game.ruleset.program):
            for path in values_named(game, node, option):
                found |= {HouseValue(".".join(map(str, key[1:])).replace(".members.", "."), place): None
                          for key, place in known.items() if key[: len(path)] == path or fits(path, key)}
    return list(found)


def fits(path: tuple[str | None, ...], key: tuple[str | int, ...]) -> bool:
    """Whether a changed value is the attribute of any member."""
    return len(path) == len(key) and all(one in (other, None) for one, other in zip(path, key))


def values_named(game: Game, node: Node, option: Option | None) -> Iterator[tuple[str | None, ...]]:
    """Where the data holds what a node names; None stands for any member."""
    match node:
        case Number(name=name):
            yield ("numbers", name)
        case Lookup(table=name):
            yield ("tables", name)
        case OwnNumber(domain=domain, member=member, name=name):
            yield ("enums", domain, "members", game.model.enums[domain].members[member], name)
        case Attribute(thing=thing, domain=domain, name=name):
            yield ("enums", domain, "members", member_of(game, thing, domain, option), name)


def member_of(game: Game, thing: Expr, domain: str, option: Option | None) -> str | None:
    """The member that an expression stands for, where it is known or is what an option has chosen."""
    value = None
    if isinstance(thing, Const):
        value = thing.value
    elif isinstance(thing, Read) and option is not None:
        value = {name: raw for name, _, raw in option.values}.get(thing.local.name)
    members = game.model.enums[domain].members
    return members[value] if value is not None and 0 <= value < len(members) else None


def options_asked(game: Game, tests: list[Test]) -> list[str]:
    """The options of the game that the last of these parts asks by name."""
    named = [node.name for test in tests[-1:] for node in behind(test.node, game.ruleset.program) if isinstance(node, Setting)]
    return list(dict.fromkeys(named))
