"""Merges packs into the rule files of a game as text, as a person would edit them.

New declarations go into a separate file for each pack. The game's lines keep their comments."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, assert_never

from ..diagnostics.diagnostic import DiagnosticList
from ..diagnostics.safe_read import read_text
from ..diagnostics.source_lines import count_indent, split_lines
from ..syntax import tree
from ..syntax.format import INDENT
from ..yaml.yaml_edit import dump_block
from .anchors import declaration_key
from .manifest import Pack, RuleSnippet, StepPatch
from .overlay import ConflictTracker, PackOverlay
from .rule_patches import PatchableDeclaration, RulePatcher
from .snippets import parse_declarations
from .source import GameSource

Rows = list[str]
PendingInserts = dict[int, list[tuple[int, int, Rows]]]                      # line -> indentation, rank, lines
EDGE, STEP, HEAD = range(3)                                        # ranks: edge of a body, step, head of a block


@dataclass
class SourceLines:
    """The lines of a file with pending edits by line number: insertions before and after, and removals."""

    rows: Rows
    before: PendingInserts = field(default_factory=dict)
    behind: PendingInserts = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)

    def insert(self, at: PendingInserts, line: int, indent: int, rank: int, rows: Rows) -> None:
        """Adds lines to the pending insertions at a line, indented."""
        at.setdefault(line, []).append((indent, rank, [" " * indent + row if row.strip() else "" for row in rows]))

    def render(self) -> str:
        """Returns the edited file. Less indented insertions come first before a line and last after it."""
        out: Rows = []
        for number, row in enumerate(self.rows, 1):
            out += [one for *_, rows in sorted(self.before.get(number, ()), key=lambda put: put[:2]) for one in rows]
            out += [] if number in self.gone else [row]
            out += [one for *_, rows in sorted(self.behind.get(number, ()), key=lambda put: (-put[0], -put[1])) for one in rows]
        text = "\n".join(out)
        while "\n\n\n" in text:
            text = text.replace("\n\n\n", "\n\n")
        return text.rstrip("\n") + "\n"


def merge_rules(source: GameSource, overlay: PackOverlay) -> tuple[dict[str, str], dict[str, str]]:
    """Returns the game's rule files with packs merged in, and the new rules by pack. The packs must be valid."""
    return SourceMerger(source, overlay).build_files()


