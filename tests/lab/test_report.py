"""Checks the report page about many games.

It is correct for packs whose effect is known, readable in four languages, and complete without its pictures.
"""

from __future__ import annotations

import csv
import random
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from ludoglot.engine.i18n import game_localizer
from ludoglot.engine.lab import export
from ludoglot.engine.lab.ab_test import SequentialTest
from ludoglot.engine.lab.choice_report import ChoiceChapter
from ludoglot.engine.lab.choice_value import ChoiceShift, compute_choice_shifts, compute_choice_values, share_difference
from ludoglot.engine.lab.game_statistics import GameStatistics, SampleProportion
from ludoglot.engine.lab.html_report import ReportData, render_report
from ludoglot.engine.lab.plan import LabPlan, RulesetSpec, get_loaded_game
from ludoglot.engine.lab.playout import GameResult
from ludoglot.engine.lab.plots import ReportPlots
from ludoglot.engine.lab.report_text import ReportSentences
from ludoglot.engine.lab.runner import PlanRun, run_inline
from ludoglot.engine.lab.statistics import binomial_p_value, holm_test
from ludoglot.engine.narration.narrator import Narrator
from pyarrow import parquet
from shared_games import TOYS, shared

from .conftest import load_rules

TEXTS = {"game.name": "Market"}


def play_games(rules: RulesetSpec, count: int) -> list[GameResult]:
    run = PlanRun(LabPlan((rules,), count), run_inline)
    run.run_until([count])
    return list(run.games.values())


def render_page(rules: tuple[RulesetSpec, ...], count: int, lang: str = "en") -> str:
    plan = LabPlan(rules, count)
    run, looks = PlanRun(plan, run_inline), SequentialTest(plan)
    run.run_until(
        looks.stops if plan.is_comparison else [count], looks.is_conclusive_after if plan.is_comparison else lambda games, n: True
    )
    seen = [[game for (side, _), game in run.games.items() if side == n] for n in range(len(rules))]
    game = get_loaded_game(rules[0])
    words = game_localizer(lang, "market", Path(rules[0].folder), TEXTS | {key: text for key, (text, _) in game.model.texts.items()})
    changes = compute_choice_shifts(seen[0], seen[1]) if plan.is_comparison else []
    packs = [{pack.name: pack.data["set"] for pack in get_loaded_game(one).ruleset.source.packs} for one in rules]
    told = ReportSentences(Narrator(game, words), plan)
    figures = [GameStatistics(rules[0].players, games) for games in seen]
    return render_report(
        ReportData(told, figures, compute_choice_values(seen[0]), looks.verdict, changes, packs)
    )


