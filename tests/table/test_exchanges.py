"""Checks that bots that search do not give pieces away for nothing."""

from __future__ import annotations

import random

import pytest
from ludoglot.dsl.storage.control_slots import RANDOM
from ludoglot.engine.bots.exchange_search import UNLIMITED, ExchangeSearch
from ludoglot.engine.bots.mcts import TreeSearch, choose_by_search
from ludoglot.engine.bots.native import NativeGame
from ludoglot.engine.bots.rng import decision_rng

PIECE_VALUES = {"pawn": 1, "knight": 3, "bishop": 3, "rook": 5, "queen": 9, "king": 0}
REFEREE_DEPTH = 6
REFEREE_LIMIT = 999


def play_chess(game, *moves):
    position = game("chess").start(1)
    for move in moves:
        position.play(position.decision.seat, f"origin={move[:2]} target={move[2:]}")
    return position


@pytest.mark.parametrize("move, lead", [
    ("a2a3", -200),                                                # leaves the pawn on e4 to the other pawn
    ("b1c3", 0), ("e4e5", 0),                                      # protects it, or moves it away
    ("e4d5", 0),                                                   # takes, and the queen takes back
    ("d1h5", -200), ("f1a6", -640),                                # threatens something, or gives the bishop away
])
def test_exchanges_are_followed_to_their_end(game, move, lead):
    """The estimate of chess is a difference already, so the lead is twice the value of the pieces."""
    position = play_chess(game, "e2e4", "d7d5")
    code = position.decision.find(f"origin={move[:2]} target={move[2:]}").code
    search = ExchangeSearch(TreeSearch(position, 0, decision_rng(1, 0, 0), 5000), position.s[RANDOM])
    assert search.settle_option(position, code, 0, -UNLIMITED, UNLIMITED) == lead


@pytest.mark.parametrize("moves, losing", [
    (("e2e4", "e7e5", "d1h5", "b8c6"), {"h5e5", "h5h7", "h5f7"}),  # each of them loses the queen
    (("e2e4", "d7d5", "b1c3", "d5e4", "f1a6"), set()),
])
def test_a_short_search_does_not_give_a_piece_away(game, moves, losing):
    """With so few playouts, the tree alone often chose a loss."""
    position = play_chess(game, *moves)
    for seed in range(3):
        search = TreeSearch(position, position.decision.seat, decision_rng(seed, 0, 0), 700)
        chosen = position.decision.option(search.choose())
        move = chosen.spelling.replace("origin=", "").replace(" target=", "")
        assert move not in losing
        best = search.rank_edges()[0]
        assert best.code == chosen.code and best.loss == 0
        assert losing or move == "b7a6", "the bishop must be taken"


class Referee:
    """Counts pieces, and plays captures to their end. It knows nothing of the search and of the estimate."""

    def __init__(self, game) -> None:
        self.cell = game.cells["man"]
        enum = game.model.enums["Man" if "Man" in game.model.enums else "Piece"]
        if "kind" in enum.values:
            kinds = list(game.model.enums["Kind"].members)
            worth = [PIECE_VALUES[kinds[kind]] for kind in enum.values["kind"]]
        else:
            worth = [2 if crowned == number else 1 for number, crowned in enumerate(enum.values["crowned"])]
        self.may_decline = "kind" in enum.values                   # in draughts, a player who can take must take
        self.pieces = list(zip(enum.values["owner"], worth, strict=True))

    def count(self, position, seat):
        """Returns how far a seat is ahead, and the value of all pieces."""
        held = [self.pieces[value] for _, value in self.cell.iter_values(position.s) if value is not None]
        return sum(worth if owner == seat else -worth for owner, worth in held), sum(worth for _, worth in held)

    def finish_move(self, position, code):
        """Returns the position after a move, which may consist of several decisions."""
        after, seat = position.copy(), position.decision.seat
        after.step(code)
        while not after.over and after.decision.seat == seat:
            after.step(after.decision.codes[-1])
        return after

    def settle(self, position, seat, low=-REFEREE_LIMIT, high=REFEREE_LIMIT, depth=REFEREE_DEPTH):
        """Returns how far the seat that moves is ahead after all captures."""
        ahead, total = self.count(position, seat)
        moves = [self.finish_move(position, code) for code in position.decision.codes] if depth else []
        takes = [after for after in moves if self.count(after, seat)[1] < total]
        best = ahead if self.may_decline or not takes else -REFEREE_LIMIT
        for after in sorted(takes, key=lambda after: -self.count(after, seat)[0]):
            if best >= high:
                break
            best = max(best, self.settle_other(after, seat, max(low, best), high, depth - 1))
        return best

    def settle_other(self, after, seat, low=-REFEREE_LIMIT, high=REFEREE_LIMIT, depth=REFEREE_DEPTH):
        """Returns how far `seat` is ahead if the other seat moves now."""
        return self.count(after, seat)[0] if after.over else -self.settle(after, 1 - seat, -high, -low, depth)

    def gives_away(self, position, code, least):
        """Whether a move loses pieces worth `least`, and another move would have kept them."""
        seat = position.decision.seat
        ahead, after = self.count(position, seat)[0], self.finish_move(position, code)
        if after.over or (left := self.settle_other(after, seat)) > ahead - least:
            return False
        return any(not other.over and self.settle_other(other, seat) >= left + least
                   for other in (self.finish_move(position, code) for code in position.decision.codes))


