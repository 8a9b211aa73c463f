"""The fingerprint of a game's rules: a hash of the core and of the data that it reads.

Two games with the same fingerprint play alike, so a save of one can be continued with the other.

The hash covers:
  - the core of every def and procedure that play can reach, plus invariants and goals
  - the data of one variant: numbers, types, boards, tables, options
  - names, because options and events are spelled with them

It ignores:
  - initial values of states, which belong to a position
  - defs that only texts and tables call
  - whether players of a loop answer in turn or at once, because the position afterwards is the same
  - source positions, cited clauses, layout, comments, texts, and the compiler"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import fields

from ..model.model import Enumeration, GameModel
from ..types.boards import GraphBoard
from ..types.types import Type
from .nodes import CallDef, CallProc, LocalVar, Node
from .program import Program, State
from .walk import walk

POSITION_FIELDS = {"at", "named", "cites", "value_cites", "family"}     # source positions and cited clauses
INFERRED_FIELDS = {"type"}                                                # results of type inference
ORDER_FIELDS = {"at_once"}                                                  # who may answer early: every order leads to the same position
UNCOUNTED_FIELDS = POSITION_FIELDS | INFERRED_FIELDS | ORDER_FIELDS
LATER_FIELDS = {"places", "listeners"}                            # count only if they are set: earlier saves do not have them


def rules_fingerprint(program: Program) -> str:
    """Returns the fingerprint: 64 hexadecimal digits, the same on every machine."""
    digest = hashlib.sha256()
    for part in _ProgramText(program).iter_parts():
        digest.update(part.encode())
        digest.update(b"\n")
    return digest.hexdigest()


# Fingerprints in saves contain these older names of node classes. A new node class needs no entry.
STABLE_NODE_TAGS = {
    "NamedConstant": "Number", "OptionValue": "Setting", "MemberConstant": "OwnNumber", "EmptyLiteral": "Nothing", "AllMembers":
    "Whole", "LocalRef": "Read", "StateRef": "Load", "OccupiedCells": "Occupied", "ElementAt": "Item", "TableLookup": "Lookup",
    "CallDef": "Ask", "PrimOp": "Prim", "CollectionLiteral": "Display", "CondExpr": "Cond", "AfterCall": "After", "GeneratorBinding":
    "Gen", "MoveAmount": "Amount", "EmitEvent": "Tell", "StopProc": "Halt", "CallProc": "Do", "IfBranch": "Arm", "ForEach": "Each",
    "RoundsLoop": "Rounds", "RepeatLoop": "Repeat", "SeatDecider": "Seat", "ChanceDecider": "Chance", "ChoiceCardinality": "How",
    "ChoiceAlternative": "Way", "OtherwiseBranch": "Otherwise", "ChooseStmt": "Choose", "IfChain": "If", "MoveStmt": "Move",
    "DrawStmt": "Draw",
}
_FIELDS_BY_KIND: dict[str, tuple[str, ...]] = {}                          # class name → field names


def _relevant_fields(node: Node) -> tuple[str, ...]:
    """Returns the names of the fields of a node that count for the fingerprint. Cached for each class."""
    kind = type(node).__name__
    if kind not in _FIELDS_BY_KIND:
        _FIELDS_BY_KIND[kind] = tuple(field.name for field in fields(node) if field.name not in UNCOUNTED_FIELDS)
    return _FIELDS_BY_KIND[kind]


def collect_reachable_families(program: Program) -> set[str]:
    """Returns the names of the families that play can reach, starting at `game`, the goals, and the invariants.

    Families that only texts and tables call cannot change how a game plays."""
    found = {"game"}
    waiting = [*program.families["game"].routines, *program.always, *program.goals.values()]
    while waiting:
        for node in walk(waiting.pop().parts):
            if isinstance(node, CallDef | CallProc) and node.family not in found:
                found.add(node.family)
                waiting += program.families[node.family].routines
    return found


def _stable_type_text(kind: Type) -> str:
    """The representation of a type with the class names that fingerprints in saves contain."""
    return repr(kind).replace("MemberOf(", "Of(").replace("OptionalOf(", "Maybe(").replace("EmptyType(", "Empty(")


class _ProgramText:
    """A program as canonical text. Each local is written as its name and the number of its first occurrence."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.locals: dict[LocalVar, int] = {}

    def iter_parts(self) -> Iterator[str]:
        """Yields the text of the whole program, piece by piece."""
        program = self.program
        yield from iter_model_data(program.model)
        for state in program.states.values():
            yield self.state_text(state)
        played = collect_reachable_families(program)
        for family in program.families.values():
            if family.name not in played:
                continue
            yield f"{family.kind} {family.name} {family.domain}"
            for member, routine in sorted(family.entries.items()):
                yield f"{member} {self.value_text(routine)}"
            if family.default is not None:
                yield self.value_text(family.default)
        for routine in (*program.always, *program.goals.values()):
            yield self.value_text(routine)
        if program.team_attribute is not None:
            yield f"teams {program.team_attribute}"

    def state_text(self, state: State) -> str:
        """Returns the canonical text of a state declaration, without its initial value."""
        seen = f"{'not ' if state.inverted else ''}{state.seen}"
        return f"state {state.name} {state.axes} {_stable_type_text(state.type)} {state.saturating} {seen} {state.keeper} {state.per}"

    def value_text(self, value: object) -> str:
        """Returns the canonical text of a node, a local, a collection, or a plain value. Sets and dicts are sorted."""
        if isinstance(value, LocalVar):
            number = self.locals.setdefault(value, len(self.locals))
            return f"{value.name}.{number}"
        if isinstance(value, Node):
            parts = ((name, getattr(value, name)) for name in _relevant_fields(value))
            inner = " ".join(self.value_text(part) for name, part in parts if part is not None or name not in LATER_FIELDS)
            kind = type(value).__name__
            return f"({STABLE_NODE_TAGS.get(kind, kind)} {inner})"
        if isinstance(value, tuple | list):
            return "[" + " ".join(self.value_text(item) for item in value) + "]"
        if isinstance(value, frozenset | set):
            return "{" + " ".join(sorted(self.value_text(item) for item in value)) + "}"
        if isinstance(value, dict):
            return "{" + " ".join(sorted(f"{self.value_text(key)}: {self.value_text(found)}" for key, found in value.items())) + "}"
        assert value is None or isinstance(value, str | int), value
        return repr(value)


