"""The localizer: turns keys and values into sentences of one language."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Protocol

from ...dsl.diagnostics.sanitize import sanitize
from ...dsl.types.board_parts import PART_NAME
from . import readers
from .arguments import CountedNoun, DeferredMessage, Noun, ProperName, TextValue
from .grammar import Thing, grammar_of
from .languages import LANGUAGES, PSEUDO_LANGUAGE, SOURCE_LANGUAGE, parse_language_code, plural_rule_of
from .readers import DIAGNOSTICS_DOMAIN, ENGINE_DOMAIN, SHIPPED_LOCALE, CatalogueEntry, Text
from .template import TemplateField, capitalize_first, is_field_of_slot, lowercase_first, parse_template, starts_sentence
from .user_input import normalize

Lexicon = Mapping[str, Mapping[str, str]]


class PackTexts(Protocol):
    """The texts of house-rule packs.

        translations  language → key → text
        source        key → English text, or the text that counts instead
        nouns         language → lexicon
        gone          keys of the game's texts that packs remove
        foreign       keys of texts without an English version"""

    @property
    def translations(self) -> Mapping[str, Mapping[str, Text]]: ...
    @property
    def source(self) -> Mapping[str, Text]: ...
    @property
    def nouns(self) -> Mapping[str, Lexicon]: ...
    @property
    def gone(self) -> Collection[str]: ...
    @property
    def foreign(self) -> Collection[str]: ...


DomainLayer = tuple[str, Path]                                           # gettext domain and its locale folder
# `variant.<option>.name` names the option, not a value
OPTION_TEXT_WORDS = ("name", "text")
SIDE_TAGS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")                 # sides of a cell in the names of its corners and edges
TYPED_PART_NAME = re.compile(r"([a-z]+[0-9]+)([.-])(\w+)")
# longer sentences are cut off
MAX_SENTENCE_CHARS = 20_000
ZERO_SUFFIX = ".none"                                                    # key suffix of the text for n = 0
UNCAPITALIZED_SECTIONS = ("worth", "short", "then", "outlook")              # texts used inside a line, without a capital
MINUS_SIGN = "−"
PLAYER_TYPE = "Player"
UNFILLED_FIELD_MARK = "…"                                                       # shown for a field without a value
_PSEUDO_ACCENTS = str.maketrans("aceginosuyzACEGINOSUYZ", "áćéǵíńóśúýźÁĆÉǴÍŃÓŚÚÝŹ")


def is_uncapitalized(key: str) -> bool:
    """Whether the texts with this key are written for use inside a line, so that a capital in them belongs to a name."""
    return key.partition(".")[0] in UNCAPITALIZED_SECTIONS


def merge_lexicons(lexicon: Lexicon, more: Lexicon) -> dict[str, Mapping[str, str]]:
    """Merges the nouns of packs into a lexicon. Forms of the same word are added, a different word replaces the old
    one."""
    return {key: {**lexicon.get(key, {}), **forms} if is_same_noun(lexicon.get(key, {}), forms) else forms for key, forms in more.items()}


def is_same_noun(forms: Mapping[str, str], others: Mapping[str, str]) -> bool:
    """Whether two lexicon entries are for the same word."""
    return any(form in others and others[form] == word for form, word in forms.items() if form in ("sg", "nom"))


class Localizer:
    """The texts of one game, or of the engine alone, in one language.

    There is no global localizer. It is passed as an argument, because one table may use two languages.

    `domains`: the last one has priority in lookups. `english`: key → source text. A translation counts only if it
    was made from exactly this text. A text that its author or a house rule has changed is therefore shown in
    English, rather than in a wrong translation."""

    def __init__(self, lang: str, domains: Sequence[DomainLayer], english: Mapping[str, Text], lexicon: Lexicon | None = None,
                 packs: PackTexts | None = None) -> None:
        self.lang = parse_language_code(lang) or SOURCE_LANGUAGE
        self.domains = tuple(domains)
        self.english = english
        self.grammar = grammar_of(self.lang)
        self._given = lexicon
        self._packs = packs
        self._things: dict[str, Thing] = {}
        self._read: dict[DomainLayer, dict[str, CatalogueEntry]] = {}
        self._known: dict[str, bool] = {}                          # caches: the same keys are looked up again and again
        self._said: dict[str, Text | None] = {}
        self._asked: dict[str, tuple[str, ...]] = {}
        self._constant: dict[str, str] = {}                        # sentences without arguments

    # ------------------------------------------------------------ lookup

    def _iter_catalogues(self) -> Iterator[dict[str, CatalogueEntry]]:
        """Yields the catalogues, most specific first. Each is read only when it is needed: players never load those of
        the diagnostics."""
        for domain, locale in reversed(self.domains):
            if (domain, locale) not in self._read:
                self._read[domain, locale] = readers.read_catalogue(readers.catalogue_path(locale, self.lang, domain))
            yield self._read[domain, locale]

    @cached_property
    def lexicon(self) -> Lexicon:
        """Noun key → forms, of all domains together."""
        found: dict[str, Mapping[str, str]] = {}
        for domain, locale in self.domains:
            found |= readers.read_lexicon(
                readers.lexicon_path(locale, SOURCE_LANGUAGE if self.lang == PSEUDO_LANGUAGE else self.lang, domain)
            )
        packs = self._packs.nouns.get(SOURCE_LANGUAGE if self.lang == PSEUDO_LANGUAGE else self.lang, {}) if self._packs is not None else {}
        return {**found, **merge_lexicons(found, packs), **(self._given or {})}

    @cached_property
    def _source_localizer(self) -> Localizer:
        """The English localizer of the same game, for texts that this language lacks."""
        return self if self.lang in (SOURCE_LANGUAGE, PSEUDO_LANGUAGE) else self.in_language(SOURCE_LANGUAGE)

    def in_language(self, lang: str) -> Localizer:
        """Returns the localizer of the same texts in another language."""
        return (
            self
            if lang == self.lang
            else Localizer(lang, self.domains, self.english, self._given if lang == PSEUDO_LANGUAGE else None, self._packs)
        )

    def diagnostic_text(self, key: str, /, **args: Any) -> str:
        """Returns a text of the diagnostics with types spelled out. A text that the catalogue lacks is returned in
        English."""
        from ...dsl.diagnostics.render import english_text
        from ...dsl.types.types import Type
        if not self.has(key):
            return english_text(key, **args)
        return self.text(key, **{name: str(value) if isinstance(value, Type) else value for name, value in args.items()})

    def has(self, key: str) -> bool:
        """Whether a text `key` exists, at least in English."""
        found = self._known.get(key)
        if found is None:
            gone = self._packs is not None and key in self._packs.gone
            found = self._known[key] = not gone and (key in self.english or any(key in catalogue for catalogue in self._iter_catalogues()))
        return found

    def names(self, key: str) -> frozenset[str]:
        """Returns the field names of the sentence `key` in this language."""
        found = self._translation(key)
        if found is None and self._source_localizer is not self:
            return self._source_localizer.names(key)
        found = self.english.get(key) if found is None else found
        return frozenset(name for text in ([found] if isinstance(found, str) else found or ()) for name in parse_template(text).names)

    def fields_used(self, key: str, slots: Iterable[str]) -> frozenset[str]:
        """Returns those of `slots` that the sentence `key` uses, directly or by a part (`animal_number`)."""
        names = self.names(key)
        return frozenset(slot for slot in slots if any(is_field_of_slot(name, slot) for name in names))

    def _translation(self, key: str) -> Text | None:
        """Returns the text `key` in this language. None if there is none, or if the English text has changed since it
        was translated."""
        if key not in self._said:
            self._said[key] = self._find_translation(key)
        return self._said[key]

    def _find_translation(self, key: str) -> Text | None:
        """Looks up a translation without the cache: first in the packs, then in the catalogues."""
        english = self.english.get(key)
        if self._packs is not None:
            said = self._packs.translations.get(self.lang, {}).get(key)
            if said is not None or key in self._packs.gone:
                return said
        for catalogue in self._iter_catalogues():
            entry = catalogue.get(key)
            if entry and (english is None or entry[0] == english):
                return entry[1]
        return None

    def statement(self, key: str, /, **args: TextValue) -> DeferredMessage:
        """Returns what `text` would say with these arguments, as data. Arguments that the sentence ignores are left
        out."""
        key = self.key_for_number(key, args.get("n"))
        return DeferredMessage(key, tuple((name, make_hashable(args[name])) for name in self._arguments(key) if name in args))

    def _arguments(self, key: str) -> tuple[str, ...]:
        """Returns the names of the arguments of the sentence `key`: its fields, and `n` if it has plural forms."""
        if key not in self._asked:
            found = self._translation(key)
            if found is None and self._source_localizer is not self:
                return self._source_localizer._arguments(key)
            found = self.english.get(key) if found is None else found
            self._asked[key] = tuple(sorted(self.names(key) | {"n"} if not isinstance(found, str) else self.names(key)))
        return self._asked[key]

    def key_for_number(self, key: str, n: object) -> str:
        """Returns `key.none` if the number `n` is 0 and such a text exists, otherwise `key`."""
        return f"{key}{ZERO_SUFFIX}" if type(n) is int and n == 0 and self.has(f"{key}{ZERO_SUFFIX}") else key

    # ------------------------------------------------------------ sentences

    def text(self, key: str, /, **args: TextValue) -> str:
        """Returns the sentence `key` with `args` in its fields.

        Falls back to English, then to the key itself. The language of a package may be incomplete, so an English
        sentence in it is marked with `[en]`. Single words are not marked, because users type them or they head a
        column."""
        if args:
            return self._say(key, args, is_uncapitalized(key))
        if key not in self._constant:
            self._constant[key] = self._say(key, args, is_uncapitalized(key))
        return self._constant[key]

    def clause(self, said: DeferredMessage) -> str:
        """Returns a sentence as a part of another one: without its capital and its full stop."""
        text = self._say(said.key, dict(said.args), True)
        return text.removesuffix(".")

    def _say(self, key: str, args: Mapping[str, TextValue], within: bool) -> str:
        """Returns the sentence `key`. `within`: it is a part of a sentence and does not begin with a capital."""
        key = self.key_for_number(key, args.get("n"))
        found = self._translation(key)
        if found is None:
            if self._source_localizer is not self:
                said = self._source_localizer._say(key, args, within)
                return said if self.lang in LANGUAGES or " " not in said else f"{said} [{SOURCE_LANGUAGE}]"
            found = self.english.get(key)
        if found is None:
            return key
        if not isinstance(found, str):
            n = args.get("n")
            found = found[min(plural_rule_of(self.lang)[1](n if isinstance(n, int) else 0), len(found) - 1)]
        if key.endswith(".name"):
            found = sanitize(found, keep="")                        # a name has one line
        said = (
            self._add_pseudo_accents(found)
            if readers.is_prose(key)
            else self._fill_template(lowercase_first(found) if within and not is_uncapitalized(key) else found, args, within)
        )
        return f"⟦{said}⟧" if self.lang == PSEUDO_LANGUAGE else said

    def message(self, key: str, /, **args: TextValue) -> str:
        """Returns the sentence `key`, followed by a suggestion if `meant` is given."""
        said = self.text(key, **args)
        return f"{said} {self.text('cli.meant', meant=args['meant'])}" if args.get("meant") else said

    def range_text(self, key: str, /, low: TextValue, high: TextValue, **args: TextValue) -> str:
        """Returns the sentence `key` about a range, or `key.equal` if the range has one value."""
        return self.text(f"{key}.equal" if low == high else key, low=low, high=high, **args)

    def text_or(self, key: str, name: str) -> str:
        """Returns the text `key`, or a readable form of the identifier `name` if there is none."""
        return self.text(key) if self.has(key) else self.humanize_identifier(name)

    def template(self, key: str) -> str:
        """Returns the sentence `key` with its fields not filled."""
        found = self._translation(key)
        if found is None:
            found = self.english.get(key, "") if self._source_localizer is self else self._source_localizer.template(key)
        return found if isinstance(found, str) else found[-1]

    def render(self, template: str, /, **args: TextValue) -> str:
        """Fills a sentence that is not in any catalogue, with this language's grammar."""
        return self._fill_template(template, args)

    def has_noun(self, key: str) -> bool:
        """Whether there is a noun `key` in this language. `n.guest` can mean the type `Guest`."""
        names = {key, "".join(word.capitalize() for word in key[2:].split("_"))} if key.startswith("n.") else {key}
        return any(name in self.lexicon or f"{name}.name" in self.english for name in names)

    def noun(self, key: str, /, *markers: str) -> str:
        """Returns the name of a thing in the form that `markers` ask for: `noun("Room.tower", "the", "acc")`."""
        said = self._format_noun(Noun(key), markers)
        return f"⟦{said}⟧" if self.lang == PSEUDO_LANGUAGE else said

    def option_value_text(self, option: str, value: int | bool | str) -> str:
        """Returns the display name of an option's value: the game's text for it, otherwise yes or no, the number, or the
        identifier."""
        typed = str(value).lower() if isinstance(value, bool) else str(value)
        key = f"variant.{option}.{typed}"
        if typed not in OPTION_TEXT_WORDS and self.has(key):
            return self.text(key)
        return self.humanize_identifier(value) if isinstance(value, str) else self.value(value)

    def part_label(self, label: str) -> str:
        """Returns the label of a corner or an edge, with the side abbreviated in this language: d4.se, d4.dk."""
        found = PART_NAME.fullmatch(label)
        return f"{found[1]}{found[2]}{self._plain_text(f'side.{found[3]}')}" if found and found[3] in SIDE_TAGS else label

    def parse_part(self, typed: str) -> str:
        """Converts the label of a corner or an edge typed in this language into the label of the rules: d4.dk → d4.se."""
        found = TYPED_PART_NAME.fullmatch(typed)
        side = next((each for each in SIDE_TAGS if found and normalize(self._plain_text(f"side.{each}")) == normalize(found[3])), None)
        return f"{found[1]}{found[2]}{side}" if found and side else typed

    def format_number(self, n: int | float, digits: int | None = None) -> str:
        """Formats a number for this language, with grouping and decimal separator. `digits` is the number of decimals."""
        if isinstance(n, int) and digits is None and not 1000 <= abs(n) < 10**18:
            return str(n).replace("-", MINUS_SIGN)                  # no groups, or too many digits for Babel
        from babel.numbers import format_decimal

        pattern = None if digits is None else "#,##0" + ("." + "0" * digits if digits else "")
        return format_decimal(n, pattern, locale=self._babel_locale).replace("-", MINUS_SIGN)

    def format_signed_number(self, n: int) -> str:
        """Formats a number with its sign, also if it is positive: +3, −3."""
        return (MINUS_SIGN if n < 0 else "+") + self.format_number(abs(n))

    def list(self, values: Sequence[TextValue], style: str = "and", markers: Sequence[str] = ()) -> str:
        """Formats a list as `a, b and c` (or `or`), each item with the markers. An empty list has a word of its own.

        Semicolons separate items that contain commas themselves."""
        items = list(self._iter_bounded(values, markers))
        if not items:
            return self._plain_text("list.empty")
        if len(items) == 1:
            return items[0]
        from babel.lists import format_list

        joint = self.grammar.joint(items[-1], style)
        kind: Literal["or", "standard"] = "or" if style == "or" else "standard"
        if any(", " in re.sub(r"\([^()]*\)", "", item) for item in items):
            joint = joint or format_list(["", ""], kind, locale=self._babel_locale)
            return "; ".join([*items[:-1], f"{joint.strip()} {items[-1]}"])
        if joint:
            return ", ".join(items[:-1]) + joint + items[-1]
        return format_list(items, kind, locale=self._babel_locale)

    def value(self, value: TextValue, markers: Sequence[str] = (), noun: str | None = None) -> str:
        """Formats one value for a sentence. `noun` (`n.token`) is the noun that a number counts."""
        match value:
            case None | bool():
                return self._plain_text({None: "none", True: "yes", False: "no"}[value])
            case int():
                return (
                    self._format_counted(value, Noun(noun), markers)
                    if noun
                    else self.grammar.numeral(self.format_number(value), value, markers)
                )
            case str():
                return sanitize(value, keep="") if "\n" in value or "\t" in value else value
            case Noun():
                return self._format_noun(value, markers)
            case ProperName():
                return self.grammar.seat(value.text, markers) if value.seat else self.grammar.proper(value.text, markers)
            case CountedNoun():
                return self._format_counted(value.n, value.noun, markers)
            case DeferredMessage():
                return self.text(value.key, **dict(value.args))
            case Sequence():
                return self.list(value, "or" if "or" in markers else "and", markers)
        return str(value)

    # ------------------------------------------------------------ helpers

    def _iter_bounded(self, values: Sequence[TextValue], markers: Sequence[str]) -> Iterator[str]:
        """Yields the formatted values. When they become too long, an ellipsis replaces the rest."""
        left = MAX_SENTENCE_CHARS
        for value in values:
            if left < 0:
                yield "…"
                return
            yield (said := self.clause(value) if isinstance(value, DeferredMessage) else self.value(value, markers))
            left -= len(said)

    @property
    def _babel_locale(self) -> str:
        return SOURCE_LANGUAGE if self.lang == PSEUDO_LANGUAGE else self.lang

    def _plain_text(self, key: str) -> str:
        found = self._translation(key) or self.english.get(key, key)
        return self._add_pseudo_accents(found if isinstance(found, str) else found[-1])

    def _add_pseudo_accents(self, text: str) -> str:
        return text.translate(_PSEUDO_ACCENTS) if self.lang == PSEUDO_LANGUAGE else text

    def _fill_template(self, template: str, args: Mapping[str, TextValue], within: bool = False) -> str:
        """Fills the fields of a template. `within`: the text is a part of a sentence and does not begin with a capital."""
        said = ""
        for part in parse_template(template).parts:
            if len(said) > MAX_SENTENCE_CHARS:
                return said[:MAX_SENTENCE_CHARS] + "…"
            if isinstance(part, str):
                said += self._add_pseudo_accents(self.grammar.literal(part))
            elif part.name not in args:                            # reported as W208 or T012
                said += UNFILLED_FIELD_MARK
            else:
                said += self._format_field(
                    part, args[part.name], not (within and not said) and starts_sentence(said, self.grammar.ordinals)
                )
        return self.grammar.finish(said)

    def _format_field(self, field: TemplateField, value: TextValue, first: bool) -> str:
        if isinstance(value, DeferredMessage) and not first:
            return self.clause(value)
        said = self.value(value, field.markers, field.noun)
        return capitalize_first(said) if "cap" in field.markers or first and _can_be_capitalized(value) else said

    def _format_noun(self, noun: Noun, markers: Sequence[str]) -> str:
        if noun.number is not None:
            return self._add_pseudo_accents(self.grammar.noun_with_number(self.lookup_noun(noun.key), noun.number, markers))
        return self._add_pseudo_accents(self.grammar.noun(self.lookup_noun(noun.key), markers))

    def _format_counted(self, n: int, noun: Noun, markers: Sequence[str]) -> str:
        nothing = self.lookup_noun(noun.key).forms.get("none") if n == 0 else None
        if nothing is not None and self.grammar.case(markers) is None:
            return self._add_pseudo_accents(nothing)
        return self._add_pseudo_accents(self.grammar.counted(self.format_number(n), n, self.lookup_noun(noun.key), markers))

    def lookup_noun(self, key: str) -> Thing:
        """Returns the noun `key` with its name, its forms and the noun of its type.

        `n.guest` means the type `Guest` if it has no entry of its own."""
        found = self._things.get(key)
        if found is None:
            if key.startswith("n.") and key not in self.lexicon:
                type_name = "".join(word.capitalize() for word in key[2:].split("_"))
                if type_name in self.lexicon or f"{type_name}.name" in self.english:
                    return self.lookup_noun(type_name)
            owner = key.rpartition(".")[0]
            kind = self.lookup_noun(owner) if owner and (owner in self.lexicon or f"{owner}.name" in self.english) else None
            name, forms = self._noun_name(key), self.lexicon.get(key, {})
            if not forms and owner == PLAYER_TYPE and name[:1].isupper():       # a person's name
                forms = {"article": "none"}
            found = self._things[key] = Thing(key, name, forms, kind)
        return found

    @staticmethod
    def humanize_identifier(name: str) -> str:
        """Returns a readable form of an identifier of the rules, for things without a display name."""
        return name.replace("_", " ")

    def _noun_name(self, key: str) -> str:
        name = self._translation(f"{key}.name") or self.english.get(f"{key}.name")
        if name is None:
            owner, _, word = key.rpartition(".")
            return self.lexicon.get(key, {}).get(self.grammar.base) or (
                word.replace("_", " ") if owner == "n" else self.humanize_identifier(word)
            )
        return sanitize(name if isinstance(name, str) else name[0], keep="")


