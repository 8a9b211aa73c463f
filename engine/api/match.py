"""One match, as a program sees it: it plays, asks bots, and shows what each seat may see."""

from __future__ import annotations

import copy
import random
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from ...dsl.backend_c.ffi import NativeError
from ...dsl.backend_c.single_match import NotOfferedError
from ...dsl.storage.control_slots import SEAT
from ..bots.greedy import HINT_BOT
from ..errors import MessageError
from ..match.save_file import SaveFile
from ..match.setup import SavedDecision
from ..match.table import MatchTable
from ..position.answer_index import collapse_spaces
from ..position.determinize import determinize_position
from ..position.position import IllegalOptionError, Position
from ..position.seeds import Seed
from .bots import Hint, Rating, bots_of_game, check_bot_name, check_seconds, find_runner
from .errors import ApiError, engine_sentence, raise_api_errors
from .fast_position import FastPosition
from .match_state import MatchState
from .observation import describe_decision, observe_position
from .option import Option


class Match(MatchState):
    """A match. Start one with `Game.start`, or continue one with `resume`."""

    # ------------------------------------------------------------ playing

    def play(self, option: Option | str | int) -> None:
        """Plays an option for the seat that decides.

        Arguments:
            option: One of `options`, its spelling, or its index in `options`.

        Raises:
            ApiError: The option is not legal, the game is over, or a rule fails. Then nothing has changed."""
        single = self._single
        if single is not None:
            code: int | None = None
            if type(option) is int:
                code = single.step_nth(option)
            elif type(option) is Option:
                code = self._choices[single.block].codes.get(option.spelling)
                if code is not None and single.step(code):
                    code = None
            if code is not None:
                self._ahead.append(code)
                return
        self._play_checked(option)

    def _play_checked(self, option: Option | str | int) -> None:
        """Plays an option, in C if possible. Raises ApiError."""
        fast = self._fast or self._enter_c()
        if fast is not None:
            try:
                code = self._find_code(fast, option)
                if fast.step_in_c(code):
                    self._ahead.append(code)
                    return
            except NotOfferedError:
                raise self._not_offered(option) from IllegalOptionError(str(option))
            self._leave_c()                                        # Python says what is wrong
        found = self._find_option(self._get_decision(), option)
        with raise_api_errors(self.lang):
            self._table.play(found)

    def _enter_c(self) -> FastPosition | None:
        """Continues the match in C. Returns None if C cannot, or not yet."""
        runner = None if self._stays_in_python else find_runner(self.loaded, played=1)
        if runner is None:
            return None
        self._runner, self._single = runner, FastPosition.load(runner, self._position).single
        self._stays_in_python = self._single is None
        return self._fast

    def _leave_c(self) -> None:
        """Continues the match in Python until its end."""
        self._base = self._table                                   # which takes the decisions that it does not have yet
        self._single, self._stays_in_python = None, True

    def _find_code(self, fast: FastPosition, option: Option | str | int) -> int:
        """Returns the code of an option, which may not be legal. Raises NotOfferedError if there is none, and ApiError."""
        if not fast.block:
            self._check_running()
        if isinstance(option, int):
            codes = fast.codes
            if 0 <= option < len(codes):
                found: int = codes[option]
                return found
            raise NotOfferedError
        choices = self._choices[fast.block]
        code = choices.codes.get(option.spelling if isinstance(option, Option) else str(option))
        if code is None:
            wanted = collapse_spaces(str(option))
            code = next((code for code in fast.codes if choices[code].spelling == wanted), None)
        if code is None:
            raise NotOfferedError
        return code

    def copy(self) -> Match:
        """Returns an independent copy of the match, with everything that is hidden. To look ahead, use `sample`."""
        single = None
        if self._single is not None and self._runner is not None:
            with suppress(NativeError):
                single = self._runner.copy(self._single)
        table = self._table if single is None else self._base
        if table is not None:
            table = copy.copy(table)
            table.save = None                                      # what happens in a copy is not written to the save
            table.position, table.steps = table.position.copy(), list(table.steps)
        twin = Match(self.loaded, table or self._start, self.lang, self._choices, self._runner, single)
        twin._ahead, twin._stays_in_python, twin.is_sample = list(self._ahead), self._stays_in_python, self.is_sample
        return twin

    def __copy__(self) -> Match:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Match:
        return self.copy()

    # ------------------------------------------------------------ observations

    def view(self, seat: int | None) -> View:
        """Returns everything that a seat may know, as JSON data.

        Two matches that differ only in what the seat may not see have equal views. A view does not change when the
        match goes on.

        Arguments:
            seat: The seat that looks, from 0. None is a spectator.

        Raises:
            ApiError: There is no such seat."""
        self._check_seat(seat)
        return View(self.copy(), seat, self._make_rng(None))

    def sample(self, seat: int | None, seed: int = 0) -> Match:
        """Returns a match that looks the same to `seat`, with everything hidden drawn at random (a determinization).

        Use it to look ahead: it reveals neither hidden values nor future random events. It has no history and cannot
        be saved.

        Arguments:
            seat: The seat that looks ahead, from 0.
            seed: Another seed draws other hidden values (default: 0).

        Raises:
            ApiError: There is no such seat, or the current decision depends on something that it may not see."""
        if seat is None:
            raise ApiError(engine_sentence(self.lang, "api.spectator"))
        self._check_seat(seat)
        try:
            world = determinize_position(self._position, seat, random.Random(seed))
        except ValueError as error:
            decision = self._get_decision()
            raise ApiError(engine_sentence(self.lang, "api.secret", who=self._get_narrator(None).player_name(decision.seat))) from error
        twin = Match(self.loaded, replace(self._setup, seed=seed), self.lang)    # the real seed would reveal hidden values
        twin.continue_from(world)
        return twin

    def continue_from(self, position: Position) -> None:
        """Continues from a determinized position. The match loses its history and cannot be saved.

        Arguments:
            position: The position of the engine."""
        self._base, self.is_sample = MatchTable(self.loaded.game, self._setup, position=position), True
        self._ahead, self._single = [], None

    # ------------------------------------------------------------ bots

    def bot(self, bot: str | Bot, seed: Seed | None = None, seconds: float | None = None) -> Option:
        """Returns the option that a bot would choose for the seat that decides. The match does not change.

        A bot knows only what this seat may know, the same as at the table.

        Arguments:
            bot: A name of `BOTS`: "random", "greedy", "easy", "medium", or "hard". Or a bot of your own.
            seed: The seed of the bot's random choices (default: derived from the match, so that the same match gives
                the same choice).
            seconds: A time limit for built-in bots (default: none). Without it, a bot does a fixed amount of work.
                With it, `hard` uses the whole time if the game runs in C, and a bot stops early if the game runs in
                Python. So a choice with a time limit is not reproducible.

        Raises:
            ApiError: The match is over, there is no such bot, or the bot chose an option that is not legal.

        Example:

            while not match.over:
                match.play(match.bot("greedy"))"""
        self._check_running()
        rng = self._make_rng(seed)
        with raise_api_errors(self.lang):
            limit = check_seconds(seconds)
            if isinstance(bot, str):
                kind = check_bot_name(bot)
                position = self._pending if kind == "random" else self._position
                code = bots_of_game(self.loaded, kind).choose(kind, position, position.s[SEAT], rng, limit)
                return self._choices[self._block][code]
            return ask_bot(bot, type(bot).__name__, self.bot_view(rng))

    def bot_view(self, rng: random.Random) -> View:
        """Returns the view of the seat that decides, made from a sample. Nothing in it leads to hidden values.

        Arguments:
            rng: The generator that the bot gets.

        Raises:
            ApiError: The match is over."""
        seat = self._get_decision().seat
        return View(self.sample(seat), seat, rng)

    def hint(self, lang: str | None = None, seed: Seed | None = None, seconds: float | None = None) -> Hint:
        """Returns what a strong bot recommends to the seat that decides, with its reasons.

        It is the answer of the command `advice` at the table. The bot knows only what this seat may know.

        Arguments:
            lang: The language of the texts (default: the language of the match).
            seed: The seed of the search (default: derived from the match).
            seconds: A time limit, as for `bot` (default: none).

        Raises:
            ApiError: The match is over.

        Example:

            hint = match.hint()
            print(hint.option, hint.text)
            for rating in hint.ratings:
                print(rating.option, rating.playouts, rating.win_share)"""
        from ..preview.bot_advice import make_advice
        from ..preview.preview_texts import OptionPreviews
        decision, narrator, position = self._get_decision(), self._get_narrator(lang), self._position
        with raise_api_errors(self.lang):
            limit = check_seconds(seconds)
        if len(decision) == 1:
            return Hint(self.options[0], narrator.words.text("advice.only"))
        found = bots_of_game(self.loaded, HINT_BOT).weigh(position, decision.seat, self._make_rng(seed), limit)
        advice = make_advice(found, OptionPreviews(decision, narrator, self.setup.auto), narrator)
        ratings = tuple(Rating(self._choices[self._block][one.code], one.playouts, one.share if one.ended else None,
                               one.lead, one.winning) for one in advice.ranked)
        return Hint(ratings[0].option, "\n".join(advice.lines), advice.changes, ratings)

    # ------------------------------------------------------------ saving

    def save(self, path: str | Path) -> None:
        """Saves the match to a file that `resume` and `ludoglot play --resume` can continue.

        Arguments:
            path: The file. If it exists, the old file is kept with `~` after its name.

        Raises:
            ApiError: The file cannot be written, or the match is a sample."""
        if self.is_sample:
            raise ApiError(engine_sentence(self.lang, "api.imagined"))
        with raise_api_errors(self.lang), closing(SaveFile.create(Path(path), self._table.setup)) as file:
            for decision in self.decisions():
                file.add_decision(decision)

    def decisions(self) -> list[SavedDecision]:
        """Returns every decision so far as saves store it, with the digest of the position after it."""
        steps = self._table.steps
        after = [step.before for step in steps[1:]] + [self._position]
        return [SavedDecision(step.seat, step.key, step.option.spelling, position.digest(), step.auto, position.over)
                for step, position in zip(steps, after) if position is not None]


