"""One match in memory: the rules, the position, and its place in the log.

    live.match        the MatchTable
    live.sequence     how many entries of the log it contains"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..bots.greedy import BOTS
from ..library.loaded_game import LoadedGame
from ..match.setup import HUMAN, MatchSetup, SavedDecision
from ..match.table import MatchTable
from ..narration.narrator import Narrator
from ..preview.transcript_changes import TranscriptWithChanges
from .earlier_panels import EarlierPanels
from .storage import TableRecord

BOT_KINDS = tuple(f"bot:{name}" for name in BOTS)
MAX_NARRATORS = 8                           # of one match: languages and names
MAX_TRANSCRIPTS = 8                         # of one match: viewers and languages


@dataclass
class LiveMatch:
    """A match in memory. Its users hold the lock of its rules."""

    record: TableRecord
    loaded: LoadedGame
    match: MatchTable
    sequence: int = 0
    revision: int = -1                                                       # of the table when its log was read
    decisions: list[dict[str, Any]] = field(default_factory=list)            # log entries that were not taken back
    narrators: dict[tuple[str, ...], Narrator] = field(default_factory=dict)
    transcripts: dict[tuple[int | None, Narrator], TranscriptWithChanges] = field(default_factory=dict)
    pages: dict[tuple[object, ...], Any] = field(default_factory=dict)       # computed parts of pages at this sequence number
    earlier: EarlierPanels = field(default_factory=EarlierPanels)
    views: dict[int | None, tuple[object, LiveMatch]] = field(default_factory=dict)      # of seats, in a loop `at once`
    whole: LiveMatch | None = None                                           # of a view: the match with the answers of all seats

    @property
    def needs_bot(self) -> bool:
        """Whether a bot must decide next."""
        decision = self.match.position.decision
        return decision is not None and self.record.is_bot(decision.seat) and not self.match.has_stopped(None)

    @property
    def has_secrets(self) -> bool:
        """Whether the save of this match contains hidden things, or chance that is still to come."""
        return self.loaded.game.has_hidden_information or self.loaded.game.has_chance

    @property
    def is_save_public(self) -> bool:
        """Whether everybody at the table may have the save. After that, nobody may go back into a match with secrets."""
        return self.match.over or not self.has_secrets

    def narrator(self, lang: str) -> Narrator:
        """Returns the narrator in a language, with the present names of the players."""
        key = (lang, *self.match.setup.names)
        if key not in self.narrators:
            if len(self.narrators) >= MAX_NARRATORS:
                self.narrators.clear()
            self.narrators[key] = Narrator(self.loaded.game, self.loaded.localizer(lang), self.match.setup.names)
        return self.narrators[key]

    def transcript(self, narrator: Narrator, seat: int | None) -> TranscriptWithChanges:
        """Returns the transcript for a seat, or for spectators. It keeps the lines of earlier turns."""
        key = (seat, narrator)
        if key not in self.transcripts:
            if len(self.transcripts) >= MAX_TRANSCRIPTS:
                self.transcripts.clear()
            self.transcripts[key] = TranscriptWithChanges(self.match, narrator, seat)
        return self.transcripts[key]

    def refresh_record(self, record: TableRecord) -> None:
        """Replaces the names, languages and seats by those of a newer record."""
        if record.setup.names != self.match.setup.names:
            self.pages.clear()
        self.record = record
        self.match.setup = record.setup

    def apply_entries(self, entries: Sequence[dict[str, Any]]) -> None:
        """Applies further entries of the log. Raises SaveError if a decision is impossible or leads to another position."""
        same_rules = self.record.rules == self.loaded.game.fingerprint
        for entry in entries:
            if "undo" in entry:
                self.match.drop_steps(entry["undo"])
            else:
                self.match.retake(SavedDecision(**entry), len(self.match.steps) + 1, compare=same_rules)
        self.count_entries(entries)

    def count_entries(self, entries: Sequence[dict[str, Any]]) -> None:
        """Counts log entries that the match contains by now."""
        if entries:
            self.pages.clear()
        for entry in entries:
            if "undo" in entry:
                self.earlier = EarlierPanels()                     # a later step may have the same number
                del self.decisions[-entry["undo"] :]
            else:
                self.decisions.append(entry)
        self.sequence += len(entries)

    def take_forced(self) -> list[dict[str, Any]]:
        """Takes the decisions with a single option, and returns their log entries."""
        return [self.last_entry for _ in self.match.take_forced()]

    @property
    def last_entry(self) -> dict[str, Any]:
        """The log entry of the last decision."""
        return self.match.make_saved_decision(self.match.steps[-1].auto).to_data()


def start_match(loaded: LoadedGame, setup: MatchSetup) -> MatchTable:
    """Returns a match at its beginning that keeps what undo and the log need."""
    match = MatchTable(loaded.game, setup)
    match.keep = True
    return match


def is_seat_kind(kind: str) -> bool:
    """Whether a seat may be given to this: a person, or a bot that comes with Ludoglot."""
    return kind == HUMAN or kind in BOT_KINDS
