"""The registry of languages.

A language is a directory. `language.yaml` describes it, `keywords.yaml` holds the keywords of the rule language, and
catalogues and lexicons hold texts and nouns.

Built-in languages are in `locale/`. Others come from installed packages with entry points in ENTRY_POINT_GROUP. They
never come from the directory of a game or pack, because a language names its grammar, which is code. Entry points are
read once, when a language that is not built in is requested."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

BUILTIN_LANGUAGES = ("it", "es", "hu", "en")                                    # in display order
ENTRY_POINT_GROUP = "ludoglot.languages"
LOCALE_FOLDER = Path(__file__).resolve().parents[2] / "locale"             # next to dsl/, in a checkout and in a wheel
CODE_PATTERN = re.compile(r"[a-z]{2,3}")
LANGUAGE_FILE, KEYWORDS_FILE = "language.yaml", "keywords.yaml"
DEFAULT_PLURALS = "nplurals=2; plural=(n != 1);"
DEFAULT_GRAMMAR = "ludoglot.engine.i18n.grammar.en:English"                # default grammar


@dataclass(frozen=True)
class Language:
    """A language. Its own files are in the directory `locale/code`.

    `name` is its name in itself, `english` its English name, `quotes` its quotation marks, and `grammar` its grammar as
    `module:class`."""

    code: str
    locale: Path
    name: str
    english: str
    plural: str = DEFAULT_PLURALS
    quotes: str = ""
    grammar: str = DEFAULT_GRAMMAR


def find_language(code: str) -> Language | None:
    """Returns the language with this code, or None if it is not installed."""
    locale = LOCALE_FOLDER if code in BUILTIN_LANGUAGES else find_installed().get(code) if CODE_PATTERN.fullmatch(code) else None
    return None if locale is None else read_language(locale, code)


def language_codes() -> tuple[str, ...]:
    """Returns the codes of all available languages, built-in ones first."""
    return (*BUILTIN_LANGUAGES, *find_installed())


@cache
def find_installed() -> dict[str, Path]:
    """Returns the locale directories of languages from packages, by code. This runs no code of a package."""
    from importlib.metadata import entry_points
    from importlib.util import find_spec
    found: dict[str, Path] = {}
    for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name):
        try:
            spec = find_spec(point.value)
        except (ImportError, ValueError):                           # a partly removed package
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
    """Returns the language in `locale/code`, with defaults for missing entries."""
    given = _read_mapping(locale / code / LANGUAGE_FILE)
    known = {key: str(given[key]) for key in ("name", "english", "plural", "quotes", "grammar") if given.get(key)}
    return Language(code, locale, **{"name": code, "english": known.get("name", code), **known})


@cache
def keyword_spellings(code: str) -> Mapping[str, Mapping[str, str]]:
    """Returns the keyword spellings of a language by their English ones: `words` and `folds`."""
    found = find_language(code)
    given = _read_mapping(found.locale / code / KEYWORDS_FILE) if found is not None else {}
    return {part: {str(key): str(value) for key, value in (given.get(part) or {}).items()} for part in ("words", "folds")}


def clear_caches() -> None:
    """Clears the caches, after a package was installed or removed."""
    for kept in (find_installed, read_language, keyword_spellings):
        kept.cache_clear()


def _read_mapping(path: Path) -> dict[str, Any]:
    """Returns the mapping in a YAML file, or an empty one if it cannot be read."""
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError):
        return {}
    return found if isinstance(found, dict) else {}
