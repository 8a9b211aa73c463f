"""Check the texts of a domain: report missing, outdated and wrong ones (codes T… and W2…, see dsl/codes.yaml)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from babel.messages.catalog import Message as Entry

from ...dsl.diagnostics.diagnostic import DiagnosticList, SourceSpan, did_you_mean
from ...dsl.diagnostics.safe_read import FileTooLargeError, read_bytes
from ...dsl.languages.registry import DEFAULT_PLURALS, KEYWORDS_FILE, LANGUAGE_FILE, find_language
from ...dsl.model.model import GameModel
from ...dsl.packs.pack_texts import OverlayTexts
from ...dsl.packs.source import read_game
from ...dsl.yaml.located_yaml import read_yaml
from ...dsl.yaml.po_files import CatalogueError, add_catalogue_error, decode_catalogue
from .catalogue import catalogue_status, is_complete, read_entries
from .grammar import grammar_of
from .languages import LANGUAGES, SOURCE_LANGUAGE, plural_rule_of
from .lint import iter_missing_zero_texts, iter_style_problems, iter_uncounted_nouns
from .localizer import OPTION_TEXT_WORDS, ZERO_SUFFIX, Localizer
from .message_sources import SourceMessage, TextDomain
from .readers import OPTION_CLAUSE_PREFIX, Text, catalogue_path, is_prose, lexicon_path
from .template import Template, TemplateField, parse_template

# Key → field → type: "int" ("from 0" if it can be 0), "text", "proper", a noun ("Room.tower"), or a family of nouns ("Room").
FieldTypes = Mapping[str, Mapping[str, str]]
CLAUSE_PREFIX = "clause."
TRANSLATION_STATUS_CODES = ("W202", "W203", "W204", "W205")                       # missing, outdated, unused and fuzzy translations
# prefixes of the keys of clause sentences
CLAUSE_TEXT_PREFIXES = (CLAUSE_PREFIX, OPTION_CLAUSE_PREFIX)
PLAY_TEXT_HEADS = ("ask", "option", "decline", "did", "event", "score", "then", "short", "worth", "became", "outlook",
        "standing")                                                # decisions, events, scores and previews
OPTION_TEXT_PREFIX = "variant."
MEMBER_TEXT_KEY = re.compile(r"[A-Z]\w*\.\w+\.text")                   # text of a card or another member
GAME_TEXT_KEY = re.compile(r"(?:game|phase\.\w+)\.text")
UNCLOSED_FIELD = re.compile(r"\{([a-z_][a-z0-9_]*)(~[a-z][a-z0-9_.]*[a-z0-9_]|(?=[^~{}]*$))(?![^{}]*\})")     # without the closing brace
NAME_KEY = re.compile(r"(?:game|phase\.\w+|[A-Z]\w*(?:\.\w+)?)\.name")   # of a game, a phase, a type or a member: without fields
EMPTY_LIST_MARK = "–"                                                        # shown for an empty list of fields


def check_domain(domain: TextDomain, findings: DiagnosticList, fields: FieldTypes | None = None, languages: Sequence[str] = LANGUAGES,
          parts: Collection[str] | None = None) -> None:
    """Checks the English texts, the catalogues and the lexicons of a domain and adds the diagnostics to `findings`.

    `fields` contains the type of each field. A field without a type that is called like a type or a member is
    assumed to contain one. The fields of clauses are looked up in the game's data.

    `parts` is known only together with the rules. It contains values of the data that every text may use. Names
    with a leading point are parts of things: `.height` for `{tower_height}`. If `parts` is given, texts that
    nothing uses are reported too."""
    fields = {**clause_fields(domain), **(fields or {})}
    for lang in languages:
        check_texts_in_language(domain, lang, findings, fields, parts)


def check_texts_in_language(
    domain: TextDomain, lang: str, findings: DiagnosticList, fields: FieldTypes, parts: Collection[str] | None = None
) -> None:
    """Checks the texts of a domain in one language, like `check_domain`. `fields` includes those of clauses."""
    fields = {**fields, **fields_of_zero_texts((message.key for message in domain.messages), fields)}
    _DomainChecker(domain, Localizer(lang, domain.layers, domain.english), findings, fields, parts).run()


def fields_of_zero_texts(keys: Iterable[str], fields: FieldTypes) -> FieldTypes:
    """Returns the field types of texts for the number 0 (`.none`): the same as for the text without the suffix."""
    return {key: fields[whole] for key in keys if key not in fields and "n" in fields.get(whole := key.removesuffix(ZERO_SUFFIX), ())}


def check_language(lang: str, findings: DiagnosticList) -> None:
    """Reports errors in the files that define a language. At run time an unreadable file is treated as missing."""
    spoken = find_language(lang)
    for path in (spoken.locale / lang / LANGUAGE_FILE, spoken.locale / lang / KEYWORDS_FILE) if spoken is not None else ():
        if path.is_file():
            read_yaml(path, findings)


def check_pack_translations(
    domain: TextDomain, texts: OverlayTexts, model: GameModel, findings: DiagnosticList, fields: FieldTypes, parts: Collection[str]
) -> None:
    """Checks the texts of house-rule packs in every language that the packs use."""
    fields = {**data_text_fields(filter(is_data_text, texts.source), model), **fields}
    fields |= fields_of_zero_texts(texts.source, fields)
    english = {key: text for key, (text, _) in model.texts.items()}
    whole = replace(domain, messages=[], below={**domain.english, **texts.source, **english})
    for lang in LANGUAGES:
        words = Localizer(lang, whole.layers, whole.english, packs=texts)
        checker = _DomainChecker(whole, words, findings, fields, parts)
        for key, said in texts.translations[lang].items():
            source, place = texts.source[key], texts.places[key]
            message = SourceMessage(key, source, place)
            variants = (said,) if isinstance(said, str) else said
            if unknown := collect_field_names(variants) - collect_field_names(message.variants):
                checker.report("T005", place, key=key, fields=format_fields(unknown))
            if lacking := collect_field_names(message.variants) - collect_field_names(variants) - {"n"}:
                checker.report("T004", place, key=key, fields=format_fields(lacking))
            checker.check_sentence(message, variants, place)


class _DomainChecker:
    """Checks the texts of one domain in one language."""
    def __init__(
        self, domain: TextDomain, words: Localizer, findings: DiagnosticList, fields: FieldTypes, parts: Collection[str] | None = None
    ) -> None:
        self.parts = parts
        self.domain, self.words, self.findings, self.fields = domain, words, findings, fields
        self.lang = words.lang
        self.catalogue = catalogue_path(domain.locale, self.lang, domain.name)
        self.lexicon = lexicon_path(domain.locale, self.lang, domain.name)
        self.families = NounFamilies(domain.english)
        self.reported: set[tuple[str, str]] = set()
        self.listed: set[str] = set()                              # nouns of the lexicon
        self.lags = self.lang not in LANGUAGES                      # a language package may be incomplete; `words status` counts

    def run(self) -> None:
        """Runs all checks of the lexicon and the catalogue."""
        self.check_lexicon()
        if self.lang == SOURCE_LANGUAGE:
            for message in self.domain.messages:
                self.check_sentence(message, message.variants, message.place)
        if not self.catalogue.is_file():
            if self.domain.messages and not self.lags:
                self.findings.add(
                    "W201", SourceSpan(str(self.catalogue)), lang=self.lang, domain=self.domain.name, n=len(self.domain.messages)
                )
            return
        try:
            text = decode_catalogue(read_bytes(self.catalogue))
            self.check_plural_header(text)
            self.check_declared_language(text)
            found = read_entries(self.catalogue)
        except FileTooLargeError as error:
            self.findings.add("Y002", SourceSpan(str(self.catalogue)), limit=error.limit)
            return
        except CatalogueError as error:
            add_catalogue_error(self.findings, str(self.catalogue), error)
            return
        stale = self.report_status(found)
        for message in self.domain.messages:
            entry = found.get(message.key)
            if entry and is_complete(entry.string) and not entry.fuzzy and message.key not in stale:     # others are not shown to players
                self.check_translation(message, entry)

    def report(self, code: str, place: SourceSpan, suggestion: str | None = None, also: tuple[SourceSpan, ...] = (), **args: Any) -> None:
        """Adds a diagnostic with the language of this check. `suggestion` is the suggestion."""
        self.findings.add_with_suggestion(code, place, suggestion, also=also, lang=self.lang, **args)

    # ------------------------------------------------------------ whole catalogue

    def check_plural_header(self, text: str) -> None:
        """Reports a wrong plural header (T007)."""
        found = re.search(r'"Plural-Forms:\s*(.*?)\s*\\n"', text)
        spoken = find_language(self.lang)
        wanted = spoken.plural if spoken is not None else DEFAULT_PLURALS
        if found is None or re.sub(r"\s", "", found[1]).rstrip(";") != re.sub(r"\s", "", wanted).rstrip(";"):
            line = text[:found.start()].count("\n") + 1 if found else 1
            self.findings.add("T007", SourceSpan(str(self.catalogue), line), lang=self.lang, found=found[1] if found else "", wanted=wanted)

    def check_declared_language(self, text: str) -> None:
        """Reports a catalogue that declares another language (T013)."""
        for number, line in enumerate(text.split("\n"), 1):
            said = re.match(r'"Language:\s*([a-z]{2,3})', line)
            if said is not None and said[1] != self.lang:
                self.findings.add("T013", SourceSpan(str(self.catalogue), number, 1, len(line) + 1), lang=self.lang, found=said[1])

    def report_status(self, found: Mapping[str, Entry]) -> Collection[str]:
        """Reports missing, outdated and unused translations. Returns the keys of the outdated ones."""
        now = catalogue_status(self.domain, self.lang)
        sources = {message.key: message for message in self.domain.messages}
        for key in now.missing if not self.lags else ():
            entry = found.get(key)
            code = "W205" if entry and entry.fuzzy else "W202"
            place = self.place_of(entry) if entry else sources[key].place
            self.findings.add(code, place, key=key, lang=self.lang, english=sources[key].variants[-1])
        for key in now.stale:
            self.report("W203", self.place_of(found[key]), also=(sources[key].place,), key=key)
        for key in now.gone:
            self.report("W204", self.place_of(found[key]), did_you_mean(key, now.missing), key=key)
        return now.stale

    def place_of(self, entry: Entry) -> SourceSpan:
        return SourceSpan(str(self.catalogue), entry.lineno or 1)

    # ------------------------------------------------------------ sentences

    def check_translation(self, message: SourceMessage, entry: Entry) -> None:
        """Checks a translation against its English text: plural forms, fields and counted nouns."""
        place = self.place_of(entry)
        said: tuple[str, ...] = tuple(entry.string) if isinstance(entry.string, tuple | list) else (str(entry.string),)
        forms, form_of = plural_rule_of(self.lang)
        if len(said) != (1 if len(message.variants) == 1 else forms):
            self.report("T011", place, key=message.key)
            return
        if is_prose(message.key):
            return
        wanted = collect_field_names(message.variants)
        for number, text in enumerate(said):
            english = message.variants[0 if len(said) == 1 or number == form_of(1) else -1]
            here = parse_template(text).names
            # in a text with two forms, the form for 1 may omit the number
            lacking = (parse_template(english).names if len(message.variants) == 1 else parse_template(english).names - {"n"}) - here
            unknown = here - wanted
            if lacking:
                self.report("T004", place, key=message.key, fields=format_fields(lacking))
            if unknown:
                meant = did_you_mean(sorted(unknown)[0], wanted)
                self.report("T005", place, meant and f"{{{meant}}}", key=message.key, fields=format_fields(unknown))
            for code, told in iter_uncounted_nouns(text, english, self.words):
                self.report(code, place, key=message.key, **told)
        # English was checked in its source
        if self.lang != SOURCE_LANGUAGE or not _is_same_text(entry.string, message.english):
            self.check_sentence(message, said, place)

    def check_sentence(self, message: SourceMessage, texts: Iterable[str], place: SourceSpan) -> None:
        """Checks the syntax, fields, markers and nouns of a text in all its forms."""
        for text in texts if not is_prose(message.key) else ():
            template = parse_template(text)
            for fault in template.faults:
                cut = UNCLOSED_FIELD.match(fault)
                closed = f"{{{cut[1]}}}{cut[2]}" if cut is not None else self.suggest_field(message.key, fault)
                self.report("T003", place, closed, key=message.key, found=cut[0] if cut is not None else fault)
            known = self.fields.get(message.key) if is_data_text(message.key) else None
            if known is not None and (unknown := template.names - set(known)):
                meant = self.suggest_value(message.key, sorted(unknown)[0])
                self.report("T012", place, meant and f"{{{meant}}}", key=message.key, fields=format_fields(unknown))
            self.check_play_text(message, template, place)
            self.check_option_text(message, template, place)
            for field in template.fields:
                self.check_field(message, field, place)
            kinds = self.fields.get(message.key, {})
            found = [*iter_style_problems(message.key, text, self.words, kinds)]
            if self.lang == SOURCE_LANGUAGE:
                found += iter_missing_zero_texts(message.key, template, self.domain.english, kinds)
            for code, told in found:
                self.report(code, place, key=message.key, **told)

    def suggest_field(self, key: str, fault: str) -> str | None:
        """Returns a suggestion for a wrong field, such as `{tower_price}` for `{tower.price}`."""
        parts = re.findall(r"[a-z0-9_]+", fault.lower())
        known = self.fields.get(key, {})
        wanted = "_".join(parts)
        found = next((name for name in (wanted, *parts[-1:]) if name in known), None) or did_you_mean(
            wanted, self.list_available_fields(known)
        )
        return f"{{{found}}}" if found else f"{{{wanted}}}" if len(parts) > 1 and not known else None

    def suggest_value(self, key: str, name: str) -> str | None:
        """Returns a suggestion for an unknown value in the text of a member or clause.

        If another member has this value, a similar value of this member is probably misspelt itself, so it is not suggested."""
        known, parts = self.fields.get(key, {}), self.parts or ()
        return did_you_mean(name, [one for one in known if f".{name}" not in parts or f".{one}" not in parts])

    def list_available_fields(self, known: Iterable[str]) -> list[str]:
        """Returns every name that a text may use: these fields, their parts, and values of the data."""
        fields, parts = list(known), sorted(self.parts or ())
        of_fields = [f"{field}_{part[1:]}" for field in fields for part in parts if part.startswith(".")]
        return [*fields, *of_fields, *(part for part in parts if not part.startswith("."))]

    def check_play_text(self, message: SourceMessage, template: Template, place: SourceSpan) -> None:
        """Checks the text of a decision, an event or a source of points.

        Reports the text if nothing uses it (W209), or if nothing fills one of its fields (W208)."""
        if self.parts is None or message.key.split(".")[0] not in PLAY_TEXT_HEADS or message.key.startswith("event.chance."):
            return
        base = message.key.removesuffix(".others").removesuffix(".others")
        usual = None if message.key.startswith("event.") else self.fields.get(base)      # only some events have other listeners
        known = self.fields.get(message.key, usual)
        if known is None:
            meant = did_you_mean(base, [key for key in self.fields if key.split(".")[0] in PLAY_TEXT_HEADS])
            self.findings.add_with_suggestion("W209", place, meant, key=message.key)          # once for all languages
            return
        unknown = [name for name in sorted(template.names) if name not in known and not self.is_part_of_field(name, known)]
        if unknown:
            meant = did_you_mean(unknown[0], known) or did_you_mean(unknown[0], self.list_available_fields(known))
            hint = "did_you_mean" if meant else "not_in_texts" if "." + unknown[0] in self.parts else None
            self.findings.add(
                "W208",
                place,
                hint=hint,
                lang=self.lang,
                meant=f"{{{meant}}}",
                key=message.key,
                fields=format_fields(unknown),
                known=format_fields(known) or EMPTY_LIST_MARK,
            )

    def check_option_text(self, message: SourceMessage, template: Template, place: SourceSpan) -> None:
        """Checks a text about an option of the game: the option and the value must exist.

        The text of a value may not have fields, because it is shown before a game exists that could fill them."""
        if self.parts is not None and message.key.startswith(OPTION_CLAUSE_PREFIX):
            named = OPTION_TEXT_PREFIX + message.key.removeprefix(OPTION_CLAUSE_PREFIX).partition(".")[2]
            if named not in self.fields:
                self.report(
                    "W209", place, did_you_mean(named, [key for key in self.fields if key.startswith(OPTION_TEXT_PREFIX)]), key=message.key
                )
        if self.parts is None or not message.key.startswith(OPTION_TEXT_PREFIX):
            return
        if message.key not in self.fields:
            self.report(
                "W209",
                place,
                did_you_mean(message.key, [key for key in self.fields if key.startswith(OPTION_TEXT_PREFIX)]),
                key=message.key,
            )
        elif message.key.rpartition(".")[2] not in OPTION_TEXT_WORDS and template.names:
            self.report("W208", place, key=message.key, fields=format_fields(template.names), known=EMPTY_LIST_MARK)

    def is_part_of_field(self, name: str, known: Iterable[str]) -> bool:
        """Whether a name such as `tower_height` is a part of the thing in the field `tower`, or a value of the data."""
        assert self.parts is not None
        return name in self.parts or any(name.startswith(slot + "_") and "." + name[len(slot) + 1 :] in self.parts for slot in known)

    def check_field(self, message: SourceMessage, field: TemplateField, place: SourceSpan) -> None:
        """Checks the markers of a field, and the forms of the nouns that may fill it."""
        grammar = self.words.grammar
        for marker in field.markers:
            if marker not in grammar.markers:
                self.report("T006", place, did_you_mean(marker, grammar.markers), key=message.key, marker=marker,
                         known=", ".join(sorted(grammar.markers)))
        if field.noun:
            if not self.words.lookup_noun(field.noun).forms and self.lang != SOURCE_LANGUAGE:
                self.report("T010", place, did_you_mean(field.noun, self.listed), key=message.key, noun=field.noun, file=self.lexicon.name)
            else:
                self.check_noun(message, field, field.noun, True)
        for noun in self.iter_possible_nouns(message, field):
            self.check_noun(message, field, noun, False)

    def check_noun(self, message: SourceMessage, field: TemplateField, key: str, counted: bool) -> None:
        """Reports a form that the lexicon lacks (W206), once for each noun and form."""
        form = self.words.grammar.find_missing_form(self.words.lookup_noun(key), field.markers, counted)
        if form and (key, form) not in self.reported:
            self.reported.add((key, form))
            self.findings.add("W206", SourceSpan(str(self.lexicon)), noun=key, form=form, lang=self.lang, key=message.key)

    def iter_possible_nouns(self, message: SourceMessage, field: TemplateField) -> Iterator[str]:
        """Yields the nouns that may fill a field."""
        kind = self.fields.get(message.key, {}).get(field.name) or self.families.guess_field_type(field.name)
        if kind in self.families.members:
            yield from self.families.members[kind]
        elif kind and "." in kind:
            yield kind

    # ------------------------------------------------------------ the lexicon

    def check_lexicon(self) -> None:
        """Checks the lexicon: each noun must exist, and its forms must be forms of this language."""
        if not self.lexicon.is_file():
            return
        document = read_yaml(self.lexicon, self.findings)
        if document is None or not isinstance(document.data, dict):
            return
        known = {noun for members in self.families.members.values() for noun in members}
        known |= set(self.families.members)
        self.listed = set(map(str, document.data))
        for noun, forms in document.data.items():
            place = document.key_place(noun)
            if not isinstance(forms, dict):
                self.report("T009", place, noun=noun, form="")
                continue
            report_unknown_forms(self.findings, self.lang, str(noun), forms, partial(document.key_place, noun))
            if not str(noun).startswith("n.") and noun not in known:
                counted = {field.noun for text in self.domain.english.values() for variant in ([text] if isinstance(text, str) else text)
                           for field in parse_template(variant).fields if field.noun}
                self.report("W207", place, did_you_mean(str(noun), known | counted), noun=noun)


def report_unknown_forms(
    findings: DiagnosticList, lang: str, noun: str, forms: Mapping[Any, Any], place_of: Callable[[Any], SourceSpan]
) -> None:
    """Reports the keys of a noun that are no forms of a language (T009)."""
    grammar = grammar_of(lang)
    for form, word in forms.items():
        if grammar.is_known_form(str(form)) and isinstance(word, str) and (form != "g" or word in grammar.genders):
            continue
        if form == "g" and grammar.genders:
            genders = ", ".join(sorted(grammar.genders))
            findings.add("T009", place_of(form), hint="known_keys", lang=lang, noun=noun, form=form, known=genders)
        else:
            meant = did_you_mean(str(form), {*grammar.stored, *grammar.markers, "article", "members", "none"})
            findings.add_with_suggestion("T009", place_of(form), meant, lang=lang, noun=noun, form=form)


class NounFamilies:
    """The nouns of a domain by type: `Room` → `Room.tower`, …"""

    def __init__(self, english: Mapping[str, Text]) -> None:
        self.members: dict[str, list[str]] = {}
        for key in english:
            owner, _, rest = key.partition(".")
            if key.endswith(".name") and owner[:1].isupper():
                found = self.members.setdefault(owner, [])
                if rest != "name":
                    found.append(key.removesuffix(".name"))
        self.by_name = {noun.partition(".")[2]: noun for found in self.members.values() for noun in found}

    def guess_field_type(self, field: str) -> str | None:
        """Guesses the type of a field from its name: `{guest}` is a Guest, `{tower}` is Room.tower."""
        family = "".join(word.capitalize() for word in field.split("_"))
        return family if family in self.members else self.by_name.get(field)


def is_data_text(key: str) -> bool:
    """Whether a text can use values of the game's data, but nothing that happens in play."""
    return key.startswith(CLAUSE_TEXT_PREFIXES) or any(pattern.fullmatch(key) for pattern in (MEMBER_TEXT_KEY, GAME_TEXT_KEY, NAME_KEY))


