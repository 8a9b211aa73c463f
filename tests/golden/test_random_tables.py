"""Checks that for any table.yaml and any board, `check` has a finding or the table can be drawn."""

from __future__ import annotations

import copy
import json
import random
from functools import cache

import pytest
from ludoglot.dsl.cache import CACHE_ENV
from ludoglot.dsl.diagnostics.diagnostic import DiagnosticList
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.dsl.game.table_config import TABLE_FILE, check_table_config
from ludoglot.dsl.yaml.located_yaml import parse_yaml
from ludoglot.dsl.yaml.schema import load_schema, validate
from ludoglot.engine.i18n import game_localizer
from ludoglot.engine.narration.narrator import Narrator
from ludoglot.engine.position.position import Game
from ludoglot.engine.table_view.build_panels import build_panels
from ludoglot.engine.table_view.option_markers import are_all_options_on_boards, mark_targets
from ludoglot.engine.table_view.plain_renderer import render_plain
from ludoglot.engine.table_view.replay_frames import ReplayFrames
from ludoglot.engine.table_view.rich_renderer import render_terminal
from ludoglot.engine.table_view.theme import _themes, theme_of

SQUARES = {"shape": "square", "cells": "Cell", "columns": 3, "rows": 2}
HEXES = {"shape": "hex", "cells": "Cell", "columns": 3, "rows": 2}
BOARDS = {
    "squares": SQUARES, "squares with corners": {**SQUARES, "corners": "Corner"}, "slantwise": {**SQUARES, "near": "corners"},
    "one square": {**SQUARES, "columns": 1, "rows": 1}, "a row": {**SQUARES, "columns": 60, "rows": 1},
    "a column": {**SQUARES, "columns": 1, "rows": 60},
    "flat": HEXES, "flat with corners": {**HEXES, "corners": "Corner"}, "pointy": {**HEXES, "top": "pointy"},
    "pointy with corners": {**HEXES, "top": "pointy", "corners": "Corner"},
    "columns apart": {"shape": "hex", "cells": "Cell", "corners": "Corner", "columns": {"-4": "0..1", "0": "-1..1", "3": 2}},
    "graph": {"shape": "graph", "cells": "Cell",
              "points": {"inn": [1, 1], "mill": [3, 1], "ford": [2, 2]}, "lines": [["inn", "ford", "mill"]]},
    "points without lines": {"shape": "graph", "cells": "Cell", "points": {"inn": [1, 1], "mill": [60, 60]}, "lines": []},
    "open": {"shape": "hex", "cells": "Cell", "open": True, "names": {"middle": [0, 0]}},
    "open and pointy": {"shape": "hex", "top": "pointy", "cells": "Cell", "open": True, "names": {"middle": [500, -500]}},
    "none": None,
}
RULES = """
state coins[Player]: int
state held[Player]: list of Gem seen by player
state row: list of Gem
state day: 0..9
state shut: bool
state bag_of_gems: bag of Gem
state lead: Player?
state paid[Player, Gem]: 0..9
state gems[Gem]: set of Player
state pile_of_cards: pile of Card
state at_home[Card]: Player?
def rich(player) = coins[player] > 2
def many = size(row)
def alike(gem) = set(other in Gem where other.price == gem.price)
phase game:
    for player in Player:
        coins[player] = 12
        held[player] = [ruby, opal]
    row = [opal, opal, ruby]
    bag_of_gems[ruby] = 3
    lead = first(player in Player)
    gems[opal] = set(player in Player)
    shut = true
    {more}
    for player in Player, gem in Gem:
        paid[player, gem] = 1
    for card in Card:
        at_home[card] = lead
    for player in Player:
        choose gem in Gem by player
        day = day + 1
standing player: coins[player]
"""
CELLS = """
state pebble[Cell]: Player?
state height[Cell]: 0..9
state heap[Cell]: bag of Gem
state lit[Cell]: bool
state seat_at[Player]: Cell?
state owned[Player, Cell]: 0..3
state field: set of Cell
def beside(cell) = near(cell)
def high(cell) = height[cell] > 0
"""
CORNERS = "state knob[Corner]: Player?\n"
ASSIGNMENTS = {"cells": """for cell in {cells}:
        pebble[cell] = lead
        height[cell] = 3
        heap[cell][ruby] = 2
        lit[cell] = true
        for player in Player: owned[player, cell] = 1""", "corners": """
    for corner in Corner:
        knob[corner] = lead"""}
NAMES = ["coins", "held", "row", "day", "shut", "bag_of_gems", "lead", "paid", "gems", "pile_of_cards", "at_home", "rich", "many", "alike",
         "price", "colour", "likes", "pebble", "height", "heap", "lit", "seat_at", "owned", "field", "beside", "high", "knob", "coins/day",
         "price + likes", "no_such_value"]
