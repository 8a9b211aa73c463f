"""The report as one web page that needs nothing else: what a house rule changed, and what the games are like, in sentences, pictures and
tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ...dsl.diagnostics.safe_read import read_text
from ..i18n import Proper, Value
from ..i18n.template import capital
from ..table_view.html_page import framed, quoted, table_of
from .ab_test import Verdict
from .choice_labels import named
from .choice_report import Things
from .choice_value import Merit, Shift
from .game_statistics import Figures, Spread
from .plots import Plots
from .report_text import Told
from .score_sources import FOLLOWED

STYLE = Path(__file__).resolve().parent / "assets" / "report.css"
NUMBERS = 8                          # of a pack that are named above the page


@dataclass(frozen=True)
class Report:
    """What a page is made of: the figures of the rules asked about, before those of the rules compared with; `packs`: by the same sides,
    the house rules in use by name, each with what it sets; `sources`: what gave the points where the standing has no parts (origins.py)."""

    told: Told
    figures: Sequence[Figures]
    merits: Sequence[Merit]
    verdict: Verdict | None = None
    shifts: Sequence[Shift] = ()
    packs: Sequence[dict[str, dict[str, object]]] = field(default_factory=lambda: ({},))
    sources: Sequence[dict[str, list[float]]] = field(default_factory=lambda: ({}, {}))


def paper(report: Report) -> str:
    """The whole page, in the language of who tells it."""
    return Paper(report).whole()


def lines(texts: Sequence[str]) -> str:
    return "".join(f"<p>{quoted(text)}</p>" for text in texts)


class Paper:
    """Writes one report."""

    def __init__(self, report: Report) -> None:
        self.report, self.told = report, report.told
        self.words, self.teller = report.told.words, report.told.teller
        self.series = [""]
        if report.verdict is not None:
            other = report.told.plan.rules[1].houses
            self.series = [self.text("report.house"), self.text("report.other_house" if other else "report.against")]
        self.plots = Plots(lambda value: self.words.number(round(value, 6) if value % 1 else int(value)), self.series)
        self.main = report.figures[0]
        self.ended = [one for one in report.figures if one.ended]      # the pictures show those beside each other

    def text(self, key: str, /, **args: Value) -> str:
        return self.words.text(key, **args)

    def whole(self) -> str:
        verdict = self.report.verdict
        game = self.text("game.name")
        title = self.text("report.title", game=game, n=len(self.main.games)) if verdict is None else self.text(
            "report.title.pairs", game=game, n=verdict.looked_at)
        parts = [self.changed(), self.winners()]
        if self.main.ended:
            parts += [self.long(), self.points(), self.leads(), self.things()]
        body = f"<header><h1>{quoted(title)}</h1>{lines(self.about())}</header>\n<main>\n" + "\n".join(filter(None, parts)) + "\n</main>"
        return framed(self.words.lang, title, read_text(STYLE), body)

    def about(self) -> list[str]:
        """Who played, and by which house rules."""
        plan = self.told.plan
        out = [self.text("report.about", bots=[Proper(bot) for bot in dict.fromkeys(plan.bots)], seed=plan.seed)]
        for key, packs in zip(("report.packs", "report.packs.other"), self.report.packs):
            if packs:
                out.append(self.text(key, packs=[Proper(self.pack(name, sets)) for name, sets in packs.items()]))
            elif key == "report.packs.other":
                out.append(self.text("report.packs.base"))
        return out

    def pack(self, name: str, sets: dict[str, object]) -> str:
        """A pack, with the numbers that it sets."""
        said = [f"{path} = {value}" for path, value in sets.items()]
        said = [*said[:NUMBERS], *("…" for _ in said[NUMBERS : NUMBERS + 1])]
        return f"{name} ({'; '.join(said)})" if said else name

    def section(self, heading: str, *parts: str) -> str:
        return f"<section><h2>{quoted(self.text(heading))}</h2>\n" + "\n".join(filter(None, parts)) + "</section>"

    def picture(self, drawn: str, said: str) -> str:
        return f"<figure>{drawn}<figcaption>{quoted(said)}</figcaption></figure>"

    def each(self, telling: Callable[[Figures], str]) -> str:
        """What is told of the games by each of the rules, under the name of the rules where there are two."""
        if len(self.report.figures) < 2:
            return telling(self.main)
        told = [(series, telling(figures)) for series, figures in zip(self.series, self.report.figures)]
        return "\n".join(f"<h3>{quoted(capital(series))}</h3>\n{said}" for series, said in told if said)

    # ------------------------------------------------------------ parts

    def changed(self) -> str:
        if self.report.verdict is None:
            return ""
        said = self.told.compared(self.report.verdict)
        return self.section("report.changed", f'<div class="answer">{lines(said)}</div>')

    def seats(self) -> list[str]:
        return [self.teller.name(seat) for seat in range(self.main.players)]

    def winners(self) -> str:
        said = self.text("report.winners.alt")
        drawn = self.picture(self.plots.shares(self.seats(), [[one.won(seat) for seat in range(one.players)] for one in self.ended], said,
                                               self.text("axis.percent")), said) if self.ended else ""
        return self.section("report.winners", drawn, self.each(lambda figures: lines(self.won(figures))))

    def won(self, figures: Figures) -> list[str]:
        """How often each seat won, and how those fared who had certain things, or began: each with whether that is more than chance."""
        out = self.told.course(figures)
        if not figures.ended:
            return out
        said = [self.told.seat(figures, seat) for seat in range(figures.players)]
        for name, members in figures.roles.items():
            enum = self.teller.game.cells[name].enums[0]
            said += [self.told.share("report.role", share, name=named(self.teller, enum.name, enum.index[member]))
                     for member, share in members.items()]
        if figures.beginners is not None:
            said.append(self.told.share("report.began", figures.beginners))
        if figures.players > 1:
            said = [f"{one} {self.told.even(figures, clear)}" for one, clear in zip(said, figures.evens, strict=True)]
        return [*out, *said, *self.told.shared(figures)]

    def long(self) -> str:
        said = self.text("report.length.alt")
        drawn = [self.picture(self.plots.lengths([one.lengths for one in self.ended], said, self.text("axis.decisions"),
                                                 self.text("axis.games")), said)]
        if all(one.rounds for one in self.ended):
            said = self.text("report.rounds.alt")
            drawn.append(self.picture(self.plots.lengths([one.rounds for one in self.ended], said, self.text("axis.rounds"),
                                                         self.text("axis.games")), said))
        return self.section("report.length", *drawn)

    def points(self) -> str:
        if not self.main.scored:
            return ""
        said = self.text("report.points.alt")
        values = [[[game.scores[seat] for game in one.ended] for seat in range(one.players)] for one in self.ended]
        return self.section("report.points", self.picture(self.plots.boxes(self.seats(), values, said, self.text("axis.points")), said),
                            self.each(self.made))

    def made(self, figures: Figures) -> str:
        """How many points each seat made, and where they come from, where the standing has several parts."""
        if not figures.ended:
            return ""
        each = [Spread.of([game.scores[seat] for game in figures.ended]) for seat in range(figures.players)]
        told = [self.text("report.points.seat", name=self.teller.who(seat), mean=self.told.number(spread.mean), low=int(spread.low),
                          high=int(spread.high))
                for seat, spread in enumerate(each)]
        parts = figures.terms if len(figures.terms) > 1 else self.report.sources[self.report.figures.index(figures)]
        if len(parts) < 2:
            return lines(told)
        if parts is not figures.terms:
            told.append(self.text("report.points.followed", n=min(FOLLOWED, len(figures.ended))))
        rows = [[capital(self.told.source(name)), *map(self.told.number, values)] for name, values in parts.items()]
        return lines(told) + table_of([self.text("report.column.source"), *self.seats()], rows)

    def leads(self) -> str:
        return self.section("report.leads", self.each(lambda figures: lines(self.kept(figures))))

    def kept(self, figures: Figures) -> list[str]:
        """Whether who is ahead stays ahead."""
        half = figures.led(1)
        told = [self.told.share("report.lead.half", half)] if half.tries else []
        return [*told, *([self.told.share("report.lead.kept", figures.runaways)] if figures.ended else [])]

    def things(self) -> str:
        things = Things(self.told, self.main, self.report.merits, self.report.shifts, self.named_by_packs())
        if not things.shown:
            return ""
        picture = things.picture(self.plots)
        heading = f"<h3>{quoted(capital(self.series[0]))}</h3>" if self.report.verdict is not None else ""
        changed = things.changed()
        return self.section(
            "report.things", lines([things.method()]),
            f'<div class="answer">{lines(changed)}</div>' if changed else "", things.change_table(),
            heading, lines(things.clear_ones()), self.picture(*picture) if picture else "", *things.tables())

    def named_by_packs(self) -> set[str]:
        """The things whose numbers a pack sets: `Card.joker` of `Card.joker.points`."""
        return {path.rpartition(".")[0] for packs in self.report.packs for sets in packs.values() for path in sets}
