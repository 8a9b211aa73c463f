"""The lines of a text as all passes, messages and editors count them."""

from __future__ import annotations


def normalize_newlines(text: str) -> str:
    """A text with one kind of line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def normalize_source(text: str) -> str:
    """A text with one kind of line ends, without the mark that some editors put before it."""
    return normalize_newlines(text).lstrip("\ufeff")


def split_lines(text: str) -> list[str]:
    """The lines of a text, without that mark."""
    return normalize_source(text).split("\n")
