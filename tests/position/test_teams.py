"""Checks games in which teams win: ranks, payoffs, shares of the victory, and bots that play for their team."""

from __future__ import annotations

import random
import re

import pytest
from ludoglot.dsl.core.program import Team
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.engine.api.returns import payoffs
from ludoglot.engine.lab.playout import play_game
from ludoglot.engine.position.position import Game
from ludoglot.engine.position.ranking import Rank, rank_seats, team_ranks, victory_shares
from shared_games import shared
from tmp_files import filled

PAIRS = [Team("red", (0, 2)), Team("blue", (1, 3))]
HUNT = [Team("fox", (0,)), Team("hounds", (1, 2, 3))]
TEAMS = """\
game: g
name: G
players: {players}
rules: [g.rules]
enums:
  Team: [red, blue, green]
  Player: {{attributes: {{team: Team}}, members: {{anna: {{team: red}}, bela: {{team: blue}}, carla: {{team: red}}, dora: {{team: blue}}}}}}
"""


OPENING = "state total: 0..\nphase game:\n    choose n in 1..3 by anna\n    total = n\n"


def game(folder, standing, opening=OPENING, players=4, **teams):
    """Returns a game whose players have other teams than in TEAMS if `teams` says so."""
    data = TEAMS.format(players=players)
    for name, team in teams.items():
        data = re.sub(rf"{name}: {{team: \w+}}", f"{name}: {{team: {team}}}", data)
    return Game(load_ruleset(filled(folder, {"game.yaml": data, "g.rules": f"{opening}{standing}\n"})))


def ended(game, answer):
    position = game.start(1)
    position.play(0, answer)
    assert position.over
    return position


def by_seat(ranks):
    return [rank.rank for rank in sorted(ranks, key=lambda rank: rank.seat)]


@pytest.mark.parametrize(("values", "teams", "expected"), [
    ([(3,), (5,), (3,), (5,)], PAIRS, [2, 1, 2, 1]),
    ([(4,), (4,), (4,), (4,)], PAIRS, [1, 1, 1, 1]),
    ([(4, 1), (4, 0), (4, 1), (4, 0)], PAIRS, [1, 2, 1, 2]),
    ([(1,), (0,), (0,), (0,)], HUNT, [1, 2, 2, 2]),
])
def test_partners_have_the_rank_of_their_team(values, teams, expected):
    assert by_seat(rank_seats(values, teams, True)) == expected


def test_partners_are_next_to_each_other_even_in_a_tie():
    ranks = rank_seats([(4,), (4,), (4,), (4,)], PAIRS, True)
    assert [(rank.seat, rank.team) for rank in ranks] == [(0, "red"), (2, "red"), (1, "blue"), (3, "blue")]
    assert [rank.seat for rank in team_ranks(ranks)] == [0, 1]


def test_players_without_teams_are_all_their_own_team():
    ranks = rank_seats([(1,), (2,), (1,)], [Team("", (seat,)) for seat in range(3)], True)
    assert ranks == [Rank(1, 1, (2,)), Rank(0, 2, (1,)), Rank(2, 2, (1,))] == team_ranks(ranks)


@pytest.mark.parametrize(("ranks", "shares"), [
    ([1, 2, 1, 2], [1, 0, 1, 0]),                                  # a pair wins: each of the two has won, and not half
    ([1, 1, 1, 1], [0.5, 0.5, 0.5, 0.5]),
])
def test_partners_share_no_victory_among_themselves(ranks, shares):
    teams = ["red", "blue", "red", "blue"]
    assert victory_shares([Rank(seat, rank, (), team) for seat, (rank, team) in enumerate(zip(ranks, teams))]) == shares


def test_a_team_of_everybody_wins_or_loses():
    crew = shared("lifeboat", 3)
    for total, rank, payoff in ((21, 1, 1.0), (22, 2, -1.0)):
        position = crew.start(1)
        position.set_states((), {"way": total})
        assert by_seat(position.standing()) == [rank] * 3 and payoffs(position) == [payoff] * 3
        assert victory_shares(position.standing()) == [float(rank == 1)] * 3


