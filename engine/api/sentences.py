"""What goes wrong, told in the language that the program asked for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...dsl.findings.diagnostics import Diagnostic
from ...dsl.findings.render import render_all
from ..words import engine_words


class ApiError(Exception):
    """What was asked cannot be done; the message says why, in the language of the game that was loaded."""


def sentence(lang: str, key: str, /, **args: Any) -> str:
    """A sentence of the engine's catalogue, with what was most likely meant behind it where that is known."""
    words = engine_words(lang)
    said = words.text(key, **args)
    return f"{said} {words.text('cli.meant', meant=args['meant'])}" if args.get("meant") else said


def finding(lang: str, findings: Iterable[Diagnostic]) -> str:
    """What is wrong with a game, in frames."""
    return render_all(list(findings), engine_words(lang).coded)
