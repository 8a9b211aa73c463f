"""Checks the menu that `ludoglot` without arguments shows on a terminal."""

from __future__ import annotations

import io
import sys

import pytest
from ludoglot.engine.commands.main import main

from .conftest import find_save


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def run_menu(monkeypatch, text: str) -> str:
    out = Terminal()
    monkeypatch.setattr(sys, "stdin", Terminal(text))
    monkeypatch.setattr(sys, "stdout", out)
    assert main([]) == 0
    return out.getvalue()


@pytest.mark.long
def test_changing_the_language_and_playing_a_game(monkeypatch, ludoglot):
    said = run_menu(monkeypatch, "4\nmagyar\njáték\nnégy\n\n\n\nd1\nkilépés\n5\n")
    assert "hová ejted a korongodat" in said and "Mentett játék folytatása" in said


@pytest.mark.long
def test_reading_rules_and_resuming_the_last_game(monkeypatch, ludoglot):
    said = run_menu(monkeypatch, "read\nhex\n\nplay\ntic\n\n\n\nquit\n2\nquit\nx\n\n")
    assert "2 players" in said and said.count("where do you put your mark?") == 2


@pytest.mark.long
def test_players_can_have_names_and_languages(monkeypatch, ludoglot):
    said = run_menu(monkeypatch, "1\ntic\nAnna\nPiero\n2\nhu\nitaliano\na1\nquit\nquit\n")
    assert "Anna, hová teszed a jeledet?" in said and "Piero, dove metti" in said


@pytest.mark.long
def test_the_language_of_all_players_is_one_question(monkeypatch, ludoglot):
    said = run_menu(monkeypatch, "1\ntic\nAnna\nPiero\n\na1\nquit\nquit\n")
    assert said.count("Which language") == 1 and "Language for" not in said
    assert "English for everybody" in said and "Piero, where do you put" in said


@pytest.mark.long
def test_seats_without_a_name_are_bots(monkeypatch, ludoglot):
    said = run_menu(monkeypatch, "play\nconnect\nAnna\n\n\na1\nquit\nquit\n")
    assert said.count("Anna, ") >= 2 and "Type “help”" in said


@pytest.mark.long
def test_the_bots_are_chosen_and_named(monkeypatch, ludoglot, save_folder):
    said = run_menu(monkeypatch, "play\ntrias\n4\nAnna\n\n\n\n6\n5\n1\n\n\nquit\nquit\n")
    path = find_save(save_folder)
    assert '"seats":["human","bot:random","bot:greedy","bot:greedy"]' in path.read_text(encoding="utf-8").splitlines()[0], said
    assert "The computer plays Player 3 and Player 4 and looks one step ahead (bot:greedy)." in " ".join(said.split())
    assert "The computer plays Player 2 and chooses at random (bot:random)." in " ".join(said.split())


def test_a_single_bot_can_play_at_random(monkeypatch, ludoglot, save_folder):
    said = run_menu(monkeypatch, "play\nconnect\nAnna\n\n5\nquit\nquit\n")
    assert "To continue it, choose “Resume a saved game”." in " ".join(said.split()) and "--resume" not in said
    path = find_save(save_folder)
    assert '"seats":["human","bot:random"]' in path.read_text(encoding="utf-8").splitlines()[0]


@pytest.mark.long
def test_a_variant_is_chosen_and_played(monkeypatch, ludoglot, save_folder):
    said = run_menu(monkeypatch, "1\ntrias\n2\nAnna\n\n\nfirst\nthe player\n\nquit\nquit\n")
    path = find_save(save_folder)
    assert '"starter":"first_seat"' in path.read_text(encoding="utf-8").splitlines()[0], said


@pytest.mark.long
def test_an_invalid_number_of_players_is_asked_again(monkeypatch, ludoglot):
    said = run_menu(monkeypatch, "1\ntrias\n9\nzwei\n2\nAnna\n\n\n\nquit\nquit\n")
    assert "“9” is not valid. Type a number from 2 to 5." in said and "“zwei” is not valid" in said and "Anna" in said


@pytest.mark.long
@pytest.mark.parametrize("lang, game, chapters, sentence, back", [
    ("en", "tic", "1 Components 2 How to play 3 End of the game 4 Examples 5 Index",
     "The players take turns placing one mark on a free square. [TTT-TURN-01]", "go back> "),
    ("it", "tris", "1 Componenti 2 Come si gioca 3 Fine della partita 4 Esempi",
     "A turno ogni giocatore mette un segno in una casella libera. [TTT-TURN-01]", "indietro> "),
    ("es", "tres", "1 Componentes 2 Cómo se juega 3 Final de la partida 4 Ejemplos 5 Índice alfabético",
     "Por turnos, cada jugador pone una marca en una casilla libre. [TTT-TURN-01]", "volver> "),
    ("hu", "tic", "1 A játék tartozékai 2 A játék menete 3 A játék vége 4 Példák",
     "A játékosok felváltva egy-egy jelet tesznek egy szabad mezőre. [TTT-TURN-01]", "visszalépéshez> ")])
def test_the_rulebook_is_in_the_language_of_the_menu(monkeypatch, ludoglot, lang, game, chapters, sentence, back):
    monkeypatch.setenv("LC_ALL", lang)
    listed, chapter, again, _ = (" ".join(part.split()) for part in run_menu(monkeypatch, f"3\n{game}\n2\n\n\n7\n").split(back))
    assert chapters in listed
    assert sentence in chapter and "TTT-END" not in chapter
    assert chapters in again, "an empty line must show the chapters again"


