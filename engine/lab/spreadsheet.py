"""Games and what was chosen in them as columns, for whoever goes on with them elsewhere: CSV, and Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow
from pyarrow import parquet

from ...dsl.files.whole import write_whole
from .merits import Merit
from .playouts import Played

Row = dict[str, Any]


def game_rows(sides: Sequence[Sequence[Played]]) -> list[Row]:
    """A row for each game, in the order of the seeds."""
    out = []
    for side, games in enumerate(sides):
        for game in games:
            row: Row = {"rules": side, "seed": game.seed, "decisions": game.decisions, "rounds": game.rounds, "stalled": game.stalled,
                        "fault": game.fault.code if game.fault is not None else None, "swaps": game.swaps, "began": game.began}
            row |= {f"rank_{seat}": rank for seat, rank in enumerate(game.ranks)}
            row |= {f"score_{seat}": score for seat, score in enumerate(game.scores)}
            out.append(row)
    return sorted(out, key=lambda row: (row["seed"], row["rules"]))


def thing_rows(sides: Sequence[Sequence[Merit]]) -> list[Row]:
    """A row for each thing that was chosen, by each of the rules."""
    return [{"rules": side, "thing": merit.thing, "times": merit.times, "games": merit.games, "more": merit.by,
             "low": merit.low if merit.by is not None else None, "high": merit.high if merit.by is not None else None,
             "clear": merit.clear} for side, merits in enumerate(sides) for merit in merits]


def write(folder: Path, name: str, rows: Sequence[Row]) -> None:
    """The rows as NAME.csv and NAME.parquet."""
    heads = list(dict.fromkeys(head for row in rows for head in row))
    out = io.StringIO()
    writer = csv.DictWriter(out, heads, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_whole(folder / f"{name}.csv", out.getvalue().encode())
    columns = pyarrow.table({head: [row.get(head) for row in rows] for head in heads})
    raw = io.BytesIO()
    parquet.write_table(columns, raw)
    write_whole(folder / f"{name}.parquet", raw.getvalue())
