"""Signs and colours on a terminal, and a canvas of single characters."""

from __future__ import annotations

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from .look import Look
from .model import Span

INK = "#f0f0f0"                                                    # on coloured ground, whatever the terminal's own colours are
BARE = Style()


class Paint:
    """How parts of a line look on a screen."""

    def __init__(self, look: Look, utf: bool) -> None:
        self.look, self.utf = look, utf
        self.styles: dict[tuple, Style] = {}

    def sign(self, span: Span) -> str:
        """The shape of a thing, its letters, or its words."""
        return span.shape if span.shape and self.utf else span.short or span.text

    def counted(self, span: Span) -> str:
        """The sign with how many there are."""
        if span.amount is None:
            return self.sign(span)
        return f"{self.sign(span)}{span.amount}" if self.sign(span) else f"({span.amount})"

    def style(self, span: Span, strong: bool = False, ground: Span | None = None) -> Style:
        """The colours of a thing, perhaps on a ground."""
        key = (span.style, strong, ground.style if ground else None)
        if key not in self.styles:
            colour, under = self.look.colour(span.style), self.look.colour(ground.style) if ground else None
            self.styles[key] = Style(color=colour or (INK if under else None), bgcolor=tint(under) if under else None,
                                     bold=strong or span.style in ("strong", "title"), dim=span.style == "dim" and not under)
        return self.styles[key]


def tint(colour: str, part: float = 0.32) -> str:
    """A colour darkened, to write on."""
    return "#" + "".join(f"{int(int(colour[n : n + 2], 16) * part):02x}" for n in (1, 3, 5))


class Canvas:
    """Characters at columns and lines."""

    def __init__(self) -> None:
        self.spots: dict[tuple[int, int], tuple[str, Style]] = {}

    def put(self, x: int, y: int, text: str, style: Style = BARE) -> None:
        for n, letter in enumerate(text):
            self.spots[y, x + n] = (letter, style)

    @property
    def width(self) -> int:
        return max((x for _, x in self.spots), default=-1) + 1

    def texts(self) -> list[Text]:
        """The lines, from the first that holds something to the last."""
        if not self.spots:
            return []
        rows: dict[int, list[tuple[int, str, Style]]] = {}
        for (y, x), (letter, style) in sorted(self.spots.items(), key=lambda item: item[0]):
            rows.setdefault(y, []).append((x, letter, style))
        out = []
        for y in range(min(rows), max(rows) + 1):
            line, at = Text(no_wrap=True), 0
            run, worn = "", BARE                                       # letters in one style go together: fewer parts are drawn faster
            for x, letter, style in rows.get(y, []):
                if style is not worn and style != worn or x != at:
                    line.append(run, worn)
                    line.append(" " * (x - at))
                    run, worn = "", style
                run += letter
                at = x + cell_len(letter)
            line.append(run, worn)
            out.append(line)
        return out
