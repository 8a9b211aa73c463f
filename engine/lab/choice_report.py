"""The chapter of the report about choices: significant results in sentences and in a picture, all results in
tables by group."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ..i18n import ProperName
from ..i18n.text_layout import wrap_cells
from ..table_view.html_page import escape_html, html_table
from .choice_labels import ACTION_GROUP, ChoiceLabels
from .choice_value import ChoiceShift, ChoiceValue, has_meaningful_points
from .game_statistics import GameStatistics
from .report_text import ReportSentences

if TYPE_CHECKING:
    from .plots import ReportPlots

MAX_SENTENCES = 12                            # of one kind; the tables have the rest
MAX_PLOTTED_THINGS = 20
LABEL_LINE_CHARS = 44                            # in one line of a name next to a picture


class ChoiceChapter:
    """The chapter about choices in games with the rules of interest.

    `shifts` are the changes against the other rules. `named` are the things whose numbers packs set: for these,
    the chapter also says if there is no clear change."""

    def __init__(
        self,
        sentences: ReportSentences,
        figures: GameStatistics,
        merits: Sequence[ChoiceValue],
        shifts: Sequence[ChoiceShift],
        named: Iterable[str],
    ) -> None:
        self.sentences, self.words, self.shifts, self.named = sentences, sentences.words, shifts, set(named)
        self.naming = ChoiceLabels(sentences.narrator, figures.games)
        self.shown = [merit for merit in merits if self.naming.group_of(merit.thing) is not None]
        self.kind = "points" if has_meaningful_points(figures.complete_games) else "victory"

    @cached_property
    def labels(self) -> dict[str, str]:
        return self.naming.label_all([*(merit.thing for merit in self.shown), *(shift.thing for shift in self.shifts)])

    def method_note(self) -> str:
        return self.words.text(f"report.things.{self.kind}")

    # ------------------------------------------------------------ significant choices

    @cached_property
    def clear_things(self) -> list[ChoiceValue]:
        """The things whose value is significant, best first."""
        return sorted((merit for merit in self.shown if merit.clear), key=lambda merit: -(merit.by or 0))

    def clear_sentences(self) -> list[str]:
        """Returns one sentence per significant thing. If there are too many, only the best and the worst are kept."""
        if not self.clear_things:
            return [self.words.text("report.things.none")] if any(merit.by is not None for merit in self.shown) else []
        many = len(self.clear_things) > MAX_SENTENCES
        return [
            self.value_sentence(merit)
            for merit in (
                [*self.clear_things[: MAX_SENTENCES // 2], *self.clear_things[-MAX_SENTENCES // 2 :]] if many else self.clear_things
            )
        ]

    def value_sentence(self, merit: ChoiceValue) -> str:
        by = merit.by or 0
        low, high = (merit.low, merit.high) if by > 0 else (-merit.high, -merit.low)
        return self.words.text(
            f"report.{'most' if by > 0 else 'least'}.{self.kind}",
            thing=self.labels[merit.thing],
            by=self.sentences.format_percent(abs(by)),
            low=self.sentences.format_percent(low),
            high=self.sentences.format_percent(high),
        )

    def draw_picture(self, plots: ReportPlots) -> tuple[str, str] | None:
        """Returns a picture of the significant things and its description, or None if there are none."""
        if not self.clear_things:
            return None
        drawn = sorted(
            sorted(self.clear_things, key=lambda merit: -abs(merit.by or 0))[:MAX_PLOTTED_THINGS], key=lambda merit: -(merit.by or 0)
        )
        said = self.words.text(f"report.things.{self.kind}.alt")
        return plots.draw_intervals([wrap_label(self.labels[merit.thing]) for merit in drawn],
                               [(100 * (merit.by or 0), 100 * merit.low, 100 * merit.high) for merit in drawn], said,
                               self.words.text("axis.more")), said

    # ------------------------------------------------------------ changes by house rules

    def change_sentences(self) -> list[str]:
        """Returns sentences about the significant changes, and about things that packs name."""
        if not self.shifts:
            return []
        clear = sorted(
            (shift for shift in self.shifts if shift.clear),
            key=lambda shift: (shift.thing not in self.named, not shift.is_value, -abs(shift.by) / (shift.high - shift.low or 1)),
        )
        alike: dict[tuple[bool, bool], list[ChoiceShift]] = {}
        for shift in clear[:MAX_SENTENCES]:
            alike.setdefault((shift.is_value, shift.by > 0), []).append(shift)
        out = [self.shift_sentence(group[0], "more" if more else "less") if len(group) == 1 else self.group_shift_sentence(group, more)
               for (_, more), group in alike.items()]
        if not clear:
            out.append(self.words.text("report.shift.none"))
        return out + [self.shift_sentence(shift, "unclear") for shift in self.shifts
                      if shift.is_value and not shift.clear and shift.thing in self.named]

    def shift_sentence(self, shift: ChoiceShift, key: str) -> str:
        ends = (shift.low, shift.high) if key != "less" else (-shift.high, -shift.low)
        number = self.sentences.format_number if key != "unclear" else self.sentences.format_signed
        worth = self.sentences.format_signed if shift.is_value else self.sentences.format_number
        scale = 100 if shift.is_value else 1
        return self.words.text(f"report.shift.{'worth' if shift.is_value else 'times'}.{key}", thing=self.labels[shift.thing],
                               before=worth(scale * shift.before), after=worth(scale * shift.after), low=number(scale * ends[0]),
                               high=number(scale * ends[1]))

    def group_shift_sentence(self, group: Sequence[ChoiceShift], more: bool) -> str:
        """Returns one sentence for several things that all change in the same direction."""
        worth = group[0].is_value
        number, scale = (self.sentences.format_signed, 100) if worth else (self.sentences.format_number, 1)
        things = [ProperName(self.words.text("report.shift.thing", thing=self.labels[shift.thing], before=number(scale * shift.before),
                                         after=number(scale * shift.after))) for shift in group]
        return self.words.text(f"report.shifts.{'worth' if worth else 'times'}.{'more' if more else 'less'}", things=things)

    def change_table(self) -> str:
        """Returns a collapsible table of every change of value: before, after, difference and interval."""
        worths = sorted((shift for shift in self.shifts if shift.is_value), key=lambda shift: -shift.by)
        head = [self.words.text(f"report.column.{name}") for name in ("thing", "before", "after", "by", "low", "high")]
        rows = [[self.mark_clear(shift.clear, self.labels[shift.thing]),
                 *(self.sentences.format_signed(100 * value) for value in (shift.before, shift.after, shift.by, shift.low, shift.high))]
                for shift in worths]
        return details_html(self.words.text("report.shift.table", n=len(rows)), html_table(head, rows)) if rows else ""

    # ------------------------------------------------------------ tables

    def group_tables(self) -> list[str]:
        """Returns a collapsible table for each group, answers first. Significant rows come first."""
        groups: dict[str, list[ChoiceValue]] = {}
        for merit in self.shown:
            groups.setdefault(self.naming.group_of(merit.thing) or "", []).append(merit)
        out = []
        for group in sorted(groups, key=lambda group: (group != ACTION_GROUP, -len(groups[group]), group)):
            rows = sorted(groups[group], key=lambda merit: (not merit.clear, -merit.times, merit.thing))
            head = [self.words.text(f"report.column.{name}") for name in ("thing", "times", "more", "low", "high")]
            heading = self.words.text("report.group", name=self.naming.group_heading(group), n=len(rows),
                                      clear=sum(merit.clear for merit in rows))
            out.append(details_html(heading, html_table(head, list(map(self.table_row, rows)))))
        return out

    def table_row(self, merit: ChoiceValue) -> list[str]:
        worth = (
            ["", "", ""] if merit.by is None else [self.sentences.format_signed(100 * value) for value in (merit.by, merit.low, merit.high)]
        )
        return [self.mark_clear(merit.clear, self.labels[merit.thing]), self.sentences.format_number(merit.times), *worth]

    def mark_clear(self, clear: bool, name: str) -> str:
        """Returns the name, with a star if it is significant."""
        return f"{name} *" if clear else name


def details_html(heading: str, inside: str) -> str:
    return f"<details><summary>{escape_html(heading)}</summary>\n{inside}</details>"


def wrap_label(name: str) -> str:
    """Returns a name in at most two lines, so that it fits next to a picture.

    The middle of a longer name is left out, since answers to the same question differ at the end."""
    rows = wrap_cells(name, LABEL_LINE_CHARS)
    return "\n".join(rows if len(rows) < 3 else [rows[0] + " …", rows[-1]])
