"""Write the package of a new language: the files of `begun/`, and for each domain a catalogue and a lexicon with
everything to translate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import yaml
from babel import Locale, UnknownLocaleError

from ...dsl.diagnostics.safe_read import read_text
from ...dsl.languages.registry import KEYWORDS_FILE, LANGUAGE_FILE
from ...dsl.syntax.lark_parser import keywords
from .catalogue import update_catalogues
from .check_texts import NounFamilies
from .message_sources import TextDomain
from .readers import lexicon_path
from .template import parse_template

TEMPLATE_FOLDER = Path(__file__).parent / "begun"                           # contains the placeholders CODE, NAME and ENGLISH
TEMPLATE_TARGETS = {
    "pyproject.toml": "pyproject.toml",
    "grammar.py.in": "ludoglot_CODE/grammar.py",
    "init.py.in": "ludoglot_CODE/__init__.py",
    LANGUAGE_FILE: f"ludoglot_CODE/CODE/{LANGUAGE_FILE}",
}


def write_package(folder: Path, code: str, domains: Iterable[TextDomain]) -> None:
    """Writes the files of a package for the language `code`."""
    name, english = language_names(code)

    def fill_placeholders(text: str) -> str:
        return text.replace("CODE", code).replace("NAME", name).replace("ENGLISH", english)
    for source, target in TEMPLATE_TARGETS.items():
        path = folder / fill_placeholders(target)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(fill_placeholders(read_text(TEMPLATE_FOLDER / source)), encoding="utf-8", newline="\n")
    locale = folder / f"ludoglot_{code}"
    table = keywords()
    words = {word: word for part in ("words", "soft") for word in table[part].values()}
    folds = {word: word for word in table["folds"]}
    comment = "The words of the rule language: on the right, those of yours."
    _write_yaml(locale / code / KEYWORDS_FILE, comment, {"words": words, "folds": folds}, False)
    for domain in domains:
        moved = replace(domain, locale=locale)
        update_catalogues(moved, [code])
        nouns = {noun: {"sg": said} for noun, said in iter_nouns(domain)}
        if nouns:
            _write_yaml(lexicon_path(locale, code, domain.name), "Nouns, with the forms that your grammar asks for; sg is the name.", nouns)


def language_names(code: str) -> tuple[str, str]:
    """Returns the native and the English name of a language, or its code if the name is not known."""
    try:
        found = Locale(code)
    except (UnknownLocaleError, ValueError):
        return code, code
    return found.language_name or code, found.english_name or code


def iter_nouns(domain: TextDomain) -> Iterator[tuple[str, str]]:
    """Yields the nouns of a domain with their English names: counted nouns and names of things."""
    own = NounFamilies({message.key: message.english for message in domain.messages})
    counted = {
        field.noun for message in domain.messages for text in message.variants for field in parse_template(text).fields if field.noun
    }
    yield from ((noun, noun.removeprefix("n.").replace("_", " ")) for noun in sorted(counted))
    english = {message.key: message.variants[0] for message in domain.messages}
    for family, members in own.members.items():
        yield from ((noun, english[f"{noun}.name"]) for noun in (family, *members) if f"{noun}.name" in english)


def _write_yaml(path: Path, comment: str, data: object, flow: bool | None = None) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = yaml.safe_dump(data, allow_unicode=True, sort_keys=False, default_flow_style=flow, width=120)
    path.write_text(f"# {comment}\n{text}", encoding="utf-8", newline="\n")
