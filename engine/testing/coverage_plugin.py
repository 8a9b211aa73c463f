"""A plug-in for coverage.py, which measures rule files like Python files.

    [run]
    core = ctrace
    plugins = ludoglot.engine.testing.coverage_plugin

From Python 3.14 on, coverage.py would otherwise select a core without support for plug-ins.

Compiled rules carry the names and line numbers of the rule files (dsl/backend_python), so coverage.py already
sees them run. This plug-in lists the lines that a rule file has. `ludoglot test --coverage` does not need the
plug-in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from coverage import CoveragePlugin, FileReporter, FileTracer
from coverage.types import TLineNo

from ...dsl.diagnostics.diagnostic import DiagnosticList
from ...dsl.diagnostics.safe_read import read_text
from ...dsl.syntax import tree
from ...dsl.syntax.parse import parse

RULES_SUFFIX = ".rules"


class RulesPlugin(CoveragePlugin):
    """The plug-in: handles files with the suffix of rule files."""

    def file_tracer(self, filename: str) -> FileTracer | None:
        return RuleFile(filename) if filename.endswith(RULES_SUFFIX) else None

    def file_reporter(self, filename: str) -> FileReporter | str:
        return RuleLines(filename)

    def find_executable_files(self, src_dir: str) -> Iterable[str]:
        return map(str, sorted(Path(src_dir).rglob(f"*{RULES_SUFFIX}")))


class RuleFile(FileTracer):
    """The tracer of one rule file. Its source is the file itself."""

    def __init__(self, filename: str) -> None:
        self.filename = filename

    def source_filename(self) -> str:
        return self.filename


class RuleLines(FileReporter):
    """Reports which lines of a rule file can run: its statements.

    A def counts in the lines that use it, where it is often inlined."""

    def lines(self) -> set[TLineNo]:
        found: set[TLineNo] = set()
        for node in parse(read_text(self.filename), self.filename, DiagnosticList()):
            collect_lines(node, found)
        return found


def collect_lines(node: object, found: set[TLineNo]) -> None:
    """Adds the lines of all statements in a syntax tree to `found`."""
    if isinstance(node, list | tuple):
        for item in node:
            collect_lines(item, found)
    elif is_dataclass(node) and not isinstance(node, type):
        if isinstance(node, tree.Statement) and node.meta.line:
            found.add(int(node.meta.line))
        for field in fields(node):
            collect_lines(getattr(node, field.name), found)


def coverage_init(reg: Any, options: dict[str, str]) -> None:
    """Registers the plug-in. Called by coverage.py."""
    reg.add_file_tracer(RulesPlugin())
