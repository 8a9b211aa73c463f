"""Finds out what house rules are about: members of the game that they name, and choices that they add."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from ...dsl.analysis.decision_points import find_decision_points
from ...dsl.core.nodes import Const
from ...dsl.core.walk import walk
from ...dsl.types.types import MemberOf
from ..position.position import Game
from .playout import GameResult


def named_members(game: Game) -> set[str]:
    """Returns the members that the packs of a game name in their data or rules, as `Domain.member`."""
    return {f"{domain}.{member}" for domain, member in (*_members_in_data(game), *_members_in_rules(game))}


def _members_in_data(game: Game) -> Iterator[tuple[str, str]]:
    """Yields the members whose data the packs set or that they add. Their names and texts do not count."""
    overlay, enums = game.ruleset.source.overlay, game.model.enums
    for change in overlay.changes if overlay is not None else ():
        domain, _, rest = change.name.partition(".")
        member, _, value = rest.partition(".")
        if change.kind in ("set", "add") and domain in enums and member in enums[domain].first_index and value not in ("name", "text"):
            yield domain, member


def _members_in_rules(game: Game) -> Iterator[tuple[str, str]]:
    """Yields the members that rule lines of the packs name."""
    overlay, enums = game.ruleset.source.overlay, game.model.enums
    for routine in game.ruleset.program.routines if overlay is not None else ():
        for node in walk(routine.parts):
            if isinstance(node, Const) and isinstance(node.type, MemberOf) and overlay is not None:
                enum = enums.get(node.type.name)
                if enum is not None and node.value < len(enum.members) and overlay.find_pack_of_file(node.at.path) is not None:
                    yield enum.name, enum.members[node.value]


def subject_measures(game: Game, roles: list[tuple[str, str]]) -> list[str]:
    """Returns the measures of players whose seat or role the packs name, as `seat.1` or `role.keeper.bird`.

    `roles` are the roles of the game, as pairs of state and member."""
    named = named_members(game)
    seats = [f"seat.{seat}" for seat, name in enumerate(game.model.enums["Player"].members[: game.players]) if f"Player.{name}" in named]
    return [*seats, *(f"role.{state}.{member}" for state, member in roles if f"{game.cells[state].enums[0].name}.{member}" in named)]


def added_choices(game: Game, base: Game) -> list[str]:
    """Returns the keys of the menu entries that players can choose in `game` and not in `base` (see `chosen_things`)."""
    known = set(menu_entries(base))
    return [entry for entry in menu_entries(game) if entry not in known]


def menu_entries(game: Game) -> list[str]:
    """Returns the keys of all menu entries of a game."""
    return [f"{decision.key}.{entry}" for decision in find_decision_points(game.ruleset.program, game.ruleset.facts)
            for entry in decision.entries]


def count_choices(game: Game, base: Game, games: Sequence[GameResult]) -> dict[str, float]:
    """Returns how often players chose each thing that packs add or name, on average per finished game.

    Menu entries that nobody chose are included, and members that stand for players are not."""
    ended = [played for played in games if played.has_ended]
    owned = {game.cells[state].enums[0].name for state in {state for played in ended for state in played.roles}}
    seen = {thing for played in ended for thing in played.chosen if thing.partition(".")[0] not in owned}
    things = [*added_choices(game, base), *sorted(named_members(game) & seen)]
    return {thing: fmean(sum(played.chosen.get(thing, ())) for played in ended) for thing in things} if ended else {}
