"""Wraps independent engines in one small interface, with the spelling of Ludoglot's moves.

An oracle is an independent reading of a rulebook. If its reading differs from Ludoglot's, the docstring of its class describes the
deviation and names the deciding clause.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Protocol

import pyspiel
from ludoglot.engine.position.position import Game, Position


class Oracle(Protocol):
    """A game in an independent engine. Seats are Ludoglot's."""

    def seat(self) -> int: ...
    def options(self) -> list[str]: ...
    def play(self, spelling: str) -> None: ...
    def over(self) -> bool: ...
    def winner(self) -> int | None: ...

    def cut(self) -> bool:
        """Whether the oracle ended the game only because it took too long."""
        ...

    def board(self, position: Position | None = None) -> Any:
        """Returns the board of the oracle or of a position, in a common form. Returns None if comparing moves is enough."""
        ...


class Spiel:
    """A game of OpenSpiel. `name` is its name in OpenSpiel, and `spelling` translates an action to Ludoglot's move."""

    name = ""
    settings: dict[str, Any] = {}

    def __init__(self) -> None:
        self.state = pyspiel.load_game(self.name, self.settings).new_initial_state()

    def __str__(self) -> str:
        return str(self.state)

    def seat(self) -> int:
        return int(self.state.current_player())

    def spelling(self, action: int) -> str:
        raise NotImplementedError

    def actions(self) -> dict[str, int]:
        return {self.spelling(action): action for action in self.state.legal_actions()}

    def options(self) -> list[str]:
        return sorted(self.spelling(action) for action in self.state.legal_actions())

    def play(self, spelling: str) -> None:
        self.state.apply_action(self.actions()[spelling])

    def over(self) -> bool:
        return bool(self.state.is_terminal())

    def winner(self) -> int | None:
        """Returns the only winner, or None."""
        returns = self.state.returns()
        best = max(returns)
        return returns.index(best) if returns.count(best) == 1 else None

    def cut(self) -> bool:
        return False

    def board(self, position: Position | None = None) -> Any:
        return None


def winner(position: Position) -> int | None:
    first = [rank.seat for rank in position.standing() if rank.rank == 1]
    return first[0] if len(first) == 1 else None


Pick = Callable[[random.Random, list[str]], str]


def compare_random_game(game: Game, oracle: Oracle, seed: int, pick: Pick = random.Random.choice) -> int:
    """Plays one random game on both sides. Returns the number of decisions.

    Compares the seat, the moves and the board of each decision, and the winner at the end.
    """
    position, rng, count = game.start(seed), random.Random(seed), 0
    while not oracle.over():
        decision = position.decision
        assert decision is not None, f"seed {seed}: the rules end after {count} decisions, but the oracle continues:\n{oracle}"
        mine = sorted(option.spelling for option in decision.options)
        assert (decision.seat, mine) == (oracle.seat(), oracle.options()), f"seed {seed}, after {count} decisions:\n{oracle}"
        assert oracle.board(position) == oracle.board(), f"seed {seed}, after {count} decisions:\n{oracle}"
        spelling = pick(rng, mine)
        position.play(decision.seat, spelling)
        oracle.play(spelling)
        count += 1
    if oracle.cut():
        return count
    assert position.over, f"seed {seed}: the oracle's game is over after {count} decisions:\n{oracle}"
    assert winner(position) == oracle.winner(), f"seed {seed}:\n{oracle}"
    return count


class Reversi(Spiel):
    """Deviation: the oracle asks for a pass if no other move exists. Ludoglot passes automatically and reports the pass (REV-TURN-04).

    The oracle's a1 is at the top left, so the board is upside down. The names of the cells are the same.
    """

    name = "othello"
    PASS = 64

    def spelling(self, action: int) -> str:
        return "pass" if action == self.PASS else f"cell={'abcdefgh'[action % 8]}{action // 8 + 1}"

    def play(self, spelling: str) -> None:
        super().play(spelling)
        while not self.over() and self.state.legal_actions() == [self.PASS]:
            self.state.apply_action(self.PASS)


