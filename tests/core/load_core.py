"""Loads the core of a game from a folder or a text."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from ludoglot.dsl.check.checker import check_rules
from ludoglot.dsl.core.lower import lower_program
from ludoglot.dsl.core.program import Program
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.game.ruleset import resolve_settings
from ludoglot.dsl.model.build_model import make_model
from ludoglot.dsl.packs.source import GameSource, read_game
from ludoglot.dsl.syntax.parse import parse_file
from tmp_files import filled


def read_with_settings(folder: Path) -> tuple[GameSource, dict[str, Any]]:
    """Reads the data of a game and the defaults of its options."""
    findings = DiagnosticList()
    source = read_game(folder, findings, folder.name)
    assert source is not None, findings.items
    return source, resolve_settings(source, {}, findings)


def core_from_folder(folder: Path, players: int | None = None, settings: dict[str, Any] | None = None) -> tuple[Program, dict[str, str]]:
    """Returns the core of a game, and the text of its rule files by displayed path."""
    findings = DiagnosticList()
    source, usual = read_with_settings(folder)
    model = make_model(source, players or source.player_range[0], {**usual, **(settings or {})}, findings)
    assert model is not None, findings.items
    paths = {f"{source.shown}/{name}": folder / name for name in model.rule_files}
    checked = check_rules(model, [(shown, parse_file(path, findings, shown)) for shown, path in paths.items()], findings)
    assert not findings.errors, findings.items
    return lower_program(checked), {shown: path.read_text(encoding="utf-8") for shown, path in paths.items()}


def core_from_text(data: str, rules: str, players: int | None = None) -> tuple[Program, dict[str, str]]:
    with tempfile.TemporaryDirectory() as name:
        return core_from_folder(filled(Path(name) / "toy", {"game.yaml": data, "toy.rules": rules}), players)
