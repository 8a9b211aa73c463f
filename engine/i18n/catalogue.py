"""Write the template (.pot) of a text domain, and keep its catalogues (.po) in step with the English texts.

The message context is the key and the msgid is the English text. The output depends on the sources and the
translations only. It has no dates or line numbers, and it keeps the order of the sources. A changed sentence
is therefore a small difference in each file."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from babel.messages import Catalog
from babel.messages.catalog import Message as Entry
from babel.messages.pofile import write_po

from ...dsl.diagnostics.diagnostic import DiagnosticList
from ...dsl.diagnostics.safe_read import read_bytes
from ...dsl.languages.registry import DEFAULT_PLURALS, Language, find_language, read_language
from ...dsl.yaml.atomic_write import write_atomically
from ...dsl.yaml.po_files import CatalogueError, add_catalogue_error, decode_catalogue, read_catalogue
from .languages import LANGUAGES, SOURCE_LANGUAGE, parse_plural_rule
from .message_sources import SourceMessage, TextDomain
from .readers import Text, catalogue_path, is_prose
from .template import parse_template

# comment with the old translation of a changed text
PREVIOUS_TRANSLATION_PREFIX = "before: "
_PO_LINE_WIDTH = 120


@dataclass(frozen=True)
class CatalogueStatus:
    """The state of one catalogue: number of texts, number of translated texts, and keys by problem.

    `missing` texts have no translation, `stale` ones were translated from another English text, `gone` ones are
    no longer used."""

    lang: str
    path: Path
    total: int
    translated: int
    missing: tuple[str, ...]
    stale: tuple[str, ...]
    gone: tuple[str, ...]


def render_pot(domain: TextDomain) -> str:
    """Returns the .pot of a domain: every text with its file and line."""
    catalogue = Catalog()
    for message in domain.messages:
        _add_entry(catalogue, domain, message, "" if isinstance(message.english, str) else ("", ""))
    return _render_header(domain.name, None, None) + _render_body(catalogue, lines=True)


def write_template(domain: TextDomain) -> Path:
    """Writes `<locale>/<domain>.pot` and returns its path."""
    path = domain.locale / f"{domain.name}.pot"
    _write_file(path, render_pot(domain))
    return path


def render_catalogue(
    domain: TextDomain, lang: str, previous: Mapping[str, Text] | None = None, replacements: Mapping[str, Text] | None = None
) -> str:
    """Returns the updated catalogue of `lang` as text.

    * New texts are empty, or equal to the source in English.
    * Texts whose English has changed are empty too, and a comment keeps the old translation.
    * Texts that are no longer used are removed. All other translations and comments are kept.

    `previous` contains translations for texts that have none yet. `replacements` contains translations that replace existing
    ones."""
    path = catalogue_path(domain.locale, lang, domain.name)
    old = read_entries(path)
    spoken = find_language(lang) or read_language(domain.locale, lang)            # `read`: a language that is not installed yet
    forms, _ = parse_plural_rule(spoken.plural)
    catalogue = Catalog()                                           # no locale: Babel would give Hungarian one plural form
    catalogue.mime_headers = [("Plural-Forms", spoken.plural)]
    for message in domain.messages:
        known = old.get(message.key)
        english = message.english
        said: Text = "" if isinstance(english, str) else ("",) * forms
        comments: list[str] = []
        if known:
            # it may have several lines
            comments = list(takewhile(lambda line: not line.startswith(PREVIOUS_TRANSLATION_PREFIX), known.user_comments))
        if known and _is_same_text(known.id, english) and not known.fuzzy:
            said = _as_text(known.string)
            said = said if isinstance(said, str) or len(said) == forms else ("",) * forms
            if not is_complete(known.string):
                comments = list(known.user_comments)
        elif known and is_complete(known.string) and lang != SOURCE_LANGUAGE:
            comments.append(PREVIOUS_TRANSLATION_PREFIX + " / ".join(_text_variants(_as_text(known.string))))
        if lang == SOURCE_LANGUAGE and not is_complete(said):
            said = english
        if not is_complete(said) and previous and message.key in previous:
            said = previous[message.key]
        if replacements and message.key in replacements:
            said, comments = replacements[message.key], [line for line in comments if not line.startswith(PREVIOUS_TRANSLATION_PREFIX)]
        _add_entry(catalogue, domain, message, said, comments)
    return _render_header(domain.name, spoken, path) + _render_body(catalogue, lines=False)


def update_catalogues(domain: TextDomain, languages: Sequence[str] = LANGUAGES, previous: Mapping[str, Mapping[str, Text]] | None = None,
           replacements: Mapping[str, Mapping[str, Text]] | None = None) -> list[Path]:
    """Updates the catalogues of a domain on disk and returns the paths of those that changed.

    `previous` and `replacements` contain translations by language (see `render_catalogue`)."""
    changed = []
    for lang in languages:
        path = catalogue_path(domain.locale, lang, domain.name)
        text = render_catalogue(domain, lang, (previous or {}).get(lang), (replacements or {}).get(lang))
        if not path.is_file() or read_bytes(path) != text.encode():
            _write_file(path, text)
            changed.append(path)
    return changed


def catalogue_status(domain: TextDomain, lang: str) -> CatalogueStatus:
    """Compares the catalogue of `lang` with the sources."""
    path = catalogue_path(domain.locale, lang, domain.name)
    found = read_entries(path)
    keys = {message.key for message in domain.messages}
    missing, stale = [], []
    for message in domain.messages:
        entry = found.get(message.key)
        if entry is None:
            missing.append(message.key)
        elif not _is_same_text(entry.id, message.english):
            stale.append(message.key)
        elif entry.fuzzy or not is_complete(entry.string):
            missing.append(message.key)
    gone = tuple(key for key in found if key not in keys)
    said = len(keys) - len(missing) - len(stale)
    return CatalogueStatus(lang, path, len(keys), said, tuple(missing), tuple(stale), gone)


def read_entries(path: Path) -> dict[str, Entry]:
    """Returns key → entry of a .po file, including empty and fuzzy entries. Empty if the file does not exist.

    Raises ValueError if the file cannot be read."""
    if not path.is_file():
        return {}
    catalogue = read_catalogue(read_bytes(path))
    return {entry.context: entry for entry in catalogue if entry.id and entry.context}


def check_readable(path: Path, findings: DiagnosticList) -> None:
    """Reports a .po file that cannot be read. A file that does not exist is not an error."""
    try:
        read_entries(path)
    except CatalogueError as error:
        add_catalogue_error(findings, str(path), error)


def is_complete(string: object) -> bool:
    """Whether a translation has text in all its plural forms."""
    return all(string) if isinstance(string, tuple | list) else bool(string)


def _add_entry(catalogue: Catalog, domain: TextDomain, message: SourceMessage, translation: Text, comments: Iterable[str] = ()) -> None:
    place = Path(message.place.path)
    root = domain.root.resolve()
    shown = place.resolve().relative_to(root) if place.resolve().is_relative_to(root) else place
    entry = catalogue.add(message.english, translation, [(shown.as_posix(), message.place.line)], (), message.comments, comments,
                          context=message.key)
    fields = not is_prose(message.key) and any(parse_template(text).fields for text in message.variants)
    entry.flags = {"python-brace-format"} if fields else set()      # Babel's guess depends on its version


def _render_body(catalogue: Catalog, lines: bool) -> str:
    out = io.BytesIO()
    write_po(out, catalogue, omit_header=True, width=_PO_LINE_WIDTH, include_lineno=lines, ignore_obsolete=True)
    return out.getvalue().decode("utf-8").rstrip("\n") + "\n"


def _render_header(domain: str, language_info: Language | None, path: Path | None) -> str:
    comment = [f"# {language_info.english} words of {domain}." if language_info else f"# Words of {domain}, to be translated."]
    if path and path.is_file():                                     # keep the translators' comment at the top
        lines = decode_catalogue(read_bytes(path)).split("\n")
        comment = list(takewhile(lambda line: line == "#" or line.startswith("# "), lines)) or comment
    own = [f"Language: {language_info.code}", *_credit_fields(language_info.english, path)] if language_info else []
    fields = [
        f"Project-Id-Version: {domain}",
        *own,
        f"Plural-Forms: {language_info.plural if language_info else DEFAULT_PLURALS}",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=UTF-8",
        "Content-Transfer-Encoding: 8bit",
    ]
    return "\n".join([*comment, 'msgid ""', 'msgstr ""', *(f'"{field}\\n"' for field in fields), "", ""])


def _credit_fields(language: str, path: Path | None) -> list[str]:
    """Returns the header fields about translator and date.

    They are copied from the existing file. msgfmt requires them, so there are default values."""
    text = decode_catalogue(read_bytes(path)) if path and path.is_file() else ""
    kept = dict(re.findall(r'^"(PO-Revision-Date|Last-Translator|Language-Team|X-Generator): (.+)\\n"$', text, re.M))
    usual = {"PO-Revision-Date": "2026-01-01 00:00+0000", "Last-Translator": "Ludoglot", "Language-Team": language}
    return [f"{name}: {said}" for name, said in {**usual, **kept}.items()]


def _is_same_text(old: object, english: Text) -> bool:
    return tuple(old) == tuple(english) if isinstance(old, tuple | list) and not isinstance(english, str) else old == english


def _as_text(string: object) -> Text:
    return tuple(map(str, string)) if isinstance(string, tuple | list) else str(string or "")


def _text_variants(text: Text) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else text


def _write_file(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, text.encode())
