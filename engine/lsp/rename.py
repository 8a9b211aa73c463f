"""Rename a symbol in every file of a game: rules, data, scenarios, texts, table, translations.

The edits are tried on the checked copy first. If they would break anything, the rename is rejected."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ...dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList
from ...dsl.game.table_config import TABLE_FILE
from ...dsl.syntax.lark_parser import keywords
from ...dsl.yaml.located_yaml import parse_yaml
from ..errors import MessageError
from ..i18n.languages import LANGUAGES
from ..i18n.readers import SHIPPED_LOCALE, catalogue_path, lexicon_path
from ..library.find import RULES_FOLDER
from .project import GameProject
from .symbol_index import WORD, GameSymbol, SymbolIndex

RENAMABLE_KINDS = ("state", "family", "member", "attribute", "own", "number", "table", "option", "local", "event", "law", "type")
TRANSLATION_STATUS_CODES = ("W201", "W202", "W203", "W204", "W205")            # these do not prevent a rename
KINDS_IN_TEXTS = ("state", "family", "member", "attribute", "own", "number", "table", "option", "event", "type")
SECTIONS_BY_NAME = ("colours", "shapes", "inspect", "potential", "look", "outlook")       # of table.yaml: their inner keys are names


class RenameError(MessageError):
    """The symbol cannot get this name."""


@dataclass(frozen=True)
class RenameEdit:
    """A replacement of text within a line. Lines and columns count from 1, `end` is the column after the last
    character."""

    path: str
    line: int
    column: int
    end: int
    text: str


def rename_symbol(desk: GameProject, meaning: GameSymbol, name: str) -> list[RenameEdit]:
    """Returns all edits that rename a symbol. Raises RenameError."""
    if meaning.kind not in RENAMABLE_KINDS:
        raise RenameError("editor.rename.not_here", name=meaning.name)
    if not is_valid_name(name, meaning.kind == "type"):
        raise RenameError("editor.rename.no_name", name=name)
    index = desk.symbol_index(scenarios=True)
    apart = meaning.kind in ("member", "attribute", "own")         # two types may share such a name
    others = {spot.meaning for spots in index.spots.values() for spot in spots
              if spot.declares and spot.meaning.name == name and spot.meaning.kind != "local"}
    if any(other.owner == meaning.owner or not apart for other in others):
        raise RenameError("editor.rename.taken", name=name)
    alone = all(spot.meaning == meaning for spots in index.spots.values() for spot in spots
                if spot.declares and spot.meaning.name == meaning.name and spot.meaning.kind != "local")
    edits = dict.fromkeys([*iter_symbol_edits(desk, index, meaning, name), *iter_text_edits(desk, meaning, name, alone)])
    broken = find_new_problem(desk, list(edits))
    if broken is not None:
        place = f"{Path(broken.place.path).name}:{broken.place.line}"
        raise RenameError("editor.rename.breaks", name=name, place=place, code=broken.code)
    return sorted(edits, key=lambda edit: (edit.path, edit.line, edit.column))


def is_valid_name(name: str, of_type: bool) -> bool:
    """Whether a name is valid in rules."""
    reserved = {word for word in keywords()["words"].values() if " " not in word}
    return bool(re.fullmatch(r"[A-Z][A-Za-z0-9]*" if of_type else r"[^\W\dA-Z]\w*", name)) and name not in reserved


def iter_symbol_edits(desk: GameProject, index: SymbolIndex, meaning: GameSymbol, name: str) -> Iterator[RenameEdit]:
    """Yields the edits at the places that the symbol index knows."""
    for spot in index.references_to(meaning):
        lines = desk.lines(spot.place.path)
        said = lines[spot.place.line - 1][spot.place.column - 1 : spot.place.end - 1] if spot.place.line <= len(lines) else ""
        found = next((word for word in WORD.finditer(said) if word[0] == meaning.name), None)
        if found is not None:
            start = spot.place.column + found.start()
            yield RenameEdit(spot.place.path, spot.place.line, start, start + len(meaning.name), name)


def iter_text_edits(desk: GameProject, meaning: GameSymbol, name: str, single: bool) -> Iterator[RenameEdit]:
    """Yields the edits in keys and fields of texts, and in the table.

    Fields are left alone unless this symbol is the only one with the name (`single`), because a field does not
    show which symbol it means."""
    if meaning.kind not in KINDS_IN_TEXTS:
        return
    for path in list_text_files(desk):
        lines = desk.lines(path)
        table = path.name == TABLE_FILE
        fixed = find_table_keys("\n".join(lines)) if table else set()
        for number, line in enumerate(lines, 1):
            for start, end in iter_name_ranges(line, path.suffix == ".po", table, single):
                for word in re.finditer(rf"(?<![^\W_]){re.escape(meaning.name)}(?![^\W_])", line[start:end]):
                    column = start + word.start() + 1
                    if (number, column) not in fixed and is_whole_name(line, start, end, start + word.start(), len(meaning.name)):
                        yield RenameEdit(path.as_posix(), number, column, column + len(meaning.name), name)


def find_table_keys(text: str) -> set[tuple[int, int]]:
    """Returns the lines and columns of the keys of a `table.yaml` that are not names of the game."""
    document = parse_yaml(text, TABLE_FILE, DiagnosticList())
    return set() if document is None else {
        (span.line, span.column) for path, span in document.keys.items() if len(path) == 1 or path[0] not in SECTIONS_BY_NAME}


def list_text_files(desk: GameProject) -> list[Path]:
    """Returns the files with texts of a game."""
    locale, domain = SHIPPED_LOCALE if desk.root.is_relative_to(RULES_FOLDER) else desk.root / "locale", desk.root.name
    found = list(desk.root.glob("*.yaml"))
    for lang in LANGUAGES:
        found += [catalogue_path(locale, lang, domain), lexicon_path(locale, lang, domain)]
    return [path for path in found if path.is_file()]


def iter_name_ranges(line: str, po: bool, table: bool, texts: bool) -> Iterator[tuple[int, int]]:
    """Yields the column ranges of a line that contain names: keys of texts, and fields in braces. In a table, the
    whole line."""
    key = re.match(r'msgctxt\s+"([^"]*)"', line) if po else re.match(r'"?([A-Za-z_][\w.\[\]]*\.[\w.\[\]]*)"?\s*:', line)
    if key is not None:
        yield key.start(1), key.end(1)
    if table:
        value = line.split("#", 1)[0]
        yield 0, len(value)
        return
    for quoted in re.finditer(r'"(?:[^"\\]|\\.)*"', line) if texts else ():
        for braces in re.finditer(r"\{(\w+)\}(?:~[\w.]+)*", quoted[0]):
            yield quoted.start() + braces.start(1), quoted.start() + braces.end(1)


def is_whole_name(line: str, start: int, end: int, at: int, size: int) -> bool:
    """Whether a name found in a key or a field is a complete part of it, between separators or underscores."""
    before, after = line[at - 1 : at] if at > start else "", line[at + size : at + size + 1] if at + size < end else ""
    return before in ("", "_", ".", "[", " ", "{", ",", '"', "(") and after in ("", "_", ".", "]", " ", "}", ",", '"', ")", ":")


def find_new_problem(desk: GameProject, edits: list[RenameEdit]) -> Diagnostic | None:
    """Returns a problem that the edits would cause, or None. The edits are tried on the copy and undone."""
    mirror = desk.mirror
    on_screen = dict(mirror.open)
    before = check_project(desk)
    try:
        for path, text in apply_edits(desk, edits).items():
            mirror.set_text(Path(path), text)
        after = check_project(desk)
    finally:
        mirror.open.clear()
        mirror.open.update(on_screen)
        next(desk.steps())                                         # restore the state of the real text
    many = Counter((one.code, one.severity) for one in before)
    for one in after:
        kind = one.code, one.severity
        many[kind] -= 1
        # translations elsewhere are edited but not copied
        inside = mirror.original_path(one.place.path).is_relative_to(desk.root)
        if many[kind] < 0 and one.code not in TRANSLATION_STATUS_CODES and inside:
            return one
    return None


def check_project(desk: GameProject) -> list[Diagnostic]:
    """Runs a complete check and returns its diagnostics."""
    last: list[Diagnostic] = []
    for step in desk.steps():
        if step is not None:
            last = list(step.findings)
    return last


def apply_edits(desk: GameProject, edits: list[RenameEdit]) -> dict[str, str]:
    """Returns the new texts of the files that the edits change."""
    out: dict[str, str] = {}
    for path in dict.fromkeys(edit.path for edit in edits):
        lines = desk.lines(path)
        for edit in sorted((one for one in edits if one.path == path), key=lambda one: (one.line, -one.column)):
            line = lines[edit.line - 1]
            lines[edit.line - 1] = line[: edit.column - 1] + edit.text + line[edit.end - 1 :]
        out[path] = "\n".join(lines)
    return out
