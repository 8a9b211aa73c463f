"""Fixtures, hooks and paths for all tests. Tests need an installed package, and deliberately do not support an uninstalled checkout."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from ludoglot.dsl import cache
from ludoglot.dsl.game import ruleset
from ludoglot.dsl.languages import registry
from ludoglot.dsl.yaml import located_yaml

TESTS = Path(__file__).parent
KEPT = "LUDOGLOT_TESTS_CACHE"         # folder for the program's caches, if several test runs are to share them
HEAVY = ("dominant-species", "evolution", "trias")
if "PYTEST_XDIST_WORKER" not in os.environ:                        # all processes of a run share one folder through the environment
    CACHE = tempfile.TemporaryDirectory(prefix="ludoglot-cache-")
    folder = Path(os.environ.get(KEPT) or CACHE.name)
    os.environ["LUDOGLOT_CACHE"] = str(folder / "program")
    # Tests start hundreds of programs. If Python may not write bytecode, as in many containers, each would compile our modules again.
    # Otherwise, Python and pytest find the bytecode of the last run next to each module.
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
        os.environ["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
sys.path.insert(0, str(TESTS))
import extras  # noqa: E402
import shared_games  # noqa: E402
from tmp_files import filled  # noqa: E402

# Tests create millions of syntax trees, and few of them form cycles. A less frequent garbage collection saves a tenth of the time.
gc.freeze()
gc.set_threshold(100_000, 50, 100)
# A save waits for the disk after each decision, which takes most of the time of many tests. tests/saves checks it with simulated disks.
os.fsync = lambda handle: None
# A run compiles more libraries than a user does. Without this, the first ones are deleted and compiled again.
cache.MAX_FILES_PER_KIND = 10_000


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds `--record`, which writes the current texts and drawings as the expected ones, and `--samples`."""
    parser.addoption("--record", action="store_true", help="write the expected texts anew: look at what has changed in them")
    parser.addoption("--samples", type=int, default=1, metavar="N", help="try N times as many random seeds where a test has them")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Gives a test with `random_seeds(count)` so many seeds, times `--samples`."""
    mark = metafunc.definition.get_closest_marker("random_seeds")
    if mark:
        metafunc.parametrize("seed", range(mark.args[0] * metafunc.config.getoption("samples")))


def extra_of(path: Path) -> str | None:
    """Returns the extra without which a test file cannot be imported, or None."""
    if not path.is_relative_to(TESTS):
        return None
    part = path.relative_to(TESTS).as_posix()
    return next((extra for place, extra in extras.EXTRA_OF_PATH.items() if part == place or part.startswith(f"{place}/")), None)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Ignores a file that cannot be imported because its extra is not installed."""
    extra = extra_of(collection_path)
    return True if extra and not extras.is_installed(extra) else None


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Lists the extras whose tests are left out."""
    missing = extras.list_missing()
    if missing:
        terminalreporter.write_line(f"Left out: tests of the extras {', '.join(missing)}. Install them with: pip install '.[test-all]'")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks long cases, and marks the tests of an extra. Skips the tests of an extra that is not installed."""
    for item in items:
        mark = item.get_closest_marker("extra")
        name = mark.args[0] if mark else extra_of(item.path)
        if name and not mark:
            item.add_marker(pytest.mark.extra(name))
        if name and not extras.is_installed(name):
            item.add_marker(pytest.mark.skip(reason=f"needs pip install '.[{name}]'"))
        is_heavy = item.get_closest_marker("heavy_long") and any(game in item.name for game in HEAVY)
        cases = item.get_closest_marker("long_cases")
        if is_heavy or cases and item.callspec.id in cases.args:
            item.add_marker("long")


@pytest.fixture(scope="session")
def recorded(pytestconfig: pytest.Config) -> Callable[[Path, str], None]:
    """`recorded(path, text)` checks that a text equals the contents of a golden file. With `--record`, it writes the file instead."""
    def compare(path: Path, text: str) -> None:
        if pytestconfig.getoption("--record"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"nothing is expected yet: run with --record\n\n{text}"
        assert text == path.read_text(encoding="utf-8")
    return compare


@pytest.fixture(scope="session")
def rules() -> Path:
    """Returns the folder of the games that ship with Ludoglot."""
    return TESTS.parent / "rules"


@pytest.fixture(scope="session")
def toys() -> Path:
    """Returns the folder of small games that only tests use."""
    return TESTS / "games"


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Path, str, dict[str, dict[str, str]]], None]]:
    """`installed(folder, name, points)` makes a package on the path, with the entry points that its pyproject.toml would declare."""
    def install(folder: Path, name: str, points: dict[str, dict[str, str]]) -> None:
        filled(folder / f"{name.replace('-', '_')}-1.dist-info", {
            "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n",
            "entry_points.txt": "".join(f"[{group}]\n" + "".join(f"{point} = {place}\n" for point, place in named.items())
                                        for group, named in points.items())})
        monkeypatch.syspath_prepend(str(folder))
        registry.clear_caches()
    yield install
    registry.clear_caches()


@pytest.fixture(autouse=True, scope="module")
def nobody_spoils_what_is_shared() -> Iterator[None]:
    """Checks after each test file that no test has changed a shared game. A changed game could make another test fail, or pass."""
    yield
    assert shared_games.changed() == []


@pytest.fixture
def shared_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets commands read the files of a game as usual, but reuse compiled games if the files are the same."""
    monkeypatch.setattr(ruleset, "build_ruleset", shared_games.build)
    monkeypatch.setattr(ruleset, "try_load_ruleset", shared_games.try_load)
    monkeypatch.setattr(located_yaml, "parse_yaml", shared_games.parse_yaml)
