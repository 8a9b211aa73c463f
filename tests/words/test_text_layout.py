"""Checks that paragraphs, tables, and lists are measured in cells of the terminal. Wide letters fit, and short words are not broken."""

from __future__ import annotations

import random
import textwrap

import pytest
from ludoglot.engine.i18n.text_layout import (
    arrange_columns,
    arrange_slots,
    fit_columns,
    pad_cells,
    table_lines,
    table_row_lines,
    truncate_cells,
    wrap_cells,
    wrap_styled,
)
from ludoglot.engine.table_view.plain_renderer import grid_lines
from ludoglot.engine.table_view.view_model import GridPanel, StyledText
from ludoglot.engine.terminal.pane_layout import PaneLayout
from rich.cells import cell_len
from rich.text import Text

WORDS = ["a", "of", "move", "two-player", "Dominant", "x" * 30]
WIDE_WORDS = ["张伟", "美咲さん", "👩‍🌾", "🦊🦊🦊", "e\u0301va", "李" * 25]


def make_paragraph(rng: random.Random, words: list[str]) -> str:
    return "  " * rng.randrange(3) + " ".join(rng.choices(words, k=rng.randrange(1, 20)))


@pytest.mark.parametrize("seed", range(200))
def test_narrow_text_is_wrapped_like_textwrap(seed: int):
    rng = random.Random(seed)
    text, width, broken = make_paragraph(rng, WORDS), rng.randrange(20, 80), rng.random() < 0.5
    lead = text[: len(text) - len(text.lstrip())]
    lines = textwrap.wrap(
        text.strip(), width, initial_indent=lead, subsequent_indent=lead + "    ", break_long_words=broken, break_on_hyphens=False)
    assert wrap_cells(text, width, "    ", broken) == [line.rstrip() for line in lines]


@pytest.mark.parametrize("seed", range(200))
def test_wide_letters_fit_into_the_width(seed: int):
    rng = random.Random(seed)
    text, width = make_paragraph(rng, WORDS + WIDE_WORDS), rng.randrange(20, 80)
    lines = wrap_cells(text, width, "  ")
    assert all(cell_len(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split()), "no text must be lost"
    assert [line.plain for line in wrap_styled(Text(text), width, 2)] == lines or len(lines) == 1
    whole = wrap_cells(text, width, "  ", break_words=False)
    assert [word for line in whole for word in line.split()] == text.split(), "no word is broken"


def test_grapheme_clusters_are_not_split():
    assert wrap_cells("e\u0301" * 5, 3) == ["e\u0301" * 3, "e\u0301" * 2]
    assert wrap_cells("张伟张", 3) == ["张", "伟", "张"] and wrap_cells("张伟", 1) == ["张", "伟"]
    assert wrap_cells("one\xa0two three", 9) == ["one\xa0two", "three"]
    assert wrap_cells("", 20) == [""] and wrap_cells("   ", 20) == [""]


def test_continuation_indent_leaves_half_of_the_width():
    assert wrap_cells(" " * 9 + "one two three", 20, "    ") == [" " * 9 + "one two", "three"]


def test_wrapped_words_keep_their_styles():
    first, second = wrap_styled(Text.assemble("Anna plays ", ("the fox", "bold")), 14, 2)
    assert (first.plain, second.plain) == ("Anna plays the", "  fox")
    assert [second.plain[span.start:span.end] for span in second.spans] == ["fox"]


def test_tables_are_aligned_by_cells():
    names = ["Anna", "张伟", "e\u0301va", "🦊"]
    lines = table_lines([[name, "|"] for name in names])
    assert {cell_len(line.partition("|")[0]) for line in lines} == {6}
    panel = GridPanel("", ["", "张伟的分数", "Anna"], [[[StyledText("李")], [StyledText("7")], [StyledText("12")]]])
    assert [cell_len(line) for line in grid_lines(panel, 40)] == [20, 20]
    assert table_row_lines(["one two", "9"], [3, 4], [False, True]) == ["one     9", "two"]


def test_columns_are_narrowed_to_their_longest_words():
    assert fit_columns([10, 30, 5], [10, 8, 5], 40) == [10, 21, 5]
    assert fit_columns([10, 30], [10, 28], 20) == [10, 28], "words are not broken"


def test_lists_are_arranged_by_cells():
    texts = [f"{n}  张伟" for n in range(1, 9)]
    for lines in (arrange_columns(texts, 40), arrange_slots(texts, 40)):
        assert len(lines) < len(texts) and all(cell_len(line) <= 40 for line in lines)
    lines = arrange_columns(["Anna", "张伟", *"abcdef"], 18)
    assert lines == ["Anna  b     e", "张伟  c     f", "a     d"]


def test_the_transcript_is_wrapped_by_cells():
    lines = PaneLayout(True, {}).wrap_line("  张伟 plays " + "the fox and " * 6, 40)
    assert all(line.cell_len <= 40 for line in lines) and lines[1].plain.startswith("    ") and len(lines) == 3


def test_cut_and_padded_texts_have_their_width():
    assert truncate_cells("张伟张伟", 6) == "张伟+" and truncate_cells("张伟", 4) == "张伟" and truncate_cells("abc", 1) == "+"
    assert [pad_cells("张", 5, align) for align in ("left", "right", "center")] == ["张   ", "   张", "  张 "]
    assert pad_cells("ab", 5, "center") == "ab".center(5)
