"""Each line of a save ends with a checksum of itself and of the line before, so no line can change, go, come or move unnoticed:

    {"seat":0,"key":"turn.spot","option":"spot=e4","hash":"...","sum":"0f0e0d0c0b0a0908"}

The checksum guards against accidents. Who wants to forge a save can work it out as we do.

Where a single byte of a line was changed it is found again by trying: of all lines that differ in one byte only one has the checksum.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

CHECKSUM_DIGITS = 16                          # of a checksum
CHECKSUM_MARK = b',"sum":"'
LINE_END = b'"}\n'
TAIL_BYTES = len(CHECKSUM_MARK) + CHECKSUM_DIGITS + len(LINE_END)
# bytes of the longest line for which each other byte is tried; in a longer one each other bit
EXHAUSTIVE_MAX_BYTES = 1_500
MAX_REPAIRABLE_BYTES = 6_000                      # bytes of the longest line that is put right


def dump_json(data: dict[str, Any]) -> bytes:
    """JSON as saves write it. What is no character (half of a pair, from an odd file name) is written as an escape."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(data, separators=(",", ":")).encode()


def compute_checksum(before: bytes, body: bytes) -> bytes:
    """The checksum of a line without its tail, behind a line with the checksum `before`."""
    return sha256(before + b"\n" + body).hexdigest()[:CHECKSUM_DIGITS].encode()


def add_checksum(before: bytes, data: dict[str, Any]) -> bytes:
    """A line with its checksum and its end."""
    body = dump_json(data)[:-1]
    return body + CHECKSUM_MARK + compute_checksum(before, body) + LINE_END


def checksum_of(line: bytes) -> bytes:
    """The checksum that a line says it has."""
    return line[-len(LINE_END) - CHECKSUM_DIGITS : -len(LINE_END)]


def is_valid_line(before: bytes, line: bytes) -> bool:
    """Whether a line is as it was written, behind a line with the checksum `before`."""
    return (
        len(line) > TAIL_BYTES
        and line.endswith(LINE_END)
        and line[-TAIL_BYTES:].startswith(CHECKSUM_MARK)
        and checksum_of(line) == compute_checksum(before, line[:-TAIL_BYTES])
    )


def repair_line(before: bytes, raw: bytes, at: int) -> bytes | None:
    """The line that stood at this place of a file before one of its bytes was changed; None where more has happened. It is as long as
    what stands there now."""
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
    """Lines that this may have been: its end was changed (it runs on into the next), a byte was made an end, or its tail was changed."""
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
    """A line with one byte of its text or of its checksum put right."""
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
