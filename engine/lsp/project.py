"""One game in the editor: its folder with the unsaved text, the state of the checker, and the index of its
symbols."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...dsl.diagnostics.safe_read import read_text
from ...dsl.diagnostics.source_lines import split_lines
from ..i18n import Localizer, game_localizer
from ..library.find import GAME_FILE, GameLocation
from ..project.incremental_check import GameCheckProgress, GameCheckState, IncrementalChecker
from .overlay_fs import OverlayFolder
from .symbol_index import SymbolIndex, add_scenario_references, build_symbol_index


class GameProject:
    """One game in the editor, identified by its folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.mirror = OverlayFolder(root)
        self.found = GameLocation(str(root), self.mirror.folder, root.as_posix())
        self.checker = IncrementalChecker(self.found, root)
        self._index: tuple[GameCheckState, SymbolIndex, bool] | None = None

    def steps(self) -> Iterator[GameCheckProgress | None]:
        """Checks the editor's current text, step by step."""
        self.mirror.refresh()
        yield from self.checker.steps()

    def text(self, path: str | Path) -> str:
        """Returns the editor's text of a file, or "" if it cannot be read."""
        name = self.mirror.relative_name(Path(path))
        try:
            return self.mirror.open[name] if name in self.mirror.open else read_text(path)
        except (OSError, ValueError):
            return ""

    def lines(self, path: str | Path) -> list[str]:
        """Returns the lines of a file, as source spans count them."""
        return split_lines(self.text(path))

    def scenario_texts(self) -> dict[str, str]:
        """Returns the texts of the scenario files, by path."""
        names = {path.relative_to(self.root).as_posix() for path in (self.root / "tests").glob("*.yaml")}
        names |= {name for name in self.mirror.open if name.startswith("tests/") and name.endswith(".yaml")}
        return {f"{self.found.shown}/{name}": self.text(self.root / name) for name in sorted(names)}

    def ensure_checked(self) -> GameCheckState:
        """Returns the check state. Runs the first step of the check if there is none yet."""
        known = self.checker.known
        if known.source is None:
            next(self.steps())
        return self.checker.known

    def symbol_index(self, scenarios: bool = False) -> SymbolIndex:
        """Returns the symbol index. With `scenarios` it includes the scenario files."""
        known = self.ensure_checked()
        if self._index is None or self._index[0] is not known or scenarios and not self._index[2]:
            declared = known.rule_declarations
            if known.source is None or declared is None:
                return SymbolIndex()
            found = build_symbol_index(known.source, known.files, declared)
            if scenarios:
                add_scenario_references(found, known.source, declared, self.scenario_texts())
            self._index = (known, found, scenarios)
        return self._index[1]

    def localizer(self, lang: str) -> Localizer:
        """Returns the localizer of the game in a language."""
        known = self.ensure_checked()
        english = {}
        if known.rule_declarations is not None:
            english = {key: text for key, (text, _) in known.rule_declarations.model.texts.items()}
        return game_localizer(lang, self.root.name, self.mirror.folder, english)


def find_game_folder(path: Path) -> Path | None:
    """Returns the folder of the game to which a file belongs, or None."""
    return next((folder for folder in path.resolve().parents if (folder / GAME_FILE).is_file()), None)
