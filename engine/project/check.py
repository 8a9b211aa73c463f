"""The complete static check of a game: rules, data, texts, table, scenarios."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..library.find import RULES_FOLDER, GameLocation

if TYPE_CHECKING:
    from ...dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList
    from ...dsl.game.table_config import TableValue
    from ...dsl.game.variants import Variant, VariantChecker
    from ...dsl.model.model import GameModel
    from ...dsl.packs import PackBundle
    from ...dsl.packs.overlay import PackOverlay
    from ...dsl.packs.source import GameSource
    from ...dsl.types.types import Type
    from ..i18n.message_sources import TextDomain
    from ..testing.scenario import Scenario

MAX_VARIANT_COMBINATIONS = 40                            # beyond this, options are varied one at a time


def field_suffixes(texts: Iterable[Any]) -> set[str]:
    """Returns the possible later parts of field names in texts: `height` for `{tower_height}`."""
    from ..i18n.template import parse_template
    names = [name for text in texts for variant in ([text] if isinstance(text, str) else text) for name in parse_template(variant).names]
    return {"_".join(parts[k:]) for parts in (name.split("_") for name in names) for k in range(1, len(parts))}


def drop_used_names(findings: DiagnosticList, texts: Iterable[Any], drawn: set[str]) -> set[str]:
    """Removes the diagnostics of unused names that texts or the table (`drawn`) use. Returns the used names."""
    used = {"W103": field_suffixes(texts) | drawn, "W101": drawn}
    findings.items = [d for d in findings.items if d.args.get("name") not in used.get(d.code, ())]
    return used["W103"]


def check_game_cached(found: GameLocation, houses: Sequence[Path | PackBundle]) -> list[Diagnostic]:
    """Returns the diagnostics of a game. They come from the cache if nothing has changed that they depend on."""
    from ...dsl.cache import cache_get, cache_key, cache_put, hash_files, package_hash
    from ...dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList, Phrase, PhraseList, SourceSpan
    from ...dsl.diagnostics.safe_read import find_unreadable_files
    from ...dsl.types import types
    try:
        if any(find_unreadable_files(found.folder)):
            raise OSError
        files = sorted(path for path in found.folder.rglob("*") if path.is_file())
        key = cache_key(
            package_hash("dsl", "engine", "locale"),
            found.shown,
            str(found.folder.resolve()),
            *(map(str, files)),
            hash_files(files),
            *(part for house in houses for part in pack_content(house)),
        )
    except OSError:
        key = ""                                                   # the reader reports the error
    allowed = [Diagnostic, Phrase, PhraseList, SourceSpan,
               *(kind for kind in vars(types).values() if isinstance(kind, type) and kind.__module__ == types.__name__)]
    known = cache_get("findings", key, allowed) if key else None
    if isinstance(known, list):
        return known
    findings = DiagnosticList()
    check_game(found, houses, findings)
    findings = findings.without_duplicates()
    if key:
        cache_put("findings", key, findings.items)
    return findings.items


def pack_content(house: Path | PackBundle) -> tuple[str, str]:
    """Returns what the diagnostics of a pack depend on: its displayed path and the hash of its content. Raises
    OSError."""
    from ...dsl.diagnostics.diagnostic import DiagnosticList
    from ...dsl.packs import read_bundle
    bundle = read_bundle(house, DiagnosticList())
    if bundle is None:
        raise OSError
    return bundle.shown, bundle.hash


def check_game(found: GameLocation, houses: Sequence[Path | PackBundle], findings: DiagnosticList) -> None:
    """Checks a game: every variant, the texts in each language, and the scenarios without running them."""
    from ...dsl.diagnostics.diagnostic import DiagnosticList
    from ..testing.scenario import list_scenario_files, read_scenarios
    tests = DiagnosticList()                                             # errors in tests must not hide other diagnostics
    scenarios = [scenario for path in list_scenario_files(found) for scenario in read_scenarios(path, tests)]
    source = read_with_packs(found, houses, findings)
    if source is None and houses:
        findings.items += find_further_errors(found, houses, findings)
    rules = check_variants(found, source, findings) if source is not None else VariantSummary()
    check_texts_and_scenarios(found, source, rules, scenarios, findings, tests)
    if source is not None and source.laid is not None and rules.first is not None and not findings.errors:
        check_range_writes(found, source.laid, rules.first, findings)


def find_further_errors(found: GameLocation, houses: Sequence[Path | PackBundle], known: DiagnosticList) -> list[Diagnostic]:
    """Returns the errors in the rules of packs that cannot be applied for other reasons, so that all errors are
    reported at once.

    Unknown names are left out, because they may follow from the other errors."""
    from ...dsl.diagnostics.diagnostic import DiagnosticList
    from ...dsl.packs import apply_packs
    from ...dsl.packs.overlay import UNKNOWN_NAME_CODES
    from ...dsl.packs.source import read_game
    source = read_game(found.folder, DiagnosticList(), found.shown)
    if source is None or apply_packs(source, houses, DiagnosticList()) or source.laid is None:
        return []
    own = DiagnosticList()
    check_variants(found, source, own)
    told, laid = {one.place for one in known.items}, source.laid
    return [
        one
        for one in own.errors
        if laid.find_pack_of_file(one.place.path) is not None and one.code not in UNKNOWN_NAME_CODES and one.place not in told
    ]


def check_range_writes(found: GameLocation, laid: PackOverlay, variant: Variant, findings: DiagnosticList) -> None:
    """Reports writes of packs to a ranged number that the game itself does not make, if nothing proves that they
    stay in the range (W410)."""
    from ...dsl.analysis.range_proofs import find_range_writes, find_unproven_ranges
    from ...dsl.diagnostics.diagnostic import DiagnosticList
    from ...dsl.game.variants import VariantChecker
    bare = read_with_packs(found, (), DiagnosticList())
    assert bare is not None                                        # it could be read together with the packs
    settings = {name: variant.settings[name] for name in bare.data["options"]}
    before = VariantChecker(bare, DiagnosticList(), exact=True).check_variant(variant.model.players, settings)
    if before is None:                                             # only the packs allow this number of players
        return
    for doubt in find_unproven_ranges(find_range_writes(before.program), find_range_writes(variant.program)):
        change = laid.find_change(doubt.now.data) if laid.find_pack_of_file(doubt.now.at.path) is None else None
        findings.add("W410", doubt.now.at.place, hint="many_games", also=(change.place,) if change is not None else (),
                     name=doubt.now.state.name, range=doubt.now.state_range, now=doubt.now.given, before=doubt.before)


def check_texts_and_scenarios(
    found: GameLocation,
    source: GameSource | None,
    rules: VariantSummary,
    scenarios: list[Scenario],
    findings: DiagnosticList,
    tests: DiagnosticList,
) -> None:
    """Checks everything but the rules of a game: texts, clauses, scenarios, unused data, and its folder.

    `tests` are the diagnostics that were found when the scenarios were read."""
    from ...dsl.diagnostics.diagnostic import DiagnosticList
    from ...dsl.packs.source import report_unreadable_files
    from ..i18n.check_chance import check_chance
    from ..i18n.check_texts import check_domain, check_pack_translations
    from ..i18n.check_unused_texts import check_unused_texts
    from ..i18n.message_sources import game_domain
    from ..testing.scenario import read_pack_scenarios
    from ..testing.scenario_lint import check_scenarios
    from ..testing.traceability import check_clauses
    from .check_unused import check_unused
    if not findings.errors:
        laid = source.laid if source is not None else None
        if rules.checking is not None:                             # the game's own scenarios may not fit the packs; running them shows it
            check_scenarios(scenarios if laid is None else read_pack_scenarios(laid), rules.checking, tests)
        if rules.first is not None:                                # all variants have the same citations
            clauses = DiagnosticList()
            check_clauses(found, rules.first, scenarios + read_pack_scenarios(laid), clauses, laid)
            findings.items += clauses.items if laid is None else only_pack_findings(laid, clauses.items)
        words = DiagnosticList()
        domain = game_domain(found.folder, words)
        if laid is None:
            check_domain(domain, words, rules.fields, parts=rules.parts if rules.first is not None else None)
            if rules.first is not None:
                check_unused_texts(rules.keys, domain, words)
        elif rules.first is not None:                              # the game's own texts were checked without packs
            check_pack_translations(domain, laid.texts, rules.first.model, words, rules.fields, rules.parts)
            check_pack_texts(laid, rules.first, domain, words)
        if rules.first is not None and has_play_texts(domain):
            check_chance(rules.first, {*domain.english, *(laid.texts.source if laid is not None else ())}, words)
        drop_used_names(findings, [*domain.english.values(), *(laid.texts.source.values() if laid else ())], rules.drawn)
        travels = found.folder.resolve().is_relative_to(RULES_FOLDER)     # a game in development may lack languages
        if source is not None:
            check_unused(source, [*domain.english.values(), *(laid.texts.source.values() if laid is not None else ())], findings)
        findings.items += [d for d in words.items if travels or d.code != "W201"]
    findings.items += tests.items
    report_unreadable_files(found.folder, found.shown, findings)


def check_pack_texts(laid: PackOverlay, variant: Variant, domain: TextDomain, findings: DiagnosticList) -> None:
    """Checks the texts of packs: unused keys, missing texts, old numbers, and sentences about what a pack changes."""
    from ..i18n.check_pack_texts import check_keys, check_mentions, check_missing_texts, check_numbers
    check_keys(laid, variant, domain.english, findings)
    english = {**domain.english, **laid.texts.source, **{key: text for key, (text, _) in variant.model.texts.items()}}
    if has_play_texts(domain):
        check_missing_texts(laid, variant, english, findings)
    check_numbers(laid, variant, english, findings)
    check_mentions(laid, variant, english, findings)


def has_play_texts(domain: TextDomain) -> bool:
    """Whether a game has texts for its decisions or events. Only then is a missing text likely a mistake."""
    return any(message.key.startswith(("ask.", "option.", "event.")) for message in domain.messages)


def only_pack_findings(laid: PackOverlay, found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Returns the diagnostics of clauses that are in files of packs.

    The game's own clauses were checked without packs, and what packs remove leaves gaps in them."""
    files = {pack.bundle.display_path(name) for pack in laid.packs for name in pack.bundle.files}
    return [one for one in found if one.place.path in files]


