"""Checks saves that other programs have reformatted, or that lost their first lines.

The game in them is not lost, and Ludoglot never calls an incomplete save complete."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from cli.test_menu import run_menu
from ludoglot.engine.match.save_file import MatchSetup, SavedDecision, SaveFile
from ludoglot.engine.match.save_index import find_save_to_resume
from ludoglot.engine.match.save_reader import parse_save, read_save

PLACE = Path("x")
TWO_PEOPLE = ("--seats", "human,human", "--seed", "1")
CHANGES = {
    "CRLF": lambda raw: raw.replace(b"\n", b"\r\n"),
    "CR": lambda raw: raw.replace(b"\n", b"\r"),
    "a mark": lambda raw: b"\xef\xbb\xbf" + raw,
    "a mark and CRLF": lambda raw: b"\xef\xbb\xbf" + raw.replace(b"\n", b"\r\n"),
    "UTF-16": lambda raw: raw.decode().encode("utf-16"),
    "empty lines at the end": lambda raw: raw + b"\n\n \n",
    "an empty line between": lambda raw: raw.replace(b"}\n", b"}\n\n", 3),
    "an empty line first": lambda raw: b"\n" + raw,
}
RESTORED = {
    "bytes before it": lambda raw: b"junk " + raw,
    "the header gone": lambda raw: raw[raw.find(b"\n") + 1 :],
    "many bytes before it": lambda raw: b"x" * 5000 + raw,
}


@pytest.fixture
def saved_game(ludoglot, save_folder):
    ludoglot("play", "tic-tac-toe", *TWO_PEOPLE, "--names", "Anna,Béla", typed="a1\nb2\nc3\n")
    (path,) = save_folder.glob("*.ludoglot")
    return path


@pytest.mark.parametrize("kind", [*CHANGES, *RESTORED])
def test_a_reformatted_save_loses_nothing(saved_game, ludoglot, kind):
    raw = saved_game.read_bytes()
    saved_game.write_bytes({**CHANGES, **RESTORED}[kind](raw))
    hurt, whole, record = saved_game.read_bytes(), parse_save(PLACE, raw), parse_save(PLACE, saved_game.read_bytes(), strict=False)
    assert record.lines == whole.lines and record.setup == whole.setup and not record.damage and record.raw == raw
    assert (record.smoothed, bool(record.restored_header)) == (kind in CHANGES, kind in RESTORED)
    said = ludoglot("replay", saved_game, "--verify", "--lang", "en")
    assert said.code == 1 and ("line endings" if kind in CHANGES else "Nothing is lost") in said.err and "3 decisions" in said.out
    said = ludoglot("play", "--resume", saved_game, typed="c1\n")
    assert said.code == 0 and len(parse_save(PLACE, saved_game.read_bytes()).lines) == 4 and saved_game.read_bytes().startswith(raw)
    assert saved_game.with_name(f"{saved_game.name}~").read_bytes() == hurt


@pytest.mark.parametrize("change", [lambda lines: [b"junk" + lines[0], *lines[1:3], b"?", *lines[4:]],
                                    lambda lines: [b"\xef\xbb\xbf" + lines[0], *lines[1:3], b"?\r\n", *lines[4:]]])
def test_lost_decisions_of_a_reformatted_save_are_reported(saved_game, ludoglot, change):
    lines = saved_game.read_bytes().splitlines(keepends=True)
    saved_game.write_bytes(b"".join(change(lines)))
    said = ludoglot("play", "--resume", saved_game, "--mend", "--lang", "en", typed="")
    assert said.code == 0 and "Nothing is lost" not in said.err and "damaged at line 4" in said.err


def test_a_missing_copy_of_the_header_is_added(saved_game, ludoglot):
    head = saved_game.read_bytes().splitlines(keepends=True)[0]
    saved_game.write_bytes(head)
    assert ludoglot("play", "--resume", saved_game, typed="a1\n").code == 0
    assert saved_game.read_bytes().startswith(2 * head) and not saved_game.with_name(f"{saved_game.name}~").exists()
    assert ludoglot("replay", saved_game, "--verify").code == 0


def make_copies(saved_game, folder, count, change=lambda raw: raw):
    for n in range(count):
        other = folder / f"other-{change(b'')[:3].decode() or 'good'}-{n}.ludoglot"
        other.write_bytes(change(saved_game.read_bytes()))
        os.utime(other, (time.time() + 10 + n,) * 2)


def damage_keys(raw):
    return raw.replace(b'"key"', b'"yek"')


@pytest.mark.long
def test_damaged_saves_do_not_hide_others(saved_game, ludoglot, save_folder, monkeypatch):
    make_copies(saved_game, save_folder, 15, lambda raw: b"bad" + raw[:-30] if not raw else damage_keys(raw))
    path, passed = find_save_to_resume()
    assert path == saved_game and len(passed) == 15
    said = ludoglot("play", "--resume", "--lang", "en", typed="c1\n")
    assert said.code == 0 and "damaged saves: other" in said.err and len(parse_save(PLACE, saved_game.read_bytes()).lines) == 4
    said = run_menu(monkeypatch, "2\n\n\n")
    assert "4 more saved games are in" in said
    assert sum("amaged" in line and "more saved games" not in line for line in said.splitlines()) == 11


@pytest.mark.long
def test_the_menu_counts_further_saves(saved_game, save_folder, monkeypatch):
    make_copies(saved_game, save_folder, 12)
    for lang, more in (("en", "One more"), ("it", "Un'altra partita"), ("es", "Hay otra partida"), ("hu", "Még egy mentett")):
        monkeypatch.setenv("LANG", lang)
        assert more in run_menu(monkeypatch, "2\n\n\n")


def test_a_file_in_place_of_the_folder_does_not_end_a_game(tmp_path):
    setup = MatchSetup("hex", 2, 1, names=["", ""], seats=["human", "human"], langs=["", ""])
    save = SaveFile.create(tmp_path / "saves" / "one.ludoglot", setup)
    save.add_decision(SavedDecision(0, "turn.cell", "cell=a1", "00"))
    (tmp_path / "saves").rename(tmp_path / "elsewhere")
    (tmp_path / "saves").write_text("a file", encoding="utf-8")
    save.add_decision(SavedDecision(1, "turn.cell", "cell=b1", "01"))
    save.close()
    assert save.path == tmp_path / "saves2" / "one.ludoglot" and len(read_save(save.path)[1]) == 2
    assert (tmp_path / "saves").read_text(encoding="utf-8") == "a file"
