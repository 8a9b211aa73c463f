"""Checks that games, matches and environments can be copied and pickled, as learning programs do."""

from __future__ import annotations

import copy
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ludoglot.api import ApiError, Match, load
from ludoglot.api.pettingzoo import environment
from ludoglot.engine.library.find import RULES_FOLDER

pytestmark = pytest.mark.usefixtures("shared_rules")


def pickle_and_load(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


COPIES = [pytest.param(copy.copy, id="copy"), pytest.param(copy.deepcopy, id="deepcopy"), pytest.param(pickle_and_load, id="pickle")]


def play_last_options(match: Match, decisions: int) -> Match:
    for _ in range(decisions):
        match.play(match.options[-1])
    return match


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("name", ["hearts", "connect-four", "liars-dice"])
def test_a_copied_match_is_independent(name: str, copied: Callable[[Match], Match]):
    match = play_last_options(load(name, lang="it").start(5), 6)
    twin = copied(match)
    assert (twin.digest(), twin.log(), twin.question(), twin.lang) == (match.digest(), match.log(), match.question(), "it")
    before = match.digest()
    play_last_options(twin, 3)
    assert match.digest() == before != twin.digest() == play_last_options(match, 3).digest()


@pytest.mark.parametrize("copied", COPIES)
def test_a_sampled_match_is_copied_without_a_history(copied: Callable[[Match], Match]):
    match = play_last_options(load("hearts").start(5), 6)
    sampled = match.sample(match.seat or 0, seed=3)
    twin = copied(sampled)
    assert twin.digest() == sampled.digest() and twin.log() == sampled.log() == []
    with pytest.raises(ApiError, match="imagined"):
        twin.save("never.ludoglot")


@pytest.mark.parametrize("copied", COPIES)
def test_a_copied_game_keeps_its_house_rules(tmp_path, copied: Callable[[Any], Any]):
    pack = tmp_path / "few-seeds.yaml"
    pack.write_text("house: few-seeds\nfor: kalah\nset:\n  seeds_each: 2\n", encoding="utf-8")
    game = load("kalah", house=[pack])
    twin = copied(game)
    assert twin.pack_sources == ["few-seeds"] and twin.options == game.options
    assert twin.start(1).digest() == game.start(1).digest() != load("kalah").start(1).digest()


def test_a_pickle_of_changed_rules_is_rejected(tmp_path):
    folder = Path(shutil.copytree(RULES_FOLDER / "kalah", tmp_path / "kalah"))
    data = pickle.dumps(load(folder).start(1))
    text = (folder / "game.yaml").read_text(encoding="utf-8")
    (folder / "game.yaml").write_text(text.replace("seeds_each: 4", "seeds_each: 3"), encoding="utf-8")
    with pytest.raises(ApiError, match="changed"):
        pickle.loads(data)


@pytest.mark.parametrize("copied", COPIES[1:])
@pytest.mark.parametrize("name", ["connect-four", "liars-dice"])
def test_a_copied_environment_is_independent(name: str, copied: Callable[[Any], Any]):
    env = environment(name)
    env.reset(seed=1)
    twin = copied(env)

    def step(one: Any) -> None:
        mask = one.observe(one.agent_selection)["action_mask"]
        one.step(int(np.flatnonzero(mask)[0]))
    for _ in range(3):
        step(twin)
    assert env.unwrapped.decisions == 0 and twin.unwrapped.decisions == 3
    for _ in range(3):
        step(env)
    assert all(np.array_equal(env.observe(agent)["observation"], twin.observe(agent)["observation"]) for agent in env.possible_agents)
    env.reset()
    twin.reset()
    assert env.unwrapped.match.digest() == twin.unwrapped.match.digest()


@pytest.mark.long
def test_environments_that_load_their_rules_are_copied_and_pickled():
    code = """
import copy, pickle
from ludoglot.api.pettingzoo import environment
env = environment("connect-four")
env.reset(seed=1)
for one in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
    one.step(3)
    print(int(one.observe(one.agent_selection)["action_mask"].sum()))
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (said.returncode, said.stdout.split()) == (0, ["7", "7"]), said.stderr
