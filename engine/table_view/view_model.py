"""A table laid out but not yet drawn: panels of lines and cells whose parts say what they are, so that each way of drawing (plain text, a
terminal, SVG) may use words, letters, shapes or colours for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from ...dsl.diagnostics.sanitize import sanitize
from ...dsl.types.boards import format_square_name

FREE_CODE = "-"                                                         # the letter of a place where nothing stands


@dataclass(frozen=True)
class StyledText:
    """A few words. `style`: the member it stands for (`Guest.baron`), or one of title, dim, strong. `short` and `shape`: a few letters
    and one sign that stand for the same thing; `amount` how many of it; `changed`: the label of something that changed."""

    text: str
    style: str = ""
    short: str = ""
    shape: str = ""
    amount: int | None = None
    changed: bool = False

    @property
    def is_free(self) -> bool:
        """Whether it stands where nothing stands (see FREE)."""
        return self.short == FREE_CODE and self.style == "dim"

    @property
    def count_suffix(self) -> str:
        """The number behind a sign: nothing for one."""
        return str(self.amount) if self.amount is not None and self.amount > 1 else ""

    @property
    def words(self) -> str:
        """In words: `baron 2`, `Player 3 (2)`; one of a thing is just its name."""
        return sanitize(self.text) if self.amount == 1 and self.text else self.words_with_amount

    @property
    def words_with_amount(self) -> str:
        """The same with the number of one, too."""
        if self.amount is None:
            return sanitize(self.text)
        return sanitize(f"{self.text} ({self.amount})" if self.text[-1:].isdigit() else f"{self.text} {self.amount}".strip())


Line = list[StyledText]


@dataclass
class GridPanel:
    """Rows and columns. An entry of a cell is a Line. `bands`: headings inside the table, by the row they stand above; `own`: the row
    above which that of the one who looks stands, -1 where there is none. `columns`: what each column after the first is, whatever it is
    called; `listed`: whether the rows are those of a list, so that they come and go. `note`: a line below them; `left_out`: what this
    says when some rows are left out, of the words that tell which."""

    title: str
    heads: list[str]
    rows: list[list[Line]]
    bands: dict[int, Line] = field(default_factory=dict)
    columns: list[str] = field(default_factory=list)
    listed: bool = False
    own: int = -1
    note: str = ""
    left_out: Callable[[str], str] | None = field(default=None, compare=False)
    key: str = ""                                                   # of every panel: the same one in another position;
    questions: tuple[str, ...] = ()                                 # and the procedures whose questions need it first


@dataclass
class ListItem:
    """One thing with its name and what is said of it."""

    head: Line
    body: list[Line]


@dataclass
class ListPanel:
    """Things one after the other. `flow`: `texts` (a name and a text each), `items` (short, side by side), `steps` (an order), `lists`
    (a heading and parts, line by line), `things` (an owner and things, each with what is said of it)."""

    title: str
    entries: list[ListItem]
    flow: str = "items"
    legend: Legend = field(default_factory=dict)
    key: str = ""
    questions: tuple[str, ...] = ()
    whole: Legend = field(default_factory=dict)                     # the legend where no other panel explains the rest


@dataclass
class BoardCell:
    """A cell of a board. `here`: by caption, what lies on it; `marks`: by caption, what else is true of it. `changed`: see changes.mark;
    `target` and, by the tag of the corner, `aimed`: see targets.aim."""

    label: str
    at: tuple[int, int]
    ground: StyledText | None = None
    here: list[tuple[str, Line]] = field(default_factory=list)
    marks: list[tuple[str, Line]] = field(default_factory=list)
    corners: dict[str, StyledText] = field(default_factory=dict)          # by the tag of the corner
    changed: bool = False
    target: str = ""
    aimed: dict[str, str] = field(default_factory=dict)

    @property
    def pieces(self) -> Line:
        return [span for _, line in self.here for span in line]

    @property
    def signs(self) -> Line:
        return [span for _, line in self.marks for span in line]

    def with_caption(self, span: StyledText) -> StyledText:
        """A part of what lies here in words that can stand alone: a mere number with its caption."""
        caption = next((caption for caption, line in [*self.here, *self.marks] if span in line), "")
        return span if span.text else replace(span, text=caption)


OPTION_NUMBER = StyledText("", "strong")                                            # how the number of an option is written on a map
Legend = dict[str, dict[str, StyledText]]                                 # caption -> letters -> what they stand for


@dataclass
class BoardPanel:
    """A board."""

    title: str
    shape: str                                                      # square, hex or graph
    flat: bool
    spots: list[BoardCell]
    ground_caption: str = ""
    # by caption: the corner's label and what is there
    corners: list[tuple[str, list[tuple[str, StyledText]]]] = field(default_factory=list)
    legend: Legend = field(default_factory=dict)
    key: str = ""
    questions: tuple[str, ...] = ()
    joins: list[tuple[tuple[int, int], tuple[int, int]]] = field(default_factory=list)   # of a graph: between which places lines run
    whole: Legend = field(default_factory=dict)                     # as of entries

    @property
    def content(self) -> object:
        """What the board holds, whatever is marked in it."""
        return [
            (
                spot.label,
                spot.ground and spot.ground.words,
                [(caption, join_words(line)) for caption, line in [*spot.here, *spot.marks]],
                {tag: span.words for tag, span in spot.corners.items()},
            )
            for spot in self.spots
            if spot.ground or spot.here or spot.marks
        ]

    @property
    def has_square_labels(self) -> bool:
        """Whether the label of each cell says its column and row, as on a chess board."""
        return all(spot.label == format_square_name(*spot.at) for spot in self.spots)

    @property
    def is_simple(self) -> bool:
        """Whether one letter for each cell says all."""
        return not self.corners and all(
            spot.ground is None and not spot.marks and len(spot.pieces) <= 1 and all(s.amount is None for s in spot.pieces)
            for spot in self.spots)


Panel = GridPanel | ListPanel | BoardPanel


def join_words(spans: Iterable[StyledText], between: str = ", ") -> str:
    """Spans in words."""
    return between.join(span.words for span in spans)
