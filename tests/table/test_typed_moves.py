"""Checks moves in the notation of each game: several in a line, and with the letters of each language."""

from __future__ import annotations

import pytest
from ludoglot.engine.notation.match_notation import write_game

from .terminal_harness import HUMAN, Desk


def play_typed_moves(game: str, *typed: str, lang: str = "en", seed: int = 1) -> list[str]:
    """Returns the decisions of a match after these lines."""
    desk = Desk(game, [HUMAN, HUMAN], typed=list(typed), lang=lang, seed=seed)
    desk.run()
    return [step.option.spelling for step in desk.table.steps if not step.auto]


@pytest.mark.parametrize("line", ["24/23 24/22", "24/23, 24/22", "24-23 24-22", "24/23* 24/22"])
def test_both_moves_of_a_roll_can_be_typed_in_one_line(line):
    """Black begins with 1 and 2. Each player counts the points from the end of their own race."""
    assert play_typed_moves("backgammon", line) == ["origin=p1 pips=1", "origin=p1 pips=2"]


def test_impossible_second_half_move_is_asked_again():
    assert play_typed_moves("backgammon", "24/23") == ["origin=p1 pips=1"]
    assert play_typed_moves("backgammon", "24/23 24/21") == ["origin=p1 pips=1"]
    assert play_typed_moves("backgammon", "24/20 24/22") == []


@pytest.mark.parametrize("line", ["24/21", "24/23/21", "24–21", "24/21 8/7"])
def test_the_steps_of_one_checker_are_typed_as_one_move(line):
    """Both orders of the dice lead to the same position. If a part is no longer possible, the question comes again."""
    found = play_typed_moves("backgammon", line)
    assert sorted(found[:2]) == ["origin=p1 pips=1", "origin=p2 pips=2"] and len(found) == 2


def test_equal_moves_are_typed_once_with_their_number():
    assert play_typed_moves("backgammon", "24/23(2)") == ["origin=p1 pips=1"], "there is one 1 on the dice"
    four_ones = play_typed_moves("backgammon", "1", "1", "8/7(2) 6/5(2)", seed=12)[2:]
    assert four_ones == ["origin=p8 pips=1", "origin=p8 pips=1", "origin=p6 pips=1", "origin=p6 pips=1"]
    assert play_typed_moves("backgammon", "1", "1", "6/4(2)", seed=12)[2:] == ["origin=p6 pips=1", "origin=p5 pips=1"] * 2


@pytest.mark.parametrize("line", ["24/9", "24/", "/21", "24/21/23/21/20/19", "24/23(0)", "(2)", "24/23(9)"])
def test_impossible_chain_plays_nothing(line):
    assert play_typed_moves("backgammon", line) == []


@pytest.mark.parametrize("lang, knight, command", [
    ("en", "Nf3", "moves"), ("it", "Cf3", "mosse"), ("es", "Cf3", "jugadas"), ("hu", "Hf3", "lépések")])
def test_moves_of_chess_are_typed_and_listed_with_the_letters_of_the_language(lang, knight, command):
    desk = Desk("chess", [HUMAN, HUMAN], typed=[knight, "d5", knight.replace("f3", "g1"), "e5", command], lang=lang)
    desk.run()
    assert f"1. {knight} d5" in desk.text and f"2. {knight.replace('f3', 'g1')} e5" in desk.text


def status_lines(desk):
    return [next(line for line in reversed(screen.lines) if line.startswith("── ")) for screen in desk.screens]


def test_line_above_the_question_has_the_last_moves():
    desk = Desk("chess", [HUMAN, HUMAN], typed=["e4", "d5", "exd5", "undo", "e5", "h6"], lang="hu")
    desk.run()
    assert [line.rpartition(" · ")[2] for line in status_lines(desk)[1:]] == [
        "1. e4", "1. e4 d5", "2. exd5", "1. e4 d5", "2. e5", "2. e5 h6"]
    desk = Desk("go", [HUMAN, HUMAN], typed=["e5"])
    desk.run()
    assert "ee" not in desk.text, "letters that only files use"


def test_moves_of_one_turn_have_one_number_and_the_name_of_their_player():
    desk = Desk("backgammon", [HUMAN, HUMAN], typed=["1", "1", "1", "moves"], names=["Ann", "Ben"], seed=11)
    desk.run()
    assert desk.screens[-1].lines[-2:] == ("1. Ben: 24/23 23/18", "2. Ann: 6/5")
    assert status_lines(desk)[-1].endswith(" · Ann: 6/5")


@pytest.mark.parametrize("lang, typed, origin", [("it", "Nf3", "g1"), ("hu", "Nf3", "g1"), ("en", "g1f3", "g1"), ("es", "e4", "e2")])
def test_standard_letters_and_coordinates_are_accepted(lang, typed, origin):
    assert play_typed_moves("chess", typed, lang=lang)[0].startswith(f"origin={origin} ")


def test_piece_letters_follow_the_language():
    """R is the king in Italian: after e4 e5, Re2 moves the king to e2, and never a rook."""
    assert play_typed_moves("chess", "e4", "e5", "Re2", lang="it")[-1] == "origin=e1 target=e2"
    assert len(play_typed_moves("chess", "h4", "e5", "Rh2", lang="it")) == 2


def test_move_without_its_new_piece_asks_for_the_piece():
    typed = ["h4", "a5", "h5", "a4", "h6", "a3", "hxg7", "Nc6", "gxh8", "knight", "moves"]
    assert play_typed_moves("chess", *typed)[8:] == ["origin=g7 target=h8", "kind=knight"]
    assert play_typed_moves("chess", *typed[:8], "gxf8=K") == play_typed_moves("chess", *typed[:8]), "a king is no new piece"


def test_written_game_uses_standard_letters():
    desk = Desk("chess", [HUMAN, HUMAN], typed=["Cf3"], lang="it")
    desk.run()
    assert "1. Nf3" in write_game(desk.table)


def test_game_without_notation_is_reported():
    desk = Desk("trias", [HUMAN, "bot:random"], typed=["moves"])
    desk.run()
    assert "This game has no notation for its moves. Type “log” to see them in sentences." in " ".join(desk.text.split())


@pytest.mark.parametrize("rename", [str, str.upper])
def test_open_board_place_accepts_label_or_coordinates(rename):
    desk = Desk("trias", [HUMAN, HUMAN], seed=1, typed=[""])
    desk.run()
    board = desk.table.game.model.boards["ocean"]
    option = desk.table.position.decision.options[2]
    [(_, _, cell)] = option.values
    coordinates, label = option.spelling.partition("=")[2], board.open_cell_label(cell)
    assert label != coordinates and f" {coordinates} " not in desk.screens[-1].text
    for typed in (rename(label), coordinates):
        assert play_typed_moves("trias", "", typed)[:1] == [option.spelling]