class DotsAndBoxes(Spiel):
    """The oracle numbers the horizontal lines first, row by row from the top, and then the vertical lines."""

    name = "dots_and_boxes"
    SIDE = 5
    settings = {"num_rows": SIDE, "num_cols": SIDE}

    def spelling(self, action: int) -> str:
        side = self.SIDE
        if action < side * (side + 1):
            row, column = divmod(action, side)
            return f"edge={'abcde'[column]}{side - row}-n" if row < side else f"edge={'abcde'[column]}1-s"
        row, column = divmod(action - side * (side + 1), side + 1)
        return f"edge={'abcde'[column - 1]}{side - row}-e" if column else f"edge=a{side - row}-w"


class Corridors(Spiel):
    """Deviation: the oracle calls a game of four moves for each square a draw. Ludoglot plays until a pawn arrives (COR-END-01).

    The oracle counts rows from the top, and names a wall by the cell at the upper left of its middle.
    """

    name = "quoridor"

    def __init__(self, side: int = 9, walls: int = 10) -> None:
        self.side, self.settings = side, {"board_size": side, "wall_count": walls}
        super().__init__()

    def spelling(self, action: int) -> str:
        column, row, *layout = self.state.action_to_string(self.seat(), action)
        if not layout:
            return f"step cell={column}{self.side + 1 - int(row)}"
        return f"build corner={column}{self.side - int(row)}.ne layout={'horizontal' if layout == ['h'] else 'vertical'}"

    def cut(self) -> bool:
        return not any(self.state.returns())


class Kalah(Spiel):
    """The oracle numbers pits counterclockwise from 1.

    The store of seat 0 is 7. Seat 1 has the pits 8 to 13, and its store is 0. Seeds that remain on the other side at the end stay on the
    oracle's board, but count all the same (KAL-END-02).
    """

    name = "mancala"
    PITS = [*(f"{column}1" for column in "abcdef"), *(f"{column}2" for column in "fedcba")]

    def spelling(self, action: int) -> str:
        return f"pit={self.PITS[action - 1 if action < 7 else action - 2]}"

    def board(self, position: Position | None = None) -> Any:
        if position is not None:
            seeds = position["seeds"]
            return [seeds[pit] for pit in self.PITS], list(position["store"].values())
        held = [int(n) for n in self.state.observation_tensor(0)]
        return [*held[1:7], *held[8:14]], [held[7], held[0]]


class Morris(Spiel):
    """Deviation: the oracle calls a game of 200 turns a draw. Ludoglot counts the moves without a capture (MOR-END-03).

    With the option `patience` at `long`, Ludoglot's draw comes later. The oracle numbers points from the top, row by row. The action
    numbers of moves come after those of points.
    """

    name = "nine_mens_morris"
    POINTS = ["a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4",
              "e4", "f4", "g4", "c3", "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1"]
    TURNS = 200
    taking = False
    turns = 0

    def spelling(self, action: int) -> str:
        if action < 24:
            return f"taken={self.POINTS[action]}" if self.taking else f"place point={self.POINTS[action]}"
        origin, target = divmod(action - 24, 24)
        return f"go origin={self.POINTS[origin]} target={self.POINTS[target]}"

    def play(self, spelling: str) -> None:
        before = self.seat()
        super().play(spelling)
        self.turns += not self.taking
        self.taking = not self.over() and self.seat() == before

    def cut(self) -> bool:
        return self.over() and self.turns >= self.TURNS


class Draughts(Spiel):
    """English draughts. Each jump is its own action on both sides: its columns are two apart.

    Deviation: the oracle calls forty moves of both players together a draw, even if men advanced. Ludoglot counts forty moves of each
    player, by kings alone (EDR-END-02).
    """

    name = "checkers"
    QUIET = 40
    going_on = False
    quiet = 0

    def spelling(self, action: int) -> str:
        text = self.state.action_to_string(action)
        origin, target = text[:2], text[2:4]
        if self.going_on:
            return f"land={target}"
        return f"{'take' if abs(ord(origin[0]) - ord(target[0])) == 2 else 'go'} origin={origin} target={target}"

    def play(self, spelling: str) -> None:
        before = self.seat()
        self.quiet = self.quiet + 1 if spelling.startswith("go") else 0
        super().play(spelling)
        self.going_on = not self.over() and self.seat() == before

    def cut(self) -> bool:
        return self.over() and self.quiet >= self.QUIET


