"""Adds all generated pages to the site."""

from __future__ import annotations

from . import api_reference, commands, diagnostics, games, keywords, schemas
from .staging import Stage


def add_generated_pages(stage: Stage, fast: bool, jobs: int) -> None:
    """Adds the pages that are generated from the program."""
    for module in (commands, schemas, diagnostics, api_reference, keywords):
        module.add_pages(stage)
    games.add_pages(stage, fast, jobs)
