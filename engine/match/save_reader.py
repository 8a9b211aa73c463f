"""Reads a save from its bytes: the header, the valid decisions, and the place of the first damage.

The header is stored twice, so one copy may be damaged. Any other damage ends the contents, and everything
before it is complete."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...dsl.diagnostics.safe_read import NotARegularFileError
from ..i18n.languages import parse_language_code
from .filesystem import FILE_SYSTEM, FileSystem
from .line_checksums import CHECKSUM_MARK, checksum_of, is_valid_line
from .save_schema import MAX_LINE_BYTES, SaveSchemaError, get_int, parse_decision, parse_line, parse_setup
from .setup import SAVE_FORMAT, SECRET_SEED_FORMAT, DamagedSaveError, MatchSetup, MissingSaveError, SavedDecision, SaveError

HEADER_START = b'{"ludoglot":'
ENCODINGS_BY_BOM = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}            # by byte order mark
MAX_SAVE_LINES = 40_000                       # of a file; bots stop after 20,000 decisions


@dataclass
class SaveContents:
    """The contents of a save.

    - `lines`: the decisions that were not taken back, and `starts`, their offsets
    - `notes`: the offsets of the other lines
    - `ends`: the end offset of every line, and `seals`, the checksums
    - `raw`: the bytes, with both copies of the header and normal line ends
    - `restored_header`: the number of the header line that was damaged and is restored from its copy, or 0
    - `damage`: the number of the first damaged line. It and everything after it are ignored
    - `smoothed`: line ends, empty lines or a byte order mark were corrected. Lines are counted after this
    - `lone`: the header exists only once, and no valid line follows"""

    setup: MatchSetup
    raw: bytes
    lines: list[SavedDecision] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    notes: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    seals: list[bytes] = field(default_factory=list)
    chained: bool = True             # whether its lines have checksums
    restored_header: int = 0
    damage: int = 0
    smoothed: bool = False
    lone: bool = False

    @property
    def is_altered(self) -> bool:
        """Whether the file differs from what was written."""
        return bool(self.restored_header or self.smoothed or self.damage)

    @property
    def valid_bytes(self) -> bytes:
        """The bytes up to the last good line, with both copies of the header."""
        valid = self.raw[: self.ends[-1]]
        return 2 * valid if self.lone else valid

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


def parse_save(path: Path, raw: bytes, strict: bool = True) -> SaveContents:
    """Parses the bytes of a save. `path` is used in messages. Without `strict`, the
    contents end at the first damage. Raises SaveError."""
    plain = undo_text_editor_damage(raw) or raw
    record = parse_lines(path, plain)
    record.smoothed = plain != raw
    if strict and record.damage:
        raise damage_error(path, record)
    return record


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


def parse_lines(path: Path, raw: bytes) -> SaveContents:
    """Parses the bytes of a save. The contents end at the first damage. Raises SaveError."""
    if raw.count(b"\n") > MAX_SAVE_LINES:
        raise SaveError("save.long", file=str(path), limit=MAX_SAVE_LINES)
    record = parse_header(path, raw)
    while record.ends[-1] < len(record.raw):
        at = record.ends[-1]
        line = line_at(record.raw, at)
        if not line.endswith(b"\n") and not is_valid_line(record.seals[-1], line[:-1] + b"\n"):
            break                                                  # incomplete line of an interrupted program
        number = len(record.ends) + 1
        if record.chained and not is_valid_line(record.seals[-1], line):
            record.damage = number
            break
        try:
            apply_line(record, parse_line(line))
        except SaveSchemaError:
            record.damage = number
            break
        record.ends.append(at + len(line))
        record.seals.append(checksum_of(line) if record.chained else b"")
    return record


def line_at(raw: bytes, at: int) -> bytes:
    """Returns the line that begins at this offset, with its line end."""
    return raw[at : raw.find(b"\n", at) + 1 or len(raw)]


def damage_error(path: Path, record: SaveContents) -> DamagedSaveError:
    """Returns the error for a damaged save."""
    return DamagedSaveError("save.damaged", file=str(path), line=record.damage, n=len(record.lines))


def parse_header(path: Path, raw: bytes) -> SaveContents:
    """Parses the header. Returns contents without decisions. Raises SaveError if there is no header."""
    if b"\n" not in raw and HEADER_START.startswith(raw[: len(HEADER_START)]):
        raise SaveError("save.unborn", file=str(path))
    first = line_at(raw, 0)
    head = try_parse_header(first)
    if head is not None and head["ludoglot"] == 1 and not has_checksum(first):
        try:
            return SaveContents(parse_setup(head), raw, ends=[len(first)], seals=[b""], chained=False)
        except SaveSchemaError as error:
            raise SaveError(error.key, file=str(path)) from error
    if (
        head is not None
        and head["ludoglot"] not in (1, SAVE_FORMAT, SECRET_SEED_FORMAT)
        and (is_valid_line(b"", first) or not has_checksum(first))
    ):
        raise SaveError("save.newer", file=str(path))
    if is_valid_line(b"", first):
        return check_header_copy(path, raw, first)
    at = raw.find(HEADER_START, 1, 3 * MAX_LINE_BYTES)
    second = line_at(raw, at) if at > 0 else b""
    if is_valid_line(b"", second):                                 # the copy, or the header after other bytes
        both = raw.startswith(second, at + len(second))
        record = check_header_copy(path, raw[at:] if both else second + raw[at:], second)
        record.restored_header = 1
        return record
    if head is None and not looks_like_save(raw):
        raise SaveError("file.damaged", file=str(path))
    raise SaveError("save.headless", file=str(path))


def check_header_copy(path: Path, raw: bytes, first: bytes) -> SaveContents:
    """Returns contents with this valid header, and with its copy restored if it is damaged. Raises SaveError."""
    try:
        head = parse_line(first)
        if head.get("ludoglot") not in (SAVE_FORMAT, SECRET_SEED_FORMAT):
            raise SaveError("save.newer", file=str(path))
        record = SaveContents(parse_setup(head), raw, ends=[len(first)], seals=[checksum_of(first)])
    except SaveSchemaError as error:
        raise SaveError(error.key, file=str(path)) from error
    size = len(first)
    if not raw.startswith(first, size):
        decisions_at = find_first_decision(record, size)
        if not decisions_at:                                       # the copy was not written, or more than the copy is damaged
            record.lone = True
            return record
        record.raw = first + first + raw[decisions_at:]
        record.restored_header = 2
    record.ends.append(2 * size)
    record.seals.append(checksum_of(first))
    return record


def find_first_decision(record: SaveContents, size: int) -> int:
    """Returns the offset of the valid line after a missing or damaged copy of the header, or of the end of the file
    if the copy has its full size. Otherwise 0."""
    raw = record.raw
    if len(raw) == 2 * size:
        return len(raw)
    places = (size, 2 * size, size + len(line_at(raw, size)))
    return next((at for at in places if is_valid_line(record.seals[0], line_at(raw, at))), 0)


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
