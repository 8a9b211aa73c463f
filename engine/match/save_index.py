"""Lists the saves in the user's folder. Each one is read separately, so a damaged one never hides the others."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from .filesystem import FILE_SYSTEM
from .save_file import SAVE_SUFFIX
from .save_reader import read_contents
from .setup import SaveError


@dataclass(frozen=True)
class SavedGame:
    """A save as it appears in a list.

    - `decisions`: the decisions that somebody really had to make
    - `time`: when it was last written, in seconds like `time.time()`
    - `damaged`: whether it has damage. If its header cannot be read, `game` is empty"""

    path: Path
    game: str
    names: list[str]
    seats: list[str]
    players: int
    decisions: int
    time: float
    finished: bool
    damaged: bool = False


def saves_folder() -> Path:
    """Returns the folder in which matches with human players are saved automatically."""

    given = os.environ.get("XDG_DATA_HOME", "")
    if given and not Path(given).is_absolute():                    # the XDG specification says to ignore a relative path
        return Path(os.path.expanduser("~/.local/share/ludoglot/saves"))
    return Path(platformdirs.user_data_dir("ludoglot", appauthor=False)) / "saves"


def list_saved_games() -> list[SavedGame]:
    """Returns the saves in the user's folder, newest first. A file whose first line is incomplete is left out."""
    return list(iter_saved_games(saves_folder()))


def iter_saved_games(folder: Path) -> Iterator[SavedGame]:
    """Yields the saves in a folder, newest first. Each one is read on demand."""
    aged = []
    for path in folder.glob(f"*{SAVE_SUFFIX}") if folder.is_dir() else ():
        try:
            aged.append((path.stat().st_mtime_ns, path))
        except OSError:
            continue                                               # just removed
    for time, path in sorted(aged, reverse=True):
        found = summarize_save(path, time / 1e9)
        if found is not None:
            yield found


def summarize_save(path: Path, time: float) -> SavedGame | None:
    """Returns the list entry of a save, or None if no match had begun in it."""
    try:
        record = read_contents(path, strict=False)
    except SaveError as fault:
        return None if fault.key == "save.unborn" else SavedGame(path, "", [], [], 0, 0, time, False, damaged=True)
    setup, lines = record.setup, record.lines
    return SavedGame(path, setup.game, setup.names, setup.seats, setup.players, sum(not line.auto for line in lines), time,
                     bool(lines) and lines[-1].over and not record.damage, bool(record.damage))


def find_last_save(game: str | None = None) -> Path | None:
    """Returns the save that `find_save_to_resume` returns first."""
    return find_save_to_resume(game)[0]


def find_save_to_resume(game: str | None = None) -> tuple[Path | None, list[Path]]:
    """Returns the save to resume, and the damaged saves that are newer.

    This is the newest unfinished match, of this game (id or full path) if given, that is not damaged. If all are
    damaged, it is the newest one with a readable header. Returns None if there is no save."""
    passed: list[Path] = []
    hurt: Path | None = None
    for found in iter_saved_games(saves_folder()):
        if found.damaged and (game is None or found.game == game):
            passed.append(found.path)
            hurt = hurt or (found.path if found.game else None)
        elif not found.damaged and not found.finished and game in (None, found.game):
            return found.path, passed
    return hurt, [path for path in passed if path != hurt] if hurt is not None else passed


def create_save_path(game: str) -> Path:
    """Creates an empty file for a new save and returns its path. Raises OSError."""
    import time
    stem = f"{Path(game).name}-{time.strftime('%Y%m%d-%H%M%S')}"
    folder = saves_folder()
    FILE_SYSTEM.make_folder(folder)
    path, n = folder / f"{stem}{SAVE_SUFFIX}", 1
    while True:
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            n += 1
            path = folder / f"{stem}-{n}{SAVE_SUFFIX}"
        else:
            return path
