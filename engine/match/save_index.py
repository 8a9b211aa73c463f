"""The saves there are, in the user's folder: each is read for itself, and one that is damaged never hides another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .filesystem import FILE_SYSTEM
from .save_file import SAVE_SUFFIX
from .save_reader import read_contents
from .setup import SaveError


@dataclass(frozen=True)
class SavedGame:
    """A saved game, as a list shows it. `decisions` are those that somebody really had to make, `time` is when the last one was saved (in
    seconds, as time.time() counts). One that is `damaged` has no game where its header cannot be read."""

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
    """Where games with a person in them save themselves."""
    import os

    import platformdirs
    given = os.environ.get("XDG_DATA_HOME", "")
    if given and not Path(given).is_absolute():                    # by the XDG specification as if it were not set
        return Path(os.path.expanduser("~/.local/share/ludoglot/saves"))
    return Path(platformdirs.user_data_dir("ludoglot", appauthor=False)) / "saves"


def list_saved_games() -> list[SavedGame]:
    """The games in the user's folder, the one that was saved last first. What holds no game, because its first line was cut off, is left
    out."""
    return list(iter_saved_games(saves_folder()))


def iter_saved_games(folder: Path) -> Iterator[SavedGame]:
    """The saved games of a folder, newest first, each read when it is asked for."""
    aged = []
    for path in folder.glob(f"*{SAVE_SUFFIX}") if folder.is_dir() else ():
        try:
            aged.append((path.stat().st_mtime_ns, path))
        except OSError:
            continue                                               # it has just gone
    for time, path in sorted(aged, reverse=True):
        found = summarize_save(path, time / 1e9)
        if found is not None:
            yield found


def summarize_save(path: Path, time: float) -> SavedGame | None:
    """What a list says of a save; None where no game had begun in it."""
    try:
        record = read_contents(path, strict=False)
    except SaveError as fault:
        return None if fault.key == "save.unborn" else SavedGame(path, "", [], [], 0, 0, time, False, damaged=True)
    setup, lines = record.setup, record.lines
    return SavedGame(path, setup.game, setup.names, setup.seats, setup.players, sum(not line.auto for line in lines), time,
                     bool(lines) and lines[-1].over and not record.damage, bool(record.damage))


def find_last_save(game: str | None = None) -> Path | None:
    """The save that `save_to_go_on` names first."""
    return find_save_to_resume(game)[0]


def find_save_to_resume(game: str | None = None) -> tuple[Path | None, list[Path]]:
    """The save of an unfinished game (of this game, by id or full path) that was written last and can go on, and the damaged ones that are
    newer. Where all are damaged, the last one of which something can be read; None where there is none."""
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
    """A new, empty file for a game to save itself in. Raises OSError."""
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
