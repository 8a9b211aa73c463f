"""The lines of a text as all passes, messages and editors count them."""

from __future__ import annotations


def unified(text: str) -> str:
    """A text with one kind of line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def unmarked(text: str) -> str:
    """A text with one kind of line ends, without the mark that some editors put before it."""
    return unified(text).lstrip("\ufeff")


def lines_of(text: str) -> list[str]:
    """The lines of a text, without that mark."""
    return unmarked(text).split("\n")
