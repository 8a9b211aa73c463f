"""What a game may ask and tell, read off its rules before anything is compiled: the keys of decisions and events, and the names that
their texts may use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..core.nodes import Block, Choose, Each, Gen, Halt, If, Let, Local, Repeat, Rounds, Tell
from ..core.program import Program, Routine
from ..core.walk import walk
from ..diagnostics.diagnostic import Place
from ..types.types import Of, Type
from .results import Facts, Secrecy


@dataclass(frozen=True)
class Asked:
    """A kind of decision. `entries` are the names of a menu's entries, each with its place; `names` what is in sight or chosen, with its
    type; `closed` those of them that others may not hear of once it is decided."""

    key: str
    entries: dict[str, Place]
    names: dict[str, Type]
    place: Place
    closed: frozenset[str]


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


def asked(program: Program, facts: Facts) -> Iterator[Asked]:
    """All decisions that the rules name, whatever the options of the game rule out."""
    for routine, member in procedures(program):
        if facts.effects.of[routine].asks:
            yield from Asking(facts.secrecy, routine_key(program, routine, member)).block(routine.body, _bound(routine.params))


def said(program: Program) -> Iterator[Said]:
    """All events that the rules tell."""
    for routine, _ in procedures(program):
        for node in walk(routine.body):
            if isinstance(node, Tell):
                yield Said(node.event, {name: value.type for name, value in node.slots}, node.at.place)


class Asking:
    """Walks a procedure for its decisions. Names that are in sight come with their locals."""

    def __init__(self, secrecy: Secrecy, routine: str) -> None:
        self.secrecy, self.routine = secrecy, routine

    def block(self, block: Block, around: dict[str, Local]) -> Iterator[Asked]:
        names = dict(around)                                       # what is made here is in sight until the end of the block
        for node in block:
            match node:
                case Let(local=local):
                    names |= _bound([local])
                case If(arms=arms, other=other):
                    for body in (*(arm.body for arm in arms), other or ()):
                        yield from self.block(body, names)
                case Each(gens=gens, body=body):
                    yield from self.block(body, names | _of(gens))
                case Rounds(gen=gen, body=body):
                    yield from self.block(body, names | _of([gen] if gen is not None else []))
                case Repeat(body=body):
                    yield from self.block(body, names)
                case Choose():
                    yield from self.choice(node, names)
                case Halt():
                    return

    def choice(self, node: Choose, names: dict[str, Local]) -> Iterator[Asked]:
        """One choice. What it binds for the rest of its block is added to `names`."""
        if not node.chance and node.menu:
            entries = {way.name or "": way.at.place for way in node.ways}
            slots = {name: local for way in node.ways for name, local in _of(way.gens).items()}
            yield self.asked(node, "/".join(entries), entries, names | slots, False)
        elif not node.chance:
            groups = node.ways[0].groups
            before = dict(names) | (_bound([node.result]) if node.result is not None else {})
            for group in groups:
                before |= _of(group)
                yield self.asked(node, group[0].local.name, {}, before, len(groups) > 1)
        for way in node.ways:
            chosen = _bound([node.result]) if node.result is not None else _of(way.gens)
            if way.body is None:
                names |= chosen
            else:
                yield from self.block(way.body, names | chosen)
        if node.otherwise is not None:
            yield from self.block(node.otherwise.body, names)

    def asked(self, node: Choose, name: str, entries: dict[str, Place], names: dict[str, Local], several: bool) -> Asked:
        audience = self.secrecy.audiences.get(node)
        told = audience.told if audience is not None else ()
        closed = frozenset(name for name, local in names.items() if self.secrecy.of(local) and local not in told)
        types = {name: local.type for name, local in names.items()}
        return Asked(decision_key(self.routine, node.label, name, several), entries, types, node.at.place, closed)


def _bound(locals_: Iterable[Local]) -> dict[str, Local]:
    return {local.name: local for local in locals_}


def _of(gens: Iterable[Gen]) -> dict[str, Local]:
    return _bound(local for gen in gens for local in gen.locals)
