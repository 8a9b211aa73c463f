"""Checks the packages of the code. Each module is in one, imports only the listed packages, and is in no import cycle.

Every import counts: at the top of a module, in a function, and for types alone. If two packages that do not import each other need the
same code, it belongs in a third package that both import.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
# For each top-level folder: its packages, the lowest first, and the packages that each may import.
PACKAGES: dict[str, dict[str, set[str]]] = {
    "dsl": {
        "types": set(),
        "diagnostics": {"types"},
        "languages": set(),
        "cache": {"diagnostics"},
        "syntax": {"diagnostics", "languages", "cache"},
        "yaml": {"types", "diagnostics", "cache"},
        "packs": {"types", "diagnostics", "languages", "syntax", "yaml"},
        "model": {"types", "diagnostics", "packs"},
        "check": {"types", "diagnostics", "syntax", "model"},
        "core": {"types", "diagnostics", "syntax", "model", "check"},
        "analysis": {"types", "diagnostics", "core"},
        "storage": {"types", "diagnostics", "model", "core"},
        "ir": {"types", "core", "storage"},
        "lowering": {"types", "model", "core", "analysis", "storage", "ir"},
        "backend_python": {"model", "core", "analysis", "storage", "ir", "lowering"},
        "backend_c": {"types", "storage", "ir", "model", "cache"},
        "game": {"types", "diagnostics", "syntax", "yaml", "packs", "model", "check", "core", "analysis", "storage",
                     "backend_python"},
        "tools": {"diagnostics", "syntax", "check", "core", "ir", "backend_c", "game"},
    },
    "engine": {
        "errors": set(),
        "position": set(),
        "i18n": set(),
        "library": {"errors", "position", "i18n"},
        "bots": {"position"},
        "match": {"errors", "position", "i18n", "bots"},
        "notation": {"errors", "position", "match"},
        "narration": {"position", "i18n", "match"},
        "table_view": {"position", "i18n", "narration"},
        "preview": {"position", "i18n", "bots", "match", "narration", "table_view"},
        "explain": {"position", "i18n", "library", "match", "narration", "table_view"},
        "testing": {"errors", "position", "library", "bots"},
        "rulebook": {"position", "i18n", "library", "match", "narration", "table_view", "testing"},
        "api": {"errors", "position", "i18n", "bots", "library", "match", "notation", "narration", "table_view", "preview", "explain"},
        "lab": {"errors", "position", "i18n", "bots", "match", "narration", "table_view", "explain", "api"},
        "cli": {"errors", "position", "notation", "i18n", "library", "bots", "match", "lab"},
        "project": {"position", "i18n", "library", "narration", "table_view", "testing", "rulebook", "cli"},
        "lsp": {"errors", "i18n", "library", "project"},
        "terminal": {"errors", "position", "i18n", "library", "bots", "match", "narration", "table_view", "preview", "explain", "rulebook",
                     "cli", "project"},
        "web": {"errors", "position", "i18n", "library", "bots", "match", "narration", "table_view", "preview", "explain", "rulebook",
                "project"},
        "commands": {"errors", "position", "notation", "i18n", "library", "bots", "match", "narration", "table_view", "preview", "explain",
                     "testing", "rulebook", "lsp", "lab", "cli", "project", "terminal", "web", "api"},
        "front": {"i18n", "commands", "api"},
    },
}
# The options of mypy's own `strict` that it accepts per module.
STRICT = {"disallow_any_generics", "disallow_subclassing_any", "disallow_untyped_calls", "disallow_untyped_defs",
          "disallow_incomplete_defs", "disallow_untyped_decorators", "warn_return_any", "no_implicit_reexport", "strict_equality",
          "extra_checks"}
Edges = dict[str, set[str]]


def list_modules(top: str) -> dict[str, Path]:
    """Returns the modules of a top-level folder by name: engine.position.view."""
    found = {path.relative_to(ROOT).with_suffix(""): path for path in sorted(ROOT.glob(f"{top}/**/*.py"))}
    return {".".join(name.parts).removesuffix(".__init__"): path for name, path in found.items()}


def iter_imports(path: Path, name: str) -> Iterator[str]:
    """Yields the full names of all imports of a module, without the package name: dsl.types, engine.i18n.readers.Text."""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.removeprefix("ludoglot.") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*base, *filter(None, [node.module])]).removeprefix("ludoglot.")
            yield from (f"{source}.{alias.name}" for alias in node.names)


def build_import_graph(top: str) -> Edges:
    """Returns for each module of a top-level folder the modules of the same folder that it imports."""
    known = list_modules(top)
    found: Edges = {}
    for name, path in known.items():
        wanted = {next((part for part in (full, full.rpartition(".")[0]) if part in known), "") for full in iter_imports(path, name)}
        found[name] = wanted - {"", name}
    return found


def package_of(name: str) -> str:
    """Returns the package of a module, or "" if it has none or is the folder itself."""
    return (name.split(".") + [""])[1]


def find_cycle(needs: Edges) -> list[str]:
    """Returns a cycle of imports, or nothing if there is no cycle."""
    done: set[str] = set()

    def follow(name: str, way: list[str]) -> list[str]:
        if name in way:
            return [*way[way.index(name) :], name]
        if name in done:
            return []
        found = next((way_back for one in sorted(needs.get(name, ())) if (way_back := follow(one, [*way, name]))), [])
        done.add(name)
        return found
    return next((found for name in needs if (found := follow(name, []))), [])


@pytest.mark.parametrize("top", PACKAGES)
def test_each_module_is_in_a_package(top: str):
    for name, path in list_modules(top).items():
        inside = path.parent != ROOT / top and package_of(name) in PACKAGES[top]
        assert inside or name == top, f"{name} has no package: see PACKAGES in {Path(__file__).name}"


@pytest.mark.long
@pytest.mark.parametrize("top", PACKAGES)
def test_a_package_imports_only_listed_packages(top: str):
    for name, needs in build_import_graph(top).items():
        for other in sorted(needs):
            allowed = {package_of(name), *PACKAGES[top].get(package_of(name), ())}
            assert package_of(other) in allowed, f"{name} imports {other}, which its package may not import"


@pytest.mark.parametrize("top", PACKAGES)
def test_packages_may_import_only_lower_packages(top: str):
    before: set[str] = set()
    for name, seen in PACKAGES[top].items():
        assert seen <= before, f"{name} may import {sorted(seen - before)}, which come later"
        before.add(name)


@pytest.mark.long
@pytest.mark.parametrize("top", PACKAGES)
def test_packages_list_only_imports_that_they_need(top: str):
    used: Edges = {}
    for name, needs in build_import_graph(top).items():
        used.setdefault(package_of(name), set()).update(package_of(other) for other in needs)
    for name, seen in PACKAGES[top].items():
        assert seen <= used[name], f"{name} does not need {sorted(seen - used[name])}"


@pytest.mark.long
@pytest.mark.parametrize("top", PACKAGES)
def test_there_are_no_import_cycles(top: str):
    assert not find_cycle(build_import_graph(top))


@pytest.mark.parametrize("top", PACKAGES)
def test_each_package_has_a_docstring(top: str):
    for name in PACKAGES[top]:
        said = ast.get_docstring(ast.parse((ROOT / top / name / "__init__.py").read_text(encoding="utf-8"))) or ""
        assert len(re.findall(r"\w+", said)) >= 15, f"{top}/{name}/__init__.py must describe the package in 15 words or more"


def test_every_package_is_typed_strictly():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    overrides = [section for section in settings["overrides"] if {key for key, value in section.items() if value is True} >= STRICT]
    strict = {name for section in overrides for name in section["module"]}
    assert {f"ludoglot.{top}.*" for top in PACKAGES} <= strict


# ---------------------------------------------------------------- the cycle finder itself


@pytest.mark.parametrize(("needs", "found"), [
    ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
    ({"a": {"b", "c"}, "b": {"c"}, "c": set()}, []),
    ({"a": {"b"}, "b": {"c"}, "c": {"b"}}, ["b", "c", "b"]),
    ({"a": set(), "b": {"b"}}, ["b", "b"]),
])
def test_a_cycle_is_found(needs: Edges, found: list[str]):
    assert find_cycle(needs) == found
