"""The words of a game in its rulebook: which are explained where, so that texts lead there; the glossary; the index."""

from __future__ import annotations

import re
import unicodedata

from ..i18n.placeholders import fields
from ..i18n.template import capital
from ..narration.narrator import Teller
from .book import Block, Book, Chapter, Clause, Listing, Pointers, Terms, Text
from .components import called, names_of, plural, shown, text_of

NO_FORMS = ("article", "g", "members")                             # entries of a lexicon that are no form of the noun
SHORTEST = 3                                                       # a word of fewer letters is not looked for
EVERYWHERE = 9                                                     # a word in more chapters than this is no help in an index


def forms_of(key: str, teller: Teller) -> set[str]:
    """A noun in every form that is known of it, without its article."""
    thing = teller.words.thing(key)
    found = {thing.name, *(form for marker, form in thing.forms.items() if marker not in NO_FORMS and "the" not in marker.split("."))}
    for markers in ((), ("pl",)):
        found.add(teller.words.noun(key, *markers))
    return {form for form in found if len(form) >= SHORTEST}


def terms_of(teller: Teller, book: Book) -> dict[str, str]:
    """Every form of a word that has a chapter of its own, with the anchor of the chapter; phases and other chapters in small letters."""
    anchors = {chapter.anchor: chapter for chapter in book.all()}
    out: dict[str, str] = {}
    for enum in shown(teller):
        if f"type-{enum.name}" in anchors:
            out |= dict.fromkeys(forms_of(enum.name, teller), f"type-{enum.name}")
    for enum in shown(teller):
        for member in names_of(enum):
            anchor = f"thing-{enum.name}-{member}"
            if anchor in anchors:
                out |= dict.fromkeys(forms_of(f"{enum.name}.{member}", teller), anchor)
    for chapter in book.all():
        if chapter.anchor.startswith(("phase-", "family-")):
            out.setdefault(chapter.title.lower(), chapter.anchor)
    return out


def glossary(teller: Teller, book: Book) -> list[Block]:
    """The words of the game that have a text which says what they are, in the order of the alphabet. The members of a type are a list,
    and no definition of it: the components have them."""
    words, model = teller.words, teller.game.model
    anchors = {chapter.anchor for chapter in book.all()}
    entries: list[tuple[str, str, str]] = []
    for enum in shown(teller):
        kind = words.noun(enum.name)
        anchor = f"type-{enum.name}" if f"type-{enum.name}" in anchors else ""
        for member in names_of(enum):
            own = f"thing-{enum.name}-{member}"
            if text := text_of(enum, member, teller):
                entries.append((f"{called(enum, member, teller)} ({kind})", own if own in anchors else anchor, text))
    for chapter in book.all():
        name = chapter.anchor.removeprefix("phase-")
        if name != chapter.anchor and words.has(f"phase.{name}.text"):
            entries.append((chapter.title, chapter.anchor, words.text(f"phase.{name}.text", **fields(model))))
    known = fields(model)
    entries += [(title, "", words.text(f"{key}.text", **known)) for key, title in written(teller) if words.has(f"{key}.text")]
    return [Terms(sorted(dict.fromkeys(entries), key=lambda entry: sortable(entry[0])))] if entries else []


def written(teller: Teller) -> list[tuple[str, str]]:
    """The words that the texts of the game explain themselves, `term.<name>`, each with its key."""
    keys = [key for key in teller.words.english if key.startswith("term.") and key.count(".") == 1]
    return [(key, teller.words.text(key, **fields(teller.game.model))) for key in keys]


def index(teller: Teller, book: Book) -> list[Block]:
    """Where the words of the game occur: things, types, phases, and what the table calls its places."""
    wanted: dict[str, set[str]] = {}
    for enum in shown(teller):
        wanted.setdefault(plural(enum, teller), set()).update(forms_of(enum.name, teller))
        for member in names_of(enum):
            wanted.setdefault(called(enum, member, teller), set()).update(forms_of(f"{enum.name}.{member}", teller))
    for state in teller.game.ruleset.program.states:
        if teller.words.has(key := f"state.{state}"):
            wanted.setdefault(teller.words.text(key), set()).add(teller.words.text(key))
    for chapter in book.all():
        if chapter.anchor.startswith(("phase-", "family-")):
            wanted.setdefault(chapter.title, set()).add(chapter.title)
    texts = [(chapter, " ".join(texts_of(chapter))) for chapter in book.all() if chapter.anchor not in ("glossary", "index", "left")]
    entries = []
    for word, forms in wanted.items():
        pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(forms, key=len, reverse=True)))})(?!\w)", re.IGNORECASE)
        found = [chapter.anchor for chapter, text in texts if chapter.title == word or pattern.search(text)] if forms else []
        if len(found) > EVERYWHERE:
            found = [chapter.anchor for chapter in book.all() if chapter.title == word]
        if found:
            entries.append((capital(word), found))
    for _, word in written(teller):                                # as a beginning: its endings are not known
        pattern = re.compile(rf"(?<!\w){re.escape(word)}", re.IGNORECASE)
        where = [chapter.anchor for chapter, text in texts if not chapter.anchor.startswith("example-") and pattern.search(text)]
        entries += [(capital(word), where)] if where and capital(word) not in {entry for entry, _ in entries} else []
    return [Pointers(sorted(entries, key=lambda entry: sortable(entry[0])))] if entries else []


def texts_of(chapter: Chapter) -> list[str]:
    """All sentences of a chapter, not of its parts; tables are found by their headings."""
    out: list[str] = []
    for block in chapter.blocks:
        if isinstance(block, Text | Clause):
            out.append(block.said)
        elif isinstance(block, Listing):
            out += block.items
    return out


def sortable(text: str) -> str:
    """A word as an alphabet sorts it: without accents and capitals."""
    return "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))
