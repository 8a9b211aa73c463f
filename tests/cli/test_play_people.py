"""Checks the line-based prompt for people: answers, commands, undo, quitting, and resuming."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time

import pytest
from save_fixtures import unchained
from tmp_files import filled

from .conftest import COMMAND, find_save

TWO_PEOPLE = ("--seats", "human,human", "--seed", "1")
WINNING_MOVES = "a1\na2\nb1\nb2\nc1\n"


def test_a_game_can_be_played_to_its_end(ludoglot):
    said = ludoglot("play", "tic-tac-toe", *TWO_PEOPLE, typed=WINNING_MOVES)
    assert said.code == 0 and "Cross wins." in said.out and "where do you put your mark?" in said.out


def test_answers_can_be_numbers_prefixes_or_spellings(ludoglot):
    said = ludoglot("play", "tic-tac-toe", *TWO_PEOPLE, typed="1\ncell=a2\nB1\n b2 \nc1\n")
    assert "Cross wins." in said.out


def test_ambiguous_and_unknown_answers_are_explained(ludoglot):
    said = ludoglot("play", "tic-tac-toe", *TWO_PEOPLE, typed="a\nz9\n42\n" + WINNING_MOVES)
    assert "“a” matches 3 options:\n  1  a1\n  4  a2\n  7  a3\n" in said.out
    assert "“z9” is not one of the options" in said.out and "no option 42" in said.out
    assert "Cross wins." in said.out


@pytest.mark.parametrize("lang, words, wins", [
    ("en", "help board log undo", "Anna wins."), ("hu", "súgó tábla napló vissza", "Anna nyert."),
    ("it", "aiuto tabellone cronaca annulla", "Vince Anna."), ("es", "ayuda tablero crónica deshacer", "Gana Anna."),
])
def test_commands_work_in_the_language_and_in_english(ludoglot, lang, words, wins):
    typed = "".join(f"{word}\n" for word in [*words.split(), "help", "board", "log", "?", "save"])
    said = ludoglot("play", "tic-tac-toe", *TWO_PEOPLE, "--names", "Anna,Piero", "--lang", lang, typed=typed + WINNING_MOVES)
    assert said.code == 0 and wins in said.out and ".rules" not in said.out      # file names are for authors, not for players
    assert "“" not in said.out or lang == "en"


def test_each_seat_can_change_its_language_at_the_prompt(ludoglot):
    said = ludoglot("play", "tic-tac-toe", *TWO_PEOPLE, "--langs", "it,es", typed="lang hu\na1\n")
    assert "dove metti" in said.out and "hová teszed" in said.out and "¿dónde pones" in said.out


@pytest.mark.long
def test_undo_reverts_your_own_choice(ludoglot, save_folder, toys):
    said = ludoglot("play", toys / "masquerade", "--players", "2", "--seats", "human,bot:random", "--seed", "7", typed="1\nundo\n")
    assert "Undone" in said.out
    assert len(unchained(find_save(save_folder))) == 1


def test_undo_also_reverts_answers_of_bots(ludoglot, save_folder):
    said = ludoglot("play", "tic-tac-toe", "--seats", "human,bot:random", "--seed", "3", typed="a1\nundo\n")
    assert "Undone: a1." in said.out and said.out.count("Undone") == 1
    assert len(unchained(find_save(save_folder))) == 1


def test_undo_at_a_shared_screen_reverts_the_last_choice_of_any_seat(ludoglot, save_folder):
    said = ludoglot("play", "tic-tac-toe", *TWO_PEOPLE, typed="undo\na1\nb1\nundo\nundo\nundo\nc3\n")
    assert said.out.count("nothing to undo") == 2
    assert "Undone: b1." in said.out and "Undone: a1." in said.out
    assert unchained(find_save(save_folder))[1]["option"] == "cell=c3"


def test_a_number_can_be_typed_with_its_brackets(ludoglot, save_folder):
    ludoglot("play", "tic-tac-toe", *TWO_PEOPLE, typed="[5]\n")
    assert unchained(find_save(save_folder))[1]["option"] == "cell=b2"


@pytest.mark.parametrize("typed", ["die 5, die 3, die 1\n", "5, 3, 1\n", "5 3 1\n", "5\n3\n1\n", "again=die_5; die 3\nDie 1 (6)\n"])
def test_the_members_of_a_set_can_be_typed_in_any_order(ludoglot, save_folder, typed):
    dice = ("play", "yacht", "--players", "1", "--seats", "human", "--seed", "4")
    said = ludoglot(*dice, typed=typed + "5\nLeave the other dice as they are\n")
    assert "die 5.\n  It has already been chosen." in said.out and "roll 3 of 3" in said.out
    assert [line["option"] for line in unchained(find_save(save_folder))[1:]] == ["again=die_5", "again=die_3", "again=die_1", "decline"]


def test_undo_reverts_a_line_of_members_at_once(ludoglot, save_folder):
    ludoglot("play", "yacht", "--players", "1", "--seats", "human", "--seed", "4", typed="5, 3, 1\nundo\n4, 2\n")
    assert [line["option"] for line in unchained(find_save(save_folder))[1:]] == ["again=die_4", "again=die_2"]


def test_a_card_shows_each_attribute_once(ludoglot):
    said = ludoglot("play", "brisca", *TWO_PEOPLE, typed="look three of swords\n")
    assert said.out.count("Rank: three") == 1


def test_undo_in_a_hidden_game_is_refused_after_another_person_decides(ludoglot, toys):
    said = ludoglot("play", toys / "parry", "--seats", "human,human", "--seed", "2", typed="pass\npass\nundo\n")
    assert "can no longer undo this" in said.out


def test_undo_is_allowed_if_all_opponents_are_bots(ludoglot, toys):
    alone = ludoglot("play", toys / "parry", "--seats", "human,bot:random", "--seed", "2", typed="1\nundo\n")
    assert "can no longer undo this" not in alone.out and "Undone: " in alone.out


@pytest.mark.long
def test_a_game_can_be_left_and_resumed(ludoglot, save_folder):
    first = ludoglot("play", "tic-tac-toe", *TWO_PEOPLE, "--names", "Anna,Piero", typed="a1\na2\nb1\n")
    assert first.code == 0 and "ludoglot play --resume" in first.out
    second = ludoglot("play", "--resume", typed="quit\n")
    assert second.code == 0 and "b1" in second.out and "Piero" in second.out
    third = ludoglot("play", "--resume", find_save(save_folder), typed="b2\nc1\n")
    assert "Anna wins." in third.out
    assert len(unchained(find_save(save_folder))) == 6


def test_a_save_has_one_json_object_per_line(ludoglot, save_folder, tmp_path):
    ludoglot("play", "tic-tac-toe", *TWO_PEOPLE, "--save", tmp_path / "mine.save", typed="a1\n")
    head, copy, line = (json.loads(part) for part in (tmp_path / "mine.save").read_text(encoding="utf-8").splitlines())
    assert head == copy and head["ludoglot"] == 2 and head["game"] == "tic-tac-toe" and head["seed"] == 1 and len(head["rules"]) == 16
    assert {key: line[key] for key in ("seat", "key", "option")} == {"seat": 0, "key": "game.cell", "option": "cell=a1"}
    assert not save_folder.exists()


def test_resuming_with_different_rules_is_refused(ludoglot, orchard, save_folder):
    ludoglot("play", orchard, *TWO_PEOPLE, typed="harvest\n")
    rules = orchard / "orchard.rules"
    rules.write_text(rules.read_text(encoding="utf-8").replace(">= 6", ">= 9"), encoding="utf-8")
    said = ludoglot("play", "--resume", find_save(save_folder))
    assert said.code == 1 and "different rules" in said.err


@pytest.mark.long
def test_an_incomplete_last_line_is_dropped_but_other_damage_is_reported(ludoglot, save_folder):
    ludoglot("play", "tic-tac-toe", *TWO_PEOPLE, typed="a1\na2\n")
    path = find_save(save_folder)
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    said = ludoglot("play", "--resume", typed="a2\nb1\nb2\nc1\n")
    assert "Cross wins." in said.out
    path.write_bytes(whole.replace(b'"seat":0', b'"seat":', 1))
    said = ludoglot("play", "--resume")
    assert said.code == 1 and "line 3" in said.err


def test_resuming_without_a_saved_game_is_an_error(ludoglot):
    said = ludoglot("play", "--resume")
    assert said.code == 1 and "no saved game" in said.err


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="kills a process")
def test_a_killed_game_can_be_resumed(tmp_path, ludoglot):
    path = tmp_path / "killed.save"
    command = [*COMMAND, "play", "tic-tac-toe", *TWO_PEOPLE, "--save", path]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as game:
        assert game.stdin is not None
        game.stdin.write(b"a1\na2\nb1\n")
        game.stdin.flush()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and (not path.exists() or len(path.read_bytes().splitlines()) < 5):
            time.sleep(0.02)
        os.kill(game.pid, signal.SIGKILL)
    said = ludoglot("play", "--resume", path, typed="b2\nc1\n")
    assert "Cross wins." in said.out


def test_visible_cards_are_described(ludoglot, translated_orchard):
    said = ludoglot("play", translated_orchard, *TWO_PEOPLE, "--lang", "hu", typed="cards\n")
    assert "Vegyél el 3 almát." in said.out


def test_a_hidden_hand_is_not_shown_to_the_opponent(ludoglot, toys):
    said = ludoglot("play", toys / "parry", "--seats", "human,bot:random", "--seed", "2", typed="board\n")
    assert "3 hidden" in said.out


RESCUE_GAME = {
    "game.yaml": """
