"""Reads a save from its bytes: the header, the valid decisions, and the place of the first damage.

The header is stored twice, so one copy may be damaged. A line with a single changed byte is repaired. Any
other damage ends the contents, and everything before it is complete."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...dsl.diagnostics.safe_read import NotARegularFileError
from ..i18n.languages import parse_language_code
from .filesystem import FILE_SYSTEM, FileSystem
from .line_checksums import CHECKSUM_MARK, checksum_of, is_valid_line, repair_line
from .save_schema import MAX_LINE_BYTES, SaveSchemaError, get_int, parse_decision, parse_line, parse_setup
from .setup import SAVE_FORMAT, SECRET_SEED_FORMAT, DamagedSaveError, MatchSetup, MissingSaveError, SavedDecision, SaveError

HEADER_START = b'{"ludoglot":'
ENCODINGS_BY_BOM = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}            # by byte order mark
MAX_REPAIRED_LINES = 20                         # in one file
MAX_REPAIRED_BYTES = 20_000                    # in such lines; the longest ones take half a second each
MAX_SAVE_LINES = 40_000                       # of a file; bots stop after 20,000 decisions


@dataclass
class SaveContents:
    """The contents of a save.

    - `lines`: the decisions that were not taken back, and `starts`, their offsets
    - `notes`: the offsets of the other lines
    - `ends`: the end offset of every line, and `seals`, the checksums
    - `raw`: the bytes after repairs, and `repaired`, the numbers of the repaired lines
    - `damage`: the number of the first line that could not be repaired. It and everything after it are ignored
    - `smoothed`: line ends, empty lines or a byte order mark were corrected. Lines are counted after this
    - `lone`: the header exists only once"""

    setup: MatchSetup
    raw: bytes
    lines: list[SavedDecision] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    notes: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    seals: list[bytes] = field(default_factory=list)
    chained: bool = True             # whether its lines have checksums
    repaired: list[int] = field(default_factory=list)
    damage: int = 0
    smoothed: bool = False
    lone: bool = False

    @property
    def is_altered(self) -> bool:
        """Whether the file differs from what was written."""
        return bool(self.repaired or self.smoothed or self.damage)

    @property
    def valid_bytes(self) -> bytes:
        """The bytes up to the last good line."""
        return self.raw[: self.ends[-1]]

    def bytes_through(self, count: int) -> bytes:
        """Returns the bytes up to the end of the first `count` decisions."""
        return self.valid_bytes if count >= len(self.lines) else self.raw[: self.starts[count]]


def read_save(path: Path) -> tuple[MatchSetup, list[SavedDecision], list[int]]:
    """Returns the header, the valid decisions, and the end offset of each line. Raises SaveError."""
    record = read_contents(path)
    return record.setup, record.lines, record.ends


def read_contents(path: Path, strict: bool = True, disk: FileSystem = FILE_SYSTEM) -> SaveContents:
    """Returns the contents of a save. Without `strict`, they end at the first damage. Raises SaveError."""
    try:
        raw = disk.read(path)
    except (OSError, ValueError) as error:                         # ValueError: a NUL in the path
        if isinstance(error, FileNotFoundError):
            raise MissingSaveError("file.missing", file=str(path)) from error
        key = "file.none" if isinstance(error, NotARegularFileError) else "file.unreadable"
        raise SaveError(key, file=str(path), reason=getattr(error, "strerror", None) or "") from error
    return parse_save(path, raw, strict)


def parse_save(path: Path, raw: bytes, strict: bool = True, repair: bool = True) -> SaveContents:
    """Parses the bytes of a save. `path` is used in messages. Without `strict`, the
    contents end at the first damage. Raises SaveError."""
    found = choose_reading(path, raw, repair)
    if strict and found.damage:
        raise damage_error(path, found)
    return found


def choose_reading(path: Path, raw: bytes, repair: bool) -> SaveContents:
    """Parses the bytes as they are and with typical changes by a text editor undone,
    and returns the better result. Raises SaveError."""
    fault = record = None
    try:
        record = parse_lines(path, raw, repair)
        if not record.damage and not record.repaired:
            return record
    except SaveError as error:
        fault = error
    plain = undo_text_editor_damage(raw)
    if plain != raw:
        try:
            other = parse_lines(path, plain, repair)
        except SaveError as error:
            fault = fault or error
        else:
            if record is None or reading_quality(other) > reading_quality(record):
                other.smoothed = True
                return other
    if record is None:
        assert fault is not None
        raise fault
    return record


def reading_quality(record: SaveContents) -> tuple[bool, int, bool, int]:
    """Returns a sort key for the quality of a result: no damage, the number of decisions, nothing left over, few
    repairs."""
    return not record.damage, len(record.lines), record.ends[-1] == len(record.raw) and not record.lone, -len(record.repaired)


def undo_text_editor_damage(raw: bytes) -> bytes:
    """Undoes the changes that text editors make to a save: a different encoding, a
    byte order mark, other line ends, empty lines.

    None of them can occur in a save, so no information is lost."""
    for mark, coding in ENCODINGS_BY_BOM.items():
        if raw.startswith(mark):
            try:
                raw = raw.decode(coding).encode()
            except UnicodeError:
                break
    raw = raw.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    *lines, half = raw.split(b"\n")
    return b"".join(line + b"\n" for line in lines if line.strip()) + (half if half.strip() else b"")


def parse_lines(path: Path, raw: bytes, repair: bool) -> SaveContents:
    """Parses the bytes of a save as they are. The contents end at the first damage. Raises SaveError."""
    if raw.count(b"\n") > MAX_SAVE_LINES:
        raise SaveError("save.long", file=str(path), limit=MAX_SAVE_LINES)
    record = parse_header(path, raw, repair)
    hurt = 0
    while record.ends[-1] < len(record.raw):
        at = record.ends[-1]
        line = record.raw[at : record.raw.find(b"\n", at) + 1]
        number = len(record.ends) + 1
        if not line and b"\n" not in record.raw[at:]:
            if not repair or not record.chained or (found := repair_line(record.seals[-1], record.raw, at)) is None:
                break                                              # incomplete line of an interrupted program
            line = apply_repair(record, found, number)
        elif record.chained and not is_valid_line(record.seals[-1], line):
            hurt += len(line)
            room = len(record.repaired) < MAX_REPAIRED_LINES and (hurt <= MAX_REPAIRED_BYTES or not record.repaired)
            found = repair_line(record.seals[-1], record.raw, at) if repair and room else None
            if found is None:
                record.damage = number
                break
            line = apply_repair(record, found, number)
        try:
            apply_line(record, parse_line(line))
        except SaveSchemaError:
            record.damage = number
            break
        record.ends.append(at + len(line))
        record.seals.append(checksum_of(line) if record.chained else b"")
    return record


def damage_error(path: Path, record: SaveContents) -> DamagedSaveError:
    """Returns the error for a damaged save."""
    return DamagedSaveError("save.damaged", file=str(path), line=record.damage, n=len(record.lines))


def apply_repair(record: SaveContents, line: bytes, number: int) -> bytes:
    """Replaces the current line by its repaired form, and returns it."""
    at = record.ends[-1] if record.ends else 0
    record.raw = record.raw[:at] + line + record.raw[at + len(line) :]
    record.repaired.append(number)
    return line


def parse_header(path: Path, raw: bytes, repair: bool) -> SaveContents:
    """Parses the header. Returns contents without decisions. Raises SaveError if there is no header."""
    end = raw.find(b"\n") + 1
    if not end and HEADER_START.startswith(raw[: len(HEADER_START)]):
        raise SaveError("save.unborn", file=str(path))
    first = raw[:end]
    head = try_parse_header(first)
    if head is not None and head["ludoglot"] == 1 and not has_checksum(first):
        try:
            return SaveContents(parse_setup(head), raw, ends=[end], seals=[b""], chained=False)
        except SaveSchemaError as error:
            raise SaveError("save.headless", file=str(path)) from error
    if (
        head is not None
        and head["ludoglot"] not in (1, SAVE_FORMAT, SECRET_SEED_FORMAT)
        and (is_valid_line(b"", first) or not has_checksum(first))
    ):
        raise SaveError("save.newer", file=str(path))
    if is_valid_line(b"", first):
        return check_header_copy(path, raw, first, [])
    at = raw.find(HEADER_START, 1, 3 * MAX_LINE_BYTES)
    second = raw[at : raw.find(b"\n", at) + 1] if at > 0 else b""
    if is_valid_line(b"", second):                                         # the copy, or the header after other bytes
        itself = raw.startswith(second, at + len(second))
        return check_header_copy(path, raw[at:] if itself else second + raw[at:], second, [1])
    found = repair_line(b"", raw, 0) if repair else None
    if found is not None and try_parse_header(found) is not None:
        return check_header_copy(path, found + raw[len(found) :], found, [1])
    if head is None and not looks_like_save(raw):
        raise SaveError("file.damaged", file=str(path))
    raise SaveError("save.headless", file=str(path))


def check_header_copy(path: Path, raw: bytes, first: bytes, repaired: list[int]) -> SaveContents:
    """Returns contents with this valid header, and with its copy repaired if it is damaged. Raises SaveError."""
    try:
        head = parse_line(first)
        if head.get("ludoglot") not in (SAVE_FORMAT, SECRET_SEED_FORMAT):
            raise SaveError("save.newer", file=str(path))
        record = SaveContents(parse_setup(head), raw, ends=[len(first)], seals=[checksum_of(first)], repaired=repaired)
    except SaveSchemaError as error:
        raise SaveError("save.headless", file=str(path)) from error
    size = len(first)
    end = raw.find(b"\n", size) + 1
    if not end and len(raw) == 2 * size:                           # full length without a line end: the line end was damaged
        end = 2 * size
    # a decision follows directly: one of the two headers is missing
    if end and is_valid_line(record.seals[0], raw[size:end]):
        record.raw = first + raw
        record.repaired = [*repaired, 1 + len(repaired)]
        record.ends.append(2 * size)
        record.seals.append(checksum_of(first))
    elif not end:                                                  # the copy was written partly or not at all
        record.lone = True
    else:
        if raw[size:end] != first:
            behind = next((at for at in (end, 2 * size) if looks_like_header_copy(record, first, at)), 0)
            if not behind:
                return record
            record.raw = first + first + raw[behind:]
            record.repaired = [*repaired, 2]
        record.ends.append(2 * size)
        record.seals.append(checksum_of(first))
    return record


def looks_like_header_copy(record: SaveContents, first: bytes, at: int) -> bool:
    """Whether the bytes between the header and this offset were its copy: they still resemble it, or a valid line
    follows."""
    raw, size = record.raw, len(first)
    second = raw[size:at]
    alike = len(second) == size and sum(a != b for a, b in zip(first, second)) <= size // 4
    return alike or second.startswith(HEADER_START) or is_valid_line(record.seals[0], raw[at : raw.find(b"\n", at) + 1])


def try_parse_header(line: bytes) -> dict[str, Any] | None:
    """Returns the header in a line, or None."""
    try:
        head = parse_line(line)
    except SaveSchemaError:
        return None
    return head if "ludoglot" in head and type(head["ludoglot"]) is int else None


def has_checksum(line: bytes) -> bool:
    """Whether a line has a checksum field."""
    return CHECKSUM_MARK in line


def looks_like_save(raw: bytes) -> bool:
    """Whether the beginning of a file has a key of a save header."""
    return b'"ludoglot"' in raw[:HEADER_SCAN_BYTES] or b'"rules"' in raw[:HEADER_SCAN_BYTES]


HEADER_SCAN_BYTES = 10_000                      # at the beginning of a file


def apply_line(record: SaveContents, data: dict[str, Any]) -> None:
    """Applies one line after the header to the contents. Raises SaveSchemaError if the line is invalid."""
    at = record.ends[-1]
    players = record.setup.players
    if "undo" in data:
        count = get_int(data, "undo", 1, len(record.lines))
        del record.lines[-count:], record.starts[-count:]
        record.notes.append(at)
    elif "lang" in data:
        seat = get_int(data, "seat", 0, players - 1) if "seat" in data else None
        if not isinstance(data["lang"], str):
            raise SaveSchemaError
        lang = parse_language_code(data["lang"])
        if lang is not None:                                       # a language of a later version is ignored
            record.setup.set_language(seat, lang)
        record.notes.append(at)
    else:
        record.lines.append(parse_decision(data, players))
        record.starts.append(at)