class View(dict[str, Any]):
    """The view of one seat at one moment: a dictionary of JSON data, with a few convenience methods.

    | key | content |
    |---|---|
    | `round` | number of rounds that have begun |
    | `seat`, `decision` | the seat that decides, and the key of the decision; None when the game is over |
    | `options` | spellings of the options; None if this seat may not see them |
    | `sight` | names in scope at the decision, such as a card that was chosen a moment ago |
    | `states` | states of the rules by name, then by the members of their axes; hidden values are `{"hidden": count}` |

    `viewer` is the seat that sees this (None: a spectator). `rng` is a random generator for the viewer's own use.
    A bot that draws from it plays the same match again with the same seed.

        view = match.view(0)
        view["states"]["hand"]["player_1"]       # the cards in the hand of seat 0
        view["states"]["hand"]["player_2"]       # {"hidden": 13}"""

    def __init__(self, match: Match, viewer: int | None, rng: random.Random) -> None:
        super().__init__(observe_position(match.position, viewer))
        self.viewer, self.rng, self._match = viewer, rng, match

    @property
    def options(self) -> list[Option]:
        """The legal options with their values. Empty if the viewer may not see them, or when the game is over."""
        return self._match.options if self["options"] else []

    def sample(self, seed: int = 0) -> Match:
        """Returns a match that looks the same to the viewer, with everything hidden drawn at random.

        Arguments:
            seed: Another seed draws other hidden values (default: 0).

        Raises:
            ApiError: The viewer is a spectator, or the decision belongs to another seat and is private.

        Example: the win share of an option in 20 imagined games.

            wins = 0
            for seed in range(20):
                world = view.sample(seed)
                world.play(option)
                while not world.over:
                    world.play(world.bot("random"))
                wins += world.standing[0].seat == view.viewer"""
        return self._match.sample(self.viewer, seed)

    def __repr__(self) -> str:
        who = "a spectator" if self.viewer is None else f"seat {self.viewer}"
        return f"<View of {self._match.loaded.game.ruleset.id} for {who}: {describe_decision(self)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Returns how pickle stores a view: as a plain dictionary, which leads to nothing hidden."""
        return dict, (dict(self),)


class Bot(Protocol):
    """A bot of your own: any object with a method `choose`.

    It can play in a program (`match.bot(MyBot())`) and at the table (`ludoglot play hex --seats human,bot:mybots:MyBot`).
    There, Ludoglot creates one object of the class per seat and match, without arguments. An optional attribute
    `seconds` is the time limit per decision (default: 60). With None there is no limit.

        class MyBot:
            def choose(self, view):
                return view.rng.choice(view.options)"""

    def choose(self, view: View) -> Option | str:
        """Returns one of `view.options`, or its spelling.

        Keep nothing between two calls that an undo of the players would make wrong.

        Arguments:
            view: What the deciding seat may see, and nothing else."""


def ask_bot(bot: Bot, name: str, view: View) -> Option:
    """Returns the legal option that a program's own bot chooses. Raises MessageError if it is not legal."""
    choose = getattr(bot, "choose", None)
    if not callable(choose):
        raise MessageError("bot.no_method", bot=name)
    chosen = choose(view)
    found = next((option for option in view.options if option.spelling == str(chosen)), None)
    if found is None:
        raise MessageError("bot.illegal", bot=name, option=str(chosen))
    return found
