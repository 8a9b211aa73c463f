"""The texts of packs in their languages, and the forms of nouns.

A text without English counts in the first language that it has. Readers of other languages see that version."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..diagnostics.diagnostic import DiagnosticList, SourceSpan, did_you_mean
from ..languages.registry import BUILTIN_LANGUAGES
from ..yaml.located_yaml import LocatedYaml, get_value, parse_yaml
from ..yaml.po_files import CatalogueError, add_catalogue_error, read_catalogue
from ..yaml.schema import find_section_hint
from .manifest import Pack

PackText = str | tuple[str, str]


@dataclass
class OverlayTexts:
    """The texts of packs by key: `source` in the main language, `translations` in each language.

    `gone` holds keys of game texts that no longer hold."""

    source: dict[str, PackText] = field(default_factory=dict)
    translations: dict[str, dict[str, PackText]] = field(default_factory=lambda: {lang: {} for lang in BUILTIN_LANGUAGES})
    nouns: dict[str, dict[str, dict[str, str]]] = field(default_factory=lambda: {lang: {} for lang in BUILTIN_LANGUAGES})
    gone: set[str] = field(default_factory=set)
    foreign: set[str] = field(default_factory=set)                 # keys without English: the game's own English counts, if any
    places: dict[str, SourceSpan] = field(default_factory=dict)
    owner: dict[str, str] = field(default_factory=dict)            # key -> the last pack that defines it
    speaker: str = ""                                              # the pack being applied

    def add_text(self, key: str, value: Any, place: SourceSpan) -> PackText | None:
        """Adds a text written in English or in several languages. Returns the main version, or None if it has no text."""
        by_language = value if is_by_language(value) else {"en": value}
        found = {lang: text for lang in BUILTIN_LANGUAGES if (text := parse_text(by_language.get(lang))) is not None}
        if not found:
            return None
        self.gone.discard(key)
        self.owner[key], self.places[key] = self.speaker, place
        (self.foreign.discard if "en" in found else self.foreign.add)(key)
        for lang in BUILTIN_LANGUAGES:
            self.translations[lang].pop(key, None)
            if lang in found:
                self.translations[lang][key] = found[lang]
        self.source[key] = found.get("en", next(iter(found.values())))
        return self.source[key]


def is_by_language(value: Any) -> bool:
    """Whether a text is written in several languages, `{en: ..., it: ...}`."""
    return isinstance(value, Mapping) and bool(value) and set(value) <= set(BUILTIN_LANGUAGES)


def report_wrong_text(findings: DiagnosticList, document: LocatedYaml, path: tuple[Any, ...], name: str, section: str = "words") -> None:
    """Reports a value of a pack that is not a text: because of its languages, because it lacks quotation marks, or for another reason."""
    value = get_value(document.data, path)
    names = list(value) if isinstance(value, Mapping) else []
    hint = find_section_hint(section, name)
    strangers = [lang for lang in names if lang not in BUILTIN_LANGUAGES] if has_languages(value) and not hint else []
    for lang in strangers:
        report_unknown_language(findings, document.key_place(*path, lang), lang)
    if not strangers:
        is_field = len(names) == 1 and value[names[0]] is None     # `{who}` without quotation marks
        findings.add("H012", document.place(*path), hint="quote_braces" if is_field else hint, name=name)


def report_unknown_language(findings: DiagnosticList, place: SourceSpan, lang: Any) -> None:
    """Reports a language that Ludoglot does not know."""
    meant = did_you_mean(lang, BUILTIN_LANGUAGES)
    findings.add("Y010", place, hint="did_you_mean" if meant else "known_keys", name=lang, meant=meant, known=", ".join(BUILTIN_LANGUAGES))


def is_language_code(key: Any) -> bool:
    """Whether a key looks like a language. All other keys of texts and nouns have a point."""
    return re.fullmatch("[a-z]{2}", str(key)) is not None


def has_languages(value: Any) -> bool:
    """Whether a value is probably a text in several languages, known or unknown ones."""
    return isinstance(value, Mapping) and bool(value) and (
        all(map(is_language_code, value)) or not value.keys().isdisjoint(BUILTIN_LANGUAGES))


def parse_text(value: Any) -> PackText | None:
    """Returns a text, or the singular and plural of `{one: ..., other: ...}`, or None."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and isinstance(value.get("one"), str) and isinstance(value.get("other"), str):
        return (value["one"], value["other"])
    return None


def iter_by_key(pack: Pack, section: str) -> Iterator[tuple[str, Any, tuple[Any, ...]]]:
    """Yields the entries of `words` or `nouns` by key, with all languages of each and the path of the first.

    Packs may group these entries by key or by language."""
    found: dict[str, dict[str, Any]] = {}
    paths: dict[str, tuple[Any, ...]] = {}
    for first, inner in (pack.data.get(section) or {}).items():
        if is_language_code(first) and first not in BUILTIN_LANGUAGES:
            continue                                               # `report_unknown_languages` reports it
        if first in BUILTIN_LANGUAGES and isinstance(inner, Mapping):
            for key, value in inner.items():
                found.setdefault(str(key), {})[first] = value
                paths.setdefault(str(key), (section, first, key))
        else:
            found.setdefault(str(first), {}).update(inner if is_by_language(inner) else {"en": inner})
            paths.setdefault(str(first), (section, first))
    yield from ((key, value, paths[key]) for key, value in found.items())


def read_pack_locale(texts: OverlayTexts, pack: Pack, findings: DiagnosticList) -> None:
    """Reads the catalogues and lexicons of a pack directory.

    They are `locale/it/LC_MESSAGES/NAME.po` and `locale/it/lexicon/NAME.yaml`."""
    for name, text in pack.bundle.files.items():
        parts = name.split("/")
        if len(parts) < 4 or parts[0] != "locale" or parts[1] not in BUILTIN_LANGUAGES:
            continue
        if parts[2] == "lexicon":
            document = parse_yaml(text, pack.bundle.display_path(name), findings)
            for key, forms in (document.data if document is not None and isinstance(document.data, dict) else {}).items():
                if isinstance(forms, dict):
                    texts.nouns[parts[1]].setdefault(str(key), {str(form): str(said) for form, said in forms.items()})
        elif name.endswith(".po"):
            for key, said in _iter_translations(text, pack.bundle.display_path(name), findings):
                if key in texts.source:
                    texts.translations[parts[1]].setdefault(key, said)


def _iter_translations(text: str, display_path: str, findings: DiagnosticList) -> Iterator[tuple[str, PackText]]:
    """Yields the complete translations of a catalogue by key."""
    try:
        entries = list(read_catalogue(text.encode("utf-8")))
    except CatalogueError as error:
        add_catalogue_error(findings, display_path, error)
        return
    for entry in entries:
        said = tuple(entry.string) if isinstance(entry.string, tuple | list) else entry.string
        if entry.context and not entry.fuzzy and said and all(said if isinstance(said, tuple) else [said]):
            yield str(entry.context), said if isinstance(said, str) else (str(said[0]), str(said[-1]))
