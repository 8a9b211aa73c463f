"""Checks that commands report mistakes in table.yaml, and that the game continues with a table from its declarations."""

from __future__ import annotations

import shutil

import pytest


@pytest.fixture
def hex_copy(rules, tmp_path):
    return shutil.copytree(rules / "hex", tmp_path / "hex")


@pytest.mark.long
def test_a_mistake_is_reported_and_the_game_is_playable(ludoglot, hex_copy):
    (hex_copy / "table.yaml").write_text("panels:\n  - board: rhombus\n    pieces: [stoen]\n", encoding="utf-8")
    said = ludoglot("play", hex_copy, "--seats", "human,human", "--seed", "1", typed="a1\nboard\n")
    assert said.code == 0 and "B002" in said.err and "did you mean" in said.err and "[r]" in said.out
    said = ludoglot("check", hex_copy)
    assert said.code == 1 and "B002" in said.out and "table.yaml:3" in said.out


@pytest.mark.long
def test_invalid_yaml_gives_a_sentence(ludoglot, hex_copy):
    (hex_copy / "table.yaml").write_text("panels: [", encoding="utf-8")
    said = ludoglot("play", hex_copy, "--seats", "human,human", "--seed", "1", typed="a1\n")
    assert said.code == 0 and "error[Y" in said.err and "Traceback" not in said.err + said.out


@pytest.mark.long
def test_one_panel_is_shown_by_its_title(ludoglot):
    said = ludoglot("play", "trias", "--players", "3", "--seats", "human,human,human", "--seed", "1", typed="board play\n")
    shown = said.out.split("Your choice>")[1]
    assert shown.count("Players") == 1 and "Map" not in shown


def test_plain_output_equals_piped_output(ludoglot):
    given = ("play", "connect-four", "--seats", "human,human", "--seed", "1")
    assert ludoglot(*given, "--plain", typed="board\n").out == ludoglot(*given, typed="board\n").out