class PageTexts(HTMLParser):
    """The texts of a page, and the labels of its pictures."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.pictures: list[str] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if tag == "svg":
            assert found.get("role") == "img"
            self.pictures.append(found.get("aria-label") or "")
        if "id" in found:
            self.ids.append(found["id"] or "")

    def handle_data(self, data):
        self.texts.append(data)


def test_share_difference_compares_players_by_choice_count():
    assert share_difference([2, 0, 1], [0.6, 0.1, 0.3]) == pytest.approx(0.6 - 0.2)
    assert share_difference([1, 1, 1], [0.6, 0.1, 0.3]) is None and share_difference([], [1, 0]) is None


def test_overpriced_card_has_positive_value(market):
    found = {merit.thing: merit for merit in compute_choice_values(play_games(load_rules(market, "Stall.glass.price: 90"), 80))}
    glass = found["Stall.glass"]
    assert glass.clear and glass.by is not None and glass.by > 0.2 and glass.low > 0.1
    assert all(not merit.clear or (merit.by or 0) < 0 for thing, merit in found.items() if thing != "Stall.glass")


def test_equal_cards_have_no_clear_value(market):
    assert not any(merit.clear for merit in compute_choice_values(play_games(load_rules(market), 80)))


def test_worthless_card_has_negative_value(market):
    found = {merit.thing: merit for merit in compute_choice_values(play_games(load_rules(market, "Stall.glass.price: 0"), 80))}
    assert found["Stall.glass"].clear and found["Stall.glass"].high < 0


def make_result(ranks: list[int], scores: list[int], **chosen: list[int]) -> GameResult:
    return GameResult(1, 10, ranks=ranks, scores=scores, chosen=chosen)


def test_seat_effect_is_not_attributed_to_a_choice():
    """The effect of a seat is not taken for the effect of a choice.

    The first seat earns twice as much, and chooses `first` more often nine times out of ten. Only this seat can choose `only`. `good`
    has an effect in either seat.
    """
    rng = random.Random(5)
    games = []
    for _ in range(400):
        good = rng.randrange(2)
        scores = [rng.randrange(18, 23) + 4 * (good == 0), rng.randrange(8, 13) + 4 * (good == 1)]
        first = [1, 0] if rng.random() < 0.9 else [0, 1]
        games.append(make_result([1, 2] if scores[0] > scores[1] else [2, 1], scores, first=first, only=[rng.randrange(3), 0],
                                 good=[1 - good, good]))
    found = {merit.thing: merit for merit in compute_choice_values(games)}
    assert found["only"].by is None and not found["first"].clear and abs(found["first"].by or 0) < 0.02
    assert found["good"].clear and found["good"].low > 0.1


@pytest.mark.long
def test_choice_false_alarm_rate_holds_if_seats_differ():
    """In 200 runs, no choice has an effect, but the seats differ and choose differently. At most 5 in 100 runs report an effect."""
    rng, alarms = random.Random(3), 0
    for _ in range(200):
        games = []
        for _ in range(40):
            scores = [rng.randrange(15, 26), rng.randrange(5, 16)]
            chosen = {f"thing{n}": [int(rng.random() < 0.7), int(rng.random() < 0.3)] for n in range(12)}
            games.append(make_result([1, 2], scores, **chosen))
        alarms += any(merit.clear for merit in compute_choice_values(games))
    assert alarms <= 18                                            # limit of binomial(200, 0.05), at 99 of 100 cases


@pytest.mark.long
@pytest.mark.parametrize(("price", "sign"), [(90, 1), (0, -1)])
def test_change_of_card_value_is_reported(market, price, sign):
    """One card is worth far too much or nothing. The report states the change of its value, and no change of the unchanged cards."""
    rules = load_rules(market, f"Stall.glass.price: {price}"), load_rules(market)
    found = {
        (shift.thing, shift.is_value): shift
        for shift in compute_choice_shifts(*(play_games(one, 80) for one in rules), things={"Stall.glass"})
    }
    glass = found["Stall.glass", True]
    assert glass.clear and sign * glass.by > 0.05 and (glass.low > 0) == (glass.high > 0) and glass.low <= glass.by <= glass.high
    assert not any(shift.clear for (_, worth), shift in found.items() if not worth)              # both choose it at random
    rows = export.thing_rows([compute_choice_values(play_games(one, 80)) for one in rules], list(found.values()))
    row = next(row for row in rows if row["thing"] == "Stall.glass" and row["rules"] == 0)
    assert row["worth_changed"] == glass.by and row["worth_clear"] and not row["times_clear"]


def test_identical_rules_show_no_choice_shift(market):
    """Compares games with the same rules and independent seeds."""
    games = play_games(load_rules(market), 160)
    assert not any(shift.clear for shift in compute_choice_shifts(games[:80], games[80:]))


def test_win_shares_are_compared_with_equal_chances():
    """North wins 70 of 100 games, which is more than chance. The first player wins 55 games, which may be chance."""
    games = [GameResult(n, 10, ranks=[2, 1] if n < 70 else [1, 2], began=int(n < 40 or n >= 85)) for n in range(100)]
    figures = GameStatistics(2, games)
    assert figures.even_share == 0.5 and figures.first_decider_win_share is not None and figures.first_decider_win_share.hits == 55
    assert figures.uneven_flags == [True, True, False]
    assert binomial_p_value(70, 100, 0.5) == pytest.approx(7.85e-5, rel=0.01) and binomial_p_value(55, 100, 0.5) == pytest.approx(
        0.3682, rel=0.01
    )
    assert holm_test([0.03, 0.01, 0.04], 0.05) == [False, True, False]


@pytest.mark.long
def test_page_describes_the_effect_of_a_pack(market):
    said = " ".join(PageTexts(render_page((load_rules(market, "Stall.glass.price: 90"), load_rules(market)), 60)).texts)
    assert re.search(r"With the house rules, a player scores \d+\.\d more points on average.* "
                     r"The difference is greater than chance would explain\.", said)
    assert re.search(r"Players who chose “Glass” more often scored \d+\.\d more of every 100 points", said)
    assert re.search(r"With the house rules, “Glass” is worth more: \+\d+\.\d in 100 instead of [+−]\d+\.\d \(", said)
    assert re.search(r"Market: house rules compared in \d+ games", said)
    assert re.search(r"House rules: house-0 \(Stall\.glass\.price = 90\)\.\s+Compared with the original game\.", said)
    assert "With equal chances it would be" in said and re.search(r"Each of them took \d+ rounds", said)
    assert re.search(r"Stall: 3, [1-3] of them more than chance", said)


@pytest.mark.long
def test_page_reports_a_pack_without_effect(market):
    said = " ".join(PageTexts(render_page((load_rules(market, "days: 4"), load_rules(market)), 12)).texts)
    assert "The house rules never came into play: all 12 games went exactly the same with and without them." in said
    assert "With the house rules, a" not in said


@pytest.mark.parametrize("lang", ["hu", *(pytest.param(lang, marks=pytest.mark.long) for lang in ("en", "it", "es"))])
def test_page_is_complete_in_each_language(market, lang):
    text = render_page((load_rules(market, "days: 5, Stall.glass.price: 90"), load_rules(market)), 12, lang)
    read = PageTexts(text)
    assert f'<html lang="{lang}">' in text and len(read.pictures) == 5
    assert all(re.search(r"\w+ .*\.$", said) for said in read.pictures)
    assert len(set(read.ids)) == len(read.ids)
    assert not re.search(r"https?://(?!www\.w3\.org|purl\.org|creativecommons\.org)", text) and "<script" not in text
    assert not re.findall(r"\b(?:report|compare|measure|axis|simulate)\.\w+", " ".join(read.texts))


@pytest.mark.long
def test_page_is_reproducible(market):
    rules = (load_rules(market, "days: 5"), load_rules(market))
    assert render_page(rules, 8) == render_page(rules, 8)


@pytest.mark.long_cases("=1+2", "-1+2", "@SUM(A1)")
@pytest.mark.parametrize("name", ["=1+2", "+1", "-1+2", "@SUM(A1)", "\t=1", "\n=1", "a\n=1"])
def test_csv_escapes_spreadsheet_formulas(tmp_path, name):
    export.write_table(tmp_path, "things", [{"thing": "rest", "name": name, "more": -3}])
    with (tmp_path / "things.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert row["name"][0] not in "=+-@\t\n\r" and "\n" not in row["name"] and row["more"] == "-3"
    assert parquet.read_table(tmp_path / "things.parquet").column("name").to_pylist() == [name]


@pytest.mark.long
def test_plots_do_not_parse_names_as_math():
    plots = ReportPlots(str, ["_first $a$", "second \\alpha $x^2$"])
    drawn = plots.draw_shares(["cost $5_a$ and $6$"], [[SampleProportion(1, 2)], [SampleProportion(2, 3)]], "said $y$", "axis $z$")
    for name in ("_first $a$", "second \\alpha $x^2$", "cost $5_a$ and $6$", "axis $z$"):
        assert name in drawn


@pytest.mark.long
def test_exported_tables_contain_every_game(market, tmp_path):
    games = play_games(load_rules(market), 9)
    export.write_table(tmp_path, "games", export.game_rows([games]))
    with (tmp_path / "games.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(int(row["seed"]), int(row["score_0"])) for row in rows] == [(game.seed, game.scores[0]) for game in games]
    assert parquet.read_table(tmp_path / "games.parquet").column("score_1").to_pylist() == [game.scores[1] for game in games]


def test_similar_changes_are_merged_into_one_sentence(market):
    game = get_loaded_game(load_rules(market))
    words = game_localizer("en", "market", market, TEXTS | {key: text for key, (text, _) in game.model.texts.items()})
    told = ReportSentences(Narrator(game, words), LabPlan((load_rules(market),), 8))
    changes = [ChoiceShift(f"Stall.{name}", False, 2.0, after, after - 2.5, after - 1.5, True)
               for name, after in (("bread", 1.0), ("cheese", 0.5), ("glass", 4.0))]
    games = [GameResult(n, 4, ranks=[1, 2], chosen={f"Stall.{name}": [1, 1] for name in ("bread", "cheese", "glass")}) for n in range(8)]
    said = ChoiceChapter(told, GameStatistics(2, games), compute_choice_values(games), changes, ()).change_sentences()
    assert len(said) == 2 and sum("less often" in sentence for sentence in said) == 1
    assert "Bread” (1 instead of 2)" in " ".join(said).replace(".0", "") and "Cheese” (0.5 instead of 2" in " ".join(said)


def test_partners_win_together_in_the_report():
    """A victory of a pair counts for each of the two, and ties are ties of pairs."""
    teams = [[0, 2], [1, 3]]
    ranks = [*[[1, 2, 1, 2]] * 6, *[[2, 1, 2, 1]] * 3, [1] * 4]
    games = [GameResult(n, 10, ranks=one, teams=teams, leads=[0, 0, 0]) for n, one in enumerate(ranks)]
    figures = GameStatistics(4, games)
    assert figures.teams == teams and figures.tie_count == 1
    assert [figures.win_share(seat).hits for seat in range(4)] == [6, 3, 6, 3] and figures.even_share == 0.45
    assert figures.data(["a", "b", "c", "d"])["teams"] == teams and figures.leader_win_share(0).hits == 6
    assert games[0].victory_share(2) == 1 and games[9].victory_share(2) == 0.5


def test_players_who_lose_together_have_not_won():
    games = [GameResult(n, 10, ranks=[1, 1] if n < 3 else [2, 2], teams=[[0, 1]]) for n in range(10)]
    figures = GameStatistics(2, games)
    assert figures.win_share(0).hits == figures.win_share(1).hits == 3 and figures.tie_count == 0


def test_page_shows_each_team_once():
    """The points of partners are the same, so two teams of two have two sentences, and a team of all cannot lead."""
    pairs, crew = (
        " ".join(PageTexts(render_page((RulesetSpec(str(TOYS / name), players, meaning=shared(name, players).fingerprint),), 6)).texts)
        for name, players in (("whistle", 4), ("lifeboat", 2)))
    assert len(re.findall(r"Player \d and Player \d won \d games? together", pairs)) == 2 and "With equal chances" in pairs
    assert len(re.findall(r"Player \d and Player \d scored [\d.]+ points together", pairs)) == 2
    assert "Player 1 and Player 2 won" in crew and "With equal chances" not in crew and "Does a lead last" not in crew
