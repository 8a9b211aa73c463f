"""Checks every schema with a validator of another project: properties have descriptions and valid examples, and all shipped files fit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.yaml.located_yaml import read_yaml
from ludoglot.dsl.yaml.schema import bundle_schema, schema_names
from ludoglot.engine.cli.console import LocalizedConsole
from ludoglot.engine.cli.loading import load_game
from ludoglot.engine.project.pack_schema import build_pack_schema

ROOT = Path(__file__).parents[2]
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
FILES = [("game", path) for path in ROOT.glob("rules/*/game.yaml")]
FILES += [("data", path.parent / name) for _, path in FILES for name in yaml.load(path.read_text(encoding="utf-8"), LOADER).get("data", [])]
FILES += [("messages", path) for path in ROOT.glob("rules/*/messages.yaml")] + [("messages", ROOT / "engine/i18n/messages.yaml")]
FILES += [("clauses", path) for path in ROOT.glob("rules/*/clauses.yaml")] + [("table", path) for path in ROOT.glob("rules/*/table.yaml")]
FILES += [("equivalent", path) for path in ROOT.glob("rules/*/equivalent.yaml")]
FILES += [("lexicon", path) for path in ROOT.glob("locale/*/lexicon/*.yaml")]
FILES += [("house", path) for path in [*ROOT.glob("docs/examples/*.yaml"), *ROOT.glob("docs/examples/packs/**/*.yaml")]]
FILES += [("scenario", path) for path in sorted(ROOT.glob("rules/*/tests/*.yaml"))[::6]]


def make_validator(schema: dict[str, Any]) -> Draft202012Validator:
    Draft202012Validator.check_schema(schema)                      # much slower than the validation of a file
    return Draft202012Validator(schema)


@cache
def file_validator(name: str) -> Draft202012Validator:
    """Returns the validator for files of one kind."""
    return make_validator(bundle_schema(name))


@cache
def pack_validator(game: str) -> Draft202012Validator:
    """Returns the validator for packs of house rules for one game."""
    return make_validator(build_pack_schema(load_game(LocalizedConsole("en"), game), "en"))


def iter_properties(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields every property that a schema describes, with its path. Skips properties in conditions."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "properties" and isinstance(value, dict):
                for name, inner in value.items():
                    yield "/".join((*path, name)), inner
                    yield from iter_properties(inner, (*path, name))
            elif key not in ("properties", "if", "examples"):
                yield from iter_properties(value, (*path, key))
    elif isinstance(node, list):
        for n, value in enumerate(node):
            yield from iter_properties(value, (*path, str(n)))


@pytest.mark.long_cases("data", "game", "house")
@pytest.mark.parametrize("name", schema_names())
def test_each_property_has_a_title_description_and_valid_example(name):
    whole = file_validator(name).schema
    found = list(iter_properties({key: value for key, value in whole.items() if key != "$defs"}))
    found += [one for key, part in whole.get("$defs", {}).items() if not key.endswith("_file") for one in iter_properties(part, (key,))]
    for path, given in found:
        target = given
        while "description" not in target and "$ref" in target:
            parts, target = target["$ref"].removeprefix("#/").split("/"), whole
            for part in parts:
                target = target[part]
        assert given.get("title") and target.get("description") and given.get("examples"), (name, path)
        check = Draft202012Validator({**{key: value for key, value in given.items() if key != "examples"}, "$defs": whole.get("$defs", {})})
        for example in given["examples"]:
            assert [error.message for error in check.iter_errors(example)] == [], (name, path)


@pytest.mark.long_cases(
    "game-evolution-game.yaml", "clauses-dominant-species-clauses.yaml", "lexicon-lexicon-dominant-species.yaml2",
    "house-examples-rich-soil.yaml", "house-packs-own-ground.yaml", "house-packs-rich-spring.yaml", "house-packs-volcanoes.yaml",
)
@pytest.mark.parametrize(("name", "path"), FILES, ids=[f"{name}-{path.parent.name}-{path.name}" for name, path in FILES])
def test_shipped_files_match_their_schema(name, path):
    document = read_yaml(path, DiagnosticList())
    assert document is not None
    assert [error.message for error in file_validator(name).iter_errors(json.loads(json.dumps(document.data)))] == []


@pytest.mark.parametrize(("name", "wrong"), [
    ("messages", {"ask.x": 3}), ("messages", {"ask.x": {"one": "A."}}), ("messages", {"3": "Three."}),
    ("lexicon", {"n.coin": "coins"}), ("lexicon", {"coin": {"sg": "coin"}}), ("lexicon", {"n.coin": {"g": "x"}}),
    ("clauses", {"MKT-1": {"text": "x", "was": 3}}), ("game", {"game": "x", "name": "X", "players": 2, "rules": ["x"], "version": 0}),
    ("data", {"numbers": {"all": {"count": "card"}}}), ("data", {"numbers": {"all": {"sum": "Card"}}}),
])
def test_wrong_data_does_not_match(name, wrong):
    assert list(file_validator(name).iter_errors(wrong)) != []


PACKS = sorted((ROOT / "docs/examples/packs").glob("*.yaml"))


@pytest.mark.long
@pytest.mark.parametrize("path", PACKS, ids=[path.stem for path in PACKS])
def test_packs_match_the_schema_of_their_game(path):
    data = json.loads(json.dumps(read_yaml(path, DiagnosticList()).data))
    assert [error.message for error in pack_validator(data["for"]).iter_errors(data)] == []


@pytest.mark.long_cases("evolution-wrong0", "evolution-wrong1", "hex-wrong9")
@pytest.mark.parametrize(("game", "wrong"), [
    ("evolution", {"set": {"opening_hadn": 7}}), ("evolution", {"set": {"opening_hand": "many"}}),
    ("evolution", {"set": {"Trait.running.bars": 3}}), ("evolution", {"set": {"Trait.running.shared": 3}}),
    ("evolution", {"set": {"Face.running_card.traits": "running"}}), ("evolution", {"add": {"Trait.climbing": {"fodo": "two"}}}),
    ("evolution", {"add": {"Trati.climbing": {}}}), ("evolution", {"remove": ["Trait.pircay"]}),
    ("evolution", {"fits": "Trait.pircay.text"}), ("hex", {"for": "evolution"}),
])
def test_typos_in_a_pack_do_not_match_the_schema_of_its_game(game, wrong):
    assert list(pack_validator(game).iter_errors({"house": "x", "for": game, **wrong})) != []


def test_the_schema_of_a_game_lists_its_values_and_steps(ludoglot):
    schema = pack_validator("dominant-species").schema
    assert schema["properties"]["set"]["properties"]["Card.fertile.points"] == {
        "title": "Fertile", "description": "1", "type": ["integer", "object"]}
    steps = {one.get("const"): one.get("title") for one in schema["$defs"]["step"]["properties"]["instead"]["anyOf"]}
    assert "tile" in steps["DS-EXE-DMN-02"] and "turn: survival()" in steps
    removable = {one["const"]: one["title"] for one in schema["properties"]["remove"]["anyOf"][0]["anyOf"]}
    assert removable["Card.fertile"] == "Fertile" and {"proc send", "DS-CRD-BLI-01"} <= set(removable)
    said = ludoglot("schema", "house", "hex")
    assert said.code == 0 and json.loads(said.out)["properties"]["for"]["const"] == "hex"
    assert ludoglot("schema", "table", "hex").code == 2
