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

from ...dsl.diagnostics.sanitize import sanitize

MIN_SCREEN_SIZE = (60, 20)                  # columns and lines below which there is no room for parts
TWO_COLUMN_MIN_WIDTH = 100                           # columns from which on parts stand side by side
RIGHT_COLUMN_MIN_WIDTH = 40                           # columns of the right side, at least
MIN_QUESTION_LINES = 4                            # lines of a question, at least; a longer answer needs more room than the story has
MIN_STORY_LINES = 3                           # lines of the story below a table,
HANGING_INDENT = 2                          # columns by which a line of a paragraph stands further to the right than the first
MIN_NEWS_LINES = 5                             # and with its title, where something has happened
Lines = list[list[Segment]]
PartRenderer = Callable[[int, int], Lines]                                # at so many columns and lines


@dataclass
class ScreenContent:
    """What is to be seen of a game at a question. Each part is drawn for the room that it has, once for each size."""

    top: PartRenderer
    boards: PartRenderer
    panels: PartRenderer
    question: PartRenderer
    drawable: Callable[[int], bool] = lambda columns: True         # whether the boards can be drawn in so many columns, not only told
    made: dict[tuple[str, int, int], Lines] = field(default_factory=dict)
    rooms: dict[int, bool] = field(default_factory=dict)

    def render_part(self, part: str, columns: int, lines: int) -> Lines:
        if (part, columns, lines) not in self.made:
            self.made[part, columns, lines] = getattr(self, part)(columns, lines)
        return self.made[part, columns, lines]

    def can_draw_boards(self, columns: int) -> bool:
        """Whether the boards can be drawn in so many columns."""
        if columns not in self.rooms:
            self.rooms[columns] = self.drawable(columns)
        return self.rooms[columns]


@dataclass(frozen=True)
class PaneArea:
    """Where a part stands on the screen."""

    part: str
    x: int
    y: int
    wide: int
    high: int

    def contains(self, x: int, y: int) -> bool:
        return self.x <= x < self.x + self.wide and self.y <= y < self.y + self.high


MethodParams = ParamSpec("MethodParams")
MethodResult = TypeVar("MethodResult")


def with_lock(
    method: Callable[Concatenate[PaneLayout, MethodParams], MethodResult],
) -> Callable[Concatenate[PaneLayout, MethodParams], MethodResult]:
    """Let no thread in while another is here: the game tells and wipes while the screen is drawn."""

    @wraps(method)
    def run_locked(panes: PaneLayout, /, *given: MethodParams.args, **named: MethodParams.kwargs) -> MethodResult:
        with panes.lock:
            return method(panes, *given, **named)

    return run_locked


