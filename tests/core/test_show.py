"""Checks that the core as text shows everything that the rules mean, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any

import pytest
from language.random_rules import RandomRules
from language.toys import data_of
from ludoglot.dsl.core import nodes as n
from ludoglot.dsl.core.printer import format_program, format_routine
from ludoglot.dsl.core.program import Program, Routine
from ludoglot.dsl.core.walk import walk
from ludoglot.dsl.types.types import INT, ListOf

from .load_core import core_from_text

DATA = """
game: toy
name: Toy
players: 2..3
rules: [toy.rules]
numbers: {most: 3}
options:
  mood: {values: [calm, wild], default: calm}
enums:
  Player: [anna, bela, carla]
  Fruit: {attributes: {price: int}, members: {fig: {price: 2}, kiwi: {price: 4, stones: 1}}}
tables:
  prize: {values: [5, 3]}
boards:
  grid: {shape: square, cells: Cell, columns: 2, rows: 1}
start:
  store: {fig: 4}
"""
RULES = """
state store: bag of Fruit
state basket[Player]: bag of Fruit hidden
state points[Player]: 0..20 = 1
state turn: 0..9 per game
state eaten[Player]: set of Fruit

def dear(fruit) = fruit.price > most
def rich(player) where:
    points[player] > 1
    not any(other in Player where other != player and points[other] > 0: dear(fig))
def share[anna] = 2
def share[player: Player] = prize[1] if mood == wild else kiwi.stones

proc pick(player) by player:
    var_free()
    may choose:
        eat(fruit in Fruit) where dear(fruit): eaten[player] += {fruit}
        wait: stop
    otherwise: tell bored(player, since = turn)

proc var_free():
    let sum_up = 0
    sum_up += turn
    turn = min(9, sum_up)

phase game:
    rounds of player in clockwise(anna) where rich(player) until turn >= 3:
        choose up to 2 gift in Fruit where gift not in eaten[player] by player as gifts
        for fruit in gift as reached: eaten[player] += {fruit}
        pick(player)
        draw up to 1 from store to basket[player]
    choose cell in Cell by chance:
        points[anna] += share[anna]

