"""Loads a game by its name or folder, with a number of players, options and house rules, and resumes saved
matches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..library.load import load_rules, locate_packs
from ..library.loaded_game import LoadedGame
from ..match.save_reader import read_contents
from ..match.saved_packs import pack_entries, restore_packs
from ..match.setup import HUMAN, MatchSetup, SaveError
from ..match.table import MatchTable
from ..notation.game_record import ReplayedRecord
from ..notation.match_notation import read_game_text
from ..position.seeds import Seed, is_secret_seed, new_secret_seed
from .bots import bots_of_game
from .errors import ApiError, engine_sentence, raise_api_errors, resolve_language
from .fast_position import start_single
from .match import Match


class Game:
    """The rules of a game for a number of players, with options and house rules.

    A game never changes, so it can be used for any number of matches."""

    def __init__(self, loaded: LoadedGame, lang: str) -> None:
        self.loaded, self.lang = loaded, lang
        self._bots = bots_of_game(loaded, "random")

    def __repr__(self) -> str:
        chosen = [*(f"{name}={value}" for name, value in self.changed_options.items()), *(f"house {name}" for name in self.pack_sources)]
        return f"<Game {self.id}: {', '.join([f'{self.players} player' + 's' * (self.players != 1), *chosen])}>"

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        """Returns the same object, since it never changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Game, (self.loaded, self.lang)

    @property
    def id(self) -> str:
        """The name of the game on the command line: `game:` in its `game.yaml`."""
        return self.loaded.game.ruleset.id

    @property
    def players(self) -> int:
        """The number of players."""
        return self.loaded.game.players

    @property
    def options(self) -> dict[str, Any]:
        """The options of the game with their chosen values."""
        return dict(self.loaded.game.ruleset.settings)

    @property
    def changed_options(self) -> dict[str, Any]:
        """The options whose values differ from their defaults."""
        usual = self.loaded.game.ruleset.source.data["options"]
        return {name: value for name, value in self.options.items() if value != usual[name]["default"]}

    @property
    def pack_sources(self) -> list[str]:
        """The names of the house-rule packs in use."""
        return list(self.loaded.house_names)

    @property
    def seats(self) -> list[str]:
        """The names of the seats in the rules, in order."""
        return list(self.loaded.game.model.enums["Player"].members)

    def title(self, lang: str | None = None) -> str:
        """Returns the name of the game in a language.

        Arguments:
            lang: The language (default: the language of the game).

        Raises:
            ApiError: There is no such language."""
        return self.loaded.localizer(resolve_language(lang or self.lang, self.lang)).text("game.name")

    def start(self, seed: Seed | None = None, names: Sequence[str] = (), begins: str = "") -> Match:
        """Returns a new match, set up and waiting for its first decision.

        Arguments:
            seed: The same seed produces the same random events. Without it, Ludoglot generates a secret seed that
                nobody can guess. Use a number only if the match has no secrets between people: anybody can find it
                by trying all numbers.
            names: The names of the players, by seat (default: the names of the seats).
            begins: A position or a game in standard notation (FEN, PGN, SGF) from which the match starts (default:
                the usual set-up).

        Raises:
            ApiError: The seed is not valid, or Ludoglot cannot read `begins`.

        Example:

            match = load("chess").start(names=["Anna", "Piero"], begins="1. e4 e5 *")"""
        if seed is None:
            seed = new_secret_seed()
        elif isinstance(seed, str) and not is_secret_seed(seed):
            raise ApiError(engine_sentence(self.lang, "usage.seed", value=seed))
        loaded = self.loaded
        packs = pack_entries(loaded.pack_sources, loaded.house_names) if loaded.pack_sources else []
        called = tuple(names)
        if not begins and (runner := self._bots.get_runner()) is not None and (single := start_single(runner, seed)) is not None:
            return Match(loaded, lambda: self._make_setup(seed, called, packs), self.lang, self._bots.options, runner, single)
        setup = self._make_setup(seed, called, packs)
        with raise_api_errors(self.lang):
            before = read_game_text(loaded.game, begins, setup.seed) if begins else ReplayedRecord(None, [], {})
            setup.start = before.start.to_data() if before.start is not None else {}
            match = Match(loaded, MatchTable.new(loaded.game, setup), self.lang)
            for option in before.options:
                match.play(option)
            return match

    def _make_setup(self, seed: Seed, names: tuple[str, ...], packs: list[dict[str, Any]]) -> MatchSetup:
        """Returns the set-up of a match."""
        count = self.players
        called = [*names, *[""] * count][:count]
        return MatchSetup(self.loaded.found.name_in_saves, count, seed, self.options, packs, called, [HUMAN] * count, [self.lang] * count,
                          auto=False, lang=self.lang)


def load(name: str | Path, players: int | None = None, options: Mapping[str, Any] | None = None, house: Iterable[str | Path] = (),
         lang: str = "en") -> Game:
    """Returns a game, ready to be played.

    Arguments:
        name: The name of a game (`ludoglot games` lists them), or the path of its folder.
        players: The number of players (default: the minimum).
        options: Values of the game's options, by name (default: the game's defaults).
        house: House-rule packs, as paths or as names of installed packs (default: none).
        lang: The language of error messages, and the default language of texts (default: "en").

    Raises:
        ApiError: There is no such game, option, or pack, or the files contain an error. The message says which.

    Example:

        game = load("hex", options={"hexagons_a_side": 5}, lang="es")"""
    lang = resolve_language(lang)
    with raise_api_errors(lang):
        return Game(load_rules(lang, str(name), players, options or {}, locate_packs(house)), lang)


def resume(path: str | Path, lang: str | None = None) -> Match:
    """Returns the match of a save at the point where it stopped, with its house rules. The file is not changed.

    Bots that the save names are not asked. Use `Match.bot` for their choices.

    Arguments:
        path: The file of a save, from `Match.save` or from the command line.
        lang: The language of texts and of error messages (default: the language of the save).

    Raises:
        ApiError: The file is missing or damaged, or the rules have changed since then."""
    with raise_api_errors(resolve_language(lang or "en")):
        setup = read_contents(Path(path)).setup
    speaker = resolve_language(lang or setup.lang or "en")
    with raise_api_errors(speaker):
        loaded = load_rules(speaker, setup.game, setup.players, setup.options, restore_packs(setup.house))
        if not loaded.accepts_fingerprint(setup.rules):
            raise SaveError("save.other_rules", file=str(path))
        return Match(loaded, MatchTable.resume(loaded.game, Path(path), reopen=False, former=True), speaker)
