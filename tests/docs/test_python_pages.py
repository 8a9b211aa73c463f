"""Runs the guides for programmers block by block: writes their files, and executes their Python code and Ludoglot commands."""

from __future__ import annotations

import io
import shlex
import sys
from contextlib import chdir
from pathlib import Path

import pytest
from language.documents import fenced_blocks
from ludoglot.engine.commands import main as entry

DOCS = Path(__file__).parents[2] / "docs"
FOLDERS = ("guides/research", "start")
PAGES = [path for folder in FOLDERS for path in sorted((DOCS / folder).glob("*.md")) if "```python\n" in path.read_text(encoding="utf-8")]


@pytest.fixture
def work_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Creates an empty directory for the files of a page. Python can import them, and forgets them after the page."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    before = set(sys.modules)
    yield tmp_path
    for name in {path.stem for path in tmp_path.glob("*.py")} - before:
        sys.modules.pop(name, None)


@pytest.mark.long
@pytest.mark.usefixtures("shared_rules")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_a_page_run(page: Path, work_folder: Path):
    names: dict[str, object] = {}
    with chdir(work_folder):
        for line, kind, words, content in fenced_blocks(page.read_text(encoding="utf-8")):
            if words:
                (work_folder / words).write_text(content, encoding="utf-8")
            elif kind == "python":
                exec(compile("\n" * line + content, str(page), "exec"), names)
            elif kind == "sh":
                for command in content.splitlines():
                    if command.startswith("ludoglot "):
                        assert entry.main(shlex.split(command)[1:]) == 0, command
