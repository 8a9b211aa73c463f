"""The table of a game: `table.yaml` in its directory, with panels from top to bottom, colours and shapes.

    colours: {Guest: {baron: red, cook: "#7a5230"}}
    panels:
      - board: map
        terrain: wood
        pieces: [guests]
      - table: Guest
        columns: [room, coins/debt]
    watch: [coins]
    status: [day]
    log: {major: [event.flood], minor: [event.rained]}

The entries of these keys are names of *table values*: a state, an attribute, or a def that texts and tables may use
(`open_defs`). A table value belongs to nothing, or to one thing. The format is schemas/table.json. This module reads it
and compares its names with the rules. Without the file, the table is drawn from the declarations of the game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..analysis.decision_points import find_decision_points
from ..analysis.decision_points import find_event_points as told_by
from ..diagnostics.diagnostic import DiagnosticList, SourceSpan, did_you_mean
from ..storage.layout import StateStorage
from ..types.board_parts import PART_SIGNS
from ..types.boards import Board
from ..types.types import BOOL, MemberOf, Type, domain_of
from ..yaml.located_yaml import LocatedYaml
from ..yaml.schema import load_schema, read_valid
from .variants import Variant

TABLE_FILE = "table.yaml"
JOINT_PATTERN = re.compile(r"\s*([/+])\s*")
MEMBER_PATTERN = re.compile(r"\[[^\]]*\]")
# suffixes of keys for texts about changed values
CHANGE_SUFFIXES = ("", ".less", ".more", ".none", ".not")


@dataclass(frozen=True)
class TableValue:
    """A value that a table can show. `domains` lists the things it belongs to: none, one, or a pair."""

    name: str
    type: Type
    domains: tuple[str, ...] = ()
    cell: StateStorage | None = None                                       # for a state
    function: Callable[..., Any] | None = None                               # for a def
    attribute: list[Any] | None = None                             # for an attribute: its values by member


def panel_kinds() -> list[str]:
    """Returns the kinds of panels."""
    return [one["required"][0] for one in load_schema("table")["$defs"]["panel"]["anyOf"]]


def panel_kind(panel: dict[str, Any]) -> str:
    """Returns the kind of a panel."""
    return next(kind for kind in panel_kinds() if kind in panel)


def split_names(text: str) -> list[str]:
    """Splits `coins/debt` into names and the signs between them, alternately."""
    return JOINT_PATTERN.split(text.strip())


def parse_log_name(text: str) -> tuple[str, str]:
    """Splits a name of `log:` into the key of a log line and a member that the line must be about, or ""."""
    head, bracket, member = text.removesuffix("]").rpartition("[")
    return (head, member) if bracket and text.endswith("]") else (text, "")


def key_spellings(key: str) -> set[str]:
    """Returns the names that stand for a key: with or without a member in it, and without a menu entry."""
    plain = MEMBER_PATTERN.sub("", key)
    return {key, plain, key.rpartition(".")[0], plain.rpartition(".")[0]}


def lookup_table_values(ruleset: Variant, name: str) -> list[TableValue]:
    """Returns all table values with this name, with their domains. The variant keeps them."""
    known: list[TableValue] | None = ruleset.table_values.get(name)
    if known is None:
        known = ruleset.table_values[name] = find_table_values(ruleset, name)
    return known


def find_table_values(ruleset: Variant, name: str) -> list[TableValue]:
    """Returns all table values with this name, with their domains."""
    found = []
    for state, cell in ruleset.layout.cells.items():
        if state.name == name:
            found.append(TableValue(name, state.type, tuple(_resolve_alias(ruleset, domain) for _, domain in state.axes), cell))
    routine, function = ruleset.public_defs.get(name, (None, None))
    if routine is not None:
        about = tuple(_resolve_alias(ruleset, p.type.name) if isinstance(p.type, MemberOf) else "" for p in routine.params)
        found.append(TableValue(name, routine.type or BOOL, about, function=function))
    for enum in ruleset.model.enums.values():
        if name in enum.attributes:
            found.append(TableValue(name, enum.attributes[name], (enum.name,), attribute=enum.values[name]))
    return found


def collect_value_names(ruleset: Variant) -> set[str]:
    """Returns the names of all table values."""
    return {state.name for state in ruleset.program.states.values()} | set(ruleset.public_defs) | {
        name for enum in ruleset.model.enums.values() for name in enum.attributes}


def _resolve_alias(ruleset: Variant, domain: str) -> str:
    """Returns the type that a name or alias stands for."""
    return ruleset.model.aliases.get(domain, domain)


def stars_of_board(panel: dict[str, Any], board: Board) -> list[str]:
    """Returns the cells with a dot, which a panel lists by the number of columns."""
    if board.open or not panel.get("stars"):
        return []
    columns = len({at[0] for at in board.cells})
    return next((list(map(str, cells)) for size, cells in panel["stars"].items() if str(size) == str(columns)), [])


def read_table_config(folder: Path, findings: DiagnosticList, display_path: str | None = None) -> LocatedYaml | None:
    """Reads the `table.yaml` of a game directory. Returns None if it is missing or invalid."""
    path = folder / TABLE_FILE
    if not path.is_file():
        return None
    return read_valid(path, "table", findings, f"{display_path or folder}/{TABLE_FILE}")


def check_table_config(document: LocatedYaml, ruleset: Variant, findings: DiagnosticList) -> set[str]:
    """Compares the names in a table with the rules. Returns the names of the values in it."""
    return TableConfigChecker(document, ruleset, findings).run()


class TableConfigChecker:
    """Checks one table.yaml against one ruleset. The method for a kind of panel has the name of that kind."""

    def __init__(self, document: LocatedYaml, ruleset: Variant, findings: DiagnosticList) -> None:
        self.document, self.ruleset, self.findings = document, ruleset, findings
        self.model = ruleset.model
        self.named: set[str] = set()

    def run(self) -> set[str]:
        """Checks the whole file. Returns the names of the values in it."""
        for section in ("colours", "shapes", "grounds"):
            for kind, given in (self.document.data.get(section) or {}).items():
                self.check_members(kind, given, (section, kind))
        for kind in self.document.data.get("faces") or {}:
            if (domain := self.find_type(kind, self.document.key_place("faces", kind))) is not None:
                known = self.model.enums[domain].attributes
                self.named |= set(self.document.data["faces"][kind])
                for n, name in enumerate(self.document.data["faces"][kind]):
                    if name not in known:
                        self.report_unknown("B002", self.document.place("faces", kind, n), known, name=name)
        kinds = [name for name, enum in self.model.enums.items() if enum.kind != "open"]
        about = [(), *((one,) for one in kinds), *((one, other) for one in kinds for other in kinds)]
        for n, one in enumerate(self.document.data.get("watch") or []):
            at = ("watch", n)
            list(self.iter_fitting_values(one["of"] if isinstance(one, dict) else one, self.document.place(*at), *about))
            self.check_questions(one if isinstance(one, dict) else {}, at)
        self.check_values(self.document.data, "status", (), ())
        self.check_log()
        for kind in self.document.data.get("inspect") or {}:
            if (domain := self.find_type(kind, self.document.key_place("inspect", kind))) is not None:
                pairs = ((other, domain) for other in self.model.enums)
                self.check_values(self.document.data["inspect"], kind, ("inspect",), (domain,), *pairs)
        for kind in self.document.data.get("inspect_as") or {}:
            if (domain := self.find_type(kind, self.document.key_place("inspect_as", kind))) is not None:
                self.check_values(self.document.data["inspect_as"], kind, ("inspect_as",), (domain,))
        for kind in self.document.data.get("potential") or {}:
            if (domain := self.find_type(kind, self.document.key_place("potential", kind))) is not None:
                self.check_values(self.document.data["potential"], kind, ("potential",), (domain,))
        for n, panel in enumerate(self.document.data["panels"]):
            getattr(self, panel_kind(panel))(panel, ("panels", n))
            self.check_questions(panel, ("panels", n))
        return self.named

    def check_questions(self, data: dict[str, Any], path: tuple[Any, ...]) -> None:
        """Checks `questions` and `summary`: the phases, procedures or decision keys at which something is shown."""
        asking = {name for name, family in self.ruleset.program.families.items() if family.kind != "def"}
        named = [(key, n, name) for key in ("questions", "summary") for n, name in enumerate(data.get(key) or [])]
        for key, n, name in named:
            if name.partition("[")[0] not in asking and name not in {
                    decision.key for decision in find_decision_points(self.ruleset.program, self.ruleset.facts)}:
                self.report_unknown("B005", self.document.place(*path, key, n), asking, name=name)

    def check_log(self) -> None:
        """Checks `log`: the log lines marked major or minor, and the members that they must be about."""
        program, given = self.ruleset.program, self.document.data.get("log") or {}
        if not given:
            return
        known = {f"became.{one['of'] if isinstance(one, dict) else one}": self.types_of_value(one["of"] if isinstance(one, dict) else one)
                 for one in self.document.data.get("watch") or []}
        known |= {"event.chance": []}
        known |= {f"event.{said.key}": list(said.slots.values()) for said in told_by(program, self.ruleset.facts.secrecy)}
        for decision in find_decision_points(program, self.ruleset.facts):
            for key in (decision.key, *(f"{decision.key}.{entry}" for entry in decision.entries)):
                known |= {f"did.{way}": list(decision.names.values()) for way in (key, MEMBER_PATTERN.sub("", key))}
        for section, names in given.items():
            for n, name in enumerate(names):
                place, (key, member) = self.document.place("log", section, n), parse_log_name(name)
                if key not in known:
                    self.report_unknown("B006", place, known, name=key)
                elif member and not any(member in self.list_member_names(kind) for kind in known[key]):
                    self.report_unknown(
                        "B007", place, {one for kind in known[key] for one in self.list_member_names(kind)}, name=member, line=key
                    )

    def types_of_value(self, name: str) -> list[Type]:
        """Returns the types that a value belongs to, and its own type."""
        return [kind for value in lookup_table_values(self.ruleset, name) for kind in (*map(MemberOf, value.domains), value.type)]

    def list_member_names(self, kind: Type) -> set[str]:
        """Returns the names of the members of a type, or of the elements in it."""
        enum = self.model.enum_of(domain_of(kind) or "")
        return set(enum.kinds or enum.members) if enum is not None and enum.kind != "open" else set()

    def report_unknown(self, code: str, place: SourceSpan, known: Any = (), **args: Any) -> None:
        """Reports an unknown name with a suggestion from `known`."""
        self.findings.add_with_suggestion(code, place, did_you_mean(args["name"], known), **args)

    def find_type(self, name: str, place: SourceSpan) -> str | None:
        """Returns the type with this name or alias, or None with a diagnostic."""
        if (found := self.model.enum_of(name)) is not None:
            return found.name
        self.report_unknown("B001", place, self.model.enums, name=name)
        return None

    def check_members(self, kind: str, data: dict[str, Any], path: tuple[Any, ...]) -> None:
        """Checks members under `colours` or `shapes`."""
        found = self.find_type(kind, self.document.key_place(*path))
        enum = self.model.enums[found] if found else None
        if enum is None:
            return
        known = {*(enum.kinds or enum.members), *self.ruleset.list_declared_members(enum)}
        for member in data:
            if str(member) not in known:
                self.report_unknown("B004", self.document.key_place(*path, member), known, name=str(member), type=enum.name)

    def iter_fitting_values(
        self, text: str, place: SourceSpan, *about: tuple[str, ...], holding: str | None = None, joined: bool = False
    ) -> Iterator[TableValue]:
        """Yields the values that `text` names, each with one of the domains `about`.

        Several values are only allowed if they may be `joined`. With `holding`, they must have this type."""
        names = split_names(text)[::2]
        if len(names) > 1 and not joined:
            self.findings.add("B008", place, found=text)
            return
        for name in names:
            self.named.add(name)
            found = lookup_table_values(self.ruleset, name)
            if not found:
                self.report_unknown("B002", place, collect_value_names(self.ruleset), name=name)
                continue
            fitting = [one for one in found if one.domains in about and (holding is None or domain_of(one.type) == holding)]
            if not fitting:
                self.findings.add(
                    "B003", place, name=name, about=_format_domains(found[0].domains), wanted=" / ".join(map(_format_domains, about))
                )
            yield from fitting[:1]

    def check_values(self, panel: dict[str, Any], key: str, path: tuple[Any, ...], *about: tuple[str, ...], joined: bool = False) -> None:
        """Checks all values under a key of a panel."""
        given = panel.get(key) or []
        for n, text in enumerate(given if isinstance(given, list) else [given]):
            list(
                self.iter_fitting_values(
                    text, self.document.place(*path, key, *([n] if isinstance(given, list) else [])), *about, joined=joined
                )
            )

    # ------------------------------------------------------------ panels

    def board(self, panel: dict[str, Any], path: tuple[Any, ...]) -> None:
        board = self.model.boards.get(panel["board"])
        if board is None:
            self.report_unknown("B001", self.document.place(*path, "board"), self.model.boards, name=panel["board"])
            return
        cell = (board.cell_type,)
        self.check_values(panel, "terrain", path, cell)
        self.check_values(panel, "pieces", path, cell, *((other, board.cell_type) for other in self.model.enums))
        self.check_values(panel, "markers", path, cell)
        self.check_values(panel, "owners", path, cell)
        self.check_values(panel, "beside", path, cell)
        for kind in PART_SIGNS:
            self.check_values(panel, kind, path, (board.part_types.get(kind, ""),))
        self.check_values(panel, "stores", path, ("Player",))
        for name in stars_of_board(panel, board):
            if name not in board.labels:
                self.report_unknown("B004", self.document.place(*path, "stars"), board.labels, name=name, type=board.cell_type)

    def track(self, panel: dict[str, Any], path: tuple[Any, ...]) -> None:
        self.check_values(panel, "track", path, (), *((name,) for name in self.model.enums))

    def cards(self, panel: dict[str, Any], path: tuple[Any, ...]) -> None:
        self.check_values(panel, "cards", path, (), *((name,) for name in self.model.enums))

    def hand(self, panel: dict[str, Any], path: tuple[Any, ...]) -> None:
        self.check_values(panel, "hand", path, ("Player",), *((name,) for name in self.model.enums))

    def counters(self, panel: dict[str, Any], path: tuple[Any, ...]) -> None:
        self.check_values(panel, "counters", path, (), *((name,) for name in self.model.enums))

    def dice(self, panel: dict[str, Any], path: tuple[Any, ...]) -> None:
        self.check_values(panel, "dice", path, ())

    def stacks(self, panel: dict[str, Any], path: tuple[Any, ...]) -> None:
        kind = self.find_type(panel["stacks"], self.document.place(*path, "stacks"))
        if kind is None:
            return
        self.check_values(panel, "pieces", path, (kind,), *((other, kind) for other in self.model.enums))
        self.check_values(panel, "off", path, ("Player",))
        for n, name in enumerate(panel.get("middle", [])):
            if name not in (members := self.model.enums[kind].members):
                self.report_unknown("B004", self.document.place(*path, "middle", n), members, name=name, type=kind)

    def groups(self, panel: dict[str, Any], path: tuple[Any, ...]) -> None:
        kind = self.find_type(panel["groups"], self.document.place(*path, "groups"))
        if kind is None:
            return
        self.check_values(panel, "pieces", path, (kind,), joined=True)
        self.check_values(panel, "told", path, (kind,), joined=True)
        for by in self.iter_fitting_values(panel["by"], self.document.place(*path, "by"), (kind,)):
            self.check_values(panel, "lying", path, (_resolve_alias(self.ruleset, domain_of(by.type) or ""),), joined=True)

    def regions(self, panel: dict[str, Any], path: tuple[Any, ...]) -> None:
        place = self.document.place(*path, "regions")
        kinds = [one.domains[0] for one in lookup_table_values(self.ruleset, panel["regions"])
                 if len(one.domains) == 1 and one.domains == (domain_of(one.type),) and not isinstance(one.type, MemberOf)]
        for value in self.iter_fitting_values(panel["regions"], place, *((kind,) for kind in self.model.enums)):
            if kinds:
                self.check_columns(panel, path, kinds[0])
            else:
                self.findings.add(
                    "B003", place, name=value.name, about=_format_domains(value.domains), wanted=_format_domains(value.domains) + " -> {…}"
                )

    def table(self, panel: dict[str, Any], path: tuple[Any, ...]) -> None:
        kind = self.find_type(panel["table"], self.document.place(*path, "table"))
        if kind is None:
            return
        if "rows" in panel:
            list(self.iter_fitting_values(panel["rows"], self.document.place(*path, "rows"), (), ("Player",), holding=kind))
        self.check_columns(panel, path, kind)

    def check_columns(self, panel: dict[str, Any], path: tuple[Any, ...], kind: str) -> None:
        """Checks the columns of a table whose rows are the members of a type."""
        for n, column in enumerate(panel["columns"]):
            at = (*path, "columns", n)
            if not isinstance(column, dict):
                if isinstance(column, str):                        # with a second type: a column for each member of it
                    list(
                        self.iter_fitting_values(
                            column, self.document.place(*at), (kind,), *((other, kind) for other in self.model.enums), joined=True
                        )
                    )
                    continue
                for m, text in enumerate(column):
                    list(self.iter_fitting_values(text, self.document.place(*at, m), (kind,), joined=True))
                continue
            for of in self.iter_fitting_values(column["of"], self.document.place(*at, "of"), (kind,), joined="told" not in column):
                self.check_values(column, "told", at, (_resolve_alias(self.ruleset, domain_of(of.type) or ""),), joined=True)


def _format_domains(about: tuple[str, ...]) -> str:
    return "[" + ", ".join(about) + "]"
