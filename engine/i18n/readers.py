"""The files of words as plain data: catalogues (.po), lexicons and messages (YAML). Each reader takes a path and forgives everything;
the tools in catalogue.py and check.py are the ones that complain."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from ...dsl.diagnostics.diagnostic import CODES_FILE, Findings
from ...dsl.diagnostics.safe_read import read_bytes
from ...dsl.languages.registry import LOCALE, language
from ...dsl.yaml.located_yaml import read_yaml
from ...dsl.yaml.option_clauses import under_choices
from ...dsl.yaml.po_files import read_catalogue as catalogue_in
from .text_cache import remembered

Text: TypeAlias = "str | tuple[str, ...]"                           # several: by the plural rule, in English for n = 1 and any other
Entry: TypeAlias = tuple[Text, Text]                                # English, translation
WITH = "with."                                                      # keys of what a clause says under a choice
ENGINE = "ludoglot"                                                 # gettext domain of what players read of the engine
DIAGNOSTICS = "diagnostics"                                         # and of what authors of rules read: loaded only when it is needed
MESSAGES_FILE = Path(__file__).resolve().parent / "messages.yaml"
SHIPPED = LOCALE                                                    # what the house says; a language of a package has its own place for it


def catalogue_path(locale: Path, lang: str, domain: str) -> Path:
    return locale_of(locale, lang) / lang / "LC_MESSAGES" / f"{domain}.po"


def lexicon_path(locale: Path, lang: str, domain: str) -> Path:
    return locale_of(locale, lang) / lang / "lexicon" / f"{domain}.yaml"


def locale_of(locale: Path, lang: str) -> Path:
    """The locale folder of a language: what a package's language says of the engine and the games of the house lies in the package."""
    found = language(lang) if locale == SHIPPED else None
    return locale if found is None else found.locale


def read_catalogue(path: Path) -> dict[str, Entry]:
    """Key → (English, translation) of a .po file, without the empty and the fuzzy; nothing when it cannot be read."""
    found: dict[str, Entry] = remembered(path, _catalogue)
    return found


def read_lexicon(path: Path) -> dict[str, dict[str, str]]:
    """Noun key → form name → form."""
    raw = remembered(path, _mapping)
    return {key: {str(form): str(word) for form, word in entry.items()} for key, entry in raw.items() if isinstance(entry, Mapping)}


def read_messages(path: Path) -> dict[str, Text]:
    """Key → English of a `messages.yaml`; a text that turns on the number n is written `{one: …, other: …}`."""
    found: dict[str, Text] = remembered(path, _messages)
    return found


def read_clauses(path: Path) -> dict[str, Text]:
    """`clause.ID` → sentence of a `clauses.yaml`, and `with.ID.option.value`, what it says under that choice; the others are left out."""
    found: dict[str, Text] = {}
    for clause, value in remembered(path, _mapping).items():
        if (text := clause_text(value)) is not None:
            found[f"clause.{clause}"] = text
        found |= {choice_key(clause, option, chosen): said for option, chosen, said in under_choices(value) if said is not None}
    return found


def choice_key(clause: str, option: str, value: object) -> str:
    """The key of what a clause says where an option has this value."""
    return f"{WITH}{clause}.{option}.{str(value).lower() if isinstance(value, bool) else value}"


def read_codes(path: Path = CODES_FILE) -> dict[str, Text]:
    """`diagnostic.CODE.message` (.note, .explain), `hint.NAME`, `frame.NAME` and `phrase.NAME` → English of the list of diagnostics."""
    found: dict[str, Text] = remembered(path, _codes)
    return found


def is_prose(key: str) -> bool:
    """Whether a text has no fields: the explanation of a diagnostic, which shows rules and YAML with braces of their own."""
    return key.startswith("diagnostic.") and key.endswith(".explain")


def as_text(value: Any) -> Text | None:
    """A text as it may stand in a messages file, or None."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and set(value) == {"one", "other"} and all(isinstance(v, str) for v in value.values()):
        return (value["one"], value["other"])
    return None


def clause_text(value: Any) -> str | None:
    """The sentence of an entry of a clauses file, or None: `"sentence"` or `{text: "sentence", …}`."""
    text = value.get("text") if isinstance(value, Mapping) else value
    return text if isinstance(text, str) else None


def _text(value: Any) -> Text:
    return value if isinstance(value, str) else tuple(value)


def _mapping(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    document = read_yaml(path, Findings())
    return {str(k): v for k, v in document.data.items()} if document and isinstance(document.data, dict) else {}


def _messages(path: Path) -> dict[str, Text]:
    return {str(key): text for key, value in _mapping(path).items() if (text := as_text(value)) is not None}


def _codes(path: Path) -> dict[str, Text]:
    raw = _mapping(path)
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


def _catalogue(path: Path) -> dict[str, Entry]:
    try:
        catalogue = catalogue_in(read_bytes(path))
    except (OSError, ValueError):
        return {}
    return {message.context: (_text(message.id), _text(message.string)) for message in catalogue
            if message.id and message.context and not message.fuzzy
            and (all(message.string) if isinstance(message.string, tuple | list) else message.string)
            and isinstance(message.id, str) == isinstance(message.string, str)}
