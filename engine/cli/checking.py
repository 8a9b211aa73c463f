"""`ludoglot check`: everything the language can know about a game before it is played; silent when all is well."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..shelf.find import RULES, Found, installed
from .frame import argument, command, house_option, json_option, lang_option
from .loading import find_game
from .voice import Usage, Voice

if TYPE_CHECKING:
    from ...dsl.core.program import Program
    from ...dsl.diagnostics import Findings
    from ...dsl.reading.load import Source
    from ...dsl.ruleset import Ruleset
    from ...dsl.types import Type

MANY = 40                            # variants looked at in full combination; beyond that each option by itself


@command("check")
@argument("games", nargs=-1)
@house_option
@json_option
@lang_option
@click.pass_obj
def check_command(voice: Voice, games: tuple[str, ...], houses: tuple[str, ...], as_json: bool) -> int:
    from ...dsl.diagnostics import Findings
    from .rendering import data_of, rendered
    findings = Findings()
    for house in houses:
        if not Path(house).exists():
            raise Usage("file.missing", file=house)
    for name in games or installed():
        check_game(find_game(name), [Path(house) for house in houses], findings)
    found = findings.sorted()
    if as_json:
        voice.data([data_of(d) for d in found])
    elif found:
        voice.out(rendered(voice, found))
        errors = len(findings.errors)
        voice.warn(voice.text("check.summary", errors=errors, warnings=len(found) - errors))
    return 1 if findings.errors else 0


def parts_named(texts: Iterable[Any]) -> set[str]:
    """What texts may mean by the later part of a field: `height` of `{tower_height}`."""
    from ..words.template import parse
    names = [name for text in texts for variant in ([text] if isinstance(text, str) else text) for name in parse(variant).names]
    return {"_".join(parts[k:]) for parts in (name.split("_") for name in names) for k in range(1, len(parts))}


def check_game(found: Found, houses: list[Path], findings: Findings) -> None:
    """A game for each number of players and each value of its options, its words in each language, its scenario tests as written."""
    from ...dsl.diagnostics import Findings
    from ...dsl.panels import check_panels, read_panels
    from ...dsl.ruleset import build
    from ..testing.scenario import read_scenarios, test_files
    from ..testing.trace import check_clauses
    from ..words.check import check
    from ..words.sources import game_domain
    fields: dict[str, dict[str, str]] = {}
    parts: set[str] = set()
    program: Program | None = None
    drawn: set[str] = set()                                        # what the table shows
    panels = read_panels(found.folder, findings, found.shown)
    for players, settings in variants(found, houses, findings):
        source = read(found, houses, findings)
        ruleset = build(source, players, settings, findings) if source is not None else None
        if ruleset is not None:
            for key, known in fields_of(ruleset).items():
                fields[key] = {**fields.get(key, {}), **known}
            parts |= parts_of(ruleset)
            program = ruleset.program
            drawn |= check_panels(panels, ruleset, findings) if panels is not None else set()
    if not findings.errors:
        if program is not None:                                    # citations are the same in every variant
            check_clauses(found, program, findings)
        words = Findings()
        domain = game_domain(found.folder, words)
        check(domain, words, fields, parts=parts if program is not None else None)
        said = parts_named(domain.english.values()) | drawn         # a def may be there for the texts or the table alone
        findings.items = [d for d in findings.items if d.code != "W103" or d.args.get("name") not in said]
        findings.items = [d for d in findings.items if d.code != "W101" or d.args.get("name") not in drawn]
        travels = found.folder.resolve().is_relative_to(RULES)     # a game being written need not speak every language yet
        findings.items += [d for d in words.items if travels or d.code != "W201"]
    for path in test_files(found):
        read_scenarios(path, findings)


def fields_of(ruleset: Ruleset) -> dict[str, dict[str, str]]:
    """For each message about a decision, an event, an option or a source of points, what stands in its fields: so that the nouns' forms
    can be looked for."""
    from ..words.words import NOT_VALUES
    out: dict[str, dict[str, str]] = {}
    who = "Player" if "Player" in ruleset.source.data["enums"] else "proper"
    for decision in ruleset.module.decisions:
        names = {variable.name: variable.type for variable in decision.scope}
        chosen = {slot.name: slot.type for choice in decision.choices for slot in choice.slots}
        known = {name: kind_of(found, ruleset, who) for name, found in {**names, **chosen}.items()} | {"who": who}
        for word in ("ask", "option", "decline", "did"):
            for entry in ["", *(f".{choice.name}" for choice in decision.choices if choice.name)]:
                for key in {decision.key, re.sub(r"\[\w+\]", "", decision.key)}:          # a text may leave out the case
                    out[f"{word}.{key}{entry}"] = {**out.get(f"{word}.{key}{entry}", {}), **known}
    for event in ruleset.module.events:
        out[f"event.{event.key}"] = {name: kind_of(found, ruleset, who) for name, found in event.slots}
    out |= {f"score.{name}": {} for name in sources_of(ruleset)}
    for name, option in ruleset.model.options.items():
        for value in (*NOT_VALUES, *option.values):
            out[f"variant.{name}.{str(value).lower() if isinstance(value, bool) else value}"] = {}
    return out


def sources_of(ruleset: Ruleset) -> list[str]:
    """What a text may name as a source of points: procedures and defs, each of their cases, states."""
    found = list(ruleset.program.states)
    for family in ruleset.program.families.values():
        enum = ruleset.model.enums[family.domain] if family.domain is not None else None
        found += [family.name, *(f"{family.name}.{member}" for member in (enum.kinds or enum.members if enum is not None else []))]
    return found


def parts_of(ruleset: Ruleset) -> set[str]:
    """What texts may name besides their fields: values of the data, and (with a point) what the things in the fields have."""
    from ..words.fields import clause_values
    found = {".number", *clause_values(ruleset.model)}
    found |= {"." + name for name in (*ruleset.program.states, *ruleset.module.shown)}
    for enum in ruleset.model.enums.values():
        found |= {"." + name for name in (*enum.attributes, *(key for _, key in enum.own))}
    return found


def kind_of(found: Type, ruleset: Ruleset, who: str) -> str:
    """A type as the check of words names it: int, proper, text, or the family of nouns that it is."""
    from ...dsl.types import Int, ListOf, Maybe, Of, PileOf, SetOf
    while isinstance(found, Maybe | ListOf | SetOf | PileOf):
        found = found.of
    if isinstance(found, Int):
        return "int"
    enum = ruleset.model.enum_of(found.name) if isinstance(found, Of) else None
    if enum is None:
        return "text"
    if enum.kind in ("cells", "corners", "open"):
        return "proper"
    return who if enum.kind == "player" else enum.name


def read(found: Found, houses: list[Path], findings: Findings) -> Source | None:
    """A game's data with the house rules over it, or None."""
    from ...dsl.reading.load import lay_house, read_game
    source = read_game(found.folder, findings, found.shown)
    if source is None:
        return None
    good = [lay_house(source, house, findings) for house in houses]
    return source if all(good) else None


def variants(found: Found, houses: list[Path], findings: Findings) -> list[tuple[int, dict[str, Any]]]:
    """What a game can be: players times options, or, where that is too much, every option by itself for every number of players."""
    from itertools import product

    from ...dsl.reading.load import span_of
    source = read(found, houses, findings)
    if source is None:
        return []
    low, high = source.player_range
    options = source.data["options"]
    usual = {name: raw["default"] for name, raw in options.items()}

    def suits(players: int, settings: dict[str, Any]) -> bool:
        spans = [span_of(options[name], value) for name, value in settings.items()]
        return all(span is None or span[0] <= players <= span[1] for span in spans)

    every = [dict(zip(options, values)) for values in product(*(raw["values"] for raw in options.values()))]
    if len(every) * (high - low + 1) > MANY:
        every = [usual] + [{**usual, name: value} for name, raw in options.items() for value in raw["values"] if value != raw["default"]]
    return [(players, settings) for players in range(low, high + 1) for settings in every if suits(players, settings)]
