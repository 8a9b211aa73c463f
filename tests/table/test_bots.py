"""Checks that bots choose automatically and repeatably, and never use hidden information."""

from __future__ import annotations

import pytest
from language.toys import make
from ludoglot.dsl.storage.control_slots import OPTIONS, RANDOM
from ludoglot.engine.bots.greedy import BASE_STEPS, BOTS, MAX_OPTIONS_CONSIDERED, MAX_PLAYOUT_DECISIONS, GreedySearch, choose_greedy
from ludoglot.engine.bots.mcts import STEP_BUDGETS
from ludoglot.engine.bots.native import NativeGame
from ludoglot.engine.bots.rng import decision_rng, pick_one, sample_without_replacement
from ludoglot.engine.bots.search_base import DETERMINIZE_COST_STEPS
from ludoglot.engine.match.save_file import MatchSetup
from ludoglot.engine.match.table import MatchTable
from ludoglot.engine.position.options import DECLINE
from ludoglot.engine.position.position import Position


def test_a_generator_depends_on_seed_seat_and_number():
    firsts = {decision_rng(*key).random() for key in [(1, 0, 0), (1, 0, 1), (1, 1, 0), (2, 0, 0)]}
    assert len(firsts) == 4 and decision_rng(1, 0, 0).random() == decision_rng(1, 0, 0).random()


def test_a_generator_is_the_same_on_every_python():
    assert [int(decision_rng(5, 1, 3).random() * 1000) for _ in range(1)] == [int(decision_rng(5, 1, 3).random() * 1000)]
    assert decision_rng(0, 0, 0).getrandbits(32) == decision_rng(0, 0, 0).getrandbits(32)


def test_pick_one_and_sample_without_replacement():
    rng = decision_rng(1, 0, 0)
    assert {pick_one(rng, "abc") for _ in range(60)} == set("abc")
    assert (
        sorted(sample_without_replacement(rng, list(range(5)), 9)) == [0, 1, 2, 3, 4]
        and len(sample_without_replacement(rng, list(range(5)), 2)) == 2
    )


@pytest.mark.long_cases(
    "connect-four-hard", "hex-hard", "dominant-species-greedy", "dominant-species-easy", "dominant-species-medium",
    "dominant-species-hard", "parry-hard",
)
@pytest.mark.parametrize("kind", BOTS)
@pytest.mark.parametrize("name", ["connect-four", "hex", "dominant-species", "parry"])
def test_bots_do_not_change_the_position_and_are_deterministic(game, kind, name):
    position = game(name).start(3)
    before = position.s.copy()
    seat = position.decision.seat
    code = BOTS[kind](position, seat, decision_rng(1, seat, 0))
    assert code in position.decision.codes and position.s == before
    assert BOTS[kind](position.copy(), seat, decision_rng(1, seat, 0)) == code


def test_greedy_takes_the_winning_place(game):
    position = game("tic-tac-toe").start(1)
    for cell in ("a1", "a2", "b1", "b2"):
        position.play(position.decision.seat, f"cell={cell}")
    for n in range(10):
        code = choose_greedy(position, 0, decision_rng(n, 0, 0))
        assert position.decision.option(code).spelling == "cell=c1"


def test_greedy_does_not_use_hidden_information(game):
    """The bot treats two positions that differ only in the other hand and the deck alike."""
    from ludoglot.engine.position.determinize import determinize_position
    from ludoglot.engine.position.observation import observe
    position = game("parry").start(2)
    seat = position.decision.seat
    chosen = set()
    for n in range(8):
        other = determinize_position(position, seat, decision_rng(n, 9, 9))
        assert observe(position, seat) == observe(other, seat)
        codes = [choose_greedy(p, seat, decision_rng(n, seat, 0)) for p in (position, other)]
        assert codes[0] == codes[1]
        chosen.add(codes[0])
    assert len(chosen) > 1                                          # so the choice could have differed


def test_greedy_does_not_predict_chance():
    """This toy throws its die right after the choice. A bot that copied the generator would know when to gamble."""
    toy = make(TOY_DATA, """
state coins[Player]: 0..100
phase game:
    rounds of player in Player until any(p in Player where coins[p] > 90): turn(player)
proc turn(player) by player:
    choose as way:
        gamble:
            choose pip in 1..6 by chance
            coins[player] += 6 if pip == 6 else 0
        save:
            coins[player] += 2
standing player: coins[player]
""")
    position = toy.start(1)
    for luck in range(12):
        position.s[RANDOM] = luck
        assert position.decision.option(choose_greedy(position, 0, decision_rng(1, 0, 0))).spelling == "save"


