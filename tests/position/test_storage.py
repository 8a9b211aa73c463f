"""A state holds the same value, whether rules, `start`, a scenario, or a save wrote it."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from language.interpreter_comparison import compare_with_interpreter
from ludoglot.dsl.diagnostics.diagnostic import RulesRejectedError
from ludoglot.dsl.game.ruleset import load_ruleset
from ludoglot.dsl.types.boards import OPEN_SPAN
from ludoglot.dsl.types.types import BOOL, BagOf, Int, ListOf, MemberOf, OptionalOf, PileOf, SetOf, Type
from ludoglot.engine.explain.refusal_finder import get_explain_form
from ludoglot.engine.position.position import Game, Position
from tmp_files import filled

GAME = """
game: land
name: Land
players: 2
rules: [land.rules]
enums:
  Player: {members: {anna: {}, bela: {}}}
  Colour: [red, white, blue]
boards:
  heath: {shape: hex, cells: Spot, open: true, names: {middle: [0, 0], ford: [2, -1]}}
  yard: {shape: square, columns: 3, rows: 3, cells: Cell, corners: Corner}
"""
END = """
phase game:
    choose spot in near(middle) by anna or stop

standing player: 0
"""


def make_land(folder, rules: str, start: dict[str, Any] | None = None) -> Game:
    return Game(load_ruleset(filled(folder, {"game.yaml": GAME + ("" if start is None else f"start: {json.dumps(start)}\n"),
                                      "land.rules": rules + ("" if "phase game" in rules else END)})))


def list_broken_invariants(game: Game, position: Position | None = None) -> list[str]:
    return (position or game.start()).broken_invariants()


# ------------------------------------------------------------ start


def test_start_can_put_open_cells_into_a_set(tmp_path):
    game = make_land(tmp_path, "state marks: set of Spot\nalways there: marks == {middle, ford} and size(near(middle) & marks) == 0\n",
                {"marks": ["middle", "ford"]})
    assert list_broken_invariants(game) == [] and game.start()["marks"] == ["0,0", "2,-1"]


def test_a_default_in_start_changes_nothing(tmp_path):
    game = make_land(tmp_path, "state many[Spot]: 0..9\nalways nothing: size(cells(many)) == 0\n", {"many": {"middle": 0}})
    other = make_land(tmp_path, "state many[Spot]: 0..9\nalways nothing: size(cells(many)) == 0\n")
    assert list_broken_invariants(game) == []
    assert game.start().canonical() == other.start().canonical() and game.fingerprint == other.fingerprint


def test_coordinates_name_a_cell_everywhere(tmp_path):
    rules = "state tile[Spot]: Colour?\nstate at: Spot?\nstate seen[Player]: list of Spot\nstate home: Spot\n"
    start = {"tile": {"0,0": "red", "-3,2": "blue"}, "at": "2,-1", "seen": {"anna": ["1,1", "ford"]}, "home": "middle"}
    position = make_land(tmp_path, rules, start).start()
    assert position["tile"] == {"0,0": "red", "-3,2": "blue"} and position["at"] == "2,-1"
    assert position["seen"] == {"anna": ["1,1", "2,-1"], "bela": []} and position["home"] == "0,0"


@pytest.mark.parametrize(("players", "owned"), [(2, 1), (3, 2)])
def test_an_absent_player_owns_nothing(tmp_path, players, owned):
    data = GAME.replace("players: 2\n", "players: 2..3\n").replace("bela: {}}", "bela: {}, carla: {}}") \
        .replace("boards:", '  Token: {attributes: {owner: "Player?"}, members: {a: {owner: bela}, b: {owner: carla}}}\nboards:')
    rules = f"always owned: count(token in Token where token.owner != none) == {owned}\n" + END
    game = Game(load_ruleset(filled(tmp_path, {"game.yaml": data, "land.rules": rules}), players=players))
    assert list_broken_invariants(game) == []


@pytest.mark.parametrize("written", ["0;0", "0,0,0", "600,0", "0,-513", "1_0,0", "x"])
def test_an_invalid_cell_is_reported(tmp_path, written):
    with pytest.raises(RulesRejectedError) as refused:
        make_land(tmp_path, "state tile[Spot]: Colour?\n", {"tile": {written: "red"}})
    assert [(d.code, d.args["name"]) for d in refused.value.findings.errors] == [("G015", written)]


def test_all_mistakes_in_start_are_reported_at_once(tmp_path):
    with pytest.raises(RulesRejectedError) as refused:
        make_land(tmp_path, "state marks: set of Cell\nstate tile[Cell]: Colour?\nstate n: 0..3\nstate b[Player]: bag of Colour\n",
             {"marks": ["a1", "z9", 7], "tile": {"a1": "rde"}, "n": 9, "b": {"anna": 3}, "m": 1})
    assert [d.code for d in refused.value.findings.in_source_order() if d.severity == "error"] == [
        "G015",
        "G015",
        "G015",
        "G014",
        "G024",
        "G023",
    ]


@pytest.mark.long
def test_an_unknown_edge_is_reported_with_the_valid_ones(tmp_path):
    with pytest.raises(RulesRejectedError) as refused:
        make_land(tmp_path, "state marks: set of Cell\n", {"marks": {"edge": "nort"}})
    (found,) = refused.value.findings.errors
    assert found.code == "G014" and found.args["found"] == "nort"
    assert dict(found.args["wanted"].details)["type"] == "south / north / west / east"


# ------------------------------------------------------------ one list of spellings

ALL_STATES = """
state marks: set of Cell
state posts: set of Corner
state spots: set of Spot
state sizes: set of 0..9
state path: list of Cell
state last: Cell?
state stock[Player]: bag of Colour
state lit[Cell]: bool
state tile[Spot]: Colour?
state low: 3..9
state loss: -5..5?
"""
LITERALS: list[dict[str, Any]] = [
    {"marks": ["a1", "b2", "a1"]}, {"marks": {"edge": "north"}}, {"posts": ["a1.ne", "b1.nw"]}, {"spots": ["middle", "0,0", "ford"]},
    {"sizes": [3, 1, 3]}, {"path": ["a1", "a1"]}, {"last": "none"}, {"last": None}, {"last": "c3"}, {"stock": {"anna": {"red": 2}}},
    {"stock": {"anna": ["red", "red", "blue"]}}, {"lit": {"a1": True, "c3": True, "b2": False}}, {"tile": {"ford": "red"}},
    {"low": 4}, {"loss": -1}, {"loss": "none"},
]


@pytest.mark.parametrize("written", LITERALS, ids=str)
def test_start_and_scenarios_read_literals_alike(tmp_path, written):
    begun = make_land(tmp_path, ALL_STATES, written).start()
    game = make_land(tmp_path, ALL_STATES)
    put = game.start()
    entries = game.literal_reader.read_literals(written)
    for entry in entries:
        entry.write_to(put.s)
    assert put.canonical() == begun.canonical()
    assert all(entry.read_from(put.s) == entry.raw for entry in entries)
    for name in written:
        game.cells[name].clear(put.s)
    assert put.canonical() == game.start().canonical()


def test_a_negative_number_is_not_none(tmp_path):
    game = make_land(tmp_path, ALL_STATES, {"loss": -1})
    position = game.start()
    assert position["loss"] == -1 and game.spell(OptionalOf(Int(-5, 5)), -1) == "-1"
    game.cells["loss"].clear(position.s)
    assert position["loss"] is None


# ------------------------------------------------------------ round trips of every type

TYPES: list[Type] = [
    Int(),
    Int(3, 9),
    Int(-9, -2),
    BOOL,
    MemberOf("Colour"),
    MemberOf("Spot"),
    MemberOf("Corner"),
    OptionalOf(MemberOf("Colour")),
    OptionalOf(Int(-2, 2)),
    OptionalOf(BOOL),
    SetOf(MemberOf("Cell")),
    SetOf(MemberOf("Spot")),
    SetOf(Int()),
    SetOf(ListOf(MemberOf("Cell"))),
    SetOf(SetOf(MemberOf("Spot"))),
    SetOf(ListOf(OptionalOf(Int(0, 1)))),
    ListOf(MemberOf("Spot")),
    ListOf(SetOf(MemberOf("Spot"))),
    ListOf(ListOf(OptionalOf(MemberOf("Cell")))),
    PileOf(MemberOf("Colour")),
    BagOf(MemberOf("Colour")),
]


def random_value(game: Game, found: Type, rng: random.Random) -> Any:
    """Returns a random raw value of a type."""
    codec = game.codec(found)
    if isinstance(found, Int):
        return rng.randint(-9 if found.low is None else found.low, 9 if found.high is None else found.high)
    if isinstance(found, MemberOf):
        enum = game.model.enum_of(found.name)
        return rng.randrange(len(enum)) if enum.kind != "open" else (rng.randint(500, 520)) * OPEN_SPAN + rng.randint(500, 520)
    if found == BOOL:
        return rng.getrandbits(1)
    return codec.pack(random_value(game, codec.inner.type, rng) for _ in range(rng.randint(0, 1 if isinstance(found, OptionalOf) else 4)))


@pytest.mark.long_cases("bag of Colour")
@pytest.mark.parametrize("found", TYPES, ids=str)
def test_each_type_survives_a_round_trip(tmp_path, found):
    game = make_land(tmp_path, ALL_STATES)
    codec, rng = game.codec(found), random.Random(5)
    for raw in [codec.default, *(random_value(game, found, rng) for _ in range(60))]:
        assert codec.fits(raw)
        assert codec.read(codec.write(raw), (), pytest.fail) == raw, "plain data"
        assert found in (Int(), Int(3, 9), Int(-9, -2), BOOL) or codec.inner is None or codec.pack(codec.parts(raw)) == raw
        assert codec.size(raw) in (None, len(codec.parts(raw)))


AXES = ["", "[Player]", "[Spot]", "[Player, Spot]", "[Spot, Player]", "[Cell, Colour]"]
KINDS: list[tuple[str, list[Any]]] = [
    ("list of Cell", [["a1", "b2"], []]), ("set of list of Cell", [[["a1", "b2"], ["b2"], []]]), ("set of Spot", [["ford", "1,1"], []]),
    ("set of set of Spot", [[["ford", "middle"], ["ford"], []]]), ("Colour?", ["red", None]), ("bool", [True, False]), ("0..9", [3, 0]),
]
STATES = [(kind, axes, values) for kind, values in KINDS for axes in AXES]
STATES += [("bag of Colour", axes, [{"red": 2}, {}]) for axes in AXES if "Spot" not in axes]               # R116 rejects the others


@pytest.mark.parametrize("kind, axes, values", STATES, ids=lambda v: v if isinstance(v, str) else "")
def test_each_layout_is_written_compared_and_saved(tmp_path, kind, axes, values):
    game = make_land(tmp_path, f"state held{axes}: {kind}\n")
    cell, rng = game.cells["held"], random.Random(3)
    position, other, wanted = game.start(), game.start(), {}
    for _ in range(12):
        index = [rng.choice([OPEN_SPAN * 513, 7]) if enum.kind == "open" else rng.randrange(len(enum)) for enum in cell.enums]
        wanted[tuple(index)] = cell.codec.read(rng.choice(values), (), pytest.fail)
        position.set_raw(cell, index, wanted[tuple(index)])
    for index in sorted(wanted, reverse=True):
        other.set_raw(cell, list(index), wanted[index])
    assert all(position.raw_at(cell, list(index)) == raw for index, raw in wanted.items())
    assert {tuple(index): raw for index, raw in cell.iter_values(position.s) if raw != cell.default} == {
        index: raw for index, raw in wanted.items() if raw != cell.default}
    again = Position.from_data(game, json.loads(json.dumps(position.to_data())))
    for same in (other, again, position.copy()):
        assert same == position and hash(same) == hash(position) and same.digest() == position.digest() and same["held"] == position["held"]
    cell.clear(position.s)
    assert cell.is_clear(position.s) and position == game.start()


def test_true_is_one_in_every_digest(tmp_path):
    game = make_land(tmp_path, "state wet[Spot]: bool\n")
    one, two = game.start(), game.start()
    one.set_raw(game.cells["wet"], [7], True)
    two.set_raw(game.cells["wet"], [7], 1)
    assert one == two and one.digest() == two.digest()


@pytest.mark.parametrize("value", ["x", -1, [1], {"set": [1]}, 1 << 9, None])
def test_a_save_with_an_invalid_value_is_rejected(tmp_path, value):
    game = make_land(tmp_path, "state marks: set of Cell\n")
    data = game.start().to_data()
    with pytest.raises(ValueError, match="damaged"):
        Position.from_data(game, {**data, "states": [value]})


# ------------------------------------------------------------ sets of lists

HISTORY = """
state history: set of list of Spot
state path: list of Spot
state turns: 0..
always ordered: turns < 2 or list(p in history: size(p)) == [0, 1, 2]