def clause_fields(domain: TextDomain) -> FieldTypes:
    """Returns the field types of each text that `is_data_text` recognizes. Empty if the game's data cannot be read."""
    keys = [message.key for message in domain.messages if is_data_text(message.key)]
    if domain.folder is None or not keys:
        return {}
    from ...dsl.model.build_model import make_model

    source = read_game(domain.folder, DiagnosticList())                   # `ludoglot check` reports its errors
    model = make_model(source, source.player_range[1], {}, DiagnosticList()) if source else None
    if model is None:
        return {}
    return data_text_fields(keys, model)


def data_text_fields(keys: Iterable[str], model: GameModel) -> FieldTypes:
    """Returns the field types of texts that `is_data_text` recognizes. Names have no fields."""
    from .placeholders import clause_values, placeholder_type, text_placeholders
    of_clauses, of_games = (
        {name: placeholder_type(value) for name, value in values.items()}
        for values in (clause_values(model), text_placeholders(model))
    )
    keys = [*keys]
    found: dict[str, Mapping[str, str]] = {
        key: {} if NAME_KEY.fullmatch(key) else of_games if GAME_TEXT_KEY.fullmatch(key) else of_clauses for key in keys
    }
    return {**found, **member_fields(filter(MEMBER_TEXT_KEY.fullmatch, keys), model)}


def member_fields(keys: Iterable[str], model: GameModel) -> FieldTypes:
    """Returns the field types of member texts such as `Card.joker.text`: the member's own values, numbers and
    things."""
    from .placeholders import placeholder_type, text_placeholders
    found: dict[str, dict[str, str]] = {}
    for key in keys:
        domain, _, member = key.removesuffix(".text").partition(".")
        enum = model.enums.get(domain)
        if MEMBER_TEXT_KEY.fullmatch(key) and enum is not None and member in enum.first_index:
            known = text_placeholders(model, domain, member)
            found[key] = {name: placeholder_type(value) for name, value in known.items()}
    return found


def collect_field_names(texts: Iterable[str]) -> frozenset[str]:
    """Returns the names of all fields in these texts."""
    return frozenset(name for text in texts for name in parse_template(text).names)


def format_fields(fields: Iterable[str]) -> str:
    """Formats field names for a message: `{a}, {b}`."""
    return ", ".join(f"{{{field}}}" for field in sorted(fields))


def _is_same_text(string: object, english: Text) -> bool:
    return (tuple(string) if isinstance(string, list) else string) == english
