"""Checks that an adapter whose package is missing names the command that installs the package."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

BLOCKING_SCRIPT = """
import sys
for name in {blocked!r}:
    sys.modules[name] = None
import ludoglot.api.{module}
"""


@pytest.mark.parametrize(("module", "blocked"), [
    ("pettingzoo", "numpy"), ("pettingzoo", "pettingzoo"), ("pettingzoo", "gymnasium"), ("openspiel", "numpy"), ("openspiel", "pyspiel"),
    ("gymnasium", "numpy"), ("gymnasium", "gymnasium")])
def test_a_missing_package_is_named_with_the_command(module: str, blocked: str):
    said = subprocess.run([sys.executable, "-c", BLOCKING_SCRIPT.format(blocked=[blocked], module=module)], capture_output=True, text=True,
                          env={**os.environ, "LANGUAGE": "en", "LC_ALL": "C.UTF-8"})
    last = said.stderr.strip().splitlines()[-1]
    assert last == (f"ImportError: ludoglot.api.{module} needs the package {blocked}, which is not installed. Install it with: "
                    f"pip install 'ludoglot[{module}]'")


@pytest.mark.parametrize(("lang", "words"), [("it", "ha bisogno"), ("es", "necesita"), ("hu", "csomag")])
def test_the_message_is_in_the_language_of_the_system(lang: str, words: str):
    code = BLOCKING_SCRIPT.format(blocked=["pettingzoo"], module="pettingzoo")
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**os.environ, "LANGUAGE": lang, "LC_ALL": f"{lang}_XX.UTF-8", "PYTHONUTF8": "1"})
    assert words in said.stderr.strip().splitlines()[-1]


def test_another_missing_module_is_not_blamed_on_the_extra():
    code = BLOCKING_SCRIPT.format(blocked=["hashlib"], module="openspiel")
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install" not in said.stderr.splitlines()[-1]
