"""The line editor on a terminal, with completions below the line.

It uses prompt_toolkit, which is imported only if somebody types."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from os.path import commonprefix

from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Size
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output.color_depth import ColorDepth
from prompt_toolkit.styles import Style

from ...dsl.diagnostics.sanitize import sanitize
from ..cli.console import LocalizedConsole
from ..i18n.text_layout import arrange_columns, wrap_cells
from ..i18n.user_input import normalize
from .bracketed_paste import make_paste_interruptible
from .completion import CompletionSource, InputCompletion, no_completions

RESIZE_DEBOUNCE_S = 0.3                           # seconds without another change of size
MAX_COMPLETION_LINES = 5                            # lines of completions below the input line
STYLE = Style.from_dict({"bottom-toolbar": "noreverse", "prompt": "bold"})
COLOR_DEPTHS = {None: ColorDepth.DEPTH_1_BIT, "standard": ColorDepth.DEPTH_4_BIT, "256": ColorDepth.DEPTH_8_BIT,
          "truecolor": ColorDepth.DEPTH_24_BIT}


class LineEditor:
    """The input line of one person: arrow keys recall earlier input, Tab completes."""

    def __init__(self, console: LocalizedConsole, redraws: bool = True) -> None:
        self.console, self.redraws = console, redraws
        self.fits: CompletionSource = no_completions
        self.bar = ""
        keys = KeyBindings()
        keys.add("tab")(self.complete_line)
        for key in ("c-c", "<sigint>"):
            keys.add(key)(exit_with_interrupt)
        self.session: PromptSession[str] = PromptSession(
            key_bindings=keys, reserve_space_for_menu=0, style=STYLE, color_depth=COLOR_DEPTHS[console.colours],
            bottom_toolbar=lambda: self.toolbar_text(self.session.default_buffer.document.text_before_cursor))
        make_paste_interruptible(self.session.input)
        self.size = self.session.output.get_size()
        self.session.app.before_render += self.watch_resize

    def read(self, prompt: str, fits: CompletionSource, bar: str) -> str:
        """Returns a typed line. Raises EOFError and KeyboardInterrupt."""
        self.fits, self.bar, self.size = fits, bar, self.session.output.get_size()
        with block_interrupts():                                      # until the key bindings can handle Ctrl-C
            return self.session.prompt([("class:prompt", prompt)], pre_run=unblock_interrupts)

    def watch_resize(self, app: Application[str]) -> None:
        """Runs before each rendering and schedules a redraw if the terminal size has changed."""
        size = app.output.get_size()
        if self.redraws and size != self.size and app.loop is not None:
            self.size = size
            app.loop.call_later(RESIZE_DEBOUNCE_S, self.redraw_if_resized, app, size)

    def redraw_if_resized(self, app: Application[str], size: Size) -> None:
        """Ends an empty prompt if the terminal kept its new size, so that the caller draws the screen again."""
        if app.output.get_size() == size and not app.current_buffer.text and app.future is not None and not app.future.done():
            app.exit(result="")

    def toolbar_text(self, typed: str) -> str:
        """Returns the toolbar: the available commands, or completions of the typed text."""
        fits: list[InputCompletion] = self.fits(typed) if typed.strip() else []
        if not fits:
            return "\n".join(wrap_cells(self.bar, self.console.width))
        lines = arrange_columns([sanitize(fit.shown) for fit in fits], self.console.width)
        return "\n".join(lines[:MAX_COMPLETION_LINES]) + ("\n..." if len(lines) > MAX_COMPLETION_LINES else "")

    def complete_line(self, event: KeyPressEvent) -> None:
        complete_buffer(event.current_buffer, self.fits)


def exit_with_interrupt(event: KeyPressEvent) -> None:
    """Handles Ctrl-C as a key or as a signal, also while the prompt is already being closed."""
    if event.app.future is not None and not event.app.future.done():
        event.app.exit(exception=KeyboardInterrupt())


@contextmanager
def block_interrupts() -> Iterator[None]:
    """Blocks Ctrl-C until the event loop runs; an interrupt in between would leave a half-built loop."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        unblock_interrupts()


def unblock_interrupts() -> None:
    """Unblocks Ctrl-C; a pending interrupt is delivered now."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])


def complete_buffer(buffer: Buffer, fits: CompletionSource) -> None:
    """Replaces the typed text by its only completion, or by the common beginning of all completions."""
    found = fits(buffer.document.text_before_cursor)
    if not found:
        return
    back, text = found[0].back, common_start([fit.text for fit in found])
    typed = buffer.document.text_before_cursor[len(buffer.document.text_before_cursor) - back:]
    if len(found) == 1 or normalize(text).startswith(normalize(typed)):
        buffer.delete_before_cursor(back)
        buffer.insert_text(text)


def common_start(texts: list[str]) -> str:
    """Returns the common beginning of the texts, ignoring case."""
    return texts[0][: len(commonprefix([text.casefold() for text in texts]))]
