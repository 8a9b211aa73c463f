"""Bots that people write in Python and seat at the table as `bot:module:Class`.

    # mybots.py
    class First:
        def choose(self, view):
            return view.options[0]

`ludoglot play hex --seats human,bot:mybots:First` imports `mybots` from the current folder or from an installed
package. The protocol is `engine.api.match.Bot`. Every mistake of such a bot is a MessageError with its place."""

from __future__ import annotations

import os
import random
import re
import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from threading import Thread
from time import monotonic
from types import FrameType
from typing import Any, TypeVar

from ...dsl.diagnostics.diagnostic import LENIENT_CUTOFF, did_you_mean
from ..errors import MessageError, UsageError
from ..library.find import GameLocation, format_path
from ..library.loaded_game import LoadedGame
from ..match.setup import HUMAN, MatchSetup
from ..match.table import MatchTable
from ..position.position import Game, Position
from .match import Match, ask_bot

OWN_BOT_PATTERN = re.compile(r"bot:[^\W\d][\w.]*:[^\W\d]\w*")
SECONDS_PER_DECISION = 60                           # the limit of a bot whose class has no `seconds`
POLL_SECONDS = 0.1                                  # how soon Ctrl-C is noticed while a bot thinks
Answer = TypeVar("Answer")


def is_own_bot(seat: str) -> bool:
    """Whether an entry of `--seats` names a bot of somebody's own: `bot:module:Class`."""
    return OWN_BOT_PATTERN.fullmatch(seat) is not None


def load_bot_class(seat: str) -> type[Any]:
    """Returns the class of a bot such as `bot:mybots:First`. Raises MessageError."""
    module_name, _, class_name = seat.removeprefix("bot:").partition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())                            # worker processes get a copy of this list
    try:
        module = import_module(module_name)
    except (Exception, SystemExit) as error:
        missing = isinstance(error, ModuleNotFoundError) and f"{module_name}.".startswith(f"{error.name}.")
        raise UsageError("bot.no_module", module=module_name) if missing else make_bot_error(seat, error) from error
    found = getattr(module, class_name, None)
    if not isinstance(found, type):
        names = [name for name, value in vars(module).items() if isinstance(value, type)]
        raise UsageError("bot.no_class", module=module_name, name=class_name, meant=did_you_mean(class_name, names, LENIENT_CUTOFF))
    if not callable(getattr(found, "choose", None)):
        raise UsageError("bot.no_method", bot=seat)
    return found


class OwnBots:
    """The bots of one match that people wrote themselves: one object per seat, made when it is asked first."""

    def __init__(self, loaded: LoadedGame, table: MatchTable, lang: str) -> None:
        self.match = Match(loaded, table, lang)
        self.bots: dict[int, Any] = {}

    def choose(self, seat_entry: str, rng: random.Random) -> int:
        """Returns the code of the option that the bot chooses at the current decision. Raises MessageError."""
        decision = self.match.position.decision
        assert decision is not None
        if decision.seat not in self.bots:
            made = load_bot_class(seat_entry)
            self.bots[decision.seat] = self.run(seat_entry, made, made)
        bot, view = self.bots[decision.seat], self.match.bot_view(rng)
        chosen = decision.find(self.run(seat_entry, type(bot), lambda: ask_bot(bot, seat_entry, view)).spelling)
        assert chosen is not None
        return chosen.code

    def run(self, seat_entry: str, bot_class: type[Any], call: Callable[[], Answer]) -> Answer:
        """Returns what a call into the bot returns. Raises MessageError if it fails or takes too long."""
        seconds = getattr(bot_class, "seconds", SECONDS_PER_DECISION)
        if seconds is not None and not (isinstance(seconds, int | float) and seconds > 0):
            raise UsageError("bot.seconds", bot=seat_entry, value=str(seconds))
        try:
            return run_within(seconds, call)
        except BotTimeoutError as error:
            raise MessageError("bot.slow", bot=seat_entry, seconds=error.seconds, place=error.place) from None
        except MessageError:
            raise
        except (Exception, SystemExit) as error:
            raise make_bot_error(seat_entry, error) from error


