"""Checks that the check of texts reports the errors an editor would correct: one at a time in a good text. Good texts give no findings."""

from __future__ import annotations

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.engine.i18n.catalogue import catalogue_path
from ludoglot.engine.i18n.check_texts import check_domain
from ludoglot.engine.i18n.message_sources import game_domain

from words.test_words import translate


def find_codes(game, lang, fields=None) -> list[str]:
    findings = DiagnosticList()
    check_domain(game_domain(game, findings), findings, fields, [lang])
    return [found.code for found in findings.in_source_order() if found.code >= "W210"]


def check_english(game, line: str, fields=None) -> list[str]:
    (game / "messages.yaml").write_text(line + "\n", encoding="utf-8")
    (game / "clauses.yaml").unlink(missing_ok=True)
    return find_codes(game, "en", fields)


@pytest.mark.parametrize("clause, found", [
    ("Frogs that a flood brings: {flood_frogs}.", ["W210"]), ("Frogs come (in all: {flood_frogs}).", ["W210"]),
    ("A flood brings frogs; each time: {flood_frogs}; they stay.", ["W210"]),
    ("A flood brings {flood_frogs}~n.frog.", []), ("Note: {flood_frogs}~n.frog come.", []), ("In a flood: {flood_frogs} come.", [])])
def test_number_after_a_colon_is_reported(game, clause, found):
    (game / "clauses.yaml").write_text(f'PD-9: "{clause}"\n', encoding="utf-8")
    assert find_codes(game, "en") == found


@pytest.mark.parametrize("line, found", [
    ('enter: "Go to last_place."', ["W211"]), ('enter: "Type `last_place`, or see the_file.yaml."', []),
    ('enter: "{who_name} enters."', []),
    ('enter: "Two  spaces."', ["W215"]), ('enter: "A space , too many."', ["W215"]), ('enter: "And so on..."', ["W215"]),
    ('enter: "And so on…"', []), ("enter: 'Say \"frog\".'", ["W215"]), ('enter: "Say “frog”."', []), ('enter: "Say «frog»."', ["W215"]),
    ('option.jump.frog: "Save the frog"', ["W213"]), ('option.jump.frog: "Saved frogs"', []), ('decline.jump.frog: "Help"', ["W213"]),
    ('ask.jump.frog: "Save the frog?"', [])])
def test_typographic_errors_are_reported(game, line, found):
    assert check_english(game, line) == found


def test_number_choice_requires_a_text_for_zero(game):
    fields = {f"{word}.catch.n": {"n": "from 0"} for word in ("option", "did")}
    assert check_english(game, 'did.catch.n: "{n}~n.frog caught."', fields) == ["W212"]
    assert check_english(game, 'did.catch.n: "{n}~n.frog caught."\ndid.catch.n.none: "No frog is caught."', fields) == []
    assert check_english(game, 'did.catch.n: "{n}~n.frog caught."', {"did.catch.n": {"n": "int"}}) == []


@pytest.mark.parametrize("lang, said, found", [
    ("hu", "Áradáskor {flood_frogs} jön.", ["W214"]), ("hu", "Áradáskor {flood_frogs} béka jön.", []),
    ("hu", "Áradáskor {flood_frogs}~n.frog jön.", []), ("hu", "A jövő békák száma áradáskor: {flood_frogs}.", ["W210"]),
    ("hu", "„Áradás”: {flood_frogs} béka jön.", []), ("hu", "«Áradás»: {flood_frogs} béka jön.", ["W215"]),
    ("it", "Con la piena «arrivano» {flood_frogs} rane.", []), ("it", "Con la piena “arrivano” {flood_frogs} rane.", ["W215"])])
def test_translations_are_checked(game, lang, said, found):
    lexicon = game / "locale" / lang / "lexicon" / "pond.yaml"
    lexicon.parent.mkdir(parents=True)
    lexicon.write_text({"hu": "n.frog: {nom: béka, acc: békát}", "it": "n.frog: {sg: rana, pl: rane, g: f}"}[lang] + "\n", encoding="utf-8")
    translate(game, lang, {"clause.PD-3": said})
    assert catalogue_path(game / "locale", lang, "pond").is_file()
    assert find_codes(game, lang) == found


def test_option_that_begins_with_a_command_is_reported(game):
    (game / "messages.yaml").write_text('option.jump.frog: "Rescue the frog"\n', encoding="utf-8")
    translate(game, "it", {"option.jump.frog": "Salva la rana"})
    assert find_codes(game, "it") == ["W213"]
