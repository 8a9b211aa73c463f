"""Find games: by id among the installed games, or by the path of a folder."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ...dsl.diagnostics.diagnostic import DiagnosticList, did_you_mean
from ...dsl.diagnostics.safe_read import read_text
from ..errors import UsageError

RULES_FOLDER = Path(__file__).resolve().parents[2] / "rules"          # next to dsl/ and engine/, in a checkout and in a wheel
GAME_FILE = "game.yaml"
FORMER_FINGERPRINTS_FILE = "former.yaml"               # in the game's folder: rules fingerprints of earlier versions of Ludoglot


@dataclass(frozen=True)
class GameLocation:
    """The location of a game. `name` is the id or path that the user gave, `shown` the folder as messages print it."""

    name: str
    folder: Path
    shown: str

    @cached_property
    def name_in_saves(self) -> str:
        """The game's name in saves: the id of an installed game, the full path of any other."""
        return self.name if self.folder == RULES_FOLDER / self.name else str(self.folder.resolve())


class UnknownGameError(UsageError):
    """There is no game with this name or path."""


def list_game_ids() -> list[str]:
    """Returns the ids of the games that come with Ludoglot."""
    return sorted(path.parent.name for path in RULES_FOLDER.glob(f"*/{GAME_FILE}"))


def find_game_location(name: str) -> GameLocation:
    """Returns the location of the game `name`, an id or a path. Raises UnknownGameError."""
    if name in list_game_ids():
        return GameLocation(name, RULES_FOLDER / name, format_path(RULES_FOLDER / name))
    try:
        path = Path(name).expanduser()
        if path.name == GAME_FILE and path.is_file():
            path = path.parent
        if (path / GAME_FILE).is_file():
            return GameLocation(name, path, format_path(path))
    except (OSError, ValueError, RuntimeError):                    # name too long, NUL character, unknown home folder
        pass
    if "/" in name or os.sep in name:
        raise UnknownGameError("usage.no_game_there" if path_exists(name) else "usage.no_folder", name=name)
    begun = [one for one in list_game_ids() if len(name) > 2 and one.startswith(name)]
    if wanted := begun[0] if begun else did_you_mean(name, list_game_ids()):
        raise UnknownGameError("usage.game_meant", name=name, wanted=wanted)
    raise UnknownGameError("usage.game", name=name)


def has_local_namesake(name: str) -> bool:
    """Whether the working directory has a game in a folder that is named like a bundled game."""
    try:
        bundled, here = RULES_FOLDER / name / GAME_FILE, Path(name) / GAME_FILE
        return name == Path(name).name and bundled.is_file() and here.is_file() and not here.samefile(bundled)
    except (OSError, ValueError):
        return False


def path_exists(name: str) -> bool:
    """Whether there is a file or a folder with this path."""
    try:
        return Path(name).expanduser().exists()
    except (OSError, ValueError, RuntimeError):
        return False


def former_fingerprints(folder: Path) -> frozenset[str]:
    """Returns the fingerprints that earlier versions of Ludoglot gave these rules, so that their saves still load.

    Only installed games have them."""
    path = folder / FORMER_FINGERPRINTS_FILE
    if folder.parent != RULES_FOLDER or not path.is_file():
        return frozenset()
    return frozenset(re.findall(r"\b[0-9a-f]{16}\b", read_text(path)))


def format_path(path: Path) -> str:
    """Formats a path for messages: relative to the working directory if it is inside, always with forward slashes."""
    full = path.resolve()
    here = Path.cwd()
    short = full.relative_to(here) if full.is_relative_to(here) and full != here else path
    return str(short).replace(os.sep, "/")


def format_place(path: str, line: int) -> str:
    """Formats file and line for people. A file of an installed game is shown relative to the program's folder."""
    inside = Path(path)
    if inside.is_absolute() and inside.is_relative_to(RULES_FOLDER):
        path = inside.relative_to(RULES_FOLDER.parent).as_posix()
    return f"{path}:{line}"


def describe_game(path: Path) -> dict[str, Any] | None:
    """Returns the description of a game for `games --json`, or None if its main file cannot be read."""
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
