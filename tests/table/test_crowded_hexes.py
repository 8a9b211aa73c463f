"""Checks hexagons that have little room: names of places, and what does not fit."""

from __future__ import annotations

import re
from typing import Any

import pytest
from ludoglot.engine.table_view.rich_panels import TerminalRenderer
from ludoglot.engine.table_view.theme import theme_of
from ludoglot.engine.table_view.view_model import BoardCell, BoardPanel, StyledText

from .terminal_harness import HUMAN, Desk


def draw_row(width: int, **more: Any) -> list[str]:
    """Returns a row of seven hexagons with a terrain and two kinds of pieces, drawn without edges."""
    ground = StyledText("forest", "Terrain.forest", short="fo")
    pieces = [StyledText(f"Player {n}", short="ABC"[n], amount=n) for n in (1, 2)]
    cells = [BoardCell(f"{name}3", (x, 0), ground, [("Herds", pieces)], **more) for x, name in enumerate("abcdefg")]
    theme = theme_of(Desk("dominant-species", [HUMAN] * 2).table.game)
    blocks = TerminalRenderer(theme, width, "truecolor", True, 8).iter_blocks([BoardPanel("Map", "hex", True, cells)])
    return [re.sub(r"\x1b\[[\d;]*m", "", line) for block in blocks for line in block]


@pytest.mark.parametrize("width", [62, 80])
def test_places_with_option_numbers_keep_their_names(width):
    """With many tiles, `[11] ju` had no name: the number in brackets and the terrain took its place."""
    shown = "\n".join(draw_row(width, target="11"))
    assert [f"{letter}3" for letter in "abcdefg" if not re.search(rf"11\]? {letter}3", shown)] == [], shown


def test_things_without_room_have_their_amount():
    """The list below the map said `a3: Player 1`, without a sign that this is one more herd, and not the owner."""
    lines = draw_row(40)
    assert any("a3 + Player" in line and "(1)" in line for line in lines), lines
