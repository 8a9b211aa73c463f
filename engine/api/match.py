"""One match, as a program sees it: the current decision, its options, and what a seat may see."""

from __future__ import annotations

import copy
import random
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..library.loaded_game import LoadedGame
from ..match.save_file import SaveFile
from ..match.setup import MatchSetup, SavedDecision
from ..match.table import MatchTable
from ..narration.narrator import Narrator
from ..notation.match_notation import write_game, write_position
from ..position import options as inner
from ..position.determinize import determinize_position
from ..position.position import Decision, IllegalOptionError, Position, Rank
from . import observation
from .errors import ApiError, engine_sentence, raise_api_errors

TEXT_WIDTH = 80                           # columns of texts for people


@dataclass(frozen=True)
class Option:
    """A legal move.

    `spelling` is the text that `play` accepts. It is the same at every decision, in every process and every
    language. `entry` is the menu entry if the decision has a menu, else None. `values` has the chosen values by
    name, as plain data."""

    spelling: str
    entry: str | None
    values: dict[str, Any]

    def __str__(self) -> str:
        return self.spelling


class Match:
    """A match. Start one with `Game.start`, or continue one with `resume`."""

    def __init__(self, loaded: LoadedGame, table: MatchTable, lang: str) -> None:
        self.loaded, self._table, self.lang = loaded, table, lang
        self._tellers: dict[str, Narrator] = {}
        self.is_sample = False                                     # made by `sample`, so it was never played

    # ------------------------------------------------------------ the current decision

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._table.over

    @property
    def setup(self) -> MatchSetup:
        """The set-up of the match, as in a save. It includes the seed."""
        return self._table.setup

    @property
    def seat(self) -> int | None:
        """The seat that decides now, from 0; None when the game is over."""
        decision = self._table.position.decision
        return None if decision is None else decision.seat

    @property
    def decision(self) -> str | None:
        """The key of the current decision in the rules, the same in every language. None when the game is over."""
        decision = self._table.position.decision
        return None if decision is None else decision.key

    @property
    def rounds(self) -> int:
        """The number of rounds that have begun, or of turns if the game has no rounds."""
        return self._table.position.rounds

    @property
    def position(self) -> Position:
        """The engine's own position. It contains everything, including what no seat may see."""
        return self._table.position

    @property
    def options(self) -> list[Option]:
        """All legal options, in the order of the rules. Empty when the game is over."""
        decision = self._table.position.decision
        return [] if decision is None else [self._to_public_option(option) for option in decision.options]

    @property
    def standing(self) -> list[Rank]:
        """The seats, best first. It is also available before the end of the game.

        Each entry has `seat`, `rank` (1 is best, ties share a rank) and `values`, the values that were compared."""
        return self._table.position.standing()

    def seats(self, lang: str | None = None) -> list[str]:
        """Returns the names of the players, by seat."""
        teller = self._get_narrator(lang)
        return [teller.player_name(seat) for seat in range(self._table.game.players)]

    # ------------------------------------------------------------ texts

    def question(self, lang: str | None = None) -> str:
        """Returns the text of the current question in a language, or "" when the game is over."""
        decision = self._table.position.decision
        return "" if decision is None else self._get_narrator(lang).question_text(decision)

    def words(self, option: Option | str, lang: str | None = None) -> str:
        """Returns the text of an option of the current decision. Raises ApiError if it is not legal."""
        decision, found = self._find_option(option)
        return self._get_narrator(lang).option_text(decision, found)

    def log(self, lang: str | None = None, seat: int | None = None) -> list[str]:
        """Returns the game log as `seat` may see it (None: a spectator).

        There is one line per decision or event; consequences are indented. Raises ApiError if there is no such seat."""
        self._check_seat(seat)
        teller = self._get_narrator(lang)
        lines = [said for told in self._table.opening if (said := teller.event_text(told))]
        for step in self._table.steps:
            lines += teller.step_lines(step, seat)
        return lines

    def table(self, lang: str | None = None, seat: int | None = None) -> str:
        """Returns the table as `seat` sees it (None: a spectator), drawn with characters."""
        from ..table_view.plain_renderer import render_table
        self._check_seat(seat)
        return "\n".join(render_table(self._table.position, self._get_narrator(lang), seat, TEXT_WIDTH))

    def why(self, what: str = "", lang: str | None = None, seat: int | None = None) -> str:
        """Explains why `what` is not legal now, or that it is, with the rule and its clause.

        With an empty `what`, explains the current decision. `seat` is the viewer (None: the seat that decides)."""
        from ..explain.answer import DECIDER, list_why_lines
        self._check_seat(seat)
        viewer = DECIDER if seat is None else seat
        return "\n".join(list_why_lines(self._table, self.loaded, self._get_narrator(lang), what, TEXT_WIDTH, viewer))

    # ------------------------------------------------------------ playing

    def play(self, option: Option | str) -> None:
        """Plays an option, or its spelling, for the seat that decides.

        Raises ApiError if it is not legal, or if a rule fails. In both cases nothing changes."""
        _, found = self._find_option(option)
        with raise_api_errors(self.lang):
            self._table.play(found)

    def copy(self) -> Match:
        """Returns an independent copy of the match."""
        twin = Match(self.loaded, copy.copy(self._table), self.lang)
        twin.is_sample = self.is_sample
        twin._table.position, twin._table.steps = self._table.position.copy(), list(self._table.steps)
        return twin

    def __copy__(self) -> Match:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Match:
        return self.copy()

    # ------------------------------------------------------------ observations

    def view(self, seat: int | None) -> dict[str, Any]:
        """Returns everything that a seat may know (None: a spectator), as JSON data. See docs/guides/research/api.md.

        Two matches that differ only in what the seat may not see have equal views."""
        self._check_seat(seat)
        return observation.observe_position(self._table.position, seat)

    def sample(self, seat: int, seed: int = 0) -> Match:
        """Returns a match that looks the same to `seat`, with everything hidden drawn at random (a determinization).

        Use it to look ahead: it reveals neither hidden values nor future random events. It has no history. Raises
        ApiError if the current decision depends on something that this seat may not see."""
        self._check_seat(seat)
        twin = self.copy()
        try:
            world = determinize_position(self._table.position, seat, random.Random(seed))
        except ValueError as error:
            decision = self._table.position.decision
            assert decision is not None
            raise ApiError(engine_sentence(self.lang, "api.secret", who=self._get_narrator(None).player_name(decision.seat))) from error
        twin._table.setup = replace(self._table.setup, seed=0)     # the real seed would reveal hidden values
        twin.continue_from(world)
        return twin

    def continue_from(self, position: Position) -> None:
        """Continues from a determinized position. The match loses its history and cannot be saved."""
        self._table.position, self._table.steps, self._table.opening, self.is_sample = position, [], (), True

    # ------------------------------------------------------------ saving

    def notation(self) -> str:
        """Returns the match so far in standard notation: PGN, PDN, SGF. Raises ApiError if the game has no notation."""
        with raise_api_errors(self.lang):
            return write_game(self._table)

    def line(self) -> str:
        """Returns the position in one line of standard notation, such as FEN.

        Raises ApiError if the game has no notation."""
        with raise_api_errors(self.lang):
            return write_position(self._table)

    def save(self, path: str | Path) -> None:
        """Saves the match to a file that `resume` and the command line can continue. Raises ApiError."""
        if self.is_sample:
            raise ApiError(engine_sentence(self.lang, "api.imagined"))
        with raise_api_errors(self.lang), closing(SaveFile.create(Path(path), self._table.setup)) as file:
            for decision in self.decisions():
                file.add_decision(decision)

    def digest(self) -> str:
        """Returns a hash of the position, the same on every machine. It includes hidden values and future random events."""
        return self._table.position.digest()

    # ------------------------------------------------------------ helpers

    def decisions(self) -> list[SavedDecision]:
        """Returns every decision so far as saves store it, with the digest of the position after it."""
        steps = self._table.steps
        after = [step.before for step in steps[1:]] + [self._table.position]
        return [SavedDecision(step.seat, step.key, step.option.spelling, position.digest(), step.auto, position.over)
                for step, position in zip(steps, after) if position is not None]

    def _find_option(self, option: Option | str) -> tuple[Decision, inner.Option]:
        """Returns the current decision and its option. Raises ApiError if the option is not legal."""
        decision = self._table.position.decision
        found = None if decision is None else decision.find(str(option))
        if decision is None or found is None:
            raise ApiError(engine_sentence(self.lang, "api.over" if decision is None else "api.not_offered", option=str(option))
                           ) from IllegalOptionError(str(option))
        return decision, found

    def _to_public_option(self, option: inner.Option) -> Option:
        """Returns an engine option as an option of the API."""
        position = self._table.position
        return Option(option.spelling, option.entry, {name: position.to_names(kind, value) for name, kind, value in option.values})

    def _check_seat(self, seat: int | None) -> None:
        """Raises ApiError if there is no such seat."""
        last = self._table.game.players - 1
        if seat is not None and not 0 <= seat <= last:
            raise ApiError(engine_sentence(self.lang, "usage.seat", given=seat, last=last))

    def _get_narrator(self, lang: str | None) -> Narrator:
        """Returns the narrator for a language, from a cache."""
        lang = lang or self.lang
        if lang not in self._tellers:
            self._tellers[lang] = Narrator(
                self._table.game, self.loaded.localizer(resolve_language(lang, self.lang)), self._table.setup.names
            )
        return self._tellers[lang]


def resolve_language(lang: str, speaker: str = "en") -> str:
    """Returns the language with this tag. Raises ApiError, in the language `speaker`, if it is unknown."""
    from ..i18n.languages import native_language_names, parse_language_code
    found = parse_language_code(lang)
    if found is None:
        raise ApiError(engine_sentence(speaker, "usage.language", name=lang, languages=list(native_language_names())))
    return found
