"""Checks help pages and usage errors: they are in the reader's language, without a traceback, and with the right exit code."""

from __future__ import annotations

import codecs
import re
import subprocess
import sys
from importlib.metadata import version

import pytest
from ludoglot.dsl.backend_c import toolchain
from ludoglot.engine.cli.console import ascii_fallback
from ludoglot.engine.commands import main as entry

from .conftest import LANGUAGES

KEY = re.compile(r"\b(cli|usage|column|error|help)\.[a-z_]+")


@pytest.mark.parametrize("command", ["", *entry.COMMANDS])
def test_help_is_in_every_language(ludoglot, command):
    pages = {}
    for lang in LANGUAGES:
        said = ludoglot(*([command] if command else []), "--help", "--lang", lang)
        assert said.code == 0 and not said.err
        assert not KEY.search(said.out), said.out
        pages[lang] = said.out
    assert len(set(pages.values())) == 4


@pytest.mark.parametrize("usual, flag", [
    (["-h"], ["--help"]), (["help"], ["--help"]), (["help", "help"], ["--help"]),
    (["play", "-h"], ["play", "--help"]), (["help", "play"], ["play", "--help"]),
    (["--lang", "it", "help", "check"], ["check", "--help", "--lang", "it"]), (["--lang=hu", "help"], ["--help", "--lang=hu"]),
    (["version"], ["--version"]), (["-V"], ["--version"]), (["--lang", "es", "version"], ["--version", "--lang", "es"]),
])
def test_usual_spellings_of_help_and_version_work(ludoglot, usual, flag):
    assert ludoglot(*usual) == ludoglot(*flag)
    assert ludoglot(*usual).code == 0


def test_help_for_an_unknown_command_is_an_error(ludoglot):
    assert ludoglot("help", "plya").code == 2 and "play" in ludoglot("help", "plya").err


@pytest.mark.long
def test_the_package_runs_as_a_module():
    said = subprocess.run([sys.executable, "-m", "ludoglot", "version"], capture_output=True, text=True, timeout=60)
    assert said.returncode == 0 and said.stdout.startswith(f"ludoglot {version('ludoglot')}\n")


def test_the_language_comes_from_a_flag_or_the_environment(ludoglot, monkeypatch):
    assert "Használat" in ludoglot("--lang", "hu", "games", "--help").out
    monkeypatch.setenv("LANG", "es_ES.UTF-8")
    assert "Opciones" in ludoglot("games", "--help").out
    assert "Opzioni" in ludoglot("games", "--help", "--lang=it").out


@pytest.mark.long_cases("args2-words2", "args19-words19")
@pytest.mark.parametrize("args, words", [
    (["gmes"], ["gmes", "games"]),
    (["play"], ["GAME"]),
    (["play", "hx"], ["hx", "hex"]),
    (["play", "hex", "--seds", "3"], ["--seds", "--seed"]),
    (["play", "hex", "--seed"], ["--seed"]),
    (["play", "hex", "--seed", "many"], ["many"]),
    (["play", "hex", "--players", "0"], ["--players", "1"]),
    (["play", "hex", "--players", "5"], ["Hex", "2", "5"]),
    (["play", "dominant-species", "--players", "7"], ["2", "6", "7"]),
    (["play", "hex", "--json=3"], ["--json"]),
    (["play", "hex", "--json"], ["--json"]),
    (["play", "hex", "--seats", "human,bot:greedi"], ["bot:greedi", "bot:greedy"]),
    (["play", "hex", "--seats", "human,human,human"], ["3"]),
    (["play", "hex", "--langs", "qq"], ["qq", "hu"]),
    (["play", "dominant-species", "--option", "deeling=lot"], ["deeling", "“dealing”"]),
    (["play", "dominant-species", "--option", "dealing=lott"], ["lott", "“lot”"]),
    (["play", "dominant-species", "--option", "dealing"], ["dealing"]),
    (["play", "hex", "--pack", "no/such/file.yaml"], ["file.yaml"]),
    (["show", "hex", "reed"], ["reed", "“Red”"]),
    (["explain", "R9999"], ["R9999"]),
    (["schema", "houses"], ["house"]),
    (["games", "and", "more"], ["and more"]),
    (["games", "--lang", "qq"], ["qq", "hu"]),
    (["replay", "no-such-file"], ["no-such-file"]),
    (["check", "nowhere"], ["nowhere"]),
    (["fmt", "nowhere"], ["nowhere"]),
])
def test_wrong_usage_gives_one_sentence_and_exit_code_2(ludoglot, args, words):
    said = ludoglot(*args)
    assert said.code == 2 and not said.out
    first, last = said.err.splitlines()
    assert first.startswith("Error: ") and "--help" in last
    assert not KEY.search(said.err) and "Traceback" not in said.err
    for word in words:
        assert word in first


@pytest.mark.long
def test_usage_errors_are_translated(ludoglot):
    said = [ludoglot("play", "dominant-species", "--option", "deeling=lot", "--lang", lang).err for lang in LANGUAGES]
    assert len(set(said)) == 4 and all("dealing" in err for err in said)


def test_no_traceback_reaches_the_reader(ludoglot, monkeypatch):
    from ludoglot.engine.commands import games

    def raise_error() -> list[str]:
        raise ZeroDivisionError
    monkeypatch.setattr(games, "list_game_ids", raise_error)
    said = ludoglot("games", "--lang", "it")
    assert said.code == 3 and "ZeroDivisionError" in said.err and "Traceback" not in said.err and len(said.err.splitlines()) == 1
    monkeypatch.setenv("LUDOGLOT_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        ludoglot("games")


def test_version(ludoglot):
    said = ludoglot("--version")
    assert said.code == 0 and said.out.startswith("ludoglot ")


def test_the_version_names_the_compiler_in_use(ludoglot, monkeypatch):
    monkeypatch.setattr(toolchain, "find_compiler", lambda: ("/usr/bin/cc",))
    monkeypatch.setattr(toolchain, "compiler_version", lambda: "cc 12")
    assert ludoglot("--version").out.splitlines()[1:] == ["When Ludoglot plays many games, it compiles the rules with cc 12."]
    monkeypatch.setattr(toolchain, "find_compiler", lambda: None)
    assert ludoglot("--version").out.splitlines()[1:] == [
        "No C compiler was found, so the rules always run in Python. To install one, type: pip install 'ludoglot[c]'"]
    monkeypatch.setenv(toolchain.COMPILING_ENV_VAR, "off")
    assert ludoglot("--version").out.splitlines()[1:] == ["The rules always run in Python, because LUDOGLOT_C is set to off."]


@pytest.mark.long
def test_a_terminal_without_utf_8_loses_only_accents(run_process):
    said = run_process("games", "--help", "--lang", "hu", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert said.code == 0 and "Hasznalat" in said.out


def test_a_small_character_set_keeps_quotes_and_signs():
    codecs.register_error("ludoglot", ascii_fallback)
    assert "Città “A”: −3 … ♣".encode("ascii", "ludoglot") == b'Citta "A": -3 ... ?'


def test_the_description_of_a_game_names_its_options(ludoglot):
    """Players read what to type, what it means and which value is the default."""
    said = ludoglot("show", "dots-and-boxes").out
    assert "--option boxes_a_side=" in said and "How many boxes" in said and "Default: 5." in said
