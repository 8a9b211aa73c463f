"""Every English text of a domain, in file order, with its place and the comments for translators."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from ...dsl.diagnostics.diagnostic import CODES_FILE, DiagnosticList, SourceSpan
from ...dsl.diagnostics.safe_read import read_text
from ...dsl.yaml.located_yaml import LocatedYaml, read_yaml
from ...dsl.yaml.option_clauses import iter_option_sentences
from .localizer import DomainLayer
from .readers import DIAGNOSTICS_DOMAIN, ENGINE_DOMAIN, MESSAGES_FILE, SHIPPED_LOCALE, Text, clause_text, option_clause_key, parse_text
from .template import parse_template

TEXT_KEYS = ("name", "text")                                            # keys with a text in a game's YAML


@dataclass(frozen=True)
class SourceMessage:
    """One English text: key, text, place in the sources, and comments for translators."""

    key: str
    english: Text
    place: SourceSpan
    comments: tuple[str, ...] = ()

    @property
    def variants(self) -> tuple[str, ...]:
        """The text as a tuple of its plural forms."""
        return (self.english,) if isinstance(self.english, str) else self.english


@dataclass
class TextDomain:
    """The texts of one gettext domain and the locale folder of its catalogues. Copy it to change it.

    `beneath` lists the domains whose nouns it may use, and `below` contains their English texts."""

    name: str
    locale: Path
    messages: list[SourceMessage]
    beneath: list[DomainLayer] = field(default_factory=list)
    below: dict[str, Text] = field(default_factory=dict)            # English texts of the domains in `beneath`
    root: Path = SHIPPED_LOCALE.parent                                     # catalogues give paths relative to this folder
    folder: Path | None = None                                      # folder of the game

    @property
    def layers(self) -> list[DomainLayer]:
        return [*self.beneath, (self.name, self.locale)]

    @cached_property
    def english(self) -> dict[str, Text]:
        return {**self.below, **{message.key: message.english for message in self.messages}}


def engine_domain(findings: DiagnosticList) -> TextDomain:
    """Returns the domain of the engine's texts for players."""
    return TextDomain(
        ENGINE_DOMAIN, SHIPPED_LOCALE, _drop_duplicates(_read_file_messages(MESSAGES_FILE, iter_messages, findings), findings)
    )


@cache
def engine_domain_for_games() -> TextDomain:
    """Returns the engine's domain for use below a game's domain. It is cached, because it never changes while a
    program runs."""
    return engine_domain(DiagnosticList())


def diagnostics_domain(findings: DiagnosticList) -> TextDomain:
    """Returns the domain of the checker's texts for authors of rules."""
    return TextDomain(
        DIAGNOSTICS_DOMAIN, SHIPPED_LOCALE, _drop_duplicates(_read_file_messages(CODES_FILE, iter_code_messages, findings), findings)
    )


def game_domain(folder: Path, findings: DiagnosticList, name: str | None = None) -> TextDomain:
    """Returns the texts of a game or a house-rule pack in `folder`.

    `name` is the domain. The default is the game's id, or the name of the folder."""
    main = folder / "game.yaml"
    found: list[SourceMessage] = []
    document = read_yaml(main, findings) if main.is_file() else None
    data = document.data if document and isinstance(document.data, dict) else {}
    if document:
        found += _attach_comments(main, iter_game_messages(document, findings))
        for part in data.get("data") or []:
            found += _read_file_messages(folder / str(part), iter_game_messages, findings)
    for file, reader in (("messages.yaml", iter_messages), ("clauses.yaml", iter_clause_messages)):
        if (folder / file).is_file():
            found += _read_file_messages(folder / file, reader, findings)
    shipped = folder.resolve().is_relative_to(SHIPPED_LOCALE.parent) and not (folder / "locale").is_dir()
    engine = engine_domain_for_games()
    return TextDomain(name or str(data.get("game") or folder.resolve().name), SHIPPED_LOCALE if shipped else folder / "locale",
                  _drop_duplicates(found, findings), engine.layers, engine.english, SHIPPED_LOCALE.parent if shipped else folder,
                  folder)


# ---------------------------------------------------------------- texts by kind of file


def iter_messages(document: LocatedYaml, findings: DiagnosticList) -> Iterator[SourceMessage]:
    """Yields the texts of a messages file: `key: "sentence"`, or `key: {one: …, other: …}` if the text depends on
    the number n."""
    for key, value in _mapping_items(document.data):
        text = parse_text(value)
        if text is None:
            hint = "in_quotes" if value is None or isinstance(value, int | float) else None  # YAML parsed the text as a number or null
            findings.add("T001", document.place(key), hint=hint, key=key)
        else:
            yield SourceMessage(str(key), text, document.key_place(key))