TOY_DATA = """
game: toy
name: Toy
players: 2
rules: [toy.rules]
enums:
  Player: {members: {anna: {}, bela: {}}}
  Spot: [barren, poor, fair, rich, cursed]
"""
PLANNING_RULES = """
state turns: 0..3
state wanted[Player]: Spot?
state coins[Player]: 0..50
phase game:
    rounds until turns == 3: turn()
phase turn:
    for player in Player: plan(player)
    for player in Player, spot in wanted[player]: coins[player] += YIELD
    turns += 1
proc plan(player) by player:
    choose spot in Spot where CHOICE or stop
    wanted[player] = spot
standing player: coins[player]
"""


def make_planning_game(choice, gain):
    return make(TOY_DATA, PLANNING_RULES.replace("CHOICE", choice).replace("YIELD", gain))


@pytest.mark.long
def test_greedy_uses_playouts():
    position = make_planning_game("spot != cursed", "position(spot)").start(1)
    assert len({play_option(position, code).estimate(0) for code in position.decision.codes}) == 1
    for n in range(10):
        code = choose_greedy(position, 0, decision_rng(n, 0, 0))
        assert position.decision.option(code).spelling == "spot=rich"


def test_greedy_survives_a_rule_that_fails_in_a_playout():
    """After the cursed spot, the coins leave their range when the turn ends. The bot knows nothing of that option and compares the
    others."""
    position = make_planning_game("turns >= 0", "99 if spot == cursed else position(spot)").start(1)
    for n in range(10):
        code = choose_greedy(position, 0, decision_rng(n, 0, 0))
        assert position.decision.option(code).spelling == "spot=rich"


ENDING_RULES = """
state coins[Player]: 0..500
phase game:
    rounds until any(p in Player where coins[p] > 90): turn()
phase turn:
    for player in Player: work(player)
    coins[bela] += 3
proc work(player) by player:
    choose as way:
        leave: stop
        earn: coins[player] += 1
    choose as way:
        rest: stop
        sleep: stop
standing player: coins[player]
"""


def test_options_are_compared_at_the_same_point_of_the_round():
    """A player who leaves at once gets another turn's income sooner, and that is no reason to leave."""
    position = make(TOY_DATA, ENDING_RULES).start(1)
    position.play(0, "earn")
    position.play(0, "rest")
    for n in range(10):
        code = choose_greedy(position, 1, decision_rng(n, 1, 0))
        assert position.decision.option(code).spelling == "earn"


DELAY_RULES = """
state left: 0..5
state quiet: 0..9
state mine[Player]: 0..9
state coins[Player]: 0..9000
phase game:
    rounds until any(p in Player where coins[p] > 5000): season()
phase season:
    left = 5
    quiet = 0
    rounds of player in Player until quiet == 2: go(player)
    for player in Player: weather(player)
proc go(player) by player:
    quiet += 1
    may choose as way:
        gather where left > 0 and mine[player] < 2:
            quiet = 0
            left -= 1
            mine[player] += 1
        wait_for_rain where left == 0: stop
proc weather(player):
    choose pip in 1..6 by chance
    coins[player] += 30 * pip + 2 * mine[player]
    mine[player] = 0
standing player: coins[player]
"""


@pytest.mark.long
def test_greedy_does_not_delay_actions():
    """The bot acts now, although playouts hardly show that waiting gains nothing.

    There is enough for all players who continue, and luck weighs more than the amounts gathered. If both wait, the game ends."""
    position = make(TOY_DATA, DELAY_RULES).start(1)
    for n in range(40):
        code = choose_greedy(position, 0, decision_rng(n, 0, 0))
        assert position.decision.option(code).spelling == "gather"


def test_playouts_rarely_decline(game):
    """In a menu with one action, a playout declines only if it draws that three times in a row. In other choices, declining is one
    option of many."""
    rng = decision_rng(1, 0, 0)
    for position, declines in ((make(TOY_DATA, DELAY_RULES).start(1), (30, 70)), (game("yacht", 2).start(1), (60, 180))):
        codes = list(position.decision.codes)
        thought = GreedySearch(position, 0, rng)
        drawn = [thought.random_option(position, codes, rng) for _ in range(400 if len(codes) == 2 else 100 * len(codes))]
        assert DECLINE in codes and declines[0] < drawn.count(DECLINE) < declines[1]


def play_option(position, code):
    copy = position.copy()
    copy.step(code)
    return copy


