"""The corners and the edges of the cells of a board panel: their names, and their drawing in characters.

A panel knows the part of a cell by its suffix, which is the end of its name: `.ne` for the corner `d3.ne`, and `-n` for the
edge `d3-n`. On a drawing with the hexagons turned, the suffix follows the drawing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...dsl.model.model import GameModel
from ...dsl.types.board_parts import PART_SIGNS
from ...dsl.types.boards import Board
from ..i18n.localizer import Localizer
from ..i18n.user_input import normalize
from .canvas import Canvas, StyleResolver
from .view_model import OPTION_NUMBER, BoardCell


def find_part(model: GameModel, words: Localizer, typed: str) -> tuple[str, int] | None:
    """Returns the corner or the edge that has this name in this language, as its type and number. None if there is none.

    A part has a name from each cell that it touches: the edge `a1-n` is also `a2-s`."""
    name = words.parse_part(normalize(typed))
    known = ((part_type, board.parts_of_kind(kind).names)
             for board in model.boards.values() for kind, part_type in board.part_types.items())
    return next(((part_type, names[name]) for part_type, names in known if name in names), None)


@dataclass(frozen=True)
class PartPlace:
    """The place where a corner or an edge is drawn, from the origin of its cell: its sign at a column and line, and the line of a
    straight edge, as its places and its characters if something is on it (Unicode and ASCII)."""

    x: int
    y: int
    line: tuple[tuple[int, int], ...] = ()
    glyphs: str = ""


PartPlaces = Mapping[str, PartPlace]                                # by suffix


def horizontal_edge(x: int, y: int, length: int) -> PartPlace:
    """Returns the place of an edge from a column to the right."""
    return PartPlace(x + length // 2, y, tuple((x + n, y) for n in range(length)), "━=")


def vertical_edge(x: int, y: int, length: int) -> PartPlace:
    """Returns the place of an edge from a line downwards."""
    return PartPlace(x, y + (length - 1) // 2, tuple((x, y + n) for n in range(length)), "┃#")


def iter_parts(board: Board, cell: int, flat: bool | None = None) -> Iterator[tuple[str, tuple[str, int]]]:
    """Yields the corners and the edges of a cell, if the board declares their types, as (suffix, (type, number)).

    `flat`: whether the drawing has flat-topped hexagons. None: as the board declares."""
    for kind, part_type in board.part_types.items():
        drawn = board.map_part_tags(kind, board.flat if flat is None else flat)
        for tag, number in board.parts_of_kind(kind).tags[cell].items():
            yield f"{PART_SIGNS[kind]}{drawn[tag]}", (part_type, number)


def draw_parts(canvas: Canvas, spot: BoardCell, x: int, y: int, places: PartPlaces, paint: StyleResolver) -> None:
    """Writes the signs of the things on the corners and the edges of a cell."""
    for suffix, span in spot.parts.items():
        place = places.get(suffix)
        if place is not None:
            style = paint.style(span, strong=True)
            for dx, dy in place.line:
                canvas.write_text(x + dx, y + dy, place.glyphs[0 if paint.utf else 1], style)
            if not (span.is_mark and place.line):
                canvas.write_text(x + place.x, y + place.y, paint.part_sign(span), style)


def draw_part_numbers(canvas: Canvas, spot: BoardCell, x: int, y: int, places: PartPlaces, paint: StyleResolver) -> None:
    """Writes the numbers of the options that choose a corner or an edge of a cell, next to its contents."""
    for suffix, token in spot.aimed.items():
        place = places.get(suffix)
        if place is not None:
            taken = int(suffix in spot.parts)
            canvas.write_text(x + place.x + taken, y + place.y, token, paint.style(OPTION_NUMBER, strong=True))
            canvas.aimed.append(y + place.y)
            if paint.pointed:
                canvas.mark_clickable(x + place.x, y + place.y, len(token) + taken, spot.label, token)
