"""The YAML of a game as one source: read, validated and merged. Packs change this source in place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..diagnostics.diagnostic import DiagnosticList, SourceSpan
from ..diagnostics.safe_read import find_unreadable_files
from ..types.boards import Board, parse_span
from ..yaml.located_yaml import LocatedYaml
from ..yaml.schema import read_valid

if TYPE_CHECKING:
    from ..syntax.tree import Node
    from .manifest import Pack
    from .overlay import PackOverlay

DATA_SECTIONS = ("numbers", "options", "enums", "pieces", "tables", "boards", "start")
TEXT_KEYS = ("name", "text")                                           # keys of a member that hold texts, not values
MAX_SEATS = 20


@dataclass
class GameSource:
    """The YAML of a game as one mapping, with the span of each part and the packs applied to it.

    `files` holds the patched rules, in runs of declarations from one file. It is None if packs change no rules."""

    folder: Path
    data: dict[str, Any]
    places: dict[tuple[Any, ...], SourceSpan] = field(default_factory=dict)
    keys: dict[tuple[Any, ...], SourceSpan] = field(default_factory=dict)
    shown: str = ""
    pack_sources: list[str] = field(default_factory=list)
    files: list[tuple[str, list[Node]]] | None = None
    overlay: PackOverlay | None = None
    boards: dict[tuple[str, str], Board] = field(default_factory=dict, repr=False, compare=False)    # of all variants, by name and data

    def place(self, *path: Any) -> SourceSpan:
        for n in range(len(path), -1, -1):
            if path[:n] in self.places:
                return self.places[path[:n]]
        return SourceSpan(self.shown or str(self.folder))

    def key_place(self, *path: Any) -> SourceSpan:
        return self.keys.get(path) or self.place(*path)

    @property
    def player_range(self) -> tuple[int, int]:
        return parse_span(self.data["players"])

    @property
    def version(self) -> int:
        """The version number of the game, as its author counts it."""
        return int(self.data.get("version", 1))

    @property
    def packs(self) -> list[Pack]:
        """The packs applied to it, in order."""
        return self.overlay.packs if self.overlay is not None else []


def read_game(
    folder: Path, findings: DiagnosticList, display_path: str | None = None, read: Callable[..., LocatedYaml | None] = read_valid
) -> GameSource | None:
    """Reads, validates and merges the YAML of a game directory. Returns None if it is unusable.

    `read` reads one file, with the parameters of `read_valid`."""
    display_path = display_path or str(folder)
    main = folder / "game.yaml"
    if not main.is_file():
        findings.add("G001", SourceSpan(display_path), path=display_path)
        return None
    document = read(main, "game", findings, f"{display_path}/game.yaml")
    if document is None:
        return None
    source = GameSource(folder, {key: value for key, value in document.data.items() if key not in DATA_SECTIONS}, shown=display_path)
    source.places |= {**document.values, **document.keys}
    merged = _merge_sections(source, document, findings)
    if not is_valid_player_range(document.data["players"]):
        findings.add("G016", document.place("players"), found=document.data["players"], least=1, limit=MAX_SEATS)
        merged = False
    for section in ("rules", "data"):
        for n, name in enumerate(document.data.get(section, [])):
            if not _is_inside(folder, name):
                findings.add("G017", document.place(section, n), name=name)
                return None
    for name in document.data.get("data", []):
        part = read(folder / name, "data", findings, f"{display_path}/{name}")
        merged = part is not None and _merge_sections(source, part, findings) and merged
    return source if merged else None


def format_player_range(source: GameSource) -> str:
    """Returns the possible numbers of players: `2`, or `2–4`."""
    return "–".join(map(str, dict.fromkeys(source.player_range)))


def is_valid_player_range(players: int | str) -> bool:
    """Whether a `players` entry such as `2..4` is within the limits."""
    low, high = parse_span(players)
    return 1 <= low <= high <= MAX_SEATS


def report_unreadable_files(folder: Path, display_path: str, findings: DiagnosticList) -> None:
    """Reports files of a game that cannot be read. Without this, they would be ignored silently."""
    told = {found.place.path for found in findings.items}
    for path, limit in find_unreadable_files(folder):
        place = f"{display_path}/{path.relative_to(folder).as_posix()}"
        if place not in told:
            findings.add_unreadable(place, limit)


def _is_inside(folder: Path, name: str) -> bool:
    """Whether a file named by a game is inside the directory of the game."""
    try:
        return (folder / name).resolve().is_relative_to(folder.resolve()) and "\\" not in name
    except (OSError, ValueError, RuntimeError):
        return False


def _merge_sections(source: GameSource, document: LocatedYaml, findings: DiagnosticList) -> bool:
    """Merges the sections of one document into the source. Returns False, with diagnostics, for duplicates."""
    good = True
    keys, values = _paths_by_entry(document.keys), _paths_by_entry(document.values)
    for section in DATA_SECTIONS:
        entries = document.data.get(section) or {}
        target = source.data.setdefault(section, {})
        for key, value in entries.items():
            if key in target:
                findings.add("Y006", document.key_place(section, key), name=key, also=(source.place(section, key),))
                good = False
                continue
            target[key] = value
            for path in keys.get((section, key), ()):
                source.keys[path] = document.keys[path]
            for path in values.get((section, key), ()):
                source.places[path] = document.keys.get(path, document.values[path]) if len(path) == 2 else document.values[path]
    return good


def _paths_by_entry(places: Iterable[tuple[Any, ...]]) -> dict[tuple[Any, ...], list[tuple[Any, ...]]]:
    """Groups paths by their first two parts: section and entry."""
    found: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    for path in places:
        if len(path) >= 2:
            found.setdefault(path[:2], []).append(path)
    return found
