"""How likely chance alone makes a share of games as far from what was to be expected as the one that was seen."""

from __future__ import annotations

import math
from collections.abc import Sequence

ROUNDING_FACTOR = 1 + 1e-7                    # outcomes that differ by rounding alone are equally likely


def binomial_p_value(hits: int, tries: int, expected: float) -> float:
    """The exact binomial test with two sides: the probability of all outcomes that are no more likely than the one seen, where each try
    succeeds with the probability `expected` (R. A. Fisher, "Statistical methods for research workers", 1925)."""
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
    """Which of these are less likely than the level allows when all share it (S. Holm, "A simple sequentially rejective multiple test
    procedure", 1979)."""
    found = [False] * len(likely)
    for done, n in enumerate(sorted(range(len(likely)), key=lambda n: likely[n])):
        if likely[n] > level / (len(likely) - done):
            break
        found[n] = True
    return found
