"""Checks standard notation on the command line: the games and positions that `replay` writes and `play --from` reads."""

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
def orchard_with_notation(orchard):
    (orchard / "notation.yaml").write_text(NOTATION, encoding="utf-8")
    return orchard


@pytest.mark.long
def test_a_game_can_be_exported_and_imported(ludoglot, orchard_with_notation, tmp_path):
    first, second, out = tmp_path / "a.ludoglot", tmp_path / "b.ludoglot", tmp_path / "a.trees"
    assert ludoglot("check", orchard_with_notation).code == 0
    assert ludoglot("play", orchard_with_notation, *BOTS, "--names", "Ann,Bea", "--save", first, "--seed", "3").code == 0
    assert ludoglot("replay", first, "--notation", out).code == 0
    text = out.read_text(encoding="utf-8")
    assert text.startswith('[Ann "Ann"]\n[Result "') and ludoglot("replay", first, "--notation", "-").out == text
    assert ludoglot("play", orchard_with_notation, *BOTS, "--from", out, "--save", second).code == 0
    assert ludoglot("replay", second, "--notation", "-").out == text
    assert ludoglot("replay", second, "--position").out == ludoglot("replay", first, "--position").out


@pytest.mark.long
def test_a_save_contains_the_position_at_the_start(ludoglot, orchard_with_notation, tmp_path):
    save = tmp_path / "a.ludoglot"
    assert ludoglot("play", orchard_with_notation, *BOTS, "--from", "rich", "--save", save, "--max-rounds", "1").code == 0
    head = json.loads(save.read_text(encoding="utf-8").splitlines()[0])
    assert head["start"] == {"clear": ["apples"], "given": {"apples": {"ann": 3, "bea": 3}}, "number": 1}
    assert '[Apples "rich"]' in ludoglot("replay", save, "--notation", "-").out
    assert ludoglot("replay", save, "--verify").code == 0
    assert ludoglot("play", "--resume", save).code == 0
    assert ludoglot("replay", save, "--verify").code == 0


@pytest.mark.parametrize(("given", "said"), [
    ("1. harvest climb *", "Move 2: “climb” is not possible there."),
    ("green", "“green” is not a position of this game. The starting position is written “poor”."),
    ("nowhere.trees", "There is no file nowhere.trees."),
])
def test_unreadable_notation_gives_a_sentence(ludoglot, orchard_with_notation, given, said):
    found = ludoglot("play", orchard_with_notation, *BOTS, "--from", given)
    assert found.code in (1, 2) and said in found.err


def test_a_game_without_notation_is_reported(ludoglot, orchard, tmp_path):
    save = tmp_path / "a.ludoglot"
    ludoglot("play", orchard, *BOTS, "--save", save)
    found = ludoglot("replay", save, "--notation", "-")
    assert found.code == 1 and "notation.yaml" in found.err and not found.out


def test_a_save_with_an_invalid_start_is_rejected(ludoglot, orchard_with_notation, tmp_path):
    save = tmp_path / "a.ludoglot"
    ludoglot("play", orchard_with_notation, *BOTS, "--from", "rich", "--save", save)
    lines = save.read_text(encoding="utf-8").splitlines()
    head = json.loads(lines[0])
    head.pop("sum")
    head["start"]["given"] = {"pears": 3}
    save.write_text(json.dumps({**head, "ludoglot": 1}) + "\n", encoding="utf-8")
    found = ludoglot("replay", save)
    assert found.code == 1 and "pears" in found.err


@pytest.mark.long
def test_a_move_can_be_typed_in_notation(ludoglot, orchard, tmp_path):
    """A card and a number are one move here, so the prompt does not ask for the number again."""
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


CLUB_GAME = """[Event "Club evening"]
[Site "Pécs"]
[Date "2024.05.06"]
[Round "3"]
[White "Ada"]
[Black "Bea"]
[Result "1-0"]

1. e4 e5 2. Qh5 1-0
"""


@pytest.mark.long
def test_tags_and_a_result_without_a_rule_are_kept(ludoglot, tmp_path):
    given, save = tmp_path / "club.pgn", tmp_path / "a.ludoglot"
    given.write_text(CLUB_GAME, encoding="utf-8")
    assert ludoglot("play", "chess", *BOTS, "--from", given, "--save", save, "--max-rounds", "1").code == 0
    assert ludoglot("replay", save, "--notation", "-").out == CLUB_GAME
    assert ludoglot("replay", save, "--verify").code == 0
    assert ludoglot("play", "--resume", save, "--max-rounds", "4").code == 0
    text = ludoglot("replay", save, "--notation", "-").out       # the game is not over, so nobody has resigned
    assert '[Site "Pécs"]' in text and '[Result "*"]' in text and text.endswith("*\n")


