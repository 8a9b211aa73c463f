"""Referees of four classic games. `decisions` and `snapshot` work as in `dominant_species.Referee`, and seat 0 moves first."""

from collections.abc import Iterable

from .decision_protocol import Asking, ask

Spot = tuple[int, int]  # column and row, counted from 0 (rows from the bottom on squares, from the top in Hex)


def label(spot: Spot) -> str:
    return f"{chr(ord('a') + spot[0])}{spot[1] + 1}"


def row_by_row(columns: int, rows: int) -> list[Spot]:
    return [(column, row) for row in range(rows) for column in range(columns)]


class Classic:
    """Two players take turns until one has won or the player to move has no option."""

    names: tuple[str, str]  # of the players, by seat
    state: str  # the name of the pieces in the position
    spots: list[Spot]  # in the order of the options

    def __init__(self) -> None:
        self.at: dict[Spot, int] = {}

    def moves(self, seat: int) -> dict[str, tuple[Spot, ...]]:
        """Returns the spots of each move by its spelling."""
        raise NotImplementedError

    def wins(self, seat: int) -> bool:
        raise NotImplementedError

    def make(self, seat: int, move: tuple[Spot, ...]) -> None:
        self.at[move[-1]] = seat

    key = "game.cell"

    def decisions(self) -> Asking[None]:
        seat = 0
        while self.winner() is None and (moves := self.moves(seat)):
            answer = yield from ask(seat, self.key, list(moves))
            self.make(seat, moves[answer])
            seat = 1 - seat

    def winner(self) -> int | None:
        return next((seat for seat in (0, 1) if self.wins(seat)), None)

    def standing(self) -> list[int]:
        """Returns the seats, the winner first. Without a winner, they are in seat order."""
        return [1, 0] if self.winner() == 1 else [0, 1]

    def snapshot(self) -> dict[str, dict[str, str]]:
        return {self.state: {label(spot): self.names[self.at[spot]] for spot in self.spots if spot in self.at}}

    def cells(self, spots: Iterable[Spot]) -> dict[str, tuple[Spot, ...]]:
        return {f"cell={label(spot)}": (spot,) for spot in spots}

    def has_line(self, seat: int, length: int) -> bool:
        """Whether a player has this number of pieces in a row, a column, or a diagonal."""
        return any(
            all(self.at.get((column + n * right, row + n * up)) == seat for n in range(length))
            for column, row in self.spots
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1))
        )


class TicTacToe(Classic):
    names, state, spots = ("cross", "nought"), "mark", row_by_row(3, 3)

    def moves(self, seat: int) -> dict[str, tuple[Spot, ...]]:
        return self.cells(spot for spot in self.spots if spot not in self.at)

    def wins(self, seat: int) -> bool:
        return self.has_line(seat, 3)


class ConnectFour(Classic):
    names, state, spots = ("yellow", "red"), "disc", row_by_row(7, 6)

    def moves(self, seat: int) -> dict[str, tuple[Spot, ...]]:
        """Returns the lowest free cell of each column."""
        return self.cells(
            (column, row) for column, row in self.spots if (column, row) not in self.at and (row == 0 or (column, row - 1) in self.at)
        )

    def wins(self, seat: int) -> bool:
        return self.has_line(seat, 4)


class Breakthrough(Classic):
    names, state, spots = ("white", "black"), "pawn", row_by_row(8, 8)
    key = "game.origin"

    def __init__(self) -> None:
        super().__init__()
        self.at = {spot: 0 if spot[1] < 2 else 1 for spot in self.spots if spot[1] < 2 or spot[1] > 5}

    def moves(self, seat: int) -> dict[str, tuple[Spot, ...]]:
        return {
            f"origin={label(origin)} target={label(target)}": (origin, target)
            for origin in self.spots
            if self.at.get(origin) == seat
            for target in self.targets(seat, origin)
        }

    def targets(self, seat: int, origin: Spot) -> list[Spot]:
        """Returns the targets one row ahead: straight onto an empty cell, or diagonally onto any cell without an own pawn."""
        column, row = origin[0], origin[1] + (1 if seat == 0 else -1)
        ahead = [(column + aside, row) for aside in (-1, 0, 1)]
        return [spot for spot in ahead if spot in self.spots and (spot not in self.at if spot[0] == column else self.at.get(spot) != seat)]

    def make(self, seat: int, move: tuple[Spot, ...]) -> None:
        del self.at[move[0]]
        super().make(seat, move)

    def wins(self, seat: int) -> bool:
        """Whether a player has a pawn on the far row, or the opponent has no pawns left."""
        goal = 7 if seat == 0 else 0
        own = [spot for spot, owner in self.at.items() if owner == seat]
        return len(own) == len(self.at) or any(row == goal for _, row in own)


class Hex(Classic):
    names, state = ("red", "blue"), "stone"
    spots = [(column, row) for column in range(11) for row in range(11)]

    def moves(self, seat: int) -> dict[str, tuple[Spot, ...]]:
        return self.cells(spot for spot in self.spots if spot not in self.at)

    def wins(self, seat: int) -> bool:
        """Whether a player has joined their sides: red (seat 0) the first and last row, blue the first and last column."""
        along = 1 if seat == 0 else 0
        reached = {spot for spot, owner in self.at.items() if owner == seat and spot[along] == 0}
        waiting = list(reached)
        while waiting:
            column, row = waiting.pop()
            for right, down in ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)):
                spot = column + right, row + down
                if self.at.get(spot) == seat and spot not in reached:
                    reached.add(spot)
                    waiting.append(spot)
        return any(spot[along] == 10 for spot in reached)


GAMES: dict[str, type[Classic]] = {
    "tic-tac-toe": TicTacToe,
    "connect-four": ConnectFour,
    "breakthrough": Breakthrough,
    "hex": Hex,
}
