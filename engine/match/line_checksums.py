"""Checksums of the lines of a save.

Each line ends with a checksum of itself and of the line before it. So no line can
be changed, added, removed or moved unnoticed:

    {"seat":0,"key":"turn.spot","option":"spot=e4","hash":"...","sum":"0f0e0d0c0b0a0908"}

The checksum protects against accidents, not against forgery, because anybody can compute it.

If a single byte of a line was changed, the original is found by trial: among all lines that
differ in one byte, only one matches the checksum."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

CHECKSUM_DIGITS = 16                          # of a checksum
CHECKSUM_MARK = b',"sum":"'
LINE_END = b'"}\n'
TAIL_BYTES = len(CHECKSUM_MARK) + CHECKSUM_DIGITS + len(LINE_END)
# for longer lines, only single bits are tried, not all bytes
EXHAUSTIVE_MAX_BYTES = 1_500
MAX_REPAIRABLE_BYTES = 6_000                      # longer lines are not repaired


def dump_json(data: dict[str, Any]) -> bytes:
    """Returns data as JSON in the format of saves. Lone surrogates, for example from
    an unusual file name, are written as escapes."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(data, separators=(",", ":")).encode()


def compute_checksum(before: bytes, body: bytes) -> bytes:
    """Returns the checksum of a line without its tail, after a line with the checksum `before`."""
    return sha256(before + b"\n" + body).hexdigest()[:CHECKSUM_DIGITS].encode()


def add_checksum(before: bytes, data: dict[str, Any]) -> bytes:
    """Returns data as a line with its checksum."""
    body = dump_json(data)[:-1]
    return body + CHECKSUM_MARK + compute_checksum(before, body) + LINE_END


def checksum_of(line: bytes) -> bytes:
    """Returns the checksum written in a line."""
    return line[-len(LINE_END) - CHECKSUM_DIGITS : -len(LINE_END)]


def is_valid_line(before: bytes, line: bytes) -> bool:
    """Whether a line is unchanged, after a line with the checksum `before`."""
    return (
        len(line) > TAIL_BYTES
        and line.endswith(LINE_END)
        and line[-TAIL_BYTES:].startswith(CHECKSUM_MARK)
        and checksum_of(line) == compute_checksum(before, line[:-TAIL_BYTES])
    )


def repair_line(before: bytes, raw: bytes, at: int) -> bytes | None:
    """Returns the original of the line at this offset, if only one of its bytes was changed, otherwise
    None. It has the same length as the current bytes."""
    end = raw.find(b"\n", at) + 1 or len(raw)
    after = raw.find(b"\n", end) + 1 or len(raw)
    line = raw[at:end]
    if len(line) > MAX_REPAIRABLE_BYTES:
        return None
    for candidate in iter_repair_candidates(line, raw[end:after]):
        if is_valid_line(before, candidate):
            return candidate
    return repair_one_byte(before, line) if len(line) > TAIL_BYTES else None


def iter_repair_candidates(line: bytes, following: bytes) -> Iterator[bytes]:
    """Yields candidates for the original line: a byte of its line end or tail was
    changed, or a byte was changed into a line end."""
    place = line.find(b"{", 1)
    while place > 0:
        if line[place - 3 : place - 1] == LINE_END[:2]:
            yield line[: place - 1] + b"\n"
        place = line.find(b"{", place + 1)
    if not line.endswith(b"\n"):
        yield line[:-1] + b"\n"
    if following and len(line) + len(following) <= EXHAUSTIVE_MAX_BYTES:
        yield from (line[:-1] + bytes([byte]) + following for byte in range(256))
    frame = CHECKSUM_MARK + checksum_of(line) + LINE_END
    if sum(a != b for a, b in zip(line[-TAIL_BYTES:], frame)) == 1:
        yield line[:-TAIL_BYTES] + frame


def repair_one_byte(before: bytes, line: bytes) -> bytes | None:
    """Returns a line with one byte of its text or its checksum repaired, or None."""
    body, said = line[:-TAIL_BYTES], checksum_of(line)
    if not line.endswith(LINE_END) or not line[-TAIL_BYTES:].startswith(CHECKSUM_MARK):
        return None
    right = compute_checksum(before, body)
    if sum(a != b for a, b in zip(right, said)) == 1:
        return body + CHECKSUM_MARK + right + LINE_END
    wanted = said.decode("latin-1")
    others = [
        [byte ^ 1 << bit for bit in range(8)] if len(line) > EXHAUSTIVE_MAX_BYTES else [b for b in range(256) if b != byte]
        for byte in range(256)
    ]
    start = sha256(before + b"\n")
    for n, byte in enumerate(body):
        rest = body[n + 1 :]
        for other in others[byte]:
            digest = start.copy()
            digest.update(bytes((other,)) + rest)
            if digest.hexdigest()[:CHECKSUM_DIGITS] == wanted:
                return body[:n] + bytes((other,)) + rest + line[-TAIL_BYTES:]
        start.update(bytes((byte,)))
    return None
