"""Finding games: by id among those that travel with Ludoglot, or by the path of a folder anywhere on disk."""

from __future__ import annotations

import difflib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...dsl.diagnostics.safe_read import read_text

RULES = Path(__file__).resolve().parents[2] / "rules"          # beside dsl/ and engine/, in a checkout and in a wheel
MAIN = "game.yaml"
ALIKE = 0.7                          # how much of a name must be the same, to suggest another
FORMER = "former.yaml"               # beside it: what earlier versions of Ludoglot called the meaning of the same rules


@dataclass(frozen=True)
class Found:
    """A game's folder, and how it is called: `name` is what was asked for (an id or a path), `shown` how messages write the folder."""

    name: str
    folder: Path
    shown: str

    @property
    def name_in_saves(self) -> str:
        """How a save names it: the id of a game that travels with Ludoglot, the full path of any other."""
        return self.name if self.folder == RULES / self.name else str(self.folder.resolve())


class UnknownGame(Exception):
    """No game by this name or path; `meant` is the id that was most likely wanted, or None."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name
        begun = [one for one in installed() if len(name) > 2 and one.startswith(name)]
        near = begun or difflib.get_close_matches(name, installed(), 1, ALIKE)
        self.meant = near[0] if near else None


def installed() -> list[str]:
    """The ids of the games that travel with Ludoglot."""
    return sorted(path.parent.name for path in RULES.glob(f"*/{MAIN}"))


def find(name: str) -> Found:
    """The game called `name`, an id or a path. Raises UnknownGame."""
    if name in installed():
        return Found(name, RULES / name, shown(RULES / name))
    try:
        path = Path(name).expanduser()
        if path.name == MAIN and path.is_file():
            path = path.parent
        if (path / MAIN).is_file():
            return Found(name, path, shown(path))
    except (OSError, ValueError, RuntimeError):                    # too long, a NUL in it, the folder of somebody unknown
        pass
    raise UnknownGame(name)


def former(folder: Path) -> frozenset[str]:
    """What earlier versions of Ludoglot called the meaning of these rules: saves that name one of them go on. Only a game that travels with
    Ludoglot can know."""
    path = folder / FORMER
    if folder.parent != RULES or not path.is_file():
        return frozenset()
    return frozenset(re.findall(r"\b[0-9a-f]{16}\b", read_text(path)))


def shown(path: Path) -> str:
    """A path as messages write it: relative where that is shorter to read, always with forward slashes."""
    full = path.resolve()
    here = Path.cwd()
    short = full.relative_to(here) if full.is_relative_to(here) and full != here else path
    return str(short).replace(os.sep, "/")


def place_text(path: str, line: int) -> str:
    """A line of a file as people read it: a file of an installed game by its path below the folder of the program."""
    inside = Path(path)
    if inside.is_absolute() and inside.is_relative_to(RULES):
        path = inside.relative_to(RULES.parent).as_posix()
    return f"{path}:{line}"


def describe_game(path: Path) -> dict[str, Any] | None:
    """The game of a main file as `games --json` lists it; None when the file cannot be read."""
    from ...dsl.diagnostics.diagnostic import Findings
    from ...dsl.yaml.located_yaml import read_yaml
    document = read_yaml(path, Findings())
    if document is None or not isinstance(document.data, dict) or "name" not in document.data:
        return None
    data = document.data
    low, _, high = str(data.get("players", "")).partition("..")
    options = data.get("options") or {}
    return {"id": path.parent.name, "version": data.get("version", 1), "name": str(data["name"]),
            "players": [int(low or 0), int(high or low or 0)],
            "options": {key: {"values": raw.get("values"), "default": raw.get("default")} for key, raw in options.items()}}
