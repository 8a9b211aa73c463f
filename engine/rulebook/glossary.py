"""The words of a game in its rulebook: which are explained where, so that texts lead there; the glossary; the index."""

from __future__ import annotations

import re
import unicodedata

from ..i18n.placeholders import text_placeholders
from ..i18n.template import capitalize_first
from ..narration.narrator import Narrator
from .book import Book, BookBlock, BookClause, BookParagraph, Chapter, DefinitionList, IndexEntries, InlineList
from .components import list_member_names, list_named_types, member_text, member_title, plural_title

NON_FORM_MARKERS = ("article", "g", "members")                             # entries of a lexicon that are no form of the noun
MIN_TERM_LENGTH = 3                                                       # a word of fewer letters is not looked for
MAX_INDEX_CHAPTERS = 9                                                     # a word in more chapters than this is no help in an index


def collect_noun_forms(key: str, teller: Narrator) -> set[str]:
    """A noun in every form that is known of it, without its article."""
    thing = teller.words.lookup_noun(key)
    found = {
        thing.name,
        *(form for marker, form in thing.forms.items() if marker not in NON_FORM_MARKERS and "the" not in marker.split(".")),
    }
    for markers in ((), ("pl",)):
        found.add(teller.words.noun(key, *markers))
    return {form for form in found if len(form) >= MIN_TERM_LENGTH}


def collect_term_anchors(teller: Narrator, book: Book) -> dict[str, str]:
    """Every form of a word that has a chapter of its own, with the anchor of the chapter; phases and other chapters in small letters."""
    anchors = {chapter.anchor: chapter for chapter in book.iter_chapters()}
    out: dict[str, str] = {}
    for enum in list_named_types(teller):
        if f"type-{enum.name}" in anchors:
            out |= dict.fromkeys(collect_noun_forms(enum.name, teller), f"type-{enum.name}")
    for enum in list_named_types(teller):
        for member in list_member_names(enum):
            anchor = f"thing-{enum.name}-{member}"
            if anchor in anchors:
                out |= dict.fromkeys(collect_noun_forms(f"{enum.name}.{member}", teller), anchor)
    for chapter in book.iter_chapters():
        if chapter.anchor.startswith(("phase-", "family-")):
            out.setdefault(chapter.title.lower(), chapter.anchor)
    return out


def build_glossary(teller: Narrator, book: Book) -> list[BookBlock]:
    """The words of the game that have a text which says what they are, in the order of the alphabet. The members of a type are a list,
    and no definition of it: the components have them."""
    words, model = teller.words, teller.game.model
    anchors = {chapter.anchor for chapter in book.iter_chapters()}
    entries: list[tuple[str, str, str]] = []
    for enum in list_named_types(teller):
        kind = words.noun(enum.name)
        anchor = f"type-{enum.name}" if f"type-{enum.name}" in anchors else ""
        for member in list_member_names(enum):
            own = f"thing-{enum.name}-{member}"
            if text := member_text(enum, member, teller):
                entries.append((f"{member_title(enum, member, teller)} ({kind})", own if own in anchors else anchor, text))
    for chapter in book.iter_chapters():
        name = chapter.anchor.removeprefix("phase-")
        if name != chapter.anchor and words.has(f"phase.{name}.text"):
            entries.append((chapter.title, chapter.anchor, words.text(f"phase.{name}.text", **text_placeholders(model))))
    known = text_placeholders(model)
    entries += [(title, "", words.text(f"{key}.text", **known)) for key, title in list_explained_terms(teller) if words.has(f"{key}.text")]
    return [DefinitionList(sorted(dict.fromkeys(entries), key=lambda entry: alphabetical_key(entry[0])))] if entries else []


def list_explained_terms(teller: Narrator) -> list[tuple[str, str]]:
    """The words that the texts of the game explain themselves, `term.<name>`, each with its key."""
    keys = [key for key in teller.words.english if key.startswith("term.") and key.count(".") == 1]
    return [(key, teller.words.text(key, **text_placeholders(teller.game.model))) for key in keys]


def build_index(teller: Narrator, book: Book) -> list[BookBlock]:
    """Where the words of the game occur: things, types, phases, and what the table calls its places."""
    wanted: dict[str, set[str]] = {}
    for enum in list_named_types(teller):
        wanted.setdefault(plural_title(enum, teller), set()).update(collect_noun_forms(enum.name, teller))
        for member in list_member_names(enum):
            wanted.setdefault(member_title(enum, member, teller), set()).update(collect_noun_forms(f"{enum.name}.{member}", teller))
    for state in teller.game.ruleset.program.states:
        if teller.words.has(key := f"state.{state}"):
            wanted.setdefault(teller.words.text(key), set()).add(teller.words.text(key))
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
    for _, word in list_explained_terms(teller):                                # as a beginning: its endings are not known
        pattern = re.compile(rf"(?<!\w){re.escape(word)}", re.IGNORECASE)
        where = [chapter.anchor for chapter, text in texts if not chapter.anchor.startswith("example-") and pattern.search(text)]
        entries += [(capitalize_first(word), where)] if where and capitalize_first(word) not in {entry for entry, _ in entries} else []
    return [IndexEntries(sorted(entries, key=lambda entry: alphabetical_key(entry[0])))] if entries else []


def chapter_texts(chapter: Chapter) -> list[str]:
    """All sentences of a chapter, not of its parts; tables are found by their headings."""
    out: list[str] = []
    for block in chapter.blocks:
        if isinstance(block, BookParagraph | BookClause):
            out.append(block.said)
        elif isinstance(block, InlineList):
            out += block.items
    return out


def alphabetical_key(text: str) -> str:
    """A word as an alphabet sorts it: without accents and capitals."""
    return "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))
