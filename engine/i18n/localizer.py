"""A language at work: keys and values in, sentences out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from ...dsl.diagnostics.sanitize import visible
from . import readers
from .arguments import Counted, Noun, Proper, Value
from .grammar import Thing, grammar_of
from .languages import LANGUAGES, PSEUDO, SOURCE, known_language, plural_of
from .readers import DIAGNOSTICS, ENGINE, SHIPPED, Entry, Text
from .template import Field, capital, is_about, parse, starts_sentence

Lexicon = Mapping[str, Mapping[str, str]]


class PackTexts(Protocol):
    """What packs of house rules say: by language and key; English, or what counts in its place; forms of nouns; texts that hold no more."""

    @property
    def said(self) -> Mapping[str, Mapping[str, Text]]: ...
    @property
    def source(self) -> Mapping[str, Text]: ...
    @property
    def nouns(self) -> Mapping[str, Lexicon]: ...
    @property
    def gone(self) -> Collection[str]: ...
    @property
    def foreign(self) -> Collection[str]: ...


Layer = tuple[str, Path]                                           # a gettext domain and the locale folder that holds it
NOT_VALUES = ("name", "text")                                       # variant.<option>.name speaks of the option, not of a value of it
SIDES = ("n", "ne", "e", "se", "s", "sw", "w", "nw")                 # of a corner, as boards name them
LONGEST = 20_000                                                    # characters of a sentence: what its fields add beyond that is cut
NOTHING = ".none"                                                    # behind the key of a sentence: the one that is said where n is 0
WITHIN = ("worth", "short", "then", "outlook")              # texts that stand in the middle of a line, without a capital
UNFILLED = "…"                                                       # in the place of a field that nobody fills
_ACCENTED = str.maketrans("aceginosuyzACEGINOSUYZ", "áćéǵíńóśúýźÁĆÉǴÍŃÓŚÚÝŹ")


def joined(found: Lexicon, more: Lexicon) -> dict[str, Mapping[str, str]]:
    """What packs say of nouns: further forms of the same word join those that the game has; another word takes its place."""
    return {key: {**found.get(key, {}), **forms} if same(found.get(key, {}), forms) else forms for key, forms in more.items()}


def same(forms: Mapping[str, str], others: Mapping[str, str]) -> bool:
    """Whether two entries of a lexicon are of one word."""
    return any(form in others and others[form] == word for form, word in forms.items() if form in ("sg", "nom"))


class Words:
    """The words of one language for one game (or for the engine alone). Passed along, never installed: two may be in use at one table.

    `domains`: later ones go first when a key or a noun is looked up. `english`: key → source text; a translation counts only when it was
    made from that very text, so that a changed text (by its author or by a house rule) is shown in English rather than wrongly.
    """

    def __init__(self, lang: str, domains: Sequence[Layer], english: Mapping[str, Text], lexicon: Lexicon | None = None,
                 packs: PackTexts | None = None) -> None:
        self.lang = known_language(lang) or SOURCE
        self.domains = tuple(domains)
        self.english = english
        self.grammar = grammar_of(self.lang)
        self._given = lexicon
        self._packs = packs
        self._things: dict[str, Thing] = {}
        self._read: dict[Layer, dict[str, Entry]] = {}
        self._known: dict[str, bool] = {}                          # what was looked up before: the same is asked again and again
        self._said: dict[str, Text | None] = {}

    # ------------------------------------------------------------ looking up

    def _catalogues(self) -> Iterator[dict[str, Entry]]:
        """The catalogues, the most particular first, each read when it is reached: who plays never reads those of the diagnostics."""
        for domain, locale in reversed(self.domains):
            if (domain, locale) not in self._read:
                self._read[domain, locale] = readers.read_catalogue(readers.catalogue_path(locale, self.lang, domain))
            yield self._read[domain, locale]

    @cached_property
    def lexicon(self) -> Lexicon:
        """Noun key → forms, of all domains together."""
        found: dict[str, Mapping[str, str]] = {}
        for domain, locale in self.domains:
            found |= readers.read_lexicon(readers.lexicon_path(locale, SOURCE if self.lang == PSEUDO else self.lang, domain))
        packs = self._packs.nouns.get(SOURCE if self.lang == PSEUDO else self.lang, {}) if self._packs is not None else {}
        return {**found, **joined(found, packs), **(self._given or {})}

    @cached_property
    def _source(self) -> Words:
        """The same game in English, for what this language does not say."""
        return self if self.lang in (SOURCE, PSEUDO) else self.speaking(SOURCE)

    def speaking(self, lang: str) -> Words:
        """The same words in another language."""
        return self if lang == self.lang else Words(lang, self.domains, self.english, self._given if lang == PSEUDO else None, self._packs)

    def coded(self, key: str, /, **args: Any) -> str:
        """A text of the list of codes, what is said of types spelt out; one that the catalogue lacks is said in English."""
        from ...dsl.diagnostics.render import english
        from ...dsl.types.types import Type
        if not self.has(key):
            return english(key, **args)
        return self.text(key, **{name: str(value) if isinstance(value, Type) else value for name, value in args.items()})

    def has(self, key: str) -> bool:
        """Whether there is a text `key`, in English at least."""
        found = self._known.get(key)
        if found is None:
            gone = self._packs is not None and key in self._packs.gone
            found = self._known[key] = not gone and (key in self.english or any(key in catalogue for catalogue in self._catalogues()))
        return found

    def names(self, key: str) -> frozenset[str]:
        """The fields of the sentence `key` as this language has it."""
        found = self._translation(key)
        if found is None and self._source is not self:
            return self._source.names(key)
        found = self.english.get(key) if found is None else found
        return frozenset(name for text in ([found] if isinstance(found, str) else found or ()) for name in parse(text).names)

    def spoken_of(self, key: str, slots: Iterable[str]) -> frozenset[str]:
        """Which of these the sentence `key` names, by themselves or by a part of them (`animal_number`)."""
        names = self.names(key)
        return frozenset(slot for slot in slots if any(is_about(name, slot) for name in names))

    def _translation(self, key: str) -> Text | None:
        """The text `key` in this language; None where it says nothing, or what was said in English then is another text now."""
        if key not in self._said:
            self._said[key] = self._looked_up(key)
        return self._said[key]

    def _looked_up(self, key: str) -> Text | None:
        english = self.english.get(key)
        if self._packs is not None:
            said = self._packs.said.get(self.lang, {}).get(key)
            if said is not None or key in self._packs.gone:
                return said
        for catalogue in self._catalogues():
            entry = catalogue.get(key)
            if entry and (english is None or entry[0] == english):
                return entry[1]
        return None

    def form(self, key: str, n: object) -> str:
        """The key to say: of a sentence that has another one for nothing, `key.none`, that one where the number `n` is 0."""
        return f"{key}{NOTHING}" if type(n) is int and n == 0 and self.has(f"{key}{NOTHING}") else key

    # ------------------------------------------------------------ saying

    def text(self, key: str, /, **args: Value) -> str:
        """The sentence `key` with `args` in its fields; in English where this language has none, the key itself where nobody has. A
        language of a package may lag behind, so an English sentence in it says what it is; single words are typed or head a column."""
        key = self.form(key, args.get("n"))
        found = self._translation(key)
        if found is None:
            if self._source is not self:
                said = self._source.text(key, **args)
                return said if self.lang in LANGUAGES or " " not in said else f"{said} [{SOURCE}]"
            found = self.english.get(key)
        if found is None:
            return key
        if not isinstance(found, str):
            n = args.get("n")
            found = found[min(plural_of(self.lang)[1](n if isinstance(n, int) else 0), len(found) - 1)]
        if key.endswith(".name"):
            found = visible(found, keep="")                        # a name is on one line
        said = self._accent(found) if readers.is_prose(key) else self._fill(found, args, key.partition(".")[0] in WITHIN)
        return f"⟦{said}⟧" if self.lang == PSEUDO else said

    def text_or(self, key: str, name: str) -> str:
        """The text `key`; where there is none, what the rules call it."""
        return self.text(key) if self.has(key) else self.unnamed(name)

    def template(self, key: str) -> str:
        """The sentence `key` as it is written, its fields not filled."""
        found = self._translation(key)
        if found is None:
            found = self.english.get(key, "") if self._source is self else self._source.template(key)
        return found if isinstance(found, str) else found[-1]

    def render(self, template: str, /, **args: Value) -> str:
        """A sentence that no catalogue holds, in this language's grammar."""
        return self._fill(template, args)

    def noun(self, key: str, /, *markers: str) -> str:
        """A thing's name in the form that `markers` ask: `noun("Room.tower", "the", "acc")`."""
        said = self._noun(Noun(key), markers)
        return f"⟦{said}⟧" if self.lang == PSEUDO else said

    def variant(self, option: str, value: int | bool | str) -> str:
        """What a value of a game's option is called: the game's own text for it, else yes or no, the number, or its words as the rules
        write them."""
        typed = str(value).lower() if isinstance(value, bool) else str(value)
        key = f"variant.{option}.{typed}"
        if typed not in NOT_VALUES and self.has(key):
            return self.text(key)
        return self.unnamed(value) if isinstance(value, str) else self.value(value)

    def corner(self, label: str) -> str:
        """The label of a corner, with the side it is on as this language abbreviates it: d4.se, d4.dk."""
        cell, _, side = label.rpartition(".")
        return f"{cell}.{self._plain(f'corner.{side}')}" if cell and side in SIDES else label

    def corner_meant(self, typed: str) -> str:
        """The label of a corner that is typed as this language writes it, as the rules write it: d4.dk, d4.se."""
        cell, _, side = typed.rpartition(".")
        return next((f"{cell}.{each}" for each in SIDES if cell and self._plain(f"corner.{each}") == side), typed)

    def number(self, n: int | float, digits: int | None = None) -> str:
        """A number as it is written here: grouped, with the language's own point; `digits` after the point."""
        if isinstance(n, int) and digits is None and not 1000 <= abs(n) < 10**18:
            return str(n)                                           # nothing to group; or more digits than Babel takes
        from babel.numbers import format_decimal

        pattern = None if digits is None else "#,##0" + ("." + "0" * digits if digits else "")
        return format_decimal(n, pattern, locale=self._babel)

    def list(self, values: Sequence[Value], style: str = "and", markers: Sequence[str] = ()) -> str:
        """`a, b and c` (or `or`), each with the markers; a word for nothing when there are none."""
        items = list(self._bounded(values, markers))
        if not items:
            return self._plain("list.empty")
        if len(items) == 1:
            return items[0]
        joint = self.grammar.joint(items[-1], style)
        if joint:
            return ", ".join(items[:-1]) + joint + items[-1]
        from babel.lists import format_list

        return format_list(items, "or" if style == "or" else "standard", locale=self._babel)

    def value(self, value: Value, markers: Sequence[str] = (), noun: str | None = None) -> str:
        """One value as it stands in a sentence; `noun` (`n.token`) is what a number counts."""
        match value:
            case None | bool():
                return self._plain({None: "none", True: "yes", False: "no"}[value])
            case int():
                return self._counted(value, Noun(noun), markers) if noun else self.grammar.numeral(self.number(value), value, markers)
            case str():
                return visible(value, keep="") if "\n" in value or "\t" in value else value
            case Noun():
                return self._noun(value, markers)
            case Proper():
                return self.grammar.seat(value.text, markers) if value.seat else self.grammar.proper(value.text, markers)
            case Counted():
                return self._counted(value.n, value.noun, markers)
            case Sequence():
                return self.list(value, "or" if "or" in markers else "and", markers)
        return str(value)

    # ------------------------------------------------------------ inside

    def _bounded(self, values: Sequence[Value], markers: Sequence[str]) -> Iterator[str]:
        """The values as they stand in a sentence; from where they would be too long, a sign for the rest."""
        left = LONGEST
        for value in values:
            if left < 0:
                yield "…"
                return
            yield (said := self.value(value, markers))
            left -= len(said)

    @property
    def _babel(self) -> str:
        return SOURCE if self.lang == PSEUDO else self.lang

    def _plain(self, key: str) -> str:
        found = self._translation(key) or self.english.get(key, key)
        return self._accent(found if isinstance(found, str) else found[-1])

    def _accent(self, text: str) -> str:
        return text.translate(_ACCENTED) if self.lang == PSEUDO else text

    def _fill(self, template: str, args: Mapping[str, Value], within: bool = False) -> str:
        """`within`: it is part of a sentence, and does not begin one."""
        said = ""
        for part in parse(template).parts:
            if len(said) > LONGEST:
                return said[:LONGEST] + "…"
            if isinstance(part, str):
                said += self._accent(self.grammar.literal(part))
            elif part.name not in args:                            # `check` names it (W208, T012)
                said += UNFILLED
            else:
                said += self._field(part, args[part.name], not (within and not said) and starts_sentence(said, self.grammar.ordinals))
        return self.grammar.finish(said)

    def _field(self, field: Field, value: Value, first: bool) -> str:
        said = self.value(value, field.markers, field.noun)
        return capital(said) if "cap" in field.markers or first and _may_rise(value) else said

    def _noun(self, noun: Noun, markers: Sequence[str]) -> str:
        if noun.number is not None:
            return self._accent(self.grammar.numbered(self.thing(noun.key), noun.number, markers))
        return self._accent(self.grammar.noun(self.thing(noun.key), markers))

    def _counted(self, n: int, noun: Noun, markers: Sequence[str]) -> str:
        nothing = self.thing(noun.key).forms.get("none") if n == 0 else None
        if nothing is not None and self.grammar.case(markers) is None:
            return self._accent(nothing)
        return self._accent(self.grammar.counted(self.number(n), n, self.thing(noun.key), markers))

    def thing(self, key: str) -> Thing:
        """The noun `key` with its name, its forms and the noun of its type. `n.guest` without an entry of its own is `Guest`."""
        found = self._things.get(key)
        if found is None:
            if key.startswith("n.") and key not in self.lexicon:
                type_name = "".join(word.capitalize() for word in key[2:].split("_"))
                if type_name in self.lexicon or f"{type_name}.name" in self.english:
                    return self.thing(type_name)
            owner = key.rpartition(".")[0]
            kind = self.thing(owner) if owner and (owner in self.lexicon or f"{owner}.name" in self.english) else None
            found = self._things[key] = Thing(key, self._name(key), self.lexicon.get(key, {}), kind)
        return found

    @staticmethod
    def unnamed(name: str) -> str:
        """What has no name for people, as they are shown it for want of a better one: its name in the rules."""
        return name.replace("_", " ")

    def _name(self, key: str) -> str:
        name = self._translation(f"{key}.name") or self.english.get(f"{key}.name")
        if name is None:
            owner, _, word = key.rpartition(".")
            return self.lexicon.get(key, {}).get(self.grammar.base) or (word.replace("_", " ") if owner == "n" else self.unnamed(word))
        return visible(name if isinstance(name, str) else name[0], keep="")


