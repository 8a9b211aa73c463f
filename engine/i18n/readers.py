"""Read text files as plain data: catalogues (.po), lexicons and messages (YAML).

The readers ignore all errors. The modules catalogue.py and check_texts.py report them.

Results are cached in the user's cache folder: parsing the texts of a large game takes 0.1 seconds, loading the cache
a few milliseconds. Keys are hashes of the file's content and of the program that reads it. A damaged entry counts as
missing (dsl/cache)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from ...dsl.cache import read_cached
from ...dsl.diagnostics.diagnostic import CODES_FILE, DiagnosticList
from ...dsl.diagnostics.safe_read import read_bytes
from ...dsl.languages.registry import LOCALE_FOLDER, find_language
from ...dsl.yaml.located_yaml import read_yaml
from ...dsl.yaml.option_clauses import iter_option_sentences
from ...dsl.yaml.po_files import read_catalogue as catalogue_in

Text: TypeAlias = "str | tuple[str, ...]"                           # a tuple has one text per plural form; in English: n = 1, others
CatalogueEntry: TypeAlias = tuple[Text, Text]                                # English, translation
OPTION_CLAUSE_PREFIX = "with."                                                      # key prefix of a clause's sentence under an option
ENGINE_DOMAIN = "ludoglot"                                                 # gettext domain of the engine's texts for players
# gettext domain for authors of rules, loaded on demand
DIAGNOSTICS_DOMAIN = "diagnostics"
MESSAGES_FILE = Path(__file__).resolve().parent / "messages.yaml"
# texts in the built-in languages
SHIPPED_LOCALE = LOCALE_FOLDER


def catalogue_path(locale: Path, lang: str, domain: str) -> Path:
    return locale_folder_of(locale, lang) / lang / "LC_MESSAGES" / f"{domain}.po"


def lexicon_path(locale: Path, lang: str, domain: str) -> Path:
    return locale_folder_of(locale, lang) / lang / "lexicon" / f"{domain}.yaml"


def locale_folder_of(locale: Path, lang: str) -> Path:
    """Returns the locale folder of a language. The folder of a language package has its texts for the engine and the
    built-in games."""
    found = find_language(lang) if locale == SHIPPED_LOCALE else None
    return locale if found is None else found.locale


def read_catalogue(path: Path) -> dict[str, CatalogueEntry]:
    """Returns key → (English, translation) of a .po file, without empty and fuzzy entries. Empty if the file cannot
    be read."""
    found: dict[str, CatalogueEntry] = read_cached(path, _load_catalogue)
    return found


def read_lexicon(path: Path) -> dict[str, dict[str, str]]:
    """Returns noun key → form name → form."""
    raw = read_cached(path, _load_mapping)
    return {key: {str(form): str(word) for form, word in entry.items()} for key, entry in raw.items() if isinstance(entry, Mapping)}


def read_messages(path: Path) -> dict[str, Text]:
    """Returns key → English of a `messages.yaml`. A text that depends on the number n is written `{one: …, other:
    …}`."""
    found: dict[str, Text] = read_cached(path, _load_messages)
    return found


def read_clauses(path: Path) -> dict[str, Text]:
    """Returns the sentences of a `clauses.yaml`: `clause.ID`, and `with.ID.option.value` for a sentence under a
    chosen option.

    Clauses without a sentence are left out."""
    found: dict[str, Text] = {}
    for clause, value in read_cached(path, _load_mapping).items():
        if (text := clause_text(value)) is not None:
            found[f"clause.{clause}"] = text
        found |= {
            option_clause_key(clause, option, chosen): said for option, chosen, said in iter_option_sentences(value) if said is not None
        }
    return found


def option_clause_key(clause: str, option: str, value: object) -> str:
    """Returns the key of a clause's sentence when an option has this value."""
    return f"{OPTION_CLAUSE_PREFIX}{clause}.{option}.{str(value).lower() if isinstance(value, bool) else value}"


def read_codes(path: Path = CODES_FILE) -> dict[str, Text]:
    """Returns key → English of the list of diagnostics.

    The keys are `diagnostic.CODE.message` (.note, .explain), `hint.NAME`, `frame.NAME` and `phrase.NAME`."""
    found: dict[str, Text] = read_cached(path, _load_codes)
    return found


def is_prose(key: str) -> bool:
    """Whether a text has no fields: the explanation of a diagnostic, which may contain rules and YAML with braces."""
    return key.startswith("diagnostic.") and key.endswith(".explain")


def parse_text(value: Any) -> Text | None:
    """Returns a value of a messages file as a text, or None if it is not a text."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and set(value) == {"one", "other"} and all(isinstance(v, str) for v in value.values()):
        return (value["one"], value["other"])
    return None


def clause_text(value: Any) -> str | None:
    """Returns the sentence of an entry of a clauses file, or None: `"sentence"` or `{text: "sentence", …}`."""
    text = value.get("text") if isinstance(value, Mapping) else value
    return text if isinstance(text, str) else None


def _normalize_text(value: Any) -> Text:
    return value if isinstance(value, str) else tuple(value)


def _load_mapping(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    document = read_yaml(path, DiagnosticList())
    return {str(k): v for k, v in document.data.items()} if document and isinstance(document.data, dict) else {}


def _load_messages(path: Path) -> dict[str, Text]:
    return {str(key): text for key, value in _load_mapping(path).items() if (text := parse_text(value)) is not None}


def _load_codes(path: Path) -> dict[str, Text]:
    raw = _load_mapping(path)
    found: dict[str, Text] = {}
    for code, entry in (raw.get("codes") or {}).items():
        for part, text in (entry if isinstance(entry, Mapping) else {}).items():
            if isinstance(text, str):
                found[f"diagnostic.{code}.{part}"] = text
    for section, kind in (("hints", "hint"), ("frame", "frame"), ("phrases", "phrase")):
        for name, text in (raw.get(section) or {}).items():
            if isinstance(text, str):
                found[f"{kind}.{name}"] = text
    return found


def _load_catalogue(path: Path) -> dict[str, CatalogueEntry]:
    try:
        catalogue = catalogue_in(read_bytes(path))
    except (OSError, ValueError):
        return {}
    return {message.context: (_normalize_text(message.id), _normalize_text(message.string)) for message in catalogue
            if message.id and message.context and not message.fuzzy
            and (all(message.string) if isinstance(message.string, tuple | list) else message.string)
            and isinstance(message.id, str) == isinstance(message.string, str)}
