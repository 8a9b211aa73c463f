"""The report as one web page that needs nothing else: what a house rule changed, and what the games are like, in sentences, pictures and
tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...dsl.findings.regular import read_text
from ..drawing.pages import framed, quoted, table_of
from ..words import Proper
from ..words.template import capital
from .compared import Verdict
from .figures import Figures, Spread
from .merits import Merit, by_points
from .naming import named, names_of
from .plots import Plots
from .told import Told

STYLE = Path(__file__).resolve().parent / "assets" / "report.css"
SHOWN = 20                           # things in the table; the file of columns has all of them
LONG = 44                            # letters of a name beside a picture


@dataclass(frozen=True)
class Report:
    """What a page is made of: the figures of the rules asked about, before those of the rules compared with."""

    told: Told
    figures: Sequence[Figures]
    merits: Sequence[Merit]
    verdict: Verdict | None = None


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
        series = [""]
        if report.verdict is not None:
            other = report.told.plan.rules[1].houses
            series = [self.text("report.house"), self.text("report.other_house" if other else "report.against")]
        self.plots = Plots(lambda value: self.words.number(round(value, 6) if value % 1 else int(value)), series)
        self.main = report.figures[0]
        self.ended = [one for one in report.figures if one.ended]      # the pictures show those beside each other

    def text(self, key: str, /, **args: str | int | Sequence[Proper]) -> str:
        return self.words.text(key, **args)

    def whole(self) -> str:
        title = self.text("report.title", game=self.text("game.name"), n=len(self.main.games))
        plan = self.told.plan
        about = [self.text("report.about", bots=[Proper(bot) for bot in dict.fromkeys(plan.bots)], seed=plan.seed)]
        parts = [self.changed(), self.winners()]
        parts += [self.long(), self.points(), self.leads(), self.things()] if self.main.ended else []
        body = f"<header><h1>{quoted(title)}</h1>{lines(about)}</header>\n<main>\n" + "\n".join(filter(None, parts)) + "\n</main>"
        return framed(self.words.lang, title, read_text(STYLE), body)

    def section(self, heading: str, *parts: str) -> str:
        return f"<section><h2>{quoted(self.text(heading))}</h2>\n" + "\n".join(filter(None, parts)) + "</section>"

    def picture(self, drawn: str, said: str) -> str:
        return f"<figure>{drawn}<figcaption>{quoted(said)}</figcaption></figure>"

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
        return self.section("report.winners", drawn, lines(self.told.games(self.main)), lines(self.roles()))

    def roles(self) -> list[str]:
        """How those fared who had certain things, or began."""
        out = []
        for name, members in self.main.roles.items():
            enum = self.teller.game.cells[name].enums[0]
            out += [self.told.share("report.role", share, name=named(self.teller, enum.name, enum.index[member]))
                    for member, share in members.items()]
        return [*out, *([self.told.share("report.began", self.main.beginners)] if self.main.beginners is not None else [])]

    def long(self) -> str:
        said = self.text("report.length.alt")
        return self.section("report.length", self.picture(self.plots.lengths(
            [one.lengths for one in self.ended], said, self.text("axis.decisions"), self.text("axis.games")), said))

    def points(self) -> str:
        if not self.main.scored:
            return ""
        said = self.text("report.points.alt")
        values = [[[game.scores[seat] for game in one.ended] for seat in range(one.players)] for one in self.ended]
        each = [Spread.of(column) for column in values[0]]
        told = [self.text("report.points.seat", name=name, mean=self.told.number(spread.mean), low=int(spread.low), high=int(spread.high))
                for name, spread in zip(self.seats(), each)]
        return self.section("report.points", self.picture(self.plots.boxes(self.seats(), values, said, self.text("axis.points")), said),
                            lines(told), self.sources())

    def sources(self) -> str:
        """What the parts of the standing gave, where there are several."""
        if len(self.main.terms) < 2:
            return ""
        head = [self.text("report.column.source"), *self.seats()]
        rows = [[capital(self.told.source(name)), *map(self.told.number, values)] for name, values in self.main.terms.items()]
        return table_of(head, rows)

    def leads(self) -> str:
        half = self.main.led(1)
        told = [self.told.share("report.lead.half", half)] if half.tries else []
        return self.section("report.leads", lines([*told, self.told.share("report.lead.kept", self.main.runaways)]))

    def things(self) -> str:
        merits = self.report.merits[:SHOWN]
        if not merits:
            return ""
        names = names_of(self.teller, [merit.thing for merit in merits])
        kind = "points" if by_points(self.main.ended) else "victory"
        judged = [merit for merit in merits if merit.by is not None]
        said = self.text(f"report.things.{kind}.alt")
        drawn = self.picture(self.plots.intervals(
            [cut(names[merit.thing]) for merit in judged], [(100 * (merit.by or 0), 100 * merit.low, 100 * merit.high) for merit in judged],
            said, self.text("axis.more")), said) if judged else ""
        return self.section("report.things", lines([self.text(f"report.things.{kind}"), *self.best(names, judged, kind)]), drawn,
                            table_of([self.text(f"report.column.{name}") for name in ("thing", "times", "more", "low", "high")],
                                     [self.row(names, merit) for merit in merits]))

    def best(self, names: dict[str, str], judged: Sequence[Merit], kind: str) -> list[str]:
        """The thing that goes together with most, and with least, where that is more than chance."""
        clear = sorted((merit for merit in judged if merit.clear), key=lambda merit: merit.by or 0)
        out = []
        for key, found in (("most", clear[-1:]), ("least", clear[:1])):
            for merit in found:
                by = merit.by or 0
                if (by > 0) == (key == "most"):
                    low, high = (merit.low, merit.high) if by > 0 else (-merit.high, -merit.low)
                    out.append(self.text(f"report.{key}.{kind}", thing=names[merit.thing], by=self.told.percent(abs(by)),
                                         low=self.told.percent(low), high=self.told.percent(high)))
        return out

    def row(self, names: dict[str, str], merit: Merit) -> list[str]:
        worth = ["", "", ""] if merit.by is None else [self.told.percent(value) for value in (merit.by, merit.low, merit.high)]
        return [names[merit.thing], self.told.number(merit.times), *worth]


def cut(name: str) -> str:
    """A name short enough to stand beside a picture."""
    return name if len(name) <= LONG else name[: LONG - 1].rstrip() + "…"
