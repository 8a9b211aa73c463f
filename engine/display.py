"""A table in plain text, drawn from a game's declarations alone: boards as maps, states over an enumeration as small tables, the rest as
lists. Everything a seat may not see shows at most how much is there. Readable in 80 columns and in ASCII (names of things aside).

A game names its states for this in its messages: `state.<name>`, and may choose the letters of its things: `letter.<Enum>.<member>`.
States that are reset by scope (`per`) are bookkeeping and not drawn.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence
from typing import Any

from ..dsl.boards import Board, open_cell
from ..dsl.compile.layout import Cell
from ..dsl.types import BagOf, Bool, Int, ListOf, Maybe, Of, PileOf, SetOf, Type
from .position import Position
from .telling import Teller
from .view import count, sees, spots_of, things

WIDTH = 80
EMPTY = "."


def table(position: Position, teller: Teller, seat: int | None, width: int = WIDTH) -> list[str]:
    """The whole table as `seat` sees it (None: as one who only watches)."""
    return Drawing(position, teller, seat, width).lines()


def label(cell: Cell, teller: Teller) -> str:
    """What a game calls one of its states."""
    key = f"state.{cell.state.name}"
    return teller.words.text(key) if teller.words.has(key) else cell.state.name.replace("_", " ")


def plain(text: str) -> str:
    """`text` in ASCII: accents dropped."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if ord(c) < 128)


def short_codes(names: Sequence[str]) -> list[str]:
    """For each name its shortest beginning that no other name shares, up to three letters; a number where that does not suffice."""
    letters = ["".join(c for c in plain(name).lower() if c.isalnum()) or "x" for name in names]
    for size in (1, 2, 3):
        codes = [word[:size] for word in letters]
        if len(set(codes)) == len(codes):
            return codes
    seen: dict[str, int] = {}
    out = []
    for word in letters:
        seen[word[:2]] = seen.get(word[:2], 0) + 1
        out.append(word[:2] + (str(seen[word[:2]]) if seen[word[:2]] > 1 else ""))
    return out


