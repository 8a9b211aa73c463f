"""Checks that findings in other languages contain no English: key values and file faults have words in every language."""

from __future__ import annotations

import re

import pytest
import yaml
from ludoglot.dsl.diagnostics.diagnostic import CODES_FILE, Diagnostic, DiagnosticList, Phrase, SourceSpan, load_codes
from ludoglot.dsl.diagnostics.render import message_text
from ludoglot.dsl.syntax.expected import TERMINAL_PHRASES
from ludoglot.dsl.syntax.parse import parse
from ludoglot.dsl.yaml.located_yaml import YAML_PROBLEMS, LocatedYaml, describe_yaml_problem, parse_yaml
from ludoglot.dsl.yaml.schema import load_schema, schema_names, validate
from ludoglot.engine.i18n import engine_localizer

OTHER_LANGUAGES = ("it", "es", "hu")
PHRASE_NAMES = sorted(yaml.safe_load(CODES_FILE.read_text(encoding="utf-8"))["phrases"])
# Words that only English has. Quotations from a file are not checked.
ENGLISH_WORDS = re.compile(r"\b(the|of|must|cannot|with|without|but|and|this|that|here|text|number|whole|nothing|keys|values|name|line|end|"
                           r"expected|found|character|missing|unknown|block)\b")
QUOTED_TEXT = re.compile(r"`[^`]*`|“[^”]*”|«[^»]*»|„[^”]*”|\"[^\"]*\"")


def find_english_words(text: str) -> list[str]:
    return [match[0] for match in ENGLISH_WORDS.finditer(QUOTED_TEXT.sub(" ", text))]


@pytest.mark.parametrize("lang", OTHER_LANGUAGES)
def test_phrases_are_translated(lang: str):
    for name in PHRASE_NAMES:
        said = message_text(
            Diagnostic("Y012", SourceSpan("x"), {"found": "5", "wanted": Phrase(name, (("char", "%"),))}),
            engine_localizer(lang).diagnostic_text,
        )
        assert not find_english_words(re.sub(r": [a-z, ]+(?=[.,])|#rrggbb", "", said)), said    # keys are the same in every language


def test_phrases_named_by_schemas_exist():
    used: set[str] = set()

    def walk(node: object) -> None:
        if isinstance(node, dict):
            used.update({node["x-phrase"]} if "x-phrase" in node else ())
        for part in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
            walk(part)
    for name in schema_names():
        walk(load_schema(name))
    assert used and used <= set(PHRASE_NAMES)


@pytest.mark.parametrize("lang", OTHER_LANGUAGES)
@pytest.mark.parametrize(("data", "schema_name"), [
    ({"players": "many"}, "game"), ({"rules": "x.rules"}, "game"), ({"name": ["x"]}, "game"), ({"numbers": 3}, "game"),
    ({"players": {"from": 2}}, "game"), ({"panels": [3]}, "table"), ({"watch": [3]}, "table"),
    ({"colours": {"Player": {"red": [1]}}}, "table"),
    ({"scenarios": [{"name": 3}]}, "scenario"), ({"scenarios": [{"expect": {"law": 3}}]}, "scenario"), ({"moves": 3}, "notation"),
])
def test_expected_values_are_described_in_the_language(lang: str, data: dict[str, object], schema_name: str):
    findings = DiagnosticList()
    validate(LocatedYaml(data, "x.yaml"), schema_name, findings)
    wrong = [found for found in findings.items if found.code == "Y012"]
    assert wrong
    for found in wrong:
        said = message_text(found, engine_localizer(lang).diagnostic_text)
        assert not find_english_words(re.sub(r": [a-z, ]+(?=[.,])", "", said)), said


BROKEN_YAML = ["a: b: c", "a: [1, 2", "a: {b: 1", "a:\n  - 1\n b: 2", "a: %x", 'a: "\\q"', "a: *b", "a: 1\n---\nb: 2",
               "- a\nb: 1", "? [1]\n: 2", "a: 'x", "a:\n\t- 1", "a: @x", "a: |\n  x\n y", "a: \x01",
               "a: &x 1\nb: &x 2", "a: !!python/name:os x", "[a, b]: 1"]


@pytest.mark.parametrize("lang", OTHER_LANGUAGES)
@pytest.mark.parametrize("text", BROKEN_YAML)
def test_yaml_errors_are_described_in_the_language(lang: str, text: str):
    findings = DiagnosticList()
    parse_yaml(text, "x.yaml", findings)
    for found in findings.items:
        assert not find_english_words(message_text(found, engine_localizer(lang).diagnostic_text)), found


def test_yaml_parser_errors_have_phrases():
    assert {describe_yaml_problem(text).name for text in ("could not find expected ':'", "found unknown escape character 'q'", "?")} == {
        "yaml_colon", "yaml_escape", "yaml_other"}
    assert set(YAML_PROBLEMS.values()) <= set(PHRASE_NAMES) and {f"syntax_{name}" for name in TERMINAL_PHRASES.values()} <= set(
        PHRASE_NAMES
    )


@pytest.mark.parametrize("lang", OTHER_LANGUAGES)
@pytest.mark.parametrize("line", ["state x:", "def f(", "proc p: choose", "state 5: int", "phase game: x = ", "def f() = 1 +", "proc p:"])
def test_expected_syntax_is_described_in_the_language(lang: str, line: str):
    findings = DiagnosticList()
    parse(line + "\n", "x.rules", findings)
    assert findings.items
    for found in findings.items:
        assert not find_english_words(message_text(found, engine_localizer(lang).diagnostic_text)), found


@pytest.mark.parametrize("lang", OTHER_LANGUAGES)
def test_diagnostics_contain_no_english(lang: str):
    words = engine_localizer(lang)
    for code in load_codes():
        for key in (f"diagnostic.{code}.message", f"diagnostic.{code}.note"):
            said = words.text(key, **dict.fromkeys(words.names(key), "5")) if words.has(key) else ""
            assert not find_english_words(said), said
