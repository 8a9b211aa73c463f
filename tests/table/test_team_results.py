"""Checks how teams and their results are shown at the table."""

from __future__ import annotations

import pytest
from ludoglot.engine.explain.standing_text import breakdown_lines, match_summary, standing_lines
from ludoglot.engine.narration.narrator import Narrator
from ludoglot.engine.preview.preview_parts import find_first_seats
from ludoglot.engine.table_view.status_line import build_status_line
from shared_games import shared

from .terminal_harness import HUMAN, Desk
from .test_scoring import make_loaded_game, make_table

NAMES = ("Anna", "Bela", "Carla", "Dora")


def table_at_end(name, players, **states):
    table = make_table(shared(name, players), ["human"] * players, names=NAMES)
    while (decision := table.position.decision) is not None:
        table.play(decision.options[0])
    table.position.set_states((), states)
    return table


@pytest.mark.parametrize(("lang", "expected"), [
    ("en", ["Final standings", "1. Bela and Dora: 4 points", "2. Anna and Carla: 1 point", "Bela and Dora win together."]),
    ("it", ["Classifica finale", "1. Bela e Dora: 4 punti", "2. Anna e Carla: 1 punto", "Vincono insieme Bela e Dora."]),
    ("es", ["Clasificación final", "1. Bela y Dora: 4 puntos", "2. Anna y Carla: 1 punto", "Ganan en equipo Bela y Dora."]),
    ("hu", ["Végeredmény", "1. hely: Bela és Dora, 4 pont", "2. hely: Anna és Carla, 1 pont", "Közös győzelem: Bela és Dora."]),
])
def test_a_team_has_one_line_in_the_standing(lang, expected):
    table = table_at_end("whistle", 4, taken={"north_south": 1, "east_west": 4})
    assert standing_lines(table, make_loaded_game(table.game), lang) == expected


def test_teams_that_tie_share_first_place():
    table = table_at_end("whistle", 4, taken={"north_south": 3, "east_west": 3})
    assert standing_lines(table, make_loaded_game(table.game), "en")[-1] == "Anna, Carla, Bela, and Dora share first place."


@pytest.mark.parametrize(("lang", "won", "lost"), [
    ("en", "Anna and Bela win together.", "Anna and Bela lose together."),
    ("it", "Vincono insieme Anna e Bela.", "Perdono insieme Anna e Bela."),
    ("es", "Ganan en equipo Anna y Bela.", "Pierden en equipo Anna y Bela."),
    ("hu", "Közös győzelem: Anna és Bela.", "Közös vereség: Anna és Bela."),
])
def test_all_win_together_or_lose_together(lang, won, lost):
    for way, expected in ((21, won), (23, lost)):
        table = table_at_end("lifeboat", 2, way=way)
        assert standing_lines(table, make_loaded_game(table.game), lang)[1:] == [expected]


def test_the_points_of_a_team_are_shown_once():
    table = table_at_end("whistle", 4, taken={"north_south": 1, "east_west": 4})
    narrator = Narrator(table.game, make_loaded_game(table.game).localizer("en"), table.setup.names)
    spans = [span.words for line in build_status_line(table.position, narrator, 0) for span in line]
    assert [words for words in spans if "(" in words] == ["Anna and Carla (1)", "Bela and Dora (4)"]
    assert breakdown_lines(table, make_loaded_game(table.game), narrator, 60) == []


def test_the_summary_names_the_teams():
    standing = match_summary(table_at_end("whistle", 4, taken={"north_south": 1, "east_west": 4}), None)["standing"]
    assert [(line["seat"], line["rank"], line["team"]) for line in standing] == [
        (1, 1, "east_west"), (3, 1, "east_west"), (0, 2, "north_south"), (2, 2, "north_south")]
    assert "team" not in match_summary(make_table(shared("parry", 2), ["human"] * 2), None)["standing"][0]


def test_a_preview_knows_who_would_win():
    assert find_first_seats(table_at_end("whistle", 4, taken={"north_south": 4, "east_west": 1}).position) == [0, 2]
    assert find_first_seats(table_at_end("lifeboat", 3, way=21).position) == [0, 1, 2]
    assert find_first_seats(table_at_end("lifeboat", 3, way=22).position) == []


def test_partners_are_named_before_the_game():
    desk, alone = (Desk(game, [HUMAN, *["bot:random"] * (players - 1)], names=list(NAMES[:players]))
                   for game, players in (("whistle", 4), ("parry", 2)))
    desk.run()
    assert {"Anna and Carla play together.", "Bela and Dora play together."} <= set(desk.screens[0].lines)
    alone.run()
    assert "play together" not in alone.screens[0].text and "Anna" in alone.screens[0].text
