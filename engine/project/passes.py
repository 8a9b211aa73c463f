"""The checks of a game, in one list for all: `PASSES`.

A pass is a function that adds diagnostics to a list. It may return a value that later passes read. `game_check.py` runs
them. CONTRIBUTING.md shows how to add one."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from ...dsl.analysis.nesting import measure_nesting
from ...dsl.analysis.range_proofs import find_range_writes, find_unproven_ranges
from ...dsl.diagnostics.diagnostic import DiagnosticList, Phrase
from ...dsl.game.notation_config import check_notation, read_notation
from ...dsl.game.ruleset import compile_variant
from ...dsl.game.table_config import check_table_config, read_table_config
from ...dsl.game.variants import VariantChecker
from ...dsl.types.types import Int
from ...dsl.yaml.located_yaml import LocatedYaml
from ..i18n import check_pack_texts
from ..i18n.check_chance import check_chance
from ..i18n.check_texts import FieldTypes, check_pack_translations, check_texts_in_language, clause_fields
from ..i18n.check_unused_texts import check_unused_texts, iter_known_keys
from ..i18n.languages import LANGUAGES
from ..i18n.message_sources import TextDomain, game_domain
from ..i18n.readers import SHIPPED_LOCALE, catalogue_path, lexicon_path
from ..testing.scenario import read_pack_scenarios
from ..testing.scenario_lint import check_scenarios
from ..testing.traceability import check_clauses
from .check_unused import check_unused
from .game_check import GameCheck, Pass, read_content, read_with_packs
from .message_fields import add_fields, collect_message_fields, field_suffixes, queryable_names, text_fields_of_model

MAX_SAFE_NESTING = 50                 # of rules that Python can certainly compile: it fails from about 250

# ---------------------------------------------------------------- table and notation


def read_panels(check: GameCheck, findings: DiagnosticList) -> LocatedYaml | None:
    """Returns the table, with the panels of packs."""
    panels = read_table_config(check.found.folder, findings, check.found.shown)
    return panels if check.overlay is None else check.overlay.merge_table(panels)


def check_table(check: GameCheck, findings: DiagnosticList) -> set[str]:
    """Checks the names in the table. Returns the names that it shows."""
    shown = [check_table_config(check.panels, variant, findings) for variant in check.distinct] if check.panels is not None else []
    return set().union(*shown)


def check_notation_file(check: GameCheck, findings: DiagnosticList) -> None:
    """Checks the notation. With packs it may not fit."""
    notation = read_notation(check.found.folder, findings, check.found.shown) if not check.source.packs else None
    if notation is not None:
        for variant in check.distinct:
            check_notation(notation, variant, findings)


def check_python_limits(check: GameCheck, findings: DiagnosticList) -> None:
    """Reports rules that are too large for Python. This depends on the rules, not on the variant."""
    if measure_nesting(check.first.program, check.first.facts.effects) > MAX_SAFE_NESTING:
        compile_variant(check.first, findings)


# ---------------------------------------------------------------- scenarios and clauses


def check_scenario_names(check: GameCheck, findings: DiagnosticList) -> None:
    """Checks the scenarios without running them.

    The game's own scenarios may not fit the packs. Running them shows it."""
    assert check.checking is not None
    check_scenarios(check.scenarios if check.overlay is None else read_pack_scenarios(check.overlay, findings), check.checking, findings)


def check_clause_index(check: GameCheck, findings: DiagnosticList) -> None:
    """Checks the clauses. All variants have the same citations.

    The game's own clauses were checked without packs, and what packs remove leaves gaps in them."""
    own, overlay = DiagnosticList(), check.overlay
    check_clauses(check.found, check.first, [*check.scenarios, *read_pack_scenarios(overlay)], own, overlay)
    files = {pack.bundle.display_path(name) for pack in overlay.packs for name in pack.bundle.files} if overlay is not None else set()
    findings.items += [one for one in own.items if overlay is None or one.place.path in files]
    assert check.first is not None
    for name, place in overlay.gone_clauses.items() if overlay is not None else ():
        citing = [cite for cite in check.first.program.cited.get(name, ()) if cite.path not in files]      # a pack gets C001 there
        if citing:
            findings.add("W414", place, hint="restate_clause", name=name, also=tuple(citing[:1]))


