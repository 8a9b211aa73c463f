"""Builds matches from their logs, keeps the latest ones in memory, and writes what people decide.

The database decides what has happened. Each use of a match first applies the entries that it does not know. If
anything fails on the way, the match is dropped and built again at its next use."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..errors import MessageError
from ..library.loaded_game import LoadedGame
from ..match.save_file import format_save
from ..match.setup import MatchSetup, SavedDecision
from .bot_worker import BotTask
from .live_match import LiveMatch, start_match
from .rules_cache import RulesCache
from .storage import StaleSequenceError, Storage, TableRecord

MAX_MATCHES = 500                           # in memory


class NoTableError(MessageError):
    """There is no table with this id."""


class OtherRulesError(MessageError):
    """A table that was played with other rules."""


class MatchStore:
    """The matches of a database."""

    def __init__(self, storage: Storage, size: int = MAX_MATCHES) -> None:
        self.storage, self.size = storage, size
        self.rules = RulesCache()
        self.lock = threading.Lock()
        self.matches: OrderedDict[str, LiveMatch] = OrderedDict()

    # ------------------------------------------------------------ using a match

    @contextmanager
    def use(self, table_id: str, record: TableRecord | None = None) -> Iterator[LiveMatch]:
        """Yields the match of a table, up to date or at least as new as `record`. No other thread uses its rules meanwhile.

        Raises NoTableError, OtherRulesError and SaveError."""
        record = record or self.read_table(table_id)
        loaded, lock = self.rules.load_setup(record.setup)
        if not loaded.accepts_fingerprint(record.rules):
            raise OtherRulesError("web.other_rules")
        with lock:
            live = self.find_match(record, loaded)
            try:
                if live.revision != record.revision:
                    live.apply_entries(self.storage.read_log(table_id, live.sequence))
                    live.revision = record.revision
                yield live
            except BaseException:
                self.drop_match(table_id)
                raise

    def read_table(self, table_id: str) -> TableRecord:
        """Returns the record of a table. Raises NoTableError."""
        record = self.storage.read_table(table_id)
        if record is None:
            raise NoTableError("web.no_table")
        return record

    def find_match(self, record: TableRecord, loaded: LoadedGame) -> LiveMatch:
        """Returns the match of a table from memory, or a new one at its beginning."""
        with self.lock:
            live = self.matches.get(record.id)
        if live is None or live.loaded is not loaded:
            live = LiveMatch(record, loaded, start_match(loaded, record.setup))
        live.refresh_record(record)
        with self.lock:
            self.matches[record.id] = live
            self.matches.move_to_end(record.id)
            while len(self.matches) > self.size:
                self.matches.popitem(last=False)
        return live

    def drop_match(self, table_id: str) -> None:
        """Removes a match from memory."""
        with self.lock:
            self.matches.pop(table_id, None)

    # ------------------------------------------------------------ changing a match

    def create(self, setup: MatchSetup, spectators: bool, decisions: Sequence[SavedDecision] = ()) -> TableRecord:
        """Creates a table and returns its record. `decisions` have happened already.

        Raises UsageError, RulesRejectedError, RuleError and SaveError."""
        loaded, lock = self.rules.load_setup(setup)
        with lock:
            if decisions and not loaded.accepts_fingerprint(setup.rules):
                raise OtherRulesError("web.other_rules")
            same = setup.rules == loaded.game.fingerprint
            setup.options = dict(loaded.game.ruleset.settings)
            match = start_match(loaded, setup)
            if not decisions:
                match.mark_current()
            entries = [saved.to_data() for number, line in enumerate(decisions, start=1) for saved in match.retake(line, number, same)]
            match.mark_current()
            live = LiveMatch(TableRecord("", setup, setup.rules, "", spectators, 0, False, []), loaded, match)
            entries += live.take_forced()
            return self.storage.create_table(setup, spectators, entries, match.over, live.turn)

    def play(self, table_id: str, seat: int, sequence: int, spelling: str) -> None:
        """Plays an option for a seat, at a log with `sequence` entries. Raises StaleSequenceError and RuleError.

        StaleSequenceError means that the seat does not decide now, or that the option is not offered."""
        with self.use(table_id) as live:
            decision = live.match.position.decision
            if live.sequence != sequence or decision is None or decision.seat != seat or live.record.is_bot(seat):
                raise StaleSequenceError
            option = decision.find(spelling)
            if option is None:
                raise StaleSequenceError
            live.match.play(option)
            entries = [live.last_entry, *live.take_forced()]
            self.append(live, entries)

    def undo(self, table_id: str, seat: int, sequence: int) -> None:
        """Takes back the last decision of a seat. Raises StaleSequenceError and UndoError."""
        with self.use(table_id) as live:
            if live.sequence != sequence or live.record.is_bot(seat):
                raise StaleSequenceError
            before = len(live.match.steps)
            live.match.undo(seat)
            self.append(live, [{"undo": before - len(live.match.steps)}])

    def append(self, live: LiveMatch, entries: list[dict[str, Any]]) -> None:
        """Writes entries that the match already contains. Raises StaleSequenceError."""
        self.storage.append_log(live.record.id, live.sequence, entries, live.match.over, live.turn)
        live.count_entries(entries)
        if (record := self.storage.known_table(live.record.id)) is not None:
            live.refresh_record(record)
            live.revision = record.revision                        # only this process changes the log, one thread at a time

    # ------------------------------------------------------------ bots

    def make_bot_task(self, table_id: str) -> BotTask | None:
        """Returns the task for the bots of a table, or None if no bot must decide."""
        if not self.read_table(table_id).has_bots:
            return None
        with self.use(table_id) as live:
            if not live.needs_bot:
                return None
            kinds = [live.record.stand_ins.get(seat, kind) for seat, kind in enumerate(live.match.setup.seats)]
            return BotTask(table_id, live.sequence, {**live.match.setup.header(), "seats": kinds}, tuple(live.decisions))

    def append_bot_decisions(self, task: BotTask, entries: list[dict[str, Any]]) -> None:
        """Appends the decisions of bots. Raises StaleSequenceError if people have taken something back meanwhile."""
        with self.use(task.table_id) as live:
            is_wrong = any(not entry.get("auto") and not live.record.is_bot(entry["seat"]) for entry in entries)
            if live.sequence != task.sequence or is_wrong:
                raise StaleSequenceError
            for entry in entries:
                live.match.retake(SavedDecision(**entry), len(live.match.steps) + 1)
            self.append(live, entries)

    # ------------------------------------------------------------ saves

    def export_save(self, table_id: str) -> bytes | None:
        """Returns the match as a save file, or None if it still contains secrets.

        A save contains hidden things and the seed of all chance. So it is secret until the match is over, if the game
        has hidden information or chance."""
        with self.use(table_id) as live:
            if not is_save_public(live):
                return None
            return format_save(live.match.setup, (SavedDecision(**entry) for entry in live.decisions))


def is_save_public(live: LiveMatch) -> bool:
    """Whether everybody at the table may have the save."""
    game = live.loaded.game
    return live.match.over or not (game.has_hidden_information or game.has_chance)
