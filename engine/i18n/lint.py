"""Style checks for texts in every language (codes W210 to W215).

They find numbers after a colon, identifiers of the rules, wrong spaces and quotation marks, and answers that
look like commands. In translations they also find a number that no longer counts a noun."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...dsl.languages.registry import find_language
from .languages import SOURCE_LANGUAGE
from .template import Template, TemplateField, parse_template
from .user_input import normalize

if TYPE_CHECKING:
    from .localizer import Localizer

StyleProblem = tuple[str, dict[str, Any]]                                  # diagnostic code and its arguments
# field types (see check_texts.FieldTypes)
NUMBER_FIELD_TYPES = ("int", "from 0")
MOVE_TEXT_HEADS = ("option", "decline")                                    # first parts of keys of texts that players type
# texts for authors of rules, which may contain identifiers
AUTHOR_TEXT_HEADS = ("diagnostic", "hint", "frame")
LITERAL_PATTERN = re.compile(r"`[^`]*`|\b[\w.]+\.[a-z]{2,5}\b")           # literal input in backquotes, and file names
IDENTIFIER_PATTERN = re.compile(r"(?<![\w.{/-])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w}])")
USAGE_KEY_PREFIX = "cli.metavar."                                             # words of usage lines have their own style
ALL_QUOTATION_MARKS = "“”„«»\""
SPACING_PATTERN = re.compile(r"  +|^ | $| [,.;](?![\w.])|\.\.\.")


def iter_style_problems(key: str, text: str, words: Localizer, kinds: Mapping[str, str]) -> Iterator[StyleProblem]:
    """Yields the style problems of a text in its language. `kinds` are the types of its fields."""
    template = parse_template(text)
    yield from iter_numbers_after_colon(template, kinds)
    bare = LITERAL_PATTERN.sub(" ", "".join("\0" if isinstance(part, TemplateField) else part for part in template.parts))
    head = key.partition(".")[0]
    if head not in AUTHOR_TEXT_HEADS:
        yield from (("W211", {"found": found[0]}) for found in IDENTIFIER_PATTERN.finditer(bare))
    if head in MOVE_TEXT_HEADS:
        yield from iter_command_clashes(template, words)
    if not key.startswith(USAGE_KEY_PREFIX):
        yield from iter_punctuation_problems(LITERAL_PATTERN.sub("x", text), words.lang, head)


def iter_numbers_after_colon(template: Template, kinds: Mapping[str, str]) -> Iterator[StyleProblem]:
    """Yields numbers that follow a colon instead of counting a noun: `Coins: {price}.` for `{price}~n.coin`."""
    parts = [*template.parts, ""]
    for before, field, after in zip(parts, parts[1:], parts[2:]):
        if not isinstance(field, TemplateField) or field.noun is not None or kinds.get(field.name) not in NUMBER_FIELD_TYPES:
            continue
        alone = isinstance(after, str) and after[:1] in ("", ".", ";", ")")
        if alone and isinstance(before, str) and before.rstrip().endswith(":"):
            yield "W210", {"found": field.written}


def iter_command_clashes(template: Template, words: Localizer) -> Iterator[StyleProblem]:
    """Yields a move text that begins like a command of the table, so that typing it would run the command."""
    first = template.parts[0] if template.parts else ""
    said = normalize(first) if isinstance(first, str) else ""
    for name in words.english:
        if name.startswith("command."):
            word = normalize(words.text(name))
            if said == word or said.startswith(word + " "):
                yield "W213", {"found": words.text(name)}


def iter_punctuation_problems(text: str, lang: str, head: str) -> Iterator[StyleProblem]:
    """Yields double spaces, spaces before punctuation, three full stops for an ellipsis, and quotation marks of
    another language."""
    for gap in SPACING_PATTERN.finditer(text):
        yield "W215", {"found": gap[0].replace(" ", "␣"), "wanted": "…" if gap[0] == "..." else gap[0].strip() or "␣"}
    found = find_language(lang)
    good = (found.quotes if found is not None else "") + ("\"" if lang == SOURCE_LANGUAGE and head in AUTHOR_TEXT_HEADS else "")
    wrong = [mark for mark in ALL_QUOTATION_MARKS if mark in text and mark not in good]
    if wrong and good:
        yield "W215", {"found": " ".join(wrong), "wanted": " ".join(good)}


def iter_missing_zero_texts(
    key: str, template: Template, english: Mapping[str, object], kinds: Mapping[str, str]
) -> Iterator[StyleProblem]:
    """Yields a text with `{n}`, which can be 0, if the domain has no text `key.none` for that case."""
    if kinds.get("n") == "from 0" and "n" in template.names and f"{key}.none" not in english and not key.endswith(".none"):
        yield "W212", {"wanted": f"{key}.none"}


def iter_uncounted_nouns(text: str, english: str, words: Localizer) -> Iterator[StyleProblem]:
    """Yields numbers that count a noun in English, but have no such noun near them in the translation."""
    here = {field.name: field for field in parse_template(text).fields}
    for field in parse_template(english).fields:
        told = here.get(field.name)
        if field.noun and told is not None and told.noun is None:
            forms = [form for form in words.lookup_noun(field.noun).forms.values() if len(form) > 1]
            nouns = {normalize(word) for form in forms for word in form.split() if len(word) > 2}
            stems = {part for word in nouns for part in (word[: max(3, len(word) - 3)], word[-4:] if len(word) > 7 else word)}
            if forms and not any(stem in normalize(text) for stem in stems):
                yield "W214", {"found": told.written, "wanted": field.written}
