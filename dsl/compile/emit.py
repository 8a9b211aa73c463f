"""Writing Python: lines with their indentation, names that cannot clash, and which rule a line comes from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ..core.nodes import Local


@dataclass
class Line:
    depth: int
    text: str
    origin: Any = None  # (path, rule line) for faults and coverage


@dataclass
class Code:
    """One Python function being written. `known` are the locals that sit in Python variables here."""

    name: str
    args: str = "s"
    lines: list[Line] = field(default_factory=list)
    depth: int = 1
    loads: dict[str, int] = field(default_factory=dict)  # variables to read from the frame at the start
    origin: Any = None
    closed: bool = False  # the last line left the function

    def emit(self, text: str) -> None:
        self.lines.append(Line(self.depth, text, self.origin))

    @contextmanager
    def indented(self) -> Iterator[None]:
        self.depth += 1
        start = len(self.lines)
        yield
        if len(self.lines) == start:
            self.emit("pass")
        self.depth -= 1

    def text(self) -> list[Line]:
        head = [Line(0, f"def {self.name}({self.args}):")]
        head += [Line(1, f"{variable} = s[{slot}]") for variable, slot in self.loads.items()]
        return head + (self.lines or [Line(1, "pass")])


class Fresh:
    """Names for Python variables: from data only through a counter and a filter, so a hostile identifier cannot become code."""

    def __init__(self) -> None:
        self.count = 0
        self.names: dict[Local, str] = {}

    def local(self, local: Local) -> str:
        found = self.names.get(local)
        if found is None:
            self.count += 1
            plain = "".join(c for c in local.name if c.isascii() and c.isalnum())[:20]
            found = self.names[local] = f"v{self.count}_{plain}"
        return found

    def temp(self, hint: str = "t") -> str:
        self.count += 1
        return f"{hint}{self.count}"
