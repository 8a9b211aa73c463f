"""The terms of a game in its rulebook: the chapters that explain them, the glossary, and the index."""

from __future__ import annotations

import re
import unicodedata

from ..i18n.placeholders import text_placeholders
from ..i18n.template import capitalize_first
from ..narration.narrator import Narrator
from .book import Book, BookBlock, BookClause, BookParagraph, Chapter, DefinitionList, IndexEntries, InlineList
from .components import list_member_names, list_named_types, member_text, member_title, plural_title

NON_FORM_MARKERS = ("article", "g", "members")                             # lexicon entries that are not noun forms
MIN_TERM_LENGTH = 3                                                       # letters; shorter words are not linked
MAX_INDEX_CHAPTERS = 9                                                     # a more frequent word is of no use in an index


def collect_noun_forms(key: str, narrator: Narrator) -> set[str]:
    """Returns all known forms of a noun, without articles."""
    thing = narrator.words.lookup_noun(key)
    found = {
        thing.name,
        *(form for marker, form in thing.forms.items() if marker not in NON_FORM_MARKERS and "the" not in marker.split(".")),
    }
    for markers in ((), ("pl",)):
        found.add(narrator.words.noun(key, *markers))
    return {form for form in found if len(form) >= MIN_TERM_LENGTH}


def collect_term_anchors(narrator: Narrator, book: Book) -> dict[str, str]:
    """Returns the anchor of the explaining chapter for every form of a term. The titles of
    phases and clause families are in lower case."""
    anchors = {chapter.anchor: chapter for chapter in book.iter_chapters()}
    out: dict[str, str] = {}
    for enum in list_named_types(narrator):
        if f"type-{enum.name}" in anchors:
            out |= dict.fromkeys(collect_noun_forms(enum.name, narrator), f"type-{enum.name}")
    for enum in list_named_types(narrator):
        for member in list_member_names(enum):
            anchor = f"thing-{enum.name}-{member}"
            if anchor in anchors:
                out |= dict.fromkeys(collect_noun_forms(f"{enum.name}.{member}", narrator), anchor)
    for chapter in book.iter_chapters():
        if chapter.anchor.startswith(("phase-", "family-")):
            out.setdefault(chapter.title.lower(), chapter.anchor)
    return out


def build_glossary(narrator: Narrator, book: Book) -> list[BookBlock]:
    """Returns the glossary: the terms that have a text, in alphabetical order.

    A type has no entry of its own, because a list of its members does not define
    it. The components chapter contains that list."""
    words, model = narrator.words, narrator.game.model
    anchors = {chapter.anchor for chapter in book.iter_chapters()}
    entries: list[tuple[str, str, str]] = []
    for enum in list_named_types(narrator):
        kind = words.noun(enum.name)
        anchor = f"type-{enum.name}" if f"type-{enum.name}" in anchors else ""
        for member in list_member_names(enum):
            own = f"thing-{enum.name}-{member}"
            if text := member_text(enum, member, narrator):
                entries.append((f"{member_title(enum, member, narrator)} ({kind})", own if own in anchors else anchor, text))
    for chapter in book.iter_chapters():
        name = chapter.anchor.removeprefix("phase-")
        if name != chapter.anchor and words.has(f"phase.{name}.text"):
            entries.append((chapter.title, chapter.anchor, words.text(f"phase.{name}.text", **text_placeholders(model))))
    known = text_placeholders(model)
    entries += [
        (title, "", words.text(f"{key}.text", **known)) for key, title in list_explained_terms(narrator) if words.has(f"{key}.text")
    ]
    return [DefinitionList(sorted(dict.fromkeys(entries), key=lambda entry: alphabetical_key(entry[0])))] if entries else []


def list_explained_terms(narrator: Narrator) -> list[tuple[str, str]]:
    """Returns the keys and words of the terms that the game's texts define (`term.<name>`)."""
    keys = [key for key in narrator.words.english if key.startswith("term.") and key.count(".") == 1]
    return [(key, narrator.words.text(key, **text_placeholders(narrator.game.model))) for key in keys]


def build_index(narrator: Narrator, book: Book) -> list[BookBlock]:
    """Returns the index: the chapters in which things, types, phases and the captions of states occur."""
    wanted: dict[str, set[str]] = {}
    for enum in list_named_types(narrator):
        wanted.setdefault(plural_title(enum, narrator), set()).update(collect_noun_forms(enum.name, narrator))
        for member in list_member_names(enum):
            wanted.setdefault(member_title(enum, member, narrator), set()).update(collect_noun_forms(f"{enum.name}.{member}", narrator))
    for state in narrator.game.ruleset.program.states:
        if narrator.words.has(key := f"state.{state}"):
            wanted.setdefault(narrator.words.text(key), set()).add(narrator.words.text(key))
    for chapter in book.iter_chapters():
        if chapter.anchor.startswith(("phase-", "family-")):
            wanted.setdefault(chapter.title, set()).add(chapter.title)
    texts = [
        (chapter, " ".join(chapter_texts(chapter)))
        for chapter in book.iter_chapters()
        if chapter.anchor not in ("glossary", "index", "left")
    ]
    entries = []
    for word, forms in wanted.items():
        pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(forms, key=len, reverse=True)))})(?!\w)", re.IGNORECASE)
        found = [chapter.anchor for chapter, text in texts if chapter.title == word or pattern.search(text)] if forms else []
        if len(found) > MAX_INDEX_CHAPTERS:
            found = [chapter.anchor for chapter in book.iter_chapters() if chapter.title == word]
        if found:
            entries.append((capitalize_first(word), found))
    for _, word in list_explained_terms(narrator):                                # match the stem, because the endings are unknown
        pattern = re.compile(rf"(?<!\w){re.escape(word)}", re.IGNORECASE)
        where = [chapter.anchor for chapter, text in texts if not chapter.anchor.startswith("example-") and pattern.search(text)]
        entries += [(capitalize_first(word), where)] if where and capitalize_first(word) not in {entry for entry, _ in entries} else []
    return [IndexEntries(sorted(entries, key=lambda entry: alphabetical_key(entry[0])))] if entries else []


def chapter_texts(chapter: Chapter) -> list[str]:
    """Returns the sentences of a chapter without its subchapters. A table is represented by its heading."""
    out: list[str] = []
    for block in chapter.blocks:
        if isinstance(block, BookParagraph | BookClause):
            out.append(block.text)
        elif isinstance(block, InlineList):
            out += block.items
    return out


def alphabetical_key(text: str) -> str:
    """Returns the sort key of a word: lower case, without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))
