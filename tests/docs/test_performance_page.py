"""Checks the tables of docs/project/performance.md against the script that writes them."""

from __future__ import annotations

import re

import pytest
from ludoglot.engine.library.find import list_game_ids
from tmp_files import bench


def test_each_table_has_markers_on_the_page():
    script = bench("performance_page")
    page = script.PAGE.read_text(encoding="utf-8")
    for part in script.PARTS:
        assert re.search(rf"<!-- {part} -->\n\n\| .*\n(\| .*\n)+\n<!-- /{part} -->", page), part
        assert script.replace_table(script.replace_table(page, part, ["| a |"]), part, ["| b |"]).count("| a |") == 0
    with pytest.raises(SystemExit, match="other"):
        script.replace_table(page, "other", [])


def test_the_page_counts_the_rules_of_every_game():
    script = bench("performance_page")
    table = script.PAGE.read_text(encoding="utf-8").split("<!-- rules -->")[1]
    assert [name for name in list_game_ids() if f"\n| {name} | " not in table] == []