def _may_rise(value: Value) -> bool:
    """Whether a value takes a capital at the start of a sentence: words of the language do, names and labels stay as they are."""
    if isinstance(value, Noun | Counted | bool) or value is None:
        return True
    if isinstance(value, int):
        return True                                                 # az 5: its article
    if isinstance(value, Proper):
        return value.seat
    return not isinstance(value, str) and (not value or _may_rise(value[0]))


def engine_words(lang: str) -> Words:
    """The engine's own words: prompts, results, errors, diagnostics."""
    return Words(lang, [(DIAGNOSTICS, SHIPPED), (ENGINE, SHIPPED)], engine_english())


def engine_english() -> dict[str, Text]:
    """Key → English of everything the engine says."""
    return {**readers.read_codes(), **readers.read_messages(readers.MESSAGES_FILE)}


def game_words(lang: str, game: str, folder: Path, texts: Mapping[str, Text], packs: PackTexts | None = None) -> Words:
    """The words of a game over the engine's. `texts`: key → English of what the game's YAML names (after house rules); its messages.yaml
    and clauses.yaml are read here. `packs`: what the packs of house rules say that are laid over it."""
    domains: list[Layer] = [(DIAGNOSTICS, SHIPPED), (ENGINE, SHIPPED), (game, SHIPPED)]
    english = engine_english() | readers.read_messages(folder / "messages.yaml") | readers.read_clauses(folder / "clauses.yaml")
    if (folder / "locale").is_dir():
        domains.append((game, folder / "locale"))
    own: dict[str, Text] = {}
    if packs is not None:
        own = {key: text for key, text in packs.source.items() if key not in packs.foreign or key not in english}
        english = {key: text for key, text in english.items() if key not in packs.gone}
    return Words(lang, domains, {**english, **own, **texts}, packs=packs)
