"""Keyboard and screen of a person: typed lines with completions, a status line, and clearing the screen.

Without a real terminal, on a dumb one, and with `--plain`, lines are read as they come (for pipes and
screen
readers)."""

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

CLEAR_SCREEN = "\x1b[H\x1b[2J\x1b[3J"        # cursor home, clear screen, clear scrollback (ECMA-48, xterm's ED 3)

CLEAR_LINE = "\r\x1b[K"                   # go to the start of the line and clear it


def is_real_terminal(stream: TextIO) -> bool:
    """Whether a stream is a real terminal on which programs may draw."""
    try:
        return bool(stream.isatty()) and stream.fileno() >= 0 and os.environ.get("TERM") != "dumb"
    except (OSError, ValueError):
        return False


class Terminal:
    """The screen and the keyboard of one program."""

    def __init__(self, console: LocalizedConsole, plain: bool = False, redraws: bool = True) -> None:
        """With `redraws`, a change of the terminal size returns an empty line, and the caller draws the screen again."""
        self.console, self.redraws = console, redraws
        self.live = is_real_terminal(sys.stdin) and is_real_terminal(sys.stdout)
        self.plain = plain or not console.terminal
        self.lines: dict[int, LineEditor] = {}                     # by person, so that nobody sees another's input history

    @property
    def is_interactive(self) -> bool:
        """Whether people sit at it, so that the screen can be cleared and handed over."""
        return sys.stdin.isatty()

    def read(self, prompt: str, fits: CompletionSource = no_completions, bar: str = "", person: int = -1) -> str | None:
        """Returns a typed line, or None at the end of input. `bar` is shown below while nothing is typed."""
        prompt, bar = sanitize(prompt), sanitize(bar)
        try:
            if not self.live or self.plain:
                return decode_line(input(prompt))
            from .line_editor import LineEditor
            if person not in self.lines:
                self.lines[person] = LineEditor(self.console, self.redraws)
            return decode_line(self.lines[person].read(prompt, fits, bar))
        except (EOFError, KeyboardInterrupt):
            self.console.print_line()
            return None
        except (OSError, ValueError):                              # the keyboard has gone or was closed; problems with the
            self.console.print_line()                                       # screen are reported when this line is written
            return None

    def show_status(self, text: str) -> None:
        """Replaces the status line that is shown while nobody is asked; "" removes it."""
        if self.live and not self.plain:
            sys.stdout.write(f"{CLEAR_LINE}{sanitize(text)[:self.console.screen[0] - 1]}")
            sys.stdout.flush()

    def clear_screen(self) -> None:
        """Clears the screen and its scrollback."""
        if self.console.terminal:
            sys.stdout.write(CLEAR_SCREEN)
        else:                                                      # a terminal without escape sequences
            sys.stdout.write("\n" * self.console.screen[1] * 4)
        sys.stdout.flush()
