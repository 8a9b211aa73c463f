"""Checks at every decision that incremental sets and memos equal a fresh computation."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from language.toys import make
from ludoglot.dsl.ir import nodes
from ludoglot.dsl.ir.traversal import iter_statements
from ludoglot.engine.position.position import Game, Position
from shared_games import shared

ROOT = Path(__file__).parent.parent.parent
GAMES = sorted(path.parent for folder in ("rules", "tests/games") for path in ROOT.glob(f"{folder}/*/game.yaml"))


def find_stale_memos(position: Position) -> list[str]:
    """Returns the memos that differ from a fresh computation from the present states."""
    module, s = position.game.module, position.s
    wrong = []
    for n, memo in enumerate(module.memos):
        if s[memo.slot] is None or not memo.build:
            continue
        fresh = position.copy()
        fresh.invalidate_memos()
        fresh.s[memo.slot] = module.namespace[memo.build](fresh.s)
        end = n + 1
        while end < len(module.memos) and not module.memos[end].build and not module.memos[end].name:
            end += 1                                               # the other words of the same memo
        slots = [one.slot for one in module.memos[n:end]]
        if [s[slot] for slot in slots] != [fresh.s[slot] for slot in slots]:
            wrong.append(memo.build)
    return wrong


def play_and_find_stale_memos(game: Game, seed: int, decisions: int) -> list[str]:
    """Returns the stale memos at all decisions of a random game."""
    position, rng = game.start(seed), random.Random(seed)
    wrong: list[str] = []
    for _ in range(decisions):
        if position.over:
            break
        position.step(rng.choice(list(position.decision.codes)))
        wrong += find_stale_memos(position)
    return wrong


@pytest.mark.long_cases("dominant-species", "evolution", "international-draughts", "snapszer", "trias", "food-chain")
@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_memos_equal_a_fresh_computation(folder: Path):
    assert play_and_find_stale_memos(shared(folder), 1, 150) == []


@pytest.mark.long
@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_memos_equal_a_fresh_computation_over_whole_games(folder: Path):
    game = shared(folder, max(shared(folder).ruleset.source.player_range))
    assert [play_and_find_stale_memos(game, seed, 1_500) for seed in range(2, 6)] == [[]] * 4


GAME = """game: squares
name: Squares
players: 2
rules: [toy.rules]
enums:
  Player: {name: player, members: {one: {name: one}, two: {name: two}}}
  Hue: {name: hue, members: {red: {name: red}, blue: {name: blue}}}
boards:
  floor: {shape: square, cells: Cell, columns: 5, rows: 5}
"""


@pytest.mark.long
def test_incremental_sets_follow_every_kind_of_write():
    """Covers assignments, moves, swaps, resets of a state, overwritten values, and unchanged values."""
    game = make(GAME, '''state hue[Cell]: Hue?
state other[Cell]: Hue?
state made: 0..100

def reds() = set(cell in Cell where hue[cell] == red)

phase game:
    rounds of player in Player until made >= 12:
        choose cell in Cell, goal in Cell where hue[goal] == none and goal != cell by player or stop
        if hue[cell] == none: hue[cell] = red
        elif hue[cell] == red: hue[cell] = blue
        else: move everything from hue[cell] to hue[goal]
        swap other[cell] and hue[goal]
        if count(c in Cell where hue[c] == blue) > 3:
            for c in Cell where hue[c] != none: hue[c] = none
        if reds() == {}: hue[cell] = red
        made += 1

standing player: made
''')
    assert any(memo.build for memo in game.module.memos)
    assert [play_and_find_stale_memos(game, seed, 40) for seed in range(20)] == [[]] * 20


def test_pieces_on_a_set_of_cells_are_tested_with_a_mask():
    """The compiled code tests a mask instead of looking at one cell after the other."""
    game = make(GAME, '''state hue[Cell]: Hue?
state made: 0..100

def touched(cell: Cell) = any(there in near(cell), h in hue[there] where h == red)
def counted(cell: Cell) = count(there in near(cell), h in hue[there] where h == red)
def plainly(cell: Cell) = sum(there in near(cell): 1 if hue[there] == red else 0)

phase game:
    rounds of player in Player until made >= 12:
        choose cell in Cell, h in Hue by player or stop
        hue[cell] = h
        made += 1

standing player: sum(cell in Cell: counted(cell))
estimate player: count(cell in Cell where counted(cell) != plainly(cell) or touched(cell) != (plainly(cell) > 0))
''')
    (code,) = [code for code in game.module.machine.functions if code.name == "d_touched"]
    assert [
        node.things
        for node in iter_statements(code.body)
        if isinstance(node, nodes.ForStmt) and isinstance(node.things, nodes.IndexExpr)
    ] == []
    position, rng = game.start(1), random.Random(1)
    while not position.over:
        position.step(rng.choice(list(position.decision.codes)))
        assert position.estimate(0) == 0
    assert position.standing()[0].values[0] > 0
