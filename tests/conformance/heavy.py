"""Compares Dominant Species with its referee: settings to play, the referee's set-up from the first position, and normal forms.

Also lists the choices and events that a fair sample of games should contain.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

from ludoglot.engine.position.position import Game, Position
from referee import components as printed
from referee.decision_protocol import DECLINE
from referee.dominant_species import Referee, dealing
from referee.earth import CORNERS
from referee.selfplay import STIRRING, choose_evenly, prefer_eventful_options
from shared_games import shared

from .duel import DisagreementError, duel

Settings = dict[str, str | bool]

# ---------------------------------------------------------------- settings

SINGLE_OPTIONS: list[Settings] = [{name: values[1]} for name, values in printed.OPTIONS.items()]
# Each option differs from its default in four rows of six, and no two options in the same four rows. So every two options occur in
# all four combinations, together with the default settings: two sets of four rows out of six always share a row.
OPTION_MIXES: list[Settings] = [
    {name: values[1] for (name, values), rows in zip(printed.OPTIONS.items(), combinations(range(6), 4)) if row in rows} for row in range(6)
]
SETTINGS: list[Settings] = [{}, *SINGLE_OPTIONS, *OPTION_MIXES]


def settings_for(players: int) -> Iterator[tuple[int, Settings]]:
    """Yields the settings that allow this number of players, with their index in SETTINGS."""
    for number, settings in enumerate(SETTINGS):
        if settings.get("animals_each") != "several" or players in printed.SEVERAL:
            yield number, settings
        elif settings not in SINGLE_OPTIONS:
            yield number, {name: value for name, value in settings.items() if name != "animals_each"}


def load_variant(rules: Path, players: int, settings: Settings) -> Game:
    return shared(rules / "dominant-species", players, settings)


# ---------------------------------------------------------------- expected in a sample

_ANIMALS, _ELEMENTS = printed.ANIMALS, printed.ELEMENTS
_MAX_COUNT = 5  # and more
# The distinct choices of a card. All tiles count as one choice, and so do all corners.
_CHOICES: dict[str, list[Any]] = {
    "aquatic.tile": ["tile"],
    "aquatic.element": _ELEMENTS,
    "aquatic.corner": ["corner"],
    "aquatic.n": list(range(5)),
    "biomass.victim": _ANIMALS,
    "blight.tile": ["tile"],
    "blight.kept": ["corner"],
    "catastrophe.tile": ["tile"],
    "catastrophe.survivor": _ANIMALS,
    "catastrophe.victim": _ANIMALS,
    "disease.element": _ELEMENTS,
    "evolution.victim": [*_ANIMALS, DECLINE],
    "evolution.tile": ["tile"],
    "fecundity.n": [0, 1],
    "fertile.tile": ["tile"],
    "habitat.element": _ELEMENTS,
    "habitat.corner": ["corner"],
    "hibernation.tile": ["tile", DECLINE],
    "hibernation.n": list(range(1, 6)),
    "ice_sheet.tile": ["tile", DECLINE],
    "immigrants.loss": ["lose_elements", "lose_pawn", "lose_placed_pawn", "thin_out"],
    "immigrants.element": _ELEMENTS,
    "instinct.space": list(printed.EYEBALLS),
    "mass_exodus.tile": ["tile"],
    "mass_exodus.target": ["tile"],
    "mass_exodus.n": list(range(1, _MAX_COUNT + 1)),
    "metamorphosis.given": _ELEMENTS,
    "metamorphosis.taken": _ELEMENTS,
    "predator.victim": _ANIMALS,
}
CARD_CHOICES = {f"{choice} {entry}" for choice, entries in _CHOICES.items() for entry in entries}
CARD_CHOICES |= {f"card {card}" for card in printed.CARDS}
EVENTS = {  # kinds of events
    "animals chosen",
    "first points",
    "an animal without first species",
    "pawn back on Initiative",
    "placed pawn lost, one at hand",
    "dead earth, game over",
    "dead earth, game goes on",
    "Ice Age",
    "lowest animals of a player tied",
    "players tied",
}
EVENTS |= {f"cubes asleep and awake: {card}" for card in STIRRING} | {f"Regression, {reply}" for reply in (*_ELEMENTS, DECLINE)}
EXPECTED_IN_SAMPLE = CARD_CHOICES | EVENTS


def card_choice(key: str, spelling: str) -> str | None:
    """Returns the entry of CARD_CHOICES for a move, or None if no card asks."""
    if not key.startswith("effect["):
        return None
    choice = key.removeprefix("effect[").replace("]", "")
    name, _, value = spelling.partition("=")
    if choice == "immigrants.loss":
        return f"{choice} {spelling.split()[0]}"
    if name in ("tile", "target") or value in CORNERS:
        return f"{choice} {'corner' if value in CORNERS else 'tile'}"
    if name == "space":
        return f"{choice} {value.rpartition('_')[0]}"
    if name == "n":
        return f"{choice} {min(int(value), _MAX_COUNT)}"
    return f"{choice} {value or name}"


# ---------------------------------------------------------------- both sides


def get_start(position: Position) -> dict[str, Any]:
    """Returns the random results of the set-up, in the form that the referee expects."""
    start = {
        "keeper": {animal: int(seat.split("_")[1]) - 1 for animal, seat in position["keeper"].items() if seat is not None},
        "stack": position["stack"],
        "open": position["open"],
        "deck": position["last_card"] + position["deck"],
        "market": position["market"],
        "tray": {action: tray for action, tray in position["tray"].items() if tray},
    }
    if position.game.ruleset.settings["first_earth"] == "random":
        start |= {name: {place: found for place, found in position[name].items() if found is not None} for name in ("terrain", "disc")}
    return start


def snapshot(position: Position) -> dict[str, Any]:
    """Returns the normal form of tests/referee/README.md."""
    playing = [animal for animal, seat in position["keeper"].items() if seat is not None]
    cubes, asleep = position["cubes"], position["asleep"]
    whose = {name: position[name] for name in ("pawns", "spare", "pool", "lost", "vp")}
    elements = position.game.model.enums["Element"].members
    bag = position["bag"]
    markers = position["marker"]
    return {
        **{name: {a: found[a] for a in playing} for name, found in whose.items()},
        "pawn": {space: animal for space, animal in position["pawn"].items() if animal is not None},
        "cubes": {a: {tile: n for tile, n in cubes[a].items() if n} for a in playing},
        "asleep": {a: {tile: n for tile, n in asleep[a].items() if n} for a in playing},
        "terrain": {tile: name for tile, name in position["terrain"].items() if name is not None},
        "disc": {corner: name for corner, name in position["disc"].items() if name is not None},
        "bag": {element: bag.get(element, 0) for element in elements},
        "tray": {action: tray for action, tray in position["tray"].items() if tray},
        "open": {stack: name for stack, name in position["open"].items() if name is not None},
        "stack": {stack: tiles for stack, tiles in position["stack"].items() if tiles},
        "deck": position["last_card"] + position["deck"],
        "market": sorted(position["market"]),
        "added": {a: bag for a, bag in position["added"].items() if bag and a in playing},
        "initiative": [animal for animal in markers.values() if animal is not None],
        "glaciers": position["glaciers"],
        "gone": sorted(position["gone"]),
        "last_turn": position["last_turn"],
    }


# ---------------------------------------------------------------- one game


def play(game: Game, seed: int, limit: int = 2500, found: Counter[str] | None = None) -> tuple[int, set[str], bool]:
    """Plays one game on both sides. Returns the number of decisions, the keys seen, and whether the game ended.

    Every fourth game chooses uniformly. `found` counts the entries of EXPECTED_IN_SAMPLE that occur.
    """
    found = Counter() if found is None else found
    rng = random.Random(seed)
    position = game.start(seed)
    settings: Settings = game.ruleset.settings
    dealt = _deal_animals(position, settings, rng, found) if settings["dealing"] == "choice" else None
    start = get_start(position)
    if dealt not in (None, start["keeper"]):
        raise DisagreementError(f"animals dealt: engine {start['keeper']}, referee {dealt}")
    drawn: list[str] = []

    def draw() -> str:
        if not drawn:
            raise DisagreementError("the referee asks for more chance than the engine")
        return drawn.pop(0)

    referee = Referee(start, draw, settings)
    choice = choose_evenly(rng) if seed % 4 == 0 else prefer_eventful_options(referee, rng)

    def choose(at: Position, decision: Any, rng: random.Random) -> Any:
        spelling = choice(decision.seat, decision.key, [option.spelling for option in decision.options])
        _count_events(decision, spelling, found)
        if decision.key == "leaving.n":
            found[f"cubes asleep and awake: {referee.gone[-1]}"] += 1
        return next(option for option in decision.options if option.spelling == spelling)

    if settings["first_earth"] == "random" and position["buried"] != referee.buried:
        raise DisagreementError(f"under the middle: engine {position['buried']}, referee {referee.buried}")
    found.update({"first points"} if any(referee.vp.values()) else [])
    found.update({"an animal without first species"} if not all(map(referee.occupied, referee.animals)) else [])
    count, keys = duel(position, referee, drawn, snapshot, rng, limit, choose)
    found.update(f"card {card}" for card in referee.gone)
    if not any(map(referee.occupied, referee.animals)):
        found["dead earth, game over" if position.over else "dead earth, game goes on"] += 1
    if position.over:
        _compare_ends(position, referee, found)
        if drawn:
            raise DisagreementError(f"chance the referee did not ask for: {drawn}")
    return count, keys | ({"deal_animals.animal"} if dealt else set()), position.over


def _deal_animals(position: Position, settings: Settings, rng: random.Random, found: Counter[str]) -> dict[str, int]:
    """Lets the players pick their animals, before there is a position to compare."""
    talk = dealing(position.game.players, settings)
    answer: Any = None
    while True:
        try:
            wanted = talk.send(answer)
        except StopIteration as dealt:
            keeper = dealt.value
            break
        decision = position.decision
        mine = decision and (decision.seat, decision.key, [option.spelling for option in decision.options])
        if mine != wanted:
            raise DisagreementError(f"dealing: engine {mine}, referee {wanted}")
        assert decision is not None
        answer = rng.choice(decision.options).spelling
        position.play(decision.seat, answer)
        found["animals chosen"] += 1
    while position.decision is not None and len(position.decision) == 1:
        position.play(position.decision.seat, position.decision.options[0].spelling)
    return keeper


def _count_events(decision: Any, spelling: str, found: Counter[str]) -> None:
    entry = card_choice(decision.key, spelling)
    if entry is not None:
        found[entry] += 1
    if decision.key == "section[regression].kept":
        found[f"Regression, {spelling.removeprefix('kept=')}"] += 1
    if decision.key == "perform[initiative].target" and spelling == "target=initiative_1":
        found["pawn back on Initiative"] += 1
    if spelling.startswith("lose_placed_pawn") and any(option.spelling == "lose_pawn" for option in decision.options):
        found["placed pawn lost, one at hand"] += 1


def compare_standings(position: Position, referee: Referee) -> None:
    mine = [(rank.seat, rank.values[0]) for rank in position.standing()]
    theirs = [(seat, referee.vp[referee.counting(seat)]) for seat in referee.standing()]
    if mine != theirs:
        raise DisagreementError(f"standing: engine {mine}, referee {theirs}")


def _compare_ends(position: Position, referee: Referee, found: Counter[str]) -> None:
    mine, theirs = snapshot(position), referee.snapshot()
    if mine != theirs:
        different = {key: (mine.get(key), theirs.get(key)) for key in {*mine, *theirs} if mine.get(key) != theirs.get(key)}
        raise DisagreementError(f"position at the end: engine, referee: {different}")
    compare_standings(position, referee)
    seats = referee.standing()
    points = [referee.vp[referee.counting(seat)] for seat in seats]
    own = [[referee.vp[animal] for animal in referee.animals if referee.keeper[animal] == seat] for seat in seats]
    found.update({"Ice Age"} if "ice_age" in referee.gone else [])
    found.update({"players tied"} if len(set(points)) < len(points) else [])
    found.update({"lowest animals of a player tied"} if any(totals.count(min(totals)) > 1 for totals in own) else [])
