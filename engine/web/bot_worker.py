"""The bots of all tables, in processes of their own. So a slow bot never delays a page.

A process decides one task after the other. A search leaves one processor to the pages, but searches of two processes can
compete.

A task contains the whole log of a match. The worker keeps the matches that it knows, and plays on from there."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, field
from random import Random
from typing import Any

from ..bots.parallel_search import count_search_threads
from ..bots.rng import decision_rng
from ..bots.table_bots import TableBots
from ..library.load import load_rules
from ..match.save_schema import parse_setup
from ..match.saved_packs import restore_packs
from ..match.setup import HUMAN, SavedDecision
from ..match.table import MatchTable
from ..position.position import Position

MAX_WORKER_MATCHES = 50
BURST_SECONDS = 0.3                         # quick bots decide several times before the table is shown again


@dataclass(frozen=True)
class BotTask:
    """A match in which a bot must decide: the header of its save, and its decisions.

    `seed` is that of the choices of bots. A save does not contain it, so nobody can predict them."""

    table_id: str
    sequence: int
    header: dict[str, Any]
    decisions: tuple[dict[str, Any], ...]
    seed: str = field(repr=False)


@dataclass
class WorkerMatch:
    """A match that the worker knows, with the decisions that it contains."""

    match: MatchTable
    decisions: list[dict[str, Any]]


MATCHES: OrderedDict[str, WorkerMatch] = OrderedDict()


def decide(task: BotTask) -> list[dict[str, Any]]:
    """Returns the next decisions of bots as log entries: at least one, and more if they are quick.

    Raises RuleError if a rule fails."""
    known = find_match(task)
    match, began, found = known.match, time.monotonic(), []
    try:
        for step in match.take_automatic():
            found.append(match.make_saved_decision(step.auto).to_data())
            if time.monotonic() - began > BURST_SECONDS and not step.auto:
                break
    except BaseException:
        MATCHES.pop(task.table_id, None)
        raise
    known.decisions += found
    return found


def find_match(task: BotTask) -> WorkerMatch:
    """Returns the match of a task at its last decision."""
    wanted = list(task.decisions)
    known = MATCHES.pop(task.table_id, None)
    if known is None or known.match.setup.seats != task.header["seats"] or known.decisions != wanted[: len(known.decisions)]:
        known = WorkerMatch(create_match(task), [])
    for entry in wanted[len(known.decisions) :]:
        known.match.retake(SavedDecision(**entry), len(known.decisions) + 1)
        known.decisions.append(entry)
    MATCHES[task.table_id] = known
    while len(MATCHES) > MAX_WORKER_MATCHES:
        MATCHES.popitem(last=False)
    return known


def create_match(task: BotTask) -> MatchTable:
    """Returns a new match with its bots. Their random choices do not depend on the seed of the match."""
    setup = parse_setup(task.header)
    options = {name: str(value) for name, value in setup.options.items()}
    loaded = load_rules("en", setup.game, setup.players, options, restore_packs(setup.house))
    match = MatchTable(loaded.game, setup)
    match.keep = False
    kinds = [seat.removeprefix("bot:") for seat in setup.seats if seat != HUMAN]
    bots = TableBots(loaded.game, kinds, people=True, threads=count_search_threads(spare=1))

    def choose(kind: str, position: Position, seat: int, rng: Random, limit: float | None = None) -> int:
        rng = decision_rng(task.seed, seat, len(match.steps))
        return bots.choose(kind, position, seat, rng, limit)
    match.choose = choose
    return match
