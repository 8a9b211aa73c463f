"""`ludoglot serve`: starts the browser table, where friends play on their own screens."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from ...dsl.diagnostics.safe_read import read_bytes
from ..cli.console import CommandError, LocalizedConsole
from ..cli.localized_click import IntParam, command, lang_option, option
from ..errors import missing_package
from ..web import defaults

PACKAGES = ("starlette", "uvicorn", "jinja2", "markupsafe", "sqlalchemy", "anyio", "python_multipart", "segno")
MAX_PASSWORD_BYTES = 10_000


@command("serve")
@option("--host", default="127.0.0.1", word="address")
@option("--port", type=IntParam(0), default=str(defaults.PORT), word="number")
@option("--database", default="", word="file")
@option("--base-url", default="", word="address")
@option("--password", default="", word="text", envvar="LUDOGLOT_PASSWORD")
@option("--password-file", default="", word="file")
@option("--streams", type=IntParam(1), default=str(defaults.STREAMS_PER_ADDRESS), word="number")
@option("--workers", type=IntParam(0), default=str(defaults.WORKERS), word="number")
@lang_option
@click.pass_obj
def serve_command(console: LocalizedConsole, host: str, port: int, database: str, base_url: str, password: str,
                  password_file: str, streams: int, workers: int) -> int:
    try:
        from ..web.qr_code import draw_qr_text
        from ..web.server import ServerSettings, find_open_folder, run_server
    except ImportError as error:
        if missing_package(error, PACKAGES) is None:
            raise
        raise CommandError("serve.missing", command="pip install 'ludoglot[web]'") from None
    password = read_password(password_file) if password_file else password
    settings = ServerSettings(host=host, port=port, database=database, base_url=base_url, lang=console.lang, password=password,
                              streams=streams, workers=workers)

    def announce(address: str) -> None:
        console.print_message("serve.address", url=address)
        if not settings.is_local and not password:
            console.print_message("serve.open")
        if folder := find_open_folder(database):
            console.print_message("serve.folder_open", folder=folder, command=f"chmod 700 {shlex.quote(folder)}")
        if not settings.is_local and console.terminal and console.utf:
            for line in draw_qr_text(address).splitlines():
                console.print_line(line)
    run_server(settings, announce)
    return 0


def read_password(file: str) -> str:
    """Returns the first line of a file. Raises CommandError."""
    try:
        lines = read_bytes(Path(file).expanduser(), MAX_PASSWORD_BYTES).decode().splitlines()
    except (OSError, ValueError) as error:
        raise CommandError("file.unreadable", file=file, reason=getattr(error, "strerror", None) or str(error)) from error
    if not lines or not lines[0].strip():
        raise CommandError("serve.no_password", file=file)
    return lines[0].strip()