def _can_be_capitalized(value: TextValue) -> bool:
    """Whether a value gets a capital at the start of a sentence. Words of the language do, names and labels do not
    change."""
    if isinstance(value, Noun | CountedNoun | bool) or value is None:
        return True
    if isinstance(value, int):
        return True                                                 # its article, as in: az 5
    if isinstance(value, ProperName):
        return value.seat
    return not isinstance(value, str | DeferredMessage) and (not value or _can_be_capitalized(value[0]))


def make_hashable(value: TextValue) -> TextValue:
    """Returns the value with tuples instead of lists."""
    return tuple(map(make_hashable, value)) if isinstance(value, list) else value


def engine_localizer(lang: str) -> Localizer:
    """Returns the localizer of the engine's own texts: prompts, results, errors, diagnostics."""
    return Localizer(lang, [(DIAGNOSTICS_DOMAIN, SHIPPED_LOCALE), (ENGINE_DOMAIN, SHIPPED_LOCALE)], engine_english())


def engine_english() -> dict[str, Text]:
    """Returns key → English text of everything that the engine prints."""
    return {**readers.read_codes(), **readers.read_messages(readers.MESSAGES_FILE)}


def game_localizer(lang: str, game: str, folder: Path, texts: Mapping[str, Text], packs: PackTexts | None = None) -> Localizer:
    """Returns the localizer of a game, on top of the engine's texts.

    `texts`: key → English of the names in the game's YAML, after house rules. This function reads messages.yaml
    and clauses.yaml. `packs`: the texts of the house-rule packs that are applied to the game."""
    domains: list[DomainLayer] = [(DIAGNOSTICS_DOMAIN, SHIPPED_LOCALE), (ENGINE_DOMAIN, SHIPPED_LOCALE), (game, SHIPPED_LOCALE)]
    english = engine_english() | readers.read_messages(folder / "messages.yaml") | readers.read_clauses(folder / "clauses.yaml")
    if (folder / "locale").is_dir():
        domains.append((game, folder / "locale"))
    own: dict[str, Text] = {}
    if packs is not None:
        own = {key: text for key, text in packs.source.items() if key not in packs.foreign or key not in english}
        english = {key: text for key, text in english.items() if key not in packs.gone}
    return Localizer(lang, domains, {**english, **own, **texts}, packs=packs)
