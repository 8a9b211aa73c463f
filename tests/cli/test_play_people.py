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

from .conftest import COMMAND, save_of

ALONE = ("--seats", "human,human", "--seed", "1")
WIN = "a1\na2\nb1\nb2\nc1\n"


def test_a_game_to_its_end(ludoglot):
    said = ludoglot("play", "tic-tac-toe", *ALONE, typed=WIN)
    assert said.code == 0 and "Cross wins." in said.out and "where do you put your mark?" in said.out


def test_answers_may_be_numbers_beginnings_or_spellings(ludoglot):
    said = ludoglot("play", "tic-tac-toe", *ALONE, typed="1\ncell=a2\nB1\n b2 \nc1\n")
    assert "Cross wins." in said.out


def test_a_beginning_that_fits_two_and_one_that_fits_none(ludoglot):
    said = ludoglot("play", "tic-tac-toe", *ALONE, typed="a\nz9\n42\n" + WIN)
    assert "“a” matches 3 options:\n  1  a1\n  4  a2\n  7  a3\n" in said.out
    assert "“z9” is not one of the options" in said.out and "no option 42" in said.out
    assert "Cross wins." in said.out


@pytest.mark.parametrize("lang, words, wins", [
    ("en", "help board log undo", "Anna wins."), ("hu", "súgó tábla napló vissza", "Anna nyert."),
    ("it", "aiuto tabellone cronaca annulla", "Vince Anna."), ("es", "ayuda tablero crónica deshacer", "Gana Anna."),
])
def test_words_of_the_language_and_english_ones(ludoglot, lang, words, wins):
    typed = "".join(f"{word}\n" for word in [*words.split(), "help", "board", "log", "?", "save"])
    said = ludoglot("play", "tic-tac-toe", *ALONE, "--names", "Anna,Piero", "--lang", lang, typed=typed + WIN)
    assert said.code == 0 and wins in said.out and ".rules" not in said.out      # file names are for authors, not for players
    assert "“" not in said.out or lang == "en"


def test_the_language_can_be_changed_at_the_prompt_and_differ_by_seat(ludoglot):
    said = ludoglot("play", "tic-tac-toe", *ALONE, "--langs", "it,es", typed="lang hu\na1\n")
    assert "dove metti" in said.out and "hová teszed" in said.out and "¿dónde pones" in said.out


@pytest.mark.long
def test_undo_takes_back_the_own_choice(ludoglot, own_folders, toys):
    said = ludoglot("play", toys / "masquerade", "--players", "2", "--seats", "human,bot:random", "--seed", "7", typed="1\nundo\n")
    assert "Undone" in said.out
    assert len(unchained(save_of(own_folders))) == 1


def test_undo_takes_back_what_only_bots_have_answered(ludoglot, own_folders):
    said = ludoglot("play", "tic-tac-toe", "--seats", "human,bot:random", "--seed", "3", typed="a1\nundo\n")
    assert "Undone: a1." in said.out and said.out.count("Undone") == 1
    assert len(unchained(save_of(own_folders))) == 1


def test_at_one_screen_the_last_choice_is_taken_back_whoever_made_it(ludoglot, own_folders):
    said = ludoglot("play", "tic-tac-toe", *ALONE, typed="undo\na1\nb1\nundo\nundo\nundo\nc3\n")
    assert said.out.count("nothing to undo") == 2
    assert "Undone: b1." in said.out and "Undone: a1." in said.out
    assert unchained(save_of(own_folders))[1]["option"] == "cell=c3"


def test_a_number_may_be_typed_as_it_stands_on_a_map(ludoglot, own_folders):
    ludoglot("play", "tic-tac-toe", *ALONE, typed="[5]\n")
    assert unchained(save_of(own_folders))[1]["option"] == "cell=b2"


@pytest.mark.parametrize("typed", ["die 5, die 3, die 1\n", "5, 3, 1\n", "5 3 1\n", "5\n3\n1\n", "again=die_5; die 3\nDie 1 (6)\n"])
def test_the_members_of_a_set_may_be_typed_in_any_order(ludoglot, own_folders, typed):
    dice = ("play", "yacht", "--players", "1", "--seats", "human", "--seed", "4")
    said = ludoglot(*dice, typed=typed + "5\nLeave the other dice as they are\n")
    assert "die 5.\n  It has already been chosen." in said.out and "roll 3 of 3" in said.out
    assert [line["option"] for line in unchained(save_of(own_folders))[1:]] == ["again=die_5", "again=die_3", "again=die_1", "decline"]


def test_a_line_of_members_is_taken_back_as_one(ludoglot, own_folders):
    ludoglot("play", "yacht", "--players", "1", "--seats", "human", "--seed", "4", typed="5, 3, 1\nundo\n4, 2\n")
    assert [line["option"] for line in unchained(save_of(own_folders))[1:]] == ["again=die_4", "again=die_2"]


def test_what_is_printed_on_a_card_is_told_once(ludoglot):
    said = ludoglot("play", "brisca", *ALONE, typed="look three of swords\n")
    assert said.out.count("Rank: three") == 1


