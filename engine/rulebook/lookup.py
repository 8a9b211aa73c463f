"""What a rulebook says of a word: the glossary's sentence, the chapters that explain it, and the clauses that use it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

from ..i18n.user_input import folded
from .book import Book, Chapter, Clause, Pointers, Terms

SHORTEST = 3                         # letters of the beginning of a word
T = TypeVar("T")


@dataclass(frozen=True)
class Entry:
    """What is found of a word. `said`: what the glossary says of it, each with the word in full; `where`: chapters; `clauses`: their ids
    and sentences."""

    said: list[tuple[str, str]]
    where: list[Chapter]
    clauses: list[tuple[str, str]]

    @property
    def found(self) -> bool:
        return bool(self.said or self.where or self.clauses)


def words_known(book: Book) -> dict[str, str]:
    """Each word that can be looked up as it is spelt, by how it may be typed."""
    said = [*(word for word, _ in terms(book)), *book.terms, *(chapter.title for chapter in book.all()),
            *(word for word, _ in pointers(book))]
    return {folded(word): word for word in reversed(said)}


def look_up(book: Book, typed: str) -> Entry:
    """What the book says of a word, or of words that begin so."""
    wanted = folded(typed)
    if len(wanted) < SHORTEST:
        return Entry([], [], [])
    said = meant(list(terms(book)), wanted)
    chapters = {chapter.anchor: chapter for chapter in book.all()}
    anchors = [anchor for _, anchor in meant(list(book.terms.items()), wanted)]
    where = [chapters[anchor] for anchor in dict.fromkeys(anchors) if anchor in chapters]
    where += [chapter for chapter in book.all() if folded(chapter.title) == wanted and chapter not in where]
    if not where:
        where = [chapters[anchor] for _, to in meant(pointers(book), wanted) for anchor in to if anchor in chapters]
    whole = re.compile(rf"(?<!\w){re.escape(wanted)}")
    clauses = [(block.id, block.said) for chapter in book.all() for block in chapter.blocks
               if isinstance(block, Clause) and whole.search(folded(block.said))]
    return Entry(said, where, clauses)


def meant(entries: list[tuple[str, T]], wanted: str) -> list[tuple[str, T]]:
    """Those called so, else those that begin so."""
    whole = [(word, found) for word, found in entries if wanted in (folded(word), folded(word.partition(" (")[0]))]
    return whole or [(word, found) for word, found in entries if folded(word).startswith(wanted)]


def terms(book: Book) -> Iterator[tuple[str, str]]:
    """The words of the glossary, each with what is said of it."""
    for chapter in book.all():
        for block in chapter.blocks:
            if isinstance(block, Terms):
                yield from ((word, said) for word, _, said in block.entries)


def pointers(book: Book) -> list[tuple[str, list[str]]]:
    """The words of the index, each with the chapters where it occurs."""
    return [entry for chapter in book.all() for block in chapter.blocks if isinstance(block, Pointers) for entry in block.entries]
