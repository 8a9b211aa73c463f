"""The word that was probably intended: one function for files, the command line and questions."""

from __future__ import annotations

import pytest
from ludoglot.dsl.diagnostics.diagnostic import LENIENT_CUTOFF, TYPO_CUTOFF, did_you_mean


@pytest.mark.parametrize(("word", "known", "cutoff", "meant"), [
    ("rde", ["red", "blue"], TYPO_CUTOFF, "red"),                            # one typo, although difflib says 0.67
    ("rde", ["red", "blue"], 0.8, ""),
    ("Red", ["read", "red"], 0.8, "red"),
    ("boast", ["boats", "boasts", "beast"], TYPO_CUTOFF, "boasts"),
    ("rule", ["rulebook", "replay"], LENIENT_CUTOFF, "rulebook"),            # shortened: 0.67
    ("rule", ["rulebook", "replay"], TYPO_CUTOFF, ""),
    ("red", ["red", "blue"], LENIENT_CUTOFF, ""),                            # it is known
    ("3", ["30", "blue"], TYPO_CUTOFF, ""),
])
def test_the_cutoff_decides_how_far_a_word_may_be(word, known, cutoff, meant):
    assert did_you_mean(word, known, cutoff) == meant
