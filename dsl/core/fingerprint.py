"""What a game's rules mean, in one number: a hash of the core and of the data that it reads.

First values of states are no part of it (they are of a position), nor are defs that only texts and tables ask. Places, clauses, layout,
comments and texts do not count, nor does how the rules are compiled: two games of one meaning play alike, and a save of one goes on in the
other. Names count, since options and events are spelt with them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import fields

from ..model.model import Enumeration, Model
from ..types.boards import Graph
from .nodes import Ask, Do, Local, Node
from .program import Program, State
from .walk import walk

SILENT = {"at", "named", "cites", "value_cites", "family"}     # of every node: where it stands, what it cites
INFERRED = {"type"}                                                # what the checker worked out


def meaning(program: Program) -> str:
    """The hash: 64 hexadecimal digits, the same on every machine."""
    digest = hashlib.sha256()
    for part in _Text(program).parts():
        digest.update(part.encode())
        digest.update(b"\n")
    return digest.hexdigest()


_FIELDS: dict[str, tuple[str, ...]] = {}                          # of each kind of node, those that count


def _fields(node: Node) -> tuple[str, ...]:
    kind = type(node).__name__
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(field.name for field in fields(node) if field.name not in SILENT and field.name not in INFERRED)
    return _FIELDS[kind]


def reached(program: Program) -> set[str]:
    """The families that a game asks and calls while it is played, from its beginning, its goals and its laws. What only texts and tables
    ask changes no game."""
    found = {"game"}
    waiting = [*program.families["game"].routines, *program.always, *program.goals.values()]
    while waiting:
        for node in walk(waiting.pop().parts):
            if isinstance(node, Ask | Do) and node.family not in found:
                found.add(node.family)
                waiting += program.families[node.family].routines
    return found


class _Text:
    """A program written out, each local by its name and by when it was first met."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.locals: dict[Local, int] = {}

    def parts(self) -> Iterator[str]:
        program = self.program
        yield from data(program.model)
        for state in program.states.values():
            yield self.state(state)
        played = reached(program)
        for family in program.families.values():
            if family.name not in played:
                continue
            yield f"{family.kind} {family.name} {family.domain}"
            for member, routine in sorted(family.entries.items()):
                yield f"{member} {self.text(routine)}"
            if family.default is not None:
                yield self.text(family.default)
        for routine in (*program.always, *program.goals.values()):
            yield self.text(routine)

    def state(self, state: State) -> str:
        return f"state {state.name} {state.axes} {state.type!r} {state.saturating} {state.seen} {state.keeper} {state.per}"

    def text(self, value: object) -> str:
        if isinstance(value, Local):
            number = self.locals.setdefault(value, len(self.locals))
            return f"{value.name}.{number}"
        if isinstance(value, Node):
            inner = " ".join(self.text(getattr(value, name)) for name in _fields(value))
            return f"({type(value).__name__} {inner})"
        if isinstance(value, tuple | list):
            return "[" + " ".join(self.text(item) for item in value) + "]"
        if isinstance(value, frozenset | set):
            return "{" + " ".join(sorted(self.text(item) for item in value)) + "}"
        if isinstance(value, dict):
            return "{" + " ".join(sorted(f"{self.text(key)}: {self.text(found)}" for key, found in value.items())) + "}"
        assert value is None or isinstance(value, str | int), value
        return repr(value)


def data(model: Model) -> Iterator[str]:
    """The data of one variant that rules can read."""
    write = _Text.text
    yield f"{model.players} {sorted(model.settings.items())!r}"
    yield f"{model.numbers!r}"
    for enum in model.enums.values():
        yield write(_NOBODY, _enum(enum))
    for board in model.boards.values():
        yield write(_NOBODY, [board.name, board.shape, board.cell_type, board.corner_type, board.cells, board.labels, board.directions,
                              board.open, board.flat, board.edges, board.named, *([board.paths] if isinstance(board, Graph) else []),
                              *(["slantwise"] if board.slantwise else [])])
    for table in model.tables.values():
        yield f"{table.name} {table.values} {table.first} {table.beyond}"
    for option in model.options.values():
        yield f"{option.name} {list(map(str, option.values))}"


def _enum(enum: Enumeration) -> list[object]:
    types = {name: repr(kind) for name, kind in enum.attributes.items()}
    return [enum.name, enum.members, enum.kind, types, enum.values, {f"{member}.{key}": value for (member, key), value in enum.own.items()},
            enum.decides, enum.back, enum.kinds]


_NOBODY = _Text(Program(Model("", "", 0, (0, 0), {})))