# ---------------------------------------------------------------- texts


def read_domain(check: GameCheck, findings: DiagnosticList) -> TextDomain:
    """Returns the game's texts. The catalogues of a copy are those of the original."""
    domain = game_domain(check.found.folder, findings)
    if check.shipped and not (check.found.folder / "locale").is_dir():
        domain = replace(domain, locale=SHIPPED_LOCALE, root=SHIPPED_LOCALE.parent)
    return domain


def find_clause_fields(check: GameCheck, findings: DiagnosticList) -> FieldTypes:
    """Returns the fields of clauses. Texts of packs look them up in the changed data instead."""
    return clause_fields(check.domain) if check.overlay is None else {}


def find_message_fields(check: GameCheck, findings: DiagnosticList) -> FieldTypes:
    """Returns the fields of each message, with their types."""
    own: dict[str, dict[str, str]] = {}
    for variant in check.distinct:
        for key, known in collect_message_fields(variant).items():
            add_fields(own, key, known)
    return {**check.clause_fields, **own}


def find_text_parts(check: GameCheck, findings: DiagnosticList) -> set[str]:
    """Returns further names that every text may use."""
    return set().union(*(text_fields_of_model(variant.model) for variant in check.variants), *map(queryable_names, check.distinct))


def find_text_keys(check: GameCheck, findings: DiagnosticList) -> set[str]:
    """Returns the keys of all texts that the game can have, except those with fields of their own. Variants with the same analyses
    have the same names."""
    return set().union(*(iter_known_keys(variant, check.panels) for variant in check.distinct))


def check_language(check: GameCheck, findings: DiagnosticList, lang: str) -> None:
    """Checks the texts in one language. With packs, those of the packs are checked instead, in all languages at once."""
    if check.overlay is None:
        own = DiagnosticList()
        check_texts_in_language(check.domain, lang, own, check.fields, check.parts)
        findings.items += [one for one in own.items if check.shipped or one.code != "W201"]


def language_inputs(check: GameCheck, lang: str) -> Any:
    """Returns what the check of one language depends on."""
    domain = check.domain
    files = [read_content(path(domain.locale, lang, domain.name)) for path in (catalogue_path, lexicon_path)]
    return files, [(one.key, one.english, one.place) for one in domain.messages], check.fields, check.parts


def check_unused_messages(check: GameCheck, findings: DiagnosticList) -> None:
    """Reports texts that nothing uses."""
    if check.overlay is None:
        check_unused_texts(check.keys, check.domain, findings)


def check_missing_messages(check: GameCheck, findings: DiagnosticList) -> None:
    """Reports decisions, menu entries and events without a text, unless the game has no such texts at all."""
    if check.overlay is None and check.has_play_texts:
        for variant in check.distinct:
            check_pack_texts.check_missing_texts("W218", variant, check.domain.english, findings)


def check_texts_of_packs(check: GameCheck, findings: DiagnosticList) -> None:
    """Checks the texts of packs: translations, unused keys, missing texts, old numbers, and sentences about what a
    pack changes."""
    overlay, variant = check.overlay, check.first
    if overlay is None:
        return
    check_pack_translations(check.domain, overlay.texts, variant.model, findings, check.fields, check.parts)
    check_pack_texts.check_keys(overlay, variant, check.domain.english, findings)
    english = {**check.domain.english, **check.pack_texts, **{key: text for key, (text, _) in variant.model.texts.items()}}
    if check.has_play_texts:
        files = {pack.bundle.display_path(name) for pack in overlay.packs for name in pack.bundle.files}
        check_pack_texts.check_missing_texts("W406", variant, english, findings, files)
    check_pack_texts.check_numbers(overlay, variant, english, findings)
    check_pack_texts.check_mentions(overlay, variant, english, findings)


def check_chance_texts(check: GameCheck, findings: DiagnosticList) -> None:
    """Reports random choices whose outcome no player can see."""
    if check.has_play_texts:
        check_chance(check.first, {*check.domain.english, *check.pack_texts}, findings)


