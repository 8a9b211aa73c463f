"""Compares two fast computations of the coast of an endless board with a plain flood fill.

The fast ways compute the coast from scratch with masks, or from the land with one cell more."""

import random

import pytest
from ludoglot.dsl.backend_python.runtime_unbounded import coast_open, coast_without, flood_coast, parts_open
from ludoglot.dsl.types.boards import HEX_FLAT_DIRECTIONS, OPEN_SPAN, encode_open_cell

STEPS = tuple(dq * OPEN_SPAN + dr for dq, dr in HEX_FLAT_DIRECTIONS.values())


def plain_coast(cells: frozenset) -> frozenset:
    """Returns the water next to the land that a flood from outside reaches."""
    rows, columns = [cell // OPEN_SPAN for cell in cells], [cell % OPEN_SPAN for cell in cells]
    top, bottom, left, right = min(rows) - 2, max(rows) + 2, min(columns) - 2, max(columns) + 2
    found = {top * OPEN_SPAN + left}
    todo = list(found)
    while todo:
        cell = todo.pop()
        for step in STEPS:
            other = cell + step
            inside = top <= other // OPEN_SPAN <= bottom and left <= other % OPEN_SPAN <= right
            if inside and other not in found and other not in cells:
                found.add(other)
                todo.append(other)
    return frozenset(cell + step for cell in cells for step in STEPS) & found


def random_lands(count: int, seed: int):
    """Yields random land: from scattered islands to one island with many lakes."""
    rng = random.Random(seed)
    for _ in range(count):
        width = rng.randint(1, 6)
        yield frozenset(encode_open_cell(rng.randint(-width, width), rng.randint(-width, width)) for _ in range(rng.randint(2, 50)))


@pytest.mark.long
def test_the_coast_equals_that_of_a_plain_flood_fill():
    for land in random_lands(400, 1):
        assert flood_coast(land, STEPS, OPEN_SPAN) == plain_coast(land)


@pytest.mark.long
def test_the_coast_is_updated_after_a_cell_is_removed():
    for land in random_lands(150, 2):
        whole = plain_coast(land)
        for gone in land:
            assert coast_without(gone, land - {gone}, whole, STEPS) == plain_coast(land - {gone})


@pytest.mark.long
def test_the_cached_coast_does_not_depend_on_earlier_calls():
    for land in random_lands(100, 3):
        for cells in (land, land - {min(land)}, land - {max(land)}, land):
            assert coast_open(cells, STEPS, OPEN_SPAN) == plain_coast(cells)


def test_no_land_has_no_coast():
    assert coast_open(frozenset(), STEPS, OPEN_SPAN) == frozenset()


def test_the_parts_of_a_land_are_disjoint_connected_and_apart():
    for land in random_lands(200, 4):
        parts, part_of = parts_open(land, STEPS)
        assert frozenset().union(*parts) == land and sum(map(len, parts)) == len(land)
        assert [min(part) for part in parts] == sorted(min(part) for part in parts)
        for cell in land:
            assert cell in part_of[cell]
            for step in STEPS:
                assert cell + step not in land or cell + step in part_of[cell]
