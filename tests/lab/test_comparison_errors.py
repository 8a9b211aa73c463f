"""Checks the error rates of comparisons, with packs whose effect is known and with no change at all."""

from __future__ import annotations

import numpy
import pytest
from ludoglot.engine.lab.ab_test import ComparisonResult, SequentialTest, run_interim_analysis, select_measures
from ludoglot.engine.lab.plan import LabPlan, RulesetSpec, get_loaded_game
from ludoglot.engine.lab.playout import GameFault, GameResult, play_game
from ludoglot.engine.lab.runner import PlanRun, run_inline
from ludoglot.engine.lab.statistics import ALPHA, alpha_for_look, estimate_needed_pairs, holm_test, look_schedule, permutation_p_value

from .conftest import load_rules


def run_comparison(plan: LabPlan) -> ComparisonResult:
    looks = SequentialTest(plan)
    PlanRun(plan, run_inline).run_until(looks.stops, looks.is_conclusive_after)
    assert looks.verdict is not None
    return looks.verdict


def clear_measures(verdict: ComparisonResult) -> set[str]:
    return {change.measure for change in verdict.changes if change.clear}


def test_interim_analyses_spend_the_whole_alpha():
    for games in (1, 5, 6, 40, 100, 999):
        assert look_schedule(games)[-1] == games
        assert sum(alpha_for_look(games, count) for count in look_schedule(games)) == pytest.approx(ALPHA)
    assert look_schedule(400) == [50, 100, 200, 400]


def test_permutation_test_is_exact_for_few_pairs():
    assert permutation_p_value(numpy.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), 1) == pytest.approx(2 / 64)
    assert permutation_p_value(numpy.array([1.0, -1.0, 1.0]), 1) == 1.0
    assert permutation_p_value(numpy.zeros(9), 1) == 1.0


def test_measures_share_the_significance_level():
    assert holm_test([0.02, 0.001, 0.5], 0.05) == [True, True, False]
    assert holm_test([0.03, 0.03], 0.05) == [False, False]


def test_needed_pairs_follow_the_distance_to_a_decision():
    noisy = numpy.array([1.5, -0.5] * 8)                           # mean 0.5, deviation 1
    assert estimate_needed_pairs(noisy, 0.05, 0.05) == 32          # ((1.960 + 0.842) / 0.5) ** 2
    assert estimate_needed_pairs(noisy - 0.5, 0.05, 0.05) == 3200    # no difference: its interval must get within 0.05
    assert estimate_needed_pairs(noisy, 0.05, 0.05, played=2.0) == 63    # only half of the pairs have the measure
    assert estimate_needed_pairs(numpy.zeros(20), 0.05, 0.05) == 73    # Wilson's bound for 0 of 73 is below 0.05
    assert estimate_needed_pairs(numpy.array([1.5, -0.5] * 40), 0.05, 0.05) == 160    # 80 pairs should have sufficed and did not
    assert estimate_needed_pairs(numpy.zeros(20), 0.0, 0.05) is None


@pytest.mark.long
def test_pack_without_effect_gives_identical_games(market):
    verdict = run_comparison(LabPlan((load_rules(market, "days: 4"), load_rules(market)), 40))
    assert verdict.alike and not verdict.clear and verdict.pairs == 40    # so few games do not prove that it never will


@pytest.mark.long
def test_more_days_change_length_and_points_but_no_seat_share(market):
    verdict = run_comparison(LabPlan((load_rules(market, "days: 8"), load_rules(market)), 60))
    assert {"length", "points"} <= clear_measures(verdict) and not any("seat" in name for name in clear_measures(verdict))
    length = next(change for change in verdict.changes if change.measure == "length")
    assert (length.before, length.after, length.low, length.high) == (8, 16, 8, 8)


@pytest.mark.long
def test_overpriced_card_widens_the_score_gap(market):
    verdict = run_comparison(LabPlan((load_rules(market, "Stall.glass.price: 90"), load_rules(market)), 60))
    assert {"points", "gap"} <= clear_measures(verdict) and "length" not in clear_measures(verdict)
    gap = next(change for change in verdict.changes if change.measure == "gap")
    assert gap.low > 30


@pytest.mark.long
def test_worthless_card_lowers_the_points(market):
    verdict = run_comparison(LabPlan((load_rules(market, "Stall.glass.price: 0"), load_rules(market)), 60))
    points = next(change for change in verdict.changes if change.measure == "points")
    assert points.clear and points.by == pytest.approx(-8 / 3, abs=0.7) and points.low <= -8 / 3 <= points.high


