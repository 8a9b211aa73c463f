"""Checks the colours of a table: everybody can read and distinguish them on dark and light terminals, and in pictures."""

from __future__ import annotations

from functools import partial
from itertools import combinations, product
from pathlib import Path

import pytest
import yaml
from ludoglot.engine.table_view.canvas import INK_ON_COLOUR, StyleResolver, darken, readable_colour
from ludoglot.engine.table_view.colours import MIN_SIGN_CONTRAST, VISIONS, colour_distance, contrast
from ludoglot.engine.table_view.html_page import DARK_PAPER, LIGHT_PAPER, ground_colour
from ludoglot.engine.table_view.palette import TerminalPalette, terminal_colours
from ludoglot.engine.table_view.theme import NAMED_COLOURS, SEAT_COLOURS, Theme, theme_of
from ludoglot.engine.table_view.view_model import StyledText
from rich.color import Color, ColorSystem

RULES = Path(__file__).parents[2] / "rules"
MIN_DISTANCE = 10.0                  # hundredths in Oklab: clearly different colours
MIN_DISTANCE_COLOUR_BLIND = 6.0      # for people with colour blindness
MIN_GROUND_DISTANCE = 4.0            # backgrounds are pale or dark, and each has letters as well
MIN_TEXT_CONTRAST = 4.5              # contrast of small text
# Types of the backgrounds, and of the pieces on the map.
MAP_TYPES = {"dominant-species": ("Terrain", ["Animal", "Element"]), "trias": ("Land", ["Player"]), "catan": ("Land", ["Player"])}


def read_declared_colours() -> dict[str, dict[str, dict[str, str]]]:
    """The colours of things, by game and type."""
    out = {}
    for path in sorted(RULES.glob("*/table.yaml")):
        given = yaml.safe_load(path.read_text(encoding="utf-8")).get("colours") or {}
        out[path.parent.name] = {kind: {str(name): NAMED_COLOURS.get(colour, colour) for name, colour in members.items()}
                                 for kind, members in given.items()}
        out[path.parent.name].setdefault("Player", {str(n): NAMED_COLOURS[name] for n, name in enumerate(SEAT_COLOURS[:6])})
    return out


def find_similar_colours(colours: set[str], needed: float, vision: str = "all") -> list[tuple[str, str]]:
    return [(one, two) for one, two in combinations(sorted(colours), 2) if colour_distance(one, two, vision) < needed]


DECLARED = read_declared_colours()
SAMPLE_COLOURS = {"#" + "".join(parts) for parts in product(["00", "80", "ff"], repeat=3)} | {"#777777"} | set(NAMED_COLOURS.values())
GROUND_TYPES = [(game, ground) for game, (ground, _) in MAP_TYPES.items()]
COLOURED_TYPES = [(game, kind) for game, kinds in DECLARED.items() for kind in kinds if (game, kind) not in GROUND_TYPES]


PIECE_COLOURS = {"terminal": lambda colour: readable_colour(colour, None), "picture": str}  # how pieces look
GROUND_COLOURS = {
    "terminal": darken, "dark picture": partial(ground_colour, DARK_PAPER), "light picture": partial(ground_colour, LIGHT_PAPER),
}


@pytest.mark.parametrize("behind", ["#000000", "#ffffff"])
def test_every_colour_can_be_read_on_dark_and_on_light_terminals(behind):
    contrasts = {colour: contrast(readable_colour(colour, None), behind) for colour in SAMPLE_COLOURS}
    assert {colour: value for colour, value in contrasts.items() if value < MIN_SIGN_CONTRAST} == {}


@pytest.mark.parametrize("place", PIECE_COLOURS)
@pytest.mark.parametrize("game, kind", COLOURED_TYPES, ids=[f"{game}.{kind}" for game, kind in COLOURED_TYPES])
def test_colours_of_a_type_are_distinguishable(game, kind, place):
    shown = {PIECE_COLOURS[place](colour) for colour in DECLARED[game][kind].values()}
    assert find_similar_colours(shown, MIN_DISTANCE) == []
    assert {vision: found for vision in VISIONS if (found := find_similar_colours(shown, MIN_DISTANCE_COLOUR_BLIND, vision))} == {}


