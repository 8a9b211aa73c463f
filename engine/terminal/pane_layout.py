"""A whole screen laid out: where the game stands, the boards, the other panels, the story, and the question, each in a part of its own that
can be scrolled. Pure: sizes in, lines of parts out (full_screen.py shows them)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from threading import RLock
from typing import Concatenate, ParamSpec, TypeVar

from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from ...dsl.diagnostics.sanitize import visible

SMALLEST = (60, 20)                  # columns and lines below which there is no room for parts
WIDE = 100                           # columns from which on parts stand side by side
RIGHT = 40                           # columns of the right side, at least
LEAST = 4                            # lines of a question, at least; a longer answer needs more room than the story has
FEWEST = 3                           # lines of the story below a table,
HANGING = 2                          # columns by which a line of a paragraph stands further to the right than the first
NEWS = 5                             # and with its title, where something has happened
Lines = list[list[Segment]]
Drawn = Callable[[int, int], Lines]                                # at so many columns and lines


@dataclass
class Content:
    """What is to be seen of a game at a question. Each part is drawn for the room that it has, once for each size."""

    top: Drawn
    boards: Drawn
    panels: Drawn
    question: Drawn
    drawable: Callable[[int], bool] = lambda columns: True         # whether the boards can be drawn in so many columns, not only told
    made: dict[tuple[str, int, int], Lines] = field(default_factory=dict)
    rooms: dict[int, bool] = field(default_factory=dict)

    def drawn(self, part: str, columns: int, lines: int) -> Lines:
        if (part, columns, lines) not in self.made:
            self.made[part, columns, lines] = getattr(self, part)(columns, lines)
        return self.made[part, columns, lines]

    def wide_enough(self, columns: int) -> bool:
        """Whether the boards can be drawn in so many columns."""
        if columns not in self.rooms:
            self.rooms[columns] = self.drawable(columns)
        return self.rooms[columns]


@dataclass(frozen=True)
class Area:
    """Where a part stands on the screen."""

    part: str
    x: int
    y: int
    wide: int
    high: int

    def holds(self, x: int, y: int) -> bool:
        return self.x <= x < self.x + self.wide and self.y <= y < self.y + self.high


Given = ParamSpec("Given")
Got = TypeVar("Got")


def alone(method: Callable[Concatenate[Panes, Given], Got]) -> Callable[Concatenate[Panes, Given], Got]:
    """Let no thread in while another is here: the game tells and wipes while the screen is drawn."""

    @wraps(method)
    def kept(panes: Panes, /, *given: Given.args, **named: Given.kwargs) -> Got:
        with panes.lock:
            return method(panes, *given, **named)

    return kept


class Panes:
    """The parts of the screen, what they hold and how far each has been scrolled. Whoever draws sees all of it as it was at one moment."""

    def __init__(self, utf: bool, titles: dict[str, str]) -> None:
        self.lock = RLock()
        self.utf, self.titles = utf, titles
        self.content: Content | None = None
        self.story: list[str] = []
        self.asked = 0                                             # lines of the story when somebody was asked last, or typed
        self.news: int | None = None                               # lines of it before what has happened since the question before
        self.first: dict[str, int] = {}                            # by part, the first line shown, where somebody has scrolled
        self.chosen = "story"                                      # the part that keys scroll
        self.areas: list[Area] = []
        self.cut = False                                           # whether of some part not all is seen
        self.console = Console(width=1000, legacy_windows=False, _environ={})
        self.told: dict[tuple[int, int], Lines] = {}               # the story so far, in lines: by how much of it, and how wide

    # ------------------------------------------------------------ what happens

    @alone
    def put(self, content: Content, last: bool = False) -> None:
        """Another question. What has happened since the last one is read from its beginning, unless the `last` of it is to be seen."""
        if last:
            self.news = None
        elif len(self.story) > self.asked or self.content is None:
            self.news = self.asked
        self.content, self.asked = content, len(self.story)
        self.first.clear()

    @alone
    def ask(self, question: Drawn) -> None:
        """The same question in another form."""
        if self.content is not None:
            made = {key: lines for key, lines in self.content.made.items() if key[0] != "question"}
            self.content = replace(self.content, question=question, made=made)
            self.first.pop("question", None)

    @alone
    def tell(self, text: str) -> None:
        """One more line of the story."""
        self.story.append(visible(text))
        self.first.pop("story", None)

    @alone
    def typed(self) -> None:
        """Somebody has typed a line: what is told from now on answers it."""
        self.asked = len(self.story)
        self.first.pop("story", None)

    @alone
    def wipe(self) -> None:
        """Nothing of what was shown is left."""
        self.content, self.asked, self.news = None, 0, None
        self.story.clear()
        self.told.clear()
        self.first.clear()

    @alone
    def scroll(self, part: str, by: int) -> None:
        """Show what is further down in a part, or further up."""
        area = next((area for area in self.areas if area.part == part), None)
        if area is not None:
            lines, first = self.lines_of(area)
            self.first[part] = max(0, min(first + by, len(lines) - area.high + 1))

    @alone
    def story_width(self, columns: int) -> int:
        """How wide the story is on a screen of so many columns: all of them where a board can only be drawn in the whole width. Before the
        first question that is not known: what is narrow enough for one side can be read in the whole width too."""
        right = max(RIGHT, columns * 2 // 5)
        if columns < WIDE:
            return columns
        if self.content is None:
            return right
        return columns if not self.content.wide_enough(columns - right - 1) and self.content.wide_enough(columns) else right

    @alone
    def choose(self) -> None:
        """Let the keys scroll the next part."""
        parts = [area.part for area in self.areas]
        self.chosen = parts[(parts.index(self.chosen) + 1) % len(parts)] if self.chosen in parts else parts[0]

    # ------------------------------------------------------------ laying out

    @alone
    def lines(self, columns: int, high: int) -> Lines:
        """The whole screen but for the line that is typed."""
        self.cut = False
        if self.content is None:
            self.areas = [Area("story", 0, 0, columns, high)]
            return self.framed(self.areas[0])
        top = self.content.drawn("top", columns, 1)[:2]
        room = high - len(top)
        asked = min(len(self.content.drawn("question", columns, 0)) + 1, max(LEAST, room * 2 // 5))
        asked = min(asked, len(self.content.drawn("question", columns, asked - 1)) + 1)
        self.areas = [*self.middle(columns, room - asked, len(top)), Area("question", 0, high - asked, columns, asked)]
        out = [fitted(line, columns) for line in top]
        rows: dict[int, list[tuple[int, list[Segment]]]] = {}
        for area in self.areas:
            for n, line in enumerate(self.framed(area)):
                rows.setdefault(area.y + n, []).append((area.x, line))
        for y in range(len(top), high):
            line = []
            for k, (_, part) in enumerate(sorted(rows[y], key=lambda one: one[0])):
                line += [Segment("│" if self.utf else "|", Style(dim=True))] * bool(k) + part
            out.append(line)
        return out

    def middle(self, columns: int, high: int, y: int) -> list[Area]:
        """Boards, panels and story between the top and the question. What was just asked for (`help`) has all the room that it needs."""
        assert self.content is not None
        right = self.story_width(columns) % columns                # nothing where all stands one below the other
        left = columns - right - bool(right)
        boards = bool(self.content.drawn("boards", left, high - 1))
        answer = len(self.wrapped(right or columns)) - self.heard(right or columns)
        if not right:
            fewest = max(FEWEST, min(NEWS, 1 + len(self.wrapped(columns)) - self.before_news(columns)))
            story = high if answer >= LEAST else min(high // 2, max(fewest, high - 2 - len(self.table(left, high))))
            above = [Area("table", 0, y, left, high - story)] if story < high else []
            return [*above, Area("story", 0, y + high - story, columns, story)]
        if not boards:
            return [Area("panels", 0, y, left, high), Area("story", left + 1, y, right, high)]
        panels = min(len(self.content.drawn("panels", right, 0)) + 1, high * 3 // 5)
        panels = panels if answer < high - panels else 0
        above = [Area("panels", left + 1, y, right, panels)] if panels > 1 else []
        story = high - panels if above else high
        return [Area("boards", 0, y, left, high), *above, Area("story", left + 1, y + high - story, right, story)]

    def table(self, columns: int, high: int) -> Lines:
        """Boards and panels, one below the other."""
        assert self.content is not None
        return self.content.drawn("boards", columns, high) + self.content.drawn("panels", columns, 0)

    def lines_of(self, area: Area) -> tuple[Lines, int]:
        """All lines of a part, and which is the first that is shown."""
        if area.part == "story":
            lines = self.wrapped(area.wide)
            fresh = self.heard(area.wide)                          # an answer is read from its beginning on, and so are news
            fresh = fresh if len(lines) > fresh else self.before_news(area.wide)
            first = max(0, min(len(lines) - area.high + 1, fresh) if self.content is not None else len(lines) - area.high + 1)
        else:
            assert self.content is not None
            lines = (self.table(area.wide, area.high - 1) if area.part == "table"
                     else self.content.drawn(area.part, area.wide, area.high - 1 if area.part in ("boards", "question") else 0))
            first = 0
        return lines, self.first.get(area.part, first)

    def framed(self, area: Area) -> Lines:
        """A part below a line with its title; signs say that there is more above or below."""
        lines, first = self.lines_of(area)
        shown = lines[first : first + area.high - 1]
        up, down = ("▲", "▼") if self.utf else ("^", "v")
        more = " ".join(filter(None, [up * (first > 0), down * (first + len(shown) < len(lines))]))
        self.cut = self.cut or bool(more)
        flat = "─" if self.utf else "-"
        title = f" {self.titles[area.part]} " if self.titles.get(area.part) else ""
        here = Style(bold=True) if area.part == self.chosen else Style(dim=True)
        end = f" {more} " if more else ""
        rule = [Segment(flat * 2, Style(dim=True)), Segment(title, here),
                Segment(flat * max(0, area.wide - 2 - len(title) - len(end)), Style(dim=True)), Segment(end, Style(bold=True))]
        out = [fitted(line, area.wide) for line in [rule, *shown]]
        return out + [[Segment(" " * area.wide)] for _ in range(area.high - len(out))]

    # ------------------------------------------------------------ the story

    def wrapped(self, columns: int) -> Lines:
        """The story in lines of so many columns."""
        return self.broken(len(self.story), columns)

    def heard(self, columns: int) -> int:
        """How many lines of it were there when somebody was asked last, or typed."""
        return len(self.broken(self.asked, columns))

    def before_news(self, columns: int) -> int:
        """How many lines of it stand before what has happened since the question before."""
        return len(self.wrapped(columns)) if self.news is None else len(self.broken(self.news, columns))

    def broken(self, count: int, columns: int) -> Lines:
        """So much of the story in lines. It is asked for each time that something is drawn, and worked out when it has changed."""
        if (count, columns) not in self.told:
            used = (self.asked, self.news, len(self.story))
            self.told = {known: lines for known, lines in self.told.items() if known[0] in used and known[1] == columns}
            self.told[count, columns] = self.lines_at(self.story[:count], columns)
        return self.told[count, columns]

    def lines_at(self, texts: Sequence[str], columns: int) -> Lines:
        out = [list(line.render(self.console, end="")) for text in texts for line in self.paragraph(text, columns)]
        while out and not any(part.text.strip() for part in out[-1]):
            out.pop()
        return out

    def paragraph(self, text: str, columns: int) -> list[Text]:
        """A line of the story in as many as it needs; those after the first stand a little further to the right, as paragraphs do."""
        whole = Text.from_ansi(text) if text else Text()
        indent = len(whole.plain) - len(whole.plain.lstrip()) + HANGING
        if whole.cell_len <= columns or indent > columns // 2:
            return list(whole.wrap(self.console, columns, no_wrap=False)) or [whole]
        lines = list(whole[indent - HANGING :].wrap(self.console, columns - indent, no_wrap=False))
        for n, line in enumerate(lines):
            line.pad_left(indent if n else indent - HANGING)
        return lines


def fitted(line: list[Segment], columns: int) -> list[Segment]:
    """A line of exactly so many columns."""
    return Segment.adjust_line_length([part for part in line if not part.control], columns)
