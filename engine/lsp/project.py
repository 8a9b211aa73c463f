"""One game on the desk: its folder as the editor has it, what the checker knows of it now, and where each name stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from ...dsl.check.scope import Declared
from ...dsl.diagnostics.diagnostic import Diagnostic
from ...dsl.diagnostics.safe_read import read_text
from ...dsl.diagnostics.source_lines import lines_of
from ...dsl.packs.source import Source
from ..i18n import Words, game_words
from ..library.find import MAIN, Found
from .overlay_fs import Mirror
from .symbol_index import Files, Index, index_of, scenarios_in


class Known(Protocol):
    """What is known of a game at the moment."""

    @property
    def source(self) -> Source | None: ...
    @property
    def files(self) -> Files: ...
    @property
    def declared(self) -> Declared | None: ...


class Said(Protocol):
    """What was found so far; `whole`: there is no more."""

    @property
    def findings(self) -> Sequence[Diagnostic]: ...
    @property
    def whole(self) -> bool: ...


class Checker(Protocol):
    """Checks one game, again and again, step by step."""

    @property
    def known(self) -> Known: ...
    def steps(self) -> Iterator[Said | None]: ...


class Workshop(Protocol):
    """Who checks games and packs of house rules for editors."""

    def game(self, found: Found, root: Path) -> Checker: ...
    def pack(self, found: Found, pack: Path) -> Iterator[Said | None]: ...


class Desk:
    """One game, by its folder."""

    def __init__(self, root: Path, workshop: Workshop) -> None:
        self.root = root
        self.mirror = Mirror(root)
        self.found = Found(str(root), self.mirror.folder, root.as_posix())
        self.checker = workshop.game(self.found, root)
        self._index: tuple[Known, Index, bool] | None = None

    def steps(self) -> Iterator[Said | None]:
        """Check what is on the screen."""
        self.mirror.fresh()
        yield from self.checker.steps()

    def text(self, path: str | Path) -> str:
        """A file as the editor has it; "" where it cannot be read."""
        name = self.mirror.within(Path(path))
        try:
            return self.mirror.open[name] if name in self.mirror.open else read_text(path)
        except (OSError, ValueError):
            return ""

    def lines(self, path: str | Path) -> list[str]:
        """Its lines, as places count them."""
        return lines_of(self.text(path))

    def tests(self) -> dict[str, str]:
        """The scenario files, by their places."""
        names = {path.relative_to(self.root).as_posix() for path in (self.root / "tests").glob("*.yaml")}
        names |= {name for name in self.mirror.open if name.startswith("tests/") and name.endswith(".yaml")}
        return {f"{self.found.shown}/{name}": self.text(self.root / name) for name in sorted(names)}

    def ready(self) -> Known:
        """What is known; if nothing was looked at yet, after a first look."""
        known = self.checker.known
        if known.source is None:
            next(self.steps())
        return self.checker.known

    def index(self, scenarios: bool = False) -> Index:
        """Where each name stands; with `scenarios`, in those too."""
        known = self.ready()
        if self._index is None or self._index[0] is not known or scenarios and not self._index[2]:
            declared = known.declared
            if known.source is None or declared is None:
                return Index()
            found = index_of(known.source, known.files, declared)
            if scenarios:
                scenarios_in(found, known.source, declared, self.tests())
            self._index = (known, found, scenarios)
        return self._index[1]

    def words(self, lang: str) -> Words:
        """The game's words in a language."""
        known = self.ready()
        english = {}
        if known.declared is not None:
            english = {key: text for key, (text, _) in known.declared.model.texts.items()}
        return game_words(lang, self.root.name, self.mirror.folder, english)


def folder_of(path: Path) -> Path | None:
    """The folder of the game to which a file belongs."""
    return next((folder for folder in path.resolve().parents if (folder / MAIN).is_file()), None)
