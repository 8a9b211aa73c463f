"""Checks German as an external package: a game of Trias appears only in German, from the first question to the final standing."""

from __future__ import annotations

import io
import re
import sys
import tomllib
from pathlib import Path

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.syntax.translate_keywords import translate_rules
from ludoglot.engine.commands.main import main
from ludoglot.engine.i18n.catalogue import catalogue_status
from ludoglot.engine.i18n.check_texts import check_domain, check_language
from ludoglot.engine.i18n.grammar import Thing, grammar_of
from ludoglot.engine.i18n.message_sources import engine_domain, game_domain
from ludoglot.engine.i18n.readers import SHIPPED_LOCALE, Text, catalogue_path, read_catalogue
from ludoglot.engine.match import save_index

ROOT = SHIPPED_LOCALE.parent
PACKAGE = ROOT / "docs" / "examples" / "language-de"
TRIAS = ROOT / "rules" / "trias"
RULES = sorted(path.name for path in TRIAS.glob("*.rules"))
GAMES = ("tic-tac-toe", "connect-four", "breakthrough", "hex", "trias")
MAX_PENDING_TEXTS = 25
SAME_IN_BOTH_LANGUAGES = {
    "Drift", "Hand", "In", "Land", "Ludoglot", "Name", "Text", "Tic", "Trias", "also", "an", "in", "so", "was",
    "English", "de", "en", "es", "hu", "it",               # names and codes of languages
}
WORD = re.compile(r"[^\W\d_]{2,}")
EXTRA_COMMANDS = ["probe {n}", "?", "hilfe", "brett", "karten", "ansehen 0,0", "verlauf", "neues", "hinweise an", "möglichkeiten", "zurück",
                  "sprache", "sprache deutsch", "ansehen Wald", "was ist das"]


