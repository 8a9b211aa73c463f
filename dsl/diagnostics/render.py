"""A diagnostic as a reader sees it: a frame of text with the source line and the marked words, or plain data for programs.

The words come from a lookup function `text(key, **args)`; without one they are the English of codes.yaml. Nothing that stands in a
file can do more than be read: control characters and marks that turn the writing direction are made visible.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from ..types.types import Type
from .diagnostic import Diagnostic, Phrase, PhraseList, SourceSpan, _load_catalogue, fill_template
from .safe_read import read_bytes
from .sanitize import BIDI_CONTROLS
from .source_lines import split_lines

TextLookup = Callable[..., str]                                          # text(key, **args): the words for a key in some language
LineReader = Callable[[str], list[str] | None]                           # the lines of a file, None when there is no such file
Painter = Callable[[str, str], str]                                  # paint(role, words): error, warning, place, source, mark, help

MAX_SHOWN = 20                           # diagnostics shown in one go
TAB_WIDTH = 4
MAX_SOURCE_COLUMNS = 120                         # columns of a source line; of a longer one the part around the mark is shown
MARK_CONTEXT_COLUMNS = 30
MAX_ARGUMENT_CHARS = 300                        # characters of an argument


def english_text(key: str, /, **args: Any) -> str:
    """The words of codes.yaml: `diagnostic.R101.message`, `diagnostic.R101.note`, `hint.at_least`, `frame.more`."""
    kind, *path = key.split(".")
    found: Any = _load_catalogue().get({"diagnostic": "codes", "hint": "hints", "frame": "frame", "phrase": "phrases"}.get(kind, ""), {})
    for part in path:
        found = found.get(part, {}) if isinstance(found, dict) else {}
    return fill_template(found, args) if isinstance(found, str) else ""


def read_lines(path: str) -> list[str] | None:
    """The lines of a text file as the passes count them, None when it cannot be read."""
    try:
        source = read_bytes(path).decode("utf-8", "replace")
    except (OSError, ValueError):
        return None
    return split_lines(source)


def paint_plain(role: str, words: str) -> str:
    """No colour."""
    return words


def sanitize_argument(words: str) -> str:
    """Words from a file, safe on a terminal and not too many: what does not print is written as its number."""
    short = words if len(words) <= MAX_ARGUMENT_CHARS else words[:MAX_ARGUMENT_CHARS] + "…"
    return "".join(c if c.isprintable() and c not in BIDI_CONTROLS else f"<U+{ord(c):04X}>" for c in short)


def _lookup_text(text: TextLookup, key: str, args: dict[str, Any]) -> str:
    """The words for a key; arguments that are types and numbers stay what they are, so that `text` can put them into words."""
    kept = (Type, int, type(None))
    return text(
        key, **{name: value if isinstance(value, kept) else sanitize_argument(_argument_text(text, value)) for name, value in args.items()}
    )


def _argument_text(text: TextLookup, value: object) -> str:
    """Return an argument of a diagnostic in the words of the reader's language."""
    if isinstance(value, Phrase):
        return text(f"phrase.{value.name}", **{name: sanitize_argument(detail) for name, detail in value.details})
    if isinstance(value, PhraseList):
        return value.joint.join(_argument_text(text, part) for part in value.parts)
    return str(value)


# ---------------------------------------------------------------- one diagnostic


def message_text(found: Diagnostic, text: TextLookup = english_text) -> str:
    """The sentence that says what is wrong."""
    return _lookup_text(text, f"diagnostic.{found.code}.message", found.args) or sanitize_argument(str(found.args))


def hint_text(found: Diagnostic, text: TextLookup = english_text) -> str | None:
    """What may help, or None."""
    return _lookup_text(text, f"hint.{found.hint}", found.args) or None if found.hint else None


def render_diagnostic(
    found: Diagnostic, text: TextLookup = english_text, read: LineReader = read_lines, paint: Painter = paint_plain
) -> str:
    """One diagnostic in its frame. `read` gives the lines of a file, `paint` may colour each part by its role."""
    severity = found.severity
    note = _lookup_text(text, f"diagnostic.{found.code}.note", found.args)
    shown = [(found.place, note), *((place, text("frame.also")) for place in found.also),
             *((place, text("frame.called")) for place in found.calls)]
    lines = [_source_line(place, read) for place, _ in shown]
    margin = max([2, *(len(str(place.line)) for (place, _), line in zip(shown, lines) if line is not None)])
    out = [paint(severity, f"{text(f'frame.{severity}')}[{found.code}]") + f": {message_text(found, text)}"]
    for (place, words), line in zip(shown, lines):
        out.append(f"{' ' * margin}--> {paint('place', sanitize_argument(_format_address(place)))}")
        if line is not None:
            source, gap, run = mark_line(line, place)
            out.append(f"{place.line:>{margin}} | {paint('source', source)}".rstrip())
            out.append(f"{' ' * margin} | {' ' * gap}{paint('mark', ('^' * run + ' ' + words).rstrip())}")
    if found.values:
        values = ", ".join(f"{name} = {value}" for name, value in found.values)
        out.append(f"{' ' * margin} {paint('help', '= ' + sanitize_argument(text('frame.values', values=values)))}")
    help_ = [f"= {words}" for words in (hint_text(found, text), _explain_text(found, text)) if words]
    out.append(f"{' ' * margin} {paint('help', '      '.join(help_))}")
    return "\n".join(out)


