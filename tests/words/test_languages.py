"""Checks a language from an installed package: its texts, how Ludoglot finds it, and that nothing else can add a language."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from ludoglot.dsl.languages import registry
from ludoglot.dsl.syntax.format import format_text
from ludoglot.dsl.syntax.lark_parser import keywords
from ludoglot.dsl.syntax.translate_keywords import translate_rules
from ludoglot.engine.i18n import LANGUAGES, engine_localizer, game_localizer, parse_language_code
from ludoglot.engine.i18n.languages import native_language_names, parse_plural_rule
from tmp_files import filled

RULES = Path(__file__).resolve().parents[2] / "rules"
POLISH = "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);"


@pytest.fixture
def polish_package(tmp_path: Path, installed) -> Path:
    """An installed package with the language pl: three plurals, a few texts, some words of the rules, and a grammar of its own."""
    package = filled(tmp_path / "ludoglot_pl", {
        "__init__.py": "raise AssertionError('nobody asked for code')\n",
        "pl/language.yaml": f"name: polski\nenglish: Polish\nplural: \"{POLISH}\"\nquotes: „”\n"
                            "grammar: ludoglot.engine.i18n.grammar.hu:Hungarian\n",
        "pl/keywords.yaml": "words: {state: stan, choose: wybierz}\nfolds: {any: jakiś}\n",
        "pl/LC_MESSAGES/ludoglot.po": f"""\
msgid ""
msgstr ""
"Language: pl\\n"
"Plural-Forms: {POLISH}\\n"

msgctxt "yes"
msgid "yes"
msgstr "tak"

msgctxt "test.passed"
msgid "{{n}} test passed"
msgid_plural "{{n}} tests passed"
msgstr[0] "{{n}} test przeszedł"
msgstr[1] "{{n}} testy przeszły"
msgstr[2] "{{n}} testów przeszło"
"""})
    installed(tmp_path, "ludoglot-pl", {registry.ENTRY_POINT_GROUP: {"pl": "ludoglot_pl"}})
    return package


def test_package_adds_a_language(polish_package: Path):
    assert (
        parse_language_code("pl_PL.UTF-8") == "pl"
        and native_language_names()["pl"] == "polski"
        and list(native_language_names())[:4] == list(LANGUAGES)
    )
    words = engine_localizer("pl")
    assert words.text("yes") == "tak"
    assert [words.text("test.passed", n=n) for n in (1, 2, 5, 22)] == [
        "1 test przeszedł", "2 testy przeszły", "5 testów przeszło", "22 testy przeszły"]
    assert "ludoglot_pl" not in sys.modules, "the code of the package must not be imported"


def test_missing_texts_are_shown_in_english_and_marked(polish_package: Path):
    words = engine_localizer("pl")
    assert words.text("play.over") == "The game is over. [en]"
    assert words.text("command.save") == "save", "names of commands must not be marked"
    assert engine_localizer("hu").text("play.over").endswith("."), "built-in languages must not be marked"


@pytest.mark.long
def test_keywords_of_a_package_round_trip(polish_package: Path):
    source = (RULES / "hex" / "hex.rules").read_text(encoding="utf-8")
    there, taken = translate_rules(source, "hex.rules", "en", "pl")
    assert not taken and "stan stone[Cell]: Player?" in there and "wybierz cell in Cell" in there and "jakiś(home in" in there
    assert format_text(translate_rules(there, "hex.rules", "pl", "en")[0]) == source


@pytest.mark.parametrize("lang", ["hu", *(pytest.param(lang, marks=pytest.mark.long) for lang in ("it", "es"))])
def test_translated_rules_round_trip(lang: str):
    source = (RULES / "hex" / "hex.rules").read_text(encoding="utf-8")
    there, taken = translate_rules(source, "hex.rules", "en", lang)
    assert not taken and there != source
    assert format_text(translate_rules(there, "hex.rules", lang, "en")[0]) == source
    assert set(keywords(lang)["words"]) == set(keywords()["words"]) and len(keywords(lang)["folds"]) == len(keywords()["folds"])
    assert set(registry.keyword_spellings(lang)["words"]) == {word for part in ("words", "soft") for word in keywords()[part].values()}
    assert set(registry.keyword_spellings(lang)["folds"]) == set(keywords()["folds"])


def test_built_in_languages_do_not_search_for_packages(monkeypatch):
    """A search for packages takes as long as a small command, so the built-in languages do not start one."""
    monkeypatch.setattr(registry, "find_installed", lambda: pytest.fail("searched for packages"))
    assert [parse_language_code(wanted) for wanted in ("hu_HU.UTF-8", "en", "C.UTF-8", "POSIX", "xx")] == ["hu", "en", None, None, "xx"]
    assert engine_localizer("it").text("yes") == "sì"


def test_names_that_collide_with_keywords_are_reported(polish_package: Path):
    assert translate_rules("state stan: 0..3 = 0\n", "case", "en", "pl") == ("state stan: 0..3 = 0\n", ["stan"])


def test_game_folder_cannot_add_a_language(tmp_path: Path, monkeypatch):
    """Ludoglot uses catalogues or a grammar from a game folder only for languages that are installed."""
    game = tmp_path / "hex"
    shutil.copytree(RULES / "hex", game)
    folder = game / "locale" / "qx"
    (folder / "LC_MESSAGES").mkdir(parents=True)
    (folder / "language.yaml").write_text("name: trap\ngrammar: trap:Trap\n", encoding="utf-8")
    (game / "trap.py").write_text("raise AssertionError('code of a game ran')\n", encoding="utf-8")
    monkeypatch.chdir(game)
    assert parse_language_code("qx") is None and game_localizer("qx", "hex", game, {}).lang == "en"


def test_packages_cannot_replace_built_in_languages(polish_package: Path, installed):
    (polish_package / "it").mkdir()
    (polish_package / "it" / "language.yaml").write_text("name: falso\n", encoding="utf-8")
    installed(polish_package.parent, "ludoglot-pl", {registry.ENTRY_POINT_GROUP: {"pl": "ludoglot_pl", "it": "ludoglot_pl"}})
    assert native_language_names()["it"] == "italiano" and "pl" in native_language_names()


@pytest.mark.parametrize("rule", ["", "nplurals=2; plural=__import__('os');", "nplurals=9; plural=n;", "plural"])
def test_invalid_plural_rule_falls_back_to_english(rule: str):
    forms, form = parse_plural_rule(rule)
    assert forms == 2 and [form(n) for n in (0, 1, 2)] == [1, 0, 1]
