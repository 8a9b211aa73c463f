"""Checks where a localizer finds its sentences, and its behaviour if a sentence is missing."""

from __future__ import annotations

import json
import pickle

import pytest
from ludoglot.dsl import cache
from ludoglot.dsl.cache import clear_recent_reads
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList, SourceSpan
from ludoglot.dsl.packs.pack_texts import OverlayTexts
from ludoglot.engine.i18n import (
    LANGUAGES,
    CountedNoun,
    Localizer,
    Noun,
    ProperName,
    engine_localizer,
    game_localizer,
    pick_language,
    readers,
)
from ludoglot.engine.i18n.catalogue import catalogue_path, update_catalogues
from ludoglot.engine.i18n.message_sources import game_domain
from ludoglot.engine.i18n.user_input import normalize, parse_int

TEXTS = {"Terrain.sea.name": "sea", "Terrain.name": "terrain", "Card.flood.text": "Put {frogs}~n.frog on a {sea} tile.",
         "game.name": "Pond"}


def translate(game, lang: str, said: dict[str, str]) -> None:
    """Puts translations into the catalogue of the test game."""
    domain = game_domain(game, DiagnosticList())
    update_catalogues(domain, [lang])
    path = catalogue_path(domain.locale, lang, domain.name)
    text = path.read_text(encoding="utf-8")
    for key, sentence in said.items():
        head, context, tail = text.partition(f'msgctxt "{key}"\n')
        assert context, key
        text = head + context + tail.replace('msgstr ""', f"msgstr {json.dumps(sentence, ensure_ascii=False)}", 1)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("option, environ, lang", [
    ("hu", {"LANG": "it_IT.UTF-8"}, "hu"), (None, {"LC_ALL": "es_ES.UTF-8", "LANG": "it_IT"}, "es"),
    (None, {"LC_ALL": "", "LANG": "it"}, "it"),
    (None, {"LC_MESSAGES": "hu_HU", "LANG": "it_IT"}, "hu"), (None, {"LANG": "C"}, "en"), (None, {"LC_ALL": "C", "LANG": "hu_HU"}, "en"),
    (None, {}, "en"), ("pt", {"LANG": "hu_HU"}, "en"), ("es-MX", {}, "es"), ("xx", {}, "xx"),
    (None, {"LANGUAGE": "it", "LANG": "en_US.UTF-8"}, "it"), (None, {"LANGUAGE": "hu:it", "LC_ALL": "es_ES.UTF-8"}, "hu"),
    (None, {"LANGUAGE": "de:es_MX:it", "LANG": "en_US.UTF-8"}, "es"), (None, {"LANGUAGE": "xx:it", "LANG": "en_US.UTF-8"}, "it"),
    (None, {"LANGUAGE": "", "LANG": "hu_HU.UTF-8"}, "hu"), (None, {"LANGUAGE": "::", "LANG": "hu_HU.UTF-8"}, "hu"),
    (None, {"LANGUAGE": "de:fr", "LANG": "hu_HU.UTF-8"}, "en"), (None, {"LANGUAGE": "en_GB:it", "LANG": "it_IT.UTF-8"}, "en"),
    (None, {"LANGUAGE": "C:it", "LANG": "hu_HU.UTF-8"}, "en"), ("es", {"LANGUAGE": "it", "LANG": "hu_HU.UTF-8"}, "es"),
    (None, {"LANGUAGE": "it", "LC_ALL": "C", "LANG": "hu_HU.UTF-8"}, "en"), (None, {"LANGUAGE": "it", "LANG": "C.UTF-8"}, "en"),
    (None, {"LANGUAGE": "it", "LC_MESSAGES": "POSIX", "LANG": "hu_HU"}, "en"), (None, {"LANGUAGE": "it"}, "en"),
    (None, {"LANGUAGE": "it", "LC_ALL": "", "LC_MESSAGES": "C.UTF-8@x", "LANG": "hu_HU"}, "en")])
def test_language_is_picked_from_option_and_environment(option, environ, lang):
    assert pick_language(option, environ) == lang


def test_engine_texts_exist_in_four_languages():
    assert [engine_localizer(lang).text("yes") for lang in LANGUAGES] == ["sì", "sí", "igen", "yes"]
    assert engine_localizer("it").text("play.turn", who=ProperName("ANNA")) == "Tocca ad ANNA"
    assert engine_localizer("hu").text("replay.differs", number=5).startswith("Az 5. döntés")
    assert engine_localizer("fr").lang == "en"


