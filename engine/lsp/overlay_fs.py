"""A game's folder as an editor has it: a copy in which files that are open and not saved yet say what stands on the screen. Everything
that reads games reads the copy, and knows nothing of editors."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

GAME_FILE_SUFFIXES = (".yaml", ".rules", ".po")                               # what a game is made of
MAX_FILES = 2_000                                                       # files of one folder
MAX_FILE_BYTES = 4_000_000                                                # bytes of a file; whoever reads games refuses one half as large


class OverlayFolder:
    """The copy of one folder."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.room = Path(tempfile.mkdtemp(prefix="ludoglot-")).resolve()
        self.folder = self.room / self.root.name
        self.folder.mkdir()
        self.open: dict[str, str] = {}                             # what is on the screen, by the file's name in the folder
        self.known: dict[str, tuple[int, int] | str] = {}          # what was copied last: time and size, or the text itself

    def relative_name(self, path: Path) -> str | None:
        """The name of a file in this folder; None when it lies elsewhere."""
        full = path.resolve()
        return full.relative_to(self.root).as_posix() if full.is_relative_to(self.root) else None

    def set_text(self, path: Path, text: str | None) -> None:
        """What the editor has of a file; None when it is closed."""
        name = self.relative_name(path)
        if name is None:
            return
        if text is None:
            self.open.pop(name, None)
        else:
            self.open[name] = text

    def refresh(self) -> None:
        """Copy what has changed since."""
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
        """Where a file lies that a finding names."""
        given = Path(path)
        return self.root / given.relative_to(self.folder) if given.is_relative_to(self.folder) else given

    def close(self) -> None:
        """Do away with the copy."""
        shutil.rmtree(self.room, ignore_errors=True)
