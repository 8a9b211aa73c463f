"""Translation catalogues in gettext format (.po), read by Babel. This module handles all errors that they can have."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..diagnostics.diagnostic import DiagnosticList, SourceSpan

if TYPE_CHECKING:
    from babel.messages import Catalog

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
CHARSET = re.compile(rb'(?m)^\s*"Content-Type:[^"\n]*charset=([\w.:-]+)')
CONFLICT_MARK = re.compile(r"(<{7}|\|{7}|={7}|>{7})(?:\s|$)|#-#-#-#-#")
LINE = re.compile(r'(?:msg(?:ctxt|id|id_plural|str)(?:\[[0-9]\])?\s*)?"(?:[^"\\]|\\.)*"')


class CatalogueError(ValueError):
    """A catalogue cannot be read. `line` is the first invalid line, or None if the file does not match its charset.

    `is_conflict` says whether version control wrote this line, because two versions of the catalogue conflict."""

    def __init__(self, line: int | None = None, text: str = "") -> None:
        super().__init__(f"line {line}" if line else "charset")
        self.line, self.is_conflict = line, CONFLICT_MARK.match(text) is not None


def decode_catalogue(data: bytes) -> str:
    """Returns the text of a catalogue in the charset of its header, without a byte order mark. Raises CatalogueError."""
    data = data.removeprefix(BYTE_ORDER_MARK)
    declared = CHARSET.search(data)
    charset = declared[1].decode("ascii", "replace") if declared else "utf-8"
    try:
        text = data.decode("utf-8" if charset == "CHARSET" else charset)
    except (LookupError, ValueError):
        raise CatalogueError from None
    return text.replace("\r\n", "\n")


def find_invalid_line(text: str) -> int | None:
    """Returns the number of the first line that is not empty, a comment or a quoted text, or None."""
    return next((number for number, line in enumerate(text.split("\n"), 1)
                 if line.strip() and not line.startswith("#") and not LINE.fullmatch(line.strip())), None)


def read_catalogue(data: bytes) -> Catalog:
    """Returns the catalogue in the bytes of a file. Raises CatalogueError.

    Babel accepts a line without its closing quote and drops the last letter, so each line is checked first."""
    text = decode_catalogue(data)
    lines = text.split("\n")
    if (invalid := find_invalid_line(text)) is not None:
        raise CatalogueError(invalid, lines[invalid - 1])
    from babel.messages.pofile import PoFileError, read_po  # imported late: usually a cached copy is used
    try:
        return read_po(lines, abort_invalid=True)
    except PoFileError as error:
        raise CatalogueError(error.lineno + 1, "".join(lines[error.lineno : error.lineno + 1])) from error
    except (LookupError, ValueError, TypeError, AttributeError) as error:    # Babel does not validate headers
        raise CatalogueError from error


def add_catalogue_error(findings: DiagnosticList, path: str, error: CatalogueError) -> None:
    """Reports a catalogue that cannot be read, at the invalid line if there is one."""
    if error.line is None:
        findings.add("T008", SourceSpan(path))
    else:
        findings.add("T014", SourceSpan(path, error.line), hint="merge_marks" if error.is_conflict else "quotation_mark")
