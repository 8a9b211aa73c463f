"""Compares Evolution with its referee: normal form of positions, choices that make eventful games, and one game on both sides."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from ludoglot.engine.position.position import Game, Position
from referee.evolution import Referee

from .duel import DisagreementError, duel

# The default settings, each option alone with another value, and a few combinations.
SETTINGS: list[dict[str, str]] = [
    {},
    {"starter": "first_seat"},
    {"mimicry_limit": "each_round"},
    {"skipping": "whole_phase"},
    {"feeding_duty": "compulsory"},
    {"attack_and_fat": "both"},
    {"fat_use": "any_amount"},
    {"sleeping_victims": "spared"},
    {"parasite_pile": "layer"},
    {"destitute": "in_laps"},
    {"shared_points": "twice"},
    {"end": "at_once"},
    {"mimicry_limit": "each_round", "skipping": "whole_phase", "parasite_pile": "layer", "destitute": "in_laps", "fat_use": "any_amount"},
    {"starter": "first_seat", "shared_points": "twice", "parasite_pile": "layer", "end": "at_once", "feeding_duty": "compulsory",
     "attack_and_fat": "both", "sleeping_victims": "spared"},
]

# All kinds of moves (see `move_kind`). A fair sample of games should contain each of them.
MOVE_KINDS = {
    *(f"develop.card {word}" for word in ("animal", "trait", "decline")),
    *(f"go.go {word}" for word in ("take", "hunt", "burn", "rob", "graze", "sleep", "decline")),
    *(f"attack.reaction {word}" for word in ("run", "mimic", "drop_tail", "decline")),
    *(f"feed.link {word}" for word in ("red", "blue", "decline")),
    *("give.animal", "link.this", "link.other", "hunt.prey", "go.duty", "rob.victim", "scavenge.animal"),
}


def move_kind(key: str, spelling: str) -> str:
    if key == "feed.link":
        return f"{key} {spelling.rpartition('gift=')[2]}"
    word = spelling.split()[0]
    return key if "=" in word else f"{key} {word}"


def snapshot(position: Position) -> dict[str, Any]:
    """Returns the normal form, without empty, zero, false and none values."""
    form = {name: {seat: value for seat, value in position[name].items() if value} for name in ("hand", "discards", "herd")}
    for name in ("under", "printed", "owner", "shows", "one", "two", "food", "fat"):
        form[name] = dict(iter_card_values(position, name))
    for name in ("deck", "base", "first_player", "last_round"):
        form[name] = position[name]
    return {name: value for name, value in form.items() if value}


def iter_card_values(position: Position, name: str) -> Iterator[tuple[str, Any]]:
    """Yields the value of a state for each card. Only values that differ from the initial one are spelled, which is much faster than
    position[name].
    """
    cell = position.game.cells[name]
    nothing = position.game.module.initial[cell.base]
    raws = position.s[cell.base : cell.base + cell.count]
    for card, raw in zip(position.game.model.enums["Card"].members, raws):
        if raw != nothing and (value := position.to_names(cell.state.type, raw)):
            yield card, value


def choose_eventful_move(position: Position, decision: Any, rng: random.Random) -> Any:
    """Chooses at random, with a preference for large tables: animals first, then traits, and meals instead of skips.

    Every move stays possible.
    """
    options = decision.options
    if rng.random() < 0.2:
        return rng.choice(options)
    if decision.key == "develop.card":
        animals = sum(map(len, position["herd"].values()))
        few = animals < 3 * position.game.players
        wanted = "animal" if few and rng.random() < 0.5 else "trait"
        liked = [option for option in options if option.spelling.startswith(wanted)]
        rare = [o for o in liked if any(word in o.spelling for word in LINKING_TRAITS)]
        if rare and rng.random() < 0.4:
            return rng.choice(rare)
    elif decision.key == "go.go":
        word = rng.choice(("take", "take", "hunt", "hunt", "burn", "rob", "graze", "sleep"))
        liked = [option for option in options if option.spelling.startswith(word)]
    else:
        liked = []
    real = [option for option in options if not option.declines]
    return rng.choice(liked or real or options)


LINKING_TRAITS = ("trait=symbiosis", "trait=communication", "trait=cooperation", "trait=mimicry", "trait=tail_loss", "trait=running")


def play(game: Game, seed: int, sorts: set[str] | None = None, limit: int = 6000) -> tuple[int, set[str], bool]:
    """Plays one game on both sides. Returns the number of decisions, the keys seen, and whether the game ended.

    Adds the sorts of moves to `sorts`.
    """
    position = game.new_position(seed)
    drawn = [game.spell(told.slots[0][1], told.slots[0][2]) for told in position.run_to_decision() if told.key == "chance" and told.slots]

    def draw() -> str:
        if not drawn:
            raise DisagreementError("the referee asks for more chance than the engine")
        return drawn.pop(0)

    def choose(at: Position, decision: Any, rng: random.Random) -> Any:
        option = rng.choice(decision.options) if seed % 4 == 0 else choose_eventful_move(at, decision, rng)
        if sorts is not None:
            sorts.add(move_kind(decision.key, option.spelling))
        return option

    referee = Referee(game.players, game.ruleset.settings, draw)
    count, keys = duel(position, referee, drawn, snapshot, random.Random(seed), limit, choose)
    if position.over:
        assert not drawn, f"chance the referee did not ask for: {drawn}"
        assert snapshot(position) == referee.snapshot()
        mine = [(rank.seat, rank.values) for rank in position.standing()]
        theirs = [(seat, (referee.points(seat), referee.discards[seat].total())) for seat in referee.standing()]
        assert mine == theirs
    return count, keys, position.over
