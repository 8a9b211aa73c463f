"""Applies all packs in use to one game.

The packs are read, sorted and applied to data, rules and texts. Errors are reported here, before the checker runs,
each at its place in the pack. The result is a game like any other."""

from __future__ import annotations

import json
from typing import Any

from ..diagnostics.dependency_order import order_by_needs
from ..diagnostics.diagnostic import DiagnosticList, Phrase, SourceSpan, did_you_mean
from ..languages.registry import BUILTIN_LANGUAGES
from ..yaml.clause_index import read_clause_renames
from ..yaml.schema import find_section_hint, validate
from .bundle import PackBundle, update_clause_names
from .data_patches import DECLARATION_PATTERN, DataPatcher
from .manifest import ANY_GAME, Pack, extract_part, read_pack
from .overlay import ConflictTracker, PackOverlay
from .pack_texts import (
    OverlayTexts,
    has_languages,
    is_by_language,
    is_language_code,
    iter_by_key,
    parse_text,
    read_pack_locale,
    report_unknown_language,
    report_wrong_text,
)
from .repair import PackRepair
from .rule_patches import RulePatcher
from .source import GameSource
from .stale_texts import check_texts

RULE_SECTIONS = ("rules", "replace", "steps")
UNKNOWN_TARGET_CODES = ("H002", "H006", "H009", "R101")                    # diagnostics about names that another pack may add
MAX_NAMED_TEXTS = 4                                                          # untranslated texts listed in one message


def apply_bundles(
    source: GameSource, bundles: list[PackBundle], findings: DiagnosticList, before: int, repair: PackRepair | None = None
) -> bool:
    """Applies packs to a game that was read. Returns False, with diagnostics, if that fails.

    `before` is the number of errors that existed before. Invalid parts are left out, so that all errors are reported.
    With a repair (see `apply_packs`), texts are checked although there are errors."""
    is_incomplete = len(findings.errors) > before                  # a pack could not be found
    read_from = len(findings.items)
    now = read_clause_renames(source.folder)
    bundles = [update_clause_names(bundle, now, findings) for bundle in bundles] if now else bundles
    read = [pack for bundle in bundles if (pack := read_pack(bundle, findings)) is not None]
    unread = {one.place for one in findings.items[read_from:] if one.severity == "error"}
    fitting = [pack for pack in read if is_for_game(source, pack, findings)]
    is_incomplete = is_incomplete or len(fitting) < len(bundles)
    if not fitting:
        return False
    overlay, claims = PackOverlay(_sort_packs(fitting, findings)), ConflictTracker(findings)
    is_incomplete = is_incomplete or any(one.code == "H016" for one in findings.errors)
    known = len(findings.items)
    if repair is not None:
        repair.unread = unread
        for pack in overlay.packs:
            repair.repair_data(pack)
    for pack in overlay.packs:
        overlay.texts.speaker = pack.name
        if pack.data.get("table"):
            overlay.table.append((pack, pack.data["table"]))
        DataPatcher(source, pack, overlay, claims, findings, repair).apply()
        _apply_texts(pack, overlay, claims, findings)
    rules = RulePatcher(source, overlay, claims, findings, repair)
    changes_rules = overlay.removed or overlay.clauses or overlay.unknown_removals or any(_changes_rules(pack) for pack in overlay.packs)
    if (changes_rules or repair is not None and repair.lacking) and rules.read_declarations():
        source.files = rules.apply(overlay.packs)
    rules.report_unknown_removals()
    if len(findings.errors) == before or repair is not None:
        check_texts(source, overlay, rules, findings)
        _report_untranslated(overlay, findings)
        claims.report_unused_overrides(overlay.packs)
    if is_incomplete:                                              # a name that resembles no other may belong to the missing pack
        findings.items[known:] = [one for one in findings.items[known:] if one.code not in UNKNOWN_TARGET_CODES or one.hint]
    overlay.is_incomplete = is_incomplete
    source.overlay = overlay
    source.pack_sources += [pack.name for pack in overlay.packs]
    return len(findings.errors) == before


def is_for_game(source: GameSource, pack: Pack, findings: DiagnosticList) -> bool:
    """Whether a pack is for this version of the game. Otherwise adds a diagnostic."""
    if pack.data["for"] not in (ANY_GAME, source.data["game"]):
        meant = did_you_mean(pack.data["for"], [source.data["game"]])
        findings.add_with_suggestion("H001", pack.place("for"), meant, found=pack.data["for"], wanted=source.data["game"])
        return bool(meant)                                         # its other mistakes are reported too
    if pack.data.get("for_version", 1) > source.version:
        findings.add("H019", pack.place("for_version"), wanted=pack.data["for_version"], found=source.version)
        return False
    return True


def _changes_rules(pack: Pack) -> bool:
    """Whether a pack changes rules."""
    return (any(word in pack.data for word in RULE_SECTIONS) or any(name.endswith(".rules") for name in pack.bundle.files)
            or any(DECLARATION_PATTERN.fullmatch(" ".join(name.split())) for name in pack.names_under("remove")))


