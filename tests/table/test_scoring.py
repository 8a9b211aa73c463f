"""Checks the sources of points: the parts always add up to the standing, and each cites the rule that gave it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from ludoglot.dsl.backend_python.module import compile_module
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.dsl.lowering.score_terms import ScoreTerms
from ludoglot.engine.explain.score_breakdown import (
    ScoreGain,
    ScorePart,
    ScoreReplay,
    list_gains,
    list_score_parts,
    replay_scores,
)
from ludoglot.engine.explain.standing_text import (
    breakdown_lines,
    lines_with_sentence,
    match_summary,
    score_lines,
    standing_lines,
    tie_break_text,
)
from ludoglot.engine.i18n import LANGUAGES
from ludoglot.engine.i18n.text_layout import wrap_cells
from ludoglot.engine.library.find import GameLocation
from ludoglot.engine.library.loaded_game import LoadedGame
from ludoglot.engine.match.save_file import MatchSetup
from ludoglot.engine.match.table import MatchTable
from ludoglot.engine.narration.narrator import Narrator
from ludoglot.engine.position.points import has_points, points_by_seat, points_of_ranks, points_sign
from ludoglot.engine.position.position import Game, Position
from ludoglot.engine.position.ranking import Rank
from tmp_files import filled

GOLDEN_FOLDER = Path(__file__).parent / "scores"
SHIPPED = [("trias", 3), ("evolution", 2), ("dominant-species", 2), ("dominant-species", 5), ("hex", 2), ("tic-tac-toe", 2),
           ("connect-four", 2), ("breakthrough", 2), ("amazons", 2), ("english-draughts", 2), ("kalah", 2), ("lines-of-action", 2),
           ("international-draughts", 2),
           ("nine-mens-morris", 2), ("oware", 2), ("go", 2), ("reversi", 2), ("hearts", 4), ("scopone", 4), ("catan", 3)]
TOYS = [("masquerade", 3), ("flower-stall", None), ("food-chain", None), ("drift", None), ("parry", None)]


def make_table(game, seats, seed=3, names=()):
    return MatchTable(game, MatchSetup(game.ruleset.id, game.players, seed, {}, [], [*names, *[""] * game.players][: game.players], seats,
                             [""] * game.players))


def make_loaded_game(game) -> LoadedGame:
    folder = game.ruleset.folder
    return LoadedGame(GameLocation(folder.name, folder, folder.name), game, [], [])


def text_checker(game):
    return make_loaded_game(game).localizer("en").has


def check_score_parts(game, seed, limit):
    """Plays at random, and compares parts and standing at every decision."""
    has = text_checker(game)
    played, picks = ScoreReplay(game, seed), random.Random(seed)
    for _ in range(limit):
        parts = played.list_parts(has)
        for seat, points in points_by_seat(played.position).items():
            assert sum(part.points for part in parts if part.seat == seat) == points
        assert has_points(game) or not parts
        decision = played.position.decision
        if decision is None:
            return
        played.play(decision.seat, decision.option(picks.choice(decision.codes)))


@pytest.mark.long_cases("trias-3", "evolution-2", "dominant-species-2", "dominant-species-5")
@pytest.mark.parametrize(("name", "players"), SHIPPED + TOYS)
def test_the_parts_sum_up_to_the_standing_at_every_decision(game, name, players):
    check_score_parts(game(name, players), 1, 120)


@pytest.mark.long
@pytest.mark.parametrize("seed", [2, 3])
@pytest.mark.parametrize(("name", "players"), SHIPPED)
def test_the_parts_sum_up_to_the_standing_in_whole_games(game, name, players, seed):
    check_score_parts(game(name, players), seed, 5000)


def test_points_can_follow_the_condition_of_victory(game):
    table = make_table(game("catan", 3), ["human"] * 3)
    loaded = make_loaded_game(table.game)
    assert {"1. Red: 0 points", "1. Blue: 0 points", "1. White: 0 points"} <= set(standing_lines(table, loaded, "en"))
    ranks = [Rank(0, 1, (1, 10)), Rank(1, 2, (0, 7)), Rank(2, 3, (0, 5))]
    assert points_of_ranks(table.game, ranks) == {0: 10, 1: 7, 2: 5}
    assert all(tie_break_text(table, loaded.localizer("en"), *pair) == "" for pair in zip(ranks, ranks[1:]))


@pytest.mark.long
def test_score_replay_covers_all_steps_and_does_not_change_the_table(game):
    table = make_table(game("trias", 3), ["bot:random"] * 3)
    list(table.take_automatic())
    before, steps = table.position.digest(), list(table.steps)
    assert replay_scores(table).position == table.position
    assert list_score_parts(table, text_checker(table.game))
    assert table.position.digest() == before and table.steps == steps and type(table.position.s) is list


@pytest.mark.parametrize("name", ["evolution", *(pytest.param(name, marks=pytest.mark.long) for name in ("dominant-species", "trias"))])
def test_score_terms_add_no_cost_during_play(game, name, monkeypatch):
    """Score terms add no memos that writes must update, and no other block."""
    ruleset = game(name, 3).ruleset
    whole = ruleset.module
    monkeypatch.setattr(ScoreTerms, "compile_terms", lambda self: [])
    bare = compile_module(ruleset.facts, ruleset.layout)
    assert whole.terms and not bare.terms
    assert len(whole.memos) == len(bare.memos) and len(whole.blocks) == len(bare.blocks)


# ---------------------------------------------------------------- a game computed by hand

GAME = """\
game: mill
name: Mill
players: 2
rules: [mill.rules]
numbers: {gem_pays: 4}
enums:
  Player: {name: player, members: {ann: {name: ann}, bea: {name: bea}}}
  Deed: {name: deed, members: {sow: {name: sowing}, dig: {name: digging}, rob: {name: robbery}}}
  Gem: {name: gem, members: {ruby: {name: ruby}, opal: {name: opal}}}
