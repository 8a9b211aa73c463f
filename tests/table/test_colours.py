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
DIFFERENT = 10.0                     # hundredths in Oklab: clearly different colours
ENOUGH = 6.0                         # for people with colour blindness
GROUNDS = 4.0                        # backgrounds are pale or dark, and each has letters as well
SMALL = 4.5                          # contrast of small text
MAPS = {"dominant-species": ("Terrain", ["Animal", "Element"]), "trias": ("Land", ["Player"])}     # backgrounds, and the pieces on the map


def declared() -> dict[str, dict[str, dict[str, str]]]:
    """The colours of things, by game and type."""
    out = {}
    for path in sorted(RULES.glob("*/table.yaml")):
        given = yaml.safe_load(path.read_text(encoding="utf-8")).get("colours") or {}
        out[path.parent.name] = {kind: {str(name): NAMED_COLOURS.get(colour, colour) for name, colour in members.items()}
                                 for kind, members in given.items()}
        out[path.parent.name].setdefault("Player", {str(n): NAMED_COLOURS[name] for n, name in enumerate(SEAT_COLOURS[:6])})
    return out


def alike(colours: set[str], needed: float, vision: str = "all") -> list[tuple[str, str]]:
    return [(one, two) for one, two in combinations(sorted(colours), 2) if colour_distance(one, two, vision) < needed]


DECLARED = declared()
ANY = {"#" + "".join(parts) for parts in product(["00", "80", "ff"], repeat=3)} | {"#777777"} | set(NAMED_COLOURS.values())
TYPES = [(game, kind) for game, kinds in DECLARED.items() for kind in kinds if (game, kind) not in [(g, t) for g, (t, _) in MAPS.items()]]


SHOWN = {"terminal": lambda colour: readable_colour(colour, None), "picture": str}      # how pieces look
GROUND = {"terminal": darken, "dark picture": partial(ground_colour, DARK_PAPER), "light picture": partial(ground_colour, LIGHT_PAPER)}


@pytest.mark.parametrize("behind", ["#000000", "#ffffff"])
def test_every_colour_can_be_read_on_dark_and_on_light_terminals(behind):
    assert {colour: said for colour in ANY if (said := contrast(readable_colour(colour, None), behind)) < MIN_SIGN_CONTRAST} == {}


@pytest.mark.parametrize("place", SHOWN)
@pytest.mark.parametrize("game, kind", TYPES, ids=[f"{game}.{kind}" for game, kind in TYPES])
def test_things_of_a_type_are_told_apart_by_everybody(game, kind, place):
    shown = {SHOWN[place](colour) for colour in DECLARED[game][kind].values()}
    assert alike(shown, DIFFERENT) == []
    assert {vision: found for vision in VISIONS if (found := alike(shown, ENOUGH, vision))} == {}


@pytest.mark.parametrize("place", SHOWN)
@pytest.mark.parametrize("game", MAPS)
def test_no_two_things_of_one_map_are_alike(game, place):
    lying = [SHOWN[place](colour) for kind in MAPS[game][1] for colour in DECLARED[game][kind].values()]
    assert len(lying) == len(set(lying)) and alike(set(lying), DIFFERENT) == []


@pytest.mark.parametrize("place", GROUND)
@pytest.mark.parametrize("game", MAPS)
def test_grounds_are_told_apart_by_everybody(game, place):
    grounds = [GROUND[place](colour) for colour in DECLARED[game][MAPS[game][0]].values()]
    assert len(grounds) == len(set(grounds))
    assert {vision: found for vision in VISIONS if (found := alike(set(grounds), GROUNDS, vision))} == {}


@pytest.mark.long
def test_every_ground_of_a_terminal_can_be_written_on():
    grounds = {darken(colour) for colour in ANY}
    assert {under: said for under in grounds if (said := contrast(INK_ON_COLOUR, under)) < SMALL} == {}
    assert [
        (colour, under) for colour, under in product(ANY, grounds) if contrast(readable_colour(colour, under), under) < MIN_SIGN_CONTRAST
    ] == []


@pytest.mark.parametrize("paper", [DARK_PAPER, LIGHT_PAPER], ids=["dark", "light"])
def test_land_is_told_from_the_open_sea(paper):
    """The herds of Trias swim on cells that have no background."""
    lands = {name: ground_colour(paper, colour) for name, colour in DECLARED["trias"]["Land"].items()}
    assert {
        name: vision for name, colour in lands.items() for vision in VISIONS if colour_distance(colour, paper["bare"], vision) < GROUNDS
    } == {}


