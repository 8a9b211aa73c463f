"""Mouse clicks on the full screen: what can be clicked, and which line a click types.

A cell of an option list is one of these:

- the number and text of an option (`10  Tower 1`)
- the number and the end of a text (`[4] red`)
- numbers that are listed together (`34-38  Tower 1-5`)

A click on one option types its number. A click on several options,
also on a map place with `4+`, types `/options 34-38`, which lists them and chooses none.
A click on a place, a thing, or a player types `/look`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from prompt_toolkit.key_binding.bindings.mouse import load_mouse_bindings
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType
from prompt_toolkit.styles import ANSI_COLOR_NAMES
from rich.color import Color
from rich.segment import Segment
from rich.style import Style

from ...dsl.diagnostics.sanitize import sanitize
from ..terminal.question import NUMBER_LIST, PromptOption, parse_number_list

CELL_START = re.compile(rf"(?:^ *|(?<=  ))(?P<tokens>{NUMBER_LIST.pattern})  (?=\S)|\[(?P<end>\d+)\] ")       # start of a cell
STANDARD_COLOUR_COUNT = 16                         # colours with names
CELL_END = re.compile(r"  |$")                                          # end of a cell


def split_clickable_parts(row: str, choices: Sequence[PromptOption]) -> list[Segment]:
    """Splits a line of options into segments. Each cell is a segment whose style holds the `answer` of a click."""
    out, done = [], 0
    for start, end, answer in iter_cells(row, choices):
        out += [Segment(row[done:start])] if done < start else []
        out.append(Segment(row[start:end], Style(meta={"answer": answer})))
        done = end
    return out + [Segment(row[done:])] if done < len(row) or not out else out


def iter_cells(row: str, choices: Sequence[PromptOption]) -> Iterator[tuple[int, int, str]]:
    """Yields the cells of a line from left to right, as start, end, and answer.

    A cell counts only if the text after a number belongs to the option with that number."""
    known, at = {one.token: one.text for one in choices}, 0
    while found := CELL_START.search(row, at):
        at = found.end()
        start = found.start() + len(found[0]) - len(found[0].lstrip())
        gap = CELL_END.search(row, at)
        assert gap is not None
        if found["end"]:
            said = row[at : gap.start()]
            if said and known.get(found["end"], "").endswith(said):
                at = gap.start()
                yield start, at, found["end"]
        elif found["tokens"] in known:
            end = option_text_end(row, at, known[found["tokens"]])
            if end:
                at = end
                yield start, at, found["tokens"]
        elif (several := parse_number_list(found["tokens"])) and all(token in known for token in several):
            at = gap.start()
            yield start, at, found["tokens"]


def option_text_end(row: str, at: int, text: str) -> int:
    """Returns where the option text that begins at `at` ends in this line; 0 if other text begins there."""
    if row.startswith(text, at) and row[at + len(text) : at + len(text) + 1] in ("", " "):
        return at + len(text)
    rest = row[at:].rstrip()
    return at + len(rest) if rest and text.startswith(f"{rest} ") else 0


def click_to_line(style: Style | None) -> str:
    """Returns the line that a click on this style types: an option's number, or a command. Empty if it is not clickable.

    The command lists several options, or looks at a thing."""
    meta = style.meta if style is not None else {}
    if answer := str(meta.get("answer", "")):
        return answer if answer.isdigit() else f"/options {answer}"
    return f"/look {meta['look']}" if "look" in meta else ""


def to_formatted_text(part: Segment, click: Callable[[str, MouseEvent], object]) -> Any:
    """Converts a segment to prompt_toolkit's formatted text, with a mouse handler if it is clickable."""
    text, style, _ = part
    style = style or Style()
    colours = [f"{key}:{colour_name(colour)}" for key, colour in (("fg", style.color), ("bg", style.bgcolor))
               if colour is not None and not colour.is_default]
    said = " ".join([*colours, *(name for name in ("bold", "dim", "reverse") if getattr(style, name))])
    line = click_to_line(style)
    return (said, sanitize(text), partial(click, line)) if line else (said, sanitize(text))


def colour_name(colour: Color) -> str:
    """Returns a colour for prompt_toolkit.

    The first sixteen are given by name, because terminal themes change them."""
    number = colour.number
    return ANSI_COLOR_NAMES[number + 1] if number is not None and number < STANDARD_COLOUR_COUNT else colour.get_truecolor().hex


class ClickRecognizer:
    """Recognizes clicks: the left button is pressed and released on the same cell, which is still on the screen."""

    def __init__(self, pick: Callable[[str], None], shown: Callable[[], object], hover: Callable[[str], None]) -> None:
        """`pick` receives the typed line, `hover` the line of a cell that the mouse moves over.

        `shown` returns the content that the screen is drawn from now."""
        self.pick, self.shown, self.hover = pick, shown, hover
        self.pressed: tuple[object, str] | None = None

    def handle_event(self, drawn: object, line: str, event: MouseEvent) -> object:
        """Handles a mouse event on a cell that was drawn from the content `drawn`. A click on it types `line`."""
        if event.event_type == MouseEventType.MOUSE_DOWN:
            self.pressed = (drawn, line) if event.button == MouseButton.LEFT else None
        elif event.event_type == MouseEventType.MOUSE_UP:
            pressed, self.pressed = self.pressed, None
            if pressed is not None and pressed == (drawn, line) and drawn is self.shown():
                self.pick(line)
        elif event.event_type == MouseEventType.MOUSE_MOVE and self.pressed is None:
            self.hover(line)
        else:
            return NotImplemented
        return None


def make_mouse_handler() -> Callable[[KeyPressEvent], Any]:
    """Returns prompt_toolkit's mouse handler, which here ignores incomplete events instead of raising an error."""
    binding = load_mouse_bindings().get_bindings_for_keys((Keys.Vt100MouseEvent,))[-1]

    def handle(event: KeyPressEvent) -> Any:
        try:
            return binding.handler(event)
        except (ValueError, IndexError):
            return NotImplemented

    return handle
