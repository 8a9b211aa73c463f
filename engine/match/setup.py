"""The setup of a match, a saved decision, and the error for a save that cannot be used."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from ...dsl.storage.state_literals import StateLiteralError
from ..errors import MessageError, UsageError
from ..position.position import Position
from ..position.seeds import Seed

SAVE_FORMAT = 2                           # of new saves; saves in format 1, without checksums, can be continued
SECRET_SEED_FORMAT = 3                 # the same with a secret seed, which earlier versions cannot read
ANY_ORDER = "any order"              # members of a set may be chosen in any order
HUMAN = "human"                      # the entry in `seats` for a person


class SaveError(MessageError):
    """A save that cannot be used."""


class MissingSaveError(SaveError, UsageError):
    """There is no save with this path."""


class DamagedSaveError(SaveError):
    """A damaged save that is complete up to the damage. The match can continue from there if the players agree."""


@dataclass
class MatchSetup:
    """Everything that determines a match before its first decision, and the languages of its players."""

    game: str                                                      # id, or the full path of a folder
    players: int
    seed: Seed
    options: dict[str, Any] = field(default_factory=dict)
    house: list[dict[str, Any]] = field(default_factory=list)      # path, name, hash, files (saved_packs.py)
    names: list[str] = field(default_factory=list)                 # by seat; "" if not given
    seats: list[str] = field(default_factory=list)                 # human, bot:random, ...
    langs: list[str] = field(default_factory=list)                 # by seat; "" for the language of the program
    rules: str = ""
    auto: bool = True
    lang: str = ""                                                 # of the program
    version: int = 0                                               # of the game, as numbered by its author; 0: unknown
    start: dict[str, Any] = field(default_factory=dict)            # unusual start position: clear, given, number (see apply_start)
    sets: str = ""                   # ANY_ORDER if the game chooses sets; earlier versions offered members in ascending order
    scoresheet: dict[str, Any] = field(default_factory=dict)       # of the loaded file: tags, result, decisions
    teach: bool = False                                            # whether the tutorial is on at the start

    def header(self) -> dict[str, Any]:
        """Returns the header of a save."""
        number = SAVE_FORMAT if isinstance(self.seed, int) else SECRET_SEED_FORMAT
        left_out = ("start", "sets", "scoresheet", "teach")
        return {"ludoglot": number, **{name: value for name, value in asdict(self).items() if name not in left_out or value}}

    def set_language(self, seat: int | None, lang: str) -> None:
        """Sets the language of a seat from now on. With None, sets the language of the
        program and of all people who used its old language."""
        if seat is not None:
            self.langs[seat] = lang
            return
        people = [kind == HUMAN for kind in self.seats]
        self.langs = [lang if human and now in ("", self.lang) else now for human, now in zip(people, self.langs)]
        self.lang = lang


def apply_start(position: Position, start: dict[str, Any]) -> None:
    """Sets up an unusual start position: empties the states in `clear` and sets the entries in `given`.

    Raises SaveError if the rules have no such state or value."""
    if not start:
        return
    try:
        position.set_states(start.get("clear") or [], start.get("given") or {})
    except StateLiteralError as error:
        raise SaveError("save.start", name=".".join(map(str, error.problem.path))) from error


@dataclass(frozen=True)
class SavedDecision:
    """A decision in a save."""

    seat: int
    key: str
    option: str
    hash: str
    auto: bool = False
    over: bool = False

    def to_data(self) -> dict[str, Any]:
        """Returns the data to write, without flags that are false."""
        return {name: value for name, value in asdict(self).items() if value is not False}
