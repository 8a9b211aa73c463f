"""`ludoglot lsp`: starts the language server for editors."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..cli.console import CommandError, LocalizedConsole
from ..cli.localized_click import command, is_on_command_line, lang_option
from ..library.find import GameLocation
from ..project.incremental_check import GameCheckProgress, IncrementalChecker

if TYPE_CHECKING:
    from ...dsl.diagnostics.diagnostic import Diagnostic


@command("lsp")
@lang_option
@click.pass_obj
def lsp_command(voice: LocalizedConsole) -> int:
    try:
        from ..lsp.server import GameLanguageServer
    except ImportError as error:
        if not (error.name or "").startswith(("pygls", "lsprotocol", "cattrs")):
            raise
        raise CommandError("editor.missing", command="pip install 'ludoglot[lsp]'") from None
    if not hasattr(sys.stdin, "buffer") or not hasattr(sys.stdout, "buffer"):
        return 0                                                   # no byte streams, so there is no client
    GameLanguageServer(GameCheckerFactory(), voice.lang if is_on_command_line("lang") else None, voice.lang).run()
    sys.stdout = open(os.devnull, "w", encoding="utf-8")           # noqa: SIM115  the editor has closed its end
    return 0


class GameCheckerFactory:
    """Creates the checkers for games and packs that the language server uses."""

    def game(self, found: GameLocation, root: Path) -> IncrementalChecker:
        """Returns an incremental checker for a game."""
        return IncrementalChecker(found, root)

    def pack(self, found: GameLocation, pack: Path) -> Iterator[GameCheckProgress | None]:
        """Checks a pack together with its game and yields the diagnostics that concern the pack.

        The game's own scenarios are not run. The first result covers one variant only; the last one is complete."""
        from ...dsl.diagnostics.diagnostic import DiagnosticList
        from ...dsl.game.variants import VariantChecker, list_variants
        from ..project.game_check import GameCheck, read_with_packs
        from ..project.passes import PASSES
        findings = DiagnosticList()
        source = read_with_packs(found, [pack], findings)
        checking = VariantChecker(source, findings) if source is not None and not findings.errors else None
        if checking is not None:
            checking.check_variant(*list_variants(checking.source)[0])
        yield GameCheckProgress(diagnostics_for_pack(pack, findings.in_source_order()), False)
        yield None
        if checking is not None and not findings.errors:
            yield from GameCheck(found, checking, findings, quick=True).steps(PASSES)
        yield GameCheckProgress(diagnostics_for_pack(pack, findings.in_source_order()), True)


def diagnostics_for_pack(pack: Path, found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Returns the diagnostics that the author of a pack can act on.

    These include errors that the pack causes in the game. They are moved to the pack line that is related to
    them, or to the beginning of the pack. Other diagnostics of the game are dropped."""
    from ...dsl.diagnostics.diagnostic import SourceSpan
    from ...dsl.packs.bundle import MAIN_FILE

    def is_in_pack(place: SourceSpan) -> bool:
        return place.path == str(pack) or place.path.startswith(f"{pack}/")

    out = []
    for one in found:
        near = next((place for place in (one.place, *one.also) if is_in_pack(place)), None)
        if near is None and one.severity == "error":
            near = SourceSpan(str(pack if pack.is_file() else pack / MAIN_FILE), 1, 1, 2)
        if near is not None:
            also = tuple(dict.fromkeys(place for place in (one.place, *one.also) if place != near))
            out.append(replace(one, place=near, also=also))
    return out
