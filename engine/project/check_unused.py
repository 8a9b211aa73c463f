"""Data of a game that nothing uses: neither its rules nor its texts nor its table. Most often a name has a slip."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ...dsl.diagnostics.diagnostic import Findings, did_you_mean
from ...dsl.diagnostics.safe_read import read_text
from ...dsl.packs.source import Source

if TYPE_CHECKING:
    from ...dsl.packs.overlay import Laid

WORD = re.compile(r"[^\W\d]\w*")
COMPARED = 300                       # names that stand together, up to which one that nobody speaks of is compared with the others
DATA = ("add", "set", "place", "remove", "words", "nouns")         # sections of a pack in which a name is only given
OTHERS = ("name", "text", "n")       # of a member or a kind of piece, beside what is printed on it


def check_unused(source: Source, texts: Iterable[Any], findings: Findings) -> None:
    """Numbers and tables that nobody speaks of, and numbers of single members that were probably meant as an attribute. Under packs, those
    that packs bring: the game's own were looked at without them."""
    if source.laid is not None:
        every = Findings()
        look_for_unused(source, {*words_of(source), *named(texts), *words_of_packs(source.laid)}, every)
        findings.items += [one for one in every.items if source.laid.file_of(one.place.path) is not None]
    else:
        look_for_unused(source, {*words_of(source), *named(texts)}, findings)


def look_for_unused(source: Source, spoken: set[str], findings: Findings) -> None:
    for section in ("numbers", "tables"):
        for name in source.data[section]:
            if name not in spoken:
                others = source.data[section] if len(source.data[section]) <= COMPARED else ()
                tell(source, findings, (section, name), name, [other for other in others if other != name])
    for section, group in (("enums", "members"), ("pieces", "copies")):
        for domain, raw in source.data[section].items():
            if isinstance(raw, dict) and isinstance(raw.get(group), dict):
                own_numbers(source, findings, (section, domain), raw, group, spoken)


def own_numbers(source: Source, findings: Findings, path: tuple[str, str], raw: dict[str, Any], group: str, spoken: set[str]) -> None:
    """Of each member what is no attribute and read by nobody."""
    attributes = raw.get("attributes") or {}
    for member, values in raw[group].items():
        for key in values if isinstance(values, dict) else ():
            if key in attributes or key in OTHERS or key in spoken:
                continue
            where = (*path, group, member, key)
            meant = did_you_mean(str(key), [name for name in attributes if name not in values])
            if meant:
                findings.add("W108", source.key_place(*where), hint="did_you_mean", name=key, domain=path[1], member=member, meant=meant)
            else:
                tell(source, findings, where, str(key), list(attributes))


def tell(source: Source, findings: Findings, path: tuple[str, ...], name: str, others: list[str]) -> None:
    findings.slip("W107", source.key_place(*path), did_you_mean(name, others), name=name)


def words_of(source: Source) -> Iterator[str]:
    """Every word of the rules, comments left out, and of the table."""
    for name in [*source.data["rules"], "table.yaml"]:
        path = source.folder / name
        if path.is_file():
            for line in read_text(path).splitlines():
                yield from WORD.findall(line.split("#", 1)[0])


def words_of_packs(laid: Laid) -> Iterator[str]:
    """Every word of what packs say beside their data and texts, as their rules and tables."""
    for pack in laid.packs:
        for section, given in pack.data.items():
            if section not in DATA:
                yield from WORD.findall(str(given))
        for name, text in pack.bundle.files.items():
            if name.endswith(".rules"):
                yield from WORD.findall(text)


def named(texts: Iterable[Any]) -> Iterator[str]:
    """What texts have fields for, and each later part of such a name."""
    from ..i18n.template import parse
    for text in texts:
        for variant in [text] if isinstance(text, str) else text:
            for name in parse(variant).names:
                parts = name.split("_")
                yield from ("_".join(parts[start:end]) for start in range(len(parts)) for end in range(start + 1, len(parts) + 1))
