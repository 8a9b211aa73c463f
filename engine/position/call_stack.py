"""The call stack of the rules: active and suspended procedures, and the locals of the innermost function.

Fault diagnostics show it."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import Any

from ...dsl.backend_python.module import PythonModule
from ...dsl.core.nodes import LocalVar
from ...dsl.diagnostics.diagnostic import SourceSpan
from ...dsl.ir.metadata import FunctionOwner
from ...dsl.ir.nodes import Origin

MAX_CALLS_SHOWN = 12
MAX_VALUE_CHARS = 60


def iter_suspended_owners(module: PythonModule, s: list[Any], owner: FunctionOwner) -> Iterator[tuple[FunctionOwner, Origin | None]]:
    """Yields the suspended callers of the active procedure, innermost first, each with the line where it will
    resume."""
    number = s[owner.frame] if owner.frame is not None else 0
    while number:
        wait = module.waits[number]
        yield module.owners[module.blocks[number].__name__], wait.origin
        number = s[wait.return_slot]


def rule_traceback(module: PythonModule, s: list[Any], tb: TracebackType | None) -> list[Origin]:
    """Returns the rule lines of a traceback, innermost first: those on Python's stack, then those of the suspended
    procedures."""
    found: list[Origin] = []
    names: list[str] = []
    while tb is not None:
        if tb.tb_frame.f_globals is module.namespace:
            origin = module.files.rule_origin(tb.tb_frame.f_code, tb.tb_lineno, tb.tb_lasti)
            names.append(tb.tb_frame.f_code.co_name)
            if origin is not None:
                found.insert(0, origin)
        tb = tb.tb_next
    entered = next((owner for name in reversed(names) if (owner := module.owners.get(name)) is not None and owner.frame is not None), None)
    if entered is None:
        return found
    # Python frames below the running block belong to blocks that have finished
    inner = next(n for n, name in enumerate(reversed(names)) if module.owners.get(name) is entered)
    return [*found[: inner + 1], *(origin for _, origin in iter_suspended_owners(module, s, entered) if origin is not None)]


def distinct_places(origins: list[Origin]) -> tuple[SourceSpan, ...]:
    """Returns the source spans of these rule lines for a diagnostic. A line that repeats in a row is listed once."""
    found: list[SourceSpan] = []
    for path, line, column in origins:
        if not found or (found[-1].path, found[-1].line) != (path, line):
            found.append(SourceSpan(path, line, column))
    return tuple(found[:MAX_CALLS_SHOWN])


def innermost_locals(module: PythonModule, tb: TracebackType | None) -> list[tuple[LocalVar, Any]]:
    """Returns the locals of the innermost rule function with their raw values, without those derived from hidden
    states."""
    frame = None
    while tb is not None:
        if tb.tb_frame.f_globals is module.namespace:
            frame = tb.tb_frame
        tb = tb.tb_next
    if frame is None:
        return []
    known = module.names
    return [(known[name], value) for name, value in frame.f_locals.items() if name in known]
