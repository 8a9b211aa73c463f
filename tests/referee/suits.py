"""Names of cards in the referees of card games: `ace_of_hearts`."""

from __future__ import annotations

from collections.abc import Iterable


def face(card: str) -> str:
    return card.split("_of_")[0]


def suit(card: str) -> str:
    return card.split("_of_")[1]


def in_order(cards: Iterable[str], suits: Iterable[str], faces: Iterable[str]) -> list[str]:
    """Sorts cards as options are listed: suit by suit, in the order of the faces."""
    held, ranks = set(cards), list(faces)
    return [card for s in suits for f in ranks if (card := f"{f}_of_{s}") in held]
