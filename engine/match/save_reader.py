"""What a save holds, read from its bytes: the header, the decisions that stand, and where the first damage is.

The header stands twice, so that it can be damaged once. A line with one byte changed is put right. Whatever else is wrong ends the
record: all that stands before it is whole.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...dsl.diagnostics.safe_read import NotARegularFileError
from ..i18n.languages import parse_language_code
from .filesystem import FILE_SYSTEM, FileSystem
from .line_checksums import CHECKSUM_MARK, checksum_of, is_valid_line, repair_line
from .save_schema import MAX_LINE_BYTES, SaveSchemaError, parse_decision, parse_line, parse_setup, get_int
from .setup import SAVE_FORMAT, SECRET_SEED_FORMAT, MatchSetup, SavedDecision, SaveError

HEADER_START = b'{"ludoglot":'
ENCODINGS_BY_BOM = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}            # with the marks by which they are known
MAX_REPAIRED_LINES = 20                         # lines that are put right in one file,
MAX_REPAIRED_BYTES = 20_000                    # and bytes of such lines: the longest of them take half a second each
MAX_SAVE_LINES = 40_000                       # of a file; bots among themselves stop after twenty thousand decisions


@dataclass
class SaveContents:
    """What a save holds: `lines` are the decisions that stand, `starts` where in the file each begins, `notes` where the other lines
    begin, `ends` where each line ends, with `seals`, its checksum.

    `raw` is the file, with what could be put right; `repaired` are the numbers of those lines. `damage` is the number of the first line
    that could not; it and what follows it count for nothing. `smoothed`: line ends, empty lines or a mark before the first line were put
    right, and the lines are counted without them. `lone`: the header stands only once."""

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
        """Whether the file is not as it was written."""
        return bool(self.repaired or self.smoothed or self.damage)

    @property
    def valid_bytes(self) -> bytes:
        """The bytes up to the last good line."""
        return self.raw[: self.ends[-1]]

    def bytes_through(self, count: int) -> bytes:
        """The bytes up to the end of so many of the decisions that stand."""
        return self.valid_bytes if count >= len(self.lines) else self.raw[: self.starts[count]]


def read_save(path: Path) -> tuple[MatchSetup, list[SavedDecision], list[int]]:
    """The header, the decisions that stand, and where each line of the file ends. Raises SaveFault."""
    record = read_contents(path)
    return record.setup, record.lines, record.ends


def read_contents(path: Path, strict: bool = True, disk: FileSystem = FILE_SYSTEM) -> SaveContents:
    """All that a save holds. Without `strict` it ends where the first damage is. Raises SaveFault."""
    try:
        raw = disk.read(path)
    except (OSError, ValueError) as error:                         # ValueError: a NUL in the name
        keys = ((FileNotFoundError, "file.missing"), (NotARegularFileError, "file.none"))
        key = next((key for kind, key in keys if isinstance(error, kind)), "file.unreadable")
        raise SaveError(key, file=str(path), reason=getattr(error, "strerror", None) or "") from error
    return parse_save(path, raw, strict)


def parse_save(path: Path, raw: bytes, strict: bool = True, repair: bool = True) -> SaveContents:
    """What the bytes of a save hold; `path` is for messages. Without `strict` it ends where the first damage is. Raises SaveFault."""
    found = choose_reading(path, raw, repair)
    if strict and found.damage:
        raise damage_error(path, found)
    return found


def choose_reading(path: Path, raw: bytes, repair: bool) -> SaveContents:
    """What the bytes hold as they stand, or as they were before a program for texts went over them, whichever is more. Raises
    SaveFault."""
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
    """How good a reading is: whether there is damage, how much it holds, whether something is left over, how much had to be put right."""
    return not record.damage, len(record.lines), record.ends[-1] == len(record.raw) and not record.lone, -len(record.repaired)


def undo_text_editor_damage(raw: bytes) -> bytes:
    """A save without what programs for texts do to one: another coding, a mark before the first line, other line ends, empty lines. None of
    it can stand in a save, so all of the game is still there."""
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
    """What the bytes of a save hold, as they stand; it ends where the first damage is. Raises SaveFault."""
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
                break                                              # half a line, of a program that was stopped while writing
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


def damage_error(path: Path, record: SaveContents) -> SaveError:
    return SaveError("save.damaged", mendable=True, file=str(path), line=record.damage, n=len(record.lines))


def apply_repair(record: SaveContents, line: bytes, number: int) -> bytes:
    at = record.ends[-1] if record.ends else 0
    record.raw = record.raw[:at] + line + record.raw[at + len(line) :]
    record.repaired.append(number)
    return line


def parse_header(path: Path, raw: bytes, repair: bool) -> SaveContents:
    """A record with the header alone. Raises SaveFault where there is none."""
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
    if is_valid_line(b"", second):                                         # the copy, or the header itself with something before it
        itself = raw.startswith(second, at + len(second))
        return check_header_copy(path, raw[at:] if itself else second + raw[at:], second, [1])
    found = repair_line(b"", raw, 0) if repair else None
    if found is not None and try_parse_header(found) is not None:
        return check_header_copy(path, found + raw[len(found) :], found, [1])
    if head is None and not looks_like_save(raw):
        raise SaveError("file.damaged", file=str(path))
    raise SaveError("save.headless", file=str(path))


def check_header_copy(path: Path, raw: bytes, first: bytes, repaired: list[int]) -> SaveContents:
    """A record whose header is sound, and its copy put right where it is one with damage."""
    try:
        head = parse_line(first)
        if head.get("ludoglot") not in (SAVE_FORMAT, SECRET_SEED_FORMAT):
            raise SaveError("save.newer", file=str(path))
        record = SaveContents(parse_setup(head), raw, ends=[len(first)], seals=[checksum_of(first)], repaired=repaired)
    except SaveSchemaError as error:
        raise SaveError("save.headless", file=str(path)) from error
    size = len(first)
    end = raw.find(b"\n", size) + 1
    if not end and len(raw) == 2 * size:                           # as long as it was written, but without its end: that was hurt
        end = 2 * size
    if end and is_valid_line(record.seals[0], raw[size:end]):                # the game goes on at once: one of both is gone
        record.raw = first + raw
        record.repaired = [*repaired, 1 + len(repaired)]
        record.ends.append(2 * size)
        record.seals.append(checksum_of(first))
    elif not end:                                                  # its copy was never written, or by half
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
    """Whether what stands between the header and this place was its copy: it still looks like it, or the game goes on behind it."""
    raw, size = record.raw, len(first)
    second = raw[size:at]
    alike = len(second) == size and sum(a != b for a, b in zip(first, second)) <= size // 4
    return alike or second.startswith(HEADER_START) or is_valid_line(record.seals[0], raw[at : raw.find(b"\n", at) + 1])


def try_parse_header(line: bytes) -> dict[str, Any] | None:
    try:
        head = parse_line(line)
    except SaveSchemaError:
        return None
    return head if "ludoglot" in head and type(head["ludoglot"]) is int else None


def has_checksum(line: bytes) -> bool:
    return CHECKSUM_MARK in line


def looks_like_save(raw: bytes) -> bool:
    return b'"ludoglot"' in raw[:HEADER_SCAN_BYTES] or b'"rules"' in raw[:HEADER_SCAN_BYTES]


HEADER_SCAN_BYTES = 10_000                      # bytes in which a header would show itself


def apply_line(record: SaveContents, data: dict[str, Any]) -> None:
    """One line behind the header. Raises Misfit when it is none."""
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
        if lang is not None:                                       # one that a later version speaks is left alone
            record.setup.set_language(seat, lang)
        record.notes.append(at)
    else:
        record.lines.append(parse_decision(data, players))
        record.starts.append(at)
