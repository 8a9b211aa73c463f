"""The statistics of the lab: intervals, tests, and numbers of games, each with its source.

The functions know plain numbers only. numpy and scipy are imported inside the functions that need them, so statistics of one set
of rules work without the extra `lab`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy
    Numbers: TypeAlias = numpy.ndarray[Any, Any]

CONFIDENCE_LEVEL = 0.95                          # of all confidence intervals
ALPHA = 0.05                        # significance level: the share of runs without any change that may report one
POWER = 0.8                         # the probability that the recommended number of pairs shows a difference as large as the observed one
INTERIM_FRACTIONS = (1 / 8, 1 / 4, 1 / 2, 1)     # parts of the planned games after which the data is analyzed
PERMUTATION_COUNT = 1999                         # random sign assignments for one measure at one look
MIN_TESTED_PAIRS = 6                              # with fewer pairs, no sign assignment is rare enough to be significant
ROUNDING_FACTOR = 1 + 1e-7                    # treats probabilities that differ only by rounding as equal
BOOTSTRAP_RESAMPLES = 1000                         # number of resamples
KEPT_DIGITS = 2                     # of a recommended number of pairs


def wilson_interval(hits: float, tries: int, confidence: float = CONFIDENCE_LEVEL) -> tuple[float, float]:
    """Returns the confidence interval of a proportion, given `hits` of `tries`.

    This is the score interval of E. B. Wilson, "Probable inference, the law of succession, and statistical
    inference" (1927). It also holds for few tries and for proportions near 0 and 1."""
    if not tries:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, square = hits / tries, z * z
    middle = (share + square / (2 * tries)) / (1 + square / tries)
    half = z * math.sqrt(share * (1 - share) / tries + square / (4 * tries * tries)) / (1 + square / tries)
    return min(share, max(0.0, middle - half)), max(share, min(1.0, middle + half))    # rounding must not exclude the share itself


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


def look_schedule(games: int) -> list[int]:
    """Returns the numbers of pairs after which the data is analyzed, in increasing order."""
    counts = {math.ceil(part * games) for part in INTERIM_FRACTIONS}
    return sorted(count for count in counts if count >= min(MIN_TESTED_PAIRS, games))


def alpha_for_look(games: int, count: int) -> float:
    """Returns the part of ALPHA that the look after `count` of `games` pairs may spend.

    After the part t of all games, ALPHA * ln(1 + (e - 1) t) may have been spent in total (K. K. G. Lan and D. L. DeMets,
    "Discrete sequential boundaries for clinical trials", 1983)."""
    marks = [0, *look_schedule(games)]
    before = next(low for low, high in pairwise(marks) if high == count)
    return ALPHA * (math.log1p((math.e - 1) * count / games) - math.log1p((math.e - 1) * before / games))


def permutation_p_value(differences: Numbers, seed: int) -> float:
    """Returns the two-sided p-value of the mean difference under random signs.

    The test is that of R. A. Fisher, "The design of experiments", 1935. With many differences, it draws random signs and counts
    the observed ones among them (B. Phipson and G. K. Smyth, "Permutation p-values should never be zero", 2010)."""
    import numpy
    from scipy import stats
    if not differences.any():
        return 1.0
    found = stats.permutation_test(
        (differences,),
        numpy.mean,
        permutation_type="samples",
        vectorized=True,
        n_resamples=PERMUTATION_COUNT,
        batch=500,
        alternative="two-sided",
        rng=numpy.random.default_rng(seed),
    )
    return float(found.pvalue)


