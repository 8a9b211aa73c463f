"""Applies packs to the data of a game: new values, new entries, their order, removals.

Each changed entry gets the source span in the pack."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from ..diagnostics.diagnostic import DiagnosticList, did_you_mean
from ..yaml.located_yaml import LocatedYaml, get_value
from ..yaml.schema import validate
from ..yaml.yaml_edit import dump_inline
from .data_paths import (
    GAME_KEYS,
    find_changed_part,
    find_similar_path,
    member_names,
    member_path,
    text_key,
    value_at,
    value_names,
    value_path,
)
from .manifest import Pack
from .overlay import ChangeKind, ConflictTracker, PackChange, PackOverlay
from .pack_texts import is_by_language, report_wrong_text
from .repair import PackRepair
from .source import DATA_SECTIONS, MAX_SEATS, TEXT_KEYS, GameSource, is_valid_player_range

DECLARATION_PATTERN = re.compile(r"(proc|def|phase|state|always) +([^\W\d]\w*)(?:\[([^\]]+)\])?|standing|estimate")
MAX_NAMED_PATHS = 8                                                # paths listed in one message
CLAUSE_PATTERN = re.compile(r"\w+(-\w+)+")                                  # also matches misspelt clauses


@dataclass
class DataPatcher:
    """Applies one pack to the data of a game."""

    source: GameSource
    pack: Pack
    overlay: PackOverlay
    claims: ConflictTracker
    findings: DiagnosticList
    repair: PackRepair | None = None                               # of a pack with mistakes: new members are completed

    def apply(self) -> None:
        """Applies the sections `add`, `set`, `place` and `remove`, in this order."""
        for name, value in (self.pack.data.get("add") or {}).items():
            self.add_entry(str(name), value)
        for name, value in (self.pack.data.get("set") or {}).items():
            self.set_value(str(name), value)
        for name, where in (self.pack.data.get("place") or {}).items():
            self.move_member(str(name), str(where))
        for n, name in enumerate(self.pack.names_under("remove")):
            self.remove_entry(name, n)

    def report_unknown(self, section: str, name: str, known: list[str], code: str = "H002") -> None:
        """Reports an unknown name, with a suggestion from `known`."""
        self.findings.add_with_suggestion(code, self.pack.key_place(section, name), find_similar_path(name, known), name=name)

    def report_unknown_value(self, name: str, value: Any) -> None:
        """Reports an unknown path under `set`, with the whole value that it may be a part of, or with the closest paths."""
        place, known = self.pack.key_place("set", name), [*value_names(self.source), *GAME_KEYS]
        if (whole := find_changed_part(self.source, name, value)) is not None:
            self.findings.add("H002", place, hint="written_so", name=name, meant=f"{whole[0]}: {dump_inline(whole[1])}")
        elif meant := find_similar_path(name, known):
            self.findings.add_with_suggestion("H002", place, meant, name=name)
        else:
            above = name.rpartition(".")[0]
            near = [path for path in known if above and path.rpartition(".")[0] == above or path == above or path.startswith(f"{name}.")]
            listed = ", ".join(near[:MAX_NAMED_PATHS]) + (", …" if len(near) > MAX_NAMED_PATHS else "")
            self.findings.add("H002", place, hint="known_keys" if near else None, name=name, known=listed)

    def record_change(self, kind: ChangeKind, name: str, place: Any, before: Any = None, after: Any = None) -> None:
        """Records a change for later passes and messages."""
        self.overlay.changes.append(PackChange(self.pack.name, kind, name, place, before, after))

    # ------------------------------------------------------------ set

    def set_value(self, name: str, value: Any) -> None:
        """Sets one value, addressed by a path such as `purse` or `Card.pie.price`."""
        where = value_path(self.source, name)
        gone = next((place for what, place in self.overlay.removed.values() if f"{name}.".startswith(f"{what}.")), None)
        if where is None and gone is not None:                     # an earlier pack removed it
            self.findings.add("H003", self.pack.key_place("set", name), name=name, also=(gone,))
            return
        inner = (
            next((one for one in iter_leaves(name, value) if value_path(self.source, one[0]) is not None), None) if where is None else None
        )
        if inner is not None:
            self.findings.add("H002", self.pack.key_place("set", name), hint="written_so", name=name, meant=f"{inner[0]}: {inner[1]}")
            return
        if where is None:
            self.report_unknown_value(name, value)
            return
        place = self.pack.place("set", name)
        if not self.claims.claim(self.pack, ("data", *where), name, place, value):
            return
        key = text_key(where)
        if where[0] in ("players", "options", "boards") and key is None and not self.is_valid_value(name, where, value):
            return                                                 # for other values, the types give better messages
        said = self.overlay.texts.add_text(key, value, self.pack.key_place("set", name)) if key is not None and value != "" else None
        if key is not None and not isinstance(said, str):
            report_wrong_text(self.findings, self.pack.document, ("set", name), name)
            return
        node = self.source.data
        for part in where[:-1]:
            node = _child_mapping(node, part)
        self.record_change("text" if key else "set", name, place, deepcopy(value_at(self.source, where)), value)
        self.store_value(node, where, value if said is None else said, ("set", name))
        self.source.places["house", *where] = place

    def is_valid_value(self, name: str, where: tuple[Any, ...], value: Any) -> bool:
        """Whether the game schema allows this value at this path. Otherwise a diagnostic is added at the value."""
        if where == ("players",):
            data, schema = {"game": "game", "name": "", "rules": [""], "players": value}, "game"
        else:
            data, schema = {where[0]: {where[1]: deepcopy(self.source.data[where[0]].get(where[1]))}}, "data"
            node: dict[Any, Any] = data
            for part in where[:-1]:
                node = _child_mapping(node, part)
            node[where[-1]] = value
        if not self.is_valid_entry(data, ("set", name), where, schema):
            return False
        if where != ("players",) or is_valid_player_range(value):
            return True
        self.findings.add("G016", self.pack.place("set", name), found=value, least=1, limit=MAX_SEATS)
        return False

    def store_value(self, node: dict[Any, Any], where: tuple[Any, ...], value: Any, path: tuple[Any, ...]) -> None:
        """Stores a value in the data and replaces the spans of the old value with those of the pack.

        `where` is the path in the data, `path` the path in the pack."""
        node[where[-1]] = value
        for places in (self.source.places, self.source.keys):
            for old in [old for old in places if len(old) > len(where) and old[: len(where)] == where]:
                del places[old]
        self.source.places[where] = self.source.keys[where] = self.pack.place(*path)
        deep = len(path)
        for theirs, ours in ((self.pack.document.values, self.source.places), (self.pack.document.keys, self.source.keys)):
            ours.update({(*where, *at[deep:]): place for at, place in theirs.items() if at[:deep] == path and len(at) > deep})

    # ------------------------------------------------------------ add

    def add_entry(self, name: str, value: Any) -> None:
        """Adds the entries of one section, or one member such as `Card.pie`."""
        if name in DATA_SECTIONS:
            for key, entry in (value.items() if isinstance(value, dict) else ()):
                self.add_section_entry(name, str(key), entry)
        elif name.partition(".")[1]:
            self.add_member(name, value, ("add", name))
        else:
            self.report_unknown("add", name, [*DATA_SECTIONS])

    def add_member(self, name: str, value: Any, path: tuple[Any, ...]) -> None:
        """Adds a member to an enum, or a kind to a type of pieces."""
        domain, _, member = name.partition(".")
        section, inner = ("enums", "members") if domain in self.source.data["enums"] else ("pieces", "copies")
        found = self.source.data[section].get(domain)
        if found is None or isinstance(found, str):
            known_types = [*self.source.data["enums"], *self.source.data["pieces"]]
            self.report_unknown("add", name, [f"{one}.{member}" for one in known_types], "H009")
            return
        known = member_path(self.source, name)
        if known is not None and ("data", *known) not in self.claims.by:
            self.findings.add("H004", self.pack.key_place(*path), name=name, also=(self.source.key_place(*known),))
            return
        found = _ensure_mapping(self.source, section, domain)
        where = (section, domain, inner, member)
        if not self.claims.claim(self.pack, ("data", *where), name, self.pack.key_place(*path)):
            return
        value = self.register_texts(value, f"{domain}.{member}", path)
        if not self.is_valid_entry({section: {domain: {inner: {member: value if value is not None else {}}}}}, path, where):
            return
        if self.repair is not None:
            value, lacking = complete_member(found, inner, value)
            for attribute in lacking if self.pack.place(*path) not in self.repair.completed else ():
                self.findings.add("G009", self.pack.place(*path), member=member, attribute=attribute)
        self.store_value(found[inner], where, value, path)
        self.source.keys[where] = self.pack.key_place(*path)
        self.source.places["house", *where] = self.pack.key_place(*path)
        self.record_change("add", name, self.pack.key_place(*path), None, value)

    def add_section_entry(self, section: str, name: str, value: Any) -> None:
        """Adds one entry to a section.

        For an existing type, adds attributes, defaults and members to it. For an existing state with first values, adds
        further first values."""
        path, where, node = ("add", section, name), (section, name), self.source.data[section]
        place = self.pack.key_place(*path)
        if section == "start" and isinstance(value, dict) and isinstance(node.get(name), dict) and not value.keys() & node[name].keys():
            for key, entry in value.items():
                if self.claims.claim(self.pack, ("data", *where, key), f"{name}.{key}", place, entry):
                    self.store_value(node[name], (*where, key), entry, (*path, key))
            self.record_change("add", f"start.{name}", place, None, value)
            return
        parts = {"enums": {"attributes", "defaults", "members"}, "pieces": {"attributes", "defaults", "copies"}}.get(section, set())
        if name in node and isinstance(value, dict) and set(value) <= parts:
            if self.is_valid_extension(section, name, value, path):
                self.extend_type(section, name, value, path)
            return
        if name in node:
            known = self.claims.by.get(("data", *where))
            if known is None:
                self.findings.add("H004", place, name=name, also=(self.source.key_place(*where),))
                return
        if not self.claims.claim(self.pack, ("data", *where), name, place, value):
            return
        if section == "options":
            value = self.register_texts(value, f"variant.{name}", path)
        if section in ("enums", "pieces") and isinstance(value, dict):
            value = {key: self.register_member_texts(name, inner, (*path, key)) if key in ("members", "copies") else inner
                     for key, inner in value.items()}
        if not self.is_valid_entry({section: {name: value}}, path, where):
            return
        self.store_value(node, where, value, path)
        self.source.keys[where] = place
        self.record_change("add", name, place, None, value)

    def register_member_texts(self, domain: str, members: Any, path: tuple[Any, ...]) -> Any:
        """Registers the texts of several members and returns the members with their texts replaced."""
        if not isinstance(members, dict):
            return members
        return {member: self.register_texts(given, f"{domain}.{member}", (*path, member)) for member, given in members.items()}

    def extend_type(self, section: str, name: str, value: dict[str, Any], path: tuple[Any, ...]) -> None:
        """Adds attributes, defaults and members to an existing type."""
        node = _ensure_mapping(self.source, section, name)
        for key in ("attributes", "defaults"):
            for one, entry in (value.get(key) or {}).items():
                if one in node.get(key, {}):
                    self.findings.add("H004", self.pack.key_place(*path, key, one), name=f"{name}.{one}",
                                      also=(self.source.key_place(section, name, key, one),))
                    continue
                where, place = (section, name, key, one), self.pack.key_place(*path, key, one)
                if self.claims.claim(self.pack, ("data", *where), f"{name}.{one}", place, entry):
                    self.store_value(node.setdefault(key, {}), where, entry, (*path, key, one))
        for inner in ("members", "copies"):
            for member, given in (value.get(inner) or {}).items():
                self.add_member(f"{name}.{member}", given, (*path, inner, member))
        self.record_change("add", name, self.pack.key_place(*path), None, value)

    def is_valid_extension(self, section: str, name: str, value: dict[str, Any], path: tuple[Any, ...]) -> bool:
        """Whether the new attributes, defaults and members of an existing type have the right form. Each member is checked later."""
        inner = "members" if section == "enums" else "copies"
        given = {key: part for key, part in value.items() if part is not None and not (key == inner and isinstance(part, dict))}
        known = {"members": {"one": {}}} if section == "enums" else {"copies": {"one": {"n": 1}}}
        return self.is_valid_entry({section: {name: {**known, **given}}}, path, (section, name))

    def register_texts(self, value: Any, key: str, path: tuple[Any, ...]) -> Any:
        """Returns an entry with its name and text in the main language, and registers the other languages as texts."""
        if not isinstance(value, dict):
            return value
        out = dict(value)
        for word in TEXT_KEYS:
            if word in out and (is_by_language(out[word]) or isinstance(out[word], str)):
                said = self.overlay.texts.add_text(f"{key}.{word}", out[word], self.pack.key_place(*path, word))
                out[word] = said if isinstance(said, str) else out[word]
        return out

    def is_valid_entry(self, data: dict[str, Any], path: tuple[Any, ...], where: tuple[Any, ...], schema: str = "data") -> bool:
        """Whether a part of a pack satisfies the schema of the game data, at the path where it will be stored."""
        values, keys = ({(*where, *at[len(path):]): place for at, place in places.items() if at[: len(path)] == path}
                        for places in (self.pack.document.values, self.pack.document.keys))
        values.update({where[:n]: self.pack.place(*path) for n in range(len(where))})
        is_valid = validate(LocatedYaml(data, self.pack.document.path, keys, values), schema, self.findings)
        if not is_valid and self.repair is not None:
            self.repair.log.add_data(path, get_value(self.pack.document.data, path))
        return is_valid

    # ------------------------------------------------------------ order

    def move_member(self, name: str, where: str) -> None:
        """Moves a member before or after another one. `where` is, for example, `after pie`."""
        found = member_path(self.source, name)
        if found is None or len(found) < 4:
            self.report_unknown("place", name, member_names(self.source), "H009")
            return
        word, _, other = where.partition(" ")
        members = self.source.data[found[0]][found[1]][found[2]]
        if other not in members or other == found[3]:
            self.findings.add_with_suggestion(
                "H009", self.pack.place("place", name), did_you_mean(other, members), name=f"{found[1]}.{other}"
            )
            return
        own, items = members[found[3]], [(key, value) for key, value in members.items() if key != found[3]]
        at = [key for key, _ in items].index(other) + (word == "after")
        members.clear()
        members.update([*items[:at], (found[3], own), *items[at:]])

    # ------------------------------------------------------------ remove

    def remove_entry(self, name: str, n: int) -> None:
        """Removes the name at index `n` of `remove`. Declarations are left to rule_patches.py."""
        given = self.pack.data.get("remove")
        place = self.pack.place("remove", n) if isinstance(given, list) else self.pack.place("remove")
        declared = DECLARATION_PATTERN.fullmatch(" ".join(name.split()))
        if declared is not None:
            return                                                 # declarations are handled by rule_patches.py
        if CLAUSE_PATTERN.fullmatch(name):
            self.overlay.gone_clauses[name] = place
            self.overlay.texts.gone.add(f"clause.{name}")
            return
        member = member_path(self.source, name)
        where = member or value_path(self.source, name)
        if where is None or where[0] not in ("numbers", "start", "enums", "pieces") or where[0] in ("enums", "pieces") and member is None:
            self.overlay.unknown_removals.append((name, place))
            return
        if member is not None:
            _ensure_mapping(self.source, where[0], where[1])
            where = (*where[:2], "members" if where[0] == "enums" else "copies", where[-1])
        if not self.claims.claim(self.pack, ("data", *where), name, place, ("removed",)):
            return
        node = self.source.data
        for part in where[:-1]:
            node = node[part]
        before = node.pop(where[-1], None)
        self.overlay.removed[str(where[-1])] = (name, place)
        if member is not None:
            self.overlay.texts.gone |= {f"{name}.{word}" for word in TEXT_KEYS}
        self.record_change("remove", name, place, before)


def complete_member(found: dict[str, Any], inner: str, value: Any) -> tuple[Any, list[str]]:
    """Returns a new member with the attributes that it lacks, copied from other members of its type, and the names of these.

    An attribute that is only misspelt is not among the names."""
    given, defaults = dict(value) if isinstance(value, dict) else {}, found.get("defaults") or {}
    lacking = [name for name in found.get("attributes") or {} if name not in defaults and name not in given]
    named = [name for name in lacking if not did_you_mean(name, map(str, given))]
    for name in lacking:
        others = [one[name] for one in found[inner].values() if isinstance(one, dict) and name in one]
        given.update({name: others[0]} if others else {})
    return given or value, named


def iter_leaves(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yields the path and value of each entry below a path, recursively."""
    for key, inner in value.items() if isinstance(value, dict) else ():
        yield f"{name}.{key}", inner
        yield from iter_leaves(f"{name}.{key}", inner)


def _child_mapping(node: dict[Any, Any], part: Any) -> dict[Any, Any]:
    """Returns the mapping under a key. An empty entry becomes an empty mapping first."""
    if node.get(part) is None:
        node[part] = {}
    found: dict[Any, Any] = node[part]
    return found


def _ensure_mapping(source: GameSource, section: str, domain: str) -> dict[str, Any]:
    """Returns a type as a mapping with its members as keys. A type written as a list is converted in place."""
    found = source.data[section][domain]
    if isinstance(found, list):
        for n, member in enumerate(found):
            source.places[section, domain, "members", member] = source.place(section, domain, n)
        found = source.data[section][domain] = {"members": dict.fromkeys(found)}
    mapping: dict[str, Any] = found
    return mapping
