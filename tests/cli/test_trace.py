"""Checks that `trace` lists the rules and scenarios of each clause, and that `explain` and `?` give the reason if a clause has no rule.

The flower stall has every kind of entry.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.yaml.clause_index import list_reasons
from ludoglot.engine.i18n import engine_localizer
from ludoglot.engine.library.find import RULES_FOLDER, find_game_location
from ludoglot.engine.testing.traceability import check_clauses, read_all_scenarios, trace_clauses
from shared_games import shared

from .conftest import LANGUAGES

FULL_OUTPUT = """\
STALL-BOX-01  excused
  No rule cites it. It describes a physical thing in the box.

STALL-BOX-02  excused
  No rule cites it. It is advice or comment. See STALL-BUY-01.

STALL-SET-01  cited
  Each player begins with 5 coins.
  Rules: stall/stall.rules:12
  Test: a rose is paid for, and a second one is too dear
    (stall/tests/stall.yaml:3)

STALL-SET-02  cited
  A die says how the wind blows.
  No scenario shows it. It states a probability, which no single game can show.
  Rules: stall/stall.rules:13

STALL-BUY-01  cited
  In your go, buy one flower or go home.
  Rules: stall/stall.rules:20, 21
  Test: a rose is paid for, and a second one is too dear
    (stall/tests/stall.yaml:3)

STALL-BUY-02  cited
  A rose costs 3 coins, a lily 2 coins.
  Rules: stall/stall.rules:8, 27
  Test: a rose is paid for, and a second one is too dear
    (stall/tests/stall.yaml:3)

STALL-BUY-03  cited
  The scent of a lily gives 1 coin back.
  No scenario shows it. It is an example of STALL-BUY-02.
  Rules: stall/stall.rules:23

STALL-BUY-04  excused
  No rule cites it. It is an example of STALL-BUY-02 and STALL-SET-01.

STALL-BUY-05  excused
  No rule cites it. It adds nothing to STALL-BUY-01.

STALL-END-01  cited
  Three flowers bring 5 points, two bring 2; more than three bring 0.
  Rules: stall/stall.rules:31
  Test: the prize (stall/tests/stall.yaml:9)

STALL-END-02  excused
  No rule cites it. The rulebook leaves it to a card or a picture. See
    STALL-END-01.

STALL-END-03  excused
  No rule cites it. The program does it automatically.

STALL-END-04  excused
  No rule cites it. It is a rejected reading, or a question that is settled. See
    STALL-END-01.

6 of 13 clauses cited, 4 tested, 7 excused, 0 with gaps.
"""
# Output for a clause without its rule, and for a clause that is not in the register.
GAPS_OUTPUT = """\
STALL-BUY-03  gap
  No rule cites it, and no reason is given.
  The scent of a lily gives 1 coin back.
  No scenario shows it. It is an example of STALL-BUY-02.

STALL-END-01  gap
  It has no text.
  No scenario shows it.
  Rules: stall/stall.rules:31

STALL-END-03  gap
  A reason is given why no rule cites it, but a rule does.
  No rule cites it. The program does it automatically.
  Rules: stall/stall.rules:23

STALL-BUY-09  gap
  It is not listed in clauses.yaml.
  Test: the prize (stall/tests/stall.yaml:9)

