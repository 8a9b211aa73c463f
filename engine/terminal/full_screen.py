"""A game on the whole screen: the parts of panes.py shown by prompt_toolkit, which draws and reads in a thread of its own, so that the
story goes on while bots think. What is told and drawn is what the scrolling screen tells and draws.

It ends with the game, with Ctrl-C, when the terminal goes or gets too small; in the last case the game goes on in the scrolling screen.
"""

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

from ...dsl.diagnostics.sanitize import visible
from ..cli.console import Voice
from ..cli.input_values import line_of
from ..i18n import Words
from ..library.loaded_game import Loaded
from ..match.table import Table
from ..table_view.panel_priority import needed
from ..table_view.rich_renderer import Screen, screen_segments
from ..table_view.status_line import headline
from ..table_view.theme import look_of
from ..table_view.view_model import Chart, Panel
from .bracketed_paste import leavable
from .clicks import Clicks, mouse_handler, parted, pointed
from .completion import Fits, nothing_fits
from .line_editor import DEPTHS, filled
from .option_layout import Offer
from .pane_layout import SMALLEST, Content, Lines, Panes
from .preview_lines import foresee
from .question import Question, ShownOption
from .session import Session
from .terminal import Terminal
from .text_columns import paragraph

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_processor import KeyPressEvent as Pressed

PAGE = 5                             # lines by which keys scroll
WHEEL = 3                            # lines by which a wheel scrolls
BELOW = 2                            # lines under the parts: the one that is typed, and what may be typed
PATIENCE = 5.0                       # seconds that the drawing has to begin, and to end


def has_room(columns: int, lines: int) -> bool:
    """Whether a terminal is large enough for the whole screen."""
    return columns >= SMALLEST[0] and lines >= SMALLEST[1]


