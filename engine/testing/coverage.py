"""Line coverage of rules: statements, menu entries, conditions and values of defs.

    with RuleCoverage() as coverage:
        coverage.watch(game)                   # each compiled variant before it is played
        ...                                    # scenarios, random games
    coverage.lines                             # {(file, line)}
    coverage.report()                          # by file, against all lines

Compiled rules carry the line numbers of the rule files (dsl/backend_python). Python traces only compiled
rules, and each function only until all its lines have run, so long games are not slowed down.

A line counts as run when anything on it was executed: for `if ready: pay()`, the condition is enough. The
first line of a block also counts when anything in the block ran.

A def may be inlined in the lines that use it. If no watched variant has separate code for it, its lines are
listed as not measured. If some variants inline it and others do not, only the separate code counts. Such a
def may be reported as missed although its value was used."""

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
from ..position.rule_trace import RuleTracer

RuleLine = tuple[str, int]                                          # the file as messages show it, and the line


@dataclass
class FileCoverage:
    """The coverage of one rule file: all lines, those that ran, and those that cannot be measured."""

    name: str
    lines: set[int] = field(default_factory=set)
    ran: set[int] = field(default_factory=set)
    unmeasured: set[int] = field(default_factory=set)

    @property
    def missing_lines(self) -> set[int]:
        """The lines that can run but did not."""
        return self.lines - self.ran

    @property
    def percent(self) -> float:
        return floor_percent(len(self.ran), len(self.lines))


class RuleCoverage(RuleTracer):
    """A context in which compiled rules record the lines that run."""

    def __init__(self) -> None:
        self.lines: set[RuleLine] = set()                           # lines that ran
        self.written: dict[RuleLine, set[RuleLine]] = {}            # every line with code, and the lines inside its block
        self.of_defs: set[RuleLine] = set()
        self.compiled: set[RuleLine] = set()                        # lines that are not only inlined
        self._modules: dict[int, PythonModule] = {}                       # by the id of the globals of their functions
        self._left: dict[int, set[int]] = {}                        # lines not run yet, by id of a code object

    def watch(self, game: Game) -> None:
        """Starts to record this game, and adds the lines of its rules to the report."""
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
        """Returns the line tracer if the function belongs to the rules and has lines that have not run yet, else None."""
        code = frame.f_code
        module = self._modules.get(id(frame.f_globals))
        if module is None or code.co_filename not in module.files.shown:
            return None
        left = self._left.get(id(code))
        if left is None:
            left = self._left[id(code)] = {line for _, _, line in code.co_lines() if line}
        return self._line if left else None

    def _line(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Records the line of an event. Stops to trace the function when all its lines have run."""
        if event == "line":
            left = self._left[id(frame.f_code)]
            if frame.f_lineno in left:
                left.discard(frame.f_lineno)
                found = self._modules[id(frame.f_globals)].files.rule_line(frame.f_code, frame.f_lineno)
                assert found is not None                           # `enter` traces nothing else
                self.lines.add(found)
            if not left:
                return None
        return self._line

    def take_lines(self) -> set[RuleLine]:
        """Returns the lines that ran since the last call, and starts to record all lines again."""
        ran, self.lines, self._left = self.lines, set(), {}
        return ran

    def report(self) -> list[FileCoverage]:
        """Returns the coverage of each file, in the order in which they were watched."""
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
    """Yields the lines that can run: (file, line, lines inside its block, whether it belongs to a def)."""
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


def floor_percent(percent: int, lines: int) -> float:
    """Returns a share in percent, rounded down to a tenth, so that only complete coverage is 100."""
    return percent * 1000 // lines / 10 if lines else 100.0


def line_ranges(lines: Iterable[int]) -> list[tuple[int, int]]:
    """Returns the lines as (first, last) of each consecutive range."""
    out: list[tuple[int, int]] = []
    for line in sorted(lines):
        if out and line == out[-1][1] + 1:
            out[-1] = (out[-1][0], line)
        else:
            out.append((line, line))
    return out
