"""Charts as SVG for a web page, drawn with matplotlib. Text stays text, the colours follow the page, and the
output is reproducible."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from html import escape
from itertools import count
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter, MaxNLocator

from .game_statistics import SampleProportion

INK_COLOUR, FADED_COLOUR = "#010203", "#040506"    # placeholders for the text colour of the page, which may be dark or light
SERIES_COLOURS = ("#2f7ebc", "#d9722e")     # of the two rulesets; also distinct for colour-blind readers
FIGURE_WIDTH_INCHES, ROW_HEIGHT_INCHES = 7.0, 0.42                # size of a chart, and of one row with a name on the left
ROW_FILL = 0.8                           # the part of a row that all its series fill together
MATPLOTLIB_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "text.usetex": False,
    "text.parse_math": False,
    "svg.hashsalt": "ludoglot",
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": INK_COLOUR,
    "axes.labelcolor": INK_COLOUR,
    "axes.edgecolor": FADED_COLOUR,
    "xtick.color": INK_COLOUR,
    "ytick.color": INK_COLOUR,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": FADED_COLOUR,
    "grid.alpha": 0.2,
    "legend.frameon": False,
}
NumberFormatter = Callable[[float], str]      # writes a number as the language does


class ReportPlots:
    """Draws the charts of one page. `series` has the name of each colour, if there are two."""

    def __init__(self, number: NumberFormatter, series: Sequence[str]) -> None:
        self.number = number
        self.series = [f" {one}" if one.startswith("_") else one for one in series]     # matplotlib hides labels that begin with _
        self.drawn = count(1)

    def draw_shares(self, names: Sequence[str], each: Sequence[Sequence[SampleProportion]], caption: str, axis: str) -> str:
        """Returns a bar chart with one share per name, each with its confidence interval."""
        figure, axes = self.new_figure(len(names) * len(each))
        high = ROW_FILL / len(each)
        for n, shares in enumerate(each):
            at = self.row_positions(n, len(each), len(names))
            values = [100 * share.value for share in shares]
            ends = [
                [100 * (share.value - share.interval[0]) for share in shares],
                [100 * (share.interval[1] - share.value) for share in shares],
            ]
            axes.barh(at, values, height=0.9 * high, color=SERIES_COLOURS[n], xerr=ends, ecolor=INK_COLOUR, capsize=3, label=self.series[n])
        self.label_rows(axes, names)
        axes.set_xlim(left=0)
        return self.finish_svg(figure, axes, caption, axis)

    def draw_lengths(self, each: Sequence[Sequence[float]], caption: str, axis: str, other: str) -> str:
        """Returns a histogram."""
        figure, axes = self.new_figure(6)
        low, high = min(map(min, each)), max(map(max, each))
        step = max(1, round((high - low) / 24))
        edges = [low - 0.5 + step * n for n in range(int((high - low) // step) + 2)]
        for n, values in enumerate(each):
            axes.hist(values, bins=edges, color=SERIES_COLOURS[n], alpha=0.65 if len(each) > 1 else 1, label=self.series[n])
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: self.number(value)))
        axes.set_ylabel(other)
        return self.finish_svg(figure, axes, caption, axis)

    def draw_boxes(self, names: Sequence[str], each: Sequence[Sequence[Sequence[float]]], caption: str, axis: str) -> str:
        """Returns a box plot with one row per name. The box spans the quartiles, the line spans minimum to maximum."""
        figure, axes = self.new_figure(len(names) * len(each))
        high = ROW_FILL / len(each)
        for n, values in enumerate(each):
            at = self.row_positions(n, len(each), len(names))
            found = axes.boxplot(
                list(values),
                positions=at,
                widths=0.8 * high,
                orientation="horizontal",
                whis=(0, 100),
                patch_artist=True,
                medianprops={"color": INK_COLOUR, "linewidth": 2},
                whiskerprops={"color": INK_COLOUR},
                capprops={"color": INK_COLOUR},
                boxprops={"facecolor": SERIES_COLOURS[n], "edgecolor": "none"},
                manage_ticks=False,
            )
            found["boxes"][0].set_label(self.series[n])
        self.label_rows(axes, names)
        return self.finish_svg(figure, axes, caption, axis)

    def draw_intervals(self, names: Sequence[str], values: Sequence[tuple[float, float, float]], caption: str, axis: str) -> str:
        """Returns a chart with a point and an interval per name, left or right of the zero line."""
        figure, axes = self.new_figure(len(names))
        rows = range(len(names))
        middles = [by for by, _, _ in values]
        ends = [[by - low for by, low, _ in values], [high - by for by, _, high in values]]
        axes.errorbar(
            middles, list(rows), xerr=ends, fmt="o", color=SERIES_COLOURS[0], ecolor=SERIES_COLOURS[0], capsize=3, label=self.series[0]
        )
        axes.axvline(0, color=FADED_COLOUR, linewidth=1)
        self.label_rows(axes, names)
        return self.finish_svg(figure, axes, caption, axis)

    # ------------------------------------------------------------ shared parts of all charts

    def new_figure(self, rows: int) -> tuple[Figure, Axes]:
        with matplotlib.rc_context(MATPLOTLIB_SETTINGS):
            figure = Figure(figsize=(FIGURE_WIDTH_INCHES, 1.1 + ROW_HEIGHT_INCHES * rows), layout="constrained")
            figure.patch.set_alpha(0)
            axes = figure.subplots()
            axes.patch.set_alpha(0)
        return figure, axes

    def row_positions(self, n: int, series: int, rows: int) -> list[float]:
        """Returns the vertical position of series `n` in each row."""
        return [row + ROW_FILL * (n - (series - 1) / 2) / series for row in range(rows)]

    def label_rows(self, axes: Axes, names: Sequence[str]) -> None:
        """Writes the names on the left, the first at the top."""
        axes.set_yticks(range(len(names)), labels=list(names))
        axes.tick_params(axis="y", length=0)
        axes.invert_yaxis()
        axes.grid(axis="x")

    def finish_svg(self, figure: Figure, axes: Axes, caption: str, axis: str) -> str:
        """Returns the chart as an SVG element. `caption` is its description for screen readers."""
        out = io.StringIO()
        with matplotlib.rc_context(MATPLOTLIB_SETTINGS):
            axes.set_xlabel(axis)
            axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: self.number(value)))
            if len(axes.get_legend_handles_labels()[0]) > 1:
                figure.legend(*axes.get_legend_handles_labels(), loc="outside upper right", ncols=2)
            for text in figure.findobj(Text):                      # a $ in a name must not start a formula
                text.set_parse_math(False)
            figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
        drawn = out.getvalue()
        drawn = drawn[drawn.index("<svg") :].replace(INK_COLOUR, "currentColor").replace(FADED_COLOUR, "currentColor")
        own = f"p{next(self.drawn)}-"                              # ids in an SVG are global in the page, so make them unique
        drawn = re.sub(r'( id="|href="#|url\(#)', rf"\g<1>{own}", drawn)
        return drawn.replace("<svg ", f'<svg role="img" aria-label="{escape(caption)}" ', 1)