@dataclass
class VariantSummary:
    """The results of checking all variants of a game together.

        first     the first variant without errors
        fields    message key → field → type
        parts     further names that texts may use
        keys      keys of other texts
        drawn     names that the table shows
        checking  the variant checker"""

    first: Variant | None = None
    fields: dict[str, dict[str, str]] = field(default_factory=dict)
    parts: set[str] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)
    drawn: set[str] = field(default_factory=set)
    checking: VariantChecker | None = None


def check_variants(
    found: GameLocation, source: GameSource, findings: DiagnosticList, begun: VariantChecker | None = None
) -> VariantSummary:
    """Checks every variant. The table is checked only for variants that differ in more than values.

    `begun` is a checker that has checked one variant already, for a quick result. Then the rules are not
    compiled, so Python's limits on the size of rules are not checked."""
    from ...dsl.game.notation_config import check_notation, read_notation
    from ...dsl.game.ruleset import compile_variant
    from ...dsl.game.table_config import check_table_config, read_table_config
    from ...dsl.game.variants import VariantChecker
    from ..i18n.check_unused_texts import iter_known_keys
    rules, checking = VariantSummary(), begun or VariantChecker(source, findings)
    panels = read_table_config(found.folder, findings, found.shown)
    panels = panels if source.laid is None else source.laid.merge_table(panels)
    notation = read_notation(found.folder, findings, found.shown) if not source.packs else None
    alike: set[int] = set()                                        # analyses (by id) of variants checked before
    for players, settings in list_variants(source):
        variant = checking.check_variant(players, settings)
        if variant is None:
            continue
        rules.first = rules.first or variant
        rules.parts |= text_fields_of_model(variant.model)
        rules.keys.update(iter_known_keys(variant, panels))
        if id(variant.facts.effects) not in alike:
            alike.add(id(variant.facts.effects))
            rules.parts |= queryable_names(variant)
            for key, known in collect_message_fields(variant).items():
                rules.fields[key] = {**rules.fields.get(key, {}), **known}
            rules.drawn |= check_table_config(panels, variant, findings) if panels is not None else set()
            if notation is not None:
                check_notation(notation, variant, findings)
    for doubt in checking.always or []:
        findings.add_diagnostic(doubt)
    rules.checking = checking
    if rules.first is not None and not findings.errors and begun is None:
        # Python's own limits concern the rules, not a variant
        compile_variant(rules.first, findings)
    return rules


