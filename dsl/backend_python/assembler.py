"""A module of Python made of machine functions. Each function is compiled by itself under the name of its rule file, so that tracebacks,
debuggers, profilers and coverage speak of the rules; what no rule stands behind is called `<rules>`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from types import CodeType
from typing import Any

from ..ir import nodes as m
from ..ir.builder import FunctionBuilder
from .emit import FILE_LINE_STRIDE, assignment_target, build_function

NO_RULE_FILE = "<rules>"
# in each other: so many Python compiles wherever it is asked to, be it deep in a game
MAX_NESTING_LEVELS, MAX_NESTED_LOOPS = 60, 16


@dataclass
class SourceLineMap:
    """The rule files of compiled code. `shown` says how messages write a file, by the name under which Python compiled it. `others` lists
    the files of lines that stand in the code of another file."""

    shown: dict[str, str] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)

    def file_number(self, path: str) -> int:
        """The number of a file, counted from 1, as line numbers hold it."""
        if path not in self.others:
            self.others.append(path)
        return self.others.index(path) + 1

    def rule_line(self, code: CodeType, line: int) -> tuple[str, int] | None:
        """The rule file and the line that a line number of compiled code means; None where no rule stands there."""
        shown = self.shown.get(code.co_filename)
        if shown is None:
            return None
        other, line = divmod(line, FILE_LINE_STRIDE)
        return self.others[other - 1] if other else shown, line

    def rule_origin(self, code: CodeType, line: int, instruction: int) -> m.Origin | None:
        """The rule that an instruction comes from, with its column."""
        found = self.rule_line(code, line)
        column = next(islice(code.co_positions(), instruction // 2, None))[2] if found is not None else None
        return (*found, (column or 0) + 1) if found is not None else None


class ModuleAssembler:
    """Functions and tables of functions. A function becomes Python when it is first called: in most runs most of a game's never are. What
    Python might refuse is not put off, so that whoever compiles hears of it."""

    def __init__(self, files: dict[str, str], tables: dict[str, list[str]]) -> None:
        self.real = files                                          # where a rule file lies, by how messages write it
        self.tables = tables                                       # lists of functions, by name
        self.codes: dict[str, FunctionBuilder] = {}
        self.files: dict[str, str] = {}                            # under which name each function is compiled
        self.known = SourceLineMap()

    def add_function(self, code: FunctionBuilder) -> None:
        """Add a function of the machine."""
        origin = m.first_origin(code.body)
        self.codes[code.name] = code
        if origin is None or code.asked:
            self.files[code.name] = NO_RULE_FILE
            return
        file = self.files[code.name] = self.real.get(origin[0], origin[0])
        self.known.shown[file] = origin[0]

    def rule_lines(self) -> set[tuple[str, int]]:
        """The lines of the rules that have code of their own."""
        own = [code for name, code in self.codes.items() if self.files[name] != NO_RULE_FILE]
        return {node.origin[:2] for code in own for node in m.iter_statements(code.body) if node.origin is not None}

    def build_ast(self) -> ast.Module:
        """Everything as it is compiled."""
        functions: list[ast.stmt] = [
            build_function(code.name, code.params, code.body, self.known.file_number) for code in self.codes.values()
        ]
        for name, entries in self.tables.items():
            listed = ast.List(elts=[ast.Name(id=one, ctx=ast.Load()) for one in entries], ctx=ast.Load())
            functions.append(ast.fix_missing_locations(ast.Assign(targets=[assignment_target([name])], value=listed)))
        return ast.Module(body=functions, type_ignores=[])

    def install(self, namespace: dict[str, Any]) -> None:
        """Put everything into this namespace. Raises RecursionError, SyntaxError and MemoryError for what is too large for Python."""
        for name, code in self.codes.items():
            namespace[name] = self.lazy_function(name, namespace)
            if not is_safely_compilable(code.body):
                self.compile_function(name, namespace)
        for name, entries in self.tables.items():
            namespace[name] = [namespace[one] for one in entries]

    def lazy_function(self, name: str, namespace: dict[str, Any]) -> Callable[..., Any]:
        """What stands for a function until it is called, and makes it then."""
        def compile_and_call(*args: Any) -> Any:
            if namespace[name] is compile_and_call:
                self.compile_function(name, namespace)
                made = namespace[name]
                for table in self.tables:
                    namespace[table][:] = [made if one is compile_and_call else one for one in namespace[table]]
            return namespace[name](*args)
        compile_and_call.__name__ = name
        return compile_and_call

    def compile_function(self, name: str, namespace: dict[str, Any]) -> None:
        code = self.codes[name]
        part = ast.Module(body=[build_function(name, code.params, code.body, self.known.file_number)], type_ignores=[])
        exec(compile(part, self.files[name], "exec"), namespace)


def is_safely_compilable(body: m.Body, levels: int = MAX_NESTING_LEVELS, loops: int = MAX_NESTED_LOOPS) -> bool:
    """Whether Python compiles this however it is called: neither loops in each other nor anything else goes too deep."""
    if not levels or not loops:
        return False
    for node in body:
        left = loops if isinstance(node, m.IfStmt) else loops - 1
        for block in m.child_blocks(node):
            if block and not is_safely_compilable(block, levels - 1, left):
                return False
        for value in m.child_expressions(node):
            if not is_shallow(value, levels):
                return False
    return True


def is_shallow(node: m.IrExpr, levels: int) -> bool:
    if levels <= 0:
        return False
    parts = m.child_expressions(node)
    return not parts or all(is_shallow(part, levels - 1) for part in parts)
