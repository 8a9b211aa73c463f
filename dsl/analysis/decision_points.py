"""Decisions and events that a game may produce, found in the core before anything is compiled: their keys, and
the names that their texts may use."""

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
    """A kind of decision.

    `entries` are the menu entries with their locations. `names` are the names in scope or chosen, with their
    types. `closed` are those names that stay hidden from other seats after the decision. `can_end`: the seat may decline,
    or choose no more."""

    key: str
    entries: dict[str, SourceSpan]
    names: dict[str, Type]
    place: SourceSpan
    closed: frozenset[str]
    can_end: bool


@dataclass(frozen=True)
class EventPoint:
    """A kind of event and its named values. With None as `closed`, everybody hears all of them, otherwise these only
    the players that the rule names."""

    key: str
    slots: dict[str, Type]
    place: SourceSpan
    closed: frozenset[str] | None = None


def routine_key(program: Program, routine: Routine, member: int | None) -> str:
    """Returns the name of a procedure in keys, such as `effect[joker]`. A default entry gets the name of the
    member it serves."""
    if routine.case is not None and member is not None:
        assert isinstance(routine.case.type, MemberOf)
        return f"{routine.name}[{program.model.enums[routine.case.type.name].members[member]}]"
    return routine.key


def decision_key(routine: str, label: str | None, name: str, repeated: bool) -> str:
    """Returns the stable key of a decision: the procedure, then the label or the chosen name. It contains both if
    the choice asks for several names in turn."""
    parts = [routine]
    if label is not None:
        parts.append(label)
    if label is None or repeated:
        parts.append(name)
    return ".".join(parts)


def iter_procedures_by_member(program: Program) -> Iterator[tuple[Routine, int | None]]:
    """Yields every procedure with each member that it serves."""
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
    """Yields all decisions in the rules, even those that the game's options rule out."""
    for routine, member in iter_procedures_by_member(program):
        if facts.effects.of[routine].asks:
            yield from DecisionPointWalk(facts.secrecy, routine_key(program, routine, member)).walk_block(
                routine.body, _locals_by_name(routine.params)
            )


def find_event_points(program: Program, secrecy: SecrecyTable) -> Iterator[EventPoint]:
    """Yields all events that the rules emit."""
    for routine, _ in iter_procedures_by_member(program):
        for node in walk(routine.body):
            if isinstance(node, EmitEvent):
                closed = secrecy.closed_slots[node] if node.listeners is not None else None
                yield EventPoint(node.event, {name: value.type for name, value in node.slots}, node.at.place, closed)


class DecisionPointWalk:
    """Walks a procedure and yields its decisions. Names in scope are passed along with their locals."""

    def __init__(self, secrecy: SecrecyTable, routine: str) -> None:
        self.secrecy, self.routine = secrecy, routine

    def walk_block(self, block: Block, around: dict[str, LocalVar]) -> Iterator[DecisionPoint]:
        names = dict(around)                                       # names bound here stay in scope until the end of the block
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
        """Yields the decisions of one choice. Names that it binds for the rest of its block are added to `names`."""
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
        self, node: ChooseStmt, name: str, entries: dict[str, SourceSpan], names: dict[str, LocalVar], repeated: bool
    ) -> DecisionPoint:
        audience = self.secrecy.audiences.get(node)
        told = audience.revealed if audience is not None else ()
        closed = frozenset(name for name, local in names.items() if self.secrecy.secrets_of(local) and local not in told)
        types = {name: local.type for name, local in names.items()}
        key, can_end = decision_key(self.routine, node.label, name, repeated), node.may or node.how is not None
        return DecisionPoint(key, entries, types, node.at.place, closed, can_end)


def _locals_by_name(locals_: Iterable[LocalVar]) -> dict[str, LocalVar]:
    return {local.name: local for local in locals_}


def _generator_locals(gens: Iterable[GeneratorBinding]) -> dict[str, LocalVar]:
    return _locals_by_name(local for gen in gens for local in gen.locals)
