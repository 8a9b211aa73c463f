"""Packs of house rules found by their names: those in the folder `house` among what Ludoglot keeps for its user."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...dsl.diagnostics.diagnostic import DiagnosticList
from ...dsl.packs.bundle import MAIN_FILE
from ...dsl.yaml.located_yaml import read_yaml


@dataclass(frozen=True)
class InstalledPack:
    """A pack on the shelf: its name, its game, what it says of itself (a text, or one for each language)."""

    name: str
    game: str
    path: Path
    text: Any = ""

    def description_in(self, lang: str) -> str:
        """What it is about, in a language, or in one that there is."""
        if isinstance(self.text, dict):
            return str(self.text.get(lang) or self.text.get("en") or next(iter(self.text.values()), ""))
        return str(self.text or "")


def packs_folder() -> Path:
    """Where packs are looked for."""
    import platformdirs
    return Path(platformdirs.user_data_dir("ludoglot", appauthor=False)) / "house"


def iter_installed_packs(game: str | None = None) -> Iterator[InstalledPack]:
    """The packs in the user's folder, by name; only those of a game, if one is named. What is no pack is left out."""
    folder = packs_folder()
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        main = path / MAIN_FILE if path.is_dir() else path
        if main.suffix != ".yaml" or not main.is_file():
            continue
        document = read_yaml(main, DiagnosticList())
        data = document.data if document is not None and isinstance(document.data, dict) else {}
        if isinstance(data.get("house"), str) and isinstance(data.get("for"), str) and game in (None, data["for"]):
            yield InstalledPack(data["house"], data["for"], path, data.get("text"))


def find_pack(name: str) -> Path | None:
    """The pack of this name, or in a file of this name, in the user's folder."""
    return next((pack.path for pack in iter_installed_packs() if name in (pack.name, pack.path.stem)), None)
