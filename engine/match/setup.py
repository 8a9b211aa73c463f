"""What a save speaks of: what a game began with, one decision, and why a save cannot be used."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from ..position.position import Position
from ..position.seeds import Seed
from ..position.state_entries import StateLiteralError, apply_entries

SAVE_FORMAT = 2                           # what new saves are written in; the first one, without checksums, is read and gone on with
SECRET_SEED_FORMAT = 3                 # the same where the seed is a secret one, which earlier versions cannot read
ANY_ORDER = "any order"              # the members of a set may be chosen so
HUMAN = "human"                      # what stands in `seats` for a person


class SaveError(Exception):
    """A save that cannot be used; `key` is the message that says why, `args_` what it speaks of. `mendable`: all that stands before the
    damage is whole, and the game can go on from there if its people want it."""

    def __init__(self, key: str, /, mendable: bool = False, **args: Any) -> None:
        super().__init__(key)
        self.key, self.mendable, self.args_ = key, mendable, args


@dataclass
class MatchSetup:
    """All that makes a game what it is before the first decision, and what its people read."""

    game: str                                                      # id, or the full path of a folder
    players: int
    seed: Seed
    options: dict[str, Any] = field(default_factory=dict)
    house: list[dict[str, Any]] = field(default_factory=list)      # path, name, hash, files (house.py)
    names: list[str] = field(default_factory=list)                 # by seat; "" where none was given
    seats: list[str] = field(default_factory=list)                 # human, bot:random, ...
    langs: list[str] = field(default_factory=list)                 # by seat; "" for the language of the program
    rules: str = ""
    auto: bool = True
    lang: str = ""                                                 # what the program spoke
    version: int = 0                                               # of the game, as its author counts; 0: not known
    start: dict[str, Any] = field(default_factory=dict)            # where it does not begin as usual: clear, given, number (put_start)
    sets: str = ""                   # ANY_ORDER, if the rules ask for sets; without it an earlier version asked in ascending order
    scoresheet: dict[str, Any] = field(default_factory=dict)       # of a file: tags, result, decisions

    def header(self) -> dict[str, Any]:
        number = SAVE_FORMAT if isinstance(self.seed, int) else SECRET_SEED_FORMAT
        left_out = ("start", "sets", "scoresheet")
        return {"ludoglot": number, **{name: value for name, value in asdict(self).items() if name not in left_out or value}}

    def set_language(self, seat: int | None, lang: str) -> None:
        """From now on a seat reads this language; None: the program speaks it, and so to all people who read what it spoke before."""
        if seat is not None:
            self.langs[seat] = lang
            return
        people = [kind == HUMAN for kind in self.seats]
        self.langs = [lang if human and now in ("", self.lang) else now for human, now in zip(people, self.langs)]
        self.lang = lang


def apply_start(position: Position, start: dict[str, Any]) -> None:
    """Put on the table with what a game begins, before it does: states in `clear` are emptied, entries in `given` are put. Raises
    SaveFault where these rules have no such thing."""
    if not start:
        return
    try:
        apply_entries(position, start.get("clear") or [], start.get("given") or {})
    except StateLiteralError as error:
        raise SaveError("save.start", name=".".join(map(str, error.path))) from error


@dataclass(frozen=True)
class SavedDecision:
    """A decision as saved."""

    seat: int
    key: str
    option: str
    hash: str
    auto: bool = False
    over: bool = False

    def to_data(self) -> dict[str, Any]:
        """What is written: marks that are not set are left out."""
        return {name: value for name, value in asdict(self).items() if value is not False}
