"""The hex grid of the earth: 35 flat-top hexes and their 92 corners (CF 5).

Labels identify tiles and corners. A tile is a column letter and a row counted from the top of its column. A
corner is a tile and a direction. Of the tiles that meet there, the first in board order gives the name.
"""

Hex = tuple[int, int]

# Rows of each column, in axial coordinates (CF 5).
COLUMNS = {-3: range(4), -2: range(-1, 4), -1: range(-2, 4), 0: range(-2, 3), 1: range(-3, 3), 2: range(-3, 2), 3: range(-3, 1)}

NORTH, NORTHEAST, SOUTHEAST, SOUTH, SOUTHWEST, NORTHWEST = (0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)
STEPS = (NORTH, NORTHEAST, SOUTHEAST, SOUTH, SOUTHWEST, NORTHWEST)

# A corner is between two neighbours of the hex.
CORNER_STEPS = {
    "e": (NORTHEAST, SOUTHEAST),
    "se": (SOUTHEAST, SOUTH),
    "sw": (SOUTH, SOUTHWEST),
    "w": (SOUTHWEST, NORTHWEST),
    "nw": (NORTHWEST, NORTH),
    "ne": (NORTH, NORTHEAST),
}


def _label_hexes() -> dict[Hex, str]:
    """Labels the columns left to right, each from top to bottom. This is the order of all sets of tiles."""
    return {(q, r): f"{chr(ord('d') + q)}{row}" for q, rows in COLUMNS.items() for row, r in enumerate(rows, start=1)}


def _beside(here: Hex, step: Hex) -> Hex:
    return here[0] + step[0], here[1] + step[1]


LABEL = _label_hexes()
TILES = list(LABEL.values())

# Tiles that share an edge, in board order (hu 6, it 6).
NEAR = {
    label: sorted((LABEL[there] for step in STEPS if (there := _beside(here, step)) in LABEL), key=TILES.index)
    for here, label in LABEL.items()
}


def _corners() -> tuple[dict[str, str], dict[str, list[str]]]:
    """Returns the label of every spelling of a corner, and for each label the tiles that meet there, in board order."""
    label_at: dict[frozenset[Hex], str] = {}
    spelling: dict[str, str] = {}
    meeting: dict[str, list[str]] = {}
    for here, tile in LABEL.items():
        for side, (left, right) in CORNER_STEPS.items():
            spot = frozenset((here, _beside(here, left), _beside(here, right)))
            label = label_at.setdefault(spot, f"{tile}.{side}")
            spelling[f"{tile}.{side}"] = label
            meeting.setdefault(label, []).append(tile)
    return spelling, meeting


CORNER, TOUCHING = _corners()
CORNERS = list(TOUCHING)

# The six corners of a tile, in the order of all corners (it 3).
CORNERS_OF = {tile: [corner for corner in CORNERS if tile in TOUCHING[corner]] for tile in TILES}
