"""Which lines of the rules have run: statements, entries of menus, conditions and values of defs.

    with Coverage() as coverage:
        coverage.watch(game)                   # every compiled variant that is about to be played
        ...                                    # scenarios, random games
    coverage.lines                             # {(file, line)}
    coverage.report()                          # by file, against all lines that there are

The compiled rules have the lines of the rules in them (dsl/backend_python). Python tells which of them run, only in compiled rules and only
until all lines of a function have been seen, so that long games are not slowed down for nothing.

A line counts as run when something on it was carried out: of `if ready: pay()` the question is enough. The first line of a block also
counts when something in the block ran. A def may be worked out inside the lines that use it; when it has no code of its own in any
variant that was watched, its lines are not counted but listed as not measured. Where it is worked out both ways, only its own code
counts, so such a def may be called missed although its value was used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from ...dsl.backend_python.module import PythonModule
from ...dsl.core.nodes import ChoiceAlternative, Node, Stmt
from ...dsl.core.program import Program, Routine
from ...dsl.core.walk import children, walk
from ..position.position import Game
from ..position.rule_tracing import RuleTracer

RuleLine = tuple[str, int]                                          # a file, as messages write it, and a line


@dataclass
class FileCoverage:
    """A rule file: the lines that there are, those that ran, and those of which nothing can be said."""

    name: str
    lines: set[int] = field(default_factory=set)
    ran: set[int] = field(default_factory=set)
    unmeasured: set[int] = field(default_factory=set)

    @property
    def missing_lines(self) -> set[int]:
        return self.lines - self.ran

    @property
    def percent(self) -> float:
        return floor_percent(len(self.ran), len(self.lines))


class RuleCoverage(RuleTracer):
    """A context in which compiled rules note which of their lines run."""

    def __init__(self) -> None:
        self.lines: set[RuleLine] = set()                           # that ran
        self.written: dict[RuleLine, set[RuleLine]] = {}            # every line with rules, and the lines inside its block
        self.of_defs: set[RuleLine] = set()
        self.compiled: set[RuleLine] = set()                        # lines with code of their own
        self._modules: dict[int, PythonModule] = {}                       # by the id of their globals
        self._left: dict[int, set[int]] = {}                        # by id of a code object (equal ones may be of two variants): not seen

    def watch(self, game: Game) -> None:
        """Note what runs in this game, and which lines its rules have."""
        module = game.module
        if id(module.namespace) in self._modules:
            return
        self._modules[id(module.namespace)] = module
        module.reset_lazy_tables()
        self.compiled |= module.lines
        for path, line, inner, of_def in iter_rule_lines(game.ruleset.program):
            self.written.setdefault((path, line), set()).update(inner)
            if of_def:
                self.of_defs.add((path, line))

    def enter(self, frame: FrameType, event: str, arg: Any) -> Any:
        """A function begins: follow it when it is of the rules and has lines that have not run yet."""
        code = frame.f_code
        module = self._modules.get(id(frame.f_globals))
        if module is None or code.co_filename not in module.files.shown:
            return None
        left = self._left.get(id(code))
        if left is None:
            left = self._left[id(code)] = {line for _, _, line in code.co_lines() if line}
        return self._line if left else None

    def _line(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "line":
            left = self._left[id(frame.f_code)]
            if frame.f_lineno in left:
                left.discard(frame.f_lineno)
                found = self._modules[id(frame.f_globals)].files.rule_line(frame.f_code, frame.f_lineno)
                assert found is not None                           # `enter` follows nothing else
                self.lines.add(found)
            if not left:
                return None
        return self._line

    def take_lines(self) -> set[RuleLine]:
        """The lines that ran since this was asked last; each is noted anew from here on."""
        ran, self.lines, self._left = self.lines, set(), {}
        return ran

    def report(self) -> list[FileCoverage]:
        """By file, in the order in which they were watched."""
        files: dict[str, FileCoverage] = {}
        for at, inner in self.written.items():
            path, line = at
            file = files.setdefault(path, FileCoverage(path))
            if at in self.lines or inner & self.lines:
                file.lines.add(line)
                file.ran.add(line)
            elif at in self.of_defs and at not in self.compiled:
                file.unmeasured.add(line)
            else:
                file.lines.add(line)
        return list(files.values())


def iter_rule_lines(program: Program) -> Iterator[tuple[str, int, set[RuleLine], bool]]:
    """The lines that can run: (file, line, lines inside its block, whether it is of a def)."""
    for family in program.families.values():
        for routine in family.routines:
            yield from _iter_routine_lines(routine)


def _iter_routine_lines(routine: Routine) -> Iterator[tuple[str, int, set[RuleLine], bool]]:
    if routine.kind == "def":
        for part in routine.conditions or (routine,):
            yield part.at.path, part.at.line, set(), True
        return
    for node in walk(routine.body):
        if isinstance(node, Stmt) or isinstance(node, ChoiceAlternative) and node.name is not None:
            yield node.at.path, node.at.line, _inner_lines(node), False


def _inner_lines(node: Node) -> set[RuleLine]:
    return {(part.at.path, part.at.line) for part in walk(children(node)) if isinstance(part, Stmt)}


def floor_percent(ran: int, lines: int) -> float:
    """A share in percent, rounded down to a tenth: only what is whole is 100."""
    return ran * 1000 // lines / 10 if lines else 100.0


def line_ranges(lines: Iterable[int]) -> list[tuple[int, int]]:
    """Lines as (first, last) of each stretch."""
    out: list[tuple[int, int]] = []
    for line in sorted(lines):
        if out and line == out[-1][1] + 1:
            out[-1] = (out[-1][0], line)
        else:
            out.append((line, line))
    return out