def collect_message_fields(variant: Variant) -> dict[str, dict[str, str]]:
    """Returns the field types of each message about a decision, an event, an option or a source of points.

    The check of texts uses them to find the nouns whose forms a sentence needs."""
    from ...dsl.analysis.decision_points import find_decision_points
    from ...dsl.analysis.decision_points import find_event_points as events_of
    from ...dsl.game.table_config import CHANGE_SUFFIXES
    from ...dsl.types.types import Bool, Int, MemberOf
    from ..i18n.localizer import OPTION_TEXT_WORDS
    out: dict[str, dict[str, str]] = {}
    who = "Player" if "Player" in variant.source.data["enums"] else "proper"
    when = [name for name, state in variant.program.states.items() if state.seen == "open" and isinstance(state.type, Int | Bool)
            and [domain for _, domain in state.axes] in ([], ["Player"])]
    for decision in find_decision_points(variant.program, variant.facts):
        known = {name: field_type(found, variant, who) for name, found in decision.names.items()} | {"who": who}
        for word in ("ask", "option", "decline", "did", "then"):
            for entry in ["", *(f".{name}" for name in decision.entries)]:
                if word in ("option", "did") and decision.key.endswith(".n") and can_be_zero(decision.names.get("n")):
                    known = {**known, "n": "from 0"}
                for key in {decision.key, re.sub(r"\[\w+\]", "", decision.key)}:          # the case in the key of a text is optional
                    said = f"{key}{entry}"
                    out[f"{word}.{said}"] = {**out.get(f"{word}.{said}", {}), **known}
                    if word == "did":                              # other seats may know less
                        told = {name: kind for name, kind in known.items() if name not in decision.closed}
                        out[f"did.{said}.others"] = {**out.get(f"did.{said}.others", {}), **told}
                    parts = condition_fields(decision.names, variant) if word == "ask" and not entry else []
                    for name in [*when, *parts] if word in ("ask", "decline") and not entry else ():
                        out[f"{word}.{key}.when.{name}"] = out[f"{word}.{key}"]
    for event in events_of(variant.program):
        slots = {name: field_type(found, variant, who) for name, found in event.slots.items()}
        for word in ("event", "short"):
            out[f"{word}.{event.key}"] = {**out.get(f"{word}.{event.key}", {}), **slots}
    for value in trackable_values(variant):
        held = {name: field_type(MemberOf(domain), variant, who) for name, domain in zip(("it", "at"), value.domains)}
        held |= {"old": field_type(value.type, variant, who), "new": field_type(value.type, variant, who), "change": "text", "by": "int"}
        for key in (f"{word}.{value.name}{kind}" for word in ("worth", "became") for kind in CHANGE_SUFFIXES):
            out[key] = {**out.get(key, {}), **held}
        if len(value.domains) == 1:
            out[f"outlook.{value.name}"] = {name: held[name] for name in ("it", "new")} | {"n": "int"}
    out |= {f"score.{name}": {} for name in score_source_names(variant)}
    out |= {f"standing.{n}": {"n": "int", "m": "int"} for n in range(2, len(variant.program.goals["standing"].values) + 1)}
    for name, choice in variant.model.options.items():
        for value in (*OPTION_TEXT_WORDS, *choice.values):
            out[f"variant.{name}.{str(value).lower() if isinstance(value, bool) else value}"] = {}
    return out