TYPES = ["Player", "Gem", "Card", "Colour", "Cell", "Corner", "Direction", "Option", "NoSuchType"]
BOARD_NAMES = ["beach", "Cell", "Corner", "Direction", "pebble", "height", "heap", "lit", "seat_at", "owned", "field", "beside", "high",
             "knob"]
WRONG_VALUES = [None, True, 0, -1, 10**17, "", "x", "ß / x", [], [None], [[]], {}, {"": 1}, {"of": "coins"}, [["coins"]], "coins" * 40]


def game_yaml(board: dict | None) -> dict:
    return {"game": "toy", "name": "Toy", "players": "2..3", "rules": ["toy.rules"],
            "enums": {"Colour": ["red", "blue"], "Gem": {
                "attributes": {"price": "int", "colour": "Colour", "likes": "set of Colour"},
                "defaults": {"likes": ["red"]},
                "members": {"ruby": {"name": "ruby", "price": 3, "colour": "red"},
                            "opal": {"name": "opal", "price": 1, "colour": "blue"}}}},
            "pieces": {"Card": {"copies": {"small": {"n": 2}, "large": {"n": 1}}}},
            **({"boards": {"beach": board}} if board else {})}


@pytest.fixture(scope="module", params=BOARDS)
def game(request, tmp_path_factory) -> Game:
    """Returns a game for each shape of board, with some members and values to draw."""
    board = BOARDS[request.param]
    folder = tmp_path_factory.mktemp("toy")
    cells = "" if board is None else "{middle}" if board.get("open") else "Cell"
    more = ASSIGNMENTS["cells"].replace("{cells}", cells) if board else ""
    states = CELLS if board else ""
    if board and board.get("open"):                                # bags are not possible there
        states, more = ("\n".join(line for line in text.split("\n") if "heap[" not in line) for text in (states, more))
    more += ASSIGNMENTS["corners"] if board and "corners" in board else ""
    (folder / "toy.rules").write_text(states + (CORNERS if board and "corners" in board else "")
                                      + RULES.replace("{more}", more), encoding="utf-8")
    (folder / "game.yaml").write_text(json.dumps(game_yaml(board)), encoding="utf-8")
    return Game(load_ruleset(folder, 2))


def list_candidates(node: dict, rng: random.Random) -> list:
    """Returns values with a valid form for a place of the schema, with valid and invalid names."""
    reference = node.get("$ref", "").rpartition("/")[2]
    if reference in ("value",):
        return NAMES
    if reference == "values":
        return [[name] for name in NAMES] + [rng.sample(NAMES, 3)]
    if reference == "columns":
        return [[name] for name in NAMES] + [[rng.sample(NAMES, 2)], [{"of": "gems", "told": ["price"]}],
                                             [{"of": "row", "name": "x", "told": NAMES}]]
    if reference == "questions":
        return [["game"], ["game.gem"], ["no_such_phase"], [""]]
    if reference == "name":
        return ["caption"]
    if reference == "lines":
        return [["event.chance"], ["did.game.gem"], ["did.game.gem[ruby]"], ["became.coins"], ["event.x[y]"], ["did.]["]]
    return node.get("enum") or [*TYPES, "beach", "no_such_board"]


@cache
def generate_tables(many: int, seed: int) -> list[dict]:
    """Returns tables with each value of each key, then random tables with several keys."""
    rng = random.Random(seed)
    given, found = load_schema("table"), []
    kinds = [part["required"][0] for part in given["$defs"]["panel"]["anyOf"]]
    usual: dict[str, dict] = {
        "board": {"board": "beach", "pieces": ["pebble"]}, "track": {"track": "row"}, "cards": {"cards": ["row"]},
        "table": {"table": "Player", "columns": ["coins"]}, "groups": {"groups": "Gem", "by": "colour", "pieces": ["gems"]},
        "regions": {"regions": "alike", "columns": ["price"]}, "hand": {"hand": "held"},
        "stacks": {"stacks": "Gem", "pieces": "gems"}, "dice": {"dice": ["day"]}, "counters": {"counters": ["coins", "day"]}}
    for kind in kinds:
        for key, node in given["$defs"][kind]["properties"].items():
            found += [{"panels": [{**usual[kind], key: value}]} for value in [*list_candidates(node, rng), *WRONG_VALUES]]
    panels = [usual[kind] for kind in kinds if kind != "board"]
    names = {"colours": ["red", "#123456", "reed", "#12"], "shapes": ["♔", "ab", ""]}
    for section, values in names.items():
        found += [{section: {kind: {member: value}}, "panels": panels} for kind in TYPES for value in values
                  for member in ("player_1", "player_3", "player_9", "ruby", "small", "small_1", "a1", "0,0")]
    found += [{"grounds": {kind: {"ruby": "#123456", "small": value}}, "panels": panels} for kind in TYPES for value in ("red", "x")]
    for section in ("inspect", "potential", "faces"):
        found += [{section: {kind: [name]}, "panels": panels} for kind in TYPES for name in NAMES]
    found += [{"watch": [name], "panels": panels} for name in NAMES] + [{"status": [name], "panels": panels} for name in NAMES]
    found += [{"watch": [{"of": name, "questions": ["game"]}], "panels": panels} for name in NAMES]
    found += [{"log": {size: value}, "panels": panels} for size in ("major", "minor") for value in list_candidates({"$ref": "lines"}, rng)]
    found += [{key: value, "panels": panels} for key in [*given["properties"], "no_such_key"] for value in WRONG_VALUES]
    for _ in range(many):
        kind = rng.choice(kinds)
        properties = given["$defs"][kind]["properties"]
        panel = copy.deepcopy(usual[kind])
        for key in rng.sample(sorted(properties), rng.randint(1, min(5, len(properties)))):
            panel[key] = rng.choice(list_candidates(properties[key], rng))
        found.append({"panels": [panel, rng.choice(panels)]})
    return found


