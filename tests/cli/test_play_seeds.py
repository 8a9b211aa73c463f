"""Checks the seed of a game at the prompt: it is secret unless you pass a number. A short seed gives a warning if players have secrets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ludoglot.engine.position.seeds import is_secret_seed
from save_fixtures import chained

from .conftest import LANGUAGES, find_save

WARNINGS = {"en": "seed of this game is short", "it": "seme casuale di questa partita è corto",
            "es": "semilla aleatoria de esta partida es corta", "hu": "rövid a véletlenmagja"}
PEOPLE = ("--seats", "human,human")


def read_header(path: Path) -> dict[str, object]:
    return json.loads(path.read_text(encoding="utf-8").splitlines()[0])


def test_a_game_without_a_seed_gets_a_secret_one_and_resumes(ludoglot, save_folder, toys):
    said = ludoglot("play", toys / "parry", *PEOPLE, typed="1\n1\n")
    path = find_save(save_folder)
    seed = read_header(path)["seed"]
    assert is_secret_seed(seed) and read_header(path)["ludoglot"] == 3
    assert WARNINGS["en"] not in said.err and seed not in said.out + said.err
    assert ludoglot("play", "--resume", path, typed="1\n1\n").code == 0
    assert ludoglot("replay", path, "--verify").code == 0
    for more in ((), ("--json",)):
        assert seed not in ludoglot("replay", path, "--view", "0", *more).out


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_short_seed_gives_a_warning_if_people_have_secrets(ludoglot, toys, lang):
    said = ludoglot("play", toys / "parry", *PEOPLE, "--seed", "907060504030", "--lang", lang, typed="")
    assert WARNINGS[lang] in said.err and "907060504030" not in said.out + said.err


@pytest.mark.parametrize("words", [
    ("tic-tac-toe", *PEOPLE, "--seed", "1"),                       # nothing hidden, no chance
    ("liars-dice", "--seats", "human,bot:random", "--seed", "1"),   # no other person
    ("liars-dice", *PEOPLE),
    ("liars-dice", *PEOPLE, "--seed", "00112233445566778899aabbccddeeff"),
])
def test_other_games_give_no_warning_about_seeds(ludoglot, words):
    assert "seed" not in ludoglot("play", *words, typed="").err


def test_a_save_with_a_short_seed_resumes_with_a_warning(ludoglot, save_folder):
    ludoglot("play", "liars-dice", *PEOPLE, "--seed", "4294967295", typed="1\n")
    path = find_save(save_folder)
    assert read_header(path)["ludoglot"] == 2 and read_header(path)["seed"] == 4294967295
    said = ludoglot("play", "--resume", path, "--lang", "hu", typed="")
    assert said.code == 0 and WARNINGS["hu"] in said.err


@pytest.mark.long
def test_bots_repeat_a_game_from_its_printed_secret_seed(ludoglot):
    words = ("play", "liars-dice", "--seats", "bot:greedy,bot:random", "--json")
    first, other = (json.loads(ludoglot(*words).out) for _ in range(2))
    assert is_secret_seed(first["seed"]) and first["seed"] != other["seed"]
    assert json.loads(ludoglot(*words, "--seed", first["seed"]).out) == first


@pytest.mark.parametrize("seed", ["", "11", "x" * 32, "A" * 32, "0" * 31, None, 1.5, True, ["1"]])
def test_a_save_with_an_invalid_seed_is_damaged(ludoglot, save_folder, seed):
    ludoglot("play", "tic-tac-toe", *PEOPLE, typed="a1\n")
    path = find_save(save_folder)
    head = {key: value for key, value in read_header(path).items() if key != "sum"}
    path.write_bytes(chained([{**head, "seed": seed}]))
    said = ludoglot("play", "--resume", path, typed="")
    assert said.code == 1 and "Traceback" not in said.err and "line 1" in said.err
