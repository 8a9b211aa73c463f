"""Errors of the API, in the language that the program selected."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ...dsl.diagnostics.diagnostic import Diagnostic, RulesRejectedError
from ...dsl.diagnostics.render import render_all
from ..errors import MessageError, missing_package
from ..i18n import engine_localizer
from ..i18n.languages import native_language_names, parse_language_code, pick_language
from ..position.position import RuleError


class ApiError(Exception):
    """Raised if a request cannot be carried out. The message has the reason, in the language of the loaded game."""


def engine_sentence(lang: str, key: str, /, **args: Any) -> str:
    """Returns a text of the engine's catalogue, followed by a suggestion if there is one."""
    return engine_localizer(lang).message(key, **args)


def format_findings(lang: str, findings: Iterable[Diagnostic]) -> str:
    """Returns diagnostics of a game, with their source lines."""
    return render_all(list(findings), engine_localizer(lang).diagnostic_text)


@contextmanager
def raise_api_errors(lang: str) -> Iterator[None]:
    """Converts errors raised inside the context to ApiError, in a language."""
    try:
        yield
    except MessageError as error:
        raise ApiError(engine_sentence(lang, error.key, **error.params)) from error
    except RulesRejectedError as error:
        raise ApiError(format_findings(lang, error.findings.in_source_order())) from error
    except RuleError as error:
        raise ApiError(format_findings(lang, [error.diagnostic])) from error


@contextmanager
def require_extra(extra: str, packages: Iterable[str]) -> Iterator[None]:
    """Marks imports of `ludoglot.api.<extra>`, which needs other packages.

    If one of them is not installed, raises ImportError with the command that installs it, in the language of the
    system."""
    try:
        yield
    except ImportError as error:
        package = missing_package(error, packages)
        if package is None:
            raise
        said = engine_sentence(pick_language(None, os.environ), "api.missing_package", module=f"ludoglot.api.{extra}", package=package,
                               command=f"pip install 'ludoglot[{extra}]'")
        raise ImportError(said, name=error.name) from None


def resolve_language(lang: str, speaker: str = "en") -> str:
    """Returns the language with this tag. Raises ApiError, in the language `speaker`, if it is unknown."""
    found = parse_language_code(lang)
    if found is None:
        raise ApiError(engine_sentence(speaker, "usage.language", name=lang, languages=list(native_language_names())))
    return found
