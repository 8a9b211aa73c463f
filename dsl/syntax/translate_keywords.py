"""The same rules with the words of another human language: keywords are exchanged, and nothing else is touched."""

from __future__ import annotations

from collections.abc import Iterable

from lark import Token

from ..diagnostics.diagnostic import DiagnosticList
from ..diagnostics.source_lines import normalize_source
from .format import format_text, tree_shape
from .parse import SOURCE_LANGUAGE, build_parser, find_declarations, keywords, parse


def detect_language(source: str, path: str, languages: Iterable[str]) -> str | None:
    """The language whose words these rules are written in; None where they cannot be read in any."""
    for language in (SOURCE_LANGUAGE, *languages):
        findings = DiagnosticList()
        parse(source, path, findings, language)
        if not findings.errors:
            return language
    return None


def translate_rules(source: str, path: str, language: str, wanted: str) -> tuple[str, list[str]]:
    """The rules of `language` in the words of `wanted`, laid out; and, where that cannot be, the names in them that are such words."""
    reserved = {word for word in keywords(wanted)["words"].values() if " " not in word}
    source = normalize_source(source)
    taken = sorted({str(token) for _, token in _read_tokens(source, language) if token.type == "NAME"} & reserved)
    if taken:
        return source, taken
    there = _replace_keywords(source, language, wanted)
    findings = DiagnosticList()
    parse(there, path, findings, wanted)
    assert not findings.errors and _parse_shapes(_replace_keywords(there, wanted, language), path, language) == _parse_shapes(
        source, path, language
    )
    return format_text(there, path, wanted), []


def _replace_keywords(source: str, language: str, wanted: str) -> str:
    here, there = keywords(language), keywords(wanted)
    spelling = {**there["words"], **there["soft"]}
    folds = dict(zip(here["folds"], there["folds"]))
    out, at = [], 0
    for begun, token in _read_tokens(source, language):
        new = folds[str(token)] if token.type == "FOLD" else spelling.get(token.type)
        if new is not None and token.start_pos is not None and token.end_pos is not None:
            out += [source[at : begun + token.start_pos], new]
            at = begun + token.end_pos
    return "".join([*out, source[at:]])


def _read_tokens(source: str, language: str) -> list[tuple[int, Token]]:
    """The words and signs of rules that can be read, with where the declaration begins in which their places count: as the parser reads
    them, one after the other."""
    read = build_parser(language).parse_interactive
    return [(start, token) for start, end in find_declarations(source) for token in read(source[start:end].rstrip() + "\n").iter_parse()]


def _parse_shapes(source: str, path: str, language: str) -> list[object]:
    return [tree_shape(node) for node in parse(source, path, DiagnosticList(), language)]