class PaneLayout:
    """The parts of the screen, what they hold and how far each has been scrolled. Whoever draws sees all of it as it was at one moment."""

    def __init__(self, utf: bool, titles: dict[str, str]) -> None:
        self.lock = RLock()
        self.utf, self.titles = utf, titles
        self.content: ScreenContent | None = None
        self.story: list[str] = []
        self.asked = 0                                             # lines of the story when somebody was asked last, or typed
        self.news: int | None = None                               # lines of it before what has happened since the question before
        self.first: dict[str, int] = {}                            # by part, the first line shown, where somebody has scrolled
        self.chosen = "story"                                      # the part that keys scroll
        self.areas: list[PaneArea] = []
        self.cut = False                                           # whether of some part not all is seen
        self.console = Console(width=1000, legacy_windows=False, _environ={})
        self.told: dict[tuple[int, int], Lines] = {}               # the story so far, in lines: by how much of it, and how wide

    # ------------------------------------------------------------ what happens

    @with_lock
    def set_question(self, content: ScreenContent, last: bool = False) -> None:
        """Another question. What has happened since the last one is read from its beginning, unless the `last` of it is to be seen."""
        if last:
            self.news = None
        elif len(self.story) > self.asked or self.content is None:
            self.news = self.asked
        self.content, self.asked = content, len(self.story)
        self.first.clear()

    @with_lock
    def replace_question(self, question: PartRenderer) -> None:
        """The same question in another form."""
        if self.content is not None:
            made = {key: lines for key, lines in self.content.made.items() if key[0] != "question"}
            self.content = replace(self.content, question=question, made=made)
            self.first.pop("question", None)

    @with_lock
    def append_line(self, text: str) -> None:
        """One more line of the story."""
        self.story.append(sanitize(text))
        self.first.pop("story", None)

    @with_lock
    def note_input(self) -> None:
        """Somebody has typed a line: what is told from now on answers it."""
        self.asked = len(self.story)
        self.first.pop("story", None)

    @with_lock
    def clear_panes(self) -> None:
        """Nothing of what was shown is left."""
        self.content, self.asked, self.news = None, 0, None
        self.story.clear()
        self.told.clear()
        self.first.clear()

    @with_lock
    def scroll(self, part: str, by: int) -> None:
        """Show what is further down in a part, or further up."""
        area = next((area for area in self.areas if area.part == part), None)
        if area is not None:
            lines, first = self.pane_lines(area)
            self.first[part] = max(0, min(first + by, len(lines) - area.high + 1))

    @with_lock
    def story_width(self, columns: int) -> int:
        """How wide the story is on a screen of so many columns: all of them where a board can only be drawn in the whole width. Before the
        first question that is not known: what is narrow enough for one side can be read in the whole width too."""
        right = max(RIGHT_COLUMN_MIN_WIDTH, columns * 2 // 5)
        if columns < TWO_COLUMN_MIN_WIDTH:
            return columns
        if self.content is None:
            return right
        return columns if not self.content.can_draw_boards(columns - right - 1) and self.content.can_draw_boards(columns) else right

    @with_lock
    def select_next_pane(self) -> None:
        """Let the keys scroll the next part."""
        parts = [area.part for area in self.areas]
        self.chosen = parts[(parts.index(self.chosen) + 1) % len(parts)] if self.chosen in parts else parts[0]

    # ------------------------------------------------------------ laying out

    @with_lock
    def render_lines(self, columns: int, high: int) -> Lines:
        """The whole screen but for the line that is typed."""
        self.cut = False
        if self.content is None:
            self.areas = [PaneArea("story", 0, 0, columns, high)]
            return self.draw_frame(self.areas[0])
        top = self.content.render_part("top", columns, 1)[:2]
        room = high - len(top)
        asked = min(len(self.content.render_part("question", columns, 0)) + 1, max(MIN_QUESTION_LINES, room * 2 // 5))
        asked = min(asked, len(self.content.render_part("question", columns, asked - 1)) + 1)
        self.areas = [*self.place_panes(columns, room - asked, len(top)), PaneArea("question", 0, high - asked, columns, asked)]
        out = [fit_line(line, columns) for line in top]
        rows: dict[int, list[tuple[int, list[Segment]]]] = {}
        for area in self.areas:
            for n, line in enumerate(self.draw_frame(area)):
                rows.setdefault(area.y + n, []).append((area.x, line))
        for y in range(len(top), high):
            line = []
            for k, (_, part) in enumerate(sorted(rows[y], key=lambda one: one[0])):
                line += [Segment("│" if self.utf else "|", Style(dim=True))] * bool(k) + part
            out.append(line)
        return out

    def place_panes(self, columns: int, high: int, y: int) -> list[PaneArea]:
        """Boards, panels and story between the top and the question. What was just asked for (`help`) has all the room that it needs."""
        assert self.content is not None
        right = self.story_width(columns) % columns                # nothing where all stands one below the other
        left = columns - right - bool(right)
        boards = bool(self.content.render_part("boards", left, high - 1))
        answer = len(self.wrap_story(right or columns)) - self.count_lines_before_input(right or columns)
        if not right:
            fewest = max(MIN_STORY_LINES, min(MIN_NEWS_LINES, 1 + len(self.wrap_story(columns)) - self.count_lines_before_news(columns)))
            story = high if answer >= MIN_QUESTION_LINES else min(high // 2, max(fewest, high - 2 - len(self.table_lines(left, high))))
            above = [PaneArea("table", 0, y, left, high - story)] if story < high else []
            return [*above, PaneArea("story", 0, y + high - story, columns, story)]
        if not boards:
            return [PaneArea("panels", 0, y, left, high), PaneArea("story", left + 1, y, right, high)]
        panels = min(len(self.content.render_part("panels", right, 0)) + 1, high * 3 // 5)
        panels = panels if answer < high - panels else 0
        above = [PaneArea("panels", left + 1, y, right, panels)] if panels > 1 else []
        story = high - panels if above else high
        return [PaneArea("boards", 0, y, left, high), *above, PaneArea("story", left + 1, y + high - story, right, story)]

    def table_lines(self, columns: int, high: int) -> Lines:
        """Boards and panels, one below the other."""
        assert self.content is not None
        return self.content.render_part("boards", columns, high) + self.content.render_part("panels", columns, 0)

    def pane_lines(self, area: PaneArea) -> tuple[Lines, int]:
        """All lines of a part, and which is the first that is shown."""
        if area.part == "story":
            lines = self.wrap_story(area.wide)
            # an answer is read from its beginning on, and so are news
            fresh = self.count_lines_before_input(area.wide)
            fresh = fresh if len(lines) > fresh else self.count_lines_before_news(area.wide)
            first = max(0, min(len(lines) - area.high + 1, fresh) if self.content is not None else len(lines) - area.high + 1)
        else:
            assert self.content is not None
            lines = (self.table_lines(area.wide, area.high - 1) if area.part == "table"
                     else self.content.render_part(area.part, area.wide, area.high - 1 if area.part in ("boards", "question") else 0))
            first = 0
        return lines, self.first.get(area.part, first)

    def draw_frame(self, area: PaneArea) -> Lines:
        """A part below a line with its title; signs say that there is more above or below."""
        lines, first = self.pane_lines(area)
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
        out = [fit_line(line, area.wide) for line in [rule, *shown]]
        return out + [[Segment(" " * area.wide)] for _ in range(area.high - len(out))]

    # ------------------------------------------------------------ the story

    def wrap_story(self, columns: int) -> Lines:
        """The story in lines of so many columns."""
        return self.wrap_story_start(len(self.story), columns)

    def count_lines_before_input(self, columns: int) -> int:
        """How many lines of it were there when somebody was asked last, or typed."""
        return len(self.wrap_story_start(self.asked, columns))

    def count_lines_before_news(self, columns: int) -> int:
        """How many lines of it stand before what has happened since the question before."""
        return len(self.wrap_story(columns)) if self.news is None else len(self.wrap_story_start(self.news, columns))

    def wrap_story_start(self, count: int, columns: int) -> Lines:
        """So much of the story in lines. It is asked for each time that something is drawn, and worked out when it has changed."""
        if (count, columns) not in self.told:
            used = (self.asked, self.news, len(self.story))
            self.told = {known: lines for known, lines in self.told.items() if known[0] in used and known[1] == columns}
            self.told[count, columns] = self.wrap_texts(self.story[:count], columns)
        return self.told[count, columns]

    def wrap_texts(self, texts: Sequence[str], columns: int) -> Lines:
        out = [list(line.render(self.console, end="")) for text in texts for line in self.wrap_line(text, columns)]
        while out and not any(part.text.strip() for part in out[-1]):
            out.pop()
        return out

    def wrap_line(self, text: str, columns: int) -> list[Text]:
        """A line of the story in as many as it needs; those after the first stand a little further to the right, as paragraphs do."""
        whole = Text.from_ansi(text) if text else Text()
        indent = len(whole.plain) - len(whole.plain.lstrip()) + HANGING_INDENT
        if whole.cell_len <= columns or indent > columns // 2:
            return list(whole.wrap(self.console, columns, no_wrap=False)) or [whole]
        lines = list(whole[indent - HANGING_INDENT :].wrap(self.console, columns - indent, no_wrap=False))
        for n, line in enumerate(lines):
            line.pad_left(indent if n else indent - HANGING_INDENT)
        return lines


def fit_line(line: list[Segment], columns: int) -> list[Segment]:
    """A line of exactly so many columns."""
    return Segment.adjust_line_length([part for part in line if not part.control], columns)
