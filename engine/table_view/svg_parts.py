"""The corners and the edges of cells as SVG: discs at the corners of a polygon, and bars on its sides.

The points of the polygon of a cell go clockwise. Each side leads from a point to the next one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import hypot

from ...dsl.types.board_parts import PART_SIGNS
from .html_page import escape_xml, target_link
from .svg_pen import SvgPen, format_number
from .view_model import BoardCell, StyledText

Point = tuple[float, float]

CORNER_SIGN, EDGE_SIGN = PART_SIGNS["corners"], PART_SIGNS["edges"]
# the tags of the corners at the points of a polygon, and of the edges from each point to the next one
SQUARE_TAGS = ("se", "sw", "nw", "ne"), ("s", "w", "n", "e")
FLAT_TAGS = ("e", "se", "sw", "w", "nw", "ne"), ("se", "s", "sw", "nw", "n", "ne")
POINTY_TAGS = ("es", "s", "sw", "wn", "n", "ne"), ("se", "sw", "w", "nw", "ne", "e")
BAR_SHARE = 0.64                                                    # the length of a bar on an edge, as a share of the edge


@dataclass
class PartLayer:
    """The corners and edges of a board with their contents and their options. All of it is drawn over the cells."""

    square: bool
    flat: bool
    things: dict[tuple[Point, ...], StyledText] = field(default_factory=dict)
    aimed: dict[str, tuple[tuple[Point, ...], str]] = field(default_factory=dict)      # option number → place and label

    def add_cell(self, spot: BoardCell, ring: list[Point]) -> None:
        """Adds the corners and edges of a cell with this polygon."""
        for suffix, points in self.iter_places(ring):
            if suffix in spot.parts:
                self.things[points] = spot.parts[suffix]
            if target := spot.aimed.get(suffix):
                self.aimed[target] = points, f"{spot.label}{suffix}"

    def iter_places(self, ring: list[Point]) -> Iterator[tuple[str, tuple[Point, ...]]]:
        """Yields the suffix of each corner with its point, and of each edge with its two points in ascending order."""
        corners, edges = SQUARE_TAGS if self.square else FLAT_TAGS if self.flat else POINTY_TAGS
        points = [(round(x, 3), round(y, 3)) for x, y in ring]
        for k, point in enumerate(points):
            yield f"{CORNER_SIGN}{corners[k]}", (point,)
            yield f"{EDGE_SIGN}{edges[k]}", tuple(sorted((point, points[(k + 1) % len(points)])))

    def draw(self, pen: SvgPen, size: float) -> None:
        """Draws everything. `size`: the radius of a disc."""
        for points, span in sorted(self.things.items(), key=lambda item: -len(item[0])):      # discs over bars
            start = len(pen.parts)
            x, y = middle(points)
            is_line = span.is_mark and len(points) == 2             # a thin bar without a sign
            shape = draw_shape(points, size / 2 if is_line else size, f"edge {pen.fill_class(span)}")
            pen.parts.append(f"<g><title>{escape_xml(span.text)}</title>{shape}")
            if not is_line:
                pen.draw_text_on_colour(x, y + size * 0.45, span, span.shape or span.short or span.text[:2], int(size * 1.35))
            pen.parts.append("</g>")
            pen.merge_parts(start)
        for target, (points, label) in self.aimed.items():
            pen.parts.append(f'{target_link(target, label)}{draw_shape(points, size * 1.4, "edge aim")}</a>')


def middle(points: tuple[Point, ...]) -> Point:
    """Returns the point itself, or the middle between two points."""
    x, y = (sum(axis) / len(points) for axis in zip(*points))
    return x, y


def draw_shape(points: tuple[Point, ...], size: float, kind: str) -> str:
    """Returns a disc at a corner, or a bar along an edge, as an SVG element with these classes."""
    x, y = middle(points)
    if len(points) == 1:
        return f'<circle class="{kind}" cx="{format_number(x)}" cy="{format_number(y)}" r="{format_number(size)}"/>'
    (ax, ay), (bx, by) = points
    long = hypot(bx - ax, by - ay)
    along = (bx - ax) * BAR_SHARE / 2, (by - ay) * BAR_SHARE / 2
    across = (by - ay) / long * size, (ax - bx) / long * size
    ring = [(x + i * along[0] + j * across[0], y + i * along[1] + j * across[1]) for i, j in ((1, 1), (1, -1), (-1, -1), (-1, 1))]
    return f'<polygon class="{kind}" points="{" ".join(f"{format_number(px)},{format_number(py)}" for px, py in ring)}"/>'
