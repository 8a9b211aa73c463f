"""Checks the files for editors: the highlighting grammar fits the language, and the extension contains every file that it names."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from ludoglot.dsl.syntax.lark_parser import build_parser, keywords
from ludoglot.dsl.tools.textmate import build_grammar, render_grammar
from ludoglot.engine.i18n.localizer import engine_english
from ludoglot.engine.library.find import RULES_FOLDER

ROOT = Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "docs" / "editors" / "vscode"


def test_the_highlighting_grammar_is_up_to_date() -> None:
    assert (EXTENSION / "syntaxes" / "ludoglot.tmLanguage.json").read_text(encoding="utf-8") == render_grammar()


def find_scopes(line: str) -> list[str]:
    """Returns the scope of each character of a line. Like an editor, uses the earliest match, then the first pattern."""
    out, at = [""] * len(line), 0
    while at < len(line):
        found = [(match.start(), n, match, pattern) for n, pattern in enumerate(build_grammar()["patterns"])
                 if (match := re.compile(pattern["match"]).search(line, at)) is not None and match.end() > match.start()]
        if not found:
            break
        _, _, match, pattern = min(found, key=lambda one: one[:2])
        parts = {0: pattern["name"]} if "name" in pattern else {int(n): part["name"] for n, part in pattern["captures"].items()}
        for group, scope in parts.items():
            out[match.start(group) : match.end(group)] = [scope] * (match.end(group) - match.start(group))
        at = match.end()
    return out


def expected_scope(kind: str) -> str:
    """Returns a regular expression for the beginning of a token's scope, or "" if any scope is fine."""
    table = keywords()
    if kind == "FOLD":
        return "support.function"
    if kind in table["words"]:
        return "storage|constant|keyword"
    return {"CITE": "entity.other", "TYPE": "entity.name.type", "INT": "constant.numeric"}.get(kind, "")


@pytest.mark.long
@pytest.mark.parametrize("name", ["hex/hex.rules", "trias/turn.rules", "evolution/rounds.rules"])
def test_tokens_have_the_scope_of_their_kind(name: str) -> None:
    lines = (RULES_FOLDER / name).read_text(encoding="utf-8").split("\n")
    coloured = [find_scopes(line) for line in lines]
    seen = 0
    for token in build_parser().parse_interactive("\n".join(lines)).iter_parse():
        begins = expected_scope(token.type)
        if begins:
            seen += 1
            found = coloured[token.line - 1][token.column - 1]
            assert re.match(begins, found), (token, token.line, found)
    assert seen > 20
    for line, colour in zip(lines, coloured):
        if "#" in line:
            assert colour[-1].startswith("comment")


def test_the_extension_contains_every_file_that_it_names() -> None:
    package = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    contributes = package["contributes"]
    named = [package["main"], *(one["configuration"] for one in contributes["languages"])]
    named += [one["path"] for one in contributes["grammars"]]
    assert all((EXTENSION / name).is_file() for name in named)
    json.loads((EXTENSION / "language-configuration.json").read_text(encoding="utf-8"))
    assert contributes["grammars"][0]["scopeName"] == build_grammar()["scopeName"]
    assert set(re.findall(r'getConfiguration\("(\w+)"\)\.get\("(\w+)"\)', (EXTENSION / "extension.js").read_text(encoding="utf-8"))) == {
        ("ludoglot", "command")} and "ludoglot.command" in contributes["configuration"]["properties"]


def test_every_keyword_has_a_description() -> None:
    table, english = keywords(), engine_english()
    words = [name.strip("_").lower() for name in (*table["words"], *table["soft"])] + [f"fold.{name}" for name in table["folds"]]
    assert [word for word in words if f"keyword.{word}" not in english] == []
    assert [key for key in english if key.startswith("keyword.") and key.removeprefix("keyword.") not in words] == []