def _sort_packs(packs: list[Pack], findings: DiagnosticList) -> list[Pack]:
    """Sorts packs so that each follows the packs that it needs or overrides. Otherwise they keep their given order."""
    by_name: dict[str, Pack] = {}
    for pack in packs:
        if pack.name in by_name:
            findings.add("H014", pack.place("house"), name=pack.name, also=(by_name[pack.name].place("house"),))
        by_name.setdefault(pack.name, pack)
    earlier: dict[str, list[str]] = {}
    for name, pack in by_name.items():
        for other in pack.names_under("needs"):
            if other not in by_name:
                findings.add_with_suggestion("H016", pack.place("needs"), did_you_mean(other, by_name), name=other)
        for other in pack.names_under("not_with"):
            if other in by_name:
                findings.add("H017", pack.place("not_with"), name=other, also=(by_name[other].place("house"),))
        before = [*pack.names_under("needs"), *(pack.data.get("over") or {})]
        earlier[name] = [other for other in before if other in by_name and other != name]
    order, circles = order_by_needs(earlier)
    for circle in circles:
        findings.add("H015", by_name[circle[0]].place("house"), name=" → ".join(circle))
    return [by_name[name] for name in order]


def _apply_texts(pack: Pack, overlay: PackOverlay, claims: ConflictTracker, findings: DiagnosticList) -> None:
    """Applies the texts, nouns and clauses of a pack."""
    texts = overlay.texts
    for document, under in [(pack.document, ("clauses",)), *((one, ()) for name, one in pack.further.items() if name == "clauses.yaml")]:
        if under and "clauses" not in pack.data:
            continue
        part = extract_part(document, under, ())
        entries: dict[str, Any] = {}
        for name, value in part.data.items():
            place = part.key_place(name)
            if has_languages(value) and not is_by_language(value) and not find_section_hint("clauses", str(name)):
                report_wrong_text(findings, document, (*under, name), str(name), "clauses")
            elif claims.claim(pack, ("text", f"clause.{name}"), str(name), place, value):
                text = value.get("text") if isinstance(value, dict) and not is_by_language(value) else value
                said = texts.add_text(f"clause.{name}", text, place) if text is not None else None
                whole = isinstance(value, dict) and not is_by_language(value)
                entries[str(name)] = {**value, **({"text": said} if said else {})} if whole else said or value
                overlay.clauses[str(name)] = (entries[str(name)], place)
                overlay.gone_clauses.pop(str(name), None)
        part.data = entries
        validate(part, "clauses", findings)
    found = [(key, value, pack.document, path) for key, value, path in iter_by_key(pack, "words")]
    for name, document in pack.further.items():
        if name == "messages.yaml":
            found += [(str(key), value, document, (key,)) for key, value in document.data.items()]
    for key, value, document, path in found:
        place = document.place(*path)
        if claims.claim(pack, ("text", key), key, place, value):
            _merge_text(texts, key, value, place)
            if key not in texts.source:
                report_wrong_text(findings, document, path, key)
    check_language_keys(pack, findings)
    for key, value, _ in iter_by_key(pack, "nouns"):
        for lang in BUILTIN_LANGUAGES:
            forms = value.get(lang)
            if isinstance(forms, dict):
                texts.nouns[lang][key] = {str(form): str(said) for form, said in forms.items()}
    read_pack_locale(texts, pack, findings)


def check_language_keys(pack: Pack, findings: DiagnosticList) -> None:
    """Reports languages of texts and nouns that Ludoglot does not know, and nouns without forms."""
    for section in ("words", "nouns"):
        for first in pack.data.get(section) or {}:
            if is_language_code(first) and first not in BUILTIN_LANGUAGES:
                report_unknown_language(findings, pack.key_place(section, first), first)
    for first, inner in (pack.data.get("nouns") or {}).items():
        for second, forms in inner.items() if isinstance(inner, dict) else ():
            if is_language_code(first) and first not in BUILTIN_LANGUAGES:
                break
            if first not in BUILTIN_LANGUAGES and second not in BUILTIN_LANGUAGES:
                report_unknown_language(findings, pack.key_place("nouns", first, second), second)
            elif not isinstance(forms, dict):
                findings.add("Y012", pack.place("nouns", first, second), hint="noun_forms", found=json.dumps(forms, ensure_ascii=False),
                             wanted=Phrase("value_object"))


def _merge_text(texts: OverlayTexts, key: str, value: Any, place: SourceSpan) -> None:
    """Adds a text of `words`. Without English, it only adds translations to a text that the pack already has."""
    if is_by_language(value) and "en" not in value and key in texts.source:
        for lang, text in value.items():
            if (said := parse_text(text)) is not None:
                texts.translations[lang][key] = said
        return
    texts.add_text(key, value, place)


def _report_untranslated(overlay: PackOverlay, findings: DiagnosticList) -> None:
    """Reports the texts that a pack lacks in a language, with one diagnostic for each pack and language."""
    texts = overlay.texts
    for pack in overlay.packs:
        own = [key for key, owner in texts.owner.items() if owner == pack.name]
        spoken = [lang for lang in BUILTIN_LANGUAGES if any(key in texts.translations[lang] for key in own)]
        for lang in BUILTIN_LANGUAGES if len(spoken) > 1 else ():      # a private pack needs only one language
            lacking = [key for key in own if key not in texts.translations[lang]]
            if lacking and not (lang == "en" and texts.foreign.issuperset(lacking)):
                few = ", ".join(lacking[:MAX_NAMED_TEXTS]) + (", …" if len(lacking) > MAX_NAMED_TEXTS else "")
                findings.add("W404", pack.place("house"), lang=lang, n=len(lacking), name=pack.name, names=few)
