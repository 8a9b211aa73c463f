"""Atomic writes of files."""

from __future__ import annotations

import os
from pathlib import Path


def write_atomically(path: Path, raw: bytes) -> None:
    """Writes a file. The old contents remain until all of the new is written. Raises OSError."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(raw)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
