"""Looks up a word in a rulebook: its definition, the chapters that explain it, and the clauses that use it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from ..i18n.user_input import normalize
from ..position.answer_index import AnswerIndex, IndexEntry
from .book import Book, BookClause, Chapter, DefinitionList, IndexEntries

MIN_QUERY_LENGTH = 3                         # letters
T = TypeVar("T")


@dataclass(frozen=True)
class LookupResult:
    """The result of a lookup. `definitions` holds glossary terms with their definitions, `clauses` the ids and sentences of
    clauses."""

    definitions: list[tuple[str, str]]
    where: list[Chapter]
    clauses: list[tuple[str, str]]

    @property
    def has_results(self) -> bool:
        """Whether the lookup found anything."""
        return bool(self.definitions or self.where or self.clauses)


def list_lookup_words(book: Book) -> list[str]:
    """Returns every word that can be looked up."""
    return [*(word for word, _ in iter_glossary(book)), *book.terms, *(chapter.title for chapter in book.iter_chapters()),
            *(word for word, _ in list_index_entries(book))]


def look_up(book: Book, typed: str) -> LookupResult:
    """Returns everything in the book about a word, or about words that begin with it."""
    wanted = normalize(typed)
    if len(wanted) < MIN_QUERY_LENGTH:
        return LookupResult([], [], [])
    said = match_entries(iter_glossary(book), wanted)
    chapters = {chapter.anchor: chapter for chapter in book.iter_chapters()}
    anchors = [anchor for _, anchor in match_entries(book.terms.items(), wanted)]
    where = [chapters[anchor] for anchor in dict.fromkeys(anchors) if anchor in chapters]
    where += [chapter for chapter in book.iter_chapters() if normalize(chapter.title) == wanted and chapter not in where]
    if not where:
        where = [chapters[anchor] for _, to in match_entries(list_index_entries(book), wanted) for anchor in to if anchor in chapters]
    whole = re.compile(rf"(?<!\w){re.escape(wanted)}")
    clauses = [(block.id, block.text) for chapter in book.iter_chapters() for block in chapter.blocks
               if isinstance(block, BookClause) and whole.search(normalize(block.text))]
    return LookupResult(said, where, clauses)


def match_entries(entries: Iterable[tuple[str, T]], wanted: str) -> list[tuple[str, T]]:
    """Returns the entries whose word is equal to `wanted`, or else those that begin with it."""
    return AnswerIndex((IndexEntry(entry, (entry[0], entry[0].partition(" (")[0])) for entry in entries), normalize).find(wanted)


def iter_glossary(book: Book) -> Iterator[tuple[str, str]]:
    """Yields the words of the glossary with their definitions."""
    for chapter in book.iter_chapters():
        for block in chapter.blocks:
            if isinstance(block, DefinitionList):
                yield from ((word, said) for word, _, said in block.entries)


def list_index_entries(book: Book) -> list[tuple[str, list[str]]]:
    """Returns the words of the index with the chapters in which they occur."""
    return [
        entry for chapter in book.iter_chapters() for block in chapter.blocks if isinstance(block, IndexEntries) for entry in block.entries
    ]
