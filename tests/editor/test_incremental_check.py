"""Checks that an incremental check reports the same as a full check, after any sequence of edits."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.syntax.format import tree_shape
from ludoglot.dsl.syntax.incremental_parse import IncrementalParser
from ludoglot.dsl.syntax.parse import parse
from ludoglot.engine.library.find import RULES_FOLDER as SHIPPED
from ludoglot.engine.library.find import GameLocation
from ludoglot.engine.project import incremental_check
from ludoglot.engine.project import passes as check_passes
from ludoglot.engine.project.check import check_game
from ludoglot.engine.project.game_check import GameCheck, Pass
from ludoglot.engine.project.incremental_check import IncrementalChecker
from ludoglot.engine.project.passes import PASSES

from .conftest import GAME, MESSAGES, RULES, TESTS

EDITS: list[tuple[str, str]] = [
    ("orchard.rules", RULES.replace("+= harvest.apples", "+= harvest.aples")),
    ("orchard.rules", RULES.replace("+= harvest.apples", "+= harvest.apples + 1")),
    ("orchard.rules", RULES.replace("phase game", "\n# a remark\n\nphase game")),
    ("orchard.rules", RULES.replace("phase game", "\n# a remark\n\nphase gane")),
    ("orchard.rules", RULES.replace("    effect[card](player)\n", "    effect[card](\n")),
    ("orchard.rules", RULES.replace("effect[card](player)", "tell eaten(player, card)\n        effect[card](player)")),
    ("orchard.rules", RULES.replace("proc effect[rest](player): stop", "proc effect[rest](player): apples[player] += rich(player)")),
    ("orchard.rules", RULES.replace("proc effect[rest](player): stop\n", "")),
    ("orchard.rules", RULES.replace("effect[rest](player)", "effect[rest](p: Player)")),
    ("orchard.rules", RULES.replace("def rich(player) = apples[player] > 3", "def rich(player) = apples[player]")),
    ("orchard.rules", RULES.replace("def rich(player) = apples[player] > 3", "def poor(player) = apples[player] < 3")),
    ("orchard.rules", RULES.replace("@OR-01", "@OR-02")),
    ("orchard.rules", "  odd\n" + RULES),
    ("orchard.rules", ""),
    ("orchard.rules", RULES),
    ("game.yaml", GAME.replace("apples: 3", "apples: 300")),
    ("game.yaml", GAME.replace("numbers: {goal: 6}", "numbers: {goal: {by: players, 2: 6, 3: 7}}").replace("players: 2", "players: 2..3")),
    ("game.yaml", GAME.replace("numbers: {goal: 6}", "numbers: {gaol: 6}")),
    ("game.yaml", GAME.replace("Take {apples} apples.", "Take {appels} apples.")),
    ("game.yaml", GAME.replace("players: 2", "players: two")),
    ("game.yaml", GAME.replace("players: 2", 'options: {sweet: {values: [yes, "no"], default: yes}}\nplayers: 2')),
    ("game.yaml", GAME),
    ("messages.yaml", MESSAGES + 'event.nothing: "Nothing."\n'),
    ("messages.yaml", MESSAGES.replace("{who}~the", "{whom}")),
    ("messages.yaml", MESSAGES),
    ("tests/cards.yaml", TESTS.replace("rich(ann)", "rch(ann)")),
    ("tests/cards.yaml", TESTS.replace("OR-01", "OR-09")),
    ("tests/cards.yaml", TESTS.replace("given:", "given: [")),
    ("tests/cards.yaml", TESTS),
    ("clauses.yaml", "OR-01: {excuse: component}\n"),
    ("clauses.yaml", 'OR-01: {text: "Players take turns.", with: {sweet: {"yes": "They may pass."}}}\n'),
    ("game.yaml", GAME.replace("players: 2", 'options: {sweet: {values: ["no", "yes"], default: "no"}}\nplayers: 2')),
    ("game.yaml", GAME),
    ("table.yaml", "panels:\n  - {state: appels}\n"),
    ("table.yaml", "panels: []\n"),
    ("notation.yaml", "files: [orchard]\nmoves: {nowhere.nothing: {ways: ['{apples}']}}\n"),
    ("notation.yaml", "files: [orchard]\nspelling: {Nothing: {none: a}}\nmoves: {nowhere.nothing: {ways: []}}\n"),
]


def check_from_scratch(folder: Path) -> list[str]:
    findings = DiagnosticList()
    check_game(GameLocation("orchard", folder, "orchard"), [], findings)
    return format_findings(findings.items)


def format_findings(findings: list) -> list[str]:
    return sorted({f"{one} {one.also}" for one in findings})


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_an_incremental_check_equals_a_full_check(orchard: Path, seed: int) -> None:
    warm = IncrementalChecker(GameLocation("orchard", orchard, "orchard"))
    edits = list(EDITS)
    if seed:
        random.Random(seed).shuffle(edits)
    said = set()
    for name, text in edits:
        (orchard / name).write_text(text, encoding="utf-8")
        found = format_findings(warm.check())
        assert found == check_from_scratch(orchard), (name, text)
        said |= set(found)
    assert len(said) > 10                                          # the edits do contain mistakes


def test_a_check_with_the_cache_equals_one_without(orchard: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: set[str] = set()
    for name, text in [*EDITS, *reversed(EDITS)]:
        (orchard / name).write_text(text, encoding="utf-8")
        monkeypatch.setenv("LUDOGLOT_CACHE", str(tmp_path / "cache"))
        found = check_from_scratch(orchard)
        monkeypatch.setenv("LUDOGLOT_CACHE", "off")
        assert found == check_from_scratch(orchard), (name, text)
        said |= set(found)
    assert len(said) > 10                                          # the edits do contain mistakes
    assert any((tmp_path / "cache" / "passes").iterdir())


def test_a_second_check_lints_no_scenario_again(orchard: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOGLOT_CACHE", str(tmp_path / "cache"))
    ran: list[int] = []
    stages = [[replace(one, run=count_runs(one.run, ran)) if one.name == "scenarios" else one for one in stage] for stage in PASSES]
    monkeypatch.setattr(check_passes, "PASSES", stages)
    for rules in (RULES, RULES.replace("+= harvest.apples", "+= harvest.apples + 1"), RULES + "def idle(player) = true\n"):
        (orchard / "orchard.rules").write_text(rules, encoding="utf-8")
        check_from_scratch(orchard)
    assert len(ran) == 2                                           # the body of a procedure does not matter, a new def does


def count_runs(run: Callable[..., object], ran: list[int]) -> Callable[..., object]:
    """Returns a function like `run` that also appends to `ran`."""
    def counted(*args: object) -> object:
        ran.append(1)
        return run(*args)
    return counted


@pytest.mark.long
def test_an_incremental_check_of_a_large_game_equals_a_full_check(tmp_path: Path) -> None:
    folder = tmp_path / "dominant-species"
    shutil.copytree(SHIPPED / "dominant-species", folder)
    found = GameLocation("dominant-species", folder, "dominant-species")
    warm = IncrementalChecker(found)
    cards, data = folder / "cards.rules", folder / "cards.yaml"
    rules, values = cards.read_text(encoding="utf-8"), data.read_text(encoding="utf-8")
    for path, text in [
        (cards, rules), (cards, rules.replace("vp[animal] += points", "vp[animal] += points + 1", 1)),
        (cards, rules.replace("vp[animal] += points", "vp[animal] += pionts", 1)), (cards, rules + "# a remark\n"),
        (cards, rules.replace("tell gained(animal, points)", "tell earned(animal, points)", 1)),
        (cards, rules.replace("choose n in", "chose n in", 1)),
        (cards, rules), (data, values.replace("points: 1", "points: 2", 1)), (data, values.replace("{points}", "{piont}", 1)),
        (data, values),
    ]:
        path.write_text(text, encoding="utf-8")
        findings = DiagnosticList()
        check_game(found, [], findings)
        assert format_findings(warm.check()) == format_findings(findings.items), text


def test_full_and_incremental_checks_share_their_passes(orchard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []

    def check_title(check: GameCheck, findings: DiagnosticList) -> None:
        ran.append(check.source.data["name"])
        findings.add("W107", check.source.place("name"), name="a title")
    added = Pass("title", lambda check: check.data, check_title)
    monkeypatch.setattr(check_passes, "PASSES", stages := [*PASSES[:2], [*PASSES[2], added], *PASSES[3:]])
    monkeypatch.setattr(incremental_check, "PASSES", stages)
    found = GameLocation("orchard", orchard, "orchard")
    warm = IncrementalChecker(found)
    for text in (RULES, RULES + "# a remark\n"):
        (orchard / "orchard.rules").write_text(text, encoding="utf-8")
        assert any("a title" in one for one in format_findings(warm.check()))
        assert format_findings(warm.check()) == check_from_scratch(orchard)
    assert len(ran) == 3  # two full checks, and only one incremental check, because its inputs stay
    (orchard / "game.yaml").write_text(GAME.replace("Orchard", "Garden"), encoding="utf-8")
    warm.check()
    assert ran[-1] == "Garden"


def test_each_pass_has_a_unique_name() -> None:
    names = [one.name for stage in PASSES for one in stage]
    assert len(set(names)) == len(names)


def test_options_that_allow_no_number_of_players_are_reported(orchard: Path) -> None:
    options = ("a: {values: [x, z], default: x, only: {x: 2, z: 2}}", "b: {values: [y, w], default: y, only: {y: 3, w: 3}}")
    text = GAME.replace("players: 2", f"options: {{{', '.join(options)}}}\nplayers: 2..3")
    (orchard / "game.yaml").write_text(text, encoding="utf-8")
    found = format_findings(IncrementalChecker(GameLocation("orchard", orchard, "orchard")).check())
    assert found == check_from_scratch(orchard) and any("[G026]" in one for one in found)


def test_the_first_step_reports_the_typo(orchard: Path) -> None:
    warm = IncrementalChecker(GameLocation("orchard", orchard, "orchard"))
    warm.check()
    (orchard / "orchard.rules").write_text(RULES.replace("+= harvest.apples", "+= harvst.apples"), encoding="utf-8")
    first = next(step for step in warm.steps() if step is not None)
    assert not first.whole and [one.code for one in first.findings] == ["R101"]


def test_findings_about_texts_stay_during_a_check(orchard: Path) -> None:
    (orchard / "messages.yaml").write_text(MESSAGES + 'event.nothing: "Nothing."\n', encoding="utf-8")
    warm = IncrementalChecker(GameLocation("orchard", orchard, "orchard"))
    assert "W209" in [one.code for one in warm.check()]
    (orchard / "orchard.rules").write_text(RULES + "# a remark\n", encoding="utf-8")
    first = next(step for step in warm.steps() if step is not None)
    assert "W209" in [one.code for one in first.findings]


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(path.relative_to(SHIPPED).as_posix() for path in SHIPPED.glob("*/*.rules"))[:12])
def test_incremental_parsing_equals_full_parsing(name: str) -> None:
    text, pieces = (SHIPPED / name).read_text(encoding="utf-8"), IncrementalParser()
    shifted = "# a line\n\n" + text
    for source in (text, shifted, text.replace("def ", "dfe ", 1), text):
        once, again = DiagnosticList(), DiagnosticList()
        found, wanted = pieces.parse(source, "x", once), parse(source, "x", again)
        assert [str(one) for one in once.items] == [str(one) for one in again.items]
        assert tree_shape(found) == tree_shape(wanted)
        assert [list_positions(node) for node in found] == [list_positions(node) for node in wanted]


def list_positions(node: object) -> list[tuple[int, int, int, int]]:
    """Returns the position of each part of a tree."""
    if isinstance(node, list | tuple):
        return [place for part in node for place in list_positions(part)]
    if not hasattr(node, "__dict__"):
        return []
    meta = getattr(node, "meta", node)
    here = [(meta.line, meta.column, meta.end_line, meta.end_column)] if getattr(meta, "line", None) else []
    return here + [place for key, value in vars(node).items() if key != "meta" for place in list_positions(value)]
