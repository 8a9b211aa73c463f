"""What a game's actions and positions are as numbers, or the sentence that says why they are none."""

from __future__ import annotations

from .numbers import Actions, Observer, Undeclared
from .opening import Game
from .sentences import ApiError, sentence


class Tables:
    """The actions and the observer of a game. Raises ApiError where they cannot be declared."""

    def __init__(self, game: Game) -> None:
        try:
            self.actions, self.observer = Actions(game.loaded.game), Observer(game.loaded.game)
        except Undeclared as error:
            raise ApiError(sentence(game.lang, error.key, game=game.title(), **error.args_)) from None
