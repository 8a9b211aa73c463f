"""Checks that `new` creates a small game in every language. You can check, test and play it at once."""

from __future__ import annotations

import json

import pytest

from .conftest import LANGUAGES

KINDS = {"board": "puts a pebble on", "cards": "plays: ", "dice": "keeps the points", "trade": "makes an offer to"}
LONG_KINDS = [kind if kind == "trade" else pytest.param(kind, marks=pytest.mark.long) for kind in KINDS]


@pytest.mark.parametrize("kind", LONG_KINDS)
def test_every_kind_is_a_complete_game(ludoglot, tmp_path, kind):
    """Each passes `check` with games by chance and its tests, is translated, and plays what its kind promises."""
    folder = tmp_path / "my-game"
    assert ludoglot("new", folder, "--kind", kind).code == 0
    said = ludoglot("check", folder, "--games", "6")
    assert (said.code, said.out, said.err) == (0, "", f"No problems found in {folder}.\n")
    assert ludoglot("test", folder).out.split(" ")[1].startswith("test")
    rows = json.loads(ludoglot("words", "status", folder, "--json").out)
    assert {row["language"] for row in rows} == set(LANGUAGES) and all(row["said"] == row["total"] for row in rows)
    save = tmp_path / "game.save"
    assert ludoglot("play", folder, "--seats", "bot:random,bot:random", "--seed", "1", "--save", save).code == 0
    played = ludoglot("replay", save)
    assert played.code == 0 and KINDS[kind] in played.out
    for lang in ("it", "es", "hu"):
        translated = ludoglot("replay", save, "--lang", lang)
        assert translated.code == 0 and KINDS[kind] not in translated.out


def test_an_unknown_kind_is_named_with_the_choices(ludoglot, tmp_path):
    said = ludoglot("new", tmp_path / "my-game", "--kind", "card")
    assert said.code == 2 and "“card”" in said.err and "board, cards, dice, or trade" in said.err
    assert not (tmp_path / "my-game").exists()


@pytest.fixture
def new_game(ludoglot, tmp_path):
    said = ludoglot("new", tmp_path / "my-game")
    assert said.code == 0 and "ludoglot check" in said.out
    return tmp_path / "my-game"


@pytest.mark.long
def test_a_new_game_passes_check_and_test(ludoglot, new_game):
    said = ludoglot("check", new_game, "--games", "6")
    assert (said.code, said.out, said.err) == (0, "", f"No problems found in {new_game}.\n")
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
