"""Order things by what they need, and find the circles that a diagnostic reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush
from typing import TypeVar

MAX_CIRCLES = 10                           # the graph is searched once for each circle

Thing = TypeVar("Thing")


def order_by_needs(needs: Mapping[Thing, Iterable[Thing]]) -> tuple[list[Thing], list[list[Thing]]]:
    """Returns the things so that each follows those that it needs, and the circles of needs, at most MAX_CIRCLES.

    A given order that is valid stays as it is. In a circle each thing needs the next one, and the last thing is the
    first again. For the order, the first thing of a circle does not need the second one. Things that wait for
    further circles are left out."""
    place = {thing: n for n, thing in enumerate(needs)}
    graph = {thing: sorted(set(wanted), key=place.__getitem__) for thing, wanted in needs.items()}
    circles: list[list[Thing]] = []
    for _ in range(MAX_CIRCLES):
        sorter = TopologicalSorter(graph)
        try:
            sorter.prepare()
            break
        except CycleError as error:
            circles.append(error.args[1][::-1])                    # graphlib lists the needed thing first
            graph[circles[-1][0]].remove(circles[-1][1])
    things, order, ready = list(needs), list[Thing](), list[int]()
    while sorter.is_active():
        for thing in sorter.get_ready():
            heappush(ready, place[thing])
        order.append(things[heappop(ready)])
        sorter.done(order[-1])
    return order, circles
