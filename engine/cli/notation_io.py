"""Games, positions, and moves in the notation of a game: input of `play --from` and typed moves."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from ...dsl.diagnostics.safe_read import read_beginning
from ...dsl.packs import PackBundle
from ..i18n import Localizer
from ..library.loaded_game import LoadedGame
from ..match.table import MatchTable
from ..notation import NotationError, load_notation, load_record_notation
from ..notation.game_record import GameRecordNotation
from ..notation.local_letters import list_letters, localize_notation
from ..notation.match_notation import read_game_options, read_game_text
from ..notation.move_chains import expand_move
from ..notation.moves import MoveNotation
from ..notation.movetext import MAX_GAME_CHARS, UnfinishedTextError
from ..notation.playback import ReplayedRecord
from ..notation.position_line import StartPosition
from ..position.position import Game, Position
from ..position.seeds import Seed
from .console import CommandError, LocalizedConsole, UsageError
from .input_values import parse_path
from .loading import load_game

INITIAL_READ_BYTES = 4 * MAX_GAME_CHARS            # bytes read from a file at first
LEADING_NUMBER = re.compile(r"^\s*(?:\d+\s*)?[.…][.…\s]*(?=\S)")        # `2. ` or `1. ... ` before a typed move
ReadResult = TypeVar("ReadResult")


def read_game_record(console: LocalizedConsole, game: Game, file_or_text: str, seed: Seed, number: int | None = None) -> ReplayedRecord:
    """Reads a game record from a file, or a position from a file or typed text, and prints notes about it.

    `number` selects one of several games or positions. Raises MessageError."""
    path = parse_path(file_or_text)
    found = read_incrementally(game, file_or_text, lambda text, whole: read_game_text(game, text, seed, number or 1, whole))
    for key, args in found.notes:
        console.print_stderr(console.text(key, **args))
    if found.more and number is None:
        console.print_stderr(console.text("notation.more", file=str(path)))
    return found


def load_game_for_notation(
    console: LocalizedConsole,
    name: str,
    players: int | None,
    settings: dict[str, str],
    packs: list[Path | PackBundle],
    file_or_text: str | None,
    number: int | None = None,
) -> LoadedGame:
    """Loads the rules that a file needs: game options in the file apply unless the command line sets them.

    Raises MessageError."""
    loaded = load_game(console, name, players, settings, packs)
    if file_or_text is None:
        return loaded
    here = loaded.game.ruleset.settings
    wanted = {option: value for option, value in read_options(loaded.game, file_or_text, number).items()
              if option not in settings and str(here[option]) != value}
    return load_game(console, name, players, {**settings, **wanted}, packs) if wanted else loaded


def read_options(game: Game, file_or_text: str, number: int | None = None) -> dict[str, str]:
    """Returns the game options that a file sets; empty if it cannot be read. Raises MessageError."""
    try:
        return read_incrementally(game, file_or_text, lambda text, whole: read_game_options(game, text, number or 1, whole))
    except NotationError:
        return {}                                                  # reading the game reports the error


def read_incrementally(game: Game, file_or_text: str, read_text: Callable[[str, bool], ReadResult]) -> ReadResult:
    """Reads a typed text, or growing parts of a file with this name until they suffice.

    `read_text` receives the text and whether it is complete. Raises MessageError."""
    path = parse_path(file_or_text)
    if not is_file(path):
        if path.suffix.removeprefix(".") in load_record_notation(game).files:
            raise UsageError("file.missing", file=str(path))
        return read_text(file_or_text, True)
    for most in (INITIAL_READ_BYTES, INITIAL_READ_BYTES * 8, INITIAL_READ_BYTES * 64):
        text, whole = read_contents(path, most)
        try:
            return read_text(text, whole)
        except UnfinishedTextError:
            continue
    raise NotationError("notation.too_long", most=INITIAL_READ_BYTES * 64)


class NotationInput:
    """Moves in notation that are typed at a prompt. A parser is created at the first use."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.by_language: dict[str, MoveNotation] = {}

    @cached_property
    def moves(self) -> MoveNotation | None:
        """The parser of moves with the letters of files; None if the game has no notation."""
        try:
            return MoveNotation(self.game, load_notation(self.game))
        except NotationError:
            return None

    def local_moves(self, words: Localizer) -> MoveNotation | None:
        """Returns the parser of moves with the letters of a language; None if the game has no notation."""
        if self.moves is not None and words.lang not in self.by_language:
            self.by_language[words.lang] = MoveNotation(self.game, localize_notation(
                self.moves.notation, lambda key: words.text(key) if words.has(key) else None))
        return self.by_language.get(words.lang)

    def match_move(self, position: Position, typed: str, words: Localizer) -> list[str]:
        """Returns the options of a typed move; empty if it is no move or ambiguous.

        The letters of the language come first. The letters of files are understood too, unless the first one means
        something else in the language."""
        local, typed = self.local_moves(words), LEADING_NUMBER.sub("", typed, count=1)
        if local is None or position.decision is None or local.is_continuation(position.decision, position.decision.seat):
            return []
        usual = [self.moves] if self.moves is not None and typed[:1] not in list_letters(local.notation) else []
        for read in (MoveNotation.read, MoveNotation.read_unfinished):
            for moves in (local, *usual):
                with suppress(NotationError):
                    if found := read(moves, position, typed):
                        return found
        return []

    def list_moves(self, table: MatchTable, words: Localizer, names: Sequence[str]) -> list[str]:
        """Returns the moves of a match with their numbers, in the letters of a language: `1. e4 e5`.

        Raises NotationError if the game has no notation for its moves."""
        local = self.local_moves(words)
        if local is None:
            raise NotationError("moves.none", log=words.text("command.log"))
        setup, options = table.setup, [step.option.spelling for step in table.steps]
        return GameRecordNotation(table.game, local.notation).list_moves(StartPosition.from_data(setup.start), setup.seed, options, names)

    def list_latest_moves(self, table: MatchTable, words: Localizer, names: Sequence[str]) -> str:
        """Returns the last moves in the letters of a language: `2. Nf3 d5`. Empty if players do not talk in the notation of the game."""
        local, steps = self.local_moves(words), [(step.before, step.option.spelling) for step in table.steps if step.before is not None]
        if local is None or local.notation.nodes or len(steps) < len(table.steps):
            return ""
        with suppress(NotationError):
            return GameRecordNotation(table.game, local.notation).list_latest_moves(
                StartPosition.from_data(table.setup.start), steps, names)
        return ""

    def split_moves(self, position: Position, typed: str, words: Localizer) -> list[str]:
        """Splits a line that begins with a move into its moves, which are read one after the other: `24/18 13/8`.

        A part may stand for several moves, such as `24/13`. Returns an empty list if the line is a single move, or does
        not begin with one."""
        local = self.local_moves(words)
        if local is None or self.match_move(position, typed, words):
            return []
        here, out, left = position.copy(), [], typed.split()
        while left:
            part = left.pop(0)
            options = self.match_move(here, part, words)
            if not options and (joined := expand_move(local, here, part)) not in ([], [part]):
                left = [*joined, *left]
                continue
            out.append(part)
            for option in options:
                here.play(here.decision.seat if here.decision is not None else -1, option)
        return out if len(out) > 1 and self.match_move(position, out[0], words) else []


def is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):                                  # for example a position too long to be a file name
        return False


def read_contents(path: Path, max_bytes: int) -> tuple[str, bool]:
    """Returns the text of a file or its beginning, and whether it is complete.

    Files that are not UTF-8 are read as Latin-1. Raises CommandError."""
    try:
        raw = read_beginning(path, max_bytes)
    except OSError as error:
        raise CommandError("file.unreadable", file=str(path), reason=error.strerror or "") from error
    whole = len(raw) <= max_bytes
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(raw, final=whole), whole
    except UnicodeDecodeError:
        return raw.decode("latin-1"), whole