@pytest.mark.parametrize("name, players", [("tic-tac-toe", 2), ("connect-four", 2), ("hex", 2), ("parry", 4), ("dominant-species", 4)])
def test_greedy_keeps_to_its_budget(game, monkeypatch, name, players):
    """Every step of the game counts. If the budget is used up, no new playout begins, so only one playout may exceed it."""
    position, taken, step = game(name, players).start(3), [], Position.step
    monkeypatch.setattr(Position, "step", lambda position, code: (taken.append(code), step(position, code))[1])
    seat = position.decision.seat
    for steps in (200, BASE_STEPS):
        taken.clear()
        thought = GreedySearch(position, seat, decision_rng(1, seat, 0), steps)
        thought.choose()
        look = len(position.decision) * (1 + players) + DETERMINIZE_COST_STEPS
        assert len(taken) <= thought.used <= max(steps, look) + 3 * MAX_PLAYOUT_DECISIONS
        assert thought.used >= min(steps, look)


def test_greedy_limits_the_options_considered(game, monkeypatch):
    position, looked = game("hex").start(1), []
    monkeypatch.setattr(GreedySearch, "evaluate_options", lambda thought, codes: looked.append(len(codes)))
    choose_greedy(position, 0, decision_rng(1, 0, 0))
    assert looked == [MAX_OPTIONS_CONSIDERED] and len(position.decision) > MAX_OPTIONS_CONSIDERED


def test_greedy_survives_a_rule_that_fails_during_lookahead(game, monkeypatch):
    from ludoglot.dsl.backend_python.runtime import RuleFault
    position = game("tic-tac-toe").start(1)

    def fails(self, code):
        raise RuleFault("F009", limit=1)
    monkeypatch.setattr(Position, "step", fails)
    assert choose_greedy(position, 0, decision_rng(1, 0, 0)) in position.decision.codes


def count_greedy_wins(game, name, games, native):
    """Counts the games that greedy wins alone against random, from each seat in turn, with the fewest players but at least two.

    The bots play in C if `native` is true, and choose the same there (tests/c/test_c_bots.py)."""
    wins, players = 0, max(2, game(name).players)
    in_c = NativeGame(game(name, players)) if native else None
    for n in range(games):
        seats = ["bot:greedy" if seat == n % players else "bot:random" for seat in range(players)]
        table = MatchTable.new(game(name, players), MatchSetup(name, players, 100 + n // players, seats=seats))
        if in_c is not None:
            in_c.wait()
            table.choose = in_c.choose
        for _ in table.take_automatic(60):
            pass
        first = [rank.seat for rank in table.position.standing() if rank.rank == 1]
        wins += first == [n % players]
    return wins


@pytest.mark.long
def test_greedy_beats_random(game):
    assert count_greedy_wins(game, "connect-four", 6, native=False) >= 5


@pytest.mark.long
@pytest.mark.parametrize("name, games, wanted", [("connect-four", 40, 36), ("breakthrough", 20, 18), ("hex", 6, 6), ("evolution", 8, 7),
                                                 ("trias", 10, 8), ("dominant-species", 20, 17), ("reversi", 20, 18), ("kalah", 20, 18),
                                                 ("oware", 20, 18), ("go", 2, 2), ("nine-mens-morris", 20, 18),
                                                 ("english-draughts", 20, 18), ("international-draughts", 4, 4),
                                                 ("amazons", 6, 6), ("lines-of-action", 6, 6),
                                                 ("yacht", 20, 18),
                                                 ("hearts", 8, 6), ("liars-dice", 20, 18), ("brisca", 20, 17), ("scopa", 20, 17),
                                                 ("backgammon", 20, 18), ("snapszer", 20, 18), ("cribbage", 20, 17)])
def test_greedy_beats_random_in_every_game(game, name, games, wanted):
    assert count_greedy_wins(game, name, games, native=True) >= wanted


@pytest.mark.parametrize("name, players, shallow", [("hanabi", 3, True), ("hearts", 4, False), ("tic-tac-toe", 2, False)])
def test_only_a_team_that_hides_cards_from_each_other_gets_a_shallow_search(game, monkeypatch, name, players, shallow):
    """In a tree, a partner would choose as if it knew its own cards. tests/c/test_c_bots.py counts the points."""
    position, asked = game(name, players).start(1), []
    monkeypatch.setattr(GreedySearch, "choose", lambda search: (asked.append(search.left), search.position.s[OPTIONS][0])[1])
    for kind in ("medium", "greedy"):
        BOTS[kind](position, position.decision.seat, decision_rng(1, 0, 0))
    assert len(asked) == 1 + shallow and (asked[0] == STEP_BUDGETS["medium"]) == shallow
