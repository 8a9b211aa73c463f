"""The languages there are, and how the wanted one is found."""

from __future__ import annotations

from collections.abc import Mapping

LANGUAGES = ("it", "es", "hu", "en")
PSEUDO = "xx"                                                       # English with accents in brackets: shows what no catalogue holds
SOURCE = "en"                                                       # the language in which texts are first written


def known_language(wanted: str) -> str | None:
    """The language code meant by `wanted` (`hu`, `hu_HU.UTF-8`, `es-MX`), or None when it is not one of ours."""
    code = wanted.strip().replace("-", "_").split(".")[0].split("@")[0].split("_")[0].lower()
    return code if code in (*LANGUAGES, PSEUDO) else None


def pick_language(option: str | None, environ: Mapping[str, str]) -> str:
    """The language to speak: `--lang`, else LC_ALL, LC_MESSAGES, LANG in that order, else English.

    The first variable that is set decides, as in every other program: `LC_ALL=C` means English even when LANG is Hungarian.
    """
    if option:
        return known_language(option) or SOURCE
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environ.get(variable):
            return known_language(environ[variable]) or SOURCE
    return SOURCE
