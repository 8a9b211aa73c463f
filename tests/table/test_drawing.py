"""Checks table drawings of a position of each game: in plain text, on terminals, and as a picture."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.engine.position.determinize import determinize_position
from ludoglot.engine.position.position import Game, Position
from ludoglot.engine.table_view.build_panels import build_panels
from ludoglot.engine.table_view.plain_renderer import render_table
from ludoglot.engine.table_view.rich_renderer import render_terminal
from ludoglot.engine.table_view.svg_renderer import render_svg
from ludoglot.engine.table_view.theme import NAMED_COLOURS, theme_of
from ludoglot.engine.table_view.view_model import BoardPanel
from rich.cells import cell_len
from rich.style import Style

from .test_display import narrator, play_randomly

GOLDEN_FOLDER = Path(__file__).parent / "drawn"
POSITIONS = [("dominant-species", 4, 120), ("evolution", 4, 130), ("trias", 4, 60), ("hex", 2, 30), ("connect-four", 2, 20),
             ("breakthrough", 2, 20), ("reversi", 2, 20), ("amazons", 2, 40), ("chess", 2, 30), ("english-draughts", 2, 40),
             ("international-draughts", 2, 40),
             ("lines-of-action", 2, 30), ("nine-mens-morris", 2, 30), ("kalah", 2, 20), ("oware", 2, 20), ("go", 2, 60),
             ("tic-tac-toe", 2, 4), ("yacht", 3, 60), ("hearts", 4, 42), ("liars-dice", 3, 20), ("brisca", 2, 9), ("scopa", 2, 9),
             ("backgammon", 2, 40), ("snapszer", 2, 9), ("cribbage", 2, 9)]
WIDTHS = (80, 100, 140)
LANGUAGES = ("en", "it", "es", "hu")


POSITION_CACHE: dict[tuple[str, int, int], Position] = {}                  # each game is played to its middle once for all tests


@pytest.fixture(params=POSITIONS, ids=lambda shown: shown[0])
def game_and_position(request, game):
    """Returns a game, and a position in its middle."""
    name, players, decisions = request.param
    if request.param not in POSITION_CACHE:
        POSITION_CACHE[request.param] = play_randomly(game(name, players), 3, decisions)
    return game(name, players), POSITION_CACHE[request.param].copy()


def render_screen(position, lang="en", width=100, seat=0, colour=None, utf=True):
    return render_terminal(build_panels(position, narrator(position.game, lang), seat), theme_of(position.game), width, colour, utf)


@pytest.mark.long_cases("dominant-species", "evolution", "cribbage")
def test_plain_text_in_every_language(game_and_position, recorded):
    played, position = game_and_position
    parts = [f"# {lang}\n\n" + "\n".join(render_table(position, narrator(played, lang), 0)) + "\n" for lang in LANGUAGES]
    recorded(GOLDEN_FOLDER / f"{played.ruleset.id}.txt", "\n".join(parts))


@pytest.mark.heavy_long
def test_terminals_of_three_widths(game_and_position, recorded):
    played, position = game_and_position
    parts = [f"# {width}\n\n" + "\n".join(render_screen(position, width=width)) + "\n" for width in WIDTHS]
    recorded(GOLDEN_FOLDER / f"{played.ruleset.id}.screen.txt", "\n".join(parts))


def test_colours(game_and_position, recorded):
    played, position = game_and_position
    Style._add.cache_clear()  # rich caches mixed styles for the first terminal
    recorded(GOLDEN_FOLDER / f"{played.ruleset.id}.ansi", "\n".join(render_screen(position, colour="truecolor")) + "\n")


@pytest.mark.long_cases(
    "yacht-40", "yacht-80", "yacht-100", "yacht-140", "hearts-40", "hearts-100", "snapszer-40", "cribbage-40", "cribbage-140",
)
@pytest.mark.heavy_long
@pytest.mark.parametrize("width", [40, 80, 100, 140])
def test_lines_fit_the_terminal(game_and_position, width):
    for lang in LANGUAGES:
        for line in render_screen(game_and_position[1], lang, width):
            assert cell_len(line) <= width, line


@pytest.mark.long
def test_too_high_board_is_drawn_without_cell_sides(game):
    played = game("trias", 4)
    position = play_randomly(played, 3, 109)
    panels = build_panels(position, narrator(played), 0)
    spots = panels[0].spots
    lines = [line.strip("│") for line in render_terminal(panels, theme_of(played), 80, None, height=30)]
    assert 0 < len(lines) <= 30 and "╲" not in "".join(lines)
    said = " ".join(lines).split()
    assert "l17 + Herds that cannot reproduce any more this turn 2" in [line.strip() for line in lines]
    assert all(spot.label in said for spot in spots)
    for spot in spots:                                             # the contents of a cell are below its label
        if spot.pieces:
            row = next(n for n, line in enumerate(lines) if spot.label in line.split())
            at = lines[row].split(spot.label)[0]
            below = lines[row + 1][max(0, len(at) - 3) : len(at) + 8]
            assert any(f"{piece.short}{piece.amount}" in below for piece in spot.pieces), (spot, below)
    assert "╲" in "".join(render_terminal(panels, theme_of(played), 80, None))


@pytest.mark.long_cases("dominant-species")
def test_terminal_without_utf_8_gets_only_ascii(game_and_position):
    assert all(ord(letter) < 128 for line in render_screen(game_and_position[1], utf=False) for letter in line)


@pytest.mark.long_cases("dominant-species")
def test_without_colour_there_are_no_escapes(game_and_position):
    _, position = game_and_position
    assert "\x1b" not in "".join(render_screen(position)) and "\x1b[" in "".join(render_screen(position, colour="truecolor"))


def test_the_picture_is_well_formed_and_has_every_label(game_and_position):
    played, position = game_and_position
    root = ET.fromstring(render_svg(position, narrator(played), 0))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    texts = {text.strip() for text in root.itertext()}
    for panel in build_panels(position, narrator(played), 0):
        if isinstance(panel, BoardPanel):
            drawn = [spot.label for spot in panel.spots if panel.is_simple or spot.ground or spot.contents or spot.marks]
            if panel.has_rim_labels:                               # labels of columns and rows are at the edge
                drawn = [part for label in drawn for part in (label[0], label[1:])]
            assert drawn and set(drawn) <= texts
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        assert 0 < float(text.attrib["x"]) < width and 0 < float(text.attrib["y"]) < height


@pytest.mark.long
def test_cells_have_the_labels_of_options(game):
    position = game("hex").start(1)
    decision = position.decision
    labels = {
        spot.label for panel in build_panels(position, narrator(game("hex")), 0) if isinstance(panel, BoardPanel) for spot in panel.spots
    }
    assert labels == {narrator(game("hex")).option_text(decision, option) for option in decision.options}


@pytest.mark.long
@pytest.mark.parametrize("name, players, decisions", POSITIONS[:3], ids=lambda value: str(value))
def test_indistinguishable_positions_are_drawn_alike(game, name, players, decisions):
    played = game(name, players)
    position = play_randomly(played, 5, decisions)
    seat = position.decision.seat
    twin = determinize_position(position, seat, random.Random(1))
    assert render_screen(position, seat=seat, colour="truecolor") == render_screen(twin, seat=seat, colour="truecolor")
    assert render_svg(position, narrator(played), seat) == render_svg(twin, narrator(played), seat)


def test_colours_have_the_names_of_the_schema():
    from ludoglot.dsl.yaml.schema import load_schema
    names, by_number = load_schema("table")["$defs"]["colour"]["anyOf"]
    assert names == {"enum": list(NAMED_COLOURS)} and by_number == {"pattern": "^#[0-9a-fA-F]{6}$"}


@pytest.mark.long
def test_def_without_a_value_leaves_its_cell_empty(tmp_path):
    """A def that divides by zero or reads an empty place does not break the drawing."""
    (tmp_path / "game.yaml").write_text("""
game: shares
name: Shares
players: 2
rules: [shares.rules]
enums: {Player: {name: keeper, members: {anna: {name: Anna}, bela: {name: Bela}}}}
""", encoding="utf-8")
    (tmp_path / "shares.rules").write_text("""
state coins[Player]: 0..9 = 3
state left: 0..9 = 4
def share(player) = 6 // coins[player]
def each = 8 // coins[anna]

phase game:
    rounds of player in Player until left == 0:
        choose n in 0..2 by player
        coins[player] -= n
        left -= 1

standing player: coins[player]
""", encoding="utf-8")
    (tmp_path / "table.yaml").write_text("panels: [{table: Player, columns: [coins, share]}, {counters: [left, each]}]\n", encoding="utf-8")
    played = Game(load_ruleset(tmp_path))
    position = played.start(1)
    assert render_table(position, narrator(played), None)[1:3] == ["Anna      3      2", "Bela      3      2"]
    for n in (2, 2, 1):
        position.play(position.decision.seat, f"n={n}")
    assert render_table(position, narrator(played), None) == [
        "      coins  share",
        "Anna      0      .",
        "Bela      1      6",
        "",
        "left: 1",
    ]
    assert render_screen(position)
