"""A rulebook before it is written: chapters with their parts, and what stands in them. Texts are in the reader's language; how they look is
up to who writes them (web.py, markdown.py)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...dsl.diagnostics.diagnostic import Diagnostic
from ..table_view.svg_renderer import PanelSvg
from ..table_view.view_model import Panel


@dataclass
class BookParagraph:
    """A paragraph; `strong` ones lead a chapter."""

    said: str
    strong: bool = False


@dataclass
class BookClause:
    """A sentence of the rulebook. `cases`: how it reads with other numbers of players, each with the words that say with which; `notes`:
    what house rules did to it; `examples`: where it is shown at work, what to call it and where it leads."""

    id: str
    said: str
    cases: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    examples: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class BookTable:
    """Rows below heads; the first entry of a row says what the row is about."""

    heads: list[str]
    rows: list[list[str]]
    caption: str = ""


@dataclass
class InlineList:
    """Things side by side, each in a few words."""

    items: list[str]


@dataclass
class DefinitionList:
    """Words and what they mean: the word, the chapter where it is explained ("" for none), what is said."""

    entries: list[tuple[str, str, str]]


@dataclass
class IndexEntries:
    """Words and where they occur: each with the chapters."""

    entries: list[tuple[str, list[str]]]


@dataclass
class TableFigure:
    """Panels of a table, drawn, as they are told to who cannot see them, and in letters; `small`: no more than an example needs."""

    title: str
    panels: list[PanelSvg]
    shapes: list[Panel]
    letters: list[list[str]] = field(default_factory=list)
    small: bool = False


BookBlock = BookParagraph | BookClause | BookTable | InlineList | DefinitionList | IndexEntries | TableFigure


@dataclass
class Chapter:
    """A chapter. `anchor` is what links lead to; `number` stands before its title: 3.2. `fresh`: it begins on a new page."""

    title: str
    anchor: str = ""
    blocks: list[BookBlock] = field(default_factory=list)
    parts: list[Chapter] = field(default_factory=list)
    number: str = ""
    fresh: bool = False
    shown: int = 2                                                 # how deep the contents go into it

    def iter_chapters(self) -> Iterator[Chapter]:
        """It and all its parts."""
        yield self
        for part in self.parts:
            yield from part.iter_chapters()

    @property
    def is_empty(self) -> bool:
        return not self.blocks and all(part.is_empty for part in self.parts)


@dataclass
class Book:
    """A whole rulebook. `terms`: words that are explained somewhere, in every form, with the chapter where they are."""

    title: str
    under: str
    about: str
    lang: str
    chapters: list[Chapter]
    contents: str
    terms: dict[str, str] = field(default_factory=dict)
    sheet: str = ""
    faults: list[Diagnostic] = field(default_factory=list)         # of the rules, in the scenarios that were tried as examples

    def iter_chapters(self) -> Iterator[Chapter]:
        for chapter in self.chapters:
            yield from chapter.iter_chapters()

    @property
    def chapter_numbers(self) -> dict[str, str]:
        """The number of each chapter by its anchor."""
        return {chapter.anchor: chapter.number for chapter in self.iter_chapters()}

    def number_chapters(self) -> None:
        """Leave out what is empty, and number what is left."""
        def number_level(chapters: list[Chapter], before: str) -> list[Chapter]:
            kept = [chapter for chapter in chapters if not chapter.is_empty]
            for n, chapter in enumerate(kept, 1):
                chapter.number = f"{before}{n}"
                chapter.anchor = chapter.anchor or "c" + chapter.number.replace(".", "-")
                chapter.parts = number_level(chapter.parts, f"{chapter.number}.")
            return kept
        self.chapters = number_level(self.chapters, "")
