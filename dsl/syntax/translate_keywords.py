"""Translates the keywords of rules into another human language and leaves everything else unchanged."""

from __future__ import annotations

from collections.abc import Iterable

from lark import Token

from ..diagnostics.diagnostic import DiagnosticList
from ..diagnostics.source_lines import normalize_source
from .format import format_text, tree_shape
from .lark_parser import SOURCE_LANGUAGE, build_parser, find_declarations, keywords
from .parse import parse


def detect_language(source: str, path: str, languages: Iterable[str]) -> str | None:
    """Returns the language of the keywords in a text, or None if it cannot be parsed in any language."""
    for language in (SOURCE_LANGUAGE, *languages):
        findings = DiagnosticList()
        parse(source, path, findings, language)
        if not findings.errors:
            return language
    return None


def translate_rules(source: str, path: str, language: str, wanted: str) -> tuple[str, list[str]]:
    """Returns formatted rules with the keywords of `wanted`, and an empty list.

    If names in the rules are keywords of `wanted`, returns the rules unchanged with these names."""
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
    """Replaces each keyword by that of another language."""
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
    """Returns the tokens of valid rules in order, each with the offset of its declaration in the source.

    The position of a token counts from that offset."""
    read = build_parser(language).parse_interactive
    return [(start, token) for start, end in find_declarations(source) for token in read(source[start:end].rstrip() + "\n").iter_parse()]


def _parse_shapes(source: str, path: str, language: str) -> list[object]:
    """Returns the shapes of the declarations of a text."""
    return [tree_shape(node) for node in parse(source, path, DiagnosticList(), language)]
