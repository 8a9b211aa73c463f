"""Checks the seed of a game at the prompt: it is secret unless you pass a number. A short seed gives a warning if players have secrets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ludoglot.engine.position.seeds import is_secret_seed
from save_fixtures import chained

from .conftest import LANGUAGES, save_of

WARNINGS = {"en": "seed of this game is short", "it": "seme casuale di questa partita è corto",
            "es": "semilla aleatoria de esta partida es corta", "hu": "rövid a véletlenmagja"}
PEOPLE = ("--seats", "human,human")


def header(path: Path) -> dict[str, object]:
    return json.loads(path.read_text(encoding="utf-8").splitlines()[0])


def test_a_game_without_a_seed_has_a_secret_one_and_goes_on(ludoglot, own_folders, toys):
    said = ludoglot("play", toys / "parry", *PEOPLE, typed="1\n1\n")
    path = save_of(own_folders)
    seed = header(path)["seed"]
    assert is_secret_seed(seed) and header(path)["ludoglot"] == 3
    assert WARNINGS["en"] not in said.err and seed not in said.out + said.err
    assert ludoglot("play", "--resume", path, typed="1\n1\n").code == 0
    assert ludoglot("replay", path, "--verify").code == 0
    for more in ((), ("--json",)):
        assert seed not in ludoglot("replay", path, "--view", "0", *more).out


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_short_seed_is_told_before_people_with_something_to_hide(ludoglot, toys, lang):
    said = ludoglot("play", toys / "parry", *PEOPLE, "--seed", "907060504030", "--lang", lang, typed="")
    assert WARNINGS[lang] in said.err and "907060504030" not in said.out + said.err


@pytest.mark.parametrize("words", [
    ("tic-tac-toe", *PEOPLE, "--seed", "1"),                       # nothing hidden, no chance
    ("liars-dice", "--seats", "human,bot:random", "--seed", "1"),   # no other person
    ("liars-dice", *PEOPLE),
    ("liars-dice", *PEOPLE, "--seed", "00112233445566778899aabbccddeeff"),
])
def test_nothing_is_said_of_seeds_elsewhere(ludoglot, words):
    assert "seed" not in ludoglot("play", *words, typed="").err


def test_a_short_seed_of_an_earlier_save_is_told_and_the_game_goes_on(ludoglot, own_folders):
    ludoglot("play", "liars-dice", *PEOPLE, "--seed", "4294967295", typed="1\n")
    path = save_of(own_folders)
    assert header(path)["ludoglot"] == 2 and header(path)["seed"] == 4294967295
    said = ludoglot("play", "--resume", path, "--lang", "hu", typed="")
    assert said.code == 0 and WARNINGS["hu"] in said.err


@pytest.mark.long
def test_bots_play_the_same_game_from_a_secret_seed_that_was_printed(ludoglot):
    words = ("play", "liars-dice", "--seats", "bot:greedy,bot:random", "--json")
    first, other = (json.loads(ludoglot(*words).out) for _ in range(2))
    assert is_secret_seed(first["seed"]) and first["seed"] != other["seed"]
    assert json.loads(ludoglot(*words, "--seed", first["seed"]).out) == first


@pytest.mark.parametrize("seed", ["", "11", "x" * 32, "A" * 32, "0" * 31, None, 1.5, True, ["1"]])
def test_a_save_with_another_kind_of_seed_is_damaged(ludoglot, own_folders, seed):
    ludoglot("play", "tic-tac-toe", *PEOPLE, typed="a1\n")
    path = save_of(own_folders)
    head = {key: value for key, value in header(path).items() if key != "sum"}
    path.write_bytes(chained([{**head, "seed": seed}]))
    said = ludoglot("play", "--resume", path, typed="")
    assert said.code == 1 and "Traceback" not in said.err and "line 1" in said.err
