"""Checksums of the lines of a save.

Each line ends with a checksum of itself and of the line before it. So no line can
be changed, added, removed or moved unnoticed:

    {"seat":0,"key":"turn.spot","option":"spot=e4","hash":"...","sum":"0f0e0d0c0b0a0908"}

The checksum protects against accidents, not against forgery, because anybody can compute it."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

CHECKSUM_DIGITS = 16                          # of a checksum
CHECKSUM_MARK = b',"sum":"'
LINE_END = b'"}\n'
TAIL_BYTES = len(CHECKSUM_MARK) + CHECKSUM_DIGITS + len(LINE_END)


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
