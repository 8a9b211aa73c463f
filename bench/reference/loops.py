"""Plays random games in loops written by hand, one for each game. They are as fast as plain CPython can be with a fair random agent.

Every loop holds or makes the complete set of moves of each decision, and draws one of them uniformly with one call of rng.random().
A loop that samples without knowing the moves (draw a pawn and a direction, try again if illegal) can be even faster. But no engine that
lists its moves could match it.
"""

from __future__ import annotations

from random import Random


def _lines(width: int, height: int, length: int) -> list[frozenset[int]]:
    """Returns all straight rows of `length` cells on a board numbered row by row."""
    found = []
    for row in range(height):
        for column in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if row + down * (length - 1) < height and 0 <= column + right * (length - 1) < width:
                    found.append(frozenset((row + down * k) * width + column + right * k for k in range(length)))
    return found


# ---- Tic-tac-toe: a player's stones are a mask of nine bits, and a table shows whether a mask wins.

_ROW_OF_THREE = [any(all(stones >> cell & 1 for cell in line) for line in _lines(3, 3, 3)) for stones in range(512)]


def tic_tac_toe(rng: Random) -> int:
    """Plays one random game of tic-tac-toe and returns the number of moves."""
    random = rng.random
    take = [1, 2, 4, 8, 16, 32, 64, 128, 256].pop
    # Unrolled, because the loop itself costs a tenth. Nobody has three stones before the fifth move, and the ninth ends the game.
    x = take(int(random() * 9))
    o = take(int(random() * 8))
    x |= take(int(random() * 7))
    o |= take(int(random() * 6))
    x |= take(int(random() * 5))
    if _ROW_OF_THREE[x]:
        return 5
    o |= take(int(random() * 4))
    if _ROW_OF_THREE[o]:
        return 6
    x |= take(int(random() * 3))
    if _ROW_OF_THREE[x]:
        return 7
    o |= take(int(random() * 2))
    if _ROW_OF_THREE[o]:
        return 8
    return 9


# ---- Connect Four: one list of flags per player. Rows through a new stone are grouped by their most common cell, so that one test
# drops many of them.


def _searches(cell: int) -> tuple[tuple[int, tuple[tuple[int, ...], ...]], ...]:
    """Returns the rows of four through `cell` as (a cell, the pairs that complete a row with it), each row once."""
    # A stone has nothing above it when it lands, so the only vertical row that can be complete is the one that it tops.
    rows = [line - {cell} for line in _lines(7, 6, 4) if cell in line and cell + 7 not in line]
    found = []
    while rows:
        common = max((c for row in rows for c in row), key=lambda c: (sum(c in row for row in rows), -abs(c - cell)))
        found.append((common, tuple(tuple(sorted(row - {common})) for row in rows if common in row)))
        rows = [row for row in rows if common not in row]
    return tuple(found)


_SEARCHES = tuple(_searches(cell) for cell in range(42))


def connect_four(rng: Random) -> int:
    """Plays one random game of Connect Four (7 columns, 6 rows) and returns the number of moves."""
    random = rng.random
    own, other = [0] * 42, [0] * 42
    options = [0, 1, 2, 3, 4, 5, 6]  # the lowest empty cell of each column that has one
    for moves in range(1, 43):
        choice = int(random() * len(options))
        cell = options[choice]
        own[cell] = 1
        if moves > 6:  # nobody has four stones earlier
            for common, pairs in _SEARCHES[cell]:
                if own[common]:
                    for a, b in pairs:
                        if own[a] and own[b]:
                            return moves
        if cell < 35:
            options[choice] = cell + 7
        else:
            del options[choice]
        own, other = other, own
    return 42


# ---- Breakthrough: each side is a mask of 64 bits, so three shifts give all moves. The drawn move is the nth bit over the three
# masks of targets.

_ALL = (1 << 64) - 1
_NOT_LEFT = 0xFEFEFEFEFEFEFEFE
_NOT_RIGHT = 0x7F7F7F7F7F7F7F7F


