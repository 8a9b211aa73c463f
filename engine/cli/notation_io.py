"""Games and positions as players of a game write them: what `replay` writes, what `play --from` reads, and moves that somebody types."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ...dsl.diagnostics.safe_read import read_beginning
from ..notation import NotationError, load_notation
from ..notation.match_notation import read_game_options, read_game_text, write_game, write_position
from ..notation.moves import MoveNotation
from ..notation.movetext import MAX_GAME_CHARS, UnfinishedTextError
from ..notation.playback import ReplayedRecord
from .console import CommandError, LocalizedConsole, UsageError
from .input_values import parse_path
from .loading import load_game

if TYPE_CHECKING:
    from ...dsl.packs import PackBundle
    from ..library.loaded_game import LoadedGame
    from ..match.table import MatchTable
    from ..position.position import Game, Position
    from ..position.seeds import Seed

INITIAL_READ_BYTES = 4 * MAX_GAME_CHARS            # of a file that are read before more of it is
ReadResult = TypeVar("ReadResult")


@contextmanager
def convert_notation_errors() -> Iterator[None]:
    """What cannot be written or read is told in a sentence."""
    try:
        yield
    except NotationError as error:
        raise CommandError(error.key, **error.args_) from error


def format_game(table: MatchTable) -> str:
    """A game that was played. Raises Refusal."""
    with convert_notation_errors():
        return write_game(table)


def format_position(table: MatchTable) -> str:
    """The position at a table. Raises Refusal."""
    with convert_notation_errors():
        return write_position(table)


def read_game_record(voice: LocalizedConsole, game: Game, given: str, seed: Seed, which: int | None = None) -> ReplayedRecord:
    """What a file holds, or a position that was typed; of several games or positions the one with a number. What its reader had better
    know is told. Raises Usage and Refusal."""
    path = parse_path(given)
    with convert_notation_errors():
        found = read_incrementally(game, given, lambda text, whole: read_game_text(game, text, seed, which or 1, whole))
    for key, args in found.notes:
        voice.print_stderr(voice.text(key, **args))
    if found.more and which is None:
        voice.print_stderr(voice.text("notation.more", file=str(path)))
    return found


def load_game_for_notation(
    voice: LocalizedConsole,
    name: str,
    players: int | None,
    settings: dict[str, str],
    packs: list[Path | PackBundle],
    given: str | None,
    which: int | None = None,
) -> LoadedGame:
    """The rules of a game as a file wants them: options that the file chooses, and nobody on the command line, are taken over. Raises Usage
    and Refusal."""
    loaded = load_game(voice, name, players, settings, packs)
    if given is None:
        return loaded
    here = loaded.game.ruleset.settings
    with convert_notation_errors():
        wanted = {option: value for option, value in read_options(loaded.game, given, which).items()
                  if option not in settings and str(here[option]) != value}
    return load_game(voice, name, players, {**settings, **wanted}, packs) if wanted else loaded


def read_options(game: Game, given: str, which: int | None = None) -> dict[str, str]:
    """The options that a file chooses for its game; none where it cannot be read. Raises Usage and Refusal."""
    try:
        return read_incrementally(game, given, lambda text, whole: read_game_options(game, text, which or 1, whole))
    except NotationError:
        return {}                                                  # whoever plays it says why


def read_incrementally(game: Game, given: str, read: Callable[[str, bool], ReadResult]) -> ReadResult:
    """What is read of a text, or of a file with this name: more and more of it, until that is enough. `read` gets the text, and whether
    it is whole. Raises Usage, Refusal and NotationFault."""
    path = parse_path(given)
    if not is_file(path):
        if path.suffix.removeprefix(".") in load_notation(game).files:
            raise UsageError("file.missing", file=str(path))
        return read(given, True)
    for most in (INITIAL_READ_BYTES, INITIAL_READ_BYTES * 8, INITIAL_READ_BYTES * 64):
        text, whole = read_contents(path, most)
        try:
            return read(text, whole)
        except UnfinishedTextError:
            continue
    raise NotationError("notation.too_long", most=INITIAL_READ_BYTES * 64)


class NotationInput:
    """Moves as players write them, typed where a game asks. Made ready when the first of them is looked for."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @cached_property
    def moves(self) -> MoveNotation | None:
        """What reads them; None where a game has no notation."""
        try:
            return MoveNotation(self.game, load_notation(self.game))
        except NotationError:
            return None

    def match_move(self, position: Position, typed: str) -> list[str]:
        """The options of the move that was typed; none where it is no move, or more than one."""
        if self.moves is None or position.decision is None or self.moves.is_continuation(position.decision, position.decision.seat):
            return []
        try:
            return self.moves.read(position, typed)
        except NotationError:
            return []


def is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):                                  # too long for a name, say: then it is a position
        return False


def read_contents(path: Path, most: int) -> tuple[str, bool]:
    """The text of a file, or its beginning, and whether that is all of it; old ones are not in UTF-8. Raises Refusal."""
    try:
        raw = read_beginning(path, most)
    except OSError as error:
        raise CommandError("file.unreadable", file=str(path), reason=error.strerror or "") from error
    whole = len(raw) <= most
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(raw, final=whole), whole
    except UnicodeDecodeError:
        return raw.decode("latin-1"), whole
