"""`ludoglot rulebook`: generates the rulebook of a game from its rules, as a web page or as Markdown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..cli.console import LocalizedConsole, UsageError, render_findings
from ..cli.input_values import parse_path
from ..cli.loading import load_game, load_without_packs, nearest_players, parse_settings
from ..cli.localized_click import argument, command, lang_option, option, pack_option, players_option, setting_option
from ..library.load import locate_packs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...dsl.packs import PackBundle
    from ..rulebook.book import Book

OUTPUT_SUFFIXES = (".html", ".md")


@command("rulebook")
@argument("game")
@option("--out", word="file", default="-")
@pack_option
@setting_option
@players_option
@lang_option
@click.pass_obj
def rulebook_command(
    console: LocalizedConsole, game: str, out: str, pack_sources: tuple[str, ...], settings: tuple[str, ...], players: int | None
) -> int:
    from ..cli.output import check_output, write_output_file
    path = parse_path(out) if out != "-" else None
    if path is not None and path.suffix not in OUTPUT_SUFFIXES:
        raise UsageError("usage.rulebook_file", file=out)
    if path is not None:
        check_output(path)
    book = build_rulebook(console, game, locate_packs(pack_sources), parse_settings(settings), players)
    if path is None:
        console.print_line(format_rulebook(book, ".md").rstrip("\n"))
    else:
        write_output_file(path, format_rulebook(book, path.suffix))
        console.print_message("file.written", file=out)
    if book.faults:
        console.print_stderr(render_findings(console, list({(one.code, one.place): one for one in book.faults}.values())))
    return 1 if book.faults else 0


def format_rulebook(book: Book, kind: str) -> str:
    """Returns the rulebook as text in the format of this file suffix."""
    from ..rulebook.html_writer import render_html
    from ..rulebook.markdown_writer import render_markdown
    return render_markdown(book) if kind == ".md" else render_html(book)


def build_rulebook(
    console: LocalizedConsole,
    game: str,
    pack_sources: Iterable[Path | PackBundle] = (),
    settings: dict[str, str] | None = None,
    players: int | None = None,
) -> Book:
    """Builds the rulebook as a book object.

    Raises UsageError; prints diagnostics and exits if the rules have errors."""
    from ..rulebook.builder import BookOptions, make_book
    packs = list(pack_sources)
    at_table = players or nearest_players(console, game, packs)
    loaded = load_game(console, game, at_table, settings, packs)
    plain = load_without_packs(console, game, loaded, settings or {})
    return make_book(loaded, console.lang, BookOptions(players, frozenset(settings or ())), plain)
