"""What goes wrong, told in the language that the program asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ...dsl.diagnostics.diagnostic import Diagnostic, RulesRejectedError
from ...dsl.diagnostics.render import render_all
from ..i18n import engine_localizer
from ..library.load import SelectionError
from ..match.setup import SaveError
from ..notation import NotationError
from ..position.position import RuleError


class ApiError(Exception):
    """What was asked cannot be done; the message says why, in the language of the game that was loaded."""


def engine_sentence(lang: str, key: str, /, **args: Any) -> str:
    """A sentence of the engine's catalogue, with what was most likely meant behind it where that is known."""
    words = engine_localizer(lang)
    said = words.text(key, **args)
    return f"{said} {words.text('cli.meant', meant=args['meant'])}" if args.get("meant") else said


def format_findings(lang: str, findings: Iterable[Diagnostic]) -> str:
    """What is wrong with a game, in frames."""
    return render_all(list(findings), engine_localizer(lang).diagnostic_text)


@contextmanager
def raise_api_errors(lang: str) -> Iterator[None]:
    """What goes wrong inside is raised as ApiError, told in a language."""
    try:
        yield
    except (SelectionError, SaveError, NotationError) as error:
        raise ApiError(engine_sentence(lang, error.key, **error.args_)) from error
    except RulesRejectedError as error:
        raise ApiError(format_findings(lang, error.findings.in_source_order())) from error
    except RuleError as error:
        raise ApiError(format_findings(lang, [error.diagnostic])) from error
