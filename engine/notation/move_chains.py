"""Reads several moves that are written as one: `24/13` for 24/18 and 18/13, and `6/4(2)` for 6/4 twice.

Each move of a chain begins with the text after which the one before ends. The sign between them is `chain` in
notation.yaml."""

from __future__ import annotations

import re

from ..position.position import Position
from .moves import MoveNotation
from .value_spelling import NotationError

MAX_CHAIN, MAX_REPEATS = 4, 4                                      # moves that may be written as one
REPEATED_MOVE = re.compile(r"(?P<move>.+)\((?P<times>\d)\)")


def expand_move(moves: MoveNotation, position: Position, typed: str) -> list[str]:
    """Returns the single moves that a text stands for. Empty if it stands for none or for different ones."""
    found = REPEATED_MOVE.fullmatch(typed)
    if found is not None and 1 <= int(found["times"]) <= MAX_REPEATS:
        return [found["move"]] * int(found["times"])
    sign, places = moves.notation.chain, moves.strip_annotations(typed).split(moves.notation.chain or None)
    if not sign or len(places) < 2 or len(places) > MAX_CHAIN + 1 or not all(places):
        return []
    if len(places) > 2:
        return [sign.join(pair) for pair in zip(places, places[1:])]
    return find_chain(moves, position, *places)


def find_chain(moves: MoveNotation, position: Position, start: str, end: str) -> list[str]:
    """Returns the shortest chain of moves of the same seat from one text to another.

    Returns an empty list if there is none, or if the shortest chains lead to different positions."""
    sign, seat = moves.notation.chain, position.decision.seat if position.decision is not None else -1
    ends: list[tuple[Position, str, list[str]]] = [(position, start, [])]
    for _ in range(MAX_CHAIN):
        longer: list[tuple[Position, str, list[str]]] = []
        for here, place, taken in ends:
            if here.decision is not None and here.decision.seat == seat:
                longer += [(after, then, [*taken, text]) for after, then, text in iter_steps(moves, here, place, sign)]
        arrived = [(after, taken) for after, then, taken in longer if then == end]
        if arrived:
            return arrived[0][1] if all(after == arrived[0][0] for after, _ in arrived) else []
        ends = longer
    return []


def iter_steps(moves: MoveNotation, position: Position, place: str, sign: str) -> list[tuple[Position, str, str]]:
    """Returns the moves that begin with a text: the position after each, the text where it ends, and its own text."""
    try:
        found = list(moves.iter_moves(position))
    except NotationError:
        return []
    out = []
    for options, move in found:
        begin, _, end = move.texts[0].rpartition(sign)
        if begin == place:
            after = position.copy()
            for option in options:
                after.play(after.decision.seat if after.decision is not None else -1, option)
            out.append((after, end, move.texts[0]))
    return out
