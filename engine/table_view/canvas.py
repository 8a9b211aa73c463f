"""Terminal styles for the parts of a table, and a canvas of single characters."""

from __future__ import annotations

from dataclasses import replace

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from ...dsl.diagnostics.sanitize import sanitize
from .colours import MIN_SIGN_CONTRAST, blend, contrast, ensure_contrast, readable_on_any_ground
from .palette import BLACK, GROUND_COLOUR_SHARE, STANDARD_COLOURS, WHITE, TerminalPalette
from .surface import CARD_PAPER, CHANGED_CARD, ink_on_surface, nearest_ink
from .theme import Theme
from .view_model import OWNER_SHAPE, TARGET_STYLE, StyledText

INK_ON_COLOUR = "#f0f0f0"                                                    # text on a coloured ground
PLAIN_STYLE = Style()
CHANGE_MARK = "!"                                                      # after changed labels, on terminals without colours


class StyleResolver:
    """Maps parts of a line to text and rich styles, for what a terminal can show.

    `utf`: whether shapes and lines may use Unicode. `pointed`: whether a click works. The meta data of a style then
    hold the thing to look at (`look`), or the `answer` that a click on a place gives."""

    def __init__(
        self, theme: Theme, utf: bool, coloured: bool = True, pointed: bool = False, palette: TerminalPalette | None = None
    ) -> None:
        """`palette`: the colours of a terminal with 16 or 256 colours."""
        self.theme, self.utf, self.coloured, self.pointed, self.palette = theme, utf, coloured, pointed, palette
        self.styles: dict[tuple[str, bool, str | None, bool], Style] = {}

    @property
    def has_surfaces(self) -> bool:
        """Whether boards are drawn on coloured surfaces. Sixteen colours are too few for that."""
        return self.coloured and (self.palette is None or len(self.palette.colours) > len(STANDARD_COLOURS))

    def change_mark(self, changed: bool) -> str:
        """Returns the mark after the label of something that changed. Empty on terminals with colours, which use reverse
        video."""
        return CHANGE_MARK if changed and not self.coloured else ""

    def words(self, span: StyledText) -> str:
        """Returns a part of a line in words, or as a sign if its table wants that."""
        if span.signed:
            return f"{self.sign(replace(span, changed=False))}{span.amount or 1}" + self.change_mark(span.changed)
        return span.words + self.change_mark(span.changed)

    def has_face(self, span: StyledText) -> bool:
        """Whether a thing is shown as a card, with signs instead of words."""
        return self.utf and bool(span.face)

    def face(self, span: StyledText, framed: bool = False) -> tuple[str, Style]:
        """Returns the face of a card: on paper, or with coloured signs, and in brackets if it is `framed`.

        Equal cards are one face with their number: `▲1×2`."""
        many = f"×{span.amount}" if span.amount is not None and span.amount > 1 else ""
        if self.has_surfaces:
            return f" {span.face}{many} ", self.style_on(span, CHANGED_CARD if span.changed else CARD_PAPER)
        text = span.face + many + self.change_mark(span.changed)
        return f"[{text}]" if framed else text, self.style(span, strong=True)

    def sign(self, span: StyledText) -> str:
        """Returns the shape of a thing, or its code, or its words. A shape that only a colour distinguishes needs colours."""
        shaped = span.shape and self.utf and (self.coloured or span.shape != OWNER_SHAPE)
        return sanitize(span.shape if shaped else span.short or span.text) + self.change_mark(span.changed)

    def sign_with_amount(self, span: StyledText) -> str:
        """Returns the sign of a thing with its amount."""
        if span.amount is None:
            return self.sign(span)
        return f"{self.sign(span)}{span.amount}" if self.sign(span) else f"({span.amount})"

    def part_sign(self, span: StyledText) -> str:
        """Returns one character for a thing on a corner or an edge."""
        return self.sign(replace(span, changed=False))[:1]

    def style(self, span: StyledText, strong: bool = False, ground: StyledText | None = None) -> Style:
        """Returns the style of a thing, optionally on the colour of a ground."""
        key = (span.style, strong, ground.style if ground else None, span.changed)
        if key not in self.styles:
            noted = {"look": span.style} if self.pointed and "." in span.style else None
            under = self.theme.colour(ground.style) if ground else None
            colour, behind = self.resolve_colours(span.style, ground.style if ground and under else None)
            self.styles[key] = Style(color=colour, bgcolor=behind,
                                     bold=strong or span.style in ("strong", "title", TARGET_STYLE),
                                     dim=span.style == "dim" and not under and not span.changed, reverse=span.changed or None, meta=noted)
        return self.styles[key]

    def style_on(self, span: StyledText, ground: str, strong: bool = True) -> Style:
        """Returns the style of a thing on a surface of this colour (surface.py)."""
        ink = ink_on_surface(self.theme.colour(span.style), ground)
        if self.palette is None:
            return Style(color=ink, bgcolor=ground, bold=strong)
        behind = next(n for n, colour in self.palette.colours.items() if colour == ground)
        return Style(color=f"color({nearest_ink(ink, ground, self.palette.colours)})", bgcolor=f"color({behind})", bold=strong)

    def resolve_colours(self, style: str, ground: str | None) -> tuple[str | None, str | None]:
        """Returns the foreground and background colours of a thing on a ground, as rich names them."""
        colour = self.theme.colour(style)
        if self.palette is None:
            under = self.theme.colour(ground) if ground else None
            behind = self.theme.ground(ground or "") or (darken(under) if under else None)
            return readable_colour(colour, behind), behind
        number = self.palette.ground_number(ground) if ground else None
        ink = self.palette.text_number(style, number) if colour else None if number is None else self.palette.ink_number(number)
        return None if ink is None else f"color({ink})", None if number is None else f"color({number})"


