"""Games and positions as players of a game write them: what `replay` writes, what `play --from` reads, and moves that somebody types."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ...dsl.diagnostics.safe_read import read_beginning
from ..notation import NotationFault, notation_of
from ..notation.match_notation import game_of, options_in, played, position_of
from ..notation.moves import Moves
from ..notation.movetext import LONGEST, Unfinished
from ..notation.playback import Played
from .console import Refusal, Usage, Voice
from .input_values import path_of
from .loading import load_game

if TYPE_CHECKING:
    from ...dsl.packs import Bundle
    from ..library.loaded_game import Loaded
    from ..match.table import Table
    from ..position.position import Game, Position
    from ..position.seeds import Seed

FIRST_BYTES = 4 * LONGEST            # of a file that are read before more of it is
Made = TypeVar("Made")


@contextmanager
def refused() -> Iterator[None]:
    """What cannot be written or read is told in a sentence."""
    try:
        yield
    except NotationFault as error:
        raise Refusal(error.key, **error.args_) from error


def game_as_text(table: Table) -> str:
    """A game that was played. Raises Refusal."""
    with refused():
        return game_of(table)


def position_as_text(table: Table) -> str:
    """The position at a table. Raises Refusal."""
    with refused():
        return position_of(table)


def game_from(voice: Voice, game: Game, given: str, seed: Seed, which: int | None = None) -> Played:
    """What a file holds, or a position that was typed; of several games or positions the one with a number. What its reader had better
    know is told. Raises Usage and Refusal."""
    path = path_of(given)
    with refused():
        found = read_as_needed(game, given, lambda text, whole: played(game, text, seed, which or 1, whole))
    for key, args in found.notes:
        voice.warn(voice.text(key, **args))
    if found.more and which is None:
        voice.warn(voice.text("notation.more", file=str(path)))
    return found


def load_to_read(voice: Voice, name: str, players: int | None, settings: dict[str, str], packs: list[Path | Bundle],
                 given: str | None, which: int | None = None) -> Loaded:
    """The rules of a game as a file wants them: options that the file chooses, and nobody on the command line, are taken over. Raises Usage
    and Refusal."""
    loaded = load_game(voice, name, players, settings, packs)
    if given is None:
        return loaded
    here = loaded.game.ruleset.settings
    with refused():
        wanted = {option: value for option, value in options_from(loaded.game, given, which).items()
                  if option not in settings and str(here[option]) != value}
    return load_game(voice, name, players, {**settings, **wanted}, packs) if wanted else loaded


def options_from(game: Game, given: str, which: int | None = None) -> dict[str, str]:
    """The options that a file chooses for its game; none where it cannot be read. Raises Usage and Refusal."""
    try:
        return read_as_needed(game, given, lambda text, whole: options_in(game, text, which or 1, whole))
    except NotationFault:
        return {}                                                  # whoever plays it says why


def read_as_needed(game: Game, given: str, read: Callable[[str, bool], Made]) -> Made:
    """What is read of a text, or of a file with this name: more and more of it, until that is enough. `read` gets the text, and whether
    it is whole. Raises Usage, Refusal and NotationFault."""
    path = path_of(given)
    if not is_file(path):
        if path.suffix.removeprefix(".") in notation_of(game).files:
            raise Usage("file.missing", file=str(path))
        return read(given, True)
    for most in (FIRST_BYTES, FIRST_BYTES * 8, FIRST_BYTES * 64):
        text, whole = contents(path, most)
        try:
            return read(text, whole)
        except Unfinished:
            continue
    raise NotationFault("notation.too_long", most=FIRST_BYTES * 64)


class Typed:
    """Moves as players write them, typed where a game asks. Made ready when the first of them is looked for."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @cached_property
    def moves(self) -> Moves | None:
        """What reads them; None where a game has no notation."""
        try:
            return Moves(self.game, notation_of(self.game))
        except NotationFault:
            return None

    def meant(self, position: Position, typed: str) -> list[str]:
        """The options of the move that was typed; none where it is no move, or more than one."""
        if self.moves is None or position.decision is None or self.moves.continues(position.decision, position.decision.seat):
            return []
        try:
            return self.moves.read(position, typed)
        except NotationFault:
            return []


def is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):                                  # too long for a name, say: then it is a position
        return False


def contents(path: Path, most: int) -> tuple[str, bool]:
    """The text of a file, or its beginning, and whether that is all of it; old ones are not in UTF-8. Raises Refusal."""
    try:
        raw = read_beginning(path, most)
    except OSError as error:
        raise Refusal("file.unreadable", file=str(path), reason=error.strerror or "") from error
    whole = len(raw) <= most
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(raw, final=whole), whole
    except UnicodeDecodeError:
        return raw.decode("latin-1"), whole