class BotTimeoutError(Exception):
    """Raised if a bot takes longer than its limit. `place` is the line that it had reached."""

    def __init__(self, seconds: float, place: str) -> None:
        super().__init__(seconds, place)
        self.seconds, self.place = seconds, place


def run_within(seconds: float | None, call: Callable[[], Answer]) -> Answer:
    """Returns what a call returns, or raises what it raises. With None as the limit, it runs in this thread.

    Raises BotTimeoutError after `seconds`. The call then goes on in its thread, which ends with the process."""
    if seconds is None:
        return call()
    answers: list[Answer] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(call())
        except BaseException as error:                             # raised again in the thread that waits
            errors.append(error)
    thread, until = Thread(target=run, daemon=True), monotonic() + seconds
    thread.start()
    while thread.is_alive() and (left := until - monotonic()) > 0:
        thread.join(min(POLL_SECONDS, left))
    if errors:
        raise errors[0]
    if not answers:
        raise BotTimeoutError(seconds, find_frame_place(sys._current_frames().get(thread.ident or 0)))
    return answers[0]


def find_frame_place(frame: FrameType | None) -> str:
    """Returns the innermost line outside Ludoglot that a thread has reached."""
    lines = [(found.f_code.co_filename, line) for found, line in traceback.walk_stack(frame)] if frame is not None else []
    return format_innermost(lines[::-1])


def format_innermost(lines: list[tuple[str, int]]) -> str:
    """Returns the last of these places that is outside Ludoglot and outside Python's own library, else the last one."""
    ours, library = os.path.dirname(os.path.dirname(__file__)), os.path.dirname(os.__file__)
    own = [(file, line) for file, line in lines if not file.startswith((ours, library, "<")) or "site-packages" in file]
    file, line = (own or lines or [("?", 0)])[-1]
    return f"{format_path_text(file)}:{line}"


def format_path_text(file: str) -> str:
    """Returns the name of a file for messages. Names such as `<string>` stay as they are."""
    return file if file.startswith("<") else format_path(Path(file))


def make_bot_error(seat_entry: str, error: BaseException) -> MessageError:
    """Returns the message about an exception in a bot. With LUDOGLOT_DEBUG, also prints the traceback."""
    if os.environ.get("LUDOGLOT_DEBUG"):
        traceback.print_exception(error)
    if isinstance(error, SyntaxError) and error.filename:
        place = f"{format_path_text(error.filename)}:{error.lineno}"
    else:
        place = format_innermost([(frame.filename, frame.lineno or 0) for frame in traceback.extract_tb(error.__traceback__)])
    said = f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else error}".removesuffix(": ")
    return MessageError("bot.failed", bot=seat_entry, place=place, error=said)


class SimulatedOwnBots(OwnBots):
    """The own bots of a game that is simulated without a table."""

    def __init__(self, game: Game, seed: int) -> None:
        source = game.ruleset.source
        packs = [pack.bundle.as_written or pack.bundle for pack in source.packs]
        found = GameLocation(str(source.folder), source.folder, source.shown)
        loaded = LoadedGame(found, game, packs, [pack.name for pack in source.packs])
        setup = MatchSetup(found.name_in_saves, game.players, seed, dict(game.ruleset.settings), seats=[HUMAN] * game.players,
                           names=[""] * game.players, langs=[""] * game.players)
        super().__init__(loaded, MatchTable(game, setup), "en")

    def choose_at(self, seat_entry: str, position: Position, seat: int, rng: random.Random) -> int:
        """Returns the code of the option that the bot chooses in a position. Raises MessageError."""
        self.match.continue_from(position)
        return self.choose(seat_entry, rng)
