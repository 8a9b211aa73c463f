"""Compiled rules of tables, and the house rules that the operator of the server has installed."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...dsl.diagnostics.diagnostic import RulesRejectedError
from ..errors import MessageError
from ..library.installed_packs import InstalledPack, iter_installed_packs
from ..library.load import load_rules, locate_packs
from ..library.loaded_game import LoadedGame
from ..match.saved_packs import pack_entries, restore_packs
from ..match.setup import MatchSetup
from .garbage_collection import exempt_from_collection

MAX_RULES = 60                              # compiled variants in memory


class PackError(MessageError):
    """House rules that cannot be used together, or are not installed on this server."""


@dataclass
class RulesEntry:
    """The place of compiled rules. Rules share caches between their matches, so one thread at a time uses them."""

    lock: threading.RLock = field(default_factory=threading.RLock)
    loaded: LoadedGame | None = None


class RulesCache:
    """Compiled rules, each with a lock."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.found: OrderedDict[tuple[object, ...], RulesEntry] = OrderedDict()
        self.packs: dict[Path, tuple[float, dict[str, Any] | None]] = {}

    def load(self, game: str, players: int, options: Mapping[str, Any],
             house: Sequence[Mapping[str, Any]] = ()) -> tuple[LoadedGame, threading.RLock]:
        """Returns the rules of a game for these players, options and packs. Raises UsageError and RulesRejectedError.

        `house` are packs as the header of a save contains them."""
        chosen = {name: str(value) for name, value in options.items()}
        key = (game, players, tuple(sorted(chosen.items())), tuple((pack["path"], pack.get("hash")) for pack in house))
        with self.lock:
            entry = self.found.setdefault(key, RulesEntry())
            self.found.move_to_end(key)
            has_dropped_rules = len(self.found) > MAX_RULES
            while len(self.found) > MAX_RULES:
                self.found.popitem(last=False)
        with entry.lock:
            if entry.loaded is None:
                with exempt_from_collection(has_dropped_rules):
                    entry.loaded = load_rules("en", game, players, chosen, restore_packs(house))
            return entry.loaded, entry.lock

    def load_setup(self, setup: MatchSetup) -> tuple[LoadedGame, threading.RLock]:
        """Returns the rules of a match."""
        return self.load(setup.game, setup.players, setup.options, setup.house)

    # ------------------------------------------------------------ installed packs

    def list_packs(self, game: str) -> list[InstalledPack]:
        """Returns the installed packs of a game whose rules have no errors."""
        return [pack for pack in iter_installed_packs(game) if self.read_pack(pack) is not None]

    def read_pack(self, pack: InstalledPack) -> dict[str, Any] | None:
        """Returns a pack as the header of a save contains it, or None if it has errors."""
        changed = max(path.stat().st_mtime for path in (pack.path, *pack.path.glob("*")))
        known = self.packs.get(pack.path)
        if known is None or known[0] != changed:
            known = self.packs[pack.path] = changed, read_valid_pack(pack)
        return known[1]

    def choose_packs(self, game: str, names: Sequence[str]) -> list[dict[str, Any]]:
        """Returns these installed packs, as the header of a save contains them. Raises PackError."""
        installed = {pack.name: pack for pack in self.list_packs(game)}
        return [self.require_pack(installed, name) for name in installed if name in names] + [
            self.require_pack(installed, name) for name in names if name not in installed]

    def match_packs(self, game: str, house: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Returns the installed packs with the same content as the packs of a save. Raises PackError.

        So nobody can bring rules of their own to a server."""
        installed = {pack.name: pack for pack in self.list_packs(game)} if house else {}
        found = [self.require_pack(installed, str(pack["name"])) for pack in house]
        for pack, known in zip(house, found):
            if pack.get("hash") != known["hash"]:
                raise PackError("web.pack_missing", name=str(pack["name"]))
        return found

    def require_pack(self, installed: Mapping[str, InstalledPack], name: str) -> dict[str, Any]:
        """Returns an installed pack. Raises PackError."""
        entry = self.read_pack(installed[name]) if name in installed else None
        if entry is None:
            raise PackError("web.pack_missing", name=name)
        return entry


def read_valid_pack(pack: InstalledPack) -> dict[str, Any] | None:
    """Returns a pack as the header of a save contains it, without its folder on this machine. None if it has errors."""
    try:
        loaded = load_rules("en", pack.game, None, {}, locate_packs([pack.path]))
    except (RulesRejectedError, MessageError):
        return None
    (entry,) = pack_entries(loaded.pack_sources, loaded.house_names)
    return {**entry, "path": pack.path.name} if "files" in entry else None
