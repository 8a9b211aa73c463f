"""Renders a run as text: tables for a terminal, and the same columns for a page."""

from __future__ import annotations

from .availability import NAMES
from .figures import BESIDE, CATAN, OURS, Race, Report, Row, Times

GLUE = "\N{NO-BREAK SPACE}"
BESIDE_HEADS = {"c": "our C is", "python": "our Python is"}


def name(label: str) -> str:
    """Returns the name of a contender for readers."""
    return OURS.get(label) or NAMES.get(label) or label


def number(value: float) -> str:
    """Returns a number with three digits and thousands separators: 1,230 or 0.047."""
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 100 else f"{rounded:,.10g}"


def times(found: Times | None, ends: bool = False) -> str:
    """Returns a ratio with two digits, and its minimum and maximum if `ends` is true. Returns a dash if nothing is compared."""
    if found is None:
        return "–"
    two = [f"{float(f'{value:.2g}'):,.10g}" for value in (found.median, found.least, found.most)]
    return f"×{GLUE}{two[0]}" + (f" ({two[1]}{GLUE}to{GLUE}{two[2]})" if ends else "")


def heads(race: Race) -> list[str]:
    """Returns the headings of the columns."""
    if race.unlike:
        return ["decisions a second", "decisions a game", "beside catanatron"]
    return ["games a second", "decisions a second", "decisions a game", *(BESIDE_HEADS[other] for other in BESIDE)]


def entries(race: Race, row: Row, ends: bool = False) -> list[str]:
    """Returns the cells of a contender. It leaves out games per second of different games, because they are not comparable."""
    beside = [times(row.times.get(other), ends) for other in ((CATAN,) if race.unlike else BESIDE)]
    return [*([] if race.unlike else [number(row.games)]), number(row.decisions), f"{row.length:,.1f}", *beside]


def title(race: Race) -> str:
    return f"{race.name}: unlike games, four players each" if race.unlike else race.name


def machine(report: Report) -> str:
    """Returns the commit, the Python version and the machine of the run in one line."""
    load = f", load {' and '.join(f'{value:.1f}' for value in report.load)} at the beginning and the end" if report.load else ""
    return f"commit {report.commit}, Python {report.python}, {report.cores} processors{load}"


def table(report: Report) -> str:
    """Returns the complete run as text for a terminal."""
    lines = [machine(report)]
    for race in report.races:
        rows = [["", *heads(race)], *([name(row.label), *entries(race, row)] for row in race.rows)]
        wide = [max(map(len, column)) for column in zip(*rows)]
        lines += ["", title(race)]
        lines += ["  " + "  ".join([row[0].ljust(wide[0]), *(text.rjust(many) for text, many in zip(row[1:], wide[1:]))]).rstrip()
                  for row in rows]
    return "\n".join([*lines, "", *(f"{name(label)} {version}" for label, version in report.versions.items()), *left_out(report)])


def left_out(report: Report) -> list[str]:
    return [f"left out: {name(label)}: {reason}" for label, reason in report.left_out.items()]
