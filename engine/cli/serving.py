"""`ludoglot lsp`: the language server, for editors."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..shelf.find import Found
from .frame import command, lang_option, on_line
from .voice import Refusal, Voice
from .warm import Said, Warm

if TYPE_CHECKING:
    from ...dsl.findings.diagnostics import Diagnostic


@command("lsp")
@lang_option
@click.pass_obj
def lsp_command(voice: Voice) -> int:
    try:
        from ..editor.server import Server
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
        """A pack with the game that it is for: what concerns the pack."""
        from ...dsl.findings.diagnostics import Findings
        from .checking import check_game, read, variants
        early = Findings()
        source = read(found, [pack], early)
        if source is not None and not early.errors:
            from ...dsl.rulesets.variants import Checking
            Checking(source, early).variant(*variants(source)[0])
        yield Said(of(pack, early.items), False)
        yield None
        if not early.errors:
            whole = Findings()
            check_game(found, [pack], whole)
            early = whole
        yield Said(of(pack, early.sorted()), True)


def of(pack: Path, found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """What stands in the files of a pack; of a finding elsewhere nobody who writes the pack can do anything."""
    return [one for one in found if one.place.path == str(pack) or one.place.path.startswith(f"{pack}/")]
