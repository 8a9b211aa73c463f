"""The layout of the full screen: status line, boards, other panels, transcript, and question.

Each part is a pane that can be scrolled. The layout is pure: it takes sizes and returns lines of segments,
which `full_screen_app.py` displays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from threading import RLock
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from ...dsl.diagnostics.sanitize import sanitize
from ..i18n.text_layout import wrap_styled
from .cursor import CursorCell, find_next_cell, highlight, iter_cells

MIN_SCREEN_SIZE = (60, 20)                  # columns and lines
TWO_COLUMN_MIN_WIDTH = 100                           # a narrower screen has one column
RIGHT_COLUMN_MIN_WIDTH = 40                           # the right side has two fifths of the screen, or this
MIN_QUESTION_LINES = 4                            # also the size from which an answer fills the transcript pane
MIN_STORY_LINES = 3                           # transcript lines below a table
HANGING_INDENT = 2                          # extra indent of the later lines of a paragraph
MIN_NEWS_LINES = 5                             # transcript lines with title, if something has happened
MIN_NUMBERED_LINES = 7                        # lines with title of a question whose options are on the table, before summaries
MAX_GIVEN_UP_LINES = 3                        # lines of parts that do not fit anyway, given up to keep panes in place
MAX_DETAIL_LINES = 8                           # lines with title about the cursor's cell, below a table
FRAME_HINT_MARGIN = 7                         # columns of a rule that its title and hint leave free
TABLE_PARTS = {"boards", "panels", "table", "tight"}
FITTED_PARTS = ("boards", "panels", "question", "numbered")                  # drawn to fit into the lines of their pane
Lines = list[list[Segment]]
PartRenderer = Callable[[int, int], Lines]                                # for this many columns and lines


@dataclass
class ScreenContent:
    """The content of the screen at a question. Each part is drawn once for each size.

    `needed` are the panels without boards that the question needs. `tight` is everything that it needs, in as few lines as
    possible, with summaries of other panels if a number of lines is given. Drawing it sets `unseen`: how to see the panels that have
    no room. `numbered` is the question for a table that shows the number of each option."""

    top: PartRenderer
    boards: PartRenderer
    panels: PartRenderer
    question: PartRenderer
    drawable: Callable[[int], bool] = lambda columns: True         # whether boards can be drawn, not only described
    needed: PartRenderer = lambda columns, lines: []
    tight: PartRenderer = lambda columns, lines: []
    numbered: PartRenderer = lambda columns, lines: []
    unseen: str = ""
    made: dict[tuple[str, int, int], Lines] = field(default_factory=dict)
    rooms: dict[int, bool] = field(default_factory=dict)

    def render_part(self, part: str, columns: int, lines: int) -> Lines:
        """Returns the lines of a part, from the cache if it was drawn at this size before."""
        if (part, columns, lines) not in self.made:
            self.made[part, columns, lines] = getattr(self, part)(columns, lines)
        return self.made[part, columns, lines]

    def can_draw_boards(self, columns: int) -> bool:
        """Whether the boards can be drawn in this many columns."""
        if columns not in self.rooms:
            self.rooms[columns] = self.drawable(columns)
        return self.rooms[columns]


@dataclass(frozen=True)
class PaneArea:
    """The rectangle of a part on the screen."""

    part: str
    x: int
    y: int
    wide: int
    high: int

    def contains(self, x: int, y: int) -> bool:
        return self.x <= x < self.x + self.wide and self.y <= y < self.y + self.high


class PaneSizes(NamedTuple):
    """The lines of the status line, of the question, and of the pane with panels (0 without one)."""

    top: int
    question: int
    panels: int = 0


MethodParams = ParamSpec("MethodParams")
MethodResult = TypeVar("MethodResult")


def with_lock(
    method: Callable[Concatenate[PaneLayout, MethodParams], MethodResult],
) -> Callable[Concatenate[PaneLayout, MethodParams], MethodResult]:
    """Runs a method under the lock of the layout: the game changes it while the screen is drawn in another thread."""

    @wraps(method)
    def run_locked(panes: PaneLayout, /, *given: MethodParams.args, **named: MethodParams.kwargs) -> MethodResult:
        with panes.lock:
            return method(panes, *given, **named)

    return run_locked


class PaneLayout:
    """The panes of the screen, their content, and how far each is scrolled. A drawing shows a consistent state."""

    def __init__(self, utf: bool, titles: dict[str, str]) -> None:
        self.lock = RLock()
        self.utf, self.titles = utf, titles
        self.separator = " · " if utf else " | "                   # between the commands of the toolbar
        self.content: ScreenContent | None = None
        self.story: list[str] = []
        self.asked = 0                                             # transcript length at the last question or input
        self.news: int | None = None                               # transcript length before the latest news
        self.first: dict[str, int] = {}                            # by part, the first visible line after scrolling
        self.chosen = "story"                                      # the pane that keys scroll
        self.areas: list[PaneArea] = []
        self.kept: dict[tuple[int, int], PaneSizes] = {}           # sizes on the previous drawing, by columns and lines of the screen
        self.tight_lines = 0                                       # lines that a crowded table may take
        self.cut = False                                           # whether a pane is not fully visible
        self.cursor: CursorCell | None = None
        self.details: list[str] = []                               # about the cursor's cell, shown in place of the transcript
        self.console = Console(width=1000, legacy_windows=False, _environ={})
        self.wrapped_story: dict[tuple[int, int], Lines] = {}               # wrapped transcript, by length and width

    # ------------------------------------------------------------ events

    @with_lock
    def set_question(self, content: ScreenContent, last: bool = False) -> None:
        """Shows a new question.

        The transcript is shown at its end. With `last`, it gets no room for the events since the previous question."""
        if last:
            self.news = None
        elif len(self.story) > self.asked or self.content is None:
            self.news = self.asked
        self.content, self.asked = content, len(self.story)
        self.first.clear()
        self.set_cursor(None, [])

    @with_lock
    def replace_question(self, question: PartRenderer) -> None:
        """Shows the same question in another form."""
        if self.content is not None:
            made = {key: lines for key, lines in self.content.made.items() if key[0] not in ("question", "numbered")}
            self.content = replace(self.content, question=question, numbered=question, made=made)
            self.first.pop("question", None)
            self.first.pop("numbered", None)
            self.set_cursor(None, [])

    @with_lock
    def set_cursor(self, cell: CursorCell | None, details: list[str]) -> None:
        """Puts the cursor on a cell, with its details in place of the transcript. None removes it."""
        self.cursor, self.details = cell, [sanitize(text) for text in details]
        self.first.pop("details", None)

    @with_lock
    def find_cursor(self, columns: int, height: int, dx: int, dy: int) -> CursorCell | None:
        """Returns the cell that the cursor reaches with one step in a direction. Panes scroll if that is needed.

        The first step goes to the first option of the question."""
        cells, area = self.list_cells(columns, height), None
        former = self.cursor
        at = min((cell for cell in cells if former is not None and cell.line == former.line),
                 key=lambda cell: former.distance(cell) if former is not None else 0, default=None)
        if at is None:
            asked = next((area for area in self.areas if area.part in ("question", "numbered")), None)
            return next((cell for cell in cells if asked is not None and cell.y > asked.y), next(iter(cells), None))
        area = next((area for area in self.areas if area.contains(at.x, at.y)), None)
        own = [cell for cell in cells if area is not None and area.contains(cell.x, cell.y)]
        found = find_next_cell(own, at, dx, dy)
        while found is None and dy and area is not None and self.scroll_by_one(area, dy):
            at = replace(at, y=at.y - dy)
            own = [cell for cell in self.list_cells(columns, height) if area.contains(cell.x, cell.y)]
            found = find_next_cell(own, at, dx, dy)
        return found or find_next_cell(self.list_cells(columns, height), at, dx, dy) or at

    def list_cells(self, columns: int, height: int) -> list[CursorCell]:
        """Returns the cells of the screen as it would be drawn now."""
        return list(iter_cells(self.draw_panes(columns, height)))

    def scroll_by_one(self, area: PaneArea, dy: int) -> bool:
        """Scrolls a pane by one line. Returns whether it moved."""
        before = self.pane_lines(area)[1]
        self.scroll(area.part, dy)
        return self.pane_lines(area)[1] != before

    @with_lock
    def append_line(self, text: str) -> None:
        """Appends a line to the transcript."""
        self.story.append(sanitize(text))
        self.first.pop("story", None)

    @with_lock
    def note_input(self) -> None:
        """Notes that a line was typed: later transcript lines are the answer to it."""
        self.asked = len(self.story)
        self.first.pop("story", None)
        self.set_cursor(None, [])

    @with_lock
    def clear_panes(self) -> None:
        """Clears the content and the transcript."""
        self.content, self.asked, self.news = None, 0, None
        self.story.clear()
        self.wrapped_story.clear()
        self.first.clear()
        self.set_cursor(None, [])

    @with_lock
    def scroll(self, part: str, by: int) -> None:
        """Scrolls a pane by a number of lines, down if positive."""
        area = next((area for area in self.areas if area.part == part), None)
        if area is not None:
            lines, first = self.pane_lines(area)
            self.first[self.shown_part(part)] = max(0, min(first + by, len(lines) - area.high + 1))

    def shown_part(self, part: str) -> str:
        """Returns what a pane shows now: the transcript may give way to details."""
        return "details" if part == "story" and self.details else part

    @with_lock
    def story_width(self, columns: int) -> int:
        """Returns the width for new lines of the transcript on a screen with this many columns."""
        is_whole = self.content is not None and any(area.part == "story" and area.wide == columns for area in self.areas)
        return columns if is_whole else self.right_width(columns)

    def right_width(self, columns: int) -> int:
        """Returns the width of the right side of a screen with this many columns, which has the transcript.

        It has the whole width on a narrow screen, or if boards can be drawn only in the whole width. Before the
        first
        question the boards are unknown. Then the width of the right side is used, which is readable in both cases."""
        right = max(RIGHT_COLUMN_MIN_WIDTH, columns * 2 // 5)
        if columns < TWO_COLUMN_MIN_WIDTH:
            return columns
        if self.content is None:
            return right
        return columns if not self.content.can_draw_boards(columns - right - 1) and self.content.can_draw_boards(columns) else right

    @with_lock
    def select_next_pane(self) -> None:
        """Makes the next pane the one that keys scroll."""
        parts = [area.part for area in self.areas]
        self.chosen = parts[(parts.index(self.chosen) + 1) % len(parts)] if self.chosen in parts else parts[0]

    # ------------------------------------------------------------ layout

    @with_lock
    def render_lines(self, columns: int, height: int) -> Lines:
        """Returns the whole screen except for the input line and the toolbar."""
        rows = self.draw_panes(columns, height)
        return highlight(rows, self.cursor.line) if self.cursor is not None else rows

    def draw_panes(self, columns: int, height: int) -> Lines:
        """Returns the screen without the cursor."""
        self.cut = False
        if self.content is None:
            self.areas = [PaneArea("story", 0, 0, columns, height)]
            return self.draw_frame(self.areas[0])
        top = self.content.render_part("top", columns, 1)[:2]
        room = height - len(top)
        asked = min(len(self.content.render_part("question", columns, 0)) + 1, max(MIN_QUESTION_LINES, room * 2 // 5))
        shown = self.content.render_part("question", columns, asked - 1)[:asked - 1]
        used = count_used_lines(shown)                             # a shorter pane may not show less
        asked = used + 1 if self.content.render_part("question", columns, used)[:used] == shown[:used] else asked
        self.areas = self.place_all(columns, height, PaneSizes(len(top), asked))
        if len(self.areas) > 2 and columns >= TWO_COLUMN_MIN_WIDTH and self.lacks_needed_panels():
            self.areas = self.place_tight_table(columns, room, asked, len(top)) or self.areas
        top = top + [[]] * (self.keep_places(columns, height, PaneSizes(len(top), asked)) - len(top))
        out = [fit_line(line, columns) for line in top]
        rows: dict[int, list[tuple[int, list[Segment]]]] = {}
        for area in self.areas:
            for n, line in enumerate(self.draw_frame(area)):
                rows.setdefault(area.y + n, []).append((area.x, line))
        for y in range(len(top), height):
            line = []
            for k, (_, part) in enumerate(sorted(rows[y], key=lambda one: one[0])):
                line += [Segment("│" if self.utf else "|", Style(dim=True))] * bool(k) + part
            out.append(line)
        return out

    def place_all(self, columns: int, height: int, sizes: PaneSizes) -> list[PaneArea]:
        """Places all panes of a screen. The panels get at least the lines of `sizes`, if they have a pane of their own."""
        table = self.place_panes(columns, height - sizes.top - sizes.question, sizes.top, sizes.panels)
        return [*table, PaneArea("question", 0, height - sizes.question, columns, sizes.question)]

    def keep_places(self, columns: int, height: int, fresh: PaneSizes) -> int:
        """Lets panes stay where they were at the previous question, as long as each shows as much as in its new place.

        Returns the number of lines for the status line."""
        parts = [area.part for area in self.areas]
        former, sizes = self.kept.get((columns, height)), fresh
        if "tight" in parts:
            return fresh.top
        if former is not None:
            larger = PaneSizes(*map(max, fresh, former))
            areas = self.place_all(columns, height, larger)
            if [area.part for area in areas] == parts and all(map(self.shows_as_much, areas, self.areas)):
                self.areas, sizes = areas, larger
        panels = next((area.high for area in self.areas if area.part == "panels"), 0)
        self.kept = {(columns, height): sizes._replace(panels=panels)}
        return sizes.top

    def shows_as_much(self, area: PaneArea, other: PaneArea) -> bool:
        """Whether a part has as many lines in an area as in another one. If it is cut in both, it may have a few lines less,
        or half if it is beside a board.

        The transcript needs only the lines since the previous question."""
        if area.part == "story":
            news = len(self.wrap_story(area.wide)) - self.count_lines_before_news(area.wide)
            return area.high >= (other.high if self.news is None else min(other.high, max(MIN_NEWS_LINES, news + 1)))
        here, there = (len(self.pane_lines(one)[0]) for one in (area, other))
        beside = area.part == "panels" and any(one.part == "boards" for one in self.areas)
        few = 0 if there <= other.high - 1 else other.high // 2 if beside else MAX_GIVEN_UP_LINES
        return min(here, area.high - 1) >= min(there, other.high - 1) - few

    def place_panes(self, columns: int, height: int, y: int, fewest_panel_lines: int = 0) -> list[PaneArea]:
        """Places boards, panels, and transcript between the status line and the question.

        The answer to a command such as `help` gets all the room that it needs."""
        assert self.content is not None
        right = self.right_width(columns) % columns                # 0 in a one-column layout
        left = columns - right - bool(right)
        boards = bool(self.content.render_part("boards", left, height - 1))
        answer = len(self.wrap_story(right or columns)) - self.count_lines_before_input(right or columns)
        about = min(MAX_DETAIL_LINES, 1 + len(self.wrap_texts(self.details, columns))) if self.details else 0
        answer = 0 if about else answer
        if not right:
            news = 1 + len(self.wrap_story(columns)) - self.count_lines_before_news(columns)
            fewest = max(MIN_STORY_LINES, about, min(MIN_NEWS_LINES, news))
            story = (
                height if answer >= MIN_QUESTION_LINES else min(height // 2, max(fewest, height - 2 - len(self.table_lines(left, height))))
            )
            above = [PaneArea("table", 0, y, left, height - story)] if story < height else []
            return [*above, PaneArea("story", 0, y + height - story, columns, story)]
        if not boards:
            return [PaneArea("panels", 0, y, left, height), PaneArea("story", left + 1, y, right, height)]
        panels = min(max(fewest_panel_lines, len(self.content.render_part("panels", right, 0)) + 1), height * 3 // 5)
        panels = panels if answer < height - panels else 0
        above = [PaneArea("panels", left + 1, y, right, panels)] if panels > 1 else []
        story = height - panels if above else height
        return [PaneArea("boards", 0, y, left, height), *above, PaneArea("story", left + 1, y + height - story, right, story)]

    def lacks_needed_panels(self) -> bool:
        """Whether the pane with the panels is too low for those that the question needs."""
        assert self.content is not None
        panels = [area for area in self.areas if area.part == "panels"]
        return not panels or any(len(self.content.render_part("needed", area.wide, 0)) > area.high - 1 for area in panels)

    def place_tight_table(self, columns: int, height: int, question: int, y: int) -> list[PaneArea]:
        """Places everything that the question needs above the transcript, in the whole width. Empty if that does not fit.

        A long answer to a command takes the place of the table, above a question of `question` lines. It keeps the whole width,
        for which its lines were wrapped."""
        assert self.content is not None
        table = len(self.content.render_part("tight", columns, 0)) + 1
        part = "numbered" if self.content.render_part("numbered", columns, 0) else "question"
        news = 1 + len(self.wrap_story(columns)) - self.count_lines_before_news(columns)
        fewest = max(MIN_STORY_LINES, min(MIN_NEWS_LINES - 1, news))
        fewest = fewest if height - table - fewest >= MIN_QUESTION_LINES else MIN_STORY_LINES
        most = height - table - fewest
        answer = len(self.wrap_story(columns)) - self.count_lines_before_input(columns)
        if table == 1 or most < MIN_QUESTION_LINES:
            return []
        if answer >= MIN_QUESTION_LINES:
            return [PaneArea("story", 0, y, columns, height - question), PaneArea("question", 0, y + height - question, columns, question)]
        asked = min(most, max(MIN_QUESTION_LINES, height * 2 // 5), len(self.content.render_part(part, columns, 0)) + 1)
        asked = min(asked, 1 + count_used_lines(self.content.render_part(part, columns, asked - 1)[:asked - 1]))
        whole = height - fewest - min(asked, MIN_NUMBERED_LINES)
        table = len(self.content.render_part("tight", columns, whole - 1)) + 1
        self.tight_lines = whole - 1
        asked = min(asked, height - table - fewest)
        story = height - table - asked
        return [PaneArea("tight", 0, y, columns, table), PaneArea("story", 0, y + table, columns, story),
                PaneArea(part, 0, y + table + story, columns, asked)]

    def table_lines(self, columns: int, height: int) -> Lines:
        """Returns the boards followed by the panels."""
        assert self.content is not None
        boards = self.content.render_part("boards", columns, height)
        return boards + self.content.render_part("panels", columns, max(1, height - len(boards)))

    def pane_lines(self, area: PaneArea) -> tuple[Lines, int]:
        """Returns all lines of a part, and the index of the first visible one."""
        if area.part == "story" and self.details:
            return self.wrap_texts(self.details, area.wide), self.first.get("details", 0)
        if area.part == "story":
            lines = self.wrap_story(area.wide)
            # answers from their beginning, events up to the newest
            before = self.count_lines_before_input(area.wide)
            is_answer = self.content is not None and len(lines) > before
            first = max(0, min(len(lines) - area.high + 1, before) if is_answer else len(lines) - area.high + 1)
        else:
            assert self.content is not None
            lines = (
                self.table_lines(area.wide, area.high - 1)
                if area.part == "table"
                else self.content.render_part(area.part, area.wide, self.lines_to_fit(area))
            )
            first = 0
        return lines, self.first.get(area.part, first)

    def lines_to_fit(self, area: PaneArea) -> int:
        """Returns the number of lines into which a part is drawn, or 0 if it is drawn as a whole."""
        return area.high - 1 if area.part in FITTED_PARTS else self.tight_lines if area.part == "tight" else 0

    def draw_frame(self, area: PaneArea) -> Lines:
        """Returns a pane below a rule with its title; arrows show that there is more above or below."""
        lines, first = self.pane_lines(area)
        shown = lines[first : first + area.high - 1]
        up, down = ("▲", "▼") if self.utf else ("^", "v")
        more = " ".join(filter(None, [up * (first > 0), down * (first + len(shown) < len(lines))]))
        self.cut = self.cut or bool(more)
        flat = "─" if self.utf else "-"
        name = self.titles.get(self.shown_part(area.part))
        title = f" {name} " if name else ""
        here = Style(bold=True) if area.part == self.chosen else Style(dim=True)
        hint = self.frame_hint(area)
        hint = hint if cell_len(f"{title}{hint}{more}") + FRAME_HINT_MARGIN <= area.wide else ""
        end = f" {' '.join(filter(None, [hint, more]))} " if hint or more else ""
        rule = [Segment(flat * 2, Style(dim=True)), Segment(title, here),
                Segment(flat * max(0, area.wide - 2 - cell_len(title) - cell_len(end)), Style(dim=True)), Segment(end, Style(bold=True))]
        out = [fit_line(line, area.wide) for line in [rule, *shown]]
        return out + [[Segment(" " * area.wide)] for _ in range(area.high - len(out))]

    def frame_hint(self, area: PaneArea) -> str:
        """Returns the hint at the end of a pane's rule: panels that do not fit, or the way back to a table that an answer covers."""
        if self.content is None:
            return ""
        if area.part == "tight":
            return self.content.unseen
        covered = area.part == "story" and not {one.part for one in self.areas} & TABLE_PARTS
        return self.titles.get("return", "") if covered else ""

    # ------------------------------------------------------------ transcript

    def wrap_story(self, columns: int) -> Lines:
        """Returns the transcript wrapped to this width."""
        return self.wrap_story_start(len(self.story), columns)

    def count_lines_before_input(self, columns: int) -> int:
        """Returns how many wrapped lines the transcript had at the last question or input."""
        return len(self.wrap_story_start(self.asked, columns))

    def count_lines_before_news(self, columns: int) -> int:
        """Returns how many wrapped lines precede the events since the previous question."""
        return len(self.wrap_story(columns)) if self.news is None else len(self.wrap_story_start(self.news, columns))

    def wrap_story_start(self, count: int, columns: int) -> Lines:
        """Returns the first `count` transcript lines, wrapped. The result is cached, because every drawing needs it."""
        if (count, columns) not in self.wrapped_story:
            used = (self.asked, self.news, len(self.story))
            self.wrapped_story = {known: lines for known, lines in self.wrapped_story.items() if known[0] in used and known[1] == columns}
            self.wrapped_story[count, columns] = self.wrap_texts(self.story[:count], columns)
        return self.wrapped_story[count, columns]

    def wrap_texts(self, texts: Sequence[str], columns: int) -> Lines:
        out = [list(line.render(self.console, end="")) for text in texts for line in self.wrap_line(text, columns)]
        while out and not any(part.text.strip() for part in out[-1]):
            out.pop()
        return out

    def wrap_line(self, text: str, columns: int) -> list[Text]:
        """Wraps a transcript line; lines after the first have a hanging indent. All its lines are equally wide without it."""
        out: list[Text] = []
        for part in Text.from_ansi(text).split(allow_blank=True):
            lines = [part] if part.cell_len <= columns else wrap_styled(part, columns - HANGING_INDENT)
            for line in lines[1:]:
                line.pad_left(HANGING_INDENT)
            out += lines
        return out


def count_used_lines(lines: Lines) -> int:
    """Returns the number of lines without the empty ones at the end."""
    return max((n for n, line in enumerate(lines, 1) if any(part.text.strip() for part in line)), default=0)


def bold_lines(texts: Iterable[str]) -> Lines:
    """Returns each text as a bold line."""
    return [[Segment(text, Style(bold=True))] for text in texts]


def fit_line(line: list[Segment], columns: int) -> list[Segment]:
    """Returns a line cut or padded to this many columns."""
    return Segment.adjust_line_length([part for part in line if not part.control], columns)
