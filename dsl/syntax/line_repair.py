"""Replaces damaged lines of rules by harmless ones, so that the lines around them can be checked.

    for c in Caek:      ->    repeat 1:
        sold += 1                 sold += 1

The number of lines stays the same, so all other positions stay right."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from lark import UnexpectedInput
from lark.exceptions import LarkError
from lark.indenter import DedentError

from ..diagnostics.source_lines import count_indent
from .lark_parser import build_parser, find_declarations

CITATION = re.compile(r"@\w[\w-]*")
BLOCK_FORMS = ("repeat 1{cites}:", "if true{cites}:", "elif true{cites}:", "else:", "choose{cites}:", "{name}{cites}:",
               "otherwise{cites}:")
LINE_FORMS = ("let {name} = 0{cites}", "true{cites}", "{name}{cites}: stop")
NAME = "repaired_{number}"


@dataclass(frozen=True)
class DamagedText:
    """A mistake in a line: its row and column from 0, and its text with the correct form if that is known."""

    row: int
    column: int
    found: str = ""
    meant: str = ""

    @property
    def is_known(self) -> bool:
        """Whether the correct form is known. Without `found`, it only adds something."""
        return bool(self.found or self.meant)


@dataclass
class RepairedText:
    """A text with lines replaced.

        changed  the rows of replaced lines. A line that was corrected is not among them
        added    words that corrections have added
        removed  the old lines, in runs, with whether each run is a whole declaration
        moved    by row, the columns after which corrections have moved the text, and by how much"""

    text: str
    changed: set[int] = field(default_factory=set)
    added: set[str] = field(default_factory=set)
    removed: list[tuple[list[str], bool]] = field(default_factory=list)
    moved: dict[int, list[tuple[int, int]]] = field(default_factory=dict)


def repair_lines(text: str, damage: Iterable[DamagedText], first_line: int = 1) -> RepairedText:
    """Corrects or replaces the damaged lines of declarations.

    A row that occurs twice is replaced together with the block below it, and for the third time with its declaration."""
    found = RepairedText(text)
    columns: dict[int, list[int]] = {}
    shifts: dict[int, int] = {}                                    # by how much corrections have moved the rest of a row
    for one in sorted(damage, key=lambda one: (one.row, not one.is_known, one.column)):
        length = len(found.text)
        if one.is_known and one.row not in columns and correct_line(found, one, one.column + shifts.get(one.row, 0)):
            shifts[one.row] = shifts.get(one.row, 0) + len(found.text) - length
            continue
        columns.setdefault(one.row, []).append(one.column)
    for row in sorted(columns):
        rows = found.text.split("\n")
        head, end = find_declaration_rows(text, row)
        if not rows[row].strip() and len(columns[row]) < 3:        # a block that was removed
            continue
        name = NAME.format(number=first_line + row)
        made = None
        for attempt in range(len(columns[row]), 3):
            choices = iter_replacements(rows, row, end, columns[row][0], name, without_block=attempt > 1)
            furthest, made = max(((find_error_row(one[head:end]), one) for one in choices), default=(-1, None),
                                 key=lambda one: (one[0] > row - head + 1 and one[1][row + 1 :] == rows[row + 1 :], one[0]))
            if furthest > row - head:
                break
            made = None
        is_whole = made is None
        if made is None:
            made = [*rows[:head], *(keep_citations(line, first_line + n) for n, line in enumerate(rows[head:end], head)), *rows[end:]]
        changed = [n for n in range(head, min(end, len(rows))) if rows[n] != made[n]]
        found.changed |= set(changed)
        found.removed.append(([rows[n] for n in changed], is_whole))
        found.text = "\n".join(made)
    return found


def find_declaration_rows(text: str, row: int) -> tuple[int, int]:
    """Returns the first row of the declaration that contains a row, and the first one after it."""
    starts = [text.count("\n", 0, start) for start, _ in find_declarations(text)]
    return (max((start for start in starts if start <= row), default=0),
            min((start for start in starts if start > row), default=text.count("\n") + 1))


def correct_line(text: RepairedText, damage: DamagedText, column: int) -> bool:
    """Puts the correct form into a line, at this column, if the line can then be parsed further. Returns whether it can."""
    rows = text.text.split("\n")
    line, (head, end) = rows[damage.row], find_declaration_rows(text.text, damage.row)
    if not line.startswith(damage.found, column):
        return False
    after = line[column + len(damage.found) :]
    rows[damage.row] = line[:column] + (damage.meant + after if damage.meant else after.lstrip())
    if find_error_place(rows[head:end]) <= (damage.row - head, column + len(damage.meant)):
        return False
    text.text = "\n".join(rows)
    same = len(os.path.commonprefix([damage.found[::-1], damage.meant[::-1]]))          # the end of both is not new
    text.moved.setdefault(damage.row, []).append((column + len(damage.meant) - same, len(rows[damage.row]) - len(line)))
    text.added |= set(re.findall(r"\w+", damage.meant)) - set(re.findall(r"\w+", line))
    return True


def iter_replacements(rows: list[str], row: int, end: int, column: int, name: str, without_block: bool) -> Iterator[list[str]]:
    """Yields the lines with one of them replaced, the likeliest first."""
    line = rows[row]
    pad = line[: count_indent(line)]
    cites = [(cite.start(), cite[0]) for cite in CITATION.finditer(line.split("#")[0]) if not cite.start() <= column < cite.end()]
    body = find_inline_body(line)
    below = row + 1
    while below < end and below < len(rows) and (not rows[below].strip() or count_indent(rows[below]) > len(pad)):
        below += 1
    has_block = any(one.strip() for one in rows[row + 1 : below])
    if body is not None and column >= body:
        for form in LINE_FORMS:
            yield [*rows[:row], fill_form(line[:body] + form, name, cites), *rows[row + 1 :]]
    if pad and has_block and not without_block:
        for form in BLOCK_FORMS:
            yield [*rows[:row], fill_form(pad + form, name, cites), *rows[row + 1 :]]
    if pad:
        for form in LINE_FORMS:
            yield [*rows[:row], fill_form(pad + form, name, cites), *[""] * (below - row - 1), *rows[below:]]


def find_inline_body(text: str) -> int | None:
    """Returns the offset of code after the colon that opens a block, or None."""
    text = re.sub(r"#.*", lambda found: " " * len(found[0]), text)
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char == ":" and depth == 0:
            behind = re.search(r"\S", text[at + 1:])
            return None if behind is None else at + 1 + behind.start()
    return None


def fill_form(form: str, name: str, cites: Iterable[tuple[int, str]]) -> str:
    """Returns a replacement with its name and citations. These stay in their columns if there is room."""
    line, _, end = form.replace("{name}", name).partition("{cites}")
    for column, cite in cites:
        line = f"{line} ".ljust(column) + cite
    return line + end


def keep_citations(line: str, number: int) -> str:
    """Returns a declaration that only has the full citations of a line, or "" if it has none."""
    cites = [(cite.start(), cite[0]) for cite in CITATION.finditer(line.split("#")[0]) if not cite[0][1:].isdigit()]
    return fill_form("always {name}: true{cites}", NAME.format(number=number), cites) if cites else ""


def find_error_row(rows: list[str]) -> int:
    """Returns the row of the first syntax error in a declaration, or the number of rows if there is none."""
    return find_error_place(rows)[0]


def find_error_place(rows: list[str]) -> tuple[int, int]:
    """Returns the row and column of the first syntax error in a declaration, or the number of rows if there is none."""
    try:
        build_parser().parse("\n".join(rows).rstrip() + "\n")
    except DedentError as error:
        return int(error.args[0]) - 1, 0
    except UnexpectedInput as error:
        line, column = getattr(error, "line", None), getattr(error, "column", None)
        return (line - 1, (column or 1) - 1) if isinstance(line, int) and line > 0 else (len(rows) - 1, 0)
    except LarkError:
        return 0, 0
    return len(rows), 0
