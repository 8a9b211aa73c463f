"""The content of a rulebook before it is rendered: chapters, subchapters and blocks.

The texts are in the reader's language. The writers (html_writer.py,
markdown_writer.py, plain_writer.py) decide on the appearance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...dsl.diagnostics.diagnostic import Diagnostic
from ..table_view.view_model import Panel

if TYPE_CHECKING:
    from ..table_view.svg_renderer import PanelSvg


@dataclass
class BookParagraph:
    """A paragraph. `strong` marks the lead of a chapter. `struck` is the part that no longer applies under house rules."""

    text: str
    strong: bool = False
    struck: str = ""


@dataclass
class BookClause:
    """A sentence of the rulebook.

    - `cases`: the sentences for different numbers of players, each with the words for these numbers
    - `notes`: the changes that house rules made
    - `struck`: the part of `said` that no longer applies under house rules
    - `examples`: title and anchor of each example that shows the clause"""

    id: str
    text: str
    cases: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    struck: str = ""
    examples: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class BookTable:
    """Rows under column heads. The first entry of a row says what the row is about."""

    heads: list[str]
    rows: list[list[str]]
    caption: str = ""


@dataclass
class InlineList:
    """Short items side by side."""

    items: list[str]


@dataclass
class DefinitionList:
    """Terms with their definitions: the term, the anchor of the chapter that explains it ("" for none), the
    definition."""

    entries: list[tuple[str, str, str]]


@dataclass
class IndexEntries:
    """Index entries: a word and the anchors of the chapters that contain it."""

    entries: list[tuple[str, list[str]]]


@dataclass
class TableFigure:
    """Panels of a table, drawn as pictures, as shapes for a description in words, and
    as text. `small` marks the figures of examples."""

    title: str
    panels: list[PanelSvg]
    shapes: list[Panel]
    letters: list[list[str]] = field(default_factory=list)
    small: bool = False


BookBlock = BookParagraph | BookClause | BookTable | InlineList | DefinitionList | IndexEntries | TableFigure


@dataclass
class Chapter:
    """A chapter. `anchor` is the target of links, `number` is shown before the title (3.2). `fresh` starts a new
    page."""

    title: str
    anchor: str = ""
    blocks: list[BookBlock] = field(default_factory=list)
    parts: list[Chapter] = field(default_factory=list)
    number: str = ""
    fresh: bool = False
    shown: int = 2                                                 # levels shown in the table of contents

    def iter_chapters(self) -> Iterator[Chapter]:
        """Yields the chapter and all its subchapters."""
        yield self
        for part in self.parts:
            yield from part.iter_chapters()

    @property
    def is_empty(self) -> bool:
        """Whether the chapter and its subchapters have no blocks."""
        return not self.blocks and all(part.is_empty for part in self.parts)


@dataclass
class Book:
    """A whole rulebook. `terms` maps each explained word, in every form, to the anchor of its chapter."""

    title: str
    under: str
    about: str
    lang: str
    chapters: list[Chapter]
    contents: str
    terms: dict[str, str] = field(default_factory=dict)
    sheet: str = ""
    faults: list[Diagnostic] = field(default_factory=list)         # faults of the rules in the scenarios tried as examples

    def iter_chapters(self) -> Iterator[Chapter]:
        """Yields all chapters and subchapters."""
        for chapter in self.chapters:
            yield from chapter.iter_chapters()

    @property
    def chapter_numbers(self) -> dict[str, str]:
        """The number of each chapter by its anchor."""
        return {chapter.anchor: chapter.number for chapter in self.iter_chapters()}

    def number_chapters(self) -> None:
        """Removes empty chapters and numbers the others."""
        def number_level(chapters: list[Chapter], before: str) -> list[Chapter]:
            kept = [chapter for chapter in chapters if not chapter.is_empty]
            for n, chapter in enumerate(kept, 1):
                chapter.number = f"{before}{n}"
                chapter.anchor = chapter.anchor or "c" + chapter.number.replace(".", "-")
                chapter.parts = number_level(chapter.parts, f"{chapter.number}.")
            return kept
        self.chapters = number_level(self.chapters, "")