def test_a_save_with_an_invalid_scoresheet_is_rejected(ludoglot, tmp_path):
    given, save = tmp_path / "club.pgn", tmp_path / "a.ludoglot"
    given.write_text(CLUB_GAME, encoding="utf-8")
    ludoglot("play", "chess", *BOTS, "--from", given, "--save", save, "--max-rounds", "1")
    lines = save.read_text(encoding="utf-8").splitlines()
    head = json.loads(lines[0])
    for wrong in ({"tags": [1]}, {"tags": {"A": 3}}, {"result": 1}, {"decisions": "x"}, 7):
        save.write_text(json.dumps({**head, "sum": None, "ludoglot": 1, "scoresheet": wrong}) + "\n", encoding="utf-8")
        found = ludoglot("replay", save)
        assert found.code == 1 and found.err and "inside Ludoglot" not in found.err


@pytest.mark.long
def test_the_game_flag_selects_a_game_of_a_file(ludoglot, tmp_path):
    given, save = tmp_path / "many.pgn", tmp_path / "a.ludoglot"
    with given.open("w", encoding="utf-8") as file:
        file.write('[White "A"]\n\n1. e4 e5 *\n\n')
        for n in range(60_000):
            file.write(f'[White "B{n}"]\n[Black "{"x" * 80}"]\n\n1. d4 d5 *\n\n')
    first = ludoglot("play", "chess", *BOTS, "--from", given, "--save", save, "--max-rounds", "1")
    assert first.code == 0 and "--game" in first.err and "1. e4 e5 *" in ludoglot("replay", save, "--notation", "-").out
    third = ludoglot("play", "chess", *BOTS, "--from", given, "--game", "3", "--save", tmp_path / "b.ludoglot", "--max-rounds", "1")
    assert third.code == 0 and not third.err
    assert '[White "B1"]' in ludoglot("replay", tmp_path / "b.ludoglot", "--notation", "-").out
    short = tmp_path / "short.pgn"
    short.write_text("1. e4 *\n\n1. d4 *\n", encoding="utf-8")
    missing = ludoglot("play", "chess", *BOTS, "--from", short, "--game", "3")
    assert missing.code == 1 and "The last one is 2." in missing.err
    assert ludoglot("play", "chess", *BOTS, "--game", "2").code == 2


@pytest.mark.long
def test_a_file_sets_the_size_of_the_board(ludoglot, tmp_path):
    save = tmp_path / "a.ludoglot"
    text = "(;FF[4]GM[1]SZ[19];B[pd];W[dp])"
    assert ludoglot("play", "go", *BOTS, "--from", text, "--save", save, "--max-rounds", "1").code == 0
    written = ludoglot("replay", save, "--notation", "-").out
    assert "SZ[19]" in written and ";B[pd] ;W[dp]" in written
    found = ludoglot("play", "go", *BOTS, "--from", text, "--option", "points_a_side=13")
    assert found.code == 1 and "SZ[19]" in found.err and "--option points_a_side=19" in found.err
    komi = ludoglot("play", "go", *BOTS, "--from", "(;SZ[9]KM[0.5];B[ee])")
    assert komi.code == 1 and "KM[0.5]" in komi.err and "7.5" in komi.err


@pytest.mark.long
@pytest.mark.parametrize(("given", "lines"), [
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", 48),        # positions with published counts
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 ;D1 14 ;D2 191", 14),
    ("1. e4 e5 *", 29),
])
def test_lines_are_counted_from_a_position_or_a_game(ludoglot, given, lines):
    found = ludoglot("count", "chess", "--from", given, "--depth", "1", "--json")
    assert found.code == 0 and json.loads(found.out)["counts"][0]["lines"] == lines


def test_a_different_komi_suggests_a_house_rule(ludoglot, tmp_path):
    (tmp_path / "low.sgf").write_text("(;SZ[9]KM[0.5];B[ee])", encoding="utf-8")
    said = ludoglot("play", "go", "--from", tmp_path / "low.sgf", "--plain")
    assert said.code == 1 and "use house rules with “set: {komi: 0}”" in said.err
    (tmp_path / "low.yaml").write_text("house: low\nfor: go\nset: {komi: 0}\n", encoding="utf-8")
    assert ludoglot("play", "go", "--from", tmp_path / "low.sgf", "--plain", "--pack", tmp_path / "low.yaml").code == 0


@pytest.mark.long
def test_a_typed_move_can_have_a_number_and_any_case(ludoglot):
    typed = "1. e2e4\n1. ... E7-E5\n2.Nf3\n2… nc6\n"
    said = ludoglot("play", "chess", "--seats", "human,human", "--plain", typed=typed)
    for origin, target in (("e2", "e4"), ("e7", "e5"), ("g1", "f3"), ("b8", "c6")):
        assert f"moves from {origin} to {target}." in said.out