"""
RULES = """\
state coins[Player]: -9..99 = 1
state purse[Player]: bag of Gem
state debt[Player]: 0..9
state ended: bool

phase game:
    deal()
    rounds of player in Player until ended: turn(player)
    last_pay()

phase deal:
    for player in Player: pay(player, 2)

phase turn(player) by player @ML-TURN:
    choose deed in Deed @01:
        act[deed](player)

proc act[sow](player):
    sow_some(player)                                  @ML-SOW-01
    debt[player] += 1

proc sow_some(player) by player:
    choose n in 1..3
    pay(player, n)

proc act[dig](player):
    purse[player][ruby] += 1
    purse[player][opal] += 1

proc act[rob](player):
    coins[next(player)] -= 2
    pay(player, 2)
    ended = true

proc pay(player, n: int): coins[player] += n          @ML-PAY-01
proc last_pay():
    for player in Player: coins[player] += 1

def total(player) = wealth(player) - debt[player]
def wealth(player) = coins[player] + gem_pays * purse[player][ruby] + 2 * purses(player)
def purses(player) = count(gem in Gem where purse[player][gem] > 0)   @ML-GEM-01
standing player: total(player)
"""
TEXTS = """\
phase.deal.name: "Deal"
phase.turn.name: "Turn"
score.purses: "Kinds of gems"
score.last_pay: "Last pay"
state.debt: "Debt"
"""


@pytest.fixture
def mill_table(tmp_path):
    made = Game(
        load_ruleset(filled(tmp_path / "mill", {"game.yaml": GAME, "mill.rules": RULES, "messages.yaml": TEXTS}), display_path="mill")
    )
    table = make_table(made, ["human", "human"])
    for spelling in ("deed=sow", "n=3", "deed=dig", "deed=dig", "deed=sow", "n=1", "deed=sow", "n=2", "deed=rob"):
        list(table.take_automatic())
        table.play(spelling)
    return table


def test_score_parts_match_a_manual_computation(mill_table):
    # ann: 1 at first, 2 dealt, sows 3, digs, sows 2, is robbed of 2, 1 at last, 1 ruby (4), 2 kinds (4), two debts
    # bea: 1 at first, 2 dealt, digs, sows 1, robs 2, 1 at last, 1 ruby (4), 2 kinds (4), one debt
    assert mill_table.over
    found = {(part.seat, part.source): part.points for part in list_score_parts(mill_table, text_checker(mill_table.game))}
    assert found == {
        (0, "breakdown.start"): 1, (0, "phase.deal"): 2, (0, "Deed.sow"): 5 - 2, (0, "Deed.dig"): 4, (0, "Deed.rob"): -2,
        (0, "score.last_pay"): 1, (0, "score.purses"): 4,
        (1, "breakdown.start"): 1, (1, "phase.deal"): 2, (1, "Deed.dig"): 4, (1, "Deed.sow"): 1 - 1, (1, "Deed.rob"): 2,
        (1, "score.last_pay"): 1, (1, "score.purses"): 4}
    assert [rank.values for rank in mill_table.position.standing()] == [(14,), (13,)]


def test_each_gain_has_its_rule_its_clauses_and_its_round(mill_table):
    found = [one for one in list_gains(mill_table, text_checker(mill_table.game), [0]) if one.source == "Deed.sow"]
    line = 1 + RULES.splitlines().index("    sow_some(player)                                  @ML-SOW-01")
    rule = ("mill/mill.rules", line)
    assert found == [
        ScoreGain(0, 3, "Deed.sow", rule, ("ML-PAY-01", "ML-SOW-01"), 1, 2), ScoreGain(0, -1, "Deed.sow", (rule[0], line + 1), (), 1, 2),
        ScoreGain(0, 2, "Deed.sow", rule, ("ML-PAY-01", "ML-SOW-01"), 3, 8), ScoreGain(0, -1, "Deed.sow", (rule[0], line + 1), (), 3, 8)]


def test_computed_points_have_their_rule_and_clause(mill_table):
    part = next(part for part in list_score_parts(mill_table, text_checker(mill_table.game)) if part.source == "score.purses")
    line = 1 + next(n for n, text in enumerate(RULES.splitlines()) if text.startswith("def purses"))
    assert part == ScorePart(0, "score.purses", 4, ("mill/mill.rules", line), ("ML-GEM-01",))


def test_score_of_one_seat_in_words(mill_table):
    loaded = make_loaded_game(mill_table.game)
    said = score_lines(mill_table, loaded, Narrator(mill_table.game, loaded.localizer("en"), ["Anna", ""]), 0, 76)
    assert said[:4] == ["Anna: 13 points", "  Before the first round", "    +1 (1 in total): At the start",
                        "    +2 (3 in total): Deal (mill/mill.rules:12) [ML-PAY-01]"]
    assert said[4:6] == ["  Round 1", "    +3 (6 in total): Sowing (mill/mill.rules:19) [ML-PAY-01] [ML-SOW-01]"]
    assert said[-2:] == ["  Counted on the table", "    +4: Kinds of gems (mill/mill.rules:41) [ML-GEM-01]"]


def test_gain_from_hidden_state_has_no_source_before_the_end(tmp_path):
    rules = """\
