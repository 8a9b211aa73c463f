"""Checks that all files are read through dsl/diagnostics/safe_read.py, which reads only regular files of a limited size."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
READ_METHODS = {"read_text", "read_bytes"}
# The exceptions: safe_read.py itself, Ludoglot's own files, files opened for writing, and closed streams.
EXCEPTIONS = {
    "dsl/diagnostics/safe_read.py", "dsl/languages/registry.py", "dsl/backend_c/program.py", "dsl/backend_c/toolchain.py",
    "engine/lab/journal.py", "engine/match/filesystem.py", "engine/commands/main.py", "engine/commands/lsp.py", "engine/cli/console.py",
}


def find_direct_reads(path: Path) -> list[int]:
    """Returns the lines on which a module opens or reads a file directly."""
    found = []
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)) if any(f"{name}(" in text for name in ("open", *READ_METHODS)) else ():
        if isinstance(node, ast.Call):
            name = node.func
            by_method = isinstance(name, ast.Attribute) and (name.attr in READ_METHODS or name.attr == "open" and (
                isinstance(name.value, ast.Name) and name.value.id in ("os", "io", "path", "file", "target", "main")))
            if by_method or isinstance(name, ast.Name) and name.id == "open":
                found.append(node.lineno)
    return found


@pytest.mark.long
def test_files_are_read_only_through_safe_read():
    wrong = {path.relative_to(ROOT).as_posix(): find_direct_reads(path) for top in ("dsl", "engine") for path in (ROOT / top).rglob("*.py")}
    assert {name for name, lines in wrong.items() if lines} == EXCEPTIONS
