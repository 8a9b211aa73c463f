"""Runs the Python blocks of the guides for programmers, one after the other, with the files that a page writes."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest
from language.documents import blocks

DOCS = Path(__file__).parents[2] / "docs"
FOLDERS = ("guides/research", "start")
PAGES = [path for folder in FOLDERS for path in sorted((DOCS / folder).glob("*.md")) if "```python\n" in path.read_text(encoding="utf-8")]


@pytest.mark.long
@pytest.mark.usefixtures("shared_rules")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_a_page_run(page: Path, tmp_path: Path):
    names: dict[str, object] = {}
    with chdir(tmp_path):
        for line, kind, words, content in blocks(page.read_text(encoding="utf-8")):
            if words:
                (tmp_path / words).write_text(content, encoding="utf-8")
            elif kind == "python":
                exec(compile("\n" * line + content, str(page), "exec"), names)
