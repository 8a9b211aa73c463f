"""What a careful editor would strike out of any text, whatever it says: numbers hung on behind a colon, words of the rules, spacing and
quotation marks; and of a translation, a noun that is no longer counted. Found in every language (codes W210 to W215)."""

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

StyleProblem = tuple[str, dict[str, Any]]                                  # a code and what its sentence names
# what check.FieldTypes calls a number; the second can be nothing
NUMBER_FIELD_TYPES = ("int", "from 0")
MOVE_TEXT_HEADS = ("option", "decline")                                    # keys of what one types to choose
# keys of what authors of rules read: names of the rules belong there
AUTHOR_TEXT_HEADS = ("diagnostic", "hint", "frame")
LITERAL_PATTERN = re.compile(r"`[^`]*`|\b[\w.]+\.[a-z]{2,5}\b")           # what stands in a text as it is typed, and names of files
IDENTIFIER_PATTERN = re.compile(r"(?<![\w.{/-])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w}])")
USAGE_KEY_PREFIX = "cli.metavar."                                             # words of usage lines have a look of their own
ALL_QUOTATION_MARKS = "“”„«»\""
SPACING_PATTERN = re.compile(r"  +|^ | $| [,.;](?![\w.])|\.\.\.")


def iter_style_problems(key: str, text: str, words: Localizer, kinds: Mapping[str, str]) -> Iterator[StyleProblem]:
    """What is wrong with a text in its language. `kinds`: what is known of its fields."""
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
    """`Coins: {price}.` for `{price}~n.coin`."""
    parts = [*template.parts, ""]
    for before, field, after in zip(parts, parts[1:], parts[2:]):
        if not isinstance(field, TemplateField) or field.noun is not None or kinds.get(field.name) not in NUMBER_FIELD_TYPES:
            continue
        alone = isinstance(after, str) and after[:1] in ("", ".", ";", ")")
        if alone and isinstance(before, str) and before.rstrip().endswith(":"):
            yield "W210", {"found": field.written}


def iter_command_clashes(template: Template, words: Localizer) -> Iterator[StyleProblem]:
    """An option whose first words are those of a command: who types them gives the command."""
    first = template.parts[0] if template.parts else ""
    said = normalize(first) if isinstance(first, str) else ""
    for name in words.english:
        if name.startswith("command."):
            word = normalize(words.text(name))
            if said == word or said.startswith(word + " "):
                yield "W213", {"found": words.text(name)}


def iter_punctuation_problems(text: str, lang: str, head: str) -> Iterator[StyleProblem]:
    """Double spaces, spaces before a point, three points for one sign, quotation marks of another language."""
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
    """A text that tells `{n}`, which can be 0, and no text `key.none` beside it."""
    if kinds.get("n") == "from 0" and "n" in template.names and f"{key}.none" not in english and not key.endswith(".none"):
        yield "W212", {"wanted": f"{key}.none"}


def iter_uncounted_nouns(text: str, english: str, words: Localizer) -> Iterator[StyleProblem]:
    """A number that counts a noun in English, and in the translation stands alone with no such noun near it."""
    here = {field.name: field for field in parse_template(text).fields}
    for field in parse_template(english).fields:
        told = here.get(field.name)
        if field.noun and told is not None and told.noun is None:
            forms = [form for form in words.lookup_noun(field.noun).forms.values() if len(form) > 1]
            nouns = {normalize(word) for form in forms for word in form.split() if len(word) > 2}
            stems = {part for word in nouns for part in (word[: max(3, len(word) - 3)], word[-4:] if len(word) > 7 else word)}
            if forms and not any(stem in normalize(text) for stem in stems):
                yield "W214", {"found": told.written, "wanted": field.written}