always few: turn < 9
standing player: points[player], size(eaten[player])
"""


@pytest.fixture(scope="module")
def core_text() -> str:
    return format_program(core_from_text(DATA, RULES, 2)[0])


def test_the_text_shows_each_declaration(core_text):
    for line in (
        'number most = 3',
        'option mood = "calm"',
        'table prize from 1 = [5, 3] beyond: zero',
        '    price: int = [2, 4]',
        '    kiwi.stones = 1',
        'start store = {"fig": 4}',
        'state basket[player: Player]: bag of Fruit hidden',
        'state points[player: Player]: 0..20 = 1',
        'def dear(fruit: Fruit): bool = fruit.price > most',
        'def rich(player: Player): bool where:',
        '    not any(other: Player in Player where (other != player) and (points[other] > 0): dear(Fruit.fig))',
        'def share[Player.anna](): 2 = 2',
        'def share[player: Player](): 0..5 = prize[1] if (mood == MoodOption.wild) else Fruit.kiwi.stones',
        'proc pick(player: Player) by player:',
        '    may choose by player:',
        '        eat(fruit: Fruit in Fruit) where dear(fruit):',
        '            eaten[player] += {fruit}',
        '        wait():',
        '        tell bored(player = player, since = turn)',
        '    var sum_up: int = 0',
        '    resets turn',
        '    rounds of player: Player in clockwise(Player.anna) where rich(player) until turn >= 3:',
        '        choose up to 2 gift: Fruit in Fruit where (gift not in eaten[player]) by player as gifts giving gift: set of Fruit',
        '        for fruit: Fruit in gift as reached:',
        '        draw up to 1 from store to basket[player]',
        '    choose cell: Cell in Cell by chance:',
        'always few: turn < 9',
        'standing player: Player: points[player], size(eaten[player])',
    ):
        assert line in core_text.split("\n"), line


def test_the_text_omits_places_comments_and_clauses(core_text):
    spaced = RULES.replace("\nproc pick", "\n\n# one thing\n\nproc pick").replace("stop\n", "stop   # and no more\n")
    assert format_program(core_from_text(DATA, spaced, 2)[0]) == core_text
    cited = RULES.replace("turn = min(9, sum_up)", "turn = min(9, sum_up) @TOY-SUM-01").replace("phase game:", "phase game @TOY-SUM:")
    assert format_program(core_from_text(DATA, cited, 2)[0]) == core_text


@pytest.mark.parametrize(
    "old, new",
    [
        ("most: 3", "most: 4"),
        ("{price: 2}", "{price: 3}"),
        ("stones: 1", "stones: 2"),
        ("values: [5, 3]", "values: [5, 2]"),
        ("columns: 2", "columns: 3"),
        ("{fig: 4}", "{fig: 5}"),
        ("default: calm", "default: wild"),
    ],
)
def test_the_text_depends_on_the_data(core_text, old, new):
    assert old in DATA
    assert format_program(core_from_text(DATA.replace(old, new), RULES, 2)[0]) != core_text


def test_the_text_depends_on_the_number_of_players(core_text):
    assert format_program(core_from_text(DATA, RULES, 3)[0]) != core_text


# ---------------------------------------------------------------- every field of every node

# Fields that do not affect a game, or that follow from other fields.
IGNORED_FIELDS = {"at", "cites", "named", "bare", "type"}
DERIVED_FIELDS = {(n.Attribute, "domain")}                         # the type of the member
TYPED_LOCAL_FIELDS = {n.Let: "local", n.GeneratorBinding: "local", n.ChooseStmt: "result"}  # fields that show a local with its type


@cache
def load_programs() -> list[Program]:
    return [core_from_text(DATA, RULES, 2)[0], *(core_from_text(data_of("garden"), RandomRules(seed).text, 2)[0] for seed in range(40))]


def iter_other_values(node: n.Node, name: str) -> Iterator[Any]:
    """Yields other values for a field of a node."""
    value = getattr(node, name)
    strange = n.Const(node.at, INT, 987654)
    match value:
        case bool():
            if not (isinstance(node, n.MoveAmount) and node.value is None):    # "at most everything" does not exist
                yield not value
        case int():
            yield value + 1
        case str():
            yield value + "x"
        case ():
            pass
        case tuple():
            yield value[:-1]
            if isinstance(value[0], tuple) and isinstance(value[0][0], str):
                yield ((value[0][0] + "x", value[0][1]), *value[1:])
        case n.LocalVar():
            yield replace(value, name=value.name + "x")
            if TYPED_LOCAL_FIELDS.get(type(node)) == name:
                yield replace(value, type=ListOf(value.type))
            if isinstance(node, n.Let):
                yield replace(value, mutable=not value.mutable)
        case n.SeatDecider():
            yield n.ChanceDecider(node.at)
        case n.ChanceDecider():
            yield n.SeatDecider(node.at, strange)
        case n.Expr():
            yield strange
        case n.ChoiceCardinality():
            yield None
            yield replace(value, kind="up to" if value.kind != "up to" else "exactly")
        case n.MoveAmount():
            yield n.MoveAmount(node.at, None) if value.value is not None else n.MoveAmount(node.at, strange)
        case n.OtherwiseBranch():
            yield None


def replace_node(tree: Any, old: n.Node, new: n.Node) -> Any:
    """Returns the tree with one node replaced."""
    if tree is old:
        return new
    if isinstance(tree, tuple):
        found = tuple(replace_node(item, old, new) for item in tree)
        return tree if all(one is other for one, other in zip(found, tree)) else found
    if is_dataclass(tree) and isinstance(tree, n.Node | Routine):
        changed = {f.name: inner for f in fields(tree)
                   if (inner := replace_node(getattr(tree, f.name), old, new)) is not getattr(tree, f.name)}
        return replace(tree, **changed) if changed else tree
    return tree


KINDS = sorted(
    (kind for kind in vars(n).values() if isinstance(kind, type) and issubclass(kind, n.Node) and kind not in (n.Node, n.Expr, n.Stmt)),
    key=lambda kind: kind.__name__,
)


@pytest.mark.long_cases("Attribute", "Const", "CountOf", "Fold", "Let", "OrElse", "Store", "Swap")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_field_of_a_node_is_printed(kind):
    """Changes one field of one node, and checks that the text of its routine changes."""
    left = 40
    for program in load_programs():
        for routine in program.routines:
            for node in walk(*routine.parts):
                if type(node) is not kind or not left:
                    continue
                left -= 1
                before = format_routine(program, routine)
                for field in fields(node):
                    if field.name in IGNORED_FIELDS or (kind, field.name) in DERIVED_FIELDS:
                        continue
                    for other in iter_other_values(node, field.name):
                        changed = replace_node(routine, node, replace(node, **{field.name: other}))
                        assert changed is not routine
                        try:
                            after = format_routine(program, changed)
                        except (IndexError, KeyError):             # an unknown member, a choice without entries
                            continue
                        assert after != before, (field.name, other)
    assert left < 40, "no program has a node of this kind"
