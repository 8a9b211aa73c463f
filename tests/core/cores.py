"""The core of a game of a folder, or of a text."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from folders import filled
from ludoglot.dsl.check.checker import check
from ludoglot.dsl.core.lower import lower
from ludoglot.dsl.core.program import Program
from ludoglot.dsl.diagnostics.diagnostic import Findings
from ludoglot.dsl.game.ruleset import settings_of
from ludoglot.dsl.packs.source import Source, read_game
from ludoglot.dsl.reading.build_model import make_model
from ludoglot.dsl.syntax.parse import parse_file


def read(folder: Path) -> tuple[Source, dict[str, Any]]:
    """The data of a game and its options as they are without a word about them."""
    findings = Findings()
    source = read_game(folder, findings, folder.name)
    assert source is not None, findings.items
    return source, settings_of(source, {}, findings)


def core_of(folder: Path, players: int | None = None, settings: dict[str, Any] | None = None) -> tuple[Program, dict[str, str]]:
    """The core of a game, and its rule files by the path that is shown for them."""
    findings = Findings()
    source, usual = read(folder)
    model = make_model(source, players or source.player_range[0], {**usual, **(settings or {})}, findings)
    assert model is not None, findings.items
    paths = {f"{source.shown}/{name}": folder / name for name in model.rule_files}
    checked = check(model, [(shown, parse_file(path, findings, shown)) for shown, path in paths.items()], findings)
    assert not findings.errors, findings.items
    return lower(checked), {shown: path.read_text(encoding="utf-8") for shown, path in paths.items()}


def core_of_text(data: str, rules: str, players: int | None = None) -> tuple[Program, dict[str, str]]:
    with tempfile.TemporaryDirectory() as name:
        return core_of(filled(Path(name) / "toy", {"game.yaml": data, "toy.rules": rules}), players)
