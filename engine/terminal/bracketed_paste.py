"""Keys of a terminal where the end of a paste can be missing.

A terminal marks where a pasted text begins and ends. Between two questions it edits its line by itself: Ctrl-U, Ctrl-W or Backspace
typed there takes the mark of the end away, and prompt_toolkit would wait for it for ever, Ctrl-C included. So Ctrl-C and Ctrl-D end a
paste here: no pasted text is worth being locked in for.
"""

from __future__ import annotations

import re
from typing import Protocol

from prompt_toolkit.input import Input

PASTE_END = "\x1b[201~"                        # what a terminal sends behind a pasted text
PASTE_MARKS = re.compile("\x1b\\[20[01]~|[\x03\x04]")
MAX_PARTIAL_MARK = len(PASTE_END) - 1                      # characters of a mark that can stand at the end of what was read


class TerminalReader(Protocol):
    """What prompt_toolkit reads a terminal with."""

    @property
    def closed(self) -> bool: ...

    def read(self, count: int = 1024) -> str: ...


class InterruptiblePasteReader:
    """Reads like `reader`; the end of a paste that is not over stands before each Ctrl-C and Ctrl-D."""

    def __init__(self, reader: TerminalReader) -> None:
        self.reader = reader
        self.pasting = False
        self.before = ""                                           # the end of what was read: perhaps half a mark

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
        self.before = re.split("[~\x03\x04]", text[-MAX_PARTIAL_MARK:])[-1]     # no mark is seen twice
        return out + text[done:]


def make_paste_interruptible(source: Input) -> None:
    """Let `source` be read so, if it is a terminal that marks what is pasted (others have no such mark)."""
    reader = getattr(source, "stdin_reader", None)
    if reader is not None and not isinstance(reader, InterruptiblePasteReader):
        source.stdin_reader = InterruptiblePasteReader(reader)    # type: ignore[attr-defined]
