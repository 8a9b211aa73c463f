"""A game as C, where there is a compiler and its rules are known to the C writer. It is made in a thread beside the game; until
then, and where it cannot be, the game is played in Python, with the same outcome."""

from __future__ import annotations

import atexit
from threading import Thread

from ...dsl.c.building import Building, compiler
from ...dsl.c.calling import Player, player
from ...dsl.c.module import Program
from .position import Game


class Native:
    """A game that is being compiled. `found` is what plays it, when that is done."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.found: Player | None = None
        self.building: Building | None = None
        self.thread = Thread(target=self.make, daemon=True)
        if compiler() is not None:
            self.thread.start()
            atexit.register(self.stop)

    def make(self) -> None:
        try:
            program = Program(self.game.module.machine, self.game.players)
            self.building = Building(program.write())
            found = player(self.building, program)
            if found is not None:
                found.load(self.game.new().s)
                self.found = found
        except Exception:                                          # whatever it is: Python goes on
            return

    def wait(self) -> None:
        """Until it is compiled, or cannot be."""
        if self.thread.ident is not None:
            self.thread.join()

    def stop(self) -> None:
        """It is not wanted any more."""
        if self.building is not None:
            self.building.stop()
            self.thread.join(1)
