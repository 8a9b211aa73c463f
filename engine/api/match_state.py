"""The state of a match and its texts: the part of a match that only reads."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from ...dsl.backend_c.single_match import MatchRunner, SingleMatch
from ...dsl.storage.control_slots import PC
from ..bots.rng import decision_rng
from ..library.loaded_game import LoadedGame
from ..match.setup import MatchSetup
from ..match.table import MatchTable
from ..narration.narrator import Narrator
from ..notation.match_notation import write_game, write_position
from ..position import options as inner
from ..position.position import Decision, IllegalOptionError, Position
from ..position.ranking import Rank
from ..position.seeds import Seed
from .bots import options_of_game
from .errors import ApiError, engine_sentence, raise_api_errors, resolve_language
from .fast_position import FastPosition
from .observation import describe_decision
from .option import GameOptions, Option

TEXT_WIDTH = 80                           # columns of texts for people


class MatchState:
    """The current decision of a match, its standing, and the texts that people read."""

    _stays_in_python = False                                       # because C cannot continue the match
    is_sample = False                                              # made by `sample`, so it was never played

    def __init__(
        self,
        loaded: LoadedGame,
        start: MatchTable | MatchSetup | Callable[[], MatchSetup],
        lang: str,
        choices: GameOptions | None = None,
        runner: MatchRunner | None = None,
        single: SingleMatch | None = None,
    ) -> None:
        """Continues the match of a table. Or starts one in C, at the position `single`, with the table to follow when it is needed.

        `choices` are the options of the game, which all matches share."""
        self.loaded, self._start, self.lang = loaded, start, lang
        self._base = start if isinstance(start, MatchTable) else None
        self._choices = options_of_game(loaded) if choices is None else choices
        self._runner, self._single = runner, single                # the current position, if the match runs in C
        self._known_fast: FastPosition | None = None
        self._ahead: list[int] = []                                # codes of decisions that the table does not have yet
        self._narrators: dict[str, Narrator] = {}

    def __repr__(self) -> str:
        asked = {"seat": self.seat, "decision": self.decision, "options": range(self.option_count)}
        return f"<Match of {self.loaded.game.ruleset.id}{' (sample)' * self.is_sample}: {describe_decision(asked)}>"

    @property
    def _setup(self) -> MatchSetup:
        """The set-up. It is made when it is first needed."""
        if isinstance(self._start, MatchTable):
            return self._start.setup
        if not isinstance(self._start, MatchSetup):
            self._start = self._start()
        return self._start

    @property
    def _fast(self) -> FastPosition | None:
        """The current position, if the match runs in C."""
        single = self._single
        if single is None:
            return None
        if self._known_fast is None or self._known_fast.single is not single:
            self._known_fast = FastPosition(self.loaded.game, self._runner, single)
        return self._known_fast

    @property
    def _table(self) -> MatchTable:
        """The table with the whole history. It first takes the decisions that only C has taken."""
        table, done = self._find_table(), 0
        try:
            for code in self._ahead:
                decision = table.position.decision
                assert decision is not None
                with raise_api_errors(self.lang):
                    table.take(decision, decision.option(code))
                done += 1
        finally:
            del self._ahead[:done]
        return table

    def _find_table(self) -> MatchTable:
        """Returns the table. It may be behind the match, by the decisions in `_ahead`."""
        if self._base is None:
            with raise_api_errors(self.lang):
                self._base = MatchTable.new(self.loaded.game, self._setup)
        return self._base

    @property
    def _position(self) -> Position:
        """The current position."""
        return self._find_table().position if (fast := self._fast) is None else fast.position

    @property
    def _pending(self) -> Position:
        """A position that has the current decision and the round, and in C nothing else."""
        return self._find_table().position if (fast := self._fast) is None else fast.pending

    @property
    def _block(self) -> int:
        """The block of the current decision. It is 0 when the game is over."""
        return self._find_table().position.s[PC] if self._single is None else self._single.block

    @property
    def _codes(self) -> Sequence[int]:
        """The codes of the legal options."""
        if self._single is not None:
            return self._single.codes()
        decision = self._find_table().position.decision
        return () if decision is None else decision.codes

    # ------------------------------------------------------------ the current decision

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self._block

    @property
    def setup(self) -> MatchSetup:
        """The set-up of the match, as in a save. It includes the seed."""
        return self._find_table().setup

    @property
    def seat(self) -> int | None:
        """The seat that decides now, from 0. None when the game is over."""
        if self._single is not None:
            return self._single.seat if self._single.block else None
        decision = self._position.decision
        return None if decision is None else decision.seat

    @property
    def decision(self) -> str | None:
        """The key of the current decision in the rules, the same in every language. None when the game is over."""
        return self._choices[self._block].kind.key if self._block else None

    @property
    def rounds(self) -> int:
        """The number of rounds that have begun, or of turns if the game has no rounds."""
        return self._position.rounds if self._single is None else self._single.round

    @property
    def position(self) -> Position:
        """The engine's own position. It contains everything, including values that no seat may see.

        Do not change it, and ask for it again after each decision."""
        return self._position

    @property
    def options(self) -> list[Option]:
        """All legal options, in the order of the rules. Empty when the game is over."""
        single = self._single
        if single is not None:
            block = single.block
            return single.list_items(self._choices[block]) if block else []
        codes = self._codes
        return [*map(self._choices[self._block].__getitem__, codes)] if codes else []

    @property
    def option_count(self) -> int:
        """The number of legal options. It is 0 when the game is over, and cheaper than `options`."""
        return len(self._codes) if self._single is None else self._single.count

    @property
    def standing(self) -> list[Rank]:
        """The seats, best first. It is also available before the end of the game.

        Each entry has `seat`, `rank` (1 is best, ties share a rank), and `values`, the values that were compared."""
        return self._position.standing()

    def estimate(self, seat: int) -> int:
        """Returns how well a seat is placed, by the estimate that the rules of the game declare for bots.

        Compare it with the estimates of other seats, or with the estimate of the same seat after another option. It
        has no unit. It may depend on hidden values, so ask for it in a sample.

        Arguments:
            seat: The seat, from 0.

        Raises:
            ApiError: There is no such seat."""
        self._check_seat(seat)
        return self._position.estimate(seat)

    def seats(self, lang: str | None = None) -> list[str]:
        """Returns the names of the players, by seat.

        Arguments:
            lang: The language of seats without a name (default: the language of the match).

        Raises:
            ApiError: There is no such language."""
        narrator = self._get_narrator(lang)
        return [narrator.player_name(seat) for seat in range(self.loaded.game.players)]

    # ------------------------------------------------------------ texts

    def question(self, lang: str | None = None) -> str:
        """Returns the text of the current question, or "" when the game is over.

        Arguments:
            lang: The language of the text (default: the language of the match).

        Raises:
            ApiError: There is no such language."""
        decision = self._position.decision
        return "" if decision is None else self._get_narrator(lang).question_text(decision)

    def words(self, option: Option | str, lang: str | None = None) -> str:
        """Returns the text of an option of the current decision, as a menu at the table shows it.

        Arguments:
            option: One of `options`, or its spelling.
            lang: The language of the text (default: the language of the match).

        Raises:
            ApiError: The option is not legal, or there is no such language."""
        decision = self._get_decision()
        return self._get_narrator(lang).option_text(decision, self._find_option(decision, option))

    def log(self, lang: str | None = None, seat: int | None = None) -> list[str]:
        """Returns the game log, one line per decision or event. Consequences are indented.

        Arguments:
            lang: The language of the lines (default: the language of the match).
            seat: The seat that reads. Lines contain only things that it may know (default: a spectator).

        Raises:
            ApiError: There is no such seat or language.

        Example:

            for line in match.log("it", seat=0):
                print(line)"""
        self._check_seat(seat)
        narrator = self._get_narrator(lang)
        lines = [said for _, said in narrator.event_texts(self._table.opening, seat)]
        for step in self._table.steps:
            lines += narrator.step_lines(step, seat)
        return lines

    def table(self, lang: str | None = None, seat: int | None = None) -> str:
        """Returns the table as a seat sees it, drawn with characters.

        Arguments:
            lang: The language of the labels (default: the language of the match).
            seat: The seat that looks (default: a spectator).

        Raises:
            ApiError: There is no such seat or language."""
        from ..table_view.plain_renderer import render_table
        self._check_seat(seat)
        return "\n".join(render_table(self._position, self._get_narrator(lang), seat, TEXT_WIDTH))

    def why(self, what: str = "", lang: str | None = None, seat: int | None = None) -> str:
        """Returns the reason why something is not legal now, or that it is legal, with the rule and its clause.

        Arguments:
            what: Words of an option, such as `b2`. If it is empty, you get the reason for the current decision.
            lang: The language of the answer (default: the language of the match).
            seat: The seat that asks. The answer contains only things that it may know (default: the seat that
                decides).

        Raises:
            ApiError: There is no such seat or language."""
        from ..explain.answer import DECIDER, list_why_lines
        self._check_seat(seat)
        viewer = DECIDER if seat is None else seat
        return "\n".join(list_why_lines(self._table, self.loaded, self._get_narrator(lang), what, TEXT_WIDTH, viewer))

    def notation(self) -> str:
        """Returns the match so far in the standard notation of the game: PGN, PDN, or SGF.

        Raises:
            ApiError: The game has no notation."""
        with raise_api_errors(self.lang):
            return write_game(self._table)

    def line(self) -> str:
        """Returns the position as one line of the standard notation, such as FEN.

        Raises:
            ApiError: The game has no notation."""
        with raise_api_errors(self.lang):
            return write_position(self._table)

    def digest(self) -> str:
        """Returns a hash of the position, the same on every machine. It covers hidden values and future random events."""
        return self._position.digest()

    # ------------------------------------------------------------ helpers

    def _get_decision(self) -> Decision:
        """Returns the current decision of a whole position. Raises ApiError when the game is over."""
        self._check_running()
        decision = self._position.decision
        assert decision is not None
        return decision

    def _check_running(self) -> None:
        """Raises ApiError when the game is over."""
        if not self._block:
            raise ApiError(engine_sentence(self.lang, "api.over"))

    def _make_rng(self, seed: Seed | None) -> random.Random:
        """Returns the generator for the choice of a bot at the current decision. By default the one of the table."""
        number = len(self._ahead) + (0 if self._base is None else len(self._base.steps))
        return decision_rng(self._setup.seed if seed is None else seed, self.seat or 0, number)

    def _find_option(self, decision: Decision, option: Option | str | int) -> inner.Option:
        """Returns an option of a decision, also by its index. Raises ApiError if it is not legal."""
        if isinstance(option, int):
            found = decision.option(decision.codes[option]) if 0 <= option < len(decision) else None
        else:
            found = decision.find(str(option))
        if found is None:
            raise self._not_offered(option) from IllegalOptionError(str(option))
        return found

    def _not_offered(self, option: Option | str | int) -> ApiError:
        """Returns the error for an option that is not legal."""
        return ApiError(engine_sentence(self.lang, "api.not_offered", option=str(option)))

    def _check_seat(self, seat: int | None) -> None:
        """Raises ApiError if there is no such seat."""
        last = self.loaded.game.players - 1
        if seat is not None and not 0 <= seat <= last:
            raise ApiError(engine_sentence(self.lang, "usage.seat", given=seat, last=last))

    def _get_narrator(self, lang: str | None) -> Narrator:
        """Returns the narrator for a language, from a cache."""
        lang = lang or self.lang
        if lang not in self._narrators:
            localizer = self.loaded.localizer(resolve_language(lang, self.lang))
            self._narrators[lang] = Narrator(self.loaded.game, localizer, self._setup.names)
        return self._narrators[lang]
