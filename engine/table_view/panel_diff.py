"""The differences between two tables built for the same seat, panel by panel, as sentences or as marks in the
newer table.

Only panels are compared, so nothing that is hidden from the seat can leak."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, TypeVar

from ..i18n import Localizer
from ..i18n.text_layout import truncate_cells, wrap_cells
from .plain_renderer import INDENT
from .view_model import BoardCell, BoardPanel, GridPanel, Line, ListItem, ListPanel, Panel, join_words

MAX_FULL_PARTS = 6                                                            # up to this many parts, lines are shown in full
Kind = Literal["value", "new", "gone", "order"]
MarkChange = Callable[[], None]                                         # marks a change in the newer table
Differences = Iterator[tuple["PanelChange", MarkChange | None]]
T = TypeVar("T")


@dataclass(frozen=True)
class PanelChange:
    """One difference. `kind`: another value, something added ("new"), something removed ("gone"), or a new order (in
    `after`).

    `panel` is the title of the panel, `label` the row, cell, or entry, and `what` the column or another aspect of
    it. A name that does not exist is ""."""

    panel: str
    label: str
    what: str
    kind: Kind
    before: str = ""
    after: str = ""


def find_changes(before: list[Panel], after: list[Panel]) -> list[PanelChange]:
    """Returns the differences between two tables built for the same seat and language, in the order of the panels."""
    found = [change for change, _ in iter_changes(before, after)]
    told = {change.after for change in found if change.kind == "order" and not change.what}
    out = []
    for change in found:                                           # two panels may follow one order
        if change.kind != "order" or change.what or change.after in told:
            out.append(change)
            told.discard(change.after)
    return out


def mark_changes(before: list[Panel], after: list[Panel]) -> None:
    """Marks the labels of all changes in `after`, so that a terminal shows them."""
    for _, touch in list(iter_changes(before, after)):
        if touch is not None:
            touch()


def format_changes(found: Sequence[PanelChange], words: Localizer, width: int, max_lines: int = 8) -> list[str]:
    """Returns changes as lines of text, with one sentence for each thing.

    If there are more than `max_lines` lines, the last one gives the number of omitted things."""
    things: dict[tuple[str, str], list[PanelChange]] = {}
    for change in found:
        things.setdefault((change.panel, change.label), []).append(change)
    told = [
        wrap_cells(": ".join([*filter(None, thing), "; ".join(format_thing_changes(parts, words))]), width, INDENT)
        for thing, parts in things.items()
    ]
    if sum(map(len, told)) <= max_lines:
        return [line for lines in told for line in lines]
    out: list[str] = []
    shown = 0
    for lines in told:
        if len(out) + len(lines) > max_lines - 1:
            break
        out += lines
        shown += 1
    return [*out, truncate_cells(words.text("change.more", n=len(told) - shown), width)]


def format_thing_changes(parts: Sequence[PanelChange], words: Localizer) -> Iterator[str]:
    """Yields the changes of one thing as text. Added things are listed together, and so are removed ones."""
    for kind in ("new", "gone"):
        alone = [change.after or change.before for change in parts if change.kind == kind and not change.what]
        if alone:
            yield words.text(f"change.{kind}", things=", ".join(alone))
    for change in parts:
        if change.kind == "value":
            value = words.text("change.value", before=change.before, after=change.after)
            yield f"{change.what} {value}" if change.what else value
        elif change.what or change.kind == "order":
            things = words.text(f"change.{change.kind}", things=change.before if change.kind == "gone" else change.after)
            yield f"{change.what}: {things}" if change.what else things


# ---------------------------------------------------------------- comparing


def iter_changes(before: list[Panel], after: list[Panel]) -> Differences:
    """Yields every change, with a function that marks it in `after`, or None."""
    for was, now in match_pairs(before, after, lambda panel: (type(panel).__name__, panel.key or panel.title)):
        either = now or was
        if isinstance(either, BoardPanel):
            bare = replace(either, spots=[], parts=[])
            yield from diff_boards(was if isinstance(was, BoardPanel) else bare, now if isinstance(now, BoardPanel) else bare)
        elif isinstance(either, GridPanel):
            empty = replace(either, rows=[], bands={})
            yield from diff_grids(was if isinstance(was, GridPanel) else empty, now if isinstance(now, GridPanel) else empty)
        elif isinstance(either, ListPanel):
            none = replace(either, entries=[])
            yield from diff_lists(was if isinstance(was, ListPanel) else none, now if isinstance(now, ListPanel) else none)


def match_pairs(before: Iterable[T], after: Iterable[T], key: Callable[[T], object]) -> list[tuple[T | None, T | None]]:
    """Matches the items of two lists by key, as (before, after). None stands for an item that is on one side only.

    The order is that of `after`. A removed item follows its predecessor."""
    was, now = index_by_key(before, key), index_by_key(after, key)
    order = list(now)
    at = 0
    for found in was:
        if found in now:
            at = order.index(found) + 1
        else:
            order.insert(at, found)
            at += 1
    return [(was.get(found), now.get(found)) for found in order]


def index_by_key(things: Iterable[T], key: Callable[[T], object]) -> dict[object, T]:
    """Returns things by key. Repeated keys are numbered."""
    out: dict[object, T] = {}
    seen: Counter[object] = Counter()
    for thing in things:
        found = key(thing)
        seen[found] += 1
        out[found, seen[found]] = thing
    return out


def diff_lines(panel: str, label: str, what: str, was: Line, now: Line) -> PanelChange | None:
    """Returns the change from one line to another, or None. For long lines, only the parts that differ.

    If an amount above one occurs before or after, even an amount of one is written as a number. If only the
    amount differs, the thing is named once."""
    if was == now:                                                 # most lines
        return None
    several = {span.text for span in (*was, *now) if span.count_suffix}
    numbers = {
        span.words_with_amount: (span.text, span.words_with_amount.removeprefix(span.text).strip())
        for span in (*was, *now)
        if span.text in several
    }
    old, new = ([span.words_with_amount if span.text in several else span.words for span in line if span.words] for line in (was, now))
    if old == new:
        return None
    if sorted(old) == sorted(new):
        return PanelChange(panel, label, what, "order", after=", ".join(new))
    if len(old) + len(new) > MAX_FULL_PARTS:
        gone, come = Counter(old) - Counter(new), Counter(new) - Counter(old)
        old, new = list(gone.elements()), list(come.elements())
    if not old and len(new) == 1 and new[0].isdigit():              # an empty cell means zero
        old = ["0"]
    if not new and len(old) == 1 and old[0].isdigit():
        new = ["0"]
    if old == new:
        return None
    if len(old) == len(new) == 1 and numbers.get(old[0], ("",))[0] == numbers.get(new[0], (None,))[0]:
        new = [numbers[new[0]][1]]
    kind: Kind = "value" if old and new else "new" if new else "gone"
    return PanelChange(panel, label, what, kind, ", ".join(old), ", ".join(new))


# ---------------------------------------------------------------- boards


def diff_boards(was: BoardPanel, now: BoardPanel) -> Differences:
    """Yields the changes of a board."""
    several = len({caption for chart in (was, now) for spot in chart.spots for caption, _ in spot.contents}) > 1
    for old, new in match_pairs(was.spots, now.spots, lambda spot: spot.label):
        if old == new:                                             # most cells
            continue
        either = new or old
        assert either is not None
        label = either.label
        found = list(diff_cells(now.title, label, old or BoardCell(label, (0, 0)), new or BoardCell(label, (0, 0)), several))
        yield from ((change, partial(mark_cell, new) if new is not None else None) for change in found)
    for (caption, place), old_span, new_span in part_pairs(was, now):
        change = diff_lines(now.title, place, caption if len(now.parts) > 1 else "", old_span, new_span)
        if change is not None:
            yield change, partial(mark_parts, was, now)


def diff_cells(title: str, label: str, was: BoardCell, now: BoardCell, has_several_captions: bool) -> Iterator[PanelChange]:
    """Yields the changes of one cell. `has_several_captions`: whether the board shows more than one kind of thing, so that
    captions are needed."""
    change = diff_lines(title, label, "", [was.ground] if was.ground else [], [now.ground] if now.ground else [])
    if change is not None:
        yield change
    for named, old, new in ((has_several_captions, was.contents, now.contents), (True, was.marks, now.marks)):
        befores, afters = dict(old), dict(new)
        for caption in dict.fromkeys([*befores, *afters]):
            lying = befores.get(caption, []), afters.get(caption, [])
            told = caption if named and all(join_words(line) != caption for line in lying) else ""      # a truth value is its own caption
            change = diff_lines(title, label, told, *lying)
            if change is not None:
                yield change


def part_pairs(was: BoardPanel, now: BoardPanel) -> Iterator[tuple[tuple[str, str], Line, Line]]:
    """Yields the corners and edges that either board lists, as (caption, label), with their contents before and after."""
    befores, afters = ({(caption, label): [span] for caption, held in chart.parts for label, span in held} for chart in (was, now))
    for key in dict.fromkeys([*befores, *afters]):
        yield key, befores.get(key, []), afters.get(key, [])


def mark_cell(spot: BoardCell) -> None:
    spot.changed = True


def mark_parts(was: BoardPanel, now: BoardPanel) -> None:
    """Marks the corners and edges whose contents differ."""
    befores = {spot.at: spot.parts for spot in was.spots}
    for spot in now.spots:
        old = befores.get(spot.at, {})
        spot.parts = {suffix: span if suffix in old and old[suffix].words == span.words else replace(span, changed=True)
                      for suffix, span in spot.parts.items()}


# ---------------------------------------------------------------- tables


@dataclass(frozen=True)
class GridRow:
    """A row of a table with the heading above it (`band`). `n`: its index."""

    label: str
    band: str
    cells: dict[str, Line]
    n: int


def grid_rows(grid: GridPanel) -> list[GridRow]:
    """Returns the rows of a table, each with its heading and with its cells by column key."""
    out, band = [], ""
    for n, row in enumerate(grid.rows):
        band = grid.bands[n][-1].words if grid.bands.get(n) else band
        out.append(GridRow(join_words(row[0]), band, dict(zip(grid.columns or map(str, range(len(row))), row[1:])), n))
    return out


def diff_grids(was: GridPanel, now: GridPanel) -> Differences:
    """Yields the changes of a table. If its rows form a list, rows can also be added, removed, and reordered."""
    names = {key: head for grid in (was, now) for key, head in zip(grid.columns or map(str, range(len(grid.heads))), grid.heads[1:])}
    olds, news = grid_rows(was), grid_rows(now)
    matched = match_pairs(olds, news, lambda row: row.label)
    if now.listed:
        yield from diff_row_set(now, matched)
        stayed = [(old, new) for old, new in matched if old is not None and new is not None]
        labels = [new.label for _, new in stayed]
        if not now.bands and [old.label for old in olds if old.label in labels] != labels:
            yield PanelChange(now.title, "", "", "order", after=", ".join(row.label for row in news)), None
        matched = list(stayed)
    for old, new in matched:
        row = new or old
        assert row is not None
        touch = partial(mark_row, now, new.n) if new is not None else None
        if old is not None and new is not None and old.band != new.band:
            yield PanelChange(now.title, row.label, "", "value", old.band, new.band), touch
        for key, name in names.items():
            change = diff_lines(now.title, row.label, name, old.cells.get(key, []) if old else [], new.cells.get(key, []) if new else [])
            if change is not None:
                yield change, touch


def diff_row_set(now: GridPanel, matched: list[tuple[GridRow | None, GridRow | None]]) -> Differences:
    """Yields the rows that were added to or removed from a list."""
    for old, new in matched:
        if old is None and new is not None:
            yield PanelChange(now.title, new.band, "", "new", after=new.label), partial(mark_row, now, new.n)
        elif new is None and old is not None:
            yield PanelChange(now.title, old.band, "", "gone", old.label), None


def mark_row(grid: GridPanel, n: int) -> None:
    grid.rows[n][0] = with_change_mark(grid.rows[n][0])


def with_change_mark(line: Line) -> Line:
    """Returns a line with all its parts marked as changed."""
    return [replace(span, changed=True) for span in line]


# ---------------------------------------------------------------- lists


def diff_lists(was: ListPanel, now: ListPanel) -> Differences:
    """Yields the changes of a list panel, according to its `flow`."""
    if now.flow == "steps":
        yield from diff_steps(was, now)
    elif now.flow == "lists":
        yield from diff_groups(was, now)
    elif now.flow == "texts" or not any(entry.body for panel in (was, now) for entry in panel.entries):
        yield from diff_things(was, now)
    else:
        for old, new in match_pairs(was.entries, now.entries, lambda entry: join_words(entry.head)):
            either = new or old
            assert either is not None
            change = diff_lines(now.title, join_words(either.head), "", entry_body(old), entry_body(new))
            if change is not None:
                yield change, partial(mark_head, new) if new is not None else None


def entry_body(entry: ListItem | None) -> Line:
    """Returns the first line of an entry's body, or an empty line."""
    return entry.body[0] if entry is not None and entry.body else []


