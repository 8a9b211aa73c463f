"""`games`, `schema` and `fmt`."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from .conftest import LANGUAGES


def test_games_are_named_in_the_language(ludoglot):
    pages = {lang: ludoglot("games", "--lang", lang).out for lang in LANGUAGES}
    assert all("tic-tac-toe" in page and "dominant-species" in page for page in pages.values())
    assert "Tris" in pages["it"] and "Tres en raya" in pages["es"] and "Négy a nyerő" in pages["hu"]


def test_games_as_data_are_the_same_in_every_language(ludoglot):
    pages = {ludoglot("games", "--json", "--lang", lang).out for lang in LANGUAGES}
    assert len(pages) == 1
    found = {game["id"]: game for game in json.loads(pages.pop())}
    assert found["dominant-species"]["players"] == [2, 6] and found["hex"] == {"id": "hex", "name": "Hex", "players": [2, 2], "options": {}}
    assert found["dominant-species"]["options"]["dealing"] == {"values": ["lot", "choice"], "default": "lot"}


def test_listing_games_imports_no_parser():
    program = ("import sys\nfrom ludoglot.engine.cli.main import main\nmain(['games'])\n"
               "late = {'lark', 'jsonschema', 'rich', 'prompt_toolkit', 'ludoglot.dsl.ruleset'}\n"
               "print(sorted(late & set(sys.modules)), file=sys.stderr)")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize("name", ["game", "data", "house", "scenario"])
def test_a_schema_is_json(ludoglot, name):
    said = ludoglot("schema", name)
    assert said.code == 0 and json.loads(said.out)["$id"] == f"ludoglot:{name}"


def test_schemas_are_listed(ludoglot):
    assert {"game", "data", "house", "scenario"} <= set(ludoglot("schema").out.split())
