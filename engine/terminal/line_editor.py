"""A line typed on a terminal, with what fits shown below it: prompt_toolkit, which is only loaded where somebody types."""

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
from ..i18n.user_input import normalize
from .bracketed_paste import make_paste_interruptible
from .completion import CompletionSource, InputCompletion, no_completions
from .text_columns import arrange_columns, wrap_paragraph

RESIZE_DEBOUNCE_S = 0.3                           # seconds after which a size of the terminal counts as the last one
MAX_COMPLETION_LINES = 5                            # lines of what fits, below the line that is typed
STYLE = Style.from_dict({"bottom-toolbar": "noreverse", "prompt": "bold"})
COLOR_DEPTHS = {None: ColorDepth.DEPTH_1_BIT, "standard": ColorDepth.DEPTH_4_BIT, "256": ColorDepth.DEPTH_8_BIT,
          "truecolor": ColorDepth.DEPTH_24_BIT}


class LineEditor:
    """The line of one person: what was typed before is called back with the arrow keys, Tab fills in what fits."""

    def __init__(self, voice: LocalizedConsole, redraws: bool = True) -> None:
        self.voice, self.redraws = voice, redraws
        self.fits: CompletionSource = no_completions
        self.bar = ""
        keys = KeyBindings()
        keys.add("tab")(self.complete_line)
        for key in ("c-c", "<sigint>"):
            keys.add(key)(exit_with_interrupt)
        self.session: PromptSession[str] = PromptSession(
            key_bindings=keys, reserve_space_for_menu=0, style=STYLE, color_depth=COLOR_DEPTHS[voice.colours],
            bottom_toolbar=lambda: self.toolbar_text(self.session.default_buffer.document.text_before_cursor))
        make_paste_interruptible(self.session.input)
        self.size = self.session.output.get_size()
        self.session.app.before_render += self.watch_resize

    def read(self, prompt: str, fits: CompletionSource, bar: str) -> str:
        """A typed line. Raises EOFError and KeyboardInterrupt."""
        self.fits, self.bar, self.size = fits, bar, self.session.output.get_size()
        with block_interrupts():                                      # until there is somebody to take Ctrl-C as a key
            return self.session.prompt([("class:prompt", prompt)], pre_run=unblock_interrupts)

    def watch_resize(self, app: Application[str]) -> None:
        """The line is drawn: perhaps because the terminal has another size now."""
        size = app.output.get_size()
        if self.redraws and size != self.size and app.loop is not None:
            self.size = size
            app.loop.call_later(RESIZE_DEBOUNCE_S, self.redraw_if_resized, app, size)

    def redraw_if_resized(self, app: Application[str], size: Size) -> None:
        """What stands above is torn where the terminal has another size for good: an empty line has it drawn anew."""
        if app.output.get_size() == size and not app.current_buffer.text and app.future is not None and not app.future.done():
            app.exit(result="")

    def toolbar_text(self, typed: str) -> str:
        """What stands under the line: the words that help, or what fits to what was typed so far."""
        fits: list[InputCompletion] = self.fits(typed) if typed.strip() else []
        if not fits:
            return "\n".join(wrap_paragraph(self.bar, self.voice.width))
        lines = arrange_columns([sanitize(fit.shown) for fit in fits], self.voice.width)
        return "\n".join(lines[:MAX_COMPLETION_LINES]) + ("\n..." if len(lines) > MAX_COMPLETION_LINES else "")

    def complete_line(self, event: KeyPressEvent) -> None:
        complete_buffer(event.current_buffer, self.fits)


def exit_with_interrupt(event: KeyPressEvent) -> None:
    """Ctrl-C, as a key or as a signal, and also while the line is already being left."""
    if event.app.future is not None and not event.app.future.done():
        event.app.exit(exception=KeyboardInterrupt())


@contextmanager
def block_interrupts() -> Iterator[None]:
    """Ctrl-C waits: were it to come while the loop of the keyboard is being made, half a loop would be left, and say so on the screen."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        unblock_interrupts()


def unblock_interrupts() -> None:
    """From here on, Ctrl-C comes at once; what has waited comes now."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])


def complete_buffer(buffer: Buffer, fits: CompletionSource) -> None:
    """Replace what is typed by what alone fits, or by the beginning that all that fits has in common."""
    found = fits(buffer.document.text_before_cursor)
    if not found:
        return
    back, text = found[0].back, common_start([fit.text for fit in found])
    typed = buffer.document.text_before_cursor[len(buffer.document.text_before_cursor) - back:]
    if len(found) == 1 or normalize(text).startswith(normalize(typed)):
        buffer.delete_before_cursor(back)
        buffer.insert_text(text)


def common_start(texts: list[str]) -> str:
    """The beginning that all have in common, whatever their capitals."""
    return texts[0][: len(commonprefix([text.casefold() for text in texts]))]
