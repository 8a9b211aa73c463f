"""Dumps the result of each pass for a game as text, for developers of the compiler.

tokens   the tokens of a rule file
tree     the syntax tree
core     names resolved, types known
machine  the IR: slots, masks, loops
python   the generated Python
c        the generated C, for fast simulations
kept     values that are cached or updated incrementally, and reasons for the others"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass

from ..backend_c.program import CProgram
from ..core.printer import format_routine
from ..core.program import Routine
from ..diagnostics.diagnostic import DiagnosticList
from ..diagnostics.safe_read import read_text
from ..game.ruleset import Ruleset, rule_file_paths
from ..ir.builder import FunctionBuilder
from ..ir.printer import format_functions
from ..ir.traversal import iter_statements
from ..ir.value_types import UnsupportedConstructError
from ..syntax.lark_parser import build_parser
from ..syntax.parse import parse

SourceLine = tuple[str, int]                                            # a rule file in messages, and a line; line 0 selects the whole file


def dump_tokens(ruleset: Ruleset, where: SourceLine | None) -> str:
    """Returns the kind, position and text of each token."""
    out: list[str] = []
    for shown, path in select_rule_files(ruleset, where):
        lexed = build_parser().parse_interactive(read_text(path)).iter_parse()
        out += [f"{shown}:{token.line}:{token.column}  {token.type}  {str(token)!r}" for token in lexed
                if where is None or not where[1] or token.line == where[1]]
    return "\n".join(out)


def dump_trees(ruleset: Ruleset, where: SourceLine | None) -> str:
    """Returns the declarations of the rule files as trees, with packs applied."""
    out: list[str] = []
    overlay = ruleset.source.files
    read = overlay if overlay is not None else [(shown, parse(read_text(path), shown, DiagnosticList()))
                                          for shown, path in select_rule_files(ruleset, where)]
    for shown, nodes in read:
        for node in nodes if where is None or shown == where[0] else ():
            meta = node.meta
            if where is None or not where[1] or meta.line <= where[1] <= (meta.end_line or meta.line):
                out.append("\n".join(iter_tree_lines(node)))
    return "\n\n".join(out)


def iter_tree_lines(node: object, name: str = "", depth: int = 0) -> Iterator[str]:
    """Yields the lines of a tree: each node with its position, followed by its children."""
    pad, label = "  " * depth, f"{name}: " if name else ""
    if isinstance(node, list | tuple):
        if node:
            yield f"{pad}{label}".rstrip()
        for item in node:
            yield from iter_tree_lines(item, "", depth + 1)
    elif is_dataclass(node) and not isinstance(node, type):
        meta = getattr(node, "meta", None)
        place = f"  {meta.line}:{meta.column}" if meta is not None and getattr(meta, "line", None) else ""
        yield f"{pad}{label}{type(node).__name__}{place}"
        for field in fields(node):
            if field.name != "meta":
                yield from iter_tree_lines(getattr(node, field.name), field.name, depth + 1)
    elif node is not None:
        yield f"{pad}{label}{node!s}"


def dump_core(ruleset: Ruleset, where: SourceLine | None) -> str:
    """Returns the routines of the core."""
    return "\n\n".join(format_routine(ruleset.program, routine) for routine in ruleset.program.routines if covers_line(routine, where))


def dump_ir(ruleset: Ruleset, where: SourceLine | None) -> str:
    """Returns the functions of the IR."""
    machine = ruleset.module.machine
    return format_functions(machine, [code for code in (*machine.functions, *machine.blocks) if comes_from_line(code, ruleset, where)])


def dump_python(ruleset: Ruleset, where: SourceLine | None) -> str:
    """Returns the functions as Python."""
    machine = ruleset.module.machine
    wanted = {code.name for code in (*machine.functions, *machine.blocks) if comes_from_line(code, ruleset, where)}
    shown = [node for node in ruleset.module.tree().body if isinstance(node, ast.FunctionDef) and node.name in wanted]
    return "\n\n".join(ast.unparse(node) for node in shown)


def dump_c(ruleset: Ruleset, where: SourceLine | None) -> str:
    """Returns the program as C. For a line, only the functions that come from its routine."""
    machine = ruleset.module.machine
    try:
        program = CProgram(machine, ruleset.players)
        whole = program.write()
    except UnsupportedConstructError as unknown:
        return f"/* in Python only: {unknown} */"
    if where is None:
        return whole
    wanted = [code.name for code in (*machine.functions, *machine.blocks) if comes_from_line(code, ruleset, where)]
    return "\n\n".join(program.bodies[name] for name in wanted if name in program.bodies)


def dump_incremental(ruleset: Ruleset, where: SourceLine | None) -> str:
    """Returns, by place, whether a value is cached, updated incrementally, or computed each time."""
    found = sorted(ruleset.module.machine.upkeep.items(), key=lambda one: (one[0][0], one[0][1:]))
    spans = [routine for routine in ruleset.program.routines if covers_line(routine, where)]
    inside = [(at, how) for at, how in found
              if where is None or any(r.at.path == at[0] and r.at.line <= at[1] <= r.at.end_line for r in spans)]
    return "\n".join(f"{path}:{line}:{column}  {how}" for (path, line, column), how in inside)


STAGES: dict[str, Callable[[Ruleset, SourceLine | None], str]] = {
    "tokens": dump_tokens,
    "tree": dump_trees,
    "core": dump_core,
    "machine": dump_ir,
    "python": dump_python,
    "c": dump_c,
    "kept": dump_incremental,
}


def select_rule_files(ruleset: Ruleset, where: SourceLine | None) -> list[tuple[str, str]]:
    """Returns the selected rule files: path in messages, path on disk."""
    every = rule_file_paths(ruleset.source, ruleset.model)
    return [(shown, path) for shown, path in every.items() if where is None or shown == where[0]]


def covers_line(routine: Routine, where: SourceLine | None) -> bool:
    """Whether a routine is in the selected file and around the selected line."""
    at = routine.at
    return where is None or at.path == where[0] and (not where[1] or at.line <= where[1] <= at.end_line)


def comes_from_line(code: FunctionBuilder, ruleset: Ruleset, where: SourceLine | None) -> bool:
    """Whether a function comes from the routine around the selected line."""
    if where is None:
        return True
    spans = [(routine.at.line, routine.at.end_line) for routine in ruleset.program.routines if covers_line(routine, where)]
    origins = {node.origin[:2] for node in iter_statements(code.body) if node.origin is not None}
    return any(path == where[0] and (not where[1] or any(low <= line <= high for low, high in spans)) for path, line in origins)
