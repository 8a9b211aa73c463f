"""Find data of a game that neither rules nor texts nor table use. Most often a name has a typo."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from ...dsl.diagnostics.diagnostic import DiagnosticList, did_you_mean, is_one_typo_apart
from ...dsl.diagnostics.safe_read import read_text
from ...dsl.packs.overlay import PackOverlay
from ...dsl.packs.source import GameSource
from ..i18n.template import parse_template

WORD = re.compile(r"[^\W\d]\w*")
# with more names in a section there are no suggestions
MAX_NAMES_COMPARED = 300
DATA_SECTIONS = ("add", "set", "place", "remove", "words", "nouns")         # sections of a pack that define names without using them
RESERVED_MEMBER_KEYS = ("name", "text", "n")       # keys of a member that are not attributes


def check_unused(source: GameSource, texts: Iterable[Any], findings: DiagnosticList) -> None:
    """Reports unused numbers and tables, and numbers of single members that were probably meant as an attribute.

    With packs only the data of the packs is reported, because the game's own was checked without them."""
    if source.overlay is not None:
        every = DiagnosticList()
        report_unused(source, {*iter_words(source), *iter_field_parts(texts), *iter_pack_words(source.overlay)}, every)
        findings.items += [one for one in every.items if source.overlay.find_pack_of_file(one.place.path) is not None]
    else:
        report_unused(source, {*iter_words(source), *iter_field_parts(texts)}, findings)


def report_unused(source: GameSource, used_keys: set[str], findings: DiagnosticList) -> None:
    """Reports the data whose names are not in `used_keys`."""
    for section in ("numbers", "tables"):
        for name in source.data[section]:
            if name not in used_keys:
                others = source.data[section] if len(source.data[section]) <= MAX_NAMES_COMPARED else ()
                report_unused_name(source, findings, (section, name), name, [other for other in others if other != name])
    for section, group in (("enums", "members"), ("pieces", "copies")):
        for domain, raw in source.data[section].items():
            if isinstance(raw, dict) and isinstance(raw.get(group), dict):
                report_unused_own_numbers(source, findings, (section, domain), raw, group, used_keys)


def report_unused_own_numbers(
    source: GameSource, findings: DiagnosticList, path: tuple[str, str], raw: dict[str, Any], group: str, used_keys: set[str]
) -> None:
    """Reports the constants of members that are no attribute, if nothing uses them or if another name was probably intended.

    A misspelt name may be used too, with the same typo. Then no other member has it."""
    attributes = raw.get("attributes") or {}
    members = {member: values for member, values in raw[group].items() if isinstance(values, dict)}
    owners = Counter(key for values in members.values() for key in values if key not in RESERVED_MEMBER_KEYS)
    for member, values in members.items():
        for key in values:
            if key in attributes or key in RESERVED_MEMBER_KEYS or key in used_keys and owners[key] > 1:
                continue
            where = (*path, group, member, key)
            meant = did_you_mean(str(key), [name for name in {**attributes, **owners} if name not in values])
            if key in used_keys and not (meant and is_one_typo_apart(str(key), meant)):
                continue
            if meant:
                findings.add("W108", source.key_place(*where), hint="did_you_mean", name=key, domain=path[1], member=member, meant=meant)
            else:
                report_unused_name(source, findings, where, str(key), [])


def report_unused_name(source: GameSource, findings: DiagnosticList, path: tuple[str, ...], name: str, others: list[str]) -> None:
    """Reports an unused name, with a suggestion from `others`."""
    findings.add_with_suggestion("W107", source.key_place(*path), did_you_mean(name, others), name=name)


def iter_words(source: GameSource) -> Iterator[str]:
    """Yields every word of the rules, without comments, and of the table."""
    for name in [*source.data["rules"], "table.yaml"]:
        path = source.folder / name
        if path.is_file():
            for line in read_text(path).splitlines():
                yield from WORD.findall(line.split("#", 1)[0])


def iter_pack_words(overlay: PackOverlay) -> Iterator[str]:
    """Yields every word of packs outside their data and texts, such as in rules and tables."""
    for pack in overlay.packs:
        for section, given in pack.data.items():
            if section not in DATA_SECTIONS:
                yield from WORD.findall(str(given))
        for name, text in pack.bundle.files.items():
            if name.endswith(".rules"):
                yield from WORD.findall(text)


def iter_field_parts(texts: Iterable[Any]) -> Iterator[str]:
    """Yields every possible part of the field names in texts: `tower_price`, `tower` and `price` for
    `{tower_price}`."""
    for text in texts:
        for variant in [text] if isinstance(text, str) else text:
            for name in parse_template(variant).names:
                parts = name.split("_")
                yield from ("_".join(parts[start:end]) for start in range(len(parts)) for end in range(start + 1, len(parts) + 1))
