"""One game being played, as a program sees it: what is asked, what may be answered, what a seat may see and hear."""

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
from ..position.position import Decision, IllegalOptionError, Position, Rank
from ..position.visibility import determinize_position
from . import observation
from .errors import ApiError, engine_sentence, raise_api_errors

TEXT_WIDTH = 80                           # columns of what is written for people


@dataclass(frozen=True)
class Option:
    """One thing that may be done. `spelling` is what `play` takes, and the same at every decision, in every process and every language;
    `entry` is the way to answer where the rules give several, and `values` holds what was chosen, by name, as plain data."""

    spelling: str
    entry: str | None
    values: dict[str, Any]

    def __str__(self) -> str:
        return self.spelling


class Match:
    """One game being played. Begin one with `Game.start` or `resume`."""

    def __init__(self, loaded: LoadedGame, table: MatchTable, lang: str) -> None:
        self.loaded, self._table, self.lang = loaded, table, lang
        self._tellers: dict[str, Narrator] = {}
        self.is_sample = False                                     # imagined by `sample`, so that nobody has played it

    # ------------------------------------------------------------ what is asked

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._table.over

    @property
    def setup(self) -> MatchSetup:
        """The set-up of the match as a save writes it. It holds the seed."""
        return self._table.setup

    @property
    def seat(self) -> int | None:
        """The seat that decides now, from 0; None when the game is over."""
        decision = self._table.position.decision
        return None if decision is None else decision.seat

    @property
    def decision(self) -> str | None:
        """What is decided now, by the name it has in the rules: the same in every language; None when the game is over."""
        decision = self._table.position.decision
        return None if decision is None else decision.key

    @property
    def rounds(self) -> int:
        """How many of the game's rounds, or turns where it has no rounds, have begun."""
        return self._table.position.rounds

    @property
    def position(self) -> Position:
        """The engine's own position. It holds all there is, also what no seat may see."""
        return self._table.position

    @property
    def options(self) -> list[Option]:
        """All that may be done now, in the order of the rules; nothing when the game is over."""
        decision = self._table.position.decision
        return [] if decision is None else [self._to_public_option(option) for option in decision.options]

    @property
    def standing(self) -> list[Rank]:
        """The seats, best first, with `seat`, `rank` (1 is best, equal ranks are shared) and `values`, what was compared. It may be asked
        before the end too."""
        return self._table.position.standing()

    def seats(self, lang: str | None = None) -> list[str]:
        """What the players are called, by seat."""
        teller = self._get_narrator(lang)
        return [teller.player_name(seat) for seat in range(self._table.game.players)]

    # ------------------------------------------------------------ in words

    def question(self, lang: str | None = None) -> str:
        """The question that waits, in a language; "" when the game is over."""
        decision = self._table.position.decision
        return "" if decision is None else self._get_narrator(lang).question_text(decision)

    def words(self, option: Option | str, lang: str | None = None) -> str:
        """An option of the decision that waits as it is said in a language. Raises ApiError when it is not offered."""
        decision, found = self._find_option(option)
        return self._get_narrator(lang).option_text(decision, found)

    def log(self, lang: str | None = None, seat: int | None = None) -> list[str]:
        """All that has happened, as `seat` heard it (None: somebody who only watches), one line each; what came of it is indented.
        Raises ApiError where there is no such seat."""
        self._check_seat(seat)
        teller = self._get_narrator(lang)
        lines = [said for told in self._table.opening if (said := teller.event_text(told))]
        for step in self._table.steps:
            lines += teller.step_lines(step, seat)
        return lines

    def table(self, lang: str | None = None, seat: int | None = None) -> str:
        """The table as `seat` sees it (None: somebody who only watches), drawn in letters."""
        from ..table_view.display import render_table
        self._check_seat(seat)
        return "\n".join(render_table(self._table.position, self._get_narrator(lang), seat, TEXT_WIDTH))

    def why(self, what: str = "", lang: str | None = None, seat: int | None = None) -> str:
        """Why `what` is not offered now, or that it is, with the rule and its clause; with nothing, what is asked. `seat` is the one
        that is told (None: the one that decides)."""
        from ..explain.answer import DECIDER, why_lines
        self._check_seat(seat)
        viewer = DECIDER if seat is None else seat
        return "\n".join(why_lines(self._table, self.loaded, self._get_narrator(lang), what, TEXT_WIDTH, viewer))

    # ------------------------------------------------------------ playing

    def play(self, option: Option | str) -> None:
        """Take an option (itself or its spelling) for the seat that decides. Raises ApiError when it is not offered, or when a rule does
        what it may not; then nothing has changed."""
        _, found = self._find_option(option)
        with raise_api_errors(self.lang):
            self._table.play(found)

    def copy(self) -> Match:
        """The same match once more, to be played on without touching this one."""
        twin = Match(self.loaded, copy.copy(self._table), self.lang)
        twin.is_sample = self.is_sample
        twin._table.position, twin._table.steps = self._table.position.copy(), list(self._table.steps)
        return twin

    def __copy__(self) -> Match:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Match:
        return self.copy()

    # ------------------------------------------------------------ what a seat may see

    def view(self, seat: int | None) -> dict[str, Any]:
        """All that a seat may know (None: somebody who only watches), as data that JSON can hold; see docs/programs.md. It is equal for two
        matches that differ only in what the seat may not see."""
        self._check_seat(seat)
        return observation.observe_position(self._table.position, seat)

    def sample(self, seat: int, seed: int = 0) -> Match:
        """A match that looks the same to `seat`, with all that it cannot see dealt anew: to think ahead in, since what is to come can be
        foreseen there no more than here. It has no history. Raises ApiError where what is asked depends on what this seat may not see."""
        self._check_seat(seat)
        twin = self.copy()
        try:
            world = determinize_position(self._table.position, seat, random.Random(seed))
        except ValueError as error:
            decision = self._table.position.decision
            assert decision is not None
            raise ApiError(engine_sentence(self.lang, "api.secret", who=self._get_narrator(None).player_name(decision.seat))) from error
        twin._table.setup = replace(self._table.setup, seed=0)     # the true one would tell what was dealt
        twin.continue_from(world)
        return twin

    def continue_from(self, position: Position) -> None:
        """Go on from a position that was only imagined: the match loses its history and cannot be saved."""
        self._table.position, self._table.steps, self._table.opening, self.is_sample = position, [], (), True

    # ------------------------------------------------------------ keeping

    def notation(self) -> str:
        """The match so far as players of the game write it: PGN, PDN, SGF. Raises ApiError where the game has no notation."""
        with raise_api_errors(self.lang):
            return write_game(self._table)

    def line(self) -> str:
        """The position in one line, as players of the game write it: FEN. Raises ApiError where the game has no notation."""
        with raise_api_errors(self.lang):
            return write_position(self._table)

    def save(self, path: str | Path) -> None:
        """Write the match to a file that `resume` and the command line go on with. Raises ApiError."""
        if self.is_sample:
            raise ApiError(engine_sentence(self.lang, "api.imagined"))
        with raise_api_errors(self.lang), closing(SaveFile.create(Path(path), self._table.setup)) as file:
            for decision in self.decisions():
                file.add_decision(decision)

    def digest(self) -> str:
        """A hash of the position, the same on every machine. It looks at all there is, also at what is hidden and at what is to come."""
        return self._table.position.digest()

    # ------------------------------------------------------------ pieces

    def decisions(self) -> list[SavedDecision]:
        """Every decision so far, as saves hold it, with the digest of the position it leads to."""
        steps = self._table.steps
        after = [step.before for step in steps[1:]] + [self._table.position]
        return [SavedDecision(step.seat, step.key, step.option.spelling, position.digest(), step.auto, position.over)
                for step, position in zip(steps, after) if position is not None]

    def _find_option(self, option: Option | str) -> tuple[Decision, inner.Option]:
        decision = self._table.position.decision
        found = None if decision is None else decision.find(str(option))
        if decision is None or found is None:
            raise ApiError(engine_sentence(self.lang, "api.over" if decision is None else "api.not_offered", option=str(option))
                           ) from IllegalOptionError(str(option))
        return decision, found

    def _to_public_option(self, option: inner.Option) -> Option:
        position = self._table.position
        return Option(option.spelling, option.entry, {name: position.to_names(kind, value) for name, kind, value in option.values})

    def _check_seat(self, seat: int | None) -> None:
        last = self._table.game.players - 1
        if seat is not None and not 0 <= seat <= last:
            raise ApiError(engine_sentence(self.lang, "usage.seat", given=seat, last=last))

    def _get_narrator(self, lang: str | None) -> Narrator:
        lang = lang or self.lang
        if lang not in self._tellers:
            self._tellers[lang] = Narrator(
                self._table.game, self.loaded.localizer(resolve_language(lang, self.lang)), self._table.setup.names
            )
        return self._tellers[lang]


def resolve_language(lang: str, speaker: str = "en") -> str:
    """A language by its tag. Raises ApiError, in the language of the speaker."""
    from ..i18n.languages import native_language_names, parse_language_code
    found = parse_language_code(lang)
    if found is None:
        raise ApiError(engine_sentence(speaker, "usage.language", name=lang, languages=list(native_language_names())))
    return found
