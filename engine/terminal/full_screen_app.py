"""The full-screen application: the panes of `pane_layout.py`, an input line and a toolbar in prompt_toolkit.

It draws and reads in a thread of its own, so the transcript continues while bots think."""

from __future__ import annotations

import _thread
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Point
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout, VSplit, Window
from prompt_toolkit.layout.dimension import Dimension
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import Output
from rich.cells import cell_len

from ...dsl.diagnostics.sanitize import sanitize
from ..cli.console import LocalizedConsole
from ..i18n.text_layout import wrap_cells
from .bracketed_paste import make_paste_interruptible
from .clicks import ClickRecognizer, make_mouse_handler, to_formatted_text
from .completion import CompletionSource, InputCompletion, no_completions
from .cursor import CursorCell
from .line_editor import COLOR_DEPTHS, complete_buffer
from .pane_layout import MIN_SCREEN_SIZE, TWO_COLUMN_MIN_WIDTH, PaneLayout, bold_lines

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_processor import KeyPressEvent as Pressed

PAGE_LINES = 5                             # lines per Page Up or Page Down
WHEEL_LINES = 3                            # lines per turn of the mouse wheel
FOOTER_LINES = 2                            # lines below the panes: the input line and the toolbar
STARTUP_TIMEOUT_S = 5.0                       # seconds to wait for the application to start and to stop


def has_room(columns: int, lines: int) -> bool:
    """Whether a terminal is large enough for the full screen."""
    return columns >= MIN_SCREEN_SIZE[0] and lines >= MIN_SCREEN_SIZE[1]


