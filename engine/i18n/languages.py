"""Find the language that the user wants, and the names and plural rules of languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache

from ...dsl.languages.registry import BUILTIN_LANGUAGES, DEFAULT_PLURALS, find_language, language_codes

# built-in languages: every text of the project exists in them
LANGUAGES = BUILTIN_LANGUAGES
# accented English in brackets: reveals hard-coded texts
PSEUDO_LANGUAGE = "xx"
SOURCE_LANGUAGE = "en"                                                       # language of the source texts
LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")                         # environment variables, strongest first
UNTRANSLATED_LOCALES = ("C", "POSIX")                                       # locales that mean untranslated programs


def parse_language_code(wanted: str) -> str | None:
    """Returns the language code for `wanted` (`hu`, `hu_HU.UTF-8`, `es-MX`), or None if the language is not
    available."""
    code = wanted.strip().replace("-", "_").split(".")[0].split("@")[0].split("_")[0].lower()
    return code if code == PSEUDO_LANGUAGE or find_language(code) is not None else None


def pick_language(option: str | None, environ: Mapping[str, str]) -> str:
    """Returns the language to use: `--lang`, otherwise the language of the environment as in GNU gettext, otherwise
    English.

    The first of LC_ALL, LC_MESSAGES and LANG that is set names the locale. LANGUAGE lists preferred languages,
    separated by colons. It counts only if the locale is not `C` or `POSIX`: `LC_ALL=C` always means English."""
    if option:
        return parse_language_code(option) or SOURCE_LANGUAGE
    locale = next((found for name in LOCALE_VARIABLES if (found := environ.get(name))), UNTRANSLATED_LOCALES[0])
    if is_untranslated(locale):
        return SOURCE_LANGUAGE
    for wanted in [one for one in environ.get("LANGUAGE", "").split(":") if one] or [locale]:
        if is_untranslated(wanted):
            return SOURCE_LANGUAGE
        code = parse_language_code(wanted)
        if code is not None and code != PSEUDO_LANGUAGE:
            return code
    return SOURCE_LANGUAGE


def is_untranslated(locale: str) -> bool:
    """Whether a locale means untranslated programs (`C` or `POSIX`), with or without an encoding."""
    return locale.split(".")[0] in UNTRANSLATED_LOCALES


@cache
def parse_plural_rule(rule: str) -> tuple[int, Callable[[int], int]]:
    """Parses a gettext plural rule. Returns the number of forms, and a function that gives the form for n.

    An invalid rule gives the two forms of English."""
    found = re.fullmatch(r"\s*nplurals\s*=\s*([1-6])\s*;\s*plural\s*=([^;]+);?\s*", rule)
    if rule == DEFAULT_PLURALS or found is None:
        return 2, lambda n: int(n != 1)
    from gettext import c2py
    try:
        form = c2py(found[2])                                       # accepts only integers and operators
    except ValueError:
        return parse_plural_rule(DEFAULT_PLURALS)
    count = int(found[1])
    return count, lambda n: min(max(0, form(abs(n))), count - 1)


def plural_rule_of(lang: str) -> tuple[int, Callable[[int], int]]:
    """Returns the parsed plural rule of a language, or of English for an unknown code."""
    found = find_language(lang)
    return parse_plural_rule(DEFAULT_PLURALS if found is None else found.plural)


def native_language_names() -> dict[str, str]:
    """Returns the native name of each available language by code, built-in languages first."""
    return {code: found.name for code in language_codes() if (found := find_language(code)) is not None}


def language_codes_by_name() -> dict[str, str]:
    """Returns the code of each language by its native name and by its English name."""
    return {name: code for code in language_codes() if (found := find_language(code)) is not None for name in (found.english, found.name)}
