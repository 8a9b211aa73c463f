"""Checks games between bots: `--json` prints the same object in every language and with every hash seed."""

from __future__ import annotations

import json

import pytest
from ludoglot.engine.bots import table_bots

from .conftest import LANGUAGES

BOTS = ("--seats", "bot:greedy,bot:random", "--seed", "7")


@pytest.mark.long
@pytest.mark.parametrize("game", ["tic-tac-toe", "connect-four"])
def test_the_json_does_not_depend_on_the_language(ludoglot, game):
    said = {ludoglot("play", game, *BOTS, "--json", "--lang", lang).out for lang in LANGUAGES}
    assert len(said) == 1
    found = json.loads(said.pop())
    assert list(found) == ["game", "options", "house", "seed", "players", "decisions", "rounds", "finished", "standing", "hash"]
    assert found["game"] == game and found["seed"] == 7 and found["players"] == 2 and found["finished"] is True
    assert [set(line) for line in found["standing"]] == [{"seat", "name", "score", "rank"}] * 2


@pytest.mark.parametrize("args", [
    ("connect-four", "--max-rounds", "6"),
    pytest.param(("breakthrough", "--max-rounds", "6"), marks=pytest.mark.long),
    pytest.param(("dominant-species", "--players", "2", "--max-rounds", "1"), marks=pytest.mark.long),
])
def test_the_json_does_not_depend_on_the_hash_seed(run_process, args):
    said = {run_process("play", *args, *BOTS, "--json", PYTHONHASHSEED=seed).out for seed in ("0", "1", "77")}
    assert len(said) == 1 and json.loads(said.pop())["decisions"] > 10


def test_different_seeds_give_different_games(ludoglot):
    games = {ludoglot("play", "hex", "--seats", "bot:random,bot:random", "--seed", seed, "--json").out for seed in "12345"}
    assert len({json.loads(game)["hash"] for game in games}) == 5


def test_a_stopped_game_is_not_finished(ludoglot):
    said = ludoglot("play", "tic-tac-toe", *BOTS, "--max-rounds", "2", "--json")
    found = json.loads(said.out)
    assert found["finished"] is False and found["rounds"] == 2 and found["decisions"] == 4


def test_forced_decisions_are_not_counted(ludoglot):
    found = json.loads(ludoglot("play", "tic-tac-toe", "--seats", "bot:random,bot:random", "--seed", "1", "--json").out)
    every = json.loads(ludoglot("play", "tic-tac-toe", "--seats", "bot:random,bot:random", "--seed", "1", "--json", "--no-auto").out)
    assert every["hash"] == found["hash"] and every["decisions"] - found["decisions"] in (0, 1)


@pytest.mark.long
def test_the_json_has_the_given_names(ludoglot):
    found = json.loads(ludoglot("play", "connect-four", *BOTS, "--names", "Zsófi,Nicolò", "--json").out)
    assert {line["name"] for line in found["standing"]} == {"Zsófi", "Nicolò"}


@pytest.mark.long
def test_the_standing_is_printed_in_each_language(ludoglot):
    pages = {lang: ludoglot("play", "connect-four", *BOTS, "--lang", lang).out for lang in LANGUAGES}
    assert "Vince il giallo." in pages["it"] and "Gana el amarillo." in pages["es"]
    assert "A sárga nyert." in pages["hu"] and "Yellow wins." in pages["en"]


def test_house_rules_appear_in_the_json_and_apply(ludoglot, orchard, richer_pack):
    plain = json.loads(ludoglot("play", orchard, *BOTS, "--json").out)
    rich = json.loads(ludoglot("play", orchard, *BOTS, "--json", "--pack", richer_pack).out)
    assert plain["house"] == [] and [entry["name"] for entry in rich["house"]] == ["richer"] and len(rich["house"][0]["hash"]) == 16
    assert max(line["score"] for line in plain["standing"]) == 6 and max(line["score"] for line in rich["standing"]) == 10


@pytest.mark.long
def test_the_greedy_bot_takes_wins(ludoglot):
    wins = 0
    for seed in range(10):
        found = json.loads(ludoglot("play", "connect-four", "--seats", "bot:greedy,bot:random", "--seed", seed, "--json").out)
        wins += found["standing"][0]["name"] == "yellow" and found["standing"][0]["rank"] < found["standing"][1]["rank"]
    assert wins >= 8


@pytest.mark.parametrize("flags, seats", [([], [1]), (["--no-ponder"], [])])
def test_hard_thinks_while_people_think_unless_it_is_switched_off(ludoglot, monkeypatch, flags, seats):
    asked, create = [], table_bots.TableBots.__init__
    monkeypatch.setattr(table_bots.TableBots, "__init__",
                        lambda bots, *given, **named: (asked.append(named["pondering_seats"]), create(bots, *given, **named))[1])
    ludoglot("play", "tic-tac-toe", "--seats", "human,bot:hard", *flags, typed="")
    assert asked == [seats]
