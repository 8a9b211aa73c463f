"""What one seat may see of a match, for programs and for bots."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from .observation import observe_position
from .option import Option, to_public_options

if TYPE_CHECKING:
    from .match import Match


class View(dict[str, Any]):
    """What one seat may see of a match at one moment: a dictionary of JSON data, with a few conveniences.

    | key | content |
    |---|---|
    | `round` | number of rounds that have begun |
    | `seat`, `decision` | the seat that decides, and the key of the decision; None when the game is over |
    | `options` | spellings of the options; None if this seat may not see them |
    | `sight` | names in scope at the decision, such as a card that was chosen a moment ago |
    | `states` | states of the rules by name, then by the members of their axes; hidden values are `{"hidden": count}` |

    `viewer` is the seat that sees this (None: a spectator). `rng` is a random generator for the viewer's own use.
    A bot that draws from it plays the same match again with the same seed.

        view = match.view(0)
        view["states"]["hand"]["player_1"]       # the cards in the hand of seat 0
        view["states"]["hand"]["player_2"]       # {"hidden": 13}"""

    def __init__(self, match: Match, viewer: int | None, rng: random.Random) -> None:
        super().__init__(observe_position(match.position, viewer))
        self.viewer, self.rng, self._match = viewer, rng, match

    @property
    def options(self) -> list[Option]:
        """The legal options with their values. Empty if the viewer may not see them, or when the game is over."""
        return to_public_options(self._match.position) if self["options"] else []

    def sample(self, seed: int = 0) -> Match:
        """Returns a match that looks the same to the viewer, with everything hidden drawn at random.

        Arguments:
            seed: Another seed draws other hidden values (default: 0).

        Raises:
            ApiError: The viewer is a spectator, or the decision belongs to another seat and is private.

        Example: the win share of an option in 20 imagined games.

            wins = 0
            for seed in range(20):
                world = view.sample(seed)
                world.play(option)
                while not world.over:
                    world.play(world.bot("random"))
                wins += world.standing[0].seat == view.viewer"""
        return self._match.sample(self.viewer, seed)

    def __repr__(self) -> str:
        who = "a spectator" if self.viewer is None else f"seat {self.viewer}"
        return f"<View of {self._match.loaded.game.ruleset.id} for {who}: {describe_decision(self)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Returns how pickle stores a view: as a plain dictionary, which leads to nothing hidden."""
        return dict, (dict(self),)


def describe_decision(view: dict[str, Any]) -> str:
    """Returns who decides what, for `repr`."""
    if view["seat"] is None:
        return "over"
    options = view["options"]
    number = "hidden options" if options is None else f"{len(options)} option{'s' * (len(options) != 1)}"
    return f"seat {view['seat']} decides {view['decision']}, {number}"
