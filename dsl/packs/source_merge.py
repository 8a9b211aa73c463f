"""The rules of a game with packs worked in, as text: what a person would have written into the game's own files. New declarations stand in
a file of their own for each pack; the game's lines keep their comments."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ..diagnostics.diagnostic import Findings
from ..diagnostics.safe_read import read_text
from ..diagnostics.source_lines import lines_of
from ..syntax import tree
from ..syntax.format import INDENT
from ..yaml.yaml_edit import said_anew
from .anchors import key_of
from .manifest import Chunk, Move, Pack
from .overlay import Claims, Laid
from .rule_patches import Declaration, OverRules
from .snippets import declarations
from .source import Source

Rows = list[str]
Put = dict[int, list[tuple[int, int, Rows]]]                      # by line: how far in, what ranks there, lines
EDGE, STEP, HEAD = range(3)                                        # at the edge of a body; beside a step; the head of its block


@dataclass
class Lines:
    """The lines of a file, and what becomes of them, by their numbers: what comes before and behind, and which are gone."""

    rows: Rows
    before: Put = field(default_factory=dict)
    behind: Put = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)

    def put(self, at: Put, line: int, indent: int, rank: int, rows: Rows) -> None:
        at.setdefault(line, []).append((indent, rank, [" " * indent + row if row.strip() else "" for row in rows]))

    def text(self) -> str:
        """The file as it is then. What stands further out comes first before a line, and last behind it."""
        out: Rows = []
        for number, row in enumerate(self.rows, 1):
            out += [one for *_, rows in sorted(self.before.get(number, ()), key=lambda put: put[:2]) for one in rows]
            out += [] if number in self.gone else [row]
            out += [one for *_, rows in sorted(self.behind.get(number, ()), key=lambda put: (-put[0], -put[1])) for one in rows]
        text = "\n".join(out)
        while "\n\n\n" in text:
            text = text.replace("\n\n\n", "\n\n")
        return text.rstrip("\n") + "\n"


def merged_rules(source: Source, laid: Laid) -> tuple[dict[str, str], dict[str, str]]:
    """The game's rule files with packs worked in, and what is new, by pack. The packs are known to fit."""
    return Merging(source, laid).files()