state hand[Player]: bag of Gem seen by player
state coins[Player]: 0..99
phase game:
    for player in Player: hand[player][ruby] += 1
    for player in Player: turn(player)
    choose gem in Gem by the(p in first(q in Player)) as last
phase turn(player):
    if hand[player][ruby] > 0: lucky(player)
    else: unlucky(player)
    plain(player)
    choose gem in Gem by player
proc lucky(player): coins[player] += 1
proc unlucky(player): coins[player] += 1
proc plain(player): coins[player] += 2
standing player: coins[player]
"""
    texts = 'score.lucky: "Luck"\nscore.plain: "Pay"\n'
    made = Game(load_ruleset(filled(tmp_path, {"game.yaml": GAME, "mill.rules": rules, "messages.yaml": texts})))
    table = make_table(made, ["human", "human"])
    has = {"score.lucky", "score.plain"}.__contains__
    told = {one.source: one for one in list_gains(table, has, [0])}
    assert set(told) == {"breakdown.closed", "score.plain"}
    assert told["breakdown.closed"].points == 1 and told["breakdown.closed"].place is None and not told["breakdown.closed"].clauses
    while not table.over:
        table.play(table.position.decision.options[0])
    assert {one.source for one in list_gains(table, has)} == {"score.lucky", "score.plain"}


def test_bulk_writes_are_attributed(tmp_path):
    rules = """\
state purse[Player]: bag of Gem
state out: bag of Gem
state run[Player]: 0..9 per turn
state n: 0..20
phase game:
    rounds of player in Player until n == 20: turn(player)
phase turn(player):
    for p in Player: run[p] += 2
    draw_some(player)
    choose gem in Gem by player
    if purse[player][gem] > 2: spill(player)
    n += 1
