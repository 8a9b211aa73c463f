"""One word for one thing: the terms of the style sheets against the catalogues."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ludoglot.dsl.languages.registry import language
from ludoglot.engine.i18n import LANGUAGES
from ludoglot.engine.i18n.catalogue import entries
from ludoglot.engine.i18n.readers import SHIPPED, catalogue_path

SHEETS = SHIPPED.parent / "docs" / "words"
TERM = re.compile(r"^\|([^|-]+(?:-[^|-]+)*)\|([^|]+)\|([^|]+)\|([^|]*)\|$", re.M)


def terms(lang: str) -> list[tuple[str, str, str, str]]:
    text = (SHEETS / f"style-{lang}.md").read_text(encoding="utf-8")
    return [tuple(part.strip() for part in found) for found in TERM.findall(text)][1:]    # without the head of the table


def texts(lang: str, domain: str) -> dict[str, str]:
    found = entries(catalogue_path(SHIPPED, lang, domain))
    return {key: " ".join(entry.string) if isinstance(entry.string, tuple | list) else str(entry.string) for key, entry in found.items()}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_language_has_a_sheet_with_terms(lang):
    assert len(terms(lang)) >= 12
    sheet = (SHEETS / f"style-{lang}.md").read_text(encoding="utf-8")
    assert len(sheet.splitlines()) < 70 and all(mark in sheet for mark in language(lang).quotes)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_catalogues_keep_to_the_terms(lang):
    for domain, thing, write, never in terms(lang):
        said = texts(lang, domain)
        assert said, f"{domain} has no catalogue"
        assert any(write.casefold() in text.casefold() for text in said.values()), f"{lang}: nobody says “{write}” for {thing}"
        wrong = [key for key, text in said.items() if never and never.casefold() in text.casefold()]
        assert not wrong, f"{lang}: “{never}” for {thing}, write “{write}”: {wrong}"


def test_sheets_are_of_known_languages():
    assert {path.name for path in Path(SHEETS).glob("style-*.md")} == {f"style-{lang}.md" for lang in LANGUAGES}


def test_english_says_whoever_and_the_most():
    lame = re.compile(r"(?:^|[.:;,] )[Ww]ho (?:has|have|cannot|can|takes|moves|loses)\b(?!.*\?)|\b[Ww]hoever has (?:most|fewest)\b")
    wrong = [(path.stem, key, text) for path in sorted((SHIPPED / "en" / "LC_MESSAGES").glob("*.po"))
             for key, text in texts("en", path.stem).items() if lame.search(text)]
    assert not wrong
