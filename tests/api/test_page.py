"""docs/programs.md: its blocks of Python run, one after the other, and what they assert holds."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest
from language.documents import blocks

PAGE = Path(__file__).parents[2] / "docs" / "programs.md"


@pytest.mark.long
@pytest.mark.usefixtures("shared_rules")
def test_the_examples_run(tmp_path):
    names: dict[str, object] = {}
    with chdir(tmp_path):
        for line, kind, words, content in blocks(PAGE.read_text(encoding="utf-8")):
            if kind == "yaml":
                (tmp_path / words).write_text(content, encoding="utf-8")
            else:
                assert kind == "python", line
                exec(compile("\n" * line + content, str(PAGE), "exec"), names)
