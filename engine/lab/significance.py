"""Significance tests for shares of games, without scipy."""

from __future__ import annotations

import math
from collections.abc import Sequence

ROUNDING_FACTOR = 1 + 1e-7                    # treats probabilities that differ only by rounding as equal


def binomial_p_value(hits: int, tries: int, expected: float) -> float:
    """Returns the p-value of the exact two-sided binomial test.

    It is the probability of all outcomes that are at most as likely as the observed one, if each try succeeds
    with probability `expected` (R. A. Fisher, "Statistical methods for research workers", 1925)."""
    if not tries:
        return 1.0
    if expected in (0.0, 1.0):
        return float(hits == tries * expected)

    def outcome_probability(n: int) -> float:
        return math.exp(math.lgamma(tries + 1) - math.lgamma(n + 1) - math.lgamma(tries - n + 1)
                        + n * math.log(expected) + (tries - n) * math.log1p(-expected))

    seen = outcome_probability(hits) * ROUNDING_FACTOR
    return min(1.0, sum(each for n in range(tries + 1) if (each := outcome_probability(n)) <= seen))


def holm_test(likely: Sequence[float], level: float) -> list[bool]:
    """Returns which p-values are significant when all of them share `level`.

    The method is that of S. Holm, "A simple sequentially rejective multiple test procedure", 1979."""
    found = [False] * len(likely)
    for done, n in enumerate(sorted(range(len(likely)), key=lambda n: likely[n])):
        if likely[n] > level / (len(likely) - done):
            break
        found[n] = True
    return found
