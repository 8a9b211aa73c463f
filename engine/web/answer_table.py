"""The table of answers in loops `at once` that wait for those of other people (see early_answers.py)."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Column, Connection, Integer, PrimaryKeyConstraint, Table, Text, delete, insert, select

from .table_extras import METADATA, table_column

EARLY_ANSWERS = Table("early_answers", METADATA, table_column(), Column("seat", Integer, nullable=False),
                      Column("number", Integer, nullable=False), Column("option", Text, nullable=False),
                      PrimaryKeyConstraint("table_id", "seat", "number"))
EarlyAnswers = Mapping[int, tuple[str, ...]]                       # by seat: the spelled options, in order


def read_early_answers(db: Connection, table_id: str) -> EarlyAnswers:
    """Returns the answers that wait for those of other people."""
    found: dict[int, tuple[str, ...]] = {}
    for row in db.execute(select(EARLY_ANSWERS).where(EARLY_ANSWERS.c.table_id == table_id).order_by(EARLY_ANSWERS.c.number)):
        found[row.seat] = (*found.get(row.seat, ()), row.option)
    return found


def write_early_answers(db: Connection, table_id: str, answers: EarlyAnswers) -> None:
    """Replaces the answers that wait for those of other people."""
    db.execute(delete(EARLY_ANSWERS).where(EARLY_ANSWERS.c.table_id == table_id))
    rows = [{"table_id": table_id, "seat": seat, "number": n, "option": option}
            for seat, given in answers.items() for n, option in enumerate(given)]
    if rows:
        db.execute(insert(EARLY_ANSWERS), rows)
