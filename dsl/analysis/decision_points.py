"""What a game may ask and tell, read off its rules before anything is compiled: the keys of decisions and events, and the names that
their texts may use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..core.nodes import Block, ChooseStmt, EmitEvent, ForEach, GeneratorBinding, IfChain, Let, LocalVar, RepeatLoop, RoundsLoop, StopProc
from ..core.program import Program, Routine
from ..core.walk import walk
from ..diagnostics.diagnostic import SourceSpan
from ..types.types import MemberOf, Type
from .results import AnalysisResults, SecrecyTable


@dataclass(frozen=True)
class DecisionPoint:
    """A kind of decision. `entries` are the names of a menu's entries, each with its place; `names` what is in sight or chosen, with its
    type; `closed` those of them that others may not hear of once it is decided."""

    key: str
    entries: dict[str, SourceSpan]
    names: dict[str, Type]
    place: SourceSpan
    closed: frozenset[str]


@dataclass(frozen=True)
class EventPoint:
    """A kind of event and its named values."""

    key: str
    slots: dict[str, Type]
    place: SourceSpan


def routine_key(program: Program, routine: Routine, member: int | None) -> str:
    """What a procedure is called in keys: `effect[joker]`, also where one entry stands for every other member."""
    if routine.case is not None and member is not None:
        assert isinstance(routine.case.type, MemberOf)
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


def iter_procedures(program: Program) -> Iterator[tuple[Routine, int | None]]:
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


def find_decision_points(program: Program, facts: AnalysisResults) -> Iterator[DecisionPoint]:
    """All decisions that the rules name, whatever the options of the game rule out."""
    for routine, member in iter_procedures(program):
        if facts.effects.of[routine].asks:
            yield from DecisionPointWalk(facts.secrecy, routine_key(program, routine, member)).walk_block(
                routine.body, _locals_by_name(routine.params)
            )


def find_event_points(program: Program) -> Iterator[EventPoint]:
    """All events that the rules tell."""
    for routine, _ in iter_procedures(program):
        for node in walk(routine.body):
            if isinstance(node, EmitEvent):
                yield EventPoint(node.event, {name: value.type for name, value in node.slots}, node.at.place)


class DecisionPointWalk:
    """Walks a procedure for its decisions. Names that are in sight come with their locals."""

    def __init__(self, secrecy: SecrecyTable, routine: str) -> None:
        self.secrecy, self.routine = secrecy, routine

    def walk_block(self, block: Block, around: dict[str, LocalVar]) -> Iterator[DecisionPoint]:
        names = dict(around)                                       # what is made here is in sight until the end of the block
        for node in block:
            match node:
                case Let(local=local):
                    names |= _locals_by_name([local])
                case IfChain(arms=arms, other=other):
                    for body in (*(arm.body for arm in arms), other or ()):
                        yield from self.walk_block(body, names)
                case ForEach(gens=gens, body=body):
                    yield from self.walk_block(body, names | _generator_locals(gens))
                case RoundsLoop(gen=gen, body=body):
                    yield from self.walk_block(body, names | _generator_locals([gen] if gen is not None else []))
                case RepeatLoop(body=body):
                    yield from self.walk_block(body, names)
                case ChooseStmt():
                    yield from self.walk_choice(node, names)
                case StopProc():
                    return

    def walk_choice(self, node: ChooseStmt, names: dict[str, LocalVar]) -> Iterator[DecisionPoint]:
        """One choice. What it binds for the rest of its block is added to `names`."""
        if not node.is_chance and node.is_menu:
            entries = {way.name or "": way.at.place for way in node.ways}
            slots = {name: local for way in node.ways for name, local in _generator_locals(way.gens).items()}
            yield self.build_decision_point(node, "/".join(entries), entries, names | slots, False)
        elif not node.is_chance:
            groups = node.ways[0].groups
            before = dict(names) | (_locals_by_name([node.result]) if node.result is not None else {})
            for group in groups:
                before |= _generator_locals(group)
                yield self.build_decision_point(node, group[0].local.name, {}, before, len(groups) > 1)
        for way in node.ways:
            chosen = _locals_by_name([node.result]) if node.result is not None else _generator_locals(way.gens)
            if way.body is None:
                names |= chosen
            else:
                yield from self.walk_block(way.body, names | chosen)
        if node.otherwise is not None:
            yield from self.walk_block(node.otherwise.body, names)

    def build_decision_point(
        self, node: ChooseStmt, name: str, entries: dict[str, SourceSpan], names: dict[str, LocalVar], several: bool
    ) -> DecisionPoint:
        audience = self.secrecy.audiences.get(node)
        told = audience.told if audience is not None else ()
        closed = frozenset(name for name, local in names.items() if self.secrecy.secrets_of(local) and local not in told)
        types = {name: local.type for name, local in names.items()}
        return DecisionPoint(decision_key(self.routine, node.label, name, several), entries, types, node.at.place, closed)


def _locals_by_name(locals_: Iterable[LocalVar]) -> dict[str, LocalVar]:
    return {local.name: local for local in locals_}


def _generator_locals(gens: Iterable[GeneratorBinding]) -> dict[str, LocalVar]:
    return _locals_by_name(local for gen in gens for local in gen.locals)
