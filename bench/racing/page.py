"""Renders a run as one self-contained web page: a chart and a table for each game, then the method."""

from __future__ import annotations

from ludoglot.dsl.diagnostics.safe_read import read_text
from ludoglot.engine.lab.html_report import STYLESHEET_PATH
from ludoglot.engine.lab.plots import INK_COLOUR, ROW_FILL, SERIES_COLOURS, ReportPlots
from ludoglot.engine.table_view.html_page import escape_html, html_table, render_html_page
from matplotlib.ticker import NullFormatter

from .availability import NAMES
from .figures import Race, Report
from .report import entries, heads, machine, name, number, title

TITLE = "Random games beside other engines"
ROOM = 6                             # end of the axis as a multiple of the longest bar, to leave room for its number
METHOD = (
    "Only ratios within one run mean something: all contenders of a game play in turns in that run, on one processor, and what is counted "
    "is the time of the processor that each takes itself. A first turn counts for nothing. “Our C is × 3” says: it made three times as "
    "many decisions a second in the same turn, the median of the turns; between brackets the least and the most.",
    "Who calls whom is not alike. Our C plays a hundred games and more in one call, chance included. Our Python plays a whole game in one "
    "call. Stepped, a program is given the options of each decision and chooses one, as is done with the peers: that row is the one for "
    "whoever drives games from outside.",
    "OpenSpiel is C++ driven from Python. PettingZoo is driven without the wrappers that check each call; it works out an observation for "
    "each move, which nobody else does. python-chess plays with our ends; PettingZoo’s chess also ends where a draw could be claimed. "
    "With us a pawn that reaches the last row is one more decision. The two games of boardgame.io were written for this comparison, and "
    "are played by its client in node, in production mode.",
    "Catan is no game of ours, and Dominant Species, Evolution and Trias are none of catanatron’s: decisions of unlike games cost unlike "
    "work, so those ratios tell an order of size and no more. Decisions with a single option count in all of them.",
)


def page(report: Report) -> str:
    """Returns the complete page."""
    plots = ReportPlots(number, ["Ludoglot", "others"])
    top = "".join(f"<p>{line}</p>" for line in (escape_html(machine(report)), f"<code>{escape_html(report.command)}</code>"))
    body = [f"<header><h1>{escape_html(TITLE)}</h1>{top}</header>\n<main>"]
    for race in report.races:
        rows = [[name(row.label), *entries(race, row, ends=True)] for row in race.rows]
        body.append(section(title(race), picture(plots, race), html_table(["", *heads(race)], rows)))
    body.append(section("How it was measured", *(f"<p>{escape_html(text)}</p>" for text in METHOD)))
    body.append(
        section("Engines and versions", html_table(["", "version"], [[name(label), version] for label, version in report.versions.items()]))
    )
    if report.left_out:
        body.append(section("Left out", html_table(["", "why"], [[name(label), reason] for label, reason in report.left_out.items()])))
    return render_html_page("en", TITLE, read_text(STYLESHEET_PATH), "\n".join([*body, "</main>"]))


def section(heading: str, *parts: str) -> str:
    return f"<section><h2>{escape_html(heading)}</h2>\n" + "\n".join(parts) + "</section>"


def picture(plots: ReportPlots, race: Race) -> str:
    """Draws a bar for each contender on a logarithmic scale."""
    what = "decisions" if race.unlike else "games"
    rates = [row.decisions if race.unlike else row.games for row in race.rows]
    figure, axes = plots.new_figure(len(rates))
    for theirs in (False, True):
        own = [n for n, row in enumerate(race.rows) if (row.label in NAMES) == theirs]
        if own:
            bars = axes.barh(own, [rates[n] for n in own], height=ROW_FILL, color=SERIES_COLOURS[theirs], label=plots.series[theirs])
            axes.bar_label(bars, [number(rates[n]) for n in own], padding=4, color=INK_COLOUR)
    plots.label_rows(axes, [name(row.label) for row in race.rows])
    axes.set_xscale("log")
    axes.set_xlim(10 ** int_below(min(rates)), ROOM * max(rates))
    axes.xaxis.set_minor_formatter(NullFormatter())
    said = f"{race.name}: {what} a second of the processor; each step to the right is ten times as many."
    drawn = plots.finish_svg(figure, axes, said, f"random {what} a second")
    return f"<figure>{drawn}<figcaption>{escape_html(said)}</figcaption></figure>"


def int_below(value: float) -> int:
    """Returns the largest power of ten for which a bar is at least a tenth of a step long."""
    power = 0
    while 10**power * 1.25 > value:
        power -= 1
    while 10 ** (power + 1) * 1.25 <= value:
        power += 1
    return power
