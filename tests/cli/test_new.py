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
    assert (said.code, said.out, said.err) == (0, "", "")
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
def begun(ludoglot, tmp_path):
    said = ludoglot("new", tmp_path / "my-game")
    assert said.code == 0 and "ludoglot check" in said.out
    return tmp_path / "my-game"


@pytest.mark.long
def test_it_checks_and_its_test_passes(ludoglot, begun):
    said = ludoglot("check", begun, "--games", "6")
    assert (said.code, said.out, said.err) == (0, "", "")
    assert ludoglot("test", begun).out == "1 test passed\n"


def test_its_words_are_whole_in_every_language(ludoglot, begun):
    assert ludoglot("words", "check", begun).code == 0
    rows = json.loads(ludoglot("words", "status", begun, "--json").out)
    assert {row["language"] for row in rows} == set(LANGUAGES) and all(row["said"] == row["total"] >= 7 for row in rows)


@pytest.mark.parametrize("lang, words", [("en", "puts a pebble on"), ("it", "mette un sassolino in"), ("es", "pone un guijarro en"),
                                         ("hu", "kavicsot tesz ide")])
def test_it_plays(ludoglot, begun, lang, words):
    save = begun / "game.save"
    said = ludoglot("play", begun, "--seats", "bot:random,bot:random", "--seed", "1", "--save", save)
    assert said.code == 0
    said = ludoglot("replay", save, "--lang", lang)
    assert said.code == 0 and words in said.out


def test_a_slip_in_it_is_found(ludoglot, begun):
    rules = begun / "my-game.rules"
    rules.write_text(rules.read_text(encoding="utf-8").replace("pebble[cell] = player", "pebble[cell] = plaer"), encoding="utf-8")
    said = ludoglot("check", begun)
    assert said.code == 1 and 'did you mean "player"' in said.out


@pytest.mark.long
def test_translations_that_lag_bury_nothing(ludoglot, begun):
    messages = begun / "messages.yaml"
    messages.write_text(messages.read_text(encoding="utf-8").replace("{who}, where", "{player}, where"), encoding="utf-8")
    said = ludoglot("check", begun)
    assert said.code == 0 and said.err == "", "a translation of what the game no longer says is no error"
    lines = said.out.splitlines()
    assert [line.split(" is missing")[0] for line in lines] == [
        f"1 text of the translation ({name})" for name in ("italiano", "español", "magyar")]
    assert all(f"“ludoglot words update {begun}”" in line for line in lines)
    assert "W203" in {found["code"] for found in json.loads(ludoglot("check", begun, "--json").out)}
    assert ludoglot("words", "check", begun).err.count("[W203]") == 4, "listed one by one where translators look"


def test_nothing_is_written_over(ludoglot, begun):
    before = (begun / "game.yaml").read_text(encoding="utf-8")
    assert ludoglot("new", begun).code == 1 and (begun / "game.yaml").read_text(encoding="utf-8") == before


@pytest.mark.parametrize("name", ["My Game", "hex", "9lives", ""])
def test_a_name_that_cannot_be(ludoglot, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    assert ludoglot("new", name).code == 2 and not list(tmp_path.iterdir())