@pytest.mark.long
def test_chapters_are_chosen_by_title_until_an_empty_line(monkeypatch, ludoglot):
    said = run_menu(monkeypatch, "read\ndominant\nGlaciation\nxyzzy\n\n\nquit\n")
    assert "Glaciation\n\n" in said and "The rulebook has no chapter “xyzzy”." in said and said.rstrip().endswith("Your choice>")


@pytest.mark.long
def test_a_chapter_longer_than_the_screen_lists_its_parts(monkeypatch, ludoglot):
    said = run_menu(monkeypatch, "read\ntrias\n4\n4.1\n\n\nquit\n")
    chapter, part = said.split("go back> ")[1:3]
    assert " ".join(chapter.split()).startswith("4 End of the game 4.1 Last turn 4.2 Final scoring "
                                               "4.2.1 Examples of the final scoring 4.3 The winner Which chapter")
    assert part.splitlines()[1] == "4.1  Last turn" and len(part.splitlines()) > 5


def test_the_help_page_is_shown_without_a_terminal(ludoglot):
    assert "Write games:" in ludoglot().out


@pytest.mark.long
def test_one_of_several_saved_games_is_resumed(monkeypatch, ludoglot, save_folder):
    ludoglot("play", "tic-tac-toe", "--seats", "human,human", "--names", "Anna,Piero", typed="a1\n")
    ludoglot("play", "hex", "--seats", "human,bot:random", "--names", "Bea", typed="a1\n")
    ludoglot("play", "tic-tac-toe", "--seats", "human,human", typed="a1\na2\nb1\nb2\nc1\n")       # over: not offered
    said = run_menu(monkeypatch, "2\ntic\nb2\nquit\nquit\n")
    assert "1  Hex: Bea, 2 decisions, " in said and "2  Tic-tac-toe: Anna and Piero, 1 decision, " in said and "  3  Tic" not in said
    assert "Piero puts a mark on b2." in said


def test_a_sentence_reports_that_no_saved_game_exists(monkeypatch, ludoglot, capsys):
    run_menu(monkeypatch, "2\nquit\n")
    assert "no saved game" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.parametrize("lang, beginning, named", [
    ("en", "first", ["First placement: drawn by lot", "the player in the first seat", "Starting on the South Pole: yes"]),
    ("it", "primo", ["Primo a piazzare: estratto a sorte", "chi siede al primo posto", "Inizio sul Polo Sud: sì"]),
    ("es", "qui", ["Quién coloca primero: por sorteo", "quien se sienta en primer lugar", "Inicio en el Polo Sur: sí"]),
    ("hu", "ki", ["Ki rak le elsőként: sorsolás dönti el", "aki az első helyen ül", "Kezdés a Déli-sarkon: igen"])])
def test_values_of_options_are_in_the_language_of_the_menu(monkeypatch, ludoglot, lang, beginning, named):
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("LC_ALL", lang)
    said = run_menu(monkeypatch, f"1\ntrias\n2\nAnna\n\n\n{beginning}\n2\n\n")
    assert [words for words in named if words not in said] == []
    assert f"{named[0].split(': ')[0]}: {named[1]}" in said         # next to the name of the variant, after the choice
    assert [value for value in (": lot", ": same", ": own", "true", "first_seat  ", "first_seat\n") if value in said] == []


@pytest.mark.long
def test_the_menu_starts_a_game_with_explanations(monkeypatch):
    said = run_menu(monkeypatch, "6\nplay\ntrias\n2\nAnna\n\n\n\nquit\nquit\n")
    assert "Play without explanations from now on" in said
    assert "Each new kind of question is explained once" in said
    said = run_menu(monkeypatch, "play\ntrias\n2\nAnna\n\n\n\nquit\nquit\n")
    assert "Each new kind of question is explained once" not in said


@pytest.mark.long
def test_a_resumed_game_uses_the_language_of_the_menu(monkeypatch, ludoglot):
    """The game does not return to the language in which it was left."""
    said = run_menu(monkeypatch, "play\ntic\n\n\n\nquit\n4\nitaliano\n2\nesci\n7\n")
    assert said.count("where do you put your mark?") == 1 and "dove metti il tuo segno?" in said


@pytest.mark.parametrize("name, earlier, later", [("español", "Ajedrez", "Backgammon"), ("italiano", "Mulino", "Scacchi")])
def test_games_are_sorted_by_their_translated_names(monkeypatch, name, earlier, later):
    said = run_menu(monkeypatch, f"4\n{name}\n1\n\n7\n")
    assert earlier in said and later in said and said.index(earlier) < said.index(later)


def test_an_empty_line_at_the_menu_is_not_an_error(monkeypatch):
    assert "not in the list" not in run_menu(monkeypatch, "\n\nquit\n") and "not in the list" in run_menu(monkeypatch, "x\nquit\n")


@pytest.mark.long
def test_a_game_is_found_by_its_translated_name(ludoglot):
    beginning = "play", "briscola", "--seats", "human,human", "--seed", "1", "--lang"
    assert ludoglot(*beginning, "it", typed="esci\n").code == 0
    assert ludoglot(*beginning, "en", typed="quit\n").code == 2
