"""Checks that `new` creates a small game in every language. You can check, test and play it at once."""

from __future__ import annotations

import json

import pytest

from .conftest import LANGUAGES


@pytest.fixture
def new_game(ludoglot, tmp_path):
    said = ludoglot("new", tmp_path / "my-game")
    assert said.code == 0 and "ludoglot check" in said.out
    return tmp_path / "my-game"


@pytest.mark.long
def test_a_new_game_passes_check_and_test(ludoglot, new_game):
    said = ludoglot("check", new_game, "--games", "6")
    assert (said.code, said.out, said.err) == (0, "", "")
    assert ludoglot("test", new_game).out == "1 test passed\n"


def test_a_new_game_is_fully_translated(ludoglot, new_game):
    assert ludoglot("words", "check", new_game).code == 0
    rows = json.loads(ludoglot("words", "status", new_game, "--json").out)
    assert {row["language"] for row in rows} == set(LANGUAGES) and all(row["said"] == row["total"] >= 7 for row in rows)


@pytest.mark.parametrize("lang, words", [("en", "puts a pebble on"), ("it", "mette un sassolino in"), ("es", "pone un guijarro en"),
                                         ("hu", "kavicsot tesz ide")])
def test_a_new_game_is_playable(ludoglot, new_game, lang, words):
    save = new_game / "game.save"
    said = ludoglot("play", new_game, "--seats", "bot:random,bot:random", "--seed", "1", "--save", save)
    assert said.code == 0
    said = ludoglot("replay", save, "--lang", lang)
    assert said.code == 0 and words in said.out


def test_a_typo_in_a_new_game_is_found(ludoglot, new_game):
    rules = new_game / "my-game.rules"
    rules.write_text(rules.read_text(encoding="utf-8").replace("pebble[cell] = player", "pebble[cell] = plaer"), encoding="utf-8")
    said = ludoglot("check", new_game)
    assert said.code == 1 and 'did you mean "player"' in said.out


@pytest.mark.long
def test_missing_translations_are_summarized(ludoglot, new_game):
    messages = new_game / "messages.yaml"
    messages.write_text(messages.read_text(encoding="utf-8").replace("{who}, where", "{player}, where"), encoding="utf-8")
    said = ludoglot("check", new_game)
    assert said.code == 0 and said.err == "", "an outdated translation is not an error"
    lines = said.out.splitlines()
    assert [line.split(" is missing")[0] for line in lines] == [
        f"1 text of the translation ({name})" for name in ("italiano", "español", "magyar")]
    assert all(f"“ludoglot words update {new_game}”" in line for line in lines)
    assert "W203" in {found["code"] for found in json.loads(ludoglot("check", new_game, "--json").out)}
    assert ludoglot("words", "check", new_game).err.count("[W203]") == 4, "words check must list each text"


def test_existing_files_are_not_overwritten(ludoglot, new_game):
    before = (new_game / "game.yaml").read_text(encoding="utf-8")
    assert ludoglot("new", new_game).code == 1 and (new_game / "game.yaml").read_text(encoding="utf-8") == before


@pytest.mark.parametrize("name", ["My Game", "hex", "9lives", ""])
def test_an_invalid_name_is_rejected(ludoglot, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    assert ludoglot("new", name).code == 2 and not list(tmp_path.iterdir())
