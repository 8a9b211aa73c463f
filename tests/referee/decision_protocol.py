"""The protocol of decisions: referees are generators that yield (seat, key, options) and receive one of the options.

A choice without options is skipped, and a decision with a single option is taken silently. Neither is yielded.
"""

from collections.abc import Generator, Sequence
from typing import TypeVar

Decision = tuple[int, str, list[str]]
T = TypeVar("T")
Asking = Generator[Decision, str, T]

DECLINE = "decline"


def ask(seat: int, key: str, options: list[str]) -> Asking[str]:
    """Returns the option taken from a list that is not empty."""
    if len(options) == 1:
        return options[0]
    answer = yield seat, key, options
    if answer not in options:
        raise ValueError(f"{key}: {answer!r} is not one of {options}")
    return answer


def pick(seat: int, key: str, name: str, values: Sequence[T], may: bool = False) -> Asking[T | None]:
    """Returns one of the values, spelt `name=value`. Returns None if there is none or, with `may`, if the player declines."""
    if not values:
        return None
    options = [f"{name}={value}" for value in values]
    answer = yield from ask(seat, key, [*options, DECLINE] if may else options)
    return None if answer == DECLINE else values[options.index(answer)]


def pick_up_to(count: int, seat: int, key: str, name: str, values: Sequence[T]) -> Asking[list[T]]:
    """Returns at most `count` different values, chosen one by one in any order, until the player declines."""
    chosen: list[T] = []
    while len(chosen) < count:
        value = yield from pick(seat, key, name, [value for value in values if value not in chosen], may=True)
        if value is None:
            break
        chosen.append(value)
    return chosen