def test_unobserved_event_is_negligible_only_after_many_games():
    never = GameResult(1, 5, ranks=[1, 2])
    shared = next(change for change in run_interim_analysis([(never, never)] * 20, 20, 1).changes if change.measure == "shared")
    assert shared.low < -0.1 and shared.high > 0.1 and not shared.is_negligible
    shared = next(change for change in run_interim_analysis([(never, never)] * 300, 300, 1).changes if change.measure == "shared")
    assert shared.is_negligible


def test_games_with_faults_are_excluded():
    fine = GameResult(1, 5, ranks=[1, 2])
    broken = GameResult(2, 3, fault=GameFault("F001", "a.rules", 1, 3))
    verdict = run_interim_analysis([(fine, fine), (broken, fine)], 2, 1)
    assert (verdict.pairs, verdict.left_out) == (1, 1)


def count_false_alarms(rules: RulesetSpec, runs: int, pairs: int) -> int:
    """Returns the number of runs in which a comparison of a game with itself reports a change. The two sides use independent seeds."""
    game = get_loaded_game(rules)
    found = 0
    for run in range(runs):
        first = run * 2 * pairs
        games = {(side, n): play_game(game, first + side * pairs + n) for side in (0, 1) for n in range(pairs)}
        looks = SequentialTest(LabPlan((rules, rules), pairs, seed=0))
        for count in looks.stops:
            if looks.is_conclusive_after(games, count):
                break
        assert looks.verdict is not None and not looks.verdict.alike
        found += looks.verdict.clear
    return found


@pytest.mark.long
def test_identical_rules_rarely_cause_alarms(market):
    assert count_false_alarms(load_rules(market), 6, 16) <= 2


@pytest.mark.long
def test_false_alarm_rate_is_at_most_5_percent(market):
    assert count_false_alarms(load_rules(market), 400, 24) <= 30


def test_unfinished_games_count_only_as_stalled():
    short, long, endless = GameResult(1, 5, ranks=[1, 2]), GameResult(1, 7, ranks=[2, 1]), GameResult(2, 1000, stalled=True)
    verdict = run_interim_analysis([(short, short)] * 6 + [(long, short)] * 2 + [(endless, short)] * 4, 12, 1)
    found = {change.measure: change for change in verdict.changes}
    assert (verdict.pairs, verdict.unfinished, verdict.differing) == (8, 4, 6)
    assert found["length"].after == pytest.approx(5.5) and found["seat.0"].after == 0.75
    assert found["stalled"].after == pytest.approx(4 / 12)
    assert [change.measure for change in run_interim_analysis([(endless, endless)] * 8, 8, 1).changes] == ["stalled"]


def test_role_effect_is_reported_for_its_role():
    """Ann and Bea take turns as fox and hare. With the rule, the fox wins in either seat."""
    def game(seed: int, winner: str) -> GameResult:
        whose = {"fox": seed % 2, "hare": 1 - seed % 2}
        roles = {"animal": whose, "place": {"north": 0}, **({"guest": {"owl": seed % 2}} if seed in (1, 2) else {})}
        return GameResult(seed, 5, ranks=[1 + (whose[winner] != seat) for seat in (0, 1)], roles=roles)
    verdict = run_interim_analysis([(game(n, "fox"), game(n, "fox" if n % 4 < 2 else "hare")) for n in range(24)], 24, 1)
    assert clear_measures(verdict) == {"role.animal.fox"}
    found = {change.measure: change for change in verdict.changes}
    assert found["role.animal.fox"].after == 1 and found["role.animal.fox"].before == 0.5
    assert [measure for measure in found if measure.startswith("role.")] == ["role.animal.fox"]   # few owls, one north


def test_a_share_is_measured_for_each_team():
    """With two teams, one share determines the other."""
    game = GameResult(1, 5, ranks=[1, 2, 1, 2], teams=[[0, 2], [1, 3]])
    assert [name for name in select_measures([(game, game)]) if "." in name] == ["team.0"]
    hunt = GameResult(1, 5, ranks=[1, 2, 3], teams=[[0], [1], [2]])
    assert [name for name in select_measures([(hunt, hunt)]) if "." in name] == ["team.0", "team.1", "team.2"]
