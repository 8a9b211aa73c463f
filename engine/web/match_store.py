"""Builds matches from their logs, keeps the latest ones in memory, and writes what people decide.

The database decides what has happened. Each use of a match first applies the entries that it does not know. If
anything fails on the way, the match is dropped and built again at its next use."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..errors import MessageError
from ..library.loaded_game import LoadedGame
from ..match.save_file import format_save
from ..match.setup import MatchSetup, SavedDecision
from .answer_table import EarlyAnswers
from .bot_worker import BotTask
from .early_answers import add_answer, check_undo, list_awaited_seats, set_waiting_answers, settle, view_seat
from .live_match import LiveMatch, start_match
from .rules_cache import RulesCache
from .security import sign
from .storage import StaleSequenceError, Storage, TableRecord
from .table_extras import claim_table

MAX_MATCHES = 500                           # in memory
MAX_REPLAY_SECONDS = 5.0                    # of processor time, for the decisions of a save
SHARE_SECONDS, PAUSE_SECONDS = 0.1, 0.005    # after which a long replay pauses for other tables
MAX_TRIES = 20                              # of a change, if other people answer meanwhile


class ConflictError(StaleSequenceError):
    """Raised if other people have answered meanwhile in a loop `at once`. The same change may then be tried again."""


class NoTableError(MessageError):
    """There is no table with this id."""


class OtherRulesError(MessageError):
    """A table that was played with other rules."""


class SlowSaveError(MessageError):
    """Raised if the decisions of a save take too long."""


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
            record = self.storage.known_table(table_id) or record      # it may have changed while this thread waited
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

    def create(self, setup: MatchSetup, spectators: bool, decisions: Sequence[SavedDecision] | None = None) -> TableRecord:
        """Creates a table and returns its record. `decisions` are those of a save that it continues.

        Raises UsageError, RulesRejectedError, RuleError, SaveError and SlowSaveError."""
        loaded, lock = self.rules.load_setup(setup)
        with lock:
            if decisions and not loaded.accepts_fingerprint(setup.rules):
                raise OtherRulesError("web.other_rules")
            same = setup.rules == loaded.game.fingerprint
            setup.options = dict(loaded.game.ruleset.settings)
            match = start_match(loaded, setup)
            if not decisions:
                match.mark_current()
            entries, began, shared = list[dict[str, Any]](), time.thread_time(), time.monotonic()
            for number, line in enumerate(decisions or (), start=1):
                entries += [saved.to_data() for saved in match.retake(line, number, same)]
                if time.thread_time() - began > MAX_REPLAY_SECONDS:
                    raise SlowSaveError("web.upload.slow")
                if time.monotonic() - shared > SHARE_SECONDS:
                    lock.release()                                 # other tables of this game go on
                    time.sleep(PAUSE_SECONDS)
                    lock.acquire()
                    shared = time.monotonic()
            match.mark_current()
            live = LiveMatch(TableRecord("", setup, setup.rules, "", spectators, 0, False, []), loaded, match)
            entries += live.take_forced()
            return self.storage.create_table(setup, spectators, entries, match.over, list_awaited_seats(live),
                                             decisions is not None)

    def play(self, table_id: str, seat: int, sequence: int, spelling: str) -> None:
        """Plays an option for a seat, at a view with this sequence number. Raises StaleSequenceError and RuleError.

        StaleSequenceError means that the seat does not decide now, or that the option is not offered."""
        def change(live: LiveMatch) -> None:
            view = view_seat(live, seat)
            decision = view.match.position.decision
            if view.sequence != sequence or decision is None or decision.seat != seat or live.record.is_bot(seat):
                raise StaleSequenceError
            option = decision.find(spelling)
            if option is None:
                raise StaleSequenceError
            known = live.record.early
            if view is live:
                live.match.play(option)
                self.append(live, [live.last_entry, *live.take_forced()])
            else:
                self.append(live, add_answer(live, seat, option.spelling), known)
        self.try_change(table_id, change)

    def undo(self, table_id: str, seat: int, sequence: int) -> None:
        """Takes back the last decision of a seat. Raises StaleSequenceError and UndoError."""
        def change(live: LiveMatch) -> None:
            known = live.record.early
            if view_seat(live, seat).sequence != sequence or live.record.is_bot(seat):
                raise StaleSequenceError
            check_undo(live, seat)
            if seat in known:
                set_waiting_answers(live, seat, known[seat][:-1])
                self.append(live, [], known)
                return
            before = len(live.match.steps)
            live.match.undo(seat)
            self.append(live, [{"undo": before - len(live.match.steps)}], known)
        self.try_change(table_id, change)

    def try_change(self, table_id: str, change: Callable[[LiveMatch], None]) -> None:
        """Changes a match. Tries again if other people have answered meanwhile. Raises what `change` raises."""
        for tries_left in reversed(range(MAX_TRIES)):
            try:
                with self.use(table_id) as live:
                    change(live)
                return
            except ConflictError:
                if not tries_left:
                    raise

    def append(self, live: LiveMatch, entries: list[dict[str, Any]], known: EarlyAnswers | None = None) -> None:
        """Writes entries that the match already contains. Raises StaleSequenceError.

        If `known` are the early answers in the database, writes those of the record too. Raises ConflictError if they have
        changed."""
        early = None if known is None else (known, live.record.early)
        if entries:
            live.pages.clear()                                     # they belong to the position before
        try:
            self.storage.append_log(live.record.id, live.sequence, entries, live.match.over, list_awaited_seats(live), early)
        except StaleSequenceError as error:
            raise error if known is None else ConflictError from error
        live.count_entries(entries)
        if (record := self.storage.known_table(live.record.id)) is not None:
            live.refresh_record(record)
            live.revision = record.revision                        # only this process changes the log, one thread at a time

    # ------------------------------------------------------------ bots

    def make_bot_task(self, table_id: str) -> BotTask | None:
        """Returns the task for the bots of a table, or None if no bot must decide."""
        record = self.read_table(table_id)
        if not record.has_bots:
            return None
        if record.early:
            self.try_change(table_id, self.settle)
        with self.use(table_id) as live:
            if not live.needs_bot:
                return None
            kinds = [live.record.stand_ins.get(seat, kind) for seat, kind in enumerate(live.match.setup.seats)]
            seed = sign(self.storage.secret, "bots", table_id)
            return BotTask(table_id, live.sequence, {**live.match.setup.header(), "seats": kinds}, tuple(live.decisions), seed)

    def claim_table(self, table_id: str, address: str) -> str:
        """Returns the owner of a table: the signature of the first address for which this was called. The database keeps it."""
        owner = sign(self.storage.secret, "owner", address)
        with self.storage.engine.begin() as db:
            return claim_table(db, table_id, owner)

    def settle(self, live: LiveMatch) -> None:
        """Writes the answers that have waited for those of other people, if all of them have answered or left.

        Bots then follow. Raises ConflictError."""
        known = live.record.early
        if entries := settle(live):
            self.append(live, entries, known)

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
            if not live.is_save_public:
                return None
            return format_save(live.match.setup, (SavedDecision(**entry) for entry in live.decisions))
