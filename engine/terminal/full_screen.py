"""The full-screen mode: the panes of `pane_layout.py` in a prompt_toolkit application.

The application draws and reads in a thread of its own, so the transcript continues while bots think. The
content is the same as on the scrolling screen.

The mode ends with the game, with Ctrl-C, if the terminal closes, or if it gets too small. In the last case
the game continues on the scrolling screen."""

from __future__ import annotations

import _thread
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from copy import copy
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
from rich.segment import Segment
from rich.style import Style

from ...dsl.diagnostics.sanitize import sanitize
from ..cli.console import LocalizedConsole
from ..cli.input_values import decode_line
from ..i18n import Localizer
from ..i18n.text_layout import wrap_cells
from ..library.loaded_game import LoadedGame
from ..match.table import MatchTable
from ..position.position import Decision
from ..table_view.panel_priority import select_panels
from ..table_view.rich_renderer import TerminalRenderer, render_segments
from ..table_view.status_line import build_status_line
from ..table_view.theme import theme_of
from ..table_view.view_model import BoardPanel, Panel
from .bracketed_paste import make_paste_interruptible
from .clicks import ClickRecognizer, make_mouse_handler, split_clickable_parts, to_formatted_text
from .completion import CompletionSource, InputCompletion, no_completions
from .cursor import CursorCell
from .cursor_details import describe_cell
from .line_editor import COLOR_DEPTHS, complete_buffer
from .option_layout import OptionLayout
from .pane_layout import MIN_SCREEN_SIZE, TWO_COLUMN_MIN_WIDTH, Lines, PaneLayout, ScreenContent
from .preview_lines import compute_previews
from .question import DecisionPrompt, PromptOption
from .session import Session
from .terminal import Terminal

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_processor import KeyPressEvent as Pressed

PAGE_LINES = 5                             # lines per Page Up or Page Down
WHEEL_LINES = 3                            # lines per turn of the mouse wheel
MAX_NUMBERED_LINES = 14                       # lines of a question whose options are on the table
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
        keys.add("escape")(lambda event: self.put_cursor(None))
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
        """Handles Enter: answers with the typed text, or else with the cell under the cursor."""
        if self.waiting:
            cursor = self.panes.cursor
            self.send_line(buffer.text or (cursor.line if cursor is not None else ""))
        return False                                               # a line that was not asked for is dropped

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
        names = ["keys"] if self.panes.cut else []
        names += ["cursor"] if self.waiting and self.bar and self.app.output.get_size().columns >= TWO_COLUMN_MIN_WIDTH else []
        keys = [("", f"   {self.panes.titles.get(name, '')}") for name in names]
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


class FullScreenConsole(LocalizedConsole):
    """A console that writes into the transcript pane while the full screen is active."""

    def __init__(self, console: LocalizedConsole, panes: PaneLayout) -> None:
        super().__init__(console.lang)
        self.panes = panes
        self.full: FullScreen | None = None
        self.left_for_room = False                                 # whether scrolling lasts only until the terminal is large enough

    def print_line(self, text: str = "") -> None:
        if self.full is None:
            super().print_line(text)
            return
        self.panes.append_line(text)
        self.full.request_redraw()

    def print_stderr(self, text: str) -> None:
        if self.full is None:
            super().print_stderr(text)
        else:
            self.print_line(text)

    @property
    def width(self) -> int:
        return super().width if self.full is None else self.panes.story_width(super().screen[0])

    @property
    def screen(self) -> tuple[int, int]:
        return super().screen if self.full is None else (self.width, super().screen[1])


class FullScreenTerminal(Terminal):
    """A terminal whose input line is below the panes."""

    def __init__(self, console: FullScreenConsole) -> None:
        super().__init__(console)
        self.full_voice = console

    def read(self, prompt: str, fits: CompletionSource = no_completions, bar: str = "", person: int = -1) -> str | None:
        full = self.full_voice.full
        if full is None and bar and self.full_voice.left_for_room and has_room(*self.console.screen):
            return ""                                              # the terminal has grown: show the question again
        if full is None:
            return super().read(prompt, fits, bar, person)
        try:
            typed = full.read_line(prompt, fits, bar, person)
        except KeyboardInterrupt:
            return None
        self.full_voice.panes.note_input()
        return None if typed is None else decode_line(typed)

    def show_status(self, text: str) -> None:
        full = self.full_voice.full
        if full is None:
            super().show_status(text)
        elif text:
            full.bar = sanitize(text)
            full.request_redraw()

    def clear_screen(self) -> None:
        self.full_voice.panes.clear_panes()                               # also what the full screen would show later
        if self.full_voice.full is None:
            super().clear_screen()