@pytest.mark.parametrize("place", PIECE_COLOURS)
@pytest.mark.parametrize("game", MAP_TYPES)
def test_colours_on_one_map_are_distinguishable(game, place):
    lying = [PIECE_COLOURS[place](colour) for kind in MAP_TYPES[game][1] for colour in DECLARED[game][kind].values()]
    assert len(lying) == len(set(lying)) and find_similar_colours(set(lying), MIN_DISTANCE) == []


@pytest.mark.parametrize("place", GROUND_COLOURS)
@pytest.mark.parametrize("game", MAP_TYPES)
def test_grounds_are_distinguishable(game, place):
    grounds = [GROUND_COLOURS[place](colour) for colour in DECLARED[game][MAP_TYPES[game][0]].values()]
    assert len(grounds) == len(set(grounds))
    assert {vision: found for vision in VISIONS if (found := find_similar_colours(set(grounds), MIN_GROUND_DISTANCE, vision))} == {}


@pytest.mark.long
def test_text_is_readable_on_every_terminal_ground():
    grounds = {darken(colour) for colour in SAMPLE_COLOURS}
    assert {under: said for under in grounds if (said := contrast(INK_ON_COLOUR, under)) < MIN_TEXT_CONTRAST} == {}
    assert [
        (colour, under)
        for colour, under in product(SAMPLE_COLOURS, grounds)
        if contrast(readable_colour(colour, under), under) < MIN_SIGN_CONTRAST
    ] == []


@pytest.mark.parametrize("paper", [DARK_PAPER, LIGHT_PAPER], ids=["dark", "light"])
def test_land_is_distinguishable_from_the_sea(paper):
    """The herds of Trias swim on cells that have no background."""
    lands = {name: ground_colour(paper, colour) for name, colour in DECLARED["trias"]["Land"].items()}
    assert {
        name: vision
        for name, colour in lands.items()
        for vision in VISIONS
        if colour_distance(colour, paper["bare"], vision) < MIN_GROUND_DISTANCE
    } == {}


# ---------------------------------------------------------------- terminals with few colours


def make_palette(game: str, size: str) -> TerminalPalette:
    return TerminalPalette(make_theme(game), size)


def make_theme(game: str) -> Theme:
    """The colours of a game, with the backgrounds that it declares."""
    given = yaml.safe_load((RULES / game / "table.yaml").read_text(encoding="utf-8"))
    return Theme(colours=DECLARED[game], grounds=given.get("grounds") or {})


def terminal_colour(number: int, size: str) -> str:
    """Returns the colour of a number in rich, which must be the intended colour."""
    found = Color.parse(f"color({number})").get_truecolor().hex
    assert number < 16 or found == Color.parse(found).downgrade(ColorSystem.EIGHT_BIT).get_truecolor().hex == terminal_colours(size)[number]
    return found if number >= 16 else terminal_colours(size)[number]


@pytest.mark.parametrize("size", ["256", "standard"])
@pytest.mark.parametrize("game", MAP_TYPES)
def test_grounds_are_distinguishable_with_few_colours(game, size):
    few, kind = make_palette(game, size), MAP_TYPES[game][0]
    numbers = [few.ground_number(f"{kind}.{member}") for member in DECLARED[game][kind]]
    assert len(set(numbers)) == len(numbers)
    assert find_similar_colours({terminal_colour(number, size) for number in numbers}, MIN_GROUND_DISTANCE) == []
    assert [
        number
        for number in numbers
        if contrast(terminal_colours(size)[few.ink_number(number)], terminal_colours(size)[number]) < MIN_TEXT_CONTRAST
    ] == []


