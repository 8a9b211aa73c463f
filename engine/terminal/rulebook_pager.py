"""A rulebook on the screen: its table of contents, and single chapters by number or title."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..i18n.text_layout import wrap_cells
from ..i18n.user_input import normalize
from ..position.answer_index import AnswerIndex, IndexEntry, MatchKind

if TYPE_CHECKING:
    from ..i18n import Localizer
    from ..rulebook.book import Book, Chapter


def table_of_contents(book: Book, width: int) -> list[str]:
    """Returns the title page and the table of contents."""
    head = [line for text in (book.title, book.under, book.about) if text for line in wrap_cells(text, width)]
    return [*head, "", *chapter_entries(book.chapters, width)]


def chapter_entries(chapters: list[Chapter], width: int) -> list[str]:
    """Returns chapters by number and title."""
    wide = max((len(chapter.number) for chapter in chapters), default=0)
    return [line for chapter in chapters
            for line in wrap_cells(f"{chapter.number:>{wide + 2}}  {chapter.title}", width, " " * (len(chapter.number) + 2))]


def entries_with_parts(chapters: list[Chapter], width: int, depth: int = 1) -> list[str]:
    """Returns chapters by number and title, with their sections indented below."""
    return [
        line
        for chapter in chapters
        for line in (
            *wrap_cells("  " * depth + f"{chapter.number}  {chapter.title}", width, "  "),
            *entries_with_parts(chapter.parts, width, depth + 1),
        )
    ]


def chapter_page(book: Book, typed: str, words: Localizer, width: int, height: int, command: str = "") -> list[str]:
    """Returns the lines of the chapter that was asked for.

    A chapter that is higher than the screen lists its sections instead of printing them. If reading one takes a
    `command`, a hint says so. If several chapters match, they are listed. If none matches, a message says so."""
    from ..rulebook.plain_writer import chapter_lines, own_lines
    found = matching_chapters(book, typed)
    if not found:
        return [words.text("rules.unknown", typed=typed)]
    if len(found) > 1:
        return chapter_entries(found, width)
    lines = chapter_lines(book, found[0], width)
    if len(lines) > height and found[0].parts:
        how = [words.text("rules.which", command=command, number=found[0].parts[0].number)] if command else []
        how = [line for text in how for line in wrap_cells(text, width)]
        return [*own_lines(book, found[0], width), "", *entries_with_parts(found[0].parts, width), *how]
    return lines


def matching_chapters(book: Book, typed: str) -> list[Chapter]:
    """Returns the chapters that an answer may mean.

    The first of these that matches is used: the number, the whole title, the beginning of the title, or the
    beginning of a word in it."""
    chapters = AnswerIndex((IndexEntry(chapter, (chapter.title,), token=chapter.number) for chapter in book.iter_chapters()), normalize)
    return chapters.look_up(typed.rstrip(" ."), (MatchKind.TOKEN, MatchKind.NAME, MatchKind.BEGINNING, MatchKind.INSIDE)).values