def test_plurals_depend_on_n():
    it = engine_localizer("it")
    assert it.text("test.passed", n=1) == "1 test superato"
    assert it.text("test.passed", n=0) == "0 test superati"
    assert it.text("result.rank", rank=1, who=ProperName("ANNA"), score=1) == "1. ANNA: 1 punto"


def test_statements_with_equal_sentences_are_equal():
    en = engine_localizer("en")
    anna, béla = (en.statement("foresee.winner", who=ProperName(name), ignored=name) for name in ("Anna", "Béla"))
    assert anna == en.statement("foresee.winner", who=ProperName("Anna"), ignored=1) != béla
    assert en.value(anna) == "Anna wins." == en.text("foresee.winner", who=ProperName("Anna"))
    assert en.value(en.statement("foresee.either", said=[anna, béla])) == "Anna wins or Béla wins"
    assert en.statement("test.passed", n=1) != en.statement("test.passed", n=2), "the plural form differs"


def test_missing_translation_falls_back_to_english(game):
    translate(game, "it", {"Terrain.sea.name": "mare"})
    it = game_localizer("it", "pond", game, TEXTS)
    assert it.text("enter", who=ProperName("ANNA"), terrain=Noun("Terrain.sea")) == "ANNA enters the sea."
    assert it.text("Terrain.sea.name") == "mare"
    assert it.has("enter") and not it.has("nowhere")
    assert it.text("nowhere") == "nowhere"
    assert it.text("yes") == "sì"


def test_outdated_translation_is_not_used(game):
    translate(game, "it", {"Card.flood.text": "Metti {frogs} rane sul {sea}."})
    assert game_localizer("it", "pond", game, TEXTS).text("Card.flood.text", frogs=2, sea=Noun("Terrain.sea")) == "Metti 2 rane sul sea."
    house = {**TEXTS, "Card.flood.text": "Put {frogs}~n.frog anywhere."}
    assert game_localizer("it", "pond", game, house).text("Card.flood.text", frogs=1) == "Put 1 frog anywhere."


def test_card_texts_take_their_numbers_and_nouns(game):
    en = game_localizer("en", "pond", game, TEXTS)
    assert en.text("Card.flood.text", frogs=2, sea=Noun("Terrain.sea")) == "Put 2 frogs on a sea tile."
    assert en.text("clause.PD-1", sea=Noun("Terrain.sea")) == "Frogs swim in the sea."
    assert not en.has("clause.PD-2")


def test_pack_texts_override_game_texts(game):
    texts = OverlayTexts()
    texts.add_text("enter", {"en": "{who} dives.", "it": "{who} si tuffa."}, SourceSpan("wet.yaml"))
    texts.add_text("leave", {"it": "{who} va via."}, SourceSpan("wet.yaml"))
    texts.nouns["en"]["n.frog"] = {"sg": "toad", "pl": "toads"}
    texts.gone.add("Card.flood.text")
    en = game_localizer("en", "pond", game, TEXTS, texts)
    it = en.in_language("it")
    assert en.text("enter", who=ProperName("ANNA")) == "ANNA dives." and it.text("enter", who=ProperName("ANNA")) == "ANNA si tuffa."
    assert en.text("leave", who=ProperName("ANNA")) == "ANNA va via.", "a text in only one language is used for all languages"
    assert en.render("{n}~n.frog", n=2) == "2 toads"
    assert not en.has("Card.flood.text") and not it.has("Card.flood.text")


def test_localizer_switches_between_languages(game):
    en = game_localizer("en", "pond", game, TEXTS)
    assert (en.text("no"), en.in_language("hu").text("no"), en.text("no")) == ("no", "nem", "no")


def test_pseudo_language_marks_catalogue_texts():
    xx = engine_localizer("xx")
    assert xx.text("play.turn", who=ProperName("ANNA")) == "⟦ANNA’s túrń⟧"
    assert xx.noun("n.player") == "⟦pláýér⟧"


def test_values_are_rendered(game):
    en = game_localizer("en", "pond", game, TEXTS)
    assert en.value(True) == "yes" and en.value(None) == "none" and en.value([]) == "nothing"
    assert en.value(CountedNoun(2, Noun("Terrain.sea"))) == "2 seas"
    assert en.value([Noun("Terrain.sea"), 3, ProperName("d3")], ["or"]) == "sea, 3, or d3"
    assert en.format_number(12345) == "12,345" and en.format_number(2.5, 2) == "2.50"
    assert engine_localizer("es").format_number(2.5, 1) == "2,5"