# ---------------------------------------------------------------- terminals with few colours


def small(game: str, size: str) -> TerminalPalette:
    return TerminalPalette(theme(game), size)


def theme(game: str) -> Theme:
    """The colours of a game, with the backgrounds that it declares."""
    given = yaml.safe_load((RULES / game / "table.yaml").read_text(encoding="utf-8"))
    return Theme(colours=DECLARED[game], grounds=given.get("grounds") or {})


def on_terminal(number: int, size: str) -> str:
    """Returns the colour of a number in rich, which must be the intended colour."""
    found = Color.parse(f"color({number})").get_truecolor().hex
    assert number < 16 or found == Color.parse(found).downgrade(ColorSystem.EIGHT_BIT).get_truecolor().hex == terminal_colours(size)[number]
    return found if number >= 16 else terminal_colours(size)[number]


@pytest.mark.parametrize("size", ["256", "standard"])
@pytest.mark.parametrize("game", MAPS)
def test_grounds_are_told_apart_with_few_colours(game, size):
    few, kind = small(game, size), MAPS[game][0]
    numbers = [few.ground_number(f"{kind}.{member}") for member in DECLARED[game][kind]]
    assert len(set(numbers)) == len(numbers)
    assert alike({on_terminal(number, size) for number in numbers}, GROUNDS) == []
    assert [
        number for number in numbers if contrast(terminal_colours(size)[few.ink_number(number)], terminal_colours(size)[number]) < SMALL
    ] == []


@pytest.mark.parametrize("game", MAPS)
@pytest.mark.parametrize("size", ["truecolor", "256"])
def test_declared_grounds_are_shown_and_can_be_written_on(size, game):
    look, kind = theme(game), MAPS[game][0]
    few = TerminalPalette(look, "256") if size == "256" else None
    paint, shown = StyleResolver(look, True, palette=few), set()
    for terrain, declared in look.grounds[kind].items():
        ground = StyledText(terrain, f"{kind}.{terrain}")
        pieces = [StyledText(name, f"{one}.{name}") for one in MAPS[game][1] for name in look.colours[one]]
        plain = paint.style(StyledText("a1"), ground=ground)
        behind = plain.bgcolor.get_truecolor().hex
        shown.add(behind)
        assert colour_distance(behind, declared) < 13, (terrain, behind)
        assert contrast(plain.color.get_truecolor().hex, behind) >= SMALL
        inks = {piece.text: paint.style(piece, ground=ground).color.get_truecolor().hex for piece in pieces}
        assert [name for name, ink in inks.items() if contrast(ink, behind) < MIN_SIGN_CONTRAST] == []
    assert len(shown) == len(look.grounds[kind])
    assert {vision: found for vision in VISIONS if (found := alike(shown, GROUNDS, vision))} == {}


def test_signs_keep_their_colours_on_a_terminal_with_256_colours():
    """Water is blue, meat red, and grass green, whatever colours animals and terrains have."""
    few = TerminalPalette(theme("dominant-species"), "256")
    shown = {name: terminal_colours("256")[few.text_number(f"Element.{name}")] for name in ("water", "meat", "grass")}
    parts = {name: [int(colour[n : n + 2], 16) for n in (1, 3, 5)] for name, colour in shown.items()}
    assert {name: one.index(max(one)) for name, one in parts.items()} == {"water": 2, "meat": 0, "grass": 1}


@pytest.mark.parametrize("game, kind", TYPES, ids=[f"{game}.{kind}" for game, kind in TYPES])
def test_things_of_a_type_are_told_apart_with_256_colours(game, kind):
    few = small(game, "256")
    shown = {
        DECLARED[game][kind][member]: on_terminal(few.text_number(f"{kind}.{member}"), "256") for member in few.theme.colours.get(kind, {})
    }
    assert len(set(shown.values())) == len(shown) and alike(set(shown.values()), ENOUGH) == []


@pytest.mark.long_cases("dominant-species")
@pytest.mark.parametrize("game", MAPS)
def test_pieces_on_every_ground_are_told_apart_with_few_colours(game):
    few, (ground, kinds) = small(game, "256"), MAPS[game]
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