def condition_fields(names: Mapping[str, Type], variant: Variant) -> list[str]:
    """Returns the attributes of visible things that can be conditions because they are booleans or numbers:
    `tower_shut`."""
    from ...dsl.types.types import Bool, Int, MemberOf
    found = {name: variant.model.enums.get(kind.name) for name, kind in names.items() if isinstance(kind, MemberOf)}
    return [f"{name}_{attribute}" for name, enum in found.items() if enum is not None
            for attribute, kind in enum.attributes.items() if isinstance(kind, Bool | Int)]


def trackable_values(variant: Variant) -> list[TableValue]:
    """Returns every value whose changes texts can report."""
    from ...dsl.game.table_config import collect_value_names, lookup_table_values
    return [
        value for name in sorted(collect_value_names(variant)) for value in lookup_table_values(variant, name) if value.attribute is None
    ]


def score_source_names(variant: Variant) -> list[str]:
    """Returns the names of possible sources of points: states, procedures and defs, and each of their cases."""
    found = list(variant.program.states)
    for family in variant.program.families.values():
        enum = variant.model.enums[family.domain] if family.domain is not None else None
        found += [family.name, *(f"{family.name}.{member}" for member in (enum.kinds or enum.members if enum is not None else []))]
    return found


def queryable_names(variant: Variant) -> set[str]:
    """Returns what texts may read of the things in their fields: states and defs, with a leading point."""
    return {"." + name for name in (*variant.program.states, *variant.public_defs)}


