"""The one door for input: what people type and pass on a command line, as values. Of whatever comes a value is made, or a sentence
(Usage); numbers are read in words/typed.py."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from .console import UsageError

MAX_TYPED_CHARS = 2_000                      # characters of a typed line; what is longer is cut
MAX_SHOWN_CHARS = 60                           # characters of a wrong value in a message


def decode_line(typed: str) -> str:
    """A typed line. What the stream could not read as its own letters is read as UTF-8, and what is none either becomes a sign for that."""
    line = typed[:MAX_TYPED_CHARS]
    if not any("\ud800" <= c <= "\udfff" for c in line):
        return line
    encoding = getattr(sys.stdin, "encoding", None) or "utf-8"
    try:
        return line.encode(encoding, "surrogateescape").decode("utf-8", "replace")
    except (UnicodeError, LookupError):
        return line.encode("utf-8", "replace").decode("utf-8", "replace")


def parse_path(text: str) -> Path:
    """The path of a file. Raises Usage."""
    try:
        if "\0" not in text:
            return Path(encodable_name(text)).expanduser()
    except (ValueError, RuntimeError):                             # half a letter; the folder of somebody unknown
        pass
    raise UsageError("usage.path", found=shorten_value(text))


def encodable_name(text: str) -> str:
    """A name as the system can write it; where its own letters are few, by the bytes that it has in UTF-8. Raises ValueError."""
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return os.fsdecode(text.encode("utf-8", "surrogateescape"))
    return text


def shorten_value(text: str) -> str:
    """A wrong value as a message shows it."""
    return text if len(text) <= MAX_SHOWN_CHARS else text[:MAX_SHOWN_CHARS] + "…"
