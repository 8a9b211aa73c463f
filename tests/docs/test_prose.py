"""Holds the English of pages, docstrings, messages and diagnostics to limits of style. `python tests/docs/prose.py` prints figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from . import prose

# Per 1,000 words. Well-written documentation of other projects has 0 to 1.5 of each.
LIMITS = {"what-clause": 2.0, "of which/whom/what": 0.6, "stand/lie": 0.4, "tell/told": 1.2, "headless who": 0.5, "semicolon": 1.5,
          "old-fashioned word": 0.3, "will do": 0.3, "one/oneself": 0.3}
MIN_YOU = 8.0
SMALL_PAGE_WORDS = 300                # on a small page, a single habit proves little


def find_exceeded_limits(found: prose.Figures, factor: float = 1.0, allowed: dict[str, float] | None = None) -> dict[str, float]:
    """Returns the habits that are more frequent than `factor` times their limit."""
    limits = {**LIMITS, **(allowed or {})}
    return {habit: round(figure, 1) for habit, figure in found.habits.items() if figure > factor * limits[habit]}


def test_pages_are_in_plain_english():
    found = prose.measure([part for page in prose.list_pages() for part in prose.split_page(page.read_text(encoding="utf-8"))])
    assert find_exceeded_limits(found) == {}
    assert found.you >= MIN_YOU
    assert found.long_sentence_percent <= 5 and found.longest_sentence_words <= 50, found.longest_sentence
    assert found.long_paragraphs <= 3


@pytest.mark.parametrize("page", prose.list_pages(), ids=lambda path: path.relative_to(prose.ROOT).as_posix())
def test_each_page_is_in_plain_english(page: Path):
    found = prose.measure(prose.split_page(page.read_text(encoding="utf-8")))
    assert found.longest_sentence_words <= 50, found.longest_sentence
    if found.words >= SMALL_PAGE_WORDS:
        assert find_exceeded_limits(found, 2.5) == {}


@pytest.mark.long
def test_docstrings_are_in_plain_english():
    found = prose.measure(prose.read_docstrings())
    assert find_exceeded_limits(found, allowed={"stand/lie": 0.6}) == {}  # “stands for” is good English
    assert found.long_sentence_percent <= 2


@pytest.mark.parametrize("read", [prose.read_messages, prose.read_diagnostics], ids=["messages", "diagnostics"])
def test_texts_of_the_program_are_in_plain_english(read):
    found = prose.measure(read())
    assert find_exceeded_limits(found, allowed={"old-fashioned word": 0.4}) == {}  # a player can be behind an opponent
    assert found.long_sentence_percent <= 2 and found.longest_sentence_words <= 50, found.longest_sentence
