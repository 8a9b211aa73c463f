"""Checks that the pictures of the terminal in docs/pictures match the program. `python docs/pictures/record.py` draws them again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
SESSIONS = yaml.safe_load((PICTURES / "sessions.yaml").read_text(encoding="utf-8"))


@pytest.mark.long
@pytest.mark.extra("docs")
@pytest.mark.parametrize("name", [name for name, session in SESSIONS.items() if "command" in session])
def test_a_picture_matches_the_program(name: str):
    found = subprocess.run([sys.executable, "record.py", "--check", name], cwd=PICTURES, capture_output=True, text=True, timeout=300)
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize("name", SESSIONS)
def test_every_session_has_a_picture(name: str):
    session = SESSIONS[name]
    files = session.get("screens") or [name]
    suffix = "svg" if "command" in session else "png"
    assert all((PICTURES / f"{file}.{suffix}").stat().st_size < 400_000 for file in files)
