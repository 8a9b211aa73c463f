"""The way to where rules are: which procedures run, which wait for them, and what the names in sight are worth."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import Any

from ...dsl.backend_python.module import PythonModule
from ...dsl.core.nodes import LocalVar
from ...dsl.diagnostics.diagnostic import SourceSpan
from ...dsl.ir.metadata import FunctionOwner
from ...dsl.ir.nodes import Origin

MAX_CALLS_SHOWN = 12                                                          # calls that a fault tells of
MAX_VALUE_CHARS = 60                                                          # characters of a value


def iter_suspended_owners(module: PythonModule, s: list[Any], owner: FunctionOwner) -> Iterator[tuple[FunctionOwner, Origin | None]]:
    """The procedures that wait for the one that runs, innermost first, each with the line where it will go on."""
    number = s[owner.frame] if owner.frame is not None else 0
    while number:
        wait = module.waits[number]
        yield module.owners[module.blocks[number].__name__], wait.origin
        number = s[wait.return_slot]


def rule_traceback(module: PythonModule, s: list[Any], tb: TracebackType | None) -> list[Origin]:
    """The rule lines from where it went wrong outwards: of the functions that Python was in, then of the procedures that wait."""
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
    # below the block that runs lie, on Python's stack, only blocks that have ended
    inner = next(n for n, name in enumerate(reversed(names)) if module.owners.get(name) is entered)
    return [*found[: inner + 1], *(origin for _, origin in iter_suspended_owners(module, s, entered) if origin is not None)]


def distinct_places(origins: list[Origin]) -> tuple[SourceSpan, ...]:
    """As diagnostics show them, each line once in a row."""
    found: list[SourceSpan] = []
    for path, line, column in origins:
        if not found or (found[-1].path, found[-1].line) != (path, line):
            found.append(SourceSpan(path, line, column))
    return tuple(found[:MAX_CALLS_SHOWN])


def innermost_locals(module: PythonModule, tb: TracebackType | None) -> list[tuple[LocalVar, Any]]:
    """The names of the rules that the innermost function knows, with their raw values; none that was made of closed things."""
    frame = None
    while tb is not None:
        if tb.tb_frame.f_globals is module.namespace:
            frame = tb.tb_frame
        tb = tb.tb_next
    if frame is None:
        return []
    known = module.names
    return [(known[name], value) for name, value in frame.f_locals.items() if name in known]
