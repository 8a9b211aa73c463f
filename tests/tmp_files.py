"""What tests put on the disk or take from bench/."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

BENCH = Path(__file__).parent.parent / "bench"


def filled(folder: Path, texts: dict[str, str]) -> Path:
    """A folder with these files, by their paths in it; what is there already stays."""
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def bench(name: str) -> ModuleType:
    """A script of bench/, as its own command imports it."""
    if str(BENCH) not in sys.path:
        sys.path.append(str(BENCH))
    return importlib.import_module(name)
