"""Where a person sits: lines are typed here, with what fits shown below while they are, and the screen can be wiped for the next one.

Without a terminal, on a dumb one and with --plain a line is read as it comes (pipes, screen readers).
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

from ...dsl.diagnostics.sanitize import visible
from ..cli.console import Voice
from ..cli.input_values import line_of
from .completion import Fits, nothing_fits

if TYPE_CHECKING:
    from .line_editor import TypingLine

WIPE = "\x1b[H\x1b[2J\x1b[3J"        # to the corner, the screen, what has scrolled off it (ECMA-48, and xterm's ED 3)

FRESH = "\r\x1b[K"                   # the line from its beginning, with nothing on it


def on_terminal(stream: TextIO) -> bool:
    """Whether a stream is a real terminal, one that programs may draw on."""
    try:
        return bool(stream.isatty()) and stream.fileno() >= 0 and os.environ.get("TERM") != "dumb"
    except (OSError, ValueError):
        return False


class Terminal:
    """The screen and the keyboard of one program."""

    def __init__(self, voice: Voice, plain: bool = False, redraws: bool = True) -> None:
        """`redraws`: whether who reads the lines draws anew what stands above for an empty one, as where the terminal has another size."""
        self.voice, self.redraws = voice, redraws
        self.live = on_terminal(sys.stdin) and on_terminal(sys.stdout)
        self.plain = plain or not voice.terminal
        self.lines: dict[int, TypingLine] = {}                     # by person: what they typed before can be called back by nobody else

    @property
    def shared(self) -> bool:
        """Whether people sit before it: what one saw can be wiped and the next one asked to come."""
        return sys.stdin.isatty()

    def read(self, prompt: str, fits: Fits = nothing_fits, bar: str = "", person: int = -1) -> str | None:
        """A line, None at the end of input. `bar` stands below as long as nothing is typed."""
        prompt, bar = visible(prompt), visible(bar)
        try:
            if not self.live or self.plain:
                return line_of(input(prompt))
            from .line_editor import TypingLine
            if person not in self.lines:
                self.lines[person] = TypingLine(self.voice, self.redraws)
            return line_of(self.lines[person].read(prompt, fits, bar))
        except (EOFError, KeyboardInterrupt):
            self.voice.out()
            return None
        except (OSError, ValueError):                              # the keyboard has gone, or was closed; what went wrong with the screen
            self.voice.out()                                       # will be said when this is
            return None

    def busy(self, text: str) -> None:
        """One line that says what goes on while nobody is asked, in the place of the one before; "" takes it away."""
        if self.live and not self.plain:
            sys.stdout.write(f"{FRESH}{visible(text)[:self.voice.screen[0] - 1]}")
            sys.stdout.flush()

    def wipe(self) -> None:
        """Leave nothing of what was shown, on the screen or scrolled off it."""
        if self.voice.terminal:
            sys.stdout.write(WIPE)
        else:                                                      # a terminal that knows no more than lines
            sys.stdout.write("\n" * self.voice.screen[1] * 4)
        sys.stdout.flush()
