"""Checks the dependency order: it is stable and deterministic, and reports every cycle."""

from __future__ import annotations

import pytest
from ludoglot.dsl.diagnostics.dependency_order import MAX_CIRCLES, order_by_needs


@pytest.mark.parametrize(("needs", "order", "circles"), [
    ({"c": [], "a": [], "b": []}, "cab", []),                                              # no dependencies
    ({"c": [], "a": ["c"], "b": []}, "cab", []),                                           # a valid order stays as it is
    ({"a": ["c"], "b": [], "c": []}, "bca", []),
    ({"a": ["b", "c", "b"], "b": ["c"], "c": []}, "cba", []),
    ({"a": ["b"], "b": ["a"], "c": ["d"], "d": ["c"]}, "abcd", ["aba", "cdc"]),            # both cycles
    ({"a": ["a"], "b": []}, "ab", ["aa"]),
])
def test_each_item_follows_its_dependencies(needs, order, circles):
    found = order_by_needs(needs)
    assert ("".join(found[0]), list(map("".join, found[1]))) == (order, circles)


def test_a_chain_can_be_longer_than_the_python_stack():
    order, _ = order_by_needs({n: [n + 1] if n < 5_000 else [] for n in range(5_001)})
    assert order == list(range(5_000, -1, -1))


def test_the_number_of_reported_cycles_is_limited():
    things = range(200)
    order, circles = order_by_needs({thing: [other for other in things if other != thing] for thing in things})
    assert len(circles) == MAX_CIRCLES and not order
