"""A position is plain data at every decision: you can copy, compare, hash, save, and resume it, also in the middle of an effect."""

from __future__ import annotations

import json
import random
import subprocess
import sys

import pytest
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.engine.position.position import Game, IllegalOptionError, Position
from shared_games import shared

GAMES = [
    ("rules", "tic-tac-toe", 2, 9),
    ("rules", "breakthrough", 2, 60),
    pytest.param("rules", "dominant-species", 4, 400, marks=pytest.mark.long),
    ("rules", "dominant-species", 2, 100),
    pytest.param("rules", "dominant-species", 2, 300, marks=pytest.mark.long),
    ("games", "parry", 3, 60),
    ("games", "drift", 4, 20),
    ("games", "causeways", 3, 40),
]


def games(request_rules, request_toys):
    return {"rules": request_rules, "games": request_toys}


@pytest.mark.long_cases("rules-dominant-species-2-100")
@pytest.mark.parametrize("where, name, players, decisions", GAMES)
def test_a_position_is_saved_and_resumed_at_every_decision(rules, toys, where, name, players, decisions):
    game = shared({"rules": rules, "games": toys}[where] / name, players)
    position = game.start(11)
    rng = random.Random(5)
    while not position.over and decisions:
        decisions -= 1
        saved = json.loads(json.dumps(position.to_data()))
        resumed = Position.from_data(game, saved)
        assert resumed == position and resumed.digest() == position.digest() and hash(resumed) == hash(position)
        copied = position.copy()
        before = copied.digest()
        option = rng.choice(position.decision.options)
        seat = position.decision.seat
        position.play(seat, option)
        assert copied.digest() == before, "a move must not change a copy"
        resumed.play(seat, option.spelling)
        assert resumed == position, "a resumed position must continue in the same way"
        assert position.broken_invariants() == []


def test_an_illegal_move_is_rejected_and_changes_nothing(rules):
    position = shared(rules / "tic-tac-toe").start()
    position.play(0, "cell=a1")
    before = position.digest()
    for seat, option in [(1, "cell=a1"), (0, "cell=b2"), (1, "cell=z9"), (1, "decline"), (1, 99)]:
        with pytest.raises(IllegalOptionError):
            position.play(seat, option)
    assert position.digest() == before


@pytest.mark.long
def test_a_save_of_different_rules_is_rejected(rules):
    small, large = shared(rules / "dominant-species", 2), shared(rules / "dominant-species", 3)
    with pytest.raises(ValueError, match="other rules"):
        Position.from_data(large, small.start().to_data())


@pytest.mark.parametrize("damage", [{"control": {}}, {"states": []}, {"frames": {"9999999": 1}}, {"control": None}])
def test_a_damaged_save_is_rejected(rules, damage):
    game = shared(rules / "tic-tac-toe")
    with pytest.raises(ValueError):
        Position.from_data(game, game.start().to_data() | damage)


@pytest.mark.long
def test_a_game_is_the_same_in_every_process(rules):
    program = (
        "import random, sys\n"
        "from ludoglot.dsl.game.ruleset import load_ruleset\nfrom ludoglot.engine.position.position import Game\n"
        f"p = Game(load_ruleset({str(rules / 'dominant-species')!r}, 3)).start(7)\nr = random.Random(1)\n"
        "for _ in range(150):\n    d = p.decision\n    p.play(d.seat, r.randrange(len(d)))\n"
        "print(p.digest())\n"
    )
    import os

    found = {
        subprocess.run(
            [sys.executable, "-c", program], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(found) == 1


TOGGLE = {
    "game.yaml": "game: toggle\nname: Toggle\nplayers: 1\nrules: [toggle.rules]\nenums:\n  Colour: [red, blue]\n",
    "toggle.rules": """state f: bool
state n: int = {first}
phase game:
    choose x in Colour by player_1:
        if x == red: f = true
        else: f = n == {first}
    choose y in Colour by player_1 or stop
standing player: n
""",
}


def make_toggle_game(folder, first):
    folder.mkdir()
    for name, text in TOGGLE.items():
        (folder / name).write_text(text.replace("{first}", str(first)), encoding="utf-8")
    return Game(load_ruleset(folder))


def test_equal_positions_have_equal_digests(tmp_path):
    game = make_toggle_game(tmp_path / "a", 1)
    one, two = game.start(), game.start()
    one.play(0, "x=red")
    two.play(0, "x=blue")
    assert one.raw_value("f") == two.raw_value("f") and one == two or one.decision.key != two.decision.key
    assert (one == two) == (one.digest() == two.digest())


def test_different_initial_values_change_the_fingerprint(tmp_path):
    assert make_toggle_game(tmp_path / "a", 1).fingerprint != make_toggle_game(tmp_path / "b", 2).fingerprint
