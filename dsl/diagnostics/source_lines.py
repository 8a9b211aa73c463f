"""Splits texts into lines, in the same way for all passes, messages and editors."""

from __future__ import annotations


def normalize_newlines(text: str) -> str:
    """Returns a text with normalized line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def normalize_source(text: str) -> str:
    """Returns a text with normalized line ends and without a byte order mark."""
    return normalize_newlines(text).lstrip("\ufeff")


def split_lines(text: str) -> list[str]:
    """Returns the lines of a text, without a byte order mark."""
    return normalize_source(text).split("\n")


def count_indent(line: str) -> int:
    """Returns the number of blanks at the beginning of a line."""
    return len(line) - len(line.lstrip())
