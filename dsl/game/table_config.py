"""How a game's table is drawn: `table.yaml` beside a game, its panels from top to bottom, colours and shapes of things.

    colours: {Guest: {baron: red, cook: "#7a5230"}}
    panels:
      - board: map
        ground: wood
        here: [guests]
      - table: Guest
        columns: [room, coins/debt]
    worth: [coins]
    line: [day]
    news: {great: [event.flood], slight: [event.rained]}

What stands after the words of the format is a *value*: a state, a def that words and tables may ask (`open_defs`) or an attribute, by
its name, about nothing or about one thing. The format is schemas/table.json; this module reads it and compares its names with the rules.
A game without the file is drawn from its declarations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..analysis.decision_points import asked
from ..analysis.decision_points import said as told_by
from ..diagnostics.diagnostic import Findings, Place, did_you_mean
from ..storage.layout import Cell
from ..types.types import BOOL, Of, Type, domain_of
from ..yaml.located_yaml import Document
from ..yaml.schema import read_valid, schema
from .variants import Variant

FILE = "table.yaml"
JOINTS = re.compile(r"\s*([/+])\s*")
MEMBER = re.compile(r"\[[^\]]*\]")
OTHERWISE = ("", ".less", ".more", ".none", ".not")                        # what ends the keys of the texts about a value that is otherwise


@dataclass(frozen=True)
class Value:
    """Something that a table may show: of nothing, of a thing of `domain`, or of a thing and then another one (`domains`)."""

    name: str
    type: Type
    domains: tuple[str, ...] = ()
    cell: Cell | None = None                                       # of a state
    function: Callable[..., Any] | None = None                               # of a def
    attribute: list[Any] | None = None                             # of an attribute: its values by member


def kinds() -> list[str]:
    """The kinds of panels."""
    return [one["required"][0] for one in schema("table")["$defs"]["panel"]["anyOf"]]


def kind_of(panel: dict[str, Any]) -> str:
    """Which of them a panel is."""
    return next(kind for kind in kinds() if kind in panel)


def parts(text: str) -> list[str]:
    """The names in `coins/debt` and the signs between them, alternately."""
    return JOINTS.split(text.strip())


def news_name(text: str) -> tuple[str, str]:
    """What a name of `news:` means: the key of a line, and the thing that it must be about, or ""."""
    head, bracket, member = text.removesuffix("]").rpartition("[")
    return (head, member) if bracket and text.endswith("]") else (text, "")


def ways_to_write(key: str) -> set[str]:
    """The names that mean the line of a key: with and without a member in it, and without the entry of a menu."""
    plain = MEMBER.sub("", key)
    return {key, plain, key.rpartition(".")[0], plain.rpartition(".")[0]}


def values_named(ruleset: Variant, name: str) -> list[Value]:
    """Every value of this name, with what it is about."""
    found = []
    for state, cell in ruleset.layout.cells.items():
        if state.name == name:
            found.append(Value(name, state.type, tuple(_real(ruleset, domain) for _, domain in state.axes), cell))
    routine, function = ruleset.shown.get(name, (None, None))
    if routine is not None:
        about = tuple(_real(ruleset, p.type.name) if isinstance(p.type, Of) else "" for p in routine.params)
        found.append(Value(name, routine.type or BOOL, about, function=function))
    for enum in ruleset.model.enums.values():
        if name in enum.attributes:
            found.append(Value(name, enum.attributes[name], (enum.name,), attribute=enum.values[name]))
    return found


def all_values(ruleset: Variant) -> set[str]:
    """The names of all values."""
    return {state.name for state in ruleset.program.states.values()} | set(ruleset.shown) | {
        name for enum in ruleset.model.enums.values() for name in enum.attributes}


def _real(ruleset: Variant, domain: str) -> str:
    return ruleset.model.aliases.get(domain, domain)


def read_panels(folder: Path, findings: Findings, shown: str | None = None) -> Document | None:
    """The `table.yaml` of a game folder as written; None when it has none, or none that can be used."""
    path = folder / FILE
    if not path.is_file():
        return None
    return read_valid(path, "table", findings, f"{shown or folder}/{FILE}")


def check_panels(document: Document, ruleset: Variant, findings: Findings) -> set[str]:
    """Compare what a table names with what the rules have; returns the names of the values in it."""
    return Checker(document, ruleset, findings).run()


class Checker:
    """One table.yaml against one ruleset."""

    def __init__(self, document: Document, ruleset: Variant, findings: Findings) -> None:
        self.document, self.ruleset, self.findings = document, ruleset, findings
        self.model = ruleset.model
        self.named: set[str] = set()

    def run(self) -> set[str]:
        for section in ("colours", "shapes"):
            for kind, given in (self.document.data.get(section) or {}).items():
                self.members(kind, given, (section, kind))
        kinds = [name for name, enum in self.model.enums.items() if enum.kind != "open"]
        about = [(), *((one,) for one in kinds), *((one, other) for one in kinds for other in kinds)]
        for n, one in enumerate(self.document.data.get("worth") or []):
            at = ("worth", n)
            list(self.value(one["of"] if isinstance(one, dict) else one, self.document.place(*at), *about))
            self.questions(one if isinstance(one, dict) else {}, at)
        self.all(self.document.data, "line", (), ())
        self.news()
        for kind in self.document.data.get("look") or {}:
            if (domain := self.type(kind, self.document.key_place("look", kind))) is not None:
                self.all(self.document.data["look"], kind, ("look",), (domain,), *((other, domain) for other in self.model.enums))
        for kind in self.document.data.get("outlook") or {}:
            if (domain := self.type(kind, self.document.key_place("outlook", kind))) is not None:
                self.all(self.document.data["outlook"], kind, ("outlook",), (domain,))
        for n, panel in enumerate(self.document.data["panels"]):
            getattr(self, kind_of(panel))(panel, ("panels", n))
            self.questions(panel, ("panels", n))
        return self.named

    def questions(self, given: dict[str, Any], path: tuple[Any, ...]) -> None:
        """The phases and procedures at whose questions something is shown or told, or one of these questions by its key."""
        asking = {name for name, family in self.ruleset.program.families.items() if family.kind != "def"}
        for n, name in enumerate(given.get("questions") or []):
            if name.partition("[")[0] not in asking and name not in {
                    decision.key for decision in asked(self.ruleset.program, self.ruleset.facts)}:
                self.report("B005", self.document.place(*path, "questions", n), asking, name=name)

    def news(self) -> None:
        """The lines of the story that are called great or slight, and the things that they must be about."""
        program, given = self.ruleset.program, self.document.data.get("news") or {}
        if not given:
            return
        known = {f"became.{one['of'] if isinstance(one, dict) else one}": self.named_types(one["of"] if isinstance(one, dict) else one)
                 for one in self.document.data.get("worth") or []}
        known |= {"event.chance": []} | {f"event.{said.key}": list(said.slots.values()) for said in told_by(program)}
        for decision in asked(program, self.ruleset.facts):
            for key in (decision.key, *(f"{decision.key}.{entry}" for entry in decision.entries)):
                known |= {f"did.{way}": list(decision.names.values()) for way in (key, MEMBER.sub("", key))}
        for section, names in given.items():
            for n, name in enumerate(names):
                place, (key, member) = self.document.place("news", section, n), news_name(name)
                if key not in known:
                    self.report("B006", place, known, name=key)
                elif member and not any(member in self.members_of(kind) for kind in known[key]):
                    self.report("B007", place, {one for kind in known[key] for one in self.members_of(kind)}, name=member, line=key)

    def named_types(self, name: str) -> list[Type]:
        """The types of what a value is about, and of what it holds."""
        return [kind for value in values_named(self.ruleset, name) for kind in (*map(Of, value.domains), value.type)]

    def members_of(self, kind: Type) -> set[str]:
        """What things of a type are called, or things in it."""
        enum = self.model.enum_of(domain_of(kind) or "")
        return set(enum.kinds or enum.members) if enum is not None and enum.kind != "open" else set()

    def report(self, code: str, place: Place, known: Any = (), **args: Any) -> None:
        self.findings.slip(code, place, did_you_mean(args["name"], known), **args)

    def type(self, name: str, place: Place) -> str | None:
        """The type called `name`."""
        if (found := self.model.enum_of(name)) is not None:
            return found.name
        self.report("B001", place, self.model.enums, name=name)
        return None

    def members(self, kind: str, given: dict[str, Any], path: tuple[Any, ...]) -> None:
        found = self.type(kind, self.document.key_place(*path))
        enum = self.model.enums[found] if found else None
        if enum is None:
            return
        known = set(enum.kinds or enum.members)
        if enum.kind == "player":                                  # there are only as many as play, and a table shows all that may
            source = self.ruleset.source
            declared = source.data["enums"].get(enum.name)
            known |= {f"player_{n}" for n in range(1, source.player_range[1] + 1)} if declared is None else set(
                map(str, declared if isinstance(declared, list) else declared["members"]))
        for member in given:
            if str(member) not in known:
                self.report("B004", self.document.key_place(*path, member), known, name=str(member), type=enum.name)

    def value(self, text: str, place: Place, *about: tuple[str, ...], holding: str | None = None, joined: bool = False) -> Iterator[Value]:
        """The values that `text` names, each about one of `about`; several only where they may be `joined`."""
        names = parts(text)[::2]
        if len(names) > 1 and not joined:
            self.findings.add("B008", place, found=text)
            return
        for name in names:
            self.named.add(name)
            found = values_named(self.ruleset, name)
            if not found:
                self.report("B002", place, all_values(self.ruleset), name=name)
                continue
            fitting = [one for one in found if one.domains in about and (holding is None or domain_of(one.type) == holding)]
            if not fitting:
                self.findings.add("B003", place, name=name, about=_told(found[0].domains), wanted=" / ".join(map(_told, about)))
            yield from fitting[:1]

    def all(self, panel: dict[str, Any], key: str, path: tuple[Any, ...], *about: tuple[str, ...], joined: bool = False) -> None:
        given = panel.get(key) or []
        for n, text in enumerate(given if isinstance(given, list) else [given]):
            list(self.value(text, self.document.place(*path, key, *([n] if isinstance(given, list) else [])), *about, joined=joined))

    # ------------------------------------------------------------ panels

    def board(self, panel: dict[str, Any], path: tuple[Any, ...]) -> None:
        board = self.model.boards.get(panel["board"])
        if board is None:
            self.report("B001", self.document.place(*path, "board"), self.model.boards, name=panel["board"])
            return
        cell = (board.cell_type,)
        self.all(panel, "ground", path, cell)
        self.all(panel, "here", path, cell, *((other, board.cell_type) for other in self.model.enums))
        self.all(panel, "marks", path, cell)
        self.all(panel, "beside", path, cell)
        self.all(panel, "corners", path, (board.corner_type or "",))

    def track(self, panel: dict[str, Any], path: tuple[Any, ...]) -> None:
        self.all(panel, "track", path, (), *((name,) for name in self.model.enums))

    def cards(self, panel: dict[str, Any], path: tuple[Any, ...]) -> None:
        self.all(panel, "cards", path, (), *((name,) for name in self.model.enums))

    def hand(self, panel: dict[str, Any], path: tuple[Any, ...]) -> None:
        self.all(panel, "hand", path, ("Player",), *((name,) for name in self.model.enums))

    def counters(self, panel: dict[str, Any], path: tuple[Any, ...]) -> None:
        self.all(panel, "counters", path, (), *((name,) for name in self.model.enums))

    def groups(self, panel: dict[str, Any], path: tuple[Any, ...]) -> None:
        kind = self.type(panel["groups"], self.document.place(*path, "groups"))
        if kind is None:
            return
        self.all(panel, "here", path, (kind,), joined=True)
        self.all(panel, "told", path, (kind,), joined=True)
        for by in self.value(panel["by"], self.document.place(*path, "by"), (kind,)):
            self.all(panel, "lying", path, (_real(self.ruleset, domain_of(by.type) or ""),), joined=True)

    def regions(self, panel: dict[str, Any], path: tuple[Any, ...]) -> None:
        place = self.document.place(*path, "regions")
        kinds = [one.domains[0] for one in values_named(self.ruleset, panel["regions"])
                 if len(one.domains) == 1 and one.domains == (domain_of(one.type),) and not isinstance(one.type, Of)]
        for value in self.value(panel["regions"], place, *((kind,) for kind in self.model.enums)):
            if kinds:
                self.columns(panel, path, kinds[0])
            else:
                self.findings.add("B003", place, name=value.name, about=_told(value.domains), wanted=_told(value.domains) + " -> {…}")

    def table(self, panel: dict[str, Any], path: tuple[Any, ...]) -> None:
        kind = self.type(panel["table"], self.document.place(*path, "table"))
        if kind is None:
            return
        if "rows" in panel:
            list(self.value(panel["rows"], self.document.place(*path, "rows"), (), ("Player",), holding=kind))
        self.columns(panel, path, kind)

    def columns(self, panel: dict[str, Any], path: tuple[Any, ...], kind: str) -> None:
        """The columns of a table about things of a type."""
        for n, column in enumerate(panel["columns"]):
            at = (*path, "columns", n)
            if not isinstance(column, dict):
                if isinstance(column, str):                        # over another type as well: a column for each member of that
                    list(self.value(column, self.document.place(*at), (kind,), *((other, kind) for other in self.model.enums), joined=True))
                    continue
                for m, text in enumerate(column):
                    list(self.value(text, self.document.place(*at, m), (kind,), joined=True))
                continue
            for of in self.value(column["of"], self.document.place(*at, "of"), (kind,), joined="told" not in column):
                self.all(column, "told", at, (_real(self.ruleset, domain_of(of.type) or ""),), joined=True)


def _told(about: tuple[str, ...]) -> str:
    return "[" + ", ".join(about) + "]"
