"""Assembles IR functions into a Python module.

Each function is compiled separately under the name of its rule file, so tracebacks, debuggers, profilers
and coverage point to rules. Code without a rule has the file name `<rules>`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from types import CodeType
from typing import Any

from ..ir import nodes as m
from ..ir.builder import FunctionBuilder
from ..ir.traversal import child_blocks, child_expressions, first_origin, iter_statements
from .emit import FILE_LINE_STRIDE, assignment_target, build_function

NO_RULE_FILE = "<rules>"
# nesting that Python compiles at any call depth
MAX_NESTING_LEVELS, MAX_NESTED_LOOPS = 60, 16


@dataclass
class SourceLineMap:
    """Maps lines of compiled code back to rule files.

    `shown` maps the file name of a code object to the name shown in messages. `others` lists further files
    whose lines occur in code of another file."""

    shown: dict[str, str] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)

    def file_number(self, path: str) -> int:
        """Returns the number of a file as encoded in line numbers, counted from 1."""
        if path not in self.others:
            self.others.append(path)
        return self.others.index(path) + 1

    def rule_line(self, code: CodeType, line: int) -> tuple[str, int] | None:
        """Returns the rule file and line for a line number of compiled code. None: no rule is there."""
        shown = self.shown.get(code.co_filename)
        if shown is None:
            return None
        other, line = divmod(line, FILE_LINE_STRIDE)
        return self.others[other - 1] if other else shown, line

    def rule_origin(self, code: CodeType, line: int, instruction: int) -> m.Origin | None:
        """Returns the origin of an instruction: rule file, line and column."""
        found = self.rule_line(code, line)
        column = next(islice(code.co_positions(), instruction // 2, None))[2] if found is not None else None
        return (*found, (column or 0) + 1) if found is not None else None


class ModuleAssembler:
    """Collects functions and tables of functions, and compiles them.

    A function is compiled when it is first called, because most runs use only a few of a game's functions. Code
    that Python might reject is compiled at once, so that the error reaches the caller who compiles the game."""

    def __init__(self, files: dict[str, str], tables: dict[str, list[str]]) -> None:
        self.real = files                                          # path of each rule file, by its name in messages
        self.tables = tables                                       # lists of functions by name
        self.codes: dict[str, FunctionBuilder] = {}
        self.files: dict[str, str] = {}                            # file name of each function's code
        self.known = SourceLineMap()

    def add_function(self, code: FunctionBuilder) -> None:
        """Adds an IR function."""
        origin = first_origin(code.body)
        self.codes[code.name] = code
        if origin is None or code.asked:
            self.files[code.name] = NO_RULE_FILE
            return
        file = self.files[code.name] = self.real.get(origin[0], origin[0])
        self.known.shown[file] = origin[0]

    def rule_lines(self) -> set[tuple[str, int]]:
        """Returns the rule lines that have generated code."""
        own = [code for name, code in self.codes.items() if self.files[name] != NO_RULE_FILE]
        return {node.origin[:2] for code in own for node in iter_statements(code.body) if node.origin is not None}

    def build_ast(self) -> ast.Module:
        """Returns the whole module as one syntax tree."""
        functions: list[ast.stmt] = [
            build_function(code.name, code.params, code.body, self.known.file_number) for code in self.codes.values()
        ]
        for name, entries in self.tables.items():
            listed = ast.List(elts=[ast.Name(id=one, ctx=ast.Load()) for one in entries], ctx=ast.Load())
            functions.append(ast.fix_missing_locations(ast.Assign(targets=[assignment_target([name])], value=listed)))
        return ast.Module(body=functions, type_ignores=[])

    def install(self, namespace: dict[str, Any]) -> None:
        """Defines everything in `namespace`. Raises RecursionError, SyntaxError or MemoryError if code is too large
        for Python."""
        for name, code in self.codes.items():
            namespace[name] = self.lazy_function(name, namespace)
            if not is_safely_compilable(code.body):
                self.compile_function(name, namespace)
        for name, entries in self.tables.items():
            namespace[name] = [namespace[one] for one in entries]

    def lazy_function(self, name: str, namespace: dict[str, Any]) -> Callable[..., Any]:
        """Returns a placeholder that compiles the function on its first call."""
        def compile_and_call(*args: Any) -> Any:
            if namespace[name] is compile_and_call:
                self.compile_function(name, namespace)
                made = namespace[name]
                for table in self.tables:
                    entries = namespace[table]
                    for n, one in enumerate(entries):              # one by one, since another thread may replace other entries
                        if one is compile_and_call:
                            entries[n] = made
            return namespace[name](*args)
        compile_and_call.__name__ = name
        return compile_and_call

    def compile_function(self, name: str, namespace: dict[str, Any]) -> None:
        """Compiles a function into `namespace`."""
        code = self.codes[name]
        part = ast.Module(body=[build_function(name, code.params, code.body, self.known.file_number)], type_ignores=[])
        exec(compile(part, self.files[name], "exec"), namespace)


def is_safely_compilable(body: m.Body, levels: int = MAX_NESTING_LEVELS, loops: int = MAX_NESTED_LOOPS) -> bool:
    """Whether Python can compile this at any call depth: nesting of blocks, loops and expressions is limited."""
    if not levels or not loops:
        return False
    for node in body:
        left = loops if isinstance(node, m.IfStmt) else loops - 1
        for block in child_blocks(node):
            if block and not is_safely_compilable(block, levels - 1, left):
                return False
        for value in child_expressions(node):
            if not is_shallow(value, levels):
                return False
    return True


def is_shallow(node: m.IrExpr, levels: int) -> bool:
    """Whether an expression has at most `levels` levels."""
    if levels <= 0:
        return False
    parts = child_expressions(node)
    return not parts or all(is_shallow(part, levels - 1) for part in parts)
