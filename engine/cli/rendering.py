"""Diagnostics as text and as data, in the reader's language: dsl/diagnostics/render.py with the words of the catalogue."""

from __future__ import annotations

from typing import Any

import click

from ...dsl.diagnostics.diagnostic import Diagnostic
from ...dsl.diagnostics.render import as_data, render_all
from ...dsl.diagnostics.sanitize import Shown, visible
from .console import Voice

COLOURS = {"error": {"fg": "red", "bold": True}, "warning": {"fg": "yellow", "bold": True}, "mark": {"fg": "red"},
           "place": {"fg": "cyan"}, "help": {"fg": "green"}}


def rendered(voice: Voice, findings: list[Diagnostic]) -> str:
    """Findings in their frames, coloured where the error stream is a terminal that wants it."""
    import sys
    colour = voice.colour and sys.stderr.isatty()
    if not colour:
        return render_all(findings, lambda key, /, **args: words_for(voice, key, args))
    return Shown(render_all(findings, lambda key, /, **args: visible(words_for(voice, key, args)), paint=paint))


def words_for(voice: Voice, key: str, args: dict[str, Any]) -> str:
    """A text of the list of codes: from the catalogue, else in English."""
    return voice.words.coded(key, **args)


def paint(role: str, words: str) -> str:
    return click.style(visible(words), **COLOURS.get(role, {}))             # type: ignore[arg-type]


def data_of(found: Diagnostic) -> dict[str, Any]:
    """A finding as `check --json` lists it: in English, whatever the language."""
    return as_data(found)
