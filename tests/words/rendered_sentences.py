"""Reads and writes rendered sentences, as in `tests/words/sentences/LANGUAGE.txt`.

The first line of a case contains the catalogue, the key, and the fields. The rendered sentence follows, indented.

    trias event.scored herds=2 n=5 player=Player.red
        Red gains 5 points with 2 herds.

A field holds one of these values:

- a number
- a thing by its key, `Animal.bird`, or one of several alike, `Courier.rider#2`
- a person's name or a label, `"d4"`
- a player who has no name, `seat:1`
- a number of things, `3*Element.grass`
- `none`, `yes`, `no`
- a list of these, `[1,2]`
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ludoglot.engine.i18n import Localizer, Noun, ProperName
from ludoglot.engine.i18n.arguments import CountedNoun, DeferredMessage, TextValue
from ludoglot.engine.i18n.readers import DIAGNOSTICS_DOMAIN, ENGINE_DOMAIN, SHIPPED_LOCALE, catalogue_path, read_catalogue

FOLDER = Path(__file__).parent / "sentences"
INDENT = "    "
PLAIN_VALUES = {"none": None, "yes": True, "no": False}
SEAT_PREFIX = "seat:"
FIELD_PATTERN = re.compile(r'(\w+)=("[^"]*"|\[[^\]]*\]|\S+)')
ITEM_PATTERN = re.compile(r'"[^"]*"|[^,\[\]]+')
Fields = tuple[tuple[str, str], ...]                               # pairs of field name and written value, in order


@dataclass(frozen=True)
class Case:
    """One sentence with its fields filled."""

    domain: str
    key: str
    fields: Fields

    def __str__(self) -> str:
        return " ".join([self.domain, self.key, *(f"{name}={value}" for name, value in self.fields)])


def parse_cases(text: str) -> Iterator[tuple[Case, str]]:
    """Yields the cases of a file, each with its rendered sentence."""
    found: Case | None = None
    said: list[str] = []
    for line in [*text.splitlines(), "end end"]:
        if line.startswith(INDENT):
            said.append(line.removeprefix(INDENT))
        elif line.strip() and not line.startswith("#"):
            if found is not None:
                yield found, "\n".join(said)
            domain, key, *rest = line.split(" ", 2)
            found, said = Case(domain, key, tuple(FIELD_PATTERN.findall(rest[0] if rest else ""))), []


def format_value(value: TextValue) -> str | None:
    """Returns the written form of a value, or None if the value already consists of words in one language."""
    match value:
        case None | bool():
            return {None: "none", True: "yes", False: "no"}[value]
        case int():
            return str(value)
        case Noun():
            return value.key if value.number is None else f"{value.key}#{value.number}"
        case ProperName():
            return f"{SEAT_PREFIX}{re.sub(r'[^0-9]', '', value.text)}" if value.seat else f'"{value.text}"'
        case CountedNoun():
            return f"{value.n}*{value.noun.key}"
        case str() | DeferredMessage():
            return None
    items = [format_value(item) for item in value]
    return None if None in items else f"[{','.join(str(item) for item in items)}]"


def parse_value(text: str, words: Localizer) -> TextValue:
    """Returns the value of a written form."""
    if text.startswith("["):
        return [parse_value(item, words) for item in ITEM_PATTERN.findall(text)]
    if text in PLAIN_VALUES:
        return PLAIN_VALUES[text]
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    if text.startswith('"'):
        return ProperName(text[1:-1])
    if text.startswith(SEAT_PREFIX):
        return ProperName(words.text("seat.name", seat=int(text.removeprefix(SEAT_PREFIX))), seat=True)
    if (counted := re.fullmatch(r"(\d+)\*(.+)", text)) is not None:
        return CountedNoun(int(counted[1]), Noun(counted[2]))
    key, _, number = text.partition("#")
    return Noun(key, int(number) if number else None)


@cache
def get_localizer(lang: str, domain: str) -> Localizer:
    """Returns the localizer of a language for one game. Its English comes from the catalogues, which `ludoglot words check` compares."""
    english = {key: entry[0] for name in dict.fromkeys((ENGINE_DOMAIN, domain))
               for key, entry in read_catalogue(catalogue_path(SHIPPED_LOCALE, "en", name)).items()}
    return Localizer(lang, [(name, SHIPPED_LOCALE) for name in dict.fromkeys((DIAGNOSTICS_DOMAIN, ENGINE_DOMAIN, domain))], english)


def render_case(lang: str, case: Case) -> str:
    """Returns the sentence that a reader of this language sees."""
    words = get_localizer(lang, case.domain)
    return words.text(case.key, **{name: parse_value(value, words) for name, value in case.fields})


def render_cases(lang: str, cases: Iterable[Case]) -> str:
    """Returns the text of a file of sentences."""
    return "".join(f"{case}\n{INDENT}{render_case(lang, case)}\n" for case in cases)
