"""Checks `count`: lines of play in decisions or turns, from the beginning or from a scenario, distinct positions, and chance."""

from __future__ import annotations

import json

import pytest

from .conftest import LANGUAGES

TESTS = """\
scenarios:
  - name: one card is left, and the other is Bea's
    given: {apples: {ann: 3}}
    play: [card=rest]
  - name: one more
    play: [card=rest]
  - name: the end
    given: {apples: {ann: 3}}
    play: [card=harvest]
  - name: wrong
    play: [card=stroll]
"""


def count_lines(ludoglot, *args):
    said = ludoglot("count", *args, "--json")
    assert said.code == 0, said.err
    return [tuple(count[key] for key in ("lines", "positions") if key in count) for count in json.loads(said.out)["counts"]]


def test_lines_end_with_the_game(ludoglot, orchard):
    """Ann and Bea choose harvest (3 apples) or rest in turns until one of them has 6. After three decisions, two lines are over: h?h."""
    assert count_lines(ludoglot, orchard, "--depth", "4") == [(2,), (4,), (8,), (12,)]


def test_transpositions_reduce_the_number_of_positions(ludoglot, orchard):
    """If a player rests and harvests in any order, the apples are the same."""
    assert count_lines(ludoglot, orchard, "--depth", "4", "--positions") == [(2, 2), (4, 4), (8, 6), (12, 6)]


def test_a_turn_contains_all_decisions_of_one_player(ludoglot, orchard):
    rules = orchard / "orchard.rules"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("        effect[card](player)\n", "        effect[card](player)\n        choose n in 0..2 by player\n"),
                     encoding="utf-8")
    assert count_lines(ludoglot, orchard, "--depth", "2") == [(2,), (6,)]
    assert count_lines(ludoglot, orchard, "--depth", "2", "--by", "turn") == [(6,), (36,)]


def test_counting_starts_at_the_end_of_a_scenario(ludoglot, orchard):
    (orchard / "tests").mkdir()
    (orchard / "tests" / "some.yaml").write_text(TESTS, encoding="utf-8")
    assert count_lines(ludoglot, orchard, "--from", "one card", "--depth", "2") == [(2,), (4,)]
    assert count_lines(ludoglot, orchard, "--from", "one card", "--depth", "3") == [(2,), (4,), (4,)]
    several, none, wrong = (ludoglot("count", orchard, "--from", name) for name in ("one", "two", "wrong"))
    assert several.code == 2 and "“one more”" in several.err and "Bea's" in several.err
    assert none.code == 2 and "“two”" in none.err
    assert wrong.code == 1 and "“wrong”" in wrong.err
    assert ludoglot("count", orchard, "--from", "one more", "--players", "2").code == 2


def test_chance_is_counted_only_with_scripted_results(ludoglot, orchard):
    rules = orchard / "orchard.rules"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("        effect[card](player)\n", """\
        effect[card](player)
        choose n in 1..3 by chance
        apples[player] += n
"""), encoding="utf-8")
    for lang in LANGUAGES:
        refused = ludoglot("count", orchard, "--depth", "1", "--lang", lang)
        assert refused.code == 1 and "game.card" in refused.err and "--chance" in refused.err and not refused.out
    assert count_lines(ludoglot, orchard, "--depth", "2", "--chance", "1,2") == [(2,), (4,)]
    assert ludoglot("count", orchard, "--depth", "3", "--chance", "1,2").code == 1
    assert count_lines(ludoglot, orchard, "--depth", "3", "--chance", "1,2,1") == [(2,), (4,), (8,)]
    assert "“plum”" in ludoglot("count", orchard, "--chance", "plum").err


@pytest.mark.parametrize("lang", LANGUAGES)
def test_counts_are_printed_in_every_language(ludoglot, orchard, lang):
    lines = ludoglot("count", orchard, "--depth", "3", "--positions", "--lang", lang).out.splitlines()
    assert len(lines) == 3 and "8" in lines[2] and "6" in lines[2]
    (orchard / "tests").mkdir()
    (orchard / "tests" / "some.yaml").write_text(TESTS, encoding="utf-8")
    ended = ludoglot("count", orchard, "--from", "the end", "--depth", "3", "--lang", lang)
    assert ended.code == 0 and len(ended.out.splitlines()) == 1 and "0" not in ended.out
    wrong = ludoglot("count", orchard, "--by", "trun", "--lang", lang)
    assert wrong.code == 2 and "turn" in wrong.err
