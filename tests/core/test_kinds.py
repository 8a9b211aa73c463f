"""Checks that `Literal` types contain the same names as the files that list them. mypy checks that each pass handles all of them."""

from __future__ import annotations

from typing import get_args

import yaml
from ludoglot.dsl.backend_python.emit import TEST_OPERATORS, UNARY_OPERATORS, VALUE_OPERATORS
from ludoglot.dsl.diagnostics.diagnostic import CODES_FILE
from ludoglot.dsl.ir import nodes as m
from ludoglot.dsl.syntax.lark_parser import keywords
from ludoglot.dsl.types.operations import FOLD_KINDS


def test_folds_match_the_grammar() -> None:
    assert list(FOLD_KINDS) == [*keywords()["folds"]]


def test_every_fault_has_a_diagnostic() -> None:
    codes = yaml.safe_load(CODES_FILE.read_text(encoding="utf-8"))["codes"]
    special = {"F000", "F011", "F016"}     # F000: engine bug, F011: invariant (see `Position`), F016: too much event text
    assert {code for code in codes if code.startswith("F")} == special | {*get_args(m.FaultCode)}


def test_every_operator_has_a_python_operator() -> None:
    signs = {sign for part in get_args(m.BinarySign) for sign in (get_args(part) or (part,))}
    assert signs == {*VALUE_OPERATORS, *TEST_OPERATORS}
    assert set(get_args(m.UnarySign)) == {*UNARY_OPERATORS}