def test_undo_of_hands_is_refused_when_another_person_has_decided(ludoglot, toys):
    said = ludoglot("play", toys / "parry", "--seats", "human,human", "--seed", "2", typed="pass\npass\nundo\n")
    assert "can no longer undo this" in said.out


def test_undo_is_refused_after_something_was_learned_unless_only_bots_play_along(ludoglot, toys):
    alone = ludoglot("play", toys / "parry", "--seats", "human,bot:random", "--seed", "2", typed="1\nundo\n")
    assert "can no longer undo this" not in alone.out and "Undone: " in alone.out


@pytest.mark.long
def test_leaving_and_going_on(ludoglot, own_folders):
    first = ludoglot("play", "tic-tac-toe", *ALONE, "--names", "Anna,Piero", typed="a1\na2\nb1\n")
    assert first.code == 0 and "ludoglot play --resume" in first.out
    second = ludoglot("play", "--resume", typed="quit\n")
    assert second.code == 0 and "b1" in second.out and "Piero" in second.out
    third = ludoglot("play", "--resume", save_of(own_folders), typed="b2\nc1\n")
    assert "Anna wins." in third.out
    assert len(unchained(save_of(own_folders))) == 6


def test_a_save_is_lines_of_json(ludoglot, own_folders, tmp_path):
    ludoglot("play", "tic-tac-toe", *ALONE, "--save", tmp_path / "mine.save", typed="a1\n")
    head, copy, line = (json.loads(part) for part in (tmp_path / "mine.save").read_text(encoding="utf-8").splitlines())
    assert head == copy and head["ludoglot"] == 2 and head["game"] == "tic-tac-toe" and head["seed"] == 1 and len(head["rules"]) == 16
    assert {key: line[key] for key in ("seat", "key", "option")} == {"seat": 0, "key": "game.cell", "option": "cell=a1"}
    assert not own_folders.exists()


def test_going_on_with_other_rules_is_refused(ludoglot, orchard, own_folders):
    ludoglot("play", orchard, *ALONE, typed="harvest\n")
    rules = orchard / "orchard.rules"
    rules.write_text(rules.read_text(encoding="utf-8").replace(">= 6", ">= 9"), encoding="utf-8")
    said = ludoglot("play", "--resume", save_of(own_folders))
    assert said.code == 1 and "different rules" in said.err


@pytest.mark.long
def test_half_a_line_at_the_end_is_dropped_and_damage_before_it_told(ludoglot, own_folders):
    ludoglot("play", "tic-tac-toe", *ALONE, typed="a1\na2\n")
    path = save_of(own_folders)
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    said = ludoglot("play", "--resume", typed="a2\nb1\nb2\nc1\n")
    assert "Cross wins." in said.out
    path.write_bytes(whole.replace(b'"seat":0', b'"seat":', 1))
    said = ludoglot("play", "--resume")
    assert said.code == 1 and "line 3" in said.err


def test_nothing_to_resume(ludoglot):
    said = ludoglot("play", "--resume")
    assert said.code == 1 and "no saved game" in said.err


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="kills a process")
def test_a_killed_game_goes_on_where_it_was(tmp_path, ludoglot):
    path = tmp_path / "killed.save"
    with subprocess.Popen([*COMMAND, "play", "tic-tac-toe", *ALONE, "--save", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as game:
        assert game.stdin is not None
        game.stdin.write(b"a1\na2\nb1\n")
        game.stdin.flush()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and (not path.exists() or len(path.read_bytes().splitlines()) < 5):
            time.sleep(0.02)
        os.kill(game.pid, signal.SIGKILL)
    said = ludoglot("play", "--resume", path, typed="b2\nc1\n")
    assert "Cross wins." in said.out


def test_cards_in_sight_are_read_out(ludoglot, translated):
    said = ludoglot("play", translated, *ALONE, "--lang", "hu", typed="cards\n")
    assert "Vegyél el 3 almát." in said.out


def test_a_hidden_hand_is_not_drawn_for_the_other(ludoglot, toys):
    said = ludoglot("play", toys / "parry", "--seats", "human,bot:random", "--seed", "2", typed="board\n")
    assert "3 hidden" in said.out


RESCUE = {
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


def test_where_options_begin_with_a_command_they_come_first(ludoglot, tmp_path, monkeypatch):
    """In Hungarian, a move that rescues a herd of Trias begins with the word for saving the game."""
    filled(tmp_path, RESCUE)
    monkeypatch.chdir(tmp_path)
    said = ludoglot("play", tmp_path, "--seats", "human", typed="save\n/save\nsave a l\nsave\nhelp\nquit\n").out
    answers = [part.strip() for part in said.split("Your choice>")[1:]]
    assert "Some options begin with “save”" in answers[0] and "“/save”" in answers[0] and "save a leaf" in answers[0]
    assert "Game saved in" in answers[1]
    assert "save a leaf" in answers[2] and not (tmp_path / "a l").exists(), "more of an option is the option"
    assert "Some options begin with “save”" in answers[3]                # only part of a move: nothing happens yet
    assert "You can type" not in said                          # `help` was a complete move
