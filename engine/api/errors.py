"""What goes wrong, told in the language that the program asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ...dsl.diagnostics.diagnostic import Diagnostic, Refused
from ...dsl.diagnostics.render import render_all
from ..i18n import engine_words
from ..library.load import Misnamed
from ..match.setup import SaveFault
from ..notation import NotationFault
from ..position.position import RuleError


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


@contextmanager
def in_words(lang: str) -> Iterator[None]:
    """What goes wrong inside is raised as ApiError, told in a language."""
    try:
        yield
    except (Misnamed, SaveFault, NotationFault) as error:
        raise ApiError(sentence(lang, error.key, **error.args_)) from error
    except Refused as error:
        raise ApiError(finding(lang, error.findings.sorted())) from error
    except RuleError as error:
        raise ApiError(finding(lang, [error.diagnostic])) from error
