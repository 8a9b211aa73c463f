"""`ludoglot rulebook`: the rulebook of a game, written from its rules, as a web page or as Markdown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..cli.console import Usage, Voice
from ..cli.input_values import path_of
from ..cli.loading import load_game, load_without_packs, nearest_players, packs_from, settings_from
from ..cli.localized_click import argument, command, house_option, lang_option, option, players_option, setting_option

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...dsl.packs import Bundle
    from ..rulebook.book import Book

KINDS = (".html", ".md")


@command("rulebook")
@argument("game")
@option("--out", word="file", required=True)
@house_option
@setting_option
@players_option
@lang_option
@click.pass_obj
def rulebook_command(voice: Voice, game: str, out: str, houses: tuple[str, ...], settings: tuple[str, ...], players: int | None) -> int:
    from ..cli.output import check_output, write_output
    from ..cli.rendering import rendered
    path = path_of(out) if out != "-" else None
    if path is not None and path.suffix not in KINDS:
        raise Usage("usage.rulebook_file", file=out)
    if path is not None:
        check_output(path)
    book = book_of(voice, game, packs_from(houses), settings_from(settings), players)
    if path is None:
        voice.out(written(book, ".md").rstrip("\n"))
    else:
        write_output(path, written(book, path.suffix))
        voice.say("file.written", file=out)
    if book.faults:
        voice.warn(rendered(voice, list({(one.code, one.place): one for one in book.faults}.values())))
    return 1 if book.faults else 0


def written(book: Book, kind: str) -> str:
    """The rulebook as a text of this kind."""
    from ..rulebook.html_writer import web
    from ..rulebook.markdown_writer import markdown
    return markdown(book) if kind == ".md" else web(book)


def book_of(voice: Voice, game: str, houses: Iterable[Path | Bundle] = (), settings: dict[str, str] | None = None,
            players: int | None = None) -> Book:
    """The rulebook, not written yet. Raises Usage; findings are told and end it."""
    from ..rulebook.builder import Wanted, make_book
    packs = list(houses)
    at_table = players or nearest_players(voice, game, packs)
    loaded = load_game(voice, game, at_table, settings, packs)
    plain = load_without_packs(voice, game, loaded, settings or {})
    return make_book(loaded, voice.lang, Wanted(players, frozenset(settings or ())), plain)
