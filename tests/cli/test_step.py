"""Checks `ludoglot debug step`. A pipe provides the input at its prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import LANGUAGES, RULES

TESTS = """\
scenarios:
  - name: a harvest on the way to the end
    given: {apples: {ann: 2}}
    play: ["ann: card=harvest", "bea: card=rest"]
    expect: {over: true}
"""
HARVEST_LINE = RULES.split("\n").index("proc effect[harvest](player): apples[player] += harvest.apples") + 1


@pytest.fixture
def run_steps(ludoglot, orchard: Path):
    def run(*typed: str, more: tuple[str, ...] = (), code: int = 0) -> list[str]:
        said = ludoglot("debug", "step", str(orchard), *more, typed="".join(f"{one}\n" for one in typed))
        assert said.code == code, said.err
        return [line for line in said.out.replace("step> ", "\nstep> ").splitlines() if line.strip()]
    return run


def list_decisions(lines: list[str]) -> list[str]:
    return [line.removeprefix("step> ") for line in lines if "Decision " in line]


def test_stepping_begins_at_the_first_decision(run_steps) -> None:
    lines = run_steps()
    assert list_decisions(lines) == ["Decision 1: game.card, for ann."]
    assert "   1  card=harvest  (Harvest)" in lines and "   2  card=rest  (Rest)" in lines


@pytest.mark.long
def test_options_are_chosen_and_undone(run_steps) -> None:
    lines = run_steps("1", "card=rest", "<<", "<<", "<<", ">>", ". apples")
    assert list_decisions(lines) == [f"Decision {n}: game.card, for {who}." for n, who in
                                ((1, "ann"), (2, "bea"), (3, "ann"), (2, "bea"), (1, "ann"), (2, "bea"))]
    assert "step> There is no earlier decision." in lines
    assert lines[-3:] == ["step> apples[ann] = 3", "apples[bea] = 0", "step> "]


def test_a_different_option_discards_later_decisions(run_steps) -> None:
    assert "step> You are at the latest decision. To go on, choose an option." in run_steps("1", "<<", "2", ">>")
    lines = run_steps("1", "1", "<<", "<<", "2", "<<", ">>", "= apples[ann]")
    assert lines[-2:] == ["step> 0", "step> "]


def test_expressions_are_evaluated_at_the_current_position(run_steps) -> None:
    lines = run_steps("= apples[ann]", "1", "= apples[ann]", "= row", "= harvest.apples * 2", "= aples[ann]", "<<", "= apples[ann]")
    answers = [line.removeprefix("step> ") for line in lines if line.startswith("step> ") and "Decision" not in line]
    assert answers == ["0", "3", "{harvest rest}", "6", 'There is nothing called "aples" here.', "0", ""]


def test_rule_lines_are_stepped_in_both_directions_with_locals(run_steps) -> None:
    lines = run_steps("1", "<<", ">", ">", ">", "= apples[ann]", ">", "= apples[ann]", "<", "<", "<")
    here = [line.removeprefix("step> ") for line in lines if "orchard.rules:" in line]
    numbers = [int(line.split("orchard.rules:")[1].split()[0]) for line in here]
    choose, call, loop = HARVEST_LINE - 3, HARVEST_LINE - 2, HARVEST_LINE - 4
    assert numbers == [choose, call, HARVEST_LINE, loop, HARVEST_LINE, call, choose]
    assert [line for line in lines if line in ("step> 0", "step> 3")] == ["step> 0", "step> 3"]      # before the line and after it
    assert any("apples[player] += harvest.apples" in line for line in here)
    assert "    player = ann" in lines


def test_a_local_is_shown_only_after_its_line(run_steps) -> None:
    lines = run_steps("1", "<")                                    # the last line asks for the next card
    assert f"orchard.rules:{HARVEST_LINE - 3}" in lines[-2] and lines[-1] == "step> "


def test_an_event_is_printed_after_its_line_ran(run_steps, orchard: Path) -> None:
    rules = RULES.replace("        effect[card](player)\n", "        effect[card](player)\n        tell ate(player)\n        row = row\n")
    (orchard / "orchard.rules").write_text(rules, encoding="utf-8")
    (orchard / "messages.yaml").write_text('event.ate: "{player} has eaten."\n', encoding="utf-8")
    lines = run_steps(f"! orchard.rules:{HARVEST_LINE - 1}", "1", ">")
    stopped = next(n for n, line in enumerate(lines) if "Stopped at" in line)
    told = lines.index("step>   Ann has eaten.")
    assert stopped < told and "tell ate(player)" in lines[stopped + 1] and "row = row" in lines[told + 1]


def test_play_stops_at_breakpoints(run_steps) -> None:
    lines = run_steps(f"! orchard.rules:{HARVEST_LINE}", "2", "1", "! orchard.rules:1000", f"! orchard.rules:{HARVEST_LINE}", "<<", "1")
    stopped = [line for line in lines if "Stopped at" in line]
    assert len(stopped) == 1 and stopped[0].endswith(f"orchard.rules:{HARVEST_LINE}.")
    assert any("There is no rule line at orchard.rules:1000." in line for line in lines)
    assert sum("Breakpoint removed at" in line for line in lines) == 1


def test_a_scenario_can_be_stepped(run_steps, orchard: Path) -> None:
    (orchard / "tests").mkdir()
    (orchard / "tests" / "play.yaml").write_text(TESTS, encoding="utf-8")
    lines = run_steps("= apples[ann]", ">>", "= apples[ann]", ">>", ">>", more=("play:harvest on",))
    assert "step> 2" in lines and "step> 5" in lines
    assert "step> You are at the latest decision. To go on, choose an option." in lines
    assert "step> 2" in run_steps("= apples[ann]", more=(f"{orchard}/tests/play.yaml:HARVEST",))


def test_a_scenario_of_a_pack_can_be_stepped(run_steps, ludoglot, orchard: Path, tmp_path: Path) -> None:
    pack = tmp_path / "rich.yaml"
    pack.write_text(f"house: rich\nfor: orchard\nset: {{Card.harvest.apples: 4}}\ntests:\n{TESTS.partition(chr(10))[2]}", encoding="utf-8")
    for name in ("rich", "rich.yaml", str(pack)):
        lines = run_steps(">>", "= apples[ann]", more=(f"{name}:a harvest", "--pack", str(pack)))
        assert "step> 6" in lines, lines


def test_a_missing_scenario_is_reported(ludoglot, orchard: Path) -> None:
    said = ludoglot("debug", "step", str(orchard), "play:harvest")
    assert said.code == 1 and "No test in play has “harvest” in its name." in said.err


def test_a_game_runs_to_its_end_and_a_fault_shows_its_line(run_steps, orchard: Path) -> None:
    assert "step> The game is over." in run_steps("* 60")
    broken = RULES.replace("+= harvest.apples", "+= harvest.apples * 50")
    (orchard / "orchard.rules").write_text(broken, encoding="utf-8")
    lines = run_steps("1", "<<", code=1)
    assert any("F003" in line for line in lines) and any(f"orchard.rules:{HARVEST_LINE}  proc effect" in line for line in lines)
    assert list_decisions(lines)[-1] == "Decision 1: game.card, for ann."


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_debugger_is_translated(ludoglot, orchard: Path, lang: str) -> None:
    said = ludoglot("debug", "step", str(orchard), "--lang", lang, typed="?\nnothing\n>>\nq\n")
    assert said.code == 0 and "step." not in said.out
    first = {"it": "Decisione 1: game.card", "es": "Decisión 1: game.card", "hu": "1. döntés: game.card", "en": "Decision 1: game.card"}
    assert first[lang] in said.out
    assert ("option" in said.out) == (lang == "en")


def test_an_unknown_stage_suggests_step(ludoglot, orchard: Path) -> None:
    said = ludoglot("debug", "stp", str(orchard))
    assert said.code == 2 and "step" in said.err


def test_a_scenario_with_an_invalid_start_is_reported_with_its_place(ludoglot, orchard: Path, tmp_path: Path) -> None:
    odd = tmp_path / "odd.yaml"
    odd.write_text("scenarios:\n  - name: odd\n    given: {cellar: 3}\n    play: [card=rest]\n", encoding="utf-8")
    said = ludoglot("debug", "step", str(orchard), f"{odd}:odd")
    assert said.code == 1 and "odd.yaml:3:" in said.out and "cellar" in said.out and not said.err


def test_huge_numbers_are_unknown_answers(run_steps) -> None:
    lines = run_steps("9" * 5000, "* " + "9" * 5000, "! orchard.rules:" + "9" * 5000)
    assert any("neither an option nor a command" in line for line in lines) and any("There is no rule line at" in line for line in lines)