def diff_steps(was: ListPanel, now: ListPanel) -> Differences:
    """Yields the change of an order. It is reported as a whole."""
    olds, news = [[(join_words(entry.head), join_words(entry_body(entry))) for entry in panel.entries] for panel in (was, now)]
    if olds != news:
        before, after = (", ".join(text for _, text in order) for order in (olds, news))
        yield PanelChange(now.title, "", "", "order" if news else "gone", before, after), partial(mark_new_entries, olds, now)


def mark_new_entries(olds: list[tuple[str, str]], now: ListPanel) -> None:
    for entry in now.entries:
        if (join_words(entry.head), join_words(entry_body(entry))) not in olds:
            entry.body[0] = with_change_mark(entry.body[0])


def diff_things(was: ListPanel, now: ListPanel) -> Differences:
    """Yields the things that were added or removed, and those whose amount changed."""
    befores, afters = count_things(was), count_things(now)
    for text in dict.fromkeys([*afters, *befores]):
        old, new = befores[text], afters[text]
        if old and new and old != new:
            yield PanelChange(now.title, "", "", "value", f"{text} {old}", str(new)), partial(mark_things, now, text)
        elif new and not old:
            yield PanelChange(now.title, "", "", "new", after=text if new == 1 else f"{text} {new}"), partial(mark_things, now, text)
        elif old and not new:
            yield PanelChange(now.title, "", "", "gone", text if old == 1 else f"{text} {old}"), None


