"""Message extractors for Babel, for people who work with pybabel.

The entry points `babel.extractors` in pyproject.toml refer to the functions of this module."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import IO, Any

from ...dsl.diagnostics.diagnostic import DiagnosticList
from ...dsl.yaml.located_yaml import parse_yaml
from .message_sources import attach_yaml_comment, iter_clause_messages, iter_code_messages, iter_game_messages, iter_messages

ExtractedMessage = tuple[int, str, tuple[str, ...], list[str]]


def extract_messages(fileobj: IO[bytes], keywords: Mapping[str, Any], comment_tags: Collection[str],
                     options: Mapping[str, Any]) -> Iterator[ExtractedMessage]:
    """Extracts the texts of a `messages.yaml`. The key becomes the message context."""
    return _extract(fileobj, iter_messages)


def extract_clauses(fileobj: IO[bytes], keywords: Mapping[str, Any], comment_tags: Collection[str],
                    options: Mapping[str, Any]) -> Iterator[ExtractedMessage]:
    """Extracts the sentences of a `clauses.yaml`, without its excuses."""
    return _extract(fileobj, iter_clause_messages)


def extract_game(fileobj: IO[bytes], keywords: Mapping[str, Any], comment_tags: Collection[str],
                 options: Mapping[str, Any]) -> Iterator[ExtractedMessage]:
    """Extracts the names and texts of a game's YAML."""
    return _extract(fileobj, iter_game_messages)


def extract_codes(fileobj: IO[bytes], keywords: Mapping[str, Any], comment_tags: Collection[str],
                  options: Mapping[str, Any]) -> Iterator[ExtractedMessage]:
    """Extracts the texts of the list of diagnostics."""
    return _extract(fileobj, iter_code_messages)


def _extract(fileobj: IO[bytes], reader: Any) -> Iterator[ExtractedMessage]:
    text = fileobj.read().decode("utf-8")
    findings = DiagnosticList()
    document = parse_yaml(text, getattr(fileobj, "name", "") or "", findings)
    lines = text.splitlines()
    for message in reader(document, findings) if document else ():
        message = attach_yaml_comment(message, lines)
        function = "pgettext" if isinstance(message.english, str) else "npgettext"
        yield message.place.line, function, (message.key, *message.variants), list(message.comments)
