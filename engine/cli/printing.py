"""`ludoglot rulebook`: the rulebook of a game, written from its rules, as a web page or as Markdown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .frame import argument, command, house_option, lang_option, option, players_option, setting_option
from .inputs import path_of
from .loading import find_game, load_game, packs_from, read_source, settings_from
from .voice import Usage, Voice

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...dsl.packs import Bundle
    from ..rulebook.book import Book

USUAL = 4                                                          # players whose numbers the sentences have where none are asked for
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
    if out == "-":
        voice.out(written(voice, game, ".md", packs_from(houses), settings_from(settings), players).rstrip("\n"))
        return 0
    from .output import check_output, write_output
    path = path_of(out)
    if path.suffix not in KINDS:
        raise Usage("usage.rulebook_file", file=out)
    check_output(path)
    write_output(path, written(voice, game, path.suffix, packs_from(houses), settings_from(settings), players))
    voice.say("file.written", file=out)
    return 0


def written(voice: Voice, game: str, kind: str, houses: Iterable[Path | Bundle] = (), settings: dict[str, str] | None = None,
            players: int | None = None) -> str:
    """The rulebook as a text of this kind. Raises Usage; findings are told and end it."""
    from ..rulebook.markdown import markdown
    from ..rulebook.web import web
    book = book_of(voice, game, houses, settings, players)
    return markdown(book) if kind == ".md" else web(book)


def book_of(voice: Voice, game: str, houses: Iterable[Path | Bundle] = (), settings: dict[str, str] | None = None,
            players: int | None = None) -> Book:
    """The rulebook, not written yet. Raises Usage; findings are told and end it."""
    from ..rulebook.making import Wanted, make_book
    packs = list(houses)
    at_table = players or usual(voice, game, packs)
    loaded = load_game(voice, game, at_table, settings, packs)
    plain = load_game(voice, game, at_table, settings) if packs else None
    return make_book(loaded, voice.lang, Wanted(players, frozenset(settings or ())), plain)


def usual(voice: Voice, game: str, houses: list[Path | Bundle]) -> int:
    """How many players the numbers in the sentences are for, where the reader does not say."""
    low, high = read_source(voice, find_game(game), houses).player_range
    return min(high, max(low, USUAL))
