"""Checks that the markers of long tests name cases that exist."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PLUGIN = """
def pytest_collection_modifyitems(items):
    known, named = {}, {}
    for item in items:
        for marker in item.iter_markers("long_cases"):
            name = item.nodeid.split("[")[0]
            named[name] = marker.args
            known.setdefault(name, set()).add(item.callspec.id)
    missing = [f"{name}[{case}]" for name, cases in named.items() for case in cases if case not in known[name]]
    assert named
    print("MISSING", missing)
"""


@pytest.mark.long
def test_each_long_case_exists(tmp_path: Path) -> None:
    """Without this check, a renamed case would run at every commit, and its old name would stay."""
    (tmp_path / "long_case_names.py").write_text(PLUGIN, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-n", "0", "-m", "", "-p", "long_case_names", "tests"]
    run = subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True)
    assert "MISSING []" in run.stdout, [line for line in run.stdout.splitlines() if line.startswith("MISSING")] or run.stderr
