"""Numbers of the rules are searched for an aim.

Where there are few sets of numbers, all are tried. Else Optuna proposes them: the tree-structured Parzen estimator of J. Bergstra,
R. Bardenet, Y. Bengio and B. Kégl, "Algorithms for hyper-parameter optimization" (2011). All sets are tried by the same seeds, so that
less of what differs is chance; what was best among many was also lucky, so it is played again by other seeds before anything is said of it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

Numbers = tuple[int, ...]            # a value for each number that is searched, in their order
AGAIN = 20                           # proposals for each one that is tried: most may be known already


@dataclass(frozen=True)
class Range:
    """A number of the rules by its path (`Card.joker.points`), what it may be, and what it is now."""

    path: str
    low: int
    high: int
    was: int

    @property
    def size(self) -> int:
        return self.high - self.low + 1


@dataclass(frozen=True)
class Tried:
    """A set of numbers: how far its games are from the aim, what was measured, and between what that most likely lies. `refused`: the rules
    cannot be played so. `faulty`: a game was stopped by a fault of the rules."""

    numbers: Numbers
    off: float = math.inf
    measure: float = math.inf
    refused: bool = False
    low: float = math.inf
    high: float = math.inf
    faulty: bool = False


Try = Callable[[Numbers], Tried]


def search(ranges: Sequence[Range], trials: int, seed: int, trying: Try) -> Iterator[Tried]:
    """Try up to so many sets of numbers, those of now first. Needs Optuna where there are more than that. The same seed proposes the
    same."""
    first = tuple(one.was for one in ranges)
    if math.prod(one.size for one in ranges) <= trials:
        every = itertools.product(*(range(one.low, one.high + 1) for one in ranges))
        for numbers in [first, *(numbers for numbers in every if numbers != first)][:trials + 1]:
            yield trying(numbers)
        return
    yield from proposed(ranges, trials, seed, trying, first)


def proposed(ranges: Sequence[Range], trials: int, seed: int, trying: Try, first: Numbers) -> Iterator[Tried]:
    """As Optuna proposes them."""
    import optuna
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))
    if all(one.low <= one.was <= one.high for one in ranges):
        study.enqueue_trial({one.path: one.was for one in ranges})
    known: dict[Numbers, Tried] = {}
    for _ in range(AGAIN * trials):
        trial = study.ask()
        numbers = tuple(trial.suggest_int(one.path, one.low, one.high) for one in ranges)
        if numbers not in known:
            known[numbers] = trying(numbers)
            yield known[numbers]
        off = known[numbers].off
        if math.isinf(off):
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
        else:
            study.tell(trial, off)
        if len(known) >= trials:
            break


def best_of(tried: Sequence[Tried]) -> Tried | None:
    """The one nearest to the aim, the earlier of two alike; None when none could be judged."""
    found = min(tried, key=lambda one: one.off, default=None)
    return found if found is not None and not math.isinf(found.off) else None
