"""Adds a language from outside with commands alone: creates, installs, checks and plays it, and writes rules with its keywords."""

from __future__ import annotations

import re
import shutil
import sys
import tomllib
from pathlib import Path

import pytest
from ludoglot.dsl.languages import registry
from ludoglot.engine.library.find import RULES_FOLDER

UNTRANSLATED_ENTRY = 'msgid "The game is a draw."\nmsgstr ""'


@pytest.fixture
def portuguese_folder(ludoglot, tmp_path, monkeypatch, installed) -> Path:
    """Installs the package that `words new` writes for Portuguese, with Tic-tac-toe."""
    folder = tmp_path / "language-pt"
    said = ludoglot("words", "new", "--into", "pt", "--out", folder, "tic-tac-toe")
    assert said.code == 0 and f"pip install --no-deps -e {folder}" in said.out
    for name in ("ludoglot_pt", "ludoglot_pt.grammar"):            # left by the previous test
        monkeypatch.delitem(sys.modules, name, raising=False)
    installed(folder, "ludoglot-pt", tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"])
    return folder / "ludoglot_pt" / "pt"


@pytest.mark.long
def test_a_new_language_is_playable_and_marks_english_texts(ludoglot, portuguese_folder: Path):
    assert (portuguese_folder / "language.yaml").read_text(encoding="utf-8").splitlines()[1:3] == ["name: português", "english: Portuguese"]
    catalogue = portuguese_folder / "LC_MESSAGES" / "ludoglot.po"
    text = catalogue.read_text(encoding="utf-8")
    assert UNTRANSLATED_ENTRY in text
    catalogue.write_text(text.replace(UNTRANSLATED_ENTRY, UNTRANSLATED_ENTRY[:-1] + 'O jogo acaba empatado."'), encoding="utf-8")
    said = ludoglot("play", "tic-tac-toe", "--seats", "human,human", "--lang", "pt_BR", "--plain",
                    typed="a1\nb2\nc3\na2\nc2\nc1\na3\nb3\nb1\n")
    assert said.code == 0 and "where do you put your mark? [en]" in said.out and "O jogo acaba empatado.\n" in said.out


@pytest.mark.long
def test_catalogues_of_a_new_language_are_checked(ludoglot, portuguese_folder: Path):
    said = ludoglot("words", "check", "--into", "pt")
    assert said.code == 0 and re.search(r"tic-tac-toe \(pt\): 0 of 15 translated, 15 missing", said.out) and not said.err
    lexicon = portuguese_folder / "lexicon" / "tic-tac-toe.yaml"
    lexicon.write_text("Player.cross: {sg: cruz, genus: f}\n", encoding="utf-8")
    (portuguese_folder / "language.yaml").write_text("plural: nplurals=2; plural=(n > 1 ? 1 : 0);\n", encoding="utf-8")
    registry.clear_caches()
    said = ludoglot("words", "check", "--into", "pt", "tic-tac-toe")
    assert said.code == 1 and "T009" in said.out + said.err and "language.yaml:1" in said.out + said.err
    assert ludoglot("words", "update", "--into", "pt").code == 0


@pytest.mark.long
def test_a_new_language_does_not_affect_the_builtin_languages(ludoglot, portuguese_folder: Path):
    said = ludoglot("words", "status", "tic-tac-toe")
    assert [line.split(":")[0] for line in said.out.splitlines()] == [f"tic-tac-toe ({lang})" for lang in registry.BUILTIN_LANGUAGES]


@pytest.mark.parametrize("code", ["it", "xx", "p", "PT", "../x", ""])
def test_an_invalid_language_code_is_rejected(ludoglot, tmp_path, code: str):
    said = ludoglot("words", "new", "--into", code, "--out", tmp_path / "new", "hex")
    assert said.code == 2 and f"“{code}”" in said.err and not (tmp_path / "new").exists()


@pytest.mark.long
def test_an_unknown_target_language_is_rejected(ludoglot):
    said = ludoglot("words", "check", "--into", "qq")
    assert said.code == 2 and "“qq”" in said.err and "it, es, hu, en" in said.err


@pytest.mark.long
def test_keywords_are_translated_and_restored(ludoglot, tmp_path):
    file = tmp_path / "hex.rules"
    shutil.copyfile(RULES_FOLDER / "hex" / "hex.rules", file)
    source = file.read_text(encoding="utf-8")
    assert ludoglot("fmt", "--keywords", "hu", file).out == f"{file}\n"
    assert "állapot stone[Cell]" in file.read_text(encoding="utf-8")
    assert ludoglot("fmt", "--keywords", "hu", file).out == "", "the file already has these keywords"
    assert ludoglot("fmt", "--keywords", "en", "--check", file).code == 1
    assert ludoglot("fmt", "--keywords", "en", file).code == 0 and file.read_text(encoding="utf-8") == source


def test_a_name_that_is_a_keyword_leaves_the_file_unchanged(ludoglot, tmp_path):
    file = tmp_path / "case.rules"
    file.write_text("state fase: 0..3 = 0\n", encoding="utf-8")
    said = ludoglot("fmt", "--keywords", "it", file)
    assert said.code == 1 and "fase" in said.err and "italiano" in said.err
    assert file.read_text(encoding="utf-8") == "state fase: 0..3 = 0\n"
    assert ludoglot("fmt", "--keywords", "qq", file).code == 2
