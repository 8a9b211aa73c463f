"""Checks that the report of a comparison says what a house rule does, with packs whose effect follows from their rules.

The first three sentences have to be enough: what the rules say, how often they came into play, and the most important result."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from ludoglot.engine.commands.main import main

DESIGNED = Path(__file__).parent / "designed"
PASTURES = str(DESIGNED / "pastures")
# For each pack: its game, the arguments, and patterns of the first three sentences.
REPORTS = {
    "golden-sheep": (PASTURES, ["--games", "40"], [
        "The sheep gives 3 more litres of milk every day",
        r"applied on 4\.0 moves per game on average, and changed something in 40 of 40 games",
        r"the player with Sheep wins more often: 100\.0% of the games instead of \d\d\.\d%"]),
    "near-goal": ("breakthrough", ["--games", "20"], [
        "White wins by reaching the fourth row",
        "changed something in 20 of 20 games",
        r"White wins more often: 100\.0% of the games instead of \d\d\.\d%"]),
    "three-in-line": ("connect-four", ["--games", "30"], [
        "Three in a line win",
        r"changed something in (2\d|30) of 30 games",
        r"a game takes [\d.]+ fewer decisions on average"]),
    "full-board": ("hex", ["--games", "12"], [
        "After 500 stones, the first stone is removed",
        "never came into play: all 12 games went exactly the same",
        "Each of the 12 games was played twice"]),
    "endless-days": (PASTURES, ["--games", "40", "--limit", "60"], [
        "While Ann is without the cow, the day does not end",
        r"changed something in (\d+) of 40 games",
        r"more games do not end: \d\d\.\d% instead of 0\.0%"]),
    "rich-animals": ("evolution", ["--games", "12"], [
        "A living animal is worth 5 points",
        r"changed something in 1\d of 12 games",
        r"a player scores \d\.\d more points on average"]),
}


def compare(capsys: pytest.CaptureFixture[str], name: str, game: str, *args: str) -> str:
    """Returns the output of the comparison of a pack with its game."""
    assert main(["simulate", game, "--pack", str(DESIGNED / f"{name}.yaml"), "--against", "base", *args]) == 0
    return capsys.readouterr().out


@pytest.mark.long
@pytest.mark.extra("lab")
@pytest.mark.parametrize("name", REPORTS)
def test_first_three_sentences_tell_the_effect(capsys, name):
    game, args, expected = REPORTS[name]
    lines = compare(capsys, name, game, *args, "--lang", "en").splitlines()
    for line, pattern in zip(lines, expected, strict=False):
        assert re.search(pattern, line), lines


@pytest.mark.long
@pytest.mark.extra("lab")
def test_games_without_end_are_counted_apart(capsys):
    out = compare(capsys, "endless-days", PASTURES, "--games", "40", "--limit", "60", "--lang", "en")
    changed = re.search(r"changed something in (\d+) of 40 games", out)
    assert changed and f"{changed[1]} games are left out of all other results" in out
    assert f"Games without an end: {changed[1]} with the house rules, 0 with the other rules." in out


@pytest.mark.long
@pytest.mark.extra("lab")
def test_comparison_without_finished_games_judges_nothing(capsys):
    out = compare(capsys, "golden-sheep", PASTURES, "--games", "12", "--limit", "5", "--lang", "en")
    assert "None of the 12 games ended" in out and "exactly the same" not in out and "came into play" not in out


@pytest.mark.long
@pytest.mark.extra("lab")
def test_choice_that_bots_never_take_is_a_warning(capsys):
    args = ("lost-gift", PASTURES, "--games", "10", "--lang", "en")
    out = compare(capsys, *args, "--bots", "greedy")
    assert re.search(r"Warning: the bots never chose “Pour a litre away”, although they could \d+ times\.", out)
    assert "always chose" not in out                               # the other entry of the same menu
    assert out.index("Warning") < out.index("whether the house rules affect how often each player wins")
    random = compare(capsys, *args)
    assert "Warning" not in random and re.search(r"“Pour a litre away” \d\.\d times", random)


@pytest.mark.long
@pytest.mark.extra("lab")
@pytest.mark.parametrize(("lang", "said"), [("it", "La pecora dà"), ("es", "La oveja da"), ("hu", "A juh naponta")])
def test_pack_is_described_in_the_language_of_the_reader(capsys, lang, said):
    assert said in compare(capsys, "golden-sheep", PASTURES, "--games", "12", "--lang", lang).splitlines()[0]


@pytest.mark.long
@pytest.mark.extra("lab")
def test_first_player_is_compared_if_it_changes(capsys):
    found = json.loads(compare(capsys, "golden-sheep", PASTURES, "--games", "12", "--json"))["compared"]
    assert "began" in {one["measure"] for one in found["measures"]} and found["subjects"] == ["role.keeper.sheep"]
    assert all(one["needed"] is None or one["needed"] > 12 for one in found["measures"])


@pytest.mark.long
@pytest.mark.extra("lab")
def test_comparison_whose_games_all_fail_says_only_so(capsys, tmp_path):
    pack = tmp_path / "broken.yaml"
    pack.write_text((DESIGNED / "golden-sheep.yaml").read_text(encoding="utf-8").replace("bonus: 3", "bonus: 99999"), encoding="utf-8")
    assert main(["simulate", PASTURES, "--pack", str(pack), "--against", "base", "--games", "12", "--lang", "en"]) == 1
    out = capsys.readouterr().out
    assert "F003" in out and "changed something" not in out and "games ended" not in out and "still open" not in out
