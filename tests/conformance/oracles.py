"""Engines from outside, each behind the same few words, in the spelling that our rules give to options.

An oracle is somebody else's reading of a rulebook. Where it reads otherwise than we do, its class says so and
names the clause that decides.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Protocol

import pyspiel
from ludoglot.engine.position.position import Game, Position


class Oracle(Protocol):
    """A game being played outside. Seats are ours."""

    def seat(self) -> int: ...
    def options(self) -> list[str]: ...
    def play(self, spelling: str) -> None: ...
    def over(self) -> bool: ...
    def winner(self) -> int | None: ...

    def cut(self) -> bool:
        """Whether it was only cut off because it took too long."""
        ...

    def board(self, position: Position | None = None) -> Any:
        """What lies on the board, outside or in our position, in a form that both have; nothing where options tell enough."""
        ...


class Spiel:
    """A game of OpenSpiel. `name` is what it is called there, `spelling` how an action is spelt in our rules."""

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
        """Who has won alone; None: nobody has."""
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


def side_by_side(game: Game, oracle: Oracle, seed: int, pick: Pick = random.Random.choice) -> int:
    """One random game on both: who decides, the options, what lies on the board and in the end the winner are the same. Gives the number of
    decisions."""
    position, rng, count = game.start(seed), random.Random(seed), 0
    while not oracle.over():
        decision = position.decision
        assert decision is not None, f"seed {seed}: the rules end after {count} decisions, outside goes on:\n{oracle}"
        mine = sorted(option.spelling for option in decision.options)
        assert (decision.seat, mine) == (oracle.seat(), oracle.options()), f"seed {seed}, after {count} decisions:\n{oracle}"
        assert oracle.board(position) == oracle.board(), f"seed {seed}, after {count} decisions:\n{oracle}"
        spelling = pick(rng, mine)
        position.play(decision.seat, spelling)
        oracle.play(spelling)
        count += 1
    if oracle.cut():
        return count
    assert position.over, f"seed {seed}: outside it is over after {count} decisions:\n{oracle}"
    assert winner(position) == oracle.winner(), f"seed {seed}:\n{oracle}"
    return count


class Reversi(Spiel):
    """Deviation: it asks for a pass where nothing else is possible; ours tells it (REV-TURN-04). Its a1 is at the top left, so that the
    board stands on its head; the names of the cells are the same."""

    name = "othello"
    PASS = 64

    def spelling(self, action: int) -> str:
        return "pass" if action == self.PASS else f"cell={'abcdefgh'[action % 8]}{action // 8 + 1}"

    def play(self, spelling: str) -> None:
        super().play(spelling)
        while not self.over() and self.state.legal_actions() == [self.PASS]:
            self.state.apply_action(self.PASS)


class Kalah(Spiel):
    """Pits are numbered against the clock from 1, the store of seat 0 is 7; seat 1 has the pits 8 to 13, and its store is 0. What is left
    on the other side at the end stays on its board, and is counted all the same (KAL-END-02)."""

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
    """Deviation: it calls a game of 200 turns a draw; ours goes by the moves without a capture (MOR-END-03), and is not
    there yet with the option `patience` at `long`. Points are numbered from the top, row by row; moves come behind them."""

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
    """English draughts. Each jump is an action of its own, as with us: its columns are two apart. Deviation: it calls forty moves of both
    players together a draw, also when men advanced. Ours counts forty of each, of kings alone (EDR-END-02)."""

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
    """A turn is three actions there, the amazon, where she goes and where she shoots, as with us. Cells are numbered from the top."""

    name = "amazons"
    WHAT = ("origin", "target", "goal")
    count = 0

    def spelling(self, action: int) -> str:
        return f"{self.WHAT[self.count % 3]}={'abcdefghij'[action % 10]}{10 - action // 10}"

    def play(self, spelling: str) -> None:
        super().play(spelling)
        self.count += 1


class LinesOfAction(Spiel):
    """Black begins there as here, and a position that comes again is a draw at once. Deviation: it is one there even if the other player
    is to move than before; ours goes on (LOA-END-04)."""

    name = "lines_of_action"

    def __init__(self) -> None:
        super().__init__()
        self.boards = [self.lying()]

    def lying(self) -> str:
        return str(self.state).partition("Current")[0]

    def play(self, spelling: str) -> None:
        super().play(spelling)
        self.boards.append(self.lying())

    def cut(self) -> bool:
        return self.over() and self.winner() is None and self.boards[-1] not in self.boards[-3::-2]

    def spelling(self, action: int) -> str:
        origin, target = self.state.action_to_string(action)[:2], self.state.action_to_string(action)[3:5]
        return f"origin={origin} target={target}"


class Oware(Spiel):
    """Each side has its houses a to f in the order in which they are sown. Where nobody can be fed or a position comes again it gathers
    what lies on each side, as ours does (OWA-FEED-02, OWA-END-02). `each` seeds lie in a house at first."""

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
    """Deviation: a move after which the board looks as it did before ends the game there as a draw; ours does not offer it (GO-KO-01).
    There are `wide` points on each side."""

    name = "go"
    COLUMNS = "abcdefghi"

    def __init__(self, wide: int = 9) -> None:
        self.wide, self.points, self.repeated = wide, wide * wide, 0
        self.settings = {"board_size": wide, "komi": 7.5, "max_game_length": 1000}
        super().__init__()

    def spelling(self, action: int) -> str:
        return "pass" if action == self.points else f"place cell={self.COLUMNS[action % self.wide]}{action // self.wide + 1}"

    def repeats(self, action: int) -> bool:
        """Whether it would bring a position that has been there: nothing else but a second pass ends the game."""
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
