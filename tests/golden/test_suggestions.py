"""Checks suggestions for misspelled words in files, commands and prompts, and the completions that could follow."""

from __future__ import annotations

import pytest
from ludoglot.dsl.diagnostics.diagnostic import LENIENT_CUTOFF, TYPO_CUTOFF, DiagnosticList, did_you_mean
from ludoglot.dsl.syntax.parse import parse


@pytest.mark.parametrize(("word", "known", "cutoff", "meant"), [
    ("rde", ["red", "blue"], TYPO_CUTOFF, "red"),                            # one typo, although difflib gives 0.67
    ("rde", ["red", "blue"], 0.8, ""),
    ("Red", ["read", "red"], 0.8, "red"),
    ("boast", ["boats", "boasts", "beast"], TYPO_CUTOFF, "boasts"),
    ("rule", ["rulebook", "replay"], LENIENT_CUTOFF, "rulebook"),            # shortened: 0.67
    ("rule", ["rulebook", "replay"], TYPO_CUTOFF, ""),
    ("red", ["red", "blue"], LENIENT_CUTOFF, ""),                            # a known word
    ("3", ["30", "blue"], TYPO_CUTOFF, ""),
])
def test_the_cutoff_limits_suggestions(word, known, cutoff, meant):
    assert did_you_mean(word, known, cutoff) == meant


@pytest.mark.parametrize(("source", "expected"), [
    ("def f(a) a + 1\n", "`=`, `where`, @CLAUSE"),
    ("proc p(a) a += 1\n", "`:`, `by chance`, `by`, @CLAUSE"),
    ("phase game:\n    let 5 = 3\n", "a name"),
])
def test_expected_tokens_begin_with_the_likely_ones(source, expected):
    findings = DiagnosticList()
    parse(source, "x.rules", findings)
    assert [found.message().partition("Expected: ")[2] for found in findings.items] == [expected + "."]
