"""Write the template of a domain and keep its catalogues in step with the English.

The key is the context of a message and the English its msgid. What is written depends on the sources and the translations alone: no
dates, no line numbers, the order of the sources, so that a changed sentence is a small difference in each file.
"""

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

# keeps the old translation of a text whose English changed
PREVIOUS_TRANSLATION_PREFIX = "before: "
_PO_LINE_WIDTH = 120


@dataclass(frozen=True)
class CatalogueStatus:
    """How far one language is: texts in all, said, not said yet, made from another English, and no longer asked for."""

    lang: str
    path: Path
    total: int
    said: int
    missing: tuple[str, ...]
    stale: tuple[str, ...]
    gone: tuple[str, ...]


def render_pot(domain: TextDomain) -> str:
    """The .pot of a domain: every text with its file and line."""
    catalogue = Catalog()
    for message in domain.messages:
        _add_entry(catalogue, domain, message, "" if isinstance(message.english, str) else ("", ""))
    return _render_header(domain.name, None, None) + _render_body(catalogue, lines=True)


def write_template(domain: TextDomain) -> Path:
    """Write `<locale>/<domain>.pot` and return its path."""
    path = domain.locale / f"{domain.name}.pot"
    _write_file(path, render_pot(domain))
    return path


def render_catalogue(domain: TextDomain, lang: str, begun: Mapping[str, str] | None = None, anew: Mapping[str, Text] | None = None) -> str:
    """The text of the catalogue of `lang` in step with the sources: new texts empty (English: as in the source), texts whose English
    changed empty with the old translation in a comment, texts that are gone dropped, translations and comments kept. `begun`:
    translations of texts that have none yet; `anew`: those that count, whatever was there."""
    path = catalogue_path(domain.locale, lang, domain.name)
    old = read_entries(path)
    spoken = find_language(lang) or read_language(domain.locale, lang)            # the second: one that is just begun
    forms, _ = parse_plural_rule(spoken.plural)
    catalogue = Catalog()                                           # without a locale: Babel would give Hungarian one plural form
    catalogue.mime_headers = [("Plural-Forms", spoken.plural)]
    for message in domain.messages:
        known = old.get(message.key)
        english = message.english
        said: Text = "" if isinstance(english, str) else ("",) * forms
        comments: list[str] = []
        if known:
            # it may go on for some lines
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
        if not is_complete(said) and begun and message.key in begun:
            said = begun[message.key]
        if anew and message.key in anew:
            said, comments = anew[message.key], [line for line in comments if not line.startswith(PREVIOUS_TRANSLATION_PREFIX)]
        _add_entry(catalogue, domain, message, said, comments)
    return _render_header(domain.name, spoken, path) + _render_body(catalogue, lines=False)


def update_catalogues(domain: TextDomain, languages: Sequence[str] = LANGUAGES, begun: Mapping[str, Mapping[str, str]] | None = None,
           anew: Mapping[str, Mapping[str, Text]] | None = None) -> list[Path]:
    """Bring the catalogues of a domain up to date on disk; the paths of those that changed. `begun`, `anew`: translations by language."""
    changed = []
    for lang in languages:
        path = catalogue_path(domain.locale, lang, domain.name)
        text = render_catalogue(domain, lang, (begun or {}).get(lang), (anew or {}).get(lang))
        if not path.is_file() or read_bytes(path) != text.encode():
            _write_file(path, text)
            changed.append(path)
    return changed


def catalogue_status(domain: TextDomain, lang: str) -> CatalogueStatus:
    """Where the catalogue of `lang` stands against the sources."""
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
    """Key → entry of a .po file, empty and fuzzy ones as well; nothing when it is not there. Raises ValueError when it cannot be read."""
    if not path.is_file():
        return {}
    catalogue = read_catalogue(read_bytes(path))
    return {entry.context: entry for entry in catalogue if entry.id and entry.context}


def check_readable(path: Path, findings: DiagnosticList) -> None:
    """Report a .po file that cannot be read. A file that is not there is no fault."""
    try:
        read_entries(path)
    except CatalogueError as error:
        add_catalogue_error(findings, str(path), error)


def is_complete(string: object) -> bool:
    """Whether a translation has all its texts."""
    return all(string) if isinstance(string, tuple | list) else bool(string)


def _add_entry(catalogue: Catalog, domain: TextDomain, message: SourceMessage, said: Text, comments: Iterable[str] = ()) -> None:
    place = Path(message.place.path)
    root = domain.root.resolve()
    shown = place.resolve().relative_to(root) if place.resolve().is_relative_to(root) else place
    entry = catalogue.add(message.english, said, [(shown.as_posix(), message.place.line)], (), message.comments, comments,
                          context=message.key)
    fields = not is_prose(message.key) and any(parse_template(text).fields for text in message.variants)
    entry.flags = {"python-brace-format"} if fields else set()      # Babel's own guess differs between its versions


def _render_body(catalogue: Catalog, lines: bool) -> str:
    out = io.BytesIO()
    write_po(out, catalogue, omit_header=True, width=_PO_LINE_WIDTH, include_lineno=lines, ignore_obsolete=True)
    return out.getvalue().decode("utf-8").rstrip("\n") + "\n"


def _render_header(domain: str, spoken: Language | None, path: Path | None) -> str:
    comment = [f"# {spoken.english} words of {domain}." if spoken else f"# Words of {domain}, to be translated."]
    if path and path.is_file():                                     # what translators wrote at the top stays
        lines = decode_catalogue(read_bytes(path)).split("\n")
        comment = list(takewhile(lambda line: line == "#" or line.startswith("# "), lines)) or comment
    own = [f"Language: {spoken.code}", *_credit_fields(spoken.english, path)] if spoken else []
    fields = [f"Project-Id-Version: {domain}", *own, f"Plural-Forms: {spoken.plural if spoken else DEFAULT_PLURALS}", "MIME-Version: 1.0",
              "Content-Type: text/plain; charset=UTF-8", "Content-Transfer-Encoding: 8bit"]
    return "\n".join([*comment, 'msgid ""', 'msgstr ""', *(f'"{field}\\n"' for field in fields), "", ""])


def _credit_fields(language: str, path: Path | None) -> list[str]:
    """Who translated, and when, as an editor of catalogues has written it; msgfmt asks for these fields where nobody has."""
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
