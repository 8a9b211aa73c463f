"""Checks that each diagnostic code has a message, and that the passes supply the arguments of its message."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
import yaml
from ludoglot.dsl.diagnostics import diagnostic
from ludoglot.dsl.diagnostics.diagnostic import fill_template, load_codes, load_hints

ROOT = Path(__file__).parent.parent.parent
PYTHON = sorted([*ROOT.glob("dsl/**/*.py"), *ROOT.glob("engine/**/*.py")])
CODE = re.compile(r"[A-Z]\d{3}")
OTHER_ARGUMENTS = {"hint", "also", "clause"}                       # arguments of Findings.add that no sentence uses
FIELD = re.compile(r"\{(\w+)\}")


@cache
def list_passed_arguments() -> dict[str, list[set[str]]]:
    """Returns the names of the arguments at each place that reports a code of the language.

    Other parts of the engine report through helpers, which add arguments.
    """
    found: dict[str, list[set[str]]] = defaultdict(list)
    for path in [*ROOT.glob("dsl/**/*.py"), ROOT / "engine" / "position" / "position.py"]:
        text = path.read_text(encoding="utf-8")
        parsed = ast.parse(text)
        told = set()
        for node in ast.walk(parsed):
            if not isinstance(node, ast.Call) or not node.args or any(word.arg is None for word in node.keywords):
                continue
            for code in list_possible_codes(node.args[0], parsed):
                told.add(code)
                given = {word.arg for word in node.keywords if word.arg} - OTHER_ARGUMENTS
                for given_as_dict in (arg for arg in node.args[1:] if isinstance(arg, ast.Dict)):        # Diagnostic(code, place, {...})
                    given |= {key.value for key in given_as_dict.keys if isinstance(key, ast.Constant)}
                found[code].append(given)
        for code, rest in set(re.findall(r"fault\('([A-Z]\d{3})'([^)]*)\)", text)):                             # in compiled rules
            if code not in told:
                found[code].append(set(re.findall(r"(\w+)=", rest)))
    return found


def list_possible_codes(node: ast.expr, parsed: ast.Module) -> set[str]:
    """Returns the codes that an expression can be: a literal, or a name with one of two literals."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.fullmatch(node.value):
        return {node.value}
    if isinstance(node, ast.Name) and node.id == "code":
        given = [n.value for n in ast.walk(parsed) if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "code"]
        texts = [part.value for value in given for part in ast.walk(value) if isinstance(part, ast.Constant)]
        return {text for text in texts if isinstance(text, str) and CODE.fullmatch(text)}
    return set()


def test_every_code_has_texts_and_all_texts_have_a_code():
    mentioned = {code for path in PYTHON for code in re.findall(r"['\"]([A-Z]\d{3})['\"]", path.read_text(encoding="utf-8"))}
    assert set(load_codes()) == mentioned


@pytest.mark.long_cases("B001", "B002", "B003", "B004", "B005", "B006", "C001", "C002")
@pytest.mark.parametrize("code", sorted(load_codes()))
def test_the_texts_of_a_code(code: str):
    words = load_codes()[code]
    assert set(words) == {"message", "note", "explain"}
    assert all(isinstance(text, str) and text.strip() for text in words.values())
    assert words["message"][-1] in ".!?" and "\n" not in words["message"]
    assert len(words["note"]) <= 50 and words["note"][-1] != "."
    assert words["explain"].rstrip()[-1] not in ",;"
    for given in list_passed_arguments().get(code, []):
        assert set(FIELD.findall(words["message"] + words["note"])) <= given, f"{code} uses a field that one place does not pass"


def test_hints_are_used_and_have_known_fields():
    used = set()
    for path in PYTHON:
        text = path.read_text(encoding="utf-8")
        used |= {key for key in load_hints() if f'"{key}"' in text}
        for key in re.findall(r'hint="(\w+)"', text):
            assert key in load_hints(), key
    assert used == set(load_hints())
    known = {
        "seated_players": {"n", "players"},
        "did_you_mean": {"meant"},
        "known_keys": {"known"},
        "unwrap": set(),
        "over": {"name", "other"},
        "written_so": {"meant"},
        "use_noun": {"meant"},
        "seen_in_play": {"number", "key", "option", "command"},
        "seen_in_set_up": {"command"},
        "fits": {"names"},
        "used_also": {"count"},
        "ask_how_many": {"wanted", "meant"},
        "ask_others": {"name"},
        "ask_owner": {"name"},
        "ask_its_owner": {"owner"},
        "cells_only": {"meant"},
        "parts_in_order": {"order"},
    }
    for key, text in load_hints().items():
        assert set(FIELD.findall(text)) <= known.get(key, {"wanted"})


@pytest.mark.long
def test_codes_are_in_order_and_lines_short():
    text = diagnostic.CODES_FILE.read_text(encoding="utf-8")
    for letter in {code[0] for code in load_codes()}:
        of_letter = [code for code in yaml.safe_load(text)["codes"] if code[0] == letter]
        assert of_letter == sorted(of_letter)
    assert max(map(len, text.splitlines())) <= 140


def test_fields_in_values_are_not_filled():
    assert fill_template("{a} and {b}", {"a": "{b}", "b": "{a.__class__}"}) == "{b} and {a.__class__}"
    assert fill_template("{a} {unknown} {0} {a.b}", {"a": 1}) == "1 {unknown} {0} {a.b}"