@pytest.fixture(autouse=True)
def german_package(tmp_path: Path, monkeypatch, shared_rules: None, installed) -> None:
    """Installs the package."""
    monkeypatch.syspath_prepend(str(PACKAGE))
    installed(tmp_path, "ludoglot-de", tomllib.loads((PACKAGE / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"])
    monkeypatch.setattr(save_index, "saves_folder", lambda: tmp_path / "saves")


class ScriptedPlayer(io.StringIO):
    """A player who uses each command of the table once, and takes the first option of each decision."""

    def __init__(self, screen: io.StringIO) -> None:
        super().__init__()
        self.screen, self.asides, self.typed = screen, list(EXTRA_COMMANDS), 0

    def readline(self, size: int | None = -1, /) -> str:
        self.typed += 1
        shown = self.screen.getvalue().rpartition("Deine Wahl> ")[0].rpartition("\n\n")[2]
        offered = re.findall(r"(?m)^ *(\d+)  ", shown)
        n = offered[0] if offered else "1"
        return (self.asides.pop(0).format(n=n) if self.asides and self.typed % 2 else n) + "\n"


def play_in_german(monkeypatch, game: str, seats: str, *more: str) -> str:
    """Returns the whole output of a game on both streams, from the first question to the standing."""
    screen, beside = io.StringIO(), io.StringIO()
    person = ScriptedPlayer(screen)
    for name, stream in (("stdin", person), ("stdout", screen), ("stderr", beside)):
        monkeypatch.setattr(sys, name, stream)
    assert main(["play", game, "--lang", "de", "--seats", seats, "--seed", "2", "--plain", *more]) == 0
    return screen.getvalue() + beside.getvalue()


def find_english_words(shown: str, game: str) -> list[str]:
    """Returns the names of the rules, and the English words that the package translates.

    Three kinds of English text are allowed: lines of rules, words typed after `--` or `bot:`, and sentences marked as newer than the
    package."""
    lines = [line for line in shown.split("\n") if not re.search(r"\.rules:\d|^ +Jetzt: |\w.*\[en\]$", line)]
    text = re.sub(r"\bbot:\w+|\(bot:\w+\)|--\w+|/\S+|\S+\.ludoglot|ludoglot play", " ", "\n".join(lines))
    english: set[str] = set()
    for domain in ("ludoglot", game):
        catalogue = read_catalogue(catalogue_path(SHIPPED_LOCALE, "de", domain))
        english = english.union(*(extract_words(source) for source, _ in catalogue.values()))
    wrong = (set(WORD.findall(text)) & english) - SAME_IN_BOTH_LANGUAGES
    return sorted({*wrong, *re.findall(r"\b[a-z]+_[a-z_]+\b|\b[A-Z]\w*\.[a-z]\w*", text)})


def extract_words(said: Text) -> set[str]:
    """Returns the words of a text without its fields."""
    whole = said if isinstance(said, str) else " ".join(said)
    return set(WORD.findall(re.sub(r"\{\w+\}(~[a-z._]+)?", " ", whole)))


@pytest.mark.long
def test_a_small_game_is_german(monkeypatch):
    shown = play_in_german(monkeypatch, "tic-tac-toe", "human,human")
    assert "Kreuz, wohin setzt du dein Zeichen?" in shown and "Kreis setzt ein Zeichen auf" in shown and "\nKreuz gewinnt.\n" in shown
    assert find_english_words(shown, "tic-tac-toe") == []


@pytest.mark.long
def test_a_whole_game_of_trias_is_german(monkeypatch):
    shown = play_in_german(monkeypatch, "trias", "human,bot:random,bot:random", "--players", "3", "--names", "Anna,Béla,Carla")
    assert "Anna, wohin setzt du 2 Herden?" in shown and "Anna setzt 2 Herden auf" in shown and "die letzte Runde beginnt" in shown
    assert "\nEndstand\n1. " in shown and shown.endswith(" gewinnt.\n")
    assert find_english_words(shown, "trias") == []


@pytest.mark.long
def test_english_words_are_detected():
    assert find_english_words("Anna: which tile drifts?\nEs ist Land.mountain. qq_act\nNobody is left. [en]", "trias") == [
        "Land.mountain", "drifts", "mountain", "qq_act", "tile", "which"]


@pytest.mark.long_cases("ludoglot", "trias")
@pytest.mark.parametrize("name", ["ludoglot", *GAMES])
def test_package_catalogues_have_no_findings(name: str):
    findings = DiagnosticList()
    check_language("de", findings)
    domain = engine_domain(findings) if name == "ludoglot" else game_domain(ROOT / "rules" / name, findings)
    check_domain(domain, findings, languages=["de"])
    waiting = {found.args["key"] for found in findings.items if found.code in ("W203", "W204")}     # their English text has changed
    assert [found for found in findings.items if found.args.get("key") not in waiting] == []


@pytest.mark.parametrize("name", ["ludoglot", *GAMES])
def test_package_translates_the_program_and_its_games(name: str):
    """At most a handful of texts may wait for the next translator.

    With the package installed, `ludoglot words update --into de` shows new texts, and translations of an older English text."""
    now = catalogue_status(
        engine_domain(DiagnosticList()) if name == "ludoglot" else game_domain(ROOT / "rules" / name, DiagnosticList()), "de"
    )
    assert len(now.missing) + len(now.stale) + len(now.gone) <= MAX_PENDING_TEXTS


WALD = Thing("Land.forest", "Wald", {"sg": "Wald", "pl": "Wälder", "g": "m", "gen": "Waldes"})
STEPPE = Thing("Land.steppe", "Steppe", {"sg": "Steppe", "pl": "Steppen", "g": "f"})
LAND = Thing("Land", "Gelände", {"sg": "Gelände", "pl": "Gelände", "g": "n"})
BAUER = Thing("n.pawn", "Bauer", {"sg": "Bauer", "pl": "Bauern", "g": "m", "acc": "Bauern", "dat": "Bauern", "gen": "Bauern"})
ROT = Thing("Player.red", "Rot", {"article": "none"})


@pytest.mark.parametrize("thing, markers, said", [
    (WALD, "the", "der Wald"), (WALD, "the.acc", "den Wald"), (WALD, "the.dat", "dem Wald"), (WALD, "the.gen", "des Waldes"),
    (WALD, "an.acc", "einen Wald"), (WALD, "an.dat", "einem Wald"), (WALD, "pl.the.dat", "den Wäldern"), (WALD, "pl.the.gen", "der Wälder"),
    (STEPPE, "the", "die Steppe"), (STEPPE, "the.dat", "der Steppe"), (STEPPE, "an.gen", "einer Steppe"), (STEPPE, "pl.dat", "Steppen"),
    (LAND, "the.acc", "das Gelände"), (LAND, "the.gen", "des Geländes"), (LAND, "an", "ein Gelände"),
    (BAUER, "the.acc", "den Bauern"), (BAUER, "the.gen", "des Bauern"), (BAUER, "an", "ein Bauer"),
    (ROT, "the", "Rot"), (ROT, "the.gen", "Rots"),
    (Thing("Card.storm", "Sturm", {}, STEPPE), "the", "die Steppe Sturm"),
])
def test_nouns_have_their_articles_and_cases(thing: Thing, markers: str, said: str):
    assert grammar_of("de").noun(thing, markers.split(".")) == said


def test_counted_nouns_have_the_right_case():
    grammar = grammar_of("de")
    assert grammar.counted("1", 1, BAUER, ["acc"]) == "1 Bauern" and grammar.counted("3", 3, WALD, ["dat"]) == "3 Wäldern"
    assert grammar.counted("3", 3, WALD, ["the"]) == "die 3 Wälder" and grammar.counted("0", 0, STEPPE, []) == "0 Steppen"


@pytest.mark.long_cases("setup.rules")
@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.long if name != "setup.rules" else ()) for name in RULES])
def test_rules_can_be_written_in_german_words(name: str):
    path = TRIAS / name
    source = path.read_text(encoding="utf-8")
    there, taken = translate_rules(source, path.name, "en", "de")
    assert not taken and there != source
    assert translate_rules(there, path.name, "de", "en")[0].split() == source.split()


def test_package_catalogues_have_no_duplicate_entries():
    for path in PACKAGE.rglob("*.po"):
        keys = re.findall(r'^msgctxt "(.*)"$', path.read_text(encoding="utf-8"), re.M)
        assert len(keys) == len(set(keys)), [path.name, *{key for key in keys if keys.count(key) > 1}]
