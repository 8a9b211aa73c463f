"""Checks that every mistake of the table is found at its place, with its cause and a fix. The correct game has no findings."""

from __future__ import annotations

from pathlib import Path

import pytest
from ludoglot.dsl.diagnostics.diagnostic import Diagnostic, DiagnosticList, load_codes
from ludoglot.engine.library.find import find_game_location
from ludoglot.engine.project.check import check_game

from golden.mistakes import CATALOGUE, EXTRA_FILES, FILES, LEXICON, MISTAKES, PACK, Mistake

SAMPLE = MISTAKES[::10]
IGNORED_CODES = {"W202"}                                           # a missing translation is not a mistake


def check_files(folder: Path, files: dict[str, str]) -> list[Diagnostic]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    found = DiagnosticList()
    pack = folder / PACK
    check_game(find_game_location(str(folder)), [pack] if pack.exists() else [], found)
    return [one for one in found.in_source_order() if one.code not in IGNORED_CODES]


def format_finding(found: Diagnostic) -> str:
    return f"{found.message()} {found.hint_text() or ''}"


def rate_findings(told: list[Diagnostic], mistake: Mistake) -> str:
    """Returns a rating of the findings: complete, without place, cause or fix, or silent."""
    if not told:
        return "silent"
    here = [found for found in told if found.code.startswith(mistake.code)
            and mistake.line in (found.place.line, *(place.line for place in found.also))]
    if not here:
        return "no place"
    fitting = [found for found in here if mistake.cause in format_finding(found)]
    if not fitting:
        return "no cause"
    ways = [f"{format_finding(found)} {load_codes()[found.code]['explain']}" for found in fitting]
    if not any(mistake.way in " ".join(way.split()) for way in ways):
        return "no way out"
    return "well" if len(told) <= 3 else "among others"


@pytest.mark.long
@pytest.mark.parametrize("extra_names", [[], [PACK], [CATALOGUE, LEXICON]], ids=["alone", "with a pack", "with a catalogue"])
def test_the_correct_game_has_no_findings(tmp_path: Path, extra_names: list[str]):
    assert list(map(str, check_files(tmp_path, FILES | {name: EXTRA_FILES[name] for name in extra_names}))) == []


@pytest.mark.parametrize("mistake", [pytest.param(one, id=one.name, marks=[] if one in SAMPLE else pytest.mark.long) for one in MISTAKES])
def test_a_mistake_is_reported(tmp_path: Path, mistake: Mistake):
    told = check_files(tmp_path, mistake.files)
    assert rate_findings(told, mistake) == "well", "\n".join(map(str, told))


def test_the_table_of_mistakes_is_complete():
    """Every kind of mistake occurs once, and the table has at least the promised number."""
    assert len({one.name for one in MISTAKES}) == len(MISTAKES) >= 103


def test_syntax_errors_hide_no_other_errors(tmp_path: Path):
    rules = FILES["fair.rules"]
    for was, now in [("day += 1", "day++"), ("choose kite in Kite where free(kite)", "choose kite in Kite where freee(kite)"),
                     ("flyer[kite] = player", "flyer[kite] := player"), ("def rows_of(cell) where:", "deff rows_of(cell) where:"),
                     ("until day == days", "until dya == days")]:
        assert was in rules
        rules = rules.replace(was, now)
    found = [(one.code, one.args.get("name", one.args.get("found"))) for one in check_files(tmp_path, {**FILES, "fair.rules": rules})
             if one.severity == "error"]
    assert sorted(found) == [("R006", "deff"), ("R013", "++"), ("R013", ":="), ("R101", "dya"), ("R219", "freee")]


def test_a_missing_colon_hides_nothing_in_its_block(tmp_path: Path):
    rules = FILES["fair.rules"].replace("until day == days @02:", "until dya == days @02").replace("fly(player)\n\n", "fly(playr)\n\n")
    found = [(one.code, one.args.get("name")) for one in check_files(tmp_path, {**FILES, "fair.rules": rules}) if one.severity == "error"]
    assert sorted(found, key=str) == [("R007", None), ("R101", "dya"), ("R101", "playr")]


def test_a_replaced_line_causes_no_errors(tmp_path: Path):
    rules = FILES["fair.rules"].replace("choose kite in Kite where free(kite) or stop", "choose kite Kite free(kite) or stop")
    assert [one.code for one in check_files(tmp_path, {**FILES, "fair.rules": rules}) if one.severity == "error"] == ["R008"]
