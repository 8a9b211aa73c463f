"""Every English text of a domain, in the order of its files, with its place and what a translator should know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ...dsl.diagnostics.diagnostic import CODES_FILE, Findings, Place
from ...dsl.diagnostics.safe_read import read_text
from ...dsl.yaml.located_yaml import Document, read_yaml
from ...dsl.yaml.option_clauses import under_choices
from .localizer import Layer
from .readers import DIAGNOSTICS, ENGINE, MESSAGES_FILE, SHIPPED, Text, as_text, choice_key, clause_text
from .template import parse

WORDS = ("name", "text")                                            # what has words in a game's YAML


@dataclass(frozen=True)
class Message:
    """One text: its key, the English, where it is written, and comments for translators."""

    key: str
    english: Text
    place: Place
    comments: tuple[str, ...] = ()

    @property
    def variants(self) -> tuple[str, ...]:
        return (self.english,) if isinstance(self.english, str) else self.english


@dataclass
class Domain:
    """The texts of one gettext domain, the locale folder of its catalogues, and the domains beneath it whose nouns it may use."""

    name: str
    locale: Path
    messages: list[Message]
    beneath: list[Layer] = field(default_factory=list)
    below: dict[str, Text] = field(default_factory=dict)            # English of the domains beneath
    root: Path = SHIPPED.parent                                     # places are told from here in catalogues
    folder: Path | None = None                                      # of a game

    @property
    def layers(self) -> list[Layer]:
        return [*self.beneath, (self.name, self.locale)]

    @property
    def english(self) -> dict[str, Text]:
        return {**self.below, **{message.key: message.english for message in self.messages}}


def engine_domain(findings: Findings) -> Domain:
    """What the engine says to players."""
    return Domain(ENGINE, SHIPPED, _without_doubles(_of_file(MESSAGES_FILE, in_messages, findings), findings))


@cache
def beneath_games() -> Domain:
    """The engine's domain as games have it beneath theirs: read once, since nothing changes it while a program runs."""
    return engine_domain(Findings())


def diagnostics_domain(findings: Findings) -> Domain:
    """What the checker says to authors of rules."""
    return Domain(DIAGNOSTICS, SHIPPED, _without_doubles(_of_file(CODES_FILE, in_codes, findings), findings))


def game_domain(folder: Path, findings: Findings, name: str | None = None) -> Domain:
    """The texts of a game or of a house-rule pack in `folder`. `name`: the domain, else the game's id, else the folder's name."""
    main = folder / "game.yaml"
    found: list[Message] = []
    document = read_yaml(main, findings) if main.is_file() else None
    data = document.data if document and isinstance(document.data, dict) else {}
    if document:
        found += _with_comments(main, in_game(document, findings))
        for part in data.get("data") or []:
            found += _of_file(folder / str(part), in_game, findings)
    for file, reader in (("messages.yaml", in_messages), ("clauses.yaml", in_clauses)):
        if (folder / file).is_file():
            found += _of_file(folder / file, reader, findings)
    shipped = folder.resolve().is_relative_to(SHIPPED.parent) and not (folder / "locale").is_dir()
    engine = beneath_games()
    return Domain(name or str(data.get("game") or folder.resolve().name), SHIPPED if shipped else folder / "locale",
                  _without_doubles(found, findings), engine.layers, engine.english, SHIPPED.parent if shipped else folder,
                  folder)


# ---------------------------------------------------------------- what each kind of file says


def in_messages(document: Document, findings: Findings) -> Iterator[Message]:
    """`key: "sentence"`, or `key: {one: …, other: …}` where it turns on the number n."""
    for key, value in _items(document.data):
        text = as_text(value)
        if text is None:
            hint = "in_quotes" if value is None or isinstance(value, int | float) else None  # YAML took the text for it
            findings.add("T001", document.place(key), hint=hint, key=key)
        else:
            yield Message(str(key), text, document.key_place(key))