# ---------------------------------------------------------------- the whole game


def find_used_names(check: GameCheck, findings: DiagnosticList) -> dict[str, set[str]]:
    """Returns the names that texts or the table use, by the code that would report them as unused."""
    return {"W103": field_suffixes([*check.domain.english, *check.pack_texts], check.texts) | check.drawn, "W101": check.drawn}


def check_unused_data(check: GameCheck, findings: DiagnosticList) -> None:
    """Reports data that neither rules nor texts nor the table use."""
    check_unused(check.source, check.texts, findings)


def check_range_writes(check: GameCheck, findings: DiagnosticList) -> None:
    """Reports writes of packs to a ranged number that the game itself does not make, if nothing proves that they
    stay in the range (W410)."""
    overlay, variant = check.overlay, check.first
    if overlay is None:
        return
    bare = read_with_packs(check.found, (), DiagnosticList())
    assert bare is not None                                        # it could be read together with the packs
    settings = {name: variant.settings[name] for name in bare.data["options"]}
    before = VariantChecker(bare, DiagnosticList(), exact=True).check_variant(variant.model.players, settings)
    if before is None:                                             # only the packs allow this number of players
        return
    for doubt in find_unproven_ranges(find_range_writes(before.program), find_range_writes(variant.program)):
        change = overlay.find_change(doubt.now.data) if overlay.find_pack_of_file(doubt.now.at.path) is None else None
        findings.add("W410", doubt.now.at.place, hint="many_games", also=(change.place,) if change is not None else (),
                     name=doubt.now.state.name, range=doubt.now.state_range,
                     now=describe_amount(doubt.now.amount), before=describe_amount(doubt.before))


def describe_amount(amount: Int) -> Int | Phrase:
    """Returns an amount, as words if it has no upper or lower limit."""
    if amount.low is None and amount.high is None:
        return Phrase("amount_any")
    if amount.high is None:
        return Phrase("amount_at_least", (("low", str(amount.low)),))
    return amount if amount.low is not None else Phrase("amount_at_most", (("high", str(amount.high)),))


# A stage runs only if the rules and all earlier stages have no errors. The first stage always runs.
RULE_PASSES = [
    Pass("table", None, read_panels, gives="panels"),
    Pass("names in the table", None, check_table, gives="drawn"),
    Pass("notation", None, check_notation_file),
]
LIMIT_PASSES = [
    Pass("limits of Python", None, check_python_limits, slow=True),
]
GAME_PASSES = [
    Pass("scenarios", lambda check: (check.data, check.scenario_files, check.outline, check.decision_names), check_scenario_names),
    Pass("clauses", lambda check: (check.data, check.files.get("clauses.yaml"), dict(check.first.program.cited), check.scenario_files),
         check_clause_index),
    Pass("text parts", lambda check: (check.data, check.outline, check.public_names), find_text_parts, gives="parts"),
    Pass("texts", lambda check: (check.data, check.text_files), read_domain, gives="domain"),
    Pass("clause fields", lambda check: (check.data, check.text_files), find_clause_fields, gives="clause_fields"),
    Pass("message fields", None, find_message_fields, gives="fields"),
    *(Pass(f"texts in {lang}", partial(language_inputs, lang=lang), partial(check_language, lang=lang)) for lang in LANGUAGES),
    Pass("text keys", lambda check: (check.data, check.outline, check.public_names, check.files.get("table.yaml")), find_text_keys,
         gives="keys"),
    Pass("unused texts", None, check_unused_messages),
    Pass("missing texts", None, check_missing_messages),
    Pass("texts of packs", None, check_texts_of_packs),
    Pass("chance", None, check_chance_texts),
    Pass("used names", None, find_used_names, gives="used"),
    Pass("unused data", None, check_unused_data),
]
PACK_PASSES = [
    Pass("written ranges", None, check_range_writes, slow=True),
]
PASSES = [RULE_PASSES, LIMIT_PASSES, GAME_PASSES, PACK_PASSES]
