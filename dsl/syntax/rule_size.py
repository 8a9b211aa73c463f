"""Limits the size of rules: the lines of one declaration, and of all rules of a game.

`check` takes time for each line in each variant of a game. The limit of a game is therefore several times the longest game that people
write by hand, and far below sizes that keep a machine busy for minutes."""

from __future__ import annotations

from collections.abc import Iterable

from ..diagnostics.diagnostic import DiagnosticList, SourceSpan
from ..diagnostics.source_lines import normalize_source

MAX_DECLARATION_LINES = 500                # each decision knows all names above it, so compiling takes quadratic time
MAX_GAME_LINES = 5000
USUAL_LINE_CHARS = 150                                         # a longer line counts as several


def code_line_size(line: str) -> int:
    """Returns how many lines of code a line counts for: none if it is empty or a comment, several if it is very long."""
    return -(-len(line.split("#", 1)[0].strip()) // USUAL_LINE_CHARS)


def is_declaration_too_long(text: str) -> bool:
    """Whether a declaration has more lines of code than allowed."""
    return sum(bool(code_line_size(line)) for line in text.split("\n")) > MAX_DECLARATION_LINES


def report_excess_lines(sources: Iterable[tuple[str, int, str]], findings: DiagnosticList, used: int = 0) -> int:
    """Adds a diagnostic at the line where the rules of a game become too long. Returns the lines of code that were counted.

    Each source has its path in messages, the number of lines above it in its file, and its text. `used` lines were counted before."""
    for shown, above, text in sources:
        for number, line in enumerate(normalize_source(text).split("\n"), above + 1):
            used += code_line_size(line)
            if used > MAX_GAME_LINES:
                findings.add("R023", SourceSpan(shown, number, 1, len(line) + 1), limit=MAX_GAME_LINES)
                return used
    return used
