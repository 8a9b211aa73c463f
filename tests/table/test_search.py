"""Checks the search bot: strong with a fixed number of playouts, the same on every machine, and blind to hidden information."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager

import pytest
from ludoglot.dsl.backend_python.runtime import RuleFault
from ludoglot.dsl.storage.control_slots import RANDOM
from ludoglot.engine.bots import mcts, search_base
from ludoglot.engine.bots.exact_search import FAILS, HOLDS, PROVEN, ExactSearch
from ludoglot.engine.bots.greedy import BOTS
from ludoglot.engine.bots.last_good_reply import LastGoodReplies, OptionAverages
from ludoglot.engine.bots.mcts import STEP_BUDGETS, TreeSearch, choose_by_search
from ludoglot.engine.bots.rng import decision_rng
from ludoglot.engine.bots.search_base import WIN_HALF_POINTS
from ludoglot.engine.bots.search_tree import OptionStats, value_bounds
from ludoglot.engine.position.determinize import determinize_position
from ludoglot.engine.position.observation import observe
from ludoglot.engine.position.position import Position
from ludoglot.engine.preview.bot_advice import BotAdvice, make_advice
from ludoglot.engine.preview.preview_texts import OptionPreviews

from .terminal_harness import HUMAN, Desk


def play_moves(game, name, *spellings):
    position = game(name).start(1)
    for spelling in spellings:
        position.play(position.decision.seat, spelling)
    return position


def choose_option(position, seed, steps=400):
    seat = position.decision.seat
    return position.decision.option(choose_by_search(position, seat, decision_rng(seed, seat, 0), steps)).spelling


def disc_moves(*columns):
    """Yields the spellings of the discs of a Connect Four game, by columns."""
    high: dict[str, int] = {}
    for column in columns:
        high[column] = high.get(column, 0) + 1
        yield f"cell={column}{high[column]}"


WINNING_POSITIONS = [("tic-tac-toe", ["cell=a1", "cell=a2", "cell=b1", "cell=b2"], "cell=c1"),
                     ("connect-four", list(disc_moves(*"abababg")), "cell=b4")]
THREATENED_POSITIONS = [("tic-tac-toe", ["cell=a1", "cell=b2", "cell=b1"], "cell=c1"),
                        ("connect-four", list(disc_moves(*"ababa")), "cell=a4"),
                        ("connect-four", list(disc_moves(*"dbdbd")), "cell=d4")]


@pytest.mark.parametrize("name, spellings, wanted", WINNING_POSITIONS)
def test_search_takes_an_available_win(game, name, spellings, wanted):
    position = play_moves(game, name, *spellings)
    assert {choose_option(position, seed, 100) for seed in range(6)} == {wanted}


@pytest.mark.long
@pytest.mark.parametrize("name, spellings, wanted", THREATENED_POSITIONS)
def test_search_prevents_an_imminent_loss(game, name, spellings, wanted):
    position = play_moves(game, name, *spellings)
    assert {choose_option(position, seed, 1500) for seed in range(6)} == {wanted}


def test_win_in_one_imagined_world_is_not_certain(game, monkeypatch):
    """A win in only one imagined world counts no more than any other option."""
    position = play_moves(game, *WINNING_POSITIONS[0][:1], *WINNING_POSITIONS[0][1])
    worlds = []

    def once(search, place, world, codes, many):
        place.evaluated, place.winning = True, codes[0]
        worlds.append(position.decision.option(codes[0]).spelling)
    monkeypatch.setattr(TreeSearch, "expand_node", once)
    for seed in range(6):
        search = TreeSearch(position, 0, decision_rng(seed, 0, 0), 300)
        search.think()
        won = search.root.winning                                  # playouts may find the true win
        assert (won is None) <= (worlds[0] != "cell=c1") and (won is None or position.decision.option(won).spelling == "cell=c1")
        worlds.clear()


SOLVED_POSITIONS = [
    (["cell=a1", "cell=b2", "cell=c3", "cell=a3", "cell=c1"], 0, 0),     # two lines are open, so black is lost
    (["cell=b2", "cell=a1", "cell=c3"], 1, 1),                           # a draw if black plays well
    (["cell=a1", "cell=b1"], WIN_HALF_POINTS, WIN_HALF_POINTS),          # won, three decisions before the end
]


@pytest.mark.long_cases("spellings1-1-1")
@pytest.mark.parametrize("spellings, low, high", SOLVED_POSITIONS)
def test_search_solves_small_positions(game, spellings, low, high):
    """Wins, draws, and losses are known for certain, and then the bot stops thinking."""
    position = play_moves(game, "tic-tac-toe", *spellings)
    search = TreeSearch(position, position.decision.seat, decision_rng(1, 0, 0), 200_000)
    search.think()
    assert value_bounds(search.root) == (low, high) and search.left > 0
    best = search.rank_edges()[0]
    assert (best.low, best.high) == (low, high)


ENDGAMES = [("2252576253462244111563365343671351441", 0), ("23163416124767223154467471272416755633", 1),
            ("7422341735647741166133573473242566", 2)]


@pytest.mark.parametrize("columns, worth", ENDGAMES)
def test_proofs_match_known_values(game, columns, worth):
    """Positions with known values (from the tests of Pascal Pons' solver), in halves of a victory. A lookahead of one decision proves
    nothing here."""
    position = play_moves(game, "connect-four", *disc_moves(*("abcdefg"[int(column) - 1] for column in columns)))
    search = TreeSearch(position, position.decision.seat, decision_rng(1, 0, 0), 100_000)
    proofs = ExactSearch(search, position.s[RANDOM], lambda after, seat: int(WIN_HALF_POINTS * search.victory_shares(after)[seat]))
    assert [proofs.prove_bound(position, bound, 1, 0) for bound in (1, 2)] == [HOLDS, FAILS]
    assert [proofs.prove_bound(position, bound, 8, 0) for bound in (1, 2)] == [
        PROVEN | (HOLDS if worth >= bound else FAILS) for bound in (1, 2)
    ]


def test_winning_reply_is_repeated_until_it_loses():
    """A reply that won is repeated if the last two decisions match, or else if the last one does.

    Replies that are not offered are not used, and a shared victory changes nothing."""
    known = LastGoodReplies()
    known.update_replies([(0, 10), (1, 20), (0, 30)], [1.0, 0.0])
    assert known.find_reply(0, [(0, 10), (1, 20)], [5, 30]) == 30
    assert known.find_reply(0, [(0, 11), (1, 20)], [5, 30]) == 30
    assert known.find_reply(0, [(0, 10), (1, 20)], [5, 31]) is None
    assert known.find_reply(1, [(0, 10)], [20]) is None and known.find_reply(1, [(0, 10), (1, 20)], [30]) is None
    known.update_replies([(0, 11), (1, 20), (0, 40)], [1.0, 0.0])
    assert [known.find_reply(0, [(0, before), (1, 20)], [30, 40]) for before in (10, 11, 12)] == [30, 40, 40]
    known.update_replies([(0, 11), (1, 20), (0, 40)], [0.5, 0.5])
    assert known.find_reply(0, [(0, 12), (1, 20)], [30, 40]) == 40
    known.update_replies([(0, 11), (1, 20), (0, 40)], [0.0, 1.0])
    assert [known.find_reply(0, [(0, before), (1, 20)], [30, 40]) for before in (10, 11, 12)] == [30, None, None]
    assert known.find_reply(1, [(0, 11)], [20]) == 20


def test_random_decisions_prefer_options_with_a_high_mean_value():
    """The means are those of the seat. An option that was never taken counts as lost, and of equal ones the first is taken."""
    known = OptionAverages()
    known.update_averages([(0, 10), (1, 20), (0, 30)], [1.0, 0.0])
    known.update_averages([(0, 10), (1, 20)], [0.0, 1.0])
    assert [known.find_mean(*turn) for turn in ((0, 10), (0, 30), (1, 20), (1, 10))] == [0.5, 1.0, 0.5, 0.0]
    assert known.find_best(0, [10, 30, 11]) == 30 and known.find_best(1, [10, 30]) == 10


def test_playouts_continue_if_nothing_can_be_proved(game, monkeypatch):
    monkeypatch.setattr(mcts, "LONG_SEARCH_STEPS", 3000)
    position = game("connect-four").start(1)
    search = TreeSearch(position, position.decision.seat, decision_rng(1, 0, 0), 3000)
    left = []
    look = search.search_proofs
    monkeypatch.setattr(TreeSearch, "search_proofs", lambda search: (look(), left.append(search.left)))
    search.think()
    assert len(left) == 1 and left[0] > 1000 and search.left <= 0


def test_playouts_continue_if_a_proof_fails(game, monkeypatch):
    monkeypatch.setattr(mcts, "LONG_SEARCH_STEPS", 500)

    def fails(*given):
        raise RuleFault("F009", limit=1)
    monkeypatch.setattr(ExactSearch, "prove_bound", fails)
    position = game("tic-tac-toe").start(1)
    search = TreeSearch(position, position.decision.seat, decision_rng(1, 0, 0), 500)
    search.think()
    assert search.left <= 0


@pytest.mark.long
@pytest.mark.parametrize("name, players", [("backgammon", 2), ("parry", 2), ("hearts", 4)])
def test_no_value_is_certain_with_dice_or_hidden_cards(game, name, players):
    position = game(name, players).start(3)
    search = TreeSearch(position, position.decision.seat, decision_rng(1, 0, 0), 1500)
    search.think()
    assert not search.settled
    edges = list(search.root.edges.values())
    while edges:
        edge = edges.pop()
        assert (edge.low, edge.high) == (0, WIN_HALF_POINTS)
        edges += [one for place in edge.places.values() for one in place.edges.values()]


def test_tree_size_is_limited(game, monkeypatch):
    position = game("connect-four").start(1)
    monkeypatch.setattr(mcts, "MAX_TREE_SIZE", 60)
    search = TreeSearch(position, 0, decision_rng(1, 0, 0), 4000)
    search.think()
    assert 60 <= search.size <= 60 + 2 * 7 and sum(edge.playouts for edge in search.root.edges.values()) > 60


@pytest.mark.long_cases("masquerade-3")
@pytest.mark.parametrize("name, players", [("parry", 3), ("masquerade", 3), ("hearts", 4)])
def test_search_does_not_use_hidden_information(game, name, players):
    """The bot treats positions that differ only in hidden information alike."""
    position = game(name, players).start(2)
    seat = position.decision.seat
    for seed in range(4):
        other = determinize_position(position, seat, decision_rng(seed, 9, 9))
        assert observe(position, seat) == observe(other, seat)
        assert choose_option(position, seed, 250) == choose_option(other, seed, 250)


@pytest.mark.long
def test_use_of_hidden_information_is_detected(game, monkeypatch):
    """This shows that the test above can fail: if worlds are not resampled, the choices differ."""
    monkeypatch.setattr(search_base, "determinize_position", lambda position, seat, rng: position.copy())
    position = game("hearts", 4).start(2)
    seat = position.decision.seat
    others = [determinize_position(position, seat, decision_rng(seed, 9, 9)) for seed in range(8)]
    assert any(choose_option(position, seed, 250) != choose_option(other, seed, 250) for seed, other in enumerate(others))


@pytest.mark.parametrize("name, players", [("tic-tac-toe", 2), ("connect-four", 2), ("hex", 2), ("parry", 4)])
def test_search_keeps_to_its_budget(game, monkeypatch, name, players):
    """Every step counts. The bot always looks one step ahead, and one playout may exceed the budget."""
    position, taken, step = game(name, players).start(3), [], Position.step
    monkeypatch.setattr(Position, "step", lambda position, code: (taken.append(code), step(position, code))[1])
    seat = position.decision.seat
    for steps in (300, 1200):
        taken.clear()
        search = TreeSearch(position, seat, decision_rng(1, seat, 0), steps)
        search.choose()
        look = search_base.DETERMINIZE_COST_STEPS + len(position.decision) * (1 + players)
        assert len(taken) <= search.used <= max(steps, look) + players + 4 * mcts.MAX_PLAYOUT_DECISIONS
        assert search.used >= steps


@pytest.mark.long
def test_wide_decision_is_widened_gradually(game):
    """In Hex, the bot tries few of the 121 cells, and more with more playouts."""
    position = game("hex").start(1)
    tried = []
    for steps in (4000, 16000):
        search = TreeSearch(position, 0, decision_rng(1, 0, 0), steps)
        search.think()
        tried.append(sum(edge.playouts > 0 for edge in search.root.edges.values()))
        assert tried[-1] <= mcts.WIDENING_BASE + 2 * search.root.visits ** 0.5 + 1
    assert tried[0] < tried[1]


def test_search_survives_a_rule_that_fails_during_lookahead(game, monkeypatch):
    from ludoglot.dsl.backend_python.runtime import RuleFault
    position = game("tic-tac-toe").start(1)

    def fails(self, code):
        raise RuleFault("F009", limit=1)
    monkeypatch.setattr(Position, "step", fails)
    assert choose_option(position, 1)


@pytest.mark.long
def test_search_is_the_same_in_every_process():
    asked = ("import sys; from ludoglot.engine.commands.main import main; sys.exit(main(['play', 'hearts', '--players', '4', '--seats',"
             " 'bot:easy,bot:random,bot:random,bot:random', '--seed', '3', '--max-rounds', '1', '--json', '--lang', 'en']))")
    said = {subprocess.run([sys.executable, "-c", asked], env={**os.environ, "PYTHONHASHSEED": seed},
                           capture_output=True, check=True).stdout
            for seed in ("0", "77")}
    assert len(said) == 1 and len(said.pop()) > 100


def play_against(made, bot, rival, mine, seed):
    """Returns the result of a bot in one game against a rival: 1 for a win, 0.5 for a draw."""
    position, number = made.start(seed), 0
    while not position.over:
        decision = position.decision
        kind = bot if decision.seat == mine else rival
        position.step(BOTS[kind](position, decision.seat, decision_rng(seed, decision.seat, number)))
        number += 1
    first = [rank.seat for rank in position.standing() if rank.rank == 1]
    return (mine in first) / len(first)


def total_result(game, name, bot, rival, games):
    """Returns the total result of several games, from each seat in turn."""
    return sum(play_against(game(name), bot, rival, n % 2, 200 + n // 2) for n in range(games))


@pytest.mark.long
def test_hard_never_loses_tic_tac_toe(game):
    """Nobody wins with perfect play, so the bot gets at least half a point in each game."""
    for n in range(3):
        for mine in (0, 1):
            assert play_against(game("tic-tac-toe"), "hard", "random" if n == 0 else "greedy", mine, 300 + n) >= 0.5


@pytest.mark.long
@pytest.mark.parametrize("rival", ["random", "greedy", "medium"])
def test_hard_never_loses_many_games_of_tic_tac_toe(game, rival):
    assert all(play_against(game("tic-tac-toe"), "hard", rival, mine, 300 + n) >= 0.5 for n in range(10) for mine in (0, 1))


@pytest.mark.long
def test_medium_beats_greedy_in_connect_four(game):
    assert total_result(game, "connect-four", "medium", "greedy", 4) >= 3


# bench/strength.py plays more games, with a confidence interval.
@pytest.mark.long
@pytest.mark.parametrize("name, games, wanted", [("connect-four", 6, 4), ("kalah", 6, 4)])
def test_hard_beats_greedy(game, name, games, wanted):
    assert total_result(game, name, "hard", "greedy", games) >= wanted


def test_step_budgets_increase_with_strength():
    assert STEP_BUDGETS["easy"] < STEP_BUDGETS["medium"] < STEP_BUDGETS["hard"] and set(STEP_BUDGETS) < set(BOTS)


# ---------------------------------------------------------------- the hint


@pytest.mark.long
def test_advice_names_the_winning_option():
    desk = Desk("tic-tac-toe", [HUMAN, HUMAN], typed=["a1", "a2", "b1", "b2", "advice", None])
    desk.run()
    assert "A strong bot would choose “c1”. With it, you win the game." in desk.text and len(desk.table.steps) == 4


@pytest.mark.long
@pytest.mark.parametrize("lang, word, says", [
    ("en", "advice", "of every 100 simulated games."),
    ("it", "suggerisci", " partite simulate su 100."),
    ("es", "consejo", "de cada 100 partidas simuladas."),
    ("hu", "tanács", "Innen minden 100 szimulált játszmából ")])
def test_advice_compares_win_shares_with_the_next_best(lang, word, says):
    desk = Desk("connect-four", [HUMAN, HUMAN], lang=lang, typed=[word, None])
    desk.run()
    assert " ".join(desk.text.split()).count(says) == 2 and not desk.table.steps


@pytest.mark.long
def test_advice_shows_the_estimate_of_unfinished_playouts():
    desk = Desk("kalah", [HUMAN, HUMAN], typed=["advice", None])
    desk.run()
    assert " ".join(desk.text.split()).count("In the simulated games, you are on average") == 1


@pytest.mark.long
def test_repeated_advice_is_the_same():
    desk = Desk("connect-four", [HUMAN, HUMAN], typed=["advice", "hint", None])
    desk.run()
    one, two = desk.text.split("A strong bot")[1:]
    assert one.split("Your choice")[0].strip() == two.split("Your choice")[0].strip()


def advised(playouts: dict[str, int]) -> BotAdvice:
    """Returns advice at the first pawn of Dominant Species, from playouts by spelling. All others have 10."""
    desk = Desk("dominant-species", [HUMAN] * 3, seed=51)
    list(desk.table.take_automatic())
    decision, narrator = desk.table.position.decision, desk.session.narrator
    stats = [OptionStats(option.code, playouts.get(option.spelling, 10), 0, 0.0, 0.5, False) for option in decision.options]
    return make_advice(sorted(stats, key=lambda one: -one.playouts), OptionPreviews(decision, narrator), narrator)


def test_an_option_without_effect_is_not_advised_before_one_that_is_as_good():
    """Depletion removes nothing in the first turn. Domination gains 7 points."""
    advice = advised({"space=depletion_1": 105, "space=domination_1": 100, "space=wasteland_1": 50, "space=wanderlust_1": 48})
    assert "“Domination 1”" in advice.take and advice.next_best.startswith("The next best is “Depletion 1”.")
    advice = advised({"space=domination_1": 200, "space=depletion_1": 105, "space=wanderlust_1": 100})
    assert advice.next_best.startswith("The next best is “Wanderlust 1”.")


def test_advice_of_an_option_without_effect_says_why():
    advice = advised({"space=depletion_1": 200, "space=domination_1": 100})
    assert "“Depletion 1”" in advice.take and advice.take.endswith("Others gain more at once, but the bot expects less from them later.")
    assert "Others gain" not in advised({"space=domination_1": 200}).take


def test_bots_think_exactly_while_a_line_is_typed():
    """They have stopped before a command or a choice is carried out, and also if the person leaves."""
    desk, log = Desk("tic-tac-toe", [HUMAN, "bot:random"], typed=["board", "a1", None]), []

    @contextmanager
    def record_pondering(position):
        log.append("begin")
        yield
        log.append("end")
    desk.table.pondering, choose = record_pondering, desk.table.choose
    desk.table.choose = lambda *given: (log.append("bot"), choose(*given))[1]
    desk.run()
    assert log == ["begin", "end"] * 2 + ["bot"] + ["begin", "end"]
