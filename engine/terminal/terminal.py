"""Where a person sits: lines are typed here, with what fits shown below while they are, and the screen can be wiped for the next one.

Without a terminal, on a dumb one and with --plain a line is read as it comes (pipes, screen readers).
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

from ...dsl.diagnostics.sanitize import sanitize
from ..cli.console import LocalizedConsole
from ..cli.input_values import decode_line
from .completion import CompletionSource, no_completions

if TYPE_CHECKING:
    from .line_editor import LineEditor

CLEAR_SCREEN = "\x1b[H\x1b[2J\x1b[3J"        # to the corner, the screen, what has scrolled off it (ECMA-48, and xterm's ED 3)

CLEAR_LINE = "\r\x1b[K"                   # the line from its beginning, with nothing on it


def is_real_terminal(stream: TextIO) -> bool:
    """Whether a stream is a real terminal, one that programs may draw on."""
    try:
        return bool(stream.isatty()) and stream.fileno() >= 0 and os.environ.get("TERM") != "dumb"
    except (OSError, ValueError):
        return False


class Terminal:
    """The screen and the keyboard of one program."""

    def __init__(self, voice: LocalizedConsole, plain: bool = False, redraws: bool = True) -> None:
        """`redraws`: whether who reads the lines draws anew what stands above for an empty one, as where the terminal has another size."""
        self.voice, self.redraws = voice, redraws
        self.live = is_real_terminal(sys.stdin) and is_real_terminal(sys.stdout)
        self.plain = plain or not voice.terminal
        self.lines: dict[int, LineEditor] = {}                     # by person: what they typed before can be called back by nobody else

    @property
    def is_interactive(self) -> bool:
        """Whether people sit before it: what one saw can be wiped and the next one asked to come."""
        return sys.stdin.isatty()

    def read(self, prompt: str, fits: CompletionSource = no_completions, bar: str = "", person: int = -1) -> str | None:
        """A line, None at the end of input. `bar` stands below as long as nothing is typed."""
        prompt, bar = sanitize(prompt), sanitize(bar)
        try:
            if not self.live or self.plain:
                return decode_line(input(prompt))
            from .line_editor import LineEditor
            if person not in self.lines:
                self.lines[person] = LineEditor(self.voice, self.redraws)
            return decode_line(self.lines[person].read(prompt, fits, bar))
        except (EOFError, KeyboardInterrupt):
            self.voice.print_line()
            return None
        except (OSError, ValueError):                              # the keyboard has gone, or was closed; what went wrong with the screen
            self.voice.print_line()                                       # will be said when this is
            return None

    def show_status(self, text: str) -> None:
        """One line that says what goes on while nobody is asked, in the place of the one before; "" takes it away."""
        if self.live and not self.plain:
            sys.stdout.write(f"{CLEAR_LINE}{sanitize(text)[:self.voice.screen[0] - 1]}")
            sys.stdout.flush()

    def clear_screen(self) -> None:
        """Leave nothing of what was shown, on the screen or scrolled off it."""
        if self.voice.terminal:
            sys.stdout.write(CLEAR_SCREEN)
        else:                                                      # a terminal that knows no more than lines
            sys.stdout.write("\n" * self.voice.screen[1] * 4)
        sys.stdout.flush()