def test_lexicon_cache_never_changes_the_result(tmp_path, empty_cache, monkeypatch):
    def read():
        """Reads as a new process would."""
        clear_recent_reads()
        return readers.read_lexicon(file)["n.x"]

    file = tmp_path / "a.yaml"
    file.write_text("n.x: {sg: one}\n", encoding="utf-8")
    assert read() == {"sg": "one"}
    (copy,) = (empty_cache / "words").iterdir()
    assert read() == {"sg": "one"}          # from the cache
    whole = copy.read_bytes()
    for broken in (b"", b"{", whole[:-1], whole[:32] + pickle.dumps(({"n.x": {"sg": "wrong"}},)), whole[:-3] + b"???"):
        copy.write_bytes(broken)
        assert read() == {"sg": "one"}
    file.write_text("n.x: {sg: other}\n", encoding="utf-8")
    assert read() == {"sg": "other"}
    (tmp_path / "no folder").write_text("")
    monkeypatch.setenv(cache.CACHE_ENV, str(tmp_path / "no folder"))
    assert read() == {"sg": "other"}
    monkeypatch.setenv(cache.CACHE_ENV, "off")
    assert read() == {"sg": "other"}


@pytest.mark.long
def test_broken_files_fall_back_to_english(game):
    path = catalogue_path(game / "locale", "it", "pond")
    path.parent.mkdir(parents=True)
    for content in (b'msgid "', b"\xff\xfe\x00", b'msgctxt "enter"\nmsgid 3\n'):
        path.write_bytes(content)
        (game / "locale/it/lexicon").mkdir(exist_ok=True)
        (game / "locale/it/lexicon/pond.yaml").write_bytes(content)
        assert game_localizer("it", "pond", game, TEXTS).text("left", n=1) == "1 frog left"


def test_option_value_is_rendered_by_its_text_or_its_name(make_localizer):
    words = make_localizer("en", english={"yes": "yes", "no": "no", "variant.laps.name": "Laps", "variant.laps.3": "three times round",
                                          "variant.storm.true": "a storm"})
    assert [
        words.option_value_text(*pair) for pair in [("weather", "light_rain"), ("storm", True), ("storm", False), ("laps", 2), ("laps", 3)]
    ] == ["light rain", "a storm", "no", "2", "three times round"]
    assert words.option_value_text("laps", "name") == "name"                  # this text names the option itself


def test_embedded_sentence_has_no_capital_and_no_full_stop():
    texts = {"event.a": "Hearts are broken: they may be led.", "event.b": "{who}~the wins.", "event.c": "IV. wins.", "T.ant.name": "ant"}
    en = Localizer("en", [], texts)
    assert en.clause(en.statement("event.a")) == "hearts are broken: they may be led"
    assert en.clause(en.statement("event.b", who=Noun("T.ant"))) == "the ant wins"
    assert en.clause(en.statement("event.b", who=ProperName("Anna"))) == "Anna wins"
    assert en.clause(en.statement("event.c")) == "IV. wins"
    assert en.value(en.statement("event.b", who=Noun("T.ant"))) == "The ant wins."


@pytest.mark.parametrize("lang, said", [("en", "it rains, so stay; or it is dry"), ("it", "it rains, so stay; o it is dry"),
                                        ("es", "it rains, so stay; o it is dry"), ("hu", "it rains, so stay; vagy it is dry")])
def test_semicolons_separate_items_with_commas(lang, said):
    words = engine_localizer(lang)
    assert words.list(["it rains, so stay", "it is dry"], "or") == said
    assert ";" not in words.list(["d3 (grub, seed)", "d4", "d5"])


def test_negative_number_is_shown_with_minus_and_read_with_either_sign():
    for lang, said in (("en", "−12,345.5"), ("it", "−12.345,5"), ("es", "−12.345,5"), ("hu", "−12\u00a0345,5")):
        words = engine_localizer(lang)
        assert words.format_number(-3) == words.value(-3) == "−3" and words.format_number(-12345.5, 1) == said
    assert parse_int("−3", signed=True) == parse_int("-3", signed=True) == -3 and normalize("−3") == normalize("-3")


def test_range_of_one_number_is_written_as_that_number():
    en = engine_localizer("en")
    assert en.range_text("why.amount", 2, 3) == "a number from 2 to 3" and en.range_text("why.amount", 2, 2) == "the number 2"


@pytest.mark.parametrize("lang", ["en", "it", "es", "hu"])
def test_the_name_of_a_player_has_no_article(lang):
    words = Localizer(lang, [], {"event.wins": "{who}~the", "Player.anna.name": "Anna", "Player.white.name": "white"})
    assert words.text("event.wins", who=Noun("Player.anna")) == "Anna" and words.text("event.wins", who=Noun("Player.white")) != "white"
