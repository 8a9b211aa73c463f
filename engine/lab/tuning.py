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

CandidateValues = tuple[int, ...]            # a value for each number that is searched, in their order
MAX_PROPOSALS_PER_TRIAL = 20                           # proposals for each one that is tried: most may be known already


@dataclass(frozen=True)
class SearchRange:
    """A number of the rules by its path (`Card.joker.points`), what it may be, and what it is now."""

    path: str
    low: int
    high: int
    was: int

    @property
    def size(self) -> int:
        return self.high - self.low + 1


@dataclass(frozen=True)
class TuningTrial:
    """A set of numbers: how far its games are from the aim, what was measured, and between what that most likely lies. `refused`: the rules
    cannot be played so. `faulty`: a game was stopped by a fault of the rules."""

    numbers: CandidateValues
    off: float = math.inf
    measure: float = math.inf
    refused: bool = False
    low: float = math.inf
    high: float = math.inf
    faulty: bool = False


TrialFunction = Callable[[CandidateValues], TuningTrial]


def search_values(ranges: Sequence[SearchRange], trials: int, seed: int, trying: TrialFunction) -> Iterator[TuningTrial]:
    """Try up to so many sets of numbers, those of now first. Needs Optuna where there are more than that. The same seed proposes the
    same."""
    first = tuple(one.was for one in ranges)
    if math.prod(one.size for one in ranges) <= trials:
        every = itertools.product(*(range(one.low, one.high + 1) for one in ranges))
        for numbers in [first, *(numbers for numbers in every if numbers != first)][:trials + 1]:
            yield trying(numbers)
        return
    yield from propose_with_optuna(ranges, trials, seed, trying, first)


def propose_with_optuna(
    ranges: Sequence[SearchRange], trials: int, seed: int, trying: TrialFunction, first: CandidateValues
) -> Iterator[TuningTrial]:
    """As Optuna proposes them."""
    import optuna
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))
    if all(one.low <= one.was <= one.high for one in ranges):
        study.enqueue_trial({one.path: one.was for one in ranges})
    known: dict[CandidateValues, TuningTrial] = {}
    for _ in range(MAX_PROPOSALS_PER_TRIAL * trials):
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


def find_best_trial(tried: Sequence[TuningTrial]) -> TuningTrial | None:
    """The one nearest to the aim, the earlier of two alike; None when none could be judged."""
    found = min(tried, key=lambda one: one.off, default=None)
    return found if found is not None and not math.isinf(found.off) else None
