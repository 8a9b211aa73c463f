"""Find house-rule packs by name in the folder `house` of the user's Ludoglot data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs

from ...dsl.diagnostics.diagnostic import DiagnosticList
from ...dsl.diagnostics.safe_read import FileTooLargeError, read_text
from ...dsl.packs.bundle import MAIN_FILE
from ...dsl.packs.manifest import HARMLESS_YAML_CODES
from ...dsl.yaml.located_yaml import parse_yaml


@dataclass(frozen=True)
class InstalledPack:
    """An installed pack: its name, its game, and its description (one text, or one per language)."""

    name: str
    game: str
    path: Path
    text: Any = ""

    def description_in(self, lang: str) -> str:
        """Returns the description in a language, otherwise in English, otherwise in any language."""
        if isinstance(self.text, dict):
            return str(self.text.get(lang) or self.text.get("en") or next(iter(self.text.values()), ""))
        return str(self.text or "")


def packs_folder() -> Path:
    """Returns the folder that contains the user's packs."""
    return Path(platformdirs.user_data_dir("ludoglot", appauthor=False)) / "house"


def iter_installed_packs(game: str | None = None) -> Iterator[InstalledPack]:
    """Yields the packs in the user's folder, sorted by file name. `game` limits them to one game."""
    yield from iter_packs(packs_folder(), game)


def iter_packs(folder: Path, game: str | None = None) -> Iterator[InstalledPack]:
    """Yields the packs in a folder, sorted by file name. `game` limits them to one game. Other files are skipped."""
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        main = path / MAIN_FILE if path.is_dir() else path
        if main.suffix != ".yaml" or not main.is_file():
            continue
        data = read_main_data(main)
        if isinstance(data.get("house"), str) and isinstance(data.get("for"), str) and game in (None, data["for"]):
            yield InstalledPack(data["house"], data["for"], path, data.get("text"))


def read_main_data(path: Path) -> dict[str, Any]:
    """Returns the data in the main file of a pack, or {} if it cannot be read."""
    try:
        text = read_text(path)
    except (FileTooLargeError, OSError, ValueError):
        return {}
    document = parse_yaml(text, str(path), DiagnosticList(), harmless=HARMLESS_YAML_CODES)
    return document.data if document is not None and isinstance(document.data, dict) else {}


def find_game_of_pack(pack: Path) -> str | None:
    """Returns the game that a pack is for, or None if it names none."""
    found = read_main_data(pack / MAIN_FILE if pack.is_dir() else pack).get("for")
    return found if isinstance(found, str) else None


def find_pack(name: str) -> Path | None:
    """Returns the path of the installed pack with this name or file name, or None."""
    return next((pack.path for pack in iter_installed_packs() if name in (pack.name, pack.path.stem)), None)