def in_clauses(document: Document, findings: Findings) -> Iterator[Message]:
    """`ID: "sentence"` or `ID: {text: "sentence", …}`; reasons are texts of the engine (see dsl/yaml/clause_index.py)."""
    for key, value in _items(document.data):
        text = clause_text(value)
        if text is not None:
            at = document.key_place(key, "text") if isinstance(value, Mapping) else document.key_place(key)
            yield Message(f"clause.{key}", text, at)
            for option, chosen, said in under_choices(value):
                if said is not None:
                    yield Message(choice_key(str(key), option, chosen), said, document.key_place(key, "with", option, chosen))
        elif value is not None and not isinstance(value, Mapping):
            findings.add("T001", document.place(key), key=key)


def in_codes(document: Document, findings: Findings) -> Iterator[Message]:
    """The list of diagnostics: message, note and explain of each code, the hints, and the words around a diagnostic."""
    data = document.data if isinstance(document.data, Mapping) else {}
    for code, entry in _items(data.get("codes")):
        for part, text in _items(entry):
            if isinstance(text, str):
                yield Message(f"diagnostic.{code}.{part}", text, document.key_place("codes", code, part))
    for section, kind in (("hints", "hint"), ("phrases", "phrase"), ("frame", "frame")):
        for name, text in _items(data.get(section)):
            if isinstance(text, str):
                yield Message(f"{kind}.{name}", text, document.key_place(section, name))


def in_game(document: Document, findings: Findings) -> Iterator[Message]:
    """Names and texts of a game's YAML: the game, its options, its types and their members, its pieces."""
    data = document.data if isinstance(document.data, Mapping) else {}
    yield from _words("game", data, (), document)
    for option, entry in _items(data.get("options")):
        yield from _words(f"variant.{option}", entry, ("options", option), document)
    for section, inner in (("enums", "members"), ("pieces", "copies")):
        for name, entry in _items(data.get(section)):
            yield from _words(name, entry, (section, name), document, ("name",))
            for member, given in _items(entry.get(inner) if isinstance(entry, Mapping) else None):
                yield from _words(f"{name}.{member}", given, (section, name, inner, member), document)


def _words(key: str, entry: Any, path: tuple[str, ...], document: Document, words: Iterable[str] = WORDS) -> Iterator[Message]:
    for word in words:
        text = entry.get(word) if isinstance(entry, Mapping) else None
        if text is not None:
            numbers = [f"{{{name}}} = {entry[name]}" for name in sorted(parse(str(text)).names) if isinstance(entry.get(name), int)]
            yield Message(f"{key}.{word}", str(text), document.key_place(*path, word), (", ".join(numbers),) if numbers else ())


def _items(value: Any) -> Iterable[tuple[Any, Any]]:
    return list(value.items()) if isinstance(value, Mapping) else []


# ---------------------------------------------------------------- comments and doubles


def _of_file(path: Path, reader: Any, findings: Findings) -> list[Message]:
    document = read_yaml(path, findings)
    return _with_comments(path, reader(document, findings)) if document else []


def _with_comments(path: Path, messages: Iterable[Message]) -> list[Message]:
    lines = read_text(path).splitlines()
    return [commented(message, lines) for message in messages]


def commented(message: Message, lines: list[str]) -> Message:
    """`message` with the YAML comment that stands right above it, which is meant for translators as well."""
    above: list[str] = []
    at = message.place.line - 2
    while at >= 0 and lines[at].lstrip().startswith("#") and "yaml-language-server" not in lines[at]:
        above.insert(0, lines[at].strip("# \t"))
        at -= 1
    if not above:
        return message
    return Message(message.key, message.english, message.place, (" ".join(above), *message.comments))


def _without_doubles(messages: list[Message], findings: Findings) -> list[Message]:
    first: dict[str, Message] = {}
    for message in messages:
        if message.key in first:
            findings.add("T002", message.place, also=(first[message.key].place,), key=message.key)
        first.setdefault(message.key, message)
    return list(first.values())
