"""Checks that `replay` prints and verifies a recorded game, and explains why a damaged record does not fit."""

from __future__ import annotations

import json

import pytest
from save_fixtures import chained, unchained

from .conftest import LANGUAGES


@pytest.fixture
def saved_game(ludoglot, tmp_path):
    path = tmp_path / "game.save"
    ludoglot("play", "connect-four", "--seats", "bot:greedy,bot:random", "--seed", "7", "--save", path)
    return path


@pytest.mark.long
def test_a_replay_is_printed_in_each_language(ludoglot, saved_game):
    pages = {lang: ludoglot("replay", saved_game, "--lang", lang) for lang in LANGUAGES}
    assert all(page.code == 0 for page in pages.values())
    assert "Il giallo lascia cadere un disco" in pages["it"].out and "El amarillo deja caer" in pages["es"].out
    assert "A sárga korongja a" in pages["hu"].out and "Yellow drops a disc" in pages["en"].out


@pytest.mark.long
def test_a_replay_has_headings_of_rounds_and_phases(ludoglot, tmp_path):
    """`replay` prints headings like `log` at the table. The reader of a long game sees the phase and the effects of each line."""
    path = tmp_path / "game.save"
    ludoglot("play", "evolution", "--seats", "bot:random,bot:random", "--seed", "3", "--save", path)
    lines = ludoglot("replay", path, "--lang", "en").out.splitlines()
    assert "Round 1 · Development" in lines and "Feeding" in lines and "Round 2 · Development" in lines
    assert lines[lines.index("Round 2 · Development") - 1] == ""
    first = lines.index("Feeding")
    assert all("lays" not in line for line in lines[first : lines.index("Round 2 · Development")])


@pytest.mark.long
def test_a_correct_save_is_verified(ludoglot, saved_game):
    said = ludoglot("replay", saved_game, "--verify")
    assert said.code == 0 and "Every position matches" in said.out and len(said.out.splitlines()) == 1
    played = json.loads(ludoglot("play", "connect-four", "--seats", "bot:greedy,bot:random", "--seed", "7", "--json").out)
    assert json.loads(ludoglot("replay", saved_game, "--json").out)["hash"] == played["hash"]


@pytest.mark.long
def test_a_changed_save_is_noticed(ludoglot, saved_game):
    lines = unchained(saved_game)
    saved_game.write_bytes(chained([*lines[:3], {**lines[3], "hash": "0" * 32}, *lines[4:]]))
    said = ludoglot("replay", saved_game, "--verify")
    assert said.code == 1 and "Decision 3" in said.err
    saved_game.write_bytes(chained([*lines[:3], {**lines[3], "option": "cell=a6"}, *lines[4:]]))
    said = ludoglot("replay", saved_game)
    assert said.code == 1 and "not possible here" in said.err


def test_a_file_that_is_not_a_save_is_reported(ludoglot, tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text("Dear Anna,\n", encoding="utf-8")
    said = ludoglot("replay", path)
    assert said.code == 1 and str(path) in said.err
