"""Finding games: by id among those that travel with Ludoglot, or by the path of a folder anywhere on disk."""

from __future__ import annotations

import difflib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...dsl.diagnostics.safe_read import read_text

RULES_FOLDER = Path(__file__).resolve().parents[2] / "rules"          # beside dsl/ and engine/, in a checkout and in a wheel
GAME_FILE = "game.yaml"
MIN_NAME_SIMILARITY = 0.7                          # how much of a name must be the same, to suggest another
FORMER_FINGERPRINTS_FILE = "former.yaml"               # beside it: what earlier versions of Ludoglot called the meaning of the same rules


@dataclass(frozen=True)
class GameLocation:
    """A game's folder, and how it is called: `name` is what was asked for (an id or a path), `shown` how messages write the folder."""

    name: str
    folder: Path
    shown: str

    @property
    def name_in_saves(self) -> str:
        """How a save names it: the id of a game that travels with Ludoglot, the full path of any other."""
        return self.name if self.folder == RULES_FOLDER / self.name else str(self.folder.resolve())


class UnknownGameError(Exception):
    """No game by this name or path; `meant` is the id that was most likely wanted, or None."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name
        begun = [one for one in list_game_ids() if len(name) > 2 and one.startswith(name)]
        near = begun or difflib.get_close_matches(name, list_game_ids(), 1, MIN_NAME_SIMILARITY)
        self.meant = near[0] if near else None


def list_game_ids() -> list[str]:
    """The ids of the games that travel with Ludoglot."""
    return sorted(path.parent.name for path in RULES_FOLDER.glob(f"*/{GAME_FILE}"))


def find_game_location(name: str) -> GameLocation:
    """The game called `name`, an id or a path. Raises UnknownGame."""
    if name in list_game_ids():
        return GameLocation(name, RULES_FOLDER / name, format_path(RULES_FOLDER / name))
    try:
        path = Path(name).expanduser()
        if path.name == GAME_FILE and path.is_file():
            path = path.parent
        if (path / GAME_FILE).is_file():
            return GameLocation(name, path, format_path(path))
    except (OSError, ValueError, RuntimeError):                    # too long, a NUL in it, the folder of somebody unknown
        pass
    raise UnknownGameError(name)


def former_fingerprints(folder: Path) -> frozenset[str]:
    """What earlier versions of Ludoglot called the meaning of these rules: saves that name one of them go on. Only a game that travels with
    Ludoglot can know."""
    path = folder / FORMER_FINGERPRINTS_FILE
    if folder.parent != RULES_FOLDER or not path.is_file():
        return frozenset()
    return frozenset(re.findall(r"\b[0-9a-f]{16}\b", read_text(path)))


def format_path(path: Path) -> str:
    """A path as messages write it: relative where that is shorter to read, always with forward slashes."""
    full = path.resolve()
    here = Path.cwd()
    short = full.relative_to(here) if full.is_relative_to(here) and full != here else path
    return str(short).replace(os.sep, "/")


def format_place(path: str, line: int) -> str:
    """A line of a file as people read it: a file of an installed game by its path below the folder of the program."""
    inside = Path(path)
    if inside.is_absolute() and inside.is_relative_to(RULES_FOLDER):
        path = inside.relative_to(RULES_FOLDER.parent).as_posix()
    return f"{path}:{line}"


def describe_game(path: Path) -> dict[str, Any] | None:
    """The game of a main file as `games --json` lists it; None when the file cannot be read."""
    from ...dsl.diagnostics.diagnostic import DiagnosticList
    from ...dsl.yaml.located_yaml import read_yaml
    document = read_yaml(path, DiagnosticList())
    if document is None or not isinstance(document.data, dict) or "name" not in document.data:
        return None
    data = document.data
    low, _, high = str(data.get("players", "")).partition("..")
    options = data.get("options") or {}
    return {"id": path.parent.name, "version": data.get("version", 1), "name": str(data["name"]),
            "players": [int(low or 0), int(high or low or 0)],
            "options": {key: {"values": raw.get("values"), "default": raw.get("default")} for key, raw in options.items()}}
