"""The combined effect of all packs outside data and rules: texts, clauses, the table, scenarios.

It also records which pack changes what, so that conflicts between packs can be reported."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from ..diagnostics.diagnostic import Diagnostic, DiagnosticList, SourceSpan, did_you_mean
from ..yaml.clause_index import Clause, ClauseIndex
from ..yaml.located_yaml import LocatedYaml
from .manifest import Pack
from .pack_texts import OverlayTexts

SpanByPath: TypeAlias = "Mapping[tuple[Any, ...], SourceSpan]"
# pack changes listed with an error in the game's own files
MAX_RELATED_CHANGES = 3
ALL_VARIANT_CODES = ("W104", "W105", "W106")      # doubtful rules, reported only if all variants have them
UNKNOWN_NAME_CODES = ("R101", "R102", "R112", "R114", "R219", "G015", "G023", "G024")     # diagnostics about unknown names

ChangeKind = Literal["set", "add", "remove", "rules", "replace", "step", "text"]


@dataclass(frozen=True)
class PackChange:
    """One change by a pack."""

    pack: str
    kind: ChangeKind
    name: str
    place: SourceSpan
    before: Any = None
    after: Any = None
    lines: tuple[tuple[str, int], ...] = ()                        # rule lines of the game that it removes: file, line

    def touches_value(self, value: str) -> bool:
        """Whether it changes a data value, named as rules name it: `purse`, `bonus`, `Cake.price`, `Cake.pie.crumbs`."""
        if self.kind not in ("set", "add", "remove"):
            return False
        mine, its = self.name.split("."), value.split(".")
        if mine[0] != its[0]:
            return False
        return len(its) == 1 or len(mine) == 2 and self.kind != "set" or mine[-1] == its[-1] and (len(its) == 2 or mine == its)


@dataclass
class PackOverlay:
    """The packs applied to a game, with their combined changes."""

    packs: list[Pack] = field(default_factory=list)
    texts: OverlayTexts = field(default_factory=OverlayTexts)
    clauses: dict[str, tuple[Any, SourceSpan]] = field(default_factory=dict)
    gone_clauses: dict[str, SourceSpan] = field(default_factory=dict)
    removed: dict[str, tuple[str, SourceSpan]] = field(default_factory=dict)      # by last part of the name: full name, span
    unknown_removals: list[tuple[str, SourceSpan]] = field(default_factory=list)   # names under `remove` that are no data
    changes: list[PackChange] = field(default_factory=list)
    table: list[tuple[Pack, dict[str, Any]]] = field(default_factory=list)
    left_out: dict[str, tuple[str, SourceSpan]] = field(default_factory=dict)   # clauses that no rule cites any more: pack, span
    left_out_of: dict[str, set[str]] = field(default_factory=dict)              # by declaration (`turn`, `buy[pie]`): those of it
    void: dict[str, tuple[str, SourceSpan]] = field(default_factory=dict)       # clauses whose sentence no longer holds: pack, span
    outdated: dict[str, tuple[str, SourceSpan]] = field(default_factory=dict)   # keys of texts of members that no longer hold: pack, span

    is_incomplete: bool = False                                    # a pack that is needed or given is missing

    @property
    def struck_clauses(self) -> dict[str, tuple[str, SourceSpan]]:
        """The clauses whose sentence no longer holds, with the pack and the place of its change."""
        return {**{name: found for name, found in self.left_out.items() if name not in self.clauses}, **self.void}

    def find_outdated_text(self, key: str) -> tuple[str, SourceSpan] | None:
        """Returns the pack that made the text of a member untrue, and the place of its change, or None. A text of a pack holds."""
        return None if key in self.texts.source else self.outdated.get(key)

    def collect_scenarios(self) -> list[LocatedYaml]:
        """Returns the scenario documents of all packs."""
        return [document for pack in self.packs for document in pack.iter_scenarios()]

    def annotate_diagnostic(self, diagnostic: Diagnostic, keys: SpanByPath, places: SpanByPath) -> Diagnostic:
        """Returns a diagnostic of the checker with information about packs added.

        An unknown name that a pack removed becomes H018. An error or a doubtful rule in the game's own files gets
        the places of related pack changes, if there are only a few. `keys` and `places` are the spans of the game's data."""
        name = str(diagnostic.args.get("name", diagnostic.args.get("found", "")))
        if diagnostic.code in UNKNOWN_NAME_CODES and name in self.removed:
            what, place = self.removed[name]
            return Diagnostic("H018", diagnostic.place, {"name": what}, None, diagnostic.clause, (place,))
        if diagnostic.severity != "error" and diagnostic.code not in ALL_VARIANT_CODES or any(
            self.find_pack_of_file(place.path) is not None for place in (diagnostic.place, *diagnostic.also)
        ):
            return diagnostic
        entries = {path[:2] for known in (keys, places) for path, place in known.items() if place == diagnostic.place}
        there = [place for path, place in places.items() if path[:1] == ("house",) and path[1:3] in entries]
        behind = there[:1] or list(dict.fromkeys(change.place for change in self.changes if change.kind != "text"))
        return replace(diagnostic, also=(*diagnostic.also, *behind)) if len(behind) <= MAX_RELATED_CHANGES else diagnostic

    def find_change(self, data: Iterable[str]) -> PackChange | None:
        """Returns the last change of one of these data values, named as rules name them, or None."""
        named = [*data]
        return next((change for change in reversed(self.changes) if any(map(change.touches_value, named))), None)

    def find_pack_of_file(self, path: str) -> Pack | None:
        """Returns the pack that has a file with this path in messages, or None."""
        return next((pack for pack in self.packs if path in map(pack.bundle.display_path, pack.bundle.files)), None)

    # ------------------------------------------------------------ clauses and table

    def merge_clauses(self, register: ClauseIndex | None) -> ClauseIndex | None:
        """Returns the clause index of the game with the clauses of the packs merged in."""
        if register is None:
            return None
        found = {name: clause for name, clause in register.clauses.items() if name not in self.gone_clauses}
        for name, (value, place) in self.clauses.items():
            old = found.get(name, Clause(name, place))
            given = value if isinstance(value, dict) else {"text": value}
            found[name] = replace(old, place=place, text=given.get("text", old.text), excuse=given.get("excuse"),
                                  untested=given.get("untested", old.untested), others=tuple(given.get("as") or old.others))
        document = LocatedYaml(register.document.data, register.document.path, dict(register.document.keys), dict(register.document.values))
        for name, clause in found.items():
            if clause.others:                                      # removed clauses no longer state it
                found[name] = replace(clause, others=tuple(one for one in clause.others if one not in self.gone_clauses))
            document.keys[(name,)] = clause.place
        return ClauseIndex(found, document)

    def merge_table(self, document: LocatedYaml | None) -> LocatedYaml | None:
        """Returns the table configuration with the packs' colours, shapes and panels, without removed names."""
        if document is None:
            return None
        data = self.drop_removed_names(document.data)
        keys, values = dict(document.keys), dict(document.values)
        for pack, given in self.table:
            for section in ("colours", "shapes"):
                for kind, members in (given.get(section) or {}).items():
                    if kind not in data.setdefault(section, {}):
                        data[section][kind] = {}
                        keys[section, kind] = pack.key_place("table", section, kind)
                    data[section][kind].update(members)
                    for member in members:
                        keys[section, kind, member] = pack.key_place("table", section, kind, member)
            for n, panel in enumerate(given.get("panels") or []):
                same = [m for m, one in enumerate(data["panels"]) if panel.get("name") and one.get("name") == panel["name"]]
                at = same[0] if same else len(data["panels"])
                data["panels"][at : at + len(same)] = [panel]
                values["panels", at] = pack.place("table", "panels", n)
        return LocatedYaml(data, document.path, keys, values)

    def drop_removed_names(self, data: dict[str, Any]) -> dict[str, Any]:
        """Returns a table configuration without the states, defs and members that packs removed."""
        named = {name for name, (what, _) in self.removed.items() if what.split(" ")[0] in ("state", "def")}
        members = {what for what, _ in self.removed.values() if "." in what}

        def prune(value: Any) -> Any:
            if isinstance(value, list):
                kept = [prune(one) for one in value]
                return [one for one in kept if one is not None]
            if isinstance(value, str) and set(re.split(r"\s*[/+]\s*", value)) & named:
                return None
            if isinstance(value, dict) and value.get("of") in named:
                return None
            return {key: prune(one) for key, one in value.items()} if isinstance(value, dict) else value

        found: dict[str, Any] = {key: prune(value) for key, value in data.items()}
        for section in ("colours", "shapes"):
            for kind, given in (found.get(section) or {}).items():
                found[section][kind] = {member: value for member, value in given.items() if f"{kind}.{member}" not in members}
        return found


