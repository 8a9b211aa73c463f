"""Takes damaged parts out of packs, so that one run can report their other mistakes too.

Of data, the smallest part with a mistake is left out. Of rules, a harmless line takes the place of the damaged one:

    vp[playr] += 1 @02    ->    let repaired_7 = 0 @02

A part that is damaged again, although it was repaired, is left out together with the part around it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..diagnostics.diagnostic import DiagnosticList, SourceSpan
from ..syntax.line_repair import DamagedText, RepairedText, repair_lines
from ..yaml.located_yaml import LocatedYaml, get_value, parse_yaml
from .bundle import MAIN_FILE
from .manifest import HARMLESS_YAML_CODES, Pack, RuleSnippet, remove_part

WORD = re.compile(r"[^\W\d]\w*")
RULE_SECTIONS = ("rules", "replace")
NAMING_SECTIONS = ("set", "place", "remove", "over", "fits", "needs", "not_with")       # their keys and names exist elsewhere
TEXT_SECTIONS = ("set", "words", "nouns", "clauses")
FIXED_KEYS = ("house", "for")                                      # a pack is nothing without them
# names that a line may introduce: `let x = …`, `for x, y in …`, `… as x`. A name in brackets is only used.
BINDING = re.compile(r"([^\W\d]\w*)\s*(?:=(?!=)|,|:|\bin\b)|\b(?:as|for|of|choose|let|var|const|int|bool)\s+([^\W\d]\w*)")


@dataclass
class RepairLog:
    """The parts that were taken out of packs.

        words         all words in them
        introduced    the names that they may introduce. Other parts may rightly use these
        lines         the rule lines that were replaced: file, line
        partial       the places of changes that have such lines, so that they may lack a citation
        moved         the columns after which corrections have moved a line, and by how much: by file and line
        declarations  the declarations of the game that they would have changed. `""` stands for any"""

    words: set[str] = field(default_factory=set)
    introduced: set[str] = field(default_factory=set)
    lines: set[tuple[str, int]] = field(default_factory=set)
    partial: set[SourceSpan] = field(default_factory=set)
    declarations: set[str] = field(default_factory=set)
    moved: dict[tuple[str, int], list[tuple[int, int]]] = field(default_factory=dict)

    def restore_place(self, place: SourceSpan) -> SourceSpan:
        """Returns the place in the pack as written of a place in a corrected line."""
        for after, by in reversed(self.moved.get((place.path, place.line), [])):
            if place.column >= after:
                place = replace(place, column=place.column - by, end=place.end and place.end - by)
        return place

    def add_data(self, path: tuple[Any, ...], value: Any) -> None:
        """Records an entry of data that was left out."""
        keys = " ".join(map(str, (path[-1], *iter_keys(value))))
        self.words |= set(WORD.findall(f"{keys} {value}"))
        self.introduced |= set(WORD.findall(keys)) if path[0] not in NAMING_SECTIONS else set()

    def add_rows(self, rows: Iterable[str], is_whole: bool = False) -> None:
        """Records rule lines that were replaced. They may introduce local names, or be whole declarations."""
        for row in rows:
            self.words |= set(WORD.findall(row))
            plain = re.sub(r"\[[^\[\]]*\]", "", row)
            self.introduced |= {name for pair in BINDING.findall(plain) for name in pair if name}
            if is_whole and row[:1].strip():
                self.introduced |= list_head_names(row)
                self.declarations |= list_head_names(row)

    def add_repair(self, repaired: RepairedText, file: str, line: int = 1, column: int = 0) -> None:
        """Records the replaced and corrected lines of a text that begins at a line and column of a file."""
        for rows, is_whole in repaired.removed:
            self.add_rows(rows, is_whole)
        self.introduced |= repaired.added
        for row, moves in repaired.moved.items():
            self.moved[file, line + row] = [(at + column + 1, by) for at, by in moves]
        self.lines |= {(file, line + row) for row in repaired.changed}


@dataclass
class PackRepair:
    """Repairs packs.

        damaged  the places of mistakes: one that occurs twice is left out with more around it
        superseded  those of changes that another change of the packs makes impossible
        fixes    the correct form of damaged text, by its place, where a mistake tells it
        completed  the places of members whose missing attributes were reported
        lacking  members without a case of their own, by the name of the procedure or def: they get a copy of another one"""

    damaged: Collection[SourceSpan] = ()
    superseded: Collection[SourceSpan] = ()
    fixes: Mapping[SourceSpan, tuple[str, str]] = field(default_factory=dict)
    lacking: Mapping[str, Iterable[str]] = field(default_factory=dict)
    completed: Collection[SourceSpan] = ()
    log: RepairLog = field(default_factory=RepairLog)
    unread: set[SourceSpan] = field(default_factory=set)           # places of parts that the reader of packs has left out

    def repair_data(self, pack: Pack) -> None:
        """Takes the damaged data and steps out of a pack."""
        documents = {pack.bundle.display_path(name): document for name, document in [(MAIN_FILE, pack.document), *pack.further.items()]}
        written = parse_yaml(pack.bundle.files[MAIN_FILE], pack.document.path, DiagnosticList(), harmless=HARMLESS_YAML_CODES)
        for place in self.unread:
            if written is not None and place.path == pack.document.path and (path := find_part(written, place)):
                self.log.add_data(path, get_value(written.data, path))
        for place in self.damaged:
            document = documents.get(place.path) if place not in self.unread else None
            path = find_part(document, place) if document is not None else ()
            if document is None or not path or path in [(key,) for key in FIXED_KEYS]:
                continue
            if document is pack.document and path[0] in RULE_SECTIONS and isinstance(pack.data.get(path[0]), str):
                continue                                           # `repair_snippet` replaces the line
            if document is pack.document and path[0] == "steps" and len(path) > 1:
                if path[2:] != ("rules",) or "head" in pack.data["steps"][path[1]] or self.is_beyond_repair(pack.snippet_at(*path)):
                    self.drop_step(pack, path[:2], place in self.superseded)
                continue
            if path[-1] == "by":                                   # the cases mean nothing without it
                path = path[:-1]
            self.log.add_data(path, get_value(document.data, path))
            remove_part(document, path)
            if path[0] in TEXT_SECTIONS and len(path) > 2 and get_value(document.data, path[:-1]) == {}:
                remove_part(document, path[:-1])                   # a text in no language

    def is_beyond_repair(self, chunk: RuleSnippet) -> bool:
        """Whether a line of a step is damaged for the third time."""
        found = [one.row for one in self.find_damage(chunk)]
        return any(found.count(row) > 2 for row in found)

    def drop_step(self, pack: Pack, path: tuple[Any, ...], is_superseded: bool) -> None:
        """Leaves out a change of a step. A superseded one would have changed nothing, so only its new lines are recorded."""
        step = get_value(pack.document.data, path)
        if isinstance(step, dict):
            self.log.add_rows(str(step.get("rules", "")).split("\n"))
            for target in (str(given) for key, given in step.items() if key != "rules" and not is_superseded):
                name, _, text = target.partition(":")
                self.log.words |= set(WORD.findall(target))
                self.log.declarations |= {name.strip() if text else name.partition(" in ")[2]}
        remove_part(pack.document, path)

    def find_damage(self, chunk: RuleSnippet, down: int = 0, right: int = 0) -> list[DamagedText]:
        """Returns the damage in a snippet, moved by lines and columns."""
        rows = chunk.text.rstrip().count("\n")
        width = len(chunk.text.partition("\n")[0]) if not rows else None
        return [DamagedText(place.line - chunk.line + down, place.column - 1 - chunk.column + right, *self.fixes.get(place, ("", "")))
                for place in self.damaged
                if place.path == chunk.file and 0 <= place.line - chunk.line <= rows
                and (width is None or 0 <= place.column - 1 - chunk.column <= width)]

    def note_partial(self, place: SourceSpan, first: int, last: int) -> None:
        """Records the place of a change if one of its lines was replaced."""
        if any((place.path, line) in self.log.lines for line in range(first, last + 1)):
            self.log.partial.add(place)

    def repair_snippet(self, text: str, chunk: RuleSnippet, lines_before: int = 0, indent: int = 0) -> str:
        """Returns the text of a snippet with its damaged lines replaced.

        `lines_before` and `indent` count the lines and columns that were added around the snippet."""
        damage = self.find_damage(chunk, lines_before, indent)
        if not damage:
            return text
        repaired = repair_lines(text, damage, chunk.line - lines_before)
        self.log.add_repair(repaired, chunk.file, chunk.line - lines_before, chunk.column - indent)
        return repaired.text


def list_head_names(line: str) -> set[str]:
    """Returns the words that name a declaration, by its first line: `effect` and `bun` of `proc effect[bun](player):`."""
    return set(WORD.findall(re.split(r"[(:=@]", line)[0])) - {"proc", "def", "phase", "state", "always", "where"}


def find_part(document: LocatedYaml, place: SourceSpan) -> tuple[Any, ...]:
    """Returns the path of the innermost part of a document that contains a place."""
    before = [((at.line, at.column), len(path), path) for places in (document.keys, document.values) for path, at in places.items()
              if (at.line, at.column) <= (place.line, place.column)]
    return max(before, key=lambda one: one[:2], default=((0, 0), 0, ()))[2]


def iter_keys(value: Any) -> Iterator[Any]:
    """Yields all keys in nested data."""
    for key, inner in value.items() if isinstance(value, dict) else ():
        yield key
        yield from iter_keys(inner)
    for inner in value if isinstance(value, list) else ():
        yield from iter_keys(inner)
