"""Renders diagnostics: as text with the source line and a mark under the words, or as plain data for programs.

Texts come from a lookup function `text(key, **args)`. The default is the English of codes.yaml. Contents of files are
made safe for terminals: control characters and bidirectional controls become visible."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from ..types.types import Type
from .diagnostic import Diagnostic, Phrase, PhraseList, SourceSpan, _load_catalogue, fill_template
from .safe_read import read_bytes
from .sanitize import BIDI_CONTROLS
from .source_lines import split_lines

TextLookup = Callable[..., str]                                          # text(key, **args): the text of a key in some language
LineReader = Callable[[str], list[str] | None]                           # the lines of a file, or None if it does not exist
Painter = Callable[[str, str], str]                                  # paint(role, words): error, warning, place, source, mark, help

MAX_SHOWN = 20                           # diagnostics
TAB_WIDTH = 4
MAX_SOURCE_COLUMNS = 120                         # of a longer line, only the part around the mark is shown
MARK_CONTEXT_COLUMNS = 30
MAX_ARGUMENT_CHARS = 300


def english_text(key: str, /, **args: Any) -> str:
    """Returns an English text of codes.yaml.

    Keys are, for example, `diagnostic.R101.message`, `diagnostic.R101.note`, `hint.at_least`, `frame.more`."""
    kind, *path = key.split(".")
    found: Any = _load_catalogue().get({"diagnostic": "codes", "hint": "hints", "frame": "frame", "phrase": "phrases"}.get(kind, ""), {})
    for part in path:
        found = found.get(part, {}) if isinstance(found, dict) else {}
    return fill_template(found, args) if isinstance(found, str) else ""


def read_lines(path: str) -> list[str] | None:
    """Returns the lines of a text file as the passes count them, or None if it cannot be read."""
    try:
        source = read_bytes(path).decode("utf-8", "replace")
    except (OSError, ValueError):
        return None
    return split_lines(source)


def paint_plain(role: str, words: str) -> str:
    """Returns the words without colour."""
    return words


def sanitize_argument(words: str) -> str:
    """Returns words from a file, shortened and safe for a terminal. Unprintable characters become code points."""
    short = words if len(words) <= MAX_ARGUMENT_CHARS else words[:MAX_ARGUMENT_CHARS] + "…"
    return "".join(c if c.isprintable() and c not in BIDI_CONTROLS else f"<U+{ord(c):04X}>" for c in short)


def _lookup_text(text: TextLookup, key: str, args: dict[str, Any]) -> str:
    """Returns the text for a key. Types and numbers are passed on unchanged, so that `text` can translate them."""
    kept = (Type, int, type(None))
    return text(
        key, **{name: value if isinstance(value, kept) else sanitize_argument(_argument_text(text, value)) for name, value in args.items()}
    )


def _argument_text(text: TextLookup, value: object) -> str:
    """Returns an argument of a diagnostic as text in the language of the reader."""
    if isinstance(value, Phrase):
        return text(f"phrase.{value.name}", **{name: sanitize_argument(detail) for name, detail in value.details})
    if isinstance(value, PhraseList):
        return value.joint.join(_argument_text(text, part) for part in value.parts)
    return str(value)


# ---------------------------------------------------------------- one diagnostic


def message_text(diagnostic: Diagnostic, text: TextLookup = english_text) -> str:
    """Returns the message of a diagnostic."""
    return _lookup_text(text, f"diagnostic.{diagnostic.code}.message", diagnostic.args) or sanitize_argument(str(diagnostic.args))


def hint_text(diagnostic: Diagnostic, text: TextLookup = english_text) -> str | None:
    """Returns the hint of a diagnostic, or None."""
    return _lookup_text(text, f"hint.{diagnostic.hint}", diagnostic.args) or None if diagnostic.hint else None


def render_diagnostic(
    diagnostic: Diagnostic, text: TextLookup = english_text, read_line: LineReader = read_lines, paint: Painter = paint_plain
) -> str:
    """Renders one diagnostic with its source lines.

    `read_line` returns the lines of a file. `paint` can colour each part by its role."""
    severity = diagnostic.severity
    note = _lookup_text(text, f"diagnostic.{diagnostic.code}.note", diagnostic.args)
    shown = [(diagnostic.place, note), *((place, text("frame.also")) for place in diagnostic.also),
             *((place, text("frame.called")) for place in diagnostic.calls)]
    lines = [_source_line(place, read_line) for place, _ in shown]
    margin = max([2, *(len(str(place.line)) for (place, _), line in zip(shown, lines) if line is not None)])
    out = [paint(severity, f"{text(f'frame.{severity}')}[{diagnostic.code}]") + f": {message_text(diagnostic, text)}"]
    for (place, words), line in zip(shown, lines):
        out.append(f"{' ' * margin}--> {paint('place', sanitize_argument(_format_address(place)))}")
        if line is not None:
            source, gap, run = mark_line(line, place)
            out.append(f"{place.line:>{margin}} | {paint('source', source)}".rstrip())
            out.append(f"{' ' * margin} | {' ' * gap}{paint('mark', ('^' * run + ' ' + words).rstrip())}")
    if diagnostic.values:
        values = ", ".join(f"{name} = {value}" for name, value in diagnostic.values)
        out.append(f"{' ' * margin} {paint('help', '= ' + sanitize_argument(text('frame.values', values=values)))}")
    help_ = [f"= {words}" for words in (hint_text(diagnostic, text), _explain_text(diagnostic, text)) if words]
    out.append(f"{' ' * margin} {paint('help', '      '.join(help_))}")
    return "\n".join(out)


def _explain_text(diagnostic: Diagnostic, text: TextLookup) -> str:
    """Returns the command that explains a diagnostic, which is the same in every language, and its clause."""
    return f"explain {diagnostic.code}" + (f" · {text('frame.clause', clause=diagnostic.clause)}" if diagnostic.clause else "")


def _format_address(place: SourceSpan) -> str:
    """Returns path:line:column, or only the path if the diagnostic is about the whole file."""
    return place.path if _is_whole_file(place) else f"{place.path}:{place.line}:{place.column}"


def _is_whole_file(place: SourceSpan) -> bool:
    return place.line == 1 and place.column == 1 and not place.end


def _source_line(place: SourceSpan, read_line: LineReader) -> str | None:
    if _is_whole_file(place):
        return None
    lines = read_line(place.path)
    return lines[place.line - 1] if lines is not None and 0 < place.line <= len(lines) else None


# ---------------------------------------------------------------- columns


def char_width(char: str) -> int:
    """Returns the number of terminal columns of a character."""
    if unicodedata.category(char) in ("Mn", "Me", "Cf") and char not in BIDI_CONTROLS:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def mark_line(line: str, place: SourceSpan) -> tuple[str, int, int]:
    """Returns a source line as shown, the columns before the marked words, and the columns of these words."""
    start = max(0, place.column - 1)
    stop = max(start + 1, place.end - 1)
    if stop == start + 1:                                          # a span of one character stands for the word that begins there
        while start < len(line) and stop < len(line) and _is_word_char(line[start]) and _is_word_char(line[stop]):
            stop += 1
    shown, columns = [], [0]                                       # columns[n]: first column of character n
    for char in line:
        written, taken = _render_char(char, columns[-1])
        shown.append(written)
        columns.append(columns[-1] + taken)
    while len(columns) <= stop:                                    # the span may begin after the end of the line
        columns.append(columns[-1] + 1)
    first, last = 0, len(line)
    if columns[last] > MAX_SOURCE_COLUMNS:
        first, last = _select_window(columns, start, len(line))
    gap, run = columns[start] - columns[first], columns[min(stop, max(last, start + 1))] - columns[start]
    before, after = ("… " if first else ""), (" …" if last < len(line) else "")
    return before + "".join(shown[first:last]) + after, gap + len(before), max(1, run)


def _select_window(columns: list[int], start: int, length: int) -> tuple[int, int]:
    """Returns the start and end of the visible part of a long line."""
    first = min(start, length)
    while first > 0 and columns[start] - columns[first - 1] <= MARK_CONTEXT_COLUMNS:
        first -= 1
    last = first
    while last < length and columns[last + 1] - columns[first] <= MAX_SOURCE_COLUMNS - 4:
        last += 1
    return first, last


def _is_word_char(char: str) -> bool:
    return char.isalnum() or char == "_" or unicodedata.combining(char) > 0


def _render_char(char: str, at: int) -> tuple[str, int]:
    """Returns a character as shown at column `at`, and its number of columns."""
    if char == "\t":
        n = TAB_WIDTH - at % TAB_WIDTH
        return " " * n, n
    if char in BIDI_CONTROLS or unicodedata.category(char) in ("Cs", "Zl", "Zp", "Co", "Cn"):
        return "\ufffd", 1
    if unicodedata.category(char) == "Cc":
        return (chr(0x2400 + ord(char)) if ord(char) < 32 else "\ufffd"), 1
    return char, char_width(char)


# ---------------------------------------------------------------- several diagnostics


def render_all(findings: Iterable[Diagnostic], text: TextLookup = english_text, limit: int = MAX_SHOWN, read_line: LineReader = read_lines,
               paint: Painter = paint_plain) -> str:
    """Renders the first `limit` diagnostics, separated by blank lines, and the number of the others."""
    every = list(findings)
    once: LineReader = cache(read_line)
    parts = [render_diagnostic(found, text, once, paint) for found in every[:limit]]
    if len(every) > limit:
        parts.append(text("frame.more", count=len(every) - limit))
    return "\n\n".join(parts)


def diagnostic_data(diagnostic: Diagnostic, text: TextLookup = english_text) -> dict[str, Any]:
    """Returns one diagnostic as data for programs. The keys are the same in every language."""
    place = diagnostic.place
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "file": place.path,
        "line": place.line,
        "column": place.column,
        "end": place.end or place.column,
        "message": message_text(diagnostic, text),
        "hint": hint_text(diagnostic, text),
        "clause": diagnostic.clause,
        **(
            {"calls": [{"file": call.path, "line": call.line, "column": call.column} for call in diagnostic.calls]}
            if diagnostic.calls
            else {}
        ),
        **({"values": dict(diagnostic.values)} if diagnostic.values else {}),
    }
