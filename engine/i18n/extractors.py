"""Babel extractors, for those who work with pybabel: the entry points `babel.extractors` name the functions of this module."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import IO, Any

from ...dsl.diagnostics.diagnostic import Findings
from ...dsl.yaml.located_yaml import parse_yaml
from .message_sources import commented, in_clauses, in_codes, in_game, in_messages

Extracted = tuple[int, str, tuple[str, ...], list[str]]


def extract_messages(fileobj: IO[bytes], keywords: Mapping[str, Any], comment_tags: Collection[str],
                     options: Mapping[str, Any]) -> Iterator[Extracted]:
    """A `messages.yaml`: the key becomes the context of its text."""
    return _extract(fileobj, in_messages)


def extract_clauses(fileobj: IO[bytes], keywords: Mapping[str, Any], comment_tags: Collection[str],
                    options: Mapping[str, Any]) -> Iterator[Extracted]:
    """A `clauses.yaml`, without its excuses."""
    return _extract(fileobj, in_clauses)


def extract_game(fileobj: IO[bytes], keywords: Mapping[str, Any], comment_tags: Collection[str],
                 options: Mapping[str, Any]) -> Iterator[Extracted]:
    """The names and texts of a game's YAML."""
    return _extract(fileobj, in_game)


def extract_codes(fileobj: IO[bytes], keywords: Mapping[str, Any], comment_tags: Collection[str],
                  options: Mapping[str, Any]) -> Iterator[Extracted]:
    """The list of diagnostics."""
    return _extract(fileobj, in_codes)


def _extract(fileobj: IO[bytes], reader: Any) -> Iterator[Extracted]:
    text = fileobj.read().decode("utf-8")
    findings = Findings()
    document = parse_yaml(text, getattr(fileobj, "name", "") or "", findings)
    lines = text.splitlines()
    for message in reader(document, findings) if document else ():
        message = commented(message, lines)
        function = "pgettext" if isinstance(message.english, str) else "npgettext"
        yield message.place.line, function, (message.key, *message.variants), list(message.comments)