class FullScreen:
    """The screen while it is drawn and typed on. `typed` waits for a line; after `close` the terminal is as it was."""

    def __init__(self, panes: Panes, voice: Voice, source: Input | None = None, output: Output | None = None) -> None:
        self.panes, self.voice = panes, voice
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.clicks = Clicks(self.pick, lambda: self.panes.content)
        self.waiting = False                                       # whether somebody reads what is typed
        self.small = self.gone = self.closed = False
        self.fits: Fits = nothing_fits
        self.prompt = self.bar = ""
        self.buffers: dict[int, Buffer] = {}                       # by person: nobody calls back what another typed
        self.control = BufferControl(self.buffer(-1), focusable=True)
        self.begun = threading.Event()
        self.app: Application[None] = self.application(source, output)
        leavable(self.app.input)
        self.thread = threading.Thread(target=self.run, daemon=True)

    def buffer(self, person: int) -> Buffer:
        if person not in self.buffers:
            self.buffers[person] = Buffer(multiline=False, accept_handler=self.accept)
        return self.buffers[person]

    # ------------------------------------------------------------ from the game

    def open(self) -> None:
        self.thread.start()
        self.begun.wait(PATIENCE)

    def close(self) -> None:
        """The terminal as it was before."""
        if not self.closed:
            self.closed = True
            self.leave()
            self.thread.join(PATIENCE)

    def leave(self) -> None:
        if self.app.loop is not None and self.app.is_running:
            with suppress(RuntimeError):                           # the drawing has just ended by itself
                self.app.loop.call_soon_threadsafe(self.stop)

    def stop(self) -> None:
        if self.app.is_running and not self.app.is_done:
            self.app.exit()

    def typed(self, prompt: str, fits: Fits, bar: str, person: int) -> str | None:
        """The next line; None when there will be none."""
        if self.gone:
            return None
        self.prompt, self.fits, self.bar = visible(prompt), fits, visible(bar)
        self.control.buffer = self.buffer(person)
        self.waiting = True
        self.changed()
        try:
            return self.lines.get()
        finally:
            self.waiting = False

    def changed(self) -> None:
        """Something is to be drawn."""
        with suppress(RuntimeError):                               # as in leave
            self.app.invalidate()

    # ------------------------------------------------------------ in the thread that draws

    def run(self) -> None:
        try:
            self.app.run(pre_run=self.begun.set, handle_sigint=False)
        except (EOFError, OSError, ValueError):                    # the terminal has gone
            self.gone = True
        finally:
            self.begun.set()
            self.gone = self.gone or not (self.small or self.closed)
            self.lines.put("" if self.small else None)

    def application(self, source: Input | None, output: Output | None) -> Application[None]:
        body = Window(Pointed(self.screen, self.wheel), height=Dimension(weight=1), always_hide_cursor=True)
        line = VSplit([Window(FormattedTextControl(lambda: [("bold", self.prompt)]), dont_extend_width=True, height=1),
                       Window(self.control, height=1)])
        below = Window(FormattedTextControl(self.below), height=1)
        return Application(Layout(HSplit([body, line, below]), focused_element=self.control), key_bindings=self.keys(), full_screen=True,
                           mouse_support=Condition(lambda: self.waiting), color_depth=DEPTHS[self.voice.colours], input=source,
                           output=output, terminal_size_polling_interval=0.25)

    def keys(self) -> KeyBindings:
        keys = KeyBindings()
        keys.add("tab")(lambda event: filled(event.current_buffer, self.fits))
        keys.add("s-tab")(lambda event: self.panes.choose())
        keys.add("f6")(lambda event: self.panes.choose())
        keys.add("pageup")(lambda event: self.panes.scroll(self.panes.chosen, -PAGE))
        keys.add("pagedown")(lambda event: self.panes.scroll(self.panes.chosen, PAGE))
        keys.add("c-c")(self.interrupt)
        keys.add("c-d")(self.interrupt)
        keys.add(Keys.Vt100MouseEvent)(mouse_handler())
        return keys

    def interrupt(self, event: Pressed) -> None:
        """Leave: at a question by its answer, else wherever the game is. An interruption is unheard where Python cannot be interrupted, and
        does not wake who has just begun to wait: the answer is there for both, and behind it, so that who wakes has been interrupted."""
        if not self.waiting:
            _thread.interrupt_main()
        self.lines.put(None)

    def accept(self, buffer: Buffer) -> bool:
        if self.waiting:
            self.lines.put(buffer.text)
        return False                                               # a whole line that nobody asked for is dropped: it answers nothing

    def pick(self, line: str) -> None:
        if self.waiting:
            self.control.buffer.reset()
            self.lines.put(line)

    def screen(self) -> StyleAndTextTuples:
        size = self.app.output.get_size()
        if not has_room(size.columns, size.rows):
            self.small = True
            self.stop()
            return []
        out: StyleAndTextTuples = []
        click = partial(self.clicks.on, self.panes.content)
        for n, line in enumerate(self.panes.lines(size.columns, size.rows - BELOW)):
            out += [("", "\n")] if n else []
            out += [parted(part, click) for part in line]
        return out

    def wheel(self, event: MouseEvent) -> None:
        area = next((one for one in self.panes.areas if one.holds(event.position.x, event.position.y)), None)
        if area is not None:
            self.panes.scroll(area.part, WHEEL if event.event_type == MouseEventType.SCROLL_DOWN else -WHEEL)

    def below(self) -> StyleAndTextTuples:
        """What fits to what was typed so far, or the words that help."""
        typed = self.control.buffer.text
        fits = self.fits(typed) if typed.strip() and self.waiting else []
        keys = f"   {self.panes.titles.get('keys', '')}" if self.panes.cut else ""
        return [("", "   ".join(visible(fit.shown) for fit in fits) or self.bar + keys)]