class Drawing:
    """One table being drawn."""

    def __init__(self, position: Position, teller: Teller, seat: int | None, width: int) -> None:
        self.position, self.teller, self.seat, self.width = position, teller, seat, width
        self.game, self.model, self.words = position.game, position.game.model, teller.words
        self.cells = [cell for cell in self.game.cells.values() if cell.state.node.per is None]
        self.codes: dict[str, list[str]] = {}

    def lines(self) -> list[str]:
        out: list[str] = []
        boards = {board.cell_type: board for board in self.model.boards.values()}
        drawn: set[str] = set()
        for domain, board in boards.items():
            mine = [cell for cell in self.cells if cell.state.axes and cell.state.axes[-1][1] == domain and len(cell.state.axes) <= 2]
            out += [*self.board(board, mine), ""] if mine or not board.open else []
            drawn |= {cell.state.name for cell in mine}
        rest = [cell for cell in self.cells if cell.state.name not in drawn and not self.blank(cell)]
        by_axis: dict[str, list[Cell]] = {}
        for cell in rest:
            if len(cell.state.axes) == 1 and self.small(cell):
                by_axis.setdefault(cell.state.axes[0][1], []).append(cell)
        for domain, group in by_axis.items():
            out += [*self.grid(domain, group), ""]
        grouped = {cell.state.name for group in by_axis.values() for cell in group}
        for cell in rest:
            if cell.state.name not in grouped:
                out += self.wrapped(self.label(cell), self.listed(cell))
        return out

    # ------------------------------------------------------------ names and values

    def label(self, cell: Cell) -> str:
        return label(cell, self.teller)

    def member(self, domain: str, n: int) -> str:
        enum = self.model.enum_of(domain)
        if enum is not None and enum.kind == "player":
            return self.teller.name(n)
        return self.words.value(self.teller.member(domain, n))

    def code(self, domain: str, n: int) -> str:
        """A few letters for a member."""
        enum = self.model.enum_of(domain)
        assert enum is not None
        if enum.kind == "open":
            return "{},{}".format(*open_cell(n))
        if enum.kind in ("cells", "corners"):
            return enum.members[n]
        if enum.name not in self.codes:
            letters = short_codes([self.member(enum.name, k) for k in range(len(enum.members))])
            keys = [f"letter.{enum.name}.{enum.kinds[k] if enum.kinds else enum.members[k]}" for k in range(len(enum.members))]
            self.codes[enum.name] = [self.words.text(key) if self.words.has(key) else code for key, code in zip(keys, letters)]
        return self.codes[enum.name][n]

    def shown(self, found: Type, value: Any) -> str:
        """A value in words, as short as may be."""
        if isinstance(found, Maybe):
            return EMPTY if value is None or value == -1 else self.shown(found.of, value)
        if isinstance(found, Of):
            return self.member(found.name, value)
        if isinstance(found, Bool):
            return "x" if value else EMPTY
        if isinstance(found, BagOf):
            return ", ".join(f"{self.member(found.of.name, n)} {many}" for n, many in enumerate(value) if many) or EMPTY
        if isinstance(found, SetOf | ListOf | PileOf):
            if isinstance(found.of, Of):
                return ", ".join(self.member(found.of.name, n) for n in things(found, value)) or EMPTY
            return ", ".join(self.shown(found.of, part) for part in (sorted(value) if isinstance(value, frozenset) else value)) or EMPTY
        return str(value)

    def at(self, cell: Cell, index: list[int]) -> str | None:
        """An entry in words, how much lies there when it is hidden, or None when even that is not to be seen."""
        raw = self.position.at(cell, index)
        if sees(self.position, cell, index, self.seat):
            return self.shown(cell.state.type, raw)
        many = count(cell.state.type, raw)
        return None if many is None else self.words.text("table.hidden", n=many)

    def blank(self, cell: Cell) -> bool:
        """Whether nothing that the seat knows of was ever put into a state."""
        if cell.state.seen != "open":
            return not any(raw != self.nothing(cell) if sees(self.position, cell, index, self.seat) else count(cell.state.type, raw)
                           for _, index, raw in spots_of(self.position, cell))
        s = self.position.s
        values = s[cell.base : cell.base + cell.count]
        nothing = {"mask": 0, "sparse": {}, "bag": 0}.get(cell.form, cell.default)
        return all(value == nothing for value in values) and bool(cell.state.axes or not isinstance(cell.state.type, Int))

    def small(self, cell: Cell) -> bool:
        domain = cell.state.axes[0][1]
        enum = self.model.enums[domain]
        return enum.kind in ("enum", "player", "option", "direction") and len(enum) <= 12

    # ------------------------------------------------------------ boards

    def board(self, board: Board, cells: list[Cell]) -> list[str]:
        """A board with what its cells hold, and below it what the letters mean."""
        single = [cell for cell in cells if len(cell.state.axes) == 1 and cell.state.seen == "open"]
        double = [cell for cell in cells if len(cell.state.axes) == 2 and cell.state.seen == "open" and not self.blank(cell)]
        used: dict[str, dict[str, str]] = {}
        numbers = list(range(len(board.cells)))
        places = list(board.cells)
        if board.open:
            numbers = sorted({key for cell in single + double for found in self.position.s[cell.base : cell.base + cell.count]
                              for key in found})
            places = [open_cell(n) for n in numbers]
            if not numbers:
                return []
        first = [self.marks(single, n, used) for n in numbers]
        second = [self.marks(double, n, used) for n in numbers]
        labels = ["{},{}".format(*open_cell(n)) if board.open else board.labels[n] for n in numbers]
        if board.shape == "square":
            out = self.square(places, first, second)
        else:
            out = self.hexes(board, places, labels, first, second)
        for name, meanings in used.items():
            out += self.wrapped(name, ", ".join(f"{code} {word}" for code, word in sorted(meanings.items())))
        return out

    def marks(self, cells: list[Cell], n: int, used: dict[str, dict[str, str]]) -> str:
        """What a cell holds, in letters."""
        out = []
        for cell in cells:
            axes = cell.state.axes
            others = range(len(self.model.enums[axes[0][1]])) if len(axes) == 2 else [None]
            for other in others:
                index = [n] if other is None else [other, n]
                raw, found = self.position.at(cell, index), cell.state.type
                inner = found.of if isinstance(found, Maybe) else found
                if raw is None or raw == -1 or raw == cell.default and not (isinstance(found, Of)) or raw == () or raw == frozenset():
                    continue
                text = self.code(inner.name, raw) if isinstance(inner, Of) else "" if isinstance(inner, Bool) else self.mark(inner, raw)
                if isinstance(inner, Of):
                    used.setdefault(self.label(cell), {})[text] = self.member(inner.name, raw)
                if other is not None:
                    domain = axes[0][1]
                    code = self.code(domain, other)
                    used.setdefault(self.label(cell), {})[code] = self.member(domain, other)
                    text = code + text
                elif isinstance(inner, Bool):
                    text = "*"
                    used.setdefault(self.label(cell), {})[text] = self.words.text("yes")
                out.append(text)
        return " ".join(out)

    def mark(self, found: Type, raw: Any) -> str:
        if isinstance(found, Int):
            return str(raw)
        total = count(found, raw)
        return "" if total is None else str(total)

    def square(self, places: list[tuple[int, int]], first: list[str], second: list[str]) -> list[str]:
        """Rows from the top, with numbers at the left and letters below."""
        from ..dsl.boards import letters
        texts = {place: " ".join(part for part in pair if part) or EMPTY for place, pair in zip(places, zip(first, second))}
        columns, rows = sorted({x for x, _ in places}), sorted({y for _, y in places}, reverse=True)
        wide = max(1, min(max(map(len, texts.values())), (self.width - 5) // len(columns) - 1))
        margin = len(str(rows[0] + 1))
        out = []
        for y in rows:
            line = " ".join(cut(texts.get((x, y), ""), wide).center(wide) for x in columns)
            out.append(f"{y + 1:>{margin}}  {line}".rstrip())
        out.append(" " * (margin + 2) + " ".join(letters(x).center(wide) for x in columns).rstrip())
        return out

    def hexes(self, board: Board, places: list[tuple[int, int]], labels: list[str], first: list[str], second: list[str]) -> list[str]:
        """Each hexagon has two lines, set off by half against its neighbours; what does not fit ends in +."""
        spots = {}
        for n, (q, r) in enumerate(places):
            spots[n] = (2 * q, 2 * r + q) if board.flat else (2 * q + r, 2 * r)
        left, top = min(x for x, _ in spots.values()), min(y for _, y in spots.values())
        across = max(x for x, _ in spots.values()) - left + 2
        longest = max(max(len(f"{a} {b}".strip()), len(c)) for a, b, c in zip(labels, first, second))
        half = max(2, min((longest + 2) // 2, self.width // across))
        rows: dict[int, list[tuple[int, str]]] = {}
        for n, (x, y) in spots.items():
            at = (x - left) * half
            rows.setdefault(y - top, []).append((at, cut(f"{labels[n]} {first[n]}".strip(), 2 * half - 1)))
            rows.setdefault(y - top + 1, []).append((at, cut(second[n], 2 * half - 1)))
        out = []
        for y in range(max(rows) + 1):
            line = ""
            for at, text in sorted(rows.get(y, [])):
                line = line.ljust(at) + text if text else line
            out.append(line.rstrip())
        return [line for n, line in enumerate(out) if line or any(second)]

    # ------------------------------------------------------------ tables and lists

    def grid(self, domain: str, cells: list[Cell]) -> list[str]:
        """States over one enumeration: a row for each member that has anything, a column for each state; columns that do not fit go
        below."""
        enum = self.model.enums[domain]
        held = {cell.state.name: [self.at(cell, [n]) for n in range(len(enum))] for cell in cells}
        kept = [n for n in range(len(enum)) if enum.kind == "player" or any(texts[n] not in (None, "0", EMPTY) for texts in held.values())]
        kept = kept or list(range(len(enum)))
        rows = [self.member(domain, n) for n in kept]
        columns = []
        for cell in cells:
            texts = [held[cell.state.name][n] for n in kept]
            columns.append([self.label(cell), *("" if text is None else text for text in texts)])
        heads = ["", *rows]
        margin = max(map(len, heads))
        blocks: list[list[list[str]]] = [[]]
        room = self.width - margin
        for column in columns:
            wide = min(max(map(len, column)), 30)
            if blocks[-1] and room < wide + 2:
                blocks.append([])
                room = self.width - margin
            blocks[-1].append([cut(text, 30) for text in column])
            room -= wide + 2
        out: list[str] = []
        for block in blocks:
            if out:
                out.append("")
            for n, head in enumerate(heads):
                line = head.ljust(margin)
                for column in block:
                    wide = max(map(len, column))
                    text = column[n]
                    line += "  " + (text.rjust(wide) if text.lstrip("-").isdigit() or text == EMPTY else text.ljust(wide))
                out.append(line.rstrip())
        return out

    def listed(self, cell: Cell) -> str:
        """A state in one line: each entry that holds something."""
        axes = cell.state.axes
        if not axes:
            return self.at(cell, []) or ""
        groups: dict[str, list[str]] = {}
        empty = self.shown(cell.state.type, self.nothing(cell))
        for index in self.indices(cell):
            text = self.at(cell, index)
            if text is None or text == empty and not (isinstance(cell.state.type, Of)):
                continue
            name = " ".join(self.member(domain, n) for (_, domain), n in zip(axes, index))
            groups.setdefault(text, []).append(name)
        return "; ".join(f"{text}: {', '.join(names)}" if isinstance(cell.state.type, Maybe | Of | Bool) else f"{', '.join(names)}: {text}"
                         for text, names in groups.items())

    def nothing(self, cell: Cell) -> Any:
        return (0,) * cell.width if cell.form == "bag" else cell.default

    def indices(self, cell: Cell) -> list[list[int]]:
        out: list[list[int]] = [[]]
        for _, domain in cell.state.axes:
            enum = self.model.enums[domain]
            members = range(len(enum.members))
            if enum.kind == "open":
                found = self.position.s[cell.base : cell.base + cell.count]
                members = sorted({key for part in found for key in part})                # type: ignore[assignment]
            out = [[*index, n] for index in out for n in members]
        return out

    def wrapped(self, label: str, text: str) -> list[str]:
        return textwrap.wrap(f"{label}: {text or EMPTY}", self.width, subsequent_indent="    ")


def cut(text: str, width: int) -> str:
    """`text` in at most `width` columns; a + at the end says that more was there."""
    return text if len(text) <= width else text[: max(0, width - 1)] + "+"
