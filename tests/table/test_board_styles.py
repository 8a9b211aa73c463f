"""Checks square boards that look like their games: light and dark squares, crossing lines, pits, and symbols of pieces."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.game.table_config import check_table_config
from ludoglot.dsl.yaml.located_yaml import parse_yaml
from ludoglot.engine.table_view.build_panels import build_panels
from ludoglot.engine.table_view.canvas import StyleResolver
from ludoglot.engine.table_view.colours import MIN_SIGN_CONTRAST, contrast
from ludoglot.engine.table_view.option_markers import mark_targets
from ludoglot.engine.table_view.palette import TerminalPalette, terminal_colours
from ludoglot.engine.table_view.plain_renderer import render_plain
from ludoglot.engine.table_view.rich_renderer import render_terminal
from ludoglot.engine.table_view.surface import CHANGED_SQUARE, DARK_SQUARE, LIGHT_SQUARE
from ludoglot.engine.table_view.svg_renderer import render_svg
from ludoglot.engine.table_view.theme import NAMED_COLOURS, Theme, theme_of
from ludoglot.engine.table_view.view_model import BoardCell, BoardPanel, StyledText

from .test_display import narrator

SURFACES = (LIGHT_SQUARE, DARK_SQUARE, CHANGED_SQUARE)
THEME = Theme(colours={"Side": {name: name for name in NAMED_COLOURS}})
SVG_TEXT_TAG = "{http://www.w3.org/2000/svg}text"


def make_board(surface, wide, high, **held):
    spots = [BoardCell(f"{'abcdefghi'[x]}{y + 1}", (x, y)) for x in range(wide) for y in range(high)]
    for spot in spots:
        spot.contents = [("Men", [held[spot.label]])] if spot.label in held else []
    return BoardPanel("", "square", True, spots, surface=surface)


def make_piece(name, shape="", **more):
    return StyledText(name, f"Side.{name}", name[0], shape, **more)


def render_lines(panel, colour=None, utf=True):
    return [line[1:-1].rstrip() for line in render_terminal([panel], THEME, 60, colour, utf)[1:-1]]


def test_light_and_dark_squares_have_colours_instead_of_lines():
    panel = make_board("checkered", 2, 2, a1=make_piece("white", "♙"))
    assert render_lines(panel) == ["  ┌───┬───┐", "2 │   │   │", "  ├───┼───┤", "1 │ ♙ │   │", "  └───┴───┘", "    a   b"]
    for depth in ("truecolor", "256"):
        text = "".join(render_lines(panel, depth))
        assert "─" not in text and "♟" in text, "a white pawn must be a solid symbol in white"
    numbers = [{number for number, colour in terminal_colours("256").items() if colour == one} for one in (LIGHT_SQUARE, DARK_SQUARE)]
    assert all(f"48;5;{number}" in text for found in numbers for number in found) and all(numbers)
    assert "─" in "".join(render_lines(panel, "standard"))


@pytest.mark.parametrize("ground", SURFACES)
@pytest.mark.parametrize("size", ["truecolor", "256"])
def test_every_colour_can_be_read_on_every_surface(size, ground):
    few = TerminalPalette(THEME, "256") if size == "256" else None
    paint = StyleResolver(THEME, True, palette=few)
    for name in NAMED_COLOURS:
        ink = paint.style_on(make_piece(name), ground).color
        shown = ink.get_truecolor().hex
        assert contrast(shown, ground) >= MIN_SIGN_CONTRAST, (name, shown)
    white, black = (paint.style_on(make_piece(name), ground).color.get_truecolor().hex for name in ("white", "black"))
    assert contrast(white, "#ffffff") < 1.5 and contrast(black, "#000000") < 1.7, "white and black must not become grey"


def test_changed_square_has_its_own_colour():
    panel = make_board("checkered", 2, 1)
    before = render_lines(panel, "256")
    panel.spots[0].changed = True
    number = next(n for n, colour in terminal_colours("256").items() if colour == CHANGED_SQUARE)
    assert f"48;5;{number}" not in "".join(before) and f"48;5;{number}" in "".join(render_lines(panel, "256"))
    assert "!" in "".join(render_lines(panel))


def test_pieces_are_where_lines_cross():
    panel = make_board("lines", 3, 3, a1=make_piece("black", "●"), c3=make_piece("white", "○"))
    panel.spots[4].star = True
    assert render_lines(panel) == ["3  ┌─┬─○", "2  ├─╋─┤", "1  ●─┴─┘", "   a b c"]
    assert render_lines(panel, utf=False) == ["3  +-+-w", "2  +-#-+", "1  b-+-+", "   a b c"]
    panel.spots[0].changed = True
    assert render_lines(panel)[2] == "1  ●!┴─┘"
    for n, spot in enumerate(spot for spot in panel.spots if not spot.pieces):
        spot.target = str(n + 8)
    assert render_lines(panel) == ["3  9──12─○", "2  8──11─14", "1  ●!─10─13", "   a  b  c"]


def test_seeds_are_in_pits_between_the_stores():
    panel = make_board("pits", 2, 2, a1=StyledText("", amount=3), b2=StyledText("", amount=12))
    panel.stores = [(StyledText("North"), [StyledText("7")]), (StyledText("South"), [StyledText("20")])]
    panel.spots[0].target = "1"
    assert render_lines(panel) == [
        "  ╭───────┬───────┬───────┬───────╮",
        "2 │       │       │ ••••• │       │",
        "  │ North │       │   12  │ South │",
        "  │   7   ├───────┼───────┤   20  │",
        "1 │       │  •••  │       │       │",
        "  │       │[1]3   │       │       │",
        "  ╰───────┴───────┴───────┴───────╯",
        "              a       b",
    ]
    assert render_plain([panel], 60) == ["2  .  12", "1  3  .", "   a  b", "South: 20", "North: 7"]


def test_numbers_are_drawn_only_for_single_square_options(game):
    chess = game("chess")
    panels = build_panels(chess.start(1), narrator(chess), 0)
    mark_targets(panels, chess.model, {("Cell", 20): "7", ("Cell", 21): "4+"})
    assert "7" not in "".join(line.split(" ", 1)[-1] for line in render_lines(panels[0])[1:2]) and not panels[0].numbered
    assert panels[0].spots[20].target == "7", "a click there must still choose"
    mark_targets(panels, chess.model, {("Cell", 20): "55", ("Cell", 21): "44"})
    assert any("55" in line for line in render_lines(panels[0]))


@pytest.mark.parametrize("name", ["chess", "go", "kalah"])
def test_picture_has_labels_only_at_the_rim(game, name):
    played = game(name)
    root = ET.fromstring(render_svg(played.start(1), narrator(played), 0))
    texts = ["".join(text.itertext()) for text in root.iter(SVG_TEXT_TAG)]
    panel = next(panel for panel in build_panels(played.start(1), narrator(played), 0) if isinstance(panel, BoardPanel))
    columns = {spot.label[0] for spot in panel.spots}
    assert columns <= set(texts) and not {spot.label for spot in panel.spots} & set(texts)
    titles = {title.text.partition(":")[0] for title in root.iter("{http://www.w3.org/2000/svg}title")}
    assert {spot.label for spot in panel.spots} <= titles


def test_picture_draws_chess_pieces_as_symbols_and_stones_as_discs(game):
    chess, go = game("chess"), game("go")
    texts = [text.text or "" for text in ET.fromstring(render_svg(chess.start(1), narrator(chess), 0)).iter(SVG_TEXT_TAG)]
    assert sum("♟" in text for text in texts) == 16 and sum("♚" in text for text in texts) == 2
    position = go.start(1)
    before = render_svg(position, narrator(go), 0).count("piece")
    position.play(position.decision.seat, next(one for one in position.decision.options if "e5" in one.spelling))
    assert render_svg(position, narrator(go), 0).count("piece") == before + 1


def test_stars_are_cells_of_the_board(game):
    ruleset = game("go").ruleset
    findings = DiagnosticList()
    document = parse_yaml("panels: [{board: board, surface: lines, stars: {9: [c3, z9]}}]", "table.yaml", findings)
    check_table_config(document, ruleset, findings)
    assert [found.code for found in findings.items] == ["B004"]


def test_the_stores_of_a_game_are_at_the_ends_of_its_board(game):
    kalah = game("kalah")
    panels = build_panels(kalah.start(1), narrator(kalah), 0)
    lines = render_terminal(panels, theme_of(kalah), 80, None)
    assert any(line.replace("│", " ").split() == ["North", "4", "4", "4", "4", "4", "4", "South"] for line in lines)
