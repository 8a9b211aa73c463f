"""The symbol index: every name of a game with its meaning, at every place where it occurs.

In rule files the checker's name resolution gives the meaning. In data and scenarios the position in the file
does. The index answers which symbol is at the cursor, where it is declared, and where it is used."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from lark import Token

from ...dsl.check.scope import CheckedProgram, LocalDecl, NameRef, Resolution
from ...dsl.diagnostics.diagnostic import DiagnosticList, SourceSpan
from ...dsl.model.model import Enumeration
from ...dsl.packs.source import GameSource
from ...dsl.syntax import tree
from ...dsl.types.board_parts import PART_SIGNS
from ...dsl.types.types import BagOf, ListOf, MemberOf, OptionalOf, PileOf, SetOf, Type
from ...dsl.yaml.located_yaml import LocatedYaml, get_value, parse_yaml
from ..project.incremental_check import ParsedFiles

WORD = re.compile(r"[^\W\d]\w*")
PROSE_KEYS = ("name", "text", "clauses")    # free text in scenarios, without names of the rules
SCENARIO_KINDS = ("state", "family", "member", "number", "table", "option", "event", "law")     # kinds of names that scenarios use


@dataclass(frozen=True)
class GameSymbol:
    """The meaning of a name. `owner`: the enum of a member or an attribute, or the place of a local."""

    kind: str                                                      # state, family, member, attribute, own, number, table, option, type,
    name: str                                                      # local, event, clause, builtin, law
    owner: str = ""


@dataclass(frozen=True)
class SymbolReference:
    """An occurrence of a symbol. `type` is the type of a local."""

    place: SourceSpan
    meaning: GameSymbol
    declares: bool = False
    type: Type | None = None


@dataclass
class SymbolIndex:
    """All symbol references of a game, by file."""

    spots: dict[str, list[SymbolReference]] = field(default_factory=dict)

    def add(self, spot: SymbolReference) -> None:
        self.spots.setdefault(spot.place.path, []).append(spot)

    def reference_at(self, path: str, line: int, column: int) -> SymbolReference | None:
        """Returns the symbol reference at a position. If several overlap, the shortest one."""
        around = [spot for spot in self.spots.get(path, []) if spot.place.line == line and spot.place.column <= column <= spot.place.end]
        return min(around, key=lambda spot: (spot.place.end - spot.place.column, spot.place.column != column), default=None)

    def references_to(self, meaning: GameSymbol) -> list[SymbolReference]:
        """Returns every reference to a symbol, one per place, in file order."""
        found = {spot.place: spot for spots in self.spots.values() for spot in spots if spot.meaning == meaning}
        return sorted(found.values(), key=lambda spot: (spot.place.path, spot.place.line, spot.place.column))

    def declarations_of(self, meaning: GameSymbol) -> list[SymbolReference]:
        """Returns the declarations of a symbol."""
        return [spot for spot in self.references_to(meaning) if spot.declares]


def build_symbol_index(source: GameSource, files: ParsedFiles, declared: CheckedProgram) -> SymbolIndex:
    """Builds the symbol index of a game, without its scenarios."""
    index = SymbolIndex()
    reader = RuleFileIndexer(index, declared)
    for path, nodes in files:
        for node in nodes:
            reader.index_declaration(node, path)
    for clause, places in declared.cited.items():
        for place in places:
            index.add(SymbolReference(place, GameSymbol("clause", clause)))
    DataIndexer(index, declared, source).index_data()
    return index


def add_scenario_references(index: SymbolIndex, source: GameSource, declared: CheckedProgram, texts: dict[str, str]) -> None:
    """Adds the references in scenario files to an index. `texts` are the files by path."""
    data = DataIndexer(index, declared, source)
    known = data.find_unambiguous_symbols()
    for path, text in texts.items():
        document = parse_yaml(text, path, DiagnosticList())
        if document is not None:
            data.index_scenario(document, text, known)


class RuleFileIndexer:
    """Indexes the names in rule files."""

    def __init__(self, index: SymbolIndex, declared: CheckedProgram) -> None:
        self.index, self.declared = index, declared
        self.found: Resolution = declared.resolution
        self.model = declared.model
        self.locals: dict[int, GameSymbol] = {}                       # by id of the Local
        self.path = ""

    def add_reference(self, token: Any, meaning: GameSymbol, declares: bool = False, kind: Type | None = None) -> None:
        """Adds a reference at a token."""
        if token is not None and getattr(token, "line", None):
            self.index.add(SymbolReference(SourceSpan.of_node(self.path, token), meaning, declares, kind))

    def add_local(self, token: Any, local: LocalDecl | None) -> None:
        """Adds the declaration of a local at a token."""
        if token is None or local is None:
            return
        place = SourceSpan.of_node(self.path, token)
        meaning = self.locals.setdefault(id(local), GameSymbol("local", local.name, f"{place.path}:{place.line}:{place.column}"))
        self.add_reference(token, meaning, True, local.type)

    def index_type_name(self, token: Any) -> None:
        enum = self.model.enum_of(str(token))
        if enum is not None:
            alias = str(token) in self.model.aliases
            self.add_reference(token, GameSymbol("type", str(token) if alias else enum.name))

    def index_declaration(self, node: tree.Node, path: str) -> None:
        self.path = path
        match node:
            case tree.State():
                self.add_reference(node.name, GameSymbol("state", str(node.name)), True)
                if node.per is not None:
                    self.add_reference(node.per.scope, GameSymbol("family", str(node.per.scope)))
            case tree.DefValue():
                self.index_head(node, node.name, node.case, node.params)
            case tree.DefWhere():
                self.index_head(node, *node.parts[:3])
            case tree.Proc():
                self.index_head(node, node.name, node.case, node.params)
            case tree.Goal():
                goal = self.declared.goals.get("standing" if node.parts[0].type == "STANDING" else "estimate")
                self.add_local(node.parts[1], goal.subject if goal is not None else None)
            case tree.Always():
                self.add_reference(node.name, GameSymbol("law", str(node.name)), True)
        self.walk(node)

    def index_head(self, node: Any, name: Token, case: tree.Case, params: tree.Params) -> None:
        family = self.declared.families.get(str(name))
        self.add_reference(name, GameSymbol("family", str(name)), True)
        routine = next((one for one in family.routines if one.node is node), None) if family is not None else None
        if case.domain is not None:
            self.add_local(case.name, routine.case_local if routine is not None else None)
            self.index_type_name(case.domain)
        elif case.name is not None and family is not None and family.domain is not None:
            self.add_reference(case.name, member_symbol(self.model.enums[family.domain], str(case.name)))
        for param, local in zip(params, routine.params if routine is not None else ()):
            self.add_local(param.name, local)

    def walk(self, node: Any) -> None:
        """Walks a tree from the outside in, so that the binding of a name comes before its uses."""
        if isinstance(node, list | tuple | tree._NodeList):
            for part in node:
                self.walk(part)
            return
        if not is_dataclass(node) or isinstance(node, type):
            return
        self.index_node(node)
        late: list[Any] = []
        for part in fields(node):
            value = getattr(node, part.name)
            if part.name == "value" and isinstance(node, tree.Fold):
                late.append(value)
            elif part.name != "meta":
                self.walk(value)
        self.walk(late)

    def index_node(self, node: Any) -> None:
        ref = self.found.ref(node) if isinstance(node, tree.Node) else None
        match node:
            case tree.AxisType() | tree.AxisNamed():
                self.index_type_name(node.domain)
            case tree.NamedType() | tree.Domain():
                self.index_type_name(node.name)
            case tree.BagOf() | tree.PileOf():
                self.index_type_name(node.base)
            case tree.Let():
                self.add_local(node.name, self.found.locals.get(id(node)))
            case tree.Binder():
                self.add_local(node.name, self.found.locals.get(id(node)))
            case tree.BinderNumbered():
                self.add_local(node.number, self.found.numbers.get(id(node)))
                self.add_local(node.name, self.found.locals.get(id(node)))
            case tree.Name():
                if ref is not None:
                    self.index_name(node.name, ref)
            case tree.Apply():
                target = node.parts[0]
                if ref is not None and ref.kind == "builtin":
                    self.add_reference(target.name, GameSymbol("builtin", str(target.name)))
            case tree.Call() | tree.After():
                called = self.found.calls.get(id(node))
                if called is not None and isinstance(node.target, tree.Apply):
                    target = node.target.parts[0]
                    target = target.parts[0] if isinstance(target, tree.At) else target
                    if isinstance(target, tree.Name):
                        self.add_reference(target.name, GameSymbol("family", called[0].name))
            case tree.Printed():
                if ref is not None and ref.kind == "attribute":
                    self.add_reference(node.name, GameSymbol("attribute", str(node.name), ref.target[0].name))
                elif ref is not None and isinstance(node.value, tree.Name):
                    of = self.found.ref(node.value)
                    if of is not None and of.kind == "member":
                        enum = self.model.enums[of.target[0]]
                        self.add_reference(node.name, GameSymbol("own", str(node.name), f"{enum.name}.{enum.members[of.target[1]]}"))
            case tree.Tell():
                self.add_reference(node.parts[0], GameSymbol("event", str(node.parts[0])))
            case tree.Choose() | tree.ChooseBlock():
                local = self.found.results.get(id(node))
                if local is not None:
                    self.add_local(node.label or first_binder(node.slots), local)

    def index_name(self, token: Token, ref: NameRef) -> None:
        if ref.kind == "local":
            known = self.locals.get(id(ref.target))
            if known is not None:
                self.add_reference(token, known, False, ref.target.type)
        elif ref.kind == "member":
            enum = self.model.enums[ref.target[0]]
            self.add_reference(token, member_symbol(enum, enum.members[ref.target[1]]))
        elif ref.kind in ("state", "family", "number", "option", "table"):
            self.add_reference(token, GameSymbol(ref.kind, str(token)))


def first_binder(slots: tree.Slots) -> Token | None:
    """Returns the token of the name under which a choice continues if it has no label."""
    return next((binder.name for binders in slots for binder in binders), None)


def member_symbol(enum: Enumeration, name: str) -> GameSymbol:
    """Returns the symbol of a member. For a piece it is the kind of piece, because the data declares kinds."""
    return GameSymbol("member", enum.kinds[enum.index[name]] if enum.kinds and name in enum.index else name, enum.name)


class DataIndexer:
    """Indexes the names in a game's data and in its scenarios."""

    def __init__(self, index: SymbolIndex, declared: CheckedProgram, source: GameSource) -> None:
        self.index, self.declared, self.source = index, declared, source
        self.model = declared.model

    def add_key(self, path: tuple[Any, ...], meaning: GameSymbol, declares: bool = True) -> None:
        place = self.source.keys.get(path)
        if place is not None:
            self.index.add(SymbolReference(place, meaning, declares))

    def index_data(self) -> None:
        """Adds all names in the game's data."""
        data = self.source.data
        for section, kind in (("numbers", "number"), ("options", "option"), ("tables", "table"), ("enums", "type"), ("pieces", "type")):
            for name, raw in data[section].items():
                self.add_key((section, name), GameSymbol(kind, name))
                if section in ("enums", "pieces"):
                    self.index_members(section, name, raw)
        for name, raw in data["boards"].items():
            for part in ("cells", *PART_SIGNS):
                place = self.source.places.get(("boards", name, part))
                if place is not None and isinstance(raw.get(part), str):
                    self.index.add(SymbolReference(place, GameSymbol("type", raw[part]), True))
        for name, value in data["start"].items():
            state = self.declared.states.get(name)
            self.add_key(("start", name), GameSymbol("state", name), False)
            if state is not None:
                self.index_values(value, ("start", name), [*(domain for _, domain in state.axes), *element_domains(state.type)])
        for path, place in self.source.places.items():
            if path and path[-1] == "by" and (name := get_value(self.source.data, path)) in data["options"]:
                self.index.add(SymbolReference(place, GameSymbol("option", name)))

    def index_members(self, section: str, name: str, raw: Any) -> None:
        """Adds the members of an enum or the pieces of a type, with their attributes."""
        enum = self.model.enums.get(name)
        if isinstance(raw, list):
            for n, member in enumerate(raw):
                place = self.source.places.get((section, name, n))
                if place is not None:
                    self.index.add(SymbolReference(place, GameSymbol("member", str(member), name), True))
            return
        if not isinstance(raw, dict) or enum is None:
            return
        for attribute in raw.get("attributes") or {}:
            self.add_key((section, name, "attributes", attribute), GameSymbol("attribute", attribute, name))
        part = "members" if section == "enums" else "copies"
        for owner, values in [("", raw.get("defaults")), *(raw.get(part) or {}).items()]:
            here = (section, name, part, owner) if owner else (section, name, "defaults")
            if owner:
                self.add_key(here, GameSymbol("member", owner, name))
            for key, value in values.items() if isinstance(values, dict) else ():
                if key in enum.attributes:
                    self.add_key((*here, key), GameSymbol("attribute", key, name), False)
                    self.index_values(value, (*here, key), element_domains(enum.attributes[key]))
                elif isinstance(value, int):
                    self.add_key((*here, key), GameSymbol("own", key, f"{name}.{owner}"))

    def index_values(self, value: Any, path: tuple[Any, ...], wanted: list[str]) -> None:
        """Adds the members that occur in a value of the data."""
        if isinstance(value, dict):
            for key, inner in value.items():
                found = self.find_member(key, wanted)
                if found is not None:
                    self.add_key((*path, key), found, False)
                self.index_values(inner, (*path, key), wanted)
        elif isinstance(value, list):
            for n, inner in enumerate(value):
                self.index_values(inner, (*path, n), wanted)
        elif (found := self.find_member(value, wanted)) is not None and path in self.source.places:
            self.index.add(SymbolReference(self.source.places[path], found))

    def find_member(self, name: Any, wanted: list[str]) -> GameSymbol | None:
        """Returns the symbol of a member with this name in one of these types, or None."""
        known = [self.model.enum_of(domain) for domain in wanted]
        enums = [enum for enum in known if enum is not None and enum.kind in ("enum", "pieces", "player")]
        return next((member_symbol(enum, name) for enum in enums if name in enum.index or name in enum.kinds), None)

    # ------------------------------------------------------------ scenarios

    def find_unambiguous_symbols(self) -> dict[str, GameSymbol]:
        """Returns the symbols of words that have only one meaning in scenarios."""
        found: dict[str, list[GameSymbol]] = {}
        for spots in list(self.index.spots.values()):
            for spot in spots:
                if spot.declares and spot.meaning.kind in SCENARIO_KINDS or spot.meaning.kind == "event":
                    found.setdefault(spot.meaning.name, []).append(spot.meaning)
        return {name: meanings[0] for name, meanings in found.items() if len(set(meanings)) == 1}

    def index_scenario(self, document: LocatedYaml, text: str, known: dict[str, GameSymbol]) -> None:
        """Adds the words of a scenario file that name something of the rules."""
        lines = text.replace("\r\n", "\n").split("\n")
        for path, place in [*document.keys.items(), *document.values.items()]:
            if any(part in PROSE_KEYS for part in path[2:]) or not path or place.line > len(lines):
                continue
            said = lines[place.line - 1][place.column - 1 : place.end - 1]
            for word in WORD.finditer(said):
                meaning = known.get(word[0])
                after = said[word.end() : word.end() + 1]
                if meaning is not None and not (after == "=" and meaning.kind != "state"):
                    start = place.column + word.start()
                    self.index.add(SymbolReference(SourceSpan(document.path, place.line, start, start + len(word[0])), meaning))


def element_domains(type_: Type) -> list[str]:
    """Returns the enum of which the values of a type consist, in a list that may be empty."""
    while isinstance(type_, OptionalOf | ListOf | SetOf | PileOf | BagOf):
        type_ = type_.of
    return [type_.name] if isinstance(type_, MemberOf) else []
