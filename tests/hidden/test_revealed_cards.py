"""Checks that texts may name a card that a called procedure reveals. Texts never name a hidden card, and never show a raw field."""

from __future__ import annotations

import re

import pytest
from cli.conftest import ludoglot, save_folder, share_compiled_rules
from tmp_files import filled

__all__ = ["ludoglot", "save_folder", "share_compiled_rules"]
GAME = """
game: alchemy
name: Alchemy
players: 2
rules: [alchemy.rules]
enums: {Jar: {name: jar, members: {alum: {name: alum}, borax: {name: borax}, dye: {name: dye}, ember: {name: ember}}}}
"""
RULES = """state deck: pile of Jar hidden
state hand[Player]: set of Jar seen by player
state shown: set of Jar
state aside: set of Jar hidden
phase game:
    deck = list(jar in Jar)
    shuffle deck
    for player in Player: draw 2 from deck to hand[player]
    rounds of player in Player until size(shown) + size(aside) == 4: play(player)
proc play(player):
    choose jar in hand[player] by player or stop
    lay(player, jar)
proc lay(player, jar):
    BODY
standing player: size(hand[player])
"""
DID_TEXT = 'did.play.jar: "{who} shows {jar}~an."\n'
REVEALING_BODIES = {
    "moved": "move jar from hand[player] to shown",
    "moved, then something is asked": "move jar from hand[player] to shown\n    choose other in Jar by player",
    "on both ways": "if size(shown) > 1: move jar from hand[player] to shown\n    else:\n        hand[player] = hand[player] - {jar}\n"
                    "        shown = shown + {jar}",
    "one deeper": "deeper(player, jar)\nproc deeper(player, jar):\n    move jar from hand[player] to shown",
}


@pytest.fixture
def check_and_play(ludoglot, tmp_path):
    def run(body, texts):
        folder = filled(tmp_path / "alchemy", {"game.yaml": GAME, "alchemy.rules": RULES.replace("BODY", body), "messages.yaml": texts})
        checked = ludoglot("check", folder)
        said = ludoglot("play", folder, "--seats", "human,bot:random", "--seed", "1", typed="1\n" * 8)
        assert said.code == 0 and not re.search(r"[{}]|~", said.out), said.out
        return checked, re.findall(r"Player 2 .*", said.out)
    return run


@pytest.mark.long_cases("on both ways")
@pytest.mark.parametrize("body", REVEALING_BODIES.values(), ids=REVEALING_BODIES)
def test_a_card_that_a_called_procedure_reveals_is_named(check_and_play, body):
    checked, lines = check_and_play(body, DID_TEXT)
    assert "W208" not in checked.out
    assert [line for line in lines if re.fullmatch(r"Player 2 shows an? (alum|borax|dye|ember)\.", line)], lines


def test_a_hidden_card_is_not_named_and_its_field_is_reported(check_and_play):
    body = "move jar from hand[player] to aside"
    checked, lines = check_and_play(body, DID_TEXT + 'did.play.jar.others: "{who} hides {jar}~an."\n')
    assert "W208" in checked.out and "did.play.jar.others" in checked.out
    assert "{jar}" not in checked.out.split("Known fields:")[1].split("\n")[0]
    assert not [line for line in lines if re.search("alum|borax|dye|ember", line)], lines


def test_a_later_text_that_names_a_hidden_card_is_not_used(check_and_play):
    body = "move jar from hand[player] to aside\n    choose other in Jar by player"
    _, lines = check_and_play(body, DID_TEXT + 'did.lay.other: "{who} asks for {other}~an and keeps {jar}~an."\n')
    assert lines and not [line for line in lines if "keeps" in line], lines
