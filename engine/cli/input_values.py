"""Converts typed text and command-line arguments into values, or raises UsageError.

Numbers are parsed in `i18n/user_input.py`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from .console import UsageError

MAX_TYPED_CHARS = 2_000                      # longer lines are cut
MAX_SHOWN_CHARS = 60                           # of a wrong value in a message


def decode_line(typed: str) -> str:
    """Returns a typed line. Bytes that the stream could not decode are decoded as UTF-8, or replaced."""
    line = typed[:MAX_TYPED_CHARS]
    if not any("\ud800" <= c <= "\udfff" for c in line):
        return line
    encoding = getattr(sys.stdin, "encoding", None) or "utf-8"
    try:
        return line.encode(encoding, "surrogateescape").decode("utf-8", "replace")
    except (UnicodeError, LookupError):
        return line.encode("utf-8", "replace").decode("utf-8", "replace")


def parse_path(text: str) -> Path:
    """Returns the path of a file. Raises UsageError."""
    try:
        if "\0" not in text:
            return Path(encodable_name(text)).expanduser()
    except (ValueError, RuntimeError):                             # an incomplete character; the home of an unknown user
        pass
    raise UsageError("usage.path", found=shorten_value(text))


def encodable_name(text: str) -> str:
    """Returns a name that the file system can encode; if its encoding is limited, as UTF-8 bytes.

    Raises ValueError."""
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return os.fsdecode(text.encode("utf-8", "surrogateescape"))
    return text


def shorten_value(text: str) -> str:
    """Returns a wrong value for a message, cut if it is long."""
    return text if len(text) <= MAX_SHOWN_CHARS else text[:MAX_SHOWN_CHARS] + "…"
