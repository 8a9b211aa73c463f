"""Games and positions as players write them, at the command line: what `replay` writes and what `play --from` reads."""

from __future__ import annotations

import json

import pytest

BOTS = ("--seats", "bot:random,bot:random")
NOTATION = """\
files: [trees]
tags: {Ann: "{ann}", Result: "{result}"}
results: {wins: {ann: a, bea: b}, draw: "=", open: "*"}
moves:
  game.card: {ways: ["{card}"]}
position:
  tag: Apples
  texts: ["{apples}"]
  clear: [apples]
  fields:
    apples:
      one:
        - {text: rich, when: "apples[ann] == 3", given: {apples: {ann: 3, bea: 3}}}
        - {text: poor, when: "true", given: {apples: {ann: 1}}}
"""


@pytest.fixture
def written(orchard):
    (orchard / "notation.yaml").write_text(NOTATION, encoding="utf-8")
    return orchard


def test_a_game_goes_out_and_comes_in(ludoglot, written, tmp_path):
    first, second, out = tmp_path / "a.ludoglot", tmp_path / "b.ludoglot", tmp_path / "a.trees"
    assert ludoglot("check", written).code == 0
    assert ludoglot("play", written, *BOTS, "--names", "Ann,Bea", "--save", first, "--seed", "3").code == 0
    assert ludoglot("replay", first, "--notation", out).code == 0
    text = out.read_text(encoding="utf-8")
    assert text.startswith('[Ann "Ann"]\n[Result "') and ludoglot("replay", first, "--notation", "-").out == text
    assert ludoglot("play", written, *BOTS, "--from", out, "--save", second).code == 0
    assert ludoglot("replay", second, "--notation", "-").out == text
    assert ludoglot("replay", second, "--position").out == ludoglot("replay", first, "--position").out


def test_a_game_that_begins_with_a_position_is_saved_with_it(ludoglot, written, tmp_path):
    save = tmp_path / "a.ludoglot"
    assert ludoglot("play", written, *BOTS, "--from", "rich", "--save", save, "--max-rounds", "1").code == 0
    head = json.loads(save.read_text(encoding="utf-8").splitlines()[0])
    assert head["start"] == {"clear": ["apples"], "given": {"apples": {"ann": 3, "bea": 3}}, "number": 1}
    assert '[Apples "rich"]' in ludoglot("replay", save, "--notation", "-").out
    assert ludoglot("replay", save, "--verify").code == 0
    assert ludoglot("play", "--resume", save).code == 0
    assert ludoglot("replay", save, "--verify").code == 0


@pytest.mark.parametrize(("given", "said"), [
    ("1. harvest climb *", "Move 2: “climb” is not possible there."),
    ("green", "“green” is no position of this game. The one that it begins with is written “poor”."),
    ("nowhere.trees", "There is no file nowhere.trees."),
])
def test_what_cannot_be_read_is_told_in_a_sentence(ludoglot, written, given, said):
    found = ludoglot("play", written, *BOTS, "--from", given)
    assert found.code in (1, 2) and said in found.err


def test_a_game_without_a_notation_says_so(ludoglot, orchard, tmp_path):
    save = tmp_path / "a.ludoglot"
    ludoglot("play", orchard, *BOTS, "--save", save)
    found = ludoglot("replay", save, "--notation", "-")
    assert found.code == 1 and "notation.yaml" in found.err and not found.out


def test_a_save_that_begins_with_nonsense_is_refused(ludoglot, written, tmp_path):
    save = tmp_path / "a.ludoglot"
    ludoglot("play", written, *BOTS, "--from", "rich", "--save", save)
    lines = save.read_text(encoding="utf-8").splitlines()
    head = json.loads(lines[0])
    head.pop("sum")
    head["start"]["given"] = {"pears": 3}
    save.write_text(json.dumps({**head, "ludoglot": 1}) + "\n", encoding="utf-8")
    found = ludoglot("replay", save)
    assert found.code == 1 and "pears" in found.err


def test_a_move_is_typed_as_it_is_written(ludoglot, orchard, tmp_path):
    """A card and then a number are one move here: what belongs to the number is not asked again."""
    rules, save = orchard / "orchard.rules", tmp_path / "a.ludoglot"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("        effect[card](player)\n", "        effect[card](player)\n        choose n in 0..2 by player\n"),
                     encoding="utf-8")
    (orchard / "notation.yaml").write_text(
        'files: [trees]\nmoves:\n  game.card: {ways: ["!{card}"]}\n  game.n: {ways: ["{before}+{n}"]}\n', encoding="utf-8")
    ludoglot("play", orchard, "--seats", "human,human", "--save", save, typed="!harvest+2\n!rest+9\n!rest+0\nquit\n")
    lines = [json.loads(line) for line in save.read_text(encoding="utf-8").splitlines()[2:]]
    assert [(line["seat"], line["option"]) for line in lines] == [(0, "card=harvest"), (0, "n=2"), (1, "card=rest"), (1, "n=0")]
    assert ludoglot("replay", save, "--notation", "-").out.split() == ["1.", "!harvest+2", "2.", "!rest+0", "*"]
