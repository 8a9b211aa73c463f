"""Bracketed paste that cannot lock up the terminal.

A terminal marks the beginning and the end of pasted text. Between two questions the terminal edits its line
by itself, and Ctrl-U, Ctrl-W, or Backspace can remove the end mark. prompt_toolkit would then wait for that
mark forever and ignore even Ctrl-C. Therefore Ctrl-C and Ctrl-D end a paste here."""

from __future__ import annotations

import re
from typing import Protocol

from prompt_toolkit.input import Input

PASTE_END = "\x1b[201~"                        # sent by a terminal after pasted text
PASTE_MARKS = re.compile("\x1b\\[20[01]~|[\x03\x04]")
MAX_PARTIAL_MARK = len(PASTE_END) - 1                      # characters of an incomplete mark at the end of the input


class TerminalReader(Protocol):
    """The interface through which prompt_toolkit reads a terminal."""

    @property
    def closed(self) -> bool: ...

    def read(self, count: int = 1024) -> str: ...


class InterruptiblePasteReader:
    """Wraps `reader` and inserts the end mark of an open paste before each Ctrl-C and Ctrl-D."""

    def __init__(self, reader: TerminalReader) -> None:
        self.reader = reader
        self.pasting = False
        self.before = ""                                           # possibly an incomplete mark

    @property
    def closed(self) -> bool:
        return self.reader.closed

    def read(self, count: int = 1024) -> str:
        data, known = self.reader.read(count), len(self.before)
        text, out, done = self.before + data, "", known
        for found in PASTE_MARKS.finditer(text):
            if len(found.group()) == len(PASTE_END):
                self.pasting = found.group() != PASTE_END
            elif self.pasting:
                out, done = out + text[done:found.start()] + PASTE_END, found.start()
                self.pasting = False
        self.before = re.split("[~\x03\x04]", text[-MAX_PARTIAL_MARK:])[-1]     # never match a mark twice
        return out + text[done:]


def make_paste_interruptible(source: Input) -> None:
    """Replaces the reader of `source` by an interruptible one, if it is a terminal with bracketed paste."""
    reader = getattr(source, "stdin_reader", None)
    if reader is not None and not isinstance(reader, InterruptiblePasteReader):
        source.stdin_reader = InterruptiblePasteReader(reader)    # type: ignore[attr-defined]
