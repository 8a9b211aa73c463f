"""Results of passes in the cache on disk, so that a check after a small edit repeats only what the edit concerns."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from pathlib import Path
from typing import Any

from ...dsl.cache import cache_get, cache_key, cache_put, package_hash
from ...dsl.diagnostics.diagnostic import Diagnostic, Phrase, PhraseList, SourceSpan
from ...dsl.syntax import tree
from ...dsl.syntax.format import tree_shape
from ...dsl.syntax.incremental_parse import procedure_head
from ...dsl.types import types
from ..library.find import GameLocation
from .game_check import PassMemo

CACHE_KIND = "passes"                        # kind of cache entry
STORED_PASSES = ("scenarios", "clauses", "text parts", "text keys")      # their inputs are much smaller than their work
PROGRAM = ("dsl", "engine", "locale")                                # directories of the program that results depend on
# classes in the results of checks
RESULT_CLASSES = [Diagnostic, Phrase, PhraseList, SourceSpan,
                  *(kind for kind in vars(types).values() if isinstance(kind, type) and kind.__module__ == types.__name__)]


class StoredPassMemo(PassMemo):
    """The results of some passes on disk, by the name of the pass and the hash of its inputs."""

    def __init__(self, location: GameLocation) -> None:
        super().__init__()
        # messages show paths relative to the working directory
        self.context = package_hash(*PROGRAM), location.shown, str(location.folder.resolve()), str(Path.cwd())

    def compute_once(self, name: str, inputs: Any, make: Callable[[], Any]) -> Any:
        if name not in STORED_PASSES:
            return make()
        key = cache_key(*self.context, name, repr(inputs))
        match cache_get(CACHE_KIND, key, RESULT_CLASSES):
            case (value, list(items)):
                return value, items
        value, items = make()
        cache_put(CACHE_KIND, key, (value, items))
        return value, items


def outline_rules(files: Iterable[tuple[str, list[tree.Node]]]) -> Hashable:
    """Returns a key of everything in the rules but the bodies of procedures."""
    return repr([(path, [procedure_head(node) if isinstance(node, tree.Proc) else tree_shape(node) for node in nodes])
                 for path, nodes in files])
