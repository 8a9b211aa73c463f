"""`ludoglot lsp`: starts the language server for editors."""

from __future__ import annotations

import os
import sys

import click

from ..cli.console import CommandError, LocalizedConsole
from ..cli.localized_click import command, is_on_command_line, lang_option
from ..errors import missing_package


@command("lsp")
@lang_option
@click.pass_obj
def lsp_command(console: LocalizedConsole) -> int:
    try:
        from ..lsp.server import GameLanguageServer
    except ImportError as error:
        if missing_package(error, ("pygls", "lsprotocol", "cattrs")) is None:
            raise
        raise CommandError("editor.missing", command="pip install 'ludoglot[lsp]'") from None
    if not hasattr(sys.stdin, "buffer") or not hasattr(sys.stdout, "buffer"):
        return 0                                                   # no byte streams, so there is no client
    GameLanguageServer(console.lang if is_on_command_line("lang") else None, console.lang).run()
    sys.stdout = open(os.devnull, "w", encoding="utf-8")           # noqa: SIM115  the editor has closed its end
    return 0