class SourceMerger:
    """Merges all packs into the lines of a game's rules."""

    def __init__(self, source: GameSource, overlay: PackOverlay) -> None:
        self.packs = overlay.packs
        self.moved: dict[int, int] = {}                            # indentation of steps moved to their own line
        aside = PackOverlay(packs=overlay.packs, removed=overlay.removed)       # changes were reported before
        self.over = RulePatcher(source, aside, ConflictTracker(DiagnosticList()), DiagnosticList())
        self.over.read_declarations()
        self.over.apply(overlay.packs)
        self.names = {f"{source.shown}/{name}": name for name in source.data["rules"]}
        self.lines = {shown: SourceLines(split_lines(read_text(source.folder / name))) for shown, name in self.names.items()}

    def build_files(self) -> tuple[dict[str, str], dict[str, str]]:
        """Returns the merged rule files of the game and the new rule files, by name."""
        new: dict[str, str] = {}
        for pack in self.packs:
            texts = [chunk.text.strip("\n") for chunk in pack.iter_snippets("rules")]
            if texts:
                new[pack.name] = "\n\n".join(texts) + "\n"
            for chunk in pack.iter_snippets("replace"):
                self.replace_declarations(chunk)
        for one in self.over.all.values():
            if one.gone and one.file in self.lines:
                self.remove_declaration(one)
        for pack in self.packs:
            for move in pack.iter_step_patches():
                self.apply_step_patch(move)
        return {self.names[shown]: lines.render() for shown, lines in self.lines.items()}, new

    # ------------------------------------------------------------ whole declarations

    def replace_declarations(self, chunk: RuleSnippet) -> None:
        """Replaces declarations of the game. A comment above the new one replaces the old comment."""
        text = chunk.text.split("\n")
        for node in parse_declarations(chunk, DiagnosticList()):
            one = self.over.all[declaration_key(node)]
            if one.replaced is None or one.replaced[0] != chunk.file or one.replaced[1].meta.line != node.meta.line:
                continue                                           # a later pack replaces it too
            first, last = node.meta.line - chunk.line, (node.meta.end_line or node.meta.line) - chunk.line
            above = find_comment_start(text, first)
            lines = self.lines[one.file]
            old = one.node.meta.line
            if above < first:
                lines.gone |= set(range(find_comment_start(lines.rows, old - 1) + 1, old))
            lines.insert(lines.before, old, 0, STEP, text[above : last + 1])
            self.remove_lines(one.file, one.node)

    def remove_declaration(self, one: PatchableDeclaration) -> None:
        """Removes a declaration and the comment directly above it."""
        lines = self.lines[one.file]
        lines.gone |= set(range(find_comment_start(lines.rows, one.node.meta.line - 1) + 1, one.node.meta.line))
        self.remove_lines(one.file, one.node)

    def remove_lines(self, file: str, node: Any) -> None:
        """Removes the lines of a node."""
        self.lines[file].gone |= set(range(node.meta.line, (node.meta.end_line or node.meta.line) + 1))

    # ------------------------------------------------------------ steps

    def apply_step_patch(self, move: StepPatch) -> None:
        """Applies one patch of a step to the lines."""
        rows = move.chunk.text.strip("\n").split("\n") if move.chunk is not None else []
        edge = move.target.rpartition(":")[2].strip()
        one = self.over.all.get(("rule", move.target.partition(":")[0].strip()))
        if edge in ("begin", "end") and one is not None and isinstance(one.node, tree.Proc | tree.DefWhere):
            body = one.node.body.items if isinstance(one.node, tree.Proc) else [
                part for part in one.node.parts if isinstance(part, tree.Condition)]
            self.insert_next_to(one.file, body[0 if edge == "begin" else -1], edge == "begin", rows, EDGE)
            return
        step = self.over.find_step(move)
        if step is None:
            return
        match move.operation:
            case "before" | "after":
                self.insert_next_to(step.file, step.node, move.operation == "before", rows, STEP)
            case "head":
                self.replace_block_head(step.file, step.node, rows)
            case "instead" | "drop":
                lines, indent = self.lines[step.file], self.ensure_own_line(step.file, step.node)
                self.remove_lines(step.file, step.node)
                lines.insert(lines.before, step.node.meta.line, indent, STEP, rows)
            case _:
                assert_never(move.operation)

    def insert_next_to(self, file: str, node: Any, before: bool, rows: Rows, rank: int) -> None:
        """Inserts lines before or after a node, at its indentation."""
        lines, indent = self.lines[file], self.ensure_own_line(file, node)
        at = node.meta.line if before else node.meta.end_line or node.meta.line
        lines.insert(lines.before if before else lines.behind, at, indent, rank, rows)

    def ensure_own_line(self, file: str, node: Any) -> int:
        """Returns the indentation of a step. A step on the same line as its block head is first moved to its own line."""
        lines, row = self.lines[file].rows, node.meta.line - 1
        indent: int = self.moved.get(id(node), node.meta.column - 1)
        if not lines[row][:indent].strip():
            return indent
        host = lines[row]
        outer = count_indent(host)
        inner = outer + INDENT
        self.lines[file].insert(self.lines[file].before, node.meta.line, outer, HEAD, [host[:indent].strip()])
        lines[row] = " " * inner + host[indent:]
        self.moved[id(node)] = inner
        return inner

    def replace_block_head(self, file: str, node: Any, rows: Rows) -> None:
        """Replaces the first line of a block."""
        lines, indent = self.lines[file], self.ensure_own_line(file, node)
        first = first_step_inside(node)
        at = first.meta.line
        if at == node.meta.line:                                   # its only step is on the same line
            rows = [f"{rows[0].rstrip()} {lines.rows[at - 1][first.meta.column - 1 :]}"]
            lines.gone.add(at)
        else:
            until = at - 1
            while until > node.meta.line and (not lines.rows[until - 1].strip() or lines.rows[until - 1].lstrip().startswith("#")):
                until -= 1
            lines.gone |= set(range(node.meta.line, until + 1))
        lines.insert(lines.before, node.meta.line, indent, STEP, rows)


def find_comment_start(rows: Rows, at: int) -> int:
    """Returns the index of the first comment line directly above a line, or the index of the line itself."""
    while at and rows[at - 1].startswith("#"):
        at -= 1
    return at


def first_step_inside(node: Any) -> Any:
    """Returns the first step of a block."""
    if isinstance(node, tree.Menu):
        return next(part for part in node.parts if isinstance(part, tree.Entry))
    body = node.parts[2] if isinstance(node, tree.If_) else node.body
    return body.items[0]


def build_scenario_files(packs: Iterable[Pack]) -> dict[str, str]:
    """Returns the scenarios of packs as files for a game directory, by name, in their original text."""
    found: dict[str, str] = {}
    for pack in packs:
        for name in pack.further:
            if name.startswith("tests/"):
                found[f"{pack.name}-{name.removeprefix('tests/').replace('/', '-')}"] = pack.bundle.files[name]
        if pack.data.get("tests"):
            found[f"{pack.name}.yaml"] = "scenarios:\n" + (pack.raw_lines_below("tests") or dump_block(pack.data["tests"], 2))
    return found
