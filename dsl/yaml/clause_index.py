"""The clause index: `clauses.yaml` in the directory of a game, which records what became of each rulebook clause.

    EVO-DEV-07: "Play one card in each go."              rules cite this clause; its sentence
    EVO-COMP-03: {excuse: component}                     no rule cites it, for one of a fixed list of reasons
    EVO-HUNGER-03: {excuse: same, as: [EVO-HUNGER-07]}   it adds nothing to these clauses
    EVO-SETUP-05: {text: "…", untested: chance}          cited, but no scenario can show it
    EVO-DEV-08: {text: "…", was: EVO-SETUP-08}           its earlier name, which packs and scenarios may still use
    MKT-VAR-03: {text: "…", players: 2}                  it applies to games of two
    MKT-VAR-03: {text: "…", players: 2, headed: true}    a heading of the rulebook says so, not the sentence
    MKT-VAR-04: {text: "…", pictured: true}              the rulebook has an example for it
    MKT-VAR-02: {text: "…", with: {weather: {rain: "…"}}}  its sentence for this value of an option; null: none

The reasons are listed in schemas/clauses.json and nowhere else. The file is optional."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ..diagnostics.diagnostic import DiagnosticList, SourceSpan, did_you_mean, find_suggestions
from ..diagnostics.safe_read import read_text
from ..types.boards import parse_span
from .located_yaml import LocatedYaml
from .option_clauses import iter_option_sentences
from .schema import load_schema, read_valid

CLAUSES_FILE = "clauses.yaml"
CLAUSE_PATTERN = re.compile(r"[A-Z0-9]+(-[A-Z0-9]+)*")                        # a clause or a family of clauses


@dataclass(frozen=True)
class Clause:
    """One entry of a clause index.

    * `text`: its sentence, if rules cite it. `excuse`: the reason why none does.
    * `untested`: the reason why no scenario shows it. `others`: clauses that already say the same.
    * `silent`: pairs of an option and a value with which it says nothing."""

    id: str
    place: SourceSpan
    text: str | None = None
    excuse: str | None = None
    untested: str | None = None
    others: tuple[str, ...] = ()
    was: tuple[str, ...] = ()                                      # earlier names
    players: tuple[int, int] | None = None                         # smallest and largest number it applies to
    silent: frozenset[tuple[str, str]] = frozenset()
    pictured: bool = False                                         # the rulebook has an example for it
    headed: bool = False                                           # a heading states the number of players, the sentence does not

    def applies_to(self, players: int | None) -> bool:
        """Whether it applies to a game with this number of players. None means any number."""
        return players is None or self.players is None or self.players[0] <= players <= self.players[1]


@dataclass(frozen=True)
class ClauseIndex:
    """The clauses of a game, in the order of its rulebook."""

    clauses: dict[str, Clause]
    document: LocatedYaml

    @cached_property
    def current_names(self) -> dict[str, str]:
        """Maps earlier names of clauses to current ones."""
        return {old: clause.id for clause in self.clauses.values() for old in clause.was if old not in self.clauses}


def list_reasons(word: str = "untested") -> list[str]:
    """Returns the allowed reasons of a kind: `excuse`, `untested` (all reasons), or `leaning` (those that need `as`)."""
    return list(load_schema("clauses")["$defs"][word]["enum"])


def read_clause_index(folder: Path, findings: DiagnosticList, display_path: str | None = None) -> ClauseIndex | None:
    """Reads the clause index of a game directory. Returns None if it is missing or invalid."""
    path = folder / CLAUSES_FILE
    if not path.is_file():
        return None
    document = read_valid(path, "clauses", findings, f"{display_path or folder}/{CLAUSES_FILE}")
    if document is None:
        return None
    return ClauseIndex({str(key): _parse_clause(str(key), value, document) for key, value in document.data.items()}, document)


def _parse_clause(key: str, value: Any, document: LocatedYaml) -> Clause:
    """Builds a clause from its entry."""
    place = document.key_place(key)
    if not isinstance(value, Mapping):
        return Clause(key, place, text=value)
    return Clause(
        key,
        place,
        value.get("text"),
        value.get("excuse"),
        value.get("untested"),
        tuple(value.get("as") or ()),
        _as_tuple(value.get("was")),
        parse_span(value["players"]) if value.get("players") is not None else None,
        frozenset((option, said) for option, said, text in iter_option_sentences(value) if text is None),
        value.get("pictured", False),
        value.get("headed", False),
    )


def _as_tuple(value: Any) -> tuple[str, ...]:
    return () if value is None else (value,) if isinstance(value, str) else tuple(value)


def read_clause_renames(folder: Path) -> dict[str, str]:
    """Maps earlier names of clauses to current ones, for a game directory. Fast if the game renamed none."""
    try:
        if "was:" not in read_text(folder / CLAUSES_FILE):
            return {}
    except (OSError, ValueError):
        return {}
    register = read_clause_index(folder, DiagnosticList())
    return register.current_names if register is not None else {}


def check_clause_index(register: ClauseIndex, cited: Mapping[str, list[SourceSpan]], findings: DiagnosticList) -> None:
    """Compares the clause index with the clauses that rules cite (clause → spans). No problem here prevents play."""
    clauses, document = register.clauses, register.document
    known = {*clauses, *clause_families(clauses)}
    waiting = {clause.id for clause in clauses.values() if not clause.excuse and clause.id not in cited}
    for name, places in cited.items():
        for place in places if name not in known else ():
            near = find_suggestions(name, known)
            meant = register.current_names.get(name) or next((one for one in near if one in waiting), None) or next(iter(near), None)
            findings.add_with_suggestion("C001", place, meant, name=name)
    for clause in clauses.values():
        if clause.excuse and clause.id in cited:
            findings.add("C002", document.place(clause.id, "excuse"), also=tuple(cited[clause.id][:1]), name=clause.id)
        elif clause.id in cited and not clause.text:
            findings.add("W302", clause.place, name=clause.id)
        elif not clause.excuse and clause.id not in cited:
            added = clause.place.path != document.path              # from a pack, perhaps a misspelt clause of the game
            findings.add_with_suggestion("W301", clause.place, did_you_mean(clause.id, cited) if added else None, name=clause.id)
        for n, old in enumerate(clause.was):
            if old in clauses or register.current_names[old] != clause.id:
                findings.add("C006", document.place(clause.id, "was", n), name=old, now=clause.id,
                             also=(clauses[old if old in clauses else register.current_names[old]].place,))
        for n, other in enumerate(clause.others):
            place = document.place(clause.id, "as", n)
            if other not in clauses:
                findings.add_with_suggestion("C003", place, did_you_mean(other, clauses), name=other)
            elif other not in cited:
                findings.add("C004", place, name=other)


def check_clause_form(cited: Mapping[str, list[SourceSpan]], findings: DiagnosticList) -> None:
    """Checks that cited clauses look like clauses, for games without a clause index."""
    known = [name for name in cited if CLAUSE_PATTERN.fullmatch(name)]
    for name, places in cited.items():
        for place in places if not CLAUSE_PATTERN.fullmatch(name) else ():
            corrected = re.sub(r"[\W_]+", "-", name).strip("-").upper()
            findings.add_with_suggestion("C007", place, did_you_mean(name, known) or corrected, name=name)


def check_option_clauses(register: ClauseIndex, options: Mapping[str, Any], findings: DiagnosticList) -> None:
    """Checks the options and values under `with` of each clause."""
    for key, value in register.document.data.items():
        for option, chosen, _ in iter_option_sentences(value):
            values = [str(one).lower() for one in options[option]["values"]] if option in options else []
            if option not in options:
                findings.add_with_suggestion(
                    "G021", register.document.key_place(key, "with", option), did_you_mean(option, options), name=option
                )
            elif chosen.lower() not in values:
                place = register.document.key_place(key, "with", option, chosen)
                findings.add_with_suggestion(
                    "G022", place, did_you_mean(chosen, values), name=option, found=chosen, wanted=", ".join(values)
                )


def check_scenario_clauses(register: ClauseIndex, clauses: Iterable[tuple[str, SourceSpan]], findings: DiagnosticList) -> None:
    """Checks the clauses that scenarios claim to show: (clause, span) each."""
    for name, place in clauses:
        if name in register.current_names:
            findings.add("W303", place, name=name, now=register.current_names[name])
        elif name not in register.clauses:
            findings.add_with_suggestion("C005", place, did_you_mean(name, register.clauses), name=name)


def clause_families(clauses: Iterable[str]) -> set[str]:
    """Returns the families of clauses, which heads of rules may cite too. MKT-BUY-01 belongs to MKT-BUY and MKT."""
    found: set[str] = set()
    for name in clauses:
        parts = name.split("-")
        found |= {"-".join(parts[:n]) for n in range(1, len(parts))}
    return found
