"""Checks square boards on a terminal: corners, marks, and cells with many contents."""

from __future__ import annotations

import pytest
from ludoglot.engine.table_view.rich_renderer import render_terminal
from ludoglot.engine.table_view.theme import Theme
from ludoglot.engine.table_view.view_model import BoardCell, BoardPanel, ListItem, ListPanel, StyledText
from rich.cells import cell_len


def make_board(wide, high, **held):
    spots = []
    for x in range(wide):
        for y in range(high):
            spot = BoardCell(f"{'abcdefghijklmnopqrs'[x]}{y + 1}", (x, y))
            spot.contents = [("Cubes", list(held[spot.label]))] if spot.label in held else []
            spots.append(spot)
    return BoardPanel("", "square", True, spots)


def make_cubes(*names):
    return [StyledText(name, "", name[0], amount=n) for n, name in enumerate(names, 2)]


def render_lines(chart, width=60, utf=True, colour=None):
    lines = render_terminal([chart], Theme(), width, colour, utf)
    assert colour or all(cell_len(line) <= width for line in lines)
    return [line[1:-1].rstrip() for line in lines[1:-1]]


def test_corners_are_drawn_on_line_crossings():
    chart = make_board(2, 2)
    chart.spots[0].parts = {".ne": StyledText("oil lamp", "", "o"), ".sw": StyledText("wax", "", "w")}      # of a1, at the bottom left
    assert render_lines(chart) == ["  ┌───┬───┐", "2 │   │   │", "  ├───o───┤", "1 │   │   │", "  w───┴───┘", "    a   b"]


def test_edges_are_heavy_lines_with_a_sign_if_they_hold_a_thing():
    chart = make_board(2, 2)
    chart.has_parts = True
    wall = StyledText("wall", "strong", "*")
    chart.spots[0].parts = {"-n": wall, "-w": wall, "-e": StyledText("oak", "", "o")}
    assert render_lines(chart) == [
        "  ┌─────┬─────┐",
        "2 │     │     │",
        "  ├━━━━━┼─────┤",
        "1 ┃     o     │",
        "  └─────┴─────┘",
        "     a     b"]
    assert render_lines(chart, utf=False)[2:4] == ["  +=====+-----+", "1 #     o     |"]


def test_edges_have_the_numbers_of_their_options():
    chart = make_board(2, 1)
    chart.has_parts = True
    chart.spots[0].aimed, chart.spots[1].aimed = {"-n": "1", "-e": "12"}, {"-w": "12", "-s": "3"}
    assert render_lines(chart) == ["  ┌──1──┬─────┐", "1 │     12    │", "  └─────┴──3──┘", "     a     b"]


def make_checkered_board():
    chart = make_board(4, 4)
    kinds = {"a1": "castle", "b3": "knight", "d4": "pawn"}
    shapes = {"castle": "♜", "knight": "♞", "pawn": "♟"}
    pieces = {name: StyledText(name, "", name[0], shape) for name, shape in shapes.items()}
    for spot in chart.spots:
        spot.contents = [("Pieces", [pieces[kinds[spot.label]]])] if spot.label in kinds else []
    chart.surface, chart.legend = "checkered", {"Pieces": {name[0]: piece for name, piece in pieces.items()}}
    return chart


def test_checkered_board_keeps_its_pieces_without_room_for_the_legend():
    chart = make_checkered_board()
    for high in (20, 7):
        text = "\n".join(render_terminal([chart], Theme(), 60, "truecolor", True, high, 1))
        assert all(shape in text for shape in "♜♞♟") and ("castle" in text) == (high == 20)
    written = "\n".join(render_terminal([chart], Theme(), 60, None, True, 9, 1))       # lines between the squares are too high
    assert "a1 c" not in written and "c castle" in written


def test_legend_of_pictures_gives_way_to_another_panel():
    chart, note = make_checkered_board(), ListPanel("Captured", [ListItem([StyledText("nothing yet")], [])], key="list")
    note.entries *= 12                                             # too wide to be next to the board
    chart.key = "board"
    full, low = ("\n".join(render_terminal([chart, note], Theme(), 40, "truecolor", True, high, 1)) for high in (40, 15))
    assert "castle" in full and "Captured" in full and "castle" not in low and "Captured" in low


def test_board_with_corners_always_has_lines():
    chart = make_board(13, 1)
    chart.has_parts = True
    chart.spots[0].parts = {".se": StyledText("oil lamp", "", "o")}
    assert render_lines(chart)[2].startswith("  └───o───┴")
    assert "─" not in "".join(render_lines(make_board(13, 1)))


def test_marks_are_drawn_in_their_cell():
    chart = make_board(2, 1, a1=make_cubes("red"))
    chart.spots[0].marks = [("Crowded", [StyledText("Crowded", "strong", "*")])]
    assert render_lines(chart)[1] == "1 │* r2│    │"


def test_full_cell_continues_in_the_next_line():
    chart = make_board(8, 1, c1=make_cubes("red", "blue", "green", "yellow"))
    lines = render_lines(chart, 50)
    assert [line.split("│")[3].split() for line in lines if "│" in line] == [["r2"], ["b3"], ["g4"]]
    assert render_lines(chart, 110)[1].split("│")[3].split() == ["r2", "b3", "g4", "y5"]


def test_contents_without_room_are_listed_below_the_board():
    chart = make_board(8, 1, c1=make_cubes("red", "blue", "green", "yellow"), d1=[StyledText("lighthouse")])
    lines = render_lines(chart, 40)
    assert "c1 + yellow 5" in lines and "d1 + lighthouse" in lines
    assert any("│li…" in line for line in lines) and any("|li+" in line for line in render_lines(chart, 40, utf=False))


@pytest.mark.parametrize("width", [20, 50])
def test_too_wide_board_is_listed_cell_by_cell(width):
    chart = make_board(19, 2, c1=make_cubes("red", "blue", "green", "yellow"))
    assert " ".join(" ".join(render_lines(chart, width)).split()) == "c1: Cubes: red 2, blue 3, green 4, yellow 5"
    chart.spots[4].contents = [("Cubes", [StyledText("red", "", "r")])]
    assert len(render_lines(chart, width)) == (1 if width == 20 else 3)


def test_changed_square_is_marked_with_and_without_colours():
    chart = make_board(2, 1, a1=make_cubes("red"))
    chart.spots[0].changed = chart.spots[1].changed = True
    assert render_lines(chart)[1] == "1 │r2!│  !│"
    assert "\x1b[7m" in "".join(render_terminal([chart], Theme(), 60, "truecolor"))
    assert "!" not in "".join(render_lines(chart, colour="truecolor"))


def test_a_board_loses_its_frame_if_it_fits_then():
    board = make_board(4, 4)
    framed = render_terminal([board], Theme(), 60, None, height=7)
    assert len(framed) == 7 and framed[0].startswith("╭")
    bare = render_terminal([board], Theme(), 60, None, height=5)
    assert bare == [line[1:-1].rstrip() for line in framed[1:-1]] and "a" in bare[-1]
