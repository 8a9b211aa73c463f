"""The usual notation of a game: `notation.yaml` in its directory, which defines the spelling of moves, positions and
games.

    spelling: {Fruit: {apple: A, pear: P}}
    moves:
      game.tree:
        fields: {x: {when: "nest[tree] != none", text: x}}
        ways: ["{x}{tree}", "{root}{x}{tree}"]
    position:
      tag: Grove
      texts: ["{trees} {turn}"]
      fields: {trees: {rows: nest}, turn: {one: [{text: a, when: player == ann, given: {order: [ann, bob]}}]}}

Expressions use the rule language. They can use the names that are visible at the decision or chosen by it. The format
is schemas/notation.json. This module reads it, compares its names with the rules, and compiles its expressions
(adhoc_expressions.py)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..analysis.decision_points import find_decision_points
from ..diagnostics.diagnostic import DiagnosticList, did_you_mean
from ..model.codec import DecodeProblem
from ..storage.layout import StateStorage
from ..storage.state_literals import StateLiteralReader
from ..types.types import BOOL, Int, MemberOf, OptionalOf, Type
from ..yaml.located_yaml import LocatedYaml
from ..yaml.schema import read_valid
from .adhoc_expressions import CompiledExpression, ExpressionCompiler, ParsedExpression
from .variants import Variant

NOTATION_FILE = "notation.yaml"
DECIMAL_PATTERN = re.compile(r"[+-]?[0-9]{1,9}(\.[0-9]{0,9})?")
SPACE_AFTER_COMMA = re.compile(r"\s*,\s*")
FIELD_PATTERN = re.compile(r"\{(\w+)(?:\.(column|row))?\}")
BEFORE, NUMBER, RESULT = "before", "number", "result"              # predefined fields
PLAYER_SCOPE = {"player": MemberOf("Player")}

# index of an expression in a notation
ExpressionIndex = int


@dataclass(frozen=True)
class SpelledValue:
    """A computed value with the texts of its values. If `texts` is None, the value is spelled as usual."""

    ask: ExpressionIndex
    texts: Mapping[str, str] | None


@dataclass(frozen=True)
class SpellingCase:
    """A text that is written if a condition holds."""

    when: ExpressionIndex
    text: str


@dataclass(frozen=True)
class MoveSpelling:
    """The spelling of the answers to one decision."""

    fields: Mapping[str, SpelledValue | SpellingCase]
    instead: tuple[SpellingCase, ...]
    ways: tuple[str, ...]
    also: tuple[str, ...] = ()                                     # accepted when reading, never written

    @property
    def continues_move(self) -> bool:
        """Whether it is a part of the move that was written before."""
        return any(found[1] == BEFORE for way in self.ways for found in FIELD_PATTERN.finditer(way))


@dataclass(frozen=True)
class VariantStatement:
    """A property of a game file that states how the game is played, such as its rules or its board size.

    `texts` lists the accepted texts for each value of an expression or an option. Without either, all texts belong to one
    value. `missing` is the text assumed if a file lacks the property. `number` is the number of the game that the
    expression reads, if it is nothing else."""

    texts: Mapping[str, tuple[str, ...]]
    ask: ExpressionIndex | None = None
    option: str | None = None
    missing: str | None = None
    number: str | None = None

    def find_value(self, value_text: str) -> str | None:
        """Returns the value that a text stands for, or None."""
        return next((value for value, texts in self.texts.items() if any(is_same_text(value_text, text) for text in texts)), None)


def is_same_text(value: str, text: str) -> bool:
    """Whether a text from a file matches a pattern, ignoring case. Equal decimals match: 7.5 and 7.50.

    A pattern that ends with `*` matches the beginning of a text."""
    value, text = SPACE_AFTER_COMMA.sub(",", " ".join(value.split())).casefold(), text.casefold()
    if DECIMAL_PATTERN.fullmatch(text):
        value = value.replace("½", ".5").replace(",", ".")
    if text.endswith("*"):
        return value.startswith(text[:-1])
    return value == text or all(DECIMAL_PATTERN.fullmatch(one) for one in (value, text)) and float(value) == float(text)


@dataclass(frozen=True)
class PositionSign:
    """A sign in the text of a position.

    It is written if the condition `when` holds. When it is read, `entries` lists the state entries that it sets."""

    text: str
    when: ExpressionIndex
    entries: Mapping[str, Any]


@dataclass(frozen=True)
class PositionField:
    """A field of the text of a position. `kind` is rows, places, value, one or each."""

    kind: str
    state: str = ""
    of: tuple[str, ...] = ()
    none: str | None = None
    signs: tuple[PositionSign, ...] = ()


@dataclass(frozen=True)
class PositionFormat:
    """The format of a position in one line. The first of `texts` is used for writing, all of them for reading."""

    tag: str
    beside: Mapping[str, str]
    texts: tuple[str, ...]
    clear: tuple[str, ...]
    parts: Mapping[str, PositionField]
    operations: Mapping[str, str] | None = None                    # operation code after the position -> field


@dataclass
class Notation:
    """The notation of a game. `questions` are its expressions after they were compiled."""

    files: tuple[str, ...]
    tags: dict[str, str | SpelledValue] = field(default_factory=dict)
    first: str | None = None
    wins: dict[str, str] = field(default_factory=dict)
    draw: str = "1/2-1/2"
    open: str = "*"
    spelling: dict[str, Mapping[str, str] | ExpressionIndex] = field(default_factory=dict)
    reads: dict[str, str] = field(default_factory=dict)
    moves: dict[str, MoveSpelling] = field(default_factory=dict)
    marks: tuple[SpellingCase, ...] = ()
    position: PositionFormat | None = None
    nodes: dict[str, str] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)             # in a game tree, decision before the first turn by property
    refuses: tuple[str, ...] = ()
    to_play: str | None = None                                       # in a game tree, the property for the player to move
    separators: tuple[str, ...] = ()
    chain: str = ""                                                  # the sign between the moves of a chain
    statements: dict[str, VariantStatement] = field(default_factory=dict)
    questions: list[CompiledExpression] = field(default_factory=list)

    @property
    def optional_signs(self) -> str:
        """The signs inside a move that other programs add or leave out, letters in both cases."""
        return "".join(sorted({form for sign in self.separators for form in (sign, sign.upper())}))

    @property
    def result_texts(self) -> set[str]:
        """The texts that can end a game."""
        return {*self.wins.values(), self.draw, self.open}


def read_notation(folder: Path, findings: DiagnosticList, display_path: str | None = None) -> LocatedYaml | None:
    """Reads the `notation.yaml` of a game directory. Returns None if it is missing or invalid."""
    path = folder / NOTATION_FILE
    return read_valid(path, "notation", findings, f"{display_path or folder}/{NOTATION_FILE}") if path.is_file() else None


def check_notation(document: LocatedYaml, ruleset: Variant, findings: DiagnosticList) -> None:
    """Compares the names in a notation with the rules."""
    _NotationReader(document, ruleset, findings).read()


def make_notation(document: LocatedYaml, ruleset: Variant, findings: DiagnosticList) -> Notation | None:
    """Returns the notation of a game with compiled expressions, or None, with diagnostics, if it has errors."""
    reader = _NotationReader(document, ruleset, findings)
    notation = reader.read()
    if findings.errors:
        return None
    notation.questions = reader.questions.compile_all(reader.legible)
    return notation


class _NotationReader:
    """Reads one notation.yaml for one ruleset."""

    def __init__(self, document: LocatedYaml, ruleset: Variant, findings: DiagnosticList) -> None:
        self.document, self.ruleset, self.findings = document, ruleset, findings
        self.data: dict[str, Any] = document.data
        self.model = ruleset.model
        self.cells = {state.name: cell for state, cell in ruleset.layout.cells.items()}
        self.questions = ExpressionCompiler(ruleset)
        self.legible: list[ParsedExpression] = []

    def read(self) -> Notation:
        """Returns the whole notation. Errors go to the diagnostics."""
        data = self.data
        results = data.get("results") or {}
        found = Notation(tuple(data.get("files") or ()), first=data.get("first"), reads=dict(data.get("reads") or {}))
        found.wins = {str(who): text for who, text in (results.get("wins") or {}).items()}
        trees = data.get("nodes") or {}
        found.nodes = {str(who): name for who, name in (trees.get("moves") or {}).items()}
        found.places = dict(trees.get("places") or {})
        found.refuses, found.to_play = tuple(trees.get("refuses") or ()), trees.get("to_play")
        found.separators = tuple(data.get("separators") or ())
        found.chain = data.get("chain") or ""
        for name, given in (data.get("statements") or {}).items():
            found.statements[name] = self.read_statement(given, ("statements", name))
        found.draw, found.open = results.get("draw", found.draw), results.get("open", found.open)
        players = self.model.enums["Player"].members
        for path, names in ((("first",), [found.first] if found.first else []), (("results", "wins"), list(found.wins)),
                            (("nodes", "moves"), list(found.nodes))):
            for name in names:
                if name not in players:
                    self.report_unknown_member(name, "Player", players, *path, *([name] if path[0] != "first" else []))
        for kind, given in (data.get("spelling") or {}).items():
            found.spelling[str(kind)] = self.read_spelling(str(kind), given)
        for tag, given in (data.get("tags") or {}).items():
            if isinstance(given, dict):
                found.tags[tag] = self.read_value(given, ("tags", tag), {})
            else:
                found.tags[tag] = self.check_fields(given, {*players, RESULT}, "tags", tag)
        decisions = {key: decision.names for decision in find_decision_points(self.ruleset.program, self.ruleset.facts)
                     for key in (decision.key, *(f"{decision.key}.{entry}" for entry in decision.entries))}
        for name, key in found.places.items():
            if key not in decisions:
                self.findings.add_with_suggestion(
                    "N001", self.document.place("nodes", "places", name), did_you_mean(key, decisions), name=key)
        for key, move in data["moves"].items():
            if key not in decisions:
                self.findings.add_with_suggestion("N001", self.document.key_place("moves", key), did_you_mean(key, decisions), name=key)
                continue
            found.moves[key] = self.read_move(move, ("moves", key), decisions[key])
        found.marks = tuple(self.read_case(one, ("marks", n), PLAYER_SCOPE) for n, one in enumerate(data.get("marks") or []))
        if "position" in data:
            found.position = self.read_position_format(data["position"])
        return found

    # ------------------------------------------------------------ expressions and texts

    def add_expression(self, text: str, path: tuple[Any, ...], names: Mapping[str, Type], condition: bool = False) -> ExpressionIndex:
        """Parses an expression that can use these names. Returns its index, or -1 if it has errors."""
        own = DiagnosticList()
        found = self.questions.parse_expression(" ".join(str(text).split()), own, names)
        place = self.document.place(*path)
        for item in own.items:
            self.findings.add_diagnostic(replace(item, place=place))
        if found is None:
            return -1
        if condition and found.type != BOOL:
            self.findings.add("R201", place, found=found.type, wanted=BOOL)
        self.legible.append(found)
        return len(self.legible) - 1

    def check_fields(self, text: str, known: Iterable[str], *path: Any) -> str:
        """Returns a text after checking that its fields have known names."""
        names = set(known)
        for found in FIELD_PATTERN.finditer(text):
            if found[1] not in names:
                self.findings.add_with_suggestion("N002", self.document.place(*path), did_you_mean(found[1], names), name=found[1])
        return text

    def read_value(self, data: dict[str, Any], path: tuple[Any, ...], names: Mapping[str, Type]) -> SpelledValue:
        return SpelledValue(self.add_expression(data["is"], (*path, "is"), names), data.get("as"))

    def read_case(self, data: dict[str, Any], path: tuple[Any, ...], names: Mapping[str, Type]) -> SpellingCase:
        when = self.add_expression(data["when"], (*path, "when"), names, condition=True)
        return SpellingCase(when, self.check_fields(data["text"], names, *path, "text"))

    def read_move(self, data: dict[str, Any], path: tuple[Any, ...], names: Mapping[str, Type]) -> MoveSpelling:
        fields: dict[str, SpelledValue | SpellingCase] = {}
        for name, one in (data.get("fields") or {}).items():
            make = self.read_value if "is" in one else self.read_case
            fields[name] = make(one, (*path, "fields", name), names)
        self.report_reserved(fields, {BEFORE}, *path, "fields")
        instead = tuple(self.read_case(one, (*path, "instead", n), names) for n, one in enumerate(data.get("instead") or []))
        known = {*names, *fields, BEFORE}
        ways, also = (
            tuple(self.check_fields(way, known, *path, key, n) for n, way in enumerate(data.get(key) or [])) for key in ("ways", "also")
        )
        return MoveSpelling(fields, instead, ways, also)

    def read_statement(self, data: dict[str, Any], path: tuple[Any, ...]) -> VariantStatement:
        """Reads one entry of `statements`."""
        if "of" in data:
            return VariantStatement({"": tuple(data["of"])}, missing=data.get("missing"))
        texts = {str(value): tuple(found) for value, found in data["as"].items()}
        if "is" in data:
            number = data["is"] if data["is"] in self.ruleset.source.data["numbers"] else None
            return VariantStatement(
                texts, self.add_expression(data["is"], (*path, "is"), {}), missing=data.get("missing"), number=number
            )
        options = self.ruleset.source.data["options"]
        if data["option"] not in options:
            self.report_unknown_state(data["option"], *path, "option", known=options)
        else:
            values = [str(value) for value in options[data["option"]]["values"]]
            for value in texts:
                if value not in values:
                    self.report_unknown_state(value, *path, "as", value, known=values)
        return VariantStatement(texts, option=data["option"], missing=data.get("missing"))

    def report_reserved(self, names: Iterable[str], reserved: Iterable[str], *path: Any) -> None:
        """Reports fields with a reserved name."""
        for name in reserved:
            if name in names:
                self.findings.add("N006", self.document.key_place(*path, name), name=name)

    def read_spelling(self, kind: str, data: str | dict[str, str]) -> Mapping[str, str] | ExpressionIndex:
        """Reads the spelling of the members of a type: texts by member, or one expression."""
        enum = self.model.enum_of(kind)
        if enum is None:
            self.findings.add_with_suggestion(
                "N005", self.document.key_place("spelling", kind), did_you_mean(kind, self.model.enums), name=kind
            )
            return {}
        if isinstance(data, str):
            return self.add_expression(data, ("spelling", kind), {"it": MemberOf(enum.name)})
        for member in data:
            if str(member) not in enum.members:
                self.report_unknown_member(str(member), enum.name, enum.members, "spelling", kind, member)
        return {str(member): text for member, text in data.items()}

    def report_unknown_member(self, name: str, kind: str, known: Iterable[str], *path: Any) -> None:
        place = self.document.key_place(*path) if path[0] != "first" else self.document.place(*path)
        self.findings.add_with_suggestion("N004", place, did_you_mean(name, known), name=name, type=kind)

    # ------------------------------------------------------------ positions

    def read_position_format(self, data: dict[str, Any]) -> PositionFormat:
        parts = {name: self.read_field(one, ("position", "fields", name)) for name, one in data["fields"].items()}
        self.report_reserved(parts, {NUMBER}, "position", "fields")
        texts = tuple(self.check_fields(text, {*parts, NUMBER}, "position", "texts", n) for n, text in enumerate(data["texts"]))
        clear = tuple(name for n, name in enumerate(data.get("clear") or []) if self.find_state(name, "position", "clear", n) is not None)
        operations = data.get("operations")
        for code, name in (operations or {}).items():
            self.check_fields("{" + name + "}", {*(name for name, part in parts.items() if part.kind == "value"), NUMBER},
                      "position", "operations", code)
        return PositionFormat(data["tag"], data.get("beside") or {}, texts, clear, parts, operations)

    def read_field(self, data: dict[str, Any], path: tuple[Any, ...]) -> PositionField:
        kind = next(key for key in ("rows", "places", "value", "one", "each") if key in data)
        none = data.get("none")
        if kind in ("one", "each"):
            return PositionField(kind, none=none, signs=tuple(self.read_sign(one, (*path, kind, n)) for n, one in enumerate(data[kind])))
        cell = self.find_state(data[kind], *path, kind)
        if cell is not None and not self.is_fitting_state(kind, cell):
            self.report_unknown_state(data[kind], *path, kind)
        of = tuple(data.get("of") or ())
        if cell is not None and (known := state_member_names(cell, self.model.enums)):
            for n, member in enumerate(of):
                if member not in known:
                    self.report_unknown_member(member, str(cell.state.type), known, *path, "of", n)
        return PositionField(kind, data[kind], of, none)

    def is_fitting_state(self, kind: str, cell: StateStorage) -> bool:
        """Whether a state can be written as a field of this kind.

        `value` needs a number or member without axes. `rows` and `places` need at most one thing on each cell of a board, and
        `rows` needs a square board."""
        inner = cell.state.type.of if isinstance(cell.state.type, OptionalOf) else cell.state.type
        if kind == "value":
            return not cell.enums and isinstance(inner, Int | MemberOf)
        boards = [board for board in self.model.boards.values() if len(cell.enums) == 1 and board.cell_type == cell.enums[0].name]
        return isinstance(inner, MemberOf) and any(not board.open and (kind == "places" or board.shape == "square") for board in boards)

    def read_sign(self, data: dict[str, Any], path: tuple[Any, ...]) -> PositionSign:
        def report_problem(complaint: DecodeProblem) -> None:
            self.report_unknown_state(".".join(map(str, complaint.path)), *path, "given", *complaint.path)
        StateLiteralReader(self.cells, self.ruleset.layout.codecs, report_problem).read_literals(data["given"])
        when = self.add_expression(data["when"], (*path, "when"), PLAYER_SCOPE, condition=True)
        return PositionSign(data["text"], when, data["given"])

    def find_state(self, name: str, *path: Any) -> StateStorage | None:
        """Returns the storage of a state by name. Reports an unknown name."""
        if name not in self.cells:
            self.report_unknown_state(name, *path)
        return self.cells.get(name)

    def report_unknown_state(self, name: str, *path: Any, known: Iterable[str] | None = None) -> None:
        self.findings.add_with_suggestion(
            "N003", self.document.place(*path), did_you_mean(name, self.cells if known is None else known), name=name
        )


def state_member_names(cell: StateStorage, enums: Mapping[str, Any]) -> list[str]:
    """Returns the names of the members that a state can hold, or an empty list."""
    inner = cell.state.type.of if isinstance(cell.state.type, OptionalOf) else cell.state.type
    return list(enums[inner.name].members) if isinstance(inner, MemberOf) and inner.name in enums else []


__all__ = [
    "BEFORE",
    "FIELD_PATTERN",
    "NOTATION_FILE",
    "NUMBER",
    "RESULT",
    "ExpressionIndex",
    "SpellingCase",
    "SpelledValue",
    "PositionFormat",
    "MoveSpelling",
    "Notation",
    "PositionField",
    "PositionSign",
    "VariantStatement",
    "check_notation",
    "make_notation",
    "read_notation",
]
