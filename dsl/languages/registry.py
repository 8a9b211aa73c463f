"""A language is a folder: `language.yaml` with what it is, `keywords.yaml` with the words of the rule language, catalogues and lexicons.

Those of the house lie in `locale/`. Others come from installed packages that name them under the entry points GROUP, never from the folder
of a game or a pack: a language names its grammar, which is code. Entry points are read when a language is wanted that is none of the house,
and once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

BUILTIN_LANGUAGES = ("it", "es", "hu", "en")                                    # in the order in which they are offered
ENTRY_POINT_GROUP = "ludoglot.languages"
LOCALE_FOLDER = Path(__file__).resolve().parents[2] / "locale"             # beside dsl/, in a checkout and in a wheel
CODE_PATTERN = re.compile(r"[a-z]{2,3}")
LANGUAGE_FILE, KEYWORDS_FILE = "language.yaml", "keywords.yaml"
DEFAULT_PLURALS = "nplurals=2; plural=(n != 1);"
DEFAULT_GRAMMAR = "ludoglot.engine.i18n.grammar.en:English"                # of a language that names none


@dataclass(frozen=True)
class Language:
    """`locale`: the folder that holds its own, `locale/code`. `name` is what it calls itself, `english` what English calls it, `quotes` its
    quotation marks, `grammar` where its grammar is, as `module:class`."""

    code: str
    locale: Path
    name: str
    english: str
    plural: str = DEFAULT_PLURALS
    quotes: str = ""
    grammar: str = DEFAULT_GRAMMAR
    slips: tuple[tuple[str, str], ...] = ()                         # what people write by mistake: patterns, each with what stands instead


def find_language(code: str) -> Language | None:
    """The language with this code; None where nothing that is installed brings it."""
    locale = LOCALE_FOLDER if code in BUILTIN_LANGUAGES else find_installed().get(code) if CODE_PATTERN.fullmatch(code) else None
    return None if locale is None else read_language(locale, code)


def language_codes() -> tuple[str, ...]:
    """Every language that can be spoken here, those of the house first."""
    return (*BUILTIN_LANGUAGES, *find_installed())


@cache
def find_installed() -> dict[str, Path]:
    """The locale folders of languages that packages bring, by code. A package is not run for that."""
    from importlib.metadata import entry_points
    from importlib.util import find_spec
    found: dict[str, Path] = {}
    for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name):
        try:
            spec = find_spec(point.value)
        except (ImportError, ValueError):                           # a package that is half gone
            continue
        for folder in spec.submodule_search_locations or () if spec is not None else ():
            if (
                CODE_PATTERN.fullmatch(point.name)
                and point.name not in BUILTIN_LANGUAGES
                and (Path(folder) / point.name / LANGUAGE_FILE).is_file()
            ):
                found.setdefault(point.name, Path(folder))
    return found


@cache
def read_language(locale: Path, code: str) -> Language:
    """The language in `locale/code`; what its file does not say is as usual."""
    given = _read_mapping(locale / code / LANGUAGE_FILE)
    known = {key: str(given[key]) for key in ("name", "english", "plural", "quotes", "grammar") if given.get(key)}
    slips = tuple((str(pattern), str(instead)) for pattern, instead in (given.get("slips") or {}).items())
    return Language(code, locale, **{"name": code, "english": known.get("name", code), **known}, slips=slips)


@cache
def keyword_spellings(code: str) -> Mapping[str, Mapping[str, str]]:
    """How a language spells the words of the rule language, by the English ones: `words` and `folds`."""
    found = find_language(code)
    given = _read_mapping(found.locale / code / KEYWORDS_FILE) if found is not None else {}
    return {part: {str(key): str(value) for key, value in (given.get(part) or {}).items()} for part in ("words", "folds")}


def clear_caches() -> None:
    """Look again, after a package was installed or gone."""
    for kept in (find_installed, read_language, keyword_spellings):
        kept.cache_clear()


def _read_mapping(path: Path) -> dict[str, Any]:
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError):
        return {}
    return found if isinstance(found, dict) else {}