@pytest.mark.parametrize("game", MAP_TYPES)
@pytest.mark.parametrize("size", ["truecolor", "256"])
def test_declared_grounds_are_shown_and_readable(size, game):
    look, kind = make_theme(game), MAP_TYPES[game][0]
    few = TerminalPalette(look, "256") if size == "256" else None
    paint, shown = StyleResolver(look, True, palette=few), set()
    for terrain, declared in look.grounds[kind].items():
        ground = StyledText(terrain, f"{kind}.{terrain}")
        pieces = [StyledText(name, f"{one}.{name}") for one in MAP_TYPES[game][1] for name in look.colours[one]]
        plain = paint.style(StyledText("a1"), ground=ground)
        behind = plain.bgcolor.get_truecolor().hex
        shown.add(behind)
        assert colour_distance(behind, declared) < 13, (terrain, behind)
        assert contrast(plain.color.get_truecolor().hex, behind) >= MIN_TEXT_CONTRAST
        inks = {piece.text: paint.style(piece, ground=ground).color.get_truecolor().hex for piece in pieces}
        assert [name for name, ink in inks.items() if contrast(ink, behind) < MIN_SIGN_CONTRAST] == []
    assert len(shown) == len(look.grounds[kind])
    assert {vision: found for vision in VISIONS if (found := find_similar_colours(shown, MIN_GROUND_DISTANCE, vision))} == {}


def test_signs_keep_their_colours_on_a_terminal_with_256_colours():
    """Water is blue, meat red, and grass green, whatever colours animals and terrains have."""
    few = TerminalPalette(make_theme("dominant-species"), "256")
    shown = {name: terminal_colours("256")[few.text_number(f"Element.{name}")] for name in ("water", "meat", "grass")}
    parts = {name: [int(colour[n : n + 2], 16) for n in (1, 3, 5)] for name, colour in shown.items()}
    assert {name: one.index(max(one)) for name, one in parts.items()} == {"water": 2, "meat": 0, "grass": 1}


@pytest.mark.parametrize("game, kind", COLOURED_TYPES, ids=[f"{game}.{kind}" for game, kind in COLOURED_TYPES])
def test_colours_of_a_type_are_distinguishable_with_256_colours(game, kind):
    few = make_palette(game, "256")
    shown = {
        DECLARED[game][kind][member]: terminal_colour(few.text_number(f"{kind}.{member}"), "256")
        for member in few.theme.colours.get(kind, {})
    }
    assert len(set(shown.values())) == len(shown) and find_similar_colours(set(shown.values()), MIN_DISTANCE_COLOUR_BLIND) == []


@pytest.mark.long_cases("dominant-species")
@pytest.mark.parametrize("game", MAP_TYPES)
def test_pieces_are_distinguishable_on_every_ground(game):
    few, (ground, kinds) = make_palette(game, "256"), MAP_TYPES[game]
    for land in DECLARED[game][ground]:
        number = few.ground_number(f"{ground}.{land}")
        for kind in kinds:
            shown = [few.text_number(f"{kind}.{member}", number) for member in few.theme.colours.get(kind, {})]
            assert len(shown) == len(set(shown))


def test_sixteen_colours_are_enough_for_six_players():
    few = TerminalPalette(Theme(colours={"Player": {str(n): name for n, name in enumerate(SEAT_COLOURS[:6])}}), "standard")
    assert len({few.text_number(f"Player.{n}") for n in range(6)}) == 6


@pytest.mark.long_cases("trias-3", "evolution-3")
@pytest.mark.parametrize("name, players", [("dominant-species", 4), ("trias", 3), ("hearts", 4), ("chess", 2), ("evolution", 3)])
def test_a_player_has_one_colour(name, players, game):
    """If coloured things represent the players, the players have no other colours."""
    look = theme_of(game(name, players))
    owned = {"dominant-species": "Animal"}.get(name)
    assert bool(look.colours.get("Player")) == (owned is None)
    for kind in [owned] if owned else []:
        assert not set(look.colours[kind].values()) & set(look.colours.get("Player", {}).values())
