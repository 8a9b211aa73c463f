"""A game by its name or its folder, for so many players, with options and house rules; and a saved match."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...dsl.findings.diagnostics import Findings
from ...dsl.packs import lay_packs
from ...dsl.packs.source import read_game
from ...dsl.rulesets import ruleset
from ..playing.house import house_entries, packs_of
from ..playing.records import read_record
from ..playing.setup import HUMAN, SaveFault, Setup
from ..playing.table import Table
from ..position import position
from ..shelf.find import Found, UnknownGame, find, installed
from ..shelf.loaded import Loaded
from ..shelf.packs import find_pack
from ..words.typed import near
from .match import Match, known
from .sentences import ApiError, finding, sentence

if TYPE_CHECKING:
    from ...dsl.packs import Bundle
    from ...dsl.packs.source import Source

__all__ = ["ApiError", "Game", "load", "resume"]


class Game:
    """The rules of a game, ready to be played by so many players, with its options and house rules settled. It never changes, so any number
    of matches can be played with it."""

    def __init__(self, loaded: Loaded, lang: str) -> None:
        self.loaded, self.lang = loaded, lang

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

    def start(self, seed: int | None = None, names: Sequence[str] = ()) -> Match:
        """A new match, set up and waiting for its first decision. The same seed deals and throws the same; None takes one at random.
        `names` are those of the players, by seat."""
        count = self.players
        called = [*names, *[""] * count][:count]
        setup = Setup(self.loaded.found.name if self.loaded.found.name in installed() else str(self.loaded.found.folder.resolve()), count,
                      random.SystemRandom().getrandbits(32) if seed is None else seed, self.options,
                      house_entries(bundles(self.loaded), self.loaded.house_names), called, [HUMAN] * count, [self.lang] * count,
                      auto=False, lang=self.lang)
        try:
            return Match(self.loaded, Table.new(self.loaded.game, setup), self.lang)
        except position.RuleError as error:
            raise ApiError(finding(self.lang, [error.diagnostic])) from error


def bundles(loaded: Loaded) -> list[Bundle]:
    """The texts of its packs of house rules."""
    laid = loaded.game.ruleset.source.laid
    return [pack.bundle for pack in laid.packs] if laid is not None else []


def load(name: str | Path, players: int | None = None, options: Mapping[str, Any] | None = None, house: Iterable[str | Path] = (),
         lang: str = "en") -> Game:
    """A game by its name or the path of its folder, for so many players (None: the fewest), with values for its options and packs of house
    rules (paths, or names of installed ones). `lang` is the language in which it speaks where nothing else is said. Raises ApiError."""
    lang = known(lang)
    return Game(loaded_game(lang, str(name), players, options or {}, packs_from(lang, house)), lang)


def resume(path: str | Path, lang: str | None = None) -> Match:
    """The match of a save, where it stopped, with the house rules it was played with. The file is only read. Raises ApiError."""
    speaker = known(lang or "en")
    try:
        setup = read_record(Path(path)).setup
        speaker = known(lang or setup.lang or "en")
        loaded = loaded_game(speaker, setup.game, setup.players, setup.options, packs_of(setup.house))
        if not loaded.means(setup.rules):
            raise SaveFault("save.other_rules", file=str(path))
        return Match(loaded, Table.resume(loaded.game, Path(path), reopen=False, former=True), speaker)
    except SaveFault as error:
        raise ApiError(sentence(speaker, error.key, **error.args_)) from error


def packs_from(lang: str, names: Iterable[str | Path]) -> list[Path | Bundle]:
    """Packs of house rules by their paths or names."""
    out: list[Path | Bundle] = []
    for name in names:
        path = Path(name).expanduser()
        found = path if path.exists() else find_pack(str(name))
        if found is None:
            raise ApiError(sentence(lang, "file.missing", file=str(name)))
        out.append(found)
    return out


def loaded_game(lang: str, name: str, players: int | None, options: Mapping[str, Any], packs: Iterable[Path | Bundle]) -> Loaded:
    """The rules of a game for so many players, with these options and house rules."""
    try:
        found = find(name)
    except UnknownGame as error:
        raise ApiError(sentence(lang, "usage.game", name=name, games=installed(), meant=error.meant or "")) from None
    findings = Findings()
    source = read_game(found.folder, findings, found.shown)
    if source is not None:
        lay_packs(source, packs, findings)
    if source is None or findings.errors:
        raise ApiError(finding(lang, findings.sorted()))
    fitting(lang, found, source, players, options)
    made = ruleset.build(source, players or source.player_range[0], ruleset.settings_of(source, dict(options), findings), findings)
    if made is None or findings.errors:
        raise ApiError(finding(lang, findings.sorted()))
    laid = source.laid.packs if source.laid is not None else []
    return Loaded(found, position.Game(made), [pack.bundle.given or pack.bundle for pack in laid], [pack.name for pack in laid])


def fitting(lang: str, found: Found, source: Source, players: int | None, options: Mapping[str, Any]) -> None:
    """Whether a game is for so many players and has these options. Raises ApiError."""
    from ..words import game_words
    title = game_words(lang, source.data.get("game", found.name), found.folder, {"game.name": source.data["name"]}).text("game.name")
    low, high = source.player_range
    if players is not None and not low <= players <= high:
        one = low == high
        raise ApiError(sentence(lang, "usage.players_exact", game=title, wanted=low, n=players) if one else
                       sentence(lang, "usage.players", game=title, low=low, high=high, n=players))
    for key, value in options.items():
        if key not in source.data["options"]:
            raise ApiError(sentence(lang, "usage.option", game=title, name=key, meant=near(key, source.data["options"])))
        values = [str(one).lower() for one in source.data["options"][key]["values"]]
        if str(value).lower() not in values:
            said = str(value).lower()
            raise ApiError(sentence(lang, "usage.option_value", name=key, values=values, value=str(value), meant=near(said, values)))
