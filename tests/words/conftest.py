from __future__ import annotations

from pathlib import Path

import pytest
from ludoglot.dsl import cache
from ludoglot.engine.i18n import Localizer
from tmp_files import filled


@pytest.fixture(scope="session")
def shared_cache_folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("copies")


@pytest.fixture(autouse=True)
def isolated_cache(shared_cache_folder, monkeypatch):
    """Keeps tests away from the cache of the user's own games."""
    monkeypatch.setenv(cache.CACHE_ENV, str(shared_cache_folder))


@pytest.fixture
def empty_cache(isolated_cache, tmp_path_factory, monkeypatch) -> Path:
    """An empty cache folder."""
    place = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv(cache.CACHE_ENV, str(place))
    return place


@pytest.fixture(autouse=True)
def cached_rules(shared_rules: None) -> None:
    """Caches compiled rules, because the texts of a domain come from all files of a game."""


@pytest.fixture
def make_localizer():
    """`speak("hu", {...forms...}, {...english...})`: a localizer of one language without any file."""
    def make(lang: str, lexicon: dict | None = None, english: dict | None = None) -> Localizer:
        return Localizer(lang, [], english or {}, lexicon or {})
    return make


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A small game folder with its own words."""
    return filled(tmp_path / "pond", {"game.yaml": """\
game: pond
name: Pond
players: 2
rules: [pond.rules]
data: [cards.yaml]
options:
  rain: {name: Rain, text: It rains., values: [yes_please, never], default: never}
enums:
  Terrain:
    name: terrain
    members: {sea: {name: sea}, reed: {name: reed}}
  Player: [white, black]
""", "cards.yaml": """\
enums:
  Card:
    name: card
    members:
      flood: {name: Flood, frogs: 2, text: "Put {frogs}~n.frog on a {sea} tile."}
""", "messages.yaml": """\
# Said when a player enters a place.
enter: "{who}~the enters {terrain}~the."
left: {one: "{n} frog left", other: "{n} frogs left"}
""", "clauses.yaml": """\
PD-1: "Frogs swim in the {sea}."
PD-2: {excuse: component}
PD-3: {text: "A flood brings {flood_frogs}~n.frog.", untested: chance}
"""})
