"""Sentences come from translators and house rules, so their fields can reach only plain names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ludoglot.engine.i18n import LANGUAGES, Localizer, Noun, ProperName
from ludoglot.engine.i18n.template import parse_template, starts_sentence


def test_fields_and_markers():
    (field,) = parse_template("Remove {tile}~the.acc.").fields
    assert (field.name, field.markers, field.noun) == ("tile", ("the", "acc"), None)
    (field,) = parse_template("{n}~the.n.pawn.acc").fields
    assert (field.markers, field.noun) == (("the", "acc"), "n.pawn")


@pytest.mark.parametrize("text, said", [("{x}", "1"), ("{{x}}", "{x}"), ("{x}{x}", "11"), ("{y}", "…"),
    ("{y}~the.", "…."), ("~{x}~", "~1~")])
def test_braces_and_unknown_fields(make_localizer, text, said):
    assert make_localizer("en").render(text, x=1) == said


@pytest.mark.parametrize("text", ["{x.__class__}", "{x[0]}", "{x!r}", "{x:>10}", "{}", "{0}", "{ x }", "{X}",
    "}", "{", "{x", "{x.y}~the", "{x}~n"])
def test_invalid_fields_are_faults_and_remain_unchanged(make_localizer, text):
    assert parse_template(text).faults
    assert make_localizer("en").render(text, x=ProperName("secret")).replace("secret", "{x}") in (text, text.replace("~n", ""))


@pytest.mark.long
@given(st.text(alphabet="{}~.xnaAz() é,\n", max_size=40), st.sampled_from(LANGUAGES),
       st.one_of(st.integers(), st.text(max_size=8), st.builds(ProperName, st.text(max_size=8)), st.builds(Noun, st.text(max_size=8)),
                 st.none(), st.booleans(),
                 st.lists(st.builds(ProperName, st.text(max_size=4)), max_size=4)))
def test_every_text_renders_with_every_marker(text, lang, value):
    words = Localizer(lang, [], {}, {})
    for marker in ("", *sorted(words.grammar.markers)):
        assert isinstance(words.render(text + "{x}" + (f"~{marker}" if marker else "") + text, x=value, n=3), str)


@pytest.mark.parametrize("before, starts", [
    ("", True), ("Ecco. ", True), ("¿", True), ("no, ", False), ("d3.", False), ("Vai! ", True), ("uno: ", False),
    ("«", True), ("riga\n", True), ("1. ", True)])
def test_sentence_starts_are_recognized(before, starts):
    assert starts_sentence(before) is starts


def test_capitals(make_localizer):
    en = make_localizer("en", {}, {"Player.white.name": "white"})
    assert en.render("{p} wins. {p} is happy: {p}!", p=Noun("Player.white")) == "White wins. White is happy: white!"
    assert en.render("{p}: {q}", p=ProperName("d3"), q=Noun("Player.white")) == "d3: white"
    assert en.render("{file} is missing", file="rules/x.yaml") == "rules/x.yaml is missing"
    assert en.render("all {p}~cap", p=Noun("Player.white")) == "all White"