def iter_clause_messages(document: LocatedYaml, findings: DiagnosticList) -> Iterator[SourceMessage]:
    """Yields the sentences of a clauses file: `ID: "sentence"` or `ID: {text: "sentence", …}`.

    The reasons for excuses are texts of the engine (see dsl/yaml/clause_index.py)."""
    for key, value in _mapping_items(document.data):
        text = clause_text(value)
        if text is not None:
            at = document.key_place(key, "text") if isinstance(value, Mapping) else document.key_place(key)
            yield SourceMessage(f"clause.{key}", text, at)
            for option, chosen, said in iter_option_sentences(value):
                if said is not None:
                    yield SourceMessage(option_clause_key(str(key), option, chosen), said, document.key_place(key, "with", option, chosen))
        elif value is not None and not isinstance(value, Mapping):
            findings.add("T001", document.place(key), key=key)


def iter_code_messages(document: LocatedYaml, findings: DiagnosticList) -> Iterator[SourceMessage]:
    """Yields the texts of the list of diagnostics: message, note and explanation of each code, hints, and labels."""
    data = document.data if isinstance(document.data, Mapping) else {}
    for code, entry in _mapping_items(data.get("codes")):
        for part, text in _mapping_items(entry):
            if isinstance(text, str):
                yield SourceMessage(f"diagnostic.{code}.{part}", text, document.key_place("codes", code, part))
    for section, kind in (("hints", "hint"), ("phrases", "phrase"), ("frame", "frame")):
        for name, text in _mapping_items(data.get(section)):
            if isinstance(text, str):
                yield SourceMessage(f"{kind}.{name}", text, document.key_place(section, name))


def iter_game_messages(document: LocatedYaml, findings: DiagnosticList) -> Iterator[SourceMessage]:
    """Yields the names and texts in a game's YAML: the game, its options, its types with their members, its pieces."""
    data = document.data if isinstance(document.data, Mapping) else {}
    yield from _iter_entry_messages("game", data, (), document)
    for option, entry in _mapping_items(data.get("options")):
        yield from _iter_entry_messages(f"variant.{option}", entry, ("options", option), document)
    for section, inner in (("enums", "members"), ("pieces", "copies")):
        for name, entry in _mapping_items(data.get(section)):
            yield from _iter_entry_messages(name, entry, (section, name), document, ("name",))
            for member, given in _mapping_items(entry.get(inner) if isinstance(entry, Mapping) else None):
                yield from _iter_entry_messages(f"{name}.{member}", given, (section, name, inner, member), document)


def _iter_entry_messages(
    key: str, entry: Any, path: tuple[str, ...], document: LocatedYaml, words: Iterable[str] = TEXT_KEYS
) -> Iterator[SourceMessage]:
    for word in words:
        text = entry.get(word) if isinstance(entry, Mapping) else None
        if text is not None:
            numbers = [
                f"{{{name}}} = {entry[name]}" for name in sorted(parse_template(str(text)).names) if isinstance(entry.get(name), int)
            ]
            yield SourceMessage(f"{key}.{word}", str(text), document.key_place(*path, word), (", ".join(numbers),) if numbers else ())


def _mapping_items(value: Any) -> Iterable[tuple[Any, Any]]:
    return list(value.items()) if isinstance(value, Mapping) else []


# ---------------------------------------------------------------- comments and duplicates


def _read_file_messages(path: Path, reader: Any, findings: DiagnosticList) -> list[SourceMessage]:
    document = read_yaml(path, findings)
    return _attach_comments(path, reader(document, findings)) if document else []


def _attach_comments(path: Path, messages: Iterable[SourceMessage]) -> list[SourceMessage]:
    lines = read_text(path).splitlines()
    return [attach_yaml_comment(message, lines) for message in messages]


def attach_yaml_comment(message: SourceMessage, lines: list[str]) -> SourceMessage:
    """Returns `message` with the YAML comment directly above it, which is meant for translators too."""
    above: list[str] = []
    at = message.place.line - 2
    while at >= 0 and lines[at].lstrip().startswith("#") and "yaml-language-server" not in lines[at]:
        above.insert(0, lines[at].strip("# \t"))
        at -= 1
    if not above:
        return message
    return SourceMessage(message.key, message.english, message.place, (" ".join(above), *message.comments))


def _drop_duplicates(messages: list[SourceMessage], findings: DiagnosticList) -> list[SourceMessage]:
    """Removes duplicate keys and reports them (T002)."""
    first: dict[str, SourceMessage] = {}
    for message in messages:
        if message.key in first:
            findings.add("T002", message.place, also=(first[message.key].place,), key=message.key)
        first.setdefault(message.key, message)
    return list(first.values())
