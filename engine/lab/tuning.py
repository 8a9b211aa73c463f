"""Searches numbers of the rules for an objective, such as equal chances for all seats.

If there are few candidates, all are tried. Otherwise Optuna proposes them with the tree-structured Parzen
estimator (J. Bergstra, R. Bardenet, Y. Bengio and B. Kégl, "Algorithms for hyper-parameter optimization",
2011).

All candidates are played with the same seeds, which reduces the random variation between them. The best of
many was also lucky, so the caller plays it again with other seeds before it reports a result."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

CandidateValues = tuple[int, ...]            # one value for each search range, in their order
MAX_PROPOSALS_PER_TRIAL = 20                           # Optuna may propose candidates that were tried before


@dataclass(frozen=True)
class SearchRange:
    """A number of the rules by its path (`Card.joker.points`), its allowed range and its current value (`was`)."""

    path: str
    low: int
    high: int
    was: int

    @property
    def size(self) -> int:
        return self.high - self.low + 1


@dataclass(frozen=True)
class TuningTrial:
    """The result of one candidate.

    `off` is the distance from the objective. `measure` is the measured value, with the interval `low` to `high`.
    `refused` means that the rules are invalid with these numbers, `faulty` that a rule failed in a game."""

    numbers: CandidateValues
    off: float = math.inf
    measure: float = math.inf
    refused: bool = False
    low: float = math.inf
    high: float = math.inf
    faulty: bool = False


TrialFunction = Callable[[CandidateValues], TuningTrial]


def search_values(ranges: Sequence[SearchRange], trials: int, seed: int, trying: TrialFunction) -> Iterator[TuningTrial]:
    """Tries up to `trials` candidates, the current values first, and yields their results.

    Needs Optuna if there are more candidates than trials. The same seed proposes the same candidates."""
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
    """Tries the candidates that Optuna proposes."""
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


def find_best_trial(trials: Sequence[TuningTrial]) -> TuningTrial | None:
    """Returns the candidate closest to the objective, the earlier of equal ones, or None if none could be measured."""
    found = min(trials, key=lambda one: one.off, default=None)
    return found if found is not None and not math.isinf(found.off) else None
