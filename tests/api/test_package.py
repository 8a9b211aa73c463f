"""Checks the package `ludoglot` itself: its version, its public names, its types, and the cost of its import."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from importlib.resources import files

import ludoglot
import ludoglot.api
import pytest


def test_the_version_is_that_of_the_installed_package():
    assert ludoglot.__version__ == version("ludoglot")


def test_the_package_offers_the_names_of_the_api():
    assert set(ludoglot.__all__) == {*ludoglot.api.__all__, "__version__"}
    assert all(getattr(ludoglot, name) is getattr(ludoglot.api, name) for name in ludoglot.api.__all__)
    with pytest.raises(AttributeError, match="no attribute 'unknown'"):
        ludoglot.unknown    # noqa: B018


def test_the_package_is_marked_as_typed():
    assert files("ludoglot").joinpath("py.typed").is_file()


def test_importing_the_package_loads_no_engine():
    code = "import sys, ludoglot; print([name for name in sys.modules if name.startswith('ludoglot.')])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert said.stdout.strip() == "[]"
