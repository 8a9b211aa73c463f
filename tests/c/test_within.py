"""Searches for a set that lies within another, and sets put into another, as C without a branch for each member."""

from __future__ import annotations

import re

import pytest
from compiled import shared
from ludoglot.dsl.backend_c.loop_idioms import looked_for, put_into, rows
from ludoglot.dsl.backend_c.program import Program
from ludoglot.dsl.ir import nodes as m
from ludoglot.dsl.ir.value_types import MEMBERS, WORD, Seq
from native import GAMES

ONE, WHOLE, LISTS = m.Var("l"), m.Get(m.Num(57)), m.Table("C4")
WITHIN = m.Op(m.Op(ONE, "&", WHOLE), "==", ONE)
FOUND = m.Set(("b",), m.Flag(True))
DONE = (FOUND, m.Break())


def search(test=WITHIN, done=DONE, other=()):
    return m.For(("l",), LISTS, [m.If(test, list(done))], list(other))


@pytest.mark.parametrize("test", [WITHIN, m.Op(m.Op(ONE, "&", m.Un("~", WHOLE)), "==", m.Num(0))])
def test_a_search_for_a_set_within_another_is_known(test):
    node = search(test)
    assert looked_for(node, [node]) == ([], WHOLE, [FOUND])


def test_what_is_returned_is_returned_still():
    back = m.Return(m.Flag(True))
    node = search(done=(back,))
    assert looked_for(node, [node]) == ([], WHOLE, [back])


@pytest.mark.parametrize("node", [
    search(m.Op(m.Op(ONE, "&", WHOLE), "!=", m.Num(0))),                                          # they only touch
    search(m.Op(m.Op(ONE, "&", m.Get(ONE)), "==", ONE)),                                          # another set for each
    search(done=(FOUND,)),                                                                        # it goes on
    search(done=(m.Set(("b",), ONE), m.Break())),                                                 # which one is told
    search(other=[FOUND]),                                                                        # something for where none is found
    m.For(("l",), LISTS, [FOUND, m.If(WITHIN, [m.Break()])]),                                     # something for each
])
def test_other_loops_are_not_taken_for_one(node):
    assert looked_for(node, [node]) is None


def test_a_set_that_is_asked_for_afterwards_is_looked_for_one_by_one():
    node = search()
    assert looked_for(node, [node, m.Return(ONE)]) is None


def test_rows_are_filled_with_what_is_there():
    values = {"A": ((3, 5), (6, 7, 8, 9, 10)), "B": (1, 2, 3), "C": ((1,), ()), "D": ((1, -1),), "E": tuple(range(200))}
    place = m.Var("cell")
    assert rows(m.At(m.Table("A"), place), values, Seq(WORD)) == (place, [(3, 5, 3, 3, 3, 3, 3, 3), (6, 7, 8, 9, 10, 6, 6, 6)])
    assert rows(m.Table("B"), values, Seq(WORD)) == (None, [(1, 2, 3, 1)])
    assert rows(m.At(m.Table("C"), place), values, Seq(WORD)) is None                             # none is within nothing
    assert rows(m.At(m.Table("D"), place), values, Seq(WORD)) is None
    assert rows(m.Table("E"), values, Seq(WORD)) is None
    assert rows(m.Table("B"), values, MEMBERS) is None


def test_lines_are_looked_for_so():
    game = shared(GAMES["connect-four"])
    written = Program(game.module.machine, game.players).write()
    assert written.count("if (lg_within_one(") == 2


def through(value, things=LISTS):
    return m.For(("l",), things, [m.Change(m.Var("n"), "|=", value)])


def test_members_that_go_into_another_set_are_known():
    bit = m.Op(m.Num(1), "<<", ONE)
    for things, cost in ((LISTS, 0), (m.Call("walked", (m.Bounded(LISTS, 9), m.Num(17))), 17)):
        node = through(bit, things)
        assert put_into(node, [node]) == ("n", LISTS, cost)
        assert put_into(node, [node, m.Return(ONE)]) is None                                      # the last is asked for afterwards
    node = through(m.Op(m.Num(1), "<<", m.Op(ONE, "+", m.Num(1))))
    assert put_into(node, [node]) is None


def test_members_are_put_into_a_set_at_once():
    game = shared(GAMES["chess"])
    written = Program(game.module.machine, game.players).write()
    body = re.search(r"\nLG_MAYBE static lg_mask f_d_targets\([^)]*\) {.*?\nreturn \(lg_mask\)", written, re.S)
    assert body is not None and re.search(r"(v_n\d+) = \(\1 \| m\); }", body[0]) and "for (" not in body[0]