def iter_positions(game, bots, count):
    """Yields positions with a free choice from games between random and greedy moves."""
    seed = 0
    while count:
        seed += 1
        rng, position = random.Random(seed), game.start(seed)
        for _ in range(rng.randrange(6, 50)):
            if not position.over:
                codes = position.decision.codes
                greedy = len(codes) > 1 and rng.random() < 0.7
                position.step(bots.choose("greedy", position, position.decision.seat, rng) if greedy else rng.choice(codes))
        if not position.over and len(position.decision) > 1:
            count -= 1
            yield seed, position


@pytest.mark.long
@pytest.mark.parametrize("name, least", [("chess", 2), ("english-draughts", 1), ("international-draughts", 1)])
def test_medium_never_gives_a_piece_away(game, name, least):
    """In chess, at least a piece for a pawn. In draughts, a man, if nothing must be taken."""
    made = game(name)
    bots, referee, given = NativeGame(made), Referee(made), []
    bots.wait()
    for seed, position in iter_positions(made, bots, 200):
        seat = position.decision.seat
        total = referee.count(position, seat)[1]
        if not referee.may_decline and referee.count(referee.finish_move(position, position.decision.codes[0]), seat)[1] < total:
            continue
        code = bots.choose("medium", position, seat, decision_rng(seed, seat, 0))
        if referee.gives_away(position, code, least):
            given.append((seed, position.decision.option(code).spelling))
    assert not given


def play_safe_lines(game, seed):
    """Returns a position of Dots and Boxes with few lines that give no box away, and these lines."""
    rng, position = random.Random(seed), game.start(seed)
    while True:
        seat, codes, safe = position.decision.seat, position.decision.codes, []
        for code in codes:
            after = position.copy()
            after.step(code)
            if after.estimate(1 - seat) == 0:                      # no box has three lines
                safe.append(code)
        if 4 * len(safe) < len(codes):
            return position, safe
        position.step(rng.choice(safe))


@pytest.mark.parametrize("seed", range(1, 13))
def test_a_search_keeps_what_most_options_give_away(game, seed):
    position, safe = play_safe_lines(game("dots-and-boxes"), seed)
    assert safe and len(safe) < len(position.decision)
    assert choose_by_search(position, position.decision.seat, decision_rng(seed, 0, 0), 700) in safe


@pytest.mark.long
def test_hard_beats_greedy_where_chains_are_given_away(game):
    """Before the search followed exchanges in such positions, it won one game of eight."""
    made = game("dots-and-boxes")
    bots, won = NativeGame(made), 0
    bots.wait()
    for seed in range(20):
        position, number = made.start(seed), 0
        while not position.over:
            seat = position.decision.seat
            position.step(bots.choose("hard" if seat == seed % 2 else "greedy", position, seat, decision_rng(seed, seat, number)))
            number += 1
        won += [rank.seat for rank in position.standing() if rank.rank == 1] == [seed % 2]
    assert won >= 13