class Pointed(FormattedTextControl):
    """A text whose wheel is ours."""

    def __init__(self, text: Callable[[], StyleAndTextTuples], wheel: Callable[[MouseEvent], None]) -> None:
        super().__init__(text, get_cursor_position=lambda: Point(0, 0))
        self.wheel = wheel

    def mouse_handler(self, mouse_event: MouseEvent) -> Any:
        if mouse_event.event_type in (MouseEventType.SCROLL_UP, MouseEventType.SCROLL_DOWN):
            self.wheel(mouse_event)
            return None
        return super().mouse_handler(mouse_event)


class FullVoice(Voice):
    """Speaks into the story while the screen is full."""

    def __init__(self, voice: Voice, panes: Panes) -> None:
        super().__init__(voice.lang)
        self.panes = panes
        self.full: FullScreen | None = None
        self.left_for_room = False                                 # whether lines scroll only until the terminal is large enough

    def out(self, text: str = "") -> None:
        if self.full is None:
            super().out(text)
            return
        self.panes.tell(text)
        self.full.changed()

    def warn(self, text: str) -> None:
        if self.full is None:
            super().warn(text)
        else:
            self.out(text)

    @property
    def width(self) -> int:
        return super().width if self.full is None else self.panes.story_width(super().screen[0])

    @property
    def screen(self) -> tuple[int, int]:
        return super().screen if self.full is None else (self.width, super().screen[1])


class FullTerminal(Terminal):
    """Lines are typed below the parts of the screen."""

    def __init__(self, voice: FullVoice) -> None:
        super().__init__(voice)
        self.full_voice = voice

    def read(self, prompt: str, fits: Fits = nothing_fits, bar: str = "", person: int = -1) -> str | None:
        full = self.full_voice.full
        if full is None and bar and self.full_voice.left_for_room and has_room(*self.voice.screen):
            return ""                                              # the terminal has grown: the question is put anew
        if full is None:
            return super().read(prompt, fits, bar, person)
        try:
            typed = full.typed(prompt, fits, bar, person)
        except KeyboardInterrupt:
            return None
        self.full_voice.panes.typed()
        return None if typed is None else line_of(typed)

    def busy(self, text: str) -> None:
        full = self.full_voice.full
        if full is None:
            super().busy(text)
        elif text:
            full.bar = visible(text)
            full.changed()

    def wipe(self) -> None:
        self.full_voice.panes.wipe()                               # also what will be seen when the screen is full again
        if self.full_voice.full is None:
            super().wipe()


