"""A temporary copy of a game's folder that contains the editor's unsaved text for open files.

The rest of the program reads games from this copy and does not need to know about editors."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

GAME_FILE_SUFFIXES = (".yaml", ".rules", ".po")                               # files that belong to a game
MAX_FILES = 2_000
MAX_FILE_BYTES = 4_000_000                                                # readers of games reject files of half this size already


class OverlayFolder:
    """The temporary copy of one folder."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.room = Path(tempfile.mkdtemp(prefix="ludoglot-")).resolve()
        self.folder = self.room / self.root.name
        self.folder.mkdir()
        self.open: dict[str, str] = {}                             # unsaved text by relative file name
        self.known: dict[str, tuple[int, int] | str] = {}          # last copy: modification time and size, or the text itself

    def relative_name(self, path: Path) -> str | None:
        """Returns the name of a file relative to this folder, or None if it is elsewhere."""
        full = path.resolve()
        return full.relative_to(self.root).as_posix() if full.is_relative_to(self.root) else None

    def set_text(self, path: Path, text: str | None) -> None:
        """Sets the editor's text of a file. None: the editor has closed the file."""
        name = self.relative_name(path)
        if name is None:
            return
        if text is None:
            self.open.pop(name, None)
        else:
            self.open[name] = text

    def refresh(self) -> None:
        """Copies everything that has changed since the last call."""
        wanted: dict[str, tuple[int, int] | str] = {}
        for base, folders, files in os.walk(self.root):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in files:
                path = Path(base, name)
                if (
                    name.endswith(GAME_FILE_SUFFIXES)
                    and len(wanted) < MAX_FILES
                    and path.is_file()
                    and path.resolve().is_relative_to(self.root)
                ):
                    stat = path.stat()
                    if stat.st_size > MAX_FILE_BYTES:
                        continue
                    wanted[path.relative_to(self.root).as_posix()] = (stat.st_mtime_ns, stat.st_size)
        wanted |= self.open
        for name in self.known.keys() - wanted.keys():
            (self.folder / name).unlink(missing_ok=True)
        for name, state in wanted.items():
            if self.known.get(name) != state:
                target = self.folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                if isinstance(state, str):
                    target.write_text(state, encoding="utf-8", errors="surrogatepass", newline="")
                else:
                    shutil.copyfile(self.root / name, target)
        self.known = wanted

    def original_path(self, path: str) -> Path:
        """Returns the original path of a file that a diagnostic names by its path in the copy."""
        given = Path(path)
        return self.root / given.relative_to(self.folder) if given.is_relative_to(self.folder) else given

    def close(self) -> None:
        """Deletes the copy."""
        shutil.rmtree(self.room, ignore_errors=True)
