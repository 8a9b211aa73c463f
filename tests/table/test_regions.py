"""Checks groups of places as rows of a table: each group once, with its contents added up."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from ludoglot.engine.table_view.build_panels import build_panels
from ludoglot.engine.table_view.view_model import GridPanel, join_words

from .terminal_harness import HUMAN, Desk
from .test_transcripts import play_random_game

RULES = Path(__file__).parent.parent.parent / "rules"


def find_grid(desk: Desk, title: str) -> GridPanel | None:
    """Returns the panel with this title, as the first player sees it."""
    panels = build_panels(desk.table.position, desk.session.narrator, 0)
    return next((panel for panel in panels if isinstance(panel, GridPanel) and panel.title == title), None)


def cell_texts(found: GridPanel) -> list[list[str]]:
    return [[join_words(line) for line in row] for row in found.rows]


def test_continent_is_named_after_its_named_place():
    """The continent of the South Pole was once called l14, k16 and m13 in turn."""
    desk = play_random_game("trias", [HUMAN, "bot:random", "bot:random"], 60, seed=2)
    rows = cell_texts(find_grid(desk, "Continents"))
    polar = next((row for row in rows if row[0] == "n15"), None)
    assert polar is not None and polar[-1] == "0", "the polar continent gives no points"


@pytest.mark.long
def test_continents_are_listed_with_herds_and_points():
    desk = play_random_game("trias", [HUMAN, "bot:random", "bot:random"], 90, seed=2)
    position, found = desk.table.position, find_grid(desk, "Continents")
    assert found is not None and found.heads[:2] == ["", "Size"] and found.heads[-1] == "First place"
    rows = cell_texts(found)
    assert len(rows) > 1 and [int(row[1]) for row in rows] == sorted((int(row[1]) for row in rows), reverse=True)
    lands = [panel for panel in build_panels(position, desk.session.narrator, 0) if panel.key.startswith("board")]
    assert sum(int(row[1]) for row in rows) == sum(spot.ground is not None for spot in lands[0].spots)
    ashore = [sum(int(row[2 + seat] or 0) for row in rows) for seat in range(3)]
    model = position.game.model
    spelled = {row[0] for row in rows}
    assert len(spelled) == len(rows) and model.enums["Player"].members
    held = [sum(span.amount or 0 for spot in lands[0].spots if spot.ground is not None for _, line in spot.contents for span in line
                        if span.style.endswith(f"player_{seat + 1}")) for seat in range(3)]
    assert ashore == held


def test_chains_of_stones_are_regions(tmp_path):
    go = tmp_path / "go"
    shutil.copytree(RULES / "go", go)
    with (go / "go.rules").open("a", encoding="utf-8") as rules:
        rules.write("\ndef chain(cell) = region(cell, set(there in Cell where stone[cell] != none and stone[there] == stone[cell]))\n"
                    "def liberties(cell) = size(rim(chain(cell)) & free)\n")
    table = (go / "table.yaml").read_text(encoding="utf-8")
    (go / "table.yaml").write_text(table.replace("watch:", "  - regions: chain\n    columns: [stone, liberties]\nwatch:"), encoding="utf-8")
    desk = Desk(str(go), [HUMAN, HUMAN], seed=1)
    assert find_grid(desk, "chain") is None, "an empty board has no chains"
    for label in ("d4", "g7", "e4", "g3", "d5"):
        decision = desk.table.position.decision
        assert decision is not None
        desk.table.take(decision, next(one for one in decision.options if one.spelling.endswith(label)))
    found = find_grid(desk, "chain")
    assert found is not None
    rows = {row[0]: row[1:] for row in cell_texts(found)}
    assert rows["d4"] == ["3", "Black", "7"] and len(rows) == 3
    assert rows["g7"] == ["1", "White", "4"]