class FullSession(Session):
    """The course of a game on the whole screen."""

    def __init__(self, voice: FullVoice, table: Table, loaded: Loaded, max_rounds: int | None) -> None:
        super().__init__(voice, table, loaded, max_rounds)
        self.full_voice = voice
        self.terminal = FullTerminal(voice)

    def run(self) -> int:
        try:
            if has_room(*self.voice.screen):
                self.open()
            else:
                self.leave_for_room()
            return super().run()
        finally:
            self.shut()

    def open(self) -> None:
        """The whole screen."""
        self.full_voice.left_for_room = False
        self.speak_titles()
        full = FullScreen(self.full_voice.panes, self.full_voice)
        full.open()
        self.full_voice.full = full

    @property
    def scrolls(self) -> bool:
        return self.full_voice.full is not None

    def shut(self) -> None:
        """The terminal as it was; what is told from now on scrolls."""
        full, self.full_voice.full = self.full_voice.full, None
        if full is not None:
            full.close()

    def leave_for_room(self) -> None:
        """Go on in the scrolling screen until the terminal is large enough."""
        self.full_voice.left_for_room = True
        self.shut()
        self.say("full.small", columns=SMALLEST[0], lines=SMALLEST[1])

    def come_back(self) -> None:
        """The whole screen again, with what has happened since the last decision of the one before it."""
        self.open()
        start = self.since(self.seat)
        if start:
            self.retell(start, anew=True)

    def speak_titles(self) -> None:
        self.full_voice.panes.titles = titles_in(self.teller.words)

    def hand_over(self, former: int) -> bool:
        self.speak_titles()
        return super().hand_over(former)

    def end(self) -> None:
        self.shut()
        super().end()

    def look_back(self, question: Question) -> bool:
        again = super().look_back(question)
        if again and not self.full_voice.left_for_room:
            self.open()
        return again

    def leave(self) -> int:
        self.shut()
        return super().leave()

    def boards(self, question: Question) -> list[Panel] | None:
        return super().boards(question) if self.full_voice.full is None else None

    def put(self, question: Question, table: list[Panel] | None = None) -> None:
        full = self.full_voice.full
        if full is not None and full.small:
            self.leave_for_room()
            table = self.tables()[1]
        elif full is None and self.full_voice.left_for_room and has_room(*self.voice.screen):
            self.come_back()
        self.speak_titles()
        if self.full_voice.full is None:
            super().put(question, table)
            return
        taught = self.lesson(question)
        self.tell(taught)
        panels = table or self.tables()[1]
        self.write_into(panels, question)
        foresee(self, question)
        self.full_voice.panes.put(self.content(question, panels), last=bool(taught))

    def narrow(self, question: Question, choices: list[ShownOption]) -> bool:
        """Show only these options below the table, until the question is put anew."""
        if self.full_voice.full is None:
            return False
        some = copy(question)
        some.choices = choices
        self.full_voice.panes.ask(partial(self.asked, some, more=self.teller.words.text("full.narrowed")))
        return True

    def content(self, question: Question, panels: list[Panel]) -> Content:
        """What is seen at a question, to be drawn for any size."""
        look, voice = look_of(self.table.game), self.voice
        parts = headline(self.table.position, self.teller, self.viewer)
        boards = [panel for panel in panels if isinstance(panel, Chart)]
        others = [panel for some in needed(panels, question.decision) for panel in some if panel not in boards]

        def drawn(shown: list[Panel], columns: int, lines: int) -> Lines:
            return screen_segments(shown, look, columns, voice.colours, voice.utf, lines)

        def drawable(columns: int) -> bool:
            screen = Screen(look, columns, voice.colours, voice.utf)
            return all(screen.can_draw(board) for board in boards)

        return Content(lambda columns, _: Screen(look, columns, voice.colours, voice.utf).line_on_top(parts), partial(drawn, list(boards)),
                       partial(drawn, others), partial(self.asked, question), drawable)

    def asked(self, question: Question, columns: int, lines: int, more: str = "") -> Lines:
        """The question and its options, with a sentence about `more`; a click on an option chooses it. Where these have no room in so many
        `lines`, a shorter form comes first, and each of them behind it, below a line, once that is scrolled."""
        text, offer = paragraph(question.text, columns), Offer(self, question, columns)
        text += paragraph(more, columns) if more else []
        rows, room = offer.all_told(), lines - len(text)
        if 0 < lines < len(text) + len(rows):
            short = offer.laid(room, room)
            if short.left:
                short = offer.laid(room - 1, room - 1)
                left = self.teller.words.text("prompt.more", n=short.left, all=self.teller.words.text("command.options"))
                short = short._replace(lines=[*short.lines, *paragraph(left, columns)][:room])
            line = ("─" if self.voice.utf else "-") * columns
            rows = short.lines if short.whole else [*short.lines, *[""] * (room - len(short.lines)), line, *rows]
        return [*([Segment(line, Style(bold=True))] for line in text), *(pointed(row, question.choices) for row in rows)]


def titles_in(words: Words) -> dict[str, str]:
    """The titles of the parts, and by which keys they scroll, in a language."""
    return {part: words.text(f"full.{part}") for part in ("boards", "panels", "table", "story", "keys")}


def full_session(voice: Voice, table: Table, loaded: Loaded, max_rounds: int | None) -> FullSession:
    """A game on the whole screen, or in the scrolling one as long as that is too small."""
    return FullSession(FullVoice(voice, Panes(voice.utf, titles_in(voice.words))), table, loaded, max_rounds)
