"""Checks the branch-free C code that searches for a set inside another, and the rows of constant sets that it reads."""

from __future__ import annotations

import re

import pytest
from c_comparison import GAMES
from ludoglot.dsl.backend_c.loop_idioms import constant_set_rows, match_set_insertion, match_subset_search
from ludoglot.dsl.backend_c.program import CProgram
from ludoglot.dsl.ir import nodes as m
from ludoglot.dsl.ir.value_types import MEMBERS, WORD, ListKind
from shared_games import shared

ONE, WHOLE, LISTS = m.Var("l"), m.LoadSlot(m.IntConst(57)), m.ConstantRef("C4")
WITHIN = m.BinaryOp(m.BinaryOp(ONE, "&", WHOLE), "==", ONE)
FOUND = m.AssignStmt(("b",), m.BoolConst(True))
DONE = (FOUND, m.BreakStmt())


def search(test=WITHIN, done=DONE, other=()):
    return m.ForStmt(("l",), LISTS, [m.IfStmt(test, list(done))], list(other))


@pytest.mark.parametrize("test", [WITHIN, m.BinaryOp(m.BinaryOp(ONE, "&", m.UnaryOp("~", WHOLE)), "==", m.IntConst(0))])
def test_a_search_for_a_set_within_another_is_known(test):
    node = search(test)
    assert match_subset_search(node, [node]) == ([], WHOLE, [FOUND])


def test_what_is_returned_is_returned_still():
    back = m.ReturnStmt(m.BoolConst(True))
    node = search(done=(back,))
    assert match_subset_search(node, [node]) == ([], WHOLE, [back])


@pytest.mark.parametrize("node", [
    search(m.BinaryOp(m.BinaryOp(ONE, "&", WHOLE), "!=", m.IntConst(0))),                                          # overlap is not enough
    search(m.BinaryOp(m.BinaryOp(ONE, "&", m.LoadSlot(ONE)), "==", ONE)),  # a different superset each time
    search(done=(FOUND,)),                                                                        # no break at the end
    search(done=(m.AssignStmt(("b",), ONE), m.BreakStmt())),                                                 # the member is used
    search(other=[FOUND]),                                                                        # an `else` branch
    m.ForStmt(("l",), LISTS, [FOUND, m.IfStmt(WITHIN, [m.BreakStmt()])]),                                     # a statement per iteration
])
def test_other_loops_are_not_taken_for_one(node):
    assert match_subset_search(node, [node]) is None


def test_a_set_that_is_asked_for_afterwards_is_looked_for_one_by_one():
    node = search()
    assert match_subset_search(node, [node, m.ReturnStmt(ONE)]) is None


def test_rows_are_filled_with_what_is_there():
    values = {"A": ((3, 5), (6, 7, 8, 9, 10)), "B": (1, 2, 3), "C": ((1,), ()), "D": ((1, -1),), "E": tuple(range(200))}
    place = m.Var("cell")
    assert constant_set_rows(m.IndexExpr(m.ConstantRef("A"), place), values, ListKind(WORD)) == (
        place,
        [(3, 5, 3, 3, 3, 3, 3, 3), (6, 7, 8, 9, 10, 6, 6, 6)],
    )
    assert constant_set_rows(m.ConstantRef("B"), values, ListKind(WORD)) == (None, [(1, 2, 3, 1)])
    # nothing is inside an empty set
    assert constant_set_rows(m.IndexExpr(m.ConstantRef("C"), place), values, ListKind(WORD)) is None
    assert constant_set_rows(m.IndexExpr(m.ConstantRef("D"), place), values, ListKind(WORD)) is None
    assert constant_set_rows(m.ConstantRef("E"), values, ListKind(WORD)) is None
    assert constant_set_rows(m.ConstantRef("B"), values, MEMBERS) is None


def test_lines_are_looked_for_so():
    game = shared(GAMES["connect-four"])
    written = CProgram(game.module.machine, game.players).write()
    assert written.count("if (lg_within_one(") == 2


def through(value, things=LISTS):
    return m.ForStmt(("l",), things, [m.AugAssign(m.Var("n"), "|=", value)])


def test_members_that_go_into_another_set_are_known():
    bit = m.BinaryOp(m.IntConst(1), "<<", ONE)
    for things, cost in ((LISTS, 0), (m.CallExpr("charge_items", (m.BoundedIter(LISTS, 9), m.IntConst(17))), 17)):
        node = through(bit, things)
        assert match_set_insertion(node, [node]) == ("n", LISTS, cost)
        # the last one is used after the loop
        assert match_set_insertion(node, [node, m.ReturnStmt(ONE)]) is None
    node = through(m.BinaryOp(m.IntConst(1), "<<", m.BinaryOp(ONE, "+", m.IntConst(1))))
    assert match_set_insertion(node, [node]) is None


@pytest.mark.long
def test_members_are_put_into_a_set_at_once():
    game = shared(GAMES["chess"])
    written = CProgram(game.module.machine, game.players).write()
    body = re.search(r"\nLG_MAYBE static lg_mask f_d_targets\([^)]*\) {.*?\nreturn \(lg_mask\)", written, re.S)
    assert body is not None and re.search(r"(v_n\d+) = \(\1 \| m\); }", body[0]) and "for (" not in body[0]