def breakthrough(rng: Random) -> int:
    """Plays one random game of Breakthrough (8x8) and returns the number of moves."""
    random = rng.random
    white, black = 0xFFFF, 0xFFFF << 48
    # Keeps the complements, because Python is slow on the negative numbers that ~ makes.
    not_white, not_black = _ALL ^ white, _ALL ^ black
    moves = 0
    # Two copies of the code, one per side, because shifts by a variable amount and direction would cost more than they save.
    while True:
        targets = white << 8 & not_white & not_black
        left = (white & _NOT_LEFT) << 7 & not_white
        right = (white & _NOT_RIGHT) << 9 & not_white
        ahead = targets.bit_count()
        not_to_right = ahead + left.bit_count()
        nth = int(random() * (not_to_right + right.bit_count()))
        moves += 1
        if nth < ahead:
            step = 8
        elif nth < not_to_right:
            nth, step, targets = nth - ahead, 7, left
        else:
            nth, step, targets = nth - not_to_right, 9, right
        while nth:
            targets &= targets - 1
            nth -= 1
        target = targets ^ targets & targets - 1
        white ^= target | target >> step
        not_white = _ALL ^ white
        if target >> 56:
            return moves
        if black & target:
            black ^= target
            not_black = _ALL ^ black
            if not black:
                return moves

        targets = black >> 8 & not_white & not_black
        left = (black & _NOT_LEFT) >> 9 & not_black
        right = (black & _NOT_RIGHT) >> 7 & not_black
        ahead = targets.bit_count()
        not_to_right = ahead + left.bit_count()
        nth = int(random() * (not_to_right + right.bit_count()))
        moves += 1
        if nth < ahead:
            step = 8
        elif nth < not_to_right:
            nth, step, targets = nth - ahead, 9, left
        else:
            nth, step, targets = nth - not_to_right, 7, right
        while nth:
            targets &= targets - 1
            nth -= 1
        target = targets ^ targets & targets - 1
        black ^= target | target << step
        not_black = _ALL ^ black
        if target < 256:
            return moves
        if white & target:
            white ^= target
            not_white = _ALL ^ white
            if not white:
                return moves


# ---- Hex: groups as union-find, one list of parents per player. The root of a group stores the edges that the group reaches. Cells count
# from 1, so that 0 means an empty cell.


def _neighbours(cell: int) -> tuple[int, ...]:
    row, column = divmod(cell - 1, 11)
    around = ((row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column), (row - 1, column + 1), (row + 1, column - 1))
    return tuple(r * 11 + c + 1 for r, c in around if 0 <= r < 11 and 0 <= c < 11)


_CELLS = list(range(1, 122))
_NEAR = ((), *(_neighbours(cell) for cell in _CELLS))
_TOP_BOTTOM = (0, *(1 if cell <= 11 else 2 if cell > 110 else 0 for cell in _CELLS))
_LEFT_RIGHT = (0, *(1 if cell % 11 == 1 else 2 if cell % 11 == 0 else 0 for cell in _CELLS))


def hex_11(rng: Random) -> int:
    """Plays one random game of Hex (11x11, no swap) and returns the number of moves."""
    random = rng.random
    free = _CELLS.copy()
    own, other = [0] * 122, [0] * 122
    edges, other_edges = _TOP_BOTTOM, _LEFT_RIGHT
    reached = [0] * 122
    for left in range(121, 0, -1):
        cell = free.pop(int(random() * left))
        joined = edges[cell]
        own[cell] = cell
        for node in _NEAR[cell]:
            parent = own[node]
            if parent:
                # The new stone becomes the root of all groups that it touches, so every path can be shortened to it at once.
                while parent != node:
                    own[node] = cell
                    node = parent
                    parent = own[node]
                if node != cell:
                    own[node] = cell
                    joined |= reached[node]
        if joined == 3:
            return 122 - left
        reached[cell] = joined
        own, other = other, own
        edges, other_edges = other_edges, edges
    raise AssertionError("a full board of Hex has a winner")


GAMES = {"tic-tac-toe": tic_tac_toe, "connect-four": connect_four, "breakthrough": breakthrough, "hex": hex_11}
