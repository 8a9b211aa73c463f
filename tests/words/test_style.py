"""Checks the catalogues against the terms of the style sheets: one word for one thing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ludoglot.dsl.languages.registry import find_language
from ludoglot.engine.i18n import LANGUAGES
from ludoglot.engine.i18n.catalogue import read_entries
from ludoglot.engine.i18n.readers import SHIPPED_LOCALE, catalogue_path
from ludoglot.engine.i18n.user_input import normalize

SHEETS = SHIPPED_LOCALE.parent / "docs" / "project"
TERM = re.compile(r"^\|([^|-]+(?:-[^|-]+)*)\|([^|]+)\|([^|]+)\|([^|]*)\|$", re.M)


def terms(lang: str) -> list[tuple[str, str, str, str]]:
    text = (SHEETS / f"style-{lang}.md").read_text(encoding="utf-8")
    return [tuple(part.strip() for part in found) for found in TERM.findall(text)][1:]    # without the table header


def texts(lang: str, domain: str) -> dict[str, str]:
    found = read_entries(catalogue_path(SHIPPED_LOCALE, lang, domain))
    return {key: " ".join(entry.string) if isinstance(entry.string, tuple | list) else str(entry.string) for key, entry in found.items()}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_language_has_a_sheet_with_terms(lang):
    assert len(terms(lang)) >= 12
    sheet = (SHEETS / f"style-{lang}.md").read_text(encoding="utf-8")
    assert len(sheet.splitlines()) < 70 and all(mark in sheet for mark in find_language(lang).quotes)


@pytest.mark.long
@pytest.mark.parametrize("lang", LANGUAGES)
def test_catalogues_use_the_terms_of_the_style_sheets(lang):
    for domain, thing, write, never in terms(lang):
        said = texts(lang, domain)
        assert said, f"{domain} has no catalogue"
        assert any(write.casefold() in text.casefold() for text in said.values()), f"{lang}: “{write}” for {thing} is not used"
        wrong = [key for key, text in said.items() if never and never.casefold() in text.casefold()]
        assert not wrong, f"{lang}: “{never}” for {thing}, write “{write}”: {wrong}"


def test_style_sheets_exist_for_all_languages():
    assert {path.name for path in Path(SHEETS).glob("style-*.md")} == {f"style-{lang}.md" for lang in LANGUAGES}


@pytest.mark.long
def test_english_avoids_headless_who_clauses_and_bare_superlatives():
    lame = re.compile(r"(?:^|[.:;,] )[Ww]ho (?:has|have|cannot|can|takes|moves|loses)\b(?!.*\?)|\b[Ww]hoever has (?:most|fewest)\b")
    wrong = [(path.stem, key, text) for path in sorted((SHIPPED_LOCALE / "en" / "LC_MESSAGES").glob("*.po"))
             for key, text in texts("en", path.stem).items() if lame.search(text)]
    assert not wrong


GAME_FILES = [path for name in ("clauses", "messages", "game") for path in sorted((SHIPPED_LOCALE.parent / "rules").glob(f"*/{name}.yaml"))]
STRAIGHT_APOSTROPHE = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])")
CURLY_APOSTROPHE = re.compile(r"(?<=[^\W\d_])’(?=[^\W\d_])")


@pytest.mark.parametrize("path", GAME_FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_english_texts_of_games_have_curly_apostrophes(path):
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.lstrip().startswith("#")]
    assert not [line for line in lines if STRAIGHT_APOSTROPHE.search(line)]


@pytest.mark.long
@pytest.mark.parametrize(("lang", "other"), [("en", STRAIGHT_APOSTROPHE), ("it", CURLY_APOSTROPHE)])
def test_a_language_has_one_kind_of_apostrophe(lang, other):
    domains = [path.stem for path in catalogue_path(SHIPPED_LOCALE, lang, "ludoglot").parent.glob("*.po")]
    games = [domain for domain in domains if lang != "en" or domain not in ("ludoglot", "diagnostics")]      # these quote typed input
    assert not {key for domain in games for key, text in texts(lang, domain).items() if other.search(text)}


@pytest.mark.parametrize("typed", ["Nine Men's Morris", "nine men’s morris"])
def test_names_match_with_either_apostrophe(typed):
    assert normalize(typed) == normalize("Nine Men’s Morris")