def darken(colour: str) -> str:
    """Returns a colour darkened until light text can be read on it."""
    return ensure_contrast(blend(colour, "#000000", GROUND_COLOUR_SHARE), INK_ON_COLOUR, "#000000")


def readable_colour(colour: str | None, ground: str | None) -> str | None:
    """Returns a text colour with enough contrast: on a ground of the table, or else on dark and light terminals."""
    if ground is not None:
        end = BLACK if contrast(BLACK, ground) > contrast(INK_ON_COLOUR, ground) else WHITE
        return ensure_contrast(colour, ground, end, MIN_SIGN_CONTRAST) if colour else BLACK if end == BLACK else INK_ON_COLOUR
    return readable_on_any_ground(colour) if colour else None


class Canvas:
    """Styled characters, indexed by line and column."""

    def __init__(self) -> None:
        self.spots: dict[tuple[int, int], tuple[str, Style]] = {}
        self.aimed: list[int] = []                                 # lines that contain option numbers

    def crop_lines(self, height: int, up: str, down: str) -> Canvas:
        """Returns `height` lines of the canvas, those with the most option numbers.

        `up` and `down` are drawn at the right edge if lines were cut off above or below."""
        first = min((y for y, _ in self.spots), default=0)
        last = first + self.height - 1
        middle = sum(self.aimed) / len(self.aimed) if self.aimed else (first + last) / 2
        start = max(range(first, max(first, last - height + 1) + 1), key=lambda y: (
            sum(y <= line < y + height - 1 for line in self.aimed), -abs(y + (height - 1) / 2 - middle)))
        out = Canvas()
        out.spots = {(y, x): spot for (y, x), spot in self.spots.items() if start <= y < start + height}
        edge = self.width
        if start > first:
            out.write_text(edge, start, up, Style(bold=True))
        if start + height <= last:
            out.write_text(edge, start + height - 1, down, Style(bold=True))
        return out

    def mark_clickable(self, x: int, y: int, width: int, label: str, token: str) -> None:
        """Marks a range of columns as part of a place: a click there answers with `token`, or else looks at the place `label`."""
        noted = Style(meta={"answer": token} if token else {"look": label})
        for at in range(x, x + width):
            letter, style = self.spots.get((y, at), (" ", PLAIN_STYLE))
            self.spots[y, at] = (letter, style + noted)

    def write_text(self, x: int, y: int, text: str, style: Style = PLAIN_STYLE) -> None:
        """Writes a text at a column and line."""
        for n, letter in enumerate(text):
            self.spots[y, x + n] = (letter, style)

    @property
    def width(self) -> int:
        """The number of columns."""
        return max((x for _, x in self.spots), default=-1) + 1

    @property
    def height(self) -> int:
        """The number of lines, from the first non-empty one to the last."""
        return max((y for y, _ in self.spots), default=-1) - min((y for y, _ in self.spots), default=0) + 1

    def lines(self) -> list[list[Segment]]:
        """Returns the lines from the first to the last non-empty one. Characters of equal style are joined to segments."""
        if not self.spots:
            return []
        rows: dict[int, list[tuple[int, str, Style]]] = {}
        for (y, x), (letter, style) in sorted(self.spots.items(), key=lambda item: item[0]):
            rows.setdefault(y, []).append((x, letter, style))
        out = []
        for y in range(min(rows), max(rows) + 1):
            line: list[Segment] = []
            at, run, worn = 0, "", PLAIN_STYLE
            for x, letter, style in rows.get(y, []):
                if style is not worn and style != worn or x != at:
                    line += [Segment(run, worn)] if run else []
                    line += [Segment(" " * (x - at))] if x > at else []
                    run, worn = "", style
                run += letter
                at = x + cell_len(letter)
            out.append([*line, Segment(run, worn)] if run else line)
        return out