def text_fields_of_model(model: GameModel) -> set[str]:
    """Returns what texts may use in addition to their fields: values of the data, and attributes of things with a
    leading point."""
    from ..i18n.placeholders import clause_values
    found = {".number", *clause_values(model)}
    for enum in model.enums.values():
        found |= {"." + name for name in (*enum.attributes, *(key for _, key in enum.own))}
    return found


def can_be_zero(found: Type | None) -> bool:
    """Whether a chosen number may be 0."""
    from ...dsl.types.types import Int
    return isinstance(found, Int) and (found.low is None or found.low <= 0) and (found.high is None or found.high >= 0)


def field_type(found: Type, variant: Variant, who: str) -> str:
    """Returns a type in the terms of the text check: `int`, `proper`, `text`, or a family of nouns."""
    from ...dsl.types.types import Int, ListOf, MemberOf, OptionalOf, PileOf, SetOf
    while isinstance(found, OptionalOf | ListOf | SetOf | PileOf):
        found = found.of
    if isinstance(found, Int):
        return "int"
    enum = variant.model.enum_of(found.name) if isinstance(found, MemberOf) else None
    if enum is None:
        return "text"
    if enum.kind in ("cells", "corners", "open"):
        return "proper"
    return who if enum.kind == "player" else enum.name


def read_with_packs(found: GameLocation, houses: Sequence[Path | PackBundle], findings: DiagnosticList) -> GameSource | None:
    """Returns a game's data with house rules applied, or None."""
    from ...dsl.packs import apply_packs
    from ...dsl.packs.source import read_game
    source = read_game(found.folder, findings, found.shown)
    return source if source is not None and apply_packs(source, houses, findings) else None


def list_variants(source: GameSource) -> list[tuple[int, dict[str, Any]]]:
    """Returns all variants of a game: pairs of number of players and options.

    If there are more than MAX_VARIANT_COMBINATIONS, options are varied one at a time instead of in all
    combinations."""
    from itertools import product
    from math import prod

    from ...dsl.model.build_model import option_player_range
    low, high = source.player_range
    options = source.data["options"]
    usual = {name: raw["default"] for name, raw in options.items()}

    def is_allowed(players: int, settings: dict[str, Any]) -> bool:
        """Whether these option values allow this number of players."""
        spans = [option_player_range(options[name], value) for name, value in settings.items()]
        return all(span is None or span[0] <= players <= span[1] for span in spans)

    if prod(len(raw["values"]) for raw in options.values()) * (high - low + 1) <= MAX_VARIANT_COMBINATIONS:
        every = [dict(zip(options, values)) for values in product(*(raw["values"] for raw in options.values()))]
    else:
        every = [usual] + [{**usual, name: value} for name, raw in options.items() for value in raw["values"] if value != raw["default"]]
    return [(players, settings) for players in range(low, high + 1) for settings in every if is_allowed(players, settings)]
