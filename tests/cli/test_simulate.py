"""Checks `simulate` and `check --games`: the findings and figures of many games between bots."""

from __future__ import annotations

import json
import re
import sys

import pytest
from ludoglot.engine import lab
from ludoglot.engine.lab.statistics import wilson_interval

from .conftest import LANGUAGES


def edit_rules(orchard, old, new):
    path = orchard / "orchard.rules"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def run_report(ludoglot, *args):
    said = ludoglot("simulate", *args, "--json")
    return said.code, json.loads(said.out)


def test_games_are_counted(ludoglot, orchard):
    code, found = run_report(ludoglot, orchard, "--games", "20")
    assert code == 0 and found["games"] == found["ended"] == 20 and found["faults"] == found["stalled"] == []
    assert sum(seat["won"] for seat in found["seats"]) + found["shared"] == 20
    for seat in found["seats"]:
        assert seat["low"] <= seat["won"] / 20 <= seat["high"]
    assert 2 <= found["decisions"]["low"] <= found["decisions"]["median"] <= found["decisions"]["high"]


def test_the_same_seed_gives_the_same_game(ludoglot, orchard):
    _, all_four = run_report(ludoglot, orchard, "--games", "4", "--seed", "5")
    alone = [run_report(ludoglot, orchard, "--games", "1", "--seed", str(seed))[1] for seed in range(5, 9)]
    assert sum(found["decisions"]["low"] for found in alone) > 0
    assert all_four["decisions"]["high"] == max(found["decisions"]["high"] for found in alone)
    played = ludoglot("play", orchard, "--seats", "bot:random,bot:random", "--seed", "5", "--json")
    assert json.loads(played.out)["decisions"] == alone[0]["decisions"]["low"]


def test_a_violated_invariant_is_reported_with_its_game(ludoglot, orchard):
    edit_rules(orchard, "standing player", "always nobody_has_many: all(p in Player: apples[p] < 6)\n\nstanding player")
    code, found = run_report(ludoglot, orchard, "--games", "5", "--seed", "3")
    (fault,) = found["faults"]
    assert code == 1 and fault["code"] == "F011" and fault["line"] == 13 and fault["games"] == 5 and fault["seed"] == 3
    assert fault["key"] == "game.card" and fault["option"] == "card=harvest" and found["ended"] == 0
    for lang in LANGUAGES:
        said = ludoglot("simulate", orchard, "--games", "5", "--seed", "3", "--lang", lang)
        assert said.code == 1 and "bot:random,bot:random --seed 3" in said.out and "nobody_has_many" in said.out


def test_a_fault_is_reported_once_with_its_line(ludoglot, orchard):
    edit_rules(orchard, "apples[player] += harvest.apples", "apples[player] += 50 * apples[player] + harvest.apples")
    edit_rules(orchard, ">= 6", ">= 600")
    code, found = run_report(ludoglot, orchard, "--games", "6")
    (fault,) = found["faults"]
    assert code == 1 and fault["code"] == "F003" and fault["line"] == 10 and fault["games"] == 6
    again = re.search(r"--seed (\d+)", fault["hint"])
    assert again and "orchard" in fault["hint"]
    played = ludoglot("play", orchard, "--seats", "bot:random,bot:random", "--seed", again[1], "--json")
    assert played.code == 1 and "F003" in played.out + played.err


def test_an_endless_game_stops_at_the_limit(ludoglot, orchard):
    edit_rules(orchard, ">= 6", ">= 99")
    edit_rules(orchard, "apples[player] += harvest.apples", "stop")
    code, found = run_report(ludoglot, orchard, "--games", "2", "--limit", "50")
    assert code == 0 and found["stalled"] == [1, 2] and found["ended"] == 0 and found["decisions"] is None
    assert "50 decisions" in ludoglot("simulate", orchard, "--games", "2", "--limit", "50").out


def test_endless_games_suggest_other_bots(ludoglot, orchard):
    edit_rules(orchard, ">= 6", ">= 99")
    edit_rules(orchard, "apples[player] += harvest.apples", "stop")
    said = ludoglot("simulate", orchard, "--games", "5", "--limit", "50")
    assert said.err.count("try --bots greedy") == 1 and "try --bots greedy" in said.out
    assert "try --bots" not in ludoglot("simulate", orchard, "--games", "1", "--limit", "50", "--bots", "greedy").out


def test_names_of_players_have_no_article(ludoglot, orchard):
    game = orchard / "game.yaml"
    text = game.read_text(encoding="utf-8").replace("name: ann}", "name: Anna}").replace("name: bea}", "name: Őze}")
    game.write_text(text, encoding="utf-8")
    for lang in ("en", "it", "es", "hu"):
        lines = ludoglot("simulate", orchard, "--games", "4", "--lang", lang).out.splitlines()
        found = [line for line in lines if "Anna" in line or "Őz" in line]
        assert len(found) == 2 and all(line.startswith(("Anna", "Őz")) for line in found), lines



def test_an_unknown_bot_gets_a_suggestion(ludoglot, orchard):
    said = ludoglot("simulate", orchard, "--bots", "greddy")
    assert said.code == 2 and "greedy" in said.err


