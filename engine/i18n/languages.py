"""How the wanted language is found, and the names by which people ask for one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache

from ...dsl.languages.registry import BUILTIN_LANGUAGES, DEFAULT_PLURALS, find_language, language_codes

LANGUAGES = BUILTIN_LANGUAGES                                                   # those that every text of the project is said in
# English with accents in brackets: shows what no catalogue holds
PSEUDO_LANGUAGE = "xx"
SOURCE_LANGUAGE = "en"                                                       # the language in which texts are first written
LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")                         # the variables that name the locale, the strongest first
UNTRANSLATED_LOCALES = ("C", "POSIX")                                       # locales in which no program is translated


def parse_language_code(wanted: str) -> str | None:
    """The language code meant by `wanted` (`hu`, `hu_HU.UTF-8`, `es-MX`), or None when it is not one of those that are here."""
    code = wanted.strip().replace("-", "_").split(".")[0].split("@")[0].split("_")[0].lower()
    return code if code == PSEUDO_LANGUAGE or find_language(code) is not None else None


def pick_language(option: str | None, environ: Mapping[str, str]) -> str:
    """The language to speak: `--lang`, else the one that the environment asks for, in the order of GNU gettext, else English.

    The first of LC_ALL, LC_MESSAGES and LANG that is set names the locale. LANGUAGE lists languages that come before it, separated by
    colons, and counts only if the locale is not `C` or `POSIX`: `LC_ALL=C` means English whatever else is set.
    """
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
    """Whether a locale is the one of programs as they were written, with or without an encoding."""
    return locale.split(".")[0] in UNTRANSLATED_LOCALES


@cache
def parse_plural_rule(rule: str) -> tuple[int, Callable[[int], int]]:
    """How many forms a sentence that turns on a number has by such a rule (gettext's own), and which of them is for n; two where the rule
    cannot be read."""
    found = re.fullmatch(r"\s*nplurals\s*=\s*([1-6])\s*;\s*plural\s*=([^;]+);?\s*", rule)
    if rule == DEFAULT_PLURALS or found is None:
        return 2, lambda n: int(n != 1)
    from gettext import c2py
    try:
        form = c2py(found[2])                                       # knows whole numbers and operators, and nothing else
    except ValueError:
        return parse_plural_rule(DEFAULT_PLURALS)
    count = int(found[1])
    return count, lambda n: min(max(0, form(abs(n))), count - 1)


def plural_rule_of(lang: str) -> tuple[int, Callable[[int], int]]:
    """The same for a language; English for what is none."""
    found = find_language(lang)
    return parse_plural_rule(DEFAULT_PLURALS if found is None else found.plural)


def native_language_names() -> dict[str, str]:
    """What each language that is here calls itself, by code: those of the house first."""
    return {code: found.name for code in language_codes() if (found := find_language(code)) is not None}


def language_codes_by_name() -> dict[str, str]:
    """Code by the names that a language is called, its own and the English one."""
    return {name: code for code in language_codes() if (found := find_language(code)) is not None for name in (found.english, found.name)}
