"""Builds the model of a game from its raw data, for one number of players and one setting of options."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cached_property
from typing import Any

from ..diagnostics.diagnostic import DiagnosticList, did_you_mean
from ..packs.source import TEXT_KEYS, GameSource
from ..types.board_parts import PART_SIGNS
from ..types.boards import MAX_NAMED_COORDINATE, make_board, parse_span
from ..types.size_limits import MAX_MEMBERS
from ..types.types import BOOL, BROKEN, INT, BagOf, ListOf, MemberOf, OptionalOf, SetOf, Type
from .codec import DecodeProblem, OnDecodeProblem, describe_type, format_inline
from .codec_table import CodecTable
from .computed_values import ComputedValues, find_computation
from .model import Enumeration, GameModel, GameOption, NumberTable
from .option_players import check_option_players, option_player_range

MAX_COPIES = 1000
MAX_BOARD_SIDE = 60                                                      # columns or rows
MAX_CELLS = 3600
OPTIONAL_PLAYER = OptionalOf(MemberOf("Player"))
TYPE_PATTERN = re.compile(r"\s*(?:(set|list|bag) of )?\s*(int|bool|[A-Z][A-Za-z0-9]*)(\?)?\s*")


def make_model(source: GameSource, players: int | None, settings: dict[str, Any], findings: DiagnosticList) -> GameModel | None:
    """Builds the model for a number of players (None: the fewest) and settings (missing ones: their defaults).

    Returns None, with diagnostics, if the data has errors."""
    low, high = source.player_range
    players = players or low
    data = source.data
    model = GameModel(data["game"], source.shown, players, (low, high), {}, title=data["name"], clauses=data.get("clauses", ""),
                  rule_files=list(data["rules"]))
    before = len(findings.errors)
    for name, raw in data["options"].items():
        model.options[name] = GameOption(name, raw["values"], raw["default"], raw.get("text", ""))
        model.settings[name] = settings.get(name, raw["default"])
        model.places[name] = source.place("options", name)
        if raw["default"] not in raw["values"]:
            meant = did_you_mean(format_inline(raw["default"]), map(format_inline, raw["values"]))
            findings.add_with_suggestion("G002", source.place("options", name, "default"), meant, found=format_inline(raw["default"]))
        span = option_player_range(raw, model.settings[name])
        if check_option_players(source, name, findings) and span is not None and not span[0] <= players <= span[1]:
            findings.add("G026", source.place("options", name, "only"), name=name, value=str(model.settings[name]).lower(), found=players,
                         wanted=str(span[0]) if span[0] == span[1] else f"{span[0]}–{span[1]}")
    reader = ModelBuilder(source, model, findings)
    with suppress(SizeLimitError):
        reader.build()
    return model if len(findings.errors) == before else None


class SizeLimitError(Exception):
    """Raised if a game declares too many members, cells and pieces."""


class ModelBuilder:
    """Fills a model from raw data: first the names of all domains, then the values that use them."""

    def __init__(self, source: GameSource, model: GameModel, findings: DiagnosticList) -> None:
        self.source, self.model, self.findings = source, model, findings
        self.things = 0                                            # members, places, and pieces so far
        self.codecs, self.complain = CodecTable(model), problem_reporter(source, findings)
        self.derived = ComputedValues(source.data, model.players, self.resolve, self.report_not_computable)
        self.raw = self.resolve(source.data, ())

    def resolve(self, value: Any, path: tuple[Any, ...]) -> Any:
        """Replaces each `{by: players, 2: ..., 3: ...}` and each computed number by its value in this variant."""
        if isinstance(value, dict):
            by = value.get("by")
            if isinstance(by, str) and len(value) > 1 and _may_vary(path):
                if by != "players" and by not in self.model.settings:
                    meant = did_you_mean(by, ["players", *self.model.settings])
                    self.findings.add_with_suggestion("G027", self.source.place(*path, "by"), meant, name=by)
                    return 0
                actual = self.model.players if by == "players" else self.model.settings.get(by)
                if not self.check_by_values(by, value, path):
                    return 0
                for key, found in value.items():
                    if key != "by" and str(key).lower() == str(actual).lower():
                        return self.resolve(found, path)
                if "else" in value:
                    return self.resolve(value["else"], path)
                self.findings.add("G003", self.source.place(*path), by=by, actual=format_inline(actual))
                return 0
            word = find_computation(value)
            if word is not None and _may_vary(path) and path[0] != "start":
                return self.derived.compute(word, value[word], path)
            return {key: self.resolve(found, (*path, key)) for key, found in value.items()}
        if isinstance(value, list):
            return [self.resolve(found, (*path, n)) for n, found in enumerate(value)]
        return value

    def check_by_values(self, by: str, value: dict[Any, Any], path: tuple[Any, ...]) -> bool:
        """Whether all keys next to `by` are values of the option, or numbers of players. Reports the others."""
        if by == "players":
            low, high = self.model.player_range
            known = [*map(str, range(low, high + 1)), "else"]
            wrong = [key for key in value if key not in ("by", "else") and not str(key).isdecimal()]
        else:
            known = [format_inline(one) for one in self.model.options[by].values]
            wrong = [key for key in value if key not in ("by", "else") and format_inline(key) not in known]
        for key in wrong:
            said = format_inline(key)
            self.findings.add_with_suggestion("Y013", self.source.key_place(*path, key), did_you_mean(said, known), found=f'"{said}"',
                               wanted=", ".join(known))
        return not wrong

    def report_not_computable(self, path: tuple[Any, ...], word: str, name: str, suggestion: str | None) -> None:
        """Reports a number that cannot be computed."""
        self.findings.add_with_suggestion("G028", self.source.place(*path, word), suggestion, name=name, word=word)

    def build(self) -> None:
        """Fills the model with all sections of the data."""
        raw, model = self.raw, self.model
        for name, value in raw["numbers"].items():
            model.places[name] = self.source.place("numbers", name)
            model.numbers[name] = self.encode(value, INT, ("numbers", name))
        self.add_text("game.name", self.source.data["name"], ("name",))
        if "text" in self.source.data:
            self.add_text("game.text", self.source.data["text"], ("text",))
        for name, board in raw["boards"].items():
            self.add_board(name, board)
        for name, option in model.options.items():
            for word in TEXT_KEYS:
                if word in raw["options"][name]:
                    self.add_text(f"variant.{name}.{word}", raw["options"][name][word], ("options", name, word))
            if any(not isinstance(value, bool) for value in option.values):
                values = [str(value) for value in option.values]
                camel = "".join(part.capitalize() for part in name.split("_")) + "Option"
                self.add_enumeration(Enumeration(camel, values, "option"), ("options", name))
        for name, enum in raw["enums"].items():
            members = enum if isinstance(enum, list) else list(enum["members"])
            if name == "Player":
                members = self.limit_to_players(members)
            kind = "player" if name == "Player" else "enum"
            self.add_enumeration(
                Enumeration(name, members, kind, decides=None if isinstance(enum, list) else enum.get("decides")), ("enums", name)
            )
        if "Player" not in model.enums:
            self.add_enumeration(Enumeration("Player", [f"player_{n}" for n in range(1, model.players + 1)], "player"), ("players",))
        for name, pieces in raw["pieces"].items():
            self.add_pieces(name, pieces)
        for name, enum in raw["enums"].items():
            if isinstance(enum, dict):
                self.add_attributes(name, enum, enum["members"], ("enums", name))
        for name, table in raw["tables"].items():
            self.add_table(name, table)
        model.start = dict(raw["start"])
        for name in raw["start"]:
            model.places[f"start.{name}"] = self.source.place("start", name)

    def limit_to_players(self, members: list[str]) -> list[str]:
        """Returns the members of `Player` that take part in this variant."""
        if len(members) < self.model.players:
            self.findings.add("G004", self.source.place("enums", "Player"), found=len(members), wanted=self.model.players)
        return members[: self.model.players]

    def reserve(self, count: int, path: tuple[Any, ...]) -> None:
        """Counts declared members, cells and pieces. Reports an excess and raises SizeLimitError."""
        self.things += count
        if self.things > MAX_MEMBERS:
            self.findings.add("G030", self.source.place(*path), found=self.things, limit=MAX_MEMBERS)
            raise SizeLimitError

    def add_enumeration(self, enum: Enumeration, path: tuple[Any, ...]) -> None:
        """Adds an enumeration. Reports duplicate names."""
        if enum.kind != "pieces":
            self.reserve(len(enum.members), path)
        seen: set[str] = set()
        for n, member in enumerate(enum.members):
            if member in seen:
                self.findings.add("G018", self.source.place(*path, n), name=member, domain=enum.name)
            seen.add(member)
        if enum.name in self.model.enums:
            self.findings.add("G005", self.source.place(*path), name=enum.name, also=(self.model.places[enum.name],))
            return
        self.model.enums[enum.name] = enum
        self.model.places[enum.name] = self.source.place(*path)

    def add_board(self, name: str, raw: dict[str, Any]) -> None:
        """Adds a board with the enumerations of its cells, corners, edges, and directions."""
        path = ("boards", name)
        for section in ("cells", *PART_SIGNS):
            if raw.get(section) in ("Player", "Direction"):
                self.findings.add("G019", self.source.place(*path, section), name=raw[section])
                return
        if raw["shape"] == "graph" and self.has_unknown_points(name, raw):
            return
        if raw.get("open"):
            self.check_open_board_names(raw.get("names", {}), (*path, "names"))
        try:
            board = self.source.boards.get((name, repr(raw)))
            if board is None and _has_valid_size(raw):
                board = self.source.boards[name, repr(raw)] = make_board(name, raw)
        except (AttributeError, KeyError, ValueError, TypeError):
            board = None
        if board is None or not board.open and not 0 < len(board.cells) <= MAX_CELLS:
            self.findings.add("G006", self.source.place(*path), name=name)
            return
        self.model.boards[name] = board
        self.add_enumeration(Enumeration(board.cell_type, board.labels, "open" if board.open else "cells", board=board), path)
        for kind, part_type in board.part_types.items():
            self.add_enumeration(Enumeration(part_type, board.parts_of_kind(kind).labels, kind, board=board), path)
        if "Direction" not in self.model.enums and board.directions:
            self.add_enumeration(Enumeration("Direction", list(board.directions), "direction", board=board), path)

    def check_open_board_names(self, names: Any, path: tuple[Any, ...]) -> None:
        """Reports named cells of an open board that are beyond the coordinate limit."""
        for name, at in names.items() if isinstance(names, dict) else ():
            if isinstance(at, list) and any(isinstance(part, int) and abs(part) > MAX_NAMED_COORDINATE for part in at):
                self.findings.add("G031", self.source.place(*path, name), name=name, limit=MAX_NAMED_COORDINATE)

    def has_unknown_points(self, name: str, raw: dict[str, Any]) -> bool:
        """Whether lines of a graph name unknown points. Reports each."""
        points, lines = raw.get("points", {}), raw.get("lines")
        wrong = [(n, k, point) for n, line in enumerate(lines) if isinstance(line, list) for k, point in enumerate(line)
                 if isinstance(point, str) and point not in points] if isinstance(lines, list) else []
        for n, k, point in wrong:
            place = self.source.place("boards", name, "lines", n, k)
            self.findings.add_with_suggestion("G029", place, did_you_mean(point, points), name=point, board=name)
        return bool(wrong)

    def add_pieces(self, name: str, raw: Any) -> None:
        """Adds a type of pieces, or an alias for one."""
        if isinstance(raw, str):
            if name in self.model.enums:
                self.findings.add("G005", self.source.place("pieces", name), name=name, also=(self.model.places[name],))
                return
            self.model.aliases[name] = raw
            if raw not in self.raw["pieces"]:
                self.findings.add("G007", self.source.place("pieces", name), name=raw)
            return
        members: list[str] = []
        kinds: list[str] = []
        values: dict[str, dict[str, Any]] = {}
        for kind, group in raw["copies"].items():
            n = group["n"]
            if not isinstance(n, int) or isinstance(n, bool) or not 0 <= n <= MAX_COPIES:
                self.findings.add("G008", self.source.place("pieces", name, "copies", kind, "n"), found=n, limit=MAX_COPIES)
                continue
            self.reserve(n, ("pieces", name, "copies", kind))
            for copy in range(1, n + 1):
                members.append(f"{kind}_{copy}" if n > 1 else kind)
                kinds.append(kind)
                values[members[-1]] = {key: value for key, value in group.items() if key != "n"}
        enum = Enumeration(name, members, "pieces", kinds=kinds, decides=raw.get("decides"), numbered=raw.get("numbered"))
        self.add_enumeration(enum, ("pieces", name))
        self.add_attributes(name, raw, values, ("pieces", name))

    def add_attributes(self, name: str, raw: dict[str, Any], members: dict[str, Any], path: tuple[Any, ...]) -> None:
        """Adds the attributes, own numbers and texts of the members of a type."""
        enum = self.model.enums.get(name)
        if enum is None:
            return
        if raw.get("name"):
            self.add_text(f"{name}.name", raw["name"], (*path, "name"))
        for attribute, written in raw.get("attributes", {}).items():
            found = self.parse_type(written, (*path, "attributes", attribute))
            enum.attributes[attribute] = found
            enum.values[attribute] = []
        enum.back = raw.get("back")
        if enum.back is not None and enum.back not in enum.attributes:
            meant = did_you_mean(enum.back, enum.attributes)
            self.findings.add_with_suggestion("G025", self.source.place(*path, "back"), meant, name=enum.back, domain=name)
            enum.back = None
        defaults = raw.get("defaults", {})
        for key in defaults:
            if key not in enum.attributes:
                self.findings.add_with_suggestion(
                    "G010", self.source.key_place(*path, "defaults", key), did_you_mean(str(key), enum.attributes), name=key
                )
        for member in enum.members:
            given = members.get(member) or {}
            where = (*path, "members", member)
            for word in TEXT_KEYS:
                if word in given and enum.kind != "pieces":
                    self.add_text(f"{name}.{member}.{word}", given[word], (*where, word))
            for attribute, wanted in enum.attributes.items():
                if attribute in given:
                    value = self.encode_attribute(given[attribute], wanted, (*where, attribute))
                elif attribute in defaults:
                    value = self.encode_attribute(defaults[attribute], wanted, (*path, "defaults", attribute))
                else:
                    others = [str(key) for key in given if key not in TEXT_KEYS and key not in enum.attributes]
                    misspelt = did_you_mean(attribute, others)
                    at = self.source.key_place(*where, misspelt) if misspelt else self.source.place(*where)
                    self.findings.add_with_suggestion("G009", at, attribute if misspelt else None, member=member, attribute=attribute)
                    given = {key: value for key, value in given.items() if key != misspelt}
                    value = 0
                enum.values[attribute].append(value)
            for key, value in given.items():
                if key in TEXT_KEYS or key in enum.attributes:
                    continue
                if isinstance(value, int) and not isinstance(value, bool) and isinstance(key, str):
                    enum.own[member, key] = value
                elif ("house", *where, key) in self.source.places:   # a pack overrides a number
                    self.encode(value, INT, (*where, key))
                else:
                    meant = did_you_mean(str(key), [*enum.attributes, *TEXT_KEYS])
                    hint = "did_you_mean" if meant else "comma_cuts" if self.is_cut_off(given, where, key) else None
                    self.findings.add("G010", self.source.key_place(*where, key), hint=hint, name=key, meant=meant or "")
        if enum.kind == "pieces":
            for kind, group in raw["copies"].items():
                for word in TEXT_KEYS:
                    if word in group:
                        self.add_text(f"{name}.{kind}.{word}", group[word], (*path, "copies", kind, word))

    def is_cut_off(self, member: dict[str, Any], where: tuple[Any, ...], key: Any) -> bool:
        """Whether a key was probably part of the unquoted text before it: inside braces, a comma ends a text."""
        before = dict(zip([*member][1:], member)).get(key, "")
        text, place, cut = member.get(before), self.source.place(*where, before), self.source.key_place(*where, key)
        return before in TEXT_KEYS and isinstance(text, str) and place.line == cut.line and place.end - place.column == len(text)

    def add_table(self, name: str, raw: dict[str, Any]) -> None:
        """Adds a table of numbers."""
        values = raw["values"]
        if not isinstance(values, list) or not all(isinstance(v, int) and not isinstance(v, bool) for v in values) or not values:
            self.findings.add("G011", self.source.place("tables", name, "values"), name=name)
            return
        first, beyond = self.encode(raw.get("from", 1), INT, ("tables", name, "from")), raw.get("beyond", "zero")
        if beyond not in ("last", "zero"):                         # packs can set values without schema validation
            self.findings.add("G014", self.source.place("tables", name, "beyond"), found=beyond, wanted=describe_type("last / zero"))
        self.model.tables[name] = NumberTable(name, values, first, beyond)
        self.model.places[name] = self.source.place("tables", name)

    def add_text(self, key: str, english: Any, path: tuple[Any, ...]) -> None:
        """Adds a text in English."""
        self.model.texts[key] = (str(english), self.source.place(*path))

    # ------------------------------------------------------------ types and values

    def parse_type(self, written: str, path: tuple[Any, ...]) -> Type:
        """Parses a type as written in YAML: `bag of Element`, `Space?`, `list of int`, `bool`."""
        found = TYPE_PATTERN.fullmatch(written)
        if not found or found[1] == "bag" and (found[2] in ("int", "bool") or found[3]) or found[1] == "set" and found[3]:
            self.findings.add_with_suggestion("G012", self.source.place(*path), self.suggest_type(written), found=written)
            return BROKEN
        group, base, optional = found.groups()
        inner: Type
        if base == "int":
            inner = INT
        elif base == "bool":
            inner = BOOL
        elif self.model.enum_of(base):
            inner = MemberOf(self.model.aliases.get(base, base))
        else:
            known = [*self.model.enums, *self.raw["enums"]]
            if base in self.raw["enums"]:
                inner = MemberOf(base)
            else:
                self.findings.add_with_suggestion("G013", self.source.place(*path), did_you_mean(base, known), name=base)
                return BROKEN
        if optional:
            inner = OptionalOf(inner)
        if group == "bag" and isinstance(inner, MemberOf):
            return BagOf(inner)
        return {"set": SetOf, "list": ListOf}[group](inner) if group in ("set", "list") else inner

    def suggest_type(self, written: str) -> str | None:
        """Returns the type that was probably intended by a misspelt one, or None."""
        known = ["set", "list", "bag", "of", "int", "bool", *self.model.enums, *self.raw["enums"]]
        meant = re.sub(r"\w+", lambda word: word[0] if word[0] in known else did_you_mean(word[0], known) or word[0], written)
        return meant if meant != written and TYPE_PATTERN.fullmatch(meant) else None

    @cached_property
    def absent_players(self) -> set[str]:
        """The players that the game has, but not with this number of players."""
        declared = self.source.data["enums"].get("Player") or {}
        members = declared if isinstance(declared, list) else declared.get("members") or ()
        return set(map(str, members)) - set(self.model.enums["Player"].members)

    def encode_attribute(self, value: Any, wanted: Type, path: tuple[Any, ...]) -> Any:
        """Returns the value of an attribute as a raw value. In `Player?`, an absent player becomes none."""
        is_absent = wanted == OPTIONAL_PLAYER and value in self.absent_players
        return self.encode(None if is_absent else value, wanted, path)

    def encode(self, value: Any, wanted: Type, path: tuple[Any, ...]) -> Any:
        """Returns a YAML value as a raw value."""
        return self.codecs.codec_for(wanted).read(value, path, self.complain)


def problem_reporter(source: GameSource, findings: DiagnosticList) -> OnDecodeProblem:
    """Returns a callback that turns problems of codecs into diagnostics at their places."""
    codes = {"value": "G014", "member": "G015", "state": "G023", "index": "G024"}

    def report_problem(complaint: DecodeProblem) -> None:
        place = source.key_place(*complaint.path) if complaint.of_key else source.place(*complaint.path)
        findings.add(codes[complaint.kind], place, hint=complaint.hint, **complaint.args)

    return report_problem


def _may_vary(path: tuple[Any, ...]) -> bool:
    """Whether this place may depend on the number of players or an option. Values may, declarations may not."""
    depth = {"numbers": 2, "start": 2, "tables": 3, "boards": 3, "enums": 4, "pieces": 4}.get(path[0] if path else "", 1000)
    if len(path) > 2 and path[2] in ("members", "copies"):
        depth = 5
    return len(path) >= depth and path[2:3] != ("attributes",)


def _has_valid_size(raw: dict[str, Any]) -> bool:
    """Whether the measures of a board are small enough to build it."""
    columns, sides = raw.get("columns", 1), [raw.get("rows", 1), raw.get("radius", 1)]
    if not isinstance(columns, dict):
        sides.append(columns)
    elif len(columns) > MAX_BOARD_SIDE or not all(
        -MAX_BOARD_SIDE <= end <= MAX_BOARD_SIDE for span in columns.values() for end in parse_span(span)
    ):
        return False
    return all(isinstance(side, int) and not isinstance(side, bool) and 1 <= side <= MAX_BOARD_SIDE for side in sides)
