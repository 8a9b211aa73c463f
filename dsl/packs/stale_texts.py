"""Checks whether texts still match the rules.

| text             | related rules or data   | result                                         |
|------------------|-------------------------|------------------------------------------------|
| changed          | unchanged               | error: the new text is wrong                   |
| unchanged        | changed                 | warning: the old text is void and shown as struck    |
| listed in `fits` | any                     | accepted: the pack says that the text is right |"""

from __future__ import annotations

from ..diagnostics.diagnostic import DiagnosticList, SourceSpan, did_you_mean
from ..yaml.clause_index import ClauseIndex, read_clause_index
from .anchors import collect_cited_clauses, declaration_key, member_of_case
from .data_paths import text_key, value_names, value_path
from .manifest import Pack
from .overlay import PackOverlay
from .rule_patches import RulePatcher, iter_names
from .source import TEXT_KEYS, GameSource


def check_texts(source: GameSource, overlay: PackOverlay, rules: RulePatcher, findings: DiagnosticList) -> None:
    """Compares the texts of each pack with its changes."""
    asked = rules.clauses or overlay.clauses or overlay.gone_clauses or any(pack.names_under("fits") for pack in overlay.packs)
    register = read_clause_index(source.folder, DiagnosticList(), source.shown) if asked else None     # its errors are reported elsewhere
    check_fits_names(source, overlay, register, findings)
    check_member_texts(source, overlay, rules, findings)
    if register is not None:
        for name, place in overlay.gone_clauses.items():
            if name not in register.clauses:
                findings.add_with_suggestion("H009", place, did_you_mean(name, register.clauses), name=name)
        check_clause_texts(register, overlay, rules, findings)


def check_fits_names(source: GameSource, overlay: PackOverlay, register: ClauseIndex | None, findings: DiagnosticList) -> None:
    """Reports entries of `fits` that are neither a text nor a clause of the game."""
    named = [(pack, n, name) for pack in overlay.packs for n, name in enumerate(pack.names_under("fits"))]
    clauses = {*(register.clauses if register is not None else ()), *overlay.clauses}
    for pack, n, name in named:
        where = value_path(source, name)
        if name not in clauses and (where is None or text_key(where) is None):
            texts = [path for path in value_names(source) if path.endswith(TEXT_KEYS)]
            meant = did_you_mean(name, [*texts, *clauses])
            place = pack.place("fits", n) if isinstance(pack.data["fits"], list) else pack.place("fits")
            findings.add_with_suggestion("W409", place, meant, name=name)


def check_clause_texts(register: ClauseIndex, overlay: PackOverlay, rules: RulePatcher, findings: DiagnosticList) -> None:
    """Checks the sentences of clauses: new ones without a rule change, and old ones with one."""
    with_text = {name for name, clause in register.clauses.items() if clause.text}
    lines = {clause for _, clause, _ in rules.clauses}
    for pack in overlay.packs:
        fits, said = (
            set(pack.names_under("fits")),
            {clause for clause in overlay.clauses if overlay.texts.owner.get(f"clause.{clause}") == pack.name},
        )
        names = collect_data_names(pack)
        for clause in sorted((said & with_text) - fits - lines):
            behind = [one for one in rules.all.values() if clause in collect_cited_clauses(one.node)]
            new = any(clause in collect_cited_clauses(node) for one in rules.all.values() for node in one.list_inserted_nodes())
            touched = rules.touched.get(pack.name, set())
            moved = any(one.is_changed or declaration_key(one.node)[1] in touched or names & set(iter_names(one.node)) for one in behind)
            text = str(overlay.texts.source[f"clause.{clause}"])
            if behind and not (new or moved or any("{" + name in text for name in names)):
                findings.add("H013", overlay.clauses[clause][1], name=clause)
    old = with_text - overlay.clauses.keys() - overlay.gone_clauses.keys() - overlay.left_out.keys()
    void: dict[SourceSpan, list[str]] = {}
    for pack, clause, place in rules.clauses:
        if clause in old - set(pack.names_under("fits")):
            void.setdefault(place, []).append(clause)
            overlay.void.setdefault(clause, (pack.name, place))
    for place, clauses in void.items():
        listed = ", ".join(clauses)
        findings.add("W401", place, hint="fits", name=listed, names=listed)


def collect_data_names(pack: Pack) -> set[str]:
    """Returns the names of data that a pack changes: numbers, tables, members and their attributes."""
    found: set[str] = set()
    for name in [*(pack.data.get("set") or {}), *(pack.data.get("add") or {}), *pack.names_under("remove")]:
        parts = str(name).split(".")
        if parts[-1] not in TEXT_KEYS:
            found |= {parts[0]} if len(parts) < 3 and parts[0] != "start" else set(parts[1:])
    for entries in (pack.data.get("add") or {}).values():
        found |= set(entries) if isinstance(entries, dict) else set()
    return found


def check_member_texts(source: GameSource, overlay: PackOverlay, rules: RulePatcher, findings: DiagnosticList) -> None:
    """Checks the texts of members in the same way."""
    for pack in overlay.packs:
        fits = set(pack.names_under("fits"))
        said = {str(name) for name in pack.data.get("set") or {}}
        touched = rules.touched.get(pack.name, set())
        values = {name.split(".")[1] for name in said if name.count(".") == 2 and not name.endswith((".name", ".text"))}
        numbers = {name.split(".")[0] for name in said if not name.endswith((".name", ".text"))}
        numbers |= set((pack.data.get("add") or {}).get("numbers") or {})
        for name in sorted(said - fits):
            where = value_path(source, name)
            if not name.endswith(".text") or where is None or len(where) != 5:
                continue
            member = str(where[3])
            spoken_of = member in touched | values or any(key.endswith(f"[{member}]") for key in touched)
            if not spoken_of and not any("{" + number in str(pack.data["set"][name]) for number in numbers):
                findings.add("H013", pack.key_place("set", name), name=name)
        for owner, node, place in rules.effects:
            effect = member_of_case(node)
            if owner is not pack or effect is None:
                continue
            for section, inner in (("enums", "members"), ("pieces", "copies")):
                for domain, found in source.data[section].items():
                    entry = found[inner].get(effect) if isinstance(found, dict) else None
                    name = f"{domain}.{effect}.text"
                    if not isinstance(entry, dict) or "text" not in entry or name in said | fits:
                        continue
                    if value_path(source, name) is not None and text_key((section, domain, inner, effect, "text")) == name:
                        findings.add("W401", place, hint="fits", name=name, names=name)
                        overlay.outdated.setdefault(name, (pack.name, place))
