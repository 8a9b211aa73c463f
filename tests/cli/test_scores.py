"""Checks the sources of points at the end of a game with a person, and in a replay."""

from __future__ import annotations

import json

import pytest

RULES = """\
state apples[Player]: 0..99
state row: set of Card

phase game:
    row = set(card in Card)
    rounds of player in Player until any(p in Player where apples[p] >= 6): turn(player)

phase turn(player):
    apples[player] += 1
    choose card in row by player or stop
    effect[card](player)

proc effect[harvest](player): apples[player] += harvest.apples
proc effect[rest](player): stop

standing player: apples[player]
"""
SCORE_TABLE = ["           Ann  Bea", "Harvest      6    3", "Windfalls    2    1", "Total        8    4"]


@pytest.fixture
def orchard(orchard):
    (orchard / "orchard.rules").write_text(RULES, encoding="utf-8")
    (orchard / "messages.yaml").write_text('phase.turn.name: "Windfalls"\n', encoding="utf-8")
    return orchard


@pytest.mark.long
def test_the_score_table_is_shown_to_people_at_the_end(ludoglot, orchard, tmp_path):
    said = ludoglot("play", orchard, "--seats", "human,human", "--lang", "en", "--save", tmp_path / "one.save", typed="1\n1\n1\n")
    assert said.out.splitlines()[-6:] == ["", "Where the points come from", *SCORE_TABLE]
    assert ludoglot("replay", tmp_path / "one.save", "--lang", "en").out.splitlines()[-5:] == ["Where the points come from", *SCORE_TABLE]
    assert "Da dove vengono i punti" in ludoglot("replay", tmp_path / "one.save", "--lang", "it").out


def test_games_between_bots_print_only_the_standing(ludoglot, orchard):
    said = ludoglot("play", orchard, "--seats", "bot:greedy,bot:greedy", "--lang", "en")
    assert said.code == 0 and len(said.out.splitlines()) == 4


def test_the_json_has_the_sources_of_points(ludoglot, orchard, tmp_path):
    ludoglot("play", orchard, "--seats", "bot:greedy,bot:greedy", "--save", tmp_path / "one.save")
    found = json.loads(ludoglot("replay", tmp_path / "one.save", "--json").out)
    assert {"seat": 0, "source": "Card.harvest", "points": 6} in found["breakdown"]
    for line in found["standing"]:
        assert sum(part["points"] for part in found["breakdown"] if part["seat"] == line["seat"]) == line["score"]


@pytest.mark.long
def test_a_game_without_points_has_an_empty_breakdown(ludoglot, tmp_path):
    ludoglot("play", "hex", "--seats", "bot:random,bot:random", "--save", tmp_path / "one.save")
    assert json.loads(ludoglot("replay", tmp_path / "one.save", "--json").out)["breakdown"] == []
