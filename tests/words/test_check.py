"""Gives `ludoglot words check` one broken thing at a time, and compares its findings."""

from __future__ import annotations

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.engine.i18n.catalogue import catalogue_path, update_catalogues
from ludoglot.engine.i18n.check_texts import check_domain
from ludoglot.engine.i18n.message_sources import game_domain

from words.test_words import translate

HUNGARIAN_LEXICON = """\
Terrain: {nom: terep}
Terrain.sea: {nom: tenger, acc: tengert}
Terrain.reed: {nom: nádas}
n.frog: {nom: béka, acc: békát}
"""


def check_catalogue(game, lang, fields=None):
    findings = DiagnosticList()
    check_domain(game_domain(game, findings), findings, fields, [lang])
    return [(d.code, d.args.get("key")) for d in findings.in_source_order() if d.code != "W202"], findings


@pytest.fixture
def check_hungarian(game):
    """`said({key: sentence})`: the findings for a Hungarian catalogue with this translation."""
    def put(sentences, fields=None):
        path = catalogue_path(game / "locale", "hu", "pond")
        path.unlink(missing_ok=True)
        lexicon = game / "locale/hu/lexicon/pond.yaml"
        lexicon.parent.mkdir(parents=True, exist_ok=True)
        if not lexicon.exists():
            lexicon.write_text(HUNGARIAN_LEXICON, encoding="utf-8")
        translate(game, "hu", sentences)
        return check_catalogue(game, "hu", fields)[0]
    return put


def test_good_sentence_has_no_findings(check_hungarian):
    texts = {"enter": "{who}~the ide lép: {terrain}.", "Card.flood.text": "Tegyél {frogs}~n.frog.acc a(z) {sea} mellé!"}
    assert check_hungarian(texts) == []


@pytest.mark.parametrize("sentence, code", [
    ("{who} lép.", "T004"), ("{who} {terrain} {where}", "T005"), ("{who} {terrain}~acus", "T006"), ("{who} {terrain}~di", "T006"),
    ("{who.__class__} {who} {terrain}", "T003"), ("{who} {terrain} {", "T003"), ("{who} {terrain}~n.toad", "T010"),
    ("{who} {terrain}~the.ill", "W206")])
def test_bad_sentence_is_reported(check_hungarian, sentence, code):
    assert code in [each for each, _ in check_hungarian({"enter": sentence})]


def test_every_possible_noun_must_have_the_form(check_hungarian, game):
    assert check_hungarian({"enter": "{who} {terrain}~acc"}) == [("W206", "enter")]    # the reed has no accusative, but the sea has
    assert check_hungarian({"enter": "{who} {terrain}~acc"}, {"enter": {"terrain": "Terrain.sea"}}) == []
    assert check_hungarian({"enter": "{who}~acc {terrain}"}, {"enter": {"who": "proper", "terrain": "Terrain"}}) == []


def test_english_sources_are_checked(game):
    (game / "messages.yaml").write_text('enter: "{who.name} {terrain}~acc"\nenter.x: 3\n', encoding="utf-8")
    codes = [code for code, _ in check_catalogue(game, "en")[0]]
    assert "T003" in codes and "T006" in codes and "T001" in codes and "W201" in codes


def test_unknown_clause_field_is_reported(game, check_hungarian):
    assert check_hungarian({"clause.PD-3": "Áradáskor {flood_frogs}~n.frog jön."}) == []
    clauses = game / "clauses.yaml"
    clauses.write_text(clauses.read_text(encoding="utf-8").replace("flood_frogs", "flood_frog"), encoding="utf-8")
    assert ("T012", "clause.PD-3") in check_catalogue(game, "en")[0]
    (wrong,) = [d for d in check_catalogue(game, "en")[1].items if d.code == "T012"]
    assert wrong.place.line == 3 and wrong.args["meant"] == "{flood_frogs}"


