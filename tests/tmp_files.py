"""Helpers that write files for tests, or import scripts from bench/."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

BENCH = Path(__file__).parent.parent / "bench"


def filled(folder: Path, texts: dict[str, str]) -> Path:
    """Writes these files into a folder, by their relative paths. Other files in the folder stay."""
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def bench(name: str) -> ModuleType:
    """Imports a script of bench/ in the same way as its own command."""
    if str(BENCH) not in sys.path:
        sys.path.append(str(BENCH))
    return importlib.import_module(name)
