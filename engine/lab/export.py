"""Writes games and choices as tables for other programs: CSV and Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow
from pyarrow import parquet

from ...dsl.diagnostics.sanitize import sanitize
from ...dsl.yaml.atomic_write import write_atomically
from .choice_value import ChoiceShift, ChoiceValue
from .playout import GameResult

Row = dict[str, Any]


def game_rows(sides: Sequence[Sequence[GameResult]]) -> list[Row]:
    """Returns one row per game, sorted by seed."""
    out = []
    for side, games in enumerate(sides):
        for game in games:
            row: Row = {"rules": side, "seed": game.seed, "decisions": game.decisions, "rounds": game.rounds, "stalled": game.stalled,
                        "fault": game.fault.code if game.fault is not None else None, "swaps": game.swaps, "began": game.began}
            row |= {f"rank_{seat}": rank for seat, rank in enumerate(game.ranks)}
            row |= {f"score_{seat}": score for seat, score in enumerate(game.scores)}
            out.append(row)
    return sorted(out, key=lambda row: (row["seed"], row["rules"]))


def thing_rows(
    sides: Sequence[Sequence[ChoiceValue]], shifts: Sequence[ChoiceShift] = (), names: Mapping[str, str] | None = None
) -> list[Row]:
    """Returns one row for each thing that was chosen and each ruleset.

    If two rulesets are compared, the rows of the first also have the changes of value and frequency. `names` are
    the display names of the things."""
    changed = {(shift.thing, shift.is_value): shift for shift in shifts}
    out = []
    for side, merits in enumerate(sides):
        for merit in merits:
            judged = merit.by is not None
            row: Row = {"rules": side, "thing": merit.thing, "name": (names or {}).get(merit.thing), "times": merit.times,
                        "games": merit.games, "more": merit.by, "low": merit.low if judged else None,
                        "high": merit.high if judged else None, "clear": merit.clear}
            for of, worth in (("worth", True), ("times", False)) if shifts else ():
                shift = changed.get((merit.thing, worth)) if side == 0 else None
                row |= {f"{of}_changed": shift.by if shift else None, f"{of}_low": shift.low if shift else None,
                        f"{of}_high": shift.high if shift else None, f"{of}_clear": shift.clear if shift else None}
            out.append(row)
    return out


FORMULA_PREFIXES = ("=", "+", "-", "@", "\t", "\r", "\n")               # spreadsheets treat a text that begins so as a formula


def spreadsheet_value(value: Any) -> Any:
    """Returns a value that is safe in a spreadsheet: a text stays on one line and never becomes a formula."""
    if not isinstance(value, str):
        return value
    return f"'{sanitize(value, keep='')}" if value.startswith(FORMULA_PREFIXES) else sanitize(value, keep="")


def write_table(folder: Path, name: str, rows: Sequence[Row]) -> None:
    """Writes the rows to NAME.csv and NAME.parquet in the folder."""
    heads = list(dict.fromkeys(head for row in rows for head in row))
    out = io.StringIO()
    writer = csv.DictWriter(out, heads, lineterminator="\n")
    writer.writeheader()
    writer.writerows({head: spreadsheet_value(value) for head, value in row.items()} for row in rows)
    write_atomically(folder / f"{name}.csv", out.getvalue().encode())
    columns = pyarrow.table({head: [row.get(head) for row in rows] for head in heads})
    raw = io.BytesIO()
    parquet.write_table(columns, raw)
    write_atomically(folder / f"{name}.parquet", raw.getvalue())
