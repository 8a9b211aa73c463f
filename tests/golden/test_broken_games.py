"""Compares the diagnostics of every broken game in the gallery with the text file next to it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from golden import hostile
from golden.games import GALLERY, HERE, TOPICS, find_case_folder, load_case, render_findings

CASES = sorted(path for path in GALLERY.glob("*/*") if path.suffix != ".txt" and not path.name.startswith("."))
HOSTILE_NAMES = sorted(hostile.FILES)
DSL = sorted((HERE.parent.parent / "dsl").glob("**/*.py"))
# Codes that no file can cause: for impossible callers, or for bugs of Ludoglot itself.
BEYOND_FILES = {"F000": "a crash in compiled rules", "F006": "a scenario that scripts chance",
                # reported by `check` if every variant has the problem: see mistakes.py
                "W104": "never true", "W105": "a line too long", "W106": "divided by zero"}


def find_expected_text(name: str) -> Path:
    return find_case_folder(name) / (re.sub(r"(\.only|\.game|\.house)?\.(rules|yaml)$", "", name) + ".txt")


@pytest.mark.long_cases("G030-many-coins.yaml", "F009-for-ever.only.rules")
@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_a_broken_game_has_the_expected_findings(case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded):
    monkeypatch.chdir(tmp_path)
    recorded(find_expected_text(case.name), render_findings(case, Path("toy")))


@pytest.mark.long_cases("R003-long-sum.rules", "R402-chain.rules", "Y005-thousands-deep.yaml", "Y014-long-line.yaml", "Y021-values.yaml")
@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_hostile_file_has_the_expected_findings(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded):
    monkeypatch.chdir(tmp_path)
    case = tmp_path / name
    case.write_bytes(hostile.FILES[name])
    recorded(find_expected_text(name), render_findings(case, Path("toy")))


def test_each_expected_text_has_a_case():
    wanted = {find_expected_text(name) for name in [*(case.name for case in CASES), *HOSTILE_NAMES]}
    assert set(GALLERY.glob("*/*.txt")) == wanted
    assert len(wanted) == len(CASES) + len(HOSTILE_NAMES), "two cases have the same name"


def test_each_case_is_in_the_folder_of_its_code():
    assert [path for path in CASES if path.parent != find_case_folder(path.name)] == []
    assert {path.name for path in GALLERY.iterdir()} == set(TOPICS)


def test_each_code_has_a_case():
    shown = set()
    for path in GALLERY.glob("*/*.txt"):
        shown |= set(re.findall(r"^(?:error|warning)\[(\w+)\]", path.read_text(encoding="utf-8"), re.M))
    found_by_the_language = set(re.findall(r"[\"']([A-Z]\d{3})[\"']", "".join(path.read_text(encoding="utf-8") for path in DSL)))
    assert shown | set(BEYOND_FILES) >= found_by_the_language, sorted(found_by_the_language - shown - set(BEYOND_FILES))
    assert not shown & set(BEYOND_FILES)


def test_each_case_shows_the_code_in_its_name():
    for name in [*(case.name for case in CASES), *HOSTILE_NAMES]:
        code = re.match(r"[A-Z]\d{3}", name)
        text = find_expected_text(name).read_text(encoding="utf-8")
        assert (f"[{code[0]}]" in text) if code else (name.startswith("several") or "error[" not in text), name


def test_several_errors_are_reported_in_one_run():
    many = [path for path in GALLERY.glob("*/*.txt") if path.read_text(encoding="utf-8").count("explain ") > 1]
    assert len(many) >= 3


@pytest.mark.parametrize("empty", ["none", "[]", "{}"])
def test_an_empty_value_is_named_as_written(empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    case = tmp_path / "empty.rules"
    case.write_text(f"state number: 0..9\nproc clear(): number = {empty}\n", encoding="utf-8")
    _, findings = load_case(case, Path("toy"))
    assert [(one.code, str(one.args["found"])) for one in findings.errors] == [("R201", empty)]