def count_things(panel: ListPanel) -> Counter[str]:
    """Returns the amount of each thing in a panel."""
    out: Counter[str] = Counter()
    for entry in panel.entries:
        out[join_words(replace(span, amount=None) for span in entry.head)] += entry.head[0].amount or 1
    return out


def mark_things(now: ListPanel, text: str) -> None:
    for entry in now.entries:
        if join_words(replace(span, amount=None) for span in entry.head) == text:
            mark_head(entry)


def mark_head(entry: ListItem) -> None:
    entry.head = with_change_mark(entry.head)


def diff_groups(was: ListPanel, now: ListPanel) -> Differences:
    """Yields the changes of places in groups: the contents of the places and of the group."""
    for old, new in match_pairs(was.entries, now.entries, lambda entry: entry.head[0].words):
        either = new or old
        assert either is not None
        name = either.head[0].words
        change = diff_lines(now.title, name, "", old.head[1:] if old else [], new.head[1:] if new else [])
        if change is not None:
            yield change, partial(mark_group, new) if new is not None else None
        for before, after in match_pairs(old.body if old else [], new.body if new else [], lambda line: line[0].words):
            place = after or before
            assert place is not None
            label = f"{name} {place[0].words}"
            for old_line, new_line in zip(split_place(before), split_place(after)):
                change = diff_lines(now.title, label, "", old_line, new_line)
                if change is not None:
                    yield change, partial(mark_place, after) if after is not None else None


def split_place(place: Line | None) -> tuple[Line, Line]:
    """Splits a place into its attributes and its contents."""
    if place is None:
        return [], []
    at = next(n for n, span in enumerate(place) if span.text == ":")
    return place[1:at], [span for span in place[at + 1 :] if not span.is_free]


def mark_group(entry: ListItem) -> None:
    entry.head[0] = replace(entry.head[0], changed=True)


def mark_place(place: Line) -> None:
    place[0] = replace(place[0], changed=True)