def iter_model_data(model: GameModel) -> Iterator[str]:
    """Yields the data of one variant that rules can read."""
    write = _ProgramText.value_text
    yield f"{model.players} {sorted(model.settings.items())!r}"
    yield f"{model.numbers!r}"
    for enum in model.enums.values():
        yield write(_EMPTY_PROGRAM_TEXT, _enum_data(enum))
    for board in model.boards.values():
        yield write(
            _EMPTY_PROGRAM_TEXT,
            [
                board.name,
                board.shape,
                board.cell_type,
                board.part_types.get("corners"),
                board.cells,
                board.labels,
                board.directions,
                board.open,
                board.flat,
                board.borders,
                board.named,
                *([board.paths] if isinstance(board, GraphBoard) else []),
                *(["slantwise"] if board.slantwise else []),
                *([["edges", board.part_types["edges"]]] if "edges" in board.part_types else []),
            ],
        )
    for table in model.tables.values():
        yield f"{table.name} {table.values} {table.first} {table.beyond}"
    for option in model.options.values():
        yield f"{option.name} {list(map(str, option.values))}"


def _enum_data(enum: Enumeration) -> list[object]:
    """Returns the data of an enumeration that counts for the fingerprint."""
    types = {name: _stable_type_text(kind) for name, kind in enum.attributes.items()}
    return [enum.name, enum.members, enum.kind, types, enum.values, {f"{member}.{key}": value for (member, key), value in enum.own.items()},
            enum.decides, enum.back, enum.kinds]


_EMPTY_PROGRAM_TEXT = _ProgramText(Program(GameModel("", "", 0, (0, 0), {})))
