"""Checks the copy of a game's directory that contains the unsaved text of open files."""

from __future__ import annotations

import os
from pathlib import Path

from ludoglot.engine.lsp.overlay_fs import OverlayFolder


def read_copy(mirror: OverlayFolder) -> dict[str, str]:
    mirror.refresh()
    return {path.relative_to(mirror.folder).as_posix(): path.read_text(encoding="utf-8")
            for path in sorted(mirror.folder.rglob("*")) if path.is_file()}


def test_the_copy_follows_the_folder_and_open_files(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    (folder / "tests").mkdir(parents=True)
    (folder / "game.yaml").write_text("a", encoding="utf-8")
    (folder / "tests" / "one.yaml").write_text("b", encoding="utf-8")
    mirror = OverlayFolder(folder)
    assert read_copy(mirror) == {"game.yaml": "a", "tests/one.yaml": "b"}
    mirror.set_text(folder / "game.yaml", "on the screen")
    mirror.set_text(folder / "new.rules", "not on the disk yet")
    mirror.set_text(tmp_path / "elsewhere.yaml", "of nobody")
    assert read_copy(mirror) == {"game.yaml": "on the screen", "new.rules": "not on the disk yet", "tests/one.yaml": "b"}
    (folder / "tests" / "one.yaml").unlink()
    mirror.set_text(folder / "game.yaml", None)
    mirror.set_text(folder / "new.rules", None)
    assert read_copy(mirror) == {"game.yaml": "a"}
    assert mirror.original_path(str(mirror.folder / "game.yaml")) == folder.resolve() / "game.yaml"
    assert mirror.room.stat().st_mode & 0o077 == 0                 # readable by its owner alone
    mirror.close()
    assert not mirror.room.exists()


def test_links_and_pipes_are_not_copied(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    folder.mkdir()
    (tmp_path / "secret.yaml").write_text("secret", encoding="utf-8")
    (folder / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    (folder / "gone.yaml").symlink_to(tmp_path / "gone")
    (folder / "notes.txt").write_text("no file of a game", encoding="utf-8")
    os.mkfifo(folder / "pipe.yaml")
    mirror = OverlayFolder(folder)
    assert read_copy(mirror) == {}
    mirror.close()