def _explain_text(found: Diagnostic, text: TextLookup) -> str:
    """`explain` is the command to type, so it is the same in every language."""
    return f"explain {found.code}" + (f" · {text('frame.clause', clause=found.clause)}" if found.clause else "")


def _format_address(place: SourceSpan) -> str:
    """path:line:column, or the path alone when the finding is about the whole file."""
    return place.path if _is_whole_file(place) else f"{place.path}:{place.line}:{place.column}"


def _is_whole_file(place: SourceSpan) -> bool:
    return place.line == 1 and place.column == 1 and not place.end


def _source_line(place: SourceSpan, read: LineReader) -> str | None:
    if _is_whole_file(place):
        return None
    lines = read(place.path)
    return lines[place.line - 1] if lines is not None and 0 < place.line <= len(lines) else None


# ---------------------------------------------------------------- columns


def char_width(char: str) -> int:
    """How many columns of a terminal a character takes."""
    if unicodedata.category(char) in ("Mn", "Me", "Cf") and char not in BIDI_CONTROLS:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def mark_line(line: str, place: SourceSpan) -> tuple[str, int, int]:
    """A source line as it is shown, how many columns are in front of the marked words, and how many they take."""
    start = max(0, place.column - 1)
    stop = max(start + 1, place.end - 1)
    if stop == start + 1:                                          # a place of one character means the word that begins there
        while start < len(line) and stop < len(line) and _is_word_char(line[start]) and _is_word_char(line[stop]):
            stop += 1
    shown, columns = [], [0]                                       # columns[n]: where character n begins
    for char in line:
        written, taken = _render_char(char, columns[-1])
        shown.append(written)
        columns.append(columns[-1] + taken)
    while len(columns) <= stop:                                    # the place may be just after the end of the line
        columns.append(columns[-1] + 1)
    first, last = 0, len(line)
    if columns[last] > MAX_SOURCE_COLUMNS:
        first, last = _select_window(columns, start, len(line))
    gap, run = columns[start] - columns[first], columns[min(stop, max(last, start + 1))] - columns[start]
    before, after = ("… " if first else ""), (" …" if last < len(line) else "")
    return before + "".join(shown[first:last]) + after, gap + len(before), max(1, run)


def _select_window(columns: list[int], start: int, length: int) -> tuple[int, int]:
    """The part of a long line around its mark."""
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
    """How a character of a source line is shown at column `at`, and how many columns that takes."""
    if char == "\t":
        n = TAB_WIDTH - at % TAB_WIDTH
        return " " * n, n
    if char in BIDI_CONTROLS or unicodedata.category(char) in ("Cs", "Zl", "Zp", "Co", "Cn"):
        return "\ufffd", 1
    if unicodedata.category(char) == "Cc":
        return (chr(0x2400 + ord(char)) if ord(char) < 32 else "\ufffd"), 1
    return char, char_width(char)


# ---------------------------------------------------------------- many


def render_all(findings: Iterable[Diagnostic], text: TextLookup = english_text, limit: int = MAX_SHOWN, read: LineReader = read_lines,
               paint: Painter = paint_plain) -> str:
    """The first `limit` diagnostics, a blank line between them, and how many more there are."""
    every = list(findings)
    once: LineReader = cache(read)
    parts = [render_diagnostic(found, text, once, paint) for found in every[:limit]]
    if len(every) > limit:
        parts.append(text("frame.more", count=len(every) - limit))
    return "\n\n".join(parts)


def diagnostic_data(found: Diagnostic, text: TextLookup = english_text) -> dict[str, Any]:
    """One diagnostic with the keys that programs read; they are the same in every language."""
    place = found.place
    return {"code": found.code, "severity": found.severity, "file": place.path, "line": place.line, "column": place.column,
            "end": place.end or place.column, "message": message_text(found, text), "hint": hint_text(found, text), "clause": found.clause,
            **({"calls": [{"file": call.path, "line": call.line, "column": call.column} for call in found.calls]} if found.calls else {}),
            **({"values": dict(found.values)} if found.values else {})}


def diagnostics_json(findings: Iterable[Diagnostic], text: TextLookup = english_text) -> str:
    """Diagnostics as a JSON list."""
    return json.dumps([diagnostic_data(found, text) for found in findings], ensure_ascii=True, indent=1)
