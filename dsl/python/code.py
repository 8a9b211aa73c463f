"""A module of Python made of machine functions. Each function is compiled by itself under the name of its rule file, so that tracebacks,
debuggers, profilers and coverage speak of the rules; what no rule stands behind is called `<rules>`."""

from __future__ import annotations

import ast
from itertools import islice
from types import CodeType
from typing import Any

from ..machine import nodes as m
from ..machine.build import Code
from .emit import function, target

NOWHERE = "<rules>"


def rule_line(code: CodeType, line: int, instruction: int, files: dict[str, str]) -> m.Origin | None:
    """The rule that a place in compiled code comes from; `files` says how messages write the name of each. None: no rule stands there."""
    shown = files.get(code.co_filename)
    if shown is None:
        return None
    column = next(islice(code.co_positions(), instruction // 2, None))[2]
    return shown, line, (column or 0) + 1


class Writing:
    """Functions and tables, in the order in which they are to be made."""

    def __init__(self, files: dict[str, str]) -> None:
        self.real = files                                          # where a rule file lies, by how messages write it
        self.tree = ast.Module(body=[], type_ignores=[])
        self.files: list[str] = []                                 # under which name each part of the tree is compiled
        self.lines: set[tuple[str, int]] = set()                   # of the rules that have code of their own
        self.shown: dict[str, str] = {}                            # by the name of a file, how messages write it

    def function(self, code: Code) -> None:
        """Add a function of the machine."""
        origin = next((node.origin for node in m.steps(code.body) if node.origin is not None), None)
        self.tree.body.append(function(code.name, code.params, code.body, origin))
        if origin is None or code.asked:
            self.files.append(NOWHERE)
            return
        file = self.real.get(origin[0], origin[0])
        self.files.append(file)
        self.shown[file] = origin[0]
        self.lines |= {node.origin[:2] for node in m.steps(code.body) if node.origin is not None}

    def table(self, name: str, functions: list[str]) -> None:
        """Add a tuple of functions."""
        entries = ast.Tuple(elts=[ast.Name(id=one, ctx=ast.Load()) for one in functions], ctx=ast.Load())
        made = ast.Assign(targets=[target([name])], value=entries)
        self.tree.body.append(ast.fix_missing_locations(made))
        self.files.append(NOWHERE)

    def run(self, namespace: dict[str, Any]) -> None:
        """Make everything in this namespace."""
        for part, file in zip(self.tree.body, self.files):
            exec(compile(ast.Module(body=[part], type_ignores=[]), file, "exec"), namespace)
