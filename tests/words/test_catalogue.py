"""Checks the output of `extract` and `update`, and that a second run changes nothing."""

from __future__ import annotations

import io
import re

import pytest
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.pofile import read_po
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.engine.i18n import LANGUAGES, catalogue, extractors
from ludoglot.engine.i18n.message_sources import game_domain
from ludoglot.engine.i18n.readers import SHIPPED_LOCALE

from words.test_words import translate


@pytest.fixture
def domain(game):
    findings = DiagnosticList()
    found = game_domain(game, findings)
    assert not findings.items
    return found


def read_pond_catalogue(game, lang):
    return catalogue.read_entries(catalogue.catalogue_path(game / "locale", lang, "pond"))


def test_every_text_is_found_once_with_its_place(domain):
    found = {message.key: message for message in domain.messages}
    assert list(found) == ["game.name", "variant.rain.name", "variant.rain.text", "Terrain.name", "Terrain.sea.name", "Terrain.reed.name",
                           "Card.name", "Card.flood.name", "Card.flood.text", "enter", "left", "clause.PD-1", "clause.PD-3"]
    assert found["Card.flood.text"].place.line == 5
    assert found["Card.flood.text"].comments == ("{frogs} = 2",)
    assert found["enter"].comments == ("Said when a player enters a place.",)
    assert found["left"].english == ("{n} frog left", "{n} frogs left")


def test_the_template_has_file_and_line(domain):
    text = catalogue.render_pot(domain)
    assert "#. {frogs} = 2\n#: cards.yaml:5\n#, python-brace-format\nmsgctxt \"Card.flood.text\"" in text
    assert read_po(io.BytesIO(text.encode())).num_plurals == 2


def test_update_creates_all_catalogues_and_is_stable(game, domain):
    assert len(catalogue.update_catalogues(domain)) == 4
    assert catalogue.update_catalogues(domain) == []
    assert {lang: len(read_pond_catalogue(game, lang)) for lang in LANGUAGES} == dict.fromkeys(LANGUAGES, len(domain.messages))
    assert all(catalogue.is_complete(entry.string) for entry in read_pond_catalogue(game, "en").values())
    assert catalogue.catalogue_status(domain, "it").translated == 0 and catalogue.catalogue_status(domain, "en").translated == len(
        domain.messages
    )
    for lang in LANGUAGES:
        text = catalogue.catalogue_path(game / "locale", lang, "pond").read_text(encoding="utf-8")
        assert '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"' in text and ":5" not in text and "fuzzy" not in text


def test_update_keeps_removes_and_empties_entries(game, domain):
    translate(game, "it", {"enter": "{who} entra.", "Terrain.sea.name": "mare", "Terrain.reed.name": "canna"})
    path = catalogue.catalogue_path(game / "locale", "it", "pond")
    path.write_text("# Kept by hand.\n" + path.read_text(encoding="utf-8").split("\n", 1)[1], encoding="utf-8")
    file = game / "game.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("reed: {name: reed}", "reed: {name: reeds}, bank: {name: bank}"),
                     encoding="utf-8")
    (game / "messages.yaml").write_text('enter: "{who} enters."\nnew: "New."\n', encoding="utf-8")
    changed = game_domain(game, DiagnosticList())
    before = catalogue.catalogue_status(changed, "it")
    assert set(before.stale) == {"Terrain.reed.name", "enter"} and before.gone == ("left",) and "new" in before.missing
    catalogue.update_catalogues(changed)
    found = read_pond_catalogue(game, "it")
    assert found["Terrain.sea.name"].string == "mare"
    assert found["Terrain.reed.name"].string == "" and found["Terrain.reed.name"].user_comments == ["before: canna"]
    assert found["enter"].string == "" and "left" not in found and found["new"].string == ""
    assert read_pond_catalogue(game, "en")["Terrain.reed.name"].string == "reeds"
    assert not any(entry.fuzzy for entry in found.values())
    assert path.read_text(encoding="utf-8").startswith("# Kept by hand.\nmsgid")
    assert catalogue.update_catalogues(changed) == []
    text = path.read_text(encoding="utf-8").replace('msgid "reeds"\nmsgstr ""', 'msgid "reeds"\nmsgstr "canne"')
    path.write_text(text, encoding="utf-8")
    catalogue.update_catalogues(changed)
    assert read_pond_catalogue(game, "it")["Terrain.reed.name"].user_comments == []


def test_babel_extracts_the_same_messages(game, domain):
    found = set()
    for file, extractor in (("game.yaml", extractors.extract_game), ("cards.yaml", extractors.extract_game),
                            ("messages.yaml", extractors.extract_messages), ("clauses.yaml", extractors.extract_clauses)):
        with (game / file).open("rb") as source:
            for line, message, _, context in extract(extractor, source, DEFAULT_KEYWORDS):
                found.add((context, line, message))
    assert found == {(message.key, message.place.line, message.english) for message in domain.messages}


CREDITS = '"Last-Translator: Eva Example <eva@example.org>\\n"\n"X-Generator: Poedit 3.4\\n"\n'


def test_update_keeps_header_fields_of_an_editor(game, domain):
    catalogue.update_catalogues(domain)
    path = catalogue.catalogue_path(game / "locale", "hu", "pond")
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r'"Last-Translator: .*\n', lambda _: CREDITS, text), encoding="utf-8")
    catalogue.update_catalogues(domain)
    assert "Eva Example <eva@example.org>" in path.read_text(encoding="utf-8") and "Poedit 3.4" in path.read_text(encoding="utf-8")
    assert catalogue.update_catalogues(domain) == []


@pytest.mark.parametrize("path", sorted(SHIPPED_LOCALE.glob("*/LC_MESSAGES/*.po")), ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_shipped_catalogue_has_a_complete_header(path):
    head = path.read_text(encoding="utf-8").partition("\n\n")[0]
    for field in ("Project-Id-Version", "PO-Revision-Date", "Last-Translator", "Language-Team", "Language", "Content-Type"):
        assert re.search(rf'^"{field}: \S.*\\n"$', head, re.M), f"msgfmt -c warns of {field}: run `ludoglot words update`"