6 of 14 clauses cited, 4 tested, 6 excused, 4 with gaps.
"""


@pytest.fixture
def stall(toys, tmp_path, monkeypatch) -> Path:
    """Copies the flower stall to the working directory."""
    shutil.copytree(toys / "flower-stall", tmp_path / "stall")
    monkeypatch.chdir(tmp_path)
    return Path("stall")


def change(path: Path, *pairs: tuple[str, str]) -> None:
    text = path.read_text(encoding="utf-8")
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def stall_with_gaps(stall) -> Path:
    """The flower stall with one gap of each kind."""
    change(stall / "stall.rules", (" @03", " @STALL-END-03"))
    change(stall / "clauses.yaml", ('STALL-END-01: "Three flowers bring {prize_3}~n.point, two bring {prize_2}; more than three bring '
                                    '{prize_4}."', "STALL-END-01:"))
    change(stall / "tests" / "stall.yaml", ("[STALL-END-01]", "[STALL-BUY-09]"))
    return stall


@pytest.mark.long
def test_the_trace_of_the_flower_stall(ludoglot, stall):
    said = ludoglot("trace", stall)
    assert (said.code, said.err) == (0, "")
    assert said.out == FULL_OUTPUT
    assert max(map(len, said.out.splitlines())) <= 80


def test_the_flower_stall_has_every_kind_of_entry(toys):
    ruleset = shared(toys / "flower-stall").ruleset
    found = trace_clauses(find_game_location(str(toys / "flower-stall")), ruleset.program)
    assert {c.clause.excuse for c in found.clauses if c.clause and c.clause.excuse} == set(list_reasons("excuse"))


@pytest.mark.long
def test_gaps_are_listed(ludoglot, stall_with_gaps):
    said = ludoglot("trace", stall_with_gaps, "--gaps")
    assert said.code == 1 and said.out == GAPS_OUTPUT


@pytest.mark.long_cases("STALL-1-13")
@pytest.mark.parametrize("name, code, lines", [
    ("STALL-BUY", 1, 5), ("@stall-set", 0, 2), ("STALL-SET-02", 0, 1), ("STALL", 1, 13)])
def test_a_family_of_clauses_is_traced(ludoglot, stall, name, code, lines):
    change(stall / "tests" / "stall.yaml", ("STALL-BUY-01, ", ""))
    said = ludoglot("trace", stall, "--family", name, "--json")
    assert said.code == code and len(json.loads(said.out)["clauses"]) == lines


@pytest.mark.long
def test_an_unknown_family_gets_a_suggestion(ludoglot, stall):
    for lang in LANGUAGES:
        said = ludoglot("trace", stall, "--family", "STALL-BYU", "--lang", lang)
        assert said.code == 2 and "STALL-BUY" in said.err and not said.out


@pytest.mark.long
def test_the_json_output(ludoglot, stall_with_gaps):
    said = ludoglot("trace", stall_with_gaps, "--json", "--lang", "hu")
    found = json.loads(said.out)
    assert said.code == 1 and found["register"] is True and found["game"] == "flower-stall"
    assert found["summary"] == {"clauses": 14, "cited": 6, "tested": 4, "excused": 6, "gaps": 4}
    rows = {row["id"]: row for row in found["clauses"]}
    assert rows["STALL-SET-01"] == {
        "id": "STALL-SET-01", "state": "cited", "rules": ["stall/stall.rules:12"],
        "tests": ["a rose is paid for, and a second one is too dear"], "test_places": ["stall/tests/stall.yaml:3"],
        "sentence": "Each player begins with 5 coins.", "excuse": None, "untested": None, "as": [], "gaps": []}
    assert rows["STALL-END-01"]["gaps"] == ["sentence", "untested"] and rows["STALL-BUY-09"]["gaps"] == ["unregistered"]
    assert (rows["STALL-BUY-05"]["excuse"], rows["STALL-BUY-05"]["as"]) == ("same", ["STALL-BUY-01"])
    assert rows["STALL-SET-02"]["untested"] == "chance" and rows["STALL-BUY-03"]["gaps"] == ["uncited"]


@pytest.mark.long
def test_a_game_without_a_register_is_traced(ludoglot, toys):
    said = ludoglot("trace", toys / "food-chain")
    assert said.code == 0 and "no list of clauses" in said.out and "EVO-CARN-17  cited" in said.out and "EVO-CARN  " not in said.out
    assert json.loads(ludoglot("trace", toys / "food-chain", "--json").out)["register"] is False


@pytest.mark.long
def test_an_invalid_register_is_reported(ludoglot, stall):
    change(stall / "clauses.yaml", ("{excuse: component}", "{excuse: cardboard}"))
    said = ludoglot("trace", stall)
    assert said.code == 1 and "[Y013]" in said.err and not said.out
    assert ludoglot("check", stall).code == 1
    assert ludoglot("play", stall, "--seats", "bot:random,bot:random", "--seed", "1").code == 0


@pytest.mark.long
def test_check_reports_errors_and_warnings(ludoglot, stall_with_gaps):
    change(stall_with_gaps / "clauses.yaml", ("as: [STALL-BUY-02, STALL-SET-01]", "as: [STALL-BUY-02, STALL-BOX-01, STALL-SET-11]"))
    change(stall_with_gaps / "stall.rules", ("@STALL-SET-01", "@STALL-SET-01 @STALL-SEET-01"))
    said = ludoglot("check", stall_with_gaps, "--json")
    found = {(d["code"], d["severity"]) for d in json.loads(said.out) if d["code"][0] == "C" or d["code"].startswith("W3")}
    assert found == {("C001", "error"), ("C002", "error"), ("C003", "error"), ("C004", "error"), ("C005", "error"),
                     ("W301", "warning"), ("W302", "warning")}
    assert said.code == 1


@pytest.mark.long
def test_check_finds_nothing_in_a_correct_register(ludoglot, stall):
    said = ludoglot("check", stall)
    assert (said.code, said.out, said.err) == (0, "", f"No problems found in {stall}.\n")
    change(stall / "clauses.yaml", ("{rose_price}", "{rose_pirce}"))
    said = ludoglot("check", stall)
    assert said.code == 1 and "[T012]" in said.out and "{rose_price}" in said.out
    assert "[T012]" in ludoglot("words", "check", stall).err


@pytest.mark.long_cases("es")
@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_command_is_translated(ludoglot, stall, lang):
    words = engine_localizer(lang)
    said = ludoglot("trace", stall, "--lang", lang).out
    assert words.text("trace.excused") in said and words.text("reason.screen") in said
    assert {"en": "5 coins", "it": "5 monete", "es": "5 monedas", "hu": "5 érme"}[lang] in said
    said = ludoglot("explain", "STALL-END-04", "--game", stall, "--lang", lang).out
    reason = words.text("reason.reading", clauses=["STALL-END-01"])
    assert words.text("reason.excuse", reason=reason) in " ".join(said.split()) and "[STALL-END-01] " in said
    assert words.text("coverage.title") in ludoglot("test", stall, "--coverage", "--lang", lang).out


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", list_reasons())
def test_each_reason_has_a_sentence_with_its_clauses(kind, lang):
    words = engine_localizer(lang)
    said = words.text(f"reason.{kind}", clauses=["MKT-BUY-01", "MKT-BUY-02"])
    assert said != f"reason.{kind}" and said[0].isupper() and said[-1] == "." and "{" not in said
    assert ("MKT-BUY-02" in said) == (kind in list_reasons("leaning"))


def test_a_family_is_explained_in_the_order_of_the_register(ludoglot, stall):
    said = ludoglot("explain", "STALL-BUY", "--game", stall).out
    assert [line.split(":")[0] for line in said.splitlines() if line.startswith("STALL")] == [f"STALL-BUY-0{n}" for n in range(1, 6)]
    assert "  [STALL-BUY-02] A rose costs 3 coins, a lily 2 coins." in said


def test_the_prompt_fills_the_numbers(ludoglot, stall, tmp_path):
    change(stall / "stall.rules", ("    choose:\n", "    choose @STALL-BUY-02:\n"))
    said = ludoglot("play", stall, "--seats", "human,bot:random", "--seed", "1", "--lang", "it", typed="?\nquit\n")
    assert "[STALL-BUY-02] Una rosa costa 3 monete, un giglio 2 monete." in said.out


def test_house_rules_change_the_sentence(ludoglot, stall):
    change(stall / "game.yaml", ("price: 3", "price: 1"), ("[0, 2, 5]", "{by: players, 2: [0, 2, 9], else: [0]}"))
    said = ludoglot("explain", "STALL-END-01", "--game", stall).out + ludoglot("explain", "STALL-BUY-02", "--game", stall).out
    assert "bring 9 points" in said and "A rose costs 1 coin" in said


@pytest.mark.long
@pytest.mark.parametrize("folder", [path.parent for path in sorted(RULES_FOLDER.glob("*/clauses.yaml"))], ids=lambda path: path.name)
def test_every_game_with_a_register_accounts_for_each_clause(folder, ludoglot):
    said = ludoglot("trace", folder.name, "--gaps", "--json")
    assert not {row["id"]: row["gaps"] for row in json.loads(said.out)["clauses"]} and said.code == 0
    findings = DiagnosticList()                                          # citations are the same in every variant
    found = find_game_location(folder.name)
    check_clauses(found, shared(folder).ruleset, read_all_scenarios(found, DiagnosticList()), findings)
    assert not findings.items