def draw_all(game: Game, seats: tuple[int | None, ...]) -> None:
    """Draws a game's table in every way, with and without move numbers in the cells."""
    position = game.start(1)
    position.play(0, 0)
    look, narrator = theme_of(game), Narrator(game, game_localizer("en", game.ruleset.id, game.ruleset.folder, {}), None)
    targets = {(enum.name, n): str(n + 1) for enum in game.model.enums.values() if enum.kind in ("cells", "corners")
               for n in range(len(enum))}
    for seat in seats:
        panels = build_panels(position, narrator, seat)
        render_plain(panels, 80)
        film = ReplayFrames(narrator, seat)
        film.add(position)
        film.finish()
        mark_targets(panels, game.model, targets)
        are_all_options_on_boards(panels, targets)
        for width, high, utf in ((140, 45, True), (20, 0, False))[: len(seats)]:
            render_terminal(panels, look, width, "truecolor" if utf else None, utf, high)


def depends_on_board(table: dict) -> bool:
    """Whether a table uses a name that depends on the board. All other tables mean the same in each of these games."""
    return any(f'"{name}"' in json.dumps(table) for name in BOARD_NAMES)


@cache
def fits_schema(text: str) -> bool:
    """Whether a table fits the schema, which is the same for every board. Checks that findings have a place in the file."""
    findings = DiagnosticList()
    document = parse_yaml(text, TABLE_FILE, findings)
    fits = document is not None and validate(document, "table", findings)
    assert all(one.place.path == TABLE_FILE and one.place.line for one in findings.items) and fits != bool(findings.items)
    return fits


def is_drawn(game: Game, table: dict, seats: tuple[int | None, ...] = (0, None)) -> bool:
    """Whether a table has no findings. Draws it in this case. Checks that findings have a place in the file."""
    text = json.dumps(table)
    if not fits_schema(text):
        return False
    findings = DiagnosticList()
    check_table_config(parse_yaml(text, TABLE_FILE, findings), game.ruleset, findings)
    assert all(one.place.path == TABLE_FILE and one.place.line for one in findings.items)
    if findings.items:
        return False
    (game.ruleset.folder / TABLE_FILE).write_text(json.dumps(table), encoding="utf-8")
    _themes.pop(game, None)
    draw_all(game, seats)
    return True


@pytest.fixture(autouse=True)
def without_cache(monkeypatch):
    """Stores no results for the generated tables. They would replace those of the shipped files."""
    monkeypatch.setenv(CACHE_ENV, "off")


@pytest.mark.long
def test_each_value_of_each_key_of_a_board(game):
    boards = [table for table in generate_tables(0, 1) if str(table["panels"]).startswith("[{'board'")]
    drawn = [is_drawn(game, table, (0,)) for table in boards]
    assert any(drawn) == bool(game.model.boards) and not all(drawn)


@pytest.mark.long
def test_each_value_of_each_key(game, request):
    is_first = request.node.callspec.params["game"] == next(iter(BOARDS))
    drawn = [is_drawn(game, table) for table in generate_tables(0, 1) if is_first or depends_on_board(table)]
    assert (20 if game.model.boards else -1) < sum(drawn) < len(drawn)


@pytest.mark.long
def test_many_keys_at_once(game, request):
    is_first = request.node.callspec.params["game"] == next(iter(BOARDS))
    for table in generate_tables(2000, 2)[-2000:]:
        if is_first or depends_on_board(table):
            is_drawn(game, table)
