"""Checks that saves resume with rules of the same meaning, and that a sentence explains every refusal.

Also checks which save `--resume` picks, and that only one program plays a save at a time.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time

import pytest
from ludoglot.engine.match.line_checksums import add_checksum, checksum_of
from ludoglot.engine.match.save_file import MatchSetup, SavedDecision, SaveFile, read_save
from ludoglot.engine.match.save_index import find_last_save, list_saved_games
from save_fixtures import chained, unchained

from .conftest import COMMAND, RULES, find_save

TWO_PEOPLE = ("--seats", "human,human", "--seed", "1")
TIC = ("play", "tic-tac-toe", *TWO_PEOPLE)
WINNING_MOVES = "a1\na2\nb1\nb2\nc1\n"


def change(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


# ------------------------------------------------------------ rules with the same meaning


def a_text_of_a_card(folder):
    change(folder / "game.yaml", "Take {apples} apples.", "Takes {apples} of the apples.")


def a_name(folder):
    change(folder / "game.yaml", "name: Harvest", "name: Reaping")


def a_message(folder):
    (folder / "messages.yaml").write_text('ask.game.card: "{who}: which card?"\n', encoding="utf-8")


def a_comment(folder):
    change(folder / "orchard.rules", "phase game:", "# Everybody takes apples.\n\nphase game:          # the whole of it")


def a_layout(folder):
    change(folder / "orchard.rules", "    rounds of", "\n\n    rounds   of")
    change(folder / "orchard.rules", "apples[player] += harvest.apples", "apples[player]+=harvest.apples")


def a_file(folder):
    (folder / "orchard.rules").rename(folder / "trees.rules")
    change(folder / "game.yaml", "orchard.rules", "trees.rules")


def two_files(folder):
    text = (folder / "orchard.rules").read_text(encoding="utf-8")
    head, standing, rest = text.partition("standing")
    (folder / "orchard.rules").write_text(head, encoding="utf-8")
    (folder / "end.rules").write_text(standing + rest, encoding="utf-8")
    change(folder / "game.yaml", "[orchard.rules]", "[orchard.rules, end.rules]")


def a_table(folder):
    (folder / "table.yaml").write_text("panels: [{counters: [apples]}]\n", encoding="utf-8")


@pytest.mark.parametrize("mended", [a_text_of_a_card, a_name, a_message, a_comment, a_layout, a_file, two_files, a_table])
def test_a_save_resumes_after_changes_without_effect(ludoglot, orchard, save_folder, mended):
    ludoglot("play", orchard, *TWO_PEOPLE, typed="1\n")
    mended(orchard)
    said = ludoglot("play", "--resume", typed="1\n")
    assert said.code == 0 and not re.search("error|Error", said.err), said.err
    assert len(read_save(find_save(save_folder))[1]) == 2
    assert ludoglot("replay", find_save(save_folder), "--verify").code == 0


@pytest.mark.long_cases("en", "hu")
@pytest.mark.parametrize("lang", ["en", "it", "es", "hu"])
def test_a_different_version_of_the_game_is_named(ludoglot, orchard, save_folder, lang):
    change(orchard / "game.yaml", "players:", "version: 4\nplayers:")
    ludoglot("play", orchard, *TWO_PEOPLE, typed="1\n")
    assert read_save(find_save(save_folder))[0].version == 4
    change(orchard / "game.yaml", "version: 4", "version: 5")
    said = ludoglot("play", "--resume", "--lang", lang, typed="1\n")
    assert said.code == 0 and re.search(r"\b4\b.*\b5\b", said.err, re.S), "a save with equal rules must resume and name both versions"
    a_number(orchard)
    before = find_save(save_folder).read_bytes()
    said = ludoglot("play", "--resume", "--lang", lang, typed="1\n")
    assert said.code == 1 and re.search(r"\b4\b.*\b5\b", said.err, re.S) and find_save(save_folder).read_bytes() == before


@pytest.mark.long
def test_versions_are_shown(ludoglot, orchard):
    change(orchard / "game.yaml", "players:", "version: 4\nplayers:")
    assert "Version 4" in ludoglot("show", orchard).out
    assert all(entry["version"] == 1 for entry in json.loads(ludoglot("games", "--json").out))


# ------------------------------------------------------------ changed rules


def a_number(folder):
    change(folder / "game.yaml", "apples: 3", "apples: 2")


def a_rule(folder):
    change(folder / "orchard.rules", ">= 6", "> 6")


def a_range(folder):
    change(folder / "orchard.rules", "0..99", "0..98")


def another_card(folder):
    change(folder / "game.yaml", "      rest:", "      prune: {name: Prune, apples: 1}\n      rest:")
    change(folder / "orchard.rules", "proc effect[rest]", "proc effect[prune](player): stop\nproc effect[rest]")


def a_scoring(folder):
    change(folder / "orchard.rules", "standing player: apples[player]", "standing player: -apples[player]")


@pytest.mark.long_cases("replay-a_rule")
@pytest.mark.parametrize("changed", [a_number, a_rule, a_range, another_card, a_scoring])
@pytest.mark.parametrize("command", ["play", "replay"])
def test_a_save_does_not_resume_after_changes_of_the_rules(ludoglot, orchard, save_folder, changed, command):
    ludoglot("play", orchard, *TWO_PEOPLE, typed="1\n")
    before = find_save(save_folder).read_bytes()
    changed(orchard)
    said = ludoglot("play", "--resume", typed="1\n") if command == "play" else ludoglot("replay", find_save(save_folder))
    assert said.code == 1 and "different rules" in said.err and "begin a new game" in said.err and said.out == ""
    assert find_save(save_folder).read_bytes() == before


def edit_header(path, **header):
    """Changes the header of a save, and its checksums to match."""
    head, *lines = unchained(path)
    path.write_bytes(chained([{**head, **header}, *lines]))


def test_a_changed_option_is_refused(ludoglot, orchard, save_folder):
    change(orchard / "game.yaml", "enums:", "options: {wet: {values: [false, true], default: false, text: Rain.}}\nenums:")
    change(orchard / "orchard.rules", "any(p in Player where apples[p] >= 6)", "any(p in Player where apples[p] >= (9 if wet else 6))")
    ludoglot("play", orchard, *TWO_PEOPLE, "--option", "wet=true", typed="1\n")
    assert ludoglot("play", "--resume", typed="").code == 0
    edit_header(find_save(save_folder), options={"wet": False})
    said = ludoglot("play", "--resume", typed="1\n")
    assert said.code == 1 and "different rules" in said.err
    edit_header(find_save(save_folder), options={"wet": True, "cold": True})  # this option no longer exists
    said = ludoglot("play", "--resume", typed="1\n")
    assert said.code == 1 and "different rules" in said.err


@pytest.mark.parametrize("option", ["--players 2", "--seats human,human", "--names Anna", "--option wet=true", "--seed 3", "--save x",
                                    "--no-auto"])
def test_flags_of_a_new_game_are_rejected_on_resume(ludoglot, option, save_folder):
    ludoglot(*TIC, typed="a1\n")
    said = ludoglot("play", "--resume", find_save(save_folder), *option.split())
    assert said.code == 2 and option.split()[0] in said.err and "cannot change in a saved game" in said.err


# ------------------------------------------------------------ house rules


def remove_pack_texts(save):
    """Removes the texts of house rules from a save, as in a save whose packs are too large."""
    head = json.loads(save.read_text(encoding="utf-8").splitlines()[0])
    edit_header(save, house=[{key: value for key, value in entry.items() if key != "files"} for entry in head["house"]])


@pytest.mark.long
def test_a_house_rule_is_applied_again(ludoglot, orchard, richer_pack, save_folder):
    ludoglot("play", orchard, *TWO_PEOPLE, "--pack", richer_pack, typed="1\n")
    said = ludoglot("play", "--resume", typed="harvest\n")
    assert said.code == 0 and " 5" in said.out
    change(richer_pack, "house: richer\n", "house: richer\n# A comment.\ntext: More for all.\n")
    assert ludoglot("play", "--resume", typed="").code == 0


@pytest.mark.long
def test_a_save_contains_its_house_rules(ludoglot, orchard, richer_pack, save_folder):
    ludoglot("play", orchard, *TWO_PEOPLE, "--pack", richer_pack, typed="1\n")
    before = ludoglot("replay", find_save(save_folder)).out
    change(richer_pack, "apples: 5", "apples: 4")
    said = ludoglot("replay", find_save(save_folder))
    assert said.code == 0 and said.out == before and "richer changed after" in said.err
    richer_pack.unlink()
    said = ludoglot("replay", find_save(save_folder))
    assert said.code == 0 and said.out == before and said.err == ""
    assert ludoglot("play", "--resume", typed="1\n").code == 0


@pytest.mark.long_cases("pack5")
@pytest.mark.parametrize("pack", [
    {"house.yaml": "house: richer\nfor: orchard\nset: {nonsense: 5}\n"}, {"house.yaml": "nothing at all"}, {"house.yaml": "{"},
    {"other.yaml": ""}, {"house.yaml": 5}, {}, [], 7, {"house.yaml": "x" * 70_000}, {"../house.yaml": "", "house.yaml": ""}])
def test_house_rules_in_a_save_are_checked(ludoglot, orchard, richer_pack, save_folder, pack):
    ludoglot("play", orchard, *TWO_PEOPLE, "--pack", richer_pack, typed="1\n")
    head = json.loads(find_save(save_folder).read_text(encoding="utf-8").splitlines()[0])
    edit_header(find_save(save_folder), house=[{**head["house"][0], "files": pack}])
    said = ludoglot("replay", find_save(save_folder))
    assert said.code == 1 and said.err and "Traceback" not in said.err


@pytest.mark.long
def test_a_changed_house_rule_is_named(ludoglot, orchard, richer_pack, save_folder):
    ludoglot("play", orchard, *TWO_PEOPLE, "--pack", richer_pack, typed="1\n")
    remove_pack_texts(find_save(save_folder))
    change(richer_pack, "apples: 5", "apples: 4")
    for command in (("play", "--resume"), ("replay", find_save(save_folder))):
        said = ludoglot(*command)
        assert said.code == 1 and "different rules" in said.err and "changed since then: richer." in said.err


@pytest.mark.long
def test_a_missing_house_rule_is_named_and_can_be_elsewhere(ludoglot, orchard, richer_pack, save_folder, tmp_path):
    ludoglot("play", orchard, *TWO_PEOPLE, "--pack", richer_pack, typed="1\n")
    remove_pack_texts(find_save(save_folder))
    richer_pack.rename(tmp_path / "moved.yaml")
    said = ludoglot("play", "--resume", typed="1\n")
    assert said.code == 1 and "richer" in said.err and str(richer_pack) in said.err and "--pack" in said.err
    assert ludoglot("replay", find_save(save_folder)).code == 1
    said = ludoglot("play", "--resume", find_save(save_folder), "--pack", tmp_path / "moved.yaml", typed="1\n")
    assert said.code == 0 and len(read_save(find_save(save_folder))[1]) == 2


@pytest.mark.long
def test_house_rules_cannot_be_added_or_removed(ludoglot, orchard, richer_pack, save_folder):
    ludoglot("play", orchard, *TWO_PEOPLE, typed="1\n")
    said = ludoglot("play", "--resume", find_save(save_folder), "--pack", richer_pack)
    assert said.code == 1 and "different rules" in said.err
    find_save(save_folder).unlink()
    ludoglot("play", orchard, *TWO_PEOPLE, "--pack", richer_pack, typed="1\n")
    edit_header(find_save(save_folder), house=[])
    said = ludoglot("play", "--resume")
    assert said.code == 1 and "different rules" in said.err


# ------------------------------------------------------------ location of the game


def test_a_missing_game_is_named_and_can_be_elsewhere(ludoglot, orchard, save_folder, tmp_path):
    ludoglot("play", orchard, *TWO_PEOPLE, typed="1\n")
    orchard.rename(tmp_path / "garden")
    for command in (("play", "--resume"), ("replay", find_save(save_folder))):
        said = ludoglot(*command)
        assert said.code == 1 and str(orchard) in said.err and "ludoglot play PATH --resume" in said.err
    said = ludoglot("play", tmp_path / "garden", "--resume", find_save(save_folder), typed="1\n")
    assert said.code == 0 and len(read_save(find_save(save_folder))[1]) == 2
    said = ludoglot("play", "hex", "--resume", find_save(save_folder), typed="1\n")
    assert said.code == 1 and "different rules" in said.err


def test_a_game_named_by_its_folder_resumes_from_another_folder(ludoglot, orchard, save_folder, monkeypatch, tmp_path):
    monkeypatch.chdir(orchard.parent)
    ludoglot("play", "orchard", *TWO_PEOPLE, typed="1\n")
    monkeypatch.chdir(save_folder)
    assert ludoglot("play", "--resume", typed="1\n").code == 0
    assert len(read_save(find_save(save_folder))[1]) == 2


@pytest.mark.long
def test_broken_rules_are_reported_with_their_place(ludoglot, orchard, save_folder):
    ludoglot("play", orchard, *TWO_PEOPLE, typed="1\n")
    (orchard / "orchard.rules").write_text(RULES.replace("stop\n\nstanding", "stopp\n\nstanding"), encoding="utf-8")
    said = ludoglot("play", "--resume")
    assert said.code == 1 and re.search(r"orchard\.rules:\d+", said.err)


# ------------------------------------------------------------ choice of the save


def set_age(path, seconds):
    os.utime(path, (time.time() - seconds,) * 2)


@pytest.mark.long
def test_the_last_unfinished_game_is_resumed(ludoglot, save_folder):
    ludoglot("play", "hex", *TWO_PEOPLE, typed="a1\n")
    set_age(find_save(save_folder), 100)
    ludoglot(*TIC, "--names", "Anna,Béla", typed=WINNING_MOVES)
    newest, oldest = list_saved_games()
    assert (newest.game, newest.finished, newest.decisions, newest.names) == ("tic-tac-toe", True, 5, ["Anna", "Béla"])
    assert (oldest.game, oldest.finished, oldest.decisions, oldest.seats) == ("hex", False, 1, ["human", "human"])
    assert newest.players == 2 and newest.time > oldest.time and newest.path.name.startswith("tic-tac-toe-")
    said = ludoglot("play", "--resume", typed="a2\n")
    assert said.code == 0 and oldest.path.name in said.err and len(read_save(oldest.path)[1]) == 2
    said = ludoglot("play", "--resume", newest.path)
    assert said.code == 0 and "Anna wins." in said.out


@pytest.mark.parametrize("lang, said_so", [("en", "all saved games are over"), ("it", "tutte sono finite"), ("es", "todas han terminado"),
                                           ("hu", "mindegyik véget ért")])
def test_a_sentence_reports_that_all_games_are_over(ludoglot, save_folder, lang, said_so):
    ludoglot(*TIC, typed=WINNING_MOVES)
    said = ludoglot("play", "--resume", "--lang", lang)
    assert said.code == 1 and said_so in said.err and find_save(save_folder).name in said.err


@pytest.mark.long
def test_the_last_save_of_a_given_game_is_resumed(ludoglot, save_folder, orchard):
    ludoglot("play", "hex", *TWO_PEOPLE, typed="a1\n")
    ludoglot("play", orchard, *TWO_PEOPLE, typed="1\n")
    set_age(next(save_folder.glob("orchard*")), 50)
    set_age(next(save_folder.glob("hex*")), 100)
    ludoglot(*TIC, typed="a1\n")
    for game, name in (("hex", "hex"), (orchard, "orchard"), ("tic-tac-toe", "tic-tac-toe")):
        said = ludoglot("play", game, "--resume")
        assert said.code == 0 and f"{name}-" in said.err
    said = ludoglot("play", "breakthrough", "--resume")
    assert said.code == 1 and "no saved game" in said.err


def test_undoing_the_last_move_makes_a_save_unfinished(ludoglot, save_folder):
    ludoglot(*TIC, typed=WINNING_MOVES)
    path = find_save(save_folder)
    assert b'"over":true,"sum":"' in path.read_bytes().splitlines()[-1] and find_last_save() is None
    save, _ = SaveFile.reopen(path)
    save.undo_decisions(1)
    save.close()
    assert find_last_save() == path


@pytest.mark.parametrize("raw", [b"", b"{", b'{"ludoglot":1,"game":"hex","rul', b'{"ludoglot":1}\n', b"\0" * 40, b"Dear Anna\n", b"[]\n",
                                 b'{"ludoglot":7,"game":"hex"}\n'])
def test_a_save_without_a_complete_header_is_skipped(ludoglot, save_folder, raw):
    ludoglot(*TIC, typed="a1\n")
    whole = find_save(save_folder)
    set_age(whole, 60)
    cut = save_folder / "zzz.ludoglot"
    cut.write_bytes(raw)
    assert find_last_save() == whole and [game.path for game in list_saved_games() if not game.damaged] == [whole]
    begun = raw.endswith(b"\n") or not b'{"ludoglot":'.startswith(raw[:12])
    assert [game.path for game in list_saved_games() if game.damaged] == [cut] * begun
    assert ludoglot("play", "--resume", typed="a2\n").code == 0 and len(read_save(whole)[1]) == 2
    for command in (("play", "--resume", cut), ("replay", cut)):
        said = ludoglot(*command)
        assert said.code == 1 and str(cut) in said.err and cut.read_bytes() == raw
    whole.unlink()
    said = ludoglot("play", "--resume")
    assert said.code == 1 and "no saved game" in said.err


def test_a_truncated_header_is_reported_as_empty(ludoglot, tmp_path):
    (tmp_path / "cut").write_bytes(b'{"ludoglot":1,"ga')
    for lang, said_so in (("en", "ends before its game begins"), ("it", "finisce prima"), ("es", "acaba antes"), ("hu", "véget ér")):
        said = ludoglot("play", "--resume", tmp_path / "cut", "--lang", lang)
        assert said.code == 1 and said_so in said.err


@pytest.mark.parametrize("header", [{"players": "two"}, {"seats": ["human"]}, {"seats": None}, {"options": []}, {"house": [1]},
                                    {"names": [1, 2, 3]}, {"seed": None}, {"langs": "hu"}, {"game": 3},
                                    {"house": [{"path": 1, "name": ""}]}])
def test_an_invalid_header_is_damaged(ludoglot, save_folder, header):
    ludoglot(*TIC, typed="a1\n")
    edit_header(find_save(save_folder), **header)
    said = ludoglot("play", "--resume", find_save(save_folder))
    assert said.code == 1 and "line 1" in said.err


@pytest.mark.parametrize("line", ['{"seat":0}', "[1]", "7", '{"undo":9}', '{"undo":"x"}', '{"seat":9,"lang":"hu"}', '{"lang":4}', "null"])
def test_an_invalid_line_is_damaged(ludoglot, save_folder, line):
    ludoglot(*TIC, typed="a1\n")
    path = find_save(save_folder)
    last = path.read_bytes().splitlines(keepends=True)[-1]
    body = line.encode()
    with path.open("ab") as file:
        file.write(add_checksum(checksum_of(last), json.loads(line)) if line.startswith("{") else body + b"\n")
    said = ludoglot("play", "--resume", find_save(save_folder))
    assert said.code == 1 and "line 4" in said.err


def test_an_unknown_bot_is_named(ludoglot, save_folder):
    ludoglot(*TIC, typed="a1\n")
    edit_header(find_save(save_folder), seats=["human", "bot:deep"])
    said = ludoglot("play", "--resume", find_save(save_folder))
    assert said.code == 2 and "bot:deep" in said.err
    assert ludoglot("play", "--resume", find_save(save_folder)).code == 2   # and it is closed now


# ------------------------------------------------------------ one program at a time


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="kills a process")
def test_a_save_is_locked_until_its_process_ends(ludoglot, tmp_path):
    path = tmp_path / "one.save"
    with subprocess.Popen([*COMMAND, *TIC, "--save", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as game:
        assert game.stdin is not None
        game.stdin.write(b"a1\n")
        game.stdin.flush()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and (not path.exists() or len(path.read_bytes().splitlines()) < 3):
            time.sleep(0.02)
        before = path.read_bytes()
        for command in (("play", "--resume", path), (*TIC, "--save", path)):
            said = ludoglot(*command, typed="a2\n")
            assert said.code == 1 and "Another program" in said.err and path.read_bytes() == before
        assert ludoglot("replay", path, "--verify").code == 0       # reading needs no lock
        os.kill(game.pid, signal.SIGKILL)
    said = ludoglot("play", "--resume", path, typed="a2\n")
    assert said.code == 0 and len(read_save(path)[1]) == 2


def test_an_existing_save_is_kept_as_backup(ludoglot, tmp_path):
    path = tmp_path / "my.save"
    ludoglot(*TIC, "--save", path, typed="a1\n")
    first = path.read_bytes()
    ludoglot(*TIC, "--save", path, typed="a2\n")
    assert (tmp_path / "my.save~").read_bytes() == first and len(read_save(path)[1]) == 1


def test_an_unwritable_save_path_is_reported(ludoglot, tmp_path):
    (tmp_path / "folder").mkdir()
    said = ludoglot(*TIC, "--save", tmp_path / "folder", typed="a1\n")
    assert said.code == 1 and "cannot be written" in said.err
    (tmp_path / "file").write_text("x", encoding="utf-8")
    said = ludoglot(*TIC, "--save", tmp_path / "file" / "s", typed="a1\n")
    assert said.code == 1 and "cannot be written" in said.err


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="limits a process")
def test_a_full_disk_ends_the_game_without_losing_decisions(tmp_path):
    """The disk has room for five decisions. The sixth one is not played."""
    path = tmp_path / "full.save"
    program = ("import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (1100, 1100));"
               "from ludoglot.engine.commands.main import main; sys.exit(main(sys.argv[1:]))")
    line = [COMMAND[0], "-c", program, *TIC, "--save", str(path), "--lang", "en"]
    done = subprocess.run(line, input=b"a1\na2\nb1\nb2\nb3\nc1\nc2\na3\nc3\n", capture_output=True, check=False, timeout=120)
    assert done.returncode == 1 and b"cannot be written" in done.stderr and b"Traceback" not in done.stderr
    setup, lines, ends = read_save(path)
    assert 2 <= len(lines) <= 8 and ends[-1] == path.stat().st_size
    SaveFile.reopen(path)[0].close()


# ------------------------------------------------------------ languages


def read_langs(path):
    return read_save(path)[0].langs


def test_a_save_keeps_the_language_of_each_person(ludoglot, save_folder):
    ludoglot("play", "tic-tac-toe", "--seats", "human,bot:random", "--seed", "1", "--lang", "hu", typed="")
    assert read_langs(find_save(save_folder)) == ["hu", ""]
    said = ludoglot("play", "--resume", typed="")
    assert "hová teszed" in said.out and "Resuming" in said.err


@pytest.mark.long
def test_lang_on_resume_changes_only_seats_with_the_main_language(ludoglot, save_folder):
    ludoglot(*TIC, "--langs", ",es", "--lang", "it", typed="")
    path = find_save(save_folder)
    assert read_langs(path) == ["it", "es"]
    for options, langs, question in ((("--lang", "hu"), ["hu", "es"], "hová teszed"), ((), ["hu", "es"], "hová teszed"),
                                     (("--lang", "en"), ["en", "es"], "where do you put"), (("--langs", "it"), ["it", "es"], "dove metti")):
        said = ludoglot("play", "--resume", *options, typed="")
        assert question in said.out and read_langs(path) == langs
    assert "dove metti" in ludoglot("--lang", "hu", "play", "--resume", typed="").out, "a player chose Italian"
    assert ludoglot("replay", path, "--lang", "es").code == 0


def test_an_unknown_language_in_a_save_is_ignored(ludoglot, save_folder):
    ludoglot(*TIC, typed="a1\n")
    edit_header(find_save(save_folder), langs=["qq", "fr"])
    assert "where do you put" in ludoglot("play", "--resume", typed="").out


# ------------------------------------------------------------ the file format


def make_decision(n):
    return SavedDecision(n % 2, "k", f"o={n}", "h")


def test_undo_keeps_changes_of_language(tmp_path):
    path = tmp_path / "s"
    save = SaveFile.create(path, MatchSetup("x", 2, 1, seats=["human", "human"], langs=["en", "en"], lang="en"))
    save.add_decision(make_decision(0))
    before = path.read_bytes()
    save.add_decision(make_decision(1))
    save.undo_decisions(1)
    assert path.read_bytes() == before
    save.add_decision(make_decision(2))
    save.set_language(1, "hu")
    save.add_decision(make_decision(3))
    save.undo_decisions(2)
    save.add_decision(make_decision(4))
    assert path.read_bytes().startswith(before) and b'{"undo":2,' in path.read_bytes()
    setup, lines, _ = read_save(path)
    assert lines == [make_decision(0), make_decision(4)] and setup.langs == ["en", "hu"]
    save.close()
    save, record = SaveFile.reopen(path)
    assert record.lines == lines
    now = path.read_bytes()
    save.add_decision(make_decision(5))
    save.undo_decisions(1)
    assert path.read_bytes() == now, "no other line may follow"
    save.undo_decisions(2)
    assert read_save(path)[1] == []
    save.set_language(None, "it")
    assert read_save(path)[0].langs == ["it", "hu"]
    save.close()


def test_a_copy_is_an_independent_save(tmp_path):
    save = SaveFile.create(tmp_path / "s", MatchSetup("x", 1, 1, seats=["human"]))
    save.add_decision(make_decision(0))
    save.copy_to(tmp_path / "there" / "copy")
    save.copy_to(tmp_path / "s")                                    # onto itself: nothing to do
    assert (tmp_path / "there" / "copy").read_bytes() == (tmp_path / "s").read_bytes() and not (tmp_path / "s~").exists()
    save.close()


def test_a_save_keeps_the_teach_flag(ludoglot, save_folder):
    assert ludoglot("play", "kalah", *TWO_PEOPLE, "--teach", typed="a1\nquit\n").code == 0
    save = find_save(save_folder)
    assert '"teach":true' in save.read_text(encoding="utf-8").partition("\n")[0]
    assert "teach off" in ludoglot("play", "--resume", save, typed="quit\n").out


def test_a_save_without_teach_omits_the_key(ludoglot, save_folder):
    assert ludoglot(*TIC, typed="a1\nquit\n").code == 0
    save = find_save(save_folder)
    assert "teach" not in save.read_text(encoding="utf-8")
    assert "teach off" in ludoglot("play", "--resume", save, "--teach", typed="quit\n").out