class ConflictTracker:
    """Detects conflicts between packs. The later of two packs that change the same thing must list it under `over`."""

    def __init__(self, findings: DiagnosticList) -> None:
        self.findings = findings
        self.by: dict[tuple[Hashable, ...], tuple[Pack, SourceSpan, Any]] = {}
        self.changed: dict[str, set[str]] = {}                     # pack -> names of what it changes
        self.met: set[tuple[str, str, str]] = set()                # used entries of `over`: pack, other pack, name

    def claim(self, pack: Pack, what: tuple[Any, ...], name: str, place: SourceSpan, value: Any = None) -> bool:
        """Records that a pack changes something. Returns False, with a diagnostic, if that conflicts with another change."""
        self.changed.setdefault(pack.name, set()).add(name)
        for known, (other, other_place, other_value) in list(self.by.items()):
            inside = known[: len(what)] == what or what[: len(known)] == known
            whole = what[0] == "rule" and known != what and 3 in (len(known), len(what))      # a replaced rule and a step of it
            if not inside or other is pack and not whole:
                continue
            if known == what and value is not None and value == other_value:
                return True
            if name in _as_name_list(pack.data.get("over", {}).get(other.name)):
                self.met.add((pack.name, other.name, name))
                continue
            if other is pack:
                self.findings.add("H024", place, name=name, also=(other_place,))
            else:
                self.findings.add("H003", place, hint="over", name=name, also=(other_place,), other=other.name)
            return False
        self.by[what] = (pack, place, value)
        return True

    def report_unused_overrides(self, packs: list[Pack]) -> None:
        """Reports names under `over` that match no change of the pack itself (W413), or of the other pack, if it is in use (W403)."""
        used = {pack.name for pack in packs}
        for pack in packs:
            own = self.changed.get(pack.name, set())
            for other, names in (pack.data.get("over") or {}).items():
                for n, name in enumerate(_as_name_list(names)):
                    place = pack.place("over", other, n) if isinstance(names, list) else pack.place("over", other)
                    if name not in own:
                        self.findings.add_with_suggestion("W413", place, did_you_mean(name, own), name=name)
                    elif other in used and (pack.name, other, name) not in self.met:
                        self.findings.add("W403", place, name=name, other=other)


def _as_name_list(value: Any) -> list[str]:
    return [] if value is None else [str(one) for one in value] if isinstance(value, list) else [str(value)]