def estimate_needed_pairs(differences: Numbers, margin: float, level: float, played: float = 1.0) -> int | None:
    """Returns about how many pairs settle whether the mean difference is significant or negligible, rounded up, or None if no number does.

    `margin` is the largest negligible difference, and `level` the part of ALPHA for this mean. The mean is settled if it is
    significant (J. Cohen, "Statistical power analysis for the behavioral sciences", 1988), or if its interval is within the margin
    (D. J. Schuirmann, "A comparison of the two one-sided tests procedure and the power approach", 1987). Both need
    ((z + z') s / d) ** 2 pairs, where d is the distance of the mean from 0 or from the margin. The easier of the two counts.
    If no pair differs, the number follows from Wilson's upper bound for 0 hits, so `margin` must be a share. `played` is the number
    of pairs that were played for each of these differences."""
    normal = NormalDist()
    far = normal.inv_cdf(1 - level / 2)
    mean, deviation = abs(float(differences.mean())), float(differences.std())
    distance = max(mean, margin - mean)
    if not distance:
        return None
    if deviation or mean:
        pairs = ((far + normal.inv_cdf(POWER)) * deviation / distance) ** 2
    else:
        pairs = far**2 * (1 - margin) / margin
    count = math.ceil(played * (pairs if pairs > len(differences) else 2 * len(differences)))
    unit: int = 10 ** max(0, len(str(count)) - KEPT_DIGITS)
    return -(-count // unit) * unit


def compute_t_interval(values: Numbers, confidence: float) -> tuple[float, float]:
    """Returns the interval for the mean with confidence `confidence` (Student, "The probable error of a mean", 1908)."""
    from scipy import stats
    error = stats.sem(values) if len(values) > 1 else math.inf
    middle = float(values.mean())
    if not error or not math.isfinite(error):
        return (middle, middle) if error == 0 else (-math.inf, math.inf)
    low, high = stats.t.interval(confidence, len(values) - 1, loc=middle, scale=error)
    return float(low), float(high)


def compute_share_interval(differences: Numbers, confidence: float) -> tuple[float, float]:
    """Returns the interval of the mean difference of a share of games.

    If all pairs differ equally, the t interval has no width. It is then widened on both sides by Wilson's upper bound for 0 hits,
    since another difference may still happen with that probability."""
    low, high = compute_t_interval(differences, confidence)
    if low == high:
        most = wilson_interval(0, len(differences), confidence)[1]
        return low - most, high + most
    return low, high


def t_test_p_value(differences: Numbers) -> float:
    """Returns the two-sided p-value of the mean (Student, "The probable error of a mean", 1908).

    It is 1 if all numbers are 0, and 0 if they are all equal to another number."""
    from scipy import stats
    return float(stats.ttest_1samp(differences, 0).pvalue) if differences.std() > 0 else float(not differences.any())


def welch_test(one: Numbers, two: Numbers) -> tuple[float, float, float]:
    """Returns the p-value and the confidence interval of the difference between two means with unequal variances.

    The method is that of B. L. Welch, "The generalization of 'Student's' problem when several different population variances are
    involved", 1947."""
    from scipy import stats
    found = stats.ttest_ind(one, two, equal_var=False)
    ends = found.confidence_interval(CONFIDENCE_LEVEL)
    return float(found.pvalue), float(ends.low), float(ends.high)


def control_false_discoveries(likely: Sequence[float], level: float) -> list[bool]:
    """Returns which p-values are significant if a share `level` of those may be false.

    The method is that of Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate", 1995."""
    from scipy import stats
    return [bool(chance <= level) for chance in stats.false_discovery_control(likely)] if likely else []


def draw_resamples(games: int, seed: int) -> Numbers:
    """Returns BOOTSTRAP_RESAMPLES rows of random indices into `games` games.

    The method is that of B. Efron, "Bootstrap methods: another look at the jackknife", 1979."""
    import numpy
    return numpy.random.default_rng(seed).integers(0, games, (BOOTSTRAP_RESAMPLES, games))


def quantile_interval(values: Numbers) -> tuple[float, float]:
    """Returns the bootstrap interval: the middle part of the values of all resamples."""
    import numpy
    low, high = numpy.quantile(values, [(1 - CONFIDENCE_LEVEL) / 2, (1 + CONFIDENCE_LEVEL) / 2])
    return float(low), float(high)
