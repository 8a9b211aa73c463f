"""The whole pipeline, in one place: folder → YAML → model → trees → checked program → core → compiled module.

read_game      YAML with places, schemas                     packs/
lay_packs      house rules over data and trees               packs/
variant        one number of players, one setting            variants.py
  make_model   enumerations, boards, tables                  reading/
  parse_file   rule files to trees                           syntax/
  check        names and types                               check/
  lower        trees to the core                             core/
  analyse      effects, secrecy                              analysis/
  place_start  first values of states                        storage/
write_module   the core to Python blocks                     compile/
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ..backend_python.module import Module, Simulation, write_module, write_simulation
from ..core.fingerprint import meaning
from ..core.program import Routine
from ..diagnostics.diagnostic import Findings, Place, Refused, did_you_mean
from ..model.model import Model
from ..packs import Bundle, lay_packs
from ..packs.source import Source, read_game
from ..storage.control_slots import CONTROL
from .variants import Checking, Variant


@dataclass
class Ruleset(Variant):
    """One game, compiled for one number of players, one setting of its options and its house rules."""

    module: Module
    warnings: list[Any]

    def simulation(self) -> Simulation:
        """The same rules compiled without cuts, for playing many random games."""
        return write_simulation(self.facts, self.module.initial[CONTROL : self.module.layout.states_end])

    @cached_property
    def shown(self) -> Mapping[str, tuple[Routine, Callable[..., Any] | None]]:
        return self.module.shown

    @property
    def folder(self) -> Path:
        return self.source.folder

    @property
    def id(self) -> str:
        return self.model.game

    @property
    def players(self) -> int:
        return self.model.players

    def meaning(self) -> str:
        """A hash of what the rules do (not of their text, nor of how they are compiled): saves refuse to go on with other rules."""
        first = [(state.name, *cell.plain(self.module.initial)) for state, cell in self.layout.cells.items()]
        return hashlib.sha256(f"{meaning(self.program)} {first!r}".encode()).hexdigest()[:16]

    @cached_property
    def form(self) -> str:
        """A hash of how the rules were compiled: what lies where in a position is the same only for one form."""
        digest = hashlib.sha256(ast.unparse(self.module.tree()).encode())
        digest.update(repr(self.module.initial).encode())
        return digest.hexdigest()[:16]


def load(
    folder: Path | str,
    players: int | None = None,
    settings: dict[str, Any] | None = None,
    houses: Sequence[Path | Bundle] | None = None,
    shown: str | None = None,
) -> Ruleset:
    """The ruleset of a game folder. Raises Refused with all findings when something is wrong."""
    findings = Findings()
    ruleset = try_load(Path(folder), findings, players, settings or {}, houses or [], shown)
    if ruleset is None:
        raise Refused(findings)
    return ruleset


def try_load(
    folder: Path,
    findings: Findings,
    players: int | None = None,
    settings: dict[str, Any] | None = None,
    houses: Sequence[Path | Bundle] | None = None,
    shown: str | None = None,
) -> Ruleset | None:
    """As load, with the findings in `findings`; None when there are errors."""
    source = read_game(folder, findings, shown)
    if source is None:
        return None
    lay_packs(source, houses or [], findings)
    if findings.errors:
        return None
    chosen = settings_of(source, settings or {}, findings)
    low, high = source.player_range
    if players is not None and not low <= players <= high:
        findings.add("G020", source.place("players"), found=players, low=low, high=high)
    if findings.errors:
        return None
    return build(source, players or low, chosen, findings)


def settings_of(source: Source, given: dict[str, Any], findings: Findings) -> dict[str, Any]:
    """The options as the game declares them, from what was asked for (text or values)."""
    chosen: dict[str, Any] = {}
    options = source.data["options"]
    for name, value in given.items():
        if name not in options:
            findings.slip("G021", Place(source.shown), did_you_mean(name, options), name=name)
            continue
        fitting = [v for v in options[name]["values"] if str(v).lower() == str(value).lower()]
        if not fitting:
            findings.add(
                "G022", Place(source.shown), name=name, found=value, wanted=", ".join(str(v).lower() for v in options[name]["values"])
            )
            continue
        chosen[name] = fitting[0]
    return {name: chosen.get(name, raw["default"]) for name, raw in options.items()}


def build(source: Source, players: int, settings: dict[str, Any], findings: Findings) -> Ruleset | None:
    """From raw data on: one variant, checked and compiled."""
    return None if findings.errors else build_another(Checking(source, findings, exact=True), players, settings)


def build_another(checking: Checking, players: int, settings: dict[str, Any]) -> Ruleset | None:
    """A variant of a game, where others of it may have been checked before."""
    variant = checking.variant(players, settings)
    return compiled(variant, checking.findings) if variant is not None else None


def rule_files(source: Source, model: Model) -> dict[str, str]:
    """Where the rule files lie, by how messages write them."""
    return {f"{source.shown}/{name}": str((source.folder / name).resolve()) for name in model.rule_files}


def compiled(variant: Variant, findings: Findings) -> Ruleset | None:
    """A checked variant compiled, one that is exact; None with a finding when it is too large for Python."""
    assert variant.exact
    try:
        module = write_module(variant.facts, variant.layout, rule_files(variant.source, variant.model))
    except (RecursionError, SyntaxError, MemoryError):             # Python has limits too: twenty loops in each other, for one
        findings.add("R402", Place(variant.model.path))
        return None
    module.prime()
    warnings = [found for found in findings.items if found.severity == "warning"]
    return Ruleset(variant.source, variant.facts, variant.layout, variant.settings, module, warnings)
