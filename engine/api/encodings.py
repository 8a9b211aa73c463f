"""The encodings of a game for learning programs, with errors as sentences."""

from __future__ import annotations

from typing import Any

from ..position.options import Option
from ..position.position import Position
from .encoding import ActionEncoder, NotEncodableError, ObservationEncoder
from .errors import ApiError, engine_sentence
from .loading import Game


class GameEncodings:
    """The encodings of the actions and positions of a game. Raises ApiError if the game cannot be encoded."""

    def __init__(self, game: Game) -> None:
        self.game, self.lang = game, game.lang
        try:
            self.actions, self.observer = ActionEncoder(game.loaded.game), ObservationEncoder(game.loaded.game)
        except NotEncodableError as error:
            raise ApiError(engine_sentence(game.lang, error.key, game=game.title(), **error.params)) from None

    def __deepcopy__(self, memo: dict[int, Any]) -> GameEncodings:
        """Returns the same object, since it never changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return GameEncodings, (self.game,)

    def find_option(self, position: Position, action: int | None) -> Option:
        """Returns the option that an action number means at the current decision. Raises ApiError if it is not legal."""
        code = None if action is None else self.actions.legal_actions(position).get(int(action))
        if code is None or position.decision is None:
            raise ApiError(engine_sentence(self.lang, "api.action", number=str(action)))
        return position.decision.option(code)