phase game:
    history += {path}
    choose a in near(middle) by anna or stop
    path = [a]
    if path not in history: history += {path}
    choose b in near(a) by bela or stop
    path += [b]
    history = history + {path} + {path}
    turns = 2
    for p in history: turns += size(p)
    choose c in near(b) by anna or stop

standing player: size(history) + count(p in history where size(p) > 1)
"""


def test_a_set_of_lists_is_iterated_in_order_and_saved(tmp_path):
    game = make_land(tmp_path, HISTORY)
    position = game.start()
    position.play(0, "a=0,-1")
    position.play(1, "b=0,0")
    assert position["history"] == [[], ["0,-1"], ["0,-1", "0,0"]] and position["turns"] == 5 and position.broken_invariants() == []
    assert Position.from_data(game, json.loads(json.dumps(position.to_data()))) == position
    assert [rank.values for rank in position.standing()] == [(4,), (4,)]


@pytest.mark.parametrize("kind, add, held", [
    ("set of set of Cell", "{{a1, b2}, near(a1)}", [["b1", "a2"], ["a1", "b2"]]), ("set of bool", "{true, size(Colour) == 3}", [True]),
    ("set of list of 0..9", "{[3, 1], [1, 3], [1]}", [[1], [1, 3], [3, 1]]),
    ("set of set of Spot", "{near(ford) & {ford}, {ford}}", [[], ["2,-1"]]),
])
def test_sets_can_have_any_element_type(tmp_path, kind, add, held):
    game = make_land(tmp_path, f"state held: {kind}\nphase game:\n    held += {add}\n    for x in held: held -= {{x}}\n    held += {add}\n"
                          f"    choose c in Cell by anna\nstanding player: size(held) + size(best(x in held: 1))\n")
    position = game.start()
    assert position["held"] == held and position.standing()[0].values == (2 * len(held),)


# ------------------------------------------------------------ brackets after a def

LIST_DEF = """
state n: 1..3
state out: Colour?
def line = list(colour in Colour)
def at_place(k: 0..9) = line[k]
always first: line[1] == red and (line)[2] == white and line[9] == none
always other: out == none or line[n] == out and (line)[n] == out and at_place(n) == out
always same: all(k in 1..3: line[k] == at_place(k)) and line[position(blue)] == blue

phase game:
    choose k in 1..3 by anna
    n = k
    out = line[k]
    choose j in 1..3 where line[j] == line[n] by bela or stop

standing player: 0
"""


def test_a_list_from_a_def_can_be_indexed(tmp_path):
    position = make_land(tmp_path, LIST_DEF).start()
    assert position.broken_invariants() == []
    position.play(0, "k=2")
    assert position["out"] == "white" and [option.spelling for option in position.decision.options] == ["j=2"]
    assert position.broken_invariants() == []


@pytest.mark.parametrize("rules", [HISTORY, LIST_DEF], ids=["history", "line"])
def test_all_compiled_forms_agree(tmp_path, rules):
    """The block form and the tree walker agree, and the game has an explain form."""
    game = make_land(tmp_path, rules)
    for seed in range(5):
        assert compare_with_interpreter(game, seed)[1] is None
    assert get_explain_form(game) is not None
