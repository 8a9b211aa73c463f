"""A game by its name or its folder, for so many players, with options and house rules; and a saved match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..library.load import take, take_packs
from ..library.loaded_game import Loaded
from ..match.save_reader import read_record
from ..match.saved_packs import house_entries, packs_of
from ..match.setup import HUMAN, SaveFault, Setup
from ..match.table import Table
from ..notation.game_record import Played
from ..notation.match_notation import played
from ..position.seeds import Seed, is_secret_seed, new_secret_seed
from .errors import ApiError, in_words, sentence
from .match import Match, known


class Game:
    """The rules of a game, ready to be played by so many players, with its options and house rules settled. It never changes, so any number
    of matches can be played with it."""

    def __init__(self, loaded: Loaded, lang: str) -> None:
        self.loaded, self.lang = loaded, lang

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        """The game itself: it never changes."""
        return self

    @property
    def id(self) -> str:
        """The name by which the game is called on a command line, as `game:` in its `game.yaml`."""
        return self.loaded.game.ruleset.id

    @property
    def players(self) -> int:
        return self.loaded.game.players

    @property
    def options(self) -> dict[str, Any]:
        """The options of the game with the values that were chosen for them."""
        return dict(self.loaded.game.ruleset.settings)

    @property
    def houses(self) -> list[str]:
        """The names of the house rules that it is played with."""
        return list(self.loaded.house_names)

    @property
    def seats(self) -> list[str]:
        """The seats as the rules call them, in their order."""
        return list(self.loaded.game.model.enums["Player"].members)

    def title(self, lang: str | None = None) -> str:
        """What the game is called in a language."""
        return self.loaded.words(known(lang or self.lang, self.lang)).text("game.name")

    def start(self, seed: Seed | None = None, names: Sequence[str] = (), begins: str = "") -> Match:
        """A new match, set up and waiting for its first decision. The same seed deals and throws the same; None takes a secret one,
        which nobody can guess. A number is for matches without secrets between people: whoever tries all numbers finds it.
        `names` are those of the players, by seat. `begins` is a position or a game as players write it (FEN, PGN, SGF): the match goes on
        from there. Raises ApiError where that cannot be."""
        count = self.players
        called = [*names, *[""] * count][:count]
        if isinstance(seed, str) and not is_secret_seed(seed):
            raise ApiError(sentence(self.lang, "usage.seed", value=seed))
        setup = Setup(self.loaded.found.name_in_saves, count, new_secret_seed() if seed is None else seed, self.options,
                      house_entries(self.loaded.houses, self.loaded.house_names), called, [HUMAN] * count, [self.lang] * count,
                      auto=False, lang=self.lang)
        with in_words(self.lang):
            before = played(self.loaded.game, begins, setup.seed) if begins else Played(None, [], {})
            setup.start = before.start.data() if before.start is not None else {}
            match = Match(self.loaded, Table.new(self.loaded.game, setup), self.lang)
            for option in before.options:
                match.play(option)
            return match


def load(name: str | Path, players: int | None = None, options: Mapping[str, Any] | None = None, house: Iterable[str | Path] = (),
         lang: str = "en") -> Game:
    """A game by its name or the path of its folder, for so many players (None: the fewest), with values for its options and packs of house
    rules (paths, or names of installed ones). `lang` is the language in which it speaks where nothing else is said. Raises ApiError."""
    lang = known(lang)
    with in_words(lang):
        return Game(take(lang, str(name), players, options or {}, take_packs(house)), lang)


def resume(path: str | Path, lang: str | None = None) -> Match:
    """The match of a save, where it stopped, with the house rules it was played with. The file is only read. Raises ApiError."""
    with in_words(known(lang or "en")):
        setup = read_record(Path(path)).setup
    speaker = known(lang or setup.lang or "en")
    with in_words(speaker):
        loaded = take(speaker, setup.game, setup.players, setup.options, packs_of(setup.house))
        if not loaded.means(setup.rules):
            raise SaveFault("save.other_rules", file=str(path))
        return Match(loaded, Table.resume(loaded.game, Path(path), reopen=False, former=True), speaker)