class Amazons(Spiel):
    """A turn is three actions on both sides: the amazon, its destination, and its shot. The oracle numbers cells from the top."""

    name = "amazons"
    FIELDS = ("origin", "target", "goal")
    count = 0

    def spelling(self, action: int) -> str:
        return f"{self.FIELDS[self.count % 3]}={'abcdefghij'[action % 10]}{10 - action // 10}"

    def play(self, spelling: str) -> None:
        super().play(spelling)
        self.count += 1


class LinesOfAction(Spiel):
    """Black begins on both sides, and a repeated position is an immediate draw.

    Deviation: the oracle ignores which player is to move. Ludoglot compares the player too, and continues (LOA-END-04).
    """

    name = "lines_of_action"

    def __init__(self) -> None:
        super().__init__()
        self.boards = [self.board_text()]

    def board_text(self) -> str:
        return str(self.state).partition("Current")[0]

    def play(self, spelling: str) -> None:
        super().play(spelling)
        self.boards.append(self.board_text())

    def cut(self) -> bool:
        return self.over() and self.winner() is None and self.boards[-1] not in self.boards[-3::-2]

    def spelling(self, action: int) -> str:
        origin, target = self.state.action_to_string(action)[:2], self.state.action_to_string(action)[3:5]
        return f"origin={origin} target={target}"


class Oware(Spiel):
    """Each side has the houses a to f in sowing order. `each` is the number of seeds per house at the start.

    If a side cannot be fed or a position repeats, each side gathers its own seeds, as in Ludoglot (OWA-FEED-02, OWA-END-02).
    """

    name = "oware"
    HOUSES = [*(f"{column}1" for column in "abcdef"), *(f"{column}2" for column in "fedcba")]

    def __init__(self, each: int = 4) -> None:
        self.each, self.settings = each, {"num_seeds_per_house": each}
        super().__init__()

    def spelling(self, action: int) -> str:
        return f"house={self.HOUSES[action + 6 * self.seat()]}"

    def board(self, position: Position | None = None) -> Any:
        if position is not None:
            seeds = position["seeds"]
            return [seeds[house] for house in self.HOUSES], list(position["store"].values())
        held = [round(len(self.HOUSES) * self.each * part) for part in self.state.observation_tensor(0)]
        return held[:12], held[12:]


class Go(Spiel):
    """Deviation: a move that repeats an earlier board ends the oracle's game as a draw. Ludoglot does not offer this move (GO-KO-01).

    The board has `wide` points on each side.
    """

    name = "go"
    COLUMNS = "abcdefghi"

    def __init__(self, wide: int = 9) -> None:
        self.wide, self.points, self.repeated = wide, wide * wide, 0
        self.settings = {"board_size": wide, "komi": 7.5, "max_game_length": 1000}
        super().__init__()

    def spelling(self, action: int) -> str:
        return "pass" if action == self.points else f"place cell={self.COLUMNS[action % self.wide]}{action // self.wide + 1}"

    def repeats(self, action: int) -> bool:
        """Whether a move repeats a position. Apart from such a move, only a second pass ends the game."""
        return action != self.points and bool(self.state.child(action).is_terminal())

    def options(self) -> list[str]:
        found = [action for action in self.state.legal_actions() if not self.repeats(action)]
        self.repeated += len(found) < len(self.state.legal_actions())
        return sorted(map(self.spelling, found))

    def board(self, position: Position | None = None) -> Any:
        if position is not None:
            stones = position["stone"]
            return [stones[f"{self.COLUMNS[at % self.wide]}{at // self.wide + 1}"] for at in range(self.points)]
        seen = self.state.observation_tensor(0)
        return [next((who for n, who in enumerate(("black", "white")) if seen[self.points * n + at]), None) for at in range(self.points)]
