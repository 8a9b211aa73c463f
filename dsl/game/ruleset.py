"""The whole pipeline: directory → YAML → model → trees → checked program → core → compiled module.

    read_game                      YAML with spans, schemas            packs/
    apply_packs                    packs over data and trees           packs/
    VariantChecker.check_variant   one number of players, one setting  variants.py
      make_model                   enumerations, boards, tables        model/
      parse_file                   rule files to trees                 syntax/
      check                        names and types                     check/
      lower                        trees to the core                   core/
      analyse                      effects, information flow           analysis/
      write_initial_values         first values of states              storage/
    write_module                   core to IR to Python blocks         lowering/, backend_python/"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.fingerprint import rules_fingerprint
from ..core.program import Routine
from ..diagnostics.diagnostic import DiagnosticList, RulesRejectedError, SourceSpan, did_you_mean
from ..model.model import GameModel
from ..packs import PackBundle, apply_packs
from ..packs.source import GameSource, format_player_range, read_game
from .variants import Variant, VariantChecker

if TYPE_CHECKING:
    from ..backend_python.module import PythonModule


@dataclass
class Ruleset(Variant):
    """One game, compiled for one number of players, one setting of its options, and its packs."""

    module: PythonModule
    warnings: list[Any]

    @cached_property
    def public_defs(self) -> Mapping[str, tuple[Routine, Callable[..., Any] | None]]:
        """The defs that texts and tables may use, with their compiled functions."""
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

    def rules_fingerprint(self) -> str:
        """Returns a hash of what the rules do, independent of their text and of how they are compiled.

        A save can only continue with rules of the same fingerprint."""
        first = [(state.name, *cell.list_canonical_entries(self.module.initial)) for state, cell in self.layout.cells.items()]
        return hashlib.sha256(f"{rules_fingerprint(self.program)} {first!r}".encode()).hexdigest()[:16]

    @cached_property
    def layout_fingerprint(self) -> str:
        """A hash of the compiled code and its initial position. The layout of positions is only valid for one such hash."""
        digest = hashlib.sha256(ast.unparse(self.module.tree()).encode())
        digest.update(repr(self.module.initial).encode())
        return digest.hexdigest()[:16]


def load_ruleset(
    folder: Path | str,
    players: int | None = None,
    settings: dict[str, Any] | None = None,
    pack_sources: Sequence[Path | PackBundle] | None = None,
    display_path: str | None = None,
) -> Ruleset:
    """Returns the ruleset of a game directory. Raises RulesRejectedError with all diagnostics if it has errors."""
    findings = DiagnosticList()
    ruleset = try_load_ruleset(Path(folder), findings, players, settings or {}, pack_sources or [], display_path)
    if ruleset is None:
        raise RulesRejectedError(findings)
    return ruleset


def try_load_ruleset(
    folder: Path,
    findings: DiagnosticList,
    players: int | None = None,
    settings: dict[str, Any] | None = None,
    pack_sources: Sequence[Path | PackBundle] | None = None,
    display_path: str | None = None,
) -> Ruleset | None:
    """Returns the ruleset of a game directory, or None, with diagnostics, if it has errors."""
    source = read_game(folder, findings, display_path)
    if source is None:
        return None
    apply_packs(source, pack_sources or [], findings)
    if findings.errors:
        return None
    chosen = resolve_settings(source, settings or {}, findings)
    low, high = source.player_range
    if players is not None and not low <= players <= high:
        findings.add("G020", source.place("players"), found=players, players=format_player_range(source))
    if findings.errors:
        return None
    return build_ruleset(source, players or low, chosen, findings)


def resolve_settings(source: GameSource, chosen_settings: dict[str, Any], findings: DiagnosticList) -> dict[str, Any]:
    """Returns the values of all options, from the given ones (as text or values) and the defaults."""
    chosen: dict[str, Any] = {}
    options = source.data["options"]
    for name, value in chosen_settings.items():
        if name not in options:
            findings.add_with_suggestion("G021", SourceSpan(source.shown), did_you_mean(name, options), name=name)
            continue
        fitting = [v for v in options[name]["values"] if str(v).lower() == str(value).lower()]
        if not fitting:
            findings.add(
                "G022", SourceSpan(source.shown), name=name, found=value, wanted=", ".join(str(v).lower() for v in options[name]["values"])
            )
            continue
        chosen[name] = fitting[0]
    return {name: chosen.get(name, raw["default"]) for name, raw in options.items()}


def build_ruleset(source: GameSource, players: int, settings: dict[str, Any], findings: DiagnosticList) -> Ruleset | None:
    """Checks and compiles one variant of a game that was read."""
    return None if findings.errors else build_variant(VariantChecker(source, findings, exact=True), players, settings)


def build_variant(checking: VariantChecker, players: int, settings: dict[str, Any]) -> Ruleset | None:
    """Checks and compiles a variant with a checker that may know other variants of the game."""
    variant = checking.check_variant(players, settings)
    return compile_variant(variant, checking.findings) if variant is not None else None


def rule_file_paths(source: GameSource, model: GameModel) -> dict[str, str]:
    """Maps the paths of rule files in messages to absolute paths on disk."""
    return {f"{source.shown}/{name}": str((source.folder / name).resolve()) for name in model.rule_files}


def compile_variant(variant: Variant, findings: DiagnosticList) -> Ruleset | None:
    """Compiles a checked, exact variant. Returns None, with a diagnostic, if it is too large for Python."""
    from ..backend_python.module import compile_module  # the check of a game compiles nothing
    assert variant.exact
    try:
        module = compile_module(variant.facts, variant.layout, rule_file_paths(variant.source, variant.model))
    except (RecursionError, SyntaxError, MemoryError):             # Python has limits too, for example on nested loops
        findings.add("R402", SourceSpan(variant.model.path))
        return None
    module.build_initial_sets()
    warnings = [found for found in findings.items if found.severity == "warning"]
    return Ruleset(variant.source, variant.facts, variant.layout, variant.settings, module, warnings)
