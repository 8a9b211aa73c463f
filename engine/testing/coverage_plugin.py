"""A plug-in for coverage.py: rule files are measured and reported like Python files, by the tools that people know.

    [run]
    core = ctrace
    plugins = ludoglot.engine.testing.coverage_plugin

(From Python 3.14 on coverage.py would else take a core that knows no plug-ins.)

Compiled rules have the names and lines of the rule files (dsl/backend_python), so coverage.py sees them run as they are.
This plug-in says which lines of a rule file there are. `ludoglot test --coverage` needs none of it.
"""

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
    """Takes over what is called like a rule file."""

    def file_tracer(self, filename: str) -> FileTracer | None:
        return RuleFile(filename) if filename.endswith(RULES_SUFFIX) else None

    def file_reporter(self, filename: str) -> FileReporter | str:
        return RuleLines(filename)

    def find_executable_files(self, src_dir: str) -> Iterable[str]:
        return map(str, sorted(Path(src_dir).rglob(f"*{RULES_SUFFIX}")))


class RuleFile(FileTracer):
    """One rule file while it runs: it is what it is called."""

    def __init__(self, filename: str) -> None:
        self.filename = filename

    def source_filename(self) -> str:
        return self.filename


class RuleLines(FileReporter):
    """The lines of a rule file that can run: its statements. A def counts in the lines that ask it, where it is often written out."""

    def lines(self) -> set[TLineNo]:
        found: set[TLineNo] = set()
        for node in parse(read_text(self.filename), self.filename, DiagnosticList()):
            collect_lines(node, found)
        return found


def collect_lines(node: object, found: set[TLineNo]) -> None:
    """Note the lines of the steps in a tree."""
    if isinstance(node, list | tuple):
        for item in node:
            collect_lines(item, found)
    elif is_dataclass(node) and not isinstance(node, type):
        if isinstance(node, tree.Statement) and node.meta.line:
            found.add(int(node.meta.line))
        for field in fields(node):
            collect_lines(getattr(node, field.name), found)


def coverage_init(reg: Any, options: dict[str, str]) -> None:
    """What coverage.py calls when it is told of the plug-in."""
    reg.add_file_tracer(RulesPlugin())
