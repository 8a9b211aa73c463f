"""What a game may ask and tell, read off its rules before anything is compiled: the keys of decisions and events, and the names that
their texts may use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..core.nodes import Block, Choose, Each, Gen, Halt, If, Let, Local, Repeat, Rounds, Tell
from ..core.program import Program, Routine
from ..core.walk import walk
from ..findings.diagnostics import Place
from ..values.types import Of, Type
from .facts import Effects


@dataclass(frozen=True)
class Asked:
    """A kind of decision. `entries` are the names of a menu's entries, each with its place; `names` what is in sight or chosen, with its
    type."""

    key: str
    entries: dict[str, Place]
    names: dict[str, Type]
    place: Place


@dataclass(frozen=True)
class Said:
    """A kind of event and its named values."""

    key: str
    slots: dict[str, Type]
    place: Place


def routine_key(program: Program, routine: Routine, member: int | None) -> str:
    """What a procedure is called in keys: `effect[joker]`, also where one entry stands for every other member."""
    if routine.case is not None and member is not None:
        assert isinstance(routine.case.type, Of)
        return f"{routine.name}[{program.model.enums[routine.case.type.name].members[member]}]"
    return routine.key


def decision_key(routine: str, label: str | None, name: str, several: bool) -> str:
    """The stable name of a decision: its procedure and what is chosen, or the label; both where it asks for one name after the other."""
    parts = [routine]
    if label is not None:
        parts.append(label)
    if label is None or several:
        parts.append(name)
    return ".".join(parts)


def procedures(program: Program) -> Iterator[tuple[Routine, int | None]]:
    """Every procedure with the members that it serves."""
    for family in program.families.values():
        if family.kind == "proc":
            members: list[int | None] = [None]
            if family.domain:
                members = list(range(len(program.model.enums[family.domain])))
            for member in members:
                routine = family.entry(member)
                if routine is not None:
                    yield routine, member


def asked(program: Program, effects: Effects) -> Iterator[Asked]:
    """All decisions that the rules name, whatever the options of the game rule out."""
    for routine, member in procedures(program):
        if effects.of[routine].asks:
            yield from _block(routine.body, routine_key(program, routine, member), {local.name: local.type for local in routine.params})


def said(program: Program) -> Iterator[Said]:
    """All events that the rules tell."""
    for routine, _ in procedures(program):
        for node in walk(routine.body):
            if isinstance(node, Tell):
                yield Said(node.event, {name: value.type for name, value in node.slots}, node.at.place)


def _block(block: Block, routine: str, around: dict[str, Type]) -> Iterator[Asked]:
    names = dict(around)                                           # what is made here is in sight until the end of the block
    for node in block:
        match node:
            case Let(local=local):
                names |= _types([local])
            case If(arms=arms, other=other):
                for body in (*(arm.body for arm in arms), other or ()):
                    yield from _block(body, routine, names)
            case Each(gens=gens, body=body):
                yield from _block(body, routine, names | _bound(gens))
            case Rounds(gen=gen, body=body):
                yield from _block(body, routine, names | _bound([gen] if gen is not None else []))
            case Repeat(body=body):
                yield from _block(body, routine, names)
            case Choose():
                yield from _choice(node, routine, names)
            case Halt():
                return


def _choice(node: Choose, routine: str, names: dict[str, Type]) -> Iterator[Asked]:
    """One choice; what it binds for the rest of its block is added to `names`."""
    if not node.chance and node.menu:
        entries = {way.name or "": way.at.place for way in node.ways}
        slots = {name: kind for way in node.ways for name, kind in _bound(way.gens).items()}
        yield Asked(decision_key(routine, node.label, "/".join(entries), False), entries, names | slots, node.at.place)
    elif not node.chance:
        groups = node.ways[0].groups
        before = dict(names) | (_types([node.result]) if node.result is not None else {})
        for group in groups:
            before |= _bound(group)
            yield Asked(decision_key(routine, node.label, group[0].local.name, len(groups) > 1), {}, dict(before), node.at.place)
    for way in node.ways:
        chosen = _types([node.result]) if node.result is not None else _bound(way.gens)
        if way.body is None:
            names |= chosen
        else:
            yield from _block(way.body, routine, names | chosen)
    if node.otherwise is not None:
        yield from _block(node.otherwise.body, routine, names)


def _types(locals_: list[Local]) -> dict[str, Type]:
    return {local.name: local.type for local in locals_}


def _bound(gens: list[Gen] | tuple[Gen, ...]) -> dict[str, Type]:
    return {local.name: local.type for gen in gens for local in gen.locals}
