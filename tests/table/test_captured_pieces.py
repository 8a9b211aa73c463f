"""Checks captured pieces in columns of symbols, the backs of hidden cards, and the owners of empty points."""

from __future__ import annotations

import pytest
from ludoglot.engine.table_view.build_panels import build_panels
from ludoglot.engine.table_view.plain_renderer import render_plain
from ludoglot.engine.table_view.rich_renderer import render_terminal
from ludoglot.engine.table_view.svg_renderer import render_svg
from ludoglot.engine.table_view.theme import theme_of
from ludoglot.engine.table_view.visible_values import draw_backs

from .test_display import narrator, play_randomly


def list_captures(moves, game):
    """Returns the pieces that each player has captured, and the lead of each, after these moves of chess."""
    position = game.start(1)
    for move in moves.split():
        spelling = f"origin={move[:2]} target={move[2:]}" if len(move) == 4 else f"kind={move}"
        position.play(position.decision.seat, spelling)
    panel = next(panel for panel in build_panels(position, narrator(game), 0) if panel.title == "Players")
    rows = [dict(zip(panel.heads, row)) for row in panel.rows]
    return [("".join(span.sign_with_amount for span in row.get("Captured", [])), row["Ahead by"][0].text) for row in rows]


def test_captured_chess_pieces_are_shown_with_the_material_lead(game):
    chess = game("chess")
    assert list_captures("e2e4", chess) == [("", "0"), ("", "0")]
    assert list_captures("e2e4 d7d5 e4d5 d8d5 b1c3 a7a6 c3d5", chess) == [("♟1♛1", "9"), ("♙1", "0")]


def test_a_promoted_pawn_is_not_captured(game):
    assert list_captures("a2a4 b7b5 a4b5 a7a6 b5a6 h7h6 a6a7 h6h5 a7b8 queen", game("chess")) == [("♟2♞1", "13"), ("", "0")]


@pytest.mark.parametrize("name, players", [("hearts", 4), ("scopa", 2), ("brisca", 2), ("cribbage", 2), ("snapszer", 2)])
def test_hidden_cards_are_backs_on_a_screen_and_words_in_plain_text(game, name, players):
    played = game(name, players)
    panels = build_panels(play_randomly(played, 5, 3), narrator(played), 0)
    hands = [row[-1][0] for panel in panels if panel.title == "Players" for row in panel.rows[1:]]
    assert hands and all(set(hand.face) <= set("▒ ×0123456789") and hand.face for hand in hands)
    text = "\n".join(render_terminal(panels, theme_of(played), 100, None))
    assert "▒" in text and "hidden" not in text
    for plain in ("\n".join(render_plain(panels, 100)), "\n".join(render_terminal(panels, theme_of(played), 100, None, utf=False))):
        assert "▒" not in plain and "hidden" in plain
    assert "▒" in render_svg(play_randomly(played, 5, 3), narrator(played), 0)


def test_backs_show_the_number_of_cards():
    assert [draw_backs(many) for many in (1, 3, 6, 7, 13)] == ["▒", "▒ ▒ ▒", "▒ ▒ ▒ ▒ ▒ ▒", "▒×7", "▒×13"]


def make_go_position(game, passes):
    """Returns the position and the panels of a game of go with two walls of stones, after some passes."""
    position = game.start(1)
    moves = [f"place cell={column}{row}" for row in range(1, 10) for column in "df"] + ["pass"] * passes
    for move in moves:
        position.play(position.decision.seat, move)
    return position, build_panels(position, narrator(game), 0)


def test_the_owners_of_points_are_marked_at_the_end_of_go(game):
    go = game("go")
    position, panels = make_go_position(go, 2)
    assert render_plain(panels, 80)[:9] == [f"{row}  x x x X . O o o o" for row in range(9, 0, -1)]
    assert "Surrounded by: x Black, o White" in render_plain(panels, 80)
    lines = render_terminal(panels, theme_of(go), 80, None)
    assert lines[1].startswith("│9  x─x─x─●─┬─○─o─o─o") and any("x Black  o White" in line for line in lines)
    coloured = "".join(render_terminal(panels, theme_of(go), 80, "truecolor"))
    assert coloured.count("▪") == 54 + 2 and render_svg(position, narrator(go), 0).count("</title><rect class=\"hit\"") == 81
    rectangles = render_svg(position, narrator(go), 0).split("<rect ")
    squares = [part for part in rectangles if part.startswith('class="p') and "piece" in part[:30]]
    assert len(squares) == 54


@pytest.mark.parametrize("passes", [0, 1])
def test_points_have_no_owner_during_the_game(game, passes):
    _, panels = make_go_position(game("go"), passes)
    assert render_plain(panels, 80)[0] == "9  . . . X . O . . ."
    assert not any("Surrounded" in line for line in render_plain(panels, 80))
