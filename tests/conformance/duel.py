"""Plays the engine and the referee with the same random choices, and compares them at every decision."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from ludoglot.engine.position.position import Position


class DisagreementError(AssertionError):
    """The engine and the referee differ. The message describes the difference."""


def duel(
    position: Position,
    referee: Any,
    drawn: list[str],
    snapshot: Callable[[Position], dict],
    rng: random.Random,
    limit: int,
    choose: Callable | None = None,
) -> tuple[int, set[str]]:
    """Plays one game on both sides. Returns the number of decisions and the keys seen.

    Forced decisions are taken silently on both sides. `drawn` contains the engine's random results for the referee's draw callback.
    """
    talk: Iterator = referee.decisions()
    keys: set[str] = set()
    count = 0
    _take_forced_decisions(position, drawn)
    wanted = next(talk, None)
    while wanted is not None and count < limit:
        decision = position.decision
        if decision is None:
            raise DisagreementError(f"the engine ended, the referee asks {wanted[:2]} after {count} decisions")
        spellings = [option.spelling for option in decision.options]
        if (decision.seat, decision.key) != wanted[:2] or spellings != list(wanted[2]):
            raise DisagreementError(f"decision {count}: engine {decision.seat} {decision.key} {spellings}\nreferee {wanted}")
        mine, theirs = snapshot(position), referee.snapshot()
        if mine != theirs:
            different = {key: (mine.get(key), theirs.get(key)) for key in {*mine, *theirs} if mine.get(key) != theirs.get(key)}
            raise DisagreementError(f"position before decision {count} ({decision.key}): engine, referee: {different}")
        keys.add(decision.key)
        answer = (choose or (lambda p, d, r: r.choice(d.options)))(position, decision, rng).spelling
        _play_answer(position, answer, drawn)
        _take_forced_decisions(position, drawn)
        count += 1
        try:
            wanted = talk.send(answer)
        except StopIteration:
            wanted = None
    if wanted is None and not position.over:
        raise DisagreementError(f"the referee ended, the engine asks {position.decision and position.decision.key}")
    return count, keys


def _take_forced_decisions(position: Position, drawn: list[str]) -> None:
    while position.decision is not None and len(position.decision) == 1:
        _play_answer(position, position.decision.options[0].spelling, drawn)


def _play_answer(position: Position, spelling: str, drawn: list[str]) -> None:
    decision = position.decision
    assert decision is not None
    for told in position.play(decision.seat, spelling):
        if told.key == "chance" and told.slots:  # secret draws have no name
            _, kind, found = told.slots[0]
            drawn.append(position.game.spell(kind, found))
