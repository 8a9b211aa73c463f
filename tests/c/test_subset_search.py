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

SUBSET, SUPERSET, CANDIDATES = m.Var("l"), m.LoadSlot(m.IntConst(57)), m.ConstantRef("C4")
IS_SUBSET = m.BinaryOp(m.BinaryOp(SUBSET, "&", SUPERSET), "==", SUBSET)
SET_FLAG = m.AssignStmt(("b",), m.BoolConst(True))
SET_FLAG_AND_BREAK = (SET_FLAG, m.BreakStmt())


def make_search_loop(test=IS_SUBSET, done=SET_FLAG_AND_BREAK, other=()):
    return m.ForStmt(("l",), CANDIDATES, [m.IfStmt(test, list(done))], list(other))


@pytest.mark.parametrize("test", [IS_SUBSET, m.BinaryOp(m.BinaryOp(SUBSET, "&", m.UnaryOp("~", SUPERSET)), "==", m.IntConst(0))])
def test_a_subset_search_is_recognized(test):
    node = make_search_loop(test)
    assert match_subset_search(node, [node]) == ([], SUPERSET, [SET_FLAG])


def test_a_return_in_a_subset_search_is_kept():
    back = m.ReturnStmt(m.BoolConst(True))
    node = make_search_loop(done=(back,))
    assert match_subset_search(node, [node]) == ([], SUPERSET, [back])


@pytest.mark.parametrize("node", [
    make_search_loop(m.BinaryOp(m.BinaryOp(SUBSET, "&", SUPERSET), "!=", m.IntConst(0))),                          # overlap is not enough
    make_search_loop(m.BinaryOp(m.BinaryOp(SUBSET, "&", m.LoadSlot(SUBSET)), "==", SUBSET)),  # a different superset each time
    make_search_loop(done=(SET_FLAG,)),                                                           # no break at the end
    make_search_loop(done=(m.AssignStmt(("b",), SUBSET), m.BreakStmt())),                                    # the member is used
    make_search_loop(other=[SET_FLAG]),                                                           # an `else` branch
    m.ForStmt(("l",), CANDIDATES, [SET_FLAG, m.IfStmt(IS_SUBSET, [m.BreakStmt()])]),                          # a statement per iteration
])
def test_other_loops_are_not_recognized(node):
    assert match_subset_search(node, [node]) is None


def test_a_search_whose_result_is_used_later_is_not_recognized():
    node = make_search_loop()
    assert match_subset_search(node, [node, m.ReturnStmt(SUBSET)]) is None


def test_rows_are_padded_with_their_first_set():
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


def test_connect_four_uses_the_subset_search():
    game = shared(GAMES["connect-four"])
    written = CProgram(game.module.machine, game.players).write()
    assert written.count("if (lg_within_one(") == 2


def make_insertion_loop(value, things=CANDIDATES):
    return m.ForStmt(("l",), things, [m.AugAssign(m.Var("n"), "|=", value)])


def test_a_set_insertion_is_recognized():
    bit = m.BinaryOp(m.IntConst(1), "<<", SUBSET)
    for things, cost in ((CANDIDATES, 0), (m.CallExpr("charge_items", (m.BoundedIter(CANDIDATES, 9), m.IntConst(17))), 17)):
        node = make_insertion_loop(bit, things)
        assert match_set_insertion(node, [node]) == ("n", CANDIDATES, cost)
        # the last one is used after the loop
        assert match_set_insertion(node, [node, m.ReturnStmt(SUBSET)]) is None
    node = make_insertion_loop(m.BinaryOp(m.IntConst(1), "<<", m.BinaryOp(SUBSET, "+", m.IntConst(1))))
    assert match_set_insertion(node, [node]) is None


@pytest.mark.long
def test_chess_inserts_members_without_a_loop():
    game = shared(GAMES["chess"])
    written = CProgram(game.module.machine, game.players).write()
    body = re.search(r"\nLG_MAYBE static lg_mask f_d_targets\([^)]*\) {.*?\nreturn \(lg_mask\)", written, re.S)
    assert body is not None and re.search(r"(v_n\d+) = \(\1 \| m\); }", body[0]) and "for (" not in body[0]
