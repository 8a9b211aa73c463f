"""Checks the shape of the repository: passes go in one direction, the engine knows no game, and the packaging lists every folder."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent.parent
PYTHON = sorted([*ROOT.glob("dsl/**/*.py"), *ROOT.glob("engine/**/*.py")])
# Names of members that are also plain words, reviewed one by one. Each has a line with the reason.
ORDINARY_WORDS = {
    line.split("#")[0].strip() for line in (Path(__file__).parent / "ordinary_words.txt").read_text(encoding="utf-8").splitlines()
} - {""}


def find_imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            found.add("." * node.level + (node.module or ""))
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return found


@pytest.mark.long
def test_the_language_never_imports_the_engine():
    for path in ROOT.glob("dsl/**/*.py"):
        assert not any("engine" in name for name in find_imports(path)), path


@pytest.mark.long
def test_only_the_api_and_its_front_import_the_api():
    for path in PYTHON:
        if {"api", "front"} & set(path.relative_to(ROOT).parts):
            continue
        # A bot class of a user plays through the API: api/own_bots.py calls it.
        assert not any(re.search(r"(^|\.)api(\.(?!own_bots$)|$)", name) for name in find_imports(path)), path


@pytest.mark.long
def test_passes_do_not_import_later_passes():
    order = ["syntax", "check", "core", "analysis", "storage", "ir", "lowering", "backend_python"]
    for n, folder in enumerate(order):
        for path in ROOT.glob(f"dsl/{folder}/*.py"):
            for later in order[n + 1 :]:
                assert not any(name.startswith(f"..{later}") for name in find_imports(path)), f"{path} imports the later pass {later}"


def test_storage_does_not_import_its_callers():
    """The codecs read YAML before a program exists, so they do not depend on programs. The storage modules do not depend on their
    callers."""
    for path in ROOT.glob("dsl/storage/*.py"):
        below = path.stem in ("codec", "canonical", "control_slots")
        later = ("..lowering", "..model.build_model", *(("..core", "..check", "..syntax") if below else ()))
        assert not any(name.startswith(later) for name in find_imports(path)), path


def test_no_python_in_rules():
    assert not list(ROOT.glob("rules/**/*.py"))


def test_modules_have_at_most_800_lines():
    for path in PYTHON:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 800, path


def test_packaging_lists_every_folder():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = set(project["tool"]["setuptools"]["packages"])
    folders = {
        f"ludoglot.{path.parent.relative_to(ROOT).as_posix().replace('/', '.')}"
        for top in ("dsl", "engine")
        for path in ROOT.glob(f"{top}/**/__init__.py")
        if path.parent.relative_to(ROOT).parts[:2] != ("engine", "front")   # it is installed as ludoglot and ludoglot.api
    }
    assert folders == {name for name in listed if name.startswith(("ludoglot.dsl", "ludoglot.engine"))}


def member_names() -> set[str]:
    """Returns the proper names of things in games: members of enums and of pieces."""
    found: set[str] = set()
    for path in ROOT.glob("rules/*/*.yaml"):
        data = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
        for section in ("enums", "pieces"):
            for declared in (data.get(section) or {}).values():
                members = (declared.get("members") or declared.get("copies") or {}) if isinstance(declared, dict) else declared
                found.update(members if isinstance(members, dict | list) else ())
    return {name for name in found if isinstance(name, str) and len(name) > 2}


def code_words(path: Path) -> set[str]:
    """Yields the words in the identifiers and string literals of a module. Comments and docstrings are prose and do not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {id(node.body[0].value) for node in ast.walk(tree)
                  if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
                  and node.body and isinstance(node.body[0], ast.Expr)}
    texts: set[str] = set()
    for node in ast.walk(tree):
        for value in (getattr(node, field, None) for field in ("id", "attr", "arg", "name", "asname", "module")):
            texts |= {value} if isinstance(value, str) else set()
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            texts.add(node.value)
    words = {word for text in texts for word in re.findall(r"[a-z0-9_]+", text.lower())}
    return words | {part for word in words for part in word.split("_")}


@pytest.mark.long
@pytest.mark.parametrize("folder", ["dsl", "engine"])
def test_the_engine_knows_no_game(folder):
    names = member_names() - ORDINARY_WORDS
    used = {path.relative_to(ROOT).as_posix(): names & code_words(path) for path in PYTHON if path.relative_to(ROOT).parts[0] == folder}
    assert not {path: sorted(words) for path, words in used.items() if words}


def test_the_readme_shows_the_rules_of_hex():
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    assert (ROOT / "rules" / "hex" / "hex.rules").read_text(encoding="utf-8").strip() in page