proc draw_some(player):
    purse[player][ruby] += 2
    purse[player][opal] += 1
proc spill(player): move everything from purse[player] to out
standing player: purse[player][ruby] - 3 * purse[player][opal] + run[player]
"""
    made = Game(load_ruleset(filled(tmp_path, {"game.yaml": GAME, "mill.rules": rules})))
    check_score_parts(made, 1, 100)
    table = make_table(made, ["bot:random"] * 2)
    list(table.take_automatic())
    has = {"score.turn", "score.draw_some", "score.spill"}.__contains__
    found = {(part.seat, part.source): part.points for part in list_score_parts(table, has)}
    assert found[0, "score.draw_some"] == 10 * (2 - 3) and found[0, "score.turn"] == 2 and found[0, "score.spill"] > 0


# ---------------------------------------------------------------- the display of scores


def render_scores(table, lang):
    loaded = make_loaded_game(table.game)
    narrator = Narrator(table.game, loaded.localizer(lang), table.setup.names)
    standing = [line for one in standing_lines(table, loaded, lang) for line in wrap_cells(one, 80, "  ")]      # as at a table
    return [*standing, *breakdown_lines(table, loaded, narrator, 80), ""]


@pytest.mark.long
@pytest.mark.parametrize(("name", "bots", "seed"), [
    ("trias", ["random"] * 4, 3), ("evolution", ["random"] * 3, 1),
    pytest.param("dominant-species", ["greedy", "random"] * 3, 1, marks=pytest.mark.long)])
def test_breakdowns_of_whole_games_in_four_languages(game, recorded, name, bots, seed):
    players = len(bots)
    names = ["Anna", "Bartolomeo", "Zsófi", "Massimiliano", "Csilla", "Erzsébet"]
    table = make_table(game(name, players), [f"bot:{bot}" for bot in bots], seed, names[:players])
    list(table.take_automatic())
    assert table.over
    pages = [line for lang in LANGUAGES for line in render_scores(table, lang)]
    assert all(len(line) <= 80 for line in pages)
    recorded(GOLDEN_FOLDER / f"{name}.txt", "\n".join(pages))


def test_game_without_points_has_no_breakdown(game):
    table = make_table(game("hex"), ["bot:random"] * 2)
    list(table.take_automatic())
    said = render_scores(table, "en")
    assert not list_score_parts(table, text_checker(table.game)) and not list_gains(table, text_checker(table.game)) and len(said) == 5
    assert said[1:3] == ["1. Red", "2. Blue"] or said[1:3] == ["1. Blue", "2. Red"]


@pytest.mark.long
def test_unfinished_game_shows_zero_points_and_no_final_standing(game):
    table = make_table(game("trias", 3), ["human", "bot:random", "bot:random"], names=["Anna", "Piero", "Zsófi"])
    said = {lang: standing_lines(table, make_loaded_game(table.game), lang) for lang in LANGUAGES}
    assert said["en"][1:] == ["Standings so far", "1. Anna: 0 points", "1. Piero: 0 points", "1. Zsófi: 0 points"]
    assert [said[lang][1] for lang in ("it", "es", "hu")] == ["Classifica provvisoria", "Clasificación provisional", "Jelenlegi állás"]


@pytest.mark.long
def test_message_names_the_rounds_played(game):
    table = make_table(game("trias", 3), ["bot:random"] * 3)
    list(table.take_automatic(4))
    for asked in (4, 2):                                           # a resumed game may be past its last round
        assert standing_lines(table, make_loaded_game(table.game), "en", asked)[0] == "Stopped after 4 rounds. The game is not over."
    assert standing_lines(table, make_loaded_game(table.game), "hu", 4)[0] == "A játszma 4 forduló után leállt, de nem ért véget."


def test_source_with_several_clauses_lists_each_of_them(game):
    """Of 5 points from three traits, the sentence for one of them alone once claimed all."""
    table = make_table(game("evolution", 2), ["human", "human"])
    loaded = make_loaded_game(table.game)
    narrator = Narrator(table.game, loaded.localizer("en"), ["", ""])
    part = ScorePart(
        0, "score.further_score", 5, ("rounds.rules", 1), tuple(f"EVO-SCORE-0{n}" for n in (3, 4, 5)) + ("EVO-TR-CARNIVOROUS-01",)
    )
    read: set[str] = set()
    said = lines_with_sentence("+5", part, 80, narrator, read)
    assert [line.split()[1] for line in said[1:]] == ["Carnivorous", "High", "Parasite"]
    assert lines_with_sentence("+5", part, 80, narrator, read) == ["    +5"]


@pytest.mark.long_cases("trias-first1-    ahead because of presence on more continents (3 to 1)-ahead")
@pytest.mark.parametrize("name, first, standing, by", [
    ("evolution", [(4, 7), (4, 9), (9, 2)], "    ahead because of the larger discard pile (9 to 7)", "ahead"),
    ("trias", [(9, 4, 1), (9, 4, 3), (12, 0, 0)], "    ahead because of presence on more continents (3 to 1)", "ahead")])
def test_tie_break_is_shown_with_the_player_ahead(game, monkeypatch, name, first, standing, by):
    table = make_table(game(name, 3), ["human"] * 3)
    loaded = make_loaded_game(table.game)
    order = sorted(range(3), key=lambda seat: first[seat], reverse=True)
    ranks = [Rank(seat, n, first[seat]) for n, seat in enumerate(order, 1)]
    monkeypatch.setattr(Position, "standing", lambda self: ranks)
    assert not any(by in line for line in standing_lines(table, loaded, "en")), "the tie-break may be hidden before the end"
    monkeypatch.setattr(type(table), "over", property(lambda self: True))
    lines = standing_lines(table, loaded, "en")
    assert lines[lines.index(standing) - 1].startswith("2. Player 2: ") and sum(by in line for line in lines) == 1
    for lang in ("it", "es", "hu"):
        assert standing_lines(table, loaded, lang)[3].count("(") == 1


def test_tie_break_without_a_text_uses_the_table_name(game, tmp_path):
    texts = 'state.debt: "Debt"\n'
    made = Game(load_ruleset(filled(tmp_path / "tied", {"game.yaml": GAME.replace("mill", "tied"), "tied.rules": RULES.replace(
        "standing player: total(player)", "standing player: total(player), -debt[player]"), "messages.yaml": texts}), display_path="tied"))
    table = make_table(made, ["human", "human"])
    words = make_loaded_game(made).localizer("en")
    assert tie_break_text(table, words, Rank(0, 1, (5, -1)), Rank(1, 2, (5, -2))) == "tie broken by: Debt"
    assert tie_break_text(table, words, Rank(0, 1, (5, -1)), Rank(1, 2, (4, -1))) == ""


def test_the_fewest_points_win_and_every_display_shows_them_without_a_minus(game):
    """The rules of hearts rank `-points[player]`. A screen once showed 21 points, and the result −21."""
    hearts = game("hearts", 4)
    table = make_table(hearts, ["bot:random"] * 4, seed=5)
    list(table.take_automatic(1))
    points = [table.position.raw_value("points", seat) for seat in range(4)]
    lines = standing_lines(table, make_loaded_game(hearts), "en")[2:]
    shown = [int(line.split(": ")[1].split()[0]) for line in lines[:4]]
    assert shown == sorted(points) and sum(shown) == 26 and lines[0].startswith("1. ")
    narrator = Narrator(hearts, make_loaded_game(hearts).localizer("en"), [""] * 4)
    assert [score_lines(table, make_loaded_game(hearts), narrator, seat, 80)[0] for seat in (0, 2)] == [
        f"Player {seat + 1}: {points[seat]} point{'s' * (points[seat] != 1)}" for seat in (0, 2)]
    assert [line["score"] for line in match_summary(table, None)["standing"]] == shown
    assert [rank.values[0] for rank in table.position.standing()] == [-n for n in shown], "the values that rules compare stay"


def test_negated_standing_counts_penalties(tmp_path):
    made = Game(load_ruleset(filled(tmp_path / "golf", {"game.yaml": GAME.replace("mill", "golf"), "golf.rules": RULES.replace(
        "standing player: total(player)", "standing player: -(total(player) - 1)")}), display_path="golf"))
    assert points_sign(made) == -1 and sum(points_by_seat(made.start(1)).values()) == -sum(
        rank.values[0] for rank in made.start(1).standing())