game: rescue
name: Rescue
players: 1
rules: [rescue.rules]
enums:
  Player: {members: {anna: {name: Anna}}}
  Deed: {name: deed, members: {stone: {name: save a stone}, leaf: {name: save a leaf}, rest: {name: help}}}
""",
    "rescue.rules": """
state done[Deed]: bool
phase game:
    rounds of player in Player until all(deed in Deed: done[deed]):
        choose deed in Deed where not done[deed] by player or stop
        done[deed] = true
standing player: 1
"""}


def test_options_take_precedence_over_commands_with_the_same_start(ludoglot, tmp_path, monkeypatch):
    """In Hungarian, a move that rescues a herd of Trias begins with the word for saving the game."""
    filled(tmp_path, RESCUE_GAME)
    monkeypatch.chdir(tmp_path)
    said = ludoglot("play", tmp_path, "--seats", "human", typed="save\n/save\nsave a l\nsave\nhelp\nquit\n").out
    answers = [part.strip() for part in said.split("Your choice>")[1:]]
    assert "Some options begin with “save”" in answers[0] and "“/save”" in answers[0] and "save a leaf" in answers[0]
    assert "Game saved in" in answers[1]
    assert "save a leaf" in answers[2] and not (tmp_path / "a l").exists(), "a longer prefix of an option must mean the option"
    assert "Some options begin with “save”" in answers[3]                # only part of a move: nothing happens yet
    assert "You can type" not in said                          # `help` was a complete move
