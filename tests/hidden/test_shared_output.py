"""Checks that output for one seat is safe to share: it reveals no seed, no test for guesses, and no points that count hidden cards."""

from __future__ import annotations

import json

import pytest
from cli.conftest import ludoglot, save_folder, share_compiled_rules

__all__ = ["ludoglot", "save_folder", "share_compiled_rules"]
SEED = "907060504030201"


@pytest.fixture
def hidden_save(ludoglot, toys, tmp_path):
    path = tmp_path / "one.ludoglot"
    assert ludoglot("play", toys / "parry", "--seats", "human,human", "--seed", SEED, "--save", path, typed="1\n1\n1\n").code == 0
    return path


@pytest.mark.long
def test_output_for_a_seat_contains_no_seed_and_no_hash(ludoglot, hidden_save, tmp_path):
    assert SEED in hidden_save.read_text(encoding="utf-8")
    whole = json.loads(ludoglot("replay", hidden_save, "--json").out)
    page, picture = tmp_path / "a.html", tmp_path / "a.svg"
    for more in ((), ("--json",), ("--html", page), ("--svg", picture), ("--verify",)):
        said = ludoglot("replay", hidden_save, "--view", "1", *more)
        assert said.code == 0 and SEED not in said.out + said.err and whole["hash"] not in said.out
        assert "more than this seat may see" in said.err
    for path in (page, picture):
        assert SEED not in path.read_text(encoding="utf-8") and whole["hash"] not in path.read_text(encoding="utf-8")


def test_points_of_an_unfinished_game_are_not_in_output_for_a_seat(ludoglot, hidden_save):
    data = json.loads(ludoglot("replay", hidden_save, "--view", "0", "--json").out)
    assert not data["finished"] and not {"standing", "breakdown", "seed", "hash"} & set(data)
    assert {"standing", "breakdown", "seed", "hash"} <= set(json.loads(ludoglot("replay", hidden_save, "--json").out))


@pytest.mark.parametrize("lang, wanted", [("it", "più di quanto questo posto"), ("es", "más de lo que este puesto"),
                                          ("hu", "többet tartalmaz")])
def test_a_warning_says_that_the_save_reveals_more(ludoglot, hidden_save, lang, wanted):
    assert wanted in ludoglot("replay", hidden_save, "--view", "0", "--lang", lang).err
    assert wanted not in ludoglot("replay", hidden_save, "--lang", lang).err


def test_a_game_without_secrets_gives_no_warning(ludoglot, tmp_path):
    path = tmp_path / "one.ludoglot"
    ludoglot("play", "tic-tac-toe", "--seats", "human,human", "--save", path, typed="a1\n")
    assert ludoglot("replay", path, "--view", "0").err == ""
