"""`ludoglot lsp`: the language server, for editors."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..cli.console import Refusal, Voice
from ..cli.localized_click import command, lang_option, on_line
from ..library.find import Found
from ..project.incremental_check import Said, Warm

if TYPE_CHECKING:
    from ...dsl.diagnostics.diagnostic import Diagnostic


@command("lsp")
@lang_option
@click.pass_obj
def lsp_command(voice: Voice) -> int:
    try:
        from ..lsp.server import Server
    except ImportError as error:
        if not (error.name or "").startswith(("pygls", "lsprotocol", "cattrs")):
            raise
        raise Refusal("editor.missing", command="pip install 'ludoglot[lsp]'") from None
    if not hasattr(sys.stdin, "buffer") or not hasattr(sys.stdout, "buffer"):
        return 0                                                   # no streams of bytes, so nobody to talk to
    Server(Checks(), voice.lang if on_line("lang") else None, voice.lang).run()
    sys.stdout = open(os.devnull, "w", encoding="utf-8")           # noqa: SIM115  the editor's side of it is closed
    return 0


class Checks:
    """Checks games and packs for editors."""

    def game(self, found: Found, root: Path) -> Warm:
        return Warm(found, root)

    def pack(self, found: Found, pack: Path) -> Iterator[Said | None]:
        """A pack with the game that it is for, whose own scenarios nobody reads meanwhile: what concerns the pack."""
        from ...dsl.diagnostics.diagnostic import Findings
        from ...dsl.game.variants import Checking
        from ..project.check import Rules, check_source, checked, read, variants
        findings = Findings()
        source = read(found, [pack], findings)
        begun = Checking(source, findings) if source is not None and not findings.errors else None
        if source is not None and begun is not None:
            begun.variant(*variants(source)[0])
        yield Said(of(pack, findings.sorted()), False)
        yield None
        if source is not None and begun is not None and not findings.errors:
            rules = checked(found, source, findings, begun)
            yield None
            check_source(found, source, rules if not findings.errors else Rules(), [], findings, Findings())
        yield Said(of(pack, findings.sorted()), True)


def of(pack: Path, found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """What there is to say of a pack: also of mistakes that it makes in the game, which stand at its line that has to do with them, else at
    its beginning. Of anything else in the game nobody who writes the pack can do anything."""
    from ...dsl.diagnostics.diagnostic import Place
    from ...dsl.packs.bundle import MAIN

    def within(place: Place) -> bool:
        return place.path == str(pack) or place.path.startswith(f"{pack}/")

    out = []
    for one in found:
        near = next((place for place in (one.place, *one.also) if within(place)), None)
        if near is None and one.severity == "error":
            near = Place(str(pack if pack.is_file() else pack / MAIN), 1, 1, 2)
        if near is not None:
            also = tuple(dict.fromkeys(place for place in (one.place, *one.also) if place != near))
            out.append(replace(one, place=near, also=also))
    return out
