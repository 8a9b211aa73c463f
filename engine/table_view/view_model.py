"""The view model of a table: panels of lines and cells, laid out but not rendered.

Each part says what it stands for, so that a renderer (plain text, terminal, SVG) can use words, codes,
shapes, or colours."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from ...dsl.diagnostics.sanitize import sanitize
from ...dsl.types.boards import format_square_name

DIE_FACES = "⚀⚁⚂⚃⚄⚅"
MARK_SIGN = "*"                                                         # of a truth value
OWNER_SHAPE = "▪"                                                       # on an empty cell, in the colour of its owner
FREE_CODE = "-"                                                         # code of an empty place


@dataclass(frozen=True)
class StyledText:
    """A few words with a meaning.

    style    the member that they stand for (`Guest.baron`), or title, dim, or strong
    short    a code of a few letters for the same thing
    shape    one character for the same thing
    amount   the number of these things
    changed  whether it labels something that changed
    face     the signs on it, if it is a card
    signed   whether a table shows its sign and its amount instead of words"""

    text: str
    style: str = ""
    short: str = ""
    shape: str = ""
    amount: int | None = None
    changed: bool = False
    face: str = ""
    signed: bool = False

    @property
    def is_free(self) -> bool:
        """Whether it marks an empty place (see `FREE_CODE`)."""
        return self.short == FREE_CODE and self.style == "dim"

    @property
    def is_mark(self) -> bool:
        """Whether it only says that something is true."""
        return self.short == MARK_SIGN and self.style == "strong"

    @property
    def count_suffix(self) -> str:
        """The amount as a suffix of a sign. Empty for one."""
        return str(self.amount) if self.amount is not None and self.amount > 1 else ""

    @property
    def sign_with_amount(self) -> str:
        """The sign with its amount, such as `≈3`."""
        return sanitize(f"{self.shape or self.short or self.text}{self.amount or 1}")

    @property
    def words(self) -> str:
        """The part in words: `baron 2`, `Player 3 (2)`. A single thing is just its name."""
        return sanitize(self.text) if self.amount == 1 and self.text else self.words_with_amount

    @property
    def words_with_amount(self) -> str:
        """The part in words, with its amount even if it is one."""
        if self.amount is None:
            return sanitize(self.text)
        return sanitize(f"{self.text} ({self.amount})" if self.text[-1:].isdigit() else f"{self.text} {self.amount}".strip())


Line = list[StyledText]


@dataclass
class GridPanel:
    """A table of rows and columns. Each cell is a line.

    bands     headings inside the table, by the row below them
    columns   key of each column after the first, independent of language
    listed    whether rows are entries of a list that come and go
    own       index of the row below the heading of the viewing seat, or -1
    note      a line below the table
    left_out  returns the note about left-out rows, given their names
    mats      whether each row is drawn as a card-like box (mats.py)
    stacked   keys of the columns whose things are below each other in a mat
    key       identifies the panel across positions
    members   the thing of each row, as (type, index), if known"""

    title: str
    heads: list[str]
    rows: list[list[Line]]
    bands: dict[int, Line] = field(default_factory=dict)
    columns: list[str] = field(default_factory=list)
    listed: bool = False
    own: int = -1
    note: str = ""
    left_out: Callable[[str], str] | None = field(default=None, compare=False)
    mats: bool = False
    stacked: frozenset[str] = frozenset()
    key: str = ""                                                   # identifies the panel across positions
    questions: tuple[str, ...] = ()                                 # the questions that need it first
    summary: tuple[str, ...] = ()                                   # the questions that need at least a line of it
    members: list[tuple[str, int]] = field(default_factory=list, compare=False)


@dataclass
class ListItem:
    """One entry of a list: its name and its contents.

    members  the thing of each line, as (type, index), if known
    target   number of the option that chooses a place with a stack (option_markers.mark_targets)"""

    head: Line
    body: list[Line]
    members: list[tuple[str, int]] = field(default_factory=list)
    target: str = ""


@dataclass
class StackLayout:
    """The contents of a panel of stacks that are not in its rows.

    middle  indices of the places in the middle of the rows
    off     the number of things of each player that have left, as amounts"""

    middle: list[int] = field(default_factory=list)
    off: Line = field(default_factory=list)


@dataclass
class ListPanel:
    """A list of entries. `flow` is its layout:

    texts   a name and a text for each entry
    items   short entries side by side
    steps   an order
    lists   a heading with parts, line by line
    things  an owner with things, each with its values
    packed  like `things`, but as a paragraph
    states  like `items`, for the default table
    stacks  places in order, each with a stack of things (`stacks`)
    dice    numbers as dice"""

    title: str
    entries: list[ListItem]
    flow: str = "items"
    legend: Legend = field(default_factory=dict)
    key: str = ""
    questions: tuple[str, ...] = ()
    summary: tuple[str, ...] = ()                                   # as in GridPanel
    whole: Legend = field(default_factory=dict)                     # full legend, in case no other panel explains the rest
    stacks: StackLayout = field(default_factory=StackLayout)


@dataclass
class BoardCell:
    """A cell of a board.

    here     by caption, its contents
    marks    by caption, other values of it
    changed  set by panel_diff.mark_changes
    target   number of the option that chooses it (option_markers.mark_targets)
    parts    the contents of its corners and edges, by suffix (board_parts.py)
    aimed    the option numbers of its corners and edges, by suffix
    star     whether a dot marks it on a board of lines
    owner    the member that an empty cell belongs to, marked by a small sign"""

    label: str
    at: tuple[int, int]
    ground: StyledText | None = None
    contents: list[tuple[str, Line]] = field(default_factory=list)
    marks: list[tuple[str, Line]] = field(default_factory=list)
    parts: dict[str, StyledText] = field(default_factory=dict)
    changed: bool = False
    target: str = ""
    aimed: dict[str, str] = field(default_factory=dict)
    star: bool = False
    owner: StyledText | None = None

    @property
    def owner_code(self) -> str:
        """The code of the owner of an empty cell. "" if there is none."""
        return self.owner.short if self.owner is not None and not self.pieces else ""

    @property
    def pieces(self) -> Line:
        """All parts that lie on the cell."""
        return [span for _, line in self.contents for span in line]

    @property
    def signs(self) -> Line:
        """All other values of the cell."""
        return [span for _, line in self.marks for span in line]

    def with_caption(self, span: StyledText) -> StyledText:
        """Returns a part of this cell that can be read on its own. A bare number gets its caption."""
        caption = next((caption for caption, line in [*self.contents, *self.marks] if span in line), "")
        return span if span.text else replace(span, text=caption)


TARGET_STYLE = "target"                                             # of an option number in a list
OPTION_NUMBER = StyledText("", "strong")                                            # style of an option number on a board
Legend = dict[str, dict[str, StyledText]]                                 # caption → code → meaning


@dataclass
class BoardPanel:
    """A board with its cells, the contents of its corners and edges, and its legend.

    surface   how a square board looks: grid, checkered, lines, or pits
    has_parts whether things can lie on corners or edges
    gapless   whether empty hexagons are drawn too, because things lie between them
    numbered  whether cells show the numbers of options (option_markers.mark_targets)
    stores    things beside a square board, as (owner, content), the one on the left first"""

    title: str
    shape: str                                                      # square, hex or graph
    flat: bool
    spots: list[BoardCell]
    # caption, then (label of the corner or edge, thing)
    parts: list[tuple[str, list[tuple[str, StyledText]]]] = field(default_factory=list)
    legend: Legend = field(default_factory=dict)
    key: str = ""
    questions: tuple[str, ...] = ()
    summary: tuple[str, ...] = ()
    joins: list[tuple[tuple[int, int], tuple[int, int]]] = field(default_factory=list)   # graphs: pairs of connected points
    whole: Legend = field(default_factory=dict)                     # full legend, as in ListPanel
    surface: str = "grid"
    has_parts: bool = False
    gapless: bool = False
    numbered: bool = True
    stores: list[tuple[StyledText, Line]] = field(default_factory=list)

    @property
    def content(self) -> object:
        """The contents of the board without marks for questions and changes, for comparison."""
        return [
            (
                spot.label,
                spot.ground and spot.ground.words,
                [(caption, join_words(line)) for caption, line in [*spot.contents, *spot.marks]],
                {suffix: span.words for suffix, span in spot.parts.items()},
                spot.owner_code,
            )
            for spot in self.spots
            if spot.ground or spot.contents or spot.marks or spot.owner
        ] + [join_words(line) for _, line in self.stores]

    @property
    def has_square_labels(self) -> bool:
        """Whether the label of each cell is its column and row, as on a chess board."""
        return all(spot.label == format_square_name(*spot.at) for spot in self.spots)

    @property
    def has_rim_labels(self) -> bool:
        """Whether the labels of cells are drawn as letters and numbers at the rim."""
        return self.shape == "square" and self.has_square_labels

    @property
    def is_simple(self) -> bool:
        """Whether one code for each cell shows everything."""
        return not self.has_parts and all(
            spot.ground is None and not spot.marks and len(spot.pieces) <= 1 and all(s.amount is None for s in spot.pieces)
            for spot in self.spots)


Panel = GridPanel | ListPanel | BoardPanel


def join_words(spans: Iterable[StyledText], between: str = ", ") -> str:
    """Returns the parts of a line in words."""
    return between.join(span.words for span in spans)
