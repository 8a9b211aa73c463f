"""The chapter of the report on what was chosen: what is more than chance in sentences and a picture, everything in tables by groups."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ..i18n import Proper
from ..table_view.html_page import quoted, table_of
from .choice_labels import ACTIONS, Names
from .choice_value import Merit, Shift, by_points
from .game_statistics import Figures
from .report_text import Told

if TYPE_CHECKING:
    from .plots import Plots

SAID = 12                            # sentences of one kind; the tables have the rest
DRAWN = 20                           # things in the picture
LONG = 44                            # letters of a line of a name beside a picture


class Things:
    """What was chosen in some games, by the rules asked about; `shifts`: what other rules make of it; `named`: the things that packs speak
    of, of which it is also said that nothing can be told."""

    def __init__(self, told: Told, figures: Figures, merits: Sequence[Merit], shifts: Sequence[Shift], named: Iterable[str]) -> None:
        self.told, self.words, self.shifts, self.named = told, told.words, shifts, set(named)
        self.naming = Names(told.teller, figures.games)
        self.shown = [merit for merit in merits if self.naming.group(merit.thing) is not None]
        self.kind = "points" if by_points(figures.ended) else "victory"

    @cached_property
    def names(self) -> dict[str, str]:
        return self.naming.of([*(merit.thing for merit in self.shown), *(shift.thing for shift in self.shifts)])

    def method(self) -> str:
        return self.words.text(f"report.things.{self.kind}")

    # ------------------------------------------------------------ what is more than chance

    @cached_property
    def clear(self) -> list[Merit]:
        """The things that are more than chance, the best first."""
        return sorted((merit for merit in self.shown if merit.clear), key=lambda merit: -(merit.by or 0))

    def clear_ones(self) -> list[str]:
        """A sentence for each of them, for the best and the worst where they are many."""
        if not self.clear:
            return [self.words.text("report.things.none")] if any(merit.by is not None for merit in self.shown) else []
        many = len(self.clear) > SAID
        return [self.sentence(merit) for merit in ([*self.clear[: SAID // 2], *self.clear[-SAID // 2 :]] if many else self.clear)]

    def sentence(self, merit: Merit) -> str:
        by = merit.by or 0
        low, high = (merit.low, merit.high) if by > 0 else (-merit.high, -merit.low)
        return self.words.text(f"report.{'most' if by > 0 else 'least'}.{self.kind}", thing=self.names[merit.thing],
                               by=self.told.percent(abs(by)), low=self.told.percent(low), high=self.told.percent(high))

    def picture(self, plots: Plots) -> tuple[str, str] | None:
        """A picture of the clear ones, or where there are none of those chosen most often; and what it shows."""
        judged = self.clear or [merit for merit in self.shown if merit.by is not None]
        if not judged:
            return None
        drawn = sorted(sorted(judged, key=lambda merit: -abs(merit.by or 0))[:DRAWN] if self.clear else judged[:DRAWN],
                       key=lambda merit: -(merit.by or 0))
        said = self.words.text(f"report.things.{self.kind}.alt")
        return plots.intervals([cut(self.names[merit.thing]) for merit in drawn],
                               [(100 * (merit.by or 0), 100 * merit.low, 100 * merit.high) for merit in drawn], said,
                               self.words.text("axis.more")), said

    # ------------------------------------------------------------ what the house rules change

    def changed(self) -> list[str]:
        """A sentence for the changes of each kind that are more than chance, and for what becomes of the things that packs speak of."""
        if not self.shifts:
            return []
        clear = sorted((shift for shift in self.shifts if shift.clear), key=lambda shift: (shift.thing not in self.named, not shift.worth,
                                                                                          -abs(shift.by) / (shift.high - shift.low or 1)))
        alike: dict[tuple[bool, bool], list[Shift]] = {}
        for shift in clear[:SAID]:
            alike.setdefault((shift.worth, shift.by > 0), []).append(shift)
        out = [self.shift(group[0], "more" if more else "less") if len(group) == 1 else self.shifted(group, more)
               for (_, more), group in alike.items()]
        if not clear:
            out.append(self.words.text("report.shift.none"))
        return out + [self.shift(shift, "unclear") for shift in self.shifts
                      if shift.worth and not shift.clear and shift.thing in self.named]

    def shift(self, shift: Shift, key: str) -> str:
        ends = (shift.low, shift.high) if key != "less" else (-shift.high, -shift.low)
        number = self.told.number if key != "unclear" else self.told.signed
        worth = self.told.signed if shift.worth else self.told.number
        scale = 100 if shift.worth else 1
        return self.words.text(f"report.shift.{'worth' if shift.worth else 'times'}.{key}", thing=self.names[shift.thing],
                               before=worth(scale * shift.before), after=worth(scale * shift.after), low=number(scale * ends[0]),
                               high=number(scale * ends[1]))

    def shifted(self, group: Sequence[Shift], more: bool) -> str:
        """One sentence for several things that all change in the same way."""
        worth = group[0].worth
        number, scale = (self.told.signed, 100) if worth else (self.told.number, 1)
        things = [Proper(self.words.text("report.shift.thing", thing=self.names[shift.thing], before=number(scale * shift.before),
                                         after=number(scale * shift.after))) for shift in group]
        return self.words.text(f"report.shifts.{'worth' if worth else 'times'}.{'more' if more else 'less'}", things=things)

    def change_table(self) -> str:
        """Every change of worth, foldable: by the other rules, by those asked about, and between what the difference lies."""
        worths = sorted((shift for shift in self.shifts if shift.worth), key=lambda shift: -shift.by)
        head = [self.words.text(f"report.column.{name}") for name in ("thing", "before", "after", "by", "low", "high")]
        rows = [[self.mark(shift.clear, self.names[shift.thing]),
                 *(self.told.signed(100 * value) for value in (shift.before, shift.after, shift.by, shift.low, shift.high))]
                for shift in worths]
        return folded(self.words.text("report.shift.table", n=len(rows)), table_of(head, rows)) if rows else ""

    # ------------------------------------------------------------ tables

    def tables(self) -> list[str]:
        """A foldable table for each group, what is more than chance first: the answers, then things by what they are."""
        groups: dict[str, list[Merit]] = {}
        for merit in self.shown:
            groups.setdefault(self.naming.group(merit.thing) or "", []).append(merit)
        out = []
        for group in sorted(groups, key=lambda group: (group != ACTIONS, -len(groups[group]), group)):
            rows = sorted(groups[group], key=lambda merit: (not merit.clear, -merit.times, merit.thing))
            head = [self.words.text(f"report.column.{name}") for name in ("thing", "times", "more", "low", "high")]
            heading = self.words.text("report.group", name=self.naming.heading(group), n=len(rows),
                                      clear=sum(merit.clear for merit in rows))
            out.append(folded(heading, table_of(head, list(map(self.row, rows)))))
        return out

    def row(self, merit: Merit) -> list[str]:
        worth = ["", "", ""] if merit.by is None else [self.told.signed(100 * value) for value in (merit.by, merit.low, merit.high)]
        return [self.mark(merit.clear, self.names[merit.thing]), self.told.number(merit.times), *worth]

    def mark(self, clear: bool, name: str) -> str:
        """A name, with a star where it is more than chance."""
        return f"{name} *" if clear else name


def folded(heading: str, inside: str) -> str:
    return f"<details><summary>{quoted(heading)}</summary>\n{inside}</details>"


def cut(name: str) -> str:
    """A name in two lines at most, so that it can stand beside a picture: the middle of a long one is left out, for answers to the same
    question differ at the end."""
    rows = textwrap.wrap(name, LONG)
    return "\n".join(rows if len(rows) < 3 else [rows[0] + " …", rows[-1]])
