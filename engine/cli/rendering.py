"""Diagnostics as text and as data: `dsl/diagnostics/render.py` with messages in the reader's language."""

from __future__ import annotations

from typing import Any

import click

from ...dsl.diagnostics.diagnostic import Diagnostic
from ...dsl.diagnostics.render import diagnostic_data, render_all
from ...dsl.diagnostics.sanitize import SafeText, sanitize
from .console import LocalizedConsole

ROLE_STYLES = {"error": {"fg": "red", "bold": True}, "warning": {"fg": "yellow", "bold": True}, "mark": {"fg": "red"},
           "place": {"fg": "cyan"}, "help": {"fg": "green"}}


def render_findings(voice: LocalizedConsole, findings: list[Diagnostic]) -> str:
    """Returns diagnostics with source excerpts, coloured if standard error is a terminal with colours."""
    import sys
    colour = voice.colour and sys.stderr.isatty()
    if not colour:
        return render_all(findings, lambda key, /, **args: diagnostic_text(voice, key, args))
    return SafeText(render_all(findings, lambda key, /, **args: sanitize(diagnostic_text(voice, key, args)), paint=paint_role))


def diagnostic_text(voice: LocalizedConsole, key: str, args: dict[str, Any]) -> str:
    """Returns a text of a diagnostic code, from the catalogue or else in English."""
    return voice.words.diagnostic_text(key, **args)


def paint_role(role: str, words: str) -> str:
    return click.style(sanitize(words), **ROLE_STYLES.get(role, {}))             # type: ignore[arg-type]


def diagnostic_to_data(found: Diagnostic) -> dict[str, Any]:
    """Returns a diagnostic as in `check --json`: in English, whatever the language."""
    return diagnostic_data(found)