def test_the_name_of_the_standing_says_whose_victory_it_is(tmp_path):
    position = ended(game(tmp_path, "standing team: total if team == blue else 2"), "n=3")
    assert [(rank.seat, rank.rank, rank.values, rank.team) for rank in position.standing()] == [
        (1, 1, (3,), "blue"), (3, 1, (3,), "blue"), (0, 2, (2,), "red"), (2, 2, (2,), "red")]
    assert payoffs(position) == [-1, 1, -1, 1]
    assert payoffs(ended(position.game, "n=2")) == [0, 0, 0, 0]


def test_a_team_without_players_takes_no_part(tmp_path):
    """There are three teams, but with two players nobody is in the third."""
    position = ended(game(tmp_path, "standing team: team == green", players=2), "n=1")
    assert [team.name for team in position.game.teams] == ["red", "blue"]
    assert by_seat(position.standing()) == [1, 1]


def test_payoffs_of_one_against_three(tmp_path):
    assert payoffs(ended(game(tmp_path, "standing team: team == red", carla="blue"), "n=1")) == [1, -1, -1, -1]


def test_points_of_all_together_are_the_payoff(tmp_path):
    position = ended(game(tmp_path, "standing team: total", players=2, bela="red"), "n=2")
    assert by_seat(position.standing()) == [1, 1] and payoffs(position) == [2, 2]


def test_the_fingerprint_knows_who_wins_together(tmp_path):
    """The core of both standings is the same, but partners tie in one of them and win together in the other."""
    opening = OPENING.replace("total: 0..", "points[Team]: 0..").replace("total", "points[red]")
    standings = ("standing player: points[player.team]", "standing team: points[team]")
    assert len({game(tmp_path / str(n), standing, opening).fingerprint for n, standing in enumerate(standings)}) == 2


def test_a_bot_adds_to_the_points_of_its_partner(tmp_path):
    """Only the partner's pile counts for the team: a bot that played for itself would see no difference."""
    opening = ("state points[Player]: 0..\nphase game:\n    rounds of player in Player until points[carla] + points[dora] > 8:\n"
               "        choose who in Player by player\n        points[who] += 1\n")
    pairs = game(tmp_path, "standing team: points[carla] if team == red else points[dora]", opening)
    for bot in ("greedy", "medium"):
        played = [play_game(pairs, seed, (bot, "random", bot, "random")) for seed in range(6)]
        assert all(game.ranks == [1, 2, 1, 2] for game in played)


@pytest.mark.parametrize("bot", ["greedy", "easy"])
def test_bots_reach_a_common_victory(bot):
    """At random, about a third of the games reach the shore. Bots see that 21 is a victory and 22 a defeat."""
    crew = shared("lifeboat", 3)
    won = {name: sum(play_game(crew, seed, (name,)).victory_share(0) for seed in range(20)) for name in ("random", bot)}
    assert won["random"] < 14 and won[bot] == 20


def test_every_seat_of_a_team_wins_in_the_lab():
    pairs = shared("whistle")
    for seed in range(8):
        played = play_game(pairs, seed)
        assert played.teams == [[0, 2], [1, 3]]
        assert played.victory_share(0) == played.victory_share(2) and played.victory_share(1) == played.victory_share(3)
        assert played.victory_share(0) + played.victory_share(1) == 1


def test_a_random_game_of_teams_keeps_its_invariants():
    """The number of tricks is that of the cards of one hand."""
    position, chance = shared("whistle").start(5), random.Random(5)
    while (decision := position.decision) is not None:
        position.play(decision.seat, chance.choice(decision.options).spelling)
    assert sum(rank.values[0] for rank in team_ranks(position.standing())) == 5