class FullScreenSession(Session):
    """The session of a match on the full screen."""

    def __init__(self, console: FullScreenConsole, table: MatchTable, loaded: LoadedGame, max_rounds: int | None) -> None:
        super().__init__(console, table, loaded, max_rounds)
        self.full_voice = console
        self.story_lang = ""                                       # language of the transcript on the screen
        self.terminal = FullScreenTerminal(console)

    def run(self) -> int:
        try:
            if has_room(*self.console.screen):
                self.open_screen()
            else:
                self.fall_back_to_scrolling()
            return super().run()
        finally:
            shown = self.full_voice.full is not None and self.table.over
            self.close_screen()
            if shown:                                              # what remains on the terminal
                super().show_result()

    def open_screen(self) -> None:
        """Switches to the full screen."""
        self.full_voice.left_for_room = False
        self.update_titles()
        full = FullScreen(self.full_voice.panes, self.full_voice)
        full.describe = self.describe_line
        full.open()
        self.full_voice.full = full

    @property
    def has_scrolling_panes(self) -> bool:
        return self.full_voice.full is not None

    def close_screen(self) -> None:
        """Restores the terminal; later output scrolls."""
        full, self.full_voice.full = self.full_voice.full, None
        if full is not None:
            full.close()

    def fall_back_to_scrolling(self) -> None:
        """Continues on the scrolling screen until the terminal is large enough."""
        self.full_voice.left_for_room = True
        self.close_screen()
        self.print_message("full.small", columns=MIN_SCREEN_SIZE[0], lines=MIN_SCREEN_SIZE[1])

    def restore_full_screen(self) -> None:
        """Returns to the full screen and repeats the transcript since the person's last decision."""
        self.open_screen()
        start = self.step_after_own_decision(self.seat)
        if start:
            self.print_transcript(start, repeat_headings=True)

    def update_titles(self) -> None:
        self.full_voice.panes.titles = pane_titles(self.narrator.words)

    def catch_up(self) -> None:
        """Prints the latest events. A transcript in another language is removed before."""
        changed, self.story_lang = self.story_lang not in ("", self.lang), self.lang
        if changed and self.full_voice.full is not None:
            self.full_voice.panes.clear_panes()
            start = self.step_after_own_decision(self.seat)
            if start and self.heard.get(self.listener_key(self.viewer), start) >= len(self.table.steps):
                self.print_transcript(start, repeat_headings=True)            # already read in the other language
        super().catch_up()

    def hand_over_screen(self, former: int) -> bool:
        self.update_titles()
        return super().hand_over_screen(former)

    def show_result(self) -> None:
        """Shows the result on the full screen if all people read the same language, or else line by line."""
        if not self.table.over or len({self.language_of_seat(seat) for seat in self.table.humans}) > 1:
            self.close_screen()
        super().show_result()

    def show_final_table(self) -> None:
        if self.full_voice.full is None:
            super().show_final_table()
            return
        from ..explain.standing_text import standing_lines
        winner = standing_lines(self.table, self.loaded, self.lang, self.max_rounds)[-1:]
        content = self.build_table_content(self.build_tables()[1], None)
        content.question = lambda columns, lines: [
            [Segment(line, Style(bold=True))] for text in winner for line in wrap_cells(text, columns)]
        self.update_titles()
        self.full_voice.panes.set_question(content, last=True)

    def review_game(self, question: DecisionPrompt) -> bool:
        again = super().review_game(question)
        if again and self.full_voice.full is None and not self.full_voice.left_for_room:
            self.open_screen()
        return again

    def leave_game(self) -> int:
        self.close_screen()
        return super().leave_game()

    def boards_to_redraw(self, question: DecisionPrompt) -> list[Panel] | None:
        return super().boards_to_redraw(question) if self.full_voice.full is None else None

    def show_prompt(self, question: DecisionPrompt, table: list[Panel] | None = None) -> None:
        full = self.full_voice.full
        if full is not None and full.small:
            self.fall_back_to_scrolling()
            table = self.build_tables()[1]
        elif full is None and self.full_voice.left_for_room and has_room(*self.console.screen):
            self.restore_full_screen()
        self.update_titles()
        if self.full_voice.full is None:
            super().show_prompt(question, table)
            return
        taught = self.tutorial_block(question)
        self.print_paragraphs(taught)
        panels = table or self.build_tables()[1]
        self.mark_panels(panels, question)
        compute_previews(self, question)
        self.full_voice.panes.set_question(self.build_content(question, panels), last=bool(taught))

    def show_only(self, question: DecisionPrompt, choices: list[PromptOption]) -> bool:
        """Shows only these options below the table, until the question is shown again."""
        if self.full_voice.full is None:
            return False
        some = copy(question)
        some.choices = choices
        self.full_voice.panes.replace_question(partial(self.render_prompt, some, more=self.narrator.words.text("full.narrowed")))
        return True

    def describe_line(self, line: str) -> list[str]:
        """Returns the details of what a click on a cell would type: an option, several, or a thing to look at.

        It runs in the drawing thread while the game waits for a line."""
        return describe_cell(self, self.question, line) if self.question is not None else []

    def build_content(self, question: DecisionPrompt, panels: list[Panel]) -> ScreenContent:
        """Returns the content of the screen at a question; each part can be drawn for any size."""
        content = self.build_table_content(panels, question.decision)
        content.question = partial(self.render_prompt, question)
        content.numbered = partial(self.render_numbered_prompt, question, panels)
        return content

    def build_table_content(self, panels: list[Panel], decision: Decision | None) -> ScreenContent:
        """Returns the content of a screen without its question. The panels that a decision needs come first."""
        theme, console = theme_of(self.table.game), self.console
        parts = build_status_line(self.table.position, self.narrator, self.viewer)
        boards: list[Panel] = [panel for panel in panels if isinstance(panel, BoardPanel)]
        first, rest = select_panels(panels, decision) if decision is not None else ([], panels)
        others = [panel for panel in [*first, *rest] if panel not in boards]
        needed = [panel for panel in first if panel not in boards]

        def draw_panels(shown: list[Panel], columns: int, lines: int, tight: bool = False) -> Lines:
            return render_segments(shown, theme, columns, console.colours, console.utf, lines, tight) if shown else []

        def can_draw_all(columns: int) -> bool:
            screen = TerminalRenderer(theme, columns, console.colours, console.utf)
            return all(screen.can_draw(board) for board in boards if isinstance(board, BoardPanel))

        return ScreenContent(
            lambda columns, _: TerminalRenderer(theme, columns, console.colours, console.utf, pointed=True).status_line_segments(parts),
            partial(draw_panels, boards),
            partial(draw_panels, others),
            lambda columns, lines: [],
            can_draw_all,
            partial(draw_panels, needed),
            partial(draw_panels, first if needed and boards else [], tight=True),
        )

    def render_numbered_prompt(self, question: DecisionPrompt, panels: list[Panel], columns: int, lines: int) -> Lines:
        """Returns the question without its list of options, if the panels show the number of each option; else nothing.

        The list follows below a rule if there are `lines`."""
        if not self.has_all_options_on(question, panels):
            return []
        offer, text = OptionLayout(self, question, columns), wrap_cells(question.text, columns)
        rows = [*self.on_board_hint(question, columns), *offer.preview_groups(max(1, (lines or MAX_NUMBERED_LINES) - len(text) - 1)).lines]
        if lines:
            line = ("─" if self.console.utf else "-") * columns
            rows += [*[""] * (lines - len(text) - len(rows)), line, *offer.full_lines()]
        return [*([Segment(line, Style(bold=True))] for line in text), *(split_clickable_parts(row, question.choices) for row in rows)]

    def render_prompt(self, question: DecisionPrompt, columns: int, lines: int, more: str = "") -> Lines:
        """Returns the question and its options, with an optional sentence `more`. A click on an option chooses it.

        If the options need more than `lines`, a shorter form comes first. The full list follows below a rule and
        can
        be reached by scrolling."""
        text, offer = wrap_cells(question.text, columns), OptionLayout(self, question, columns)
        text += wrap_cells(more, columns) if more else []
        rows, room = offer.full_lines(), lines - len(text)
        if 0 < lines < len(text) + len(rows):
            short = offer.lay_out(room, room)
            if short.left:
                short = offer.lay_out(room - 1, room - 1)
                left = self.narrator.words.text("prompt.more", n=short.left, all=self.narrator.words.text("command.options"))
                short = short._replace(lines=[*short.lines, *wrap_cells(left, columns)][:room])
            line = ("─" if self.console.utf else "-") * columns
            rows = short.lines if short.whole else [*short.lines, *[""] * (room - len(short.lines)), line, *rows]
        return [*([Segment(line, Style(bold=True))] for line in text), *(split_clickable_parts(row, question.choices) for row in rows)]


def pane_titles(words: Localizer) -> dict[str, str]:
    """Returns the titles of the panes and the hint about scrolling keys, in one language."""
    return {part: words.text(f"full.{part}") for part in ("boards", "panels", "table", "story", "details", "cursor", "keys")} | {
        "tight": words.text("full.table")
    }


def create_full_screen_session(
    console: LocalizedConsole, table: MatchTable, loaded: LoadedGame, max_rounds: int | None
) -> FullScreenSession:
    """Returns a session on the full screen; it scrolls as long as the terminal is too small."""
    return FullScreenSession(FullScreenConsole(console, PaneLayout(console.utf, pane_titles(console.words))), table, loaded, max_rounds)
