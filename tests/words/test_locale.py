"""Checks the catalogues of this repository: the four languages of every domain have the same texts, and every sentence renders."""

from __future__ import annotations

from pathlib import Path

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.model.build_model import make_model
from ludoglot.dsl.packs.source import read_game
from ludoglot.engine.i18n import LANGUAGES, Localizer, Noun, ProperName
from ludoglot.engine.i18n.catalogue import is_complete, read_entries, render_catalogue
from ludoglot.engine.i18n.check_texts import NounFamilies, check_domain
from ludoglot.engine.i18n.languages import parse_language_code
from ludoglot.engine.i18n.message_sources import diagnostics_domain, engine_domain, game_domain
from ludoglot.engine.i18n.readers import DIAGNOSTICS_DOMAIN, ENGINE_DOMAIN, SHIPPED_LOCALE, is_prose
from ludoglot.engine.i18n.template import parse_template

DOMAINS: dict[str, dict[str, Path]] = {}            # domain → language → path
for catalogue in sorted(SHIPPED_LOCALE.glob("*/LC_MESSAGES/*.po")):
    DOMAINS.setdefault(catalogue.stem, {})[catalogue.parts[-3]] = catalogue
ENGINE_DOMAINS = {ENGINE_DOMAIN: engine_domain, DIAGNOSTICS_DOMAIN: diagnostics_domain}
RULES = SHIPPED_LOCALE.parent / "rules"
GAMES = sorted(path.parent for path in RULES.glob("*/game.yaml"))


def load_domain(name):
    findings = DiagnosticList()
    found = ENGINE_DOMAINS[name](findings) if name in ENGINE_DOMAINS else game_domain(RULES / name, findings)
    assert not findings.items, "\n".join(map(str, findings.in_source_order()))
    return found


def test_locale_has_only_folders_of_languages():
    assert {parse_language_code(path.name) for path in SHIPPED_LOCALE.iterdir() if path.is_dir()} == set(LANGUAGES)
    assert ENGINE_DOMAIN in DOMAINS
    assert {path.stem for path in SHIPPED_LOCALE.glob("*/lexicon/*.yaml")} <= set(DOMAINS)


@pytest.mark.long_cases("diagnostics", "dominant-species", "evolution", "ludoglot")
@pytest.mark.parametrize("name", DOMAINS)
def test_catalogues_have_equal_keys_and_no_fuzzy_or_empty_entries(name):
    assert set(DOMAINS[name]) == set(LANGUAGES)
    found = {lang: read_entries(path) for lang, path in DOMAINS[name].items()}
    for lang in LANGUAGES:
        assert set(found[lang]) == set(found["en"]), lang
        assert {key: entry.id for key, entry in found[lang].items()} == {key: entry.id for key, entry in found["en"].items()}, lang
        assert not [key for key, entry in found[lang].items() if entry.fuzzy or not is_complete(entry.string)], lang


@pytest.mark.long
@pytest.mark.parametrize("name", DOMAINS)
def test_the_catalogues_are_up_to_date_and_without_findings(name):
    domain = load_domain(name)
    for lang, path in DOMAINS[name].items():
        assert path.read_text(encoding="utf-8") == render_catalogue(domain, lang), f"{path}: run `ludoglot words update`"
    findings = DiagnosticList()
    check_domain(domain, findings)
    assert not findings.items, "\n".join(map(str, findings.in_source_order()))


@pytest.mark.long_cases("dominant-species-it", "dominant-species-es", "dominant-species-hu", "dominant-species-en", "evolution-it")
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", DOMAINS)
def test_every_sentence_renders(name, lang):
    domain = load_domain(name)
    words, families = Localizer(lang, domain.layers, domain.english), NounFamilies(domain.english)
    for message in domain.messages:
        kinds = {}
        if is_prose(message.key):                                  # explanations show code with its own braces
            assert words.text(message.key)
            continue
        for text in message.variants:
            for field in parse_template(text).fields:
                noun = families.guess_field_type(field.name)
                noun = families.members[noun][0] if families.members.get(noun or "") else noun
                kinds[field.name] = 3 if field.noun or field.name == "n" else Noun(noun) if noun and "." in noun else ProperName("ANNA")
        for n in (1, 2):
            said = words.text(message.key, **{**kinds, **({"n": n} if "n" in kinds else {})})
            assert said and "}~" not in said and "(z)" not in said and not any(f"{{{field}}}" in said for field in kinds), message.key


@pytest.mark.parametrize("folder", GAMES, ids=lambda path: path.name)
def test_game_texts_match_the_model(folder: Path):
    findings = DiagnosticList()
    source = read_game(folder, findings)
    assert source is not None
    model = make_model(source, source.player_range[0], {}, findings)
    keys = {message.key: message.english for message in game_domain(folder, findings).messages}
    for key, (english, _) in model.texts.items():
        assert keys.get(key) == english, key
