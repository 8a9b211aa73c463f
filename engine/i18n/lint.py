"""What a careful editor would strike out of any text, whatever it says: numbers hung on behind a colon, words of the rules, spacing and
quotation marks; and of a translation, a noun that is no longer counted. Found in every language (codes W210 to W215)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...dsl.languages.registry import language
from .languages import SOURCE
from .template import Field, Template, parse
from .user_input import folded

if TYPE_CHECKING:
    from .localizer import Words

Slip = tuple[str, dict[str, Any]]                                  # a code and what its sentence names
NUMBERS = ("int", "from 0")                                        # what check.FieldTypes calls a number; the second can be nothing
ANSWERS = ("option", "decline")                                    # keys of what one types to choose
AUTHORS = ("diagnostic", "hint", "frame")                          # keys of what authors of rules read: names of the rules belong there
CODE = re.compile(r"`[^`]*`|\b[\w.]+\.[a-z]{2,5}\b")           # what stands in a text as it is typed, and names of files
IDENTIFIER = re.compile(r"(?<![\w.{/-])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w}])")
USAGE = "cli.metavar."                                             # words of usage lines have a look of their own
ALL_MARKS = "“”„«»\""
SPACING = re.compile(r"  +|^ | $| [,.;](?![\w.])|\.\.\.")


def slips(key: str, text: str, words: Words, kinds: Mapping[str, str]) -> Iterator[Slip]:
    """What is wrong with a text in its language. `kinds`: what is known of its fields."""
    template = parse(text)
    yield from hung(template, kinds)
    bare = CODE.sub(" ", "".join("\0" if isinstance(part, Field) else part for part in template.parts))
    head = key.partition(".")[0]
    if head not in AUTHORS:
        yield from (("W211", {"found": found[0]}) for found in IDENTIFIER.finditer(bare))
    if head in ANSWERS:
        yield from command(template, words)
    if not key.startswith(USAGE):
        yield from marks(CODE.sub("x", text), words.lang, head)


def hung(template: Template, kinds: Mapping[str, str]) -> Iterator[Slip]:
    """`Coins: {price}.` for `{price}~n.coin`."""
    parts = [*template.parts, ""]
    for before, field, after in zip(parts, parts[1:], parts[2:]):
        if not isinstance(field, Field) or field.noun is not None or kinds.get(field.name) not in NUMBERS:
            continue
        alone = isinstance(after, str) and after[:1] in ("", ".", ";", ")")
        if alone and isinstance(before, str) and before.rstrip().endswith(":"):
            yield "W210", {"found": field.written}


def command(template: Template, words: Words) -> Iterator[Slip]:
    """An option whose first words are those of a command: who types them gives the command."""
    first = template.parts[0] if template.parts else ""
    said = folded(first) if isinstance(first, str) else ""
    for name in words.english:
        if name.startswith("command."):
            word = folded(words.text(name))
            if said == word or said.startswith(word + " "):
                yield "W213", {"found": words.text(name)}


def marks(text: str, lang: str, head: str) -> Iterator[Slip]:
    """Double spaces, spaces before a point, three points for one sign, quotation marks of another language."""
    for gap in SPACING.finditer(text):
        yield "W215", {"found": gap[0].replace(" ", "␣"), "wanted": "…" if gap[0] == "..." else gap[0].strip() or "␣"}
    found = language(lang)
    good = (found.quotes if found is not None else "") + ("\"" if lang == SOURCE and head in AUTHORS else "")
    wrong = [mark for mark in ALL_MARKS if mark in text and mark not in good]
    if wrong and good:
        yield "W215", {"found": " ".join(wrong), "wanted": " ".join(good)}


def nothing(key: str, template: Template, english: Mapping[str, object], kinds: Mapping[str, str]) -> Iterator[Slip]:
    """A text that tells `{n}`, which can be 0, and no text `key.none` beside it."""
    if kinds.get("n") == "from 0" and "n" in template.names and f"{key}.none" not in english and not key.endswith(".none"):
        yield "W212", {"wanted": f"{key}.none"}


def uncounted(text: str, english: str, words: Words) -> Iterator[Slip]:
    """A number that counts a noun in English, and in the translation stands alone with no such noun near it."""
    here = {field.name: field for field in parse(text).fields}
    for field in parse(english).fields:
        told = here.get(field.name)
        if field.noun and told is not None and told.noun is None:
            forms = [form for form in words.thing(field.noun).forms.values() if len(form) > 1]
            nouns = {folded(word) for form in forms for word in form.split() if len(word) > 2}
            stems = {part for word in nouns for part in (word[: max(3, len(word) - 3)], word[-4:] if len(word) > 7 else word)}
            if forms and not any(stem in folded(text) for stem in stems):
                yield "W214", {"found": told.written, "wanted": field.written}