class FullScreen:
    """The running full-screen application. `read_line` waits for input; `close` restores the terminal."""

    def __init__(self, panes: PaneLayout, console: LocalizedConsole, source: Input | None = None, output: Output | None = None) -> None:
        self.panes, self.console = panes, console
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.clicks = ClickRecognizer(self.submit_line, lambda: self.panes.content, self.hover)
        self.describe: Callable[[str], list[str]] = lambda line: []       # details of what a click on a cell would type
        self.waiting = False                                       # whether the game waits for a line
        self.small = self.gone = self.closed = False
        self.fits: CompletionSource = no_completions
        self.prompt = self.bar = ""
        self.buffers: dict[int, Buffer] = {}                       # by person, so that nobody sees the input history of another
        self.control = BufferControl(self.get_buffer(-1), focusable=True)
        self.begun = threading.Event()
        self.app: Application[None] = self.build_application(source, output)
        make_paste_interruptible(self.app.input)
        self.thread = threading.Thread(target=self.run_application, daemon=True)

    def get_buffer(self, person: int) -> Buffer:
        if person not in self.buffers:
            self.buffers[person] = Buffer(multiline=False, accept_handler=self.accept_line)
        return self.buffers[person]

    # ------------------------------------------------------------ called by the game's thread

    def open(self) -> None:
        self.thread.start()
        self.begun.wait(STARTUP_TIMEOUT_S)

    def close(self) -> None:
        """Ends the application and restores the terminal."""
        if not self.closed:
            self.closed = True
            self.request_exit()
            self.thread.join(STARTUP_TIMEOUT_S)

    def request_exit(self) -> None:
        if self.app.loop is not None and self.app.is_running:
            with suppress(RuntimeError):                           # the application has just ended by itself
                self.app.loop.call_soon_threadsafe(self.exit_application)

    def exit_application(self) -> None:
        if self.app.is_running and not self.app.is_done:
            self.app.exit()

    def read_line(self, prompt: str, fits: CompletionSource, bar: str, person: int) -> str | None:
        """Returns the next typed line; None at the end of input."""
        if self.gone:
            return None
        self.prompt, self.fits, self.bar = sanitize(prompt), fits, sanitize(bar)
        self.control.buffer = self.get_buffer(person)
        self.waiting = True
        self.request_redraw()
        try:
            return self.lines.get()
        finally:
            self.waiting = False

    def show_busy(self, text: str) -> None:
        """Shows what the game is busy with, in place of the question that has been answered."""
        self.prompt, self.bar = "", text
        self.panes.replace_question(lambda columns, _: bold_lines(wrap_cells(text, columns)))
        self.request_redraw()

    def request_redraw(self) -> None:
        """Requests a redraw."""
        with suppress(RuntimeError):                               # the application has just ended by itself
            self.app.invalidate()

    # ------------------------------------------------------------ called in the drawing thread

    def run_application(self) -> None:
        try:
            self.app.run(pre_run=self.begun.set, handle_sigint=False)
        except (EOFError, OSError, ValueError):                    # the terminal has been closed
            self.gone = True
        finally:
            self.begun.set()
            self.gone = self.gone or not (self.small or self.closed)
            self.lines.put("" if self.small else None)

    def build_application(self, source: Input | None, output: Output | None) -> Application[None]:
        screen = ScrollableText(self.render_screen, self.scroll_pane_at, partial(self.hover, ""))
        body = Window(screen, height=Dimension(weight=1), always_hide_cursor=True)
        line = VSplit([Window(FormattedTextControl(lambda: [("bold", self.prompt)]), dont_extend_width=True, height=1),
                       Window(self.control, height=1)])
        below = Window(FormattedTextControl(self.footer_text), height=1)
        return Application(
            Layout(HSplit([body, line, below]), focused_element=self.control),
            key_bindings=self.build_key_bindings(),
            full_screen=True,
            mouse_support=Condition(lambda: self.waiting),
            color_depth=COLOR_DEPTHS[self.console.colours],
            input=source,
            output=output,
            terminal_size_polling_interval=0.25,
        )

    def build_key_bindings(self) -> KeyBindings:
        keys = KeyBindings()
        keys.add("tab")(lambda event: complete_buffer(event.current_buffer, self.fits))
        keys.add("s-tab")(lambda event: self.panes.select_next_pane())
        keys.add("f6")(lambda event: self.panes.select_next_pane())
        keys.add("pageup")(lambda event: self.panes.scroll(self.panes.chosen, -PAGE_LINES))
        keys.add("pagedown")(lambda event: self.panes.scroll(self.panes.chosen, PAGE_LINES))
        for key, way in {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}.items():
            keys.add(key, filter=Condition(self.has_empty_line))(partial(self.move_cursor, *way))
        keys.add("escape", eager=True)(lambda event: self.put_cursor(None))
        keys.add("f1")(lambda event: self.submit_line("/help"))
        keys.add("c-c")(self.interrupt)
        keys.add("c-d")(self.interrupt)
        keys.add(Keys.Vt100MouseEvent)(make_mouse_handler())
        return keys

    def interrupt(self, event: Pressed) -> None:
        """Handles Ctrl-C and Ctrl-D: leaves the question, or interrupts the game if it is not waiting for input.

        Python cannot always be interrupted at once, and an interrupt does not wake a thread that has just begun to
        wait. Therefore the end of input is queued in both cases, after the interrupt."""
        if not self.waiting:
            _thread.interrupt_main()
        self.lines.put(None)

    def accept_line(self, buffer: Buffer) -> bool:
        """Handles Enter: answers with the typed text, or else with the cell under the cursor.

        Returns whether the text stays: the game does not wait for it yet."""
        if not self.waiting:
            return True
        cursor = self.panes.cursor
        self.send_line(buffer.text or (cursor.line if cursor is not None else ""))
        return False

    def has_empty_line(self) -> bool:
        """Whether the game waits and nothing is typed, so that the arrow keys move the cursor."""
        return self.waiting and not self.control.buffer.text

    def move_cursor(self, dx: int, dy: int, event: Pressed) -> None:
        size = self.app.output.get_size()
        self.put_cursor(self.panes.find_cursor(size.columns, size.rows - FOOTER_LINES, dx, dy))

    def hover(self, line: str) -> None:
        """Shows the details of the cell under the mouse, or of none for an empty line."""
        cursor = self.panes.cursor
        if self.waiting and line != (cursor.line if cursor is not None else ""):
            self.put_cursor(CursorCell(line, 0, 0, 0) if line else None)

    def put_cursor(self, cell: CursorCell | None) -> None:
        """Puts the cursor on a cell and shows its details, or removes it."""
        if self.waiting or cell is None:
            self.panes.set_cursor(cell, self.describe(cell.line) if cell is not None else [])
            self.request_redraw()

    def submit_line(self, line: str) -> None:
        if self.waiting:
            self.control.buffer.reset()
            self.send_line(line)

    def send_line(self, line: str) -> None:
        """Passes a line to the game's thread. From here on it may change the position, so nothing here reads that any more."""
        self.waiting = False
        self.lines.put(line)

    def render_screen(self) -> StyleAndTextTuples:
        size = self.app.output.get_size()
        if not has_room(size.columns, size.rows):
            self.small = True
            self.exit_application()
            return []
        out: StyleAndTextTuples = []
        click = partial(self.clicks.handle_event, self.panes.content)
        for n, line in enumerate(self.panes.render_lines(size.columns, size.rows - FOOTER_LINES)):
            out += [("", "\n")] if n else []
            out += [to_formatted_text(part, click) for part in line]
        return out

    def scroll_pane_at(self, event: MouseEvent) -> None:
        area = next((one for one in self.panes.areas if one.contains(event.position.x, event.position.y)), None)
        if area is not None:
            self.panes.scroll(area.part, WHEEL_LINES if event.event_type == MouseEventType.SCROLL_DOWN else -WHEEL_LINES)

    def footer_text(self) -> StyleAndTextTuples:
        """Returns the toolbar: completions of the typed text, or the available commands. A click types what is there."""
        typed = self.control.buffer.text
        fits = self.fits(typed) if typed.strip() and self.waiting else []
        if fits:
            return join_fragments([("", sanitize(fit.shown), partial(self.click_completion, fit)) for fit in fits], "   ")
        columns = self.app.output.get_size().columns
        names = ["keys"] if self.panes.cut else []
        names += ["cursor"] if self.waiting and self.bar and columns >= TWO_COLUMN_MIN_WIDTH else []
        keys, used = [], cell_len(self.bar)
        for text in (f"   {self.panes.titles.get(name, '')}" for name in names):
            used += cell_len(text)
            keys += [("", text)] if used <= columns else []        # a hint that is cut off says nothing
        click = partial(self.clicks.handle_event, self.panes.content)
        words = self.bar.split(self.panes.separator) if self.waiting else [self.bar]
        bar = [("", word, partial(click, word if word == "?" else f"/{word}")) if self.waiting else ("", word) for word in words]
        return [*join_fragments(bar, self.panes.separator), *keys]

    def click_completion(self, fit: InputCompletion, event: MouseEvent) -> object:
        """Handles a mouse event on a completion: a click completes the line."""
        if event.event_type != MouseEventType.MOUSE_UP:
            return NotImplemented
        self.control.buffer.delete_before_cursor(fit.back)
        self.control.buffer.insert_text(fit.text)
        return None


def join_fragments(parts: list[Any], gap: str) -> StyleAndTextTuples:
    """Returns fragments of formatted text with a gap between them."""
    return [one for n, part in enumerate(parts) for one in ([("", gap)] if n else []) + [part]]


class ScrollableText(FormattedTextControl):
    """A text control with its own handlers for the mouse wheel and for a mouse that leaves the cells."""

    def __init__(self, text: Callable[[], StyleAndTextTuples], wheel: Callable[[MouseEvent], None], leave: Callable[[], None]) -> None:
        super().__init__(text, get_cursor_position=lambda: Point(0, 0))
        self.wheel, self.leave = wheel, leave

    def mouse_handler(self, mouse_event: MouseEvent) -> Any:
        if mouse_event.event_type in (MouseEventType.SCROLL_UP, MouseEventType.SCROLL_DOWN):
            self.wheel(mouse_event)
            return None
        handled = super().mouse_handler(mouse_event)
        if handled is NotImplemented and mouse_event.event_type == MouseEventType.MOUSE_MOVE:
            self.leave()
        return handled
