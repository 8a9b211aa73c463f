"""Every name of a game with what it means, wherever it stands: in rule files by what the checker resolved, in data and scenarios by the
place that it stands in. What the cursor is on, where it was declared, who else speaks of it: all is asked of this."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from lark import Token

from ...dsl.check.scope import Declared, Local, Ref, Resolution
from ...dsl.diagnostics.diagnostic import Findings, Place
from ...dsl.model.model import Enumeration
from ...dsl.packs.source import Source
from ...dsl.syntax import tree
from ...dsl.types.types import BagOf, ListOf, Maybe, Of, PileOf, SetOf, Type
from ...dsl.yaml.located_yaml import Document, parse_yaml

Files = list[tuple[str, list[tree.Node]]]
WORD = re.compile(r"[^\W\d]\w*")
PROSE = ("name", "text", "clauses")    # of a scenario: nothing in them is a name of the rules
SPELT = ("state", "family", "member", "number", "table", "option", "event", "law")     # kinds of names that scenarios may say


@dataclass(frozen=True)
class Meaning:
    """What a name means. `owner`: the enumeration of a member or an attribute, the place of a local."""

    kind: str                                                      # state, family, member, attribute, own, number, table, option, type,
    name: str                                                      # local, event, clause, builtin, law
    owner: str = ""


@dataclass(frozen=True)
class Spot:
    """One place where a name stands. `type` says what a local holds."""

    place: Place
    meaning: Meaning
    declares: bool = False
    type: Type | None = None


@dataclass
class Index:
    """All spots of a game, by file."""

    spots: dict[str, list[Spot]] = field(default_factory=dict)

    def add(self, spot: Spot) -> None:
        self.spots.setdefault(spot.place.path, []).append(spot)

    def at(self, path: str, line: int, column: int) -> Spot | None:
        """The name at a place; the shortest one, where one stands within another."""
        around = [spot for spot in self.spots.get(path, []) if spot.place.line == line and spot.place.column <= column <= spot.place.end]
        return min(around, key=lambda spot: (spot.place.end - spot.place.column, spot.place.column != column), default=None)

    def of(self, meaning: Meaning) -> list[Spot]:
        """Every place of a name, each once."""
        found = {spot.place: spot for spots in self.spots.values() for spot in spots if spot.meaning == meaning}
        return sorted(found.values(), key=lambda spot: (spot.place.path, spot.place.line, spot.place.column))

    def declared(self, meaning: Meaning) -> list[Spot]:
        return [spot for spot in self.of(meaning) if spot.declares]


def index_of(source: Source, files: Files, declared: Declared) -> Index:
    """The names of a game."""
    index = Index()
    reader = Rules(index, declared)
    for path, nodes in files:
        for node in nodes:
            reader.declaration(node, path)
    for clause, places in declared.cited.items():
        for place in places:
            index.add(Spot(place, Meaning("clause", clause)))
    Data(index, declared, source).all()
    return index


def scenarios_in(index: Index, source: Source, declared: Declared, texts: dict[str, str]) -> None:
    """Add the names in scenario files."""
    data = Data(index, declared, source)
    known = data.known()
    for path, text in texts.items():
        document = parse_yaml(text, path, Findings())
        if document is not None:
            data.scenarios(document, text, known)


class Rules:
    """The names in rule files."""

    def __init__(self, index: Index, declared: Declared) -> None:
        self.index, self.declared = index, declared
        self.found: Resolution = declared.resolution
        self.model = declared.model
        self.locals: dict[int, Meaning] = {}                       # by identity
        self.path = ""

    def spot(self, token: Any, meaning: Meaning, declares: bool = False, kind: Type | None = None) -> None:
        if token is not None and getattr(token, "line", None):
            self.index.add(Spot(Place.of(self.path, token), meaning, declares, kind))

    def bind(self, token: Any, local: Local | None) -> None:
        """A place where a local gets its name."""
        if token is None or local is None:
            return
        place = Place.of(self.path, token)
        meaning = self.locals.setdefault(id(local), Meaning("local", local.name, f"{place.path}:{place.line}:{place.column}"))
        self.spot(token, meaning, True, local.type)

    def type_name(self, token: Any) -> None:
        enum = self.model.enum_of(str(token))
        if enum is not None:
            alias = str(token) in self.model.aliases
            self.spot(token, Meaning("type", str(token) if alias else enum.name))

    def declaration(self, node: tree.Node, path: str) -> None:
        self.path = path
        match node:
            case tree.State():
                self.spot(node.name, Meaning("state", str(node.name)), True)
                if node.per is not None:
                    self.spot(node.per.scope, Meaning("family", str(node.per.scope)))
            case tree.DefValue():
                self.head(node, node.name, node.case, node.params)
            case tree.DefWhere():
                self.head(node, *node.parts[:3])
            case tree.Proc():
                self.head(node, node.name, node.case, node.params)
            case tree.Goal():
                goal = self.declared.goals.get("standing" if node.parts[0].type == "STANDING" else "estimate")
                self.bind(node.parts[1], goal.player if goal is not None else None)
            case tree.Always():
                self.spot(node.name, Meaning("law", str(node.name)), True)
        self.walk(node)

    def head(self, node: Any, name: Token, case: tree.Case, params: tree.Params) -> None:
        family = self.declared.families.get(str(name))
        self.spot(name, Meaning("family", str(name)), True)
        routine = next((one for one in family.routines if one.node is node), None) if family is not None else None
        if case.domain is not None:
            self.bind(case.name, routine.case_local if routine is not None else None)
            self.type_name(case.domain)
        elif case.name is not None and family is not None and family.domain is not None:
            self.spot(case.name, member_of(self.model.enums[family.domain], str(case.name)))
        for param, local in zip(params, routine.params if routine is not None else ()):
            self.bind(param.name, local)

    def walk(self, node: Any) -> None:
        """A tree from its outside in; what binds a name stands before its uses."""
        if isinstance(node, list | tuple | tree._Many):
            for part in node:
                self.walk(part)
            return
        if not is_dataclass(node) or isinstance(node, type):
            return
        self.one(node)
        late: list[Any] = []
        for part in fields(node):
            value = getattr(node, part.name)
            if part.name == "value" and isinstance(node, tree.Fold):
                late.append(value)
            elif part.name != "meta":
                self.walk(value)
        self.walk(late)

    def one(self, node: Any) -> None:
        ref = self.found.ref(node) if isinstance(node, tree.Node) else None
        match node:
            case tree.AxisType() | tree.AxisNamed():
                self.type_name(node.domain)
            case tree.NamedType() | tree.Domain():
                self.type_name(node.name)
            case tree.BagOf() | tree.PileOf():
                self.type_name(node.base)
            case tree.Let():
                self.bind(node.name, self.found.locals.get(id(node)))
            case tree.Binder():
                self.bind(node.name, self.found.locals.get(id(node)))
            case tree.BinderNumbered():
                self.bind(node.number, self.found.numbers.get(id(node)))
                self.bind(node.name, self.found.locals.get(id(node)))
            case tree.Name():
                if ref is not None:
                    self.name(node.name, ref)
            case tree.Apply():
                target = node.parts[0]
                if ref is not None and ref.kind == "builtin":
                    self.spot(target.name, Meaning("builtin", str(target.name)))
            case tree.Call() | tree.After():
                called = self.found.calls.get(id(node))
                if called is not None and isinstance(node.target, tree.Apply):
                    target = node.target.parts[0]
                    target = target.parts[0] if isinstance(target, tree.At) else target
                    if isinstance(target, tree.Name):
                        self.spot(target.name, Meaning("family", called[0].name))
            case tree.Printed():
                if ref is not None and ref.kind == "attribute":
                    self.spot(node.name, Meaning("attribute", str(node.name), ref.target[0].name))
                elif ref is not None and isinstance(node.value, tree.Name):
                    of = self.found.ref(node.value)
                    if of is not None and of.kind == "member":
                        enum = self.model.enums[of.target[0]]
                        self.spot(node.name, Meaning("own", str(node.name), f"{enum.name}.{enum.members[of.target[1]]}"))
            case tree.Tell():
                self.spot(node.parts[0], Meaning("event", str(node.parts[0])))
            case tree.Choose() | tree.ChooseBlock():
                local = self.found.results.get(id(node))
                if local is not None:
                    self.bind(node.label or first_binder(node.slots), local)

    def name(self, token: Token, ref: Ref) -> None:
        if ref.kind == "local":
            known = self.locals.get(id(ref.target))
            if known is not None:
                self.spot(token, known, False, ref.target.type)
        elif ref.kind == "member":
            enum = self.model.enums[ref.target[0]]
            self.spot(token, member_of(enum, enum.members[ref.target[1]]))
        elif ref.kind in ("state", "family", "number", "option", "table"):
            self.spot(token, Meaning(ref.kind, str(token)))


def first_binder(slots: tree.Slots) -> Token | None:
    """The name under which what was chosen goes on, where it is given no other."""
    return next((binder.name for binders in slots for binder in binders), None)


def member_of(enum: Enumeration, name: str) -> Meaning:
    """A member of an enumeration; of pieces their kind, which is what the data declares."""
    return Meaning("member", enum.kinds[enum.index[name]] if enum.kinds and name in enum.index else name, enum.name)


class Data:
    """The names in a game's data and in its scenarios."""

    def __init__(self, index: Index, declared: Declared, source: Source) -> None:
        self.index, self.declared, self.source = index, declared, source
        self.model = declared.model

    def key(self, path: tuple[Any, ...], meaning: Meaning, declares: bool = True) -> None:
        place = self.source.keys.get(path)
        if place is not None:
            self.index.add(Spot(place, meaning, declares))

    def all(self) -> None:
        data = self.source.data
        for section, kind in (("numbers", "number"), ("options", "option"), ("tables", "table"), ("enums", "type"), ("pieces", "type")):
            for name, raw in data[section].items():
                self.key((section, name), Meaning(kind, name))
                if section in ("enums", "pieces"):
                    self.things(section, name, raw)
        for name, raw in data["boards"].items():
            for part in ("cells", "corners"):
                place = self.source.places.get(("boards", name, part))
                if place is not None and isinstance(raw.get(part), str):
                    self.index.add(Spot(place, Meaning("type", raw[part]), True))
        for name, value in data["start"].items():
            state = self.declared.states.get(name)
            self.key(("start", name), Meaning("state", name), False)
            if state is not None:
                self.values(value, ("start", name), [*(domain for _, domain in state.axes), *domains(state.type)])
        for path, place in self.source.places.items():
            if path and path[-1] == "by" and (name := self.at(path)) in data["options"]:
                self.index.add(Spot(place, Meaning("option", name)))

    def at(self, path: tuple[Any, ...]) -> Any:
        found: Any = self.source.data
        for part in path:
            try:
                found = found[part]
            except (KeyError, IndexError, TypeError):
                return None
        return found

    def things(self, section: str, name: str, raw: Any) -> None:
        """An enumeration, or pieces, with all that is printed on them."""
        enum = self.model.enums.get(name)
        if isinstance(raw, list):
            for n, member in enumerate(raw):
                place = self.source.places.get((section, name, n))
                if place is not None:
                    self.index.add(Spot(place, Meaning("member", str(member), name), True))
            return
        if not isinstance(raw, dict) or enum is None:
            return
        for attribute in raw.get("attributes") or {}:
            self.key((section, name, "attributes", attribute), Meaning("attribute", attribute, name))
        part = "members" if section == "enums" else "copies"
        for owner, values in [("", raw.get("defaults")), *(raw.get(part) or {}).items()]:
            here = (section, name, part, owner) if owner else (section, name, "defaults")
            if owner:
                self.key(here, Meaning("member", owner, name))
            for key, value in values.items() if isinstance(values, dict) else ():
                if key in enum.attributes:
                    self.key((*here, key), Meaning("attribute", key, name), False)
                    self.values(value, (*here, key), domains(enum.attributes[key]))
                elif isinstance(value, int):
                    self.key((*here, key), Meaning("own", key, f"{name}.{owner}"))

    def values(self, value: Any, path: tuple[Any, ...], wanted: list[str]) -> None:
        """Members within a value of the data."""
        if isinstance(value, dict):
            for key, inner in value.items():
                found = self.member(key, wanted)
                if found is not None:
                    self.key((*path, key), found, False)
                self.values(inner, (*path, key), wanted)
        elif isinstance(value, list):
            for n, inner in enumerate(value):
                self.values(inner, (*path, n), wanted)
        elif (found := self.member(value, wanted)) is not None and path in self.source.places:
            self.index.add(Spot(self.source.places[path], found))

    def member(self, name: Any, wanted: list[str]) -> Meaning | None:
        known = [self.model.enum_of(domain) for domain in wanted]
        enums = [enum for enum in known if enum is not None and enum.kind in ("enum", "pieces", "player")]
        return next((member_of(enum, name) for enum in enums if name in enum.index or name in enum.kinds), None)

    # ------------------------------------------------------------ scenarios

    def known(self) -> dict[str, Meaning]:
        """What a word of a scenario means, where it can only mean one thing."""
        found: dict[str, list[Meaning]] = {}
        for spots in list(self.index.spots.values()):
            for spot in spots:
                if spot.declares and spot.meaning.kind in SPELT or spot.meaning.kind == "event":
                    found.setdefault(spot.meaning.name, []).append(spot.meaning)
        return {name: meanings[0] for name, meanings in found.items() if len(set(meanings)) == 1}

    def scenarios(self, document: Document, text: str, known: dict[str, Meaning]) -> None:
        """The words of a scenario file that name something of the rules."""
        lines = text.replace("\r\n", "\n").split("\n")
        for path, place in [*document.keys.items(), *document.values.items()]:
            if any(part in PROSE for part in path[2:]) or not path or place.line > len(lines):
                continue
            said = lines[place.line - 1][place.column - 1 : place.end - 1]
            for word in WORD.finditer(said):
                meaning = known.get(word[0])
                after = said[word.end() : word.end() + 1]
                if meaning is not None and not (after == "=" and meaning.kind != "state"):
                    start = place.column + word.start()
                    self.index.add(Spot(Place(document.path, place.line, start, start + len(word[0])), meaning))


def domains(found: Type) -> list[str]:
    """The enumerations whose members a value of a type is made of."""
    while isinstance(found, Maybe | ListOf | SetOf | PileOf | BagOf):
        found = found.of
    return [found.name] if isinstance(found, Of) else []
