"""What a game's actions and positions are as numbers, or the sentence that says why they are none."""

from __future__ import annotations

from typing import Any

from ..position.options import Option
from ..position.position import Position
from .encoding import ActionEncoder, NotEncodableError, ObservationEncoder
from .errors import ApiError, engine_sentence
from .loading import Game


class GameEncodings:
    """The actions and the observer of a game. Raises ApiError where they cannot be declared."""

    def __init__(self, game: Game) -> None:
        self.game, self.lang = game, game.lang
        try:
            self.actions, self.observer = ActionEncoder(game.loaded.game), ObservationEncoder(game.loaded.game)
        except NotEncodableError as error:
            raise ApiError(engine_sentence(game.lang, error.key, game=game.title(), **error.args_)) from None

    def __deepcopy__(self, memo: dict[int, Any]) -> GameEncodings:
        """The tables themselves: they never change."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return GameEncodings, (self.game,)

    def find_option(self, position: Position, action: int | None) -> Option:
        """The option that an action's number means at the decision that waits. Raises ApiError where it is not offered."""
        code = None if action is None else self.actions.legal_actions(position).get(int(action))
        if code is None or position.decision is None:
            raise ApiError(engine_sentence(self.lang, "api.action", number=str(action)))
        return position.decision.option(code)
