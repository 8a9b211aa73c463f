"""Checks the limit on lines of rules: it is far above the longest game, and the lines of a pack count too."""

from __future__ import annotations

import pytest
from ludoglot.dsl.syntax.rule_size import MAX_GAME_LINES, code_line_size
from shared_games import RULES

PROCEDURE = "proc p{n}():\n" + "    score[player_1] += 1  # again\n\n" * 499
GAME = "game: long\nname: Long\nplayers: 2\nrules: [a.rules, b.rules]\n"
HEAD = "state score[Player]: int\nphase game: stop\nstanding player: score[player]\n"


@pytest.fixture
def long_game(tmp_path):
    """Creates a game in two files whose rules are almost as long as allowed."""
    (tmp_path / "long").mkdir()
    (tmp_path / "long" / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "long" / "a.rules").write_text(HEAD + "".join(PROCEDURE.format(n=n) for n in range(5)), encoding="utf-8")
    (tmp_path / "long" / "b.rules").write_text("".join(PROCEDURE.format(n=n) for n in range(5, 9)), encoding="utf-8")
    return tmp_path / "long"


def test_the_limit_is_far_above_the_longest_game():
    def count_lines(folder) -> int:
        return sum(code_line_size(line) for path in folder.glob("*.rules") for line in path.read_text(encoding="utf-8").split("\n"))
    assert max(count_lines(folder) for folder in RULES.iterdir()) * 5 < MAX_GAME_LINES


@pytest.mark.long
def test_all_files_of_a_game_count(ludoglot, long_game):
    with (long_game / "b.rules").open("a", encoding="utf-8") as file:
        file.write(PROCEDURE.format(n=9))
    said = ludoglot("check", long_game)
    assert said.code == 1 and "R023" in said.out and "long/b.rules:4990:1" in said.out and "5,000" in said.out


@pytest.mark.long
def test_the_rules_of_a_pack_count(ludoglot, long_game):
    pack = long_game.parent / "more.yaml"
    more = "\n".join("  " + line for line in PROCEDURE.format(n=9).split("\n"))
    pack.write_text(f"house: more\nfor: long\nrules: |\n{more}\n", encoding="utf-8")
    said = ludoglot("check", long_game, "--pack", pack)
    assert said.code == 1 and "R023" in said.out and "more.yaml:" in said.out


def test_a_very_long_line_counts_several_times():
    assert [code_line_size(text) for text in ("", "  # a comment", "    stop", "x" * 150, "x" * 151, "x" * 4000)] == [0, 0, 1, 1, 2, 27]
