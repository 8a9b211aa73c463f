"""Builds the panels of places with things on them: groups, stacks, orders, and dice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...dsl.game.table_config import TableValue, lookup_table_values
from ...dsl.types.types import Bool, Int
from ..i18n.template import capitalize_first
from .view_model import DIE_FACES, FREE_CODE, Legend, Line, ListItem, ListPanel, StackLayout, StyledText
from .visible_values import SeatView, VisibleValue


class PlacePanelBuilder:
    """Builds the panels of places. `PanelBuilder` adds the others."""

    def __init__(self, sight: SeatView, hands: set[str]) -> None:
        self.sight, self.hands = sight, hands                      # values that a `hand` panel shows
        self.model = sight.model
        self.explained: set[str] = set()                           # styles that an earlier legend has explained
        self.headings: dict[str, str] = {}                         # type → heading of the current legend

    def panel_title(self, panel: dict[str, Any], default: str = "") -> str:
        """Returns the title of a panel, from its `name`."""
        return self.sight.caption(panel["name"]) if "name" in panel else default

    def domain_name(self, name: str) -> str:
        """Returns the full name of a type, which may be given by an alias."""
        enum = self.model.enum_of(name)
        assert enum is not None
        return enum.name

    def note_in_legend(self, legend: Legend, spans: Line, caption: str) -> Line:
        """Adds the codes of these parts to a legend and returns the parts."""
        for span in spans:
            kind = span.style.partition(".")[0]
            if span.short:
                self.headings.setdefault(kind, caption)
                legend.setdefault(kind, {})[span.short] = span if span.amount is None else replace(span, amount=None)
        return spans

    def finish_legend(self, legend: Legend) -> tuple[Legend, Legend]:
        """Returns the legend of a panel twice: without entries that an earlier legend has explained, and complete."""
        headings, self.headings = self.headings, {}                # the next panel may use other headings
        whole = {headings[kind]: dict(sorted(entries.items())) for kind, entries in legend.items()}
        new = {head: {code: span for code, span in entries.items() if span.style not in self.explained} for head, entries in whole.items()}
        self.explained |= {span.style for entries in legend.values() for span in entries.values()}
        return {head: entries for head, entries in new.items() if entries}, whole

    def cell_line(self, value: TableValue, n: int) -> Line:
        """Returns what a value holds on a cell. Numbers over another type are amounts of the members of that type."""
        sight = self.sight
        if len(value.domains) == 1:
            found = sight.read(value, n)
            if isinstance(found, VisibleValue) and isinstance(found.type, Bool):
                return [StyledText(sight.caption(value.name), "strong", "*")] if found.raw else []
            if isinstance(found, VisibleValue) and isinstance(found.type, Int):
                return [StyledText("", "strong", amount=found.raw)] if found.raw else []
            return sight.line(found)
        out: Line = []
        for other in range(len(self.model.enums[value.domains[0]])):
            found = sight.read(value, other, n)
            if not sight.is_empty(found):
                who = sight.member(value.domains[0], other)
                if isinstance(found, VisibleValue) and isinstance(found.type, Int):
                    out.append(replace(who, amount=found.raw))
                else:
                    out += [who, *(sight.line(found) if not (isinstance(found, VisibleValue) and isinstance(found.type, Bool)) else [])]
        return out

    def track(self, panel: dict[str, Any]) -> ListPanel | None:
        """Builds a `track` panel: the things of a value in order, numbered or listed by member."""
        sight, name = self.sight, panel["track"]
        value = lookup_table_values(sight.game.ruleset, name)[0]
        entries = []
        if value.domains:
            for n in range(len(self.model.enums[value.domains[0]])):
                line = sight.line(sight.read(value, n))
                entries += [ListItem([sight.member(value.domains[0], n)], [line])] if line else []
        else:
            entries = [
                ListItem([StyledText(str(k))], [[sight.member(*thing)]]) for k, thing in enumerate(sight.things(sight.read(value)), 1)
            ]
        return ListPanel(self.panel_title(panel, sight.caption(name)), entries, "steps") if entries else None

    def groups(self, panel: dict[str, Any]) -> ListPanel:
        """Builds a `groups` panel: the members of a type as places, grouped by the value `by`."""
        sight, domain = self.sight, self.domain_name(panel["groups"])
        by = sight.find_value(panel["by"], domain)
        assert by is not None
        sections: dict[tuple[str, int], list[Line]] = {}
        legend: Legend = {}
        counts: dict[tuple[str, int], int] = {}
        members: dict[tuple[str, int], list[tuple[str, int]]] = {}
        for n in range(len(self.model.enums[domain])):
            for group in sight.things(sight.read(by, n)):
                counts[group] = counts.get(group, 0) + 1
                label = StyledText(str(counts[group]), "dim")
                told = [self.note_in_legend(legend, line, sight.caption(name)) for name in panel.get("told", [])
                        if (line := sight.join_values([name], domain, n))]
                here = [
                    span
                    for name in panel["pieces"]
                    for span in self.note_in_legend(legend, sight.line_for(name, domain, n), sight.caption(name))
                ]
                parts = [label, *(span for line in told for span in line), StyledText(":", "dim"),
                         *(here or [StyledText(sight.words.text("table.free"), "dim", FREE_CODE, "·")])]
                sections.setdefault(group, []).append(parts)
                members.setdefault(group, []).append((domain, n))
        entries = []
        for group, places in sections.items():
            lying = [span for name in panel.get("lying", [])
                     for span in self.note_in_legend(legend, sight.line_for(name, *group), sight.caption(name))]
            name = sight.member(*group)
            if len(places) == 1 and places[0][-1].is_free and len(places[0]) == 3:    # only label, colon, and "free"
                places[0][-1] = replace(places[0][-1], text=sight.words.text("table.empty"))
            entries.append(ListItem([replace(name, text=capitalize_first(name.text)), *lying], places, members[group]))
        new, whole = self.finish_legend(legend)
        return ListPanel(self.panel_title(panel, sight.heading(domain)), entries, "lists", new, whole=whole)

    def stacks(self, panel: dict[str, Any]) -> ListPanel:
        """Builds a `stacks` panel: places in order with stacks on them, folded into two rows."""
        sight, domain = self.sight, self.domain_name(panel["stacks"])
        enum = self.model.enums[domain]
        legend: Legend = {}
        entries = []
        value = next(one for one in lookup_table_values(sight.game.ruleset, panel["pieces"]) if one.domains[-1:] == (domain,))
        middle = [enum.members.index(name) for name in panel.get("middle", [])]
        numbers = {n: str(k) for k, n in enumerate((n for n in range(len(enum)) if n not in middle), 1)}
        for n in range(len(enum)):
            here = self.note_in_legend(legend, self.cell_line(value, n), sight.caption(value.name))
            entries.append(ListItem([StyledText(numbers[n]) if n in numbers else sight.member(domain, n)], [here], [(domain, n)]))
        off = [gone] if "off" in panel and (gone := sight.find_value(panel["off"], "Player")) is not None else []
        layout = StackLayout(
            middle,
            [replace(sight.member("Player", n), amount=found.raw) for gone in off for n in range(len(self.model.enums["Player"]))
             if isinstance(found := sight.read(gone, n), VisibleValue)],
        )
        new, whole = self.finish_legend(legend)
        return ListPanel(self.panel_title(panel, sight.heading(domain)), entries, "stacks", new, whole=whole, stacks=layout)

    def dice(self, panel: dict[str, Any]) -> ListPanel | None:
        """Builds a `dice` panel: the numbers in some values as dice. None if there are none."""
        sight = self.sight
        found = [(name, sight.line(sight.read_named(name))) for name in panel["dice"]]
        entries = [ListItem([StyledText(sight.caption(name))], [[with_die_face(span) for span in line]]) for name, line in found if line]
        return ListPanel(self.panel_title(panel), entries, "dice") if entries else None


def with_die_face(span: StyledText) -> StyledText:
    """Returns a number with the shape of a die that shows it."""
    number = int(span.text) if span.text.isdigit() else 0
    return replace(span, shape=DIE_FACES[number - 1]) if 1 <= number <= len(DIE_FACES) else span
