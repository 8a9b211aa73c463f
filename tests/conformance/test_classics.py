"""Compares the four classics with their referees: moves, positions and winners over random games."""

from __future__ import annotations

import random

import pytest
from ludoglot.engine.position.position import Position
from referee.classics import GAMES
from shared_games import shared

from .duel import duel

STATES = {"tic-tac-toe": "mark", "connect-four": "disc", "breakthrough": "pawn", "hex": "stone"}


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(STATES))
def test_engine_and_referee_agree(rules, name):
    game = shared(rules / name)

    def snapshot(position: Position) -> dict:
        return {STATES[name]: {cell: member for cell, member in position[STATES[name]].items() if member is not None}}

    for seed in range(6 if name == "hex" else 25):
        position = game.start(seed)
        referee = GAMES[name]()
        duel(position, referee, [], snapshot, random.Random(seed), 500)
        assert position.over
        ranks = position.standing()
        winner = referee.winner()
        if winner is None:
            assert [rank.rank for rank in ranks] == [1, 1]
        else:
            assert ranks[0].seat == winner and ranks[1].rank == 2
