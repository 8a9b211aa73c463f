"""Checks `games`, `schema` and `fmt`."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from jsonschema import Draft202012Validator
from ludoglot.dsl.yaml.schema import SCHEMA_FOLDER as SCHEMAS

from .conftest import LANGUAGES


@pytest.mark.long
def test_games_are_listed_in_each_language(ludoglot):
    pages = {lang: ludoglot("games", "--lang", lang).out for lang in LANGUAGES}
    assert all("tic-tac-toe" in page and "dominant-species" in page for page in pages.values())
    assert "Tris" in pages["it"] and "Tres en raya" in pages["es"] and "Négy a nyerő" in pages["hu"]


@pytest.mark.long
def test_games_as_data_are_the_same_in_every_language(ludoglot):
    pages = {ludoglot("games", "--json", "--lang", lang).out for lang in LANGUAGES}
    assert len(pages) == 1
    found = {game["id"]: game for game in json.loads(pages.pop())}
    assert found["dominant-species"]["players"] == [2, 6]
    assert found["hex"] == {"id": "hex", "version": 1, "name": "Hex", "players": [2, 2],
                            "options": {"hexagons_a_side": {"values": [5, 7, 11], "default": 11}}}
    assert found["dominant-species"]["options"]["dealing"] == {"values": ["lot", "choice"], "default": "lot"}


@pytest.mark.long
def test_listing_games_imports_no_parser():
    program = ("import sys\nfrom ludoglot.engine.commands.main import main\nmain(['games'])\n"
               "late = {'lark', 'jsonschema', 'rich', 'prompt_toolkit', 'ludoglot.dsl.game.ruleset'}\n"
               "print(sorted(late & set(sys.modules)), file=sys.stderr)")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize("name", ["game", "data", "house", "scenario"])
def test_a_schema_is_json(ludoglot, name):
    said = ludoglot("schema", name)
    assert said.code == 0 and "$id" not in json.loads(said.out)


def test_schemas_are_listed(ludoglot):
    assert {"game", "data", "house", "scenario"} <= set(ludoglot("schema").out.split())


def collect_undescribed_properties(node, root, out, where=()):
    """Yields every property below a node without a description, either its own or that of its reference."""
    if isinstance(node, list):
        for item in node:
            collect_undescribed_properties(item, root, out, where)
    if not isinstance(node, dict):
        return
    for name, value in (node.get("properties") or {}).items():
        target = value
        while "description" not in target and "$ref" in target:
            for part in ["", *target["$ref"].split("/")[1:]]:
                target = root if not part else target[part]
        if "description" not in target:
            out.append(".".join((*where, name)))
    for name, value in node.items():
        collect_undescribed_properties(value, root, out, (*where, name))


@pytest.mark.parametrize("name", ["game", "data", "scenario", "house"])
def test_a_printed_schema_resolves_by_itself(ludoglot, name):
    printed = json.loads(ludoglot("schema", name).out)
    for ref in re.findall(r'"\$ref": "([^"]*)"', json.dumps(printed)):
        target = printed
        for part in ref.removeprefix("#/").split("/"):
            target = target[part]
        assert ref.startswith("#/") and isinstance(target, dict)


@pytest.mark.parametrize("name", ["game", "data", "scenario"])
def test_a_printed_schema_needs_no_other_file_and_describes_each_property(ludoglot, name):
    printed = json.loads(ludoglot("schema", name).out)
    refs = re.findall(r'"\$ref": "([^"]*)"', json.dumps(printed))
    assert refs and all(ref.startswith("#/$defs/") for ref in refs)
    Draft202012Validator.check_schema(printed)
    found = []
    collect_undescribed_properties(printed, printed, found)
    assert found == [] and printed["title"]


def test_a_printed_schema_validates_games(ludoglot):
    validator = Draft202012Validator(json.loads(ludoglot("schema", "game").out))
    game = {"game": "x", "name": "X", "players": 2, "rules": ["x.rules"],
            "boards": {"b": {"shape": "square", "cells": "Cell", "columns": 3, "rows": 3}}}
    assert list(validator.iter_errors(game)) == []
    for wrong in ("7", 0, -1):
        game["boards"]["b"]["columns"] = wrong
        assert len(list(validator.iter_errors(game))) == 1


def test_schema_files_use_relative_references():
    """References are relative to the file, as an editor resolves them."""
    for path in SCHEMAS.glob("*.json"):
        for ref in re.findall(r'"\$ref": "([^"#]+)#', path.read_text(encoding="utf-8")):
            assert (path.parent / ref).is_file()
