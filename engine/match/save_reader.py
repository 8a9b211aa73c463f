"""What a save holds, read from its bytes: the header, the decisions that stand, and where the first damage is.

The header stands twice, so that it can be damaged once. A line with one byte changed is put right. Whatever else is wrong ends the
record: all that stands before it is whole.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...dsl.diagnostics.safe_read import NoFile
from ..i18n.languages import known_language
from .filesystem import DISK, Disk
from .line_checksums import MARK, holds, mended, seal
from .save_schema import LONGEST, Misfit, decision_of, number_in, parsed, setup_of
from .setup import FORMAT, WITH_SECRET_SEED, SavedDecision, SaveFault, Setup

BEGINS = b'{"ludoglot":'
CODINGS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}            # with the marks by which they are known
REPAIRS = 20                         # lines that are put right in one file,
REPAIRED = 20_000                    # and bytes of such lines: the longest of them take half a second each
LINES = 40_000                       # of a file; bots among themselves stop after twenty thousand decisions


@dataclass
class Record:
    """What a save holds: `lines` are the decisions that stand, `starts` where in the file each begins, `notes` where the other lines
    begin, `ends` where each line ends, with `seals`, its checksum.

    `raw` is the file, with what could be put right; `repaired` are the numbers of those lines. `damage` is the number of the first line
    that could not; it and what follows it count for nothing. `smoothed`: line ends, empty lines or a mark before the first line were put
    right, and the lines are counted without them. `lone`: the header stands only once."""

    setup: Setup
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
    def mended(self) -> bool:
        """Whether the file is not as it was written."""
        return bool(self.repaired or self.smoothed or self.damage)

    @property
    def whole(self) -> bytes:
        """The bytes up to the last good line."""
        return self.raw[: self.ends[-1]]

    def first(self, count: int) -> bytes:
        """The bytes up to the end of so many of the decisions that stand."""
        return self.whole if count >= len(self.lines) else self.raw[: self.starts[count]]


def read_save(path: Path) -> tuple[Setup, list[SavedDecision], list[int]]:
    """The header, the decisions that stand, and where each line of the file ends. Raises SaveFault."""
    record = read_record(path)
    return record.setup, record.lines, record.ends


def read_record(path: Path, strict: bool = True, disk: Disk = DISK) -> Record:
    """All that a save holds. Without `strict` it ends where the first damage is. Raises SaveFault."""
    try:
        raw = disk.read(path)
    except (OSError, ValueError) as error:                         # ValueError: a NUL in the name
        keys = ((FileNotFoundError, "file.missing"), (NoFile, "file.none"))
        key = next((key for kind, key in keys if isinstance(error, kind)), "file.unreadable")
        raise SaveFault(key, file=str(path), reason=getattr(error, "strerror", None) or "") from error
    return record_of(path, raw, strict)


def record_of(path: Path, raw: bytes, strict: bool = True, repair: bool = True) -> Record:
    """What the bytes of a save hold; `path` is for messages. Without `strict` it ends where the first damage is. Raises SaveFault."""
    found = best(path, raw, repair)
    if strict and found.damage:
        raise damaged(path, found)
    return found


def best(path: Path, raw: bytes, repair: bool) -> Record:
    """What the bytes hold as they stand, or as they were before a program for texts went over them, whichever is more. Raises
    SaveFault."""
    fault = record = None
    try:
        record = lines_in(path, raw, repair)
        if not record.damage and not record.repaired:
            return record
    except SaveFault as error:
        fault = error
    plain = smoothed(raw)
    if plain != raw:
        try:
            other = lines_in(path, plain, repair)
        except SaveFault as error:
            fault = fault or error
        else:
            if record is None or worth(other) > worth(record):
                other.smoothed = True
                return other
    if record is None:
        assert fault is not None
        raise fault
    return record


def worth(record: Record) -> tuple[bool, int, bool, int]:
    """How good a reading is: whether there is damage, how much it holds, whether something is left over, how much had to be put right."""
    return not record.damage, len(record.lines), record.ends[-1] == len(record.raw) and not record.lone, -len(record.repaired)


def smoothed(raw: bytes) -> bytes:
    """A save without what programs for texts do to one: another coding, a mark before the first line, other line ends, empty lines. None of
    it can stand in a save, so all of the game is still there."""
    for mark, coding in CODINGS.items():
        if raw.startswith(mark):
            try:
                raw = raw.decode(coding).encode()
            except UnicodeError:
                break
    raw = raw.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    *lines, half = raw.split(b"\n")
    return b"".join(line + b"\n" for line in lines if line.strip()) + (half if half.strip() else b"")


def lines_in(path: Path, raw: bytes, repair: bool) -> Record:
    """What the bytes of a save hold, as they stand; it ends where the first damage is. Raises SaveFault."""
    if raw.count(b"\n") > LINES:
        raise SaveFault("save.long", file=str(path), limit=LINES)
    record = begun(path, raw, repair)
    hurt = 0
    while record.ends[-1] < len(record.raw):
        at = record.ends[-1]
        line = record.raw[at : record.raw.find(b"\n", at) + 1]
        number = len(record.ends) + 1
        if not line and b"\n" not in record.raw[at:]:
            if not repair or not record.chained or (found := mended(record.seals[-1], record.raw, at)) is None:
                break                                              # half a line, of a program that was stopped while writing
            line = put_right(record, found, number)
        elif record.chained and not holds(record.seals[-1], line):
            hurt += len(line)
            room = len(record.repaired) < REPAIRS and (hurt <= REPAIRED or not record.repaired)
            found = mended(record.seals[-1], record.raw, at) if repair and room else None
            if found is None:
                record.damage = number
                break
            line = put_right(record, found, number)
        try:
            read_line(record, parsed(line))
        except Misfit:
            record.damage = number
            break
        record.ends.append(at + len(line))
        record.seals.append(seal(line) if record.chained else b"")
    return record


def damaged(path: Path, record: Record) -> SaveFault:
    return SaveFault("save.damaged", mendable=True, file=str(path), line=record.damage, n=len(record.lines))


def put_right(record: Record, line: bytes, number: int) -> bytes:
    at = record.ends[-1] if record.ends else 0
    record.raw = record.raw[:at] + line + record.raw[at + len(line) :]
    record.repaired.append(number)
    return line


def begun(path: Path, raw: bytes, repair: bool) -> Record:
    """A record with the header alone. Raises SaveFault where there is none."""
    end = raw.find(b"\n") + 1
    if not end and BEGINS.startswith(raw[: len(BEGINS)]):
        raise SaveFault("save.unborn", file=str(path))
    first = raw[:end]
    head = header_in(first)
    if head is not None and head["ludoglot"] == 1 and not claims_seal(first):
        try:
            return Record(setup_of(head), raw, ends=[end], seals=[b""], chained=False)
        except Misfit as error:
            raise SaveFault("save.headless", file=str(path)) from error
    if head is not None and head["ludoglot"] not in (1, FORMAT, WITH_SECRET_SEED) and (holds(b"", first) or not claims_seal(first)):
        raise SaveFault("save.newer", file=str(path))
    if holds(b"", first):
        return with_copy(path, raw, first, [])
    at = raw.find(BEGINS, 1, 3 * LONGEST)
    second = raw[at : raw.find(b"\n", at) + 1] if at > 0 else b""
    if holds(b"", second):                                         # the copy, or the header itself with something before it
        itself = raw.startswith(second, at + len(second))
        return with_copy(path, raw[at:] if itself else second + raw[at:], second, [1])
    found = mended(b"", raw, 0) if repair else None
    if found is not None and header_in(found) is not None:
        return with_copy(path, found + raw[len(found) :], found, [1])
    if head is None and not looks_like_one(raw):
        raise SaveFault("file.damaged", file=str(path))
    raise SaveFault("save.headless", file=str(path))


def with_copy(path: Path, raw: bytes, first: bytes, repaired: list[int]) -> Record:
    """A record whose header is sound, and its copy put right where it is one with damage."""
    try:
        head = parsed(first)
        if head.get("ludoglot") not in (FORMAT, WITH_SECRET_SEED):
            raise SaveFault("save.newer", file=str(path))
        record = Record(setup_of(head), raw, ends=[len(first)], seals=[seal(first)], repaired=repaired)
    except Misfit as error:
        raise SaveFault("save.headless", file=str(path)) from error
    size = len(first)
    end = raw.find(b"\n", size) + 1
    if not end and len(raw) == 2 * size:                           # as long as it was written, but without its end: that was hurt
        end = 2 * size
    if end and holds(record.seals[0], raw[size:end]):                # the game goes on at once: one of both is gone
        record.raw = first + raw
        record.repaired = [*repaired, 1 + len(repaired)]
        record.ends.append(2 * size)
        record.seals.append(seal(first))
    elif not end:                                                  # its copy was never written, or by half
        record.lone = True
    else:
        if raw[size:end] != first:
            behind = next((at for at in (end, 2 * size) if was_copy(record, first, at)), 0)
            if not behind:
                return record
            record.raw = first + first + raw[behind:]
            record.repaired = [*repaired, 2]
        record.ends.append(2 * size)
        record.seals.append(seal(first))
    return record


def was_copy(record: Record, first: bytes, at: int) -> bool:
    """Whether what stands between the header and this place was its copy: it still looks like it, or the game goes on behind it."""
    raw, size = record.raw, len(first)
    second = raw[size:at]
    alike = len(second) == size and sum(a != b for a, b in zip(first, second)) <= size // 4
    return alike or second.startswith(BEGINS) or holds(record.seals[0], raw[at : raw.find(b"\n", at) + 1])


def header_in(line: bytes) -> dict[str, Any] | None:
    try:
        head = parsed(line)
    except Misfit:
        return None
    return head if "ludoglot" in head and type(head["ludoglot"]) is int else None


def claims_seal(line: bytes) -> bool:
    return MARK in line


def looks_like_one(raw: bytes) -> bool:
    return b'"ludoglot"' in raw[:LOOKED] or b'"rules"' in raw[:LOOKED]


LOOKED = 10_000                      # bytes in which a header would show itself


def read_line(record: Record, data: dict[str, Any]) -> None:
    """One line behind the header. Raises Misfit when it is none."""
    at = record.ends[-1]
    players = record.setup.players
    if "undo" in data:
        count = number_in(data, "undo", 1, len(record.lines))
        del record.lines[-count:], record.starts[-count:]
        record.notes.append(at)
    elif "lang" in data:
        seat = number_in(data, "seat", 0, players - 1) if "seat" in data else None
        if not isinstance(data["lang"], str):
            raise Misfit
        lang = known_language(data["lang"])
        if lang is not None:                                       # one that a later version speaks is left alone
            record.setup.speak(seat, lang)
        record.notes.append(at)
    else:
        record.lines.append(decision_of(data, players))
        record.starts.append(at)