class Merging:
    """All packs over the lines of a game's rules."""

    def __init__(self, source: Source, laid: Laid) -> None:
        self.packs = laid.packs
        self.moved: dict[int, int] = {}                            # how far in steps stand that got a line of their own
        aside = Laid(packs=laid.packs, removed=laid.removed)       # what is said of the changes has been said
        self.over = OverRules(source, aside, Claims(Findings()), Findings())
        self.over.read()
        self.over.lay(laid.packs)
        self.names = {f"{source.shown}/{name}": name for name in source.data["rules"]}
        self.lines = {shown: Lines(lines_of(read_text(source.folder / name))) for shown, name in self.names.items()}

    def files(self) -> tuple[dict[str, str], dict[str, str]]:
        new: dict[str, str] = {}
        for pack in self.packs:
            texts = [chunk.text.strip("\n") for chunk in pack.declared("rules")]
            if texts:
                new[pack.name] = "\n\n".join(texts) + "\n"
            for chunk in pack.declared("replace"):
                self.replace(chunk)
        for one in self.over.all.values():
            if one.gone and one.file in self.lines:
                self.leave_out(one)
        for pack in self.packs:
            for move in pack.moves():
                self.step(move)
        return {self.names[shown]: lines.text() for shown, lines in self.lines.items()}, new

    # ------------------------------------------------------------ whole declarations

    def replace(self, chunk: Chunk) -> None:
        """Declarations in the place of the game's, each with the comment above it; that of the game stays where it has none."""
        text = chunk.text.split("\n")
        for node in declarations(chunk, Findings()):
            one = self.over.all[key_of(node)]
            if one.replaced is None or one.replaced[0] != chunk.file or one.replaced[1].meta.line != node.meta.line:
                continue                                           # another pack replaces it again
            first, last = node.meta.line - chunk.line, (node.meta.end_line or node.meta.line) - chunk.line
            above = comment_above(text, first)
            lines = self.lines[one.file]
            old = one.node.meta.line
            if above < first:
                lines.gone |= set(range(comment_above(lines.rows, old - 1) + 1, old))
            lines.put(lines.before, old, 0, STEP, text[above : last + 1])
            self.without(one.file, one.node)

    def leave_out(self, one: Declaration) -> None:
        """A declaration, with the comment right above it."""
        lines = self.lines[one.file]
        lines.gone |= set(range(comment_above(lines.rows, one.node.meta.line - 1) + 1, one.node.meta.line))
        self.without(one.file, one.node)

    def without(self, file: str, node: Any) -> None:
        self.lines[file].gone |= set(range(node.meta.line, (node.meta.end_line or node.meta.line) + 1))

    # ------------------------------------------------------------ steps

    def step(self, move: Move) -> None:
        rows = move.chunk.text.strip("\n").split("\n") if move.chunk is not None else []
        edge = move.target.rpartition(":")[2].strip()
        one = self.over.all.get(("rule", move.target.partition(":")[0].strip()))
        if edge in ("begin", "end") and one is not None and isinstance(one.node, tree.Proc | tree.DefWhere):
            body = one.node.body.items if isinstance(one.node, tree.Proc) else [
                part for part in one.node.parts if isinstance(part, tree.Condition)]
            self.beside(one.file, body[0 if edge == "begin" else -1], edge == "begin", rows, EDGE)
            return
        step = self.over.find(move)
        if step is None:
            return
        if move.operation in ("before", "after"):
            self.beside(step.file, step.node, move.operation == "before", rows, STEP)
        elif move.operation == "head":
            self.head(step.file, step.node, rows)
        else:
            lines, indent = self.lines[step.file], self.own_line(step.file, step.node)
            self.without(step.file, step.node)
            lines.put(lines.before, step.node.meta.line, indent, STEP, rows)

    def beside(self, file: str, node: Any, before: bool, rows: Rows, rank: int) -> None:
        lines, indent = self.lines[file], self.own_line(file, node)
        at = node.meta.line if before else node.meta.end_line or node.meta.line
        lines.put(lines.before if before else lines.behind, at, indent, rank, rows)

    def own_line(self, file: str, node: Any) -> int:
        """How far in a step stands. One that stands behind the head of its block gets a line of its own, in a list behind that head."""
        lines, row = self.lines[file].rows, node.meta.line - 1
        indent: int = self.moved.get(id(node), node.meta.column - 1)
        if not lines[row][:indent].strip():
            return indent
        host = lines[row]
        outer = len(host) - len(host.lstrip())
        inner = outer + INDENT
        self.lines[file].put(self.lines[file].before, node.meta.line, outer, HEAD, [host[:indent].strip()])
        lines[row] = " " * inner + host[indent:]
        self.moved[id(node)] = inner
        return inner

    def head(self, file: str, node: Any, rows: Rows) -> None:
        """Another first line of a block."""
        lines, indent = self.lines[file], self.own_line(file, node)
        first = first_inside(node)
        at = first.meta.line
        if at == node.meta.line:                                   # its one step stands behind it
            rows = [f"{rows[0].rstrip()} {lines.rows[at - 1][first.meta.column - 1 :]}"]
            lines.gone.add(at)
        else:
            until = at - 1
            while until > node.meta.line and (not lines.rows[until - 1].strip() or lines.rows[until - 1].lstrip().startswith("#")):
                until -= 1
            lines.gone |= set(range(node.meta.line, until + 1))
        lines.put(lines.before, node.meta.line, indent, STEP, rows)


def comment_above(rows: Rows, at: int) -> int:
    """The first of the comment lines that stand right above a line (counted from 0); the line itself where there are none."""
    while at and rows[at - 1].startswith("#"):
        at -= 1
    return at


def first_inside(node: Any) -> Any:
    """The first step of a block."""
    if isinstance(node, tree.Menu):
        return next(part for part in node.parts if isinstance(part, tree.Entry))
    body = node.parts[2] if isinstance(node, tree.If_) else node.body
    return body.items[0]


def pack_tests(packs: Iterable[Pack]) -> dict[str, str]:
    """The scenarios of packs as files for the folder of a game, by name, as they are written."""
    found: dict[str, str] = {}
    for pack in packs:
        for name in pack.further:
            if name.startswith("tests/"):
                found[f"{pack.name}-{name.removeprefix('tests/').replace('/', '-')}"] = pack.bundle.files[name]
        if pack.data.get("tests"):
            found[f"{pack.name}.yaml"] = "scenarios:\n" + (pack.below("tests") or said_anew(pack.data["tests"], 2))
    return found
