"""Converts saves to data and back: lines without checksums, and saves with valid checksums."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ludoglot.engine.match.line_checksums import add_checksum, checksum_of


def unchained(path: Path) -> list[dict[str, Any]]:
    """Returns the header once, and then the other lines, without their checksums."""
    _, *lines = path.read_bytes().splitlines()
    return [{key: value for key, value in json.loads(line).items() if key != "sum"} for line in lines]


def chained(lines: list[dict[str, Any]]) -> bytes:
    head = add_checksum(b"", lines[0])
    parts = [head, head]
    for line in lines[1:]:
        parts.append(add_checksum(checksum_of(parts[-1]), line))
    return b"".join(parts)


def first_format(lines: list[dict[str, Any]]) -> bytes:
    """Returns the same save in the first format, which had no checksums."""
    return b"".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
                    for line in [{**lines[0], "ludoglot": 1}, *lines[1:]])
