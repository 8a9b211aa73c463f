"""Games and positions as players of a game write them: what `replay` writes, what `play --from` reads, and moves that somebody types."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ...dsl.findings.regular import read_bytes
from ..notation import NotationFault, notation_of
from ..notation.moves import Moves
from ..notation.ongoing import game_of, played, position_of
from ..notation.scoresheets import LONGEST, Played
from .inputs import path_of
from .voice import Refusal, Usage, Voice

if TYPE_CHECKING:
    from ..playing.table import Table
    from ..position.position import Game, Position
    from ..position.seeds import Seed


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


def game_from(voice: Voice, game: Game, given: str, seed: Seed) -> Played:
    """What a file holds, or a position that was typed. Raises Usage and Refusal."""
    path = path_of(given)
    text = given
    with refused():
        if is_file(path):
            text = contents(path)
        elif path.suffix.removeprefix(".") in notation_of(game).files:
            raise Usage("file.missing", file=str(path))
        found = played(game, text, seed)
    if found.more:
        voice.warn(voice.text("notation.more", file=str(path)))
    return found


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


def contents(path: Path) -> str:
    """The text of a file; old ones are not in UTF-8. Raises Refusal."""
    try:
        raw = read_bytes(path, 4 * LONGEST)
    except OSError as error:
        raise Refusal("file.unreadable", file=str(path), reason=error.strerror or "") from error
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