def test_a_bot_for_each_seat(ludoglot, orchard):
    said = ludoglot("simulate", orchard, "--bots", "random,random,random")
    assert said.code == 2 and "3" in said.err
    code, found = run_report(ludoglot, orchard, "--games", "3", "--bots", "bot:greedy,random")
    assert code == 0 and found["bots"] == ["greedy", "random"] and found["seats"][0]["won"] == 3


@pytest.mark.long
def test_house_rules_are_compared_in_pairs_of_games(ludoglot, orchard, richer_pack):
    code, found = run_report(ludoglot, orchard, "--pack", richer_pack, "--against", "base", "--games", "30")
    assert code == 0 and found["compared"]["planned"] == 30 and found["house"]["house"] == ["richer"] and found["against"]["house"] == []
    by = {one["measure"]: one for one in found["compared"]["measures"]}
    assert by["points"]["clear"] and by["points"]["after"] > by["points"]["before"] and not by["length"]["clear"]
    for lang in LANGUAGES:
        said = ludoglot("simulate", orchard, "--pack", richer_pack, "--against", "base", "--games", "30", "--lang", lang)
        assert said.code == 0 and len(said.out.splitlines()) >= 2
    assert "The difference is greater than chance would explain." in said.out
    assert ludoglot("simulate", orchard, "--against", "base").code == 2


@pytest.mark.extra("lab")
def test_packs_without_difference_are_reported_as_identical(ludoglot, orchard, richer_pack, tmp_path):
    unmet, text = tmp_path / "unmet.yaml", richer_pack.read_text(encoding="utf-8").replace("richer", "unmet")
    unmet.write_text(text + "add: {numbers: {spare: 3}}\n"
                     "steps:\n  - {before: \"game: end\", rules: \"if spare > 3: stop\"}\n", encoding="utf-8")
    said = ludoglot("simulate", orchard, "--pack", richer_pack, "--against", unmet, "--games", "9", "--lang", "en")
    assert "These house rules make no difference: all 9 games went exactly the same with both.\n" in said.out, said.err


@pytest.mark.long
def test_pointless_comparisons_are_rejected_before_play(ludoglot, orchard, richer_pack, started_games):
    for lang in LANGUAGES:
        same = ludoglot("simulate", orchard, "--pack", richer_pack, "--against", richer_pack, "--games", "30", "--lang", lang)
        few = ludoglot("simulate", orchard, "--pack", richer_pack, "--against", "base", "--games", "7", "--lang", lang)
        assert (same.code, few.code) == (2, 2) and not same.out and not few.out and "8" in few.err and "--against" in same.err
    assert not started_games


@pytest.fixture
def started_games(monkeypatch):
    """Records the games that a command starts, and plays none of them."""
    from ludoglot.engine.lab import runner
    found: list = []
    monkeypatch.setattr(runner, "play_chunk", found.append)
    return found


@pytest.mark.long
def test_games_and_report_are_written_to_a_folder(ludoglot, orchard, tmp_path):
    out = tmp_path / "out"
    first = ludoglot("simulate", orchard, "--games", "4", "--out", out, "--lang", "it")
    assert first.code == 0 and len((out / "games.jsonl").read_text().splitlines()) == 4
    assert '<html lang="it">' in (out / "report.html").read_text() and "report.html" in first.err
    assert {path.name for path in out.iterdir()} >= {"games.csv", "games.parquet", "things.csv", "things.parquet", "plan.json"}
    more = ludoglot("simulate", orchard, "--games", "6", "--out", out)
    assert more.out == ludoglot("simulate", orchard, "--games", "6").out
    refused = ludoglot("simulate", orchard, "--games", "6", "--seed", "9", "--out", out)
    assert refused.code == 1 and "plan.json" in refused.err


@pytest.mark.long
def test_check_plays_each_variant(ludoglot, orchard):
    game = orchard / "game.yaml"
    text = game.read_text(encoding="utf-8") + "options: {dear: {values: [false, true], default: false}}\n"
    game.write_text(text, encoding="utf-8")
    assert ludoglot("check", orchard, "--games", "4").code == 0
    edit_rules(orchard, "standing player", "always never_dear: not dear or apples[ann] == 0\n\nstanding player")
    assert ludoglot("check", orchard).code == 0
    said = ludoglot("check", orchard, "--games", "4")
    assert said.code == 1 and said.out.count("[F011]") == 1 and "--option dear=true" in said.out


@pytest.mark.parametrize("hits, tries, low, high", [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (0, 0, 0.0, 1.0)])
def test_wilson_intervals(hits, tries, low, high):
    assert wilson_interval(hits, tries) == pytest.approx((low, high), abs=1e-4)


def test_an_unwritable_report_is_reported_before_the_first_game(ludoglot, orchard, tmp_path, monkeypatch):
    monkeypatch.delattr(lab, "export", raising=False)         # not imported yet
    monkeypatch.delitem(sys.modules, "ludoglot.engine.lab.export", raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    said = ludoglot("simulate", orchard, "--games", "2", "--out", str(tmp_path / "games"))
    assert said.code == 1 and "ludoglot[lab]" in said.err and not (tmp_path / "games").exists()