def test_translated_clause_has_the_same_fields_as_english(check_hungarian):
    assert check_hungarian({"clause.PD-3": "Áradáskor {flood_frogs}~n.frog jön, de {floods}."}) == [
        ("T005", "clause.PD-3"), ("T012", "clause.PD-3")]
    assert check_hungarian({"clause.PD-1": "Békák úsznak."}) == [("T004", "clause.PD-1")]


def test_duplicate_key_is_reported_with_both_places(game):
    (game / "messages.yaml").write_text('Terrain.sea.name: "ocean"\n', encoding="utf-8")
    findings = check_catalogue(game, "en")[1]
    (double,) = [d for d in findings.items if d.code == "T002"]
    assert double.also[0].path.endswith("game.yaml")


def test_missing_stale_obsolete_and_fuzzy_entries_are_reported(game):
    update_catalogues(game_domain(game, DiagnosticList()), ["it"])
    path = catalogue_path(game / "locale", "it", "pond")
    text = path.read_text(encoding="utf-8").replace('msgid "sea"\nmsgstr ""', 'msgid "ocean"\nmsgstr "oceano"')
    text = text.replace('msgctxt "Terrain.reed.name"', '#, fuzzy\nmsgctxt "Terrain.reed.name"')
    text = text.replace('msgctxt "Card.name"', 'msgctxt "Card.nama"')
    path.write_text(text, encoding="utf-8")
    findings = check_catalogue(game, "it")[1]
    by_code = {}
    for d in findings.items:
        by_code.setdefault(d.code, []).append(d)
    assert [d.args["key"] for d in by_code["W203"]] == ["Terrain.sea.name"]
    assert [d.args["key"] for d in by_code["W205"]] == ["Terrain.reed.name"]
    (gone,) = by_code["W204"]
    assert (gone.args["key"], gone.hint, gone.args["meant"]) == ("Card.nama", "did_you_mean", "Card.name")
    assert "Card.name" in [d.args["key"] for d in by_code["W202"]]
    assert gone.place.line > 5


@pytest.mark.parametrize("header", ["nplurals=2; plural=(n > 1);", "nplurals=3; plural=(n == 1 ? 0 : n == 0 ? 2 : 1);", ""])
def test_bad_plural_header_is_reported(game, header):
    update_catalogues(game_domain(game, DiagnosticList()), ["hu"])
    path = catalogue_path(game / "locale", "hu", "pond")
    path.write_text(path.read_text(encoding="utf-8").replace("nplurals=2; plural=(n != 1);", header), encoding="utf-8")
    assert "T007" in [code for code, _ in check_catalogue(game, "hu")[0]]


def test_unreadable_catalogue_is_reported(game):
    path = catalogue_path(game / "locale", "hu", "pond")
    path.parent.mkdir(parents=True)
    path.write_text('msgctxt "a"\nmsgid "b\n', encoding="utf-8")
    assert "T014" in [code for code, _ in check_catalogue(game, "hu")[0]]


def test_the_lexicon_is_checked(game, check_hungarian):
    lexicon = game / "locale/hu/lexicon/pond.yaml"
    lexicon.parent.mkdir(parents=True)
    lexicon.write_text("Terrain.sea: {nom: tenger, akk: tengert}\nTerrain.see: {nom: x}\nn.frog: béka\nTerrain: {nom: 3}\n",
                       encoding="utf-8")
    assert sorted(code for code, _ in check_hungarian({})) == ["T009", "T009", "T009", "W207"]


def test_single_plural_form_is_rejected(game):
    """`pybabel init -l hu` writes this header."""
    update_catalogues(game_domain(game, DiagnosticList()), ["hu"])
    path = catalogue_path(game / "locale", "hu", "pond")
    path.write_text(path.read_text(encoding="utf-8").replace("nplurals=2; plural=(n != 1);", "nplurals=1; plural=0;"), encoding="utf-8")
    codes = [code for code, _ in check_catalogue(game, "hu")[0]]
    assert "T007" in codes
