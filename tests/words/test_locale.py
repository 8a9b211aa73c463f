"""The catalogues of this repository: the four languages of every domain say the same things, in sentences that render."""

from __future__ import annotations

from pathlib import Path

import pytest
from ludoglot.dsl.diagnostics.diagnostic import Findings
from ludoglot.dsl.packs.source import read_game
from ludoglot.dsl.reading.build_model import make_model
from ludoglot.engine.i18n import LANGUAGES, Noun, Proper, Words
from ludoglot.engine.i18n.catalogue import entries, filled, updated
from ludoglot.engine.i18n.check_texts import Families, catalogues, check
from ludoglot.engine.i18n.languages import known_language
from ludoglot.engine.i18n.message_sources import diagnostics_domain, engine_domain, game_domain
from ludoglot.engine.i18n.readers import DIAGNOSTICS, ENGINE, SHIPPED, is_prose
from ludoglot.engine.i18n.template import parse

DOMAINS = catalogues(SHIPPED)
OWN = {ENGINE: engine_domain, DIAGNOSTICS: diagnostics_domain}
RULES = SHIPPED.parent / "rules"
GAMES = sorted(path.parent for path in RULES.glob("*/game.yaml"))


def domain_of(name):
    findings = Findings()
    found = OWN[name](findings) if name in OWN else game_domain(RULES / name, findings)
    assert not findings.items, "\n".join(map(str, findings.sorted()))
    return found


def test_nothing_lies_in_a_folder_of_no_language():
    assert {known_language(path.name) for path in SHIPPED.iterdir() if path.is_dir()} == set(LANGUAGES)
    assert ENGINE in DOMAINS
    assert {path.stem for path in SHIPPED.glob("*/lexicon/*.yaml")} <= set(DOMAINS)


@pytest.mark.parametrize("name", DOMAINS)
def test_the_four_languages_have_the_same_keys_and_nothing_fuzzy_or_empty(name):
    assert set(DOMAINS[name]) == set(LANGUAGES)
    found = {lang: entries(path) for lang, path in DOMAINS[name].items()}
    for lang in LANGUAGES:
        assert set(found[lang]) == set(found["en"]), lang
        assert {key: entry.id for key, entry in found[lang].items()} == {key: entry.id for key, entry in found["en"].items()}, lang
        assert not [key for key, entry in found[lang].items() if entry.fuzzy or not filled(entry.string)], lang


@pytest.mark.parametrize("name", DOMAINS)
def test_the_catalogues_are_up_to_date_and_without_findings(name):
    domain = domain_of(name)
    for lang, path in DOMAINS[name].items():
        assert path.read_text(encoding="utf-8") == updated(domain, lang), f"{path}: run `ludoglot words update`"
    findings = Findings()
    check(domain, findings)
    assert not findings.items, "\n".join(map(str, findings.sorted()))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", DOMAINS)
def test_every_sentence_renders(name, lang):
    domain = domain_of(name)
    words, families = Words(lang, domain.layers, domain.english), Families(domain.english)
    for message in domain.messages:
        kinds = {}
        if is_prose(message.key):                                  # explanations show code with its own braces
            assert words.text(message.key)
            continue
        for text in message.variants:
            for field in parse(text).fields:
                noun = families.guess(field.name)
                noun = families.members[noun][0] if families.members.get(noun or "") else noun
                kinds[field.name] = 3 if field.noun or field.name == "n" else Noun(noun) if noun and "." in noun else Proper("ANNA")
        for n in (1, 2):
            said = words.text(message.key, **{**kinds, **({"n": n} if "n" in kinds else {})})
            assert said and "}~" not in said and "(z)" not in said and not any(f"{{{field}}}" in said for field in kinds), message.key


@pytest.mark.parametrize("folder", GAMES, ids=lambda path: path.name)
def test_the_texts_of_a_game_are_those_that_its_model_names(folder: Path):
    findings = Findings()
    source = read_game(folder, findings)
    assert source is not None
    model = make_model(source, source.player_range[0], {}, findings)
    keys = {message.key: message.english for message in game_domain(folder, findings).messages}
    for key, (english, _) in model.texts.items():
        assert keys.get(key) == english, key
